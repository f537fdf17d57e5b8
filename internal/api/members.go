package api

import (
	"context"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/api/wire"
)

func (s *Server) listMembers(ctx context.Context, in *struct{ Page }) (*List[wire.Member], error) {
	a := stockhand.ActorOf(ctx)
	return pageOf(in.Page, func(m stockhand.Member) stockhand.UserID { return m.User.ID }, wire.MemberOf,
		func(after stockhand.UserID, most int) ([]stockhand.Member, error) {
			return s.Auth.Members(ctx, a, a.Org, after, most)
		})
}

func (s *Server) updateMember(ctx context.Context, in *struct {
	ID   stockhand.UserID `path:"user_id"`
	Body struct {
		Role stockhand.Role `json:"role" enum:"owner,admin,member,viewer" doc:"Only owners can make someone an owner or change an owner's role"`
	}
}) (*Answer[wire.Member], error) {
	a := stockhand.ActorOf(ctx)
	return answerAs(wire.MemberOf)(s.Auth.ChangeRole(ctx, a, a.Org, in.ID, in.Body.Role))
}

func (s *Server) removeMember(ctx context.Context, in *struct {
	ID   stockhand.UserID `path:"user_id"`
	Keys string           `query:"keys" enum:"revoke,transfer" default:"revoke" doc:"What becomes of the keys that the person created: revoke them, with those that they created, or transfer them to you"`
}) (*Answer[wire.Departure], error) {
	a := stockhand.ActorOf(ctx)
	return answerAs(wire.DepartureOf)(s.Auth.RemoveMember(ctx, a, a.Org, in.ID, in.Keys == "transfer"))
}

func (s *Server) leave(ctx context.Context, _ *struct{}) (*Answer[wire.Departure], error) {
	a := stockhand.ActorOf(ctx)
	return answerAs(wire.DepartureOf)(s.Auth.Leave(ctx, a, a.Org))
}

func (s *Server) listMemberTokens(ctx context.Context, in *struct{ Page }) (*List[wire.MemberToken], error) {
	return pageOf(in.Page, func(t stockhand.MemberToken) stockhand.TokenID { return t.ID }, wire.MemberTokenOf,
		func(before stockhand.TokenID, most int) ([]stockhand.MemberToken, error) {
			return s.Auth.MemberTokens(ctx, stockhand.ActorOf(ctx), before, most)
		})
}

func (s *Server) revokeMemberToken(ctx context.Context, in *struct {
	ID stockhand.TokenID `path:"token_id" doc:"The token's id, not its secret"`
}) (*Answer[wire.MemberToken], error) {
	return answerAs(wire.MemberTokenOf)(s.Auth.ExcludeToken(ctx, stockhand.ActorOf(ctx), in.ID))
}
