package limit_test

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stockhand/stockhand/internal/limit"
	"github.com/stockhand/stockhand/internal/store"
	"github.com/stockhand/stockhand/internal/store/storetest"
)

// replica is a limiter as another replica has it: on its own connections to the same database.
func replica(t testing.TB, url string) limit.Limiter {
	t.Helper()
	db, err := store.Open(t.Context(), url, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return limit.Shared(limit.New(limit.Config{}), limit.Config{}, db.System(), "https://api.test")
}

// busiest is the most moments in any sliding second.
func busiest(at []time.Time) (most int) {
	slices.SortFunc(at, time.Time.Compare)
	from := 0
	for i := range at {
		for at[i].Sub(at[from]) >= time.Second {
			from++
		}
		most = max(most, i-from+1)
	}
	return most
}

// sent notes when requests were let go.
type sent struct {
	mu         sync.Mutex
	all, heavy []time.Time
}

func (s *sent) note(r limit.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all = append(s.all, time.Now())
	if r.Heavy {
		s.heavy = append(s.heavy, time.Now())
	}
}

func TestReplicasKeepTheLimitsTogether(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, url string) {
		t.Parallel()
		var seen sent
		var wg sync.WaitGroup
		for n := range 3 {
			l := replica(t, url)
			for i := range 6 {
				wg.Go(func() {
					r := limit.Request{Account: "a", Employee: "e", Heavy: i == 0}
					if i == 1 && n == 0 {
						r.Account = "" // the account behind the token is not known yet
					}
					done, err := l.Acquire(t.Context(), r)
					if err != nil {
						t.Error(err)
						return
					}
					seen.note(r)
					done(limit.Feedback{})
				})
			}
		}
		wg.Wait()
		if a, h := busiest(seen.all), busiest(seen.heavy); len(seen.all) != 18 || a > 6 || h > 2 {
			t.Errorf("%d requests, at most %d a second, %d of them stock reports", len(seen.all), a, h)
		}
	})
}

func TestRequestsOfUnknownAccountsAndOfKnownOnesNeverPassEachOther(t *testing.T) {
	t.Parallel()
	url := storetest.SQLite(t)
	var seen sent
	var wg sync.WaitGroup
	for _, account := range []string{"a", ""} {
		l := replica(t, url)
		for range 6 {
			wg.Go(func() {
				r := limit.Request{Account: account, Employee: "e" + account}
				done, err := l.Acquire(t.Context(), r)
				if err != nil {
					t.Error(err)
					return
				}
				seen.note(r)
				done(limit.Feedback{})
			})
		}
	}
	wg.Wait()
	if a := busiest(seen.all); a > 6 {
		t.Errorf("%d a second", a)
	}
}

func TestTheSlotsOfADeadReplicaComeFree(t *testing.T) {
	t.Parallel()
	url := storetest.SQLite(t)
	db, err := store.Open(t.Context(), url, nil)
	if err != nil {
		t.Fatal(err)
	}
	dead := limit.Shared(limit.New(limit.Config{}), limit.Config{}, db.System(), "https://api.test")
	for range 5 {
		if _, err := dead.Acquire(t.Context(), limit.Request{Account: "a", Employee: "e"}); err != nil {
			t.Fatal(err)
		}
	}
	_ = db.Close() // it never says a word again
	next := replica(t, url)
	ctx, stop := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer stop()
	if _, err := next.Acquire(ctx, limit.Request{Account: "a", Employee: "e"}); err == nil {
		t.Error("a sixth request of the employee is on its way")
	}
	done, err := next.Acquire(t.Context(), limit.Request{Account: "a", Employee: "e"})
	if err != nil {
		t.Fatal(err)
	}
	done(limit.Feedback{})
}

// outage is a record that can be away for a while.
type outage struct {
	limit.Record
	away atomic.Bool
}

func (o *outage) MoveRequestSlots(ctx context.Context, server, account string, seen int64, slots string) (bool,
	error) {
	if o.away.Load() {
		return false, errors.New("the database is away")
	}
	return o.Record.MoveRequestSlots(ctx, server, account, seen, slots)
}

