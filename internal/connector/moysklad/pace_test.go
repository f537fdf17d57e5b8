package moysklad

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/connector/moysklad/analyze/measures"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/sandbox"
	"github.com/stockhand/stockhand/internal/sandbox/company"
	"github.com/stockhand/stockhand/internal/tool"
)

// notAdded are the measures of stock, pace and last days, which have tests of their own.
var notAdded = []string{"stock", "reserve", "in_transit", "free", "stock_cost", "stock_price", "available",
	"days_in_stock", "pace", "days_of_cover", "last_sale", "days_since_sale", "last_purchase", "last_purchase_price",
	"minimum", "shortage",
	"sale_price", "card_purchase_price", "minimum_price", "unit_cost", "price_markup", "price_minus_cost"}

// lastRow is what raw documents say about the last sale and purchase of a row.
type lastRow struct {
	sale, purchase tool.Day
	sold           decimal.Decimal
	units          map[string]bool
	moment         string // of the last purchase
	sum, bought    decimal.Decimal
	goods          map[string]bool // bought
}

func lastRows(facts []rawFact, moments map[company.ID]string, key func(rawFact) string) map[string]*lastRow {
	rows := map[string]*lastRow{}
	for _, f := range facts {
		r := rows[key(f)]
		if r == nil {
			r = &lastRow{units: map[string]bool{}, goods: map[string]bool{}}
			rows[key(f)] = r
		}
		switch {
		case isSale(f.kind):
			r.sale, r.sold, r.units[f.unit] = max(r.sale, f.day), r.sold.Add(f.quantity), true
		case isReturn(f.kind):
			r.sold, r.units[f.unit] = r.sold.Sub(f.quantity), true
		case f.kind == company.SupplyDoc:
			r.goods[f.keys["product"]+f.keys["variant"]] = true
			if at := moments[f.document]; at > r.moment {
				r.purchase, r.moment, r.sum, r.bought = f.day, at, decimal.Zero, decimal.Zero
			} else if at < r.moment {
				continue
			}
			r.sum, r.bought = r.sum.Add(f.sum), r.bought.Add(f.quantity)
		}
	}
	return rows
}

// The last sale and purchase and the pace by every dimension equal what an oracle finds in the raw documents.
func TestPaceAndLastDaysEqualTheRawDocuments(t *testing.T) { // rules R210 and R212
	s := openShop(t, sandbox.Options{})
	a, facts := s.owner(t), rawFacts(s.company)
	moments := map[company.ID]string{}
	for _, d := range s.company.Documents(company.SupplyDoc) {
		moments[d.ID] = d.Moment.UTC().Format("2006-01-02 15:04")
	}
	period := tool.Period{From: "2026-11-03", To: "2026-11-16"}
	facts = slices.DeleteFunc(facts, func(f rawFact) bool { return f.day < period.From || f.day > period.To })
	days := decimal.FromInt(14)
	compared := 0
	for _, d := range measures.Catalogue.Dimensions {
		if d.Name == measures.DimABC || d.Name == measures.DimXYZ { // classes have a test of their own
			continue
		}
		var of []string
		for _, name := range []string{"pace", "last_sale", "days_since_sale", "last_purchase", "last_purchase_price"} {
			if m, _ := measures.Catalogue.Measure(name); slices.Contains(m.Over, d.Name) {
				of = append(of, name)
			}
		}
		if len(of) == 0 {
			continue
		}
		r := callTool(t, a, "moysklad_analyze", fmt.Sprintf(`{"measures":%s,"by":["%s"],"from":"%s","to":"%s"}`,
			asJSON(of), d.Name, period.From, period.To))
		want := lastRows(facts, moments, func(f rawFact) string { return f.keys[d.Name] })
		total := lastRows(facts, moments, func(rawFact) string { return "" })[""]
		for _, row := range append(slices.Clone(r.Rows), r.Totals) {
			w := total
			if len(row) > 0 && &row[0] != &r.Totals[0] {
				if w = want[cell(t, r, row, d.Name+"_id").Text()]; w == nil {
					t.Fatalf("by %s: a row without documents: %v", d.Name, row)
				}
			}
			for _, name := range of {
				compared++
				got := cell(t, r, row, name)
				expected := tool.Empty
				switch {
				case name == "last_sale" && w.sale != "":
					expected = tool.Date(w.sale)
				case name == "days_since_sale" && w.sale != "":
					expected = tool.Number(analysis.DayNumber(period.To).Sub(analysis.DayNumber(w.sale)))
				case name == "last_purchase" && w.purchase != "":
					expected = tool.Date(w.purchase)
				case name == "last_purchase_price" && len(w.goods) == 1:
					expected = tool.Money(w.sum.Div(w.bought).Round(2), "RUB")
				case name == "pace" && len(w.units) <= 1:
					expected = tool.Number(w.sold.Div(days).Round(3))
				}
				if asJSON(got) != asJSON(expected) {
					t.Errorf("by %s, %v: %s is %s, want %s", d.Name, row[0], name, asJSON(got), asJSON(expected))
				}
			}
		}
	}
	t.Logf("%d figures equal to the raw documents", compared)
}

