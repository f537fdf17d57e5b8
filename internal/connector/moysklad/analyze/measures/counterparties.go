package measures

import (
	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/tool"
)

// The bases of counterparties, of all time up to now. Days are numbers by [analysis.DayNumber].
const (
	OwedToUs        analysis.Base = "owed_to_us"
	OwedByUs        analysis.Base = "owed_by_us"
	FirstSale       analysis.Base = "first_sale_day"
	SinceLastSale   analysis.Base = "since_last_sale"
	SalesOfAllTimes analysis.Base = "sales_of_all_times"
	SoldOfAllTimes  analysis.Base = "sold_of_all_times"
	LatestSale      analysis.Base = "latest_sale_day"
	DebtAge         analysis.Base = "debt_age"
	OurDebtAge      analysis.Base = "our_debt_age"
)

var (
	AgentBases = []analysis.Base{OwedToUs, OwedByUs, FirstSale, SinceLastSale, SalesOfAllTimes,
		SoldOfAllTimes, LatestSale, DebtAge, OurDebtAge}
	overAgents = []string{DimCounterparty, DimTag, DimRFM}
)

func counterpartyMeasures() []analysis.Measure {
	now := words("сейчас, а не за период; у контрагента, который и покупает, и поставляет, — одно сальдо",
		"now, not over the period; a counterparty that both buys and supplies has one balance")
	unlinked := words("сейчас; платёж, не привязанный к документу, его не закрывает, возвраты и розница не учтены, отсрочка "+
		"не вычитается", "now; a payment that is not linked to a document does not settle it, returns and retail sales do "+
		"not count, and terms of payment are not subtracted")
	ever := words("за всё время, а не за период", "of all time, not of the period")
	return []analysis.Measure{
		{Name: "owed_to_us", Title: words("Нам должны", "Owed to us"), Unit: tool.UnitMoney, Adds: true, Caution: now,
			Formula: words("баланс контрагентов, которые должны нам, по показателям контрагентов",
				"balance of the counterparties that owe us, by the counterparty indicators"),
			Words: Called([]string{"нам должны", "дебиторка", "долг покупателей"}, "owed to us", "receivables"),
			Bases: []analysis.Base{OwedToUs}, Over: overAgents},
		{Name: "owed_by_us", Title: words("Мы должны", "Owed by us"), Unit: tool.UnitMoney, Adds: true, Caution: now,
			Formula: words("баланс контрагентов, которым должны мы, по показателям контрагентов",
				"balance of the counterparties that we owe, by the counterparty indicators"),
			Words: Called([]string{"мы должны", "кредиторка", "долг поставщикам"}, "owed by us", "payables"),
			Bases: []analysis.Base{OwedByUs}, Over: overAgents},
		{Name: "first_sale", Title: words("Первая покупка", "First sale"), Unit: tool.UnitDate, Caution: ever,
			Formula: words("день первой продажи контрагенту", "day of the first sale to the counterparty"),
			Words:   Called([]string{"первая покупка", "первая продажа"}, "first sale", "first purchase"),
			Bases:   []analysis.Base{FirstSale}, Over: overAgents},
		{Name: "latest_sale", Title: words("Последняя покупка", "Latest sale"), Unit: tool.UnitDate, Caution: ever,
			Formula: words("день последней продажи контрагенту", "day of the last sale to the counterparty"),
			Words:   Called([]string{"последняя покупка"}, "latest sale", "latest purchase"),
			Bases:   []analysis.Base{LatestSale}, Over: overAgents},
		{Name: "days_since", Title: words("Дней с последней покупки", "Days since the last purchase"),
			Phrase: words("время с последней покупки", "time since the last purchase"),
			Unit:   tool.UnitDays, Caution: ever,
			Formula: words("дней от последней продажи контрагенту до сегодня; у строки из нескольких — меньшее",
				"days from the last sale to the counterparty to today; of several counterparties, the least"),
			Words: Called([]string{"дней с последней покупки", "давно не покупал"}, "days since the last purchase"),
			Bases: []analysis.Base{SinceLastSale}, Over: overAgents},
		{Name: "purchases_count", Title: words("Покупок за всё время", "Purchases of all time"),
			Phrase: words("число покупок за всё время", "number of purchases of all time"), Unit: tool.UnitCount,
			Adds: true, Caution: ever,
			Formula: words("число продаж контрагенту", "number of sales to the counterparty"),
			Words:   Called([]string{"сколько раз покупал", "число покупок"}, "number of purchases"),
			Bases:   []analysis.Base{SalesOfAllTimes}, Over: overAgents},
		{Name: "purchases_sum", Title: words("Сумма покупок за всё время", "Sum of purchases of all time"),
			Unit: tool.UnitMoney, Adds: true, Caution: ever,
			Formula: words("сумма продаж контрагенту до возвратов", "sum of sales to the counterparty before returns"),
			Words:   Called([]string{"на сколько купил за всё время"}, "lifetime purchases"),
			Bases:   []analysis.Base{SoldOfAllTimes}, Over: overAgents},
		{Name: "debt_age", Title: words("Возраст долга нам, дн.", "Age of the debt to us"),
			Phrase: words("возраст долга нам", "age of the debt to us"), Unit: tool.UnitDays,
			Formula: words("дней с самой старой проведённой отгрузки, не оплаченной полностью, у контрагентов, которые нам "+
				"должны", "days since the oldest posted shipment that is not fully paid, of counterparties that owe us"),
			Caution: unlinked, Words: Called([]string{"возраст долга", "давно должны"}, "age of the debt", "debt age"),
			Bases: []analysis.Base{DebtAge}, Over: overAgents},
		{Name: "our_debt_age", Title: words("Возраст нашего долга, дн.", "Age of our debt"),
			Phrase: words("возраст нашего долга", "age of our debt"), Unit: tool.UnitDays,
			Formula: words("дней с самой старой проведённой приёмки, не оплаченной полностью, у контрагентов, которым мы "+
				"должны", "days since the oldest posted receipt of goods that is not fully paid, of counterparties that "+
				"we owe"),
			Caution: unlinked, Words: Called([]string{"возраст нашего долга", "давно должны мы"}, "age of our debt"),
			Bases: []analysis.Base{OurDebtAge}, Over: overAgents},
	}
}
