package raw

import (
	"cmp"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/tool"
)

// operation is a raw read of the API, described as data: its name, its arguments, and the request.
type operation struct {
	connector.Operation
	path func(in rawInput) string
	set  func(in rawInput, q *rawQuery) // settings specific to the operation; may be nil
}

// entityTypes are the lists that can be read, by the API's names.
var entityTypes = []string{
	"assortment", "product", "variant", "bundle", "service", "productfolder", "store", "organization", "counterparty",
	"employee",
	"currency", "uom", "group", "saleschannel", "project", "contract", "retailstore", "consignment", "country",
	"expenseitem",
	"customerorder", "purchaseorder", "internalorder", "demand", "supply", "move", "salesreturn", "purchasereturn",
	"retaildemand",
	"retailsalesreturn", "retailshift", "invoiceout", "invoicein", "paymentin", "paymentout", "cashin", "cashout",
	"enter", "loss",
	"inventory", "processing", "commissionreportin", "commissionreportout", "pricelist",
}

// documentTypes are the entity types with positions.
var documentTypes = []string{
	"customerorder", "purchaseorder", "internalorder", "demand", "supply", "move", "salesreturn", "purchasereturn",
	"retaildemand",
	"retailsalesreturn", "invoiceout", "invoicein", "enter", "loss", "inventory",
}

// The patterns of strings in arguments.
const (
	// the format of a UUID, without the RFC's version bits
	idPattern     = `^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$`
	momentPattern = `^\d{4}-\d{2}-\d{2}( \d{2}:\d{2}(:\d{2})?)?$`
	fieldPattern  = `^[A-Za-z][A-Za-z0-9_./:-]*$`
)

func str(about string) *jsonschema.Schema {
	return &jsonschema.Schema{Type: "string", Description: about, MinLength: jsonschema.Ptr(1),
		MaxLength: jsonschema.Ptr(500)}
}

func like(pattern, about string) *jsonschema.Schema {
	s := str(about)
	s.Pattern = pattern
	return s
}

func oneOf(about string, values ...string) *jsonschema.Schema {
	s := tool.Enum(values...)
	s.Description = about
	return s
}

func integer(least, most float64, about string) *jsonschema.Schema {
	return &jsonschema.Schema{Type: "integer", Minimum: &least, Maximum: &most, Description: about}
}

func yesno(about string) *jsonschema.Schema {
	return &jsonschema.Schema{Type: "boolean", Description: about}
}

func listOf(of *jsonschema.Schema, most int, about string) *jsonschema.Schema {
	return &jsonschema.Schema{Type: "array", Items: of, MaxItems: jsonschema.Ptr(most), Description: about}
}

// object returns the schema of an object with exactly these fields.
func object(required []string, properties map[string]*jsonschema.Schema) *jsonschema.Schema {
	return &jsonschema.Schema{Type: "object", Properties: properties, Required: required,
		AdditionalProperties: &jsonschema.Schema{Not: &jsonschema.Schema{}}}
}

func id(about string) *jsonschema.Schema { return like(idPattern, about) }

// args returns properties shared by several operations, by name.
func args(names ...string) map[string]*jsonschema.Schema {
	all := map[string]*jsonschema.Schema{
		"limit":  integer(1, 1000, "rows of the page; 100 when absent, and at most 100 with expand or fields"),
		"offset": integer(0, 10_000_000, "rows to pass over"),
		"search": str("beginnings of words in name, code or article; sent in the form that the API honours"),
		"expand": listOf(like(fieldPattern, ""), 10,
			"references to write out, such as agent or positions.assortment; at most three levels"),
		"order": listOf(object([]string{"field"}, map[string]*jsonschema.Schema{
			"field": like(fieldPattern, ""), "desc": yesno("from high to low"),
		}), 5, "what to sort by; id when absent, where the API can, so that pages do not drift more than they must"),
		"filter": listOf(object([]string{"field", "op"}, map[string]*jsonschema.Schema{
			"field": like(fieldPattern,
				"a field of the entity, or a special filter such as archived, stockMode, moment"),
			"op": oneOf("~ contains, ~= begins with, =~ ends with", "=", "!=", "<", "<=", ">", ">=", "~", "~=",
				"=~", "!~"),
			"values": listOf(&jsonschema.Schema{Type: "string", MaxLength: jsonschema.Ptr(500)}, 200,
				"several values of = are alternatives; absent or an empty text: not filled"),
			"entity": like(fieldPattern,
				"of a reference such as store or agent: the kind of thing that values are ids of, e.g. counterparty"),
		}), 30, "conditions, all of which must hold"),
		"from":     like(momentPattern, "Moscow time; a day begins at its midnight"),
		"to":       like(momentPattern, "Moscow time; a day counts whole"),
		"interval": oneOf("length of a slice", "hour", "day", "month"),
		"group_by": oneOf("how variants are shown", "product", "variant", "consignment"),
		"id":       id("the API's own id, not the one in the web interface's address"),
	}
	chosen := make(map[string]*jsonschema.Schema, len(names))
	for _, name := range names {
		chosen[name] = all[name]
	}
	return chosen
}

