// Package drafts is the console's section of drafts: the inbox, and the page on which a person checks, edits, confirms,
// rejects and undoes a draft.
package drafts

import (
	"context"
	"net/http"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/console/page"
	"github.com/stockhand/stockhand/internal/console/text"
	"github.com/stockhand/stockhand/internal/draft"
	"github.com/stockhand/stockhand/internal/tool"
)

// Drafts is the part of internal/draft that the section uses.
type Drafts interface {
	Draft(ctx context.Context, org stockhand.OrgID, id stockhand.DraftID) (stockhand.Draft, error)
	Find(ctx context.Context, org stockhand.OrgID, f draft.Filter, before stockhand.DraftID, limit int) (
		[]stockhand.Draft, error)
}

// Inbox counts drafts by the states of their documents.
type Inbox interface {
	Count(ctx context.Context, org stockhand.OrgID, now time.Time) (map[stockhand.DocumentState]int, error)
}

// Handlers serve the section.
type Handlers struct {
	Frames page.Frames
	Drafts Drafts
	Inbox  Inbox
	Clock  func() time.Time
}

// mostListed is how many drafts a page of the inbox shows.
const mostListed = 50

// List serves the inbox.
func (h Handlers) List(w http.ResponseWriter, r *http.Request) error {
	ctx, a := r.Context(), stockhand.ActorOf(r.Context())
	found, err := h.Drafts.Find(ctx, a.Org, draft.Filter{}, "", mostListed)
	if err != nil {
		return err
	}
	all, err := tool.ReadDrafts(found)
	if err != nil {
		return err
	}
	return h.Frames.Show(w, r, page.Page{Title: text.Drafts.In(ctx), Section: page.Drafts,
		Content: listPage(a.Org, all)})
}
