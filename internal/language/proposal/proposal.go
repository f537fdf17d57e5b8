// Package proposal reads a request to prepare a draft: new prices, supplier orders, transfers or minimum stocks.
//
// Every part of a request has a typed meaning: the act, the goal, quantities with their goods, conditions, exceptions,
// warehouses, days, amounts of money. A part that is read marks its words as used. If words are left over that mean
// something, the reading is a question: no draft covers more than was asked for (rule R280).
package proposal

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/language/draft"
	"github.com/stockhand/stockhand/internal/language/proposal/intent"
	"github.com/stockhand/stockhand/internal/language/refer"
	"github.com/stockhand/stockhand/internal/language/refusal"
	"github.com/stockhand/stockhand/internal/language/request"
	"github.com/stockhand/stockhand/internal/language/token"
)

// The kinds of drafts, and what a draft says.
type (
	Kind   = draft.Kind
	Draft  = draft.Draft
	Goods  = draft.Goods
	Item   = draft.Item
	RowsOf = draft.RowsOf
	Name   = request.Name // of the account, in the task
)

// The kinds of drafts.
const (
	None      = draft.None
	Prices    = draft.Prices
	Orders    = draft.Orders
	Transfers = draft.Transfers
	Minimums  = draft.Minimums
)

// Input is a task and what is known about its words.
type Input struct {
	Task       string
	Tokens     []token.Token // not yet read as numbers or periods; those of names are marked
	Names      []Name
	PriceTypes []connector.Name
	Stores     []connector.Name                      // the account's warehouses, as far as they are known
	Suppliers  iter.Seq[connector.Name]              // and its suppliers
	Variants   func(product string) []connector.Name // of a product by its name or ID; nil: not known
	Catalogue  *analysis.Catalogue
	Today      time.Time // midnight in UTC
	Language   stockhand.Language
	Rows       *refer.Rows // of the last answer's table; nil for none
	Before     *Draft      // what the last answer was about, if a draft can say it; nil for none
	Short      bool        // what the last answer showed is short
	Kind       Kind        // what another reading takes the task for

	onePart bool // one of several goals
	whole   Kind // of a part without words of its own: what the whole request orders
}

// Reading is a draft, a question, or why there is none.
type Reading struct {
	Kind     Kind
	Draft    Draft
	Question string
	Options  []Option
	Cannot   string   // not something that is prepared
	Unknown  []Phrase // words that may be names
	Ignored  []int    // names of the input that are none here
	Together []int    // names of the input of which all meanings are meant
}

// Option is an answer to a question: a complete task and its draft.
type Option struct {
	Text  string
	Kind  Kind
	Draft Draft
}

// Phrase is a run of words that is probably a name.
type Phrase struct {
	From, To int // tokens [From, To)
	Kinds    []connector.NameKind
}

// sentence is a request while it is read.
type sentence struct {
	Input
	request.Sentence
	said        request.Sentence // as it was before any part was read, but for what is said around it
	numbers     []*number
	names       []*named
	kind        Kind
	draft       Draft
	sums        []*number          // prices whose goods are not known yet
	prices      map[*named]*number // of the goods of an order
	later       []func()           // questions about the draft as a whole
	inStock     bool               // goods that are there are meant
	unknownType []Phrase           // words for a price type, until the price types are known
	ignored     []int              // names that are none here
	needed      bool               // goods are needed, from a supplier or from another warehouse
	saidAll     bool               // a word such as "all" is there
	retailSaid  bool               // retail prices are said, which the account has under another name
	typeLeft    bool               // prices of another type are left alone
	stays       []*named           // warehouses where goods stay
	inPacks     bool               // a number of packs is reckoned in pieces
	leftItems   bool               // goods are left out of a list
	lacking     bool               // what a warehouse has not enough of is meant
	clears      bool               // minimums are removed
	holds       bool               // what is ordered is to hold a stock: "держи не меньше 10"
	pointsBack  bool               // a pronoun stands for goods that nothing has named
	slow        bool               // goods that sell badly are meant, without saying for how many days
	question    string
	options     []Option
}

