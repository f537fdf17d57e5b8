package measures

import (
	"slices"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

// The bases of what is left to do with orders now. Days are numbers by [analysis.DayNumber].
const (
	OpenOrderSum        analysis.Base = "open_order_sum"
	ExpectedOn          analysis.Base = "expected_on_day"
	OverdueDays         analysis.Base = "order_overdue_days"
	SupplierOverdueDays analysis.Base = "supplier_overdue_days"
)

// OpenBases are those of what is left to do with orders now.
var OpenBases = []analysis.Base{OpenOrderSum, ExpectedOn, OverdueDays, SupplierOverdueDays}

var overOpen = slices.Concat(OfGoods, ofDocuments)

var openNow = words("сейчас, по заказам любого времени; по товарам выполнение — по количеству в строках, иначе — по "+
	"сумме заказа", "now, of orders of any time; by goods an order is done by the quantities of its lines, else by its "+
	"sum")

func orderMeasures() []analysis.Measure {
	return []analysis.Measure{
		{Name: "orders", Title: words("Заказов", "Orders"),
			Phrase: words("число заказов", "number of orders"), Unit: tool.UnitCount, Adds: true,
			Formula: words("число проведённых заказов покупателей", "number of posted customer orders"),
			Words:   Called([]string{"заказы", "число заказов"}, "orders", "number of orders"),
			Bases:   []analysis.Base{OrderCount}, Over: overOrders},
		{Name: "orders_sum", Title: words("Сумма заказов", "Sum of orders"), Unit: tool.UnitMoney, Adds: true,
			Formula: words("сумма проведённых заказов покупателей", "sum of posted customer orders"),
			Words:   Called([]string{"сумма заказов"}, "sum of orders"),
			Bases:   []analysis.Base{OrderSum}, Over: overOrders},
		{Name: "unshipped", Title: words("Не отгружено", "Not shipped"),
			Phrase: words("не отгружено по заказам", "not shipped of orders"), Unit: tool.UnitMoney, Adds: true,
			Formula: words("сумма заказов минус отгружено; у закрытых статусом — ноль",
				"sum of orders minus shipped; zero for those closed by their state"),
			Words: Called([]string{"не отгружено", "к отгрузке"}, "not shipped", "backlog"),
			Bases: []analysis.Base{OrderSum, OrderShipped}, Of: sub(OrderSum, OrderShipped), Over: overOrders},
		{Name: "unpaid", Title: words("Не оплачено", "Not paid"),
			Phrase: words("не оплачено по заказам", "not paid of orders"), Unit: tool.UnitMoney, Adds: true,
			Formula: words("сумма заказов минус оплачено; у отменённых статусом — ноль",
				"sum of orders minus paid; zero for those cancelled by their state"),
			Words: Called([]string{"не оплачено", "неоплаченные заказы"}, "not paid", "unpaid orders"),
			Bases: []analysis.Base{OrderSum, OrderPaid}, Of: sub(OrderSum, OrderPaid), Over: overOrders},
		{Name: "reserved", Title: words("В резерве по заказам", "Reserved for orders"), Unit: tool.UnitMoney,
			Adds: true,
			Formula: words("сумма зарезервированного в проведённых заказах покупателей",
				"sum of what posted customer orders reserve"),
			Words: Called([]string{"зарезервировано по заказам"}, "reserved for orders"),
			Bases: []analysis.Base{OrderReserved}, Over: overOrders},
		{Name: "overdue_days", Title: words("Просрочка заказов, дн.", "Days overdue"),
			Phrase: words("просрочка заказов", "delay of orders"), Unit: tool.UnitDays,
			Formula: words("наибольшее число дней после плановой даты отгрузки у проведённых заказов покупателей, не "+
				"отгруженных полностью и не закрытых статусом",
				"the greatest number of days past the planned date of posted customer orders that are neither fully "+
					"shipped nor closed by their state"),
			Caution: openNow, Words: Called([]string{"просрочка заказов", "просроченные заказы"}, "days overdue",
				"overdue orders"),
			Bases: []analysis.Base{OverdueDays}, Over: overOpen},
	}
}

func purchaseMeasures() []analysis.Measure {
	return []analysis.Measure{
		{Name: "purchase_orders", Title: words("Заказов поставщикам", "Supplier orders"),
			Phrase: words("число заказов поставщикам", "number of supplier orders"), Unit: tool.UnitCount,
			Adds:    true,
			Formula: words("число проведённых заказов поставщикам", "number of posted supplier orders"),
			Words:   Called([]string{"заказы поставщикам"}, "supplier orders"),
			Bases:   []analysis.Base{PurchaseCount}, Over: overOrders},
		{Name: "ordered", Title: words("Заказано у поставщиков", "Ordered"), Unit: tool.UnitMoney, Adds: true,
			Formula: words("сумма проведённых заказов поставщикам", "sum of posted supplier orders"),
			Words:   Called([]string{"заказано у поставщиков"}, "ordered"),
			Bases:   []analysis.Base{PurchaseSum}, Over: overOrders},
		{Name: "not_received", Title: words("Не получено", "Not received"), Unit: tool.UnitMoney, Adds: true,
			Formula: words("сумма заказов поставщикам минус принято; у закрытых статусом — ноль",
				"sum of supplier orders minus received; zero for those closed by their state"),
			Words: Called([]string{"не получено"}, "not received"),
			Bases: []analysis.Base{PurchaseSum, PurchaseReceipt}, Of: sub(PurchaseSum, PurchaseReceipt),
			Over: overOrders},
		{Name: "open_orders", Title: words("Ещё придёт по заказам", "Open supplier orders"), Unit: tool.UnitMoney,
			Adds: true,
			Formula: words("сумма минус принято у проведённых заказов поставщикам, не принятых полностью и не закрытых "+
				"статусом", "sum minus received of posted supplier orders that are neither fully received nor closed by "+
				"their state"),
			Caution: words("сейчас, по заказам любого времени", "now, of orders of any time"),
			Words: Called([]string{"открытые заказы поставщикам", "ещё придёт"}, "open supplier orders",
				"still to come"),
			Bases: []analysis.Base{OpenOrderSum}, Over: ofDocuments},
		{Name: "expected_on", Title: words("Ожидается", "Expected on"), Unit: tool.UnitDate,
			Formula: words("ближайшая плановая дата приёмки у проведённых заказов поставщикам, не принятых полностью и не "+
				"закрытых статусом; у просроченного заказа она в прошлом",
				"the nearest planned date of posted supplier orders that are neither fully received nor closed by "+
					"their state; that of an overdue order is in the past"),
			Caution: openNow, Words: Called([]string{"когда придёт", "дата поставки"}, "expected on", "due date"),
			Bases: []analysis.Base{ExpectedOn}, Over: overOpen},
		{Name: "supplier_overdue_days", Title: words("Просрочка поставок, дн.", "Days overdue by suppliers"),
			Phrase: words("просрочка поставок", "delay of deliveries"),
			Unit:   tool.UnitDays,
			Formula: words("наибольшее число дней после плановой даты приёмки у проведённых заказов поставщикам, не "+
				"принятых полностью и не закрытых статусом",
				"the greatest number of days past the planned date of posted supplier orders that are neither fully "+
					"received nor closed by their state"),
			Caution: openNow, Words: Called([]string{"просрочка поставок", "поставщик опаздывает"}, "late deliveries",
				"overdue by suppliers"),
			Bases: []analysis.Base{SupplierOverdueDays}, Over: overOpen},
		{Name: "deliveries", Title: words("Приёмок", "Deliveries"),
			Phrase: words("число приёмок", "number of deliveries"), Unit: tool.UnitCount, Adds: true,
			Formula: words("число проведённых приёмок", "number of posted receipts of goods"),
			Words:   Called([]string{"приёмки"}, "deliveries"),
			Bases:   []analysis.Base{SupplyCount}, Over: overSupply},
		{Name: "purchases", Title: words("Закупки", "Purchases"), Unit: tool.UnitMoney, Adds: true,
			Formula: words("сумма проведённых приёмок", "sum of posted receipts of goods"),
			Words:   Called([]string{"закупки", "закуплено", "поступления товара"}, "purchases"),
			Bases:   []analysis.Base{SupplySum}, Over: overSupply},
		{Name: "quantity_received", Title: words("Принято", "Received"),
			Phrase: words("количество принятого", "quantity received"), Unit: tool.UnitQuantity, Adds: true,
			Formula: words("количество в проведённых приёмках", "quantity in posted receipts of goods"),
			Words:   Called([]string{"принято", "поступило товара"}, "received"),
			Bases:   []analysis.Base{SupplyQuantity}, Over: overSupply},
		{Name: "purchase_price", Title: words("Средняя цена закупки", "Average purchase price"), Unit: tool.UnitMoney,
			Places:  2,
			Formula: words("закупки ÷ принятое количество", "purchases ÷ quantity received"),
			Words:   Called([]string{"цена закупки"}, "purchase price"),
			Bases:   []analysis.Base{SupplySum, SupplyQuantity},
			Of:      ratio(just(SupplySum), just(SupplyQuantity), decimal.One), Over: overSupply},
	}
}
