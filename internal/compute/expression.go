package compute

import (
	"fmt"
	"slices"
	"strings"
)

// expression is a rewritten expression.
type expression struct {
	sql    string
	kind   kind
	column string // its name if it is a column and nothing else
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
		left = expression{sql: "(NOT " + p.truth(left) + ")", kind: truth}
	case p.accept("-"):
		left = expression{sql: "sh_neg(" + p.boxed(p.expression(10)) + ")"}
	case p.accept("+"):
		left = expression{sql: p.boxed(p.expression(10))}
	default:
		left = p.primary()
	}
	for {
		t := p.peek()
		level, ok := precedence[t.upper]
		if t.kind == quotedName || !ok || level <= least {
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
	case t.upper == "AND" || t.upper == "OR":
		right := p.expression(level)
		return expression{sql: "(" + p.truth(left) + " " + t.upper + " " + p.truth(right) + ")", kind: truth}
	case arithmetic[t.upper] != "":
		right := p.expression(level)
		return expression{sql: arithmetic[t.upper] + "(" + p.boxed(left) + ", " + p.boxed(right) + ")"}
	case t.upper == "||":
		right := p.expression(level)
		return expression{sql: "sh_concat(" + p.boxed(left) + ", " + p.boxed(right) + ")", kind: textual}
	case comparisons[t.upper] != "":
		return p.compare(t.upper, left, p.expression(level))
	}
	switch t.upper {
	case "ISNULL":
		return expression{sql: "(" + left.sql + " IS NULL)", kind: truth}
	case "NOTNULL":
		return expression{sql: "(" + left.sql + " IS NOT NULL)", kind: truth}
	case "IS":
		return p.is_(left)
	case "NOT":
		if p.accept("NULL") {
			return expression{sql: "(" + left.sql + " IS NOT NULL)", kind: truth}
		}
		t = p.next()
		e := p.predicate(t, left)
		return expression{sql: "(NOT " + e.sql + ")", kind: truth}
	}
	return p.predicate(t, left)
}

// compare rewrites a comparison. Texts are compared by SQLite, which can then use an index to join.
func (p *parser) compare(op string, left, right expression) expression {
	if left.kind == textual && right.kind == textual ||
		(left.kind == textual || right.kind == textual) && left.column != "" && right.column != "" &&
			(op == "=" || op == "==") {
		return expression{sql: "(" + left.sql + " " + op + " " + right.sql + ")", kind: truth}
	}
	return expression{sql: comparisons[op] + "(" + p.boxed(left) + ", " + p.boxed(right) + ")", kind: truth}
}

func (p *parser) is_(left expression) expression {
	not := p.accept("NOT")
	if p.accept("NULL") {
		if not {
			return expression{sql: "(" + left.sql + " IS NOT NULL)", kind: truth}
		}
		return expression{sql: "(" + left.sql + " IS NULL)", kind: truth}
	}
	if p.accept("DISTINCT", "FROM") {
		not = !not
	}
	e := expression{sql: "sh_is(" + p.boxed(left) + ", " + p.boxed(p.expression(4)) + ")", kind: truth}
	if not {
		e.sql = "(NOT " + e.sql + ")"
	}
	return e
}

// predicate reads what follows IN, LIKE or BETWEEN.
func (p *parser) predicate(t token, left expression) expression {
	x := p.boxed(left)
	switch t.upper {
	case "IN":
		p.expect("(")
		if p.isQuery() {
			e := expression{sql: "(" + x + " IN (" + p.query() + "))", kind: truth}
			p.expect(")")
			return e
		}
		var any []string
		for !p.is(")") {
			any = append(any, p.compare("=", left, p.expression(0)).sql)
			p.sized(strings.Join(any, ""))
			if !p.accept(",") {
				break
			}
		}
		p.expect(")")
		if len(any) == 0 {
			return expression{sql: "(0)", kind: truth}
		}
		return expression{sql: "(" + strings.Join(any, " OR ") + ")", kind: truth}
	case "LIKE":
		e := expression{sql: "sh_like(" + x + ", " + p.boxed(p.expression(5)), kind: truth}
		if p.accept("ESCAPE") {
			e.sql += ", " + p.boxed(p.expression(5))
		}
		e.sql += ")"
		return e
	case "BETWEEN":
		low := p.boxed(p.expression(5))
		p.expect("AND")
		return expression{sql: "sh_between(" + x + ", " + low + ", " + p.boxed(p.expression(5)) + ")", kind: truth}
	}
	p.at--
	p.unexpected()
	return left
}

