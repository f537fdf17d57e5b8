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

// Users and their tokens belong to the installation; an organization sees only its members. These methods may only
// serve the caller's own data or the installation's operator.

// CreateUser stores a user. It returns CONFLICT when the email is taken.
func (s System) CreateUser(ctx context.Context, u stockhand.User) error {
	return s.db.write(ctx, "store the user", func(q *sqlc.Queries) error {
		_, made, err := userOf(ctx, q, u)
		if err == nil && !made {
			return stockhand.Errorf(stockhand.CodeConflict, "the user %s already exists",
				u.Email).WithHint("give that user another token instead")
		}
		return err
	})
}

// userOf returns the user with the email of u, and stores u if there is none.
func userOf(ctx context.Context, q *sqlc.Queries, u stockhand.User) (row sqlc.User, made bool, err error) {
	rows, err := q.InsertUser(ctx, sqlc.InsertUserParams{ID: string(u.ID), Email: text(u.Email), Name: text(u.Name),
		CreatedAt: micros(u.Created), EmailProvenAt: maybeMicros(u.EmailProven)})
	if err != nil {
		return sqlc.User{}, false, err
	}
	row, err = q.UserByEmail(ctx, text(u.Email))
	return row, rows == 1, err
}

// User returns a user.
func (s System) User(ctx context.Context, id stockhand.UserID) (stockhand.User, error) {
	row, err := s.db.read.User(ctx, string(id))
	if errors.Is(err, sql.ErrNoRows) {
		return stockhand.User{}, stockhand.Errorf(stockhand.CodeNotFound, "no such user")
	}
	return user(row), s.db.fail("read the user", err)
}

// UserByEmail returns the user with that email, given in lower case.
func (s System) UserByEmail(ctx context.Context, email string) (stockhand.User, error) {
	row, err := s.db.read.UserByEmail(ctx, text(email))
	if errors.Is(err, sql.ErrNoRows) {
		return stockhand.User{}, stockhand.Errorf(stockhand.CodeNotFound, "no user has that email")
	}
	return user(row), s.db.fail("read the user", err)
}

// Users lists up to limit (1–200, 0 for 50) users, oldest first, after the user with ID after.
func (s System) Users(ctx context.Context, after stockhand.UserID, limit int) ([]stockhand.User, error) {
	rows, err := s.db.read.UsersAfter(ctx, sqlc.UsersAfterParams{ID: string(after), MaxRows: bounded(limit)})
	return many(s.db, "users", rows, err, user)
}

// SetHome sets a user's home organization, which is used for calls that name none.
func (s System) SetHome(ctx context.Context, of stockhand.UserID, org stockhand.OrgID) error {
	return s.db.write(ctx, "set the home organization", func(q *sqlc.Queries) error {
		if rows, err := q.HoldUser(ctx, string(of)); err != nil || rows == 0 {
			return touched("person", rows, err)
		}
		if err := q.LeaveHome(ctx, string(of)); err != nil {
			return err
		}
		rows, err := q.SetHome(ctx, sqlc.SetHomeParams{OrgID: string(org), UserID: string(of)})
		if err := touched("membership of yours", rows, err); err != nil {
			return err
		}
		return q.RaiseAuthVersion(ctx)
	})
}

// Memberships lists the organizations of a user, oldest first.
func (s System) Memberships(ctx context.Context, id stockhand.UserID) ([]stockhand.Membership, error) {
	rows, err := s.db.read.Memberships(ctx, string(id))
	return many(s.db, "memberships", rows, err, membership)
}

// CreateToken stores a user's token with the keyed hash of its secret. If it is created with another token, it is
// excluded where that one is. It returns CONFLICT when the user would have more than mostLive valid tokens, or when the
// other is excluded from the only organization of the token. The audit entry is for each organization that the token
// acts in.
func (s System) CreateToken(ctx context.Context, t stockhand.UserToken, with stockhand.TokenID, hash []byte,
	mostLive int, entry stockhand.AuditEntry) error {
	return s.db.write(ctx, "store the token", func(q *sqlc.Queries) error {
		if rows, err := q.HoldActiveUser(ctx, string(t.User)); err != nil || rows == 0 {
			return touched("person", rows, err)
		}
		if err := q.InsertUserToken(ctx, tokenRow(t, hash)); err != nil {
			return err
		}
		if err := excludeLike(ctx, q, with, t); err != nil {
			return err
		}
		live, err := q.CountLiveUserTokens(ctx,
			sqlc.CountLiveUserTokensParams{UserID: string(t.User), ExpiresAt: micros(t.Created)})
		if err == nil && live > int64(mostLive) {
			return stockhand.Errorf(stockhand.CodeConflict,
				"the user already has %d tokens, the maximum", live-1).
				WithHint("revoke tokens that are no longer used")
		}
		if err != nil {
			return err
		}
		return s.db.auditPerson(ctx, q, t.User, t.Org, entry)
	})
}

