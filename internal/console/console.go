// Package console is what people see in a browser: pages at / in Russian and English, made on the server.
//
// The console has no rights of its own. It is one table of routes (routes.go), each with the scope that the API
// requires for the same, behind the same guard: a request carries the cookie of a sign-in, and the guard authenticates
// the person, takes the organization from the path, checks the scope, the rate limit and where the request comes from,
// and writes the audit log. A handler makes the same calls into the domain as the API's.
//
// # How to write a page
//
// A page is a row of routes.go and a [page.Handler] in a package of its section: console/drafts is an example. The
// handler reads what it shows, and calls Show of [page.Frames] with a templ component; what it must say in words is in
// console/text, in both languages. Forms are plain HTML forms, so they work without scripts; htmx follows links and
// sends forms without loading the page again (hx-boost), and replaces parts of pages where a row says so.
package console

import (
	"context"
	"net/http"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/api/caller"
	"github.com/stockhand/stockhand/internal/console/account"
	"github.com/stockhand/stockhand/internal/console/ask"
	"github.com/stockhand/stockhand/internal/console/calls"
	"github.com/stockhand/stockhand/internal/console/connections"
	"github.com/stockhand/stockhand/internal/console/developers"
	"github.com/stockhand/stockhand/internal/console/drafts"
	"github.com/stockhand/stockhand/internal/console/operations"
	"github.com/stockhand/stockhand/internal/console/page"
	"github.com/stockhand/stockhand/internal/console/people"
	"github.com/stockhand/stockhand/internal/console/settings"
	"github.com/stockhand/stockhand/internal/console/text"
	"github.com/stockhand/stockhand/internal/console/ui"
	"github.com/stockhand/stockhand/internal/timezone/orgzone"
)

// People is the part of internal/auth that the console uses itself.
type People interface {
	page.People
	people.Auth
	developers.Keys
	account.People
}

// SignIn is the part of internal/auth/signin that the console uses.
type SignIn interface {
	account.SignIn
	InvitationLink(token string) string
}

// Inbox counts drafts by the states of their documents, and knows when one was last written.
type Inbox interface {
	Count(ctx context.Context, org stockhand.OrgID, now time.Time) (map[stockhand.DocumentState]int, error)
	Written(ctx context.Context, org stockhand.OrgID) (time.Time, error)
}

// Config is what a Console needs.
type Config struct {
	People People
	SignIn SignIn
	Drafts drafts.Drafts
	Settle drafts.Settle
	Store  drafts.Store

	Connections interface {
		connections.Connections
		developers.Connections
	}

	Settings   settings.Handlers   // without what the console has itself
	Operations operations.Handlers // the same

	Zones    orgzone.Service
	Inbox    Inbox
	Ask      ask.Handlers // without what the console has itself
	Cookies  caller.Cookies
	Requests developers.Requests
	Address  string           // of this server, for examples
	Clock    func() time.Time // nil means time.Now

	AnyoneCreates bool // everybody may create organizations
}

// Console serves the pages.
type Console struct {
	Config

	frames page.Frames
	calls  *calls.Reader
}

// New returns a console.
func New(c Config) *Console {
	if c.Clock == nil {
		c.Clock = time.Now
	}
	waiting := func(ctx context.Context, org stockhand.OrgID) (int, error) {
		states, err := c.Inbox.Count(ctx, org, c.Clock())
		return states[stockhand.DocumentPending], err
	}
	stop := func(ctx context.Context, org stockhand.OrgID) (stockhand.WriteStop, error) {
		return c.Settings.Drafts.WriteStop(ctx, org)
	}
	c.Settings.Zones = c.Zones
	written := func(ctx context.Context, org stockhand.OrgID) (time.Time, error) { return c.Inbox.Written(ctx, org) }
	return &Console{Config: c, calls: calls.NewReader(c.Ask.Agent, written, c.Clock),
		frames: page.Frames{People: c.People, Waiting: waiting, Stop: stop}}
}

// Routes returns the routes with their handlers, to be mounted behind the guard of the API that the pages describe.
func (c *Console) Routes(own developers.API) []Route {
	all := c.routes(own)
	for i, r := range all {
		all[i].Serve = func(w http.ResponseWriter, req *http.Request) error {
			return r.Serve(w, req.WithContext(c.zoned(withLanguage(req))))
		}
	}
	return all
}

func (c *Console) invitationLink(token string) string { return c.SignIn.InvitationLink(token) }

func withLanguage(r *http.Request) context.Context {
	return text.With(r.Context(), stockhand.PreferredLanguage(caller.Accepts(r)))
}

// zoned returns a context whose times are in the organization's zone, or else in that of its accounts (rule R448).
func (c *Console) zoned(ctx context.Context) context.Context {
	if org := stockhand.ActorOf(ctx).Org; org != "" {
		if zone, err := c.Zones.Of(ctx, org); err == nil && zone != nil {
			return ui.WithZone(ctx, zone)
		}
	}
	for _, k := range c.Ask.Kinds {
		if !k.ToolsOnly {
			return ui.WithZone(ctx, k.Zone.Location())
		}
	}
	return ctx
}

// Problem is an error as a page shows it.
type Problem struct {
	Status        int
	Message, Hint string
	Request       string // its ID
}

// ShowProblem writes the page of an error. A person who is not signed in goes to the sign-in page, and from there to
// the page that they asked for.
func (c *Console) ShowProblem(w http.ResponseWriter, r *http.Request, p Problem) {
	r = r.WithContext(withLanguage(r))
	ctx := r.Context()
	if p.Status == http.StatusUnauthorized {
		c.signIn(w, r)
		return
	}
	title := text.Failed
	switch p.Status {
	case http.StatusNotFound, http.StatusMethodNotAllowed:
		title = text.NotFound
	case http.StatusForbidden:
		title = text.Refused
	case http.StatusConflict:
		title = text.Conflict
	case http.StatusTooManyRequests:
		title = text.TooMany
	case http.StatusBadRequest, http.StatusUnprocessableEntity, http.StatusRequestEntityTooLarge:
		title = text.Wrong
	}
	message, hint := page.Sentence(p.Message), page.Sentence(p.Hint)
	if p.Status == http.StatusNotFound && stockhand.ActorOf(ctx).Org == "" {
		message, hint = text.NoSuchPage.In(ctx), text.NotFoundHint.In(ctx)
	}
	content := ui.Problem(title.In(ctx), message, hint, p.Request)
	if a := stockhand.ActorOf(ctx); a.Org != "" && p.Status < http.StatusInternalServerError && !page.Part(r) {
		if c.frames.Show(w, r, page.Page{Title: title.In(ctx), Status: p.Status, Content: content}) == nil {
			return
		}
	}
	theme := string(caller.ThemeOf(r))
	_ = page.Write(w, r, p.Status, ui.Bare(title.In(ctx), theme, content)) // it returns no error
}

// signIn sends the person to the sign-in page.
func (c *Console) signIn(w http.ResponseWriter, r *http.Request) {
	c.Cookies.Set(w, "", time.Time{})
	if r.Method == http.MethodGet && r.URL.Path != "/" && !page.Part(r) {
		c.Cookies.Return(w, r.URL.RequestURI())
	}
	if r.Header.Get("HX-Request") == "true" {
		w.Header().Set("HX-Redirect", caller.SignInPath)
		w.WriteHeader(http.StatusNoContent)
		return
	}
	http.Redirect(w, r, caller.SignInPath, http.StatusSeeOther)
}
