package company

import (
	"time"

	"github.com/stockhand/stockhand/internal/decimal"
)

// Interval is the step of a time series.
type Interval string

// The intervals.
const (
	Hour  Interval = "hour"
	Day   Interval = "day"
	Month Interval = "month"
)

// SeriesQuery selects a plotseries report: all steps from the one that contains From to the one that contains To.
type SeriesQuery struct {
	From, To      time.Time // both inclusive
	Interval      Interval
	Organizations Choice
	Stores        Choice
	RetailStores  Choice         // for sales: count only retail sales of these
	Location      *time.Location // time zone of the steps; nil: Moscow
}

// SeriesPoint is a step of the sales or orders series.
type SeriesPoint struct {
	Date     time.Time
	Quantity int // number of documents
	Sum      Money
}

// MoneyPoint is a step of the money series. Credit is income and debit is expense (fact M84).
type MoneyPoint struct {
	Date          time.Time
	Credit, Debit Money
}

// Balance returns credit − debit of the step, not the balance of the accounts.
func (p MoneyPoint) Balance() Money { return p.Credit - p.Debit }

// MoneySeries is report/money/plotseries, in the account currency.
type MoneySeries struct {
	Credit, Debit Money
	Points        []MoneyPoint
}

// AccountBalance is a row of report/money/byaccount. Account is nil for the cash desk; Balance is in Currency.
type AccountBalance struct {
	Organization *Organization
	Account      *BankAccount
	Currency     *Currency
	Balance      Money
}

// Indicator is a figure of the dashboard. Movement is the difference from the previous comparable period.
type Indicator struct {
	Count            int
	Amount, Movement Money
}

// MoneyIndicator is the money section of the dashboard.
type MoneyIndicator struct{ Income, Outcome, Balance, TodayMovement, Movement Money }

// Dashboard is report/dashboard.
type Dashboard struct {
	Sales, Orders Indicator
	Money         MoneyIndicator
}

// Period is the period of a dashboard.
type Period string

// Dashboard periods: the current day, the last seven days, the current month.
const (
	DashboardDay   Period = "day"
	DashboardWeek  Period = "week"
	DashboardMonth Period = "month"
)

// CounterpartyRow is a row of report/counterparty.
type CounterpartyRow struct {
	Counterparty            *Counterparty
	FirstDemand, LastDemand time.Time // zero: none
	DemandsCount            int
	DemandsSum              Money
	ReturnsCount            int
	ReturnsSum              Money
	DiscountsSum            Money
	Balance                 Money // positive: they owe us
	Profit                  Money
	LastEvent               time.Time // zero: none
	LastEventText           string
}

// AverageReceipt returns the average sale in minor units.
func (r CounterpartyRow) AverageReceipt() decimal.Decimal {
	return ratio(int64(r.DemandsSum), int64(r.DemandsCount)*scale)
}

// PositionStock is the stock at a position (fact M67). Stock is physical.
type PositionStock struct {
	StoreStock
	Cost    decimal.Decimal // of one unit, minor units
	CostSet bool            // false for returns without a base document
}
