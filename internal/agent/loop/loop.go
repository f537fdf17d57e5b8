// Package loop answers a turn with a language model: it asks the model, makes the tool calls that the model requests,
// and returns the results to it, until the model answers.
//
// The model decides what to look at and how to say it. The loop decides what it may call, with which arguments, how
// often and on which account, and what part of its text the person sees. It has no way to write: a [Turn] makes calls
// of tools, and no tool writes (rule R10).
package loop

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent/blocks"
	"github.com/stockhand/stockhand/internal/agent/render"
	"github.com/stockhand/stockhand/internal/agent/results"
	"github.com/stockhand/stockhand/internal/agent/toolbox"
	"github.com/stockhand/stockhand/internal/grounding"
	"github.com/stockhand/stockhand/internal/llm"
	"github.com/stockhand/stockhand/internal/tool"
)

// Turn is the turn that a loop answers: it makes and stores calls, and keeps the log.
type Turn interface {
	// Begin stores that a call starts.
	Begin(record context.Context, c *Call) error
	// Perform makes a started call and stores its outcome, or restores a finished one. An error ends the run.
	Perform(ctx, record context.Context, c *Call) (Outcome, error)
	// Sent tells the person what a call has sent to another server, if it was one; failure is why it failed.
	Sent(record context.Context, c *Call, failure error) error
	// Notices returns the notices in the run's log, and Notice appends to them.
	Notices(record context.Context) ([]tool.Notice, error)
	Notice(record context.Context, all ...tool.Notice) error
	// Notify delivers an event to the run's followers without storing it.
	Notify(e stockhand.Event)
	// Wait frees the turn's worker until resume is called.
	Wait(ctx context.Context) (resume func())
	// Span starts a span of the run's trace; end ends it.
	Span(ctx context.Context, name string) (inner context.Context, end func(failure error))
}

// Store stores the model's replies, and reads results.
type Store interface {
	results.Store
	ToolCalls(ctx context.Context, org stockhand.OrgID, of stockhand.RunID) ([]stockhand.ToolCall, error)
	AddModelStep(ctx context.Context, org stockhand.OrgID, generation int64, s stockhand.ModelStep,
		events ...stockhand.Event) ([]stockhand.Event, error)
	WrittenSince(ctx context.Context, org stockhand.OrgID, account stockhand.AccountID, since time.Time) (bool, error)
}

// Call is a call to make, or one that an earlier worker started or finished.
type Call struct {
	stockhand.ToolCall
	Fn   tool.Tool
	Over stockhand.ConnectionID // the tool's connection
	// what the same call read minutes ago, to be used again; nil: the tool is called
	Again *results.Stored
}

// Outcome is the result of a call. Exactly one of Result, Draft, Text and Failure is set.
type Outcome struct {
	Result  *results.Stored
	Draft   *tool.Draft
	Split   *tool.Draft   // beside Draft: what was split off it
	Text    string        // the answer of a proposal without documents
	Missing *tool.Missing // what it would need; nil for nothing
	Failure error         // the tool's error, stored with the call
}

// Task is what a loop answers.
type Task struct {
	Text         string // the task
	Words        string // the person's message, from which the task was read
	Hint         string // how the reader understood the task
	Instructions string
	Past         []llm.Message // the last turns of the conversation
	Recall       string        // the turns before them, shortened
	Stated       []string      // by people, besides the message: what they laid down earlier, and notes
	Change       bool          // the person asks for a change, so tools that propose one may be called
	Requested    bool          // the task is a request for a draft
	Fresh        bool          // nothing that was read before this turn is used again
	Language     stockhand.Language
	Now          func() time.Time // in the account's time zone

	Run        stockhand.Run
	Connection stockhand.ConnectionID // to the account
	Reader     results.Reader         // of the results of the conversation
	Tools      []tool.Tool
	// by full name: the tools of other connections than the account's
	Externals map[string]stockhand.Connection
	// returns the account's open drafts that the turn may change; nil where none may be changed
	OpenDrafts func(ctx context.Context) ([]tool.Draft, error)
	// returns the document that changes the organization's notes; nil where it has none
	NoteChange func(ctx context.Context, remove, add string, l stockhand.Language) (tool.Document, error)
	Numbered   []stockhand.ResultID // the results of earlier turns, which compute knows as r1, r2, …
	Calls      []stockhand.ToolCall // of the run, started or finished by an earlier worker
}

