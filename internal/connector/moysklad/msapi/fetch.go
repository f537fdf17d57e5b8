package msapi

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/stockhand/stockhand/internal/limit"
)

// maxURL keeps URL and headers under the vendor's 8 KB (fact M14): the rest is for the token and what
// proxies add.
const maxURL = 7000

// request is one GET: its path below the API's root, its encoded query, and how provenance names it.
type request struct {
	path     string
	query    string
	filter   string // decoded, for people
	language string // of error texts; empty leaves it to the API
}

func (q request) label() string {
	parts := strings.Split(q.path, "/")
	for i, p := range parts {
		if _, ok := ParseID(p); ok {
			parts[i] = "{id}"
		}
	}
	return strings.Join(parts, "/")
}

// fetch sends a request until it succeeds, cannot succeed, or was sent often enough, and hands each successful
// answer's body to read, which must start afresh when it is called again. An answer that breaks off counts as a
// failure that may pass.
//
// The loop is our own, of a dozen lines, because what is repeated is more than a round trip: it includes reading the
// body to its end, each attempt and each hop of it goes through the limiter, and the wait comes from the answer.
func (r *Reader) fetch(ctx context.Context, q request, read func(io.Reader) error) error {
	if r.bad != nil {
		return r.bad
	}
	meter := meterOf(ctx)
	defer meter.change(func() { meter.done++; meter.planned = max(meter.planned, meter.done) })
	for attempt := 1; ; attempt++ {
		err := r.attempt(ctx, q, read)
		if err == nil {
			return nil
		}
		if ctx.Err() != nil {
			return fmt.Errorf("read %s: %w", q.label(), ctx.Err())
		}
		wait, again := patience(err, attempt)
		most := r.config.Attempts
		if IsLimit(err) {
			most *= 2 // the server is well and says when: it is worth more patience than one that fails
		}
		if !again || attempt >= most {
			return r.explain(err, q)
		}
		r.log.InfoContext(ctx, "moysklad request is repeated", "path", q.label(), "attempt", attempt, "wait", wait,
			"error", r.scrub(err))
		select {
		case <-ctx.Done():
			return fmt.Errorf("read %s: %w", q.label(), ctx.Err())
		case <-time.After(wait):
		}
	}
}

// attempt sends the request once, following redirects, each hop through the limiter.
func (r *Reader) attempt(ctx context.Context, q request, read func(io.Reader) error) error {
	target := *r.base
	target.Path += "/" + q.path
	target.RawQuery = q.query
	if n := len(target.String()); n > maxURL {
		return queryError("the URL would be %d bytes long; name fewer things at once", n)
	}
	key := r.employee + " " + target.String()
	if err := r.breaker.refuses(key, r.employee); err != nil {
		return err
	}
	at := &target
	for range 5 {
		resp, finish, err := r.send(ctx, q, at)
		if err != nil {
			return err
		}
		switch resp.StatusCode {
		case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther, http.StatusPermanentRedirect,
			http.StatusTemporaryRedirect:
			to, err := r.redirected(at, resp)
			discard(resp)
			finish()
			if err != nil {
				return err
			}
			at = to
			continue
		}
		err = r.receive(resp, q, read)
		discard(resp)
		finish()
		r.breaker.remember(key, r.employee, err)
		return err
	}
	return errRedirect
}

// send takes a place at the limiter, sends, and gives the place back with the answer's first bytes. The vendor counts
// a request as under way until its answer has gone out whole, and the limiter only until it began, so the answers
// being received are counted here as well: the function returned ends that.
func (r *Reader) send(ctx context.Context, q request, at *url.URL) (*http.Response, func(), error) {
	done := func(limit.Feedback) {}
	if r.config.Limiter != nil {
		var err error
		path := strings.TrimPrefix(at.Path, r.base.Path+"/")
		kind, most := "", maxUnits // the vendor names prices for stock reports alone
		if heavy(path) {
			kind, most = path, maxHeavyUnits
		}
		done, err = r.config.Limiter.Acquire(ctx, limit.Request{
			Account:    r.config.Account,
			Employee:   r.employee,
			Heavy:      heavy(path),
			Kind:       kind,
			MaxUnits:   most,
			Background: r.config.Background || ctx.Value(backgroundKey{}) != nil,
		})
		if err != nil {
			return nil, nil, err
		}
	}
	select {
	case r.bodies <- struct{}{}:
	case <-ctx.Done():
		done(limit.Feedback{})
		return nil, nil, ctx.Err()
	}
	meter := meterOf(ctx)
	meter.change(func() { meter.sent++; meter.source(q.label(), q.filter).Requests++ })
	ctx, cancel := context.WithTimeout(ctx, r.config.Timeout)
	finish := func() { cancel(); <-r.bodies }
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, at.String(), noReplay{})
	if err != nil {
		done(limit.Feedback{})
		finish()
		return nil, nil, err
	}
	req.Header.Set("Accept", "application/json;charset=utf-8") // any other spelling is a 400 (fact M3)
	req.Header.Set("Authorization", "Bearer "+r.config.Token)
	req.Header.Set("User-Agent", "Stockhand")
	if q.language != "" {
		req.Header.Set("Accept-Language", q.language)
	}
	resp, err := r.client.Do(req)
	if err != nil {
		done(limit.Feedback{})
		finish()
		return nil, nil, err
	}
	done(feedback(resp))
	return resp, finish, nil
}

