package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime/debug"
	"strings"
	"sync"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/grounding"
	"github.com/stockhand/stockhand/internal/llm"
	"github.com/stockhand/stockhand/internal/tool"
)

// What one step and one run may do.
const (
	maxCalls   = 8 // calls of one step; the model is told to ask again for the rest
	maxRepeats = 3 // calls asked for again, after which the model is told to answer
)

// loop is a turn answered with the model: ask it, call the tools it wants, tell it what they returned, until it
// answers.
//
// The model decides what to look at and how to say it. What it may call, with what, how often, on which account, and
// what of its words reaches the person is decided here.
type loop struct {
	*turn
	task    string
	account connector.Account
	tools   []tool.Tool
	lent    map[string]stockhand.Connection // by full name: the tools that are not the account's, with what lends them
	offered map[string]bool                 // by full name: the tools whose schemas the model is shown
	system  string
	past    []llm.Message
	said    []exchange // of this run

	stored  map[string]stockhand.ToolCall // finished and begun by an earlier worker, by step and the model's own id
	nextSeq int64                         // of the run's next call
	made    map[string]string             // by signature: what identical calls are pointed to
	asked   map[string]bool               // calls word for word, made or not
	repeats int

	proposing int64 // the step that made the last proposal

	results []stored
	sources []grounding.Source
	draft   *tool.Draft
	step    int64     // finished steps
	used    llm.Usage // by this run, with what earlier workers used
	cost    int64
}

// exchange is one step: what the model said, and what its calls returned, whole and in a line.
type exchange struct {
	message  llm.Message
	outcomes []outcome
}

// outcome is what the model is told of one call.
type outcome struct {
	text, short string
}

func (t *turn) newLoop(ctx context.Context, s subject, calls []stockhand.ToolCall) (*loop, error) {
	l := &loop{
		turn: t, task: s.task, account: s.account, tools: t.allowed(s.account.Tools()),
		stored: map[string]stockhand.ToolCall{}, made: map[string]string{}, asked: map[string]bool{}, nextSeq: 1,
	}
	for _, c := range calls {
		l.stored[slot(c.Step, c.CallID)] = c
		l.nextSeq = max(l.nextSeq, c.Seq+1)
		if c.Done {
			t.earlier += c.Requests
		}
	}
	var err error
	if l.past, err = t.conversation(ctx, s.account.Identity().Account); err != nil {
		return nil, err
	}
	if err := l.borrow(ctx); err != nil {
		return nil, err
	}
	l.system = instructions(t, s.label)
	l.offered = offer(l.tools, s.reading)
	return l, nil
}

func slot(step int64, id string) string { return fmt.Sprint(step, " ", id) }

