package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent/dialogue"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/grounding"
	"github.com/stockhand/stockhand/internal/llm"
	"github.com/stockhand/stockhand/internal/tool"
)

// The limits of a step and of a run.
const (
	maxCalls   = 8 // calls per step; the model must request the rest again
	maxRepeats = 3 // repeated calls after which the model must answer
)

// loop answers a turn with the model: it asks the model, makes the tool calls that the model requests, and returns the
// results to it, until the model answers.
//
// The model decides what to look at and how to say it. The loop decides what it may call, with which arguments, how
// often and on which account, and what part of its text the user sees.
type loop struct {
	*turn
	task    string
	hint    string // how the reader understood the task
	account connector.Account
	tools   []tool.Tool
	// by full name: the tools of other connections than the account's
	externals map[string]stockhand.Connection
	offered   map[string]bool // by full name: the tools whose schemas the model sees
	system    string
	past      []llm.Message
	said      []exchange // in this run

	stored  map[string]stockhand.ToolCall // started or finished by an earlier worker, by step and the model's call ID
	nextSeq int64                         // of the run's next call
	made    map[string]string             // by signature: the call that identical calls refer to
	asked   map[string]bool               // calls by exact text, made or not
	repeats int

	changes   bool  // the person asks for a change, so tools that propose one are offered
	proposing int64 // the step with the last proposal

	results []storedResult
	sources []grounding.Source // of results only the ID
	draft   *tool.Draft
	step    int64     // finished steps
	used    llm.Usage // by this run, including earlier workers
	cost    int64
}

// exchange is one step: the model's message, and the results of its calls in full and shortened.
type exchange struct {
	message llm.Message
	replies []toolReply
}

// toolReply is what the model gets as the result of a call.
type toolReply struct {
	text, short string
}

func (t *turn) newLoop(ctx context.Context, s subject, calls []stockhand.ToolCall) (*loop, error) {
	l := &loop{
		turn: t, task: s.task, account: s.account, tools: t.allowed(s.account.Tools()),
		stored: map[string]stockhand.ToolCall{}, made: map[string]string{}, asked: map[string]bool{}, nextSeq: 1,
	}
	for _, c := range calls {
		l.stored[callKey(c.Step, c.CallID)] = c
		l.nextSeq = max(l.nextSeq, c.Seq+1)
	}
	var err error
	if t.numbered, err = t.store.EarlierResults(ctx, t.org, t.session.ID, t.run.ID); err != nil {
		return nil, err
	}
	if l.past, err = t.conversation(ctx, s.account.Identity().Account); err != nil {
		return nil, err
	}
	if err := l.addExternalTools(ctx); err != nil {
		return nil, err
	}
	if l.changes = wantsChange(s.task, s.reading); !l.changes {
		l.tools = readsOnly(l.tools)
	}
	if t.model.Reader == llm.ReaderFirst || t.model.Reader == llm.ReaderHint {
		l.hint = dialogue.Hint(s.reading, s.connection.Connector+"_")
	}
	l.system = instructions(t, s.connection.Label)
	l.offered = offer(l.tools, s.reading)
	return l, l.ownMeasures(ctx, s.connection)
}

func callKey(step int64, id string) string { return fmt.Sprint(step, " ", id) }

// run continues after the stored steps. It repeats neither their calls nor their model requests.
func (l *loop) run(ctx, record context.Context, steps []stockhand.ModelStep) (reply, error) {
	for _, s := range steps {
		var m llm.Message
		if err := json.Unmarshal(s.Message, &m); err != nil {
			return reply{}, fmt.Errorf("read step %d: %w", s.Seq, err)
		}
		u := llm.Usage{Input: s.InputTokens, Output: s.OutputTokens}
		l.used, l.cost, l.step = l.used.Plus(u), l.cost+l.model.Cost(u), s.Seq
		if l.ends(m) {
			return l.finishWith(record, m.Content)
		}
		if err := l.act(ctx, record, m); err != nil {
			return reply{}, err
		}
	}
	for {
		m, err := l.ask(ctx, record)
		if llm.IsOver(err) && (len(l.results) > 0 || l.draft != nil) {
			return l.finishOver(record)
		}
		if err != nil {
			return reply{}, err
		}
		if l.ends(m) {
			return l.finishWith(record, m.Content)
		}
		if err := l.act(ctx, record, m); err != nil {
			return reply{}, err
		}
	}
}

