package signin

import (
	"context"
	"encoding/json"
	"net/netip"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/auth"
)

const (
	forCode       = "second factor"
	challengeLife = 5 * time.Minute
	mostCodes     = 5 // wrong codes before the person starts again
)

// challenge is the state of a sign-in that waits for a code.
type challenge struct {
	Method stockhand.SignInMethod `json:"method"`
	Wrong  int                    `json:"wrong,omitempty"`
}

// enter signs a person in after a password, a link or the provider's answer, or asks for a code if they have a second
// factor.
func (s *Service) enter(ctx context.Context, of stockhand.UserID, method stockhand.SignInMethod, from auth.Origin) (
	Outcome, error) {
	f, err := s.System.SecondFactor(ctx, of)
	if err != nil {
		return Outcome{}, err
	}
	if f.Confirmed.IsZero() {
		return s.open(ctx, of, method, from)
	}
	secret, hash := s.Auth.NewOneTime()
	now := s.now()
	return Outcome{Challenge: secret}, s.wait(ctx, hash,
		stockhand.OneTime{User: of, Created: now, Expires: now.Add(challengeLife)}, challenge{Method: method})
}

func (s *Service) wait(ctx context.Context, hash []byte, o stockhand.OneTime, c challenge) (err error) {
	o.Purpose = forCode
	if o.Data, err = json.Marshal(c); err != nil {
		return err
	}
	return s.System.PutOneTime(ctx, o, hash, stockhand.AuditEntry{})
}

// ByCode completes a sign-in with a code of the person's app, or with a recovery code. After an error the outcome has
// the challenge if it can be tried again; otherwise the person starts again.
func (s *Service) ByCode(ctx context.Context, secret, code string, from auth.Origin) (Outcome, error) {
	if err := s.attemptFrom(ctx, from.IP); err != nil {
		return Outcome{}, err
	}
	o, err := s.take(ctx, forCode, secret)
	if stockhand.CodeOf(err) == stockhand.CodeNotFound {
		return Outcome{}, errRefused
	}
	var c challenge
	if err == nil {
		err = json.Unmarshal(o.Data, &c)
	}
	if err != nil {
		return Outcome{}, err
	}
	ok, failed := s.hasCode(ctx, o.User, code)
	if ok {
		return s.open(ctx, o.User, c.Method, from)
	}
	if failed == nil {
		c.Wrong++ // they may have mistyped it
	}
	var out Outcome
	if c.Wrong < mostCodes {
		hash, _ := s.Auth.OneTimeHash(secret)
		if err := s.wait(ctx, hash, o, c); err != nil {
			return Outcome{}, err
		}
		out.Challenge = secret
	}
	if failed != nil {
		return out, failed
	}
	return out, s.refuse(ctx, o.User, c.Method, from)
}

// hasCode checks a code against the second factor and counts the attempt.
func (s *Service) hasCode(ctx context.Context, of stockhand.UserID, code string) (bool, error) {
	undo, err := s.attempt(ctx, ofCode+string(of), netip.Addr{})
	if err != nil {
		return false, err
	}
	f, err := s.System.SecondFactor(ctx, of)
	if err != nil || f.Confirmed.IsZero() { // it was removed meanwhile: they start again
		return false, err
	}
	ok, err := s.check(ctx, of, f, code)
	if ok {
		undo()
	}
	return ok, err
}
