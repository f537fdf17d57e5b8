// Package table prints the tables of results to a terminal, and makes texts from an account safe for one.
package table

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/mattn/go-runewidth"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/tool"
)

// Table prints a result to a terminal: aligned, numbers to the right, totals below a line.
type Table struct {
	Language stockhand.Language
	Rows     int // rows to show; 0 shows all
	Width    int // terminal width; 0 if the output is not a terminal, which disables truncation
	Place    Place
	Style    Style
}

// Place is where a table is shown, which determines the user's next steps.
type Place struct {
	CSV      bool // the command has --csv
	Prompt   bool // the user types the next message directly afterwards
	Commands bool // no prompt follows, and other commands can find the draft
}

// widest is the maximum width of a text column on a terminal before its text is cut, unless there is room.
const widest = 44

// How narrow text columns may become before other columns are dropped. The first column describes the row.
const (
	narrowestFirst = 22
	narrowest      = 12
)

// Write prints the table. It leaves out columns that do not fit, and names them.
func (t Table) Write(w io.Writer, r *tool.Result) {
	if len(r.Rows) == 0 {
		return
	}
	if len(r.Parts) > 0 {
		t.parts(w, r)
		return
	}
	shown := r.Rows
	if most := max(t.Rows, r.MustShow); t.Rows > 0 && len(shown) > most {
		shown = shown[:most]
	}
	columns, left := t.columns(r, shown)
	t.line(w, columns, t.Style, func(c column) string { return c.label })
	t.rule(w, columns)
	for _, row := range shown {
		t.line(w, columns, Style{}, func(c column) string { return c.cell(row) })
	}
	if r.Totals != nil && len(r.Rows) > 1 &&
		slices.ContainsFunc(columns, func(c column) bool { return !r.Totals[c.at].IsEmpty() }) {
		t.rule(w, columns)
		word := t.Language.Pick("Итого", "Total")
		for i := range columns { // in the first column that has no total and is wide enough
			if r.Totals[columns[i].at].IsEmpty() && columns[i].width >= runewidth.StringWidth(word) {
				columns[i].total = word
				break
			}
		}
		t.line(w, columns, t.Style, func(c column) string {
			switch {
			case c.total != "":
				return c.total
			case r.Totals[c.at].IsEmpty():
				return ""
			}
			return c.cell(r.Totals)
		})
	}
	if n := len(r.Rows) - len(shown); n > 0 {
		where := "--rows 0"
		if t.Place.CSV {
			where = t.Language.Pick("--rows 0 или --csv ФАЙЛ", "--rows 0 or --csv FILE")
		}
		fmt.Fprintf(w, t.Language.Pick("… и ещё строк: %d (все: %s)\n", "… and %d more rows (all of them: %s)\n"), n,
			where)
	}
	if len(left) > 0 {
		said := t.Language.Pick("Не поместились столбцы: ", "Columns that did not fit: ") + strings.Join(left, "; ")
		if t.Place.CSV {
			said += t.Language.Pick(" (все: --csv ФАЙЛ)", " (all of them: --csv FILE)")
		}
		fmt.Fprintln(w, t.Style.Dim(Wrap(said, t.Width)))
	}
}

// parts writes the parts of a result as tables of their own.
func (t Table) parts(w io.Writer, r *tool.Result) {
	for i, part := range r.InPages().Split() {
		own, err := part.Whole()
		if err != nil || len(own.Rows) == 0 { // the rows are in memory, so that there is no error
			continue
		}
		if i > 0 {
			fmt.Fprintln(w)
		}
		fmt.Fprintln(w, t.Style.Bold(OneLine(own.Title)))
		t.Write(w, own)
	}
}

type column struct {
	at       int // index in the row
	label    string
	unit     tool.Unit
	width    int
	full     int // the width without truncation
	least    int // the minimum width
	right    bool
	rank     int // columns with the lowest rank are dropped first
	language stockhand.Language
	total    string // text in the totals row instead of a number
}

// The ranks of columns.
const (
	rankEmpty  = iota // no shown row has a value
	rankDetail        // the tool marks it as a detail
	rankSparse        // at most half of the shown rows have a value
	rankSame          // a text that is the same in all of several rows
	rankPlain
	rankFirst // describes the row, and is never dropped
)

func (c column) cell(row tool.Row) string {
	return OneLine(row[c.at].Format(c.unit, c.language))
}

