package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/connector/moysklad"
	"github.com/stockhand/stockhand/internal/limit"
	"github.com/stockhand/stockhand/internal/sandbox"
	"github.com/stockhand/stockhand/internal/sandbox/company"
	"github.com/stockhand/stockhand/internal/tool"
)

// serveSandbox runs a sandbox until standard input ends. Arguments: products, days, limits.
func serveSandbox(ctx context.Context, args []string) error {
	products, err := strconv.Atoi(args[0])
	if err != nil {
		return err
	}
	days, err := strconv.Atoi(args[1])
	if err != nil {
		return err
	}
	server := sandbox.New(sandbox.Options{Company: company.Options{Seed: 1, Products: products, Days: days},
		Accounts: 1, NoLimits: args[2] == "false"})
	url, err := sandbox.Listen(ctx, "127.0.0.1:0", server)
	if err != nil {
		return err
	}
	err = json.NewEncoder(os.Stdout).Encode(
		map[string]string{"URL": url + sandbox.APIPath, "Token": server.Accounts()[0].Tokens.Owner})
	if err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, os.Stdin)
	return err
}

// measurement is the result of one tool call.
type measurement struct {
	Requests, Heavy, Needed int
	Extended                int // heavy requests that are extended stock reports, for which the vendor charges more
	Seconds                 float64
	PeakMiB                 int
	Rows                    int
	Budget                  int           // the vendor's units
	Interval                time.Duration // the period of the budget
	Light, HeavyWeight      int           // the vendor's units per request
}

// bound returns the minimum time that the limits allow for these requests: the longer of what our rules and the
// vendor's budget require.
func (m measurement) bound() time.Duration {
	vendor := limit.Vendor{Limit: m.Budget, Interval: m.Interval, Light: m.Light, Heavy: m.Light}
	ours := limit.Bound(m.Requests, m.Heavy, limit.Config{}, vendor)
	vendor.Heavy = m.HeavyWeight
	return max(ours, limit.Bound(m.Requests, m.Extended, limit.Config{}, vendor))
}

// runTool calls one tool and prints its measurement. Arguments: name, url, token, limits.
func runTool(ctx context.Context, args []string) error {
	name, config := args[0], connector.Config{BaseURL: args[1], Token: args[2]}
	seen := &watch{}
	if args[3] == "true" {
		seen.Limiter = limit.New(limit.Config{})
		config.Limiter = seen
	}
	who, err := moysklad.Kind.Verify(ctx, config)
	if err != nil {
		return err
	}
	m := measurement{Light: seen.first, HeavyWeight: 5, Budget: seen.last.Limit, Interval: seen.last.Interval}
	if config.Limiter != nil {
		time.Sleep(idle)
	}
	account := moysklad.Kind.Open(config, who)
	for _, t := range account.Tools() {
		if t.Name != name {
			continue
		}
		began := time.Now()
		r, err := t.Call(ctx, tool.Env{}, arguments[name])
		if err != nil {
			return err
		}
		m.Seconds, m.Requests, m.Rows = time.Since(began).Seconds(), r.Provenance.Requests, len(r.Rows)
		for _, s := range r.Provenance.Sources {
			if strings.HasPrefix(s.Path, "report/stock/") {
				m.Heavy += s.Requests
				if !strings.HasSuffix(s.Path, "/current") {
					m.Extended += s.Requests
				}
			}
		}
		m.Needed = moysklad.Fewest(r)
	}
	if m.PeakMiB, err = peak(); err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(m)
}

// arguments are those of the tools with required arguments.
var arguments = map[string]json.RawMessage{
	"moysklad_find_products": json.RawMessage(`{"query":"чай"}`),
	"moysklad_reference":     json.RawMessage(`{"kind":"stores"}`),
}

// watch records what responses say about the vendor's budget.
type watch struct {
	limit.Limiter

	mu    sync.Mutex
	first int // the cost of the first request, as the account was idle
	last  limit.Feedback
}

func (w *watch) Acquire(ctx context.Context, r limit.Request) (func(limit.Feedback), error) {
	done, err := w.Limiter.Acquire(ctx, r)
	if err != nil {
		return nil, err
	}
	return func(f limit.Feedback) {
		w.mu.Lock()
		if w.last.Limit == 0 {
			w.first = f.Limit - f.Remaining
		}
		w.last = f
		w.mu.Unlock()
		done(f)
	}, nil
}

// peak returns the peak memory of the process according to the kernel.
func peak() (int, error) {
	f, err := os.Open("/proc/self/status")
	if err != nil {
		return 0, nil // unknown except on Linux
	}
	defer func() { _ = f.Close() }()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if rest, ok := strings.CutPrefix(lines.Text(), "VmHWM:"); ok {
			var kib int
			_, err := fmt.Sscanf(strings.TrimSpace(rest), "%d kB", &kib)
			return kib >> 10, err
		}
	}
	return 0, nil
}
