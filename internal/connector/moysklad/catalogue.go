package moysklad

import (
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/tool"
)

// fields are what a connection needs: a token and nothing like a password (specification, section 1, rule 1).
var fields = []connector.Field{
	{
		Name: "token", Title: tool.Text{RU: "Токен сотрудника", EN: "Employee token"}, Secret: true, Required: true,
		About: tool.Text{
			RU: "Создаётся в настройках МоегоСклада. Права агента — это права этого сотрудника. Логин и пароль не нужны и не принимаются.",
			EN: "Made in the settings of MoySklad. The agent's rights are that employee's rights. A login or a password is neither needed nor accepted.",
		},
	},
	{
		Name: "label", Title: tool.Text{RU: "Название", EN: "Label"},
		About: tool.Text{
			RU: "Как называть подключение; по умолчанию — имя первого юрлица. Аккаунты различаются не по нему, а по идентификатору аккаунта.",
			EN: "What to call the connection; the first legal entity's name by default. Accounts are told apart by their id and not by it.",
		},
	},
}

// limits are those of the specification, section 8, and the vendor's own.
var limits = []connector.Limit{
	{Name: "requests", Most: 6, Window: "1s", Over: "account", About: tool.Text{
		RU: "Все запросы аккаунта по всем его подключениям, за любую скользящую секунду (спецификация, раздел 8).",
		EN: "All requests of an account over all its connections, in any sliding second (specification, section 8).",
	}},
	{Name: "stock_reports", Most: 2, Window: "1s", Over: "account", About: tool.Text{
		RU: "Из них отчётов об остатках, report/stock/… (спецификация, раздел 8).",
		EN: "Of them stock reports, report/stock/… (specification, section 8).",
	}},
	{Name: "in_flight", Most: 5, Over: "employee", About: tool.Text{
		RU: "Одновременных запросов одного сотрудника: больше МойСклад не обслуживает.",
		EN: "Requests of one employee at once: MoySklad handles no more.",
	}},
	{Name: "units", Most: 45, Window: "3s", Over: "employee", About: tool.Text{
		RU: "Единиц бюджета МоегоСклада: расширенный отчёт об остатках стоит 5, прочие запросы с токеном сотрудника — от 2 до 4, по дате. Число и цены берутся из заголовков ответов, а не отсюда.",
		EN: "Units of MoySklad's own budget: an extended stock report costs 5, other requests with an employee token 2 to 4, by date. The number and the prices are learnt from its answers and not from here.",
	}},
}

// The names of traps that operations are prone to.
const (
	trapMinorUnits = "minor_units"
	trapNotEqual   = "not_equal_drops_empty"
	trapSearch     = "search_ignored"
	trapExpand     = "expand_above_100"
	trapNonEmpty   = "non_empty_by_default"
	trapArchived   = "archived_left_out"
	trapMinimum    = "minimum_not_in_lists"
	trapZeroCost   = "cost_zero_is_unknown"
	trapQuantity   = "quantity_counts_expected"
	trapStockDays  = "stock_days_only_extended"
	trapPeriod     = "default_period"
	trapTurnover   = "turnover_is_cost"
	trapMoney      = "credit_is_income"
	trapMoscow     = "moscow_time"
	trapDrift      = "paging_drifts"
	trapVisibility = "rights_hide_rows"
	trapRates      = "document_currency"
	trapStoreTree  = "store_trees"
	trapReturns    = "returns_apart"
	trapAbsent     = "absent_is_not_zero"
	trapPositions  = "positions_paged"
	trapCurrent    = "current_is_a_bare_array"
)

