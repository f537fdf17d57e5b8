// Package agent answers tasks: it stores a turn of a session, works on it as a run, and keeps a log that clients can
// follow live or read later.
//
// Every run has the same steps: choose the account, read the task, look up names in the account, call a tool, answer
// with its figures. A tool call is stored before it starts and completed together with its result, so a run that
// continues after a crash repeats no finished call.
//
// With a [Model], a run is a loop instead: the model decides what to look at and how to say it, and code decides
// everything else (decision 13). Its steps are stored like calls, and the figures in its answer are checked against
// what was read.
//
// The process that starts a run need not be the one that works on it. The run is stored, delivered to a worker by
// internal/work, and claimed with a generation that excludes earlier workers. A worker sends heartbeats; if they stop,
// another worker takes over the run. Turns of one session wait for each other.
//
// The agent cannot write to the external system, confirm a draft, or use a second account within a run. It only gets
// accounts opened for reading, and refuses a task about several accounts (rule R4).
package agent

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent/known"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/notes"
	"github.com/stockhand/stockhand/internal/tool"
	"github.com/stockhand/stockhand/internal/work"
)

// Accounts opens connections. It returns the same account for the same connection, so that the account's caches serve
// later runs.
type Accounts interface {
	Open(ctx context.Context, c stockhand.Connection) (connector.Account, error)

	// Kind returns the connector with that name.
	Kind(name string) (connector.Kind, error)
}

// Config configures an agent.
type Config struct {
	Store    Store
	Accounts Accounts
	Drafts   Drafts
	Model    Model            // the zero value answers without a model
	System   System           // nil disables the search for unclaimed runs, as on the command line
	Engine   *work.Engine     // nil means one for this process only
	Logger   *slog.Logger     // nil disables logging
	Clock    func() time.Time // nil means the real clock
	// maximum number of concurrent runs; 0 means 16. Within an account, the limiter decides who waits
	AtOnce  int
	MaxRuns MaxUnfinished
	// returns what the audit log has instead of a call's arguments; nil for nothing
	Fingerprint func(org stockhand.OrgID, arguments []byte) string
	// returns why an organization may store no more; nil for no quota
	Quota   func(ctx context.Context, org stockhand.OrgID) error
	Timeout time.Duration // maximum duration of a run; 0 means an hour
	Tracer  trace.Tracer  // nil disables tracing
	// the address of a result; nil means its path
	ResultURL func(id stockhand.ResultID) string
	// the address of a draft's page; nil for none
	DraftURL func(id stockhand.DraftID) string
	// returns what queries of an organization may ask, with its own measures; nil for none
	Measures func(ctx context.Context, org stockhand.OrgID) (*connector.Catalogue, error)
	// the organizations' notes; nil for none
	Notes Notes
	// returns the context that a run works in if it is recorded or replayed, the time that it takes for now, zero for
	// the clock's, and what is called when the worker has finished the run or left it, nil for nothing. nil for no tape
	Tape func(ctx context.Context, t Taped) (context.Context, time.Time, func(context.Context))
}

// Taped is a run that may be recorded or replayed.
type Taped struct {
	Run     stockhand.Run
	Task    Task                   // without its actor and session
	Direct  bool                   // a program called a tool
	Profile stockhand.AgentProfile // who answers, within what the caller's key is bound to
	Offers  bool                   // whether the tools of the MCP servers that the profile names are offered
}

// Notes are what organizations want their agent to know.
type Notes interface {
	// Text returns the notes of an organization, a note in a line.
	Text(ctx context.Context, org stockhand.OrgID) (string, error)
	// Document returns the document with which a draft changes them.
	Document(ctx context.Context, org stockhand.OrgID, c notes.Change, l stockhand.Language) (tool.Document, error)
}

// Agent works on runs. Create it with [New] and start it with [Agent.Run].
type Agent struct {
	store    Store
	accounts Accounts
	drafts   Drafts
	model    Model
	system   System
	engine   *work.Engine
	logger   *slog.Logger
	clock    func() time.Time
	quota    func(ctx context.Context, org stockhand.OrgID) error
	atOnce   int
	maxRuns  MaxUnfinished
	timeout  time.Duration
	tracer   trace.Tracer
	measures func(ctx context.Context, org stockhand.OrgID) (*connector.Catalogue, error)
	notes    Notes
	tape     func(ctx context.Context, t Taped) (context.Context, time.Time, func(context.Context))

	resultURL   func(id stockhand.ResultID) string
	draftURL    func(id stockhand.DraftID) string
	fingerprint func(org stockhand.OrgID, arguments []byte) string
	names       known.Names

	stopping chan struct{} // closed when no more runs may be claimed
	leaving  chan struct{} // closed when followers must reconnect elsewhere

	mu            sync.Mutex
	working       map[*turn]context.CancelCauseFunc // the runs of this process
	handingOver   bool                              // release current and future runs to other replicas
	drained, left sync.Once
}

// New returns an agent.
func New(c Config) *Agent {
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	if c.Clock == nil {
		c.Clock = time.Now
	}
	if c.AtOnce == 0 {
		c.AtOnce = 16
	}
	if c.Timeout == 0 {
		c.Timeout = time.Hour
	}
	if c.Tracer == nil {
		c.Tracer = noop.Tracer{}
	}
	if c.Fingerprint == nil {
		c.Fingerprint = func(stockhand.OrgID, []byte) string { return "" }
	}
	if c.ResultURL == nil {
		c.ResultURL = func(id stockhand.ResultID) string { return "/api/v1/results/" + string(id) }
	}
	if c.Tape == nil {
		c.Tape = func(ctx context.Context, _ Taped) (context.Context, time.Time, func(context.Context)) {
			return ctx, time.Time{}, nil
		}
	}
	if c.Engine == nil {
		c.Engine = work.Local(c.Logger)
	}
	return &Agent{
		store: c.Store, accounts: c.Accounts, drafts: c.Drafts, model: c.Model.OrDefaults(), system: c.System,
		engine: c.Engine, logger: c.Logger, tracer: c.Tracer, clock: c.Clock, timeout: c.Timeout,
		atOnce: c.AtOnce, maxRuns: c.MaxRuns.orDefaults(), quota: c.Quota, fingerprint: c.Fingerprint,
		measures: c.Measures, notes: c.Notes, tape: c.Tape, resultURL: c.ResultURL, draftURL: c.DraftURL,
		stopping: make(chan struct{}), leaving: make(chan struct{}), working: map[*turn]context.CancelCauseFunc{},
	}
}

// kind returns the connector of a connection. If this server no longer has it, the connection counts as one to an
// account, and opening it reports the error.
func (a *Agent) kind(c stockhand.Connection) connector.Kind {
	k, err := a.accounts.Kind(c.Connector)
	if err != nil {
		return connector.Kind{Name: c.Connector}
	}
	return k
}

// Wait returns when this process works on no run and none is waiting in its own queue.
func (a *Agent) Wait() { a.engine.Wait() }
