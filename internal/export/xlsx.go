package export

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/xuri/excelize/v2"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/tool"
)

// maxRows is the number of rows that fit on an XLSX sheet besides the header and the total.
const maxRows = excelize.TotalRows - 2

// XLSX writes a workbook with one sheet per result and a last sheet with the notices and how the figures were computed.
// Rows are streamed, so a large table is not held in memory twice. It returns VALIDATION_FAILED when a result has more
// rows than a sheet holds.
func XLSX(w io.Writer, l stockhand.Language, results ...*tool.Result) (err error) {
	b := book{File: excelize.NewFile(), language: l, formats: map[string]int{}, names: map[string]bool{}}
	defer func() { err = errors.Join(err, b.Close()) }() // removes temporary files
	for _, r := range results {
		if len(r.Rows) > maxRows {
			return stockhand.Errorf(stockhand.CodeValidation, "a sheet holds %d rows but the result has %d", maxRows,
				len(r.Rows)).
				WithHint("export it as CSV or JSON")
		}
		if err := b.table(r); err != nil {
			return fmt.Errorf("write the sheet of %s: %w", r.Tool, err)
		}
	}
	if err := b.notes(results); err != nil {
		return fmt.Errorf("write the notes: %w", err)
	}
	if err := b.describe(results); err != nil {
		return fmt.Errorf("write the properties: %w", err)
	}
	if err := b.DeleteSheet("Sheet1"); err != nil { // every new workbook has it
		return err
	}
	_, err = b.WriteTo(w)
	return err
}

// describe sets the document properties, replacing the library's defaults.
func (b *book) describe(results []*tool.Result) error {
	now := time.Now().UTC().Format(time.RFC3339)
	about := &excelize.DocProperties{Creator: "Stockhand", LastModifiedBy: "Stockhand", Created: now, Modified: now,
		Language: b.language.Pick("ru-RU", "en-US")}
	if len(results) > 0 {
		about.Title = results[0].Title
	}
	if err := b.SetDocProps(about); err != nil {
		return err
	}
	return b.SetAppProps(&excelize.AppProperties{Application: "Stockhand"})
}

// book is a workbook that is being written.
type book struct {
	*excelize.File
	language stockhand.Language
	formats  map[string]int // style IDs by number format
	names    map[string]bool
}

// style returns the ID of a cell style and creates it at first use.
func (b *book) style(format string, bold, hidden bool) (int, error) {
	key := fmt.Sprint(format, bold, hidden)
	if id, ok := b.formats[key]; ok {
		return id, nil
	}
	s := &excelize.Style{Font: &excelize.Font{Bold: bold}}
	if format != "" {
		s.CustomNumFmt = &format
	}
	if hidden {
		s.Font.Italic, s.Font.Color = true, "808080"
	}
	id, err := b.NewStyle(s)
	b.formats[key] = id
	return id, err
}

// table writes a result as a sheet: a frozen header, the rows and the total.
func (b *book) table(r *tool.Result) error {
	name := b.name(r.Title)
	if _, err := b.NewSheet(name); err != nil {
		return err
	}
	sw, err := b.NewStreamWriter(name)
	if err != nil {
		return err
	}
	for j, c := range r.Columns {
		if err := sw.SetColWidth(j+1, j+1, width(r, j, head(c, b.language))); err != nil {
			return err
		}
	}
	if err := sw.SetPanes(&excelize.Panes{Freeze: true, YSplit: 1, TopLeftCell: "A2",
		ActivePane: "bottomLeft"}); err != nil {
		return err
	}
	cells := make([]any, len(r.Columns))
	for j, c := range r.Columns {
		id, err := b.style("", true, c.Hidden)
		if err != nil {
			return err
		}
		cells[j] = excelize.Cell{Value: head(c, b.language), StyleID: id}
	}
	if err := sw.SetRow("A1", cells); err != nil {
		return err
	}
	for i, row := range r.Rows {
		if err := b.row(sw, i+2, r.Columns, row, false); err != nil {
			return err
		}
	}
	if r.Totals != nil {
		if err := b.row(sw, len(r.Rows)+2, r.Columns, r.Totals, true); err != nil {
			return err
		}
	}
	return sw.Flush()
}

func (b *book) row(sw *excelize.StreamWriter, at int, columns []tool.Column, row tool.Row, total bool) error {
	cells := make([]any, len(row))
	for j, v := range row {
		cell, err := b.cell(v, columns[j].Unit, total)
		if err != nil {
			return err
		}
		cells[j] = cell
	}
	if total && len(row) > 0 && row[0].IsEmpty() {
		id, err := b.style("", true, false)
		if err != nil {
			return err
		}
		cells[0] = excelize.Cell{Value: b.language.Pick("Итого", "Total"), StyleID: id}
	}
	return sw.SetRow(fmt.Sprintf("A%d", at), cells)
}

