package language

import (
	"fmt"
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/language/phrase"
	"github.com/stockhand/stockhand/internal/language/quantity"
	"github.com/stockhand/stockhand/internal/words"
)

// filled returns the arguments of a skill with the names that are certain.
func (r *reader) filled(s Skill) Arguments {
	out := Reading{Question: &Question{}} // no further question from names
	out.Arguments = r.fill(s)
	r.applyNames(&out, s)
	return out.Arguments
}

func (r *reader) ask(skills ...Skill) *Question {
	q := &Question{Text: r.language.Pick("Уточните, что показать:", "Which of these do you mean?")}
	for _, s := range skills {
		q.Options = append(q.Options, r.option(s, r.filled(s)))
	}
	return q
}

// closeCall asks which of the skills with nearly the best score is meant.
func (r *reader) closeCall(best float64) *Question {
	var ss []Skill
	for _, s := range r.ranking {
		if best-s.score < closeMargin && s.score >= minScore && s.skill != SmallTalk && s.skill != Help && len(ss) < 4 {
			ss = append(ss, s.skill)
		}
	}
	return r.ask(ss...)
}

// leavesOut reports whether a task says what to leave out.
func (r *reader) leavesOut() bool {
	for i, t := range r.ts {
		if excepting[t.Norm] || t.Norm == "out" && i > 0 && (r.ts[i-1].Norm == "leave" || r.ts[i-1].Norm == "take") {
			return true
		}
	}
	return false
}

var excepting = words.Set("без кроме исключая without except excluding exclude skip")

// vague asks when a task names a subject but not what to do with it: "товары", "отчет".
func (r *reader) vague() *Question {
	e := r.evidence
	has := func(c concept) bool { return e.has(c) }
	if r.strayWords() > 2 && !has(conceptProduct) && !has(conceptOrder) || len(e.names) > 0 && r.leavesOut() {
		return nil // an option would be of what is to be left out
	}
	switch {
	case has(conceptPrice) && !has(conceptProduct):
		return r.ask(ProposePriceChange, Profitability)
	case has(conceptOrder):
		return r.ask(OverdueOrders, Shortages, ProposeSupplierOrders)
	case has(conceptSupplier):
		q := r.ask(Shortages)
		return r.withLists(q, connector.NameSupplier, r.option(Receivables, Arguments{Direction: "owed_by_us"}))
	case has(conceptCustomer):
		q := r.ask(Receivables)
		return r.withLists(q, connector.NameCounterparty,
			r.option(Profitability, Arguments{By: "counterparty", Order: "profit"}))
	case has(conceptEmployee):
		return r.withLists(&Question{Text: r.ask().Text}, connector.NameEmployee,
			r.option(Profitability, Arguments{By: "employee", Order: "profit"}))
	case has(conceptChannel):
		return r.withLists(&Question{Text: r.ask().Text}, connector.NameSalesChannel,
			r.option(Profitability, Arguments{By: "sales_channel", Order: "profit"}))
	case has(conceptGroup):
		q := r.ask(Stock, Profitability)
		return r.withLists(q, connector.NameGroup)
	case has(conceptStore):
		q := r.ask(StockByStore, Shortages)
		return r.withLists(q, connector.NameStore)
	case has(conceptProduct), len(e.names) > 0, has(conceptVariant), has(conceptBest), has(conceptWorst):
		return r.ask(Stock, Profitability, Shortages, StockAge)
	case has(conceptReport), has(conceptTrend), has(conceptCompare), has(conceptLiesInStock), has(conceptHowMany) &&
		len(r.strayList()) == 0 &&
		!r.hasNumbers() && !has(conceptOutOfScope), len(r.Periods) > 0 && len(r.strayList()) == 0:
		return r.ask(AccountOverview, SalesTrend, Stock, Profitability, Money)
	case r.subject():
		var ss []Skill
		for _, s := range r.ranking[:min(3, len(r.ranking))] {
			ss = append(ss, s.skill)
		}
		return r.ask(ss...)
	}
	return nil
}

