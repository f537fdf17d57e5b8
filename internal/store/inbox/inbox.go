// Package inbox counts an organization's drafts by their state, without reading them.
package inbox

import (
	"context"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/store/database"
	"github.com/stockhand/stockhand/internal/store/sqlc"
)

// Store counts the drafts of all organizations. Its methods are safe for concurrent use.
type Store struct {
	base *database.DB
	read *sqlc.Queries
}

// New returns the store of a database.
func New(base *database.DB) Store { return Store{base, sqlc.New(base.Reader())} }

// Count returns how many drafts have a document in each state. A draft with documents in several states counts in each.
// Those that can no longer be confirmed do not count as pending.
func (s Store) Count(ctx context.Context, org stockhand.OrgID, now time.Time) (map[stockhand.DocumentState]int,
	error) {
	rows, err := s.read.DraftStates(ctx, sqlc.DraftStatesParams{OrgID: string(org), Now: now.UnixMicro()})
	counts := make(map[stockhand.DocumentState]int, len(rows))
	for _, r := range rows {
		counts[stockhand.DocumentState(r.State)] = int(r.Drafts)
	}
	return counts, s.base.Fail("count the drafts", err)
}

// Written returns when a document of the organization was last written; the zero time for never.
func (s Store) Written(ctx context.Context, org stockhand.OrgID) (time.Time, error) {
	at, err := s.read.LastApplied(ctx, string(org))
	if err != nil || at == 0 {
		return time.Time{}, s.base.Fail("read when a document was written", err)
	}
	return time.UnixMicro(at).UTC(), nil
}
