package moysklad

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/sandbox"
	"github.com/stockhand/stockhand/internal/sandbox/company"
	"github.com/stockhand/stockhand/internal/tool"
)

var october = tool.Period{From: "2026-10-22", To: "2026-11-20"}

const inOctober = `"from":"2026-10-22","to":"2026-11-20"`

func TestRevenueIsNetOfReturns(t *testing.T) { // fact M81
	s := openShop(t, sandbox.Options{})
	r := callTool(t, s.owner(t), "moysklad_profitability", `{`+inOctober+`}`)
	want := salesByGood(s.company, october)
	if len(r.Rows) != len(want) {
		t.Errorf("%d rows, want %d", len(r.Rows), len(want))
	}
	returned := false
	var revenue, covered, cost decimal.Decimal
	for _, row := range r.Rows {
		w := want[company.ID(cell(t, r, row, "id").Text())]
		name := cell(t, r, row, "name").Text()
		wantNear(t, name+" revenue", number(t, r, row, "revenue"), w.revenue)
		wantEqual(t, name+" sold", number(t, r, row, "sold"), w.sold)
		wantEqual(t, name+" returned", number(t, r, row, "returned"), w.returned)
		returned = returned || w.returned.Sign() > 0
		revenue = revenue.Add(w.revenue)
		g, _ := s.company.Good(company.ID(cell(t, r, row, "id").Text()))
		if w.cost.Sign() == 0 && g.Kind != company.Service { // fact M82: zero cost with revenue means unknown cost
			if !cell(t, r, row, "profit").IsEmpty() || !cell(t, r, row, "margin_percent").IsEmpty() {
				t.Errorf("%s: a profit despite an unknown cost", name)
			}
			wantEqual(t, name+" known", number(t, r, row, "cost_known_percent"), decimal.Zero)
			continue
		}
		covered, cost = covered.Add(w.revenue), cost.Add(w.cost)
		wantNear(t, name+" profit", number(t, r, row, "profit"), w.revenue.Sub(w.cost))
	}
	if !returned || covered.Cmp(revenue) == 0 {
		t.Fatal("the fixture has no returns or no unknown cost")
	}
	total := func(name string) decimal.Decimal { return number(t, r, r.Totals, name) }
	if d := total("revenue").Sub(revenue).Abs(); d.Cmp(decimal.One) > 0 {
		t.Errorf("revenue %s, want %s", total("revenue"), revenue)
	}
	wantEqual(t, "margin", total("margin_percent"), covered.Sub(cost).Mul(decimal.Hundred).Div(covered).Round(1))
	wantEqual(t, "share of known cost", total("cost_known_percent"), covered.Mul(decimal.Hundred).Div(revenue).Round(1))
}

func TestTheRevenueOfAServiceIsItsProfit(t *testing.T) { // rule R192
	s := openShop(t, sandbox.Options{})
	sales := salesByGood(s.company, october)
	var services, vendor decimal.Decimal
	for id, x := range sales {
		vendor = vendor.Add(x.revenue).Sub(x.cost)
		if g, _ := s.company.Good(id); g.Kind == company.Service {
			services = services.Add(x.revenue)
		}
	}
	if services.Sign() == 0 {
		t.Fatal("the fixture has no services")
	}
	r := callTool(t, s.owner(t), "moysklad_profitability", `{`+inOctober+`}`)
	var found decimal.Decimal
	for _, row := range r.Rows {
		if g, _ := s.company.Good(company.ID(cell(t, r, row, "id").Text())); g.Kind == company.Service {
			found = found.Add(number(t, r, row, "profit"))
		}
	}
	wantNear(t, "profit of services", found, services)
	rest, profit := number(t, r, r.Totals, "revenue_without_cost"), number(t, r, r.Totals, "profit")
	wantNear(t, "the profit in MoySklad's own report", profit.Add(rest), vendor)
	notice := wantNotice(t, r, tool.NoticeCostPartial)
	for _, sum := range []decimal.Decimal{rest, profit.Add(rest)} {
		if !strings.Contains(notice, tool.FormatMoney(sum, "RUB", "ru")) {
			t.Errorf("%s is not in the notice: %s", sum, notice)
		}
	}
}

