package msapi

import (
	"cmp"
	"context"
	"iter"
	"net/url"
	"strconv"
	"time"

	"github.com/stockhand/stockhand/internal/decimal"
)

// Mode selects the rows of stock reports by quantity (fact M56).
type Mode string

// The modes. StockMode compares stock, QuantityMode the available quantity.
const (
	ModeDefault  Mode = "" // ModeAll for StockAll, and the report's nonEmpty for StockByStore
	ModeAll      Mode = "all"
	ModePositive Mode = "positiveOnly"
	ModeNegative Mode = "negativeOnly"
	ModeEmpty    Mode = "empty"
	// the server's comparison with the minimum stock (rule R20)
	ModeUnderMinimum Mode = "underMinimum"
)

// StockQuery restricts the extended stock reports. The zero StockQuery selects all goods that are not archived,
// including those without stock, which the report's default would hide (fact M71).
type StockQuery struct {
	Stores []ID // added up; includes nested stores
	// only these goods; Products and Variants are requested separately, Folders and Suppliers restrict both
	Products      []ID
	Variants      []ID
	Folders       []ID // includes nested folders
	Suppliers     []ID
	StockMode     Mode      // by stock
	QuantityMode  Mode      // by stock − reserve + expected; not in StockByStore
	Moment        time.Time // stock at that time; zero means now
	StockDaysFrom int       // minimum days in stock; zero means any; not in StockByStore
	Archived      Archived  // not in StockByStore
	First         int       // maximum number of rows; zero means all
}

// StockRow is a row of the extended stock report (Остатки).
type StockRow struct {
	Type      string        `json:"-"` // "product", "variant" or "consignment"
	ID        ID            `json:"-"`
	Name      string        `json:"name"`
	Code      string        `json:"code"`
	Article   string        `json:"article"`
	Folder    Ref           `json:"folder"`
	Unit      string        `json:"-"`
	Stock     decimal.Maybe `json:"stock"` // physical
	Reserve   decimal.Maybe `json:"reserve"`
	InTransit decimal.Maybe `json:"inTransit"` // expected from suppliers
	// stock − reserve + expected: includes goods that have not arrived (fact M70)
	Quantity  decimal.Maybe `json:"quantity"`
	Cost      decimal.Maybe `json:"price"`     // per unit in minor units; 0 may mean unknown or hidden (fact M82)
	SalePrice decimal.Maybe `json:"salePrice"` // minor units, first price type
	StockDays decimal.Maybe `json:"stockDays"` // days in stock, computed by the vendor (rule R21)
}

type wireStock struct {
	StockRow
	Meta meta `json:"meta"`
	UOM  Ref  `json:"uom"`
}

func (w *wireStock) key() Key { return idOfHref(w.Meta.Href).Key() }

// StockAll reads report/stock/all, with a heavy request per 1,000 rows.
func (r *Reader) StockAll(ctx context.Context, q StockQuery) iter.Seq2[StockRow, error] {
	l, err := r.stockListing("report/stock/all", q)
	if err != nil {
		return failed[StockRow](err)
	}
	// the report's default mode hides goods that are not available (fact M71)
	l.filter = l.filter.Where("stockMode", Eq, string(cmp.Or(q.StockMode, ModeAll))).
		Where("quantityMode", Eq, string(cmp.Or(q.QuantityMode, ModeAll)))
	if q.StockDaysFrom > 0 {
		l.filter = l.filter.Where("stockDaysFrom", Eq, strconv.Itoa(q.StockDaysFrom))
	}
	l.filter = l.filter.And(q.Archived.filter())
	l.order = "name;code"
	return convert(rowsOfGoods[wireStock](ctx, r, l, q.Products, q.Variants), func(w *wireStock) (StockRow, error) {
		row := w.StockRow
		row.Type, row.ID, row.Unit = w.Meta.Type, idOfHref(w.Meta.Href), w.UOM.Name
		return row, nil
	})
}

// stockListing returns what both extended stock reports have in common.
func (r *Reader) stockListing(path string, q StockQuery) (listing, error) {
	if err := checkIDs(q.Stores, q.Products, q.Variants, q.Folders, q.Suppliers); err != nil {
		return listing{}, err
	}
	f := r.are(Filter{}, "store", "store", q.Stores)
	f = r.are(f, "productFolder", "productfolder", q.Folders)
	f = r.are(f, "supplier", "counterparty", q.Suppliers)
	if !q.Moment.IsZero() {
		f = f.Where("moment", Eq, FormatMoment(q.Moment))
	}
	return listing{path: path, params: url.Values{}, first: q.First, filter: f}, nil
}

// rowsOfGoods reads a report for named products and variants, with separate requests for each: conditions on two fields
// must both hold, and no row is both.
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

// distinct yields each row once, and at most first rows unless it is zero. The response for a product may include its
// variants, which are also requested themselves.
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

// StockByStoreRow is a good with its stock in each store.
type StockByStoreRow struct {
	Type   string
	ID     ID
	Stores []StoreStock
}

// StoreStock is the stock of one good in one store.
type StoreStock struct {
	Store     ID            `json:"-"`
	Name      string        `json:"name"`
	Stock     decimal.Maybe `json:"stock"`
	InTransit decimal.Maybe `json:"inTransit"`
	Reserve   decimal.Maybe `json:"reserve"`
}

type wireByStore struct {
	Meta   meta `json:"meta"`
	Stores []struct {
		StoreStock
		Meta meta `json:"meta"`
	} `json:"stockByStore"`
}

func (w *wireByStore) key() Key { return idOfHref(w.Meta.Href).Key() }

// StockByStore reads report/stock/bystore, with a heavy request per 1,000 rows. The report has no quantityMode and no
// archived, and accepts either goods or folders; other queries return [ErrQuery].
func (r *Reader) StockByStore(ctx context.Context, q StockQuery) iter.Seq2[StockByStoreRow, error] {
	if len(q.Folders) > 0 && (q.Products != nil || q.Variants != nil) {
		return failed[StockByStoreRow](queryError("the report by store accepts either goods or folders"))
	}
	if q.QuantityMode != ModeDefault || q.Archived != ArchivedDefault || q.StockDaysFrom > 0 {
		return failed[StockByStoreRow](queryError("the report by store has no quantity mode, archived goods or days"))
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
				row.Stores[i] = s.StoreStock
				row.Stores[i].Store = idOfHref(s.Meta.Href)
			}
			return row, nil
		})
}
