package compose

import (
	"slices"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/language/query"
)

// shareOfName shows what part of the whole a name is: its dimension is the breakdown, and not a condition.
func (d *draft) shareOfName() {
	if !d.q.Share || len(d.q.By) > 0 {
		return
	}
	for i, w := range d.q.Where {
		if len(w.Values) > mostHighlighted { // all rows of a table
			return
		}
		if _, ok := d.Catalogue.Dimension(w.Field); ok && w.Op == analysis.In {
			d.q.By, d.q.Highlight = []string{w.Field}, w.Values
			d.q.Where = slices.Delete(slices.Clone(d.q.Where), i, i+1)
			return
		}
	}
}

// shareOfShown shows what part of the whole the one name is that was shown: "какая доля" after the sales of one group
// is the share of that group, and not of each of its goods (rule R946). Without a name or rows there is no share.
func (d *draft) shareOfShown() {
	p, n := d.Previous, &d.q
	if p == nil || d.shareWord == nil || !n.Share || p.Share || len(d.q.Highlight) > 0 || d.saysBy() {
		return
	}
	at := d.shareWord.At
	one := whichShare[d.Tokens[at].Norm] || at > 0 && whichShare[d.Tokens[at-1].Norm] ||
		at > 1 && whichShare[d.Tokens[at-2].Norm]
	var named []int
	for i, w := range n.Where {
		if _, ok := d.Catalogue.Dimension(w.Field); ok && w.Op == analysis.In && len(w.Values) == 1 {
			named = append(named, i)
		}
	}
	if len(n.By) > 0 && (!one || len(named) != 1 || d.stems(eachStem)) {
		return
	}
	if len(named) != 1 {
		n.Share, d.shareWord.Used = false, false // a share of what?
		return
	}
	w := n.Where[named[0]]
	q := *n
	q.By, q.Highlight, q.Order, q.Limit = []string{w.Field}, w.Values, nil, 0
	q.Where = slices.Delete(slices.Clone(n.Where), named[0], named[0]+1)
	if query.Possible(d.Catalogue, q) {
		*n = q
	}
}

// ofOrdered puts the measure that the rows are ordered by first where shares are asked for: parts are of the first
// measure, and after "прибыль за неделю" those of the profit are meant (rule R1168).
func (d *draft) ofOrdered(n *analysis.Query) {
	if !n.Share || d.shareWord == nil || len(n.Order) == 0 {
		return
	}
	i := slices.Index(n.Measures, n.Order[0].Field)
	if m, ok := d.Catalogue.Measure(n.Order[0].Field); i <= 0 || !ok || !m.Adds {
		return
	}
	n.Measures = append([]string{n.Measures[i]}, slices.Delete(slices.Clone(n.Measures), i, i+1)...)
}
