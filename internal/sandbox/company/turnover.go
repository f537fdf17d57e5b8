package company

import (
	"fmt"
	"slices"
)

// Turnover returns report/turnover/all. In every row start + income − outcome = end, in quantity and in cost, unless
// the query restricts operations.
func (c *Company) Turnover(q TurnoverQuery) []TurnoverRow {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return kept(c, turnoverKey("turnover", q), func() []TurnoverRow { return c.turnover(q) })
}

// turnoverColumns returns which columns of the ledger the query's stores include.
func (c *Company) turnoverColumns(q TurnoverQuery) []bool {
	if q.StoresApart {
		return c.columns(q.Stores.chooser())
	}
	return c.columnsOf(q.Stores)
}

func turnoverKey(name string, q TurnoverQuery) string {
	weighed := deref(q.Weighed)
	q.Weighed = nil
	return reportKey(fmt.Sprint(name, " ", weighed), q)
}

func (c *Company) turnover(q TurnoverQuery) []TurnoverRow {
	wanted := c.goodFilter(q.GoodFilter)
	counter := c.newCounter(q)
	at := c.turnoverColumns(q)
	var rows []TurnoverRow
	c.eachStocked(!q.ByVariant, wanted, func(head *Good, items []*Good) {
		row := TurnoverRow{Good: head}
		moved := false
		for _, g := range items {
			if wanted(g) {
				moved = counter.count(c.ledger.entries[g.Index], at, &row.Turnover) || moved
			}
		}
		if moved || q.WithoutTurnover {
			rows = append(rows, row)
		}
	})
	return rows
}

// TurnoverByStore returns report/turnover/bystore, with an element for each store that ever had the good.
func (c *Company) TurnoverByStore(q TurnoverQuery) []TurnoverStoreRow {
	c.mu.RLock()
	defer c.mu.RUnlock()
	wanted := c.goodFilter(q.GoodFilter)
	counter := c.newCounter(q)
	at := c.turnoverColumns(q)
	var rows []TurnoverStoreRow
	c.eachStocked(!q.ByVariant, wanted, func(head *Good, items []*Good) {
		row := TurnoverStoreRow{Good: head}
		for _, s := range c.catalogue.Stores {
			if !at[s.Index+1] {
				continue
			}
			one := make([]bool, len(at))
			one[s.Index+1] = true
			t := StoreTurnover{Store: s}
			moved := false
			for _, g := range items {
				if wanted(g) {
					moved = counter.count(c.ledger.entries[g.Index], one, &t.Turnover) || moved
				}
			}
			if moved || t.Start.Quantity != 0 || t.End.Quantity != 0 {
				row.Stores = append(row.Stores, t)
			}
		}
		if len(row.Stores) > 0 {
			rows = append(rows, row)
		}
	})
	return rows
}

// TurnoverByOperations returns report/turnover/byoperations: the movements of each operation of the period by store.
func (c *Company) TurnoverByOperations(q TurnoverQuery) []OperationRow {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return kept(c, turnoverKey("turnover operations", q), func() []OperationRow {
		wanted := c.goodFilter(q.GoodFilter)
		counter := c.newCounter(q)
		at := c.turnoverColumns(q)
		var rows []OperationRow
		for _, g := range c.catalogue.Goods {
			if !g.Stocked() {
				break
			}
			if !wanted(g) {
				continue
			}
			for i := range c.ledger.entries[g.Index] {
				e := &c.ledger.entries[g.Index][i]
				if second := e.minute * 60; at[e.store] && second >= counter.from && second <= counter.to &&
					counter.document(e.doc) {
					rows = append(rows, OperationRow{
						Good: g, Store: c.catalogue.Stores[e.store-1], Document: e.doc, Moment: e.doc.Moment,
						Quantity: e.qty, Sum: e.cost})
				}
			}
		}
		slices.SortStableFunc(rows, func(a, b OperationRow) int { return byMoment(a.Document, b.Document) })
		return rows
	})
}

// counter adds up the entries of a period.
type counter struct {
	from, to                           int64 // seconds
	organizations, agents, retailStore chooser
	tags                               []string
	types                              []DocumentType
	anyDocument                        bool
}

func (c *Company) newCounter(q TurnoverQuery) *counter {
	k := &counter{
		from: q.From.Unix(), to: q.To.Unix(), organizations: q.Organizations.chooser(), agents: q.Agents.chooser(),
		retailStore: q.RetailStores.chooser(), tags: q.AgentTags, types: q.Types,
	}
	k.anyDocument = k.organizations.all() && k.agents.all() && k.retailStore.all() && len(k.tags) == 0 &&
		len(k.types) == 0
	return k
}

func (k *counter) document(d *Document) bool {
	return k.anyDocument || k.organizations.allows(d.Organization.ID) && k.agents.allows(d.Agent.idOf()) &&
		k.retailStore.allows(d.RetailStore.idOf()) && hasTag(d.Agent, k.tags) &&
		(len(k.types) == 0 || slices.Contains(k.types, d.Type))
}

// count adds entries of the columns to a turnover and reports whether there were any in the period. A move between two
// of the columns does not count as turnover.
func (k *counter) count(list []entry, at []bool, t *Turnover) (moved bool) {
	for i := range list {
		e := &list[i]
		second := e.minute * 60
		if !at[e.store] || second > k.to {
			continue
		}
		t.End.Quantity += e.qty
		t.End.Sum += e.cost
		if second < k.from {
			t.Start.Quantity += e.qty
			t.Start.Sum += e.cost
			continue
		}
		if e.doc.Type == MoveDoc && at[columnOf(e.doc.Store)] && at[columnOf(e.doc.Target)] {
			continue // its two entries cancel out, also in cost
		}
		if !k.document(e.doc) {
			continue
		}
		moved = true
		if e.qty > 0 {
			t.Income.Quantity += e.qty
			t.Income.Sum += e.cost
		} else {
			t.Outcome.Quantity -= e.qty
			t.Outcome.Sum -= e.cost
		}
	}
	return moved
}
