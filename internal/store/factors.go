package store

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/store/sqlc"
)

// SecondFactor returns a user's second factor, or the zero value if they have none.
func (s System) SecondFactor(ctx context.Context, of stockhand.UserID) (stockhand.SecondFactor, error) {
	row, err := s.db.read.SecondFactor(ctx, string(of))
	if errors.Is(err, sql.ErrNoRows) {
		return stockhand.SecondFactor{}, nil
	}
	if err != nil {
		return stockhand.SecondFactor{}, s.db.fail("read the second factor", err)
	}
	left, err := s.db.read.CountRecoveryCodes(ctx, string(of))
	return stockhand.SecondFactor{Nonce: row.Nonce, Confirmed: moment(row.ConfirmedAt), RecoveryCodes: int(left)},
		s.db.fail("count recovery codes", err)
}

// PutSecondFactor stores a second factor that is not confirmed. It returns CONFLICT when the user has a confirmed one.
func (s System) PutSecondFactor(ctx context.Context, of stockhand.UserID, nonce string) error {
	return s.db.write(ctx, "store the second factor", func(q *sqlc.Queries) error {
		rows, err := q.PutSecondFactor(ctx, sqlc.PutSecondFactorParams{UserID: string(of), Nonce: nonce})
		if err == nil && rows == 0 {
			return stockhand.Errorf(stockhand.CodeConflict, "you already have a second factor").
				WithHint("remove it first")
		}
		return err
	})
}

// ConfirmSecondFactor confirms a user's second factor and replaces their recovery codes, given by their keyed hashes.
// It returns CONFLICT when there is none with that nonce to confirm.
func (s System) ConfirmSecondFactor(ctx context.Context, of stockhand.UserID, nonce string, at time.Time,
	codes [][]byte, entry stockhand.AuditEntry) error {
	return s.db.write(ctx, "confirm the second factor", func(q *sqlc.Queries) error {
		rows, err := q.ConfirmSecondFactor(ctx,
			sqlc.ConfirmSecondFactorParams{UserID: string(of), Nonce: nonce, ConfirmedAt: micros(at)})
		if err == nil && rows == 0 {
			return stockhand.Errorf(stockhand.CodeConflict, "there is no second factor to confirm").
				WithHint("start with POST /api/v1/me/second-factor")
		}
		if err != nil {
			return err
		}
		return s.db.replaceCodes(ctx, q, of, codes, entry)
	})
}

// PutRecoveryCodes replaces a user's recovery codes.
func (s System) PutRecoveryCodes(ctx context.Context, of stockhand.UserID, codes [][]byte,
	entry stockhand.AuditEntry) error {
	return s.db.write(ctx, "store recovery codes", func(q *sqlc.Queries) error {
		return s.db.replaceCodes(ctx, q, of, codes, entry)
	})
}

func (db *DB) replaceCodes(ctx context.Context, q *sqlc.Queries, of stockhand.UserID, codes [][]byte,
	entry stockhand.AuditEntry) error {
	if err := q.ForgetRecoveryCodes(ctx, string(of)); err != nil {
		return err
	}
	for _, hash := range codes {
		if err := q.InsertRecoveryCode(ctx, sqlc.InsertRecoveryCodeParams{UserID: string(of), Hash: hash}); err != nil {
			return err
		}
	}
	return db.auditPerson(ctx, q, of, "", entry)
}

// UseSecondFactor records the time step of an accepted code, and reports whether it is later than that of every code
// accepted before.
func (s System) UseSecondFactor(ctx context.Context, of stockhand.UserID, nonce string, step int64) (first bool,
	err error) {
	err = s.db.write(ctx, "use a one-time code", func(q *sqlc.Queries) error {
		rows, err := q.UseSecondFactor(ctx,
			sqlc.UseSecondFactorParams{UserID: string(of), Nonce: nonce, Step: step})
		first = rows == 1
		return err
	})
	return first, err
}

// UseRecoveryCode uses up a recovery code, and reports whether the user had it.
func (s System) UseRecoveryCode(ctx context.Context, of stockhand.UserID, hash []byte,
	entry stockhand.AuditEntry) (had bool, err error) {
	err = s.db.write(ctx, "use a recovery code", func(q *sqlc.Queries) error {
		rows, err := q.UseRecoveryCode(ctx, sqlc.UseRecoveryCodeParams{UserID: string(of), Hash: hash})
		if had = rows == 1; !had || err != nil {
			return err
		}
		return s.db.auditPerson(ctx, q, of, "", entry)
	})
	return had, err
}

// RemoveSecondFactor removes a user's second factor and recovery codes. It returns NOT_FOUND when they have none.
func (s System) RemoveSecondFactor(ctx context.Context, of stockhand.UserID, entry stockhand.AuditEntry) error {
	return s.db.write(ctx, "remove the second factor", func(q *sqlc.Queries) error {
		rows, err := q.RemoveSecondFactor(ctx, string(of))
		if err := touched("second factor", rows, err); err != nil {
			return err
		}
		return s.db.replaceCodes(ctx, q, of, nil, entry)
	})
}

