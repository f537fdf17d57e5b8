package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/stockhand/stockhand/internal/api"
	"github.com/stockhand/stockhand/internal/app"
	"github.com/stockhand/stockhand/internal/llm"
)

const (
	passRate   = 500 // requests a second
	passTime   = 6 * time.Second
	passChunks = 20 // chunks in a streamed answer
)

// servePass runs one of the participating processes: the model provider, a bare reverse proxy in front of it, or the
// service.
func servePass(ctx context.Context, args []string) error {
	switch args[0] {
	case "provider":
		return servePart(ctx, "", provider{})
	case "proxy":
		to, err := url.Parse(args[1])
		if err != nil {
			return err
		}
		proxy := httputil.NewSingleHostReverseProxy(to)
		proxy.Transport = &http.Transport{MaxIdleConnsPerHost: 256}
		proxy.FlushInterval = -1
		return servePart(ctx, "", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			// if the body is still being sent when the response starts, the transport closes the connection
			body, err := io.ReadAll(io.LimitReader(r.Body, 1<<20))
			if err != nil {
				return
			}
			r.Body = io.NopCloser(bytes.NewReader(body))
			proxy.ServeHTTP(w, r)
		}))
	}
	off := api.Rate{PerSecond: -1}
	i, err := app.Open(ctx, app.Config{
		SecretKey: strings.Repeat("be", 32), Addr: "127.0.0.1:0", Rate: off, FailureRate: off,
		LLM: llm.Config{Providers: []llm.ProviderConfig{{Name: "mock", BaseURL: args[1] + "/v1",
			Models: []llm.ModelConfig{{Name: "model"}}}}, PassThrough: []string{"mock/model"},
			Limits: llm.Limits{MonthLimits: llm.MonthLimits{MonthTokens: -1}}},
	})
	if err != nil {
		return err
	}
	token, err := i.OwnerToken(ctx)
	if err != nil {
		return err
	}
	return tellCPU(i.URL, token)
}

// servePart serves a handler on a free port until standard input ends.
func servePart(ctx context.Context, token string, h http.Handler) error {
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	go func() { _ = (&http.Server{Handler: h, ReadHeaderTimeout: time.Minute}).Serve(l) }()
	return tellCPU("http://"+l.Addr().String(), token)
}

// part is what a process prints first.
type part struct{ URL, Token string }

// tellCPU prints the address of this process and then, for each line of input, the CPU time used so far.
func tellCPU(address, token string) error {
	out := json.NewEncoder(os.Stdout)
	if err := out.Encode(part{address, token}); err != nil {
		return err
	}
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		var u syscall.Rusage
		if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
			return err
		}
		if err := out.Encode(time.Duration(u.Utime.Nano() + u.Stime.Nano())); err != nil {
			return err
		}
	}
	return nil
}

// provider gives every chat the same answer, complete or in chunks.
type provider struct{}

