package sandbox

import (
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/sandbox/company"
)

// profitTypes are the list types of the profit reports, with the vendor's one capital (fact M83).
var profitTypes = map[company.ProfitBy]string{
	company.ByProduct:      "salesbyproduct",
	company.ByVariant:      "salesbyvariant",
	company.ByEmployee:     "salesbyemployee",
	company.ByCounterparty: "salesbyCounterparty",
	company.BySalesChannel: "salesbysaleschannel",
}

func profit(c *call, by company.ProfitBy) (answer, error) {
	if err := c.need("отчета «Прибыльность»", rightProfit); err != nil {
		return answer{}, err
	}
	from, to, err := c.period()
	if err != nil {
		return answer{}, err
	}
	f := c.reportFilter()
	if len(f.f.by["product"]) > 0 && len(f.f.by["productFolder"]) > 0 {
		f.fail(errFilter("фильтры product и productFolder нельзя указывать вместе"))
	}
	q := company.ProfitQuery{
		GoodFilter:     f.goods("product", "variant", "bundle", "service", "consignment", "productFolder", "supplier"),
		By:             by,
		From:           from,
		To:             to,
		Counterparties: f.choice("counterparty"),
		AgentTags:      f.texts("agentTag"),
		Organizations:  f.choice("organization"),
		Stores:         f.choice("store"),
		SalesChannels:  f.choice("salesChannel"),
	}
	if by != company.BySalesChannel {
		q.RetailStores = f.choice("retailStore")
	}
	for _, t := range f.texts("entityType") {
		if t != string(company.DemandDoc) && t != string(company.RetailDemandDoc) {
			f.fail(errFilterValue("entityType", t))
		}
		q.Types = append(q.Types, company.DocumentType(t))
	}
	if err := f.done(); err != nil {
		return answer{}, err
	}
	return pageOf(c, profitTypes[by], false, c.account.Profit(q), c.profitRow)
}

// profitRow writes the subject and the columns that go with it: quantities and prices of goods, numbers of sales of
// everybody else.
func (c *call) profitRow(e *encoder, r *company.ProfitRow) {
	money := func(key string, m company.Money) {
		e.key(key).fixed(int64(m))
	}
	average := func(key string, d decimal.Decimal) {
		e.key(key).decimal(d)
	}
	count := func(key string, n int) {
		e.key(key).int(int64(n))
	}
	switch {
	case r.Good != nil:
		c.assortment(e, r.Good)
		e.key("sellQuantity").fixed(int64(r.SellQuantity))
		average("sellPrice", r.SellPrice())
		average("sellCost", r.SellCost())
		e.key("returnQuantity").fixed(int64(r.ReturnQuantity))
		average("returnPrice", r.ReturnPrice())
		average("returnCost", r.ReturnCost())
	case r.Employee != nil:
		c.named(e, "employee", "employee", string(r.Employee.ID), r.Employee.ShortName)
	case r.Counterparty != nil:
		c.named(e, "counterparty", "counterparty", string(r.Counterparty.ID), r.Counterparty.Name)
	case r.SalesChannel != nil:
		c.named(e, "salesChannel", "saleschannel", string(r.SalesChannel.ID), r.SalesChannel.Name)
	}
	if r.Good == nil {
		count("salesCount", r.SalesCount)
		average("salesAvgCheck", r.SalesAvgCheck())
		count("returnCount", r.ReturnCount)
		average("returnAvgCheck", r.ReturnAvgCheck())
	}
	money("sellSum", r.SellSum)
	money("sellCostSum", r.SellCostSum)
	money("returnSum", r.ReturnSum)
	money("returnCostSum", r.ReturnCostSum)
	money("profit", r.Profit())
	average("margin", r.Margin())
	average("salesMargin", r.SalesMargin())
}
