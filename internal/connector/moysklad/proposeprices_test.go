package moysklad

import (
	"strings"
	"testing"

	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/sandbox"
	"github.com/stockhand/stockhand/internal/sandbox/company"
	"github.com/stockhand/stockhand/internal/tool"
)

// changed returns the lines of all documents by good.
func changed(t *testing.T, s *shop, p *tool.Proposal) map[company.ID]tool.Line {
	t.Helper()
	lines := map[company.ID]tool.Line{}
	for _, d := range p.Documents {
		if d.Kind != tool.PriceChange || d.PriceType == nil || d.Total.Known {
			t.Errorf("%+v", d)
		}
		for _, l := range d.Lines {
			g := goodOf(t, s, l.Product)
			if _, twice := lines[g.ID]; twice {
				t.Errorf("%s has two lines", g.Name)
			}
			lines[g.ID] = l
		}
	}
	return lines
}

func TestAPercentageSkipsVariantsThatFollowTheirProduct(t *testing.T) {
	s := openShop(t, sandbox.Options{Company: company.Options{Seed: 7, Products: 200, Days: 30}})
	p := mustPropose(t, s, s.owner(t), prices, `{"everything":true,"percent":"7"}`)
	lines := changed(t, s, p)
	retail := s.company.Catalogue().PriceTypes[0]
	factor := decimal.MustParse("1.07")
	followed := 0
	for _, g := range s.company.Catalogue().Goods {
		l, there := lines[g.ID]
		old := g.SalePrice(retail).Value.Decimal().Major()
		inherits := g.Kind == company.Variant && len(g.Prices().Sale) == 0
		if inherits && !g.IsArchived() {
			followed++
		}
		if expected := g.Stocked() && !g.IsArchived() && !inherits && old.Sign() > 0; expected != there {
			t.Errorf("%s (%s): has a line: %t", g.Name, g.Kind, there)
			continue
		}
		if there {
			want := old.Mul(factor).Round(0) // the fixture's prices are whole roubles
			if !account.Integral(old) {
				want = old.Mul(factor).Round(2)
			}
			wantEqual(t, g.Name+" old", l.OldPrice.Decimal, old)
			wantEqual(t, g.Name+" seen", l.Seen.Price.Decimal, old)
			wantEqual(t, g.Name+" new", l.Price.Decimal, want)
		}
	}
	if followed == 0 || !strings.Contains(noticeOf(p, tool.NoticeAssumption), retail.Name) {
		t.Errorf("%d variants follow their product; notices %v", followed, p.Notices)
	}
	if p.Documents[0].PriceType.ID != string(retail.ID) || p.Documents[0].CurrencyID != "" {
		t.Errorf("%+v", p.Documents[0].PriceType)
	}
}

func TestMarkupAndMarginAreComputedFromThePurchasePrice(t *testing.T) {
	s := openShop(t, sandbox.Options{})
	a := s.owner(t)
	for arguments, of := range map[string]func(buy decimal.Decimal) decimal.Decimal{
		`{"everything":true,"markup":40,"round":{"to":0.01}}`: func(buy decimal.Decimal) decimal.Decimal {
			return buy.Mul(decimal.MustParse("1.4")).Round(2)
		},
		`{"everything":true,"margin":"37.5","round":{"to":"0.01"}}`: func(buy decimal.Decimal) decimal.Decimal {
			return buy.Div(decimal.MustParse("0.625")).Round(2)
		},
	} {
		p := mustPropose(t, s, a, prices, arguments)
		lines := changed(t, s, p)
		for id, l := range lines {
			g, _ := s.company.Good(id)
			buy, ok := g.BuyPrice()
			if !ok {
				t.Errorf("%s has a line but no purchase price", g.Name)
				continue
			}
			wantEqual(t, g.Name, l.Price.Decimal, of(buy.Value.Decimal().Major()))
		}
		for _, g := range s.company.Catalogue().Goods {
			if _, ok := g.BuyPrice(); !ok && g.Kind == company.Product && !g.IsArchived() &&
				!strings.Contains(noticeOf(p, tool.NoticeNoPrice), g.Name) {
				t.Errorf("%s has no purchase price and is not mentioned", g.Name)
			}
		}
		if len(lines) < 50 {
			t.Errorf("%s: %d lines", arguments, len(lines))
		}
	}
}

