package stockhand

import "time"

// Invitation offers a membership to the owner of an email address. It does not reveal whether a user with that address
// exists: no user is created or looked up until it is accepted (rule R90).
type Invitation struct {
	ID      InvitationID
	Org     OrgID
	OrgName string // set where the invited person sees it
	Email   string // in lower case
	Role    Role
	By      string // the name of the actor who invited
	Created time.Time
	Expires time.Time
	State   InvitationState
}

// InvitationState is the state of an invitation. A pending invitation ends when it expires.
type InvitationState string

// The states of an invitation.
const (
	InvitationPending  InvitationState = "pending"
	InvitationAccepted InvitationState = "accepted"
	InvitationDeclined InvitationState = "declined"
	InvitationRevoked  InvitationState = "revoked"
)
