// Package calls calls read tools for pages, and shows for a short time what they answered to everybody who asks the
// same: the answers are those of the connection's employee in any case.
package calls

import (
	"context"
	"iter"
	"sync"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/console/text"
)

// Agent calls tools; package agent documents the methods.
type Agent interface {
	Execute(ctx context.Context, org stockhand.OrgID, x agent.Execution) (agent.Turn, error)
	Follow(ctx context.Context, org stockhand.OrgID, id stockhand.RunID, after int64) iter.Seq2[stockhand.Event, error]
	Finished(ctx context.Context, org stockhand.OrgID, id stockhand.RunID) (*agent.Finished, error)
}

// Age is how long an answer is shown; patience is how long one is waited for.
const (
	Age      = 10 * time.Minute
	patience = time.Minute
)

// most bounds the answers that are kept.
const most = 5000

// Reader calls tools.
type Reader struct {
	agent   Agent
	written func(ctx context.Context, org stockhand.OrgID) (time.Time, error)
	clock   func() time.Time

	mu  sync.Mutex
	all map[key]answered
}

type key struct {
	connection stockhand.ConnectionID
	tool       string
	arguments  string
	language   stockhand.Language
}

type answered struct {
	run stockhand.RunID
	at  time.Time // when reading it began
}

// NewReader returns a reader that has read nothing. written returns when the organization last wrote a document: what
// was read before is not shown any more.
func NewReader(a Agent, written func(ctx context.Context, org stockhand.OrgID) (time.Time, error),
	clock func() time.Time) *Reader {
	return &Reader{agent: a, written: written, clock: clock, all: map[key]answered{}}
}

func keyOf(ctx context.Context, id stockhand.ConnectionID, c connector.Call) key {
	return key{id, c.Tool, string(c.Arguments), text.Language(ctx)}
}

// Kept returns what a call has answered a short time ago; nil if there is nothing. The caller has checked that the
// person may use the connection.
func (r *Reader) Kept(ctx context.Context, org stockhand.OrgID, id stockhand.ConnectionID,
	c connector.Call) *agent.Finished {
	r.mu.Lock()
	a, ok := r.all[keyOf(ctx, id, c)]
	r.mu.Unlock()
	if !ok || r.clock().Sub(a.at) >= Age {
		return nil
	}
	if written, err := r.written(ctx, org); err != nil || !written.Before(a.at) {
		return nil
	}
	f, err := r.agent.Finished(ctx, org, a.run)
	if err != nil || len(f.Results) == 0 || f.Results[0].Expired { // it was deleted since
		return nil
	}
	return f
}

// Read calls a tool and waits for its result.
func (r *Reader) Read(ctx context.Context, org stockhand.OrgID, id stockhand.ConnectionID, c connector.Call) (
	*agent.Finished, error) {
	began := r.clock()
	turn, err := r.agent.Execute(ctx, org, agent.Execution{Tool: c.Tool, Arguments: c.Arguments, Connection: id,
		Language: text.Language(ctx), Actor: stockhand.ActorOf(ctx)})
	if err != nil {
		return nil, err
	}
	waiting, stop := context.WithTimeout(ctx, patience)
	defer stop()
	for _, err := range r.agent.Follow(waiting, org, turn.Run, 0) {
		if err != nil {
			break // the run says the rest
		}
	}
	f, err := r.agent.Finished(ctx, org, turn.Run)
	if err != nil {
		return nil, err
	}
	if f.Failure != nil {
		return f, &stockhand.Error{Code: f.Failure.Code, Message: f.Failure.Message, Hint: f.Failure.Hint}
	}
	if len(f.Results) > 0 {
		r.keep(keyOf(ctx, id, c), turn.Run, began)
	}
	return f, nil
}

func (r *Reader) keep(k key, run stockhand.RunID, now time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for old, a := range r.all {
		if len(r.all) >= most || now.Sub(a.at) >= Age {
			delete(r.all, old)
		}
	}
	r.all[k] = answered{run, now}
}
