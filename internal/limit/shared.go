package limit

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	mathrand "math/rand/v2"
	"slices"
	"sync"
	"time"
)

// Record is the table in which replicas share their slots. *store.System implements it.
type Record interface {
	// Now returns the database's clock, since the clocks of replicas may differ.
	Now(ctx context.Context) (time.Time, error)
	// RequestSlots returns the row of an account and its version; "" and 0 if there is none.
	RequestSlots(ctx context.Context, server, account string) (slots string, version int64, err error)
	AllRequestSlots(ctx context.Context, server string) (map[string]string, error)
	// MoveRequestSlots replaces the row if it still has the version seen.
	MoveRequestSlots(ctx context.Context, server, account string, seen int64, slots string) (won bool, err error)
}

// shared applies the limits to all replicas of a service.
//
// Each account has a row with its occupied slots. A slot is taken by a conditional update, which succeeds only if the
// row has not changed since it was read. Requests of unknown accounts have a row of their own and count against every
// account. No lock spans both rows. Instead each side writes its own row first and reads the other row second: of two
// concurrent requests at least one sees the other, and gives its slot back if there is one too many.
//
// A replica that dies cannot free its slots, so a slot in flight has a lease of a few seconds, which its holder renews.
type shared struct {
	inner  Limiter
	config Config
	record Record
	server string
	clock  sharedClock

	mu   sync.Mutex
	rows map[string]*sharedRow
}

const (
	leaseTime    = 6 * time.Second
	leaseRenewal = 2 * time.Second
)

// Shared wraps a limiter so that the limits also apply across all replicas with the same record and server. Requests
// are ordered within a replica, not across replicas.
func Shared(l Limiter, c Config, record Record, server string) Limiter {
	return &shared{inner: l, config: c.defaults(), record: record, server: server, clock: sharedClock{record: record},
		rows: map[string]*sharedRow{}}
}

// sharedRow caches an account's row. Its lock lets one goroutine of this replica change the row at a time.
type sharedRow struct {
	mu      sync.Mutex
	version int64 // negative if it must be read
	usage   accountUsage
}

// accountUsage is the content of a row.
type accountUsage struct {
	Slots   []sharedSlot      `json:"slots,omitempty"`
	Budgets map[string]budget `json:"budgets,omitempty"` // by employee
}

// budget is what the vendor last reported to one employee, on any replica.
type budget struct {
	Left  int   `json:"left"`            // units, until Ends
	Limit int   `json:"limit,omitempty"` // units of an interval
	Ends  int64 `json:"ends"`            // Unix nanoseconds
	Pause int64 `json:"pause,omitempty"` // Unix nanoseconds: nothing may be sent before
}

// Acquire implements [Limiter]. Apart from that of ctx, an error means that the database cannot be reached; then
// nothing may be sent.
func (s *shared) Acquire(ctx context.Context, r Request) (func(Feedback), error) {
	done, err := s.inner.Acquire(ctx, r)
	if err != nil {
		return nil, err
	}
	mine := sharedSlot{ID: rand.Text(), Account: r.Account, Employee: r.Employee, Heavy: r.Heavy,
		Units: max(1, r.MaxUnits)}
	for {
		wait, err := s.take(ctx, mine)
		if err == nil && wait <= 0 {
			stop := s.hold(context.WithoutCancel(ctx), mine)
			var once sync.Once
			return func(f Feedback) {
				once.Do(func() {
					stop()
					s.free(context.WithoutCancel(ctx), mine, f)
					done(f)
				})
			}, nil
		}
		if err == nil {
			select {
			case <-ctx.Done():
				err = ctx.Err()
			case <-time.After(wait):
				continue
			}
		}
		done(Feedback{})
		return nil, err
	}
}

// take occupies the slot, or returns how long to wait before trying again.
func (s *shared) take(ctx context.Context, mine sharedSlot) (wait time.Duration, err error) {
	seen, err := s.others(ctx, mine, false)
	if err != nil {
		return 0, err
	}
	err = s.change(ctx, mine.Account, func(l *accountUsage, now clockReading) bool {
		if wait = s.wait(l, seen, mine, now); wait > 0 {
			return false
		}
		own := mine
		own.Leased = now.latest.Add(leaseTime).UnixNano()
		l.Slots = append(l.Slots, own)
		return true
	})
	if err != nil || wait > 0 {
		s.row(mine.Account).forget()
		return wait, err
	}
	// The slot is stored. A replica that reads this row from now on sees it.
	seen, err = s.others(ctx, mine, true)
	if err == nil {
		err = s.change(ctx, mine.Account, func(l *accountUsage, now clockReading) bool {
			wait = s.wait(l.without(mine.ID), seen, mine, now)
			return false
		})
	}
	if err != nil || wait > 0 {
		s.withdraw(context.WithoutCancel(ctx), mine)
		wait += time.Duration(mathrand.Int64N(int64(poll))) // so that two requests do not collide again
	}
	return wait, err
}

