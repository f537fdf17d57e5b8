package lookup

// lists are the phrases with a meaning. A phrase that begins with "=" counts only in that form; others in every
// inflection. IDs of documents are the types of the API; "order", "invoice", "payment" and "return" are several.
var lists = []struct {
	meaning meaning
	id      string
	phrases string
}{
	{document, "order", "заказ, заказы, order, orders, ордер заказа, заявка"},
	{document, "customerorder", "заказ покупателя, заказы покупателей, заказ клиента, заказы клиентов, " +
		"заказ от клиента, заказы от клиентов, заказы от покупателей, клиентские заказы, customer order, " +
		"customer orders, sales order, sales orders, orders from customers"},
	{document, "purchaseorder", "заказ поставщику, заказы поставщикам, заказы поставщику, заказы у поставщиков, " +
		"закупочные заказы, supplier order, supplier orders, purchase order, purchase orders, " +
		"orders to suppliers, PO, POs"},
	{document, "demand", "отгрузка, отгрузки, отгрузок, расходная накладная, расходные накладные, shipment, " +
		"shipments"},
	{document, "retaildemand", "розничная продажа, розничные продажи, чек, чеки, retail sale, retail sales, " +
		"receipt, receipts"},
	{document, "sale", "продажа, продажи, продаж, сделка, сделки, sale, sales, deal, deals"},
	{document, "return", "возврат, возвраты, возвратов, возвраты от покупателей, возвраты от клиентов, " +
		"возвраты клиентов, return, returns, refund, refunds"},
	{document, "salesreturn", "возврат покупателя, возвраты покупателей, customer return, customer returns"},
	{document, "retailsalesreturn", "розничный возврат, розничные возвраты, retail return, retail returns"},
	{document, "purchasereturn", "возврат поставщику, возвраты поставщикам, возвраты поставщику, " +
		"supplier return, supplier returns, returns to suppliers"},
	{document, "invoice", "=счет, =счёт, =счета, =счетов, =счетам, =счете, счет на оплату, счета на оплату, " +
		"счет-фактура, invoice, invoices, bill, bills"},
	{document, "invoiceout", "счет покупателю, счета покупателям, счет клиенту, счета клиентам, " +
		"выставленный счет, выставленные счета, исходящие счета, customer invoice, customer invoices, " +
		"invoices to customers, sales invoice, sales invoices, outgoing invoices"},
	{document, "invoicein", "счет поставщика, счета поставщиков, счета от поставщиков, полученные счета, " +
		"входящие счета, supplier invoice, supplier invoices, vendor bills, incoming invoices, " +
		"invoices from suppliers"},
	{document, "supply", "приемка, приемки, приемок, приемка товара, поступление товара, поступления товара, " +
		"поступления товаров, приходная накладная, приходные накладные, goods receipt, goods receipts, " +
		"receipts of goods, goods received"},
	{document, "supply", "поставка, поставки, поставок"},
	{document, "arrival", "поступление, поступления, поступлений, приход, приходы"},
	{document, "paper", "накладная, накладные, накладных, waybill, waybills, delivery notes"},
	{document, "payment", "платеж, платежи, платежей, оплата, оплаты, payment, payments"},
	{document, "paymentin", "входящий платеж, входящие платежи, incoming payment, incoming payments"},
	{document, "paymentout", "исходящий платеж, исходящие платежи, outgoing payment, outgoing payments"},
	{document, "paid-in", "оплата от, оплаты от, оплата от клиента, оплаты от клиентов, оплаты покупателей, " +
		"платежи от, payments from, payments received, customer payments"},
	{document, "paid-out", "платежи поставщикам, оплаты поставщикам, payments to, supplier payments"},
	{document, "cashin", "приходный ордер, приходные ордера, приходник, приходники, cash receipts"},
	{document, "cashout", "расходный ордер, расходные ордера, расходник, расходники, cash payments"},
	{document, "move", "перемещение, перемещения, перемещений, transfer, transfers"},
	{document, "loss", "списание, списания, списаний, write-off, write-offs, writeoffs"},
	{document, "enter", "оприходование, оприходования, оприходований"},
	{document, "inventory", "инвентаризация, инвентаризации, инвентаризаций, stocktaking, stocktakings, " +
		"stocktake, stocktakes, stock count, stock counts"},
	{document, "internalorder", "внутренний заказ, внутренние заказы, internal order, internal orders"},
	{document, "processing", "техоперация, техоперации, техопераций, производственная операция, " +
		"production operations"},
	{document, "any", "документ, документы, документов, document, documents"},

	{flag, "unpaid", "неоплаченный, не оплаченный, не оплачен, не оплачены, не оплачено, не оплатили, неоплата, " +
		"без оплаты, ждут оплаты, ожидают оплаты, ждет оплаты, к оплате, не полностью оплачены, " +
		"частично оплаченные, unpaid, not paid, outstanding, awaiting payment"},
	{flag, "unshipped", "неотгруженный, не отгруженный, не отгружен, не отгружены, не отгружено, не отгрузили, " +
		"к отгрузке, на отгрузку, надо отгрузить, нужно отгрузить, ждут отгрузки, ожидают отгрузки, unshipped, " +
		"not shipped, awaiting shipment, to ship, unfulfilled"},
	{flag, "notreceived", "не принят, не приняты, непринятые, не пришли, не пришел, не получены, не получен, " +
		"не приехали, not received, unreceived, awaiting delivery"},
	{flag, "overdue", "просрочен, просроченный, просрочены, просрочка, с просрочкой, опаздывают, overdue, " +
		"past due, late"},
	{flag, "posted", "проведенный, проведены, posted"},
	{flag, "draft", "непроведенный, не проведенный, не проведены, не проведен, unposted, not posted"},

	{state, "", "статус, в статусе, со статусом, какой статус, status, in status, with status, in state, " +
		"with state"},
	{stateName, "Новый", "новый, новые, новых, new"},
	{stateName, "Подтверждён", "подтвержденный, подтвержден, подтверждены, confirmed"},
	{stateName, "Собран", "собранный, собран, собраны, assembled, picked"},
	{stateName, "Отменён", "отмененный, отменен, отменены, отмена, cancelled, canceled"},
	{stateName, "Отгружен", "отгруженный, отгружен, отгружены, shipped"},
	{stateName, "Доставлен", "доставленный, доставлен, доставлены, delivered"},
	{stateName, "Выполнен", "выполненный, выполнен, выполнены, completed"},

	{last, "", "последний, последние, последних, крайний, крайние, последняя, последнюю, свежие, недавние, " +
		"last, latest, recent, most recent, newest"},
	{counting, "", "сколько, =сумма, =сумму, на какую сумму, на сумму, количество, how many, how much, " +
		"number of, total, amount of, всего, итого"},
	{asking, "", "какой, какие, каких, список, перечень, перечисли, покажи, открой, выведи, посмотреть, найди, " +
		"реестр, журнал, which, list, show, open, find, what, are there any, есть ли, были ли, были, было, был, " +
		"была"},
	{more, "", "больше, более, свыше, выше, дороже, крупнее, больше чем, more than, over, above, greater than, " +
		"bigger than, exceeding, larger than"},
	{older, "", "старше, старее, давнее, старше чем, older than, older, more than"},
	{less, "", "меньше, менее, ниже, дешевле, меньше чем, мельче, less than, under, below, smaller than"},
	{from, "", "=от, не меньше, не менее, начиная с, минимум, at least, from"},
	{upTo, "", "=до, не больше, не более, максимум, up to, at most, to"},
	{exactly, "", "на сумму, ровно, в размере, exactly, for the amount of"},
	{numbered, "", "номер, под номером, за номером, number, no, num"},
	{contents, "", "что в, что внутри, что было в, состав, содержимое, строки, позиции в, позиции, что за, " +
		"товары в, товары из, what's in, what is in, whats in, contents of, items in, items of, lines of, " +
		"details of, подробно, подробности"},
	{comment, "", "с комментарием, в комментарии, комментарий, комментарием, with comment, with the comment, " +
		"comment"},
	{agent, "", "=от, покупатель, покупателя, клиент, клиента, клиенту, контрагент, контрагента, контрагенту, " +
		"заказчик, поставщик, поставщика, поставщику, поставщиком, customer, client, supplier, vendor, " +
		"counterparty, склад, магазин, warehouse, store, shop, сотрудник, сотрудника, менеджер, менеджера, " +
		"employee, manager, юрлицо, by, по, товар, товара, товаром, product, item"},
	{joining, "", "и, а также, плюс, and, plus"},
	{every, "", "все, всех, всё, all"},
	{best, "", "самый большой, самые большие, самый крупный, самые крупные, крупнейший, biggest, largest"},

	{wish, "contacts", "телефон, номер телефона, телефоны, контакты, контакт, контактное лицо, почта, емейл, " +
		"имейл, e-mail, email, mail, адрес, инн, кпп, реквизиты, phone, phone number, contact, contacts, " +
		"contact details, address, tax id, как связаться, как позвонить, позвонить"},
	{wish, "balance", "баланс, взаиморасчеты, сальдо, акт сверки, balance of, balance with, balance"},
	{wish, "card", "карточка, карточку, досье, расскажи про, расскажи о, инфо, информация, информация о, " +
		"информация по, все про, все о, подробнее о, подробнее про, подробно про, что знаем о, что за товар, " +
		"что за клиент, что за поставщик, кто такой, card, tell me about, info, info on, info about, " +
		"information about, details on, details about, everything about, card of"},
	{wish, "identity", "штрихкод, штрих код, баркод, шк, артикул, код товара, код, barcode, article, sku, " +
		"item code, ean"},
	{wish, "supplier", "кто поставщик, поставщик у, какой поставщик, чей товар, who supplies, " +
		"who is the supplier, supplier of, supplier for"},
	{wish, "weight", "вес, весит, сколько весит, объем, габариты, размеры, weight, weigh, weighs, dimensions"},
	{wish, "price", "сколько стоит, сколько стоят, почем, по чем, почем у нас, какая цена, какая цена у, " +
		"цена на, how much is, how much does, price of, price for"},
	{wish, "paid", "цена закупки, закупочная цена, закупочные цены, закупочную цену, purchase price, " +
		"purchase price of, buying price, buying price of, cost price, cost price of, почем брали, " +
		"почем закупали, почем купили, почем покупали, за сколько брали, за сколько купили, " +
		"за сколько закупали, за сколько покупали, по какой цене брали, по какой цене купили, " +
		"по какой цене закупали, по какой цене покупали, цена последней закупки, последняя цена закупки, " +
		"последняя закупочная цена, last purchase price, last purchase price of, last buying price of, " +
		"what did we pay for, how much did we pay for, в последний раз, last time, the last time"},
	{wish, "rest", "страна, описание, ндс, фото, характеристики, минимальная цена, country of origin, " +
		"description, vat"},

	{buying, "", "что покупает, что покупают, что обычно покупает, что чаще покупает, что берет, что берут, " +
		"что обычно берет, что купил, что купила, что купили, что купило, что брал, что брала, что брали, " +
		"что заказывал, что заказывает, что чаще всего покупает, что больше всего покупает, что приобретал, " +
		"какие товары покупает, какие товары купил, что мы продали, что мы продаем, what does, what did, " +
		"what has, what do we sell to, what did we sell to"},
	{buying, "verb", "buy, bought, purchase, purchased, buying, usually, normally, typically, обычно, чаще, " +
		"чаще всего, покупает, купил, берет"},

	{expected, "", "что едет, что к нам едет, что едет к нам, едет к нам, едет, что в пути, в пути, " +
		"что в дороге, в дороге, что везут, что ждем, что мы ждем, что ожидаем, что мы ожидаем, ждем, ожидаем, " +
		"что должно прийти, должно прийти, что придет, что должны привезти, придет, придут, привезут, приедет, " +
		"приедут, приезжает, когда поставка, когда поставки, когда следующая поставка, следующая поставка, " +
		"ближайшая поставка, ближайшие поставки, ожидаемые поставки, ожидаемые приходы, ожидается, ожидаются, " +
		"поставка ожидается, жду, incoming, on the way, on its way, in transit, arriving, arrive, arrives, " +
		"expected, expect, expected deliveries, due to arrive, upcoming deliveries, next delivery, delivery, " +
		"deliveries, coming in, coming"},
	{forecast, "", "прогноз, прогноз продаж, прогноз спроса, прогнозируемые продажи, спрогнозируй, " +
		"сколько продадим, продадим, продадутся, продастся, сколько продастся, ожидаемые продажи, " +
		"ожидаемый спрос, спрос, какой будет спрос, forecast, sales forecast, forecast sales, " +
		"forecast of sales, demand forecast, predict, predict sales, predicted sales, expected sales, " +
		"sell next, will sell, will we sell, expected demand, demand"},
	{lasting, "", "на сколько хватит, насколько хватит, на сколько дней хватит, на долго хватит, " +
		"надолго хватит, сколько протянем, на сколько еще хватит, сколько еще хватит, when will run out, " +
		"when does run out, how long will last, how long does last, how many days of"},
	{lasting, "", "когда закончится, когда закончатся, когда кончится, когда кончатся, когда заканчивается"},
	{lasting, "when", "закончится, закончатся, кончится, run out, runs out"},
	{coming, "", "следующий, следующие, ближайший, ближайшие, предстоящий, вперед, next, coming, upcoming, " +
		"ahead, the next"},
	{enough, "", "хватит ли, хватит, хватает ли, протянем ли, will last, enough until, have enough, " +
		"is there enough, enough, do we have enough"},
	{running, "", "что закончится, что кончится, что может закончиться, какие товары закончатся, " +
		"что успеет закончиться, what will run out, what runs out, what is going to run out, " +
		"which products will run out"},
	{when, "", "когда, when, how long, скоро, soon, will, 'll, does"},
	{service, "service", "услуга, услуги, услуг, service, services"},
	{service, "bundle", "комплект, комплекты, комплектов, наборы, bundle, bundles, kits"},
	{without, "", "без, не указан, не заполнен, нет, without, with no, missing, lacking, no"},
	{goods, "", "=товары, =товаров, =товарам, =товарах, =позиции, =позиций, номенклатура, =products, goods, " +
		"=items, что, продаем, оказываем, предлагаем, торгуем, sell, offer"},
	{prices, "", "цена, цены, цен, прайс, прайс-лист, прайслист, ценник, ценники, price list, pricelist, price, " +
		"prices"},
	{priceType, "опт", "опт, оптом, оптовый, оптовые, оптовая, оптовых, wholesale, trade"},
	{priceType, "розн", "розница, розничный, розничные, розничная, розничных, retail"},
	{customers, "", "клиенты, клиентов, покупатели, покупателей, customers, clients, buyers"},
	{rfm, "", "rfm, рфм, rfm анализ, рфм анализ, rfm сегменты, rfm analysis, rfm segments, rfm сегментация, " +
		"сегментация клиентов, сегменты клиентов, customer segments, customer segmentation"},

	{kindOf, "stores", "=склады, =складов, =магазины, =магазинов, точки продаж, =warehouses, =stores, =shops, " +
		"locations"},
	{kindOf, "employees", "=сотрудники, =сотрудников, =менеджеры, =менеджеров, =продавцы, =продавцов, персонал, " +
		"=employees, staff, =managers, sellers"},
	{kindOf, "suppliers", "=поставщики, =поставщиков, =поставщикам, =suppliers, =vendors"},
	{kindOf, "counterparties", "=контрагенты, =контрагентов, =клиенты, =покупатели, =клиентов, =покупателей, " +
		"=counterparties, =customers, =clients"},
	{kindOf, "groups", "группы товаров, товарные группы, категории товаров, =группы, =категории, группы, " +
		"product groups, product categories, groups of goods, categories, groups"},
	{kindOf, "price_types", "типы цен, виды цен, price types, types of prices, price lists"},
	{kindOf, "sales_channels", "каналы продаж, =каналы, каналов продаж, sales channels, channels"},
	{kindOf, "organizations", "=юрлица, =юрлиц, юр лица, юридические лица, =организации, наши организации, " +
		"наши компании, наши юрлица, legal entities, our companies, organizations"},
}

