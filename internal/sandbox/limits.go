package sandbox

import (
	"net/http"
	"strconv"
	"sync"
	"time"
)

// The vendor's limits (fact M9).
const (
	bucketUnits     = 45
	bucketInterval  = 3000 * time.Millisecond
	heavyWeight     = 5
	parallelUser    = 5
	parallelAccount = 20
)

// plainWeight returns the cost of a plain request with a user token at a time. The vendor has raised it on certain
// dates (fact M10); before the first it was one unit, as for a solution's request.
func plainWeight(at time.Time) int {
	weight := 1
	for _, step := range []struct {
		from   time.Time
		weight int
	}{
		{time.Date(2026, 5, 12, 0, 0, 0, 0, moscow), 2},
		{time.Date(2026, 9, 1, 0, 0, 0, 0, moscow), 3},
		{time.Date(2026, 12, 1, 0, 0, 0, 0, moscow), 4},
	} {
		if !at.Before(step.from) {
			weight = step.weight
		}
	}
	return weight
}

// weightOf returns the cost of a GET by path relative to the API root. Only the two extended stock reports are heavy,
// not the short ("current") ones.
func weightOf(path string, at time.Time) int {
	if path == "report/stock/all" || path == "report/stock/bystore" {
		return heavyWeight
	}
	return plainWeight(at)
}

// limits counts units per employee, and requests in flight per employee and per account.
type limits struct {
	sliding bool

	mu       sync.Mutex
	buckets  map[string]*bucket // by employee
	inFlight map[string]int     // by employee and by account; their ids never collide
}

func newLimits(sliding bool) *limits {
	return &limits{sliding: sliding, buckets: map[string]*bucket{}, inFlight: map[string]int{}}
}

// bucket holds the charges of the current interval. In a fixed window all expire together, in a sliding window each
// expires on its own.
type bucket struct {
	charges []charge
}

type charge struct {
	at    time.Time
	units int
}

// used drops expired charges and returns the remaining units and the time until the next ones expire.
func (b *bucket) used(now time.Time, sliding bool) (units int, free time.Duration) {
	if sliding {
		for len(b.charges) > 0 && now.Sub(b.charges[0].at) >= bucketInterval {
			b.charges = b.charges[1:]
		}
	} else if len(b.charges) > 0 && now.Sub(b.charges[0].at) >= bucketInterval {
		b.charges = b.charges[:0]
	}
	for _, c := range b.charges {
		units += c.units
	}
	if len(b.charges) > 0 {
		free = b.charges[0].at.Add(bucketInterval).Sub(now)
	}
	return units, free
}

// verdict is the limiter's decision about a request.
type verdict struct {
	refusal   *apiError
	remaining int
	wait      time.Duration // only for an exhausted bucket
}

// enter counts a request. Whatever the verdict, the caller must call leave after the response.
func (l *limits) enter(now time.Time, account, employee string, weight int) (v verdict, leave func()) {
	l.mu.Lock()
	defer l.mu.Unlock()

	b := l.buckets[employee]
	if b == nil {
		b = &bucket{}
		l.buckets[employee] = b
	}
	used, free := b.used(now, l.sliding)
	v.remaining = max(0, bucketUnits-used)

	switch {
	case l.inFlight[employee] >= parallelUser || l.inFlight[account] >= parallelAccount:
		v.refusal = refuse(http.StatusTooManyRequests, 1073,
			"Превышено ограничение на одновременное количество запросов")
		return v, func() {}
	case used+weight > bucketUnits:
		v.refusal = refuse(http.StatusTooManyRequests, 1049,
			"Превышено ограничение на количество запросов в единицу времени")
		v.wait = b.waitFor(used+weight-bucketUnits, now, free, l.sliding)
		return v, func() {}
	}
	b.charges = append(b.charges, charge{now, weight})
	v.remaining -= weight
	l.inFlight[employee]++
	l.inFlight[account]++
	return v, sync.OnceFunc(func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.inFlight[employee]--
		l.inFlight[account]--
	})
}

// waitFor returns the time until the given units are available.
func (b *bucket) waitFor(units int, now time.Time, free time.Duration, sliding bool) time.Duration {
	if !sliding {
		return free
	}
	for _, c := range b.charges {
		if units -= c.units; units <= 0 {
			return c.at.Add(bucketInterval).Sub(now)
		}
	}
	return bucketInterval
}

// headers writes the rate limit headers. All times are in whole milliseconds, and X-Lognex-Retry-After is present only
// for an exhausted bucket (fact M12).
func (v verdict) headers(h http.Header) {
	h.Set("X-RateLimit-Limit", strconv.Itoa(bucketUnits))
	h.Set("X-RateLimit-Remaining", strconv.Itoa(v.remaining))
	h.Set("X-Lognex-Retry-TimeInterval", strconv.FormatInt(bucketInterval.Milliseconds(), 10))
	h.Set("X-Lognex-Reset", "0")
	if v.refusal == nil {
		return
	}
	if v.refusal.code == 1073 {
		h.Set("X-Lognex-Auth", "429005")
		return
	}
	h.Set("X-Lognex-Auth", "429002")
	ms := max(1, (v.wait + time.Millisecond - 1).Milliseconds())
	h.Set("X-Lognex-Reset", strconv.FormatInt(ms, 10))
	h.Set("X-Lognex-Retry-After", strconv.FormatInt(ms, 10))
}
