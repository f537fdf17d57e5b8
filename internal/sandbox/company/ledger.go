package company

import (
	"cmp"
	"slices"
	"sort"
)

// entry is a movement of a good in a store. A move has two entries, the outgoing one first; a bundle has one for each
// component.
type entry struct {
	doc    *Document
	minute int64 // the document's moment, in minutes of Unix time
	pos    int32
	store  int32 // column: Store.Index + 1
	qty    Quantity
	cost   Money // signed like qty; computed by replay
	paid   Money // of incoming goods: the cost on arrival; cost may differ, see arrive
}

// column is a good in a store; column 0 is for no store.
type column struct {
	stock, reserve, inTransit Quantity
	hand                      Quantity // sum of the lots: the stock, unless it is negative
	cost                      Money    // of hand
	arrived                   int64    // minutes of arrival × quantity over the lots
	changed                   int64    // Unix seconds of the last change; 0: never any operation
}

// ledger is computed from the posted documents. It is guarded by Company.mu.
type ledger struct {
	width   int       // columns per good: column 0 and one per store
	entries [][]entry // by Good.Index, in order of moment
	columns []column  // by Good.Index × width
	costs   [][]Money // by Document.serial and position: cost of goods sold or returned
	replay  replayer
}

func columnOf(s *Store) int32 {
	if s == nil {
		return 0
	}
	return int32(s.Index) + 1
}

func minuteOf(d *Document) int64 { return d.Moment.Unix() / 60 }

// newLedger returns the ledger of documents sorted by moment.
func newLedger(goods, stores int, documents []*Document) *ledger {
	l := &ledger{width: stores + 1, entries: make([][]entry, goods), columns: make([]column, goods*(stores+1))}
	l.costs = make([][]Money, len(documents))
	counts := make([]int32, goods)
	total := 0
	for _, d := range documents {
		movements(d, func(g *Good, _ entry) { counts[g.Index]++; total++ })
	}
	// A single array saves memory. Adding an entry later reallocates the slice of its good.
	all := make([]entry, total)
	for i, n := range counts {
		l.entries[i], all = all[:0:n], all[n:]
	}
	for _, d := range documents {
		movements(d, func(g *Good, e entry) {
			l.entries[g.Index] = append(l.entries[g.Index], e)
			l.touch(g, e.store, d.Created.Unix())
		})
		l.order(d, 1, d.Created.Unix())
		l.makeRoom(d)
	}
	for i := range l.entries {
		l.recomputeCost(i)
	}
	return l
}

func (l *ledger) touch(g *Good, store int32, at int64) {
	c := &l.columns[g.Index*l.width+int(store)]
	c.changed = max(c.changed, at)
}

// makeRoom allocates the costs of the positions of a sale or a return.
func (l *ledger) makeRoom(d *Document) {
	for len(l.costs) <= d.serial {
		l.costs = append(l.costs, nil)
	}
	switch d.Type {
	case DemandDoc, RetailDemandDoc, SalesReturnDoc, RetailSalesReturnDoc:
		l.costs[d.serial] = make([]Money, len(d.Positions))
	}
}

// order adds (or, with sign −1, subtracts) the reserved or incoming quantities of an order.
func (l *ledger) order(d *Document, sign Quantity, at int64) {
	if !d.Applicable || (d.Type != CustomerOrderDoc && d.Type != PurchaseOrderDoc) {
		return
	}
	for i := range d.Positions {
		p := &d.Positions[i]
		if !p.Good.Stocked() || (p.Reserve == 0 && p.InTransit == 0) {
			continue
		}
		c := &l.columns[p.Good.Index*l.width+int(columnOf(d.Store))]
		c.reserve += sign * p.Reserve
		c.inTransit += sign * p.InTransit
		c.changed = max(c.changed, at)
	}
}

