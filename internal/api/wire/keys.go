package wire

import (
	"time"

	"github.com/stockhand/stockhand"
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
	BoundTo    stockhand.Binding `json:"bound_to,omitzero" doc:"The connections, agents and tools that it is bound to; absent if to none"`
	Replaces   stockhand.KeyID   `json:"replaces,omitempty" doc:"The key that it replaced, if it was created by rotation"`
	Parent     stockhand.KeyID   `json:"parent,omitempty" doc:"The key that created it; absent if a person did"`
}

// RevokedKey is a key that was revoked, with what ended with it.
type RevokedKey struct {
	APIKey

	AlsoRevoked   []stockhand.KeyID `json:"also_revoked" doc:"The keys that it created and that were revoked with it"`
	CancelledRuns int               `json:"cancelled_runs" doc:"Unfinished runs of these keys, which were cancelled"`
}

// RevokedKeyOf converts a revocation.
func RevokedKeyOf(r stockhand.Revocation) RevokedKey {
	return RevokedKey{APIKey: KeyOf(r.Key), AlsoRevoked: append([]stockhand.KeyID{}, r.Also...), CancelledRuns: r.Runs}
}

// NewAPIKey is a new key with its secret.
type NewAPIKey struct {
	APIKey

	Secret string `json:"secret,omitempty" doc:"The whole key, shown only once: absent when an Idempotency-Key is replayed" example:"sk-org-4fJ0cQ2xVb…"`
}

// KeyOf converts a key.
func KeyOf(k stockhand.Key) APIKey {
	return APIKey{
		ID: k.ID, Name: k.Name, Prefix: k.Prefix, Scopes: k.Scopes, CreatedAt: k.Created, CreatedBy: k.By,
		ExpiresAt:  k.Expires,
		LastUsedAt: TimeOrNull(k.LastUsed), RevokedAt: TimeOrNull(k.Revoked), AllowedIPs: k.AllowedIPs,
		BoundTo: k.Binding, Replaces: k.Replaces, Parent: k.Parent,
	}
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
