package moysklad

import (
	"slices"
	"strings"
	"testing"

	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/sandbox"
	"github.com/stockhand/stockhand/internal/sandbox/company"
	"github.com/stockhand/stockhand/internal/tool"
)

// ofNow are the measures of now and of all time, which documents of a period do not add up to.
var ofNow = []string{"open_orders", "expected_on", "overdue_days", "supplier_overdue_days", "balance", "owed_to_us",
	"owed_by_us", "first_sale", "days_since", "purchases_count", "purchases_sum", "latest_sale", "debt_age",
	"our_debt_age"}

// party is what the raw documents say about a counterparty.
type party struct {
	balance     decimal.Decimal
	sold        decimal.Decimal
	first, last tool.Day
	count       int64
}

// parties adds up the documents of each counterparty: what they owe us is sales and what we paid, less returns, what
// they paid and what they supplied.
func parties(c *company.Company) map[company.ID]*party {
	all := map[company.ID]*party{}
	for _, x := range c.Catalogue().Counterparties {
		all[x.ID] = &party{}
	}
	for kind, sign := range map[company.DocumentType]int64{company.DemandDoc: 1, company.RetailDemandDoc: 1,
		company.PaymentOutDoc: 1, company.CashOutDoc: 1, company.SalesReturnDoc: -1, company.RetailSalesReturnDoc: -1,
		company.PaymentInDoc: -1, company.CashInDoc: -1, company.SupplyDoc: -1} {
		for _, d := range c.Documents(kind) {
			if !d.Applicable || d.Agent == nil {
				continue
			}
			p, sum := all[d.Agent.ID], d.Sum.Decimal().Major()
			if d.Rate != 0 {
				sum = sum.Mul(d.Rate.Decimal())
			}
			p.balance = p.balance.Add(sum.Mul(decimal.FromInt(sign)))
			if day := tool.DayOf(d.Moment.In(msapi.Moscow)); isSale(kind) {
				p.sold = p.sold.Add(sum)
				if p.count++; p.first == "" || day < p.first {
					p.first = day
				}
				p.last = max(p.last, day)
			}
		}
	}
	return all
}

// Debts and sales of all time by counterparty, and by their tags, equal the raw documents.
func TestFiguresOfCounterpartiesEqualTheRawDocuments(t *testing.T) { // rule R223, fact M86
	s := openShop(t, sandbox.Options{})
	a := s.owner(t)
	raw := parties(s.company)
	id := func(x *company.Counterparty) string { return string(x.ID) }
	wholesale := func(x *company.Counterparty) bool { return slices.Contains(x.Tags, "опт") }
	for _, q := range []struct {
		by, where string
		key       func(*company.Counterparty) string
		keep      func(*company.Counterparty) bool
	}{
		{"counterparty", ``, id, func(*company.Counterparty) bool { return true }},
		{"tag", ``, tagsOf, func(*company.Counterparty) bool { return true }},
		{"counterparty", `{"field":"tag","op":"=","values":["Опт"]}`, id, wholesale},
		{"tag", `{"field":"tag","op":"!=","values":["опт"]}`, tagsOf,
			func(x *company.Counterparty) bool { return !wholesale(x) }},
	} {
		want := map[string]*partySum{}
		total := &partySum{since: 1 << 30}
		for _, x := range s.company.Catalogue().Counterparties {
			if q.keep(x) && !x.Archived { // the report leaves archived ones out
				if want[q.key(x)] == nil {
					want[q.key(x)] = &partySum{since: 1 << 30}
				}
				want[q.key(x)].add(raw[x.ID])
				total.add(raw[x.ID])
			}
		}
		r := callTool(t, a, "moysklad_analyze", `{"measures":["owed_to_us","owed_by_us","first_sale","days_since",`+
			`"purchases_count","purchases_sum"],"by":["`+q.by+`"],"where":[`+q.where+`]}`)
		if len(r.Rows) != len(want) {
			t.Errorf("%v: %d rows, want %d", q.where, len(r.Rows), len(want))
		}
		for _, row := range append(slices.Clone(r.Rows), r.Totals) {
			w := total
			if key := cell(t, r, row, q.by+"_id").Text(); key != "" || !cell(t, r, row, q.by).IsEmpty() {
				w = want[key]
			}
			if w == nil {
				t.Errorf("%s: a row without counterparties: %v", q.where, row)
				continue
			}
			wantEqual(t, "owed to us", number(t, r, row, "owed_to_us"), w.toUs.Round(2))
			wantEqual(t, "owed by us", number(t, r, row, "owed_by_us"), w.byUs.Round(2))
			wantEqual(t, "purchases", number(t, r, row, "purchases_count"), decimal.FromInt(w.count))
			wantEqual(t, "sum of purchases", number(t, r, row, "purchases_sum"), w.sold.Round(2))
			if w.first == "" {
				if v := cell(t, r, row, "days_since"); !v.IsEmpty() {
					t.Errorf("days since no sale: %v", v)
				}
				continue
			}
			wantEqual(t, "days since", number(t, r, row, "days_since"), decimal.FromInt(w.since))
			if got := cell(t, r, row, "first_sale").Text(); got != string(w.first) {
				t.Errorf("first sale %s, want %s", got, w.first)
			}
		}
	}
}

