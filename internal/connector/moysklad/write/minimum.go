package write

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

// wireMinimumChange changes the minimum stock of one good. The list of warehouses is complete, because the vendor does
// not say whether warehouses that are not in it keep their minimums (fact M116).
type wireMinimumChange struct {
	Meta    wireMeta    `json:"meta"`
	Minimum wireMinimum `json:"minimumStock"`
}

type wireMinimum struct {
	Kind     msapi.MinimumKind  `json:"type"`
	Quantity json.Number        `json:"quantity,omitempty"`
	Stores   []wireStoreMinimum `json:"storebalances,omitempty"`
}

type wireStoreMinimum struct {
	Store    *wireLink   `json:"store"`
	Quantity json.Number `json:"quantity"`
}

// minimums splits a change of minimum stocks into arrays of a hundred goods.
func (w *Writer) minimums(doc tool.Document) ([]batch, error) {
	if len(doc.Lines) == 0 {
		return nil, invalid("a change of minimum stocks without lines")
	}
	of := map[string][]int{} // by good
	var order []string
	for i, l := range doc.Lines {
		same := func(j int) bool {
			x := doc.Lines[j]
			return (x.Store == nil) || (l.Store == nil) || x.Store.ID == l.Store.ID
		}
		switch {
		case l.Product.Type != "product" && l.Product.Type != "variant":
			return nil, invalid("line %s: a %q has no minimum stock", l.ID, l.Product.Type)
		case !l.Quantity.Known || !l.Quantity.Valid() || l.Quantity.Sign() < 0:
			return nil, invalid("line %s: the new minimum is invalid", l.ID)
		case slices.ContainsFunc(of[l.Product.ID], same):
			return nil, invalid("line %s: the minimum is in the document twice", l.ID)
		}
		if of[l.Product.ID] == nil {
			order = append(order, l.Product.ID)
		}
		of[l.Product.ID] = append(of[l.Product.ID], i)
	}
	var all batches
	for _, id := range order {
		l := doc.Lines[of[id][0]]
		link, err := w.link(l.Product.Type, &l.Product)
		if err != nil {
			return nil, invalid("line %s: %w", l.ID, err)
		}
		minimum, err := w.minimum(doc, l)
		if err != nil {
			return nil, invalid("line %s: %w", l.ID, err)
		}
		body, err := json.Marshal(wireMinimumChange{link.Meta, minimum})
		if err != nil {
			return nil, err
		}
		all.add("entity/"+l.Product.Type, body, of[id]...)
	}
	return all, nil
}

// minimum returns the minimum stock of a line's good as the document sets it. Without a minimum in any warehouse, it is
// a sum of zero, which removes them all.
func (w *Writer) minimum(doc tool.Document, l tool.Line) (wireMinimum, error) {
	if l.Store == nil {
		return wireMinimum{Kind: msapi.MinimumSum, Quantity: number(l.Quantity.Round(4))}, nil
	}
	after := doc.MinimumsOf(l.Product.ID)
	if len(after) == 0 {
		return wireMinimum{Kind: msapi.MinimumSum, Quantity: number(decimal.Zero)}, nil
	}
	for _, x := range doc.Lines { // a warehouse that is left out may keep its minimum
		if x.Product.ID == l.Product.ID && x.Quantity.IsZero() {
			after = append(after, tool.StoreMinimum{Store: *x.Store})
		}
	}
	m := wireMinimum{Kind: msapi.MinimumVaried}
	for _, x := range after {
		link, err := w.link("store", &x.Store)
		if err != nil {
			return m, err
		}
		m.Stores = append(m.Stores, wireStoreMinimum{link, number(x.Quantity.Round(4))})
	}
	return m, nil
}

