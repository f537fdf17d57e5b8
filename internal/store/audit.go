package store

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"math"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/store/sqlc"
)

// AuditEntries returns up to limit (1–200, 0 for 50) entries of the organization's audit log in order, after the entry
// with number after; 0 starts at the first.
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
		return db.appendAudit(ctx, q, org, entry)
	})
}

// Audit appends entries about events that change nothing in the database, such as reads. The organization may be
// [stockhand.Installation].
func (db *DB) Audit(ctx context.Context, org stockhand.OrgID, entries ...stockhand.AuditEntry) error {
	return db.write(ctx, "extend the audit log",
		func(q *sqlc.Queries) error { return db.appendAudit(ctx, q, org, entries...) })
}

// KeyAudit sets the key of the audit log's hashes. Call it once, before the first entry is written.
func (s System) KeyAudit(key []byte) { s.db.auditKey = key }

// appendAudit appends entries to the organization's hash chain, in the same transaction as the change that they record.
// It locks the end of the chain, so call it last.
func (db *DB) appendAudit(ctx context.Context, q *sqlc.Queries, org stockhand.OrgID,
	entries ...stockhand.AuditEntry) error {
	if len(entries) == 0 {
		return nil
	}
	var details []string
	for _, e := range entries {
		detail, err := object("the detail of an audit entry", e.Detail)
		if err := cmp.Or(belongs(org, e.Org), err); err != nil {
			return err
		}
		details = append(details, detail)
	}
	head, err := q.ExtendAudit(ctx, sqlc.ExtendAuditParams{OrgID: string(org), Entries: int64(len(entries))})
	if err != nil {
		return err
	}
	previous := head.Hash
	for i, e := range entries {
		e.Org, e.Seq, e.Previous = org, head.Seq-int64(len(entries)-1-i), previous
		e.At, e.Detail = moment(micros(e.At)), json.RawMessage(details[i])
		e.Actor, e.Action, e.External = text(e.Actor), text(e.Action), text(e.External)
		e.Hash = e.Digest(db.auditKey)
		previous = e.Hash
		err := q.InsertAuditEntry(ctx, sqlc.InsertAuditEntryParams{
			OrgID: string(e.Org), Seq: e.Seq, At: micros(e.At), Actor: e.Actor, Action: e.Action,
			DraftID: string(e.Draft), DocumentID: string(e.Document), Version: e.Version, External: e.External,
			Detail: details[i], Previous: e.Previous, Hash: e.Hash,
		})
		if err != nil {
			return err
		}
	}
	return q.SetAuditHead(ctx, sqlc.SetAuditHeadParams{OrgID: string(org), Hash: previous})
}

// mostTrimmed limits the audit entries that one call removes.
const mostTrimmed = 10_000

// TrimAudit removes the oldest entries of the organization's audit log, up to the first that is not older than before,
// and appends the entry, whose action and detail it sets, as an anchor: the rest stays verifiable. Entries that one of
// the sinks does not have yet remain. One call removes at most 10,000 entries; it returns how many.
func (db *DB) TrimAudit(ctx context.Context, org stockhand.OrgID, before time.Time, entry stockhand.AuditEntry,
	sinks ...string) (removed int64, err error) {
	err = db.write(ctx, "trim the audit log", func(q *sqlc.Queries) error {
		removed = 0
		head, err := q.HoldAuditHead(ctx, string(org))
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		through := min(head.Seq, head.Trimmed+mostTrimmed)
		for _, sink := range sinks {
			sent, err := q.AuditPosition(ctx, sqlc.AuditPositionParams{OrgID: string(org), Sink: sink})
			if err != nil && !errors.Is(err, sql.ErrNoRows) { // a sink without a position has nothing
				return err
			}
			through = min(through, sent)
		}
		first, err := q.FirstAuditEntrySince(ctx, sqlc.FirstAuditEntrySinceParams{OrgID: string(org),
			Seq: head.Trimmed, Through: through, At: micros(before)})
		if err == nil {
			through = first - 1
		} else if !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		if through <= head.Trimmed {
			return nil
		}
		hash, err := q.AuditHash(ctx, sqlc.AuditHashParams{OrgID: string(org), Seq: through})
		if err != nil {
			return err
		}
		entry.Action = stockhand.AuditTrimmed
		entry.Detail, err = json.Marshal(stockhand.AuditAnchor{Through: through, Hash: hash})
		if err := cmp.Or(err, db.appendAudit(ctx, q, org, entry)); err != nil {
			return err
		}
		if err := q.SetAuditTrimmed(ctx, sqlc.SetAuditTrimmedParams{OrgID: string(org), Trimmed: through}); err != nil {
			return err
		}
		removed, err = q.TrimAudit(ctx, sqlc.TrimAuditParams{OrgID: string(org), Seq: through})
		return err
	})
	return removed, err
}

// AuditBacklogs returns the audit logs with entries that were not sent to the sink.
func (s System) AuditBacklogs(ctx context.Context, sink string) ([]stockhand.AuditBacklog, error) {
	rows, err := s.db.read.AuditBacklogs(ctx, sink)
	return many(s.db, "positions in the audit log", rows, err, func(r sqlc.AuditBacklogsRow) stockhand.AuditBacklog {
		return stockhand.AuditBacklog{Org: stockhand.OrgID(r.OrgID), Head: r.Head, Sent: r.Sent}
	})
}

// MoveAuditPosition stores that the sink has the organization's entries up to seq.
func (s System) MoveAuditPosition(ctx context.Context, sink string, org stockhand.OrgID, seq int64) error {
	return s.db.write(ctx, "move the position in the audit log", func(q *sqlc.Queries) error {
		return q.MoveAuditPosition(ctx, sqlc.MoveAuditPositionParams{Sink: sink, OrgID: string(org), Seq: seq})
	})
}
