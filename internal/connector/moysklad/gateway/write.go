package gateway

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"mime"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/limit"
)

// maxBody is the most a write may send, in bytes (rule R44).
const maxBody = 1 << 20

// Writer passes on what changes something: each request once, on a connection of its own, and never again. It
// implements connector.Gateway and is safe for concurrent use.
type Writer struct {
	config  connector.Config
	account stockhand.AccountID
	api     *msapi.Reader // never asked for anything: it knows how the limiter names the token
	base    *url.URL
	client  *http.Client
}

// NewWriter returns a writer to that account. It sends nothing; a configuration that cannot work is the error of every
// later call. Only internal/app may call this.
func NewWriter(c connector.Config, account stockhand.AccountID) *Writer {
	if c.BaseURL == "" {
		c.BaseURL = msapi.DefaultBaseURL
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	w := &Writer{config: c, account: account,
		api: msapi.Open(msapi.Config{BaseURL: c.BaseURL, Token: c.Token, Account: string(account)})}
	if w.api.Ready() != nil {
		return w
	}
	w.base, _ = url.Parse(strings.TrimRight(c.BaseURL, "/")) // the reader has looked at it
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true) // HTTP/2 repeats requests by its own rules
	w.client = &http.Client{
		Transport: &guard{base: w.base, next: &http.Transport{
			Proxy:               http.ProxyFromEnvironment,
			DialContext:         (&net.Dialer{Timeout: 10 * time.Second}).DialContext,
			TLSHandshakeTimeout: 10 * time.Second,
			// a connection that was kept may be dead, and what is sent into it is an unknown outcome
			DisableKeepAlives: true,
			Protocols:         protocols,
		}},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return w
}

// guard passes on writes to the API below its root and refuses all else before anything leaves.
type guard struct {
	base *url.URL
	next http.RoundTripper
}

func (g *guard) RoundTrip(req *http.Request) (*http.Response, error) {
	path, below := strings.CutPrefix(req.URL.EscapedPath(), g.base.Path+"/")
	same := req.URL.Scheme == g.base.Scheme && req.URL.Host == g.base.Host &&
		(req.Host == "" || req.Host == g.base.Host)
	if !below || !same || !writes(req.Method) || checkAddress(path, req.URL.RawQuery) != nil {
		if req.Body != nil {
			_ = req.Body.Close()
		}
		return nil, errGuard
	}
	return g.next.RoundTrip(req)
}

func writes(method string) bool {
	return method == http.MethodPost || method == http.MethodPut || method == http.MethodDelete
}

// Check implements connector.Gateway.
func (w *Writer) Check(r connector.GatewayRequest) error {
	if !writes(r.Method) {
		return notPassed(r.Method)
	}
	if err := w.api.Ready(); err != nil {
		return err
	}
	if len(r.Body) > maxBody {
		return stockhand.Errorf(stockhand.CodeBodyTooLarge, "the body is larger than 1 MiB").WithHint(
			"send fewer things at once")
	}
	if kind, _, err := mime.ParseMediaType(r.Type); len(r.Body) > 0 && (err != nil || kind != "application/json") {
		return stockhand.Errorf(stockhand.CodeUnsupportedMedia, "the body is not declared as JSON").WithHint(
			"send Content-Type: application/json")
	}
	return checkAddress(r.Path, r.Query)
}

// Pass implements connector.Gateway. The caller may give up; the write goes on all the same, because its outcome would
// be unknown otherwise.
func (w *Writer) Pass(ctx context.Context, r connector.GatewayRequest) (*connector.GatewayAnswer, error) {
	if err := w.Check(r); err != nil {
		return nil, err
	}
	done := func(limit.Feedback) {}
	if w.config.Limiter != nil {
		asked := w.api.Request()
		asked.Heavy = strings.HasPrefix(r.Path, "report/stock/")
		var err error
		if done, err = w.config.Limiter.Acquire(ctx, asked); err != nil {
			return nil, fmt.Errorf("wait for a place: %w", err)
		}
	}
	var feedback limit.Feedback
	report := sync.OnceFunc(func() { done(feedback) })
	defer report()

	sending, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
	var connected atomic.Bool
	sending = httptrace.WithClientTrace(sending,
		&httptrace.ClientTrace{GotConn: func(httptrace.GotConnInfo) { connected.Store(true) }})
	req, err := http.NewRequestWithContext(sending, r.Method, w.base.String()+"/"+r.Path, nil)
	if err != nil {
		cancel()
		return nil, fmt.Errorf("make the request: %w", err)
	}
	req.URL.RawQuery = r.Query
	if len(r.Body) > 0 {
		// A body that cannot be rewound: net/http then never sends the request again by itself.
		req.Body, req.ContentLength = io.NopCloser(bytes.NewReader(r.Body)), int64(len(r.Body))
		req.Header.Set("Content-Type", "application/json")
	}
	req.Header.Set("Accept", "application/json;charset=utf-8") // any other spelling is a 400 (fact M3)
	req.Header.Set("Authorization", "Bearer "+w.config.Token)
	req.Header.Set("User-Agent", "Stockhand")
	if l := language(r.Language); l != "" {
		req.Header.Set("Accept-Language", l)
	}
	resp, err := w.client.Do(req) //nolint:bodyclose // the body of the answer that is returned closes it
	if err != nil {
		cancel()
		return nil, w.failure(ctx, err, connected.Load())
	}
	feedback = msapi.Feedback(resp)
	report()
	if resp.StatusCode >= 300 && resp.StatusCode < 400 {
		_ = resp.Body.Close()
		cancel()
		return nil, elsewhere(nil)
	}
	body := &cut{Reader: resp.Body, end: func() error { defer cancel(); return resp.Body.Close() }}
	return &connector.GatewayAnswer{Status: resp.StatusCode, Header: passed(resp, w.api, w.config.Token), Body: body},
		nil
}

// failure says what is known of a write that was not answered. The cause, which names the address, is for the log.
func (w *Writer) failure(ctx context.Context, err error, connected bool) error {
	w.config.Logger.WarnContext(ctx, "a gateway write was not answered", "sent", connected, "err",
		strings.ReplaceAll(err.Error(), w.config.Token, "…"))
	if errors.Is(err, errGuard) {
		return refused("this is not a write to the connection's own API", "write the path below the API's root")
	}
	if !connected {
		return stockhand.Errorf(stockhand.CodeExternalUnavailable,
			"MoySklad could not be reached; nothing was sent").WithHint("try again in a minute")
	}
	return stockhand.Errorf(stockhand.CodeExternalUnavailable,
		"MoySklad did not answer the write: it may have been done or not").
		WithHint("look up what became of it before you send it again; a create with a syncId of your own may be " +
			"repeated safely")
}
