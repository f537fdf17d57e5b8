package render

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

// How much of a table the model gets: enough for most questions, with the ID to query the rest.
const (
	seenRows    = 60
	seenSize    = 1500 // tokens of rows
	seenColumns = 20   // of those that are not details; a query has no details
	seenCell    = 48   // characters
	seenCall    = 300  // characters of a call
	seenText    = 1200 // characters of a tool's answer
	seenNotices = 8
	seenLines   = 8 // lines of a draft's document
)

// ForModel formats a result for the model: its name in SQL, the call that returned it, its period and account, its
// answer, its notices, its first rows. All that may quote the account is enclosed in marks that its content cannot
// close.
func ForModel(id stockhand.ResultID, name, call string, t tool.Table) (string, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "Result %s = %s: %s", id, name, Escape(Clip(call, seenCall)))
	if p := t.Provenance.Period; p != nil {
		fmt.Fprintf(&b, ", %s to %s", p.From, p.To)
	}
	if a := t.Provenance.Account; a != "" {
		fmt.Fprintf(&b, ", account %s", Escape(Clip(string(a), seenCell)))
	}
	fmt.Fprintf(&b, "\n<data>\n%s\n", Escape(Clip(t.Answer, seenText)))
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
func ForModelShort(id stockhand.ResultID, name, call string, r *tool.Result) string {
	return fmt.Sprintf("Result %s = %s: %s, shortened; query_result shows its rows. <data>%s</data>", id, name,
		Escape(Clip(call, seenCall)), Escape(Clip(r.Answer, 300)))
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
	first, currencies, sums, err := read(t, rows)
	if err != nil {
		return err
	}
	units, err := unitsOf(t, columns)
	if err != nil {
		return err
	}
	line := func(cell func(i int) string) string {
		cells := make([]string, len(columns))
		for n, i := range columns {
			cells[n] = cell(i)
		}
		return strings.Join(cells, "|") + "\n"
	}
	cell := func(v tool.Value, i int) string { return cellText(v, t.Columns[i].Unit, currencies[i]) }
	var lines strings.Builder
	shown, size := 0, 0
	for _, row := range first {
		text := line(func(i int) string { return cell(row[i], i) + units.of(row, t.Columns[i]) })
		if size += tokens(text); shown >= fewest && size > seenSize {
			break
		}
		lines.WriteString(text)
		for i, v := range row {
			sums[i] = without(sums[i], v)
		}
		shown++
	}
	fmt.Fprintf(b, "Rows: %d", t.Count)
	if t.Count > shown {
		fmt.Fprintf(b, ", the first %d; query_result with offset %d goes on", shown, shown)
	}
	if len(left) > 0 {
		fmt.Fprintf(b, "; more columns: %s", strings.Join(left, ", "))
	}
	b.WriteByte('\n')
	b.WriteString(line(func(i int) string {
		return columnHead(t.Columns[i], cmp.Or(currencies[i], units.common(t.Columns[i])))
	}))
	b.WriteString(lines.String())
	if rest := t.Count - shown; rest > 0 {
		b.WriteString(line(func(i int) string {
			switch {
			case i == columns[0]:
				return fmt.Sprintf("%d OTHER ROWS, SUM", rest)
			case sums[i] == nil || currencies[i] == "" && t.Columns[i].Unit == tool.UnitMoney:
				return ""
			case t.Columns[i].Unit == tool.UnitMoney:
				return cell(tool.Money(*sums[i], currencies[i]), i)
			}
			return sums[i].String()
		}))
	}
	if t.Totals != nil {
		b.WriteString(line(func(i int) string {
			if i == columns[0] && t.Totals[i].IsEmpty() {
				return "TOTAL"
			}
			if t.Totals[i].IsEmpty() {
				return ""
			}
			return cell(t.Totals[i], i)
		}))
	}
	return nil
}

// units are the units of measure of a table whose column of units is not shown.
type units struct {
	at   int    // the column; −1 if there is none, or if it is shown
	only string // the unit of all rows; empty if they differ
}

// unitsOf returns the units of a table of which some columns are shown.
func unitsOf(t tool.Table, shown []int) (u units, err error) {
	u.at = slices.IndexFunc(t.Columns, func(c tool.Column) bool {
		return c.Name == "unit" && c.Unit == tool.UnitText && !c.Hidden
	})
	if u.at < 0 || slices.Contains(shown, u.at) {
		return units{at: -1}, nil
	}
	first := true
	for rows, err := range t.Pages {
		if err != nil {
			return u, err
		}
		for _, row := range rows {
			if first {
				u.only, first = row[u.at].Text(), false
			} else if row[u.at].Text() != u.only {
				u.only = ""
			}
		}
	}
	return u, nil
}

// of returns what follows a quantity in its cell: its unit, if the rows have several.
func (u units) of(row tool.Row, c tool.Column) string {
	if u.at < 0 || u.only != "" || c.Unit != tool.UnitQuantity || row[u.at].IsEmpty() {
		return ""
	}
	return " " + Escape(Clip(row[u.at].Text(), seenCell))
}

// common returns the unit of all quantities of a column; empty if they differ.
func (u units) common(c tool.Column) string {
	if u.at < 0 || c.Unit != tool.UnitQuantity {
		return ""
	}
	return Escape(Clip(u.only, seenCell))
}

// fewest is how many rows are shown however long they are.
const fewest = 10

// without subtracts a cell from a sum; nil for a sum that is not known.
func without(sum *decimal.Decimal, v tool.Value) *decimal.Decimal {
	d, ok := v.Decimal()
	if sum == nil || !ok {
		return nil
	}
	left := sum.Sub(d)
	return &left
}

// read returns up to n of the first rows, and for each column the currency of all its amounts and its total, or "" if
// they differ or one is unknown. The sums are those of amounts of money and counts; nil where a cell is unknown.
func read(t tool.Table, n int) (first tool.Rows, currencies []string, sums []*decimal.Decimal, err error) {
	currencies, sums = make([]string, len(t.Columns)), make([]*decimal.Decimal, len(t.Columns))
	differ := make([]bool, len(t.Columns))
	for i, c := range t.Columns {
		if c.Unit == tool.UnitMoney && addable(c) || c.Unit == tool.UnitCount {
			sums[i] = new(decimal.Decimal)
		}
	}
	add := func(row tool.Row) {
		for i, v := range row {
			d, ok := v.Decimal()
			if sums[i] == nil || !ok {
				sums[i] = nil
				continue
			}
			sum := sums[i].Add(d)
			sums[i] = &sum
		}
	}
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
			return nil, nil, nil, err
		}
		for _, row := range rows {
			if len(first) < n {
				first = append(first, row)
			}
			note(row)
			add(row)
		}
	}
	note(t.Totals)
	return first, currencies, sums, nil
}

// addable reports whether amounts of a column add up: those of rows do, prices of a unit do not.
func addable(c tool.Column) bool {
	return !strings.Contains(c.Name, "price") && !strings.Contains(c.Name, "average")
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
	was := "was made"
	if d.Version > 1 {
		was = fmt.Sprintf("is at version %d now", d.Version)
	}
	fmt.Fprintf(&b, "Draft %s %s. Nothing is sent: a person confirms or rejects it elsewhere.\n<data>\n%s\n",
		d.ID, was, Escape(Clip(d.Answer, seenText)))
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
