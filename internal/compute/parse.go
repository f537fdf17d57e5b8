package compute

import (
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/compute/lexer"
)

// parser reads one SELECT and rewrites it: names are quoted, arithmetic and comparisons become calls of exact
// functions. What it does not know is an error, so nothing else reaches SQLite (decision 0041).
type parser struct {
	sql    string
	tokens []lexer.Token
	at     int
	depth  int
	today  string // for 'now' and CURRENT_DATE

	texts map[string]bool // by column name in lower case: whether all columns of that name are texts
	// found in the text
	names   map[string]bool // words and names in lower case, which may be columns
	aliases map[string]bool // by name in lower case: whether everything of that name is text
	star    bool            // there is a *, so every column is needed
	tables  []string        // tables in FROM, in lower case
	scope   *scope          // of the SELECT that is being read
	ctes    []string

	columns map[string]bool // by name in lower case: the columns of the tables, and whether they are texts
	parts   []part
	groups  []*grouping
}

// The bounds of a query.
const (
	maxSQL       = 10_000  // bytes
	maxRewritten = 200_000 // bytes
	maxDepth     = 40
)

// rewrite returns the SQL to run. columns says for each column name whether it is text in all tables that have it.
func rewrite(sql string, columns map[string]bool, today string) (*parser, string, error) {
	if len(sql) > maxSQL {
		return nil, "", mistake("the SQL is longer than %d bytes", maxSQL)
	}
	tokens, err := lexer.Split(sql)
	if err != nil {
		return nil, "", mistake("%w", err)
	}
	p := &parser{}
	var out string
	aliases := map[string]bool{}
	for range 2 { // the second time it knows which aliases are texts
		p = &parser{sql: sql, tokens: tokens, today: today, texts: map[string]bool{}, names: map[string]bool{},
			aliases: map[string]bool{}, columns: columns}
		for name, isText := range columns {
			p.texts[name] = isText
		}
		for name, isText := range aliases {
			known, ok := columns[name]
			p.texts[name] = isText && (known || !ok)
		}
		if out, err = p.statement(); err != nil {
			return nil, "", err
		}
		aliases = p.aliases
	}
	return p, out, nil
}

// failure ends parsing; statement recovers it.
type failure struct{ err error }

func (p *parser) statement() (out string, err error) {
	defer func() {
		if f, ok := recover().(failure); ok {
			err = f.err
		}
	}()
	out = p.query()
	p.accept(";")
	if p.peek().Kind != lexer.End {
		if p.tokens[max(0, p.at-1)].Upper == ";" {
			p.fail("compute runs one statement; remove what follows the semicolon")
		}
		p.unexpected()
	}
	return out, nil
}

func (p *parser) fail(format string, args ...any) { panic(failure{mistake(format, args...)}) }

func (p *parser) unexpected() {
	t := p.peek()
	p.fail("near %s, at character %d: this is not part of the SQL that compute runs, which is SELECT, WITH and VALUES",
		t.Describe(), len([]rune(p.sql[:t.At]))+1)
}

func (p *parser) peek() lexer.Token { return p.tokens[p.at] }

func (p *parser) next() lexer.Token {
	t := p.tokens[p.at]
	if t.Kind != lexer.End {
		p.at++
	}
	return t
}

// is reports whether the next tokens are these keywords or marks.
func (p *parser) is(words ...string) bool {
	for i, w := range words {
		if p.at+i >= len(p.tokens) || p.tokens[p.at+i].Upper != w {
			return false
		}
	}
	return true
}

// accept takes the next tokens if they are these.
func (p *parser) accept(words ...string) bool {
	if !p.is(words...) {
		return false
	}
	p.at += len(words)
	return true
}

func (p *parser) expect(words ...string) {
	if !p.accept(words...) {
		t := p.peek()
		p.fail("near %s, at character %d: expected %s", t.Describe(), len([]rune(p.sql[:t.At]))+1,
			strings.Join(words, " "))
	}
}

