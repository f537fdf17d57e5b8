package talk

import (
	"reflect"
	"slices"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/language"
	"github.com/stockhand/stockhand/internal/language/act"
	"github.com/stockhand/stockhand/internal/language/query"
	"github.com/stockhand/stockhand/internal/words"
)

var (
	grown = words.Set("выросли вырос выросла выросло упали упал упала упало изменились изменилась изменилось " +
		"снизились снизилась снизилось прибавили просели")
	differs = words.Set("разница разницу разнице отличие отличия сравни сравнить сравнение сравнил сопоставь " +
		"difference compare")
	aroundDiffer = words.Set("на сколько насколько сильно процентах процентов по сравнению от а и в чем какая " +
		"какую каковая между ними их эти это месяцами периодами два двух оба обе покажи посчитай дай теперь " +
		"what is the whats s between them two these and show me it s")
)

// difference reads "разница какая" after one question about two periods as the comparison of both (rule R420).
func (t *talk) difference(m *message) *language.Reading {
	task, in := m.task, m.in
	differ := says(task, differs, aroundDiffer) || says(task, grown, aroundDiffer)
	before := t.beforeLast()
	if !differ || before == nil {
		return nil
	}
	// A change of a query is no text that can be read again: what was done is the last, and the one before has a
	// period.
	now := t.done.Composed(in.Catalogue)
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
	q.Compare = &analysis.Comparison{From: from, To: to}
	if q.From < from && says(task, grown, aroundDiffer) { // figures grow from the earlier to the later
		q.From, q.To, q.Compare = from, to, &analysis.Comparison{From: q.From, To: q.To}
	}
	if !query.Possible(in.Catalogue, q) {
		return nil
	}
	return &language.Reading{Task: task, Language: now.Language, Skill: language.Analyze, Query: &q, FollowUp: true,
		Confidence: 1}
}

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

// whyBetween reads "почему меньше" and "что выросло" after one question about two periods as what the difference
// between both consists of (rule R991): a comparison with yet another period would answer something else.
func (t *talk) whyBetween(m *message) *language.Reading {
	task, in := m.task, m.in
	which := says(task, movedWords, aroundMoved)
	if !which && act.Read(task).Kind != act.Why {
		return nil
	}
	before := t.beforeLast()
	if before == nil || !before.Skill.Reads() {
		return nil
	}
	base, first := t.done.Composed(in.Catalogue), before.Composed(in.Catalogue)
	from, to := periodOf(before)
	if base.Query == nil || first.Query == nil || base.Query.Compare != nil || first.Query.Compare != nil ||
		base.Query.From == "" || from == "" || to == "" || from == base.Query.From ||
		!slices.Equal(base.Query.Measures, first.Query.Measures) || !slices.Equal(base.Query.By, first.Query.By) ||
		!reflect.DeepEqual(base.Query.Where, first.Query.Where) || which && len(base.Query.By) == 0 {
		return nil
	}
	q := *base.Query
	q.Compare = &analysis.Comparison{From: from, To: to}
	if q.From < from { // figures change from the earlier to the later
		q.From, q.To, q.Compare = from, to, &analysis.Comparison{From: q.From, To: q.To}
	}
	if !query.Possible(in.Catalogue, q) {
		return nil
	}
	in.Previous, in.Rows = changedTo(task, base.Language, &q), nil
	x := language.Read(task, in)
	if !complete(&x) || x.Query == nil || x.Query.Compare == nil || *x.Query.Compare != *q.Compare {
		return nil
	}
	x.Task = task
	return &x
}

var (
	movedWords = words.Set("выросло вырос выросла выросли упало упал упала упали подросло снизилось просело " +
		"изменилось поменялось grew fell rose dropped changed")
	aroundMoved = words.Set("а и что какие какая какой где из сильнее больше меньше всего самое what which most and")
)

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
