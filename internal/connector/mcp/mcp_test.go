package mcp_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/app"
	"github.com/stockhand/stockhand/internal/app/apptest"
	"github.com/stockhand/stockhand/internal/llm"
	"github.com/stockhand/stockhand/internal/llm/llmtest"
)

func start(t *testing.T) *apptest.Service {
	t.Helper()
	return apptest.Start(t, apptest.Options{Accounts: 1, Configure: func(c *app.Config) { c.MCPPrivate = loopback }})
}

type right struct{ Name, Extent string }

type connected struct {
	ID, Label    string
	AccountID    string `json:"account_id"`
	Organization string
	Rights       struct{ Visible, Missing []right }
}

type failure struct {
	Detail struct {
		Code, Message, Hint string
		Errors              []struct{ Field, Message string }
	}
}

func ask[T any](t *testing.T, s *apptest.Service, method, path, token string, body any, status int) (out T) {
	t.Helper()
	a := s.Do(method, path, token, body, "Accept-Language", "en")
	if a.Status != status {
		t.Fatalf("%s %s: %d %s, want %d", method, path, a.Status, a.Body, status)
	}
	a.Decode(t, &out)
	return out
}

func fails(t *testing.T, s *apptest.Service, path, token string, body any, status int, code stockhand.Code) failure {
	t.Helper()
	f := ask[failure](t, s, http.MethodPost, path, token, body, status)
	if f.Detail.Code != string(code) || f.Detail.Message == "" || f.Detail.Hint == "" {
		t.Errorf("POST %s: %+v, want %s with a hint", path, f, code)
	}
	return f
}

func connect(t *testing.T, s *apptest.Service, o *other) connected {
	t.Helper()
	return ask[connected](t, s, http.MethodPost, "/connections", s.AdminToken,
		map[string]any{"connector": "mcp", "url": o.URL + "/mcp", "token": token}, http.StatusCreated)
}

type turn struct {
	Text    string `json:"final_response"`
	Results []struct {
		Answer  string
		Columns []struct{ Name, Unit string }
		Rows    []map[string]any
		Notices []struct{ Code, Message string }
	}
	Drafts []draft
}

type draft struct {
	ID        string
	Version   int
	Documents []struct {
		ID, Kind, State, Problem string
		Call                     struct {
			Server, Tool string
			Arguments    json.RawMessage
		}
		Outcome *struct{ Text, Problem string }
	}
}

// named creates an agent that names the account and a server.
func named(t *testing.T, s *apptest.Service, c connected) string {
	t.Helper()
	return ask[connected](t, s, http.MethodPost, "/organizations/"+string(s.OrgID)+"/agents", s.AdminToken,
		map[string]any{"name": "Desk", "connections": []string{string(s.Connections[0].ID), c.ID}},
		http.StatusCreated).ID
}

func execute(t *testing.T, s *apptest.Service, c connected, tool string, arguments any) turn {
	t.Helper()
	return ask[turn](t, s, http.MethodPost, "/tools/"+tool+"/execute", s.AdminToken,
		map[string]any{"connection_id": c.ID, "arguments": arguments}, http.StatusOK)
}

func confirm(t *testing.T, s *apptest.Service, d draft) draft {
	t.Helper()
	return ask[draft](t, s, http.MethodPost, "/drafts/"+d.ID+"/confirm", s.AdminToken,
		map[string]any{"version": d.Version}, http.StatusOK)
}

func TestARemoteServerIsAConnectionAndItsToolsAreListed(t *testing.T) {
	t.Parallel()
	o, s := serve(t), start(t)
	c := connect(t, s, o)
	if c.Label != "Service desk" || !strings.HasSuffix(c.AccountID, "/mcp") || strings.Contains(c.AccountID, "http") {
		t.Errorf("connected as %+v", c)
	}
	extent := map[string]string{}
	for _, r := range c.Rights.Visible {
		extent[r.Name] = r.Extent
	}
	if extent["list_tickets"] != "read" || extent["create_ticket"] != "draft" || extent["both"] != "draft" {
		t.Errorf("rights %v", extent)
	}
	if len(c.Rights.Missing) != 1 || c.Rights.Missing[0].Name != "endless" {
		t.Errorf("a schema that refers to itself is not refused: %+v", c.Rights.Missing)
	}
	listed := ask[struct {
		Data []struct{ Name, Effect string }
	}](t, s, http.MethodGet, "/tools?connection_id="+c.ID, s.AdminToken, nil, http.StatusOK)
	effects := map[string]string{}
	for _, x := range listed.Data {
		effects[x.Name] = x.Effect
	}
	if effects["mcp_list_tickets"] != "read" || effects["mcp_create_ticket"] != "propose" || len(effects) != 7 {
		t.Errorf("tools %v", effects)
	}
	if a := s.Do(http.MethodGet, "/connections", s.AdminToken, nil); strings.Contains(string(a.Body), token) {
		t.Error("the token is given back")
	}
	fails(t, s, "/connections", s.AdminToken,
		map[string]any{"connector": "mcp", "url": o.URL + "/mcp/", "token": token}, http.StatusConflict,
		stockhand.CodeConflict)
}

