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

// Config says how to reach an account. Only the token is required.
type Config struct {
	BaseURL  string              // the API's root; empty means msapi.DefaultBaseURL
	Token    string              // an employee token; sent to the BaseURL's host alone and never written to a log
	Account  stockhand.AccountID // whose limits requests count against
	Language stockhand.Language  // of the problems in outcomes; empty means Russian
	Limiter  limit.Limiter       // nil means no limits: for tests
	Logger   *slog.Logger        // nil means no log

	Timeout   time.Duration     // of one write, its answer included; zero means two minutes
	Attempts  int               // how often a write that was surely not done is sent; zero means 4
	Transport http.RoundTripper // nil means one of its own; it is then up to the caller that nothing is repeated
}

// Writer writes into one account with one employee's token. It is safe for concurrent use.
type Writer struct {
	config Config
	base   *url.URL
	bad    error // why nothing can be sent with this configuration
	client *http.Client
	reader *msapi.Reader
	log    *slog.Logger
}

// New returns a writer of an account, which words its problems in that language; see [Open].
func New(c connector.Config, account stockhand.AccountID, l stockhand.Language) (*Writer, error) {
	return Open(Config{BaseURL: c.BaseURL, Token: c.Token, Account: account, Language: l, Limiter: c.Limiter,
		Logger: c.Logger}), nil
}

// Open returns a writer. It sends nothing; a configuration that cannot work is the error of every later call.
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
	})}
	if w.log == nil {
		w.log = slog.New(slog.DiscardHandler)
	}
	if w.bad = w.reader.Ready(); w.bad != nil {
		return w
	}
	w.base, _ = url.Parse(strings.TrimRight(c.BaseURL, "/")) // the reader has looked at it
	next := c.Transport
	if next == nil {
		next = newTransport()
	}
	w.client = &http.Client{
		Transport: &guard{next: next, base: w.base},
		// A write that is sent elsewhere is a write that was not confirmed.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return w
}

func newTransport() *http.Transport {
	// HTTP/2 repeats requests by its own rules.
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

// guard passes on the requests that this package makes and refuses all others before anything leaves.
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

// refusedError is the error of a request that must not leave.
type refusedError struct{ method, path, host string }

func (e *refusedError) Error() string {
	return fmt.Sprintf("refused to send %s %s to %s: this client writes confirmed documents and nothing else", e.method,
		e.path, e.host)
}

// writes lists all requests that can leave this package.
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

// SyncID is the syncId of what a document creates: a UUID (version 8 of RFC 9562) from the SHA-256 of the document's
// id. A repeated create with it returns the first document (fact M43).
func SyncID(id stockhand.DocumentID) msapi.ID {
	sum := sha256.Sum256([]byte(id))
	sum[6] = sum[6]&0x0f | 0x80
	sum[8] = sum[8]&0x3f | 0x80
	h := hex.EncodeToString(sum[:16])
	return msapi.ID(h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:])
}

// scrub takes the token out of a server's or a library's words, should it be there.
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
