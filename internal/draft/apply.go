package draft

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/tool"
)

// unfinished are the states that Stockhand, and not a person, moves on from.
var unfinished = []stockhand.DocumentState{stockhand.DocumentConfirmed, stockhand.DocumentApplying,
	stockhand.DocumentUnknown}

// lock marks documents as being processed by this process, and returns those that were not marked before.
func (s *Service) lock(ids []stockhand.DocumentID) []stockhand.DocumentID {
	s.mu.Lock()
	defer s.mu.Unlock()
	var mine []stockhand.DocumentID
	for _, id := range ids {
		if !s.working[id] {
			s.working[id] = true
			mine = append(mine, id)
		}
	}
	return mine
}

func (s *Service) unlock(ids []stockhand.DocumentID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, id := range ids {
		delete(s.working, id)
	}
}

// processIdle processes the documents that this process is not processing yet.
func (s *Service) processIdle(ctx context.Context, h loaded, ids []stockhand.DocumentID) error {
	mine := s.lock(ids)
	defer s.unlock(mine)
	if len(mine) == 0 {
		return nil
	}
	return s.process(ctx, h.Org, h.ID, mine)
}

// process sends confirmed documents and looks up unknown ones, as far as possible now. The results are in the store; an
// error means that the store failed. The caller has locked the documents.
func (s *Service) process(ctx context.Context, org stockhand.OrgID, id stockhand.DraftID,
	ids []stockhand.DocumentID) error {
	h, err := s.load(ctx, org, id)
	if err != nil {
		return err
	}
	if err := s.interrupted(ctx, h, ids); err != nil {
		return err
	}
	w, err := s.writer(ctx, h)
	if err != nil {
		return s.postpone(ctx, h, h.in(ids, stockhand.DocumentConfirmed), err)
	}
	if err := s.send(ctx, w, h, h.in(ids, stockhand.DocumentConfirmed)); err != nil {
		return err
	}
	return s.resolve(ctx, w, org, id, ids)
}

// writer opens a writer for the draft's account. It is an error if the connection now leads to another account than
// when the draft was created.
func (s *Service) writer(ctx context.Context, h loaded) (Writer, error) {
	c, err := s.Store.Connection(ctx, h.Org, h.Connection)
	if err != nil {
		return nil, err
	}
	if c.Account != h.Account {
		return nil, stockhand.Errorf(stockhand.CodeNotFound, "%s",
			h.Language.Pick("подключение ведёт в другой аккаунт", "the connection leads to another account"))
	}
	if s.Notes != nil && len(h.proposal.Documents) > 0 && h.proposal.Documents[0].Kind == tool.NoteChange {
		return s.Notes(h.Org, h.Language), nil
	}
	return s.Writers.Writer(ctx, h.Org, c, h.Language)
}

// send checks confirmed documents and sends those that pass. While writes are stopped, it returns them to the person.
func (s *Service) send(ctx context.Context, w Writer, h loaded, ids []stockhand.DocumentID) error {
	if len(ids) == 0 {
		return nil
	}
	stop, err := s.Store.WriteStop(ctx, h.Org)
	if err != nil {
		return err
	}
	if refused := stop.Refusal(); refused != nil {
		for _, id := range ids {
			if err := s.halt(ctx, h, *h.state(id), refused); err != nil {
				return err
			}
		}
		return nil
	}
	checks, err := check(ctx, w, h, ids)
	if err != nil {
		return s.postpone(ctx, h, ids, err)
	}
	var ready []stockhand.DocumentID
	for i, id := range ids {
		ok, err := s.passes(ctx, w, h, id, checks[i])
		if err != nil {
			return err
		}
		if ok {
			ready = append(ready, id)
		}
	}
	return s.apply(ctx, w, h, ready)
}

