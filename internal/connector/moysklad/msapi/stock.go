package msapi

import (
	"context"
	"iter"
	"time"

	"github.com/stockhand/stockhand/internal/decimal"
)

// Mode selects rows of stock reports by their number (fact M56).
type Mode string

// The modes. With StockMode they look at stock, with QuantityMode at the available amount.
const (
	ModeDefault  Mode = "" // for StockAll: all of both; for StockByStore: the report's own nonEmpty
	ModeAll      Mode = "all"
	ModePositive Mode = "positiveOnly"
	ModeNegative Mode = "negativeOnly"
	ModeEmpty    Mode = "empty"
	ModeNonEmpty Mode = "nonEmpty"
	// the server's own comparison with the minimum stock (rule R20)
	ModeUnderMinimum Mode = "underMinimum"
)

// GroupBy says what rows of stock and turnover reports are.
type GroupBy string

// The groupings. With ByVariant products and their variants are separate rows, with ByProduct variants are folded
// into their product (fact M72).
const (
	ByDefault GroupBy = "" // ByVariant in stock reports, ByProduct in turnover
	ByProduct GroupBy = "product"
	ByVariant GroupBy = "variant"
)

// StockQuery narrows the extended stock reports. The zero StockQuery asks for all goods that are not archived, those
// with nothing left included: the report's own default would hide them (fact M71).
type StockQuery struct {
	Stores []ID // summed together; nested stores count in them
	// these goods alone; Products and Variants are asked for apart, Folders and Suppliers narrow both
	Products      []ID
	Variants      []ID
	Folders       []ID // with their nested folders
	Suppliers     []ID
	NoSupplier    bool      // also goods that name no supplier
	StockMode     Mode      // by stock
	QuantityMode  Mode      // by stock − reserve + expected; not in StockByStore
	Moment        time.Time // stock at that time; zero means now
	GroupBy       GroupBy
	Search        string // substring of the name
	StockDaysFrom int    // days in stock at least so many; zero means any; not in StockByStore
	StockDaysTo   int    // days in stock at most so many; zero means any; not in StockByStore
	Archived      Archived
	Order         string // e.g. "stock,desc"; empty means by name; keys in fact M73
	First         int    // stop after so many rows; zero means all
	Filter        Filter
}

// StockRow is a row of the extended stock report (Остатки).
type StockRow struct {
	Type      string // "product", "variant" or "consignment"
	ID        ID
	Name      string
	Code      string
	Article   string
	Folder    Ref
	Unit      string
	Stock     decimal.Maybe // physical
	Reserve   decimal.Maybe
	InTransit decimal.Maybe // expected from suppliers
	Quantity  decimal.Maybe // stock − reserve + expected: contains goods that have not arrived (fact M70)
	Cost      decimal.Maybe // per unit, minor units, the report's price; unknown and hidden may both be 0 (fact M82)
	SalePrice decimal.Maybe // minor units, of the first price type
	StockDays decimal.Maybe // days in stock, the vendor's own (rule R21)
}

// StockAll reads report/stock/all: a heavy request for each 1,000 rows.
func (r *Reader) StockAll(ctx context.Context, q StockQuery) iter.Seq2[StockRow, error] {
	return r.stockAll(ctx, q)
}

// StockByStoreRow is a good with its stock in each store.
type StockByStoreRow struct {
	Type   string
	ID     ID
	Stores []StoreStock
}

// StoreStock is the stock of one good in one store.
type StoreStock struct {
	Store     ID
	Name      string
	Stock     decimal.Maybe
	InTransit decimal.Maybe
	Reserve   decimal.Maybe
}

// StockByStore reads report/stock/bystore: a heavy request for each 1,000 rows. The report has no quantityMode, no
// archived, and takes only one of products, variants, folders and search; [ErrQuery] for more.
func (r *Reader) StockByStore(ctx context.Context, q StockQuery) iter.Seq2[StockByStoreRow, error] {
	return r.stockByStore(ctx, q)
}

// StockType is the number that the current reports give (fact M75).
type StockType string

// The numbers. Each needs its own request.
const (
	TypeStock     StockType = "stock"     // physical
	TypeFree      StockType = "freeStock" // stock − reserve
	TypeQuantity  StockType = "quantity"  // stock − reserve + expected
	TypeReserve   StockType = "reserve"
	TypeInTransit StockType = "inTransit"
)

// CurrentQuery narrows the current reports.
type CurrentQuery struct {
	Assortment   []ID // products and variants; empty means all
	Stores       []ID // in StockCurrent: their sum
	ZeroLines    bool // with zeros, though never goods without any operation
	ChangedSince time.Time
}

// CurrentRow is a row of the current reports, compact: there may be hundreds of thousands.
type CurrentRow struct {
	Assortment Key
	Store      Key           // zero in StockCurrent, and for what no store is named for (fact M76)
	Value      decimal.Maybe // unknown while the vendor recalculates the good (fact M74)
}

// StockCurrent reads report/stock/all/current: all rows in one heavy request, in any order, zeros left out.
func (r *Reader) StockCurrent(ctx context.Context, t StockType, q CurrentQuery) iter.Seq2[CurrentRow, error] {
	return r.current(ctx, "report/stock/all/current", t, q)
}

// StockCurrentByStore reads report/stock/bystore/current: all rows in one heavy request, in any order, zeros left
// out. Nested stores are not summed into their parents. Goods in recalculation are asked for, without a number.
func (r *Reader) StockCurrentByStore(ctx context.Context, t StockType, q CurrentQuery) iter.Seq2[CurrentRow, error] {
	return r.current(ctx, "report/stock/bystore/current", t, q)
}