func TestAWrongTokenIsRefusedAndNothingIsStored(t *testing.T) {
	t.Parallel()
	o, s := serve(t), start(t)
	at := func(path string) string { return o.URL + path }
	for _, body := range []map[string]any{{"url": at("/mcp"), "token": "wrong"}, {"url": at("/mcp")}} {
		body["connector"] = "mcp"
		fails(t, s, "/connections", s.AdminToken, body, http.StatusUnprocessableEntity, stockhand.CodeTokenRejected)
	}
	for _, bad := range []string{"", "ftp://x/mcp", "https://user:pass@example.com/mcp",
		"https://example.com/mcp?key=1", "//x", "http://%zz/"} {
		f := fails(t, s, "/connections", s.AdminToken, map[string]any{"connector": "mcp", "url": bad, "token": token},
			http.StatusUnprocessableEntity, stockhand.CodeValidation)
		if len(f.Detail.Errors) != 1 || f.Detail.Errors[0].Field != "url" || bad != "" &&
			strings.Contains(fmt.Sprint(f), bad) {
			t.Errorf("%q: %+v", bad, f)
		}
	}
	fails(t, s, "/connections", s.AdminToken,
		map[string]any{"connector": "mcp", "url": at("/mcp"), "login": "a", "password": "b"},
		http.StatusUnprocessableEntity, stockhand.CodeValidation)
	fails(t, s, "/connections", s.AdminToken,
		map[string]any{"connector": "moysklad", "url": at("/mcp"), "token": token}, http.StatusUnprocessableEntity,
		stockhand.CodeValidation)
	if f := fails(t, s, "/connections", s.AdminToken,
		map[string]any{"connector": "mcp", "url": at("/elsewhere"), "token": token}, http.StatusBadGateway,
		stockhand.CodeExternalUnavailable); !strings.Contains(f.Detail.Message, "redirect") {
		t.Errorf("a redirect: %+v", f)
	}
	all := ask[struct{ Data []connected }](t, s, http.MethodGet, "/connections?connector=mcp", s.AdminToken, nil,
		http.StatusOK)
	if len(all.Data) != 0 {
		t.Errorf("stored all the same: %+v", all.Data)
	}
}

// Review L16: different messages revealed the names of a private network.
func TestAttackAPrivateAddressLooksLikeOneThatDoesNotAnswer(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	said := map[string]bool{}
	for _, host := range []string{"localhost:1", "0x7f.1", "169.254.169.254", "no-such-host.invalid"} {
		f := fails(t, s, "/connections", s.AdminToken,
			map[string]any{"connector": "mcp", "url": "https://" + host + "/mcp", "token": token},
			http.StatusBadGateway, stockhand.CodeExternalUnavailable)
		said[strings.ReplaceAll(f.Detail.Message, host, "HOST")+f.Detail.Hint] = true
	}
	if len(said) != 1 {
		t.Errorf("%v", said)
	}
}

func TestAPrivateAddressIsRefusedUnlessTheOperatorAllowsIt(t *testing.T) {
	t.Parallel()
	o := serve(t)
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	fails(t, s, "/connections", s.AdminToken, map[string]any{"connector": "mcp", "url": o.URL + "/mcp", "token": token},
		http.StatusUnprocessableEntity, stockhand.CodeValidation)
	for _, url := range []string{strings.Replace(o.URL, "http://", "https://", 1) + "/mcp",
		"https://localhost:1/mcp", "https://[::ffff:127.0.0.1]:1/mcp", "https://169.254.169.254/mcp"} {
		fails(t, s, "/connections", s.AdminToken, map[string]any{"connector": "mcp", "url": url, "token": token},
			http.StatusBadGateway, stockhand.CodeExternalUnavailable)
	}
	fails(t, start(t), "/connections", "", nil, http.StatusUnauthorized, stockhand.CodeTokenExpired)
}

