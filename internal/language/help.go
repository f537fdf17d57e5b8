package language

import (
	"strings"

	"github.com/stockhand/stockhand"
)

// Example is an example task for a skill.
type Example struct {
	Skill Skill
	Task  string
}

var shown = []struct {
	skill  Skill
	ru, en string
}{
	{Shortages, "Что заканчивается на складах и что заказать?", "What is running low and what should I order?"},
	{Stock, "Какие остатки на основном складе?", "What stock do we have in the main warehouse?"},
	{StockByStore, "Остатки по складам", "Stock by warehouse"},
	{StockAge, "Какие товары лежат на складе дольше 90 дней?",
		"Which products have been in stock longer than 90 days?"},
	{Profitability, "Топ-10 товаров по прибыли за прошлый месяц", "Top 10 products by profit last month"},
	{SalesTrend, "Как идут продажи по дням за последние 30 дней?", "How are sales by day over the last 30 days?"},
	{Turnover, "Обороты товаров за прошлый квартал", "Goods movement for the last quarter"},
	{Money, "Сколько денег на счетах и в кассе?", "How much money is in the accounts?"},
	{Receivables, "Кто нам должен больше 10 тыс. рублей?", "Who owes us more than 10,000 rubles?"},
	{OverdueOrders, "Какие заказы просрочены?", "Which orders are overdue?"},
	{ABCXYZ, "ABC-анализ по выручке с начала года", "ABC analysis by revenue year to date"},
	{FindProducts, "Найди товар с артикулом 10-200", "Find the product with article 10-200"},
	{Reference, "Список складов", "List of warehouses"},
	{AccountOverview, "Сводка по аккаунту", "Account overview"},
	{ProposeSupplierOrders, "Подготовь заказы поставщикам на всё, что ниже минимума", "Order everything below minimum"},
	{ProposeTransfers, "Перемести излишки туда, где дефицит", "Move surplus to where stock is short"},
	{ProposePriceChange, "Подними все розничные цены на 7 %", "Raise all retail prices by 7%"},
}

// Examples returns an example for each skill with a tool, in display order. Skills that propose drafts are last.
func Examples(l stockhand.Language) []Example {
	out := make([]Example, 0, len(shown))
	for _, s := range shown {
		out = append(out, Example{s.skill, l.Pick(s.ru, s.en)})
	}
	return out
}

// HelpText describes what Stockhand can do, with example tasks.
func HelpText(l stockhand.Language) string {
	var b strings.Builder
	b.WriteString(l.Pick(
		"Я отвечаю на вопросы о вашем учёте: остатки и дефицит, залежавшийся товар, обороты, прибыль и "+
			"продажи, деньги, долги, просроченные заказы, ABC/XYZ, поиск товаров и справочники. Готовлю "+
			"черновики: заказы поставщикам, перемещения между складами, новые цены. Пока человек не "+
			"подтвердит черновик, ничего не отправляется. Например:",
		"I answer questions about your inventory account: stock and shortages, slow movers, turnover, "+
			"profit and sales, money, debts, overdue orders, ABC/XYZ, product search and lists. I prepare "+
			"drafts: purchase orders, transfers between warehouses, new prices. Nothing is sent until a "+
			"person confirms a draft. For example:"))
	for _, e := range Examples(l) {
		b.WriteString("\n• " + e.Task)
	}
	return b.String()
}
