package draft

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/tool"
)

// Decision is what a person confirms: the version of a draft that they saw, and which of its documents.
type Decision struct {
	Draft     stockhand.DraftID
	Version   int64
	Documents []stockhand.DocumentID // all pending ones when empty
}

// Preview is what a confirmation would do: the current draft, and whether each document would be sent.
type Preview struct {
	Draft    stockhand.Draft
	Verdicts []Verdict
}

// Verdict is what confirming one document would do.
type Verdict struct {
	Document    stockhand.DocumentID `json:"document_id"`
	Passed      bool                 `json:"passed" doc:"Whether it would be sent"`
	Bodies      []tool.Body          `json:"bodies" doc:"The exact requests that would be sent; amounts in them are in the units of the external system"`
	Fingerprint string               `json:"fingerprint,omitempty"`
	Gates       []Gate               `json:"gates" doc:"The checks, in their order"`
	First       bool                 `json:"-"` // only the rule on two people stands in the way: this would be the first
}

// Gate is one check that a document must pass before it is sent.
type Gate struct {
	Name    string `json:"name"`
	Passed  bool   `json:"passed"`
	Message string `json:"message,omitempty" doc:"Why the check failed"`
	StepUp  bool   `json:"-"` // a recent proof of who the person is would pass it
}

// The names of the gates.
const (
	GateActor   = "actor"   // the caller may confirm
	GateVersion = "version" // the version is the current one
	GateState   = "state"   // the document is pending
	GateRules   = "rules"   // writes are not stopped, and the organization's rules permit it
	GateBodies  = "bodies"  // the document can be encoded as requests
	GateRight   = "right"   // the employee may create it
	GateFigures = "figures" // the figures it is based on have not changed
)

// Confirm confirms a version of a draft and carries it out: it checks the documents against the account's current data,
// sends them, and looks up those whose response was lost. It returns the draft when each document is applied, failed,
// returned to the person, or cannot be finished now; see their states.
//
// Errors are returned before anything is stored: AUTH_PERMISSION_DENIED for a key, unless the organization allows keys
// to confirm, and for what its rules or a stop of all writes refuse; DRAFT_CHANGED if the version is not the current
// one; CONFLICT for documents that are no longer pending. A document that needs two people stays pending after the
// first. Confirming a confirmed document again continues with it and sends nothing twice.
func (s *Service) Confirm(ctx context.Context, actor stockhand.Actor, what Decision) (stockhand.Draft, error) {
	none := stockhand.Draft{}
	if err := s.mayConfirm(ctx, actor); err != nil {
		return none, err
	}
	h, err := s.shown(ctx, actor, what.Draft, what.Version)
	if err != nil {
		return none, err
	}
	waiting, err := choose(h, what.Documents)
	if err != nil {
		return none, err
	}
	s.busy.Add(1)
	defer s.busy.Done()
	// A client that disconnects does not stop it.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), processTimeout)
	defer cancel()
	if len(waiting) == 0 { // already confirmed
		err = s.processIdle(ctx, h, h.in(what.Documents, unfinished...))
	} else {
		err = s.confirm(ctx, actor, h, waiting)
	}
	if err != nil {
		return none, err
	}
	return s.Store.Draft(ctx, actor.Org, what.Draft)
}

// confirm stores the confirmation of pending documents and sends them.
func (s *Service) confirm(ctx context.Context, actor stockhand.Actor, h loaded, pending []stockhand.DocumentID) error {
	mine := s.lock(pending)
	defer s.unlock(mine)
	if len(mine) != len(pending) {
		return refusal(stockhand.CodeConflict,
			stockhand.Words{Message: "this draft is being confirmed right now",
				Hint: "read the draft to see the result; nothing was done twice"},
			stockhand.Words{Message: "этот черновик уже подтверждают",
				Hint: "откройте черновик, чтобы увидеть результат; дважды ничего не отправлено"})
	}
	for try := 1; ; try++ {
		err := s.recordConfirmation(ctx, actor, h, pending)
		if err == nil {
			return s.process(ctx, actor.Org, h.ID, mine)
		}
		if stockhand.CodeOf(err) != stockhand.CodeConflict || try == 3 {
			return err
		}
		// Another person may have approved at the same time, or a rule have changed: then the decision is another one.
		now, failed := s.load(ctx, actor.Org, h.ID)
		if failed != nil {
			return failed
		}
		if now.Version != h.Version || len(now.in(pending, stockhand.DocumentPending)) != len(pending) {
			return err
		}
		h = now
	}
}

