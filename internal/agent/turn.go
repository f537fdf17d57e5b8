package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime/debug"
	"slices"
	"sync/atomic"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent/blocks"
	"github.com/stockhand/stockhand/internal/agent/failure"
	"github.com/stockhand/stockhand/internal/agent/redact"
	"github.com/stockhand/stockhand/internal/agent/render"
	"github.com/stockhand/stockhand/internal/language"
	"github.com/stockhand/stockhand/internal/limit"
	"github.com/stockhand/stockhand/internal/llm"
	"github.com/stockhand/stockhand/internal/tool"
	"github.com/stockhand/stockhand/internal/work"
)

// turn is a run in progress.
type turn struct {
	*Agent
	delivery *work.Delivery // frees its worker while the turn waits
	org      stockhand.OrgID
	run      stockhand.Run
	start    startData
	message  stockhand.Message
	session  stockhand.Session
	agent    stockhand.AgentProfile // the profile of the turn
	offers   bool                   // the profile names the MCP servers whose tools a model may call
	requests limit.Counter          // requests of this worker to understand the task
	sent     atomic.Int64           // requests of this worker's tool calls
	earlier  int                    // requests of calls that earlier workers finished
	used     llm.Usage              // tokens of models
	cost     int64                  // of models, in millionths
	numbered []stockhand.ResultID   // the results of earlier turns, which compute knows as r1, r2, …; set for a model
	language stockhand.Language     // of the answer: the requested one, or the task's
	zone     tool.Zone              // of the account
	memo     *tool.Memo             // what its calls have read
	at       time.Time              // what a recorded or replayed turn takes for now; otherwise zero
	taped    func(context.Context)  // ends a recording; nil for none
}

// now returns the current time in the account's time zone.
func (t *turn) now() time.Time {
	at := t.at
	if at.IsZero() {
		at = t.clock()
	}
	return at.In(t.zone.Location())
}

// reply is a successful end of a run.
type reply struct {
	text    render.Markdown
	blocks  []blocks.Block // nil if the text is all
	results []stockhand.ResultID
	drafts  []stockhand.DraftID
}

// inBlocks returns the blocks of the reply.
func (r reply) inBlocks() []blocks.Block {
	if r.blocks == nil {
		return blocks.Of(string(r.text))
	}
	return r.blocks
}

func newReply() reply { return reply{results: []stockhand.ResultID{}, drafts: []stockhand.DraftID{}} }

// do works on the turn. A panic ends the run, not the process.
func (t *turn) do(ctx, record context.Context) (out reply, err error) {
	defer func() {
		if p := recover(); p != nil {
			t.logger.Error("panic in a run", "run", t.run.ID, "panic", p, "stack", string(debug.Stack()))
			err = stockhand.Errorf(stockhand.CodeInternal, "panic: %v", p)
		}
	}()
	if err := t.load(record); err != nil {
		return newReply(), err
	}
	ctx, t.at, t.taped = t.tape(ctx, Taped{Run: t.run, Direct: t.start.Call, Profile: t.agent,
		Offers: t.offers, Task: Task{Text: t.message.Text, Connection: t.start.Connection, Language: t.start.Language,
			History: t.start.History}})
	ctx, run := t.traced(ctx)
	defer run.End()
	if err := t.Notice(record, redact.Notice(t.message.Text, t.language)...); err != nil {
		return newReply(), err
	}
	calls, err := t.store.ToolCalls(record, t.org, t.run.ID)
	if err != nil {
		return newReply(), err
	}
	for _, c := range calls {
		if c.Done {
			t.earlier += c.Requests
		}
	}
	if out, done, err := t.answerWithModel(ctx, record, calls); done || err != nil {
		return out, err
	}
	return t.answerWithReader(ctx, record, calls)
}