// sized fails if a text is too long: it may repeat its parts.
func (p *parser) sized(s string) string {
	if len(s) > maxRewritten {
		p.fail("the SQL is too complex: use WITH for what is repeated")
	}
	return s
}

// nested guards against deep nesting. The caller defers what it returns.
func (p *parser) nested() func() {
	if p.depth++; p.depth > maxDepth {
		p.fail("the SQL is nested deeper than %d levels", maxDepth)
	}
	return func() { p.depth-- }
}

// query reads a SELECT with its WITH, compounds, ORDER BY and LIMIT.
func (p *parser) query() string {
	defer p.nested()()
	outer := p.scope
	p.scope = nil
	defer func() { p.scope = outer }()
	var b strings.Builder
	if p.accept("WITH") {
		b.WriteString("WITH ")
		if p.accept("RECURSIVE") {
			b.WriteString("RECURSIVE ")
		}
		p.list(&b, p.cte)
		b.WriteByte(' ')
	}
	var core strings.Builder
	first := p.core(&core)
	for {
		switch {
		case p.accept("UNION", "ALL"):
			core.WriteString(" UNION ALL ")
		case p.accept("UNION"):
			core.WriteString(" UNION ")
		case p.accept("EXCEPT"):
			core.WriteString(" EXCEPT ")
		case p.accept("INTERSECT"):
			core.WriteString(" INTERSECT ")
		default:
			b.WriteString(p.ended(first, core.String(), outer))
			return p.sized(b.String())
		}
		first = nil
		p.core(&core)
	}
}

// list reads what is separated by commas.
func (p *parser) list(b *strings.Builder, item func(*strings.Builder)) {
	for {
		item(b)
		p.sized(b.String())
		if !p.accept(",") {
			return
		}
		b.WriteString(", ")
	}
}

func (p *parser) cte(b *strings.Builder) {
	n := p.name("a name of a common table expression")
	p.ctes = append(p.ctes, strings.ToLower(n))
	b.WriteString(lexer.Name(n))
	if p.accept("(") {
		b.WriteByte('(')
		p.list(b, func(b *strings.Builder) {
			c := p.name("a column name")
			p.define(c, false)
			b.WriteString(lexer.Name(c))
		})
		p.expect(")")
		b.WriteByte(')')
	}
	p.expect("AS")
	p.accept("NOT") // a hint: NOT MATERIALIZED
	p.accept("MATERIALIZED")
	p.expect("(")
	b.WriteString(" AS (" + p.query() + ")")
	p.expect(")")
}

// define notes an alias and whether it names a text.
func (p *parser) define(alias string, isText bool) {
	key := strings.ToLower(alias)
	if known, ok := p.aliases[key]; ok {
		isText = isText && known
	}
	p.aliases[key] = isText
}

// core reads a SELECT or VALUES and returns the scope of a SELECT.
func (p *parser) core(b *strings.Builder) *scope {
	if p.accept("VALUES") {
		b.WriteString("VALUES ")
		p.list(b, func(b *strings.Builder) {
			p.expect("(")
			b.WriteByte('(')
			p.list(b, func(b *strings.Builder) { b.WriteString(p.value()) })
			p.expect(")")
			b.WriteByte(')')
		})
		return nil
	}
	if !p.is("SELECT") {
		p.unexpected()
	}
	p.next()
	b.WriteString("SELECT ")
	s := &scope{renamed: map[int]string{}}
	p.scope = s
	defer func() { p.scope = nil }()
	if p.accept("DISTINCT") {
		b.WriteString("DISTINCT ")
	} else {
		p.accept("ALL")
	}
	p.list(b, p.column)
	s.head = b.String()
	if p.accept("FROM") {
		b.WriteString(" FROM ")
		from := p.at
		p.from(b)
		s.source(p.tokens[from:p.at], len(p.tables)-1)
	}
	if p.accept("WHERE") {
		e := p.expression(0)
		b.WriteString(" WHERE " + p.truth(e))
		s.where = truthNode(e)
		s.sqlite = s.sqlite || s.where == nil
	}
	if p.accept("GROUP", "BY") {
		b.WriteString(" GROUP BY ")
		s.grouped = true
		p.list(b, func(b *strings.Builder) {
			term, e := p.term()
			s.groups = append(s.groups, strings.ToLower(term))
			s.terms = append(s.terms, p.groupTerm(term, e))
			b.WriteString(term)
		})
	}
	p.ungrouped()
	s.rename()
	if p.accept("HAVING") {
		s.free = nil
		s.having = p.condition()
		b.WriteString(" HAVING " + s.having)
		s.uses(p, s.free)
	}
	if p.accept("WINDOW") {
		s.sqlite = true
		b.WriteString(" WINDOW ")
		p.list(b, func(b *strings.Builder) {
			b.WriteString(lexer.Name(p.name("a name of a window")) + " AS ")
			p.expect("AS")
			b.WriteString(p.window())
		})
	}
	return s
}

