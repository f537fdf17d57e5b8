package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/store/content"
	"github.com/stockhand/stockhand/internal/store/datakey"
	"github.com/stockhand/stockhand/internal/store/sqlc"
)

// ErrErased is the error of reading and storing contents of an organization that was erased.
var ErrErased = datakey.ErrErased

// KeyContents sets what data keys are sealed with, and whether the contents of organizations that have none yet are to
// be encrypted; see [datakey.Keys.Use]. Call it once, before contents are read.
func (s System) KeyContents(sealer datakey.Sealer, encrypt bool) { s.db.keys.Use(sealer, encrypt) }

// writeContent is write for a transaction that stores contents of the organization.
func (db *DB) writeContent(ctx context.Context, doing string, org stockhand.OrgID,
	fn func(q *sqlc.Queries, key *content.Key) error) error {
	return db.keys.Transact(ctx, doing, org,
		func(tx *sql.Tx, key *content.Key) error { return fn(sqlc.New(tx), key) })
}

// openOne is one for a row with contents.
func openOne[R, T any](ctx context.Context, db *DB, what string, row R, err error,
	convert func(*datakey.Opener, R) T) (T, error) {
	o := db.keys.Opener(ctx)
	got, err := one(db, what, row, err, func(row R) T { return convert(o, row) })
	if err == nil && o.Err() != nil {
		var none T
		return none, db.fail("read the "+what, o.Err())
	}
	return got, err
}

// openMany is many for rows with contents.
func openMany[R, T any](ctx context.Context, db *DB, what string, rows []R, err error,
	convert func(*datakey.Opener, R) T) ([]T, error) {
	o := db.keys.Opener(ctx)
	all, err := many(db, what, rows, err, func(row R) T { return convert(o, row) })
	if err == nil && o.Err() != nil {
		return nil, db.fail("read the "+what, o.Err())
	}
	return all, err
}

// EncryptContents encrypts what an organization stored unencrypted; see [datakey.Keys.Encrypt].
func (db *DB) EncryptContents(ctx context.Context, org stockhand.OrgID, progress func(rows int)) error {
	return db.keys.Encrypt(ctx, org, progress)
}

// ResealDataKey encrypts an organization's data key with the sealer's current key, and reports whether it was encrypted
// with another. What the organization stored stays as it is.
func (db *DB) ResealDataKey(ctx context.Context, org stockhand.OrgID) (changed bool, err error) {
	return db.keys.Reseal(ctx, org)
}

// EraseContents destroys the key of an organization's contents, for good, with an audit entry: the text of its
// messages, results and drafts can then be read nowhere, neither in a copy of the database without its keys. It
// encrypts first what is not yet encrypted, deletes the measures and the request log, and cancels the unfinished runs.
// It returns CONFLICT if encrypting is not switched on, or while confirmed documents are being written.
func (db *DB) EraseContents(ctx context.Context, org stockhand.OrgID, entry stockhand.AuditEntry) error {
	if err := db.EncryptContents(ctx, org, nil); err != nil {
		return err
	}
	return db.write(ctx, "erase the organization's data", func(q *sqlc.Queries) error {
		if _, err := q.HoldAuditHead(ctx, string(org)); err != nil && !errors.Is(err, sql.ErrNoRows) {
			return err // it orders this against confirmations: see standing
		}
		begun, err := q.CountBegunDocuments(ctx, string(org))
		if err != nil {
			return err
		}
		if begun > 0 {
			return errBeingWritten
		}
		ids, err := q.UnfinishedRunsOf(ctx, string(org))
		if err != nil {
			return err
		}
		if err := errors.Join(q.DeleteMeasures(ctx, string(org)), q.DeleteRequests(ctx, string(org))); err != nil {
			return err
		}
		at := time.Now()
		if _, err := cancelRuns(ctx, q, org, ids, at); err != nil {
			return err
		}
		rows, err := q.EraseDataKey(ctx, sqlc.EraseDataKeyParams{OrgID: string(org), Empty: []byte{}, At: micros(at)})
		if err := touched("data key", rows, err); err != nil { // another one has just erased it
			return err
		}
		return db.appendAudit(ctx, q, org, entry)
	})
}

var errBeingWritten = &stockhand.Error{Code: stockhand.CodeConflict,
	Message: "confirmed documents are being written", Hint: "try again when they are finished",
	RU: stockhand.Words{Message: "подтверждённые документы ещё записываются",
		Hint: "повторите, когда запись закончится"}}
