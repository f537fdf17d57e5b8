package moysklad

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

// paceSource says where the pace of sales was read.
type paceSource int

const (
	paceNone     paceSource = iota // no right to either
	paceProfit                     // the profitability report by variant
	paceTurnover                   // the turnover report, by documents of sale and of return
)

// sold is the quantity sold net of returns by good, compact: there may be a hundred thousand.
type sold map[msapi.Key]sale

type sale struct {
	quantity decimal.Decimal
	variant  bool
	unit     string
}

func (s sale) kind() string {
	if s.variant {
		return "variant"
	}
	return "product"
}

// saleTypes are the documents of sale and of return whose movement is the pace, when profitability is closed.
var saleTypes = []string{"demand", "retaildemand", "salesreturn", "retailsalesreturn"}

// sales reads what was sold in the period in those stores, all when there are none.
func (w *shortage) sales(ctx context.Context, stores []msapi.ID) (sold, paceSource, error) {
	list := sold{}
	s := w.scope
	s.stores = nil
	q := profitScope(w.period, s)
	q.Stores = stores
	bundles := map[msapi.ID]decimal.Decimal{}
	units := map[string]string{} // one copy of each
	add := func(r msapi.Ref, unit string, quantity decimal.Decimal) {
		switch r.Type {
		case "product", "variant":
			k := r.ID.Key()
			if _, ok := units[unit]; !ok {
				units[unit] = unit
			}
			list[k] = sale{list[k].quantity.Add(quantity), r.Type == "variant", cmp.Or(list[k].unit, units[unit])}
		case "bundle":
			bundles[r.ID] = bundles[r.ID].Add(quantity)
		}
	}
	seen := map[msapi.Key]bool{}
	err := each(w.call, w.reader.Profit(ctx, msapi.ProfitByVariant, q), func(r msapi.ProfitRow) {
		if k := r.Subject.ID.Key(); !seen[k] {
			seen[k] = true
			add(r.Subject, r.Unit, r.SellQuantity.Sub(r.ReturnQuantity.Decimal))
		}
	})
	if err == nil {
		return list, paceProfit, w.unbundle(ctx, bundles, add)
	}
	if !msapi.IsForbidden(err) {
		return nil, paceNone, err
	}
	clear(list) // what sold in bundles is in the turnover of their components
	turnover := msapi.TurnoverQuery{Period: moscow(w.period), GroupBy: msapi.ByVariant,
		Filter: msapi.Filter{}.Where("type", msapi.Eq, saleTypes...)}
	s.stores = nil
	for _, id := range stores {
		s.stores = append(s.stores, msapi.Store{Named: msapi.Named{ID: id}})
	}
	rows, err := w.turnoverRows(ctx, turnover, s)
	switch {
	case msapi.IsForbidden(err):
		w.missing(sectionProfit, "темп продаж посчитать не по чему",
			"there is nothing to compute the pace of sales from")
		w.missing(sectionTurnover, "темп продаж посчитать не по чему",
			"there is nothing to compute the pace of sales from")
		return nil, paceNone, nil
	case err != nil:
		return nil, paceNone, err
	}
	for _, r := range rows {
		// of these documents only returns come in
		add(r.Assortment, r.Unit, r.Outcome.Quantity.Sub(r.Income.Quantity.Decimal))
	}
	return list, paceTurnover, nil
}

// unbundle adds what sold bundles took of their components: a bundle has no stock, its parts do (reference, section
// 6.3).
func (w *shortage) unbundle(ctx context.Context, bundles map[msapi.ID]decimal.Decimal,
	add func(msapi.Ref, string, decimal.Decimal)) error {
	if len(bundles) == 0 {
		return nil
	}
	query := msapi.ListQuery{IDs: slices.Collect(maps.Keys(bundles)), Archived: msapi.ArchivedAlso}
	err := each(w.call, w.reader.Bundles(ctx, query), func(b msapi.Bundle) {
		for _, part := range b.Components {
			if part.Assortment.Type != "bundle" {
				add(part.Assortment, "", part.Quantity.Mul(bundles[b.ID]))
			}
		}
	})
	if msapi.IsForbidden(err) {
		w.mu.Lock()
		w.sealed = true
		w.mu.Unlock()
		return nil
	}
	return err
}

