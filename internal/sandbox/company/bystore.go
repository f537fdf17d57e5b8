package company

import (
	"cmp"
	"fmt"
)

// StockByStore returns report/stock/bystore: for each good one element per requested store, without archived stores.
func (c *Company) StockByStore(q StockQuery) []ByStoreRow {
	c.mu.RLock()
	defer c.mu.RUnlock()
	key := q
	key.DaysFrom, key.DaysTo, key.Weighed = nil, nil, nil
	name := fmt.Sprintf("bystore %v", deref(q.Weighed))
	return kept(c, reportKey(name, key), func() []ByStoreRow { return c.stockByStore(q) })
}

func (c *Company) stockByStore(q StockQuery) []ByStoreRow {
	wanted := c.goodFilter(q.GoodFilter)
	at := c.columnsOf(q.Stores)
	view := c.view(q.Moment, nil)
	var stores []*Store
	for _, s := range c.catalogue.Stores {
		if at[s.Index+1] && !s.Archived {
			stores = append(stores, s)
		}
	}
	var rows []ByStoreRow
	c.eachStocked(q.ByProduct, wanted, func(head *Good, items []*Good) {
		row := ByStoreRow{Good: head, Stores: make([]StoreStock, len(stores))}
		for i, s := range stores {
			row.Stores[i].Store = s
		}
		under := underMinimum{store: at, mode: q}
		var sum Quantity
		for _, g := range items {
			if !wanted(g) {
				continue
			}
			columns := view.columns(g)
			for i, s := range stores {
				k, r := &columns[s.Index+1], &row.Stores[i]
				r.Stock += k.stock
				r.Reserve += k.reserve
				r.InTransit += k.inTransit
				sum += k.stock
			}
			under.look(c, g, columns)
		}
		if matches(sum, q.StockMode, ModeNonEmpty, under.stock) {
			rows = append(rows, row)
		}
	})
	return rows
}

// Current returns report/stock/all/current or bystore/current. Archived goods and stores are excluded, except with
// ChangedSince, where they are included as zero (fact M75).
func (c *Company) Current(q CurrentQuery) []CurrentRow {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return kept(c, reportKey("current", q), func() []CurrentRow { return c.current(q) })
}

func (c *Company) current(q CurrentQuery) []CurrentRow {
	goods, stores := Choice{Only: q.Goods}.chooser(), Choice{Only: q.Stores}.chooser()
	since := int64(0)
	if !q.ChangedSince.IsZero() {
		since = q.ChangedSince.Unix()
	}
	rows := make([]CurrentRow, 0, len(c.catalogue.Goods))
	zeros := q.ZeroLines || since > 0
	for _, g := range c.catalogue.Goods {
		if !g.Stocked() {
			break
		}
		gone := g.IsArchived()
		if !goods.allows(g.ID) || (gone && since == 0) {
			continue
		}
		columns := c.ledger.columns[g.Index*c.ledger.width : (g.Index+1)*c.ledger.width]
		var sum Quantity
		changed, touched := int64(0), false
		for i := range columns {
			k := &columns[i]
			var store *Store
			if i > 0 {
				store = c.catalogue.Stores[i-1]
			}
			if k.changed == 0 || !stores.allows(store.idOf()) || (store != nil && store.Archived && since == 0) {
				continue
			}
			value := k.value(q.Type)
			if gone || (store != nil && store.Archived) {
				value = 0
			}
			sum += value
			changed, touched = max(changed, k.changed), true
			if q.ByStore && k.changed >= since && (value != 0 || zeros) && (i > 0 || k.value(q.Type) != 0) {
				rows = append(rows, CurrentRow{g, store, value})
			}
		}
		if !q.ByStore && touched && changed >= since && (sum != 0 || zeros) {
			rows = append(rows, CurrentRow{Good: g, Value: sum})
		}
	}
	return rows
}

func (k *column) value(t StockType) Quantity {
	switch cmp.Or(t, TypeStock) {
	case TypeFreeStock:
		return k.stock - k.reserve
	case TypeQuantity:
		return k.stock - k.reserve + k.inTransit
	case TypeReserve:
		return k.reserve
	case TypeInTransit:
		return k.inTransit
	}
	return k.stock
}
