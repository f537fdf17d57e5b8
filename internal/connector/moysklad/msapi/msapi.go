package msapi

import (
	"context"
	"log/slog"
	"net/http"
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
}

type backgroundKey struct{}

// WithBackground returns a context whose requests let interactive ones go first in the limiter's queue.
func WithBackground(ctx context.Context) context.Context {
	return context.WithValue(ctx, backgroundKey{}, true)
}
