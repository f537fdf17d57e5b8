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

// inside reads "сладости раскрой" and "что в сладостях" after figures by group as those of the goods of that group
// (rule R774); the same for a customer, a warehouse and such. It returns nil for any other message.
func (t *talk) inside(m *message) *language.Reading {
	task, in := m.task, m.in
	if t.done == nil {
		return nil
	}
	opens := false
	ts := token.Split(task)
	for _, x := range ts {
		opens = opens || openingWords[x.Norm]
	}
	base := t.done.Composed(in.Catalogue)
	if !opens || base.Query == nil || len(base.Query.By) == 0 || slices.Contains(base.Query.By, "product") {
		return nil
	}
	s := t.parts(task, false)
	var name *part
	for i, p := range s.parts {
		switch {
		case isName(p) && name == nil && !p.excludes:
			name = &s.parts[i]
		case p.slots[0] == slot(typed.SpanDimension) && (p.id == "product" || p.id == "document"):
		case p.slots[0] == "unknown" && t.allOpening(s, p):
		default:
			return nil
		}
	}
	if name == nil {
		return nil
	}
	for i, x := range s.ts {
		if (i < name.from || i >= name.to) && !x.Punctuation() && !openingWords[x.Norm] &&
			!aroundOpening[x.Norm] {
			return nil
		}
	}
	x := language.Read("а "+s.words(name.core, name.to)+" по товарам", in)
	if !complete(&x) || !x.FollowUp || x.Query == nil || !slices.Equal(x.Query.By, []string{"product"}) {
		return nil
	}
	x.Task = task
	return &x
}

func (t *talk) allOpening(s *sentence, p part) bool {
	for i := p.from; i < p.to; i++ {
		if !openingWords[s.norm(i)] && !aroundOpening[s.norm(i)] {
			return false
		}
	}
	return true
}

var (
	openingWords = words.Set("раскрой разверни распиши детализируй детально подробнее подробно поподробнее " +
		"подробней что чего какие внутри details detail expand open inside what")
	aroundOpening = words.Set("а и по в во с у на группу группе группа группы товары товарам товаров товар " +
		"именно там внутри лучше больше чаще всего продается продаются продаем продал продала продает покупает купил купила взял взяла берет заказывает ходовое покажи дай продали продавали продалось купили берут брали is in the by " +
		"product products show of and out")
)

// insideMost reads "самую низкую раскрой по товарам" after figures by group as those of the goods of that group (rule
// R797). It returns nil for any other message, and where the table does not tell which row is meant.
func (t *talk) insideMost(m *message) *language.Reading {
	task, in := m.task, m.in
	if t.done == nil {
		return nil
	}
	opens, high, low := false, false, false
	for _, x := range token.Split(task) {
		switch {
		case highest[x.Norm]:
			high = true
		case lowest[x.Norm]:
			low = true
		case openingWords[x.Norm]:
			opens = true
		case !x.Punctuation() && !aroundOpening[x.Norm] && !aroundHighest[x.Norm]:
			return nil
		}
	}
	base := t.done.Composed(in.Catalogue)
	if !opens || high == low || base.Query == nil || len(base.Query.By) != 1 || base.Query.By[0] == "product" {
		return nil
	}
	id := mostOf(base.Query, in.Rows, high)
	if id == "" {
		return nil
	}
	q := *base.Query
	q.Where = slices.DeleteFunc(slices.Clone(q.Where), func(w analysis.Condition) bool { // of the rows
		_, measure := in.Catalogue.Measure(w.Field)
		return measure || w.Field == q.By[0]
	})
	q.Where = append(q.Where, oneOf(q.By[0], []string{id}))
	q.By, q.Limit = []string{"product"}, 0
	if t.done.Query == nil { // the report has costs, which an employee's goods have not
		q.Measures, q.Order = []string{q.Measures[0]}, nil
	}
	if !query.Possible(in.Catalogue, q) {
		return nil
	}
	return changedTo(task, base.Language, &q)
}

// insideOne reads "что в ней" after one row of figures by group, supplier or warehouse as the goods of that row (rule
// R956). It returns nil for any other message.
func (t *talk) insideOne(m *message) *language.Reading {
	task, in := m.task, m.in
	if t.done == nil || !says(task, inside, aroundLast) || !asksInside(task) {
		return nil
	}
	rows, base := in.Rows, t.done.Composed(in.Catalogue)
	if base.Query == nil || len(base.Query.By) != 1 || !rowsOf(rows, base.Query.By[0]) ||
		rows.Dimension == "product" || rows.Dimension == "variant" || len(rows.IDs) != 1 || rows.IDs[0] == "" {
		return nil
	}
	q := *base.Query
	q.Where = slices.DeleteFunc(slices.Clone(q.Where), func(w analysis.Condition) bool { return w.Field == q.By[0] })
	q.Where = append(q.Where, oneOf(q.By[0], rows.IDs))
	q.By, q.Limit = []string{"product"}, 0
	if !query.Possible(in.Catalogue, q) {
		return nil
	}
	return changedTo(task, base.Language, &q)
}
