package write

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptrace"
	"sync"
	"sync/atomic"
	"time"

	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/limit"
)

// fate is what is known about a request after all attempts.
type fate int

const (
	answered fate = iota // the server sent a complete response
	unsent               // the server did nothing: it said so, or there was no connection
	lost                 // it was sent without a complete response: the outcome is unknown
)

// reply is the result of a request.
type reply struct {
	fate   fate
	status int
	body   []byte
	err    error // if unsent or lost
}

const (
	maxAnswer = 64 << 20         // a response repeats the request, and more
	grace     = 15 * time.Second // to wait for a write in progress when the caller gives up
)

// send sends a write. It retries a few times if the server certainly did nothing, after the delay that the server asks
// for, and never if the write may have been executed.
func (w *Writer) send(ctx context.Context, method, path string, body []byte) reply {
	for attempt := 1; ; attempt++ {
		if path == "entity/product" || path == "entity/variant" {
			if err := changeRateOf(w.base.Host, string(w.config.Account), path).wait(ctx); err != nil {
				return reply{fate: unsent, err: err}
			}
		}
		r, pause := w.attempt(ctx, method, path, body)
		if r.fate != unsent || pause < 0 || attempt >= w.config.Attempts {
			return r
		}
		backoff := time.Duration(200<<min(attempt-1, 5)) * time.Millisecond
		pause += backoff/2 + rand.N(backoff)
		w.log.InfoContext(ctx, "MoySklad did nothing; retrying the write", "path", path, "attempt", attempt,
			"wait", pause, "status", r.status)
		if err := wait(ctx, pause); err != nil {
			return reply{fate: unsent, err: err}
		}
	}
}

// attempt sends the request once. Pause is the delay that the server asks for before another attempt, and negative if
// there must be none.
func (w *Writer) attempt(ctx context.Context, method, path string, body []byte) (r reply, pause time.Duration) {
	if ctx.Err() != nil {
		return reply{fate: unsent, err: ctx.Err()}, -1
	}
	done := func(limit.Feedback) {}
	if w.config.Limiter != nil {
		var err error
		if done, err = w.config.Limiter.Acquire(ctx, w.reader.Request()); err != nil {
			return reply{fate: unsent, err: err}, -1
		}
	}
	var feedback limit.Feedback
	report := sync.OnceFunc(func() { done(feedback) })
	defer report()

	// The write continues even if the caller gives up, because its outcome would otherwise be unknown.
	sending, cancel := context.WithTimeout(context.WithoutCancel(ctx), w.config.Timeout)
	defer cancel()
	stop := context.AfterFunc(ctx, func() { time.AfterFunc(grace, cancel) })
	defer stop()

	var connected atomic.Bool
	sending = httptrace.WithClientTrace(sending, &httptrace.ClientTrace{
		GotConn: func(httptrace.GotConnInfo) { connected.Store(true) },
	})
	req, err := http.NewRequestWithContext(sending, method, w.base.String()+"/"+path, nil)
	if err != nil {
		return reply{fate: unsent, err: err}, -1
	}
	if body != nil {
		// A body that cannot be rewound, so that net/http never sends the request again by itself.
		req.Body, req.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
		req.Header.Set("Content-Type", "application/json")
	}
	req.Header.Set("Accept", "application/json;charset=utf-8") // any other value is a 400 (fact M3)
	req.Header.Set("Authorization", "Bearer "+w.config.Token)
	req.Header.Set("User-Agent", "Stockhand")
	resp, err := w.client.Do(req)
	if err != nil {
		if _, refused := errors.AsType[*refusedError](err); refused {
			return reply{fate: unsent, err: err}, -1
		}
		if !connected.Load() {
			return reply{fate: unsent, err: err}, 0
		}
		return reply{fate: lost, err: err}, -1
	}
	defer resp.Body.Close()
	feedback = msapi.Feedback(resp)
	report()
	text, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer+1))
	r = reply{status: resp.StatusCode, body: text}
	switch {
	case resp.StatusCode == http.StatusTooManyRequests:
		// Rejected before anything was done, even if the rest of the response is missing (fact M12).
		r.fate, r.err = unsent, fmt.Errorf("HTTP %d", resp.StatusCode)
		return r, feedback.Pause
	case err != nil:
		r.fate, r.err = lost, err
	case len(text) > maxAnswer:
		r.fate, r.err = lost, errors.New("the response is too long")
	case resp.StatusCode >= http.StatusInternalServerError:
		r.fate, r.err = lost, fmt.Errorf("HTTP %d", resp.StatusCode)
	case later(text):
		r.fate, r.err = unsent, errors.New("maintenance")
		return r, 0
	}
	return r, -1
}
