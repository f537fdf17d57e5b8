package answer

import (
	"context"
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/agent"
	"github.com/stockhand/stockhand/internal/console/chart"
	"github.com/stockhand/stockhand/internal/console/results"
	"github.com/stockhand/stockhand/internal/console/text"
	"github.com/stockhand/stockhand/internal/console/ui"
	"github.com/stockhand/stockhand/internal/tool"
)

// parts adds the pieces of the answer.
func (b Builder) parts(ctx context.Context, a *Answer, f *agent.Finished) error {
	switch {
	case f.Question != nil:
	case len(f.Results) == 1 && strings.Contains(f.FinalResponse, f.Results[0].Answer):
		a.Parts = append(a.Parts, Part{Text: f.Results[0].Answer})
	case len(f.Drafts) == 1 && len(f.Results) == 0:
		a.Parts = append(a.Parts, Part{Text: f.Drafts[0].Answer})
	case f.FinalResponse != "":
		a.Parts = append(a.Parts, Part{Text: f.FinalResponse})
	}
	for _, r := range f.Results {
		if err := b.result(ctx, a, r); err != nil {
			return err
		}
	}
	for i := range f.Drafts {
		a.Parts = append(a.Parts, Part{Draft: &f.Drafts[i]})
	}
	return nil
}

func (b Builder) result(ctx context.Context, a *Answer, r agent.ResultPreview) error {
	kept, err := b.Store.Result(ctx, a.Org, r.ID)
	if err != nil {
		return err
	}
	for i := range max(1, len(r.Parts)) {
		v, err := b.Views.View(ctx, kept, results.Choice{Few: true, Part: i})
		if err != nil {
			return err
		}
		if v.Count == 0 && !v.Expired {
			continue
		}
		if figures, ok := keyFigures(ctx, v); ok {
			a.Parts = append(a.Parts, Part{Figures: figures})
			continue
		}
		if spec, ok := pictured(&r.Result); ok && len(r.Parts) == 0 && r.Count == len(r.Rows) {
			if c, ok := chart.Of(&r.Result, spec, text.Language(ctx)); ok {
				c.Tabled = true
				a.Parts = append(a.Parts, Part{Chart: &c})
			}
		}
		a.Parts = append(a.Parts, Part{View: &v})
	}
	return nil
}

// keyFigures returns the figures of a table that has only one row and names nothing.
func keyFigures(ctx context.Context, v results.View) (all []ui.Figure, ok bool) {
	if v.Count != 1 || len(v.Rows) != 1 {
		return nil, false
	}
	for _, i := range v.Shown {
		c := v.Table.Columns[i]
		if c.Unit == tool.UnitText {
			return nil, false
		}
		all = append(all, ui.Figure{Title: c.Label, Value: v.Rows[0].Cells[i].Format(c.Unit, text.Language(ctx))})
	}
	return all, len(all) > 0
}

// The bounds of charts in answers.
const (
	leastPoints = 3
	mostPoints  = 400
	mostBars    = 20
)

// ofTime are the columns of a time axis, and whether their values follow one another.
var ofTime = map[string]bool{"day": true, "date": true, "week": true, "month": true, "quarter": true, "year": true,
	"weekday": false, "hour": false}

// pictured returns the chart that people would rather look at than at a table; none for most tables.
func pictured(r *tool.Result) (chart.Spec, bool) {
	s := chart.Spec{}
	var names, figures []string
	for _, c := range r.Columns {
		switch {
		case c.Hidden || c.Detail || c.Name == "id" || strings.HasSuffix(c.Name, "_id"):
		case c.Unit == tool.UnitText || c.Unit == tool.UnitDate:
			names = append(names, c.Name)
		case c.Unit == tool.UnitMoment:
		default:
			figures = append(figures, c.Name)
		}
	}
	if len(names) == 0 || len(names) > 2 || len(figures) == 0 || len(r.Rows) < leastPoints || len(r.Rows) > mostPoints {
		return s, false
	}
	first := figures[0]
	s.X, s.Y = names[0], []string{first}
	follows, time := ofTime[s.X]
	before := slices.Contains(figures, first+"_before")
	if before {
		s.Y, s.Before = []string{first, first + "_before"}, first+"_before"
	}
	switch {
	case len(names) == 2 && time && follows && !before:
		s.Kind, s.Series = chart.Line, names[1]
	case len(names) == 2:
		return s, false
	case time && follows:
		s.Kind = chart.Line
	case time:
		s.Kind = chart.Columns
	case slices.Contains(figures, "cumulative"):
		s.Kind, s.Y, s.Before, s.Most = chart.Pareto, []string{first, "cumulative"}, "", mostBars
	case before:
		s.Kind, s.Most = chart.Bars, mostBars
	case slices.Contains(figures, "share"):
		s.Kind = chart.Shares
	default:
		return s, false
	}
	return s, true
}
