package msapi

import (
	"context"
	"net/http"
	"net/url"

	"github.com/stockhand/stockhand/internal/limit"
)

// What follows is for the package that writes: it reads with a [Reader] of its own, and its requests count against
// the same limits as those of every other reader with the token.

// Get reads one answer of the API as T: for what only its caller reads and this package has no type for. It keeps
// the promises of the package: GET alone, through the limiter, repeated when the failure may pass.
func Get[T any](ctx context.Context, r *Reader, path string, params url.Values) (T, error) {
	return one[T](ctx, r, path, params)
}

// Ready is nil when the reader's configuration can work, and otherwise the error of its every call.
func (r *Reader) Ready() error { return r.bad }

// Request is how the limiter sees a light request with the reader's token.
func (r *Reader) Request() limit.Request {
	return limit.Request{Account: r.config.Account, Employee: r.employee, MaxUnits: maxUnits,
		Background: r.config.Background}
}

// Feedback reads the vendor's limits from an answer's headers (fact M12).
func Feedback(resp *http.Response) limit.Feedback { return feedback(resp) }

// IDOf takes an entity's id from its href's path; empty when there is none.
func IDOf(href string) ID { return idOfHref(href) }

// Href is an entity's address as filters compare it.
func (r *Reader) Href(kind string, id ID) string { return r.href(kind, id) }