// columns measures the columns and returns those that fit, and the labels of the others. It drops empty columns first
// and details next; then it truncates text, and then drops sparse columns and the last ones. Identifiers are for
// programs: they are only in JSON and CSV.
func (t Table) columns(r *tool.Result, rows tool.Rows) (fit []column, left []string) {
	var all []column
	for i, c := range r.Columns {
		if !c.Hidden && c.Name != "id" && !strings.HasSuffix(c.Name, "_id") {
			all = append(all, t.measure(r, rows, i, len(all) == 0))
		}
	}
	if t.Width <= 0 {
		return all, nil
	}
	dropped := map[int]bool{} // by index in the row
	excess := func() int {
		used := -2
		for _, c := range all {
			if !dropped[c.at] {
				used += c.width + 2
			}
		}
		return used - t.Width
	}
	for rank := rankEmpty; rank < rankFirst; rank++ {
		if rank == rankSparse {
			shrink(all, dropped, excess())
		}
		for i := len(all) - 1; i > 0 && excess() > 0; i-- {
			if all[i].rank == rank {
				dropped[all[i].at] = true
			}
		}
	}
	for _, c := range all {
		if dropped[c.at] {
			left = append(left, c.label)
		} else {
			fit = append(fit, c)
		}
	}
	room := -excess()
	for i := range fit { // use remaining room for truncated text
		more := min(fit[i].full-fit[i].width, max(0, room))
		fit[i].width += more
		room -= more
	}
	return fit, left
}

// measure computes the widths of a column.
func (t Table) measure(r *tool.Result, rows tool.Rows, at int, first bool) column {
	c := column{at: at, label: r.Columns[at].Label, unit: r.Columns[at].Unit,
		right: r.Columns[at].Unit != tool.UnitText,
		rank:  rankEmpty, language: t.Language}
	c.full = runewidth.StringWidth(c.label)
	c.least = max(narrowest, c.full)
	filled, same := 0, !c.right && len(rows) > 1
	for _, row := range rows {
		same = same && c.cell(row) == c.cell(rows[0])
		c.full = max(c.full, runewidth.StringWidth(c.cell(row)))
		if !row[at].IsEmpty() && row[at].Format(c.unit, t.Language) != "" {
			filled++
		}
	}
	switch {
	case filled > 0 && 2*filled <= len(rows):
		c.rank = rankSparse
	case filled > 0 && same:
		c.rank = rankSame
	case filled > 0:
		c.rank = rankPlain
	}
	if r.Totals != nil && !r.Totals[at].IsEmpty() {
		c.full = max(c.full, runewidth.StringWidth(c.cell(r.Totals)))
	}
	c.width = c.full
	switch {
	case first:
		c.rank, c.least = rankFirst, max(narrowestFirst, runewidth.StringWidth(c.label))
	case filled > 0 && r.Columns[at].Detail:
		c.rank = rankDetail
	}
	if c.right {
		c.least = c.full // never cut a figure
	} else if t.Width > 0 {
		c.width = min(c.full, widest)
	}
	return c
}

// shrink truncates the widest text columns until the excess is gone or nothing can be truncated.
func shrink(all []column, dropped map[int]bool, excess int) {
	for ; excess > 0; excess-- {
		widest := -1
		for i, c := range all {
			if !dropped[c.at] && c.width > c.least &&
				(widest < 0 || c.width-c.least > all[widest].width-all[widest].least) {
				widest = i
			}
		}
		if widest < 0 {
			return
		}
		all[widest].width--
	}
}

func (t Table) line(w io.Writer, columns []column, s Style, text func(column) string) {
	var b strings.Builder
	for i, c := range columns {
		if i > 0 {
			b.WriteString("  ")
		}
		cell := runewidth.Truncate(text(c), c.width, "…")
		gap := strings.Repeat(" ", max(0, c.width-runewidth.StringWidth(cell)))
		if c.right {
			b.WriteString(gap + cell)
		} else {
			b.WriteString(cell + gap)
		}
	}
	fmt.Fprintln(w, s.Bold(strings.TrimRight(b.String(), " ")))
}

func (t Table) rule(w io.Writer, columns []column) {
	n := -2
	for _, c := range columns {
		n += c.width + 2
	}
	fmt.Fprintln(w, strings.Repeat("─", max(n, 0)))
}

// OneLine makes a text from the account safe for a terminal: line breaks become spaces, and control characters, which
// could control the terminal, are removed.
func OneLine(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n', r == '\r', r == '\t':
			return ' '
		case r < 0x20, r >= 0x7f && r < 0xa0, r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069:
			return -1
		}
		return r
	}, s)
}

// Wrap breaks a line between words to fit the width; 0 disables wrapping.
func Wrap(s string, width int) string {
	if width <= 0 {
		return s
	}
	var b strings.Builder
	used := 0
	for i, word := range strings.Split(s, " ") {
		n := runewidth.StringWidth(word)
		switch {
		case i == 0:
		case used+1+n > width:
			b.WriteByte('\n')
			used = 0
		default:
			b.WriteByte(' ')
			used++
		}
		b.WriteString(word)
		used += n
	}
	return b.String()
}
