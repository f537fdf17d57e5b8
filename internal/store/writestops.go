package store

import (
	"context"
	"database/sql"
	"errors"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/store/sqlc"
)

// WriteStop returns who stopped the writes of an organization: the operator, for the whole installation, or else
// someone in the organization.
func (db *DB) WriteStop(ctx context.Context, org stockhand.OrgID) (stockhand.WriteStop, error) {
	stop, err := writeStop(ctx, db.read, org)
	return stop, db.fail("read whether writes are stopped", err)
}

func writeStop(ctx context.Context, q *sqlc.Queries, org stockhand.OrgID) (stockhand.WriteStop, error) {
	for _, of := range []stockhand.OrgID{stockhand.Installation, org} {
		row, err := q.WriteStop(ctx, string(of))
		if err == nil {
			return stockhand.WriteStop{By: row.StoppedBy, At: moment(row.StoppedAt),
				Everywhere: of == stockhand.Installation}, nil
		}
		if !errors.Is(err, sql.ErrNoRows) {
			return stockhand.WriteStop{}, err
		}
	}
	return stockhand.WriteStop{}, nil
}

// ChangeWriteStop stops the writes of an organization in the name of the entry's actor, or allows them again, with the
// audit entry. A stop by the operator is not changed.
func (db *DB) ChangeWriteStop(ctx context.Context, org stockhand.OrgID, stop bool, entry stockhand.AuditEntry) error {
	return db.write(ctx, "change whether writes are stopped", func(q *sqlc.Queries) error {
		if err := putWriteStop(ctx, q, org, stop, entry); err != nil {
			return err
		}
		return db.appendAudit(ctx, q, org, entry)
	})
}

func putWriteStop(ctx context.Context, q *sqlc.Queries, org stockhand.OrgID, stop bool,
	entry stockhand.AuditEntry) error {
	if !stop {
		return q.DropWriteStop(ctx, string(org))
	}
	return q.PutWriteStop(ctx, sqlc.PutWriteStopParams{OrgID: string(org), StoppedBy: text(entry.Actor),
		StoppedAt: micros(entry.At)})
}

// WriteStop returns who stopped the writes of the installation.
func (s System) WriteStop(ctx context.Context) (stockhand.WriteStop, error) {
	return s.db.WriteStop(ctx, stockhand.Installation)
}

// ChangeWriteStop stops all writes of the installation in the name of the entry's actor, or allows them again. The stop
// holds before the entry is in the audit log of each organization.
func (s System) ChangeWriteStop(ctx context.Context, stop bool, entry stockhand.AuditEntry) error {
	err := s.db.write(ctx, "change whether writes are stopped", func(q *sqlc.Queries) error {
		return putWriteStop(ctx, q, stockhand.Installation, stop, entry)
	})
	if err != nil {
		return err
	}
	all, err := s.Organizations(ctx)
	all = append(all, stockhand.Organization{ID: stockhand.Installation})
	for _, o := range all {
		err = errors.Join(err, s.db.Audit(ctx, o.ID, entry))
	}
	return err
}
