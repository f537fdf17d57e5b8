// Package connector defines an external system: how to verify a credential, and what an opened account offers to the
// agent.
//
// A connector is a folder next to this file and one line in internal/app/connectors.go. The account that [Kind.Open]
// returns can only read: its transport rejects every method but GET, so a tool cannot write even by mistake. A client
// that writes and a gateway to the raw API are optional. They are separate packages in the connector's folder,
// referenced in the same line, and only internal/app imports them.
package connector

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"net/netip"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/limit"
	"github.com/stockhand/stockhand/internal/tool"
)

// Kind is a kind of external system.
type Kind struct {
	Name  string
	Title tool.Text
	About tool.Text
	Tools []tool.Tool // metadata only, not bound to an account

	Fields     []Field     // the inputs of a new connection
	Operations []Operation // raw reads besides the tools; accounts that have any implement [Operator]
	Limits     []Limit
	Traps      []Trap

	// Catalogue is what queries may ask, and Analyze the tool that answers them; nil and empty if none does.
	Catalogue *analysis.Catalogue
	Analyze   string

	// Behind says what a person opens who asks what is behind a cell of a table; nil if there is never anything.
	Behind Behind

	// Overview returns the queries of a start page on a day; nil if there are none.
	Overview func(today tool.Day) []Tile

	// Suggest returns questions that fit an account; nil if there are none.
	Suggest func(k Known) []tool.Text

	// Browse is what pages of goods, customers and documents show; nil if there are none.
	Browse *Browse

	// Rights describes a connection's rights for display: those the employee has, and those that are missing.
	Rights func(list []string) (has, missing []Right)

	Zone tool.Zone // the time zone of its accounts' days

	// ToolsOnly marks a connector whose connections only add tools to those of an account. They are not accounts
	// themselves, so they never count when a task has to choose an account.
	ToolsOnly bool

	// DefaultURL is the root of the vendor's API; empty if each connection has its own server. STOCKHAND_<NAME>_URL
	// overrides it. The command line connects the accounts of the tokens in STOCKHAND_<NAME>_TOKEN.
	DefaultURL string

	// Site is the external system's web application, e.g. "https://online.moysklad.ru"; a model's text may link to
	// it. Empty for none.
	Site string

	// Verify asks the external system whose token it is, starting with the list of organizations (rule R2). The error
	// for a wrong or revoked token is EXTERNAL_TOKEN_REJECTED.
	Verify func(ctx context.Context, c Config) (Identity, error)

	// Open returns the account of a verified token. It sends nothing.
	Open func(c Config, who Identity) Account

	// Recorded says what recordings of an account's traffic need of its stored data, with another address instead of
	// its own; nil if that is a token and nothing else.
	Recorded func(saved, address string) (Recorded, error)
}

// Recorded is what recordings of an account's traffic need of its stored data.
type Recorded struct {
	Address string              // of its server; nothing recorded contains it
	Token   string              // nothing recorded contains it
	Account stockhand.AccountID // the account at the other address
	Saved   string              // the data with the other address and no token
}

// Behind returns the call of a read tool that shows what is behind a cell of a result: the card of a good, or the
// documents that a figure comes from. Arguments are those of the call that the result answers. It reports false where
// there is nothing to open.
type Behind func(r *tool.Result, arguments json.RawMessage, row tool.Row, column int) (Call, bool)

// Call is a call of a tool, with what it shows in words.
type Call struct {
	Tool      string
	Arguments json.RawMessage
	Title     tool.Text
	Aside     bool // it is about the row that a cell is in, not about the cell itself
}

// Tile is a query of a start page, and the question that asks the same.
type Tile struct {
	Name     string
	Title    tool.Text
	Question tool.Text
	Call
}

// Config configures a connection.
type Config struct {
	// the API's root, e.g. "https://api.moysklad.ru/api/remap/1.2"; empty means the vendor's, or the one in Saved
	BaseURL string
	Token   string // an employee token; never a login or a password (rule R1)
	// the connection's decrypted data: the token, or Save of its last verification; empty for a new connection
	Saved   string
	Private []netip.Prefix // networks of the operator that users may choose addresses in
	Limiter limit.Limiter
	Kept    Kept // nil: nothing is kept
	// adds what the organization defines to what queries may ask; nil: nothing
	AddOwn func(context.Context, *Catalogue) (*Catalogue, error)
	// what requests go through above the network and below the limits; nil: nothing
	Transport func(next http.RoundTripper) http.RoundTripper
	Logger    *slog.Logger // never gets the token
}

// Identity is what verification finds out about a token.
type Identity struct {
	Account      stockhand.AccountID
	Employee     string // full name
	Login        string
	Organization string   // name of the first legal entity; two accounts may share it
	Rights       []string // rights that determine what tools see, as the connector names them
	Save         string   // what to encrypt instead of the token if verification found out more; empty means the token
}

// Limited is an [Account] whose requests are limited. Request names the account and the employee as the limiter knows
// them.
type Limited interface {
	Request() limit.Request
}

// Account is an opened account, as one employee sees it.
type Account interface {
	Identity() Identity
	Tools() []tool.Tool

	// Names lists the account's names of the given kinds, to understand tasks. Lists are cached for a while. Kinds that
	// the employee may not see are left out. If there are more than a few requests list, the error is ErrTooMany.
	Names(ctx context.Context, kinds ...NameKind) ([]Name, error)

	// Find searches goods or counterparties by words of a task (name, article, code or barcode) and returns up to
	// limit, best matches first. Other kinds can only be listed.
	Find(ctx context.Context, kind NameKind, words string, limit int) ([]Name, error)
}

// ErrTooMany means that there are too many names to list.
var ErrTooMany = errors.New("too many names to list; search for them")

// Plan returns what a call of one of the account's tools would read. It reads no facts.
func Plan(ctx context.Context, a Account, name string, env tool.Env, arguments json.RawMessage) (*tool.Plan, error) {
	for _, t := range a.Tools() {
		if t.Name == name {
			return t.Plan(ctx, env, arguments)
		}
	}
	return nil, stockhand.Errorf(stockhand.CodeNotFound, "the connection has no tool %s", name)
}

// Catalogue is what queries may ask.
type Catalogue = analysis.Catalogue

// Analyst is an account with dimensions of its own, such as the fields that its users added.
type Analyst interface {
	Account

	// Catalogue returns what queries may ask of this account: the kind's catalogue and what the account adds.
	Catalogue(ctx context.Context) (*Catalogue, error)
}

// NameKind is what a name belongs to. Its values are the kinds of the moysklad_reference tool.
type NameKind string

// The kinds of names in tasks.
const (
	NameStore        NameKind = "stores"
	NameSupplier     NameKind = "suppliers" // counterparties that are suppliers of goods or orders
	NameCounterparty NameKind = "counterparties"
	NameGroup        NameKind = "groups"
	NameProduct      NameKind = "products"
	NameEmployee     NameKind = "employees"
	NameSalesChannel NameKind = "sales_channels"
	NamePriceType    NameKind = "price_types"
	NameOrganization NameKind = "organizations"
	NameProject      NameKind = "projects"
	NameState        NameKind = "states" // of documents
	NameExpenseItem  NameKind = "expense_items"
)

// Name is a name from the account.
type Name struct {
	Kind NameKind
	ID   string
	Name string
	Also []string // code, article, path: other words for it
}
