package api

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent"
	"github.com/stockhand/stockhand/internal/agent/render"
	"github.com/stockhand/stockhand/internal/draft"
	"github.com/stockhand/stockhand/internal/tool"
)

// confirmTime is how long the response to a person's "подтверждаю" waits for the documents to be written. Writing
// continues afterwards, and the response reports the state so far.
const confirmTime = 60 * time.Second

// confirmByMessage confirms the draft that the session's last turn showed if the message says so and nothing else (rule
// R61). Only the message, its author and the stored turn decide; no model or tool takes part. The outcome is stored as
// the turn's answer. confirmed is false for any other message, which is an ordinary task.
func (s *Server) confirmByMessage(ctx context.Context, t agent.Task) (turn agent.Turn, confirmed bool, err error) {
	if !t.Actor.May(stockhand.ScopeWriteTools) || t.Session == "" || !draft.Confirms(t.Text) {
		return turn, false, nil
	}
	d, version, err := s.justShown(ctx, t)
	if err != nil || d.ID == "" {
		return turn, false, err
	}
	if t.Language == "" {
		t.Language = d.Language
	}
	if !t.Actor.Person {
		turn, err = s.Agent.Answer(context.WithoutCancel(ctx), t.Actor.Org, t, render.NeedsPerson(d.ID, t.Language))
		return turn, true, err
	}
	shown, err := tool.ReadDraft(d)
	if err != nil {
		return turn, false, err
	}
	if d.Version == version && !render.ShowsEnough(shown) {
		turn, err = s.Agent.Answer(context.WithoutCancel(ctx), t.Actor.Org, t, render.NotAllShown(d, t.Language))
		return turn, true, err
	}
	text, events, err := s.confirmAndReport(ctx, t, d, version)
	if err != nil {
		return turn, false, err
	}
	turn, err = s.Agent.Answer(context.WithoutCancel(ctx), t.Actor.Org, t, text, events...)
	return turn, true, err
}

// justShown returns the draft that the session's last turn showed, and its version at that time, if it has pending
// documents and the person may see it. The turn must be the person's own, so that a yes never applies to a draft that a
// key or a colleague added to the conversation.
func (s *Server) justShown(ctx context.Context, t agent.Task) (stockhand.Draft, int64, error) {
	none := stockhand.Draft{}
	runs, err := s.Store.Runs(ctx, t.Actor.Org, t.Session)
	if err != nil || len(runs) == 0 {
		return none, 0, err
	}
	last := runs[len(runs)-1]
	if last.State != stockhand.RunDone || last.By != t.Actor.Name {
		return none, 0, nil
	}
	id, version, err := s.Agent.LastShown(ctx, t.Actor.Org, last.ID)
	if err != nil || id == "" {
		return none, 0, err
	}
	d, err := s.Drafts.Draft(ctx, t.Actor.Org, id)
	if err != nil || !t.Actor.MaySee(d.By) ||
		!slices.ContainsFunc(d.Documents,
			func(doc stockhand.DraftDocument) bool { return doc.State == stockhand.DocumentPending }) {
		return none, 0, err
	}
	return d, version, nil
}

// confirmAndReport confirms a draft and describes the outcome. A refusal is an outcome too; a draft that has changed is
// shown again, so that the next "подтверждаю" confirms its new version.
func (s *Server) confirmAndReport(ctx context.Context, t agent.Task, d stockhand.Draft, version int64) (render.Markdown,
	[]stockhand.Event, error) {
	after, _, failure := s.settle(ctx, confirmTime, d.ID, func(ctx context.Context) (stockhand.Draft, error) {
		return s.Drafts.Confirm(ctx, t.Actor, draft.Decision{Draft: d.ID, Version: version})
	})
	refused, ours := errors.AsType[*stockhand.Error](failure)
	if failure != nil && (!ours || refused.Code == stockhand.CodeInternal) {
		return "", nil, failure
	}
	if failure != nil {
		var err error
		if after, err = s.Drafts.Draft(ctx, t.Actor.Org, d.ID); err != nil {
			return "", nil, err
		}
	}
	shown, err := tool.ReadDraft(after)
	if err != nil {
		return "", nil, err
	}
	var events []stockhand.Event
	if shown.Pending() {
		events = append(events, agent.DraftShown(shown))
	}
	if failure == nil {
		return render.Outcome(shown, t.Language), events, nil
	}
	return render.NotConfirmed(refused, shown, t.Language), events, nil
}
