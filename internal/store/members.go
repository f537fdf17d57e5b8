package store

import (
	"context"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/store/sqlc"
)

// FoundOrganization stores a new tenant with its first owner, and the audit entry for it. CONFLICT when that person
// belongs to mostOrgs organizations already.
func (db *DB) FoundOrganization(ctx context.Context, org stockhand.OrgID, name string, owner stockhand.UserID,
	mostOrgs int, entry stockhand.AuditEntry) (stockhand.Organization, error) {
	row := sqlc.Organization{ID: string(org), Name: text(name), CreatedAt: micros(entry.At)}
	err := db.write(ctx, "store the organization", func(q *sqlc.Queries) error {
		if rows, err := q.HoldUser(ctx, string(owner)); err != nil || rows == 0 {
			return touched("person", rows, err)
		}
		memberships, err := q.Memberships(ctx, string(owner))
		if err != nil {
			return err
		}
		if len(memberships) >= mostOrgs {
			return stockhand.Errorf(stockhand.CodeConflict,
				"you belong to %d organizations already, which is the most you may", len(memberships)).
				WithHint("have yourself removed from one that you no longer need")
		}
		return foundOrganization(ctx, q, row, owner, entry)
	})
	if err != nil {
		return stockhand.Organization{}, err
	}
	return organization(row), nil
}

func foundOrganization(ctx context.Context, q *sqlc.Queries, row sqlc.Organization, owner stockhand.UserID,
	entry stockhand.AuditEntry) error {
	if err := q.InsertOrganization(ctx, sqlc.InsertOrganizationParams(row)); err != nil {
		return err
	}
	m := sqlc.InsertMemberParams{OrgID: row.ID, UserID: string(owner), Role: string(stockhand.RoleOwner),
		CreatedAt: row.CreatedAt}
	if _, err := q.InsertMember(ctx, m); err != nil {
		return err
	}
	if err := appendAudit(ctx, q, stockhand.OrgID(row.ID), entry); err != nil {
		return err
	}
	return q.RaiseAuthVersion(ctx)
}

// RenameOrganization gives the organization another name, with the audit entry for it.
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
		if err := appendAudit(ctx, q, org, entry); err != nil {
			return err
		}
		return q.RaiseAuthVersion(ctx) // people who must name an organization are shown its name
	})
	return o, err
}

// AddMember stores a membership with the audit entry for it. The person is the one who has the email of m.User;
// when there is none, m.User is stored too. CONFLICT when they are a member already.
func (db *DB) AddMember(ctx context.Context, org stockhand.OrgID, m stockhand.Member, entry stockhand.AuditEntry) (
	added stockhand.Member, err error) {
	if err := belongs(org, m.Org); err != nil {
		return stockhand.Member{}, err
	}
	err = db.write(ctx, "add the member", func(q *sqlc.Queries) error {
		user, _, err := userOf(ctx, q, m.User)
		if err != nil {
			return err
		}
		row := sqlc.InsertMemberParams{OrgID: string(org), UserID: user.ID, Role: string(m.Role),
			CreatedAt: micros(m.Created)}
		rows, err := q.InsertMember(ctx, row)
		if err != nil {
			return err
		}
		if rows == 0 {
			return stockhand.Errorf(stockhand.CodeConflict, "%s is a member already",
				user.Email).WithHint("change the role of %s instead", user.ID)
		}
		added = member(sqlc.Member(row), user)
		if err := appendAudit(ctx, q, org, entry); err != nil {
			return err
		}
		return q.RaiseAuthVersion(ctx)
	})
	return added, err
}

// Member returns one membership.
func (db *DB) Member(ctx context.Context, org stockhand.OrgID, user stockhand.UserID) (stockhand.Member, error) {
	row, err := db.read.Member(ctx, sqlc.MemberParams{OrgID: string(org), UserID: string(user)})
	return one(db, "member", row, err, func(row sqlc.MemberRow) stockhand.Member {
		return member(row.Member,
			row.User)
	})
}

// Members lists the members by the age of the person: at most limit (1–200, 0 for 50) after the one that ended the page
// before; an empty id begins at the first.
func (db *DB) Members(ctx context.Context, org stockhand.OrgID, after stockhand.UserID, limit int) ([]stockhand.Member,
	error) {
	rows, err := db.read.MembersAfter(ctx,
		sqlc.MembersAfterParams{OrgID: string(org), UserID: string(after), MaxRows: bounded(limit)})
	return many(db, "members", rows, err,
		func(row sqlc.MembersAfterRow) stockhand.Member { return member(row.Member, row.User) })
}

// ChangeMember gives a member another role, with the audit entry for it. CONFLICT when the member no longer has the
// role that was seen, or is the last owner.
func (db *DB) ChangeMember(ctx context.Context, org stockhand.OrgID, user stockhand.UserID, seen, role stockhand.Role,
	entry stockhand.AuditEntry) error {
	return db.moveMember(ctx, org, entry, "change the member", func(q *sqlc.Queries) (int64, error) {
		return q.ChangeMember(ctx, sqlc.ChangeMemberParams{OrgID: string(org), UserID: string(user), Seen: string(seen),
			Role: string(role)})
	})
}

// RemoveMember ends a membership, with the audit entry for it. CONFLICT as in ChangeMember.
func (db *DB) RemoveMember(ctx context.Context, org stockhand.OrgID, user stockhand.UserID, seen stockhand.Role,
	entry stockhand.AuditEntry) error {
	return db.moveMember(ctx, org, entry, "remove the member", func(q *sqlc.Queries) (int64, error) {
		return q.RemoveMember(ctx, sqlc.RemoveMemberParams{OrgID: string(org), UserID: string(user),
			Seen: string(seen)})
	})
}

// moveMember makes a change after which an owner is left. The entry's lock orders those who change members at once, so
// that the owners can be counted.
func (db *DB) moveMember(ctx context.Context, org stockhand.OrgID, entry stockhand.AuditEntry, doing string,
	change func(q *sqlc.Queries) (int64, error)) error {
	return db.write(ctx, doing, func(q *sqlc.Queries) error {
		rows, err := change(q)
		if err != nil {
			return err
		}
		if rows == 0 {
			return stockhand.Errorf(stockhand.CodeConflict, "the member's role was changed meanwhile").WithHint(
				"list the members and decide again")
		}
		if err := appendAudit(ctx, q, org, entry); err != nil {
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
	})
}

func member(row sqlc.Member, of sqlc.User) stockhand.Member {
	return stockhand.Member{Org: stockhand.OrgID(row.OrgID), User: user(of), Role: stockhand.Role(row.Role),
		Created: moment(row.CreatedAt)}
}
