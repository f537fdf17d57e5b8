package company

import (
	"time"

	"github.com/stockhand/stockhand/internal/decimal"
)

// StockByOperations returns report/byoperations/stock, reserve or intransit (TypeStock, TypeReserve, TypeInTransit):
// the documents that make up the figure. Goods sold before they arrived have negative rows.
func (c *Company) StockByOperations(good ID, t StockType) []OperationRow {
	c.mu.RLock()
	defer c.mu.RUnlock()
	g, ok := c.goods[good]
	if !ok || !g.Stocked() {
		return nil
	}
	switch t {
	case TypeReserve:
		return c.ordered(g, CustomerOrderDoc, func(p *Position) Quantity { return p.Reserve })
	case TypeInTransit:
		return c.ordered(g, PurchaseOrderDoc, func(p *Position) Quantity { return p.InTransit })
	}
	list := c.ledger.entries[g.Index]
	var r replayer
	r.run(list, c.ledger.width, 1<<62, false)
	now := c.options.Clock().Unix() / 60
	var rows []OperationRow
	for column, s := range r.shelves[1:] {
		store := c.catalogue.Stores[column]
		for _, l := range s.lots[s.head:] {
			d := list[l.entry].doc
			rows = append(rows, OperationRow{
				Good: g, Store: store, Document: d, Moment: d.Moment, Quantity: l.qty, Sum: l.cost,
				age: now - l.arrived})
		}
		for _, l := range s.shorts {
			d := list[l.entry].doc
			rows = append(rows, OperationRow{Good: g, Store: store, Document: d, Moment: d.Moment, Quantity: -l.qty})
		}
	}
	return rows
}

func (c *Company) ordered(g *Good, t DocumentType, figure func(*Position) Quantity) []OperationRow {
	var rows []OperationRow
	for _, d := range c.documents[t] {
		if !d.Applicable {
			continue
		}
		for i := range d.Positions {
			if p := &d.Positions[i]; p.Good == g && figure(p) != 0 {
				rows = append(rows, OperationRow{Good: g, Store: d.Store, Document: d, Moment: d.Moment,
					Quantity: figure(p)})
			}
		}
	}
	return rows
}

// StockByDocument returns report/stock/byoperation: the stock at each position of a document, or nil for an unknown
// document. Orders get the current stock, other documents the stock at their moment, in the document's store or,
// without one, in all stores (facts M67, M78). Bundles and services give zeros.
func (c *Company) StockByDocument(id ID) []PositionStock {
	c.mu.RLock()
	defer c.mu.RUnlock()
	d, ok := c.byID[id]
	if !ok {
		return nil
	}
	moment := d.Moment
	if d.Type == CustomerOrderDoc || d.Type == PurchaseOrderDoc {
		moment = time.Time{}
	}
	goods := make([]*Good, len(d.Positions))
	for i := range d.Positions {
		goods[i] = d.Positions[i].Good
	}
	view := c.view(moment, goods)
	out := make([]PositionStock, len(d.Positions))
	for i := range d.Positions {
		p, s := &d.Positions[i], &out[i]
		s.Store, s.CostSet = d.Store, true
		if !p.Good.Stocked() {
			continue
		}
		var hand Quantity
		var cost Money
		for n, k := range view.columns(p.Good) {
			if d.Store == nil || int(columnOf(d.Store)) == n {
				s.Stock += k.stock
				s.Reserve += k.reserve
				s.InTransit += k.inTransit
				hand += k.hand
				cost += k.cost
			}
		}
		s.Cost = ratio(int64(cost), int64(hand))
		if d.Type == SalesReturnDoc || d.Type == RetailSalesReturnDoc {
			s.CostSet = d.Base != nil
			s.Cost = ratio(int64(c.ledger.costs[d.serial][i]), int64(p.Quantity))
		}
		if !s.CostSet {
			s.Cost = decimal.Zero
		}
	}
	return out
}

// PositionCost returns the cost of the i-th position of a posted sale or return, in the account currency. It is 0 for
// other documents and for unknown costs.
func (c *Company) PositionCost(d *Document, i int) Money {
	c.mu.RLock()
	defer c.mu.RUnlock()
	if d.serial >= len(c.ledger.costs) || i >= len(c.ledger.costs[d.serial]) {
		return 0
	}
	cost := c.ledger.costs[d.serial][i]
	if cost < 0 {
		return -cost
	}
	return cost
}
