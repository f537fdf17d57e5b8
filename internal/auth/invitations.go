package auth

import (
	"context"
	"time"

	"github.com/stockhand/stockhand"
)

// The limits of invitations (rule R90).
const (
	DefaultInvitationDays = 7
	MostInvitationDays    = 30
	MostPending           = 50 // invitations of one organization
)

// Invite offers a membership to the person with that email and returns the invitation's token, which cannot be shown
// again. The answer does not depend on whether there is a user with that email. Only owners invite owners, and keys
// invite only viewers. CONFLICT if a member has that email, it has already been invited, or [MostPending] are pending.
func (s *Service) Invite(ctx context.Context, a stockhand.Actor, email string, role stockhand.Role) (
	i stockhand.Invitation, token string, err error) {
	if err := s.manages(ctx, a, a.Org); err != nil {
		return i, "", err
	}
	if err := gives(a, role); err != nil {
		return i, "", err
	}
	address, ok := plainAddress(email)
	if !ok {
		return i, "", invalid(badEmail)
	}
	now := s.now()
	i = stockhand.Invitation{
		ID: stockhand.NewID[stockhand.InvitationID]("inv"), Org: a.Org, Email: address, Role: role, By: a.Name,
		Created: now, Expires: now.Add(time.Duration(s.InvitationDays) * day), State: stockhand.InvitationPending,
	}
	token, _ = newSecret(invitationBegins)
	d := s.digest(token)
	if err := s.Store.CreateInvitation(ctx, a.Org, i, d[:], MostPending, s.about(a, "member.invited", i)); err != nil {
		return stockhand.Invitation{}, "", err
	}
	return i, token, nil
}

// Invitations returns pending invitations of the actor's organization, newest first: at most limit (1–200; 0 means 50)
// that are older than before.
func (s *Service) Invitations(ctx context.Context, a stockhand.Actor, before stockhand.InvitationID, limit int) (
	[]stockhand.Invitation, error) {
	if err := administers(a, a.Org); err != nil {
		return nil, err
	}
	return s.Store.Invitations(ctx, a.Org, before, s.now(), limit)
}

// RevokeInvitation revokes a pending invitation of the actor's organization. One that was revoked before does not
// change.
func (s *Service) RevokeInvitation(ctx context.Context, a stockhand.Actor, id stockhand.InvitationID) (
	stockhand.Invitation, error) {
	if err := s.manages(ctx, a, a.Org); err != nil {
		return stockhand.Invitation{}, err
	}
	i, err := s.Store.Invitation(ctx, a.Org, id)
	if err != nil || i.State == stockhand.InvitationRevoked {
		return i, err
	}
	if err := gives(a, i.Role); err != nil {
		return stockhand.Invitation{}, err
	}
	i.State = stockhand.InvitationRevoked
	return i, s.Store.EndInvitation(ctx, a.Org, id, s.now(), i.State, s.about(a, "invitation.revoked", i))
}

// OwnInvitations returns the pending invitations to the caller's email with the organizations' names, in pages like
// [Service.Invitations]. There are none for an email that is not proven: its owner may be somebody else, who has the
// tokens.
func (s *Service) OwnInvitations(ctx context.Context, a stockhand.Actor, before stockhand.InvitationID, limit int) (
	[]stockhand.Invitation, error) {
	u, err := s.free(ctx, a)
	if err != nil || u.EmailProven.IsZero() {
		return nil, err
	}
	return s.System.InvitationsTo(ctx, u.Email, before, s.now(), limit)
}

// Invited identifies an invitation for the invited person: by its token, or by its ID in [Service.OwnInvitations].
type Invited struct {
	Token string
	ID    stockhand.InvitationID
}

// Accept makes the caller a member with the offered role. It changes neither their other memberships nor where their
// requests go; only a person's first organization becomes their home.
//
// NOT_FOUND if there is no such invitation, AUTH_PERMISSION_DENIED if it is for another email, CONFLICT if it is no
// longer pending or the person or the organization has reached a limit.
func (s *Service) Accept(ctx context.Context, a stockhand.Actor, which Invited) (stockhand.Member, error) {
	i, err := s.offered(ctx, a, which)
	if err != nil {
		return stockhand.Member{}, err
	}
	a.Org = i.Org
	m, err := s.Store.AcceptInvitation(ctx, i.Org, i, a.User, mostMemberships, s.about(a, "member.joined", i))
	s.changed()
	return m, err
}

// Decline declines an invitation to the caller. Its errors are those of [Service.Accept].
func (s *Service) Decline(ctx context.Context, a stockhand.Actor, which Invited) (stockhand.Invitation, error) {
	i, err := s.offered(ctx, a, which)
	if err != nil {
		return stockhand.Invitation{}, err
	}
	i.State = stockhand.InvitationDeclined
	return i, s.Store.EndInvitation(ctx, i.Org, i.ID, s.now(), i.State, s.about(a, "invitation.declined", i))
}