// Answer is the end of a run.
type Answer struct {
	Text    render.Markdown
	Results []stockhand.ResultID
	Drafts  []stockhand.DraftID
	Blocks  []blocks.Block  // nil if the text is all
	Asking  *toolbox.Asking // the run ends with this question, and not with the text
}

// Loop is the work of a model on a task.
type Loop struct {
	Task

	turn  Turn
	store Store
	model Model
	log   *slog.Logger
	box   *toolbox.Box
	said  []exchange // in this run

	stored  map[string]stockhand.ToolCall // started or finished by an earlier worker, by step and the model's call ID
	nextSeq int64                         // of the run's next call
	made    map[string]string             // by signature: the call that identical calls refer to
	asked   map[string]bool               // calls by exact text, made or not
	repeats int

	proposing int64 // the step with the last proposal
	lastReply bool  // the budget allows one more reply

	first *examined // the answer that was sent back, or nil

	results  []results.Stored
	failures []error            // of calls
	sources  []grounding.Source // of results only the ID
	draft    *tool.Draft
	split    *tool.Draft // what was split off the draft
	step     int64       // finished steps
	given    int64       // the first of them that are the reader's
	used     llm.Usage   // by this run, including earlier workers
	cost     int64
	began    time.Time // when this worker began
}

// exchange is one step: the model's message, and the results of its calls in full and shortened.
type exchange struct {
	message llm.Message
	replies []toolReply
	back    string // what an answer was sent back with
}

// toolReply is what the model gets as the result of a call.
type toolReply struct {
	text, short string
}

// New returns a loop that has not started.
func New(turn Turn, store Store, model Model, log *slog.Logger, of Task) *Loop {
	l := &Loop{
		Task: of, turn: turn, store: store, model: model, log: log,
		stored: map[string]stockhand.ToolCall{}, made: map[string]string{}, asked: map[string]bool{}, nextSeq: 1,
	}
	for _, c := range of.Calls {
		l.stored[callKey(c.Step, c.CallID)] = c
		l.nextSeq = max(l.nextSeq, c.Seq+1)
	}
	l.Tools = slices.Clone(of.Tools)
	if of.OpenDrafts != nil {
		for i, fn := range l.Tools {
			if _, external := of.Externals[fn.Name]; !external {
				l.Tools[i] = fn.IntoDrafts()
			}
		}
	}
	l.box = toolbox.New(l.Tools, l.ownTools(), func(fn tool.Tool) bool {
		_, external := of.Externals[fn.Name]
		return external
	})
	return l
}

func callKey(step int64, id string) string { return fmt.Sprint(step, " ", id) }

// Used returns what the run has used, including earlier workers, and its cost in millionths.
func (l *Loop) Used() (llm.Usage, int64) { return l.used, l.cost }

// UsedBy returns the usage of a stored step.
func UsedBy(s stockhand.ModelStep) llm.Usage {
	return llm.Usage{Input: s.InputTokens, Output: s.OutputTokens, Cached: s.CachedTokens}
}

// Began reports whether the run has made calls.
func (l *Loop) Began() bool { return len(l.made)+len(l.stored) > 0 }

// Answer continues after the stored steps. It repeats neither their calls nor their model requests.
func (l *Loop) Answer(ctx, record context.Context, steps []stockhand.ModelStep) (Answer, error) {
	l.began = time.Now()
	for _, s := range steps {
		var m llm.Message
		if err := json.Unmarshal(s.Message, &m); err != nil {
			return Answer{}, fmt.Errorf("read step %d: %w", s.Seq, err)
		}
		l.used, l.cost, l.step = l.used.Plus(UsedBy(s)), l.cost+s.Cost, s.Seq
		if s.Model == readerStep {
			l.given = s.Seq
		}
		if done, out, err := l.follow(ctx, record, m); done || err != nil {
			return l.orEarly(ctx, record, out, err)
		}
	}
	for {
		m, err := l.ask(ctx, record)
		if err != nil {
			return l.orEarly(ctx, record, Answer{}, err)
		}
		if done, out, err := l.follow(ctx, record, m); done || err != nil {
			return l.orEarly(ctx, record, out, err)
		}
	}
}

