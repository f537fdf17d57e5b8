// Package connections is the console's section of connections to external accounts: adding one by its token, the rights
// of its employee in words, verifying and deleting it.
package connections

import (
	"context"
	"net/http"

	"github.com/a-h/templ"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/connection"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/console/page"
	"github.com/stockhand/stockhand/internal/console/text"
	"github.com/stockhand/stockhand/internal/console/ui"
)

// Connections is the part of internal/connection that the section uses.
type Connections interface {
	Kind(name string) (connector.Kind, error)
	Create(ctx context.Context, org stockhand.OrgID, n connection.Creation) (stockhand.Connection, error)
	Verify(ctx context.Context, org stockhand.OrgID, id stockhand.ConnectionID, a stockhand.Actor) (
		stockhand.Connection, error)
	Delete(ctx context.Context, org stockhand.OrgID, id stockhand.ConnectionID, a stockhand.Actor) (
		stockhand.Connection, error)
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

// kind is the connector that the form connects.
const kind = "moysklad"

// view is the page of the section.
type view struct {
	Org     stockhand.OrgID
	May     bool // the person administers the organization
	All     []account
	Label   string // as typed
	Problem *stockhand.Words
}

// account is a connection with its rights.
type account struct {
	stockhand.Connection
	Has, Missing []connector.Right
	Again        bool // an earlier connection is of the same account
}

func (v view) path(parts ...string) templ.SafeURL {
	return templ.SafeURL(page.Path(v.Org, append([]string{page.Connections}, parts...)...))
}

// List serves the page.
func (h Handlers) List(w http.ResponseWriter, r *http.Request) error {
	return h.show(w, r, http.StatusOK, view{})
}

func (h Handlers) show(w http.ResponseWriter, r *http.Request, status int, v view) error {
	ctx, a := r.Context(), stockhand.ActorOf(r.Context())
	v.Org, v.May = a.Org, a.May(stockhand.ScopeAdmin)
	stored, err := h.Store.Connections(ctx, a.Org)
	if err != nil {
		return err
	}
	seen := map[stockhand.AccountID]bool{}
	for _, c := range stored {
		shown := account{Connection: c, Again: seen[c.Account]}
		seen[c.Account] = true
		if k, err := h.Connections.Kind(c.Connector); err == nil && k.Rights != nil {
			shown.Has, shown.Missing = k.Rights(c.Rights)
			ctx = ui.WithZone(ctx, k.Zone.Location())
		}
		v.All = append(v.All, shown)
	}
	return h.Frames.Show(w, r.WithContext(ctx), page.Page{Title: text.Connections.In(ctx), Section: page.Connections,
		Status: status, Content: connectionsPage(v)})
}

// done returns to the list after a change, or shows why there was none.
func (h Handlers) done(w http.ResponseWriter, r *http.Request, v view, failed error) error {
	if failed == nil {
		return page.Go(w, r, page.Path(stockhand.ActorOf(r.Context()).Org, page.Connections))
	}
	words, ok := page.Said(r.Context(), failed)
	if !ok || stockhand.CodeOf(failed) == stockhand.CodeNotFound {
		return failed
	}
	v.Problem = &words
	return h.show(w, r, page.Status(failed), v)
}

// Create connects an account by a token.
func (h Handlers) Create(w http.ResponseWriter, r *http.Request) error {
	a := stockhand.ActorOf(r.Context())
	form, err := page.Form(r)
	if err != nil {
		return err
	}
	_, err = h.Connections.Create(r.Context(), a.Org, connection.Creation{Connector: kind,
		Credential: connection.Credential{Token: form.Get("token")}, Label: form.Get("label"), By: a.Name})
	return h.done(w, r, view{Label: form.Get("label")}, err)
}

// Verify asks the external system again whose token it is and what it may see.
func (h Handlers) Verify(w http.ResponseWriter, r *http.Request) error {
	a := stockhand.ActorOf(r.Context())
	_, err := h.Connections.Verify(r.Context(), a.Org, stockhand.ConnectionID(r.PathValue("connection_id")), a)
	return h.done(w, r, view{}, err)
}

// Delete deletes a connection with its token.
func (h Handlers) Delete(w http.ResponseWriter, r *http.Request) error {
	a := stockhand.ActorOf(r.Context())
	_, err := h.Connections.Delete(r.Context(), a.Org, stockhand.ConnectionID(r.PathValue("connection_id")), a)
	return h.done(w, r, view{}, err)
}