// partySum adds up counterparties.
type partySum struct {
	toUs, byUs   decimal.Decimal
	sold         decimal.Decimal
	first        tool.Day
	since, count int64
}

func (s *partySum) add(p *party) {
	if p.balance.Sign() > 0 {
		s.toUs = s.toUs.Add(p.balance)
	} else {
		s.byUs = s.byUs.Sub(p.balance)
	}
	s.sold = s.sold.Add(p.sold)
	if s.count += p.count; p.first == "" {
		return
	}
	if s.first == "" || p.first < s.first {
		s.first = p.first
	}
	s.since = min(s.since, int64(tool.DayOf(noon).Time().Sub(p.last.Time()).Hours()/24))
}

// tagsOf returns the key of a counterparty's tags.
func tagsOf(x *company.Counterparty) string {
	return strings.Join(slices.Sorted(slices.Values(x.Tags)), ", ")
}

// A query whose rows must owe reads those that do, as the tool that is a preset of it, and assumes no period.
func TestOnlyCounterpartiesThatCanMeetAConditionAreRead(t *testing.T) { // rules R214 and R215
	s := openShop(t, sandbox.Options{})
	a := s.owner(t)
	for _, q := range []struct{ tool, arguments, filter string }{
		{"moysklad_receivables", `{}`, "balance>0"},
		{"moysklad_receivables", `{"direction":"owed_by_us","min_amount":"100"}`, "balance<0"},
		{"moysklad_analyze", `{"measures":["owed_to_us"],"by":["counterparty"],` +
			`"where":[{"field":"owed_to_us","op":">=","values":[100]}]}`, "balance>0"},
		{"moysklad_analyze", `{"measures":["owed_to_us"],"by":["counterparty"],` +
			`"where":[{"field":"owed_to_us","op":">=","values":[0]}]}`, ""},
		{"moysklad_analyze", `{"measures":["owed_to_us"],"by":["tag"],` +
			`"where":[{"field":"owed_to_us","op":">","values":[0]}]}`, ""},
	} {
		r := callTool(t, a, q.tool, q.arguments)
		at := slices.IndexFunc(r.Provenance.Sources,
			func(s tool.Source) bool { return s.Path == "report/counterparty" })
		if at < 0 || r.Provenance.Sources[at].Filter != q.filter {
			t.Errorf("%s %s: %v", q.tool, q.arguments, r.Provenance.Sources)
		}
		if r.Provenance.Period != nil || slices.ContainsFunc(r.Notices, func(n tool.Notice) bool {
			return strings.Contains(n.Message, "30 дней")
		}) {
			t.Errorf("%s %s: a period of figures of now", q.tool, q.arguments)
		}
	}
	id := string(s.company.Catalogue().Counterparties[0].ID)
	r := callTool(t, a, "moysklad_analyze", `{"measures":["purchases_sum"],"by":["counterparty"],`+
		`"where":[{"field":"counterparty","op":"=","values":["`+id+`"]}]}`)
	if len(r.Rows) != 1 || cell(t, r, r.Rows[0], "counterparty_id").Text() != id || r.Provenance.Requests > 2 {
		t.Errorf("%d requests: %v", r.Provenance.Requests, r.Rows)
	}
}

func TestHiddenBalancesAreNotTakenForNoDebts(t *testing.T) { // rule R214
	a := serve(t, respond(t, map[string]string{"report/counterparty": listJSON(
		`{"counterparty":{"meta":{"href":"x/entity/counterparty/00000000-0000-0000-0000-000000000001",` +
			`"type":"counterparty"},"name":"А"}}`)}))
	r := callTool(t, a, "moysklad_receivables", `{}`)
	wantNotice(t, r, tool.NoticeRightMissing)
	if len(r.Rows) > 0 || !strings.HasPrefix(r.Answer, "Ответить нельзя") {
		t.Errorf("%s %v", r.Answer, r.Rows)
	}
}
