package moysklad

import (
	"cmp"
	"slices"
	"strings"
	"testing"

	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/sandbox"
	"github.com/stockhand/stockhand/internal/sandbox/company"
	"github.com/stockhand/stockhand/internal/tool"
)

// textsOf returns the article and the first barcode of a good; a variant has the article of its product.
func textsOf(g *company.Good) (article, barcode string) {
	for _, b := range g.Barcodes {
		if barcode == "" || b.Value < barcode {
			barcode = b.Value
		}
	}
	return cmp.Or(g.Article, g.Root().Article), barcode
}

// wantPrice compares a cell with a price, which is empty if not set.
func wantPrice(t *testing.T, what string, got tool.Value, want decimal.Maybe) {
	t.Helper()
	n, known := got.Decimal()
	if known != want.Known || known && n.Cmp(want.Round(2)) != 0 {
		t.Errorf("%s: %v, want %s (%v)", what, asJSON(got), want.Decimal, want.Known)
	}
}

func TestPricesAreThoseOfTheCards(t *testing.T) { // rule R213, facts M52 and M53
	s := openShop(t, sandbox.Options{})
	types := s.company.Catalogue().PriceTypes
	own := func(p company.Price, set bool) decimal.Maybe {
		foreign := p.Currency != nil && p.Currency != s.company.Catalogue().Currencies[0]
		if !set || p.Value == 0 || foreign {
			return decimal.Maybe{}
		}
		return decimal.Some(p.Value.Decimal().Major())
	}
	optional := func(p *company.Price) decimal.Maybe {
		if p == nil {
			return decimal.Maybe{}
		}
		return own(*p, true)
	}
	costs := map[company.ID]decimal.Decimal{}
	for _, row := range s.company.StockAll(company.StockQuery{StockMode: company.ModeAll,
		QuantityMode: company.ModeAll}) {
		if row.InHand > 0 && row.CostSum > 0 {
			costs[row.Good.ID] = row.CostSum.Decimal().Div(row.InHand.Decimal()).Major()
		}
	}
	r := callTool(t, s.owner(t), "moysklad_analyze", `{"measures":["sale_price","card_purchase_price","minimum_price",`+
		`"unit_cost","price_markup","price_minus_cost"],"by":["variant"]}`)
	below := 0
	for _, row := range r.Rows {
		g, _ := s.company.Good(company.ID(cell(t, r, row, "variant_id").Text()))
		sale := own(g.SalePrice(types[0]), true)
		buy := own(g.BuyPrice())
		wantPrice(t, g.Name+" sale", cell(t, r, row, "sale_price"), sale)
		wantPrice(t, g.Name+" purchase", cell(t, r, row, "card_purchase_price"), buy)
		wantPrice(t, g.Name+" minimum", cell(t, r, row, "minimum_price"), optional(g.Prices().Minimum))
		cost, known := costs[g.ID]
		less := decimal.Maybe{Decimal: sale.Sub(cost), Known: known && sale.Known}
		wantPrice(t, g.Name+" less cost", cell(t, r, row, "price_minus_cost"), less)
		if less.Known && less.Sign() < 0 {
			below++
		}
		if m, ok := cell(t, r, row, "price_markup").Decimal(); sale.Known && buy.Known {
			wantEqual(t, g.Name+" markup", m, sale.Sub(buy.Decimal).Mul(decimal.Hundred).Div(buy.Decimal).Round(1))
		} else if ok {
			t.Errorf("%s has a markup without prices", g.Name)
		}
	}
	if len(r.Rows) < 100 {
		t.Errorf("%d rows", len(r.Rows))
	}
	if !cell(t, r, r.Totals, "sale_price").IsEmpty() {
		t.Error("goods of different prices have a common price")
	}
	r = callTool(t, s.owner(t), "moysklad_analyze", `{"measures":["price_minus_cost"],"by":["variant"],"where":`+
		`[{"field":"price_minus_cost","op":"<","values":[0]}]}`)
	if len(r.Rows) != below {
		t.Errorf("%d goods below cost, want %d", len(r.Rows), below)
	}
}

