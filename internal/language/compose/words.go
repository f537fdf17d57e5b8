package compose

import (
	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/words"
)

// The words of measures and dimensions come from the catalogue; these are further ones that people use.
var measureWords = map[string][]string{
	"revenue": {"sales", "продажах", "продажам", "продажами", "реализации", "наторговано", "сбыт", "торговля",
		"поторговали", "торгуем", "продаем", "продаете", "уходит", "расходится", "берут", "selling",
		"выручки", "продаж", "оборота", "наторговали", "наторговал", "заработали выручки", "продали на",
		"продали", "сколько продали",
		"продано", "продажи на сумму", "объем продаж", "сумма продаж", "продается", "продаются", "продают",
		"продавали",
		"продал", "продала", "реализация", "реализовали", "приносит", "приносят", "принесли", "принес", "купил",
		"купила", "покупает", "покупают", "sold", "sales revenue", "sell", "sells", "sellers", "sales volume"},
	"revenue profit receipts": {"итоги", "как дела", "отчет о работе", "как мы отработали", "как отработали",
		"как сработали", "как прошел", "как прошла", "how are we doing", "how did we do", "how was", "results"},
	"revenue cost profit money_out": {"profit and loss", "прибыль и убытки", "прибыли и убытки", "прибыли и убытках",
		"p l", "pnl", "опиу", "чистая прибыль", "net profit", "net income"},
	"cost": {"себестоимость проданного", "себестоимость продаж", "себестоимость проданных товаров",
		"cost of goods sold", "cogs"},
	"quantity": {"продано штук", "штук продано", "в штуках", "сколько единиц", "in pieces", "units", "pieces",
		"how many units", "how many sold", "количество продаж", "продажи в штуках", "сколько штук продали",
		"pieces sold", "how many pieces"},
	"receipts": {"чеков", "количество чеков", "сколько чеков", "сколько раз продали", "количество сделок",
		"сколько покупок", "покупок", "покупки", "сколько раз покупал", "сколько раз купили",
		"сколько раз покупали", "как часто покупает", "покупок", "покупки", "сколько раз покупал",
		"сколько раз купили", "сколько раз покупали", "как часто покупает", "receipts", "number of receipts",
		"transactions"},
	"receipts revenue": {"сколько продаж", "количество и сумма продаж", "how many sales"},
	"profit": {"валовая прибыль", "заработал", "заработала", "заработать", "маржинальная прибыль", "наварили",
		"профит", "прибыли", "заработали", "заработок", "зарабатываем", "зарабатывает", "навар", "валовка",
		"валовая", "earn",
		"earned", "earnings"},
	"average_receipt": {"средняя сумма чека", "средняя покупка", "средняя продажа", "average check",
		"average sale"},
	"lines_per_receipt": {"товаров в чеке", "сколько позиций в чеке", "items per receipt"},
	"margin": {"маржи", "маржой", "маржинальности", "рентабельности", "процент маржи", "рентабельность продаж",
		"profit margin", "gross margin"},
	"return_rate": {"доля возвратов", "процент возвратов", "возвратность"},
	"returns": {"возвратов", "возвращали", "возвращают", "вернули", "сумма возвратов",
		"возврат", "returned goods", "refunds", "returned"},
	"discount": {"скидок", "скидкой", "сумма скидок", "размер скидок", "скинули"},
	"stock": {"лежит на складе", "лежит", "остаток на складе", "запас", "остается", "осталась", "осталось",
		"остались",
		"left in stock", "have left", "left", "stock level", "stocks", "остатков", "остался", "в наличии",
		"наличие", "запасы",
		"товарные запасы", "on hand", "stock",
		"inventory", "in stock"},
	"reserve":    {"в резерве", "зарезервировано", "reserved"},
	"in_transit": {"в дороге", "in transit"},
	"free": {"остатки с учетом резерва", "остаток с учетом резерва", "остатки за вычетом резерва",
		"остаток минус резерв", "свободно", "свободные остатки",
		"доступно к продаже", "доступные остатки", "не в резерве", "free stock", "available stock", "free to sell"},
	"stock_cost": {"сколько стоит весь товар", "сколько стоит товар на складе", "стоимость товара",
		"стоимость товаров на складе", "остатки в себестоимости", "остатки по себестоимости",
		"себестоимость остатков", "себестоимость склада",
		"запасы в деньгах", "денег в товаре", "денег в остатках", "стоимость запасов",
		"стоимость товара на складе", "стоимость остатков", "сколько стоит склад", "остатки в деньгах",
		"склад в деньгах",
		"деньги в товаре",
		"заморожено в товаре", "на какую сумму товара", "на какую сумму остатков", "stock value", "inventory worth",
		"inventory value"},
	"balance": {"деньги", "сколько денег", "денег на счетах", "остаток на счетах", "cash on hand", "cash", "money"},
	"money_out": {"тратим", "тратили", "тратится", "ушли деньги", "уходят деньги", "потратили денег",
		"потратил", "потрачено денег", "ушло денег", "оплатили поставщикам", "заплатили", "платежи поставщикам",
		"outgoings",
		"costs paid", "потратили", "потрачено", "издержки", "затраты", "выплаты", "spent", "expenses"},
	"money_in": {"приход денег", "поступления денег", "поступления на счет", "входящие платежи",
		"оплат поступило", "пришло денег", "получили денег", "поступило денег", "денег поступило", "money received",
		"оплаты от клиентов"},
	"money_in money_out net_flow": {"ддс", "кэшфлоу", "движение денег", "движение денежных средств", "денежный поток",
		"cash flow", "cashflow", "приход и расход денег", "доходы и расходы", "поступления и расходы",
		"money in and out", "income and expenses"},
	"net_flow": {"сальдо денег", "чистый денежный поток", "net cash flow"},
	"purchases": {"закупок", "закупили", "закупаем", "купили", "покупаем", "сумма закупок", "bought",
		"buy", "purchased"},
	"deliveries":                  {"сколько приемок", "число приемок", "количество приемок", "number of deliveries"},
	"purchases deliveries":        {"приемки", "приемок"},
	"quantity_received purchases": {"приехало", "привезли", "приняли", "поступило на склад", "arrived", "delivered"},
	"ordered":                     {"=заказали", "=заказывали"},
	"not_received": {"не получили", "еще не получили", "не пришло", "еще не пришло",
		"недопоставили", "не довезли"},
	"first_sale purchases_sum": {"новые клиенты", "новых клиентов", "новые покупатели", "новых покупателей",
		"new customers",
		"new clients"},
	"revenue_per_day": {"выручка в день", "продажи в среднем в день", "выручка в среднем в день",
		"средняя выручка в день", "дневная выручка",
		"средняя дневная выручка", "average daily revenue", "revenue per day", "average revenue per day"},
	"profit_per_day": {"прибыль в день", "средняя прибыль в день", "дневная прибыль", "average daily profit",
		"profit per day"},
	"receipts_per_day": {"чеков в день", "продаж в день", "покупок в день", "receipts per day", "sales per day"},
	"owed_to_us": {"accounts receivable", "долги", "должники", "должников", "дебиторки", "кто должен", "должен",
		"должна", "долги клиентов",
		"долги покупателей", "who owes us",
		"owes us", "owe us", "debtors"},
	"owed_by_us": {"мы кому должны", "кому должны", "кому мы должны", "долг перед поставщиками",
		"долги перед поставщиками", "долги поставщикам", "whom do we owe", "do we owe", "accounts payable",
		"мы должны", "должны поставщику", "должны поставщикам",
		"наши долги", "we owe"},
	"unpaid":    {"неоплачено", "неоплаченные заказы покупателей"},
	"unshipped": {"неотгружено", "неотгруженные заказы"},
	"days_since_sale": {"не продавался", "не продавались", "не продавалась", "дней без продажи",
		"не продается", "не продаются", "не продавалось", "без движения", "not sold for", "unsold for",
		"not selling"},
	"last_sale":     {"когда последний раз продавали", "когда продавали последний раз", "когда продавали"},
	"last_purchase": {"когда последний раз закупали", "когда закупали"},
	"last_purchase_price last_purchase": {"по какой цене закупали", "по какой цене закупали в последний раз",
		"почем закупали",
		"почем брали", "по какой цене брали", "по какой цене брали в последний раз", "по чем закупали",
		"последняя закупочная цена", "по какой цене покупали"},
	"sale_price": {"=стоят", "=стоит", "цена", "цены", "прайс", "прайс лист", "прайслист", "сколько стоит",
		"почем", "ценник", "стоимость товаров",
		"price", "prices", "price list", "pricelist", "cost of items"},
	"card_purchase_price": {"цена закупки в карточке", "cost price", "закупочные цены", "buying price"},
	"price_markup":        {"наценка в прайсе", "наценка в карточке"},
	"days_of_cover":       {"запас в днях", "на сколько дней запаса", "на сколько хватит", "days of cover"},
	"pace": {"среднедневные продажи", "средние продажи в день", "продажи в день",
		"average daily sales"},
	"written_off": {"брак", "брака", "списаний", "списали", "списано", "write-offs", "written off"},
	"open_orders expected_on": {"едет", "едет к нам", "ждем от поставщиков", "ожидаем от поставщиков",
		"должно прийти", "ждем",
		"должны привезти", "когда поставка", "когда приедет", "когда привезут", "поставки ожидаются",
		"ожидаемые поставки",
		"ближайшие поставки", "expected deliveries", "incoming deliveries", "what is coming"},
	"orders": {"заказы покупателей", "сколько заказов", "количество заказов", "customer orders"},
	"days_in_stock": {"дней лежит", "сколько лежит", "залежался", "залежались", "лежат", "пролежал",
		"has been in stock"},
	"stock pace": {"без продаж", "ни разу не продавались", "ни разу не продали", "не было продаж", "нет продаж",
		"без движений",
		"no sales", "without sales", "had no sales", "never sold"},
	"days_since": {"без покупок", "ничего не покупали", "перестал покупать", "дней без покупок",
		"давно не покупали", "не покупал", "не покупали", "не заказывал"},
}

