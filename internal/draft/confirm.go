package draft

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/tool"
)

// Confirmation is what came of confirming: the draft afterwards, and in a dry run what would be sent.
type Confirmation struct {
	Draft    stockhand.Draft `json:"draft"`
	Verdicts []Verdict       `json:"verdicts,omitempty"` // of a dry run, one for each document
}

// Verdict is what confirming one document would come to.
type Verdict struct {
	Document    stockhand.DocumentID `json:"document_id"`
	Bodies      []tool.Body          `json:"bodies"` // what would be sent, to the byte; empty when that cannot be said
	Fingerprint string               `json:"fingerprint,omitempty"`
	Gates       []Gate               `json:"gates"` // in the order in which they are passed
}

// Passed tells whether the document would be sent.
func (v Verdict) Passed() bool {
	return !slices.ContainsFunc(v.Gates, func(g Gate) bool { return !g.Passed })
}

// Gate is one condition of being sent.
type Gate struct {
	Name    string `json:"name"`
	Passed  bool   `json:"passed"`
	Message string `json:"message,omitempty"` // for people: why not
}

// The gates.
const (
	GateActor   = "actor"   // the caller may confirm
	GateVersion = "version" // the version is the one shown
	GateState   = "state"   // the document waits for a decision
	GateBodies  = "bodies"  // the document can be written as requests
	GateRight   = "right"   // the employee may create it
	GateWorld   = "world"   // what it rests on has not moved
)

// Confirm is a person's yes to a version of a draft, to all of its pending documents or to the named ones, and
// everything that follows from it: the documents are checked against the world, sent, and looked up where the answer
// was lost. It returns when each is applied, failed, back with the person, or cannot be settled now; read the states.
//
// Errors come before anything is stored: AUTH_PERMISSION_DENIED for a key, unless the organization lets keys confirm;
// DRAFT_CHANGED for another version than the current one; CONFLICT for documents that no longer wait for a decision.
// Confirming again what is confirmed already goes on with it and sends nothing twice.
//
// A dry run changes nothing: it tells what would be sent and what each gate says, also to a caller who may not confirm.
func (s *Service) Confirm(ctx context.Context, actor stockhand.Actor, id stockhand.DraftID, version int64,
	documents []stockhand.DocumentID, dryRun bool) (Confirmation, error) {
	allowed := s.mayConfirm(ctx, actor)
	if allowed != nil && (!dryRun || stockhand.CodeOf(allowed) != stockhand.CodePermissionDenied) {
		return Confirmation{}, allowed
	}
	if dryRun {
		return s.dryRun(ctx, actor, id, version, documents, allowed)
	}
	h, err := s.shown(ctx, actor, id, version)
	if err != nil {
		return Confirmation{}, err
	}
	waiting, err := choose(h, documents)
	if err != nil {
		return Confirmation{}, err
	}
	s.busy.Add(1)
	defer s.busy.Done()
	// What a browser has begun is not undone by closing it.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), carryTime)
	defer cancel()
	if len(waiting) == 0 { // all of it was confirmed before
		return s.confirmed(ctx, h, documents)
	}
	mine := s.take(waiting)
	defer s.release(mine)
	if len(mine) != len(waiting) {
		return Confirmation{}, refusal(stockhand.CodeConflict,
			stockhand.Words{Message: "this draft is being confirmed right now",
				Hint: "read the draft to see what comes of it; nothing was done again"},
			stockhand.Words{Message: "этот черновик подтверждают прямо сейчас",
				Hint: "прочитайте черновик, чтобы узнать, что вышло; второй раз ничего не сделано"})
	}
	if err := s.bind(ctx, actor, h, waiting); err != nil {
		return Confirmation{}, err
	}
	if err := s.carry(ctx, actor.Org, id, mine); err != nil {
		return Confirmation{}, err
	}
	d, err := s.Store.Draft(ctx, actor.Org, id)
	return Confirmation{Draft: d}, err
}

// confirmed goes on with what was confirmed before and has not ended.
func (s *Service) confirmed(ctx context.Context, h held, only []stockhand.DocumentID) (Confirmation, error) {
	if err := s.carryOn(ctx, h, h.in(only, unsettled...)); err != nil {
		return Confirmation{}, err
	}
	d, err := s.Store.Draft(ctx, h.Org, h.ID)
	return Confirmation{Draft: d}, err
}

// choose returns the pending documents among the named ones, all pending ones when none are named. It is an error when
// one named is neither pending nor on its way, and when there is nothing to confirm or to go on with.
func choose(h held, named []stockhand.DocumentID) ([]stockhand.DocumentID, error) {
	for _, id := range named {
		at := h.state(id)
		if at == nil {
			return nil, noSuchDocument()
		}
		if at.State != stockhand.DocumentPending && !slices.Contains(unsettled, at.State) &&
			at.State != stockhand.DocumentApplied {
			title := h.document(id).Title
			return nil, refusal(stockhand.CodeConflict,
				stockhand.Words{Message: fmt.Sprintf("the document %q cannot be confirmed: it is %s", title,
					stateWord(at.State, stockhand.English))},
				stockhand.Words{Message: fmt.Sprintf("документ «%s» не подтвердить: он %s", title,
					stateWord(at.State, stockhand.Russian))})
		}
	}
	waiting := h.in(named, stockhand.DocumentPending)
	if len(waiting) == 0 && len(h.in(named, unsettled...)) == 0 {
		return nil, nothingToConfirm(len(named) > 0)
	}
	return waiting, nil
}

