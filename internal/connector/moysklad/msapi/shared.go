package msapi

import (
	"context"
	"net/http"
	"net/url"

	"github.com/stockhand/stockhand/internal/limit"
)

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
