package api

import (
	"context"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/api/wire"
)

func (s *Server) listSignIns(ctx context.Context, in *struct{ Page }) (*List[wire.SignIn], error) {
	a := stockhand.ActorOf(ctx)
	return pageOf(in.Page, func(i stockhand.SignIn) stockhand.SignInID { return i.ID }, wire.SignInOf(a),
		func(before stockhand.SignInID, most int) ([]stockhand.SignIn, error) {
			return s.Auth.SignIns(ctx, a, before, most)
		})
}

func (s *Server) revokeSignIn(ctx context.Context, in *struct {
	ID stockhand.SignInID `path:"sign_in_id" doc:"A sign-in of yours, or current for that of this request"`
}) (*Answer[wire.EndedSignIns], error) {
	a := stockhand.ActorOf(ctx)
	if in.ID == "current" {
		in.ID = a.SignIn
	}
	if err := s.Auth.EndSignIn(ctx, a, in.ID); err != nil {
		return nil, err
	}
	return answerOf(wire.EndedSignIns{Ended: 1})
}

func (s *Server) revokeSignIns(ctx context.Context, in *struct {
	Others bool `query:"others" doc:"Keep the sign-in of this request"`
}) (*Answer[wire.EndedSignIns], error) {
	a := stockhand.ActorOf(ctx)
	var spared stockhand.SignInID
	if in.Others {
		spared = a.SignIn
	}
	ended, err := s.Auth.EndSignIns(ctx, a, spared)
	if err != nil {
		return nil, err
	}
	return answerOf(wire.EndedSignIns{Ended: ended})
}

func (s *Server) updatePassword(ctx context.Context, in *struct {
	Body struct {
		Current string `json:"current_password,omitempty" maxLength:"800" doc:"Required if you have a password"`
		New     string `json:"new_password" maxLength:"800" doc:"10 to 200 characters, and not one that is tried first"`
	}
}) (*struct{}, error) {
	if s.SignIn == nil {
		return nil, errNoRoute
	}
	return nil, s.SignIn.SetPassword(ctx, stockhand.ActorOf(ctx), in.Body.Current, in.Body.New)
}
