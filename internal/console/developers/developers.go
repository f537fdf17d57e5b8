// Package developers is the console's section for those who write programs: API keys with examples that are ready to
// paste, forms that call tools and queries and show the request beside them, and the log of requests.
package developers

import (
	"context"
	"net/http"
	"time"

	"github.com/a-h/templ"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/console/answer"
	"github.com/stockhand/stockhand/internal/console/page"
	"github.com/stockhand/stockhand/internal/console/text"
	"github.com/stockhand/stockhand/internal/console/ui"
)

// Handlers serve the section.
type Handlers struct {
	Frames      page.Frames
	Keys        Keys
	Requests    Requests
	Agent       Agent
	Connections Connections
	Answers     answer.Builder
	Store       Store
	Address     string // of this server, without a path
	Clock       func() time.Time
	API         API
}

// Store is the part of internal/store that the section reads.
type Store interface {
	Connections(ctx context.Context, org stockhand.OrgID) ([]stockhand.Connection, error)
}

// The parts of the section.
const (
	keys      = "keys"
	tools     = "tools"
	queries   = "queries"
	reference = "reference"
	requests  = "requests"
)

// part is a tab of the section with the scope that its page needs.
type part struct {
	name  string
	title text.T
	scope stockhand.Scope
}

var parts = []part{
	{keys, text.DevKeys, stockhand.ScopeAdmin},
	{tools, text.DevTools, stockhand.ScopeWriteTools},
	{queries, text.DevQueries, stockhand.ScopeWriteTools},
	{reference, text.Reference, stockhand.ScopeReadTools},
	{requests, text.DevRequests, stockhand.ScopeReadData},
}

func path(org stockhand.OrgID, rest ...string) string {
	return page.Path(org, append([]string{page.Developers}, rest...)...)
}

// tabs are the parts that the person may see.
func tabs(ctx context.Context, current string) (all []ui.Tab) {
	a := stockhand.ActorOf(ctx)
	for _, p := range parts {
		if a.May(p.scope) {
			all = append(all, ui.Tab{Title: p.title.In(ctx), Path: path(a.Org, p.name), Count: -1,
				Current: p.name == current})
		}
	}
	return all
}

// Start leads to the first part that the person may see.
func (h Handlers) Start(w http.ResponseWriter, r *http.Request) error {
	all := tabs(r.Context(), "")
	if len(all) == 0 {
		return stockhand.Errorf(stockhand.CodeNotFound, "there is nothing here for your role")
	}
	return page.Go(w, r, all[0].Path)
}

// show writes a part of the section.
func (h Handlers) show(w http.ResponseWriter, r *http.Request, status int, part string, content templ.Component) error {
	ctx := r.Context()
	return h.Frames.Show(w, r, page.Page{Title: text.Developers.In(ctx), Section: page.Developers, Status: status,
		Content: section(tabs(ctx, part), content)})
}
