package app

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"log/slog"
	"sync"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent"
	"github.com/stockhand/stockhand/internal/connection"
	"github.com/stockhand/stockhand/internal/draft"
	"github.com/stockhand/stockhand/internal/limit"
	"github.com/stockhand/stockhand/internal/llm"
	"github.com/stockhand/stockhand/internal/secret"
	"github.com/stockhand/stockhand/internal/store"
	"github.com/stockhand/stockhand/internal/work"
)

// service is everything that answers tasks, wired together.
type service struct {
	org         stockhand.OrgID
	db          *store.DB
	ring        *secret.Ring
	models      *llm.Providers
	budget      *llm.Budget
	agent       *agent.Agent
	drafts      *draft.Service
	connections *connection.Service
	connected   []stockhand.Connection // by this process; the record may know more
	closers     []func() error         // ended last to first
}

// served is what a server adds to the service; nil for the command line, which works alone.
type served struct {
	engine  *work.Engine
	metrics *metrics
	tracing *tracing // nil when traces go nowhere
}

// newService opens the record and wires an agent to it. It belongs to no organization yet, and nobody works on runs.
func newService(ctx context.Context, c Config, log *slog.Logger, by *served) (*service, error) {
	ring, err := c.keyRing()
	if err != nil {
		return nil, err
	}
	models, err := llm.Load(c.LLM, log)
	if err != nil {
		return nil, err
	}
	db, err := store.Open(ctx, c.Database, log)
	if err != nil {
		return nil, err
	}
	if c.Limiter == nil {
		c.Limiter = newLimiter(c, db, log)
	}
	s := &service{db: db, ring: ring, models: models, closers: []func() error{db.Close}}
	if by != nil {
		c.Limiter = by.tracing.limiter(measuredLimiter{c.Limiter, by.metrics})
	}
	s.connections = connection.New(connection.Config{
		Store: db, Ring: ring, Kinds: connectors, Base: map[string]string{"moysklad": c.MoySkladURL},
		Limiter: limit.Counted(c.Limiter),
		Private: c.MCPPrivate, Logger: log,
	})
	drafts := draft.Config{Store: db, System: db.System(), Writers: writers{s.connections}, Pauses: c.Pauses,
		Logger: log}
	s.budget = llm.NewBudget(db, s.models.Limits(), nil)
	agents := agent.Config{
		Store: db, Accounts: s.connections, Logger: log,
		Model: agent.Model{Model: s.models.Model(), Budget: s.budget, Limits: s.models.Limits()},
	}
	if by != nil {
		measured := measuredStore{db, by.metrics}
		agents.Store, drafts.Store = measured, measured
		agents.Engine, agents.System = by.engine, db.System()
		by.metrics.watch(db, by.engine)
	}
	if by != nil || c.onPostgres() { // somebody else may be sending
		drafts.Grace = writeGrace
	}
	s.drafts = draft.New(drafts)
	agents.Drafts = s.drafts
	s.agent = agent.New(agents)
	return s, nil
}

// keyRing reads the keys that credentials are sealed with.
func (c Config) keyRing() (*secret.Ring, error) {
	switch {
	case c.SecretKey != "":
		return secret.Parse(c.SecretKey)
	case c.SecretKeyFile != "" && c.onPostgres(): // never made up: see atHome
		return secret.Load(c.SecretKeyFile)
	case c.SecretKeyFile != "":
		ring, _, err := secret.LoadOrCreate(c.SecretKeyFile)
		return ring, err
	}
	key := make([]byte, 32) // a temporary record needs no key that outlives it
	_, _ = rand.Read(key)   // never fails since Go 1.24
	return secret.Parse(hex.EncodeToString(key))
}

// newLocalService is newService for one person at the command line, whose record has one organization.
func newLocalService(ctx context.Context, c Config) (*service, error) {
	s, err := newService(ctx, c, slog.New(slog.DiscardHandler), nil)
	if err != nil {
		return nil, err
	}
	s.work(ctx)
	if s.org, err = onlyOrganization(ctx, s.db); err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

// work lets the agent work until the service is closed.
func (s *service) work(ctx context.Context) {
	ctx, stop := context.WithCancel(context.WithoutCancel(ctx))
	var working sync.WaitGroup
	working.Go(func() { s.agent.Run(ctx) })
	s.closers = append(s.closers, func() error {
		s.agent.Wait()
		stop()
		working.Wait()
		return nil
	})
}

// onlyOrganization returns the organization of a record that one person uses from the command line.
func onlyOrganization(ctx context.Context, db *store.DB) (stockhand.OrgID, error) {
	all, err := db.System().Organizations(ctx)
	if err != nil {
		return "", err
	}
	if len(all) > 0 {
		return all[0].ID, nil
	}
	org, err := db.CreateOrganization(ctx, stockhand.NewID[stockhand.OrgID]("org"), "Stockhand")
	return org.ID, err
}

func (s *service) close() {
	for i := len(s.closers) - 1; i >= 0; i-- {
		_ = s.closers[i]() // nothing is left to do about it
	}
	s.closers = nil
}

// connect verifies a token and stores the connection.
func (s *service) connect(ctx context.Context, kind, token, label string) (stockhand.Connection, error) {
	return s.connections.Connect(ctx, s.org, kind, token, label, "")
}

// named finds the connection that a person means by a label, an account id or a connection id.
func (s *service) named(ctx context.Context, name string) (stockhand.ConnectionID, error) {
	all, err := s.db.Connections(ctx, s.org)
	if err != nil {
		return "", err
	}
	var known []candidate
	for _, c := range all {
		known = append(known, candidate{c.ID, c.Account, c.Label})
	}
	return pick(known, name)
}

// openReal connects the accounts that the environment names.
func openReal(ctx context.Context, e *env) (*service, error) {
	c, err := e.readConfig()
	if err != nil {
		return nil, err
	}
	if len(c.tokens) == 0 {
		return nil, errors.Join(errUsage,
			stockhand.Errorf(stockhand.CodeValidation, "no account to ask: STOCKHAND_MOYSKLAD_TOKEN is not set").
				WithHint("set it to an employee token of the account, or try the generated shop: stockhand ask --demo \"…\""))
	}
	if c, err = c.atHome(e.getenv); err != nil {
		return nil, err
	}
	s, err := newLocalService(ctx, c)
	if err != nil {
		return nil, err
	}
	for _, token := range c.tokens {
		connection, err := s.connect(ctx, "moysklad", token, "")
		if err != nil {
			s.close()
			return nil, err
		}
		s.connected = append(s.connected, connection)
	}
	return s, nil
}
