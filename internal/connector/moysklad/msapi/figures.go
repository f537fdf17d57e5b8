package msapi

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"net/url"
	"strconv"

	"github.com/stockhand/stockhand/internal/decimal"
)

type wireStock struct {
	Meta      meta          `json:"meta"`
	Name      string        `json:"name"`
	Code      string        `json:"code"`
	Article   string        `json:"article"`
	Folder    Ref           `json:"folder"`
	UOM       Ref           `json:"uom"`
	Stock     decimal.Maybe `json:"stock"`
	Reserve   decimal.Maybe `json:"reserve"`
	InTransit decimal.Maybe `json:"inTransit"`
	Quantity  decimal.Maybe `json:"quantity"`
	Price     decimal.Maybe `json:"price"`
	SalePrice decimal.Maybe `json:"salePrice"`
	StockDays decimal.Maybe `json:"stockDays"`
}

func (w *wireStock) key() Key { return idOfHref(w.Meta.Href).Key() }

func (r *Reader) stockAll(ctx context.Context, q StockQuery) iter.Seq2[StockRow, error] {
	l, err := r.stockListing("report/stock/all", q)
	if err != nil {
		return failed[StockRow](err)
	}
	for _, mode := range []struct {
		field string
		value Mode
	}{{"stockMode", q.StockMode}, {"quantityMode", q.QuantityMode}} {
		if mode.value == ModeDefault {
			mode.value = ModeAll // the report's own default hides goods with nothing available (fact M71)
		}
		l.filter = l.filter.Where(mode.field, Eq, string(mode.value))
	}
	if q.StockDaysFrom > 0 {
		l.filter = l.filter.Where("stockDaysFrom", Eq, strconv.Itoa(q.StockDaysFrom))
	}
	if q.StockDaysTo > 0 {
		l.filter = l.filter.Where("stockDaysTo", Eq, strconv.Itoa(q.StockDaysTo))
	}
	l.filter = l.filter.And(q.Archived.filter())
	l.order = q.Order
	if l.order == "" {
		l.order = "name;code"
	}
	return convert(rowsOfGoods[wireStock](ctx, r, l, q.Products, q.Variants), func(w *wireStock) (StockRow, error) {
		return StockRow{
			Type: w.Meta.Type, ID: idOfHref(w.Meta.Href), Name: w.Name, Code: w.Code, Article: w.Article,
			Folder: w.Folder, Unit: w.UOM.Name, Stock: w.Stock, Reserve: w.Reserve, InTransit: w.InTransit,
			Quantity: w.Quantity, Cost: w.Price, SalePrice: w.SalePrice, StockDays: w.StockDays,
		}, nil
	})
}

// stockListing is what both extended stock reports share.
func (r *Reader) stockListing(path string, q StockQuery) (listing, error) {
	if err := checkIDs(q.Stores, q.Products, q.Variants, q.Folders, q.Suppliers); err != nil {
		return listing{}, err
	}
	l := listing{path: path, params: url.Values{}, first: q.First}
	if q.GroupBy != ByDefault {
		l.params.Set("groupBy", string(q.GroupBy))
	}
	f := r.are(q.Filter, "store", "store", q.Stores, false)
	f = r.are(f, "productFolder", "productfolder", q.Folders, false)
	f = r.are(f, "supplier", "counterparty", q.Suppliers, q.NoSupplier)
	if !q.Moment.IsZero() {
		f = f.Where("moment", Eq, FormatMoment(q.Moment))
	}
	if q.Search != "" {
		f = f.Where("search", Eq, q.Search)
	}
	l.filter = f
	return l, nil
}

