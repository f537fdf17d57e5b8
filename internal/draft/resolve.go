package draft

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/tool"
)

// Resume continues with all confirmed documents that are not finished: it sends those that were not sent, and looks up
// those that may have been. Call it after a start and from time to time. It tries each draft once and joins the errors
// of the store.
func (s *Service) Resume(ctx context.Context) error {
	if s.System == nil {
		return nil
	}
	drafts, err := s.System.UnsettledDrafts(ctx)
	if err != nil {
		return err
	}
	var failed error
	for _, d := range drafts {
		if ctx.Err() != nil {
			return errors.Join(failed, ctx.Err())
		}
		h, err := read(d)
		if err == nil {
			err = s.processIdle(ctx, h, s.due(h))
		}
		failed = errors.Join(failed, err)
	}
	return failed
}

// due returns the unfinished documents that no other process may be sending. An unknown one is not being sent, and if
// two processes look it up, a conditional update lets one of them continue. So it is looked up again soon, and then
// less and less often.
func (s *Service) due(h loaded) []stockhand.DocumentID {
	return slices.DeleteFunc(h.in(nil, unfinished...), func(id stockhand.DocumentID) bool {
		doc, grace := h.state(id), s.Grace
		if doc.State == stockhand.DocumentUnknown {
			grace = min(grace, time.Duration(doc.Attempt)*lookupPause)
		}
		return terminal(doc) || grace > 0 && s.Clock().Sub(doc.Updated) < grace
	})
}

// terminal reports whether a document stays unknown because the external system cannot be asked about it.
func terminal(doc *stockhand.DraftDocument) bool {
	var o tool.Outcome
	return doc.State == stockhand.DocumentUnknown && len(doc.Outcome) > 0 && json.Unmarshal(doc.Outcome, &o) == nil &&
		o.Settled
}

// interrupted marks documents whose sending was interrupted as unknown: they may have been sent.
func (s *Service) interrupted(ctx context.Context, h loaded, ids []stockhand.DocumentID) error {
	for _, id := range h.in(ids, stockhand.DocumentApplying) {
		doc := *h.state(id)
		to := doc
		to.State, to.Updated = stockhand.DocumentUnknown, s.Clock()
		to.Attempt++ // invalidates the sender, in case it is still alive
		to.Problem = h.Language.Pick("отправка прервалась; Stockhand выясняет, записан ли документ",
			"sending was interrupted; Stockhand is checking whether the document was written")
		if _, err := s.transition(ctx, h, doc, to,
			s.entry(doc, "document.unknown",
				map[string]any{"attempt": to.Attempt, "problem": to.Problem})); err != nil {
			return err
		}
	}
	return nil
}

// resolve looks unknown documents up, once after each pause, and sends again those that are certainly not there.
func (s *Service) resolve(ctx context.Context, w Writer, org stockhand.OrgID, id stockhand.DraftID,
	ids []stockhand.DocumentID) error {
	for _, pause := range s.Pauses {
		h, err := s.load(ctx, org, id)
		if err != nil {
			return err
		}
		unknown := slices.DeleteFunc(h.in(ids, stockhand.DocumentUnknown),
			func(id stockhand.DocumentID) bool { return terminal(h.state(id)) })
		if len(unknown) == 0 {
			return nil
		}
		if !wait(ctx, pause) {
			return nil // still unknown; Resume continues
		}
		if err := s.lookUp(ctx, w, h, unknown); err != nil {
			return err
		}
	}
	return nil
}

func wait(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-t.C:
		return true
	}
}

