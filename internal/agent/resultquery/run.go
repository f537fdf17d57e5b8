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
	source   tool.Table
	language stockhand.Language
	out      *tool.Result
	by       func(a, b tool.Row) int // the order of the output's rows; nil for that of the source
	top      int                     // rows of the output; 0 for all
	offset   int                     // rows of the output to pass over
	matched  int                     // rows that meet the conditions
	notices  []tool.Notice
}

// Run executes a query over a result, of which it reads one page at a time and keeps only the rows of its output. Its
// errors are those of reading, and VALIDATION_FAILED with a message that says how to correct the query.
func Run(source tool.Table, in Query, l stockhand.Language) (*tool.Result, error) {
	q := &query{source: source, language: l, top: min(in.Top, mostRows), offset: min(max(0, in.Offset), mostRows)}
	if q.top > 0 {
		q.top += q.offset // what is passed over is ordered first
	}
	q.out = &tool.Result{
		Title: source.Title, Columns: source.Columns, Rows: tool.Rows{},
		Provenance: tool.Provenance{
			Account: source.Provenance.Account, Employee: source.Provenance.Employee, Login: source.Provenance.Login,
			Read: source.Provenance.Read, Zone: source.Provenance.Zone, Period: source.Provenance.Period,
			Sources: []tool.Source{{Path: "results/" + in.Result, Rows: source.Count}},
			Method:  source.Provenance.Method,
		},
	}
	fulfils, err := q.conditions(in.Where)
	if err != nil {
		return nil, err
	}
	collect, finish := q.selection()
	if len(in.GroupBy) > 0 || len(in.Aggregate) > 0 {
		collect, finish, err = q.groups(in.GroupBy, in.Aggregate)
	}
	if err == nil && in.SortBy != "" {
		q.by, err = q.order(in.SortBy, in.Ascending)
	}
	var keep []int
	if err == nil && len(in.Columns) > 0 {
		keep, err = q.choose(in.Columns)
	}
	if err != nil {
		return nil, err
	}
	for rows, err := range source.Pages {
		if err != nil {
			return nil, err
		}
		for _, row := range rows {
			if fulfils(row) {
				q.matched++
				collect(row)
			}
		}
	}
	all := finish()
	q.cut()
	q.pass()
	if keep != nil {
		q.project(keep)
	}
	q.out.Answer = fmt.Sprintf(q.language.Pick("Подходит строк: %d из %d.", "Rows that match: %d of %d."), q.matched,
		source.Count)
	if all != q.matched || len(q.out.Rows) < all {
		q.out.Answer += fmt.Sprintf(q.language.Pick(" В таблице: %d из %d.", " In the table: %d of %d."),
			len(q.out.Rows), all)
	}
	q.out.Notices = slices.Concat(source.Notices, q.notices)
	return q.out, nil
}

// cut puts the rows of the output in order and keeps the first.
func (q *query) cut() {
	if q.by != nil {
		slices.SortStableFunc(q.out.Rows, q.by)
	}
	if q.top > 0 && q.top < len(q.out.Rows) {
		clear(q.out.Rows[q.top:])
		q.out.Rows = q.out.Rows[:q.top]
	}
}

// mostRows is more than any result has.
const mostRows = 1 << 30

// pass leaves out the rows that the query passes over.
func (q *query) pass() { q.out.Rows = q.out.Rows[min(q.offset, len(q.out.Rows)):] }

// column returns the index of a column by name.
func column(columns []tool.Column, name string) (int, error) {
	for i, c := range columns {
		if c.Name == name {
			if c.Hidden {
				return 0, mistake("the column %s may not be seen by this employee", name)
			}
			return i, nil
		}
	}
	var names []string
	for _, c := range columns {
		if !c.Hidden {
			names = append(names, c.Name)
		}
	}
	return 0, mistake("there is no column of that name; there are: %s", strings.Join(names, ", "))
}

func mistake(format string, args ...any) error {
	return stockhand.Errorf(stockhand.CodeValidation, format, args...)
}

