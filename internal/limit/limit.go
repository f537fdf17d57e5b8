// Package limit keeps the requests to an external account within the vendor's rate limits.
//
// Three limits apply at once (rules R24 and R25). Per account, over all its connections, any sliding second seen by the
// server holds a limited number of requests and a smaller number of stock reports. Per employee, a limited number of
// requests is in flight. And per employee, requests stay within the vendor's weighted budget, which is learned from
// the responses.
//
// The window of a slot starts when the response begins, not when the request is sent. A request reaches the server
// some time between the two, and only the response is an upper bound. So whatever the network does, the server never
// sees one request too many in a second. The cost is the latency of one response per second (decision 2).
package limit

import (
	"context"
	"time"
)

// Request describes a request to the external API.
type Request struct {
	Account    string // the account whose limits apply; empty if unknown: then it counts against every account
	Employee   string // the owner of the token; the vendor's budget and the slots in flight are per employee
	Heavy      bool   // a stock report
	Kind       string // requests of one kind cost the same units, which are learned; empty: one kind per value of Heavy
	MaxUnits   int    // upper bound of its cost in units; 0 if unknown
	Background bool   // yields to interactive requests
}

// Feedback is what a response says about limits. The zero value means that there was no response, or one without
// limits; the request still counts, because it may have arrived.
type Feedback struct {
	Limit     int           // units per interval of the vendor; 0 if unknown
	Remaining int           // units left; meaningful when Limit > 0
	Interval  time.Duration // the vendor's interval
	Pause     time.Duration // how long the vendor asked us to wait (X-Lognex-Retry-After of a 429)
	Crowded   bool          // a 429 without a wait: too many requests in flight
}

// Limiter grants permission to send requests. [Memory] serves one process, [OneMachine] the processes of one machine,
// [Shared] the replicas that share a database.
type Limiter interface {
	// Acquire blocks until the request may be sent or ctx is done. Requests of a class are granted in order. The caller
	// must call done exactly once, when the first byte of the response arrives or the request has failed.
	Acquire(ctx context.Context, r Request) (done func(Feedback), err error)
}
