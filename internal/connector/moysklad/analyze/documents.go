package analyze

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

// documentType is a type of documents that facts are read from.
type documentType struct {
	name    string
	section tool.Text
	title   tool.Text
	list    func(*msapi.Reader, context.Context, msapi.OrderQuery) iter.Seq2[msapi.Order, error]
	// the bases of the sum, of the quantity and of the number of documents; empty for none
	sum, quantity, count analysis.Base
}

// documentKind is the types of documents that share bases.
type documentKind struct {
	bases []analysis.Base
	types []documentType
}

func sold(kind msapi.SaleType) func(*msapi.Reader, context.Context, msapi.OrderQuery) iter.Seq2[msapi.Order, error] {
	return func(r *msapi.Reader, ctx context.Context, q msapi.OrderQuery) iter.Seq2[msapi.Order, error] {
		return r.Sales(ctx, kind, q)
	}
}

var documentKinds = []documentKind{
	{bases: []analysis.Base{sales, returns, quantitySold, quantityReturned, receipts, saleLines, discounts,
		lastSale},
		types: []documentType{ // sales are spread over several types (fact M62)
			{name: "demand", section: account.SectionDemands, title: words("Отгрузка", "Shipment"),
				list: sold(msapi.Demand), sum: sales, quantity: quantitySold, count: receipts},
			{name: "retaildemand", section: account.SectionRetail, title: words("Розничная продажа", "Retail sale"),
				list: sold(msapi.RetailDemand), sum: sales, quantity: quantitySold, count: receipts},
			{name: "salesreturn", section: words("Возвраты покупателей", "Customer returns (Возвраты покупателей)"),
				title: words("Возврат покупателя", "Customer return"), list: sold(msapi.SalesReturn),
				sum: returns, quantity: quantityReturned},
			{name: "retailsalesreturn", section: words("Розничные возвраты", "Retail returns (Розничные возвраты)"),
				title: words("Розничный возврат", "Retail return"), list: sold(msapi.RetailSalesReturn),
				sum: returns, quantity: quantityReturned},
		}},
	{bases: []analysis.Base{orderCount, orderSum, orderShipped, orderPaid},
		types: []documentType{{name: "customerorder", section: account.SectionOrders,
			title: words("Заказ покупателя", "Customer order"), list: (*msapi.Reader).CustomerOrders,
			sum: orderSum, count: orderCount}}},
	{bases: []analysis.Base{purchaseCount, purchaseSum, purchaseReceipt},
		types: []documentType{{name: "purchaseorder", section: account.SectionPurchases,
			title: words("Заказ поставщику", "Supplier order"), list: (*msapi.Reader).PurchaseOrders,
			sum: purchaseSum, count: purchaseCount}}},
	{bases: []analysis.Base{supplyCount, supplySum, supplyQuantity, lastPurchase, lastPurchaseSum,
		lastPurchaseQuantity},
		types: []documentType{{name: "supply", section: words("Приёмки", "Receipts of goods (Приёмки)"),
			title: words("Приёмка", "Receipt of goods"), list: (*msapi.Reader).Supplies,
			sum: supplySum, quantity: supplyQuantity, count: supplyCount}}},
	{bases: []analysis.Base{lossSum, lossQuantity},
		types: []documentType{{name: "loss", section: words("Списания", "Write-offs (Списания)"),
			title: words("Списание", "Write-off"), list: (*msapi.Reader).Losses, sum: lossSum,
			quantity: lossQuantity}}},
	{bases: []analysis.Base{enterSum, enterQuantity},
		types: []documentType{{name: "enter", section: words("Оприходования", "Surpluses (Оприходования)"),
			title: words("Оприходование", "Surplus"), list: (*msapi.Reader).Enters,
			sum: enterSum, quantity: enterQuantity}}},
	{bases: []analysis.Base{transferSum, transferQuantity},
		types: []documentType{{name: "move", section: account.SectionMoves, title: words("Перемещение", "Transfer"),
			list: (*msapi.Reader).Transfers, sum: transferSum, quantity: transferQuantity}}},
}

