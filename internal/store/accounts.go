package store

import (
	"context"
	"errors"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/store/sqlc"
)

// MemberTokens lists up to limit (1–200, 0 for 50) tokens of members that act in the organization at the given time,
// newest first, created before the token with ID before; an empty ID starts at the newest.
func (db *DB) MemberTokens(ctx context.Context, org stockhand.OrgID, before stockhand.TokenID, at time.Time,
	limit int) ([]stockhand.MemberToken, error) {
	if before == "" {
		before = "tok_~" // sorts after every ID
	}
	rows, err := db.read.MemberTokens(ctx, sqlc.MemberTokensParams{OrgID: string(org), ID: string(before),
		ExpiresAt: micros(at), MaxRows: bounded(limit)})
	return many(db, "tokens", rows, err, func(row sqlc.MemberTokensRow) stockhand.MemberToken {
		return stockhand.MemberToken{UserToken: userToken(row.UserToken), Of: user(row.User),
			Role: stockhand.Role(row.Role)}
	})
}

// MemberToken returns a token of a member that may act in the organization.
func (db *DB) MemberToken(ctx context.Context, org stockhand.OrgID, id stockhand.TokenID) (stockhand.MemberToken,
	error) {
	row, err := db.read.MemberToken(ctx, sqlc.MemberTokenParams{OrgID: string(org), ID: string(id)})
	return one(db, "token", row, err, func(row sqlc.MemberTokenRow) stockhand.MemberToken {
		return stockhand.MemberToken{UserToken: userToken(row.UserToken), Of: user(row.User),
			Role: stockhand.Role(row.Role)}
	})
}

// ExcludeToken ends a member's token for the organization, with the audit entry. A token that is bound to the
// organization is revoked; one of several organizations goes on in the others.
func (db *DB) ExcludeToken(ctx context.Context, org stockhand.OrgID, t stockhand.UserToken,
	entry stockhand.AuditEntry) error {
	return db.write(ctx, "end the token", func(q *sqlc.Queries) (err error) {
		var rows int64
		if t.Org == org {
			rows, err = q.RevokeUserToken(ctx,
				sqlc.RevokeUserTokenParams{UserID: string(t.User), ID: string(t.ID), RevokedAt: micros(entry.At)})
		} else {
			rows, err = q.ExcludeToken(ctx, sqlc.ExcludeTokenParams{OrgID: string(org), TokenID: string(t.ID)})
		}
		if err != nil || rows == 0 {
			return err
		}
		if err := db.appendAudit(ctx, q, org, entry); err != nil {
			return err
		}
		return q.RaiseAuthVersion(ctx)
	})
}

// DisableUser disables an account, or enables it again if at is zero. The tokens and sign-ins of a disabled account are
// refused.
func (s System) DisableUser(ctx context.Context, of stockhand.UserID, at time.Time,
	entry stockhand.AuditEntry) error {
	return s.db.write(ctx, "disable the account", func(q *sqlc.Queries) error {
		rows, err := q.DisableUser(ctx, sqlc.DisableUserParams{ID: string(of), DisabledAt: maybeMicros(at)})
		if err := touched("person", rows, err); err != nil {
			return err
		}
		return s.db.afterSignIns(ctx, q, of, entry)
	})
}

// EraseUser removes a person: their memberships as RemoveMember does, the invitations to them and everything by which
// they sign in. Records keep their ID. CONFLICT names the organization of which they are the last owner.
func (s System) EraseUser(ctx context.Context, of stockhand.UserID, entry stockhand.AuditEntry) error {
	return s.db.write(ctx, "erase the person", func(q *sqlc.Queries) error {
		if rows, err := q.HoldUser(ctx, string(of)); err != nil || rows == 0 {
			return touched("person", rows, err)
		}
		person, err := q.User(ctx, string(of))
		if err != nil {
			return err
		}
		memberships, err := q.Memberships(ctx, string(of))
		if err != nil {
			return err
		}
		if len(memberships) == 0 {
			if err := s.db.auditPerson(ctx, q, of, "", entry); err != nil {
				return err
			}
		}
		for _, m := range memberships { // in the order of their ids, so that nothing waits in a circle
			org := stockhand.OrgID(m.Organization.ID)
			_, err := s.db.removeMember(ctx, q, org, of, stockhand.Role(m.Role), "", entry)
			if own, ok := errors.AsType[*stockhand.Error](err); ok && own.Code == stockhand.CodeConflict {
				return lastOwner(org)
			}
			if err != nil {
				return err
			}
		}
		if err := q.ForgetInvitationsTo(ctx, person.Email); err != nil {
			return err
		}
		if _, err := q.DeleteUser(ctx, string(of)); err != nil {
			return err
		}
		return q.RaiseAuthVersion(ctx)
	})
}

func lastOwner(org stockhand.OrgID) error {
	return &stockhand.Error{Code: stockhand.CodeConflict,
		Message: "the person is the last owner of " + string(org),
		Hint: "make another member its owner first: PATCH /api/v1/organizations/" + string(org) +
			"/members/{user_id}, or stockhand orgs invite EMAIL --role owner",
		RU: stockhand.Words{Message: "это последний владелец организации " + string(org),
			Hint: "сначала назначьте другого владельца: PATCH /api/v1/organizations/" + string(org) +
				"/members/{user_id} или stockhand orgs invite EMAIL --role owner"}}
}