// wait returns how long the slot must wait for the account's limits, the employee's slots and the vendor's budget.
func (s *shared) wait(l *accountUsage, others []sharedSlot, mine sharedSlot, now clockReading) time.Duration {
	wait := s.config.wait(slices.Concat(l.Slots, others), mine, now.earliest)
	b, ok := l.Budgets[mine.Employee]
	if !ok {
		return wait
	}
	if pause := time.Unix(0, b.Pause).Sub(now.earliest); pause > 0 {
		return max(wait, pause)
	}
	inFlight, cost := 0, mine.Units
	for _, p := range l.Slots {
		if p.Until == 0 && p.Employee == mine.Employee {
			inFlight++
			cost += p.Units
		}
	}
	if left := time.Unix(0, b.Ends).Sub(now.earliest); left > 0 && b.Left < cost {
		if inFlight > 0 {
			left = poll // their responses will update the budget
		}
		wait = max(wait, left)
	}
	return wait
}

// others returns the slots of other rows that count against mine: those of unknown accounts or, if mine is one of them,
// those of all accounts. The row of unknown accounts may come from the cache unless fresh is set.
func (s *shared) others(ctx context.Context, mine sharedSlot, fresh bool) ([]sharedSlot, error) {
	if mine.Account != "" {
		row := s.row("")
		row.mu.Lock()
		defer row.mu.Unlock()
		if fresh || row.version < 0 {
			if err := row.read(ctx, s, ""); err != nil {
				return nil, err
			}
		}
		now, err := s.clock.now(ctx)
		l := row.usage.at(now.earliest, s.config.window())
		return l.Slots, err
	}
	all, err := s.record.AllRequestSlots(ctx, s.server)
	if err != nil {
		return nil, err
	}
	now, err := s.clock.now(ctx)
	if err != nil {
		return nil, err
	}
	var slots []sharedSlot
	for account, text := range all {
		if account == "" {
			continue
		}
		var l accountUsage
		if err := json.Unmarshal([]byte(text), &l); err != nil {
			return nil, fmt.Errorf("read the slots of requests: %w", err)
		}
		slots = append(slots, l.at(now.earliest, s.config.window()).Slots...)
	}
	return slots, nil
}

// hold renews the slot's lease until the returned function is called.
func (s *shared) hold(ctx context.Context, mine sharedSlot) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	var timer *time.Timer
	var mu sync.Mutex
	renew := func() {
		err := s.change(ctx, mine.Account, func(l *accountUsage, now clockReading) bool {
			return l.update(mine.ID, func(p *sharedSlot) { p.Leased = now.latest.Add(leaseTime).UnixNano() })
		})
		_ = err // the next renewal may succeed before the lease ends
		mu.Lock()
		defer mu.Unlock()
		if ctx.Err() == nil {
			timer.Reset(leaseRenewal)
		}
	}
	mu.Lock()
	defer mu.Unlock()
	timer = time.AfterFunc(leaseRenewal, renew)
	return func() {
		mu.Lock()
		defer mu.Unlock()
		cancel()
		timer.Stop()
	}
}

// While the database is unavailable, a response waits at most releaseTimeout for its slot to be released, and the next
// attempt follows after releaseRetry. A slot that is never released expires with its lease, which is safe.
const (
	releaseTimeout = 2 * time.Second
	releaseRetry   = 100 * time.Millisecond
)

// free makes the slot expire one window from now and stores the vendor's feedback.
func (s *shared) free(ctx context.Context, mine sharedSlot, f Feedback) {
	s.release(ctx, mine, func(l *accountUsage, now clockReading) bool {
		l.update(mine.ID, func(p *sharedSlot) { p.Until, p.Leased = now.latest.Add(s.config.window()).UnixNano(), 0 })
		l.learn(mine.Employee, f, now.latest)
		return true
	})
}

// withdraw removes a slot whose request was not sent.
func (s *shared) withdraw(ctx context.Context, mine sharedSlot) {
	s.release(ctx, mine, func(l *accountUsage, _ clockReading) bool {
		l.Slots = l.without(mine.ID).Slots
		return true
	})
}

// release changes the account's row. If the database is unavailable, it keeps trying in the background until the lease
// has ended.
func (s *shared) release(ctx context.Context, mine sharedSlot, f func(l *accountUsage, now clockReading) bool) {
	try := func() error {
		ctx, cancel := context.WithTimeout(ctx, releaseTimeout)
		defer cancel()
		return s.change(ctx, mine.Account, f)
	}
	if try() == nil {
		return
	}
	go func() {
		for start := time.Now(); time.Since(start) < leaseTime; {
			time.Sleep(releaseRetry)
			if try() == nil {
				return
			}
		}
	}()
}