// passes reports whether a document may be sent. If not, it fails or returns to the person.
func (s *Service) passes(ctx context.Context, w Writer, h loaded, id stockhand.DocumentID, c tool.Check) (bool, error) {
	doc := *h.state(id)
	switch {
	case c.MissingRight != "":
		return false, s.finish(ctx, h, doc,
			tool.Outcome{State: stockhand.DocumentFailed, Problem: missingRight(h.Language, c)})
	case len(c.Moved) > 0:
		return false, s.sendBack(ctx, h, doc, c, movedWords(h.Language, c))
	}
	bodies, err := w.Bodies(*h.document(id))
	if err != nil || s.fingerprint(h.Org, bodies) != doc.Fingerprint {
		return false, s.sendBack(ctx, h, doc, tool.Check{}, movedWords(h.Language, tool.Check{}))
	}
	return true, nil
}

// halt keeps a document from being sent while writes are stopped: one that was only confirmed returns to the person,
// one that may have been sent stays unknown until it can be looked up and sent again.
func (s *Service) halt(ctx context.Context, h loaded, doc stockhand.DraftDocument, refused error) error {
	if doc.State != stockhand.DocumentConfirmed {
		return nil
	}
	problem := refused.Error()
	if e, ok := errors.AsType[*stockhand.Error](refused); ok {
		problem = e.In(h.Language).Message
	}
	return s.sendBack(ctx, h, doc, tool.Check{}, problem)
}

// check checks each document against the account's current data.
func check(ctx context.Context, w Writer, h loaded, ids []stockhand.DocumentID) ([]tool.Check, error) {
	checks, err := w.Check(ctx, h.Language, contents(h, ids))
	if err == nil && len(checks) != len(ids) {
		err = stockhand.Errorf(stockhand.CodeInternal, "%d checks of %d documents", len(checks), len(ids))
	}
	return checks, err
}

func contents(h loaded, ids []stockhand.DocumentID) []tool.Document {
	docs := make([]tool.Document, len(ids))
	for i, id := range ids {
		docs[i] = *h.document(id)
	}
	return docs
}

// apply marks documents as applying, sends those that no other process took, and stores each outcome.
func (s *Service) apply(ctx context.Context, w Writer, h loaded, ids []stockhand.DocumentID) error {
	var won []stockhand.DraftDocument
	var mine []stockhand.DocumentID
	for _, id := range ids {
		doc := *h.state(id)
		to := doc
		to.State, to.Problem, to.Updated = stockhand.DocumentApplying, "", s.Clock()
		to.Attempt++
		ok, err := s.transition(ctx, h, doc, to,
			s.entry(doc, "document.applying", map[string]any{"attempt": to.Attempt, "fingerprint": doc.Fingerprint}))
		if stockhand.CodeOf(err) == stockhand.CodePermissionDenied && err != nil { // writes were stopped just now
			err = s.halt(ctx, h, doc, err)
		}
		if err != nil {
			return err
		}
		if ok {
			won, mine = append(won, to), append(mine, id)
		}
	}
	if len(won) == 0 {
		return nil
	}
	outcomes := w.Apply(ctx, contents(h, mine))
	var failed error
	for i, doc := range won {
		o := tool.Outcome{State: stockhand.DocumentUnknown}
		if i < len(outcomes) {
			o = outcomes[i]
		}
		// Store every outcome, even if storing one fails.
		err := s.finish(ctx, h, doc, o)
		if waitable(err) {
			s.busy.Go(func() {
				persist(context.WithoutCancel(ctx), func(ctx context.Context) error { return s.finish(ctx, h, doc, o) })
			})
		}
		failed = errors.Join(failed, err)
	}
	return failed
}

// persist repeats storing an outcome until the database accepts it, with longer and longer pauses (rule R171). It gives
// up at another error, or when [Service.Resume] is about to look the document up. Each try is conditional, so it stores
// nothing if that has happened already.
func persist(ctx context.Context, store func(context.Context) error) {
	ctx, cancel := context.WithTimeout(ctx, persistTimeout)
	defer cancel()
	for pause := firstPause; wait(ctx, pause) && waitable(store(ctx)); {
		pause = min(2*pause, longestPause)
	}
}

// waitable reports whether the database may accept the same write later: its disk is full or it cannot be reached.
func waitable(err error) bool {
	return err != nil && (stockhand.CodeOf(err) == stockhand.CodeDatabaseUnavailable ||
		errors.Is(err, context.DeadlineExceeded))
}

