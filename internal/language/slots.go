package language

import (
	"slices"
	"strings"
	"time"

	"github.com/stockhand/stockhand/internal/connector"
)

// takes says which arguments a skill's tool has.
type takes struct {
	names  []connector.NameKind
	period bool
	limit  bool
}

var goodsNames = []connector.NameKind{connector.NameProduct, connector.NameGroup, connector.NameSupplier,
	connector.NameStore}

var skills = map[Skill]takes{
	Stock:        {names: goodsNames, limit: true},
	StockByStore: {names: goodsNames, limit: true},
	Shortages:    {names: goodsNames, period: true, limit: true},
	StockAge: {names: []connector.NameKind{connector.NameGroup, connector.NameSupplier,
		connector.NameStore}, limit: true},
	Turnover:      {names: goodsNames, period: true, limit: true},
	Profitability: {names: goodsNames, period: true, limit: true},
	Money:         {period: true},
	OverdueOrders: {names: []connector.NameKind{connector.NameCounterparty, connector.NameStore}, limit: true},
	SalesTrend:    {names: []connector.NameKind{connector.NameStore}, period: true},
	Receivables:   {names: []connector.NameKind{connector.NameCounterparty}, limit: true},
	ABCXYZ: {names: []connector.NameKind{connector.NameGroup, connector.NameSupplier,
		connector.NameStore}, period: true, limit: true},
	FindProducts:          {limit: true},
	Reference:             {},
	AccountOverview:       {},
	ProposeSupplierOrders: {names: goodsNames, period: true},
	ProposeTransfers:      {names: goodsNames, period: true},
	ProposePriceChange: {names: []connector.NameKind{connector.NameProduct, connector.NameGroup,
		connector.NameSupplier, connector.NamePriceType}},
	Help:     {},
	Greeting: {},
}

// fill sets the arguments that the skill takes from what the task says.
func (r *reader) fill(s Skill) Arguments {
	a := Arguments{}
	t := skills[s]
	q := &r.quantities
	if t.limit {
		a.Limit = q.limit
	}
	if t.period {
		if p, ok := r.chosenPeriod(s); ok {
			a.From, a.To = iso(p.from), iso(p.to)
			if p.from.IsZero() {
				a.From = ""
			}
		}
	}
	e := r.evidence
	switch s {
	case Stock:
		r.fillStock(&a)
	case Shortages:
		switch {
		case e.is("BELOWMIN") && !e.is("RUNOUT"):
			a.Mode = "below_minimum"
		case e.is("RUNOUT") && !e.is("BELOWMIN"):
			a.Mode = "running_out"
		}
		for _, d := range q.durations {
			a.Days = d.days
		}
		if len(q.periods) > 0 && q.periods[0].rolling > 0 && e.is("RUNOUT") && a.Days == 0 { // "enough for 10 days"
			a.Days, a.From, a.To = q.periods[0].rolling, "", ""
		}
		if a.Days > 0 && a.Mode == "" && !e.is("TOBUY") {
			a.Mode = "running_out"
		}
	case StockAge:
		a.MinDays = r.minDays()
		if a.MinDays == 0 {
			for _, p := range q.periods {
				if p.rolling > 0 || p.previous == noLength && p.to.Equal(r.today) {
					a.MinDays = int(r.today.Sub(p.from).Hours()/24) + 1
					if p.rolling > 0 {
						a.MinDays = p.rolling
					}
				}
			}
		}
	case OverdueOrders:
		a.MinDays = r.minDays()
	case Profitability:
		r.fillProfitability(&a)
	case Money:
		a.What = "balances"
		if e.is("FLOW", "TURN", "TREND", "BYDAY", "BYMONTH", "BYHOUR") || a.From != "" && a.From != a.To ||
			a.To != "" && a.To != iso(r.today) {
			a.What = "flow"
			if a.Interval = r.interval(); a.Interval == "week" { // money moves by day, month or hour
				a.Interval = ""
			}
		} else {
			a.From, a.To = "", ""
		}
	case SalesTrend:
		a.Interval = r.interval()
		a.Compare = e.is("COMPARE")
	case Receivables:
		a.Direction = "owed_to_us"
		switch {
		case e.is("BOTHWAYS"), e.is("PAYABLE") && r.owedToUs():
			a.Direction = "both"
		case e.is("PAYABLE"):
			a.Direction = "owed_by_us"
		}
		for _, m := range q.amounts {
			a.MinAmount = m.text
		}
	case ABCXYZ:
		switch {
		case e.is("PROFIT", "BYPROFIT", "MARGINWORD"):
			a.By = "profit"
		case e.is("BYQUANTITY", "HOWMANY"):
			a.By = "quantity"
		case e.is("REVENUE", "BYREVENUE"):
			a.By = "revenue"
		}
	case FindProducts:
		a.Query = r.query()
	case Reference:
		a.Kind = r.referenceKind()
	case ProposeSupplierOrders, ProposeTransfers:
		r.fillDraft(s, &a)
	case ProposePriceChange:
		r.fillPrices(&a)
	}
	return a
}