func TestTableCellsAreTypedAndExact(t *testing.T) {
	t.Parallel()
	o, s := serve(t), start(t)
	c := connect(t, s, o)
	r := execute(t, s, c, "mcp_list_tickets", map[string]any{"state": "open"}).Results[0]
	units := map[string]string{}
	for _, x := range r.Columns {
		units[x.Name] = x.Unit
	}
	if units["id"] != "quantity" || units["hours"] != "quantity" || units["urgent"] != "text" ||
		units["long"] != "text" || len(r.Rows) != 2 {
		t.Errorf("columns %v of %v", units, r.Rows)
	}
	if r.Rows[0]["id"] != "12345678901234567" || r.Rows[0]["hours"] != "0.1" ||
		r.Rows[0]["long"] != "12345678901234567890123" || r.Rows[1]["hours"] != nil ||
		r.Rows[1]["tags"] != `["a","b"]` || r.Rows[0]["title"] != "Broken <b>scale</b>" {
		t.Errorf("rows %v", r.Rows)
	}
	if len(r.Notices) == 0 || r.Notices[0].Code != "foreign" ||
		!strings.Contains(r.Notices[0].Message, "Service desk") {
		t.Errorf("notices %v", r.Notices)
	}
	if r := execute(t, s, c, "mcp_notes", nil).Results[0]; len(r.Rows) != 2 || r.Rows[1]["text"] != "second" ||
		len(r.Notices) != 2 {
		t.Errorf("texts %+v", r)
	}
	body := map[string]any{"connection_id": c.ID, "operation": "mcp_notes"}
	ask[turn](t, s, http.MethodPost, "/connectors/mcp/execute", s.AdminToken, body, http.StatusOK)
	f := fails(t, s, "/tools/mcp_list_tickets/execute", s.AdminToken,
		map[string]any{"connection_id": c.ID, "arguments": map[string]any{"state": "other"}},
		http.StatusUnprocessableEntity, stockhand.CodeValidation)
	if len(f.Detail.Errors) != 1 || f.Detail.Errors[0].Field != "arguments.state" || o.count("list_tickets") != 1 {
		t.Errorf("%+v, %d calls", f, o.count("list_tickets"))
	}
}

func TestAServersErrorIsQuotedAndItsHugeAnswerIsNotRead(t *testing.T) {
	t.Parallel()
	o, s := serve(t), start(t)
	c := connect(t, s, o)
	f := fails(t, s, "/tools/mcp_fails/execute", s.AdminToken, map[string]any{"connection_id": c.ID},
		http.StatusBadGateway, stockhand.CodeExternalUnavailable)
	if !strings.Contains(f.Detail.Message, "in its own words: “no such desk very") || len(f.Detail.Message) > 700 {
		t.Errorf("%q", f.Detail.Message)
	}
	f = fails(t, s, "/tools/mcp_huge/execute", s.AdminToken, map[string]any{"connection_id": c.ID},
		http.StatusBadGateway, stockhand.CodeExternalUnavailable)
	if !strings.Contains(f.Detail.Message, "4 MiB") {
		t.Errorf("%q", f.Detail.Message)
	}
}

