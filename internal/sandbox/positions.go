package sandbox

import (
	"github.com/stockhand/stockhand/internal/sandbox/company"
)

func positionType(t company.DocumentType) string {
	if t == company.RetailSalesReturnDoc {
		return "salesreturnposition" // retail returns use the same type
	}
	if t == company.RetailDemandDoc {
		return "demandposition"
	}
	return string(t) + "position"
}

func positionsPath(d document) string {
	return "/entity/" + string(d.Type) + "/" + string(d.ID) + "/positions"
}

// positionsField is the collection of positions. Its rows are written with expand=positions (fact M18).
func positionsField() field[document] {
	return field[document]{name: "positions", can: canExpand,
		write: func(c *call, e *encoder, d document, x expansion) {
			sub, full := x["positions"]
			var rows func(int)
			if full {
				stock := c.stockAt(d)
				rows = func(i int) { c.position(e, d, i, sub, stock) }
			}
			c.nested(e, "positions", positionType(d.Type), positionsPath(d), len(d.Positions), rows)
		}}
}

// stockAt returns the stock at the positions if requested by fields=stock.
func (c *call) stockAt(d document) []company.PositionStock {
	if !c.withStock {
		return nil
	}
	return c.account.StockByDocument(d.ID)
}

// position writes the members of the i-th position. Prices in enters are costs and hidden like them (fact M91).
func (c *call) position(e *encoder, d document, i int, x expansion, stock []company.PositionStock) {
	p := &d.Positions[i]
	id := string(d.PositionID(i))
	c.plainMeta(e, positionType(d.Type), positionsPath(d)+"/"+id)
	e.members("id", id, "accountId", c.account.info.AccountID)
	c.member(e, "quantity", number, numberValue(int64(p.Quantity)), nil)
	if d.Type != company.EnterDoc || c.employee.has(rightCost) {
		c.member(e, "price", number, numberValue(int64(p.Price)), nil)
	}
	switch d.Type {
	case company.MoveDoc:
		e.key("overhead").int(0)
	case company.EnterDoc:
		e.key("overhead").int(0)
	case company.LossDoc:
	default:
		e.members("discount", p.Discount, "vat", p.VAT, "vatEnabled", p.VATOn)
	}
	c.member(e, "assortment", link, linkValue(string(p.Good.Kind), string(p.Good.ID)), x)
	if p.Pack != nil {
		e.key("pack").object(func() { c.pack(e, p.Pack) })
	}
	switch d.Type {
	case company.CustomerOrderDoc:
		c.member(e, "shipped", number, numberValue(int64(p.Shipped)), nil)
		c.member(e, "reserve", number, numberValue(int64(p.Reserve)), nil)
	case company.PurchaseOrderDoc:
		c.member(e, "shipped", number, numberValue(int64(p.Shipped)), nil)
		c.member(e, "inTransit", number, numberValue(int64(p.InTransit)), nil)
	case company.InventoryDoc:
		c.member(e, "calculatedQuantity", number, numberValue(int64(p.Expected)), nil)
		c.member(e, "correctionAmount", number, numberValue(int64(p.Quantity-p.Expected)), nil)
	default:
	}
	if i < len(stock) {
		c.positionStock(e, stock[i])
	}
}

// positionStock writes the stock at a position. Its field names differ from the reports': quantity is the physical
// stock, available is what reports call quantity (fact M67).
func (c *call) positionStock(e *encoder, s company.PositionStock) {
	e.key("stock").object(func() {
		if s.CostSet && c.employee.has(rightCost) {
			e.key("cost").decimal(s.Cost)
		}
		e.members("quantity", s.Stock, "reserve", s.Reserve, "intransit", s.InTransit, "available", s.Quantity())
	})
}
