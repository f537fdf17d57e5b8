// Package gateway passes people's own requests on to the MoySklad JSON API 1.2 with a connection's token: the raw API
// under our key, with its limits, its compression and its retries taken care of (rule R65).
//
// It promises that nothing but the connection's own API can be reached, whatever a caller writes: a path is a list of
// plain words below the API's root or it is refused, redirects are followed there alone, and none of the caller's
// headers but the language and a body's type goes out. What comes back is the API's status, body and content type as
// they are.
//
// There are two types. A [Reader] is msapi's reader, whose transport refuses everything but GET. A [Writer] sends what
// changes something, once, and never again whatever happens; only internal/app makes one (design_test.go, decision
// 0014).
//
// The surprising decision is that paths are not cleaned but refused. Decoding, dot segments and double slashes are
// where two programs read one address in two ways; the API's own paths need none of them, so nothing is lost by taking
// only what can be read in one.
package gateway

import (
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

// patience is how long one answer may take, its body included: a caller may read slowly, and holds a place meanwhile.
const patience = 5 * time.Minute

// Reader passes on what changes nothing. It implements connector.Gateway and is safe for concurrent use.
type Reader struct {
	api   *msapi.Reader
	token string
}

// NewReader returns a reader of that account. It sends nothing; a configuration that cannot work is the error of every
// later call.
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
		return refused("a read has no body", "send a GET without one")
	}
	return checkAddress(r.Path, r.Query)
}

// Pass implements connector.Gateway. A HEAD is asked for as a GET: the API is not known to answer the other, and gives
// its answers compressed or not at all, which net/http does not ask for with a HEAD.
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
	answer := &connector.GatewayAnswer{Status: resp.StatusCode, Header: passed(resp, g.api, g.token), Body: resp.Body}
	if r.Method == http.MethodHead {
		err := resp.Body.Close()
		answer.Body = http.NoBody
		return answer, err
	}
	return answer, nil
}

// checkAddress refuses every path that could be read as another one, and queries that are none.
func checkAddress(path, query string) error {
	if path == "" {
		return refused("a path of the API is missing", "name one below its root, for example entity/product")
	}
	for segment := range strings.SplitSeq(path, "/") {
		if segment == "" || segment[0] == '.' || strings.ContainsFunc(segment, notPlain) {
			return refused("this path is not passed on: parts of letters, digits, - _ . ~ alone, none of them empty "+
				"or beginning with a dot",
				"write the path below the API's root without escapes, for example entity/product; another host or "+
					"root is never reached")
		}
	}
	// whether the API minds the case is not known
	if root, _, _ := strings.Cut(path, "/"); strings.EqualFold(root, "security") {
		return refused("the API's own credentials are not handed out through the gateway",
			"create tokens in MoySklad itself")
	}
	if strings.ContainsFunc(query, func(r rune) bool { return r <= ' ' || r > '~' || r == '#' || r == '\\' }) {
		return refused("the query has characters that are to be escaped",
			"encode its values, for example a space as %20")
	}
	plain, err := url.QueryUnescape(query)
	if err != nil || strings.ContainsFunc(plain, func(r rune) bool { return r < ' ' || r == 0x7f }) {
		return refused("the query is not encoded as one, or hides control characters",
			"encode its values, for example a space as %20")
	}
	return nil
}

// notPlain reports characters that no path of the API needs.
func notPlain(r rune) bool {
	switch {
	case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9':
		return false
	}
	return !strings.ContainsRune("-_.~", r)
}

// language is what may be passed on of Accept-Language: it only chooses between error texts.
func language(header string) string {
	for _, l := range []string{"ru", "en"} {
		if strings.HasPrefix(strings.ToLower(strings.TrimSpace(header)), l) {
			return l
		}
	}
	return ""
}

// headers are those of an answer that are passed on, beside the vendor's own X-Lognex-… and X-RateLimit-….
var headers = []string{"Content-Type", "Content-Language", "Content-Disposition", "Etag", "Last-Modified"}

// passed are the headers that go back to the caller: what says something about the answer, nothing about the
// connection, and no value with the token in it.
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
	// of what was queued or made, as hrefs in bodies are
	for _, name := range []string{"Location", "Content-Location"} {
		if u, err := url.Parse(resp.Header.Get(name)); err == nil && resp.StatusCode < 300 && api.Below(u) {
			out.Set(name, u.String())
		}
	}
	return out
}

func refused(message, hint string) error {
	e := stockhand.Errorf(stockhand.CodeValidation, "%s", message)
	e.Fields = []stockhand.FieldError{{Field: "path", Message: message}}
	return e.WithHint("%s", hint)
}

func notPassed(method string) error {
	return stockhand.Errorf(stockhand.CodeMethodNotAllowed, "this method is not passed on").
		WithHint("GET and HEAD read; POST, PUT and DELETE need the connection's gateway_writes")
}

// elsewhere is the error of an answer that sends the caller to another place, which is not followed.
func elsewhere(err error) error {
	return &stockhand.Error{
		Code: stockhand.CodeValidation, Err: err,
		Message: "the answer is a redirect to another place, which is not followed",
		Hint:    "only paths of the API on the connection's own host can be reached",
	}
}

// cut is an answer's body whose end is the end of the request as well.
type cut struct {
	io.Reader
	end func() error
}

func (c *cut) Close() error { return c.end() }

var errGuard = errors.New("refused to send: not a write to the connection's own API")
