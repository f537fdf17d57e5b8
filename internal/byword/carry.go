package byword

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/draft"
	"github.com/stockhand/stockhand/internal/language/act"
	"github.com/stockhand/stockhand/internal/tool"
)

// placesOf returns the lines of a draft that can still be edited, or those of one document.
func placesOf(x *shown, only stockhand.DocumentID) []place {
	var places []place
	for i := range x.content.Documents {
		doc := &x.content.Documents[i]
		if doc.State != stockhand.DocumentPending || only != "" && doc.ID != only {
			continue
		}
		for j := range doc.Lines {
			places = append(places, place{doc.ID, doc.Title, &doc.Lines[j]})
		}
	}
	return places
}

// having returns the draft that waits with a document; nil for none.
func (d *decision) having(id stockhand.DocumentID) *shown {
	for _, x := range d.talk.open {
		if slices.ContainsFunc(x.content.Documents, func(doc tool.DraftDocument) bool { return doc.ID == id }) {
			return x
		}
	}
	return nil
}

// carryOut edits a draft as acts say, each of its own lines, and shows it.
func (d *decision) carryOut(ctx context.Context, x *shown, acts []act.Act, all []place, chosen [][]place) (*outcome,
	error) {
	edits, err := editsOf(acts, all, chosen)
	if err != nil {
		return nil, nil //nolint:nilerr // the figure is none that a draft can have: a task
	}
	now, err := d.Drafts.Edit(ctx, d.task.Actor, x.ID, x.Version, edits)
	if err != nil {
		return d.refused(err, "Не изменено: ", "Not changed: ")
	}
	var said []string
	for i, a := range acts {
		said = append(said, strings.TrimSuffix(d.changes(a, chosen[i]), "."))
	}
	what := strings.Join(said, "; ") + "."
	return d.show(now, "Черновик изменён: "+what, "The draft is changed: "+what)
}

// later reports whether a new figure is meant for the only draft that waits, though another answer was shown since: it
// names a line of it, or goes back to its only one, as in "тогда хватит и 6" (rule R1062).
func (d *decision) later(a act.Act) bool {
	const soon = 3
	if a.Kind != act.Set || len(d.talk.open) != 1 || d.talk.since > soon || d.talk.asks {
		return false
	}
	lines := placesOf(d.talk.open[0], "")
	return len(a.Names) > 0 || a.Then && len(lines) == 1
}

// several carries out several edits of lines at once: "соли 5, чая 8" (rule R1063). All of them apply, or none does.
func (d *decision) several(ctx context.Context, acts []act.Act) (*outcome, error) {
	x := d.meant("")
	if x == nil || len(d.talk.focus) == 0 || !d.task.Actor.May(stockhand.ScopeWriteTools) {
		return nil, nil
	}
	all := placesOf(x, "")
	var chosen [][]place
	var taken []place
	for i, a := range acts {
		these, out := d.find(a, all)
		if out != nil {
			return out, nil
		}
		if len(these) == 0 || slices.ContainsFunc(these, func(p place) bool { return slices.Contains(taken, p) }) {
			return nil, nil
		}
		if a.Kind == act.Set && !a.Price && allPriced(these) {
			if !isPriceOf(a.To, these) {
				return nil, nil
			}
			acts[i].Price = true
		}
		taken = append(taken, these...)
		chosen = append(chosen, these)
	}
	return d.carryOut(ctx, x, acts, all, chosen)
}

// editsOf returns the edits that acts make of their lines.
func editsOf(acts []act.Act, all []place, chosen [][]place) (draft.Edits, error) {
	var edits draft.Edits
	for k, a := range acts {
		these := chosen[k]
		line := draft.LineEdit{Drop: a.Kind == act.Drop || a.Kind == act.Keep}
		if a.Kind == act.Set {
			n, err := decimal.Parse(a.To)
			if err != nil {
				return draft.Edits{}, err
			}
			if line.Quantity = decimal.Some(n); a.Price {
				line.Quantity, line.Price = decimal.Maybe{}, decimal.Some(n)
			}
		}
		if a.Kind == act.Keep {
			these = slices.DeleteFunc(slices.Clone(all), func(p place) bool { return slices.Contains(chosen[k], p) })
		}
		for _, p := range these {
			i := slices.IndexFunc(edits.Documents, func(e draft.DocumentEdit) bool { return e.ID == p.doc })
			if i < 0 {
				i = len(edits.Documents)
				edits.Documents = append(edits.Documents, draft.DocumentEdit{ID: p.doc})
			}
			line.ID = p.line.ID
			if a.Kind == act.Scale {
				line.Quantity = decimal.Some(times(p.line.Quantity.Decimal, a.To))
			}
			edits.Documents[i].Lines = append(edits.Documents[i].Lines, line)
		}
	}
	for i, e := range edits.Documents { // a document without lines goes as a whole
		left := 0
		for _, p := range all {
			if p.doc == e.ID {
				left++
			}
		}
		for _, l := range e.Lines {
			if l.Drop {
				left--
			}
		}
		if left == 0 {
			edits.Documents[i] = draft.DocumentEdit{ID: e.ID, Drop: true}
		}
	}
	return edits, nil
}

// changes says what an act changes.
func (d *decision) changes(a act.Act, chosen []place) string {
	var names []string
	for _, p := range chosen {
		name := d.l.Pick("«"+p.line.Product.Name+"»", "“"+p.line.Product.Name+"”")
		if a.Kind == act.Set || a.Kind == act.Scale {
			was := p.line.Quantity
			if a.Price {
				was = p.line.Price
			}
			old, to := "—", a.To
			if was.Known {
				old = tool.FormatQuantity(was.Decimal, d.l)
			}
			if a.Kind == act.Scale {
				to = tool.FormatQuantity(times(was.Decimal, a.To), d.l)
			}
			name += ": " + old + " → " + to
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if rest := len(names) - mostLines; rest > 0 {
		names = append(names[:mostLines], fmt.Sprintf(d.l.Pick("и ещё %d", "and %d more"), rest))
	}
	list := strings.Join(names, ", ")
	switch a.Kind {
	case act.Scale:
		return d.l.Pick("количества × ", "quantities × ") + factor(a.To) + ": " + list + "."
	case act.Keep:
		return d.l.Pick("осталось только ", "only this is left: ") + list + "."
	case act.Drop:
		return d.l.Pick("убрано ", "removed ") + list + "."
	default:
		return list + "."
	}
}

// factor writes a factor with at most three digits behind the point.
func factor(text string) string {
	by, err := decimal.Parse(text)
	if err != nil {
		return text
	}
	return by.Round(3).String()
}

// times returns a quantity by a factor. What is counted in whole pieces stays whole, and is rounded up.
func times(quantity decimal.Decimal, factor string) decimal.Decimal {
	by, err := decimal.Parse(factor)
	if err != nil {
		return quantity
	}
	out := quantity.Mul(by).Round(3)
	if quantity.Cmp(quantity.Floor(0)) == 0 {
		out = out.Ceil(0)
	}
	return out
}
