package analysis

import (
	"github.com/stockhand/stockhand/internal/decimal"
)

// Effects split the change of revenue or profit. They add up to the change exactly: rounding goes into Mix.
type Effects struct {
	Price  decimal.Decimal // the same goods at other prices
	Volume decimal.Decimal // more or fewer of the goods that were sold in both periods, in the old proportions
	Mix    decimal.Decimal // other proportions among them
	Cost   decimal.Decimal // of profit: the same goods at another cost
	New    decimal.Decimal // goods without sales in the other period
	Lost   decimal.Decimal // goods without sales in this period
	Rest   decimal.Decimal // rows whose quantity or cost is unknown
}

// Total returns the sum of the effects.
func (e Effects) Total() decimal.Decimal {
	return e.Price.Add(e.Volume).Add(e.Mix).Add(e.Cost).Add(e.New).Add(e.Lost).Add(e.Rest)
}

// Sale is what a good brought in a period. Without a cost, Cost is zero and the effects explain revenue.
type Sale struct {
	Quantity, Revenue, Cost decimal.Decimal
	Known                   bool // quantity, and cost if it is explained, are known
}

// Change is a good in both periods; nil is a period without sales of it.
type Change struct {
	Unit        string
	Now, Before *Sale
}

// Explain splits the change of revenue less cost over goods. Proportions are those within each unit of measure, because
// pieces and kilograms have no common volume.
//
// With quantity q, price p, unit cost c and margin m = p − c per unit, a good in both periods contributes
// (p₁ − p₀)·q₁ to Price, −(c₁ − c₀)·q₁ to Cost and (q₁ − q₀)·m₀ to Volume and Mix together. Volume is the part
// that it would have had if the quantities of its unit had all grown alike.
func Explain(goods []Change) Effects {
	type unit struct{ now, before decimal.Decimal }
	volumes := map[string]*unit{}
	for _, g := range goods {
		if !g.both() {
			continue
		}
		u := volumes[g.Unit]
		if u == nil {
			u = &unit{}
			volumes[g.Unit] = u
		}
		u.now, u.before = u.now.Add(g.Now.Quantity), u.before.Add(g.Before.Quantity)
	}
	var e Effects
	change := decimal.Zero
	for _, g := range goods {
		change = change.Add(g.Now.result()).Sub(g.Before.result())
		switch {
		case g.Now == nil && g.Before == nil:
		case g.Before == nil:
			e.New = e.New.Add(g.Now.result())
		case g.Now == nil:
			e.Lost = e.Lost.Sub(g.Before.result())
		case !g.both():
			e.Rest = e.Rest.Add(g.Now.result()).Sub(g.Before.result())
		default:
			// p₀·q₁ and c₀·q₁: what was sold now, at the old price and cost
			atOldPrice := g.Before.Revenue.Mul(g.Now.Quantity).Div(g.Before.Quantity).Round(2)
			atOldCost := g.Before.Cost.Mul(g.Now.Quantity).Div(g.Before.Quantity).Round(2)
			e.Price = e.Price.Add(g.Now.Revenue).Sub(atOldPrice)
			e.Cost = e.Cost.Sub(g.Now.Cost).Add(atOldCost)
			if u := volumes[g.Unit]; u.before.Sign() > 0 {
				growth := u.now.Sub(u.before).Div(u.before)
				e.Volume = e.Volume.Add(g.Before.result().Mul(growth).Round(2))
			}
		}
	}
	e.Mix = change.Sub(e.Total())
	return e
}

// both reports whether the good was sold in both periods and its quantities can be compared.
func (c Change) both() bool {
	return c.Now != nil && c.Before != nil && c.Now.Known && c.Before.Known && c.Now.Quantity.Sign() > 0 &&
		c.Before.Quantity.Sign() > 0
}

func (s *Sale) result() decimal.Decimal {
	if s == nil {
		return decimal.Zero
	}
	return s.Revenue.Sub(s.Cost)
}
