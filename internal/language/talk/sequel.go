package talk

import (
	"slices"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/language"
	"github.com/stockhand/stockhand/internal/language/act"
	"github.com/stockhand/stockhand/internal/language/compose/typed"
	"github.com/stockhand/stockhand/internal/language/query"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// has reports whether a message has a word of a set.
func has(task string, set map[string]bool) bool {
	return slices.ContainsFunc(token.Split(task), func(x token.Token) bool { return set[x.Norm] })
}

var changedWords = words.Set("больше меньше выше ниже выросла вырос выросло выросли упала упал упало упали лучше " +
	"хуже просели просела просел more less higher lower grew fell better worse")

// whyThere reads "почему на Лесной мало" after figures by warehouse as why the figure of that one is what it is (rule
// R943). It returns nil for any other message.
func (t *talk) whyThere(m *message) *language.Reading {
	task, in := m.task, m.in
	if t.done == nil || !has(task, whyWords) {
		return nil
	}
	s := t.parts(task, false)
	base := t.done.Composed(in.Catalogue)
	if len(s.parts) == 0 || base.Query == nil || len(base.Query.By) != 1 || base.Query.Compare != nil {
		return nil
	}
	name := slices.IndexFunc(s.parts, isName)
	if name < 0 || s.parts[name].excludes {
		return nil
	}
	p := s.parts[name]
	for i, x := range s.ts {
		if (i < p.from || i >= p.to) && x.Kind != token.Mark && !whyWords[x.Norm] && !changedWords[x.Norm] &&
			!littleWords[x.Norm] && !leads[x.Norm] {
			return nil
		}
	}
	one := language.Read("а "+s.words(p.from, p.to), in)
	if one = one.Composed(in.Catalogue); !complete(&one) || !one.FollowUp || one.Query == nil ||
		!slices.ContainsFunc(one.Query.Where, func(w analysis.Condition) bool {
			return w.Field == base.Query.By[0] && w.Op == analysis.In
		}) {
		return nil
	}
	row := *one.Query
	row.By, row.Order, row.Limit = nil, nil, 0
	in.Previous, in.Rows = changedTo(task, base.Language, &row), nil
	x := language.Read(base.Language.Pick("почему", "why"), in)
	if !complete(&x) || x.Query == nil {
		return nil
	}
	return changedTo(task, languageOf(task, in), x.Query)
}

// whyFirst reads "почему там" after where is most or least as why the figure of that row is what it is; nil for any
// other message.
func whyFirst(task string, in language.Input) *language.Reading {
	rows := in.Rows
	if in.Previous == nil || rows == nil || rows.Earlier || len(rows.IDs) == 0 || rows.IDs[0] == "" ||
		act.Read(task).Kind != act.Why || !says(task, thereWords, aroundWhyThere) {
		return nil
	}
	base := in.Previous.Composed(in.Catalogue)
	if base.Query == nil || !slices.Equal(base.Query.By, []string{rows.Dimension}) || len(base.Query.Order) == 0 ||
		!rows.Top && base.Query.Limit != 1 {
		return nil
	}
	q := *base.Query
	q.Where = append(slices.Clone(q.Where), analysis.Condition{Field: q.By[0], Op: analysis.In,
		Values: []analysis.Scalar{analysis.Scalar(rows.IDs[0])}})
	q.By, q.Order, q.Limit = nil, nil, 0
	in.Previous, in.Rows = changedTo(task, base.Language, &q), nil
	x := language.Read(base.Language.Pick("почему", "why"), in)
	if !complete(&x) || x.Query == nil {
		return nil
	}
	return changedTo(task, languageOf(task, in), x.Query)
}

var (
	thereWords     = words.Set("там тут здесь него нее неё ней них there it")
	aroundWhyThere = words.Set("а и почему отчего зачем у с на в так мало много плохо хуже лучше больше меньше всего " +
		"why is so")
)

var littleWords = words.Set("мало много плохо слабо так такая такой такое такие там только низкая низкий высокая " +
	"высокий слабые little low much bad so")

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