// run goes on from the steps that are stored already, whose calls are not repeated and which are not asked for again.
func (l *loop) run(ctx, record context.Context, steps []stockhand.ModelStep) (reply, error) {
	for _, s := range steps {
		var m llm.Message
		if err := json.Unmarshal(s.Message, &m); err != nil {
			return reply{}, fmt.Errorf("read step %d: %w", s.Seq, err)
		}
		u := llm.Usage{Input: s.InputTokens, Output: s.OutputTokens}
		l.used, l.cost, l.step = llm.Usage{Input: l.used.Input + u.Input, Output: l.used.Output + u.Output},
			l.cost+l.model.Cost(u), s.Seq
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

// mustAnswer tells whether the next step, by its number, is one that may call nothing any more.
func (l *loop) mustAnswer(step int64) bool {
	return step >= int64(l.model.Limits.MaxIterations) || l.repeats >= maxRepeats
}

// ends tells whether a step is the last: it answers, or it was to answer and still wants to call something. It is asked
// after the step was counted and before its calls are.
func (l *loop) ends(m llm.Message) bool { return len(m.Calls) == 0 || l.mustAnswer(l.step) }

// ask asks the model for the next step and stores it.
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
	got, failure := l.model.Complete(ctx, request, func(offset int, text string) {
		l.tell(stockhand.Event{Run: l.turn.run.ID, Type: stockhand.EventDelta, At: l.clock(),
			Data: encode(deltaData{Content: text, Offset: offset})})
	})
	l.used.Input, l.used.Output, l.cost = l.used.Input+got.Usage.Input, l.used.Output+got.Usage.Output, l.cost+got.Cost
	if err := settle(record, got.Usage, got.Cost); err != nil {
		return llm.Message{}, err
	}
	if failure != nil {
		return llm.Message{}, failure
	}
	m := l.proper(got.Message, step)
	if got.Cut && len(m.Calls) == 0 {
		m.Content += l.language.Pick("…\n\n(Ответ модели оборван: он длиннее, чем разрешено.)",
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
	replyTokens = 4096 // the longest reply that is reserved for
	leastReply  = 64   // a shorter one says nothing
)

// request is what the model is asked: the instructions, what was said before, the task and the steps of this run. Above
// its bound the oldest results are shortened first, then the conversation.
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

// compose writes a request in which so many of the oldest steps are shortened.
func (l *loop) compose(answer bool, short int, past []llm.Message) llm.Request {
	r := llm.Request{Tools: l.toolbox(), Answer: answer}
	r.Messages = append(r.Messages, llm.Message{Role: llm.System, Content: l.system})
	r.Messages = append(r.Messages, past...)
	r.Messages = append(r.Messages, llm.Message{Role: llm.User, Content: l.task})
	for i, e := range l.said {
		r.Messages = append(r.Messages, e.message)
		for j, o := range e.outcomes {
			text := o.text
			if i < short {
				text = o.short
			}
			if answer && i == len(l.said)-1 && j == len(e.outcomes)-1 {
				text += "\n\nNo more tools can be called. Answer now with what there is, and say what is missing."
			}
			r.Messages = append(r.Messages,
				llm.Message{Role: llm.ToolRole, Content: text, CallID: e.message.Calls[j].ID})
		}
	}
	return r
}

// act does what a step asks for: its reads at once, a proposal after them. What a call returned, or why it was not
// made, is told to the model; an error is one that ends the run.
func (l *loop) act(ctx, record context.Context, m llm.Message) error {
	e := exchange{message: m, outcomes: make([]outcome, len(m.Calls))}
	var jobs []*job
	for i, c := range m.Calls {
		j, told := l.plan(i, c)
		if j == nil {
			e.outcomes[i] = told
			continue
		}
		if err := l.begin(record, j); err != nil {
			return err
		}
		jobs = append(jobs, j)
	}
	var reads sync.WaitGroup
	for _, j := range jobs {
		if !j.fn.Proposes() {
			reads.Go(func() { j.err = l.guarded(func() error { return l.read(ctx, record, j) }) })
		}
	}
	reads.Wait()
	for _, j := range jobs {
		if j.fn.Proposes() {
			j.err = l.guarded(func() error { return l.proposal(ctx, record, j) })
		}
		if j.err != nil {
			return j.err
		}
		l.keep(j)
		e.outcomes[j.index] = j.outcome
	}
	l.said = append(l.said, e)
	return nil
}

// guarded turns a tool's panic into an error of the run: calls are made in goroutines, where nobody else would catch
// it.
func (l *loop) guarded(do func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			l.logger.Error("panic in a tool", "run", l.turn.run.ID, "panic", p, "stack", string(debug.Stack()))
			err = stockhand.Errorf(stockhand.CodeInternal, "panic: %v", p)
		}
	}()
	return do()
}

// job is a call that is made.
type job struct {
	index int
	fn    tool.Tool
	call  stockhand.ToolCall

	result  *stored
	draft   *tool.Draft
	text    string // of a proposal that proposes nothing
	outcome outcome
	err     error
}

// plan decides about one call of a step: a job, or what the model is told instead.
func (l *loop) plan(i int, c llm.Call) (*job, outcome) {
	if i >= maxCalls {
		return nil, advice("Not made: at most %d calls in a step. Ask again for this one if it is still needed.",
			maxCalls)
	}
	asked := c.Function.Name + " " + c.Function.Arguments
	again := l.asked[asked]
	if again { // whether it was made then or not: asking for it in the same words changes nothing
		l.repeats++
	}
	l.asked[asked] = true
	if c.Function.Name == moreTools {
		return nil, l.open(c.Function.Arguments)
	}
	fn, ok := l.find(c.Function.Name)
	if !ok {
		return nil, advice("There is no tool named %s. There are: %s.", c.Function.Name, strings.Join(l.names(), ", "))
	}
	switch c.Function.Arguments {
	case notJSON:
		return nil, advice("Not made: the arguments are not a JSON object. The schema: %s", compact(fn.Input))
	case tooLarge:
		return nil, advice("Not made: the arguments are larger than 16 KiB.")
	}
	arguments, err := fn.Input.Check(json.RawMessage(c.Function.Arguments))
	if err != nil {
		return nil, advice("Not made: %s The schema: %s", problem(err), compact(fn.Input))
	}
	signature := fn.Name + canonical(arguments)
	if earlier, ok := l.made[signature]; ok {
		if !again { // the same call in other words
			l.repeats++
		}
		return nil, advice("Not made again: the same call as %s. Use what it returned.", earlier)
	}
	if fn.Proposes() {
		if l.draft != nil {
			return nil, advice("Not made: this task has its draft already, %s. A person decides about it; answer now.",
				l.draft.ID)
		}
		if l.proposing == l.step {
			return nil, advice("Not made: one proposal in a step, and one draft for a task.")
		}
		l.proposing = l.step
	}
	l.made[signature] = c.ID
	if call, ok := l.stored[slot(l.step, c.ID)]; ok {
		return &job{index: i, fn: fn, call: call}, outcome{}
	}
	call := stockhand.ToolCall{Run: l.turn.run.ID, Seq: l.nextSeq, Tool: fn.Name, Arguments: arguments, Step: l.step,
		CallID: c.ID}
	l.nextSeq++
	return &job{index: i, fn: fn, call: call}, outcome{}
}

func advice(format string, args ...any) outcome {
	s := fmt.Sprintf(format, args...)
	return outcome{text: s, short: s}
}

// canonical writes arguments so that the same ones are the same text.
func canonical(arguments json.RawMessage) string {
	var v any
	if err := json.Unmarshal(arguments, &v); err != nil {
		return string(arguments)
	}
	return string(encode(v))
}

// problem is an error as the model reads it, with each field at fault and what can be done.
func problem(err error) string {
	e := forPeople(err, stockhand.English)
	text := e.Message
	for _, f := range e.Fields {
		text += fmt.Sprintf("; %s: %s", f.Field, f.Message)
	}
	if e.Hint != "" {
		text += " (" + e.Hint + ")"
	}
	return text + "."
}