func TestProfitTotalsAddUp(t *testing.T) { // rule R192
	a := openShop(t, sandbox.Options{}).owner(t)
	for _, by := range []string{"product", "variant", "employee", "counterparty", "sales_channel"} {
		r := callTool(t, a, "moysklad_profitability", `{"by":"`+by+`",`+inOctober+`}`)
		for _, row := range append(r.Rows, r.Totals) {
			if cell(t, r, row, "profit").IsEmpty() {
				continue
			}
			left := number(t, r, row, "revenue").Sub(number(t, r, row, "revenue_without_cost")).
				Sub(number(t, r, row, "cost"))
			wantNear(t, by+": revenue without that of unknown cost, minus cost", left, number(t, r, row, "profit"))
		}
	}
}

func TestQuantitiesSoldAreNetInTheSentenceAndTheTable(t *testing.T) { // rule R193
	r := callTool(t, openShop(t, sandbox.Options{}).owner(t), "moysklad_profitability", `{"order":"quantity",`+
		inOctober+`}`)
	for _, row := range r.Rows {
		wantEqual(t, "net", number(t, r, row, "quantity"), number(t, r, row, "sold").Sub(number(t, r, row, "returned")))
	}
	if column(t, r, "quantity").Detail || !column(t, r, "sold").Detail {
		t.Error("the gross quantity is shown where the returned one is not")
	}
	net := cell(t, r, r.Rows[0], "quantity").Format(tool.UnitQuantity, "ru")
	if !strings.Contains(r.Answer, "(за вычетом возвратов) — «"+cell(t, r, r.Rows[0], "name").Text()+"»: "+net+".") {
		t.Errorf("the sentence has another number than %s: %s", net, r.Answer)
	}
}

func TestMarginIsAlwaysShownWithTheShareOfKnownCost(t *testing.T) {
	s := openShop(t, sandbox.Options{})
	a := s.owner(t)
	for _, by := range []string{"product", "variant", "employee", "counterparty", "sales_channel"} {
		r := callTool(t, a, "moysklad_profitability", `{"by":"`+by+`",`+inOctober+`}`)
		if len(r.Rows) == 0 {
			t.Errorf("%s: no rows", by)
		}
		for _, row := range append(r.Rows, r.Totals) {
			if !cell(t, r, row, "margin_percent").IsEmpty() && cell(t, r, row, "cost_known_percent").IsEmpty() {
				t.Errorf("%s: a margin without its share of known cost: %v", by, row)
			}
		}
		if !strings.Contains(r.Answer, "маржа") || !strings.Contains(r.Answer, "себестоимость известна для") {
			t.Errorf("%s: %s", by, r.Answer)
		}
		wantNotice(t, r, tool.NoticeCostPartial)
	}
}

func TestTheTotalDoesNotDependOnTheGrouping(t *testing.T) {
	s := openShop(t, sandbox.Options{})
	a := s.owner(t)
	want := callTool(t, a, "moysklad_profitability", `{`+inOctober+`}`)
	for _, by := range []string{"variant", "employee", "counterparty", "sales_channel"} {
		r := callTool(t, a, "moysklad_profitability", `{"by":"`+by+`",`+inOctober+`}`)
		for _, name := range []string{"revenue", "profit"} {
			if by == "sales_channel" { // that report has no row for sales without a channel
				wantNotice(t, r, tool.NoticePartial)
				break
			}
			if d := number(t, r, r.Totals, name).Sub(number(t, want, want.Totals, name)).Abs(); d.Cmp(decimal.One) > 0 {
				t.Errorf("%s %s: %s, want %s", by, name, number(t, r, r.Totals, name),
					number(t, want, want.Totals, name))
			}
		}
		var profit decimal.Decimal
		for _, row := range r.Rows {
			d, _ := cell(t, r, row, "profit").Decimal()
			profit = profit.Add(d)
		}
		// unknown costs are not part of the sum of rows either
		if d := profit.Sub(number(t, r, r.Totals, "profit")).Abs(); d.Cmp(decimal.One) > 0 {
			t.Errorf("%s: rows %s, total %s", by, profit, number(t, r, r.Totals, "profit"))
		}
	}
}

