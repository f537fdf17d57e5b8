package compute

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

// output is what a query returned.
type output struct {
	names []string
	rows  [][]any
}

// The decimal places of the output. A figure that has more is rounded, and a notice says so.
const (
	moneyPlaces  = 2
	numberPlaces = 6
)

// cell is a value of the output: a text, or a number with its unit.
type cell struct {
	text   string
	number number
	unit   unit
	kind   cellKind
}

type cellKind uint8

const (
	empty cellKind = iota
	words
	figure
)

// result makes a result from the output of a query over tables.
func (o *output) result(q Query, tables []schema, notes remarks) (*tool.Result, error) {
	r := &tool.Result{Rows: make(tool.Rows, len(o.rows)), Provenance: provenance(q, tables)}
	for i := range o.rows {
		r.Rows[i] = make(tool.Row, len(o.names))
	}
	w := &writer{Query: q, tables: tables, result: r}
	taken := map[string]bool{}
	for i, n := range o.names {
		cells := make([]cell, len(o.rows))
		for k, row := range o.rows {
			c, err := cellOf(row[i])
			if err != nil {
				return nil, err
			}
			cells[k] = c
		}
		if err := w.column(i, unique(plainName(n, i), taken), cells); err != nil {
			return nil, err
		}
	}
	w.notices(notes)
	l := q.Language
	var from []string
	for _, t := range tables {
		from = append(from, fmt.Sprintf("%s «%s»", t.Name, t.Title))
	}
	r.Title = l.Pick("Вычислено", "Computed")
	r.Answer = fmt.Sprintf(l.Pick("Вычислено запросом SQL. Строк: %d.", "Computed by SQL. Rows: %d."), len(r.Rows))
	if len(from) > 0 {
		r.Title += l.Pick(" из: ", " from: ") + strings.Join(from, ", ")
	}
	return r, nil
}

// provenance names the tables and the SQL. The period is theirs if they agree; the time is the oldest.
func provenance(q Query, tables []schema) tool.Provenance {
	p := tool.Provenance{Method: "SQL: " + q.SQL, Read: q.Now.UTC()}
	for i, t := range tables {
		p.Sources = append(p.Sources, tool.Source{Path: "results/" + string(t.Result), Filter: t.Name, Rows: t.Count})
		from := t.Provenance
		if i == 0 {
			p.Account, p.Employee, p.Login = from.Account, from.Employee, from.Login
			p.Zone, p.Period, p.Read = from.Zone, from.Period, from.Read
			continue
		}
		if from.Read.Before(p.Read) {
			p.Read = from.Read
		}
		if p.Period != nil && (from.Period == nil || *from.Period != *p.Period) {
			p.Period = nil
		}
	}
	return p
}

func cellOf(v any) (cell, error) {
	switch v := v.(type) {
	case nil:
		return cell{}, nil
	case string:
		if v == "" {
			return cell{}, nil
		}
		return cell{text: v, kind: words}, nil
	}
	n, u, _, err := operand(v)
	if err != nil {
		return cell{}, mistake("%s", err)
	}
	return cell{number: n, unit: u, kind: figure}, nil
}

// plainName makes a stable column name of an alias or of the text of an expression.
func plainName(s string, i int) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			b.WriteRune(unicode.ToLower(r))
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "_"):
			b.WriteByte('_')
		}
		if b.Len() > describedName {
			break
		}
	}
	if n := strings.Trim(b.String(), "_"); n != "" {
		return n
	}
	return fmt.Sprintf("column_%d", i+1)
}

func unique(n string, taken map[string]bool) string {
	out := n
	for k := 2; taken[out]; k++ {
		out = fmt.Sprintf("%s_%d", n, k)
	}
	taken[out] = true
	return out
}

// writer makes the columns of a result.
type writer struct {
	Query
	tables  []schema
	result  *tool.Result
	rounded []string // columns
	mixed   bool     // a column has several currencies or units of measure
}

// column adds a column. Its unit is that of its cells.
func (w *writer) column(at int, name string, cells []cell) error {
	c := tool.Column{Name: name, Label: w.label(name)}
	u, figures, texts, err := unitOfCells(cells)
	if err != nil {
		return mistake("column %s: %s", name, err)
	}
	var currency string
	w.mixed = w.mixed || u.mixed
	switch {
	case texts && figures:
		return mistake("column %s has numbers and texts; CAST(… AS TEXT) makes one of both", name)
	case !figures:
		c.Unit = textUnit(cells)
	case u.isMoney():
		c.Unit, currency = tool.UnitMoney, strings.TrimPrefix(string(u.unit), currencyMark)
	case u.isMeasure():
		c.Unit = tool.UnitQuantity
	case u.unit == count:
		c.Unit = tool.UnitCount
	case u.unit == days:
		c.Unit = tool.UnitDays
	case u.unit == percent || strings.HasSuffix(name, "percent"):
		c.Unit = tool.UnitPercent
	default:
		c.Unit = tool.UnitNumber
	}
	w.result.Columns = append(w.result.Columns, c)
	for k, x := range cells {
		v, err := w.value(c, x, currency)
		if err != nil {
			return mistake("column %s: %s", name, err)
		}
		w.result.Rows[k][at] = v
	}
	return nil
}

