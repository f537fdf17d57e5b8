package settings

import (
	"context"
	"net/http"
	"net/url"
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/console/page"
	"github.com/stockhand/stockhand/internal/console/text"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/draft"
)

// writingView is the page about what may be written.
type writingView struct {
	view
	Stop   stockhand.WriteStop
	Rules  fields
	Unsure bool // the stop was asked for without a tick
}

// Writing serves the page about what may be written: the stop of all writes, and the rules for drafts.
func (h Handlers) Writing(w http.ResponseWriter, r *http.Request) error {
	return h.writing(w, r, writingView{}, nil)
}

func (h Handlers) writing(w http.ResponseWriter, r *http.Request, v writingView, failed error) (err error) {
	ctx, a := r.Context(), stockhand.ActorOf(r.Context())
	if v.view, err = viewOf(r, writing, failed); err != nil {
		return err
	}
	if v.Stop, err = h.Drafts.WriteStop(ctx, a.Org); err != nil {
		return err
	}
	if v.Rules.values == nil {
		rules, err := h.Drafts.Rules(ctx, a.Org)
		if err != nil {
			return err
		}
		v.Rules = newFields(shownRules(ctx, rules))
	}
	return h.show(w, r, failed, writingPage(v))
}

// Stop stops all writes of the organization. The person ticks a box, so that it is no slip.
func (h Handlers) Stop(w http.ResponseWriter, r *http.Request) error { return h.stop(w, r, true) }

// Allow allows writes again.
func (h Handlers) Allow(w http.ResponseWriter, r *http.Request) error { return h.stop(w, r, false) }

func (h Handlers) stop(w http.ResponseWriter, r *http.Request, stop bool) error {
	form, err := page.Form(r)
	if err != nil {
		return err
	}
	if form.Get("sure") == "" {
		return h.writing(w, r, writingView{Unsure: true}, errUnsure)
	}
	if err := h.Drafts.StopWrites(r.Context(), stockhand.ActorOf(r.Context()), stop); err != nil {
		return h.writing(w, r, writingView{}, err)
	}
	return page.Go(w, r, path(stockhand.ActorOf(r.Context()).Org))
}

var errUnsure = &stockhand.Error{Code: stockhand.CodeValidation, Message: text.WritesUnsure.EN,
	RU: stockhand.Words{Message: text.WritesUnsure.RU}}

// The fields of the rules, as the API names them.
const (
	maxOrder     = "max_order_total"
	maxChange    = "max_price_change"
	secondAbove  = "second_approver_above"
	secondChange = "second_approver_price_change"
	stepUp       = "step_up_above"
	belowCost    = "no_price_below_cost"
	proposer     = "proposer_may_not_confirm"
	quietFrom    = "quiet_from"
	quietTo      = "quiet_to"
)

// limits are the rules that are numbers.
func limits(r *draft.Rules) map[string]*decimal.Maybe {
	return map[string]*decimal.Maybe{maxOrder: &r.MaxOrderTotal, maxChange: &r.MaxPriceChange,
		secondAbove: &r.SecondApproverAbove, secondChange: &r.SecondApproverPriceChange, stepUp: &r.StepUpAbove}
}

// shownRules returns the rules as fields of a form.
func shownRules(ctx context.Context, r draft.Rules) url.Values {
	v := url.Values{}
	for name, n := range limits(&r) {
		if n.Known {
			v.Set(name, text.Language(ctx).Pick(strings.ReplaceAll(n.String(), ".", ","), n.String()))
		}
	}
	for name, on := range map[string]bool{belowCost: r.NoPriceBelowCost, proposer: r.ProposerMayNotConfirm} {
		if on {
			v.Set(name, "on")
		}
	}
	if q := r.QuietHours; q != nil {
		v.Set(quietFrom, q.From)
		v.Set(quietTo, q.To)
	}
	return v
}

// plainNumber removes what people write between digits, and writes a comma as a point.
var plainNumber = strings.NewReplacer(" ", "", "\u00a0", "", "\u202f", "", ",", ".")

// readRules reads the rules of a form. It notes what is no number.
func readRules(ctx context.Context, f fields) (r draft.Rules) {
	for name, n := range limits(&r) {
		typed := plainNumber.Replace(f.value(name))
		if typed == "" {
			continue
		}
		d, err := decimal.Parse(typed)
		if err != nil || d.Sign() < 0 || d.Round(2).Cmp(d) != 0 {
			f.wrong[name] = text.RuleNumber.In(ctx)
		}
		*n = decimal.Some(d)
	}
	r.NoPriceBelowCost, r.ProposerMayNotConfirm = f.ticked(belowCost), f.ticked(proposer)
	if from, to := f.value(quietFrom), f.value(quietTo); from != "" || to != "" {
		r.QuietHours = &draft.QuietHours{From: from, To: to}
	}
	return r
}

var errForm = &stockhand.Error{Code: stockhand.CodeValidation, Message: "some fields need to be corrected",
	RU: stockhand.Words{Message: "исправьте отмеченные поля"}}

// SaveRules replaces the rules for drafts.
func (h Handlers) SaveRules(w http.ResponseWriter, r *http.Request) error {
	ctx, a := r.Context(), stockhand.ActorOf(r.Context())
	form, err := page.Form(r)
	if err != nil {
		return err
	}
	f := newFields(form)
	rules := readRules(ctx, f)
	if len(f.wrong) > 0 {
		return h.writing(w, r, writingView{Rules: f}, errForm)
	}
	if err := h.Drafts.SetRules(ctx, a, rules); err != nil {
		if stockhand.CodeOf(err) == stockhand.CodeValidation { // the numbers are right
			f.wrong[quietTo] = text.RuleTimes.In(ctx)
			err = errForm
		}
		return h.writing(w, r, writingView{Rules: f}, err)
	}
	return saved(w, r, writing)
}