// load reads the run's session, message and first log entry.
func (t *turn) load(ctx context.Context) (err error) {
	if t.session, err = t.store.Session(ctx, t.org, t.run.Session); err != nil {
		return err
	}
	if t.message, err = t.store.Message(ctx, t.org, t.run.Message); err != nil {
		return err
	}
	events, err := t.store.Events(ctx, t.org, t.run.ID, 0, 1)
	if err != nil {
		return err
	}
	if len(events) == 0 || events[0].Type != stockhand.EventStart {
		return fmt.Errorf("the log of %s has no first entry", t.run.ID)
	}
	if err := json.Unmarshal(events[0].Data, &t.start); err != nil {
		return err
	}
	if t.language = t.start.Language; t.language == "" {
		t.language = language.Read(t.message.Text, language.Input{Now: t.now()}).Language
	}
	t.agent, t.offers, err = t.profile(ctx)
	return err
}

// append appends an entry to the run's log and delivers it to followers.
func (t *turn) append(ctx context.Context, kind stockhand.EventType, data any) error {
	events, err := t.store.AppendEvents(ctx, t.org, t.run.ID, t.run.Generation, entry(kind, data))
	if err != nil {
		return fmt.Errorf("append %s: %w", kind, err)
	}
	t.engine.Notify(events...)
	return nil
}

// Notices returns the notices in the run's log.
func (t *turn) Notices(ctx context.Context) ([]tool.Notice, error) {
	events, err := t.log(ctx, t.org, t.run.ID)
	if err != nil {
		return nil, err
	}
	var all []tool.Notice
	for _, e := range events {
		if e.Type == stockhand.EventNotice {
			var n tool.Notice
			if err := json.Unmarshal(e.Data, &n); err != nil {
				return nil, err
			}
			all = append(all, n)
		}
	}
	return all, nil
}

// Notice appends notices to the log unless they are already there, as in a run that continues after a crash.
func (t *turn) Notice(record context.Context, all ...tool.Notice) error {
	if len(all) == 0 {
		return nil
	}
	logged, err := t.Notices(record)
	if err != nil {
		return err
	}
	for _, n := range all {
		if slices.Contains(logged, n) {
			continue
		}
		if err := t.append(record, stockhand.EventNotice, n); err != nil {
			return err
		}
		logged = append(logged, n)
	}
	return nil
}

// spent returns what the run has used so far.
func (t *turn) spent() stockhand.Used {
	return stockhand.Used{Requests: t.earlier + t.requests.Requests() + int(t.sent.Load()),
		InputTokens: t.used.Input, OutputTokens: t.used.Output, CachedTokens: t.used.Cached, Cost: t.cost}
}

// complete ends the run successfully.
func (t *turn) complete(ctx context.Context, r reply) error {
	used := t.spent()
	return t.finish(ctx, stockhand.RunDone, entry(stockhand.EventComplete, completeData{
		FinalResponse: string(r.text), Blocks: r.inBlocks(), ResultIDs: r.results, DraftIDs: r.drafts,
		InputTokens: used.InputTokens, OutputTokens: used.OutputTokens, ExternalRequests: used.Requests,
		CachedTokens: used.CachedTokens, Cost: llm.NewCharge(used.Cost, t.model.Currency),
	}), string(r.text))
}

// fail ends the run with an error for the user. Internal details only go to the log.
func (t *turn) fail(ctx context.Context, err error) error {
	e := failure.ForPeople(err, t.language)
	if e.Code == stockhand.CodeInternal {
		t.logger.Error("run failed", "run", t.run.ID, "err", err)
	} else {
		t.logger.Info("run failed", "run", t.run.ID, "code", e.Code, "err", err)
	}
	return t.finish(ctx, stockhand.RunFailed, entry(stockhand.EventError,
		errorData{Code: e.Code, Message: e.Message, Hint: e.Hint}), "")
}

// finish stores the last log entry, the agent's message and the final state together.
func (t *turn) finish(ctx context.Context, to stockhand.RunState, last stockhand.Event, text string) error {
	end := stockhand.RunEnd{Run: t.run.ID, Generation: t.run.Generation, State: to, Used: t.spent(),
		Events: []stockhand.Event{last}}
	if text != "" {
		end.Answer = &stockhand.Message{Text: text, Created: t.clock().UTC()}
	}
	events, err := t.store.FinishRun(ctx, t.org, end)
	if err != nil {
		return fmt.Errorf("finish: %w", err)
	}
	t.engine.Notify(events...)
	return nil
}
