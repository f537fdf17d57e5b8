package write

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

// syncIDsAtOnce keeps the filter's URL below the length that servers accept.
const syncIDsAtOnce = 50

// Find looks up documents whose outcome is unknown, with GET requests only, and returns an outcome for each, in order:
// applied; failed, which here means that it certainly does not exist and may be sent again; or unknown, if the current
// state is neither the old nor the new one. An error means that nothing was found out.
//
// Created documents are found by their syncId, including in the recycle bin: a document deleted since then was written,
// and a person did not confirm sending it again. Prices are read back: the new price means applied, the old one failed.
// A deletion is applied if the document no longer exists.
func (w *Writer) Find(ctx context.Context, docs []tool.Document) ([]tool.Outcome, error) {
	if w.bad != nil {
		return nil, w.bad
	}
	outcomes := make([]tool.Outcome, len(docs))
	wanted := map[string][]int{} // by entity: documents to find by syncId
	for i, doc := range docs {
		var err error
		switch doc.Kind {
		case tool.SupplierOrder, tool.Transfer:
			entity := strings.TrimPrefix(entityPath(doc), "entity/")
			wanted[entity] = append(wanted[entity], i)
		case tool.PriceChange:
			outcomes[i], err = w.findPrices(ctx, doc)
		case tool.MinimumStock:
			outcomes[i], err = w.findMinimums(ctx, doc)
		case tool.Deletion:
			outcomes[i], err = w.findDeletion(ctx, doc)
		default:
			err = invalid("a document of the kind %q cannot be looked up", doc.Kind)
		}
		if err != nil {
			return nil, err
		}
	}
	for _, entity := range []string{"purchaseorder", "move"} {
		for some := range slices.Chunk(wanted[entity], syncIDsAtOnce) {
			if err := w.findDocuments(ctx, entity, docs, some, outcomes); err != nil {
				return nil, err
			}
		}
	}
	return outcomes, nil
}

// found is a document found by a look-up.
type found struct {
	element

	Deleted  string        `json:"deleted"` // when it was deleted; empty if it was not
	Shipped  decimal.Maybe `json:"shippedSum"`
	Payed    decimal.Maybe `json:"payedSum"`
	Supplies []struct{}    `json:"supplies"`
	Invoices []struct{}    `json:"invoicesIn"`
	Payments []struct{}    `json:"payments"`
	Demand   *struct{}     `json:"demand"`
	Supply   *struct{}     `json:"supply"`
	Rate     struct {
		Currency msapi.Ref `json:"currency"`
	} `json:"rate"`
	Positions struct {
		Rows []msapi.Position `json:"rows"`
	} `json:"positions"`
}

type foundList struct {
	Meta struct {
		Size int `json:"size"`
	} `json:"meta"`
	Rows []found `json:"rows"`
}

func (w *Writer) findDocuments(ctx context.Context, entity string, docs []tool.Document, some []int,
	outcomes []tool.Outcome) error {
	ids := make([]string, len(some))
	at := map[string]int{}
	for i, n := range some {
		id := string(SyncID(docs[n].ID))
		ids[i], at[id] = id, n
	}
	// Without isDeleted, the recycle bin is excluded; both values together select all documents (fact M22).
	filter, err := msapi.Filter{}.Where("syncId", msapi.Eq, ids...).Where("isDeleted", msapi.Eq, "true",
		"false").Build()
	if err != nil {
		return err
	}
	list, err := msapi.Get[foundList](ctx, w.reader, "entity/"+entity, url.Values{"filter": {filter}, "limit": {"100"}})
	if err != nil {
		return err
	}
	l := w.config.Language
	missing := valuesOf(at)
	for i := range list.Rows {
		row := &list.Rows[i]
		n, ours := at[strings.ToLower(string(row.SyncID))]
		if !ours {
			continue // a server that ignores the filter returns other documents
		}
		delete(missing, n)
		v := w.verdict(&row.element, entity, row.SyncID)
		if row.Deleted != "" && v.state == stockhand.DocumentApplied {
			v.problem = l.Pick("документ был создан, а потом удалён в корзину",
				"the document was created and then moved to the recycle bin")
		}
		outcomes[n] = v.outcome()
	}
	// A list with other documents, or with more rows than it returned, does not prove that one does not exist.
	sure := len(list.Rows) == list.Meta.Size && len(list.Rows) <= len(some) && len(list.Rows)+len(missing) == len(some)
	for n := range missing {
		outcomes[n] = tool.Outcome{State: stockhand.DocumentFailed,
			Problem: l.Pick("в МоёмСкладе его нет: он не был записан", "MoySklad does not have it: it was not written")}
		if !sure {
			outcomes[n] = tool.Outcome{State: stockhand.DocumentUnknown,
				Problem: l.Pick("поиск в МоёмСкладе не дал ясного ответа",
					"the search in MoySklad gave no clear answer")}
		}
	}
	return nil
}

