package app

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"log/slog"
	"strings"
	"sync"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent"
	"github.com/stockhand/stockhand/internal/api/requestlog"
	"github.com/stockhand/stockhand/internal/audit"
	"github.com/stockhand/stockhand/internal/auth"
	"github.com/stockhand/stockhand/internal/cassette"
	"github.com/stockhand/stockhand/internal/connection"
	"github.com/stockhand/stockhand/internal/draft"
	"github.com/stockhand/stockhand/internal/limit"
	"github.com/stockhand/stockhand/internal/llm"
	"github.com/stockhand/stockhand/internal/measure"
	"github.com/stockhand/stockhand/internal/notes"
	"github.com/stockhand/stockhand/internal/reports"
	"github.com/stockhand/stockhand/internal/retention"
	"github.com/stockhand/stockhand/internal/secret"
	"github.com/stockhand/stockhand/internal/store"
	"github.com/stockhand/stockhand/internal/traffic"
	"github.com/stockhand/stockhand/internal/work"
)

// Service contains everything that answers tasks.
type Service struct {
	Org         stockhand.OrgID // the command line's organization, or the first one of a server
	Store       *store.DB
	Ring        *secret.Ring
	Agent       *agent.Agent
	Drafts      *draft.Service
	Audit       *audit.Log // of reads, calls and refusals
	Requests    *requestlog.Log
	Connections *connection.Service
	Measures    *measure.Service
	Notes       *notes.Service
	Reports     *reports.Service
	Retention   *retention.Service
	Traffic     *traffic.Service
	Connected   []stockhand.Connection // connected by [Service.Connect] in this process; the database may have more

	logger  *slog.Logger
	pepper  []byte // of API keys and user tokens
	models  *llm.Providers
	budget  *llm.Budget
	writers writers
	closers []func() error // called in reverse order
	// gives decisions by words a tape; nil: they are not recorded
	decided func(context.Context, agent.Task) (context.Context, func(context.Context, agent.Turn))
}

// served is what a server adds to the service; nil for the command line.
type served struct {
	engine  *work.Engine
	metrics *metrics
	tracing *tracing                           // nil disables tracing
	result  func(id stockhand.ResultID) string // its address
	draft   func(id stockhand.DraftID) string  // its address
	address func() string                      // of the server
}

