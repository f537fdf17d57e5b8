package openai

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/tidwall/gjson"
	"github.com/tidwall/sjson"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/llm"
)

// The maximum size in bytes of a provider's answer, and of one event of a stream.
const (
	maxAnswer = 64 << 20
	maxEvent  = 4 << 20
)

// Where providers answer.
const (
	chatPath       = "/chat/completions"
	embeddingsPath = "/embeddings"
)

// mostAsked bounds numbers before they are multiplied; providers refuse such numbers anyway.
const mostAsked = 1 << 24

// pass forwards a request to a provider, changing only the model's name and the key, and streams the answer back. It
// reads the usage from the answer on the way.
func (s *Service) pass(w http.ResponseWriter, r *http.Request, p *llm.Provider, path, model string, body []byte) error {
	answer, err := s.ask(r.Context(), p, path, model, body)
	if err != nil {
		return err
	}
	defer answer.close()
	answer.copyHeader(w)
	if answer.streamed() {
		w.Header().Set("X-Accel-Buffering", "no")
		w.WriteHeader(answer.StatusCode)
		answer.copyStream(w, answer.Body, answer.hidden)
		return nil
	}
	w.WriteHeader(answer.StatusCode)
	answer.copyWhole(w, answer.Body)
	return nil
}

// answering is a provider that answers a request.
type answering struct {
	*http.Response
	meter

	hidden bool // the caller did not ask for the usage
	settle func()
}

// close settles what the answer cost.
func (a *answering) close() {
	a.Body.Close()
	a.settle()
}

func (a *answering) streamed() bool {
	return strings.HasPrefix(a.Header.Get("Content-Type"), "text/event-stream")
}

// copyHeader passes on what describes the answer.
func (a *answering) copyHeader(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "application/json") // the default
	for _, name := range []string{"Content-Type", "Retry-After"} {
		if v := a.Header.Get(name); v != "" {
			w.Header().Set(name, v)
		}
	}
	a.copyID(w)
}

func (a *answering) copyID(w http.ResponseWriter) {
	if v := a.Header.Get("X-Request-Id"); v != "" {
		w.Header().Set("X-Provider-Request-Id", v)
	}
}

// ask sends a request to a provider within the organization's budget. The caller closes the answer.
func (s *Service) ask(ctx context.Context, p *llm.Provider, path, model string, body []byte) (*answering, error) {
	actor := stockhand.ActorOf(ctx)
	sent, hidden, err := rewrite(body, model)
	if err != nil {
		return nil, err
	}
	most := most(p, path, body)
	settle, err := s.reserve(ctx, actor, p, model, most)
	if err != nil {
		return nil, err
	}
	a := &answering{hidden: hidden}
	a.settle = func() { settle(a.used(most)) }
	if a.Response, err = send(ctx, p, path, sent); err != nil { //nolint:bodyclose // close closes it
		s.Observe(p.Name, 0)
		a.begun = ctx.Err() != nil // the caller disconnected, but the provider charges all the same
		a.settle()
		s.Logger.WarnContext(ctx, "pass a chat through", "provider", p.Name, "err", err)
		return nil, unavailable(p.Name)
	}
	s.Observe(p.Name, a.StatusCode)
	a.begun, a.nothing = true, a.StatusCode != http.StatusOK
	if a.StatusCode == http.StatusUnauthorized || a.StatusCode == http.StatusForbidden {
		a.close() // the provider refused our key, not the caller's
		return nil, stockhand.Errorf(stockhand.CodeModelUnavailable, "the provider %s refused this server's key",
			p.Name).WithHint("Contact the operator of this server.")
	}
	return a, nil
}

// most is the most that a request can cost.
func most(p *llm.Provider, path string, body []byte) llm.Usage {
	u := llm.Usage{Input: llm.Estimate(string(body)), Output: p.MaxTokens()}
	if path == embeddingsPath {
		u.Output = 0
		return u
	}
	if asked := max(gjson.GetBytes(body, "max_tokens").Int(),
		gjson.GetBytes(body, "max_completion_tokens").Int()); asked > 0 {
		u.Output = int(min(asked, mostAsked))
	}
	if n := gjson.GetBytes(body, "n").Int(); n > 1 { // each choice is a whole answer
		u.Output *= int(min(n, mostAsked))
	}
	return u
}

// rewrite sets the provider's name of the model, and requests the usage of a stream if the caller did not: then hidden
// is true and the chunk with the usage is not passed on. All other bytes stay unchanged.
func rewrite(body []byte, model string) (out []byte, hidden bool, err error) {
	if name := givenTwice(body); name != "" {
		return nil, false, invalid(clip(name), "is given more than once")
	}
	if out, err = sjson.SetBytes(body, "model", model); err != nil {
		return nil, false, invalid("body", "the body is not a JSON object of the chat format")
	}
	if gjson.GetBytes(body, "stream").Bool() && !gjson.GetBytes(body, "stream_options.include_usage").Bool() {
		if out, err = sjson.SetBytes(out, "stream_options.include_usage", true); err != nil {
			return nil, false, invalid("stream_options", "must be an object")
		}
		hidden = true
	}
	return out, hidden, nil
}

