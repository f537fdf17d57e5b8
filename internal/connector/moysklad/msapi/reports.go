package msapi

import (
	"context"
	"iter"

	"github.com/stockhand/stockhand/internal/decimal"
)

// TurnoverQuery narrows the turnover report. Period is required.
type TurnoverQuery struct {
	Period    Period
	Stores    []ID
	Products  []ID // asked for apart from Variants
	Variants  []ID
	Suppliers []ID
	GroupBy   GroupBy // default: by product
	Idle      *bool   // with goods that did not move (withoutturnover); nil: not sent
	Archived  Archived
	Filter    Filter
}

// TurnoverRow is the movement of one good over a period (Обороты).
type TurnoverRow struct {
	Assortment Ref
	Folder     Ref
	Unit       string
	Start      Turnover // on the period's start
	End        Turnover // on its end
	Income     Turnover
	Outcome    Turnover
}

// Turnover is a quantity and its cost: Sum is cost in minor units, not revenue (fact M79).
type Turnover struct {
	Quantity decimal.Maybe `json:"quantity"`
	Sum      decimal.Maybe `json:"sum"`
}

// Turnover reads report/turnover/all. Needs a right that context/employee does not show.
func (r *Reader) Turnover(ctx context.Context, q TurnoverQuery) iter.Seq2[TurnoverRow, error] {
	return r.turnover(ctx, q)
}

// ProfitBy says whose profitability is asked for; it is the last part of the report's path.
type ProfitBy string

// The profitability reports.
const (
	ProfitByProduct      ProfitBy = "byproduct" // variants folded in; bundles and services included
	ProfitByVariant      ProfitBy = "byvariant"
	ProfitByEmployee     ProfitBy = "byemployee"
	ProfitByCounterparty ProfitBy = "bycounterparty"
	ProfitBySalesChannel ProfitBy = "bysaleschannel"
)

// ProfitQuery narrows the profitability reports. Period is required.
type ProfitQuery struct {
	Period         Period
	Stores         []ID
	Goods          []Ref // products, variants, services, bundles by Type and ID; not together with Folders
	Folders        []ID  // with nested folders
	Suppliers      []ID
	Counterparties []ID
	Organizations  []ID
	SalesChannels  []ID
	Filter         Filter
}

// ProfitRow is a row of a profitability report (Прибыльность). Money is in minor units of the account currency.
// Numbers that a report does not have are unknown: quantities and unit prices exist by product and by variant,
// counts and receipts by employee, counterparty and channel. Sums are before returns; a cost of zero is a cost that
// is unknown (facts M82 and M81).
type ProfitRow struct {
	Subject        Ref    // what the row is about
	Folder         Ref    // of a good, when the report gives it
	Unit           string // of a good
	SellQuantity   decimal.Maybe
	SellPrice      decimal.Maybe
	SellCost       decimal.Maybe
	SellSum        decimal.Maybe
	SellCostSum    decimal.Maybe
	ReturnQuantity decimal.Maybe
	ReturnPrice    decimal.Maybe
	ReturnCost     decimal.Maybe
	ReturnSum      decimal.Maybe
	ReturnCostSum  decimal.Maybe
	SalesCount     decimal.Maybe
	ReturnCount    decimal.Maybe
	SalesAvgCheck  decimal.Maybe
	ReturnAvgCheck decimal.Maybe
	Profit         decimal.Maybe
	Margin         decimal.Maybe // profit ÷ cost, a fraction; 0 when the cost is
	SalesMargin    decimal.Maybe // profit ÷ net revenue, a fraction; 1 when the cost is unknown
}

// Profit reads report/profit/<by>.
func (r *Reader) Profit(ctx context.Context, by ProfitBy, q ProfitQuery) iter.Seq2[ProfitRow, error] {
	return r.profit(ctx, by, q)
}

// MoneyAccount is the balance of a bank account, or of an organization's cash desk when Account is zero.
type MoneyAccount struct {
	Account      Ref           `json:"account"`
	Organization Ref           `json:"organization"`
	Balance      decimal.Maybe `json:"balance"` // minor units of the account's own currency (fact M84)
}

// MoneyAccounts reads report/money/byaccount.
func (r *Reader) MoneyAccounts(ctx context.Context) ([]MoneyAccount, error) {
	answer, err := one[rows[MoneyAccount]](ctx, r, "report/money/byaccount", nil)
	return answer.Rows, err
}

// Interval is the step of a series.
type Interval string

// The steps.
const (
	Hour  Interval = "hour"
	Day   Interval = "day"
	Month Interval = "month"
)

// SeriesQuery says what a series covers. Period and Interval are required.
type SeriesQuery struct {
	Period        Period
	Interval      Interval
	Organizations []ID
	Stores        []ID // not for money
	Filter        Filter
}

// MoneySeries is the flow of money.
type MoneySeries struct {
	Income  decimal.Maybe `json:"credit"` // the API's credit is income, against bookkeeping habit (fact M84)
	Outcome decimal.Maybe `json:"debit"`
	Points  []MoneyPoint  `json:"series"`
}

