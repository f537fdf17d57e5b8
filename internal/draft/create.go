package draft

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/tool"
)

// The actors of audit entries without a caller.
const (
	byAgent  = "agent"
	bySystem = "system"
)

// Create stores a proposal as a draft for a person to confirm. It sends nothing. Totals are computed again from the
// lines. VALIDATION_FAILED if the proposal has no documents, invalid figures or a deletion, which only undo may
// propose.
//
// The caller sets the organization, session, run, connection and language of d; Create sets the rest.
//
// A run has one draft, whose id is derived from the run's id. If a run continues after a crash and proposes again, it
// gets the existing draft. The draft belongs to the actor of the run.
func (s *Service) Create(ctx context.Context, d stockhand.Draft, p *tool.Proposal) (stockhand.Draft, error) {
	for _, doc := range p.Documents {
		if doc.Kind == tool.Deletion {
			return stockhand.Draft{}, stockhand.Errorf(stockhand.CodeValidation, "a tool cannot propose a deletion")
		}
	}
	switch r, err := s.Store.Run(ctx, d.Org, d.Run); {
	case err == nil:
		d.By = r.By
	case stockhand.CodeOf(err) != stockhand.CodeNotFound:
		return stockhand.Draft{}, err
	}
	if id, ok := strings.CutPrefix(string(d.Run), "run_"); ok {
		d.ID = stockhand.DraftID("drf_" + id)
	}
	created, err := s.create(ctx, byAgent, d, p)
	if d.ID != "" && stockhand.CodeOf(err) == stockhand.CodeConflict {
		if existing, err := s.Store.Draft(ctx, d.Org, d.ID); err == nil {
			return existing, nil
		}
	}
	return created, err
}

func (s *Service) create(ctx context.Context, by string, d stockhand.Draft, p *tool.Proposal) (stockhand.Draft, error) {
	d, err := s.newDraft(ctx, d, p)
	if err != nil {
		return stockhand.Draft{}, err
	}
	fields := map[string]any{"documents": len(d.Documents), "tool": p.Tool}
	if d.Undoes != "" {
		fields["undoes"] = d.Undoes
	}
	return s.Store.CreateDraft(ctx, d.Org, d,
		stockhand.AuditEntry{At: d.Created, Actor: by, Action: "draft.created", Detail: detail(fields)})
}

// newDraft turns a proposal into a draft without storing it.
func (s *Service) newDraft(ctx context.Context, d stockhand.Draft, p *tool.Proposal) (stockhand.Draft, error) {
	if len(p.Documents) == 0 {
		return stockhand.Draft{}, stockhand.Errorf(stockhand.CodeValidation, "%s",
			d.Language.Pick("предлагать нечего: в черновике нет ни одного документа",
				"there is nothing to propose: the draft has no document"))
	}
	c, err := s.Store.Connection(ctx, d.Org, d.Connection)
	if err != nil {
		return stockhand.Draft{}, err
	}
	own := *p
	d.Account = c.Account
	overlaps, err := s.overlaps(ctx, d, p)
	if err != nil {
		return stockhand.Draft{}, err
	}
	own.Notices = append(slices.Clone(own.Notices), overlaps...)
	own.Documents = make([]tool.Document, len(p.Documents))
	d.Documents = make([]stockhand.DraftDocument, len(p.Documents))
	seen := map[stockhand.DocumentID]bool{}
	for i, doc := range p.Documents {
		if own.Documents[i], err = complete(doc); err != nil {
			return stockhand.Draft{}, err
		}
		id := own.Documents[i].ID
		if seen[id] {
			return stockhand.Draft{}, stockhand.Errorf(stockhand.CodeValidation, "two documents have the id %s", id)
		}
		seen[id] = true
		d.Documents[i] = stockhand.DraftDocument{ID: id, State: stockhand.DocumentPending}
	}
	if d.Body, err = json.Marshal(own); err != nil {
		return stockhand.Draft{}, stockhand.Errorf(stockhand.CodeInternal, "write the draft: %w", err)
	}
	d.Tool, d.Title, d.Version = p.Tool, p.Title, 1
	d.Created = s.Clock()
	d.Expires = d.Created.Add(s.Lifetime)
	return d, nil
}