// choose returns the pending documents among the named ones, or all pending ones if none are named. It is an error if a
// named document is in another state than pending, unfinished or applied, or if there is nothing left to do.
func choose(h loaded, named []stockhand.DocumentID) ([]stockhand.DocumentID, error) {
	for _, id := range named {
		at := h.state(id)
		if at == nil {
			return nil, noSuchDocument()
		}
		if at.State != stockhand.DocumentPending && !slices.Contains(unfinished, at.State) &&
			at.State != stockhand.DocumentApplied {
			title := h.document(id).Title
			return nil, refusal(stockhand.CodeConflict,
				stockhand.Words{Message: fmt.Sprintf("the document %q cannot be confirmed: %s", title,
					tool.StateWords[at.State].EN)},
				stockhand.Words{Message: fmt.Sprintf("документ «%s» нельзя подтвердить: %s", title,
					tool.StateWords[at.State].RU)})
		}
	}
	waiting := h.in(named, stockhand.DocumentPending)
	if len(waiting) == 0 && len(h.in(named, unfinished...)) == 0 {
		return nil, nothingToConfirm(len(named) > 0)
	}
	return waiting, nil
}

// recordConfirmation stores who confirmed which version, and the fingerprint of what will be sent, if the
// organization's rules permit it. What they are based on must still hold when it is stored.
func (s *Service) recordConfirmation(ctx context.Context, actor stockhand.Actor, h loaded,
	ids []stockhand.DocumentID) error {
	w, err := s.writer(ctx, h)
	if err != nil {
		return err
	}
	allowed, err := s.obey(ctx, actor, h, w, ids)
	if err != nil {
		return err
	}
	now := s.Clock()
	c := stockhand.DraftChange{Version: h.Version, Given: allowed.given, Writes: true}
	prints, approved := map[string]any{}, map[string]any{}
	for _, id := range ids {
		bodies, err := w.Bodies(*h.document(id))
		if err != nil {
			return err
		}
		doc := *h.state(id)
		to := doc
		to.Attempt++ // invalidates a worker of an earlier confirmation, and another approval at the same time
		to.Problem, to.Updated = "", now
		if allowed.first[id] {
			to.ApprovedBy, to.Approved = actor.Name, h.Version
			approved[string(id)] = s.fingerprint(h.Org, bodies)
		} else {
			to.State, to.Version, to.ConfirmedBy, to.Fingerprint = stockhand.DocumentConfirmed, h.Version, actor.Name,
				s.fingerprint(h.Org, bodies)
			prints[string(id)] = to.Fingerprint
		}
		m, err := move(doc, to)
		if err != nil {
			return err
		}
		c.Moves = append(c.Moves, m)
	}
	for _, e := range []struct {
		action    string
		documents map[string]any
	}{{"draft.approved", approved}, {"draft.confirmed", prints}} {
		if len(e.documents) > 0 {
			c.Audit = append(c.Audit, stockhand.AuditEntry{At: now, Actor: actor.Name, Action: e.action,
				Detail: detail(map[string]any{"documents": e.documents, "person": actor.Person})})
		}
	}
	return s.decide(ctx, h, c)
}

// exact returns what the fingerprint of requests is of: their exact bytes, each part prefixed with its length.
func exact(bodies []tool.Body) []byte {
	var all []byte
	part := func(b []byte) { all = append(binary.BigEndian.AppendUint64(all, uint64(len(b))), b...) }
	for _, b := range bodies {
		part([]byte(b.Method))
		part([]byte(b.Path))
		part(b.Body)
	}
	return all
}

func (s *Service) fingerprint(org stockhand.OrgID, bodies []tool.Body) string {
	return s.Fingerprint(org, exact(bodies))
}

// mayConfirm reports whether the caller may confirm at all.
func (s *Service) mayConfirm(ctx context.Context, actor stockhand.Actor) error {
	if actor.Name == "" {
		return stockhand.Errorf(stockhand.CodePermissionDenied, "the caller has no name, so the confirmation "+
			"cannot be recorded")
	}
	if actor.Trial {
		return refusal(stockhand.CodePermissionDenied,
			stockhand.Words{Message: "the API reference of the console confirms nothing",
				Hint: "open the draft in the console and confirm it there"},
			stockhand.Words{Message: "из описания API ничего не подтвердить",
				Hint: "откройте черновик в консоли и подтвердите его там"})
	}
	if actor.Person {
		return nil
	}
	on, err := s.KeysMayConfirm(ctx, actor.Org)
	if err != nil || on {
		return err
	}
	return stockhand.Errorf(stockhand.CodePermissionDenied,
		"an API key may not confirm drafts: the organization's setting %s is off", stockhand.KeysMayConfirm).
		WithHint("let a person confirm, or let a person who administers the organization turn %s on",
			stockhand.KeysMayConfirm)
}

