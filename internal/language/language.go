// Package language parses a merchant's task, in Russian or English, without a model: the requested skill, the period,
// numbers, sort order, and the names of the account's warehouses, suppliers, groups and goods.
//
// It makes three guarantees. The same task, names and day always give the same [Reading]. It never guesses between two
// close readings or two similar names (rule R12), but returns a [Question] whose options have complete arguments. And
// no reading changes anything: a command to change data is read as one of the propose skills, which only prepare a
// draft, or as something that Stockhand does not do. A draft never covers more than the task says: a name that is not
// found, a number without goods and a selection that no tool supports lead to a question.
//
// The surprising decision: knowledge about words is data (the files in lexicon/), and both languages share one set of
// concepts. Words of either language are mapped to concepts, and the rules that score skills see only concepts. So a
// sentence may mix languages, and adding a synonym means adding a word to a file.
//
// Words in quotation marks are always a name.
//
// What a task means is decided in one place, the list of stages in read.go.
package language

import (
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/language/courtesy"
	"github.com/stockhand/stockhand/internal/language/names"
	"github.com/stockhand/stockhand/internal/language/query"
	"github.com/stockhand/stockhand/internal/language/refer"
	"github.com/stockhand/stockhand/internal/tool"
)

// Skill is what a task requests: the name of a tool without its connector's prefix, or a reply without a tool.
type Skill string

// The skills that read, each named after its tool.
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
	Documents       Skill = "documents"
	Document        Skill = "document"
	Product         Skill = "product"
	Counterparty    Skill = "counterparty"
	Forecast        Skill = "forecast"
	Fields          Skill = "lookup" // fields of counterparties that were shown
)

// The skills that propose a draft. A command such as "закажи" is never read as a request for a report.
const (
	ProposeSupplierOrders Skill = "propose_supplier_orders"
	ProposeTransfers      Skill = "propose_transfers"
	ProposePriceChange    Skill = "propose_price_change"
	ProposeMinimumStocks  Skill = "propose_minimum_stock"
)

// The skills without a tool.
const (
	Help      Skill = "help"       // the user asks what Stockhand can do
	SmallTalk Skill = "small_talk" // greetings, thanks or agreement without a request; see [Reading.Reply]
)

// Calls reports whether the skill is a tool.
func (s Skill) Calls() bool { return s != "" && s != Help && s != SmallTalk }

// Reads reports whether the skill is a tool that reads.
func (s Skill) Reads() bool { return s != "" && !s.Proposes() && s != Help && s != SmallTalk }

// Proposes reports whether the skill is a tool that drafts changes.
func (s Skill) Proposes() bool {
	return s == ProposeSupplierOrders || s == ProposeTransfers || s == ProposePriceChange || s == ProposeMinimumStocks
}

// Input is the context in which a task is read. Only Now is required.
type Input struct {
	// the current time in the account's time zone, which determines "today"
	Now   time.Time
	Names []connector.Name // names of the account beside those in Known; both may be empty on the first call, see Read
	Known []*names.Index   // names of the account, indexed
	// the account has more names than Known, which are to be looked up for the words in Reading.Unknown
	Unsearched bool
	Accounts   []Account // the connected accounts that the task may mention
	// what queries may ask of the account; nil: nothing, as without an account
	Catalogue *connector.Catalogue
	Previous  *Reading // the reading of the user's previous task, for follow-ups such as "а за прошлый месяц?"
	// the rows of the last answer's table, which words such as "эти" and "второй" mean; nil for none
	Rows *refer.Rows
	// the days that the last answer's table shows, in its order; nil if its rows are no days
	Days []tool.Day
	// what the person said before Previous, oldest first, with chosen options in place of their numbers; package talk
	// reads an elliptical task as a change of it
	Earlier []string
	// the message in the person's words, whose language the answer has, if the task says it in other words; and the
	// language of the answer before
	Written string
	Spoken  stockhand.Language
}

// Account is a connected account that a task may mention.
type Account struct {
	ID stockhand.AccountID
	// empty in a Reading if the task names the account but none of its connections
	Connection stockhand.ConnectionID
	Label      string
}