// What a request may cost of the vendor's budget at most (fact M10).
const (
	maxUnits      = 4
	maxHeavyUnits = 5
)

// heavy reports whether a path is a stock report, of which two a second are allowed (rule R24).
func heavy(path string) bool { return strings.HasPrefix(path, "report/stock/") }

// feedback reads the vendor's limits from an answer. Times are in milliseconds and in headers of the vendor's own; a
// 429 without a wait is the limit of requests at once (fact M11).
func feedback(resp *http.Response) limit.Feedback {
	number := func(name string) (int, bool) {
		n, err := strconv.Atoi(strings.TrimSpace(resp.Header.Get(name)))
		return n, err == nil && n >= 0
	}
	milliseconds := func(name string) time.Duration {
		n, _ := number(name)
		return time.Duration(max(0, min(n, 5*60*1000))) * time.Millisecond // a wait beyond five minutes is a mistake
	}
	var f limit.Feedback
	total, ok := number("X-RateLimit-Limit")
	if left, known := number("X-RateLimit-Remaining"); ok && known {
		f.Limit, f.Remaining = total, min(left, total)
	}
	f.Interval = milliseconds("X-Lognex-Retry-TimeInterval")
	if resp.StatusCode == http.StatusTooManyRequests {
		f.Pause = milliseconds("X-Lognex-Retry-After")
		f.Crowded = f.Pause == 0
	}
	return f
}

// brokenError is an answer that ended too early or was not what it said it was.
type brokenError struct{ err error }

func (e *brokenError) Error() string { return "broken answer: " + e.err.Error() }
func (e *brokenError) Unwrap() error { return e.err }

// maxAnswer bounds an answer, in bytes once it is unpacked, far beyond the largest there is: little that was sent may
// unpack to more than there is memory.
const maxAnswer = 256 << 20

// receive reads an answer: a good one with read, any other into an [*APIError].
func (r *Reader) receive(resp *http.Response, q request, read func(io.Reader) error) error {
	if resp.StatusCode != http.StatusOK {
		return readError(resp, q.label())
	}
	if err := read(visible(io.LimitReader(resp.Body, maxAnswer))); err != nil {
		return &brokenError{err}
	}
	// The body's end carries the checksum of what was compressed.
	if _, err := io.Copy(io.Discard, io.LimitReader(resp.Body, 1<<20)); err != nil {
		return &brokenError{err}
	}
	return nil
}

// discard lets the connection be used again when little is left to read of the answer.
func discard(resp *http.Response) {
	_, _ = io.Copy(io.Discard, io.LimitReader(resp.Body, 64<<10))
	_ = resp.Body.Close()
}

// patience reports whether a failure may pass, and how long to wait before the next attempt.
func patience(err error, attempt int) (time.Duration, bool) {
	backoff := time.Duration(200<<min(attempt-1, 5)) * time.Millisecond
	wait := backoff/2 + rand.N(backoff)
	if e, ok := apiError(err); ok {
		switch {
		case e.Status == http.StatusTooManyRequests:
			return e.wait + wait, !e.remembered
		case e.Status >= 500, e.Code == 1074, e.Code == 1095: // maintenance; try later
			return wait, !e.remembered
		}
		return 0, false
	}
	if _, ok := errors.AsType[*RefusedError](err); ok || errors.Is(err, errRedirect) || errors.Is(err, ErrQuery) {
		return 0, false
	}
	if errors.Is(err, errShape) {
		return 0, false
	}
	return wait, true // cut connections, broken answers, no answer in time
}
