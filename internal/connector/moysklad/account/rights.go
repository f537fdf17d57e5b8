package account

import (
	"errors"
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/tool"
)

// Rights that determine what tools see, in lower case, as context/employee names them (fact M89). [connector.Identity]
// contains a full right under its name, and a right to see only part of the objects with its scope:
// "customerorder:OWN".
const (
	RightAdmin = "admin"
	RightCost  = "viewproductcostandprofit"
	RightStock = "stock"
)

// Sections of the external system's role settings, as users see them there.
var (
	SectionCost = tool.Text{RU: "Видеть себестоимость, цену закупки и прибыль товаров",
		EN: "See cost, purchase price and profit of goods (Видеть себестоимость, цену закупки и прибыль товаров)"}
	SectionStock     = tool.Text{RU: "Остатки", EN: "Stock (Остатки)"}
	SectionProfit    = tool.Text{RU: "Прибыльность", EN: "Profitability (Прибыльность)"}
	SectionTurnover  = tool.Text{RU: "Обороты", EN: "Turnover (Обороты)"}
	SectionMoney     = tool.Text{RU: "Видеть остатки денег", EN: "See money balances (Видеть остатки денег)"}
	SectionDashboard = tool.Text{RU: "Показатели", EN: "Indicators (Показатели)"}
	SectionCRM       = tool.Text{RU: "Показатели контрагентов", EN: "Counterparty indicators (Показатели контрагентов)"}
	SectionOrders    = tool.Text{RU: "Заказы покупателей", EN: "Customer orders (Заказы покупателей)"}
	SectionDemands   = tool.Text{RU: "Отгрузки", EN: "Shipments (Отгрузки)"}
	SectionRetail    = tool.Text{RU: "Розничные продажи", EN: "Retail sales (Розничные продажи)"}
	SectionStores    = tool.Text{RU: "Склады", EN: "Warehouses (Склады)"}
	SectionGoods     = tool.Text{RU: "Товары", EN: "Goods (Товары)"}

	SectionCounterparties = tool.Text{RU: "Контрагенты", EN: "Counterparties (Контрагенты)"}
)

// sections maps paths to sections, for lists that a tool reads besides its main source.
var sections = map[string]tool.Text{
	"entity/store": SectionStores, "entity/customerorder": SectionOrders, "entity/demand": SectionDemands,
	"entity/retaildemand":  SectionRetail,
	"entity/productfolder": {RU: "Группы товаров", EN: "Groups of goods (Группы товаров)"},
	"entity/counterparty":  SectionCounterparties,
	"entity/organization":  {RU: "Юрлица", EN: "Legal entities (Юрлица)"},
	"entity/employee":      {RU: "Сотрудники", EN: "Employees (Сотрудники)"},
	"report/stock":         SectionStock, "report/turnover": SectionTurnover, "report/profit": SectionProfit,
	"report/money": SectionMoney,
	"report/sales": SectionDashboard, "report/orders": SectionDashboard, "report/dashboard": SectionDashboard,
	"report/counterparty": SectionCRM,
}

// SectionOf returns the section that err is about; goods if no other fits.
func SectionOf(err error) tool.Text {
	if e, ok := errors.AsType[*msapi.APIError](err); ok {
		for path, section := range sections {
			if strings.HasPrefix(e.Path, path) {
				return section
			}
		}
	}
	return SectionGoods
}

// Rights are an employee's rights. They were read when the token was verified; a server response that contradicts them
// (a 403, a missing field) takes precedence.
type Rights struct {
	known bool
	list  []string
}

func newRights(list []string) Rights { return Rights{known: len(list) > 0, list: list} }

// Has reports whether the employee has a right for reports. If the rights are unknown, it returns true.
func (r Rights) Has(name string) bool {
	return !r.known || slices.Contains(r.list, name) || slices.Contains(r.list, RightAdmin)
}

// Sees reports whether the employee sees objects of a type, or may: unknown rights are decided by the server.
func (r Rights) Sees(entity string) bool { return r.Has(entity) || r.Partial(entity) }

// Partial reports whether the employee sees only part of the objects of a type, such as their own documents.
func (r Rights) Partial(entity string) bool {
	return r.known && !slices.Contains(r.list, RightAdmin) &&
		slices.ContainsFunc(r.list, func(s string) bool { return strings.HasPrefix(s, entity+":") })
}

// RightList returns rights in the form stored with a connection: the API's keys, with a scope if they are partial.
func RightList(r msapi.Rights) []string {
	var list []string
	for _, key := range r.Keys() {
		if view := r.View(key); view != msapi.ViewAll {
			key += ":" + string(view)
		}
		list = append(list, key)
	}
	return list
}

// Sections that only propose tools need.
var (
	SectionPurchases     = tool.Text{RU: "Заказы поставщикам", EN: "Supplier orders (Заказы поставщикам)"}
	SectionMoves         = tool.Text{RU: "Перемещения", EN: "Transfers (Перемещения)"}
	SectionOrganizations = tool.Text{RU: "Юрлица", EN: "Legal entities (Юрлица)"}
	SectionPriceTypes    = tool.Text{RU: "Типы цен", EN: "Price types (Типы цен)"}
)
