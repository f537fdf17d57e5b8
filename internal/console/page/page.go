// Package page is what the pages of the console have in common: the rows of its table of routes, the frame around each
// page, and forms.
package page

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/a-h/templ"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/api/caller"
	"github.com/stockhand/stockhand/internal/console/text"
	"github.com/stockhand/stockhand/internal/console/ui"
)

// Handler serves a page. It may return an error before it has written anything; the person then sees a page about it.
type Handler func(w http.ResponseWriter, r *http.Request) error

// Policy is the content security policy of every page (rule R381). Nothing is inline and nothing is of another host.
const Policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
	"font-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// Path returns the address of a page of the organization: Path(org, "drafts", id) is /o/org_…/drafts/drf_….
func Path(org stockhand.OrgID, parts ...string) string {
	path := "/o/" + url.PathEscape(string(org)) + "/"
	for i, p := range parts {
		if i > 0 {
			path += "/"
		}
		path += url.PathEscape(p)
	}
	return path
}

// People is the part of internal/auth that the frame needs.
type People interface {
	User(ctx context.Context, id stockhand.UserID) (stockhand.User, error)
	Organizations(ctx context.Context, a stockhand.Actor) ([]stockhand.Membership, error)
	OwnInvitations(ctx context.Context, a stockhand.Actor, before stockhand.InvitationID, limit int) (
		[]stockhand.Invitation, error)
}

// Frames puts pages into the console's frame.
type Frames struct {
	People People
	// Waiting returns how many drafts wait for a person.
	Waiting func(ctx context.Context, org stockhand.OrgID) (int, error)
	// Stop returns who stopped all writes.
	Stop func(ctx context.Context, org stockhand.OrgID) (stockhand.WriteStop, error)
}

// Page is a page without its frame.
type Page struct {
	Title   string
	Section string // of the navigation, see sections
	Narrow  bool
	Status  int // 0 means 200
	Content templ.Component
}

// Show writes a page in the frame.
func (f Frames) Show(w http.ResponseWriter, r *http.Request, p Page) error {
	ctx, a := r.Context(), stockhand.ActorOf(r.Context())
	frame := ui.Frame{Title: p.Title, Theme: string(caller.ThemeOf(r)), Path: r.URL.RequestURI(), Org: a.Org,
		Role: a.Role, Current: p.Section, Narrow: p.Narrow}
	if r.Method != http.MethodGet {
		frame.Path = Path(a.Org)
	}
	var err error
	if frame.Person, err = f.People.User(ctx, a.User); err != nil {
		return err
	}
	if frame.Orgs, err = f.People.Organizations(ctx, a); err != nil {
		return err
	}
	waiting := 0
	if a.May(stockhand.ScopeReadData) {
		if waiting, err = f.Waiting(ctx, a.Org); err != nil {
			return err
		}
	}
	frame.Links = links(a, waiting)
	if frame.Stopped, err = f.stopped(ctx, a); err != nil {
		return err
	}
	invited, err := f.People.OwnInvitations(ctx, a, "", mostInvitations)
	if err != nil {
		return err
	}
	frame.Invited = len(invited)
	return Write(w, r, p.Status, framed(frame, p.Content))
}

// mostInvitations is how many invitations to the person are counted.
const mostInvitations = 10

// stopped returns the banner while nothing is written (rule R387).
func (f Frames) stopped(ctx context.Context, a stockhand.Actor) (ui.Stopped, error) {
	stop, err := f.Stop(ctx, a.Org)
	if err != nil || stop.By == "" {
		return ui.Stopped{}, err
	}
	s := ui.Stopped{Who: text.Operator.In(ctx), At: ui.Moment(ctx, stop.At), Everywhere: stop.Everywhere}
	if id, isPerson := strings.CutPrefix(stop.By, "user:"); isPerson {
		s.Who = text.Gone.In(ctx)
		if u, err := f.People.User(ctx, stockhand.UserID(id)); err == nil {
			s.Who = PersonName(u)
		}
	}
	if a.May(stockhand.ScopeAdmin) && !stop.Everywhere {
		s.Path = Path(a.Org, Settings)
	}
	return s, nil
}

// Write writes a component as the response: a whole page, or the part of a page that htmx asked for.
func Write(w http.ResponseWriter, r *http.Request, status int, content templ.Component) error {
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Language", string(text.Language(r.Context())))
	h.Set("Content-Security-Policy", Policy)
	h.Set("Vary", "Cookie, Accept-Language, HX-Request")
	if status == 0 {
		status = http.StatusOK
	}
	w.WriteHeader(status)
	_ = content.Render(r.Context(), w) // the person may have left
	return nil
}

// Options answers what a browser needs to make or use a passkey, for [ui.PasskeyForm].
func Options(w http.ResponseWriter, options json.RawMessage) error {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]json.RawMessage{"public_key": options}) // the person may have left
	return nil
}

// Part reports whether htmx asked for a part of a page, which then needs no frame. A link or form that htmx follows for
// the whole page does not count.
func Part(r *http.Request) bool {
	return r.Header.Get("HX-Request") == "true" && r.Header.Get("HX-Boosted") != "true"
}

// Go sends the person to another page after a form was accepted.
func Go(w http.ResponseWriter, r *http.Request, path string) error {
	if Part(r) {
		w.Header().Set("HX-Location", path)
		w.WriteHeader(http.StatusNoContent)
		return nil
	}
	http.Redirect(w, r, path, http.StatusSeeOther)
	return nil
}

// Form reads the fields of a form. The guard has bounded the body.
func Form(r *http.Request) (url.Values, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	form, err := url.ParseQuery(string(body))
	if err != nil {
		return nil, stockhand.Errorf(stockhand.CodeValidation, "the form cannot be read")
	}
	return form, nil
}

// Status returns the status of a page that shows an error beside the form that caused it.
func Status(err error) int {
	switch stockhand.CodeOf(err) {
	case stockhand.CodeConflict, stockhand.CodeDraftChanged:
		return http.StatusConflict
	case stockhand.CodePermissionDenied, stockhand.CodeStepUpRequired:
		return http.StatusForbidden
	}
	return http.StatusUnprocessableEntity
}

// Said returns what a person may read about an error, as sentences, and whether it is about what they did. Others are
// for the page of errors.
func Said(ctx context.Context, err error) (words stockhand.Words, ok bool) {
	own, ok := errors.AsType[*stockhand.Error](err)
	if !ok || own.Code == stockhand.CodeInternal || own.Code == stockhand.CodeDatabaseUnavailable {
		return stockhand.Words{}, false
	}
	words = text.Refusal(ctx, own)
	return stockhand.Words{Message: Sentence(words.Message), Hint: Sentence(words.Hint)}, true
}

// Sentence begins a message with a capital letter and ends it with a full stop.
func Sentence(s string) string {
	s = strings.TrimSpace(s)
	if s == "" {
		return ""
	}
	first := []rune(s)
	s = strings.ToUpper(string(first[:1])) + string(first[1:])
	if !strings.ContainsAny(s[len(s)-1:], ".!?…") {
		s += "."
	}
	return s
}