func TestPricesBelowCostAndBelowTheMinimumAreFlagged(t *testing.T) {
	s := openShop(t, sandbox.Options{})
	p := mustPropose(t, s, s.owner(t), prices, `{"everything":true,"percent":-25}`)
	costs := map[company.ID]decimal.Decimal{}
	for _, row := range s.company.StockAll(company.StockQuery{QuantityMode: company.ModeAll}) {
		if row.InHand > 0 && row.CostSum > 0 {
			costs[row.Good.ID] = row.CostSum.Decimal().Div(row.InHand.Decimal()).Major().Round(2)
		}
	}
	counts := map[tool.NoticeCode]int{}
	for id, l := range changed(t, s, p) {
		g, _ := s.company.Good(id)
		flags := map[tool.NoticeCode]bool{}
		for _, f := range l.Flags {
			flags[f.Code] = true
			counts[f.Code]++
		}
		if cost, ok := costs[id]; ok {
			wantNear(t, g.Name+" cost", l.Cost.Decimal, cost)
		}
		if below := l.Cost.Known && l.Price.Less(l.Cost.Decimal); below != flags[tool.NoticeBelowCost] {
			t.Errorf("%s: %s for a cost of %s, flags %v", g.Name, l.Price, l.Cost, l.Flags)
		}
		least := g.Prices().Minimum
		if below := least != nil && l.Price.Less(least.Value.Decimal().Major()); below &&
			!flags[tool.NoticeBelowMinPrice] {
			t.Errorf("%s: %s for a minimum price of %s, flags %v", g.Name, l.Price, least.Value, l.Flags)
		}
	}
	if counts[tool.NoticeBelowCost] == 0 || counts[tool.NoticeBelowMinPrice] == 0 {
		t.Errorf("flags %v", counts)
	}
}

func TestHiddenCostsGiveNoMargin(t *testing.T) {
	s := openShop(t, sandbox.Options{})
	p := mustPropose(t, s, s.as(t, s.info.Tokens.Storekeeper), prices, `{"everything":true,"percent":5}`)
	for _, l := range changed(t, s, p) {
		if l.Cost.Known || strings.Contains(l.Reason, "маржа") {
			t.Errorf("%+v", l)
		}
	}
	if !strings.Contains(noticeOf(p, tool.NoticeRightMissing), account.SectionCost.RU) {
		t.Errorf("notices %v", p.Notices)
	}
	p = mustPropose(t, s, s.as(t, s.info.Tokens.Storekeeper), prices, `{"everything":true,"markup":40}`)
	if len(p.Documents) > 0 || !strings.Contains(p.Answer, account.SectionCost.RU) {
		t.Errorf("%d documents: %s", len(p.Documents), p.Answer)
	}
	// An employee who sees purchase prices but not costs gets margins from them, with a notice.
	p = mustPropose(t, s, s.as(t, s.info.Tokens.Sales), prices, `{"everything":true,"percent":5}`)
	if noticeOf(p, tool.NoticeCostFromPrice) == "" || noticeOf(p, tool.NoticeRightMissing) == "" {
		t.Errorf("notices %v", p.Notices)
	}
}

func TestAPriceThatWasNeverSetIsNotRaised(t *testing.T) {
	s := openShop(t, sandbox.Options{})
	third := s.company.Catalogue().PriceTypes[2]
	p := mustPropose(t, s, s.owner(t), prices,
		map[string]any{"price_type": strings.ToUpper(third.Name), "everything": true, "percent": 10})
	lines := changed(t, s, p)
	for _, g := range s.company.Catalogue().Goods {
		if g.Kind != company.Product || g.IsArchived() {
			continue
		}
		if _, there := lines[g.ID]; there != (g.SalePrice(third).Value > 0) {
			t.Errorf("%s at %s: has a line: %t", g.Name, g.SalePrice(third).Value, there)
		}
	}
	if len(lines) == 0 || noticeOf(p, tool.NoticeNoPrice) == "" {
		t.Errorf("%d lines, notices %v", len(lines), p.Notices)
	}
}

