package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime/debug"
	"slices"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent/blocks"
	"github.com/stockhand/stockhand/internal/agent/failure"
	"github.com/stockhand/stockhand/internal/agent/loop"
	"github.com/stockhand/stockhand/internal/agent/render"
	"github.com/stockhand/stockhand/internal/agent/results"
	"github.com/stockhand/stockhand/internal/agent/toolbox"
	"github.com/stockhand/stockhand/internal/limit"
	"github.com/stockhand/stockhand/internal/tool"
)

// Every tool call of a run, requested by the reader or the model, goes through Begin and Perform. A call is stored
// before it starts and completed together with its result. A worker that continues a run restores finished calls from
// the database and makes unfinished ones again. This is safe, because reads change nothing and a run has one draft
// however often it is proposed.
//
// A call has no worker from its start to its end (decision 26): it waits for the account's limits, for answers and for
// other calls that read the same list. A call that waited for a worker while others waited for its list could block
// them all.

// eventArguments is the size in bytes up to which a call's arguments are also in the log: they are stored once, with
// the call.
const eventArguments = 4 << 10

// Begin stores that a call starts.
func (t *turn) Begin(record context.Context, c *loop.Call) error {
	if c.Done {
		return nil
	}
	if err := t.auditExternal(record, c); err != nil {
		return err
	}
	c.Started = t.clock().UTC()
	shown := c.Arguments
	if len(shown) > eventArguments {
		shown = json.RawMessage("{}")
	}
	events, err := t.store.BeginToolCall(record, t.org, t.run.Generation, c.ToolCall,
		entry(stockhand.EventToolStarted, toolStartedData{Tool: c.Tool, Label: c.Fn.Title.In(t.language),
			Arguments: shown, Iteration: max(1, int(c.Step))}))
	t.engine.Notify(events...)
	return err
}

// Perform makes a started call and stores its outcome, or restores a finished one. An error ends the run: the database
// failed, or the run was cancelled or timed out, which leaves the call unfinished. It also recovers a panic of the
// tool, because calls run in their own goroutines.
func (t *turn) Perform(ctx, record context.Context, c *loop.Call) (out loop.Outcome, err error) {
	defer func() {
		if p := recover(); p != nil {
			t.logger.Error("panic in a tool", "run", t.run.ID, "tool", c.Tool, "panic", p, "stack",
				string(debug.Stack()))
			err = stockhand.Errorf(stockhand.CodeInternal, "panic: %v", p)
		}
	}()
	if c.Done {
		return t.restore(record, c.ToolCall)
	}
	var sent limit.Counter
	defer func() { t.sent.Add(int64(sent.Requests())) }()
	called := limit.WithCounter(ctx, &sent)
	var end callEnd
	if c.Fn.Proposes() {
		end, err = t.propose(called, record, c)
	} else {
		end, err = t.read(called, c)
	}
	if err != nil {
		return out, err
	}
	if end.Failure != nil && (context.Cause(ctx) != nil || unavailable(end.Failure)) {
		return out, end.Failure
	}
	c.Requests = sent.Requests()
	return end.Outcome, t.finishCall(record, c, end)
}

// callEnd is what is stored when a call ends.
type callEnd struct {
	loop.Outcome
	message string // for the log
	stored  *stockhand.StoredResult
	events  []stockhand.Event
}

func (t *turn) read(ctx context.Context, c *loop.Call) (end callEnd, err error) {
	if c.Again != nil {
		result, err := c.Again.Whole()
		if err != nil {
			return end, err
		}
		return t.returned(c, usedAgain(result, t.language))
	}
	ctx, done := span(ctx, "tool "+c.Tool)
	resume := t.delivery.Wait(ctx)
	result, failed := c.Fn.Call(ctx, t.env(c.Over), c.Arguments)
	resume()
	done(failed)
	if failed != nil {
		end.Failure = failed
		return end, nil
	}
	return t.returned(c, result)
}

