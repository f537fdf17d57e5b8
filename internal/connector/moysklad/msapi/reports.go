package msapi

import (
	"context"
	"iter"

	"github.com/stockhand/stockhand/internal/decimal"
)

// MoneyAccount is the balance of a bank account, or of an organization's cash desk if Account is zero.
type MoneyAccount struct {
	Account      Ref           `json:"account"`
	Organization Ref           `json:"organization"`
	Balance      decimal.Maybe `json:"balance"` // minor units of the account's currency (fact M84)
}

// MoneyAccounts reads report/money/byaccount.
func (r *Reader) MoneyAccounts(ctx context.Context) ([]MoneyAccount, error) {
	answer, err := one[rows[MoneyAccount]](ctx, r, "report/money/byaccount", nil)
	return answer.Rows, err
}

// Interval is the step of a time series.
type Interval string

// The steps.
const (
	Hour  Interval = "hour"
	Day   Interval = "day"
	Month Interval = "month"
)

// SeriesQuery selects a time series. Period and Interval are required.
type SeriesQuery struct {
	Period   Period
	Interval Interval
	Stores   []ID // not for money
}

// MoneySeries is the cash flow over time.
type MoneySeries struct {
	Income  decimal.Maybe `json:"credit"` // the API calls income credit, unlike in bookkeeping (fact M84)
	Outcome decimal.Maybe `json:"debit"`
	Points  []MoneyPoint  `json:"series"`
}

// MoneyPoint is the cash flow of one interval in minor units.
type MoneyPoint struct {
	At      Moment        `json:"date"`
	Income  decimal.Maybe `json:"credit"`
	Outcome decimal.Maybe `json:"debit"`
	Balance decimal.Maybe `json:"balance"` // of the interval: income − outcome, not the account balance
}

// MoneySeries reads report/money/plotseries.
func (r *Reader) MoneySeries(ctx context.Context, q SeriesQuery) (MoneySeries, error) {
	if len(q.Stores) > 0 {
		return MoneySeries{}, queryError("the money report cannot be filtered by store")
	}
	return series[MoneySeries](ctx, r, "report/money/plotseries", q)
}

// SeriesPoint is one interval of sales or orders: the number of documents and their sum in minor units.
type SeriesPoint struct {
	At       Moment        `json:"date"`
	Quantity decimal.Maybe `json:"quantity"`
	Sum      decimal.Maybe `json:"sum"`
}

type points struct {
	Series []SeriesPoint `json:"series"`
}

// SalesSeries reads report/sales/plotseries: demands, retail sales and commission reports, without subtracting returns
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

// series reads a time series.
func series[T any](ctx context.Context, r *Reader, path string, q SeriesQuery) (T, error) {
	var zero T
	err := checkPeriod(q.Period)
	if err == nil {
		err = checkIDs(q.Stores)
	}
	if err == nil && q.Interval != Hour && q.Interval != Day && q.Interval != Month {
		err = queryError("interval %q", q.Interval)
	}
	if err != nil {
		return zero, err
	}
	params := q.Period.params()
	params.Set("interval", string(q.Interval))
	text, err := r.are(Filter{}, "store", "store", q.Stores).Build()
	if err != nil {
		return zero, err
	}
	if text != "" {
		params.Set("filter", text)
	}
	return one[T](ctx, r, path, params)
}

// Balances selects counterparties by their balance.
type Balances int

// The selections.
const (
	AnyBalance Balances = iota
	OwedToUs            // balance above zero
	OwedByUs            // balance below zero
)

// CounterpartyQuery restricts the counterparty report.
type CounterpartyQuery struct {
	Counterparties []ID // only these, one request each: the API accepts a list only by POST
	Balances       Balances
}

// CounterpartyReport is a counterparty's balance and turnover (Показатели контрагента). Money is in minor units.
type CounterpartyReport struct {
	Counterparty Ref           `json:"counterparty"`
	Balance      decimal.Maybe `json:"balance"` // positive if they owe us (fact M86)
	DemandsCount decimal.Maybe `json:"demandsCount"`
	DemandsSum   decimal.Maybe `json:"demandsSum"`
	FirstDemand  Moment        `json:"firstDemandDate"` // of all time; zero if there is none
	LastDemand   Moment        `json:"lastDemandDate"`
}

func (c CounterpartyReport) key() Key { return c.Counterparty.ID.Key() }

// CounterpartyReport reads report/counterparty.
func (r *Reader) CounterpartyReport(ctx context.Context, q CounterpartyQuery) iter.Seq2[CounterpartyReport, error] {
	if err := checkIDs(q.Counterparties); err != nil {
		return failed[CounterpartyReport](err)
	}
	if q.Counterparties != nil {
		return func(yield func(CounterpartyReport, error) bool) {
			for _, id := range q.Counterparties {
				row, err := one[CounterpartyReport](ctx, r, "report/counterparty/"+string(id), nil)
				if !yield(row, err) || err != nil {
					return
				}
			}
		}
	}
	f := Filter{}
	switch q.Balances {
	case OwedToUs:
		f = f.Where("balance", Greater, "0")
	case OwedByUs:
		f = f.Where("balance", Less, "0")
	case AnyBalance:
	}
	return list[CounterpartyReport](ctx, r, listing{path: "report/counterparty", filter: f})
}
