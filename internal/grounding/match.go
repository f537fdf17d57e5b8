package grounding

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/grounding/prose"
)

// firstRows is the number of rows of a result that a model sees. A figure without a name may come from them.
const firstRows = 10

// fewRows is the maximum number of rows of a name for which a figure next to it may come from any of them. With more
// rows, it must be their number or a sum over them.
const fewRows = 12

// quotedBytes is the minimum length of a tool's sentence under a heading with a single name: a short one, such as
// "Total: 5 ₽", would be read as a figure of that name.
const quotedBytes = 70

// mostNames is the maximum number of names of a clause to consider on each side of a figure.
const mostNames = 16

// checker looks up the figures of one text.
type checker struct {
	*evidence
	doc    *document
	cues   cues
	above  map[int]inherited // by clause
	quotes map[prose.Span]*quotation
}

func newChecker(text string, l stockhand.Language, e Evidence) *checker {
	x := newEvidence(text, l, e)
	c := &checker{evidence: x, doc: x.read(text), cues: cues{map[prose.Span]cue{}, map[string]cue{}},
		above:  map[int]inherited{},
		quotes: map[prose.Span]*quotation{}}
	x.fits = c.fits
	return c
}

func (c *checker) id(p *location) string {
	if p.table < 0 || p.origin == FromPerson || p.origin == FromFigures {
		return ""
	}
	return c.sources[p.table].id
}

func (c *checker) matchAll() {
	for _, f := range c.doc.figures {
		f.found = c.match(f, nil)
	}
	c.unsaid()
	for _, f := range c.doc.figures {
		if f.found == nil {
			f.found = c.derive(f)
		}
		f.estimate = f.found == nil && c.isEstimate(f)
	}
}

// match looks up a figure in the only places from which it may come, and returns nil if it is not there. Where the
// words beside it say no measure, it is one of the usual columns; nil means any.
func (c *checker) match(f *figure, usual []columnRef) *location {
	cl := c.doc.clauses[f.clause]
	c.heading(f)
	f.Opposite = c.beside(f, lossCue)
	f.when, f.side = c.whenOf(f), c.sideOf(f)
	only := c.columnsOf(f)
	if f.only = only; len(only) == 0 {
		only = usual
	}
	names := c.attached(c.doc, f)
	strict, above := len(names) > 0, false
	if !strict {
		names, above = c.namesAbove(f)
		strict = above
	}
	if q := c.quote(cl.sentence); q != nil && !cl.cell &&
		(!above || cl.sentence.End-cl.sentence.Start > quotedBytes || q.about(names)) {
		f.verbatim = true
		return &location{FromText, q.table, "", -1}
	}
	if p := c.ofNames(f, names, only); p != nil {
		return p
	}
	if !cl.cell && c.compares(c.doc, cl.Span) {
		for _, n := range names {
			if p := c.ofNames(f, []*name{n}, only); p != nil {
				return p
			}
		}
	}
	if p := c.ofDays(f, only); p != nil {
		return p
	}
	if len(names) == 0 {
		if p := c.ofTime(f, only); p != nil {
			return p
		}
	}
	if !strict || c.totalBeside(f) {
		if p := c.first(f, c.global, only); p != nil {
			return p
		}
		if p := c.counted(f); p != nil && len(names) == 0 {
			return p
		}
		if p := c.first(f, c.asked, nil); p != nil {
			return p
		}
	}
	if p := c.first(f, c.said, nil); p != nil {
		return p
	}
	if !strict && len(names) == 0 && f.Significant() >= 3 && !c.dated(f) {
		return c.shown(f, only)
	}
	return nil
}

// quotation is a sentence copied verbatim from the texts of a source.
type quotation struct {
	table  int
	owners []string // titles of the documents that it is about
}

// about reports whether the quoted text is about one of the names.
func (q *quotation) about(names []*name) bool {
	return slices.ContainsFunc(names, func(
		n *name) bool {
		return slices.Contains(q.owners, strings.Join(n.tokens, " "))
	})
}

// quote looks up a sentence in the texts of the sources, and returns nil if it is in none.
func (c *checker) quote(s prose.Span) *quotation {
	if q, known := c.quotes[s]; known {
		return q
	}
	var found *quotation
	sentence := strings.TrimLeft(plainWording(c.doc.text[s.Start:s.End]), "-•+>#| ")
	if utf8.RuneCountInString(sentence) >= 20 {
		for t := range c.sources {
			for _, w := range c.sources[t].wording {
				if !says(w.plain, sentence) {
					continue
				}
				if found == nil {
					found = &quotation{table: t}
				}
				found.owners = append(found.owners, w.owner)
			}
		}
	}
	c.quotes[s] = found
	return found
}

// says reports whether a text has a sentence outside of quotation marks.
func says(text, sentence string) bool {
	before, _, found := strings.Cut(text, sentence)
	return found && strings.Count(before, "«") <= strings.Count(before, "»") &&
		strings.Count(before, "“") <= strings.Count(before, "”")
}

// first returns the first of the facts that is the figure.
func (c *checker) first(f *figure, facts []fact, only []columnRef) *location {
	for _, of := range facts {
		if c.same(f, of, only) {
			return &of.location
		}
	}
	return nil
}

// same reports whether a figure equals a fact in value and kind, in a column that the words next to it allow.
func (x *evidence) same(f *figure, of fact, only []columnRef) bool {
	if !f.fits(of) || !f.is(of) || !x.inTime(f, of) || x.fits != nil && !x.fits(f, of) {
		return false
	}
	f.exact = of
	return isOf(of, only)
}

// isOf reports whether a fact may be of one of the columns; one of no known column may.
func isOf(of fact, only []columnRef) bool {
	if len(only) == 0 || len(of.measures) == 0 {
		return true
	}
	for _, s := range of.measures {
		if slices.Contains(only, s) {
			return true
		}
	}
	return !slices.ContainsFunc(only, func(o columnRef) bool { return o.table == of.table })
}
