// Package ratelimit limits the requests of an actor and of an organization, and the failed authentications of an
// address (rules R45 and R145), over all replicas.
package ratelimit

import (
	"math"
	"net/http"
	"net/netip"
	"strconv"
	"sync"
	"sync/atomic"
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

// timesOfActor is the default rate of an organization, as a multiple of the rate of an actor.
const timesOfActor = 3

func (r Rate) or(otherwise Rate) Rate {
	if r.PerSecond == 0 {
		return otherwise
	}
	if r.Burst == 0 {
		r.Burst = max(1, int(2*r.PerSecond))
	}
	return r
}

// Limits limits the requests of an actor, which for a person are those in all organizations, the requests of an
// organization, and the failed authentications of an address. It counts in this process; [Limits.Share] adds what the
// other replicas count.
type Limits struct {
	actors, orgs, failures *buckets
	sharing                shares
}

// New returns limits. The default of orgs is three times the rate of an actor.
func New(actors, orgs, failures Rate) *Limits {
	actors = actors.or(defaultRate)
	l := new(Limits)
	l.actors = newBuckets("actor ", actors, &l.sharing)
	l.orgs = newBuckets("org ", orgs.or(Rate{timesOfActor * actors.PerSecond, timesOfActor * actors.Burst}), &l.sharing)
	l.failures = newBuckets("address ", failures.or(defaultFailureRate), &l.sharing)
	return l
}

// Take counts a request and sets the RateLimit headers: of the actor, or of the organization if that refuses it.
func (l *Limits) Take(h http.Header, a stockhand.Actor) error {
	now := time.Now()
	err := l.actors.take(h, a.Name, now)
	if err != nil || a.Org == "" {
		return err
	}
	return l.orgs.take(h, string(a.Org), now)
}

// take counts a request and sets the headers, which an earlier limit may have set, unless the request passes both.
func (b *buckets) take(h http.Header, name string, now time.Time) error {
	if b.rate.PerSecond < 0 {
		return nil
	}
	ok, left := b.allow(name, now)
	if ok && h.Get("Ratelimit-Limit") != "" {
		return nil
	}
	left = max(0, left)
	h["Ratelimit-Limit"] = []string{strconv.Itoa(b.rate.Burst)}
	h["Ratelimit-Remaining"] = []string{strconv.Itoa(int(left))}
	// until the bucket is full again
	h["Ratelimit-Reset"] = []string{Seconds(b.after(float64(b.rate.Burst) - left))}
	if ok {
		return nil
	}
	return TooMany(b.after(1 - left))
}

// Failed counts a failed authentication. It returns err, or RATE_LIMITED after too many. Callers with a valid token are
// not affected by failures from the same address.
func (l *Limits) Failed(ip netip.Addr, err error) error {
	if l.failures.rate.PerSecond < 0 {
		return err
	}
	ok, left := l.failures.allow(network(ip), time.Now())
	if ok {
		return err
	}
	return TooMany(l.failures.after(1 - left))
}

// MayLookUp returns RATE_LIMITED if an unknown token is not to be looked up: too many from its address have failed. A
// few of such addresses are still looked up, because one of them may be good.
func (l *Limits) MayLookUp(ip netip.Addr) error {
	now := time.Now()
	if l.failures.rate.PerSecond < 0 || l.failures.left(network(ip), now) >= 1 {
		return nil
	}
	ok, left := l.failures.allow("any", now)
	if ok {
		return nil
	}
	return TooMany(l.failures.after(1 - left))
}

// network returns the name of an address's bucket: a customer has a whole /64 of IPv6.
func network(ip netip.Addr) string {
	if ip.Is6() {
		p, _ := ip.Prefix(64)
		ip = p.Addr()
	}
	return ip.String()
}

// TooMany returns RATE_LIMITED with the time after which to try again.
func TooMany(wait time.Duration) error {
	return &stockhand.Error{Code: stockhand.CodeRateLimited, Message: "too many requests", RetryAfter: wait,
		RU: stockhand.Words{Message: "слишком много запросов"}}
}

// buckets contains a bucket for each recent name.
type buckets struct {
	kind    string // prefix of the names for other replicas
	rate    Rate
	sharing *shares

	mu    sync.Mutex
	known map[string]*rate.Limiter
	swept time.Time
}

func newBuckets(kind string, r Rate, s *shares) *buckets {
	return &buckets{kind: kind, rate: r, sharing: s, known: map[string]*rate.Limiter{}}
}

// allow takes a token from a bucket if it has one, and returns how many are left; fewer than none if other replicas
// took more than there were.
func (b *buckets) allow(name string, now time.Time) (ok bool, left float64) {
	bucket := b.of(name, now)
	if ok = bucket.AllowN(now, 1); ok {
		b.sharing.spent(b.kind + name)
	}
	return ok, bucket.TokensAt(now)
}

func (b *buckets) left(name string, now time.Time) float64 { return b.of(name, now).TokensAt(now) }

// spend takes the tokens that another replica took.
func (b *buckets) spend(name string, n int, now time.Time) {
	if b.rate.PerSecond < 0 {
		return
	}
	bucket := b.of(name, now)
	for ; n > 0; n -= b.rate.Burst { // a reservation is at most a burst
		bucket.ReserveN(now, min(n, b.rate.Burst))
	}
}

// after returns the time in which tokens are added.
func (b *buckets) after(tokens float64) time.Duration {
	return time.Duration(tokens / b.rate.PerSecond * float64(time.Second))
}

// Seconds formats a duration for a header: whole seconds, rounded up.
func Seconds(d time.Duration) string { return strconv.Itoa(int(math.Ceil(d.Seconds()))) }

// of returns a bucket. Full buckets are removed from time to time, because a new one is full too.
func (b *buckets) of(name string, now time.Time) *rate.Limiter {
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
	l, ok := b.known[name]
	if !ok {
		l = rate.NewLimiter(rate.Limit(b.rate.PerSecond), b.rate.Burst)
		b.known[name] = l
	}
	return l
}

// Sample limits log lines about refusals, which cost the sender nothing. The zero Sample is not usable; see
// [NewSample].
type Sample struct {
	limiter *rate.Limiter
	skipped atomic.Int64
}

// NewSample allows ten lines a second, and a hundred at once.
func NewSample() *Sample { return &Sample{limiter: rate.NewLimiter(10, 100)} }

// Next reports whether to write the next line, and how many were left out since the last one that was written.
func (s *Sample) Next() (leftOut int64, ok bool) {
	if !s.limiter.Allow() {
		s.skipped.Add(1)
		return 0, false
	}
	return s.skipped.Swap(0), true
}