// fromDocuments supplies the bases of each kind of documents. Retail sales do not name their channel, so sales cannot
// be broken down by it.
func fromDocuments() []supplier {
	list := make([]supplier, len(documentKinds))
	for i, kind := range documentKinds {
		list[i] = func(c *call, _ context.Context, left []analysis.Base) (source, error) {
			bases := among(left, kind.bases)
			if len(bases) > 0 && slices.Contains(kind.bases, sales) && slices.Contains(c.fields, dimChannel) {
				return source{}, c.cannot(dimChannel)
			}
			return c.documents(kind, bases), nil
		}
	}
	return list
}

// documents reads posted documents: a thousand per request, or a hundred with their lines if the query needs them.
func (c *call) documents(kind documentKind, bases []analysis.Base) source {
	return source{bases: bases, read: func(ctx context.Context, period tool.Period, add func(analysis.Fact)) error {
		posted := true
		query := msapi.OrderQuery{Posted: &posted, From: account.DayStart(period.From), To: account.DayEnd(period.To),
			Positions: c.ofLines(bases), Stores: c.idsOf(dimStore), Agents: c.idsOf(dimCounterparty)}
		wanted := slices.DeleteFunc(slices.Clone(kind.types), func(t documentType) bool { return !t.has(bases) })
		var size, read atomic.Int64 // documents and lines, of all types
		tooMany := func(documents int) error {
			if n := size.Add(int64(documents)); n > int64(c.most.lines) { // each has a line
				return c.tooMuch(n)
			}
			return nil
		}
		lists := make([][]line, len(wanted))
		closed := make([]bool, len(wanted))
		work, inner := errgroup.WithContext(ctx)
		for i, t := range wanted {
			work.Go(func() error {
				documents, stop := context.WithCancelCause(inner)
				defer stop(nil)
				var own, ofType int64 // documents read, and all of this type
				documents = msapi.WithSizes(documents, func(_ string, n int) error {
					ofType = int64(n)
					return tooMany(n)
				})
				err := account.Each(c.Call, t.list(c.Reader, documents, query), func(d msapi.Order) {
					lines := linesOf(t, d)
					own++
					if n := read.Add(int64(len(lines))); n > int64(c.most.lines) {
						stop(c.tooMuch(n))
						return
					}
					lists[i] = append(lists[i], lines...)
					// The first page says how many lines documents have on average.
					if n := int64(len(lists[i])) * ofType / own; own == firstPage && n > 2*int64(c.most.lines) {
						stop(c.tooMuch(n))
					}
				})
				if cause := context.Cause(documents); cause != nil && inner.Err() == nil {
					return cause
				}
				if msapi.IsForbidden(err) && len(wanted) > 1 {
					closed[i] = true
					return nil
				}
				return err
			})
		}
		if err := work.Wait(); err != nil {
			return err
		}
		for i, t := range wanted {
			if closed[i] {
				c.Missing(t.section, "этих документов в ответе нет", "these documents are not in the answer")
			} else {
				c.NoticePartialView(t.name, t.section)
			}
		}
		lines := slices.Concat(lists...)
		c.noteHiddenSums(lines)
		goods, err := c.goodsOf(ctx, lines)
		if err != nil {
			return err
		}
		for _, l := range lines {
			add(c.fact(l, goods, bases))
		}
		return nil
	}}
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
	if i < 0 {
		return
	}
	if c.hide(lines[i].of.sum); lines[i].of.sum == supplySum {
		c.hide(lastPurchaseSum)
	}
	c.Missing(account.SectionCost, "суммы этих документов скрыты", "the sums of these documents are hidden")
}