// newService opens the database and creates an agent for it. It has no organization yet, and no worker runs.
func newService(ctx context.Context, c Config, ring *secret.Ring, log *slog.Logger, by *served) (*Service, error) {
	if c.Connectors == nil {
		c.Connectors = Connectors
	}
	models, err := llm.Load(c.LLM, log)
	if err != nil {
		return nil, err
	}
	db, pepper, err := c.OpenStore(ctx, ring, log)
	if err != nil {
		return nil, err
	}
	if c.Limiter == nil {
		c.Limiter = newLimiter(c, db, log)
	}
	prints, err := audit.FingerprintKey(pepper)
	if err != nil {
		_ = db.Close() // nothing was written
		return nil, err
	}
	s := &Service{Store: db, Ring: ring, models: models, logger: log, pepper: pepper, closers: []func() error{db.Close},
		Audit: audit.NewLog(db, prints, log, nil)}
	s.Requests = requestlog.New(db.System().Requests(), log, nil)
	s.closers = append(s.closers, func() error {
		s.Audit.Close(context.WithoutCancel(ctx))
		s.Requests.Close(context.WithoutCancel(ctx))
		return nil
	})
	watched := c.Limiter
	if by != nil {
		c.Limiter = by.tracing.limiter(measuredLimiter{c.Limiter, by.metrics})
	}
	facts := db.System().Kept(c.Facts, c.Clock)
	s.Measures = Measures(db, c.Connectors, c.Clock)
	s.Reports = &reports.Service{Store: db.System().Reports(), Connections: db, Kinds: kinds(c.Connectors),
		Clock: c.Clock}
	s.Connections = connection.New(connection.Config{
		Store: db, Ring: ring, Kinds: kinds(c.Connectors), Base: c.Servers,
		Limiter: limit.Counted(c.Limiter), Watched: watched,
		Private: c.MCPPrivate, Logger: log,
		Kept: keeper(facts), KeptOf: measurer(facts), AddOwn: s.Measures.Extend,
	})
	s.Notes = &notes.Service{Store: db, Clock: c.Clock}
	s.writers = writers{c.Connectors, s.Connections}
	drafts := draft.Config{Store: db, System: db.System(), Writers: s.writers, Fingerprint: s.Audit.Fingerprint,
		Notes: func(org stockhand.OrgID, l stockhand.Language) draft.Writer {
			return notes.Writer{Notes: s.Notes, Org: org, Language: l}
		},
		Pauses: c.Pauses, Clock: c.Clock, Logger: log}
	s.budget = llm.NewBudget(db.System().Activity(), s.models.Limits(), nil)
	model := c.Model
	if model == nil {
		model = s.models.Model()
	}
	agents := agent.Config{
		Store: db, Accounts: s.Connections, Clock: c.Clock, Logger: log, AtOnce: c.Workers, MaxRuns: c.MaxRuns,
		Measures: s.Measures.All, Notes: s.Notes, Tape: c.Tape,
		Model: agent.Model{Model: cassette.Model(model), Budget: s.budget, Limits: s.models.Limits(),
			Routing: s.models.Routing(), Currency: s.models.Currency(),
			Context: cmp.Or(c.ModelContext, s.models.Context()),
			Reader:  c.LLM.Reader, Links: c.links()},
	}
	keep := retention.Config{Store: db, System: housekeeping{db.System(), facts, c.Traffic.Age},
		Installation: c.Retention,
		Quota:        c.Quota, Sinks: c.AuditSinks(), Clock: c.Clock, Logger: log}
	if c.Site != "" {
		links := &Instance{URL: c.Site}
		agents.ResultURL, agents.DraftURL = links.resultURL, links.draftURL
	}
	s.Traffic = s.keepTraffic(c, model, by, log)
	if agents.Tape == nil {
		agents.Tape = s.Traffic.Tape
	}
	if by != nil {
		keep.Removed, keep.Finished = by.metrics.countRemoved, by.metrics.housekept
		agents.ResultURL, agents.DraftURL = by.result, by.draft
		measured := measuredStore{db, by.metrics}
		agents.Store, drafts.Store = measured, measured
		agents.Engine, agents.System, agents.Tracer = by.engine, db.System(), by.tracing.spans()
		by.metrics.watch(db, by.engine)
	}
	if by != nil || c.onPostgres() { // other processes may send requests too
		drafts.Grace = writeGrace
	}
	s.Retention = retention.New(keep)
	agents.Quota, agents.Fingerprint = s.Retention.Admit, s.Audit.Fingerprint
	s.Drafts = draft.New(drafts)
	agents.Drafts = s.Drafts
	s.Agent = agent.New(agents)
	if c.Tape == nil {
		s.decided = s.Traffic.Decide
	}
	return s, nil
}

// keepTraffic returns the service that keeps what runs ask.
func (s *Service) keepTraffic(c Config, model llm.Model, by *served, log *slog.Logger) *traffic.Service {
	t := traffic.Config{Limits: c.Traffic, Store: s.Store, Kept: s.Store.System().Traffic(), Connections: s.Connections,
		Measures: s.Measures.List, Notes: s.Notes.Text, Clock: c.Clock, Logger: log,
		Finished: func(ctx context.Context, org stockhand.OrgID, run stockhand.RunID) (*agent.Finished, error) {
			return s.Agent.Finished(ctx, org, run)
		},
		ProofLife: draft.ProofLife,
		Profile: func(ctx context.Context, t agent.Task) (stockhand.AgentProfile, bool, error) {
			return s.Agent.Profile(ctx, t)
		},
		Settings: cassette.Settings{Reader: c.LLM.Reader, MaxIterations: c.LLM.Limits.MaxIterations,
			RunTokens: c.LLM.Limits.RunTokens, Context: s.models.Context()}}
	if by != nil {
		t.Address = by.address
	}
	if model != nil {
		t.Model = model.Name()
	}
	for _, p := range c.LLM.Providers {
		t.Keys = append(t.Keys, p.APIKey)
	}
	return traffic.New(t)
}