// excludeLike excludes a token where the one that creates it is excluded.
func excludeLike(ctx context.Context, q *sqlc.Queries, with stockhand.TokenID, t stockhand.UserToken) error {
	excluded, err := q.ExcludedFrom(ctx, string(with))
	if err != nil {
		return err
	}
	for _, org := range excluded {
		if stockhand.OrgID(org) == t.Org {
			return stockhand.Errorf(stockhand.CodeConflict, "your token was ended for this organization").
				WithHint("sign in, and create the token there")
		}
		if _, err := q.ExcludeToken(ctx, sqlc.ExcludeTokenParams{OrgID: org, TokenID: string(t.ID)}); err != nil {
			return err
		}
	}
	return nil
}

// auditPerson appends an entry about a person to the log of each of their organizations, or only to that of the
// organization that a token is bound to. If there is none, it is in the installation's log.
func (db *DB) auditPerson(ctx context.Context, q *sqlc.Queries, of stockhand.UserID, bound stockhand.OrgID,
	entry stockhand.AuditEntry) error {
	memberships, err := q.Memberships(ctx, string(of))
	if err != nil {
		return err
	}
	logs := []stockhand.OrgID{}
	for _, m := range memberships { // in the order of their ids, so that nothing waits in a circle
		if org := stockhand.OrgID(m.Organization.ID); bound == "" || org == bound {
			logs = append(logs, org)
		}
	}
	if len(logs) == 0 {
		logs = append(logs, stockhand.Installation)
	}
	for _, org := range logs {
		if err := db.appendAudit(ctx, q, org, entry); err != nil {
			return err
		}
	}
	return nil
}

func tokenRow(t stockhand.UserToken, hash []byte) sqlc.InsertUserTokenParams {
	return sqlc.InsertUserTokenParams{
		ID: string(t.ID), UserID: string(t.User), Name: text(t.Name), Prefix: t.Prefix, Hash: hash,
		OrgID: string(t.Org), CreatedAt: micros(t.Created), Since: micros(t.Since),
		ExpiresAt: maybeMicros(t.Expires),
	}
}

// Tokens lists up to limit (1–200, 0 for 50) of a user's tokens, newest first, created before the token with ID before;
// an empty ID starts at the newest.
func (s System) Tokens(ctx context.Context, of stockhand.UserID, before stockhand.TokenID,
	limit int) ([]stockhand.UserToken, error) {
	if before == "" {
		before = "tok_~" // sorts after every ID
	}
	rows, err := s.db.read.UserTokensBefore(ctx,
		sqlc.UserTokensBeforeParams{UserID: string(of), ID: string(before), MaxRows: bounded(limit)})
	return many(s.db, "tokens", rows, err, userToken)
}

// RevokeToken revokes a user's token and returns it, with the audit entry as in CreateToken. Revoking a revoked token
// changes nothing.
func (s System) RevokeToken(ctx context.Context, of stockhand.UserID, id stockhand.TokenID, at time.Time,
	entry stockhand.AuditEntry) (t stockhand.UserToken, err error) {
	err = s.db.write(ctx, "revoke the token", func(q *sqlc.Queries) error {
		rows, err := q.RevokeUserToken(ctx,
			sqlc.RevokeUserTokenParams{UserID: string(of), ID: string(id), RevokedAt: micros(at)})
		if err != nil {
			return err
		}
		row, err := q.UserToken(ctx, sqlc.UserTokenParams{UserID: string(of), ID: string(id)})
		if errors.Is(err, sql.ErrNoRows) {
			return stockhand.Errorf(stockhand.CodeNotFound, "no such token")
		}
		if err != nil {
			return err
		}
		t = userToken(row)
		if rows == 0 {
			return nil
		}
		if err := s.db.auditPerson(ctx, q, of, t.Org, entry); err != nil {
			return err
		}
		return q.RaiseAuthVersion(ctx)
	})
	return t, err
}

// NoteTokenUses stores when tokens were last used, from the fields User, ID and LastUsed. It never replaces a later
// time by an earlier one.
func (s System) NoteTokenUses(ctx context.Context, tokens []stockhand.UserToken) error {
	return s.db.write(ctx, "store the last uses of tokens", func(q *sqlc.Queries) error {
		for _, t := range tokens {
			if err := q.TouchUserToken(ctx,
				sqlc.TouchUserTokenParams{UserID: string(t.User), ID: string(t.ID),
					At: micros(t.LastUsed)}); err != nil {
				return err
			}
		}
		return nil
	})
}

// TokenCredential finds a user's token by its keyed hash, with the user's organizations. It returns NOT_FOUND when
// there is none.
func (s System) TokenCredential(ctx context.Context, hash []byte) (stockhand.Credential, error) {
	row, err := s.db.read.UserTokenCredential(ctx, hash)
	if errors.Is(err, sql.ErrNoRows) {
		return stockhand.Credential{}, stockhand.Errorf(stockhand.CodeNotFound, "no such token")
	}
	if err != nil {
		return stockhand.Credential{}, s.db.fail("look up a token", err)
	}
	t := userToken(row.UserToken)
	orgs, err := s.Memberships(ctx, t.User)
	if err != nil {
		return stockhand.Credential{}, err
	}
	excluded, err := s.db.read.ExcludedFrom(ctx, string(t.ID))
	orgs = slices.DeleteFunc(orgs, func(m stockhand.Membership) bool { return slices.Contains(excluded, string(m.ID)) })
	return stockhand.Credential{Hash: row.UserToken.Hash, Version: row.Version, Token: &t, Orgs: orgs},
		s.db.fail("read where the token was ended", err)
}

