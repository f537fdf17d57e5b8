// Package activity lists what an organization's agent did: its runs, and what models were used for whom.
package activity

import (
	"cmp"
	"context"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/store/database"
	"github.com/stockhand/stockhand/internal/store/datakey"
	"github.com/stockhand/stockhand/internal/store/sqlc"
)

// Store lists the activity of all organizations. Its methods are safe for concurrent use.
type Store struct {
	base *database.DB
	read *sqlc.Queries
	keys *datakey.Keys
}

// New returns the store of a database.
func New(base *database.DB, keys *datakey.Keys) *Store {
	return &Store{base: base, read: sqlc.New(base.Reader()), keys: keys}
}

// Run is a run with the message that it answers.
type Run struct {
	stockhand.Run
	Task string
	Kind stockhand.SessionKind
}

// last is an ID after that of every run.
const last = "run_~"

// Runs returns up to limit runs of an organization, newest first, before a run or the newest: all, or those in a state.
func (s *Store) Runs(ctx context.Context, org stockhand.OrgID, in stockhand.RunState, before stockhand.RunID,
	limit int) ([]Run, error) {
	rows, err := s.read.RunsBefore(ctx, sqlc.RunsBeforeParams{OrgID: string(org), ID: cmp.Or(string(before), last),
		OfState: string(in), MaxRows: int64(limit)})
	if err != nil {
		return nil, s.base.Fail("list the runs", err)
	}
	opener := s.keys.Opener(ctx)
	all := make([]Run, 0, len(rows))
	for _, row := range rows {
		all = append(all, Run{Run: run(row.Run), Kind: stockhand.SessionKind(row.Kind),
			Task: string(opener.Open(row.Run.OrgID, row.Task, "messages.text", row.Run.MessageID))})
	}
	return all, s.base.Fail("list the runs", opener.Err())
}

func run(row sqlc.Run) stockhand.Run {
	return stockhand.Run{
		ID: stockhand.RunID(row.ID), Org: stockhand.OrgID(row.OrgID), Session: stockhand.SessionID(row.SessionID),
		Message: stockhand.MessageID(row.MessageID), Connection: stockhand.ConnectionID(row.ConnectionID),
		State: stockhand.RunState(row.State), Generation: row.Generation, By: row.CreatedBy,
		Used: stockhand.Used{Requests: int(row.Requests), InputTokens: int(row.InputTokens),
			OutputTokens: int(row.OutputTokens), CachedTokens: int(row.CachedTokens), Cost: row.Cost},
		Created: time.UnixMicro(row.CreatedAt).UTC(), Updated: time.UnixMicro(row.UpdatedAt).UTC(),
	}
}

// ModelUsage returns what models were used from one day to another, inclusive (UTC), by day, actor and model.
func (s *Store) ModelUsage(ctx context.Context, org stockhand.OrgID, from, to string) ([]stockhand.ModelUsage, error) {
	rows, err := s.read.ModelUsageBetween(ctx, sqlc.ModelUsageBetweenParams{OrgID: string(org), FirstDay: from,
		LastDay: to})
	all := make([]stockhand.ModelUsage, 0, len(rows))
	for _, row := range rows {
		all = append(all, stockhand.ModelUsage{Day: row.Day, By: row.CreatedBy, Model: row.Model,
			Calls: int(row.Calls), InputTokens: int(row.InputTokens), OutputTokens: int(row.OutputTokens),
			Money: row.Money})
	}
	return all, s.base.Fail("list what models were used", err)
}