// OpenStore opens the database, with the keys that the ring protects. It returns the pepper of API keys and user
// tokens; see [auth.Pepper].
func (c Config) OpenStore(ctx context.Context, ring *secret.Ring, log *slog.Logger) (_ *store.DB, pepper []byte,
	err error) {
	db, err := store.Open(ctx, c.Database, log)
	if err != nil {
		return nil, nil, err
	}
	defer func() {
		if err != nil {
			_ = db.Close() // nothing was written
		}
	}()
	if pepper, err = auth.Pepper(ctx, db.System(), ring); err != nil {
		return nil, nil, err
	}
	key, err := audit.Key(pepper)
	if err != nil {
		return nil, nil, err
	}
	db.System().KeyAudit(key)
	db.System().KeyContents(ring, c.EncryptData)
	return db, pepper, nil
}

// links returns the addresses that a model's text may link to: those of the external systems and of this service.
func (c Config) links() []string {
	var all []string
	for _, k := range c.Connectors {
		all = append(all, k.Site)
	}
	return append(all, strings.TrimRight(c.PublicURL, "/"))
}

// KeyRing reads the keys that encrypt credentials.
func (c Config) KeyRing(ctx context.Context) (*secret.Ring, error) {
	switch {
	case c.SecretKey != "":
		return secret.Parse(c.SecretKey)
	case c.SecretKeyCommand != "":
		return secret.FromCommand(ctx, c.SecretKeyCommand)
	case c.SecretKeyFile != "" && c.onPostgres(): // never created: see InDataFolder
		return secret.Load(c.SecretKeyFile)
	case c.SecretKeyFile != "":
		ring, _, err := secret.LoadOrCreate(c.SecretKeyFile)
		return ring, err
	}
	key := make([]byte, 32) // a temporary database needs only a temporary key
	_, _ = rand.Read(key)   // never fails since Go 1.24
	return secret.Parse(hex.EncodeToString(key))
}

// OpenLocal opens the service for one user at the command line, whose database has one organization.
func OpenLocal(ctx context.Context, c Config) (*Service, error) {
	ring, err := c.KeyRing(ctx)
	if err != nil {
		return nil, err
	}
	s, err := newService(ctx, c, ring, slog.New(slog.DiscardHandler), nil)
	if err != nil {
		return nil, err
	}
	s.work(ctx)
	if s.Org, err = onlyOrganization(ctx, s.Store); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// work lets the agent work until the service is closed.
func (s *Service) work(ctx context.Context) {
	ctx, stop := context.WithCancel(context.WithoutCancel(ctx))
	var working sync.WaitGroup
	working.Go(func() { s.Agent.Run(ctx) })
	s.closers = append(s.closers, func() error {
		s.Agent.Wait()
		stop()
		working.Wait()
		return nil
	})
}

// onlyOrganization returns the only organization of a database used from the command line.
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

// Close stops the agent and closes the database.
func (s *Service) Close() {
	for i := len(s.closers) - 1; i >= 0; i-- {
		_ = s.closers[i]() // errors do not matter any more
	}
	s.closers = nil
}

// OnClose registers a function to call after everything else is closed.
func (s *Service) OnClose(fn func()) {
	s.closers = append([]func() error{func() error { fn(); return nil }}, s.closers...)
}

// Connect verifies a token, stores the connection and adds it to Connected.
func (s *Service) Connect(ctx context.Context, kind, token, label string) error {
	c, err := s.Connections.Connect(ctx, s.Org, kind, token, label, "")
	if err == nil {
		s.Connected = append(s.Connected, c)
	}
	return err
}

// ModelName returns the name of the model that answers tasks; empty if there is none.
func (s *Service) ModelName() string {
	if m := s.models.Model(); m != nil {
		return m.Name()
	}
	return ""
}
