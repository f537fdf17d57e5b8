package limit

import (
	"context"
	"slices"
	"sync"
	"time"
)

// Config is the limits of an account. The zero Config means the limits of rule R24.
type Config struct {
	PerSecond      int           // requests in any sliding second; 0 means 6
	HeavyPerSecond int           // stock reports among them; 0 means 2
	InFlight       int           // requests of one employee in flight; 0 means 5
	Margin         time.Duration // added to each window, in case the server rounds its clock; 0 means 5 ms
}

func (c Config) defaults() Config {
	set := func(v *int, n int) {
		if *v <= 0 {
			*v = n
		}
	}
	set(&c.PerSecond, 6)
	set(&c.HeavyPerSecond, 2)
	set(&c.InFlight, 5)
	if c.Margin == 0 {
		c.Margin = 5 * time.Millisecond
	}
	return c
}

// Memory is a limiter for one process. It has no goroutine: every Acquire, every response and a timer dispatch the
// requests that may be sent.
//
// Interactive requests are sent before background ones, and each class is first in, first out, with one exception: a
// stock report that waits only for the limit of stock reports does not block other requests. It cannot starve: a slot
// of a stock report becomes free in both limits at the same time, and the report is then first in the queue.
type Memory struct {
	config Config

	mu        sync.Mutex
	queues    [2][]*waiter        // interactive, background
	accounts  map[string]*account // those with slots; "" holds the requests of unknown accounts
	employees map[string]*employee
	timer     *time.Timer
	round     uint64 // number of the current dispatch, for the blocked marks
}

var _ Limiter = (*Memory)(nil)

// slot is occupied while its request is in flight and for one window after the response began.
type slot struct {
	heavy    bool
	kind     string
	most     int // upper bound of its cost in units; 0 if unknown
	sent     time.Time
	left     int  // units left according to the response
	known    bool // left is set
	answered bool
	done     time.Time // when the response began
}

type account struct {
	slots   []*slot
	blocked uint64 // the dispatch round in which an earlier request found no slot
}

type waiter struct {
	request Request
	slot    *slot // set when granted
	granted chan struct{}
}

// New returns a limiter for one process.
func New(c Config) *Memory {
	m := &Memory{config: c.defaults(), accounts: map[string]*account{}, employees: map[string]*employee{}}
	m.timer = time.AfterFunc(time.Hour, func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.dispatch()
	})
	m.timer.Stop()
	return m
}

// Acquire implements [Limiter]. Its only error is that of ctx.
func (m *Memory) Acquire(ctx context.Context, r Request) (func(Feedback), error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	w := &waiter{request: r, granted: make(chan struct{})}
	class := 0
	if r.Background {
		class = 1
	}
	m.mu.Lock()
	m.queues[class] = append(m.queues[class], w)
	m.dispatch()
	m.mu.Unlock()

	select {
	case <-w.granted:
	case <-ctx.Done():
		m.mu.Lock()
		defer m.mu.Unlock()
		if w.slot != nil {
			m.forget(w) // granted at the same time; nothing was sent, so it does not count
		} else {
			m.queues[class] = slices.DeleteFunc(m.queues[class], func(x *waiter) bool { return x == w })
		}
		m.dispatch()
		return nil, ctx.Err()
	}
	return func(f Feedback) { m.answer(w, f) }, nil
}

// answer starts the slot's window and records the vendor's feedback.
func (m *Memory) answer(w *waiter, f Feedback) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if w.slot.answered {
		return // called twice
	}
	now := time.Now()
	w.slot.answered, w.slot.done = true, now
	m.employee(w.request.Employee).answered(w.slot, f, now)
	m.dispatch()
}

func (m *Memory) forget(w *waiter) {
	remove := func(slots []*slot) []*slot {
		return slices.DeleteFunc(slots, func(p *slot) bool { return p == w.slot })
	}
	a := m.account(w.request.Account)
	a.slots = remove(a.slots)
	e := m.employee(w.request.Employee)
	e.slots = remove(e.slots)
	e.inFlight--
}

func (m *Memory) account(name string) *account {
	a := m.accounts[name]
	if a == nil {
		a = &account{}
		m.accounts[name] = a
	}
	return a
}

