package talk

import (
	"reflect"
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/language"
	"github.com/stockhand/stockhand/internal/language/compose/typed"
	"github.com/stockhand/stockhand/internal/language/query"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/tool"
	"github.com/stockhand/stockhand/internal/words"
)

// comparedWith reads "сравни с августом по прибыли", and "с августом" after a comparison, as the answer before
// compared with that period, and then what else is said (rule R775): the period is no other period of the figures.
func (t *talk) comparedWith(m *message) *language.Reading {
	task, in := m.task, m.in
	if t.done == nil || !t.done.Skill.Reads() {
		return nil
	}
	s := t.parts(task, false)
	compares := slices.ContainsFunc(s.ts, func(x token.Token) bool { return comparisons[x.Norm] })
	if !compares && (t.done.Query == nil || t.done.Query.Compare == nil) && !t.done.Arguments.Compare {
		return nil
	}
	at := slices.IndexFunc(s.parts, func(p part) bool { return p.slots[0] == slot(typed.SpanPeriod) })
	if at < 0 || !withWords[s.norm(s.parts[at].from)] || len(s.ts) > mostWords {
		return nil
	}
	p := s.parts[at]
	var rest []string
	for i, x := range s.ts {
		if (i < p.from || i >= p.to) && !x.Punctuation() && !comparisons[x.Norm] && !leads[x.Norm] {
			rest = append(rest, x.Raw)
		}
	}
	if compares && len(rest) == 0 && comparisons[s.norm(0)] {
		return nil // it is read as it is
	}
	x := language.Read("сравни "+s.words(p.from, p.to), in)
	if compares && len(rest) == 0 && complete(&x) && x.FollowUp {
		x.Task = task
		return &x
	}
	if !complete(&x) || !x.FollowUp || x.Query == nil || x.Query.Compare == nil {
		return nil
	}
	if len(rest) > 0 {
		compare := x.Query.Compare
		in.Previous, in.Rows = &x, nil
		x = language.Read("а "+strings.Join(rest, " "), in)
		if !complete(&x) || !x.FollowUp || x.Query == nil || x.Query.Compare == nil ||
			*x.Query.Compare != *compare {
			return nil
		}
	}
	x.Task = task
	return &x
}

// moreThen reads "а в сентябре больше было?" after one figure as that figure of the other period, compared with the one
// that was shown (rule R1092).
func (t *talk) moreThen(m *message) *language.Reading {
	if t.done == nil || !t.done.Skill.Reads() {
		return nil
	}
	base := t.done.Composed(m.in.Catalogue).Query
	if base == nil || len(base.By) > 0 || base.From == "" || base.Compare != nil {
		return nil
	}
	s := t.parts(m.task, false)
	at := slices.IndexFunc(s.parts, func(p part) bool { return p.slots[0] == slot(typed.SpanPeriod) })
	compares := slices.ContainsFunc(s.ts, func(x token.Token) bool { return moreThan[x.Norm] })
	if at < 0 || len(s.ts) > mostWords || !compares {
		return nil
	}
	p := s.parts[at]
	for i, x := range s.ts {
		if (i < p.from || i >= p.to) && !x.Punctuation() && !moreThan[x.Norm] && !leads[x.Norm] && !wasWords[x.Norm] {
			return nil
		}
	}
	x := language.Read(pick(m.task, "а ", "and ")+s.words(p.from, p.to), m.in)
	if !complete(&x) || !x.FollowUp {
		return nil
	}
	q := x.Composed(m.in.Catalogue).Query
	if q == nil || len(q.By) > 0 || q.From == base.From {
		return nil
	}
	changed := *q
	if changed.Compare = (&analysis.Comparison{From: base.From, To: base.To}); q.From < base.From { // "было" is before
		changed.From, changed.To = base.From, base.To
		changed.Compare = &analysis.Comparison{From: q.From, To: q.To}
	}
	if !query.Possible(m.in.Catalogue, changed) {
		return nil
	}
	return changedTo(m.task, languageOf(m.task, m.in), &changed)
}

