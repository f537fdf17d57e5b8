package store

import (
	"context"
	"encoding/json"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/store/sqlc"
)

// FoundOrganization stores a new organization with its first owner and the audit entry. It returns CONFLICT when the
// owner already belongs to mostOrgs organizations.
func (db *DB) FoundOrganization(ctx context.Context, org stockhand.OrgID, name string, owner stockhand.UserID,
	mostOrgs int, entry stockhand.AuditEntry) (stockhand.Organization, error) {
	row := sqlc.Organization{ID: string(org), Name: text(name), CreatedAt: micros(entry.At)}
	err := db.write(ctx, "store the organization", func(q *sqlc.Queries) error {
		if err := roomFor(ctx, q, owner, mostOrgs); err != nil {
			return err
		}
		return db.foundOrganization(ctx, q, row, owner, entry)
	})
	if err != nil {
		return stockhand.Organization{}, err
	}
	return organization(row), nil
}

// roomFor refuses a person who belongs to mostOrgs organizations already. It keeps the person's row locked, so that
// those who add them at once are counted.
func roomFor(ctx context.Context, q *sqlc.Queries, id stockhand.UserID, mostOrgs int) error {
	if rows, err := q.HoldUser(ctx, string(id)); err != nil || rows == 0 {
		return touched("person", rows, err)
	}
	memberships, err := q.Memberships(ctx, string(id))
	if err == nil && len(memberships) >= mostOrgs {
		return stockhand.Errorf(stockhand.CodeConflict,
			"the person belongs to %d organizations already, which is the most one may", len(memberships)).
			WithHint("leave one that is no longer needed")
	}
	return err
}

func (db *DB) foundOrganization(ctx context.Context, q *sqlc.Queries, row sqlc.Organization, owner stockhand.UserID,
	entry stockhand.AuditEntry) error {
	if err := q.InsertOrganization(ctx, sqlc.InsertOrganizationParams{ID: row.ID, Name: row.Name,
		CreatedAt: row.CreatedAt}); err != nil {
		return err
	}
	m := sqlc.InsertMemberParams{OrgID: row.ID, UserID: string(owner), Role: string(stockhand.RoleOwner),
		CreatedAt: row.CreatedAt}
	if _, err := q.InsertMember(ctx, m); err != nil {
		return err
	}
	if err := db.appendAudit(ctx, q, stockhand.OrgID(row.ID), entry); err != nil {
		return err
	}
	return q.RaiseAuthVersion(ctx)
}

// RenameOrganization renames the organization and stores the audit entry.
func (db *DB) RenameOrganization(ctx context.Context, org stockhand.OrgID, name string, entry stockhand.AuditEntry) (
	o stockhand.Organization, err error) {
	err = db.write(ctx, "rename the organization", func(q *sqlc.Queries) error {
		rows, err := q.RenameOrganization(ctx, sqlc.RenameOrganizationParams{ID: string(org), Name: text(name)})
		if err := touched("organization", rows, err); err != nil {
			return err
		}
		row, err := q.Organization(ctx, string(org))
		if err != nil {
			return err
		}
		o = organization(row)
		return db.appendAudit(ctx, q, org, entry)
	})
	return o, err
}

// AddMember stores a membership and its audit entry. It creates the user m.User unless a user with that email exists.
// It returns CONFLICT when the user is already a member or has an unproven email, or when the user or the organization
// is at its limit.
func (db *DB) AddMember(ctx context.Context, org stockhand.OrgID, m stockhand.Member, most stockhand.MemberLimits,
	entry stockhand.AuditEntry) (added stockhand.Member, err error) {
	if err := belongs(org, m.Org); err != nil {
		return stockhand.Member{}, err
	}
	err = db.write(ctx, "add the member", func(q *sqlc.Queries) error {
		user, _, err := userOf(ctx, q, m.User)
		if err != nil {
			return err
		}
		if user.EmailProvenAt == 0 {
			return stockhand.ErrEmailUnproven
		}
		added, err = db.join(ctx, q, org, user, m.Role, most, entry)
		return err
	})
	return added, err
}

