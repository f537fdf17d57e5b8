// Package llmtest runs a scripted model behind a real HTTP server that speaks the OpenAI chat format, streaming or not.
// Tests and benchmarks choose the replies, their chunking, delays and failures.
package llmtest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/stockhand/stockhand/internal/llm"
)

// Answer is the model's reply to one request.
type Answer struct {
	Text   string
	Calls  []llm.Call
	Finish string     // default: "stop", or "tool_calls" with calls
	Usage  *llm.Usage // reported usage; default: an estimate

	Piece      int           // characters per chunk; 0 means 16
	Delay      time.Duration // before the first byte
	StallAfter int           // send nothing after this many chunks; 0 never
	CutAfter   int           // close the connection after this many chunks; 0 never
	SameIndex  bool          // number every call 0, as some servers do
	NoUsage    bool          // do not report usage

	Status     int    // respond with this error status instead
	RetryAfter string // the Retry-After header
	Body       string // the error body; default: an error in the OpenAI format
}

// Say returns an answer with text.
func Say(text string) Answer { return Answer{Text: text} }

// CallTool returns an answer that requests one tool call.
func CallTool(name, arguments string) Answer { return CallTools(Call("call_1", name, arguments)) }

// CallTools returns an answer that requests several tool calls.
func CallTools(calls ...llm.Call) Answer { return Answer{Calls: calls} }

// Call returns a tool call.
func Call(id, name, arguments string) llm.Call {
	return llm.Call{ID: id, Type: "function", Function: llm.Function{Name: name, Arguments: arguments}}
}

// Request is a request that the server received.
type Request struct {
	Header   http.Header
	Body     []byte // as received
	Model    string
	Stream   bool
	Messages []Message
	Tools    []string // names
}

// Message is a received message. Content is text, or the JSON of its parts.
type Message struct {
	Role    string
	Content string
	Calls   []llm.Call
	CallID  string
}

// Last returns the last message with that role, or the zero Message.
func (r Request) Last(role string) Message {
	for _, m := range slices.Backward(r.Messages) {
		if m.Role == role {
			return m
		}
	}
	return Message{}
}

// Script returns the answer to request n, counted from 0.
type Script func(n int, r Request) Answer

// Turns returns a script with these answers in order, followed by status 500.
func Turns(answers ...Answer) Script {
	return func(n int, _ Request) Answer {
		if n < len(answers) {
			return answers[n]
		}
		return Answer{Status: http.StatusInternalServerError}
	}
}

// Always returns a script that gives every request the same answer.
func Always(a Answer) Script { return func(int, Request) Answer { return a } }

// Server is a running server.
type Server struct {
	URL string // base URL of the API, with /v1

	script Script
	server *http.Server
	stop   context.CancelFunc
	mu     sync.Mutex
	got    []Request
}

// Start serves the script on a free loopback port until Close.
func Start(script Script) (*Server, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0") //nolint:noctx // it is closed with the server
	if err != nil {
		return nil, err
	}
	ctx, stop := context.WithCancel(context.Background())
	s := &Server{URL: "http://" + listener.Addr().String() + "/v1", script: script, stop: stop}
	mux := http.NewServeMux()
	mux.HandleFunc("/v1/chat/completions", s.complete)
	mux.HandleFunc("/v1/embeddings", s.embed)
	s.server = &http.Server{Handler: mux, ReadHeaderTimeout: time.Minute,
		BaseContext: func(net.Listener) context.Context { return ctx }}
	go func() { _ = s.server.Serve(listener) }() // ends with ErrServerClosed
	return s, nil
}

