package language

import (
	"fmt"

	"github.com/stockhand/stockhand/internal/language/phrase"
)

// concept is a meaning that words of either language have. The files in lexicon/ say which words mean it; they use the
// name of the constant without its prefix.
type concept = phrase.Meaning

const (
	// What a task may be about.
	conceptStock concept = iota
	conceptStore
	conceptShortage
	conceptBelowMinimum
	conceptRunsOut
	conceptToBuy
	conceptSlowStock
	conceptLiesInStock
	conceptTurnover
	conceptSalesTurnover
	conceptMoney
	conceptMoneyBalance
	conceptMoneyFlow
	conceptDebt
	conceptPayable
	conceptBothWays
	conceptSales
	conceptRevenue
	conceptProfit
	conceptLoss
	conceptMargin
	conceptOrder
	conceptOverdue
	conceptABC
	conceptOverview
	conceptNegative
	conceptZero
	conceptAllRows
	conceptTrend
	conceptCompare
	conceptPerformance
	conceptReport

	// Things that an account lists.
	conceptProduct
	conceptVariant
	conceptCode
	conceptGroup
	conceptSupplier
	conceptCustomer
	conceptCustomerBuys
	conceptEmployee
	conceptChannel
	conceptOrganization
	conceptPrice
	conceptPriceType
	conceptWho

	// Asking.
	conceptHave
	conceptHowMany
	conceptShow
	conceptFind
	conceptList
	conceptListWord
	conceptListCount
	conceptPriceQuestion
	conceptFollowUp
	conceptGreeting
	conceptHelp
	conceptConsolidate

	// Dimensions and orders of a report.
	conceptBest
	conceptWorst
	conceptByStore
	conceptByEmployee
	conceptByCustomer
	conceptByChannel
	conceptByVariant
	conceptByProduct
	conceptByRevenue
	conceptByProfit
	conceptByQuantity
	conceptByValue
	conceptByName
	conceptByDay
	conceptByWeek
	conceptByMonth
	conceptByHour

	// Orders for a draft.
	conceptCreate
	conceptPurchaseOrder
	conceptBuy
	conceptToOrder
	conceptMove
	conceptBalanceStores
	conceptCarry
	conceptBring
	conceptSetPrice
	conceptRaise
	conceptLower
	conceptReprice
	conceptDiscount

	// What Stockhand does not do.
	conceptOutOfScope
	conceptMaybeOutOfScope
	conceptForecast
	conceptDelete
	conceptSending
	conceptSendMessage
	conceptNewRecord

	// Words that mean nothing by themselves.
	conceptFiller

	numConcepts int = iota
)

var conceptNames = [numConcepts]string{
	conceptStock: "Stock", conceptStore: "Store", conceptShortage: "Shortage", conceptBelowMinimum: "BelowMinimum",
	conceptRunsOut: "RunsOut", conceptToBuy: "ToBuy", conceptSlowStock: "SlowStock",
	conceptLiesInStock: "LiesInStock", conceptTurnover: "Turnover", conceptSalesTurnover: "SalesTurnover",
	conceptMoney: "Money", conceptMoneyBalance: "MoneyBalance", conceptMoneyFlow: "MoneyFlow", conceptDebt: "Debt",
	conceptPayable: "Payable", conceptBothWays: "BothWays", conceptSales: "Sales", conceptRevenue: "Revenue",
	conceptProfit: "Profit", conceptLoss: "Loss", conceptMargin: "Margin", conceptOrder: "Order",
	conceptOverdue: "Overdue", conceptABC: "ABC", conceptOverview: "Overview", conceptNegative: "Negative",
	conceptZero: "Zero", conceptAllRows: "AllRows", conceptTrend: "Trend", conceptCompare: "Compare",
	conceptPerformance: "Performance", conceptReport: "Report",
	conceptProduct: "Product", conceptVariant: "Variant", conceptCode: "Code", conceptGroup: "Group",
	conceptSupplier: "Supplier", conceptCustomer: "Customer", conceptCustomerBuys: "CustomerBuys",
	conceptEmployee: "Employee", conceptChannel: "Channel", conceptOrganization: "Organization",
	conceptPrice: "Price", conceptPriceType: "PriceType", conceptWho: "Who",
	conceptHave: "Have", conceptHowMany: "HowMany", conceptShow: "Show", conceptFind: "Find", conceptList: "List",
	conceptListWord: "ListWord", conceptListCount: "ListCount", conceptPriceQuestion: "PriceQuestion",
	conceptFollowUp: "FollowUp", conceptGreeting: "Greeting", conceptHelp: "Help", conceptConsolidate: "Consolidate",
	conceptBest: "Best", conceptWorst: "Worst", conceptByStore: "ByStore", conceptByEmployee: "ByEmployee",
	conceptByCustomer: "ByCustomer", conceptByChannel: "ByChannel", conceptByVariant: "ByVariant",
	conceptByProduct: "ByProduct", conceptByRevenue: "ByRevenue", conceptByProfit: "ByProfit",
	conceptByQuantity: "ByQuantity", conceptByValue: "ByValue", conceptByName: "ByName", conceptByDay: "ByDay",
	conceptByWeek: "ByWeek", conceptByMonth: "ByMonth", conceptByHour: "ByHour",
	conceptCreate: "Create", conceptPurchaseOrder: "PurchaseOrder", conceptBuy: "Buy", conceptToOrder: "ToOrder",
	conceptMove: "Move", conceptBalanceStores: "BalanceStores", conceptCarry: "Carry", conceptBring: "Bring",
	conceptSetPrice: "SetPrice", conceptRaise: "Raise", conceptLower: "Lower", conceptReprice: "Reprice",
	conceptDiscount:   "Discount",
	conceptOutOfScope: "OutOfScope", conceptMaybeOutOfScope: "MaybeOutOfScope", conceptForecast: "Forecast",
	conceptDelete: "Delete", conceptSending: "Sending", conceptSendMessage: "SendMessage",
	conceptNewRecord: "NewRecord",
	conceptFiller:    "Filler",
}

// conceptNamed returns the concept that the lexicon files call by this name.
func conceptNamed(name string) (concept, error) {
	for c, n := range conceptNames {
		if n == name {
			return concept(c), nil
		}
	}
	return 0, fmt.Errorf("unknown concept %q", name)
}
