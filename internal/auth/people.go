package auth

import (
	"cmp"
	"context"
	"encoding/json"
	"net/mail"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/stockhand/stockhand"
)

// The limits of people. They keep what is remembered of a caller small, and are far beyond what anybody needs.
const (
	mostTokens = 50  // that are good, of one person
	mostName   = 100 // characters in a name
	mostEmail  = 254 // bytes in an email address
)

// Operator is the person who runs the program's own commands: an owner of every organization, known by a login name.
func Operator(org stockhand.OrgID, login string) stockhand.Actor {
	return stockhand.Actor{Org: org, Name: "cli:" + login, Person: true, Role: stockhand.RoleOwner,
		Scopes: stockhand.RoleOwner.Scopes()}
}

// CreateUser makes a person. The name may be empty. CONFLICT when the email is taken. It is the operator's to call.
func (s *Service) CreateUser(ctx context.Context, email, name string) (stockhand.User, error) {
	u, err := s.newUser(email, name)
	if err != nil {
		return stockhand.User{}, err
	}
	return u, s.System.CreateUser(ctx, u)
}

func (s *Service) newUser(email, name string) (stockhand.User, error) {
	address, ok := plainAddress(email)
	var wrong []stockhand.FieldError
	if !ok {
		wrong = append(wrong, badEmail)
	}
	if name != "" {
		wrong = append(wrong, named(name)...)
	}
	if len(wrong) > 0 {
		return stockhand.User{}, invalid(wrong...)
	}
	return stockhand.User{ID: stockhand.NewID[stockhand.UserID]("usr"), Email: address, Name: name, Created: s.now()},
		nil
}

var badEmail = stockhand.FieldError{Field: "email", Message: "must be an email address such as name@example.com"}

// plainAddress is a bare email address in lower case.
func plainAddress(text string) (string, bool) {
	a, err := mail.ParseAddress(text)
	if err != nil || a.Name != "" || a.Address != text || len(text) > mostEmail {
		return "", false
	}
	return strings.ToLower(text), true
}

// Users lists the people of the installation, the oldest first; see System. It is the operator's to call.
func (s *Service) Users(ctx context.Context, after stockhand.UserID, limit int) ([]stockhand.User, error) {
	return s.System.Users(ctx, after, limit)
}

// UserByEmail finds a person. It is the operator's to call.
func (s *Service) UserByEmail(ctx context.Context, email string) (stockhand.User, error) {
	return s.System.UserByEmail(ctx, strings.ToLower(email))
}

// User returns the person who is calling, or whom the operator names.
func (s *Service) User(ctx context.Context, id stockhand.UserID) (stockhand.User, error) {
	return s.System.User(ctx, id)
}

// NewToken is what is asked for when a person's token is made.
type NewToken struct {
	Name    string          // 1–100 characters
	Expires time.Time       // zero for never
	Org     stockhand.OrgID // the only organization that it acts in; empty for all of the person's
}

// CreateToken makes a token of the person a.User and returns its secret, which nothing can show again. What a bound
// token makes is bound to the same organization, and what a token makes ends no later than it does itself. CONFLICT
// when the person has too many.
func (s *Service) CreateToken(ctx context.Context, a stockhand.Actor, n NewToken) (stockhand.UserToken, string, error) {
	if err := person(a); err != nil {
		return stockhand.UserToken{}, "", err
	}
	now := s.now()
	wrong := named(n.Name)
	if !n.Expires.IsZero() && !n.Expires.After(now) {
		wrong = append(wrong, stockhand.FieldError{Field: "expires_at", Message: "must be in the future"})
	}
	if len(wrong) > 0 {
		return stockhand.UserToken{}, "", invalid(wrong...)
	}
	n.Org = cmp.Or(n.Org, a.Bound)
	if a.Bound != "" && n.Org != a.Bound {
		return stockhand.UserToken{}, "", unbound(a)
	}
	if n.Org != "" {
		if _, err := s.Store.Member(ctx, n.Org, a.User); err != nil {
			return stockhand.UserToken{}, "", invalid(notYourOrganization("organization_id"))
		}
	}
	t, secret, hash := s.newToken(a.User, n.Name, now)
	t.Org = n.Org
	if t.Expires = earlier(n.Expires, a.Expires); !t.Expires.IsZero() {
		t.Expires = t.Expires.UTC().Truncate(time.Microsecond)
	}
	if err := s.System.CreateToken(ctx, t, hash, mostTokens, s.aboutToken(a, "token.created", t.ID)); err != nil {
		return stockhand.UserToken{}, "", err
	}
	return t, secret, nil
}

// aboutToken is the audit entry about a person's token.
func (s *Service) aboutToken(a stockhand.Actor, action string, id stockhand.TokenID) stockhand.AuditEntry {
	return s.entry(a, action, about("token_id", string(id), "user_id", string(a.User)))
}

