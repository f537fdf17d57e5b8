// Package agent answers tasks: it stores a turn of a conversation, works on it as a run, and keeps a log that anyone
// may follow while it grows or read afterwards.
//
// Each run goes through the same steps: choose the account, read the task, look names up in the account, call a tool,
// answer with its figures. Each tool call is stored before it is made and finished together with its
// result, so a run that is taken up again after a crash repeats no finished call.
//
// With a [Model] a run is a loop of steps instead: the model decides what to look at and how to say it, and code
// decides everything else (decision 13). Each of its steps is stored as calls are, and its figures are looked up in
// what was read.
//
// The process that starts a run need not be the one that works on it. It is stored, delivered to a worker by the engine
// (internal/work), and claimed under a generation that fences off earlier workers. A worker shows that it is alive; one
// that does not loses its run to another. Turns of one session wait for each other.
//
// The surprising decision: the agent holds no way to write to the external system, none to confirm a draft, and none to
// reach a second account within a run. It is given accounts opened for reading only, and a task that wants several at
// once is refused (rule R4).
package agent

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/work"
)

// Accounts opens connections. It returns the same account for the same connection, so that what an account remembers
// of its names serves the next run.
type Accounts interface {
	Open(ctx context.Context, c stockhand.Connection) (connector.Account, error)

	// Kind finds a connector by its name.
	Kind(name string) (connector.Kind, error)
}

// Config is what an agent is made of.
type Config struct {
	Store    Store
	Accounts Accounts
	Drafts   Drafts
	Model    Model            // the zero value answers without one
	System   System           // nil looks after nothing but what is published to this agent: the command line's way
	Engine   *work.Engine     // nil means one of this process alone
	Logger   *slog.Logger     // nil means none
	Clock    func() time.Time // nil means the real one
	// runs worked on at the same time; 0 means 16. The limiter decides who waits within an account
	AtOnce  int
	Timeout time.Duration // the longest a run may take; 0 means an hour
	Tracer  trace.Tracer  // nil means no spans
}

// Agent works on runs. Use [New], and let [Agent.Run] work.
type Agent struct {
	store    Store
	accounts Accounts
	drafts   Drafts
	model    Model
	system   System
	engine   *work.Engine
	logger   *slog.Logger
	clock    func() time.Time
	atOnce   int
	timeout  time.Duration
	tracer   trace.Tracer

	stopping chan struct{} // closed when no more runs are to be taken
	leaving  chan struct{} // closed when followers are to go elsewhere

	mu            sync.Mutex
	working       map[*turn]context.CancelCauseFunc // runs worked on here
	handingOver   bool                              // what is still worked on, and what comes
	drained, left sync.Once
}

// New makes an agent.
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
	if c.Engine == nil {
		c.Engine = work.Local(c.Logger)
	}
	return &Agent{
		store: c.Store, accounts: c.Accounts, drafts: c.Drafts, model: c.Model.orDefaults(), system: c.System,
		engine: c.Engine, logger: c.Logger,
		clock: c.Clock, atOnce: c.AtOnce, timeout: c.Timeout, tracer: c.Tracer,
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

// Wait returns when no run is being worked on here, and none of this process's own waits for it.
func (a *Agent) Wait() { a.engine.Wait() }
