package moysklad

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/sandbox"
	"github.com/stockhand/stockhand/internal/sandbox/company"
	"github.com/stockhand/stockhand/internal/tool"
)

// Rule R373: rows against the company's own documents; amounts in main units.
func TestLookedUpRowsEqualTheRawDocuments(t *testing.T) {
	s := openShop(t, sandbox.Options{})
	a := s.owner(t)
	orders := s.company.Documents(company.CustomerOrderDoc)
	some := orders[len(orders)/2]
	day := tool.DayOf(some.Moment.In(msapi.Moscow))
	for _, c := range []struct {
		filter string
		meets  func(*company.Document) bool
	}{
		{``, func(*company.Document) bool { return true }},
		{fmt.Sprintf(`{"field":"number","value":%q}`, some.Name),
			func(d *company.Document) bool { return d.Name == some.Name }},
		{fmt.Sprintf(`{"field":"counterparty","value":%q}`, some.Agent.Name),
			func(d *company.Document) bool { return d.Agent == some.Agent }},
		{fmt.Sprintf(`{"field":"counterparty","value":%q}`, some.Agent.ID),
			func(d *company.Document) bool { return d.Agent == some.Agent }},
		{fmt.Sprintf(`{"field":"store","value":%q}`, some.Store.Name),
			func(d *company.Document) bool { return d.Store == some.Store }},
		{`{"field":"state","value":""}`, func(d *company.Document) bool { return d.State == nil }},
		{`{"field":"posted","value":false}`, func(d *company.Document) bool { return !d.Applicable }},
		{`{"field":"sum","op":">=","value":5000.5}`, func(d *company.Document) bool { return d.Sum >= company.Kopecks(500050) }},
		{`{"field":"sum","op":"<","value":"5000"},{"field":"posted","value":"true"}`,
			func(d *company.Document) bool { return d.Sum < company.Kopecks(500000) && d.Applicable }},
		{fmt.Sprintf(`{"field":"date","value":%q}`, day), inDays(day, day)},
		{fmt.Sprintf(`{"field":"date","op":">=","value":"2026-11-01"},{"field":"date","op":"<=","value":%q}`, day),
			inDays("2026-11-01", day)},
		{fmt.Sprintf(`{"field":"number","op":"~","value":%q}`, some.Name[2:]),
			func(d *company.Document) bool { return strings.Contains(d.Name, some.Name[2:]) }},
	} {
		want := 0
		for _, d := range orders {
			if c.meets(d) {
				want++
			}
		}
		r := callTool(t, a, "moysklad_lookup", `{"entity":"customerorder","fields":["number","sum","counterparty"],"limit":200,`+
			`"filter":[`+c.filter+`]}`)
		if !strings.Contains(r.Answer, fmt.Sprint(": ", want)) || len(r.Rows) != min(200, want) {
			t.Errorf("%s: %s, %d rows, want %d", c.filter, r.Answer, len(r.Rows), want)
		}
		for _, row := range r.Rows {
			i := slices.IndexFunc(orders, func(d *company.Document) bool { return string(d.ID) == row[3].Text() })
			d := orders[i]
			if sum, ok := row[1].Decimal(); !ok || sum.Cmp(d.Sum.Decimal().Major()) != 0 || !c.meets(d) ||
				row[0].Text() != d.Name || row[2].Text() != d.Agent.Name || row[1].Currency() == "" {
				t.Fatalf("%s: %v of %s", c.filter, row, d.Name)
			}
		}
	}
}

func TestEveryFieldCanBeLookedUp(t *testing.T) { // rule R373
	s := openShop(t, sandbox.Options{})
	a := s.owner(t)
	for _, entity := range []string{"product", "variant", "bundle", "service", "counterparty", "customerorder",
		"demand", "retaildemand", "salesreturn", "invoiceout", "purchaseorder", "supply", "purchasereturn", "invoicein",
		"paymentin", "paymentout", "cashin", "cashout", "move", "loss", "enter", "inventory"} {
		_, err := tryTool(a, "moysklad_lookup", `{"entity":"`+entity+`","fields":["?"]}`, tool.Env{Now: noon})
		_, list, _ := strings.Cut(hintOf(err), ": ")
		if stockhand.CodeOf(err) != stockhand.CodeValidation || list == "" {
			t.Fatalf("%s: %v does not list the fields", entity, err)
		}
		fields, err := json.Marshal(strings.Split(list, ", "))
		if err != nil {
			t.Fatal(err)
		}
		r := callTool(t, a, "moysklad_lookup", `{"entity":"`+entity+`","fields":`+string(fields)+`,"limit":3}`)
		if len(r.Columns) != len(strings.Split(list, ", "))+1 ||
			strings.Contains(r.Answer, ": 0") != (len(r.Rows) == 0) {
			t.Errorf("%s: %d columns of %s; %s", entity, len(r.Columns), list, r.Answer)
		}
	}
}

