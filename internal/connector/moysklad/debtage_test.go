package moysklad

import (
	"slices"
	"testing"

	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/sandbox"
	"github.com/stockhand/stockhand/internal/sandbox/company"
	"github.com/stockhand/stockhand/internal/tool"
)

// daysUnpaid returns the days since each counterparty's oldest document of a type that is not fully paid.
func daysUnpaid(c *company.Company, kind company.DocumentType) map[company.ID]int {
	days := map[company.ID]int{}
	for _, d := range c.Documents(kind) {
		if d.Applicable && d.PayedSum < d.Sum {
			at := tool.DayOf(d.Moment.In(msapi.Moscow))
			days[d.Agent.ID] = max(days[d.Agent.ID], tool.Period{From: at, To: tool.DayOf(noon)}.Days()-1)
		}
	}
	return days
}

// The age of debts and the latest sale, by counterparty and by tags, equal the raw documents.
func TestAgesOfDebtsEqualTheRawDocuments(t *testing.T) { // rule R223, fact M119
	s := openShop(t, sandbox.Options{})
	a, raw := s.owner(t), parties(s.company)
	shipped, supplied := daysUnpaid(s.company, company.DemandDoc), daysUnpaid(s.company, company.SupplyDoc)
	type ages struct {
		toUs, ours int
		latest     tool.Day
	}
	compared := 0
	for _, q := range []struct {
		by  string
		key func(*company.Counterparty) string
	}{{"counterparty", func(x *company.Counterparty) string { return string(x.ID) }}, {"tag", tagsOf}} {
		want, total := map[string]*ages{}, &ages{}
		for _, x := range s.company.Catalogue().Counterparties {
			if x.Archived {
				continue
			}
			if want[q.key(x)] == nil {
				want[q.key(x)] = &ages{}
			}
			for _, w := range []*ages{want[q.key(x)], total} {
				if raw[x.ID].balance.Sign() > 0 {
					w.toUs = max(w.toUs, shipped[x.ID])
				}
				if raw[x.ID].balance.Sign() < 0 {
					w.ours = max(w.ours, supplied[x.ID])
				}
				w.latest = max(w.latest, raw[x.ID].last)
			}
		}
		r := callTool(t, a, "moysklad_analyze", `{"measures":["debt_age","our_debt_age","latest_sale"],"by":["`+q.by+
			`"]}`)
		if p := r.Provenance; p.Requests != p.Needed {
			t.Errorf("%d requests, %d would be enough: %+v", p.Requests, p.Needed, p.Sources)
		}
		for _, row := range append(slices.Clone(r.Rows), r.Totals) {
			w := total
			if &row[0] != &r.Totals[0] {
				w = want[cell(t, r, row, q.by+"_id").Text()]
			}
			for name, days := range map[string]int{"debt_age": w.toUs, "our_debt_age": w.ours} {
				expected := tool.Empty
				if days > 0 {
					compared++
					expected = tool.Number(decimal.FromInt(int64(days)))
				}
				if got := cell(t, r, row, name); asJSON(got) != asJSON(expected) {
					t.Errorf("%v: %s is %s, want %s", row[0], name, asJSON(got), asJSON(expected))
				}
			}
			if got := cell(t, r, row, "latest_sale").Text(); got != string(w.latest) {
				t.Errorf("%v: the latest sale is %s, want %s", row[0], got, w.latest)
			}
		}
	}
	if compared < 10 {
		t.Errorf("%d ages", compared)
	}
}

// A condition on the age of debts reads only those who owe.
func TestOldDebtsReadDebtorsOnly(t *testing.T) { // rules R223 and R230
	s := openShop(t, sandbox.Options{})
	r := callTool(t, s.owner(t), "moysklad_analyze", `{"measures":["debt_age","owed_to_us"],"by":["counterparty"],`+
		`"where":[{"field":"debt_age","op":">","values":[14]}]}`)
	all := callTool(t, s.owner(t), "moysklad_analyze", `{"measures":["debt_age","owed_to_us"],"by":["counterparty"]}`)
	want := 0
	for _, row := range all.Rows {
		if n, ok := cell(t, all, row, "debt_age").Decimal(); ok && decimal.FromInt(14).Less(n) {
			want++
		}
	}
	if len(r.Rows) != want || want == 0 {
		t.Errorf("%d old debts, want %d", len(r.Rows), want)
	}
	for _, x := range r.Provenance.Sources {
		if x.Path == "report/counterparty" && x.Filter == "" {
			t.Errorf("%+v", x)
		}
	}
}

// Without shipments the age is not known, and not zero; the debts are.
func TestAgesOfDebtsAreHiddenWithTheirDocuments(t *testing.T) { // rules R15 and R223
	s := openShop(t, sandbox.Options{})
	if err := s.Fail(sandbox.Fault{Path: "entity/demand", Status: 403, Count: 100}); err != nil {
		t.Fatal(err)
	}
	r := callTool(t, s.owner(t), "moysklad_analyze", `{"measures":["debt_age","owed_to_us"],"by":["counterparty"]}`)
	wantNotice(t, r, tool.NoticeRightMissing)
	for _, row := range append(slices.Clone(r.Rows), r.Totals) {
		if !cell(t, r, row, "debt_age").IsEmpty() || cell(t, r, row, "owed_to_us").IsEmpty() {
			t.Errorf("%v", row)
		}
	}
}
