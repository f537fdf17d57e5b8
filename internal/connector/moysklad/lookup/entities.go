package lookup

import (
	"maps"
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/tool"
)

// sort is what a field holds.
type sort string

const (
	words  sort = "text"
	amount sort = "money" // minor units in the API
	figure sort = "number"
	day    sort = "day"
	flag   sort = "yes or no"
	link   sort = "name or id"
)

// field is a field that may be asked for.
type field struct {
	name     string
	label    tool.Text
	sort     sort
	path     string // in the API's answer
	where    string // the API's name in filters; empty if it cannot be filtered
	of       string // of a link: the type that it links to
	currency string // of an amount: the path of its currency's link
	cost     bool   // hidden from an employee without the right to see costs
}

// entity is a type of objects that can be looked up.
type entity struct {
	name   string // the API's name
	title  tool.Text
	order  string
	fields []field // the first ones are the default
	first  int     // how many
}

func text(ru, en string) tool.Text { return tool.Text{RU: ru, EN: en} }

func word(name, ru, en, path, where string) field {
	return field{name: name, label: text(ru, en), sort: words, path: path, where: where}
}

func date(name, ru, en, path, where string) field {
	return field{name: name, label: text(ru, en), sort: day, path: path, where: where}
}

func to(name, ru, en, path, where, of string) field {
	return field{name: name, label: text(ru, en), sort: link, path: path, where: where, of: of}
}

func yes(name, ru, en, path string) field {
	return field{name: name, label: text(ru, en), sort: flag, path: path, where: path}
}

// sum is an amount of a document, in its currency.
func sum(name, ru, en, path, where string) field {
	return field{name: name, label: text(ru, en), sort: amount, path: path, where: where, currency: "rate.currency"}
}

// price is an amount of a good, which names its currency.
func price(name, ru, en, path string, cost bool) field {
	return field{name: name, label: text(ru, en), sort: amount, path: path + ".value", currency: path + ".currency",
		cost: cost}
}

func number(name, ru, en, path string) field {
	return field{name: name, label: text(ru, en), sort: figure, path: path, where: path}
}

// The fields that several types have.
var (
	code     = word("code", "Код", "Code", "code", "code")
	updated  = date("updated", "Изменён", "Updated", "updated", "updated")
	archived = yes("archived", "В архиве", "Archived", "archived")
	comment  = word("comment", "Комментарий", "Comment", "description", "description")
	owner    = to("owner", "Владелец", "Owner", "owner", "owner", "employee")
	name     = word("name", "Название", "Name", "name", "name")
	article  = word("article", "Артикул", "Article", "article", "article")
	group    = word("group", "Группа", "Group", "pathName", "")
	sale     = price("sale_price", "Цена продажи", "Sale price", "salePrices.0", false)
	least    = price("minimum_price", "Минимальная цена", "Minimum price", "minPrice", false)
	purchase = price("purchase_price", "Закупочная цена", "Purchase price", "buyPrice", true)
	partner  = to("counterparty", "Контрагент", "Counterparty", "agent", "agent", "counterparty")
	store    = to("store", "Склад", "Warehouse", "store", "store", "store")
)

// document returns a type of documents: what all have, and its own fields.
func document(name, ru, en string, own ...field) entity {
	fields := []field{
		word("number", "Номер", "Number", "name", "name"), date("date", "Дата", "Date", "moment", "moment"),
		sum("sum", "Сумма", "Sum", "sum", "sum"),
		to("state", "Статус", "State", "state", "state", "state")}
	first := len(fields) + len(own)
	fields = append(append(fields, own...), comment, owner,
		to("organization", "Юрлицо", "Legal entity", "organization", "organization", "organization"),
		to("project", "Проект", "Project", "project", "project", "project"),
		yes("posted", "Проведён", "Posted", "applicable"), date("created", "Создан", "Created", "created", "created"),
		updated)
	return entity{name: name, title: text(ru, en), order: "moment,desc", fields: fields, first: first}
}

func of(name, ru, en string, first int, fields ...field) entity {
	return entity{name: name, title: text(ru, en), order: "name", fields: fields, first: first}
}

var (
	paid    = sum("paid", "Оплачено", "Paid", "payedSum", "")
	shipped = sum("shipped", "Отгружено", "Shipped", "shippedSum", "")
	arrived = sum("received", "Принято", "Received", "shippedSum", "")
	planned = date("planned", "План", "Planned", "deliveryPlannedMoment", "deliveryPlannedMoment")
	purpose = word("purpose", "Назначение", "Purpose", "paymentPurpose", "")
	expense = to("expense_item", "Статья расходов", "Expense item", "expenseItem", "", "expenseitem")
)

