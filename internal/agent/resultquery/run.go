package resultquery

import (
	"fmt"
	"slices"
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

// query is a query in progress.
type query struct {
	source   *tool.Result
	language stockhand.Language
	out      *tool.Result
	rows     tool.Rows // the rows that meet the conditions
	notices  []tool.Notice
}

// Run executes a query over a result. Its errors are VALIDATION_FAILED, with a message that says how to correct the
// query.
func Run(source *tool.Result, in Query, l stockhand.Language) (*tool.Result, error) {
	q := &query{source: source, language: l}
	if err := q.filter(in.Where); err != nil {
		return nil, err
	}
	q.out = &tool.Result{
		Title: q.source.Title, Columns: q.source.Columns, Rows: q.rows,
		Provenance: tool.Provenance{
			Account: q.source.Provenance.Account, Employee: q.source.Provenance.Employee,
			Read: q.source.Provenance.Read, Zone: q.source.Provenance.Zone, Period: q.source.Provenance.Period,
			Sources: []tool.Source{{Path: "results/" + in.Result, Rows: len(q.source.Rows)}},
			Method:  q.source.Provenance.Method,
		},
	}
	var err error
	switch {
	case len(in.GroupBy) > 0 || len(in.Aggregate) > 0:
		err = q.group(in.GroupBy, in.Aggregate)
	default:
		q.total()
	}
	if err == nil && in.SortBy != "" {
		err = q.sort(in.SortBy, in.Ascending)
	}
	if err != nil {
		return nil, err
	}
	all := len(q.out.Rows)
	if in.Top > 0 && in.Top < all {
		q.out.Rows = q.out.Rows[:in.Top]
	}
	if len(in.Columns) > 0 {
		if err := q.choose(in.Columns); err != nil {
			return nil, err
		}
	}
	q.out.Answer = fmt.Sprintf(q.language.Pick("Подходит строк: %d из %d.", "Rows that match: %d of %d."), len(q.rows),
		len(q.source.Rows))
	if all != len(q.rows) || len(q.out.Rows) < all {
		q.out.Answer += fmt.Sprintf(q.language.Pick(" В таблице: %d из %d.", " In the table: %d of %d."),
			len(q.out.Rows), all)
	}
	q.out.Notices = slices.Concat(q.source.Notices, q.notices)
	return q.out, nil
}

// column returns the index of a column by name.
func column(r *tool.Result, name string) (int, error) {
	for i, c := range r.Columns {
		if c.Name == name {
			if c.Hidden {
				return 0, mistake("the column %s may not be seen by this employee", name)
			}
			return i, nil
		}
	}
	var names []string
	for _, c := range r.Columns {
		if !c.Hidden {
			names = append(names, c.Name)
		}
	}
	return 0, mistake("there is no column of that name; there are: %s", strings.Join(names, ", "))
}

func mistake(format string, args ...any) error {
	return stockhand.Errorf(stockhand.CodeValidation, format, args...)
}

func (q *query) filter(where []Condition) error {
	q.rows = slices.Clone(q.source.Rows)
	for _, w := range where {
		i, err := column(q.source, w.Column)
		if err != nil {
			return err
		}
		fulfils, err := w.fulfils(q.source.Columns[i])
		if err != nil {
			return err
		}
		q.rows = slices.DeleteFunc(q.rows, func(r tool.Row) bool { return !fulfils(r[i]) })
	}
	return nil
}

// fulfils returns the condition as a predicate. An unknown cell only meets "unknown".
func (w Condition) fulfils(c tool.Column) (func(tool.Value) bool, error) {
	switch w.Op {
	case "unknown":
		return tool.Value.IsEmpty, nil
	case "known":
		return func(v tool.Value) bool { return !v.IsEmpty() }, nil
	case "contains":
		words := fold(w.Value)
		return func(v tool.Value) bool { return words != "" && strings.Contains(fold(v.Text()), words) }, nil
	default: // a comparison
	}
	compare := func(v tool.Value) int { return strings.Compare(fold(v.Text()), fold(w.Value)) }
	if numeric(c.Unit) {
		d, err := decimal.Parse(strings.TrimSpace(w.Value))
		if err != nil {
			return nil, mistake("the column %s contains numbers; compare it with a plain number such as 1500.5", c.Name)
		}
		compare = func(v tool.Value) int { n, _ := v.Decimal(); return n.Cmp(d) }
	}
	fits := map[Op]func(int) bool{
		"eq": func(n int) bool { return n == 0 }, "ne": func(n int) bool { return n != 0 },
		"lt": func(n int) bool { return n < 0 }, "le": func(n int) bool { return n <= 0 },
		"gt": func(n int) bool { return n > 0 }, "ge": func(n int) bool { return n >= 0 },
	}[w.Op]
	return func(v tool.Value) bool { return !v.IsEmpty() && fits(compare(v)) }, nil
}

// fold normalizes text for comparison: lower case, ё as е.
func fold(s string) string {
	return strings.ReplaceAll(strings.ToLower(strings.TrimSpace(s)), "ё", "е")
}

func numeric(u tool.Unit) bool {
	return u == tool.UnitMoney || u == tool.UnitQuantity || u == tool.UnitCount || u == tool.UnitPercent ||
		u == tool.UnitDays
}

// additive reports whether sums of the unit are meaningful: not for percentages and days.
func additive(u tool.Unit) bool {
	return u == tool.UnitMoney || u == tool.UnitQuantity || u == tool.UnitCount
}

// total adds up the columns that have totals in the source.
func (q *query) total() {
	if q.source.Totals == nil {
		return
	}
	q.out.Totals = make(tool.Row, len(q.source.Columns))
	for i, c := range q.source.Columns {
		if additive(c.Unit) && !q.source.Totals[i].IsEmpty() && len(q.rows) > 0 {
			q.out.Totals[i] = q.aggregate("sum", i, q.rows)
		}
	}
}

func (q *query) group(by []string, aggregates []Aggregate) error {
	var keys []int
	var columns []tool.Column
	for _, name := range by {
		i, err := column(q.source, name)
		if err != nil {
			return err
		}
		keys, columns = append(keys, i), append(columns, asked(q.source.Columns[i]))
	}
	if len(aggregates) == 0 {
		aggregates = []Aggregate{{Op: "count"}}
	}
	of := make([]int, len(aggregates))
	for n, a := range aggregates {
		if a.Op == "count" {
			columns = append(columns, tool.Column{Name: "count", Label: q.language.Pick("Строк", "Rows"),
				Unit: tool.UnitCount})
			continue
		}
		i, err := column(q.source, a.Column)
		if err != nil {
			return err
		}
		c := q.source.Columns[i]
		if !numeric(c.Unit) {
			return mistake("the column %s holds no numbers; count its rows instead", c.Name)
		}
		if (a.Op == "sum" || a.Op == "avg") && !additive(c.Unit) {
			return mistake("%s of %s would mean nothing: percentages and days do not add up; aggregate the amounts they come from", a.Op, c.Name)
		}
		of[n] = i
		columns = append(columns, tool.Column{Name: string(a.Op) + "_" + c.Name,
			Label: aggregateLabel(a.Op, q.language) + c.Label, Unit: c.Unit})
	}
	groups := map[string]tool.Rows{}
	var order []string
	for _, r := range q.rows {
		var key strings.Builder
		for _, i := range keys {
			fmt.Fprintf(&key, "%s\x00", r[i].Format(q.source.Columns[i].Unit, stockhand.English))
		}
		if _, known := groups[key.String()]; !known {
			order = append(order, key.String())
		}
		groups[key.String()] = append(groups[key.String()], r)
	}
	q.out.Columns, q.out.Rows = columns, tool.Rows{}
	for _, key := range order {
		rows := groups[key]
		out := make(tool.Row, 0, len(columns))
		for _, i := range keys {
			out = append(out, rows[0][i])
		}
		for n, a := range aggregates {
			if a.Op == "count" {
				out = append(out, tool.Count(len(rows)))
				continue
			}
			out = append(out, q.aggregate(a.Op, of[n], rows))
		}
		q.out.Rows = append(q.out.Rows, out)
	}
	return nil
}

func aggregateLabel(op AggregateOp, l stockhand.Language) string {
	return map[AggregateOp]string{
		"sum": l.Pick("Сумма: ", "Sum: "), "avg": l.Pick("Среднее: ", "Average: "),
		"min": l.Pick("Минимум: ", "Minimum: "), "max": l.Pick("Максимум: ", "Maximum: "),
	}[op]
}

// aggregate computes a figure from the known cells of a column. It is unknown if no cell is known, or for amounts in
// several currencies; a notice says if only some are known.
func (q *query) aggregate(op AggregateOp, i int, rows tool.Rows) tool.Value {
	var acc decimal.Decimal
	known, currency := 0, ""
	for _, r := range rows {
		d, ok := r[i].Decimal()
		if !ok {
			continue
		}
		if known > 0 && r[i].Currency() != currency {
			q.remark(tool.NoticeCurrency,
				fmt.Sprintf(q.language.Pick("«%s»: суммы в разных валютах не складываются.",
					"“%s”: amounts of several currencies do not add up."), q.source.Columns[i].Label))
			return tool.Empty
		}
		currency = r[i].Currency()
		switch {
		case known == 0:
			acc = d
		case op == "min":
			acc = acc.Min(d)
		case op == "max":
			acc = acc.Max(d)
		default:
			acc = acc.Add(d)
		}
		known++
	}
	if known == 0 {
		return tool.Empty
	}
	if known < len(rows) {
		q.remark(tool.NoticePartial, fmt.Sprintf(
			q.language.Pick("«%s» известно не во всех строках; посчитано по известным.",
				"“%s” is not known in all rows; it is computed from those where it is."), q.source.Columns[i].Label))
	}
	if op == "avg" {
		acc = acc.Div(decimal.FromInt(int64(known))).Round(2)
	}
	if acc.Err() != nil {
		return tool.Empty
	}
	if q.source.Columns[i].Unit == tool.UnitMoney {
		return tool.Money(acc, currency)
	}
	return tool.Number(acc)
}

// remark adds a notice unless it is already there.
func (q *query) remark(code tool.NoticeCode, message string) {
	if n := (tool.Notice{Code: code, Message: message}); !slices.Contains(q.notices, n) {
		q.notices = append(q.notices, n)
	}
}

// asked returns a column named in the query without its detail mark, so that a short answer shows it.
func asked(c tool.Column) tool.Column {
	c.Detail = false
	return c
}

// sort sorts by a column, descending or ascending; unknown cells come last either way.
func (q *query) sort(by string, ascending bool) error {
	i, err := column(q.out, by)
	if err != nil {
		return err
	}
	numbers := numeric(q.out.Columns[i].Unit)
	slices.SortStableFunc(q.out.Rows, func(a, b tool.Row) int {
		x, y := a[i], b[i]
		if x.IsEmpty() || y.IsEmpty() {
			switch {
			case x.IsEmpty() == y.IsEmpty():
				return 0
			case x.IsEmpty():
				return 1
			}
			return -1
		}
		n := strings.Compare(fold(x.Text()), fold(y.Text()))
		if numbers {
			m, _ := x.Decimal()
			o, _ := y.Decimal()
			n = m.Cmp(o)
		}
		if !ascending {
			n = -n
		}
		return n
	})
	return nil
}

// choose keeps the named columns. A margin always keeps the share of revenue whose cost is known (rule R18).
func (q *query) choose(names []string) error {
	var keep []int
	for _, name := range names {
		i, err := column(q.out, name)
		if err != nil {
			return err
		}
		if !slices.Contains(keep, i) {
			keep = append(keep, i)
		}
	}
	if slices.ContainsFunc(names, func(n string) bool { return strings.Contains(n, "margin") }) {
		if i, err := column(q.out, "cost_known_percent"); err == nil && !slices.Contains(keep, i) {
			keep = append(keep, i)
		}
	}
	pick := func(r tool.Row) tool.Row {
		if r == nil {
			return nil
		}
		out := make(tool.Row, len(keep))
		for n, i := range keep {
			out[n] = r[i]
		}
		return out
	}
	columns := make([]tool.Column, len(keep))
	for n, i := range keep {
		columns[n] = asked(q.out.Columns[i])
	}
	rows := make(tool.Rows, len(q.out.Rows))
	for i, r := range q.out.Rows {
		rows[i] = pick(r)
	}
	q.out.Columns, q.out.Rows, q.out.Totals = columns, rows, pick(q.out.Totals)
	return nil
}