// paceStores are the warehouses whose pace counts by itself: the named ones, or all together as the zero store.
func (w *shortage) paceStores() []msapi.Store {
	if len(w.scope.stores) == 0 {
		return []msapi.Store{{}}
	}
	return w.places()
}

// salesOf reads the sales of each of paceStores.
func (w *shortage) salesOf(ctx context.Context) ([]sold, error) {
	places := w.paceStores()
	lists := make([]sold, len(places))
	sources := make([]paceSource, len(places))
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
	if slices.Contains(sources, paceTurnover) && w.source != paceNone {
		w.source = paceTurnover
	}
	return lists, err
}

// runningOut finds what will not last for the horizon at the pace of sales.
func (w *shortage) runningOut(lists []sold) {
	if w.source == paceNone {
		return
	}
	days, horizon := decimal.FromInt(int64(w.period.Days())), decimal.FromInt(int64(w.horizon))
	for i, s := range w.paceStores() {
		for good, sale := range lists[i] {
			if sale.quantity.Sign() <= 0 || len(w.scope.goods) > 0 && !slices.Contains(w.scope.stocked(), good.ID()) {
				continue
			}
			at := place{good, s.ID.Key()}
			l, known := w.at(at)
			if !known {
				w.paceGap++ // archived, or being recalculated: not zero
				continue
			}
			// free ÷ (sold ÷ days) < horizon, without a division that rounds
			free := l.free().Max(decimal.Zero).Mul(days)
			if free.Cmp(sale.quantity.Mul(horizon)) >= 0 {
				continue
			}
			w.pace = append(w.pace, &scarce{
				place: at, kind: sale.kind(), measure: sale.unit, store: s.Name, level: l, runningOut: true,
				sold: decimal.Some(sale.quantity), lasts: decimal.Some(free.Div(sale.quantity)),
			})
		}
	}
}

// extendedLevels reads stock from the extended report, for an employee without the stock right.
func (w *shortage) extendedLevels(ctx context.Context) error {
	for _, s := range w.paceStores() {
		q := msapi.StockQuery{
			StockMode: msapi.ModeAll, QuantityMode: msapi.ModeAll, Folders: w.scope.folderIDs(),
			Suppliers: w.scope.supplierIDs(),
			Products:  w.scope.goodsOf("product"), Variants: w.scope.goodsOf("variant"),
		}
		if s.ID != "" {
			q.Stores = []msapi.ID{s.ID}
		} else {
			w.sums = map[msapi.Key]level{}
		}
		err := each(w.call, w.reader.StockAll(ctx, q), func(r msapi.StockRow) {
			if l := levelOf(r.Stock, r.Reserve, r.InTransit); s.ID == "" {
				w.sums[r.ID.Key()] = l
			} else {
				w.levels[place{r.ID.Key(), s.ID.Key()}] = l
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// paceNotices says what the pace does not cover.
func (w *shortage) paceNotices() {
	if w.paceGap > 0 {
		w.notice(tool.NoticePartial,
			fmt.Sprintf("Остаток %s из проданных за период неизвестен (архивные или пересчитываются МоимСкладом): о них сказать нельзя.", nounItemOf.count("ru", w.paceGap)),
			fmt.Sprintf("The stock of %s sold in the period is not known (archived, or being recalculated by MoySklad): nothing can be said of them.", nounItem.count("en", w.paceGap)))
	}
	if w.sealed {
		w.notice(tool.NoticePartial,
			"Состав проданных комплектов сотруднику не виден: расход их составляющих в темп продаж не вошёл.",
			"What the bundles sold consist of is not visible to the employee: what they took of their components is not in the pace of sales.")
	}
}
