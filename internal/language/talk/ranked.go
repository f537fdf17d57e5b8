package talk

import (
	"slices"
	"strconv"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/language"
	"github.com/stockhand/stockhand/internal/language/query"
	"github.com/stockhand/stockhand/internal/language/refer"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// atPlace reads "а второй?" after who is the first, and "кто на третьем месте" after any rows, as that row with the
// same figures, and no card of what it is about (rule R940). It returns nil for any other message.
func atPlace(task string, in language.Input) *language.Reading {
	if in.Previous == nil || !in.Previous.Skill.Reads() || lookUps[in.Previous.Skill] {
		return nil
	}
	place, named := placeOf(task)
	if place < 1 {
		return nil
	}
	base := in.Previous.Composed(in.Catalogue)
	if base.Query == nil || len(base.Query.By) != 1 {
		return nil
	}
	q := *base.Query
	by, rows := q.By[0], in.Rows
	if rows == nil || rows.Dimension != by {
		rows = &refer.Rows{}
	}
	first := q.Limit == 1 && len(rows.IDs) == 1 && !rows.Earlier
	another := len(rows.IDs) > 1 && slices.ContainsFunc(q.Where, func(o analysis.Condition) bool {
		return o.Field == by && o.Op == analysis.In && len(o.Values) == 1
	})
	if !named && !rows.Top && !first && !another && q.Limit != 1 {
		return nil
	}
	w := analysis.Condition{Field: by, Op: analysis.In}
	switch {
	case place <= len(rows.IDs) && rows.IDs[place-1] != "":
		w.Values, q.Limit = []analysis.Scalar{analysis.Scalar(rows.IDs[place-1])}, 0
		q.Where = slices.DeleteFunc(slices.Clone(q.Where), func(o analysis.Condition) bool { // another row before
			return len(rows.IDs) > 1 && o.Field == by && o.Op == analysis.In && len(o.Values) == 1
		})
	case first && place == 2 && rows.IDs[0] != "": // the first of all but the one that was shown
		w.Op, w.Values = analysis.NotIn, []analysis.Scalar{analysis.Scalar(rows.IDs[0])}
	case q.Limit == 1 && !named || named && len(rows.IDs) == 0 && len(q.Order) > 0:
		q.Limit = place
	default:
		return nil
	}
	if len(w.Values) > 0 {
		q.Where = append(slices.Clone(q.Where), w)
	}
	if !query.Possible(in.Catalogue, q) {
		return nil
	}
	return changedTo(task, languageOf(task, in), &q)
}

// AtPlace reports whether a message is a place in the ranking that was shown, and no choice of an option (rule R940).
func AtPlace(task string, in language.Input) bool {
	return in.Catalogue != nil && atPlace(task, in) != nil
}

// placeOf returns the place in a ranking that a message asks for, and whether it says that it is one: "на третьем
// месте"; 0 if it asks for anything else.
func placeOf(task string) (place int, named bool) {
	ts := token.Split(task)
	named = slices.ContainsFunc(ts, func(x token.Token) bool { return placeNouns[x.Norm] })
	for _, x := range ts {
		n := refer.Ordinal(x.Norm)
		if named && x.Kind == token.Number { // by itself, "2" is an option
			n, _ = strconv.Atoi(x.Norm)
		}
		switch {
		case n > 0 && place == 0:
			place = n
		case x.Kind != token.Mark && !aroundPlace[x.Norm] && !placeNouns[x.Norm]:
			return 0, false
		}
	}
	return place, named
}

var (
	placeNouns  = words.Set("место месте местом place")
	aroundPlace = words.Set("а и ну но кто что какой какая какое у кого на по идет стоит там же тогда следом за ним " +
		"ней который которая and who what which is in the one at")
)
