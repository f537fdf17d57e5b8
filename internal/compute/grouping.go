package compute

import (
	"database/sql/driver"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/stockhand/stockhand/internal/compute/lexer"
)

// grouping is a SELECT that groups the rows of one table. The groups and their aggregates are computed here; SQLite
// reads them as a table and does the rest: HAVING, ORDER BY, LIMIT and expressions of aggregates. Where anything is not
// of this form, or fails, SQLite runs the SELECT as it was written.
type grouping struct {
	part         int
	table, alias string
	source       int // of the parser's tables
	where        *node
	terms        []groupTerm
	calls        []groupCall
	descending   []bool
	subqueries   []int // groupings that must be possible, since other queries may use columns that groups do not have
	grouped      bool
	done         bool // the groups are known
	columns      []string
	rows         [][]driver.Value
}

// groupTerm is a term of GROUP BY.
type groupTerm struct {
	sql    string
	item   int    // the column of the output that it names, or −1
	column string // if it is a column
	node   *node
}

// groupCall is a call of an aggregate.
type groupCall struct {
	runs           string // its name in SQLite, or min or max
	arg, filter    *node
	distinct, star bool
	sqlite         bool // only SQLite can
	sql            string
	part           int
}

// part is a part of the rewritten query that may be written in two ways. Its mark stands for it until then: the text of
// a query cannot contain a NUL.
type part struct {
	mark, plain string
	grouped     string // with the groups as a table; empty if there is no such way
}

func (p *parser) part(plain string) int {
	i := len(p.parts)
	p.parts = append(p.parts, part{mark: "\x00" + strconv.Itoa(i) + ";\x00", plain: plain})
	return i
}

// resolve writes the parts of a query. Groupings that are done are written as such.
func (p *parser) resolve(sql string) (string, error) {
	done := map[int]bool{}
	for _, g := range p.groups {
		done[g.part] = g.done
	}
	var b strings.Builder
	var write func(string) bool
	write = func(sql string) bool {
		for {
			before, rest, found := strings.Cut(sql, "\x00")
			if b.WriteString(before); b.Len() > maxRewritten || !found {
				return b.Len() <= maxRewritten
			}
			id, after, _ := strings.Cut(rest, ";\x00")
			i, _ := strconv.Atoi(id)
			inner := p.parts[i].plain
			if done[i] {
				inner = p.parts[i].grouped
			}
			if !write(inner) {
				return false
			}
			sql = after
		}
	}
	if !write(sql) {
		return "", mistake("the SQL is too complex: use WITH for what is repeated")
	}
	return b.String(), nil
}

// groupColumn names a column of the groups like nothing in a query.
func groupColumn(kind string, i int) string { return fmt.Sprint("\x01", kind, i) }

// call notes a call of an aggregate.
func (s *scope) call(p *parser, e expression, g groupCall) expression {
	g.sqlite = g.sqlite || !g.star && g.arg == nil || g.runs == "sh_join"
	s.sqlite = s.sqlite || g.sqlite
	i := slices.IndexFunc(s.calls, func(c groupCall) bool { return c.sql == e.sql })
	if i < 0 {
		i, g.sql, g.part = len(s.calls), e.sql, p.part(e.sql)
		s.calls = append(s.calls, g)
		s.renamed[g.part] = lexer.Name(groupColumn("a", i))
	}
	e.sql, e.node = p.parts[s.calls[i].part].mark, nil
	return e
}

// source notes the table of FROM if it is one and nothing else.
func (s *scope) source(from []lexer.Token, table int) {
	switch {
	case len(from) == 1 && from[0].Upper != "(":
		s.table, s.alias, s.first = strings.ToLower(from[0].Text), from[0].Text, table
	case len(from) == 2 && from[0].Upper != "(", len(from) == 3 && from[1].Upper == "AS":
		s.table, s.alias = strings.ToLower(from[0].Text), from[len(from)-1].Text
		s.first = table
	}
}

// groupTerm resolves a term of GROUP BY: a column, or else a column of the output by its number or alias.
func (p *parser) groupTerm(sql string, e expression) groupTerm {
	s, t := p.scope, groupTerm{sql: sql, item: -1, node: boxedNode(e)}
	if e.sql == "" {
		if i, err := strconv.Atoi(sql); err == nil && i >= 1 && i <= len(s.items) {
			t.item = i - 1
		}
	} else if e.column != "" && e.node.table == "" {
		alias := strings.ToLower(lexer.Name(e.column))
		t.item = slices.IndexFunc(s.items, func(x item) bool { return x.alias == alias })
		if t.item >= 0 && p.isColumn(e.column) {
			t.item = -1 // a column comes before an alias; which it is depends on the table
			s.sqlite = true
		}
	}
	if t.item >= 0 {
		t.node = s.items[t.item].node
	}
	if t.node == nil {
		s.sqlite = true
	} else if t.node.op == "column" {
		t.column = t.node.column
	}
	return t
}

