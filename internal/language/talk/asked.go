package talk

import (
	"regexp"
	"slices"
	"sync"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/language"
	"github.com/stockhand/stockhand/internal/language/compose/typed"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// ofAsked reads a message after a question about a draft that still waits for an answer (rule R1181). Names and figures
// without a verb go on with the request: "синюю M 20" is of the shirt that is to be ordered, and "сахар по 10" is no
// new price. A short question about figures of goods that names none is about the goods of the request: "сколько
// есть на складе". It returns nil for any other message.
func (t *talk) ofAsked(m *message) *language.Reading {
	n := len(m.in.Earlier)
	if t.done != nil && t.done.Skill.Proposes() && t.done.Task == m.in.Earlier[n-1] { // a draft was made
		return nil
	}
	last := t.said(n)
	if last == nil || last.Question == nil || !last.Skill.Proposes() {
		return nil
	}
	s := t.parts(m.task, false)
	if x := otherPrices(m, last); x != nil {
		return x
	}
	if s.onlyNamesAndNumbers() {
		return t.answered(m, s, last)
	}
	if !complete(&m.own) || !m.own.Skill.Reads() || m.own.FollowUp || !ofGoodsFigures(&m.own) ||
		slices.ContainsFunc(s.parts, func(p part) bool { return p.slots[0] == "goods" || p.slots[0] == "partner" }) {
		return nil
	}
	old := t.parts(last.Task, false)
	for _, p := range old.parts {
		if p.slots[0] != "goods" || len(p.names) == 0 || p.excludes {
			continue
		}
		x := *t.task(m.task + " " + old.words(p.core, p.to))
		if len(x.Unknown) > 0 && x.Skill.Reads() && t.unsearched() { // they are looked up first
			return &x
		}
		if complete(&x) && x.Skill.Reads() && slices.ContainsFunc(conditionsOf(&x), ofGoodsOnly) {
			x.Task, x.FollowUp, x.Language = m.task, true, m.own.Language
			return &x
		}
		break
	}
	x := withoutOptions(notSure(m.own, m.task, last))
	return &x
}

// otherPrices says that a draft changes prices of one type, where another is to be changed, too, before it is made:
// "и оптовую тоже". It returns nil for any other message.
func otherPrices(m *message, last *language.Reading) *language.Reading {
	if last.Skill != language.ProposePriceChange || !has(m.task, addingWords) || !has(m.task, tradeWords) ||
		has(last.Task, tradeWords) {
		return nil
	}
	x := withoutOptions(notSure(m.own, m.task, last))
	x.Skill, x.Input = last.Skill, nil
	x.Question.Text = m.own.Language.Pick("Черновик меняет цены одного типа. Сначала ответьте на вопрос, потом попросите "+
		"то же для другого типа цен.", "A draft changes prices of one type. Answer the question first, then ask for the "+
		"same with the other type.")
	return &x
}

var tradeWords = words.Set("опт оптовая оптовую оптовые оптовой оптовых розница розничная розничную розничные розничной " +
	"розницу wholesale retail")

// answered reads names and figures as a part of the request that is asked about. A draft of another kind is not
// meant.
func (t *talk) answered(m *message, s *sentence, last *language.Reading) *language.Reading {
	if !s.has(slot(typed.SpanNumber)) && !m.own.Skill.Proposes() {
		return nil
	}
	x := *t.task(last.Task + " " + m.task)
	if x.Skill == last.Skill && (complete(&x) || asks(&x)) && !same(&x, &m.own) {
		x.FollowUp, x.Language = true, last.Language
		return &x
	}
	if m.own.Skill.Proposes() && m.own.Skill != last.Skill {
		y := withoutOptions(notSure(m.own, m.task, last))
		y.Skill, y.Input = last.Skill, nil
		return &y
	}
	return nil
}

// onlyNamesAndNumbers reports whether a message says names and figures, and nothing about what to do with them.
func (s *sentence) onlyNamesAndNumbers() bool {
	names := false
	for _, p := range s.parts {
		if names = names || isName(p); !isName(p) && p.slots[0] != slot(typed.SpanNumber) && p.slots[0] != "unknown" {
			return false
		}
	}
	letters := func(x token.Token) bool { return x.Kind != token.Mark && x.Kind != token.Number && len(x.Norm) > 2 }
	return names && len(s.rest) == 0 && slices.ContainsFunc(s.ts, letters)
}

// ofGoodsFigures reports whether an answer shows figures of goods, and is limited to none.
func ofGoodsFigures(r *language.Reading) bool {
	if slices.ContainsFunc(conditionsOf(r), ofGoodsOnly) {
		return false
	}
	switch r.Skill {
	case language.Stock, language.StockByStore:
		return true
	case language.Analyze:
		other := func(m string) bool { return !figureOfGoods[m] }
		return r.Query != nil && !slices.ContainsFunc(r.Query.Measures, other) &&
			!slices.ContainsFunc(r.Query.Where, func(w analysis.Condition) bool { return w.Field == "counterparty" })
	}
	return false
}

// figureOfGoods are the figures that each good has now, or of its sales.
var figureOfGoods = words.Set("stock available reserved in_transit shortage minimum sale_price purchase_price " +
	"card_purchase_price unit_cost cost margin markup revenue quantity days_of_stock last_sale last_purchase " +
	"last_purchase_price stock_value")

// butThese returns "all but green" as "except green", and any other message as it is (rule R1180).
func butThese(task string, in language.Input) string {
	if m := allBut().FindStringSubmatch(task); m != nil && len(in.Earlier) > 0 {
		return "except " + m[1]
	}
	return task
}

var allBut = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^(?:all(?: of (?:them|these|those))?|everything|all them) but (?:not )?(?:the )?(.+)$`)
})
