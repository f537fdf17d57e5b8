package write

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/limit"
)

// Config configures how to reach an account. Only the token is required.
type Config struct {
	BaseURL  string              // the API's root; empty means msapi.DefaultBaseURL
	Token    string              // an employee token; sent only to the host of BaseURL and never logged
	Account  stockhand.AccountID // the account whose limits apply
	Language stockhand.Language  // of the problems in outcomes; empty means Russian
	Limiter  limit.Limiter       // nil means no limits, for tests
	Logger   *slog.Logger        // nil disables logging

	Timeout   time.Duration     // per write including the response; zero means two minutes
	Attempts  int               // maximum attempts for a write that was certainly not executed; zero means 4
	Transport http.RoundTripper // nil means the default; a custom one must not retry requests
	// what requests go through before the transport; nil: nothing
	Through func(next http.RoundTripper) http.RoundTripper
}

// Writer writes to an account with an employee's token. It is safe for concurrent use.
type Writer struct {
	config Config
	base   *url.URL
	bad    error // why this configuration cannot send anything
	client *http.Client
	reader *msapi.Reader
	log    *slog.Logger
}

// New returns a writer for an account with messages in the given language; see [Open].
func New(c connector.Config, account stockhand.AccountID, l stockhand.Language) (*Writer, error) {
	return Open(Config{BaseURL: c.BaseURL, Token: c.Token, Account: account, Language: l, Limiter: c.Limiter,
		Logger: c.Logger, Through: c.Transport}), nil
}

// Open returns a writer. It sends nothing; every later call returns the error of an invalid configuration.
func Open(c Config) *Writer {
	if c.BaseURL == "" {
		c.BaseURL = msapi.DefaultBaseURL
	}
	if c.Timeout <= 0 {
		c.Timeout = 2 * time.Minute
	}
	if c.Attempts <= 0 {
		c.Attempts = 4
	}
	w := &Writer{config: c, log: c.Logger, reader: msapi.Open(msapi.Config{
		BaseURL: c.BaseURL, Token: c.Token, Account: string(c.Account), Limiter: c.Limiter, Logger: c.Logger,
		Through: c.Through,
	})}
	if w.log == nil {
		w.log = slog.New(slog.DiscardHandler)
	}
	if w.bad = w.reader.Ready(); w.bad != nil {
		return w
	}
	w.base, _ = url.Parse(strings.TrimRight(c.BaseURL, "/")) // the reader has validated it
	next := c.Transport
	if next == nil {
		next = newTransport()
	}
	if c.Through != nil {
		next = c.Through(next)
	}
	w.client = &http.Client{
		Transport: &guard{next: next, base: w.base},
		// A person did not confirm a write to another address.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return w
}

func newTransport() *http.Transport {
	// HTTP/2 transports retry requests on their own.
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	return &http.Transport{
		Proxy:               http.ProxyFromEnvironment,
		DialContext:         (&net.Dialer{Timeout: 10 * time.Second}).DialContext,
		TLSHandshakeTimeout: 10 * time.Second,
		DisableKeepAlives:   true, // see the package comment
		Protocols:           protocols,
	}
}

// guard forwards the requests that this package makes, and rejects all others before anything is sent.
type guard struct {
	next http.RoundTripper
	base *url.URL
}

func (g *guard) RoundTrip(req *http.Request) (*http.Response, error) {
	path, below := strings.CutPrefix(req.URL.Path, g.base.Path+"/")
	same := req.URL.Scheme == g.base.Scheme && req.URL.Host == g.base.Host &&
		(req.Host == "" || req.Host == g.base.Host)
	if !below || !same || !writes(req.Method, path) {
		if req.Body != nil {
			_ = req.Body.Close()
		}
		return nil, &refusedError{req.Method, path, req.URL.Host}
	}
	return g.next.RoundTrip(req)
}

// refusedError is the error for a request that must not be sent.
type refusedError struct{ method, path, host string }

func (e *refusedError) Error() string {
	return fmt.Sprintf("refused to send %s %s to %s: this client only writes confirmed documents", e.method,
		e.path, e.host)
}

// writes lists all requests that this package may send.
func writes(method, path string) bool {
	switch method {
	case http.MethodPost:
		switch path {
		case "entity/purchaseorder", "entity/move", "entity/product", "entity/variant":
			return true
		}
	case http.MethodDelete:
		kind, id, _ := strings.Cut(strings.TrimPrefix(path, "entity/"), "/")
		_, ok := msapi.ParseID(id)
		return ok && (kind == "purchaseorder" || kind == "move") && strings.HasPrefix(path, "entity/")
	}
	return false
}

// SyncID returns the syncId of what a document creates: a UUID (version 8 of RFC 9562) from the SHA-256 of the
// document's ID. Creating with the same syncId again returns the first document (fact M43).
func SyncID(id stockhand.DocumentID) msapi.ID {
	sum := sha256.Sum256([]byte(id))
	sum[6] = sum[6]&0x0f | 0x80
	sum[8] = sum[8]&0x3f | 0x80
	h := hex.EncodeToString(sum[:16])
	return msapi.ID(h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:])
}

// scrub removes the token from the text of a server or library error.
func (w *Writer) scrub(s string) string {
	if w.config.Token == "" {
		return s
	}
	return strings.ReplaceAll(s, w.config.Token, "…")
}

// wait sleeps unless ctx ends first.
func wait(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return ctx.Err()
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}
