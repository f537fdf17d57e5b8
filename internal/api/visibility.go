package api

import (
	"context"

	"github.com/stockhand/stockhand"
)

// maySee returns an error unless the caller may see and change what the named actor created: with read:data everything
// in the organization, otherwise only the caller's own (rule R36).
func (s *Server) maySee(ctx context.Context, by string) error {
	actor := stockhand.ActorOf(ctx)
	if actor.MaySee(by) {
		return nil
	}
	return s.Auth.Allow(actor, stockhand.ScopeReadData)
}

// ownOnly returns the actor that a list is restricted to; empty if the caller may see everything.
func ownOnly(ctx context.Context) string {
	if a := stockhand.ActorOf(ctx); !a.May(stockhand.ScopeReadData) {
		return a.Name
	}
	return ""
}
