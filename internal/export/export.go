// Package export writes tables for spreadsheets: CSV as the spreadsheets of each language open it, and XLSX with typed
// cells.
//
// It promises that a figure stays a figure, and the same one as everywhere else: numbers are written bare, a percentage
// of 12.5 is the number 12.5; that a text of an account's data is never run as a formula; and that what is unknown is
// an empty cell and never a zero. A column that may not be seen is still there, empty, and its head says so: absent and
// hidden are two things.
//
// The surprising decision is that XLSX gets a total below the table and CSV none: the one is read by people, the other
// by programs, which would add the total up with the rest.
package export

import (
	"encoding/csv"
	"io"
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/tool"
)

// CSV writes whole results: a byte-order mark so that Excel reads UTF-8, semicolons and decimal commas as Russian Excel
// expects them (commas and points for English). Several results follow one another, an empty line between.
func CSV(w io.Writer, l stockhand.Language, results ...*tool.Result) error {
	if _, err := io.WriteString(w, "\ufeff"); err != nil {
		return err
	}
	c := csv.NewWriter(w)
	c.Comma = []rune(l.Pick(";", ","))[0]
	for i, r := range results {
		if i > 0 {
			if err := c.Write([]string{""}); err != nil {
				return err
			}
		}
		record := make([]string, len(r.Columns))
		for j, col := range r.Columns {
			record[j] = defuse(head(col, l))
		}
		if err := c.Write(record); err != nil {
			return err
		}
		for _, row := range r.Rows {
			for j, cell := range row {
				record[j] = csvCell(cell, l)
			}
			if err := c.Write(record); err != nil {
				return err
			}
		}
	}
	c.Flush()
	return c.Error()
}

// head is a column's label; of one that may not be seen it says so.
func head(c tool.Column, l stockhand.Language) string {
	if c.Hidden {
		return c.Label + l.Pick(" (нет доступа)", " (no access)")
	}
	return c.Label
}

// csvCell writes numbers bare, so that a spreadsheet can add them up, and an unknown cell as nothing.
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

// defuse keeps a spreadsheet from reading a text of the account's data as a formula. A text that is a number is none.
func defuse(s string) string {
	if s == "" || !strings.ContainsRune("=+-@\t\r\n", rune(s[0])) {
		return s
	}
	if strings.ContainsAny(s[:1], "+-") && len(s) > 1 && strings.Trim(s[1:], "0123456789") == "" {
		return s
	}
	return "'" + s
}
