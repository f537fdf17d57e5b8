package shortage

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/connector/moysklad/wording"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
	"golang.org/x/sync/errgroup"
)

// RateSource is where the sales rate comes from.
type RateSource int

const (
	RateUnknown      RateSource = iota // the employee may read neither report
	RateFromProfit                     // the profitability report by variant
	RateFromTurnover                   // the turnover report, by documents of sale and return
)

// Sales is the net quantity sold by good, in compact form because there may be a hundred thousand goods.
type Sales map[msapi.Key]Sale

type Sale struct {
	Quantity decimal.Decimal
	variant  bool
	unit     string
}

func (s Sale) kind() string {
	if s.variant {
		return "variant"
	}
	return "product"
}

// SaleTypes are the document types whose turnover gives the sales rate if the profitability report is not accessible.
var SaleTypes = []string{"demand", "retaildemand", "salesreturn", "retailsalesreturn"}

// sales reads what was sold in the period in the given stores, or in all stores if there are none.
func (w *search) sales(ctx context.Context, stores []msapi.ID) (Sales, RateSource, error) {
	list := Sales{}
	s := w.scope
	s.Stores = nil
	q := account.ProfitScope(w.period, s)
	q.Stores = stores
	bundles := map[msapi.ID]decimal.Decimal{}
	units := map[string]string{} // one shared copy of each
	add := func(r msapi.Ref, unit string, quantity decimal.Decimal) {
		switch r.Type {
		case "product", "variant":
			k := r.ID.Key()
			if _, ok := units[unit]; !ok {
				units[unit] = unit
			}
			list[k] = Sale{list[k].Quantity.Add(quantity), r.Type == "variant", cmp.Or(list[k].unit, units[unit])}
		case "bundle":
			bundles[r.ID] = bundles[r.ID].Add(quantity)
		}
	}
	seen := map[msapi.Key]bool{}
	err := account.Each(w.Call, w.Reader.Profit(ctx, msapi.ProfitByVariant, q), func(r msapi.ProfitRow) {
		if k := r.Subject.ID.Key(); !seen[k] {
			seen[k] = true
			add(r.Subject, r.Unit, r.SellQuantity.Sub(r.ReturnQuantity.Decimal))
		}
	})
	if err == nil {
		return list, RateFromProfit, w.unbundle(ctx, bundles, add)
	}
	if !msapi.IsForbidden(err) {
		return nil, RateUnknown, err
	}
	clear(list) // sales in bundles are part of their components' turnover
	turnover := msapi.TurnoverQuery{Period: account.ReportPeriod(w.period), GroupBy: msapi.ByVariant,
		Filter: msapi.Filter{}.Where("type", msapi.Eq, SaleTypes...)}
	s.Stores = nil
	for _, id := range stores {
		s.Stores = append(s.Stores, msapi.Store{Named: msapi.Named{ID: id}})
	}
	rows, err := w.TurnoverRows(ctx, turnover, s)
	switch {
	case msapi.IsForbidden(err):
		w.Missing(account.SectionProfit, "темп продаж посчитать нельзя",
			"there is nothing to compute the sales rate from")
		w.Missing(account.SectionTurnover, "темп продаж посчитать нельзя",
			"there is nothing to compute the sales rate from")
		return nil, RateUnknown, nil
	case err != nil:
		return nil, RateUnknown, err
	}
	for _, r := range rows {
		// these documents only contain returns
		add(r.Assortment, r.Unit, r.Outcome.Quantity.Sub(r.Income.Quantity.Decimal))
	}
	return list, RateFromTurnover, nil
}

// unbundle adds the components of sold bundles: a bundle has no stock, its components do (fact M55).
func (w *search) unbundle(ctx context.Context, bundles map[msapi.ID]decimal.Decimal,
	add func(msapi.Ref, string, decimal.Decimal)) error {
	if len(bundles) == 0 {
		return nil
	}
	query := msapi.ListQuery{IDs: slices.Sorted(maps.Keys(bundles)), Archived: msapi.ArchivedAlso}
	seen := 0
	err := account.Each(w.Call, w.Reader.Bundles(ctx, query), func(b msapi.Bundle) {
		if _, sold := bundles[b.ID]; sold {
			seen++
		}
		for _, part := range b.Components {
			if part.Assortment.Type != "bundle" {
				add(part.Assortment, "", part.Quantity.Mul(bundles[b.ID]))
			}
		}
	})
	if msapi.IsForbidden(err) || err == nil && seen < len(bundles) {
		w.bundlesHidden.Store(true)
		return nil
	}
	return err
}

// rateStores returns the warehouses with a separate sales rate: the named ones, or the zero store for all together.
func (w *search) rateStores() []msapi.Store {
	if len(w.scope.Stores) == 0 {
		return []msapi.Store{{}}
	}
	return w.places()
}

