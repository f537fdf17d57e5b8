package shortage

import (
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/decimal"
)

// Minimum is the minimum stock of a good: for each warehouse, or for all together.
type Minimum struct {
	set   *msapi.MinimumStock
	flat  decimal.Maybe // the old minimum over all warehouses
	known bool          // the server returned a minimum
}

// MinimumOf returns the minimum on the card of a product.
func MinimumOf(p msapi.Card) Minimum {
	return Minimum{set: p.Minimum, flat: p.Flat, known: p.Minimum != nil || p.Flat.Known}
}

// MinimumOfVariant returns the minimum of a variant: its own, or that of its product.
func MinimumOfVariant(v msapi.Card, product Minimum) Minimum {
	if Inherits(v.Minimum) && product.known {
		return product
	}
	return Minimum{set: v.Minimum, known: v.Minimum != nil}
}

// Inherits reports whether a variant's minimum must be read from its product: it says so, or has no number.
func Inherits(m *msapi.MinimumStock) bool {
	return m == nil || m.Inherited && !m.Quantity.Known && len(m.Stores) == 0
}

// in returns the minimum of one warehouse, or of all together for the zero store.
func (m Minimum) in(store msapi.Key) decimal.Maybe {
	if store != (msapi.Key{}) {
		n, _ := m.set.In(store.ID())
		return n
	}
	switch {
	case m.set == nil:
		return m.flat
	case m.set.Kind == msapi.MinimumSum:
		if m.set.Quantity.Known {
			return m.set.Quantity
		}
		return m.flat
	}
	return decimal.Maybe{}
}

// overall returns the minimum over all warehouses together, whatever its kind.
func (m Minimum) overall(stores int) decimal.Maybe {
	if m.set == nil || m.set.Kind == msapi.MinimumSum {
		return m.in(msapi.Key{})
	}
	if m.set.Kind == msapi.MinimumSame {
		return decimal.Maybe{Decimal: m.set.Quantity.Mul(decimal.FromInt(int64(stores))),
			Known: m.set.Quantity.Known}
	}
	sum := decimal.Maybe{}
	for _, s := range m.set.Stores {
		if s.Quantity.Known {
			sum = decimal.Some(sum.Add(s.Quantity.Decimal))
		}
	}
	return sum
}

// Place is a minimum above zero and where it holds: in a warehouse, or in all together for the zero store.
type Place struct {
	Store   msapi.Key
	Minimum decimal.Decimal
}

// Places returns where a good has a minimum, among these warehouses and all together.
func (m Minimum) Places(stores []msapi.Store) []Place {
	var places []Place
	for _, s := range append([]msapi.Store{{}}, stores...) {
		if n := m.in(s.ID.Key()); n.Known && n.Sign() > 0 {
			places = append(places, Place{s.ID.Key(), n.Decimal})
		}
	}
	return places
}

// Below returns how much the free stock is below the minimum; never negative.
func (p Place) Below(free decimal.Decimal) decimal.Decimal {
	return p.Minimum.Sub(free).Max(decimal.Zero)
}
