package api_test

import (
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/app/apptest"
	"github.com/stockhand/stockhand/internal/sandbox"
	"github.com/stockhand/stockhand/internal/sandbox/company"
)

// described is a tool as the API shows it.
type described struct {
	Name, Connector, Effect string
	Title, Description      struct{ RU, EN string }
	Parameters              struct {
		Type       string
		Properties map[string]any
	}
	Rights []struct {
		Section, For struct{ RU, EN string }
		Vital        bool
	}
	Columns []struct{ Name, Unit string }
}

// executed is a finished message.
type executed struct {
	SessionID     string `json:"session_id"`
	MessageID     string `json:"message_id"`
	State         string
	FinalResponse string `json:"final_response"`
	ToolCalls     []struct {
		Name      string
		Arguments map[string]any
	} `json:"tool_calls"`
	Results []struct {
		ID, Tool string
		Columns  []struct{ Name, Unit string }
		Rows     []map[string]any
	}
	Drafts           []struct{ ID string }
	Notices          []struct{ Code, Message string }
	ExternalRequests int `json:"external_requests"`
}

func TestEveryToolIsListedWithSchemaEffectAndRights(t *testing.T) {
	s := apptest.Start(t, apptest.Options{Unconnected: true})
	reader := key(t, s, "read:tools")
	var all []described
	for cursor := ""; ; {
		page := want[struct {
			Data       []described
			NextCursor *string `json:"next_cursor"`
		}](t, "list", s.Do(http.MethodGet, "/tools?limit=7&cursor="+cursor, reader, nil), http.StatusOK)
		all = append(all, page.Data...)
		if page.NextCursor == nil {
			break
		}
		cursor = *page.NextCursor
	}
	if len(all) != 26 {
		t.Errorf("%d tools", len(all))
	}
	for _, tl := range all {
		if tl.Connector != "moysklad" && tl.Name != "compute" || tl.Title.RU == "" || tl.Title.EN == "" ||
			tl.Description.RU == "" ||
			tl.Description.EN == "" || tl.Parameters.Type != "object" {
			t.Errorf("%+v is not described", tl)
		}
		if proposes := strings.Contains(tl.Name, "_propose_"); (tl.Effect == "propose") != proposes {
			t.Errorf("%s has the effect %q", tl.Name, tl.Effect)
		}
		if len(tl.Rights) == 0 && tl.Name != "moysklad_reference" && tl.Name != "compute" {
			t.Errorf("%s names no right", tl.Name)
		}
		one := want[described](t, tl.Name, s.Do(http.MethodGet, "/tools/"+tl.Name, reader, nil), http.StatusOK)
		if one.Name != tl.Name {
			t.Errorf("%s is %s", tl.Name, one.Name)
		}
	}
	proposing := want[struct{ Data []described }](t, "filter",
		s.Do(http.MethodGet, "/tools?effect=propose", reader, nil), http.StatusOK)
	if len(proposing.Data) != 4 {
		t.Errorf("%d tools propose", len(proposing.Data))
	}
	wantFailure(t, "no such tool", s.Do(http.MethodGet, "/tools/moysklad_write", reader, nil), http.StatusNotFound,
		stockhand.CodeNotFound)
	wantFailure(t, "without the scope", s.Do(http.MethodGet, "/tools", key(t, s, "write:tools"), nil),
		http.StatusForbidden, stockhand.CodePermissionDenied)
	wantFailure(t, "executing with read:tools",
		s.Do(http.MethodPost, "/tools/moysklad_stock/execute", reader, map[string]any{}), http.StatusForbidden,
		stockhand.CodePermissionDenied)
}

