package account

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/decimal"
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

	SectionSupplies       = section("Приёмки", "Receipts of goods")
	SectionCounterparties = tool.Text{RU: "Контрагенты", EN: "Counterparties (Контрагенты)"}
)

// section returns a section of the role settings, which English texts show with its Russian name.
func section(ru, en string) tool.Text { return tool.Text{RU: ru, EN: en + " (" + ru + ")"} }

// sections maps the first two parts of paths to sections.
var sections = map[string]tool.Text{
	"entity/store": SectionStores, "entity/customerorder": SectionOrders, "entity/demand": SectionDemands,
	"entity/retaildemand":  SectionRetail,
	"entity/productfolder": {RU: "Группы товаров", EN: "Groups of goods (Группы товаров)"},
	"entity/counterparty":  SectionCounterparties,
	"entity/organization":  {RU: "Юрлица", EN: "Legal entities (Юрлица)"},
	"entity/employee":      {RU: "Сотрудники", EN: "Employees (Сотрудники)"},
	"report/stock":         SectionStock, "report/turnover": SectionTurnover, "report/profit": SectionProfit,
	"report/money": SectionMoney, "entity/purchaseorder": SectionPurchases, "entity/move": SectionMoves,
	"entity/salesreturn":       section("Возвраты покупателей", "Customer returns"),
	"entity/retailsalesreturn": section("Розничные возвраты", "Retail returns"),
	"entity/invoiceout":        section("Счета покупателям", "Invoices to customers"),
	"entity/supply":            SectionSupplies,
	"entity/purchasereturn":    section("Возвраты поставщикам", "Returns to suppliers"),
	"entity/invoicein":         section("Счета поставщиков", "Invoices of suppliers"),
	"entity/paymentin":         section("Входящие платежи", "Incoming payments"),
	"entity/paymentout":        section("Исходящие платежи", "Outgoing payments"),
	"entity/cashin":            section("Приходные ордера", "Cash receipts"),
	"entity/cashout":           section("Расходные ордера", "Cash payments"),
	"entity/loss":              section("Списания", "Write-offs"),
	"entity/enter":             section("Оприходования", "Surpluses"),
	"entity/inventory":         section("Инвентаризации", "Stocktakings"),
	"entity/internalorder":     section("Внутренние заказы", "Internal orders"),
	"entity/processing":        section("Техоперации", "Productions"),
	"entity/currency":          section("Валюты", "Currencies"),
	"entity/expenseitem":       section("Статьи расходов", "Expense items"),
	"entity/project":           section("Проекты", "Projects"),
	"entity/saleschannel":      section("Каналы продаж", "Sales channels"),
	"entity/product":           SectionGoods, "entity/variant": SectionGoods, "entity/bundle": SectionGoods,
	"entity/service": SectionGoods, "entity/assortment": SectionGoods, "entity/uom": SectionGoods,
	"report/sales": SectionDashboard, "report/orders": SectionDashboard, "report/dashboard": SectionDashboard,
	"report/counterparty": SectionCRM,
}

// SectionOf returns the section that err is about.
func SectionOf(err error) tool.Text {
	if e, ok := errors.AsType[*msapi.APIError](err); ok {
		return SectionAt(e.Path)
	}
	return SectionGoods
}

// SectionAt returns the section that a path belongs to, or the path itself if it is of no known section: to name
// another section would be wrong.
func SectionAt(path string) tool.Text {
	parts := strings.SplitN(path, "/", 3)
	first := strings.Join(parts[:min(2, len(parts))], "/")
	if known, ok := sections[first]; ok {
		return known
	}
	return tool.Text{RU: first, EN: first}
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

// Whole reports whether it is known that the employee sees all objects of a type.
func (r Rights) Whole(entity string) bool { return r.known && r.Has(entity) && !r.Partial(entity) }

// Partial reports whether the employee sees only part of the objects of a type, such as their own documents.
func (r Rights) Partial(entity string) bool {
	return r.known && !slices.Contains(r.list, RightAdmin) &&
		slices.ContainsFunc(r.list, func(s string) bool { return strings.HasPrefix(s, entity+":") })
}

// CostVisibility distinguishes a hidden cost from an unknown one. The server omits a hidden cost or perhaps returns
// zero (fact M91). The cost is hidden if no row has one and the right is missing, or if the field is always missing.
type CostVisibility struct {
	Rights              Rights
	rows, came, nonzero int
}

// Observe takes the cost in a row into account.
func (s *CostVisibility) Observe(cost decimal.Maybe) {
	s.rows++
	if cost.Known {
		s.came++
		if cost.Sign() != 0 {
			s.nonzero++
		}
	}
}

// Hidden reports whether the employee may not see costs. All rows have been observed.
func (s *CostVisibility) Hidden() bool {
	if s.nonzero > 0 {
		return false
	}
	return !s.Rights.Has(RightCost) || s.rows > 0 && s.came == 0
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

// sameRights reports whether the employee has the rights that the connection was verified with. They may have changed
// in the account since. It is asked at most once a minute.
func (c *Call) sameRights(ctx context.Context) bool {
	now, err := readCached(ctx, c.Account, &c.rightsNow, "rights", func(ctx context.Context) ([]string, error) {
		e, err := c.Reader.Employee(ctx)
		return RightList(e.Rights), err
	})
	same := err == nil && slices.Equal(now, c.Who.Rights)
	if !same && ctx.Err() == nil {
		c.Logger.WarnContext(ctx, "nothing is kept of the account until the connection is verified: the employee's rights "+
			"have changed or are unknown", "account", c.Who.Account, "err", err)
	}
	return same
}

// Sections that only propose tools need.
var (
	SectionPurchases     = tool.Text{RU: "Заказы поставщикам", EN: "Supplier orders (Заказы поставщикам)"}
	SectionMoves         = tool.Text{RU: "Перемещения", EN: "Transfers (Перемещения)"}
	SectionOrganizations = tool.Text{RU: "Юрлица", EN: "Legal entities (Юрлица)"}
	SectionPriceTypes    = tool.Text{RU: "Типы цен", EN: "Price types (Типы цен)"}
)
