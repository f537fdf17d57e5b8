package lookup

import "testing"

func TestVerbsSayTheTypeOfDocuments(t *testing.T) { // rule R310
	check(t, map[string]string{
		"когда последний раз отгружали альфе": "documents {kinds:[demand],from:2025-11-23,to:2026-11-22," +
			"counterparties:[Альфа],limit:1}",
		"когда платила альфа": "documents {kinds:[paymentin,cashin],from:2025-11-23,to:2026-11-22," +
			"counterparties:[Альфа],limit:1}",
		"восток когда привозил": "documents {kinds:[supply],from:2025-11-23,to:2026-11-22," +
			"counterparties:[Восток],limit:1}",
		"кому отгружали вчера":               "documents {kinds:[demand],from:2026-11-21,to:2026-11-21}",
		"какие накладные пришли от востока":  "documents {kinds:[supply],counterparties:[Восток]}",
		"оплачен ли заказ покупателя 00012":  "document {kind:customerorder,number:00012}",
		"что за 00012 заказ":                 "[заказ покупателя 00012][заказ поставщику 00012]",
		"какие перемещения делала иванова":   "documents {kinds:[move],employees:[Иванова]}",
		"кто оформил заказ покупателя 00012": "document {kind:customerorder,number:00012}",
		"что перемещали на этой неделе": "analyze {measures:[quantity_transferred,transferred],by:[product]," +
			"from:2026-11-16,to:2026-11-22,order:[{field:quantity_transferred,direction:desc}]}",
	})
}

func TestDocumentsTakeAmountsAndLateness(t *testing.T) { // rule R310
	check(t, map[string]string{
		"заказы около 10 тысяч":        "documents {kinds:[customerorder],sum_from:9000,sum_to:11000}",
		"заказы между 5 и 10 тысячами": "documents {kinds:[customerorder],sum_from:5000,sum_to:10000}",
		"счёт на 5000 рублей": "documents {kinds:[invoiceout,invoicein],sum_from:5000," +
			"sum_to:5000}",
		"крупные отгрузки свыше 10 тысяч":           "documents {kinds:[demand],sum_from:10000.01}",
		"заказы, которые не отгрузили вовремя":      "overdue_orders {}",
		"поставки с опозданием":                     "documents {kinds:[purchaseorder],overdue:true}",
		"какие заказы поставщикам не пришли в срок": "documents {kinds:[purchaseorder],overdue:true}",
		"кто из клиентов не оплатил отгрузки":       "documents {kinds:[demand],unpaid:true}",
	})
}

func TestWhatDocumentsCannotBeSelectedByIsAsked(t *testing.T) { // rule R336
	check(t, map[string]string{
		"оплаченные заказы": "[заказы]",
		"paid orders":       "[orders]",
	})
}

func TestOrdersAreSelectedByTheirPlannedDay(t *testing.T) { // rule R511
	tomorrow := "documents {kinds:[customerorder],unshipped:true,due_from:2026-11-23,due_to:2026-11-23}"
	check(t, map[string]string{
		"что надо отгрузить завтра":   tomorrow,
		"что отгружать завтра":        tomorrow,
		"заказы к отгрузке на завтра": tomorrow,
		"orders to ship tomorrow":     tomorrow,
		"неотгруженные заказы за " +
			"вчера": "documents {kinds:[customerorder],from:2026-11-21,to:2026-11-21,unshipped:true}",
		"00012":                       "documents {number:00012}",
		"№ 15":                        "documents {number:15}",
		"orders waiting for shipping": "documents {kinds:[customerorder],unshipped:true}",
		"что нужно дозаказать":        "shortages {}",
		"какие товары пора заказывать": "shortages {}",
	})
}

func TestWhatGoodsLack(t *testing.T) { // rule R336
	lists := func(field string) string {
		return "analyze {measures:[sale_price],by:[product],where:[{field:" + field + ",op:is_empty}]}"
	}
	check(t, map[string]string{
		"у каких товаров не заполнен штрихкод": lists("barcode"), "позиции где не указан поставщик": lists("supplier"),
		"какие карточки без группы": lists("group"), "товары без закупочной цены": lists("card_purchase_price"),
		"products without a supplier": lists("supplier"),
	})
	for _, task := range []string{"есть товары без картинок?", "у каких товаров нет описания", "goods without a " +
		"photo"} {
		if r := read(task); r == nil || r.Refusal[0] == "" || !r.Complete() {
			t.Errorf("%s: %s", task, short(r))
		}
	}
}

func TestWhatIsExpectedByADay(t *testing.T) { // rule R312
	check(t, map[string]string{
		"что приедет завтра": "analyze {measures:[open_orders,expected_on],by:[document,counterparty]," +
			"where:[{field:expected_on," +
			"op:between,values:[2026-11-23,2026-11-23]}]}",
		"когда приход от востока": "documents {kinds:[purchaseorder],counterparties:[Восток],not_received:true}",
	})
}

