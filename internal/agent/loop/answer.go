package loop

import (
	"context"
	"slices"
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent/blocks"
	"github.com/stockhand/stockhand/internal/agent/claims"
	"github.com/stockhand/stockhand/internal/agent/failure"
	"github.com/stockhand/stockhand/internal/agent/render"
	"github.com/stockhand/stockhand/internal/agent/results"
	"github.com/stockhand/stockhand/internal/grounding"
	"github.com/stockhand/stockhand/internal/llm"
	"github.com/stockhand/stockhand/internal/tool"
)

// conclude ends the run with the model's final text, or sends the text back once if figures of it were found nowhere
// (rule R365): then done is false.
func (l *Loop) conclude(record context.Context, words string) (out Answer, done bool, err error) {
	now, err := l.examine(record, words)
	if err != nil {
		return out, true, err
	}
	if l.first == nil && l.step < int64(l.model.Limits.MaxIterations) {
		if back := l.review(now); back != "" {
			l.first = now
			l.said = append(l.said, exchange{message: llm.Message{Role: llm.Assistant, Content: words}, back: back})
			return out, false, nil
		}
	}
	out, err = l.deliver(record, better(l.first, now))
	return out, true, err
}

// deliver returns the reply for a text: with marks at the figures not found, the tables in their places, and the
// notices that it omits. A model's text becomes an answer only through here.
func (l *Loop) deliver(record context.Context, a *examined) (Answer, error) {
	if strings.TrimSpace(a.words) == "" {
		if l.Began() && l.draft == nil {
			err := l.turn.Notice(record, tool.Notice{Code: tool.NoticeNoModel, Message: l.Language.Pick(
				"Языковая модель не ответила словами; показано то, что прочитано.",
				"The language model did not answer in words; this is what was read.")})
			if err != nil {
				return Answer{}, err
			}
		}
		return l.finishWithout(record)
	}
	if n, ok := a.checked.Notice(l.Language); ok {
		if err := l.turn.Notice(record, n); err != nil {
			return Answer{}, err
		}
	}
	said, err := l.turn.Notices(record)
	if err != nil {
		return Answer{}, err
	}
	w, err := l.write(record, a)
	if err != nil {
		return Answer{}, err
	}
	left := slices.DeleteFunc(said, func(n tool.Notice) bool { return n.Code != tool.NoticeSent })
	left = append(left, grounding.Missing(w.text, l.noticesOf(a, w))...)
	if n, ok := claims.Denial(a.words, l.Text, l.draft != nil, l.Requested, l.Language); ok {
		if err := l.turn.Notice(record, n); err != nil {
			return Answer{}, err
		}
		left = append([]tool.Notice{n}, left...)
	}
	out := l.reply(render.WithNotices(render.Markdown(w.text), left))
	out.Blocks = w.blocks
	if l.draft != nil {
		out.Blocks = append(out.Blocks, blocks.OfDraft(*l.draft))
	}
	if l.split != nil {
		out.Blocks = append(out.Blocks, blocks.OfDraft(*l.split))
	}
	if len(w.used) > 0 { // what was read on the way is not listed
		out.Results = slices.DeleteFunc(out.Results,
			func(id stockhand.ResultID) bool { return !slices.Contains(w.used, string(id)) })
	}
	return out, nil
}

// noticesOf returns the notices of the results that an answer uses; of all of this run if it uses none. How many rows a
// table leaves out concerns only those who see it.
func (l *Loop) noticesOf(a *examined, w *written) []tool.Notice {
	used := w.used
	if len(used) == 0 {
		for _, r := range l.results {
			used = append(used, string(r.ID))
		}
	}
	var all []tool.Notice
	for _, s := range a.sources {
		if s.Result == nil || !slices.Contains(used, s.ID) {
			continue
		}
		shown := slices.ContainsFunc(w.blocks, func(b blocks.Block) bool { return string(b.Result) == s.ID })
		for _, n := range s.Result.Notices {
			if n.Code == tool.NoticeTruncated && !shown {
				continue
			}
			n.Message = strings.Join(strings.Fields(n.Message), " ")
			all = append(all, n)
		}
	}
	return all
}

