package company

import (
	"math"
)

// minimums sets minimum stocks depending on the stock, so that a realistic share of goods is below the minimum: about
// 10% of 300 goods, and a few percent of 100,000.
func (g *generator) minimums(h *history) {
	below := 0.12 * math.Pow(300/float64(max(300, g.o.Products)), 0.2)
	active := g.cat.Stores[:len(g.cat.Stores)-1]
	for _, good := range g.cat.Goods {
		if good.Kind != Product || good.IsArchived() {
			continue
		}
		x := g.rand.Float64()
		if len(good.Variants) > 0 {
			g.family(h, good, x < below)
			continue
		}
		switch {
		case x < below:
			good.Minimum = g.unmet(h, good, active)
		case x < below+0.22:
			good.Minimum = g.met(h, good, active)
		}
	}
}

// inAll returns the stock in all stores.
func (h *history) inAll(g *Good) (sum Quantity) {
	for _, s := range h.cat.Stores {
		sum += h.has(g, s)
	}
	return sum
}

func (g *generator) more() Quantity { return Units(g.between(1, 12)) }

// whole returns q without its fraction.
func whole(q Quantity) Quantity { return q / scale * scale }

// unmet returns a minimum of a random type above the good's stock.
func (g *generator) unmet(h *history, good *Good, active []*Store) *Minimum {
	switch g.rand.IntN(3) {
	case 0:
		return &Minimum{Type: MinimumSum, Quantity: max(0, whole(h.inAll(good))) + g.more()}
	case 1:
		least := h.has(good, active[0])
		for _, s := range active {
			least = min(least, h.has(good, s))
		}
		return &Minimum{Type: MinimumSame, Quantity: max(0, whole(least)) + g.more()}
	}
	m := &Minimum{Type: MinimumVaried}
	short := g.rand.IntN(min(2, len(active)))
	for i, s := range active {
		have := max(0, whole(h.has(good, s)))
		switch {
		case i == short:
			have += g.more()
		case have == 0 || g.chance(30):
			continue
		default:
			have = whole(have / 2)
		}
		if have > 0 {
			m.Stores = append(m.Stores, g.storeMinimum(good, s, have))
		}
	}
	return m
}

// met returns a minimum that the good's stock covers, or nil without stock.
func (g *generator) met(h *history, good *Good, active []*Store) *Minimum {
	sum := h.inAll(good)
	if sum < Units(2) {
		return nil
	}
	switch g.rand.IntN(3) {
	case 0:
		m := &Minimum{Type: MinimumVaried}
		for _, s := range active {
			if have := whole(h.has(good, s) / 2); have > 0 {
				m.Stores = append(m.Stores, g.storeMinimum(good, s, have))
			}
		}
		if len(m.Stores) > 0 {
			return m
		}
	case 1:
		least := h.has(good, active[0])
		for _, s := range active {
			least = min(least, h.has(good, s))
		}
		if whole(least) > 0 {
			return &Minimum{Type: MinimumSame, Quantity: whole(least)}
		}
	}
	return &Minimum{Type: MinimumSum, Quantity: whole(sum / 2)}
}

func (g *generator) storeMinimum(good *Good, s *Store, qty Quantity) StoreMinimum {
	return StoreMinimum{ID: g.id("minimumstock", good.Index*100+s.Index), Store: s, Quantity: qty}
}

// family sets the minimum of a product with variants. All variants but the first inherit it.
func (g *generator) family(h *history, good *Good, below bool) {
	least := h.inAll(good.Variants[0])
	for _, v := range good.Variants {
		least = min(least, h.inAll(v))
	}
	qty := whole(max(0, least) / 2)
	if below {
		qty = whole(max(0, least)) + g.more()
	}
	if qty == 0 {
		return
	}
	good.Minimum = &Minimum{Type: MinimumSum, Quantity: qty}
	for i, v := range good.Variants {
		own := *good.Minimum
		own.Inherited = i > 0
		v.Minimum = &own
	}
}
