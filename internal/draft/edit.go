package draft

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

// Edits are a person's changes to a draft (rule R56).
type Edits struct {
	Documents []DocumentEdit `json:"documents"`
}

// DocumentEdit changes one document, or drops it.
type DocumentEdit struct {
	ID    stockhand.DocumentID `json:"id"`
	Drop  bool                 `json:"drop,omitempty"`
	Lines []LineEdit           `json:"lines,omitempty"`
}

// LineEdit changes one line, or drops it. What is unknown stays as it is.
type LineEdit struct {
	ID       string        `json:"id"`
	Quantity decimal.Maybe `json:"quantity"` // in the goods' own unit: above 0, at most 4 digits after the point
	Price    decimal.Maybe `json:"price"`    // in main units: not below 0, at most 2 digits after the point
	Drop     bool          `json:"drop,omitempty"`
}

// The precision of the external system: quantities with four decimal places, prices in hundredths of the main unit.
const (
	quantityPlaces = 4
	pricePlaces    = 2
)

// Edit creates a new version of a draft: it changes quantities and prices and drops lines and documents. All edits
// apply or none. Only pending documents can be edited. DRAFT_CHANGED if version is not the current one;
// VALIDATION_FAILED names each invalid value, for example documents[0].lines[2].quantity.
func (s *Service) Edit(ctx context.Context, actor stockhand.Actor, id stockhand.DraftID, version int64,
	edits Edits) (stockhand.Draft, error) {
	h, c, err := s.edited(ctx, actor, id, version, edits)
	if err != nil {
		return stockhand.Draft{}, err
	}
	return s.changed(ctx, h, c)
}

// TryEdit returns what Edit would return, and changes nothing.
func (s *Service) TryEdit(ctx context.Context, actor stockhand.Actor, id stockhand.DraftID, version int64,
	edits Edits) (stockhand.Draft, error) {
	h, c, err := s.edited(ctx, actor, id, version, edits)
	return preview(h.Draft, c), err
}

func (s *Service) edited(ctx context.Context, actor stockhand.Actor, id stockhand.DraftID, version int64,
	edits Edits) (loaded, stockhand.DraftChange, error) {
	none := stockhand.DraftChange{}
	h, err := s.shown(ctx, actor, id, version)
	if err != nil {
		return h, none, err
	}
	e := editing{loaded: &h, l: h.Language}
	if err := e.all(edits); err != nil {
		return h, none, err
	}
	now := s.Clock()
	c := stockhand.DraftChange{Version: version, Drop: e.dropped, Editors: h.Editors}
	if !slices.Contains(h.Editors, actor.Name) {
		c.Editors = append(slices.Clone(h.Editors), actor.Name)
	}
	// Edited documents are part of the change, so that it fails if one of them is being confirmed at the same time.
	for _, id := range e.touched {
		doc := *h.state(id)
		to := doc
		to.Problem, to.Updated = "", now
		m, err := move(doc, to)
		if err != nil {
			return h, none, err
		}
		c.Moves = append(c.Moves, m)
	}
	h.proposal.Answer = answer(h.Language, h.proposal, version+1)
	if c.Body, err = json.Marshal(h.proposal); err != nil {
		return h, none, stockhand.Errorf(stockhand.CodeInternal, "write the draft: %w", err)
	}
	c.Audit = []stockhand.AuditEntry{{At: now, Actor: actor.Name, Action: "draft.edited",
		Detail: detail(map[string]any{"from_version": version, "edits": edits})}}
	return h, c, nil
}

// Reject rejects all documents of a draft that have not been sent: pending ones, and confirmed ones that could not be
// sent yet. CONFLICT if there are none.
func (s *Service) Reject(ctx context.Context, actor stockhand.Actor, id stockhand.DraftID,
	version int64) (stockhand.Draft, error) {
	h, c, err := s.rejected(ctx, actor, id, version)
	if err != nil {
		return stockhand.Draft{}, err
	}
	return s.changed(ctx, h, c)
}