// orEarly returns the answer, or instead of an error that ends the run early what there is (rule R370).
func (l *Loop) orEarly(ctx, record context.Context, out Answer, err error) (Answer, error) {
	why := l.early(ctx, err)
	switch {
	case why == "":
		return out, err
	case l.first != nil:
		return l.deliver(record, l.first)
	case !l.Began():
		return out, err
	}
	l.log.Warn("a run ended early", "run", l.Run.ID, "err", err)
	if err := l.turn.Notice(record, tool.Notice{Code: tool.NoticeNoModel, Message: why}); err != nil {
		return Answer{}, err
	}
	return l.finishWithout(record)
}

// early says why an error ends the run before the model has answered; "" if it ends the run for another reason.
func (l *Loop) early(ctx context.Context, err error) string {
	switch {
	case err == nil:
		return ""
	case llm.IsOver(err):
		return l.Language.Pick("Лимит языковой модели исчерпан; показано то, что уже прочитано.",
			"The language model's limit is used up; this is what had been read.")
	case stockhand.CodeOf(err) == stockhand.CodeModelUnavailable && l.step == l.given:
		return l.Language.Pick("Языковая модель не ответила; показано то, что прочитано без неё.",
			"The language model did not answer; this was read without it.")
	case stockhand.CodeOf(err) == stockhand.CodeModelUnavailable:
		return l.Language.Pick("Языковая модель перестала отвечать; показано то, что уже прочитано.",
			"The language model stopped answering; this is what had been read.")
	case errors.Is(context.Cause(ctx), context.DeadlineExceeded):
		return l.Language.Pick("Время на ответ вышло; показано то, что уже прочитано.",
			"The time for the answer is over; this is what had been read.")
	}
	return ""
}

// readerStep is the model of a step that is the reader's.
const readerStep = "reader"

// Given begins the run with a call that the reader is certain of, so that the model reads its result with the question.
// It returns the steps so far: none if the run may not call the tool.
func (l *Loop) Given(record context.Context, name string, arguments json.RawMessage) ([]stockhand.ModelStep, error) {
	fn, ok := l.box.Find(name)
	if !ok {
		return nil, nil
	}
	name = toolbox.Called(fn)
	m := llm.Message{Calls: []llm.Call{{Function: llm.Function{Name: name, Arguments: string(arguments)}}}}
	m, err := l.keep(record, l.step+1, llm.Reply{Message: m, Model: readerStep})
	if err != nil {
		return nil, err
	}
	message, err := json.Marshal(m)
	return []stockhand.ModelStep{{Run: l.Run.ID, Seq: l.step, Message: message, Model: readerStep}}, err
}

// follow makes the calls of a step, or ends the run with its text.
func (l *Loop) follow(ctx, record context.Context, m llm.Message) (done bool, out Answer, err error) {
	if q := l.asks(m); q != nil {
		out, err = l.finishAsking(record, q)
		return true, out, err
	}
	if l.ends(m) {
		out, done, err = l.conclude(record, m.Content)
		return done, out, err
	}
	return false, out, l.act(ctx, record, m)
}

// mustAnswer reports whether the step with that number may not call tools.
func (l *Loop) mustAnswer(step int64) bool {
	return step >= int64(l.model.Limits.MaxIterations) || l.repeats >= maxRepeats || l.lastReply
}

// ends reports whether a step is the last: it answers, or it had to answer and still requests calls. It must be called
// after the step was counted and before its calls are made.
func (l *Loop) ends(m llm.Message) bool { return len(m.Calls) == 0 || l.mustAnswer(l.step) }
