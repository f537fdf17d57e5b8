// Package export writes results as CSV, in the dialect of each language's spreadsheets, and as XLSX with typed cells.
//
// Figures keep their exact value: numbers are written without units, and 12.5 % is the number 12.5. Texts from an
// account never run as formulas. An unknown value is an empty cell, never zero. A column that the employee may not see
// is still written, empty and with a label that says so, because absent and hidden are different things.
//
// XLSX has a total row and CSV has none: people read the one, and programs that read the other would add the total to
// the rows.
package export

import (
	"encoding/csv"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/tool"
)

// CSV writes tables as CSV with a byte-order mark, so that Excel reads UTF-8. Russian gets semicolons and decimal
// commas, English gets commas and decimal points. An empty line separates tables. Only one page of rows is in memory.
func CSV(w io.Writer, l stockhand.Language, tables ...tool.Table) error {
	if _, err := io.WriteString(w, "\ufeff"); err != nil {
		return err
	}
	c := csv.NewWriter(w)
	c.Comma = []rune(l.Pick(";", ","))[0]
	for i, t := range split(tables) {
		if i > 0 {
			if err := c.Write([]string{""}); err != nil {
				return err
			}
		}
		if err := writeCSV(c, l, t); err != nil {
			return err
		}
	}
	c.Flush()
	return c.Error()
}

// split divides tables into their parts.
func split(tables []tool.Table) []tool.Table {
	var all []tool.Table
	for _, t := range tables {
		all = append(all, t.Split()...)
	}
	return all
}

func writeCSV(c *csv.Writer, l stockhand.Language, t tool.Table) error {
	record := make([]string, len(t.Columns))
	for j, col := range t.Columns {
		record[j] = defuse(head(col, l))
	}
	if err := c.Write(record); err != nil {
		return err
	}
	for rows, err := range t.Pages {
		if err != nil {
			return err
		}
		for _, row := range rows {
			for j, cell := range row {
				record[j] = csvCell(cell, l)
			}
			if err := c.Write(record); err != nil {
				return err
			}
		}
	}
	return nil
}

// head returns a column's label, marked if the column is hidden.
func head(c tool.Column, l stockhand.Language) string {
	if c.Hidden {
		return c.Label + l.Pick(" (нет доступа)", " (no access)")
	}
	return c.Label
}

// csvCell formats numbers without units, so that a spreadsheet can add them up, and an unknown value as an empty cell.
func csvCell(v tool.Value, l stockhand.Language) string {
	n, ok := v.Decimal()
	if !ok {
		return defuse(v.Text())
	}
	s := n.Round(4).String()
	if v.Currency() != "" {
		s = n.Fixed(2)
	}
	return l.Pick(strings.Replace(s, ".", ",", 1), s)
}

const (
	signs      = "=+-@＝＋－＠" // some programs also read the full-width ones
	separators = ",;\t\r\n"
)

// defuse puts an apostrophe before what a spreadsheet would read as a formula: at the start of the text, and after
// separators, because a program that expects another separator splits the text there. A number is left as it is.
func defuse(s string) string {
	if !strings.ContainsAny(s, separators) && !formula(s) {
		return s
	}
	var b strings.Builder
	if strings.ContainsAny(s[:1], "\t\r\n") {
		b.WriteByte('\'')
	}
	for {
		end := strings.IndexAny(s, separators)
		part := s
		if end >= 0 {
			part = s[:end]
		}
		if formula(part) {
			b.WriteByte('\'')
		}
		b.WriteString(part)
		if end < 0 {
			return b.String()
		}
		b.WriteByte(s[end])
		s = s[end+1:]
	}
}

// formula reports whether a spreadsheet could read s, perhaps in quotes, as a formula.
func formula(s string) bool {
	first, _ := utf8.DecodeRuneInString(strings.TrimLeft(s, `"'`))
	return strings.ContainsRune(signs, first) && !number(s)
}

// number reports whether s is a whole number with a sign.
func number(s string) bool {
	return len(s) > 1 && strings.ContainsAny(s[:1], "+-") && strings.Trim(s[1:], "0123456789") == ""
}
