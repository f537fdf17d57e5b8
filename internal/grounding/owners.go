package grounding

import (
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/grounding/prose"
)

// attached returns the names that a figure belongs to: all names of its table row, or in prose the nearest of its
// clause.
func (x *evidence) attached(d *document, f *figure) []*name {
	cl := d.clauses[f.clause]
	var out []*name
	if cl.cell {
		for _, m := range d.mentionsIn(cl.Span) {
			if len(out) < mostNames {
				out = append(out, m.name)
			}
		}
		if f.cell != nil && f.cell.column < len(f.cell.grid.names) {
			out = append(out, f.cell.grid.names[f.cell.column]...)
		}
		return x.numeric(out)
	}
	if x.compares(d, cl.Span) {
		return x.numeric(d.namesIn(cl.Span)[:min(mostNames, len(d.mentionsIn(cl.Span)))])
	}
	all, later := d.around(cl.Span, f.Start)
	for _, r := range []role{subject, attribute, weak} {
		var before, behind *mention
		for i := range all {
			if all[i].name.role == r {
				before = &all[i]
			}
		}
		for i := range slices.Backward(later) {
			if later[i].name.role == r {
				behind = &later[i]
			}
		}
		switch {
		case before == nil && behind == nil:
		case before == nil:
			if !divided(d.text[f.End:behind.Start]) {
				out = append(out, behind.name)
			}
		case behind != nil && divided(d.text[before.End:f.Start]) && !divided(d.text[f.End:behind.Start]):
			out = append(out, behind.name)
		default:
			out = append(out, before.name)
		}
	}
	return x.numeric(out)
}

// compares reports whether a clause compares several names ("than", "respectively"). Then a figure may belong to any
// of them.
func (x *evidence) compares(d *document, s prose.Span) bool {
	if len(d.mentionsIn(s)) < 2 {
		return false
	}
	known, seen := x.comparing[s]
	if !seen || d.text != x.compared {
		if d.text != x.compared {
			x.comparing, x.compared = map[prose.Span]bool{}, d.text
		}
		known = hasWord(d.text[s.Start:s.End], comparing)
		x.comparing[s] = known
	}
	return known
}

var comparing = strings.Fields("чем против соответственно than versus vs respectively compared")

// numeric drops the names of rows without numbers, such as a list of warehouses: no figure comes from there.
func (x *evidence) numeric(names []*name) []*name {
	return slices.DeleteFunc(names, func(n *name) bool {
		if len(n.scopes) > 0 || len(n.about) > 0 {
			return false
		}
		for t := range n.rows {
			for _, c := range x.sources[t].columns {
				if unitKind(c.Unit) != bare {
					return false
				}
			}
		}
		return true
	})
}

// divided reports whether the text between a figure and a name separates them.
func divided(between string) bool {
	if strings.ContainsAny(between, ",:;(") {
		return true
	}
	for _, t := range prose.Tokens(between) {
		switch t.Folded {
		case "и", "а", "но", "and", "but", "while":
			return true
		}
	}
	return false
}

// inherited are the names that a clause passes on to the clauses below it.
type inherited struct {
	names []*name // the last of each role
	alone bool
}

// namesAbove returns the names of the nearest clause above that has any. Alone means that the clause is nothing but the
// names, as a heading is: then they apply as if they were beside the figure.
func (c *checker) namesAbove(f *figure) (names []*name, alone bool) {
	for at, steps := c.doc.clauses[f.clause].above, 0; at >= 0 && steps < 8; at, steps = c.doc.clauses[at].above,
		steps+1 {
		h, known := c.above[at]
		if !known {
			h = c.inheritedFrom(c.doc.clauses[at])
			c.above[at] = h
		}
		if len(h.names) > 0 {
			return h.names, h.alone
		}
	}
	return nil, false
}

func (c *checker) inheritedFrom(cl clause) inherited {
	all := c.numeric(c.doc.namesIn(cl.Span))
	var h inherited
	for _, r := range []role{subject, attribute, weak} {
		for _, n := range slices.Backward(all) {
			if n.role == r {
				h.names = append(h.names, n)
				break
			}
		}
	}
	words := len(prose.Tokens(c.doc.text[cl.Start:cl.End]))
	for _, m := range c.doc.mentionsIn(cl.Span) {
		words -= len(m.name.tokens)
	}
	ended := strings.HasSuffix(strings.TrimRight(c.doc.text[cl.Start:cl.End], " \t"), ".") // a heading is not
	h.alone = (words == 0 || words <= 2 && !ended) && len(c.doc.figuresIn(cl.Span)) == 0
	return h
}
