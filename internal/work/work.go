// Package work is the work engine: it delivers runs to workers, on this replica or another, and passes the events of a
// run on to its listeners.
//
// It promises little, on purpose. A published run is delivered to one worker at a time; while the worker keeps at it
// no other gets it, and when the worker dies another gets it within seconds. The events of a run reach its listeners on
// every replica, in their order, or the listeners learn that they have missed some.
//
// The surprising decision: nothing here is kept. The queue is in memory, in a NATS JetStream server inside this process
// or in a cluster that several replicas share, and all of it may be lost at any moment. The database is the record: a
// run's row says whether it is unfinished, its generation is the fence that lets one of several workers write, and a
// sweeper publishes again what is queued or whose worker is silent. So a delivery is a hint, and the worker asks the
// record.
package work

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/stockhand/stockhand"
)

// AckWait is how long a worker may be silent before its run is offered to another.
const AckWait = 5 * time.Second

// Config says where the queue is.
type Config struct {
	URL string // nats:// URL, or several separated by commas; empty is a server inside this process
	// of the stream and the subjects; empty is "stockhand". Installations that share a NATS account differ in it
	Name   string
	Logger *slog.Logger // nil means none; it is never given the URL
}

// Engine offers runs and passes on what happens to them. Use [Open] or [Local].
type Engine struct {
	logger *slog.Logger
	own    queue     // of this process: all there is of a local engine, and where runs wait that NATS did not take
	nats   *natsConn // to NATS; nil for a local engine
	hub    hub
	missed chan struct{}

	mu       sync.Mutex
	idle     *sync.Cond
	workers  int                                   // calls of Work that take offers
	inFlight map[*Delivery]context.CancelCauseFunc // offers being worked on
}

// Local returns an engine of this process alone: no server, no other replicas. The command line asks one question and
// ends.
func Local(logger *slog.Logger) *Engine {
	if logger == nil {
		logger = slog.New(slog.DiscardHandler)
	}
	e := &Engine{logger: logger, missed: make(chan struct{}, 1), inFlight: map[*Delivery]context.CancelCauseFunc{}}
	e.idle = sync.NewCond(&e.mu)
	e.own.init()
	return e
}

// Open connects to the NATS server of the configuration, or starts one inside this process. An unreachable server is an
// error; one that goes away later is waited for, and meanwhile this process works on what it publishes itself.
func Open(ctx context.Context, c Config) (*Engine, error) {
	e := Local(c.Logger)
	line, err := dial(ctx, c, e)
	if err != nil {
		return nil, err
	}
	e.nats = line
	return e, nil
}

// Close ends the engine. Workers should have stopped before (see [Engine.Work]); what waits is forgotten here and
// remains in the record.
func (e *Engine) Close() {
	e.own.close()
	if e.nats != nil {
		e.nats.close()
	}
}

// Ready reports whether the queue can be reached.
func (e *Engine) Ready() bool { return e.nats == nil || e.nats.nc.IsConnected() }

// Publish has a run delivered to a worker. A run that is in the queue already, or being worked on, is not queued twice.
// Where NATS does not take it, this process works on it itself.
func (e *Engine) Publish(ctx context.Context, r stockhand.Run) {
	if e.nats != nil {
		err := e.nats.publish(ctx, r)
		if err == nil {
			return
		}
		e.logger.Warn("the queue did not take a run: it is worked on here", "run", r.ID, "err", err)
	}
	e.own.push(r.Org, r.ID)
}

// Missed receives when events may have been lost here: the connection was lost and is back, or too many came at once.
// Followers should look into the record.
func (e *Engine) Missed() <-chan struct{} { return e.missed }

func (e *Engine) miss() {
	select {
	case e.missed <- struct{}{}:
	default:
	}
}

// ErrCancelled is the cause that ends the context of an offer whose run was cancelled.
var ErrCancelled = errors.New("cancelled by a person")

// Cancel stops the worker on that run, on whichever replica it is.
func (e *Engine) Cancel(id stockhand.RunID) {
	e.cancelHere(id)
	if e.nats != nil {
		e.nats.broadcast(e.nats.cancels, []byte(id))
	}
}

func (e *Engine) cancelHere(id stockhand.RunID) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for o, cancel := range e.inFlight {
		if o.Run == id {
			cancel(ErrCancelled)
		}
	}
}

// Stopped returns when there are no workers here any more: every call of Work has returned.
func (e *Engine) Stopped() {
	e.mu.Lock()
	defer e.mu.Unlock()
	for e.workers > 0 {
		e.idle.Wait()
	}
}

// Wait returns when nothing is being worked on here and nothing waits in this process for a worker that is here.
func (e *Engine) Wait() {
	e.mu.Lock()
	defer e.mu.Unlock()
	for len(e.inFlight) > 0 || (e.workers > 0 && e.own.busy()) {
		e.idle.Wait()
	}
}
