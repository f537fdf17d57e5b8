package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/language"
	"github.com/stockhand/stockhand/internal/limit"
	"github.com/stockhand/stockhand/internal/llm"
	"github.com/stockhand/stockhand/internal/tool"
)

// turn is a run being worked on.
type turn struct {
	*Agent
	org       stockhand.OrgID
	run       stockhand.Run
	start     directData
	message   stockhand.Message
	session   stockhand.Session
	agent     stockhand.AgentProfile // whose rules the turn follows
	requests  limit.Counter          // sent by this worker
	earlier   int                    // requests of calls that were finished before this worker took the run
	used      llm.Usage              // tokens of models
	remembers bool                   // a model may ask about results of earlier turns
	language  stockhand.Language     // of the answer: the one asked for, or the task's own
}

// reply is how a run ends well.
type reply struct {
	text    string
	results []stockhand.ResultID
	drafts  []stockhand.DraftID
}

// do works on the turn. A panic in a tool ends the run, not the service.
func (t *turn) do(ctx, record context.Context) (out reply, err error) {
	defer func() {
		if p := recover(); p != nil {
			t.logger.Error("panic in a run", "run", t.run.ID, "panic", p, "stack", string(debug.Stack()))
			err = stockhand.Errorf(stockhand.CodeInternal, "panic: %v", p)
		}
	}()
	out.results, out.drafts = []stockhand.ResultID{}, []stockhand.DraftID{}
	if err := t.load(record); err != nil {
		return out, err
	}
	if out, done, err := t.converse(ctx, record); done || err != nil {
		return out, err
	}
	call, account, err := t.pending(ctx)
	if err != nil {
		return out, err
	}
	if call == nil && t.start.Tool == "" {
		d, err := t.understand(ctx)
		if err != nil {
			return out, err
		}
		for _, n := range d.notices {
			if err := t.append(record, stockhand.EventNotice, n); err != nil {
				return out, err
			}
		}
		switch {
		case d.question != nil:
			if err := t.append(record, stockhand.EventQuestion, d.question); err != nil {
				return out, err
			}
			out.text = questionText(*d.question)
			return out, nil
		case d.text != "":
			out.text = d.text
			return out, nil
		}
		call, account = &stockhand.ToolCall{Run: t.run.ID, Seq: 1, Tool: d.tool, Arguments: d.arguments}, d.account
	}
	fn, err := t.permitted(account, call.Tool)
	if err != nil {
		return out, err
	}
	if fn.Proposes() {
		return t.propose(ctx, record, fn, *call)
	}
	result, err := t.call(ctx, record, fn, *call)
	if err != nil {
		return out, err
	}
	out.results = append(out.results, result.id)
	notices, err := t.notices(record)
	if err != nil {
		return out, err
	}
	out.text = Compose(&result.Result, t.language, notices...)
	return out, nil
}

// load reads what the run is about.
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
		return fmt.Errorf("the log of %s has no beginning", t.run.ID)
	}
	if err := json.Unmarshal(events[0].Data, &t.start); err != nil {
		return err
	}
	if t.language = t.start.Language; t.language == "" {
		t.language = language.Read(t.message.Text, language.Input{Now: t.now()}).Language
	}
	t.agent, err = t.profile(ctx)
	return err
}

// pending returns the tool call that the run is, or that an earlier worker on it had stored, with the account it is
// for: the task is then not read (again).
func (t *turn) pending(ctx context.Context) (*stockhand.ToolCall, connector.Account, error) {
	calls, err := t.store.ToolCalls(ctx, t.org, t.run.ID)
	if err != nil {
		return nil, nil, err
	}
	call := t.direct()
	for i := range calls {
		call = &calls[i]
		if call.Done {
			t.earlier += call.Requests
		}
	}
	if call == nil {
		return nil, nil, nil
	}
	c, err := t.store.Connection(ctx, t.org, t.session.Connection)
	if err != nil {
		return nil, nil, err
	}
	account, err := t.accounts.Open(ctx, c)
	return call, account, err
}

// stored is a result with the id it is kept under.
type stored struct {
	tool.Result
	id stockhand.ResultID
}

// call calls a read tool, or takes the result of a call that was finished before a crash.
func (t *turn) call(ctx, record context.Context, fn tool.Tool, c stockhand.ToolCall) (stored, error) {
	if c.Done {
		if c.Error != "" {
			return stored{}, stockhand.Errorf(stockhand.CodeExternalUnavailable, "%s", c.Error)
		}
		kept, err := t.store.Result(record, t.org, c.Result)
		if err != nil {
			return stored{}, err
		}
		out := stored{id: kept.ID}
		return out, json.Unmarshal(kept.Body, &out.Result)
	}
	if err := t.begin(record, fn, &c); err != nil {
		return stored{}, err
	}
	result, failure := fn.Call(ctx, t.env(), c.Arguments)
	var kept *stockhand.StoredResult
	title := ""
	if failure == nil {
		body, err := json.Marshal(result)
		if err != nil {
			return stored{}, fmt.Errorf("write the result of %s: %w", c.Tool, err)
		}
		kept = &stockhand.StoredResult{ID: stockhand.NewID[stockhand.ResultID]("res"), Body: body,
			Created: t.clock().UTC()}
		title = result.Title
	}
	if err := t.end(ctx, record, &c, failure, title, kept); err != nil {
		return stored{}, err
	}
	return stored{Result: *result, id: kept.ID}, nil
}

