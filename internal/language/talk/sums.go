package talk

import (
	"slices"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/language"
	"github.com/stockhand/stockhand/internal/language/query"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/tool"
	"github.com/stockhand/stockhand/internal/words"
)

// total reads "итого", "по ним одной суммой" and "а вместе" as the figures of the answer before without its rows
// (rule R772). It returns nil for any other message.
func (t *talk) total(m *message) *language.Reading {
	task, in := m.task, m.in
	in.Rows = m.shown
	sums := says(task, totalWords, aroundTotal)
	if t.done == nil || !t.done.Skill.Reads() || !sums && !saysAll(task) {
		return nil
	}
	base := t.done.Composed(in.Catalogue)
	if of := conditionsOf(t.done); !sums && len(of) > 0 && (base.Query == nil ||
		opensWithAnd(task) || len(base.Query.By) == 0 && !slices.ContainsFunc(of, func(w analysis.Condition) bool {
		return w.Op == analysis.In && len(w.Values) > 1
	})) { // "а всего" after one name is of all, "всего" after several of those
		return nil
	}
	if t.asksForSum(task) && !t.showsMoney(base.Query) {
		return nil // "сумма" after a number of orders is another figure
	}
	if t.done.Skill == language.Documents || t.done.Skill == language.SalesTrend ||
		base.Query != nil && len(base.Query.By) == 0 { // its answer says the sum
		x := *t.done
		x.Task, x.FollowUp, x.Confidence = task, true, 1
		x.Language = languageOf(task, in)
		return &x
	}
	if base.Query == nil || len(base.Query.By) == 0 {
		return nil
	}
	q := *base.Query
	if slices.ContainsFunc(q.Where, func(w analysis.Condition) bool { // of rows, and not of their sum
		_, measure := in.Catalogue.Measure(w.Field)
		return measure
	}) {
		if q.Limit == 0 && t.showsMoney(&q) { // the totals of its rows
			x := *t.done
			x.Task, x.FollowUp, x.Confidence, x.Language = task, true, 1, languageOf(task, in)
			return &x
		}
		x := language.Read("сколько это всего в рублях", in)
		x.Task, x.Language = task, languageOf(task, in)
		if complete(&x) && x.FollowUp {
			return &x
		}
		return nil
	}
	if rows := in.Rows; q.Limit > 0 { // of those that were shown
		if !rowsOf(rows, q.By[0]) || rows.More && len(rows.IDs) < q.Limit {
			return nil
		}
		q.Where = append(slices.Clone(q.Where), oneOf(q.By[0], rows.IDs[:min(q.Limit, len(rows.IDs))]))
	}
	q.By, q.Order, q.Limit, q.Share = nil, nil, 0, false
	if !query.Possible(in.Catalogue, q) {
		return nil
	}
	return changedTo(task, base.Language, &q)
}

// saysAll reports whether a message is "а всего?", which also drops what the answer before was limited to.
func saysAll(task string) bool {
	return says(task, aroundTotal, nil) && slices.ContainsFunc(token.Split(task),
		func(x token.Token) bool { return x.Norm == "всего" })
}

func (t *talk) asksForSum(task string) bool {
	return slices.ContainsFunc(token.Split(task), func(x token.Token) bool { return sumsAlone[x.Norm] })
}

// opensWithAnd reports whether a message begins with a conjunction.
func opensWithAnd(task string) bool { return conjunctions[token.Split(task)[0].Norm] }

// showsMoney reports whether the answer before shows sums of money.
func (t *talk) showsMoney(q *analysis.Query) bool {
	if t.done.Skill == language.Documents {
		return true
	}
	return q != nil && slices.ContainsFunc(q.Measures, func(name string) bool {
		m, ok := t.in.Catalogue.Measure(name)
		return ok && m.Unit == tool.UnitMoney && m.Adds
	})
}

var (
	sumsAlone  = words.Set("сумма сумму суммы sum amount")
	totalWords = words.Set("итого итог итоги итогом итоговая итоговую итогу суммой суммарно суммарная вместе " +
		"целом сложи сложить общий общая общую совокупно total altogether overall combined together сумме")
	aroundTotal = words.Set("а и по ним всем всего одной общей общая общую общий сколько в это выходит " +
		"выйдет получается получилось вышло будет их за все всё дай покажи скажи посчитай посчитать " +
		"давай только какая какой какую цифрой числом одним строкой цифра там весь у нас сумма сумму the " +
		"in for them all one sum what is only just please show me how much")
)