var (
	moreThan = words.Set("больше меньше лучше хуже выше ниже more less better worse higher lower")
	wasWords = words.Set("было был была были стало ли а и в во was were it is in there that")
)

var withWords = words.Set("с со vs versus with against")

// addedPeriod reads "добавь октябрь" after figures of September as those of both months, side by side (rule R776).
func (t *talk) addedPeriod(m *message) *language.Reading {
	task, in := m.task, m.in
	if t.done == nil || !t.done.Skill.Reads() {
		return nil
	}
	s := t.parts(task, false)
	if len(s.parts) != 1 || s.parts[0].slots[0] != slot(typed.SpanPeriod) {
		return nil
	}
	adds := false
	for i, x := range s.ts {
		p := s.parts[0]
		adds = adds || addingPeriod[x.Norm]
		if (i < p.from || i >= p.to) && !x.Punctuation() && !leads[x.Norm] && !addingPeriod[x.Norm] {
			return nil
		}
	}
	base := t.done.Composed(in.Catalogue)
	if !adds || base.Query == nil || base.Query.From == "" || base.Query.Compare != nil {
		return nil
	}
	other := language.Read("а "+s.words(s.parts[0].from, s.parts[0].to), in)
	from, to := periodOf(&other)
	if !complete(&other) || from == "" || to == "" || from == base.Query.From {
		return nil
	}
	q := betweenPeriods(*base.Query, from, to)
	if !query.Possible(in.Catalogue, q) {
		return nil
	}
	return changedTo(task, base.Language, &q)
}

var addingPeriod = words.Set("добавь добавить прибавь плюс приплюсуй add include plus")

// besideName reads "сравни с витриной" after figures of one name as those of both, side by side (rule R777), and
// "сравни" after one name and then another.
func (t *talk) besideName(m *message) *language.Reading {
	task, in := m.task, m.in
	if t.done == nil || !t.done.Skill.Reads() || !slices.ContainsFunc(token.Split(task),
		func(x token.Token) bool { return comparing[x.Norm] || comparisons[x.Norm] }) {
		return nil
	}
	s := t.parts(task, false)
	base := t.done.Composed(in.Catalogue)
	if len(s.parts) != 1 || !isName(s.parts[0]) || s.parts[0].excludes || base.Query == nil {
		return nil
	}
	p := s.parts[0]
	for i, x := range s.ts {
		if (i < p.from || i >= p.to) && !x.Punctuation() && !leads[x.Norm] && !comparing[x.Norm] &&
			!comparisons[x.Norm] {
			return nil
		}
	}
	other := language.Read("а "+s.words(p.from, p.to), in)
	if withWords[s.norm(p.from)] {
		other = language.Read("а "+s.words(p.from+1, p.to), in)
	}
	if other = other.Composed(in.Catalogue); !complete(&other) || other.Query == nil {
		return nil
	}
	q := *base.Query
	q.Where = slices.Clone(q.Where)
	for i, w := range q.Where {
		k := slices.IndexFunc(other.Query.Where, func(o analysis.Condition) bool {
			return o.Field == w.Field && o.Op == analysis.In && w.Op == analysis.In &&
				!slices.Equal(o.Values, w.Values)
		})
		if _, named := fields[w.Field]; k < 0 || !named {
			continue
		}
		q.Where[i].Values = append(slices.Clone(w.Values), other.Query.Where[k].Values...)
		q.By = []string{w.Field}
		if query.Possible(in.Catalogue, q) {
			return changedTo(task, base.Language, &q)
		}
	}
	return nil
}