// join makes a user a member. Appending the audit entry takes a lock that serializes concurrent calls, so the count of
// members is exact.
func (db *DB) join(ctx context.Context, q *sqlc.Queries, org stockhand.OrgID, of sqlc.User, role stockhand.Role,
	most stockhand.MemberLimits, entry stockhand.AuditEntry) (stockhand.Member, error) {
	if err := roomFor(ctx, q, stockhand.UserID(of.ID), most.Organizations); err != nil {
		return stockhand.Member{}, err
	}
	row := sqlc.InsertMemberParams{OrgID: string(org), UserID: of.ID, Role: string(role), CreatedAt: micros(entry.At)}
	rows, err := q.InsertMember(ctx, row)
	if err != nil {
		return stockhand.Member{}, err
	}
	if rows == 0 {
		return stockhand.Member{}, stockhand.Errorf(stockhand.CodeConflict, "%s is a member already",
			of.Email).WithHint("change the role of %s instead", of.ID)
	}
	if err := db.appendAudit(ctx, q, org, entry); err != nil {
		return stockhand.Member{}, err
	}
	members, err := q.CountMembers(ctx, string(org))
	if err != nil {
		return stockhand.Member{}, err
	}
	if members > int64(most.Members) {
		return stockhand.Member{}, stockhand.Errorf(stockhand.CodeConflict,
			"the organization has %d members already, which is the most it may have", members-1).
			WithHint("have an administrator remove members who have left")
	}
	return stockhand.Member{Org: org, User: user(of), Role: role, Created: moment(row.CreatedAt)},
		q.RaiseAuthVersion(ctx)
}

// Member returns a membership.
func (db *DB) Member(ctx context.Context, org stockhand.OrgID, user stockhand.UserID) (stockhand.Member, error) {
	row, err := db.read.Member(ctx, sqlc.MemberParams{OrgID: string(org), UserID: string(user)})
	return one(db, "member", row, err, func(row sqlc.MemberRow) stockhand.Member {
		return member(row.Member,
			row.User)
	})
}

// Members lists up to limit (1–200, 0 for 50) members in the order in which their users were created, after the user
// with ID after; an empty ID starts at the first.
func (db *DB) Members(ctx context.Context, org stockhand.OrgID, after stockhand.UserID, limit int) ([]stockhand.Member,
	error) {
	rows, err := db.read.MembersAfter(ctx,
		sqlc.MembersAfterParams{OrgID: string(org), UserID: string(after), MaxRows: bounded(limit)})
	return many(db, "members", rows, err,
		func(row sqlc.MembersAfterRow) stockhand.Member { return member(row.Member, row.User) })
}

// ChangeMember changes a member's role and stores the audit entry. It returns CONFLICT when the member no longer has
// the role seen, or is the last owner.
func (db *DB) ChangeMember(ctx context.Context, org stockhand.OrgID, user stockhand.UserID, seen, role stockhand.Role,
	entry stockhand.AuditEntry) error {
	return db.write(ctx, "change the member", func(q *sqlc.Queries) error {
		return db.changeMembership(ctx, q, org, user, entry, func() (int64, error) {
			return q.ChangeMember(ctx, sqlc.ChangeMemberParams{OrgID: string(org), UserID: string(user),
				Seen: string(seen), Role: string(role)})
		})
	})
}

// RemoveMember ends a membership, with the audit entry for it, and cancels the person's unfinished runs. The keys that
// the person created are revoked, with those that these created, or pass to the actor that heir names. It returns them.
// CONFLICT as in ChangeMember.
func (db *DB) RemoveMember(ctx context.Context, org stockhand.OrgID, user stockhand.UserID, seen stockhand.Role,
	heir string, entry stockhand.AuditEntry) (keys []stockhand.Key, err error) {
	err = db.write(ctx, "remove the member", func(q *sqlc.Queries) error {
		keys, err = db.removeMember(ctx, q, org, user, seen, heir, entry)
		return err
	})
	return keys, err
}

