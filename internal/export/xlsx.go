package export

import (
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/tool"
)

// maxRows is the number of rows that fit on an XLSX sheet besides the header and the total.
const maxRows = sheetRows - 2

// XLSX writes a workbook with one sheet per table, or per part of one, and a last sheet with the notices and how the
// figures were computed. Only one page of rows is in memory. It returns VALIDATION_FAILED, before it writes, when a
// table has more rows than a sheet holds.
func XLSX(w io.Writer, l stockhand.Language, tables ...tool.Table) error {
	title := ""
	if len(tables) > 0 {
		title = tables[0].Title
	}
	tables = split(tables)
	names := sheetNames{language: l, taken: map[string]bool{}}
	var sheets []string
	for _, t := range tables {
		if t.Count > maxRows {
			return stockhand.Errorf(stockhand.CodeValidation, "a sheet holds %d rows but the result has %d", maxRows,
				t.Count).WithHint("export it as CSV or JSON")
		}
		sheets = append(sheets, names.next(t.Title))
	}
	remarks := notes(l, tables)
	if len(remarks) > 0 || len(tables) == 0 { // a workbook has at least one sheet
		sheets = append(sheets, names.next(l.Pick("Пояснения", "Notes")))
	}
	b, err := newWorkbook(w, l, title, sheets)
	if err != nil {
		return err
	}
	for _, t := range tables {
		if err := b.table(l, t); err != nil {
			return fmt.Errorf("write the sheet of %s: %w", t.Tool, err)
		}
	}
	if len(sheets) > len(tables) {
		if err := b.sheet([]int{maxWidth * 2}, false); err != nil {
			return err
		}
		for _, line := range remarks {
			if err := b.row(cell{text: line}); err != nil {
				return err
			}
		}
		b.endSheet()
	}
	return b.close()
}

// table writes a table as a sheet: the header, the rows and the total. Columns are as wide as the first page needs.
func (b *workbook) table(l stockhand.Language, t tool.Table) error {
	next, stop := iter.Pull2(t.Pages)
	defer stop()
	rows, err, more := next()
	if err != nil {
		return err
	}
	widths := make([]int, len(t.Columns))
	cells := make([]cell, len(t.Columns))
	for j, c := range t.Columns {
		cells[j] = cell{text: head(c, l), style: style{bold: true, faint: c.Hidden}}
		widths[j] = width(rows, j, c.Unit, cells[j].text)
	}
	if err := b.sheet(widths, true); err != nil {
		return err
	}
	if err := b.row(cells...); err != nil {
		return err
	}
	for ; more; rows, err, more = next() {
		if err != nil {
			return err
		}
		for _, row := range rows {
			if err := b.cells(l, t, row, cells, false); err != nil {
				return err
			}
		}
	}
	if t.Totals != nil {
		if err := b.cells(l, t, t.Totals, cells, true); err != nil {
			return err
		}
	}
	b.endSheet()
	return nil
}

// cells writes a row. The cells are overwritten.
func (b *workbook) cells(l stockhand.Language, t tool.Table, row tool.Row, cells []cell, total bool) error {
	for j, v := range row {
		var err error
		if cells[j], err = typed(v, t.Columns[j].Unit, l); err != nil {
			return err
		}
		cells[j].style.bold = total
	}
	if total && len(row) > 0 && row[0].IsEmpty() {
		cells[0] = cell{text: l.Pick("Итого", "Total"), style: style{bold: true}}
	}
	return b.row(cells...)
}

// typed returns the cell of a value; an empty one if it is unknown.
func typed(v tool.Value, unit tool.Unit, l stockhand.Language) (cell, error) {
	n, ok := v.Decimal()
	if !ok {
		if t, format, ok := instant(v.Text(), unit, l); ok {
			return cell{number: serial(t), style: style{format: format}}, nil
		}
		return cell{text: v.Text()}, nil
	}
	if err := n.Err(); err != nil {
		return cell{}, err
	}
	format := "#,##0"
	switch {
	case v.Currency() != "" || unit == tool.UnitMoney:
		n, format = n.Round(2), "#,##0.00"+currencyFormat(v.Currency())
	case unit == tool.UnitPercent:
		n, format = n.Round(4), `0.0"%"` // 12.5 stays 12.5, as in every other format
	case n.Round(0).Cmp(n) != 0:
		n, format = n.Round(4), "#,##0.0###"
	}
	return cell{number: shortest(n.Float64()), style: style{format: format}}, nil // spreadsheets calculate with floats
}

