package loop

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent/failure"
	"github.com/stockhand/stockhand/internal/agent/render"
	"github.com/stockhand/stockhand/internal/agent/results"
	"github.com/stockhand/stockhand/internal/agent/toolbox"
	"github.com/stockhand/stockhand/internal/grounding"
	"github.com/stockhand/stockhand/internal/llm"
	"github.com/stockhand/stockhand/internal/tool"
)

// The limits of a step and of a run.
const (
	maxCalls   = 16      // calls per step; the model must request the rest again
	maxRepeats = 3       // repeated calls after which the model must answer
	maxSent    = 2 << 10 // bytes that the model may send with one call to another server
)

// job is a call of a step that will be made.
type job struct {
	index   int // index among the calls of the step
	call    Call
	outcome Outcome
	err     error // ends the run
}

// act makes the calls of a step: reads concurrently, then a proposal. The model gets each result, or the reason why a
// call was not made. An error ends the run.
func (l *Loop) act(ctx, record context.Context, m llm.Message) error {
	e := exchange{message: m, replies: make([]toolReply, len(m.Calls))}
	var jobs []*job
	for i, c := range m.Calls {
		j, refusal := l.plan(i, c)
		if j == nil {
			e.replies[i] = refusal
			continue
		}
		var err error
		if j.call.Again, err = l.readBefore(record, j.call); err != nil {
			return err
		}
		if err := l.turn.Begin(record, &j.call); err != nil {
			return err
		}
		jobs = append(jobs, j)
	}
	inTime, stop := l.inTime(ctx)
	defer stop()
	var reads sync.WaitGroup
	for _, j := range jobs {
		if !j.call.Fn.Proposes() {
			reads.Go(func() { j.outcome, j.err = l.turn.Perform(inTime, record, &j.call) })
		}
	}
	reads.Wait()
	for _, j := range jobs { // in the order of the calls
		if j.call.Fn.Proposes() {
			continue
		}
		if err := l.turn.Sent(record, &j.call, cmp.Or(j.outcome.Failure, j.err)); err != nil {
			return err
		}
	}
	for _, j := range jobs {
		if j.call.Fn.Proposes() {
			j.outcome, j.err = l.turn.Perform(inTime, record, &j.call)
		}
		if j.err != nil && inTime.Err() != nil && ctx.Err() == nil {
			l.failures = append(l.failures, j.err)
			e.replies[j.index] = advice("Stopped: it took too long, and the time of this task is nearly over.")
			continue
		}
		if j.err != nil {
			return j.err
		}
		var err error
		if e.replies[j.index], err = l.take(record, j); err != nil {
			return err
		}
	}
	l.said = append(l.said, e)
	return nil
}

// plan decides about one call of a step: it returns a job, or a reply to the model instead.
func (l *Loop) plan(i int, c llm.Call) (*job, toolReply) {
	if i >= maxCalls {
		return nil, advice("Not made: at most %d calls in a step. Ask again for this one if it is still needed.",
			maxCalls)
	}
	asked := c.Function.Name + " " + c.Function.Arguments
	again := l.asked[asked]
	if again { // whether or not it was made: repeating the same request changes nothing
		l.repeats++
	}
	l.asked[asked] = true
	fn, ok := l.box.Find(c.Function.Name)
	if !ok {
		return nil, advice("There is no tool named %s. There are: %s.", c.Function.Name,
			strings.Join(l.box.Names(), ", "))
	}
	switch c.Function.Arguments {
	case notJSON:
		return nil, advice("Not made: the arguments are not a JSON object. The arguments: %s", toolbox.Signature(fn.Input))
	case tooLarge:
		return nil, advice("Not made: the arguments are larger than 16 KiB.")
	}
	if _, external := l.Externals[fn.Name]; external && len(c.Function.Arguments) > maxSent {
		return nil, advice("Not made: the arguments for another server are longer than %d bytes.", maxSent)
	}
	arguments, err := fn.Input.Check(json.RawMessage(c.Function.Arguments))
	if err != nil {
		return nil, advice("Not made: %s The arguments: %s", failure.ForModel(err), toolbox.Signature(fn.Input))
	}
	signature := fn.Name + canonical(arguments)
	if earlier, ok := l.made[signature]; ok {
		if !again { // the same call in other words
			l.repeats++
		}
		return nil, advice("Not made again: the same call as %s. Use what it returned.", earlier)
	}
	if fn.Name == toolbox.AskName {
		return nil, advice("Not asked: %s, and nothing is asked after a draft was made.", toolbox.AskHint)
	}
	if fn.Proposes() {
		if !l.Change {
			return nil, advice("Not made: the person asked for no change. Answer, and say what you would propose.")
		}
		if l.draft != nil && !l.changes(arguments) {
			return nil, advice("Not made: this task has its draft already, %s. A person decides about it; answer now.",
				l.draft.ID)
		}
		if l.proposing == l.step {
			return nil, advice("Not made: one proposal in a step, and one draft for a task.")
		}
		l.proposing = l.step
	}
	l.made[signature] = c.ID
	call, ok := l.stored[callKey(l.step, c.ID)]
	if !ok {
		call = stockhand.ToolCall{Run: l.Run.ID, Seq: l.nextSeq, Tool: fn.Name, Arguments: arguments, Step: l.step,
			CallID: c.ID}
		l.nextSeq++
	}
	return &job{index: i, call: Call{ToolCall: call, Fn: fn, Over: l.connectionOf(fn)}}, toolReply{}
}

