package agent

import (
	"context"

	"github.com/stockhand/stockhand"
)

// Answer stores a person's message with an answer that needs no work: when their own next message confirmed a draft,
// say, which is decided by code from that message alone and never by the agent (product.md, section 7). The run is done
// when Answer returns; the events stand in its log between its beginning and its end.
func (a *Agent) Answer(ctx context.Context, org stockhand.OrgID, t Task, text string, events ...stockhand.Event) (Turn,
	error) {
	m, first, err := a.accept(ctx, org, t)
	if err != nil {
		return Turn{}, err
	}
	log := append([]stockhand.Event{first}, events...)
	log = append(log, entry(stockhand.EventComplete,
		completeData{FinalResponse: text, ResultIDs: []stockhand.ResultID{}, DraftIDs: []stockhand.DraftID{}}))
	m, r, err := a.store.AnswerTask(ctx, org, m, stockhand.Message{Text: text, Created: a.clock().UTC()}, log...)
	if err != nil {
		return Turn{}, err
	}
	return Turn{Session: r.Session, Message: m.ID, Run: r.ID}, nil
}
