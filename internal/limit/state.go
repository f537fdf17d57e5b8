package limit

import (
	"context"
	"slices"
	"time"
)

// State is how much of the limits of an account is used at a moment, for people to look at.
type State struct {
	Recent, PerSecond      int // requests in the last second, of those allowed
	Heavy, HeavyPerSecond  int // stock reports among them
	InFlight, MostInFlight int // of the employee
	Waiting                int // requests to the account that wait in this process

	// The vendor's weighted budget of the employee: units left of those in an interval. Units is 0 while the vendor has
	// not said it.
	Left, Units int
	Interval    time.Duration
	Paused      time.Time // nothing is sent to the employee's account before; zero for no pause
}

// Watched is a limiter that tells how much of its limits is used. [Memory], [OneMachine] and [Shared] are.
type Watched interface {
	State(ctx context.Context, account, employee string) (State, error)
}

// StateOf returns how much of an account's limits is used, if the limiter tells.
func StateOf(ctx context.Context, l Limiter, account, employee string) (s State, ok bool, err error) {
	w, ok := l.(Watched)
	if !ok {
		return State{}, false, nil
	}
	s, err = w.State(ctx, account, employee)
	return s, err == nil, err
}

// State implements [Watched] for the requests of this process.
func (m *Memory) State(_ context.Context, name, who string) (State, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	now := time.Now()
	s := State{PerSecond: m.config.PerSecond, HeavyPerSecond: m.config.HeavyPerSecond, MostInFlight: m.config.InFlight}
	for _, of := range []string{name, ""} {
		if a := m.accounts[of]; a != nil {
			a.slots = unexpired(a.slots, now, time.Second+m.config.Margin)
			for _, p := range a.slots {
				s.count(p.heavy)
			}
		}
		if of == "" {
			break
		}
	}
	for _, queue := range m.queues {
		for _, w := range queue {
			if w.request.Account == name {
				s.Waiting++
			}
		}
	}
	e := m.employees[who]
	if e == nil {
		return s, nil
	}
	e.prune(now)
	s.InFlight, s.MostInFlight = e.inFlight, e.cap
	if e.limit > 0 {
		s.Units, s.Interval = e.limit, e.interval
		s.Left = max(0, e.limit-e.foreign-e.spent())
	}
	if now.Before(e.paused) {
		s.Paused = e.paused
	}
	return s, nil
}

func (s *State) count(heavy bool) {
	s.Recent++
	if heavy {
		s.Heavy++
	}
}

// counted replaces what is known of one process by the slots of all processes.
func (s *State) counted(slots []sharedSlot, account, employee string) {
	s.Recent, s.Heavy, s.InFlight = 0, 0, 0
	for _, p := range slots {
		if p.Account == account || p.Account == "" {
			s.count(p.Heavy)
		}
		if p.Until == 0 && p.Employee == employee {
			s.InFlight++
		}
	}
}

// State implements [Watched] for all replicas. What waits is that of this one.
func (s *shared) State(ctx context.Context, account, employee string) (State, error) {
	state, _, err := StateOf(ctx, s.inner, account, employee)
	if err != nil {
		return State{}, err
	}
	others, err := s.others(ctx, sharedSlot{Account: account}, true)
	if err != nil {
		return State{}, err
	}
	row := s.row(account)
	row.mu.Lock()
	defer row.mu.Unlock()
	if err := row.read(ctx, s, account); err != nil {
		return State{}, err
	}
	now, err := s.clock.now(ctx)
	if err != nil {
		return State{}, err
	}
	usage := row.usage.at(now.earliest, s.config.window())
	state.counted(slices.Concat(usage.Slots, others), account, employee)
	if b, ok := usage.Budgets[employee]; ok {
		state.Left = min(state.Left, b.Left)
		if pause := time.Unix(0, b.Pause); pause.After(now.earliest) {
			state.Paused = pause
		}
		if state.Units == 0 { // another replica heard of the budget
			state.Left, state.Units = b.Left, max(b.Left, b.Limit)
		}
	}
	return state, nil
}
