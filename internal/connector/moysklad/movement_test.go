package moysklad

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/connector/moysklad/analyze/measures"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/sandbox"
	"github.com/stockhand/stockhand/internal/sandbox/company"
	"github.com/stockhand/stockhand/internal/tool"
)

// notOfDocuments are the measures that are not sums over the lines of documents. They have tests of their own.
var notOfDocuments = slices.Concat(movementQuantities, movementCosts, notAdded, ofNow)

var (
	movementQuantities = []string{"stock_at_start", "income", "outcome", "stock_at_end"}
	movementCosts      = []string{"stock_cost_at_start", "income_cost", "outcome_cost", "stock_cost_at_end"}
)

// correction adds up write-offs, surpluses or transfers.
type correction struct {
	sum, quantity decimal.Decimal
	units         string
	mixed, seen   bool
}

func (k correction) with(f rawFact) correction {
	k.sum, k.quantity, k.seen = k.sum.Add(f.sum), k.quantity.Add(f.quantity), true
	if f.quantity.Sign() != 0 {
		k.mixed, k.units = k.mixed || k.units != "" && k.units != f.unit+"|", f.unit+"|"
	}
	return k
}

// corrected computes a measure of write-offs, surpluses or transfers; ok is false for any other.
func (r *oracleRow) corrected(measure string) (value decimal.Decimal, known, ok bool) {
	for kind, names := range map[company.DocumentType][2]string{company.LossDoc: {"written_off",
		"quantity_written_off"},
		company.EnterDoc: {"surplus", "quantity_surplus"}, company.MoveDoc: {"transferred", "quantity_transferred"},
		company.InventoryDoc: {"inventory_difference", "quantity_inventory_difference"}} {
		switch k := r.corrections[kind]; measure {
		case names[0]:
			return k.sum, true, true
		case names[1]:
			return k.quantity, k.seen && !k.mixed, true
		}
	}
	return decimal.Decimal{}, false, false
}

// rawMove is a change of stock in a warehouse by a line of a document of the sandbox.
type rawMove struct {
	day      tool.Day
	store    *company.Store
	good     *company.Good
	quantity decimal.Decimal // negative: outgoing
	transfer *company.Store  // the other warehouse of a transfer
}

func rawMoves(c *company.Company) []rawMove {
	var all []rawMove
	for _, kind := range []company.DocumentType{company.SupplyDoc, company.EnterDoc, company.SalesReturnDoc,
		company.RetailSalesReturnDoc, company.DemandDoc, company.RetailDemandDoc, company.LossDoc, company.MoveDoc} {
		for _, d := range c.Documents(kind) {
			if !d.Applicable {
				continue
			}
			day := tool.DayOf(d.Moment.In(msapi.Moscow))
			add := func(g *company.Good, n decimal.Decimal) {
				switch kind {
				case company.SupplyDoc, company.EnterDoc, company.SalesReturnDoc, company.RetailSalesReturnDoc:
					all = append(all, rawMove{day, d.Store, g, n, nil})
				case company.MoveDoc:
					all = append(all, rawMove{day, d.Store, g, n.Neg(), d.Target},
						rawMove{day, d.Target, g, n, d.Store})
				default:
					all = append(all, rawMove{day, d.Store, g, n.Neg(), nil})
				}
			}
			for _, p := range d.Positions {
				if p.Good.Stocked() {
					add(p.Good, p.Quantity.Decimal())
				}
				for _, part := range p.Good.Components {
					if part.Good.Stocked() {
						add(part.Good, p.Quantity.Decimal().Mul(part.Quantity.Decimal()))
					}
				}
			}
		}
	}
	return all
}

func (m rawMove) key(dimension string) string {
	root := m.good.Root()
	switch dimension {
	case "product":
		return string(root.ID)
	case "variant":
		return string(m.good.ID)
	case "kind":
		return string(root.Kind)
	case "group":
		if root.Folder != nil {
			return string(root.Folder.ID)
		}
		return ""
	case "supplier":
		if root.Supplier != nil {
			return string(root.Supplier.ID)
		}
		return ""
	case "unit":
		return m.unit()
	case "article":
		article, _ := textsOf(m.good)
		return article
	case "barcode":
		_, barcode := textsOf(m.good)
		return barcode
	case "country", "price_band":
		return goodKeys(m.good)[dimension]
	case "store":
		return string(m.store.ID)
	}
	d, _ := measures.Catalogue.Dimension(dimension)
	return analysis.Interval(d.Step, m.day.Time())
}