// usedAgain returns a result that was read minutes ago as one that costs no request, and says when it was read (rule
// R441).
func usedAgain(read *tool.Result, l stockhand.Language) *tool.Result {
	r := *read
	p := &r.Provenance
	p.Requests, p.Needed = 0, 0
	r.Notices = slices.DeleteFunc(slices.Clone(r.Notices),
		func(n tool.Notice) bool { return n.Code == tool.NoticeReused })
	r.Notices = append(r.Notices, tool.Notice{Code: tool.NoticeReused, Message: fmt.Sprintf(l.Pick(
		"Данные на %s: прочитаны несколько минут назад. Чтобы прочитать заново, попросите обновить.",
		"The data is of %s: it was read minutes ago. Ask to refresh it if it must be read again."),
		p.Read.In(p.Zone.Location()).Format("15:04"))})
	return &r
}

// returned is the end of a call that returned a result.
func (t *turn) returned(c *loop.Call, result *tool.Result) (end callEnd, err error) {
	stored, err := result.Stored()
	if err != nil {
		return end, fmt.Errorf("encode the result of %s: %w", c.Tool, err)
	}
	end.message = result.Title
	stored.ID, stored.Created = stockhand.NewID[stockhand.ResultID]("res"), t.clock().UTC()
	end.stored = &stored
	end.Result = &results.Stored{Table: result.InPages(), ID: end.stored.ID}
	return end, nil
}

// propose stores the result of a propose tool as the run's draft before completing the call. Nothing is sent, and
// nothing in a run can confirm a draft.
func (t *turn) propose(ctx, record context.Context, c *loop.Call) (end callEnd, err error) {
	ctx, done := span(ctx, "tool "+c.Tool)
	resume := t.delivery.Wait(ctx)
	p, failed := c.Fn.Propose(ctx, t.env(c.Over), c.Arguments)
	resume()
	done(failed)
	if failed != nil {
		end.Failure = failed
		return end, nil
	}
	of := stockhand.Draft{Org: t.org, Session: t.session.ID, Run: t.run.ID, Connection: c.Over, Language: t.language}
	if p.Revision != nil && (len(p.Documents) > 0 || c.Tool == toolbox.EditDraftName) {
		return t.revise(record, c, of, p)
	}
	if len(p.Documents) == 0 {
		end.Missing = p.Missing
		if end.Text, end.message = p.Answer, p.Answer; p.Revision != nil {
			p.Notices = append(p.Notices, tool.Notice{Code: tool.NoticeOpenDraft, Message: t.language.Pick(
				"Прежний черновик не изменён и ждёт решения.", "The draft before is unchanged and still waits.")})
		}
		return end, t.Notice(record, p.Notices...)
	}
	d, failed := t.drafts.Create(record, of, p)
	if failed != nil {
		end.Failure = failed
		return end, nil
	}
	shown, err := t.ReadDraft(d)
	end.Draft, end.message, end.events = &shown, p.Title, []stockhand.Event{DraftShown(shown)}
	return end, err
}

// finishCall stores the outcome of a call.
func (t *turn) finishCall(record context.Context, c *loop.Call, end callEnd) error {
	c.Done, c.Finished = true, t.clock().UTC()
	data := toolCompletedData{Tool: c.Tool, Success: end.Failure == nil, Message: end.message,
		DurationMS: c.Finished.Sub(c.Started).Milliseconds()}
	if end.Failure != nil {
		c.Error = failure.ForPeople(end.Failure, t.language).Message
		data.Message = c.Error
	}
	if end.stored != nil {
		data.ResultID = end.stored.ID
	}
	events, err := t.store.FinishToolCall(record, t.org, t.run.Generation, c.ToolCall, end.stored,
		append([]stockhand.Event{entry(stockhand.EventToolCompleted, data)}, end.events...)...)
	t.engine.Notify(events...)
	return err
}

