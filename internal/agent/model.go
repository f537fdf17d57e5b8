package agent

import (
	"context"
	"slices"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/language"
	"github.com/stockhand/stockhand/internal/llm"
	"github.com/stockhand/stockhand/internal/tool"
)

// Model is how tasks are answered with a language model. The zero value answers without one.
type Model struct {
	llm.Model             // nil answers without one
	Budget    *llm.Budget // what organizations may use; nil bounds nothing
	Limits    llm.Limits  // what one run may use, with their defaults
	Context   int         // tokens of one request, estimated, above which old results are shortened; 0 means 24,000
}

// The bounds of product.md, section 6, and our own defaults.
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

// Journal is what more the agent needs of the record when a model answers.
type Journal interface {
	AddModelStep(ctx context.Context, org stockhand.OrgID, generation int64, s stockhand.ModelStep,
		events ...stockhand.Event) ([]stockhand.Event, error)
	ModelSteps(ctx context.Context, org stockhand.OrgID, of stockhand.RunID) ([]stockhand.ModelStep, error)
	Messages(ctx context.Context, org stockhand.OrgID, in stockhand.SessionID, after stockhand.MessageID,
		limit int) ([]stockhand.Message, error)
	Agent(ctx context.Context, org stockhand.OrgID, id stockhand.AgentID) (stockhand.AgentProfile, error)
}

// subject is what a turn with a model is about, as code and not the model decides it: the account, or a reply that
// needs none.
type subject struct {
	account  connector.Account
	label    string // of the account, for people
	task     string // the person's words; those of the turn before where this one only named the account
	question *Question
	text     string
	reading  language.Reading // a hint at what the task may need
	byReader bool             // it picks an option that is complete: the reader does it without the model
}

// subject reads the task as far as code decides. Its errors are refusals that end the run.
func (t *turn) subject(ctx context.Context) (subject, error) {
	connections, err := t.connections(ctx)
	if err != nil {
		return subject{}, err
	}
	before, err := t.before(ctx)
	if err != nil {
		return subject{}, err
	}
	s := subject{task: t.message.Text}
	in := language.Input{Now: t.now(), Accounts: labels(connections), Previous: before.reading}
	var chosen *Option
	if before.question != nil {
		chosen = before.question.chosen(s.task)
	}
	if chosen != nil {
		if chosen.Tool != "" {
			return subject{byReader: true}, nil
		}
		s.task, in.Previous = before.task, nil
	}
	s.reading = language.Read(s.task, in)
	if t.start.Language == "" {
		t.language = s.reading.Language
	}
	if s.reading.Consolidate {
		return s, refuseConsolidation(t.language, connections)
	}
	connection, question, err := t.choose(t.language, connections, s.reading, chosen)
	if (err != nil || question != nil) && (s.reading.Skill == language.Greeting || s.reading.Skill == language.Help) {
		s.text = t.withoutTool(s.reading, t.language) // needs no account
		return s, nil
	}
	if err != nil || question != nil {
		s.question = question
		return s, err
	}
	if t.session.Connection != connection.ID {
		if err := t.store.SetSessionConnection(ctx, t.org, t.session.ID, connection.ID); err != nil {
			return s, err
		}
		t.session.Connection = connection.ID
	}
	s.label = connection.Label
	s.account, err = t.accounts.Open(ctx, connection)
	return s, err
}

// converse answers the turn with the model. It leaves the turn to the reader (done is false) where there is no model,
// where the task is a single call or picks an option of a question, where the reader had begun already, and where the
// model fails, or says nothing, before anything was done.
func (t *turn) converse(ctx, record context.Context) (out reply, done bool, err error) {
	if t.model.Model == nil || t.session.Kind == stockhand.SessionDirect {
		return out, false, nil
	}
	steps, err := t.store.ModelSteps(record, t.org, t.run.ID)
	if err != nil {
		return out, true, err
	}
	calls, err := t.store.ToolCalls(record, t.org, t.run.ID)
	if err != nil {
		return out, true, err
	}
	if slices.ContainsFunc(calls, func(c stockhand.ToolCall) bool { return c.Step == 0 }) { // the reader's
		for _, s := range steps {
			t.used.Input, t.used.Output = t.used.Input+s.InputTokens, t.used.Output+s.OutputTokens
		}
		return out, false, nil
	}
	s, err := t.subject(ctx)
	out.results, out.drafts = []stockhand.ResultID{}, []stockhand.DraftID{}
	switch {
	case err != nil:
		return out, true, err
	case s.byReader:
		return out, false, nil
	case s.question != nil:
		out.text = questionText(*s.question)
		return out, true, t.append(record, stockhand.EventQuestion, s.question)
	case s.text != "":
		out.text = s.text
		return out, true, nil
	}
	l, err := t.newLoop(ctx, s, calls)
	if err != nil {
		return out, true, err
	}
	out, err = l.run(ctx, record, steps)
	t.used = l.used
	if stockhand.CodeOf(err) == stockhand.CodeModelUnavailable && len(l.made)+len(l.stored) == 0 {
		t.logger.Warn("the model failed; the task is read without it", "run", t.run.ID, "err", err)
		return out, false, l.notice(record, tool.Notice{Code: tool.NoticeNoModel, Message: t.language.Pick(
			"Языковая модель не ответила; задача понята без неё.",
			"The language model did not answer; the task was read without it.")})
	}
	return out, true, err
}