// minimumNow returns the minimum that a line changes, as it is now: zero for none. It is false if the good's minimum is
// of another kind, or inherited by a variant, so that the line cannot change it.
func minimumNow(g good, l tool.Line) (decimal.Decimal, bool) {
	m := g.minimum
	if m.None() {
		return decimal.Zero, true
	}
	kind := msapi.MinimumSum
	if l.Store != nil {
		kind = msapi.MinimumVaried
	}
	if m.Kind != kind || m.Inherited {
		return decimal.Zero, false
	}
	if l.Store == nil {
		return m.Quantity.Decimal, true
	}
	q, _ := m.In(idOf(l.Store))
	return q.Decimal, true
}

// minimumsNow returns the minimums in each warehouse, without those of zero.
func minimumsNow(g good) []tool.StoreMinimum {
	var all []tool.StoreMinimum
	for _, s := range g.minimum.ByStore() {
		all = append(all, tool.StoreMinimum{Store: tool.Ref{Type: "store", ID: string(s.Store.ID), Name: s.Store.Name},
			Quantity: s.Quantity.Decimal})
	}
	return all
}

// sameMinimums reports whether two lists have the same minimums in the same warehouses.
func sameMinimums(a, b []tool.StoreMinimum) bool {
	return len(a) == len(b) && !slices.ContainsFunc(a, func(x tool.StoreMinimum) bool {
		return !slices.ContainsFunc(b, func(y tool.StoreMinimum) bool {
			return x.Store.ID == y.Store.ID && x.Quantity.Round(4).Cmp(y.Quantity.Round(4)) == 0
		})
	})
}

func (c *checker) minimums() {
	for _, l := range c.doc.Lines {
		g, ok := c.good(l)
		if !ok {
			continue
		}
		c.party(l.Store, c.stores, "склад", "warehouse")
		now, possible := minimumNow(g, l)
		fresh := l
		what := c.l.Pick("неснижаемый остаток", "minimum stock")
		if l.Store != nil {
			what += c.l.Pick(" на складе «"+l.Store.Name+"»", " in the warehouse “"+l.Store.Name+"”")
			fresh.Seen.Minimums = minimumsNow(g)
		}
		switch {
		case !possible:
			c.noteLine(l, what, c.quantity(l.Seen.Minimum), c.l.Pick("другого вида", "of another kind"))
			continue // dropped: it cannot be written
		case now.Cmp(l.Seen.Minimum.Decimal) != 0:
			c.noteLine(l, what, c.quantity(l.Seen.Minimum), c.quantity(decimal.Some(now)))
		case !sameMinimums(fresh.Seen.Minimums, l.Seen.Minimums):
			c.noteLine(l, c.l.Pick("неснижаемые остатки на других складах", "minimum stocks in other warehouses"),
				c.l.Pick("прежние", "as before"), c.l.Pick("изменились", "changed"))
		}
		fresh.Seen.Minimum = decimal.Some(now)
		c.fresh.Lines = append(c.fresh.Lines, fresh)
	}
}

// findMinimums reads minimums back. A write replaces all minimums of a good, so all of them must be the new ones to be
// applied, or the old ones to have failed, which allows sending them again (rule R263).
func (w *Writer) findMinimums(ctx context.Context, doc tool.Document) (tool.Outcome, error) {
	l := w.config.Language
	return w.findLines(ctx, doc, func(g good, line tool.Line, out *tool.LineOutcome) {
		now, possible := minimumNow(g, line)
		all := minimumsNow(g)
		switch {
		case possible && now.Cmp(line.Quantity.Round(4)) == 0 && sameMinimums(all, doc.MinimumsOf(line.Product.ID)):
			out.State = stockhand.DocumentApplied
		case possible && now.Cmp(line.Seen.Minimum.Decimal) == 0 && sameMinimums(all, line.Seen.Minimums):
			out.State, out.Problem = stockhand.DocumentFailed,
				l.Pick("минимум прежний: он не был изменён", "the minimum is still the old one: it was not changed")
		default:
			out.Problem = l.Pick("минимумы товара сейчас не прежние и не новые",
				"the minimums of the good are neither the old nor the new ones")
		}
	})
}
