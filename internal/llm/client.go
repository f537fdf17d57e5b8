package llm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
	"unicode/utf8"
)

// maxReply is the maximum size of a reply in bytes, text and arguments together. A longer reply means that the model is
// looping.
const maxReply = 1 << 20

// The reasons for aborting a request.
var (
	errNoFirst = errors.New("timed out waiting for the first token")
	errStalled = errors.New("the stream stalled")
	errTooLong = errors.New("the reply took too long")
	errCut     = errors.New("the stream was interrupted")
	errTooMuch = errors.New("the reply is too large")
)

// failure is the reason why an attempt failed.
type failure struct {
	err   error
	again bool          // the same request may succeed later
	begun bool          // the reply had started
	after time.Duration // the provider's Retry-After delay; 0 if none
	used  Usage         // an estimate of the usage so far
}

// once makes one attempt with one provider.
func (t target) once(ctx context.Context, r Request, onText func(offset int, text string)) (Reply, *failure) {
	whole, stop := context.WithTimeoutCause(ctx, time.Duration(t.config.Timeout), errTooLong)
	defer stop()
	ctx, cancel := context.WithCancelCause(whole)
	defer cancel(nil)
	var heard atomic.Bool
	watch := time.AfterFunc(time.Duration(t.config.FirstTimeout), func() {
		if heard.Load() {
			cancel(errStalled)
		}
		cancel(errNoFirst) // only the first cause counts
	})
	defer watch.Stop()

	var done bool
	got := streamAccumulator{onText: onText}
	status, after, err := t.stream(ctx, r, func(c chunk, last bool) error {
		heard.Store(true)
		watch.Reset(time.Duration(t.config.IdleTimeout))
		if last {
			done = true
			return nil
		}
		return got.add(c)
	})
	if cause := context.Cause(ctx); err != nil && cause != nil {
		err = cause
	}
	if got.finish == "" && done && got.begun {
		got.finish = "stop"
	}
	broken := ctx.Err() == nil || errors.Is(err, errStalled) // and not cancelled by the caller
	switch {
	case err == nil && got.finish == "":
		err = errCut
	case err != nil && got.finish != "" && broken && !errors.Is(err, errTooMuch):
		err = nil // the reply is complete, only the end of the stream is missing
	}
	got.say(got.think.rest())
	reply := got.reply(t, r)
	if err == nil {
		return reply, nil
	}
	f := &failure{err: err, begun: got.begun, after: after}
	switch {
	case f.begun:
		f.used = reply.Usage
	// cancelled by the caller: the provider received the request and charges for it
	case whole.Err() != nil && !errors.Is(context.Cause(whole), errTooLong):
		f.used = Usage{Input: r.Tokens()}
	}
	f.again = status == 0 || status == http.StatusOK || status == http.StatusTooManyRequests ||
		status == http.StatusRequestTimeout || status >= 500
	if errors.Is(err, errTooMuch) || errors.Is(err, errTooLong) || errors.Is(err, errTooLongInput) {
		f.again = false
	}
	if status == http.StatusUnauthorized && t.Refused() {
		f.again = true
	}
	if e, ok := errors.AsType[*refused](err); ok && status == 0 { // from the token exchange
		f.again = e.status >= 500 || e.status == http.StatusTooManyRequests
	}
	f.err = fmt.Errorf("%s: %w", t.name(), plain(err))
	return Reply{}, f
}

// most returns the maximum length of a reply in tokens.
func (t target) most(r Request) int {
	if r.MaxTokens > 0 {
		return min(r.MaxTokens, t.config.MaxTokens)
	}
	return t.config.MaxTokens
}

// plain returns the error without text from the provider, which may quote the request, including the key.
func plain(err error) error {
	for _, own := range []error{errNoFirst, errStalled, errTooLong, errCut, errTooMuch, errReported, errTooLongInput,
		context.Canceled, context.DeadlineExceeded} {
		if errors.Is(err, own) {
			return own
		}
	}
	if e, ok := errors.AsType[*refused](err); ok {
		return e
	}
	if _, ok := errors.AsType[*json.SyntaxError](err); ok {
		return errors.New("the response is not in the chat format")
	}
	return errors.New("the connection failed")
}

