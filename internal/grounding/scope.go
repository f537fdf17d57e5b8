package grounding

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/grounding/prose"
)

// scoping are the arguments of tools that restrict a result to some of the account's goods, warehouses or partners.
var scoping = []string{"stores", "groups", "suppliers", "products", "counterparties", "employees"}

// filtersOf returns the names to which a tool's arguments restrict its result, as words.
func filtersOf(arguments json.RawMessage) []string {
	var in map[string]any
	if json.Unmarshal(arguments, &in) != nil {
		return nil
	}
	var out []string
	add := func(v any) {
		all, _ := v.([]any)
		for _, one := range all {
			if s, ok := one.(string); ok && strings.TrimSpace(wordsOf(s)) != "" {
				out = append(out, wordsOf(s))
			}
		}
	}
	for _, name := range scoping {
		add(in[name])
	}
	conditions, _ := in["where"].([]any)
	for _, w := range conditions {
		if m, ok := w.(map[string]any); ok && (m["op"] == "=" || m["op"] == "in") {
			add(m["values"])
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// whole are the words that say that a figure covers everything.
var whole = strings.Fields("весь вся всего всему всем всей целом магазину whole entire overall all altogether")

// inScope reports whether a fact covers what the words around the figure say. It matters only if the same tool was
// called for a part and for the whole.
func (c *checker) inScope(f *figure, of fact) bool {
	if c.doc == nil || of.table < 0 || of.origin == FromPeriod || of.origin == FromArgument || of.origin == FromCell {
		return true
	}
	s := &c.sources[of.table]
	if !slices.ContainsFunc(c.sources, func(o source) bool {
		return o.tool == s.tool && !slices.Equal(o.filters, s.filters)
	}) {
		return true
	}
	switch named, all := c.scopeOf(f); {
	case all:
		return len(s.filters) == 0
	case len(named) > 0:
		return slices.ContainsFunc(s.filters, func(n string) bool { return slices.Contains(named, n) }) ||
			len(s.filters) == 0 && c.totalBeside(f)
	}
	return true
}

// fits reports whether a fact covers what the words around the figure say, and changed in their direction.
func (c *checker) fits(f *figure, of fact) bool {
	return c.doc == nil || c.turned(f, of) && c.onSide(f, of) && c.reaches(f, of) && c.inScope(f, of)
}

// turned reports whether a fact is a change where the words before the figure say so, and in their direction.
func (c *checker) turned(f *figure, of fact) bool {
	if f.cell != nil || of.table < 0 || of.origin == FromText {
		return true
	}
	before := c.beforeFigure(f)
	cues := cuesIn(before)
	if !strings.Contains(of.column, "_change") {
		last := prose.LastWords(before, 1)
		return cues&(upCue|downCue) == 0 || len(last) == 0 || last[0] != "на" && last[0] != "by"
	}
	if len(prose.Tokens(before)) > 1 && cues&(upCue|downCue|differenceCue) == 0 {
		return false
	}
	cues = c.cuesNear(f)
	return f.Negative || of.value.Sign() >= 0 && (cues&downCue == 0 || cues&upCue != 0) ||
		of.value.Sign() < 0 && (cues&upCue == 0 || cues&downCue != 0)
}

// beforeFigure returns the text of the clause between the figure before and this one.
func (c *checker) beforeFigure(f *figure) string {
	from := max(c.doc.clauses[f.clause].Start, f.Start-farthest)
	if at := c.doc.index(f.Start); at > 0 {
		from = max(from, c.doc.figures[at-1].End)
	}
	return strings.ToValidUTF8(c.doc.text[min(from, f.Start):f.Start], "")
}

// scopeOf returns the filters of results that the figure's sentence names, or the one above it, or that it says to
// cover everything.
func (c *checker) scopeOf(f *figure) (named []string, all bool) {
	cl := c.doc.clauses[f.clause]
	if f.cell == nil && c.ofTheWhole(f) {
		return nil, true
	}
	for at, steps := f.clause, 0; at >= 0 && steps < 4; at, steps = c.doc.clauses[at].above, steps+1 {
		text := wordsOf(c.doc.text[c.doc.clauses[at].Start:c.doc.clauses[at].End])
		for _, s := range c.sources {
			for _, n := range s.filters {
				if strings.Contains(text, n) && !slices.Contains(named, n) {
					named = append(named, n)
				}
			}
		}
		if len(named) > 0 {
			return named, false
		}
		if at == f.clause && f.cell == nil && hasWord(c.doc.text[cl.Start:f.Start], whole) {
			return nil, true
		}
	}
	return nil, false
}

// ofTheWhole reports whether the words around a figure say that it is the whole of which another is a part: "5 ₽ of
// 20 ₽", "20 ₽ in the whole shop".
func (c *checker) ofTheWhole(f *figure) bool {
	before := c.beforeFigure(f)
	at := c.doc.index(f.Start)
	last := prose.LastWords(before, 1)
	if at > 0 && len(last) > 0 && (last[0] == "из" || last[0] == "of") && len(prose.Tokens(before)) <= 2 &&
		c.doc.figures[at-1].Start >= c.doc.clauses[f.clause].Start && c.doc.figures[at-1].Kind == f.Kind {
		return true
	}
	end := c.doc.clauses[f.clause].End
	if at+1 < len(c.doc.figures) {
		end = min(end, c.doc.figures[at+1].Start)
	}
	behind := c.doc.text[f.UnitEnd:max(f.UnitEnd, end)]
	if i := strings.IndexAny(behind, ",;:(—–."); i >= 0 {
		behind = behind[:i]
	}
	return hasWord(behind, whole)
}
