package language

import (
	"slices"
	"strings"
	"time"

	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/language/compose/typed"
	"github.com/stockhand/stockhand/internal/language/quantity"
	"github.com/stockhand/stockhand/internal/words"
)

// takes says which arguments a skill's tool has.
type takes struct {
	names  []connector.NameKind
	period bool
	limit  bool
}

const mostDaysAhead = 180 // how far the report of what runs out looks

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
	Help:      {},
	SmallTalk: {},
}

// fill sets the arguments of the skill that the task gives, except names.
func (r *reader) fill(s Skill) Arguments {
	a := Arguments{}
	t := skills[s]
	q := &r.Quantities
	if t.limit {
		a.Limit = q.Limit
	}
	if t.period {
		if p, ok := r.chosenPeriod(s); ok {
			a.From, a.To = iso(p.From), iso(p.To)
			if p.From.IsZero() {
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
		case e.has(conceptBelowMinimum) && !e.has(conceptRunsOut):
			a.Mode = "below_minimum"
		case e.has(conceptRunsOut) && !e.has(conceptBelowMinimum):
			a.Mode = "running_out"
		}
		for _, d := range q.Durations {
			a.Days = d.Days
		}
		// "enough for 10 days"
		if len(q.Periods) > 0 && q.Periods[0].Rolling > 0 && e.has(conceptRunsOut) && a.Days == 0 {
			a.Days, a.From, a.To = q.Periods[0].Rolling, "", ""
		}
		if a.From == "" && a.To != "" { // "до рождества" lies ahead where goods run out (rule R1125)
			a.To = ""
			for _, p := range quantity.Coming(r.ts, r.today) {
				if days := int(p.To.Sub(r.today).Hours()/24) + 1; days > 0 && days <= mostDaysAhead {
					a.Days = days
				}
			}
		}
		if a.Days > 0 && a.Mode == "" && !e.has(conceptToBuy) {
			a.Mode = "running_out"
		}
	case StockAge:
		a.MinDays = r.minDays()
		if a.MinDays == 0 {
			for _, p := range q.Periods {
				if p.Rolling > 0 || p.Previous == words.NoTime && p.To.Equal(r.today) {
					a.MinDays = int(r.today.Sub(p.From).Hours()/24) + 1
					if p.Rolling > 0 {
						a.MinDays = p.Rolling
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
		if e.has(conceptMoneyFlow, conceptTurnover, conceptTrend, conceptByDay, conceptByMonth, conceptByHour) ||
			a.From != "" && a.From != a.To ||
			a.To != "" && a.To != iso(r.today) {
			a.What = "flow"
			if a.Interval = r.interval(); a.Interval == "week" { // money moves by day, month or hour
				a.Interval = ""
			}
		} else {
			a.From, a.To = "", ""
			p := typed.PlaceOfMoney(r.ts)
			a.Place, a.Currency = p.Place, p.Currency
		}
	case SalesTrend:
		a.Interval = r.interval()
		a.Compare = e.has(conceptCompare)
	case Receivables:
		a.Direction = "owed_to_us"
		switch {
		case e.has(conceptBothWays), e.has(conceptPayable) && r.owedToUs():
			a.Direction = "both"
		case e.has(conceptPayable), r.weOwe():
			a.Direction = "owed_by_us"
		}
		for _, m := range q.Amounts {
			a.MinAmount = m.Text
		}
	case ABCXYZ:
		switch {
		case e.has(conceptProfit, conceptByProfit, conceptMargin):
			a.By = "profit"
		case e.has(conceptByQuantity, conceptHowMany):
			a.By = "quantity"
		case e.has(conceptRevenue, conceptByRevenue):
			a.By = "revenue"
		}
	case FindProducts:
		a.Query = r.soughtGoods()
	case Reference:
		a.Kind = r.referenceKind()
	}
	return a
}

// owedToUs reports whether a task about what we owe is also about what others owe us.
func (r *reader) owedToUs() bool {
	for _, f := range r.found {
		if f.Meaning != conceptDebt {
			continue
		}
		if w := r.ts[f.At[0]].Norm; strings.HasPrefix(w, "дебит") || strings.HasPrefix(w, "receiv") ||
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

// chosenPeriod returns the period to report on: of "сравни октябрь с сентябрем" the later one, of "сравни с прошлым
// месяцем" the current month.
func (r *reader) chosenPeriod(s Skill) (quantity.Period, bool) {
	ps := r.Quantities.Periods
	if len(ps) == 0 {
		return quantity.Period{}, false
	}
	p := ps[0]
	if len(ps) > 1 && r.evidence.has(conceptCompare) {
		for _, other := range ps[1:] {
			if other.From.After(p.From) {
				p = other
			}
		}
	} else if s == SalesTrend && len(ps) == 1 && p.Previous != words.NoTime && r.evidence.has(conceptCompare) &&
		r.comparedWith(p) {
		p.From, p.To = quantity.Whole(p.Previous, quantity.Begin(p.Previous, r.today))
	}
	if p.To.After(r.today) {
		p.To = r.today
	}
	return p, !p.From.After(p.To)
}

// comparedWith reports whether the period is the one to compare with.
func (r *reader) comparedWith(p quantity.Period) bool {
	if p.At == 0 {
		return false
	}
	switch r.ts[p.At-1].Norm {
	case "с", "со", "to", "with", "vs", "versus", "против", "чем", "than", "к", "against", "отношению", "the",
		"относительно":
		return true
	}
	return false
}

func (r *reader) minDays() int {
	for _, d := range r.Quantities.Durations {
		if !d.Ahead {
			return d.Days
		}
	}
	for _, d := range r.Quantities.Durations {
		return d.Days
	}
	return 0
}

func (r *reader) interval() string {
	switch e := r.evidence; {
	case e.has(conceptByHour):
		return "hour"
	case e.has(conceptByWeek):
		return "week"
	case e.has(conceptByMonth):
		return "month"
	case e.has(conceptByDay):
		return "day"
	}
	return ""
}

// leavesEmptyOut reports whether the task wants no empty rows, which the list of stock leaves out anyway: "без
// нулевых".
func (r *reader) leavesEmptyOut() bool {
	for i := range r.ts {
		if t := &r.ts[i]; i > 0 && strings.HasPrefix(t.Norm, "нулев") && leavingOut[r.normAt(i-1)] {
			return true
		}
	}
	return false
}

func (r *reader) fillStock(a *Arguments) {
	e := r.evidence
	switch {
	case e.has(conceptNegative):
		a.Only = "negative"
	case e.has(conceptAllRows):
		a.Only = "all"
	case e.has(conceptZero) && !r.leavesEmptyOut():
		a.Only = "zero"
	}
	switch {
	case e.has(conceptByValue):
		a.Order = "value"
	case e.has(conceptByName):
		a.Order = "name"
	case e.has(conceptBest, conceptWorst):
		a.Order = "stock"
	}
	for _, p := range r.Quantities.Periods {
		day := p.To
		if r.before(p.At, "начало", "beginning", "start") {
			day = p.From
		}
		if day.Before(r.today) {
			a.At = iso(day)
		}
	}
}

// before reports whether one of the words is among the three tokens before token i.
func (r *reader) before(i int, words ...string) bool {
	for j := i - 1; j >= 0 && j >= i-3; j-- {
		if slices.Contains(words, r.ts[j].Norm) {
			return true
		}
	}
	return false
}

func (r *reader) fillProfitability(a *Arguments) {
	e := r.evidence
	switch {
	case e.has(conceptByEmployee), e.has(conceptEmployee):
		a.By = "employee"
	case e.has(conceptWho) && !e.has(conceptByProduct):
		a.By = "employee"
		if e.has(conceptCustomerBuys, conceptCustomer) {
			a.By = "counterparty"
		}
	case e.has(conceptByChannel), e.has(conceptChannel):
		a.By = "sales_channel"
	case e.has(conceptByCustomer), e.has(conceptCustomer) && !e.has(conceptByProduct, conceptProduct):
		a.By = "counterparty"
	case e.has(conceptByVariant), e.has(conceptVariant):
		a.By = "variant"
	default:
		a.By = "product"
	}
	switch {
	// "принёс больше всего выручки"
	case e.has(conceptRevenue) && !r.says("прибыл", "марж", "рентаб", "наценк", "зараб", "profit", "margin", "earn"):
		a.Order = "revenue"
	case e.has(conceptMargin):
		a.Order = "margin"
	case e.has(conceptProfit, conceptLoss, conceptByProfit):
		a.Order = "profit"
	case e.has(conceptByQuantity):
		a.Order = "quantity"
	case e.has(conceptRevenue, conceptByRevenue), a.By != "product" && a.By != "variant":
		a.Order = "revenue"
	case e.has(conceptSales) && e.has(conceptBest, conceptWorst):
		a.Order = "quantity"
		if r.salesNoun() {
			a.Order = "revenue"
		}
	case e.has(conceptSales):
		a.Order = "revenue"
	}
	switch {
	case e.has(conceptLoss, conceptWorst):
		a.Direction = "asc"
	case e.has(conceptBest):
		a.Direction = "desc"
	}
}

// salesNoun reports whether the task means sales in money: "топ продаж", "top sales".
func (r *reader) salesNoun() bool {
	for _, f := range r.found {
		if f.Meaning == conceptSales {
			if w := r.ts[f.At[len(f.At)-1]].Norm; w == "продаж" || w == "продажам" || w == "продажи" || w == "sales" ||
				w == "sale" {
				return true
			}
		}
	}
	return false
}
