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
		Email string         `json:"email" maxLength:"254" doc:"Whoever has it becomes a member; a person is made when nobody has" example:"anna@example.com"`
		Role  stockhand.Role `json:"role" enum:"owner,admin,member,viewer" doc:"What they may do; only owners make owners"`
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
		Role stockhand.Role `json:"role" enum:"owner,admin,member,viewer" doc:"Only owners make owners, or make them anything else"`
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