// bind stores the confirmation: who, which version, and the fingerprint of what will be sent.
func (s *Service) bind(ctx context.Context, actor stockhand.Actor, h held, ids []stockhand.DocumentID) error {
	w, err := s.writer(ctx, h)
	if err != nil {
		return err
	}
	now := s.Clock()
	c := stockhand.DraftChange{Version: h.Version}
	prints := map[string]any{}
	for _, id := range ids {
		bodies, err := w.Bodies(*h.document(id))
		if err != nil {
			return err
		}
		doc := *h.state(id)
		to := doc
		to.State, to.Version, to.ConfirmedBy, to.Fingerprint = stockhand.DocumentConfirmed, h.Version, actor.Name,
			Fingerprint(bodies)
		to.Attempt++ // whoever holds an earlier confirmation of this document has lost it
		to.Problem, to.Updated = "", now
		m, err := move(doc, to)
		if err != nil {
			return err
		}
		c.Moves = append(c.Moves, m)
		prints[string(id)] = to.Fingerprint
	}
	c.Audit = []stockhand.AuditEntry{{
		At: now, Actor: actor.Name, Action: "draft.confirmed",
		Detail: detail(map[string]any{"documents": prints, "person": actor.Person}),
	}}
	return s.decide(ctx, h, c)
}

// Fingerprint is the SHA-256, in hexadecimal, of the exact requests: each part preceded by its length.
func Fingerprint(bodies []tool.Body) string {
	h := sha256.New()
	part := func(b []byte) {
		var n [8]byte
		binary.BigEndian.PutUint64(n[:], uint64(len(b)))
		h.Write(n[:])
		h.Write(b)
	}
	for _, b := range bodies {
		part([]byte(b.Method))
		part([]byte(b.Path))
		part(b.Body)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// mayConfirm tells whether the caller may confirm at all.
func (s *Service) mayConfirm(ctx context.Context, actor stockhand.Actor) error {
	if actor.Name == "" {
		return stockhand.Errorf(stockhand.CodePermissionDenied, "nobody is named who would confirm")
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

func (s *Service) dryRun(ctx context.Context, actor stockhand.Actor, id stockhand.DraftID, version int64,
	documents []stockhand.DocumentID, allowed error) (Confirmation, error) {
	d, err := s.Store.Draft(ctx, actor.Org, id)
	if err != nil {
		return Confirmation{}, err
	}
	h, err := hold(d)
	if err != nil {
		return Confirmation{}, err
	}
	if len(documents) == 0 {
		documents = h.in(nil, stockhand.DocumentPending)
	}
	var common []Gate
	common = append(common, gate(GateActor, allowed))
	var shown error
	if d.Version != version {
		shown = outdated(d, version)
	}
	common = append(common, gate(GateVersion, shown))
	w, err := s.writer(ctx, h)
	if err != nil {
		return Confirmation{}, err
	}
	result := Confirmation{Draft: d}
	var writable []tool.Document
	for _, id := range documents {
		doc, at := h.document(id), h.state(id)
		if doc == nil || at == nil {
			return Confirmation{}, noSuchDocument()
		}
		v := Verdict{Document: id, Gates: append(slices.Clone(common), s.stateGate(h, *at))}
		bodies, err := w.Bodies(*doc)
		v.Gates = append(v.Gates, gate(GateBodies, err))
		if err == nil {
			v.Bodies, v.Fingerprint = bodies, Fingerprint(bodies)
			writable = append(writable, *doc)
		}
		result.Verdicts = append(result.Verdicts, v)
	}
	checks, err := w.Check(ctx, h.Language, writable)
	if err != nil {
		return Confirmation{}, err
	}
	if len(checks) != len(writable) {
		return Confirmation{}, stockhand.Errorf(stockhand.CodeInternal, "%d checks of %d documents", len(checks),
			len(writable))
	}
	for i, c := range checks {
		v := slices.IndexFunc(result.Verdicts, func(v Verdict) bool { return v.Document == writable[i].ID })
		result.Verdicts[v].Gates = append(result.Verdicts[v].Gates, rightGate(h.Language, c), worldGate(h.Language, c))
	}
	return result, nil
}

func (s *Service) stateGate(h held, at stockhand.DraftDocument) Gate {
	switch {
	case at.State != stockhand.DocumentPending:
		return Gate{Name: GateState, Message: h.Language.Pick("документ ", "the document is ") +
			stateWord(at.State, h.Language)}
	case s.Clock().After(h.Expires):
		return Gate{Name: GateState, Message: h.Language.Pick("срок черновика истёк", "the draft's time is over")}
	}
	return Gate{Name: GateState, Passed: true}
}

func rightGate(l stockhand.Language, c tool.Check) Gate {
	g := Gate{Name: GateRight, Passed: c.MissingRight == ""}
	if !g.Passed {
		g.Message = missingRight(l, c)
	}
	return g
}

func worldGate(l stockhand.Language, c tool.Check) Gate {
	g := Gate{Name: GateWorld, Passed: len(c.Moved) == 0}
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