func TestAMarginOf100PercentIsNotShownForUnknownCost(t *testing.T) { // fact M82, the vendor's sample
	a := serve(t, respond(t, map[string]string{"report/profit/byproduct": listJSON(
		`{"assortment":{"meta":{"href":"x/entity/product/00000000-0000-0000-0000-000000000001","type":"product"},"name":"А"},"sellQuantity":2,"sellSum":20000,"sellCostSum":0,"returnQuantity":0,"returnSum":0,"returnCostSum":0,"profit":20000,"salesMargin":1}`,
		`{"assortment":{"meta":{"href":"x/entity/product/00000000-0000-0000-0000-000000000002","type":"product"},"name":"Б"},"sellQuantity":3,"sellSum":30000,"sellCostSum":20000,"returnQuantity":1,"returnSum":10000,"returnCostSum":6666,"profit":6666,"salesMargin":0.3}`)}),
		"viewproductcostandprofit", "pnl")
	r := callTool(t, a, "moysklad_profitability", `{}`)
	wantEqual(t, "margin of known cost", number(t, r, r.Totals, "margin_percent"), decimal.MustParse("33.3"))
	wantEqual(t, "share", number(t, r, r.Totals, "cost_known_percent"), decimal.FromInt(50))
	wantEqual(t, "revenue in roubles", number(t, r, r.Totals, "revenue"), decimal.FromInt(400))
	wantNotice(t, r, tool.NoticeAssumption)
}

func TestWithoutTheCostRightMarginIsFromThePurchasePrice(t *testing.T) { // the report works but omits costs
	a := serve(t, respond(t, map[string]string{
		"report/profit/byproduct": listJSON(
			`{"assortment":{"meta":{"href":"x/entity/product/00000000-0000-0000-0000-000000000001","type":"product"},"name":"А"},"sellQuantity":2,"sellSum":20000,"returnQuantity":0,"returnSum":0}`,
			`{"assortment":{"meta":{"href":"x/entity/product/00000000-0000-0000-0000-000000000002","type":"product"},"name":"Б"},"sellQuantity":1,"sellSum":5000,"returnQuantity":0,"returnSum":0}`),
		"entity/assortment": listJSON(
			`{"meta":{"href":"x/entity/product/00000000-0000-0000-0000-000000000001","type":"product"},"id":"00000000-0000-0000-0000-000000000001","name":"А","buyPrice":{"value":6000}}`),
	}), "pnl")
	r := callTool(t, a, "moysklad_profitability", `{}`)
	wantNotice(t, r, tool.NoticeRightMissing)
	wantNotice(t, r, tool.NoticeCostFromPrice)
	wantEqual(t, "margin", number(t, r, r.Totals, "margin_percent"), decimal.FromInt(40))
	wantEqual(t, "share with a price", number(t, r, r.Totals, "cost_known_percent"), decimal.FromInt(80))
	if !strings.Contains(r.Answer, "от закупочной цены") {
		t.Errorf("the answer does not mention it: %s", r.Answer)
	}
}

func TestAnInaccessibleReportIsMentionedAndReplacedByDocuments(t *testing.T) {
	s := openShop(t, sandbox.Options{})
	owner := callTool(t, s.owner(t), "moysklad_profitability", `{`+inOctober+`}`)
	r := callTool(t, s.as(t, s.info.Tokens.Storekeeper), "moysklad_profitability", `{`+inOctober+`}`)
	wantNear(t, "revenue by documents", number(t, r, r.Totals, "revenue"), number(t, owner, owner.Totals, "revenue"))
	for _, name := range []string{"cost", "profit", "margin_percent"} {
		if !column(t, r, name).Hidden {
			t.Errorf("%s is not hidden", name)
		}
	}
	named := ""
	for _, n := range r.Notices {
		named += n.Message
	}
	for _, section := range []string{"«Прибыльность»", "«Видеть себестоимость, цену закупки и прибыль товаров»"} {
		if !strings.Contains(named, section) {
			t.Errorf("%s is not mentioned: %s", section, named)
		}
	}
	for _, by := range []string{"employee", "counterparty", "variant"} {
		r := callTool(t, s.as(t, s.info.Tokens.Storekeeper), "moysklad_profitability", `{"by":"`+by+`",`+inOctober+`}`)
		wantNear(t, by, number(t, r, r.Totals, "revenue"), number(t, owner, owner.Totals, "revenue"))
		if r.Rows[0][0].IsEmpty() {
			t.Errorf("%s: no name", by)
		}
	}
}

