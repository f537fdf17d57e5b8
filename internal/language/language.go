// Package language reads a merchant's task, in Russian or English, without a model: which skill it asks for, the
// period, the numbers, the order, and the names of the account's own warehouses, suppliers, groups and goods.
//
// It promises three things. The same task, names and day always give the same [Reading]. It never guesses between
// two close readings or two similar names: it returns a [Question] whose options carry the arguments that settle it.
// And it has no reading that changes anything: a task that orders a change is read as one of the propose skills,
// whose outcome is a draft for a person, or as outside of what Stockhand does. A draft never widens in silence: a name
// that is not found, a number that belongs to no goods, a selection that no tool can make are asked about.
//
// The surprising decision: what is known about words is data (lexicon/*.txt), and both languages share one set of
// concepts. A word of either language becomes a concept, and the rules that weigh skills see concepts alone. So a
// sentence may mix languages, and a new synonym is a word in a file, not code.
//
// Words in quotes are a name and are never read as anything else, whatever they say.
package language

import (
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/connector"
)

// Skill is what a task asks for: the name of a tool without its connector's prefix, or one of the replies that need
// no tool.
type Skill string

// The skills that read. Each is the tool of that name.
const (
	Stock           Skill = "stock"
	StockByStore    Skill = "stock_by_store"
	Shortages       Skill = "shortages"
	StockAge        Skill = "stock_age"
	Turnover        Skill = "turnover"
	Profitability   Skill = "profitability"
	Money           Skill = "money"
	OverdueOrders   Skill = "overdue_orders"
	SalesTrend      Skill = "sales_trend"
	Receivables     Skill = "receivables"
	ABCXYZ          Skill = "abc_xyz"
	FindProducts    Skill = "find_products"
	Reference       Skill = "reference"
	AccountOverview Skill = "account_overview"
)

// The skills that propose a draft. They are told apart from the reading ones so that "закажи" is never answered with
// a report as though that had been the wish.
const (
	ProposeSupplierOrders Skill = "propose_supplier_orders"
	ProposeTransfers      Skill = "propose_transfers"
	ProposePriceChange    Skill = "propose_price_change"
)

// The tasks that need no tool.
const (
	Help      Skill = "help"       // asks what Stockhand can do
	SmallTalk Skill = "small_talk" // greets, thanks or agrees and asks nothing; see [Reading.Reply]
)

// Calls tells whether the skill is a tool, of whatever kind.
func (s Skill) Calls() bool { return s != "" && s != Help && s != SmallTalk }

// Reads tells whether the skill is a read tool.
func (s Skill) Reads() bool { return s != "" && !s.Proposes() && s != Help && s != SmallTalk }

// Proposes tells whether the skill ends in a draft.
func (s Skill) Proposes() bool {
	return s == ProposeSupplierOrders || s == ProposeTransfers || s == ProposePriceChange
}

// Input is what a task is read against. The zero value of each field but Now means that nothing is known.
type Input struct {
	// the current moment in the account's zone (Moscow for MoySklad): it decides what "today" is
	Now      time.Time
	Names    []connector.Name // the account's own names; may be empty on a first pass, see Reading.Unknown
	Accounts []Account        // the connected accounts, to notice which one the task mentions
	Previous *Reading         // the reading of the person's previous task, for "а за прошлый месяц?"
}

// Account is a connected account that a task may mention.
type Account struct {
	ID stockhand.AccountID
	// empty in a Reading when the task names the account and not one of its connections
	Connection stockhand.ConnectionID
	Label      string
}

// Reading is what a task was understood to mean. Exactly one of these holds: Skill is set and Question is nil (do
// it), Question is set (ask it; Skill is then the likeliest, or empty), or Outside is true.
//
// Consolidate, Account and Unknown are said beside that and are to be looked at first.
type Reading struct {
	Task      string
	Language  stockhand.Language
	Skill     Skill
	Arguments Arguments
	Matched   []Match  // the names found in the task
	Unknown   []Phrase // phrases that the lexicon does not explain: probably names
	// names and quantities of the task that the skill has no argument for: the answer is to say so
	Ignored    []Match
	Question   *Question // not nil when the task or a name in it has several close readings
	Outside    bool      // the task is not one of our skills
	Account    *Account  // the account the task mentions; nil for none
	Accounts   []Account // all that it mentions; more than one account also sets Consolidate
	Alike      []Account // those with the label that it mentions, when they are of several accounts
	Period     string    // the words the period was read from; empty when the task names none
	FollowUp   bool      // read against Input.Previous
	Confidence float64   // 0 to 1: how far the skill is ahead of the next one
	// the task wants several accounts in one answer, which is refused (specification, section 1, rule 7)
	Consolidate bool

	greets bool // of small talk
}