func (m *Memory) employee(name string) *employee {
	e := m.employees[name]
	if e == nil {
		e = &employee{cap: m.config.InFlight, capMax: m.config.InFlight, margin: m.config.Margin}
		m.employees[name] = e
	}
	return e
}

// dispatch grants the requests that may be sent now, in order, and sets the timer to when the next slot expires. The
// caller holds the lock.
func (m *Memory) dispatch() {
	now := time.Now()
	m.round++
	for name, a := range m.accounts {
		a.slots = unexpired(a.slots, now, time.Second+m.config.Margin)
		if len(a.slots) == 0 {
			delete(m.accounts, name)
		}
	}
	turn := turn{now: now}
	for class, queue := range m.queues {
		waiting := queue[:0]
		for _, w := range queue {
			if !m.admits(w.request, &turn) {
				waiting = append(waiting, w)
				continue
			}
			m.grant(w)
		}
		clear(queue[len(waiting):])
		m.queues[class] = waiting
	}
	m.timer.Stop()
	if !turn.wake.IsZero() {
		m.timer.Reset(turn.wake.Sub(now))
	}
}

// turn is the state of one dispatch.
type turn struct {
	now  time.Time
	wake time.Time // when the next slot expires; zero: none
	// a request of an unknown account waits. It needs a slot in every account at the same time, so later requests leave
	// it one of each; if they had to wait for it, one busy account would block all others
	reserved int
}

func (t *turn) wakeAt(at time.Time) {
	if !at.IsZero() && (t.wake.IsZero() || at.Before(t.wake)) {
		t.wake = at
	}
}

func (m *Memory) grant(w *waiter) {
	w.slot = &slot{heavy: w.request.Heavy, kind: w.request.kind(), most: w.request.MaxUnits}
	a, e := m.account(w.request.Account), m.employee(w.request.Employee)
	a.slots = append(a.slots, w.slot)
	e.sent(w.slot, time.Now())
	close(w.granted)
}

// admits reports whether the request may be sent now. If not, it marks the account or the employee as blocked in this
// round, so that later requests cannot take the slot that it waits for.
func (m *Memory) admits(r Request, t *turn) bool {
	a, e := m.account(r.Account), m.employee(r.Employee)
	if a.blocked == m.round || e.blocked == m.round {
		return false
	}
	if r.Heavy && !m.free(r.Account, m.config.HeavyPerSecond, true, t) {
		return false
	}
	if at, ok := e.admits(r, t.now); !ok {
		e.blocked = m.round
		t.wakeAt(at)
		return false
	}
	if !m.free(r.Account, m.config.PerSecond-t.reserved, false, t) {
		a.blocked = m.round
		if r.Account == "" {
			t.reserved = 1
		}
		return false
	}
	return true
}

// free reports whether fewer than limit slots are occupied in the named account, including those of unknown accounts;
// for an unknown account, in every account.
func (m *Memory) free(name string, limit int, heavyOnly bool, t *turn) bool {
	taken := func(a *account) int {
		n := 0
		for _, p := range a.slots {
			if p.heavy || !heavyOnly {
				n++
			}
		}
		return n
	}
	unknown := m.accounts[""]
	if unknown == nil {
		unknown = &account{}
	}
	full := func(a *account) bool {
		n := taken(unknown)
		if a != unknown {
			n += taken(a)
		}
		if n < limit {
			return false
		}
		for _, p := range slices.Concat(a.slots, unknown.slots) {
			if p.answered && (p.heavy || !heavyOnly) {
				t.wakeAt(p.done.Add(time.Second + m.config.Margin))
			}
		}
		return true
	}
	if name != "" {
		return !full(m.account(name))
	}
	for _, a := range m.accounts {
		if full(a) {
			return false
		}
	}
	return !full(unknown)
}

// unexpired removes the slots whose response began at least a window ago.
func unexpired(slots []*slot, now time.Time, window time.Duration) []*slot {
	return slices.DeleteFunc(slots, func(p *slot) bool { return p.answered && now.Sub(p.done) >= window })
}
