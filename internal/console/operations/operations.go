// Package operations is the console's section of what the service did and how it is: runs with their steps, usage and
// budgets, the audit log, and health.
package operations

import (
	"context"
	"net/http"
	"time"

	"github.com/a-h/templ"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/audit"
	"github.com/stockhand/stockhand/internal/connection"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/console/page"
	"github.com/stockhand/stockhand/internal/console/text"
	"github.com/stockhand/stockhand/internal/console/ui"
	"github.com/stockhand/stockhand/internal/llm"
	"github.com/stockhand/stockhand/internal/retention"
	"github.com/stockhand/stockhand/internal/store/activity"
)

// Store is the part of internal/store that the section reads.
type Store interface {
	page.Keys
	Run(ctx context.Context, org stockhand.OrgID, id stockhand.RunID) (stockhand.Run, error)
	Message(ctx context.Context, org stockhand.OrgID, id stockhand.MessageID) (stockhand.Message, error)
	Session(ctx context.Context, org stockhand.OrgID, id stockhand.SessionID) (stockhand.Session, error)
	ToolCalls(ctx context.Context, org stockhand.OrgID, of stockhand.RunID) ([]stockhand.ToolCall, error)
	ModelSteps(ctx context.Context, org stockhand.OrgID, of stockhand.RunID) ([]stockhand.ModelStep, error)
	Events(ctx context.Context, org stockhand.OrgID, of stockhand.RunID, after int64, limit int) ([]stockhand.Event,
		error)
	Connections(ctx context.Context, org stockhand.OrgID) ([]stockhand.Connection, error)
	Usage(ctx context.Context, org stockhand.OrgID, from, to string) ([]stockhand.Usage, error)
	AuditBefore(ctx context.Context, org stockhand.OrgID, action string, of stockhand.DraftID, before int64,
		limit int) ([]stockhand.AuditEntry, error)
}

// Activity lists runs, and what models were used.
type Activity interface {
	Runs(ctx context.Context, org stockhand.OrgID, in stockhand.RunState, before stockhand.RunID, limit int) (
		[]activity.Run, error)
	ModelUsage(ctx context.Context, org stockhand.OrgID, from, to string) ([]stockhand.ModelUsage, error)
}

// Connections tells how the accounts are.
type Connections interface {
	Kind(name string) (connector.Kind, error)
	State(ctx context.Context, c stockhand.Connection) (connection.State, error)
}

// Handlers serve the section.
type Handlers struct {
	Frames   page.Frames
	Store    Store
	Activity Activity
	Members  page.MemberList
	Kinds    []connector.Kind
	Clock    func() time.Time

	Month    func(ctx context.Context, org stockhand.OrgID) (llm.Month, error) // what is left of the models' budget
	Currency string                                                            // of prices and budgets
	Storage  func(ctx context.Context, org stockhand.OrgID) (retention.Usage, error)
	Verify   func(ctx context.Context, org stockhand.OrgID) (audit.Verification, error)

	Connections Connections
	Replicas    func(ctx context.Context) ([]stockhand.Replica, error) // those of the last hour
	Ready       func(ctx context.Context) error                        // why this replica cannot answer
}

// The pages of the section, as their addresses name them.
const (
	usage    = "usage"
	auditLog = "audit"
	health   = "health"
)

// tabs returns the pages of the section.
func tabs(ctx context.Context, org stockhand.OrgID, current string) (all []ui.Tab) {
	for _, t := range []struct {
		name  string
		title text.T
	}{{page.Operations, text.Runs}, {usage, text.Usage}, {auditLog, text.AuditLog}, {health, text.Health}} {
		all = append(all, ui.Tab{Title: t.title.In(ctx), Path: page.Path(org, t.name), Count: -1,
			Current: t.name == current})
	}
	return all
}

// show writes a page of the section.
func (h Handlers) show(w http.ResponseWriter, r *http.Request, title text.T, content templ.Component) error {
	return h.Frames.Show(w, r, page.Page{Title: title.In(r.Context()), Section: page.Operations,
		Content: content})
}

// names returns the names of the actors.
func (h Handlers) names(ctx context.Context, actors ...string) (page.Names, error) {
	a := stockhand.ActorOf(ctx)
	names, err := page.NamesOf(ctx, h.Members, a)
	if err != nil {
		return nil, err
	}
	return names, names.AddKeys(ctx, h.Store, a.Org, actors...)
}
