package grounding

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/stockhand/stockhand/internal/tool"
	"github.com/stockhand/stockhand/internal/words"
)

// when is a month, or a range of months, that a text names. Without a year it is that month of any year.
type when struct {
	span
	from, to time.Month
	year     int
}

// months returns the months that a text names, without those of dates with a day.
func (x *evidence) months(text string, dates []date) []when {
	var out []when
	for _, t := range tokens(text) {
		m := monthNamed(text[t.start:t.end], t.folded)
		if m == 0 || slices.ContainsFunc(dates, func(d date) bool {
			return len(d.key) > len("2026-11") && d.start < t.end+2 && d.end > t.start-1
		}) {
			continue
		}
		w := when{span: t.span, from: m, to: m}
		s := &scanner{text: text, l: x.l, years: x.years}
		if end, year := s.year(t.end); end > t.end {
			w.end, w.year = end, year
		}
		if n := len(out); n > 0 && ranges(text[out[n-1].end:w.start]) {
			out[n-1].end, out[n-1].to = w.end, m
			continue
		}
		out = append(out, w)
	}
	return out
}

// monthNamed returns the month of a word, also of an adjective ("октябрьский"), or 0. "May" is a month only with a
// capital letter.
func monthNamed(word, folded string) time.Month {
	folded = strings.TrimSuffix(folded, "'s")
	if stem, _, ok := strings.Cut(folded, "ск"); ok && strings.HasSuffix(stem, "ь") {
		folded = stem
	}
	m := words.MonthOf(folded)
	if m == time.May && strings.HasPrefix(word, "m") || len([]rune(folded)) < 4 && m != time.May {
		return 0
	}
	return m
}

// ranges reports whether the text between two months makes them the ends of a range.
func ranges(between string) bool {
	switch strings.TrimSpace(between) {
	case "по", "-", "–", "—", "to", "through", "до":
		return true
	}
	return false
}

// joined reports whether the text between two months makes the figures after them those of both.
func joined(between string) bool {
	switch strings.TrimSpace(between) {
	case "и", "and", ",", "и в", "and in":
		return true
	}
	return false
}

// contains reports whether a period lies within the months.
func (w when) contains(p tool.Period) bool {
	from, to := p.From.Time(), p.To.Time()
	if w.year != 0 && (from.Year() > w.year || to.Year() < w.year) {
		return false
	}
	if w.from > w.to { // over the turn of a year
		return from.Month() >= w.from || to.Month() <= w.to
	}
	return from.Month() >= w.from && to.Month() <= w.to && to.Sub(from) < 366*24*time.Hour && from.Month() <= to.Month()
}

// whenOf returns the months that a figure is about: of its column or row, beside it, or of the clauses above; none if
// the text does not say.
func (c *checker) whenOf(f *figure) []when {
	if f.cell != nil {
		for _, label := range []string{f.cell.label(), f.cell.grid.first[f.cell.row]} {
			if found := c.months(label, nil); len(found) > 0 {
				return found
			}
		}
		return c.whenAbove(f.clause)
	}
	cl := c.doc.clauses[f.clause]
	before, behind := split(within(c.doc.whens, cl.span), f.start)
	if len(behind) > 0 && c.belongsBehind(f, behind[0]) {
		return behind[:1]
	}
	if open := strings.LastIndexByte(c.doc.text[cl.start:f.start], '('); open >= 0 && len(before) > 0 &&
		!strings.Contains(c.doc.text[cl.start+open:f.start], ")") && before[len(before)-1].end <= cl.start+open {
		return before
	}
	if n := len(before); n > 0 {
		if names, _ := c.doc.around(cl.span, f.start); len(names) > 0 && names[len(names)-1].start > before[n-1].end {
			return before // the figure belongs to the name, which the months do not tell apart
		}
		first := n - 1
		for first > 0 && joined(c.doc.text[before[first-1].end:before[first].start]) {
			first--
		}
		return before[first:]
	}
	if len(behind) > 0 && !divided(c.doc.text[f.end:behind[0].start]) {
		return behind[:1]
	}
	return c.whenAbove(f.clause)
}

// belongsBehind reports whether the month right after a figure is that of the figure: "5 ₽ in October".
func (c *checker) belongsBehind(f *figure, w when) bool {
	between := c.doc.text[f.unitEnd:w.start]
	if strings.ContainsAny(between, ",;:(—") {
		return false
	}
	for _, t := range tokens(between) {
		if !prepositions[t.folded] || t.folded == "и" || t.folded == "and" || t.folded == "а" {
			return false
		}
	}
	return true
}

// whenAbove returns all months of the nearest clause above that names any.
func (c *checker) whenAbove(clause int) []when {
	for range 4 {
		at := c.doc.clauses[clause].above
		if at < 0 {
			break
		}
		clause = at
		if found := within(c.doc.whens, c.doc.clauses[at].span); len(found) > 0 {
			return found
		}
	}
	return nil
}

func within(all []when, s span) []when {
	var out []when
	for _, w := range all {
		if w.start >= s.start && w.end <= s.end {
			out = append(out, w)
		}
	}
	return out
}

func split(all []when, at int) (before, behind []when) {
	i := slices.IndexFunc(all, func(w when) bool { return w.start >= at })
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
	return p == nil || slices.ContainsFunc(f.when, func(w when) bool { return w.contains(*p) })
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