// subject reports whether the task has a subject that a skill is about.
func (r *reader) subject() bool {
	return len(r.ranking) > 0 && r.ranking[0].skill.Reads() && slices.ContainsFunc(r.found, func(f phrase.Found) bool {
		c := f.Meaning
		return heads[c] != "" || c == conceptNegative || c == conceptZero || c == conceptOverdue
	})
}

func (r *reader) withLists(q *Question, k connector.NameKind, more ...Option) *Question {
	q.Options = append(q.Options, r.option(Reference, Arguments{Kind: string(k)}))
	q.Options = append(q.Options, more...)
	return q
}

func (r *reader) whichList() *Question {
	q := &Question{Text: r.language.Pick("Какой список показать?", "Which list do you want?")}
	for _, k := range lists {
		q.Options = append(q.Options, r.option(Reference, Arguments{Kind: string(k.kind)}))
	}
	return q
}

// maxOptions is how many similar names are offered.
const maxOptions = 8

// whichName asks which of several names is meant.
func (r *reader) whichName(s Skill, a Arguments, m *mention) *Question {
	q := &Question{Text: fmt.Sprintf(r.language.Pick("«%s» подходит к нескольким названиям. Что выбрать?",
		"“%s” could mean several things. Which one?"), m.words)}
	all := a
	goods := 0
	for _, n := range m.meanings {
		same := 0
		for _, o := range m.meanings {
			if o.Kind == n.Kind && strings.EqualFold(o.Name, n.Name) {
				same++
			}
		}
		one := a
		one.add(n, same > 1)
		if n.Kind == connector.NameProduct {
			goods++
			all.add(n, same > 1)
		}
		if len(q.Options) < maxOptions {
			o := r.option(s, one)
			if same > 1 && len(n.Also) > 0 {
				o.Text += " (" + n.Also[0] + ")"
			}
			q.Options = append(q.Options, o)
		}
	}
	if goods > 1 {
		rest := all
		rest.Products = nil
		o := Option{Text: fmt.Sprintf(r.language.Pick("%s: все подходящие товары (%d)",
			"%s: all matching products (%d)"), r.option(s, rest).Text, goods), Skill: s, Arguments: all}
		q.Options = slices.Insert(q.Options, 0, o)
	}
	return q
}

// future asks for another period when the period of the task has not begun.
func (r *reader) future(s Skill, a Arguments) *Question {
	if a.From != "" || s == Shortages || s.Proposes() {
		return nil
	}
	ahead := slices.ContainsFunc(r.Durations, func(d quantity.Duration) bool { return d.Next })
	if !ahead && (len(r.Periods) == 0 || !r.Periods[0].From.After(r.today)) {
		return nil
	}
	q := &Question{Text: r.language.Pick("Этот период ещё не начался. За какой период показать?",
		"That period has not begun. Which period shall I show?")}
	for _, l := range []words.TimeUnit{words.Week, words.Month, words.Year} {
		b := a
		b.From, b.To = iso(quantity.Begin(l, r.today)), iso(r.today)
		q.Options = append(q.Options, r.option(s, b))
	}
	return q
}

// withoutOrOnly asks what to do about a name that the task excludes, because no tool can exclude one.
func (r *reader) withoutOrOnly(s Skill, n connector.Name) *Question {
	all := Reading{Arguments: r.fill(s)}
	return &Question{
		Text: fmt.Sprintf(r.language.Pick("Исключить «%s» пока нельзя. Взять всё или только это?",
			"“%s” cannot be left out. Take everything, or that alone?"), n.Name),
		Options: []Option{r.option(s, all.Arguments), r.option(s, r.filled(s))},
	}
}

// heads are the concepts that alone are the subject of a task, and the skill that each asks for.
var heads = map[concept]Skill{
	conceptStock: Stock, conceptProfit: Profitability, conceptLoss: Profitability, conceptMoney: Money,
	conceptMoneyBalance: Money, conceptMoneyFlow: Money,
	conceptDebt: Receivables, conceptPayable: Receivables,
	conceptSales: SalesTrend, conceptRevenue: SalesTrend, conceptTurnover: Turnover, conceptSlowStock: StockAge,
	conceptShortage: Shortages,
	conceptToBuy:    Shortages, conceptABC: ABCXYZ, conceptByStore: StockByStore,
}
