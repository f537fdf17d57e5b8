package compute

import (
	"fmt"
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/compute/lexer"
)

// scope is what is known of a SELECT while it is read.
type scope struct {
	items      []item
	free       []string // the columns of the current item that are outside of aggregates
	groups     []string // the terms of GROUP BY, rewritten, in lower case
	grouped    bool
	aggregates bool
	chooses    bool // min or max chooses the row that other columns come from

	// for computing the groups without SQLite
	sqlite       bool // only SQLite can
	windows      bool
	table, alias string
	first        int    // of the parser's tables that is this scope's
	head         string // up to FROM
	where        *node
	terms        []groupTerm
	calls        []groupCall
	having       string
	renamed      map[int]string // by part: the column of the groups
	subqueries   []int          // the groupings of queries in expressions; −1 for others
	descending   []bool         // by term of ORDER BY
	ordering     int            // how deep the terms of ORDER BY are; 0 before them
}

// item is a column of the output.
type item struct {
	sql, alias string // rewritten, in lower case
	written    string // rewritten
	node       *node
	part       int // −1 for a column and nothing else
	free       []string
}

// ungrouped fails if a column of the output is neither grouped nor aggregated: SQLite would take its value from any row
// of the group.
func (p *parser) ungrouped() {
	s := p.scope
	if !s.grouped && !s.aggregates || s.chooses {
		return
	}
	for i, x := range s.items {
		if slices.Contains(s.groups, x.sql) || slices.Contains(s.groups, fmt.Sprint(i+1)) ||
			x.alias != "" && slices.Contains(s.groups, x.alias) {
			continue
		}
		for _, c := range x.free {
			own := strings.ToLower(lexer.Name(c))
			if !slices.ContainsFunc(s.groups,
				func(g string) bool { return g == own || strings.HasSuffix(g, "."+own) }) {
				p.fail("the column %s is neither grouped nor aggregated: add it to GROUP BY, or use sum(), min() or max()",
					lexer.Text(clip(c)))
			}
		}
	}
}
