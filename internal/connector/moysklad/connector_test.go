package moysklad

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/sandbox"
	"github.com/stockhand/stockhand/internal/sandbox/company"
	"github.com/stockhand/stockhand/internal/tool"
)

func TestVerifyingATokenReadsTheOrganizationsFirst(t *testing.T) { // rule R2
	s := openShop(t, sandbox.Options{})
	for _, token := range []string{s.info.Tokens.Revoked, "nonsense"} {
		before := len(s.Requests())
		_, err := Kind.Verify(context.Background(), connector.Config{BaseURL: s.url, Token: token})
		if stockhand.CodeOf(err) != stockhand.CodeTokenRejected {
			t.Errorf("error %v", err)
		}
		requests := s.Requests()[before:]
		if len(requests) != 1 || !strings.HasSuffix(requests[0].Path, "entity/organization") {
			t.Errorf("requests: %v", requests)
		}
		if strings.Contains(fmt.Sprint(err), token) {
			t.Error("the error contains the token")
		}
	}
	who, err := Kind.Verify(context.Background(), connector.Config{BaseURL: s.url, Token: s.info.Tokens.Owner})
	if err != nil || string(who.Account) != s.info.AccountID || who.Employee == "" || who.Organization == "" ||
		len(who.Rights) == 0 {
		t.Errorf("identity %+v, error %v", who, err)
	}
}

func TestTwoAccountsWithTheSameNameAreDifferent(t *testing.T) { // rule R4
	s := openShop(t, sandbox.Options{Accounts: 2})
	var who [2]connector.Identity
	for i, info := range s.Accounts() {
		var err error
		if who[i], err = Kind.Verify(context.Background(),
			connector.Config{BaseURL: s.url, Token: info.Tokens.Owner}); err != nil {
			t.Fatal(err)
		}
	}
	if who[0].Organization != who[1].Organization || who[0].Account == who[1].Account {
		t.Errorf("%+v\n%+v", who[0], who[1])
	}
}

// arguments are minimal valid arguments of each tool that requires some.
var arguments = map[string]string{
	"moysklad_find_products": `{"query":"ча"}`, "moysklad_reference": `{"kind":"stores"}`,
	"moysklad_stock_age": `{"min_days":20}`,
	"moysklad_document":  `{"kind":"customerorder","number":"00061"}`,
	"moysklad_lookup":    `{"entity":"customerorder"}`,
	"moysklad_product":   `{"product":"00018"}`, "moysklad_counterparty": `{"counterparty":"K00014"}`,
	"moysklad_money": `{"what":"flow"}`, "moysklad_receivables": `{"direction":"both"}`,
	prices:    `{"everything":true,"percent":5}`,
	minimums4: `{"everything":true}`,
}

// toolsThatRead leaves out tools that propose, which have their own tests.
func toolsThatRead(all []tool.Tool) []tool.Tool {
	return slices.DeleteFunc(slices.Clone(all),
		func(tl tool.Tool) bool { return strings.Contains(tl.Name, "_propose_") })
}

func TestThereAreTwentyOneReadToolsWithSchemas(t *testing.T) {
	if n := len(toolsThatRead(Kind.Tools)); n != 21 {
		t.Errorf("%d tools", n)
	}
	for _, tl := range toolsThatRead(Kind.Tools) {
		if !strings.HasPrefix(tl.Name, "moysklad_") || tl.Title.RU == "" || tl.Title.EN == "" || tl.About.RU == "" ||
			tl.About.EN == "" || tl.Input == nil {
			t.Errorf("%s has no description", tl.Name)
		}
	}
}

// toolAnswer is the answer of a tool to an employee.
type toolAnswer struct {
	role     string
	tool     string
	language stockhand.Language
	result   *tool.Result
	err      error
	sent     int // requests
}

// toolAnswers are the answers of each tool that reads, to each employee and in both languages. They take seconds, so
// the tests that look at all answers share them.
var toolAnswers = sync.OnceValue(func() (all []toolAnswer) {
	s := startShop(sandbox.Options{})
	defer s.stop()
	for role, token := range map[string]string{"owner": s.info.Tokens.Owner, "storekeeper": s.info.Tokens.Storekeeper,
		"sales": s.info.Tokens.Sales} {
		a, err := s.open(token)
		if err != nil {
			return []toolAnswer{{role: role, err: err}}
		}
		for _, tl := range toolsThatRead(a.Tools()) {
			for _, l := range []stockhand.Language{stockhand.Russian, stockhand.English} {
				before := len(s.Requests())
				r, err := tryTool(a, tl.Name, arguments[tl.Name], tool.Env{Now: noon, Language: l})
				all = append(all, toolAnswer{role, tl.Name, l, r, err, len(s.Requests()) - before})
			}
		}
	}
	return all
})

