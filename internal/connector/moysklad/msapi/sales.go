package msapi

import (
	"context"
	"iter"
)

// SaleType is a kind of document by which goods are sold or come back. Sales are spread over several kinds: who reads
// only one misses the others (fact M62).
type SaleType string

// The kinds of documents of sale and of return.
const (
	Demand            SaleType = "demand"
	RetailDemand      SaleType = "retaildemand"
	SalesReturn       SaleType = "salesreturn"
	RetailSalesReturn SaleType = "retailsalesreturn"
)

// Sales lists documents of one kind, by id. Planned, Payed and Shipped are not among what they have.
func (r *Reader) Sales(ctx context.Context, t SaleType, q OrderQuery) iter.Seq2[Order, error] {
	return orders(ctx, r, string(t), q, func(_ *wireOrder, o Order) Order { return o })
}
