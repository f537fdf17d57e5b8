package moysklad

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/sandbox"
	"github.com/stockhand/stockhand/internal/sandbox/company"
	"github.com/stockhand/stockhand/internal/tool"
)

// inDays returns a test of the day of a document.
func inDays(from, to tool.Day) func(*company.Document) bool {
	return func(d *company.Document) bool {
		day := tool.DayOf(d.Moment.In(msapi.Moscow))
		return day >= from && day <= to
	}
}

func all(tests ...func(*company.Document) bool) func(*company.Document) bool {
	return func(d *company.Document) bool {
		return !slices.ContainsFunc(tests, func(test func(*company.Document) bool) bool { return !test(d) })
	}
}

func late(d *company.Document) bool {
	return !d.Planned.IsZero() && tool.DayOf(d.Planned.In(msapi.Moscow)) < tool.DayOf(noon) && d.Applicable &&
		!(d.Sum > 0 && d.ShippedSum >= d.Sum) && (d.State == nil || d.State.StateType == "Regular")
}

// Rules R240 and R241: documents and sums against the company's own documents.
func TestDocumentsEqualTheRawDocuments(t *testing.T) {
	s := openShop(t, sandbox.Options{})
	a := s.owner(t)
	orders := s.company.Documents(company.CustomerOrderDoc)
	some := orders[len(orders)/2]
	partner, product, parent := some.Agent, some.Positions[0].Good, parentStore(t, s)
	month, always := inDays("2026-10-22", "2026-11-20"), func(*company.Document) bool { return true }
	unpaid := func(d *company.Document) bool {
		return d.Applicable && d.PayedSum < d.Sum && (d.State == nil || d.State.StateType != "Unsuccessful")
	}
	unshipped := func(d *company.Document) bool {
		return d.Applicable && d.ShippedSum < d.Sum && (d.State == nil || d.State.StateType == "Regular")
	}
	kindIs := func(types ...company.DocumentType) func(*company.Document) bool {
		return func(d *company.Document) bool { return slices.Contains(types, d.Type) }
	}
	order, purchase, move := kindIs(company.CustomerOrderDoc), kindIs(company.PurchaseOrderDoc), kindIs(company.MoveDoc)
	stateless := func(d *company.Document) bool { return d.State == nil }
	for _, c := range []struct {
		in    string
		meets func(*company.Document) bool
	}{
		{`{}`, month},
		{`{"kinds":["customerorder"],"from":"2026-10-01","to":"2026-10-31"}`,
			all(order, inDays("2026-10-01", "2026-10-31"))},
		{`{"kinds":["customerorder"],"unpaid":true}`, all(order, unpaid)},
		{`{"unshipped":true}`, all(order, unshipped)},
		{`{"not_received":true}`, all(purchase, unshipped)},
		{`{"not_received":true,"unpaid":true}`, all(purchase, unshipped, unpaid)},
		{`{"overdue":true}`, all(kindIs(company.CustomerOrderDoc, company.PurchaseOrderDoc), late)},
		{`{"kinds":["customerorder"],"due_from":"2026-11-01","due_to":"2026-11-22"}`, all(order,
			func(d *company.Document) bool { // rule R511
				day := tool.DayOf(d.Planned.In(msapi.Moscow))
				return !d.Planned.IsZero() && day >= "2026-11-01" && day <= "2026-11-22"
			})},
		{`{"kinds":["customerorder"],"number":"12"}`,
			all(order, func(d *company.Document) bool { return d.Name == "00012" })},
		{fmt.Sprintf(`{"counterparties":[%q],"from":"2026-09-21"}`, partner.Name),
			all(inDays("2026-09-21", "2026-11-20"),
				func(d *company.Document) bool { return d.Agent != nil && d.Agent.ID == partner.ID })},
		{fmt.Sprintf(`{"kinds":["move"],"stores":[%q]}`, parent.Name), all(move, month,
			func(d *company.Document) bool { return within(d.Store, parent) || within(d.Target, parent) })},
		{fmt.Sprintf(`{"stores":[%q],"kinds":["retaildemand","inventory"]}`, parent.Name), all(month,
			kindIs(company.RetailDemandDoc, company.InventoryDoc),
			func(d *company.Document) bool { return within(d.Store, parent) })},
		{`{"kinds":["customerorder"],"states":["новый","(none)"],"from":"2026-09-01"}`, all(order,
			inDays("2026-09-01", "2026-11-20"),
			func(d *company.Document) bool { return stateless(d) || d.State.Name == "Новый" })},
		{fmt.Sprintf(`{"products":[%q],"from":"2026-09-21"}`, product.Root().Name),
			all(inDays("2026-09-21", "2026-11-20"),
				func(d *company.Document) bool {
					return slices.ContainsFunc(d.Positions,
						func(p company.Position) bool { return p.Good.Root() == product.Root() })
				})},
		{`{"sum_from":5000,"sum_to":"9000.50"}`, all(month,
			func(d *company.Document) bool {
				sum := d.Sum.Decimal().Major()
				return sum.Cmp(decimal.MustParse("5000")) >= 0 && sum.Cmp(decimal.MustParse("9000.50")) <= 0
			})},
		{`{"posted":false,"from":"2026-09-01"}`, all(inDays("2026-09-01", "2026-11-20"),
			func(d *company.Document) bool { return !d.Applicable })},
		{fmt.Sprintf(`{"employees":[%q],"legal_entities":[%q]}`, some.Owner.UID, some.Organization.Name), all(month,
			func(d *company.Document) bool { return d.Owner == some.Owner && d.Organization == some.Organization })},
		{`{"kinds":["paymentin","cashin"]}`, all(month, kindIs(company.PaymentInDoc, company.CashInDoc), always)},
	} {
		r := callTool(t, a, "moysklad_documents", c.in)
		wantDocuments(t, c.in, r, s.company, c.meets)
	}
}

