package write

import (
	"context"

	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

// Costs reads the current cost per unit of the good of each line of a price change, in main units of the account
// currency: that of the stock, or the purchase price if there is none. It is unknown if it is hidden, zero, in another
// currency, or if the prices are.
func (w *Writer) Costs(ctx context.Context, doc tool.Document) ([]decimal.Maybe, error) {
	if w.bad != nil {
		return nil, w.bad
	}
	costs := make([]decimal.Maybe, len(doc.Lines))
	if doc.CurrencyID != "" {
		return costs, nil
	}
	goods, err := w.goods(ctx, doc.Lines, false)
	if err != nil {
		return nil, err
	}
	currency, err := w.accountCurrency(ctx)
	if err != nil {
		return nil, err
	}
	of := map[msapi.ID]decimal.Maybe{}
	for id, g := range goods {
		ours := currency == "" || g.buy.Currency.ID == "" || g.buy.Currency.ID == currency
		if ours && filled(g.buy.Value) {
			of[id] = major(g.buy.Value)
		}
	}
	var q msapi.StockQuery
	q.Products, q.Variants = split(doc.Lines)
	if len(q.Products)+len(q.Variants) > 0 {
		for row, err := range w.reader.StockAll(ctx, q) {
			if msapi.IsForbidden(err) {
				break
			}
			if err != nil {
				return nil, err
			}
			if row.Cost.Known && row.Cost.Sign() > 0 { // zero means that the cost is unknown (fact M82)
				of[row.ID] = major(row.Cost)
			}
		}
	}
	for i, l := range doc.Lines {
		costs[i] = of[goodID(l)]
	}
	return costs, nil
}
