package company

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/stockhand/stockhand/internal/decimal"
)

// StockAll returns report/stock/all: all matching rows in the requested order. The rows are read-only.
func (c *Company) StockAll(q StockQuery) []StockRow {
	c.mu.RLock()
	defer c.mu.RUnlock()
	now := c.options.Clock()
	key := q
	key.DaysFrom, key.DaysTo, key.Weighed = nil, nil, nil
	// Days in stock increase with time, so a cached report is used for at most an hour.
	name := fmt.Sprintf("stock %v %v %v %d", deref(q.DaysFrom), deref(q.DaysTo), deref(q.Weighed), now.Unix()/3600)
	return kept(c, reportKey(name, key), func() []StockRow { return c.stockAll(q, now) })
}

// deref returns the value of p, for a cache key.
func deref[T any](p *T) any {
	if p == nil {
		return nil
	}
	return *p
}

func (c *Company) stockAll(q StockQuery, now time.Time) []StockRow {
	if !q.Moment.IsZero() {
		now = q.Moment
	}
	minute := now.Unix() / 60
	wanted := c.goodFilter(q.GoodFilter)
	at := c.columnsOf(q.Stores)
	view := c.view(q.Moment, nil)
	var rows []StockRow
	take := func(head *Good, items []*Good) {
		r := StockRow{Good: head}
		under := underMinimum{store: at, mode: q}
		for _, g := range items {
			if !wanted(g) {
				continue
			}
			columns := view.columns(g)
			for i := range columns {
				if at[i] {
					k := &columns[i]
					r.Stock += k.stock
					r.Reserve += k.reserve
					r.InTransit += k.inTransit
					r.InHand += k.hand
					r.CostSum += k.cost
					r.ageSum += minute*int64(k.hand) - k.arrived
				}
			}
			under.look(c, g, columns)
		}
		if matches(r.Stock, q.StockMode, ModeAll, under.stock) &&
			matches(r.Quantity(), q.QuantityMode, ModeNonEmpty, under.available) &&
			(!q.ReserveOnly || r.Reserve != 0) && (!q.TransitOnly || r.InTransit != 0) &&
			withinDays(r, q.DaysFrom, q.DaysTo) {
			rows = append(rows, r)
		}
	}
	c.eachStocked(q.ByProduct, wanted, take)
	sortStock(rows, q.Order, c.catalogue.PriceTypes[0])
	return rows
}

// eachStocked visits the goods kept in stock, by folder and name: one by one, or by product together with its variants.
// A product with variants is visited if it or one of them is wanted.
func (c *Company) eachStocked(byProduct bool, wanted func(*Good) bool, visit func(head *Good, items []*Good)) {
	var items []*Good
	for _, g := range c.ranked {
		if byProduct && g.Kind == Variant {
			continue
		}
		items = append(items[:0], g)
		if byProduct {
			items = append(items, g.Variants...)
		}
		if slices.ContainsFunc(items, wanted) {
			visit(g, items)
		}
	}
}

func withinDays(r StockRow, from, to *decimal.Decimal) bool {
	if from == nil && to == nil {
		return true
	}
	days := r.StockDays()
	return (from == nil || !days.Less(*from)) && (to == nil || !to.Less(days))
}

// matches reports whether a figure matches a mode.
func matches(n Quantity, mode, otherwise Mode, under bool) bool {
	switch cmp.Or(mode, otherwise) {
	case ModePositive:
		return n > 0
	case ModeNegative:
		return n < 0
	case ModeEmpty:
		return n == 0
	case ModeNonEmpty:
		return n != 0
	case ModeUnderMinimum:
		return under
	}
	return true
}

// underMinimum compares goods with the minimum that applies: a total minimum with the total over all stores, a
// per-store minimum with the stock of that store. With a choice of stores only those are compared, but a total minimum
// still applies to the whole company (fact M58).
type underMinimum struct {
	store            []bool
	mode             StockQuery
	stock, available bool
}

func (u *underMinimum) look(c *Company, g *Good, columns []column) {
	if u.mode.StockMode != ModeUnderMinimum && u.mode.QuantityMode != ModeUnderMinimum {
		return
	}
	if g.Minimum == nil || len(g.Variants) > 0 { // a minimum of a product with variants applies to each variant
		return
	}
	compare := func(stock, available, minimum Quantity) {
		u.stock = u.stock || stock < minimum
		u.available = u.available || available < minimum
	}
	switch g.Minimum.Type {
	case MinimumSum:
		var stock, available Quantity
		for _, k := range columns {
			stock += k.stock
			available += k.stock - k.reserve + k.inTransit
		}
		compare(stock, available, g.Minimum.Quantity)
	case MinimumSame:
		for i, s := range c.catalogue.Stores {
			if k := columns[i+1]; u.store[i+1] && !s.Archived {
				compare(k.stock, k.stock-k.reserve+k.inTransit, g.Minimum.Quantity)
			}
		}
	case MinimumVaried:
		for _, m := range g.Minimum.Stores {
			if k := columns[m.Store.Index+1]; u.store[m.Store.Index+1] && !m.Store.Archived {
				compare(k.stock, k.stock-k.reserve+k.inTransit, m.Quantity)
			}
		}
	}
}