// begin stores that a tool is about to be called.
func (t *turn) begin(record context.Context, fn tool.Tool, c *stockhand.ToolCall) error {
	c.Started, c.Requests = t.clock().UTC(), t.requests.Requests()
	events, err := t.store.BeginToolCall(record, t.org, t.run.Generation, *c,
		entry(stockhand.EventToolStarted,
			toolStartedData{Tool: c.Tool, Label: fn.Title.In(t.language), Arguments: c.Arguments,
				Iteration: int(c.Seq)}))
	t.tell(events...)
	return err
}

// env is what the turn's tools are called with.
func (t *turn) env() tool.Env {
	return tool.Env{Language: t.language, Now: t.now(), Progress: func(done, planned int, label string) {
		t.tell(stockhand.Event{Run: t.run.ID, Type: stockhand.EventToolProgress,
			Data: encode(progressData{Done: done, Total: planned, Label: label}), At: t.clock()})
	}}
}

// end stores how a call ended, with what it returned and what else there is to tell. It returns the call's failure.
func (t *turn) end(ctx, record context.Context, c *stockhand.ToolCall, failure error, title string,
	kept *stockhand.StoredResult, more ...stockhand.Event) error {
	if failure != nil && context.Cause(ctx) != nil {
		return failure // cancelled or out of time: the call is not finished
	}
	c.Done, c.Finished, c.Requests = true, t.clock().UTC(), t.requests.Requests()-c.Requests
	told := toolCompletedData{Tool: c.Tool, Success: failure == nil, Message: title,
		DurationMS: c.Finished.Sub(c.Started).Milliseconds()}
	if failure != nil {
		c.Error = forPeople(failure, t.language).Message
		told.Message = c.Error
	}
	if kept != nil {
		told.ResultID = kept.ID
	}
	events, err := t.store.FinishToolCall(record, t.org, t.run.Generation, *c, kept,
		append([]stockhand.Event{entry(stockhand.EventToolCompleted, told)}, more...)...)
	t.tell(events...)
	return errors.Join(failure, err)
}

func find(tools []tool.Tool, name string) (tool.Tool, error) {
	for _, fn := range tools {
		if fn.Name == name {
			return fn, nil
		}
	}
	return tool.Tool{}, noTool(name)
}

// tell passes events on to the run's followers: what was stored, and what is only passed on.
func (t *turn) tell(events ...stockhand.Event) { t.engine.Tell(events...) }

// append adds to the run's log and wakes its followers.
func (t *turn) append(ctx context.Context, kind stockhand.EventType, data any) error {
	events, err := t.store.AppendEvents(ctx, t.org, t.run.ID, t.run.Generation, entry(kind, data))
	if err != nil {
		return fmt.Errorf("append %s: %w", kind, err)
	}
	t.tell(events...)
	return nil
}

// notices returns the remarks already in the run's log.
func (t *turn) notices(ctx context.Context) ([]tool.Notice, error) {
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

// spent is what the run has used so far.
func (t *turn) spent() stockhand.Used {
	return stockhand.Used{Requests: t.earlier + t.requests.Requests(), InputTokens: t.used.Input,
		OutputTokens: t.used.Output}
}

// complete ends the run well.
func (t *turn) complete(ctx context.Context, r reply) error {
	used := t.spent()
	return t.finish(ctx, stockhand.RunDone, stockhand.EventComplete, completeData{
		FinalResponse: r.text, ResultIDs: r.results, DraftIDs: r.drafts,
		InputTokens: used.InputTokens, OutputTokens: used.OutputTokens, ExternalRequests: used.Requests,
	}, r.text)
}

// finish writes the log's last entry, the agent's message and the run's last state together.
func (t *turn) finish(ctx context.Context, to stockhand.RunState, kind stockhand.EventType, data any,
	text string) error {
	var m *stockhand.Message
	if text != "" {
		m = &stockhand.Message{Text: text, Created: t.clock().UTC()}
	}
	events, err := t.store.FinishRun(ctx, t.org, t.run.ID, t.run.Generation, to, t.spent(), m, entry(kind, data))
	if err != nil {
		return fmt.Errorf("finish: %w", err)
	}
	t.tell(events...)
	return nil
}

// fail ends the run with an error that a person can read. What is not meant for people goes to the log only.
func (t *turn) fail(ctx context.Context, err error) error {
	e := forPeople(err, t.language)
	if e.Code == stockhand.CodeInternal {
		t.logger.Error("run failed", "run", t.run.ID, "err", err)
	} else {
		t.logger.Info("run failed", "run", t.run.ID, "code", e.Code, "err", err)
	}
	return t.finish(ctx, stockhand.RunFailed, stockhand.EventError,
		errorData{Code: e.Code, Message: e.Message, Hint: e.Hint}, "")
}

// forPeople returns the error as it may be shown to who reads that language: its own words when it is ours, and none
// of its insides otherwise.
func forPeople(err error, l stockhand.Language) *stockhand.Error {
	if e, ok := errors.AsType[*stockhand.Error](err); ok && e.Code != stockhand.CodeInternal {
		words := e.In(l)
		return &stockhand.Error{Code: e.Code, Message: words.Message, Hint: words.Hint, Fields: e.Fields, Err: err}
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return &stockhand.Error{
			Code: stockhand.CodeExternalUnavailable,
			Message: l.Pick("работа заняла слишком много времени и остановлена",
				"the work took too long and was stopped"),
			Hint: l.Pick("спросите о меньшем: один склад, одна группа, период короче",
				"ask for less at once: one warehouse, one group, a shorter period"),
		}
	}
	return &stockhand.Error{
		Code:    stockhand.CodeInternal,
		Message: l.Pick("внутри Stockhand что-то сломалось", "something went wrong inside Stockhand"),
		Hint:    l.Pick("повторите; подробности — в журнале сервера", "try again; the server's log has the details"),
	}
}