// column reads a column of the output. One that is computed and has no name gets its own text as its name.
func (p *parser) column(b *strings.Builder) {
	if p.accept("*") {
		p.star, p.scope.sqlite = true, true
		b.WriteByte('*')
		return
	}
	if p.at+2 < len(p.tokens) && p.tokens[p.at+1].Upper == "." && p.tokens[p.at+2].Upper == "*" {
		b.WriteString(lexer.Name(p.name("a table")) + ".*")
		p.at += 2
		p.star, p.scope.sqlite = true, true
		return
	}
	from := p.peek().At
	p.scope.free = nil
	e := p.expression(0)
	sql := p.boxed(e)
	item := item{sql: strings.ToLower(sql), written: sql, node: boxedNode(e), free: p.scope.free, part: -1}
	if e.column == "" {
		item.part = p.part(sql)
		sql = p.parts[item.part].mark
	}
	b.WriteString(sql)
	defer func() { p.scope.items = append(p.scope.items, item) }()
	source := p.sql[from:p.tokens[p.at-1].End]
	switch {
	case p.accept("AS"):
		alias := p.name("an alias")
		p.define(alias, e.kind == textual)
		item.alias = strings.ToLower(lexer.Name(alias))
		b.WriteString(" AS " + lexer.Name(alias))
	case p.isName() && !p.endsColumn():
		alias := p.name("an alias")
		p.define(alias, e.kind == textual)
		item.alias = strings.ToLower(lexer.Name(alias))
		b.WriteString(" AS " + lexer.Name(alias))
	case e.column == "":
		b.WriteString(" AS " + lexer.Name(source))
	}
}

// clauses begin what may follow a column, a table or an expression, so they are no aliases.
var clauses = strings.Fields("FROM WHERE GROUP HAVING WINDOW ORDER LIMIT UNION EXCEPT INTERSECT ON USING JOIN LEFT " +
	"RIGHT FULL INNER CROSS NATURAL OUTER AS AND OR NOT IS IN LIKE BETWEEN THEN ELSE END WHEN ASC DESC NULLS FILTER " +
	"OVER COLLATE ESCAPE GLOB REGEXP MATCH ISNULL NOTNULL OFFSET SELECT WITH VALUES CASE SET INTO")

func (p *parser) isQuery() bool { return p.is("SELECT") || p.is("WITH") || p.is("VALUES") }

func (p *parser) isName() bool { k := p.peek().Kind; return k == lexer.Word || k == lexer.QuotedName }

func (p *parser) endsColumn() bool {
	return p.peek().Kind == lexer.Word && slices.Contains(clauses, p.peek().Upper)
}

// name reads an identifier. Keywords are names where only a name can stand.
func (p *parser) name(what string) string {
	if !p.isName() {
		p.fail("near %s: expected %s", p.peek().Describe(), what)
	}
	n := p.next().Text
	p.names[strings.ToLower(n)] = true
	return n
}

