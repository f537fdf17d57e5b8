package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent/render"
	"github.com/stockhand/stockhand/internal/grounding"
	"github.com/stockhand/stockhand/internal/llm"
	"github.com/stockhand/stockhand/internal/tool"
)

// job is a call of a step that will be made.
type job struct {
	index   int // index among the calls of the step
	call    plannedCall
	outcome callOutcome
	err     error // ends the run
}

// act makes the calls of a step: reads concurrently, then a proposal. The model gets each result, or the reason why a
// call was not made. An error ends the run.
func (l *loop) act(ctx, record context.Context, m llm.Message) error {
	e := exchange{message: m, replies: make([]toolReply, len(m.Calls))}
	var jobs []*job
	for i, c := range m.Calls {
		j, refusal := l.plan(i, c)
		if j == nil {
			e.replies[i] = refusal
			continue
		}
		if err := l.begin(record, &j.call); err != nil {
			return err
		}
		jobs = append(jobs, j)
	}
	var reads sync.WaitGroup
	for _, j := range jobs {
		if !j.call.fn.Proposes() {
			reads.Go(func() { j.outcome, j.err = l.perform(ctx, record, &j.call) })
		}
	}
	reads.Wait()
	for _, j := range jobs {
		if j.call.fn.Proposes() {
			j.outcome, j.err = l.perform(ctx, record, &j.call)
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
func (l *loop) plan(i int, c llm.Call) (*job, toolReply) {
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
	if c.Function.Name == moreTools {
		return nil, l.open(c.Function.Arguments)
	}
	fn, ok := l.find(c.Function.Name)
	if !ok {
		hint := ""
		if !l.changes {
			hint = " The person asked for no change, so there are no tools that propose one."
		}
		return nil, advice("There is no tool named %s. There are: %s.%s", c.Function.Name,
			strings.Join(l.names(), ", "), hint)
	}
	switch c.Function.Arguments {
	case notJSON:
		return nil, advice("Not made: the arguments are not a JSON object. The schema: %s", compact(fn.Input))
	case tooLarge:
		return nil, advice("Not made: the arguments are larger than 16 KiB.")
	}
	if _, external := l.externals[fn.Name]; external && len(c.Function.Arguments) > maxSent {
		return nil, advice("Not made: the arguments for another server are longer than %d bytes.", maxSent)
	}
	arguments, err := fn.Input.Check(json.RawMessage(c.Function.Arguments))
	if err != nil {
		return nil, advice("Not made: %s The schema: %s", forModel(err), compact(fn.Input))
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
	call, ok := l.stored[callKey(l.step, c.ID)]
	if !ok {
		call = stockhand.ToolCall{Run: l.turn.run.ID, Seq: l.nextSeq, Tool: fn.Name, Arguments: arguments, Step: l.step,
			CallID: c.ID}
		l.nextSeq++
	}
	return &job{index: i, call: plannedCall{ToolCall: call, fn: fn, connection: l.connectionOf(fn)}}, toolReply{}
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
	return string(encode(v))
}

// take records what a call returned for the answer, and formats it for the model. A failure that no other call can fix
// ends the run: the credential was rejected, or there is an internal error.
func (l *loop) take(record context.Context, j *job) (toolReply, error) {
	source := grounding.Source{Arguments: j.call.Arguments}
	var out toolReply
	switch o := j.outcome; {
	case o.failure != nil:
		_, external := l.externals[j.call.fn.Name] // without another server, the account can still be queried
		code := stockhand.CodeOf(o.failure)
		if code == stockhand.CodeInternal || code == stockhand.CodeTokenRejected && !external {
			return out, o.failure
		}
		return advice("Failed: <data>%s</data>", render.Escape(forModel(o.failure))), nil
	case o.result != nil:
		name := tableName(len(l.numbered) + len(l.results))
		text, err := render.ForModel(o.result.id, name, o.result.Table)
		if err != nil {
			return out, err
		}
		// a run that waits for the model keeps no tables (rule R167), only its memo (rule R231)
		kept, err := l.readResult(record, o.result.id)
		if err != nil {
			return out, err
		}
		l.results = append(l.results, *kept)
		source.ID = string(kept.id)
		out = toolReply{text, render.ForModelShort(kept.id, name, kept.Table.Result)}
	case o.draft != nil:
		l.draft = o.draft
		source.ID, source.Draft = string(o.draft.ID), o.draft
		out = toolReply{render.DraftForModel(o.draft),
			fmt.Sprintf("Draft %s was made; it waits for a person.", o.draft.ID)}
	default:
		source.Proposal = &tool.Proposal{Tool: j.call.Tool, Answer: o.text}
		out = advice("Nothing was proposed, and no draft was made: <data>%s</data>", render.Escape(o.text))
	}
	l.sources = append(l.sources, source)
	return out, nil
}
