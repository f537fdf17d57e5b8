package talk

import (
	"slices"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/language"
	"github.com/stockhand/stockhand/internal/language/compose/typed"
	"github.com/stockhand/stockhand/internal/language/query"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// asUsual asks what to compare with where a message compares with what is usual (rule R947): there is no such figure.
func asUsual(task string, r *language.Reading, in language.Input) {
	if !r.Skill.Reads() || r.Skill == language.Forecast || !has(task, usualWords) || !has(task, changedWords) ||
		r.Outside {
		return
	}
	base := *r
	if in.Previous != nil && elliptical(task) && !(&talk{in: in}).parts(task, false).has(slot(typed.SpanPeriod)) {
		base = *in.Previous
	}
	base = base.Composed(in.Catalogue)
	x := language.Reading{Task: r.Task, Language: r.Language, Skill: language.Analyze, FollowUp: r.FollowUp,
		Confidence: 1, Question: &language.Question{Text: r.Language.Pick(
			"Что считать обычным? Скажите, с чем сравнить: например, «с прошлой неделей» или «с прошлым годом».",
			"What is usual? Say what to compare with, such as “last week” or “last year”.")}}
	if base.Query != nil && base.Query.From != "" && base.Query.Compare == nil {
		q := *base.Query
		q.Where = slices.DeleteFunc(slices.Clone(q.Where), func(w analysis.Condition) bool { return w.Of != "" })
		q.By, q.Order, q.Limit = nil, nil, 0
		q.Compare = &analysis.Comparison{With: analysis.Previous}
		if query.Possible(in.Catalogue, q) {
			name := func(id string) string { return id }
			x.Query = &q
			x.Question.Options = []language.Option{{Text: query.Say(in.Catalogue, q, r.Language, name),
				Skill: language.Analyze, Query: &q}}
		}
	}
	if x.Query == nil {
		x.Skill, x.Arguments, x.Query, x.Input = r.Skill, r.Arguments, r.Query, r.Input
	}
	*r = x
}

var usualWords = words.Set("обычно обычного обычный обычная обычное обычных обычные обыкновенного usual usually normal")

// ofMoneyLeft asks about goods that a message names none of after figures of money: "сколько уйдёт" and "итого
// осталось" are about that money, of which there is no forecast (rule R948).
func ofMoneyLeft(task string, r *language.Reading, in language.Input) {
	if in.Previous == nil || !complete(r) || r.FollowUp && r.Skill == language.Analyze ||
		r.Skill != language.Stock && r.Skill != language.Forecast ||
		!ofMoney(in.Previous) && !ofExpenses(in.Previous) && !ofFlow(in.Previous) || len(conditionsOf(r)) > 0 ||
		has(task, goodsNamed) || len(token.Split(task)) > mostFragment+1 {
		return
	}
	x := withoutOptions(notSure(*r, task, in.Previous))
	if r.Skill == language.Forecast {
		x.Question.Text = r.Language.Pick(
			"Будущих платежей в учёте нет: сколько денег уйдёт, сказать не могу. Показать, сколько мы должны?",
			"There are no future payments in the account: I cannot tell how much will be spent. Show what we owe?")
		x.Question.Options = []language.Option{{Text: r.Language.Pick("Сколько мы должны", "What we owe"),
			Skill: language.Receivables, Arguments: language.Arguments{Direction: "owed_by_us"}}}
	} else {
		x.Question.Text = r.Language.Pick("Чего осталось? Могу показать, сколько денег сейчас.",
			"What is left? I can show how much money there is now.")
		x.Question.Options = []language.Option{{Text: r.Language.Pick("Сколько денег сейчас", "Money now"),
			Skill: language.Money, Arguments: language.Arguments{What: "balances"}}}
	}
	*r = x
}

var goodsNamed = words.Set("товар товара товары товаров остаток остатки штук склад складе складах запас запасы goods " +
	"stock products items warehouse")
