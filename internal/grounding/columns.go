package grounding

import (
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/grounding/prose"
	"github.com/stockhand/stockhand/internal/words"
)

// columnsOf returns the columns that a figure has to come from: in a table those with its heading, in prose those
// whose words are beside it. Nil means any.
func (c *checker) columnsOf(f *figure) []columnRef {
	if f.cell != nil {
		if spots := c.labels[labelKey(f.cell.label())]; len(spots) > 0 {
			return spots
		}
		if spots := c.labels[labelKey(f.cell.grid.first[f.cell.row])]; len(spots) > 0 {
			return spots
		}
		if spots := c.measuresIn(f.cell.label(), f); len(spots) > 0 {
			return spots
		}
		if len(c.doc.mentionsIn(c.doc.clauses[f.clause].Span)) > 0 {
			return nil // the row is of something, and not of a measure
		}
		return c.measuresIn(f.cell.grid.first[f.cell.row], f)
	}
	if spots := c.measures(c.doc, f); len(spots) > 0 {
		return spots
	}
	return c.verbBefore(f)
}

// verbs say a measure without a word for it: beginnings of verbs, by the names of the columns.
var verbs = map[string][]string{
	"revenue": {"sold", "sell", "продал", "продан"},
	"profit":  {"earned", "заработ"},
}

// verbBefore returns the columns that the last verb before a figure means, as far back as the figure before it.
func (c *checker) verbBefore(f *figure) (out []columnRef) {
	from := c.doc.clauses[f.clause].Start
	if first := c.doc.index(f.Start); first > 0 {
		from = max(from, c.doc.figures[first-1].UnitEnd)
	}
	said := prose.Tokens(c.doc.text[min(from, f.Start):f.Start])
	for _, t := range slices.Backward(said) {
		for name, all := range verbs {
			if !slices.ContainsFunc(all, func(v string) bool { return strings.HasPrefix(t.Folded, v) }) {
				continue
			}
			for table := range c.sources {
				for i, col := range c.sources[table].columns {
					if s := (columnRef{table, i}); col.Name == name && c.columnFits(s, f) {
						out = append(out, s)
					}
				}
			}
			return out
		}
	}
	return nil
}

// measures returns the columns whose labels' words come before a figure, as far back as the previous figure or name,
// or else after it, up to the next comma.
func (x *evidence) measures(d *document, f *figure) []columnRef {
	if f.cell != nil {
		return nil
	}
	cl := d.clauses[f.clause]
	from, to := cl.Start, cl.End
	first := d.index(f.Start)
	if first > 0 && d.figures[first-1].End > from {
		from = d.figures[first-1].End
		from += lastDivider(d.text[from:f.Start]) // "5 ₽ of revenue and": the words are those of the figure before
	}
	if at := d.index(f.Start + 1); at < len(d.figures) {
		to = min(to, d.figures[at].Start)
	}
	before, behindNames := d.around(cl.Span, f.Start)
	if len(before) > 0 {
		from = max(from, before[len(before)-1].End)
	}
	if len(behindNames) > 0 {
		to = min(to, behindNames[0].Start)
	}
	from, to = min(from, f.Start), max(to, f.End)
	if spots := x.measuresIn(d.text[from:f.Start], f); len(spots) > 0 {
		return spots
	}
	behind := d.text[f.End:to]
	if i := strings.IndexAny(behind, ",(—"); i >= 0 {
		behind = behind[:i]
	}
	if spots := x.measuresIn(behind, f); len(spots) > 0 {
		return spots
	}
	for i, end := first-1, from; i >= 0 && end > cl.Start; i-- { // "profit was 5 ₽ in September and 6 ₽ in October"
		start := cl.Start
		if i > 0 {
			start = max(start, d.figures[i-1].End)
		}
		if d.figures[i].End > cl.Start && start < end {
			if spots := x.measuresIn(d.without(prose.Span{Start: start, End: end}), f); len(spots) > 0 {
				return spots
			}
		}
		end = start
	}
	if first == 0 || d.figures[first-1].End <= cl.Start {
		return x.measuresIn(d.without(prose.Span{Start: cl.Start, End: from}), f)
	}
	return nil
}

// without returns a part of the text without the names in it, whose words are no measures.
func (d *document) without(part prose.Span) string {
	var b strings.Builder
	at := part.Start
	for _, m := range d.mentionsIn(part) {
		b.WriteString(d.text[at:max(at, m.Start)] + " ")
		at = min(m.End, part.End)
	}
	b.WriteString(d.text[at:part.End])
	return b.String()
}

// lastDivider returns the offset behind the last comma or conjunction of a text, or 0.
func lastDivider(text string) int {
	at := strings.LastIndexAny(text, ",;") + 1
	for _, t := range prose.Tokens(text) {
		switch t.Folded {
		case "и", "а", "and", "but", "while":
			at = max(at, t.End)
		}
	}
	return at
}

func (x *evidence) measuresIn(text string, f *figure) []columnRef {
	var out []columnRef
	words := wordsOf(text)
	longest := 0
	for label, spots := range x.labels { // a whole label is stronger evidence than some of its words
		if words == " "+label+" " {
			return spots
		}
		if len(label) <= longest || !strings.Contains(words, " "+label+" ") || len(words) > len(label)+2 &&
			!strings.Contains(label, " ") {
			continue
		}
		fitting := slices.DeleteFunc(slices.Clone(spots), func(s columnRef) bool { return !x.columnFits(s, f) })
		if len(fitting) > 0 {
			out, longest = fitting, len(label)
		}
	}
	if len(out) > 0 {
		return out
	}
	for _, t := range prose.Tokens(text) {
		for _, s := range x.words[measureKey(t.Folded)] {
			if x.columnFits(s, f) {
				out = append(out, s)
			}
		}
	}
	return out
}

func (x *evidence) columnFits(s columnRef, f *figure) bool {
	k := unitKind(x.sources[s.table].columns[s.column].Unit)
	return k != bare && f.fits(fact{kind: k})
}

// heading gives a number in a table the unit that the column's heading names.
func (c *checker) heading(f *figure) {
	if f.cell == nil || f.Kind != bare {
		return
	}
	label := f.cell.label()
	for _, r := range label {
		if u, ok := words.SignOf(r); ok {
			f.Kind, f.Currency = u.Kind, u.Currency
			return
		}
	}
	if i := strings.LastIndexAny(label, ",("); i > 0 {
		if u, ok := prose.UnitOf(strings.Trim(label[i:], ",() .")); ok && u.Kind != count && !u.Scale {
			f.Kind, f.Currency = u.Kind, u.Currency
		}
	}
}

func (c *cell) label() string {
	if c.column < len(c.grid.header) {
		return c.grid.header[c.column]
	}
	return ""
}

// labelKey makes labels comparable: only the words, without a unit after a comma or in brackets.
func labelKey(label string) string {
	if i := strings.LastIndexAny(label, ",("); i > 0 {
		if _, ok := prose.UnitOf(strings.Trim(label[i:], ",() .")); ok {
			label = label[:i]
		}
	}
	return strings.TrimSpace(wordsOf(label))
}

// measureKey is the beginning of a word of a label, which its other forms share; empty for words too common to tell
// columns apart.
func measureKey(word string) string {
	r := []rune(word)
	if len(r) < 4 {
		return ""
	}
	key := string(r[:min(len(r), 5)])
	switch key {
	case "товар", "склад", "сумма", "сумме", "сумму", "дней", "день", "цена", "item", "days", "total", "value", "goods",
		"почем", "номер", "name", "было", "befor":
		return ""
	}
	return key
}