func TestOwnDocumentsAreReportedAsPartial(t *testing.T) { // fact M42
	s := openShop(t, sandbox.Options{})
	r := callTool(t, s.as(t, s.info.Tokens.Sales), "moysklad_profitability", `{`+inOctober+`}`)
	wantNotice(t, r, tool.NoticeVisibility)
	wantNotice(t, r, tool.NoticeCostFromPrice) // the employee may see purchase prices
	if cell(t, r, r.Totals, "margin_percent").IsEmpty() || !strings.Contains(r.Answer, "закупочной цены") {
		t.Errorf("no margin from the purchase price: %s", r.Answer)
	}
	var priced, revenue, cost decimal.Decimal
	me := "sales@"
	for kind, sign := range map[company.DocumentType]decimal.Decimal{company.DemandDoc: decimal.One,
		company.RetailDemandDoc: decimal.One, company.SalesReturnDoc: decimal.One.Neg(),
		company.RetailSalesReturnDoc: decimal.One.Neg()} {
		for _, d := range s.company.Documents(kind) {
			if day := tool.DayOf(d.Moment.In(msapi.Moscow)); !d.Applicable || day < october.From || day > october.To ||
				!strings.HasPrefix(d.Owner.UID, me) {
				continue
			}
			for _, p := range d.Positions {
				sum := p.Sum().Decimal().Major().Mul(sign)
				if d.Rate != 0 {
					sum = sum.Mul(d.Rate.Decimal())
				}
				revenue = revenue.Add(sum)
				if p.Good.Kind == company.Service {
					priced = priced.Add(sum)
				} else if price, ok := p.Good.BuyPrice(); ok && price.Value > 0 && price.Currency.Default {
					priced = priced.Add(sum)
					cost = cost.Add(price.Value.Decimal().Major().Mul(p.Quantity.Decimal()).Mul(sign))
				}
			}
		}
	}
	wantNear(t, "revenue", number(t, r, r.Totals, "revenue"), revenue)
	wantNear(t, "margin", number(t, r, r.Totals, "margin_percent"),
		priced.Sub(cost).Mul(decimal.Hundred).Div(priced).Round(1))
}

func TestGapsInTheReportByVariantAreReported(t *testing.T) { // fact M83
	row := `"sellQuantity":1,"sellSum":10000,"sellCostSum":5000,"returnSum":0`
	a := serve(t, respond(t, map[string]string{
		"report/profit/byvariant": listJSON(
			`{"assortment":{"meta":{"href":"x/entity/variant/00000000-0000-0000-0000-000000000001","type":"variant"},"name":"А"},` + row + `}`),
		"report/profit/byemployee": listJSON(
			`{"employee":{"meta":{"href":"x/entity/employee/00000000-0000-0000-0000-000000000002","type":"employee"},"name":"Е"},"sellSum":30000,"sellCostSum":15000,"returnSum":0}`),
	}))
	r := callTool(t, a, "moysklad_profitability", `{"by":"variant"}`)
	if m := wantNotice(t, r, tool.NoticePartial); !strings.Contains(m, "300,00") {
		t.Errorf("notice: %s", m)
	}
}

func TestBothEndsOfThePeriodAreSentIncludingTheWholeLastDay(t *testing.T) { // facts M80 and M37
	s := openShop(t, sandbox.Options{})
	a := s.owner(t)
	for _, name := range []string{"moysklad_profitability", "moysklad_turnover", "moysklad_abc_xyz",
		"moysklad_sales_trend"} {
		r := callTool(t, a, name, `{"to":"2026-11-10"}`)
		if p := r.Provenance.Period; p == nil || p.From != "2026-10-12" || p.To != "2026-11-10" {
			t.Errorf("%s: period %v", name, p)
		}
		wantNotice(t, r, tool.NoticeAssumption)
	}
	for _, q := range s.Requests() {
		query, _ := url.QueryUnescape(q.Query)
		if strings.Contains(q.Path, "/report/profit") || strings.Contains(q.Path, "/report/turnover") ||
			strings.Contains(q.Path, "plotseries") {
			if !strings.Contains(query, "momentFrom=") || !strings.Contains(query, " 00:00:00") ||
				!strings.Contains(query, "momentTo=") || !strings.Contains(query, " 23:59:59") {
				t.Errorf("%s: %s", q.Path, query)
			}
		}
	}
}

func TestSortOrderAndDirection(t *testing.T) {
	s := openShop(t, sandbox.Options{})
	a := s.owner(t)
	for order, name := range map[string]string{"profit": "profit", "revenue": "revenue", "margin": "margin_percent"} {
		for _, direction := range []string{"desc", "asc"} {
			r := callTool(t, a, "moysklad_profitability", `{"order":"`+order+`","direction":"`+direction+`",`+inOctober+
				`}`)
			unknown := false
			for i := 1; i < len(r.Rows); i++ {
				x, y := cell(t, r, r.Rows[i-1], name), cell(t, r, r.Rows[i], name)
				unknown = unknown || y.IsEmpty()
				if x.IsEmpty() || y.IsEmpty() {
					if !y.IsEmpty() {
						t.Errorf("%s %s: an unknown value before a known one", order, direction)
					}
					continue
				}
				a, _ := x.Decimal()
				b, _ := y.Decimal()
				if d := a.Cmp(b); d < 0 && direction == "desc" || d > 0 && direction == "asc" {
					t.Errorf("%s %s: %s before %s", order, direction, a, b)
				}
			}
			if order != "revenue" && !unknown {
				t.Error("the fixture has no unknown value")
			}
		}
	}
}

