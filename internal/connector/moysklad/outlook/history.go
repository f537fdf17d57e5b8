// Package outlook reads how goods sold day by day, and forecasts their sales.
package outlook

import (
	"context"
	"iter"
	"maps"
	"slices"
	"sync"

	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/forecast"
	"github.com/stockhand/stockhand/internal/tool"
	"golang.org/x/sync/errgroup"
)

// History is the net sales of goods by day, in each warehouse or over all of them.
type History struct {
	Period tool.Period // whole days up to yesterday
	sold   map[account.StockKey]*sales
}

// sales is what was sold of a good.
type sales struct {
	good    msapi.Ref
	daily   []float64       // net quantity, with what bundles took
	revenue decimal.Decimal // net, in main units, without bundles
}

// The default and the most days of history.
const (
	DefaultHistory = 182
	mostHistory    = 1100
)

// mostSales is the largest number of goods × days of a history, which takes 64 MiB.
const mostSales = 8 << 20

// Read reads the sales of the days before today. With apart, warehouses are kept apart; without, the history has the
// zero store. It reads the documents of sale, a hundred per request, or the profitability report for each day if there
// are more than a hundred documents a day: three hundred if they are kept, because the next forecast takes a few
// requests then and not one for each day again. Like [shortage.ReadSales] it reads all goods, so that sales in bundles
// count.
func Read(ctx context.Context, c *account.Call, days int, stores []msapi.ID, apart bool) (*History, error) {
	to := account.Today(c.Env).Add(-1)
	r := &reading{Call: c, stores: stores, apart: apart, history: &History{
		Period: tool.Period{From: to.Add(1 - days), To: to}, sold: map[account.StockKey]*sales{}}}
	read := r.documents
	if !apart && !r.kept(ctx) && r.manyDocuments(ctx) {
		read = r.reports
	}
	if err := read(ctx); err != nil {
		return nil, err
	}
	for _, s := range r.history.sold {
		for day := range s.daily {
			s.daily[day] /= float64(account.QuantityOf(decimal.One))
		}
	}
	if err := r.unbundle(ctx); err != nil {
		return nil, err
	}
	return r.history, r.complete()
}

// complete returns an error if the history is too large to keep.
func (r *reading) complete() error {
	if !r.full {
		return nil
	}
	return account.Invalid("history", r.Pick(
		"слишком много товаров и дней для прогноза: назовите один склад или меньше дней истории",
		"there are too many goods and days for a forecast: name one warehouse, or fewer days of history"))
}

// reading is the state of one call of Read.
type reading struct {
	*account.Call
	history *History
	stores  []msapi.ID
	apart   bool
	full    bool       // there are more than mostSales
	mu      sync.Mutex // guards history and full: documents of several types are read concurrently
}

// kept reports whether all documents of sale are kept, which takes a request or a few for each type.
func (r *reading) kept(ctx context.Context) bool {
	return !slices.ContainsFunc(saleTypes, func(t saleType) bool {
		return !r.Rights.Whole(string(t.kind)) || !r.Facts().Has(ctx, string(t.kind), r.query())
	})
}

// query selects the documents of the history.
func (r *reading) query() msapi.OrderQuery {
	posted := true
	return msapi.OrderQuery{Posted: &posted, From: account.DayStart(r.history.Period.From),
		To: account.DayEnd(r.history.Period.To), Stores: r.stores, Positions: true}
}

// sales lists documents, from what is kept where that is possible.
func (r *reading) sales(ctx context.Context, t msapi.SaleType) iter.Seq2[msapi.Order, error] {
	list := func(ctx context.Context, q msapi.OrderQuery) iter.Seq2[msapi.Order, error] {
		return r.Reader.Sales(ctx, t, q)
	}
	if !r.Rights.Whole(string(t)) {
		return list(ctx, r.query())
	}
	return r.Facts().Documents(ctx, string(t), r.query(), list)
}

