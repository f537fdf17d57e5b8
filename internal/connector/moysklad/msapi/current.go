package msapi

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"net/url"
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi/meter"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi/survey"
	"github.com/stockhand/stockhand/internal/decimal"
)

// StockType selects the number that the current reports return (fact M75).
type StockType string

// The numbers. Each takes a separate request.
const (
	TypeStock     StockType = "stock"     // physical
	TypeFree      StockType = "freeStock" // stock − reserve
	TypeQuantity  StockType = "quantity"  // stock − reserve + expected
	TypeReserve   StockType = "reserve"
	TypeInTransit StockType = "inTransit"
)

// CurrentQuery restricts the current reports.
type CurrentQuery struct {
	Assortment []ID // products and variants; nil means all
	Stores     []ID
}

// CurrentRow is a row of the current reports. It is compact because there may be hundreds of thousands.
type CurrentRow struct {
	Assortment Key
	Store      Key           // zero for stock without a store (fact M76)
	Value      decimal.Maybe // unknown while the vendor recalculates the good (fact M74)
}

// wireCurrent is a row of the current reports. The value usually has the name of the requested number, but not in one
// sample, so any of the names is accepted (fact M75).
type wireCurrent struct {
	Assortment string        `json:"assortmentId"`
	Store      *string       `json:"storeId"`
	Stock      decimal.Maybe `json:"stock"`
	Free       decimal.Maybe `json:"freeStock"`
	Quantity   decimal.Maybe `json:"quantity"`
	Reserve    decimal.Maybe `json:"reserve"`
	InTransit  decimal.Maybe `json:"inTransit"`
}

func (w *wireCurrent) value(t StockType) decimal.Maybe {
	asked := map[StockType]*decimal.Maybe{
		TypeStock: &w.Stock, TypeFree: &w.Free, TypeQuantity: &w.Quantity, TypeReserve: &w.Reserve,
		TypeInTransit: &w.InTransit,
	}
	if v, ok := asked[t]; ok && v.Known {
		return *v
	}
	for _, v := range []decimal.Maybe{w.Stock, w.Free, w.Quantity, w.Reserve, w.InTransit} {
		if v.Known {
			return v
		}
	}
	return decimal.Maybe{}
}

// block buffers compact rows until the response is complete. A truncated response is requested again, and because the
// rows have no fixed order, they could not be matched with rows already yielded. Blocks are freed as their rows are
// consumed.
const block = 4096

// StockCurrentByStore reads report/stock/bystore/current: all rows in one heavy request, in any order, without zeros.
// Nested stores are not added to their parents. Goods that are being recalculated are included, without a number.
func (r *Reader) StockCurrentByStore(ctx context.Context, t StockType, q CurrentQuery) iter.Seq2[CurrentRow, error] {
	const path = "report/stock/bystore/current"
	params := url.Values{"stockType": {string(t)}, "withRecalculate": {"true"}}
	join := func(ids []ID) string { return strings.Join(texts(ids), ",") } // ids here are raw (fact M75)
	var filter Filter
	if q.Stores != nil {
		filter = filter.Where("storeId", Eq, join(q.Stores))
	}
	return func(yield func(CurrentRow, error) bool) {
		if q.Stores != nil && len(q.Stores) == 0 || q.Assortment != nil && len(q.Assortment) == 0 {
			return
		}
		base, err := filter.Build()
		if err != nil {
			yield(CurrentRow{}, err)
			return
		}
		perRequest := (maxURL - 500 - len(escape(base))) / len(escape(","+strings.Repeat("0", 36)))
		if perRequest < 1 {
			yield(CurrentRow{}, queryError("%d stores at once", len(q.Stores)))
			return
		}
		ids := slices.Sorted(slices.Values(q.Assortment))
		for first := true; first || len(ids) > 0; first = false {
			n := min(len(ids), perRequest)
			text, label := base, base
			if n > 0 {
				text, err = filter.Where("assortmentId", Eq, join(ids[:n])).Build()
				if err != nil {
					yield(CurrentRow{}, err)
					return
				}
				label = text
				if len(q.Assortment) > 3 {
					label = strings.TrimPrefix(base+";assortmentId=…", ";")
				}
			}
			ids = ids[n:]
			if text != "" {
				params.Set("filter", text)
			}
			if !r.currentPage(ctx, request{path: path, query: encode(params), filter: label,
				most: maxCurrent}, t, yield) {
				return
			}
		}
	}
}

// currentPage reads one response and yields its rows. It returns false if the consumer stopped or an error was yielded.
func (r *Reader) currentPage(ctx context.Context, q request, t StockType, yield func(CurrentRow, error) bool) bool {
	if s := survey.Of(ctx); s != nil {
		noteWhole(s, q)
		return true
	}
	var blocks [][]CurrentRow
	rows := 0
	meter.Of(ctx).Plan(1, StockReport(q.path))
	err := r.fetch(ctx, q, func(body io.Reader) error {
		blocks, rows = nil, 0
		dec := json.NewDecoder(body)
		return decodeArray(dec, func() error {
			var wire wireCurrent
			if err := dec.Decode(&wire); err != nil {
				return shaped(err)
			}
			row := CurrentRow{Value: wire.value(t)}
			var ok bool
			if row.Assortment, ok = parseKey(wire.Assortment); !ok {
				return fmt.Errorf("%w: assortmentId %q is not an ID", errShape, wire.Assortment)
			}
			if wire.Store != nil {
				if row.Store, ok = parseKey(*wire.Store); !ok {
					return fmt.Errorf("%w: storeId %q is not an ID", errShape, *wire.Store)
				}
			}
			if rows%block == 0 {
				blocks = append(blocks, make([]CurrentRow, 0, block))
			}
			last := &blocks[len(blocks)-1]
			*last = append(*last, row)
			rows++
			return nil
		})
	})
	if err != nil {
		yield(CurrentRow{}, err)
		return false
	}
	meter.Of(ctx).Rows(q.label(), q.filter, rows)
	meter.Of(ctx).Needs(q.identity(), 1)
	for i, rows := range blocks {
		for _, row := range rows {
			if !yield(row, nil) {
				return false
			}
		}
		blocks[i] = nil
	}
	return true
}