func TestEveryToolAnswersEveryEmployeeInBothLanguages(t *testing.T) {
	for _, a := range toolAnswers() {
		r, role, name := a.result, a.role, a.tool
		if a.err != nil {
			t.Errorf("%s %s: %v", role, name, a.err)
			continue
		}
		if strings.Contains(r.Answer, "%!") {
			t.Errorf("%s %s: formatting error in %s", role, name, r.Answer)
		}
		_, missing := r.Notice(tool.NoticeRightMissing)
		switch {
		case r.Answer == "" || r.Title == "" || r.Provenance.Account == "" || r.Provenance.Employee == "" ||
			r.Provenance.Read.IsZero():
			t.Errorf("%s %s: incomplete: %+v", role, name, r)
		case len(r.Rows) == 0 && !missing:
			t.Errorf("%s %s: an empty result without a reason: %s", role, name, r.Answer)
		case len(r.Rows) > 0 && r.Provenance.Method == "":
			t.Errorf("%s %s: no method", role, name)
		case role == "owner" && r.Provenance.Requests != a.sent:
			t.Errorf("%s %s: %d requests reported, %d sent", role, name, r.Provenance.Requests, a.sent)
		}
		if role == "owner" && missing {
			t.Errorf("the owner lacks a right: %v", r.Notices)
		}
		if first := []rune(r.Provenance.Method); a.language == stockhand.English && len(first) > 0 &&
			unicode.Is(unicode.Cyrillic, first[0]) {
			t.Errorf("%s: the method is in Russian", name)
		}
		for _, row := range r.Rows {
			if len(row) != len(r.Columns) {
				t.Fatalf("%s: %d cells, %d columns", name, len(row), len(r.Columns))
			}
		}
	}
}

func TestMethodIsTwoShortSentences(t *testing.T) { // rule R78
	const most = 260
	short := func(who, name, method string) {
		n, sentences := utf8.RuneCountInString(method), strings.Count(method+" ", ". ")
		if n > most || sentences > 2 {
			t.Errorf("%s, %s: %d sentences of %d characters: %s", who, name, sentences, n, method)
		}
	}
	for _, a := range toolAnswers() {
		if a.err != nil {
			t.Fatalf("%s: %v", a.tool, a.err)
		}
		short(a.role, a.tool, a.result.Provenance.Method)
	}
	for _, tl := range openShop(t, sandbox.Options{}).owner(t).Tools() {
		if tl.Effect() != tool.EffectPropose {
			continue
		}
		for _, l := range []stockhand.Language{stockhand.Russian, stockhand.English} {
			in := json.RawMessage(cmp.Or(arguments[tl.Name], "{}"))
			p, err := tl.Propose(t.Context(), tool.Env{Now: noon, Language: l}, in)
			if err != nil {
				t.Fatalf("%s: %v", tl.Name, err)
			}
			short("owner", tl.Name, p.Provenance.Method)
		}
	}
}

func TestAnInaccessibleReportIsNeverEmptyOrZero(t *testing.T) { // rule R15
	for path, c := range map[string]struct{ tool, section string }{
		"report/stock/all":        {"moysklad_stock", "Остатки"},
		"report/turnover/all":     {"moysklad_turnover", "Обороты"},
		"report/money/byaccount":  {"moysklad_money", "Видеть остатки денег"},
		"report/sales/plotseries": {"moysklad_sales_trend", "Показатели"},
		"report/counterparty":     {"moysklad_receivables", "Показатели контрагентов"},
		"report/profit/byproduct": {"moysklad_abc_xyz", "Прибыльность"},
		"entity/customerorder":    {"moysklad_overdue_orders", "Заказы покупателей"},
		"entity/store":            {"moysklad_stock_by_store", "Склады"},
	} {
		a := serve(t, respond(t, map[string]string{path: "403", "entity/customerorder/metadata": `{}`}))
		r := callTool(t, a, c.tool, `{}`)
		if len(r.Rows) != 0 || r.Totals != nil {
			t.Errorf("%s: rows %v", c.tool, r.Rows)
		}
		if m := wantNotice(t, r, tool.NoticeRightMissing); !strings.Contains(m, "«"+c.section+"»") ||
			!strings.Contains(r.Answer, "«"+c.section+"»") {
			t.Errorf("%s: %q, %q", c.tool, m, r.Answer)
		}
	}
}