// Identity returns the user of an account at an OpenID provider, or "" if none is linked to it.
func (s System) Identity(ctx context.Context, issuer, subject string) (stockhand.UserID, error) {
	of, err := s.db.read.Identity(ctx, sqlc.IdentityParams{Issuer: issuer, Subject: text(subject)})
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return stockhand.UserID(of), s.db.fail("read the identity", err)
}

// LinkIdentity links an account at an OpenID provider to the user with the email of u, who is created if there is none,
// and returns the user's ID. The provider has proven the email: see [System.ProveEmail]. The audit entry is for each of
// the user's organizations.
func (s System) LinkIdentity(ctx context.Context, issuer, subject string, u stockhand.User,
	entry stockhand.AuditEntry) (of stockhand.UserID, err error) {
	err = s.db.write(ctx, "link the identity", func(q *sqlc.Queries) error {
		row, _, err := userOf(ctx, q, u)
		if err != nil {
			return err
		}
		of = stockhand.UserID(row.ID)
		if err := s.db.proveEmail(ctx, q, of, u.Created, entry.Action); err != nil { // before the identity is theirs
			return err
		}
		rows, err := q.InsertIdentity(ctx, sqlc.InsertIdentityParams{
			ID: string(stockhand.NewID[stockhand.IdentityID]("idn")), Issuer: issuer, Subject: text(subject),
			UserID: row.ID, CreatedAt: micros(u.Created)})
		if err == nil && rows == 0 {
			return stockhand.Errorf(stockhand.CodeConflict, "the identity was linked meanwhile").
				WithHint("sign in again")
		}
		if err != nil {
			return err
		}
		entry.Actor = "user:" + row.ID
		return s.db.auditPerson(ctx, q, of, "", entry)
	})
	return of, err
}

// Identities returns a user's accounts at OpenID providers, newest first.
func (s System) Identities(ctx context.Context, of stockhand.UserID) ([]stockhand.Identity, error) {
	rows, err := s.db.read.Identities(ctx, string(of))
	return many(s.db, "identities", rows, err, func(row sqlc.Identity) stockhand.Identity {
		return stockhand.Identity{ID: stockhand.IdentityID(row.ID), User: stockhand.UserID(row.UserID),
			Issuer: row.Issuer, Subject: row.Subject, Created: moment(row.CreatedAt)}
	})
}

// RemoveIdentity unlinks an account at an OpenID provider from a user. It returns NOT_FOUND when there is none with
// that ID and, unless ways is nil, CONFLICT when the user could then sign in in none of the ways.
func (s System) RemoveIdentity(ctx context.Context, of stockhand.UserID, id stockhand.IdentityID,
	ways *stockhand.SignInWays, entry stockhand.AuditEntry) error {
	return s.db.removeWay(ctx, of, "identity", ways, entry, func(q *sqlc.Queries) (int64, error) {
		return q.DeleteIdentity(ctx, sqlc.DeleteIdentityParams{UserID: string(of), ID: string(id)})
	})
}

// removeWay removes a way to sign in. The user's row is locked, so that of two requests at once one sees what the
// other leaves.
func (db *DB) removeWay(ctx context.Context, of stockhand.UserID, what string, ways *stockhand.SignInWays,
	entry stockhand.AuditEntry, remove func(q *sqlc.Queries) (int64, error)) error {
	return db.write(ctx, "remove the "+what, func(q *sqlc.Queries) error {
		if rows, err := q.HoldUser(ctx, string(of)); err != nil || rows == 0 {
			return touched("person", rows, err)
		}
		rows, err := remove(q)
		if err := touched(what, rows, err); err != nil {
			return err
		}
		if ways != nil {
			if err := keepsWay(ctx, q, of, *ways); err != nil {
				return err
			}
		}
		return db.auditPerson(ctx, q, of, "", entry)
	})
}

// keepsWay returns CONFLICT if a user can sign in in none of the ways and has no password.
func keepsWay(ctx context.Context, q *sqlc.Queries, of stockhand.UserID, ways stockhand.SignInWays) error {
	_, err := q.Password(ctx, string(of))
	if !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	if ways.Passkeys {
		if all, err := q.Passkeys(ctx, string(of)); err != nil || len(all) > 0 {
			return err
		}
	}
	all, err := q.Identities(ctx, string(of))
	if err != nil {
		return err
	}
	if slices.ContainsFunc(all, func(i sqlc.Identity) bool { return i.Issuer == ways.Issuer }) {
		return nil
	}
	return &stockhand.Error{Code: stockhand.CodeConflict, Message: "this is your last way to sign in",
		Hint: "set a password or add another passkey first",
		RU: stockhand.Words{Message: "это ваш последний способ входа",
			Hint: "сначала задайте пароль или добавьте другой ключ входа"}}
}
