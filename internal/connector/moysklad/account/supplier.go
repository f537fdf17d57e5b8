package account

import (
	"context"
	"fmt"

	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/connector/moysklad/wording"
)

// CheckSuppliers explains an empty answer: it returns an error if a counterparty named as a supplier supplies no goods,
// which says whether it is a customer. Any counterparty can be named as a supplier, and the reports of a customer's
// goods are empty.
func (c *Call) CheckSuppliers(ctx context.Context) error {
	for _, s := range c.suppliers {
		query := msapi.AssortmentQuery{Suppliers: []msapi.ID{s.ID}, Archived: msapi.ArchivedAlso, First: 1}
		goods, err := msapi.Collect(c.Reader.Assortment(ctx, query))
		if err != nil || len(goods) > 0 {
			continue // the answer without rows stands
		}
		ru, en := "контрагент %s не указан поставщиком ни одного товара",
			"the counterparty %s is the supplier of no goods"
		reports, err := msapi.Collect(c.Reader.CounterpartyReport(ctx,
			msapi.CounterpartyQuery{Counterparties: []msapi.ID{s.ID}}))
		if err == nil && len(reports) == 1 && reports[0].DemandsCount.Sign() > 0 {
			ru, en = "%s — покупатель, поставщиком товаров он не указан",
				"%s is a customer and the supplier of no goods"
		}
		return Invalid("suppliers", fmt.Sprintf(c.Pick(ru, en), wording.InQuotes(s.Name, c.Lang))).
			WithHint("%s", c.Pick("продажи по покупателям показывает прибыльность с by=counterparty",
				"profitability with by=counterparty shows sales by customer"))
	}
	return nil
}
