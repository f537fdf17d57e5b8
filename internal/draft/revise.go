package draft

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/tool"
)

// mostTries is how often a revision is made again because the draft has just changed.
const mostTries = 3

// Revise makes the next version of an open draft as a person asked for it in words: p.Revision says how, and the
// documents of p join the draft. It never confirms. The caller sets the organization, session, run, connection and
// language of d; the draft must be of the same account, and of the session or the run's actor. A call, which names the
// caller's step, is carried out once: later ones return what it made.
//
// It is always the newest version that is changed. NOT_FOUND for a draft that the caller may not change, CONFLICT if
// nothing in it waits, VALIDATION_FAILED for names that it does not have and for figures that it cannot have.
func (s *Service) Revise(ctx context.Context, d stockhand.Draft, call string, p *tool.Proposal) (now stockhand.Draft,
	split *stockhand.Draft, err error) {
	switch r, err := s.Store.Run(ctx, d.Org, d.Run); {
	case err == nil:
		d.By = r.By
	case stockhand.CodeOf(err) != stockhand.CodeNotFound:
		return now, nil, err
	}
	for range mostTries {
		if now, split, err = s.revise(ctx, d, call, p); stockhand.CodeOf(err) != stockhand.CodeDraftChanged {
			break
		}
	}
	return now, split, err
}

func (s *Service) revise(ctx context.Context, d stockhand.Draft, call string, p *tool.Proposal) (now stockhand.Draft,
	split *stockhand.Draft, err error) {
	v := revising{Service: s, of: d, call: call, p: p, wants: *p.Revision, l: d.Language}
	if v.h, err = s.openTo(ctx, d, v.wants.Draft); err != nil {
		return now, nil, err
	}
	if v.h.proposal.Revised == call { // it was made before a crash
		return v.made(ctx)
	}
	if err := v.change(ctx); err != nil {
		return now, nil, err
	}
	if err := v.takeOver(ctx); err != nil {
		return now, nil, err
	}
	if split, err = v.split(ctx); err != nil {
		return now, nil, err
	}
	now, err = s.changed(ctx, v.h, v.c)
	return now, split, err
}

// openTo returns an open draft that the run of another one may change.
func (s *Service) openTo(ctx context.Context, of stockhand.Draft, id stockhand.DraftID) (loaded, error) {
	none := refusal(stockhand.CodeNotFound,
		stockhand.Words{Message: fmt.Sprintf("there is no draft %s of this account that you may change", id),
			Hint: "the tool drafts lists them"},
		stockhand.Words{Message: fmt.Sprintf("черновика %s этого аккаунта, который вы можете изменить, нет", id)})
	d, err := s.Draft(ctx, of.Org, id)
	if stockhand.CodeOf(err) == stockhand.CodeNotFound {
		return loaded{}, none
	}
	if err != nil {
		return loaded{}, err
	}
	c, err := s.Store.Connection(ctx, of.Org, of.Connection)
	if err != nil {
		return loaded{}, err
	}
	if d.Account != c.Account || d.By != of.By && (of.Session == "" || d.Session != of.Session) {
		return loaded{}, none
	}
	return read(d)
}

// Open returns the drafts of an account with a document that waits, newest first, which were made for an actor or in a
// conversation.
func (s *Service) Open(ctx context.Context, org stockhand.OrgID, account stockhand.AccountID, by string,
	in stockhand.SessionID) ([]stockhand.Draft, error) {
	all, err := s.Find(ctx, org, Filter{State: stockhand.DocumentPending}, "", mostOpen)
	return slices.DeleteFunc(all, func(d stockhand.Draft) bool {
		waits := slices.ContainsFunc(d.Documents,
			func(doc stockhand.DraftDocument) bool { return doc.State == stockhand.DocumentPending })
		return d.Account != account || !waits || d.By != by && (in == "" || d.Session != in)
	}), err
}

