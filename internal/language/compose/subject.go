package compose

import (
	"slices"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/language/compose/typed"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// subject finds the measure of a task that names goods, a ranking or a condition, but no measure.
func (d *draft) subject() {
	if len(d.asked) > 0 || d.Previous != nil {
		return
	}
	switch cheaper := d.cheaper(); {
	case d.inEach != nil && !cheaper && len(d.q.Measures) == 0: // "лучший товар в каждой группе"
		if d.ask(d.usual()); d.ofWhichGoods() {
			d.replace("revenue", "stock")
		}
	case cheaper && (slices.Contains(d.q.By, "supplier") || slices.Contains(d.q.By, "counterparty")):
		d.q.By = []string{"counterparty"} // "какой поставщик дешевле"
		d.ask("purchase_price")
	case cheaper && (d.goods || slices.Contains(d.q.By, "product")):
		d.ask("sale_price")
	case d.mostGoods(): // "на каком складе больше всего чая"
		d.ask("stock")
	case d.whichOfGoods():
	case len(d.q.Measures) == 0 && len(d.q.By) == 0 && d.direction == "" && len(d.periods) == 0 && d.ofCountry():
		d.ask("stock", "sale_price")
	case d.whys && len(d.q.Measures) == 0 && (d.goods || len(d.q.By) > 0): // "какая точка тянет вниз"
		d.ask(d.usual())
	case d.busiest(): // "в какие часы покупателей меньше всего"
		d.ask("receipts")
	case len(d.q.By) == 0 && len(d.q.Measures) == 0 && d.named("abc"): // "какие товары в группе А"
		d.goods = true
		d.ask("revenue")
	case len(d.q.By) == 1 && len(d.q.Measures) == 0 && len(d.periods) > 0 && d.word(muchWords) && !d.hasUnexplained() &&
		soldBy[d.q.By[0]]: // "каналы продаж за октябрь, сколько по каждому"
		d.ask(d.usual())
	case len(d.q.By) > 0 && d.direction != "": // "кто больше всех покупает"
		d.ask(d.usual())
	case slices.Equal(d.q.By, []string{"hour"}) && len(d.q.Measures) == 0: // "когда пик"
		d.ask("receipts")
		d.direction = analysis.Descending
	case len(d.q.By) == 0 && d.goods && d.direction != "" && len(d.periods) == 0 && len(d.q.Measures) == 0 &&
		slices.ContainsFunc(d.Items, func(x *typed.Item) bool { return x.Kind == typed.Dimension && x.ID == "store" }):
		d.ask("stock") // "какого товара больше всего на складе"
	case len(d.q.By) == 0 && d.goods && d.direction != "":
		d.ask("revenue")
	case slices.Contains(d.q.By, "price_type") && (d.named("product") || d.named("group")):
		// "разница между оптом и розницей"
		d.ask("sale_price")
		d.compares, d.q.By = false, []string{"product", "price_type"}
		for _, it := range d.Items {
			it.Used = it.Used || it.Kind == typed.With || it.Kind == typed.Operator
		}
	case d.compares && len(d.q.Measures) == 0 && d.stems(priceRose) && (d.named("product") || d.named("group")):
		d.ask("purchase_price") // "на сколько подорожал кофе у поставщика"
		d.q.By = []string{"product"}
		for _, it := range d.Items {
			it.Used = it.Used || it.Kind == typed.Dimension && it.ID != "product"
		}
	// "какие товары просели"
	case d.compares && (d.goods || len(d.q.By) > 0 ||
		(len(d.periods) > 0 || d.rises() != d.falls() || d.relative != "") && !d.hasUnexplained()):
		d.ask(d.usual())
	case len(d.q.By) == 1 && len(d.q.Measures) == 0 && (soldBy[d.q.By[0]] || d.q.By[0] == "supplier") &&
		d.comparesRows() && !d.hasUnexplained():
		d.ask(d.usual()) // "сравни поставщиков"
	case d.separates && len(d.q.Measures) == 0 && len(d.q.Where) > 0 && !d.goods && !d.named("product") &&
		d.allows("revenue", d.q.Where[0].Field) && d.allows("profit", d.q.Where[0].Field):
		d.ask("revenue", "profit") // "сравни Витрину и Магазин на Мира"
	case d.lacksAt(): // "чего нет на Мира, но есть на Лесной": no query says that, but the rows show it
		d.ask("stock")
		d.q.By = []string{"product", "store"}
		d.instead = [2]string{"Отобрать товары, которых нет на одном складе и которые есть на другом, " +
			"одним запросом " +
			"нельзя. Показать остатки по этим складам рядом?", "Goods that one warehouse lacks and another has " +
			"cannot be selected by one query. Show the stock of these warehouses side by side?"}
		for _, it := range d.Items {
			it.Used = it.Used || it.Kind == typed.Absent
		}
	case len(d.q.Measures) == 0 && len(d.q.By) == 0 && len(d.periods) == 0 && d.inStores() &&
		slices.ContainsFunc(d.Items, func(it *typed.Item) bool { return is(it, typed.InMoney) }):
		d.ask("stock_cost") // "сколько всего на Лесной в деньгах"
	case d.reports():
		d.ask("revenue", "profit", "receipts")
	case slices.Equal(d.q.By, []string{"account"}) && len(d.q.Measures) == 0: // "касса", "счета"
		d.ask("balance")
	case len(d.q.Measures) == 0 && d.named("expense_item"): // "налоги за квартал"
		d.ask("money_out")
	case len(d.q.Measures) == 0 && len(d.q.By) == 0 && d.goods && d.ofGroup(): // "товары поставщика Восток"
		d.ask("stock", "sale_price")
	case len(d.q.Measures) == 0 && len(d.q.By) == 0 && d.ofNamed && d.ofGroup() && len(d.periods) == 0 &&
		d.direction == "" && !d.hasUnexplained(): // "ассортимент Чайного дома"
		d.ask("stock", "sale_price")
		d.q.By = []string{"product"}
	case len(d.q.Measures) > 0: // conditions alone: "товары дороже 500 рублей"
		d.asked = d.q.Measures
	case d.emptyField() && d.allows("sale_price", d.q.Where[0].Field): // "товары без артикула"
		d.ask("sale_price")
	case d.bothPrices():
		d.ask("sale_price")
	case len(d.periods) == 2 && len(d.q.By) == 0 && len(d.q.Measures) == 0 && d.toward(): // "ноябрь к октябрю"
		d.ask("revenue")
	case d.separates && len(d.q.Measures) == 0 && slices.Equal(d.q.By, []string{"weekday"}): // "будни против выходных"
		d.ask("revenue")
	case d.q.Share && len(d.q.Measures) == 0 && len(d.periods) == 0 && d.stems(warehouseStems) &&
		(len(d.q.Where) == 1 || len(d.q.By) == 1) && !d.hasUnexplained(): // "сколько процентов склада это текстиль"
		d.ask("stock_cost")
		for _, it := range d.Items {
			it.Used = it.Used || it.Kind == typed.Dimension && it.ID == "store"
		}
		d.q.By = slices.DeleteFunc(slices.Clone(d.q.By), func(by string) bool { return by == "store" })
	case d.q.Share && len(d.q.Measures) == 0 && len(d.q.By) > 0 && slices.ContainsFunc(d.q.By, d.ofTime) &&
		!d.hasUnexplained() && (len(d.q.By) == 2 && soldBy[d.q.By[0]] || len(d.q.By) == 1 && len(d.q.Where) == 1):
		d.ask(d.usual()) // "доля каналов по месяцам"
	case d.q.Share && len(d.q.Measures) == 0 && len(d.q.By) == 0 && len(d.q.Where) == 1 && !d.hasUnexplained() &&
		d.allows("revenue", d.q.Where[0].Field): // "доля маркетплейса"
		d.ask("revenue")
	case d.compares && len(d.q.By) == 0 && len(d.q.Measures) == 0 && whoWords[d.first()] &&
		d.falls() != d.rises(): // "кто стал брать больше"
		d.q.By = []string{"counterparty"}
		d.ask("revenue")
	case len(d.q.Measures) == 0 && slices.Equal(d.q.By, []string{"counterparty"}) && d.tradesWith():
		// "кто купил носки"
		d.ask("revenue")
	case d.pricesRose(): // "какие товары подорожали"
		d.ask("purchase_price")
		d.compares = true
		d.instead = [2]string{"Истории цен продажи в учёте нет. Показать, у каких товаров изменилась цена закупки?",
			"There is no history of selling prices. Show the goods whose purchase price changed?"}
	case d.namedInPeriod() != nil: // "посуда за октябрь", "Альфа за год"
		d.ask(d.namedInPeriod()...)
	case slices.Contains(d.q.By, "rfm"):
		d.q.By = []string{"rfm", "counterparty"}
		d.ask("days_since", "purchases_count", "purchases_sum")
	}
}

// namedInPeriod returns what a name and a past period alone ask for: the sales and the profit of what is named, with
// what was bought of a counterparty; what an item of expenses took (rule R834). Nil for any other task.
func (d *draft) namedInPeriod() []string {
	if len(d.q.Measures) > 0 || len(d.q.Where) != 1 || d.direction != "" || d.whys || d.compares ||
		len(d.q.By) > 0 && !d.ofTime(d.q.By[0]) || d.hasUnexplained() ||
		len(d.periods) == 0 && d.q.Where[0].Field != "sales_channel" && d.q.Where[0].Field != "project" {
		return nil
	}
	for _, it := range d.periods {
		before := ""
		if it.At > 0 {
			before = d.Tokens[it.At-1].Norm
		}
		if it.Period.From.IsZero() || it.Period.From.After(d.Today) || before == "на" || before == "к" {
			return nil
		}
	}
	w := d.q.Where[0]
	if w.Op != analysis.In || d.goods && w.Field != "product" {
		return nil
	}
	switch w.Field {
	case "expense_item":
		return []string{"money_out"}
	case "product":
		d.goods = d.goods || len(w.Values) > 1
		return []string{"revenue", "quantity"}
	case "counterparty": // of both sides, as far as the account has them
		if d.suppliers() {
			return []string{"revenue", "profit", "purchases"}
		}
	case "project":
		return []string{"revenue"}
	case "group", "store", "employee", "sales_channel", "legal_entity":
	default:
		return nil
	}
	return []string{"revenue", "profit"}
}

// comparesRows reports whether the task asks to compare the rows of a dimension: "сравни менеджеров".
func (d *draft) comparesRows() bool {
	for i, it := range d.Items {
		if is(it, typed.With) && is(d.neighbour(i, 1), typed.Dimension) {
			return true
		}
	}
	return false
}

// tradesWith reports whether the words for customers say that they bought: "кто купил", "кому продали".
func (d *draft) tradesWith() bool {
	return slices.ContainsFunc(d.Items, func(it *typed.Item) bool {
		return it.Kind == typed.Dimension && it.ID == "counterparty" && it.Used && it.End > it.At+1 &&
			(buyingStems[d.Tokens[it.End-1].Stem] || verbs[d.Tokens[it.End-1].Stem])
	})
}

// pricesRose reports whether the task asks which goods became dearer or cheaper, and names no price.
func (d *draft) pricesRose() bool {
	i := slices.IndexFunc(d.Items, func(it *typed.Item) bool { return priceRose[d.Tokens[it.End-1].Stem] })
	if i < 0 && !d.repriced || !d.goods && !d.asksFirst() || len(d.q.Measures) > 0 || len(d.q.By) > 0 {
		return false
	}
	if d.goods = true; i >= 0 {
		d.Items[i].Used = true
	}
	return true
}

var priceRose = token.Stems("подорожал подорожала подорожали подорожало подешевел подешевела подешевели подешевело")

// ofGroup reports whether goods are selected by their group or supplier.
func (d *draft) ofGroup() bool {
	return len(d.q.Where) > 0 && !slices.ContainsFunc(d.q.Where, func(w analysis.Condition) bool {
		return w.Field != "group" && w.Field != "supplier"
	})
}

var (
	muchWords = words.Set("сколько much")
	soldBy    = words.Set("expense_item sales_channel store employee counterparty group product legal_entity project")
)

// usual is the measure of a task that names none: of what it breaks down by.
func (d *draft) usual() string {
	switch {
	case slices.Contains(d.q.By, "expense_item"):
		return "money_out"
	case slices.Equal(d.q.By, []string{"account"}):
		return "balance"
	case slices.Equal(d.q.By, []string{"supplier"}), d.inEach != nil && d.inEach.ID == "supplier": // "топ поставщиков"
		return "purchases"
	}
	return "revenue"
}

// cheaper reports whether the task ranks by price: "какой поставщик дешевле".
func (d *draft) cheaper() bool {
	return d.direction != "" && slices.ContainsFunc(d.Items, func(it *typed.Item) bool {
		w := d.Tokens[it.At].Stem
		return it.Kind == typed.Operator && (w == token.StemOf("дороже") || w == token.StemOf("дешевле") ||
			w == "cheaper" || w == "dearer")
	})
}

// reports reports whether the task asks for a report of a period and nothing else: "отчёт за вчера".
func (d *draft) reports() bool {
	return len(d.periods) > 0 && len(d.q.By) == 0 && len(d.q.Where) == 0 && !d.goods && len(d.q.Measures) == 0 &&
		d.namesReport()
}

// namesReport reports whether the task has a word for a report of everything.
func (d *draft) namesReport() bool {
	return slices.ContainsFunc(d.Tokens, func(t token.Token) bool { return reportWords[t.Stem] })
}

var reportWords = token.Stems("отчет сводка обзор результаты показатели report summary overview results figures")

func (d *draft) emptyField() bool {
	return len(d.q.Where) > 0 && (d.q.Where[0].Op == analysis.IsEmpty || d.q.Where[0].Op == analysis.IsNotEmpty)
}
