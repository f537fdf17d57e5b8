package grounding

import (
	"fmt"
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/grounding/prose"
)

// The accepted figures from which another may follow. With more, almost any number could be derived.
const (
	farOperands  = 48 // figures before its sentence's end
	mostOperands = 12 // of one measure: for sums and averages
	nearOperands = 4  // of one measure: for what two of them give
)

// derive accepts what a reader can verify: the sum, difference, average, ratio, share or change of exact figures that
// were accepted, with a word that says which it is. The operands stand in the same sentence, before it, in a printed
// table or list, or are the rows that the sentence names; they are of one column.
func (c *checker) derive(f *figure) *location {
	found := &location{FromFigures, -1, "", -1}
	if f.cell != nil && totalWord(f.cell.grid.first[f.cell.row]) {
		if c.columnSum(f) {
			return found
		}
		return nil
	}
	sum, difference := c.beside(f, sumCue), c.beside(f, differenceCue)
	ratio := c.beside(f, ratioCue|shareCue) || c.isOfSomething(f)
	if len(f.Readings) == 0 || !sum && !difference && !ratio && !c.beside(f, averageCue|togetherCue) {
		return nil
	}
	all := c.operands(f)
	near := latest(all)
	switch f.Kind {
	case percent:
		if ratio && (c.isShare(f, all) || c.isChange(f, near)) {
			return found
		}
	case times:
		if ratio && c.isRatio(f, near) {
			return found
		}
	default:
		if c.isSum(f, all) || difference && c.isDifference(f, all) {
			return found
		}
	}
	return nil
}

// isOfSomething reports whether words after a percentage say that it is a share: "5 % of it".
func (c *checker) isOfSomething(f *figure) bool {
	switch prose.WordBehind(c.doc.text, f.UnitEnd) {
	case "от", "of", "всего", "всей", "всех", "общей", "общего":
		return f.cell == nil
	}
	return false
}

// operand is an exact figure that was accepted.
type operand struct {
	fact
	at   int // where it stands; −1 if it is a row that the sentence names
	text string
	here bool // in the sentence
}

// operands returns the accepted figures of the sentence and the nearest before it.
func (c *checker) operands(f *figure) []operand {
	var out []operand
	start, end := c.doc.clauses[f.clause].sentence.Start, c.doc.clauses[f.clause].sentence.End
	last := c.doc.index(end)
	of := map[string]int{}
	for i := last - 1; i >= max(0, last-farOperands); i-- {
		o := c.doc.figures[i]
		if o == f || o.found == nil || len(o.Readings) == 0 || o.exact.kind == bare ||
			of[o.exact.measure()] == mostOperands {
			continue
		}
		of[o.exact.measure()]++
		out = append(out, operand{o.exact, o.Start, c.doc.text[o.Start:o.UnitEnd], o.Start >= start})
	}
	slices.Reverse(out)
	return out
}

// latest returns the last operands of each measure, and all that are totals.
func latest(all []operand) []operand {
	of := map[string]int{}
	var out []operand
	for _, o := range slices.Backward(all) {
		if o.row >= 0 || o.origin == FromFigures {
			key := fmt.Sprint(o.measure(), " ", o.kind)
			if of[key]++; of[key] > nearOperands {
				continue
			}
		}
		out = append(out, o)
	}
	slices.Reverse(out)
	return out
}

// accepts records the formula of a figure if the value is the figure's.
func (f *figure) accepts(value decimal.Decimal, like fact, formula string) bool {
	of := fact{value: value, kind: f.Kind, currency: like.currency, measures: like.measures}
	if f.Kind == bare {
		of.kind = like.kind
	}
	if !f.fits(of) || !f.is(of) || f.Kind != percent && !isOf(of, f.only) {
		return false
	}
	f.exact, f.formula = of, formula
	f.exact.location = location{FromFigures, like.table, like.column, -1}
	return true
}

// measure is the column of an operand without what makes it one of a comparison.
func (o fact) measure() string { return strings.TrimSuffix(o.column, "_before") }

