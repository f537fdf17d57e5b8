package report

import (
	"context"
	"fmt"
	"slices"

	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
	"golang.org/x/sync/errgroup"
)

// saleKinds are the types of documents for sales (fact M62), with the sections of the role settings that show them.
var saleKinds = []struct {
	kind     msapi.SaleType
	section  tool.Text
	returned bool
}{
	{msapi.Demand, account.SectionDemands, false},
	{msapi.RetailDemand, account.SectionRetail, false},
	{msapi.SalesReturn, tool.Text{RU: "Возвраты покупателей", EN: "Customer returns (Возвраты покупателей)"}, true},
	{msapi.RetailSalesReturn, tool.Text{RU: "Розничные возвраты", EN: "Retail returns (Розничные возвраты)"}, true},
}

// mostDocuments is the maximum number of documents read per type: fifty requests.
const mostDocuments = 5000

// saleLine is a line of a sale or return, in main units of the account currency.
type saleLine struct {
	good        msapi.Ref
	agent       msapi.ID
	owner       msapi.ID
	quantity    decimal.Decimal
	sum         decimal.Decimal
	returned    bool
	firstOfDeal bool // the first line of its document, to count documents
}

// profitFromDocuments answers without the profitability report, from the documents that the employee may see: revenue
// by their lines and, if purchase prices are visible, the margin based on them (rule R16).
func (c *call) profitFromDocuments(ctx context.Context, t *profitReport, in profitInput) error {
	if t.kind.report == msapi.ProfitBySalesChannel {
		c.Result.Answer = c.Refusal(account.SectionProfit)
		c.Method("Отчёт «Прибыльность» закрыт правами сотрудника.",
			"The profitability report is closed by the employee's rights.")
		return nil
	}
	t.documents, t.costHidden = true, true
	if !c.Rights.Has(account.RightCost) {
		c.Missing(account.SectionCost, "себестоимость и прибыль скрыты", "cost and profit are hidden")
	}
	var of map[msapi.ID]string
	lines, open, err := c.saleLines(ctx, t)
	if err == nil {
		t.currency, of, err = c.AccountCurrency(ctx)
	}
	if err != nil {
		return err
	}
	if !open {
		c.Result.Answer = c.Refusal(account.SectionProfit)
		return nil
	}
	sold := map[msapi.Key]bool{}
	for _, l := range lines {
		sold[l.good.ID.Key()] = true
	}
	items, err := c.DescribeWithProducts(ctx, sold)
	if err != nil {
		return err
	}
	lines = slices.DeleteFunc(lines, func(l saleLine) bool { return !within(t.scope, l.good, items) })
	c.addUp(t, lines, items, of)
	if err := c.nameSubjects(ctx, t); err != nil {
		return err
	}
	c.showProfit(t, in)
	return nil
}

// saleLines reads the documents; open reports whether the employee may see sales at all.
func (c *call) saleLines(ctx context.Context, t *profitReport) (lines []saleLine, open bool, err error) {
	posted := true
	query := msapi.OrderQuery{Posted: &posted, Stores: t.scope.StoreIDs(), From: account.DayStart(t.period.From),
		To: account.DayEnd(t.period.To), Positions: true}
	parts := make([][]saleLine, len(saleKinds))
	closed := make([]bool, len(saleKinds))
	work, inner := errgroup.WithContext(ctx)
	for i, k := range saleKinds {
		work.Go(func() error {
			documents := 0
			for d, err := range c.Reader.Sales(inner, k.kind, query) {
				if _, incomplete := msapi.IsIncomplete(err); incomplete || documents == mostDocuments {
					c.Notice(tool.NoticePartial,
						fmt.Sprintf("Документы «%s» прочитаны не все: %d.", k.section.RU, documents),
						fmt.Sprintf("Not all documents “%s” were read: %d.", k.section.EN, documents))
					return nil
				}
				if msapi.IsForbidden(err) {
					closed[i] = true
					return nil
				}
				if err != nil {
					return err
				}
				documents++
				parts[i] = append(parts[i], linesOf(d, k.returned)...)
			}
			return nil
		})
	}
	if err := work.Wait(); err != nil {
		return nil, false, err
	}
	for i, k := range saleKinds {
		if closed[i] {
			c.Missing(k.section, "этих документов в выручке нет", "these documents are not in the revenue")
		} else {
			c.NoticePartialView(string(k.kind), k.section)
		}
	}
	return slices.Concat(parts...), !closed[0] || !closed[1], nil
}

// linesOf splits a document into lines.
func linesOf(d msapi.Order, returned bool) []saleLine {
	sums, _ := account.LineSums(d)
	lines := make([]saleLine, len(sums))
	for i, p := range d.Positions {
		lines[i] = saleLine{good: p.Assortment, agent: d.Agent.ID, owner: d.Owner.ID, quantity: p.Quantity.Decimal,
			sum: sums[i], returned: returned, firstOfDeal: i == 0}
	}
	return lines
}