// conditions returns a predicate of the rows that meet all conditions.
func (q *query) conditions(where []Condition) (func(tool.Row) bool, error) {
	columns, fulfil := make([]int, len(where)), make([]func(tool.Value) bool, len(where))
	for n, w := range where {
		i, err := column(q.source.Columns, w.Column)
		if err != nil {
			return nil, err
		}
		columns[n] = i
		if fulfil[n], err = w.fulfils(q.source.Columns[i]); err != nil {
			return nil, err
		}
	}
	return func(row tool.Row) bool {
		for n, i := range columns {
			if !fulfil[n](row[i]) {
				return false
			}
		}
		return true
	}, nil
}

// fulfils returns the condition as a predicate. An unknown cell only meets "unknown".
func (w Condition) fulfils(c tool.Column) (func(tool.Value) bool, error) {
	switch w.Op {
	case "unknown":
		return tool.Value.IsEmpty, nil
	case "known":
		return func(v tool.Value) bool { return !v.IsEmpty() }, nil
	case "contains":
		words := fold(string(w.Value))
		return func(v tool.Value) bool { return words != "" && strings.Contains(fold(v.Text()), words) }, nil
	default: // a comparison
	}
	compare := func(v tool.Value) int { return strings.Compare(fold(v.Text()), fold(string(w.Value))) }
	if numeric(c.Unit) {
		d, err := decimal.Parse(strings.TrimSpace(string(w.Value)))
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

// selection returns what collects the matching rows, and what adds up the columns that have totals in the source and
// returns the number of matching rows.
func (q *query) selection() (collect func(tool.Row), finish func() int) {
	sums := map[int]*figure{}
	for i, c := range q.source.Columns {
		if q.source.Totals != nil && additive(c.Unit) && !q.source.Totals[i].IsEmpty() {
			sums[i] = &figure{op: "sum", column: i}
		}
	}
	collect = func(row tool.Row) {
		for _, f := range sums {
			f.add(row)
		}
		if q.top == 0 || q.by != nil || len(q.out.Rows) < q.top {
			q.out.Rows = append(q.out.Rows, row)
		}
		if q.top > 0 && len(q.out.Rows) >= 2*q.top+pending {
			q.cut()
		}
	}
	return collect, func() int {
		if q.source.Totals == nil {
			return q.matched
		}
		q.out.Totals = make(tool.Row, len(q.source.Columns))
		for i := range q.source.Columns {
			if f := sums[i]; f != nil {
				q.out.Totals[i] = q.value(f)
			}
		}
		return q.matched
	}
}

// pending is how many rows are collected beyond twice the wanted number before all but the first are dropped.
const pending = 1000

// groups returns what adds the matching rows to their groups, and what computes the rows of the groups and returns
// their number.
func (q *query) groups(by []string, aggregates []Aggregate) (collect func(tool.Row), finish func() int, err error) {
	var keys []int
	var columns []tool.Column
	for _, name := range by {
		i, err := column(q.source.Columns, name)
		if err != nil {
			return nil, nil, err
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
		i, err := column(q.source.Columns, a.Column)
		if err != nil {
			return nil, nil, err
		}
		c := q.source.Columns[i]
		if !numeric(c.Unit) {
			return nil, nil, mistake("the column %s holds no numbers; count its rows instead", c.Name)
		}
		if (a.Op == "sum" || a.Op == "avg") && !additive(c.Unit) {
			return nil, nil, mistake("%s of %s would mean nothing: percentages and days do not add up; aggregate the amounts they come from", a.Op, c.Name)
		}
		of[n] = i
		columns = append(columns, tool.Column{Name: string(a.Op) + "_" + c.Name,
			Label: aggregateLabel(a.Op, q.language) + c.Label, Unit: c.Unit})
	}
	type group struct {
		keys    tool.Row
		figures []*figure
	}
	known := map[string]*group{}
	var order []*group
	q.out.Columns = columns
	collect = func(row tool.Row) {
		var key strings.Builder
		for _, i := range keys {
			fmt.Fprintf(&key, "%s\x00", row[i].Format(q.source.Columns[i].Unit, stockhand.English))
		}
		g := known[key.String()]
		if g == nil {
			g = new(group)
			for _, i := range keys {
				g.keys = append(g.keys, row[i])
			}
			for n, a := range aggregates {
				g.figures = append(g.figures, &figure{op: a.Op, column: of[n]})
			}
			known[key.String()] = g
			order = append(order, g)
		}
		for _, f := range g.figures {
			f.add(row)
		}
	}
	return collect, func() int {
		for _, g := range order {
			row := g.keys
			for _, f := range g.figures {
				row = append(row, q.value(f))
			}
			q.out.Rows = append(q.out.Rows, row)
		}
		return len(order)
	}, nil
}

func aggregateLabel(op AggregateOp, l stockhand.Language) string {
	return map[AggregateOp]string{
		"sum": l.Pick("Сумма: ", "Sum: "), "avg": l.Pick("Среднее: ", "Average: "),
		"min": l.Pick("Минимум: ", "Minimum: "), "max": l.Pick("Максимум: ", "Maximum: "),
	}[op]
}

// figure is an aggregate in progress: of a column, or the number of rows.
type figure struct {
	op          AggregateOp
	column      int
	rows, known int // all rows, and those whose cell is known
	value       decimal.Decimal
	currency    string
	mixed       bool // amounts of several currencies
}

func (f *figure) add(row tool.Row) {
	f.rows++
	if f.op == "count" || f.mixed {
		return
	}
	v := row[f.column]
	d, ok := v.Decimal()
	if !ok {
		return
	}
	f.mixed = f.known > 0 && v.Currency() != f.currency
	f.currency = v.Currency()
	switch {
	case f.known == 0:
		f.value = d
	case f.op == "min":
		f.value = f.value.Min(d)
	case f.op == "max":
		f.value = f.value.Max(d)
	default:
		f.value = f.value.Add(d)
	}
	f.known++
}

// value returns an aggregate. It is unknown if no cell is known, or for amounts in several currencies; a notice says if
// only some are known.
func (q *query) value(f *figure) tool.Value {
	if f.op == "count" {
		return tool.Count(f.rows)
	}
	c := q.source.Columns[f.column]
	if f.mixed {
		q.remark(tool.NoticeCurrency, fmt.Sprintf(q.language.Pick("«%s»: суммы в разных валютах не складываются.",
			"“%s”: amounts of several currencies do not add up."), c.Label))
		return tool.Empty
	}
	if f.known == 0 {
		return tool.Empty
	}
	if f.known < f.rows {
		q.remark(tool.NoticePartial, fmt.Sprintf(
			q.language.Pick("«%s» известно не во всех строках; посчитано по известным.",
				"“%s” is not known in all rows; it is computed from those where it is."), c.Label))
	}
	n := f.value
	if f.op == "avg" {
		n = n.Div(decimal.FromInt(int64(f.known))).Round(2)
	}
	if n.Err() != nil {
		return tool.Empty
	}
	if c.Unit == tool.UnitMoney {
		return tool.Money(n, f.currency)
	}
	return tool.Number(n)
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

// order compares rows by a column, descending or ascending; unknown cells come last either way.
func (q *query) order(by string, ascending bool) (func(a, b tool.Row) int, error) {
	i, err := column(q.out.Columns, by)
	if err != nil {
		return nil, err
	}
	numbers := numeric(q.out.Columns[i].Unit)
	return func(a, b tool.Row) int {
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
	}, nil
}

// choose returns the named columns. A margin always keeps the share of revenue whose cost is known (rule R18).
func (q *query) choose(names []string) ([]int, error) {
	var keep []int
	for _, name := range names {
		i, err := column(q.out.Columns, name)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(keep, i) {
			keep = append(keep, i)
		}
	}
	if slices.ContainsFunc(names, func(n string) bool { return strings.Contains(n, "margin") }) {
		if i, err := column(q.out.Columns, "cost_known_percent"); err == nil && !slices.Contains(keep, i) {
			keep = append(keep, i)
		}
	}
	return keep, nil
}

// project keeps these columns of the output.
func (q *query) project(keep []int) {
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
}
