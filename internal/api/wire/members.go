package wire

import (
	"time"

	"github.com/stockhand/stockhand"
)

// Member is a person in the organization.
type Member struct {
	UserID    stockhand.UserID `json:"user_id" example:"usr_01kahx3e6v8qz5s0m4w7n2c9rt"`
	Email     string           `json:"email" example:"anna@example.com"`
	Name      string           `json:"name" doc:"May be empty"`
	Role      stockhand.Role   `json:"role" enum:"owner,admin,member,viewer"`
	CreatedAt time.Time        `json:"created_at" doc:"When they became a member"`
}

// MemberOf converts a member.
func MemberOf(m stockhand.Member) Member {
	return Member{UserID: m.User.ID, Email: m.User.Email, Name: m.User.Name, Role: m.Role, CreatedAt: m.Created}
}

// Departure is a membership that has ended.
type Departure struct {
	Member

	Keys            []APIKey `json:"keys" doc:"The keys that the person created and that were still valid"`
	KeysTransferred bool     `json:"keys_transferred" doc:"Whether these keys now belong to you; otherwise they are revoked"`
}

// DepartureOf converts a departure.
func DepartureOf(d stockhand.Departure) Departure {
	out := Departure{Member: MemberOf(d.Member), Keys: []APIKey{}, KeysTransferred: d.Transferred}
	for _, k := range d.Keys {
		out.Keys = append(out.Keys, KeyOf(k))
	}
	return out
}

// Invitation is an offer of membership without its token.
type Invitation struct {
	ID        stockhand.InvitationID    `json:"id" example:"inv_01kahx3e6v8qz5s0m4w7n2c9rt"`
	Email     string                    `json:"email" example:"anna@example.com"`
	Role      stockhand.Role            `json:"role" enum:"owner,admin,member,viewer"`
	State     stockhand.InvitationState `json:"state" enum:"pending,accepted,declined,revoked"`
	CreatedAt time.Time                 `json:"created_at"`
	ExpiresAt time.Time                 `json:"expires_at"`
}

// NewInvitation is a new invitation with its token.
type NewInvitation struct {
	Invitation

	Secret string `json:"secret,omitempty" doc:"The invitation's token for the invited person, shown only once: absent when an Idempotency-Key is replayed" example:"sk-inv-4fJ0cQ2xVb…"`
	URL    string `json:"url,omitempty" doc:"The page on which the person accepts, also without an account. It contains the secret" example:"https://stockhand.example.org/sign-in/invitation?token=sk-inv-4fJ0cQ2xVb…"`
}

// InvitationOf converts an invitation.
func InvitationOf(i stockhand.Invitation) Invitation {
	return Invitation{ID: i.ID, Email: i.Email, Role: i.Role, State: i.State, CreatedAt: i.Created,
		ExpiresAt: i.Expires}
}

// OwnInvitation is an invitation as the invited person sees it.
type OwnInvitation struct {
	ID               stockhand.InvitationID `json:"id" example:"inv_01kahx3e6v8qz5s0m4w7n2c9rt"`
	Organization     stockhand.OrgID        `json:"organization_id" example:"org_01kahx3e6v8qz5s0m4w7n2c9rt"`
	OrganizationName string                 `json:"organization_name" doc:"Chosen by that organization; show it as plain text" example:"Shop"`
	Role             stockhand.Role         `json:"role" enum:"owner,admin,member,viewer"`
	CreatedAt        time.Time              `json:"created_at"`
	ExpiresAt        time.Time              `json:"expires_at"`
}

// OwnInvitationOf converts an invitation for the invited person.
func OwnInvitationOf(i stockhand.Invitation) OwnInvitation {
	return OwnInvitation{ID: i.ID, Organization: i.Org, OrganizationName: i.OrgName, Role: i.Role,
		CreatedAt: i.Created, ExpiresAt: i.Expires}
}

// Joined is the membership that an accepted invitation gave.
type Joined struct {
	Organization stockhand.OrgID `json:"organization_id" example:"org_01kahx3e6v8qz5s0m4w7n2c9rt"`
	Role         stockhand.Role  `json:"role" enum:"owner,admin,member,viewer"`
}

// MemberToken is a member's user token, as the organization's administrators see it.
type MemberToken struct {
	ID         stockhand.TokenID `json:"id" example:"tok_01kahx3e6v8qz5s0m4w7n2c9rt"`
	UserID     stockhand.UserID  `json:"user_id"`
	Email      string            `json:"email"`
	Name       string            `json:"name" example:"Laptop"`
	Bound      bool              `json:"bound" doc:"It acts in this organization only"`
	CreatedAt  time.Time         `json:"created_at"`
	ExpiresAt  *time.Time        `json:"expires_at"`
	LastUsedAt *time.Time        `json:"last_used_at" doc:"To the minute, in any organization; null if never used"`
}

// MemberTokenOf converts a member's token.
func MemberTokenOf(t stockhand.MemberToken) MemberToken {
	return MemberToken{ID: t.ID, UserID: t.User, Email: t.Of.Email, Name: t.Name, Bound: t.Org != "",
		CreatedAt: t.Created, ExpiresAt: TimeOrNull(t.Expires), LastUsedAt: TimeOrNull(t.LastUsed)}
}
