package account

import (
	"errors"
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/tool"
)

// Rights that decide what tools see, as context/employee names them, in lower case (fact M89). A right that the
// employee has stands in [connector.Identity] under this name alone; a right to see only part of the objects stands
// with its scope: "customerorder:OWN".
const (
	RightAdmin = "admin"
	RightCost  = "viewproductcostandprofit"
	RightStock = "stock"
)

// Sections of the external system's role settings, in the words its users see there.
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
)

// sections are the sections by the path that the server closed, for lists that a tool needs beside its main one.
var sections = map[string]tool.Text{
	"entity/store": SectionStores, "entity/customerorder": SectionOrders, "entity/demand": SectionDemands,
	"entity/retaildemand":  SectionRetail,
	"entity/productfolder": {RU: "Группы товаров", EN: "Groups of goods (Группы товаров)"},
	"entity/counterparty":  {RU: "Контрагенты", EN: "Counterparties (Контрагенты)"},
	"entity/organization":  {RU: "Юрлица", EN: "Legal entities (Юрлица)"},
	"entity/employee":      {RU: "Сотрудники", EN: "Employees (Сотрудники)"},
	"report/stock":         SectionStock, "report/turnover": SectionTurnover, "report/profit": SectionProfit,
	"report/money": SectionMoney,
	"report/sales": SectionDashboard, "report/orders": SectionDashboard, "report/dashboard": SectionDashboard,
	"report/counterparty": SectionCRM,
}

// SectionOf names the section that err is about; goods when nothing else fits.
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

// Rights is what an employee may see. The list was read when the token was verified; an answer of the server that
// says otherwise (a 403, an absent field) always wins over it.
type Rights struct {
	known bool
	list  []string
}

func newRights(list []string) Rights { return Rights{known: len(list) > 0, list: list} }

// Has reports whether the employee has a right of reports. With no list at all nothing is held against them.
func (r Rights) Has(name string) bool {
	return !r.known || slices.Contains(r.list, name) || slices.Contains(r.list, RightAdmin)
}

// Partial reports whether the employee sees only part of the objects of a type, such as own documents.
func (r Rights) Partial(entity string) bool {
	return r.known && !slices.Contains(r.list, RightAdmin) &&
		slices.ContainsFunc(r.list, func(s string) bool { return strings.HasPrefix(s, entity+":") })
}

// RightList is how rights are kept with a connection: the API's keys, with the scope of those that show only a part.
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

// Sections that only proposals need.
var (
	SectionPurchases     = tool.Text{RU: "Заказы поставщикам", EN: "Supplier orders (Заказы поставщикам)"}
	SectionMoves         = tool.Text{RU: "Перемещения", EN: "Transfers (Перемещения)"}
	SectionOrganizations = tool.Text{RU: "Юрлица", EN: "Legal entities (Юрлица)"}
	SectionPriceTypes    = tool.Text{RU: "Типы цен", EN: "Price types (Типы цен)"}
)
