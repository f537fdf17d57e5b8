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

// Record is where replicas keep their slots together. internal/store has it: the System of a *store.DB.
type Record interface {
	// Now is the record's own clock: those of the replicas may differ.
	Now(ctx context.Context) (time.Time, error)
	// RequestSlots returns what is kept for an account and its version; nothing and 0 at first.
	RequestSlots(ctx context.Context, server, account string) (slots string, version int64, err error)
	AllRequestSlots(ctx context.Context, server string) (map[string]string, error)
	// MoveRequestSlots replaces what is kept, if it still has the version that was seen.
	MoveRequestSlots(ctx context.Context, server, account string, seen int64, slots string) (won bool, err error)
}

// shared keeps the limits over all replicas of a service, on any machines.
//
// Each account has a row in the record with the slots taken, and a slot is taken by one conditional update: it wins
// only when the row was not changed since it was read. A request whose account is not known yet has a row of its own,
// and counts against every account. No lock spans both rows; instead each side writes its own first and looks at the
// other's then, so of two that come at once at least one sees the other, and takes its slot back when there is one too
// many.
//
// A replica that dies cannot free its slots. So a slot on the way has a lease of a few seconds, which its holder
// renews.
type shared struct {
	inner  Limiter
	config Config
	record Record
	server string
	clock  sharedClock

	mu   sync.Mutex
	rows map[string]*sharedRow
}

// How long a lease lasts, and how often its holder renews it.
const (
	leaseTime    = 6 * time.Second
	leaseRenewal = 2 * time.Second
)

// Shared returns l, keeping the limits also over every replica whose limiter was made with the same record and server.
// Within a replica the order is l's; between replicas there is none.
func Shared(l Limiter, c Config, record Record, server string) Limiter {
	return &shared{inner: l, config: c.defaults(), record: record, server: server, clock: sharedClock{record: record},
		rows: map[string]*sharedRow{}}
}

// sharedRow is an account's row as it was last seen. Its lock lets one goroutine of this replica change it at a time.
type sharedRow struct {
	mu      sync.Mutex
	version int64 // negative while it must be read
	usage   accountUsage
}

// accountUsage is what a row holds.
type accountUsage struct {
	Slots   []sharedSlot      `json:"slots,omitempty"`
	Budgets map[string]budget `json:"budgets,omitempty"` // by employee
}

// budget is what the vendor last said to one employee, whichever replica asked.
type budget struct {
	Left  int   `json:"left"`            // units, until Ends
	Ends  int64 `json:"ends"`            // Unix nanoseconds
	Pause int64 `json:"pause,omitempty"` // Unix nanoseconds: nothing may be sent before
}

// Acquire implements [Limiter]. Besides ctx's, an error means that the record cannot be asked; nothing may be sent
// then.
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

// take takes the slot, or says how long to wait before asking again.
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
	// The slot is taken for all to see. A replica that reads this row only now sees it.
	seen, err = s.others(ctx, mine, true)
	if err == nil {
		err = s.change(ctx, mine.Account, func(l *accountUsage, now clockReading) bool {
			wait = s.wait(l.without(mine.ID), seen, mine, now)
			return false
		})
	}
	if err != nil || wait > 0 {
		s.withdraw(context.WithoutCancel(ctx), mine)
		wait += time.Duration(mathrand.Int64N(int64(poll))) // two that gave way to each other do not meet again
	}
	return wait, err
}

// wait is how long the slot must wait for the account's limits, the employee's slots and what the vendor said.
func (s *shared) wait(l *accountUsage, others []sharedSlot, mine sharedSlot, now clockReading) time.Duration {
	wait := s.config.wait(slices.Concat(l.Slots, others), mine, now.earliest)
	b, ok := l.Budgets[mine.Employee]
	if !ok {
		return wait
	}
	if pause := time.Unix(0, b.Pause).Sub(now.earliest); pause > 0 {
		return max(wait, pause)
	}
	onTheWay, most := 0, mine.Units
	for _, p := range l.Slots {
		if p.Until == 0 && p.Employee == mine.Employee {
			onTheWay++
			most += p.Units
		}
	}
	if left := time.Unix(0, b.Ends).Sub(now.earliest); left > 0 && b.Left < most {
		if onTheWay > 0 {
			left = poll // their answers say more
		}
		wait = max(wait, left)
	}
	return wait
}

