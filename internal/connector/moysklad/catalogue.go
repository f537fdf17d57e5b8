package moysklad

import (
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/tool"
)

// fields are the inputs of a connection: a token, and no login or password (rule R1).
var fields = []connector.Field{
	{
		Name: "token", Title: tool.Text{RU: "Токен сотрудника", EN: "Employee token"}, Secret: true, Required: true,
		About: tool.Text{
			RU: "Создаётся в настройках МоегоСклада. Права агента — это права этого сотрудника. Логин и пароль не " +
				"нужны и не принимаются.",
			EN: "Created in the settings of MoySklad. The agent has that employee's rights. A login or " +
				"password is neither needed nor accepted.",
		},
	},
	{
		Name: "label", Title: tool.Text{RU: "Название", EN: "Label"},
		About: tool.Text{
			RU: "Как называть подключение; по умолчанию — имя первого юрлица. Аккаунты различаются не по нему, а по " +
				"идентификатору аккаунта.",
			EN: "What to call the connection; the first legal entity's name by default. Accounts are identified by " +
				"their ID, not by the label.",
		},
	},
}

// limits are the limits of rule R24 and the vendor's.
var limits = []connector.Limit{
	{Name: "requests", Most: 6, Window: "1s", Over: "account", About: tool.Text{
		RU: "Все запросы аккаунта по всем его подключениям, за любую скользящую секунду.",
		EN: "All requests to an account over all its connections, in any sliding second.",
	}},
	{Name: "stock_reports", Most: 2, Window: "1s", Over: "account", About: tool.Text{
		RU: "Из них отчётов об остатках, report/stock/….",
		EN: "Stock reports among them, report/stock/….",
	}},
	{Name: "in_flight", Most: 5, Over: "employee", About: tool.Text{
		RU: "Одновременных запросов одного сотрудника: больше МойСклад не обслуживает.",
		EN: "Concurrent requests of one employee: MoySklad handles no more.",
	}},
	{Name: "units", Most: 45, Window: "3s", Over: "employee", About: tool.Text{
		RU: "Единиц бюджета МоегоСклада: расширенный отчёт об остатках стоит 5, прочие запросы с токеном сотрудника " +
			"— от 2 до 4, по дате. Число и цены берутся из заголовков ответов, а не отсюда.",
		EN: "Units of MoySklad's budget: an extended stock report costs 5, other requests with an employee " +
			"token 2 to 4, by date. The actual number and prices come from its response headers.",
	}},
}

// rightWords are the rights that a connection shows, in the order of the role settings. The right to see turnover has
// no key in context/employee; the report itself returns an error.
var rightWords = []struct {
	key     string
	section tool.Text
	closes  tool.Text
}{
	{account.RightCost, account.SectionCost, tool.Text{RU: "себестоимость, закупочные цены, прибыль и маржа",
		EN: "cost, purchase prices, profit and margin"}},
	{account.RightStock, account.SectionStock,
		tool.Text{RU: "краткий отчёт об остатках", EN: "the short stock report"}},
	{"pnl", account.SectionProfit, tool.Text{RU: "отчёт о прибыльности", EN: "the profitability report"}},
	{"dashboard", account.SectionDashboard, tool.Text{RU: "показатели продаж и заказов, движение денег",
		EN: "indicators of sales and orders, cash flow"}},
	{"dashboardmoney", account.SectionMoney, tool.Text{RU: "остатки денег на счетах и в кассах",
		EN: "money on accounts and in cash desks"}},
	{"company_crm", account.SectionCRM, tool.Text{RU: "взаиморасчёты с контрагентами", EN: "debts of counterparties"}},
	{"product", account.SectionGoods, tool.Text{RU: "каталог товаров", EN: "the catalogue of goods"}},
	{"store", account.SectionStores, tool.Text{RU: "склады", EN: "warehouses"}},
	{"organization", account.SectionOrganizations, tool.Text{RU: "юрлица", EN: "legal entities"}},
	{"counterparty", account.SectionCounterparties,
		tool.Text{RU: "поставщики и покупатели", EN: "suppliers and customers"}},
	{"customerorder", account.SectionOrders, tool.Text{RU: "заказы покупателей, в том числе просроченные",
		EN: "customer orders, overdue ones included"}},
	{"purchaseorder", account.SectionPurchases, tool.Text{RU: "заказы поставщикам", EN: "supplier orders"}},
	{"demand", account.SectionDemands, tool.Text{RU: "отгрузки", EN: "shipments"}},
	{"retaildemand", account.SectionRetail, tool.Text{RU: "розничные продажи", EN: "retail sales"}},
	{"move", account.SectionMoves, tool.Text{RU: "перемещения", EN: "transfers"}},
}

// extents are the API names of views of part of the objects.
var extents = map[string]string{"OWN": "own", "OWN_SHARED": "own_and_shared", "OWN_GROUP": "own_and_department",
	"OWN_GROUP_SHARED": "own_department_and_shared"}

// rightsInWords splits a connection's rights into those the employee has and those that are missing.
func rightsInWords(list []string) (has, missing []connector.Right) {
	has, missing = []connector.Right{}, []connector.Right{}
	admin := slices.Contains(list, account.RightAdmin)
	for _, w := range rightWords {
		r := connector.Right{Name: w.key, Section: w.section, Closes: w.closes}
		at := slices.IndexFunc(list, func(s string) bool { key, _, _ := strings.Cut(s, ":"); return key == w.key })
		switch {
		case admin:
			r.Extent = "all"
		case at >= 0:
			_, view, partial := strings.Cut(list[at], ":")
			if r.Extent = extents[view]; !partial || r.Extent == "" {
				r.Extent = "all"
			}
		default:
			missing = append(missing, r)
			continue
		}
		has = append(has, r)
	}
	return has, missing
}