// rowsOfGoods reads a report for named products and variants, each kind by itself: conditions on two fields would
// have to hold together, and no row is both.
func rowsOfGoods[W any](ctx context.Context, r *Reader, l listing, products, variants []ID) iter.Seq2[W, error] {
	if products == nil && variants == nil {
		return list[W](ctx, r, l)
	}
	var seqs []iter.Seq2[W, error]
	for _, kind := range []struct {
		name string
		ids  []ID
	}{{"product", products}, {"variant", variants}} {
		if len(kind.ids) > 0 {
			l.split = alternatives(kind.name, r.hrefs(kind.name, kind.ids))
			seqs = append(seqs, list[W](ctx, r, l))
		}
	}
	return distinct(concat(seqs...), l.first)
}

// distinct gives each row once and at most first rows, unless that is zero: a product's answer may bring its variants,
// which were also asked for by themselves.
func distinct[W any](seq iter.Seq2[W, error], first int) iter.Seq2[W, error] {
	return func(yield func(W, error) bool) {
		seen, n := map[Key]struct{}{}, 0
		for row, err := range seq {
			if k, ok := any(&row).(keyed); ok && err == nil && k.key() != (Key{}) {
				if _, known := seen[k.key()]; known {
					continue
				}
				seen[k.key()] = struct{}{}
			}
			n++
			if !yield(row, err) || err != nil || n == first {
				return
			}
		}
	}
}

type wireByStore struct {
	Meta   meta `json:"meta"`
	Stores []struct {
		Meta      meta          `json:"meta"`
		Name      string        `json:"name"`
		Stock     decimal.Maybe `json:"stock"`
		InTransit decimal.Maybe `json:"inTransit"`
		Reserve   decimal.Maybe `json:"reserve"`
	} `json:"stockByStore"`
}

func (w *wireByStore) key() Key { return idOfHref(w.Meta.Href).Key() }

func (r *Reader) stockByStore(ctx context.Context, q StockQuery) iter.Seq2[StockByStoreRow, error] {
	kinds := 0
	for _, given := range []bool{q.Products != nil, q.Variants != nil, len(q.Folders) > 0, q.Search != ""} {
		if given {
			kinds++
		}
	}
	if kinds > 1 && (len(q.Folders) > 0 || q.Search != "") {
		return failed[StockByStoreRow](queryError(
			"the report by store takes only one of products, variants, folders and search"))
	}
	if q.QuantityMode != ModeDefault || q.NoSupplier || q.Archived != ArchivedDefault || q.StockDaysFrom > 0 ||
		q.StockDaysTo > 0 || q.Order != "" {
		return failed[StockByStoreRow](queryError(
			"the report by store has no quantity mode, empty supplier, archived goods, days or order"))
	}
	l, err := r.stockListing("report/stock/bystore", q)
	if err != nil {
		return failed[StockByStoreRow](err)
	}
	if q.StockMode != ModeDefault {
		l.filter = l.filter.Where("stockMode", Eq, string(q.StockMode))
	}
	return convert(rowsOfGoods[wireByStore](ctx, r, l, q.Products, q.Variants),
		func(w *wireByStore) (StockByStoreRow, error) {
			row := StockByStoreRow{Type: w.Meta.Type, ID: idOfHref(w.Meta.Href),
				Stores: make([]StoreStock, len(w.Stores))}
			for i, s := range w.Stores {
				row.Stores[i] = StoreStock{Store: idOfHref(s.Meta.Href), Name: s.Name, Stock: s.Stock,
					InTransit: s.InTransit, Reserve: s.Reserve}
			}
			return row, nil
		})
}

func (r *Reader) turnover(ctx context.Context, q TurnoverQuery) iter.Seq2[TurnoverRow, error] {
	err := checkPeriod(q.Period)
	if err == nil {
		err = checkIDs(q.Stores, q.Products, q.Variants, q.Suppliers)
	}
	if err != nil {
		return failed[TurnoverRow](err)
	}
	l := listing{path: "report/turnover/all", params: q.Period.params()}
	if q.GroupBy != ByDefault {
		l.params.Set("groupBy", string(q.GroupBy))
	}
	f := q.Archived.filter().And(q.Filter)
	f = r.are(f, "store", "store", q.Stores, false)
	f = r.are(f, "supplier", "counterparty", q.Suppliers, false)
	if q.Idle != nil {
		f = f.Where("withoutturnover", Eq, fmt.Sprint(*q.Idle))
	}
	l.filter = f
	return convert(rowsOfGoods[wireTurnover](ctx, r, l, q.Products, q.Variants),
		func(w *wireTurnover) (TurnoverRow, error) {
			return TurnoverRow{
				Assortment: w.Assortment.Ref, Folder: w.Assortment.Folder, Unit: w.Assortment.Unit,
				Start: w.Start, End: w.End, Income: w.Income, Outcome: w.Outcome,
			}, nil
		})
}