// traps are what makes naive clients wrong without any error (reference, section 11).
var traps = []connector.Trap{
	{Name: trapMinorUnits, About: tool.Text{RU: "Суммы и цены — в копейках, и бывают дробными.",
		EN: "Amounts and prices are in minor units, and may be fractional."}},
	{Name: trapNotEqual, About: tool.Text{RU: "Фильтр «не равно» по статусу теряет документы без статуса: перечислите нужные статусы и добавьте пустой.", EN: "A not-equal filter by state drops documents without a state: name the wanted states and add the empty one."}},
	{Name: trapSearch, About: tool.Text{RU: "Параметр search у ассортимента и отчётов игнорируется: возвращается весь список. Он работает внутри filter; совпадение строк всё равно надо проверять.", EN: "The search parameter is ignored by the assortment and by reports: the whole list comes back. It works inside filter; that rows match has to be checked all the same."}},
	{Name: trapExpand, About: tool.Text{RU: "expand и fields при limit больше 100 или без него молча не действуют.",
		EN: "expand and fields silently do nothing with a limit above 100 or without one."}},
	{Name: trapNonEmpty, About: tool.Text{RU: "Расширенный отчёт по умолчанию прячет товары с нулём доступного: нужен filter quantityMode=all и stockMode=all.", EN: "By default the extended report hides goods of which none is available: filter by quantityMode=all and stockMode=all."}},
	{Name: trapArchived, About: tool.Text{RU: "Архивное по умолчанию не возвращается нигде и в итоги не входит.",
		EN: "Archived things are left out everywhere by default, and out of totals."}},
	{Name: trapMinimum, About: tool.Text{RU: "Неснижаемого остатка по складам в обычных списках нет: он запрашивается у сервера (fields=minimumStock или фильтр отчёта stockMode=underMinimum).", EN: "Minimum stock per warehouse is not in ordinary lists: ask the server for it (fields=minimumStock, or the report's filter stockMode=underMinimum)."}},
	{Name: trapZeroCost, About: tool.Text{RU: "Себестоимость 0 — это неизвестная, скрытая правами или отрицательный остаток, а не ноль; маржа при ней выглядит как 100 %.", EN: "A cost of 0 is unknown, hidden by rights, or of negative stock, and not zero; the margin then looks like 100 %."}},
	{Name: trapQuantity, About: tool.Text{RU: "quantity = остаток − резерв + ожидание: в нём и то, что ещё не пришло.",
		EN: "quantity = stock − reserve + inTransit: it counts what has not arrived."}},
	{Name: trapStockDays, About: tool.Text{RU: "Дни на складе (stockDays) есть только в расширенном отчёте.",
		EN: "Days in stock (stockDays) are in the extended report alone."}},
	{Name: trapPeriod, About: tool.Text{RU: "Без обеих границ периода отчёт сам выбирает последний месяц или начало года; «по» — это момент: день без времени значит его полночь.", EN: "Without both ends of the period a report chooses the last month or the year's beginning by itself; the end is a moment: a day without a time means its midnight."}},
	{Name: trapTurnover, About: tool.Text{RU: "Суммы оборотов — себестоимость, а не выручка.",
		EN: "The sums of the turnover are cost, not revenue."}},
	{Name: trapMoney, About: tool.Text{RU: "В движении денег credit — приход, debit — расход; balance — их разность за отрезок, а не остаток.", EN: "In the flow of money credit is income and debit expense; balance is their difference over the slice, not a balance."}},
	{Name: trapMoscow, About: tool.Text{RU: "Время — московское, без указания зоны.",
		EN: "Times are Moscow time, with no zone written."}},
	{Name: trapDrift, About: tool.Text{RU: "Страницы сдвигаются, пока данные меняются: задайте order по id, убирайте повторы, сверяйте число строк с meta.size.", EN: "Pages drift while data change: order by id, drop repeated rows, compare their number with meta.size."}},
	{Name: trapVisibility, About: tool.Text{RU: "Одни и те же запросы дают разным сотрудникам разные строки и итоги; об этом ничто не говорит.", EN: "The same query gives different rows and totals to different employees, and nothing says so."}},
	{Name: trapRates, About: tool.Text{RU: "Суммы документов — в валюте документа; без rate.value курс равен 1.",
		EN: "Sums of documents are in the document's currency; without rate.value the rate is 1."}},
	{Name: trapStoreTree, About: tool.Text{RU: "Расширенный и краткий отчёты по-разному считают вложенные склады; storeId null — ничей резерв или ожидание.", EN: "The extended and the short reports treat nested warehouses differently; storeId null is a reserve or expectation of no warehouse."}},
	{Name: trapReturns, About: tool.Text{RU: "Возвраты — в отдельных колонках и документах: sellSum — до их вычета.",
		EN: "Returns are in columns and documents of their own: sellSum is before them."}},
	{Name: trapAbsent, About: tool.Text{RU: "Отсутствующее поле — не заполнено, не разрешено или не запрошено; это не ноль.", EN: "An absent field is not filled, not permitted or not asked for; it is not zero."}},
	{Name: trapPositions, About: tool.Text{RU: "Позиции внутри документа приходят не все: сверяйте их с meta.size и дочитывайте.", EN: "The positions inside a document may not be all: compare them with meta.size and read the rest."}},
	{Name: trapCurrent, About: tool.Text{RU: "Краткий отчёт — голый массив, без страниц; строк с нулём и цен в нём нет.", EN: "The short report is a bare array without pages; rows of zero and prices are not in it."}},
	{Name: "accept_header", About: tool.Text{RU: "Accept: application/json — ошибка 1062; без gzip — 415 с пустым телом. Шлюз ставит оба заголовка сам.", EN: "Accept: application/json is error 1062; without gzip comes 415 with an empty body. The gateway sets both headers itself."}},
	{Name: "retry_in_milliseconds", About: tool.Text{RU: "Ожидание после 429 — в миллисекундах и в X-Lognex-Retry-After; нет заголовка — слишком много одновременных запросов.", EN: "The wait after a 429 is in milliseconds and in X-Lognex-Retry-After; no header means too many requests at once."}},
	{Name: "ids_are_not_uuids", About: tool.Text{RU: "Идентификаторы похожи на UUID, но не по RFC; в uuidHref — другие, веб-интерфейса; в href отчётов бывает ?expand=….", EN: "Ids look like UUIDs and are not by the RFC; uuidHref has other ones, of the web interface; hrefs of reports may end in ?expand=…."}},
	{Name: "create_without_syncid", About: tool.Text{RU: "Повтор создания без syncId создаёт второй документ.",
		EN: "A repeated create without syncId makes a second document."}},
	{Name: "put_replaces_positions", About: tool.Text{RU: "PUT с positions заменяет их все.",
		EN: "PUT with positions replaces all of them."}},
	{Name: "batch_partly_done", About: tool.Text{RU: "Пакетный запрос отвечает 400, хотя часть сохранена.",
		EN: "A batch answers 400 although part of it was saved."}},
	{Name: "failures_switch_off", About: tool.Text{RU: "Больше 200 одинаковых ошибок или 429 за минуту — и доступ сотрудника к API отключают.", EN: "More than 200 identical failures or 429s in a minute switch the employee's API access off."}},
}