var dimensionWords = map[string][]string{
	"product": {"ассортимент", "артикулам", "products", "items", "товары", "позиция", "позиции", "наименование",
		"номенклатура", "goods", "товаров", "товарам"},
	"store": {"точка продаж", "точки продаж", "склады", "магазины", "точки", "филиал", "location", "outlet"},
	"group": {"группы", "категории", "раздел"},
	"counterparty": {"у кого", "кому продали", "кому продаем", "кому продавали", "customers", "clients",
		"buyers", "who bought", "who buys", "кто покупает", "кто купил", "кто больше всех покупает", "покупатели",
		"клиенты", "контрагенты", "заказчик", "buyer"},
	"employee": {"кто продал", "кто из продавцов", "кто из менеджеров", "кто из сотрудников", "сотрудники",
		"продавцы", "менеджеры", "manager", "кассир", "кассиры", "staff", "employees", "managers", "salesperson"},
	"day":     {"дни", "дням", "ежедневно", "daily"},
	"week":    {"недели", "неделям", "понедельно", "weekly"},
	"month":   {"месяцы", "месяцам", "помесячно", "ежемесячно", "monthly"},
	"weekday": {"дни недели", "дням недели", "день недели", "days of the week", "day of the week", "weekdays"},
	"hour": {"во сколько", "в какое время", "what time", "часы", "часам", "время суток", "время дня",
		"hourly", "time of day", "hours of the day", "hour of the day"},
	"quarter":       {"кварталы", "кварталам", "поквартально", "quarterly"},
	"year":          {"годы", "годам", "yearly"},
	"rfm":           {"rfm анализ", "rfm сегменты"},
	"state":         {"статусы", "статусам"},
	"tag":           {"группы клиентов", "группам клиентов", "группы покупателей", "сегменты клиентов"},
	"project":       {"проекты", "проектам"},
	"document":      {"накладные"},
	"country":       {"страны", "странам"},
	"account":       {"счета", "кассы", "счетам и кассам"},
	"unit":          {"единицы измерения"},
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
		analysis.Descending, "прибыльный, самый прибыльный, прибыльнее, доходный, самый доходный, profitable, " +
			"most profitable"},
	{"margin", analysis.Descending, "маржинальный, самый маржинальный, рентабельный, самый рентабельный"},
	{"quantity",
		analysis.Descending, "продаваемый, самый продаваемый, ходовой, самый ходовой, популярный, " +
			"самый популярный, best selling, bestselling, best sellers, bestsellers, top sellers, хиты продаж, " +
			"хит продаж, " +
			"лидеры продаж, popular, most popular"},
	{"quantity", analysis.Ascending, "непопулярный, worst sellers, worst selling, least popular, аутсайдеры продаж"},
	{"profit", analysis.Ascending, "самый убыточный, неприбыльный, наименее прибыльный, least profitable"},
	{"sale_price", analysis.Descending, "дорогой, самый дорогой, expensive, most expensive"},
	{"sale_price", analysis.Ascending, "дешевый, самый дешевый, cheapest"},
}

