// Package reports stores the questions that organizations keep; see internal/reports.
package reports

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/store/content"
	"github.com/stockhand/stockhand/internal/store/database"
	"github.com/stockhand/stockhand/internal/store/datakey"
	"github.com/stockhand/stockhand/internal/store/sqlc"
)

// Store stores the reports of all organizations. Its methods are safe for concurrent use.
type Store struct {
	base  *database.DB
	read  *sqlc.Queries
	keys  *datakey.Keys
	audit Audit
}

// Audit appends entries to an organization's audit log in the transaction of a change, and orders those who change
// something at once.
type Audit func(ctx context.Context, q *sqlc.Queries, org stockhand.OrgID, entries ...stockhand.AuditEntry) error

// New returns the store of a database.
func New(base *database.DB, keys *datakey.Keys, audit Audit) *Store {
	return &Store{base: base, read: sqlc.New(base.Reader()), keys: keys, audit: audit}
}

// column is where bodies are; see [content.Key.Seal].
const column = "reports.body"

// Reports returns the organization's reports, the oldest first.
func (s *Store) Reports(ctx context.Context, org stockhand.OrgID) ([]stockhand.StoredReport, error) {
	rows, err := s.read.Reports(ctx, string(org))
	if err != nil {
		return nil, s.base.Fail("read the reports", err)
	}
	opener := s.keys.Opener(ctx)
	all := make([]stockhand.StoredReport, len(rows))
	for i, r := range rows {
		all[i] = report(opener, r)
	}
	return all, s.base.Fail("read the reports", opener.Err())
}

// Report returns a report.
func (s *Store) Report(ctx context.Context, org stockhand.OrgID, id stockhand.ReportID) (stockhand.StoredReport,
	error) {
	row, err := s.read.Report(ctx, sqlc.ReportParams{OrgID: string(org), ID: string(id)})
	if errors.Is(err, sql.ErrNoRows) {
		return stockhand.StoredReport{}, missing()
	}
	if err != nil {
		return stockhand.StoredReport{}, s.base.Fail("read the report", err)
	}
	opener := s.keys.Opener(ctx)
	r := report(opener, row)
	return r, s.base.Fail("read the report", opener.Err())
}

func report(o *datakey.Opener, r sqlc.Report) stockhand.StoredReport {
	return stockhand.StoredReport{ID: stockhand.ReportID(r.ID), Connection: stockhand.ConnectionID(r.ConnectionID),
		Body: o.Open(r.OrgID, r.Body, column, r.ID), By: r.CreatedBy, Created: time.UnixMicro(r.CreatedAt).UTC()}
}

// AddReport stores a new report and its audit entry. It returns CONFLICT if the organization has most reports.
func (s *Store) AddReport(ctx context.Context, org stockhand.OrgID, r stockhand.StoredReport, most int,
	entry stockhand.AuditEntry) error {
	return s.change(ctx, "store the report", org, entry, func(q *sqlc.Queries, key *content.Key) error {
		all, err := q.Reports(ctx, string(org))
		if err == nil && len(all) >= most {
			err = full(most)
		}
		if err != nil {
			return err
		}
		return q.InsertReport(ctx, sqlc.InsertReportParams{OrgID: string(org), ID: string(r.ID),
			ConnectionID: string(r.Connection), Body: key.Seal(r.Body, column, string(r.ID)), CreatedBy: r.By,
			CreatedAt: r.Created.UnixMicro()})
	})
}

// PutReport changes the body of a report and stores the audit entry.
func (s *Store) PutReport(ctx context.Context, org stockhand.OrgID, id stockhand.ReportID, body []byte,
	entry stockhand.AuditEntry) error {
	return s.change(ctx, "change the report", org, entry, func(q *sqlc.Queries, key *content.Key) error {
		rows, err := q.PutReportBody(ctx, sqlc.PutReportBodyParams{OrgID: string(org), ID: string(id),
			Body: key.Seal(body, column, string(id))})
		return touched(rows, err)
	})
}

// DeleteReport deletes a report and stores the audit entry.
func (s *Store) DeleteReport(ctx context.Context, org stockhand.OrgID, id stockhand.ReportID,
	entry stockhand.AuditEntry) error {
	return s.change(ctx, "delete the report", org, entry, func(q *sqlc.Queries, _ *content.Key) error {
		return touched(q.DeleteReport(ctx, sqlc.DeleteReportParams{OrgID: string(org), ID: string(id)}))
	})
}

func (s *Store) change(ctx context.Context, doing string, org stockhand.OrgID, entry stockhand.AuditEntry,
	change func(q *sqlc.Queries, key *content.Key) error) error {
	return s.keys.Transact(ctx, doing, org, func(tx *sql.Tx, key *content.Key) error {
		q := sqlc.New(tx)
		if err := s.audit(ctx, q, org, entry); err != nil { // first: its lock orders those who change them at once
			return err
		}
		return change(q, key)
	})
}

func touched(rows int64, err error) error {
	if err == nil && rows == 0 {
		return missing()
	}
	return err
}

// missing does not reveal whether another organization has the report.
func missing() error {
	return stockhand.Errorf(stockhand.CodeNotFound, "no such report in this organization")
}

func full(most int) error {
	return stockhand.Errorf(stockhand.CodeConflict, "the organization has %d reports, which is the most it may", most).
		WithHint("Delete one that is not used.")
}
