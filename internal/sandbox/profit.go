package sandbox

import (
	"github.com/stockhand/stockhand/internal/sandbox/company"
)

// profitTypes are the list types of the profit reports, with the vendor's inconsistent capital letter (fact M83).
var profitTypes = map[company.ProfitBy]string{
	company.ByProduct:      "salesbyproduct",
	company.ByVariant:      "salesbyvariant",
	company.ByEmployee:     "salesbyemployee",
	company.ByCounterparty: "salesbyCounterparty",
	company.BySalesChannel: "salesbysaleschannel",
}

func profit(f *reportFilter, by company.ProfitBy) answer {
	f.need("отчета «Прибыльность»", rightProfit)
	from, to := f.period()
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
	return rowsOf(f, profitTypes[by], false, f.account.Profit, q, f.profitRow)
}

// profitRow writes the subject and its columns: quantities and prices for goods, numbers of sales for others.
func (c *call) profitRow(e *encoder, r *company.ProfitRow) {
	switch {
	case r.Good != nil:
		c.assortment(e, r.Good)
		e.members("sellQuantity", r.SellQuantity, "sellPrice", r.SellPrice(), "sellCost", r.SellCost(),
			"returnQuantity", r.ReturnQuantity, "returnPrice", r.ReturnPrice(), "returnCost", r.ReturnCost())
	case r.Employee != nil:
		c.named(e, "employee", "employee", r.Employee.ID, r.Employee.ShortName)
	case r.Counterparty != nil:
		c.named(e, "counterparty", "counterparty", r.Counterparty.ID, r.Counterparty.Name)
	case r.SalesChannel != nil:
		c.named(e, "salesChannel", "saleschannel", r.SalesChannel.ID, r.SalesChannel.Name)
	}
	if r.Good == nil {
		e.members("salesCount", r.SalesCount, "salesAvgCheck", r.SalesAvgCheck(),
			"returnCount", r.ReturnCount, "returnAvgCheck", r.ReturnAvgCheck())
	}
	e.members("sellSum", r.SellSum, "sellCostSum", r.SellCostSum, "returnSum", r.ReturnSum,
		"returnCostSum", r.ReturnCostSum, "profit", r.Profit(), "margin", r.Margin(), "salesMargin", r.SalesMargin())
}
