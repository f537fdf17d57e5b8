package compose

import (
	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/words"
)

// The words of measures and dimensions come from the catalogue; these are further ones that people use.
var measureWords = map[string][]string{
	"revenue": {"продаж", "выручки", "наторговали", "заработали выручки", "продали на", "продали", "сколько продали", "продано", "sold",
		"sales revenue", "оборот", "наторговал", "продал", "sell"},
	"quantity":            {"продано штук", "штук продано", "количество продаж", "продажи в штуках", "pieces sold"},
	"receipts":            {"чеков", "количество чеков", "число чеков", "сколько чеков", "продаж сделал", "receipts"},
	"profit":              {"прибыли", "заработали", "заработок", "навар", "валовка", "gross margin amount", "earn", "earned"},
	"average_receipt":     {"средняя сумма чека", "средний чек", "average check", "average sale"},
	"returns":             {"возврат", "возвратов", "возвращали", "сумма возвратов"},
	"discount":            {"скидка", "скидок", "сумма скидок", "размер скидок"},
	"stock":               {"остатков", "осталось", "в наличии", "наличие", "on hand", "stock", "inventory"},
	"free":                {"свободно", "остаток с учетом резерва", "остатки с учетом резерва", "free stock"},
	"stock_cost":          {"стоимость остатков", "сколько стоит склад", "деньги в товаре", "заморожено в товаре", "stock value"},
	"money_out":           {"расход денег", "расходов", "потратили", "потрачено", "издержки"},
	"money_in":            {"пришло денег", "получили денег", "money in"},
	"purchases":           {"закупок", "закупили", "купили", "приемки", "bought", "buy"},
	"owed_to_us":          {"должники", "должников", "дебиторская задолженность", "долги клиентов", "receivable"},
	"owed_by_us":          {"кредиторская задолженность", "наши долги", "payable"},
	"unpaid":              {"неоплачено", "неоплаченных заказов"},
	"days_since_sale":     {"дней без продажи", "без продаж"},
	"sale_price":          {"цена", "цены", "прайс", "price", "prices"},
	"card_purchase_price": {"закупочной цены", "закупка в карточке", "cost price"},
	"pace":                {"среднедневные продажи", "средние продажи в день", "продажи в день", "average daily sales"},
	"written_off":         {"списали", "списаний", "write-offs", "written off"},
	"open_orders":         {"едет", "едет к нам", "ждем от поставщиков", "ожидаем от поставщиков", "должно прийти"},
	"orders":              {"заказов покупателей", "customer orders"},
	"days_since":          {"дней без покупок", "давно не покупали"},
}

var dimensionWords = map[string][]string{
	"product":      {"товары", "позиция", "позиции", "наименование", "номенклатура", "goods", "sku"},
	"store":        {"склады", "магазины", "точки", "филиал", "location", "outlet"},
	"group":        {"группы", "категории", "раздел"},
	"counterparty": {"покупатели", "клиенты", "контрагенты", "заказчик", "buyer"},
	"employee":     {"сотрудники", "продавцы", "менеджеры", "manager", "кассир"},
	"day":          {"дни", "дням", "daily"},
	"week":         {"недели", "неделям", "weekly"},
	"month":        {"месяцы", "месяцам", "помесячно", "monthly"},
	"weekday":      {"дни недели", "дням недели"},
	"hour":         {"часы", "часам", "hourly"},
	"kind":         {"виды товаров", "вид товара"},
	"expense_item": {"статьи", "статьям"},
	"legal_entity": {"юрлица", "юридическое лицо", "организации"},
}

// ranked are words that name a measure and sort by it.
var ranked = []struct {
	measure string
	order   analysis.Direction
	phrases string
}{
	{"profit", analysis.Descending, "прибыльный, самый прибыльный, прибыльнее, доходный, самый доходный, profitable, most profitable"},
	{"margin", analysis.Descending, "маржинальный, самый маржинальный, рентабельный, самый рентабельный"},
	{"quantity", analysis.Descending, "продаваемый, самый продаваемый, ходовой, самый ходовой, популярный, самый популярный, best selling, best-selling, popular, most popular"},
	{"profit", analysis.Ascending, "убыточный, самый убыточный, неприбыльный, least profitable"},
	{"sale_price", analysis.Descending, "дорогой, самый дорогой, expensive, most expensive"},
	{"sale_price", analysis.Ascending, "дешевый, самый дешевый, cheapest"},
}