func TestAListSetsExactPrices(t *testing.T) {
	s := openShop(t, sandbox.Options{})
	third := s.company.Catalogue().PriceTypes[2]
	unset := find(t, s, "product without that price", func(g *company.Good) bool {
		return g.Kind == company.Product && g.SalePrice(third).Value == 0 && len(g.Variants) == 0
	})
	variant := find(t, s, "variant", func(g *company.Good) bool {
		return g.Kind == company.Variant &&
			len(g.Prices().Sale) == 0
	})
	p := mustPropose(t, s, s.owner(t), prices, map[string]any{"price_type": string(third.ID), "items": []map[string]any{
		{"product": unset.Code, "price": "99.9"}, {"product": variant.Code, "price": 1234.56},
	}})
	lines := changed(t, s, p)
	if len(lines) != 2 || lines[unset.ID].OldPrice.Known {
		t.Errorf("%+v", lines)
	}
	wantEqual(t, unset.Name, lines[unset.ID].Price.Decimal, decimal.MustParse("99.9"))
	wantEqual(t, variant.Name, lines[variant.ID].Price.Decimal, decimal.MustParse("1234.56"))
	same := find(t, s, "product with that price",
		func(g *company.Good) bool { return g.Kind == company.Product && g.SalePrice(third).Value > 0 })
	p = mustPropose(t, s, s.owner(t), prices,
		map[string]any{"price_type": third.Name,
			"items": []map[string]any{{"product": same.Code,
				"price": same.SalePrice(third).Value.Decimal().Major().String()}}})
	if len(p.Documents) != 0 || noticeOf(p, tool.NoticeEmpty) == "" {
		t.Errorf("an unchanged price has a line in %+v", p.Documents)
	}
}

func TestThePurchasePriceIsAPriceTypeToo(t *testing.T) {
	s := openShop(t, sandbox.Options{})
	g := find(t, s, "product with a purchase price", func(g *company.Good) bool {
		_, ok := g.BuyPrice()
		return g.Kind == company.Product && ok && len(g.Variants) == 0
	})
	buy, _ := g.BuyPrice()
	p := mustPropose(t, s, s.owner(t), prices,
		map[string]any{"price_type": "Закупочная", "products": []string{g.Code}, "percent": 10,
			"round": map[string]any{"to": "0.01"}})
	l := changed(t, s, p)[g.ID]
	wantEqual(t, g.Name, l.Price.Decimal, buy.Value.Decimal().Major().Mul(decimal.MustParse("1.1")).Round(2))
	if p.Documents[0].PriceType.ID != "buyPrice" {
		t.Errorf("%+v", p.Documents[0].PriceType)
	}
}

func TestPricesAreChangedForAGroupAndItsSubgroups(t *testing.T) {
	s := openShop(t, sandbox.Options{Company: company.Options{Seed: 7, Products: 200, Days: 30}})
	var parent *company.Folder
	for _, f := range s.company.Catalogue().Folders {
		if f.Parent != nil && !f.Archived {
			parent = f.Parent
		}
	}
	p := mustPropose(t, s, s.owner(t), prices, map[string]any{"groups": []string{parent.Path()}, "percent": 3})
	lines := changed(t, s, p)
	inside := func(f *company.Folder) bool {
		for ; f != nil; f = f.Parent {
			if f == parent {
				return true
			}
		}
		return false
	}
	n := 0
	for _, g := range s.company.Catalogue().Goods {
		if g.Kind != company.Product || g.IsArchived() {
			continue
		}
		_, there := lines[g.ID]
		if there != inside(g.Folder) {
			t.Errorf("%s of %s: has a line: %t", g.Name, g.Folder.Path(), there)
		}
		if there {
			n++
		}
	}
	if n == 0 {
		t.Error("the fixture's group is empty")
	}
}

