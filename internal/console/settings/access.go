package settings

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/auth"
	"github.com/stockhand/stockhand/internal/console/page"
	"github.com/stockhand/stockhand/internal/console/text"
	"github.com/stockhand/stockhand/internal/retention"
)

// formView is a page with one form.
type formView struct {
	view
	Fields fields
	Now    map[string]string // what holds now, by field
}

// The fields of the policy, as the API names them.
const (
	keyDays     = "max_key_days"
	tokenDays   = "max_token_days"
	addresses   = "keys_need_addresses"
	keysConfirm = "keys_may_confirm"
)

// Access serves the page of what keys and tokens may.
func (h Handlers) Access(w http.ResponseWriter, r *http.Request) error {
	return h.access(w, r, fields{}, nil)
}

func (h Handlers) access(w http.ResponseWriter, r *http.Request, f fields, failed error) (err error) {
	ctx, a := r.Context(), stockhand.ActorOf(r.Context())
	v := formView{Fields: f}
	if v.view, err = viewOf(r, access, failed); err != nil {
		return err
	}
	if f.values == nil {
		p, err := h.Auth.Policy(ctx, a)
		if err != nil {
			return err
		}
		may, err := h.Drafts.KeysMayConfirm(ctx, a.Org)
		if err != nil {
			return err
		}
		v.Fields = newFields(url.Values{})
		for name, days := range map[string]int{keyDays: p.MaxKeyDays, tokenDays: p.MaxTokenDays} {
			if days > 0 {
				v.Fields.values.Set(name, strconv.Itoa(days))
			}
		}
		for name, on := range map[string]bool{addresses: p.KeysNeedAddresses, keysConfirm: may} {
			if on {
				v.Fields.values.Set(name, "on")
			}
		}
	}
	return h.show(w, r, failed, accessPage(v))
}

// days reads a number of days; nil if the field is empty. It notes what is no such number.
func (f fields) days(ctx context.Context, name string, most int) *int {
	typed := f.value(name)
	if typed == "" {
		return nil
	}
	n, err := strconv.Atoi(typed)
	if err != nil || n < 1 || n > most {
		f.wrong[name] = text.WholeDays.With(ctx, 1, most)
	}
	return &n
}

// note marks the fields that an error names, without their prefix.
func (f fields) note(failed error, prefix, message string) {
	own, ok := errors.AsType[*stockhand.Error](failed)
	if !ok {
		return
	}
	for _, field := range own.Fields {
		if name, ours := strings.CutPrefix(field.Field, prefix); ours {
			f.wrong[name] = message
		}
	}
}

// SaveAccess changes what keys and tokens may.
func (h Handlers) SaveAccess(w http.ResponseWriter, r *http.Request) error {
	ctx, a := r.Context(), stockhand.ActorOf(r.Context())
	form, err := page.Form(r)
	if err != nil {
		return err
	}
	f, none := newFields(form), 0
	need := f.ticked(addresses)
	change := auth.PolicyChange{MaxKeyDays: f.days(ctx, keyDays, auth.MostDays),
		MaxTokenDays: f.days(ctx, tokenDays, auth.MostDays), KeysNeedAddresses: &need}
	if len(f.wrong) > 0 {
		return h.access(w, r, f, errForm)
	}
	if change.MaxKeyDays == nil {
		change.MaxKeyDays = &none
	}
	if change.MaxTokenDays == nil {
		change.MaxTokenDays = &none
	}
	now, err := h.Auth.Policy(ctx, a)
	if err == nil && (now.MaxKeyDays != *change.MaxKeyDays || now.MaxTokenDays != *change.MaxTokenDays ||
		now.KeysNeedAddresses != need) {
		_, err = h.Auth.ChangePolicy(ctx, a, change)
	}
	if err == nil {
		var may bool
		if may, err = h.Drafts.KeysMayConfirm(ctx, a.Org); err == nil && may != f.ticked(keysConfirm) {
			err = h.Drafts.SetKeysMayConfirm(ctx, a, !may)
		}
	}
	if err != nil {
		return h.access(w, r, f, err)
	}
	return saved(w, r, access)
}

// kept are the retention times: their fields, as the API names them, and their longest times.
var kept = []struct {
	name        string
	label, hint text.T
	most        int
	of          func(*retention.Days) **int
}{
	{"sessions_days", text.KeepSessions, text.T{}, retention.MostDays,
		func(d *retention.Days) **int { return &d.Sessions }},
	{"results_days", text.KeepResults, text.KeepResultsHint, retention.MostDays,
		func(d *retention.Days) **int { return &d.Results }},
	{"audit_days", text.KeepAudit, text.T{}, retention.MostDays, func(d *retention.Days) **int { return &d.Audit }},
	{"answers_days", text.KeepAnswers, text.T{}, retention.MostAnswerDays,
		func(d *retention.Days) **int { return &d.Answers }},
}

// Keeping serves the page of how long things are kept.
func (h Handlers) Keeping(w http.ResponseWriter, r *http.Request) error {
	return h.keeping(w, r, fields{}, nil)
}

func (h Handlers) keeping(w http.ResponseWriter, r *http.Request, f fields, failed error) (err error) {
	ctx, org := r.Context(), stockhand.ActorOf(r.Context()).Org
	v := formView{Fields: f, Now: map[string]string{}}
	if v.view, err = viewOf(r, keeping, failed); err != nil {
		return err
	}
	now, err := h.Retention.Days(ctx, org)
	if err != nil {
		return err
	}
	own, err := h.Retention.OwnDays(ctx, org)
	if err != nil {
		return err
	}
	if f.values == nil {
		v.Fields = newFields(url.Values{})
	}
	for _, k := range kept {
		said := text.KeepForGood.In(ctx)
		if n := *k.of(&now); n != nil {
			said = text.Days.Of(ctx, *n)
		}
		v.Now[k.name] = text.KeepNow.With(ctx, said)
		if n := *k.of(&own); n != nil && f.values == nil {
			v.Fields.values.Set(k.name, fmt.Sprint(*n))
		}
	}
	return h.show(w, r, failed, keepingPage(v))
}

// SaveKeeping replaces the retention times.
func (h Handlers) SaveKeeping(w http.ResponseWriter, r *http.Request) error {
	ctx := r.Context()
	form, err := page.Form(r)
	if err != nil {
		return err
	}
	f, days := newFields(form), retention.Days{}
	for _, k := range kept {
		*k.of(&days) = f.days(ctx, k.name, k.most)
	}
	if len(f.wrong) > 0 {
		return h.keeping(w, r, f, errForm)
	}
	if err := h.Retention.SetDays(ctx, stockhand.ActorOf(ctx), days); err != nil {
		if own, ok := page.Said(ctx, err); ok && stockhand.CodeOf(err) == stockhand.CodeValidation {
			f.note(err, "retention.", own.Message)
			err = errForm
		}
		return h.keeping(w, r, f, err)
	}
	return saved(w, r, keeping)
}

// ShowModels serves the page of the models that answer.
func (h Handlers) ShowModels(w http.ResponseWriter, r *http.Request) error {
	v, err := viewOf(r, models, nil)
	if err != nil {
		return err
	}
	return h.show(w, r, nil, modelsPage(v, h.Models))
}