func TestRequestsThatEndedWhileTheDatabaseWasAwayMakeRoomWhenItIsBack(t *testing.T) {
	t.Parallel()
	record := &outage{Record: storetest.New(t).System()}
	l := limit.Shared(limit.New(limit.Config{}), limit.Config{}, record, "https://api.test")
	var ended []func(limit.Feedback)
	for range 5 {
		done, err := l.Acquire(t.Context(), limit.Request{Account: "a", Employee: "e"})
		if err != nil {
			t.Fatal(err)
		}
		ended = append(ended, done)
	}
	record.away.Store(true)
	for _, done := range ended {
		done(limit.Feedback{})
	}
	record.away.Store(false)
	ctx, stop := context.WithTimeout(t.Context(), limit.LeaseHolds/2)
	defer stop()
	done, err := l.Acquire(ctx, limit.Request{Account: "a", Employee: "e"})
	if err != nil {
		t.Fatal("the slots of five ended requests are still taken:", err)
	}
	done(limit.Feedback{})
}

func TestAPlaceIsHeldForAsLongAsItsRequestTakes(t *testing.T) {
	t.Parallel()
	url := storetest.SQLite(t)
	slow := replica(t, url)
	var done []func(limit.Feedback)
	for range 5 {
		d, err := slow.Acquire(t.Context(), limit.Request{Account: "a", Employee: "e"})
		if err != nil {
			t.Fatal(err)
		}
		done = append(done, d)
	}
	ctx, stop := context.WithTimeout(t.Context(), limit.LeaseHolds+2*time.Second)
	defer stop()
	if _, err := replica(t, url).Acquire(ctx, limit.Request{Account: "a", Employee: "e"}); err == nil {
		t.Error("the slots of a slow request came free")
	}
	for _, d := range done {
		d(limit.Feedback{})
	}
}

func TestWhatOneReplicaLearnsFromTheVendorHoldsForAll(t *testing.T) {
	t.Parallel()
	url := storetest.SQLite(t)
	answered, other := replica(t, url), replica(t, url)
	for name, f := range map[string]limit.Feedback{
		"wait":            {Pause: 700 * time.Millisecond},
		"nothing is left": {Limit: 45, Remaining: 0, Interval: 700 * time.Millisecond},
	} {
		r := limit.Request{Account: name, Employee: name}
		done, err := answered.Acquire(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		done(f)
		done, err = other.Acquire(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		done(limit.Feedback{})
		if d := time.Since(began); d < 700*time.Millisecond {
			t.Errorf("%s: another replica sent after %v", name, d)
		}
	}
}

func TestNothingIsSentWhileTheRecordCannotBeAsked(t *testing.T) {
	t.Parallel()
	db, err := store.Open(t.Context(), storetest.SQLite(t), nil)
	if err != nil {
		t.Fatal(err)
	}
	_ = db.Close()
	l := limit.Shared(limit.New(limit.Config{}), limit.Config{}, db.System(), "https://api.test")
	if _, err := l.Acquire(t.Context(), limit.Request{Account: "a"}); err == nil {
		t.Error("let go")
	}
}

// What a slot costs without waiting: in memory, and over the record.
func BenchmarkAcquire(b *testing.B) {
	plenty := limit.Config{PerSecond: 1 << 30, HeavyPerSecond: 1 << 30, InFlight: 1 << 30, Margin: -time.Second +
		time.Microsecond}
	run := func(b *testing.B, l limit.Limiter) {
		for b.Loop() {
			done, err := l.Acquire(b.Context(), limit.Request{Account: "a", Employee: "e"})
			if err != nil {
				b.Fatal(err)
			}
			done(limit.Feedback{})
		}
	}
	b.Run("memory", func(b *testing.B) { run(b, limit.New(plenty)) })
	b.Run("machine", func(b *testing.B) {
		l, err := limit.OneMachine(limit.New(plenty), plenty, filepath.Join(b.TempDir(), "limits"), "https://api.test")
		if err != nil {
			b.Fatal(err)
		}
		run(b, l)
	})
	for name, url := range map[string]func(testing.TB) string{"sqlite": storetest.SQLite,
		"postgres": storetest.Postgres} {
		b.Run(name, func(b *testing.B) {
			db, err := store.Open(b.Context(), url(b), nil)
			if err != nil {
				b.Fatal(err)
			}
			b.Cleanup(func() { _ = db.Close() })
			run(b, limit.Shared(limit.New(plenty), plenty, db.System(), "https://api.test"))
		})
	}
}
