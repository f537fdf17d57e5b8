package signin

import (
	"context"
	"net/url"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/auth"
)

// LinkLife is how long a link can be used.
const LinkLife = 24 * time.Hour

// LinkPath is the path of the page that a link opens.
const LinkPath = "/sign-in"

const forLink = "link"

// Link is a one-time link that signs a person in.
type Link struct {
	URL     string
	Token   string // the part of the URL that is secret
	Expires time.Time
}

// CreateLink creates a link that signs the person in once, and ends an unused one that was created before. Only for the
// operator, whom by names: there is no mail server, so the operator gives it to the person.
func (s *Service) CreateLink(ctx context.Context, by stockhand.Actor, of stockhand.UserID) (Link, error) {
	token, hash := s.Auth.NewOneTime()
	now := s.now()
	l := Link{Token: token, URL: s.URL + LinkPath + "?" + url.Values{"token": {token}}.Encode(),
		Expires: now.Add(LinkLife)}
	entry := s.Auth.Entry(of, "person.link_created", "user_id", string(of))
	entry.Actor = by.Name
	return l, s.System.PutOneTime(ctx,
		stockhand.OneTime{Purpose: forLink, User: of, Created: now, Expires: l.Expires}, hash, entry)
}

// ByLink signs a person in with the token of a link. The operator gave it to the owner of the email, which proves it.
func (s *Service) ByLink(ctx context.Context, token string, from auth.Origin) (Outcome, error) {
	if err := s.attemptFrom(ctx, from.IP); err != nil {
		return Outcome{}, err
	}
	of, err := s.take(ctx, forLink, token)
	if stockhand.CodeOf(err) == stockhand.CodeNotFound {
		return Outcome{}, errLink
	}
	if err != nil {
		return Outcome{}, err
	}
	if err := s.System.ProveEmail(ctx, of.User, s.now(), "link"); err != nil {
		return Outcome{}, err
	}
	return s.enter(ctx, of.User, stockhand.SignInLink, from)
}

// take uses up a one-time secret.
func (s *Service) take(ctx context.Context, purpose, secret string) (stockhand.OneTime, error) {
	hash, ok := s.Auth.OneTimeHash(secret)
	if !ok {
		return stockhand.OneTime{}, stockhand.Errorf(stockhand.CodeNotFound, "not a one-time secret")
	}
	return s.System.TakeOneTime(ctx, purpose, hash, s.now())
}