// revising is a revision while it is computed.
type revising struct {
	*Service
	of    stockhand.Draft
	call  string
	p     *tool.Proposal
	wants tool.Revision
	l     stockhand.Language
	h     loaded
	c     stockhand.DraftChange
	moved []tool.Document // of a split: the documents of the new draft
	out   []string        // goods that a person took out before, and that the new proposal had
}

// change computes the next version in memory.
func (v *revising) change(ctx context.Context) error {
	h := &v.h
	pending := h.in(nil, stockhand.DocumentPending)
	if len(pending) == 0 {
		return refusal(stockhand.CodeConflict,
			stockhand.Words{Message: "nothing in this draft waits any more, so it cannot be changed",
				Hint: "propose a new one"},
			stockhand.Words{Message: "в этом черновике больше ничего не ждёт решения, менять нечего"})
	}
	now := v.Clock()
	v.c = stockhand.DraftChange{Version: h.Version, Editors: h.Editors}
	if v.of.By != "" && !slices.Contains(h.Editors, v.of.By) {
		v.c.Editors = append(slices.Clone(h.Editors), v.of.By)
	}
	e := editing{loaded: h, l: v.l}
	if v.wants.Instead {
		e.dropped = pending
		h.proposal.Documents = slices.DeleteFunc(h.proposal.Documents,
			func(d tool.Document) bool { return slices.Contains(pending, d.ID) })
		h.proposal.Title, h.proposal.Tool, h.proposal.Notices = v.p.Title, v.p.Tool, nil
		v.withoutDropped()
	} else {
		edits, err := v.edits()
		if err != nil {
			return err
		}
		if len(edits.Documents) > 0 {
			if err := e.all(edits); err != nil {
				return err
			}
		}
	}
	if err := v.join(ctx, &e); err != nil {
		return err
	}
	if len(h.proposal.Documents) == 0 {
		return stockhand.Errorf(stockhand.CodeValidation, "%s", v.l.Pick(
			"в черновике ничего не осталось бы: отклоните его", "nothing would be left in the draft: reject it instead"))
	}
	if len(e.dropped)+len(e.touched)+len(v.c.Add) == 0 {
		return stockhand.Errorf(stockhand.CodeValidation, "%s", v.l.Pick("изменений нет", "nothing would change"))
	}
	v.c.Drop = e.dropped
	for _, id := range e.touched {
		doc := *h.state(id)
		to := doc
		to.Problem, to.Updated = "", now
		m, err := move(doc, to)
		if err != nil {
			return err
		}
		v.c.Moves = append(v.c.Moves, m)
	}
	h.proposal.Revised = v.call
	h.proposal.Answer = answer(h.Language, h.proposal, h.Version+1)
	if v.wants.Instead {
		h.proposal.Answer = v.p.Answer + h.Language.Pick(" Прежний вариант заменён.",
			" It replaces the draft before.") + v.stillOut()
	}
	var err error
	if v.c.Body, err = json.Marshal(h.proposal); err != nil {
		return stockhand.Errorf(stockhand.CodeInternal, "write the draft: %w", err)
	}
	v.c.Audit = []stockhand.AuditEntry{{At: now, Actor: v.of.By, Action: "draft.edited",
		Detail: detail(map[string]any{"from_version": h.Version, "run": v.of.Run, "added": len(v.c.Add),
			"dropped": len(v.c.Drop)})}}
	return nil
}