// valuesOf returns the set of the map's values.
func valuesOf(m map[string]int) map[int]bool {
	set := make(map[int]bool, len(m))
	for _, n := range m {
		set[n] = true
	}
	return set
}

// findLines reads the goods of a change back and judges each line. A line that is neither as before nor as confirmed
// stays unknown, with the problem.
func (w *Writer) findLines(ctx context.Context, doc tool.Document,
	judge func(g good, line tool.Line, out *tool.LineOutcome)) (tool.Outcome, error) {
	goods, err := w.goods(ctx, doc.Lines, doc.Kind == tool.MinimumStock)
	if err != nil {
		return tool.Outcome{}, err
	}
	lines := make([]tool.LineOutcome, len(doc.Lines))
	for i, line := range doc.Lines {
		lines[i] = tool.LineOutcome{Line: line.ID, State: stockhand.DocumentUnknown}
		if g, there := goods[goodID(line)]; there {
			judge(g, line, &lines[i])
			continue
		}
		lines[i].State, lines[i].Problem = stockhand.DocumentFailed,
			w.config.Language.Pick("товар удалён или скрыт", "the product is deleted or hidden")
	}
	return w.together(doc.Kind, lines), nil
}

// findPrices reads prices back: the new one means applied, the old one failed.
func (w *Writer) findPrices(ctx context.Context, doc tool.Document) (tool.Outcome, error) {
	l := w.config.Language
	return w.findLines(ctx, doc, func(g good, line tool.Line, out *tool.LineOutcome) {
		now := g.price(doc)
		old := line.OldPrice
		if !old.Known {
			old = line.Seen.Price
		}
		switch {
		case same(now.Value, decimal.Some(line.Price.Minor())) && w.sameCurrency(doc, now):
			out.State = stockhand.DocumentApplied
		case same(now.Value, minor(old)) || !old.Known && !filled(now.Value):
			out.State, out.Problem = stockhand.DocumentFailed,
				l.Pick("цена прежняя: она не была изменена", "the price is still the old one: it was not changed")
		case !now.Value.Known:
			out.Problem = l.Pick("цену прочитать не удалось", "the price could not be read")
		default:
			shown := tool.FormatMoney(now.Value.Major(), doc.Currency, l)
			out.Problem = fmt.Sprintf(l.Pick("сейчас цена %s: не прежняя и не новая",
				"the price is now %s: neither the old one nor the new one"), shown)
		}
	})
}

// sameCurrency reports whether a price is in the document's currency, unless either is unknown.
func (w *Writer) sameCurrency(doc tool.Document, p msapi.Price) bool {
	return doc.CurrencyID == "" || p.Currency.ID == "" || strings.EqualFold(doc.CurrencyID, string(p.Currency.ID))
}

// same reports whether both are known and equal to the hundredth of a minor unit; the vendor's floats are not exact
// beyond that.
func same(a, b decimal.Maybe) bool {
	return a.Known && b.Known && a.Round(2).Cmp(b.Round(2)) == 0
}

// filled reports whether a price is set: the vendor represents a missing price as zero (fact M53).
func filled(p decimal.Maybe) bool { return p.Known && !p.IsZero() }

func minor(m decimal.Maybe) decimal.Maybe {
	if !m.Known {
		return m
	}
	return decimal.Some(m.Minor())
}

func (w *Writer) findDeletion(ctx context.Context, doc tool.Document) (tool.Outcome, error) {
	path, err := deletion(doc)
	if err != nil {
		return tool.Outcome{}, err
	}
	l := w.config.Language
	gone := tool.Outcome{State: stockhand.DocumentApplied,
		External: &tool.Ref{Type: doc.Deletes.Type, ID: doc.Deletes.ID, Name: doc.Deletes.Name}}
	d, err := msapi.Get[found](ctx, w.reader, path, nil)
	switch {
	case isGone(err), err == nil && d.Deleted != "":
		return gone, nil
	case err != nil:
		return tool.Outcome{}, err
	}
	return tool.Outcome{State: stockhand.DocumentFailed,
		Problem: l.Pick("документ на месте: он не был удалён", "the document still exists: it was not deleted")}, nil
}

// isGone reports whether the API itself says that an object does not exist. A gateway's plain 404 does not prove that.
func isGone(err error) bool {
	e, ok := errors.AsType[*msapi.APIError](err)
	return ok && (e.Code == 1021 || e.Code == 1008)
}
