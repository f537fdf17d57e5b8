package signin

import (
	"context"
	"net/netip"
	"sync"
	"time"

	"github.com/stockhand/stockhand"
)

// The counts of an account. A person who is signed in has one of their own, which strangers cannot use up.
const (
	ofPassword = "password of " // and an email
	ofCode     = "code of "     // and the ID of a user, as below
	ofProof    = "proof of "
)

// guesses counts attempts to sign in by account and by address, over all replicas (rule R115). An attempt that succeeds
// does not count. The counts are in the database; here is only until when some are full, so that a flood of guesses
// does not reach it.
type guesses struct {
	mu    sync.Mutex
	full  map[string]time.Time // by the name of the count
	swept time.Time
}

func (s *Service) onAccount(account string) stockhand.Attempts {
	return stockhand.Attempts{Name: s.Auth.Derive("attempts", account), Every: time.Minute, Burst: 20}
}

func (s *Service) fromAddress(ip netip.Addr) stockhand.Attempts {
	return stockhand.Attempts{Name: s.Auth.Derive("attempts", "address "+network(ip)), Every: 2 * time.Second,
		Burst: 100}
}

// network returns what counts as one address: a customer has a whole /64.
func network(ip netip.Addr) string {
	if ip.Is6() {
		p, _ := ip.Prefix(64)
		ip = p.Addr()
	}
	return ip.String()
}

// attempt counts an attempt on an account from an address; a caller who is signed in already has none. Call undo if it
// succeeds.
func (s *Service) attempt(ctx context.Context, account string, from netip.Addr) (undo func(), err error) {
	all := []stockhand.Attempts{s.onAccount(account)}
	if from.IsValid() {
		all = []stockhand.Attempts{s.fromAddress(from), all[0]}
	}
	if err := s.count(ctx, all...); err != nil {
		return nil, err
	}
	return func() {
		if err := s.System.ReturnAttempts(ctx, all...); err != nil { // then it counts, for a minute
			s.Logger.WarnContext(ctx, "a sign-in that succeeded counts as an attempt", "err", err)
		}
	}, nil
}

// attemptFrom counts an attempt with a secret that does not name an account.
func (s *Service) attemptFrom(ctx context.Context, ip netip.Addr) error {
	return s.count(ctx, s.fromAddress(ip))
}

func (s *Service) count(ctx context.Context, all ...stockhand.Attempts) error {
	now := s.now()
	wait, sweep := s.guesses.refusing(now, all)
	if wait > 0 {
		return tooMany(wait)
	}
	if sweep {
		if _, err := s.System.ForgetExpired(ctx, now); err != nil { // housekeeping deletes the rest
			return err
		}
	}
	full, wait, err := s.System.TakeAttempts(ctx, now, all...)
	if err != nil || full == nil {
		return err
	}
	s.guesses.refuse(full, now.Add(wait))
	return tooMany(wait)
}

// refusing returns how long to wait because one of the counts is known to be full, and whether it is time to forget
// old counts, which is once a minute.
func (g *guesses) refusing(now time.Time, all []stockhand.Attempts) (wait time.Duration, sweep bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, a := range all {
		wait = max(wait, g.full[string(a.Name)].Sub(now))
	}
	if wait > 0 || now.Sub(g.swept) < time.Minute {
		return wait, false
	}
	g.swept = now
	for name, until := range g.full {
		if !now.Before(until) {
			delete(g.full, name)
		}
	}
	return 0, true
}

func (g *guesses) refuse(name []byte, until time.Time) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.full == nil {
		g.full = map[string]time.Time{}
	}
	g.full[string(name)] = until
}

func tooMany(wait time.Duration) error {
	return &stockhand.Error{Code: stockhand.CodeRateLimited, Message: "too many attempts to sign in", RetryAfter: wait,
		RU: stockhand.Words{Message: "слишком много попыток входа"}}
}
