package signin

import (
	"context"
	"net/url"

	"golang.org/x/text/unicode/norm"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/auth"
)

// InvitationPath is the path of the page on which a person accepts an invitation.
const InvitationPath = LinkPath + "/invitation"

// InvitationLink returns the address of that page for an invitation's token.
func (s *Service) InvitationLink(token string) string {
	return s.URL + InvitationPath + "?" + url.Values{"token": {token}}.Encode()
}

// Invitation returns the pending invitation with that token, for the person who has it. It is the same whether or not
// somebody has an account with its email.
func (s *Service) Invitation(ctx context.Context, token string, from auth.Origin) (stockhand.Invitation, error) {
	if err := s.attemptFrom(ctx, from.IP); err != nil {
		return stockhand.Invitation{}, err
	}
	i, err := s.Auth.PendingInvitation(ctx, token)
	if stockhand.CodeOf(err) == stockhand.CodeNotFound {
		return i, errInvitation
	}
	return i, err
}

// NewPerson is what an invited person chooses for their account. Both may be empty: without a password they are signed
// in and add a passkey or a password afterwards.
type NewPerson struct{ Name, Password string }

// ByInvitation creates an account for the person who has an invitation's token, makes them a member and signs them in
// (rule R175). There is one refusal, whether the token is not good or somebody has an account with that email, whose
// audit log then has it.
func (s *Service) ByInvitation(ctx context.Context, token string, p NewPerson, from auth.Origin) (Outcome, error) {
	i, err := s.Invitation(ctx, token, from)
	if err != nil {
		return Outcome{}, err
	}
	var hash string
	if p.Password != "" {
		password := norm.NFC.String(p.Password)
		if problem := weak(password, stockhand.User{Email: i.Email}); problem != "" {
			return Outcome{}, wrong("password", problem)
		}
		if hash, err = s.hash(ctx, password); err != nil {
			return Outcome{}, err
		}
	}
	in, cookie, done, err := s.Auth.SignUp(ctx, i, p.Name, hash, from)
	if err != nil {
		return Outcome{}, err
	}
	if done {
		return Outcome{SignIn: in, Cookie: cookie}, nil
	}
	u, err := s.System.UserByEmail(ctx, i.Email)
	if err != nil && stockhand.CodeOf(err) != stockhand.CodeNotFound {
		return Outcome{}, err
	}
	_ = s.refuse(ctx, u.ID, stockhand.SignInLink, from)
	return Outcome{}, errInvitation
}

var errInvitation = &stockhand.Error{Code: stockhand.CodeSignInRefused,
	Message: "this invitation creates no account: it was used, has expired or was revoked, or you have an account",
	Hint:    "if you have an account, sign in and accept the invitation there; otherwise ask for a new one",
	RU: stockhand.Words{Message: "по этому приглашению нельзя создать учётную запись: оно использовано, истекло или " +
		"отозвано, либо у вас уже есть учётная запись",
		Hint: "если учётная запись есть, войдите и примите приглашение; если нет, попросите новое"}}