// owedToUs tells whether a task that speaks of what we owe speaks of what others owe as well.
func (r *reader) owedToUs() bool {
	for _, f := range r.found {
		if r.x.concepts[f.concept] != "DEBT" {
			continue
		}
		if w := r.ts[f.at[0]].norm; strings.HasPrefix(w, "дебит") || strings.HasPrefix(w, "receiv") ||
			strings.HasPrefix(w, "debtor") {
			return true
		}
	}
	return false
}

func iso(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format(time.DateOnly)
}

// chosenPeriod is the period the skill is to report on. "Сравни октябрь с сентябрем" is about the later one; "сравни
// с прошлым месяцем" is about this one.
func (r *reader) chosenPeriod(s Skill) (period, bool) {
	ps := r.quantities.periods
	if len(ps) == 0 {
		return period{}, false
	}
	p := ps[0]
	if len(ps) > 1 && r.evidence.is("COMPARE") {
		for _, other := range ps[1:] {
			if other.from.After(p.from) {
				p = other
			}
		}
	} else if s == SalesTrend && len(ps) == 1 && p.previous != noLength && r.evidence.is("COMPARE") &&
		r.comparedWith(p) {
		p.from, p.to = whole(p.previous, begin(p.previous, r.today))
	}
	if p.to.After(r.today) {
		p.to = r.today
	}
	return p, !p.from.After(p.to)
}

// comparedWith tells whether the period is what is compared with, and not what is compared.
func (r *reader) comparedWith(p period) bool {
	if p.at == 0 {
		return false
	}
	switch r.ts[p.at-1].norm {
	case "с", "со", "to", "with", "vs", "versus", "против", "чем", "than", "к", "against", "отношению", "the",
		"относительно":
		return true
	}
	return false
}

func (r *reader) minDays() int {
	for _, d := range r.quantities.durations {
		if !d.ahead {
			return d.days
		}
	}
	for _, d := range r.quantities.durations {
		return d.days
	}
	return 0
}

func (r *reader) interval() string {
	switch e := r.evidence; {
	case e.is("BYHOUR"):
		return "hour"
	case e.is("BYWEEK"):
		return "week"
	case e.is("BYMONTH"):
		return "month"
	case e.is("BYDAY"):
		return "day"
	}
	return ""
}

func (r *reader) fillStock(a *Arguments) {
	e := r.evidence
	switch {
	case e.is("NEGATIVE"):
		a.Only = "negative"
	case e.is("ALLROWS"):
		a.Only = "all"
	case e.is("ZERO"):
		a.Only = "zero"
	}
	switch {
	case e.is("BYVALUE"):
		a.Order = "value"
	case e.is("BYNAME"):
		a.Order = "name"
	case e.is("BEST", "WORST"):
		a.Order = "stock"
	}
	for _, p := range r.quantities.periods {
		day := p.to
		if r.before(p.at, "начало", "beginning", "start") {
			day = p.from
		}
		if day.Before(r.today) {
			a.At = iso(day)
		}
	}
}

// before tells whether one of the words stands in the three tokens before token i.
func (r *reader) before(i int, words ...string) bool {
	for j := i - 1; j >= 0 && j >= i-3; j-- {
		if slices.Contains(words, r.ts[j].norm) {
			return true
		}
	}
	return false
}

func (r *reader) fillProfitability(a *Arguments) {
	e := r.evidence
	switch {
	case e.is("BYEMPLOYEE"), e.is("EMPLOYEE"):
		a.By = "employee"
	case e.is("WHO") && !e.is("BYPRODUCT"):
		a.By = "employee"
		if e.is("BUYS", "CUSTOMER") {
			a.By = "counterparty"
		}
	case e.is("BYCHANNEL"), e.is("CHANNEL"):
		a.By = "sales_channel"
	case e.is("BYCUSTOMER"), e.is("CUSTOMER") && !e.is("BYPRODUCT", "PRODUCT"):
		a.By = "counterparty"
	case e.is("BYVARIANT"), e.is("VARIANT"):
		a.By = "variant"
	default:
		a.By = "product"
	}
	switch {
	// "принёс больше всего выручки"
	case e.is("REVENUE") && !r.says("прибыл", "марж", "рентаб", "наценк", "зараб", "profit", "margin", "earn"):
		a.Order = "revenue"
	case e.is("MARGINWORD"):
		a.Order = "margin"
	case e.is("PROFIT", "LOSS", "BYPROFIT"):
		a.Order = "profit"
	case e.is("BYQUANTITY"):
		a.Order = "quantity"
	case e.is("REVENUE", "BYREVENUE"), a.By != "product" && a.By != "variant":
		a.Order = "revenue"
	case e.is("SELL") && e.is("BEST", "WORST"):
		a.Order = "quantity"
		if r.salesNoun() {
			a.Order = "revenue"
		}
	case e.is("SELL"):
		a.Order = "revenue"
	}
	switch {
	case e.is("LOSS", "WORST"):
		a.Direction = "asc"
	case e.is("BEST"):
		a.Direction = "desc"
	}
}

// salesNoun tells whether sales are spoken of as money: "топ продаж", "top sales".
func (r *reader) salesNoun() bool {
	for _, f := range r.found {
		if r.x.concepts[f.concept] == "SELL" {
			if w := r.ts[f.at[len(f.at)-1]].norm; w == "продаж" || w == "продажам" || w == "продажи" || w == "sales" ||
				w == "sale" {
				return true
			}
		}
	}
	return false
}