// Preview returns what Confirm would send and the result of each check. It changes nothing, and callers who may not
// confirm may call it, too.
func (s *Service) Preview(ctx context.Context, actor stockhand.Actor, what Decision) (Preview, error) {
	allowed := s.mayConfirm(ctx, actor)
	if allowed != nil && stockhand.CodeOf(allowed) != stockhand.CodePermissionDenied {
		return Preview{}, allowed
	}
	h, err := s.load(ctx, actor.Org, what.Draft)
	if err != nil {
		return Preview{}, err
	}
	var shown error
	if h.Version != what.Version {
		shown = outdated(h.Draft, what.Version)
	}
	common := []Gate{gate(GateActor, allowed), gate(GateVersion, shown)}
	w, err := s.writer(ctx, h)
	if err != nil {
		return Preview{}, err
	}
	documents := what.Documents
	if len(documents) == 0 {
		documents = h.in(nil, stockhand.DocumentPending)
	}
	p := Preview{Draft: h.Draft}
	var writable []stockhand.DocumentID
	for _, id := range documents {
		doc, at := h.document(id), h.state(id)
		if doc == nil || at == nil {
			return Preview{}, noSuchDocument()
		}
		rules, first, err := s.rulesGate(ctx, actor, h, w, id)
		if err != nil {
			return Preview{}, err
		}
		v := Verdict{Document: id, Bodies: []tool.Body{}, First: first,
			Gates: append(slices.Clone(common), s.stateGate(h, *at), rules)}
		bodies, err := w.Bodies(*doc)
		v.Gates = append(v.Gates, gate(GateBodies, err))
		if err == nil {
			v.Bodies, v.Fingerprint = bodies, s.fingerprint(h.Org, bodies)
			writable = append(writable, id)
		}
		p.Verdicts = append(p.Verdicts, v)
	}
	checks, err := check(ctx, w, h, writable)
	if err != nil {
		return Preview{}, err
	}
	for i, c := range checks {
		v := slices.IndexFunc(p.Verdicts, func(v Verdict) bool { return v.Document == writable[i] })
		p.Verdicts[v].Gates = append(p.Verdicts[v].Gates, rightGate(h.Language, c), figuresGate(h.Language, c))
	}
	for i, v := range p.Verdicts {
		p.Verdicts[i].Passed = !slices.ContainsFunc(v.Gates, func(g Gate) bool { return !g.Passed })
		p.Verdicts[i].First = v.First && !slices.ContainsFunc(v.Gates,
			func(g Gate) bool { return !g.Passed && g.Name != GateRules })
	}
	return p, nil
}

func (s *Service) stateGate(h loaded, at stockhand.DraftDocument) Gate {
	switch {
	case at.State != stockhand.DocumentPending:
		return Gate{Name: GateState, Message: h.Language.Pick("документ не ждёт подтверждения: ",
			"the document does not wait for confirmation: ") + tool.StateWords[at.State].In(h.Language)}
	case s.Clock().After(h.Expires):
		return Gate{Name: GateState, Message: h.Language.Pick("срок черновика истёк", "the draft has expired")}
	}
	return Gate{Name: GateState, Passed: true}
}

// rulesGate also reports whether the confirmation would be the first of two.
func (s *Service) rulesGate(ctx context.Context, actor stockhand.Actor, h loaded, w Writer,
	id stockhand.DocumentID) (g Gate, first bool, err error) {
	allowed, err := s.obey(ctx, actor, h, w, []stockhand.DocumentID{id})
	refused, ours := errors.AsType[*stockhand.Error](err)
	switch {
	case ours && (refused.Code == stockhand.CodePermissionDenied || refused.Code == stockhand.CodeStepUpRequired):
		return Gate{Name: GateRules, Message: refused.In(h.Language).Message,
			StepUp: refused.Code == stockhand.CodeStepUpRequired}, false, nil
	case err != nil:
		return Gate{}, false, err
	case allowed.first[id]:
		return Gate{Name: GateRules, Message: h.Language.Pick("по правилам организации это подтверждают два человека",
			"by the organization's rules two people must confirm this")}, true, nil
	}
	return Gate{Name: GateRules, Passed: true}, false, nil
}

func rightGate(l stockhand.Language, c tool.Check) Gate {
	g := Gate{Name: GateRight, Passed: c.MissingRight == ""}
	if !g.Passed {
		g.Message = missingRight(l, c)
	}
	return g
}

func figuresGate(l stockhand.Language, c tool.Check) Gate {
	g := Gate{Name: GateFigures, Passed: len(c.Moved) == 0}
	if !g.Passed {
		g.Message = movedWords(l, c)
	}
	return g
}

func gate(name string, err error) Gate {
	g := Gate{Name: name, Passed: err == nil}
	if e, ok := errors.AsType[*stockhand.Error](err); ok {
		g.Message = e.Message
	} else if err != nil {
		g.Message = "internal failure"
	}
	return g
}