func TestPricesInAnotherCurrencyAreASeparateDocument(t *testing.T) {
	s := openShop(t, sandbox.Options{})
	var dollars *company.Currency
	for _, c := range s.company.Catalogue().Currencies {
		if !c.Default {
			dollars = c
		}
	}
	retail := s.company.Catalogue().PriceTypes[0]
	g := find(t, s, "product with a purchase price", func(g *company.Good) bool {
		buy, ok := g.BuyPrice()
		return g.Kind == company.Product && ok && buy.Currency.Default && len(g.Variants) == 0
	})
	price := company.Price{Value: company.Kopecks(1000), Currency: dollars}
	err := s.company.SetPrices(g.ID, company.NewPrices{Sale: map[*company.PriceType]company.Price{retail: price}})
	if err != nil {
		t.Fatal(err)
	}
	p := mustPropose(t, s, s.owner(t), prices, `{"everything":true,"markup":50,"round":{"to":"0.01"}}`)
	if len(p.Documents) != 2 || noticeOf(p, tool.NoticeCurrency) == "" {
		t.Fatalf("%d documents, notices %v", len(p.Documents), p.Notices)
	}
	for _, d := range p.Documents {
		if d.CurrencyID == "" {
			continue
		}
		buy, _ := g.BuyPrice()
		want := buy.Value.Decimal().Major().Mul(decimal.MustParse("1.5")).Div(dollars.Rate.Decimal()).Round(2)
		if d.CurrencyID != string(dollars.ID) || d.Currency != dollars.ISOCode || len(d.Lines) != 1 ||
			d.Lines[0].Product.ID != string(g.ID) {
			t.Errorf("%s in %s: %d lines", d.Title, d.Currency, len(d.Lines))
		}
		wantEqual(t, g.Name, d.Lines[0].Price.Decimal, want)
	}
}

func TestLongPriceChangesAreSplitIntoDocuments(t *testing.T) {
	s := openShop(t, sandbox.Options{Company: company.Options{Seed: 3, Products: 1300, Days: 2}})
	p := mustPropose(t, s, s.owner(t), prices, `{"everything":true,"percent":10}`)
	if len(p.Documents) != 2 || len(p.Documents[0].Lines) != 1000 || len(changed(t, s, p)) < 1200 {
		t.Errorf("%d documents", len(p.Documents))
	}
}

func TestAnAmbiguousPriceChangeIsRejected(t *testing.T) {
	s := openShop(t, sandbox.Options{})
	a := s.owner(t)
	for arguments, field := range map[string]string{
		`{"everything":true}`:                                                                      "percent",
		`{"everything":true,"percent":1,"margin":2}`:                                               "percent",
		`{"percent":5}`:                                                                            "everything",
		`{"everything":true,"percent":0}`:                                                          "percent",
		`{"everything":true,"percent":-100}`:                                                       "percent",
		`{"everything":true,"margin":100}`:                                                         "margin",
		`{"everything":true,"groups":["Одежда"],"percent":5}`:                                      "everything",
		`{"everything":true,"price_type":"закупочная","markup":5}`:                                 "price_type",
		`{"everything":true,"price_type":"нет такой","percent":5}`:                                 "price_type",
		`{"everything":true,"items":[{"product":"a","price":1}]}`:                                  "items",
		`{"items":[{"product":"a","price":0}]}`:                                                    "items",
		`{"everything":true,"percent":5,"round":{"to":"0.001"}}`:                                   "round",
		`{"everything":true,"percent":5,"round":{"ending":"x"}}`:                                   "round",
		`{"everything":true,"percent":5,"round":{"ending":"9","to":1}}`:                            "round",
		`{"everything":true,"percent":5,"round":{"ending":"9999"}}`:                                "round",
		`{"items":[{"product":"` + s.company.Catalogue().Goods[0].Code + `","price":1,"cost":2}]}`: "items",
	} {
		t.Run(arguments, func(t *testing.T) { wantFieldError(t, a, prices, arguments, field) })
	}
}