// salesOf reads the sales of each of rateStores.
func (w *search) salesOf(ctx context.Context) ([]Sales, error) {
	places := w.rateStores()
	lists := make([]Sales, len(places))
	sources := make([]RateSource, len(places))
	work, inner := errgroup.WithContext(ctx)
	for i, s := range places {
		work.Go(func() (err error) {
			var stores []msapi.ID
			if s.ID != "" {
				stores = []msapi.ID{s.ID}
			}
			lists[i], sources[i], err = w.sales(inner, stores)
			return err
		})
	}
	err := work.Wait()
	w.source = slices.Min(sources)
	if slices.Contains(sources, RateFromTurnover) && w.source != RateUnknown {
		w.source = RateFromTurnover
	}
	return lists, err
}

// runningOut finds goods whose stock will not last for the horizon at the current sales rate.
func (w *search) runningOut(lists []Sales) {
	switch {
	case w.mode == BelowMinimum, w.source == RateUnknown && (w.outlook == nil || w.outlook.Expected == nil):
		return
	case w.outlook != nil:
		w.mayRunOut(lists)
		return
	}
	days, horizon := decimal.FromInt(int64(w.period.Days())), decimal.FromInt(int64(w.horizon))
	for i, s := range w.rateStores() {
		for good, sale := range lists[i] {
			if sale.Quantity.Sign() <= 0 || !w.named(good) {
				continue
			}
			at := account.StockKey{Good: good, Store: s.ID.Key()}
			l, known := w.at(at)
			if !known {
				w.unknownStock++ // archived or being recalculated; unknown is not zero
				continue
			}
			// free ÷ (sold ÷ days) < horizon, without a division that rounds
			free := l.Free().Max(decimal.Zero).Mul(days)
			if free.Cmp(sale.Quantity.Mul(horizon)) >= 0 {
				continue
			}
			w.rateCandidates = append(w.rateCandidates, &Line{
				StockKey: at, kind: sale.kind(), reportUnit: sale.unit, Store: s.Name, Level: l, RunningOut: true,
				Sold: decimal.Some(sale.Quantity), Lasts: decimal.Some(free.Div(sale.Quantity)),
			})
		}
	}
}

// extendedLevels reads stock from the extended report, for employees without the stock right.
func (w *search) extendedLevels(ctx context.Context) error {
	for _, s := range w.rateStores() {
		q := msapi.StockQuery{
			StockMode: msapi.ModeAll, QuantityMode: msapi.ModeAll, Folders: w.scope.FolderIDs(),
			Suppliers: w.scope.SupplierIDs(),
			Products:  w.scope.GoodsOf("product"), Variants: w.scope.GoodsOf("variant"),
		}
		if s.ID != "" {
			q.Stores = []msapi.ID{s.ID}
		} else {
			w.sums = map[msapi.Key]account.Level{}
		}
		err := account.Each(w.Call, w.Reader.StockAll(ctx, q), func(r msapi.StockRow) {
			if l := account.LevelOf(r.Stock, r.Reserve, r.InTransit); s.ID == "" {
				w.sums[r.ID.Key()] = l
			} else {
				w.levels[account.StockKey{Good: r.ID.Key(), Store: s.ID.Key()}] = l
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// rateNotices adds notices about goods that the sales rate does not cover.
func (w *search) rateNotices() {
	if w.unknownStock > 0 {
		w.Notice(tool.NoticePartial,
			fmt.Sprintf("Остаток %s из проданных за период неизвестен (товар в архиве, или МойСклад его "+
				"пересчитывает): надолго ли его хватит, сказать "+
				"нельзя.", wording.NounItemOf.Count("ru", w.unknownStock)),
			fmt.Sprintf("The stock of %s sold in the period is not known (archived, or being recalculated by "+
				"MoySklad): nothing can be said of them.", wording.NounItem.Count("en", w.unknownStock)))
	}
	if w.bundlesHidden.Load() {
		w.Notice(tool.NoticePartial,
			"Состав проданных комплектов сотруднику не виден: в темпе продаж их составляющие не учтены.",
			"What the bundles sold consist of is not visible to the employee: what they took of their components is "+
				"not in the sales rate.")
	}
}

// ReadSales reads the net quantity sold in the period, in some or all warehouses. It always reads all goods: filtered
// by goods, the report would omit the bundles that contain them, and the rate would be too low. [RateUnknown] means
// that the employee may read neither report.
func ReadSales(ctx context.Context, c *account.Call, period tool.Period, stores ...msapi.ID) (Sales, RateSource,
	error) {
	w := &search{Call: c, period: period}
	list, source, err := w.sales(ctx, stores)
	w.rateNotices()
	return list, source, err
}

// ReadNet reads the net quantity of goods that left the stock in the period, with what bundles took. It reports whether
// that is known: not if the profitability report, or what the bundles sold consist of, is hidden.
func ReadNet(ctx context.Context, c *account.Call, period tool.Period) (Sales, bool, error) {
	w := &search{Call: c.Aside(), period: period}
	list, source, err := w.sales(ctx, nil)
	return list, err == nil && source == RateFromProfit && !w.bundlesHidden.Load(), err
}
