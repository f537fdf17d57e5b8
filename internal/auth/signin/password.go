package signin

import (
	"bufio"
	"context"
	_ "embed"
	"net/netip"
	"strings"
	"sync"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/auth"
)

// The limits of a password, in characters (rule R114).
const (
	LeastPassword = 10
	MostPassword  = 200
)

// ByPassword signs a person in with their email and password.
func (s *Service) ByPassword(ctx context.Context, email, password string, from auth.Origin) (Outcome, error) {
	email = strings.ToLower(email)
	undo, err := s.attempt(ctx, ofPassword+email, from.IP)
	if err != nil {
		return Outcome{}, err
	}
	u, err := s.System.UserByEmail(ctx, email)
	if err != nil && stockhand.CodeOf(err) != stockhand.CodeNotFound {
		return Outcome{}, err
	}
	ok, err := s.hasPassword(ctx, u.ID, password)
	if err != nil {
		return Outcome{}, err
	}
	if !ok {
		return Outcome{}, s.refuse(ctx, u.ID, stockhand.SignInPassword, from)
	}
	undo()
	return s.enter(ctx, u.ID, stockhand.SignInPassword, from)
}

// hasPassword reports whether that is the user's password. It takes as long for a user who has none or does not exist.
func (s *Service) hasPassword(ctx context.Context, of stockhand.UserID, password string) (bool, error) {
	phc, err := s.System.Password(ctx, of)
	if err != nil {
		return false, err
	}
	return s.matches(ctx, norm.NFC.String(password), phc)
}

// SetPassword sets the password of the person a.User and ends their other sign-ins. The current password is required if
// there is one. The caller must have proved who they are lately: see [auth.ProvenFor].
func (s *Service) SetPassword(ctx context.Context, a stockhand.Actor, current, password string) error {
	if err := s.Auth.Proven(a, auth.ProvenFor); err != nil {
		return err
	}
	u, err := s.System.User(ctx, a.User)
	if err != nil {
		return err
	}
	password = norm.NFC.String(password)
	if problem := weak(password, u); problem != "" {
		return wrong("new_password", problem)
	}
	phc, err := s.System.Password(ctx, a.User)
	if err != nil {
		return err
	}
	if phc != "" {
		undo, err := s.attempt(ctx, ofProof+string(a.User), netip.Addr{})
		if err != nil {
			return err
		}
		ok, err := s.matches(ctx, norm.NFC.String(current), phc)
		if err != nil {
			return err
		}
		if !ok {
			return wrong("current_password", "is not your password")
		}
		undo()
	}
	hash, err := s.hash(ctx, password)
	if err != nil {
		return err
	}
	defer s.Auth.Changed()
	return s.System.SetPassword(ctx, a.User, hash, a.SignIn, s.Auth.Entry(a.User, "person.password_set"))
}

// weak returns what is wrong with a password that a person chooses, or "".
func weak(password string, of stockhand.User) string {
	length := utf8.RuneCountInString(password)
	name, _, _ := strings.Cut(of.Email, "@")
	plain := strings.ToLower(password)
	switch {
	case !utf8.ValidString(password) || length < LeastPassword || length > MostPassword:
		return "must have 10 to 200 characters"
	case different(plain) < 5:
		return "must have at least 5 different characters"
	case common()[plain] || common()[strings.TrimRight(plain, "0123456789!.?@#$*")]:
		return "is one of the passwords that are tried first"
	case len(name) > 3 && strings.Contains(plain, name):
		return "must not contain the name of your email address"
	}
	return ""
}

func different(s string) int {
	seen := map[rune]bool{}
	for _, c := range s {
		seen[c] = true
	}
	return len(seen)
}

//go:embed common.txt
var commonList string

// common returns the passwords that are refused, in lower case.
var common = sync.OnceValue(func() map[string]bool {
	all := map[string]bool{}
	for lines := bufio.NewScanner(strings.NewReader(commonList)); lines.Scan(); {
		all[lines.Text()] = true
	}
	return all
})

func wrong(field, problem string) error {
	e := stockhand.Errorf(stockhand.CodeValidation, "%s %s", field, problem)
	e.Fields = []stockhand.FieldError{{Field: field, Message: problem}}
	return e.WithHint("correct what errors names and send the request again")
}
