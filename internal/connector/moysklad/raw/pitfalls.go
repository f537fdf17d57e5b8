package raw

import (
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/tool"
)

// The names of the traps that affect operations.
const (
	pitfallMinorUnits = "minor_units"
	pitfallNotEqual   = "not_equal_drops_empty"
	pitfallSearch     = "search_ignored"
	pitfallExpand     = "expand_above_100"
	pitfallNonEmpty   = "non_empty_by_default"
	pitfallArchived   = "archived_left_out"
	pitfallMinimum    = "minimum_not_in_lists"
	pitfallZeroCost   = "cost_zero_is_unknown"
	pitfallQuantity   = "quantity_counts_expected"
	pitfallStockDays  = "stock_days_only_extended"
	pitfallPeriod     = "default_period"
	pitfallTurnover   = "turnover_is_cost"
	pitfallMoney      = "credit_is_income"
	pitfallMoscow     = "moscow_time"
	pitfallDrift      = "paging_drifts"
	pitfallVisibility = "rights_hide_rows"
	pitfallRates      = "document_currency"
	pitfallStoreTree  = "store_trees"
	pitfallReturns    = "returns_apart"
	pitfallAbsent     = "absent_is_not_zero"
	pitfallPositions  = "positions_paged"
	pitfallCurrent    = "current_is_a_bare_array"
)

