// Package limit keeps the requests to an external account within what the account allows.
//
// Three rules hold at once (rules R24 and R25). Per account, over all connections:
// no sliding second, as the receiving side sees it, holds more than a number of requests, nor more than a smaller
// number of stock reports. Per employee: no more than a number of requests in flight, and no more than the vendor's
// own weighted budget, which is learnt from its answers.
//
// The surprising decision is when a slot becomes free again. A request reaches the other side somewhere between
// being sent and being answered, and only the answer is an upper bound. So a slot is counted from the moment the
// answer began, not from the sending: whatever the network does, the receiving side never sees a seventh request.
// The price is one answer's latency a second (decision 2).
package limit

import (
	"context"
	"time"
)

// Request says what is about to be sent.
type Request struct {
	Account    string // whose limits it counts against; empty while unknown: it then counts against every account
	Employee   string // whose token it carries: the vendor's budget and the slots in flight are per employee
	Heavy      bool   // a stock report
	Kind       string // requests of one kind cost the vendor's budget the same, which is learnt; empty: as Heavy says
	MaxUnits   int    // the most that the vendor may charge its budget for it, until an answer says; 0 means 1
	Background bool   // yields to interactive requests in the queue
}

// Feedback is what the answer said. The zero value means that nothing came back or that the answer carried no
// limits; the request then counts as sent, because it may have arrived.
type Feedback struct {
	Limit     int           // units in the vendor's interval; 0 when the answer did not say
	Remaining int           // units left; meaningful when Limit > 0
	Interval  time.Duration // length of the vendor's interval
	Pause     time.Duration // how long the vendor asked us to wait (a 429's X-Lognex-Retry-After)
	Crowded   bool          // a 429 without a wait: too many at once
}

// Limiter hands out permission to send. [Memory] serves one process, [OneMachine] those of
// a machine and [Shared] the replicas on one database.
type Limiter interface {
	// Acquire blocks until the request may be sent, in the order of asking within its class, or until ctx ends.
	// The caller must call done exactly once, as soon as the answer's first byte or the failure is there.
	Acquire(ctx context.Context, r Request) (done func(Feedback), err error)
}
