package agent

import (
	"context"
	"fmt"
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent/aside"
	"github.com/stockhand/stockhand/internal/agent/blocks"
	"github.com/stockhand/stockhand/internal/agent/failure"
	"github.com/stockhand/stockhand/internal/agent/loop"
	"github.com/stockhand/stockhand/internal/agent/render"
)

// mostQuestions is how many questions a run answers.
const mostQuestions = 4

// question is one of several that a task asks.
type question struct {
	words     string
	tool      string
	arguments []byte
}

// several returns the questions of a task that asks more than one, or of a message that picks all options of the last
// question (rule R295); nil for none.
func (t *turn) several(s subject) []question {
	prefix := s.connection.Connector + "_"
	var all []question
	if s.each != nil {
		return s.each
	}
	if s.asking && s.chosen == nil {
		for _, o := range s.last.Question.ChosenAll(t.message.Text) {
			if o.Tool == "" || strings.HasPrefix(o.Tool, prefix+"propose_") {
				return nil
			}
			all = append(all, question{o.Text, o.Tool, o.Arguments})
		}
		if all != nil {
			return all
		}
	}
	for _, r := range aside.BothEnds(s.task, s.input) {
		all = append(all, question{r.Task, prefix + string(r.Skill), encode(r.ToolInput())})
	}
	if all != nil {
		return all
	}
	if q := s.reading.Question; q != nil && q.Whole {
		return nil
	}
	if s.reading.Skill.Calls() && s.reading.Question == nil && len(s.reading.Unused) == 0 &&
		!aside.Apart(s.reading, s.input) && !aside.RanksTwice(s.reading, s.input) {
		return nil
	}
	for _, r := range aside.Several(s.task, s.input) {
		all = append(all, question{r.Task, prefix + string(r.Skill), encode(r.ToolInput())})
	}
	return all
}

// answerEach answers several questions in their order, each with its words as a heading.
func (t *turn) answerEach(ctx, record context.Context, d decision, calls []stockhand.ToolCall) (reply, error) {
	r := newReply()
	all := d.several
	all, rest := all[:min(mostQuestions, len(all))], all[min(mostQuestions, len(all)):]
	if len(calls) == 0 { // not begun
		var plan loop.Plan
		for _, q := range all {
			plan.Steps = append(plan.Steps, strings.Map(stockhand.Visible, q.words))
		}
		if err := t.append(record, stockhand.EventPlan, plan); err != nil {
			return r, err
		}
	}
	var parts []string
	for i, q := range all {
		c := stockhand.ToolCall{Run: t.run.ID, Seq: int64(i + 1), Tool: q.tool, Arguments: q.arguments}
		if i < len(calls) {
			c = calls[i]
		}
		fn, err := t.permitted(d.account, c.Tool)
		if err != nil {
			return r, err
		}
		planned := &loop.Call{ToolCall: c, Fn: fn, Over: t.session.Connection}
		if err := t.Begin(record, planned); err != nil {
			return r, err
		}
		outcome, err := t.Perform(ctx, record, planned)
		if err != nil {
			return r, err
		}
		heading := "**" + render.Plain(q.words) + "**"
		r.blocks = append(r.blocks, blocks.Of(string(heading))...)
		var one reply
		if outcome.Failure != nil {
			one.text = render.Plain(failure.ForPeople(outcome.Failure, t.language).Message)
		} else if one, err = t.answer(record, outcome); err != nil {
			return r, err
		}
		r.results, r.blocks = append(r.results, one.results...), append(r.blocks, one.inBlocks()...)
		parts = append(parts, string(heading+"\n\n"+one.text))
	}
	if len(rest) > 0 {
		var left []string
		for _, q := range rest {
			left = append(left, t.language.Pick("«"+q.words+"»", "“"+q.words+"”"))
		}
		note := string(render.Plain(fmt.Sprintf(t.language.Pick(
			"За один раз — не больше четырёх вопросов. Остались: %s.", "At most four questions at a time. Left: %s."),
			strings.Join(left, ", "))))
		parts, r.blocks = append(parts, note), append(r.blocks, blocks.Of(note)...)
	}
	r.text = render.Markdown(strings.Join(parts, "\n\n"))
	return r, nil
}