// movements yields the stock changes of a posted document, without costs.
func movements(d *Document, yield func(*Good, entry)) {
	if !d.Applicable {
		return
	}
	sign := Quantity(1)
	switch d.Type {
	case SupplyDoc, EnterDoc, SalesReturnDoc, RetailSalesReturnDoc:
	case DemandDoc, RetailDemandDoc, LossDoc, MoveDoc:
		sign = -1
	default:
		return
	}
	e := entry{doc: d, minute: minuteOf(d), store: columnOf(d.Store)}
	for i := range d.Positions {
		p := &d.Positions[i]
		e.pos = int32(i)
		switch {
		case p.Good.Stocked():
			e.qty = sign * p.Quantity
			yield(p.Good, e)
			if d.Type == MoveDoc {
				in := e
				in.store, in.qty = columnOf(d.Target), p.Quantity
				yield(p.Good, in)
			}
		case p.Good.Kind == Bundle:
			for _, part := range p.Good.Components {
				if part.Good.Stocked() {
					e.qty = sign * Quantity(mulDiv(int64(p.Quantity), int64(part.Quantity), scale))
					yield(part.Good, e)
				}
			}
		}
	}
}

// grow adds space for another good.
func (l *ledger) grow() {
	l.entries = append(l.entries, nil)
	l.columns = append(l.columns, make([]column, l.width)...)
}

// add adds a document.
func (l *ledger) add(d *Document, at int64) {
	l.makeRoom(d)
	l.order(d, 1, at)
	var touched []int
	movements(d, func(g *Good, e entry) {
		list := l.entries[g.Index]
		i := sort.Search(len(list), func(i int) bool {
			return cmp.Or(cmp.Compare(list[i].minute, e.minute), cmp.Compare(list[i].doc.serial, d.serial)) > 0
		})
		l.entries[g.Index] = slices.Insert(list, i, e)
		l.touch(g, e.store, at)
		touched = append(touched, g.Index)
	})
	l.recomputeCosts(touched)
}

// remove removes a document.
func (l *ledger) remove(d *Document, at int64) {
	l.order(d, -1, at)
	var touched []int
	movements(d, func(g *Good, e entry) {
		l.touch(g, e.store, at)
		touched = append(touched, g.Index)
	})
	for _, g := range touched {
		l.uncost(g)
		l.entries[g] = slices.DeleteFunc(l.entries[g], func(e entry) bool { return e.doc == d })
	}
	l.recomputeCosts(touched)
}

func (l *ledger) recomputeCosts(goods []int) {
	slices.Sort(goods)
	for _, g := range slices.Compact(goods) {
		l.recomputeCost(g)
	}
}

// uncost subtracts the costs of a good's entries from the positions, before they are recomputed.
func (l *ledger) uncost(good int) {
	list := l.entries[good]
	for i := range list {
		if costs := l.costs[list[i].doc.serial]; costs != nil {
			costs[list[i].pos] -= list[i].cost
		}
		list[i].cost = 0
	}
}

// recomputeCost computes the cost of every entry of a good, and its columns.
func (l *ledger) recomputeCost(good int) {
	list := l.entries[good]
	l.uncost(good)
	r := &l.replay
	r.run(list, l.width, 1<<62, true)
	for i := range list {
		if costs := l.costs[list[i].doc.serial]; costs != nil {
			costs[list[i].pos] += list[i].cost
		}
	}
	r.fill(l.columns[good*l.width : (good+1)*l.width])
}

// lot is a quantity that arrived together.
type lot struct {
	entry   int32
	qty     Quantity
	cost    Money
	arrived int64 // minute
}

// shortage is the quantity by which an entry exceeded the stock.
type shortage struct {
	entry int32
	qty   Quantity
}

type shelf struct {
	stock  Quantity
	lots   []lot
	head   int
	shorts []shortage
}

// replayer processes the entries of a good, first in, first out in each store. It reuses its memory between goods.
type replayer struct {
	shelves []shelf
	carried []lot
}

