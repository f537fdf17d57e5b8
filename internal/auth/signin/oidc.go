package signin

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
	"unicode"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
	"golang.org/x/sync/singleflight"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/audit"
	"github.com/stockhand/stockhand/internal/auth"
)

// Provider is the OpenID provider with whose accounts people sign in (rule R121).
type Provider struct {
	Issuer   string // its address, from which everything else is discovered
	ClientID string
	Secret   string
	Domains  []string     // of the emails whose owners may sign in without an invitation, in lower case
	Client   *http.Client // nil means one with a timeout
}

// CallbackPath is where the provider sends people back.
const CallbackPath = LinkPath + "/oidc/callback"

const (
	forProvider  = "oidc"
	flowLife     = 10 * time.Minute
	providerTime = 10 * time.Second
	clockSkew    = time.Minute // how far ahead the provider's clock may be
)

// flow is the state of a sign-in at the provider.
type flow struct {
	State    string `json:"state"`
	Nonce    string `json:"nonce"`
	Verifier string `json:"verifier"` // of PKCE
}

// discovery is the provider's metadata, read at the first use and again after a failure.
type discovery struct {
	asking singleflight.Group
	found  atomic.Pointer[oidc.Provider]
}

// discover returns the provider's metadata. Requests that need it at the same time share one answer, or one failure.
func (s *Service) discover(ctx context.Context) (*oidc.Provider, error) {
	if s.Provider == nil {
		return nil, stockhand.Errorf(stockhand.CodeNotFound, "this installation has no OpenID provider").
			WithHint("the operator sets STOCKHAND_OIDC_ISSUER")
	}
	if found := s.discovery.found.Load(); found != nil {
		return found, nil
	}
	asked := s.discovery.asking.DoChan("", func() (any, error) {
		ctx, cancel := context.WithTimeout(s.withClient(context.WithoutCancel(ctx)), providerTime)
		defer cancel()
		found, err := oidc.NewProvider(ctx, s.Provider.Issuer)
		if err == nil {
			s.discovery.found.Store(found)
		}
		return nil, err
	})
	select {
	case answer := <-asked:
		if answer.Err != nil {
			return nil, unreachable(answer.Err)
		}
		return s.discovery.found.Load(), nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func unreachable(err error) error {
	e := stockhand.Errorf(stockhand.CodeExternalUnavailable, "the OpenID provider did not answer: %w", err)
	e.Message = "the OpenID provider did not answer as it should"
	return e.WithHint("try again later, or sign in another way")
}

func (s *Service) withClient(ctx context.Context) context.Context {
	return oidc.ClientContext(ctx, cmp.Or(s.Provider.Client, &http.Client{Timeout: providerTime}))
}

func (s *Service) oauth(p *oidc.Provider) *oauth2.Config {
	return &oauth2.Config{ClientID: s.Provider.ClientID, ClientSecret: s.Provider.Secret, Endpoint: p.Endpoint(),
		RedirectURL: s.URL + CallbackPath, Scopes: []string{oidc.ScopeOpenID, "email"}}
}

// BeginOIDC starts a sign-in at the provider. It returns where the person goes, and a secret that their browser keeps
// in a cookie, so that the sign-in ends in the browser in which it began.
func (s *Service) BeginOIDC(ctx context.Context, from auth.Origin) (address, secret string, expires time.Time,
	err error) {
	if err := s.attemptFrom(ctx, from.IP); err != nil {
		return "", "", expires, err
	}
	p, err := s.discover(ctx)
	if err != nil {
		return "", "", expires, err
	}
	f := flow{State: rand.Text(), Nonce: rand.Text(), Verifier: oauth2.GenerateVerifier()}
	data, err := json.Marshal(f)
	if err != nil {
		return "", "", expires, err
	}
	secret, hash := s.Auth.NewOneTime()
	now := s.now()
	expires = now.Add(flowLife)
	err = s.System.PutOneTime(ctx, stockhand.OneTime{Purpose: forProvider, Data: data, Created: now, Expires: expires},
		hash, stockhand.AuditEntry{})
	age := strconv.Itoa(int(auth.ProvenFor.Seconds())) // an older sign-in at the provider is no recent proof
	return s.oauth(p).AuthCodeURL(f.State, oidc.Nonce(f.Nonce), oauth2.S256ChallengeOption(f.Verifier),
		oauth2.SetAuthURLParam("max_age", age)), secret, expires, err
}

// Returned is what the provider's redirect contains.
type Returned struct {
	State, Code string
	Issuer      string // empty if the provider does not send it (RFC 9207)
}

// ByOIDC completes a sign-in at the provider, with the secret that the browser kept. A refusal is in the audit log: in
// the installation's, if no answer of the provider proves who the person is.
func (s *Service) ByOIDC(ctx context.Context, secret string, r Returned, from auth.Origin) (Outcome, error) {
	out, err := s.byOIDC(ctx, secret, r, from)
	if refused, ok := errors.AsType[*stockhand.Error](err); ok && refused.Code == stockhand.CodeSignInRefused &&
		refused != errRefused { // which is in the person's log
		s.Audit.Note(audit.Fact{Action: "person.sign_in_refused", From: from.IP.String(), Code: string(refused.Code),
			What: string(stockhand.SignInOIDC) + ": " + strings.TrimPrefix(refused.Message, refusedBecause)})
	}
	return out, err
}

func (s *Service) byOIDC(ctx context.Context, secret string, r Returned, from auth.Origin) (Outcome, error) {
	if err := s.attemptFrom(ctx, from.IP); err != nil {
		return Outcome{}, err
	}
	p, err := s.discover(ctx)
	if err != nil {
		return Outcome{}, err
	}
	o, err := s.take(ctx, forProvider, secret) // also if the rest fails: a code and a state count once
	if stockhand.CodeOf(err) == stockhand.CodeNotFound {
		return Outcome{}, errProvider("the sign-in did not begin in this browser, or is over")
	}
	var f flow
	if err == nil {
		err = json.Unmarshal(o.Data, &f)
	}
	if err != nil {
		return Outcome{}, err
	}
	if subtle.ConstantTimeCompare([]byte(f.State), []byte(r.State)) != 1 ||
		(r.Issuer != "" && r.Issuer != s.Provider.Issuer) {
		return Outcome{}, errProvider("the answer belongs to another sign-in")
	}
	who, err := s.identify(ctx, p, f, r.Code)
	if err != nil {
		return Outcome{}, err
	}
	of, err := s.linked(ctx, who)
	if err != nil {
		return Outcome{}, err
	}
	return s.enter(ctx, of, stockhand.SignInOIDC, from)
}

// claims is what an ID token says about a person.
type claims struct {
	Subject  string `json:"sub"`
	Email    string `json:"email"`
	Verified bool   `json:"email_verified"`
	Party    string `json:"azp"`
	// when the person proved who they are, in Unix seconds; 0 if the provider does not say
	Proven float64 `json:"auth_time"`
}

// identify exchanges a code for the person's identity.
func (s *Service) identify(ctx context.Context, p *oidc.Provider, f flow, code string) (c claims, err error) {
	ctx, cancel := context.WithTimeout(s.withClient(ctx), providerTime)
	defer cancel()
	token, err := s.oauth(p).Exchange(ctx, code, oauth2.VerifierOption(f.Verifier))
	if err != nil {
		s.Logger.WarnContext(ctx, "the OpenID provider did not redeem a code", "err", err)
		return c, errProvider("the provider refused the code")
	}
	raw, _ := token.Extra("id_token").(string)
	id, err := p.VerifierContext(ctx, &oidc.Config{ClientID: s.Provider.ClientID, Now: s.Clock}).Verify(ctx, raw)
	if err != nil {
		s.Logger.WarnContext(ctx, "an ID token was refused", "err", err)
		return c, errProvider("the provider's answer is not valid")
	}
	if err := id.Claims(&c); err != nil {
		return c, errProvider("the provider's answer cannot be read")
	}
	switch {
	case subtle.ConstantTimeCompare([]byte(id.Nonce), []byte(f.Nonce)) != 1:
		return c, errProvider("the provider's answer belongs to another sign-in")
	case id.IssuedAt.After(s.Clock().Add(clockSkew)):
		return c, errProvider("the provider's clock is ahead")
	case len(id.Audience) > 1 && c.Party != s.Provider.ClientID:
		return c, errProvider("the provider's answer is for another program")
	case c.Proven != 0 && s.Clock().Add(-auth.ProvenFor-clockSkew).Unix() > int64(c.Proven):
		return c, errProvider("the provider did not ask who you are")
	case c.Subject == "":
		return c, errProvider("the provider's answer names no account")
	}
	return c, nil
}

// linked returns the user of an identity. An identity that is new is linked to the user with its email only if the
// provider has verified the email, and its domain is allowed or an organization has invited it.
func (s *Service) linked(ctx context.Context, c claims) (stockhand.UserID, error) {
	of, err := s.System.Identity(ctx, s.Provider.Issuer, c.Subject)
	if of != "" || err != nil {
		return of, err
	}
	if !c.Verified {
		return "", errProvider("the provider has not verified your email")
	}
	if strings.ContainsFunc(c.Email, func(r rune) bool { return r > unicode.MaxASCII }) {
		return "", errProvider("the provider's email address cannot be used") // in lower case it could be another
	}
	c.Email = strings.ToLower(c.Email)
	_, domain, _ := strings.Cut(c.Email, "@")
	if !slices.Contains(s.Provider.Domains, domain) {
		invited, err := s.System.InvitationsTo(ctx, c.Email, "", s.now(), 1)
		if err != nil {
			return "", err
		}
		if len(invited) == 0 {
			return "", errProvider("your email is not of an allowed domain, and no organization has invited it")
		}
		if _, err := s.System.UserByEmail(ctx, c.Email); !s.Auth.InvitedSignUp && err != nil {
			if stockhand.CodeOf(err) == stockhand.CodeNotFound {
				err = errProvider("only the operator of this installation creates accounts")
			}
			return "", err
		}
	}
	u, err := s.Auth.NewUser(c.Email)
	if err != nil {
		return "", errProvider("the provider's email address cannot be used")
	}
	return s.System.LinkIdentity(ctx, s.Provider.Issuer, c.Subject, u,
		s.Auth.Entry("", "person.identity_linked", "issuer", s.Provider.Issuer))
}

const refusedBecause = "the sign-in was refused: "

// errProvider is the error of a refused sign-in at the provider. What is wrong reveals nothing about other people.
func errProvider(problem string) error {
	return &stockhand.Error{Code: stockhand.CodeSignInRefused, Message: refusedBecause + problem,
		Hint: "start again at /sign-in, or ask the operator of this installation for a sign-in link",
		RU: stockhand.Words{Message: "войти через внешнего провайдера не удалось",
			Hint: "начните заново на странице /sign-in или попросите у оператора этой установки ссылку для входа"}}
}
