package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/store/sqlc"
)

// keptInvitations is how long an invitation is stored after it has expired, so that its token still gives a specific
// error.
const keptInvitations = 30 * 24 * time.Hour

// CreateInvitation stores an invitation with the keyed hash of its token, and its audit entry. It returns CONFLICT when
// the organization has a member with that email, has already invited it, or would have more than mostPending pending
// invitations, even if invitations are created concurrently.
func (db *DB) CreateInvitation(ctx context.Context, org stockhand.OrgID, i stockhand.Invitation, hash []byte,
	mostPending int, entry stockhand.AuditEntry) error {
	if err := belongs(org, i.Org); err != nil {
		return err
	}
	now := micros(i.Created)
	return db.write(ctx, "store the invitation", func(q *sqlc.Queries) error {
		if err := db.appendAudit(ctx, q, org, entry); err != nil { // first: its lock serializes concurrent invitations
			return err
		}
		members, err := q.MemberByEmail(ctx, sqlc.MemberByEmailParams{OrgID: string(org), Email: i.Email})
		if err != nil {
			return err
		}
		if len(members) > 0 {
			return stockhand.Errorf(stockhand.CodeConflict, "a member of the organization has that email").
				WithHint("change the role of %s instead", members[0])
		}
		err = q.ForgetInvitations(ctx, sqlc.ForgetInvitationsParams{OrgID: string(org),
			ExpiresAt: now - keptInvitations.Microseconds()})
		if err != nil {
			return err
		}
		err = q.ExpireInvitations(ctx, sqlc.ExpireInvitationsParams{OrgID: string(org), Email: i.Email, ExpiresAt: now})
		if err != nil {
			return err
		}
		same, err := q.CountPendingTo(ctx, sqlc.CountPendingToParams{OrgID: string(org), Email: i.Email})
		if err != nil {
			return err
		}
		if same > 0 {
			return stockhand.Errorf(stockhand.CodeConflict, "that email has already been invited").
				WithHint("revoke the pending invitation first if its token was lost or the role has changed")
		}
		pending, err := q.CountPendingInvitations(ctx,
			sqlc.CountPendingInvitationsParams{OrgID: string(org), ExpiresAt: now})
		if err != nil {
			return err
		}
		if pending >= int64(mostPending) {
			return stockhand.Errorf(stockhand.CodeConflict,
				"%d invitations are already pending, the maximum", pending).
				WithHint("revoke invitations that are no longer needed, or wait until they expire")
		}
		return q.InsertInvitation(ctx, sqlc.InsertInvitationParams{OrgID: string(org), ID: string(i.ID), Email: i.Email,
			Role: string(i.Role), Hash: hash, CreatedBy: text(i.By), CreatedAt: now, ExpiresAt: micros(i.Expires)})
	})
}

// Invitations lists up to limit (1–200, 0 for 50) invitations pending at the given time, newest first, created before
// the invitation with ID before; an empty ID starts at the newest.
func (db *DB) Invitations(ctx context.Context, org stockhand.OrgID, before stockhand.InvitationID, at time.Time,
	limit int) ([]stockhand.Invitation, error) {
	rows, err := db.read.PendingInvitations(ctx, sqlc.PendingInvitationsParams{OrgID: string(org),
		ID: lastInvitation(before), ExpiresAt: micros(at), MaxRows: bounded(limit)})
	return many(db, "invitations", rows, err, invitation)
}

// lastInvitation returns the position of a page; an empty ID means the first page.
func lastInvitation(before stockhand.InvitationID) string {
	if before == "" {
		return "inv_~" // sorts after every ID
	}
	return string(before)
}

// Invitation returns an invitation in any state.
func (db *DB) Invitation(ctx context.Context, org stockhand.OrgID, id stockhand.InvitationID) (stockhand.Invitation,
	error) {
	row, err := db.read.Invitation(ctx, sqlc.InvitationParams{OrgID: string(org), ID: string(id)})
	return one(db, "invitation", row, err, invitation)
}

// EndInvitation sets the final state of a pending invitation and stores the audit entry. It returns CONFLICT when the
// invitation is not pending at the given time.
func (db *DB) EndInvitation(ctx context.Context, org stockhand.OrgID, id stockhand.InvitationID, at time.Time,
	state stockhand.InvitationState, entry stockhand.AuditEntry) error {
	return db.write(ctx, "end the invitation", func(q *sqlc.Queries) error {
		if err := endInvitation(ctx, q, org, id, at, state); err != nil {
			return err
		}
		return db.appendAudit(ctx, q, org, entry)
	})
}

