// Package doctype lists the types of documents that queries read facts from, and what each of them tells.
package doctype

import (
	"context"
	"iter"
	"slices"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/analyze/measures"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/tool"
)

// Type is a type of documents that facts are read from.
type Type struct {
	Name    string
	Section tool.Text // of the role settings
	Title   tool.Text
	List    func(*msapi.Reader, context.Context, msapi.OrderQuery) iter.Seq2[msapi.Order, error]
	Sum     analysis.Base
	Others  []analysis.Base // beside the sum
	// the bases of the quantity and of the number of documents; empty for none
	Quantity, Count analysis.Base
	Counts          bool // stocktakings: they are not posted, and their lines say what was counted and expected
}

// Bases lists what documents of the type tell.
func (t Type) Bases() []analysis.Base {
	all := append([]analysis.Base{t.Sum}, t.Others...)
	for _, b := range []analysis.Base{t.Quantity, t.Count} {
		if b != "" {
			all = append(all, b)
		}
	}
	return all
}

// Has reports whether documents of the type have any of the bases.
func (t Type) Has(bases []analysis.Base) bool {
	return slices.ContainsFunc(t.Bases(), func(b analysis.Base) bool { return slices.Contains(bases, b) })
}

// Kind is types of documents that are read together, because measures are computed from several of them.
type Kind []Type

// Bases lists what the documents tell.
func (k Kind) Bases() (all []analysis.Base) {
	for _, t := range k {
		for _, b := range t.Bases() {
			if !slices.Contains(all, b) {
				all = append(all, b)
			}
		}
	}
	return all
}

func sold(kind msapi.SaleType) func(*msapi.Reader, context.Context, msapi.OrderQuery) iter.Seq2[msapi.Order, error] {
	return func(r *msapi.Reader, ctx context.Context, q msapi.OrderQuery) iter.Seq2[msapi.Order, error] {
		return r.Sales(ctx, kind, q)
	}
}

// Sales are the types that sales are spread over (fact M62).
var Sales = Kind{
	{Name: "demand", Section: account.SectionDemands, Title: text("Отгрузка", "Shipment"), List: sold(msapi.Demand),
		Sum: measures.Sales, Quantity: measures.QuantitySold, Count: measures.Receipts,
		Others: []analysis.Base{measures.SaleLines, measures.Discounts, measures.LastSale}},
	{Name: "retaildemand", Section: account.SectionRetail, Title: text("Розничная продажа", "Retail sale"),
		List: sold(msapi.RetailDemand), Sum: measures.Sales, Quantity: measures.QuantitySold, Count: measures.Receipts,
		Others: []analysis.Base{measures.SaleLines, measures.Discounts, measures.LastSale}},
	{Name: "salesreturn", Section: text("Возвраты покупателей", "Customer returns (Возвраты покупателей)"),
		Title: text("Возврат покупателя", "Customer return"), List: sold(msapi.SalesReturn),
		Sum: measures.Returns, Quantity: measures.QuantityReturned},
	{Name: "retailsalesreturn", Section: text("Розничные возвраты", "Retail returns (Розничные возвраты)"),
		Title: text("Розничный возврат", "Retail return"), List: sold(msapi.RetailSalesReturn),
		Sum: measures.Returns, Quantity: measures.QuantityReturned},
}

// CustomerOrders and SupplierOrders are also read for what is left to do with them.
var (
	CustomerOrders = Kind{{Name: "customerorder", Section: account.SectionOrders,
		Title: text("Заказ покупателя", "Customer order"), List: (*msapi.Reader).CustomerOrders,
		Sum: measures.OrderSum, Count: measures.OrderCount,
		Others: []analysis.Base{measures.OrderShipped, measures.OrderPaid, measures.OrderReserved,
			measures.OverdueDays}}}
	SupplierOrders = Kind{{Name: "purchaseorder", Section: account.SectionPurchases,
		Title: text("Заказ поставщику", "Supplier order"), List: (*msapi.Reader).PurchaseOrders,
		Sum: measures.PurchaseSum, Count: measures.PurchaseCount,
		Others: []analysis.Base{measures.PurchaseReceipt, measures.OpenOrderSum, measures.ExpectedOn,
			measures.SupplierOverdueDays}}}
)

// Receipts are the documents of goods that suppliers delivered.
var Receipts = Kind{{Name: "supply", Section: text("Приёмки", "Receipts of goods (Приёмки)"),
	Title: text("Приёмка", "Receipt of goods"), List: (*msapi.Reader).Supplies,
	Sum: measures.SupplySum, Quantity: measures.SupplyQuantity, Count: measures.SupplyCount,
	Others: []analysis.Base{measures.LastPurchase, measures.LastPurchaseSum, measures.LastPurchaseQuantity}}}

func paid(kind msapi.PaymentType) func(*msapi.Reader, context.Context, msapi.OrderQuery) iter.Seq2[msapi.Order, error] {
	return func(r *msapi.Reader, ctx context.Context, q msapi.OrderQuery) iter.Seq2[msapi.Order, error] {
		return r.Payments(ctx, kind, q)
	}
}

// Payments are the documents of money: bank payments and cash orders.
var Payments = Kind{
	{Name: string(msapi.PaymentIn), Section: account.SectionAt("entity/paymentin"),
		Title: text("Входящий платёж", "Incoming payment"), List: paid(msapi.PaymentIn), Sum: measures.MoneyIn},
	{Name: string(msapi.CashIn), Section: account.SectionAt("entity/cashin"),
		Title: text("Приходный ордер", "Cash receipt"), List: paid(msapi.CashIn), Sum: measures.MoneyIn},
	{Name: string(msapi.PaymentOut), Section: account.SectionAt("entity/paymentout"),
		Title: text("Исходящий платёж", "Outgoing payment"), List: paid(msapi.PaymentOut), Sum: measures.MoneyOut},
	{Name: string(msapi.CashOut), Section: account.SectionAt("entity/cashout"),
		Title: text("Расходный ордер", "Cash payment"), List: paid(msapi.CashOut), Sum: measures.MoneyOut},
}

// All lists the kinds of documents.
var All = []Kind{
	Sales,
	CustomerOrders,
	SupplierOrders,
	Receipts,
	{{Name: "loss", Section: text("Списания", "Write-offs (Списания)"), Title: text("Списание", "Write-off"),
		List: (*msapi.Reader).Losses, Sum: measures.LossSum, Quantity: measures.LossQuantity}},
	{{Name: "enter", Section: text("Оприходования", "Surpluses (Оприходования)"),
		Title: text("Оприходование", "Surplus"), List: (*msapi.Reader).Enters, Sum: measures.EnterSum,
		Quantity: measures.EnterQuantity}},
	{{Name: "inventory", Section: text("Инвентаризации", "Stocktakings (Инвентаризации)"), Counts: true,
		Title: text("Инвентаризация", "Stocktaking"), List: (*msapi.Reader).Stocktakings,
		Sum: measures.CountedSum, Quantity: measures.CountedDifference}},
	{{Name: "move", Section: account.SectionMoves, Title: text("Перемещение", "Transfer"),
		List: (*msapi.Reader).Transfers, Sum: measures.TransferSum, Quantity: measures.TransferQuantity}},
	Payments,
}

func text(ru, en string) tool.Text { return tool.Text{RU: ru, EN: en} }
