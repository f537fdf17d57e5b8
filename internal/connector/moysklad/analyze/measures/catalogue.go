// Package measures declares what can be asked of a MoySklad account: an entry for each measure and each dimension. It
// reads nothing.
package measures

import (
	"slices"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

// The bases. Sums are in main units of the account currency.
const (
	Sales            analysis.Base = "sales"
	Returns          analysis.Base = "returns"
	QuantitySold     analysis.Base = "quantity_sold"
	QuantityReturned analysis.Base = "quantity_returned"
	Receipts         analysis.Base = "receipts" // documents of sale
	SaleLines        analysis.Base = "sale_lines"
	Discounts        analysis.Base = "discounts"
	Costs            analysis.Base = "costs"   // of the covered revenue
	Covered          analysis.Base = "covered" // the revenue whose cost is known

	OrderCount      analysis.Base = "order_count"
	OrderSum        analysis.Base = "order_sum"
	OrderShipped    analysis.Base = "order_shipped"
	OrderPaid       analysis.Base = "order_paid"
	OrderReserved   analysis.Base = "order_reserved"
	PurchaseCount   analysis.Base = "purchase_count"
	PurchaseSum     analysis.Base = "purchase_sum"
	PurchaseReceipt analysis.Base = "purchase_received"
	SupplyCount     analysis.Base = "supply_count"
	SupplySum       analysis.Base = "supply_sum"
	SupplyQuantity  analysis.Base = "supply_quantity"

	InStock     analysis.Base = "in_stock"
	InReserve   analysis.Base = "in_reserve"
	OnTheWay    analysis.Base = "on_the_way"
	StockAtCost analysis.Base = "stock_at_cost"
	StockAtSale analysis.Base = "stock_at_sale"
)

// The dimensions.
const (
	DimProduct      = "product"
	DimVariant      = "variant"
	DimKind         = "kind"
	DimGroup        = "group"
	DimSupplier     = "supplier"
	DimUnit         = "unit"
	DimArticle      = "article"
	DimBarcode      = "barcode"
	DimCountry      = "country"
	DimPriceBand    = "price_band"
	DimABC          = "abc"
	DimXYZ          = "xyz"
	DimRFM          = "rfm"
	DimPriceType    = "price_type"
	DimStore        = "store"
	DimLegalEntity  = "legal_entity"
	DimCounterparty = "counterparty"
	DimTag          = "tag"
	DimEmployee     = "employee"
	DimChannel      = "sales_channel"
	DimProject      = "project"
	DimContract     = "contract"
	DimState        = "state"
	DimCurrency     = "currency"
	DimExpenseItem  = "expense_item"
	DimAccount      = "account"
	DimDocumentType = "document_type"
	DimDocument     = "document"
)

var (
	OfGoods = []string{DimProduct, DimVariant, DimKind, DimGroup, DimSupplier, DimUnit, DimArticle, DimBarcode,
		DimCountry, DimPriceBand}
	ofDocuments = []string{DimStore, DimLegalEntity, DimCounterparty, DimTag, DimEmployee, DimChannel, DimProject,
		DimContract,
		DimState, DimCurrency, DimDocumentType, DimDocument}
	ofTime    = []string{"day", "week", "month", "quarter", "year"}
	recurring = []string{"weekday", "hour"}

	// Retail sales do not name their channel; only the profitability report knows it.
	ofSales    = slices.DeleteFunc(slices.Clone(ofDocuments), func(d string) bool { return d == DimChannel })
	overSales  = slices.Concat(OfGoods, ofSales, ofTime, recurring)
	overReport = slices.Concat(OfGoods, ofDocuments, ofTime, recurring)
	// The profitability report gives costs by goods, or by one of employee, counterparty and channel; the planner
	// refuses what it cannot combine.
	overCosts = slices.Concat(OfGoods, []string{DimStore, DimLegalEntity, DimCounterparty, DimTag, DimEmployee,
		DimChannel},
		ofTime)
	overOrders = slices.Concat(ofDocuments, ofTime, recurring)
	overSupply = overSales
	overStock  = slices.Concat(OfGoods, []string{DimStore})
)

func words(ru, en string) tool.Text { return tool.Text{RU: ru, EN: en} }

// Called returns words for a measure or dimension.
func Called(ru []string, en ...string) analysis.Words { return analysis.Words{RU: ru, EN: en} }

// Catalogue is what can be asked of an account.
var Catalogue = &analysis.Catalogue{
	Measures: complete(saleMeasures(), orderMeasures(), purchaseMeasures(), stockMeasures(), movementMeasures(),
		correctionMeasures(), paceMeasures(), priceMeasures(), moneyMeasures(), counterpartyMeasures()),
	Dimensions: dimensions(),
	Quantities: slices.Concat([]analysis.Base{QuantitySold, QuantityReturned, SupplyQuantity, InStock, InReserve,
		OnTheWay}, MinimumBases, MovedQuantities, []analysis.Base{LossQuantity, EnterQuantity, TransferQuantity,
		CountedDifference, LastPurchaseQuantity}),
	Coverage: &analysis.Coverage{Bases: []analysis.Base{Costs, Covered}, Part: Covered, Whole: "revenue",
		Others: []analysis.Base{Sales, Returns, QuantitySold, QuantityReturned, Receipts, SaleLines, Discounts}},
	Rules: map[analysis.Base]analysis.Rule{StartQuantity: analysis.First, StartCost: analysis.First,
		EndQuantity: analysis.Last, EndCost: analysis.Last, LastSale: analysis.Greatest,
		FirstSale: analysis.Least, SinceLastSale: analysis.Least, LatestSale: analysis.Greatest,
		DebtAge: analysis.Greatest, OurDebtAge: analysis.Greatest,
		LastPurchase: analysis.Greatest, LastPurchaseSum: analysis.LastOf, LastPurchaseQuantity: analysis.LastOf,
		ExpectedOn: analysis.Least, OverdueDays: analysis.Greatest, SupplierOverdueDays: analysis.Greatest,
		OldestStock: analysis.Greatest, SalePrice: analysis.Same, BuyPrice: analysis.Same, LeastPrice: analysis.Same,
		UnitCost: analysis.Same},
}

// NowBases are known only as of now, not over a period.
var NowBases = slices.Concat(StockBases, MinimumBases, OpenBases, PriceBases, AgentBases,
	[]analysis.Base{AccountBalance})

// complete adds the dimensions of classes to the measures that have parts of goods, and marks the measures of now.
func complete(lists ...[]analysis.Measure) []analysis.Measure {
	all := slices.Concat(lists...)
	for i := range all {
		m := &all[i]
		if slices.Contains(m.Over, DimProduct) {
			m.Over = append(slices.Clip(m.Over), DimABC, DimXYZ)
		}
		m.Now = !slices.ContainsFunc(m.Bases, func(b analysis.Base) bool { return !slices.Contains(NowBases, b) })
	}
	return all
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