// sameMeasure reports whether two operands can be compared: amounts in one currency, and of one column unless both are
// in the sentence.
func sameMeasure(a, b operand) bool {
	return a.kind == b.kind && a.currency == b.currency && a.kind != percent &&
		(a.measure() == b.measure() || a.column == "" || b.column == "" || a.here && b.here)
}

// concerns reports whether one of two operands is of a row that the figure's table row or sentence names, if it names
// exactly one.
func (c *checker) concerns(f *figure, a, b operand) bool {
	if f.cell != nil {
		return a.here && b.here
	}
	names := c.numeric(c.doc.namesIn(c.doc.clauses[f.clause].sentence))
	if len(names) != 1 {
		return true
	}
	of := func(o operand) bool { return o.row < 0 || slices.Contains(names[0].rows[o.table], o.row) }
	return of(a) || of(b)
}

func (c *checker) isDifference(f *figure, all []operand) bool {
	for i, a := range all {
		for j, b := range all {
			if i == j || !sameMeasure(a, b) || !c.concerns(f, a, b) || f.Kind != a.kind && f.Kind != bare {
				continue
			}
			if !f.accepts(a.value.Sub(b.value), a.fact, a.text+" − "+b.text) {
				continue
			}
			if c.turns(f, a, b) {
				return true
			}
		}
	}
	return false
}

func (c *checker) isChange(f *figure, all []operand) bool {
	for i, a := range all {
		for j, b := range all {
			if i == j || !sameMeasure(a, b) || !c.concerns(f, a, b) || b.value.Sign() <= 0 {
				continue
			}
			change := a.value.Sub(b.value)
			if !f.Negative {
				change = change.Abs()
			}
			change = change.Mul(decimal.Hundred).Div(b.value)
			if f.accepts(change, a.fact, fmt.Sprintf("%s ÷ %s − 1", a.text, b.text)) && c.turns(f, a, b) {
				return true
			}
		}
	}
	return false
}

// turns reports whether the words beside a change from b to a have its direction. Where the text does not say which of
// the two is later, any word is right.
func (c *checker) turns(f *figure, a, b operand) bool {
	first, second := c.timeOf(a), c.timeOf(b)
	if first == "" || second == "" || first == second {
		return !f.Negative
	}
	if f.Negative || f.cell != nil { // it has a sign of its own
		return first > second && (f.cell != nil || c.cuesNear(f)&(upCue|downCue) == 0)
	}
	up := a.value.Cmp(b.value) > 0 == (first > second)
	said, unsaid := upCue, downCue
	if !up {
		said, unsaid = downCue, upCue
	}
	cues := c.cuesNear(f)
	return cues&said != 0 || cues&unsaid == 0
}

// timeOf returns the first day of the period that an operand is of, or "".
func (c *checker) timeOf(o operand) string {
	if o.table < 0 {
		return ""
	}
	if p := c.periodOf(o.fact); p != nil {
		return string(p.From)
	}
	return ""
}

func (c *checker) cuesNear(f *figure) cue {
	if f.cell != nil {
		return c.cues.in(f.cell.label()) | c.cues.in(f.cell.grid.first[f.cell.row])
	}
	return c.cues.of(c.doc.text, c.doc.clauses[f.clause].Span)
}

func (c *checker) isRatio(f *figure, all []operand) bool {
	for i, a := range all {
		for j, b := range all {
			if i != j && a.kind == b.kind && a.currency == b.currency && b.value.Sign() > 0 &&
				f.accepts(a.value.Div(b.value), fact{location: location{table: -1}}, a.text+" ÷ "+b.text) {
				return true
			}
		}
	}
	return false
}

// isShare reports whether a figure is the share of an operand, or of a sum of operands, in another or in the total of
// its column.
func (c *checker) isShare(f *figure, all []operand) bool {
	if f.Readings[0].Value.Cmp(decimal.Hundred) > 0 || f.Readings[0].Value.Sign() <= 0 {
		return false
	}
	parts := slices.Clone(all)
	for _, s := range c.sets(f, all) {
		parts = append(parts, operand{fact{value: total(s), kind: s[0].kind, currency: s[0].currency,
			location: location{FromFigures, s[0].table, s[0].column, -1}}, -1, texts(s, " + "), false})
	}
	for _, part := range parts {
		for _, of := range all {
			if sameMeasure(part, of) && part.value.Cmp(of.value) < 0 && of.value.Sign() > 0 &&
				f.accepts(part.value.Mul(decimal.Hundred).Div(of.value), part.fact, part.text+" ÷ "+of.text) {
				return true
			}
		}
		for _, of := range c.global {
			if of.origin == FromTotal && of.table == part.table && of.column == part.column && part.table >= 0 &&
				of.currency == part.currency && of.value.Sign() > 0 && part.origin != FromTotal &&
				f.accepts(part.value.Mul(decimal.Hundred).Div(of.value), part.fact, part.text+" ÷ "+of.value.String()) {
				return true
			}
		}
	}
	return false
}