// A direct call is a run with one step: same result, record and usage as in a conversation.
func TestADirectCallIsASeparateRun(t *testing.T) {
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	writer := key(t, s, "write:tools")
	before := len(s.Sandbox.Requests())
	a := s.Do(http.MethodPost, "/tools/moysklad_stock/execute", writer,
		map[string]any{"connection_id": s.Connections[0].ID, "arguments": map[string]any{"limit": 3}, "language": "ru"})
	out := want[executed](t, "execute", a, http.StatusOK)
	if out.State != "done" || len(out.Results) != 1 || len(out.Results[0].Rows) != 3 ||
		out.Results[0].Tool != "moysklad_stock" || !strings.HasPrefix(out.FinalResponse, "На всех складах") {
		t.Errorf("executed %+v", out)
	}
	if n := len(s.Sandbox.Requests()) - before; out.ExternalRequests != n || n == 0 {
		t.Errorf("%d requests reported, %d made", out.ExternalRequests, n)
	}
	// A key without read:data reads what it started itself.
	if got := s.Do(http.MethodGet, "/results/"+out.Results[0].ID, writer, nil); got.Status != http.StatusOK {
		t.Errorf("its own result: %d %s", got.Status, got.Body)
	}
	again := want[executed](t, "the stored message",
		s.Do(http.MethodGet, "/sessions/"+out.SessionID+"/messages/"+out.MessageID, writer, nil), http.StatusOK)
	if again.FinalResponse != out.FinalResponse || len(again.ToolCalls) != 1 ||
		again.ToolCalls[0].Name != "moysklad_stock" {
		t.Errorf("stored %+v", again)
	}
	for query, n := range map[string]int{"": 0, "?kind=direct": 1} {
		list := want[struct{ Data []struct{ ID string } }](t, "sessions",
			s.Do(http.MethodGet, "/sessions"+query, s.AdminToken, nil), http.StatusOK)
		if len(list.Data) != n {
			t.Errorf("sessions%s: %d, want %d", query, len(list.Data), n)
		}
	}
	usage, err := s.Store.Usage(t.Context(), s.OrgID, "0000-00-00", "9999-99-99")
	if err != nil || len(usage) != 1 || usage[0].Runs != 1 || usage[0].Requests != out.ExternalRequests ||
		!strings.HasPrefix(usage[0].By, "key:") {
		t.Errorf("usage %+v, %v", usage, err)
	}
}

func TestInvalidArgumentsAreNamedAndNothingIsSent(t *testing.T) {
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	before := len(s.Sandbox.Requests())
	for what, c := range map[string]struct {
		tool   string
		body   any
		fields []string
	}{
		"several": {"moysklad_stock",
			`{"arguments":{"limit":-1,"only":"some","at":"today","colour":"red"}}`,
			[]string{"arguments.at", "arguments.colour", "arguments.limit", "arguments.only"}},
		"a missing one":       {"moysklad_find_products", `{"arguments":{}}`, []string{"arguments.query"}},
		"no arguments at all": {"moysklad_find_products", `{}`, []string{"arguments.query"}},
		"of another type":     {"moysklad_stock", `{"arguments":[]}`, []string{"arguments"}},
		"beside them":         {"moysklad_stock", `{"argument":{}}`, []string{"argument"}},
		"another language":    {"moysklad_stock", `{"language":"de"}`, []string{"language"}},
	} {
		a := s.Do(http.MethodPost, "/tools/"+c.tool+"/execute", s.AdminToken, c.body)
		f := wantFailure(t, what, a, http.StatusUnprocessableEntity, stockhand.CodeValidation)
		var named []string
		for _, e := range f.Detail.Errors {
			named = append(named, e.Field)
		}
		if slices.Sort(named); !slices.Equal(named, c.fields) {
			t.Errorf("%s: named %v, want %v", what, named, c.fields)
		}
	}
	for _, wait := range []string{"-1", "121", "x", "1.5"} {
		wantFailure(t, "wait="+wait, s.Do(http.MethodPost, "/tools/moysklad_stock/execute?wait="+wait, s.AdminToken,
			`{}`), http.StatusUnprocessableEntity, stockhand.CodeValidation)
	}
	wantFailure(t, "no such tool", s.Do(http.MethodPost, "/tools/moysklad_write/execute", s.AdminToken, `{}`),
		http.StatusNotFound, stockhand.CodeNotFound)
	wantFailure(t, "no such connection",
		s.Do(http.MethodPost, "/tools/moysklad_stock/execute", s.AdminToken,
			`{"connection_id":"con_00000000000000000000000000"}`), http.StatusNotFound, stockhand.CodeNotFound)
	if n := len(s.Sandbox.Requests()) - before; n != 0 {
		t.Errorf("%d requests went out", n)
	}
	sessions, err := s.Store.Sessions(t.Context(), s.OrgID, stockhand.SessionDirect, "", "", 10)
	if err != nil || len(sessions) != 0 {
		t.Errorf("%d sessions stored, %v", len(sessions), err)
	}
}