// rightWords are the rights that a connection shows, in the order of the role's settings. The right to see turnover has
// no key in context/employee: a closed report says so itself.
var rightWords = []struct {
	key     string
	section tool.Text
	closes  tool.Text
}{
	{rightCost, sectionCost, tool.Text{RU: "себестоимость, закупочные цены, прибыль и маржа",
		EN: "cost, purchase prices, profit and margin"}},
	{rightStock, sectionStock, tool.Text{RU: "краткий отчёт об остатках", EN: "the short stock report"}},
	{"pnl", sectionProfit, tool.Text{RU: "отчёт о прибыльности", EN: "the profitability report"}},
	{"dashboard", sectionDashboard, tool.Text{RU: "показатели продаж и заказов, движение денег",
		EN: "indicators of sales and orders, the flow of money"}},
	{"dashboardmoney", sectionMoney, tool.Text{RU: "остатки денег на счетах и в кассах",
		EN: "money on accounts and in cash desks"}},
	{"company_crm", sectionCRM, tool.Text{RU: "взаиморасчёты с контрагентами", EN: "debts of counterparties"}},
	{"product", sectionGoods, tool.Text{RU: "каталог товаров", EN: "the catalogue of goods"}},
	{"store", sectionStores, tool.Text{RU: "склады", EN: "warehouses"}},
	{"organization", sectionOrganizations, tool.Text{RU: "юрлица", EN: "legal entities"}},
	{"counterparty", tool.Text{RU: "Контрагенты", EN: "Counterparties (Контрагенты)"},
		tool.Text{RU: "поставщики и покупатели", EN: "suppliers and customers"}},
	{"customerorder", sectionOrders, tool.Text{RU: "заказы покупателей, в том числе просроченные",
		EN: "customer orders, overdue ones included"}},
	{"purchaseorder", sectionPurchases, tool.Text{RU: "заказы поставщикам", EN: "supplier orders"}},
	{"demand", sectionDemands, tool.Text{RU: "отгрузки", EN: "shipments"}},
	{"retaildemand", sectionRetail, tool.Text{RU: "розничные продажи", EN: "retail sales"}},
	{"move", sectionMoves, tool.Text{RU: "перемещения", EN: "transfers"}},
}

// extents are the view levels of part of the objects, as an API of ours names them.
var extents = map[string]string{"OWN": "own", "OWN_SHARED": "own_and_shared", "OWN_GROUP": "own_and_department",
	"OWN_GROUP_SHARED": "own_department_and_shared"}

// rightsInWords sorts a connection's rights into those the employee has and those that are missing.
func rightsInWords(list []string) (has, missing []connector.Right) {
	has, missing = []connector.Right{}, []connector.Right{}
	admin := slices.Contains(list, rightAdmin)
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