// others are the slots that count against mine from other rows: those of unknown accounts, or, for one of these, all.
// Those of unknown accounts may be as they were last seen; afresh reads them.
func (s *shared) others(ctx context.Context, mine sharedSlot, afresh bool) ([]sharedSlot, error) {
	if mine.Account != "" {
		row := s.row("")
		row.mu.Lock()
		defer row.mu.Unlock()
		if afresh || row.version < 0 {
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
	var again *time.Timer
	var mu sync.Mutex
	renew := func() {
		err := s.change(ctx, mine.Account, func(l *accountUsage, now clockReading) bool {
			return l.update(mine.ID, func(p *sharedSlot) { p.Leased = now.latest.Add(leaseTime).UnixNano() })
		})
		_ = err // the next one may get through; until then the lease holds
		mu.Lock()
		defer mu.Unlock()
		if ctx.Err() == nil {
			again.Reset(leaseRenewal)
		}
	}
	mu.Lock()
	defer mu.Unlock()
	again = time.AfterFunc(leaseRenewal, renew)
	return func() {
		mu.Lock()
		defer mu.Unlock()
		cancel()
		again.Stop()
	}
}

// freeTime bounds how long an answer waits until its slot is given back, and freeAgain is the pause before the next
// try, while the database is away. A slot that is not given back frees itself when its lease ends, which errs on the
// safe side.
const (
	freeTime  = 2 * time.Second
	freeAgain = 100 * time.Millisecond
)

// free lets the slot go a window after now, and passes on what the vendor said.
func (s *shared) free(ctx context.Context, mine sharedSlot, f Feedback) {
	s.giveBack(ctx, mine, func(l *accountUsage, now clockReading) bool {
		l.update(mine.ID, func(p *sharedSlot) { p.Until, p.Leased = now.latest.Add(s.config.window()).UnixNano(), 0 })
		l.learn(mine.Employee, f, now.latest)
		return true
	})
}

// withdraw takes a slot back whose request was not sent.
func (s *shared) withdraw(ctx context.Context, mine sharedSlot) {
	s.giveBack(ctx, mine, func(l *accountUsage, _ clockReading) bool {
		l.Slots = l.without(mine.ID).Slots
		return true
	})
}

// giveBack changes the account's row. If the database is away, it goes on trying in the background until the lease has
// ended.
func (s *shared) giveBack(ctx context.Context, mine sharedSlot, f func(l *accountUsage, now clockReading) bool) {
	try := func() error {
		ctx, cancel := context.WithTimeout(ctx, freeTime)
		defer cancel()
		return s.change(ctx, mine.Account, f)
	}
	if try() == nil {
		return
	}
	go func() {
		for began := time.Now(); time.Since(began) < leaseTime; {
			time.Sleep(freeAgain)
			if try() == nil {
				return
			}
		}
	}()
}

// change lets f change an account's row, and stores it when f says that it did. Of several replicas that saw the same
// row one wins; the others see what it did and try again.
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

// mostRows bounds the rows that a replica remembers.
const mostRows = 10_000

func (s *shared) row(account string) *sharedRow {
	s.mu.Lock()
	defer s.mu.Unlock()
	row := s.rows[account]
	if row == nil {
		if len(s.rows) >= mostRows {
			clear(s.rows) // what is in use goes on with what it holds; the others are read again
		}
		row = &sharedRow{version: -1}
		s.rows[account] = row
	}
	return row
}

// forget has the row read again before it is looked at: others may have changed it.
func (r *sharedRow) forget() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.version = -1
}

// read reads the row; its caller holds the lock.
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

// at is what still counts at that moment. A slot on the way whose holder is silent counts as answered when its lease
// ended.
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

// without is the accountUsage without one slot.
func (l accountUsage) without(id string) *accountUsage {
	l.Slots = slices.DeleteFunc(slices.Clone(l.Slots), func(p sharedSlot) bool { return p.ID == id })
	return &l
}

// update changes one slot, if it is still there.
func (l *accountUsage) update(id string, f func(*sharedSlot)) bool {
	for i := range l.Slots {
		if l.Slots[i].ID == id {
			f(&l.Slots[i])
			return true
		}
	}
	return false
}

// learn notes what the vendor said to an employee.
func (l *accountUsage) learn(employee string, f Feedback, now time.Time) {
	b := l.Budgets[employee]
	if f.Limit > 0 && f.Interval > 0 {
		b.Left, b.Ends = f.Remaining, now.Add(f.Interval).UnixNano()
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

// clockReading is the present by the record's clock, as precisely as it is known from here.
type clockReading struct{ earliest, latest time.Time }

// sharedClock follows the record's clock with this machine's, which is asked for nothing but differences.
type sharedClock struct {
	record Record

	mu    sync.Mutex
	here  time.Time     // when the record was asked last
	there time.Time     // what it said
	off   time.Duration // how far from it that may be
}

// clockTrusted is how long this machine's clock is trusted to run as fast as the record's.
const clockTrusted = time.Minute

func (c *sharedClock) now(ctx context.Context) (clockReading, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.here.IsZero() || time.Since(c.here) > clockTrusted {
		if err := c.ask(ctx); err != nil {
			return clockReading{}, err
		}
	}
	now := c.there.Add(time.Since(c.here))
	return clockReading{now.Add(-c.off), now.Add(c.off)}, nil
}

// ask compares the clocks. The record read its own somewhere between the question and the answer; of a few tries the
// shortest tells most.
func (c *sharedClock) ask(ctx context.Context) error {
	best := time.Duration(-1)
	for range 4 {
		asked := time.Now()
		there, err := c.record.Now(ctx)
		took := time.Since(asked)
		if err != nil {
			return err
		}
		if best < 0 || took < best {
			best = took
			c.here, c.there, c.off = asked.Add(took/2), there, took/2
		}
	}
	return nil
}
