// Package answer shows a finished turn of a conversation: its text, key figures, charts and tables, the notices beside
// them, how it was computed, the query that was applied, and what the person can do next.
package answer

import (
	"context"
	"slices"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent"
	"github.com/stockhand/stockhand/internal/agent/blocks"
	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/chart"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/console/results"
	"github.com/stockhand/stockhand/internal/console/text"
	"github.com/stockhand/stockhand/internal/console/ui"
	"github.com/stockhand/stockhand/internal/tool"
)

// Answer is a finished turn as a page shows it.
type Answer struct {
	Org        stockhand.OrgID
	Session    stockhand.SessionID
	Message    stockhand.MessageID // the person's
	Connection stockhand.ConnectionID
	Parts      []Part
	Behind     []results.View // the tables that a model's text rests on
	Notices    []tool.Notice  // of no result that is shown
	Failure    *agent.Failure
	Cancelled  bool
	Question   *agent.Question
	Applied    *Applied
	Called     *Called // the call of another tool than that of queries
	Methods    []Method
	May        bool  // the person may ask
	Save       *Save // nil: there is nothing to keep on the start page
}

// Save is what a form says that keeps the question of an answer on the start page.
type Save struct {
	Title string
	Moves bool // its period can move with the calendar
}

// Part is a piece of the answer: a text with its figures, or one of the rest.
type Part struct {
	Text    string
	Facts   []blocks.Fact // of the text
	Figures []ui.Figure
	Chart   *chart.Chart
	View    *results.View
	Draft   *tool.Draft
	Notices []tool.Notice // about what is shown, below it
	of      stockhand.ResultID
}

// Method is how a result was computed.
type Method struct {
	Title string
	tool.Provenance
}

// Views reads tables.
type Views interface {
	View(ctx context.Context, kept stockhand.StoredResult, c results.Choice) (results.View, error)
	Rows(ctx context.Context, kept stockhand.StoredResult, part, most int) (*tool.Result, error)
}

// Store reads results.
type Store interface {
	Result(ctx context.Context, org stockhand.OrgID, id stockhand.ResultID) (stockhand.StoredResult, error)
}

// Builder makes answers of finished messages.
type Builder struct {
	Store     Store
	Views     Views
	Catalogue *analysis.Catalogue
	Analyze   string // the tool that answers queries
	Tools     []tool.Tool
	Kinds     []connector.Choice                   // of documents
	Names     func(ids []string) map[string]string // as far as they are known; nil knows none
}

// Of returns the answer of a finished message in the language of the context.
func (b Builder) Of(ctx context.Context, org stockhand.OrgID, f *agent.Finished) (Answer, error) {
	a := Answer{Org: org, Session: f.Session, Message: f.Message, Notices: f.Notices, Failure: f.Failure,
		Cancelled: f.Cancelled, Question: f.Question, May: stockhand.ActorOf(ctx).May(stockhand.ScopeWriteTools)}
	for i, r := range f.Results {
		a.Methods = append(a.Methods, Method{Title: r.Title, Provenance: r.Provenance})
		if i < len(f.ToolCalls) && len(f.Results) == 1 && f.ToolCalls[i].Name == b.Analyze {
			a.Applied = b.applied(text.Language(ctx), f.ToolCalls[i].Arguments, r.Provenance.Period)
		}
	}
	if a.Applied == nil && len(f.Results) == 1 && len(f.ToolCalls) == 1 {
		a.Called = b.called(ctx, f.ToolCalls[0].Name, f.ToolCalls[0].Arguments, f.Results[0].Provenance.Period)
	}
	if err := b.parts(ctx, &a, f); err != nil {
		return a, err
	}
	a.place(f.Results)
	return a, nil
}

// place puts the notices of a result below the last part that shows it, and leaves those of the whole answer.
func (a *Answer) place(all []agent.ResultPreview) {
	placed := map[tool.Notice]bool{}
	for _, r := range all {
		last := -1
		for i, p := range a.Parts {
			if p.of == r.ID {
				last = i
			}
		}
		for _, n := range r.Notices {
			if last >= 0 && !placed[n] {
				a.Parts[last].Notices = append(a.Parts[last].Notices, n)
				placed[n] = true
			}
		}
	}
	a.Notices = slices.DeleteFunc(slices.Clone(a.Notices), func(n tool.Notice) bool { return placed[n] })
}
