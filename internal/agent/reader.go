package agent

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent/aside"
	"github.com/stockhand/stockhand/internal/agent/blocks"
	"github.com/stockhand/stockhand/internal/agent/loop"
	"github.com/stockhand/stockhand/internal/agent/render"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/language/act"
	"github.com/stockhand/stockhand/internal/tool"
)

// answerWithReader answers the turn without a model: the task is read into one call, a question or a text. It does not
// read the task again if the run has a given call, or one that an earlier worker stored.
func (t *turn) answerWithReader(ctx, record context.Context, calls []stockhand.ToolCall) (reply, error) {
	c, account, err := t.storedCall(ctx, calls)
	if err != nil {
		return newReply(), err
	}
	if c == nil ||
		t.session.Kind != stockhand.SessionDirect && !t.start.Call && len(aside.Segments(t.message.Text)) > 1 {
		d, err := t.understand(ctx)
		switch {
		case err != nil:
			return newReply(), err
		case len(d.several) > 0:
			return t.answerEach(ctx, record, d, calls)
		case c != nil: // the one that an earlier worker stored
		case d.question != nil || d.text != "":
			if err := t.Notice(record, d.notices...); err != nil {
				return newReply(), err
			}
			return t.say(record, d)
		default:
			if err := t.Notice(record, d.notices...); err != nil {
				return newReply(), err
			}
			c, account = &stockhand.ToolCall{Run: t.run.ID, Seq: 1, Tool: d.tool, Arguments: d.arguments}, d.account
		}
	}
	fn, err := t.permitted(account, c.Tool)
	if err != nil {
		return newReply(), err
	}
	planned := &loop.Call{ToolCall: *c, Fn: fn.IntoDrafts(), Over: t.session.Connection}
	if err := t.Begin(record, planned); err != nil {
		return newReply(), err
	}
	outcome, err := t.Perform(ctx, record, planned)
	if failed := t.Sent(record, planned, cmp.Or(outcome.Failure, err)); err == nil {
		err = failed
	}
	if err != nil {
		return newReply(), err
	}
	if text := notPrepared(outcome.Failure, t.language); text != "" && fn.Proposes() {
		r := newReply()
		r.text = text
		return r, nil
	}
	if text := notCounted(outcome.Failure, t.language); text != "" && !fn.Proposes() && !t.start.Call &&
		t.session.Kind != stockhand.SessionDirect {
		r := newReply()
		r.text = text
		return r, nil
	}
	if m := outcome.Missing; m != nil && !t.start.Call && t.session.Kind != stockhand.SessionDirect {
		return t.say(record, decision{question: asksFor(m, c)})
	}
	return t.answer(record, outcome)
}

// asksFor asks for what a proposal cannot do without (rule R675). The options are the call with each value.
func asksFor(m *tool.Missing, c *stockhand.ToolCall) *Question {
	const most = 12
	q := &Question{Text: m.Question}
	for _, v := range m.Values[:min(most, len(m.Values))] {
		var all map[string]any
		if json.Unmarshal(c.Arguments, &all) != nil {
			continue
		}
		all[m.Argument] = v
		q.Options = append(q.Options, Option{Text: fmt.Sprintf(m.Label, v), Tool: c.Tool, Arguments: encode(all)})
	}
	return q
}

// notCounted says why figures that were asked for in plain words cannot be shown together (rule R353); "" for any other
// failure.
func notCounted(failed error, l stockhand.Language) render.Markdown {
	e, ok := errors.AsType[*stockhand.Error](failed)
	if !ok || e.Code != stockhand.CodeValidation || len(e.Fields) == 0 {
		return ""
	}
	return render.Plain(fmt.Sprintf(l.Pick("Вместе это посчитать нельзя: %s.\nУберите одно из условий или разрез.",
		"This cannot be combined: %s.\nLeave out one of the conditions or breakdowns."),
		strings.TrimRight(e.Fields[0].Message, ".")))
}

// notPrepared says why a draft that was asked for in plain words cannot be prepared (rule R353); "" for any failure
// that the person cannot mend by asking for something else.
func notPrepared(failed error, l stockhand.Language) render.Markdown {
	e, ok := errors.AsType[*stockhand.Error](failed)
	if !ok || e.Code != stockhand.CodeValidation || len(e.Fields) == 0 {
		return ""
	}
	return render.Plain(fmt.Sprintf(l.Pick("Ничего не подготовлено: %s.\nИзмените это условие или уберите его. "+
		"Например: «закажи то, чего не хватает».",
		"Nothing was prepared: %s.\nChange that condition, or leave it out. For example: “order what is short”."),
		strings.TrimRight(e.Fields[0].Message, ".")))
}

// storedCall returns the call that was stored with the run, or by an earlier worker, with its account.
func (t *turn) storedCall(ctx context.Context, calls []stockhand.ToolCall) (*stockhand.ToolCall, connector.Account,
	error) {
	if len(calls) == 0 {
		return nil, nil, nil
	}
	c, err := t.store.Connection(ctx, t.org, t.session.Connection)
	if err != nil {
		return nil, nil, err
	}
	t.zone = t.kind(c).Zone
	account, err := t.accounts.Open(ctx, c)
	return &calls[len(calls)-1], account, err
}

// say returns the reply of a turn without calls: a question or a text.
func (t *turn) say(record context.Context, d decision) (reply, error) {
	r, q := newReply(), d.question
	if q == nil {
		if r.text = d.text; len(d.charts) > 0 {
			r.blocks = append(blocks.Of(string(d.text)), d.charts...)
		}
		return r, nil
	}
	r.text, r.blocks = q.Message(), blocks.OfQuestion(q)
	return r, t.append(record, stockhand.EventQuestion, q)
}

