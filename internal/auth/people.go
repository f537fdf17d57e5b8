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

// The limits of people. They keep cached callers small and are far above any real need.
const (
	mostTokens = 50  // valid tokens of one person
	mostName   = 100 // characters in a name
	mostEmail  = 254 // bytes in an email address
)

// Operator is the person who runs commands on the server: an owner of every organization, identified by a login name.
func Operator(org stockhand.OrgID, login string) stockhand.Actor {
	return stockhand.Actor{Org: org, Name: "cli:" + login, Person: true, Role: stockhand.RoleOwner,
		Scopes: stockhand.RoleOwner.Scopes()}
}

// CreateUser creates a person. The name may be empty. CONFLICT if the email is taken. Only for the operator.
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
	return stockhand.User{ID: stockhand.NewID[stockhand.UserID]("usr"), Email: address, Name: name, Created: s.now(),
		EmailProven: s.now()}, nil
}

var badEmail = stockhand.FieldError{Field: "email", Message: "must be an email address such as name@example.com"}

// plainAddress returns a bare email address in lower case.
func plainAddress(text string) (string, bool) {
	a, err := mail.ParseAddress(text)
	if err != nil || a.Name != "" || a.Address != text || len(text) > mostEmail {
		return "", false
	}
	return strings.ToLower(text), true
}

// Users returns the people of the installation, oldest first. Only for the operator.
func (s *Service) Users(ctx context.Context, after stockhand.UserID, limit int) ([]stockhand.User, error) {
	return s.System.Users(ctx, after, limit)
}

// UserByEmail finds a person. Only for the operator.
func (s *Service) UserByEmail(ctx context.Context, email string) (stockhand.User, error) {
	return s.System.UserByEmail(ctx, strings.ToLower(email))
}

// User returns a person: the caller, or the one that the operator names.
func (s *Service) User(ctx context.Context, id stockhand.UserID) (stockhand.User, error) {
	return s.System.User(ctx, id)
}

// NewToken describes a user token to create.
type NewToken struct {
	Name    string          // 1–100 characters
	Expires time.Time       // zero, or later than in [MostDays], means in MostDays
	Org     stockhand.OrgID // the only organization that it acts in; empty for all of the person's organizations
}

// CreateToken creates a token for the person a.User and returns its secret, which cannot be shown again. A person who
// signed in must have proved who they are within [ProvenFor]. A token created with another expires no later, is bound
// to the same organization if the other is bound, and does not act where the other was ended. CONFLICT if the person
// has too many, or the other was ended in the organization that is asked for.
func (s *Service) CreateToken(ctx context.Context, a stockhand.Actor, n NewToken) (stockhand.UserToken, string, error) {
	if err := NeedPerson(a); err != nil {
		return stockhand.UserToken{}, "", err
	}
	if a.SignIn != "" {
		if err := s.Proven(a, ProvenFor); err != nil {
			return stockhand.UserToken{}, "", err
		}
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
	if !a.Since.IsZero() { // or a token would renew itself from an organization without a limit
		t.Since = a.Since
	}
	n.Expires = earlier(n.Expires, now.Add(MostDays*day))
	t.Expires = earlier(n.Expires, a.Expires).UTC().Truncate(time.Microsecond)
	err := s.System.CreateToken(ctx, t, a.Token, hash, mostTokens, s.aboutToken(a, "token.created", t.ID))
	if err != nil {
		return stockhand.UserToken{}, "", err
	}
	return t, secret, nil
}

// aboutToken returns an audit entry about a user token.
func (s *Service) aboutToken(a stockhand.Actor, action string, id stockhand.TokenID) stockhand.AuditEntry {
	return s.entry(a, action, about("token_id", string(id), "user_id", string(a.User)))
}

func notYourOrganization(field string) stockhand.FieldError {
	return stockhand.FieldError{Field: field, Message: "must be an organization that you belong to"}
}

// earlier returns the earlier of two expiry times; zero means never.
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
		Created: now, Since: now}, secret, d[:]
}

// Tokens returns tokens of the person a.User, newest first: at most limit (1–200; 0 means 50) that are older than
// before.
func (s *Service) Tokens(ctx context.Context, a stockhand.Actor, before stockhand.TokenID,
	limit int) ([]stockhand.UserToken, error) {
	if err := NeedPerson(a); err != nil {
		return nil, err
	}
	return s.System.Tokens(ctx, a.User, before, limit)
}

// RevokeToken revokes a token of the person a.User and returns it. A token that was revoked before does not change.
func (s *Service) RevokeToken(ctx context.Context, a stockhand.Actor, id stockhand.TokenID) (stockhand.UserToken,
	error) {
	if err := NeedPerson(a); err != nil {
		return stockhand.UserToken{}, err
	}
	now := s.now()
	t, err := s.System.RevokeToken(ctx, a.User, id, now, s.aboutToken(a, "token.revoked", id))
	if t.Revoked.Equal(now) || (err != nil && stockhand.CodeOf(err) != stockhand.CodeNotFound) {
		s.changed() // but not for a token that does not exist, or anyone could invalidate the cache
	}
	return t, err
}

// now returns the time as the database stores it: in UTC, in microseconds.
func (s *Service) now() time.Time { return s.Clock().UTC().Truncate(time.Microsecond) }

// changed invalidates the cache of this replica until the number of changes has been read again. Call it after every
// change, even one that seems to have failed: the commit may have succeeded although its response was lost.
func (s *Service) changed() { s.memory.forget(s.Clock()) }

// NeedPerson returns AUTH_PERMISSION_DENIED unless a person is calling.
func NeedPerson(a stockhand.Actor) error {
	if a.User == "" {
		return denied(stockhand.Words{Message: "this is for people, and an API key is calling",
			Hint: "use a user token, which begins with " + tokenBegins},
			stockhand.Words{Message: "это могут только люди, а обращается ключ",
				Hint: "возьмите токен пользователя: он начинается с " + tokenBegins})
	}
	return nil
}

// operates returns an error unless the operator is calling.
func operates(a stockhand.Actor) error {
	if !a.Person || a.User != "" || a.Role != stockhand.RoleOwner {
		return denied(stockhand.Words{Message: "only the operator of this installation does that",
			Hint: "invite the person instead: POST /api/v1/organizations/{org_id}/invitations"},
			stockhand.Words{Message: "это делает только оператор этой установки",
				Hint: "пригласите человека: POST /api/v1/organizations/{org_id}/invitations"})
	}
	return nil
}

// administers returns an error unless the actor may manage keys and members of the organization. That requires the
// scope admin, which the roles owner and admin include.
func administers(a stockhand.Actor, org stockhand.OrgID) error {
	if a.Org != "" && a.Org != org {
		return notTheOne()
	}
	if !a.May(stockhand.ScopeAdmin) || a.Org == "" {
		return lacks(a, stockhand.ScopeAdmin)
	}
	return nil
}

// notTheOne is the error for another organization than the one that the request was authorized for.
func notTheOne() error {
	return notYours("it is another one than the one you act in; send the header X-Org-Id with the one you mean",
		"запрос относится к другой организации; назовите нужную в заголовке X-Org-Id")
}

// named validates a name.
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

// about encodes the details of an audit entry, given as names and values in turn.
func about(pairs ...string) []byte {
	detail := map[string]string{}
	for i := 0; i+1 < len(pairs); i += 2 {
		detail[pairs[i]] = pairs[i+1]
	}
	b, _ := json.Marshal(detail) // texts always marshal
	return b
}
