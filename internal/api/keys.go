package api

import (
	"context"
	"encoding/json"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/api/wire"
	"github.com/stockhand/stockhand/internal/auth"
)

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

		Connections []stockhand.ConnectionID `json:"connections,omitempty" minItems:"1" maxItems:"50" doc:"The only connections that the key may use"`
		Agents      []stockhand.AgentID      `json:"agents,omitempty" minItems:"1" maxItems:"50" doc:"The only agents that it may give tasks to; it calls no tool directly then"`
		Tools       []string                 `json:"tools,omitempty" minItems:"1" maxItems:"50" doc:"The only tools that it may call, also through an agent"`
	}
}

// Resolve rejects null, which huma treats like a missing field: the caller may have meant "no limit".
func (in *newKeyInput) Resolve(huma.Context) (wrong []error) {
	var given map[string]json.RawMessage
	if json.Unmarshal(in.RawBody, &given) != nil {
		return nil // huma reports it
	}
	for _, name := range []string{"scopes", "expires_in_days", "allowed_ips", "connections", "agents", "tools"} {
		if string(given[name]) == "null" {
			wrong = append(wrong, &huma.ErrorDetail{Location: "body." + name,
				Message: "may be omitted, but not null"})
		}
	}
	return wrong
}

func (s *Server) createKey(ctx context.Context, in *newKeyInput) (*Answer[wire.NewAPIKey], error) {
	bound := stockhand.Binding{Connections: in.Body.Connections, Agents: in.Body.Agents, Tools: in.Body.Tools}
	if err := s.checkBinding(ctx, bound); err != nil {
		return nil, err
	}
	k, secret, err := s.Auth.CreateKey(ctx, stockhand.ActorOf(ctx), auth.NewKey{
		Binding: bound,
		Name:    in.Body.Name, Scopes: in.Body.Scopes, ExpiresInDays: in.Body.ExpiresInDays,
		AllowedIPs: in.Body.AllowedIPs,
	})
	if err != nil {
		return nil, err
	}
	return answerOf(wire.NewAPIKey{APIKey: wire.KeyOf(k), Secret: secret})
}

func (s *Server) listKeys(ctx context.Context, in *struct{ Page }) (*List[wire.APIKey], error) {
	return pageOf(in.Page, func(k stockhand.Key) stockhand.KeyID { return k.ID }, wire.KeyOf,
		func(before stockhand.KeyID, most int) ([]stockhand.Key, error) {
			return s.Auth.Keys(ctx, stockhand.ActorOf(ctx), before, most)
		})
}

func (s *Server) getKey(ctx context.Context, in *keyInput) (*Answer[wire.APIKey], error) {
	return answerAs(wire.KeyOf)(s.Auth.Key(ctx, stockhand.ActorOf(ctx), in.ID))
}

func (s *Server) revokeKey(ctx context.Context, in *struct {
	ID   stockhand.KeyID `path:"key_id" doc:"The key's id, not its secret"`
	Tree bool            `query:"tree" default:"true" doc:"Also revoke the keys that it created, themselves or through others"`
}) (*Answer[wire.RevokedKey], error) {
	return answerAs(wire.RevokedKeyOf)(s.Auth.RevokeKey(ctx, stockhand.ActorOf(ctx), in.ID, in.Tree))
}

func (s *Server) rotateKey(ctx context.Context, in *struct {
	ID   stockhand.KeyID `path:"key_id" doc:"The key to replace"`
	Body *struct {
		OverlapHours int `json:"overlap_hours,omitempty" minimum:"1" maximum:"720" default:"24" doc:"How long the old key keeps working"`
	}
}) (*Answer[wire.NewAPIKey], error) {
	var overlap time.Duration // the default
	if in.Body != nil {
		overlap = time.Duration(in.Body.OverlapHours) * time.Hour
	}
	k, secret, err := s.Auth.RotateKey(ctx, stockhand.ActorOf(ctx), in.ID, overlap)
	if err != nil {
		return nil, err
	}
	return answerOf(wire.NewAPIKey{APIKey: wire.KeyOf(k), Secret: secret})
}

func (s *Server) getKeyReport(ctx context.Context, _ *struct{}) (*Answer[wire.KeyReport], error) {
	found, err := s.Auth.Report(ctx, stockhand.ActorOf(ctx))
	if err != nil {
		return nil, err
	}
	r := wire.KeyReport{Unused: []wire.UnusedScopes{}, Expiring: []wire.APIKey{}}
	for _, u := range found.Unused {
		one := wire.UnusedScopes{Key: wire.KeyOf(u.Key)}
		for _, scope := range u.Scopes {
			one.Scopes = append(one.Scopes,
				wire.UnusedScope{Scope: scope, LastUsedAt: wire.TimeOrNull(u.Key.Used[scope])})
		}
		r.Unused = append(r.Unused, one)
	}
	for _, k := range found.Expiring {
		r.Expiring = append(r.Expiring, wire.KeyOf(k))
	}
	return answerOf(r)
}
