package compute

import (
	"fmt"
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/compute/lexer"
)

// expression is a rewritten expression.
type expression struct {
	sql    string
	kind   kind
	column string // its name if it is a column and nothing else
	node   *node  // how to compute it without SQLite; nil if only SQLite can
}

// kind is what is known of an expression's values.
type kind uint8

const (
	unknown kind = iota // an encoded number, a text or NULL
	textual             // a text or NULL
	truth               // SQLite's 0, 1 or NULL
	whole               // an integer of SQLite's
)

// precedence of the binary operators.
var precedence = map[string]int{
	"OR": 1, "AND": 2, "=": 4, "==": 4, "<>": 4, "!=": 4, "IS": 4, "IN": 4, "LIKE": 4, "BETWEEN": 4, "NOT": 4,
	"ISNULL": 4, "NOTNULL": 4, "<": 5, "<=": 5, ">": 5, ">=": 5, "+": 7, "-": 7, "*": 8, "/": 8, "%": 8, "||": 9,
}

var arithmetic = map[string]string{"+": "sh_add", "-": "sh_sub", "*": "sh_mul", "/": "sh_div", "%": "sh_mod"}

var comparisons = map[string]string{"=": "sh_eq", "==": "sh_eq", "<>": "sh_ne", "!=": "sh_ne", "<": "sh_lt",
	"<=": "sh_le", ">": "sh_gt", ">=": "sh_ge"}

// boxed returns an expression as a value: integers and truth become encoded numbers.
func (p *parser) boxed(e expression) string {
	if e.kind == truth || e.kind == whole {
		return "sh_count(" + e.sql + ")"
	}
	return e.sql
}

// boxedNode is boxed for the node.
func boxedNode(e expression) *node {
	if e.kind == truth || e.kind == whole {
		return op("sh_count", e.node)
	}
	return e.node
}

func truthNode(e expression) *node {
	if e.kind == truth {
		return e.node
	}
	return op("sh_true", boxedNode(e))
}

// apply calls a function of ours.
func (p *parser) apply(fn string, k kind, args ...expression) expression {
	list, nodes := make([]string, len(args)), make([]*node, len(args))
	for i, a := range args {
		list[i], nodes[i] = p.boxed(a), boxedNode(a)
	}
	return expression{sql: fn + "(" + strings.Join(list, ", ") + ")", kind: k, node: op(fn, nodes...)}
}

// value reads an expression as a value.
func (p *parser) value() string { return p.boxed(p.expression(0)) }

// condition reads an expression that is true or not.
func (p *parser) condition() string { return p.truth(p.expression(0)) }

func (p *parser) truth(e expression) string {
	if e.kind == truth {
		return e.sql
	}
	return "sh_true(" + p.boxed(e) + ")"
}

// expression reads operators that bind more tightly than least.
func (p *parser) expression(least int) expression {
	defer p.nested()()
	var left expression
	switch {
	case p.accept("NOT"):
		if p.is("EXISTS") {
			left = p.primary()
		} else {
			left = p.expression(3)
		}
		left = expression{sql: "(NOT " + p.truth(left) + ")", kind: truth, node: op("not", truthNode(left))}
	case p.accept("-"):
		left = p.apply("sh_neg", unknown, p.expression(10))
	case p.accept("+"):
		e := p.expression(10)
		left = expression{sql: p.boxed(e), node: boxedNode(e)}
	default:
		left = p.primary()
	}
	for {
		t := p.peek()
		level, ok := precedence[t.Upper]
		if t.Kind == lexer.QuotedName || !ok || level <= least {
			return left
		}
		left = p.operator(left, level)
		p.sized(left.sql)
	}
}

