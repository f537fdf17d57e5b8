package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"github.com/stockhand/stockhand/internal/agent"
	"github.com/stockhand/stockhand/internal/llm"
)

// hostile is a model that does not behave.
type hostile struct {
	name  string
	reply func(s *sse, n int) // to request n, from 1; it ends when the connection does
}

// sse writes chunks of the chat format.
type sse struct {
	w    http.ResponseWriter
	done <-chan struct{}
}

// send writes a chunk with that delta and reports whether the connection is still there.
func (s *sse) send(delta string) bool {
	return s.line(`{"choices":[{"index":0,"delta":` + delta + `}]}`)
}

func (s *sse) line(data string) bool {
	_, err := fmt.Fprintf(s.w, "data: %s\n\n", data)
	s.w.(http.Flusher).Flush() //nolint:forcetypeassert // net/http's writer is a Flusher
	select {
	case <-s.done:
		return false
	default:
		return err == nil
	}
}

func (s *sse) end(reason string) {
	s.line(`{"choices":[{"index":0,"delta":{},"finish_reason":"` + reason + `"}]}`)
	s.line("[DONE]")
}

func (s *sse) call(n int, name, arguments string) {
	s.send(fmt.Sprintf(`{"tool_calls":[{"index":0,"id":"c%d","type":"function","function":{"name":%q,"arguments":%q}}]}`,
		n, name, arguments))
	s.end("tool_calls")
}

const (
	kibibyte   = 1 << 10
	tenMB      = 10 << 20
	manyAtOnce = 2000
)

// hostiles are the models whose memory is measured. The first behaves, to compare.
var hostiles = []hostile{
	{"a model that behaves", func(s *sse, n int) {
		if n == 1 {
			s.call(n, "stock", `{}`)
			return
		}
		s.send(`{"content":"Готово."}`)
		s.end("stop")
	}},
	{"10 MB of text", func(s *sse, _ int) {
		piece := `{"content":"` + strings.Repeat("много слов ", kibibyte/20) + `"}`
		for range tenMB / kibibyte {
			if !s.send(piece) {
				return
			}
		}
		s.end("stop")
	}},
	{"10 MB in one line", func(s *sse, _ int) {
		s.send(`{"content":"` + strings.Repeat("x", tenMB) + `"}`)
		s.end("stop")
	}},
	{"10 MB of arguments", func(s *sse, _ int) {
		piece := fmt.Sprintf(`{"tool_calls":[{"index":0,"id":"c","function":{"name":"stock","arguments":%q}}]}`,
			strings.Repeat("[", kibibyte))
		for range tenMB / kibibyte {
			if !s.send(piece) {
				return
			}
		}
		s.end("tool_calls")
	}},
	{"words that never end", func(s *sse, _ int) {
		for s.send(`{"content":"и ещё "}`) {
		}
	}},
	{"thoughts that never end", func(s *sse, _ int) {
		for s.send(`{"reasoning_content":"Надо подумать. ","content":""}`) {
		}
	}},
	{"other calls in every step", func(s *sse, n int) { s.call(n, "stock", fmt.Sprintf(`{"limit":%d}`, n)) }},
	{"2,000 calls in every step", func(s *sse, n int) {
		for i := range manyAtOnce {
			s.send(fmt.Sprintf(`{"tool_calls":[{"index":%d,"id":"c%d_%d","function":{"name":"stock",`+
				`"arguments":"{\"limit\":%d}"}}]}`, i, n, i, n*manyAtOnce+i))
		}
		s.end("tool_calls")
	}},
}

// serve serves the model until the context ends, and returns its address and the number of requests so far.
func (h hostile) serve(ctx context.Context) (url string, requests *atomic.Int64, err error) {
	requests = new(atomic.Int64)
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	server := &http.Server{ReadHeaderTimeout: time.Minute,
		BaseContext: func(net.Listener) context.Context { return ctx },
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			h.reply(&sse{w, r.Context().Done()}, int(requests.Add(1)))
		})}
	go func() { _ = server.Serve(listener) }() // ends with ErrServerClosed
	context.AfterFunc(ctx, func() { _ = server.Close() })
	return "http://" + listener.Addr().String() + "/v1", requests, nil
}

// hostileProducts is the size of the shop that hostile models are asked about.
const hostileProducts = 300

// suffer asks about stock with a hostile model at that address. A reply may take that long, and a run that many of them
// (0: the default).
func suffer(ctx context.Context, url string, longest time.Duration, steps int) (*agent.Finished, error) {
	return converse(ctx, hostileProducts, "какие остатки?", llm.Config{
		Providers: []llm.ProviderConfig{{Name: "hostile", BaseURL: url, Timeout: llm.Duration(longest),
			Models: []llm.ModelConfig{{Name: "hostile"}}}},
		Limits: llm.Limits{MonthLimits: llm.MonthLimits{MonthTokens: -1}, Patience: 1, MaxIterations: steps},
	})
}

// suffered is what a run with a hostile model came to.
type suffered struct {
	PeakMiB int
	Seconds float64
	Calls   int
	Failed  bool
	Words   int // characters of the answer
}

// runHostile asks one hostile model and prints what came of it. Argument: its address.
func runHostile(ctx context.Context, args []string) error {
	began := time.Now()
	f, err := suffer(ctx, args[0], 10*time.Second, 0)
	if err != nil {
		return err
	}
	out := suffered{Seconds: time.Since(began).Seconds(), Calls: len(f.ToolCalls), Failed: f.Failure != nil,
		Words: len([]rune(f.FinalResponse))}
	if out.PeakMiB, err = peak(); err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(out)
}

// measureHostile prints the most memory that a service uses with models that do not behave, each in a process of its
// own, and how their runs end.
func measureHostile(ctx context.Context) error {
	fmt.Printf("\nModels that do not behave, on %d products; a reply may take 10 s. The memory is that of the service "+
		"with its sandbox\n%-28s %10s %10s %10s %8s  %s\n", hostileProducts, "", "peak MiB", "seconds", "requests",
		"calls", "ends with")
	for _, h := range hostiles {
		if err := h.measure(ctx); err != nil {
			return fmt.Errorf("%s: %w", h.name, err)
		}
	}
	return nil
}

func (h hostile) measure(ctx context.Context) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	url, requests, err := h.serve(ctx)
	if err != nil {
		return err
	}
	cmd, err := self(ctx, "hostile", url)
	if err != nil {
		return err
	}
	cmd.Stderr = os.Stderr
	printed, err := cmd.Output()
	if err != nil {
		return err
	}
	var got suffered
	if err := json.Unmarshal(printed, &got); err != nil {
		return err
	}
	end := fmt.Sprintf("an answer of %d characters", got.Words)
	if got.Failed {
		end = "an error"
	}
	fmt.Printf("%-28s %10d %10.1f %10d %8d  %s\n", h.name, got.PeakMiB, got.Seconds, requests.Load(), got.Calls, end)
	return nil
}