// complete adds missing ids, computes the total, and rejects invalid figures.
func complete(doc tool.Document) (tool.Document, error) {
	if doc.ID == "" {
		doc.ID = stockhand.NewID[stockhand.DocumentID]("doc")
	}
	lines := make([]tool.Line, len(doc.Lines))
	seen := map[string]bool{}
	for i, line := range doc.Lines {
		if line.ID == "" {
			line.ID = strconv.Itoa(i + 1)
		}
		if seen[line.ID] {
			return doc, stockhand.Errorf(stockhand.CodeValidation, "two lines of a document have the id %s", line.ID)
		}
		seen[line.ID] = true
		if line.Quantity.Known && doc.Kind != tool.PriceChange &&
			(!line.Quantity.Valid() || line.Quantity.Sign() < 0 ||
				line.Quantity.Sign() == 0 && doc.Kind != tool.MinimumStock) {
			return doc, stockhand.Errorf(stockhand.CodeValidation, "line %s has the quantity %s", line.ID,
				line.Quantity)
		}
		if line.Price.Known && (!line.Price.Valid() || line.Price.Sign() < 0) {
			return doc, stockhand.Errorf(stockhand.CodeValidation, "line %s has the price %s", line.ID, line.Price)
		}
		lines[i] = line
	}
	calls := doc.Kind == tool.RemoteCall || doc.Kind == tool.NoteChange
	if calls != (doc.Call != nil) {
		return doc, stockhand.Errorf(stockhand.CodeValidation,
			"a document says neither or both of what it calls and what it holds")
	}
	if len(lines) == 0 && doc.Kind != tool.Deletion && !calls {
		return doc, stockhand.Errorf(stockhand.CodeValidation, "a document has no lines")
	}
	doc.Lines = lines
	doc.Total = doc.Sum()
	if err := doc.Total.Err(); err != nil {
		return doc, stockhand.Errorf(stockhand.CodeValidation, "the total of a document: %w", err)
	}
	return doc, nil
}

// Draft returns a draft. Pending documents expire here if their time is over.
func (s *Service) Draft(ctx context.Context, org stockhand.OrgID, id stockhand.DraftID) (stockhand.Draft, error) {
	d, err := s.Store.Draft(ctx, org, id)
	if err != nil {
		return stockhand.Draft{}, err
	}
	return s.expire(ctx, d)
}

// Filter selects drafts; its zero value selects all.
type Filter struct {
	By    string                  // name of the actor that the draft belongs to
	State stockhand.DocumentState // of at least one document
}

// List returns drafts, newest first: at most limit (1–200; 0 means 50) that are older than before, or the newest if it
// is empty. Pending documents expire as in [Service.Draft].
func (s *Service) List(ctx context.Context, org stockhand.OrgID, before stockhand.DraftID,
	limit int) ([]stockhand.Draft, error) {
	return s.Find(ctx, org, Filter{}, before, limit)
}

// Find is List with a filter. A draft that matched as pending may be returned as expired.
func (s *Service) Find(ctx context.Context, org stockhand.OrgID, f Filter, before stockhand.DraftID,
	limit int) ([]stockhand.Draft, error) {
	all, err := s.Store.Drafts(ctx, org, f.By, f.State, before, limit)
	if err != nil {
		return nil, err
	}
	for i, d := range all {
		if all[i], err = s.expire(ctx, d); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// expire expires the pending documents of a draft if its time is over, and returns the current draft.
func (s *Service) expire(ctx context.Context, d stockhand.Draft) (stockhand.Draft, error) {
	now := s.Clock()
	if !now.After(d.Expires) {
		return d, nil
	}
	var c stockhand.DraftChange
	for _, doc := range d.Documents {
		if doc.State != stockhand.DocumentPending {
			continue
		}
		to := doc
		to.State, to.Updated = stockhand.DocumentExpired, now
		to.Problem = d.Language.Pick("черновик просрочен: документ не подтвердили вовремя",
			"the draft expired before the document was confirmed")
		m, err := move(doc, to)
		if err != nil {
			return d, err
		}
		c.Moves = append(c.Moves, m)
		c.Audit = append(c.Audit, stockhand.AuditEntry{At: now, Actor: bySystem, Action: "document.expired",
			Document: doc.ID})
	}
	if len(c.Moves) == 0 {
		return d, nil
	}
	err := s.Store.ChangeDraft(ctx, d.Org, d.ID, c)
	if err != nil && stockhand.CodeOf(err) != stockhand.CodeConflict { // on a conflict another process did it
		return d, err
	}
	return s.Store.Draft(ctx, d.Org, d.ID)
}
