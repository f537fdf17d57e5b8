package api

import (
	"context"
	"time"

	"github.com/stockhand/stockhand"
)

// Me is the caller.
type Me struct {
	Actor        Caller            `json:"actor"`
	Organization *Organization     `json:"organization" doc:"The organization of the request; null if you belong to none, or to several and named none"`
	Role         stockhand.Role    `json:"role,omitempty" enum:"owner,admin,member,viewer" doc:"A user's role in the organization"`
	Scopes       []stockhand.Scope `json:"scopes"`
	ExpiresAt    *time.Time        `json:"expires_at" doc:"When the token of this request expires; null for never"`
}

// Caller is a key or a user.
type Caller struct {
	Type   string `json:"type" enum:"key,user"`
	ID     string `json:"id" example:"key_01kahx3e6v8qz5s0m4w7n2c9rt"`
	Name   string `json:"name" doc:"May be empty for a user"`
	Email  string `json:"email,omitempty" doc:"Users only"`
	Prefix string `json:"prefix,omitempty" doc:"Keys only: the beginning of the secret"`
}

func (s *Server) getMe(ctx context.Context, _ *struct{}) (*Answer[Me], error) {
	a := stockhand.ActorOf(ctx)
	me := Me{Role: a.Role, Scopes: []stockhand.Scope{}, ExpiresAt: maybe(a.Expires)}
	me.Scopes = append(me.Scopes, a.Scopes...)
	if a.Person {
		u, err := s.Auth.User(ctx, a.User)
		if err != nil {
			return nil, err
		}
		me.Actor = Caller{Type: "user", ID: string(u.ID), Name: u.Name, Email: u.Email}
	} else {
		k, err := s.Auth.Self(ctx, a)
		if err != nil {
			return nil, err
		}
		me.Actor = Caller{Type: "key", ID: string(k.ID), Name: k.Name, Prefix: k.Prefix}
	}
	if a.Org != "" {
		o, err := s.Store.Organization(ctx, a.Org)
		if err != nil {
			return nil, err
		}
		shown := organizationOf(o)
		me.Organization = &shown
	}
	return answerOf(me)
}

// UserToken is a user's token without its secret.
type UserToken struct {
	ID         stockhand.TokenID `json:"id" example:"tok_01kahx3e6v8qz5s0m4w7n2c9rt"`
	Name       string            `json:"name" example:"Laptop"`
	Prefix     string            `json:"prefix" doc:"The beginning of the secret, to identify the token" example:"sk-usr-4fJ0cQ2xVb"`
	CreatedAt  time.Time         `json:"created_at"`
	ExpiresAt  *time.Time        `json:"expires_at" doc:"Null for never"`
	LastUsedAt *time.Time        `json:"last_used_at" doc:"To the minute; null if never used"`
	RevokedAt  *time.Time        `json:"revoked_at" doc:"Null unless revoked"`
}

// NewUserToken is a new token with its secret.
type NewUserToken struct {
	UserToken

	Secret string `json:"secret,omitempty" doc:"The whole token, shown only once: absent when an Idempotency-Key is replayed" example:"sk-usr-4fJ0cQ2xVb…"`
}

func tokenOf(t stockhand.UserToken) UserToken {
	return UserToken{
		ID: t.ID, Name: t.Name, Prefix: t.Prefix, CreatedAt: t.Created, ExpiresAt: maybe(t.Expires),
		LastUsedAt: maybe(t.LastUsed), RevokedAt: maybe(t.Revoked),
	}
}

func (s *Server) listTokens(ctx context.Context, in *struct{ Page }) (*List[UserToken], error) {
	before, err := in.after()
	if err != nil {
		return nil, err
	}
	tokens, err := s.Auth.Tokens(ctx, stockhand.ActorOf(ctx), stockhand.TokenID(before), in.Limit+1)
	if err != nil {
		return nil, err
	}
	return listOf(tokens, in.Limit, func(t stockhand.UserToken) string { return string(t.ID) }, tokenOf), nil
}

func (s *Server) createToken(ctx context.Context, in *struct {
	Body struct {
		Name          string `json:"name" minLength:"1" maxLength:"100" doc:"A label for people" example:"Laptop"`
		ExpiresInDays int    `json:"expires_in_days,omitempty" minimum:"1" maximum:"365" doc:"Lifetime in days of 24 hours; unlimited by default"`
	}
}) (*Answer[NewUserToken], error) {
	var ends time.Time
	if d := in.Body.ExpiresInDays; d > 0 {
		ends = time.Now().Add(time.Duration(d) * 24 * time.Hour)
	}
	t, secret, err := s.Auth.CreateToken(ctx, stockhand.ActorOf(ctx), in.Body.Name, ends)
	if err != nil {
		return nil, err
	}
	return answerOf(NewUserToken{tokenOf(t), secret})
}

func (s *Server) revokeToken(ctx context.Context, in *struct {
	ID stockhand.TokenID `path:"token_id" doc:"The token's id, not its secret"`
}) (*Answer[UserToken], error) {
	t, err := s.Auth.RevokeToken(ctx, stockhand.ActorOf(ctx), in.ID)
	if err != nil {
		return nil, err
	}
	return answerOf(tokenOf(t))
}