// Reading is the meaning of a task, in one of three states: Skill is set and Question is nil (run the skill), Question
// is set (ask it; Skill is the likeliest skill or empty), or Outside is true.
//
// Check Consolidate, Account and Unknown first.
type Reading struct {
	Task      string
	Language  stockhand.Language
	Skill     Skill
	Arguments Arguments
	Query     *analysis.Query // of the skill Analyze, in place of Arguments
	Said      string          // the query in words, of the skill Analyze
	Input     any             // of a skill that Arguments cannot say, in place of them: the input of its tool
	Matched   []Match         // the names found in the task
	Mentioned []string        // the words of the task for goods, groups, suppliers and warehouses
	Unknown   []Phrase        // phrases not in the lexicon: probably names
	// names and quantities for which the skill has no argument; the answer must mention them
	Ignored    []Match
	Unused     []string  // words that nothing explains; the answer must mention them
	Question   *Question // not nil if the task or a name in it has several close readings
	Outside    bool      // the task requests something that Stockhand does not do
	AboutName  bool      // it may be about a name that is not read yet, and says no more: "расскажи про Альфу"
	Refusal    string    // says so, where it is known what was asked for
	Account    *Account  // the account that the task mentions, or nil
	Accounts   []Account // all mentioned accounts; more than one also sets Consolidate
	Alike      []Account // connections with the mentioned label, if they belong to several accounts
	Period     string    // the words for the period, or empty
	FollowUp   bool      // the task modifies Input.Previous
	Confidence float64   // 0 to 1: the skill's lead over the next one
	// the task requests several accounts in one answer, which is refused (rule R4)
	Consolidate bool

	greets bool // small talk that greets
	social courtesy.Social
}

// Arguments are the arguments of the skill's tool, whose input is their JSON encoding. Only fields that the skill
// supports are set.
type Arguments struct {
	Stores         []string `json:"stores,omitempty"` // exact names, or IDs for ambiguous names
	Groups         []string `json:"groups,omitempty"`
	Suppliers      []string `json:"suppliers,omitempty"`
	Products       []string `json:"products,omitempty"`
	Counterparties []string `json:"counterparties,omitempty"`

	From string `json:"from,omitempty"` // YYYY-MM-DD, inclusive
	To   string `json:"to,omitempty"`   // YYYY-MM-DD, inclusive
	At   string `json:"at,omitempty"`   // YYYY-MM-DD, the day of the requested stock

	Only     string `json:"only,omitempty"`     // stock: all, in_stock, negative, zero
	Mode     string `json:"mode,omitempty"`     // shortages: all, below_minimum, running_out
	What     string `json:"what,omitempty"`     // money: balances, flow
	Place    string `json:"place,omitempty"`    // money: accounts, cash_desks; empty: both
	Currency string `json:"currency,omitempty"` // money: ISO code
	Interval string `json:"interval,omitempty"` // day, week, month, hour
	// profitability: product, variant, …; abc_xyz: revenue, profit, quantity
	By        string `json:"by,omitempty"`
	Order     string `json:"order,omitempty"`
	Direction string `json:"direction,omitempty"` // desc, asc; receivables: owed_to_us, owed_by_us, both
	Compare   bool   `json:"compare,omitempty"`

	Days      int    `json:"days,omitempty"`       // shortages: days that the stock must last
	MinDays   int    `json:"min_days,omitempty"`   // stock_age, overdue_orders
	MinAmount string `json:"min_amount,omitempty"` // receivables: decimal, main units of the currency
	Limit     int    `json:"limit,omitempty"`

	Kind  string `json:"kind,omitempty"`  // reference: a connector.NameKind
	Query string `json:"query,omitempty"` // find_products, reference
}

// Match is a name of the account found in the task.
type Match struct {
	connector.Name
	Words string // as the task writes it
	Exact bool   // the full name, in any case and inflection
}

// Phrase is a run of words that is probably a name.
type Phrase struct {
	Words string
	Kinds []connector.NameKind // possible kinds of name, likeliest first; never empty
	// certainly a name, in quotes or after a word such as "склад"; the answer must say if it was not found
	Named bool
}

// Question asks the user to choose.
type Question struct {
	Text    string
	Options []Option
	Menu    bool // it only offers what is nearest to the few words that are known
	Whole   bool // no query answers the task as it is asked, and its parts say something else
}

// Option is a complete answer to a Question.
type Option struct {
	Text      string // a task in the user's language that is read as exactly this option
	Skill     Skill
	Arguments Arguments
	Query     *analysis.Query // as in [Reading]
	Input     any             // as in [Reading]
}

// ToolInput returns what the skill's tool takes, to be encoded as JSON.
func (r Reading) ToolInput() any { return toolInput(r.Arguments, r.Query, r.Input) }

// ToolInput returns what the skill's tool takes, to be encoded as JSON.
func (o Option) ToolInput() any { return toolInput(o.Arguments, o.Query, o.Input) }

func toolInput(a Arguments, q *analysis.Query, input any) any {
	switch {
	case input != nil:
		return input
	case q != nil:
		return query.Settled(q)
	}
	return a
}