func (r *Reader) profit(ctx context.Context, by ProfitBy, q ProfitQuery) iter.Seq2[ProfitRow, error] {
	err := checkPeriod(q.Period)
	if err == nil {
		err = checkIDs(q.Stores, q.Folders, q.Suppliers, q.Counterparties, q.Organizations, q.SalesChannels)
	}
	if err == nil && q.Goods != nil && len(q.Folders) > 0 {
		err = queryError("goods together with folders")
	}
	if err != nil {
		return failed[ProfitRow](err)
	}
	l := listing{path: "report/profit/" + string(by), params: q.Period.params()}
	f := r.are(q.Filter, "store", "store", q.Stores, false)
	f = r.are(f, "productFolder", "productfolder", q.Folders, false)
	f = r.are(f, "supplier", "counterparty", q.Suppliers, false)
	f = r.are(f, "counterparty", "counterparty", q.Counterparties, false)
	f = r.are(f, "organization", "organization", q.Organizations, false)
	f = r.are(f, "salesChannel", "saleschannel", q.SalesChannels, false)
	l.filter = f
	if q.Goods != nil {
		var hrefs []string
		for _, g := range q.Goods {
			if err := checkIDs([]ID{g.ID}); err != nil || g.Type == "" {
				return failed[ProfitRow](errors.Join(queryError("a good without type or id"), err))
			}
			hrefs = append(hrefs, r.href(g.Type, g.ID))
		}
		l.split, l.none = alternatives("product", hrefs), len(hrefs) == 0
		// Only rows about goods stay the same when the goods are spread over requests; others would be parts of sums.
		if chunks, err := r.chunks(l); err == nil && len(chunks) > 1 && by != ProfitByProduct && by != ProfitByVariant {
			return failed[ProfitRow](queryError("too many goods for one request of the report %s", by))
		}
	}
	return convert(list[wireProfit](ctx, r, l), func(w *wireProfit) (ProfitRow, error) { return w.row(), nil })
}

func (r *Reader) counterpartyReport(ctx context.Context, q CounterpartyQuery) iter.Seq2[CounterpartyReport, error] {
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
	f := q.Filter
	switch q.Balances {
	case OwedToUs:
		f = f.Where("balance", Greater, "0")
	case OwedByUs:
		f = f.Where("balance", Less, "0")
	case AnyBalance:
	}
	return list[CounterpartyReport](ctx, r, listing{path: "report/counterparty", filter: f})
}

// series reads a report over time.
func series[T any](ctx context.Context, r *Reader, path string, q SeriesQuery) (T, error) {
	var zero T
	err := checkPeriod(q.Period)
	if err == nil {
		err = checkIDs(q.Organizations, q.Stores)
	}
	if err == nil && q.Interval != Hour && q.Interval != Day && q.Interval != Month {
		err = queryError("interval %q", q.Interval)
	}
	if err != nil {
		return zero, err
	}
	params := q.Period.params()
	params.Set("interval", string(q.Interval))
	f := r.are(q.Filter, "organization", "organization", q.Organizations, false)
	f = r.are(f, "store", "store", q.Stores, false)
	text, err := f.Build()
	if err != nil {
		return zero, err
	}
	if text != "" {
		params.Set("filter", text)
	}
	return one[T](ctx, r, path, params)
}
