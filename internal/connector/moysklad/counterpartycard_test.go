package moysklad

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/sandbox"
	"github.com/stockhand/stockhand/internal/sandbox/company"
	"github.com/stockhand/stockhand/internal/tool"
)

// Rule R245: every figure of every counterparty's card equals what the raw documents say.
func TestACounterpartyCardEqualsTheRawDocuments(t *testing.T) {
	s := openShop(t, sandbox.Options{})
	a := s.owner(t)
	trades(t, s)
	closesByState(t, s)
	raw := parties(s.company)
	suppliers, customers, both := 0, 0, 0
	for _, x := range s.company.Catalogue().Counterparties {
		r := callTool(t, a, "moysklad_counterparty", fmt.Sprintf(`{"counterparty":%q,%s}`, x.ID, inOctober))
		all := parts(t, r)
		his := func(d *company.Document) bool { return d.Agent != nil && d.Agent.ID == x.ID }
		f := facts(all["Карточка"])
		for name, want := range map[string]string{"Телефон": x.Phone, "Почта": x.Email, "ИНН": x.INN,
			"Группы": strings.Join(x.Tags, ", "), "Код": x.Code, "ID": string(x.ID)} {
			if f[name] != want {
				t.Errorf("%s: %s is %q, want %q", x.Name, name, f[name], want)
			}
		}

		p, owed := raw[x.ID], all["Взаиморасчёты"]
		wantEqual(t, x.Name+" owes", number(t, owed, owed.Rows[0], "owed_to_us"), p.balance.Max(decimal.Zero).Round(2))
		wantEqual(t, x.Name+" is owed", number(t, owed, owed.Rows[0], "owed_by_us"),
			p.balance.Neg().Max(decimal.Zero).Round(2))
		said := map[int]string{1: "должны нам ", 0: "никто никому не должен", -1: "мы должны "}[p.balance.Sign()]
		if !strings.Contains(r.Answer, said) {
			t.Errorf("%s: a balance of %s: %s", x.Name, p.balance, r.Answer)
		}

		var gross, returned decimal.Decimal
		var receipts int64
		bought := map[string]decimal.Decimal{}
		for _, d := range newestOf(s.company, 1<<30, his, company.DemandDoc, company.RetailDemandDoc,
			company.SalesReturnDoc, company.RetailSalesReturnDoc) {
			if day := tool.DayOf(d.Moment.In(msapi.Moscow)); day < october.From || day > october.To {
				continue
			}
			sign := decimal.One
			if isReturn(d.Type) {
				sign = decimal.FromInt(-1)
			} else {
				receipts++
			}
			for _, line := range d.Positions {
				sum := line.Sum().Decimal().Major()
				if d.Rate != 0 {
					sum = sum.Mul(d.Rate.Decimal())
				}
				if isReturn(d.Type) {
					returned = returned.Add(sum)
				} else {
					gross = gross.Add(sum)
				}
				id := string(line.Good.Root().ID)
				bought[id] = bought[id].Add(sum.Mul(sign))
			}
		}
		if sales := all["Продажи с 22.10.2026 по 20.11.2026"]; receipts > 0 || returned.Sign() > 0 {
			customers++
			wantNear(t, x.Name+" revenue", number(t, sales, sales.Rows[0], "revenue"), gross.Sub(returned))
			wantNear(t, x.Name+" returns", number(t, sales, sales.Rows[0], "returns"), returned)
			wantEqual(t, x.Name+" receipts", number(t, sales, sales.Rows[0], "receipts"), decimal.FromInt(receipts))
			if receipts > 0 {
				wantNear(t, x.Name+" receipt", number(t, sales, sales.Rows[0], "average_receipt"),
					gross.Div(decimal.FromInt(receipts)))
			}
			goods := all["Что покупает"]
			for i := range goods.Rows {
				row := goods.Row(i)
				wantNear(t, x.Name+" "+row["name"].Text(), number(t, goods, goods.Rows[i], "revenue"),
					bought[row["product_id"].Text()])
				revenue := number(t, goods, goods.Rows[i], "revenue")
				if i > 0 && number(t, goods, goods.Rows[i-1], "revenue").Less(revenue) {
					t.Errorf("%s: %v is not sorted", x.Name, goods.Rows)
				}
			}
			if len(goods.Rows) != min(10, len(bought)) {
				t.Errorf("%s: %d goods of %d", x.Name, len(goods.Rows), len(bought))
			}
		} else if sales != nil {
			t.Errorf("%s: sales of nothing", x.Name)
		}

		wantOpen(t, x, all["Заказы к отгрузке или оплате"], s.company.Documents(company.CustomerOrderDoc),
			"not_shipped")
		wantOpen(t, x, all["Заказы поставщику к приёмке или оплате"],
			s.company.Documents(company.PurchaseOrderDoc), "not_received")

		supplies := newestOf(s.company, 1<<30, his, company.SupplyDoc)
		if purchases := all["Закупки с 22.10.2026 по 20.11.2026"]; len(supplies) > 0 {
			if suppliers++; receipts > 0 {
				both++
			}
			n, sum, currencies := 0, decimal.Zero, map[*company.Currency]bool{}
			for _, d := range supplies {
				if day := tool.DayOf(d.Moment.In(msapi.Moscow)); day >= october.From && day <= october.To {
					n, sum, currencies[d.Currency] = n+1, sum.Add(d.Sum.Decimal().Major()), true
				}
			}
			wantEqual(t, x.Name+" receipts", number(t, purchases, purchases.Rows[0], "supplies"),
				decimal.FromInt(int64(n)))
			if len(currencies) == 1 {
				wantEqual(t, x.Name+" sum", number(t, purchases, purchases.Rows[0], "purchase_sum"), sum)
			}
			if got := cell(t, purchases, purchases.Rows[0], "last_purchase").Text(); got != string(tool.DayOf(
				supplies[0].Moment.In(msapi.Moscow))) {
				t.Errorf("%s: the last purchase was on %s", x.Name, got)
			}
			wantLead(t, s.company, x, purchases)
		} else if purchases != nil {
			t.Errorf("%s: purchases of nothing", x.Name)
		}

		latest := all["Последние документы"]
		want := newestOf(s.company, 10, his, company.DemandDoc, company.RetailDemandDoc, company.SalesReturnDoc,
			company.PaymentInDoc, company.PaymentOutDoc, company.CashInDoc, company.CashOutDoc,
			company.CustomerOrderDoc, company.PurchaseOrderDoc, company.SupplyDoc)
		if latest == nil && len(want) > 0 || latest != nil && len(latest.Rows) != len(want) {
			t.Fatalf("%s: documents %v", x.Name, latest)
		}
		for i, d := range want {
			if got := latest.Row(i)["document"].Text(); got != namesOfTypes[d.Type]+" "+d.Name {
				t.Errorf("%s: document %d is %s, want %s %s", x.Name, i, got, d.Type, d.Name)
			}
			wantEqual(t, d.Name, number(t, latest, latest.Rows[i], "sum"), d.Sum.Decimal().Major())
		}
		if fewest := Fewest(r); r.Provenance.Requests > fewest {
			t.Errorf("%s: %d requests, %d would be enough", x.Name, r.Provenance.Requests, fewest)
		}
	}
	if suppliers < 5 || customers < 5 || both != 1 {
		t.Errorf("%d suppliers, %d customers, %d are both", suppliers, customers, both)
	}
}