// operator reads a binary operator and its right side.
func (p *parser) operator(left expression, level int) expression {
	t := p.next()
	switch {
	case t.Upper == "AND" || t.Upper == "OR":
		right := p.expression(level)
		return expression{sql: "(" + p.truth(left) + " " + t.Upper + " " + p.truth(right) + ")", kind: truth,
			node: op(t.Upper, truthNode(left), truthNode(right))}
	case arithmetic[t.Upper] != "":
		return p.apply(arithmetic[t.Upper], unknown, left, p.expression(level))
	case t.Upper == "||":
		return p.apply("sh_concat", textual, left, p.expression(level))
	case comparisons[t.Upper] != "":
		return p.compare(t.Upper, left, p.expression(level))
	}
	switch t.Upper {
	case "ISNULL":
		return unknownTest(left, false)
	case "NOTNULL":
		return unknownTest(left, true)
	case "IS":
		return p.is_(left)
	case "NOT":
		if p.accept("NULL") {
			return unknownTest(left, true)
		}
		t = p.next()
		e := p.predicate(t, left)
		return expression{sql: "(NOT " + e.sql + ")", kind: truth, node: op("not", e.node)}
	}
	return p.predicate(t, left)
}

// compare rewrites a comparison. Texts are compared by SQLite, which can then use an index to join.
func (p *parser) compare(is string, left, right expression) expression {
	if left.kind == textual && right.kind == textual ||
		(left.kind == textual || right.kind == textual) && left.column != "" && right.column != "" &&
			(is == "=" || is == "==") {
		return expression{sql: "(" + left.sql + " " + is + " " + right.sql + ")", kind: truth,
			node: op("sqlite"+comparisons[is], left.node, right.node)}
	}
	return p.apply(comparisons[is], truth, left, right)
}

func (p *parser) is_(left expression) expression {
	not := p.accept("NOT")
	if p.accept("NULL") {
		return unknownTest(left, not)
	}
	if p.accept("DISTINCT", "FROM") {
		not = !not
	}
	e := p.apply("sh_is", truth, left, p.expression(4))
	if not {
		e.sql, e.node = "(NOT "+e.sql+")", op("not", e.node)
	}
	return e
}

func unknownTest(e expression, not bool) expression {
	if not {
		return expression{sql: "(" + e.sql + " IS NOT NULL)", kind: truth, node: op("known", e.node)}
	}
	return expression{sql: "(" + e.sql + " IS NULL)", kind: truth, node: op("not", op("known", e.node))}
}

// predicate reads what follows IN, LIKE or BETWEEN.
func (p *parser) predicate(t lexer.Token, left expression) expression {
	switch t.Upper {
	case "IN":
		p.expect("(")
		if p.isQuery() {
			e := expression{sql: "(" + p.boxed(left) + " IN (" + p.query() + "))", kind: truth}
			p.expect(")")
			return e
		}
		var any []string
		var either *node
		for !p.is(")") {
			c := p.compare("=", left, p.expression(0))
			if len(any) == 0 {
				either = c.node
			} else {
				either = op("OR", either, c.node)
			}
			any = append(any, c.sql)
			p.sized(strings.Join(any, ""))
			if !p.accept(",") {
				break
			}
		}
		p.expect(")")
		if len(any) == 0 {
			return expression{sql: "(0)", kind: truth}
		}
		return expression{sql: "(" + strings.Join(any, " OR ") + ")", kind: truth, node: either}
	case "LIKE":
		args := []expression{left, p.expression(5)}
		if p.accept("ESCAPE") {
			args = append(args, p.expression(5))
		}
		return p.apply("sh_like", truth, args...)
	case "BETWEEN":
		low := p.expression(5)
		p.expect("AND")
		return p.apply("sh_between", truth, left, low, p.expression(5))
	}
	p.at--
	p.unexpected()
	return left
}

