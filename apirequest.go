package stockhand

import "time"

// APIRequest is a request to the API as an organization's log keeps it.
type APIRequest struct {
	ID      APIRequestID
	At      time.Time // when it was answered
	Method  string
	Route   string // its pattern, such as /api/v1/drafts/{draft_id}
	Status  int
	Took    time.Duration
	By      string // the name of the actor
	Code    Code   // of an error; empty otherwise
	Request string // its X-Request-Id
}

// RequestFilter selects requests.
type RequestFilter struct {
	By     string    // of this actor; empty for all
	Failed bool      // only those with an error
	Since  time.Time // not before it
}

// KeptRequests is how many requests a log keeps, and for how long.
type KeptRequests struct {
	Most int
	For  time.Duration
}