func TestPagesGoOnWhereTheLastEnded(t *testing.T) { // rule R373
	s := openShop(t, sandbox.Options{})
	a := s.owner(t)
	whole := callTool(t, a, "moysklad_lookup", `{"entity":"product","limit":120}`)
	var pages []tool.Row
	for offset := 0; offset < 120; offset += 50 {
		r := callTool(t, a, "moysklad_lookup", fmt.Sprintf(`{"entity":"product","limit":%d,"offset":%d}`, min(50, 120-offset),
			offset))
		pages = append(pages, r.Rows...)
	}
	if len(pages) != len(whole.Rows) {
		t.Fatalf("%d rows in pages, %d in one", len(pages), len(whole.Rows))
	}
	for i := range pages {
		if pages[i][0].Text() != whole.Rows[i][0].Text() {
			t.Errorf("row %d: %v, %v", i, pages[i], whole.Rows[i])
		}
	}
}

func TestALookupRefusesWhatItCannotDo(t *testing.T) { // rule R373
	s := openShop(t, sandbox.Options{})
	a := s.owner(t)
	for in, hint := range map[string]string{
		`{"entity":"webhook"}`:                                                                        "customerorder",
		`{"entity":"demand","fields":["password"]}`:                                                   "counterparty",
		`{"entity":"demand","filter":[{"field":"paid","value":1}]}`:                                   "query_result",
		`{"entity":"demand","filter":[{"field":"state","op":"!=","value":"Новый"}]}`:                  "=",
		`{"entity":"demand","filter":[{"field":"date","value":"вчера"}]}`:                             "",
		`{"entity":"demand","filter":[{"field":"sum","op":">","value":"много"}]}`:                     "",
		`{"entity":"demand","filter":[{"field":"store","value":"Нет такого"}]}`:                       "",
		`{"entity":"demand","limit":201}`:                                                             "",
		`{"entity":"demand","filter":[{"field":"id=1;name","value":"x"}]}`:                            "number",
		`{"entity":"demand","filter":[{"field":"sum","value":1},{"field":"sum","op":">","value":2}]}`: "",
	} {
		before := len(s.Requests())
		_, err := tryTool(a, "moysklad_lookup", in, tool.Env{Now: noon})
		if stockhand.CodeOf(err) != stockhand.CodeValidation || !strings.Contains(hintOf(err), hint) {
			t.Errorf("%s: %v, %s", in, err, hintOf(err))
		}
		for _, r := range s.Requests()[before:] {
			if strings.Contains(r.Path, "entity/demand") && !strings.Contains(r.Path, "metadata") {
				t.Errorf("%s sent %s?%s", in, r.Path, r.Query)
			}
		}
	}
	for _, r := range s.Requests() {
		if r.Method != http.MethodGet {
			t.Errorf("sent %s %s", r.Method, r.Path)
		}
	}
}

func TestPurchasePricesStayHiddenInALookup(t *testing.T) { // rules R15 and R16
	s := openShop(t, sandbox.Options{})
	r := callTool(t, s.as(t, s.info.Tokens.Sales), "moysklad_lookup", `{"entity":"product","fields":["name","purchase_price"]}`)
	for _, row := range r.Rows {
		if !row[1].IsEmpty() {
			t.Errorf("%v shows a purchase price", row)
		}
	}
	if len(r.Rows) > 0 && !slices.ContainsFunc(r.Notices, func(n tool.Notice) bool {
		return n.Code == tool.NoticeRightMissing
	}) {
		t.Errorf("nothing says why: %v", r.Notices)
	}
}

// A server that ignores a filter would return everything.
func TestAnIgnoredFilterIsNoticed(t *testing.T) { // rule R373
	a := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		if strings.Contains(r.URL.Path, "currency") {
			_, _ = w.Write([]byte(`{"meta":{"size":0},"rows":[]}`))
			return
		}
		_, _ = w.Write([]byte(`{"meta":{"size":1},"rows":[{"id":"1","name":"00007","sum":5}]}`))
	}))
	_, err := tryTool(a, "moysklad_lookup", `{"entity":"demand","filter":[{"field":"number","value":"00008"}]}`,
		tool.Env{Now: noon})
	if stockhand.CodeOf(err) != stockhand.CodeExternalUnavailable {
		t.Errorf("the rows were believed: %v", err)
	}
}

func hintOf(err error) string {
	if e, ok := errors.AsType[*stockhand.Error](err); ok {
		return e.Hint
	}
	return ""
}
