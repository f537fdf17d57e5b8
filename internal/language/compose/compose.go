// Package compose reads a question about figures as a query: words and phrases have typed meanings (measures and
// dimensions of the catalogue, names of the account, periods, conditions, order, comparison), and the meanings combine.
//
// Every word must be part of that, or a function word that is harmless in every context. A word that is neither is
// unexplained, and a reading with unexplained words is not complete: nothing that a person said is dropped silently.
package compose

import (
	"slices"
	"time"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/language/quantity"
	"github.com/stockhand/stockhand/internal/language/query"
	"github.com/stockhand/stockhand/internal/language/refer"
	"github.com/stockhand/stockhand/internal/language/token"
)

// Input is a task and what is known about its words.
type Input struct {
	Tokens    []token.Token // not yet read as numbers or periods; those of names are marked
	Names     []Name
	Catalogue *analysis.Catalogue
	Today     time.Time        // midnight in UTC, as package quantity counts days
	Previous  *analysis.Query  // of the task before, which this one may change; nil for none
	Rows      *refer.Rows      // of the last answer's table; nil for none
	Prices    []connector.Name // the account's price types
}

// Name is a name of the account in the task.
type Name struct {
	At       []int // its tokens
	Meanings []connector.Name
	All      bool // every meaning is meant, not one of them
	ByID     bool // another thing has the same name
}

// Reading is a query and how much of the task it explains.
type Reading struct {
	Query       analysis.Query
	Unexplained []int            // tokens
	Aside       []int            // those among them that say something beside the question, and are no names
	FollowUp    bool             // it changes the previous query
	Choices     []analysis.Query // the task may mean any of these; the first is Query
	Impossible  bool             // the query cannot be answered; Choices are what can be, in its place
	Estimate    bool             // a number stands for a range around it
	Risky       bool             // the unexplained words may change what is asked for
}

// Complete reports whether every word of the task is explained.
func (r *Reading) Complete() bool { return len(r.Unexplained) == 0 }

// Named returns the unexplained tokens that may be names or conditions.
func (r *Reading) Named() []int {
	return slices.DeleteFunc(slices.Clone(r.Unexplained), func(i int) bool { return slices.Contains(r.Aside, i) })
}

// Read reads a task; nil if it asks for no measure, or for what the catalogue cannot combine.
func Read(in Input) *Reading {
	s := &sentence{Input: in, x: lexiconOf(in.Catalogue), ts: slices.Clone(in.Tokens)}
	s.scan()
	s.denials()
	s.turns()
	r := s.combine()
	if r == nil {
		return nil
	}
	if query.Possible(in.Catalogue, r.Query) {
		return r
	}
	r.Impossible, r.Choices = true, query.Nearest(in.Catalogue, r.Query)
	if len(r.Choices) == 0 || len(in.Names) == 0 && !r.Complete() {
		return nil
	}
	return r
}

// kind is the type of a meaning.
type kind uint8

const (
	unexplained kind = iota
	function         // harmless in every context
	measure
	dimension
	name
	period
	number
	operator // compares a measure with a number
	best     // greatest first
	worst
	topRows // a number of rows follows
	except
	only
	with       // a comparison
	share      // of the total
	why        // what a change consists of
	per        // before a dimension to break down by
	absent     // "without" before a measure or a dimension: it is empty or zero
	belowCost  // prices that cost more than they bring
	losing     // goods that bring a loss
	negative   // a measure below zero
	nonzero    // "without zeros": of a measure, or of the first one
	sorting    // a measure or dimension to order by follows
	trend      // by intervals of time
	overYear   // compared with the same days a year before
	overMonth  // compared with the period before
	about      // before a number: within a tenth of it
	inMoney    // "in roubles": of stock, its value
	everywhere // all warehouses
	apart      // each of the names by itself
	perDay     // on average a day
	average    // on average
	cash       // payments in cash, or by the bank
	clock      // hours of the day: "утром", "с 9 до 12"
	weekdays   // days of the week: "по понедельникам"
	reverse    // the other order than before
	joining    // "and", which joins measures, dimensions or names
	inUnits    // "in pieces": of money, the quantity behind it
	earlier    // the same figures of another period: "a week earlier"
	contents   // what a figure consists of
	clear      // without the conditions so far
	letter     // a class of ABC analysis
	toNow      // "so far": beside a period that has not ended
)

// item is a meaning and its tokens [at, end).
type item struct {
	kind    kind
	at, end int
	id      string // of a measure or dimension, or the operator
	name    *Name  // of a name
	period  *quantity.Period
	hours   []int // of a clock
	number  numeral
	plural  bool               // a dimension in the plural: "which products"
	order   analysis.Direction // of a measure that also sorts: "most profitable"
	least   string             // of a measure that is a condition, too: "old stock"
	each    bool               // of a dimension: a breakdown without "по"
	used    bool
}

// sentence is a task while it is read.
type sentence struct {
	Input
	x        *lexicon
	ts       []token.Token
	items    []*item
	corrects bool // it says that the answer before was not what was meant
	// the phrases of the lexicon that begin at each token
	phrases []*match
}
