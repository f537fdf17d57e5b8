package talk

import (
	"regexp"
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/language"
	"github.com/stockhand/stockhand/internal/language/quantity"
	"github.com/stockhand/stockhand/internal/language/query"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

var (
	// openers begin a message that goes on with a conversation, and say nothing about what is asked.
	openers = words.Set("ну тогда хоть хотя бы ладно слушай послушай давай теперь окей ок хорошо так вот скажи говоришь " +
		"смотри дай дайте напиши напишите скинь пришли ясно понятно угу ага то самое же ok okay well then " +
		"now alright right so hmm same but")
	conjunctions = words.Set("а и но and")
	// closers end it, and say no more than that it is to be shown.
	closers = words.Set("раскидай разложи раздели распредели покажи выведи дай посмотри глянь посчитай пожалуйста плиз " +
		"было вышло получилось сколько оставь есть please too then instead though")
)

// withoutFillers returns a task without the words at its ends that only carry on a conversation: "ну тогда выручку",
// "а за позапрошлую сколько было".
func withoutFillers(task string) string {
	ts := token.Split(task)
	var kept []string
	first := 0
	for ; first < len(ts); first++ {
		t := &ts[first]
		switch {
		case conjunctions[t.Norm]:
			kept = append(kept, t.Raw)
			continue
		case t.Norm == "самое" && (first == 0 || ts[first-1].Norm != "то"): // "самое дорогое"
		case openers[t.Norm], t.Norm == ",":
			continue
		}
		break
	}
	last := len(ts)
	for last > first && (closers[ts[last-1].Norm] || ts[last-1].Punctuation()) {
		last--
	}
	if first >= last {
		return task
	}
	kept = append(kept, task[ts[first].Start:ts[last-1].End])
	return strings.Join(kept, " ")
}

// sorted writes "order by price" after figures as "sort by price": it orders rows, and no goods.
func sorted(task string, done *language.Reading) string {
	if m := firstOf.FindStringSubmatchIndex(task); m != nil && done != nil && done.Skill.Reads() {
		way := " descending"
		if lowFirst[strings.ToLower(task[m[2]:m[3]])] {
			way = " ascending"
		}
		return sorted(task[:m[0]]+way, done)
	}
	ts := token.Split(task)
	if len(ts) < 3 || ts[0].Norm != "order" || done == nil || !done.Skill.Reads() ||
		ts[1].Norm != "by" && (ts[2].Norm != "by" || ts[1].Norm != "them" && ts[1].Norm != "it") {
		return task
	}
	return "sort" + task[ts[0].End:]
}

// firstOf says which rows come first, behind what they are sorted by: "sort by price, most expensive first".
var (
	firstOf = regexp.MustCompile(`(?i)[, ]+(?:the )?(?:most |least )?(expensive|dearest|highest|biggest|largest|` +
		`cheapest|lowest|smallest)(?: ones?)? first[ .!]*$`)
	lowFirst = words.Set("cheapest lowest smallest")
)

// inverted reports whether a follow-up was read with a name that it leaves out, and without the word that says so:
// "без Востока" of a tool that takes suppliers and excludes none.
func (t *talk) inverted(x *language.Reading) bool {
	return x.FollowUp && x.Skill.Calls() && x.Question == nil && slices.ContainsFunc(x.Unused, func(w string) bool {
		return excludes[strings.ToLower(w)]
	})
}

var excludes = words.Set("без кроме исключая исключи убери не without except excluding not")

// together reads "обе", "сравни их", "both" after two questions about one thing each, such as "на Лесной" and "а на
// Мира": both things, side by side.
func (t *talk) together(m *message) *language.Reading {
	task, in := m.task, m.in
	ts := token.Split(task)
	has := func(set map[string]bool) bool {
		return slices.ContainsFunc(ts, func(x token.Token) bool { return set[x.Norm] })
	}
	both := has(bothWords) || has(comparing) && (has(themWords) || len(ts) == 1) ||
		has(inAll) && says(task, inAll, aroundBoth) || has(ofThem) && has(themWords) && has(asksWhich)
	direction := moreOf(task)
	if both = both || direction != ""; !both || t.done == nil || len(t.in.Earlier) < 2 {
		return nil
	}
	last, before := t.said(len(t.in.Earlier)), t.said(len(t.in.Earlier)-1)
	if last == nil || before == nil || !t.is(last, t.done) {
		return nil
	}
	base := t.done.Composed(in.Catalogue)
	if base.Query == nil {
		return nil
	}
	q := *base.Query
	q.Where = slices.Clone(q.Where)
	field, shown := "", 1
	earlier := before.Composed(in.Catalogue)
	if earlier.Query == nil {
		return nil
	}
	for _, w := range earlier.Query.Where {
		i := slices.IndexFunc(q.Where, func(o analysis.Condition) bool {
			return o.Field == w.Field && o.Op == analysis.In && w.Op == analysis.In
		})
		if i >= 0 && !slices.ContainsFunc(w.Values, func(v analysis.Scalar) bool {
			return slices.Contains(q.Where[i].Values, v)
		}) {
			field, shown = w.Field, len(q.Where[i].Values)
			q.Where[i].Values = slices.Concat(w.Values, q.Where[i].Values)
		}
	}
	if field == "" || !has(bothWords) && in.Rows != nil && in.Rows.Dimension == field && len(in.Rows.IDs) > shown {
		return nil
	}
	if has(inAll) && !has(bothWords) && len(q.Where[slices.IndexFunc(q.Where, func(w analysis.Condition) bool {
		return w.Field == field
	})].Values) > 2 {
		q.By, q.Order = nil, nil // "а вместе" after tea and coffee
	} else if !slices.Contains(q.By, field) {
		if by := append(slices.Clone(q.By), field); query.Possible(in.Catalogue, with(q, by)) {
			q.By = by
		}
	}
	var rest []string
	for _, x := range ts {
		w := x.Norm
		if !bothWords[w] && !themWords[w] && !comparing[w] && !aroundBoth[w] && !inAll[w] && !ofThem[w] &&
			!x.Punctuation() {
			rest = append(rest, x.Raw)
		}
	}
	if direction != "" { // "кому больше", "у кого выше"
		q.By, q.Limit = []string{field}, 0
		q.Order = []analysis.Order{{Field: q.Measures[0], Direction: direction}}
		if o := base.Query.Order; len(o) > 0 && slices.Contains(q.Measures, o[0].Field) {
			q.Order[0].Field = o[0].Field
		}
		rest = nil
	}
	x := &language.Reading{Task: task, Language: base.Language, Skill: language.Analyze, Query: &q, FollowUp: true,
		Confidence: 1}
	if !query.Possible(in.Catalogue, q) {
		return nil
	}
	if len(rest) > 0 {
		in.Previous, in.Rows = x, nil
		y := language.Read(strings.Join(rest, " "), in)
		if !complete(&y) {
			return nil
		}
		if y.FollowUp {
			return &y
		}
		i := slices.IndexFunc(q.Where, func(w analysis.Condition) bool { return w.Field == field })
		return t.ofBoth(y, q.Where[i])
	}
	return x
}

// moreOf returns the order in which a message asks for one of two: of "кому больше" from the highest; "" for any
// other.
func moreOf(task string) analysis.Direction {
	switch {
	case says(task, moreWords, aroundMore):
		return analysis.Descending
	case says(task, lessWords, aroundMore):
		return analysis.Ascending
	}
	return ""
}

var (
	moreWords  = words.Set("прибыльнее выгоднее доходнее больше выше лучше сильнее more higher better")
	lessWords  = words.Set("меньше ниже хуже less lower worse")
	aroundMore = words.Set("а и ну так кто кому кого кем у где какой какая какое какие чего что из них в итоге " +
		"who which where is of them one has")
)

// ofBoth limits another question to the two names: "кто из них больше должен" after what each of them bought.
func (t *talk) ofBoth(y language.Reading, names analysis.Condition) *language.Reading {
	base := y.Composed(t.in.Catalogue)
	if base.Query == nil || len(base.Query.Where) > 0 {
		return nil
	}
	q := *base.Query
	q.Where = []analysis.Condition{names}
	if !slices.Contains(q.By, names.Field) {
		q.By = []string{names.Field}
	}
	if base.Query, base.FollowUp = &q, true; !query.Possible(t.in.Catalogue, q) {
		return nil
	}
	t.keepPeriod(&base)
	return &base
}

func with(q analysis.Query, by []string) analysis.Query {
	q.By = by
	return q
}

var (
	bothWords  = words.Set("оба обе обоих обеих обоим обеим both")
	themWords  = words.Set("их них они them")
	comparing  = words.Set("сравни сравнить сопоставь compare")
	inAll      = words.Set("вместе суммарно сумме together")
	ofThem     = words.Set("из of")
	aroundBoth = words.Set("сколько есть по вышло выходит а и в всего между собой группы групп группам склада " +
		"складам клиента канала магазина точки покажи groups stores shops and of show side by all")
)

// counted reads "сколько их", "how many are there" of goods that were shown as a question for their stock.
func counted(task string, in language.Input, linked bool) *language.Reading {
	rows := in.Rows
	if !linked || rows == nil || rows.Dimension != "product" {
		return nil
	}
	ts := token.Split(task)
	refs := rows.Refer(ts)
	if len(refs) != 1 || len(refs[0].Rows) == 0 || refs[0].Ambiguous {
		return nil
	}
	asks := false
	for i, x := range ts {
		switch {
		case slices.Contains(refs[0].At, i), x.Punctuation(), aroundCounted[x.Norm]:
		case x.Norm == "сколько", x.Norm == "many":
			asks = true
		default:
			return nil
		}
	}
	if !asks {
		return nil
	}
	w := analysis.Condition{Field: "product", Op: analysis.In}
	for _, i := range refs[0].Rows {
		if rows.IDs[i] != "" {
			w.Values = append(w.Values, analysis.Scalar(rows.IDs[i]))
		}
	}
	q := &analysis.Query{Measures: []string{"stock"}, By: []string{"product"}, Where: []analysis.Condition{w}}
	if len(w.Values) == 0 || len(w.Values) > mostCounted || !query.Possible(in.Catalogue, *q) {
		return nil
	}
	return &language.Reading{
		Task: task, Language: languageOf(task, in), Skill: language.Analyze, Query: q, Confidence: 1,
	}
}

// mostCounted is how many goods are counted at once.
const mostCounted = 300

var aroundCounted = words.Set("и а у нас есть всего там сейчас осталось how of are there do we have left in total and")

// limits reports whether a message only says how many rows to keep: "первых трёх оставь", "only the top three".
func limits(task string) bool {
	number, keeps := false, false
	for _, x := range token.Split(task) {
		switch w := x.Norm; {
		case x.Kind == token.Number, quantity.Numeral(w) > 0:
			number = true
		case w == "оставь" || w == "только" || w == "лишь" || w == "only" || w == "keep" || w == "just":
			keeps = true
		case !x.Punctuation() && !aroundLimit[w]:
			return false
		}
	}
	return number && keeps
}

var aroundLimit = words.Set("а и топ первые первых первым top first the show me покажи")
