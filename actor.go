package stockhand

import (
	"context"
	"slices"
	"time"
)

// Scope is what a key may do (specification, section 5). Each route names exactly one.
type Scope string

// The scopes of the specification.
const (
	ScopeReadTools  Scope = "read:tools"        // read metadata of tools and connectors
	ScopeWriteTools Scope = "write:tools"       // execute tools and connectors; what a key has when none are named
	ScopeReadData   Scope = "read:data"         // read the organization's data
	ScopeChat       Scope = "chat"              // the OpenAI-compatible endpoint
	ScopeGateway    Scope = "connector:gateway" // direct access to the connector gateway
	ScopeAdmin      Scope = "admin"             // full access; passes every check
)

// Scopes lists all scopes in the specification's order.
func Scopes() []Scope {
	return []Scope{ScopeReadTools, ScopeWriteTools, ScopeReadData, ScopeChat, ScopeGateway, ScopeAdmin}
}

// Role is what a person is in an organization; it gives scopes (product.md, section 3).
type Role string

// The roles.
const (
	RoleOwner  Role = "owner"
	RoleAdmin  Role = "admin"
	RoleMember Role = "member"
	RoleViewer Role = "viewer"
)

// Roles lists the roles, the one that may most first.
func Roles() []Role { return []Role{RoleOwner, RoleAdmin, RoleMember, RoleViewer} }

// Scopes are what the role gives.
func (r Role) Scopes() []Scope {
	switch r {
	case RoleOwner, RoleAdmin:
		return []Scope{ScopeAdmin}
	case RoleMember:
		return []Scope{ScopeReadTools, ScopeWriteTools, ScopeReadData, ScopeChat}
	case RoleViewer:
		return []Scope{ScopeReadTools, ScopeReadData}
	}
	return nil
}

// Actor is who is calling: a key or a person, in one organization.
type Actor struct {
	Org     OrgID
	Name    string // who, as records keep it: "user:usr_…", "key:key_…", "cli:<login name>"
	Person  bool   // a person, who may confirm; a key may only where the organization's setting lets keys
	Key     KeyID  // of a key; empty for a person
	User    UserID // of a person; empty for a key
	Role    Role   // of a person in the organization; empty for a key
	Scopes  []Scope
	Expires time.Time // when the token behind it ends; zero for never
}

// May tells whether the actor has the scope. Admin passes every check (specification, section 5, rule 6).
func (a Actor) May(s Scope) bool {
	return slices.Contains(a.Scopes, s) || slices.Contains(a.Scopes, ScopeAdmin)
}

// MaySee tells whether the actor may see a thing that the named actor started: whoever has read:data may see everything
// of the organization, and anyone what they started themselves (product.md, section 3).
func (a Actor) MaySee(by string) bool {
	return a.May(ScopeReadData) || (by != "" && by == a.Name)
}

type actorKey struct{}

// WithActor returns a context that carries who is calling.
func WithActor(ctx context.Context, a Actor) context.Context {
	return context.WithValue(ctx, actorKey{}, a)
}

// ActorOf returns who is calling; the zero Actor, which may nothing, where nobody said.
func ActorOf(ctx context.Context) Actor {
	a, _ := ctx.Value(actorKey{}).(Actor)
	return a
}
