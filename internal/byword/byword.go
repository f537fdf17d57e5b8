// Package byword decides on the drafts of a conversation by a person's words: "подтверждаю", "отмени", "убери соль",
// "верни как было" (rules R61 and R292).
//
// Only the message, its author and stored turns decide. No model or tool takes part, and the agent cannot reach this
// package: it sees a message only if it is none of these (decision 60).
package byword

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent"
	"github.com/stockhand/stockhand/internal/agent/render"
	"github.com/stockhand/stockhand/internal/draft"
	"github.com/stockhand/stockhand/internal/language/act"
)

// confirmTime is how long the answer to a person's "подтверждаю" waits for the documents to be written. Writing
// continues afterwards, and the answer reports the state so far.
const confirmTime = 60 * time.Second

// Store reads the conversation; internal/store documents the methods.
type Store interface {
	Runs(ctx context.Context, org stockhand.OrgID, of stockhand.SessionID) ([]stockhand.Run, error)
	Message(ctx context.Context, org stockhand.OrgID, id stockhand.MessageID) (stockhand.Message, error)
}

// Drafts decides on drafts; package draft documents the methods.
type Drafts interface {
	Draft(ctx context.Context, org stockhand.OrgID, id stockhand.DraftID) (stockhand.Draft, error)
	Find(ctx context.Context, org stockhand.OrgID, f draft.Filter, before stockhand.DraftID,
		limit int) ([]stockhand.Draft, error)
	Confirm(ctx context.Context, actor stockhand.Actor, what draft.Decision) (stockhand.Draft, error)
	Edit(ctx context.Context, actor stockhand.Actor, id stockhand.DraftID, version int64, edits draft.Edits) (
		stockhand.Draft, error)
	Reject(ctx context.Context, actor stockhand.Actor, id stockhand.DraftID, version int64) (stockhand.Draft, error)
	Undo(ctx context.Context, actor stockhand.Actor, id stockhand.DraftID) (stockhand.Draft, error)
}

// Service decides on drafts.
type Service struct {
	Agent  *agent.Agent
	Drafts Drafts
	Store  Store
	Logger *slog.Logger

	// Tape may put a tape into the context that the words of a task are carried out in, and returns what to call with
	// the turn that answers them; nil for nothing. A nil Tape records nothing.
	Tape func(ctx context.Context, t agent.Task) (context.Context, func(context.Context, agent.Turn))
}

// decision is one message while it is carried out.
type decision struct {
	*Service
	task agent.Task
	l    stockhand.Language
	talk conversation
	only stockhand.DocumentID // the lines of this document are meant; empty: of all
}

// outcome is what a message came to: an answer with the drafts that it shows.
type outcome struct {
	text   render.Markdown
	events []stockhand.Event
}

// Do carries out what a message says about the drafts of its conversation and stores the answer. It returns false for
// any other message, which is a task for the agent.
func (s *Service) Do(ctx context.Context, t agent.Task) (turn agent.Turn, done bool, err error) {
	a, confirms := act.Read(t.Text), draft.Confirms(t.Text)
	edits := act.Several(t.Text)
	if !confirms && !ours(a.Kind) && edits == nil {
		if choosing, err := s.choosing(ctx, t); !choosing || err != nil {
			return turn, false, err
		}
	}
	var keep func(context.Context, agent.Turn)
	if s.Tape != nil {
		ctx, keep = s.Tape(ctx, t)
	}
	d := &decision{Service: s, task: t, l: t.Language}
	if d.talk, err = s.conversation(ctx, t); err != nil {
		return turn, false, err
	}
	if option := d.talk.chosen(t.Text); option != "" { // the answer to a question of this package
		confirmed := false
		if option, confirmed = strings.CutPrefix(option, confirming); confirmed {
			confirms, a = true, act.Act{Draft: option}
		} else {
			option, only, _ := strings.Cut(option, inDocument)
			a, confirms, d.only = act.Read(option), false, stockhand.DocumentID(only)
		}
	}
	if d.l == "" {
		if d.l = languageOf(t.Text); d.talk.language != "" && !strings.ContainsFunc(t.Text, unicode.IsLetter) {
			d.l = d.talk.language
		}
	}
	d.task.Language = d.l
	out, err := (*outcome)(nil), error(nil)
	if edits != nil {
		out, err = d.several(ctx, edits)
	}
	if out == nil && err == nil {
		out, err = d.decide(ctx, a, confirms)
	}
	if err != nil || out == nil {
		return turn, false, err
	}
	ctx = context.WithoutCancel(ctx)
	turn, err = s.Agent.Answer(ctx, t.Actor.Org, d.task, out.text, out.events...)
	if err == nil && keep != nil {
		keep(ctx, turn)
	}
	return turn, true, err
}

