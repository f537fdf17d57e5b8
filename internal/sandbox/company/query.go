package company

import (
	"time"

	"github.com/stockhand/stockhand/internal/decimal"
)

// Choice restricts a report to some entities. The zero value selects all. The empty ID means an empty field: Only{""}
// selects goods without a supplier, Except{""} those with one (fact M22).
type Choice struct {
	Only   []ID // nil: all; an unknown id selects nothing
	Except []ID
}

// Archived selects goods by whether they are archived.
type Archived int

// Archived goods are excluded by default (fact M26).
const (
	NotArchived Archived = iota
	OnlyArchived
	ArchivedToo
)

// Mode is a value of stockMode or quantityMode. The empty mode is the report's default.
type Mode string

// The modes (fact M56).
const (
	ModeAll          Mode = "all"
	ModePositive     Mode = "positiveOnly"
	ModeNegative     Mode = "negativeOnly"
	ModeEmpty        Mode = "empty"
	ModeNonEmpty     Mode = "nonEmpty"
	ModeUnderMinimum Mode = "underMinimum"
)

// OrderKey is a sort key.
type OrderKey struct {
	Key  string // the API's name
	Desc bool
}

// GoodFilter selects goods. Products includes the variants of a product, and also contains ids of bundles and services.
type GoodFilter struct {
	Products         Choice // a good matches by Products or by Variants
	Variants         Choice
	Folders          Choice
	WithoutSubfolder bool // withSubFolders=false
	Suppliers        Choice
	Archived         Archived
	Search           string // substring of the name, case-insensitive
	SearchNot        string // excludes names that contain it
	Weighed          *bool
}

// StockQuery selects rows of report/stock/all and report/stock/bystore (facts M71, M77).
type StockQuery struct {
	GoodFilter
	ByProduct    bool      // groupBy=product: variants are added to their product
	Stores       Choice    // includes nested stores
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
	InHand    Quantity // the stock that CostSum is for: the sum of stores with a positive stock
	CostSum   Money    // cost of InHand
	ageSum    int64    // minutes × quantity of the lots
}

// Quantity returns what the reports call available: stock − reserve + inTransit (fact M70).
func (r StockRow) Quantity() Quantity { return r.Stock - r.Reserve + r.InTransit }

// Price returns the unit cost in minor units, or 0 if it is unknown or there is no stock.
func (r StockRow) Price() decimal.Decimal {
	if r.Stock <= 0 || r.InHand <= 0 {
		return decimal.Zero
	}
	return decimal.FromInt(int64(r.CostSum)).Div(decimal.FromInt(int64(r.InHand)))
}

// StockDays returns the average age of the stock in days.
func (r StockRow) StockDays() decimal.Decimal {
	if r.InHand <= 0 {
		return decimal.Zero
	}
	return ratio(r.ageSum, int64(r.InHand)).Div(decimal.FromInt(24 * 60))
}

// StoreStock is a good's stock in a store. Store is nil for reserves and incoming goods without a store.
type StoreStock struct {
	Store     *Store
	Stock     Quantity
	Reserve   Quantity
	InTransit Quantity
}

// Quantity returns what the reports call available.
func (s StoreStock) Quantity() Quantity { return s.Stock - s.Reserve + s.InTransit }

// ByStoreRow is a row of report/stock/bystore, with one element per requested store.
type ByStoreRow struct {
	Good   *Good
	Stores []StoreStock
}

// StockType is the name of a stock figure.
type StockType string

// The stock types (fact M75).
const (
	TypeStock     StockType = "stock"
	TypeFreeStock StockType = "freeStock"
	TypeQuantity  StockType = "quantity"
	TypeReserve   StockType = "reserve"
	TypeInTransit StockType = "inTransit"
)

// CurrentQuery selects rows of report/stock/all/current and bystore/current.
type CurrentQuery struct {
	ByStore      bool
	Type         StockType // default TypeStock
	ZeroLines    bool
	ChangedSince time.Time // zero: all
	Goods        []ID      // nil: all
	Stores       []ID      // nil: all; nested stores are not added to their parents
}

// CurrentRow is a row of a current report. Store is nil in all/current, and for figures without a store.
type CurrentRow struct {
	Good  *Good
	Store *Store
	Value Quantity
}

