package api

import (
	"context"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/stockhand/stockhand"
)

// call is one request as the whole way through the server knows it. It is made before anything else and is in the
// context.
type call struct {
	id      string // of the request
	begin   time.Time
	route   string // the pattern that matched; empty until one has
	openai  bool   // errors are said in OpenAI's words too
	accepts string // the Accept-Language header
	actor   stockhand.Actor
	dry     bool         // X-Dry-Run
	still   func() error // whether the caller may go on being answered; nil where nobody was asked to say who they are
	asked   time.Time    // when that was last found out
	read    bool         // the body was read, or there is none to read
	log     *slog.Logger

	// Of the answer, as far as it has come.
	begun  bool
	status int
	bytes  int64
}

type callKey struct{}

// callOf returns the request that the context belongs to; an empty one outside any.
func callOf(ctx context.Context) *call {
	if c, ok := ctx.Value(callKey{}).(*call); ok {
		return c
	}
	return &call{log: slog.New(slog.DiscardHandler)}
}

// dryRun tells whether the caller wants to hear what would be done, and nothing to be done (X-Dry-Run: 1). Only writes
// whose row in the table of routes says dryRun() are ever asked that way; the guard refuses the others.
func dryRun(ctx context.Context) bool { return callOf(ctx).dry }

// requestID is the request's id, for records that name it.
func requestID(ctx context.Context) string { return callOf(ctx).id }

// languageOf is the language that the caller wants to be answered in: English, unless Accept-Language prefers Russian.
func languageOf(ctx context.Context) stockhand.Language { return callOf(ctx).language() }

func (c *call) language() stockhand.Language { return stockhand.PreferredLanguage(c.accepts) }

// openAIPath tells of the paths where OpenAI clients call.
func openAIPath(path string) bool {
	return strings.HasPrefix(path, "/v1/") || strings.HasPrefix(path, Base+"/v1/")
}

// stillEvery is how old the decision on a caller may be while they are being answered: as old as on any other replica.
const stillEvery = time.Second

// mayGoOn tells whether who is being answered may still be: an answer that lasts, a stream above all, must not outlive
// the key, the membership or the role that it was begun with.
func (c *call) mayGoOn(now time.Time) error {
	if c.still == nil || now.Sub(c.asked) < stillEvery {
		return nil
	}
	c.asked = now
	return c.still()
}

// answer is the ResponseWriter of every request: it knows whether the answer has begun and how it went, and gives each
// write a time in which it must make progress, so that a caller who stops reading holds nothing for ever, and a stream
// may last.
type answer struct {
	http.ResponseWriter
	call    *call
	control *http.ResponseController
	began   func() // called once when the answer begins; may be nil
}

// writeTime is what one write may take.
const writeTime = time.Minute

func (a *answer) WriteHeader(status int) {
	if a.call.begun {
		return
	}
	if status >= http.StatusOK { // 1xx are not the answer yet
		a.call.begun, a.call.status = true, status
		// what has no deadlines has no connection to hold either
		_ = a.control.SetWriteDeadline(time.Now().Add(writeTime))
		if a.began != nil {
			defer a.began()
		}
	}
	a.ResponseWriter.WriteHeader(status)
}

func (a *answer) Write(b []byte) (int, error) {
	if !a.call.begun {
		a.WriteHeader(http.StatusOK)
	} else {
		now := time.Now()
		if err := a.call.mayGoOn(now); err != nil {
			return 0, err
		}
		_ = a.control.SetWriteDeadline(now.Add(writeTime))
	}
	n, err := a.ResponseWriter.Write(b)
	a.call.bytes += int64(n)
	return n, err
}

// Flush implements http.Flusher.
func (a *answer) Flush() {
	if !a.call.begun {
		a.WriteHeader(http.StatusOK)
	}
	_ = a.control.Flush()
}

// Unwrap is for http.ResponseController.
func (a *answer) Unwrap() http.ResponseWriter { return a.ResponseWriter }