// has reports whether documents of the type have any of the bases.
func (t documentType) has(bases []analysis.Base) bool {
	has := func(b ...analysis.Base) bool {
		return slices.ContainsFunc(b, func(x analysis.Base) bool { return x != "" && slices.Contains(bases, x) })
	}
	return has(t.sum, t.quantity, t.count) || t.sum == sales && has(saleLines, discounts, lastSale) ||
		t.sum == supplySum && has(lastPurchase, lastPurchaseSum, lastPurchaseQuantity) ||
		t.sum == orderSum && has(orderShipped, orderPaid) || t.sum == purchaseSum && has(purchaseReceipt)
}

// line is a line of a document, or a whole document if its lines are not needed. Amounts are in main units of the
// account currency.
type line struct {
	of       documentType
	document *msapi.Order // without its positions; shared by its lines
	good     msapi.Ref
	quantity decimal.Maybe
	sum      decimal.Maybe // unknown if the employee may not see it
	discount decimal.Maybe
	lines    bool // its lines were read
}

// linesOf splits a document into its lines; it stays whole if they were not read or if it has none.
func linesOf(t documentType, d msapi.Order) []line {
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

// fact converts a line.
func (c *call) fact(l line, goods map[msapi.Key]good, bases []analysis.Base) analysis.Fact {
	zero := decimal.Some(decimal.Zero)
	of := map[analysis.Base]decimal.Maybe{}
	switch l.of.sum {
	case sales:
		of[sales], of[returns], of[quantitySold], of[quantityReturned] = l.sum, zero, l.quantity, zero
		of[discounts], of[lastSale] = l.discount, dayOf(l.document)
		if l.lines {
			of[saleLines] = decimal.Some(decimal.One)
		}
	case returns:
		of[sales], of[returns], of[quantitySold], of[quantityReturned] = zero, l.sum, zero, l.quantity
		of[discounts], of[saleLines] = zero, zero
	case orderSum:
		of[orderSum] = l.sum
		of[orderShipped], of[orderPaid] = major(l.document, l.document.Shipped), major(l.document, l.document.Paid)
	case purchaseSum:
		of[purchaseSum], of[purchaseReceipt] = l.sum, major(l.document, l.document.Shipped)
	case supplySum:
		of[supplySum], of[supplyQuantity] = l.sum, l.quantity
		of[lastPurchase], of[lastPurchaseSum], of[lastPurchaseQuantity] = dayOf(l.document), l.sum, l.quantity
	default:
		of[l.of.sum], of[l.of.quantity] = l.sum, l.quantity
	}
	g := goods[l.good.ID.Key()]
	f := analysis.Fact{Keys: make([]analysis.Key, len(c.fields)), Amounts: c.amounts(bases, of), Unit: g.unit,
		At: msapi.FormatMoment(l.document.Moment.Time)}
	if l.of.count != "" && slices.Contains(bases, l.of.count) {
		f.Document, f.Counts = l.of.name+string(l.document.ID), l.of.count
	}
	for i, field := range c.fields {
		f.Keys[i] = c.documentKey(field, l, g)
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
	case dimStore:
		return link(d.Store)
	case dimLegalEntity:
		return link(d.Organization)
	case dimCounterparty:
		return link(d.Agent)
	case dimEmployee:
		return link(d.Owner)
	case dimChannel:
		return link(d.SalesChannel)
	case dimProject:
		return link(d.Project)
	case dimContract:
		return link(d.Contract)
	case dimDocumentType:
		return analysis.Key{ID: l.of.name, Name: l.of.title.In(c.Lang)}
	case dimDocument:
		return analysis.Key{ID: string(d.ID), Name: fmt.Sprintf("%s %s", l.of.title.In(c.Lang), d.Name)}
	}
	if isOfAgent(field) {
		return link(d.Agent)
	}
	if owner, _, _ := fieldOf(field); owner != "" && owner != entityGood {
		if owner != l.of.name {
			return analysis.Key{}
		}
		return c.fieldKey(field, d.Attributes)
	}
	if dim, ok := c.catalogue.Dimension(field); ok && dim.Step != "" {
		return plainKey(analysis.Interval(dim.Step, d.Moment.In(msapi.Moscow)))
	}
	return c.goodKey(g, field)
}
