package msapi

import (
	"cmp"
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

	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi/breaker"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi/meter"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi/readonly"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi/visible"
	"github.com/stockhand/stockhand/internal/limit"
)

// maxURL keeps URL and headers below the vendor's limit of 8 KB (fact M14), with room for the token and for headers
// added by proxies.
const maxURL = 7000

// request is a GET: its path relative to the API's root, its encoded query, and its description in provenance.
type request struct {
	path     string
	query    string
	filter   string // decoded, for display
	language string // language of error messages; empty for the API's default
	most     int64  // bytes of the response; 0 means maxAnswer
	again    bool   // not from the run's memo
}

// identity tells what is requested apart from everything else.
func (q request) identity() string { return q.path + "?" + q.query }

func (q request) label() string {
	parts := strings.Split(q.path, "/")
	for i, p := range parts {
		if _, ok := ParseID(p); ok {
			parts[i] = "{id}"
		}
	}
	return strings.Join(parts, "/")
}

// fetch sends a request until it succeeds, fails permanently, or has been tried often enough. It passes the body of
// each successful response to read, which must start over when it is called again. A truncated response counts as a
// temporary failure.
//
// The retry loop is our own because a retry covers more than a round trip: it includes reading the whole body, each
// attempt and each redirect passes the limiter, and the response determines the delay.
func (r *Reader) fetch(ctx context.Context, q request, read func(io.Reader) error) error {
	if r.bad != nil {
		return r.bad
	}
	defer meter.Of(ctx).Answered()
	return r.once(ctx, q, read)
}

// fetchPage is like fetch for a page that the run has not read yet.
func (r *Reader) fetchPage(ctx context.Context, q request, read func(io.Reader) error) error {
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
			most *= 2 // the server is healthy and names a delay, so more patience is justified
		}
		if !again || attempt >= most {
			return r.explain(err, q)
		}
		r.log.InfoContext(ctx, "retrying a MoySklad request", "path", q.label(), "attempt", attempt, "wait", wait,
			"error", r.scrub(err))
		select {
		case <-ctx.Done():
			return fmt.Errorf("read %s: %w", q.label(), ctx.Err())
		case <-time.After(wait):
		}
	}
}

// attempt sends the request once and follows redirects, each through the limiter.
func (r *Reader) attempt(ctx context.Context, q request, read func(io.Reader) error) error {
	target := *r.base
	target.Path += "/" + q.path
	target.RawQuery = q.query
	if n := len(target.String()); n > maxURL {
		return queryError("the URL would be %d bytes long; use fewer values at once", n)
	}
	key := r.employee + " " + target.String()
	if err := refused(r.breaker, key, r.employee); err != nil {
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
		remember(r.breaker, key, r.employee, err)
		return err
	}
	return errRedirect
}

// refused returns the last failure of a request that failed too often (fact M13).
func refused(b *breaker.Breaker, keys ...string) error {
	err := b.Refuses(keys...)
	if e, ok := apiError(err); ok {
		again := *e
		again.remembered = true
		return &again
	}
	return err
}

// remember records the outcome of a request, which its token and URL identify; a rejected token blocks all its
// requests.
func remember(b *breaker.Breaker, key, employee string, err error) {
	e, ok := apiError(err)
	switch {
	case err == nil:
		b.Succeeded(key, employee)
	case ok && e.Status == http.StatusUnauthorized:
		b.Failed(employee, err, false)
	case ok:
		_, passes := patience(e, 1)
		b.Failed(key, err, passes)
	}
}

