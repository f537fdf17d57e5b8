package api

import (
	"context"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/api/wire"
)

// RuleChange is a change of the settings about what may be written, of the notes for the agent and of the time zone.
type RuleChange struct {
	WritesStopped *bool            `json:"writes_stopped,omitempty" doc:"Stop all writes to external systems at once, or allow them again. Only a person can change it"`
	Notes         *string          `json:"notes,omitempty" maxLength:"4000" doc:"What the agent should know, a note in a line. Only an owner or admin in person can change it"`
	TimeZone      *string          `json:"time_zone,omitempty" maxLength:"64" pattern:"^[A-Za-z0-9_/+-]*$" doc:"The IANA name of the zone that people are shown times in; empty for that of the accounts" example:"Asia/Vladivostok"`
	DraftRules    *wire.DraftRules `json:"draft_rules,omitempty" doc:"All rules, in place of the present ones. Only a person can change them"`
}

func (s *Server) changeRules(ctx context.Context, in RuleChange) error {
	actor := stockhand.ActorOf(ctx)
	if in.WritesStopped != nil {
		if err := s.Drafts.StopWrites(ctx, actor, *in.WritesStopped); err != nil {
			return err
		}
	}
	if in.Notes != nil {
		if err := s.Notes.Set(ctx, actor, *in.Notes); err != nil {
			return err
		}
	}
	if in.TimeZone != nil {
		if err := s.Zones.Set(ctx, actor, *in.TimeZone); err != nil {
			return err
		}
	}
	if in.DraftRules == nil {
		return nil
	}
	return s.Drafts.SetRules(ctx, actor, in.DraftRules.Rules)
}

func (s *Server) rulesOf(ctx context.Context, org stockhand.OrgID) (wire.RuleSettings, error) {
	stop, err := s.Drafts.WriteStop(ctx, org)
	if err != nil {
		return wire.RuleSettings{}, err
	}
	noted, err := s.Notes.Text(ctx, org)
	if err != nil {
		return wire.RuleSettings{}, err
	}
	zone, err := s.Zones.Name(ctx, org)
	if err != nil {
		return wire.RuleSettings{}, err
	}
	rules, err := s.Drafts.Rules(ctx, org)
	return wire.RuleSettings{Notes: noted, TimeZone: zone, WriteStop: wire.WriteStopOf(stop),
		DraftRules: wire.DraftRules{Rules: rules}}, err
}