var phrases = map[kind]string{
	best: "лучше всего, лучше всех, чаще всего, чаще всех, чаще, лучше, побольше, топовый, по убыванию, " +
		"descending, most often, " +
		"рейтинг, rating, ranking, " +
		"лучший, больше всего, больше всех, наибольший, максимальный, самый большой, крупнейший, самый крупный, " +
		"самый высокий, best, top performing, most, highest, largest, biggest, greatest, лидер",
	worst: "реже всего, хуже, слабее всего, слабый, самый слабый, наихудший, по возрастанию, ascending, " +
		"худший, хуже всего, хуже всех, меньше всего, меньше всех, наименьший, минимальный, самый маленький, самый " +
		"низкий, антитоп, аутсайдер, worst, least, lowest, smallest",
	topRows: "топ, первые, top, first",
	except: "кроме, исключая, исключи, исключить, убери, не считая, за исключением, помимо, не учитывай, " +
		"не учитывая, не бери, leave out, except, except for, excluding, " +
		"exclude, without, besides, other than, apart from",
	only: "только, лишь, исключительно, оставь, оставь только, only, just",
	with: "сравни, сравнить, сравнение, по сравнению с, в сравнении с, против, vs, versus, compare, compared with, " +
		"compared to, in comparison with, чем в, чем за, относительно, по отношению к, к уровню, упал, вырос, " +
		"снизился, " +
		"просел, просели, просела, выросли, выросла, упали, упала, упало, выросло, снизились, снизилась, " +
		"снизилось, изменились, " +
		"изменилась, изменилось, растут, падают, подросли, отличается, отличаются, подрос, изменился, растет, " +
		"падает, разница, разница с, в чем разница, на сколько вырос, на сколько упал, " +
		"насколько вырос, насколько упал, насколько, на сколько, than, better than, worse than, grown, declined, " +
		"growth, difference, difference with, changed, grew, dropped, fell, up or down",
	share: "доля, доли, какая доля, какую долю, процент от общего, в процентах, сколько процентов, " +
		"какой процент, удельный вес, " +
		"структура, share, shares, percentage of total, what percentage, percent of total, proportion, breakdown",
	why: "почему, почему так, отчего, за счет чего, из-за чего, с чем связано, причина, причины, why, " +
		"why so, what caused, reason",
	per: "по, в разрезе, в разбивке по, на каждый, для каждого, разбивка по, by, per, for each, by each, " +
		"каждый, each",
	absent:   "без, нулевой, нет, отсутствует, не указан, не заполнен, with no, without any, zero, no",
	negative: "отрицательный, минусовой, в минусе, negative, below zero, ниже нуля, меньше нуля",
	nonzero: "без нулевых, без нулей, ненулевой, кроме нулевых, убери нулевые, скрой нулевые, without zeros, " +
		"non-zero, nonzero, hide zeros",
	sorting: "отсортируй, отсортировать, сортировка, упорядочи, сначала, sort, sort by, sorted by",
	trend:   "динамика, тренд, график, как менялся, как меняется, trend, over time, dynamics",
	overYear: "год к году, г/г, к прошлому году, с прошлым годом, с тем же периодом прошлого года, " +
		"с аналогичным периодом " +
		"прошлого года, с аналогичным периодом, аналогичный период прошлого года, чем в прошлом году, " +
		"чем год назад, " +
		"с тем же месяцем прошлого года, тот же месяц прошлого года, тот же период прошлого года, год назад, " +
		"прошлогодний, vs last year, " +
		"versus last year, against last year, compared to last year, compared with last year, " +
		"the same month last year, same month last year,  year over year, yoy, than last year, than a year ago, " +
		"same period last year",
	overMonth: "месяц к месяцу, к прошлому периоду, с предыдущим периодом, с прошлым периодом, " +
		"к предыдущему месяцу, " +
		"чем в прошлом, чем в предыдущем, than the last one, than the previous one, month over month, mom, " +
		"previous period, the period before, the month before, месяцем ранее, period over period",
	about:   "около, примерно, порядка, приблизительно, about, around, approximately, roughly",
	reverse: "наоборот, в обратном порядке, обратный порядок, reverse, reversed, the other way round",
	belowCost: "ниже закупки, ниже закупочной, ниже закупочной цены, ниже себестоимости, дешевле закупки, " +
		"дешевле себестоимости, " +
		"дешевле чем покупаем, дешевле чем закупаем, в убыток, в минус продаем, below cost, " +
		"below purchase price, under cost",
	losing: "убыточные, в минус, уходим в минус, lost us money, lost money, lose money, lose us money, " +
		"убыточный, в убытке, теряем, теряем деньги, losing money, loss-making, unprofitable, making a loss",
	// words that say nothing beside the noun that they belong to
	function: "дает, дают, дали, дал, дала, сделал, сделали, сделала, пробил, пробила, пробили, оформил, оформила, " +
		"выгрузи, выгрузить, сформируй, построй, рассчитай, дать, дайте, подскажите, проверь, проанализируй, " +
		"выдай, скока, скок, скоко, " +
		"щас, слушайте, hey, ok, okay, instead, вместо этого, pull, generate, провел, провела, пришло, " +
		"появилось, получилось, вышло, составил, составила, оказалось, рядом, одним абзацем, коротко, кратко, " +
		"в двух словах, " +
		"через, посредством, последний раз, в последний раз, просьба, заранее благодарю, заранее спасибо, come, " +
		"comes, comes from, " +
		"come from, made, brought, brings, bring, gives, gave, via, through, last time, in short, briefly, " +
		"one paragraph, in one paragraph",
	inMoney: "в деньгах, в рублях, в деньгах по себестоимости, на сумму, на какую сумму, in money, in rubles, " +
		"in roubles, by value, in value",
	everywhere: "по всем складам, на всех складах, все склады, всех складов, везде, всего, а всего, " +
		"по всей сети, во всех магазинах, " +
		"all warehouses, all stores, everywhere, everywhere else, in all stores, across all stores, overall",
	apart: "отдельно, по отдельности, раздельно, separately, individually",
	perDay: "в среднем в день, в среднем за день, среднее в день, в день в среднем, среднедневной, " +
		"per day on average, on average per day, " +
		"a day on average, average daily, daily average",
	joining: "и, плюс, а также, and, plus, as well as, also",
}