// AcceptInvitation makes the user a member with the offered role, closes the invitation, and stores the audit entry. It
// returns CONFLICT as [DB.EndInvitation] and [DB.AddMember] do.
func (db *DB) AcceptInvitation(ctx context.Context, org stockhand.OrgID, i stockhand.Invitation, of stockhand.UserID,
	most stockhand.MemberLimits, entry stockhand.AuditEntry) (added stockhand.Member, err error) {
	err = db.write(ctx, "accept the invitation", func(q *sqlc.Queries) error {
		person, err := q.User(ctx, string(of))
		if err != nil {
			return absent("person", err)
		}
		if err := endInvitation(ctx, q, org, i.ID, entry.At, stockhand.InvitationAccepted); err != nil {
			return err
		}
		added, err = db.join(ctx, q, org, person, i.Role, most, entry)
		return err
	})
	return added, err
}

func endInvitation(ctx context.Context, q *sqlc.Queries, org stockhand.OrgID, id stockhand.InvitationID, at time.Time,
	state stockhand.InvitationState) error {
	rows, err := q.EndInvitation(ctx, sqlc.EndInvitationParams{OrgID: string(org), ID: string(id), State: string(state),
		At: micros(at)})
	if err == nil && rows == 0 {
		return stockhand.Errorf(stockhand.CodeConflict, "the invitation is no longer pending").
			WithHint("ask for a new invitation")
	}
	return err
}

// endInvitationsBy closes the pending invitations that an actor created.
func endInvitationsBy(ctx context.Context, q *sqlc.Queries, org stockhand.OrgID, by string) error {
	return q.EndInvitationsBy(ctx, sqlc.EndInvitationsByParams{OrgID: string(org), CreatedBy: by})
}

// InvitationByHash finds an invitation of any organization by the keyed hash of its token, with the organization's
// name. It returns NOT_FOUND when there is none.
func (s System) InvitationByHash(ctx context.Context, hash []byte) (stockhand.Invitation, error) {
	row, err := s.db.read.InvitationByHash(ctx, hash)
	i, err := s.foundInvitation(row.Invitation, err)
	i.OrgName = row.Name
	return i, err
}

// InvitationTo returns an invitation of any organization to an email address, or NOT_FOUND.
func (s System) InvitationTo(ctx context.Context, email string, id stockhand.InvitationID) (stockhand.Invitation,
	error) {
	row, err := s.db.read.InvitationTo(ctx, sqlc.InvitationToParams{Email: text(email), ID: string(id)})
	return s.foundInvitation(row, err)
}

func (s System) foundInvitation(row sqlc.Invitation, err error) (stockhand.Invitation, error) {
	if errors.Is(err, sql.ErrNoRows) {
		return stockhand.Invitation{}, stockhand.Errorf(stockhand.CodeNotFound, "no such invitation")
	}
	return invitation(row), s.db.fail("read the invitation", err)
}

// InvitationsTo lists the invitations to an email address that are pending at the given time, with the organizations'
// names, in pages like [DB.Invitations].
func (s System) InvitationsTo(ctx context.Context, email string, before stockhand.InvitationID, at time.Time,
	limit int) ([]stockhand.Invitation, error) {
	rows, err := s.db.read.InvitationsTo(ctx, sqlc.InvitationsToParams{Email: text(email), ID: lastInvitation(before),
		ExpiresAt: micros(at), MaxRows: bounded(limit)})
	return many(s.db, "invitations", rows, err, func(row sqlc.InvitationsToRow) stockhand.Invitation {
		i := invitation(row.Invitation)
		i.OrgName = row.Name
		return i
	})
}

func invitation(row sqlc.Invitation) stockhand.Invitation {
	return stockhand.Invitation{
		ID: stockhand.InvitationID(row.ID), Org: stockhand.OrgID(row.OrgID), Email: row.Email,
		Role: stockhand.Role(row.Role), By: row.CreatedBy, Created: moment(row.CreatedAt),
		Expires: moment(row.ExpiresAt), State: stockhand.InvitationState(row.State),
	}
}
