package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/store/sqlc"
)

// CreateSignIn stores a sign-in with the keyed hash of its cookie. Of more than mostLive sign-ins the oldest end. The
// audit entry is for each of the person's organizations.
func (s System) CreateSignIn(ctx context.Context, i stockhand.SignIn, hash []byte, mostLive int,
	entry stockhand.AuditEntry) error {
	return s.db.write(ctx, "store the sign-in", func(q *sqlc.Queries) error {
		if rows, err := q.HoldActiveUser(ctx, string(i.User)); err != nil || rows == 0 {
			return touched("person", rows, err)
		}
		now := micros(i.Created)
		if err := q.ForgetSignIns(ctx, sqlc.ForgetSignInsParams{UserID: string(i.User), ExpiresAt: now}); err != nil {
			return err
		}
		live, err := q.SignInsOf(ctx, string(i.User))
		if err != nil {
			return err
		}
		oldest := live[min(mostLive-1, len(live)):]
		for _, id := range oldest {
			if _, err := q.DeleteSignIn(ctx, sqlc.DeleteSignInParams{UserID: string(i.User), ID: id}); err != nil {
				return err
			}
		}
		if err := insertSignIn(ctx, q, i, hash); err != nil {
			return err
		}
		if err := s.db.auditPerson(ctx, q, i.User, "", entry); err != nil || len(oldest) == 0 {
			return err
		}
		return q.RaiseAuthVersion(ctx)
	})
}

func insertSignIn(ctx context.Context, q *sqlc.Queries, i stockhand.SignIn, hash []byte) error {
	return q.InsertSignIn(ctx, sqlc.InsertSignInParams{ID: string(i.ID), UserID: string(i.User),
		Method: string(i.Method), Hash: hash, Address: text(i.Address), Browser: text(i.Browser),
		CreatedAt: micros(i.Created), ExpiresAt: micros(i.Expires)})
}

// SignIns lists up to limit (1–200, 0 for 50) of a user's sign-ins that have not expired at the given time, newest
// first, created before the sign-in with ID before; an empty ID starts at the newest.
func (s System) SignIns(ctx context.Context, of stockhand.UserID, before stockhand.SignInID, at time.Time,
	limit int) ([]stockhand.SignIn, error) {
	if before == "" {
		before = "sig_~" // sorts after every ID
	}
	rows, err := s.db.read.SignInsBefore(ctx, sqlc.SignInsBeforeParams{UserID: string(of), ID: string(before),
		ExpiresAt: micros(at), MaxRows: bounded(limit)})
	return many(s.db, "sign-ins", rows, err, signIn)
}

// EndSignIn ends a sign-in of the user. It returns NOT_FOUND when there is none with that ID.
func (s System) EndSignIn(ctx context.Context, of stockhand.UserID, id stockhand.SignInID,
	entry stockhand.AuditEntry) error {
	return s.db.write(ctx, "end the sign-in", func(q *sqlc.Queries) error {
		rows, err := q.DeleteSignIn(ctx, sqlc.DeleteSignInParams{UserID: string(of), ID: string(id)})
		if err := touched("sign-in", rows, err); err != nil {
			return err
		}
		return s.db.afterSignIns(ctx, q, of, entry)
	})
}

// EndSignIns ends the user's sign-ins but the spared one, which may be empty, and returns how many.
func (s System) EndSignIns(ctx context.Context, of stockhand.UserID, spared stockhand.SignInID,
	entry stockhand.AuditEntry) (ended int, err error) {
	err = s.db.write(ctx, "end the sign-ins", func(q *sqlc.Queries) error {
		rows, err := q.DeleteSignIns(ctx, sqlc.DeleteSignInsParams{UserID: string(of), Spared: string(spared)})
		if ended = int(rows); err != nil || rows == 0 {
			return err
		}
		return s.db.afterSignIns(ctx, q, of, entry)
	})
	return ended, err
}

// afterSignIns records a change of a person's sign-ins, and makes replicas look them up again.
func (db *DB) afterSignIns(ctx context.Context, q *sqlc.Queries, of stockhand.UserID,
	entry stockhand.AuditEntry) error {
	if err := db.auditPerson(ctx, q, of, "", entry); err != nil {
		return err
	}
	return q.RaiseAuthVersion(ctx)
}

// ProveSignIn records that the person of a sign-in proved again who they are.
func (s System) ProveSignIn(ctx context.Context, of stockhand.UserID, id stockhand.SignInID, at time.Time,
	entry stockhand.AuditEntry) error {
	return s.db.write(ctx, "store that the person proved who they are", func(q *sqlc.Queries) error {
		rows, err := q.ProveSignIn(ctx, sqlc.ProveSignInParams{UserID: string(of), ID: string(id),
			ProvenAt: micros(at)})
		if err := touched("sign-in", rows, err); err != nil {
			return err
		}
		return s.db.afterSignIns(ctx, q, of, entry)
	})
}

// NoteSignInUses stores when sign-ins were last used, as NoteTokenUses does for tokens.
func (s System) NoteSignInUses(ctx context.Context, all []stockhand.SignIn) error {
	return s.db.write(ctx, "store the last uses of sign-ins", func(q *sqlc.Queries) error {
		for _, i := range all {
			if err := q.TouchSignIn(ctx, sqlc.TouchSignInParams{UserID: string(i.User), ID: string(i.ID),
				At: micros(i.LastUsed)}); err != nil {
				return err
			}
		}
		return nil
	})
}

