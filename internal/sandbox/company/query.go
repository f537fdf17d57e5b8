package company

import (
	"time"

	"github.com/stockhand/stockhand/internal/decimal"
)

// Choice narrows a report to some entities. The zero value is all of them. The empty ID stands for "not filled":
// Only{""} chooses goods without a supplier, Except{""} those with one (fact M22).
type Choice struct {
	Only   []ID // nil: all; an id that does not exist chooses nothing
	Except []ID
}

// Archived says which goods of a list are wanted.
type Archived int

// Archived goods are left out unless asked for (fact M26).
const (
	NotArchived Archived = iota
	OnlyArchived
	ArchivedToo
)

// Mode is a value of stockMode and quantityMode. The empty mode is the default of the report.
type Mode string

// Modes (fact M56).
const (
	ModeAll          Mode = "all"
	ModePositive     Mode = "positiveOnly"
	ModeNegative     Mode = "negativeOnly"
	ModeEmpty        Mode = "empty"
	ModeNonEmpty     Mode = "nonEmpty"
	ModeUnderMinimum Mode = "underMinimum"
)

// OrderKey is one key of an order.
type OrderKey struct {
	Key  string // as the API names it
	Desc bool
}

// GoodFilter chooses goods. Products also takes the variants of a product; a bundle or service is named by its own id.
type GoodFilter struct {
	Products         Choice // with Variants: either is enough
	Variants         Choice
	Folders          Choice
	WithoutSubfolder bool // withSubFolders=false
	Suppliers        Choice
	Archived         Archived
	Search           string // substring of the name, in any case
	SearchNot        string // names that do not contain it
	Weighed          *bool
}

// StockQuery asks for report/stock/all and report/stock/bystore (facts M71, M77).
type StockQuery struct {
	GoodFilter
	ByProduct    bool      // groupBy=product: variants folded into their product
	Stores       Choice    // with nested stores
	Moment       time.Time // zero: now
	StockMode    Mode      // default: ModeAll in StockAll, ModeNonEmpty in StockByStore
	QuantityMode Mode      // default ModeNonEmpty; StockAll only
	ReserveOnly  bool
	TransitOnly  bool
	DaysFrom     *decimal.Decimal // stockDaysFrom
	DaysTo       *decimal.Decimal
	Order        []OrderKey // default: folder, then name
}

// StockRow is a row of report/stock/all.
type StockRow struct {
	Good      *Good
	Stock     Quantity
	Reserve   Quantity
	InTransit Quantity
	InHand    Quantity // what the cost is of: the stock of the stores where there is any
	CostSum   Money    // of InHand
	ageSum    int64    // minutes × quantity of the lots
}

// Quantity is what the reports call available: stock − reserve + inTransit (fact M70).
func (r StockRow) Quantity() Quantity { return r.Stock - r.Reserve + r.InTransit }

// Price is the cost of one unit in minor units; 0 when it is unknown or nothing is there.
func (r StockRow) Price() decimal.Decimal {
	if r.Stock <= 0 || r.InHand <= 0 {
		return decimal.Zero
	}
	return decimal.FromInt(int64(r.CostSum)).Div(decimal.FromInt(int64(r.InHand)))
}

// StockDays is the average age of the stock, in days.
func (r StockRow) StockDays() decimal.Decimal {
	if r.InHand <= 0 {
		return decimal.Zero
	}
	return ratio(r.ageSum, int64(r.InHand)).Div(decimal.FromInt(24 * 60))
}

// StoreStock is a good in one store. Store is nil for reserves and expectations not bound to one.
type StoreStock struct {
	Store     *Store
	Stock     Quantity
	Reserve   Quantity
	InTransit Quantity
}

// Quantity is what the reports call available.
func (s StoreStock) Quantity() Quantity { return s.Stock - s.Reserve + s.InTransit }

// ByStoreRow is a row of report/stock/bystore: an element for each store that was asked for.
type ByStoreRow struct {
	Good   *Good
	Stores []StoreStock
}

// StockType names one figure of stock.
type StockType string

// Stock types (fact M75).
const (
	TypeStock     StockType = "stock"
	TypeFreeStock StockType = "freeStock"
	TypeQuantity  StockType = "quantity"
	TypeReserve   StockType = "reserve"
	TypeInTransit StockType = "inTransit"
)

// CurrentQuery asks for report/stock/all/current and bystore/current.
type CurrentQuery struct {
	ByStore      bool
	Type         StockType // default TypeStock
	ZeroLines    bool
	ChangedSince time.Time // zero: all
	Goods        []ID      // nil: all
	Stores       []ID      // nil: all; nested stores are not summed into parents
}

// CurrentRow is a row of a current report. Store is nil in all/current, and for what is bound to no store.
type CurrentRow struct {
	Good  *Good
	Store *Store
	Value Quantity
}

// TurnoverQuery asks for report/turnover (fact M79). Agents, tags, organizations, retail stores and
// types choose the operations counted as income and outcome; what was there at the ends stays whole.
type TurnoverQuery struct {
	GoodFilter
	From, To        time.Time // both inclusive
	ByVariant       bool      // groupBy=variant; the default folds variants
	Stores          Choice    // with nested stores
	Organizations   Choice
	Agents          Choice
	AgentTags       []string
	RetailStores    Choice
	Types           []DocumentType
	WithoutTurnover bool // also goods that did not move
}

