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

// Invite offers a membership to the person with that email and returns the invitation's token, which nothing can show
// again. Whether there is a user with that email changes nothing in the answer. Only owners invite owners, and keys
// invite viewers only. CONFLICT when a member has that email, or it is invited already, or with [MostPending].
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

// Invitations lists the pending invitations of the actor's organization, the newest first: at most limit (1–200, 0 for
// 50) of those made before the one that ended the page before.
func (s *Service) Invitations(ctx context.Context, a stockhand.Actor, before stockhand.InvitationID, limit int) (
	[]stockhand.Invitation, error) {
	if err := administers(a, a.Org); err != nil {
		return nil, err
	}
	return s.Store.Invitations(ctx, a.Org, before, s.now(), limit)
}

// RevokeInvitation ends a pending invitation of the actor's organization. One that was revoked before stays as it is.
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

// OwnInvitations lists the pending invitations to the calling person's email, with the organizations' names, in pages
// as [Service.Invitations].
func (s *Service) OwnInvitations(ctx context.Context, a stockhand.Actor, before stockhand.InvitationID, limit int) (
	[]stockhand.Invitation, error) {
	u, err := s.free(ctx, a)
	if err != nil {
		return nil, err
	}
	return s.System.InvitationsTo(ctx, u.Email, before, s.now(), limit)
}

// An Invited names an invitation as the invited person knows it: by its token, or by its id in their list.
type Invited struct {
	Token string
	ID    stockhand.InvitationID
}

// Accept makes the calling person a member as the invitation offers. Their other memberships, and where their calls go,
// stay as they are; only a person's first organization becomes their home.
//
// NOT_FOUND when there is no such invitation, AUTH_PERMISSION_DENIED when it is for another email, CONFLICT when it is
// not pending any more, and when the person or the organization is at a limit.
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

// Decline ends an invitation to the calling person. Errors are those of [Service.Accept].
func (s *Service) Decline(ctx context.Context, a stockhand.Actor, which Invited) (stockhand.Invitation, error) {
	i, err := s.offered(ctx, a, which)
	if err != nil {
		return stockhand.Invitation{}, err
	}
	i.State = stockhand.InvitationDeclined
	return i, s.Store.EndInvitation(ctx, i.Org, i.ID, s.now(), i.State, s.about(a, "invitation.declined", i))
}

// offered finds an invitation that the calling person can answer.
func (s *Service) offered(ctx context.Context, a stockhand.Actor, which Invited) (stockhand.Invitation, error) {
	u, err := s.free(ctx, a)
	if err != nil {
		return stockhand.Invitation{}, err
	}
	var i stockhand.Invitation
	if which.Token == "" {
		i, err = s.System.InvitationTo(ctx, u.Email, which.ID)
	} else if begins, ok := parse(which.Token); !ok || begins != invitationBegins {
		return i, invalid(stockhand.FieldError{Field: "token",
			Message: "must be the token of an invitation, which begins with " + invitationBegins})
	} else {
		d := s.digest(which.Token)
		i, err = s.System.InvitationByHash(ctx, d[:])
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

func over(en, ru string) error {
	return &stockhand.Error{Code: stockhand.CodeConflict, Message: "the invitation " + en,
		Hint: "ask an administrator of the organization for a new one",
		RU: stockhand.Words{Message: "приглашение " + ru,
			Hint: "попросите администратора организации пригласить вас ещё раз"}}
}

// about is the audit entry for what an actor did with an invitation.
func (s *Service) about(a stockhand.Actor, action string, i stockhand.Invitation) stockhand.AuditEntry {
	return s.entry(a, action, about("invitation_id", string(i.ID), "email", i.Email, "role", string(i.Role)))
}

// SetHome makes one of the calling person's organizations the one that their calls go to when they name none.
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

// Leave ends the calling person's own membership, and returns what it was with the keys that they created, which are
// revoked. The last owner stays (CONFLICT).
func (s *Service) Leave(ctx context.Context, a stockhand.Actor, org stockhand.OrgID) (stockhand.Departure, error) {
	if err := person(a); err != nil {
		return stockhand.Departure{}, err
	}
	if a.Org != org {
		return stockhand.Departure{}, notTheOne()
	}
	return s.remove(ctx, a, org, a.User, "member.left", "")
}

// free is the calling person, with a token that is not bound to one organization: what a bound one may not reach must
// not be joined, chosen or created with it either.
func (s *Service) free(ctx context.Context, a stockhand.Actor) (stockhand.User, error) {
	if err := unbound(a); err != nil {
		return stockhand.User{}, err
	}
	return s.System.User(ctx, a.User)
}

func unbound(a stockhand.Actor) error {
	if err := person(a); err != nil {
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
