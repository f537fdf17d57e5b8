package developers

import (
	"context"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/a-h/templ"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/auth"
	"github.com/stockhand/stockhand/internal/console/page"
	"github.com/stockhand/stockhand/internal/console/text"
	"github.com/stockhand/stockhand/internal/console/ui"
)

// Keys is the part of internal/auth that manages keys.
type Keys interface {
	CreateKey(ctx context.Context, a stockhand.Actor, n auth.NewKey) (k stockhand.Key, secret string, err error)
	Keys(ctx context.Context, a stockhand.Actor, before stockhand.KeyID, limit int) ([]stockhand.Key, error)
	RotateKey(ctx context.Context, a stockhand.Actor, id stockhand.KeyID, overlap time.Duration) (k stockhand.Key,
		secret string, err error)
	RevokeKey(ctx context.Context, a stockhand.Actor, id stockhand.KeyID, tree bool) (stockhand.Revocation, error)
	Members(ctx context.Context, a stockhand.Actor, org stockhand.OrgID, after stockhand.UserID, limit int) (
		[]stockhand.Member, error)
}

const (
	mostKeys   = 200 // on the page; an organization may have as many that are valid
	soon       = 14 * 24 * time.Hour
	usualDays  = auth.DefaultDays
	usualHours = int(auth.DefaultOverlap / time.Hour)
)

// keysView is the page of keys.
type keysView struct {
	Org      stockhand.OrgID
	Now      time.Time
	Valid    []stockhand.Key
	Past     []stockhand.Key
	More     stockhand.KeyID // the last one shown, if there are more
	Accounts []stockhand.Connection
	names    page.Names

	Form    keyForm
	Problem *stockhand.Words
	Shown   *shownKey
}

// shownKey is a key that was just created, with its secret.
type shownKey struct {
	stockhand.Key
	Secret   string
	OldUntil time.Time // of the key that it replaces; zero for none
	Snippets []snippet
}

// keyForm is a new key as the form has it.
type keyForm struct {
	Name      string
	Scopes    []stockhand.Scope
	Days      int
	Addresses string
	Account   stockhand.ConnectionID
}

func (v keysView) path(rest ...string) templ.SafeURL {
	return templ.SafeURL(path(v.Org, append([]string{keys}, rest...)...))
}

// state is what a key is, in a word.
func (v keysView) state(ctx context.Context, k stockhand.Key) (ui.Kind, string) {
	switch {
	case !k.Revoked.IsZero():
		return ui.Plain, text.KeyRevoked.In(ctx)
	case !k.Expires.After(v.Now):
		return ui.Plain, text.KeyExpired.In(ctx)
	case k.Expires.Sub(v.Now) <= soon:
		return ui.Warn, text.KeySoon.In(ctx)
	}
	return ui.Good, text.KeyWorks.In(ctx)
}

// replaced reports whether a valid key has taken the place of this one.
func (v keysView) replaced(k stockhand.Key) bool {
	return slices.ContainsFunc(v.Valid, func(other stockhand.Key) bool { return other.Replaces == k.ID })
}

// by is who created a key.
func (v keysView) by(ctx context.Context, k stockhand.Key) string { return v.names.Of(ctx, k.By) }

// limits are what a key is restricted to beside its scopes.
func (v keysView) limits(ctx context.Context, k stockhand.Key) (all []string) {
	if len(k.AllowedIPs) > 0 {
		all = append(all, text.KeyFrom.With(ctx, strings.Join(k.AllowedIPs, ", ")))
	}
	var bound []string
	for _, id := range k.Binding.Connections {
		bound = append(bound, v.label(id))
	}
	for _, id := range k.Binding.Agents {
		bound = append(bound, string(id))
	}
	if bound = append(bound, k.Binding.Tools...); len(bound) > 0 {
		all = append(all, text.KeyBound.With(ctx, strings.Join(bound, ", ")))
	}
	return all
}

func (v keysView) label(id stockhand.ConnectionID) string {
	for _, c := range v.Accounts {
		if c.ID == id {
			return c.Label
		}
	}
	return string(id)
}

// accounts are the choices of an account.
func (v keysView) accounts(ctx context.Context) []ui.Option {
	all := []ui.Option{{Title: text.DevAnyAccount.In(ctx)}}
	for _, c := range v.Accounts {
		all = append(all, ui.Option{Value: string(c.ID), Title: c.Label})
	}
	return all
}

// lifetimes are the choices of an expiry.
func lifetimes(ctx context.Context) (all []ui.Option) {
	for _, n := range []int{1, 7, 30, usualDays, 180, auth.MostDays} {
		all = append(all, ui.Option{Value: strconv.Itoa(n), Title: text.Days.Of(ctx, n)})
	}
	return all
}

// overlaps are the choices of how long a replaced key goes on working.
func overlaps(ctx context.Context) (all []ui.Option) {
	for _, n := range []int{1, usualHours, 7 * 24, int(auth.MostOverlap / time.Hour)} {
		title := text.Hours.Of(ctx, n)
		if n >= 48 {
			title = text.Days.Of(ctx, n/24)
		}
		all = append(all, ui.Option{Value: strconv.Itoa(n), Title: title})
	}
	return all
}

// ListKeys serves the page of keys.
func (h Handlers) ListKeys(w http.ResponseWriter, r *http.Request) error {
	return h.showKeys(w, r, http.StatusOK, keysView{})
}

