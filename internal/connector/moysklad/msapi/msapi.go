package msapi

import (
	"log/slog"
	"net/http"
	"time"

	"github.com/stockhand/stockhand/internal/limit"
)

// DefaultBaseURL is the vendor's own address of the API.
const DefaultBaseURL = "https://api.moysklad.ru/api/remap/1.2"

// Config says how to reach an account. Only the token is required.
type Config struct {
	BaseURL    string        // the API's root; empty means DefaultBaseURL
	Token      string        // an employee token; sent to the BaseURL's host alone and never written to a log
	Account    string        // whose limits requests count against; empty while the account is not yet known
	Limiter    limit.Limiter // nil means no limits: for benchmarks
	Logger     *slog.Logger  // nil means no log
	Background bool          // every request yields to interactive ones; see also [WithBackground]

	Timeout time.Duration // of one attempt, its body included; zero means two minutes
	// how often a request that may succeed later is sent, twice as often when it is asked to wait; zero means 4
	Attempts  int
	Ahead     int               // pages read ahead of the reader; zero means 4
	Transport http.RoundTripper // nil means the transport shared by all readers of the host
}