func TestWhatToBuyUntilADay(t *testing.T) { // rule R313
	check(t, map[string]string{
		"чего докупить до нового года":               "shortages {days:40}",
		"что закупать на 30 дней":                    "shortages {days:30}",
		"что из посуды кончится до середины декабря": "shortages {groups:[Посуда],mode:running_out,days:24}",
	})
	if r := read("прогноз выручки на декабрь"); r == nil || r.Refusal[0] == "" {
		t.Errorf("a forecast of money: %s", short(r))
	}
}

func TestCardsOfCustomersAndSuppliers(t *testing.T) { // rules R314 and R337
	check(t, map[string]string{
		"когда альфа последний раз покупала": "counterparty {counterparty:Альфа}",
		"как зовут директора альфы":          "counterparty {counterparty:Альфа}",
		"сколько раз покупала альфа": "analyze {measures:[purchases_count,purchases_sum],by:[counterparty]," +
			"where:[{field:counterparty,op:in,values:[c1]}]}",
		"какие товары мы берём у востока": "analyze {measures:[quantity_received,purchases],by:[product]," +
			"where:[{field:counterparty,op:in,values:[c4]}],order:[{field:purchases,direction:desc}]}",
		"кто ведёт клиента альфа":   "[продажи «Альфа» по сотрудникам]",
		"перечисли статусы заказов": "reference {kind:states}",
		"статьи расходов":           "reference {kind:expense_items}",
		"кто у нас работает":        "reference {kind:employees}",
	})
}

// A phrase of one section means one thing.
func TestPhrasesAreUnique(t *testing.T) {
	for first, list := range lexicon {
		for i := range list {
			for k := range i {
				same := len(list[i].Words) == len(list[k].Words) &&
					list[i].Meaning.meaning != list[k].Meaning.meaning &&
					list[i].Exact == list[k].Exact
				for n := range list[i].Words {
					same = same && list[i].Forms[n] == list[k].Forms[n]
				}
				if same {
					t.Errorf("%q (%s) means %v and %v", list[i].Forms, first, list[k].Meaning, list[i].Meaning)
				}
			}
		}
	}
}

func TestDocumentsHaveAnOrder(t *testing.T) { // rule R1139
	const week = "from:2026-11-16,to:2026-11-22"
	check(t, map[string]string{
		"самые старые неоплаченные счета":     "documents {kinds:[invoiceout,invoicein],unpaid:true,order:oldest}",
		"отгрузки за неделю, сначала большие": "documents {kinds:[demand]," + week + ",order:largest}",
		"топ 5 отгрузок по сумме":             "documents {kinds:[demand],order:largest,limit:5}",
		"5 самых крупных отгрузок за неделю":  "documents {kinds:[demand]," + week + ",order:largest,limit:5}",
		"самый большой заказ за неделю":       "documents {kinds:[customerorder]," + week + ",order:largest,limit:1}",
		"biggest shipments": "documents {kinds:[demand],order:largest}",
		"unpaid customer invoices, oldest first": "documents {kinds:[invoiceout],unpaid:true," +
			"order:oldest}",
		"приёмки по плановой дате": "[приёмки]",
	})
}

func TestDocumentsAreCountedByGroup(t *testing.T) { // rule R1140
	check(t, map[string]string{
		"перемещения за неделю по складам":        "documents {kinds:[move],from:2026-11-16,to:2026-11-22,by:store}",
		"сколько заказов не отгружено по складам": "documents {kinds:[customerorder],unshipped:true,by:store}",
		"платежи по складам":                      "[платежи]",
	})
}

func TestTheLatestDocumentIsOpened(t *testing.T) { // rule R1142
	check(t, map[string]string{
		"что было в последней приёмке":  "document {kind:supply,number:}",
		"состав последней отгрузки":     "document {kind:demand,number:}",
		"what was in the last shipment": "document {kind:demand,number:}",
	})
}

func TestDaysToComeAreOfOrders(t *testing.T) { // rule R1143
	const tomorrow = "documents {kinds:[customerorder],unshipped:true,due_from:2026-11-23,due_to:2026-11-23}"
	check(t, map[string]string{
		"какие заказы отгружаем завтра": tomorrow, "что отгружаем завтра": tomorrow, "отгрузки на завтра": tomorrow,
	})
}

func TestDoneAndNotTheOther(t *testing.T) { // rule R1144
	check(t, map[string]string{
		"отгрузили а денег не пришло": "documents {kinds:[demand],unpaid:true}",
		"привезли но мы не заплатили": "documents {kinds:[supply],unpaid:true}",
		"заказали но не привезли":     "documents {kinds:[purchaseorder],not_received:true}",
		"сколько вернули поставщикам": "documents {kinds:[purchasereturn]}",
	})
}
