package api

import (
	"context"

	"github.com/stockhand/stockhand"
)

// maySee is nil when the caller may see and change a thing that the named actor started: whoever has read:data
// everything of the organization, and anyone what they started themselves (product.md, section 3).
func (s *Server) maySee(ctx context.Context, by string) error {
	actor := stockhand.ActorOf(ctx)
	if actor.MaySee(by) {
		return nil
	}
	return s.Auth.Allow(actor, stockhand.ScopeReadData)
}

// ownOnly names the actor whose things a list is bound to; it is empty for who may see all.
func ownOnly(ctx context.Context) string {
	if a := stockhand.ActorOf(ctx); !a.May(stockhand.ScopeReadData) {
		return a.Name
	}
	return ""
}

// orNull is a pointer to what is there, and nil for nothing.
func orNull[T comparable](v T) *T {
	var none T
	if v == none {
		return nil
	}
	return &v
}