// Pitfalls are the behaviours of the API that give naive clients wrong results without an error.
var Pitfalls = []connector.Trap{
	{Name: pitfallMinorUnits, About: tool.Text{RU: "Суммы и цены — в копейках, и бывают дробными.",
		EN: "Amounts and prices are in minor units, and may be fractional."}},
	{Name: pitfallNotEqual, About: tool.Text{RU: "Фильтр «не равно» по статусу теряет документы без статуса: " +
		"перечислите нужные статусы и добавьте пустой.", EN: "A not-equal filter by state drops documents without a " +
		"state: name the wanted states and add the empty one."}},
	{Name: pitfallSearch, About: tool.Text{RU: "Параметр search у ассортимента и отчётов игнорируется: возвращается " +
		"весь список. Он работает внутри filter; совпадение строк всё равно надо проверять.",
		EN: "The search parameter is ignored by the assortment and by reports: the whole list comes back. It works inside filter; that rows match has to be checked all the same."}},
	{Name: pitfallExpand, About: tool.Text{RU: "expand и fields при limit больше 100 или без него молча не действуют.",
		EN: "expand and fields silently do nothing with a limit above 100 or without one."}},
	{Name: pitfallNonEmpty, About: tool.Text{RU: "Расширенный отчёт по умолчанию прячет товары с нулём доступного: " +
		"нужен filter quantityMode=all и stockMode=all.", EN: "By default the extended report hides goods of which " +
		"none is available: filter by quantityMode=all and stockMode=all."}},
	{Name: pitfallArchived, About: tool.Text{RU: "Архивное по умолчанию не возвращается нигде и в итоги не входит.",
		EN: "Archived things are left out everywhere by default, and out of totals."}},
	{Name: pitfallMinimum, About: tool.Text{RU: "Неснижаемого остатка по складам в обычных списках нет: он " +
		"запрашивается у сервера (fields=minimumStock или фильтр отчёта stockMode=underMinimum).",
		EN: "Minimum stock per warehouse is not in ordinary lists: ask the server for it (fields=minimumStock, or the report's filter stockMode=underMinimum)."}},
	{Name: pitfallZeroCost, About: tool.Text{RU: "Себестоимость 0 — это неизвестная, скрытая правами или " +
		"отрицательный остаток, а не ноль; маржа при ней выглядит как 100 %.", EN: "A cost of 0 is unknown, hidden " +
		"by rights, or of negative stock, and not zero; the margin then looks like 100 %."}},
	{Name: pitfallQuantity, About: tool.Text{RU: "quantity = остаток − резерв + ожидание: в нём и то, что ещё не " +
		"пришло.",
		EN: "quantity = stock − reserve + inTransit: it counts what has not arrived."}},
	{Name: pitfallStockDays, About: tool.Text{RU: "Дни на складе (stockDays) есть только в расширенном отчёте.",
		EN: "Days in stock (stockDays) are in the extended report alone."}},
	{Name: pitfallPeriod, About: tool.Text{RU: "Без обеих границ периода отчёт сам выбирает последний месяц или " +
		"начало года; «по» — это момент: день без времени значит его полночь.", EN: "Without both ends of the " +
		"period a report chooses the last month or the year's beginning by itself; the end is a moment: a day " +
		"without a time means its midnight."}},
	{Name: pitfallTurnover, About: tool.Text{RU: "Суммы оборотов — себестоимость, а не выручка.",
		EN: "The sums of the turnover are cost, not revenue."}},
	{Name: pitfallMoney, About: tool.Text{RU: "В движении денег credit — приход, debit — расход; balance — их " +
		"разность за отрезок, а не остаток.", EN: "In the flow of money credit is income and debit expense; balance " +
		"is their difference over the slice, not a balance."}},
	{Name: pitfallMoscow, About: tool.Text{RU: "Время — московское, без указания зоны.",
		EN: "Times are Moscow time, with no zone written."}},
	{Name: pitfallDrift, About: tool.Text{RU: "Страницы сдвигаются, пока данные меняются: задайте order по id, " +
		"убирайте повторы, сверяйте число строк с meta.size.", EN: "Pages drift while data change: order by id, " +
		"drop repeated rows, compare their number with meta.size."}},
	{Name: pitfallVisibility, About: tool.Text{RU: "Одни и те же запросы дают разным сотрудникам разные строки и " +
		"итоги; об этом ничто не говорит.", EN: "The same query gives different rows and totals to different " +
		"employees, and nothing says so."}},
	{Name: pitfallRates, About: tool.Text{RU: "Суммы документов — в валюте документа; без rate.value курс равен 1.",
		EN: "Sums of documents are in the document's currency; without rate.value the rate is 1."}},
	{Name: pitfallStoreTree, About: tool.Text{RU: "Расширенный и краткий отчёты по-разному считают вложенные " +
		"склады; storeId null — ничей резерв или ожидание.", EN: "The extended and the short reports treat nested " +
		"warehouses differently; storeId null is a reserve or expectation of no warehouse."}},
	{Name: pitfallReturns, About: tool.Text{RU: "Возвраты — в отдельных колонках и документах: sellSum — до их вычета.",
		EN: "Returns are in columns and documents of their own: sellSum is before them."}},
	{Name: pitfallAbsent, About: tool.Text{RU: "Отсутствующее поле — не заполнено, не разрешено или не запрошено; " +
		"это не ноль.", EN: "An absent field is not filled, not permitted or not asked for; it is not zero."}},
	{Name: pitfallPositions, About: tool.Text{RU: "Позиции внутри документа приходят не все: сверяйте их с " +
		"meta.size и дочитывайте.", EN: "The positions inside a document may not be all: compare them with " +
		"meta.size and read the rest."}},
	{Name: pitfallCurrent, About: tool.Text{RU: "Краткий отчёт — голый массив, без страниц; строк с нулём и цен в " +
		"нём нет.", EN: "The short report is a bare array without pages; rows of zero and prices are not in it."}},
	{Name: "accept_header", About: tool.Text{RU: "Accept: application/json — ошибка 1062; без gzip — 415 с пустым " +
		"телом. Шлюз ставит оба заголовка сам.", EN: "Accept: application/json is error 1062; without gzip comes " +
		"415 with an empty body. The gateway sets both headers itself."}},
	{Name: "retry_in_milliseconds", About: tool.Text{RU: "Ожидание после 429 — в миллисекундах и в " +
		"X-Lognex-Retry-After; нет заголовка — слишком много одновременных запросов.",
		EN: "The wait after a 429 is in milliseconds and in X-Lognex-Retry-After; no header means too many requests at once."}},
	{Name: "ids_are_not_uuids", About: tool.Text{RU: "Идентификаторы похожи на UUID, но не по RFC; в uuidHref — " +
		"другие, веб-интерфейса; в href отчётов бывает ?expand=….", EN: "Ids look like UUIDs and are not by the " +
		"RFC; uuidHref has other ones, of the web interface; hrefs of reports may end in ?expand=…."}},
	{Name: "create_without_syncid", About: tool.Text{RU: "Повтор создания без syncId создаёт второй документ.",
		EN: "A repeated create without syncId makes a second document."}},
	{Name: "put_replaces_positions", About: tool.Text{RU: "PUT с positions заменяет их все.",
		EN: "PUT with positions replaces all of them."}},
	{Name: "batch_partly_done", About: tool.Text{RU: "Пакетный запрос отвечает 400, хотя часть сохранена.",
		EN: "A batch answers 400 although part of it was saved."}},
	{Name: "failures_switch_off", About: tool.Text{RU: "Больше 200 одинаковых ошибок или 429 за минуту — и доступ " +
		"сотрудника к API отключают.", EN: "More than 200 identical failures or 429s in a minute switch the " +
		"employee's API access off."}},
}
