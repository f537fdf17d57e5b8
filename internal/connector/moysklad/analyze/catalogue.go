// Package analyze answers queries over a MoySklad account: it declares what can be asked and reads the facts with the
// fewest requests, from the vendor's reports where they suffice and from documents where they do not.
package analyze

import (
	"slices"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

// The bases. Sums are in main units of the account currency.
const (
	sales            analysis.Base = "sales"
	returns          analysis.Base = "returns"
	quantitySold     analysis.Base = "quantity_sold"
	quantityReturned analysis.Base = "quantity_returned"
	receipts         analysis.Base = "receipts" // documents of sale
	saleLines        analysis.Base = "sale_lines"
	discounts        analysis.Base = "discounts"
	costs            analysis.Base = "costs"   // of the covered revenue
	covered          analysis.Base = "covered" // the revenue whose cost is known

	orderCount      analysis.Base = "order_count"
	orderSum        analysis.Base = "order_sum"
	orderShipped    analysis.Base = "order_shipped"
	orderPaid       analysis.Base = "order_paid"
	orderReserved   analysis.Base = "order_reserved"
	purchaseCount   analysis.Base = "purchase_count"
	purchaseSum     analysis.Base = "purchase_sum"
	purchaseReceipt analysis.Base = "purchase_received"
	supplyCount     analysis.Base = "supply_count"
	supplySum       analysis.Base = "supply_sum"
	supplyQuantity  analysis.Base = "supply_quantity"

	inStock     analysis.Base = "in_stock"
	inReserve   analysis.Base = "in_reserve"
	onTheWay    analysis.Base = "on_the_way"
	stockAtCost analysis.Base = "stock_at_cost"
	stockAtSale analysis.Base = "stock_at_sale"
)

// The dimensions.
const (
	dimProduct      = "product"
	dimVariant      = "variant"
	dimKind         = "kind"
	dimGroup        = "group"
	dimSupplier     = "supplier"
	dimUnit         = "unit"
	dimArticle      = "article"
	dimBarcode      = "barcode"
	dimPriceType    = "price_type"
	dimStore        = "store"
	dimLegalEntity  = "legal_entity"
	dimCounterparty = "counterparty"
	dimTag          = "tag"
	dimEmployee     = "employee"
	dimChannel      = "sales_channel"
	dimProject      = "project"
	dimContract     = "contract"
	dimState        = "state"
	dimCurrency     = "currency"
	dimExpenseItem  = "expense_item"
	dimAccount      = "account"
	dimDocumentType = "document_type"
	dimDocument     = "document"
)

var (
	ofGoods     = []string{dimProduct, dimVariant, dimKind, dimGroup, dimSupplier, dimUnit, dimArticle, dimBarcode}
	ofDocuments = []string{dimStore, dimLegalEntity, dimCounterparty, dimTag, dimEmployee, dimChannel, dimProject,
		dimContract,
		dimState, dimCurrency, dimDocumentType, dimDocument}
	ofTime    = []string{"day", "week", "month", "quarter", "year"}
	recurring = []string{"weekday", "hour"}

	// Retail sales do not name their channel; only the profitability report knows it.
	ofSales    = slices.DeleteFunc(slices.Clone(ofDocuments), func(d string) bool { return d == dimChannel })
	overSales  = slices.Concat(ofGoods, ofSales, ofTime, recurring)
	overReport = slices.Concat(ofGoods, ofDocuments, ofTime, recurring)
	// The profitability report gives costs by goods, or by one of employee, counterparty and channel; the planner
	// refuses what it cannot combine.
	overCosts = slices.Concat(ofGoods, []string{dimStore, dimLegalEntity, dimCounterparty, dimTag, dimEmployee,
		dimChannel},
		ofTime)
	overOrders = slices.Concat(ofDocuments, ofTime, recurring)
	overSupply = overSales
	overStock  = slices.Concat(ofGoods, []string{dimStore})
)

func words(ru, en string) tool.Text { return tool.Text{RU: ru, EN: en} }

func called(ru []string, en ...string) analysis.Words { return analysis.Words{RU: ru, EN: en} }

// Catalogue is what can be asked of an account.
var Catalogue = &analysis.Catalogue{
	Measures: slices.Concat(saleMeasures(), orderMeasures(), purchaseMeasures(), stockMeasures(), movementMeasures(),
		correctionMeasures(), paceMeasures(), priceMeasures(), moneyMeasures(), counterpartyMeasures()),
	Dimensions: dimensions(),
	Quantities: slices.Concat([]analysis.Base{quantitySold, quantityReturned, supplyQuantity, inStock, inReserve,
		onTheWay}, movedQuantities, []analysis.Base{lossQuantity, enterQuantity, transferQuantity,
		lastPurchaseQuantity}),
	Rules: map[analysis.Base]analysis.Rule{startQuantity: analysis.First, startCost: analysis.First,
		endQuantity: analysis.Last, endCost: analysis.Last, lastSale: analysis.Greatest,
		firstSale: analysis.Least, sinceLastSale: analysis.Least,
		lastPurchase: analysis.Greatest, lastPurchaseSum: analysis.LastOf, lastPurchaseQuantity: analysis.LastOf,
		oldestStock: analysis.Greatest, salePrice: analysis.Same, buyPrice: analysis.Same, leastPrice: analysis.Same,
		unitCost: analysis.Same},
}

// sub returns x − y, unknown unless both are known. A fact that has one of them has the other, if only as zero.
func sub(x, y analysis.Base) func(analysis.Sums) decimal.Maybe {
	return func(of analysis.Sums) decimal.Maybe {
		a, b := of(x), of(y)
		if !a.Known || !b.Known {
			return decimal.Maybe{}
		}
		return decimal.Some(a.Sub(b.Decimal))
	}
}

// ratio returns x ÷ y × factor, unknown unless both are known and y is positive.
func ratio(x, y func(analysis.Sums) decimal.Maybe, factor decimal.Decimal) func(analysis.Sums) decimal.Maybe {
	return func(of analysis.Sums) decimal.Maybe {
		a, b := x(of), y(of)
		if !a.Known || !b.Known || b.Sign() <= 0 {
			return decimal.Maybe{}
		}
		return decimal.Some(a.Mul(factor).Div(b.Decimal))
	}
}

func just(b analysis.Base) func(analysis.Sums) decimal.Maybe {
	return func(of analysis.Sums) decimal.Maybe { return of(b) }
}