func (db *DB) removeMember(ctx context.Context, q *sqlc.Queries, org stockhand.OrgID, user stockhand.UserID,
	seen stockhand.Role, heir string, entry stockhand.AuditEntry) (keys []stockhand.Key, err error) {
	by := "user:" + string(user)
	err = db.changeMembership(ctx, q, org, user, entry, func() (int64, error) {
		rows, err := q.RemoveMember(ctx, sqlc.RemoveMemberParams{OrgID: string(org), UserID: string(user),
			Seen: string(seen)})
		if err != nil || rows == 0 {
			return rows, err
		}
		if _, err := cancelRunsBy(ctx, q, org, by, entry.At); err != nil {
			return 0, err
		}
		theirs, err := q.LiveKeysBy(ctx,
			sqlc.LiveKeysByParams{OrgID: string(org), CreatedBy: by, ExpiresAt: micros(entry.At)})
		if err != nil {
			return 0, err
		}
		for _, k := range theirs {
			if err := db.bequeath(ctx, q, org, key(k), heir, entry); err != nil {
				return 0, err
			}
			now, err := q.Key(ctx, sqlc.KeyParams{OrgID: string(org), ID: k.ID})
			if err != nil {
				return 0, err
			}
			keys = append(keys, key(now))
		}
		return rows, nil
	})
	return keys, err
}

// bequeath gives a key of a person who goes to an heir, or revokes it if there is none.
func (db *DB) bequeath(ctx context.Context, q *sqlc.Queries, org stockhand.OrgID, k stockhand.Key, heir string,
	entry stockhand.AuditEntry) error {
	if heir == "" {
		entry.Action = "key.revoked"
		return db.revokeKey(ctx, q, org, k.ID, true, entry, new(stockhand.Revocation))
	}
	err := q.TransferKey(ctx, sqlc.TransferKeyParams{OrgID: string(org), ID: string(k.ID), CreatedBy: heir})
	if err != nil {
		return err
	}
	entry.Action = "key.transferred"
	entry.Detail, err = json.Marshal(map[string]string{"key_id": string(k.ID), "from": k.By, "to": heir})
	if err != nil {
		return err
	}
	return db.appendAudit(ctx, q, org, entry)
}

// changeMembership applies a change and checks that an owner remains. Appending the audit entry takes a lock that
// serializes concurrent changes, so the count of owners is exact. It cancels the member's pending invitations.
func (db *DB) changeMembership(ctx context.Context, q *sqlc.Queries, org stockhand.OrgID, user stockhand.UserID,
	entry stockhand.AuditEntry, change func() (int64, error)) error {
	rows, err := change()
	if err != nil {
		return err
	}
	if rows == 0 {
		return stockhand.Errorf(stockhand.CodeConflict, "the member's role has changed meanwhile").WithHint(
			"list the members and try again")
	}
	// what they could offer before they may not be able to offer now
	if err := endInvitationsBy(ctx, q, org, "user:"+string(user)); err != nil {
		return err
	}
	if err := db.appendAudit(ctx, q, org, entry); err != nil {
		return err
	}
	owners, err := q.CountOwners(ctx, string(org))
	if err != nil {
		return err
	}
	if owners == 0 {
		return stockhand.Errorf(stockhand.CodeConflict, "this is the organization's last owner").WithHint(
			"make another member an owner first")
	}
	return q.RaiseAuthVersion(ctx)
}

func member(row sqlc.Member, of sqlc.User) stockhand.Member {
	return stockhand.Member{Org: stockhand.OrgID(row.OrgID), User: user(of), Role: stockhand.Role(row.Role),
		Created: moment(row.CreatedAt)}
}
