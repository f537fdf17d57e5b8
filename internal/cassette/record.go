package cassette

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptrace"
	"slices"
	"sync"
	"sync/atomic"
	"unicode/utf8"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/llm"
)

// maxRecorded is how many bytes of responses a turn may record.
const maxRecorded = 32 << 20

// Recorder records one turn.
type Recorder struct {
	mu   sync.Mutex
	turn Turn
	size int
}

// Record returns a recorder of a turn, and the tape to work with.
func Record(t Turn, names map[stockhand.ConnectionID]string) (*Recorder, *Tape) {
	r := &Recorder{turn: t}
	return r, &Tape{names: names, side: r, opened: map[stockhand.ConnectionID]connector.Account{}}
}

// Turn returns what was recorded, with the outcome of the turn.
func (r *Recorder) Turn(outcome json.RawMessage) (Turn, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.size > maxRecorded {
		return Turn{}, stockhand.Errorf(stockhand.CodeBodyTooLarge,
			"the turn read more than 32 MiB; it cannot be recorded").WithHint("ask for less: a shorter period, one warehouse")
	}
	t := r.turn
	t.Exchanges, t.Steps, t.Outcome = slices.Clone(t.Exchanges), slices.Clone(t.Steps), outcome
	return t, nil
}

func (r *Recorder) exchange(x Exchange, sent *http.Request, send http.RoundTripper) (*http.Response, error) {
	var connected atomic.Bool
	resp, err := send.RoundTrip(sent.WithContext(httptrace.WithClientTrace(sent.Context(), &httptrace.ClientTrace{
		GotConn: func(httptrace.GotConnInfo) { connected.Store(true) }})))
	if err != nil {
		if sent.Context().Err() == nil {
			x.Lost = connected.Load()
			r.add(x)
		}
		return nil, err
	}
	x.Status, x.Headers = resp.StatusCode, map[string]string{}
	for _, name := range keptHeaders {
		if v := resp.Header.Get(name); v != "" {
			x.Headers[name] = v
		}
	}
	if sent.Method != http.MethodGet { // it may be a stream that has no end
		resp.Body = &listener{ReadCloser: resp.Body, most: maxRecorded, heard: func(body []byte) {
			x.answered(body)
			r.add(x)
		}}
		return resp, nil
	}
	body, err := io.ReadAll(resp.Body)
	_ = resp.Body.Close() // it was read
	if err != nil {       // the caller reads what came, and then the error
		resp.Body = io.NopCloser(io.MultiReader(bytes.NewReader(body), failing{err}))
		if sent.Context().Err() == nil {
			r.add(Exchange{Connection: x.Connection, Request: x.Request, Lost: true})
		}
		return resp, nil
	}
	resp.Body = io.NopCloser(bytes.NewReader(body))
	x.answered(body)
	r.add(x)
	return resp, nil
}

// answered adds the body of the response.
func (x *Exchange) answered(body []byte) {
	if json.Valid(body) && utf8.Valid(body) {
		x.Body = compact(body)
	} else {
		x.Text = string(body)
	}
}

// listener passes on a body and keeps what the caller reads of it.
type listener struct {
	io.ReadCloser

	most  int
	body  []byte
	heard func(body []byte) // called once, when the body is closed
	once  sync.Once
}

func (l *listener) Read(p []byte) (int, error) {
	n, err := l.ReadCloser.Read(p)
	if len(l.body) <= l.most {
		l.body = append(l.body, p[:n]...)
	}
	return n, err
}

func (l *listener) Close() error {
	l.once.Do(func() { l.heard(l.body) })
	return l.ReadCloser.Close()
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

// add keeps an exchange, unless the turn is too large anyway.
func (r *Recorder) add(x Exchange) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.size += len(x.Body) + len(x.Text) + len(x.Request) + len(x.Sent); r.size <= maxRecorded {
		r.turn.Exchanges = append(r.turn.Exchanges, x)
	}
}

func (r *Recorder) complete(ctx context.Context, next llm.Model, req llm.Request, onText func(int, string)) (llm.Reply,
	error) {
	reply, err := next.Complete(ctx, req, onText)
	if ctx.Err() != nil { // the turn was cancelled or handed over
		return reply, err
	}
	s := Step{Messages: slices.Clone(req.Messages), Tools: toolsOf(req.Tools), Answer: req.Answer,
		MaxTokens: req.MaxTokens, Reply: Reply{reply.Message, reply.Model, reply.Usage, reply.Cost, reply.Cut}}
	if err != nil {
		s.Failure = failureOf(err)
	}
	// the caller may change the calls of the reply
	s.Reply.Message.Calls = slices.Clone(s.Reply.Message.Calls)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.turn.Steps = append(r.turn.Steps, s)
	return reply, err
}

func failureOf(err error) *Failure {
	if e, ok := errors.AsType[*stockhand.Error](err); ok {
		return &Failure{e.Code, e.Message, e.Hint, e.RU.Message, e.RU.Hint, llm.IsTooLong(err)}
	}
	return &Failure{Code: stockhand.CodeOf(err), Message: "the model failed"}
}

func (f Failure) err() error {
	if f.TooLong {
		return llm.TooLong()
	}
	return &stockhand.Error{Code: f.Code, Message: f.Message, Hint: f.Hint,
		RU: stockhand.Words{Message: f.RU, Hint: f.RUHint}}
}
