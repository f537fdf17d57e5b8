package moysklad

import (
	"strings"
	"testing"
	"time"

	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/sandbox"
	"github.com/stockhand/stockhand/internal/sandbox/company"
	"github.com/stockhand/stockhand/internal/tool"
)

// lateOrders returns the overdue orders and drafts among the documents.
func lateOrders(c *company.Company, today tool.Day, mine string) (late map[company.ID]*company.Document, drafts,
	stateless int) {
	late = map[company.ID]*company.Document{}
	for _, d := range c.Documents(company.CustomerOrderDoc) {
		closed := d.State != nil && d.State.StateType != "Regular"
		if d.Planned.IsZero() || tool.DayOf(d.Planned.In(msapi.Moscow)) >= today || closed || d.ShippedSum >= d.Sum ||
			mine != "" && !strings.HasPrefix(d.Owner.UID, mine) {
			continue
		}
		if !d.Applicable {
			drafts++
			continue
		}
		if d.State == nil {
			stateless++
		}
		late[d.ID] = d
	}
	return late, drafts, stateless
}

func TestOverdueOrdersIncludeThoseWithoutAState(t *testing.T) { // fact M23
	for _, keeps := range []bool{false, true} {
		s := openShop(t, sandbox.Options{Switches: sandbox.Switches{NotEqualKeepsNull: keeps},
			Company: company.Options{Seed: 5, Products: 200, Days: 90}})
		r := callTool(t, s.owner(t), "moysklad_overdue_orders", `{}`)
		want, drafts, stateless := lateOrders(s.company, "2026-11-20", "")
		if len(want) < 5 || stateless == 0 || drafts == 0 {
			t.Fatalf("the fixture has %d overdue orders, %d without a state, %d drafts", len(want), stateless, drafts)
		}
		if len(r.Rows) != len(want) {
			t.Errorf("%d rows, want %d", len(r.Rows), len(want))
		}
		var left decimal.Decimal
		for _, row := range r.Rows {
			d := want[company.ID(cell(t, r, row, "id").Text())]
			if d == nil {
				t.Errorf("not overdue: %v", row)
				continue
			}
			wantEqual(t, d.Name+" sum", number(t, r, row, "sum"), d.Sum.Decimal().Major())
			wantEqual(t, d.Name+" left", number(t, r, row, "left_sum"), (d.Sum - d.ShippedSum).Decimal().Major())
			left = left.Add((d.Sum - d.ShippedSum).Decimal().Major())
			if name := cell(t, r, row, "counterparty").Text(); name != d.Agent.Name {
				t.Errorf("%s: customer %q, want %s", d.Name, name, d.Agent.Name)
			}
			if state := cell(t, r, row, "state").Text(); d.State == nil && state != "(без статуса)" || d.State != nil &&
				state != d.State.Name {
				t.Errorf("%s: state %q", d.Name, state)
			}
		}
		// fact M63
		if m := wantNotice(t, r, tool.NoticePartial); !strings.Contains(m, decimal.FromInt(int64(drafts)).String()) {
			t.Errorf("drafts: %s", m)
		}
	}
}

func TestOwnOrdersAreReportedAsPartial(t *testing.T) { // fact M42
	s := openShop(t, sandbox.Options{Company: company.Options{Seed: 5, Products: 200, Days: 90}})
	r := callTool(t, s.as(t, s.info.Tokens.Sales), "moysklad_overdue_orders", `{}`)
	want, _, _ := lateOrders(s.company, "2026-11-20", "sales@")
	if len(r.Rows) != len(want) {
		t.Errorf("%d rows, want %d", len(r.Rows), len(want))
	}
	wantNotice(t, r, tool.NoticeVisibility)
}

