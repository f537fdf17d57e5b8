// Package compute runs a SELECT over results: joins, groups, windows and arithmetic that no tool has.
//
// Numbers are exact. The surprising decision (0041): SQLite computes with floats, so it is not allowed to compute. The
// query is parsed and rewritten with functions of ours for arithmetic, comparisons and sums; numbers are BLOBs that
// sort like numbers and carry their currency or unit of measure. Only division rounds. What the parser does not know
// never reaches SQLite, whose database is empty but for the tables of the query and is thrown away afterwards.
package compute

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/compute/lexer"
	"github.com/stockhand/stockhand/internal/tool"
)

// Table is a result that a query may read.
type Table struct {
	Name   string             // in the query: r1, r2, …
	Result stockhand.ResultID // for the provenance
	tool.Table
}

// Query is a SELECT over tables.
type Query struct {
	SQL      string
	Tables   []Table
	Language stockhand.Language
	Now      time.Time // in the account's time zone; what 'now' means

	onlySQLite bool // for tests: the groups, too
}

// The bounds of a query. They hold whatever it says.
const (
	maxTime    = 5 * time.Second
	maxRowsIn  = 300_000  // of the tables that the query reads
	maxBytesIn = 64 << 20 // of their cells
	maxRows    = 10_000   // of the output
	maxColumns = 100      // of the output
	maxMemory  = 256 << 20
)

// Run runs the query and returns its rows as a result whose provenance names the tables and the SQL. Errors in the
// query are VALIDATION_FAILED with a message that says how to correct it, and the tables with their columns. Others are
// those of reading the tables.
func Run(ctx context.Context, q Query) (*tool.Result, error) {
	schemas := make([]schema, len(q.Tables))
	for i, t := range q.Tables {
		schemas[i] = schemaOf(t)
	}
	out, err := run(ctx, q, schemas)
	if e, ok := errors.AsType[*stockhand.Error](err); ok && e.Code == stockhand.CodeValidation {
		err = mistake("%s", e.Message).WithHint("%s", describe(schemas))
	}
	return out, err
}

func run(ctx context.Context, q Query, schemas []schema) (*tool.Result, error) {
	columns := map[string]bool{}
	for _, s := range schemas {
		for _, c := range s.columns {
			key := strings.ToLower(c.name)
			known, ok := columns[key]
			columns[key] = isText(c.Unit) && (known || !ok)
		}
	}
	p, sql, err := rewrite(q.SQL, columns, q.Now.Format(time.DateOnly))
	if err != nil {
		return nil, err
	}
	used, err := usedTables(schemas, p)
	if err != nil {
		return nil, err
	}
	ctx, stop := context.WithTimeout(ctx, maxTime)
	defer stop()
	var o output
	if q.onlySQLite {
		p.groups = nil
	}
	notes, err := evaluate(ctx, used, p, sql, &o)
	if err != nil {
		return nil, err
	}
	return o.result(q, used, notes)
}

// usedTables returns the tables that a query names, with the columns that it may need.
func usedTables(schemas []schema, p *parser) ([]schema, error) {
	var used []schema
	for _, n := range p.tables {
		i := slices.IndexFunc(schemas, func(s schema) bool { return s.Name == n })
		switch {
		case slices.Contains(p.ctes, n) || slices.ContainsFunc(used, func(s schema) bool { return s.Name == n }):
			continue
		case i < 0:
			return nil, mistake("there is no table %s", lexer.Text(clip(n)))
		}
		s := schemas[i]
		s.columns = slices.DeleteFunc(slices.Clone(s.columns), func(c column) bool {
			return !p.star && !p.names[strings.ToLower(c.name)]
		})
		used = append(used, s)
	}
	return used, nil
}

func mistake(format string, args ...any) *stockhand.Error {
	return stockhand.Errorf(stockhand.CodeValidation, format, args...)
}

// schema is a table with the names of its columns in SQL.
type schema struct {
	Table
	columns []column
	unit    int              // the column with the unit of measure of a row's quantities; −1 for none
	groups  [][]driver.Value // the rows instead of a result's
}

type column struct {
	tool.Column
	index int    // in the result
	name  string // in SQL
}

// maxName is the longest name of a column in bytes.
const maxName = 200

// schemaOf names the columns of a table. A column without a name that SQL can have is called by its number; of those
// with the same name, all but the first have a number added.
func schemaOf(t Table) schema {
	s := schema{Table: t, unit: -1}
	taken := map[string]bool{}
	for i, c := range t.Columns {
		n := c.Name
		if n == "" || len(n) > maxName || strings.IndexFunc(n, unicode.IsControl) >= 0 || !utf8.ValidString(n) {
			n = fmt.Sprintf("column_%d", i+1)
		}
		unique := n
		for k := 2; taken[strings.ToLower(unique)]; k++ {
			unique = fmt.Sprintf("%s_%d", n, k)
		}
		taken[strings.ToLower(unique)] = true
		s.columns = append(s.columns, column{c, i, unique})
		if c.Name == "unit" && c.Unit == tool.UnitText {
			s.unit = i
		}
	}
	return s
}

func isText(u tool.Unit) bool {
	return u == tool.UnitText || u == tool.UnitDate || u == tool.UnitMoment
}

// How much of the tables an error describes.
const (
	describedTables  = 10
	describedColumns = 40
	describedName    = 60 // characters
)

// describe lists the tables with their columns, so that a query can be corrected.
func describe(schemas []schema) string {
	var b strings.Builder
	b.WriteString("Tables:")
	if len(schemas) == 0 {
		b.WriteString(" none")
	}
	for i, s := range schemas[max(0, len(schemas)-describedTables):] {
		if i > 0 {
			b.WriteByte(';')
		}
		fmt.Fprintf(&b, " %s(", s.Name)
		for i, c := range s.columns {
			if i > 0 {
				b.WriteString(", ")
			}
			if i == describedColumns {
				fmt.Fprintf(&b, "… and %d more", len(s.columns)-i)
				break
			}
			shown := c.name
			if r := []rune(shown); len(r) > describedName {
				shown = string(r[:describedName]) + "…"
			}
			if strings.Trim(shown, "abcdefghijklmnopqrstuvwxyz0123456789_") != "" {
				shown = lexer.Name(shown)
			}
			b.WriteString(shown + " " + string(c.Unit))
			if c.name != c.Name {
				fmt.Fprintf(&b, " [column %d]", c.index+1)
			}
			if c.Hidden {
				b.WriteString(" hidden")
			}
		}
		b.WriteByte(')')
	}
	return b.String()
}
