package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/mattn/go-runewidth"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/tool"
)

// table writes a result for a terminal: aligned, numbers to the right, totals under a rule.
type table struct {
	language stockhand.Language
	rows     int // rows to show; 0 shows all
	width    int // columns of the terminal; 0 when the output is not one: nothing is then cut or left out
	place    place
}

// place is where a table is shown, which decides what a person can do next.
type place struct {
	csv      bool // the command takes --csv
	prompt   bool // the person types their next message right after
	commands bool // nobody is asked anything, and the draft can be found again by other commands
}

// widest is how wide a column of words may be on a terminal before its words are cut, unless there is room left.
const widest = 44

// How far such columns shrink before a column that is no detail is left out. The first names what the row is about.
const (
	narrowestFirst = 30
	narrowest      = 20
)

func (t table) write(w io.Writer, r *tool.Result) {
	if len(r.Rows) == 0 {
		return
	}
	shown := r.Rows
	if t.rows > 0 && len(shown) > t.rows {
		shown = shown[:t.rows]
	}
	columns, left := t.columns(r, shown)
	t.line(w, columns, func(c column) string { return c.label })
	t.rule(w, columns)
	for _, row := range shown {
		t.line(w, columns, func(c column) string { return c.cell(row) })
	}
	if slices.ContainsFunc(columns, func(c column) bool { return r.Totals != nil && !r.Totals[c.at].IsEmpty() }) {
		t.rule(w, columns)
		word := t.language.Pick("Итого", "Total")
		for i := range columns { // in the first column that has no total of its own and is wide enough
			if r.Totals[columns[i].at].IsEmpty() && columns[i].width >= runewidth.StringWidth(word) {
				columns[i].total = word
				break
			}
		}
		t.line(w, columns, func(c column) string {
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
		if t.place.csv {
			where = t.language.Pick("--rows 0 или --csv ФАЙЛ", "--rows 0 or --csv FILE")
		}
		fmt.Fprintf(w, t.language.Pick("… и ещё строк: %d (все: %s)\n", "… and %d more rows (all of them: %s)\n"), n,
			where)
	}
	if len(left) > 0 {
		said := t.language.Pick("Не поместились столбцы: ", "Columns that did not fit: ") + strings.Join(left, ", ")
		if t.place.csv {
			said += t.language.Pick(" (все: --csv ФАЙЛ)", " (all of them: --csv FILE)")
		}
		fmt.Fprintln(w, wrap(said, t.width))
	}
}

type column struct {
	at       int // index in the row
	label    string
	unit     tool.Unit
	width    int
	full     int // the width at which nothing is cut
	right    bool
	detail   bool
	language stockhand.Language
	total    string // what stands in the totals' row instead of a number
}

func (c column) cell(row tool.Row) string {
	return oneLine(row[c.at].Format(c.unit, c.language))
}

// columns measures what is shown and returns what fits, and the labels of what does not: details go first, then words
// are cut, then goes what stands last. Identifiers are for programs: they stay in JSON and CSV.
func (t table) columns(r *tool.Result, rows tool.Rows) (fit []column, left []string) {
	var all []column
	used := 0
	for i, c := range r.Columns {
		if c.Hidden || c.Name == "id" || strings.HasSuffix(c.Name, "_id") {
			continue
		}
		col := column{at: i, label: c.Label, unit: c.Unit, right: c.Unit != tool.UnitText, detail: c.Detail,
			language: t.language}
		col.width = runewidth.StringWidth(c.Label)
		for _, row := range rows {
			col.width = max(col.width, runewidth.StringWidth(col.cell(row)))
		}
		if r.Totals != nil && !r.Totals[i].IsEmpty() {
			col.width = max(col.width, runewidth.StringWidth(col.cell(r.Totals)))
		}
		col.full = col.width
		if t.width > 0 && !col.right {
			col.width = min(col.width, widest)
		}
		used += col.width + 2
		all = append(all, col)
	}
	dropped := map[int]bool{}
	for _, details := range []bool{true, false} {
		for i := range all {
			if excess := used - 2 - t.width; !details && !dropped[i] && !all[i].right && t.width > 0 && excess > 0 {
				least := narrowest
				if i == 0 {
					least = narrowestFirst
				}
				cut := max(0, min(excess, all[i].width-max(least, runewidth.StringWidth(all[i].label))))
				all[i].width -= cut
				used -= cut
			}
		}
		for i := len(all) - 1; i > 0 && t.width > 0 && used-2 > t.width; i-- {
			if all[i].detail == details {
				dropped[i] = true
				used -= all[i].width + 2
			}
		}
	}
	for i, c := range all {
		if dropped[i] {
			left = append(left, c.label)
		} else {
			fit = append(fit, c)
		}
	}
	for i := range fit { // what room is left goes to words that were cut
		more := min(fit[i].full-fit[i].width, max(0, t.width-(used-2)))
		if t.width > 0 && more > 0 {
			fit[i].width += more
			used += more
		}
	}
	return fit, left
}

func (t table) line(w io.Writer, columns []column, text func(column) string) {
	var b strings.Builder
	for i, c := range columns {
		if i > 0 {
			b.WriteString("  ")
		}
		s := runewidth.Truncate(text(c), c.width, "…")
		gap := strings.Repeat(" ", max(0, c.width-runewidth.StringWidth(s)))
		if c.right {
			b.WriteString(gap + s)
		} else {
			b.WriteString(s + gap)
		}
	}
	fmt.Fprintln(w, strings.TrimRight(b.String(), " "))
}

func (t table) rule(w io.Writer, columns []column) {
	n := -2
	for _, c := range columns {
		n += c.width + 2
	}
	fmt.Fprintln(w, strings.Repeat("─", max(n, 0)))
}

// oneLine makes a text from the account's data safe for a terminal: line breaks become spaces and control
// characters, which could drive the terminal, are left out.
func oneLine(s string) string {
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

// wrap breaks a line between words so that it fits a terminal of that width; 0 leaves it whole.
func wrap(s string, width int) string {
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