// changes reports whether the arguments of a proposing call name the draft of this run, which it may change again.
func (l *Loop) changes(arguments json.RawMessage) bool {
	var to struct{ Draft, Into, Instead stockhand.DraftID }
	return l.draft != nil && l.OpenDrafts != nil && json.Unmarshal(arguments, &to) == nil &&
		cmp.Or(to.Draft, to.Into, to.Instead) == l.draft.ID
}

func advice(format string, args ...any) toolReply {
	s := fmt.Sprintf(format, args...)
	return toolReply{text: s, short: s}
}

// canonical encodes arguments so that equal arguments give equal text.
func canonical(arguments json.RawMessage) string {
	var v any
	if err := json.Unmarshal(arguments, &v); err != nil {
		return string(arguments)
	}
	b, err := json.Marshal(v)
	if err != nil {
		return string(arguments)
	}
	return string(b)
}

// take records what a call returned for the answer, and formats it for the model. A failure that no other call can fix
// ends the run: the credential was rejected, or there is an internal error.
func (l *Loop) take(record context.Context, j *job) (toolReply, error) {
	source := grounding.Source{Arguments: j.call.Arguments}
	var out toolReply
	switch o := j.outcome; {
	case o.Failure != nil:
		_, external := l.Externals[j.call.Fn.Name] // without another server, the account can still be queried
		code := stockhand.CodeOf(o.Failure)
		if code == stockhand.CodeInternal || code == stockhand.CodeTokenRejected && !external {
			return out, o.Failure
		}
		l.failures = append(l.failures, o.Failure)
		return advice("Failed: <data>%s</data>", render.Escape(failure.ForModel(o.Failure))), nil
	case o.Result != nil:
		name := toolbox.TableName(len(l.Numbered) + len(l.results))
		call := toolbox.Bare(j.call.Tool) + " " + string(j.call.Arguments)
		text, err := render.ForModel(o.Result.ID, name, call, o.Result.Table)
		if err != nil {
			return out, err
		}
		// a run that waits for the model keeps no tables (rule R167), only its memo (rule R231)
		kept, err := results.Read(record, l.store, l.Run.Org, o.Result.ID)
		if err != nil {
			return out, err
		}
		l.results = append(l.results, *kept)
		source.ID = string(kept.ID)
		out = toolReply{text, render.ForModelShort(kept.ID, name, call, kept.Table.Result)}
	case o.Draft != nil:
		l.draft = o.Draft
		source.ID, source.Draft = string(o.Draft.ID), o.Draft
		if o.Split != nil {
			l.split = o.Split
			l.sources = append(l.sources, grounding.Source{ID: string(o.Split.ID), Draft: o.Split,
				Arguments: j.call.Arguments})
		}
		out = toolReply{render.DraftForModel(o.Draft), fmt.Sprintf("Draft %s was made or changed; it waits for a person.",
			o.Draft.ID)}
		if o.Split != nil {
			out.text += "\n" + render.DraftForModel(o.Split)
		}
	default:
		source.Proposal = &tool.Proposal{Tool: j.call.Tool, Answer: o.Text}
		out = advice("Nothing was proposed, and no draft was made: <data>%s</data>", render.Escape(o.Text))
	}
	l.sources = append(l.sources, source)
	return out, nil
}

// connectionOf returns the connection of a tool.
func (l *Loop) connectionOf(fn tool.Tool) stockhand.ConnectionID {
	if c, ok := l.Externals[fn.Name]; ok {
		return c.ID
	}
	return l.Connection
}
