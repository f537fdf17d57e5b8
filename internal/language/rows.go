package language

import (
	"fmt"
	"strings"

	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/language/refer"
	"github.com/stockhand/stockhand/internal/language/token"
)

// kindsOfRows are the kinds of names that the rows of a table can be.
var kindsOfRows = map[string]connector.NameKind{"product": connector.NameProduct, "variant": connector.NameProduct,
	"store": connector.NameStore, "group": connector.NameGroup, "supplier": connector.NameSupplier,
	"counterparty": connector.NameCounterparty, "employee": connector.NameEmployee,
	"sales_channel": connector.NameSalesChannel, "legal_entity": connector.NameOrganization}

// NamedRows reports whether a task can name rows: they are of things that have names.
func NamedRows(rows *refer.Rows) bool { return rows != nil && kindsOfRows[rows.Dimension] != "" }

// readRows reads the words that mean rows of the last table as names of what the rows are about (rule R291).
func (r *reader) readRows() {
	rows := r.in.Rows
	if !NamedRows(rows) {
		return
	}
	for _, ref := range rows.Refer(r.ts) {
		first, last := ref.At[0], ref.At[len(ref.At)-1]
		m := mention{at: ref.At, words: r.task[r.ts[first].Start:r.ts[last].End], exact: true, all: true}
		for _, i := range ref.Rows {
			if rows.IDs[i] != "" {
				m.meanings = append(m.meanings, connector.Name{Kind: kindsOfRows[rows.Dimension], ID: rows.IDs[i],
					Name: rows.Names[i]})
			}
		}
		switch {
		case len(m.meanings) == 0:
			r.lost = append(r.lost, m.words)
			continue
		case ref.Ambiguous && len(m.meanings) > 1:
			r.ambiguous = &m
		}
		for _, i := range ref.At {
			r.ts[i].Use = token.AsName
		}
		r.mentions = append(r.mentions, m)
	}
}

// whichRow asks which row of several a word such as "его" means, with the task and each row's name as the options, and
// about words for rows that the table does not have: an answer about everything would be another one.
func (r *reader) whichRow(out *Reading) {
	if len(r.lost) > 0 && r.in.Rows != nil && r.in.Rows.More && (out.Skill.Calls() || out.Question != nil) {
		out.Question = &Question{Text: fmt.Sprintf(r.language.Pick(
			"Что значит «%s»? В прошлом ответе показаны не все строки: назовите нужные или скажите «первые пять из них».",
			"What is “%s”? The last answer did not show all rows: name the ones you mean, or say “the first five of them”."),
			strings.Join(r.lost, ", "))}
		return
	}
	if len(r.lost) > 0 && (out.Skill.Calls() || out.Question != nil) {
		out.Question = &Question{Text: fmt.Sprintf(r.language.Pick("О чём «%s»? Таких строк в последней таблице нет.",
			"What is “%s”? The last table has no such rows."), strings.Join(r.lost, ", "))}
		return
	}
	if r.ambiguous == nil || out.Outside {
		return
	}
	const most = 4
	m := r.ambiguous
	q := &Question{Text: fmt.Sprintf(r.language.Pick("О какой строке речь: что значит «%s»?",
		"Which row do you mean by “%s”?"), m.words)}
	for _, n := range m.meanings[:min(most, len(m.meanings))] {
		in := r.in
		in.Rows = &refer.Rows{Result: r.in.Rows.Result, Dimension: r.in.Rows.Dimension, IDs: []string{n.ID},
			Names: []string{n.Name}, Part: r.in.Rows.Part || len(r.in.Rows.IDs) > 1}
		one := Read(r.task, in)
		if one.Question != nil || !one.Skill.Calls() {
			q.Options = nil
			break
		}
		first, last := r.ts[m.at[0]], r.ts[m.at[len(m.at)-1]]
		text := strings.TrimSpace(r.task[:first.Start]) + " «" + n.Name + "» " + strings.TrimSpace(r.task[last.End:])
		q.Options = append(q.Options, Option{Text: strings.TrimSpace(text), Skill: one.Skill, Arguments: one.Arguments,
			Query: one.Query, Input: one.Input})
	}
	out.Question = q
}
