package api

import (
	"context"
	"encoding/json"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/auth"
)

// APIKey is a key without its secret (rule R28).
type APIKey struct {
	ID         stockhand.KeyID   `json:"id" example:"key_01kahx3e6v8qz5s0m4w7n2c9rt"`
	Name       string            `json:"name" example:"Warehouse scanner"`
	Prefix     string            `json:"prefix" doc:"The beginning of the secret, to identify the key" example:"sk-org-4fJ0cQ2xVb"`
	Scopes     []stockhand.Scope `json:"scopes"`
	CreatedAt  time.Time         `json:"created_at"`
	CreatedBy  string            `json:"created_by" doc:"user:usr_… or key:key_…" example:"user:usr_01kahx3e6v8qz5s0m4w7n2c9rt"`
	ExpiresAt  time.Time         `json:"expires_at"`
	LastUsedAt *time.Time        `json:"last_used_at" doc:"To the minute; null if never used"`
	RevokedAt  *time.Time        `json:"revoked_at" doc:"Null unless revoked"`
	AllowedIPs []string          `json:"allowed_ips,omitempty" doc:"The addresses that may use it; absent if any may"`
	Replaces   stockhand.KeyID   `json:"replaces,omitempty" doc:"The key that it replaced, if it was created by rotation"`
}

// NewAPIKey is a new key with its secret.
type NewAPIKey struct {
	APIKey

	Secret string `json:"secret,omitempty" doc:"The whole key, shown only once: absent when an Idempotency-Key is replayed" example:"sk-org-4fJ0cQ2xVb…"`
}

func keyOf(k stockhand.Key) APIKey {
	return APIKey{
		ID: k.ID, Name: k.Name, Prefix: k.Prefix, Scopes: k.Scopes, CreatedAt: k.Created, CreatedBy: k.By,
		ExpiresAt:  k.Expires,
		LastUsedAt: maybe(k.LastUsed), RevokedAt: maybe(k.Revoked), AllowedIPs: k.AllowedIPs, Replaces: k.Replaces,
	}
}

// maybe returns nil for a zero time.
func maybe(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}

// keyInput is the path of a key.
type keyInput struct {
	ID stockhand.KeyID `path:"key_id" doc:"The key's id, not its secret"`
}

// newKeyInput is the input for a new key.
type newKeyInput struct {
	RawBody []byte
	Body    struct {
		Name          string            `json:"name" minLength:"1" maxLength:"100" doc:"A label for people" example:"Warehouse scanner"`
		Scopes        []stockhand.Scope `json:"scopes,omitempty" minItems:"1" maxItems:"20" enum:"read:tools,write:tools,read:data,chat,connector:gateway,admin" doc:"The key's scopes; by default write:tools"`
		ExpiresInDays int               `json:"expires_in_days,omitempty" minimum:"1" maximum:"365" default:"90" doc:"Lifetime in days of 24 hours"`
		AllowedIPs    []string          `json:"allowed_ips,omitempty" maxItems:"50" doc:"Addresses or CIDR ranges that may use the key; by default any" example:"[\"192.0.2.0/24\"]"`
	}
}

// Resolve refuses null, which huma treats like an absent field: the caller may have meant "no limit".
func (in *newKeyInput) Resolve(huma.Context) (wrong []error) {
	var given map[string]json.RawMessage
	if json.Unmarshal(in.RawBody, &given) != nil {
		return nil // huma reports it
	}
	for _, name := range []string{"scopes", "expires_in_days", "allowed_ips"} {
		if string(given[name]) == "null" {
			wrong = append(wrong, &huma.ErrorDetail{Location: "body." + name,
				Message: "may be omitted, but not null"})
		}
	}
	return wrong
}

func (s *Server) createKey(ctx context.Context, in *newKeyInput) (*Answer[NewAPIKey], error) {
	k, secret, err := s.Auth.CreateKey(ctx, stockhand.ActorOf(ctx), auth.NewKey{
		Name: in.Body.Name, Scopes: in.Body.Scopes, ExpiresInDays: in.Body.ExpiresInDays,
		AllowedIPs: in.Body.AllowedIPs,
	})
	if err != nil {
		return nil, err
	}
	return answerOf(NewAPIKey{keyOf(k), secret})
}

func (s *Server) listKeys(ctx context.Context, in *struct{ Page }) (*List[APIKey], error) {
	before, err := in.after()
	if err != nil {
		return nil, err
	}
	keys, err := s.Auth.Keys(ctx, stockhand.ActorOf(ctx), stockhand.KeyID(before), in.Limit+1)
	if err != nil {
		return nil, err
	}
	return listOf(keys, in.Limit, func(k stockhand.Key) string { return string(k.ID) }, keyOf), nil
}

func (s *Server) getKey(ctx context.Context, in *keyInput) (*Answer[APIKey], error) {
	k, err := s.Auth.Key(ctx, stockhand.ActorOf(ctx), in.ID)
	if err != nil {
		return nil, err
	}
	return answerOf(keyOf(k))
}

func (s *Server) revokeKey(ctx context.Context, in *keyInput) (*Answer[APIKey], error) {
	k, err := s.Auth.RevokeKey(ctx, stockhand.ActorOf(ctx), in.ID)
	if err != nil {
		return nil, err
	}
	return answerOf(keyOf(k))
}

func (s *Server) rotateKey(ctx context.Context, in *struct {
	ID   stockhand.KeyID `path:"key_id" doc:"The key to replace"`
	Body *struct {
		OverlapHours int `json:"overlap_hours,omitempty" minimum:"1" maximum:"720" default:"24" doc:"How long the old key keeps working"`
	}
}) (*Answer[NewAPIKey], error) {
	var overlap time.Duration // the default
	if in.Body != nil {
		overlap = time.Duration(in.Body.OverlapHours) * time.Hour
	}
	k, secret, err := s.Auth.RotateKey(ctx, stockhand.ActorOf(ctx), in.ID, overlap)
	if err != nil {
		return nil, err
	}
	return answerOf(NewAPIKey{keyOf(k), secret})
}

// KeyReport lists keys that need an administrator's attention.
type KeyReport struct {
	Unused   []UnusedScopes `json:"unused" doc:"Keys with scopes that were not used in the last 30 days"`
	Expiring []APIKey       `json:"expiring" doc:"Keys that expire within 14 days, soonest first"`
}

// UnusedScopes are the unused scopes of a key.
type UnusedScopes struct {
	Key    APIKey        `json:"key"`
	Scopes []UnusedScope `json:"scopes"`
}

// UnusedScope is a scope that a key did not use.
type UnusedScope struct {
	Scope      stockhand.Scope `json:"scope"`
	LastUsedAt *time.Time      `json:"last_used_at" doc:"Null if never used"`
}

func (s *Server) getKeyReport(ctx context.Context, _ *struct{}) (*Answer[KeyReport], error) {
	found, err := s.Auth.Report(ctx, stockhand.ActorOf(ctx))
	if err != nil {
		return nil, err
	}
	r := KeyReport{Unused: []UnusedScopes{}, Expiring: []APIKey{}}
	for _, u := range found.Unused {
		one := UnusedScopes{Key: keyOf(u.Key)}
		for _, scope := range u.Scopes {
			one.Scopes = append(one.Scopes, UnusedScope{scope, maybe(u.Key.Used[scope])})
		}
		r.Unused = append(r.Unused, one)
	}
	for _, k := range found.Expiring {
		r.Expiring = append(r.Expiring, keyOf(k))
	}
	return answerOf(r)
}