// finish stores the outcome of a document: applied, failed or unknown.
func (s *Service) finish(ctx context.Context, h loaded, doc stockhand.DraftDocument, o tool.Outcome) error {
	switch o.State {
	case stockhand.DocumentApplied, stockhand.DocumentFailed:
	default:
		o.State = stockhand.DocumentUnknown
		if o.Problem == "" {
			o.Problem = h.Language.Pick(
				"ответа не было, и пока неизвестно, записан ли документ. Stockhand это выясняет; не создавайте его "+
					"вручную",
				"there was no answer, so it is not known yet whether the document was written. Stockhand is "+
					"checking; do not create it by hand")
		}
	}
	to := doc
	to.State, to.Problem, to.Updated = o.State, o.Problem, s.Clock()
	if o.State == stockhand.DocumentApplied {
		to.Problem = ""
	}
	var err error
	if to.Outcome, err = json.Marshal(o); err != nil {
		return stockhand.Errorf(stockhand.CodeInternal, "write an outcome: %w", err)
	}
	fields := map[string]any{"attempt": doc.Attempt}
	if o.Problem != "" {
		fields["problem"] = o.Problem
	}
	if len(o.Lines) > 0 {
		fields["lines"] = o.Lines
	}
	e := s.entry(doc, "document."+string(o.State), fields)
	if o.External != nil {
		e.External = o.External.Type + "/" + o.External.ID
		fields["number"] = o.External.Name
		e.Detail = detail(fields)
	}
	_, err = s.transition(ctx, h, doc, to, e)
	return err
}

// transition changes the state of a document, together with an audit entry. It returns false if another process changed
// the document first. It ignores cancellation: something was or is about to be sent, and that must be stored.
func (s *Service) transition(ctx context.Context, h loaded, seen, to stockhand.DraftDocument,
	e stockhand.AuditEntry) (bool, error) {
	m, err := move(seen, to)
	if err != nil {
		return false, err
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), storeTimeout)
	defer cancel()
	c := stockhand.DraftChange{Moves: []stockhand.DocumentMove{m}, Writes: to.State == stockhand.DocumentApplying}
	if e.Action != "" {
		c.Audit = []stockhand.AuditEntry{e}
	}
	err = s.Store.ChangeDraft(ctx, h.Org, h.ID, c)
	if stockhand.CodeOf(err) == stockhand.CodeConflict && err != nil {
		s.Logger.InfoContext(ctx, "another process works on the document", "document", seen.ID, "state", seen.State,
			"attempt", seen.Attempt)
		return false, nil
	}
	return err == nil, err
}

// entry is an audit entry about a document, in the name of the person who confirmed it.
func (s *Service) entry(doc stockhand.DraftDocument, action string, fields map[string]any) stockhand.AuditEntry {
	return stockhand.AuditEntry{At: s.Clock(), Actor: doc.ConfirmedBy, Action: action, Document: doc.ID,
		Version: doc.Version, Detail: detail(fields)}
}