// givenTwice returns a repeated field: we might read one value and the provider the other, also of limits.
func givenTwice(body []byte) (twice string) {
	seen := map[string]bool{}
	gjson.ParseBytes(body).ForEach(func(name, _ gjson.Result) bool {
		folded := strings.ToLower(name.String())
		if seen[folded] {
			twice = name.String()
		}
		seen[folded] = true
		return twice == ""
	})
	return twice
}

// send makes the request, and repeats it once if the provider refused a token that can be renewed.
func send(ctx context.Context, p *llm.Provider, path string, body []byte) (*http.Response, error) {
	for again := true; ; again = false {
		q, err := http.NewRequestWithContext(ctx, http.MethodPost, p.BaseURL+path, bytes.NewReader(body))
		if err != nil {
			return nil, err
		}
		q.Header.Set("Content-Type", "application/json")
		if err := p.Authorize(q); err != nil {
			return nil, err
		}
		answer, err := p.Client.Do(q)
		if err != nil {
			return nil, err
		}
		if answer.StatusCode != http.StatusUnauthorized || !again || !p.Refused() {
			return answer, nil
		}
		answer.Body.Close()
	}
}

func unavailable(provider string) error {
	return stockhand.Errorf(stockhand.CodeModelUnavailable, "the provider %s did not answer",
		provider).WithHint("Try again in a moment, or use another model.")
}

// reserve reserves the maximum cost of a request. The returned function settles the actual usage.
func (s *Service) reserve(ctx context.Context, actor stockhand.Actor, p *llm.Provider, model string,
	most llm.Usage) (func(llm.Usage), error) {
	settle, err := s.Budget.Reserve(ctx, actor.Org, most.Total(), p.Cost(model, most))
	if err != nil {
		return nil, err
	}
	return func(used llm.Usage) {
		ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
		defer stop()
		cost := p.Cost(model, used)
		if err := settle(ctx, used, cost); err != nil {
			s.Logger.ErrorContext(ctx, "settle what a chat cost", "org", actor.Org, "err", err)
		}
		s.usage.add(actor, used, cost) //nolint:contextcheck // written a second later, even when the request is gone
	}, nil
}

// meter reads from an answer on its way what it used.
type meter struct {
	reported llm.Usage
	known    bool // the provider reported its usage
	nothing  bool // the provider did no work
	begun    bool
	events   int
}

// used is the usage that the provider reported, or an estimate: the request, and one token per event.
func (m *meter) used(most llm.Usage) llm.Usage {
	switch {
	case m.known:
		return m.reported
	case m.nothing, !m.begun:
		return llm.Usage{}
	}
	return llm.Usage{Input: most.Input, Output: m.events}
}

func (m *meter) read(body []byte) bool {
	u := gjson.GetBytes(body, "usage")
	if !u.IsObject() {
		return false
	}
	m.known = true
	m.reported = llm.NewUsage(int(u.Get("prompt_tokens").Int()), int(u.Get("completion_tokens").Int()),
		int(u.Get("prompt_tokens_details.cached_tokens").Int()))
	return true
}

// copyWhole passes on an answer that is not streamed.
func (m *meter) copyWhole(w io.Writer, body io.Reader) {
	var b bytes.Buffer
	_, _ = b.ReadFrom(io.LimitReader(body, maxAnswer)) // a cut-off answer is passed on as it is
	m.read(b.Bytes())
	_, _ = w.Write(b.Bytes())
}

var (
	dataPrefix = []byte("data:")
	usageKey   = []byte(`"usage"`)
)

// copyStream passes events on as they arrive, except a hidden one with the usage.
func (m *meter) copyStream(w http.ResponseWriter, body io.Reader, hidden bool) {
	flusher := http.NewResponseController(w)
	in := bufio.NewReader(body)
	var event bytes.Buffer
	for {
		line, err := in.ReadSlice('\n')
		event.Write(line)
		if errors.Is(err, bufio.ErrBufferFull) && event.Len() < maxEvent {
			continue
		}
		// or a part of an event that exceeds maxEvent
		if end := len(bytes.TrimRight(line, "\r\n")) == 0; end || err != nil {
			if !m.event(event.Bytes(), hidden) {
				if _, failed := w.Write(event.Bytes()); failed != nil {
					return
				}
			}
			event.Reset()
			if in.Buffered() == 0 {
				_ = flusher.Flush()
			}
		}
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
			return
		}
	}
}

// event reads one event of a stream and reports whether to drop it.
func (m *meter) event(b []byte, hidden bool) (drop bool) {
	data, ok := bytes.CutPrefix(bytes.TrimLeft(b, "\r\n"), dataPrefix)
	if !ok {
		return false
	}
	m.events++
	if !bytes.Contains(data, usageKey) || !m.read(data) {
		return false
	}
	choices := gjson.GetBytes(data, "choices")
	return hidden && choices.IsArray() && len(choices.Array()) == 0
}
