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

// nounless reads "какие самые дорогие" and "самая прибыльная", which have no noun, as a question about what was shown
// (rule R1048): the answer before with that order or condition, or the same of its rows. By themselves the words would
// be about everything. It returns nil for any other message.
func (t *talk) nounless(m *message) *language.Reading {
	own := m.own
	if t.done == nil || !t.done.Skill.Reads() || own.FollowUp || linked(m.task, m.in) || !own.Skill.Reads() ||
		!complete(&own) {
		return nil
	}
	s := t.parts(m.task, true)
	if !s.opensNounless() || s.ofEverything() || s.has(append(nameSlots, "other name", "document",
		slot(typed.SpanDimension), slot(typed.SpanPeriod))...) {
		return nil
	}
	asked := own.Composed(m.in.Catalogue).Query
	chosen := len(conditionsOf(t.done)) > 0 || t.done.Query != nil && t.done.Query.Limit > 0
	if own.Skill == language.StockAge && chosen && len(conditionsOf(&own)) == 0 {
		x := notSure(own, m.task, t.done)
		return &x
	}
	if asked == nil || len(asked.Order) == 0 && len(asked.Where) == 0 || len(asked.Measures) == 0 {
		return nil
	}
	rows := m.shown
	base := t.done.Composed(m.in.Catalogue).Query
	if len(asked.By) == 1 && rowsOf(rows, asked.By[0]) && !rows.More && len(rows.IDs) > 0 &&
		(t.done.Query == nil || t.done.Query.Limit > 0) {
		q := *asked
		q.Where = append(slices.Clone(q.Where), oneOf(rows.Dimension, slices.DeleteFunc(slices.Clone(rows.IDs),
			func(id string) bool { return id == "" })))
		if query.Possible(m.in.Catalogue, q) {
			return changedTo(m.task, languageOf(m.task, m.in), &q)
		}
	}
	if t.done.Query == nil && lookUps[t.done.Skill] || base == nil || len(base.By) == 0 || base.Limit > 0 {
		x := notSure(own, m.task, t.done)
		return &x
	}
	q := *base
	q.Measures, q.Where = slices.Clone(q.Measures), slices.Clone(q.Where)
	for _, name := range asked.Measures {
		if !slices.Contains(q.Measures, name) {
			q.Measures = append(q.Measures, name)
		}
	}
	for _, w := range asked.Where {
		q.Where = slices.DeleteFunc(q.Where, func(o analysis.Condition) bool { return o.Field == w.Field })
		q.Where = append(q.Where, w)
	}
	if len(asked.Order) > 0 {
		q.Order = asked.Order
	}
	q.Limit = asked.Limit
	if !query.Possible(m.in.Catalogue, q) {
		x := notSure(own, m.task, t.done)
		return &x
	}
	return changedTo(m.task, languageOf(m.task, m.in), &q)
}

// opensNounless reports whether a message opens with a word that asks which of what was shown.
func (s *sentence) opensNounless() bool {
	for _, x := range s.ts {
		if !x.Punctuation() && !joins[x.Norm] && x.Norm != "is" && x.Norm != "the" {
			return opensNounless[x.Norm] && x.Kind == token.Word
		}
	}
	return false
}

// opensNounless are words that ask which of what was shown, if no noun follows: "какие самые дорогие".
var opensNounless = words.Set("какой какая какое какие каких какому какую каким который которая которое которые " +
	"самый самая самое самые which")