// view is the ledger, now or at a moment.
type view struct {
	ledger  *ledger
	past    bool
	minute  int64
	replay  replayer
	orders  map[int]column // for past moments: reserved and incoming quantities, by Good.Index × width + column
	scratch []column
}

// view returns the ledger at a moment, optionally only for some goods. Past reserves and incoming quantities are
// today's values of the orders created until then, because their history is not kept.
func (c *Company) view(moment time.Time, goods []*Good) *view {
	v := &view{ledger: c.ledger, past: !moment.IsZero(), minute: moment.Unix() / 60}
	if !v.past {
		return v
	}
	v.orders, v.scratch = make(map[int]column), make([]column, c.ledger.width)
	for _, t := range []DocumentType{CustomerOrderDoc, PurchaseOrderDoc} {
		for _, d := range c.documents[t] {
			if !d.Applicable || d.Moment.After(moment) {
				continue
			}
			for i := range d.Positions {
				if p := &d.Positions[i]; p.Reserve|p.InTransit != 0 && p.Good.Stocked() &&
					(goods == nil || slices.Contains(goods, p.Good)) {
					at := p.Good.Index*c.ledger.width + int(columnOf(d.Store))
					k := v.orders[at]
					k.reserve += p.Reserve
					k.inTransit += p.InTransit
					v.orders[at] = k
				}
			}
		}
	}
	return v
}

// columns returns the columns of a good. They are valid until the next call.
func (v *view) columns(g *Good) []column {
	w := v.ledger.width
	if !v.past {
		return v.ledger.columns[g.Index*w : (g.Index+1)*w]
	}
	v.replay.run(v.ledger.entries[g.Index], w, v.minute, false)
	for i := range v.scratch {
		v.scratch[i] = v.orders[g.Index*w+i]
	}
	v.replay.fill(v.scratch)
	return v.scratch
}

func sortStock(rows []StockRow, order []OrderKey, retail *PriceType) {
	type by = func(a, b *StockRow) int
	var keys []by
	quantity := func(f func(*StockRow) Quantity) by {
		return func(a, b *StockRow) int { return cmp.Compare(f(a), f(b)) }
	}
	text := func(f func(*Good) string) by {
		return func(a, b *StockRow) int { return strings.Compare(f(a.Good), f(b.Good)) }
	}
	for _, o := range order {
		var k by
		switch o.Key {
		case "name":
			k = text(func(g *Good) string { return g.Name })
		case "code", "productCode":
			k = text(func(g *Good) string { return g.Code })
		case "pathName":
			k = text(func(g *Good) string { return g.Root().Folder.Path() })
		case "stock":
			k = quantity(func(r *StockRow) Quantity { return r.Stock })
		case "quantity":
			k = quantity(func(r *StockRow) Quantity { return r.Quantity() })
		case "reserve":
			k = quantity(func(r *StockRow) Quantity { return r.Reserve })
		case "inTransit":
			k = quantity(func(r *StockRow) Quantity { return r.InTransit })
		case "minimumBalance":
			k = quantity(func(r *StockRow) Quantity {
				if m := r.Good.Minimum; m != nil && m.Type == MinimumSum {
					return m.Quantity
				}
				return 0
			})
		case "price":
			k = func(a, b *StockRow) int { return a.Price().Cmp(b.Price()) }
		case "sumTotal":
			k = func(a, b *StockRow) int { return cmp.Compare(a.CostSum, b.CostSum) }
		case "salePrice":
			k = func(a, b *StockRow) int {
				return cmp.Compare(a.Good.SalePrice(retail).Value, b.Good.SalePrice(retail).Value)
			}
		case "avgStockDays", "stockDays":
			k = func(a, b *StockRow) int { return a.StockDays().Cmp(b.StockDays()) }
		default:
			continue
		}
		if o.Desc {
			up := k
			k = func(a, b *StockRow) int { return up(b, a) }
		}
		keys = append(keys, k)
	}
	if len(keys) == 0 {
		return // already sorted by folder and name
	}
	slices.SortFunc(rows, func(a, b StockRow) int {
		for _, k := range keys {
			if n := k(&a, &b); n != 0 {
				return n
			}
		}
		return int(a.Good.rank - b.Good.rank)
	})
}

// rank returns the goods kept in stock in the default order of reports: by folder, then by name.
func rank(goods []*Good) []*Good {
	paths := make(map[*Folder]string)
	for _, g := range goods {
		if f := g.Root().Folder; paths[f] == "" {
			paths[f] = f.Path()
		}
	}
	order := slices.DeleteFunc(slices.Clone(goods), func(g *Good) bool { return !g.Stocked() || g.Deleted })
	slices.SortFunc(order, func(a, b *Good) int {
		if fa, fb := a.Root().Folder, b.Root().Folder; fa != fb {
			return strings.Compare(paths[fa], paths[fb])
		}
		return cmp.Or(strings.Compare(a.Name, b.Name), a.Index-b.Index)
	})
	for i, g := range order {
		g.rank = int32(i)
	}
	return order
}
