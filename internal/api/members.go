package api

import (
	"context"
	"time"

	"github.com/stockhand/stockhand"
)

// Member is a person in the organization.
type Member struct {
	UserID    stockhand.UserID `json:"user_id" example:"usr_01kahx3e6v8qz5s0m4w7n2c9rt"`
	Email     string           `json:"email" example:"anna@example.com"`
	Name      string           `json:"name" doc:"May be empty"`
	Role      stockhand.Role   `json:"role" enum:"owner,admin,member,viewer"`
	CreatedAt time.Time        `json:"created_at" doc:"When they became a member"`
}

func memberOf(m stockhand.Member) Member {
	return Member{UserID: m.User.ID, Email: m.User.Email, Name: m.User.Name, Role: m.Role, CreatedAt: m.Created}
}

func (s *Server) listMembers(ctx context.Context, in *struct{ Page }) (*List[Member], error) {
	after, err := in.after()
	if err != nil {
		return nil, err
	}
	a := stockhand.ActorOf(ctx)
	members, err := s.Auth.Members(ctx, a, a.Org, stockhand.UserID(after), in.Limit+1)
	if err != nil {
		return nil, err
	}
	return listOf(members, in.Limit, func(m stockhand.Member) string { return string(m.User.ID) }, memberOf), nil
}

func (s *Server) addMember(ctx context.Context, in *struct {
	Body struct {
		Email string         `json:"email" maxLength:"254" doc:"The person's address; a user is created if it is new" example:"anna@example.com"`
		Role  stockhand.Role `json:"role" enum:"owner,admin,member,viewer" doc:"Only owners can add owners"`
	}
}) (*Answer[Member], error) {
	a := stockhand.ActorOf(ctx)
	m, err := s.Auth.AddMember(ctx, a, a.Org, in.Body.Email, in.Body.Role)
	if err != nil {
		return nil, err
	}
	return answerOf(memberOf(m))
}

func (s *Server) updateMember(ctx context.Context, in *struct {
	ID   stockhand.UserID `path:"user_id"`
	Body struct {
		Role stockhand.Role `json:"role" enum:"owner,admin,member,viewer" doc:"Only owners can make someone an owner or change an owner's role"`
	}
}) (*Answer[Member], error) {
	a := stockhand.ActorOf(ctx)
	m, err := s.Auth.ChangeRole(ctx, a, a.Org, in.ID, in.Body.Role)
	if err != nil {
		return nil, err
	}
	return answerOf(memberOf(m))
}

func (s *Server) removeMember(ctx context.Context, in *struct {
	ID stockhand.UserID `path:"user_id"`
}) (*Answer[Member], error) {
	a := stockhand.ActorOf(ctx)
	m, err := s.Auth.RemoveMember(ctx, a, a.Org, in.ID)
	if err != nil {
		return nil, err
	}
	return answerOf(memberOf(m))
}
