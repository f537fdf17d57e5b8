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

// ErrEmailUnproven is the error of giving rights to an account by its email while somebody else may have created it.
var ErrEmailUnproven = &Error{Code: CodeConflict,
	Message: "the account was created with an invitation, and nothing proves that the address is theirs",
	Hint:    "let the owner of the address sign in first, with: stockhand users link EMAIL",
	RU: Words{Message: "учётная запись создана по приглашению, и ничто не подтверждает, что адрес принадлежит её владельцу",
		Hint: "пусть владелец адреса сначала войдёт по ссылке: stockhand users link EMAIL"}}

// InvitationState is the state of an invitation. A pending invitation ends when it expires.
type InvitationState string

// The states of an invitation.
const (
	InvitationPending  InvitationState = "pending"
	InvitationAccepted InvitationState = "accepted"
	InvitationDeclined InvitationState = "declined"
	InvitationRevoked  InvitationState = "revoked"
)
