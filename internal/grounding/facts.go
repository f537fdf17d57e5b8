package grounding

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode"

	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/grounding/prose"
	"github.com/stockhand/stockhand/internal/tool"
)

// totals adds the totals of a table to the facts.
func (x *evidence) totals(t int) {
	s := &x.sources[t]
	for i, v := range s.totals {
		if f, ok := cellFact(s.columns[i], v); ok {
			f.location = location{FromTotal, t, s.columns[i].Name, -1}
			f.measures = []columnRef{{t, i}}
			x.global = append(x.global, f)
		}
	}
}

// singles adds the figures of parts with one row, such as a customer's balance on their card, and of the first price:
// like totals, they are about the whole result and belong to no name in a row.
func (x *evidence) singles(t int) {
	s := &x.sources[t]
	first := 0
	for _, p := range s.parts {
		if (p.Rows == 1 || slices.Contains(p.Columns, ofPrice[0])) && first < s.rows.count() {
			for i, v := range s.rows.at(first) {
				if f, ok := cellFact(s.columns[i], v); ok {
					f.location = location{FromCell, t, s.columns[i].Name, first}
					f.measures = []columnRef{{t, i}}
					x.global = append(x.global, f)
				}
			}
		}
		first += p.Rows
	}
}

// cellFact returns the number in a cell.
func cellFact(c tool.Column, v tool.Value) (fact, bool) {
	d, ok := v.Decimal()
	if !ok || !d.Valid() {
		return fact{}, false
	}
	f := fact{value: d}
	switch c.Unit {
	case tool.UnitMoney:
		f.kind, f.currency = money, v.Currency()
	case tool.UnitPercent:
		f.kind = percent
	case tool.UnitDays:
		f.kind = days
	case tool.UnitCount:
		f.kind = count
	case tool.UnitQuantity:
		f.kind = quantity
	case tool.UnitText, tool.UnitDate, tool.UnitMoment:
	}
	return f, true
}

// sentence adds the figures of a tool's own text: those beside a name belong to that name, the others to the table.
func (x *evidence) sentence(t int, text string) {
	d := x.read(text)
	for _, m := range d.mentions {
		if len(m.name.rows[t]) == 0 {
			m.name.scopes[t] = true
		}
	}
	for _, f := range d.figures {
		own := x.attached(d, f)
		for _, r := range f.Readings[:min(1, len(f.Readings))] {
			of := fact{value: r.Value, kind: f.Kind, currency: f.Currency, noun: f.Noun, measures: x.measures(d, f),
				location: location{FromText, t, "", -1}}
			if len(own) == 0 && !x.isTotal(f, t) {
				x.global = append(x.global, of)
			}
			for _, n := range own {
				if x.inRows(f, t, n) {
					continue // the cell is better evidence: its column is known
				}
				n.about = append(n.about, of)
			}
		}
	}
}

// isTotal reports whether a figure of a tool's sentence is a total of its table, whose column and period are known.
func (x *evidence) isTotal(f *figure, t int) bool {
	return slices.ContainsFunc(x.global, func(of fact) bool {
		return of.table == t && of.origin == FromTotal && f.fits(of) && f.is(of)
	})
}

func (x *evidence) inRows(f *figure, t int, n *name) bool {
	for _, row := range n.rows[t][:min(fewRows, len(n.rows[t]))] {
		if x.inRow(f, t, row, nil) != nil {
			return true
		}
	}
	return false
}

// read analyses a text: its names, figures, dates and clauses.
func (x *evidence) read(text string) *document {
	d := &document{text: text, mentions: x.names.find(text), known: x.labels}
	d.mentions = slices.DeleteFunc(d.mentions,
		func(m mention) bool { return m.name.looksLikeFigure && !quoted(text, m.Start, m.End) })
	var names []prose.Span
	for _, m := range d.mentions {
		names = append(names, m.Span)
	}
	found, dates := prose.Find(text, x.l, x.years, names...)
	d.dates = dates
	for _, f := range found {
		d.figures = append(d.figures, &figure{Figure: *f})
	}
	d.whens = prose.FindMonths(text, x.l, x.years, x.today, d.dates)
	d.figures = slices.DeleteFunc(d.figures, func(f *figure) bool { // the 3 of "3 квартал"
		return slices.ContainsFunc(d.whens, func(w prose.Months) bool {
			_, _, ok := w.Days()
			return ok && f.Start >= w.Start && f.Start < w.End
		})
	})
	d.layOut()
	return d
}

// person adds the numbers that the person said.
func (x *evidence) person(text string) {
	found, _ := prose.Find(text, x.l, x.years)
	for _, f := range found {
		for _, r := range f.Readings {
			x.said = append(x.said, fact{value: r.Value, kind: f.Kind, currency: f.Currency, noun: f.Noun, exact: true,
				location: location{FromPerson, -1, "", -1}})
		}
	}
}

// arguments adds the numbers that a tool was asked for. An answer may repeat them as a limit, as days and as percent,
// but never as money or goods: the model that writes the answer chose them.
func (x *evidence) arguments(arguments json.RawMessage) {
	var v any
	d := json.NewDecoder(strings.NewReader(string(arguments)))
	d.UseNumber()
	if len(arguments) == 0 || d.Decode(&v) != nil {
		return
	}
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			for _, inner := range v {
				walk(inner)
			}
		case []any:
			for _, inner := range v {
				walk(inner)
			}
		case json.Number:
			if n, err := decimal.Parse(v.String()); err == nil {
				for _, k := range []kind{top, days, percent} {
					x.asked = append(x.asked,
						fact{value: n, kind: k, exact: true, location: location{FromArgument, -1, "", -1}})
				}
			}
		}
	}
	walk(v)
}

// plainWording makes sentences comparable: no markup, single spaces.
func plainWording(text string) string {
	var b strings.Builder
	space := false
	for _, r := range text {
		switch {
		case r == '*' || r == '_' || r == '`' || r == '\\':
			continue
		case unicode.IsSpace(r):
			space = b.Len() > 0
			continue
		}
		if space {
			b.WriteByte(' ')
			space = false
		}
		b.WriteRune(r)
	}
	return b.String()
}