func TestAToolThatIsNotDeclaredReadOnlyIsCalledOnceAndOnlyWhenConfirmed(t *testing.T) {
	t.Parallel()
	o, s := serve(t), start(t)
	c := connect(t, s, o)
	d := execute(t, s, c, "mcp_create_ticket",
		json.RawMessage(`{"title": "Scale <1>", "amount": 10000000000000000.1}`)).Drafts[0]
	doc := d.Documents[0]
	if doc.Kind != "remote_call" || doc.Call.Tool != "create_ticket" || doc.Call.Server != "Service desk" ||
		o.count("create_ticket") != 0 {
		t.Fatalf("%+v, %d calls", d, o.count("create_ticket"))
	}
	fails(t, s, "/drafts/"+d.ID+"/confirm", s.Key(stockhand.ScopeAdmin), map[string]any{"version": d.Version},
		http.StatusForbidden, stockhand.CodePermissionDenied)
	after := confirm(t, s, d)
	if doc := after.Documents[0]; doc.State != "applied" || doc.Outcome == nil ||
		doc.Outcome.Text != "ticket 77 was created" || o.count("create_ticket") != 1 {
		t.Fatalf("%+v, %d calls", after, o.count("create_ticket"))
	}
	fails(t, s, "/drafts/"+d.ID+"/confirm", s.AdminToken, map[string]any{"version": d.Version}, http.StatusConflict,
		stockhand.CodeConflict)
	var sent, shown any
	if json.Unmarshal(o.seen[0], &sent) != nil || json.Unmarshal(doc.Call.Arguments, &shown) != nil ||
		fmt.Sprint(sent) != fmt.Sprint(shown) || o.count("create_ticket") != 1 {
		t.Errorf("sent %s, shown %s, %d calls", o.seen[0], doc.Call.Arguments, o.count("create_ticket"))
	}
	fails(t, s, "/drafts/"+d.ID+"/undo", s.AdminToken, map[string]any{}, http.StatusConflict, stockhand.CodeConflict)

	d = execute(t, s, c, "mcp_refuses", nil).Drafts[0]
	if doc := confirm(t, s, d).Documents[0]; doc.State != "failed" ||
		!strings.Contains(doc.Problem, "the desk is closed") || o.count("refuses") != 1 {
		t.Errorf("refused: %+v", doc)
	}
}

func TestACallWhoseAnswerIsLostIsUnknownAndNeverRepeated(t *testing.T) {
	t.Parallel()
	o, s := serve(t), start(t)
	c := connect(t, s, o)
	d := execute(t, s, c, "mcp_create_ticket", map[string]any{"title": "x"}).Drafts[0]
	o.mu.Lock()
	o.cut = true
	o.mu.Unlock()
	for range 2 {
		if doc := confirm(t, s, d).Documents[0]; doc.State != "unknown" ||
			!strings.Contains(doc.Problem, "Service desk") || o.count("create_ticket") != 1 {
			t.Fatalf("%+v, %d calls", doc, o.count("create_ticket"))
		}
	}
	before, err := s.Store.Draft(t.Context(), s.OrgID, stockhand.DraftID(d.ID))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Drafts.Resume(t.Context()); err != nil {
		t.Fatal(err)
	}
	after, err := s.Store.Draft(t.Context(), s.OrgID, stockhand.DraftID(d.ID))
	if err != nil || after.Documents[0].Attempt != before.Documents[0].Attempt || o.count("create_ticket") != 1 {
		t.Errorf("taken up again: %+v, %v, %d calls", after.Documents[0], err, o.count("create_ticket"))
	}
}

// A server that shows one tool when it is verified and another one later is not called: neither to read nor with
// an old yes.
func TestAToolThatHasChangedIsRefusedUntilItIsVerifiedAgain(t *testing.T) {
	t.Parallel()
	o, s := serve(t), start(t)
	c := connect(t, s, o)
	d := execute(t, s, c, "mcp_create_ticket", map[string]any{"title": "x"}).Drafts[0]
	answer := func() (*sdk.CallToolResult, error) {
		return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: "done"}}}, nil
	}
	o.add("notes", &sdk.ToolAnnotations{}, object(nil), answer)
	o.add("create_ticket", nil, object(nil), answer)
	f := fails(t, s, "/tools/mcp_notes/execute", s.AdminToken, map[string]any{"connection_id": c.ID},
		http.StatusConflict, stockhand.CodeConflict)
	if !strings.Contains(f.Detail.Hint, "verify") || o.count("notes") != 0 {
		t.Errorf("%+v, %d calls", f, o.count("notes"))
	}
	if doc := confirm(t, s, d).Documents[0]; doc.State != "failed" || o.count("create_ticket") != 0 {
		t.Errorf("%+v, %d calls", doc, o.count("create_ticket"))
	}
	c = ask[connected](t, s, http.MethodPost, "/connections/"+c.ID+"/verify", s.AdminToken, nil, http.StatusOK)
	if !slices.Contains(c.Rights.Visible, right{"notes", "draft"}) {
		t.Errorf("verified again: %+v", c.Rights)
	}
	if d := execute(t, s, c, "mcp_notes", nil).Drafts; len(d) != 1 || o.count("notes") != 0 {
		t.Errorf("drafts %+v, %d calls", d, o.count("notes"))
	}
}