func TestAPriceTypeCanBeChosen(t *testing.T) { // rule R213
	s := openShop(t, sandbox.Options{})
	types := s.company.Catalogue().PriceTypes
	r := callTool(t, s.owner(t), "moysklad_analyze", `{"measures":["sale_price"],"by":["variant","price_type"],`+
		`"where":[{"field":"price_type","op":"=","values":["`+types[1].Name+`"]}]}`)
	set := 0
	for _, row := range r.Rows {
		g, _ := s.company.Good(company.ID(cell(t, r, row, "variant_id").Text()))
		p := g.SalePrice(types[1])
		n, known := cell(t, r, row, "sale_price").Decimal()
		if id := cell(t, r, row, "price_type_id").Text(); id != string(types[1].ID) {
			t.Fatalf("a price of the type %s", id)
		}
		if known {
			set++
			wantEqual(t, g.Name, n, p.Value.Decimal().Major())
		} else if p.Value != 0 && p.Currency == nil {
			t.Errorf("%s has no price", g.Name)
		}
	}
	if set == 0 {
		t.Error("no prices of the second type")
	}
}

func TestHiddenPurchasePricesAreNotZero(t *testing.T) { // rule R15, fact M91
	s := openShop(t, sandbox.Options{})
	r := callTool(t, s.as(t, s.info.Tokens.Storekeeper), "moysklad_analyze",
		`{"measures":["sale_price","card_purchase_price","unit_cost","price_minus_cost"],"by":["variant"]}`)
	wantNotice(t, r, tool.NoticeRightMissing)
	shown := 0
	for _, row := range append(slices.Clone(r.Rows), r.Totals) {
		for _, name := range []string{"card_purchase_price", "unit_cost", "price_minus_cost"} {
			if !cell(t, r, row, name).IsEmpty() {
				t.Fatalf("%s is hidden, but shown as %v", name, row)
			}
		}
		if !cell(t, r, row, "sale_price").IsEmpty() {
			shown++
		}
	}
	if shown == 0 {
		t.Error("no sale prices")
	}
}

func TestGoodsWithoutAnArticleOrBarcodeAreFound(t *testing.T) { // rule R213
	s := openShop(t, sandbox.Options{})
	for i, field := range []string{"article", "barcode"} {
		r := callTool(t, s.owner(t), "moysklad_analyze", `{"measures":["stock"],"by":["variant"],"where":[{"field":"`+
			field+`","op":"is_empty"}]}`)
		want := 0
		for _, g := range s.company.Catalogue().Goods {
			article, barcode := textsOf(g)
			if g.Stocked() && !g.IsArchived() && []string{article, barcode}[i] == "" {
				want++
			}
		}
		if len(r.Rows) != want {
			t.Errorf("%d goods without %s, want %d", len(r.Rows), field, want)
		}
	}
}

// Prices have no total over several goods, even where all others lack one (rule R690); sums and ratios have.
func TestPricesHaveNoTotal(t *testing.T) {
	s := openShop(t, sandbox.Options{})
	a := s.owner(t)
	measures := `{"measures":["quantity_received","purchases","sale_price","price_markup","purchase_price"],` +
		`"by":["product"]`
	one := ""
	r := callTool(t, a, "moysklad_analyze", measures+`}`)
	for _, row := range r.Rows {
		if !cell(t, r, row, "sale_price").IsEmpty() && !cell(t, r, row, "purchase_price").IsEmpty() {
			one = cell(t, r, row, "product_id").Text()
		}
	}
	if !cell(t, r, r.Totals, "sale_price").IsEmpty() || !cell(t, r, r.Totals, "price_markup").IsEmpty() ||
		cell(t, r, r.Totals, "purchases").IsEmpty() || strings.Contains(r.Answer, "цена продажи ") {
		t.Errorf("%v: %s", asJSON(r.Totals), r.Answer)
	}
	r = callTool(t, a, "moysklad_analyze",
		measures+`,"where":[{"field":"product","op":"in","values":["`+one+`"]}]}`)
	if len(r.Rows) != 1 || cell(t, r, r.Totals, "sale_price").IsEmpty() ||
		cell(t, r, r.Totals, "purchase_price").IsEmpty() {
		t.Errorf("of one good: %v: %s", asJSON(r.Totals), r.Answer)
	}
}
