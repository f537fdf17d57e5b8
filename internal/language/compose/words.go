package compose

import (
	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/words"
)

// The words of measures and dimensions come from the catalogue; these are further ones that people use.
var measureWords = map[string][]string{
	"revenue": {"выручки", "продаж", "оборота", "наторговали", "наторговал", "заработали выручки", "продали на",
		"продали", "сколько продали",
		"продано", "продажи на сумму", "объем продаж", "сумма продаж", "продается", "продаются", "продают", "продавали",
		"продал", "продала", "реализация", "реализовали", "приносит", "приносят", "принесли", "принес", "купил",
		"купила", "покупает", "покупают", "sold", "sales revenue", "sell", "sells", "sellers", "sales volume"},
	"revenue profit receipts": {"итоги", "как дела", "отчет о работе", "как мы отработали", "как отработали",
		"как сработали", "how are we doing", "how did we do"},
	"quantity": {"продано штук", "штук продано", "количество продаж", "продажи в штуках", "сколько штук продали",
		"pieces sold", "how many pieces"},
	"receipts": {"чеков", "количество чеков", "сколько чеков", "сколько раз продали", "количество сделок",
		"сколько покупок", "receipts", "number of receipts", "transactions"},
	"receipts revenue": {"сколько продаж"},
	"profit": {"прибыли", "заработали", "заработок", "зарабатываем", "зарабатывает", "навар", "валовка",
		"валовая", "earn",
		"earned", "earnings"},
	"average_receipt": {"средняя сумма чека", "средняя покупка", "средняя продажа", "average check",
		"average sale"},
	"lines_per_receipt": {"товаров в чеке", "сколько позиций в чеке", "items per receipt"},
	"margin":            {"маржи", "маржой", "маржинальности", "рентабельности"},
	"returns": {"возвратов", "возвращали", "возвращают", "вернули", "сумма возвратов",
		"returned goods", "refunds"},
	"discount": {"скидок", "скидкой", "сумма скидок", "размер скидок", "скинули"},
	"stock": {"остатков", "осталось", "остался", "осталась", "в наличии", "наличие", "запасы",
		"товарные запасы", "on hand", "stock",
		"inventory", "in stock"},
	"reserve":    {"в резерве", "зарезервировано", "reserved"},
	"in_transit": {"в дороге", "in transit"},
	"free":       {"остаток с учетом резерва", "свободно", "доступно к продаже", "free stock"},
	"stock_cost": {"стоимость остатков", "сколько стоит склад", "остатки в деньгах", "склад в деньгах",
		"деньги в товаре",
		"заморожено в товаре", "на какую сумму товара", "на какую сумму остатков", "stock value", "inventory worth",
		"inventory value"},
	"balance":   {"деньги", "сколько денег", "денег на счетах", "остаток на счетах", "cash on hand", "cash", "money"},
	"money_out": {"потратили", "потрачено", "издержки", "затраты", "выплаты", "spent", "expenses"},
	"money_in": {"пришло денег", "получили денег", "поступило денег", "денег поступило", "money received",
		"оплаты от клиентов"},
	"net_flow":           {"ддс", "кэшфлоу"},
	"money_in money_out": {"приход и расход денег", "доходы и расходы", "поступления и расходы"},
	"purchases": {"закупок", "закупили", "закупаем", "купили", "покупаем", "сумма закупок", "bought",
		"buy", "purchased"},
	"deliveries": {"сколько приемок", "число приемок", "количество приемок"},
	"owed_to_us": {"должники", "должников", "дебиторки", "кто должен", "должен", "должна", "долги клиентов",
		"долги покупателей", "who owes us",
		"owes us", "owe us", "debtors"},
	"owed_by_us": {"кому мы должны", "мы должны", "должны поставщику", "должны поставщикам",
		"наши долги", "we owe"},
	"unpaid":    {"неоплачено", "неоплаченные заказы покупателей"},
	"unshipped": {"неотгружено", "неотгруженные заказы"},
	"days_since_sale": {"не продавался", "не продавались", "не продавалась", "дней без продажи",
		"не продается", "не продавалось", "без движения", "not sold for", "unsold for"},
	"last_sale":           {"когда последний раз продавали", "когда продавали последний раз", "когда продавали"},
	"last_purchase":       {"когда последний раз закупали", "когда закупали"},
	"last_purchase_price": {"по какой цене закупали", "по какой цене закупали в последний раз", "почем закупали"},
	"sale_price":          {"цена", "прайс", "прайс лист", "сколько стоит", "почем", "price", "prices", "price list"},
	"card_purchase_price": {"цена закупки в карточке", "cost price"},
	"days_of_cover":       {"запас в днях", "на сколько дней запаса", "на сколько хватит", "days of cover"},
	"pace": {"среднедневные продажи", "средние продажи в день", "продажи в день",
		"average daily sales"},
	"written_off": {"списаний", "списали", "списано", "write-offs", "written off"},
	"open_orders": {"едет", "едет к нам", "ждем от поставщиков", "ожидаем от поставщиков", "должно прийти"},
	"orders":      {"заказы покупателей", "сколько заказов", "количество заказов", "customer orders"},
	"days_since":  {"дней без покупок", "давно не покупали", "не покупал", "не покупали", "не заказывал"},
}

