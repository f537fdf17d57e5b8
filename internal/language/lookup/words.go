package lookup

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
