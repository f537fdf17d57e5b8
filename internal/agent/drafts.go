package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent/loop"
	"github.com/stockhand/stockhand/internal/tool"
)

// Drafts stores what propose tools return until a person decides. It can create and read drafts; nothing in the agent
// can confirm one.
type Drafts interface {
	// Create stores a proposal as the draft of a run; d contains its organization, session, run, connection and
	// language. A run has one draft: a second call returns the existing one.
	Create(ctx context.Context, d stockhand.Draft, p *tool.Proposal) (stockhand.Draft, error)
	Draft(ctx context.Context, org stockhand.OrgID, id stockhand.DraftID) (stockhand.Draft, error)
	// Open returns the drafts of an account that wait, and that were made for an actor or in a conversation.
	Open(ctx context.Context, org stockhand.OrgID, account stockhand.AccountID, by string, in stockhand.SessionID) (
		[]stockhand.Draft, error)
	// Revise makes the next version of an open draft, and a draft of what is split off it. A call is carried out once.
	Revise(ctx context.Context, d stockhand.Draft, call string, p *tool.Proposal) (now stockhand.Draft,
		split *stockhand.Draft, err error)
}

// openDrafts returns a function that returns the open drafts of an account that the turn may change.
func (t *turn) openDrafts(account stockhand.AccountID) func(ctx context.Context) ([]tool.Draft, error) {
	return func(ctx context.Context) ([]tool.Draft, error) {
		open, err := t.drafts.Open(ctx, t.org, account, t.run.By, t.session.ID)
		if err != nil {
			return nil, err
		}
		return tool.ReadDrafts(open)
	}
}

// revise changes an open draft as a proposal of a call says.
func (t *turn) revise(record context.Context, c *loop.Call, d stockhand.Draft, p *tool.Proposal) (end callEnd,
	err error) {
	now, split, failed := t.drafts.Revise(record, d, fmt.Sprintf("%s/%d", t.run.ID, c.Seq), p)
	if failed != nil {
		end.Failure = failed
		return end, nil
	}
	shown, err := t.ReadDraft(now)
	if err != nil {
		return end, err
	}
	end.Draft, end.message, end.events = &shown, shown.Title, []stockhand.Event{DraftShown(shown)}
	if split != nil {
		other, err := t.ReadDraft(*split)
		if err != nil {
			return end, err
		}
		end.Split, end.events = &other, append(end.events, DraftShown(other))
	}
	return end, nil
}

// DraftShown returns the log entry of a draft version that is shown to the user.
func DraftShown(d tool.Draft) stockhand.Event {
	data := draftCreatedData{DraftID: d.ID, Version: d.Version, Title: d.Title, Documents: []draftedDocument{}}
	for _, doc := range d.Documents {
		data.Documents = append(data.Documents,
			draftedDocument{ID: doc.ID, Kind: doc.Kind, Title: doc.Title, Lines: len(doc.Lines),
				Total: tool.AmountOf(doc.Total, doc.Currency)})
	}
	return entry(stockhand.EventDraftCreated, data)
}

// ReadDraft decodes a stored draft, with the address of its page.
func (a *Agent) ReadDraft(d stockhand.Draft) (tool.Draft, error) {
	shown, err := tool.ReadDraft(d)
	if a.draftURL != nil {
		shown.URL = a.draftURL(d.ID)
	}
	return shown, err
}

// Asked returns the log entry of a question.
func Asked(q *Question) stockhand.Event { return entry(stockhand.EventQuestion, q) }

// ShownDraft is a draft in an answer, and its version there.
type ShownDraft struct {
	ID      stockhand.DraftID
	Version int64
}

// Shown returns the drafts that a run showed, the question that it asked, nil for none, and whether it called a tool.
func (a *Agent) Shown(ctx context.Context, org stockhand.OrgID, id stockhand.RunID) (drafts []ShownDraft, q *Question,
	called bool, err error) {
	proposed := false
	events, err := a.log(ctx, org, id)
	if err != nil {
		return nil, nil, false, err
	}
	for _, e := range events {
		switch e.Type {
		case stockhand.EventToolStarted:
			var started toolStartedData
			err = json.Unmarshal(e.Data, &started)
			called, proposed = called || !strings.Contains(started.Tool, "_propose_"),
				proposed || strings.Contains(started.Tool, "_propose_")
		case stockhand.EventDraftCreated:
			var d draftCreatedData
			err = json.Unmarshal(e.Data, &d)
			drafts = append(drafts, ShownDraft{d.DraftID, d.Version})
		case stockhand.EventQuestion:
			q = new(Question)
			err = json.Unmarshal(e.Data, q)
		default:
		}
		if err != nil {
			return nil, nil, false, err
		}
	}
	return drafts, q, called || proposed && len(drafts) > 0, nil
}

// draftsIn returns the drafts in a log.
func (a *Agent) draftsIn(ctx context.Context, org stockhand.OrgID, log []stockhand.Event) ([]tool.Draft, error) {
	var all []tool.Draft
	for _, e := range log {
		if e.Type != stockhand.EventDraftCreated {
			continue
		}
		var made draftCreatedData
		if err := json.Unmarshal(e.Data, &made); err != nil {
			return nil, err
		}
		d, err := a.drafts.Draft(ctx, org, made.DraftID)
		if err != nil {
			return nil, err
		}
		shown, err := a.ReadDraft(d)
		if err != nil {
			return nil, err
		}
		all = append(all, shown)
	}
	return all, nil
}