// primary reads a literal, a column, a call, a query or an expression in parentheses.
func (p *parser) primary() expression {
	t := p.next()
	switch {
	case t.Kind == lexer.Numeral:
		return p.number(t)
	case t.Kind == lexer.Literal:
		return constant(t.Text)
	case t.Upper == "(":
		var e expression
		if p.isQuery() {
			e.sql = "(" + p.query() + ")"
		} else if e = p.expression(0); p.is(",") {
			p.fail("rows of values in parentheses are not supported: compare each column")
		}
		p.expect(")")
		return e
	case t.Kind == lexer.QuotedName:
		return p.reference(t)
	case t.Kind != lexer.Word:
		p.at = max(0, p.at-1)
		p.unexpected()
	}
	switch t.Upper {
	case "NULL":
		return expression{sql: "NULL", kind: textual, node: &node{}}
	case "TRUE":
		return expression{sql: "1", kind: truth, node: &node{constant: int64(1)}}
	case "FALSE":
		return expression{sql: "0", kind: truth, node: &node{constant: int64(0)}}
	case "CURRENT_DATE":
		return constant(p.today)
	case "EXISTS":
		p.expect("(")
		e := expression{sql: "EXISTS (" + p.query() + ")", kind: truth}
		p.expect(")")
		return e
	case "CASE":
		if !p.is(".") && !p.is(",") {
			return p.cases()
		}
	case "CAST":
		if p.is("(") {
			return p.cast()
		}
	}
	if p.is("(") {
		return p.call(t)
	}
	if slices.Contains(clauses, t.Upper) && !p.is(".") {
		if _, column := p.texts[strings.ToLower(t.Text)]; !column || p.is("BY") {
			p.at--
			p.unexpected()
		}
	}
	return p.reference(t)
}

func constant(s string) expression {
	return expression{sql: lexer.Text(s), kind: textual, node: &node{constant: s}}
}

func (p *parser) number(t lexer.Token) expression {
	n, ok := parseNumber(t.Text)
	if ok {
		if b, err := n.encode(bare); err == nil {
			return expression{sql: fmt.Sprintf("X'%X'", b), node: &node{constant: b}}
		}
	}
	p.fail("the number %s has too many digits", t.Describe())
	return expression{}
}

// reference reads a column, with or without its table.
func (p *parser) reference(t lexer.Token) expression {
	p.names[strings.ToLower(t.Text)] = true
	sql, table, last := lexer.Name(t.Text), "", t.Text
	if p.accept(".") {
		table, last = t.Text, p.name("a column name")
		sql += "." + lexer.Name(last)
	}
	if p.scope != nil {
		p.scope.free = append(p.scope.free, last)
	}
	e := expression{sql: sql, column: last, node: &node{op: "column", table: table, column: last}}
	if p.texts[strings.ToLower(last)] {
		e.kind = textual
	}
	return e
}

// cases reads CASE. One with a value to compare repeats it in each condition.
func (p *parser) cases() expression {
	var of *expression
	if !p.is("WHEN") {
		e := p.expression(0)
		of = &e
	}
	var b strings.Builder
	b.WriteString("CASE")
	kinds := textual
	var parts []*node
	result := func() {
		e := p.expression(0)
		parts = append(parts, boxedNode(e))
		if e.kind != textual {
			kinds = unknown
		}
		b.WriteString(p.sized(p.boxed(e)))
		p.sized(b.String())
	}
	for p.accept("WHEN") {
		b.WriteString(" WHEN ")
		when := p.expression(0)
		if of != nil {
			when = p.compare("=", *of, when)
		}
		b.WriteString(p.truth(when))
		parts = append(parts, truthNode(when))
		p.expect("THEN")
		b.WriteString(" THEN ")
		result()
	}
	if p.accept("ELSE") {
		b.WriteString(" ELSE ")
		result()
	}
	p.expect("END")
	return expression{sql: "(" + b.String() + " END)", kind: kinds, node: op("CASE", parts...)}
}

func (p *parser) cast() expression {
	p.expect("(")
	x := p.expression(0)
	p.expect("AS")
	to := strings.ToUpper(p.name("a type"))
	if p.accept("(") { // the size of a type, such as DECIMAL(10, 2)
		p.whole()
		if p.accept(",") {
			p.whole()
		}
		p.expect(")")
	}
	p.expect(")")
	switch to {
	case "INTEGER", "INT", "BIGINT":
		return p.apply("sh_int", unknown, x)
	case "REAL", "FLOAT", "DOUBLE", "NUMERIC", "DECIMAL":
		return p.apply("sh_cast", unknown, x)
	case "TEXT", "VARCHAR", "CHAR":
		return p.apply("sh_text", textual, x)
	case "DATE":
		return expression{sql: "date(" + p.boxed(x) + ")", kind: textual}
	}
	p.fail("CAST to %s is not supported: INTEGER, NUMERIC, TEXT and DATE are", to)
	return expression{}
}
