package mcp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/app/apptest"
	"github.com/stockhand/stockhand/internal/sandbox"
	"github.com/stockhand/stockhand/internal/sandbox/company"
)

// bearer puts a key into each request, as MCP clients are configured to.
type bearer string

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+string(b))
	return http.DefaultTransport.RoundTrip(r)
}

// connect opens a session of the official SDK's client.
func connect(t *testing.T, s *apptest.Service, key string, options *sdk.ClientOptions) *sdk.ClientSession {
	t.Helper()
	client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, options)
	session, err := client.Connect(t.Context(),
		&sdk.StreamableClientTransport{Endpoint: s.URL + "/mcp", HTTPClient: &http.Client{Transport: bearer(key)},
			DisableStandaloneSSE: true}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close() })
	return session
}

func call(t *testing.T, session *sdk.ClientSession, name string, arguments map[string]any) *sdk.CallToolResult {
	t.Helper()
	got, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: name, Arguments: arguments})
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func text(r *sdk.CallToolResult) string {
	var b strings.Builder
	for _, c := range r.Content {
		if x, ok := c.(*sdk.TextContent); ok {
			b.WriteString(x.Text)
		}
	}
	return b.String()
}

type finished struct {
	Session          string           `json:"session_id"`
	Results          []map[string]any `json:"results"`
	Drafts           []map[string]any `json:"drafts"`
	ExternalRequests int              `json:"external_requests"`
}

func structured(t *testing.T, r *sdk.CallToolResult) finished {
	t.Helper()
	b, err := json.Marshal(r.StructuredContent)
	if err != nil {
		t.Fatal(err)
	}
	var f finished
	if err := json.Unmarshal(b, &f); err != nil {
		t.Fatal(err)
	}
	return f
}

func TestToolsAreListedWithTheirSchemasAndEffects(t *testing.T) {
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	session := connect(t, s, s.Key(stockhand.ScopeReadTools), nil)
	names := map[string]*sdk.Tool{}
	for tool, err := range session.Tools(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		names[tool.Name] = tool
		schema, ok := tool.InputSchema.(map[string]any)
		if !ok || schema["type"] != "object" || tool.Description == "" || tool.Title == "" || tool.Annotations == nil {
			t.Errorf("%s is described as %+v", tool.Name, tool)
		}
	}
	if len(names) != 27 {
		t.Errorf("%d tools, want the agent's, compute, 21 that read and 4 that propose", len(names))
	}
	if !names["moysklad_stock"].Annotations.ReadOnlyHint || names["moysklad_propose_orders"] != nil &&
		names["moysklad_propose_orders"].Annotations.ReadOnlyHint {
		t.Error("effects are missing")
	}
	if session.InitializeResult().Instructions == "" {
		t.Error("no instructions")
	}
}

func TestNoToolConfirms(t *testing.T) {
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	session := connect(t, s, s.AdminToken, nil) // not even the owner's own token
	for tool, err := range session.Tools(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		if name := strings.ToLower(tool.Name); strings.Contains(name, "confirm") || strings.Contains(name, "apply") {
			t.Errorf("a tool named %s", tool.Name)
		}
	}
	got := call(t, session, "ask", map[string]any{"task": "подготовь заказы поставщикам на всё, что ниже минимума"})
	first := structured(t, got)
	if len(first.Drafts) != 1 || !strings.Contains(text(got), "/drafts/"+first.Drafts[0]["id"].(string)) {
		t.Fatalf("drafts %v in %s", first.Drafts, text(got))
	}
	if row := "| 1 | [Заказ поставщику](http"; !strings.Contains(text(got), row) {
		t.Errorf("no row %s in %s", row, text(got)) // R550
	}
	call(t, session, "ask", map[string]any{"task": "подтверждаю", "session_id": first.Session})
	for _, r := range s.Sandbox.Requests() {
		if r.Method != http.MethodGet {
			t.Errorf("sent %s %s", r.Method, r.Path)
		}
	}
}

