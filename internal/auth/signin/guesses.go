package signin

import (
	"crypto/sha256"
	"net/netip"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"github.com/stockhand/stockhand"
)

// guesses counts attempts to sign in by account and by address, per replica (rule R115). An attempt that succeeds does
// not count.
type guesses struct {
	mu        sync.Mutex
	accounts  buckets
	addresses buckets
}

func newGuesses() guesses {
	return guesses{accounts: buckets{every: time.Minute, burst: 20},
		addresses: buckets{every: 2 * time.Second, burst: 100}}
}

// The counts of an account. A person who is signed in has one of their own, which strangers cannot use up.
const (
	ofPassword = "password of " // and an email
	ofCode     = "code of "     // and the ID of a user, as below
	ofProof    = "proof of "
)

// take counts an attempt on an account from an address; a caller who is signed in already has none. Call undo if it
// succeeds.
func (g *guesses) take(account string, from netip.Addr, now time.Time) (undo func(), err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	at := &rate.Reservation{}
	if from.IsValid() {
		if at, err = g.addresses.take(network(from), now); err != nil {
			return nil, err
		}
	}
	of, err := g.accounts.take(account, now)
	if err != nil {
		return nil, err
	}
	return func() { at.CancelAt(now); of.CancelAt(now) }, nil
}

// ofAddress counts an attempt with a secret that does not name an account.
func (g *guesses) ofAddress(from netip.Addr, now time.Time) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	_, err := g.addresses.take(network(from), now)
	return err
}

// network returns what counts as one address: a customer has a whole /64.
func network(ip netip.Addr) string {
	if ip.Is6() {
		p, _ := ip.Prefix(64)
		ip = p.Addr()
	}
	return ip.String()
}

// buckets has a bucket for each recent name.
type buckets struct {
	every time.Duration // for one more attempt
	burst int
	known map[[sha256.Size]byte]*rate.Limiter // by the hash of the name: strangers choose how long a name is
	swept time.Time
}

// take takes an attempt from a bucket. Full buckets are removed every minute, because a new one is full too.
func (b *buckets) take(name string, now time.Time) (*rate.Reservation, error) {
	if b.known == nil {
		b.known = map[[sha256.Size]byte]*rate.Limiter{}
	}
	if now.Sub(b.swept) >= time.Minute {
		b.swept = now
		for k, l := range b.known {
			if l.TokensAt(now) >= float64(b.burst) {
				delete(b.known, k)
			}
		}
	}
	k := sha256.Sum256([]byte(name))
	l := b.known[k]
	if l == nil {
		l = rate.NewLimiter(rate.Every(b.every), b.burst)
		b.known[k] = l
	}
	taken := l.ReserveN(now, 1)
	if wait := taken.DelayFrom(now); wait > 0 {
		taken.CancelAt(now)
		return nil, tooMany(wait)
	}
	return taken, nil
}

func tooMany(wait time.Duration) error {
	return &stockhand.Error{Code: stockhand.CodeRateLimited, Message: "too many attempts to sign in", RetryAfter: wait,
		RU: stockhand.Words{Message: "слишком много попыток входа"}}
}
