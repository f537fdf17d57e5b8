package mcp_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/app/apptest"
	"github.com/stockhand/stockhand/internal/mcp"
	"github.com/stockhand/stockhand/internal/sandbox"
)

// rawClient speaks the protocol of 2025-06-18 without an SDK.
type rawClient struct {
	s            *apptest.Service
	key, session string
}

func (c *rawClient) post(ctx context.Context, t *testing.T, message string, headers ...string) (*http.Response, error) {
	t.Helper()
	r := c.s.Request(http.MethodPost, "/mcp", c.key, message, append(headers, "Content-Type", "application/json",
		"Accept", "application/json, text/event-stream", "Mcp-Protocol-Version", "2025-06-18")...)
	if c.session != "" {
		r.Header.Set("Mcp-Session-Id", c.session)
	}
	return http.DefaultClient.Do(r.WithContext(ctx))
}

func rawConnect(t *testing.T, s *apptest.Service) *rawClient {
	t.Helper()
	c := &rawClient{s: s, key: s.Key(stockhand.ScopeWriteTools)}
	answer, err := c.post(t.Context(), t,
		`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"raw","version":"1"}}}`)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if c.session = answer.Header.Get("Mcp-Session-Id"); c.session == "" {
		t.Fatal("no session id")
	}
	return c
}

const callStock = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"moysklad_stock","arguments":{}}}`

func TestCancellingOverHTTPCancelsTheRun(t *testing.T) {
	for name, cancel := range map[string]func(t *testing.T, c *rawClient, disconnect func()){
		"notifications/cancelled": func(t *testing.T, c *rawClient, _ func()) {
			other := rawConnect(t, c.s) // the same request id in another session is another call
			for _, session := range []string{other.session, c.session} {
				if session == c.session {
					onlyRun(t, c.s, stockhand.RunRunning)
				}
				one := rawClient{c.s, c.key, session}
				answer, err := one.post(t.Context(), t,
					`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`)
				if err != nil || answer.StatusCode != http.StatusAccepted {
					t.Fatal(answer, err)
				}
				answer.Body.Close()
			}
		},
		"a lost connection": func(_ *testing.T, _ *rawClient, disconnect func()) { disconnect() },
	} {
		t.Run(name, func(t *testing.T) {
			s := apptest.Start(t, apptest.Options{Accounts: 1})
			if err := s.Sandbox.Fail(sandbox.Fault{Path: "report/stock", Count: 100, DelayMS: 30000}); err != nil {
				t.Fatal(err)
			}
			c := rawConnect(t, s)
			ctx, disconnect := context.WithCancel(t.Context())
			defer disconnect()
			over := make(chan struct{})
			go func() {
				defer close(over)
				if answer, err := c.post(ctx, t, callStock); err == nil {
					_, _ = io.Copy(io.Discard, answer.Body)
					answer.Body.Close()
				}
			}()
			onlyRun(t, s, stockhand.RunRunning)
			cancel(t, c, disconnect)
			onlyRun(t, s, stockhand.RunCancelled)
			disconnect()
			<-over
		})
	}
}

// onlyRun waits until the only direct run is in a state.
func onlyRun(t *testing.T, s *apptest.Service, state stockhand.RunState) {
	t.Helper()
	var last []stockhand.Run
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		sessions, err := s.Store.Sessions(t.Context(), s.OrgID, stockhand.SessionDirect, "", "", 0)
		if err != nil {
			t.Fatal(err)
		}
		if len(sessions) == 0 {
			continue
		}
		if last, err = s.Store.Runs(t.Context(), s.OrgID, sessions[0].ID); err != nil {
			t.Fatal(err)
		}
		if len(last) == 1 && last[0].State == state {
			return
		}
	}
	t.Fatalf("the runs are %+v, want one that is %s", last, state)
}

func TestAcceptLanguageChoosesTheLanguage(t *testing.T) {
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	c := rawConnect(t, s)
	for language, want := range map[string]string{"en": "There is", "ru-RU,ru;q=0.9": "Сейчас", "": "There is"} {
		answer, err := c.post(t.Context(), t, strings.Replace(callStock, "stock", "money", 1), "Accept-Language",
			language)
		if err != nil {
			t.Fatal(err)
		}
		b, _ := io.ReadAll(answer.Body)
		answer.Body.Close()
		if !bytes.Contains(b, []byte(want)) {
			t.Errorf("%q: %.400s", language, b)
		}
	}
}

func TestErrorsNameTheArgument(t *testing.T) {
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	session := connect(t, s, s.Key(stockhand.ScopeWriteTools), nil)
	for _, c := range []struct {
		tool      string
		arguments map[string]any
		want      string
	}{
		{"ask", map[string]any{}, "- task: is required"},
		{"ask", map[string]any{"task": " "}, "- task: "},
		{"ask", map[string]any{"task": "x", "nope": 1}, "- nope: unknown argument"},
		{"ask", map[string]any{"task": 5}, "- task: must be a string"},
		{"moysklad_money", map[string]any{"connection_id": 5}, "- connection_id: must be a string"},
	} {
		if got := call(t, session, c.tool, c.arguments); !got.IsError || !strings.Contains(text(got), c.want) {
			t.Errorf("%s %v: %s", c.tool, c.arguments, text(got))
		}
	}
}

// Clients give structured content to their model, so it must not cost more than about 2,000 tokens.
func TestStructuredContentIsABoundedSummary(t *testing.T) {
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	session := connect(t, s, s.Key(stockhand.ScopeWriteTools), nil)
	for _, name := range []string{"moysklad_stock", "moysklad_shortages", "moysklad_propose_supplier_orders"} {
		got := call(t, session, name, map[string]any{"language": "ru"})
		b, err := json.Marshal(got.StructuredContent)
		if err != nil || got.IsError {
			t.Fatal(text(got), err)
		}
		t.Logf("%s: %d bytes", name, len(b))
		if len(b) > 5000 {
			t.Errorf("%s: %d bytes", name, len(b))
		}
		for _, r := range structured(t, got).Results {
			if rows, _ := r["rows"].([]any); len(rows) == 0 || r["row_count"] == nil || r["resource"] == nil ||
				r["columns"] == nil {
				t.Errorf("%s: %s", name, b)
			}
		}
	}
}

func TestALineThatIsNoMessageIsAnsweredWithAnErrorOverStdio(t *testing.T) {
	in, lines := io.Pipe()
	answers, out := io.Pipe()
	server := mcp.New(mcp.Config{}).Server(stockhand.Actor{})
	ended := make(chan error, 1)
	go func() { ended <- server.Run(t.Context(), mcp.Stdio(in, out)) }()
	read := json.NewDecoder(answers)
	for _, c := range []struct {
		line string
		code int
	}{
		{"this is not JSON", -32700}, {`{"jsonrpc":`, -32700}, {"5", -32600},
		{`{"jsonrpc":"2.0","id":1,"method":"ping"}`, 0},
	} {
		if _, err := io.WriteString(lines, c.line+"\n"); err != nil {
			t.Fatal(err)
		}
		var answer struct {
			ID    any
			Error struct{ Code int }
		}
		if err := read.Decode(&answer); err != nil || answer.Error.Code != c.code {
			t.Errorf("%s: %+v %v", c.line, answer, err)
		}
	}
	lines.Close()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
