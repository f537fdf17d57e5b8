// Package gateway forwards users' requests to the MoySklad JSON API 1.2 with a connection's token: the raw API with our
// authentication, rate limits, compression and retries (rule R65).
//
// Only the connection's own API can be reached, whatever the caller sends: a path must consist of plain words below the
// API's root, redirects are followed only within it, and the only headers forwarded are the language and the body's
// type. The response has the API's status, body and content type.
//
// A [Reader] is msapi's reader, whose transport rejects everything but GET. A [Writer] sends a request that changes
// something once and never repeats it; only internal/app creates one (design_test.go, decision 0014).
//
// Paths are not cleaned but rejected. Escapes, dot segments and double slashes are where two programs interpret one
// address differently; the API's paths need none of them.
package gateway

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
)

// patience is the time limit of one response, including its body, because a slow caller occupies a slot.
const patience = 5 * time.Minute

// Reader forwards requests that change nothing. It implements connector.Gateway and is safe for concurrent use.
type Reader struct {
	api   *msapi.Reader
	token string
}

// NewReader returns a reader for an account. It sends nothing; every later call returns the error of an invalid
// configuration.
func NewReader(c connector.Config, account stockhand.AccountID) *Reader {
	return &Reader{token: c.Token, api: msapi.Open(msapi.Config{
		BaseURL: c.BaseURL, Token: c.Token, Account: string(account), Limiter: c.Limiter, Logger: c.Logger,
		Timeout: patience,
	})}
}

// Open returns a [Reader], or the [Writer] of an account. Only internal/app may call this.
func Open(c connector.Config, account stockhand.AccountID, writes bool) connector.Gateway {
	if writes {
		return NewWriter(c, account)
	}
	return NewReader(c, account)
}

// Check implements connector.Gateway.
func (*Reader) Check(r connector.GatewayRequest) error {
	switch r.Method {
	case http.MethodGet, http.MethodHead:
	default:
		return notPassed(r.Method)
	}
	if len(r.Body) > 0 {
		return refused("a read must not have a body", "send a GET without one")
	}
	return checkAddress(r.Path, r.Query)
}

// Pass implements connector.Gateway. It sends a HEAD as a GET: it is not documented that the API supports HEAD, and the
// API requires compression, which net/http does not request with HEAD.
func (g *Reader) Pass(ctx context.Context, r connector.GatewayRequest) (*connector.GatewayAnswer, error) {
	if err := g.Check(r); err != nil {
		return nil, err
	}
	resp, err := g.api.Raw(ctx, msapi.RawRequest{Path: r.Path, Query: r.Query, Language: language(r.Language)})
	if msapi.IsRedirect(err) {
		return nil, elsewhere(err)
	}
	if err != nil {
		return nil, err
	}
	if err := scrub(resp, g.token); err != nil {
		return nil, err
	}
	answer := &connector.GatewayAnswer{Status: resp.StatusCode, Header: passed(resp, g.api, g.token), Body: resp.Body}
	if r.Method == http.MethodHead {
		err := resp.Body.Close()
		answer.Body = http.NoBody
		return answer, err
	}
	return answer, nil
}

// checkAddress rejects every path that could be interpreted in two ways, and invalid queries.
func checkAddress(path, query string) error {
	if path == "" {
		return refused("a path of the API is missing", "send a path below its root, for example entity/product")
	}
	for segment := range strings.SplitSeq(path, "/") {
		if segment == "" || segment[0] == '.' || strings.ContainsFunc(segment, notPlain) {
			return refused("this path is not forwarded: its parts may only contain letters, digits, - _ . ~, and "+
				"must not be empty or start with a dot",
				"write the path below the API's root without escapes, for example entity/product; another host or "+
					"root is never reached")
		}
	}
	// it is unknown whether the API is case-sensitive
	if root, _, _ := strings.Cut(path, "/"); strings.EqualFold(root, "security") {
		return refused("the gateway does not give access to the API's credentials",
			"create tokens in MoySklad itself")
	}
	if strings.ContainsFunc(query, func(r rune) bool { return r <= ' ' || r > '~' || r == '#' || r == '\\' }) {
		return refused("the query contains characters that must be escaped",
			"encode its values, for example a space as %20")
	}
	plain, err := url.QueryUnescape(query)
	if err != nil || strings.ContainsFunc(plain, func(r rune) bool { return r < ' ' || r == 0x7f }) {
		return refused("the query is not properly encoded, or contains control characters",
			"encode its values, for example a space as %20")
	}
	return nil
}

