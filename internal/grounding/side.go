package grounding

import (
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/grounding/prose"
)

// side is the one of two periods that a figure is of, where the text compares them without naming them.
type side uint8

const (
	neither side = iota
	earlier
	later
)

var (
	earlierWords = strings.Fields("было была был были раньше ранее прежде before was were против against versus vs previously")
	laterWords   = strings.Fields("стало стала стал стали теперь сейчас now is became")
)

// sideOf returns the side that the words of a figure's clause give it: "было 5, стало 6", "с 5 до 6", "5 → 6",
// "6, before 5". A figure without such words, in a clause where another is the earlier one, is the later one.
func (c *checker) sideOf(f *figure) side {
	cl := c.doc.clauses[f.clause]
	if f.cell != nil || len(within(c.doc.whens, cl.Span)) > 0 {
		return neither
	}
	figures := c.doc.figuresIn(cl.Span)
	if len(figures) < 2 {
		return neither
	}
	own, others, last := neither, neither, neither
	for i, o := range figures {
		from, next := cl.Start, -1
		if i > 0 {
			from = figures[i-1].UnitEnd
		}
		if i+1 < len(figures) {
			next = figures[i+1].Start
		}
		s := c.sideBeside(from, o, next)
		gap := strings.TrimSpace(c.doc.text[min(from, o.Start):o.Start])
		if last == earlier && (gap == "до" || gap == "to") {
			s = later
		}
		last = s
		if o == f {
			own = s
		} else if s == earlier && o.Kind == f.Kind {
			others = earlier
		}
	}
	switch {
	case own != neither:
		return own
	case others == earlier && f.Kind == money && c.cuesNear(f)&(differenceCue|shareCue|sumCue|averageCue) == 0:
		return later
	}
	return neither
}

// sideBeside returns the side that the words between the figures before and after one give it.
func (c *checker) sideBeside(from int, f *figure, next int) side {
	before := c.doc.text[min(from, f.Start):f.Start]
	behind := ""
	if next >= f.UnitEnd {
		behind = c.doc.text[f.UnitEnd:next]
	}
	arrow := func(s string) bool { return s == "→" || s == "->" }
	last := ""
	if w := prose.LastWords(before, 1); len(w) > 0 {
		last = w[0]
	}
	switch {
	case arrow(strings.Trim(behind, " *_")):
		return earlier
	case arrow(strings.Trim(before, " *_")):
		return later
	case (last == "с" || last == "from") && (strings.TrimSpace(behind) == "до" || strings.TrimSpace(behind) == "to"):
		return earlier
	case slices.Contains(earlierWords, last):
		return earlier
	case slices.Contains(laterWords, last):
		return later
	}
	return neither
}

// onSide reports whether a fact is of the side that a figure is of. What is of neither is of both.
func (c *checker) onSide(f *figure, of fact) bool {
	if f.side == neither || of.table < 0 {
		return true
	}
	s := &c.sources[of.table]
	switch {
	case strings.HasSuffix(of.column, "_before"):
		return f.side == earlier
	case strings.Contains(of.column, "_change"):
		return c.cuesNear(f)&(upCue|downCue|differenceCue) != 0
	case s.other != nil && of.column != "":
		return f.side == later
	case s.period == nil || of.column == "":
		return true
	}
	for _, o := range c.sources { // the same was read of another period
		if o.tool == s.tool && o.period != nil && slices.Equal(o.filters, s.filters) && o.period.From != s.period.From {
			return (o.period.From < s.period.From) == (f.side == later)
		}
	}
	return true
}
