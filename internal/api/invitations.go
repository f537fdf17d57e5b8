package api

import (
	"context"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/api/wire"
	"github.com/stockhand/stockhand/internal/auth"
)

// invitationInput is the path of an invitation.
type invitationInput struct {
	ID stockhand.InvitationID `path:"invitation_id" doc:"The invitation's id, not its token"`
}

// invitationTokenInput is the body for accepting or declining an invitation with its token.
type invitationTokenInput struct {
	Body struct {
		Token string `json:"token" minLength:"1" maxLength:"100" doc:"The invitation's token, sk-inv-…" example:"sk-inv-4fJ0cQ2xVb…"`
	}
}

func (s *Server) createInvitation(ctx context.Context, in *struct {
	Body struct {
		Email string         `json:"email" maxLength:"254" doc:"The person's address. The answer is the same whether or not it belongs to a user" example:"anna@example.com"`
		Role  stockhand.Role `json:"role" enum:"owner,admin,member,viewer" doc:"Only owners invite owners; API keys invite viewers only"`
	}
}) (*Answer[wire.NewInvitation], error) {
	i, token, err := s.Auth.Invite(ctx, stockhand.ActorOf(ctx), in.Body.Email, in.Body.Role)
	if err != nil {
		return nil, err
	}
	made := wire.NewInvitation{Invitation: wire.InvitationOf(i), Secret: token}
	if s.SignIn != nil {
		made.URL = s.SignIn.InvitationLink(token)
	}
	return answerOf(made)
}

func (s *Server) listInvitations(ctx context.Context, in *struct{ Page }) (*List[wire.Invitation], error) {
	return pageOf(in.Page, invitationID, wire.InvitationOf,
		func(before stockhand.InvitationID, most int) ([]stockhand.Invitation, error) {
			return s.Auth.Invitations(ctx, stockhand.ActorOf(ctx), before, most)
		})
}

func (s *Server) revokeInvitation(ctx context.Context, in *invitationInput) (*Answer[wire.Invitation], error) {
	return answerAs(wire.InvitationOf)(s.Auth.RevokeInvitation(ctx, stockhand.ActorOf(ctx), in.ID))
}

func (s *Server) listOwnInvitations(ctx context.Context, in *struct{ Page }) (*List[wire.OwnInvitation], error) {
	return pageOf(in.Page, invitationID, wire.OwnInvitationOf,
		func(before stockhand.InvitationID, most int) ([]stockhand.Invitation, error) {
			return s.Auth.OwnInvitations(ctx, stockhand.ActorOf(ctx), before, most)
		})
}

func (s *Server) acceptInvitation(ctx context.Context, in *invitationTokenInput) (*Answer[wire.Joined], error) {
	return s.accept(ctx, auth.Invited{Token: in.Body.Token})
}

func (s *Server) acceptOwnInvitation(ctx context.Context, in *invitationInput) (*Answer[wire.Joined], error) {
	return s.accept(ctx, auth.Invited{ID: in.ID})
}

func (s *Server) accept(ctx context.Context, which auth.Invited) (*Answer[wire.Joined], error) {
	return answerAs(func(m stockhand.Member) wire.Joined { return wire.Joined{Organization: m.Org, Role: m.Role} })(
		s.Auth.Accept(ctx, stockhand.ActorOf(ctx), which))
}

func (s *Server) declineInvitation(ctx context.Context, in *invitationTokenInput) (*Answer[wire.Invitation], error) {
	return answerAs(wire.InvitationOf)(
		s.Auth.Decline(ctx, stockhand.ActorOf(ctx), auth.Invited{Token: in.Body.Token}))
}

func (s *Server) declineOwnInvitation(ctx context.Context, in *invitationInput) (*Answer[wire.Invitation], error) {
	return answerAs(wire.InvitationOf)(s.Auth.Decline(ctx, stockhand.ActorOf(ctx), auth.Invited{ID: in.ID}))
}

func invitationID(i stockhand.Invitation) stockhand.InvitationID { return i.ID }