// offered returns a pending invitation to the caller.
func (s *Service) offered(ctx context.Context, a stockhand.Actor, which Invited) (stockhand.Invitation, error) {
	u, err := s.free(ctx, a)
	if err != nil {
		return stockhand.Invitation{}, err
	}
	var i stockhand.Invitation
	switch {
	case which.Token != "":
		i, err = s.byToken(ctx, which.Token)
	case u.EmailProven.IsZero():
		err = stockhand.Errorf(stockhand.CodeNotFound, "no such invitation").
			WithHint("accept it with its token: nothing proves yet that the address of your user is yours")
	default:
		i, err = s.System.InvitationTo(ctx, u.Email, which.ID)
	}
	switch {
	case err != nil:
		return stockhand.Invitation{}, err
	case i.Email != u.Email:
		return stockhand.Invitation{}, denied(
			stockhand.Words{Message: "the invitation is for another email address",
				Hint: "ask for an invitation to the address of your user; GET /api/v1/me shows it"},
			stockhand.Words{Message: "приглашение выписано на другой адрес",
				Hint: "попросите пригласить вас на адрес вашей учётной записи: его показывает GET /api/v1/me"})
	case i.State == stockhand.InvitationPending && !s.now().Before(i.Expires):
		return stockhand.Invitation{}, over("has expired", "истекло")
	case i.State == stockhand.InvitationAccepted:
		return stockhand.Invitation{}, over("was accepted already", "уже принято")
	case i.State == stockhand.InvitationDeclined:
		return stockhand.Invitation{}, over("was declined already", "уже отклонено")
	case i.State == stockhand.InvitationRevoked:
		return stockhand.Invitation{}, over("was revoked", "отозвано")
	}
	return i, nil
}

// byToken returns an invitation in any state, with the organization's name.
func (s *Service) byToken(ctx context.Context, token string) (stockhand.Invitation, error) {
	if begins, ok := parse(token); !ok || begins != invitationBegins {
		return stockhand.Invitation{}, invalid(stockhand.FieldError{Field: "token",
			Message: "must be the token of an invitation, which begins with " + invitationBegins})
	}
	d := s.digest(token)
	return s.System.InvitationByHash(ctx, d[:])
}

func over(en, ru string) error {
	return &stockhand.Error{Code: stockhand.CodeConflict, Message: "the invitation " + en,
		Hint: "ask an administrator of the organization for a new one",
		RU: stockhand.Words{Message: "приглашение " + ru,
			Hint: "попросите администратора организации пригласить вас ещё раз"}}
}

// about returns an audit entry about an invitation.
func (s *Service) about(a stockhand.Actor, action string, i stockhand.Invitation) stockhand.AuditEntry {
	return s.entry(a, action, about("invitation_id", string(i.ID), "email_hash", s.pseudonym(i.Email),
		"role", string(i.Role)))
}

// SetHome chooses the caller's home organization, which receives their requests without X-Org-Id.
func (s *Service) SetHome(ctx context.Context, a stockhand.Actor, org stockhand.OrgID) error {
	if _, err := s.free(ctx, a); err != nil {
		return err
	}
	err := s.System.SetHome(ctx, a.User, org)
	if stockhand.CodeOf(err) == stockhand.CodeNotFound {
		return invalid(notYourOrganization("home_organization_id"))
	}
	s.changed()
	return err
}

// Leave ends the caller's membership and returns it with the keys that they created, which are revoked. CONFLICT for
// the last owner.
func (s *Service) Leave(ctx context.Context, a stockhand.Actor, org stockhand.OrgID) (stockhand.Departure, error) {
	if err := NeedPerson(a); err != nil {
		return stockhand.Departure{}, err
	}
	if a.Org != org {
		return stockhand.Departure{}, notTheOne()
	}
	return s.remove(ctx, a, org, a.User, "member.left", "")
}

// free returns the calling person if the token is not bound to an organization. A bound token must not reach other
// organizations by joining, choosing or creating them.
func (s *Service) free(ctx context.Context, a stockhand.Actor) (stockhand.User, error) {
	if err := unbound(a); err != nil {
		return stockhand.User{}, err
	}
	return s.System.User(ctx, a.User)
}

func unbound(a stockhand.Actor) error {
	if err := NeedPerson(a); err != nil {
		return err
	}
	if a.Bound != "" {
		return denied(stockhand.Words{Message: "this token acts in one organization only",
			Hint: "use a user token that is not bound to an organization"},
			stockhand.Words{Message: "этот токен действует только в одной организации",
				Hint: "возьмите токен пользователя, который не привязан к организации"})
	}
	return nil
}
