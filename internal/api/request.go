package api

import (
	"cmp"
	"context"
	"log/slog"
	"mime"
	"net/http"
	"strings"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/api/idempotency"
	"github.com/stockhand/stockhand/internal/audit"
)

// call is the state of one request. It is created first and stored in the context.
type call struct {
	id      string
	begin   time.Time
	route   string // the matched pattern; empty before the match
	openai  bool   // errors are also sent in OpenAI's format
	accepts string // the Accept-Language header
	actor   stockhand.Actor
	dry     bool            // X-Dry-Run
	ended   stockhand.Actor // of a key that no longer counts
	still   func() error    // returns an error if the caller has lost access; nil on public endpoints
	asked   time.Time       // when access was last checked
	read    bool            // the body was read
	log     *slog.Logger

	audits    audited // by the route
	arguments string  // fingerprint of the body, of a route that notes calls
	code      stockhand.Code

	// The response so far.
	begun  bool
	status int
	bytes  int64
}

type callKey struct{}

// callOf returns the state of the context's request, or an empty one outside requests.
func callOf(ctx context.Context) *call {
	if c, ok := ctx.Value(callKey{}).(*call); ok {
		return c
	}
	return &call{log: slog.New(slog.DiscardHandler)}
}

// dryRun reports whether the request must not change anything (X-Dry-Run: 1, rule R49). It is only true in routes whose
// row says dryRun(); the guard rejects the header elsewhere.
func dryRun(ctx context.Context) bool { return callOf(ctx).dry }

// requestID returns the request's ID, for the log.
func requestID(ctx context.Context) string { return callOf(ctx).id }

// languageOf returns the language of Accept-Language, English by default.
func languageOf(ctx context.Context) stockhand.Language { return callOf(ctx).language() }

func (c *call) language() stockhand.Language { return stockhand.PreferredLanguage(c.accepts) }

// apiRoute reports whether the route is for programs: pages of the console are not.
func (c *call) apiRoute() bool {
	return strings.HasPrefix(c.route, Base+"/") || strings.HasPrefix(c.route, "/v1/") || c.route == "/mcp"
}

// openAIPath reports whether a path belongs to the OpenAI format.
func openAIPath(path string) bool {
	return strings.HasPrefix(path, "/v1/") || strings.HasPrefix(path, Base+"/v1/")
}

// stillEvery is how often access is checked again during a long response.
const stillEvery = time.Second

// mayGoOn returns an error if the caller has lost access: a stream must not outlive the key, membership or role that it
// started with (rule R33).
func (c *call) mayGoOn(now time.Time) error {
	if c.still == nil || now.Sub(c.asked) < stillEvery {
		return nil
	}
	c.asked = now
	return c.still()
}

// answer is the ResponseWriter of every request. It records the status and size of the response, and sets a deadline
// for each write, so that a stream may last long but a client that stops reading is disconnected.
type answer struct {
	http.ResponseWriter
	call    *call
	control *http.ResponseController
	until   time.Time // the deadline of writes
}

// writeTime is the time limit of one write.
const writeTime = time.Minute

func (a *answer) WriteHeader(status int) {
	if a.call.begun {
		return
	}
	if status >= http.StatusOK { // 1xx are not the final response
		a.call.begun, a.call.status = true, status
		a.extend(time.Now())
	}
	a.ResponseWriter.WriteHeader(status)
}

func (a *answer) Write(b []byte) (int, error) {
	if !a.call.begun {
		a.WriteHeader(http.StatusOK)
	} else {
		now := time.Now()
		if a.bodyGoesOn() {
			if err := a.call.mayGoOn(now); err != nil {
				return 0, err
			}
		}
		a.extend(now)
	}
	n, err := a.ResponseWriter.Write(b)
	a.call.bytes += int64(n)
	return n, err
}

// bodyGoesOn reports whether more of the body follows, or an event. The first write of any other response is its
// answer, and goes to the caller even if the request itself ended the caller's access, as signing out does.
func (a *answer) bodyGoesOn() bool {
	return a.call.bytes > 0 || strings.HasPrefix(a.Header().Get("Content-Type"), "text/event-stream")
}

// extend sets the deadline of writes, once a second at most: a stream has many of them.
func (a *answer) extend(now time.Time) {
	if until := now.Add(writeTime); until.Sub(a.until) >= time.Second {
		a.until = until
		_ = a.control.SetWriteDeadline(until) // an error means that the connection has no deadlines
	}
}

// Flush implements http.Flusher.
func (a *answer) Flush() {
	if !a.call.begun {
		a.WriteHeader(http.StatusOK)
	}
	_ = a.control.Flush()
}

// Unwrap supports http.ResponseController.
func (a *answer) Unwrap() http.ResponseWriter { return a.ResponseWriter }

// called fingerprints the arguments of a call, for routes that note them.
func (c *call) called(log *audit.Log, r *http.Request, body []byte) {
	if c.audits.arguments && len(r.URL.RawQuery)+len(body) > 0 {
		c.arguments = log.Fingerprint(c.actor.Org, []byte(r.URL.RawQuery+"\n"+string(body)))
	}
}

// note adds a finished request to the audit log, if its route notes its successes or it was refused.
func (s *Server) note(a *answer, r *http.Request) {
	c := a.call
	f := audit.Fact{Org: cmp.Or(c.actor.Org, c.ended.Org), Actor: cmp.Or(c.actor.Name, c.ended.Name),
		From: s.TrustedProxies.Address(r).String()}
	refused := c.status == http.StatusUnauthorized || c.status == http.StatusForbidden ||
		c.status == http.StatusTooManyRequests
	switch {
	case refused && c.code != "": // without a code, the status is the external system's or the model's
		f.Action, f.What, f.Code = "request.refused", r.Method+" "+c.route, string(c.code)
	case !c.audits.noted || c.dry && c.audits.dry == "" || c.status >= http.StatusMultipleChoices ||
		a.Header().Get(idempotency.Replayed) != "":
		return
	default:
		f.Action, f.What, f.Arguments = c.audits.actions[0], r.Method+" "+safePath(r.URL.Path), c.arguments
		if c.dry {
			f.Action = c.audits.dry
		}
		if form, _, _ := mime.ParseMediaType(a.Header().Get("Content-Type")); form != "application/json" {
			f.Form = form
		}
	}
	s.Audit.Note(f)
}