// SignInCredential finds a sign-in by the keyed hash of its cookie, with the user's organizations. It returns NOT_FOUND
// when there is none.
func (s System) SignInCredential(ctx context.Context, hash []byte) (stockhand.Credential, error) {
	row, err := s.db.read.SignInCredential(ctx, hash)
	if errors.Is(err, sql.ErrNoRows) {
		return stockhand.Credential{}, stockhand.Errorf(stockhand.CodeNotFound, "no such sign-in")
	}
	if err != nil {
		return stockhand.Credential{}, s.db.fail("look up a sign-in", err)
	}
	i := signIn(row.SignIn)
	orgs, err := s.Memberships(ctx, i.User)
	return stockhand.Credential{Hash: row.SignIn.Hash, Version: row.Version, SignIn: &i, Orgs: orgs}, err
}

// PutOneTime stores a one-time secret by its keyed hash. If it belongs to a person, it replaces their other secrets of
// that purpose, and the audit entry, unless it is empty, is for each of their organizations.
func (s System) PutOneTime(ctx context.Context, o stockhand.OneTime, hash []byte, entry stockhand.AuditEntry) error {
	return s.db.write(ctx, "store a one-time secret", func(q *sqlc.Queries) error {
		if err := q.ForgetOneTimeSecrets(ctx, micros(o.Created)); err != nil {
			return err
		}
		if err := forgetOneTimes(ctx, q, o.User, o.Purpose); err != nil {
			return err
		}
		data, err := object("a one-time secret", o.Data)
		if err != nil {
			return err
		}
		err = q.InsertOneTimeSecret(ctx, sqlc.InsertOneTimeSecretParams{Hash: hash, Purpose: o.Purpose,
			UserID: nullable(o.User), Data: data, CreatedAt: micros(o.Created), ExpiresAt: micros(o.Expires)})
		if err != nil || entry.Action == "" {
			return err
		}
		return s.db.auditPerson(ctx, q, o.User, "", entry)
	})
}

func forgetOneTimes(ctx context.Context, q *sqlc.Queries, of stockhand.UserID, purpose string) error {
	if of == "" {
		return nil
	}
	return q.ForgetOneTimesFor(ctx, sqlc.ForgetOneTimesForParams{UserID: nullable(of), Purpose: purpose})
}

// TakeOneTime returns a one-time secret that has not expired at the given time, and deletes it: of several calls at
// once, one gets it. It returns NOT_FOUND when there is none with that hash and purpose.
func (s System) TakeOneTime(ctx context.Context, purpose string, hash []byte, at time.Time) (o stockhand.OneTime,
	err error) {
	err = s.db.write(ctx, "use a one-time secret", func(q *sqlc.Queries) error {
		row, err := q.TakeOneTimeSecret(ctx, sqlc.TakeOneTimeSecretParams{Hash: hash, Purpose: purpose, At: micros(at)})
		if errors.Is(err, sql.ErrNoRows) {
			return stockhand.Errorf(stockhand.CodeNotFound, "no such one-time secret")
		}
		o = stockhand.OneTime{Purpose: row.Purpose, User: stockhand.UserID(row.UserID.String),
			Data: json.RawMessage(row.Data), Created: moment(row.CreatedAt), Expires: moment(row.ExpiresAt)}
		return err
	})
	return o, err
}

// Password returns the hash of a user's password, or "" if they have none.
func (s System) Password(ctx context.Context, of stockhand.UserID) (string, error) {
	hash, err := s.db.read.Password(ctx, string(of))
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return hash, s.db.fail("read the password", err)
}

// SetPassword stores the hash of a user's password and ends their other sign-ins and their unused links.
func (s System) SetPassword(ctx context.Context, of stockhand.UserID, hash string, spared stockhand.SignInID,
	entry stockhand.AuditEntry) error {
	return s.db.write(ctx, "store the password", func(q *sqlc.Queries) error {
		err := q.PutPassword(ctx, sqlc.PutPasswordParams{UserID: string(of), Hash: hash, ChangedAt: micros(entry.At)})
		if err != nil {
			return err
		}
		if err := q.ForgetOneTimesOf(ctx, nullable(of)); err != nil {
			return err
		}
		if _, err := q.DeleteSignIns(ctx, sqlc.DeleteSignInsParams{UserID: string(of),
			Spared: string(spared)}); err != nil {
			return err
		}
		return s.db.afterSignIns(ctx, q, of, entry)
	})
}

// AuditPerson appends an entry to the audit log of each of a user's organizations.
func (s System) AuditPerson(ctx context.Context, of stockhand.UserID, entry stockhand.AuditEntry) error {
	return s.db.write(ctx, "store the audit entry", func(q *sqlc.Queries) error {
		return s.db.auditPerson(ctx, q, of, "", entry)
	})
}

func signIn(row sqlc.SignIn) stockhand.SignIn {
	return stockhand.SignIn{
		ID: stockhand.SignInID(row.ID), User: stockhand.UserID(row.UserID), Method: stockhand.SignInMethod(row.Method),
		Address: row.Address, Browser: row.Browser, Created: moment(row.CreatedAt), Proven: moment(row.ProvenAt),
		LastUsed: moment(row.LastUsedAt), Expires: moment(row.ExpiresAt),
	}
}
