package connector

import (
	"context"

	"github.com/stockhand/stockhand"
)

// Kept keeps pieces of what was read through one connection with the rights that it has now. Replicas share it. All
// that is kept disappears when the token or the rights of the connection change, when it becomes too old or too large,
// and with the connection.
type Kept interface {
	// Load returns those of the named pieces that are kept.
	Load(ctx context.Context, names ...string) (map[string]stockhand.Piece, error)

	// Save replaces a piece if it still has the version that p has; else another replica was first, and nothing
	// happens.
	Save(ctx context.Context, name string, p stockhand.Piece) error
}
