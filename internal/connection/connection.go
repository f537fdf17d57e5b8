// Package connection keeps an organization's connections to external accounts: a credential is verified before anything
// is stored, sealed at rest, and opened for reading.
//
// What it opens can only read (internal/connector). Whoever writes gets its client elsewhere, from internal/app.
package connection

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/limit"
	"github.com/stockhand/stockhand/internal/secret"
)

// Store is the record that connections are kept in; internal/store says what each method promises.
type Store interface {
	Connection(ctx context.Context, org stockhand.OrgID, id stockhand.ConnectionID) (stockhand.Connection, error)
	Connections(ctx context.Context, org stockhand.OrgID) ([]stockhand.Connection, error)
	ConnectionsOfAccount(ctx context.Context, org stockhand.OrgID, connector string, account stockhand.AccountID) ([]stockhand.Connection, error)
	CreateConnection(ctx context.Context, org stockhand.OrgID, c stockhand.Connection) (stockhand.Connection, error)
	UpdateConnection(ctx context.Context, org stockhand.OrgID, c stockhand.Connection) error
	DeleteConnection(ctx context.Context, org stockhand.OrgID, id stockhand.ConnectionID) error
}

// Config is what a Service needs; all but Base and Logger is required.
type Config struct {
	Store   Store
	Ring    *secret.Ring
	Kinds   []connector.Kind
	Base    map[string]string // other servers of a connector's API, by connector; the vendor's where absent
	Limiter limit.Limiter
	Logger  *slog.Logger
}

// Service makes, keeps and opens connections. It is safe for concurrent use.
type Service struct {
	Config

	mu   sync.Mutex
	open map[stockhand.ConnectionID]connector.Account
}

// New returns a service.
func New(c Config) *Service {
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	return &Service{Config: c, open: map[stockhand.ConnectionID]connector.Account{}}
}

// Kind finds a connector by its name.
func (s *Service) Kind(name string) (connector.Kind, error) {
	for _, k := range s.Kinds {
		if k.Name == name {
			return k, nil
		}
	}
	return connector.Kind{}, stockhand.Errorf(stockhand.CodeNotFound, "no connector named %s", name)
}

// Connect verifies a token and stores the connection. A token of an employee who is connected already takes the place
// of the one before: each employee has one token at a time.
func (s *Service) Connect(ctx context.Context, org stockhand.OrgID, kind, token, label, by string) (stockhand.Connection, error) {
	k, err := s.Kind(kind)
	if err != nil {
		return stockhand.Connection{}, err
	}
	who, err := k.Verify(ctx, s.config(kind, token))
	if err != nil {
		return stockhand.Connection{}, err
	}
	if label == "" {
		label = who.Organization
	}
	now := time.Now().UTC()
	c := stockhand.Connection{
		ID: stockhand.NewID[stockhand.ConnectionID]("con"), Connector: kind, Account: who.Account,
		Label: label, Employee: who.Employee, Rights: who.Rights, Organization: who.Organization, By: by, Created: now, Verified: now,
	}
	known, err := s.Store.ConnectionsOfAccount(ctx, org, kind, who.Account)
	if err != nil {
		return c, err
	}
	exists := false
	for _, k := range known {
		if k.Employee == who.Employee {
			c.ID, c.Created, exists = k.ID, k.Created, true
		}
	}
	if c.Sealed, err = s.Ring.Seal(org, c.ID, []byte(token)); err != nil {
		return c, err
	}
	s.remember(c.ID, k.Open(s.config(kind, token), who))
	if exists {
		return c, s.Store.UpdateConnection(ctx, org, c)
	}
	return s.Store.CreateConnection(ctx, org, c)
}

// Open implements agent.Accounts: the same account for the same connection.
func (s *Service) Open(_ context.Context, c stockhand.Connection) (connector.Account, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if account, ok := s.open[c.ID]; ok {
		return account, nil
	}
	k, err := s.Kind(c.Connector)
	if err != nil {
		return nil, err
	}
	config, err := s.Reach(c)
	if err != nil {
		return nil, err
	}
	account := k.Open(config, connector.Identity{Account: c.Account, Employee: c.Employee, Rights: c.Rights})
	s.open[c.ID] = account
	return account, nil
}

// Reach returns how the external system behind a connection is reached, with its credential.
func (s *Service) Reach(c stockhand.Connection) (connector.Config, error) {
	token, err := s.Ring.Open(c.Org, c.ID, c.Sealed)
	if err != nil {
		return connector.Config{}, err
	}
	return s.config(c.Connector, string(token)), nil
}

func (s *Service) remember(id stockhand.ConnectionID, account connector.Account) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open[id] = account
}

func (s *Service) config(kind, token string) connector.Config {
	return connector.Config{BaseURL: s.Base[kind], Token: token, Limiter: s.Limiter, Logger: s.Logger}
}
