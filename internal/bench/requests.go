package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/api"
	"github.com/stockhand/stockhand/internal/app"
	"github.com/stockhand/stockhand/internal/auth"
)

const (
	loaded      = 100_000 // requests of each kind over TCP
	connections = 16      // that send them concurrently
	inProcess   = 500_000 // requests of each kind without TCP
)

// loadable is what the process that answers requests prints first.
type loadable struct {
	URL, API, Key string
	Bare, Guarded time.Duration // CPU time per request without TCP
}

// serveRequests answers requests until standard input ends: one handler bare and behind authentication, and the whole
// API. It answers each line of input with the CPU time used so far.
func serveRequests(ctx context.Context, _ []string) error {
	unlimited := api.Rate{PerSecond: -1}
	i, err := app.Open(ctx, app.Config{SecretKey: strings.Repeat("be", 32), Addr: "127.0.0.1:0", Rate: unlimited,
		FailureRate: unlimited})
	if err != nil {
		return err
	}
	_, key, err := i.Auth.CreateKey(ctx, auth.Operator(i.Org, "bench"),
		auth.NewKey{Name: "bench", Scopes: []stockhand.Scope{stockhand.ScopeReadTools}})
	if err != nil {
		return err
	}
	mux := http.NewServeMux()
	mux.Handle("/bare", http.HandlerFunc(nothing))
	mux.Handle("/guarded", authenticated(i.Auth, nothing))
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	server := api.HTTPServer(mux, slog.New(slog.DiscardHandler))
	go func() { _ = server.Serve(listener) }() // until the process exits
	time.Sleep(time.Second)                    // callers are cached from the second request on
	out := json.NewEncoder(os.Stdout)
	err = out.Encode(loadable{
		URL: "http://" + listener.Addr().String(), API: i.URL + api.Base, Key: key, Bare: cost(ctx, mux, "/bare", key),
		Guarded: cost(ctx, mux, "/guarded", key),
	})
	if err != nil {
		return err
	}
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		if err := out.Encode(processor()); err != nil {
			return err
		}
	}
	return nil
}

func nothing(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) }

// authenticated passes callers whose key has read:tools.
func authenticated(who *auth.Service, next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		at, _ := netip.ParseAddrPort(r.RemoteAddr)
		token, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		a, err := who.Authenticate(r.Context(),
			auth.Caller{Bearer: token, Org: stockhand.OrgID(r.Header.Get("X-Org-Id")), IP: at.Addr()})
		if err == nil {
			err = who.Allow(a, stockhand.ScopeReadTools)
		}
		if err != nil {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		next(w, r.WithContext(stockhand.WithActor(r.Context(), a)))
	}
}

// cost returns the CPU time of one request to a handler, without the network.
func cost(ctx context.Context, h http.Handler, path, key string) time.Duration {
	r := httptest.NewRequestWithContext(ctx, http.MethodGet, path, nil)
	r.Header.Set("Authorization", "Bearer "+key)
	began := processor()
	for range inProcess {
		h.ServeHTTP(httptest.NewRecorder(), r)
	}
	return (processor() - began) / inProcess
}

// processor returns the CPU time that this process has used.
func processor() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// measureRequests sends requests over loopback from one process to the service in another. It prints the throughput,
// the latency and the CPU cost for the service.
func measureRequests(ctx context.Context) (err error) {
	cmd, err := self(ctx, "requests")
	if err != nil {
		return err
	}
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.Close(), cmd.Wait()) }()
	said := json.NewDecoder(out)
	var s loadable
	if err := said.Decode(&s); err != nil {
		return fmt.Errorf("start the service: %w", err)
	}
	used := func() (d time.Duration, err error) {
		if _, err := io.WriteString(in, "\n"); err != nil {
			return 0, err
		}
		return d, said.Decode(&d)
	}
	fmt.Printf("\nAuthenticated requests with a key; goal: less than 5 µs of CPU time more than the bare handler\n")
	fmt.Printf("%-44s %10.2f µs (%.2f bare, %.2f with authentication)\n", "CPU time added, without the network",
		micros(s.Guarded-s.Bare), micros(s.Bare), micros(s.Guarded))
	fmt.Printf("%d of each over %d connections from another process: %19s %10s %10s %14s\n", loaded, connections,
		"per second", "p50 µs", "p99 µs", "CPU µs")
	for _, kind := range []struct{ name, url string }{
		{"the bare handler", s.URL + "/bare"}, {"the same with authentication", s.URL + "/guarded"},
		{"GET /api/v1/agents: the whole API and one query", s.API + "/agents"},
	} {
		before, err := used()
		if err != nil {
			return err
		}
		l, err := load(ctx, kind.url, s.Key)
		if err != nil {
			return err
		}
		after, err := used()
		if err != nil {
			return err
		}
		fmt.Printf("%-66s %10.0f %10.0f %10.0f %14.1f\n", kind.name, loaded/l.took.Seconds(), micros(l.half),
			micros(l.most), micros((after-before)/loaded))
	}
	return nil
}

func micros(d time.Duration) float64 { return float64(d) / float64(time.Microsecond) }

// latency is the duration of requests: in total, the median and the 99th percentile.
type latency struct{ took, half, most time.Duration }

// load sends requests as fast as they are answered.
func load(ctx context.Context, url, key string) (latency, error) {
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: connections, DisableCompression: true}}
	defer client.CloseIdleConnections()
	took := make([][]time.Duration, connections)
	errs := make([]error, connections)
	var all sync.WaitGroup
	began := time.Now()
	for i := range connections {
		all.Go(func() {
			for range loaded / connections {
				sent := time.Now()
				if errs[i] = ask(ctx, client, url, key); errs[i] != nil {
					return
				}
				took[i] = append(took[i], time.Since(sent))
			}
		})
	}
	all.Wait()
	l := latency{took: time.Since(began)}
	if err := errors.Join(errs...); err != nil {
		return l, err
	}
	sorted := slices.Sorted(slices.Values(slices.Concat(took...)))
	l.half, l.most = sorted[len(sorted)/2], sorted[len(sorted)*99/100]
	return l, nil
}

func ask(ctx context.Context, client *http.Client, url, key string) error {
	_, err := fetch(ctx, client, url, key)
	return err
}

// fetch returns how many bytes the answer has.
func fetch(ctx context.Context, client *http.Client, url, key string) (int64, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return 0, err
	}
	r.Header.Set("Authorization", "Bearer "+key)
	answer, err := client.Do(r)
	if err != nil {
		return 0, err
	}
	defer func() { _ = answer.Body.Close() }()
	if answer.StatusCode >= http.StatusMultipleChoices {
		return 0, fmt.Errorf("%s: %s", url, answer.Status)
	}
	return io.Copy(io.Discard, answer.Body)
}
