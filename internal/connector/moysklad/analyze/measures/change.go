package measures

import "github.com/stockhand/stockhand/internal/analysis"

// Change returns what a good brought in both periods, net of returns. Of profit, only revenue whose cost is known
// counts.
func Change(good analysis.Row, profit bool) analysis.Change {
	c := analysis.Change{Now: sale(good.Now, profit), Before: sale(good.Before, profit)}
	if good.Now != nil {
		c.Unit = good.Now.Unit()
	} else {
		c.Unit = good.Before.Unit()
	}
	return c
}

func sale(g *analysis.Group, profit bool) *analysis.Sale {
	if g == nil {
		return nil
	}
	sold, returned := g.Sum(QuantitySold), g.Sum(QuantityReturned)
	s := &analysis.Sale{Quantity: sold.Sub(returned.Decimal), Known: sold.Known && returned.Known}
	if !profit {
		s.Revenue = g.Sum(Sales).Sub(g.Sum(Returns).Decimal)
		return s
	}
	s.Revenue, s.Cost = g.Sum(Covered).Decimal, g.Sum(Costs).Decimal
	s.Known = s.Known && g.Sum(Costs).Known
	return s
}
