package account

import "github.com/stockhand/stockhand/internal/tool"

// Vital returns a need without which a tool has no answer at all.
func Vital(section tool.Text) tool.Need {
	return tool.Need{Section: section, Vital: true, For: tool.Text{RU: "ответ целиком", EN: "the whole answer"}}
}

// The rights that tools need, and what an answer lacks without them. They say in advance what a result says in its
// notices; the server's response decides.
var (
	NeedGoods         = Vital(SectionGoods)
	NeedStores        = Vital(SectionStores)
	NeedStock         = Vital(SectionStock)
	NeedLegalEntities = Vital(SectionOrganizations)
	NeedCost          = tool.Need{Section: SectionCost,
		For: tool.Text{RU: "себестоимость, прибыль и маржа", EN: "cost, profit and margin"}}
	NeedPurchasePrice = tool.Need{Section: SectionCost,
		For: tool.Text{RU: "закупочные цены и суммы по ним", EN: "purchase prices and sums at them"}}
	NeedDocumentSums = tool.Need{Section: SectionCost, For: tool.Text{RU: "суммы заказов поставщикам и оприходований",
		EN: "the sums of supplier orders and surpluses"}}
	NeedTurnoverSums = tool.Need{Section: SectionCost,
		For: tool.Text{RU: "суммы оборотов: они по себестоимости", EN: "the sums of the turnover, which are at cost"}}
	NeedProfitReport = tool.Need{Section: SectionProfit,
		For: tool.Text{RU: "сам отчёт: без права считается по документам, которые видит сотрудник",
			EN: "the report itself: without the right it is computed from the documents that the employee sees"}}
	NeedProfitClasses = tool.Need{Section: SectionCost,
		For: tool.Text{RU: "классы по прибыли", EN: "classes by profit"}}
	NeedSalesRate = tool.Need{Section: SectionProfit,
		For: tool.Text{RU: "темп продаж: без права он берётся из оборотов",
			EN: "the sales rate: without the right it is taken from the turnover"}}
	NeedTurnoverRate = tool.Need{Section: SectionTurnover,
		For: tool.Text{RU: "темп продаж, когда прибыльность закрыта",
			EN: "the sales rate, when profitability is closed"}}
	NeedIndicators = tool.Need{Section: SectionDashboard,
		For: tool.Text{RU: "продажи и заказы месяца", EN: "sales and orders of the month"}}
	NeedBalances = tool.Need{Section: SectionMoney,
		For: tool.Text{RU: "деньги на счетах и в кассах", EN: "money on accounts and in cash desks"}}
	NeedPastOrders = tool.Need{Section: SectionPurchases,
		For: tool.Text{RU: "сравнение с прошлыми заказами", EN: "the comparison with past orders"}}
	NeedMarkup = tool.Need{Section: SectionCost,
		For: tool.Text{RU: "наценка, целевая маржа и предупреждения о цене ниже себестоимости",
			EN: "markups, target margins and warnings of prices below cost"}}
)