// label returns the label that a column of this name has in the tables, or else the name.
func (w *writer) label(name string) string {
	label := ""
	for _, t := range w.tables {
		for _, c := range t.columns {
			if c.name == name {
				if label != "" && label != c.Label {
					return name
				}
				label = c.Label
			}
		}
	}
	if label == "" {
		return name
	}
	return label
}

func (w *writer) value(c tool.Column, x cell, currency string) (tool.Value, error) {
	switch x.kind {
	case empty:
		return tool.Empty, nil
	case words:
		switch c.Unit {
		case tool.UnitDate:
			return tool.Date(tool.Day(x.text)), nil
		case tool.UnitMoment:
			t, err := time.ParseInLocation(time.DateTime, x.text, w.result.Provenance.Zone.Location())
			return tool.Moment(t), err
		}
		return tool.TextValue(x.text), nil
	}
	places := numberPlaces
	if c.Unit == tool.UnitMoney {
		places = moneyPlaces
	}
	n := x.number.round(places)
	if n.cmp(x.number) != 0 && !slices.Contains(w.rounded, c.Name) {
		w.rounded = append(w.rounded, c.Name)
	}
	d, err := decimal.Parse(n.String())
	if err != nil || d.String() != n.String() {
		return tool.Empty, fmt.Errorf("the number %s has too many digits", n)
	}
	if c.Unit == tool.UnitMoney {
		if x.unit != bare {
			currency = strings.TrimPrefix(string(x.unit), currencyMark)
		}
		return tool.Money(d, currency), nil
	}
	return tool.Number(d), nil
}

// cellsUnit is the unit of a column.
type cellsUnit struct {
	unit
	mixed bool // amounts of several currencies, or quantities of several units of measure
}

// unitOfCells returns the unit of a column's numbers, which must be all money or all not. A bare number, such as a zero
// in place of an unknown amount, takes the others' unit if they have one.
func unitOfCells(cells []cell) (u cellsUnit, figures, texts bool, err error) {
	plain := false
	for _, c := range cells {
		texts = texts || c.kind == words
		if c.kind != figure {
			continue
		}
		figures = true
		switch {
		case c.unit == bare:
			plain = plain || c.number.sign() != 0
		case u.unit == bare || u.unit == c.unit:
			u.unit = c.unit
		case u.isMoney() && c.unit.isMoney() || u.isMeasure() && c.unit.isMeasure():
			u.mixed = true
		case u.isMoney() || c.unit.isMoney():
			return u, figures, texts, fmt.Errorf("it mixes %s and %s", u.unit, c.unit)
		default:
			u.unit = measureMark
		}
	}
	if plain && u.mixed && u.isMoney() {
		err = fmt.Errorf("it mixes amounts of several currencies and plain numbers")
	}
	return u, figures, texts, err
}

// textUnit recognizes days and moments.
func textUnit(cells []cell) tool.Unit {
	for _, unit := range []struct {
		tool.Unit
		layout string
	}{{tool.UnitDate, time.DateOnly}, {tool.UnitMoment, time.DateTime}} {
		all, any := true, false
		for _, c := range cells {
			if c.kind == words {
				_, err := time.Parse(unit.layout, c.text)
				all, any = all && err == nil, true
			}
		}
		if all && any {
			return unit.Unit
		}
	}
	return tool.UnitText
}

// notices adds what must be said: the notices of the tables, hidden columns that took part, values that were left out,
// and rounding.
func (w *writer) notices(notes remarks) {
	l := w.Language
	add := func(code tool.NoticeCode, message string) {
		n := tool.Notice{Code: code, Message: message}
		if !slices.Contains(w.result.Notices, n) {
			w.result.Notices = append(w.result.Notices, n)
		}
	}
	for _, t := range w.tables {
		for _, n := range t.Notices {
			add(n.Code, n.Message)
		}
		for _, c := range t.columns {
			if c.Hidden {
				add(tool.NoticeRightMissing, fmt.Sprintf(l.Pick(
					"«%s» сотрудник видеть не может: эти значения считаются неизвестными.",
					"The employee may not see “%s”: its values count as unknown."), c.Label))
			}
		}
	}
	if notes.unknown {
		add(tool.NoticePartial, l.Pick("Неизвестные значения в суммы и средние не вошли.",
			"Sums and averages leave out unknown values."))
	}
	if notes.byZero {
		add(tool.NoticePartial, l.Pick("Где пришлось бы делить на ноль, значения нет.",
			"Where a division by zero would be needed, there is no value."))
	}
	if w.mixed {
		add(tool.NoticeCurrency, l.Pick("В столбце разные валюты или единицы измерения.",
			"A column has several currencies or units of measure."))
	}
	for _, c := range w.rounded {
		places := numberPlaces
		for _, of := range w.result.Columns {
			if of.Name == c && of.Unit == tool.UnitMoney {
				places = moneyPlaces
			}
		}
		add(tool.NoticeRounded, fmt.Sprintf(l.Pick("«%s»: округлено, знаков после запятой: %d.",
			"“%s” is rounded to %d decimal places."), c, places))
	}
}