// Bootstrap stores the first member, who becomes the owner of the existing organization, or of the organization o if
// there is none. An existing user with the owner's email is reused. If there already is a member, it stores nothing and
// returns created = false; of several replicas that start together, one wins.
func (s System) Bootstrap(ctx context.Context, o stockhand.Organization, owner stockhand.User,
	entry stockhand.AuditEntry) (of stockhand.Organization, who stockhand.User, created bool, err error) {
	err = s.db.write(ctx, "store the first owner", func(q *sqlc.Queries) error {
		created = false
		if err := q.RaiseAuthVersion(ctx); err != nil { // concurrent calls wait here
			return err
		}
		if members, err := q.AnyMember(ctx); err != nil || len(members) > 0 {
			return err
		}
		person, _, err := userOf(ctx, q, owner)
		if err != nil {
			return err
		}
		org, err := s.db.firstOrganization(ctx, q, o, stockhand.UserID(person.ID), entry)
		of, who, created = organization(org), user(person), true
		return err
	})
	if err != nil || !created {
		return stockhand.Organization{}, stockhand.User{}, false, err
	}
	return of, who, true, nil
}

// firstOrganization makes the user the owner of the organization that the command line created earlier, or of a new
// one.
func (db *DB) firstOrganization(ctx context.Context, q *sqlc.Queries, o stockhand.Organization, owner stockhand.UserID,
	entry stockhand.AuditEntry) (sqlc.Organization, error) {
	orgs, err := q.AllOrganizations(ctx)
	if err != nil {
		return sqlc.Organization{}, err
	}
	if len(orgs) == 0 {
		row := sqlc.Organization{ID: string(o.ID), Name: text(o.Name), CreatedAt: micros(o.Created)}
		return row, db.foundOrganization(ctx, q, row, owner, entry)
	}
	m := sqlc.InsertMemberParams{OrgID: orgs[0].ID, UserID: string(owner), Role: string(stockhand.RoleOwner),
		CreatedAt: micros(entry.At)}
	if _, err := q.InsertMember(ctx, m); err != nil {
		return sqlc.Organization{}, err
	}
	return orgs[0], db.appendAudit(ctx, q, stockhand.OrgID(orgs[0].ID), entry)
}

// InstallationSecret returns an encrypted secret of the installation, or NOT_FOUND.
func (s System) InstallationSecret(ctx context.Context, name string) (stockhand.Sealed, error) {
	sealed, err := s.db.read.InstallationSecret(ctx, name)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, stockhand.Errorf(stockhand.CodeNotFound, "the %s was never stored", name)
	}
	return sealed, s.db.fail("read the "+name, err)
}

// PutInstallationSecret stores an encrypted secret of the installation unless one with that name exists, so that
// replicas that start together all use the first one.
func (s System) PutInstallationSecret(ctx context.Context, name string, sealed stockhand.Sealed) error {
	return s.db.write(ctx, "store the "+name, func(q *sqlc.Queries) error {
		_, err := q.PutInstallationSecret(ctx,
			sqlc.PutInstallationSecretParams{Name: name, Sealed: sealed, CreatedAt: micros(time.Time{})})
		return err
	})
}

// ReplaceInstallationSecret replaces a secret after it was encrypted with a new key. It returns CONFLICT when the
// stored value is no longer seen.
func (s System) ReplaceInstallationSecret(ctx context.Context, name string, seen, sealed stockhand.Sealed) error {
	return s.db.write(ctx, "store the "+name, func(q *sqlc.Queries) error {
		rows, err := q.ReplaceInstallationSecret(ctx,
			sqlc.ReplaceInstallationSecretParams{Name: name, Seen: seen, Sealed: sealed})
		if err == nil && rows == 0 {
			return stockhand.Errorf(stockhand.CodeConflict, "the %s has changed meanwhile",
				name).WithHint("try again")
		}
		return err
	})
}

func user(row sqlc.User) stockhand.User {
	return stockhand.User{ID: stockhand.UserID(row.ID), Email: row.Email, Name: row.Name,
		Created: moment(row.CreatedAt), Disabled: moment(row.DisabledAt), EmailProven: moment(row.EmailProvenAt)}
}

func userToken(row sqlc.UserToken) stockhand.UserToken {
	return stockhand.UserToken{
		ID: stockhand.TokenID(row.ID), User: stockhand.UserID(row.UserID), Org: stockhand.OrgID(row.OrgID),
		Name:   row.Name,
		Prefix: row.Prefix, Created: moment(row.CreatedAt), Since: moment(row.Since),
		Expires: moment(row.ExpiresAt), LastUsed: moment(row.LastUsedAt), Revoked: moment(row.RevokedAt),
	}
}

func membership(row sqlc.MembershipsRow) stockhand.Membership {
	return stockhand.Membership{Organization: organization(row.Organization), Role: stockhand.Role(row.Role),
		Home: row.Home}
}