// join adds the documents of the proposal, and those of the draft to merge. Lines of a document like one of the draft
// join it.
func (v *revising) join(ctx context.Context, e *editing) error {
	docs, notices := slices.Clone(v.p.Documents), v.p.Notices
	if len(docs) > 0 {
		own := v.h.Draft
		overlaps, err := v.overlaps(ctx, own, v.p)
		if err != nil {
			return err
		}
		notices = slices.Concat(notices, overlaps)
	}
	if v.wants.Merge != "" {
		other, err := v.other(ctx)
		if err != nil {
			return err
		}
		docs = append(docs, other...)
	}
	for _, n := range notices {
		if !slices.Contains(v.h.proposal.Notices, n) {
			v.h.proposal.Notices = append(v.h.proposal.Notices, n)
		}
	}
	for _, doc := range docs {
		if ours := v.h.proposal.Documents; len(ours) > 0 &&
			(doc.Kind == tool.NoteChange) != (ours[0].Kind == tool.NoteChange) {
			return stockhand.Errorf(stockhand.CodeValidation, "a note does not go into a draft with other documents")
		}
		if into := v.like(e, doc); into != nil {
			if err := v.joinLines(into, doc); err != nil {
				return err
			}
			if !slices.Contains(e.touched, into.ID) && !slices.Contains(v.c.Add, into.ID) {
				e.touched = append(e.touched, into.ID)
			}
			continue
		}
		doc.ID = stockhand.NewID[stockhand.DocumentID]("doc")
		doc, err := complete(doc)
		if err != nil {
			return err
		}
		v.h.proposal.Documents = append(v.h.proposal.Documents, doc)
		v.c.Add = append(v.c.Add, doc.ID)
	}
	return nil
}

// like returns the document of the draft that waits and differs from another in its lines only; nil for none.
func (v *revising) like(e *editing, doc tool.Document) *tool.Document {
	same := func(a, b *tool.Ref) bool { return (a == nil) == (b == nil) && (a == nil || a.ID == b.ID) }
	for i := range v.h.proposal.Documents {
		d := &v.h.proposal.Documents[i]
		at := v.h.state(d.ID)
		waits := slices.Contains(v.c.Add, d.ID) || at != nil && at.State == stockhand.DocumentPending &&
			!slices.Contains(e.dropped, d.ID)
		if waits && d.Kind == doc.Kind && d.Call == nil && doc.Call == nil && d.Deletes == nil && doc.Deletes == nil &&
			same(d.Organization, doc.Organization) && same(d.Supplier, doc.Supplier) && same(d.Store, doc.Store) &&
			same(d.Target, doc.Target) && same(d.PriceType, doc.PriceType) && d.CurrencyID == doc.CurrencyID {
			return d
		}
	}
	return nil
}

// joinLines adds lines to a document. Of a good that it has already, quantities add up, and prices and minimums are
// replaced.
func (v *revising) joinLines(into *tool.Document, doc tool.Document) error {
	before := *into
	before.Lines = slices.Clone(into.Lines)
	next := 0
	for _, l := range into.Lines {
		var n int
		if _, err := fmt.Sscan(l.ID, &n); err == nil {
			next = max(next, n)
		}
	}
	for _, l := range doc.Lines {
		i := slices.IndexFunc(into.Lines, func(o tool.Line) bool {
			return o.Product.ID == l.Product.ID && (o.Store == nil) == (l.Store == nil) &&
				(l.Store == nil || o.Store.ID == l.Store.ID)
		})
		if i < 0 {
			next++
			l.ID = fmt.Sprint(next)
			into.Lines = append(into.Lines, l)
			continue
		}
		old := into.Lines[i]
		id := old.ID
		if (into.Kind == tool.SupplierOrder || into.Kind == tool.Transfer) && old.Quantity.Known && l.Quantity.Known {
			l.Quantity.Decimal = l.Quantity.Add(old.Quantity.Decimal)
			if !l.Price.Known {
				l.Price = old.Price
			}
		}
		l.ID = id
		l.Reason = reason(v.l, into.Kind, into.Currency, old, l)
		into.Lines[i] = l
	}
	done, err := complete(*into)
	if err != nil {
		return err
	}
	done.Consequences = consequences(v.l, before, done)
	*into = done
	return nil
}

// moveProblem marks the documents of a draft that a revision has moved.
func (v *revising) moveProblem() string {
	return fmt.Sprintf(v.l.Pick("перенесён в черновик %s", "moved into the draft %s"), v.wants.Draft)
}

