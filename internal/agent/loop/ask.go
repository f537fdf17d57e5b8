package loop

import (
	"context"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent/claims"
	"github.com/stockhand/stockhand/internal/agent/render"
	"github.com/stockhand/stockhand/internal/agent/toolbox"
	"github.com/stockhand/stockhand/internal/grounding"
	"github.com/stockhand/stockhand/internal/llm"
)

// asks returns the question that a step puts to the person; nil for none. What else the step calls is not made, because
// it may depend on the answer. With a draft the run ends in words: the draft is shown below them.
func (l *Loop) asks(m llm.Message) *toolbox.Asking {
	if l.draft != nil {
		return nil
	}
	for _, c := range m.Calls {
		if c.Function.Name != toolbox.AskName {
			continue
		}
		if q, ok := toolbox.ReadAsking(c.Function.Arguments); ok {
			return &q
		}
	}
	return nil
}

// finishAsking ends the run with a question. Its figures and claims are checked like those of an answer; options are
// what the person may say, and state nothing.
func (l *Loop) finishAsking(record context.Context, q *toolbox.Asking) (Answer, error) {
	q.Question = string(render.Sanitize(q.Question, l.model.Links...))
	e, err := l.evidence(record)
	if err != nil {
		return Answer{}, err
	}
	checked := grounding.Check(q.Question, l.Language, e)
	if checked.Err != nil {
		return Answer{}, checked.Err
	}
	if n, ok := checked.Notice(l.Language); ok {
		q.Question = checked.Text
		if err := l.turn.Notice(record, n); err != nil {
			return Answer{}, err
		}
	}
	if n, ok := claims.Denial(q.Question, l.Text, false, l.Requested, l.Language); ok {
		if err := l.turn.Notice(record, n); err != nil {
			return Answer{}, err
		}
		q.Question = n.Message + " " + q.Question
	}
	out := Answer{Results: []stockhand.ResultID{}, Drafts: []stockhand.DraftID{}, Asking: q}
	for _, r := range l.results {
		out.Results = append(out.Results, r.ID)
	}
	return out, nil
}
