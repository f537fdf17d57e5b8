// Package connection manages an organization's connections to external accounts. It verifies a credential before
// storing anything, encrypts it at rest, and decrypts it to open the account for reading.
//
// Verification requests the list of organizations first (rule R2). The account and the employee are stored as the
// answer names them; a caller cannot set either. Each change is stored in one transaction with its audit entry. Opened
// accounts can only read (internal/connector); internal/app builds the clients that write.
//
// Opened accounts are cached without invalidation. The cache keeps the encrypted credential with each account, and a
// caller passes the connection as the database has it now. If another replica replaced the token or deleted the
// connection, this replica notices at the next use, without a message that could be lost.
package connection

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/cassette"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/limit"
	"github.com/stockhand/stockhand/internal/secret"
)

// Store holds connections and agents. See internal/store for what each method guarantees.
type Store interface {
	Connection(ctx context.Context, org stockhand.OrgID, id stockhand.ConnectionID) (stockhand.Connection, error)
	Connections(ctx context.Context, org stockhand.OrgID) ([]stockhand.Connection, error)
	ConnectionsOfAccount(ctx context.Context, org stockhand.OrgID, connector string, account stockhand.AccountID) (
		[]stockhand.Connection, error)
	CreateConnection(ctx context.Context, org stockhand.OrgID, c stockhand.Connection,
		entries ...stockhand.AuditEntry) (stockhand.Connection, error)
	ChangeConnection(ctx context.Context, org stockhand.OrgID, id stockhand.ConnectionID,
		change func(c *stockhand.Connection) ([]stockhand.AuditEntry, error)) (stockhand.Connection, error)
	DeleteConnection(ctx context.Context, org stockhand.OrgID, id stockhand.ConnectionID,
		entries ...stockhand.AuditEntry) error
	ClearFacts(ctx context.Context, org stockhand.OrgID, id stockhand.ConnectionID, entry stockhand.AuditEntry) error
	Agent(ctx context.Context, org stockhand.OrgID, id stockhand.AgentID) (stockhand.AgentProfile, error)
	WriteStop(ctx context.Context, org stockhand.OrgID) (stockhand.WriteStop, error)
	Audit(ctx context.Context, org stockhand.OrgID, entries ...stockhand.AuditEntry) error
	AddUsage(ctx context.Context, org stockhand.OrgID, u stockhand.Usage) error
}

// Config configures a Service. Base and Logger are optional.
type Config struct {
	Store   Store
	Ring    *secret.Ring
	Kinds   []connector.Kind
	Base    map[string]string // base URLs that replace the vendor's, by connector
	Limiter limit.Limiter
	Watched limit.Limiter  // tells how much of the limits is used; nil: nothing tells
	Private []netip.Prefix // networks of the operator that users may choose addresses in
	// what is kept of the account of a connection; nil: nothing
	Kept func(stockhand.Connection) connector.Kept
	// how much is kept of the account of a connection; nil: nothing
	KeptOf func(context.Context, stockhand.Connection) (stockhand.KeptFacts, error)
	// adds what the organization defines to what queries may ask; nil: nothing
	AddOwn func(context.Context, stockhand.OrgID, *connector.Catalogue) (*connector.Catalogue, error)
	Logger *slog.Logger
}

// Service creates, verifies and opens connections. It is safe for concurrent use.
type Service struct {
	Config

	mu   sync.Mutex
	open map[stockhand.ConnectionID]*opened
}

// opened is a cached account with the credential and rights that it was opened with.
type opened struct {
	account connector.Account
	sealed  stockhand.Sealed
	rights  []string
	used    time.Time
}

// idle is how long an unused account stays in the cache.
const idle = time.Hour

func New(c Config) *Service {
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	return &Service{Config: c, open: map[stockhand.ConnectionID]*opened{}}
}

// Kind returns the connector with that name.
func (s *Service) Kind(name string) (connector.Kind, error) {
	for _, k := range s.Kinds {
		if k.Name == name {
			return k, nil
		}
	}
	return connector.Kind{}, stockhand.Errorf(stockhand.CodeNotFound, "no such connector").WithHint(
		"GET /connectors lists them")
}

