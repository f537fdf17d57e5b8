package apptest

import (
	"net/netip"
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/auth"
)

// Key creates an API key of the organization with the scopes, by default the default scope, and returns its secret.
func (s *Service) Key(scopes ...stockhand.Scope) string {
	s.t.Helper()
	return s.KeyIn(s.OrgID, scopes...)
}

// KeyIn is like Key for another organization.
func (s *Service) KeyIn(org stockhand.OrgID, scopes ...stockhand.Scope) string {
	s.t.Helper()
	_, secret := s.NewKey(org, auth.NewKey{Name: "test", Scopes: scopes})
	return secret
}

// NewKey creates an API key and returns it with its secret.
func (s *Service) NewKey(org stockhand.OrgID, n auth.NewKey) (stockhand.Key, string) {
	s.t.Helper()
	k, secret, err := s.Auth.CreateKey(s.t.Context(), auth.Operator(org, "test"), n)
	if err != nil {
		s.t.Fatal(err)
	}
	return k, secret
}

// Member creates a user with the role in the organization and returns their token.
func (s *Service) Member(org stockhand.OrgID, role stockhand.Role) (stockhand.User, string) {
	s.t.Helper()
	email := strings.ToLower(stockhand.NewID[string](string(role))) + "@example.com"
	m, err := s.Auth.AddMember(s.t.Context(), auth.Operator(org, "test"), email, role)
	if err != nil {
		s.t.Fatal(err)
	}
	return m.User, s.token(m.User)
}

// Organization creates another organization with a separate owner, and returns it with the owner's token.
func (s *Service) Organization(name string) (stockhand.OrgID, string) {
	s.t.Helper()
	u, token := s.Person(strings.ToLower(stockhand.NewID[string]("owner")) + "@example.com")
	o, err := s.Auth.CreateOrganizationFor(s.t.Context(), auth.Operator("", "test"), u.ID, name)
	if err != nil {
		s.t.Fatal(err)
	}
	return o.ID, token
}

// Person makes a person who belongs to no organization and returns their token.
func (s *Service) Person(email string) (stockhand.User, string) {
	s.t.Helper()
	u, err := s.Auth.CreateUser(s.t.Context(), email, "")
	if err != nil {
		s.t.Fatal(err)
	}
	return u, s.token(u)
}

// token creates a user token that never expires.
func (s *Service) token(u stockhand.User) string {
	s.t.Helper()
	_, secret, err := s.Auth.CreateToken(s.t.Context(), personOf(u), auth.NewToken{Name: "test"})
	if err != nil {
		s.t.Fatal(err)
	}
	return secret
}

// Browser signs a person in with a browser and returns the header "Cookie" of its requests.
func (s *Service) Browser(u stockhand.User) string {
	s.t.Helper()
	_, cookie, err := s.Auth.OpenSignIn(s.t.Context(), u.ID, stockhand.SignInLink, auth.Origin{
		IP:      netip.MustParseAddr("192.0.2.7"),
		Browser: "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36"})
	if err != nil {
		s.t.Fatal(err)
	}
	return "stockhand=" + cookie
}

func personOf(u stockhand.User) stockhand.Actor {
	return stockhand.Actor{Name: "user:" + string(u.ID), Person: true, User: u.ID}
}
