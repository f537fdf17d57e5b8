package language

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/connector"
)

// plain maps each skill to a task that requests only that skill, in Russian and English.
var plain = map[Skill][2]string{
	Stock:                 {"Какие остатки товаров", "What stock do we have"},
	StockByStore:          {"Остатки по складам", "Stock by warehouse"},
	Shortages:             {"Что заканчивается и что заказать", "What is running low and what to order"},
	StockAge:              {"Какие товары залежались", "Slow-moving stock by days in stock"},
	Turnover:              {"Обороты товаров: приход и расход", "Goods movement: received and shipped"},
	Profitability:         {"Прибыль по товарам", "Profit by product"},
	Money:                 {"Сколько денег на счетах", "How much money is in the accounts"},
	OverdueOrders:         {"Какие заказы просрочены", "Which orders are overdue"},
	SalesTrend:            {"Динамика продаж по дням", "Sales trend by day"},
	Receivables:           {"Кто нам должен", "Who owes us"},
	ABCXYZ:                {"ABC/XYZ-анализ", "ABC/XYZ analysis"},
	FindProducts:          {"Найди товар", "Find a product"},
	Reference:             {"Список складов", "List of warehouses"},
	AccountOverview:       {"Сводка по аккаунту", "Account overview"},
	ProposeSupplierOrders: {"Подготовь заказы поставщикам", "Draft purchase orders"},
	ProposeTransfers:      {"Подготовь перемещение между складами", "Draft a transfer between warehouses"},
	ProposePriceChange:    {"Измени цены", "Change prices"},
}

var lists = []struct {
	kind   connector.NameKind
	ru, en string
}{
	{connector.NameStore, "Список складов", "List of warehouses"},
	{connector.NameSupplier, "Список поставщиков", "List of suppliers"},
	{connector.NameCounterparty, "Список контрагентов", "List of customers"},
	{connector.NameGroup, "Список групп товаров", "List of product groups"},
	{connector.NamePriceType, "Список типов цен", "List of price types"},
	{connector.NameOrganization, "Список организаций", "List of organizations"},
	{connector.NameEmployee, "Список сотрудников", "List of employees"},
	{connector.NameSalesChannel, "Список каналов продаж", "List of sales channels"},
}

// option returns an answer to a question. Its text is a task that reads as this answer.
func (r *reader) option(s Skill, a Arguments) Option {
	l := r.language
	text := l.Pick(plain[s][0], plain[s][1])
	switch s {
	case Money:
		if a.What == "flow" {
			text = l.Pick("Движение денег", "Cash flow")
		}
	case Receivables:
		if a.Direction == "owed_by_us" {
			text = l.Pick("Кому мы должны", "Whom do we owe")
		}
	case Profitability:
		text = l.Pick(salesFigures[a.Order][0]+" "+salesBy[a.By][0], salesFigures[a.Order][1]+" "+salesBy[a.By][1])
	case Reference:
		for _, k := range lists {
			if string(k.kind) == a.Kind {
				text = l.Pick(k.ru, k.en)
			}
		}
	}
	if s.Proposes() {
		return Option{Text: text} // which is read as a request
	}
	for _, part := range []struct {
		names  []string
		ru, en string
	}{
		{a.Stores, "на складе", "at warehouse"}, {a.Groups, "по группе", "in group"},
		{a.Suppliers, "по поставщику", "from supplier"},
		{a.Products, "по товару", "for product"}, {a.Counterparties, "по контрагенту", "for customer"},
	} {
		if len(part.names) > 0 && len(part.names) <= 3 {
			names := slices.Clone(part.names)
			for i, n := range names { // rows that were shown are known by their IDs
				names[i] = cmp.Or(r.nameOf(n), n)
			}
			text += " " + l.Pick(part.ru, part.en) + " «" + strings.Join(names, "», «") + "»"
		}
	}
	if a.From != "" {
		text += l.Pick(fmt.Sprintf(" с %s по %s", dotted(a.From), dotted(a.To)),
			fmt.Sprintf(" from %s to %s", a.From, a.To))
	}
	return Option{Text: text, Skill: s, Arguments: a}
}

// salesFigures and salesBy say what the report of profitability is ordered and broken down by.
var (
	salesFigures = map[string][2]string{"": {"Прибыль", "Profit"}, "profit": {"Прибыль", "Profit"},
		"revenue": {"Выручка", "Revenue"}, "margin": {"Маржа", "Margin"},
		"quantity": {"Количество продаж", "Quantity sold"}}
	salesBy = map[string][2]string{"": {"по товарам", "by product"}, "product": {"по товарам", "by product"},
		"employee": {"по сотрудникам", "by employee"}, "counterparty": {"по покупателям", "by customer"},
		"sales_channel": {"по каналам продаж", "by sales channel"}, "variant": {"по модификациям", "by variant"}}
)

func dotted(iso string) string {
	t, err := time.Parse(time.DateOnly, iso)
	if err != nil {
		return iso
	}
	return t.Format("02.01.2006")
}

// Title returns a task that requests the skill.
func (s Skill) Title(l stockhand.Language) string { return l.Pick(plain[s][0], plain[s][1]) }

// Skills returns the reading skills in display order.
func Skills() []Skill {
	return []Skill{Shortages, Stock, StockByStore, StockAge, Profitability, SalesTrend, Turnover, Money, Receivables,
		OverdueOrders, ABCXYZ, FindProducts, Reference, AccountOverview}
}
