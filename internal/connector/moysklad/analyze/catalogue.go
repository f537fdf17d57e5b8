// Package analyze answers queries over a MoySklad account: it declares what can be asked and reads the facts with the
// fewest requests, from the vendor's reports where they suffice and from documents where they do not.
package analyze

import (
	"slices"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

// The bases. Sums are in main units of the account currency.
const (
	sales            analysis.Base = "sales"
	returns          analysis.Base = "returns"
	quantitySold     analysis.Base = "quantity_sold"
	quantityReturned analysis.Base = "quantity_returned"
	receipts         analysis.Base = "receipts" // documents of sale
	saleLines        analysis.Base = "sale_lines"
	discounts        analysis.Base = "discounts"
	costs            analysis.Base = "costs"   // of the covered revenue
	covered          analysis.Base = "covered" // the revenue whose cost is known

	orderCount      analysis.Base = "order_count"
	orderSum        analysis.Base = "order_sum"
	orderShipped    analysis.Base = "order_shipped"
	orderPaid       analysis.Base = "order_paid"
	purchaseCount   analysis.Base = "purchase_count"
	purchaseSum     analysis.Base = "purchase_sum"
	purchaseReceipt analysis.Base = "purchase_received"
	supplyCount     analysis.Base = "supply_count"
	supplySum       analysis.Base = "supply_sum"
	supplyQuantity  analysis.Base = "supply_quantity"

	inStock     analysis.Base = "in_stock"
	inReserve   analysis.Base = "in_reserve"
	onTheWay    analysis.Base = "on_the_way"
	stockAtCost analysis.Base = "stock_at_cost"
	stockAtSale analysis.Base = "stock_at_sale"
)

// The dimensions.
const (
	dimProduct      = "product"
	dimVariant      = "variant"
	dimKind         = "kind"
	dimGroup        = "group"
	dimSupplier     = "supplier"
	dimUnit         = "unit"
	dimStore        = "store"
	dimLegalEntity  = "legal_entity"
	dimCounterparty = "counterparty"
	dimEmployee     = "employee"
	dimChannel      = "sales_channel"
	dimProject      = "project"
	dimContract     = "contract"
	dimDocumentType = "document_type"
	dimDocument     = "document"
)

var (
	ofGoods     = []string{dimProduct, dimVariant, dimKind, dimGroup, dimSupplier, dimUnit}
	ofDocuments = []string{dimStore, dimLegalEntity, dimCounterparty, dimEmployee, dimChannel, dimProject, dimContract,
		dimDocumentType, dimDocument}
	ofTime    = []string{"day", "week", "month", "quarter", "year"}
	recurring = []string{"weekday", "hour"}

	// Retail sales do not name their channel; only the profitability report knows it.
	ofSales    = slices.DeleteFunc(slices.Clone(ofDocuments), func(d string) bool { return d == dimChannel })
	overSales  = slices.Concat(ofGoods, ofSales, ofTime, recurring)
	overReport = slices.Concat(ofGoods, ofDocuments, ofTime, recurring)
	// The profitability report gives costs by goods, or by one of employee, counterparty and channel; the planner
	// refuses what it cannot combine.
	overCosts = slices.Concat(ofGoods, []string{dimStore, dimLegalEntity, dimCounterparty, dimEmployee, dimChannel},
		ofTime)
	overOrders = slices.Concat(ofDocuments, ofTime, recurring)
	overSupply = overSales
	overStock  = slices.Concat(ofGoods, []string{dimStore})
)

func words(ru, en string) tool.Text { return tool.Text{RU: ru, EN: en} }

func called(ru []string, en ...string) analysis.Words { return analysis.Words{RU: ru, EN: en} }

// Catalogue is what can be asked of an account.
var Catalogue = &analysis.Catalogue{
	Measures:   slices.Concat(saleMeasures(), orderMeasures(), purchaseMeasures(), stockMeasures()),
	Dimensions: dimensions(),
	Quantities: []analysis.Base{quantitySold, quantityReturned, supplyQuantity, inStock, inReserve, onTheWay},
}

// sub returns x − y, unknown unless both are known. A fact that has one of them has the other, if only as zero.
func sub(x, y analysis.Base) func(analysis.Sums) decimal.Maybe {
	return func(of analysis.Sums) decimal.Maybe {
		a, b := of(x), of(y)
		if !a.Known || !b.Known {
			return decimal.Maybe{}
		}
		return decimal.Some(a.Sub(b.Decimal))
	}
}

// ratio returns x ÷ y × factor, unknown unless both are known and y is positive.
func ratio(x, y func(analysis.Sums) decimal.Maybe, factor decimal.Decimal) func(analysis.Sums) decimal.Maybe {
	return func(of analysis.Sums) decimal.Maybe {
		a, b := x(of), y(of)
		if !a.Known || !b.Known || b.Sign() <= 0 {
			return decimal.Maybe{}
		}
		return decimal.Some(a.Mul(factor).Div(b.Decimal))
	}
}

func just(b analysis.Base) func(analysis.Sums) decimal.Maybe {
	return func(of analysis.Sums) decimal.Maybe { return of(b) }
}

func saleMeasures() []analysis.Measure {
	profit := func(of analysis.Sums) decimal.Maybe {
		c, r := of(costs), of(covered)
		if !c.Known || !r.Known {
			return decimal.Maybe{}
		}
		return decimal.Some(r.Sub(c.Decimal))
	}
	return []analysis.Measure{
		{Name: "revenue", Title: words("Выручка − возвраты", "Net revenue"), Unit: tool.UnitMoney, Adds: true,
			Formula: words("продажи минус возвраты", "sales minus returns"),
			Words:   called([]string{"выручка", "продажи", "оборот"}, "revenue", "net sales", "turnover"),
			Bases:   []analysis.Base{sales, returns}, Of: sub(sales, returns), Over: overReport},
		{Name: "sales", Title: words("Продажи", "Sales"), Unit: tool.UnitMoney, Adds: true,
			Formula: words("отгрузки и розничные продажи до возвратов", "shipments and retail sales before returns"),
			Words:   called([]string{"продажи без возвратов"}, "gross sales"),
			Bases:   []analysis.Base{sales}, Over: overReport},
		{Name: "returns", Title: words("Возвраты", "Returns"), Unit: tool.UnitMoney, Adds: true,
			Formula: words("возвраты покупателей", "customer returns"),
			Words:   called([]string{"возвраты"}, "returns"),
			Bases:   []analysis.Base{returns}, Over: overReport},
		{Name: "return_rate", Title: words("Доля возвратов", "Return rate"), Unit: tool.UnitPercent, Places: 1,
			Formula: words("возвраты ÷ продажи", "returns ÷ sales"),
			Words:   called([]string{"доля возвратов", "процент возвратов"}, "return rate"),
			Bases:   []analysis.Base{returns, sales}, Of: ratio(just(returns), just(sales), decimal.Hundred),
			Over: overReport},
		{Name: "quantity", Title: words("Количество", "Quantity"), Unit: tool.UnitQuantity, Adds: true,
			Formula: words("продано минус возвращено", "sold minus returned"),
			Words:   called([]string{"количество", "штук", "сколько продано"}, "quantity", "units sold"),
			Bases:   []analysis.Base{quantitySold, quantityReturned}, Of: sub(quantitySold, quantityReturned),
			Over: overSales},
		{Name: "quantity_returned", Title: words("Возвращено", "Returned"), Unit: tool.UnitQuantity, Adds: true,
			Formula: words("возвращённое количество", "quantity returned"),
			Words:   called([]string{"возвращено"}, "quantity returned"),
			Bases:   []analysis.Base{quantityReturned}, Over: overSales},
		{Name: "receipts", Title: words("Чеков и отгрузок", "Receipts"), Unit: tool.UnitCount, Adds: true,
			Formula: words("число документов продажи", "number of documents of sale"),
			Caution: words("по товарам чек стоит в строке каждого своего товара, а в итоге — один раз",
				"by goods, a receipt is in the row of each of its goods, and once in the total"),
			Words: called([]string{"чеки", "число продаж"}, "receipts", "number of sales"),
			Bases: []analysis.Base{receipts}, Over: overReport},
		{Name: "average_receipt", Title: words("Средний чек", "Average receipt"), Unit: tool.UnitMoney, Places: 2,
			Formula: words("продажи ÷ число чеков", "sales ÷ number of receipts"),
			Words:   called([]string{"средний чек"}, "average receipt", "average order value"),
			Bases:   []analysis.Base{sales, receipts}, Of: ratio(just(sales), just(receipts), decimal.One),
			Over: overOrders},
		{Name: "lines_per_receipt", Title: words("Позиций в чеке", "Lines per receipt"), Unit: tool.UnitCount,
			Places:  2,
			Formula: words("позиции ÷ число чеков", "lines ÷ number of receipts"),
			Words:   called([]string{"позиций в чеке", "глубина чека"}, "lines per receipt"),
			Bases:   []analysis.Base{saleLines, receipts}, Of: ratio(just(saleLines), just(receipts), decimal.One),
			Over: slices.Concat(ofSales, ofTime, recurring)},
		{Name: "average_price", Title: words("Средняя цена", "Average price"), Unit: tool.UnitMoney, Places: 2,
			Formula: words("продажи ÷ проданное количество", "sales ÷ quantity sold"),
			Words:   called([]string{"средняя цена"}, "average price"),
			Bases:   []analysis.Base{sales, quantitySold}, Of: ratio(just(sales), just(quantitySold), decimal.One),
			Over: overSales},
		{Name: "discount", Title: words("Скидки", "Discounts"), Unit: tool.UnitMoney, Adds: true,
			Formula: words("сумма по ценам до скидки минус продажи", "sum at prices before discount minus sales"),
			Words:   called([]string{"скидки"}, "discounts"),
			Bases:   []analysis.Base{discounts}, Over: overSales},
		{Name: "cost", Title: words("Себестоимость", "Cost"), Unit: tool.UnitMoney, Adds: true, With: "cost_coverage",
			Formula: words("себестоимость проданного минус возвращённого", "cost of goods sold minus returned"),
			Words:   called([]string{"себестоимость"}, "cost"),
			Bases:   []analysis.Base{costs}, Over: overCosts},
		{Name: "profit", Title: words("Прибыль", "Profit"), Unit: tool.UnitMoney, Adds: true, With: "cost_coverage",
			Formula: words("выручка с известной себестоимостью минус себестоимость",
				"revenue whose cost is known minus that cost"),
			Words: called([]string{"прибыль", "валовая прибыль"}, "profit", "gross profit"),
			Bases: []analysis.Base{covered, costs}, Of: profit, Over: overCosts},
		{Name: "margin", Title: words("Маржа", "Margin"), Unit: tool.UnitPercent, Places: 1, With: "cost_coverage",
			Formula: words("прибыль ÷ выручка с известной себестоимостью", "profit ÷ revenue whose cost is known"),
			Words:   called([]string{"маржа", "маржинальность", "рентабельность"}, "margin"),
			Bases:   []analysis.Base{covered, costs}, Of: ratio(profit, just(covered), decimal.Hundred),
			Over: overCosts},
		{Name: "markup", Title: words("Наценка", "Markup"), Unit: tool.UnitPercent, Places: 1, With: "cost_coverage",
			Formula: words("прибыль ÷ себестоимость", "profit ÷ cost"),
			Words:   called([]string{"наценка"}, "markup"),
			Bases:   []analysis.Base{covered, costs}, Of: ratio(profit, just(costs), decimal.Hundred),
			Over: overCosts},
		{Name: "cost_coverage", Title: words("Себест. известна", "Cost known"), Unit: tool.UnitPercent, Places: 1,
			Formula: words("выручка с известной себестоимостью ÷ выручка", "revenue whose cost is known ÷ revenue"),
			Words:   called([]string{"доля известной себестоимости"}, "cost coverage"),
			Bases:   []analysis.Base{covered, sales, returns},
			Of:      ratio(just(covered), sub(sales, returns), decimal.Hundred), Over: overCosts},
	}
}

func orderMeasures() []analysis.Measure {
	return []analysis.Measure{
		{Name: "orders", Title: words("Заказов", "Orders"), Unit: tool.UnitCount, Adds: true,
			Formula: words("число проведённых заказов покупателей", "number of posted customer orders"),
			Words:   called([]string{"заказы", "число заказов"}, "orders", "number of orders"),
			Bases:   []analysis.Base{orderCount}, Over: overOrders},
		{Name: "orders_sum", Title: words("Сумма заказов", "Sum of orders"), Unit: tool.UnitMoney, Adds: true,
			Formula: words("сумма проведённых заказов покупателей", "sum of posted customer orders"),
			Words:   called([]string{"сумма заказов"}, "sum of orders"),
			Bases:   []analysis.Base{orderSum}, Over: overOrders},
		{Name: "unshipped", Title: words("Не отгружено", "Not shipped"), Unit: tool.UnitMoney, Adds: true,
			Formula: words("сумма заказов минус отгружено", "sum of orders minus shipped"),
			Words:   called([]string{"не отгружено", "к отгрузке"}, "not shipped", "backlog"),
			Bases:   []analysis.Base{orderSum, orderShipped}, Of: sub(orderSum, orderShipped), Over: overOrders},
		{Name: "unpaid", Title: words("Не оплачено", "Not paid"), Unit: tool.UnitMoney, Adds: true,
			Formula: words("сумма заказов минус оплачено", "sum of orders minus paid"),
			Words:   called([]string{"не оплачено", "неоплаченные заказы"}, "not paid", "unpaid orders"),
			Bases:   []analysis.Base{orderSum, orderPaid}, Of: sub(orderSum, orderPaid), Over: overOrders},
	}
}

func purchaseMeasures() []analysis.Measure {
	return []analysis.Measure{
		{Name: "purchase_orders", Title: words("Заказов поставщикам", "Supplier orders"), Unit: tool.UnitCount,
			Adds:    true,
			Formula: words("число проведённых заказов поставщикам", "number of posted supplier orders"),
			Words:   called([]string{"заказы поставщикам"}, "supplier orders"),
			Bases:   []analysis.Base{purchaseCount}, Over: overOrders},
		{Name: "ordered", Title: words("Заказано у поставщиков", "Ordered"), Unit: tool.UnitMoney, Adds: true,
			Formula: words("сумма проведённых заказов поставщикам", "sum of posted supplier orders"),
			Words:   called([]string{"заказано у поставщиков"}, "ordered"),
			Bases:   []analysis.Base{purchaseSum}, Over: overOrders},
		{Name: "not_received", Title: words("Не получено", "Not received"), Unit: tool.UnitMoney, Adds: true,
			Formula: words("сумма заказов поставщикам минус принято", "sum of supplier orders minus received"),
			Words:   called([]string{"не получено", "едет"}, "not received"),
			Bases:   []analysis.Base{purchaseSum, purchaseReceipt}, Of: sub(purchaseSum, purchaseReceipt),
			Over: overOrders},
		{Name: "deliveries", Title: words("Приёмок", "Deliveries"), Unit: tool.UnitCount, Adds: true,
			Formula: words("число проведённых приёмок", "number of posted receipts of goods"),
			Words:   called([]string{"приёмки"}, "deliveries"),
			Bases:   []analysis.Base{supplyCount}, Over: overSupply},
		{Name: "purchases", Title: words("Закупки", "Purchases"), Unit: tool.UnitMoney, Adds: true,
			Formula: words("сумма проведённых приёмок", "sum of posted receipts of goods"),
			Words:   called([]string{"закупки", "закуплено", "поступления"}, "purchases"),
			Bases:   []analysis.Base{supplySum}, Over: overSupply},
		{Name: "quantity_received", Title: words("Принято", "Received"), Unit: tool.UnitQuantity, Adds: true,
			Formula: words("количество в проведённых приёмках", "quantity in posted receipts of goods"),
			Words:   called([]string{"принято", "поступило"}, "received"),
			Bases:   []analysis.Base{supplyQuantity}, Over: overSupply},
		{Name: "purchase_price", Title: words("Средняя цена закупки", "Average purchase price"), Unit: tool.UnitMoney,
			Places:  2,
			Formula: words("закупки ÷ принятое количество", "purchases ÷ quantity received"),
			Words:   called([]string{"цена закупки"}, "purchase price"),
			Bases:   []analysis.Base{supplySum, supplyQuantity},
			Of:      ratio(just(supplySum), just(supplyQuantity), decimal.One), Over: overSupply},
	}
}

func stockMeasures() []analysis.Measure {
	now := words("сейчас, а не за период", "now, not over the period")
	return []analysis.Measure{
		{Name: "stock", Title: words("Остаток", "Stock"), Unit: tool.UnitQuantity, Adds: true, Caution: now,
			Formula: words("физический остаток", "physical stock"),
			Words:   called([]string{"остаток", "остатки"}, "stock"),
			Bases:   []analysis.Base{inStock}, Over: overStock},
		{Name: "reserve", Title: words("Резерв", "Reserve"), Unit: tool.UnitQuantity, Adds: true, Caution: now,
			Formula: words("в резерве под заказы", "reserved for orders"),
			Words:   called([]string{"резерв"}, "reserve"),
			Bases:   []analysis.Base{inReserve}, Over: overStock},
		{Name: "in_transit", Title: words("Ожидание", "On the way"), Unit: tool.UnitQuantity, Adds: true, Caution: now,
			Formula: words("ожидается от поставщиков", "expected from suppliers"),
			Words:   called([]string{"ожидание", "в пути"}, "on the way"),
			Bases:   []analysis.Base{onTheWay}, Over: overStock},
		{Name: "free", Title: words("Свободно", "Free"), Unit: tool.UnitQuantity, Adds: true, Caution: now,
			Formula: words("остаток минус резерв", "stock minus reserve"),
			Words:   called([]string{"свободный остаток"}, "free stock"),
			Bases:   []analysis.Base{inStock, inReserve}, Of: sub(inStock, inReserve), Over: overStock},
		{Name: "stock_cost", Title: words("Остаток по себестоимости", "Stock at cost"), Unit: tool.UnitMoney,
			Adds:    true,
			Formula: words("остаток × себестоимость единицы, где она известна", "stock × unit cost, where it is known"),
			Caution: now,
			Words:   called([]string{"сумма остатков", "стоимость склада"}, "stock value", "stock at cost"),
			Bases:   []analysis.Base{stockAtCost}, Over: overStock},
		{Name: "stock_price", Title: words("Остаток по цене продажи", "Stock at sale price"), Unit: tool.UnitMoney,
			Adds: true, Caution: now,
			Formula: words("остаток × цена первого типа", "stock × price of the first type"),
			Words:   called([]string{"остатки в ценах продажи"}, "stock at sale price"),
			Bases:   []analysis.Base{stockAtSale}, Over: overStock},
	}
}

func dimensions() []analysis.Dimension {
	return []analysis.Dimension{
		{Name: dimProduct, Title: words("Товар", "Product"), Words: called([]string{"товар"}, "product", "item")},
		{Name: dimVariant, Title: words("Модификация", "Variant"), Words: called([]string{"модификация"}, "variant")},
		{Name: dimKind, Title: words("Вид", "Kind"),
			Words: called([]string{"услуга", "комплект"}, "service", "bundle")},
		{Name: dimGroup, Title: words("Группа", "Group"), Nested: true,
			Words: called([]string{"группа", "категория"}, "group", "category")},
		{Name: dimSupplier, Title: words("Поставщик", "Supplier"), Words: called([]string{"поставщик"}, "supplier")},
		{Name: dimUnit, Title: words("Ед.", "Unit"), Words: called([]string{"единица"}, "unit")},
		{Name: dimStore, Title: words("Склад", "Warehouse"), Nested: true,
			Words: called([]string{"склад", "магазин", "точка"}, "warehouse", "store", "shop")},
		{Name: dimLegalEntity, Title: words("Юрлицо", "Legal entity"),
			Words: called([]string{"юрлицо", "организация"}, "legal entity")},
		{Name: dimCounterparty, Title: words("Контрагент", "Counterparty"),
			Words: called([]string{"покупатель", "клиент", "контрагент"}, "customer", "client", "counterparty")},
		{Name: dimEmployee, Title: words("Сотрудник", "Employee"),
			Words: called([]string{"сотрудник", "продавец", "менеджер"}, "employee", "seller")},
		{Name: dimChannel, Title: words("Канал продаж", "Sales channel"),
			Words: called([]string{"канал"}, "channel")},
		{Name: dimProject, Title: words("Проект", "Project"), Words: called([]string{"проект"}, "project")},
		{Name: dimContract, Title: words("Договор", "Contract"), Words: called([]string{"договор"}, "contract")},
		{Name: dimDocumentType, Title: words("Вид документа", "Document type"),
			Words: called([]string{"вид документа"}, "document type")},
		{Name: dimDocument, Title: words("Документ", "Document"),
			Words: called([]string{"документ", "чек"}, "document")},
		{Name: "day", Title: words("День", "Day"), Step: analysis.Day, Words: called([]string{"день"}, "day")},
		{Name: "week", Title: words("Неделя", "Week"), Step: analysis.Week, Words: called([]string{"неделя"}, "week")},
		{Name: "month", Title: words("Месяц", "Month"), Step: analysis.Month,
			Words: called([]string{"месяц"}, "month")},
		{Name: "quarter", Title: words("Квартал", "Quarter"), Step: analysis.Quarter,
			Words: called([]string{"квартал"}, "quarter")},
		{Name: "year", Title: words("Год", "Year"), Step: analysis.Year, Words: called([]string{"год"}, "year")},
		{Name: "weekday", Title: words("День недели", "Weekday"), Step: analysis.Weekday,
			Words: called([]string{"день недели"}, "weekday")},
		{Name: "hour", Title: words("Час", "Hour"), Step: analysis.Hour, Words: called([]string{"час"}, "hour")},
	}
}
