package talk

import (
	"fmt"
	"slices"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/language"
	"github.com/stockhand/stockhand/internal/language/query"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

var (
	overdueWords = words.Set("просроченные просроченный просроченная просрочка просрочку просрочены просрочено " +
		"просроченных overdue late")
	aroundOverdue = words.Set("а и только лишь какие какая какой что из них долги долг задолженность по ним есть покажи " +
		"сколько этого того там уже долга долгов only just which of them are the ones is debts debt show what and")
	agesOf = map[string]string{"owed_to_us": "debt_age", "owed_by_us": "our_debt_age"}
)

// dueDebts answers "anything of it due in the coming week?" after the debts: they have no due dates, so it offers their
// ages (rule R785). It returns nil for any other message.
func (t *talk) dueDebts(m *message) *language.Reading {
	task, in := m.task, m.in
	if t.done == nil || !t.saysDue(task) {
		return nil
	}
	q, age := t.debtsByAge()
	if age == "" {
		return nil
	}
	l := languageOf(task, in)
	if !query.Possible(in.Catalogue, q) {
		return nil
	}
	name := func(id string) string { return id }
	return &language.Reading{Task: task, Language: l, Skill: language.Analyze, Query: &q, FollowUp: true,
		Confidence: 1, Question: &language.Question{Text: l.Pick(
			"У долгов нет срока оплаты, известен только их возраст. Показать, какие старше?",
			"When debts are due is not known, only how old they are. Show their ages?"),
			Options: []language.Option{{Text: query.Say(in.Catalogue, q, l, name), Skill: language.Analyze,
				Query: &q}}}}
}

// saysDue reports whether a message asks what has to be paid by a time to come.
func (t *talk) saysDue(task string) bool {
	due, later := false, false
	ts := token.Split(task)
	for i := range ts {
		w := ts[i].Norm
		due = due || dueWords[w]
		later = later || laterWords[w] || w == "due" || w == "payable"
	}
	return due && later && len(ts) <= mostWords
}

var (
	dueWords = words.Set("due payable pay paid payment оплатить заплатить платить погасить оплата оплаты оплате срок " +
		"сроки отдать отдавать")
	laterWords = words.Set("coming next tomorrow until by soon when завтра следующей ближайшую ближайшие ближайшее " +
		"ближайшей скоро когда срок сроки")
)

// debtsByAge returns the query of the debts that the answer before showed, with their age beside each counterparty;
// age is the measure for it, and empty after any other answer.
func (t *talk) debtsByAge() (q analysis.Query, age string) {
	base := t.done.Composed(t.in.Catalogue)
	if base.Query == nil || len(base.Query.Measures) == 0 || agesOf[base.Query.Measures[0]] == "" {
		return q, ""
	}
	q = *base.Query
	if age = agesOf[q.Measures[0]]; !slices.Contains(q.Measures, age) {
		q.Measures = append(slices.Clone(q.Measures), age)
	}
	if len(q.By) == 0 {
		q.By = []string{"counterparty"}
	}
	return q, age
}

// overdueDebts asks how old a debt must be to count as overdue, where "просроченные" follows the debts: they have no
// due dates, only ages (rule R657). It returns nil for any other message.
func (t *talk) overdueDebts(m *message) *language.Reading {
	task, in := m.task, m.in
	if t.done == nil || !says(task, overdueWords, aroundOverdue) {
		return nil
	}
	debts, age := t.debtsByAge()
	if age == "" {
		return nil
	}
	l := languageOf(task, in)
	x := &language.Reading{Task: task, Language: l, Skill: language.Analyze, FollowUp: true, Confidence: 1,
		Question: &language.Question{Text: l.Pick(
			"У долгов нет срока оплаты, известен только их возраст. Какие считать просроченными?",
			"Debts have no due dates, only ages. From which age are they overdue?")}}
	for _, days := range []int{14, 30, 60} {
		q := debts
		q.Where = append(slices.Clone(q.Where), analysis.Condition{Field: age, Op: analysis.Greater,
			Values: []analysis.Scalar{analysis.Scalar(fmt.Sprint(days))}})
		if !query.Possible(in.Catalogue, q) {
			return nil
		}
		if x.Query == nil {
			x.Query = &q
		}
		name := func(id string) string { return id }
		x.Question.Options = append(x.Question.Options, language.Option{
			Text:  query.Say(in.Catalogue, q, l, name),
			Skill: language.Analyze, Query: &q})
	}
	return x
}
