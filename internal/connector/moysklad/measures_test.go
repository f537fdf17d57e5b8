package moysklad

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/connector/moysklad/analyze/measures"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/sandbox"
	"github.com/stockhand/stockhand/internal/sandbox/company"
	"github.com/stockhand/stockhand/internal/tool"
)

// summed is a sum of quantities and the units that it is of.
type summed struct {
	decimal.Decimal
	units map[string]bool
}

func (s *summed) add(n decimal.Decimal, unit string) {
	s.Decimal = s.Add(n)
	if s.units == nil {
		s.units = map[string]bool{}
	}
	if n.Sign() != 0 {
		s.units[unit] = true
	}
}

// rawMinimum is a minimum of the sandbox: the oracle knows neither cards nor stock reports.
type rawMinimum struct {
	good           *company.Good
	store          company.ID // empty for all warehouses together
	minimum, short decimal.Decimal
}

func rawMinimums(c *company.Company) (list []rawMinimum) {
	b, all := stockFromDocuments(c), sumStores(stockFromDocuments(c))
	for _, g := range c.Catalogue().Goods {
		if g.Minimum == nil || g.IsArchived() || len(g.Variants) > 0 {
			continue
		}
		add := func(store company.ID, h balance, minimum company.Quantity) {
			if minimum > 0 {
				list = append(list, rawMinimum{g, store, minimum.Decimal(), max(0, minimum-h.free()).Decimal()})
			}
		}
		switch g.Minimum.Type {
		case company.MinimumSum:
			add("", all[g.ID], g.Minimum.Quantity)
		case company.MinimumSame:
			for _, s := range c.Catalogue().Stores {
				if !s.Archived {
					add(s.ID, b[place{g.ID, s.ID}], g.Minimum.Quantity)
				}
			}
		case company.MinimumVaried:
			for _, m := range g.Minimum.Stores {
				if !m.Store.Archived {
					add(m.Store.ID, b[place{g.ID, m.Store.ID}], m.Quantity)
				}
			}
		}
	}
	return list
}

