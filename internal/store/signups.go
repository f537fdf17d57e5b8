package store

import (
	"context"
	"errors"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/store/sqlc"
)

// errNoSignUp rolls a sign-up back.
var errNoSignUp = errors.New("no sign-up")

// SignUp stores an account that a person creates by accepting an invitation: the user, the membership and the sign-in,
// with the entries joined and signedIn in the organization's log and created in the installation's. It reports false,
// and stores nothing, if the invitation is no longer pending or a user has its email. CONFLICT if the organization is
// at its limit.
func (s System) SignUp(ctx context.Context, u stockhand.SignUp, most stockhand.MemberLimits,
	created, joined, signedIn stockhand.AuditEntry) (done bool, err error) {
	i := u.Invitation
	err = s.db.write(ctx, "store the account", func(q *sqlc.Queries) error {
		err := endInvitation(ctx, q, i.Org, i.ID, joined.At, stockhand.InvitationAccepted)
		if stockhand.CodeOf(err) == stockhand.CodeConflict {
			return errNoSignUp
		}
		if err != nil {
			return err
		}
		row, made, err := userOf(ctx, q, u.User)
		if err == nil && !made {
			return errNoSignUp
		}
		if err != nil {
			return err
		}
		if err := s.db.appendAudit(ctx, q, stockhand.Installation, created); err != nil {
			return err
		}
		if _, err := s.db.join(ctx, q, i.Org, row, i.Role, most, joined); err != nil {
			return err
		}
		if u.Password != "" {
			if err := q.PutPassword(ctx, sqlc.PutPasswordParams{UserID: row.ID, Hash: u.Password,
				ChangedAt: micros(joined.At)}); err != nil {
				return err
			}
		}
		if err := insertSignIn(ctx, q, u.SignIn, u.Cookie); err != nil {
			return err
		}
		return s.db.appendAudit(ctx, q, i.Org, signedIn)
	})
	if errors.Is(err, errNoSignUp) {
		return false, nil
	}
	return err == nil, err
}

// ProveEmail records that a user's email is theirs. The first time, everything goes by which anyone signed in as them
// before: the account was created with nothing but an invitation's token. They have no home organization until they
// choose one. It does nothing if the email is proven.
func (s System) ProveEmail(ctx context.Context, of stockhand.UserID, at time.Time, by string) error {
	return s.db.write(ctx, "store that the email is proven", func(q *sqlc.Queries) error {
		return s.db.proveEmail(ctx, q, of, at, by)
	})
}

func (db *DB) proveEmail(ctx context.Context, q *sqlc.Queries, of stockhand.UserID, at time.Time, by string) error {
	id := string(of)
	rows, err := q.ProveEmail(ctx, sqlc.ProveEmailParams{ID: id, At: micros(at)})
	if err != nil || rows == 0 {
		return err
	}
	for _, forget := range []func() error{
		func() error { return q.ForgetPassword(ctx, id) },
		func() error { return q.ForgetPasskeys(ctx, id) },
		func() error { return q.ForgetIdentities(ctx, id) },
		func() error { return q.ForgetRecoveryCodes(ctx, id) },
		func() error { _, err := q.RemoveSecondFactor(ctx, id); return err },
		func() error { return q.ForgetOneTimesOf(ctx, nullable(of)) },
		func() error { _, err := q.DeleteSignIns(ctx, sqlc.DeleteSignInsParams{UserID: id}); return err },
		func() error { return q.RevokeUserTokens(ctx, sqlc.RevokeUserTokensParams{UserID: id, At: micros(at)}) },
		func() error { return q.LeaveHome(ctx, id) },
	} {
		if err := forget(); err != nil {
			return err
		}
	}
	entry := stockhand.AuditEntry{At: at, Actor: "user:" + id, Action: "person.email_proven",
		Detail: []byte(`{"by":"` + by + `"}`)}
	if err := db.auditPerson(ctx, q, of, "", entry); err != nil {
		return err
	}
	return q.RaiseAuthVersion(ctx)
}
