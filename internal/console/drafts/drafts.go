// Package drafts is the console's section of drafts: the inbox, and the page on which a person checks, edits, confirms,
// rejects and undoes a draft.
//
// Every form names the version that the person saw. If the draft has another version by then, nothing is done, and the
// page shows what has changed since (rule R383).
package drafts

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/console/page"
	"github.com/stockhand/stockhand/internal/console/text"
	"github.com/stockhand/stockhand/internal/console/ui"
	"github.com/stockhand/stockhand/internal/draft"
	"github.com/stockhand/stockhand/internal/tool"
)

// Drafts is the part of internal/draft that the section uses.
type Drafts interface {
	Draft(ctx context.Context, org stockhand.OrgID, id stockhand.DraftID) (stockhand.Draft, error)
	Find(ctx context.Context, org stockhand.OrgID, f draft.Filter, before stockhand.DraftID, limit int) (
		[]stockhand.Draft, error)
	Edit(ctx context.Context, actor stockhand.Actor, id stockhand.DraftID, version int64, edits draft.Edits) (
		stockhand.Draft, error)
	TryEdit(ctx context.Context, actor stockhand.Actor, id stockhand.DraftID, version int64, edits draft.Edits) (
		stockhand.Draft, error)
	Preview(ctx context.Context, actor stockhand.Actor, what draft.Decision) (draft.Preview, error)
	Confirm(ctx context.Context, actor stockhand.Actor, what draft.Decision) (stockhand.Draft, error)
	Reject(ctx context.Context, actor stockhand.Actor, id stockhand.DraftID, version int64) (stockhand.Draft, error)
	Undo(ctx context.Context, actor stockhand.Actor, id stockhand.DraftID) (stockhand.Draft, error)
}

// Latest returns a function that lists the newest drafts.
func Latest(d Drafts) func(ctx context.Context, org stockhand.OrgID, limit int) ([]stockhand.Draft, error) {
	return func(ctx context.Context, org stockhand.OrgID, limit int) ([]stockhand.Draft, error) {
		return d.Find(ctx, org, draft.Filter{}, "", limit)
	}
}

// Store is the part of internal/store that the section reads.
type Store interface {
	Connections(ctx context.Context, org stockhand.OrgID) ([]stockhand.Connection, error)
	DraftVersion(ctx context.Context, org stockhand.OrgID, id stockhand.DraftID, version int64) (json.RawMessage,
		error)
}

// Inbox counts drafts by the states of their documents.
type Inbox interface {
	Count(ctx context.Context, org stockhand.OrgID, now time.Time) (map[stockhand.DocumentState]int, error)
}

// Settle confirms in a goroutine of its own and waits for it, at most for limit.
type Settle func(ctx context.Context, limit time.Duration, org stockhand.OrgID, id stockhand.DraftID,
	confirm func(context.Context) (stockhand.Draft, error)) (stockhand.Draft, bool, error)

// Prover lets a person prove again who they are.
type Prover interface {
	StepUp(ctx context.Context, a stockhand.Actor, password, code string) error
	StepUpByPasskey(ctx context.Context, a stockhand.Actor, answer []byte) error
	Passkeys(ctx context.Context, a stockhand.Actor) ([]stockhand.Passkey, error)
}

// Handlers serve the section.
type Handlers struct {
	Frames  page.Frames
	Drafts  Drafts
	Store   Store
	Inbox   Inbox
	Members page.MemberList
	Settle  Settle
	Prover  Prover
	Clock   func() time.Time
}

const (
	mostListed = 50 // drafts on a page of the inbox
)

// tabs are the states of the inbox, in their order. Those without drafts are hidden, except the first two and the last.
var tabs = []stockhand.DocumentState{stockhand.DocumentPending, stockhand.DocumentApplied,
	stockhand.DocumentConfirmed, stockhand.DocumentApplying, stockhand.DocumentUnknown, stockhand.DocumentFailed,
	stockhand.DocumentRejected, stockhand.DocumentExpired, ""}

// inbox is a page of the inbox.
type inbox struct {
	Org   stockhand.OrgID
	State stockhand.DocumentState
	Tabs  []ui.Tab
	Rows  []summary
	Next  string // the address of the next page; empty on the last
}

// List serves the inbox: the drafts that wait, unless the address names another state.
func (h Handlers) List(w http.ResponseWriter, r *http.Request) error {
	ctx, a, query := r.Context(), stockhand.ActorOf(r.Context()), r.URL.Query()
	in := inbox{Org: a.Org, State: stockhand.DocumentState(query.Get("state"))}
	if !query.Has("state") {
		in.State = stockhand.DocumentPending
	}
	if !slices.Contains(tabs, in.State) {
		return stockhand.Errorf(stockhand.CodeValidation, "there is no such state of drafts")
	}
	counts, err := h.Inbox.Count(ctx, a.Org, h.Clock())
	if err != nil {
		return err
	}
	path := page.Path(a.Org, page.Drafts)
	for i, s := range tabs {
		if counts[s] == 0 && i > 1 && s != "" && s != in.State {
			continue
		}
		t := ui.Tab{Title: text.DraftStates[s].In(ctx), Path: path + "?state=" + string(s), Count: counts[s],
			Current: s == in.State}
		if s == "" {
			t.Count = -1
		}
		in.Tabs = append(in.Tabs, t)
	}
	found, err := h.Drafts.Find(ctx, a.Org, draft.Filter{State: in.State}, stockhand.DraftID(query.Get("before")),
		mostListed+1)
	if err != nil {
		return err
	}
	if len(found) > mostListed {
		found = found[:mostListed]
		in.Next = path + "?state=" + string(in.State) + "&before=" + string(found[mostListed-1].ID)
	}
	names, err := page.NamesOf(ctx, h.Members, a)
	if err != nil {
		return err
	}
	accounts, err := h.accounts(ctx, a.Org)
	if err != nil {
		return err
	}
	all, err := tool.ReadDrafts(found)
	if err != nil {
		return err
	}
	for _, d := range all {
		s := summaryOf(ctx, d, names, accounts)
		if in.State == "" || slices.Contains(s.states, in.State) { // reading it may have found that it has expired
			in.Rows = append(in.Rows, s)
		}
	}
	return h.Frames.Show(w, r, page.Page{Title: text.Drafts.In(ctx), Section: page.Drafts, Content: listPage(in)})
}

// accounts returns the labels of the connections.
func (h Handlers) accounts(ctx context.Context, org stockhand.OrgID) (map[stockhand.ConnectionID]string, error) {
	all, err := h.Store.Connections(ctx, org)
	labels := make(map[stockhand.ConnectionID]string, len(all))
	for _, c := range all {
		labels[c.ID] = c.Label
	}
	return labels, err
}