// evidence returns what the figures of an answer may come from: this run's results and drafts, then the last results of
// the session (rule R363). The rows of the results are read in pages.
func (l *Loop) evidence(record context.Context) (grounding.Evidence, error) {
	e := grounding.Evidence{Messages: append([]string{l.Text, l.Words}, l.Stated...), Sources: slices.Clone(l.sources)}
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

// mostFound is how many results an answer without words shows.
const mostFound = 4

// finishWithout answers with what the tools returned, if the model said nothing: the draft, or the last results that
// have rows, with the names of the others.
func (l *Loop) finishWithout(record context.Context) (Answer, error) {
	said, err := l.turn.Notices(record)
	if err != nil {
		return Answer{}, err
	}
	if l.draft != nil {
		return l.reply(render.WithNotices("", said)), nil
	}
	if len(l.results) > 0 {
		return l.found(said)
	}
	for _, s := range l.sources {
		if s.Proposal != nil {
			return l.reply(render.WithNotices(render.Plain(s.Proposal.Answer), said)), nil
		}
	}
	down := slices.ContainsFunc(said, func(n tool.Notice) bool { return n.Code == tool.NoticeNoModel })
	if len(l.failures) > 0 || down {
		text := render.Plain(l.Language.Pick("Прочитать ничего не удалось.", "Nothing could be read."))
		for _, f := range l.failures[max(0, len(l.failures)-mostFound):] {
			if why := "\n- " + render.Plain(failure.ForPeople(f, l.Language).Message); !strings.Contains(string(text),
				string(why)) {
				text += why
			}
		}
		return l.reply(render.WithNotices(text, said)), nil
	}
	return Answer{}, &stockhand.Error{
		Code: stockhand.CodeModelUnavailable, Message: "the language model gave no answer",
		Hint: "put the question another way, or more narrowly",
		RU:   stockhand.Words{Message: "языковая модель не дала ответа", Hint: "спросите иначе или сузьте вопрос"},
	}
}

// found shows the results of the run themselves.
func (l *Loop) found(said []tool.Notice) (Answer, error) {
	shown := slices.DeleteFunc(slices.Clone(l.results), func(r results.Stored) bool { return r.Count == 0 })
	if len(shown) == 0 { // that nothing was found is an answer, too
		shown = l.results[len(l.results)-1:]
	}
	rest := shown[:max(0, len(shown)-mostFound)]
	shown = shown[len(rest):]
	if len(shown) == 1 && len(rest) == 0 {
		text, err := render.Result(shown[0].Table, l.Language, said...)
		if err != nil {
			return Answer{}, err
		}
		out := l.reply(text)
		out.Blocks, err = blocks.OfResult(shown[0].ID, shown[0].Table, string(render.Sentence(shown[0].Table, said...)),
			l.Language)
		return out, err
	}
	var parts []string
	var all []blocks.Block
	for _, r := range shown {
		heading := "**" + string(render.Plain(r.Title)) + "**"
		text, err := render.Result(r.Table, l.Language)
		if err != nil {
			return Answer{}, err
		}
		parts = append(parts, heading+"\n\n"+string(text))
		part, err := blocks.OfResult(r.ID, r.Table, string(render.Sentence(r.Table)), l.Language)
		if err != nil {
			return Answer{}, err
		}
		all = append(append(all, blocks.Of(heading)...), part...)
	}
	if len(rest) > 0 {
		var names []string
		for _, r := range rest {
			if name := string(render.Plain(r.Title)); !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
		more := l.Language.Pick("Также прочитано: ", "Also read: ") + strings.Join(names, "; ") + "."
		parts, all = append(parts, more), append(all, blocks.Of(more)...)
	}
	out := l.reply(render.WithNotices(render.Markdown(strings.Join(parts, "\n\n")), said))
	out.Blocks = all
	return out, nil
}

// reply ends the run with the text. A draft of the run is shown below it in full, whatever the text says: the user's
// next message may confirm it, and what is confirmed must be what was shown.
func (l *Loop) reply(text render.Markdown) Answer {
	out := Answer{Text: text, Results: []stockhand.ResultID{}, Drafts: []stockhand.DraftID{}}
	for _, r := range l.results {
		out.Results = append(out.Results, r.ID)
	}
	for _, d := range []*tool.Draft{l.draft, l.split} {
		if d == nil {
			continue
		}
		out.Drafts = append(out.Drafts, d.ID)
		if out.Text != "" {
			out.Text += "\n\n"
		}
		out.Text += render.Draft(*d, l.Language)
	}
	return out
}