// TurnoverQuery selects rows of report/turnover (fact M79). Agents, tags, organizations, retail stores and types select
// the operations counted as income and outcome. Opening and closing stock are not affected.
type TurnoverQuery struct {
	GoodFilter
	From, To        time.Time // both inclusive
	ByVariant       bool      // groupBy=variant; by default variants are added to their product
	Stores          Choice    // includes nested stores
	StoresApart     bool      // does not include nested stores
	Organizations   Choice
	Agents          Choice
	AgentTags       []string
	RetailStores    Choice
	Types           []DocumentType
	WithoutTurnover bool // include goods without movements
}

// Flow is a quantity and its cost.
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
	Quantity Quantity // positive: incoming
	Sum      Money    // cost
	age      int64    // minutes
}

// Cost returns the unit cost in minor units.
func (r OperationRow) Cost() decimal.Decimal { return ratio(int64(r.Sum), int64(r.Quantity)) }

// StockDays returns how long the goods of the row have been in stock.
func (r OperationRow) StockDays() decimal.Decimal {
	return decimal.FromInt(r.age).Div(decimal.FromInt(24 * 60))
}

// ProfitBy is the grouping of a profit report.
type ProfitBy string

// The profit reports (fact M81).
const (
	ByProduct      ProfitBy = "byproduct"
	ByVariant      ProfitBy = "byvariant"
	ByEmployee     ProfitBy = "byemployee"
	ByCounterparty ProfitBy = "bycounterparty"
	BySalesChannel ProfitBy = "bysaleschannel"
)

// ProfitQuery selects rows of a profit report.
type ProfitQuery struct {
	GoodFilter     // Archived is ignored: sales of archived goods count
	By             ProfitBy
	From, To       time.Time      // both inclusive
	Types          []DocumentType // demand, retaildemand, including their returns; nil: both
	Counterparties Choice
	AgentTags      []string
	Organizations  Choice
	Stores         Choice // includes nested stores
	RetailStores   Choice
	SalesChannels  Choice
}

// ProfitRow is a row of a profit report. Only the subject that the report is grouped by is set.
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

// Profit returns the profit net of returns.
func (r ProfitRow) Profit() Money {
	return (r.SellSum - r.ReturnSum) - (r.SellCostSum - r.ReturnCostSum)
}

// Margin returns profit ÷ cost as a fraction, or 0 if the cost is 0.
func (r ProfitRow) Margin() decimal.Decimal {
	return ratio(int64(r.Profit()), int64(r.SellCostSum-r.ReturnCostSum))
}

// SalesMargin returns profit ÷ net revenue as a fraction. It is 1 if the cost is 0, which means an unknown cost.
func (r ProfitRow) SalesMargin() decimal.Decimal {
	if r.SellCostSum-r.ReturnCostSum == 0 {
		return decimal.One
	}
	return ratio(int64(r.Profit()), int64(r.SellSum-r.ReturnSum))
}

// SellPrice returns the average price of a unit sold.
func (r ProfitRow) SellPrice() decimal.Decimal { return ratio(int64(r.SellSum), int64(r.SellQuantity)) }

// SellCost returns the average cost of a unit sold.
func (r ProfitRow) SellCost() decimal.Decimal {
	return ratio(int64(r.SellCostSum), int64(r.SellQuantity))
}

// ReturnPrice returns the average price of a unit returned.
func (r ProfitRow) ReturnPrice() decimal.Decimal {
	return ratio(int64(r.ReturnSum), int64(r.ReturnQuantity))
}

// ReturnCost returns the average cost of a unit returned.
func (r ProfitRow) ReturnCost() decimal.Decimal {
	return ratio(int64(r.ReturnCostSum), int64(r.ReturnQuantity))
}

// SalesAvgCheck returns the average sale in minor units.
func (r ProfitRow) SalesAvgCheck() decimal.Decimal {
	return ratio(int64(r.SellSum), int64(r.SalesCount)*scale)
}

// ReturnAvgCheck returns the average return in minor units.
func (r ProfitRow) ReturnAvgCheck() decimal.Decimal {
	return ratio(int64(r.ReturnSum), int64(r.ReturnCount)*scale)
}

// ratio returns a ÷ b, or 0 if b is 0.
func ratio(a, b int64) decimal.Decimal {
	if b == 0 {
		return decimal.Zero
	}
	return decimal.FromInt(a).Div(decimal.FromInt(b))
}
