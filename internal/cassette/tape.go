package cassette

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/llm"
)

// Tape is what one turn asks accounts and models: it is recorded ([Recorder]) or played ([Player]). A turn with a tape
// opens its accounts for itself, so everything that it reads goes through the tape and nothing comes from a cache.
type Tape struct {
	names map[stockhand.ConnectionID]string // of the connections in the cassette
	side  side

	mu     sync.Mutex
	opened map[stockhand.ConnectionID]connector.Account
}

// side is what a tape does with a request.
type side interface {
	// exchange answers a request to an account, of which x has what a cassette has; send sends it.
	exchange(x Exchange, r *http.Request, send http.RoundTripper) (*http.Response, error)
	complete(ctx context.Context, next llm.Model, r llm.Request, onText func(int, string)) (llm.Reply, error)
}

type tapeKey struct{}

// With returns a context in which everything goes through the tape.
func With(ctx context.Context, t *Tape) context.Context { return context.WithValue(ctx, tapeKey{}, t) }

// TapeOf returns the tape of a context; nil for none.
func TapeOf(ctx context.Context) *Tape {
	t, _ := ctx.Value(tapeKey{}).(*Tape)
	return t
}

// Open returns the account that the turn opened, or opens it with a transport that goes through the tape.
func (t *Tape) Open(id stockhand.ConnectionID, base string,
	open func(through func(http.RoundTripper) http.RoundTripper) connector.Account) (connector.Account, error) {
	through, err := t.Through(id, base)
	if err != nil {
		return nil, err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	a := t.opened[id]
	if a == nil {
		a = open(through)
		t.opened[id] = a
	}
	return a, nil
}

// Through returns what puts the tape before a transport to the server of a connection.
func (t *Tape) Through(id stockhand.ConnectionID, base string) (func(http.RoundTripper) http.RoundTripper, error) {
	name, ok := t.names[id]
	if !ok {
		return nil, stockhand.Errorf(stockhand.CodeValidation, "the connection %s is not part of the recording", id).
			WithHint("a recorded conversation asks what was connected when it began")
	}
	u, err := url.Parse(base)
	if err != nil {
		return nil, err
	}
	return func(next http.RoundTripper) http.RoundTripper { return transport{t.side, name, u.Path, next} }, nil
}

// transport sends the requests to one account through a tape.
type transport struct {
	side       side
	connection string
	path       string // of the API
	next       http.RoundTripper
}

func (t transport) RoundTrip(r *http.Request) (*http.Response, error) {
	query, err := url.QueryUnescape(r.URL.RawQuery)
	if err != nil {
		query = r.URL.RawQuery
	}
	request := r.Method + " " + cmp.Or(strings.TrimPrefix(r.URL.Path, t.path), "/")
	if query != "" {
		request += "?" + query
	}
	x := Exchange{Connection: t.connection, Request: request}
	if r.Body != nil && r.Body != http.NoBody {
		body, err := io.ReadAll(r.Body)
		_ = r.Body.Close() // it was read
		if err != nil {
			return nil, err
		}
		again := *r
		again.Body = io.NopCloser(bytes.NewReader(body))
		if r = &again; len(body) > 0 {
			x.Sent = jsonOf(body)
		}
	}
	return t.side.exchange(x, r, t.next)
}

// jsonOf returns a body as JSON: itself, or else a string.
func jsonOf(body []byte) json.RawMessage {
	if json.Valid(body) && utf8.Valid(body) {
		return compact(body)
	}
	text, _ := json.Marshal(string(body)) // a string can be encoded
	return text
}

// CloseIdleConnections closes those of the transport behind the tape.
func (t transport) CloseIdleConnections() {
	if c, ok := t.next.(interface{ CloseIdleConnections() }); ok {
		c.CloseIdleConnections()
	}
}

// response returns a recorded response.
func (x Exchange) response(r *http.Request) *http.Response {
	body := string(x.Body)
	if x.Text != "" {
		body = x.Text
	}
	h := http.Header{}
	for name, value := range x.Headers {
		h.Set(name, value)
	}
	return &http.Response{StatusCode: x.Status, Status: http.StatusText(x.Status), Proto: "HTTP/1.1", ProtoMajor: 1,
		ProtoMinor: 1, Header: h, Body: io.NopCloser(strings.NewReader(body)), ContentLength: int64(len(body)),
		Request: r}
}

// Model returns a model whose requests go through the tape of their context, if there is one. It returns nil for nil.
func Model(next llm.Model) llm.Model {
	if next == nil {
		return nil
	}
	return taped{next}
}

type taped struct{ llm.Model }

func (m taped) Complete(ctx context.Context, r llm.Request, onText func(offset int, text string)) (llm.Reply, error) {
	if t := TapeOf(ctx); t != nil {
		return t.side.complete(ctx, m.Model, r, onText)
	}
	return m.Model.Complete(ctx, r, onText)
}

// Absent stands for the model of a cassette while it is played: it has a name and cannot answer.
type Absent string

// Name implements llm.Model.
func (a Absent) Name() string { return string(a) }

// Cost implements llm.Model.
func (Absent) Cost(llm.Usage) int64 { return 0 }

// Complete implements llm.Model.
func (Absent) Complete(context.Context, llm.Request, func(int, string)) (llm.Reply, error) {
	return llm.Reply{}, stockhand.Errorf(stockhand.CodeModelUnavailable, "the recorded model is not there")
}