// lookUp looks unknown documents up once.
func (s *Service) lookUp(ctx context.Context, w Writer, h loaded, unknown []stockhand.DocumentID) error {
	var ids []stockhand.DocumentID
	for _, id := range unknown {
		doc := h.state(id)
		to := *doc
		to.Attempt++
		to.Updated = s.Clock()
		ok, err := s.transition(ctx, h, *doc, to, stockhand.AuditEntry{})
		if err != nil {
			return err
		}
		if ok {
			*doc = to
			ids = append(ids, id)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	outcomes, err := w.Find(ctx, contents(h, ids))
	if err == nil && len(outcomes) != len(ids) {
		err = stockhand.Errorf(stockhand.CodeInternal, "%d outcomes of %d documents", len(outcomes), len(ids))
	}
	if err != nil {
		s.Logger.WarnContext(ctx, "unknown documents could not be looked up", "draft", h.ID, "documents", len(ids),
			"error", err)
		return nil
	}
	var absent []stockhand.DocumentID
	partly := map[stockhand.DocumentID]bool{}
	for i, id := range ids {
		doc := *h.state(id)
		switch o := outcomes[i]; o.State {
		case stockhand.DocumentApplied:
			err = s.finish(ctx, h, doc, o)
		case stockhand.DocumentFailed:
			absent = append(absent, id)
			partly[id] = slices.ContainsFunc(o.Lines,
				func(l tool.LineOutcome) bool { return l.State == stockhand.DocumentApplied })
		default:
			err = s.stillUnknown(ctx, h, doc, o)
		}
		if err != nil {
			return err
		}
	}
	return s.sendAgain(ctx, w, h, absent, partly)
}

// stillUnknown stores the problem that the lookup reported.
func (s *Service) stillUnknown(ctx context.Context, h loaded, doc stockhand.DraftDocument, o tool.Outcome) error {
	if o.Problem == "" || o.Problem == doc.Problem {
		return nil
	}
	to := doc
	to.Problem, to.Updated = o.Problem, s.Clock()
	var err error
	if o.Settled {
		if to.Outcome, err = json.Marshal(o); err != nil {
			return stockhand.Errorf(stockhand.CodeInternal, "write an outcome: %w", err)
		}
	}
	_, err = s.transition(ctx, h, doc, to, s.entry(doc, "document.unknown",
		map[string]any{"attempt": doc.Attempt, "problem": o.Problem}))
	return err
}

// sendAgain sends documents that are certainly not there, under the same external id, after the same checks as the
// first time. A document that does not pass fails; it cannot return to the person as if it had never been sent. If some
// of its lines were written, our own write changed its data, so moved data does not stop it: the look-up found each
// line either as before or as confirmed.
func (s *Service) sendAgain(ctx context.Context, w Writer, h loaded, absent []stockhand.DocumentID,
	partly map[stockhand.DocumentID]bool) error {
	if len(absent) == 0 {
		return nil
	}
	checks, err := check(ctx, w, h, absent)
	if err != nil {
		s.Logger.WarnContext(ctx, "documents that are not there could not be checked", "draft", h.ID, "documents",
			len(absent), "error", err)
		return nil
	}
	var ready []stockhand.DocumentID
	for i, id := range absent {
		doc := *h.state(id)
		var problem string
		bodies, err := w.Bodies(*h.document(id))
		switch {
		case checks[i].MissingRight != "":
			problem = missingRight(h.Language, checks[i])
		case len(checks[i].Moved) > 0 && !partly[id]:
			absent, err := s.stillAbsent(ctx, w, h, id)
			if err != nil {
				return err
			}
			if !absent {
				continue
			}
			problem = movedWords(h.Language, checks[i])
		case err != nil || s.fingerprint(h.Org, bodies) != doc.Fingerprint:
			problem = movedWords(h.Language, tool.Check{})
		default:
			ready = append(ready, id)
			continue
		}
		if err := s.finish(ctx, h, doc, tool.Outcome{State: stockhand.DocumentFailed, Problem: problem}); err != nil {
			return err
		}
	}
	return s.apply(ctx, w, h, ready)
}

// stillAbsent looks a document up once more after its data changed: its own write may have arrived after the last
// lookup. It stores what it finds.
func (s *Service) stillAbsent(ctx context.Context, w Writer, h loaded, id stockhand.DocumentID) (bool, error) {
	outcomes, err := w.Find(ctx, contents(h, []stockhand.DocumentID{id}))
	if err != nil || len(outcomes) != 1 {
		s.Logger.WarnContext(ctx, "an unknown document could not be looked up", "draft", h.ID, "document", id, "error",
			err)
		return false, nil
	}
	if outcomes[0].State == stockhand.DocumentApplied {
		return false, s.finish(ctx, h, *h.state(id), outcomes[0])
	}
	return outcomes[0].State == stockhand.DocumentFailed, nil
}
