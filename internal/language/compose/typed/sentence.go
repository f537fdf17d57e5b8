// Package typed reads the words of a question as typed meanings: measures and dimensions of the catalogue, names of the
// account, periods, numbers, and the words that combine them. Its lexicon is data in the folder vocabulary; package
// compose makes a query of the meanings.
package typed

import (
	"slices"
	"time"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/language/quantity"
	"github.com/stockhand/stockhand/internal/language/refer"
	"github.com/stockhand/stockhand/internal/language/token"
)

// Input is a task and what is known about its words.
type Input struct {
	Tokens    []token.Token // not yet read as numbers or periods; those of names are marked
	Names     []Name
	Catalogue *analysis.Catalogue
	Today     time.Time        // midnight in UTC, as package quantity counts days
	Now       time.Time        // of the person; zero where it does not matter
	Previous  *analysis.Query  // of the task before, which this one may change; nil for none
	Rows      *refer.Rows      // of the last answer's table; nil for none
	Prices    []connector.Name // the account's price types
	Stores    []connector.Name // the account's warehouses
}

// Name is a name of the account in the task.
type Name struct {
	At       []int // its tokens
	Meanings []connector.Name
	All      bool // every meaning is meant, not one of them
	ByID     bool // another thing has the same name
}

// dimensions are those that the names of the account are values of.
var dimensions = map[connector.NameKind]string{connector.NameStore: "store", connector.NameSupplier: "supplier",
	connector.NameGroup: "group", connector.NameProduct: "product", connector.NameCounterparty: "counterparty",
	connector.NameEmployee: "employee", connector.NameSalesChannel: "sales_channel",
	connector.NamePriceType: "price_type", connector.NameOrganization: "legal_entity",
	connector.NameProject: "project", connector.NameState: "state", connector.NameExpenseItem: "expense_item"}

// DimensionOf returns the dimension that names of a kind are values of.
func DimensionOf(k connector.NameKind) string { return dimensions[k] }

// Kind is the type of a meaning.
type Kind uint8

const (
	Unexplained Kind = iota
	Function         // harmless in every context
	Measure
	Dimension
	Named
	Period
	Number
	Operator // compares a measure with a number
	Best     // greatest first
	Worst
	TopRows // a number of rows follows
	Except
	Only
	With       // a comparison
	Share      // of the total
	Why        // what a change consists of
	Per        // before a dimension to break down by
	Absent     // "without" before a measure or a dimension: it is empty or zero
	BelowCost  // prices that cost more than they bring
	Losing     // goods that bring a loss
	Negative   // a measure below zero
	Nonzero    // "without zeros": of a measure, or of the first one
	Sorting    // a measure or dimension to order by follows
	Trend      // by intervals of time
	OverYear   // compared with the same days a year before
	OverMonth  // compared with the period before
	About      // before a number: within a tenth of it
	InMoney    // "in roubles": of stock, its value
	Everywhere // all warehouses
	Apart      // each of the names by itself
	PerDay     // on average a day
	Average    // on average
	Cash       // payments in cash, or by the bank
	Clock      // hours of the day: "утром", "с 9 до 12"
	Weekdays   // days of the week: "по понедельникам"
	Reverse    // the other order than before
	Joining    // "and", which joins measures, dimensions or names
	InUnits    // "in pieces": of money, the quantity behind it
	Earlier    // the same figures of another period: "a week earlier"
	Contents   // what a figure consists of
	Clear      // without the conditions so far
	Letter     // a class of ABC analysis
	ToNow      // "so far": beside a period that has not ended
	Factor     // how many times as much a figure is, or by which part it changed: "twice", "by a third"
)

// Item is a meaning and its tokens [at, end).
type Item struct {
	Kind    Kind
	At, End int
	ID      string // of a measure or dimension, or the operator
	Name    *Name  // of a name
	Period  *quantity.Period
	Hours   []int // of a clock
	Number  Numeral
	Plural  bool               // a dimension in the plural: "which products"
	Order   analysis.Direction // of a measure that also sorts: "most profitable"
	Least   string             // of a measure that is a condition, too: "old stock"
	None    bool               // of a measure that is zero: "sold out"
	Each    bool               // of a dimension: a breakdown without "по"
	Used    bool
}

// Sentence is a task and the meanings of its words.
type Sentence struct {
	Input
	Items []*Item
	Most  int // how many rows are asked for, said apart from what is ranked; 0 for any
	x     *lexicon
	// the phrases of the lexicon that begin at each token
	phrases []*match
}

// Scan reads the words of a task. It changes a copy of the tokens.
func Scan(in Input) *Sentence {
	in.Tokens = slices.Clone(in.Tokens)
	s := &Sentence{Input: in, x: lexiconOf(in.Catalogue)}
	s.scan()
	s.scattered()
	s.aDayOf()
	s.weOwe()
	s.lastTime()
	s.perPiece()
	s.moneyGone()
	s.usually()
	s.hadToDo()
	s.lateSuppliers()
	s.piecesOfList()
	s.boughtFromUs()
	s.averageCount()
	s.expensesADay()
	s.itemsOfExpense()
	s.priceTypes()
	s.perUnit()
	s.absentBehind()
	s.numberOfGoods()
	s.belowMinimum()
	s.belowCost()
	s.forHowMuch()
	s.greatest()
	s.didGrow()
	return s
}

// Means reports whether a phrase of the lexicon begins at token i, such as one that is not to be answered.
func (s *Sentence) Means(i int) bool {
	e, _ := s.x.at(s.Tokens, i)
	return e != nil
}
