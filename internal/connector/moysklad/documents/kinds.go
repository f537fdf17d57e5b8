package documents

import (
	"slices"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/tool"
)

// kind is a type of documents.
type kind struct {
	name    Kind
	one     tool.Text // «Заказ покупателя»
	many    tool.Text
	section tool.Text // of the role settings
	agent   bool      // it has a counterparty
	store   bool
	goods   bool // it has lines
	sum     bool
	paid    bool // it says how much of it is paid
	owed    bool // it is paid later than it is made, so that it may be unpaid
	shipped bool // it says how much of it is shipped or received
}

// Kind is a type of documents, by the API's name.
type Kind string

// The types that conditions apply to by their name.
const (
	customerOrder Kind = "customerorder"
	purchaseOrder Kind = "purchaseorder"
	transfer      Kind = "move"
)

func text(ru, en string) tool.Text { return tool.Text{RU: ru, EN: en} }

// section returns a section of the role settings, which English texts show with its Russian name.
func section(ru, en string) tool.Text { return text(ru, en+" ("+ru+")") }

// kinds are all types, sales first.
var kinds = []*kind{
	{name: customerOrder, one: text("Заказ покупателя", "Customer order"),
		many: text("Заказы покупателей", "Customer orders"), section: account.SectionOrders,
		agent: true, store: true, goods: true, sum: true, paid: true, owed: true, shipped: true},
	{name: "demand", one: text("Отгрузка", "Shipment"), many: text("Отгрузки", "Shipments"),
		section: account.SectionDemands, agent: true, store: true, goods: true, sum: true, paid: true, owed: true},
	{name: "retaildemand", one: text("Розничная продажа", "Retail sale"),
		many:    text("Розничные продажи", "Retail sales"),
		section: account.SectionRetail, agent: true, store: true, goods: true, sum: true},
	{name: "salesreturn", one: text("Возврат покупателя", "Customer return"),
		many: text("Возвраты покупателей", "Customer returns"), section: section("Возвраты покупателей",
			"Customer returns"), agent: true, store: true, goods: true, sum: true, paid: true},
	{name: "retailsalesreturn", one: text("Розничный возврат", "Retail return"),
		many: text("Розничные возвраты", "Retail returns"), section: section("Розничные возвраты", "Retail returns"),
		agent: true, store: true, goods: true, sum: true},
	{name: "invoiceout", one: text("Счёт покупателю", "Invoice to a customer"),
		many: text("Счета покупателям", "Invoices to customers"), section: section("Счета покупателям",
			"Invoices to customers"), agent: true, store: true, goods: true, sum: true, paid: true, owed: true},
	{name: purchaseOrder, one: text("Заказ поставщику", "Supplier order"),
		many: text("Заказы поставщикам", "Supplier orders"), section: account.SectionPurchases,
		agent: true, store: true, goods: true, sum: true, paid: true, owed: true, shipped: true},
	{name: "supply", one: text("Приёмка", "Receipt of goods"), many: text("Приёмки", "Receipts of goods"),
		section: section("Приёмки", "Receipts of goods"),
		agent:   true, store: true, goods: true, sum: true, paid: true, owed: true},
	{name: "purchasereturn", one: text("Возврат поставщику", "Return to a supplier"),
		many: text("Возвраты поставщикам", "Returns to suppliers"), section: section("Возвраты поставщикам",
			"Returns to suppliers"), agent: true, store: true, goods: true, sum: true, paid: true},
	{name: "invoicein", one: text("Счёт поставщика", "Invoice of a supplier"),
		many: text("Счета поставщиков", "Invoices of suppliers"), section: section("Счета поставщиков",
			"Invoices of suppliers"), agent: true, store: true, goods: true, sum: true, paid: true, owed: true},
	{name: "paymentin", one: text("Входящий платёж", "Incoming payment"),
		many: text("Входящие платежи", "Incoming payments"), section: section("Входящие платежи", "Incoming payments"),
		agent: true, sum: true},
	{name: "paymentout", one: text("Исходящий платёж", "Outgoing payment"),
		many: text("Исходящие платежи", "Outgoing payments"), section: section("Исходящие платежи",
			"Outgoing payments"), agent: true, sum: true},
	{name: "cashin", one: text("Приходный ордер", "Cash receipt"), many: text("Приходные ордера", "Cash receipts"),
		section: section("Приходные ордера", "Cash receipts"), agent: true, sum: true},
	{name: "cashout", one: text("Расходный ордер", "Cash payment"), many: text("Расходные ордера", "Cash payments"),
		section: section("Расходные ордера", "Cash payments"), agent: true, sum: true},
	{name: transfer, one: text("Перемещение", "Transfer"), many: text("Перемещения", "Transfers"),
		section: account.SectionMoves, store: true, goods: true, sum: true},
	{name: "loss", one: text("Списание", "Write-off"), many: text("Списания", "Write-offs"),
		section: section("Списания", "Write-offs"), store: true, goods: true, sum: true},
	{name: "enter", one: text("Оприходование", "Surplus"), many: text("Оприходования", "Surpluses"),
		section: section("Оприходования", "Surpluses"), store: true, goods: true, sum: true},
	{name: "inventory", one: text("Инвентаризация", "Stocktaking"), many: text("Инвентаризации", "Stocktakings"),
		section: section("Инвентаризации", "Stocktakings"), store: true, goods: true, sum: true},
	{name: "internalorder", one: text("Внутренний заказ", "Internal order"),
		many: text("Внутренние заказы", "Internal orders"), section: section("Внутренние заказы", "Internal orders"),
		store: true, goods: true, sum: true},
	{name: "processing", one: text("Техоперация", "Production"), many: text("Техоперации", "Productions"),
		section: section("Техоперации", "Productions")},
}

// Schema lists the types with what they are.
func (Kind) Schema() *jsonschema.Schema {
	about := ""
	var names []Kind
	for i, k := range kinds {
		if i > 0 {
			about += ", "
		}
		about += string(k.name) + ": " + k.one.EN
		names = append(names, k.name)
	}
	return tool.DescribedEnum(about, names...)
}

// kindOf returns the type with a name, or nil.
func kindOf(name Kind) *kind {
	if i := slices.IndexFunc(kinds, func(k *kind) bool { return k.name == name }); i >= 0 {
		return kinds[i]
	}
	return nil
}
