package grounding

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/words"
)

// firstRows is how many rows of a result a model is shown; a figure without a name may come from them.
const firstRows = 10

// fewRows is up to how many rows a name may have for a figure beside it to be any of theirs; of more rows it has to be
// their number or a sum over them.
const fewRows = 12

// quotedBytes is how long a tool's own sentence has to be to stand under a heading of one name: a short one, "Total: 5
// ₽", would be read as that name's.
const quotedBytes = 70

// mostNames is how many names of a clause are looked at on each side of a figure.
const mostNames = 16

// checker looks up the figures of one text.
type checker struct {
	*evidence
	doc    *document
	cues   cues
	held   map[int]held // what names clauses hand down
	quotes map[span]*quotation
}

func newChecker(text string, l stockhand.Language, e Evidence) *checker {
	x := newEvidence(text, l, e)
	return &checker{evidence: x, doc: x.read(text), cues: cues{map[span]cue{}, map[string]cue{}}, held: map[int]held{},
		quotes: map[span]*quotation{}}
}

func (c *checker) id(p *place) string {
	if p.table < 0 || p.origin == FromPerson || p.origin == FromFigures {
		return ""
	}
	return c.sources[p.table].id
}

func (c *checker) matchAll() {
	for _, f := range c.doc.figures {
		f.found = c.match(f)
	}
	for _, f := range c.doc.figures {
		if f.found == nil {
			f.found = c.derive(f)
		}
	}
}

