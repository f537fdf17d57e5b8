package catalogue

import (
	"context"

	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/connector/moysklad/shortage"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

// Card is a good with the data that documents need; a variant includes its product.
type Card struct {
	msapi.Card
	Parent *msapi.Card
}

// Root returns the product of a variant, or the product itself.
func (g *Card) Root() *msapi.Card {
	if g.Parent != nil {
		return g.Parent
	}
	return &g.Card
}

// Gone reports whether the good or its product is archived.
func (g *Card) Gone() bool { return g.Archived || g.Root().Archived }

// Buy returns the purchase price in main units: the good's, or its product's if it has none.
func (g *Card) Buy() (decimal.Maybe, msapi.Ref) {
	if price, currency := shortage.PurchasePrice(g.BuyPrice); price.Known {
		return price, currency
	}
	return shortage.PurchasePrice(g.Root().BuyPrice)
}

// Pack returns the smallest pack of more than one unit, of the good or its product; unknown without packs.
func (g *Card) Pack() decimal.Maybe {
	if own := shortage.SmallestPack(g.Packs); own.Known {
		return own
	}
	return shortage.SmallestPack(g.Root().Packs)
}

// MinimumIn returns the minimum of one warehouse.
func (g *Card) MinimumIn(store msapi.Key) decimal.Maybe {
	m := g.Minimum
	if g.Parent != nil && shortage.Inherits(m) {
		m = g.Parent.Minimum
	}
	q, _ := m.In(store.ID())
	return q
}

// Ref returns the good as a line of a document names it.
func (g *Card) Ref() tool.Ref { return tool.Ref{Type: g.Type, ID: string(g.ID), Name: g.Name} }

// Cards reads products and variants by ID, and the products of the variants.
func Cards(ctx context.Context, c *account.Call, goods []msapi.Key, q msapi.CardQuery) (map[msapi.Key]*Card, error) {
	list := make(map[msapi.Key]*Card, len(goods))
	if len(goods) == 0 {
		return list, nil
	}
	q.Archived = msapi.ArchivedAlso
	missing := func() (ids []msapi.ID) {
		for _, k := range goods {
			if list[k] == nil {
				ids = append(ids, k.ID())
			}
		}
		return ids
	}
	add := func(x msapi.Card) { list[x.ID.Key()] = &Card{Card: x} }
	q.IDs = missing()
	if err := account.Each(c, c.Reader.ProductCards(ctx, q), add); err != nil {
		return nil, err
	}
	if q.IDs = missing(); len(q.IDs) == 0 {
		return list, nil
	}
	if err := account.Each(c, c.Reader.VariantCards(ctx, q), add); err != nil {
		return nil, err
	}
	return list, addParents(ctx, c, list, q)
}

// addParents adds their products to the variants of a list.
func addParents(ctx context.Context, c *account.Call, list map[msapi.Key]*Card, q msapi.CardQuery) error {
	children := map[msapi.Key][]*Card{}
	q.IDs = nil
	for _, g := range list {
		if g.Type != "variant" || g.Parent != nil {
			continue
		}
		k := g.Product.ID.Key()
		if p := list[k]; p != nil {
			g.Parent = &p.Card
			continue
		}
		if children[k] = append(children[k], g); len(children[k]) == 1 {
			q.IDs = append(q.IDs, k.ID())
		}
	}
	if len(q.IDs) == 0 {
		return nil
	}
	return account.Each(c, c.Reader.ProductCards(ctx, q), func(x msapi.Card) {
		for _, g := range children[x.ID.Key()] {
			g.Parent = &x
		}
	})
}
