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

// ofShownPlaces limits "что там продают" after figures of warehouses to those, in the same period (rule R1177): by
// itself the question is about everything.
func ofShownPlaces(task string, r *language.Reading, in language.Input) {
	done, ts := in.Previous, token.Split(task)
	if done == nil || !done.Skill.Reads() || r.FollowUp || !complete(r) || !r.Skill.Reads() ||
		len(conditionsOf(r)) > 0 || len(ts) < 2 || ts[0].Norm == "как" || ts[0].Norm == "how" ||
		!has(task, placeWords) || aboutShown(r, in) {
		return
	}
	base, of := done.Composed(in.Catalogue).Query, r.Composed(in.Catalogue).Query
	s := (&talk{in: in}).parts(task, true)
	if base == nil || of == nil || s.ofEverything() ||
		s.has(append(nameSlots, "other name", slot(typed.SpanPeriod))...) {
		return
	}
	places := slices.DeleteFunc(slices.Clone(base.Where), func(w analysis.Condition) bool { return w.Field != "store" })
	if rows := in.Rows; slices.Equal(base.By, []string{"store"}) {
		if !rowsOf(rows, "store") || rows.More || slices.Contains(rows.IDs, "") {
			return
		}
		ids := rows.IDs
		if rows.Top && len(ids) > 0 {
			ids = ids[:1]
		}
		places = []analysis.Condition{oneOf("store", ids)}
	}
	if len(places) == 0 {
		return
	}
	q := *of
	q.Where = append(slices.Clone(q.Where), places...)
	if q.From == "" && q.Compare == nil {
		q.From, q.To = base.From, base.To
	}
	if query.Possible(in.Catalogue, q) {
		*r = *changedTo(task, languageOf(task, in), &q)
	}
}

// arrivalOfGoods reads "когда придут" after the stock of named goods as when those are expected (rule R1178). It
// returns nil for any other message.
func (t *talk) arrivalOfGoods(m *message) *language.Reading {
	if t.done == nil || !ofNamedStock(t.done) || !wording(aroundArrival, arriving).Is(token.Split(m.task), nil) {
		return nil
	}
	q := analysis.Query{Measures: []string{"in_transit", "expected_on"}, By: []string{"product"}}
	for _, w := range conditionsOf(t.done) {
		if w.Field == "product" || w.Field == "group" {
			q.Where = append(q.Where, w)
		}
	}
	if !query.Possible(m.in.Catalogue, q) {
		return nil
	}
	return changedTo(m.task, languageOf(m.task, m.in), &q)
}

var (
	placeWords = words.Set("там there")
	arriving   = words.Set("придут придет придёт приедут приедет привезут поступят поступит ожидается ожидаются " +
		"arrive arriving")
	aroundArrival = words.Set("а и когда они он она оно это еще ещё новые новая новый нам их его к and when will they " +
		"it are is the new more")
)