// parentStore returns a warehouse that another one is nested in.
func parentStore(t *testing.T, s *shop) *company.Store {
	t.Helper()
	for _, store := range s.company.Catalogue().Stores {
		if store.Parent != nil {
			return store.Parent
		}
	}
	t.Fatal("no nested warehouse")
	return nil
}

func within(s, parent *company.Store) bool {
	for ; s != nil; s = s.Parent {
		if s == parent {
			return true
		}
	}
	return false
}

// wantDocuments compares a result with the company's documents: which they are, their order, their sums and totals.
func wantDocuments(t *testing.T, what string, r *tool.Result, of *company.Company,
	meets func(*company.Document) bool) {
	t.Helper()
	want := map[string]*company.Document{}
	totals := map[company.DocumentType]decimal.Decimal{}
	currencies := map[string]bool{}
	for _, kind := range company.DocumentTypes {
		for _, d := range of.Documents(kind) {
			if !meets(d) {
				continue
			}
			want[string(d.ID)] = d
			currencies["RUB"] = currencies["RUB"] || d.Currency == nil
			currencies["other"] = currencies["other"] || d.Currency != nil
			if d.Applicable {
				totals[kind] = totals[kind].Add(d.Sum.Decimal().Major())
			}
		}
	}
	if len(want) == 0 || len(r.Rows) != len(want) {
		t.Fatalf("%s: %d documents, want %d: %s", what, len(r.Rows), len(want), r.Answer)
	}
	var last time.Time
	for i := range r.Rows {
		row := r.Row(i)
		d := want[row["id"].Text()]
		if d == nil {
			t.Errorf("%s: %v does not meet the conditions", what, row)
			continue
		}
		delete(want, row["id"].Text())
		if i > 0 && d.Moment.After(last) {
			t.Errorf("%s: %s is not in order", what, d.Name)
		}
		last = d.Moment
		wantEqual(t, what+" "+d.Name, number(t, r, r.Rows[i], "sum"), d.Sum.Decimal().Major())
		if d.Agent != nil && row["counterparty"].Text() != d.Agent.Name || row["number"].Text() != d.Name ||
			row["document_type"].Text() != string(d.Type) || !strings.HasSuffix(row["link"].Text(), string(d.ID)) {
			t.Errorf("%s: %v is not %s of %v", what, row, d.Name, d.Agent)
		}
		if d.State != nil && row["state"].Text() != d.State.Name {
			t.Errorf("%s: %s is %v, want %s", what, d.Name, row["state"], d.State.Name)
		}
	}
	at := slices.IndexFunc(r.Columns, func(c tool.Column) bool { return c.Name == "sum" })
	switch total := r.Totals[at]; {
	case len(totals) == 1 && len(currencies) == 2 && currencies["other"] && !currencies["RUB"]:
	case len(totals) != 1 || currencies["other"] && currencies["RUB"]:
		if !total.IsEmpty() && len(totals) > 0 {
			t.Errorf("%s: the total %v adds up what does not belong together", what, total)
		}
	default:
		n, _ := total.Decimal()
		wantEqual(t, what+" in total", n, totals[slices.Collect(maps.Keys(totals))[0]])
	}
	for kind, sum := range totals {
		if text := tool.FormatMoney(sum, "RUB", stockhand.Russian); !currencies["other"] && sum.Sign() > 0 &&
			!strings.Contains(r.Answer, text) {
			t.Errorf("%s: the answer lacks %s of %s: %s", what, text, kind, r.Answer)
		}
	}
}

