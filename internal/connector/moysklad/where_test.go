package moysklad

import (
	"strings"
	"testing"

	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/sandbox"
	"github.com/stockhand/stockhand/internal/sandbox/company"
	"github.com/stockhand/stockhand/internal/tool"
)

// The goal is 5% for all; which goods get it is decided here, from the lines of a proposal without conditions and from
// the documents.
func TestConditionsChooseWhichPricesChange(t *testing.T) { // rule R261
	s := openShop(t, sandbox.Options{})
	a := s.owner(t)
	number := decimal.MustParse
	all := changed(t, s, mustPropose(t, s, a, prices, `{"everything":true,"percent":"5"}`))
	stock, sold := map[company.ID]decimal.Decimal{}, map[company.ID]bool{}
	for at, b := range stockFromDocuments(s.company) {
		if g, ok := s.company.Good(at.good); ok && at.store != "" {
			stock[g.Root().ID] = stock[g.Root().ID].Add(b.stock.Decimal())
			if g.Kind == company.Variant {
				stock[g.ID] = stock[g.ID].Add(b.stock.Decimal())
			}
		}
	}
	today := tool.DayOf(noon)
	for at, n := range soldByStore(s.company, tool.Period{From: today.Add(-19), To: today}) {
		if g, ok := s.company.Good(at.good); ok && n != 0 {
			sold[g.ID], sold[g.Root().ID] = true, true
		}
	}
	margin := func(l tool.Line) (decimal.Decimal, bool) {
		return l.OldPrice.Sub(l.Cost.Decimal).Mul(decimal.Hundred).Div(l.OldPrice.Decimal), l.Cost.Known
	}
	for where, fits := range map[string]func(tool.Line) bool{
		`[{"field":"margin","op":"<","values":["35"]}]`: func(l tool.Line) bool {
			m, known := margin(l)
			return known && m.Less(number("35"))
		},
		`[{"field":"markup","op":">=","values":[60]},{"field":"price","op":"between","values":[100,900]}]`: func(
			l tool.Line) bool {
			return l.Cost.Known && !l.OldPrice.Less(l.Cost.Mul(number("1.6"))) && !l.OldPrice.Less(number("100")) &&
				!number("900").Less(l.OldPrice.Decimal)
		},
		`[{"field":"cost","op":"is_empty"}]`: func(l tool.Line) bool { return !l.Cost.Known },
		`[{"field":"stock","op":">","values":["20"]}]`: func(l tool.Line) bool {
			return number("20").Less(stock[company.ID(l.Product.ID)])
		},
		`[{"field":"days_without_sale","op":">=","values":[20]}]`: func(l tool.Line) bool {
			return !sold[company.ID(l.Product.ID)]
		},
	} {
		p := mustPropose(t, s, a, prices, `{"percent":"5","where":`+where+`}`)
		got := changed(t, s, p)
		chosen := 0
		for id, l := range all {
			_, there := got[id]
			if want := fits(l); want != there {
				t.Errorf("%s: %s: has a line: %t", where, l.Product.Name, there)
			} else if want {
				chosen++
			}
		}
		if chosen != len(got) || chosen == 0 && !strings.Contains(where, "is_empty") || chosen == len(all) ||
			chosen > 0 && !strings.Contains(p.Answer, "где ") {
			t.Errorf("%s: %d of %d, %d lines\n%s", where, chosen, len(all), len(got), p.Answer)
		}
	}
}

func TestAGoodWhoseFigureIsUnknownIsNamedAndNotPriced(t *testing.T) { // rule R261
	s := openShop(t, sandbox.Options{Company: company.Options{Seed: 7, Products: 200, Days: 30}})
	retail := s.company.Catalogue().PriceTypes[0]
	costless := find(t, s, "a good without a cost", func(g *company.Good) bool {
		return g.Kind == company.Product && len(g.Variants) == 0 && !g.Archived && g.SalePrice(retail).Value > 0 &&
			(g.Prices().Buy == nil || g.Prices().Buy.Value == 0)
	})
	only, a := []string{string(costless.ID)}, s.owner(t)
	p := mustPropose(t, s, a, prices, map[string]any{"products": only, "margin": 40})
	if len(p.Documents) > 0 || !strings.Contains(noticeOf(p, tool.NoticeNoPrice), costless.Name) {
		t.Errorf("%+v\n%v", p.Documents, p.Notices)
	}
	p = mustPropose(t, s, a, prices, map[string]any{"products": only, "percent": 5,
		"where": []any{map[string]any{"field": "purchase_price", "op": "<", "values": []int{1_000_000}}}})
	if len(p.Documents) > 0 || !strings.Contains(noticeOf(p, tool.NoticePartial), costless.Name) {
		t.Errorf("%+v\n%v", p.Documents, p.Notices)
	}
}

