package store

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"math"
	"time"

	"github.com/pressly/goose/v3"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/store/sqlc"
)

// AuditEntries returns up to limit (1–200, 0 for 50) entries of the organization's audit log in order, after the entry
// with number after; 0 starts at the first. Entries are never changed or removed.
func (db *DB) AuditEntries(ctx context.Context, org stockhand.OrgID, after int64, limit int) ([]stockhand.AuditEntry,
	error) {
	rows, err := db.read.AuditEntriesAfter(ctx,
		sqlc.AuditEntriesAfterParams{OrgID: string(org), Seq: after, MaxRows: bounded(limit)})
	return many(db, "audit log", rows, err, auditEntry)
}

// AuditBefore returns up to limit (1–200, 0 for 50) entries of the organization's audit log, newest first, before the
// entry with number before; 0 starts at the newest. A non-empty action or draft filters the entries.
func (db *DB) AuditBefore(ctx context.Context, org stockhand.OrgID, action string, draft stockhand.DraftID,
	before int64, limit int) ([]stockhand.AuditEntry, error) {
	rows, err := db.read.AuditEntriesBefore(ctx, sqlc.AuditEntriesBeforeParams{
		OrgID: string(org), Seq: cmp.Or(before, math.MaxInt64), OfAction: action, OfDraft: string(draft),
		MaxRows: bounded(limit),
	})
	return many(db, "audit log", rows, err, auditEntry)
}

func auditEntry(row sqlc.AuditEntry) stockhand.AuditEntry {
	return stockhand.AuditEntry{
		Org: stockhand.OrgID(row.OrgID), Seq: row.Seq, At: moment(row.At), Actor: row.Actor, Action: row.Action,
		Draft:    stockhand.DraftID(row.DraftID),
		Document: stockhand.DocumentID(row.DocumentID), Version: row.Version, External: row.External,
		Detail:   json.RawMessage(row.Detail),
		Previous: row.Previous, Hash: row.Hash,
	}
}

// AuditHead returns the number and hash of the last entry as recorded when it was appended, or 0 and "" for an empty
// log.
func (db *DB) AuditHead(ctx context.Context, org stockhand.OrgID) (seq int64, hash string, err error) {
	row, err := db.read.AuditHead(ctx, string(org))
	if errors.Is(err, sql.ErrNoRows) {
		return 0, "", nil
	}
	return row.Seq, row.Hash, db.fail("read the end of the audit log", err)
}

// Setting returns the value of an organization's setting, or "" if it was never set.
func (db *DB) Setting(ctx context.Context, org stockhand.OrgID, name stockhand.Setting) (string, error) {
	value, err := db.read.SettingOf(ctx, sqlc.SettingOfParams{OrgID: string(org), Name: string(name)})
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return value, db.fail("read the setting "+string(name), err)
}

// ChangeSetting stores a setting and its audit entry.
func (db *DB) ChangeSetting(ctx context.Context, org stockhand.OrgID, name stockhand.Setting, value string,
	entry stockhand.AuditEntry) error {
	return db.write(ctx, "change the setting "+string(name), func(q *sqlc.Queries) error {
		err := q.PutSetting(ctx, sqlc.PutSettingParams{OrgID: string(org), Name: string(name), Value: text(value),
			UpdatedAt: micros(time.Now())})
		if err != nil {
			return err
		}
		return appendAudit(ctx, q, org, entry)
	})
}

// appendAudit appends an entry to the organization's hash chain, in the same transaction as the change that it records.
// It locks the end of the chain, so call it last.
func appendAudit(ctx context.Context, q *sqlc.Queries, org stockhand.OrgID, e stockhand.AuditEntry) error {
	if err := belongs(org, e.Org); err != nil {
		return err
	}
	detail, err := object("the detail of an audit entry", e.Detail)
	if err != nil {
		return err
	}
	head, err := q.ExtendAudit(ctx, string(org))
	if err != nil {
		return err
	}
	e.Org, e.Seq, e.Previous, e.At, e.Detail = org, head.Seq, head.Hash, moment(micros(e.At)), json.RawMessage(detail)
	e.Actor, e.Action, e.External = text(e.Actor), text(e.Action), text(e.External)
	e.Hash = e.Digest()
	err = q.InsertAuditEntry(ctx, sqlc.InsertAuditEntryParams{
		OrgID: string(e.Org), Seq: e.Seq, At: micros(e.At), Actor: e.Actor, Action: e.Action, DraftID: string(e.Draft),
		DocumentID: string(e.Document),
		Version:    e.Version, External: e.External, Detail: detail, Previous: e.Previous, Hash: e.Hash,
	})
	if err != nil {
		return err
	}
	return q.SetAuditHead(ctx, sqlc.SetAuditHeadParams{OrgID: string(org), Hash: e.Hash})
}

// auditGuard is migration 2. It adds triggers that make the database refuse to change or remove audit entries. It is Go
// code because the trigger syntax differs between the two databases.
func auditGuard(kind goose.Dialect) *goose.Migration {
	statements := []string{
		`CREATE TRIGGER audit_entries_are_not_changed BEFORE UPDATE ON audit_entries BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END`,
		`CREATE TRIGGER audit_entries_are_not_removed BEFORE DELETE ON audit_entries BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END`,
	}
	if kind == goose.DialectPostgres {
		statements = []string{
			`CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'the audit log is append-only'; END $$`,
			`CREATE TRIGGER audit_entries_are_not_changed BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_entries
			 FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change()`,
		}
	}
	return goose.NewGoMigration(2, &goose.GoFunc{RunTx: func(ctx context.Context, tx *sql.Tx) error {
		for _, s := range statements {
			if _, err := tx.ExecContext(ctx, s); err != nil {
				return err
			}
		}
		return nil
	}}, nil)
}
