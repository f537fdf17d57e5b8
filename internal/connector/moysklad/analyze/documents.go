package analyze

import (
	"context"
	"fmt"
	"slices"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/analyze/doctype"
	"github.com/stockhand/stockhand/internal/connector/moysklad/analyze/measures"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

// fromDocuments supplies the bases of each kind of documents. Retail sales do not name their channel, so sales cannot
// be broken down by it.
func fromDocuments() []supplier {
	list := make([]supplier, len(doctype.All))
	for i, kind := range doctype.All {
		list[i] = func(c *call, _ context.Context, left []analysis.Base) (source, error) {
			bases := among(left, kind.Bases())
			if c.withoutReport && kind[0].Sum == measures.Sales {
				bases = append(bases, among(left, []analysis.Base{measures.Costs, measures.Covered})...)
			}
			if len(among(bases, doctype.Sales.Bases())) > 0 && slices.Contains(c.fields, measures.DimChannel) {
				return source{}, c.cannot(measures.DimChannel)
			}
			return c.documents(kind, bases), nil
		}
	}
	return list
}

// documents reads posted documents: a thousand per request, or a hundred with their lines if the query needs them.
func (c *call) documents(kind doctype.Kind, bases []analysis.Base) source {
	var counts []analysis.Base
	for _, t := range kind {
		counts = append(counts, t.Count)
	}
	return source{bases: bases, counted: counts, read: func(ctx context.Context, period tool.Period,
		add func(analysis.Fact)) error {
		posted := true
		query := msapi.OrderQuery{Posted: &posted, From: account.DayStart(period.From), To: account.DayEnd(period.To),
			Positions: c.ofLines(bases), Stores: c.idsOf(measures.DimStore), Agents: c.idsOf(measures.DimCounterparty)}
		wanted := slices.DeleteFunc(slices.Clone(kind), func(t doctype.Type) bool { return !t.Has(bases) })
		if kind[0].Counts {
			query.Posted = nil
		}
		states, err := c.statesOf(ctx, wanted, bases)
		if err != nil {
			return err
		}
		read := documentReading{call: c, query: query}
		lists := make([][]line, len(wanted))
		closed := make([]error, len(wanted)) // why the employee may not see a type
		work, inner := errgroup.WithContext(ctx)
		for i, t := range wanted {
			work.Go(func() (err error) {
				lists[i], err = read.lines(inner, t)
				if msapi.IsForbidden(err) && len(wanted) > 1 {
					closed[i], err = err, nil
				}
				return err
			})
		}
		if err := work.Wait(); err != nil {
			return err
		}
		if !slices.Contains(closed, nil) {
			return closed[0]
		}
		c.noteClosed(wanted, closed)
		if n := read.uncounted.Load(); n > 0 {
			c.Noticef(tool.NoticePartial, "В инвентаризациях строк без расчётного остатка: %d; их в ответе нет.",
				"Lines of stocktakings without an expected quantity: %d; they are not in the answer.", n)
		}
		lines := slices.Concat(lists...)
		inOrder(lines)
		c.noteHiddenSums(lines)
		goods, err := c.goodsOf(ctx, lines)
		if err != nil {
			return err
		}
		var priced map[*line][2]decimal.Maybe
		if slices.Contains(bases, measures.Costs) {
			priced = c.priceLines(lines, goods)
		}
		for i := range lines {
			settle(&lines[i], states[lines[i].document.State.ID])
			add(c.fact(&lines[i], goods, bases, priced[&lines[i]]))
		}
		return nil
	}}
}

// documentReading reads documents of several types within the query's bounds.
type documentReading struct {
	*call
	query      msapi.OrderQuery
	size, read atomic.Int64 // documents and lines, of all types
	uncounted  atomic.Int64 // lines of stocktakings that do not say what was expected
}

// lines reads the documents of a type and splits them into lines.
func (r *documentReading) lines(ctx context.Context, t doctype.Type) (list []line, err error) {
	most := int64(r.most.lines)
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var own, ofType int64 // documents read, and all of this type
	sized := msapi.WithSizes(ctx, func(path string, n int) error {
		if path != "entity/"+t.Name { // the further lines of a document
			return nil
		}
		ofType = int64(n)
		if n := r.size.Add(ofType); n > most { // each has a line
			return r.tooMuch(n)
		}
		return nil
	})
	err = account.Each(r.Call, r.listed(sized, t, r.query), func(d msapi.Order) {
		lines := linesOf(t, d)
		if own++; t.Counts {
			lines = counted(t, d)
			r.uncounted.Add(int64(len(d.Positions) - len(lines)))
		}
		if n := r.read.Add(int64(len(lines))); n > most {
			stop(r.tooMuch(n))
			return
		}
		list = append(list, lines...)
		// The first page says how many lines documents have on average.
		if n := int64(len(list)) * ofType / own; own == firstPage && n > 2*most {
			stop(r.tooMuch(n))
		}
	})
	if cause := context.Cause(ctx); stockhand.CodeOf(cause) == stockhand.CodeValidation {
		return nil, cause
	}
	return list, err
}

// noteClosed names the types that the employee may not see, and notes which bases lack them.
func (c *call) noteClosed(types []doctype.Type, closed []error) {
	var open []analysis.Base
	for i, t := range types {
		if closed[i] == nil {
			open = append(open, t.Bases()...)
			c.NoticePartialView(t.Name, t.Section)
		}
	}
	for i, t := range types {
		if closed[i] == nil {
			continue
		}
		c.Missing(t.Section, "этих документов в ответе нет", "these documents are not in the answer")
		for _, b := range t.Bases() {
			c.lack(!slices.Contains(open, b), t.Section, b)
		}
	}
}

// firstPage is how many documents a list's first page has, with their lines.
const firstPage = 100

// tooMuch is the error of a query that would read more lines of documents than its bounds allow (rule R202).
func (c *call) tooMuch(lines int64) error {
	many, most := decimal.FromInt(lines), decimal.FromInt(int64(c.most.lines))
	return account.Invalid("from", c.Pickf(
		"в периоде слишком много документов: строк не меньше %s, а читается не больше %s; сократите период или "+
			"добавьте условия на store или counterparty",
		"the period has too many documents: at least %s lines, and at most %s are read; ask for a shorter period, or "+
			"add conditions on store or counterparty",
		tool.FormatQuantity(many, c.Lang), tool.FormatQuantity(most, c.Lang)))
}

// noteHiddenSums hides the sums of documents if the employee may not see one of them: the rest would be a wrong sum.
func (c *call) noteHiddenSums(lines []line) {
	i := slices.IndexFunc(lines, func(l line) bool { return !l.sum.Known })
	if i < 0 || !slices.ContainsFunc(lines[i].of.Bases(), func(b analysis.Base) bool {
		return c.needs(b) && b != lines[i].of.Count && b != lines[i].of.Quantity
	}) { // only their number or quantities are asked for
		return
	}
	if c.hide(account.SectionCost, lines[i].of.Sum); lines[i].of.Sum == measures.SupplySum {
		c.hide(account.SectionCost, measures.LastPurchaseSum)
	}
	c.Missing(account.SectionCost, "суммы этих документов скрыты", "the sums of these documents are hidden")
}

// line is a line of a document, or a whole document if its lines are not needed. Amounts are in main units of the
// account currency.
type line struct {
	of       doctype.Type
	document *msapi.Order // without its positions; shared by its lines
	good     msapi.Ref
	quantity decimal.Maybe
	sum      decimal.Maybe // unknown if the employee may not see it
	discount decimal.Maybe
	lines    bool // its lines were read
	shipped  decimal.Maybe
	paid     decimal.Maybe
}

// linesOf splits a document into its lines; it stays whole if they were not read or if it has none.
func linesOf(t doctype.Type, d msapi.Order) []line {
	positions := d.Positions
	sums, discounts := account.LineSums(d)
	d.Positions = nil
	if len(positions) == 0 {
		return []line{{of: t, document: &d, sum: major(&d, d.Sum)}}
	}
	lines := make([]line, len(positions))
	for i, p := range positions {
		known := d.Sum.Known || p.Price.Known
		lines[i] = line{of: t, document: &d, good: p.Assortment, quantity: p.Quantity, lines: true,
			sum:      decimal.Maybe{Decimal: sums[i], Known: known},
			discount: decimal.Maybe{Decimal: discounts[i], Known: known}}
	}
	return lines
}

// counted returns the lines of a stocktaking: what was counted less what was expected, at the document's prices. The
// sign of the vendor's own difference is not documented (fact M120).
func counted(t doctype.Type, d msapi.Order) (lines []line) {
	positions := d.Positions
	d.Positions = nil
	for _, p := range positions {
		if !p.Quantity.Known || !p.Expected.Known {
			continue
		}
		more := p.Quantity.Sub(p.Expected.Decimal)
		l := line{of: t, document: &d, good: p.Assortment, quantity: decimal.Some(more), lines: true}
		if p.Price.Known {
			l.sum = decimal.Some(more.Mul(p.Price.Decimal).Round(0).Major())
		}
		lines = append(lines, l)
	}
	return lines
}

// fact converts a line.
func (c *call) fact(l *line, goods map[msapi.Key]good, bases []analysis.Base, priced [2]decimal.Maybe) analysis.Fact {
	zero := decimal.Some(decimal.Zero)
	of := map[analysis.Base]decimal.Maybe{measures.Costs: priced[0], measures.Covered: priced[1]}
	switch l.of.Sum {
	case measures.Sales:
		of[measures.Sales], of[measures.Returns] = l.sum, zero
		of[measures.QuantitySold], of[measures.QuantityReturned] = l.quantity, zero
		of[measures.Discounts], of[measures.LastSale] = l.discount, dayOf(l.document)
		if l.lines {
			of[measures.SaleLines] = decimal.Some(decimal.One)
		}
	case measures.Returns:
		of[measures.Sales], of[measures.Returns] = zero, l.sum
		of[measures.QuantitySold], of[measures.QuantityReturned] = zero, l.quantity
		of[measures.Discounts], of[measures.SaleLines] = zero, zero
	case measures.OrderSum:
		of[measures.OrderSum] = l.sum
		of[measures.OrderShipped], of[measures.OrderPaid] = l.shipped, l.paid
		of[measures.OrderReserved] = major(l.document, l.document.Reserved)
	case measures.PurchaseSum:
		of[measures.PurchaseSum], of[measures.PurchaseReceipt] = l.sum, l.shipped
	case measures.SupplySum:
		of[measures.SupplySum], of[measures.SupplyQuantity] = l.sum, l.quantity
		of[measures.LastPurchase] = dayOf(l.document)
		if l.quantity.Sign() > 0 { // a document without lines has no price
			of[measures.LastPurchaseSum], of[measures.LastPurchaseQuantity] = l.sum, l.quantity
		}
	case measures.MoneyIn:
		of[measures.MoneyIn], of[measures.MoneyOut] = l.sum, zero
	case measures.MoneyOut:
		of[measures.MoneyIn], of[measures.MoneyOut] = zero, l.sum
	default:
		of[l.of.Sum], of[l.of.Quantity] = l.sum, l.quantity
	}
	g := goods[l.good.ID.Key()]
	f := analysis.Fact{Keys: make([]analysis.Key, len(c.fields)), Amounts: c.amounts(bases, of), Unit: g.unit,
		At: msapi.FormatMoment(l.document.Moment.Time), Subject: string(l.good.ID)}
	if l.of.Count != "" && slices.Contains(bases, l.of.Count) {
		f.Document, f.Counts = l.of.Name+string(l.document.ID), l.of.Count
	}
	for i, field := range c.fields {
		f.Keys[i] = c.documentKey(field, *l, g)
	}
	return f
}

// major converts a sum of a document to main units of the account currency.
func major(d *msapi.Order, sum decimal.Maybe) decimal.Maybe {
	if !sum.Known {
		return sum
	}
	return decimal.Some(d.Rate.Base(sum).Major())
}

// documentKey returns the value of a dimension for a line.
func (c *call) documentKey(field string, l line, g good) analysis.Key {
	d := l.document
	link := func(r msapi.Ref) analysis.Key { return analysis.Key{ID: string(r.ID), Name: r.Name} }
	switch field {
	case measures.DimStore:
		return link(d.Store)
	case measures.DimLegalEntity:
		return link(d.Organization)
	case measures.DimCounterparty:
		return link(d.Agent)
	case measures.DimEmployee:
		return link(d.Owner)
	case measures.DimChannel:
		return link(d.SalesChannel)
	case measures.DimProject:
		return link(d.Project)
	case measures.DimContract:
		return link(d.Contract)
	case measures.DimState:
		return link(d.State)
	case measures.DimCurrency:
		return c.currencyKey(d.Rate.Currency)
	case measures.DimExpenseItem, measures.DimAccount:
		return paymentKey(field, l)
	case measures.DimDocumentType:
		return analysis.Key{ID: l.of.Name, Name: l.of.Title.In(c.Lang)}
	case measures.DimDocument:
		return analysis.Key{ID: string(d.ID), Name: fmt.Sprintf("%s %s", l.of.Title.In(c.Lang), d.Name)}
	}
	if isOfAgent(field) {
		return link(d.Agent)
	}
	if owner, _, _ := fieldOf(field); owner != "" && owner != entityGood {
		if owner != l.of.Name {
			return analysis.Key{}
		}
		return c.fieldKey(field, d.Attributes)
	}
	if dim, ok := c.catalogue.Dimension(field); ok && dim.Step != "" {
		return plainKey(analysis.Interval(dim.Step, d.Moment.In(msapi.Moscow)))
	}
	return c.goodKey(g, field)
}

// dayOf returns the day of a document as a number.
func dayOf(d *msapi.Order) decimal.Maybe {
	return decimal.Some(analysis.DayNumber(tool.DayOf(d.Moment.In(msapi.Moscow))))
}