// mustAnswer reports whether the step with that number may not call tools.
func (l *loop) mustAnswer(step int64) bool {
	return step >= int64(l.model.Limits.MaxIterations) || l.repeats >= maxRepeats
}

// ends reports whether a step is the last: it answers, or it had to answer and still requests calls. It must be called
// after the step was counted and before its calls are made.
func (l *loop) ends(m llm.Message) bool { return len(m.Calls) == 0 || l.mustAnswer(l.step) }

// ask requests the next step from the model and stores it.
func (l *loop) ask(ctx, record context.Context) (llm.Message, error) {
	step := l.step + 1
	request := l.request(l.mustAnswer(step))
	input := request.Tokens()
	left := l.model.Limits.RunTokens - l.used.Total() - input
	most := llm.Usage{Input: input, Output: min(left, replyTokens)}
	money := l.model.Cost(most)
	if left < leastReply || !l.model.Limits.RunMoney.IsZero() && l.cost+money > llm.Micros(l.model.Limits.RunMoney) {
		return llm.Message{}, llm.OverRun()
	}
	request.MaxTokens = most.Output
	settle, err := l.model.Budget.Reserve(record, l.org, most.Total(), money)
	if err != nil {
		return llm.Message{}, err
	}
	asked, done := span(ctx, "model "+l.model.Name())
	live, resume := l.newDeltas(), l.delivery.Wait(ctx)
	got, failure := l.model.Complete(asked, request, live.add)
	resume()
	live.end()
	done(failure)
	l.used, l.cost = l.used.Plus(got.Usage), l.cost+got.Cost
	if err := settle(record, got.Usage, got.Cost); err != nil {
		return llm.Message{}, err
	}
	if failure != nil {
		return llm.Message{}, failure
	}
	m := l.normalize(got.Message, step)
	if got.Cut && len(m.Calls) == 0 {
		m.Content += l.language.Pick("…\n\n(Ответ модели обрезан: он слишком длинный.)",
			"…\n\n(The model's answer is cut: it is longer than allowed.)")
	}
	_, err = l.store.AddModelStep(record, l.org, l.turn.run.Generation, stockhand.ModelStep{
		Run: l.turn.run.ID, Seq: step, Message: encode(m), Model: got.Model,
		InputTokens: got.Usage.Input, OutputTokens: got.Usage.Output, At: l.clock().UTC(),
	})
	l.step = step
	return m, err
}

const (
	replyTokens = 4096 // the reply length to reserve
	leastReply  = 64   // a shorter reply is useless
)

// request returns the request to the model: the instructions, the earlier conversation, the task and the steps of this
// run. If it is too long, the oldest results are shortened first, then the conversation.
func (l *loop) request(answer bool) llm.Request {
	r := l.compose(answer, 0, l.past)
	for short := 1; short < len(l.said) && r.Tokens() > l.model.Context; short++ {
		r = l.compose(answer, short, l.past)
	}
	for past := l.past; len(past) > 0 && r.Tokens() > l.model.Context; {
		past = past[1:]
		r = l.compose(answer, max(0, len(l.said)-1), past)
	}
	return r
}

// compose returns a request in which the given number of oldest steps is shortened.
func (l *loop) compose(answer bool, short int, past []llm.Message) llm.Request {
	r := llm.Request{Tools: l.toolbox(), Answer: answer}
	r.Messages = append(r.Messages, llm.Message{Role: llm.System, Content: l.system})
	r.Messages = append(r.Messages, past...)
	r.Messages = append(r.Messages, llm.Message{Role: llm.User, Content: strings.TrimSpace(l.task + "\n\n" + l.hint)})
	for i, e := range l.said {
		r.Messages = append(r.Messages, e.message)
		for j, o := range e.replies {
			text := o.text
			if i < short {
				text = o.short
			}
			if answer && i == len(l.said)-1 && j == len(e.replies)-1 {
				text += "\n\nNo more tools can be called. Answer now with what there is, and say what is missing."
			}
			r.Messages = append(r.Messages,
				llm.Message{Role: llm.ToolRole, Content: text, CallID: e.message.Calls[j].ID})
		}
	}
	return r
}