// within reports whether a sold good matches the filter. A variant has the group and supplier of its product.
func within(s account.Filter, good msapi.Ref, items map[msapi.Key]msapi.AssortmentItem) bool {
	if len(s.Goods) > 0 && !slices.ContainsFunc(s.Goods, func(g msapi.Ref) bool { return g.ID == good.ID }) {
		return false
	}
	item := items[good.ID.Key()]
	if parent, ok := items[item.Product.ID.Key()]; ok && item.Product.ID != "" {
		item = parent
	}
	return (s.Nested == nil || s.Nested[item.Folder.ID]) &&
		(len(s.Suppliers) == 0 || slices.Contains(s.SupplierIDs(), item.Supplier.ID))
}

// addUp computes the rows and the total, and the margin from purchase prices where available.
func (c *call) addUp(t *profitReport, lines []saleLine, items map[msapi.Key]msapi.AssortmentItem,
	of map[msapi.ID]string) {
	at := map[msapi.ID]*profitLine{}
	priced, all := map[msapi.ID]bool{}, map[msapi.ID]bool{}
	for _, l := range lines {
		item := items[l.good.ID.Key()]
		parent, hasParent := items[item.Product.ID.Key()]
		hasParent = hasParent && item.Product.ID != ""
		subject := msapi.Ref{ID: l.good.ID, Type: l.good.Type, Name: item.Name, Code: item.Code, Article: item.Article}
		switch {
		case t.kind.report == msapi.ProfitByEmployee:
			subject = msapi.Ref{ID: l.owner}
		case t.kind.report == msapi.ProfitByCounterparty:
			subject = msapi.Ref{ID: l.agent}
		case t.kind.report == msapi.ProfitByProduct && hasParent:
			subject = msapi.Ref{ID: parent.ID, Type: parent.Type, Name: parent.Name, Code: parent.Code,
				Article: parent.Article}
		}
		e := at[subject.ID]
		if e == nil {
			e = &profitLine{subject: subject, coveredKnown: true}
			at[subject.ID] = e
			t.list = append(t.list, e)
		}
		price := item.BuyPrice
		if hasParent && (!price.Value.Known || price.Value.Sign() == 0) {
			price = parent.BuyPrice
		}
		known := price.Value.Known && price.Value.Sign() > 0 &&
			account.Iso(price.Currency, t.currency, of) == t.currency
		if costless(l.good) {
			price, known = msapi.Price{}, true
		} else {
			all[l.good.ID], priced[l.good.ID] = true, known
		}
		e.addSale(l, decimal.Maybe{Decimal: price.Value.Major(), Known: known}, t.kind.goods)
	}
	withPrice := 0
	for _, known := range priced {
		if known {
			withPrice++
		}
	}
	if t.fromPrice = withPrice > 0; t.fromPrice {
		c.noticePriced(withPrice, len(all))
	}
	t.total = &profitLine{coveredKnown: t.fromPrice}
	for _, e := range t.list {
		e.coveredKnown = t.fromPrice
		t.total.add(e)
	}
}

// addSale adds a line of a document.
func (e *profitLine) addSale(l saleLine, price decimal.Maybe, goods bool) {
	sign := decimal.One
	if l.returned {
		sign = sign.Neg()
		e.returns = e.returns.Add(l.sum)
	} else {
		e.sales = e.sales.Add(l.sum)
	}
	e.revenue = e.sales.Sub(e.returns)
	switch {
	case goods && l.returned:
		e.sold, e.returned = decimal.Some(e.sold.Decimal), decimal.Some(e.returned.Add(l.quantity))
	case goods:
		e.sold, e.returned = decimal.Some(e.sold.Add(l.quantity)), decimal.Some(e.returned.Decimal)
	case l.firstOfDeal && !l.returned:
		e.deals = decimal.Some(e.deals.Add(decimal.One))
	}
	if price.Known {
		e.cost = decimal.Some(e.cost.Add(price.Mul(l.quantity).Mul(sign)))
		e.covered = e.covered.Add(l.sum.Mul(sign))
	}
}

// nameSubjects reads the names of employees and counterparties.
func (c *call) nameSubjects(ctx context.Context, t *profitReport) error {
	names := map[msapi.ID]string{}
	switch t.kind.report {
	case msapi.ProfitByEmployee:
		list, err := c.EmployeeList(ctx)
		if err != nil && !msapi.IsForbidden(err) {
			return err
		}
		for _, x := range list {
			names[x.ID] = x.Name
		}
	case msapi.ProfitByCounterparty:
		query := msapi.ListQuery{Archived: msapi.ArchivedAlso, IDs: []msapi.ID{}}
		for _, e := range t.list {
			if e.subject.ID != "" {
				query.IDs = append(query.IDs, e.subject.ID)
			}
		}
		err := account.Each(c.Call, c.Reader.Counterparties(ctx, query),
			func(x msapi.Counterparty) { names[x.ID] = x.Name })
		if err != nil && !msapi.IsForbidden(err) {
			return err
		}
	default:
		return nil
	}
	for _, e := range t.list {
		e.subject.Name = names[e.subject.ID]
	}
	return nil
}
