package analyze

import (
	"context"
	"slices"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/analyze/doctype"
	"github.com/stockhand/stockhand/internal/connector/moysklad/analyze/measures"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

// openKind is a type of orders and what is left to do with them now, whatever the period.
type openKind struct {
	doctype.Type
	left     analysis.Base // the sum of what is left; empty if it is not asked for
	expected analysis.Base // the planned day
	overdue  analysis.Base // days past the planned day
}

var openKinds = []openKind{
	{Type: doctype.CustomerOrders[0], overdue: measures.OverdueDays},
	{Type: doctype.SupplierOrders[0], left: measures.OpenOrderSum, expected: measures.ExpectedOn,
		overdue: measures.SupplierOverdueDays},
}

// fromOpenOrders supplies what is left to do with the orders of each kind.
func fromOpenOrders() []supplier {
	list := make([]supplier, len(openKinds))
	for i, kind := range openKinds {
		list[i] = func(c *call, _ context.Context, left []analysis.Base) (source, error) {
			bases := among(left, []analysis.Base{kind.left, kind.expected, kind.overdue})
			o := openOrders{call: c, openKind: kind, bases: bases}
			return source{bases: bases, read: func(ctx context.Context, _ tool.Period, add func(analysis.Fact)) error {
				return o.read(ctx, add)
			}}, nil
		}
	}
	return list
}

// openOrders is one reading of the orders of a kind.
type openOrders struct {
	*call
	openKind
	bases   []analysis.Base
	closing map[msapi.ID]bool // states in which nothing is left to do
	byLine  bool
	hidden  bool // the sum of an order is not visible
	unclear int  // orders without a sum, which would say whether they are done
}

// mostStates is how many states a request filters by.
const mostStates = 50

// read reads posted orders of any age: those in open states and without a state (rule R19).
func (o *openOrders) read(ctx context.Context, add func(analysis.Fact)) error {
	query, err := o.query(ctx)
	if err != nil {
		return err
	}
	var lines []openLine
	err = account.Each(o.Call, o.openKind.List(o.Reader, o.bounded(ctx, o.Type), query), func(d msapi.Order) {
		if d.Applicable && !o.closing[d.State.ID] {
			lines = append(lines, o.open(d)...)
		}
	})
	if err != nil {
		return err
	}
	o.NoticePartialView(o.Name, o.Section)
	if o.hidden {
		o.hide(account.SectionCost, o.bases...)
		o.Missing(account.SectionCost, "суммы этих заказов скрыты, поэтому неизвестно, какие из них выполнены",
			"the sums of these orders are hidden, so it is unknown which of them are done")
	}
	if o.unclear > 0 {
		o.Noticef(tool.NoticePartial, "%s: нулевая сумма у %d; выполнены ли они, по сумме сказать нельзя.",
			"%s: the sum of %d is zero; it does not show whether they are done.", o.Title.In(o.Lang), o.unclear)
	}
	whole := make([]line, len(lines))
	for i, l := range lines {
		whole[i] = l.line
	}
	goods, err := o.goodsOf(ctx, whole)
	if err != nil {
		return err
	}
	for _, l := range lines {
		g := goods[l.good.ID.Key()]
		f := analysis.Fact{Keys: make([]analysis.Key, len(o.fields)), Amounts: o.amounts(o.bases, l.of), Unit: g.unit}
		for i, field := range o.fields {
			f.Keys[i] = o.documentKey(field, l.line, g)
		}
		add(f)
	}
	return nil
}

func (o *openOrders) query(ctx context.Context) (msapi.OrderQuery, error) {
	states, err := o.StateList(ctx, o.Name)
	if err != nil {
		return msapi.OrderQuery{}, err
	}
	posted := true
	o.byLine = slices.ContainsFunc(o.fields, isOfGoods)
	query := msapi.OrderQuery{Posted: &posted, Stores: o.idsOf(measures.DimStore),
		Agents: o.idsOf(measures.DimCounterparty), Positions: o.byLine}
	if !slices.ContainsFunc(o.bases, func(b analysis.Base) bool { return b != o.overdue }) {
		query.PlannedBefore = account.DayStart(account.Today(o.Env))
	}
	o.closing = map[msapi.ID]bool{}
	var open []msapi.ID
	for _, s := range states {
		if o.closing[s.ID] = s.Closing(); !s.Closing() {
			open = append(open, s.ID)
		}
	}
	if len(open) < len(states) && len(open) <= mostStates {
		query.States, query.NoState = open, true
	}
	return query, nil
}

// openLine is an order with something left, or a line of one.
type openLine struct {
	line
	of map[analysis.Base]decimal.Maybe
}

// open returns what is left of an order: of each line by its quantity if the query is about goods, else of the whole by
// its sum.
func (o *openOrders) open(d msapi.Order) []openLine {
	positions, of := d.Positions, map[analysis.Base]decimal.Maybe{}
	d.Positions = nil
	if !d.Planned.IsZero() {
		day := analysis.DayNumber(tool.DayOf(d.Planned.In(msapi.Moscow)))
		of[o.expected] = decimal.Some(day)
		if late := analysis.DayNumber(account.Today(o.Env)).Sub(day); late.Sign() > 0 {
			of[o.overdue] = decimal.Some(late)
		}
	}
	if o.byLine {
		var lines []openLine
		for _, p := range positions {
			if p.Quantity.Known && p.Quantity.Sub(p.Shipped.Decimal).Sign() > 0 {
				lines = append(lines, openLine{line{of: o.Type, document: &d, good: p.Assortment}, of})
			}
		}
		return lines
	}
	if !d.Sum.Known || !d.Shipped.Known {
		o.hidden = true
		return nil
	}
	left := d.Sum.Sub(d.Shipped.Decimal)
	switch {
	case d.Sum.Sign() <= 0:
		o.unclear++
	case left.Sign() <= 0:
		return nil
	}
	of[o.left] = major(&d, decimal.Some(left.Max(decimal.Zero)))
	return []openLine{{line{of: o.Type, document: &d}, of}}
}

// statesOf reads the states of orders by ID, if bases say what is left to do with them.
func (c *call) statesOf(ctx context.Context, types []doctype.Type, bases []analysis.Base) (map[msapi.ID]msapi.State,
	error) {
	if len(among(bases, []analysis.Base{measures.OrderShipped, measures.OrderPaid, measures.PurchaseReceipt})) == 0 {
		return nil, nil
	}
	states := map[msapi.ID]msapi.State{}
	for _, t := range types {
		list, err := c.StateList(ctx, t.Name)
		if msapi.IsForbidden(err) {
			c.Noticef(tool.NoticePartial, "%s: статусы сотруднику не видны, поэтому отменённые и закрытые статусом заказы "+
				"считаются невыполненными.", "%s: the employee may not see the states, so orders that these cancel or "+
				"close count as not done.", t.Title.In(c.Lang))
			continue
		}
		if err != nil {
			return nil, err
		}
		for _, s := range list {
			states[s.ID] = s
		}
	}
	return states, nil
}

// settle sets what was shipped or received and paid of an order. Nothing more will be shipped or received of one that
// its state closes, and nothing paid for a cancelled one (decision 51).
func settle(l *line, state msapi.State) {
	l.shipped, l.paid = major(l.document, l.document.Shipped), major(l.document, l.document.Paid)
	if state.Closing() {
		l.shipped = l.sum
	}
	if state.Type == msapi.StateUnsuccessful {
		l.paid = l.sum
	}
}