// showKeys completes the page and writes it.
func (h Handlers) showKeys(w http.ResponseWriter, r *http.Request, status int, v keysView) (err error) {
	ctx, a := r.Context(), stockhand.ActorOf(r.Context())
	v.Org, v.Now = a.Org, h.Clock()
	if v.Form.Days == 0 {
		v.Form.Days = usualDays
	}
	if v.Form.Scopes == nil {
		v.Form.Scopes = []stockhand.Scope{stockhand.ScopeReadTools, stockhand.ScopeWriteTools, stockhand.ScopeChat}
	}
	all, err := h.Keys.Keys(ctx, a, stockhand.KeyID(r.URL.Query().Get("before")), mostKeys)
	if err != nil {
		return err
	}
	if len(all) == mostKeys {
		v.More = all[mostKeys-1].ID
	}
	for _, k := range all {
		if k.Revoked.IsZero() && k.Expires.After(v.Now) {
			v.Valid = append(v.Valid, k)
		} else {
			v.Past = append(v.Past, k)
		}
	}
	if v.Accounts, err = h.Store.Connections(ctx, a.Org); err != nil {
		return err
	}
	if v.names, err = h.names(ctx, all); err != nil {
		return err
	}
	if v.Shown != nil {
		v.Shown.Snippets = h.snippets(ctx, v, v.Shown.Secret, v.Shown.Scopes)
		for _, old := range all {
			if old.ID == v.Shown.Replaces {
				v.Shown.OldUntil = old.Expires
			}
		}
	}
	return h.show(w, r, status, keys, keysPage(v, h.snippets(ctx, v, "", nil)))
}

// names are those of the actors that the organization knows, as people call them.
func (h Handlers) names(ctx context.Context, all []stockhand.Key) (page.Names, error) {
	a := stockhand.ActorOf(ctx)
	members, err := h.Keys.Members(ctx, a, a.Org, "", mostKeys)
	if err != nil {
		return nil, err
	}
	names := page.Names{}
	for _, m := range members {
		names["user:"+string(m.User.ID)] = nameOf(m.User)
	}
	for _, k := range all {
		names["key:"+string(k.ID)] = k.Name
	}
	return names, nil
}

func nameOf(u stockhand.User) string {
	if u.Name != "" {
		return u.Name
	}
	return u.Email
}

// changed shows the list after a change, or why there was none.
func (h Handlers) changed(w http.ResponseWriter, r *http.Request, v keysView, failed error) error {
	if failed == nil {
		if v.Shown != nil { // the secret is nowhere else
			return h.showKeys(w, r, http.StatusOK, v)
		}
		return page.Go(w, r, path(stockhand.ActorOf(r.Context()).Org, keys))
	}
	words, ok := page.Said(r.Context(), failed)
	if !ok || stockhand.CodeOf(failed) == stockhand.CodeNotFound {
		return failed
	}
	v.Problem, v.Shown = &words, nil
	return h.showKeys(w, r, page.Status(failed), v)
}

// CreateKey creates a key and shows its secret, once (rule R384).
func (h Handlers) CreateKey(w http.ResponseWriter, r *http.Request) error {
	form, err := page.Form(r)
	if err != nil {
		return err
	}
	days, _ := strconv.Atoi(form.Get("days"))
	f := keyForm{Name: strings.TrimSpace(form.Get("name")), Days: days, Addresses: form.Get("addresses"),
		Account: stockhand.ConnectionID(form.Get("account")), Scopes: []stockhand.Scope{}}
	for _, s := range form["scope"] {
		f.Scopes = append(f.Scopes, stockhand.Scope(s))
	}
	n := auth.NewKey{Name: f.Name, Scopes: f.Scopes, ExpiresInDays: f.Days,
		AllowedIPs: strings.FieldsFunc(f.Addresses, func(r rune) bool { return strings.ContainsRune(", ;\n\r\t", r) })}
	ctx, a := r.Context(), stockhand.ActorOf(r.Context())
	if f.Account != "" {
		connected, err := h.Store.Connections(ctx, a.Org)
		if err != nil {
			return err
		}
		if !slices.ContainsFunc(connected, func(c stockhand.Connection) bool { return c.ID == f.Account }) {
			return stockhand.Errorf(stockhand.CodeNotFound, "no such connection")
		}
		n.Binding.Connections = []stockhand.ConnectionID{f.Account}
	}
	k, secret, err := h.Keys.CreateKey(ctx, a, n)
	if err != nil {
		return h.changed(w, r, keysView{Form: f}, err)
	}
	return h.changed(w, r, keysView{Shown: &shownKey{Key: k, Secret: secret}}, nil)
}

// RotateKey replaces a key and shows the secret of the new one, once.
func (h Handlers) RotateKey(w http.ResponseWriter, r *http.Request) error {
	form, err := page.Form(r)
	if err != nil {
		return err
	}
	hours, err := strconv.Atoi(form.Get("hours"))
	if err != nil || hours < 1 {
		hours = usualHours
	}
	k, secret, err := h.Keys.RotateKey(r.Context(), stockhand.ActorOf(r.Context()),
		stockhand.KeyID(r.PathValue("key_id")), time.Duration(hours)*time.Hour)
	return h.changed(w, r, keysView{Shown: &shownKey{Key: k, Secret: secret}}, err)
}

// RevokeKey ends a key and those that it created.
func (h Handlers) RevokeKey(w http.ResponseWriter, r *http.Request) error {
	_, err := h.Keys.RevokeKey(r.Context(), stockhand.ActorOf(r.Context()), stockhand.KeyID(r.PathValue("key_id")),
		true)
	return h.changed(w, r, keysView{}, err)
}
