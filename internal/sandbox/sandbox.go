// Package sandbox simulates the MoySklad JSON API 1.2: an HTTP server for the generated companies of
// internal/sandbox/company, for demos, tests and experiments.
//
// It reproduces the vendor's behaviour, especially where it misleads naive clients. Compression is required, amounts
// are in minor units, absent fields are omitted, filters drop empty values as SQL does, search and expand may be
// silently ignored, rights silently remove rows and fields, requests have weights. Where the vendor's behaviour is
// unknown, a switch selects it (see [Switches]).
//
// The surprising decision: each entity is a single table of fields. A row defines a field's name, how it is written,
// filtered, sorted and searched, and who may see it. So responses and filters always agree on a field's value.
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

// APIPath is the path of the API root. A client's base URL ends with it.
const APIPath = "/api/remap/1.2"

const apiRoot = APIPath

// Options configure the simulation. The zero value gives two accounts with a small shop each, and limits on.
type Options struct {
	Company  company.Options  // for each account; New sets Account and Clock
	Accounts int              // 1 or 2; 0 means 2
	Latency  time.Duration    // added to every API request, which counts as parallel meanwhile
	NoLimits bool             // never refuse requests; headers still report the rate
	Switches Switches         // undocumented behaviour of the vendor
	Now      func() time.Time // the server's clock; nil means time.Now

	// RecalculationDelay is how long goods are missing from stock reports after a document with them was created
	// through the API (fact M74). Zero means that reports are always current.
	RecalculationDelay time.Duration

	// ClosedBefore is the end of the closed period: documents dated before it cannot be created or deleted (code
	// 17009). Zero means that there is no closed period.
	ClosedBefore time.Time
}

// Switches select behaviour that is not known for certain. The zero value is what we assume.
type Switches struct {
	SlidingWindow        bool // count the rate in a sliding window; default: a fixed one
	NotEqualKeepsNull    bool // field!=value keeps rows without a value; default: drops them, as SQL does
	HiddenCostIsZero     bool // stock `price` is 0 without the cost right; default: absent
	InvisibleIsNotFound  bool // a hidden object is 404/1021; default: 403/1016
	NestedRowsLimit      int  // maximum rows of an expanded collection; 0 means 1000, as documented
	SalesPlotIsOpen      bool // report/sales/plotseries requires no right; default: the dashboard right
	PartyBalanceNegated  bool // a positive counterparty balance means that we owe them; default: they owe us
	CreatesDrafts        bool // a document created without `applicable` is not posted; default: posted
	ExpectsAllOrdered    bool // without inTransit, a position's whole quantity is in transit; default: nothing
	TurnoverStoresApart  bool // a store filter of the turnover report leaves nested ones out; default: includes them
	UnknownFieldsRefused bool // unknown fields in a body are refused with 1007; default: ignored
}

func (s Switches) nestedLimit() int {
	if s.NestedRowsLimit > 0 {
		return s.NestedRowsLimit
	}
	return maxLimit
}

// AccountInfo describes an account of the sandbox and its tokens.
type AccountInfo struct {
	AccountID string `json:"account_id"`
	Label     string `json:"label"`
	Tokens    Tokens `json:"tokens"`
}

// Tokens are the tokens of an account, 40 hexadecimal characters each. They are derived from the seed.
type Tokens struct {
	Owner       string `json:"owner"`       // all rights
	Storekeeper string `json:"storekeeper"` // no cost, profit or money
	Sales       string `json:"sales"`       // own documents only, no turnover, no short stock report
	Revoked     string `json:"revoked"`     // rejected like an unknown token
}

// Server is the simulated server. It serves the API below /api/remap/1.2 and the sandbox's controls below /_sandbox.
type Server struct {
	options Options
	now     func() time.Time
	state   atomic.Pointer[state]
	record  record
	faults  faults
	routes  http.Handler // of /_sandbox
}

// state is what a reset replaces.
type state struct {
	accounts []*account
	byToken  map[string]*employee
	limits   *limits
}

// account is a tenant of the simulated system.
type account struct {
	*company.Company
	info       AccountInfo
	switches   Switches
	selections selections
	tasks      tasks
}

// New generates the accounts and returns a server.
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
	s.state.Store(s.create())
	return s
}

func (s *Server) create() *state {
	st := &state{
		accounts: make([]*account, s.options.Accounts),
		byToken:  map[string]*employee{},
		limits:   newLimits(s.options.Switches.SlidingWindow),
	}
	var wg sync.WaitGroup
	for i := range st.accounts {
		wg.Go(func() {
			co := s.options.Company
			co.Account = i
			st.accounts[i] = &account{Company: company.New(co), switches: s.options.Switches}
		})
	}
	wg.Wait()
	for i, a := range st.accounts {
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
				st.byToken[t] = e
			}
		}
	}
	return st
}

// Accounts lists the accounts with their tokens.
func (s *Server) Accounts() []AccountInfo {
	var infos []AccountInfo
	for _, a := range s.state.Load().accounts {
		infos = append(infos, a.info)
	}
	return infos
}

// Company returns the company of an account, so that tests can compute figures independently. It returns nil for an id
// that is not in [Server.Accounts].
func (s *Server) Company(accountID string) *company.Company {
	for _, a := range s.state.Load().accounts {
		if a.info.AccountID == accountID {
			return a.Company
		}
	}
	return nil
}

// Requests returns the latest 100,000 requests, oldest first, like GET /_sandbox/requests.
func (s *Server) Requests() []Request { return s.record.all() }

// Reset restores the initial state: companies as generated, no faults, no recorded requests, and unused limits.
func (s *Server) Reset() {
	s.faults.clear()
	s.record.reset()
	s.state.Store(s.create())
}
