// Package language reads a merchant's task, in Russian or English, without a model: which skill it asks for, the
// period, the numbers, the order of rows, and the names of the account's warehouses, suppliers, groups and goods.
//
// It makes three promises. The same task, names and day always give the same [Reading]. It never guesses between two
// close readings or two similar names (rule R12): it returns a [Question] whose options have complete arguments. And no
// reading changes anything: a task that orders a change is read as one of the propose skills, whose result is a draft
// for a person, or as something that Stockhand does not do. A draft never covers more than the task says: a name that
// is not found, a number without goods and a selection that no tool can make lead to a question.
//
// The surprising decision: knowledge about words is data (the files in lexicon/), and both languages share one set of
// concepts. A word of either language becomes a concept, and the rules that score skills see only concepts. So a
// sentence may mix languages, and a new synonym is a word in a file.
//
// Words in quotes are a name and nothing else.
package language

import (
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/language/quantity"
)

// Skill is what a task asks for: the name of a tool without the prefix of its connector, or a reply without a tool.
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

// The skills that propose a draft. An order such as "закажи" is never read as a request for a report.
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

// Calls reports whether the skill is a tool.
func (s Skill) Calls() bool { return s != "" && s != Help && s != SmallTalk }

// Reads reports whether the skill is a tool that reads.
func (s Skill) Reads() bool { return s != "" && !s.Proposes() && s != Help && s != SmallTalk }

// Proposes reports whether the skill is a tool that drafts changes.
func (s Skill) Proposes() bool {
	return s == ProposeSupplierOrders || s == ProposeTransfers || s == ProposePriceChange
}

// Input is what a task is read against. All fields but Now may be empty.
type Input struct {
	// the current time in the account's time zone, which decides what "today" is
	Now      time.Time
	Names    []connector.Name // the account's names; may be empty the first time, see Read
	Accounts []Account        // the connected accounts, which the task may mention
	Previous *Reading         // the reading of the person's previous task, for "а за прошлый месяц?"
}

// Account is a connected account that a task may mention.
type Account struct {
	ID stockhand.AccountID
	// empty in a Reading when the task names the account and none of its connections
	Connection stockhand.ConnectionID
	Label      string
}

// Reading is the meaning of a task. Exactly one of these is true: Skill is set and Question is nil (do it), Question
// is set (ask it; Skill is the likeliest, or empty), or Outside is true.
//
// Check Consolidate, Account and Unknown first.
type Reading struct {
	Task      string
	Language  stockhand.Language
	Skill     Skill
	Arguments Arguments
	Matched   []Match  // the names found in the task
	Unknown   []Phrase // phrases that the lexicon does not explain: probably names
	// names and quantities that the skill has no argument for; the answer must say so
	Ignored    []Match
	Question   *Question // not nil when the task or a name in it has several close readings
	Outside    bool      // the task asks for something that Stockhand does not do
	Account    *Account  // the account the task mentions; nil for none
	Accounts   []Account // all accounts that it mentions; more than one also sets Consolidate
	Alike      []Account // connections that share the label it mentions, when they belong to several accounts
	Period     string    // the words that name the period; empty for none
	FollowUp   bool      // it changes Input.Previous
	Confidence float64   // 0 to 1: how far the skill is ahead of the next
	// the task wants several accounts in one answer, which is refused (rule R4)
	Consolidate bool

	greets bool // small talk that greets
}

// Arguments are the arguments of the skill's tool. Encoded as JSON they are the tool's input. Only fields that the
// skill takes are set.
type Arguments struct {
	Stores         []string `json:"stores,omitempty"` // exact names, or IDs when two names are the same
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
	PriceType  string          `json:"price_type,omitempty"`
	Everything bool            `json:"everything,omitempty"` // propose_price_change: all goods
	Round      *quantity.Round `json:"round,omitempty"`      // propose_price_change: only when the task says how

	Kind  string `json:"kind,omitempty"`  // reference: a connector.NameKind
	Query string `json:"query,omitempty"` // find_products, reference
}

// Item is one line of a draft that the task lists.
type Item struct {
	Product  string `json:"product"`            // exact name, or id
	Quantity string `json:"quantity,omitempty"` // decimal, in the good's own unit
	Price    string `json:"price,omitempty"`    // decimal, main units of the currency
}

// Match is one of the account's names in the task.
type Match struct {
	connector.Name
	Words string // as the task writes it
	Exact bool   // written out in full, whatever the case and inflection
}

// Phrase is a run of words that is probably a name.
type Phrase struct {
	Words string
	Kinds []connector.NameKind // what it may name, likeliest first; never empty
	// in quotes or after a word such as "склад": certainly a name, so the answer must say when it is not found
	Named bool
}

// Question asks the person to choose.
type Question struct {
	Text    string
	Options []Option
}

// Option is an answer to a Question, complete in itself.
type Option struct {
	Text      string // a task in the person's language that is read as this option and nothing else
	Skill     Skill
	Arguments Arguments
}
