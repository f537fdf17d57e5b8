package render

import (
	"fmt"
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/tool"
)

// How much of a table the model gets: enough for most questions, with the ID to query the rest.
const (
	seenRows    = 10
	seenColumns = 9
	seenCell    = 48   // characters
	seenText    = 1200 // characters of a tool's answer
	seenNotices = 8
	seenLines   = 8 // lines of a draft's document
)

// ForModel formats a result for the model: its name in SQL, its answer, its notices, its first rows. All that may quote
// the account is enclosed in marks that its content cannot close.
func ForModel(id stockhand.ResultID, name string, t tool.Table) (string, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "Result %s = %s\n<data>\n%s\n", id, name, Escape(Clip(t.Answer, seenText)))
	writeNotices(&b, t.Notices)
	for _, part := range t.Split() {
		if len(t.Parts) > 0 {
			fmt.Fprintf(&b, "part = %s. ", Escape(part.Title))
		}
		if err := writeTable(&b, part, seenRows); err != nil {
			return "", err
		}
	}
	b.WriteString("</data>")
	return b.String(), nil
}

// ForModelShort formats a result in one line, to save space.
func ForModelShort(id stockhand.ResultID, name string, r *tool.Result) string {
	return fmt.Sprintf("Result %s = %s, shortened; query_result shows its rows. <data>%s</data>", id, name,
		Escape(Clip(r.Answer, 300)))
}

func writeNotices(b *strings.Builder, all []tool.Notice) {
	for i, n := range all {
		if i == seenNotices {
			break
		}
		fmt.Fprintf(b, "Notice: %s\n", Escape(Clip(n.Message, 300)))
	}
}

// writeTable writes the first rows with the columns' names, which query_result accepts. It reads all rows for their
// currencies, page by page.
func writeTable(b *strings.Builder, t tool.Table, rows int) error {
	var columns []int
	var left []string
	for i, c := range t.Columns {
		switch {
		case c.Hidden || c.Name == "id" || strings.HasSuffix(c.Name, "_id"):
		case c.Detail || len(columns) == seenColumns:
			left = append(left, c.Name)
		default:
			columns = append(columns, i)
		}
	}
	if len(columns) == 0 || t.Count == 0 {
		return nil
	}
	first, currencies, err := read(t, rows)
	if err != nil {
		return err
	}
	line := func(cell func(i int) string) {
		for n, i := range columns {
			if n > 0 {
				b.WriteByte('|')
			}
			b.WriteString(cell(i))
		}
		b.WriteByte('\n')
	}
	fmt.Fprintf(b, "Rows: %d", t.Count)
	if t.Count > rows {
		fmt.Fprintf(b, ", the first %d", rows)
	}
	if len(left) > 0 {
		fmt.Fprintf(b, "; more columns: %s", strings.Join(left, ", "))
	}
	b.WriteByte('\n')
	line(func(i int) string { return columnHead(t.Columns[i], currencies[i]) })
	cell := func(v tool.Value, i int) string { return cellText(v, t.Columns[i].Unit, currencies[i]) }
	for _, row := range first {
		line(func(i int) string { return cell(row[i], i) })
	}
	if t.Totals != nil {
		line(func(i int) string {
			if i == columns[0] && t.Totals[i].IsEmpty() {
				return "TOTAL"
			}
			if t.Totals[i].IsEmpty() {
				return ""
			}
			return cell(t.Totals[i], i)
		})
	}
	return nil
}

// read returns up to n of the first rows, and for each column the currency of all its amounts and its total, or "" if
// they differ or one is unknown.
func read(t tool.Table, n int) (first tool.Rows, currencies []string, err error) {
	currencies = make([]string, len(t.Columns))
	differ := make([]bool, len(t.Columns))
	note := func(row tool.Row) {
		for i, v := range row {
			if v.IsEmpty() || differ[i] {
				continue
			}
			if c := v.Currency(); c == "" || currencies[i] != "" && c != currencies[i] {
				differ[i], currencies[i] = true, ""
			} else {
				currencies[i] = c
			}
		}
	}
	for rows, err := range t.Pages {
		if err != nil {
			return nil, nil, err
		}
		for _, row := range rows {
			if len(first) < n {
				first = append(first, row)
			}
			note(row)
		}
	}
	note(t.Totals)
	return first, currencies, nil
}

// columnHead returns a column's name, with its common currency.
func columnHead(c tool.Column, currency string) string {
	if currency == "" {
		return c.Name
	}
	return c.Name + "," + currency
}

// cellText formats a cell compactly: plain numbers, shortened text, an em dash if unknown. An amount has its currency
// unless the column's header has it.
func cellText(v tool.Value, unit tool.Unit, inHead string) string {
	if v.IsEmpty() {
		return "—"
	}
	d, ok := v.Decimal()
	switch {
	case !ok:
		return strings.ReplaceAll(Escape(Clip(v.Text(), seenCell)), "|", "/")
	case unit != tool.UnitMoney && v.Currency() == "":
		return d.Round(4).String()
	}
	amount := strings.TrimSuffix(d.Fixed(2), ".00")
	switch {
	case inHead != "":
		return amount
	case v.Currency() == "":
		return amount + " (currency unknown)"
	}
	return amount + " " + v.Currency()
}

// DraftForModel formats a draft for the model.
func DraftForModel(d *tool.Draft) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Draft %s was made. Nothing is sent: a person confirms or rejects it elsewhere.\n<data>\n%s\n",
		d.ID, Escape(Clip(d.Answer, seenText)))
	writeNotices(&b, d.Notices)
	for i, doc := range d.Documents {
		if i == seenLines {
			fmt.Fprintf(&b, "… and %d more documents\n", len(d.Documents)-i)
			break
		}
		fmt.Fprintf(&b, "%d. %s", i+1, Escape(Clip(doc.Title, 120)))
		if doc.Total.Known {
			fmt.Fprintf(&b, ", total %s %s", doc.Total.Fixed(2), doc.Currency)
		}
		fmt.Fprintf(&b, ", lines %d\n", len(doc.Lines))
		if t := doc.Table(d.Language).InPages(); len(d.Documents) <= 3 {
			_ = writeTable(&b, t, seenLines) // cannot fail, because the table is in memory
		}
	}
	b.WriteString("</data>")
	return b.String()
}

// Escape prevents a text from the account from closing the surrounding marks or looking like markup: it removes "<" and
// characters that move or hide others.
func Escape(s string) string {
	return strings.Map(func(r rune) rune {
		switch r {
		case '<':
			return '‹'
		case '>':
			return '›'
		}
		return stockhand.Visible(r)
	}, s)
}

// Clip shortens a text to that many characters.
func Clip(s string, most int) string {
	if len(s) <= most {
		return s
	}
	r := []rune(s)
	if len(r) <= most {
		return s
	}
	return strings.TrimSpace(string(r[:most-1])) + "…"
}
