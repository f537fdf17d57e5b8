//go:build unix

package app_test

import (
	"sync"
	"testing"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/app"
	"github.com/stockhand/stockhand/internal/app/apptest"
	"github.com/stockhand/stockhand/internal/client"
	"github.com/stockhand/stockhand/internal/sandbox"
	"github.com/stockhand/stockhand/internal/store/storetest/postgres"
)

// restartable starts a service on a Postgres server of its own, which the test may stop and start.
func restartable(t *testing.T) (*apptest.Service, *postgres.Server) {
	t.Helper()
	if !postgres.Installed(t.Context()) {
		t.Skip("Postgres is not installed; `make test` installs it")
	}
	server, err := postgres.Start(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := server.Stop(); err != nil {
			t.Error(err)
		}
	})
	return apptest.Start(t, apptest.Options{Accounts: 1, Configure: func(c *app.Config) {
		c.Database = server.URL()
	}}), server
}

func TestTasksSurviveARestartOfThePostgresServer(t *testing.T) {
	s, server := restartable(t)
	// Answers of the account take a while, so that every question is in progress when the server is killed.
	if err := s.Sandbox.Fail(sandbox.Fault{Path: ".", Count: 1_000_000, DelayMS: 50}); err != nil {
		t.Fatal(err)
	}
	c, err := client.New(s.URL, s.Key(stockhand.ScopeWriteTools), s.OrgID)
	if err != nil {
		t.Fatal(err)
	}
	undisturbed := answerAll(t, c, func() {})
	disturbed := answerAll(t, c, func() {
		server.Kill()
		if err := server.StartAgain(t.Context()); err != nil {
			t.Fatal(err)
		}
	})
	t.Logf("the last of %d answers came %s after the database was back; without a restart they take %s",
		questions, disturbed.Round(time.Millisecond), undisturbed.Round(time.Millisecond))
	// The goal is 5 s; other tests share the cores. Before runs were resumed at once, it took 14 to 23 s.
	if disturbed > undisturbed+10*time.Second {
		t.Errorf("the last answer came %s after the database was back", disturbed)
	}
}

const questions = 20

// answerAll asks all questions at once, calls disturb when every one of them is accepted, and returns how long after
// that the last one was answered.
func answerAll(t *testing.T, c *client.Client, disturb func()) time.Duration {
	t.Helper()
	var asked, answered sync.WaitGroup
	for range questions {
		asked.Add(1)
		answered.Go(func() {
			turn, err := c.Start(t.Context(), client.Task{Message: "остатки по складам"})
			asked.Done()
			if err != nil {
				t.Errorf("ask: %v", err)
				return
			}
			for e, err := range c.Follow(t.Context(), turn, 0) {
				if err != nil {
					t.Errorf("follow: %v", err)
				}
				if e.Type == stockhand.EventError {
					t.Errorf("a question failed: %s", e.Data)
				}
			}
		})
	}
	asked.Wait()
	disturb()
	began := time.Now()
	answered.Wait()
	return time.Since(began)
}

func TestRequestsGet503WhileTheDatabaseIsUnavailable(t *testing.T) {
	t.Parallel()
	s, server := restartable(t)
	key := s.Key(stockhand.ScopeWriteTools, stockhand.ScopeReadData, stockhand.ScopeChat)
	server.Kill()
	for _, r := range []struct {
		method, path string
		body         any
	}{
		{"GET", "/drafts", nil},
		{"GET", "/me", nil},
		{"POST", "/sessions/stream", map[string]any{"message": "остатки по складам"}},
		{"POST", "/v1/chat/completions", map[string]any{"model": "stockhand",
			"messages": []map[string]string{{"role": "user", "content": "остатки по складам"}}}},
		{"POST", "/mcp", `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`},
	} {
		a := s.Do(r.method, r.path, key, r.body, "Accept", "application/json, text/event-stream")
		var body struct{ Detail stockhand.Error }
		a.Decode(t, &body)
		if a.Status != 503 || body.Detail.Code != stockhand.CodeDatabaseUnavailable ||
			a.Header.Get("Retry-After") == "" {
			t.Errorf("%s %s: %d, Retry-After %q, %s", r.method, r.path, a.Status, a.Header.Get("Retry-After"), a.Body)
		}
	}
	if a := s.Do("GET", "/readyz", "", nil); a.Status != 503 {
		t.Errorf("/readyz: %d %s", a.Status, a.Body)
	}
	if err := server.StartAgain(t.Context()); err != nil {
		t.Fatal(err)
	}
	if a := s.Do("GET", "/me", key, nil); a.Status != 200 {
		t.Errorf("after the restart: %d %s", a.Status, a.Body)
	}
}
