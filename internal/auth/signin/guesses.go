package signin

import (
	"net/netip"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"github.com/stockhand/stockhand"
)

// The limits of guesses (rule R115), per replica.
var (
	accountGuesses = guessRate{every: time.Minute, burst: 20}
	addressGuesses = guessRate{every: 2 * time.Second, burst: 100}
)

type guessRate struct {
	every time.Duration
	burst int
}

// guesses counts attempts to sign in by account and by address. An attempt that succeeds does not count.
type guesses struct {
	mu       sync.Mutex
	accounts map[string]*rate.Limiter
	places   map[netip.Addr]*rate.Limiter
}

// mostBuckets is how many accounts or addresses are remembered before full buckets are dropped.
const mostBuckets = 10_000

// take counts an attempt on an account from an address; a caller who is signed in already has none. Call undo if it
// succeeds.
func (g *guesses) take(account string, from netip.Addr, now time.Time) (undo func(), err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	at := &rate.Reservation{}
	if from.IsValid() {
		if at, err = attempt(&g.places, place(from), addressGuesses, now); err != nil {
			return nil, err
		}
	}
	of, err := attempt(&g.accounts, account, accountGuesses, now)
	if err != nil {
		return nil, err
	}
	return func() { at.CancelAt(now); of.CancelAt(now) }, nil
}

// ofAddress counts an attempt with a secret that does not name an account.
func (g *guesses) ofAddress(from netip.Addr, now time.Time) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	_, err := attempt(&g.places, place(from), addressGuesses, now)
	return err
}

// place returns what counts as one address: a customer has a whole /64.
func place(ip netip.Addr) netip.Addr {
	if ip.Is6() {
		p, _ := ip.Prefix(64)
		return p.Addr()
	}
	return ip
}

func attempt[K comparable](known *map[K]*rate.Limiter, k K, r guessRate, now time.Time) (*rate.Reservation, error) {
	l := (*known)[k]
	if l == nil {
		if *known == nil {
			*known = map[K]*rate.Limiter{}
		}
		if len(*known) >= mostBuckets {
			for k, l := range *known {
				if l.TokensAt(now) >= float64(r.burst) {
					delete(*known, k)
				}
			}
		}
		l = rate.NewLimiter(rate.Every(r.every), r.burst)
		(*known)[k] = l
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
