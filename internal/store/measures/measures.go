// Package measures stores the measures that organizations define; see internal/measure.
package measures

import (
	"context"
	"database/sql"
	"encoding/json"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/store/database"
	"github.com/stockhand/stockhand/internal/store/sqlc"
)

// Store stores the measures of all organizations. Its methods are safe for concurrent use.
type Store struct {
	base  *database.DB
	read  *sqlc.Queries
	audit Audit
}

// Audit appends entries to an organization's audit log in the transaction of a change, and orders those who change
// something at once.
type Audit func(ctx context.Context, q *sqlc.Queries, org stockhand.OrgID, entries ...stockhand.AuditEntry) error

// New returns the store of a database.
func New(base *database.DB, audit Audit) *Store {
	return &Store{base: base, read: sqlc.New(base.Reader()), audit: audit}
}

// Measures returns the organization's measures by name.
func (s *Store) Measures(ctx context.Context, org stockhand.OrgID) ([]stockhand.StoredMeasure, error) {
	rows, err := s.read.Measures(ctx, string(org))
	return measures(rows), s.base.Fail("read the measures", err)
}

// PutMeasure stores a measure, in place of one with that name, and its audit entry, unless check refuses it. Check is
// called with the organization's measures, which do not change until the measure is stored.
func (s *Store) PutMeasure(ctx context.Context, org stockhand.OrgID, m stockhand.StoredMeasure,
	check func(all []stockhand.StoredMeasure) error, entry stockhand.AuditEntry) error {
	return s.change(ctx, org, check, entry, func(q *sqlc.Queries) error {
		return q.PutMeasure(ctx, sqlc.PutMeasureParams{OrgID: string(org), Name: m.Name,
			Definition: string(m.Definition), UpdatedBy: m.By, UpdatedAt: m.Updated.UnixMicro()})
	})
}

// DeleteMeasure deletes a measure and stores the audit entry, unless check refuses it; see PutMeasure.
func (s *Store) DeleteMeasure(ctx context.Context, org stockhand.OrgID, name string,
	check func(all []stockhand.StoredMeasure) error, entry stockhand.AuditEntry) error {
	return s.change(ctx, org, check, entry, func(q *sqlc.Queries) error {
		return q.DeleteMeasure(ctx, sqlc.DeleteMeasureParams{OrgID: string(org), Name: name})
	})
}

func (s *Store) change(ctx context.Context, org stockhand.OrgID, check func([]stockhand.StoredMeasure) error,
	entry stockhand.AuditEntry, change func(q *sqlc.Queries) error) error {
	return s.base.Transact(ctx, "change the measures", func(tx *sql.Tx) error {
		q := sqlc.New(tx)
		if err := s.audit(ctx, q, org, entry); err != nil { // first: its lock orders those who change them at once
			return err
		}
		rows, err := q.Measures(ctx, string(org))
		if err != nil {
			return err
		}
		if err := check(measures(rows)); err != nil {
			return err
		}
		return change(q)
	})
}

func measures(rows []sqlc.Measure) []stockhand.StoredMeasure {
	all := make([]stockhand.StoredMeasure, len(rows))
	for i, r := range rows {
		all[i] = stockhand.StoredMeasure{Name: r.Name, Definition: json.RawMessage(r.Definition), By: r.UpdatedBy,
			Updated: time.UnixMicro(r.UpdatedAt).UTC()}
	}
	return all
}