var dimensionWords = map[string][]string{
	"product": {"товары", "позиция", "позиции", "наименование", "номенклатура", "goods", "товаров", "товарам"},
	"store":   {"точка продаж", "точки продаж", "склады", "магазины", "точки", "филиал", "location", "outlet"},
	"group":   {"группы", "категории", "раздел"},
	"counterparty": {"who buys", "кто покупает", "кто купил", "кто больше всех покупает", "покупатели",
		"клиенты", "контрагенты", "заказчик", "buyer"},
	"employee": {"кто продал", "кто из продавцов", "кто из менеджеров", "кто из сотрудников", "сотрудники",
		"продавцы", "менеджеры", "manager", "кассир"},
	"day":           {"дни", "дням", "ежедневно", "daily"},
	"week":          {"недели", "неделям", "понедельно", "weekly"},
	"month":         {"месяцы", "месяцам", "помесячно", "ежемесячно", "monthly"},
	"weekday":       {"дни недели", "дням недели"},
	"hour":          {"часы", "часам", "hourly"},
	"kind":          {"виды товаров", "вид товара"},
	"expense_item":  {"статьи", "статьям"},
	"sales_channel": {"каналы", "каналам", "каналов", "каналы продаж"},
	"legal_entity":  {"юрлица", "юрлицам", "юридическое лицо", "организации"},
}

// ranked are words that name a measure and sort by it.
var ranked = []struct {
	measure string
	order   analysis.Direction
	phrases string
}{
	{"profit",
		analysis.Descending, "прибыльный, самый прибыльный, прибыльнее, доходный, самый доходный, profitable, most profitable"},
	{"margin", analysis.Descending, "маржинальный, самый маржинальный, рентабельный, самый рентабельный"},
	{"quantity",
		analysis.Descending, "продаваемый, самый продаваемый, ходовой, самый ходовой, популярный, " +
			"самый популярный, best selling, popular, most popular"},
	{"profit", analysis.Ascending, "убыточный, самый убыточный, неприбыльный, least profitable"},
	{"profit", analysis.Ascending, "теряем, теряем деньги, losing money"},
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
		"compared to, чем в, относительно, упал, вырос, снизился, растет, падает",
	share:     "доля, какая доля, какую долю, процент от общего, share, percentage of total",
	why:       "почему, за счет чего, из-за чего, причина, причины, why",
	per:       "по, в разрезе, в разбивке по, на каждый, для каждого, разбивка по, by, per, for each, by each, каждый, each",
	absent:    "без, нулевой, with no, without any",
	reverse:   "наоборот, в обратном порядке, reverse, the other way round",
	belowCost: "ниже закупки, ниже себестоимости, дешевле закупки, в убыток, below cost",
	joining:   "и, плюс, а также, and, plus",
}

var operators = map[analysis.Op]string{
	analysis.Greater:      "больше, более, выше, свыше, дороже, превышает, больше чем, more than, over, above, greater than, exceeding",
	analysis.GreaterEqual: "от, не меньше, не менее, не ниже, минимум, хотя бы, at least, from",
	analysis.Less:         "меньше, менее, ниже, дешевле, меньше чем, less than, under, below, fewer than",
	analysis.LessEqual:    "не больше, не более, не выше, максимум, at most, up to",
}

// comparatives are operators that sort, without a number.
var comparatives = words.Set("больше меньше more less")

// prepositions are operators that say nothing without a number.
var prepositions = words.Set("от from over up")

// unclear are phrases that mean something else than their words, and that no measure says.
const unclear = "profit and loss, stock turnover, оборачиваемость, чистая прибыль, net profit, прибыль и убытки"

// subjects are dimensions that a task may name without saying "by".
var subjects = words.Set("product variant group supplier store legal_entity counterparty employee sales_channel " +
	"expense_item account price_type abc xyz rfm")

// each are adverbs that break down by time.
var each = words.Set("помесячно понедельно ежедневно ежемесячно ежечасно daily weekly monthly hourly")

// debts are measures whose rows are what people ask for.
var debts = words.Set("owed_to_us owed_by_us debt_age our_debt_age days_since")

// agents are measures of documents that name the supplier themselves.
var agents = words.Set("purchases deliveries quantity_received purchase_price ordered purchase_orders not_received " +
	"open_orders expected_on money_out owed_by_us our_debt_age")

// The function words: harmless in every context, at most 150 a language.
const (
	functionRU = `а ну и же ли бы в во на за с со у к ко о об от до для из при про это тот то что чего чему чем чё
		всем кого кому как какой сколько кто мне меня мы мной нам нас наш мой мои твой свой я он она они
		его ее их вот там тут здесь туда оттуда есть был будет быть имеется покажи показать выведи
		вывести дай скажи подскажи посчитай назови перечисли посмотри глянь узнать интересует слушай
		давай короче значит хочу надо нужно можно можешь мог пожалуйста плиз привет здравствуйте добрый
		день вечер утро спасибо сейчас теперь текущий момент всего все весь вся всех общий итого целом
		вообще около где который сумма размер величина период времени течение среди столько обычно
		срочно быстро именно такой уже еще или да что-нибудь нибудь список отчет сводка данные обзор
		вместе также даже чтобы когда откуда куда идет лежит прошу`
	functionEN = `the a an of in on at for to is are was were be been do does did has have had what which who how
		much many me my our we us you i show give tell list get see find please can could would like want need there
		this that these those it its with total overall all any hi hello thanks thank report data figures now current
		currently right during over as so and then also just let s amount value sum number let's look check everything
		anything their they them or yet already still should will general overview where when`
)
