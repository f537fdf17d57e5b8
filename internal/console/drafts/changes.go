package drafts

import (
	"context"
	"encoding/json"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/console/text"
	"github.com/stockhand/stockhand/internal/console/ui"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

// changes are the differences between two versions of a draft.
type changes struct {
	Version int64 // the older one
	Rows    []change
}

// change is one figure that differs. Without a line, it concerns the whole document.
type change struct {
	Document string
	Product  string
	What     string
	Old, New string
	Entered  string // what the person typed and was not saved; empty for nothing
}

// none stands for a figure that is not there.
const none = "—"

// since returns what has changed from a version of the draft to the current one.
func (h Handlers) since(ctx context.Context, d stockhand.Draft, version int64) (*changes, error) {
	if version < 1 || version >= d.Version {
		return nil, nil
	}
	old, err := h.version(ctx, d, version)
	if err != nil {
		return nil, err
	}
	var now tool.Proposal
	if err := json.Unmarshal(d.Body, &now); err != nil {
		return nil, err
	}
	return &changes{version, differences(ctx, old, now)}, nil
}

// version reads a version of the draft.
func (h Handlers) version(ctx context.Context, d stockhand.Draft, version int64) (p tool.Proposal, err error) {
	body := d.Body
	if version != d.Version {
		if body, err = h.Store.DraftVersion(ctx, d.Org, d.ID, version); err != nil {
			return p, err
		}
	}
	return p, json.Unmarshal(body, &p)
}

func differences(ctx context.Context, old, now tool.Proposal) (all []change) {
	current := map[stockhand.DocumentID]tool.Document{}
	for _, d := range now.Documents {
		current[d.ID] = d
	}
	known := map[stockhand.DocumentID]bool{}
	for _, was := range old.Documents {
		known[was.ID] = true
		is, ok := current[was.ID]
		if !ok {
			all = append(all, change{Document: was.Title, What: text.WholeDoc.In(ctx), Old: none,
				New: text.Dropped.In(ctx)})
			continue
		}
		all = append(all, lineDifferences(ctx, was, is)...)
	}
	for _, d := range now.Documents {
		if !known[d.ID] {
			all = append(all, change{Document: d.Title, What: text.WholeDoc.In(ctx), Old: none,
				New: text.Added.In(ctx)})
		}
	}
	return all
}

func lineDifferences(ctx context.Context, was, is tool.Document) (all []change) {
	current := map[string]tool.Line{}
	for _, l := range is.Lines {
		current[l.ID] = l
	}
	known := map[string]bool{}
	add := func(l tool.Line, what text.T, before, after string) {
		all = append(all, change{Document: is.Title, Product: l.Product.Name, What: what.In(ctx), Old: before,
			New: after})
	}
	for _, l := range was.Lines {
		known[l.ID] = true
		now, ok := current[l.ID]
		if !ok {
			add(l, text.Quantity, ui.Quantity(ctx, l.Quantity), text.Dropped.In(ctx))
			continue
		}
		if differ(l.Quantity, now.Quantity) {
			add(l, text.Quantity, ui.Quantity(ctx, l.Quantity), ui.Quantity(ctx, now.Quantity))
		}
		if differ(l.OldPrice, now.OldPrice) {
			add(l, text.Was, ui.Money(ctx, l.OldPrice, was.Currency), ui.Money(ctx, now.OldPrice, is.Currency))
		}
		if differ(l.Price, now.Price) {
			add(l, text.Price, ui.Money(ctx, l.Price, was.Currency), ui.Money(ctx, now.Price, is.Currency))
		}
	}
	for _, l := range is.Lines {
		if !known[l.ID] {
			add(l, text.Quantity, none, ui.Quantity(ctx, l.Quantity))
		}
	}
	return all
}

func differ(a, b decimal.Maybe) bool { return a.Known != b.Known || a.Known && a.Cmp(b.Decimal) != 0 }