// primary reads a literal, a column, a call, a query or an expression in parentheses.
func (p *parser) primary() expression {
	t := p.next()
	switch {
	case t.kind == numeral:
		return p.number(t)
	case t.kind == literal:
		return expression{sql: text(t.text), kind: textual}
	case t.upper == "(":
		var e expression
		if p.isQuery() {
			e.sql = "(" + p.query() + ")"
		} else if e = p.expression(0); p.is(",") {
			p.fail("rows of values in parentheses are not supported: compare each column")
		}
		p.expect(")")
		return e
	case t.kind == quotedName:
		return p.reference(t)
	case t.kind != word:
		p.at = max(0, p.at-1)
		p.unexpected()
	}
	switch t.upper {
	case "NULL":
		return expression{sql: "NULL", kind: textual}
	case "TRUE":
		return expression{sql: "1", kind: truth}
	case "FALSE":
		return expression{sql: "0", kind: truth}
	case "CURRENT_DATE":
		return expression{sql: text(p.today), kind: textual}
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
	if slices.Contains(clauses, t.upper) && !p.is(".") {
		if _, column := p.texts[strings.ToLower(t.text)]; !column || p.is("BY") {
			p.at--
			p.unexpected()
		}
	}
	return p.reference(t)
}

func (p *parser) number(t token) expression {
	n, ok := parseNumber(t.text)
	if ok {
		if b, err := n.encode(bare); err == nil {
			return expression{sql: fmt.Sprintf("X'%X'", b)}
		}
	}
	p.fail("the number %s has too many digits", t.describe())
	return expression{}
}

// reference reads a column, with or without its table.
func (p *parser) reference(t token) expression {
	p.names[strings.ToLower(t.text)] = true
	sql, last := name(t.text), t.text
	if p.accept(".") {
		last = p.name("a column name")
		sql += "." + name(last)
	}
	if p.scope != nil {
		p.scope.free = append(p.scope.free, last)
	}
	e := expression{sql: sql, column: last}
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
	result := func() {
		e := p.expression(0)
		if e.kind != textual {
			kinds = unknown
		}
		b.WriteString(p.sized(p.boxed(e)))
		p.sized(b.String())
	}
	for p.accept("WHEN") {
		b.WriteString(" WHEN ")
		if of == nil {
			b.WriteString(p.condition())
		} else {
			b.WriteString(p.compare("=", *of, p.expression(0)).sql)
		}
		p.expect("THEN")
		b.WriteString(" THEN ")
		result()
	}
	if p.accept("ELSE") {
		b.WriteString(" ELSE ")
		result()
	}
	p.expect("END")
	return expression{sql: "(" + b.String() + " END)", kind: kinds}
}

func (p *parser) cast() expression {
	p.expect("(")
	x := p.value()
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
		return expression{sql: "sh_int(" + x + ")"}
	case "REAL", "FLOAT", "DOUBLE", "NUMERIC", "DECIMAL":
		return expression{sql: "sh_cast(" + x + ")"}
	case "TEXT", "VARCHAR", "CHAR":
		return expression{sql: "sh_text(" + x + ")", kind: textual}
	case "DATE":
		return expression{sql: "date(" + x + ")", kind: textual}
	}
	p.fail("CAST to %s is not supported: INTEGER, NUMERIC, TEXT and DATE are", to)
	return expression{}
}
