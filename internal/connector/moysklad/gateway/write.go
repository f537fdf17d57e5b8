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

// maxBody is the maximum size of a write in bytes (rule R44).
const maxBody = 1 << 20

// Writer forwards requests that change something, each once, over a new network connection, and never repeats them. It
// implements connector.Gateway and is safe for concurrent use.
type Writer struct {
	config  connector.Config
	account stockhand.AccountID
	api     *msapi.Reader // sends nothing; it provides the limiter's name of the token
	base    *url.URL
	client  *http.Client
}

// NewWriter returns a writer for an account. It sends nothing; every later call returns the error of an invalid
// configuration. Only internal/app may call this.
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
	w.base, _ = url.Parse(strings.TrimRight(c.BaseURL, "/")) // the reader has validated it
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true) // HTTP/2 transports retry requests on their own
	w.client = &http.Client{
		Transport: &guard{base: w.base, next: &http.Transport{
			Proxy:               http.ProxyFromEnvironment,
			DialContext:         (&net.Dialer{Timeout: 10 * time.Second}).DialContext,
			TLSHandshakeTimeout: 10 * time.Second,
			// a reused connection may be dead, and a request sent over it would have an unknown outcome
			DisableKeepAlives: true,
			Protocols:         protocols,
		}},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return w
}

// guard forwards writes to the API below its root and rejects everything else before it is sent.
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
			"send fewer objects at once")
	}
	if kind, _, err := mime.ParseMediaType(r.Type); len(r.Body) > 0 && (err != nil || kind != "application/json") {
		return stockhand.Errorf(stockhand.CodeUnsupportedMedia, "the body is not declared as JSON").WithHint(
			"send Content-Type: application/json")
	}
	return checkAddress(r.Path, r.Query)
}

// Pass implements connector.Gateway. The write continues even if the caller gives up, because its outcome would
// otherwise be unknown.
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
			return nil, fmt.Errorf("wait for a slot: %w", err)
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
		return nil, fmt.Errorf("create the request: %w", err)
	}
	req.URL.RawQuery = r.Query
	if len(r.Body) > 0 {
		// A body that cannot be rewound, so that net/http never sends the request again by itself.
		req.Body, req.ContentLength = io.NopCloser(bytes.NewReader(r.Body)), int64(len(r.Body))
		req.Header.Set("Content-Type", "application/json")
	}
	req.Header.Set("Accept", "application/json;charset=utf-8") // any other value is a 400 (fact M3)
	req.Header.Set("Authorization", "Bearer "+w.config.Token)
	req.Header.Set("User-Agent", "Stockhand")
	if l := language(r.Language); l != "" {
		req.Header.Set("Accept-Language", l)
	}
	resp, err := w.client.Do(req) //nolint:bodyclose // closing the body of the returned answer closes it
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
	if err := scrub(resp, w.config.Token); err != nil {
		cancel()
		return nil, err
	}
	body := &cut{Reader: resp.Body, end: func() error { defer cancel(); return resp.Body.Close() }}
	return &connector.GatewayAnswer{Status: resp.StatusCode, Header: passed(resp, w.api, w.config.Token), Body: body},
		nil
}

// failure describes a write without a response. The cause, which contains the address, is for the log.
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
		"MoySklad did not answer the write: it may or may not have been executed").
		WithHint("check whether it was executed before you send it again; creating an object with your own syncId " +
			"may be repeated safely")
}