func TestAnMCPServerIsNotAnAccount(t *testing.T) {
	t.Parallel()
	o, s := serve(t), start(t)
	c := connect(t, s, o)
	a := ask[struct {
		Text string `json:"final_response"`
	}](t, s, http.MethodPost, "/sessions/stream?wait=60", s.AdminToken, map[string]any{"message": "остатки"},
		http.StatusOK)
	if a.Text == "" || strings.Contains(a.Text, "Service desk") || strings.Contains(a.Text, "несколько") {
		t.Errorf("a task in words: %q", a.Text)
	}
	fails(t, s, "/sessions/stream", s.AdminToken, map[string]any{"message": "остатки", "connection_id": c.ID},
		http.StatusUnprocessableEntity, stockhand.CodeValidation)
	_, others := s.Organization("Other")
	fails(t, s, "/tools/mcp_notes/execute", others, map[string]any{"connection_id": c.ID}, http.StatusNotFound,
		stockhand.CodeNotFound)
	if a := s.Do(http.MethodGet, "/tools?connection_id="+c.ID, others, nil); a.Status != http.StatusNotFound {
		t.Errorf("another organization lists its tools: %d %s", a.Status, a.Body)
	}
	if s.Do(http.MethodGet, "/connections/"+c.ID+"/gateway/x", s.AdminToken, nil).Status != http.StatusNotFound {
		t.Error("it has a gateway")
	}
	fresh := ask[connected](t, s, http.MethodPatch, "/connections/"+c.ID, s.AdminToken,
		map[string]any{"token": token, "label": "Desk"}, http.StatusOK)
	if fresh.Label != "Desk" || o.count("notes") != 0 {
		t.Errorf("%+v", fresh)
	}
	if a := s.Do(http.MethodPatch, "/connections/"+c.ID, s.AdminToken,
		map[string]any{"token": "wrong"}); a.Status != http.StatusUnprocessableEntity {
		t.Errorf("a wrong token takes the place of the right one: %d %s", a.Status, a.Body)
	}
}

// With a model, the tools of a server that the agent names stand beside the account's; what they return is marked as
// data, and one that writes becomes a draft of that connection.
func TestAModelIsOfferedTheToolsOfServersThatItsAgentNames(t *testing.T) {
	t.Parallel()
	model := llmtest.New(t, func(_ int, r llmtest.Request) llmtest.Answer {
		switch last := r.Messages[len(r.Messages)-1]; {
		case last.Role == llm.User:
			return llmtest.CallTool("list_tickets", `{}`)
		case last.CallID == "call_1":
			return llmtest.CallTools(llmtest.Call("call_2", "create_ticket", `{"title": "x"}`))
		}
		return llmtest.Say("Done.")
	})
	o := serve(t)
	s := apptest.Start(t, apptest.Options{Accounts: 1,
		Configure: func(c *app.Config) { c.MCPPrivate, c.LLM = loopback, model.Config() }})
	c := connect(t, s, o)
	got := ask[struct {
		Drafts []struct {
			ID           string
			ConnectionID string `json:"connection_id"`
		}
	}](t, s, http.MethodPost, "/sessions/stream?wait=60", s.AdminToken,
		map[string]any{"message": "which tickets are open? create one", "agent_id": named(t, s, c)}, http.StatusOK)
	if o.count("list_tickets") != 1 || o.count("create_ticket") != 0 || len(got.Drafts) != 1 ||
		got.Drafts[0].ConnectionID != c.ID {
		t.Fatalf("%d reads, %d writes, drafts %+v", o.count("list_tickets"), o.count("create_ticket"), got.Drafts)
	}
	read := model.Requests()[1].Last(llm.ToolRole).Content
	if !strings.Contains(read, "<data>") || strings.Contains(read, "<b>") || !strings.Contains(read, "Service desk") {
		t.Errorf("the model read %q", read)
	}
	d := ask[draft](t, s, http.MethodGet, "/drafts/"+got.Drafts[0].ID, s.AdminToken, nil, http.StatusOK)
	if doc := confirm(t, s, d).Documents[0]; doc.State != "applied" || o.count("create_ticket") != 1 {
		t.Errorf("%+v", doc)
	}
}