func TestTurnoverIsQuantityAndCost(t *testing.T) { // fact M79
	s := openShop(t, sandbox.Options{})
	r := callTool(t, s.owner(t), "moysklad_turnover", `{`+inOctober+`}`)
	for _, name := range []string{"income_cost", "outcome_cost", "end_cost"} {
		if label := column(t, r, name).Label; !strings.Contains(label, "себестоимости") {
			t.Errorf("label %s", label)
		}
	}
	for _, row := range r.Rows {
		got := number(t, r, row, "start_quantity").Add(number(t, r, row, "income_quantity")).Sub(
			number(t, r, row, "outcome_quantity"))
		wantEqual(t, cell(t, r, row, "name").Text(), got, number(t, r, row, "end_quantity"))
	}
	keeper := callTool(t, s.as(t, s.info.Tokens.Storekeeper), "moysklad_turnover", `{`+inOctober+`}`)
	if !column(t, keeper, "outcome_cost").Hidden || !cell(t, keeper, keeper.Totals, "outcome_cost").IsEmpty() {
		t.Error("hidden cost is exposed")
	}
	wantEqual(t, "quantities need no cost right", sumColumn(t, keeper, "outcome_quantity"),
		sumColumn(t, r, "outcome_quantity"))
}

func TestTurnoverIsFilteredByGroupLocally(t *testing.T) { // the report itself cannot filter by group
	s := openShop(t, sandbox.Options{})
	var parent *company.Folder
	for _, f := range s.company.Catalogue().Folders {
		if f.Parent != nil {
			parent = f.Parent
		}
	}
	r := callTool(t, s.owner(t), "moysklad_turnover", `{`+inOctober+`,"groups":["`+parent.Name+`"]}`)
	if len(r.Rows) == 0 {
		t.Fatal("no rows")
	}
	for _, row := range r.Rows {
		g, _ := s.company.Good(company.ID(cell(t, r, row, "id").Text()))
		if path := g.Root().Folder.Path(); !strings.HasPrefix(path+"/", parent.Path()+"/") {
			t.Errorf("%s is in %s", g.Name, path)
		}
	}
}

// The presets of the query layer read what the server can filter, and nothing about the goods.
func TestConditionsOnGoodsAreAppliedByTheProfitabilityReport(t *testing.T) { // rule R216
	s := openShop(t, sandbox.Options{})
	a := s.owner(t)
	var good *company.Good
	for _, g := range s.company.Catalogue().Goods {
		if g.Kind == company.Variant && salesByGood(s.company, october)[g.Root().ID].sold.Sign() > 0 {
			good = g
		}
	}
	product, group := string(good.Root().ID), string(good.Root().Folder.ID)
	whole := callTool(t, a, "moysklad_analyze", `{"measures":["revenue","profit"],"by":["product","group"],`+inOctober+`}`)
	for field, id := range map[string]string{"product": product, "group": group} {
		want := decimal.Zero
		for _, row := range whole.Rows {
			if cell(t, whole, row, field+"_id").Text() == id {
				want = want.Add(number(t, whole, row, "revenue"))
			}
		}
		for _, by := range []string{"product", "employee", "store"} {
			r := callTool(t, a, "moysklad_analyze", `{"measures":["revenue","profit"],"by":["`+by+`"],"where":[`+
				`{"field":"`+field+`","op":"=","values":["`+id+`"]}],`+inOctober+`}`)
			wantNear(t, by+" where "+field, number(t, r, r.Totals, "revenue"), want)
			for _, source := range r.Provenance.Sources {
				if source.Path == "entity/assortment" && field == "group" {
					t.Errorf("%s where %s: the goods are read", by, field)
				}
			}
		}
	}
}

