package draft

import (
	"context"
	"crypto/sha256"
	"encoding/base32"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/notes"
	"github.com/stockhand/stockhand/internal/tool"
)

// Undo creates a draft with the inverse of what was applied of a draft: old prices, the transfer in the other
// direction, the deletion of an order. A person has to confirm it like any other. Its notices name what has no inverse.
// CONFLICT if nothing was applied, if nothing has an inverse, or if another draft already undoes it.
//
// Like any document, a deletion is checked again before it is sent: an order that was received in the meantime is not
// deleted.
func (s *Service) Undo(ctx context.Context, actor stockhand.Actor, id stockhand.DraftID) (stockhand.Draft, error) {
	d, p, err := s.undoing(ctx, actor, id)
	if err != nil {
		return stockhand.Draft{}, err
	}
	return s.create(ctx, actor.Name, d, p)
}

// TryUndo returns what Undo would return, and stores nothing.
func (s *Service) TryUndo(ctx context.Context, actor stockhand.Actor, id stockhand.DraftID) (stockhand.Draft, error) {
	d, p, err := s.undoing(ctx, actor, id)
	if err != nil {
		return stockhand.Draft{}, err
	}
	return s.newDraft(ctx, d, p)
}

func (s *Service) undoing(ctx context.Context, actor stockhand.Actor, id stockhand.DraftID) (stockhand.Draft,
	*tool.Proposal, error) {
	if actor.Name == "" {
		return stockhand.Draft{}, nil, stockhand.Errorf(stockhand.CodePermissionDenied,
			"the caller has no name, so the undo cannot be recorded")
	}
	h, err := s.load(ctx, actor.Org, id)
	if err != nil {
		return stockhand.Draft{}, nil, err
	}
	others, err := s.Store.DraftsUndoing(ctx, actor.Org, id)
	if err != nil {
		return stockhand.Draft{}, nil, err
	}
	p, err := inverse(h, others)
	return stockhand.Draft{Org: h.Org, Session: h.Session, Connection: h.Connection, Language: h.Language, Undoes: h.ID,
		By: actor.Name}, p, err
}

// inverse returns the proposal that undoes a draft, except for what other drafts already undo.
func inverse(h loaded, others []stockhand.Draft) (*tool.Proposal, error) {
	l := h.Language
	p := &tool.Proposal{
		Tool: h.Tool, Title: l.Pick("Отмена: ", "Undo: ") + h.Title, Notices: []tool.Notice{},
		Provenance: tool.Provenance{Account: h.Account, Employee: h.proposal.Provenance.Employee,
			Read: h.proposal.Provenance.Read, Zone: h.proposal.Provenance.Zone,
			Method: l.Pick("отменяется то, что было записано", "the inverse of what was written")},
	}
	refuse := func(title, ru, en string) {
		p.Notices = append(p.Notices, tool.Notice{Code: tool.NoticePartial,
			Message: fmt.Sprintf(l.Pick("«%s»: "+ru, "%s: "+en), title)})
	}
	for _, at := range h.Documents {
		doc := h.document(at.ID)
		var o tool.Outcome
		if len(at.Outcome) > 0 {
			if err := json.Unmarshal(at.Outcome, &o); err != nil {
				return nil, stockhand.Errorf(stockhand.CodeInternal, "read the outcome of %s: %w", at.ID, err)
			}
		}
		written := at.State == stockhand.DocumentApplied ||
			(at.State == stockhand.DocumentFailed && len(appliedLines(o)) > 0 &&
				(doc.Kind == tool.PriceChange || doc.Kind == tool.MinimumStock))
		if slices.Contains(unfinished, at.State) {
			refuse(doc.Title, "ещё не известно, записан ли документ",
				"it is not known yet whether the document was written")
		}
		if !written {
			continue
		}
		taken, dead := takenBack(at.ID, others)
		if taken != "" {
			refuse(doc.Title, "это уже отменяет черновик "+string(taken), "the draft "+string(taken)+
				" takes it back already")
			continue
		}
		back := tool.Document{ID: undoID(at.ID, dead), Organization: doc.Organization, Supplier: doc.Supplier,
			Currency: doc.Currency, CurrencyID: doc.CurrencyID, Undoes: at.ID}
		back.Title = l.Pick("Отмена: ", "Undo: ") + doc.Title
		back.Reason = l.Pick("отменяет записанное по черновику ", "takes back what was written from the draft ") +
			string(h.ID)
		switch doc.Kind {
		case tool.PriceChange:
			back.Kind, back.PriceType = tool.PriceChange, doc.PriceType
			back.Lines = oldPrices(*doc, o, func(name string) {
				refuse(name, "прежняя цена неизвестна, вернуть её нельзя",
					"the earlier price is unknown and cannot be restored")
			})
		case tool.MinimumStock:
			back.Kind, back.Lines = tool.MinimumStock, oldMinimums(*doc, o)
		case tool.Transfer:
			back.Kind, back.Store, back.Target = tool.Transfer, doc.Target, doc.Store
			back.Lines = again(*doc)
		case tool.SupplierOrder:
			if o.External == nil || o.External.ID == "" {
				refuse(doc.Title, "неизвестно, какой документ создан", "it is not known which document was created")
				continue
			}
			back.Kind, back.Store, back.Deletes = tool.Deletion, doc.Store, o.External
			back.Lines = again(*doc)
		case tool.NoteChange:
			var c notes.Change
			if err := json.Unmarshal(doc.Call.Arguments, &c); err != nil {
				return nil, stockhand.Errorf(stockhand.CodeInternal, "read the change of notes %s: %w", doc.ID, err)
			}
			arguments, err := json.Marshal(c.Reverse())
			if err != nil {
				return nil, err
			}
			back.Kind, back.Lines = tool.NoteChange, []tool.Line{}
			back.Call = &tool.Remote{Server: doc.Call.Server, Tool: doc.Call.Tool, Arguments: arguments}
		case tool.RemoteCall:
			refuse(doc.Title, "вызов на другом сервере отсюда не отменить",
				"a call at another server cannot be taken back from here")
			continue
		default:
			refuse(doc.Title, "удаление отменить нельзя: восстановите документ из корзины во внешней системе",
				"a deletion cannot be reversed here: restore the document from the external system's recycle bin")
			continue
		}
		if len(back.Lines) > 0 || back.Call != nil {
			p.Documents = append(p.Documents, back)
		}
	}
	if len(p.Documents) == 0 {
		err := stockhand.Errorf(stockhand.CodeConflict, "%s",
			l.Pick("отменять нечего: по этому черновику ничего не записано",
				"there is nothing to undo: nothing was written from this draft"))
		if len(p.Notices) > 0 {
			var why []string
			for _, n := range p.Notices {
				why = append(why, n.Message)
			}
			err = stockhand.Errorf(stockhand.CodeConflict, "%s%s", l.Pick("отменить нельзя: ", "undo is not "+
				"possible: "),
				strings.Join(why, "; "))
		}
		return nil, err
	}
	p.Answer = fmt.Sprintf(l.Pick("Отмена черновика %s. Документов: %d.", "Takes back the draft %s. Documents: %d."),
		h.ID, len(p.Documents))
	return p, nil
}

