package msapi

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/stockhand/stockhand"
)

// RawRequest is a GET from an external caller.
type RawRequest struct {
	Path     string // relative to the API's root, escaped; already validated
	Query    string // encoded
	Language string // language of error messages: ru or en; empty for the API's default
}

// Raw sends a GET through the limiter and returns the response whatever its status, decompressed. It retries temporary
// failures, and follows redirects only within the API's root. The body is streamed, so a response that breaks off
// within the body is not retried: reading it returns the error.
//
// The response occupies one of the employee's concurrent requests until its body is closed.
func (r *Reader) Raw(ctx context.Context, raw RawRequest) (*http.Response, error) {
	if r.bad != nil {
		return nil, r.bad
	}
	q := request{path: raw.Path, query: raw.Query, language: raw.Language}
	at, err := url.Parse(r.base.String() + "/" + raw.Path)
	if err != nil || at.Host != r.base.Host {
		return nil, queryError("the path cannot be part of a URL")
	}
	at.RawQuery = raw.Query
	if n := len(at.String()); n > maxURL {
		return nil, queryError("the URL would be %d bytes long, but MoySklad accepts at most 8 KB including the "+
			"headers",
			n)
	}
	key := r.employee + " " + at.String()
	for attempt := 1; ; attempt++ {
		if r.raw.Refuses(key) != nil {
			return nil, stockhand.Errorf(stockhand.CodeRateLimited,
				"the same request has failed %d times within a minute and is not sent again yet", breakerRaw).
				WithHint("MoySklad disables an employee's access after repeated failures: correct the request, or " +
					"wait a minute")
		}
		if err := refused(r.breaker, r.employee); err != nil {
			return nil, r.explain(err, q)
		}
		resp, err := r.hop(ctx, q, at)
		failure := err
		if err == nil {
			if failure = refusalOf(resp, q); failure == nil {
				remember(r.raw, key, r.employee, nil)
				return resp, nil
			}
			remember(r.raw, key, key, failure) // a rejected token is counted separately below
			if resp.StatusCode == http.StatusUnauthorized {
				remember(r.breaker, key, r.employee, failure)
			}
		}
		wait, again := patience(failure, attempt)
		if ctx.Err() != nil {
			again = false
		}
		if !again || attempt >= r.config.Attempts {
			if err != nil {
				return nil, r.explain(err, q)
			}
			return resp, nil
		}
		if err == nil {
			_ = resp.Body.Close()
		}
		r.log.InfoContext(ctx, "retrying a MoySklad request", "path", q.label(), "attempt", attempt, "wait", wait,
			"error", r.scrub(failure))
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("read %s: %w", q.label(), ctx.Err())
		case <-time.After(wait):
		}
	}
}

// refusalOf returns the error for a response's status without reading its body, which belongs to the caller.
func refusalOf(resp *http.Response, q request) error {
	if resp.StatusCode < http.StatusBadRequest {
		return nil
	}
	return &APIError{Status: resp.StatusCode, Code: resp.StatusCode, Path: q.label(), wait: feedback(resp).Pause}
}

// hop sends a request and follows its redirects, each through the limiter.
func (r *Reader) hop(ctx context.Context, q request, at *url.URL) (*http.Response, error) {
	for range 5 {
		resp, finish, err := r.send(ctx, q, at)
		if err != nil {
			return nil, err
		}
		resp.Body = &held{ReadCloser: resp.Body, finish: sync.OnceFunc(finish)}
		switch resp.StatusCode {
		case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther, http.StatusPermanentRedirect,
			http.StatusTemporaryRedirect:
			to, err := r.redirected(at, resp)
			_ = resp.Body.Close()
			if err != nil || !r.Below(to) {
				return nil, errRedirect
			}
			at = to
			continue
		}
		return resp, nil
	}
	return nil, errRedirect
}

// Below reports whether a URL is below the API's root, on its host, without escapes that hide another path.
func (r *Reader) Below(u *url.URL) bool {
	return u.Scheme == r.base.Scheme && u.Host == r.base.Host && strings.HasPrefix(u.Path, r.base.Path+"/") &&
		u.User == nil && u.RawPath == "" && !strings.Contains(u.Path+"/", "/../") && !strings.Contains(u.Path, `\`)
}

// IsRedirect reports whether err means that the server redirects elsewhere.
func IsRedirect(err error) bool { return errors.Is(err, errRedirect) }

// held is a body that releases its slot when it is closed.
type held struct {
	io.ReadCloser
	finish func()
}

func (h *held) Close() error {
	// the connection can be reused if the rest is short
	_, _ = io.Copy(io.Discard, io.LimitReader(h.ReadCloser, 64<<10))
	err := h.ReadCloser.Close()
	h.finish()
	return err
}
