package api

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent"
	"github.com/stockhand/stockhand/internal/agent/render"
	"github.com/stockhand/stockhand/internal/draft"
	"github.com/stockhand/stockhand/internal/tool"
)

// saidTime is how long the answer to a person's "подтверждаю" waits for what was confirmed to settle. What takes longer
// goes on without it, and the answer says where it stands.
const saidTime = 60 * time.Second

// confirmedBySaying confirms the draft that the session's last turn showed, when the person's next message says so and
// nothing else (product.md, section 7). Only the message, who sent it, and the record of what was shown decide: no
// model and no tool is asked. The turn is stored with what came of it. It is false for every other message, which is
// then a task like any.
func (s *Server) confirmedBySaying(ctx context.Context, t agent.Task) (turn agent.Turn, said bool, err error) {
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
		turn, err = s.Agent.Answer(context.WithoutCancel(ctx), t.Actor.Org, t, notAPerson(t.Language, d.ID))
		return turn, true, err
	}
	text, events, err := s.confirmAloud(ctx, t, d, version)
	if err != nil {
		return turn, false, err
	}
	turn, err = s.Agent.Answer(context.WithoutCancel(ctx), t.Actor.Org, t, text, events...)
	return turn, true, err
}

// notAPerson is the answer to a key that says it: a key's words confirm nothing, whatever the organization has decided
// of keys.
func notAPerson(l stockhand.Language, id stockhand.DraftID) string {
	return fmt.Sprintf(l.Pick("Не подтверждено: сообщение от ключа API ничего не подтверждает. Черновик %[1]s ждёт человека: POST /drafts/%[1]s/confirm с токеном пользователя.",
		"Not confirmed: a message of an API key confirms nothing. The draft %[1]s waits for a person: POST /drafts/%[1]s/confirm with a user token."), id)
}

// justShown finds the draft that the session's last turn showed, with the version that it showed, if something of it
// still waits for a person and the person may see it. The turn has to be the person's own: whoever may read a
// conversation may put a turn into it, and a yes is to nothing that a key or a colleague has slipped in before it.
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

// confirmAloud confirms and says what came of it. A refusal is an answer as well; a draft that has changed since is
// shown anew, so that the next "подтверждаю" is to that version.
func (s *Server) confirmAloud(ctx context.Context, t agent.Task, d stockhand.Draft, version int64) (string,
	[]stockhand.Event, error) {
	after, _, failure := s.settle(ctx, saidTime, d.ID, func(ctx context.Context) (stockhand.Draft, error) {
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
	words := refused.In(t.Language)
	text := t.Language.Pick("Не подтверждено: ", "Not confirmed: ") + words.Message
	if words.Hint != "" {
		text += "\n\n" + words.Hint
	}
	if refused.Code == stockhand.CodeDraftChanged {
		text = t.Language.Pick("Не подтверждено: черновик с тех пор изменился. Вот он сейчас.",
			"Not confirmed: the draft has changed since. Here it is now.") +
			"\n\n" + render.Draft(shown, t.Language)
	}
	return text, events, nil
}
