package msapi

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi/breaker"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi/readonly"
)

// The vendor disables an employee's API access after more than 200 identical failures in a minute (fact M13), and
// counts failed logins per hour. These limits stay far below.
const (
	breakerPermanent = 3  // identical permanent failures before requests are refused
	breakerTemporary = 24 // identical temporary failures: six calls of four attempts
	breakerRaw       = 60 // identical failures of either kind allowed to users' own programs
)

// Reader reads an account with an employee's token. It is safe for concurrent use.
type Reader struct {
	config   Config
	base     *url.URL
	bad      error // why this configuration cannot send anything
	client   *http.Client
	breaker  *breaker.Breaker
	raw      *breaker.Breaker // for requests of users' own programs; see Raw
	bodies   chan struct{}    // one per response being received; see send
	employee string           // identifies the token to the limiter and the breaker without revealing it
	log      *slog.Logger
}

// Open returns a reader. It sends nothing; every later call returns the error of an invalid configuration.
func Open(c Config) *Reader {
	if c.BaseURL == "" {
		c.BaseURL = DefaultBaseURL
	}
	orDefault := func(v *int, n int) {
		if *v <= 0 {
			*v = n
		}
	}
	orDefault(&c.Attempts, 4)
	orDefault(&c.Ahead, 4)
	if c.Timeout <= 0 {
		c.Timeout = 2 * time.Minute
	}
	r := &Reader{config: c, log: c.Logger}
	if r.log == nil {
		r.log = slog.New(slog.DiscardHandler)
	}
	sum := sha256.Sum256([]byte(c.Token))
	r.employee = hex.EncodeToString(sum[:8])

	base, err := url.Parse(strings.TrimRight(c.BaseURL, "/"))
	switch {
	case err != nil || base.Host == "" || base.Scheme != "https" && base.Scheme != "http" || base.User != nil ||
		base.RawQuery != "":
		// The address is not quoted, because it may contain a secret.
		r.bad = stockhand.Errorf(stockhand.CodeValidation,
			"the address of the MoySklad API is not a plain http or https URL")
		return r
	case c.Token == "" || strings.ContainsFunc(c.Token, func(r rune) bool { return r <= ' ' || r > '~' }):
		r.bad = stockhand.Errorf(stockhand.CodeTokenRejected, "this cannot be a MoySklad token").
			WithHint("use an employee token as MoySklad shows it: letters and digits without spaces")
		return r
	}
	r.base = base
	next := c.Transport
	if next == nil {
		h := hostOf(base)
		next, r.breaker, r.raw, r.bodies = h.transport, h.breaker, h.raw, h.bodiesOf(r.employee)
	} else {
		r.breaker, r.raw = breaker.New(breakerPermanent, breakerTemporary), breaker.New(breakerRaw, breakerRaw)
		r.bodies = make(chan struct{}, maxBodies)
	}
	if c.Through != nil {
		next = c.Through(next)
		r.breaker, r.raw = breaker.New(breakerPermanent, breakerTemporary), breaker.New(breakerRaw, breakerRaw)
	}
	r.client = &http.Client{
		Transport: readonly.Transport(next, base.Scheme, base.Host),
		// A redirect is a separate request, which the caller sends through the limiter.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return r
}

// host is shared by all readers of one host: the connections, the breaker, and the number of responses that each
// employee is receiving.
type host struct {
	transport *http.Transport
	breaker   *breaker.Breaker
	raw       *breaker.Breaker
	bodies    sync.Map // employee → chan struct{}
}

// maxBodies is how many concurrent requests per employee the vendor allows (fact M11).
const maxBodies = 5

func (h *host) bodiesOf(employee string) chan struct{} {
	bodies, _ := h.bodies.LoadOrStore(employee, make(chan struct{}, maxBodies))
	return bodies.(chan struct{}) // nothing else is stored
}

var hosts sync.Map // "scheme://host" → *host

func hostOf(base *url.URL) *host {
	key := base.Scheme + "://" + base.Host
	if h, ok := hosts.Load(key); ok {
		return h.(*host) // nothing else is stored
	}
	h, _ := hosts.LoadOrStore(key, &host{transport: newTransport(),
		breaker: breaker.New(breakerPermanent, breakerTemporary), raw: breaker.New(breakerRaw, breakerRaw)})
	return h.(*host) // nothing else is stored
}

func newTransport() *http.Transport {
	// HTTP/2 would retry requests on its own, without a benefit for a few concurrent requests.
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	return &http.Transport{
		Proxy:                 http.ProxyFromEnvironment,
		DialContext:           (&net.Dialer{Timeout: 10 * time.Second, KeepAlive: 30 * time.Second}).DialContext,
		TLSHandshakeTimeout:   10 * time.Second,
		MaxIdleConns:          64,
		MaxIdleConnsPerHost:   64, // the default of two would open a new connection for nearly every request
		IdleConnTimeout:       90 * time.Second,
		ResponseHeaderTimeout: time.Minute,
		Protocols:             protocols,
		// DisableCompression stays false: the transport requests gzip, without which every response is a 415 (fact M2),
		// decompresses it, and passes through responses that are not compressed.
	}
}

// noReplay is an empty body. When a reused connection breaks before the response, net/http retries a GET by itself,
// bypassing the limiter. It only retries requests that it can rewind, and it cannot rewind this body.
type noReplay struct{}

func (noReplay) Read([]byte) (int, error) { return 0, io.EOF }
func (noReplay) Close() error             { return nil }

var errRedirect = errors.New("redirect elsewhere")

// redirected returns the target of a redirect, which must be on the same host and with the same scheme.
func (r *Reader) redirected(from *url.URL, resp *http.Response) (*url.URL, error) {
	to, err := from.Parse(resp.Header.Get("Location"))
	if err != nil || to.Host != r.base.Host || to.Scheme != r.base.Scheme || to.User != nil {
		return nil, errRedirect
	}
	to.Fragment = ""
	return to, nil
}
