package talk

import (
	"slices"

	"github.com/stockhand/stockhand/internal/language"
	"github.com/stockhand/stockhand/internal/language/compose/typed"
	"github.com/stockhand/stockhand/internal/language/query"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// ofPointed reads a message that points at what was shown, "сколько денег в этом заморожено", but is read as a question
// about everything (rule R1090): the answer before is changed, or gets the measures that are asked for, or the message
// is asked about. A message with a name, a condition or a period of its own stays as it is.
func ofPointed(task string, r *language.Reading, in language.Input) {
	done := in.Previous
	if done == nil || !done.Skill.Reads() || r.FollowUp || !r.Skill.Reads() || !complete(r) ||
		len(conditionsOf(r)) > 0 || aboutShown(r, in) {
		return
	}
	if from, _ := periodOf(done); from == "" && len(conditionsOf(done)) == 0 {
		return
	}
	ts := token.Split(task)
	at := pointsAt(ts)
	if at < 0 {
		return
	}
	s := (&talk{in: in}).parts(task, true)
	if s.ofEverything() || s.has(append(nameSlots, "other name", slot(typed.SpanPeriod))...) {
		return
	}
	if x := withoutPointer(task, ts, at, in); x != nil {
		*r = *x
		return
	}
	if q := done.Composed(in.Catalogue).Query; q != nil && r.Composed(in.Catalogue).Query != nil {
		changed := *q
		changed.Measures, changed.Order = slices.Clone(r.Composed(in.Catalogue).Query.Measures), nil
		if query.Possible(in.Catalogue, changed) && changed.Limit == 0 {
			*r = *changedTo(task, languageOf(task, in), &changed)
			return
		}
	}
	*r = notSure(*r, task, done)
}

// pointsAt returns the token that points at what was shown; -1 if none does. "Это" that opens a message, "как там" and
// "в этом месяце" do not.
func pointsAt(ts []token.Token) int {
	for i, x := range ts {
		if x.Kind != token.Word || !pointers[x.Norm] || i == 0 || i == 1 && conjunctions[ts[0].Norm] ||
			pointsThere[x.Norm] && beforeFiller[ts[i-1].Norm] {
			continue
		}
		if i+1 == len(ts) || !timeNouns[ts[i+1].Norm] {
			return i
		}
	}
	return -1
}

var (
	pointers    = words.Set("это этого этом этому этим эти этих этими там тут оттуда that those these this there")
	pointsThere = words.Set("там тут there")
	// "там" after them says nothing: "как там продажи", "что там по деньгам".
	beforeFiller = words.Set("как что чего чё ну и а how what is are")
	// timeNouns make a pointer a period: "в этом месяце", "this week".
	timeNouns = words.Set("год года году месяц месяца месяце неделя неделю недели неделе день дня квартал квартала " +
		"квартале сезон сезона сезоне лето лета осень осени зима зиму зимы весна весну весны утро вечер выходные " +
		"year month week day quarter season summer autumn fall winter spring morning evening weekend time")
)

// withoutPointer reads "прибыль за это" as "а прибыль".
func withoutPointer(task string, ts []token.Token, at int, in language.Input) *language.Reading {
	return withoutWords(task, ts, in, func(i int) bool { return i == at || i == at-1 && leading[ts[i].Norm] })
}

// leading are prepositions that go with a pointer.
var leading = words.Set("в во на за с со из от по к о об для in on for of from at with")

// ofShownTime reads "в какую неделю маржа была лучше" after figures by week as a question about those weeks (rule
// R1091): with their conditions and their period, unless the message names others.
func ofShownTime(task string, r *language.Reading, in language.Input) {
	done := in.Previous
	if done == nil || !done.Skill.Reads() || r.FollowUp || !complete(r) || r.Query == nil ||
		len(r.Query.Where) > 0 || len(r.Query.By) != 1 || !intervals[r.Query.By[0]] {
		return
	}
	q := done.Composed(in.Catalogue).Query
	if q == nil || !slices.Equal(q.By, r.Query.By) || len(q.Where) == 0 && q.From == "" || r.Query.Compare != nil {
		return
	}
	s := (&talk{in: in}).parts(task, true)
	if s.ofEverything() || s.has(append(nameSlots, "other name", "document", slot(typed.SpanPeriod))...) {
		return
	}
	changed := *q
	changed.Measures, changed.Order, changed.Limit = r.Query.Measures, r.Query.Order, r.Query.Limit
	if query.Possible(in.Catalogue, changed) {
		*r = *changedTo(task, languageOf(task, in), &changed)
	}
}

var intervals = words.Set("hour day weekday week month quarter year")