// entities are the types that can be looked up.
var entities = []entity{
	of("product", "Товары", "Products", 6, name, code, article, group, sale, purchase, least,
		to("supplier", "Поставщик", "Supplier", "supplier", "supplier", "counterparty"),
		to("unit", "Единица", "Unit", "uom", "", "uom"), number("weight", "Вес", "Weight", "weight"),
		number("volume", "Объём", "Volume", "volume"), archived, comment, updated),
	of("variant", "Модификации", "Variants", 4, name, code, sale, purchase, archived, updated),
	of("bundle", "Комплекты", "Bundles", 5, name, code, article, group, sale, archived, comment, updated),
	of("service", "Услуги", "Services", 4, name, code, group, sale, purchase, archived, comment, updated),
	of("counterparty", "Контрагенты", "Counterparties", 5, name, code,
		word("inn", "ИНН", "Tax number", "inn", "inn"), word("phone", "Телефон", "Phone", "phone", "phone"),
		word("email", "Почта", "Email", "email", "email"),
		word("legal_name", "Полное название", "Legal name", "legalTitle", "legalTitle"),
		word("kind", "Вид", "Kind", "companyType", "companyType"), archived, comment, owner, updated),
	document("customerorder", "Заказы покупателей", "Customer orders", partner, store, planned, paid, shipped),
	document("demand", "Отгрузки", "Shipments", partner, store, paid),
	document("retaildemand", "Розничные продажи", "Retail sales", store),
	document("salesreturn", "Возвраты покупателей", "Customer returns", partner, store),
	document("invoiceout", "Счета покупателям", "Invoices to customers", partner, paid, shipped),
	document("purchaseorder", "Заказы поставщикам", "Supplier orders", partner, store, planned, paid, arrived),
	document("supply", "Приёмки", "Receipts of goods", partner, store, paid),
	document("purchasereturn", "Возвраты поставщикам", "Returns to suppliers", partner, store),
	document("invoicein", "Счета поставщиков", "Invoices of suppliers", partner, paid),
	document("paymentin", "Входящие платежи", "Incoming payments", partner, purpose),
	document("paymentout", "Исходящие платежи", "Outgoing payments", partner, purpose, expense),
	document("cashin", "Приходные ордера", "Cash receipts", partner, purpose),
	document("cashout", "Расходные ордера", "Cash payments", partner, purpose, expense),
	document("move", "Перемещения", "Transfers", to("from_store", "Со склада", "From", "sourceStore", "store", "store"),
		to("to_store", "На склад", "To", "targetStore", "agentStore", "store")),
	document("loss", "Списания", "Write-offs", store),
	document("enter", "Оприходования", "Surpluses", store),
	document("inventory", "Инвентаризации", "Stocktakings", store),
}

// entityNamed returns a type; an unknown name is an error that lists the types.
func entityNamed(c *account.Call, name string) (*entity, error) {
	i := slices.IndexFunc(entities, func(e entity) bool { return e.name == strings.ToLower(strings.TrimSpace(name)) })
	if i >= 0 {
		return &entities[i], nil
	}
	all := make([]string, len(entities))
	for i, e := range entities {
		all[i] = e.name
	}
	return nil, account.Invalid("entity", c.Pickf("нет такого вида: %s", "there is no %s", name)).
		WithHint("%s", c.Pick("есть: ", "there are: ")+strings.Join(all, ", "))
}

// fieldNamed returns a field of the type; an unknown name is an error that lists the fields.
func (e *entity) fieldNamed(c *account.Call, argument, name string) (*field, error) {
	i := slices.IndexFunc(e.fields, func(f field) bool { return f.name == strings.ToLower(strings.TrimSpace(name)) })
	if i >= 0 {
		return &e.fields[i], nil
	}
	return nil, account.Invalid(argument, c.Pickf("у %s нет поля %s", "%s has no field %s", e.name, name)).
		WithHint("%s", c.Pick("есть: ", "there are: ")+strings.Join(e.names(), ", "))
}

func (e *entity) names() []string {
	all := make([]string, len(e.fields))
	for i, f := range e.fields {
		all[i] = f.name
	}
	return all
}

// links returns the API's names of the links among fields, whose names a page must contain.
func links(fields []*field) []string {
	set := map[string]bool{}
	for _, f := range fields {
		if f.sort == link {
			set[f.path] = true
		}
	}
	return slices.Sorted(maps.Keys(set))
}