var operators = map[analysis.Op]string{
	analysis.Greater: "больше, более, выше, свыше, дороже, старше, превышает, больше чем, более чем, выше чем, " +
		"дороже чем, more than, " +
		"over, above, greater than, higher than, older than, longer than, exceeding, exceeds, dearer than, dearer",
	analysis.GreaterEqual: "от, не меньше, не менее, не ниже, не дешевле, минимум, хотя бы, начиная с, at least, " +
		"from, no less than, " +
		"not less than, minimum of",
	analysis.Less: "меньше, менее, ниже, дешевле, моложе, меньше чем, менее чем, ниже чем, дешевле чем, " +
		"less than, under, below, " +
		"fewer than, lower than, cheaper than, younger than",
	analysis.LessEqual: "не больше, не более, не выше, не дороже, не превышает, максимум, до, at most, up to, " +
		"no more than, " +
		"not more than, maximum of",
	analysis.Equal:   "ровно, равно, равен, exactly, equal to, equals",
	analysis.Between: "между, between",
}

// comparatives are operators that sort, without a number.
var comparatives = words.Set("больше меньше more less дороже дешевле выше ниже cheaper dearer")

// prepositions are operators that say nothing without a number.
var prepositions = words.Set("от from over up до между between старше")

// unclear are phrases that mean something else than their words, and that no measure says.
const unclear = "stock turnover, оборачиваемость, вместе с, покупают вместе, вместе, bought together, together, " +
	"together with, прогноз, forecast, если, бы, if, would, план, plan"

