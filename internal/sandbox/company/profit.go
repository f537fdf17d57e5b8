package company

import (
	"cmp"
	"fmt"
	"slices"
	"time"
)

// Profit returns report/profit/by… for posted sales and returns in the period. Returns count at their own moment. Sales
// without a channel are not in the report by channel. The rows are read-only.
func (c *Company) Profit(q ProfitQuery) []ProfitRow {
	c.mu.RLock()
	defer c.mu.RUnlock()
	key, weighed := q, deref(q.Weighed)
	key.Weighed = nil
	return kept(c, reportKey(fmt.Sprint("profit ", weighed), key), func() []ProfitRow { return c.profit(q) })
}

func (c *Company) profit(q ProfitQuery) []ProfitRow {
	q.Archived = ArchivedToo
	wanted := c.goodFilter(q.GoodFilter)
	suits := c.saleFilter(q)
	rows := make(map[any]*ProfitRow)
	rowOf := func(d *Document, g *Good) *ProfitRow {
		var subject any
		r := ProfitRow{}
		switch q.By {
		case ByEmployee:
			r.Employee, subject = d.Owner, d.Owner
		case ByCounterparty:
			r.Counterparty, subject = c.catalogue.Counterparties[d.Agent.Index], d.Agent.Index
		case BySalesChannel:
			r.SalesChannel, subject = d.SalesChannel, d.SalesChannel
		case ByVariant:
			r.Good, subject = g, g
		default:
			r.Good, subject = g.Root(), g.Root()
		}
		if rows[subject] == nil {
			rows[subject] = &r
		}
		return rows[subject]
	}
	for _, t := range saleTypes(q.Types) {
		for _, d := range within(c.documents[t], q.From, q.To) {
			if !d.Applicable || !suits(d) || (q.By == BySalesChannel && d.SalesChannel == nil) {
				continue
			}
			back := t == SalesReturnDoc || t == RetailSalesReturnDoc
			var counted *ProfitRow
			costs := c.ledger.costs[d.serial]
			for i := range d.Positions {
				p := &d.Positions[i]
				g := c.catalogue.Goods[p.Good.Index] // with its current name
				if !wanted(g) {
					continue
				}
				r := rowOf(d, g)
				sum := d.base(p.Sum())
				if back {
					r.ReturnQuantity += p.Quantity
					r.ReturnSum += sum
					r.ReturnCostSum += costs[i]
				} else {
					r.SellQuantity += p.Quantity
					r.SellSum += sum
					r.SellCostSum -= costs[i] // outgoing costs are negative in the ledger
				}
				if counted == r {
					continue
				}
				if counted = r; back {
					r.ReturnCount++
				} else {
					r.SalesCount++
				}
			}
		}
	}
	out := make([]ProfitRow, 0, len(rows))
	for _, r := range rows {
		out = append(out, *r)
	}
	slices.SortFunc(out, func(a, b ProfitRow) int { return cmp.Compare(a.index(), b.index()) })
	return out
}

// index returns the position of the row's subject in the catalogue.
func (r *ProfitRow) index() int {
	switch {
	case r.Good != nil:
		return r.Good.Index
	case r.Employee != nil:
		return r.Employee.Index
	case r.Counterparty != nil:
		return r.Counterparty.Index
	}
	return r.SalesChannel.Index
}

// saleTypes returns the requested types of sales and their returns.
func saleTypes(types []DocumentType) []DocumentType {
	var out []DocumentType
	if len(types) == 0 || slices.Contains(types, DemandDoc) {
		out = append(out, DemandDoc, SalesReturnDoc)
	}
	if len(types) == 0 || slices.Contains(types, RetailDemandDoc) {
		out = append(out, RetailDemandDoc, RetailSalesReturnDoc)
	}
	return out
}

func (c *Company) saleFilter(q ProfitQuery) func(*Document) bool {
	agents, organizations, channels := q.Counterparties.chooser(), q.Organizations.chooser(), q.SalesChannels.chooser()
	stores, retail := c.nestedStores(q.Stores), q.RetailStores.chooser()
	return func(d *Document) bool {
		return agents.allows(d.Agent.idOf()) && organizations.allows(d.Organization.ID) &&
			stores.allows(d.Store.idOf()) &&
			retail.allows(d.RetailStore.idOf()) && channels.allows(d.SalesChannel.idOf()) &&
			hasTag(d.Agent, q.AgentTags)
	}
}

// within returns the documents in a period from a list sorted by moment. Both ends are inclusive; a zero end is open.
func within(list []*Document, from, to time.Time) []*Document {
	first, last := 0, len(list)
	if !from.IsZero() {
		first, _ = slices.BinarySearchFunc(list, from,
			func(d *Document, t time.Time) int { return d.Moment.Compare(t) })
	}
	if !to.IsZero() {
		last, _ = slices.BinarySearchFunc(list, to, func(d *Document, t time.Time) int {
			if d.Moment.After(t) {
				return 1
			}
			return -1
		})
	}
	if first >= last {
		return nil
	}
	return list[first:last]
}