// Read reads a request; nil if the task is none.
func Read(in Input) *Reading {
	s := &sentence{Input: in, Sentence: request.Sentence{Task: in.Task, Words: slices.Clone(in.Tokens)}}
	s.TopUp()
	s.Reword()
	s.Rearrange()
	s.Unlist()
	asked := intent.Request{Sentence: &s.Sentence, Names: s.Names, Kind: s.Input.Kind, Today: s.Today}
	if text := refusal.Of(&s.Sentence, s.Language, asked.FromTo()); text != "" {
		return &Reading{Cannot: text}
	}
	s.emptyThere()
	s.ReadAsides()
	s.said = request.Sentence{Words: slices.Clone(s.Words)}
	if r := s.readTypedPrices(); r != nil {
		return r
	}
	act, ok := asked.Act()
	if !ok && in.whole != None { // "а на чай 8"
		act, ok = intent.Act{Kind: in.whole, Verb: intent.Set}, true
	}
	if !ok || s.sends(act) {
		return nil
	}
	if !in.onePart {
		if r := s.readGoals(act.Kind); r != nil {
			return r
		}
	}
	s.kind, s.draft.Percent, s.needed = act.Kind, act.Percent, act.Needed
	for i := range in.Names {
		s.names = append(s.names, &named{Name: &in.Names[i]})
	}
	slices.SortStableFunc(s.names, func(a, b *named) int { return cmp.Compare(a.At[0], b.At[0]) })
	s.Use(act.At, act.End)
	s.clears = act.Verb == intent.Clear
	s.holds = act.End > act.At && request.Holds[s.Word(act.At)]
	if s.kind != Prices {
		s.freePackWords()
	}
	s.readParts(act)
	left := s.left()
	r := &Reading{Kind: s.kind, Unknown: append(s.phrases(left), s.unknownType...)}
	if s.question == "" && len(left) > 0 {
		s.askAbout(left)
	}
	if s.question == "" {
		s.complete(act)
	}
	s.askCustomer()
	s.keep()
	r.Draft, r.Question, r.Options, r.Ignored = s.draft, s.question, s.options, s.ignored
	for i := range s.Names {
		if slices.ContainsFunc(s.names, func(n *named) bool { return n.together && n.At[0] == s.Names[i].At[0] }) {
			r.Together = append(r.Together, i)
		}
	}
	return r
}

// readParts reads what surrounds the act, the most specific meanings first.
func (s *sentence) readParts(act intent.Act) {
	if s.kind == Prices {
		s.freePriceWords()
	}
	s.together()
	s.readRounding()
	s.readHoliday()
	s.readDelivery()
	s.ReadOccasion()
	if s.kind == Prices {
		s.leastShares(act)
	}
	s.readLimits(act)
	s.readUnsupported()
	s.readNumbers()
	s.readConditions()
	s.readSlow()
	if s.kind == Prices {
		s.readInStock()
	}
	s.readRows()
	s.askWhichGoods()
	switch s.kind {
	case Prices:
		s.readPriceType()
		s.readGoal(act)
		s.readElided()
	case Orders, Transfers, Minimums:
		s.readPlan()
	case None:
	}
	s.readNames()
	s.staying()
	s.storeByKind()
	s.readEverything()
	s.eachOfGroups()
	s.readSelection()
	if s.draft.RowsOf != nil && s.draft.RowsOf.Quantity == "" {
		s.rowsQuantity()
	}
}

// indexOf returns which name of the input a name is.
func (s *sentence) indexOf(n *named) int {
	return slices.IndexFunc(s.Names, func(x Name) bool { return x.At[0] == n.At[0] })
}

// ask sets the question, unless there is one already: one question at a time.
func (s *sentence) ask(ru, en string, options ...Option) {
	if s.question == "" {
		s.question, s.options = s.Language.Pick(ru, en), options
	}
}

// option returns a draft as an answer to a question.
func (s *sentence) option(d Draft) Option {
	if s.kind != Prices && len(d.Where) > 0 && d.RowsOf == nil {
		d.RowsOf, d.Where = &RowsOf{Query: query(d.Where)}, nil
	}
	if s.kind == Orders && d.Items != nil && len(d.Stores) == 1 {
		d.Store, d.Stores = d.Stores[0], nil
	}
	return Option{Text: draft.Text(s.kind, d, s.Language), Kind: s.kind, Draft: d}
}

// askf asks about words of the task, for which the texts have a place.
func (s *sentence) askf(ru, en, said string, options ...Option) {
	s.ask(fmt.Sprintf(ru, said), fmt.Sprintf(en, said), options...)
}