// The minimum and the shortage by every dimension equal what the cards and the documents of the sandbox say.
func TestMinimumsAndShortagesEqualTheCardsByEveryDimension(t *testing.T) { // rule R203, facts M21 and M57
	for _, seed := range []uint64{7, 8} {
		s := openShop(t, sandbox.Options{Company: company.Options{Products: 250, Days: 40, Seed: seed}})
		a := s.owner(t)
		raw := rawMinimums(s.company)
		full, err := a.Catalogue(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		m, _ := full.Measure("shortage")
		compared, short := 0, 0
		for _, d := range m.Over {
			if d == measures.DimABC || d == measures.DimXYZ { // classes have a test of their own
				continue
			}
			r := callTool(t, a, "moysklad_analyze", fmt.Sprintf(`{"measures":["minimum","shortage"],"by":[%q]}`, d))
			want := map[string][2]*summed{}
			total := [2]*summed{{}, {}}
			for _, x := range raw {
				keys := goodKeys(x.good)
				keys["store"] = string(x.store)
				if want[keys[d]] == ([2]*summed{}) {
					want[keys[d]] = [2]*summed{{}, {}}
				}
				for i, n := range []decimal.Decimal{x.minimum, x.short} {
					want[keys[d]][i].add(n, keys["unit"])
					total[i].add(n, keys["unit"])
				}
			}
			for _, row := range append(slices.Clone(r.Rows), r.Totals) {
				w := total
				if &row[0] != &r.Totals[0] {
					w = want[cell(t, r, row, d+"_id").Text()]
				}
				for i, name := range []string{"minimum", "shortage"} {
					got := cell(t, r, row, name)
					switch {
					case w[i] == nil || len(w[i].units) > 1:
						if !got.IsEmpty() {
							t.Errorf("by %s, %v: %s is %s, want none", d, row[0], name, asJSON(got))
						}
					default:
						wantEqual(t, fmt.Sprintf("by %s, %v: %s", d, row[0], name), number(t, r, row, name),
							w[i].Decimal)
						compared++
						short += map[bool]int{true: 1}[i == 1 && w[i].Sign() > 0]
					}
				}
				delete(want, cell(t, r, row, d+"_id").Text())
			}
			if len(want) > 0 {
				t.Errorf("by %s, %d rows are missing", d, len(want))
			}
		}
		if t.Logf("%d figures", compared); short == 0 {
			t.Error("the fixture has no shortage")
		}
	}
}

// The shortage tool and the query compare the same stock with the same minimums.
func TestShortagesOfAQueryAreThoseOfTheTool(t *testing.T) { // rule R203
	s := openShop(t, sandbox.Options{})
	listed := callTool(t, s.owner(t), "moysklad_shortages", `{"mode":"below_minimum"}`)
	below := map[string]decimal.Decimal{} // by good
	for _, row := range listed.Rows {
		id, least := cell(t, listed, row, "id").Text(), number(t, listed, row, "minimum")
		below[id] = below[id].Add(least.Sub(number(t, listed, row, "free")).Max(decimal.Zero))
	}
	r := callTool(t, s.owner(t), "moysklad_analyze",
		`{"measures":["shortage"],"by":["variant"],"where":[{"field":"shortage","op":">","values":[0]}]}`)
	for _, row := range r.Rows {
		id := cell(t, r, row, "variant_id").Text()
		wantEqual(t, id, number(t, r, row, "shortage"), below[id])
		delete(below, id)
	}
	for id, n := range below {
		if n.Sign() > 0 {
			t.Errorf("%s is %s below its minimum, which the query does not say", id, n)
		}
	}
}

func TestGoodsWithoutAMinimumAreFound(t *testing.T) { // rule R203
	s := openShop(t, sandbox.Options{})
	a := s.owner(t)
	r := callTool(t, a, "moysklad_analyze",
		`{"measures":["minimum"],"by":["variant"],"where":[{"field":"minimum","op":"is_empty"}]}`)
	has, want := map[company.ID]bool{}, 0
	for _, x := range rawMinimums(s.company) {
		has[x.good.ID] = true
	}
	for _, g := range s.company.Catalogue().Goods {
		if g.Stocked() && !g.IsArchived() && len(g.Variants) == 0 && !has[g.ID] {
			want++
		}
	}
	if len(r.Rows) != want || want == 0 {
		t.Errorf("%d goods without a minimum, want %d", len(r.Rows), want)
	}
	r = callTool(t, a, "moysklad_analyze", `{"measures":["minimum"],"by":["store","variant"]}`)
	for _, row := range r.Rows { // by warehouses, those goods are in no row
		if cell(t, r, row, "minimum").IsEmpty() {
			t.Errorf("an empty minimum in %v", row)
		}
	}
}

// Of one named good, only its cards are read.
func TestTheMinimumOfANamedGoodReadsItsCard(t *testing.T) { // rules R203 and R230
	s := openShop(t, sandbox.Options{Company: company.Options{Products: 250, Days: 40, Seed: 7}})
	a := s.owner(t)
	var name string
	for _, x := range rawMinimums(s.company) {
		if x.good.Root() == x.good {
			name = x.good.Name
		}
	}
	r := callTool(t, a, "moysklad_analyze", fmt.Sprintf(
		`{"measures":["minimum"],"by":["product"],"where":[{"field":"product","op":"=","values":[%q]}]}`, name))
	if len(r.Rows) != 1 || cell(t, r, r.Rows[0], "product").Text() != name {
		t.Errorf("%v", r.Rows)
	}
	for _, x := range r.Provenance.Sources {
		if x.Path == "entity/product" && x.Rows > 1 {
			t.Errorf("%d cards were read: %+v", x.Rows, x)
		}
	}
	if p := r.Provenance; p.Requests != p.Needed {
		t.Errorf("%d requests, %d would be enough: %+v", p.Requests, p.Needed, p.Sources)
	}
}

// An employee without the short stock report sees the same shortages from the extended one; without goods, none.
func TestShortagesWithFewRights(t *testing.T) { // rules R15 and R203
	s := openShop(t, sandbox.Options{})
	r := callTool(t, s.as(t, s.info.Tokens.Storekeeper), "moysklad_analyze",
		`{"measures":["shortage","minimum"],"by":["store"]}`)
	if len(r.Rows) == 0 {
		wantNotice(t, r, tool.NoticeRightMissing)
	}
	if err := s.Fail(sandbox.Fault{Path: "entity/product", Status: 403, Count: 100}); err != nil {
		t.Fatal(err)
	}
	r = callTool(t, s.owner(t), "moysklad_analyze", `{"measures":["minimum"]}`)
	if wantNotice(t, r, tool.NoticeRightMissing); len(r.Rows) > 0 || strings.ContainsAny(r.Answer, "0123456789") {
		t.Errorf("%s, %v", r.Answer, r.Rows)
	}
	_, err := tryTool(s.owner(t), "moysklad_analyze",
		`{"measures":["shortage"],"compare":{"with":"previous"}}`, tool.Env{Now: noon})
	if stockhand.CodeOf(err) != stockhand.CodeValidation {
		t.Errorf("minimums of another period: %v", err)
	}
	if _, ok := measures.Catalogue.Measure("to_order"); ok {
		t.Error("to_order follows from a horizon, which a query does not have")
	}
}

// A measure of the caller's own behaves like those of the catalogue: in rows, totals, conditions, comparisons and
// order.
func TestDefinedMeasuresBehaveLikeOthers(t *testing.T) { // rule R208
	s := openShop(t, sandbox.Options{})
	a := s.owner(t)
	r := callTool(t, a, "moysklad_analyze", `{"define":[{"name":"our_margin","formula":"(revenue - cost) / cost",`+
		`"unit":"percent","title":"Наша маржа"},{"name":"left","formula":"revenue - cost"},`+
		`{"name":"per_receipt","formula":"revenue / receipts"}],`+
		`"measures":["our_margin","left","revenue","cost","profit"],"by":["store"],"order":[{"field":"our_margin"}],`+
		`"where":[{"field":"left","op":">","values":[0]}],"compare":{"with":"previous"},`+inOctober+`}`)
	if len(r.Rows) == 0 || !strings.Contains(r.Answer, "Наша маржа") {
		t.Fatal(r.Answer)
	}
	last, first := decimal.Zero, true
	for _, row := range append(slices.Clone(r.Rows), r.Totals) {
		for _, suffix := range []string{"", "_before"} {
			// Costs are known for a part of the revenue, and compared with that part.
			profit, cost := number(t, r, row, "profit"+suffix), number(t, r, row, "cost"+suffix)
			wantNear(t, "left", number(t, r, row, "left"+suffix), profit)
			share := profit.Mul(decimal.Hundred).Div(cost).Round(1)
			if got := number(t, r, row, "our_margin"+suffix); got.Sub(share).Abs().Cmp(decimal.MustParse("0.1")) > 0 {
				t.Errorf("our margin is %s, want %s", got, share)
			}
		}
		if &row[0] != &r.Totals[0] {
			if got := number(t, r, row, "our_margin"); !first && last.Less(got) {
				t.Errorf("%s comes after %s", got, last)
			}
			last, first = number(t, r, row, "our_margin"), false
		}
	}
	for _, query := range []string{
		`{"define":[{"name":"x1","formula":"revenue + stock"}],"measures":["x1"]}`,
		`{"define":[{"name":"x1","formula":"revenue / stock"}],"measures":["x1"],"by":["month"]}`,
		`{"measures":["x1"]}`,
	} {
		if _, err := tryTool(a, "moysklad_analyze", query, tool.Env{Now: noon}); stockhand.CodeOf(err) !=
			stockhand.CodeValidation {
			t.Errorf("%s: %v", query, err)
		}
	}
}

// What is computed from a hidden figure is hidden.
func TestDefinedMeasuresHideWhatTheyAreComputedFrom(t *testing.T) { // rules R15 and R208
	s := openShop(t, sandbox.Options{})
	r := callTool(t, s.as(t, s.info.Tokens.Storekeeper), "moysklad_analyze",
		`{"define":[{"name":"value","formula":"stock_cost - stock_price"},{"name":"pieces","formula":"stock - reserve"}],`+
			`"measures":["value","pieces","free"],"by":["variant"]}`)
	wantNotice(t, r, tool.NoticeRightMissing)
	seen := 0
	for _, row := range append(slices.Clone(r.Rows), r.Totals) {
		if !cell(t, r, row, "value").IsEmpty() {
			t.Errorf("a hidden value is shown: %v", row)
		}
		if asJSON(cell(t, r, row, "pieces")) != asJSON(cell(t, r, row, "free")) {
			t.Errorf("pieces differ from free: %v", row)
		}
		seen++
	}
	if seen < 50 {
		t.Errorf("%d rows", seen)
	}
}

// Price bands are ordered and compared as numbers; a good without a price, or with one in another currency, has none.
func TestPriceBandsAreNumbers(t *testing.T) { // rule R209
	s := openShop(t, sandbox.Options{})
	r := callTool(t, s.owner(t), "moysklad_analyze", `{"measures":["revenue"],"by":["price_band"],`+
		`"where":[{"field":"price_band","op":">=","values":[500]}],"order":[{"field":"price_band"}],`+inOctober+`}`)
	want := map[string]decimal.Decimal{}
	for _, f := range rawFacts(s.company) {
		sign := map[bool]int64{true: 1}[isSale(f.kind)] - map[bool]int64{true: 1}[isReturn(f.kind)]
		if band := f.keys["price_band"]; band != "" && len(band) >= 3 && band != "100" && band != "250" &&
			f.day >= "2026-10-22" && sign != 0 {
			want[band] = want[band].Add(f.sum.Mul(decimal.FromInt(sign)))
		}
	}
	last := decimal.Zero
	for _, row := range r.Rows {
		at := number(t, r, row, "price_band")
		if at.Cmp(last) <= 0 {
			t.Errorf("%s comes after %s", at, last)
		}
		last = at
		wantEqual(t, "revenue from "+at.String(), number(t, r, row, "revenue"), want[at.String()])
		delete(want, at.String())
	}
	if len(want) > 0 || len(r.Rows) < 2 {
		t.Errorf("%d bands, %d are missing", len(r.Rows), len(want))
	}
}