// carriers are verbs that say nothing where another measure is asked for: "приносит больше всего прибыли".
var carriers = stemSet("приносит приносят принесли принес brings bring brought made makes")

// subjects are dimensions that a task may name without saying "by".
var subjects = words.Set("product variant group supplier store legal_entity counterparty employee sales_channel " +
	"expense_item account price_type abc xyz rfm tag project state document")

// each are adverbs that break down by time.
var each = words.Set("поквартально quarterly yearly помесячно " +
	"понедельно ежедневно ежемесячно ежечасно daily weekly monthly hourly")

// debts are measures whose rows are what people ask for.
var debts = words.Set("owed_to_us owed_by_us debt_age our_debt_age days_since")

// agents are measures of documents that name the supplier themselves.
var agents = words.Set("purchases deliveries quantity_received purchase_price ordered purchase_orders not_received " +
	"open_orders expected_on money_out owed_by_us our_debt_age")

// The function words: harmless in every context, at most 150 a language.
const (
	functionRU = `а ну и же ли бы в во на за с со у к ко о об от для из при про это тот то что чего чему чем че
		всем кого кому как какой сколько кто мне меня мы мной нам нас наш мой мои твой свой я он она они
		его ее их вот там тут здесь туда оттуда есть был будет быть имеется покажи показать выведи
		вывести дай скажи подскажи посчитай назови перечисли посмотри глянь узнать интересует слушай
		давай короче значит хочу надо нужно можно можешь мог пожалуйста плиз привет здравствуйте добрый
		день вечер утро спасибо сейчас теперь текущий момент все весь вся всех общий итого целом
		вообще где который сумма размер величина период времени течение среди столько обычно
		срочно быстро именно такой уже еще или да что-нибудь нибудь список отчет сводка данные обзор
		через также даже чтобы напомни когда откуда куда идет лежит прошу`
	functionEN = `the a an of in on at for to is are was were be been do does did has have had what which who how
		much many me my our we us you i show give tell list get see find please can could would like want need there
		this that these those it its with total all any hi hello thanks thank report data figures now current
		currently right during over as so and then also just let s amount value sum number let's look check everything
		anything their they them or yet already still should will general overview where when remind`
)
