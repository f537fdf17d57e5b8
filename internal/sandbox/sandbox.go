// Package sandbox simulates the MoySklad JSON API 1.2: an HTTP server for the generated companies of
// internal/sandbox/company, for demos, tests and experiments.
//
// It behaves like the vendor, above all where that is inconvenient: what misleads a naive client there misleads it
// here. Compression is required, amounts are in minor units, absent fields are left out, filters drop what SQL
// would drop, a search or an expand may be ignored without a word, rights remove rows and fields silently, requests
// have weights. Where the vendor's behaviour is unknown a switch decides (see [Switches]).
//
// The surprising decision is that each entity is one table of fields, which says everything: the name of a field, how
// it is written, filtered, sorted and searched, and who may see it. So an answer and a filter can never disagree about
// what a field holds.
package sandbox

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/stockhand/stockhand/internal/sandbox/company"
)

// Connector names the connector whose external system the sandbox simulates.
const Connector = "moysklad"

// APIPath is the path of the API's root on its host: a client's base URL ends with it.
const APIPath = "/api/remap/1.2"

const apiRoot = APIPath

// Options say what to simulate. The zero value is two accounts of a small shop each, limits on.
type Options struct {
	Company  company.Options  // of each account; Account and Clock are set by New
	Accounts int              // 1 or 2; 2 when 0
	Latency  time.Duration    // added to every API request; it counts as a parallel request meanwhile
	NoLimits bool             // do not refuse for rate or parallelism; the headers still count
	Switches Switches         // what the vendor leaves unknown
	Now      func() time.Time // the server's clock; time.Now when nil

	// RecalculationDelay is how long goods stay out of the stock reports after a document about them was made here
	// (fact M74). Zero: reports follow at once.
	RecalculationDelay time.Duration

	// ClosedBefore is the end of the closed period: documents dated before it are neither created nor deleted (code
	// 17009). Zero: nothing is closed.
	ClosedBefore time.Time
}

// Switches choose where the vendor's behaviour is not known for certain. The zero value is what we assume.
type Switches struct {
	SlidingWindow        bool // the rate is counted over a sliding window; default: a fixed one
	NotEqualKeepsNull    bool // field!=value keeps rows without a value; default: drops them, as SQL does
	HiddenCostIsZero     bool // stock `price` is 0 without the cost right; default: absent
	InvisibleIsNotFound  bool // an object hidden is 404/1021; default: 403/1016
	NestedRowsLimit      int  // most rows inside an expanded collection; 0 means the documentation's 1000
	SalesPlotIsOpen      bool // report/sales/plotseries needs no right; default: it needs the dashboard
	PartyBalanceNegated  bool // counterparty balance above zero: we owe them; default: they owe us
	CreatesDrafts        bool // a document made without `applicable` is not posted; default: it is
	ExpectsAllOrdered    bool // a position made without inTransit expects its whole quantity; default: nothing
	UnknownFieldsRefused bool // unknown fields of a body are refused with 1007; default: ignored
}

func (s Switches) nestedLimit() int {
	if s.NestedRowsLimit > 0 {
		return s.NestedRowsLimit
	}
	return maxLimit
}

// AccountInfo names one account of the sandbox and the tokens that open it.
type AccountInfo struct {
	AccountID string `json:"account_id"`
	Label     string `json:"label"`
	Tokens    Tokens `json:"tokens"`
}

// Tokens are 40 hexadecimal characters each and follow from the seed.
type Tokens struct {
	Owner       string `json:"owner"`       // all rights
	Storekeeper string `json:"storekeeper"` // no cost, profit or money
	Sales       string `json:"sales"`       // own documents only, no turnover, no short stock report
	Revoked     string `json:"revoked"`     // refused like any unknown token
}

// Server is the simulated server. It serves the API below /api/remap/1.2 and its own controls below /_sandbox.
type Server struct {
	options Options
	now     func() time.Time
	world   atomic.Pointer[world]
	record  record
	faults  faults
	routes  http.Handler // of /_sandbox
}

// world is everything that a reset replaces.
type world struct {
	accounts []*account
	byToken  map[string]*employee
	limits   *limits
}

// account is one external tenant.
type account struct {
	*company.Company
	info       AccountInfo
	switches   Switches
	selections selections
	tasks      tasks
}

// New generates the accounts and returns a server that is ready to answer.
func New(o Options) *Server {
	if o.Accounts < 1 {
		o.Accounts = 2
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Company.Now.IsZero() {
		o.Company.Now = o.Now()
	}
	o.Company.Clock = o.Now
	s := &Server{options: o, now: o.Now}
	s.routes = s.control()
	s.world.Store(s.create())
	return s
}

func (s *Server) create() *world {
	w := &world{
		accounts: make([]*account, s.options.Accounts),
		byToken:  map[string]*employee{},
		limits:   newLimits(s.options.Switches.SlidingWindow),
	}
	var wg sync.WaitGroup
	for i := range w.accounts {
		wg.Go(func() {
			co := s.options.Company
			co.Account = i
			w.accounts[i] = &account{Company: company.New(co), switches: s.options.Switches}
		})
	}
	wg.Wait()
	for i, a := range w.accounts {
		token := func(role string) string {
			sum := sha256.Sum256([]byte("token:" + role + ":" + strconv.Itoa(i) + ":" +
				strconv.FormatUint(s.options.Company.Seed, 10)))
			return hex.EncodeToString(sum[:20])
		}
		a.info = AccountInfo{
			AccountID: string(a.AccountID()),
			Label:     fmt.Sprintf("Магазин %d", i+1),
			Tokens: Tokens{
				Owner:       token("owner"),
				Storekeeper: token("storekeeper"),
				Sales:       token("sales"),
				Revoked:     token("revoked"),
			},
		}
		for role, t := range map[company.Role]string{
			company.RoleOwner:       a.info.Tokens.Owner,
			company.RoleStorekeeper: a.info.Tokens.Storekeeper,
			company.RoleSales:       a.info.Tokens.Sales,
		} {
			if e := a.employee(role); e != nil {
				w.byToken[t] = e
			}
		}
	}
	return w
}

// Accounts lists the accounts with their tokens.
func (s *Server) Accounts() []AccountInfo {
	var infos []AccountInfo
	for _, a := range s.world.Load().accounts {
		infos = append(infos, a.info)
	}
	return infos
}

// Company returns the company behind an account, for tests that compute a figure in a second way; nil for an id
// that is not one of [Server.Accounts].
func (s *Server) Company(accountID string) *company.Company {
	for _, a := range s.world.Load().accounts {
		if a.info.AccountID == accountID {
			return a.Company
		}
	}
	return nil
}

// Requests returns what arrived, oldest first, as GET /_sandbox/requests lists it. Only the latest 100,000 are kept.
func (s *Server) Requests() []Request { return s.record.all() }

// Reset starts over: the companies as generated, no faults, nothing recorded, full buckets.
func (s *Server) Reset() {
	s.faults.clear()
	s.record.reset()
	s.world.Store(s.create())
}