// TryReject returns what Reject would return, and changes nothing.
func (s *Service) TryReject(ctx context.Context, actor stockhand.Actor, id stockhand.DraftID,
	version int64) (stockhand.Draft, error) {
	h, c, err := s.rejected(ctx, actor, id, version)
	return preview(h.Draft, c), err
}

func (s *Service) rejected(ctx context.Context, actor stockhand.Actor, id stockhand.DraftID, version int64) (loaded,
	stockhand.DraftChange, error) {
	none := stockhand.DraftChange{}
	h, err := s.shown(ctx, actor, id, version)
	if err != nil {
		return h, none, err
	}
	now := s.Clock()
	c := stockhand.DraftChange{Version: version}
	var rejected []stockhand.DocumentID
	for _, doc := range h.Documents {
		if doc.State == stockhand.DocumentConfirmed { // must become pending first
			to := unconfirmed(doc, now)
			m, err := move(doc, to)
			if err != nil {
				return h, none, err
			}
			c.Moves = append(c.Moves, m)
			doc = to
		}
		if doc.State != stockhand.DocumentPending {
			continue
		}
		to := doc
		to.State, to.Problem, to.Updated = stockhand.DocumentRejected, "", now
		m, err := move(doc, to)
		if err != nil {
			return h, none, err
		}
		c.Moves = append(c.Moves, m)
		rejected = append(rejected, doc.ID)
	}
	if len(rejected) == 0 {
		return h, none, nothingToReject()
	}
	c.Audit = []stockhand.AuditEntry{{At: now, Actor: actor.Name, Action: "draft.rejected",
		Detail: detail(map[string]any{"documents": rejected})}}
	return h, c, nil
}

// changed stores a decision and returns the new draft.
func (s *Service) changed(ctx context.Context, h loaded, c stockhand.DraftChange) (stockhand.Draft, error) {
	if err := s.decide(ctx, h, c); err != nil {
		return stockhand.Draft{}, err
	}
	return s.Store.Draft(ctx, h.Org, h.ID)
}

// preview applies a change to a draft in memory.
func preview(d stockhand.Draft, c stockhand.DraftChange) stockhand.Draft {
	if c.Body != nil {
		d.Body, d.Editors = c.Body, c.Editors
		d.Version++
	}
	d.Documents = slices.DeleteFunc(slices.Clone(d.Documents),
		func(doc stockhand.DraftDocument) bool { return slices.Contains(c.Drop, doc.ID) })
	for _, m := range c.Moves {
		for i := range d.Documents {
			if d.Documents[i].ID == m.To.ID {
				d.Documents[i] = m.To
			}
		}
	}
	return d
}

// shown returns the draft if it is still at the version that the actor saw. Pending documents expire if their time is
// over.
func (s *Service) shown(ctx context.Context, actor stockhand.Actor, id stockhand.DraftID, version int64) (loaded,
	error) {
	if actor.Name == "" {
		return loaded{}, stockhand.Errorf(stockhand.CodePermissionDenied, "the caller has no name, so the "+
			"decision cannot be recorded")
	}
	d, err := s.Draft(ctx, actor.Org, id)
	if err != nil {
		return loaded{}, err
	}
	h, err := read(d)
	if err == nil && d.Version != version {
		err = outdated(d, version)
	}
	return h, err
}

// decide stores a person's decision. If another change was faster, the error says so in both languages.
func (s *Service) decide(ctx context.Context, h loaded, c stockhand.DraftChange) error {
	err := s.Store.ChangeDraft(ctx, h.Org, h.ID, c)
	switch {
	case err == nil:
		return nil
	case stockhand.CodeOf(err) == stockhand.CodeDraftChanged:
		now, err := s.Store.Draft(ctx, h.Org, h.ID)
		if err != nil {
			return err
		}
		return outdated(now, c.Version)
	case stockhand.CodeOf(err) == stockhand.CodeConflict:
		return refusal(stockhand.CodeConflict,
			stockhand.Words{Message: "someone has just decided on this document; nothing was changed",
				Hint: "read the draft again"},
			stockhand.Words{Message: "по этому документу только что решили иначе; ничего не изменено",
				Hint: "откройте черновик заново"})
	}
	return err
}