const (
	orderA = `{"id":"00000000-0000-0000-0000-0000000000a1","name":"1","moment":"2026-11-01 10:00:00","deliveryPlannedMoment":"2026-11-20 00:00:00","applicable":true,"sum":10000,"shippedSum":0}`
	orderB = `{"id":"00000000-0000-0000-0000-0000000000b1","name":"2","moment":"2026-11-01 10:00:00","deliveryPlannedMoment":"2026-11-10 00:00:00","applicable":true,"sum":5000,"shippedSum":1000,` +
		`"rate":{"value":92.5,"currency":{"meta":{"href":"x/entity/currency/00000000-0000-0000-0000-0000000000c2","type":"currency"}}}}`
)

func lateServer(t *testing.T, orders ...string) opened {
	t.Helper()
	return serve(t, respond(t, map[string]string{
		"entity/customerorder": listJSON(orders...),
		"entity/currency": listJSON(`{"id":"00000000-0000-0000-0000-0000000000c1","name":"руб","isoCode":"RUB","default":true}`,
			`{"id":"00000000-0000-0000-0000-0000000000c2","name":"USD","isoCode":"USD","default":false}`),
		"entity/customerorder/metadata": `{"states":[]}`,
	}))
}

func TestAnOrderPlannedForTodayIsNotOverdueUntilMidnightInMoscow(t *testing.T) { // fact M35
	a := lateServer(t, orderA)
	for at, rows := range map[string]int{"2026-11-20T20:59:00Z": 0, "2026-11-20T21:01:00Z": 1} {
		now, err := time.Parse(time.RFC3339, at)
		if err != nil {
			t.Fatal(err)
		}
		r, err := tryTool(a, "moysklad_overdue_orders", `{}`, tool.Env{Now: now})
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Rows) != rows {
			t.Errorf("at %s: %d rows, want %d", at, len(r.Rows), rows)
		}
	}
}

