package grounding

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/stockhand/stockhand/internal/grounding/prose"
	"github.com/stockhand/stockhand/internal/tool"
)

// whenOf returns the months that a figure is about: of its column or row, beside it, or of the clauses above; none if
// the text does not say.
func (c *checker) whenOf(f *figure) []prose.Months {
	if f.cell != nil {
		for _, label := range []string{f.cell.label(), f.cell.grid.first[f.cell.row]} {
			if found := prose.FindMonths(label, c.l, c.years, c.today, nil); len(found) > 0 {
				return found
			}
		}
		return c.whenAbove(f.clause)
	}
	cl := c.doc.clauses[f.clause]
	before, behind := split(within(c.doc.whens, cl.Span), f.Start)
	if len(behind) > 0 && c.belongsBehind(f, behind[0]) {
		return behind[:1]
	}
	if open := strings.LastIndexByte(c.doc.text[cl.Start:f.Start], '('); open >= 0 && len(before) > 0 &&
		!strings.Contains(c.doc.text[cl.Start+open:f.Start], ")") && before[len(before)-1].End <= cl.Start+open {
		return c.inTurn(f, before, cl.Start+open)
	}
	before = c.withoutLead(f, before)
	if n := len(before); n > 0 {
		if names, _ := c.doc.around(cl.Span, f.Start); len(names) > 0 && names[len(names)-1].Start > before[n-1].End {
			return c.withoutBase(before) // the figure belongs to the name, which the months do not tell apart
		}
		first := n - 1
		for first > 0 && prose.Joined(c.doc.text[before[first-1].End:before[first].Start]) {
			first--
		}
		return before[first:]
	}
	if len(behind) > 0 && !divided(c.doc.text[f.End:behind[0].Start]) {
		return behind[:1]
	}
	return c.inherited(f, c.whenAbove(f.clause))
}

// inherited returns the months of the clauses above that a figure is about: of "5 and 6" each has its own; a figure of
// a name is of the later one, unless the text says otherwise.
func (c *checker) inherited(f *figure, above []prose.Months) []prose.Months {
	cl := c.doc.clauses[f.clause]
	if len(above) != 2 || prose.Joined(c.doc.text[above[0].End:above[1].Start]) {
		return above
	}
	all := c.doc.figuresIn(cl.Span)
	if len(all) == 2 && prose.Joined(c.doc.text[all[0].UnitEnd:all[1].Start]) && all[0].Kind == all[1].Kind {
		return above[slices.Index(all, f):][:1]
	}
	if len(c.doc.mentionsIn(cl.Span)) == 0 || c.sideOf(f) != neither {
		return above
	}
	if above[0].Before(above[1]) {
		return above[1:]
	}
	return above[:1]
}

// inTurn returns the month of a figure in parentheses that have as many figures as the text before them has months:
// "33 % in October, 35 % in September (cost known for 99 % and 98 %)".
func (c *checker) inTurn(f *figure, months []prose.Months, open int) []prose.Months {
	end := strings.IndexByte(c.doc.text[open:], ')')
	if end < 0 {
		return months
	}
	all := c.doc.figuresIn(prose.Span{Start: open, End: open + end})
	if i := slices.Index(all, f); len(all) == len(months) && i >= 0 {
		return months[i : i+1]
	}
	return months
}

// withoutBase returns the months without those that the text only compares with: "October, against September".
func (c *checker) withoutBase(months []prose.Months) []prose.Months {
	var out []prose.Months
	for i, m := range months {
		if i > 0 && hasWord(c.doc.text[months[i-1].End:m.Start], base) {
			continue
		}
		out = append(out, m)
	}
	return out
}

// withoutLead returns the months without a last one that the text compares with before it goes on to the figure:
// "against September, profit grew to 5 ₽".
func (c *checker) withoutLead(f *figure, months []prose.Months) []prose.Months {
	n := len(months)
	if n == 0 || len(prose.Tokens(c.doc.text[months[n-1].End:f.Start])) == 0 {
		return months
	}
	from := c.doc.clauses[f.clause].Start
	if n > 1 {
		from = months[n-2].End
	}
	if i := c.doc.index(months[n-1].Start); i > 0 {
		from = max(from, c.doc.figures[i-1].UnitEnd)
	}
	for _, w := range prose.LastWords(c.doc.text[from:months[n-1].Start], 3) {
		if slices.Contains(base, w) {
			return months[:n-1]
		}
	}
	return months
}

// base are the words before what something is compared with.
var base = strings.Fields("против сравнению сравнении against versus vs compared comparison than чем")