// match looks a figure up where it has to be.
func (c *checker) match(f *figure) *place {
	cl := c.doc.clauses[f.clause]
	c.heading(f)
	f.opposite = c.beside(f, lossCue)
	only := c.columnsOf(f)
	names := c.attached(c.doc, f)
	strict, above := len(names) > 0, false
	if !strict {
		names, above = c.inherited(f)
		strict = above
	}
	if q := c.quote(cl.sentence); q != nil && !cl.cell &&
		(!above || cl.sentence.end-cl.sentence.start > quotedBytes || q.about(names)) {
		f.verbatim = true
		return &place{FromText, q.table, "", -1}
	}
	if p := c.ofNames(f, names, only); p != nil {
		return p
	}
	if !cl.cell && c.compares(c.doc, cl.span) {
		for _, n := range names {
			if p := c.ofNames(f, []*name{n}, only); p != nil {
				return p
			}
		}
	}
	if p := c.ofDays(f, only); p != nil {
		return p
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
	if !strict && len(names) == 0 && f.significant() >= 3 {
		return c.shown(f, only)
	}
	return nil
}

// quotation is a sentence that is word for word in a text of a table.
type quotation struct {
	table  int
	owners []string // of the documents whose text it is
}

// about tells whether the quoted text is of what one of the names names.
func (q *quotation) about(names []*name) bool {
	return slices.ContainsFunc(names, func(
		n *name) bool {
		return slices.Contains(q.owners, strings.Join(n.tokens, " "))
	})
}

// quote tells which tool's text has this sentence; nil for none.
func (c *checker) quote(s span) *quotation {
	if q, known := c.quotes[s]; known {
		return q
	}
	var found *quotation
	sentence := strings.TrimLeft(plainWording(c.doc.text[s.start:s.end]), "-•+>#| ")
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

// says tells whether a text has a sentence, and not as a name in quotes.
func says(text, sentence string) bool {
	before, _, found := strings.Cut(text, sentence)
	return found && strings.Count(before, "«") <= strings.Count(before, "»") &&
		strings.Count(before, "“") <= strings.Count(before, "”")
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

// columnsOf are the columns that a figure has to come from: of a table, those with the heading above it; of prose,
// those whose words stand beside it. Nil leaves it open.
func (c *checker) columnsOf(f *figure) []spot {
	if f.cell != nil {
		if spots := c.labels[labelKey(f.cell.label())]; len(spots) > 0 {
			return spots
		}
		return c.labels[labelKey(f.cell.grid.first[f.cell.row])]
	}
	return c.measures(c.doc, f)
}

// measures are the columns whose labels' words stand before a figure, back to the figure or name before it, or else
// behind it up to the next comma.
func (x *evidence) measures(d *document, f *figure) []spot {
	if f.cell != nil {
		return nil
	}
	cl := d.clauses[f.clause]
	from, to := cl.start, cl.end
	if at := d.index(f.start); at > 0 {
		from = max(from, d.figures[at-1].end)
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
	return x.measuresIn(behind, f)
}

func (x *evidence) measuresIn(text string, f *figure) []spot {
	var out []spot
	words := wordsOf(text)
	longest := 0
	for label, spots := range x.labels { // a whole label says more than its words
		if words == " "+label+" " {
			return spots
		}
		if len(label) <= longest || !strings.Contains(words, " "+label+" ") || len(words) > len(label)+2 &&
			!strings.Contains(label, " ") {
			continue
		}
		fitting := slices.DeleteFunc(slices.Clone(spots), func(s spot) bool { return !x.columnFits(s, f) })
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

func (x *evidence) columnFits(s spot, f *figure) bool {
	k := unitKind(x.sources[s.table].columns[s.column].Unit)
	return k != bare && f.fits(fact{kind: k})
}

// attached are the names that a figure belongs to: all of its table row, or in prose the nearest of its clause.
func (x *evidence) attached(d *document, f *figure) []*name {
	cl := d.clauses[f.clause]
	var out []*name
	if cl.cell {
		for _, m := range d.mentionsIn(cl.span) {
			if len(out) < mostNames {
				out = append(out, m.name)
			}
		}
		if f.cell != nil && f.cell.column < len(f.cell.grid.names) {
			out = append(out, f.cell.grid.names[f.cell.column]...)
		}
		return x.numeric(out)
	}
	if x.compares(d, cl.span) {
		return x.numeric(d.namesIn(cl.span)[:min(mostNames, len(d.mentionsIn(cl.span)))])
	}
	all, later := d.around(cl.span, f.start)
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
			if !divided(d.text[f.end:behind.start]) {
				out = append(out, behind.name)
			}
		case behind != nil && divided(d.text[before.end:f.start]) && !divided(d.text[f.end:behind.start]):
			out = append(out, behind.name)
		default:
			out = append(out, before.name)
		}
	}
	return x.numeric(out)
}

// compares tells whether a clause sets several names against each other, "than", "respectively": then a figure may be
// of any of them.
func (x *evidence) compares(d *document, s span) bool {
	if len(d.mentionsIn(s)) < 2 {
		return false
	}
	known, seen := x.comparing[s]
	if !seen || d.text != x.compared {
		if d.text != x.compared {
			x.comparing, x.compared = map[span]bool{}, d.text
		}
		known = hasWord(d.text[s.start:s.end], comparing)
		x.comparing[s] = known
	}
	return known
}

var comparing = strings.Fields("чем против соответственно than versus vs respectively compared")

// numeric leaves out names of rows without a single number, such as those of a list of warehouses: they say nothing
// about where a figure has to be.
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

// divided tells whether something between a figure and a name keeps them apart.
func divided(between string) bool {
	if strings.ContainsAny(between, ",:;(") {
		return true
	}
	for _, t := range tokens(between) {
		switch t.folded {
		case "и", "а", "но", "and", "but", "while":
			return true
		}
	}
	return false
}

// held is what a clause hands down to those below it.
type held struct {
	names []*name // the last of each role
	alone bool
}

// inherited are the names of the nearest clause above that has any. Alone says that the clause is nothing but them, as
// a heading is: then they hold as if they stood beside the figure.
func (c *checker) inherited(f *figure) (names []*name, alone bool) {
	for at, steps := c.doc.clauses[f.clause].above, 0; at >= 0 && steps < 8; at, steps = c.doc.clauses[at].above,
		steps+1 {
		h, known := c.held[at]
		if !known {
			h = c.holds(c.doc.clauses[at])
			c.held[at] = h
		}
		if len(h.names) > 0 {
			return h.names, h.alone
		}
	}
	return nil, false
}

func (c *checker) holds(cl clause) held {
	all := c.numeric(c.doc.namesIn(cl.span))
	var h held
	for _, r := range []role{subject, attribute, weak} {
		for _, n := range slices.Backward(all) {
			if n.role == r {
				h.names = append(h.names, n)
				break
			}
		}
	}
	words := len(tokens(c.doc.text[cl.start:cl.end]))
	for _, m := range c.doc.mentionsIn(cl.span) {
		words -= len(m.name.tokens)
	}
	h.alone = words <= 2 && len(c.doc.figuresIn(cl.span)) == 0
	return h
}

// ofNames looks among the rows that all the names have in common.
func (c *checker) ofNames(f *figure, names []*name, only []spot) *place {
	if len(names) == 0 {
		return nil
	}
	for t := range c.sources {
		rows, all := c.common(names, t)
		if len(rows) == 0 {
			continue
		}
		if len(rows) <= fewRows {
			for _, row := range rows {
				if p := c.inRow(f, t, row, only); p != nil {
					return p
				}
			}
		}
		if p := c.overRows(f, t, rows, all, only); p != nil {
			return p
		}
	}
	for _, n := range names {
		if p := c.first(f, n.about, only); p != nil {
			return p
		}
		for t := range n.scopes {
			for _, of := range c.global {
				if of.table == t && c.same(f, of, only) {
					return &of.place
				}
			}
		}
	}
	return nil
}

// common are the rows of a table that every name has which has any there. All is a key of them.
func (c *checker) common(names []*name, t int) (rows []int, all string) {
	first := true
	for _, n := range names {
		of := n.rows[t]
		if len(of) == 0 {
			continue
		}
		all += "\x00" + strings.Join(n.tokens, " ")
		if first {
			rows, first = of, false
			continue
		}
		rows = slices.DeleteFunc(slices.Clone(rows),
			func(r int) bool { _, in := slices.BinarySearch(of, r); return !in })
	}
	return rows, all
}

// ownWords are the columns of words that tools write themselves. The words of other columns are of the account's data,
// where anybody may have written anything: they prove no figure.
var ownWords = map[string]bool{"details": true, "reason": true, "flags": true}

// inRow looks in the cells of a row.
func (x *evidence) inRow(f *figure, t, row int, only []spot) *place {
	s := &x.sources[t]
	restricted := slices.ContainsFunc(only, func(o spot) bool { return o.table == t })
	for i, column := range s.columns {
		if i >= len(s.rows[row]) {
			break
		}
		cell := s.rows[row][i]
		if restricted && !slices.Contains(only, spot{t, i}) {
			continue
		}
		if of, ok := cellFact(column, cell); ok {
			of.place = place{FromCell, t, column.Name, row}
			if x.same(f, of, nil) {
				return &of.place
			}
			continue
		}
		if text := cell.Text(); ownWords[column.Name] && strings.ContainsAny(text, "0123456789") {
			inner := &scanner{text: cell.Text(), l: x.l, years: x.years}
			inner.scan()
			for _, g := range inner.found {
				for _, r := range g.readings {
					of := fact{value: r.value, kind: g.kind, currency: g.currency, noun: g.noun,
						place: place{FromCell, t, column.Name, row}}
					if x.same(f, of, nil) {
						return &of.place
					}
				}
			}
		}
	}
	return nil
}

// ofDays looks in the rows of the days that the clause names.
func (c *checker) ofDays(f *figure, only []spot) *place {
	cl := c.doc.clauses[f.clause]
	from, _ := slices.BinarySearchFunc(c.doc.dates, cl.start,
		func(d date, start int) int { return cmp.Compare(d.start, start) })
	for at := from; at < len(c.doc.dates) && at < from+mostNames && c.doc.dates[at].start < cl.end; at++ {
		d := c.doc.dates[at]
		for t, rows := range c.days[d.key] {
			for _, row := range rows {
				if p := c.inRow(f, t, row, only); p != nil {
					return p
				}
			}
		}
	}
	return nil
}

// shown looks in the rows that the model was shown.
func (c *checker) shown(f *figure, only []spot) *place {
	for t := range c.sources {
		for row := range min(firstRows, len(c.sources[t].rows)) {
			if p := c.inRow(f, t, row, only); p != nil {
				return p
			}
		}
	}
	return nil
}

// first is the first of the facts that is the figure.
func (c *checker) first(f *figure, facts []fact, only []spot) *place {
	for _, of := range facts {
		if c.same(f, of, only) {
			return &of.place
		}
	}
	return nil
}

// same tells whether a figure is that fact: in value, in kind, and of a column that the words beside it allow.
func (x *evidence) same(f *figure, of fact, only []spot) bool {
	if !f.fits(of) || !f.is(of) {
		return false
	}
	if len(only) == 0 || len(of.measures) == 0 {
		return true
	}
	for _, s := range of.measures {
		if slices.Contains(only, s) {
			return true
		}
	}
	return !slices.ContainsFunc(only, func(o spot) bool { return o.table == of.table })
}

// is tells whether one of the readings of a figure is that value.
func (f *figure) is(of fact) bool {
	for _, r := range f.readings {
		if r.rounds(of.value, f, of.exact) {
			return true
		}
		if of.value.Sign() < 0 && !f.negative && f.opposite && r.rounds(of.value.Neg(), f, of.exact) {
			return true
		}
	}
	return false
}

// rounds tells whether a value is written as r by someone who rounds.
func (r reading) rounds(value decimal.Decimal, f *figure, exact bool) bool {
	if r.value.Cmp(value) == 0 {
		return true
	}
	if exact || f.kind == count && f.about == exactly && !f.scaled || !value.Valid() || !r.value.Valid() {
		return false
	}
	gap := value.Sub(r.value)
	size := gap.Abs()
	last := r.last
	if f.about != exactly {
		for _, ten := range []int64{10, 100, 1000, 10000, 100000, 1000000} { // "about 1,200": the zeros are not meant
			step := decimal.FromInt(ten)
			if q := r.value.Div(step); q.Round(0).Cmp(q) != 0 || r.value.Abs().Less(step.Mul(decimal.FromInt(10))) {
				break
			}
			last = last.Max(step)
		}
	}
	allowed := last.Div(decimal.FromInt(2))
	switch f.about {
	case moreThan, lessThan:
		if (gap.Sign() < 0) == (f.about == moreThan) {
			return false
		}
		allowed = last
	case roughly:
		allowed = last
	case exactly:
	}
	if size.Cmp(allowed) > 0 {
		return false
	}
	if r.value.IsZero() { // nothing is not a little
		return last.Less(decimal.One)
	}
	if f.scaled || f.about != exactly {
		return size.Mul(decimal.FromInt(10)).Cmp(value.Abs()) <= 0
	}
	return true
}

// significant is how many digits of a figure tell it from others.
func (f *figure) significant() int {
	if len(f.readings) == 0 {
		return 0
	}
	digits := strings.Trim(strings.ReplaceAll(f.readings[0].value.Abs().String(), ".", ""), "0")
	return len(digits)
}