func with(properties map[string]*jsonschema.Schema, name string, s *jsonschema.Schema) map[string]*jsonschema.Schema {
	properties[name] = s
	return properties
}

// fixed is the path of an operation with only one path.
func fixed(path string) func(rawInput) string { return func(rawInput) string { return path } }

// op returns an operation; the number of stock reports and the price follow from what it reads.
func op(name string, title, about tool.Text, s *jsonschema.Schema, stock, units int, prone []string,
	path func(rawInput) string, set func(rawInput, *rawQuery)) operation {
	s.Title = name
	note := tool.Text{RU: "Один запрос на страницу.", EN: "One request a page."}
	if stock > 0 {
		note = tool.Text{RU: "Один запрос на страницу, и он считается отчётом об остатках: таких не больше двух в " +
			"секунду.", EN: "One request a page, and it counts as a stock report: two of those a second at most."}
	}
	return operation{connector.Operation{
		Name: name, Title: title, About: about, Input: tool.NewSchema(s), Traps: prone,
		Weight: connector.Weight{Requests: 1, StockReports: stock, Units: units, Note: note},
	}, path, set}
}

// operations are the raw reads. There are none that write and never will be: a change goes through a propose tool and a
// draft.
var operations = []operation{
	op("list", tool.Text{RU: "Список", EN: "List"},
		tool.Text{RU: "Страница списка сущностей или документов, как её отдаёт API.",
			EN: "A page of a list of entities or documents, as the API gives it."},
		object([]string{"entity"}, with(with(args("filter", "search", "order", "limit", "offset", "expand"),
			"entity", oneOf("the API's keyword", entityTypes...)), "fields",
			oneOf("a value that is shown on request only", "minimumStock", "stock"))),
		0, 0, []string{pitfallMinorUnits, pitfallNotEqual, pitfallSearch, pitfallExpand, pitfallArchived,
			pitfallMinimum, pitfallDrift,
			pitfallVisibility, pitfallRates, pitfallMoscow, pitfallAbsent},
		func(in rawInput) string { return "entity/" + in.Entity }, nil),
	op("get", tool.Text{RU: "Один объект", EN: "One object"},
		tool.Text{RU: "Сущность или документ по идентификатору.", EN: "An entity or a document by its id."},
		object([]string{"entity", "id"}, with(with(args("id", "expand"),
			"entity", oneOf("the API's keyword", entityTypes[1:]...)), "fields",
			oneOf("a value that is shown on request only", "minimumStock", "stock"))),
		0, 0, []string{pitfallMinorUnits, pitfallPositions, pitfallRates, pitfallMoscow, pitfallAbsent},
		func(in rawInput) string { return "entity/" + in.Entity + "/" + in.ID }, nil),
	op("positions", tool.Text{RU: "Позиции документа", EN: "Positions of a document"},
		tool.Text{RU: "Страница позиций документа.", EN: "A page of a document's positions."},
		object([]string{"entity", "id"}, with(with(args("id", "limit", "offset", "expand"),
			"entity", oneOf("the API's keyword", documentTypes...)), "fields",
			oneOf("a value that is shown on request only", "stock"))),
		0, 0, []string{pitfallMinorUnits, pitfallExpand, pitfallRates, pitfallAbsent},
		func(in rawInput) string { return "entity/" + in.Entity + "/" + in.ID + "/positions" }, nil),
	op("metadata", tool.Text{RU: "Метаданные", EN: "Metadata"},
		tool.Text{RU: "Статусы и дополнительные поля сущности.", EN: "States and additional fields of an entity."},
		object([]string{"entity"}, map[string]*jsonschema.Schema{"entity": oneOf("the API's keyword",
			entityTypes[1:]...)}),
		0, 0, nil, func(in rawInput) string { return "entity/" + in.Entity + "/metadata" }, nil),
	op("employee", tool.Text{RU: "Сотрудник подключения", EN: "The connection's employee"},
		tool.Text{RU: "Чей это токен и что этому сотруднику видно.",
			EN: "Whose token it is and what that employee may see."},
		object(nil, nil), 0, 0, nil, fixed("context/employee"), nil),
	op("company_settings", tool.Text{RU: "Настройки компании", EN: "Company settings"},
		tool.Text{RU: "Валюта учёта и типы цен.", EN: "The account currency and price types."},
		object(nil, nil), 0, 0, nil, fixed("context/companysettings"), nil),
	op("report_stock_all", tool.Text{RU: "Отчёт «Остатки», расширенный", EN: "Stock report, extended"},
		tool.Text{RU: "Остаток, резерв, ожидание, себестоимость и дни на складе по товарам.",
			EN: "Stock, reserve, expectation, cost and days in stock by goods."},
		object(nil, args("filter", "group_by", "limit", "offset")), 1, 5,
		[]string{pitfallMinorUnits, pitfallNonEmpty, pitfallZeroCost, pitfallQuantity, pitfallStockDays,
			pitfallArchived, pitfallSearch,
			pitfallStoreTree},
		fixed("report/stock/all"), nil),
	op("report_stock_by_store", tool.Text{RU: "Отчёт «Остатки» по складам", EN: "Stock report by warehouse"},
		tool.Text{RU: "Остаток, резерв и ожидание товаров на каждом складе.",
			EN: "Stock, reserve and expectation of goods in each warehouse."},
		object(nil, args("filter", "group_by", "limit", "offset")), 1, 5,
		[]string{pitfallNonEmpty, pitfallArchived, pitfallSearch, pitfallStoreTree, pitfallMinimum},
		fixed("report/stock/bystore"),
		nil),
	op("report_stock_current", tool.Text{RU: "Краткий отчёт об остатках", EN: "Short stock report"},
		tool.Text{RU: "Нынешние остатки одним списком: идентификатор товара и число.",
			EN: "Present stock as one list: the item's id and a number."},
		object(nil, map[string]*jsonschema.Schema{
			"by_store": yesno("a row for each warehouse"),
			"kind": oneOf("which number; stock when absent", "stock", "freeStock", "quantity", "reserve",
				"inTransit"),
			"zero":         yesno("rows of zero as well"),
			"items":        listOf(id(""), 100, "goods, by id"),
			"stores":       listOf(id(""), 50, "warehouses, by id"),
			"since":        like(momentPattern, "goods whose stock has changed since, at most 24 hours back"),
			"recalculated": yesno("by warehouse: goods being recalculated appear with null instead of not at all"),
		}), 1, 0, []string{pitfallCurrent, pitfallStoreTree, pitfallArchived, pitfallMoscow},
		func(in rawInput) string {
			if in.ByStore {
				return "report/stock/bystore/current"
			}
			return "report/stock/all/current"
		}, setCurrent),
	op("report_stock_by_operation", tool.Text{RU: "Остатки по документу", EN: "Stock of a document's goods"},
		tool.Text{RU: "Остатки и себестоимость товаров документа.", EN: "Stock and cost of a document's goods."},
		object([]string{"id"}, args("id")), 1, 0, []string{pitfallMinorUnits, pitfallZeroCost},
		fixed("report/stock/byoperation"),
		func(in rawInput, q *rawQuery) { q.params.Set("operation.id", in.ID) }),
	op("report_by_operations", tool.Text{RU: "Из каких документов складывается остаток",
		EN: "Which documents make up the stock"},
		tool.Text{RU: "Документы, из которых сложился остаток, резерв или ожидание одного товара.",
			EN: "The documents that form an item's stock, reserve or expectation."},
		object([]string{"id", "entity", "kind"}, with(with(args("id", "limit", "offset"),
			"entity", oneOf("what id is of", "product", "variant", "consignment")), "kind",
			oneOf("which number", "stock", "reserve", "intransit"))),
		0, 0, []string{pitfallMinorUnits, pitfallZeroCost},
		func(in rawInput) string { return "report/byoperations/" + in.Kind },
		func(in rawInput, q *rawQuery) { q.where("assortment", "=", in.Entity, in.ID) }),
	op("report_turnover", tool.Text{RU: "Отчёт «Обороты»", EN: "Turnover report"},
		tool.Text{RU: "Остаток на начало, приход, расход и остаток на конец по товарам.",
			EN: "Opening stock, received, issued and closing stock by goods."},
		object([]string{"from", "to"}, with(args("from", "to", "filter", "group_by", "limit", "offset"),
			"by", oneOf("rows; goods when absent", "all", "bystore", "byoperations"))),
		0, 0, []string{pitfallMinorUnits, pitfallTurnover, pitfallPeriod, pitfallMoscow, pitfallArchived},
		func(in rawInput) string { return "report/turnover/" + cmp.Or(in.By, "all") }, nil),
	op("report_profit", tool.Text{RU: "Отчёт «Прибыльность»", EN: "Profitability report"},
		tool.Text{RU: "Выручка, возвраты, себестоимость и прибыль за период.",
			EN: "Revenue, returns, cost and profit over a period."},
		object([]string{"from", "to"}, with(args("from", "to", "filter", "limit", "offset"),
			"by", oneOf("rows; goods when absent", "byproduct", "byvariant", "byemployee", "bycounterparty",
				"bysaleschannel"))),
		0, 0, []string{pitfallMinorUnits, pitfallPeriod, pitfallReturns, pitfallZeroCost, pitfallMoscow},
		func(in rawInput) string { return "report/profit/" + cmp.Or(in.By, "byproduct") }, nil),
	op("report_money_accounts", tool.Text{RU: "Остатки денег", EN: "Money balances"},
		tool.Text{RU: "Остатки на счетах и в кассах, каждый в валюте счёта.",
			EN: "Balances of accounts and cash desks, each in its own currency."},
		object(nil, nil), 0, 0, []string{pitfallMinorUnits}, fixed("report/money/byaccount"), nil),
	op("report_money_flow", tool.Text{RU: "Движение денег", EN: "Flow of money"},
		tool.Text{RU: "Приход и расход по отрезкам периода.", EN: "Income and expense by slices of a period."},
		object([]string{"from", "to", "interval"}, args("from", "to", "interval", "filter")), 0, 0,
		[]string{pitfallMinorUnits, pitfallMoney, pitfallMoscow}, fixed("report/money/plotseries"), nil),
	op("report_sales", tool.Text{RU: "Продажи по отрезкам", EN: "Sales by slices"},
		tool.Text{RU: "Число и сумма отгрузок и розничных продаж по отрезкам периода.",
			EN: "Number and sum of shipments and retail sales by slices of a period."},
		object([]string{"from", "to", "interval"}, args("from", "to", "interval", "filter")), 0, 0,
		[]string{pitfallMinorUnits, pitfallReturns, pitfallMoscow}, fixed("report/sales/plotseries"), nil),
	op("report_orders", tool.Text{RU: "Заказы по отрезкам", EN: "Orders by slices"},
		tool.Text{RU: "Число и сумма заказов покупателей по отрезкам периода.",
			EN: "Number and sum of customer orders by slices of a period."},
		object([]string{"from", "to", "interval"}, args("from", "to", "interval", "filter")), 0, 0,
		[]string{pitfallMinorUnits, pitfallMoscow}, fixed("report/orders/plotseries"), nil),
	op("report_dashboard", tool.Text{RU: "Показатели", EN: "Indicators"},
		tool.Text{RU: "Продажи, заказы и деньги за день, неделю или месяц.",
			EN: "Sales, orders and money of the day, week or month."},
		object([]string{"period"}, map[string]*jsonschema.Schema{"period": oneOf("the present one", "day", "week",
			"month")}), 0, 0,
		[]string{pitfallMinorUnits}, func(in rawInput) string { return "report/dashboard/" + in.Period }, nil),
	op("report_counterparties", tool.Text{RU: "Показатели контрагентов", EN: "Indicators of counterparties"},
		tool.Text{RU: "Отгрузки, возвраты, средний чек и баланс контрагентов.",
			EN: "Shipments, returns, average receipt and balance of counterparties."},
		object(nil, args("filter", "limit", "offset")), 0, 0, []string{pitfallMinorUnits, pitfallVisibility},
		fixed("report/counterparty"), nil),
}

// Published returns the operations as the connector lists them.
func Published() []connector.Operation {
	list := make([]connector.Operation, len(operations))
	for i, o := range operations {
		list[i] = o.Operation
	}
	return list
}

// takes reports whether an operation has an argument.
func (o operation) takes(name string) bool { return o.Input.Properties[name] != nil }
