package stockhand

import (
	"context"
	"slices"
	"time"
)

// Scope is a permission of a key. Each route requires exactly one (rule R30).
type Scope string

// The scopes.
const (
	ScopeReadTools  Scope = "read:tools"        // read metadata of tools and connectors
	ScopeWriteTools Scope = "write:tools"       // execute tools and connectors; the default of a new key
	ScopeReadData   Scope = "read:data"         // read the organization's data
	ScopeChat       Scope = "chat"              // the OpenAI-compatible endpoint
	ScopeGateway    Scope = "connector:gateway" // direct access to the connector gateway
	ScopeAdmin      Scope = "admin"             // full access; passes every check
)

// Scopes lists all scopes in the order in which they are documented and stored.
func Scopes() []Scope {
	return []Scope{ScopeReadTools, ScopeWriteTools, ScopeReadData, ScopeChat, ScopeGateway, ScopeAdmin}
}

// Role is a person's role in an organization; it gives scopes (rule R35).
type Role string

// The roles.
const (
	RoleOwner  Role = "owner"
	RoleAdmin  Role = "admin"
	RoleMember Role = "member"
	RoleViewer Role = "viewer"
)

// Roles lists the roles, most powerful first.
func Roles() []Role { return []Role{RoleOwner, RoleAdmin, RoleMember, RoleViewer} }

// Scopes returns the scopes that the role gives.
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

// Actor is the caller: a key or a person, in one organization.
type Actor struct {
	Org     OrgID
	Name    string    // as stored in records: "user:usr_…", "key:key_…", "cli:<login name>"
	Person  bool      // a person may confirm drafts; a key only if the organization allows it
	Key     KeyID     // of a key; empty for a person
	Binding Binding   // of a key
	User    UserID    // of a person; empty for a key
	Token   TokenID   // of a person who calls with a token
	Bound   OrgID     // the only organization that a person's token acts in; empty for all of theirs
	SignIn  SignInID  // of a person who calls with a sign-in's cookie instead of a token
	Trial   bool      // it tries a request in the console's API reference, which confirms no drafts (rule R416)
	Proven  time.Time // when that person last proved who they are; zero for everyone else
	Role    Role      // of a person in the organization; empty for a key
	Scopes  []Scope
	Expires time.Time // when its token expires; zero for never
	Since   time.Time // of a person's token: when the first of the tokens was created that led to it
}

// May reports whether the actor has the scope. Admin passes every check (rule R30).
func (a Actor) May(s Scope) bool {
	return slices.Contains(a.Scopes, s) || slices.Contains(a.Scopes, ScopeAdmin)
}

// ProvenWithin reports whether the actor is a person who proved who they are at most d before now. A bearer token never
// passes, however new it is: having it proves nothing.
func (a Actor) ProvenWithin(d time.Duration, now time.Time) bool {
	return a.SignIn != "" && !a.Proven.IsZero() && now.Sub(a.Proven) <= d
}

// MaySee reports whether the actor may see something that the named actor started (rule R36).
func (a Actor) MaySee(by string) bool {
	return a.May(ScopeReadData) || (by != "" && by == a.Name)
}

// AdministersInPerson returns nil for an owner or admin in person. It refuses all others a change of something, named
// in both languages, with AUTH_PERMISSION_DENIED: keys must not lift what restrains them.
func (a Actor) AdministersInPerson(en, ru string) error {
	if a.Name != "" && a.Person && (a.Role == RoleOwner || a.Role == RoleAdmin) {
		return nil
	}
	return &Error{Code: CodePermissionDenied,
		Message: "only an owner or admin of the organization can change " + en + ", in person and not with a key",
		Hint:    "ask an owner or admin to change it with a user token",
		RU: Words{Message: "изменить " + ru +
			" может только владелец или администратор организации — сам, а не ключом",
			Hint: "попросите владельца или администратора сделать это с токеном пользователя"}}
}

type actorKey struct{}

// WithActor returns a context that carries the caller.
func WithActor(ctx context.Context, a Actor) context.Context {
	return context.WithValue(ctx, actorKey{}, a)
}

// ActorOf returns the caller in ctx, or the zero Actor, which has no scopes.
func ActorOf(ctx context.Context) Actor {
	a, _ := ctx.Value(actorKey{}).(Actor)
	return a
}