// sendBack returns a document that was not sent to the person: the draft gets a new version with the current figures,
// and the problem says why. A check without changes keeps the figures.
func (s *Service) sendBack(ctx context.Context, h loaded, doc stockhand.DraftDocument, c tool.Check,
	problem string) error {
	// a remote call depends on the verified tool and has no figures to update
	if len(c.Moved) > 0 && h.document(doc.ID).Call != nil {
		return s.finish(ctx, h, doc, tool.Outcome{State: stockhand.DocumentFailed, Problem: problem +
			h.Language.Pick(" Проверьте подключение заново и предложите вызов ещё раз.",
				" Verify the connection again and propose the call again.")})
	}
	if len(c.Moved) > 0 && len(c.Fresh.Lines) == 0 && h.document(doc.ID).Kind != tool.Deletion {
		return s.finish(ctx, h, doc, tool.Outcome{State: stockhand.DocumentFailed, Problem: problem +
			h.Language.Pick(" В документе ничего не осталось.", " Nothing is left of the document.")})
	}
	for range 10 { // other documents of the draft may be edited at the same time
		now := s.Clock()
		to := unconfirmed(doc, now)
		to.Problem = problem
		m, err := move(doc, to)
		if err != nil {
			return err
		}
		if fresh := h.document(doc.ID); len(c.Moved) > 0 && h.document(doc.ID).Kind != tool.Deletion {
			id, kind := fresh.ID, fresh.Kind
			*fresh = c.Fresh
			fresh.ID, fresh.Kind, fresh.Total = id, kind, c.Fresh.Sum()
		}
		h.proposal.Answer = answer(h.Language, h.proposal, h.Version+1)
		body, err := json.Marshal(h.proposal)
		if err != nil {
			return stockhand.Errorf(stockhand.CodeInternal, "write the draft: %w", err)
		}
		err = s.Store.ChangeDraft(context.WithoutCancel(ctx), h.Org, h.ID, stockhand.DraftChange{
			Version: h.Version, Body: body, Editors: h.Editors, Moves: []stockhand.DocumentMove{m},
			Audit: []stockhand.AuditEntry{{At: now, Actor: bySystem, Action: "document.moved", Document: doc.ID,
				Version: doc.Version, Detail: detail(map[string]any{"moved": c.Moved, "problem": problem})}},
		})
		switch stockhand.CodeOf(err) {
		case stockhand.CodeDraftChanged:
		case stockhand.CodeConflict:
			return nil // it was rejected, or another process has it
		default:
			return err
		}
		if h, err = s.load(ctx, h.Org, h.ID); err != nil {
			return err
		}
		if now := h.state(doc.ID); now == nil || now.State != doc.State || now.Attempt != doc.Attempt {
			return nil
		}
	}
	return stockhand.Errorf(stockhand.CodeConflict, "the draft %s is edited faster than it can be sent back", h.ID)
}

// postpone stores why confirmed documents could not be sent. They stay confirmed and are retried, unless they can never
// be sent: then they fail.
func (s *Service) postpone(ctx context.Context, h loaded, ids []stockhand.DocumentID, why error) error {
	s.Logger.WarnContext(ctx, "confirmed documents wait", "draft", h.ID, "documents", len(ids), "error", why)
	words := h.Language.Pick("внешняя система не ответила", "the external system did not answer")
	if e, ok := errors.AsType[*stockhand.Error](why); ok && e.Code != stockhand.CodeInternal {
		words = e.Message
	}
	for _, id := range ids {
		doc := *h.state(id)
		if stockhand.CodeOf(why) == stockhand.CodeNotFound || s.Clock().After(h.Expires) {
			problem := fmt.Sprintf(h.Language.Pick("ничего не отправлено: %s", "nothing was sent: %s"), words)
			if err := s.finish(ctx, h, doc,
				tool.Outcome{State: stockhand.DocumentFailed, Problem: problem}); err != nil {
				return err
			}
			continue
		}
		to := doc
		to.Updated = s.Clock()
		to.Problem = fmt.Sprintf(h.Language.Pick("подтверждён, но ещё не отправлен: %s; попробуем ещё раз",
			"confirmed but not sent yet: %s; it will be tried again"), words)
		if _, err := s.transition(ctx, h, doc, to, stockhand.AuditEntry{}); err != nil {
			return err
		}
	}
	return nil
}

func missingRight(l stockhand.Language, c tool.Check) string {
	return fmt.Sprintf(l.Pick("ничего не отправлено: у сотрудника нет права «%s»",
		"nothing was sent: the employee lacks the right “%s”"), c.MissingRight)
}

// movedWords lists what changed, old → new.
func movedWords(l stockhand.Language, c tool.Check) string {
	if len(c.Moved) == 0 {
		return l.Pick("не отправлено: теперь записалось бы не то, что подтвердили; проверьте документ ещё раз",
			"not sent: the requests are no longer the ones that were confirmed; check the document again")
	}
	const listed = 5
	changes := make([]string, 0, listed+1)
	for _, m := range c.Moved[:min(listed, len(c.Moved))] {
		changes = append(changes, fmt.Sprintf("%s: %s → %s", m.What, m.Old, m.New))
	}
	if more := len(c.Moved) - listed; more > 0 {
		changes = append(changes, fmt.Sprintf(l.Pick("и ещё %d", "and %d more"), more))
	}
	return l.Pick("не отправлено, потому что изменилось: ", "not sent, because this has changed: ") +
		strings.Join(changes, "; ") + "."
}
