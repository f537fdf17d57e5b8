package compute

import (
	"fmt"
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/compute/lexer"
)

// callable describes a function that a query may call.
type callable struct {
	runs        string // the function in SQLite; empty if call handles it
	least, most int    // arguments; most is −1 for any number
	result      kind
	aggregate   bool
	window      bool // only with OVER
	plain       int  // the argument that SQLite needs as a whole number, from 1; 0 for none
}

var callables = map[string]callable{
	"sum":          {runs: "sh_sum", least: 1, most: 1, aggregate: true},
	"avg":          {runs: "sh_avg", least: 1, most: 1, aggregate: true},
	"total":        {runs: "sh_total", least: 1, most: 1, aggregate: true},
	"count":        {runs: "count", most: 1, aggregate: true, result: whole},
	"min":          {least: 1, most: -1, aggregate: true},
	"max":          {least: 1, most: -1, aggregate: true},
	"group_concat": {runs: "sh_join", least: 1, most: 2, aggregate: true, result: textual},
	"string_agg":   {runs: "sh_join", least: 2, most: 2, aggregate: true, result: textual},

	"row_number":  {runs: "row_number", window: true, result: whole},
	"rank":        {runs: "rank", window: true, result: whole},
	"dense_rank":  {runs: "dense_rank", window: true, result: whole},
	"ntile":       {runs: "ntile", least: 1, most: 1, window: true, plain: 1, result: whole},
	"lag":         {runs: "lag", least: 1, most: 3, window: true, plain: 2},
	"lead":        {runs: "lead", least: 1, most: 3, window: true, plain: 2},
	"first_value": {runs: "first_value", least: 1, most: 1, window: true},
	"last_value":  {runs: "last_value", least: 1, most: 1, window: true},
	"nth_value":   {runs: "nth_value", least: 2, most: 2, window: true, plain: 2},

	"abs":       {runs: "sh_abs", least: 1, most: 1},
	"round":     {runs: "sh_round", least: 1, most: 2},
	"ceil":      {runs: "sh_ceil", least: 1, most: 1},
	"ceiling":   {runs: "sh_ceil", least: 1, most: 1},
	"floor":     {runs: "sh_floor", least: 1, most: 1},
	"trunc":     {runs: "sh_int", least: 1, most: 1},
	"mod":       {runs: "sh_mod", least: 2, most: 2},
	"coalesce":  {runs: "coalesce", least: 2, most: -1},
	"ifnull":    {runs: "coalesce", least: 2, most: 2},
	"nullif":    {runs: "sh_nullif", least: 2, most: 2},
	"iif":       {least: 3, most: 3},
	"if":        {least: 3, most: 3},
	"currency":  {runs: "sh_currency", least: 1, most: 1, result: textual},
	"unit":      {runs: "sh_unit", least: 1, most: 1, result: textual},
	"number":    {runs: "sh_number", least: 1, most: 1},
	"length":    {runs: "sh_length", least: 1, most: 1},
	"lower":     {runs: "sh_lower", least: 1, most: 1, result: textual},
	"upper":     {runs: "sh_upper", least: 1, most: 1, result: textual},
	"trim":      {runs: "sh_trim", least: 1, most: 1, result: textual},
	"substr":    {runs: "sh_substr", least: 2, most: 3, result: textual},
	"substring": {runs: "sh_substr", least: 2, most: 3, result: textual},
	"replace":   {runs: "sh_replace", least: 3, most: 3, result: textual},
	"instr":     {runs: "sh_instr", least: 2, most: 2},
	"concat":    {runs: "sh_concat", least: 1, most: -1, result: textual},
	"date":      {runs: "date", least: 1, most: 5, result: textual},
	"datetime":  {runs: "datetime", least: 1, most: 5, result: textual},
	"time":      {runs: "time", least: 1, most: 5, result: textual},
	"strftime":  {runs: "strftime", least: 2, most: 5, result: textual},
	"julianday": {runs: "sh_julianday", least: 1, most: 1},
}

// functionNames are the names of the functions, for errors.
var functionNames = func() []string {
	var names []string
	for n := range callables {
		names = append(names, n)
	}
	slices.Sort(names)
	return names
}()

// call reads the arguments of a function, and FILTER and OVER.
func (p *parser) call(t lexer.Token) expression {
	f, ok := callables[strings.ToLower(t.Text)]
	if !ok {
		p.fail("there is no function %s; there are: %s", t.Describe(), strings.Join(functionNames, ", "))
	}
	p.expect("(")
	distinct := f.aggregate && p.accept("DISTINCT")
	scope, free := p.scope, 0
	if scope != nil {
		free = len(scope.free)
	}
	var args []expression
	star := t.Upper == "COUNT" && p.accept("*")
	for !star && !p.is(")") {
		if f.plain == len(args)+1 {
			args = append(args, expression{sql: p.whole(), kind: unknown})
		} else {
			args = append(args, p.expression(0))
		}
		if !p.accept(",") {
			break
		}
	}
	if f.most >= 0 && len(args) > f.most || len(args) < f.least || t.Upper == "COUNT" && !star && len(args) == 0 {
		p.fail("%s() takes another number of arguments", strings.ToLower(t.Text))
	}
	f.aggregate = f.aggregate && (f.runs != "" || len(args) == 1)
	var tail strings.Builder
	if f.aggregate {
		p.orderBy(&tail)
	}
	g := groupCall{runs: f.runs, distinct: distinct, star: star, sqlite: tail.Len() > 0}
	p.expect(")")
	tail.WriteByte(')')
	if f.aggregate && p.accept("FILTER") {
		p.expect("(", "WHERE")
		e := p.expression(0)
		g.filter, g.sqlite = truthNode(e), g.sqlite || truthNode(e) == nil
		tail.WriteString(" FILTER (WHERE " + p.truth(e) + ")")
		p.expect(")")
	}
	inGroup := f.aggregate && scope != nil && !p.is("OVER")
	if inGroup { // the columns of an aggregate are not free
		scope.free = scope.free[:free]
		scope.aggregates = true
		scope.chooses = scope.chooses || f.runs == ""
	}
	switch {
	case (f.aggregate || f.window) && p.accept("OVER"):
		tail.WriteString(" OVER ")
		if scope != nil {
			scope.windows = true
		}
		if p.is("(") {
			tail.WriteString(p.window())
		} else {
			tail.WriteString(lexer.Name(p.name("a window")))
		}
	case f.window:
		p.fail("%s() needs OVER (…)", strings.ToLower(t.Text))
	}
	e := p.called(t, f, args, distinct, star, tail.String())
	if !inGroup {
		return e
	}
	if g.runs == "" {
		g.runs = strings.ToLower(t.Upper)
	}
	if len(args) > 0 {
		g.arg = boxedNode(args[0])
	}
	return scope.call(p, e, g)
}

