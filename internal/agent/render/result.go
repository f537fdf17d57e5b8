// Package render formats results, drafts and confirmations as Markdown for users and in a compact form for a language
// model. It also makes a model's text safe to show.
//
// It adds no figures of its own, and treats every name and text of an account as data: a client program never reads
// them as markup, and a model never as instructions.
package render

import (
	"fmt"
	"slices"
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/tool"
)

// ShownRows is how many rows an answer shows; the stored result has all.
const ShownRows = shownRows

const shownRows = 10

// shownColumns keeps a table readable in a chat: detail columns are dropped first, then the last ones. The stored
// result has all.
const shownColumns = 8

// unused returns the notices of words that the answer does not follow, and of what it assumes, as the beginning of its
// first line (rules R265 and R520), and the other notices.
func unused(notices []tool.Notice) (lead Markdown, others []tool.Notice) {
	for _, n := range notices {
		if n.Code == tool.NoticeUnused || n.Code == tool.NoticeAssumed {
			lead += Plain(n.Message) + " "
		} else {
			others = append(others, n)
		}
	}
	return lead, others
}

// Result formats the answer to a task in Markdown: the sentence that answers it, the first rows of the table, the
// notices, and how it was computed. It reads no more rows than it shows.
func Result(t tool.Table, l stockhand.Language, all ...tool.Notice) (Markdown, error) {
	_, more := unused(all)
	r, parts := t.Result, []Markdown{Sentence(t, all...)}
	for _, part := range t.Split() {
		shown, err := part.First(shownRows)
		if err != nil {
			return "", err
		}
		if len(shown.Rows) == 0 || part.Count == 1 && OnlyFigures(shown) {
			continue
		}
		if len(t.Parts) > 0 {
			parts = append(parts, "**"+Plain(shown.Title)+"**")
		}
		parts = append(parts, markdown(shown, part.Count, l))
	}
	if notes := Notices(r, more...); len(notes) > 0 {
		parts = append(parts, "- "+join(plain(notes), "\n- "))
	}
	if m := Method(r, l); m != "" {
		parts = append(parts, "_"+Plain(m)+"_")
	}
	return join(parts, "\n\n"), nil
}

// Sentence formats the sentence that answers a task, after the words of the task that it does not follow.
func Sentence(t tool.Table, notices ...tool.Notice) Markdown {
	lead, _ := unused(notices)
	return lead + Plain(t.Answer)
}

// OnlyFigures reports whether a table says nothing that the sentence before it does not: figures of nothing in
// particular.
func OnlyFigures(r *tool.Result) bool {
	return r.Answer != "" && !slices.ContainsFunc(chatColumns(r), func(i int) bool {
		u := r.Columns[i].Unit
		return u == tool.UnitText || u == tool.UnitDate || u == tool.UnitMoment
	})
}

// Notices returns the messages of the notices of the result and its run, without duplicates.
func Notices(r *tool.Result, more ...tool.Notice) []string {
	var out []string
	for _, n := range slices.Concat(more, r.Notices) {
		if !slices.Contains(out, n.Message) {
			out = append(out, n.Message)
		}
	}
	return out
}

// Method describes how the result was computed, from which data, for which account and when.
func Method(r *tool.Result, l stockhand.Language) string {
	p := r.Provenance
	var parts []string
	if p.Method != "" {
		parts = append(parts, l.Pick("Как посчитано: ", "How it was computed: ")+p.Method)
	}
	if p.Period != nil {
		parts = append(parts, fmt.Sprintf(l.Pick("Период: %s – %s.", "Period: %s – %s."), p.Period.From.Format(l),
			p.Period.To.Format(l)))
	}
	if !p.Read.IsZero() {
		at := p.Read.In(p.Zone.Location())
		parts = append(parts, fmt.Sprintf(
			l.Pick("Данные на %s %s (%s), аккаунт %s, запросов: %d.",
				"Read at %s on %s (%s), account %s, requests: %d."),
			at.Format("15:04"), tool.DayOf(at).Format(l), p.Zone.Title(l), p.Account, p.Requests))
	}
	return strings.Join(parts, " ")
}

// markdown formats the first of a result's count rows, and of its columns, as a table.
func markdown(r *tool.Result, count int, l stockhand.Language) Markdown {
	rows := min(max(shownRows, min(r.MustShow, shownAttention)), len(r.Rows))
	return markdownRows(r, r.Rows[:rows], count-rows, l)
}