func TestCallGivesTextDataAndLinks(t *testing.T) {
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	session := connect(t, s, s.Key(stockhand.ScopeReadTools, stockhand.ScopeWriteTools), nil)
	got := call(t, session, "moysklad_money", map[string]any{"language": "en"})
	f := structured(t, got)
	if got.IsError || len(f.Results) != 1 || f.ExternalRequests == 0 || !strings.Contains(text(got), "₽") {
		t.Fatalf("%+v %s", f, text(got))
	}
	var link *sdk.ResourceLink
	for _, c := range got.Content {
		if l, ok := c.(*sdk.ResourceLink); ok {
			link = l
		}
	}
	if link == nil {
		t.Fatal("no link to the result")
	}
	read, err := session.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: link.URI})
	if err != nil {
		t.Fatal(err)
	}
	var whole map[string]any
	if err := json.Unmarshal([]byte(read.Contents[0].Text), &whole); err != nil || whole["rows"] == nil {
		t.Errorf("%v in %s", err, read.Contents[0].Text)
	}
	// Another key of the organization, without read:data, sees no such result; nor does another organization's.
	other := connect(t, s, s.Key(stockhand.ScopeReadTools), nil)
	if _, err := other.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: link.URI}); err == nil {
		t.Error("another key read the result")
	}
	later := time.Now().AddDate(1, 0, 0)
	if _, _, err := s.Store.RemoveOld(t.Context(), s.OrgID, stockhand.Cutoffs{Results: later}, later,
		stockhand.AuditEntry{}); err != nil {
		t.Fatal(err)
	}
	if _, err := session.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: link.URI}); err == nil ||
		!strings.Contains(err.Error(), "rows of this result were deleted") {
		t.Errorf("an expired result: %v", err)
	}
}

func TestALargeResultIsReadInParts(t *testing.T) {
	s := apptest.Start(t, apptest.Options{Accounts: 1, Company: company.Options{Products: 1_200, Days: 3}})
	session := connect(t, s, s.Key(stockhand.ScopeReadTools, stockhand.ScopeWriteTools), nil)
	got := call(t, session, "moysklad_stock", map[string]any{"language": "en"})
	result := structured(t, got).Results[0]
	var part struct {
		Count int               `json:"row_count"`
		Rows  []json.RawMessage `json:"rows"`
		Next  string            `json:"next"`
	}
	seen, parts := map[string]bool{}, 0
	for uri := fmt.Sprint(result["resource"]); uri != ""; uri = part.Next {
		read, err := session.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: uri})
		if err != nil {
			t.Fatalf("%s: %v", uri, err)
		}
		part.Next = ""
		if err := json.Unmarshal([]byte(read.Contents[0].Text), &part); err != nil ||
			len(read.Contents[0].Text) > 300<<10 {
			t.Fatalf("%s: %d bytes, %v", uri, len(read.Contents[0].Text), err)
		}
		for _, row := range part.Rows {
			seen[string(row)] = true
		}
		parts++
	}
	if parts < 2 || len(seen) != part.Count || fmt.Sprint(result["row_count"]) != fmt.Sprint(part.Count) {
		t.Errorf("%d of %d rows in %d parts; the summary says %v", len(seen), part.Count, parts, result["row_count"])
	}
	if _, err := session.ReadResource(t.Context(),
		&sdk.ReadResourceParams{URI: fmt.Sprint(result["resource"]) + "?from=x"}); err == nil {
		t.Error("read from row x")
	}
}

func TestBadArgumentsAreToolErrorsWithAdvice(t *testing.T) {
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	before := len(s.Sandbox.Requests())
	session := connect(t, s, s.Key(stockhand.ScopeReadTools, stockhand.ScopeWriteTools), nil)
	for name, arguments := range map[string]map[string]any{
		"moysklad_stock":         {"limit": "many"},
		"moysklad_profitability": {"nonsense": 1},
		"ask":                    {"task": "x", "nonsense": 1},
	} {
		if got := call(t, session, name, arguments); !got.IsError || !strings.Contains(text(got), "VALIDATION_FAILED") {
			t.Errorf("%s: %s", name, text(got))
		}
	}
	if n := len(s.Sandbox.Requests()); n != before {
		t.Errorf("%d requests went out", n-before)
	}
}

func TestCallingTakesTheScopeWriteTools(t *testing.T) {
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	session := connect(t, s, s.Key(stockhand.ScopeReadTools), nil)
	if got := call(t, session, "moysklad_money", nil); !got.IsError ||
		!strings.Contains(text(got), "AUTH_PERMISSION_DENIED") || !strings.Contains(text(got), "write:tools") {
		t.Errorf("%s", text(got))
	}
	client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil)
	if _, err := client.Connect(t.Context(),
		&sdk.StreamableClientTransport{Endpoint: s.URL + "/mcp",
			HTTPClient: &http.Client{Transport: bearer("sk-org-nonsense")}}, nil); err == nil {
		t.Error("a wrong key was let in")
	}
}