// belongsBehind reports whether the month right after a figure is that of the figure: "5 ₽ in October".
func (c *checker) belongsBehind(f *figure, w prose.Months) bool {
	between := c.doc.text[f.UnitEnd:w.Start]
	if strings.ContainsAny(between, ",;:(—") {
		return false
	}
	for _, t := range prose.Tokens(between) {
		if !prose.Prepositions[t.Folded] || t.Folded == "и" || t.Folded == "and" || t.Folded == "а" {
			return false
		}
	}
	return true
}

// whenAbove returns all months of the nearest clause above that names any.
func (c *checker) whenAbove(clause int) []prose.Months {
	for range 4 {
		at := c.doc.clauses[clause].above
		if at < 0 {
			return within(c.doc.whens, c.doc.clauses[clause].lead)
		}
		clause = at
		if found := within(c.doc.whens, c.doc.clauses[at].Span); len(found) > 0 {
			return c.withoutBase(found)
		}
	}
	return nil
}

func within(all []prose.Months, s prose.Span) []prose.Months {
	var out []prose.Months
	for _, w := range all {
		if w.Start >= s.Start && w.End <= s.End {
			out = append(out, w)
		}
	}
	return out
}

func split(all []prose.Months, at int) (before, behind []prose.Months) {
	i := slices.IndexFunc(all, func(w prose.Months) bool { return w.Start >= at })
	if i < 0 {
		return all, nil
	}
	return all[:i], all[i:]
}

// inTime reports whether a fact is of a period that the figure is about. What has no period, such as stock, is of any.
func (x *evidence) inTime(f *figure, of fact) bool {
	if len(f.when) == 0 || of.table < 0 || of.origin == FromPeriod || of.origin == FromArgument {
		return true
	}
	p := x.periodOf(of)
	return p == nil || slices.ContainsFunc(f.when,
		func(w prose.Months) bool { return w.Contains(*p) && x.wholly(w, *p) })
}

// wholly reports whether a period is all of a longer one that the text names, such as a quarter, if any result is of
// all of it: the figure of one of its months is another.
func (x *evidence) wholly(w prose.Months, p tool.Period) bool {
	first, last, ok := w.Days()
	if !ok {
		return true
	}
	last = min(last, max(x.today, first))
	all := func(p tool.Period) bool { return p.From == first && p.To >= last }
	return all(p) || !slices.ContainsFunc(x.sources, func(s source) bool {
		return s.period != nil && all(*s.period) || s.other != nil && all(*s.other)
	})
}

// periodOf returns the period of a fact: of its row in a table over time, of the comparison, or of its result; nil if
// it has none or may be of several.
func (x *evidence) periodOf(of fact) *tool.Period {
	s := &x.sources[of.table]
	switch {
	case strings.HasSuffix(of.column, "_before"):
		return s.other
	case strings.Contains(of.column, "_change"), of.origin == FromText && s.other != nil:
		return nil
	case of.row >= 0 && len(s.columns) > 0:
		if p := periodNamed(s.rows.at(of.row)[0]); p != nil {
			return p
		}
	}
	return s.period
}

// periodNamed returns the day or month that a cell names, or nil.
func periodNamed(v tool.Value) *tool.Period {
	text := v.Text()
	switch len(text) {
	case len("2026-11"):
		first, err := time.Parse("2006-01", text)
		if err != nil {
			return nil
		}
		return &tool.Period{From: tool.DayOf(first), To: tool.DayOf(first.AddDate(0, 1, -1))}
	case len("2026-11-05"):
		if d := tool.Day(text); !d.Time().IsZero() {
			return &tool.Period{From: d, To: d}
		}
	}
	return nil
}

// otherPeriod returns the period that a tool's arguments ask to compare with, or nil.
func otherPeriod(arguments json.RawMessage) *tool.Period {
	var in struct {
		From    tool.Day `json:"compare_from"`
		To      tool.Day `json:"compare_to"`
		Compare any      `json:"compare"` // true, or an object
	}
	if json.Unmarshal(arguments, &in) != nil {
		return nil
	}
	if m, ok := in.Compare.(map[string]any); ok {
		from, _ := m["from"].(string)
		to, _ := m["to"].(string)
		in.From, in.To = tool.Day(from), tool.Day(to)
	}
	if in.From.Time().IsZero() || in.To.Time().IsZero() {
		return nil
	}
	return &tool.Period{From: in.From, To: in.To}
}

// ofTime looks in the rows of the months that the figure is about.
func (c *checker) ofTime(f *figure, only []columnRef) *location {
	if len(f.when) == 0 {
		return nil
	}
	for t := range c.sources {
		s := &c.sources[t]
		if s.rows.count() == 0 || s.rows.count() > mostTimes || periodNamed(s.rows.at(0)[0]) == nil {
			continue
		}
		for row := range s.rows.count() {
			if p := c.inRow(f, t, row, only); p != nil {
				return p
			}
		}
	}
	return nil
}

// mostTimes is the maximum number of rows of a table over time in which months are looked up.
const mostTimes = 62