// Rule R9: a propose tool returns a draft, and nothing is sent.
func TestAProposeToolAnswersWithADraft(t *testing.T) {
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	for _, path := range []string{"/tools/moysklad_propose_price_change/execute", "/connectors/moysklad/execute"} {
		body := map[string]any{"arguments": map[string]any{"percent": 5, "everything": true}}
		if strings.HasPrefix(path, "/connectors") {
			body["operation"] = "moysklad_propose_price_change"
		}
		out := want[executed](t, path, s.Do(http.MethodPost, path, s.AdminToken, body), http.StatusOK)
		if len(out.Drafts) != 1 {
			t.Fatalf("%s: %+v", path, out)
		}
		if d := s.Do(http.MethodGet, "/drafts/"+out.Drafts[0].ID, s.AdminToken, nil); d.Status != http.StatusOK {
			t.Errorf("the draft: %d %s", d.Status, d.Body)
		}
	}
	for _, r := range s.Sandbox.Requests() {
		if r.Method != http.MethodGet {
			t.Errorf("sent %+v", r)
		}
	}
}

func TestACallThatTakesLongerIsAcceptedAndCanBeFollowed(t *testing.T) {
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	if err := s.Sandbox.Fail(sandbox.Fault{Path: "report/stock", Count: 1, DelayMS: 300}); err != nil {
		t.Fatal(err)
	}
	a := s.Do(http.MethodPost, "/tools/moysklad_stock/execute?wait=0", s.AdminToken, `{}`)
	out := want[executed](t, "accepted", a, http.StatusAccepted)
	if out.SessionID == "" || out.MessageID == "" || a.Header.Get("Location") == "" {
		t.Errorf("%s %v", a.Body, a.Header)
	}
	end := want[executed](t, "the end", s.Do(http.MethodGet, a.Header.Get("Location")+"?wait=60", s.AdminToken, nil),
		http.StatusOK)
	if len(end.Results) != 1 {
		t.Errorf("%+v", end)
	}
}

// Rules R4 and R5.
func TestAnAmbiguousAccountIsAnError(t *testing.T) {
	s := apptest.Start(t, apptest.Options{})
	before := len(s.Sandbox.Requests())
	for path, body := range map[string]string{
		"/tools/moysklad_stock/execute": `{}`, "/connectors/moysklad/execute": `{"operation":"employee"}`,
		"/connectors/moysklad/execute?wait=1": `{"operation":"moysklad_stock"}`,
	} {
		f := wantFailure(t, path, s.Do(http.MethodPost, path, s.AdminToken, body), http.StatusConflict,
			stockhand.CodeAccountRequired)
		for _, c := range s.Connections {
			if !strings.Contains(f.Detail.Hint, string(c.ID)) || !strings.Contains(f.Detail.Hint, string(c.Account)) {
				t.Errorf("%s: %s is not listed: %s", path, c.ID, f.Detail.Hint)
			}
		}
	}
	if n := len(s.Sandbox.Requests()) - before; n != 0 {
		t.Errorf("%d requests went out", n)
	}
	for i, c := range s.Connections {
		before := len(s.Sandbox.Requests())
		want[executed](t, "named", s.Do(http.MethodPost, "/tools/moysklad_reference/execute", s.AdminToken,
			map[string]any{"connection_id": c.ID, "arguments": map[string]any{"kind": "stores"}}), http.StatusOK)
		for _, r := range s.Sandbox.Requests()[before:] {
			if r.AccountID != s.Sandbox.Accounts()[i].AccountID {
				t.Errorf("asked another account: %+v", r)
			}
		}
	}
}

