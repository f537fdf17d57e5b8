// Package settings is the console's section of an organization's settings: whether anything is written, the rules for
// drafts, what keys and tokens may, how long things are kept, which models answer, and what the agent should know.
package settings

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/a-h/templ"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/auth"
	"github.com/stockhand/stockhand/internal/console/page"
	"github.com/stockhand/stockhand/internal/console/text"
	"github.com/stockhand/stockhand/internal/console/ui"
	"github.com/stockhand/stockhand/internal/draft"
	"github.com/stockhand/stockhand/internal/llm"
	"github.com/stockhand/stockhand/internal/retention"
)

// Drafts is the part of internal/draft that the section uses.
type Drafts interface {
	Rules(ctx context.Context, org stockhand.OrgID) (draft.Rules, error)
	SetRules(ctx context.Context, a stockhand.Actor, r draft.Rules) error
	WriteStop(ctx context.Context, org stockhand.OrgID) (stockhand.WriteStop, error)
	StopWrites(ctx context.Context, a stockhand.Actor, stop bool) error
	KeysMayConfirm(ctx context.Context, org stockhand.OrgID) (bool, error)
	SetKeysMayConfirm(ctx context.Context, a stockhand.Actor, may bool) error
}

// Auth is the part of internal/auth that the section uses.
type Auth interface {
	Policy(ctx context.Context, a stockhand.Actor) (stockhand.Policy, error)
	ChangePolicy(ctx context.Context, a stockhand.Actor, c auth.PolicyChange) (stockhand.Policy, error)
	RenameOrganization(ctx context.Context, a stockhand.Actor, org stockhand.OrgID, name string) (
		stockhand.Organization, error)
}

// Retention is the part of internal/retention that the section uses.
type Retention interface {
	Days(ctx context.Context, org stockhand.OrgID) (retention.Days, error)
	OwnDays(ctx context.Context, org stockhand.OrgID) (retention.Days, error)
	SetDays(ctx context.Context, a stockhand.Actor, d retention.Days) error
}

// Notes is the part of internal/notes that the section uses.
type Notes interface {
	Text(ctx context.Context, org stockhand.OrgID) (string, error)
	Set(ctx context.Context, a stockhand.Actor, text string) error
}

// Handlers serve the section.
type Handlers struct {
	Frames    page.Frames
	Drafts    Drafts
	Auth      Auth
	Retention Retention
	Notes     Notes
	Zones     Zones
	Models    llm.Setup
}

// The pages of the section, as their addresses name them.
const (
	writing = ""
	access  = "access"
	keeping = "retention"
	models  = "models"
	noted   = "notes"

	organization = "organization"
)

var tabs = []struct {
	name  string
	title text.T
}{{writing, text.SettingsWriting}, {access, text.SettingsAccess}, {keeping, text.SettingsRetention},
	{models, text.SettingsModels}, {noted, text.SettingsNotes}, {organization, text.Organization}}

// view is what the pages of the section have in common.
type view struct {
	Org     stockhand.OrgID
	Tabs    []ui.Tab
	Saved   bool
	Problem *stockhand.Words
}

func (v view) path(parts ...string) templ.SafeURL { return templ.SafeURL(path(v.Org, parts...)) }

func path(org stockhand.OrgID, parts ...string) string {
	parts = slices.DeleteFunc(append([]string{page.Settings}, parts...), func(p string) bool { return p == "" })
	return page.Path(org, parts...)
}

// viewOf returns what a page of the section has in common with the others, and what went wrong with a form.
func viewOf(r *http.Request, current string, failed error) (view, error) {
	ctx, a := r.Context(), stockhand.ActorOf(r.Context())
	v := view{Org: a.Org, Saved: failed == nil && r.URL.Query().Has("saved")}
	for _, t := range tabs {
		v.Tabs = append(v.Tabs, ui.Tab{Title: t.title.In(ctx), Path: path(a.Org, t.name), Count: -1,
			Current: t.name == current})
	}
	if failed != nil {
		words, ok := page.Said(ctx, failed)
		if !ok {
			return v, failed
		}
		v.Problem = &words
	}
	return v, nil
}

// show writes a page of the section.
func (h Handlers) show(w http.ResponseWriter, r *http.Request, failed error, content templ.Component) error {
	status := http.StatusOK
	if failed != nil {
		status = page.Status(failed)
	}
	return h.Frames.Show(w, r, page.Page{Title: text.Settings.In(r.Context()), Section: page.Settings, Narrow: true,
		Status: status, Content: content})
}

// saved returns to a page of the section, which says that the form was accepted.
func saved(w http.ResponseWriter, r *http.Request, name string) error {
	return page.Go(w, r, path(stockhand.ActorOf(r.Context()).Org, name)+"?saved=1")
}

// fields are the values of a form as typed, and what is wrong with them.
type fields struct {
	values url.Values
	wrong  map[string]string
}

func newFields(values url.Values) fields { return fields{values, map[string]string{}} }

// value returns a field as typed.
func (f fields) value(name string) string { return strings.TrimSpace(f.values.Get(name)) }

// ticked reports whether a box is ticked.
func (f fields) ticked(name string) bool { return f.values.Get(name) != "" }

// input returns a field of the form.
func (f fields) input(ctx context.Context, name string, label, hint text.T) ui.Input {
	i := ui.Input{Name: name, Label: label.In(ctx), Value: f.value(name), Error: f.wrong[name],
		Attributes: templ.Attributes{"inputmode": "decimal"}}
	if hint != (text.T{}) {
		i.Hint = hint.In(ctx)
	}
	return i
}