func TestAKeySeesWhatItMayReadOrCall(t *testing.T) {
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	for scope, may := range map[stockhand.Scope]struct{ tools, accounts bool }{
		stockhand.ScopeReadTools: {true, false}, stockhand.ScopeReadData: {false, true},
		stockhand.ScopeWriteTools: {true, true},
		stockhand.ScopeChat:       {}, stockhand.ScopeGateway: {}, stockhand.ScopeAdmin: {true, true},
	} {
		session := connect(t, s, s.Key(scope), nil)
		_, err := session.ListTools(t.Context(), nil)
		if (err == nil) != may.tools || err != nil && !strings.Contains(err.Error(), "read:tools") {
			t.Errorf("%s lists the tools: %v", scope, err)
		}
		_, err = session.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "stockhand://connections"})
		if (err == nil) != may.accounts || err != nil && !strings.Contains(err.Error(), "read:data") {
			t.Errorf("%s reads the accounts: %v", scope, err)
		}
	}
}

func TestSeveralAccountsAreAskedForOrRefusedButNeverMixed(t *testing.T) {
	s := apptest.Start(t, apptest.Options{})
	session := connect(t, s, s.Key(stockhand.ScopeReadTools, stockhand.ScopeWriteTools), nil)
	if got := call(t, session, "moysklad_money", nil); !got.IsError ||
		!strings.Contains(text(got), "ACCOUNT_REQUIRED") {
		t.Errorf("%s", text(got))
	}
	if got := call(t, session, "moysklad_money", map[string]any{"connection_id": s.Connections[1].ID}); got.IsError {
		t.Errorf("%s", text(got))
	}
	if got := call(t, session, "ask", map[string]any{"task": "сведи остатки по всем аккаунтам вместе"}); !got.IsError ||
		!strings.Contains(text(got), "CONSOLIDATION_REFUSED") {
		t.Errorf("%s", text(got))
	}
}

func TestProgressIsReported(t *testing.T) {
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	var mu sync.Mutex
	var reported []float64
	session := connect(t, s, s.Key(stockhand.ScopeReadTools, stockhand.ScopeWriteTools), &sdk.ClientOptions{
		ProgressNotificationHandler: func(_ context.Context, q *sdk.ProgressNotificationClientRequest) {
			mu.Lock()
			defer mu.Unlock()
			reported = append(reported, q.Params.Progress)
		},
	})
	q := &sdk.CallToolParams{Name: "moysklad_shortages", Arguments: map[string]any{}}
	q.SetProgressToken("p1")
	if _, err := session.CallTool(t.Context(), q); err != nil {
		t.Fatal(err)
	}
	deadline := time.Now().Add(time.Minute)
	for {
		mu.Lock()
		n := len(reported)
		mu.Unlock()
		if n > 0 {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("no progress was reported")
		}
		time.Sleep(10 * time.Millisecond)
	}
	mu.Lock()
	defer mu.Unlock()
	for i := 1; i < len(reported); i++ {
		if reported[i] != math.Round(reported[i]*1000)/1000 {
			t.Errorf("progress %v", reported[i])
		}
		if reported[i] <= reported[i-1] {
			t.Errorf("progress %v does not grow", reported)
		}
	}
}

func TestClientThatCancelsEndsTheRun(t *testing.T) {
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	if err := s.Sandbox.Fail(sandbox.Fault{Path: "report/stock", Count: 100, DelayMS: 5000}); err != nil {
		t.Fatal(err)
	}
	session := connect(t, s, s.Key(stockhand.ScopeReadTools, stockhand.ScopeWriteTools), nil)
	ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
	defer cancel()
	if _, err := session.CallTool(ctx, &sdk.CallToolParams{Name: "moysklad_stock",
		Arguments: map[string]any{}}); err == nil {
		t.Fatal("the call was not cut short")
	}
	deadline := time.Now().Add(time.Minute)
	for time.Now().Before(deadline) {
		sessions, err := s.Store.Sessions(t.Context(), s.OrgID, stockhand.SessionDirect, "", "", 0)
		if err != nil || len(sessions) != 1 {
			t.Fatal(len(sessions), err)
		}
		runs, err := s.Store.Runs(t.Context(), s.OrgID, sessions[0].ID)
		if err != nil || len(runs) != 1 {
			t.Fatal(len(runs), err)
		}
		if runs[0].State == stockhand.RunCancelled {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Error("the run was not cancelled")
}
