// Package work is the work engine: it delivers runs to workers, on this replica or another, and passes the events of a
// run on to its listeners.
//
// It promises little, on purpose. A published run is delivered to one worker at a time. As long as that worker is
// alive, no other worker gets the run; when it dies, another gets the run within seconds. Listeners on every replica
// receive the events of a run in order, or learn that they missed some.
//
// Nothing here is durable. The queue is in memory, in a NATS JetStream server inside this process or in a cluster that
// the replicas share, and all of it may be lost at any time. The database is the source of truth: a run's row says
// whether it is unfinished, its generation is the fencing token that lets only one worker write, and a sweeper
// publishes again what is still queued or whose worker is silent. A delivery is therefore only a hint: the worker
// checks the database before it starts.
package work

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/secret"
)

// AckWait is how long a worker may be silent before its run is delivered to another.
const AckWait = 5 * time.Second

// Config configures the connection to NATS.
type Config struct {
	URL string // nats:// URL, or several separated by commas; empty starts a server inside this process
	// Name is the prefix of the stream and the subjects; empty means "stockhand". Installations that share a NATS
	// account need different names.
	Name       string
	MaxStarted MaxStarted
	Logger     *slog.Logger // nil discards; the URL, which may hold a password, is never logged
	// Ring seals what replicas tell each other, so that another client of the NATS server can neither read nor forge
	// it. A server of its own needs none.
	Ring *secret.Ring
}

// Engine delivers runs to workers and events to listeners. Use [Open] or [Local].
type Engine struct {
	logger *slog.Logger
	pool   *pool     // where runs wait for a worker of this process
	local  *queue    // in this process: the only queue of a local engine, otherwise the fallback when NATS is down
	nats   *natsConn // nil for a local engine
	hub    hub
	missed chan struct{}
	counts chan map[string]int // of other replicas

	mu       sync.Mutex
	idle     *sync.Cond
	workers  int                                   // running calls of Work
	stopped  bool                                  // Work has been called and every call has returned
	inFlight map[*Delivery]context.CancelCauseFunc // deliveries being worked on
}

// Local returns an engine without NATS that serves this process only. The command line uses it: it asks one question
// and exits.
func Local(logger *slog.Logger) *Engine {
	if logger == nil {
		logger = slog.New(slog.DiscardHandler)
	}
	e := &Engine{logger: logger, missed: make(chan struct{}, 1), counts: make(chan map[string]int, 64),
		inFlight: map[*Delivery]context.CancelCauseFunc{}}
	e.idle = sync.NewCond(&e.mu)
	e.pool = newPool()
	e.local = &queue{pool: e.pool, known: map[stockhand.RunID]*time.Timer{}}
	return e
}

// Open connects to the configured NATS server, or starts one inside this process. A server that cannot be reached is an
// error. If the connection is lost later, the engine reconnects; until then this process runs what it publishes itself.
func Open(ctx context.Context, c Config) (*Engine, error) {
	e := Local(c.Logger)
	if c.MaxStarted != (MaxStarted{}) {
		e.pool.most = c.MaxStarted
	}
	conn, err := dial(ctx, c, e)
	if err != nil {
		return nil, err
	}
	e.nats = conn
	return e, nil
}

// Close stops the engine. Stop the workers first (see [Engine.Work]). Queued runs are dropped here; they are still in
// the database.
func (e *Engine) Close() {
	e.local.close()
	if e.nats != nil {
		e.nats.close()
	}
}

// Ready reports whether the queue can be reached.
func (e *Engine) Ready() bool { return e.nats == nil || e.nats.nc.IsConnected() }

// Publish queues a run for a worker. A run that is already queued or being worked on is not queued again. If NATS does
// not accept it, this process works on the run itself.
func (e *Engine) Publish(ctx context.Context, r stockhand.Run) {
	if e.nats != nil {
		err := e.nats.publish(ctx, r)
		if err == nil {
			return
		}
		e.logger.Warn("NATS did not accept a run; this process works on it", "run", r.ID, "err", err)
	}
	e.local.push(shareOf(r), r.ID)
}

// Missed receives a value when events may have been lost: the connection was interrupted, or events came too fast.
// Followers should read the log from the database.
func (e *Engine) Missed() <-chan struct{} { return e.missed }

func (e *Engine) miss() {
	select {
	case e.missed <- struct{}{}:
	default:
	}
}

// ErrCancelled is the cancellation cause of a worker's context when its run was cancelled.
var ErrCancelled = errors.New("cancelled by a person")

// Cancel stops the worker of a run, on any replica.
func (e *Engine) Cancel(id stockhand.RunID) {
	e.cancelHere(id)
	if e.shared() {
		e.nats.broadcast(e.nats.cancels, []byte(id))
	}
}

// shared reports whether there may be other replicas.
func (e *Engine) shared() bool { return e.nats != nil && e.nats.server == nil }

func (e *Engine) cancelHere(id stockhand.RunID) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for d, cancel := range e.inFlight {
		if d.Run == id {
			cancel(ErrCancelled)
		}
	}
}

// Stopped blocks until every call of [Engine.Work] has returned.
func (e *Engine) Stopped() {
	e.mu.Lock()
	defer e.mu.Unlock()
	for e.workers > 0 {
		e.idle.Wait()
	}
}

// Wait blocks until this process works on no run and no run in the local queue waits for a worker of this process. It
// waits for the first worker to start, but not for one that starts after all have stopped.
func (e *Engine) Wait() {
	e.mu.Lock()
	defer e.mu.Unlock()
	for len(e.inFlight) > 0 || !e.stopped && e.local.busy() {
		e.idle.Wait()
	}
}
