package moysklad

import "github.com/stockhand/stockhand/internal/tool"

// vital is a right without which a tool has no answer at all.
func vital(section tool.Text) tool.Need {
	return tool.Need{Section: section, Vital: true, For: tool.Text{RU: "ответ целиком", EN: "the whole answer"}}
}

// Rights that tools need, and what each answer lacks without them. They tell beforehand what a result says afterwards
// in its notices; the server's own answer decides.
var (
	needGoods         = vital(sectionGoods)
	needStores        = vital(sectionStores)
	needStock         = vital(sectionStock)
	needLegalEntities = vital(sectionOrganizations)
	needCost          = tool.Need{Section: sectionCost,
		For: tool.Text{RU: "себестоимость, прибыль и маржа", EN: "cost, profit and margin"}}
	needPurchasePrice = tool.Need{Section: sectionCost,
		For: tool.Text{RU: "закупочные цены и суммы по ним", EN: "purchase prices and sums at them"}}
	needTurnoverSums = tool.Need{Section: sectionCost,
		For: tool.Text{RU: "суммы оборотов: они по себестоимости", EN: "the sums of the turnover, which are at cost"}}
	needProfitReport = tool.Need{Section: sectionProfit,
		For: tool.Text{RU: "сам отчёт: без права считается по документам, которые видит сотрудник",
			EN: "the report itself: without the right it is computed from the documents that the employee sees"}}
	needProfitClasses = tool.Need{Section: sectionCost,
		For: tool.Text{RU: "классы по прибыли", EN: "classes by profit"}}
	needPace = tool.Need{Section: sectionProfit,
		For: tool.Text{RU: "темп продаж: без права он берётся из оборотов",
			EN: "the pace of sales: without the right it is taken from the turnover"}}
	needTurnoverPace = tool.Need{Section: sectionTurnover,
		For: tool.Text{RU: "темп продаж, когда прибыльность закрыта",
			EN: "the pace of sales, when profitability is closed"}}
	needIndicators = tool.Need{Section: sectionDashboard,
		For: tool.Text{RU: "продажи и заказы месяца", EN: "sales and orders of the month"}}
	needBalances = tool.Need{Section: sectionMoney,
		For: tool.Text{RU: "деньги на счетах и в кассах", EN: "money on accounts and in cash desks"}}
	needPastOrders = tool.Need{Section: sectionPurchases,
		For: tool.Text{RU: "сравнение с прошлыми заказами", EN: "the comparison with past orders"}}
	needMarkup = tool.Need{Section: sectionCost,
		For: tool.Text{RU: "наценка, целевая маржа и предупреждения о цене ниже себестоимости",
			EN: "markups, target margins and warnings of prices below cost"}}
)