func TestSumsOfDifferentCurrenciesAreNotAdded(t *testing.T) { // fact M32
	r, err := tryTool(lateServer(t, orderA, orderB), "moysklad_overdue_orders", `{}`,
		tool.Env{Now: noon.AddDate(0, 0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Rows) != 2 || !cell(t, r, r.Totals, "left_sum").IsEmpty() {
		t.Errorf("rows %v, totals %v", r.Rows, r.Totals)
	}
	wantNotice(t, r, tool.NoticeCurrency)
	if c := cell(t, r, r.Rows[0], "left_sum"); c.Currency() != "USD" || !strings.Contains(r.Answer, "40,00\u00a0$") ||
		!strings.Contains(r.Answer, "100,00\u00a0₽") {
		t.Errorf("total outstanding %v: %s", c, r.Answer)
	}
}

func TestMinDaysFiltersByDelay(t *testing.T) {
	r, err := tryTool(lateServer(t, orderA, orderB), "moysklad_overdue_orders", `{"min_days":5}`,
		tool.Env{Now: noon.AddDate(0, 0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Rows) != 1 {
		t.Errorf("rows %v", r.Rows)
	}
}

func TestCreditIsIncome(t *testing.T) { // fact M84
	a := serve(t, respond(t, map[string]string{
		"report/money/plotseries": `{"credit":40000,"debit":15000,"series":[{"date":"2026-11-19 00:00:00","credit":30000,"debit":5000,"balance":25000},{"date":"2026-11-20 00:00:00","credit":10000,"debit":10000,"balance":0}]}`,
	}))
	r := callTool(t, a, "moysklad_money", `{"what":"flow","from":"2026-11-19","to":"2026-11-20"}`)
	wantEqual(t, "income", number(t, r, r.Totals, "income"), decimal.FromInt(400))
	wantEqual(t, "expense", number(t, r, r.Totals, "expense"), decimal.FromInt(150))
	wantEqual(t, "net", number(t, r, r.Rows[0], "net"), decimal.FromInt(250))
	if !strings.Contains(r.Answer, "пришло 400,00") || !strings.Contains(r.Answer, "ушло 150,00") {
		t.Errorf("answer: %s", r.Answer)
	}
}

func TestBalancesMatchTheAccounts(t *testing.T) {
	s := openShop(t, sandbox.Options{})
	r := callTool(t, s.owner(t), "moysklad_money", `{}`)
	want, currencies := map[string]decimal.Decimal{}, map[string]string{}
	for _, b := range s.company.MoneyByAccount() {
		name := "Касса " + string(b.Organization.ID)
		currencies[name] = "RUB"
		if b.Account != nil {
			name = b.Account.Number
			currencies[name] = b.Account.Currency.ISOCode
		}
		want[name] = b.Balance.Decimal().Major()
	}
	if len(r.Rows) != len(want) {
		t.Errorf("%d rows, want %d", len(r.Rows), len(want))
	}
	for _, row := range r.Rows {
		name := cell(t, r, row, "account").Text()
		if name == "Касса" {
			name += " " + cell(t, r, row, "organization_id").Text()
		}
		wantNear(t, name, number(t, r, row, "balance"), want[name])
		if got := cell(t, r, row, "balance").Currency(); got != currencies[name] {
			t.Errorf("%s: in %s, want %s", name, got, currencies[name])
		}
	}
}

func TestEachBalanceIsInTheCurrencyOfItsAccount(t *testing.T) {
	const rub, usd, org = "00000000-0000-0000-0000-0000000000c1", "00000000-0000-0000-0000-0000000000c2",
		"00000000-0000-0000-0000-0000000000d1"
	account := func(id, name string) string {
		return `{"account":{"meta":{"href":"x/entity/organization/` + org + `/accounts/` + id +
			`","type":"account"},"name":"` + name + `"},"organization":{"meta":{"href":"x/entity/organization/` + org +
			`","type":"organization"},"name":"О"},"balance":10050}`
	}
	const first, second = "00000000-0000-0000-0000-0000000000e1", "00000000-0000-0000-0000-0000000000e2"
	a := serve(t, respond(t, map[string]string{
		"entity/currency": listJSON(`{"id":"`+rub+`","isoCode":"RUB","default":true}`, `{"id":"`+usd+
			`","isoCode":"USD"}`),
		"report/money/byaccount": `{"meta":{"type":"moneyreport"},"rows":[` + account(first, "1") + `,` +
			account(second, "2") + `]}`,
		"entity/organization/" + org + "/accounts": listJSON(`{"id":"`+first+`","accountNumber":"1"}`,
			`{"id":"`+second+`","accountNumber":"2","currency":{"meta":{"href":"x/entity/currency/`+usd+
				`","type":"currency"}}}`),
	}))
	r := callTool(t, a, "moysklad_money", `{}`)
	if len(r.Rows) != 2 || cell(t, r, r.Rows[0], "balance").Currency() != "RUB" ||
		cell(t, r, r.Rows[1], "balance").Currency() != "USD" || !cell(t, r, r.Totals, "balance").IsEmpty() {
		t.Errorf("rows %v, totals %v", r.Rows, r.Totals)
	}
	wantNotice(t, r, tool.NoticeCurrency)
	if !strings.Contains(r.Answer, "100,50\u00a0₽") || !strings.Contains(r.Answer, "100,50\u00a0$") {
		t.Errorf("answer: %s", r.Answer)
	}
}

func TestTheTrendMatchesTheDocumentsByDay(t *testing.T) {
	s := openShop(t, sandbox.Options{})
	r := callTool(t, s.owner(t), "moysklad_sales_trend", `{"from":"2026-11-01","to":"2026-11-19","compare":true}`)
	if len(r.Rows) != 19 {
		t.Errorf("%d rows", len(r.Rows))
	}
	byDay := map[tool.Day]decimal.Decimal{}
	counts := map[tool.Day]int{}
	for _, kind := range []company.DocumentType{company.DemandDoc, company.RetailDemandDoc} {
		for _, d := range s.company.Documents(kind) {
			if d.Applicable {
				sum := d.Sum.Decimal().Major()
				if d.Rate != 0 {
					sum = sum.Mul(d.Rate.Decimal())
				}
				day := tool.DayOf(d.Moment.In(msapi.Moscow))
				byDay[day] = byDay[day].Add(sum)
				counts[day]++
			}
		}
	}
	var total, earlier decimal.Decimal
	for _, row := range r.Rows {
		day := tool.Day(cell(t, r, row, "date").Text())
		wantNear(t, string(day), number(t, r, row, "sum"), byDay[day])
		wantEqual(t, string(day), number(t, r, row, "sales_count"), decimal.FromInt(int64(counts[day])))
		was := tool.Day(cell(t, r, row, "previous_date").Text())
		if was != tool.DayOf(day.Time().AddDate(0, -1, 0)) {
			t.Errorf("%s is compared with %s", day, was)
		}
		wantNear(t, string(was), number(t, r, row, "previous_sum"), byDay[was])
		total, earlier = total.Add(byDay[day]), earlier.Add(byDay[was])
	}
	wantEqual(t, "change", number(t, r, r.Totals, "change_percent"),
		total.Sub(earlier).Mul(decimal.Hundred).Div(earlier).Round(1))
	if m := wantNotice(t, r, tool.NoticeAssumption); !strings.Contains(m, "Возвраты") { // fact M81
		t.Errorf("notice: %s", m)
	}
}

func TestAMissingIntervalHasZeroSales(t *testing.T) {
	a := serve(t, respond(t, map[string]string{"report/sales/plotseries": `{"series":[{"date":"2026-11-02 00:00:00","quantity":2,"sum":12345}]}`}))
	r := callTool(t, a, "moysklad_sales_trend", `{"from":"2026-11-01","to":"2026-11-03"}`)
	if len(r.Rows) != 3 {
		t.Fatalf("rows: %v", r.Rows)
	}
	wantEqual(t, "the day before", number(t, r, r.Rows[0], "sum"), decimal.Zero)
	wantEqual(t, "the day", number(t, r, r.Rows[1], "sum"), decimal.MustParse("123.45"))
}

func TestDebtsMatchTheCounterpartyReport(t *testing.T) {
	s := openShop(t, sandbox.Options{})
	a := s.owner(t)
	var toUs, byUs decimal.Decimal
	debtors, creditors := 0, 0
	for _, row := range s.company.CounterpartyReport() {
		switch b := row.Balance.Decimal().Major(); b.Sign() {
		case 1:
			toUs, debtors = toUs.Add(b), debtors+1
		case -1:
			byUs, creditors = byUs.Sub(b), creditors+1
		}
	}
	r := callTool(t, a, "moysklad_receivables", `{"direction":"both"}`)
	wantNear(t, "owed to us", number(t, r, r.Totals, "owed_to_us"), toUs)
	wantNear(t, "owed by us", number(t, r, r.Totals, "owed_by_us"), byUs)
	if len(r.Rows) != debtors+creditors {
		t.Errorf("%d rows, want %d", len(r.Rows), debtors+creditors)
	}
	first := r.Rows[0]
	name, amount := cell(t, r, first, "counterparty").Text(), number(t, r, first, "owed_to_us")
	one := callTool(t, a, "moysklad_receivables", `{"counterparties":["`+
		strings.ReplaceAll(strings.ToLower(name), `"`, `\"`)+`"]}`)
	if len(one.Rows) != 1 {
		t.Fatalf("%s: rows %v", name, one.Rows)
	}
	wantEqual(t, name, number(t, one, one.Rows[0], "owed_to_us"), amount)
	if r := callTool(t, a, "moysklad_receivables", `{"min_amount":"`+amount.String()+`"}`); len(r.Rows) != 1 {
		t.Errorf("minimum %s: %d rows", amount, len(r.Rows))
	}
}
