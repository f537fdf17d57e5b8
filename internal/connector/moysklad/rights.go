package moysklad

import (
	"errors"
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/tool"
)

// Rights that decide what tools see, as context/employee names them, in lower case (reference, section 7.1). A right
// that the employee has stands in [connector.Identity] under this name alone; a right to see only part of the objects
// stands with its scope: "customerorder:OWN".
const (
	rightAdmin = "admin"
	rightCost  = "viewproductcostandprofit"
	rightStock = "stock"
)

// Sections of the external system's role settings, in the words its users see there.
var (
	sectionCost = tool.Text{RU: "Видеть себестоимость, цену закупки и прибыль товаров",
		EN: "See cost, purchase price and profit of goods (Видеть себестоимость, цену закупки и прибыль товаров)"}
	sectionStock     = tool.Text{RU: "Остатки", EN: "Stock (Остатки)"}
	sectionProfit    = tool.Text{RU: "Прибыльность", EN: "Profitability (Прибыльность)"}
	sectionTurnover  = tool.Text{RU: "Обороты", EN: "Turnover (Обороты)"}
	sectionMoney     = tool.Text{RU: "Видеть остатки денег", EN: "See money balances (Видеть остатки денег)"}
	sectionDashboard = tool.Text{RU: "Показатели", EN: "Indicators (Показатели)"}
	sectionCRM       = tool.Text{RU: "Показатели контрагентов", EN: "Counterparty indicators (Показатели контрагентов)"}
	sectionOrders    = tool.Text{RU: "Заказы покупателей", EN: "Customer orders (Заказы покупателей)"}
	sectionDemands   = tool.Text{RU: "Отгрузки", EN: "Shipments (Отгрузки)"}
	sectionRetail    = tool.Text{RU: "Розничные продажи", EN: "Retail sales (Розничные продажи)"}
	sectionStores    = tool.Text{RU: "Склады", EN: "Warehouses (Склады)"}
	sectionGoods     = tool.Text{RU: "Товары", EN: "Goods (Товары)"}
)

// sections are the sections by the path that the server closed, for lists that a tool needs beside its main one.
var sections = map[string]tool.Text{
	"entity/store": sectionStores, "entity/customerorder": sectionOrders, "entity/demand": sectionDemands,
	"entity/retaildemand":  sectionRetail,
	"entity/productfolder": {RU: "Группы товаров", EN: "Groups of goods (Группы товаров)"},
	"entity/counterparty":  {RU: "Контрагенты", EN: "Counterparties (Контрагенты)"},
	"entity/organization":  {RU: "Юрлица", EN: "Legal entities (Юрлица)"},
	"entity/employee":      {RU: "Сотрудники", EN: "Employees (Сотрудники)"},
	"report/stock":         sectionStock, "report/turnover": sectionTurnover, "report/profit": sectionProfit,
	"report/money": sectionMoney,
	"report/sales": sectionDashboard, "report/orders": sectionDashboard, "report/dashboard": sectionDashboard,
	"report/counterparty": sectionCRM,
}

// sectionOf names the section that err is about; goods when nothing else fits.
func sectionOf(err error) tool.Text {
	if e, ok := errors.AsType[*msapi.APIError](err); ok {
		for path, section := range sections {
			if strings.HasPrefix(e.Path, path) {
				return section
			}
		}
	}
	return sectionGoods
}

// rights is what an employee may see. The list was read when the token was verified; an answer of the server that
// says otherwise (a 403, an absent field) always wins over it.
type rights struct {
	known bool
	list  []string
}

func newRights(list []string) rights { return rights{known: len(list) > 0, list: list} }

// has tells whether the employee has a right of reports. With no list at all nothing is held against them.
func (r rights) has(name string) bool {
	return !r.known || slices.Contains(r.list, name) || slices.Contains(r.list, rightAdmin)
}

// partial tells whether the employee sees only part of the objects of a type, such as own documents.
func (r rights) partial(entity string) bool {
	return r.known && !slices.Contains(r.list, rightAdmin) &&
		slices.ContainsFunc(r.list, func(s string) bool { return strings.HasPrefix(s, entity+":") })
}

// rightList is how rights are kept with a connection: the API's keys, with the scope of those that show only a part.
func rightList(r msapi.Rights) []string {
	var list []string
	for _, key := range r.Keys() {
		if view := r.View(key); view != msapi.ViewAll {
			key += ":" + string(view)
		}
		list = append(list, key)
	}
	return list
}