// restore returns the outcome of a finished call from the database.
func (t *turn) restore(record context.Context, c stockhand.ToolCall) (out loop.Outcome, err error) {
	switch {
	case c.Error != "":
		out.Failure = stockhand.Errorf(stockhand.CodeExternalUnavailable, "%s", c.Error)
		return out, nil
	case c.Result != "":
		out.Result, err = results.Read(record, t.store, t.org, c.Result)
		return out, err
	}
	return t.restoreProposal(record, c)
}

// restoreProposal finds in the log what a finished proposal came to: its sentence, and the draft if it made one, in the
// entry after it. A run proposes one thing at a time, so its proposals are in the log in the order of its calls.
func (t *turn) restoreProposal(record context.Context, c stockhand.ToolCall) (out loop.Outcome, err error) {
	calls, err := t.store.ToolCalls(record, t.org, t.run.ID)
	if err != nil {
		return out, err
	}
	before := 0
	for _, other := range calls {
		if other.Seq < c.Seq && other.Done && other.Error == "" && other.Result == "" {
			before++
		}
	}
	events, err := t.log(record, t.org, t.run.ID)
	if err != nil {
		return out, err
	}
	for i, e := range events {
		var ended toolCompletedData
		if e.Type != stockhand.EventToolCompleted {
			continue
		}
		if err := json.Unmarshal(e.Data, &ended); err != nil {
			return out, err
		}
		if !ended.Success || ended.ResultID != "" {
			continue
		}
		if before > 0 {
			before--
			continue
		}
		made := i + 1
		for made < len(events) && events[made].Type == stockhand.EventDraftCreated {
			made++
		}
		drafts, err := t.draftsIn(record, t.org, events[i+1:made])
		if err != nil || len(drafts) == 0 {
			return loop.Outcome{Text: ended.Message}, err
		}
		out.Draft = &drafts[0]
		if len(drafts) > 1 {
			out.Split = &drafts[1]
		}
		return out, nil
	}
	return out, nil
}

// env returns the environment of the turn's tool calls over a connection.
func (t *turn) env(over stockhand.ConnectionID) tool.Env {
	stored := func(ctx context.Context, id stockhand.ResultID) (tool.Table, error) {
		c, err := t.store.Connection(ctx, t.org, over)
		if err != nil {
			return tool.Table{}, err
		}
		reader := results.Reader{Org: t.org, Run: t.run, Account: c.Account, Employee: c.Employee, Login: c.Login}
		return reader.Of(ctx, t.store, id)
	}
	progress := func(done, planned int, label string) {
		t.engine.Notify(stockhand.Event{Run: t.run.ID, Type: stockhand.EventToolProgress,
			Data: encode(progressData{Done: done, Total: planned, Label: label}), At: t.clock()})
	}
	return tool.Env{Language: t.language, Now: t.now(), Zone: t.zone, Progress: progress, Memo: t.memo,
		Result: stored}
}

// answer returns the reply of a run that consists of one call.
func (t *turn) answer(record context.Context, out loop.Outcome) (reply, error) {
	r := newReply()
	notices, err := t.Notices(record)
	switch {
	case out.Failure != nil:
		return r, out.Failure
	case err != nil:
		return r, err
	case out.Result != nil:
		r.results = append(r.results, out.Result.ID)
		if r.text, err = render.Result(out.Result.Table, t.language, notices...); err != nil {
			return r, err
		}
		r.blocks, err = blocks.OfResult(out.Result.ID, out.Result.Table,
			string(render.Sentence(out.Result.Table, notices...)), t.language)
		return r, err
	case out.Draft != nil:
		r.drafts = append(r.drafts, out.Draft.ID)
		r.text = render.Draft(*out.Draft, t.language, notices...)
		r.blocks = append(blocks.Of(string(render.Plain(out.Draft.Answer))), blocks.OfDraft(*out.Draft))
	default:
		r.text = render.WithNotices(render.Plain(out.Text), notices)
	}
	return r, nil
}