// decision is what to do about a task: call a tool, ask, or reply with a text.
type decision struct {
	tool      string
	arguments json.RawMessage
	account   connector.Account

	question *Question
	text     render.Markdown
	charts   []blocks.Block // below the text

	notices []tool.Notice
	several []question // in place of tool and arguments
}

// understand reads the task, with names from the account if necessary. Its errors end the run.
func (t *turn) understand(ctx context.Context) (decision, error) {
	s, err := t.readTask(ctx)
	if err != nil {
		return decision{}, err
	}
	if q := t.assume(&s); q != nil {
		return decision{question: q}, nil
	}
	if s.chosen == nil && s.assumed == "" && s.each == nil {
		if text, err := t.aside(&s); text != "" || err != nil {
			d := decision{text: text}
			if act.Read(s.task).Kind == act.Chart && err == nil {
				d.charts, err = s.last.Charts(t.language)
			}
			return d, err
		}
	}
	if question, err := t.chooseAccount(ctx, &s); err != nil || question != nil {
		return decision{question: question}, err
	}
	if s.chosen != nil && s.chosen.Tool != "" {
		return decision{tool: s.chosen.Tool, arguments: s.stillOpen(s.chosen.Arguments), account: s.account}, nil
	}
	if all := t.several(s); len(all) > 0 {
		return decision{several: all, account: s.account}, nil
	}
	if len(s.reading.Unknown) == 0 {
		return t.decide(s), nil
	}
	resume := t.delivery.Wait(ctx)
	complete, err := t.lookUp(ctx, &s)
	resume()
	if err != nil {
		return decision{}, err
	}
	if !complete && len(s.reading.Unknown) > 0 {
		return decision{text: render.Plain(aside.NotLookedUp(t.language, s.reading.Unknown))}, nil
	}
	if all := t.several(s); len(all) > 0 {
		return decision{several: all, account: s.account}, nil
	}
	return t.decide(s), nil
}

// decide turns a reading into a decision.
func (t *turn) decide(s subject) decision {
	r, l, prefix := s.reading, t.language, s.connection.Connector+"_"
	menu := r.Question != nil && r.Question.Menu && s.input.Catalogue != nil
	for _, p := range r.Unknown {
		// Ignoring a given name would answer another question, and a menu does not ask about an unknown one (rule
		// R1085).
		if p.Named || menu && len(r.Unknown) == 1 && likeNames(r.Unknown) != "" {
			return decision{question: aside.NotFound(l, p, s.input.NamesOf(p.Kinds[0]))}
		}
	}
	if r.Question != nil {
		q := &Question{Text: r.Question.Text}
		for _, o := range r.Question.Options {
			option := Option{Text: o.Text}
			if o.Skill.Calls() {
				option.Tool, option.Arguments = prefix+string(o.Skill), encode(o.ToolInput())
				var replaces bool
				if option.Arguments, replaces = s.replacing(&r, option.Tool, option.Arguments); !replaces {
					option.Arguments, _ = s.withoutDropped(&r, option.Tool, option.Arguments)
				}
			}
			q.Options = append(q.Options, option)
		}
		return decision{question: q}
	}
	if !r.Skill.Calls() {
		return decision{text: aside.WithoutTool(s.task, l, r)}
	}
	if r.Skill.Proposes() && len(r.Unused) > 0 {
		return decision{question: &Question{Text: r.NotUsed(), Options: []Option{}}}
	}
	d := decision{tool: prefix + string(r.Skill), arguments: encode(r.ToolInput()), account: s.account}
	if s.assumed != "" {
		d.notices = append(d.notices, tool.Notice{Code: tool.NoticeAssumed, Message: s.assumed})
	}
	if words := likeNames(r.Unknown); words != "" && r.Skill.Reads() && s.input.Catalogue != nil {
		return decision{question: &Question{Text: fmt.Sprintf(l.Pick("В аккаунте нет такого названия: %s. Показать без него?",
			"The account has nothing called %s. Shall I leave that out?"), words),
			Options: []Option{{Text: cmp.Or(r.Said, r.Skill.Title(l)), Tool: d.tool, Arguments: d.arguments}}}}
	}
	var replaces bool
	d.arguments, replaces = s.replacing(&r, d.tool, d.arguments)
	if r.FollowUp && r.Skill.Proposes() && !replaces {
		var still []tool.Notice
		d.arguments, still = s.withoutDropped(&r, d.tool, d.arguments)
		d.notices = append(d.notices, still...)
		d.notices = append(d.notices, tool.Notice{Code: tool.NoticeOpenDraft, Message: l.Pick(
			"Это новый черновик; прежний не изменён. Если он не нужен, отмените его: «покажи черновики».",
			"This is a new draft; the one before is unchanged. Cancel it if you do not need it: “show drafts”.")})
	}
	if replaces && s.lines && !listed(d.arguments) {
		d.notices = append(d.notices, tool.Notice{Code: tool.NoticeOpenDraft, Message: l.Pick(
			"Количества и цены строк, изменённые вручную, посчитаны заново: проверьте их.",
			"Quantities and prices of lines that were changed by hand are computed again: check them.")})
	}
	var ignored []string
	for _, m := range r.Ignored {
		ignored = append(ignored, "«"+m.Words+"»")
	}
	for _, p := range r.Unknown {
		ignored = append(ignored, "«"+p.Words+"»")
	}
	for _, w := range r.Unused {
		ignored = append(ignored, "«"+w+"»")
	}
	if len(ignored) > 0 {
		d.notices = append(d.notices, tool.Notice{Code: tool.NoticeUnused, Message: fmt.Sprintf(
			l.Pick("Эти слова не учтены: %s.", "I ignored these words: %s."), strings.Join(ignored, ", "))})
	}
	return d
}
