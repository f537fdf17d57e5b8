package msapi

import (
	"context"
	"iter"

	"github.com/stockhand/stockhand/internal/decimal"
)

// OperationsQuery restricts the turnover report by operations. Period is required.
type OperationsQuery struct {
	Period Period
	Stores []ID   // includes nested stores
	Type   string // of the documents, such as "move"; empty for all
}

// OperationRow is the movement of a good in a store by one document.
type OperationRow struct {
	Assortment Ref
	Store      ID
	Document   ID
	Quantity   decimal.Maybe // whether outgoing goods are negative is not documented
	Sum        decimal.Maybe // cost in minor units, with the sign of Quantity
}

type wireOperation struct {
	Assortment goods `json:"assortment"`
	Store      Ref   `json:"store"`
	Operation  Ref   `json:"operation"`
	Turnover
}

// TurnoverByOperations reads report/turnover/byoperations. Each good of a document has a row for each of its lines.
func (r *Reader) TurnoverByOperations(ctx context.Context, q OperationsQuery) iter.Seq2[OperationRow, error] {
	err := checkPeriod(q.Period)
	if err == nil {
		err = checkIDs(q.Stores)
	}
	if err != nil {
		return failed[OperationRow](err)
	}
	l := listing{path: "report/turnover/byoperations", params: q.Period.params()}
	l.filter = r.are(Filter{}, "store", "store", q.Stores)
	if q.Type != "" {
		l.filter = l.filter.Where("type", Eq, q.Type)
	}
	return convert(list[wireOperation](ctx, r, l), func(w *wireOperation) (OperationRow, error) {
		return OperationRow{Assortment: w.Assortment.Ref, Store: w.Store.ID, Document: w.Operation.ID,
			Quantity: w.Quantity, Sum: w.Sum}, nil
	})
}