func ours(k act.Kind) bool {
	switch k {
	case act.Agree, act.Reject, act.Undo, act.Drop, act.Keep, act.Set, act.Scale, act.Drafts,
		act.Total:
		return true
	case act.None, act.All, act.More, act.Export, act.Chart, act.Why, act.Details, act.Lost:
	}
	return false
}

func languageOf(text string) stockhand.Language {
	if strings.ContainsFunc(text, func(r rune) bool { return unicode.Is(unicode.Cyrillic, r) }) {
		return stockhand.Russian
	}
	return stockhand.English
}

func (d *decision) decide(ctx context.Context, a act.Act, confirms bool) (*outcome, error) {
	if a.Kind == act.Drafts {
		return d.list(ctx)
	}
	if !d.task.Actor.May(stockhand.ScopeWriteTools) {
		return nil, nil
	}
	switch {
	case confirms:
		return d.confirm(ctx, a)
	case a.Kind == act.Agree:
		return d.agree(ctx, a)
	case a.Kind == act.Reject:
		return d.reject(ctx, a)
	case a.Kind == act.Undo:
		return d.undo(ctx)
	case a.Weak && a.Kind == act.Set && d.talk.asks && len(a.Names)+len(a.Lines) == 0 && a.From == "" && !a.Each:
		return nil, nil // it answers the question of the last turn
	case a.Weak && len(d.talk.focus) == 0 && !d.later(a):
		return nil, nil
	case a.Kind == act.Total:
		return d.total()
	case a.Kind == act.Drop, a.Kind == act.Keep, a.Kind == act.Set, a.Kind == act.Scale:
		return d.edit(ctx, a)
	}
	return nil, nil
}

func (d *decision) say(ru, en string, values ...any) *outcome {
	return &outcome{text: render.Plain(fmt.Sprintf(d.l.Pick(ru, en), values...))}
}

// show answers with a draft as it is now.
func (d *decision) show(now stockhand.Draft, ru, en string) (*outcome, error) {
	shown, err := d.Agent.ReadDraft(now)
	if err != nil {
		return nil, err
	}
	text := render.Draft(shown, d.l)
	if ru != "" {
		text = render.Plain(d.l.Pick(ru, en)) + "\n\n" + text
	}
	return &outcome{text, []stockhand.Event{agent.DraftShown(shown)}}, nil
}

// refused answers with a refusal of the draft service; other errors are returned.
func (d *decision) refused(err error, ru, en string) (*outcome, error) {
	e, ok := errors.AsType[*stockhand.Error](err)
	if !ok || e.Code == stockhand.CodeInternal {
		return nil, err
	}
	said := e.In(d.l)
	text := d.l.Pick(ru, en) + said.Message
	for _, f := range e.Fields {
		text += ": " + f.Message
	}
	if said.Hint != "" {
		text += ". " + said.Hint
	}
	return &outcome{text: render.Plain(text)}, nil
}

// agree confirms the draft that the last turn showed. Later, a bare "да" may answer something else, and words such as
// "looks good" may only be an opinion: then it asks.
func (d *decision) agree(ctx context.Context, a act.Act) (*outcome, error) {
	switch {
	case a.Draft != "":
		if x := d.meant(a.Draft); x != nil && x.own {
			return d.confirmShown(ctx, x)
		}
		return nil, nil
	case len(d.talk.last) == 1 && d.talk.own && a.Weak:
		return d.sure(d.talk.last[0]), nil
	case a.Weak:
		return nil, nil
	case len(d.talk.last) == 1 && d.talk.own:
		return d.confirmNamed(ctx, d.talk.last[0])
	case len(d.talk.last) > 1:
		return d.which(d.talk.last, confirming, "подтвердить", "confirm")
	case len(d.talk.open) > 1 && d.sends():
		return d.which(d.talk.open, confirming, "подтвердить", "confirm")
	case len(d.talk.open) == 0 && d.talk.figures && strings.Contains(strings.ToLower(d.task.Text), "оформ"):
		return nil, nil // "оформляй" after what is short orders it
	case len(d.talk.open) == 0 && d.sends() && !d.talk.asks:
		return d.confirm(ctx, a)
	case d.talk.asks && !d.sends() || len(d.talk.open) != 1 || !d.talk.open[0].own:
		return nil, nil
	}
	return d.sure(d.talk.open[0]), nil
}

// sends reports whether the words can only be about a draft: "отправляй", and not "да".
func (d *decision) sends() bool {
	text := strings.ToLower(d.task.Text)
	return slices.ContainsFunc([]string{"отправ", "провод", "проведи", "оформ", "тверж", "верди",
		"confirm", "send", "submit", "approve"},
		func(w string) bool { return strings.Contains(text, w) })
}

