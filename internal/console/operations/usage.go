package operations

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strconv"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/chart"
	"github.com/stockhand/stockhand/internal/console/page"
	"github.com/stockhand/stockhand/internal/console/text"
	"github.com/stockhand/stockhand/internal/console/ui"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/llm"
	"github.com/stockhand/stockhand/internal/retention"
	"github.com/stockhand/stockhand/internal/tool"
)

// periods are the choices of the usage page, in days.
var periods = []struct {
	days  int
	title text.T
}{{7, text.Last7}, {30, text.Last30}, {90, text.Last90}}

const usualPeriod = 30

// used is what somebody, a model or a day used.
type used struct {
	Name     string
	Runs     int
	Requests int
	Tokens   int
	Calls    int
	Money    int64 // millionths
}

// add adds more.
func (u *used) add(more used) {
	u.Runs += more.Runs
	u.Requests += more.Requests
	u.Tokens += more.Tokens
	u.Calls += more.Calls
	u.Money += more.Money
}

// usageView is the page of usage.
type usageView struct {
	Org      stockhand.OrgID
	Tabs     []ui.Tab
	Periods  []ui.Tab
	Total    used
	Charts   []chart.Chart
	Actors   []used
	Models   []used
	Days     []used // newest first, those on which something was used
	Month    llm.Month
	Storage  retention.Usage
	Currency string
}

// Usage serves what was used, and what is left.
func (h Handlers) Usage(w http.ResponseWriter, r *http.Request) error {
	ctx, org := r.Context(), stockhand.ActorOf(r.Context()).Org
	length := usualPeriod
	if given := r.URL.Query().Get("days"); given != "" {
		n, err := strconv.Atoi(given)
		if err != nil {
			return errPeriod
		}
		length = n
	}
	v := usageView{Org: org, Tabs: tabs(ctx, org, usage), Currency: h.Currency}
	known := false
	for _, p := range periods {
		known = known || p.days == length
		v.Periods = append(v.Periods, ui.Tab{Title: p.title.In(ctx), Count: -1, Current: p.days == length,
			Path: page.Path(org, usage) + "?days=" + strconv.Itoa(p.days)})
	}
	if !known {
		return errPeriod
	}
	today := tool.DayOf(h.Clock().UTC())
	if err := h.fill(ctx, &v, today.Add(1-length), today); err != nil {
		return err
	}
	var err error
	if v.Month, err = h.Month(ctx, org); err != nil {
		return err
	}
	if v.Storage, err = h.Storage(ctx, org); err != nil {
		return err
	}
	return h.show(w, r, text.Usage, usagePage(v))
}

var errPeriod = stockhand.Errorf(stockhand.CodeValidation, "there is no such period")

// fill reads what was used from one day to another.
func (h Handlers) fill(ctx context.Context, v *usageView, from, to tool.Day) error {
	rows, err := h.Store.Usage(ctx, v.Org, string(from), string(to))
	if err != nil {
		return err
	}
	calls, err := h.Activity.ModelUsage(ctx, v.Org, string(from), string(to))
	if err != nil {
		return err
	}
	actors := make([]string, 0, len(rows)+len(calls))
	for _, u := range rows {
		actors = append(actors, u.By)
	}
	for _, u := range calls {
		actors = append(actors, u.By)
	}
	names, err := h.names(ctx, actors...)
	if err != nil {
		return err
	}
	byActor, byModel, byDay := map[string]*used{}, map[string]*used{}, map[string]*used{}
	add := func(to map[string]*used, key, name string, more used) {
		if to[key] == nil {
			to[key] = &used{Name: name}
		}
		to[key].add(more)
	}
	for _, u := range rows {
		more := used{Runs: u.Runs, Requests: u.Requests, Tokens: u.InputTokens + u.OutputTokens,
			Money: u.Cost}
		add(byActor, u.By, names.Of(ctx, u.By), more)
		add(byDay, u.Day, u.Day, more)
		v.Total.add(more)
	}
	for _, u := range calls { // their tokens and money are in the rows already
		more := used{Calls: u.Calls}
		add(byActor, u.By, names.Of(ctx, u.By), more)
		add(byDay, u.Day, u.Day, more)
		v.Total.add(more)
		more.Tokens, more.Money = u.Tokens(), u.Money
		add(byModel, u.Model, u.Model, more)
	}
	v.Actors, v.Models, v.Days = most(byActor), most(byModel), most(byDay)
	slices.SortFunc(v.Days, func(a, b used) int { return cmp.Compare(b.Name, a.Name) })
	v.Charts = charts(ctx, byDay, from, to)
	return nil
}