// send acquires a slot from the limiter, sends the request, and releases the slot when the response starts. The vendor
// counts a request as active until the response is complete, but the limiter only until it starts, so responses being
// received are counted here too; the returned function ends that.
func (r *Reader) send(ctx context.Context, q request, at *url.URL) (*http.Response, func(), error) {
	done := func(limit.Feedback) {}
	if r.config.Limiter != nil {
		var err error
		path := strings.TrimPrefix(at.Path, r.base.Path+"/")
		kind, most := "", maxUnits // the vendor publishes prices only for stock reports
		if StockReport(path) {
			kind, most = path, maxHeavyUnits
		}
		done, err = r.config.Limiter.Acquire(ctx, limit.Request{
			Account:    r.config.Account,
			Employee:   r.employee,
			Heavy:      StockReport(path),
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
	meter.Of(ctx).Sent(q.label(), q.filter)
	ctx, cancel := context.WithTimeout(ctx, r.config.Timeout)
	finish := func() { cancel(); <-r.bodies }
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, at.String(), noReplay{})
	if err != nil {
		done(limit.Feedback{})
		finish()
		return nil, nil, err
	}
	req.Header.Set("Accept", "application/json;charset=utf-8") // any other value is a 400 (fact M3)
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

// The maximum cost of a request in units of the vendor's budget (fact M10).
const (
	maxUnits      = 4
	maxHeavyUnits = 5
)

// StockReport reports whether a path is a stock report, of which two per second are allowed (rule R24).
func StockReport(path string) bool { return strings.HasPrefix(path, "report/stock/") }

// feedback reads the vendor's limits from a response. Times are in milliseconds in the vendor's own headers; a 429
// without a delay means the limit on concurrent requests (fact M11).
func feedback(resp *http.Response) limit.Feedback {
	number := func(name string) (int, bool) {
		n, err := strconv.Atoi(strings.TrimSpace(resp.Header.Get(name)))
		return n, err == nil && n >= 0
	}
	milliseconds := func(name string) time.Duration {
		n, _ := number(name)
		return time.Duration(max(0, min(n, 5*60*1000))) * time.Millisecond // ignore implausible delays
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

// brokenError is a response that ended early or did not match its headers.
type brokenError struct{ err error }

func (e *brokenError) Error() string { return "broken response: " + e.err.Error() }
func (e *brokenError) Unwrap() error { return e.err }

// receive reads a response: a successful one with read, any other into an [*APIError].
func (r *Reader) receive(resp *http.Response, q request, read func(io.Reader) error) error {
	if resp.StatusCode != http.StatusOK {
		return readError(resp, q.label())
	}
	body := &sized{from: resp.Body, ctx: resp.Request.Context(), most: cmp.Or(q.most, maxAnswer)}
	defer body.release()
	if err := read(visible.JSON(body)); err != nil {
		return &brokenError{err}
	}
	// The end of the body contains the checksum of the compressed data.
	if _, err := io.Copy(io.Discard, io.LimitReader(resp.Body, 1<<20)); err != nil {
		return &brokenError{err}
	}
	return nil
}

// discard reads a short rest of the response, so that the connection can be reused.
func discard(resp *http.Response) {
	_, _ = io.Copy(io.Discard, io.LimitReader(resp.Body, 64<<10))
	_ = resp.Body.Close()
}

// patience reports whether a failure is temporary, and how long to wait before the next attempt.
func patience(err error, attempt int) (time.Duration, bool) {
	backoff := time.Duration(200<<min(attempt-1, 5)) * time.Millisecond
	wait := backoff/2 + rand.N(backoff)
	if e, ok := apiError(err); ok {
		switch {
		case e.Status == http.StatusTooManyRequests:
			return e.wait + wait, !e.remembered
		case e.Status >= 500, e.Code == 1074, e.Code == 1095: // maintenance; try again later
			return wait, !e.remembered
		}
		return 0, false
	}
	if _, ok := errors.AsType[*readonly.Error](err); ok || errors.Is(err, errRedirect) || errors.Is(err, ErrQuery) {
		return 0, false
	}
	if errors.Is(err, errShape) || errors.Is(err, errTooLarge) {
		return 0, false
	}
	return wait, true // broken connections, broken responses, timeouts
}
