package cli

import (
	"regexp"
	"slices"
	"strings"

	"github.com/mattn/go-runewidth"

	"github.com/stockhand/stockhand/internal/agent/render"
	"github.com/stockhand/stockhand/internal/cli/table"
)

// fitted makes Markdown fit for a terminal: its tables are aligned, unless they are wider than the terminal, and other
// lines are wrapped. A width of 0 is no limit.
func fitted(m string, width int) string {
	var out []string
	lines := strings.Split(m, "\n")
	for len(lines) > 0 {
		n := 0
		for n < len(lines) && strings.HasPrefix(lines[n], "|") {
			n++
		}
		if aligned := align(lines[:n]); aligned != nil && fits(aligned, width) {
			out, lines = append(out, aligned...), lines[n:]
			continue
		}
		n = max(n, 1)
		out, lines = append(out, paragraphs(render.Terminal(strings.Join(lines[:n], "\n")), width)), lines[n:]
	}
	return strings.Join(out, "\n")
}

func fits(lines []string, width int) bool {
	return width == 0 || !slices.ContainsFunc(lines, func(l string) bool { return runewidth.StringWidth(l) > width })
}

var (
	divider = regexp.MustCompile(`^\|(\s*:?-+:?\s*\|)+\s*$`)
	bars    = regexp.MustCompile(`\\.|\|`)
)

// align returns the lines of a Markdown table with its columns one below the other; nil for something else.
func align(lines []string) []string {
	if len(lines) < 2 || !divider.MatchString(lines[1]) {
		return nil
	}
	var rows [][]string
	var widths []int
	for _, line := range lines {
		row := cells(line)
		for i, c := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			if len(rows) != 1 { // the divider takes the width of the others
				widths[i] = max(widths[i], runewidth.StringWidth(c))
			}
		}
		rows = append(rows, row)
	}
	var out []string
	for n, row := range rows {
		var b strings.Builder
		for i, c := range row {
			gap := strings.Repeat(" ", max(0, widths[i]-runewidth.StringWidth(c)))
			switch {
			case n == 1:
				c = strings.Repeat("─", widths[i])
			case i < len(rows[1]) && strings.HasSuffix(rows[1][i], ":"):
				c = gap + c
			default:
				c += gap
			}
			if i > 0 {
				b.WriteString("  ")
			}
			b.WriteString(c)
		}
		out = append(out, strings.TrimRight(b.String(), " "))
	}
	return out
}

// cells returns the cells of a row as plain text.
func cells(row string) (all []string) {
	from := -1
	for _, at := range bars.FindAllStringIndex(row, -1) {
		if row[at[0]] != '|' {
			continue
		}
		if from >= 0 {
			all = append(all, table.OneLine(render.Terminal(strings.TrimSpace(row[from:at[0]]))))
		}
		from = at[1]
	}
	return all
}
