package grounding

import (
	"slices"
	"strings"

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
		if len(c.doc.mentionsIn(c.doc.clauses[f.clause].span)) > 0 {
			return nil // the row is of something, and not of a measure
		}
		return c.measuresIn(f.cell.grid.first[f.cell.row], f)
	}
	return c.measures(c.doc, f)
}

// measures returns the columns whose labels' words come before a figure, as far back as the previous figure or name,
// or else after it, up to the next comma.
func (x *evidence) measures(d *document, f *figure) []columnRef {
	if f.cell != nil {
		return nil
	}
	cl := d.clauses[f.clause]
	from, to := cl.start, cl.end
	first := d.index(f.start)
	if first > 0 && d.figures[first-1].end > from {
		from = d.figures[first-1].end
		from += lastDivider(d.text[from:f.start]) // "5 ₽ of revenue and": the words are those of the figure before
	}
	if at := d.index(f.start + 1); at < len(d.figures) {
		to = min(to, d.figures[at].start)
	}
	before, behindNames := d.around(cl.span, f.start)
	if len(before) > 0 {
		from = max(from, before[len(before)-1].end)
	}
	if len(behindNames) > 0 {
		to = min(to, behindNames[0].start)
	}
	from, to = min(from, f.start), max(to, f.end)
	if spots := x.measuresIn(d.text[from:f.start], f); len(spots) > 0 {
		return spots
	}
	behind := d.text[f.end:to]
	if i := strings.IndexAny(behind, ",(—"); i >= 0 {
		behind = behind[:i]
	}
	if spots := x.measuresIn(behind, f); len(spots) > 0 {
		return spots
	}
	for i, end := first-1, from; i >= 0 && end > cl.start; i-- { // "profit was 5 ₽ in September and 6 ₽ in October"
		start := cl.start
		if i > 0 {
			start = max(start, d.figures[i-1].end)
		}
		if d.figures[i].end > cl.start && start < end {
			if spots := x.measuresIn(d.without(span{start, end}), f); len(spots) > 0 {
				return spots
			}
		}
		end = start
	}
	if first == 0 || d.figures[first-1].end <= cl.start {
		return x.measuresIn(d.without(span{cl.start, from}), f)
	}
	return nil
}

// without returns a part of the text without the names in it, whose words are no measures.
func (d *document) without(part span) string {
	var b strings.Builder
	at := part.start
	for _, m := range d.mentionsIn(part) {
		b.WriteString(d.text[at:max(at, m.start)] + " ")
		at = min(m.end, part.end)
	}
	b.WriteString(d.text[at:part.end])
	return b.String()
}

// lastDivider returns the offset behind the last comma or conjunction of a text, or 0.
func lastDivider(text string) int {
	at := strings.LastIndexAny(text, ",;") + 1
	for _, t := range tokens(text) {
		switch t.folded {
		case "и", "а", "and", "but", "while":
			at = max(at, t.end)
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
	for _, t := range tokens(text) {
		for _, s := range x.words[measureKey(t.folded)] {
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
	if f.cell == nil || f.kind != bare {
		return
	}
	label := f.cell.label()
	for _, r := range label {
		if u, ok := words.SignOf(r); ok {
			f.kind, f.currency = u.Kind, u.Currency
			return
		}
	}
	if i := strings.LastIndexAny(label, ",("); i > 0 {
		if u, ok := unitOf(strings.Trim(label[i:], ",() .")); ok && u.Kind != count && !u.Scale {
			f.kind, f.currency = u.Kind, u.Currency
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
		if _, ok := unitOf(strings.Trim(label[i:], ",() .")); ok {
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
		"почем", "номер", "name":
		return ""
	}
	return key
}