// Rows formats rows of a table that a conversation has shown before, from one position up to another, and says how many
// are left.
func Rows(t tool.Table, from, to int, l stockhand.Language) (Markdown, error) {
	var parts []Markdown
	for _, part := range t.Split() {
		if len(t.Parts) > 0 { // all of it
			from, to = 0, part.Count
			parts = append(parts, "**"+Plain(part.Title)+"**")
		}
		whole, err := part.First(to)
		if err != nil {
			return "", err
		}
		from = min(from, len(whole.Rows))
		parts = append(parts, markdownRows(whole, whole.Rows[from:], part.Count-len(whole.Rows), l))
	}
	return join(parts, "\n\n"), nil
}

// markdownRows formats rows of a result as a table; rest is how many follow them.
func markdownRows(r *tool.Result, rows tool.Rows, rest int, l stockhand.Language) Markdown {
	return rowsTable(r, rows, func(row, column int) Markdown {
		return Plain(rows[row][column].Format(r.Columns[column].Unit, l))
	}, rest, l)
}

// rowsTable formats rows of a result as a table whose cells a function formats; rest is how many follow them.
func rowsTable(r *tool.Result, rows tool.Rows, cell func(row, column int) Markdown, rest int,
	l stockhand.Language) Markdown {
	columns := chatColumns(r)
	var b strings.Builder
	line := func(cell func(i int) Markdown) {
		for _, i := range columns {
			b.WriteString(string("| " + cell(i) + " "))
		}
		b.WriteString("|\n")
	}
	line(func(i int) Markdown { return Plain(r.Columns[i].Label) })
	line(func(i int) Markdown {
		if r.Columns[i].Unit == tool.UnitText {
			return "---"
		}
		return "--:"
	})
	for at := range rows {
		line(func(i int) Markdown { return cell(at, i) })
	}
	if r.Totals != nil && len(rows)+rest > 1 && slices.ContainsFunc(columns,
		func(i int) bool { return !r.Totals[i].IsEmpty() }) {
		line(func(i int) Markdown {
			switch {
			case !r.Totals[i].IsEmpty():
				return "**" + Plain(r.Totals[i].Format(r.Columns[i].Unit, l)) + "**"
			case i == columns[0]:
				return pick(l, "**Итого**", "**Total**")
			}
			return ""
		})
	}
	if rest > 0 {
		fmt.Fprintf(&b, l.Pick("\n… и ещё строк: %d\n", "\n… and %d more rows\n"), rest)
	}
	return Markdown(strings.TrimRight(b.String(), "\n"))
}

// Columns returns the names of the columns that an answer shows.
func Columns(r *tool.Result) []string {
	var names []string
	for _, i := range chatColumns(r) {
		names = append(names, r.Columns[i].Name)
	}
	return names
}

// chatColumns returns the columns that an answer shows.
func chatColumns(r *tool.Result) []int {
	var columns []int
	for i, c := range r.Columns {
		if !c.Hidden && c.Name != "id" && !strings.HasSuffix(c.Name, "_id") {
			columns = append(columns, i)
		}
	}
	for at := len(columns) - 1; at > 0 && len(columns) > shownColumns; at-- {
		if r.Columns[columns[at]].Detail {
			columns = slices.Delete(columns, at, at+1)
		}
	}
	return columns[:min(shownColumns, len(columns))]
}

// Choose returns a result with only the columns of those names, in their order; with all columns if none of the names
// is one of them.
func Choose(r *tool.Result, names []string) *tool.Result {
	var chosen []int
	for _, n := range names {
		i := slices.IndexFunc(r.Columns, func(c tool.Column) bool { return strings.EqualFold(c.Name, n) && !c.Hidden })
		if i >= 0 && !slices.Contains(chosen, i) {
			chosen = append(chosen, i)
		}
	}
	if len(chosen) == 0 {
		return r
	}
	of := func(row tool.Row) tool.Row {
		var out tool.Row
		for _, i := range chosen {
			out = append(out, row[i])
		}
		return out
	}
	out := *r
	out.Columns, out.Rows = nil, nil
	for _, i := range chosen {
		out.Columns = append(out.Columns, r.Columns[i])
	}
	for _, row := range r.Rows {
		out.Rows = append(out.Rows, of(row))
	}
	if out.Totals != nil {
		out.Totals = of(r.Totals)
	}
	return &out
}

// Table formats all rows of a result as a table; rest is how many follow them.
func Table(r *tool.Result, rest int, l stockhand.Language) Markdown {
	return markdownRows(r, r.Rows, rest, l)
}
