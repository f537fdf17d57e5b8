package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/api"
	"github.com/stockhand/stockhand/internal/app"
	"github.com/stockhand/stockhand/internal/auth"
	"github.com/stockhand/stockhand/internal/sandbox"
	"github.com/stockhand/stockhand/internal/sandbox/company"
)

const (
	floodTasks = 60 // heavy tasks that a neighbour queues
	questions  = 20
	apart      = 1100 * time.Millisecond // between questions, so that the limits of their own account do not count
	postgres   = "STOCKHAND_TEST_POSTGRES"
)

// measureFair measures how long a trivial question of one organization takes, alone and while another organization has
// many heavy tasks queued: on SQLite, and on Postgres with three replicas if STOCKHAND_TEST_POSTGRES names a server.
func measureFair(ctx context.Context) error {
	fmt.Printf("\nA trivial question, %d times, alone and with %d heavy tasks of another organization queued; ms\n",
		questions, floodTasks)
	fmt.Printf("%-34s %9s %9s %9s %9s\n", "", "alone p50", "p99", "flood p50", "p99")
	folder, err := os.MkdirTemp("", "stockhand-bench-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(folder) }()
	if err := measureFairOn(ctx, "SQLite", app.Config{Database: folder + "/bench.db"}, 1); err != nil {
		return err
	}
	database := os.Getenv(postgres)
	if database == "" {
		fmt.Println("Postgres: not measured; run it with go run ./internal/store/storetest/withpostgres -- …")
		return nil
	}
	nats, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT, NoSigs: true,
		NoLog:     true,
		JetStream: true, StoreDir: folder})
	if err != nil {
		return err
	}
	nats.Start()
	defer nats.Shutdown()
	if !nats.ReadyForConnections(10 * time.Second) {
		return errors.New("the NATS server does not start")
	}
	return measureFairOn(ctx, "Postgres, 3 replicas", app.Config{Database: database, NATS: nats.ClientURL()}, 3)
}

// fair is a service with two organizations.
type fair struct {
	urls             []string // of the replicas
	flooding, asking string   // keys
}

func measureFairOn(ctx context.Context, name string, c app.Config, replicas int) error {
	accounts := sandbox.New(sandbox.Options{Company: company.Options{Seed: 1, Products: 1000, Days: 90}, Accounts: 2})
	host, err := sandbox.Listen(ctx, "127.0.0.1:0", accounts)
	if err != nil {
		return err
	}
	off := api.Rate{PerSecond: -1}
	c.SecretKey, c.Servers, c.Addr = strings.Repeat("be", 32), map[string]string{sandbox.Connector: host +
		sandbox.APIPath}, "127.0.0.1:0"
	c.Rate, c.FailureRate = off, off
	var f fair
	var all []*app.Instance
	defer func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 20*time.Second)
		defer cancel()
		for _, i := range all {
			_ = i.Close(ctx)
		}
	}()
	for range replicas {
		i, err := app.Open(ctx, c)
		if err != nil {
			return err
		}
		all, f.urls = append(all, i), append(f.urls, i.URL+api.Base)
	}
	for n, key := range []*string{&f.flooding, &f.asking} {
		if *key, err = newTenant(ctx, all[0], accounts.Accounts()[n].Tokens.Owner); err != nil {
			return err
		}
	}
	if err := pause(ctx); err != nil { // for the requests of connecting
		return err
	}
	alone, err := f.questions(ctx)
	if err != nil {
		return err
	}
	for n := range floodTasks {
		if _, err := f.post(ctx, n, f.flooding, "/tools/moysklad_shortages/execute?wait=0",
			map[string]any{"arguments": map[string]any{"days": 30 + n%60}}); err != nil {
			return err
		}
	}
	flooded, err := f.questions(ctx)
	if err != nil {
		return err
	}
	fmt.Printf("%-34s %9d %9d %9d %9d\n", name, percentile(alone, .5), percentile(alone, .99), percentile(flooded, .5),
		percentile(flooded, .99))
	return nil
}

// newTenant creates an organization with an account, and returns a key of it.
func newTenant(ctx context.Context, i *app.Instance, token string) (key string, err error) {
	org, err := i.Store.CreateOrganization(ctx, stockhand.NewID[stockhand.OrgID]("org"), "bench")
	if err != nil {
		return "", err
	}
	if _, err := i.Connections.Connect(ctx, org.ID, sandbox.Connector, token, "Shop", ""); err != nil {
		return "", err
	}
	_, key, err = i.Auth.CreateKey(ctx, auth.Operator(org.ID, "bench"),
		auth.NewKey{Name: "bench", Scopes: []stockhand.Scope{stockhand.ScopeWriteTools}})
	return key, err
}

// questions asks the replicas in turn and returns the sorted times.
func (f fair) questions(ctx context.Context) (times []time.Duration, err error) {
	for n := range questions {
		took, err := f.post(ctx, n, f.asking, "/sessions/stream?wait=60",
			map[string]any{"message": "сколько денег на счетах?"})
		if err != nil {
			return nil, err
		}
		times = append(times, took)
		if err := pause(ctx); err != nil {
			return nil, err
		}
	}
	slices.Sort(times)
	return times, nil
}

func pause(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(apart):
		return nil
	}
}

// post sends a request to a replica and returns how long the answer took.
func (f fair) post(ctx context.Context, n int, key, path string, body any) (took time.Duration, err error) {
	b, err := json.Marshal(body)
	if err != nil {
		return 0, err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, f.urls[n%len(f.urls)]+path, bytes.NewReader(b))
	if err != nil {
		return 0, err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer "+key)
	began := time.Now()
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, err
	}
	defer func() { _ = answer.Body.Close() }()
	if text, _ := io.ReadAll(io.LimitReader(answer.Body, 1<<20)); answer.StatusCode >= http.StatusBadRequest {
		return 0, fmt.Errorf("%s: %d %s", path, answer.StatusCode, text)
	}
	return time.Since(began), nil
}

// percentile returns a share of sorted times in milliseconds.
func percentile(sorted []time.Duration, share float64) int64 {
	return sorted[int(share*float64(len(sorted)-1)+.5)].Milliseconds()
}