// New starts a server for a test and closes it when the test ends.
func New(t interface {
	Cleanup(func())
	Fatal(...any)
}, script Script) *Server {
	s, err := Start(script)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// Close stops the server and aborts all responses.
func (s *Server) Close() {
	s.stop()
	_ = s.server.Close()
}

// Config returns a configuration with this server as the only provider, "test", and its model "scripted", which is also
// passed through. No budget limits it, and it is not waited for.
func (s *Server) Config() llm.Config {
	return llm.Config{Providers: []llm.ProviderConfig{{Name: "test", BaseURL: s.URL, APIKey: "test-key",
		Models: []llm.ModelConfig{{Name: "scripted"}}}}, PassThrough: []string{"test/scripted"},
		Limits: llm.Limits{MonthLimits: llm.MonthLimits{MonthTokens: -1}, Patience: 1}}
}

// Requests returns the requests received so far.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.got)
}

func (s *Server) complete(w http.ResponseWriter, r *http.Request) {
	req, usage, err := read(r)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	s.mu.Lock()
	n := len(s.got)
	s.got = append(s.got, req)
	s.mu.Unlock()
	a := s.script(n, req)
	if a.Delay > 0 {
		select {
		case <-r.Context().Done():
			return
		case <-time.After(a.Delay):
		}
	}
	switch {
	case a.Status != 0:
		fail(w, a)
	case req.Stream:
		err = a.stream(w, r, req, usage)
	default:
		err = a.whole(w, req)
	}
	if err != nil {
		panic(http.ErrAbortHandler) // closes the connection
	}
}

// embed answers every request for embeddings with one of two numbers, and a usage of 3 tokens.
func (s *Server) embed(w http.ResponseWriter, r *http.Request) {
	req, _, err := read(r)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	s.mu.Lock()
	s.got = append(s.got, req)
	s.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{"object": "list", "model": req.Model,
		"data":  []any{map[string]any{"object": "embedding", "index": 0, "embedding": []float64{0.5, -0.25}}},
		"usage": map[string]int{"prompt_tokens": 3, "total_tokens": 3}})
}

func read(r *http.Request) (req Request, usage bool, err error) {
	body, err := io.ReadAll(io.LimitReader(r.Body, 8<<20))
	if err != nil {
		return req, false, err
	}
	var wire struct {
		Model    string `json:"model"`
		Stream   bool   `json:"stream"`
		Messages []struct {
			Role    string          `json:"role"`
			Content json.RawMessage `json:"content"`
			Calls   []llm.Call      `json:"tool_calls"`
			CallID  string          `json:"tool_call_id"`
		} `json:"messages"`
		Tools []struct {
			Function struct {
				Name string `json:"name"`
			} `json:"function"`
		} `json:"tools"`
		StreamOptions struct {
			IncludeUsage bool `json:"include_usage"`
		} `json:"stream_options"`
	}
	if err := json.Unmarshal(body, &wire); err != nil {
		return req, false, err
	}
	req = Request{Header: r.Header.Clone(), Body: body, Model: wire.Model, Stream: wire.Stream}
	for _, m := range wire.Messages {
		text := string(m.Content)
		var s string
		if json.Unmarshal(m.Content, &s) == nil {
			text = s
		}
		req.Messages = append(req.Messages, Message{Role: m.Role, Content: text, Calls: m.Calls, CallID: m.CallID})
	}
	for _, t := range wire.Tools {
		req.Tools = append(req.Tools, t.Function.Name)
	}
	return req, wire.StreamOptions.IncludeUsage, nil
}