func (p *parser) isColumn(n string) bool {
	_, ok := p.columns[strings.ToLower(n)]
	return ok
}

// rename finds the columns of the output that are terms of GROUP BY. All others must be made of these and of
// aggregates.
func (s *scope) rename() {
	for i, x := range s.items {
		k := slices.IndexFunc(s.terms, func(t groupTerm) bool {
			return t.column == "" && (t.item == i || t.sql == x.written)
		})
		switch {
		case k >= 0 && x.part >= 0:
			s.renamed[x.part] = lexer.Name(groupColumn("k", k))
		case !s.has(x.free):
			s.sqlite = true
		}
	}
}

// has reports whether all columns are terms of GROUP BY.
func (s *scope) has(columns []string) bool {
	return !slices.ContainsFunc(columns, func(c string) bool {
		return !slices.ContainsFunc(s.terms, func(t groupTerm) bool { return t.column != "" && sameName(t.column, c) })
	})
}

// uses notes columns of HAVING or ORDER BY, which may also be aliases.
func (s *scope) uses(p *parser, columns []string) {
	for _, c := range columns {
		alias := strings.ToLower(lexer.Name(c))
		if !s.has([]string{c}) && (p.isColumn(c) ||
			!slices.ContainsFunc(s.items, func(x item) bool { return x.alias == alias })) {
			s.sqlite = true
		}
	}
}

// order notes a term of ORDER BY.
func (s *scope) order(p *parser, sql string, e expression) string {
	free := s.free
	s.free = nil
	alias := strings.ToLower(lexer.Name(e.column))
	k := slices.IndexFunc(s.terms, func(t groupTerm) bool { return t.column == "" && t.sql == sql })
	switch {
	case e.sql == "":
	case e.column != "" && e.node.table == "" && p.depth == s.ordering &&
		slices.ContainsFunc(s.items, func(x item) bool { return x.alias == alias }):
	case k >= 0 && e.column == "":
		i := p.part(sql)
		s.renamed[i] = lexer.Name(groupColumn("k", k))
		return p.parts[i].mark
	default:
		s.uses(p, free)
	}
	return sql
}

// ended reads what follows a SELECT and returns the whole of it. outer is the scope of the SELECT around it.
func (p *parser) ended(s *scope, core string, outer *scope) string {
	var tail strings.Builder
	p.scope = s
	if s != nil {
		s.ordering, s.free = p.depth, nil
	}
	p.orderBy(&tail)
	p.scope = nil
	p.limit(&tail)
	own := -1
	if s != nil && s.table != "" && !s.sqlite && (s.grouped || s.aggregates && !s.windows) &&
		!slices.Contains(p.ctes, s.table) {
		own = len(p.groups)
		i := p.part(core + tail.String())
		g := &grouping{part: i, table: s.table, alias: s.alias, source: s.first, where: s.where,
			terms: s.terms, calls: s.calls, subqueries: s.subqueries, grouped: s.grouped}
		if len(s.descending) == len(s.terms) {
			g.descending = s.descending
		}
		p.groups = append(p.groups, g)
		sql := s.head + " FROM " + lexer.Name(groupColumn("g", own)) + " AS " + lexer.Name(s.alias)
		if s.having != "" {
			sql += " WHERE " + s.having
		}
		sql += tail.String()
		for part, to := range s.renamed {
			sql = strings.ReplaceAll(sql, p.parts[part].mark, to)
		}
		// a column of the output has aggregates in it
		for _, x := range s.items {
			if x.part < 0 || s.renamed[x.part] != "" {
				continue
			}
			written := x.written
			for _, c := range s.calls {
				written = strings.ReplaceAll(written, p.parts[c.part].mark, s.renamed[c.part])
			}
			sql = strings.ReplaceAll(sql, p.parts[x.part].mark, written)
		}
		p.parts[i].grouped = sql
		core, tail = p.parts[i].mark, strings.Builder{}
	}
	if outer != nil {
		outer.subqueries = append(outer.subqueries, own)
	}
	return core + tail.String()
}

// sameName compares names as SQLite does.
func sameName(a, b string) bool {
	lower := func(r rune) rune {
		if r >= 'A' && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}
	return a == b || strings.Map(lower, a) == strings.Map(lower, b)
}