// other returns the documents of the draft to merge: those that wait, and those that this call has taken already.
func (v *revising) other(ctx context.Context) ([]tool.Document, error) {
	h, err := v.toMerge(ctx)
	if err != nil {
		return nil, err
	}
	var ids []stockhand.DocumentID
	for _, d := range h.Documents {
		if d.State == stockhand.DocumentPending ||
			d.State == stockhand.DocumentRejected && d.Problem == v.moveProblem() {
			ids = append(ids, d.ID)
		}
	}
	if len(ids) == 0 {
		return nil, refusal(stockhand.CodeConflict,
			stockhand.Words{Message: fmt.Sprintf("nothing in the draft %s waits any more", h.ID)},
			stockhand.Words{Message: fmt.Sprintf("в черновике %s больше ничего не ждёт решения", h.ID)})
	}
	return contents(h, ids), nil
}

func (v *revising) toMerge(ctx context.Context) (loaded, error) {
	if v.wants.Merge == v.wants.Draft {
		return loaded{}, stockhand.Errorf(stockhand.CodeValidation, "a draft cannot be merged with itself")
	}
	return v.openTo(ctx, v.of, v.wants.Merge)
}

// takeOver closes the documents that move into the draft, before it has them: no moment has them in two drafts, in both
// of which they could be confirmed.
func (v *revising) takeOver(ctx context.Context) error {
	if v.wants.Merge == "" {
		return nil
	}
	h, err := v.toMerge(ctx)
	if err != nil {
		return err
	}
	now := v.Clock()
	c := stockhand.DraftChange{Version: h.Version}
	for _, id := range h.in(nil, stockhand.DocumentPending) {
		doc := *h.state(id)
		to := doc
		to.State, to.Problem, to.Updated = stockhand.DocumentRejected, v.moveProblem(), now
		m, err := move(doc, to)
		if err != nil {
			return err
		}
		c.Moves = append(c.Moves, m)
	}
	if len(c.Moves) == 0 {
		return nil
	}
	c.Audit = []stockhand.AuditEntry{{At: now, Actor: v.of.By, Action: "draft.rejected",
		Detail: detail(map[string]any{"moved_into": v.wants.Draft})}}
	return v.decide(ctx, h, c)
}

// split stores the draft of what leaves this one.
func (v *revising) split(ctx context.Context) (*stockhand.Draft, error) {
	if len(v.moved) == 0 {
		return nil, nil //nolint:nilnil // nothing is split
	}
	if existing, err := v.splitOff(ctx); existing != nil || err != nil {
		return existing, err
	}
	d := v.of
	d.ID = v.splitID()
	p := v.h.proposal
	p.Documents, p.Revised, p.Notices = v.moved, v.call, nil
	p.Answer = fmt.Sprintf(v.l.Pick("Отделено от черновика %s. Документов: %d.",
		"Split off the draft %s. Documents: %d."), v.wants.Draft, len(v.moved))
	created, err := v.create(ctx, byAgent, d, &p)
	return &created, err
}

func (v *revising) splitID() stockhand.DraftID {
	return stockhand.DraftID("drf_" + strings.TrimPrefix(string(v.of.Run), "run_"))
}

// splitOff returns the new draft if it exists. A run that has made a draft of its own cannot split another one.
func (v *revising) splitOff(ctx context.Context) (*stockhand.Draft, error) {
	d, err := v.Store.Draft(ctx, v.of.Org, v.splitID())
	if stockhand.CodeOf(err) == stockhand.CodeNotFound {
		return nil, nil //nolint:nilnil // it does not exist
	}
	if err != nil {
		return nil, err
	}
	h, err := read(d)
	if err == nil && h.proposal.Revised != v.call {
		err = stockhand.Errorf(stockhand.CodeConflict, "this turn has made a draft already; split it in the next one")
	}
	return &d, err
}

// made returns what a revision has made before.
func (v *revising) made(ctx context.Context) (now stockhand.Draft, split *stockhand.Draft, err error) {
	if len(v.wants.Split) > 0 {
		split, err = v.splitOff(ctx)
	}
	return v.h.Draft, split, err
}
