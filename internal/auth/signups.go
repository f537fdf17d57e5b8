package auth

import (
	"context"

	"github.com/stockhand/stockhand"
)

// PendingInvitation returns the pending invitation with that token, with the organization's name. NOT_FOUND for every
// other token. It tells nothing about users.
func (s *Service) PendingInvitation(ctx context.Context, token string) (stockhand.Invitation, error) {
	i, err := s.byToken(ctx, token)
	if stockhand.CodeOf(err) == stockhand.CodeValidation ||
		err == nil && (i.State != stockhand.InvitationPending || !s.now().Before(i.Expires)) {
		return stockhand.Invitation{}, stockhand.Errorf(stockhand.CodeNotFound, "no such invitation")
	}
	return i, err
}

// SignUp creates an account for the person who accepts the invitation, which [Service.PendingInvitation] returned, and
// signs them in. The name may be empty, and so may the password's hash. Nothing proves that the email is theirs but
// the invitation's token. It reports false if the invitation is no longer pending or a user has its email.
func (s *Service) SignUp(ctx context.Context, i stockhand.Invitation, name, password string, from Origin) (
	in stockhand.SignIn, cookie string, done bool, err error) {
	if !s.InvitedSignUp {
		return in, "", false, denied(
			stockhand.Words{Message: "only the operator of this installation creates accounts",
				Hint: "ask the operator to run: stockhand users create EMAIL"},
			stockhand.Words{Message: "учётные записи создаёт только оператор этой установки",
				Hint: "попросите оператора выполнить: stockhand users create EMAIL"})
	}
	if name != "" {
		if wrong := named(name); len(wrong) > 0 {
			return in, "", false, invalid(wrong...)
		}
	}
	u := stockhand.User{ID: stockhand.NewID[stockhand.UserID]("usr"), Email: i.Email, Name: name, Created: s.now()}
	in, cookie, hash := s.newSignIn(u.ID, stockhand.SignInLink, from)
	a := stockhand.Actor{Name: "user:" + string(u.ID)}
	defer s.changed()
	done, err = s.System.SignUp(ctx,
		stockhand.SignUp{Invitation: i, User: u, Password: password, SignIn: in, Cookie: hash}, mostMemberships,
		s.entry(a, "user.created", about("user_id", string(u.ID), "invitation_id", string(i.ID))),
		s.about(a, "member.joined", i), s.aboutSignIn(in))
	return in, cookie, done, err
}
