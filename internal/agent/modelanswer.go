package agent

import (
	"context"
	"slices"
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent/claims"
	"github.com/stockhand/stockhand/internal/agent/render"
	"github.com/stockhand/stockhand/internal/grounding"
	"github.com/stockhand/stockhand/internal/language"
	"github.com/stockhand/stockhand/internal/tool"
)

// finishWith returns the reply for the model's final text: it checks the figures against what this run has read, marks
// those not found, and adds the notices that the text omits. A model's text becomes an answer only through here.
func (l *loop) finishWith(record context.Context, words string) (reply, error) {
	words = string(render.Sanitize(words, l.model.Links...))
	if strings.TrimSpace(words) == "" {
		return l.finishWithout(record)
	}
	e, err := l.evidence(record)
	if err != nil {
		return reply{}, err
	}
	checked := grounding.Check(words, l.language, e)
	if checked.Err != nil {
		return reply{}, checked.Err
	}
	if n, ok := checked.Notice(l.language); ok {
		if err := l.notice(record, n); err != nil {
			return reply{}, err
		}
	}
	said, err := l.notices(record)
	if err != nil {
		return reply{}, err
	}
	sent := slices.DeleteFunc(said, func(n tool.Notice) bool { return n.Code != tool.NoticeSent })
	left := append(sent, l.leftOut(checked.Text)...)
	proposes := language.Read(l.task, language.Input{Now: l.now()}).Skill.Proposes()
	if n, ok := claims.Denial(checked.Text, l.task, l.draft != nil, proposes, l.language); ok {
		if err := l.notice(record, n); err != nil {
			return reply{}, err
		}
		left = append([]tool.Notice{n}, left...)
	}
	return l.reply(render.WithNotices(render.Markdown(checked.Text), left)), nil
}

// evidence returns what the figures of an answer may come from: this run's results and drafts, then the last results of
// the session (rule R363). The rows of the results are read in pages.
func (l *loop) evidence(record context.Context) (grounding.Evidence, error) {
	e := grounding.Evidence{Messages: []string{l.task, l.message.Text}, Sources: slices.Clone(l.sources)}
	for _, r := range l.results {
		i := slices.IndexFunc(e.Sources, func(s grounding.Source) bool { return s.ID == string(r.id) })
		e.Sources[i].Result, e.Sources[i].Pages = r.Result, &grounding.Pages{Count: r.Count, Read: r.read}
	}
	for _, id := range l.numbered[max(0, len(l.numbered)-earlierResults):] {
		s, err := l.earlierSource(record, id)
		if code := stockhand.CodeOf(err); code == stockhand.CodeNotFound || code == stockhand.CodeResultExpired {
			continue // of another account or employee, or gone
		}
		if err != nil {
			return e, err
		}
		e.Sources = append(e.Sources, s)
	}
	return e, nil
}

// earlierResults is how many of the session's earlier results the figures of an answer may come from.
const earlierResults = 8

// earlierSource returns a result of an earlier turn that the turn may read, with the arguments of its call.
func (l *loop) earlierSource(ctx context.Context, id stockhand.ResultID) (s grounding.Source, err error) {
	if _, err := l.resultOfSession(ctx, id); err != nil {
		return s, err
	}
	kept, err := l.store.Result(ctx, l.org, id)
	if err != nil {
		return s, err
	}
	if kept.Expired {
		return s, stockhand.ErrResultExpired
	}
	calls, err := l.store.ToolCalls(ctx, l.org, kept.Run)
	if err != nil {
		return s, err
	}
	r, err := l.readResult(ctx, id)
	if err != nil {
		return s, err
	}
	s = grounding.Source{ID: string(id), Result: r.Result, Pages: &grounding.Pages{Count: r.Count, Read: r.read}}
	if i := slices.IndexFunc(calls, func(c stockhand.ToolCall) bool { return c.Result == id }); i >= 0 {
		s.Arguments = calls[i].Arguments
	}
	return s, nil
}

// finishWithout answers with the tools' own answers, if the model said nothing.
func (l *loop) finishWithout(record context.Context) (reply, error) {
	said, err := l.notices(record)
	if err != nil {
		return reply{}, err
	}
	switch {
	case l.draft != nil:
		return l.reply(render.WithNotices("", said)), nil
	case len(l.results) > 0:
		text, err := render.Result(l.results[len(l.results)-1].Table, l.language, said...)
		return l.reply(text), err
	}
	for _, s := range l.sources {
		if s.Proposal != nil {
			return l.reply(render.WithNotices(render.Plain(s.Proposal.Answer), said)), nil
		}
	}
	return reply{}, &stockhand.Error{
		Code: stockhand.CodeModelUnavailable, Message: "the language model gave no answer",
		Hint: "put the question another way, or more narrowly",
		RU:   stockhand.Words{Message: "языковая модель не дала ответа", Hint: "спросите иначе или сузьте вопрос"},
	}
}

// finishOver answers with what there is if the budget does not allow another model call.
func (l *loop) finishOver(record context.Context) (reply, error) {
	err := l.notice(record, tool.Notice{Code: tool.NoticeNoModel, Message: l.language.Pick(
		"Лимит языковой модели исчерпан; показано то, что уже прочитано.",
		"The language model's limit is used up; this is what had been read.")})
	if err != nil {
		return reply{}, err
	}
	return l.finishWithout(record)
}

// reply ends the run with the text. A draft of the run is shown below it in full, whatever the text says: the user's
// next message may confirm it, and what is confirmed must be what was shown.
func (l *loop) reply(text render.Markdown) reply {
	out := reply{text: text, results: []stockhand.ResultID{}, drafts: []stockhand.DraftID{}}
	for _, r := range l.results {
		out.results = append(out.results, r.id)
	}
	if l.draft != nil {
		out.drafts = append(out.drafts, l.draft.ID)
		if text != "" {
			text += "\n\n"
		}
		out.text = text + render.Draft(*l.draft, l.language)
	}
	return out
}

// leftOut returns the notices of this run's results that the text does not contain. Notices of a draft are shown with
// the draft.
func (l *loop) leftOut(text string) []tool.Notice {
	var all []tool.Notice
	for _, r := range l.results {
		all = append(all, r.Notices...)
	}
	return grounding.Missing(text, all)
}
