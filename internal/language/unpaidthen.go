package language

import (
	"github.com/stockhand/stockhand/internal/language/compose"
	"github.com/stockhand/stockhand/internal/language/lookup"
	"github.com/stockhand/stockhand/internal/tool"
)

// unpaidThen offers the documents of a period that are not paid where a task asks for its debts, which are only known
// as of now (rule R1075).
func (r *reader) unpaidThen(out *Reading, q *compose.Reading) {
	if q.Then == nil || len(q.Query.Measures) == 0 || q.Then.From.Equal(q.Then.To) {
		return
	}
	kind := map[string]string{"owed_to_us": "demand", "owed_by_us": "supply"}[q.Query.Measures[0]]
	if kind == "" {
		return
	}
	in := lookup.Documents{Kinds: []string{kind}, Unpaid: true, From: tool.DayOf(q.Then.From),
		To: tool.DayOf(q.Then.To)}
	for _, w := range q.Query.Where {
		switch w.Field {
		case "counterparty":
			for _, v := range w.Values {
				in.Counterparties = append(in.Counterparties, string(v))
			}
		default:
			return
		}
	}
	if text := in.Say(r.language, r.nameOf); text != "" {
		out.Question.Options = append(out.Question.Options, Option{Text: text, Skill: Documents, Input: in})
	}
}
