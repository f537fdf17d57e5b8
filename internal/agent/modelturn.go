package agent

import (
	"context"
	"slices"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent/aside"
	"github.com/stockhand/stockhand/internal/agent/dialogue"
	"github.com/stockhand/stockhand/internal/agent/loop"
	"github.com/stockhand/stockhand/internal/language"
	"github.com/stockhand/stockhand/internal/llm"
	"github.com/stockhand/stockhand/internal/notes"
	"github.com/stockhand/stockhand/internal/tool"
)

// Model configures answering with a language model. The zero value answers without one.
type Model = loop.Model

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
			t.used, t.cost = t.used.Plus(loop.UsedBy(s)), t.cost+s.Cost
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
			// it needs no account
			out, err = t.say(record, decision{text: aside.WithoutTool(s.task, t.language, s.reading)})
		} else if err == nil {
			out, err = t.say(record, decision{question: question})
		}
		return out, true, err
	}
	if t.model.Reader == llm.ReaderFirst && len(steps) == 0 && s.answers == "" && t.certain(ctx, &s) {
		return out, false, nil
	}
	var given decision
	if t.model.Reader == llm.ReaderHint && len(steps) == 0 && s.answers == "" && t.certain(ctx, &s) &&
		s.reading.Skill.Reads() {
		given = t.decide(s)
	}
	l, err := t.newLoop(ctx, s, calls)
	if err != nil {
		return newReply(), true, err
	}
	if given.tool != "" {
		l.Hint = "" // the call says it
		if steps, err = l.Given(record, given.tool, given.arguments); err != nil {
			return newReply(), true, err
		}
	}
	answer, err := l.Answer(ctx, record, steps)
	t.used, t.cost = l.Used()
	if q := answer.Asking; q != nil && err == nil {
		asked := &Question{Text: q.Question}
		for _, o := range q.Options {
			asked.Options = append(asked.Options, Option{Text: o})
		}
		out, err = t.say(record, decision{question: asked})
		out.results = answer.Results
		return out, true, err
	}
	if l.Began() {
		return reply{answer.Text, answer.Blocks, answer.Results, answer.Drafts}, true, err
	}
	switch { // nothing was done yet: the reader takes over
	case stockhand.CodeOf(err) == stockhand.CodeModelUnavailable:
		t.logger.Warn("the model failed; continuing without it", "run", t.run.ID, "err", err)
		return out, false, t.Notice(record, tool.Notice{Code: tool.NoticeNoModel, Message: t.language.Pick(
			"Языковая модель не ответила; вопрос разобран без неё.",
			"The language model did not answer; the question was read without it.")})
	case llm.IsOverMonth(err):
		return out, false, t.Notice(record, tool.Notice{Code: tool.NoticeNoModel, Message: t.language.Pick(
			"Бюджет языковой модели на этот месяц исчерпан; вопрос разобран без неё.",
			"This month's budget for the language model is used up; the question was read without it.")})
	case llm.IsOver(err):
		return out, false, t.Notice(record, tool.Notice{Code: tool.NoticeNoModel, Message: t.language.Pick(
			"Вопрос с перепиской не укладывается в лимит одного ответа языковой модели; он разобран без неё.",
			"The question and its conversation do not fit the limit of one answer of the language model; it was "+
				"read without it.")})
	}
	return reply{answer.Text, answer.Blocks, answer.Results, answer.Drafts}, true, err
}

// newLoop returns the work of the model on the task.
func (t *turn) newLoop(ctx context.Context, s subject, calls []stockhand.ToolCall) (*loop.Loop, error) {
	of := loop.Task{Text: s.task, Words: t.message.Text, Language: t.language, Now: t.now, Run: t.run,
		Connection: t.session.Connection, Reader: t.readerOf(s.account), Calls: calls,
		Change:    wantsChange(s.task, s.reading) || wantsChange(s.answers, language.Reading{}),
		Requested: s.reading.Skill.Proposes()}
	var err error
	if t.numbered, err = t.store.EarlierResults(ctx, t.org, t.session.ID, t.run.ID); err != nil {
		return nil, err
	}
	of.Numbered = t.numbered
	past, err := t.conversation(ctx, s.account.Identity().Account)
	if err != nil {
		return nil, err
	}
	of.Past, of.Recall, of.Stated = past.Past, past.Recall, past.Laid
	if of.Tools, of.Externals, err = t.withExternalTools(ctx, t.allowed(s.account.Tools())); err != nil {
		return nil, err
	}
	of.Reader.Own = true
	of.OpenDrafts = t.openDrafts(s.account.Identity().Account)
	for _, c := range of.Externals {
		of.Reader.External = append(of.Reader.External, c.Account)
	}
	if t.model.Reader == llm.ReaderFirst || t.model.Reader == llm.ReaderHint {
		of.Hint = dialogue.Hint(s.reading, s.connection.Connector+"_")
	}
	noted := ""
	if t.notes != nil {
		if noted, err = t.notes.Text(ctx, t.org); err != nil {
			return nil, err
		}
		of.NoteChange = func(ctx context.Context, remove, add string, l stockhand.Language) (tool.Document, error) {
			return t.notes.Document(ctx, t.org, notes.Change{Remove: remove, Add: add}, l)
		}
		of.Stated = append(of.Stated, noted)
	}
	own, err := t.ownMeasures(ctx, s.connection, of.Tools)
	of.Instructions = instructions(t, s.connection.Label, noted) + own
	of.Fresh = own != "" || loop.AsksFresh(t.message.Text) // own measures may have changed
	return loop.New(t, t.store, t.model, t.logger, of), err
}

// Notify delivers an event to the run's followers without storing it.
func (t *turn) Notify(e stockhand.Event) { t.engine.Notify(e) }

// Wait frees the turn's worker until resume is called.
func (t *turn) Wait(ctx context.Context) (resume func()) { return t.delivery.Wait(ctx) }

// Span starts a span below the one in ctx.
func (t *turn) Span(ctx context.Context, name string) (inner context.Context, end func(failure error)) {
	return span(ctx, name)
}

// certain looks up the names in the task and reports whether the reader is then certain of it.
func (t *turn) certain(ctx context.Context, s *subject) bool {
	if s.reading.Skill.Calls() && len(dialogue.Unknown(s.reading)) > 0 {
		resume := t.delivery.Wait(ctx)
		complete, err := t.lookUp(ctx, s)
		resume()
		if err != nil || !complete { // the model may do without the names
			return false
		}
	}
	return s.input.Catalogue != nil && dialogue.Certain(s.reading)
}
