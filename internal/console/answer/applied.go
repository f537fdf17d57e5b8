package answer

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/console/text"
	"github.com/stockhand/stockhand/internal/tool"
)

// Applied is the query that was applied, to be read and changed.
type Applied struct {
	analysis.Query
	Period    *tool.Period // what it came to
	Catalogue *analysis.Catalogue
	Language  stockhand.Language
	Named     map[string]string // names of IDs in its conditions, as far as they are known
}

func (b Builder) applied(l stockhand.Language, arguments json.RawMessage, period *tool.Period) *Applied {
	a := &Applied{Period: period, Catalogue: b.Catalogue, Language: l, Named: b.named(arguments)}
	if b.Catalogue == nil || json.Unmarshal(arguments, &a.Query) != nil || len(a.Measures) == 0 {
		return nil
	}
	return a
}

// JSON is the query as a form carries it.
func (a Applied) JSON() string {
	raw, err := json.Marshal(a.Query)
	if err != nil {
		return "{}"
	}
	return string(raw)
}

// title returns what a measure or a dimension is called.
func (a Applied) title(name string) string {
	if m, ok := a.Catalogue.Measure(name); ok {
		return m.Title.In(a.Language)
	}
	if d, ok := a.Catalogue.Dimension(name); ok {
		return d.Title.In(a.Language)
	}
	return name
}

func (a Applied) titles(names []string) string {
	var all []string
	for _, n := range names {
		all = append(all, a.title(n))
	}
	return strings.Join(all, ", ")
}

// span is the period in words.
func (a Applied) span() string {
	if a.Period == nil {
		return a.Language.Pick(text.ChipNow.RU, text.ChipNow.EN)
	}
	return Span(*a.Period, a.Language)
}

// Span is a period in words.
func Span(p tool.Period, l stockhand.Language) string {
	if p.From == p.To {
		return p.From.Format(l)
	}
	return p.From.Format(l) + " – " + p.To.Format(l)
}

// compared names the period compared with.
func (a Applied) compared() string {
	say := func(t text.T) string { return a.Language.Pick(t.RU, t.EN) }
	switch {
	case a.Compare == nil:
		return say(text.ChipNone)
	case a.Compare.With == analysis.LastYear:
		return say(text.ChipYear)
	case a.Compare.With == analysis.Previous:
		return say(text.ChipPrev)
	}
	return strings.Replace(say(text.ChipOther), "%s", Span(tool.Period{From: a.Compare.From, To: a.Compare.To},
		a.Language), 1)
}

// rows says how many rows are asked for, and in which order.
func (a Applied) rows() string {
	out := a.Language.Pick(text.ChipAllRows.RU, text.ChipAllRows.EN)
	if a.Limit > 0 {
		out = strconv.Itoa(a.Limit)
	}
	for _, o := range a.Order {
		arrow := "↓"
		if o.Direction == analysis.Ascending {
			arrow = "↑"
		}
		out += " · " + a.title(o.Field) + " " + arrow
	}
	return out
}

var signs = map[analysis.Op]tool.Text{
	analysis.Equal: {RU: ":", EN: ":"}, analysis.In: {RU: ":", EN: ":"}, analysis.NotEqual: {RU: "кроме", EN: "except"},
	analysis.NotIn: {RU: "кроме", EN: "except"}, analysis.Less: {RU: "меньше", EN: "below"},
	analysis.LessEqual: {RU: "не больше", EN: "at most"}, analysis.Greater: {RU: "больше", EN: "above"},
	analysis.GreaterEqual: {RU: "не меньше", EN: "at least"}, analysis.Between: {RU: "между", EN: "between"},
	analysis.Contains: {RU: "содержит", EN: "contains"}, analysis.IsEmpty: {RU: "не указано", EN: "is empty"},
	analysis.IsNotEmpty: {RU: "указано", EN: "is not empty"},
}

// values are those of a condition, as a form has them: names in place of IDs.
func (a Applied) values(w analysis.Condition) string {
	var all []string
	for _, v := range w.Values {
		all = append(all, cmp.Or(a.Named[string(v)], string(v)))
	}
	return strings.Join(all, "; ")
}

// said are the values of a condition in words. IDs whose names are not known are counted.
func (a Applied) said(w analysis.Condition) string {
	unnamed := 0
	for _, v := range w.Values {
		if isID.MatchString(string(v)) && a.Named[string(v)] == "" {
			unnamed++
		}
	}
	if unnamed > 0 {
		return fmt.Sprintf(a.Language.Pick(text.ChipChosen.RU, text.ChipChosen.EN), unnamed)
	}
	return a.values(w)
}

// condition is what a condition says of its field. That it has a value is said by the value alone.
func (a Applied) condition(w analysis.Condition) string {
	if w.Op == analysis.Equal || w.Op == analysis.In {
		return a.said(w)
	}
	return strings.TrimSpace(signs[w.Op].In(a.Language) + " " + a.said(w))
}

// measures that could be asked for with the same breakdown and conditions, those asked for first.
func (a Applied) measures() []string {
	out := slices.Clone(a.Measures)
	for _, m := range a.Catalogue.Measures {
		fits := func(dimension string) bool { return slices.Contains(m.Over, dimension) }
		if slices.Contains(out, m.Name) || slices.ContainsFunc(a.By, func(d string) bool { return !fits(d) }) {
			continue
		}
		if slices.ContainsFunc(a.Where, func(w analysis.Condition) bool {
			_, of := a.Catalogue.Dimension(w.Field)
			return of && !fits(w.Field)
		}) {
			continue
		}
		out = append(out, m.Name)
	}
	return out
}

// dimensions that the measures could be broken down by, those in use first.
func (a Applied) dimensions() []string {
	out := slices.Clone(a.By)
	for _, d := range a.Catalogue.Dimensions {
		if slices.Contains(out, d.Name) {
			continue
		}
		all := true
		for _, name := range a.Measures {
			m, ok := a.Catalogue.Measure(name)
			all = all && ok && slices.Contains(m.Over, d.Name)
		}
		if all {
			out = append(out, d.Name)
		}
	}
	return out
}

// Words are the query in a line, as the question of a turn.
func (a Applied) Words() string {
	out := a.titles(a.Measures)
	if len(a.By) > 0 {
		out += a.Language.Pick(" · по: ", " · by: ") + strings.ToLower(a.titles(a.By))
	}
	for _, w := range a.Where {
		out += " · " + a.title(w.Field)
		if w.Op == analysis.Equal || w.Op == analysis.In {
			out += ":"
		}
		out += " " + a.condition(w)
	}
	if a.From != "" || a.To != "" {
		out += " · " + Span(tool.Period{From: cmp.Or(a.From, a.To), To: cmp.Or(a.To, a.From)}, a.Language)
	}
	if a.Compare != nil {
		out += " · " + a.Language.Pick("сравнение ", "compared ") + a.compared()
	}
	if a.Limit > 0 {
		out += " · " + a.Language.Pick("первые ", "first ") + strconv.Itoa(a.Limit)
	}
	return out
}
