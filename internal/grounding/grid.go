package grounding

import (
	"slices"
	"strings"
	"unicode"

	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/grounding/prose"
)

// table reads the rows of a table. The line before the line of dashes is the header.
func (d *document) table(lines []line, at, heading int) {
	g := &grid{}
	d.tables = append(d.tables, g)
	body := 0
	for i, l := range lines {
		cells := d.cells(l)
		if strings.Trim(d.text[l.Start:l.End], "|-: \t\r") == "" {
			continue
		}
		if i == 0 && len(lines) > 1 && strings.Trim(d.text[lines[1].Start:lines[1].End], "|-: \t\r") == "" {
			for _, c := range cells {
				g.header = append(g.header, strings.Trim(d.text[c.Start:c.End], " *_`"))
				g.names = append(g.names, d.namesIn(c))
				// digits of a label are not figures
				if len(d.figuresIn(c)) > 0 && d.known[labelKey(d.text[c.Start:c.End])] != nil {
					d.figures = slices.DeleteFunc(d.figures,
						func(f *figure) bool { return f.Start >= c.Start && f.Start < c.End })
				}
			}
			d.clauses = append(d.clauses, clause{Span: l.Span, sentence: l.Span, line: at, cell: true, above: -1})
			continue
		}
		row := make([]*figure, len(cells))
		for k, c := range cells {
			for _, f := range d.figuresIn(c) {
				f.cell = &cell{g, len(g.rows), k}
				if row[k] == nil {
					row[k] = f
				}
			}
		}
		first := ""
		for _, c := range cells {
			if first = strings.Trim(d.text[c.Start:c.End], " *_`"); strings.ContainsFunc(first, unicode.IsLetter) {
				break
			}
		}
		if !totalWord(first) {
			body++
		}
		g.rows, g.first = append(g.rows, row), append(g.first, first)
		d.clauses = append(d.clauses, clause{Span: l.Span, sentence: l.Span, line: at + i, cell: true, above: heading})
	}
	d.lists[body] = true
	d.dropRowNumbers(g)
}

// dropRowNumbers removes row numbers from the figures: those that count the rows, and in a column of line numbers any
// distinct whole numbers, because the lines of a draft are not always shown in order.
func (d *document) dropRowNumbers(g *grid) {
	if len(g.header) == 0 {
		return
	}
	heading, named := strings.Trim(g.header[0], " *_"), len(prose.Tokens(g.header[0])) > 0
	if named {
		heading = labelKey(heading)
	}
	if named && !lineNumber[heading] && !rank[heading] {
		return
	}
	numbers, seen := map[*figure]bool{}, map[string]bool{}
	for i, row := range g.rows {
		if len(row) == 0 || row[0] == nil || row[0].Kind != bare || len(row[0].Readings) == 0 {
			continue
		}
		n := row[0].Readings[0].Value
		isNumber := lineNumber[heading] && n.Sign() > 0 && n.Cmp(n.Floor(0)) == 0 && !seen[n.String()]
		if seen[n.String()] = true; isNumber || n.Cmp(decimal.FromInt(int64(i+1))) == 0 {
			numbers[row[0]] = true
			row[0] = nil
		}
	}
	if len(numbers) > 0 {
		d.figures = slices.DeleteFunc(d.figures, func(f *figure) bool { return numbers[f] })
	}
}

// The headings of columns of line numbers and of ranks.
var (
	lineNumber = map[string]bool{"№": true, "#": true, "no": true, "n": true, "п п": true, "номер": true,
		"number": true}
	rank = map[string]bool{"место": true, "rank": true}
)

// cells returns the spans between the bars of a row. An escaped bar is text.
func (d *document) cells(l line) []prose.Span {
	var out []prose.Span
	start := -1
	for i := l.Start; i < l.End; i++ {
		if d.text[i] != '|' || i > l.Start && d.text[i-1] == '\\' {
			continue
		}
		if start >= 0 {
			out = append(out, prose.Span{Start: start, End: i})
		}
		start = i + 1
	}
	if start >= 0 && strings.TrimSpace(d.text[start:l.End]) != "" {
		out = append(out, prose.Span{Start: start, End: l.End})
	}
	return out
}
