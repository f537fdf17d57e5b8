package talk

import (
	"reflect"
	"slices"
	"time"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/language"
	"github.com/stockhand/stockhand/internal/language/act"
	"github.com/stockhand/stockhand/internal/language/compose/typed"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// whyThen reads "почему упал в октябре" after figures by month as a question for what the figure of October consists of
// (rule R924): the table itself says no more. It returns nil for any other message.
func (t *talk) whyThen(m *message) *language.Reading {
	task, in := m.task, m.in
	if t.done == nil || !slices.ContainsFunc(token.Split(task), func(x token.Token) bool { return whyWords[x.Norm] }) {
		return nil
	}
	s := t.parts(task, false)
	base := t.done.Composed(in.Catalogue)
	q := base.Query
	if len(s.parts) != 1 || s.parts[0].slots[0] != slot(typed.SpanPeriod) || q == nil || len(q.By) != 1 ||
		!timeRows[q.By[0]] || q.By[0] == "weekday" || q.By[0] == "hour" || q.Compare != nil {
		return nil
	}
	then := language.Read("а "+s.words(s.parts[0].from, s.parts[0].to), in)
	from, to := periodOf(&then)
	if !complete(&then) || from == "" || to == "" || from < q.From || to > q.To {
		return nil
	}
	row := *q
	row.By, row.From, row.To, row.Order, row.Limit = nil, from, to, nil, 0
	return whyOf(task, &row, in)
}

var whyWords = words.Set("почему отчего зачем why")

// whyThere reads "почему на Лесной мало" after figures by warehouse as why the figure of that one is what it is (rule
// R943). It returns nil for any other message.
func (t *talk) whyThere(m *message) *language.Reading {
	task, in := m.task, m.in
	if t.done == nil || !has(task, whyWords) {
		return nil
	}
	s := t.parts(task, false)
	base := t.done.Composed(in.Catalogue)
	if len(s.parts) == 0 || base.Query == nil || len(base.Query.By) != 1 || base.Query.Compare != nil {
		return nil
	}
	name := slices.IndexFunc(s.parts, isName)
	if name < 0 || s.parts[name].excludes {
		return nil
	}
	p := s.parts[name]
	for i, x := range s.ts {
		if (i < p.from || i >= p.to) && x.Kind != token.Mark && !whyWords[x.Norm] && !changedWords[x.Norm] &&
			!littleWords[x.Norm] && !leads[x.Norm] {
			return nil
		}
	}
	one := language.Read("а "+s.words(p.from, p.to), in)
	if one = one.Composed(in.Catalogue); !complete(&one) || !one.FollowUp || one.Query == nil ||
		!slices.ContainsFunc(one.Query.Where, func(w analysis.Condition) bool {
			return w.Field == base.Query.By[0] && w.Op == analysis.In
		}) {
		return nil
	}
	row := *one.Query
	row.By, row.Order, row.Limit = nil, nil, 0
	return whyOf(task, &row, in)
}

// whyFirst reads "почему там" after where is most or least as why the figure of that row is what it is; nil for any
// other message.
func whyFirst(task string, in language.Input) *language.Reading {
	rows := in.Rows
	if in.Previous == nil || rows == nil || rows.Earlier || len(rows.IDs) == 0 || rows.IDs[0] == "" ||
		act.Read(task).Kind != act.Why || !says(task, thereWords, aroundWhyThere) {
		return nil
	}
	base := in.Previous.Composed(in.Catalogue)
	if base.Query == nil || !slices.Equal(base.Query.By, []string{rows.Dimension}) || len(base.Query.Order) == 0 ||
		!rows.Top && base.Query.Limit != 1 {
		return nil
	}
	q := *base.Query
	q.Where = append(slices.Clone(q.Where), oneOf(q.By[0], rows.IDs[:1]))
	q.By, q.Order, q.Limit = nil, nil, 0
	return whyOf(task, &q, in)
}

var (
	thereWords     = words.Set("там тут здесь него нее неё ней них there it")
	aroundWhyThere = words.Set("а и почему отчего зачем у с на в так мало много плохо хуже лучше больше меньше всего " +
		"why is so")
)

var littleWords = words.Set("мало много плохо слабо так такая такой такое такие там только низкая низкий высокая " +
	"высокий слабые little low much bad so")

var changedWords = words.Set("больше меньше выше ниже выросла вырос выросло выросли упала упал упало упали лучше " +
	"хуже просели просела просел more less higher lower grew fell better worse")

// whyRose reads "почему вырос" after the figures of two months as why the second differs from the first (rule R943).
func whyRose(task string, in language.Input) *language.Reading {
	if in.Previous == nil || act.Read(task).Kind != act.Why || !has(task, changedWords) {
		return nil
	}
	base := in.Previous.Composed(in.Catalogue)
	if base.Query == nil || !slices.Equal(base.Query.By, []string{"month"}) || base.Query.Compare != nil {
		return nil
	}
	q := *base.Query
	from, err := time.Parse(time.DateOnly, string(q.From))
	if err != nil || from.Day() != 1 {
		return nil
	}
	second := from.AddDate(0, 1, 0)
	if q.To < dayOf(second) || q.To >= dayOf(second.AddDate(0, 1, 0)) {
		return nil
	}
	q.Compare = &analysis.Comparison{From: q.From, To: dayOf(second.AddDate(0, 0, -1))}
	q.By, q.Order, q.Limit, q.From = nil, nil, 0, dayOf(second)
	return whyOf(task, &q, in)
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
	q := betweenPeriods(*base.Query, from, to)
	if !which {
		return whyOf(task, &q, in)
	}
	in.Previous, in.Rows = changedTo(task, base.Language, &q), nil
	x := language.Read(task, in)
	if !complete(&x) || x.Query == nil || x.Query.Compare == nil || *x.Query.Compare != *q.Compare {
		return nil
	}
	x.Task = task
	return &x
}

// whyOf returns what the figures of a query consist of, or what their change does, in the periods of the query; nil if
// that cannot be counted.
func whyOf(task string, q *analysis.Query, in language.Input) *language.Reading {
	l := languageOf(task, in)
	in.Previous, in.Rows = changedTo(task, l, q), nil
	x := language.Read(l.Pick("почему", "why"), in)
	if !complete(&x) || x.Query == nil ||
		q.Compare != nil && (x.Query.Compare == nil || *x.Query.Compare != *q.Compare) {
		return nil
	}
	return changedTo(task, l, x.Query)
}

var (
	movedWords = words.Set("выросло вырос выросла выросли упало упал упала упали подросло снизилось просело " +
		"изменилось поменялось grew fell rose dropped changed")
	aroundMoved = words.Set("а и что какие какая какой где из сильнее больше меньше всего самое what which most and")
)
