package talk

import (
	"slices"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/language"
	"github.com/stockhand/stockhand/internal/language/query"
)

// BehindFirst reports whether a message asks for the rows behind the first ones that were shown.
func BehindFirst(task string, in language.Input) bool { return behindFirst(task, in) != nil }

// behindFirst reads "остальные" after the first rows of a ranking as the rows behind them, which the answer does not
// have (rule R1163). It returns nil for any other message.
func behindFirst(task string, in language.Input) *language.Reading {
	if in.Previous == nil || !in.Previous.Skill.Reads() || !says(task, theOthers, aroundRest) {
		return nil
	}
	base := in.Previous.Composed(in.Catalogue).Query
	if base == nil {
		return nil
	}
	if one := slices.IndexFunc(base.Where, func(w analysis.Condition) bool {
		return standsFor[w.Field] && w.Op == analysis.In && len(w.Values) == 1
	}); one >= 0 && len(base.By) == 0 && len(base.Where) == 1 { // "остальные" after one customer
		q := *base
		q.Where, q.By = slices.Clone(q.Where), []string{q.Where[one].Field}
		if q.Where[one].Op = analysis.NotIn; query.Possible(in.Catalogue, q) {
			return changedTo(task, languageOf(task, in), &q)
		}
	}
	if base.Limit < 2 {
		return nil
	}
	q, ok := ofFirstShown(*base, in.Rows, base.Limit)
	if !ok || slices.Contains(in.Rows.IDs[:base.Limit], "") {
		return nil
	}
	q.Where[len(q.Where)-1].Op, q.Limit = analysis.NotIn, 0
	if !query.Possible(in.Catalogue, q) {
		return nil
	}
	return changedTo(task, languageOf(task, in), &q)
}
