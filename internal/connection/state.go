package connection

import (
	"context"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/limit"
)

// State is how a connection is at a moment, without a request to its account.
type State struct {
	Limits limit.State
	Known  bool // Limits are known
	Facts  stockhand.KeptFacts
	Keeps  bool // facts of its account are kept
}

// State returns how much of the limits of a connection's account is used, and what is kept of it.
func (s *Service) State(ctx context.Context, c stockhand.Connection) (at State, err error) {
	if s.KeptOf != nil {
		at.Keeps = true
		if at.Facts, err = s.KeptOf(ctx, c); err != nil {
			return State{}, err
		}
	}
	account, err := s.Open(ctx, c)
	if err != nil {
		return State{}, err
	}
	if limited, ok := account.(connector.Limited); ok && s.Watched != nil {
		r := limited.Request()
		at.Limits, at.Known, err = limit.StateOf(ctx, s.Watched, r.Account, r.Employee)
	}
	return at, err
}

// ClearFacts removes what is kept of a connection's account; the next question reads it again.
func (s *Service) ClearFacts(ctx context.Context, org stockhand.OrgID, id stockhand.ConnectionID,
	a stockhand.Actor) error {
	c, err := s.Store.Connection(ctx, org, id)
	if err != nil {
		return err
	}
	var facts stockhand.KeptFacts
	if s.KeptOf != nil {
		if facts, err = s.KeptOf(ctx, c); err != nil {
			return err
		}
	}
	all := entries(a.Name, "facts.cleared", c, map[string]any{"pieces": facts.Pieces, "bytes": facts.Size})
	if err := s.Store.ClearFacts(ctx, org, id, all[0]); err != nil {
		return err
	}
	s.forget(id)
	return nil
}
