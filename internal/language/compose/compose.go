// Package compose reads a question about figures as a query: words and phrases have typed meanings (measures and
// dimensions of the catalogue, names of the account, periods, conditions, order, comparison), and the meanings combine.
//
// Every word must be part of that, or a function word that is harmless in every context. A word that is neither is
// unexplained, and a reading with unexplained words is not complete: nothing that a person said is dropped silently.
package compose

import (
	"slices"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/language/compose/typed"
	"github.com/stockhand/stockhand/internal/language/quantity"
	"github.com/stockhand/stockhand/internal/language/query"
)

// Reading is a query and how much of the task it explains.
type Reading struct {
	Query       analysis.Query
	Unexplained []int            // tokens
	Aside       []int            // those among them that say something beside the question, and are no names
	FollowUp    bool             // it changes the previous query
	Choices     []analysis.Query // the task may mean any of these; the first is Query
	Ask         [2]string        // why there are choices, in Russian and English; empty if nothing has to be said
	Then        *quantity.Period // of figures that are only known now; nil for none
	Either      bool             // the choices are whole meanings of the task, whichever goods it names
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
func Read(in typed.Input) *Reading {
	s := &sentence{Sentence: typed.Scan(in)}
	s.Denials()
	s.bareYears()
	s.bareSpans()
	s.asManyDays()
	s.elliptical()
	s.thanPeriods()
	s.classLetters()
	s.shopTill()
	s.wholesale()
	s.turns()
	s.dearest()
	s.dearerNow()
	s.performed()
	s.whereMost()
	s.deliver()
	s.bounds()
	s.customersSpend()
	s.averageBill()
	s.averagesOver()
	s.moneyInAndOut()
	s.retailPrice()
	s.fromWhomLast()
	s.moneyInGoods()
	s.owedBehind()
	s.wasThere()
	r := s.combine()
	if r == nil || leavesOutOthers(&r.Query) {
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

// sentence is a task while it is read.
type sentence struct {
	pays bool // it asks what the customers of the answer before paid
	// it ranks the rows of the answer before by another figure
	ofRowsShown bool
	*typed.Sentence
	corrects    bool // it says that the answer before was not what was meant
	wholesalers bool // it names customers that buy wholesale
	ranksChange bool // it says "than" before a period
	comparesNow bool // it compares a past period with now
	averaged    bool // a verb says that an average is asked for: "в среднем закупаем"
	lastFrom    bool // it asks from whom something was bought last
	repriced    bool // it says that something became dearer or cheaper
	whereAll    bool // it asks where most of all goods are
	mayBeSold   bool // what there was of goods may be what was sold of them
}
