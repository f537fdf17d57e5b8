package moysklad

import (
	"slices"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/analyze/doctype"
	"github.com/stockhand/stockhand/internal/connector/moysklad/analyze/measures"
	"github.com/stockhand/stockhand/internal/tool"
)

// requirement is a right that figures need.
type requirement struct {
	key     string // as a connection has it; empty for one that context/employee does not tell
	section tool.Text
	bases   []analysis.Base
}

// requirements are the rights that measures need (facts M91, M92).
var requirements = slices.Concat(documentRights(), []requirement{
	{"pnl", account.SectionProfit, []analysis.Base{measures.Costs, measures.Covered}},
	{account.RightCost, account.SectionCost, slices.Concat(measures.MovedCosts, []analysis.Base{measures.Costs,
		measures.Covered, measures.StockAtCost, measures.UnitCost, measures.BuyPrice, measures.PurchaseSum,
		measures.PurchaseReceipt, measures.OpenOrderSum, measures.ExpectedOn, measures.SupplierOverdueDays,
		measures.EnterSum})},
	{account.RightStock, account.SectionStock, []analysis.Base{measures.BelowMinimum}},
	{"", account.SectionTurnover, slices.Concat(measures.MovedQuantities, measures.MovedCosts)},
	{"dashboardmoney", account.SectionMoney, []analysis.Base{measures.AccountBalance}},
	{"company_crm", account.SectionCRM, measures.AgentBases},
	{"demand", account.SectionDemands, []analysis.Base{measures.DebtAge}},
	{"supply", account.SectionAt("entity/supply"), []analysis.Base{measures.OurDebtAge}},
	{"product", account.SectionGoods, slices.Concat(measures.PriceBases, measures.MinimumBases)},
})

// documentRights are the rights to see the documents that figures are read from.
func documentRights() (all []requirement) {
	for _, kind := range doctype.All {
		for _, t := range kind {
			all = append(all, requirement{t.Name, t.Section, t.Bases()})
		}
	}
	return all
}

// withNeeds returns a copy of the catalogue whose measures name the rights that they need, and how far an employee has
// them; nil for none.
func withNeeds(c *analysis.Catalogue, employee *account.Rights) *analysis.Catalogue {
	with := *c
	with.Measures = slices.Clone(c.Measures)
	for i := range with.Measures {
		m := &with.Measures[i]
		m.Needs = nil
		for _, r := range requirements {
			if slices.ContainsFunc(m.Bases, func(b analysis.Base) bool { return slices.Contains(r.bases, b) }) {
				m.Needs = append(m.Needs, analysis.NeededRight{Section: r.section, Employee: r.extent(employee)})
			}
		}
	}
	return &with
}

// extent returns how far an employee has the right.
func (r requirement) extent(employee *account.Rights) analysis.Extent {
	switch {
	case employee == nil:
	case employee.Whole(account.RightAdmin), r.key != "" && employee.Whole(r.key):
		return analysis.HasRight
	case r.key != "" && employee.Partial(r.key):
		return analysis.SeesPart
	case r.key != "" && !employee.Sees(r.key):
		return analysis.LacksRight
	}
	return analysis.RightHidden
}
