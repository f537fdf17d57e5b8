package compose

import (
	"slices"

	"github.com/stockhand/stockhand/internal/language/compose/typed"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// ratesOf are figures in percent that a verb of selling adds nothing to: "с какой маржой продавали".
var ratesOf = []string{"margin", "markup", "return_rate"}

// besideRates leaves out the revenue that only a verb stands for beside a figure in percent, and the sales that
// returns are a part of (rule R873).
func (d *draft) besideRates() {
	if d.Previous != nil || !slices.Contains(d.asked, "revenue") || len(d.asked) < 2 || d.conditioned("revenue") {
		return
	}
	rate := slices.IndexFunc(ratesOf, func(m string) bool { return slices.Contains(d.asked, m) })
	if rate >= 0 && (d.onlyVerbs("revenue") || ratesOf[rate] == "return_rate" && len(d.asked) == 2) {
		d.remove("revenue")
	}
}

// lossStems are words for a loss, which sales of a period bring.
var lossStems = token.Stems("убыток loss")

// givers takes who gives discounts for employees: "кто больше всех скидывал" (rule R875).
func (d *draft) givers() {
	if d.Previous != nil || !slices.Equal(d.asked, []string{"discount"}) || !d.word(whoWords) ||
		!d.stems(givingStems) {
		return
	}
	if len(d.q.By) == 0 || slices.Equal(d.q.By, []string{"counterparty"}) && !d.customers() {
		d.q.By = []string{"employee"}
	}
}

// givingStems are verbs of giving discounts.
var givingStems = token.Stems("скидывал скидывала скидывали скидывает скинул скинула дал дала дает давал " +
	"давала раздал раздавал раздала раздает делал делала делает gave gives given give")

// expensesShared breaks expenses down by their items where the task asks for shares and names nothing else:
// "структура расходов".
func (d *draft) expensesShared() {
	if d.q.Share && d.Previous == nil && len(d.q.By)+len(d.q.Where) == 0 &&
		slices.Equal(d.asked, []string{"money_out"}) {
		d.q.By = []string{"expense_item"}
	}
}

// own reports whether an item is the merchant's own company, and no breakdown: "сколько денег в компании".
func (d *draft) own(it, prev *typed.Item) bool {
	return it.ID == "legal_entity" && it.End == it.At+1 && it.At > 0 && ofOwn[d.Tokens[it.At-1].Norm] &&
		ownWords[d.Tokens[it.At].Norm] && d.Previous == nil &&
		!is(prev, typed.Per) && !is(prev, typed.Best) && !is(prev, typed.Worst) && !d.asks(it)
}

var ofOwn = words.Set("в во у из с нашей нашу наша our the")

var ownWords = words.Set("компании компания компанией компанию фирмы фирме фирма фирмой фирму company " +
	"business firm")

// summed reports whether an item is what a sum or a share is of, and no breakdown: "на какую сумму вернули товара".
func (d *draft) summed(it, prev *typed.Item) bool {
	if it.ID != "product" || it.End != it.At+1 || d.Tokens[it.At].Norm != "товара" || d.Previous != nil ||
		is(prev, typed.Per) || is(prev, typed.Best) || is(prev, typed.Worst) || d.asks(it) {
		return false
	}
	return slices.ContainsFunc(d.Items, func(x *typed.Item) bool {
		return is(x, typed.Measure) && (x.ID == "returns" || x.ID == "return_rate" || x.ID == "revenue")
	})
}

// owedBehind reads what hangs on a customer as a debt: "сколько за Альфой висит" (rule R876).
func (s *sentence) owedBehind() {
	named := slices.ContainsFunc(s.Items, func(it *typed.Item) bool {
		if it.Kind != typed.Named || it.At == 0 {
			return false
		}
		before := s.Tokens[it.At-1].Norm
		if words.IsLegalForm(before) && it.At > 1 {
			before = s.Tokens[it.At-2].Norm
		}
		return (before == "за" || before == "на") && slices.Equal(fieldsOf(it.Name), []string{"counterparty"})
	})
	for _, it := range s.Items {
		if named && (it.Kind == typed.Unexplained || is(it, typed.Measure) && it.ID == "stock") &&
			it.End == it.At+1 && hanging[s.Tokens[it.At].Norm] {
			it.Kind, it.ID = typed.Measure, "owed_to_us"
		}
	}
}

// fieldsOf returns the dimensions that a name is of, each once.
func fieldsOf(n *typed.Name) (list []string) {
	for _, m := range n.Meanings {
		if f := typed.DimensionOf(m.Kind); f != "supplier" && !slices.Contains(list, f) {
			list = append(list, f)
		}
	}
	return list
}

var hanging = words.Set("висит висят числится числятся осталось")