// manyDocuments reports whether the profitability report, read for each day, takes fewer requests than the documents.
// A single request counts the documents; without the right to it they are read.
func (r *reading) manyDocuments(ctx context.Context) bool {
	series, err := r.Reader.SalesSeries(ctx, msapi.SeriesQuery{Period: account.ReportPeriod(r.history.Period),
		Interval: msapi.Month, Stores: r.stores})
	if err != nil || !r.Rights.Has("pnl") {
		return false
	}
	var documents decimal.Decimal
	for _, p := range series {
		documents = documents.Add(p.Quantity.Decimal)
	}
	most := 100
	if r.Facts().Keeps(ctx) {
		most = 300
	}
	return decimal.FromInt(int64(most * r.history.Period.Days())).Less(documents)
}

// add adds a line of a document, or a row of a report.
func (r *reading) add(store msapi.ID, good msapi.Ref, at tool.Day, quantity, revenue decimal.Decimal) {
	if good.Type != "product" && good.Type != "variant" && good.Type != "bundle" {
		return
	}
	k := account.StockKey{Good: good.ID.Key()}
	if r.apart {
		k.Store = store.Key()
	}
	day := tool.Period{From: r.history.Period.From, To: at}.Days() - 1
	if day < 0 || day >= r.history.Period.Days() {
		return // the server ignored the filter
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.of(k, good)
	if s == nil {
		return
	}
	s.daily[day] += float64(account.QuantityOf(quantity)) // whole, so that the order does not matter
	s.revenue = s.revenue.Add(revenue)
}

func (r *reading) of(k account.StockKey, good msapi.Ref) *sales {
	s := r.history.sold[k]
	if s == nil {
		if r.full = r.full || (len(r.history.sold)+1)*r.history.Period.Days() > mostSales; r.full {
			return nil
		}
		s = &sales{good: msapi.Ref{Type: good.Type, ID: good.ID}, daily: make([]float64, r.history.Period.Days())}
		r.history.sold[k] = s
	}
	return s
}

type saleType struct {
	kind    msapi.SaleType
	section tool.Text
	returns bool
}

// saleTypes are the documents of sale and return (fact M62).
var saleTypes = []saleType{
	{msapi.Demand, account.SectionDemands, false},
	{msapi.RetailDemand, account.SectionRetail, false},
	{msapi.SalesReturn, tool.Text{RU: "Возвраты покупателей", EN: "Customer returns (Возвраты покупателей)"}, true},
	{msapi.RetailSalesReturn, tool.Text{RU: "Розничные возвраты", EN: "Retail returns (Розничные возвраты)"}, true},
}

func (r *reading) documents(ctx context.Context) error {
	errs := make([]error, len(saleTypes))
	work, inner := errgroup.WithContext(ctx)
	for i, t := range saleTypes {
		work.Go(func() error {
			err := account.Each(r.Call, r.sales(inner, t.kind), func(d msapi.Order) {
				at := tool.DayOf(d.Moment.In(msapi.Moscow))
				sums, _ := account.LineSums(d)
				for n, p := range d.Positions {
					quantity, revenue := p.Quantity.Decimal, sums[n]
					if t.returns {
						quantity, revenue = quantity.Neg(), revenue.Neg()
					}
					r.add(d.Store.ID, p.Assortment, at, quantity, revenue)
				}
			})
			if errs[i] = err; msapi.IsForbidden(err) {
				return nil
			}
			return err
		})
	}
	if err := work.Wait(); err != nil {
		return err
	}
	if errs[0] != nil && errs[1] != nil { // neither shipments nor retail sales
		if r.apart {
			return errs[0]
		}
		clear(r.history.sold)
		return r.reports(ctx)
	}
	for i, t := range saleTypes {
		if errs[i] != nil {
			r.Missing(t.section, "этих документов в прогнозе нет", "these documents are not in the forecast")
		} else {
			r.NoticePartialView(string(t.kind), t.section)
		}
	}
	return nil
}

// atOnce is how many days are read concurrently.
const atOnce = 5

func (r *reading) reports(ctx context.Context) error {
	work, inner := errgroup.WithContext(ctx)
	work.SetLimit(atOnce)
	for at := r.history.Period.From; at <= r.history.Period.To; at = at.Add(1) {
		work.Go(func() error {
			q := account.ProfitScope(tool.Period{From: at, To: at}, account.Filter{})
			q.Stores = r.stores
			return account.Each(r.Call, r.Reader.Profit(inner, msapi.ProfitByVariant, q), func(row msapi.ProfitRow) {
				r.add("", row.Subject, at, row.SellQuantity.Sub(row.ReturnQuantity.Decimal),
					row.SellSum.Sub(row.ReturnSum.Decimal).Major())
			})
		})
	}
	return work.Wait()
}

// unbundle adds what bundles took to the sales of their components, which have the stock (fact M55).
func (r *reading) unbundle(ctx context.Context) error {
	bundles := map[msapi.ID][]account.StockKey{}
	var ids []msapi.ID
	for k, s := range r.history.sold {
		if s.good.Type != "bundle" {
			continue
		}
		if bundles[s.good.ID] == nil {
			ids = append(ids, s.good.ID)
		}
		bundles[s.good.ID] = append(bundles[s.good.ID], k)
	}
	if len(ids) == 0 {
		return nil
	}
	query := msapi.ListQuery{IDs: ids, Archived: msapi.ArchivedAlso}
	err := account.Each(r.Call, r.Reader.Bundles(ctx, query), func(b msapi.Bundle) {
		for _, k := range bundles[b.ID] {
			for _, part := range b.Components {
				good := part.Assortment
				if good.Type != "product" && good.Type != "variant" {
					continue
				}
				whole := r.of(account.StockKey{Good: good.ID.Key(), Store: k.Store}, good)
				if whole == nil {
					return
				}
				for day, sold := range r.history.sold[k].daily {
					whole.daily[day] += sold * part.Quantity.Float64()
				}
			}
		}
	})
	if msapi.IsForbidden(err) {
		r.Notice(tool.NoticePartial,
			"Состав проданных комплектов сотруднику не виден: их составляющие в прогнозе не учтены.",
			"What the bundles sold consist of is not visible to the employee: their components are not in the forecast.")
		return nil
	}
	return err
}

// Forecast predicts the sales of a good from today on.
func (h *History) Forecast(k account.StockKey, horizon int) (*forecast.Forecast, forecast.Reason) {
	s := h.sold[k]
	if s == nil {
		return nil, forecast.NeverSold
	}
	return forecast.Of(forecast.Series{First: h.Period.From.Time(), Sold: s.daily}, horizon)
}

// AddTogether adds the sales of each good over all warehouses to those of each warehouse.
func (h *History) AddTogether() {
	for k, s := range maps.Clone(h.sold) {
		at := account.StockKey{Good: k.Good}
		all := h.sold[at]
		if all == nil {
			all = &sales{good: s.good, daily: make([]float64, len(s.daily))}
			h.sold[at] = all
		}
		for day, sold := range s.daily {
			all.daily[day] += sold
		}
		all.revenue = all.revenue.Add(s.revenue)
	}
}

// Goods returns the goods that were sold in the history, without bundles.
func (h *History) Goods() []account.StockKey {
	var list []account.StockKey
	for k, s := range h.sold {
		if s.good.Type != "bundle" {
			list = append(list, k)
		}
	}
	return list
}

// Expected returns the forecast sales of so many days, and false for a good without a forecast.
func (h *History) Expected(k account.StockKey, days int) (decimal.Decimal, bool) {
	f, _ := h.Forecast(k, days)
	if f == nil {
		return decimal.Decimal{}, false
	}
	return estimate(f.Total, 3), true
}