func TestDaysOfCoverAreFreeStockByPace(t *testing.T) { // rule R212
	s := openShop(t, sandbox.Options{})
	a, stock := s.owner(t), sumStores(stockFromDocuments(s.company))
	r := callTool(t, a, "moysklad_analyze", `{"measures":["days_of_cover","pace","available","free","days_in_stock"],`+
		`"by":["variant"],`+inOctober+`}`)
	sold := lastRows(slices.DeleteFunc(rawFacts(s.company), func(f rawFact) bool {
		return f.day < "2026-10-22" || f.day > "2026-11-20"
	}), nil, func(f rawFact) string { return f.keys["variant"] })
	covered, days := 0, decimal.FromInt(30)
	for _, row := range r.Rows {
		id := cell(t, r, row, "variant_id").Text()
		h, known := stock[company.ID(id)]
		if !known {
			continue // services and bundles have no stock
		}
		wantEqual(t, id+" available", number(t, r, row, "available"), (h.free() + h.transit).Decimal())
		w := sold[id]
		if w == nil || w.sold.Sign() <= 0 {
			if !cell(t, r, row, "days_of_cover").IsEmpty() {
				t.Errorf("%s is not sold and has %v", id, row)
			}
			continue
		}
		free := h.free().Decimal()
		if free.Sign() < 0 {
			free = decimal.Zero
		}
		covered++
		wantEqual(t, id+" cover", number(t, r, row, "days_of_cover"), free.Mul(days).Div(w.sold).Round(1))
	}
	if covered < 30 {
		t.Errorf("%d goods with a cover", covered)
	}
}

func TestGoodsWithoutASaleInThePeriodAreFound(t *testing.T) { // rule R212
	s := openShop(t, sandbox.Options{})
	r := callTool(t, s.owner(t), "moysklad_analyze", `{"measures":["stock","last_sale"],"by":["variant"],`+
		`"where":[{"field":"last_sale","op":"is_empty"},{"field":"stock","op":">","values":[0]}],`+inOctober+`}`)
	sold := map[string]bool{}
	for _, f := range rawFacts(s.company) {
		if isSale(f.kind) && f.day >= "2026-10-22" {
			sold[f.keys["variant"]] = true
		}
	}
	want := 0
	for id, h := range sumStores(stockFromDocuments(s.company)) {
		if g, _ := s.company.Good(id); h.stock > 0 && !g.IsArchived() && !sold[string(id)] {
			want++
		}
	}
	if len(r.Rows) != want || want == 0 {
		t.Errorf("%d goods without a sale, want %d", len(r.Rows), want)
	}
}
