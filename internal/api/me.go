package api

import (
	"context"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/api/wire"
	"github.com/stockhand/stockhand/internal/auth"
)

func (s *Server) getMe(ctx context.Context, _ *struct{}) (*Answer[wire.Me], error) {
	a := stockhand.ActorOf(ctx)
	me := wire.Me{Role: a.Role, Scopes: []stockhand.Scope{}, ExpiresAt: wire.TimeOrNull(a.Expires)}
	me.Scopes = append(me.Scopes, a.Scopes...)
	if a.Person {
		u, err := s.Auth.User(ctx, a.User)
		if err != nil {
			return nil, err
		}
		me.Actor = wire.Caller{Type: "user", ID: string(u.ID), Name: u.Name, Email: u.Email}
	} else {
		k, err := s.Auth.Self(ctx, a)
		if err != nil {
			return nil, err
		}
		me.BoundTo = a.Binding
		me.Actor = wire.Caller{Type: "key", ID: string(k.ID), Name: k.Name, Prefix: k.Prefix}
	}
	if a.Org != "" {
		o, err := s.Store.Organization(ctx, a.Org)
		if err != nil {
			return nil, err
		}
		shown := wire.OrganizationOf(o)
		me.Organization = &shown
	}
	return answerOf(me)
}

func (s *Server) updateMe(ctx context.Context, in *struct {
	Body struct {
		Home stockhand.OrgID `json:"home_organization_id" doc:"One of your organizations: your requests without X-Org-Id go there"`
	}
}) (*Answer[wire.Me], error) {
	a := stockhand.ActorOf(ctx)
	if err := s.Auth.SetHome(ctx, a, in.Body.Home); err != nil {
		return nil, err
	}
	return s.getMe(ctx, nil)
}

func (s *Server) listTokens(ctx context.Context, in *struct{ Page }) (*List[wire.UserToken], error) {
	return pageOf(in.Page, func(t stockhand.UserToken) stockhand.TokenID { return t.ID }, wire.TokenOf,
		func(before stockhand.TokenID, most int) ([]stockhand.UserToken, error) {
			return s.Auth.Tokens(ctx, stockhand.ActorOf(ctx), before, most)
		})
}

func (s *Server) createToken(ctx context.Context, in *struct {
	Body struct {
		Name          string          `json:"name" minLength:"1" maxLength:"100" doc:"A label for people" example:"Laptop"`
		ExpiresInDays int             `json:"expires_in_days,omitempty" minimum:"1" maximum:"365" doc:"Lifetime in days of 24 hours; 365 by default. A token ends no later than the one that creates it"`
		OrgID         stockhand.OrgID `json:"organization_id,omitempty" doc:"The only organization that the token acts in; all of yours by default"`
	}
}) (*Answer[wire.NewUserToken], error) {
	var ends time.Time
	if d := in.Body.ExpiresInDays; d > 0 {
		ends = time.Now().Add(time.Duration(d) * 24 * time.Hour)
	}
	t, secret, err := s.Auth.CreateToken(ctx, stockhand.ActorOf(ctx),
		auth.NewToken{Name: in.Body.Name, Expires: ends, Org: in.Body.OrgID})
	if err != nil {
		return nil, err
	}
	return answerOf(wire.NewUserToken{UserToken: wire.TokenOf(t), Secret: secret})
}

func (s *Server) revokeToken(ctx context.Context, in *struct {
	ID stockhand.TokenID `path:"token_id" doc:"The token's id, not its secret"`
}) (*Answer[wire.UserToken], error) {
	return answerAs(wire.TokenOf)(s.Auth.RevokeToken(ctx, stockhand.ActorOf(ctx), in.ID))
}
