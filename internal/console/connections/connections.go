// Package connections is the console's section of the connections to external accounts: adding, verifying, changing and
// removing them, what their employees may see, how much of their limits is used and what is kept of them.
package connections

import (
	"context"
	"net/http"
	"strings"

	"github.com/a-h/templ"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/connection"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/console/page"
	"github.com/stockhand/stockhand/internal/console/text"
)

// Connections is the part of internal/connection that the section uses.
type Connections interface {
	Kind(name string) (connector.Kind, error)
	Create(ctx context.Context, org stockhand.OrgID, n connection.Creation) (stockhand.Connection, error)
	Change(ctx context.Context, org stockhand.OrgID, id stockhand.ConnectionID, ch connection.Change,
		a stockhand.Actor, dry bool) (stockhand.Connection, error)
	Verify(ctx context.Context, org stockhand.OrgID, id stockhand.ConnectionID, a stockhand.Actor) (
		stockhand.Connection, error)
	Delete(ctx context.Context, org stockhand.OrgID, id stockhand.ConnectionID, a stockhand.Actor) (
		stockhand.Connection, error)
	State(ctx context.Context, c stockhand.Connection) (connection.State, error)
	ClearFacts(ctx context.Context, org stockhand.OrgID, id stockhand.ConnectionID, a stockhand.Actor) error
}

// Store is the part of internal/store that the section reads.
type Store interface {
	Connections(ctx context.Context, org stockhand.OrgID) ([]stockhand.Connection, error)
}

// Handlers serve the section.
type Handlers struct {
	Frames      page.Frames
	Connections Connections
	Store       Store
}

// kind is the connector that the console connects; others are connected through the API.
const kind = "moysklad"

type view struct {
	Org     stockhand.OrgID
	May     bool // the person administers the organization
	All     []account
	Label   string // as typed
	Done    string // what was done, as the address says it
	Problem *stockhand.Words
}

// account is a connection with what its employee may see, and how it is now.
type account struct {
	stockhand.Connection
	Has, Missing []connector.Right
	Again        bool // an earlier connection is of the same account
	State        *connection.State
}

func (v view) path(parts ...string) templ.SafeURL {
	return templ.SafeURL(page.Path(v.Org, append([]string{page.Connections}, parts...)...))
}

// done are the texts of what was done, by how addresses say it.
var done = map[string]text.T{
	"connected": text.ConnectionMade, "verified": text.ConnectionWorks, "saved": text.ConnectionSaved,
	"cleared": text.FactsCleared, "removed": text.ConnectionGone,
}

// List serves the page of the connections.
func (h Handlers) List(w http.ResponseWriter, r *http.Request) error {
	return h.show(w, r, http.StatusOK, view{Done: r.URL.Query().Get("done")})
}

// State serves the part of the page that changes by itself.
func (h Handlers) State(w http.ResponseWriter, r *http.Request) error {
	v, err := h.fill(r.Context(), view{})
	if err != nil {
		return err
	}
	return page.Write(w, r, http.StatusOK, states(v))
}

func (h Handlers) show(w http.ResponseWriter, r *http.Request, status int, v view) error {
	v, err := h.fill(r.Context(), v)
	if err != nil {
		return err
	}
	return h.Frames.Show(w, r, page.Page{Title: text.Connections.In(r.Context()), Section: page.Connections,
		Status: status, Content: connectionsPage(v)})
}

// fill reads the connections and how they are now.
func (h Handlers) fill(ctx context.Context, v view) (view, error) {
	a := stockhand.ActorOf(ctx)
	v.Org, v.May = a.Org, a.May(stockhand.ScopeAdmin)
	stored, err := h.Store.Connections(ctx, a.Org)
	if err != nil {
		return v, err
	}
	seen := map[stockhand.AccountID]bool{}
	for _, c := range stored {
		shown := account{Connection: c, Again: seen[c.Account]}
		seen[c.Account] = true
		k, err := h.Connections.Kind(c.Connector)
		if err == nil && k.Rights != nil {
			shown.Has, shown.Missing = k.Rights(c.Rights)
		}
		if err == nil && !k.ToolsOnly {
			if at, err := h.Connections.State(ctx, c); err == nil {
				shown.State = &at // a page without it is better than none
			}
		}
		v.All = append(v.All, shown)
	}
	return v, nil
}

// finish returns to the page after a form was accepted, or shows what is wrong with it.
func (h Handlers) finish(w http.ResponseWriter, r *http.Request, v view, how string, failed error) error {
	if failed == nil {
		return page.Go(w, r, page.Path(stockhand.ActorOf(r.Context()).Org, page.Connections)+"?done="+how)
	}
	words, ok := page.Said(r.Context(), failed)
	if !ok || stockhand.CodeOf(failed) == stockhand.CodeNotFound {
		return failed
	}
	v.Problem = &words
	return h.show(w, r, page.Status(failed), v)
}

func id(r *http.Request) stockhand.ConnectionID {
	return stockhand.ConnectionID(r.PathValue("connection_id"))
}

// Create verifies a token and connects its account.
func (h Handlers) Create(w http.ResponseWriter, r *http.Request) error {
	a := stockhand.ActorOf(r.Context())
	form, err := page.Form(r)
	if err != nil {
		return err
	}
	_, err = h.Connections.Create(r.Context(), a.Org, connection.Creation{Connector: kind,
		Credential: connection.Credential{Token: form.Get("token")}, Label: form.Get("label"), By: a.Name})
	return h.finish(w, r, view{Label: form.Get("label")}, "connected", err)
}

// Change renames a connection, replaces its token, and allows or forbids writes through the gateway.
func (h Handlers) Change(w http.ResponseWriter, r *http.Request) error {
	a := stockhand.ActorOf(r.Context())
	form, err := page.Form(r)
	if err != nil {
		return err
	}
	label, writes := form.Get("label"), form.Get("gateway_writes") != ""
	change := connection.Change{Label: &label, GatewayWrites: &writes}
	if token := strings.TrimSpace(form.Get("token")); token != "" {
		change.Token = &token
	}
	_, err = h.Connections.Change(r.Context(), a.Org, id(r), change, a, false)
	return h.finish(w, r, view{}, "saved", err)
}

// Verify asks the account again whether the token works, and what its employee may see.
func (h Handlers) Verify(w http.ResponseWriter, r *http.Request) error {
	a := stockhand.ActorOf(r.Context())
	_, err := h.Connections.Verify(r.Context(), a.Org, id(r), a)
	return h.finish(w, r, view{}, "verified", err)
}

// Clear removes what is kept of an account.
func (h Handlers) Clear(w http.ResponseWriter, r *http.Request) error {
	a := stockhand.ActorOf(r.Context())
	return h.finish(w, r, view{}, "cleared", h.Connections.ClearFacts(r.Context(), a.Org, id(r), a))
}

// Delete disconnects an account.
func (h Handlers) Delete(w http.ResponseWriter, r *http.Request) error {
	a := stockhand.ActorOf(r.Context())
	_, err := h.Connections.Delete(r.Context(), a.Org, id(r), a)
	return h.finish(w, r, view{}, "removed", err)
}