// typesOf are the types of documents of the words that mean several.
var typesOf = map[string][]string{
	"order": {"customerorder"}, "invoice": {"invoiceout", "invoicein"}, "sale": {"demand", "retaildemand"},
	"return": {"salesreturn", "retailsalesreturn"}, "paper": {"demand", "supply"},
	"payment": {"paymentin", "paymentout", "cashin", "cashout"}, "paid-in": {"paymentin", "cashin"},
	"paid-out": {"paymentout", "cashout"}, "any": nil,
}

// numberedTypes are the types that share numbers: a number alone does not say which is meant.
var numberedTypes = map[string][]string{
	"order": {"customerorder", "purchaseorder"}, "invoice": {"invoiceout", "invoicein"},
	"return": {"salesreturn", "retailsalesreturn"}, "paper": {"demand", "supply"}, "sale": {"demand", "retaildemand"},
	"payment": {"paymentin", "paymentout", "cashin", "cashout"}, "paid-in": {"paymentin", "cashin"},
	"paid-out": {"paymentout", "cashout"},
}

// titles are the types in tasks that offer them, in the singular.
var titles = map[string][2]string{
	"customerorder": {"заказ покупателя", "customer order"}, "purchaseorder": {"заказ поставщику", "supplier order"},
	"invoiceout": {"счёт покупателю", "customer invoice"}, "invoicein": {"счёт поставщика", "supplier invoice"},
	"demand": {"отгрузка", "shipment"}, "supply": {"приёмка", "goods receipt"},
	"retaildemand": {"розничная продажа", "retail sale"}, "salesreturn": {"возврат покупателя", "customer return"},
	"retailsalesreturn": {"розничный возврат", "retail return"},
	"paymentin":         {"входящий платёж", "incoming payment"}, "paymentout": {"исходящий платёж",
		"outgoing payment"},
	"cashin": {"приходный ордер", "cash receipts"}, "cashout": {"расходный ордер", "cash payments"},
}
