package talk

import (
	"github.com/stockhand/stockhand/internal/language"
	"github.com/stockhand/stockhand/internal/language/compose/typed"
)

// ofMissing asks about a figure without a name right after a search that found nothing, "какая наценка" after "сколько
// стоит термос" (rule R1032): the figure of the whole shop would be another answer. A name takes the place of the one
// that was not found.
func ofMissing(task string, r *language.Reading, in language.Input) {
	done := in.Previous
	if done == nil || done.Skill != language.FindProducts ||
		in.Rows != nil && len(in.Rows.IDs) > 0 && !in.Rows.Earlier {
		return
	}
	var search struct{ Query string }
	if decode(done.ToolInput(), &search) && search.Query != "" && !complete(r) {
		if x := InPlaceOf(language.Phrase{Words: search.Query}, done.Task, task, in); x != nil {
			*r = *x
			r.Task, r.FollowUp = task, true
			return
		}
	}
	if !complete(r) || !r.Skill.Reads() || len(conditionsOf(r)) > 0 {
		return
	}
	s := (&talk{in: in}).parts(task, true)
	if len(s.ts) > mostFragment || s.ofEverything() ||
		s.has(append(nameSlots, "other name", slot(typed.SpanPeriod), slot(typed.SpanDimension))...) ||
		!s.has(slot(typed.SpanMeasure)) {
		return
	}
	*r = language.Reading{Task: task, Language: r.Language, Question: &language.Question{Text: r.Language.Pick(
		"О каком товаре речь? По прошлому запросу ничего не найдено: назовите товар иначе.",
		"Which product do you mean? The last search found nothing: please name the product in other words.")}}
}