func TestAListThatShrinksWhileReadIsReportedAsPartial(t *testing.T) { // fact M17
	row := `{"meta":{"href":"x/entity/product/00000000-0000-0000-0000-000000000001","type":"product"},"name":"А","stock":2}`
	a := serve(t, respond(t, map[string]string{"report/stock/all": `{"meta":{"size":5,"limit":1000,"offset":0},"rows":[` + row + `]}`}))
	r := callTool(t, a, "moysklad_stock", `{}`)
	if len(r.Rows) != 1 {
		t.Errorf("rows: %v", r.Rows)
	}
	if m := wantNotice(t, r, tool.NoticePartial); !strings.Contains(m, "строк: 1 из 5") {
		t.Errorf("notice: %s", m)
	}
}

func TestAFailureIsAnErrorAndNotAnEmptyResult(t *testing.T) {
	s := openShop(t, sandbox.Options{})
	owner := s.owner(t)
	if err := s.Fail(sandbox.Fault{Path: "report/stock/all", Count: 1, Status: 401}); err != nil {
		t.Fatal(err)
	}
	if r, err := tryTool(owner, "moysklad_stock", `{}`, tool.Env{Now: noon}); err == nil ||
		stockhand.CodeOf(err) != stockhand.CodeTokenRejected {
		t.Errorf("result %v, error %v", r, err)
	}
}

func TestAConnectionLostWithinAPageIsRetried(t *testing.T) {
	s := openShop(t, sandbox.Options{})
	a := s.owner(t)
	want := callTool(t, a, "moysklad_stock", `{}`)
	if err := s.Fail(sandbox.Fault{Path: "report/stock/all", Count: 1, Cut: sandbox.CutMiddle}); err != nil {
		t.Fatal(err)
	}
	r := callTool(t, a, "moysklad_stock", `{}`)
	if r.Answer != want.Answer || len(r.Rows) != len(want.Rows) {
		t.Errorf("after a reconnect: %s\nwant: %s", r.Answer, want.Answer)
	}
}

func TestProgressReachesThePlannedTotal(t *testing.T) {
	s := openShop(t, sandbox.Options{})
	last, lastPlanned := 0, 0
	env := tool.Env{Now: noon, Progress: func(done, planned int, label string) {
		if done < last || planned < lastPlanned || done > planned || label == "" {
			t.Errorf("progress %d of %d after %d of %d, %q", done, planned, last, lastPlanned, label)
		}
		last, lastPlanned = done, planned
	}}
	r, err := tryTool(s.owner(t), "moysklad_shortages", `{}`, env)
	if err != nil {
		t.Fatal(err)
	}
	if last != lastPlanned || last != r.Provenance.Requests {
		t.Errorf("ended at %d of %d, %d requests", last, lastPlanned, r.Provenance.Requests)
	}
}

func TestNoToolMakesMoreRequestsThanNecessary(t *testing.T) {
	s := openShop(t, sandbox.Options{Company: company.Options{Seed: 7, Products: 1100, Days: 40}})
	for role, token := range map[string]string{"owner": s.info.Tokens.Owner, "storekeeper": s.info.Tokens.Storekeeper} {
		a := s.as(t, token)
		for _, tl := range toolsThatRead(a.Tools()) {
			r := callTool(t, a, tl.Name, arguments[tl.Name])
			if _, missing := r.Notice(tool.NoticeRightMissing); missing {
				continue // refused requests return no data
			}
			// Allow for two lists of ids with incomplete last pages, and for a second lookup of goods of unknown kind.
			if fewest := Fewest(r); r.Provenance.Requests > fewest+2 {
				t.Errorf("%s %s: %d requests, %d would be enough: %+v", role, tl.Name, r.Provenance.Requests, fewest,
					r.Provenance.Sources)
			}
		}
	}
}
