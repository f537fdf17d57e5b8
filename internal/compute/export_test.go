package compute

import (
	"context"

	"github.com/stockhand/stockhand/internal/tool"
)

// RunBySQLite runs a query without computing groups outside of SQLite.
func RunBySQLite(ctx context.Context, q Query) (*tool.Result, error) {
	q.onlySQLite = true
	return Run(ctx, q)
}

// Grouped returns how many groupings of a query are computed outside of SQLite.
func Grouped(ctx context.Context, q Query) int {
	columns := map[string]bool{}
	var schemas []schema
	for _, t := range q.Tables {
		s := schemaOf(t)
		for _, c := range s.columns {
			columns[c.name] = isText(c.Unit)
		}
		schemas = append(schemas, s)
	}
	p, _, err := rewrite(q.SQL, columns, "2026-11-22")
	if err != nil {
		return -1
	}
	p.group(ctx, schemas, new(remarks))
	done := 0
	for _, g := range p.groups {
		if g.done {
			done++
		}
	}
	return done
}
