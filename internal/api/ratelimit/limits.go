// Package ratelimit limits the requests of an actor and the failed authentications of an address (rule R45).
package ratelimit

import (
	"math"
	"net/http"
	"net/netip"
	"strconv"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"github.com/stockhand/stockhand"
)

// Rate is a request rate.
type Rate struct {
	PerSecond float64 // 0 means the default, a negative value unlimited
	Burst     int     // 0 means twice PerSecond
}

// The defaults. The second is generous because callers may share an address; it limits the log and the work caused by
// guessing tokens.
var (
	defaultRate        = Rate{PerSecond: 100, Burst: 200}
	defaultFailureRate = Rate{PerSecond: 20, Burst: 1000}
)

func (r Rate) or(otherwise Rate) Rate {
	if r.PerSecond == 0 {
		return otherwise
	}
	if r.Burst == 0 {
		r.Burst = max(1, int(2*r.PerSecond))
	}
	return r
}

// Limits limits the requests of an actor and the failed authentications of an address (rule R45). It counts per
// process, so each replica has separate limits.
type Limits struct {
	actors   buckets[string]
	failures buckets[netip.Addr]
}

func New(calls, failures Rate) *Limits {
	return &Limits{
		actors:   buckets[string]{rate: calls.or(defaultRate)},
		failures: buckets[netip.Addr]{rate: failures.or(defaultFailureRate)},
	}
}

// Take counts a request and sets the RateLimit headers.
func (l *Limits) Take(h http.Header, a stockhand.Actor) error {
	r := l.actors.rate
	if r.PerSecond < 0 {
		return nil
	}
	now := time.Now()
	bucket := l.actors.of(string(a.Org)+" "+a.Name, now)
	ok := bucket.AllowN(now, 1)
	left := max(0, bucket.TokensAt(now))
	h["Ratelimit-Limit"] = []string{strconv.Itoa(r.Burst)}
	h["Ratelimit-Remaining"] = []string{strconv.Itoa(int(left))}
	h["Ratelimit-Reset"] = []string{Seconds(after(float64(r.Burst)-left, r))} // until the bucket is full again
	if ok {
		return nil
	}
	return TooMany(after(1-left, r))
}

// Failed counts a failed authentication. It returns err, or RATE_LIMITED after too many. Callers with a valid token are
// not affected by failures from the same address.
func (l *Limits) Failed(ip netip.Addr, err error) error {
	r := l.failures.rate
	if r.PerSecond < 0 {
		return err
	}
	if ip.Is6() { // a customer has a whole /64
		p, _ := ip.Prefix(64)
		ip = p.Addr()
	}
	now := time.Now()
	bucket := l.failures.of(ip, now)
	if bucket.AllowN(now, 1) {
		return err
	}
	return TooMany(after(1-bucket.TokensAt(now), r))
}

// after returns the time in which a rate adds tokens.
func after(tokens float64, r Rate) time.Duration {
	return time.Duration(tokens / r.PerSecond * float64(time.Second))
}

func TooMany(wait time.Duration) error {
	return &stockhand.Error{Code: stockhand.CodeRateLimited, Message: "too many requests", RetryAfter: wait,
		RU: stockhand.Words{Message: "слишком много запросов"}}
}

// buckets contains a bucket for each recent caller.
type buckets[K comparable] struct {
	rate Rate

	mu    sync.Mutex
	known map[K]*rate.Limiter
	swept time.Time
}

// Seconds formats a duration for a header: whole seconds, rounded up.
func Seconds(d time.Duration) string { return strconv.Itoa(int(math.Ceil(d.Seconds()))) }

// of returns the caller's bucket. Full buckets are removed from time to time, because a new one is full too.
func (b *buckets[K]) of(k K, now time.Time) *rate.Limiter {
	b.mu.Lock()
	defer b.mu.Unlock()
	if now.Sub(b.swept) > time.Minute {
		b.swept = now
		for k, l := range b.known {
			if l.TokensAt(now) >= float64(b.rate.Burst) {
				delete(b.known, k)
			}
		}
	}
	l, ok := b.known[k]
	if !ok {
		if b.known == nil {
			b.known = map[K]*rate.Limiter{}
		}
		l = rate.NewLimiter(rate.Limit(b.rate.PerSecond), b.rate.Burst)
		b.known[k] = l
	}
	return l
}
