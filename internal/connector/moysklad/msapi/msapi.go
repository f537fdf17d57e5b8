// Package msapi reads the MoySklad JSON API 1.2 ("Remap 1.2"): a narrow typed client for what the tools need.
//
// It makes four guarantees. It sends nothing but GET, whatever the caller asks for. Every request, including retries
// and redirects, passes the account's limiter first. A list is either complete, with every row once, or its last error
// is an [*Incomplete] that says how much was read. And it never invents a value: a field that is missing from the
// response stays unknown, because missing means "not filled in", "not permitted" or "not requested", never zero (fact
// M38).
//
// Each request has an empty body of unknown length. net/http retries a plain GET by itself when a reused connection
// breaks, without the limiter knowing; it does not retry a request whose body it cannot rewind, so a broken connection
// becomes an error here and a retry of our own.
//
// Amounts in this package are in minor units (kopecks), as in the API: call Major before showing one (fact M32). Times
// are Moscow time without a zone in the API, and time.Time values here (fact M35).
package msapi

import (
	"context"
	"log/slog"
	"net/http"
	"net/url"
	"time"

	"github.com/stockhand/stockhand/internal/limit"
)

// DefaultBaseURL is the vendor's API address.
const DefaultBaseURL = "https://api.moysklad.ru/api/remap/1.2"

// Config configures how to reach an account. Only the token is required.
type Config struct {
	BaseURL    string        // the API's root; empty means DefaultBaseURL
	Token      string        // an employee token; sent only to the host of BaseURL and never logged
	Account    string        // the account whose limits apply; empty while it is unknown
	Limiter    limit.Limiter // nil means no limits, for benchmarks
	Logger     *slog.Logger  // nil disables logging
	Background bool          // let interactive requests go first; see also [WithBackground]

	Timeout time.Duration // per attempt including the body; zero means two minutes
	// maximum attempts for temporary failures, doubled if the server names a delay; zero means 4
	Attempts  int
	Ahead     int               // pages to prefetch; zero means 4
	Transport http.RoundTripper // nil means the transport shared by all readers of the host
	// what requests go through before the transport; nil: nothing
	Through func(next http.RoundTripper) http.RoundTripper
}

type backgroundKey struct{}

// WithBackground returns a context whose requests let interactive ones go first in the limiter's queue.
func WithBackground(ctx context.Context) context.Context {
	return context.WithValue(ctx, backgroundKey{}, true)
}

// The functions below are for the package that writes. It reads with a [Reader], and its requests count against the
// same limits as those of all other readers with the token.

// Get reads a response as T, for types that only the caller needs. It gives the guarantees of the package: GET only,
// through the limiter, with retries of temporary failures.
func Get[T any](ctx context.Context, r *Reader, path string, params url.Values) (T, error) {
	return one[T](ctx, r, path, params)
}

// Ready returns nil if the reader's configuration is valid, and otherwise the error of its every call.
func (r *Reader) Ready() error { return r.bad }

// Request returns a light request with the reader's token for the limiter.
func (r *Reader) Request() limit.Request {
	return limit.Request{Account: r.config.Account, Employee: r.employee, MaxUnits: maxUnits,
		Background: r.config.Background}
}

// Feedback reads the vendor's limits from a response's headers (fact M12).
func Feedback(resp *http.Response) limit.Feedback { return feedback(resp) }

// IDOf returns the ID in an href's path, or "".
func IDOf(href string) ID { return idOfHref(href) }

// Href returns the address of an entity for filters.
func (r *Reader) Href(kind string, id ID) string { return r.href(kind, id) }