// called writes a call of a function; tail is what follows its arguments.
func (p *parser) called(t lexer.Token, f callable, args []expression, distinct, star bool, tail string) expression {
	list := make([]string, len(args))
	nodes := make([]*node, len(args))
	allTexts := len(args) > 0
	for i, a := range args {
		list[i], nodes[i] = p.boxed(a), boxedNode(a)
		allTexts = allTexts && a.kind == textual
	}
	inner := strings.Join(list, ", ")
	if distinct {
		inner = "DISTINCT " + inner
	}
	if star {
		inner = "*"
	}
	result := f.result
	switch t.Upper {
	case "MIN", "MAX":
		fn := strings.ToLower(t.Upper)
		if !f.aggregate {
			return expression{sql: "sh_" + fn + "(" + inner + tail, node: op("sh_"+fn, nodes...)}
		}
		if args[0].kind == textual {
			return expression{sql: fn + "(" + inner + tail, kind: textual}
		}
		// SQLite's own, which also choose the row that other columns come from, and a check that the units agree
		return expression{sql: p.sized("sh_first(" + fn + "(" + inner + tail + ", sh_alike(" + inner + tail + ")")}
	case "IIF", "IF":
		e := expression{sql: fmt.Sprintf("(CASE WHEN %s THEN %s ELSE %s END)", p.truth(args[0]), list[1], list[2]),
			node: op("CASE", truthNode(args[0]), nodes[1], nodes[2])}
		if args[1].kind == textual && args[2].kind == textual {
			e.kind = textual
		}
		return e
	case "COALESCE", "IFNULL", "NULLIF", "LAG", "LEAD", "FIRST_VALUE", "LAST_VALUE", "NTH_VALUE":
		if allTexts || f.window && args[0].kind == textual && len(args) < 3 {
			result = textual
		}
	case "DATE", "DATETIME", "TIME", "STRFTIME":
		i := 0
		if t.Upper == "STRFTIME" {
			i = 1
		}
		if strings.EqualFold(list[i], "'now'") {
			list[i] = lexer.Text(p.today)
		}
		list[i] = "sh_day(" + list[i] + ")"
		inner = strings.Join(list, ", ")
	}
	e := expression{sql: p.sized(f.runs + "(" + inner + tail), kind: result}
	if _, ours := functions[f.runs]; ours || f.runs == "coalesce" {
		e.node = op(f.runs, nodes...)
	}
	return e
}

// window reads a window definition in parentheses.
func (p *parser) window() string {
	var b strings.Builder
	p.expect("(")
	b.WriteByte('(')
	if p.isName() && !p.is("PARTITION") && !p.is("ORDER") && !p.is("ROWS") && !p.is("RANGE") && !p.is("GROUPS") {
		b.WriteString(lexer.Name(p.name("a window")))
	}
	if p.accept("PARTITION", "BY") {
		b.WriteString(" PARTITION BY ")
		p.list(&b, func(b *strings.Builder) { b.WriteString(p.value()) })
	}
	p.orderBy(&b)
	for _, unit := range []string{"ROWS", "RANGE", "GROUPS"} {
		if p.accept(unit) {
			b.WriteString(" " + unit + " ")
			p.frame(&b, unit == "RANGE")
			break
		}
	}
	p.expect(")")
	b.WriteByte(')')
	return b.String()
}

func (p *parser) frame(b *strings.Builder, isRange bool) {
	if !p.accept("BETWEEN") {
		p.bound(b, isRange)
		return
	}
	b.WriteString("BETWEEN ")
	p.bound(b, isRange)
	p.expect("AND")
	b.WriteString(" AND ")
	p.bound(b, isRange)
}

func (p *parser) bound(b *strings.Builder, isRange bool) {
	for _, fixed := range [][]string{{"UNBOUNDED", "PRECEDING"}, {"UNBOUNDED", "FOLLOWING"}, {"CURRENT", "ROW"}} {
		if p.accept(fixed...) {
			b.WriteString(strings.Join(fixed, " "))
			return
		}
	}
	if isRange {
		p.fail("RANGE with a number is not supported: use ROWS")
	}
	b.WriteString(p.whole())
	if p.accept("PRECEDING") {
		b.WriteString(" PRECEDING")
		return
	}
	p.expect("FOLLOWING")
	b.WriteString(" FOLLOWING")
}
