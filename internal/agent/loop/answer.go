package loop

import (
	"context"
	"slices"
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent/claims"
	"github.com/stockhand/stockhand/internal/agent/render"
	"github.com/stockhand/stockhand/internal/agent/results"
	"github.com/stockhand/stockhand/internal/grounding"
	"github.com/stockhand/stockhand/internal/tool"
)

// finishWith returns the reply for the model's final text: it checks the figures against what this run has read, marks
// those not found, and adds the notices that the text omits. A model's text becomes an answer only through here.
func (l *Loop) finishWith(record context.Context, words string) (Answer, error) {
	words = string(render.Sanitize(words, l.model.Links...))
	if strings.TrimSpace(words) == "" {
		return l.finishWithout(record)
	}
	e, err := l.evidence(record)
	if err != nil {
		return Answer{}, err
	}
	checked := grounding.Check(words, l.Language, e)
	if checked.Err != nil {
		return Answer{}, checked.Err
	}
	if n, ok := checked.Notice(l.Language); ok {
		if err := l.turn.Notice(record, n); err != nil {
			return Answer{}, err
		}
	}
	said, err := l.turn.Notices(record)
	if err != nil {
		return Answer{}, err
	}
	sent := slices.DeleteFunc(said, func(n tool.Notice) bool { return n.Code != tool.NoticeSent })
	left := append(sent, l.leftOut(checked.Text)...)
	if n, ok := claims.Denial(checked.Text, l.Text, l.draft != nil, l.Requested, l.Language); ok {
		if err := l.turn.Notice(record, n); err != nil {
			return Answer{}, err
		}
		left = append([]tool.Notice{n}, left...)
	}
	return l.reply(render.WithNotices(render.Markdown(checked.Text), left)), nil
}

// evidence returns what the figures of an answer may come from: this run's results and drafts, then the last results of
// the session (rule R363). The rows of the results are read in pages.
func (l *Loop) evidence(record context.Context) (grounding.Evidence, error) {
	e := grounding.Evidence{Messages: []string{l.Text, l.Words}, Sources: slices.Clone(l.sources)}
	for _, r := range l.results {
		i := slices.IndexFunc(e.Sources, func(s grounding.Source) bool { return s.ID == string(r.ID) })
		e.Sources[i].Result, e.Sources[i].Pages = r.Result, &grounding.Pages{Count: r.Count, Read: r.Page}
	}
	for _, id := range l.Numbered[max(0, len(l.Numbered)-earlierResults):] {
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
func (l *Loop) earlierSource(ctx context.Context, id stockhand.ResultID) (s grounding.Source, err error) {
	if _, err := l.result(ctx, id); err != nil {
		return s, err
	}
	kept, err := l.store.Result(ctx, l.Run.Org, id)
	if err != nil {
		return s, err
	}
	if kept.Expired {
		return s, stockhand.ErrResultExpired
	}
	calls, err := l.store.ToolCalls(ctx, l.Run.Org, kept.Run)
	if err != nil {
		return s, err
	}
	r, err := results.Read(ctx, l.store, l.Run.Org, id)
	if err != nil {
		return s, err
	}
	s = grounding.Source{ID: string(id), Result: r.Result, Pages: &grounding.Pages{Count: r.Count, Read: r.Page}}
	if i := slices.IndexFunc(calls, func(c stockhand.ToolCall) bool { return c.Result == id }); i >= 0 {
		s.Arguments = calls[i].Arguments
	}
	return s, nil
}

// finishWithout answers with the tools' own answers, if the model said nothing.
func (l *Loop) finishWithout(record context.Context) (Answer, error) {
	said, err := l.turn.Notices(record)
	if err != nil {
		return Answer{}, err
	}
	switch {
	case l.draft != nil:
		return l.reply(render.WithNotices("", said)), nil
	case len(l.results) > 0:
		text, err := render.Result(l.results[len(l.results)-1].Table, l.Language, said...)
		return l.reply(text), err
	}
	for _, s := range l.sources {
		if s.Proposal != nil {
			return l.reply(render.WithNotices(render.Plain(s.Proposal.Answer), said)), nil
		}
	}
	return Answer{}, &stockhand.Error{
		Code: stockhand.CodeModelUnavailable, Message: "the language model gave no answer",
		Hint: "put the question another way, or more narrowly",
		RU:   stockhand.Words{Message: "языковая модель не дала ответа", Hint: "спросите иначе или сузьте вопрос"},
	}
}

// finishOver answers with what there is if the budget does not allow another model call.
func (l *Loop) finishOver(record context.Context) (Answer, error) {
	err := l.turn.Notice(record, tool.Notice{Code: tool.NoticeNoModel, Message: l.Language.Pick(
		"Лимит языковой модели исчерпан; показано то, что уже прочитано.",
		"The language model's limit is used up; this is what had been read.")})
	if err != nil {
		return Answer{}, err
	}
	return l.finishWithout(record)
}

// finishDown answers with what there is if the model fails in the middle of the run.
func (l *Loop) finishDown(record context.Context) (Answer, error) {
	err := l.turn.Notice(record, tool.Notice{Code: tool.NoticeNoModel, Message: l.Language.Pick(
		"Языковая модель перестала отвечать; показано то, что уже прочитано.",
		"The language model stopped answering; this is what had been read.")})
	if err != nil {
		return Answer{}, err
	}
	return l.finishWithout(record)
}

// reply ends the run with the text. A draft of the run is shown below it in full, whatever the text says: the user's
// next message may confirm it, and what is confirmed must be what was shown.
func (l *Loop) reply(text render.Markdown) Answer {
	out := Answer{Text: text, Results: []stockhand.ResultID{}, Drafts: []stockhand.DraftID{}}
	for _, r := range l.results {
		out.Results = append(out.Results, r.ID)
	}
	if l.draft != nil {
		out.Drafts = append(out.Drafts, l.draft.ID)
		if text != "" {
			text += "\n\n"
		}
		out.Text = text + render.Draft(*l.draft, l.Language)
	}
	return out
}

// leftOut returns the notices of this run's results that the text does not contain. Notices of a draft are shown with
// the draft.
func (l *Loop) leftOut(text string) []tool.Notice {
	var all []tool.Notice
	for _, r := range l.results {
		all = append(all, r.Notices...)
	}
	return grounding.Missing(text, all)
}