func (p *parser) from(b *strings.Builder) {
	defer p.nested()()
	p.source(b)
	for {
		switch {
		case p.accept(","), p.accept("CROSS", "JOIN"):
			b.WriteString(" CROSS JOIN ")
			p.source(b)
			continue
		case p.accept("JOIN"), p.accept("INNER", "JOIN"):
			b.WriteString(" JOIN ")
		case p.accept("LEFT", "OUTER", "JOIN"), p.accept("LEFT", "JOIN"):
			b.WriteString(" LEFT JOIN ")
		case p.accept("RIGHT", "OUTER", "JOIN"), p.accept("RIGHT", "JOIN"):
			b.WriteString(" RIGHT JOIN ")
		case p.accept("FULL", "OUTER", "JOIN"), p.accept("FULL", "JOIN"):
			b.WriteString(" FULL JOIN ")
		case p.is("NATURAL"):
			p.fail("NATURAL JOIN is not supported: name the columns with ON or USING")
		default:
			return
		}
		p.source(b)
		switch {
		case p.accept("ON"):
			b.WriteString(" ON " + p.condition())
		case p.accept("USING"):
			p.expect("(")
			b.WriteString(" USING (")
			p.list(b, func(b *strings.Builder) {
				c := p.name("a column name")
				if !p.texts[strings.ToLower(c)] {
					p.fail("USING (%s): name columns of text, or compare with ON", c)
				}
				b.WriteString(lexer.Name(c))
			})
			p.expect(")")
			b.WriteByte(')')
		}
	}
}

// source reads a table or a query in FROM.
func (p *parser) source(b *strings.Builder) {
	switch {
	case p.accept("("):
		b.WriteByte('(')
		if p.isQuery() {
			b.WriteString(p.query())
		} else {
			p.from(b)
		}
		p.expect(")")
		b.WriteByte(')')
	default:
		n := p.name("a table")
		if p.is("(") || p.is(".") {
			p.fail("near %q: tables are r1, r2, …", n)
		}
		p.tables = append(p.tables, strings.ToLower(n))
		b.WriteString(lexer.Name(n))
	}
	if p.accept("AS") || p.isName() && !p.endsColumn() {
		b.WriteString(" AS " + lexer.Name(p.name("an alias")))
	}
}

// term reads an entry of GROUP BY or ORDER BY: an expression, or the number of a column.
func (p *parser) term() (string, expression) {
	if t := p.peek(); t.Kind == lexer.Numeral && strings.Trim(t.Text, "0123456789") == "" {
		switch p.tokens[p.at+1].Upper {
		case ",", ")", "", ";", "ASC", "DESC", "NULLS", "HAVING", "WINDOW", "ORDER", "LIMIT", "UNION", "EXCEPT",
			"INTERSECT":
			p.next()
			return t.Text, expression{}
		}
	}
	e := p.expression(0)
	return p.boxed(e), e
}

func (p *parser) orderBy(b *strings.Builder) {
	if !p.accept("ORDER", "BY") {
		return
	}
	b.WriteString(" ORDER BY ")
	p.list(b, func(b *strings.Builder) {
		term, e := p.term()
		if p.scope != nil && p.scope.ordering > 0 {
			term = p.scope.order(p, term, e)
		}
		b.WriteString(term)
		descending := p.accept("DESC")
		if p.scope != nil && p.depth == p.scope.ordering {
			p.scope.descending = append(p.scope.descending, descending)
		}
		if descending {
			b.WriteString(" DESC")
		} else {
			p.accept("ASC")
		}
		if p.accept("NULLS", "FIRST") {
			b.WriteString(" NULLS FIRST")
		} else if p.accept("NULLS", "LAST") {
			b.WriteString(" NULLS LAST")
		}
	})
}

func (p *parser) limit(b *strings.Builder) {
	if !p.accept("LIMIT") {
		return
	}
	b.WriteString(" LIMIT " + p.whole())
	if p.accept("OFFSET") {
		b.WriteString(" OFFSET " + p.whole())
	}
}

// whole reads a whole number that SQLite needs as such.
func (p *parser) whole() string {
	t := p.next()
	if t.Kind != lexer.Numeral || strings.Trim(t.Text, "0123456789") != "" || len(t.Text) > 9 {
		p.fail("near %s: expected a whole number", t.Describe())
	}
	return t.Text
}
