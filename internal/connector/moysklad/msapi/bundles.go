package msapi

import (
	"context"
	"iter"

	"github.com/stockhand/stockhand/internal/decimal"
)

// Bundle is a set of goods sold as one (Комплект). It has no stock of its own: a sale takes its components from stock.
type Bundle struct {
	ID         ID          `json:"id"`
	Name       string      `json:"name"`
	Archived   bool        `json:"archived"`
	Components []Component `json:"-"` // complete, whatever their number
}

// Component is a part of a bundle.
type Component struct {
	ID         ID            `json:"id"`
	Assortment Ref           `json:"assortment"`
	Quantity   decimal.Maybe `json:"quantity"` // per bundle
}

func (c Component) key() Key { return c.ID.Key() }

type wireBundle struct {
	Bundle
	Components *rows[Component] `json:"components"`
}

func (w *wireBundle) key() Key { return w.ID.Key() }

// Bundles lists bundles with their components, 100 per request.
func (r *Reader) Bundles(ctx context.Context, q ListQuery) iter.Seq2[Bundle, error] {
	l, err := q.listing("entity/bundle")
	if err != nil {
		return failed[Bundle](err)
	}
	l.expand("components")
	return convert(list[wireBundle](ctx, r, l), func(w *wireBundle) (b Bundle, err error) {
		b = w.Bundle
		b.Components, err = whole(ctx, r, w.Components, "entity/bundle/"+string(w.ID)+"/components")
		return b, err
	})
}
