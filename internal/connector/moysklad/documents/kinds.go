package documents

import (
	"iter"
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
	agent   bool // it has a counterparty
	store   bool
	goods   bool // it has lines
	sum     bool
	paid    bool // it says how much of it is paid
	owed    bool // it is paid later than it is made, so that it may be unpaid
	shipped bool // it says how much of it is shipped or received
	channel bool // it has a sales channel
}

// Kind is a type of documents, by the API's name.
type Kind string

// The types that conditions apply to by their name.
const (
	customerOrder Kind = "customerorder"
	purchaseOrder Kind = "purchaseorder"
	transfer      Kind = "move"
	production    Kind = "processing"
)

func text(ru, en string) tool.Text { return tool.Text{RU: ru, EN: en} }

// section returns the section of the role settings that the type belongs to.
func (k *kind) section() tool.Text { return account.SectionAt("entity/" + string(k.name)) }

// kinds are all types, sales first.
var kinds = []*kind{
	{name: customerOrder, one: text("Заказ покупателя", "Customer order"),
		many:  text("Заказы покупателей", "Customer orders"),
		agent: true, store: true, goods: true, sum: true, paid: true, owed: true, shipped: true, channel: true},
	{name: "demand", one: text("Отгрузка", "Shipment"), many: text("Отгрузки", "Shipments"),
		agent: true, store: true, goods: true, sum: true, paid: true, owed: true, channel: true},
	{name: "retaildemand", one: text("Розничная продажа", "Retail sale"),
		many:  text("Розничные продажи", "Retail sales"),
		agent: true, store: true, goods: true, sum: true},
	{name: "salesreturn", one: text("Возврат покупателя", "Customer return"),
		many:  text("Возвраты покупателей", "Customer returns"),
		agent: true, store: true, goods: true, sum: true, paid: true, channel: true},
	{name: "retailsalesreturn", one: text("Розничный возврат", "Retail return"),
		many:  text("Розничные возвраты", "Retail returns"),
		agent: true, store: true, goods: true, sum: true},
	{name: "invoiceout", one: text("Счёт покупателю", "Invoice to a customer"),
		many:  text("Счета покупателям", "Invoices to customers"),
		agent: true, store: true, goods: true, sum: true, paid: true, owed: true, channel: true},
	{name: purchaseOrder, one: text("Заказ поставщику", "Supplier order"),
		many:  text("Заказы поставщикам", "Supplier orders"),
		agent: true, store: true, goods: true, sum: true, paid: true, owed: true, shipped: true},
	{name: "supply", one: text("Приёмка", "Receipt of goods"), many: text("Приёмки", "Receipts of goods"),
		agent: true, store: true, goods: true, sum: true, paid: true, owed: true},
	{name: "purchasereturn", one: text("Возврат поставщику", "Return to a supplier"),
		many:  text("Возвраты поставщикам", "Returns to suppliers"),
		agent: true, store: true, goods: true, sum: true, paid: true},
	{name: "invoicein", one: text("Счёт поставщика", "Invoice of a supplier"),
		many:  text("Счета поставщиков", "Invoices of suppliers"),
		agent: true, store: true, goods: true, sum: true, paid: true, owed: true},
	{name: "paymentin", one: text("Входящий платёж", "Incoming payment"),
		many:  text("Входящие платежи", "Incoming payments"),
		agent: true, sum: true, channel: true},
	{name: "paymentout", one: text("Исходящий платёж", "Outgoing payment"),
		many:  text("Исходящие платежи", "Outgoing payments"),
		agent: true, sum: true, channel: true},
	{name: "cashin", one: text("Приходный ордер", "Cash receipt"), many: text("Приходные ордера", "Cash receipts"),
		agent: true, sum: true, channel: true},
	{name: "cashout", one: text("Расходный ордер", "Cash payment"), many: text("Расходные ордера", "Cash payments"),
		agent: true, sum: true, channel: true},
	{name: transfer, one: text("Перемещение", "Transfer"), many: text("Перемещения", "Transfers"),
		store: true, goods: true, sum: true},
	{name: "loss", one: text("Списание", "Write-off"), many: text("Списания", "Write-offs"),
		store: true, goods: true, sum: true},
	{name: "enter", one: text("Оприходование", "Surplus"), many: text("Оприходования", "Surpluses"),
		store: true, goods: true, sum: true},
	{name: "inventory", one: text("Инвентаризация", "Stocktaking"), many: text("Инвентаризации", "Stocktakings"),
		store: true, goods: true, sum: true},
	{name: "internalorder", one: text("Внутренний заказ", "Internal order"),
		many:  text("Внутренние заказы", "Internal orders"),
		store: true, goods: true, sum: true},
	{name: production, one: text("Техоперация", "Production"), many: text("Техоперации", "Productions")},
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

// NameOf returns what a type of documents is called, or its API name if it is of no known type.
func NameOf(name string) tool.Text {
	if k := kindOf(Kind(name)); k != nil {
		return k.one
	}
	return text(name, name)
}

// Kinds returns the names of the types, with what documents of them are called.
func Kinds() iter.Seq2[string, tool.Text] {
	return func(yield func(string, tool.Text) bool) {
		for _, k := range kinds {
			if !yield(string(k.name), k.many) {
				return
			}
		}
	}
}