// Flow is a quantity with its cost.
type Flow struct {
	Quantity Quantity
	Sum      Money // cost, not revenue
}

// Turnover is opening stock, income, outcome and closing stock.
type Turnover struct{ Start, Income, Outcome, End Flow }

// TurnoverRow is a row of report/turnover/all.
type TurnoverRow struct {
	Good *Good
	Turnover
}

// StoreTurnover is the turnover of a good in one store.
type StoreTurnover struct {
	Store *Store
	Turnover
}

// TurnoverStoreRow is a row of report/turnover/bystore.
type TurnoverStoreRow struct {
	Good   *Good
	Stores []StoreTurnover
}

// OperationRow is a row of report/turnover/byoperations and of report/byoperations.
type OperationRow struct {
	Good     *Good
	Store    *Store
	Document *Document
	Moment   time.Time
	Quantity Quantity // above zero: came in
	Sum      Money    // cost
	age      int64    // minutes
}

// Cost is the cost of one unit in minor units.
func (r OperationRow) Cost() decimal.Decimal { return ratio(int64(r.Sum), int64(r.Quantity)) }

// StockDays is how long the goods of the row have been there.
func (r OperationRow) StockDays() decimal.Decimal {
	return decimal.FromInt(r.age).Div(decimal.FromInt(24 * 60))
}

// ProfitBy says what a profit report is by.
type ProfitBy string

// Profit reports (fact M81).
const (
	ByProduct      ProfitBy = "byproduct"
	ByVariant      ProfitBy = "byvariant"
	ByEmployee     ProfitBy = "byemployee"
	ByCounterparty ProfitBy = "bycounterparty"
	BySalesChannel ProfitBy = "bysaleschannel"
)

// ProfitQuery asks for a profit report.
type ProfitQuery struct {
	GoodFilter     // Archived is not looked at: what was sold stays sold
	By             ProfitBy
	From, To       time.Time      // both inclusive
	Types          []DocumentType // demand, retaildemand; nil: both. Their returns go with them
	Counterparties Choice
	AgentTags      []string
	Organizations  Choice
	Stores         Choice // with nested stores
	RetailStores   Choice
	SalesChannels  Choice
}

// ProfitRow is a row of a profit report; of the five subjects the one it is by is set.
type ProfitRow struct {
	Good                         *Good
	Employee                     *Employee
	Counterparty                 *Counterparty
	SalesChannel                 *SalesChannel
	SellQuantity, ReturnQuantity Quantity
	SalesCount, ReturnCount      int
	SellSum, ReturnSum           Money // revenue before returns; returned revenue
	SellCostSum, ReturnCostSum   Money
}

// Profit is net of returns.
func (r ProfitRow) Profit() Money {
	return (r.SellSum - r.ReturnSum) - (r.SellCostSum - r.ReturnCostSum)
}

// Margin is profit ÷ cost, a fraction; 0 when the cost is 0.
func (r ProfitRow) Margin() decimal.Decimal {
	return ratio(int64(r.Profit()), int64(r.SellCostSum-r.ReturnCostSum))
}

// SalesMargin is profit ÷ net revenue, a fraction; 1 when the cost is 0, which says that the cost is unknown.
func (r ProfitRow) SalesMargin() decimal.Decimal {
	if r.SellCostSum-r.ReturnCostSum == 0 {
		return decimal.One
	}
	return ratio(int64(r.Profit()), int64(r.SellSum-r.ReturnSum))
}

// SellPrice is the average price of a unit sold.
func (r ProfitRow) SellPrice() decimal.Decimal { return ratio(int64(r.SellSum), int64(r.SellQuantity)) }

// SellCost is the average cost of a unit sold.
func (r ProfitRow) SellCost() decimal.Decimal {
	return ratio(int64(r.SellCostSum), int64(r.SellQuantity))
}

// ReturnPrice is the average price of a unit returned.
func (r ProfitRow) ReturnPrice() decimal.Decimal {
	return ratio(int64(r.ReturnSum), int64(r.ReturnQuantity))
}

// ReturnCost is the average cost of a unit returned.
func (r ProfitRow) ReturnCost() decimal.Decimal {
	return ratio(int64(r.ReturnCostSum), int64(r.ReturnQuantity))
}

// SalesAvgCheck is the average sale, in minor units.
func (r ProfitRow) SalesAvgCheck() decimal.Decimal {
	return ratio(int64(r.SellSum), int64(r.SalesCount)*scale)
}

// ReturnAvgCheck is the average return, in minor units.
func (r ProfitRow) ReturnAvgCheck() decimal.Decimal {
	return ratio(int64(r.ReturnSum), int64(r.ReturnCount)*scale)
}

// ratio is a ÷ b, and 0 when b is 0.
func ratio(a, b int64) decimal.Decimal {
	if b == 0 {
		return decimal.Zero
	}
	return decimal.FromInt(a).Div(decimal.FromInt(b))
}
