package answer

import (
	"context"
	"encoding/json"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/console/page"
	"github.com/stockhand/stockhand/internal/console/text"
	"github.com/stockhand/stockhand/internal/console/ui"
	"github.com/stockhand/stockhand/internal/tool"
)

// path is the address of something that is done with the answer.
func (a Answer) path(what string) string {
	return page.Path(a.Org, "ask", string(a.Session), string(a.Message), what)
}

func contains(all []string, x string) bool { return slices.Contains(all, x) }

func number(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

func (a Applied) breakdown(ctx context.Context) string {
	if len(a.By) == 0 {
		return text.ChipAll.In(ctx)
	}
	return a.titles(a.By)
}

func (a Applied) comparison() string {
	switch {
	case a.Compare == nil:
		return "none"
	case a.Compare.With != "":
		return string(a.Compare.With)
	}
	return ""
}

func (a Applied) from() string {
	if a.Period == nil {
		return string(a.From)
	}
	return string(a.Period.From)
}

func (a Applied) to() string {
	if a.Period == nil {
		return string(a.To)
	}
	return string(a.Period.To)
}

func presets(ctx context.Context) []ui.Option {
	return []ui.Option{{Value: "today", Title: text.Today.In(ctx)}, {Value: "days", Title: text.LastDays.In(ctx)},
		{Value: "month", Title: text.ThisMonth.In(ctx)}, {Value: "last", Title: text.LastMonth.In(ctx)}}
}

func comparisons(ctx context.Context) []ui.Option {
	return []ui.Option{{Value: "none", Title: text.ChipNone.In(ctx)}, {Value: "previous", Title: text.ChipPrev.In(ctx)},
		{Value: "last_year", Title: text.ChipYear.In(ctx)}}
}

// additions are the comparisons of a condition that is added.
func additions(ctx context.Context) (all []ui.Option) {
	for _, op := range []analysis.Op{analysis.Equal, analysis.NotEqual, analysis.GreaterEqual, analysis.LessEqual} {
		title := signs[op].In(text.Language(ctx))
		if op == analysis.Equal {
			title = text.FilterIs.In(ctx)
		}
		all = append(all, ui.Option{Value: string(op), Title: title})
	}
	return all
}

// conditions are the fields that a condition can be about: dimensions by which the measures could be broken down, and
// the measures.
func (a Applied) conditions() []string {
	var out []string
	for _, d := range a.dimensions() {
		if !times[d] {
			out = append(out, d)
		}
	}
	return append(out, a.Measures...)
}

// times are the dimensions that the period is about.
var times = map[string]bool{"day": true, "week": true, "month": true, "quarter": true, "year": true, "hour": true,
	"weekday": true}

// PeriodOf returns the period that a form asks for.
func PeriodOf(form url.Values, today tool.Day) (from, to tool.Day, err error) {
	from, to = tool.Day(form.Get("from")), tool.Day(form.Get("to"))
	if name := form.Get("preset"); name != "" {
		from, to = preset(name, today)
	}
	if from.Time().IsZero() || to.Time().IsZero() || from > to {
		err = wrong("period")
	}
	return from, to, err
}

func wrong(what string) error {
	return stockhand.Errorf(stockhand.CodeValidation, "the form has no valid %s", what)
}

// valuesOf reads values that are separated by semicolons.
func valuesOf(typed string) (all []analysis.Scalar) {
	for v := range strings.SplitSeq(typed, ";") {
		if v = strings.TrimSpace(v); v != "" {
			all = append(all, analysis.Scalar(v))
		}
	}
	return all
}

// several returns the comparison that says the same of several values.
func several(op analysis.Op) analysis.Op {
	switch op {
	case analysis.Equal:
		return analysis.In
	case analysis.NotEqual:
		return analysis.NotIn
	default:
		return op
	}
}

// preset returns the first and the last day of a named period.
func preset(name string, today tool.Day) (from, to tool.Day) {
	t := today.Time()
	first := time.Date(t.Year(), t.Month(), 1, 0, 0, 0, 0, time.UTC)
	switch name {
	case "today":
		return today, today
	case "month":
		return tool.DayOf(first), today
	case "last":
		return tool.DayOf(first.AddDate(0, -1, 0)), tool.DayOf(first.AddDate(0, 0, -1))
	}
	return today.Add(-29), today
}

// Changed returns the query of a form of [Show] with the change that the form asks for.
func (b Builder) Changed(l stockhand.Language, form url.Values, today tool.Day) (Applied, error) {
	a := Applied{Catalogue: b.Catalogue, Language: l}
	if b.Catalogue == nil || json.Unmarshal([]byte(form.Get("query")), &a.Query) != nil {
		return a, wrong("query")
	}
	a.Named = b.named(json.RawMessage(form.Get("query")))
	switch form.Get("change") {
	case "measure":
		a.Measures = keep(a.Measures, form["measure"])
		a.Order = slices.DeleteFunc(a.Order, func(o analysis.Order) bool { return !a.sorts(o.Field) })
	case "by":
		a.By = keep(a.By, form["by"])
		a.Order = slices.DeleteFunc(a.Order, func(o analysis.Order) bool { return !a.sorts(o.Field) })
	case "period":
		var err error
		if a.From, a.To, err = PeriodOf(form, today); err != nil {
			return a, err
		}
	case "add":
		w := analysis.Condition{Field: form.Get("field"), Op: analysis.Op(form.Get("op")),
			Values: valuesOf(form.Get("values"))}
		if signs[w.Op].EN == "" || len(w.Values) == 0 {
			return a, wrong("condition")
		}
		if len(w.Values) > 1 {
			w.Op = several(w.Op)
		}
		a.Where = append(slices.Clone(a.Where), w)
	case "where":
		i, err := strconv.Atoi(form.Get("at"))
		if err != nil || i < 0 || i >= len(a.Where) {
			return a, wrong("condition")
		}
		if form.Get("remove") != "" {
			a.Where = slices.Delete(slices.Clone(a.Where), i, i+1)
			break
		}
		a.Where = slices.Clone(a.Where)
		w := &a.Where[i]
		if w.Values = a.restored(valuesOf(form.Get("values"))); len(w.Values) > 1 {
			w.Op = several(w.Op)
		}
	case "compare":
		a.Compare, a.Explain = nil, a.Explain && form.Get("compare") != "none"
		if with := form.Get("compare"); with == string(analysis.Previous) || with == string(analysis.LastYear) {
			a.Compare = &analysis.Comparison{With: analysis.Relative(with)}
		}
	default:
		if text := form.Get("limit"); text != "" {
			n, err := strconv.Atoi(text)
			if err != nil || n < 1 {
				return a, wrong("number of rows")
			}
			a.Limit = n
		} else {
			a.Limit = 0
		}
		a.Offset = 0
	}
	return a, nil
}

// restored returns values with the IDs for which the form has shown names.
func (a Applied) restored(all []analysis.Scalar) []analysis.Scalar {
	for id, name := range a.Named {
		for i, v := range all {
			if string(v) == name {
				all[i] = analysis.Scalar(id)
			}
		}
	}
	return all
}

// keep returns what was chosen, what was there before in its order first.
func keep(before, chosen []string) []string {
	out := slices.DeleteFunc(slices.Clone(before), func(x string) bool { return !slices.Contains(chosen, x) })
	for _, x := range chosen {
		if !slices.Contains(out, x) {
			out = append(out, x)
		}
	}
	return out
}

// sorts reports whether rows of the query can be sorted by a field.
func (a Applied) sorts(field string) bool {
	return slices.Contains(a.By, field) || slices.Contains(a.Measures, field)
}