// takenBack returns the draft that undoes the document, unless it was rejected, expired or failed, and the number of
// such unsuccessful drafts.
func takenBack(id stockhand.DocumentID, others []stockhand.Draft) (by stockhand.DraftID, dead int) {
	for _, d := range others {
		h, err := read(d)
		if err != nil {
			continue
		}
		for _, doc := range h.proposal.Documents {
			if doc.Undoes != id {
				continue
			}
			switch h.state(doc.ID).State {
			case stockhand.DocumentRejected, stockhand.DocumentExpired, stockhand.DocumentFailed:
			default:
				return d.ID, dead
			}
		}
		dead++ // also if its document was dropped: the id is used
	}
	return "", dead
}

// undoID is derived from the original document and the attempt, so that of two concurrent undos the second one
// conflicts.
func undoID(id stockhand.DocumentID, attempt int) stockhand.DocumentID {
	sum := sha256.Sum256(fmt.Appendf(nil, "undo %s %d", id, attempt))
	return stockhand.DocumentID("doc_" + crockford.EncodeToString(sum[:16]))
}

var crockford = base32.NewEncoding("0123456789abcdefghjkmnpqrstvwxyz").WithPadding(base32.NoPadding)

func appliedLines(o tool.Outcome) []string {
	var ids []string
	for _, l := range o.Lines {
		if l.State == stockhand.DocumentApplied {
			ids = append(ids, l.Line)
		}
	}
	return ids
}

// oldPrices returns lines that restore the old prices of the lines that were written.
func oldPrices(doc tool.Document, o tool.Outcome, unknown func(name string)) []tool.Line {
	written := appliedLines(o)
	var lines []tool.Line
	for _, line := range doc.Lines {
		switch {
		case len(o.Lines) > 0 && !slices.Contains(written, line.ID):
			continue
		case !line.OldPrice.Known:
			unknown(line.Product.Name)
			continue
		}
		lines = append(lines, tool.Line{
			ID: line.ID, Product: line.Product, Unit: line.Unit, Cost: line.Cost, Price: line.OldPrice,
			OldPrice: line.Price,
			Seen:     tool.Seen{Price: line.Price}, // what we wrote; if it has changed by then, the person is asked
		})
	}
	return lines
}

// oldMinimums returns lines that restore the old minimums of the lines that were written. No minimum is zero.
func oldMinimums(doc tool.Document, o tool.Outcome) []tool.Line {
	written := appliedLines(o)
	var lines []tool.Line
	for _, line := range doc.Lines {
		if len(o.Lines) > 0 && !slices.Contains(written, line.ID) {
			continue
		}
		back := tool.Line{ID: line.ID, Product: line.Product, Unit: line.Unit, Whole: line.Whole, Store: line.Store,
			Quantity: decimal.Some(line.Seen.Minimum.Decimal), Seen: tool.Seen{Minimum: line.Quantity}}
		if line.Store != nil {
			back.Seen.Minimums = doc.MinimumsOf(line.Product.ID)
		}
		lines = append(lines, back)
	}
	return lines
}

// again returns the lines of a document without the figures seen when it was created, which are outdated.
func again(doc tool.Document) []tool.Line {
	lines := slices.Clone(doc.Lines)
	for i := range lines {
		lines[i].Seen, lines[i].Flags, lines[i].Reason, lines[i].Named = tool.Seen{}, nil, "", nil
		lines[i].OldPrice = decimal.Maybe{}
	}
	return lines
}