// Rule R240.
func TestAConditionThatDocumentsDoNotHaveIsAnError(t *testing.T) {
	s := openShop(t, sandbox.Options{})
	for in, field := range map[string]string{
		`{"kinds":["paymentin"],"stores":["Основной склад"]}`: "stores",
		`{"kinds":["demand"],"unshipped":true}`:               "unshipped",
		`{"kinds":["move"],"unpaid":true}`:                    "unpaid",
		`{"kinds":["cashout"],"products":["чай"]}`:            "products",
		`{"unshipped":true,"not_received":true}`:              "kinds",
		`{"counterparties":["Никто"]}`:                        "counterparties",
		`{"states":["Такого нет"]}`:                           "states",
		`{"employees":["Никто"]}`:                             "employees",
		`{"from":"2026-11-02","to":"2026-11-01"}`:             "to",
		`{"kinds":["order"]}`:                                 "kinds",
		`{"from":"2026-02-31"}`:                               "from",
	} {
		_, err := tryTool(s.owner(t), "moysklad_documents", in, tool.Env{Now: noon})
		e, ok := errors.AsType[*stockhand.Error](err)
		if !ok || e.Code != stockhand.CodeValidation || len(e.Fields) == 0 ||
			!strings.HasPrefix(e.Fields[0].Field, field) {
			t.Errorf("%s: %v", in, err)
		}
	}
}

// Rule R241: what an employee may not see is in no sum, and the answer says so.
func TestHiddenSumsOfDocumentsAreNotAdded(t *testing.T) {
	s := openShop(t, sandbox.Options{})
	storekeeper := s.as(t, s.info.Tokens.Storekeeper)
	r := callTool(t, storekeeper, "moysklad_documents", `{"kinds":["purchaseorder"]}`)
	wantNotice(t, r, tool.NoticeRightMissing)
	if !column(t, r, "sum").Hidden || strings.Contains(r.Answer, "₽") || len(r.Rows) == 0 {
		t.Errorf("sums are shown: %s", r.Answer)
	}
	r = callTool(t, storekeeper, "moysklad_documents", `{"kinds":["purchaseorder"],"sum_from":1}`)
	if len(r.Rows) > 0 || !strings.Contains(wantNotice(t, r, tool.NoticeRightMissing), "неизвестно") {
		t.Errorf("documents of unknown sums: %s", r.Answer)
	}
	r = callTool(t, storekeeper, "moysklad_documents", `{"kinds":["paymentin"]}`)
	if !strings.Contains(r.Answer, "Входящие платежи") || len(r.Rows) > 0 {
		t.Errorf("payments: %s", r.Answer)
	}
	r = callTool(t, storekeeper, "moysklad_documents", `{}`)
	if !strings.Contains(fmt.Sprint(r.Notices), "«Входящие платежи», «Исходящие платежи»") {
		t.Errorf("payments are left out silently: %v", r.Notices)
	}
	wantNotice(t, callTool(t, s.as(t, s.info.Tokens.Sales), "moysklad_documents", `{}`), tool.NoticeVisibility)
}

// One list is read for each type, in full pages; names are cached.
func TestDocumentsAreReadWithFewRequests(t *testing.T) {
	s := openShop(t, sandbox.Options{})
	a := s.owner(t)
	callTool(t, a, "moysklad_documents", `{}`)
	for in, most := range map[string]int{`{"kinds":["demand"],"from":"2026-09-01"}`: 2, `{"kinds":["move"]}`: 1,
		`{"number":"7","kinds":["customerorder"]}`: 2} {
		if r := callTool(t, a, "moysklad_documents", in); r.Provenance.Requests > most {
			t.Errorf("%s: %d requests: %+v", in, r.Provenance.Requests, r.Provenance.Sources)
		}
	}
}

// Rule R241: rows that are not shown count in the sums.
func TestALimitLeavesTheSumsOfDocuments(t *testing.T) {
	a := openShop(t, sandbox.Options{}).owner(t)
	whole := callTool(t, a, "moysklad_documents", `{"kinds":["demand"]}`)
	cut := callTool(t, a, "moysklad_documents", `{"kinds":["demand"],"limit":3}`)
	if len(cut.Rows) != 3 || cut.Answer != strings.TrimSuffix(whole.Answer, ".")+"; показаны последние 3." ||
		fmt.Sprint(cut.Totals) != fmt.Sprint(whole.Totals) {
		t.Errorf("%s\n%s", cut.Answer, whole.Answer)
	}
	wantNotice(t, cut, tool.NoticeTruncated)
	drafts := callTool(t, a, "moysklad_documents", `{"kinds":["customerorder"],"from":"2026-09-01"}`)
	wantNotice(t, drafts, tool.NoticePartial)
}