func outdated(d stockhand.Draft, version int64) error {
	return refusal(stockhand.CodeDraftChanged,
		stockhand.Words{Message: fmt.Sprintf("the draft has changed: it is at version %d, not %d; nothing was done",
			d.Version, version),
			Hint: "read the draft again and repeat with its current version"},
		stockhand.Words{Message: fmt.Sprintf(
			"черновик с тех пор изменился: сейчас это версия %d, а не %d; ничего не сделано",
			d.Version, version),
			Hint: "откройте черновик заново и повторите с нынешней версией"})
}

// editing applies edits to a draft in memory.
type editing struct {
	*loaded
	l       stockhand.Language
	dropped []stockhand.DocumentID
	touched []stockhand.DocumentID
	faults  []stockhand.FieldError
}

func (e *editing) fault(field, ru, en string) {
	e.faults = append(e.faults, stockhand.FieldError{Field: field, Message: e.l.Pick(ru, en)})
}

func (e *editing) all(edits Edits) error {
	if len(edits.Documents) == 0 {
		e.fault("documents", "изменений нет", "there are no edits")
	}
	for i, edit := range edits.Documents {
		field := fmt.Sprintf("documents[%d]", i)
		doc, at := e.document(edit.ID), e.state(edit.ID)
		switch {
		case doc == nil || at == nil:
			e.fault(field+".id", "такого документа в черновике нет", "the draft has no such document")
		case slices.Contains(e.dropped, edit.ID) || slices.Contains(e.touched, edit.ID):
			e.fault(field+".id", "документ указан дважды", "the document is named twice")
		case at.State != stockhand.DocumentPending:
			return refusal(stockhand.CodeConflict,
				stockhand.Words{Message: fmt.Sprintf("the document %q can no longer be edited: %s", doc.Title,
					tool.StateWords[at.State].EN)},
				stockhand.Words{Message: fmt.Sprintf("документ «%s» уже не изменить: %s", doc.Title,
					tool.StateWords[at.State].RU)})
		case edit.Drop && len(edit.Lines) > 0:
			e.fault(field+".drop", "документ нельзя и убрать, и изменить", "a document cannot be dropped and edited")
		case edit.Drop:
			e.dropped = append(e.dropped, edit.ID)
			for _, l := range doc.Lines {
				e.tookOut(l.Product)
			}
		case doc.Call != nil:
			e.fault(field+".lines", "вызов изменить нельзя: предложите его заново с другими аргументами",
				"a call cannot be edited: propose it again with other arguments")
		case len(edit.Lines) == 0:
			e.fault(field, "изменений нет", "there are no edits")
		default:
			e.touched = append(e.touched, edit.ID)
			e.lines(doc, field, edit.Lines)
		}
	}
	e.proposal.Documents = slices.DeleteFunc(e.proposal.Documents,
		func(d tool.Document) bool { return slices.Contains(e.dropped, d.ID) })
	if len(e.proposal.Documents) == 0 && len(e.faults) == 0 {
		e.fault("documents", "не осталось бы ни одного документа: отклоните черновик",
			"no document would be left: reject the draft instead")
	}
	if len(e.faults) > 0 {
		return &stockhand.Error{Code: stockhand.CodeValidation, Fields: e.faults, Message: "these edits cannot be made",
			RU: stockhand.Words{Message: "так изменить нельзя"}}
	}
	return nil
}

// tookOut remembers a good whose line a person took out.
func (e *editing) tookOut(good tool.Ref) {
	if !slices.ContainsFunc(e.proposal.Dropped, func(r tool.Ref) bool { return r.ID == good.ID }) {
		e.proposal.Dropped = append(e.proposal.Dropped, good)
	}
}

