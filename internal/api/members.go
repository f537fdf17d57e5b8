package api

import (
	"context"

	"github.com/stockhand/stockhand/internal/api/wire"

	"github.com/stockhand/stockhand"
)

func (s *Server) listMembers(ctx context.Context, in *struct{ Page }) (*List[wire.Member], error) {
	after, err := in.after()
	if err != nil {
		return nil, err
	}
	a := stockhand.ActorOf(ctx)
	members, err := s.Auth.Members(ctx, a, a.Org, stockhand.UserID(after), in.Limit+1)
	if err != nil {
		return nil, err
	}
	return listOf(members, in.Limit, func(m stockhand.Member) string { return string(m.User.ID) }, wire.MemberOf), nil
}

func (s *Server) addMember(ctx context.Context, in *struct {
	Body struct {
		Email string         `json:"email" maxLength:"254" doc:"The person's address; a user is created if it is new" example:"anna@example.com"`
		Role  stockhand.Role `json:"role" enum:"owner,admin,member,viewer" doc:"Only owners can add owners"`
	}
}) (*Answer[wire.Member], error) {
	a := stockhand.ActorOf(ctx)
	m, err := s.Auth.AddMember(ctx, a, a.Org, in.Body.Email, in.Body.Role)
	if err != nil {
		return nil, err
	}
	return answerOf(wire.MemberOf(m))
}

func (s *Server) updateMember(ctx context.Context, in *struct {
	ID   stockhand.UserID `path:"user_id"`
	Body struct {
		Role stockhand.Role `json:"role" enum:"owner,admin,member,viewer" doc:"Only owners can make someone an owner or change an owner's role"`
	}
}) (*Answer[wire.Member], error) {
	a := stockhand.ActorOf(ctx)
	m, err := s.Auth.ChangeRole(ctx, a, a.Org, in.ID, in.Body.Role)
	if err != nil {
		return nil, err
	}
	return answerOf(wire.MemberOf(m))
}

func (s *Server) removeMember(ctx context.Context, in *struct {
	ID stockhand.UserID `path:"user_id"`
}) (*Answer[wire.Member], error) {
	a := stockhand.ActorOf(ctx)
	m, err := s.Auth.RemoveMember(ctx, a, a.Org, in.ID)
	if err != nil {
		return nil, err
	}
	return answerOf(wire.MemberOf(m))
}