func fail(w http.ResponseWriter, a Answer) {
	if a.RetryAfter != "" {
		w.Header().Set("Retry-After", a.RetryAfter)
	}
	body := a.Body
	if body == "" {
		body = fmt.Sprintf(`{"error":{"message":"scripted %d","type":"scripted","code":"scripted","param":null}}`,
			a.Status)
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(a.Status)
	_, _ = io.WriteString(w, body)
}

// used returns the usage to report.
func (a Answer) used(req Request) map[string]any {
	u := llm.Usage{Input: llm.Estimate(string(req.Body)), Output: llm.Estimate(a.Text)}
	if a.Usage != nil {
		u = *a.Usage
	}
	return map[string]any{"prompt_tokens": u.Input, "completion_tokens": u.Output, "total_tokens": u.Total(),
		"prompt_tokens_details": map[string]int{"cached_tokens": u.Cached}}
}

func (a Answer) finish() string {
	switch {
	case a.Finish != "":
		return a.Finish
	case len(a.Calls) > 0:
		return "tool_calls"
	}
	return "stop"
}

func (a Answer) whole(w http.ResponseWriter, req Request) error {
	w.Header().Set("Content-Type", "application/json")
	message := map[string]any{"role": "assistant", "content": a.Text}
	if len(a.Calls) > 0 {
		message["tool_calls"] = a.Calls
	}
	out := envelope(req, "chat.completion",
		map[string]any{"index": 0, "message": message, "finish_reason": a.finish(), "logprobs": nil})
	if !a.NoUsage {
		out["usage"] = a.used(req)
	}
	return json.NewEncoder(w).Encode(out)
}

func envelope(req Request, object string, choices ...any) map[string]any {
	if choices == nil {
		choices = []any{}
	}
	return map[string]any{"id": "chatcmpl-scripted", "object": object, "created": 1790000000, "model": req.Model,
		"choices": choices}
}

var errCut = errors.New("cut")

// stream writes the chunks: the role, the text in pieces, each call's name followed by its arguments in pieces, the
// finish reason, and the usage.
func (a Answer) stream(w http.ResponseWriter, r *http.Request, req Request, usage bool) error {
	w.Header().Set("Content-Type", "text/event-stream")
	sent := 0
	send := func(v map[string]any) error {
		body, err := json.Marshal(v)
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintf(w, "data: %s\n\n", body); err != nil {
			return err
		}
		w.(http.Flusher).Flush() //nolint:forcetypeassert // net/http's writer is a Flusher
		sent++
		if sent == a.CutAfter {
			return errCut
		}
		if sent == a.StallAfter {
			<-r.Context().Done()
			return r.Context().Err()
		}
		return nil
	}
	for _, delta := range a.deltas() {
		if err := send(envelope(req, "chat.completion.chunk",
			map[string]any{"index": 0, "delta": delta, "finish_reason": nil})); err != nil {
			return err
		}
	}
	if err := send(envelope(req, "chat.completion.chunk",
		map[string]any{"index": 0, "delta": map[string]any{}, "finish_reason": a.finish()})); err != nil {
		return err
	}
	if usage && !a.NoUsage {
		last := envelope(req, "chat.completion.chunk")
		last["usage"] = a.used(req)
		if err := send(last); err != nil {
			return err
		}
	}
	_, err := io.WriteString(w, "data: [DONE]\n\n")
	return err
}

func (a Answer) deltas() []map[string]any {
	all := []map[string]any{{"role": "assistant", "content": ""}}
	for _, piece := range a.pieces(a.Text) {
		all = append(all, map[string]any{"content": piece})
	}
	for i, c := range a.Calls {
		if a.SameIndex {
			i = 0
		}
		all = append(all, map[string]any{"tool_calls": []any{map[string]any{"index": i, "id": c.ID, "type": "function",
			"function": map[string]any{"name": c.Function.Name, "arguments": ""}}}})
		for _, piece := range a.pieces(c.Function.Arguments) {
			all = append(all, map[string]any{"tool_calls": []any{map[string]any{"index": i,
				"function": map[string]any{"arguments": piece}}}})
		}
	}
	return all
}

// pieces splits a text between characters.
func (a Answer) pieces(s string) []string {
	size := a.Piece
	if size <= 0 {
		size = max(16, len(s)/1000)
	}
	var out []string
	for r := []rune(s); len(r) > 0; {
		n := min(size, len(r))
		out = append(out, string(r[:n]))
		r = r[n:]
	}
	return out
}

// Find returns the requests whose last message contains the text.
func (s *Server) Find(text string) []Request {
	return slices.DeleteFunc(s.Requests(), func(r Request) bool {
		return len(r.Messages) == 0 || !strings.Contains(r.Messages[len(r.Messages)-1].Content, text)
	})
}
