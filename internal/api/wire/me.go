package wire

import (
	"time"

	"github.com/stockhand/stockhand"
)

// Me is the caller.
type Me struct {
	Actor        Caller            `json:"actor"`
	Organization *Organization     `json:"organization" doc:"The organization of the request; null if you belong to none, or named none and have no home organization"`
	Role         stockhand.Role    `json:"role,omitempty" enum:"owner,admin,member,viewer" doc:"A user's role in the organization"`
	Scopes       []stockhand.Scope `json:"scopes"`
	BoundTo      stockhand.Binding `json:"bound_to,omitzero" doc:"The connections, agents and tools that the key is bound to; absent if to none"`
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

// UserToken is a user's token without its secret.
type UserToken struct {
	ID         stockhand.TokenID `json:"id" example:"tok_01kahx3e6v8qz5s0m4w7n2c9rt"`
	Name       string            `json:"name" example:"Laptop"`
	OrgID      *stockhand.OrgID  `json:"organization_id" doc:"The only organization that it acts in; null for all of yours"`
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

// TokenOf converts a user token.
func TokenOf(t stockhand.UserToken) UserToken {
	return UserToken{
		ID: t.ID, Name: t.Name, OrgID: OrNull(t.Org), Prefix: t.Prefix, CreatedAt: t.Created,
		ExpiresAt:  TimeOrNull(t.Expires),
		LastUsedAt: TimeOrNull(t.LastUsed), RevokedAt: TimeOrNull(t.Revoked),
	}
}