// Arguments are the arguments of the skill's tool, named and typed as the tool's own input: encoded as JSON they are
// that input. Only the fields that the skill takes are ever set.
type Arguments struct {
	Stores         []string `json:"stores,omitempty"` // exact names, or ids where two names are the same
	Groups         []string `json:"groups,omitempty"`
	Suppliers      []string `json:"suppliers,omitempty"`
	Products       []string `json:"products,omitempty"`
	Counterparties []string `json:"counterparties,omitempty"`

	From string `json:"from,omitempty"` // YYYY-MM-DD, inclusive
	To   string `json:"to,omitempty"`   // YYYY-MM-DD, inclusive
	At   string `json:"at,omitempty"`   // YYYY-MM-DD, the day whose stock is asked for

	Only     string `json:"only,omitempty"`     // stock: all, in_stock, negative, zero
	Mode     string `json:"mode,omitempty"`     // shortages: all, below_minimum, running_out
	What     string `json:"what,omitempty"`     // money: balances, flow
	Interval string `json:"interval,omitempty"` // day, week, month, hour
	// profitability: product, variant, …; abc_xyz: revenue, profit, quantity
	By        string `json:"by,omitempty"`
	Order     string `json:"order,omitempty"`
	Direction string `json:"direction,omitempty"` // desc, asc; receivables: owed_to_us, owed_by_us, both
	Compare   bool   `json:"compare,omitempty"`

	Days      int    `json:"days,omitempty"`       // shortages: horizon of cover
	MinDays   int    `json:"min_days,omitempty"`   // stock_age, overdue_orders
	MinAmount string `json:"min_amount,omitempty"` // receivables: decimal, main units of the currency
	Percent   string `json:"percent,omitempty"`    // propose_price_change: decimal, negative to lower
	// propose_price_change: decimal, percent on top of the purchase price
	Markup string `json:"markup,omitempty"`
	Margin string `json:"margin,omitempty"` // propose_price_change: decimal, percent of the new price
	Limit  int    `json:"limit,omitempty"`

	// propose_transfers: the warehouses that give; Stores are those that lack
	FromStores []string `json:"from_stores,omitempty"`
	// propose_supplier_orders: what to order; propose_price_change: new prices
	Items []Item `json:"items,omitempty"`
	Store string `json:"store,omitempty"` // propose_supplier_orders: where to deliver Items to
	// propose_supplier_orders: YYYY-MM-DD, the day goods are wanted by
	Delivery string `json:"delivery,omitempty"`
	// propose_price_change: exact name, or the word for the purchase price; empty: the default one
	PriceType  string `json:"price_type,omitempty"`
	Everything bool   `json:"everything,omitempty"` // propose_price_change: all goods
	Round      *Round `json:"round,omitempty"`      // propose_price_change: only when the task says how

	Kind  string `json:"kind,omitempty"`  // reference: a connector.NameKind
	Query string `json:"query,omitempty"` // find_products, reference
}

// Item is one line of a draft that the task lists.
type Item struct {
	Product  string `json:"product"`            // exact name, or id
	Quantity string `json:"quantity,omitempty"` // decimal, in the good's own unit
	Price    string `json:"price,omitempty"`    // decimal, main units of the currency
}

// Round is how new prices are rounded.
type Round struct {
	To        string `json:"to,omitempty"`        // decimal: a multiple of this
	Direction string `json:"direction,omitempty"` // up, down
	Ending    string `json:"ending,omitempty"`    // the last digits instead
}

// Match is one of the account's names found in the task.
type Match struct {
	connector.Name
	Words string // as the task writes it
	Exact bool   // written out in full, whatever the case and inflection
}

// Phrase is a run of words that is probably a name.
type Phrase struct {
	Words string
	Kinds []connector.NameKind // what it may name, the likeliest first; never empty
	// in quotes or after a word such as "склад": a name for sure, so not finding it has to be said
	Named bool
}

// Question asks the person to choose.
type Question struct {
	Text    string
	Options []Option
}

// Option is one answer to a Question. It can be done as it stands.
type Option struct {
	Text      string // a task in the person's language that is read as this option and nothing else
	Skill     Skill
	Arguments Arguments
}
