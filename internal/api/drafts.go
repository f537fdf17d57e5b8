package api

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/api/spreadsheet"
	"github.com/stockhand/stockhand/internal/api/wire"
	"github.com/stockhand/stockhand/internal/draft"
	"github.com/stockhand/stockhand/internal/tool"
)

// DraftPath is the path of a draft.
type DraftPath struct {
	Draft stockhand.DraftID `path:"draft_id"`
}

// seenDraft reads a draft that the caller may see.
func (s *Server) seenDraft(ctx context.Context, id stockhand.DraftID) (stockhand.Draft, error) {
	d, err := s.Drafts.Draft(ctx, stockhand.ActorOf(ctx).Org, id)
	if err != nil {
		return d, err
	}
	return d, s.maySee(ctx, d.By)
}

// shownDraft returns the response with a draft.
func shownDraft(d stockhand.Draft, err error) (*Answer[tool.Draft], error) {
	if err != nil {
		return nil, err
	}
	shown, err := tool.ReadDraft(d)
	return &Answer[tool.Draft]{shown}, err
}

func (s *Server) listDrafts(ctx context.Context, in *struct {
	Page
	State stockhand.DocumentState `query:"state" enum:"pending,confirmed,applying,applied,failed,unknown,rejected,expired" doc:"Only drafts with a document in this state"`
}) (*List[wire.DraftSummary], error) {
	page, err := pageOf(in.Page, func(d tool.Draft) stockhand.DraftID { return d.ID }, wire.DraftSummaryOf,
		func(before stockhand.DraftID, most int) ([]tool.Draft, error) {
			filter := draft.Filter{By: ownOnly(ctx), State: in.State}
			all, err := s.Drafts.Find(ctx, stockhand.ActorOf(ctx).Org, filter, before, most)
			if err != nil {
				return nil, err
			}
			return tool.ReadDrafts(all)
		})
	if err == nil && in.State != "" { // reading may have changed a document to expired
		page.Body.Data = slices.DeleteFunc(page.Body.Data, func(d wire.DraftSummary) bool {
			return !slices.ContainsFunc(d.Documents,
				func(doc wire.DocumentSummary) bool { return doc.State == in.State })
		})
	}
	return page, err
}

func (s *Server) editDraft(ctx context.Context, in *struct {
	DraftPath
	Body struct {
		Version   int64               `json:"version" minimum:"1" doc:"The version that the person saw"`
		Documents []wire.DocumentEdit `json:"documents" minItems:"1" maxItems:"1000"`
	}
}) (*Answer[tool.Draft], error) {
	if _, err := s.seenDraft(ctx, in.Draft); err != nil {
		return nil, err
	}
	var edits draft.Edits
	for _, doc := range in.Body.Documents {
		edit := draft.DocumentEdit{ID: doc.ID, Drop: doc.Drop}
		for _, l := range doc.Lines {
			edit.Lines = append(edit.Lines,
				draft.LineEdit{ID: l.ID, Quantity: l.Quantity.Maybe, Price: l.Price.Maybe, Drop: l.Drop})
		}
		edits.Documents = append(edits.Documents, edit)
	}
	do := s.Drafts.Edit
	if dryRun(ctx) {
		do = s.Drafts.TryEdit
	}
	return shownDraft(do(ctx, stockhand.ActorOf(ctx), in.Draft, in.Body.Version, edits))
}

func (s *Server) rejectDraft(ctx context.Context, in *struct {
	DraftPath
	Body struct {
		Version int64 `json:"version" minimum:"1" doc:"The version that the person saw"`
	}
}) (*Answer[tool.Draft], error) {
	if _, err := s.seenDraft(ctx, in.Draft); err != nil {
		return nil, err
	}
	do := s.Drafts.Reject
	if dryRun(ctx) {
		do = s.Drafts.TryReject
	}
	return shownDraft(do(ctx, stockhand.ActorOf(ctx), in.Draft, in.Body.Version))
}

type undoAnswer struct {
	Status   int
	Location string `header:"Location"`
	Body     tool.Draft
}