// isSum reports whether a figure is the sum or the average of operands that belong together.
func (c *checker) isSum(f *figure, all []operand) bool {
	sum, average := c.beside(f, sumCue|togetherCue), c.beside(f, averageCue)
	if average && c.isAverage(f) {
		return true
	}
	for _, s := range c.sets(f, all) {
		if f.Kind != s[0].kind && f.Kind != bare {
			continue
		}
		if sum && f.accepts(total(s), s[0].fact, texts(s, " + ")) {
			return true
		}
		if average && f.accepts(total(s).Div(decimal.FromInt(int64(len(s)))), s[0].fact,
			fmt.Sprintf("(%s) ÷ %d", texts(s, " + "), len(s))) {
			return true
		}
	}
	return false
}

// isAverage reports whether a figure is the average of a column over the rows of its result.
func (c *checker) isAverage(f *figure) bool {
	only := c.columnsOf(f)
	for _, of := range c.global {
		if of.origin != FromTotal || of.kind != f.Kind && f.Kind != bare {
			continue
		}
		rows := c.sources[of.table].rows.count()
		if rows < 2 || !isOf(of, only) {
			continue
		}
		if f.accepts(of.value.Div(decimal.FromInt(int64(rows))), of, fmt.Sprintf("%s ÷ %d", of.value, rows)) {
			return true
		}
	}
	return false
}

func total(s []operand) decimal.Decimal {
	sum := decimal.Zero
	for _, o := range s {
		sum = sum.Add(o.value)
	}
	return sum
}

func texts(s []operand, between string) string {
	var all []string
	for _, o := range s {
		all = append(all, o.text)
	}
	return strings.Join(all, between)
}

// sets returns the groups of operands that belong together: those of one column in the order of the text, from the
// first one and up to the last, and the cells of the rows that the sentence names.
func (c *checker) sets(f *figure, all []operand) [][]operand {
	var out [][]operand
	columns := map[string][]operand{}
	var order []string
	for _, o := range all {
		if o.origin == FromTotal || o.origin == FromFigures || o.at > f.Start {
			continue
		}
		key := fmt.Sprint(o.table, " ", o.column, " ", o.currency)
		if columns[key] == nil {
			order = append(order, key)
		}
		if s := columns[key]; !slices.ContainsFunc(s, func(x operand) bool { return x.row == o.row && o.row >= 0 }) {
			columns[key] = append(s, o)
		}
	}
	for _, key := range order {
		for s := columns[key]; len(s) > 1; s = s[:len(s)-1] {
			out = append(out, s)
		}
	}
	return append(out, c.namedSets(f)...)
}

// namedSets returns the cells of the rows whose names a sentence lists, by column.
func (c *checker) namedSets(f *figure) [][]operand {
	var out [][]operand
	names := c.doc.namesIn(c.doc.clauses[f.clause].sentence)
	if len(names) < 2 || len(names) > mostOperands {
		return nil
	}
	for t := range c.sources {
		s := &c.sources[t]
		for i, column := range s.columns {
			var set []operand
			for _, n := range names {
				rows := n.rows[t]
				if len(rows) != 1 {
					continue
				}
				if of, ok := cellFact(column, s.rows.at(rows[0])[i]); ok && of.kind != bare && of.kind != percent {
					of.location = location{FromCell, t, column.Name, rows[0]}
					set = append(set, operand{of, -1, n.raw, true})
				}
			}
			if len(set) == len(names) {
				out = append(out, set)
			}
		}
	}
	return out
}
