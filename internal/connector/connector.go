// Package connector is the contract of an external system: how a credential is verified, and what an opened account
// offers to the agent.
//
// A connector is a folder beside this file and one line in internal/app/connectors.go. What [Kind.Open] returns can
// only read: its transport refuses every method but GET, so a tool cannot write even by mistake. A client that writes
// and a gateway to the raw API are optional; they are packages of their own in the connector's folder, named in the
// same line, and internal/app alone imports them.
package connector

import (
	"context"
	"log/slog"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/limit"
	"github.com/stockhand/stockhand/internal/tool"
)

// Kind is a kind of external system.
type Kind struct {
	Name  string
	Title tool.Text
	About tool.Text
	Tools []tool.Tool // not bound to an account: their metadata only

	Fields     []Field     // what a connection needs
	Operations []Operation // raw reads, beside the tools; an account that has any is an [Operator]
	Limits     []Limit
	Traps      []Trap

	// Rights says a connection's rights in the words of people: those the employee has, and those that are missing.
	Rights func(list []string) (has, missing []Right)

	Zone tool.Zone // in which its accounts count their days

	// ToolsOnly marks a connector whose connections are not accounts: they only add tools to those of an account. A task
	// in words is never about one, and it is not listed when a person has to choose an account.
	ToolsOnly bool

	// DefaultURL is the root of the vendor's API; empty where each connection names its own server. The operator may
	// name another server of that API with STOCKHAND_<NAME>_URL, and the command line connects the accounts of the
	// tokens in STOCKHAND_<NAME>_TOKEN.
	DefaultURL string

	// Site is where people work with the external system, as in "https://online.moysklad.ru": a model's words may link
	// there. Empty for none.
	Site string

	// Verify asks the external system who the token belongs to, the list of organizations first (rule R2). A wrong or
	// revoked token is an error with the code EXTERNAL_TOKEN_REJECTED.
	Verify func(ctx context.Context, c Config) (Identity, error)

	// Open returns the account behind a verified token. It sends nothing.
	Open func(c Config, who Identity) Account
}

// Config is what a connection is opened with.
type Config struct {
	// the API's root, e.g. "https://api.moysklad.ru/api/remap/1.2"; empty means the vendor's, or the one in Kept
	BaseURL string
	Token   string // an employee token; never a login or a password (rule R1)
	// the connection's sealed data: the token, or Keep of its last verification; empty for a new connection
	Kept    string
	Private bool // servers in the operator's own network may be reached, even if a user gave the address
	Limiter limit.Limiter
	Logger  *slog.Logger // never given the token
}

// Identity is what verification learns about a token.
type Identity struct {
	Account      stockhand.AccountID
	Employee     string // full name
	Login        string
	Organization string   // the first legal entity's name; two accounts may share it
	Rights       []string // rights that decide what tools see, in the connector's names
	Keep         string   // what is sealed in the token's place, where verification learnt more; empty seals the token
}

// Account is an opened account: one employee's view of it.
type Account interface {
	Identity() Identity
	Tools() []tool.Tool

	// Names lists the account's own names of those kinds, for reading a task. Lists are remembered for a while.
	// Kinds that the employee may not see are left out.
	Names(ctx context.Context, kinds ...NameKind) ([]Name, error)

	// FindGoods searches goods by words of a task: name, article, code or barcode; best first, at most limit.
	FindGoods(ctx context.Context, words string, limit int) ([]Name, error)
}

// NameKind says what a name belongs to. Its values are those of the moysklad_reference tool's kind.
type NameKind string

// The kinds of names that tasks mention.
const (
	NameStore        NameKind = "stores"
	NameSupplier     NameKind = "suppliers" // counterparties that goods or orders name as supplier
	NameCounterparty NameKind = "counterparties"
	NameGroup        NameKind = "groups"
	NameProduct      NameKind = "products"
	NameEmployee     NameKind = "employees"
	NameSalesChannel NameKind = "sales_channels"
	NamePriceType    NameKind = "price_types"
	NameOrganization NameKind = "organizations"
)

// Name is one name of the account's own.
type Name struct {
	Kind NameKind
	ID   string
	Name string
	Also []string // code, article, path: other words that mean it
}