// retryAfter returns the delay that a provider asks for; 0 if there is none or it has passed.
func retryAfter(h http.Header) time.Duration {
	if ms, err := strconv.ParseFloat(h.Get("Retry-After-Ms"), 64); err == nil && ms > 0 {
		return time.Duration(min(ms, 1e9) * float64(time.Millisecond))
	}
	v := h.Get("Retry-After")
	if s, err := strconv.ParseFloat(v, 64); err == nil && s > 0 {
		return time.Duration(min(s, 1e6) * float64(time.Second))
	}
	if at, err := http.ParseTime(v); err == nil {
		return max(0, time.Until(at))
	}
	return 0
}

// streamAccumulator assembles a reply from its chunks.
type streamAccumulator struct {
	onText func(offset int, text string)
	think  thinkFilter
	text   strings.Builder
	at     int // characters of text so far
	calls  []Call
	args   [][]byte      // the arguments of each call so far
	slots  map[int64]int // the call index on the wire → the current call with that index
	size   int
	finish string
	usage  Usage
	begun  bool
}

func (g *streamAccumulator) add(c chunk) error {
	if u := c.Usage; u.PromptTokens > 0 || u.CompletionTokens > 0 {
		g.usage = NewUsage(u.PromptTokens, u.CompletionTokens, u.PromptDetails.CachedTokens)
	}
	if len(c.Choices) == 0 {
		return nil
	}
	choice := c.Choices[0]
	if choice.FinishReason != "" {
		g.finish = choice.FinishReason
	}
	if s := choice.Delta.Content; s != "" {
		g.begun = true
		if g.size += len(s); g.size <= maxReply {
			g.say(g.think.add(strings.ToValidUTF8(s, "\uFFFD")))
		}
	}
	if call := choice.Delta.FunctionCall; call != nil {
		g.function(call, choice.Delta.State)
	}
	for _, d := range choice.Delta.ToolCalls {
		g.begun = true
		g.size += len(d.ID) + len(d.Function.Name) + len(d.Function.Arguments) + 16
		if g.size > maxReply {
			break
		}
		i := g.call(d.Index, d.ID, d.Function.Name)
		g.args[i] = append(g.args[i], d.Function.Arguments...)
	}
	if g.size > maxReply {
		return errTooMuch
	}
	return nil
}

// say appends to the text and passes it on.
func (g *streamAccumulator) say(s string) {
	if s == "" {
		return
	}
	g.text.WriteString(s)
	if g.onText != nil {
		g.onText(g.at, s)
	}
	g.at += utf8.RuneCountInString(s)
}

// call returns the index of the call that a chunk belongs to. Some servers number every call 0, so a new ID starts a
// new call.
func (g *streamAccumulator) call(index int64, id, name string) int {
	if g.slots == nil {
		g.slots = map[int64]int{}
	}
	i, known := g.slots[index]
	if !known || id != "" && g.calls[i].ID != "" && id != g.calls[i].ID {
		g.calls, g.args = append(g.calls, Call{ID: id, Type: "function"}), append(g.args, nil)
		i = len(g.calls) - 1
		g.slots[index] = i
	}
	c := &g.calls[i]
	if c.ID == "" {
		c.ID = id
	}
	if c.Function.Name == "" {
		c.Function.Name = name
	}
	return i
}

// reply returns the assembled reply. It estimates usage that the provider did not report.
func (g *streamAccumulator) reply(t target, r Request) Reply {
	for i := range g.calls {
		g.calls[i].Function.Arguments = string(g.args[i])
	}
	out := Reply{Message: Message{Role: Assistant, Content: g.text.String(), Calls: g.calls}, Model: t.name(),
		Usage: g.usage, Cut: g.finish == "length"}
	if out.Usage.Input == 0 {
		out.Usage.Input = r.Tokens()
	}
	if out.Usage.Output == 0 {
		out.Usage.Output = Request{Messages: []Message{out.Message}}.Tokens()
	}
	out.Cost = cost(t.model, out.Usage)
	return out
}