// change applies f to an account's row and stores the row if f returns true. If another replica changed the row in the
// meantime, it reads the row again and retries.
func (s *shared) change(ctx context.Context, account string, f func(l *accountUsage, now clockReading) bool) error {
	row := s.row(account)
	row.mu.Lock()
	defer row.mu.Unlock()
	for {
		if row.version < 0 {
			if err := row.read(ctx, s, account); err != nil {
				return err
			}
		}
		now, err := s.clock.now(ctx)
		if err != nil {
			return err
		}
		next := row.usage.at(now.earliest, s.config.window())
		if !f(&next, now) {
			return nil
		}
		text, err := json.Marshal(next)
		if err != nil {
			return err
		}
		won, err := s.record.MoveRequestSlots(ctx, s.server, account, row.version, string(text))
		if err != nil {
			row.version = -1 // it may have been stored
			return err
		}
		if won {
			row.version++
			row.usage = next
			return nil
		}
		row.version = -1
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Duration(mathrand.Int64N(int64(2 * time.Millisecond)))):
		}
	}
}

// maxRows bounds the row cache.
const maxRows = 10_000

func (s *shared) row(account string) *sharedRow {
	s.mu.Lock()
	defer s.mu.Unlock()
	row := s.rows[account]
	if row == nil {
		if len(s.rows) >= maxRows {
			clear(s.rows) // rows in use stay valid; the others are read again
		}
		row = &sharedRow{version: -1}
		s.rows[account] = row
	}
	return row
}

// forget marks the row as stale.
func (r *sharedRow) forget() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.version = -1
}

// read reads the row. The caller holds the lock.
func (r *sharedRow) read(ctx context.Context, s *shared, account string) error {
	text, version, err := s.record.RequestSlots(ctx, s.server, account)
	if err != nil {
		return err
	}
	var l accountUsage
	if text != "" {
		if err := json.Unmarshal([]byte(text), &l); err != nil {
			return fmt.Errorf("read the slots of requests: %w", err)
		}
	}
	r.version, r.usage = version, l
	return nil
}

// at returns what still counts at a time. A slot in flight whose lease has ended counts as answered at that time.
func (l accountUsage) at(now time.Time, window time.Duration) accountUsage {
	out := accountUsage{}
	for _, p := range l.Slots {
		if p.Until == 0 && p.Leased <= now.UnixNano() {
			p.Until = time.Unix(0, p.Leased).Add(window).UnixNano()
		}
		if p.Until == 0 || p.Until > now.UnixNano() {
			out.Slots = append(out.Slots, p)
		}
	}
	for employee, b := range l.Budgets {
		if max(b.Ends, b.Pause) > now.UnixNano() {
			if out.Budgets == nil {
				out.Budgets = map[string]budget{}
			}
			out.Budgets[employee] = b
		}
	}
	return out
}

// without returns a copy without one slot.
func (l accountUsage) without(id string) *accountUsage {
	l.Slots = slices.DeleteFunc(slices.Clone(l.Slots), func(p sharedSlot) bool { return p.ID == id })
	return &l
}

// update changes a slot and reports whether it exists.
func (l *accountUsage) update(id string, f func(*sharedSlot)) bool {
	for i := range l.Slots {
		if l.Slots[i].ID == id {
			f(&l.Slots[i])
			return true
		}
	}
	return false
}

// learn stores the vendor's feedback to an employee.
func (l *accountUsage) learn(employee string, f Feedback, now time.Time) {
	b := l.Budgets[employee]
	if f.Limit > 0 && f.Interval > 0 {
		b.Left, b.Limit, b.Ends = f.Remaining, f.Limit, now.Add(f.Interval).UnixNano()
	}
	if f.Pause > 0 {
		b.Pause = max(b.Pause, now.Add(f.Pause).UnixNano())
	}
	if b == (budget{}) {
		return
	}
	if l.Budgets == nil {
		l.Budgets = map[string]budget{}
	}
	l.Budgets[employee] = b
}

// clockReading is the database's time, as an interval that contains it.
type clockReading struct{ earliest, latest time.Time }

// sharedClock estimates the database's clock. The local clock is used only to measure elapsed time.
type sharedClock struct {
	record Record

	mu     sync.Mutex
	local  time.Time     // local time of the last reading
	remote time.Time     // database time of the last reading
	err    time.Duration // maximum error of the last reading
}

// clockLifetime is how long a reading is used: the local clock may drift.
const clockLifetime = time.Minute

func (c *sharedClock) now(ctx context.Context) (clockReading, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.local.IsZero() || time.Since(c.local) > clockLifetime {
		if err := c.read(ctx); err != nil {
			return clockReading{}, err
		}
	}
	now := c.remote.Add(time.Since(c.local))
	return clockReading{now.Add(-c.err), now.Add(c.err)}, nil
}

// read reads the database's clock, which happened some time during the round trip. The shortest of a few round trips
// gives the smallest error.
func (c *sharedClock) read(ctx context.Context) error {
	best := time.Duration(-1)
	for range 4 {
		start := time.Now()
		remote, err := c.record.Now(ctx)
		took := time.Since(start)
		if err != nil {
			return err
		}
		if best < 0 || took < best {
			best = took
			c.local, c.remote, c.err = start.Add(took/2), remote, took/2
		}
	}
	return nil
}
