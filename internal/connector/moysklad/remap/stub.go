package remap

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"net/url"
)

var errNotYet = errors.New("not yet")

// Reader reads one account with one employee's token.
type Reader struct{ config Config }

// Open returns a reader. It sends nothing.
func Open(c Config) *Reader { return &Reader{c} }

type listing struct{ path string }

func none[T any]() iter.Seq2[T, error] {
	return func(yield func(T, error) bool) { var z T; yield(z, errNotYet) }
}
func one[T any](ctx context.Context, r *Reader, path string, params url.Values) (T, error) {
	var z T
	return z, errNotYet
}
func list[T any](ctx context.Context, r *Reader, l listing) iter.Seq2[T, error] { return none[T]() }
func entities[T any](ctx context.Context, r *Reader, path string, q ListQuery) iter.Seq2[T, error] {
	return none[T]()
}
func series[T any](ctx context.Context, r *Reader, path string, q SeriesQuery) (T, error) {
	var z T
	return z, errNotYet
}
func queryError(s string) error { return fmt.Errorf("%w: %s", ErrQuery, s) }
func orders[T any](ctx context.Context, r *Reader, doc string, q OrderQuery, make func(*wireOrder, Order) T) iter.Seq2[T, error] {
	return none[T]()
}
func (r *Reader) products(context.Context, ProductQuery) iter.Seq2[Product, error] {
	return none[Product]()
}
func (r *Reader) variants(context.Context, VariantQuery) iter.Seq2[Variant, error] {
	return none[Variant]()
}
func (r *Reader) assortment(context.Context, AssortmentQuery) iter.Seq2[AssortmentItem, error] {
	return none[AssortmentItem]()
}
func (r *Reader) stockAll(context.Context, StockQuery) iter.Seq2[StockRow, error] {
	return none[StockRow]()
}
func (r *Reader) stockByStore(context.Context, StockQuery) iter.Seq2[StockByStoreRow, error] {
	return none[StockByStoreRow]()
}
func (r *Reader) current(context.Context, string, StockType, CurrentQuery) iter.Seq2[CurrentRow, error] {
	return none[CurrentRow]()
}
func (r *Reader) turnover(context.Context, TurnoverQuery) iter.Seq2[TurnoverRow, error] {
	return none[TurnoverRow]()
}
func (r *Reader) profit(context.Context, ProfitBy, ProfitQuery) iter.Seq2[ProfitRow, error] {
	return none[ProfitRow]()
}
func (r *Reader) counterpartyReport(context.Context, CounterpartyQuery) iter.Seq2[CounterpartyReport, error] {
	return none[CounterpartyReport]()
}

// Collect reads a list to its end: the rows, and the error that ended it. Rows before an [*Incomplete] are kept.
func Collect[T any](seq iter.Seq2[T, error]) ([]T, error) {
	var list []T
	for row, err := range seq {
		if err != nil {
			return list, err
		}
		list = append(list, row)
	}
	return list, nil
}