// most lists what used most first.
func most(of map[string]*used) (all []used) {
	for _, u := range of {
		all = append(all, *u)
	}
	slices.SortFunc(all, func(a, b used) int {
		return cmp.Or(cmp.Compare(b.Money, a.Money), cmp.Compare(b.Requests, a.Requests),
			cmp.Compare(b.Tokens, a.Tokens), cmp.Compare(b.Runs, a.Runs), cmp.Compare(a.Name, b.Name))
	})
	return all
}

// charts draws requests and tokens by day. On a day without an entry, nothing was used.
func charts(ctx context.Context, byDay map[string]*used, from, to tool.Day) (all []chart.Chart) {
	for _, c := range []struct {
		title text.T
		of    func(used) int
	}{{text.UsageChart, func(u used) int { return u.Requests }}, {text.TokensChart,
		func(u used) int { return u.Tokens }}} {
		sum := 0
		r := &tool.Result{Columns: []tool.Column{{Name: "day", Label: text.DayUTC.In(ctx), Unit: tool.UnitDate},
			{Name: "n", Label: c.title.In(ctx), Unit: tool.UnitCount}}}
		for day := from; day <= to; day = day.Add(1) {
			n := 0
			if u := byDay[string(day)]; u != nil {
				n = c.of(*u)
			}
			sum += n
			r.Rows = append(r.Rows, tool.Row{tool.Date(day), tool.Count(n)})
		}
		drawn, ok := chart.Of(r, chart.Spec{Kind: chart.Line, Title: c.title.In(ctx), X: "day", Y: []string{"n"}},
			text.Language(ctx))
		if ok && sum > 0 {
			drawn.Tabled = true // the table of days has the figures
			all = append(all, drawn)
		}
	}
	return all
}

// money formats millionths of the currency of prices: cents, or more digits if there would be none.
func money(ctx context.Context, micros int64, currency string) string {
	amount := decimal.FromParts(uint64(max(0, micros)), 6, false)
	if micros > 0 && amount.Less(decimal.MustParse("0.01")) {
		return text.Language(ctx).Pick("меньше ", "less than ") +
			tool.FormatMoney(decimal.MustParse("0.01"), currency, text.Language(ctx))
	}
	return tool.FormatMoney(amount.Round(2), currency, text.Language(ctx))
}

// cost says what was paid; nothing, if no model with a price was called.
func (v usageView) cost(ctx context.Context, u used) string {
	switch {
	case u.Money > 0:
		return money(ctx, u.Money, v.Currency)
	case u.Calls > 0:
		return text.CostUnpriced.In(ctx)
	}
	return "—"
}

// store is something stored of which there may be a limit.
type store struct {
	title   text.T
	n       int64
	most    *int64
	isBytes bool
}

func (v usageView) stored() []store {
	s := v.Storage
	return []store{{text.StoredResults, s.Bytes, s.MaxBytes, true},
		{text.StoredSessions, s.Sessions, s.MaxSessions, false},
		{text.StoredMessages, s.Messages, s.MaxMessages, false}, {text.StoredDrafts, s.Drafts, s.MaxDrafts, false}}
}

// limited reports whether anything that is stored has a limit.
func (v usageView) limited() bool {
	return slices.ContainsFunc(v.stored(), func(s store) bool { return s.most != nil })
}

// said says how much of something is stored.
func (s store) said(ctx context.Context) string {
	shown := func(n int64) string {
		if s.isBytes {
			return ui.Size(ctx, n)
		}
		return count(ctx, n)
	}
	if s.most == nil {
		return shown(s.n)
	}
	return text.UsedOf.With(ctx, shown(s.n), shown(*s.most))
}

func (s store) amount(ctx context.Context) ui.Amount {
	a := ui.Amount{Title: s.title.In(ctx), Said: s.said(ctx), N: s.n}
	if s.most != nil {
		a.Most = *s.most
	}
	return a
}

// day formats the name of a day.
func day(ctx context.Context, name string) string { return tool.Day(name).Format(text.Language(ctx)) }

// figures are the sums of the period.
func (v usageView) figures(ctx context.Context) []ui.Figure {
	all := []ui.Figure{{Title: text.RunsCount.In(ctx), Value: count(ctx, int64(v.Total.Runs))},
		{Title: text.RequestsCount.In(ctx), Value: count(ctx, int64(v.Total.Requests))},
		{Title: text.TokensCount.In(ctx), Value: count(ctx, int64(v.Total.Tokens))}}
	if v.Total.Calls > 0 {
		all = append(all, ui.Figure{Title: text.Cost.In(ctx), Value: v.cost(ctx, v.Total)})
	}
	return all
}
