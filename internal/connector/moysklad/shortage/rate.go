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

// sales reads what was sold in the period in the given stores, or in all stores if there are none. The profitability
// report counts bundles, so it is read for all goods: filtered by goods, it would omit the bundles that contain them.
// The turnover report counts their components. It is read if goods, groups or suppliers are named, because it can be
// filtered, and if the profitability report is not accessible.
func (w *search) sales(ctx context.Context, stores []msapi.ID) (Sales, RateSource, error) {
	// a filter of the turnover report by warehouse includes those nested in it (fact M98)
	filtered := !w.scope.Everything() && (len(stores) == 0 || !w.hasNestedStores())
	read, source, other, otherSource := w.fromProfit, RateFromProfit, w.fromTurnover, RateFromTurnover
	if filtered {
		read, source, other, otherSource = other, otherSource, read, source
	}
	sold, err := read(ctx, stores)
	if msapi.IsForbidden(err) {
		source = otherSource
		sold, err = other(ctx, stores)
	}
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
	return sold, source, nil
}

// adder returns a function that adds a quantity sold to a list.
func (list Sales) adder() func(r msapi.Ref, unit string, quantity decimal.Decimal) {
	units := map[string]string{} // one shared copy of each
	return func(r msapi.Ref, unit string, quantity decimal.Decimal) {
		if r.Type != "product" && r.Type != "variant" {
			return
		}
		k := r.ID.Key()
		if _, ok := units[unit]; !ok {
			units[unit] = unit
		}
		list[k] = Sale{list[k].Quantity.Add(quantity), r.Type == "variant", cmp.Or(list[k].unit, units[unit])}
	}
}

func (w *search) fromProfit(ctx context.Context, stores []msapi.ID) (Sales, error) {
	list := Sales{}
	add := list.adder()
	q := account.ProfitScope(w.period, account.Filter{})
	q.Stores = stores
	bundles, seen := map[msapi.ID]decimal.Decimal{}, map[msapi.Key]bool{}
	err := account.Each(w.Call, w.Reader.Profit(ctx, msapi.ProfitByVariant, q), func(r msapi.ProfitRow) {
		k, quantity := r.Subject.ID.Key(), r.SellQuantity.Sub(r.ReturnQuantity.Decimal)
		if seen[k] {
			return
		}
		if seen[k] = true; r.Subject.Type == "bundle" {
			bundles[r.Subject.ID] = bundles[r.Subject.ID].Add(quantity)
		}
		add(r.Subject, r.Unit, quantity)
	})
	if err != nil {
		return nil, err
	}
	return list, w.unbundle(ctx, bundles, add)
}

func (w *search) fromTurnover(ctx context.Context, stores []msapi.ID) (Sales, error) {
	list := Sales{}
	add := list.adder()
	turnover := msapi.TurnoverQuery{Period: account.ReportPeriod(w.period), GroupBy: msapi.ByVariant,
		Filter: msapi.Filter{}.Where("type", msapi.Eq, SaleTypes...)}
	s := w.scope
	s.Stores = nil
	for _, id := range stores {
		s.Stores = append(s.Stores, msapi.Store{Named: msapi.Named{ID: id}})
	}
	rows, err := w.TurnoverRows(ctx, turnover, s)
	for _, r := range rows {
		// these documents only contain returns
		add(r.Assortment, r.Unit, r.Outcome.Quantity.Sub(r.Income.Quantity.Decimal))
	}
	return list, err
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
				w.lackStock()
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

// lackStock counts a good that was sold and is archived or being recalculated; unknown is not zero. Beside sales of all
// goods, nothing tells which of these are in the named groups.
func (w *search) lackStock() {
	if w.source == RateFromTurnover || len(w.scope.Folders)+len(w.scope.Suppliers) == 0 {
		w.unknownStock++
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
