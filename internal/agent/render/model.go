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

// ForModel formats a result for the model: its answer, its notices, its first rows. All of it may quote the account, so
// it is enclosed in marks that its content cannot close.
func ForModel(id stockhand.ResultID, r *tool.Result) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Result %s\n<data>\n%s\n", id, Escape(Clip(r.Answer, seenText)))
	writeNotices(&b, r.Notices)
	writeTable(&b, r, seenRows)
	b.WriteString("</data>")
	return b.String()
}

// ForModelShort formats a result in one line, to save space.
func ForModelShort(id stockhand.ResultID, r *tool.Result) string {
	return fmt.Sprintf("Result %s, shortened; query_result shows its rows. <data>%s</data>", id,
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

// writeTable writes the first rows with the columns' names, which query_result accepts.
func writeTable(b *strings.Builder, r *tool.Result, rows int) {
	var columns []int
	var left []string
	for i, c := range r.Columns {
		switch {
		case c.Hidden || c.Name == "id" || strings.HasSuffix(c.Name, "_id"):
		case c.Detail || len(columns) == seenColumns:
			left = append(left, c.Name)
		default:
			columns = append(columns, i)
		}
	}
	if len(columns) == 0 || len(r.Rows) == 0 {
		return
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
	fmt.Fprintf(b, "Rows: %d", len(r.Rows))
	if len(r.Rows) > rows {
		fmt.Fprintf(b, ", the first %d", rows)
	}
	if len(left) > 0 {
		fmt.Fprintf(b, "; more columns: %s", strings.Join(left, ", "))
	}
	b.WriteByte('\n')
	currencies := make([]string, len(r.Columns))
	for _, i := range columns {
		currencies[i] = columnCurrency(r, i)
	}
	line(func(i int) string { return columnHead(r.Columns[i], currencies[i]) })
	cell := func(v tool.Value, i int) string { return cellText(v, r.Columns[i].Unit, currencies[i]) }
	for _, row := range r.Rows[:min(rows, len(r.Rows))] {
		line(func(i int) string { return cell(row[i], i) })
	}
	if r.Totals != nil {
		line(func(i int) string {
			if i == columns[0] && r.Totals[i].IsEmpty() {
				return "TOTAL"
			}
			if r.Totals[i].IsEmpty() {
				return ""
			}
			return cell(r.Totals[i], i)
		})
	}
}

// columnCurrency returns the currency of all amounts in a column and its total, or "" if they differ or one is unknown.
func columnCurrency(r *tool.Result, i int) string {
	currency := ""
	for _, row := range append(r.Rows[:len(r.Rows):len(r.Rows)], r.Totals) {
		if row == nil || row[i].IsEmpty() {
			continue
		}
		c := row[i].Currency()
		if c == "" || currency != "" && c != currency {
			return ""
		}
		currency = c
	}
	return currency
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
		if t := doc.Table(d.Language); len(d.Documents) <= 3 {
			writeTable(&b, t, seenLines)
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