func TestAConditionThatCannotBeTestedIsAQuestion(t *testing.T) { // rule R261
	s := openShop(t, sandbox.Options{})
	owner, keeper := s.owner(t), s.as(t, s.info.Tokens.Storekeeper)
	for field, section := range map[string]string{"margin": "Видеть себестоимость", "cost": "Видеть себестоимость"} {
		e := wantFieldError(t, keeper, prices, map[string]any{"everything": true, "percent": 5,
			"where": []any{map[string]any{"field": field, "op": "<", "values": []int{20}}}}, "where")
		if !strings.Contains(e.Message, section) || !strings.Contains(e.Hint, "уберите это условие") {
			t.Errorf("%s: %v, %s", field, e, e.Hint)
		}
	}
	if err := s.Fail(sandbox.Fault{Path: "report/stock/all", Count: 9, Status: 403}); err != nil {
		t.Fatal(err)
	}
	wantFieldError(t, owner, prices, `{"percent":5,"where":[{"field":"days_in_stock","op":">","values":[90]}]}`,
		"where")
	for _, where := range []string{
		`[{"field":"margin","op":"in","values":[20]}]`, `[{"field":"margin","op":"<","values":[]}]`,
		`[{"field":"margin","op":"<","values":["many"]}]`, `[{"field":"price","op":"between","values":[9,1]}]`,
		`[{"field":"days_without_sale","op":"<","values":[20]}]`,
		`[{"field":"days_without_sale","op":">=","values":["1.5"]}]`,
	} {
		wantFieldError(t, owner, prices, `{"percent":5,"where":`+where+`}`, "where")
	}
	wantFieldError(t, owner, prices, `{"percent":5,"everything":true,"except":{}}`, "except")
}

func TestExceptedGoodsAndAFixedPrice(t *testing.T) { // rule R261
	s := openShop(t, sandbox.Options{})
	a := s.owner(t)
	all := changed(t, s, mustPropose(t, s, a, prices, `{"everything":true,"percent":"5"}`))
	var named *company.Good
	groups := map[company.ID]int{}
	for id := range all {
		g, _ := s.company.Good(id)
		if f := g.Root().Folder; f != nil {
			groups[f.ID]++
			if g.Kind == company.Product && len(g.Variants) == 0 && g.Supplier != nil {
				named = g
			}
		}
	}
	supplier := named.Supplier
	p := mustPropose(t, s, a, prices, map[string]any{"everything": true, "price": "123.45", "except": map[string]any{
		"products": []string{string(named.ID)}, "suppliers": []string{string(supplier.ID)}}})
	got := changed(t, s, p)
	for id, l := range all {
		g, _ := s.company.Good(id)
		_, there := got[id]
		if out := g.ID == named.ID || g.Root().Supplier == supplier; out == there {
			t.Errorf("%s: has a line: %t", l.Product.Name, there)
		} else if there {
			wantEqual(t, l.Product.Name, got[id].Price.Decimal, decimal.MustParse("123.45"))
		}
	}
	if len(got) == 0 || !strings.Contains(p.Answer, "кроме: поставщик (") {
		t.Errorf("%d lines: %s", len(got), p.Answer)
	}
}

func TestPricesChangeByAnAmountAndAreRounded(t *testing.T) { // rules R282 and R283
	s := openShop(t, sandbox.Options{})
	a := s.owner(t)
	p := mustPropose(t, s, a, prices, `{"everything":true,"amount":"50","round":{"to":"0.01"}}`)
	lines := changed(t, s, p)
	for _, l := range lines {
		wantEqual(t, l.Product.Name, l.Price.Decimal, l.OldPrice.Add(decimal.FromInt(50)))
	}
	if len(lines) == 0 || !strings.Contains(p.Answer, "+50,00 к нынешней цене") || !strings.Contains(p.Answer,
		"все товары") {
		t.Errorf("%d lines: %s", len(lines), p.Answer)
	}
	p = mustPropose(t, s, a, prices, `{"everything":true,"round":{"to":"100"}}`)
	lines = changed(t, s, p)
	hundred := decimal.FromInt(100)
	for _, l := range lines {
		off := l.Price.Sub(l.OldPrice.Decimal)
		if l.Price.Div(hundred).Round(0).Mul(hundred).Cmp(l.Price.Decimal) != 0 ||
			off.Cmp(hundred) > 0 || off.Cmp(hundred.Neg()) < 0 {
			t.Errorf("%s: %s from %s", l.Product.Name, l.Price, l.OldPrice)
		}
	}
	if len(lines) == 0 || !strings.Contains(p.Answer, "округление до 100,00") {
		t.Errorf("%d lines: %s", len(lines), p.Answer)
	}
	wantFieldError(t, a, prices, `{"everything":true,"amount":"0"}`, "amount")
	wantFieldError(t, a, prices, `{"everything":true,"amount":"5","percent":"5"}`, "percent")
}