func (s *Server) undoDraft(ctx context.Context, in *DraftPath) (*undoAnswer, error) {
	if _, err := s.seenDraft(ctx, in.Draft); err != nil {
		return nil, err
	}
	do, status := s.Drafts.Undo, http.StatusCreated
	if dryRun(ctx) {
		do, status = s.Drafts.TryUndo, http.StatusOK
	}
	shown, err := shownDraft(do(ctx, stockhand.ActorOf(ctx), in.Draft))
	if err != nil {
		return nil, err
	}
	out := &undoAnswer{Status: status, Body: shown.Body}
	if status == http.StatusCreated {
		out.Location = Base + "/drafts/" + string(shown.Body.ID)
	}
	return out, nil
}

type confirmedAnswer struct {
	Status     int
	Location   string `header:"Location"`
	RetryAfter string `header:"Retry-After"`
	Body       wire.ConfirmedDraft
}

func (s *Server) confirmDraft(ctx context.Context, in *struct {
	DraftPath
	Wait int `query:"wait" minimum:"1" maximum:"300" default:"60" doc:"Seconds to wait for the documents to be written; then the response is 202 and writing continues"`
	Body struct {
		Version     int64                  `json:"version" minimum:"1" doc:"The version that the person saw"`
		DocumentIDs []stockhand.DocumentID `json:"document_ids,omitempty" minItems:"1" maxItems:"1000" doc:"Only these documents; by default all pending ones"`
	}
}) (*confirmedAnswer, error) {
	if _, err := s.seenDraft(ctx, in.Draft); err != nil {
		return nil, err
	}
	actor := stockhand.ActorOf(ctx)
	what := draft.Decision{Draft: in.Draft, Version: in.Body.Version, Documents: in.Body.DocumentIDs}
	if dryRun(ctx) {
		return s.previewed(ctx, actor, what)
	}
	d, settled, err := s.ByWord.Settle(ctx, time.Duration(in.Wait)*time.Second, actor.Org, in.Draft,
		func(ctx context.Context) (stockhand.Draft, error) { return s.Drafts.Confirm(ctx, actor, what) })
	if err != nil {
		return nil, err
	}
	shown, err := tool.ReadDraft(d)
	out := &confirmedAnswer{Status: http.StatusOK, Body: wire.ConfirmedDraft{Draft: shown}}
	if !settled {
		out.Status, out.Location, out.RetryAfter = http.StatusAccepted, Base+"/drafts/"+string(in.Draft), "5"
	}
	return out, err
}

func (s *Server) previewed(ctx context.Context, actor stockhand.Actor, what draft.Decision) (*confirmedAnswer, error) {
	p, err := s.Drafts.Preview(ctx, actor, what)
	if err != nil {
		return nil, err
	}
	shown, err := tool.ReadDraft(p.Draft)
	return &confirmedAnswer{Status: http.StatusOK,
		Body: wire.ConfirmedDraft{Draft: shown, DryRun: true, Verdicts: p.Verdicts}}, err
}

// getDraft returns a draft as JSON, or its documents as a spreadsheet.
func (s *Server) getDraft(w http.ResponseWriter, r *http.Request) error {
	f, l, err := wanted(r)
	if err != nil {
		return err
	}
	d, err := s.seenDraft(r.Context(), stockhand.DraftID(r.PathValue("draft_id")))
	if err != nil {
		return err
	}
	shown, err := tool.ReadDraft(d)
	if err != nil {
		return err
	}
	w.Header().Add("Vary", "Accept, Accept-Language, Authorization")
	if f == spreadsheet.JSON {
		w.Header().Set("Content-Type", spreadsheet.MediaTypes[spreadsheet.JSON])
		return json.NewEncoder(w).Encode(shown)
	}
	l = cmp.Or(l, shown.Language)
	tables := make([]tool.Table, len(shown.Documents))
	for i, doc := range shown.Documents {
		tables[i] = doc.Table(l).InPages()
		said := []string{fmt.Sprintf(l.Pick("Черновик %s, версия %d, документ: %s",
			"Draft %s, version %d, document: %s"), d.ID, d.Version, tool.StateWords[doc.State].In(l)), doc.Problem}
		for _, message := range append(said, doc.Consequences...) {
			if message != "" {
				tables[i].Notices = append(tables[i].Notices, tool.Notice{Message: message})
			}
		}
	}
	return spreadsheet.Write(w, f, l, shown.Title, shown.Created.In(shown.Zone.Location()), tables...)
}
