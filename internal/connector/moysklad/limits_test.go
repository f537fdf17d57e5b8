package moysklad

import (
	"strings"
	"testing"

	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/sandbox"
	"github.com/stockhand/stockhand/internal/tool"
)

// TestNewPricesKeepTheirBounds compares drafts with a bound with the lines of one without.
func TestNewPricesKeepTheirBounds(t *testing.T) { // rule R530
	s := openShop(t, sandbox.Options{})
	a := s.owner(t)
	number := decimal.MustParse
	free := changed(t, s, mustPropose(t, s, a, prices, `{"everything":true,"percent":"-40"}`))
	percent := func(d decimal.Decimal, by string) decimal.Decimal { return d.Mul(number(by)).Div(decimal.Hundred) }
	for bound, x := range map[string]struct {
		floor func(tool.Line) decimal.Decimal
		words string
	}{
		`"over_cost":"0"`:   {func(l tool.Line) decimal.Decimal { return l.Cost.Decimal }, "не ниже себестоимости"},
		`"over_cost":"10"`:  {func(l tool.Line) decimal.Decimal { return percent(l.Cost.Decimal, "110") }, "себестоимости плюс 10"},
		`"min_margin":"20"`: {func(l tool.Line) decimal.Decimal { return l.Cost.Mul(decimal.Hundred).Div(number("80")) }, "маржа новой цены"},
		`"min_price":"300"`: {func(tool.Line) decimal.Decimal { return number("300") }, "не ниже 300"},
	} {
		p := mustPropose(t, s, a, prices, `{"everything":true,"percent":"-40",`+bound+`}`)
		got, stopped := changed(t, s, p), 0
		for id, l := range free {
			is, there := got[id]
			floor := x.floor(l)
			known := l.Cost.Known || strings.Contains(bound, "min_price")
			switch {
			case !known, !floor.Less(l.OldPrice.Decimal):
				if there && !is.Price.Less(is.OldPrice.Decimal) {
					t.Errorf("%s: %s is not to change: %v", bound, l.Product.Name, is.Price)
				}
			case !there:
				if floor.Ceil(0).Less(l.OldPrice.Decimal) {
					t.Errorf("%s: %s has no line", bound, l.Product.Name)
				}
			case is.Price.Less(floor.Round(2)):
				t.Errorf("%s: %s is %v, below %v", bound, l.Product.Name, is.Price, floor)
			case is.Price.Cmp(l.Price.Decimal) != 0:
				if stopped++; l.Price.Cmp(floor) > 0 {
					t.Errorf("%s: %s is %v without need, not %v", bound, l.Product.Name, is.Price, l.Price)
				}
			}
		}
		if stopped == 0 || !strings.Contains(p.Answer, x.words) {
			t.Errorf("%s: %d stopped\n%s", bound, stopped, p.Answer)
		}
	}
	capped := mustPropose(t, s, a, prices, `{"everything":true,"percent":"10","max_price":"500"}`)
	for id, l := range changed(t, s, capped) {
		if number("500").Less(l.Price.Decimal) || !l.OldPrice.Less(l.Price.Decimal) {
			t.Errorf("%s: %v from %v", id, l.Price, l.OldPrice)
		}
	}
}

func TestQuantitiesOfOrdersKeepTheirBounds(t *testing.T) { // rule R531
	s := openShop(t, sandbox.Options{})
	a := s.owner(t)
	number := decimal.MustParse
	for bounds, fits := range map[string]func(decimal.Decimal) bool{
		`"multiple":"6"`:                func(q decimal.Decimal) bool { return q.Div(number("6")).Cmp(q.Div(number("6")).Floor(0)) == 0 },
		`"at_most":"5"`:                 func(q decimal.Decimal) bool { return !number("5").Less(q) },
		`"at_least":"7"`:                func(q decimal.Decimal) bool { return !q.Less(number("7")) },
		`"multiple":"6","at_most":"10"`: func(q decimal.Decimal) bool { return q.Cmp(number("6")) == 0 },
	} {
		p := mustPropose(t, s, a, orders, `{"days":60,`+bounds+`}`)
		lines := 0
		for _, d := range p.Documents {
			for _, l := range d.Lines {
				if lines++; !fits(l.Quantity.Decimal) {
					t.Errorf("%s: %s × %v", bounds, l.Product.Name, l.Quantity)
				}
			}
		}
		if lines == 0 || !strings.Contains(p.Answer, "Условия: ") {
			t.Errorf("%s: %d lines\n%s", bounds, lines, p.Answer)
		}
	}
	wantFieldError(t, a, orders, map[string]any{"multiple": 6, "at_most": 5}, "at_most")
}

func TestGoodsStayAtTheSourceOfATransfer(t *testing.T) { // rule R531
	s := openShop(t, sandbox.Options{})
	from, to := activeStores(s)[0], activeStores(s)[1]
	good := ample(t, s, from, 1)[0]
	free := stockFromDocuments(s.company)[place{good.ID, from.ID}].free().Decimal()
	items := []map[string]any{{"product": string(good.ID), "quantity": free}}
	p := mustPropose(t, s, s.owner(t), transfers, map[string]any{"from_stores": []string{from.Name},
		"stores": []string{to.Name}, "keep": 2, "items": items})
	wantEqual(t, good.Name, p.Documents[0].Lines[0].Quantity.Decimal, free.Sub(decimal.FromInt(2)))
	if !strings.Contains(p.Answer, "остаётся не меньше 2") {
		t.Error(p.Answer)
	}
	three := decimal.FromInt(3)
	p = mustPropose(t, s, s.owner(t), transfers, map[string]any{"from_stores": []string{from.Name},
		"stores": []string{to.Name}, "multiple": 3, "items": items})
	wantEqual(t, good.Name, p.Documents[0].Lines[0].Quantity.Decimal, free.Div(three).Floor(0).Mul(three))
}

// TestABudgetCutsAList: what a list with a budget cannot buy is named.
func TestABudgetCutsAList(t *testing.T) { // rule R531
	s := openShop(t, sandbox.Options{})
	good := ample(t, s, activeStores(s)[0], 1)[0]
	arguments := map[string]any{"store": activeStores(s)[0].Name, "items": []map[string]any{{"product": string(good.ID),
		"quantity": 10, "price": 100}}}
	whole := mustPropose(t, s, s.owner(t), orders, arguments)
	arguments["budget"] = 450
	p := mustPropose(t, s, s.owner(t), orders, arguments)
	if len(whole.Documents) != 1 || len(p.Documents) != 1 || quantityOf(p).Cmp(decimal.FromInt(4)) != 0 ||
		!strings.Contains(noticeOf(p, tool.NoticePartial), "4 из 10") {
		t.Errorf("%+v\n%s", p.Documents, noticeOf(p, tool.NoticePartial))
	}
}

func quantityOf(p *tool.Proposal) decimal.Decimal { return p.Documents[0].Lines[0].Quantity.Decimal }