// total shows the draft that the last answers were about again: its documents have their sums.
func (d *decision) total() (*outcome, error) {
	x := d.meant("")
	if x == nil {
		return nil, nil
	}
	return d.show(x.Draft, "", "")
}

// confirm confirms the draft that the last turn showed, or else the only one of the conversation that waits.
func (d *decision) confirm(ctx context.Context, a act.Act) (*outcome, error) {
	var own []*shown
	for _, x := range d.talk.open {
		if a.Draft != "" && string(x.ID) == a.Draft && x.own {
			return d.confirmShown(ctx, x)
		}
		if x.own {
			own = append(own, x)
		}
	}
	switch {
	case len(d.talk.last) == 1 && d.talk.own:
		return d.confirmNamed(ctx, d.talk.last[0])
	case len(own) == 1 && len(d.talk.open) == 1 && d.talk.unheard && len(d.talk.last) == 0:
		return d.unchanged(own[0]), nil
	case len(own) == 1 && len(d.talk.open) == 1:
		return d.confirmNamed(ctx, own[0])
	case len(own) > 0:
		return d.which(own, confirming, "подтвердить", "confirm")
	}
	out, err := d.list(ctx)
	if out != nil {
		out.text = render.Plain(d.l.Pick("Подтверждать нечего: в этом разговоре нет открытого черновика.",
			"Nothing to confirm: this conversation has no open draft.")) + "\n\n" + out.text
	}
	return out, err
}

// confirmNamed confirms a draft, unless the message names a kind of document that it has none of: "подтверждаю заказ"
// with a change of prices. Then it asks (rule R1096).
func (d *decision) confirmNamed(ctx context.Context, x *shown) (*outcome, error) {
	if !x.isNamed(d.task.Text) {
		return d.sure(x), nil
	}
	return d.confirmShown(ctx, x)
}

func (d *decision) confirmShown(ctx context.Context, x *shown) (*outcome, error) {
	if !d.task.Actor.Person {
		return &outcome{text: render.NeedsPerson(x.ID, d.l)}, nil
	}
	if x.Version == x.version && !render.ShowsEnough(x.content) {
		return &outcome{text: render.NotAllShown(x.Draft, d.l)}, nil
	}
	after, _, failure := d.Settle(ctx, confirmTime, x.Org, x.ID, func(ctx context.Context) (stockhand.Draft, error) {
		return d.Drafts.Confirm(ctx, d.task.Actor, draft.Decision{Draft: x.ID, Version: x.version})
	})
	refused, ours := errors.AsType[*stockhand.Error](failure)
	if failure != nil && (!ours || refused.Code == stockhand.CodeInternal) {
		return nil, failure
	}
	if failure != nil {
		var err error
		if after, err = d.Drafts.Draft(ctx, x.Org, x.ID); err != nil {
			return nil, err
		}
	}
	now, err := d.Agent.ReadDraft(after)
	if err != nil {
		return nil, err
	}
	out := &outcome{text: render.Outcome(now, d.l)}
	if now.Pending() {
		out.events = append(out.events, agent.DraftShown(now))
	}
	if failure != nil {
		out.text = render.NotConfirmed(refused, now, d.l)
	}
	return out, nil
}

// Settle confirms a draft in its own goroutine and waits for it, at most for limit: a confirmation continues after the
// caller disconnects or has waited long enough. It returns the draft so far, and whether the confirmation is complete.
func (s *Service) Settle(ctx context.Context, limit time.Duration, org stockhand.OrgID, id stockhand.DraftID,
	confirm func(context.Context) (stockhand.Draft, error)) (stockhand.Draft, bool, error) {
	type ended struct {
		draft stockhand.Draft
		err   error
	}
	done := make(chan ended, 1)
	go func() {
		var o ended
		defer func() {
			// as in the request's own goroutine, a panic must not end the process
			if p := recover(); p != nil {
				o.err = fmt.Errorf("panic while confirming %s: %v\n%s", id, p, debug.Stack())
				s.Logger.ErrorContext(ctx, "panic", "err", o.err)
			}
			done <- o
		}()
		o.draft, o.err = confirm(context.WithoutCancel(ctx))
	}()
	enough := time.NewTimer(limit)
	defer enough.Stop()
	select {
	case o := <-done:
		return o.draft, true, o.err
	case <-ctx.Done():
		return stockhand.Draft{}, false, context.Cause(ctx)
	case <-enough.C:
		d, err := s.Drafts.Draft(ctx, org, id)
		return d, false, err
	}
}