func notYourOrganization(field string) stockhand.FieldError {
	return stockhand.FieldError{Field: field, Message: "must be an organization that you belong to"}
}

// earlier is the earlier of two ends; zero means never.
func earlier(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}

func (s *Service) newToken(of stockhand.UserID, name string, now time.Time) (t stockhand.UserToken, secret string,
	hash []byte) {
	secret, prefix := newSecret(tokenBegins)
	d := s.digest(secret)
	return stockhand.UserToken{ID: stockhand.NewID[stockhand.TokenID]("tok"), User: of, Name: name, Prefix: prefix,
		Created: now}, secret, d[:]
}

// Tokens lists the tokens of the person a.User, the newest first: at most limit (1–200, 0 for 50) of those made before
// the one that ended the page before.
func (s *Service) Tokens(ctx context.Context, a stockhand.Actor, before stockhand.TokenID,
	limit int) ([]stockhand.UserToken, error) {
	if err := person(a); err != nil {
		return nil, err
	}
	return s.System.Tokens(ctx, a.User, before, limit)
}

// RevokeToken ends a token of the person a.User at once and returns it; one that was revoked before stays as it is.
func (s *Service) RevokeToken(ctx context.Context, a stockhand.Actor, id stockhand.TokenID) (stockhand.UserToken,
	error) {
	if err := person(a); err != nil {
		return stockhand.UserToken{}, err
	}
	now := s.now()
	t, err := s.System.RevokeToken(ctx, a.User, id, now, s.aboutToken(a, "token.revoked", id))
	if t.Revoked.Equal(now) || (err != nil && stockhand.CodeOf(err) != stockhand.CodeNotFound) {
		s.changed() // a caller who names what is not there must not make everybody be looked up
	}
	return t, err
}

// now is the present as the record keeps it: in microseconds, in UTC.
func (s *Service) now() time.Time { return s.Clock().UTC().Truncate(time.Microsecond) }

// changed makes this replica ask the record about every caller until it has looked at the number of changes again. It
// is called after a change whether or not that seemed to succeed: a commit may have happened although its answer was
// lost.
func (s *Service) changed() { s.memory.forget(s.Clock()) }

// person refuses what only people do.
func person(a stockhand.Actor) error {
	if a.User == "" {
		return denied(stockhand.Words{Message: "this is for people, and an API key is calling",
			Hint: "use a user token, which begins with " + tokenBegins},
			stockhand.Words{Message: "это могут только люди, а обращается ключ",
				Hint: "возьмите токен пользователя: он начинается с " + tokenBegins})
	}
	return nil
}

// operates refuses everybody but the person who runs the program's own commands.
func operates(a stockhand.Actor) error {
	if !a.Person || a.User != "" || a.Role != stockhand.RoleOwner {
		return denied(stockhand.Words{Message: "only the operator of this installation does that",
			Hint: "invite the person instead: POST /api/v1/organizations/{org_id}/invitations"},
			stockhand.Words{Message: "это делает только оператор этой установки",
				Hint: "пригласите человека: POST /api/v1/organizations/{org_id}/invitations"})
	}
	return nil
}

// administers refuses who may not manage keys and members of that organization: it takes the scope admin, which owners
// and admins have by their role.
func administers(a stockhand.Actor, org stockhand.OrgID) error {
	if a.Org != "" && a.Org != org {
		return notTheOne()
	}
	if !a.May(stockhand.ScopeAdmin) || a.Org == "" {
		return lacks(a, stockhand.ScopeAdmin)
	}
	return nil
}

// notTheOne refuses to act in another organization than the request was admitted to.
func notTheOne() error {
	return notYours("it is another one than the one you act in; send the header X-Org-Id with the one you mean",
		"запрос относится к другой организации; назовите нужную в заголовке X-Org-Id")
}

// named says what is wrong with a name.
func named(name string) []stockhand.FieldError {
	n := utf8.RuneCountInString(name)
	switch {
	case strings.TrimSpace(name) == "" || n > mostName:
		return []stockhand.FieldError{{Field: "name", Message: "must have 1 to 100 characters, not only spaces"}}
	case !utf8.ValidString(name) || strings.ContainsFunc(name, unicode.IsControl):
		return []stockhand.FieldError{{Field: "name", Message: "must be text without control characters"}}
	}
	return nil
}

func invalid(wrong ...stockhand.FieldError) error {
	e := stockhand.Errorf(stockhand.CodeValidation, "%s %s", wrong[0].Field, wrong[0].Message).WithHint(
		"correct what errors names and send the request again")
	e.Fields = wrong
	return e
}

// about is the detail of an audit entry: names and their values, in turn.
func about(pairs ...string) []byte {
	detail := map[string]string{}
	for i := 0; i+1 < len(pairs); i += 2 {
		detail[pairs[i]] = pairs[i+1]
	}
	b, _ := json.Marshal(detail) // texts always marshal
	return b
}