func (provider) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(io.LimitReader(r.Body, 1<<20))
	if err != nil {
		return
	}
	if !bytes.Contains(body, []byte(`"stream":true`)) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"id":"chatcmpl-1","object":"chat.completion","created":1,"model":"model","choices":[{"index":0,"message":{"role":"assistant","content":"`+
			strings.Repeat("word ", 100)+
			`"},"finish_reason":"stop"}],"usage":{"prompt_tokens":12,"completion_tokens":100,"total_tokens":112}}`)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	control := http.NewResponseController(w)
	for range passChunks {
		_, _ = io.WriteString(w, `data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"model","choices":[{"index":0,"delta":{"content":"words "},"finish_reason":null}]}`+"\n\n")
		_ = control.Flush()
	}
	_, _ = io.WriteString(w, `data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"model","choices":[],"usage":{"prompt_tokens":12,"completion_tokens":20,"total_tokens":32}}`+"\n\ndata: [DONE]\n\n")
}

// passing is a participating process.
type passing struct {
	part
	cmd *exec.Cmd
	in  io.WriteCloser
	out *json.Decoder
}

func startPass(ctx context.Context, args ...string) (*passing, error) {
	cmd, err := self(ctx, "pass", args...)
	if err != nil {
		return nil, err
	}
	p := &passing{cmd: cmd}
	if p.in, err = cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	p.out = json.NewDecoder(out)
	if err := p.out.Decode(&p.part); err != nil {
		return nil, errors.Join(fmt.Errorf("start %v: %w", args, err), p.stop())
	}
	return p, nil
}

func (p *passing) stop() error {
	_ = p.in.Close()
	return p.cmd.Wait()
}

func (p *passing) cpu() (d time.Duration, err error) {
	if _, err := io.WriteString(p.in, "\n"); err != nil {
		return 0, err
	}
	return d, p.out.Decode(&d)
}

// measurePass sends chats at a constant rate to a provider: through the service, through a bare reverse proxy, and
// directly.
func measurePass(ctx context.Context) (err error) {
	var parts []*passing
	defer func() {
		for _, p := range slices.Backward(parts) {
			err = errors.Join(err, p.stop())
		}
	}()
	start := func(args ...string) (*passing, error) {
		p, err := startPass(ctx, args...)
		if err == nil {
			parts = append(parts, p)
		}
		return p, err
	}
	model, err := start("provider")
	if err != nil {
		return err
	}
	proxy, err := start("proxy", model.URL)
	if err != nil {
		return err
	}
	own, err := start("service", model.URL)
	if err != nil {
		return err
	}
	fmt.Printf("\nChats passed through at %d per second for %s each, answered immediately by the same "+
		"provider\n", passRate,
		passTime)
	fmt.Printf("%-34s %9s %9s %9s %9s %12s\n", "", "p50 ms", "p90 ms", "p99 ms", "failed", "CPU µs each")
	for _, streamed := range []bool{false, true} {
		what := "whole"
		if streamed {
			what = fmt.Sprintf("in %d chunks", passChunks)
		}
		for _, way := range []struct {
			name  string
			to    *passing
			model string
		}{{"directly to the provider", model, "model"}, {"bare reverse proxy", proxy, "model"},
			{"Stockhand", own, "mock/model"}} {
			before, err := way.to.cpu()
			if err != nil {
				return err
			}
			times, failed := drive(ctx, way.to.part, way.model, streamed)
			after, err := way.to.cpu()
			if err != nil {
				return err
			}
			ms := func(share float64) float64 {
				return float64(times[int(share*float64(len(times)-1))].Microseconds()) / 1000
			}
			fmt.Printf("%-34s %9.2f %9.2f %9.2f %9d %12.0f\n", way.name+", "+what, ms(.5), ms(.9), ms(.99), failed,
				float64((after-before).Microseconds())/float64(len(times)))
		}
	}
	return nil
}

// drive sends chats at the rate, without waiting for earlier answers, and returns the sorted durations.
func drive(ctx context.Context, to part, model string, streamed bool) (times []time.Duration, failed int) {
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 256}}
	defer client.CloseIdleConnections()
	body := []byte(fmt.Sprintf(`{"model":%q,"stream":%t,"messages":[{"role":"user","content":%q}]}`, model, streamed,
		strings.Repeat("Tell me about the stock. ", 40)))
	var mu sync.Mutex
	var all sync.WaitGroup
	tick := time.NewTicker(time.Second / passRate)
	defer tick.Stop()
	for end := time.Now().Add(passTime); time.Now().Before(end) && ctx.Err() == nil; <-tick.C {
		all.Go(func() {
			began := time.Now()
			ok := chat(ctx, client, to, body)
			took := time.Since(began)
			mu.Lock()
			defer mu.Unlock()
			if times = append(times, took); !ok {
				failed++
			}
		})
	}
	all.Wait()
	slices.Sort(times)
	return times, failed
}

func chat(ctx context.Context, client *http.Client, to part, body []byte) bool {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, to.URL+"/v1/chat/completions", bytes.NewReader(body))
	if err != nil {
		return false
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer "+to.Token)
	answer, err := client.Do(r)
	if err != nil {
		return false
	}
	defer func() { _ = answer.Body.Close() }()
	n, err := io.Copy(io.Discard, answer.Body)
	return err == nil && n > 0 && answer.StatusCode == http.StatusOK
}
