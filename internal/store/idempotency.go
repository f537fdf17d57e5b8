package store

import (
	"context"
	"encoding/json"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/store/content"
	"github.com/stockhand/stockhand/internal/store/datakey"
	"github.com/stockhand/stockhand/internal/store/sqlc"
)

// The methods in this file take an organization like all others. For requests outside any organization, it is the ID of
// the user.

// ClaimAnswer claims an idempotency key for a request that is about to run. If it wins, it returns the claim to pass to
// [DB.RenewAnswer], [DB.KeepAnswer] or [DB.DropAnswer]; otherwise it returns the claim or answer of the earlier
// request. What has expired at the time now is ignored. An unanswered claim for the same request that was last renewed
// before abandoned is taken over. It returns RATE_LIMITED for a new key of an actor who has that many already that
// expire.
func (db *DB) ClaimAnswer(ctx context.Context, org stockhand.OrgID, a stockhand.IdempotencyRecord, now,
	abandoned time.Time, most int) (held stockhand.IdempotencyRecord, won bool, err error) {
	a.Claimed = now.UTC().Truncate(time.Microsecond)
	var earlier sqlc.Idempotency
	err = db.write(ctx, "claim the idempotency key", func(q *sqlc.Queries) error {
		rows, err := q.ClaimAnswer(ctx, sqlc.ClaimAnswerParams{
			OrgID: string(org), CreatedBy: a.By, ID: text(a.Key), Fingerprint: a.Fingerprint,
			Now: a.Claimed.UnixMicro(), Expires: maybeMicros(a.Expires), Abandoned: abandoned.UnixMicro(),
		})
		if won = rows == 1; won || err != nil {
			held = a
			if err != nil {
				return err
			}
			keys, err := q.CountAnswers(ctx, sqlc.CountAnswersParams{OrgID: string(org), CreatedBy: a.By,
				MaxRows: int64(most) + 1})
			if err == nil && keys > int64(most) {
				err = errTooManyKeys
			}
			return err
		}
		earlier, err = q.IdempotencyRecord(ctx,
			sqlc.IdempotencyRecordParams{OrgID: string(org), CreatedBy: a.By, ID: text(a.Key)})
		return err
	})
	if err == nil && !won {
		held, err = openOne(ctx, db, "first answer", earlier, nil, idempotencyRecord)
	}
	return held, won, err
}

var errTooManyKeys = &stockhand.Error{Code: stockhand.CodeRateLimited, RetryAfter: time.Hour,
	Message: "too many Idempotency-Keys whose answers are still stored",
	Hint:    "Send requests that need no retry without a key.",
	RU: stockhand.Words{Message: "слишком много Idempotency-Key, ответы на которые ещё хранятся",
		Hint: "Запросы, которые не нужно повторять, отправляйте без ключа."}}

// RenewAnswer extends the claim of a request that is still running, and returns the new claim. It returns CONFLICT when
// another request took over the claim.
func (db *DB) RenewAnswer(ctx context.Context, org stockhand.OrgID, a stockhand.IdempotencyRecord) (
	stockhand.IdempotencyRecord,
	error) {
	now := time.Now().UTC().Truncate(time.Microsecond)
	err := db.write(ctx, "renew the idempotency key", func(q *sqlc.Queries) error {
		rows, err := q.RenewAnswer(ctx, sqlc.RenewAnswerParams{
			OrgID: string(org), CreatedBy: a.By, ID: text(a.Key), Claimed: a.Claimed.UnixMicro(), Now: now.UnixMicro(),
		})
		return takenOver(rows, err)
	})
	if err == nil {
		a.Claimed = now
	}
	return a, err
}

// KeepAnswer stores the response of a request. It returns CONFLICT when another request took over the claim.
func (db *DB) KeepAnswer(ctx context.Context, org stockhand.OrgID, a stockhand.IdempotencyRecord) error {
	return db.writeContent(ctx, "store the first answer", org, func(q *sqlc.Queries, key *content.Key) error {
		rows, err := q.KeepAnswer(ctx, sqlc.KeepAnswerParams{
			OrgID: string(org), CreatedBy: a.By, ID: text(a.Key), Claimed: a.Claimed.UnixMicro(),
			Status: int64(a.Status), Header: string(a.Header), Expires: maybeMicros(a.Expires),
			Body: key.Seal(a.Body, "idempotency.body", a.By, text(a.Key)),
		})
		return takenOver(rows, err)
	})
}

// DropAnswer releases the key of a request that failed through no fault of the caller. It returns CONFLICT when another
// request took over the claim.
func (db *DB) DropAnswer(ctx context.Context, org stockhand.OrgID, a stockhand.IdempotencyRecord) error {
	return db.write(ctx, "release the idempotency key", func(q *sqlc.Queries) error {
		rows, err := q.DropAnswer(ctx, sqlc.DropAnswerParams{
			OrgID: string(org), CreatedBy: a.By, ID: text(a.Key), Claimed: a.Claimed.UnixMicro(),
		})
		return takenOver(rows, err)
	})
}

// ForgetExpired deletes one batch of the answers that have expired at the time now, and one of the attempts that no
// longer count, and returns whether there may be more.
func (s System) ForgetExpired(ctx context.Context, now time.Time) (more bool, err error) {
	err = s.db.write(ctx, "delete what has expired", func(q *sqlc.Queries) error {
		answers, err := q.ForgetAnswers(ctx, sqlc.ForgetAnswersParams{Now: micros(now), MaxRows: batch})
		if err != nil {
			return err
		}
		attempts, err := q.ForgetAttempts(ctx, sqlc.ForgetAttemptsParams{Now: micros(now), MaxRows: batch})
		more = answers == batch || attempts == batch
		return err
	})
	return more, err
}

// takenOver returns CONFLICT if a conditional update matched no row.
func takenOver(rows int64, err error) error {
	if err == nil && rows == 0 {
		return stockhand.Errorf(stockhand.CodeConflict, "another request took over this idempotency key")
	}
	return err
}

func idempotencyRecord(o *datakey.Opener, row sqlc.Idempotency) stockhand.IdempotencyRecord {
	return stockhand.IdempotencyRecord{
		By: row.CreatedBy, Key: row.ID, Fingerprint: row.Fingerprint, Status: int(row.Status),
		Header: json.RawMessage(row.Header),
		Body:   o.Open(row.OrgID, row.Body, "idempotency.body", row.CreatedBy, row.ID), Claimed: moment(row.CreatedAt),
		Expires: moment(row.ExpiresAt),
	}
}