// trades makes a supplier a customer as well.
func trades(t *testing.T, s *shop) {
	t.Helper()
	list := s.company.Catalogue()
	supplier := s.company.Documents(company.SupplyDoc)[0].Agent
	g := find(t, s, "a product", func(g *company.Good) bool {
		return g.Kind == company.Product && !g.Archived && len(g.Variants) == 0
	})
	_, err := s.company.Add(company.DemandDoc, company.NewDocument{Organization: list.Organizations[0], Agent: supplier,
		Store: list.Stores[0], Owner: list.Employees[0], Moment: noon.AddDate(0, 0, -25),
		Positions: []company.Position{{Good: g, Quantity: company.Units(2), Price: company.Kopecks(12_345)}}})
	if err != nil {
		t.Fatal(err)
	}
}

// closesByState adds orders that their state closes although nothing came of them, and a supplier order without a sum.
func closesByState(t *testing.T, s *shop) {
	t.Helper()
	list := s.company.Catalogue()
	g := find(t, s, "a product",
		func(g *company.Good) bool { return g.Kind == company.Product && len(g.Variants) == 0 })
	nine, three := noon.AddDate(0, 0, -9), noon.AddDate(0, 0, -3)
	for _, k := range []company.DocumentType{company.CustomerOrderDoc, company.PurchaseOrderDoc} {
		for _, state := range append(slices.Clone(list.States[k]), nil) {
			for _, price := range []company.Money{0, 70_000} {
				if _, err := s.company.Add(k, company.NewDocument{Organization: list.Organizations[0], State: state,
					Agent: s.company.Documents(k)[0].Agent, Store: list.Stores[0], Owner: list.Employees[0],
					Moment: nine, Planned: three,
					Positions: []company.Position{{Good: g, Quantity: company.Units(3), Price: price}}}); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}

// wantOpen compares the open orders of a card with the raw ones.
func wantOpen(t *testing.T, x *company.Counterparty, r *tool.Result, all []*company.Document, left string) {
	t.Helper()
	want := map[string]*company.Document{}
	for _, d := range all {
		if !d.Applicable || d.Agent == nil || d.Agent.ID != x.ID ||
			d.State != nil && d.State.StateType == "Unsuccessful" {
			continue
		}
		if !isDone(d) || d.PayedSum < d.Sum {
			want[string(d.ID)] = d
		}
	}
	if r == nil {
		r = &tool.Result{}
	}
	if len(r.Rows) != len(want) {
		t.Errorf("%s: %d open orders, want %d", x.Name, len(r.Rows), len(want))
	}
	for i := range r.Rows {
		d := want[r.Row(i)["document_id"].Text()]
		if d == nil {
			t.Errorf("%s: the order %v is done", x.Name, r.Row(i))
			continue
		}
		wantEqual(t, d.Name, number(t, r, r.Rows[i], "sum"), d.Sum.Decimal().Major())
		missing := max(0, d.Sum-d.ShippedSum).Decimal().Major()
		if isDone(d) {
			missing = decimal.Zero // it will not come
		}
		if got := cell(t, r, r.Rows[i], left); d.Sum == 0 != got.IsEmpty() {
			t.Errorf("%s of %s: %v is left", d.Name, d.Sum.Decimal(), got)
		} else if d.Sum != 0 {
			wantEqual(t, d.Name+" left", number(t, r, r.Rows[i], left), missing)
		}
		wantEqual(t, d.Name+" unpaid", number(t, r, r.Rows[i], "unpaid"), max(0, d.Sum-d.PayedSum).Decimal().Major())
		days, _ := cell(t, r, r.Rows[i], "overdue_days").Decimal()
		due := tool.DayOf(d.Planned.In(msapi.Moscow))
		if late := !d.Planned.IsZero() && !isDone(d) && due < tool.DayOf(noon); late != (days.Sign() > 0) {
			t.Errorf("%s: %s days late, planned %s", d.Name, days, d.Planned)
		}
	}
}

// isDone reports whether nothing more will come of an order: all of it came, or its state closes it. That nothing came
// of an order for nothing says nothing.
func isDone(d *company.Document) bool {
	return d.Sum > 0 && d.ShippedSum >= d.Sum || d.State != nil && d.State.StateType != "Regular"
}

// wantLead compares the lead time with the raw orders and receipts.
func wantLead(t *testing.T, c *company.Company, x *company.Counterparty, r *tool.Result) {
	t.Helper()
	var days []int
	for _, o := range c.Documents(company.PurchaseOrderDoc) {
		if !o.Applicable || o.Agent.ID != x.ID {
			continue
		}
		first := tool.Day("")
		for _, d := range c.Documents(company.SupplyDoc) {
			day := tool.DayOf(d.Moment.In(msapi.Moscow))
			if d.Applicable && d.Order == o && (first == "" || day < first) {
				first = day
			}
		}
		if from := tool.DayOf(o.Moment.In(msapi.Moscow)); first >= from && first != "" {
			days = append(days, tool.Period{From: from, To: first}.Days()-1)
		}
	}
	slices.Sort(days)
	got := cell(t, r, r.Rows[0], "lead_days")
	if len(days) == 0 {
		if !got.IsEmpty() {
			t.Errorf("%s: a lead time of %v without receipts of orders", x.Name, got)
		}
		return
	}
	wantEqual(t, x.Name+" lead", number(t, r, r.Rows[0], "lead_days"), decimal.FromInt(int64(days[len(days)/2])))
	wantEqual(t, x.Name+" of", number(t, r, r.Rows[0], "lead_orders"), decimal.FromInt(int64(len(days))))
}

// Rule R243: a counterparty is found by whatever names it, and never guessed.
func TestACounterpartyIsFoundByAnyOfItsNames(t *testing.T) {
	s := openShop(t, sandbox.Options{})
	a := s.owner(t)
	x := s.company.Catalogue().Counterparties[13]
	archived := *s.company.Catalogue().Counterparties[14]
	archived.Archived = true
	if _, err := s.company.SaveCounterparty(archived); err != nil {
		t.Fatal(err)
	}
	ask := func(name string) (*tool.Result, error) {
		return tryTool(a, "moysklad_counterparty", fmt.Sprintf(`{"counterparty":%q}`, name), tool.Env{Now: noon})
	}
	for _, cached := range []bool{false, true} {
		if cached {
			if _, err := a.CounterpartyList(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		for name, want := range map[string]company.ID{x.Name: x.ID, strings.ToUpper(x.Name): x.ID, x.Code: x.ID,
			string(x.ID) + " ": x.ID, archived.Name: archived.ID, archived.Code: archived.ID} {
			r, err := ask(name)
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			if id := facts(parts(t, r)["Карточка"])["ID"]; id != string(want) {
				t.Errorf("%s: %s", name, r.Title)
			}
		}
	}
	twin := *s.company.Catalogue().Counterparties[12]
	twin.Name = x.Name
	if _, err := s.company.SaveCounterparty(twin); err != nil {
		t.Fatal(err)
	}
	for name, said := range map[string]string{x.Name: "уточните", "ООО": "уточните", "Никто": "не найдено",
		"e5e629f6-dd98-1103-0a80-d06806461cb2": "не найдено", " ": "назовите"} {
		_, err := tryTool(s.owner(t), "moysklad_counterparty", fmt.Sprintf(`{"counterparty":%q}`, name),
			tool.Env{Now: noon})
		e, ok := errors.AsType[*stockhand.Error](err)
		if !ok || e.Code != stockhand.CodeValidation || !strings.Contains(e.Hint+e.Error(), said) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Rules R15 and R245: what an employee may not see is named, and is not zero.
func TestACounterpartyCardNamesWhatIsHidden(t *testing.T) {
	s := openShop(t, sandbox.Options{})
	supplier := s.company.Documents(company.SupplyDoc)[0].Agent
	in := fmt.Sprintf(`{"counterparty":%q}`, supplier.ID)
	r := callTool(t, s.as(t, s.info.Tokens.Storekeeper), "moysklad_counterparty", in)
	all := parts(t, r)
	if all["Взаиморасчёты"] != nil || strings.Contains(r.Answer, "долж") {
		t.Errorf("the storekeeper sees a balance: %s", r.Answer)
	}
	for _, said := range []string{"«Показатели контрагентов»", "«Прибыльность»"} {
		if !strings.Contains(r.Answer, said) {
			t.Errorf("%s is not named: %s", said, r.Answer)
		}
	}
	if open := all["Заказы поставщику к приёмке или оплате"]; open != nil && !column(t, open, "sum").Hidden {
		t.Error("the storekeeper sees sums of supplier orders")
	}
	if n := countNotices(r, "«Входящие платежи»"); n != 1 {
		t.Errorf("payments are not named: %v", r.Notices)
	}
	r = callTool(t, s.as(t, s.info.Tokens.Sales), "moysklad_counterparty", in)
	wantNotice(t, r, tool.NoticeVisibility)
	closed := serve(t, respond(t, map[string]string{"entity/counterparty": "403", "entity/counterparty/" + string(
		supplier.ID): "403"}))
	for _, name := range []string{string(supplier.ID), "Ромашка"} {
		r = callTool(t, closed, "moysklad_counterparty", fmt.Sprintf(`{"counterparty":%q}`, name))
		if len(r.Rows) > 0 || !strings.Contains(r.Answer, "«Контрагенты»") {
			t.Errorf("%s: %s", name, r.Answer)
		}
	}
}

// Rule R245: contact persons are read if there are some, and states of counterparties.
func TestTheContactsOfACounterparty(t *testing.T) {
	const id = "00000000-0000-0000-0000-0000000000a1"
	state := `{"id":"00000000-0000-0000-0000-0000000000b1","name":"Новый"}`
	a := serve(t, respond(t, map[string]string{
		"entity/counterparty/" + id: `{"id":"` + id + `","name":"ООО «Ромашка»","phone":"+7 000","legalTitle":"Ромашка",` +
			`"contactpersons":{"meta":{"size":1}},"state":{"meta":{"type":"state","href":"x/entity/counterparty/metadata/` +
			`states/00000000-0000-0000-0000-0000000000b1"}}}`,
		"entity/counterparty/" + id + "/contactpersons": listJSON(
			`{"name":"Анна","position":"директор","phone":"123","email":"a@b.example"}`),
		"entity/counterparty/metadata": `{"states":[` + state + `]}`,
		"report/counterparty/" + id:    `{"counterparty":{"meta":{"href":"x/entity/counterparty/` + id + `"}},"balance":-150}`,
	}))
	r := callTool(t, a, "moysklad_counterparty", `{"counterparty":"`+id+`"}`)
	f := facts(parts(t, r)["Карточка"])
	for name, want := range map[string]string{"Телефон": "+7 000", "Полное название": "Ромашка", "Статус": "Новый",
		"Контактное лицо": "Анна (директор), 123, a@b.example"} {
		if f[name] != want {
			t.Errorf("%s: %q, want %q", name, f[name], want)
		}
	}
	if !strings.Contains(r.Answer, "мы должны 1,50") || strings.Contains(r.Answer, "%!") {
		t.Error(r.Answer)
	}
}

// Rule R245: a marketplace with a hundred thousand orders is not read whole.
func TestACounterpartyWithVeryManyOrdersShowsThoseOfThePeriod(t *testing.T) {
	const id = "00000000-0000-0000-0000-0000000000a1"
	order := `{"id":"00000000-0000-0000-0000-0000000000e1","name":"7","applicable":true,"sum":100,"moment":` +
		`"2026-11-10 10:00:00.000","payedSum":0,"shippedSum":0,"agent":{"meta":{"type":"counterparty","href":` +
		`"x/entity/counterparty/` + id + `"}}}`
	bodies := map[string]string{"entity/counterparty/" + id: `{"id":"` + id + `","name":"Площадка"}`,
		"entity/customerorder":              `{"meta":{"size":100000,"limit":1000,"offset":0},"rows":[` + order + `]}`,
		"entity/customerorder?moment>":      listJSON(order),
		"entity/customerorder?order=moment": listJSON(order)}
	handler := respond(t, bodies)
	asked := 0
	a := serve(t, http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		if strings.HasSuffix(q.URL.Path, "entity/customerorder") {
			asked++
		}
		handler.ServeHTTP(w, q)
	}))
	r := callTool(t, a, "moysklad_counterparty", `{"counterparty":"`+id+`"}`)
	if open := parts(t, r)["Заказы к отгрузке или оплате"]; open == nil || len(open.Rows) != 1 || asked > 3 ||
		!strings.Contains(wantNotice(t, r, tool.NoticePartial), "слишком много") {
		t.Errorf("%d requests, %v: %s", asked, r.Notices, r.Answer)
	}
}

// Rule R245: if the employee may not see the states of orders, the card says what it cannot tell.
func TestHiddenStatesOfOrdersAreNamed(t *testing.T) {
	const id = "00000000-0000-0000-0000-0000000000a1"
	order := `{"id":"00000000-0000-0000-0000-0000000000e1","name":"7","applicable":true,"sum":100,"moment":` +
		`"2026-11-10 10:00:00.000","payedSum":0,"shippedSum":0,"agent":{"meta":{"type":"counterparty","href":` +
		`"x/entity/counterparty/` + id + `"}},"state":{"meta":{"type":"state","href":"x/entity/customerorder/metadata/` +
		`states/00000000-0000-0000-0000-0000000000b1"}}}`
	r := callTool(t, serve(t, respond(t, map[string]string{"entity/customerorder": listJSON(order),
		"entity/counterparty/" + id: `{"id":"` + id + `","name":"ООО «Ромашка»"}`, "entity/customerorder/metadata": "403",
	})), "moysklad_counterparty", `{"counterparty":"`+id+`"}`)
	if open := parts(t, r)["Заказы к отгрузке или оплате"]; open == nil || len(open.Rows) != 1 {
		t.Errorf("%v", open)
	}
	if n := countNotices(r, "закрытые по статусу"); n != 1 {
		t.Errorf("%v", r.Notices)
	}
}

// Rule R245: if there are too many receipts in the period, too, none of them is counted, and the card says so. The last
// purchase is that of any time.
func TestACounterpartyWithVeryManyReceipts(t *testing.T) {
	const id = "00000000-0000-0000-0000-0000000000a1"
	supply := func(number, moment string) string {
		return `{"id":"00000000-0000-0000-0000-0000000000e` + number + `","name":"` + number + `","applicable":true,` +
			`"sum":100,"moment":"` + moment + ` 10:00:00.000","agent":{"meta":{"type":"counterparty","href":` +
			`"x/entity/counterparty/` + id + `"}}}`
	}
	many := func(row string) string {
		return `{"meta":{"size":100000,"limit":1000,"offset":0},"rows":[` + row + `]}`
	}
	bodies := map[string]string{"entity/counterparty/" + id: `{"id":"` + id + `","name":"База"}`,
		"entity/supply":              many(supply("1", "2026-03-01")),
		"entity/supply?moment>":      listJSON(supply("2", "2026-10-05")),
		"entity/supply?order=moment": listJSON(supply("3", "2026-11-19"))}
	in := `{"counterparty":"` + id + `","from":"2026-10-01","to":"2026-10-31"}`
	r := callTool(t, serve(t, respond(t, bodies)), "moysklad_counterparty", in)
	bought := parts(t, r)["Закупки с 01.10.2026 по 31.10.2026"]
	if bought == nil || bought.Row(0)["last_purchase"].Text() != "2026-11-19" {
		t.Fatalf("%v", bought)
	}
	wantEqual(t, "receipts", number(t, bought, bought.Rows[0], "supplies"), decimal.One)
	if latest := parts(t, r)["Последние документы"]; len(latest.Rows) != 1 ||
		latest.Row(0)["document"].Text() != "Приёмка 3" {
		t.Errorf("%v", latest.Rows)
	}
	bodies["entity/supply?moment>"] = many(supply("2", "2026-10-05"))
	r = callTool(t, serve(t, respond(t, bodies)), "moysklad_counterparty", in)
	if parts(t, r)["Закупки с 01.10.2026 по 31.10.2026"] != nil || countNotices(r, "за период 100000") != 1 ||
		len(parts(t, r)["Последние документы"].Rows) != 1 || r.Provenance.Requests > 25 {
		t.Errorf("%d requests, %v: %s", r.Provenance.Requests, r.Notices, r.Answer)
	}
}