// MoneyPoint is the flow of one interval, in minor units.
type MoneyPoint struct {
	At      Moment        `json:"date"`
	Income  decimal.Maybe `json:"credit"`
	Outcome decimal.Maybe `json:"debit"`
	Balance decimal.Maybe `json:"balance"` // of the interval: income − outcome, not what is on the account
}

// MoneySeries reads report/money/plotseries.
func (r *Reader) MoneySeries(ctx context.Context, q SeriesQuery) (MoneySeries, error) {
	if len(q.Stores) > 0 {
		return MoneySeries{}, queryError("money has no stores")
	}
	return series[MoneySeries](ctx, r, "report/money/plotseries", q)
}

// SeriesPoint is one interval of sales or orders: how many documents and their sum in minor units.
type SeriesPoint struct {
	At       Moment        `json:"date"`
	Quantity decimal.Maybe `json:"quantity"`
	Sum      decimal.Maybe `json:"sum"`
}

type points struct {
	Series []SeriesPoint `json:"series"`
}

// SalesSeries reads report/sales/plotseries: demands, retail sales and commission reports. Returns are not taken off
// (fact M81).
func (r *Reader) SalesSeries(ctx context.Context, q SeriesQuery) ([]SeriesPoint, error) {
	p, err := series[points](ctx, r, "report/sales/plotseries", q)
	return p.Series, err
}

// OrdersSeries reads report/orders/plotseries: customer orders.
func (r *Reader) OrdersSeries(ctx context.Context, q SeriesQuery) ([]SeriesPoint, error) {
	p, err := series[points](ctx, r, "report/orders/plotseries", q)
	return p.Series, err
}

// DashboardPeriod is the span of the indicators.
type DashboardPeriod string

// The spans.
const (
	DashboardDay   DashboardPeriod = "day"
	DashboardWeek  DashboardPeriod = "week"
	DashboardMonth DashboardPeriod = "month"
)

// Dashboard is the indicators (Показатели). Amounts are in minor units.
type Dashboard struct {
	Sales  DashboardCount `json:"sales"`
	Orders DashboardCount `json:"orders"`
	Money  DashboardMoney `json:"money"`
}

// DashboardCount is a number of documents and their amount. The vendor labels the amount "profit", which clients
// read as the sum: verify before quoting (fact M85).
type DashboardCount struct {
	Count    decimal.Maybe `json:"count"`
	Amount   decimal.Maybe `json:"amount"`
	Movement decimal.Maybe `json:"movementAmount"` // against the like period before
}

// DashboardMoney is money now and over the span; absent when the employee may not see it.
type DashboardMoney struct {
	Income        decimal.Maybe `json:"income"`
	Outcome       decimal.Maybe `json:"outcome"`
	Balance       decimal.Maybe `json:"balance"`
	TodayMovement decimal.Maybe `json:"todayMovement"`
	Movement      decimal.Maybe `json:"movement"`
}

// Dashboard reads report/dashboard/<period>.
func (r *Reader) Dashboard(ctx context.Context, p DashboardPeriod) (Dashboard, error) {
	return one[Dashboard](ctx, r, "report/dashboard/"+string(p), nil)
}

// Balances selects counterparties by who owes whom.
type Balances int

// The selections.
const (
	AnyBalance Balances = iota
	OwedToUs            // balance above zero
	OwedByUs            // balance below zero
)

// CounterpartyQuery narrows the report on counterparties.
type CounterpartyQuery struct {
	Counterparties []ID // these alone, one request each: the API takes a list of them only by POST
	Balances       Balances
	Filter         Filter // not with Counterparties
}

// CounterpartyReport is the standing of one counterparty (Показатели контрагента). Money is in minor units.
type CounterpartyReport struct {
	Counterparty   Ref           `json:"counterparty"`
	Balance        decimal.Maybe `json:"balance"` // positive: they owe us (fact M86)
	DemandsCount   decimal.Maybe `json:"demandsCount"`
	DemandsSum     decimal.Maybe `json:"demandsSum"`
	AverageReceipt decimal.Maybe `json:"averageReceipt"`
	ReturnsCount   decimal.Maybe `json:"returnsCount"`
	ReturnsSum     decimal.Maybe `json:"returnsSum"`
	DiscountsSum   decimal.Maybe `json:"discountsSum"`
	Profit         decimal.Maybe `json:"profit"` // needs the cost right
	FirstDemand    Moment        `json:"firstDemandDate"`
	LastDemand     Moment        `json:"lastDemandDate"`
	Updated        Moment        `json:"updated"`
}

func (c CounterpartyReport) key() Key { return c.Counterparty.ID.Key() }

// CounterpartyReport reads report/counterparty.
func (r *Reader) CounterpartyReport(ctx context.Context, q CounterpartyQuery) iter.Seq2[CounterpartyReport, error] {
	return r.counterpartyReport(ctx, q)
}
