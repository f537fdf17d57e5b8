package company

import "slices"

// CounterpartyReport returns report/counterparty, in the order of the catalogue. A positive balance is what the
// counterparty owes us: sales and our payments, less returns, their payments and supplies. The rows are read-only.
func (c *Company) CounterpartyReport() []CounterpartyRow {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return kept(c, "counterparties", c.counterpartyReport)
}

func (c *Company) counterpartyReport() []CounterpartyRow {
	rows := make([]CounterpartyRow, len(c.catalogue.Counterparties))
	for i, p := range c.catalogue.Counterparties {
		rows[i].Counterparty = p
	}
	for _, t := range DocumentTypes {
		for _, d := range c.documents[t] {
			if d.Agent == nil || !d.Applicable {
				continue
			}
			r := &rows[d.Agent.Index]
			sum := d.base(d.Sum)
			switch t {
			case DemandDoc, RetailDemandDoc:
				r.Balance += sum
				r.DemandsSum += sum
				r.DemandsCount++
				if r.FirstDemand.IsZero() || d.Moment.Before(r.FirstDemand) {
					r.FirstDemand = d.Moment
				}
				if d.Moment.After(r.LastDemand) {
					r.LastDemand = d.Moment
				}
				for i, p := range d.Positions {
					whole := p
					whole.Discount = 0
					r.DiscountsSum += d.base(whole.Sum() - p.Sum())
					r.Profit += d.base(p.Sum()) + c.ledger.costs[d.serial][i]
				}
			case SalesReturnDoc, RetailSalesReturnDoc:
				r.Balance -= sum
				r.ReturnsSum += sum
				r.ReturnsCount++
				r.Profit -= sum
				for _, cost := range c.ledger.costs[d.serial] {
					r.Profit += cost
				}
			case SupplyDoc:
				r.Balance -= sum
			default:
				r.Balance -= d.sign() * sum
			}
			if d.Moment.After(r.LastEvent) {
				r.LastEvent, r.LastEventText = d.Moment, eventText[t]
			}
		}
	}
	return slices.DeleteFunc(rows, func(r CounterpartyRow) bool { return r.Counterparty.Deleted })
}

var eventText = map[DocumentType]string{
	SupplyDoc: "приёмка", DemandDoc: "отгрузка", RetailDemandDoc: "розничная продажа",
	SalesReturnDoc:       "возврат покупателя",
	RetailSalesReturnDoc: "розничный возврат", CustomerOrderDoc: "заказ покупателя",
	PurchaseOrderDoc: "заказ поставщику",
	PaymentInDoc:     "входящий платёж", PaymentOutDoc: "исходящий платёж", CashInDoc: "приходный ордер",
	CashOutDoc: "расходный ордер",
}
