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

// fate is what is known of a request after everything was tried.
type fate int

const (
	answered fate = iota // the server answered, and the answer is whole
	unsent               // the server did nothing: it said so, or there was no connection
	lost                 // it was sent and no whole answer came: the outcome is unknown
)

// reply is how a request ended.
type reply struct {
	fate   fate
	status int
	body   []byte
	err    error // of unsent and lost
}

const (
	maxAnswer = 64 << 20         // an answer repeats what it was asked, and more
	grace     = 15 * time.Second // for the answer to a write under way when the caller gives up
)

// send sends one write. What the server surely did not do is sent again, a few times, as late as the server says;
// what may have been done never is.
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
		w.log.InfoContext(ctx, "moysklad did nothing; the write is sent again", "path", path, "attempt", attempt,
			"wait", pause, "status", r.status)
		if err := wait(ctx, pause); err != nil {
			return reply{fate: unsent, err: err}
		}
	}
}

// attempt sends the request once. Pause is how long the server asks to wait before another attempt, and negative
// when there is to be none.
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

	// The caller may give up; the write goes on all the same, because its outcome would be unknown otherwise.
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
		// A body that cannot be rewound: net/http then never sends the request again by itself.
		req.Body, req.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
		req.Header.Set("Content-Type", "application/json")
	}
	req.Header.Set("Accept", "application/json;charset=utf-8") // any other spelling is a 400 (fact M3)
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
		// Refused before anything was done, whatever is left of the answer (fact M12).
		r.fate, r.err = unsent, fmt.Errorf("HTTP %d", resp.StatusCode)
		return r, feedback.Pause
	case err != nil:
		r.fate, r.err = lost, err
	case len(text) > maxAnswer:
		r.fate, r.err = lost, errors.New("the answer is too long")
	case resp.StatusCode >= http.StatusInternalServerError:
		r.fate, r.err = lost, fmt.Errorf("HTTP %d", resp.StatusCode)
	case later(text):
		r.fate, r.err = unsent, errors.New("maintenance")
		return r, 0
	}
	return r, -1
}
