package msapi

import (
	"context"
	"iter"

	"github.com/stockhand/stockhand/internal/decimal"
)

// Bundle is a set of goods sold as one (Комплект). It has no stock of its own: selling it takes its components'.
type Bundle struct {
	ID         ID
	Name       string
	Components []Component // all of them, however many
}

// Component is a part of a bundle.
type Component struct {
	ID         ID            `json:"id"`
	Assortment Ref           `json:"assortment"`
	Quantity   decimal.Maybe `json:"quantity"` // in one bundle
}

func (c Component) key() Key { return c.ID.Key() }

type wireBundle struct {
	Meta       meta             `json:"meta"`
	ID         ID               `json:"id"`
	Name       string           `json:"name"`
	Components *rows[Component] `json:"components"`
}

func (w *wireBundle) key() Key { return w.ID.Key() }

// Bundles lists bundles with their components, 100 a request.
func (r *Reader) Bundles(ctx context.Context, q ListQuery) iter.Seq2[Bundle, error] {
	l, err := q.listing("entity/bundle")
	if err != nil {
		return failed[Bundle](err)
	}
	l.params.Set("expand", "components")
	l.page = expandPage
	return convert(list[wireBundle](ctx, r, l), func(w *wireBundle) (Bundle, error) {
		b := Bundle{ID: w.ID, Name: w.Name}
		if w.Components != nil {
			b.Components = w.Components.Rows
		}
		if w.Components == nil || w.Components.missing() || w.Components.Meta.Size == nil && w.Components.Rows == nil {
			all, err := Collect(list[Component](ctx, r, listing{path: "entity/bundle/" + string(w.ID) + "/components"}))
			if err != nil {
				return b, err
			}
			b.Components = all
		}
		return b, nil
	})
}
