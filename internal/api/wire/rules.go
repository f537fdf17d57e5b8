package wire

import (
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/draft"
)

// RuleSettings are the settings about what may be written, and the notes for the agent.
type RuleSettings struct {
	Notes      string     `json:"notes" doc:"What the agent should know, a note in a line. Models read it with every task"`
	TimeZone   string     `json:"time_zone" doc:"The IANA name of the zone that people are shown times in; empty for that of the accounts" example:"Asia/Vladivostok"`
	WriteStop  *WriteStop `json:"write_stop" doc:"Who stopped all writes; null if they are not stopped"`
	DraftRules DraftRules `json:"draft_rules" doc:"What a confirmation requires. Amounts are in the currency of the account"`
}

// TransformSchema implements huma.SchemaTransformer.
func (RuleSettings) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	return orNullRef(s, "write_stop")
}

// DraftRules are what an organization requires of a confirmation.
type DraftRules struct{ draft.Rules }

// TransformSchema implements huma.SchemaTransformer.
func (DraftRules) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	s = orNullRef(s, "quiet_hours")
	// huma takes any value for null, so in a request "one of" would refuse every object. draft.Rules validates them.
	hours := s.Properties["quiet_hours"]
	hours.AnyOf, hours.OneOf = hours.OneOf, nil
	return s
}

// WriteStop says who stopped all writes, and when.
type WriteStop struct {
	StoppedBy    string    `json:"stopped_by" doc:"The name of the actor, as in the audit log"`
	StoppedAt    time.Time `json:"stopped_at"`
	Installation bool      `json:"installation" doc:"Whether the operator stopped the whole installation; the organization cannot allow writes again then"`
}

// WriteStopOf returns nil for the zero stop.
func WriteStopOf(s stockhand.WriteStop) *WriteStop {
	if s.By == "" {
		return nil
	}
	return &WriteStop{StoppedBy: s.By, StoppedAt: s.At.UTC(), Installation: s.Everywhere}
}