// The goods of known cost are read where there are fewer of them: none, if no cost is known.
func TestNoReportIsReadOnceMoreForEveryGoodOfUnknownCost(t *testing.T) { // rule R217
	var goods []string
	for i := range 120 {
		goods = append(goods, fmt.Sprintf(`{"assortment":{"meta":{"href":"x/entity/product/00000000-0000-0000-0000-%012d",`+
			`"type":"product"},"name":"А"},"sellQuantity":1,"sellSum":10000,"sellCostSum":0,"returnSum":0}`, i))
	}
	a := serve(t, respond(t, map[string]string{"report/profit/byproduct": listJSON(goods...),
		"report/profit/byemployee": listJSON(`{"employee":{"meta":{"href":"x/entity/employee/` +
			`00000000-0000-0000-0000-000000000002","type":"employee"},"name":"Е"},"salesCount":9,"sellSum":1200000,` +
			`"sellCostSum":0,"returnSum":0}`)}), "viewproductcostandprofit", "pnl")
	r := callTool(t, a, "moysklad_profitability", `{"by":"employee"}`)
	for _, source := range r.Provenance.Sources {
		if strings.HasPrefix(source.Path, "report/") && source.Requests != 1 {
			t.Errorf("%s was read %d times", source.Path, source.Requests)
		}
	}
	wantEqual(t, "revenue", number(t, r, r.Totals, "revenue"), decimal.FromInt(12_000))
	wantEqual(t, "known", number(t, r, r.Totals, "cost_known_percent"), decimal.Zero)
	if !cell(t, r, r.Rows[0], "profit").IsEmpty() || !cell(t, r, r.Totals, "cost").IsEmpty() {
		t.Errorf("a profit without a cost: %v", r.Rows)
	}
}

func TestSalesOfDocumentsAreCountedByAnyOfTheirGoods(t *testing.T) { // rule R218
	s := openShop(t, sandbox.Options{})
	root := map[company.ID]map[company.ID]bool{} // documents of sale by group
	for _, kind := range []company.DocumentType{company.DemandDoc, company.RetailDemandDoc} {
		for _, d := range s.company.Documents(kind) {
			if day := tool.DayOf(d.Moment.In(msapi.Moscow)); !d.Applicable || day < october.From || day > october.To {
				continue
			}
			for _, p := range d.Positions {
				for f := p.Good.Root().Folder; f != nil; f = f.Parent {
					if root[f.ID] == nil {
						root[f.ID] = map[company.ID]bool{}
					}
					root[f.ID][d.ID] = true
				}
			}
		}
	}
	keeper := s.as(t, s.info.Tokens.Storekeeper)
	for group, documents := range root {
		r := callTool(t, keeper, "moysklad_profitability", `{"by":"employee","groups":["`+string(group)+`"],`+inOctober+`}`)
		wantEqual(t, "sales", number(t, r, r.Totals, "sales_count"), decimal.FromInt(int64(len(documents))))
	}
	r := callTool(t, keeper, "moysklad_profitability", `{`+inOctober+`}`)
	wantNotice(t, r, tool.NoticeUnits) // pieces and kilograms have no common sum
	if !cell(t, r, r.Totals, "quantity").IsEmpty() {
		t.Errorf("a sum of pieces and kilograms: %v", r.Totals)
	}
}

func TestAMarginOfMoreReturnsThanSalesHasItsCoverage(t *testing.T) { // rule R18
	a := serve(t, respond(t, map[string]string{"report/profit/byproduct": listJSON(
		`{"assortment":{"meta":{"href":"x/entity/product/00000000-0000-0000-0000-000000000001","type":"product"},"name":"А"},"sellQuantity":2,"sellSum":30000,"sellCostSum":20000,"returnQuantity":0,"returnSum":0,"returnCostSum":0}`,
		`{"assortment":{"meta":{"href":"x/entity/product/00000000-0000-0000-0000-000000000002","type":"product"},"name":"Б"},"sellQuantity":0,"sellSum":0,"sellCostSum":0,"returnQuantity":9,"returnSum":50000,"returnCostSum":0}`)}),
		"viewproductcostandprofit", "pnl")
	for _, name := range []string{"moysklad_profitability", "moysklad_analyze"} {
		arguments, column := `{}`, "cost_known_percent"
		if name == "moysklad_analyze" {
			arguments, column = `{"measures":["margin"],"by":["product"]}`, "cost_coverage"
		}
		r := callTool(t, a, name, arguments)
		if cell(t, r, r.Totals, column).IsEmpty() {
			t.Errorf("%s: a margin without its coverage: %v", name, r.Totals)
		}
	}
}