// run processes the entries up to and including a minute. With write it stores the cost of each entry.
func (r *replayer) run(list []entry, width int, until int64, write bool) {
	if len(r.shelves) < width {
		r.shelves = make([]shelf, width)
	}
	for i := range r.shelves {
		s := &r.shelves[i]
		*s = shelf{lots: s.lots[:0], shorts: s.shorts[:0]}
	}
	for i := range list {
		e := &list[i]
		if e.minute > until {
			break
		}
		s := &r.shelves[e.store]
		s.stock += e.qty
		move := e.doc.Type == MoveDoc
		switch {
		case e.qty < 0:
			r.carried = r.carried[:0]
			cost := r.take(s, int32(i), -e.qty, e.minute, move)
			if write {
				e.cost -= cost
			}
		case move:
			for _, c := range r.carried {
				c.entry = int32(i)
				if write {
					e.cost += c.cost
				}
				arrive(s, c, list, write)
			}
		default:
			if write {
				e.paid = incomeCost(list, i)
				e.cost = e.paid
			}
			arrive(s, lot{int32(i), e.qty, e.paid, e.minute}, list, write)
		}
	}
}

// take removes goods from a shelf, oldest first, and returns their cost. For a move it puts their lots in r.carried.
func (r *replayer) take(s *shelf, entry int32, qty Quantity, minute int64, move bool) (cost Money) {
	for qty > 0 && s.head < len(s.lots) {
		front := &s.lots[s.head]
		part := *front
		if part.qty > qty {
			part.qty = qty
			part.cost = Money(mulDiv(int64(front.cost), int64(qty), int64(front.qty)))
			front.qty -= part.qty
			front.cost -= part.cost
		} else {
			s.head++
		}
		qty -= part.qty
		cost += part.cost
		if move {
			r.carried = append(r.carried, part)
		}
	}
	if qty > 0 {
		s.shorts = append(s.shorts, shortage{entry, qty})
		if move {
			r.carried = append(r.carried, lot{qty: qty, arrived: minute})
		}
	}
	return cost
}

// arrive adds a lot to a shelf. It first covers shortages, whose entries get their cost from the lot.
func arrive(s *shelf, in lot, list []entry, write bool) {
	for in.qty > 0 && len(s.shorts) > 0 {
		short := &s.shorts[0]
		part := min(short.qty, in.qty)
		cost := Money(mulDiv(int64(in.cost), int64(part), int64(in.qty)))
		in.qty -= part
		in.cost -= cost
		short.qty -= part
		if write {
			if out := &list[short.entry]; out.doc.Type == MoveDoc {
				// Goods moved before they arrived have no cost and may have been sold since. Reduce the cost of the
				// incoming goods instead, so that entries still add up to the stock.
				list[in.entry].cost -= cost
			} else {
				out.cost -= cost
			}
		}
		if short.qty == 0 {
			s.shorts = s.shorts[1:]
		}
	}
	if in.qty > 0 {
		s.lots = append(s.lots, in)
	}
}

// incomeCost returns the cost of incoming goods: the price paid or, for returned goods, their cost when sold.
func incomeCost(list []entry, i int) Money {
	e := &list[i]
	p := &e.doc.Positions[e.pos]
	switch e.doc.Type {
	case SupplyDoc, EnterDoc:
		return e.doc.base(p.Sum())
	}
	if e.doc.Base == nil {
		return p.Cost
	}
	var qty Quantity
	var cost Money
	for j := range list[:i] {
		if list[j].doc.serial == e.doc.Base.serial { // the sale may have been edited since
			qty, cost = qty+list[j].qty, cost+list[j].cost
		}
	}
	if qty == 0 {
		return 0
	}
	return Money(mulDiv(int64(cost), int64(e.qty), int64(qty)))
}

// fill copies the shelves into columns. It does not change reserves, incoming quantities and times of change.
func (r *replayer) fill(columns []column) {
	for i := range columns {
		s, c := &r.shelves[i], &columns[i]
		c.stock, c.hand, c.cost, c.arrived = s.stock, 0, 0, 0
		for _, l := range s.lots[s.head:] {
			c.hand += l.qty
			c.cost += l.cost
			c.arrived += l.arrived * int64(l.qty)
		}
	}
}