// difference reads "разница какая" and "на сколько больше" after one question about two periods as the comparison of
// both (rules R420, R1166).
func (t *talk) difference(m *message) *language.Reading {
	task, in := m.task, m.in
	ts := token.Split(task)
	ranked := wording(aroundHowMuchMore, byHowMuch, moreThan).Is(ts, nil) ||
		wording(aroundHowMuchMore, moreThan, orWords).Is(ts, nil)
	differ := says(task, differs, aroundDiffer) || says(task, grown, aroundDiffer) || ranked
	before := t.beforeLast()
	if !differ || before == nil {
		return nil
	}
	// A change of a query is no text that can be read again: what was done is the last, and the one before has a
	// period.
	now := t.done.Composed(in.Catalogue)
	if list := t.done.Base(in.Catalogue, in.Now); now.Query == nil && list != nil && ranked {
		now = *list // a list of documents
	}
	now.Language = languageOf(task, in)
	if x := betweenMeasures(task, before.Composed(in.Catalogue).Query, &now, in); x != nil {
		return x
	}
	from, to := periodOf(before)
	if now.Query == nil || now.Query.From == "" || from == "" || to == "" || from == now.Query.From ||
		now.Query.Compare != nil {
		return nil
	}
	q := *now.Query
	if q.Compare = (&analysis.Comparison{From: from, To: to}); ranked || says(task, grown, aroundDiffer) {
		q = betweenPeriods(q, from, to) // figures grow from the earlier to the later
	}
	if !query.Possible(in.Catalogue, q) {
		return nil
	}
	return changedTo(task, now.Language, &q)
}

// betweenPeriods returns a query with its period and another one compared, the later with the earlier.
func betweenPeriods(q analysis.Query, from, to tool.Day) analysis.Query {
	if q.Compare = (&analysis.Comparison{From: from, To: to}); q.From < from {
		q.From, q.To, q.Compare = from, to, &analysis.Comparison{From: q.From, To: q.To}
	}
	return q
}

var (
	grown = words.Set("выросли вырос выросла выросло упали упал упала упало изменились изменилась изменилось " +
		"снизились снизилась снизилось прибавили просели")
	differs = words.Set("разница разницу разнице отличие отличия сравни сравнить сравнение сравнил сопоставь " +
		"difference compare")
	byHowMuch         = words.Set("сколько насколько much many")
	orWords           = words.Set("или or")
	aroundHowMuchMore = words.Set("а и на сколько насколько или это было стало вышло получилось продали заработали больше " +
		"меньше процентов в или ли how much many is it that or by was the and")
	aroundDiffer = words.Set("на сколько насколько сильно процентах процентов по сравнению от а и в чем какая " +
		"какую каковая между ними их эти это месяцами периодами два двух оба обе покажи посчитай дай теперь " +
		"what is the whats s between them two these and show me it s")
)

// beforeLast returns the reading of the question before the last one; nil if there is none.
func (t *talk) beforeLast() *language.Reading {
	if t.done == nil || len(t.in.Earlier) < 2 {
		return nil
	}
	if t.said(len(t.in.Earlier)) == nil {
		return nil
	}
	return t.said(len(t.in.Earlier) - 1)
}

// betweenMeasures returns the difference of two measures of the same period and the same rows, asked for one after the
// other: "закупили за месяц", "а продали", "разница" (rule R929). It returns nil for other questions.
func betweenMeasures(task string, first *analysis.Query, now *language.Reading,
	in language.Input) *language.Reading {
	second := now.Query
	if first == nil || second == nil || first.From != second.From || first.To != second.To ||
		!slices.Equal(first.By, second.By) || len(first.Measures) != 1 || len(second.Measures) != 1 ||
		first.Measures[0] == second.Measures[0] || first.Compare != nil || second.Compare != nil ||
		!reflect.DeepEqual(first.Where, second.Where) {
		return nil
	}
	a, b := second.Measures[0], first.Measures[0]
	ma, knownA := in.Catalogue.Measure(a)
	mb, knownB := in.Catalogue.Measure(b)
	if !knownA || !knownB || ma.Unit != mb.Unit {
		return nil
	}
	q := *second
	q.Measures = []string{b, a, "difference"}
	q.Define = []analysis.Definition{{Name: "difference", Formula: a + " - " + b,
		Title: now.Language.Pick("Разница", "Difference")}}
	q.Order, q.Limit = nil, 0
	if !query.Possible(in.Catalogue, q) {
		return nil
	}
	return changedTo(task, now.Language, &q)
}
