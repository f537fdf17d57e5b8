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

func (a Answer) queryPath() string {
	return page.Path(a.Org, "ask", string(a.Session), string(a.Message), "query")
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
	wrong := func(what string) error {
		return stockhand.Errorf(stockhand.CodeValidation, "the form has no valid %s", what)
	}
	if b.Catalogue == nil || json.Unmarshal([]byte(form.Get("query")), &a.Query) != nil {
		return a, wrong("query")
	}
	switch form.Get("change") {
	case "measure":
		a.Measures = keep(a.Measures, form["measure"])
		a.Order = slices.DeleteFunc(a.Order, func(o analysis.Order) bool { return !a.sorts(o.Field) })
	case "by":
		a.By = keep(a.By, form["by"])
		a.Order = slices.DeleteFunc(a.Order, func(o analysis.Order) bool { return !a.sorts(o.Field) })
	case "period":
		a.From, a.To = tool.Day(form.Get("from")), tool.Day(form.Get("to"))
		if name := form.Get("preset"); name != "" {
			a.From, a.To = preset(name, today)
		}
		if a.From.Time().IsZero() || a.To.Time().IsZero() || a.From > a.To {
			return a, wrong("period")
		}
	case "where":
		i, err := strconv.Atoi(form.Get("at"))
		if err != nil || i < 0 || i >= len(a.Where) {
			return a, wrong("condition")
		}
		if form.Get("remove") != "" {
			a.Where = slices.Delete(slices.Clone(a.Where), i, i+1)
			break
		}
		var values []analysis.Scalar
		for v := range strings.SplitSeq(form.Get("values"), ";") {
			if v = strings.TrimSpace(v); v != "" {
				values = append(values, analysis.Scalar(v))
			}
		}
		if w := &a.Where[i]; len(values) > 1 && w.Op == analysis.Equal {
			w.Op = analysis.In
		} else if len(values) > 1 && w.Op == analysis.NotEqual {
			w.Op = analysis.NotIn
		}
		a.Where[i].Values = values
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
