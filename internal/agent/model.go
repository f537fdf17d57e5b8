package agent

import (
	"context"
	"slices"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent/aside"
	"github.com/stockhand/stockhand/internal/agent/dialogue"
	"github.com/stockhand/stockhand/internal/language"
	"github.com/stockhand/stockhand/internal/llm"
	"github.com/stockhand/stockhand/internal/tool"
)

// Model configures answering with a language model. The zero value answers without one.
type Model struct {
	llm.Model             // nil answers without a model
	Budget    *llm.Budget // limits per organization; nil means unlimited
	Limits    llm.Limits  // limits per run, with defaults
	Reader    llm.Reader  // what the reader does before the model is asked
	Context   int         // estimated tokens per request above which old results are shortened; 0 means 24,000
	// allowed link targets in a model's text: prefixes of addresses, e.g. "https://online.moysklad.ru"
	Links []string
}

// The limits of a run (rule R14), and defaults.
const (
	defaultSteps     = 25
	mostSteps        = 50
	defaultRunTokens = 200_000
	defaultContext   = 24_000
)

func (m Model) orDefaults() Model {
	if m.Limits.MaxIterations == 0 {
		m.Limits.MaxIterations = defaultSteps
	}
	m.Limits.MaxIterations = min(max(m.Limits.MaxIterations, 1), mostSteps)
	if m.Limits.RunTokens == 0 {
		m.Limits.RunTokens = defaultRunTokens
	}
	if m.Context == 0 {
		m.Context = defaultContext
	}
	return m
}

// answerWithModel answers the turn with the model. It leaves the turn to the reader (done is false) if there is no
// model, if the task is a single call or picks an option of a question, if the reader has already started or is certain
// of the task, or if the model fails or says nothing before anything was done.
func (t *turn) answerWithModel(ctx, record context.Context, calls []stockhand.ToolCall) (out reply, done bool,
	err error) {
	if t.model.Model == nil || t.session.Kind == stockhand.SessionDirect {
		return out, false, nil
	}
	steps, err := t.store.ModelSteps(record, t.org, t.run.ID)
	if err != nil {
		return out, true, err
	}
	if slices.ContainsFunc(calls, func(c stockhand.ToolCall) bool { return c.Step == 0 }) { // the reader's
		for _, s := range steps {
			t.used = t.used.Plus(llm.Usage{Input: s.InputTokens, Output: s.OutputTokens})
		}
		return out, false, nil
	}
	s, err := t.readTask(ctx)
	if err != nil {
		return newReply(), true, err
	}
	if s.chosen != nil && s.chosen.Tool != "" {
		return out, false, nil
	}
	question, err := t.chooseAccount(ctx, &s)
	if err != nil || question != nil {
		if skill := s.reading.Skill; skill == language.SmallTalk || skill == language.Help {
			out, err = t.say(record, nil, aside.WithoutTool(s.task, t.language, s.reading)) // needs no account
		} else if err == nil {
			out, err = t.say(record, question, "")
		}
		return out, true, err
	}
	if t.model.Reader == llm.ReaderFirst && len(steps) == 0 && t.certain(ctx, &s) {
		return out, false, nil
	}
	l, err := t.newLoop(ctx, s, calls)
	if err != nil {
		return newReply(), true, err
	}
	out, err = l.run(ctx, record, steps)
	t.used = l.used
	if stockhand.CodeOf(err) == stockhand.CodeModelUnavailable && len(l.made)+len(l.stored) == 0 {
		t.logger.Warn("the model failed; continuing without it", "run", t.run.ID, "err", err)
		return out, false, t.notice(record, tool.Notice{Code: tool.NoticeNoModel, Message: t.language.Pick(
			"Языковая модель не ответила; вопрос разобран без неё.",
			"The language model did not answer; the question was read without it.")})
	}
	return out, true, err
}

// certain looks up the names in the task and reports whether the reader is then certain of it.
func (t *turn) certain(ctx context.Context, s *subject) bool {
	if s.reading.Skill.Calls() && len(s.reading.Unknown) > 0 {
		resume := t.delivery.Wait(ctx)
		complete, err := t.lookUp(ctx, s)
		resume()
		if err != nil || !complete { // the model may do without the names
			return false
		}
	}
	return s.input.Catalogue != nil && dialogue.Certain(s.reading)
}