var phrases = map[kind]string{
	best: "лучший, больше всего, больше всех, наибольший, максимальный, самый большой, крупнейший, самый крупный, " +
		"самый высокий, best, most, highest, largest, biggest, greatest, лидер",
	worst: "худший, хуже всего, хуже всех, меньше всего, меньше всех, наименьший, минимальный, самый маленький, самый " +
		"низкий, антитоп, аутсайдер, worst, least, lowest, smallest",
	topRows: "топ, первые, top, first",
	except:  "кроме, исключая, не считая, за исключением, except, excluding, without, besides",
	only:    "только, лишь, исключительно, only, just",
	with: "сравни, сравнить, сравнение, по сравнению с, в сравнении с, против, vs, versus, compare, compared with, " +
		"compared to, чем в, относительно, изменение, изменился, упал, вырос, снизился, растет, падает, change, changed",
	share:   "доля, какая доля, какую долю, процент от общего, share, percentage of total",
	why:     "почему, за счет чего, из-за чего, причина, причины, why",
	per:     "по, в разрезе, в разбивке по, на каждый, для каждого, разбивка по, by, per, for each, by each, каждый, each",
	absent:  "без, нулевой, with no, without any",
	reverse: "наоборот, в обратном порядке, reverse, the other way round",
	joining: "и, плюс, а также, and, plus",
}

var operators = map[analysis.Op]string{
	analysis.Greater:      "больше, более, выше, свыше, дороже, превышает, больше чем, more than, over, above, greater than, exceeding",
	analysis.GreaterEqual: "от, не меньше, не менее, не ниже, минимум, хотя бы, at least, from",
	analysis.Less:         "меньше, менее, ниже, дешевле, меньше чем, less than, under, below, fewer than",
	analysis.LessEqual:    "не больше, не более, не выше, максимум, at most, up to",
}

// unclear are phrases that mean something else than their words, and that no measure says.
const unclear = "profit and loss, stock turnover, оборачиваемость, чистая прибыль, net profit, прибыль и убытки"

// ofNow are measures that are known only as of now, so that a period says nothing about them.
var ofNow = words.Set("stock free reserve in_transit available stock_cost stock_price days_in_stock minimum shortage " +
	"balance owed_to_us owed_by_us sale_price card_purchase_price minimum_price unit_cost open_orders expected_on " +
	"supplier_overdue_days overdue_days days_since purchases_count purchases_sum first_sale latest_sale debt_age")

// debts are measures whose rows are what people ask for.
var debts = words.Set("owed_to_us owed_by_us debt_age our_debt_age days_since")

// agents are measures of documents that name the supplier themselves.
var agents = words.Set("purchases deliveries quantity_received purchase_price ordered purchase_orders not_received " +
	"open_orders expected_on money_out owed_by_us our_debt_age")

// The function words: harmless in every context, at most 150 a language.
const (
	functionRU = `а ну и же ли бы в во на за с со у к ко о об от до для из по при про это этот эта эти этого то тот
		та те что чего чему как какой какая какое какие каких какую каким сколько кто у кого мне нам меня нас наш наша
		наше наши нашего нашей нашу мы я он она они его ее их вот там тут здесь есть был была было были будет быть
		имеет имеется покажи показать покажите выведи вывести дай дайте дать скажи подскажи расскажи посчитай
		посчитайте назови найди перечисли список отчет сводка данные информация хочу хочется надо нужно нужен нужна
		можно можешь могу пожалуйста плиз привет здравствуйте добрый день спасибо сейчас сегодняшний на данный момент
		всего все весь вся всю всех общий общая общее общую общие итого итог целом вообще примерно около где который
		которые которых которая сумма сумму размер величина период времени течение среди составляет составила`
	functionEN = `the a an of in on at for to from is are was were be been do does did has have had what which who how
		much many me my our we us you i show give tell list get see find please can could would like want need there
		this that these those it its with total overall all any hi hello thanks thank report data figures now currently
		right during over as so and then also just let s amount value sum number`
)