func (m rawMove) unit() string {
	if u := m.good.Root().Unit; u != nil {
		return u.Name
	}
	return ""
}

// movedRow adds up the movement of a row.
type movedRow struct {
	of    map[string]decimal.Decimal
	units map[string]bool
}

// movedBetween adds up movement and stock by a key; transfers says whether those between warehouses count.
func movedBetween(moves []rawMove, p tool.Period, key func(rawMove) string, transfers bool) map[string]*movedRow {
	rows := map[string]*movedRow{}
	for _, m := range moves {
		if m.day > p.To {
			continue
		}
		r := rows[key(m)]
		if r == nil {
			r = &movedRow{map[string]decimal.Decimal{}, map[string]bool{}}
			rows[key(m)] = r
		}
		r.units[m.unit()] = true
		r.of["stock_at_end"] = r.of["stock_at_end"].Add(m.quantity)
		switch {
		case m.day < p.From:
			r.of["stock_at_start"] = r.of["stock_at_start"].Add(m.quantity)
		case m.transfer != nil && !transfers:
		case m.quantity.Sign() > 0:
			r.of["income"] = r.of["income"].Add(m.quantity)
		default:
			r.of["outcome"] = r.of["outcome"].Sub(m.quantity)
		}
	}
	return rows
}

// openNested opens a shop with transfers between a warehouse and the one nested in it, of goods that it always has.
func openNested(t *testing.T) (s *shop, nested *company.Store) {
	t.Helper()
	s = openShop(t, sandbox.Options{})
	list, moves := s.company.Catalogue(), rawMoves(s.company)
	nested = list.Stores[slices.IndexFunc(list.Stores, func(x *company.Store) bool { return x.Parent != nil })]
	moves = slices.DeleteFunc(moves, func(m rawMove) bool { return m.store != nested.Parent })
	short := map[string]bool{}
	for day := tool.Day("2026-10-10"); day <= "2026-11-20"; day = day.Add(1) {
		at := movedBetween(moves, tool.Period{From: day, To: day}, func(m rawMove) string { return m.key("variant") },
			true)
		for _, g := range list.Goods {
			r := at[string(g.ID)]
			short[string(g.ID)] = short[string(g.ID)] || r == nil ||
				r.of["stock_at_start"].Sub(r.of["outcome"]).Cmp(decimal.FromInt(4)) < 0
		}
	}
	n := 0
	for _, g := range list.Goods {
		if short[string(g.ID)] || !g.Stocked() {
			continue
		}
		n++
		for j, between := range [][2]*company.Store{{nested.Parent, nested}, {nested, nested.Parent}} {
			_, err := s.company.Add(company.MoveDoc, company.NewDocument{Organization: list.Organizations[0],
				Store: between[0], Target: between[1], Owner: list.Employees[0],
				Moment:    noon.AddDate(0, 0, -2-n%12+j),
				Positions: []company.Position{{Good: g, Quantity: company.Units(3 - j)}}})
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	if n < 5 {
		t.Fatalf("%d goods moved", n)
	}
	return s, nested
}

// Movement and stock at a date by every dimension equal what an oracle adds up from the raw documents, and costs are
// consistent with each other and with the stock report.
func TestMovementEqualsTheRawDocuments(t *testing.T) { // rule R211, facts M98 and M99
	s, _ := openNested(t)
	a, moves, random := s.owner(t), rawMoves(s.company), rand.New(rand.NewPCG(5, 6))
	m, _ := measures.Catalogue.Measure("income")
	compared := 0
	for _, dimension := range m.Over {
		if dimension == measures.DimABC || dimension == measures.DimXYZ { // classes have a test of their own
			continue
		}
		from := tool.Day("2026-10-25").Add(random.IntN(20))
		period := tool.Period{From: from, To: from.Add(5 + random.IntN(10))}
		if dimension == "store" {
			period = tool.Period{From: "2026-10-25", To: "2026-11-20"}
		}
		arguments := fmt.Sprintf(`{"measures":%s,"by":["%s"],"from":"%s","to":"%s"}`,
			asJSON(slices.Concat(movementQuantities, movementCosts)), dimension, period.From, period.To)
		r := callTool(t, a, "moysklad_analyze", arguments)
		d, _ := measures.Catalogue.Dimension(dimension)
		want := map[string]*movedRow{}
		if d.Step == "" {
			want = movedBetween(moves, period, func(m rawMove) string { return m.key(dimension) }, dimension == "store")
		} else {
			for _, in := range analysis.Intervals(d.Step, period) {
				want[analysis.Interval(d.Step, in.From.Time())] =
					movedBetween(moves, in, func(rawMove) string { return "" }, false)[""]
			}
		}
		for _, row := range r.Rows {
			id := cell(t, r, row, dimension).Text()
			if d.Step == "" {
				id = cell(t, r, row, dimension+"_id").Text()
			} else if d.Step == analysis.Day {
				id = dayOf(t, id)
			}
			if want[id] == nil {
				t.Fatalf("%s: a row %q without documents", arguments, id)
			}
			compared += compareMovement(t, arguments+" "+id, r, row, want[id])
			delete(want, id)
		}
		for id, row := range want {
			for name, n := range row.of {
				if n.Sign() != 0 {
					t.Errorf("%s: no row for %s, whose %s is %s", arguments, id, name, n)
				}
			}
		}
		wantBalance(t, arguments, r, r.Totals)
	}
	t.Logf("%d figures equal to the raw documents", compared)
}

func compareMovement(t *testing.T, what string, r *tool.Result, row []tool.Value, want *movedRow) int {
	t.Helper()
	for _, name := range movementQuantities {
		got, known := cell(t, r, row, name).Decimal()
		if len(want.units) > 1 { // some of them may have no figure, and one unit may be left
			if !known {
				continue
			}
		}
		if want := want.of[name]; known && got.Cmp(want.Round(4)) != 0 || !known && want.Sign() != 0 {
			t.Errorf("%s %s: %v, want %s", what, name, cell(t, r, row, name), want)
		}
	}
	wantBalance(t, what, r, row)
	return len(movementQuantities)
}

// wantBalance checks that opening stock and income less outcome are the closing stock.
func wantBalance(t *testing.T, what string, r *tool.Result, row []tool.Value) {
	t.Helper()
	for _, names := range [][]string{movementQuantities, movementCosts} {
		balance, all := decimal.Zero, true
		for i, sign := range []int64{1, 1, -1, -1} {
			n, known := cell(t, r, row, names[i]).Decimal()
			balance, all = balance.Add(n.Mul(decimal.FromInt(sign))), all && known
		}
		if all && balance.Round(1).Abs().Cmp(decimal.MustParse("0.1")) > 0 { // sums are rounded to kopecks
			t.Errorf("%s: %v do not balance: %s", what, names, balance)
		}
	}
}

// dayOf reads a day as Russian answers show it.
func dayOf(t *testing.T, shown string) string {
	t.Helper()
	var d, m, y int
	if _, err := fmt.Sscanf(shown, "%d.%d.%d", &d, &m, &y); err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%04d-%02d-%02d", y, m, d)
}

func asJSON(v any) string {
	b, _ := json.Marshal(v)
	return string(b)
}

func TestMovementOfTheWholeStockIsTheSameInEveryBreakdown(t *testing.T) { // rules R210 and R211
	s := openShop(t, sandbox.Options{})
	a := s.owner(t)
	ask := func(by, measures string) *tool.Result {
		return callTool(t, a, "moysklad_analyze", `{"measures":[`+measures+`],"by":[`+by+`],`+inOctober+`}`)
	}
	const costs = `"stock_cost_at_start","income_cost","outcome_cost","stock_cost_at_end"`
	whole := ask(``, costs)
	for _, by := range []string{`"product"`, `"variant"`, `"group"`, `"month"`, `"week"`, `"unit"`} {
		r := ask(by, costs)
		for _, name := range movementCosts {
			wantEqual(t, name+" by "+by, number(t, r, r.Totals, name), number(t, whole, whole.Totals, name))
		}
	}
	// by warehouse, opening and closing stock are the same and transfers add to both others
	r := ask(`"store"`, costs)
	for i, name := range movementCosts {
		if i == 0 || i == 3 {
			wantEqual(t, name+" by store", number(t, r, r.Totals, name), number(t, whole, whole.Totals, name))
		}
	}
	// goods that did not move are in the stock at a date
	moved, stock := decimal.Zero, decimal.Zero
	for _, row := range s.company.Turnover(
		company.TurnoverQuery{From: time.Date(2026, 10, 22, 0, 0, 0, 0, msapi.Moscow),
			To: time.Date(2026, 11, 20, 23, 59, 59, 0, msapi.Moscow)}) {
		moved = moved.Add(row.End.Sum.Decimal().Major())
	}
	for _, row := range s.company.StockAll(company.StockQuery{StockMode: company.ModeAll, QuantityMode: company.ModeAll,
		GoodFilter: company.GoodFilter{Archived: company.ArchivedToo}}) {
		stock = stock.Add(row.CostSum.Decimal().Major())
	}
	got := number(t, whole, whole.Totals, "stock_cost_at_end")
	wantEqual(t, "stock at the end, which is now", got, stock.Round(2))
	if !moved.Less(got) {
		t.Errorf("stock at cost %s, of goods that moved %s", got, moved)
	}
}

func TestMovementWithinChosenWarehouses(t *testing.T) { // rule R211, facts M98 and M99
	s, nested := openNested(t)
	a, moves := s.owner(t), rawMoves(s.company)
	period := tool.Period{From: "2026-10-22", To: "2026-11-20"}
	for op, accepts := range map[string]func(*company.Store) bool{
		"=":  func(x *company.Store) bool { return x == nested.Parent || x.Parent == nested.Parent },
		"!=": func(x *company.Store) bool { return x != nested },
	} {
		name := map[string]string{"=": nested.Parent.Name, "!=": nested.Name}[op]
		r := callTool(t, a, "moysklad_analyze",
			fmt.Sprintf(`{"measures":%s,"by":["product"],%s,"where":[{"field":"store",`+
				`"op":"%s","values":["%s"]}]}`, asJSON(movementQuantities), inOctober, op, name))
		within := slices.DeleteFunc(slices.Clone(moves), func(m rawMove) bool { return !accepts(m.store) })
		for i, m := range within { // all at once if nothing nested is left out: then transfers within are no movement
			if op == "=" && m.transfer != nil && !accepts(m.transfer) || op == "!=" {
				within[i].transfer = nil
			}
		}
		want := movedBetween(within, period, func(m rawMove) string { return m.key("product") }, false)
		for _, row := range r.Rows {
			id := cell(t, r, row, "product_id").Text()
			if want[id] == nil {
				t.Fatalf("store %s: an unexpected row %v", op, row)
			}
			for _, name := range movementQuantities {
				wantEqual(t, "store "+op+" "+id+" "+name, number(t, r, row, name), want[id].of[name])
			}
		}
	}
}

func TestHiddenCostOfMovementIsNotZero(t *testing.T) { // rule R15, fact M91
	s := openShop(t, sandbox.Options{})
	r := callTool(t, s.as(t, s.info.Tokens.Storekeeper), "moysklad_analyze",
		`{"measures":["stock_at_end","stock_cost_at_end","income_cost","surplus","quantity_surplus"],"by":["product"],`+
			inOctober+`}`)
	wantNotice(t, r, tool.NoticeRightMissing)
	for _, row := range append(slices.Clone(r.Rows), r.Totals) {
		for _, name := range []string{"stock_cost_at_end", "income_cost", "surplus"} {
			if !cell(t, r, row, name).IsEmpty() {
				t.Errorf("%s is hidden, but shown as %v", name, row)
			}
		}
	}
	if len(r.Rows) == 0 || cell(t, r, r.Rows[0], "stock_at_end").IsEmpty() {
		t.Error("no quantities")
	}
}

func TestMovementByWarehouseWhoseFilterLeavesOutNestedOnes(t *testing.T) { // rule R211, fact M98
	s := openShop(t, sandbox.Options{Switches: sandbox.Switches{TurnoverStoresApart: true}})
	r := callTool(t, s.owner(t), "moysklad_analyze",
		`{"measures":["stock_at_end","stock_cost_at_end"],"by":["store","product"],`+inOctober+`,"limit":500}`)
	want := map[string]decimal.Decimal{}
	for _, m := range rawMoves(s.company) {
		if m.day <= "2026-11-20" {
			id := m.key("store") + m.key("product")
			want[id] = want[id].Add(m.quantity)
		}
	}
	for _, row := range r.Rows {
		id := cell(t, r, row, "store_id").Text() + cell(t, r, row, "product_id").Text()
		wantEqual(t, "stock_at_end of "+id, number(t, r, row, "stock_at_end"), want[id])
	}
	whole := callTool(t, s.owner(t), "moysklad_analyze", `{"measures":["stock_cost_at_end"],`+inOctober+`}`)
	wantEqual(t, "stock_cost_at_end by store", number(t, r, r.Totals, "stock_cost_at_end"),
		number(t, whole, whole.Totals, "stock_cost_at_end"))
}

// An archived warehouse still has its past: what is in stock by warehouse is what is in stock in all.
func TestArchivedWarehousesAreNotLeftOut(t *testing.T) { // rule R211
	s := openShop(t, sandbox.Options{})
	var archived *company.Store
	for _, r := range s.company.Current(company.CurrentQuery{ByStore: true}) {
		if r.Store.Parent == nil {
			archived = r.Store // the last of them
		}
	}
	archived.Archived = true
	for _, measure := range []string{"stock_cost_at_end", "revenue"} {
		ask := func(rest string) decimal.Decimal {
			r := callTool(t, s.owner(t), "moysklad_analyze", `{"measures":["`+measure+`"],`+inOctober+`,"limit":5,`+rest+`}`)
			return number(t, r, r.Totals, measure)
		}
		store := `"by":["product"],"where":[{"field":"store","values":["` + archived.Name + `"],"op":`
		whole := ask(`"by":["product"]`)
		wantEqual(t, measure+" by warehouse", ask(`"by":["store","product"]`), whole)
		wantEqual(t, measure+" of it and the others", ask(store+`"="}]`).Add(ask(store+`"!="}]`)), whole)
	}
}

// What was counted less what was expected, at the prices of stocktakings; a line that does not say what was expected is
// no difference.
func TestStocktakingDifferencesAreCountedLessExpected(t *testing.T) { // rule R206, fact M120
	s := openShop(t, sandbox.Options{})
	a := s.owner(t)
	query := `{"measures":["inventory_difference","quantity_inventory_difference"],"by":["variant"],` + inOctober + `}`
	r := callTool(t, a, "moysklad_analyze", query)
	want := map[string]decimal.Decimal{}
	missing, total := 0, decimal.Zero
	for _, d := range s.company.Documents(company.InventoryDoc) {
		for _, p := range d.Positions {
			id, n := string(p.Good.ID), (p.Quantity - p.Expected).Decimal()
			if want[id] = want[id].Add(n); n.Sign() < 0 {
				missing++
			}
			total = total.Add(n.Mul(p.Price.Decimal().Major()).Round(2))
		}
	}
	for _, row := range r.Rows {
		wantEqual(t, cell(t, r, row, "variant").Text(), number(t, r, row, "quantity_inventory_difference"),
			want[cell(t, r, row, "variant_id").Text()])
	}
	wantEqual(t, "total", number(t, r, r.Totals, "inventory_difference"), total)
	if missing == 0 || len(r.Rows) == 0 {
		t.Errorf("%d shortages in %d rows", missing, len(r.Rows))
	}
	href := fmt.Sprintf(`{"meta":{"href":"%s/entity/product/%s","type":"product"}}`, s.url,
		s.company.Catalogue().Goods[0].ID)
	body := fmt.Sprintf(`{"meta":{"size":1,"limit":100,"offset":0},"rows":[{"id":"0a0a0a0a-0000-0000-0000-000000000001",
		"moment":"2026-11-10 10:00:00.000","positions":{"meta":{"size":2},"rows":[
		{"id":"0a0a0a0a-0000-0000-0000-000000000002","quantity":3,"price":1000,"assortment":%[1]s},
		{"id":"0a0a0a0a-0000-0000-0000-000000000003","quantity":3,"calculatedQuantity":5,"assortment":%[1]s}]}}]}`, href)
	if err := s.Fail(sandbox.Fault{Path: "entity/inventory$", Status: 200, Count: 1, Body: body}); err != nil {
		t.Fatal(err)
	}
	r = callTool(t, a, "moysklad_analyze", query)
	if len(r.Rows) != 1 {
		t.Fatalf("%d rows", len(r.Rows))
	}
	wantNotice(t, r, tool.NoticePartial)
	wantNotice(t, r, tool.NoticeRightMissing) // the price
	wantEqual(t, "quantity", number(t, r, r.Totals, "quantity_inventory_difference"), decimal.FromInt(-2))
	if v := cell(t, r, r.Totals, "inventory_difference"); !v.IsEmpty() {
		t.Errorf("a difference at a hidden price: %v", v)
	}
}