func (e *editing) lines(doc *tool.Document, field string, edits []LineEdit) {
	before := *doc
	before.Lines = slices.Clone(doc.Lines)
	var named, dropped []string
	for j, edit := range edits {
		at := fmt.Sprintf("%s.lines[%d]", field, j)
		i := slices.IndexFunc(doc.Lines, func(l tool.Line) bool { return l.ID == edit.ID })
		switch {
		case i < 0:
			e.fault(at+".id", "такой строки в документе нет", "the document has no such line")
		case slices.Contains(named, edit.ID):
			e.fault(at+".id", "строка указана дважды", "the line is named twice")
		case edit.Drop && (edit.Quantity.Known || edit.Price.Known):
			e.fault(at+".drop", "строку нельзя и убрать, и изменить", "a line cannot be dropped and edited")
		case doc.Kind == tool.Deletion:
			e.fault(at, "у удаления документа строки не меняются", "the lines of a deletion cannot be edited")
		case edit.Drop:
			dropped = append(dropped, edit.ID)
			e.tookOut(doc.Lines[i].Product)
		case !edit.Quantity.Known && !edit.Price.Known:
			e.fault(at, "изменений нет", "there are no edits")
		default:
			e.line(doc, &doc.Lines[i], at, edit)
		}
		named = append(named, edit.ID)
	}
	doc.Lines = slices.DeleteFunc(doc.Lines, func(l tool.Line) bool { return slices.Contains(dropped, l.ID) })
	if len(doc.Lines) == 0 && len(dropped) > 0 {
		e.fault(field+".lines", "не осталось бы ни одной строки: уберите документ",
			"no line would be left: drop the document instead")
	}
	if len(dropped) > 0 {
		doc.Title = counted(e.l, doc.Title, len(doc.Lines))
	}
	doc.Total = doc.Sum()
	if doc.Total.Err() != nil {
		e.fault(field+".lines", "сумма документа слишком велика", "the document's total is too large")
		return
	}
	doc.Consequences = consequences(e.l, before, *doc)
}

func (e *editing) line(doc *tool.Document, line *tool.Line, at string, edit LineEdit) {
	before, kind := *line, doc.Kind
	if q := edit.Quantity; q.Known {
		field := at + ".quantity"
		switch {
		case kind == tool.PriceChange:
			e.fault(field, "у изменения цены нет количества", "a price change has no quantity")
		case !q.Valid() || q.Sign() < 0 || q.Sign() == 0 && kind != tool.MinimumStock:
			e.fault(field, "количество должно быть больше нуля; ненужную строку уберите",
				"the quantity must be above zero; drop a line that is not wanted")
		case q.Round(quantityPlaces).Cmp(q.Decimal) != 0:
			e.fault(field, "не больше четырёх знаков после запятой", "at most four digits after the point")
		case line.Whole && q.Round(0).Cmp(q.Decimal) != 0:
			e.fault(field, "нужно целое число: эта единица измерения не делится",
				"a whole number is needed: this unit cannot be divided")
		case line.Pack.Known && line.Pack.Sign() > 0 && !multiple(q.Decimal, line.Pack.Decimal):
			e.fault(field, "нужно целыми упаковками, по "+line.Pack.String(), "must be a multiple of the pack: "+
				line.Pack.String())
		default:
			line.Quantity = decimal.Some(q.Decimal)
		}
	}
	if p := edit.Price; p.Known {
		field := at + ".price"
		switch {
		case kind == tool.MinimumStock:
			e.fault(field, "у минимума нет цены", "a minimum stock has no price")
		case kind == tool.Transfer:
			e.fault(field, "цену перемещения изменить нельзя", "the price of a transfer cannot be edited")
		case !p.Valid() || p.Sign() < 0:
			e.fault(field, "цена не может быть меньше нуля", "the price cannot be below zero")
		case p.Round(pricePlaces).Cmp(p.Decimal) != 0:
			e.fault(field, "не больше двух знаков после запятой", "at most two digits after the point")
		default:
			line.Price = decimal.Some(p.Decimal)
		}
	}
	line.Reason = reason(e.l, kind, doc.Currency, before, *line)
	line.Flags = flags(e.l, kind, doc.Currency, before, *line)
}

// multiple reports whether q is a whole number of packs. It multiplies back, because a quotient may be rounded.
func multiple(q, pack decimal.Decimal) bool {
	packs := q.Div(pack).Round(0)
	return packs.Mul(pack).Cmp(q) == 0
}