// Open implements agent.Accounts. It returns the cached account of a connection until the credential or the employee's
// rights change.
func (s *Service) Open(ctx context.Context, c stockhand.Connection) (connector.Account, error) {
	if tape := cassette.TapeOf(ctx); tape != nil {
		return s.openWith(tape, c)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	if o := s.open[c.ID]; o != nil && bytes.Equal(o.sealed, c.Sealed) && slices.Equal(o.rights, c.Rights) {
		o.used = now
		return o.account, nil
	}
	for id, o := range s.open {
		if now.Sub(o.used) > idle {
			delete(s.open, id)
		}
	}
	k, err := s.Kind(c.Connector)
	if err != nil {
		return nil, err
	}
	config, err := s.Reach(c)
	if err != nil {
		return nil, err
	}
	if s.Kept != nil {
		config.Kept = s.Kept(c)
	}
	config.AddOwn = s.addOwn(c)
	account := k.Open(config, identity(c))
	s.open[c.ID] = &opened{account: account, sealed: slices.Clone(c.Sealed), rights: slices.Clone(c.Rights), used: now}
	return account, nil
}

// openWith opens an account for one turn, whose requests go through a tape: with no cache, and with nothing that is
// kept of the account.
func (s *Service) openWith(tape *cassette.Tape, c stockhand.Connection) (connector.Account, error) {
	k, err := s.Kind(c.Connector)
	if err != nil {
		return nil, err
	}
	config, base, err := s.reach(k, c)
	if err != nil {
		return nil, err
	}
	return tape.Open(c.ID, base,
		func(through func(http.RoundTripper) http.RoundTripper) connector.Account {
			config.Transport, config.AddOwn = through, s.addOwn(c)
			return k.Open(config, identity(c))
		})
}

// addOwn returns what adds the organization's measures to the catalogue of an account; nil where there are none.
func (s *Service) addOwn(c stockhand.Connection) func(context.Context, *connector.Catalogue) (*connector.Catalogue,
	error) {
	if s.AddOwn == nil {
		return nil
	}
	return func(ctx context.Context, all *connector.Catalogue) (*connector.Catalogue, error) {
		return s.AddOwn(ctx, c.Org, all)
	}
}

func identity(c stockhand.Connection) connector.Identity {
	return connector.Identity{Account: c.Account, Employee: c.Employee, Login: c.Login, Organization: c.Organization,
		Rights: c.Rights}
}

// Reach returns the configuration, with the decrypted credential, to call the external system of a connection.
func (s *Service) Reach(c stockhand.Connection) (connector.Config, error) {
	token, err := s.Ring.Open(c.Org, c.ID, c.Sealed)
	if err != nil {
		return connector.Config{}, err
	}
	config := s.config(c.Connector, string(token))
	config.Saved = config.Token
	return config, nil
}

// reach returns what Reach does, and the address of the server.
func (s *Service) reach(k connector.Kind, c stockhand.Connection) (config connector.Config, base string, err error) {
	config, err = s.Reach(c)
	base = cmp.Or(config.BaseURL, k.DefaultURL)
	if err == nil && k.Recorded != nil {
		var r connector.Recorded
		r, err = k.Recorded(config.Saved, cassette.Site)
		base = r.Address
	}
	return config, base, err
}

// ReachOver is like Reach, and requests go through the tape of the context, if there is one.
func (s *Service) ReachOver(ctx context.Context, c stockhand.Connection) (connector.Config, error) {
	tape := cassette.TapeOf(ctx)
	if tape == nil {
		return s.Reach(c)
	}
	k, err := s.Kind(c.Connector)
	if err != nil {
		return connector.Config{}, err
	}
	config, base, err := s.reach(k, c)
	if err != nil {
		return connector.Config{}, err
	}
	config.Transport, err = tape.Through(c.ID, base)
	return config, err
}

// Choose returns the connection with the given ID, or the only connected account when id is empty. If several accounts
// are connected and id is empty, it returns ACCOUNT_REQUIRED with a hint that lists them by ID (rule R27).
func (s *Service) Choose(ctx context.Context, org stockhand.OrgID, id stockhand.ConnectionID,
	kind string) (stockhand.Connection, error) {
	if id != "" {
		c, err := s.Store.Connection(ctx, org, id)
		if err == nil && c.Connector != kind {
			return c, stockhand.Errorf(stockhand.CodeValidation, "%s belongs to another connector",
				id).WithHint("use a connection of %s", kind)
		}
		return c, err
	}
	all, err := s.Store.Connections(ctx, org)
	if err != nil {
		return stockhand.Connection{}, err
	}
	var accounts []stockhand.Connection
	for _, c := range all {
		known := slices.ContainsFunc(accounts, func(a stockhand.Connection) bool { return a.Account == c.Account })
		if c.Connector == kind && !known {
			accounts = append(accounts, c)
		}
	}
	switch len(accounts) {
	case 1:
		return accounts[0], nil
	case 0:
		return stockhand.Connection{}, stockhand.Errorf(stockhand.CodeAccountRequired,
			"no account is connected").WithHint("connect one: POST /connections")
	}
	var list []string
	for _, c := range accounts {
		list = append(list, fmt.Sprintf("%s (%s, account %s)", c.ID, c.Label, c.Account))
	}
	return stockhand.Connection{}, stockhand.Errorf(stockhand.CodeAccountRequired,
		"several accounts are connected: choose one with connection_id").
		WithHint("connected: %s", strings.Join(list, "; "))
}

func (s *Service) forget(id stockhand.ConnectionID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.open, id)
}

func (s *Service) config(kind, token string) connector.Config {
	return connector.Config{BaseURL: s.Base[kind], Token: token, Limiter: s.Limiter, Private: s.Private,
		Logger: s.Logger}
}