// Rule R15.
func TestAMissingRightIsNamedAndNotZero(t *testing.T) {
	s := apptest.Start(t, apptest.Options{Accounts: 1, Unconnected: true})
	keeper := connect(t, s, s.Sandbox.Accounts()[0].Tokens.Storekeeper)
	out := want[executed](t, "stock", s.Do(http.MethodPost, "/tools/moysklad_stock/execute", s.AdminToken,
		map[string]any{"language": "ru", "connection_id": keeper.ID}), http.StatusOK)
	named := false
	for _, n := range out.Notices {
		named = named || n.Code == "right_missing" && strings.Contains(n.Message, "Видеть себестоимость")
	}
	if !named {
		t.Errorf("notices: %+v", out.Notices)
	}
	for _, row := range out.Results[0].Rows {
		if row["cost"] != nil {
			t.Fatalf("a hidden cost is %v", row["cost"])
		}
	}
	f := wantFailure(t, "a closed report",
		s.Do(http.MethodPost, "/connectors/moysklad/execute", s.AdminToken, map[string]any{
			"connection_id": keeper.ID, "operation": "report_money_accounts",
		}, "Accept-Language", "ru"), http.StatusForbidden, stockhand.CodePermissionDenied)
	if !strings.Contains(f.Detail.Message, "Видеть остатки денег") {
		t.Errorf("the section is not named: %s", f.Detail.Message)
	}
}

func TestATokenRevokedLaterIsAnErrorOfTheCall(t *testing.T) {
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	if err := s.Sandbox.Fail(sandbox.Fault{Path: ".", Count: 100, Status: http.StatusUnauthorized}); err != nil {
		t.Fatal(err)
	}
	for path, body := range map[string]string{"/tools/moysklad_stock/execute": `{}`,
		"/connectors/moysklad/execute": `{"operation":"company_settings"}`} {
		wantFailure(t, path, s.Do(http.MethodPost, path, s.AdminToken, body), http.StatusUnprocessableEntity,
			stockhand.CodeTokenRejected)
	}
}

// Rule R24, measured at the receiving side over runs, direct calls, operations and the gateway together.
func TestAllEntryPointsStayWithinSixRequestsAndTwoStockReportsPerSecond(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{Accounts: 1, Unconnected: true, Limits: true,
		Company: company.Options{Seed: 3}})
	owner := connect(t, s, s.Sandbox.Accounts()[0].Tokens.Owner)
	keeper := connect(t, s, s.Sandbox.Accounts()[0].Tokens.Storekeeper) // two employees share the account's limits
	var wg sync.WaitGroup
	rounds := 6
	if testing.Short() { // each takes three seconds at the limits
		rounds = 2
	}
	for i := range rounds {
		id := []string{owner.ID, keeper.ID}[i%2]
		do := func(method, path string, body any) {
			wg.Go(func() {
				if a := s.Do(method, path, s.AdminToken, body); a.Status >= 400 {
					t.Errorf("%s: %d %s", path, a.Status, a.Body)
				}
			})
		}
		do(http.MethodGet, "/connections/"+id+"/gateway/report/stock/all?limit=10", nil)
		do(http.MethodGet, "/connections/"+id+"/gateway/entity/product?limit=10", nil)
		do(http.MethodPost, "/connectors/moysklad/execute",
			map[string]any{"connection_id": id, "operation": "report_stock_current"})
		do(http.MethodPost, "/connectors/moysklad/execute",
			map[string]any{"connection_id": id, "operation": "list",
				"arguments": map[string]any{"entity": "counterparty"}})
		do(http.MethodPost, "/tools/moysklad_stock/execute", map[string]any{"connection_id": id})
		do(http.MethodPost, "/sessions/stream?wait=60",
			map[string]any{"connection_id": id, "message": "остатки по складам"})
	}
	wg.Wait()
	sent := s.Sandbox.Requests()
	if peak := sandbox.PeakPerSecond(sent, nil); peak > 6 {
		t.Errorf("%d requests within a second", peak)
	}
	if peak := sandbox.PeakPerSecond(sent, sandbox.Request.StockReport); peak > 2 {
		t.Errorf("%d stock reports within a second", peak)
	}
	stock, refused := 0, 0
	for _, r := range sent {
		if r.StockReport() {
			stock++
		}
		if r.Status == http.StatusTooManyRequests {
			refused++
		}
	}
	if stock < 4*rounds || len(sent) < 8*rounds || refused != 0 {
		t.Errorf("%d requests, %d stock reports, %d refused", len(sent), stock, refused)
	}
	t.Logf("%d requests, %d of them stock reports; peaks %d and %d a second", len(sent), stock,
		sandbox.PeakPerSecond(sent, nil), sandbox.PeakPerSecond(sent, sandbox.Request.StockReport))
}
