// Package results finds the stored results that a tool call of a run may read.
package results

import (
	"context"
	"iter"
	"slices"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/tool"
)

// Rows reads stored results: the head, and rows page by page.
type Rows interface {
	Result(ctx context.Context, org stockhand.OrgID, id stockhand.ResultID) (stockhand.StoredResult, error)
	ResultRows(ctx context.Context, org stockhand.OrgID, id stockhand.ResultID, from, to int) iter.Seq2[
		stockhand.RowPage, error]
}

// Store reads what is stored.
type Store interface {
	Rows
	Run(ctx context.Context, org stockhand.OrgID, id stockhand.RunID) (stockhand.Run, error)
	Session(ctx context.Context, org stockhand.OrgID, id stockhand.SessionID) (stockhand.Session, error)
}

// Reader is a call of a run that reads stored results with the rights of an employee of an account.
type Reader struct {
	Org             stockhand.OrgID
	Run             stockhand.Run
	Account         stockhand.AccountID
	Employee, Login string
	External        []stockhand.AccountID // the accounts of the run's external tools, whose results it may read, too
	Own             bool                  // only results of the run's session
}

// May reports whether the reader may read a result with a provenance: another employee may see more, and accounts are
// never mixed (rules R4 and R262). A login identifies an employee. Old connections have none, only a name.
func (r Reader) May(p tool.Provenance) bool {
	if slices.Contains(r.External, p.Account) {
		return true
	}
	return p.Account == r.Account && p.Login == r.Login && (p.Login != "" || p.Employee == r.Employee)
}

// Of returns a result of the run's session, or of another session of its caller with the same connection, that the
// reader may read. Any other looks like it does not exist (rules R4 and R37). Its rows are read when they are needed.
func (r Reader) Of(ctx context.Context, store Store, id stockhand.ResultID) (table tool.Table, err error) {
	none := stockhand.Errorf(stockhand.CodeNotFound, "there is no such result in this conversation").WithHint(
		"use the ID of a result that a tool returned here")
	if !stockhand.ValidID(string(id), "res") {
		return table, none
	}
	kept, err := store.Result(ctx, r.Org, id)
	if stockhand.CodeOf(err) == stockhand.CodeNotFound {
		return table, none
	}
	if err != nil {
		return table, err
	}
	made, err := store.Run(ctx, r.Org, kept.Run)
	if err != nil {
		return table, err
	}
	if made.Session != r.Run.Session {
		there, err := store.Session(ctx, r.Org, made.Session)
		if err != nil {
			return table, err
		}
		here, err := store.Session(ctx, r.Org, r.Run.Session)
		if err != nil {
			return table, err
		}
		if r.Own || made.By != r.Run.By || there.Connection != here.Connection {
			return table, none
		}
	}
	found, err := tool.ReadTable(kept, store.ResultRows(ctx, r.Org, id, 0, kept.Rows))
	if err != nil {
		return table, err
	}
	if !r.May(found.Provenance) {
		return table, none
	}
	return found, nil
}

// Stored is a result with its ID. Only one that a tool has just returned has its rows in memory.
type Stored struct {
	tool.Table
	ID stockhand.ResultID
	// rows from one position up to another; nil for one that a tool has just returned
	Page func(from, to int) (tool.Rows, error)
}

// Read returns a stored result whose rows are read from the database whenever they are needed.
func Read(ctx context.Context, store Rows, org stockhand.OrgID, id stockhand.ResultID) (*Stored, error) {
	s, err := store.Result(ctx, org, id)
	if err != nil {
		return nil, err
	}
	table, err := tool.ReadTable(s, store.ResultRows(ctx, org, id, 0, s.Rows))
	read := func(from, to int) (tool.Rows, error) {
		part := s
		part.Rows = to - from
		table, err := tool.ReadTable(part, store.ResultRows(ctx, org, id, from, to))
		if err != nil {
			return nil, err
		}
		whole, err := table.Whole()
		if err != nil {
			return nil, err
		}
		return whole.Rows, nil
	}
	return &Stored{table, id, read}, err
}