// cell returns a typed cell, or nil for an unknown value.
func (b *book) cell(v tool.Value, unit tool.Unit, bold bool) (any, error) {
	if v.IsEmpty() {
		return nil, nil
	}
	var value any = v.Text()
	format := ""
	if n, ok := v.Decimal(); ok {
		if err := n.Err(); err != nil {
			return nil, err
		}
		whole := n.Round(0).Cmp(n) == 0
		switch {
		case v.Currency() != "" || unit == tool.UnitMoney:
			n, format = n.Round(2), "#,##0.00"+currencyFormat(v.Currency())
		case unit == tool.UnitPercent:
			n, format = n.Round(4), `0.0"%"` // 12.5 stays 12.5, as in every other format
		case whole:
			format = "#,##0"
		default:
			n, format = n.Round(4), "#,##0.0###"
		}
		value = n.Float64() // spreadsheets calculate in floating point
	} else if t, f, ok := instant(v.Text(), unit, b.language); ok {
		value, format = t, f
	}
	if format == "" && !bold {
		return value, nil
	}
	id, err := b.style(format, bold, false)
	return excelize.Cell{Value: value, StyleID: id}, err
}

// currencyFormat returns the number format suffix of a currency: its sign, or its code if it has none.
func currencyFormat(code string) string {
	if code == "" {
		return ""
	}
	return ` "` + strings.ReplaceAll(tool.CurrencySign(code), `"`, "") + `"`
}

// instant parses a date or a time. Times are shifted to Moscow time, because spreadsheets have no time zones.
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

// notes writes the sheet of notices and provenance.
func (b *book) notes(results []*tool.Result) error {
	var lines []string
	for _, r := range results {
		var own []string
		for _, n := range r.Notices {
			own = append(own, n.Message)
		}
		if p := r.Provenance; !p.Read.IsZero() {
			at := p.Read.In(p.Zone.Location())
			own = append(own, p.Method, fmt.Sprintf(
				b.language.Pick("Аккаунт %s, данные на %s %s (%s).", "Account %s, read on %s at %s (%s)."), p.Account,
				tool.DayOf(at).Format(b.language), at.Format("15:04"), p.Zone.Title(b.language)))
		}
		if len(own) > 0 {
			lines = append(append(lines, r.Title), own...)
		}
	}
	if len(lines) == 0 && len(results) > 0 {
		return nil
	}
	name := b.name(b.language.Pick("Пояснения", "Notes"))
	if _, err := b.NewSheet(name); err != nil {
		return err
	}
	sw, err := b.NewStreamWriter(name)
	if err != nil {
		return err
	}
	if err := sw.SetColWidth(1, 1, maxWidth*2); err != nil {
		return err
	}
	at := 0
	for _, line := range lines {
		if line == "" {
			continue
		}
		at++
		if err := sw.SetRow(fmt.Sprintf("A%d", at), []any{line}); err != nil {
			return err
		}
	}
	return sw.Flush()
}

const (
	minWidth = 8 // in characters
	maxWidth = 48
)

// width returns a column width in characters that fits the header and the first 100 rows.
func width(r *tool.Result, j int, head string) float64 {
	most := utf8.RuneCountInString(head)
	for _, row := range r.Rows[:min(100, len(r.Rows))] {
		most = max(most, utf8.RuneCountInString(row[j].Format(r.Columns[j].Unit, stockhand.Russian)))
	}
	return float64(min(max(most+2, minWidth), maxWidth))
}

// name returns a sheet name for a title: at most 31 characters, without forbidden characters, and unique regardless of
// case.
func (b *book) name(title string) string {
	clean := strings.Map(func(r rune) rune {
		if strings.ContainsRune(`[]:*?/\`, r) || r < ' ' {
			return ' '
		}
		return r
	}, title)
	clean = strings.Trim(strings.Join(strings.Fields(clean), " "), "'")
	if clean == "" {
		clean = b.language.Pick("Таблица", "Table")
	}
	name := clip(clean, excelize.MaxSheetNameLength)
	for i := 2; b.names[strings.ToLower(name)] || strings.EqualFold(name, "Sheet1"); i++ {
		suffix := fmt.Sprintf(" %d", i)
		name = clip(clean, excelize.MaxSheetNameLength-len(suffix)) + suffix
	}
	b.names[strings.ToLower(name)] = true
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