func shortest(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }

// serial returns a time as spreadsheets count it: in days since the end of 1899.
func serial(t time.Time) string {
	const day = 24 * 60 * 60
	const until1970 = 25569 * day
	return shortest(float64(until1970+t.Unix()) / day)
}

// currencyFormat returns the number format suffix of a currency: its sign, or its code if it has none.
func currencyFormat(code string) string {
	if code == "" {
		return ""
	}
	return ` "` + strings.ReplaceAll(tool.CurrencySign(code), `"`, "") + `"`
}

// instant parses a date or a time. Spreadsheets have no time zones: a time is as clocks in the account's zone show it.
func instant(text string, unit tool.Unit, l stockhand.Language) (time.Time, string, bool) {
	switch unit {
	case tool.UnitDate:
		t := tool.Day(text).Time()
		return t, l.Pick("dd.mm.yyyy", "yyyy-mm-dd"), !t.IsZero()
	case tool.UnitMoment:
		t, err := time.Parse(time.RFC3339, text)
		_, offset := t.Zone()
		return t.UTC().Add(time.Duration(offset) * time.Second), l.Pick("dd.mm.yyyy hh:mm", "yyyy-mm-dd hh:mm"),
			err == nil
	default:
		return time.Time{}, "", false
	}
}

// notes returns the lines of the sheet of notices and provenance.
func notes(l stockhand.Language, tables []tool.Table) []string {
	var lines []string
	for _, t := range tables {
		var own []string
		for _, n := range t.Notices {
			own = append(own, n.Message)
		}
		if p := t.Provenance; !p.Read.IsZero() {
			at := p.Read.In(p.Zone.Location())
			own = append(own, p.Method, fmt.Sprintf(
				l.Pick("Аккаунт %s, данные на %s %s (%s).", "Account %s, read on %s at %s (%s)."), p.Account,
				tool.DayOf(at).Format(l), at.Format("15:04"), p.Zone.Title(l)))
		}
		if len(own) > 0 {
			lines = append(append(lines, t.Title), own...)
		}
	}
	return slices.DeleteFunc(lines, func(line string) bool { return line == "" })
}

const (
	minWidth = 8 // in characters
	maxWidth = 48
)

// width returns a column width in characters that fits the header and the first 100 of these rows.
func width(rows tool.Rows, j int, unit tool.Unit, head string) int {
	most := utf8.RuneCountInString(head)
	for _, row := range rows[:min(100, len(rows))] {
		most = max(most, utf8.RuneCountInString(row[j].Format(unit, stockhand.Russian)))
	}
	return min(max(most+2, minWidth), maxWidth)
}

// sheetNames names the sheets of a workbook.
type sheetNames struct {
	language stockhand.Language
	taken    map[string]bool // in lower case
}

// next returns a sheet name for a title: without forbidden characters, and unique regardless of case.
func (s sheetNames) next(title string) string {
	clean := strings.Map(func(r rune) rune {
		if strings.ContainsRune(`[]:*?/\`, r) || r < ' ' {
			return ' '
		}
		return r
	}, title)
	clean = strings.Trim(strings.Join(strings.Fields(clean), " "), "'")
	if clean == "" {
		clean = s.language.Pick("Таблица", "Table")
	}
	name := clip(clean, nameLength)
	for i := 2; s.taken[strings.ToLower(name)]; i++ {
		suffix := fmt.Sprintf(" %d", i)
		name = clip(clean, nameLength-len(suffix)) + suffix
	}
	s.taken[strings.ToLower(name)] = true
	return name
}

// clip shortens s to at most that many UTF-16 code units, the unit of the format's limits.
func clip(s string, most int) string {
	n := 0
	for i, r := range s {
		if r > 0xFFFF {
			n++
		}
		if n++; n > most {
			return strings.TrimSpace(s[:i])
		}
	}
	return s
}