// notPlain reports whether a character never occurs in the API's paths.
func notPlain(r rune) bool {
	switch {
	case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9':
		return false
	}
	return !strings.ContainsRune("-_.~", r)
}

// language returns the part of Accept-Language to forward; it only selects the language of errors.
func language(header string) string {
	for _, l := range []string{"ru", "en"} {
		if strings.HasPrefix(strings.ToLower(strings.TrimSpace(header)), l) {
			return l
		}
	}
	return ""
}

// headers are the response headers to forward, besides the vendor's X-Lognex-… and X-RateLimit-….
var headers = []string{"Content-Type", "Content-Language", "Content-Disposition", "Etag", "Last-Modified"}

// passed returns the response headers to forward: those about the response, none about the connection, and none whose
// value contains the token.
func passed(resp *http.Response, api *msapi.Reader, token string) http.Header {
	out := http.Header{}
	for name, values := range resp.Header {
		own := strings.HasPrefix(name, "X-Lognex-") || strings.HasPrefix(name, "X-Ratelimit-")
		if !own && !slices.Contains(headers, name) {
			continue
		}
		for _, v := range values {
			if !strings.Contains(v, token) {
				out.Add(name, v)
			}
		}
	}
	// the address of an asynchronous task or a created object, rewritten like hrefs in bodies
	for _, name := range []string{"Location", "Content-Location"} {
		if u, err := url.Parse(resp.Header.Get(name)); err == nil && resp.StatusCode < 300 && api.Below(u) {
			out.Set(name, u.String())
		}
	}
	return out
}

// maxError is the most of an error's body that is read, in bytes.
const maxError = 1 << 20

// scrub takes the token out of the body of an error: a server may quote what it refused. A longer one is cut off.
func scrub(resp *http.Response, token string) error {
	if resp.StatusCode < http.StatusBadRequest {
		return nil
	}
	text, err := io.ReadAll(io.LimitReader(resp.Body, maxError+int64(len(token))))
	if err = errors.Join(err, resp.Body.Close()); err != nil {
		return stockhand.Errorf(stockhand.CodeExternalUnavailable,
			"MoySklad answered with status %d and broke off: %w", resp.StatusCode, err)
	}
	text = bytes.ReplaceAll(text, []byte(token), []byte("…"))
	resp.Body = io.NopCloser(bytes.NewReader(text[:min(len(text), maxError)]))
	return nil
}

func refused(message, hint string) error {
	e := stockhand.Errorf(stockhand.CodeValidation, "%s", message)
	e.Fields = []stockhand.FieldError{{Field: "path", Message: message}}
	return e.WithHint("%s", hint)
}

func notPassed(method string) error {
	return stockhand.Errorf(stockhand.CodeMethodNotAllowed, "this method is not forwarded").
		WithHint("GET and HEAD read; POST, PUT and DELETE need the connection's gateway_writes")
}

// elsewhere returns the error for a redirect outside the API, which is not followed.
func elsewhere(err error) error {
	return &stockhand.Error{
		Code: stockhand.CodeValidation, Err: err,
		Message: "the response is a redirect to another address, which is not followed",
		Hint:    "only paths of the API on the connection's own host can be reached",
	}
}

// cut is a response body that ends its request when it is closed.
type cut struct {
	io.Reader
	end func() error
}

func (c *cut) Close() error { return c.end() }

var errGuard = errors.New("refused to send: not a write to the connection's own API")
