package limit

import (
	"cmp"
	"slices"
	"time"
)

// sharedSlot is a slot that several processes share, in a file or in a database.
type sharedSlot struct {
	ID       string `json:"id"`
	Lease    string `json:"lease,omitempty"`  // on one machine: the lease of the process that holds it
	Leased   int64  `json:"leased,omitempty"` // in a database: when its lease ends, in Unix nanoseconds
	Account  string `json:"account"`          // empty counts against every account
	Employee string `json:"employee"`
	Heavy    bool   `json:"heavy"`
	Units    int    `json:"units,omitempty"` // upper bound of its cost in the vendor's units
	Until    int64  `json:"until"`           // when it expires, in Unix nanoseconds; 0 while the request is in flight
}

// poll is how often a process retries when only a response to another process can free a slot.
const poll = 10 * time.Millisecond

// window is how long a slot stays occupied after its response began.
func (c Config) window() time.Duration { return time.Second + c.Margin }

// wait returns how long the slot must wait; 0 if it may be sent now.
func (c Config) wait(slots []sharedSlot, mine sharedSlot, now time.Time) time.Duration {
	accounts := map[string]bool{mine.Account: true}
	if mine.Account == "" {
		for _, p := range slots {
			accounts[p.Account] = true
		}
	}
	longest := time.Duration(0)
	atMost := func(limit int, counts func(sharedSlot) bool) {
		var until []int64
		for _, p := range slots {
			if counts(p) {
				until = append(until, p.Until)
			}
		}
		if len(until) < limit {
			return
		}
		// Requests in flight (0) sort last: when they end is unknown.
		slices.SortFunc(until, func(a, b int64) int { return cmp.Compare(uint64(a-1), uint64(b-1)) })
		next := until[len(until)-limit]
		if next == 0 {
			longest = max(longest, poll)
		} else {
			longest = max(longest, time.Unix(0, next).Sub(now), time.Microsecond)
		}
	}
	for account := range accounts {
		same := func(p sharedSlot) bool { return p.Account == account || p.Account == "" }
		atMost(c.PerSecond, same)
		if mine.Heavy {
			atMost(c.HeavyPerSecond, func(p sharedSlot) bool { return p.Heavy && same(p) })
		}
	}
	atMost(c.InFlight, func(p sharedSlot) bool { return p.Until == 0 && p.Employee == mine.Employee })
	return longest
}
