// Package results finds the stored results that a tool call of a run may read.
package results

import (
	"context"
	"iter"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/tool"
)

// Store reads what is stored.
type Store interface {
	Result(ctx context.Context, org stockhand.OrgID, id stockhand.ResultID) (stockhand.StoredResult, error)
	ResultRows(ctx context.Context, org stockhand.OrgID, id stockhand.ResultID, from, to int) iter.Seq2[
		stockhand.RowPage, error]
	Run(ctx context.Context, org stockhand.OrgID, id stockhand.RunID) (stockhand.Run, error)
	Session(ctx context.Context, org stockhand.OrgID, id stockhand.SessionID) (stockhand.Session, error)
}

// Of returns a result of the run's session, or of another session of its caller with the same connection. Any other
// looks like it does not exist (rules R4 and R37).
func Of(ctx context.Context, store Store, org stockhand.OrgID, run stockhand.Run,
	id stockhand.ResultID) (*tool.Result, error) {
	none := stockhand.Errorf(stockhand.CodeNotFound, "there is no such result in this conversation").WithHint(
		"use the ID of a result that a tool returned here")
	if !stockhand.ValidID(string(id), "res") {
		return nil, none
	}
	kept, err := store.Result(ctx, org, id)
	if stockhand.CodeOf(err) == stockhand.CodeNotFound {
		return nil, none
	}
	if err != nil {
		return nil, err
	}
	made, err := store.Run(ctx, org, kept.Run)
	if err != nil {
		return nil, err
	}
	if made.Session != run.Session {
		there, err := store.Session(ctx, org, made.Session)
		if err != nil {
			return nil, err
		}
		here, err := store.Session(ctx, org, run.Session)
		if err != nil {
			return nil, err
		}
		if made.By != run.By || there.Connection != here.Connection {
			return nil, none
		}
	}
	table, err := tool.ReadTable(kept, store.ResultRows(ctx, org, id, 0, kept.Rows))
	if err != nil {
		return nil, err
	}
	return table.Whole()
}
