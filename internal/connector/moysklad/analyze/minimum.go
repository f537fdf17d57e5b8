package analyze

import (
	"context"
	"fmt"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/analyze/measures"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/connector/moysklad/shortage"
	"github.com/stockhand/stockhand/internal/connector/moysklad/wording"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

// fromMinimums supplies the minimum stocks of goods now, from their cards, and how much the free stock is below them.
func (c *call) fromMinimums(_ context.Context, left []analysis.Base) (source, error) {
	bases := among(left, measures.MinimumBases)
	return source{bases: bases, read: func(ctx context.Context, _ tool.Period, add func(analysis.Fact)) error {
		return c.readMinimums(ctx, bases, add)
	}}, nil
}

// minimums is what the minimum stocks are read into.
type minimums struct {
	products, variants []msapi.Card
	stores             []msapi.Store
	levels             map[account.StockKey]account.Level
	unit               func(msapi.ID) string
}

// readMinimums reads products and variants a hundred per request, because larger pages lose the minimums (fact M21).
func (c *call) readMinimums(ctx context.Context, bases []analysis.Base, add func(analysis.Fact)) error {
	var m minimums
	query := msapi.CardQuery{Minimum: true}
	query.IDs = c.idsOf(measures.DimProduct)
	ofThese := msapi.CardQuery{Minimum: true, Products: query.IDs}
	work, inner := errgroup.WithContext(ctx)
	work.Go(func() error {
		return account.Each(c.Call, c.Reader.ProductCards(inner, query),
			func(x msapi.Card) { m.products = append(m.products, x) })
	})
	work.Go(func() error {
		return account.Each(c.Call, c.Reader.VariantCards(inner, ofThese),
			func(x msapi.Card) { m.variants = append(m.variants, x) })
	})
	work.Go(func() (err error) { m.stores, err = c.StoreList(inner); return })
	work.Go(func() (err error) { m.unit, err = c.UnitName(inner); return })
	if slices.Contains(bases, measures.BelowMinimum) {
		work.Go(func() (err error) { m.levels, _, err = c.Levels(inner, account.Filter{}, nil); return })
	}
	if err := work.Wait(); err != nil {
		return err
	}
	c.Notice(tool.NoticeArchived, "Архивные товары не учтены.", "Archived goods are left out.")
	return c.minimumFacts(ctx, &m, bases, add)
}

// minimumFacts adds a fact for each place where a good has a minimum. A good without one has a fact without amounts,
// so that it is found by its absence.
func (c *call) minimumFacts(ctx context.Context, m *minimums, bases []analysis.Base, add func(analysis.Fact)) error {
	type limited struct {
		good
		minimum shortage.Minimum
	}
	var list []limited
	products := make(map[msapi.Key]msapi.Card, len(m.products))
	for _, p := range m.products {
		if p.Archived {
			continue // found by its ID
		}
		if products[p.ID.Key()] = p; p.Variants == 0 { // else it is stocked as its variants
			list = append(list, limited{good{itemOf(p), itemOf(p), m.unit(p.Unit.ID)}, shortage.MinimumOf(p)})
		}
	}
	for _, v := range m.variants {
		if p, ok := products[v.Product.ID.Key()]; ok && !v.Archived {
			list = append(list, limited{good{itemOf(v), itemOf(p), m.unit(p.Unit.ID)},
				shortage.MinimumOfVariant(v, shortage.MinimumOf(p))})
		}
	}
	var goods map[msapi.Key]good
	if c.needsCards(measures.DimProduct, measures.DimABC, measures.DimXYZ,
		measures.DimVariant, measures.DimKind, measures.DimGroup,
		measures.DimSupplier, measures.DimUnit, measures.DimArticle) {
		wanted := make(map[msapi.Key]bool, len(list))
		for _, x := range list {
			wanted[x.item.ID.Key()] = true
		}
		var err error
		if goods, err = c.describe(ctx, wanted); err != nil {
			return err
		}
	}
	free, unknown := m.free(), 0
	byStore := slices.Contains(c.fields, measures.DimStore)
	for _, x := range list {
		k := x.item.ID.Key()
		if g, ok := goods[k]; ok {
			x.good = g
		}
		places := x.minimum.Places(m.stores)
		if len(places) == 0 && !byStore {
			add(c.minimumFact(x.good, "", nil, bases))
		}
		for _, p := range places {
			of := map[analysis.Base]decimal.Maybe{measures.MinimumStock: decimal.Some(p.Minimum)}
			if l := free[account.StockKey{Good: k, Store: p.Store}]; !l.Unknown {
				of[measures.BelowMinimum] = decimal.Some(p.Below(l.Free()))
			} else {
				unknown++
			}
			add(c.minimumFact(x.good, p.Store.ID(), of, bases))
		}
	}
	if unknown > 0 && slices.Contains(bases, measures.BelowMinimum) {
		c.Notice(tool.NoticePartial,
			fmt.Sprintf("МойСклад пересчитывает остатки: %s без нехватки, в итогах их нет.",
				wording.NounLine.Count(stockhand.Russian, unknown)),
			fmt.Sprintf("MoySklad is recalculating stock: %s without a shortage, which the totals leave out.",
				wording.NounLine.Count(stockhand.English, unknown)))
	}
	return nil
}

// free returns the stock by warehouse, and that of all together for the zero store. A good that is in no report has
// none.
func (m *minimums) free() map[account.StockKey]account.Level {
	all := make(map[account.StockKey]account.Level, 2*len(m.levels))
	for k, l := range m.levels {
		if k.Store != (msapi.Key{}) {
			all[k] = l
		}
		sum := account.StockKey{Good: k.Good}
		all[sum] = all[sum].Add(l)
	}
	return all
}

// itemOf returns a card as the dimensions of goods need it.
func itemOf(x msapi.Card) msapi.AssortmentItem {
	return msapi.AssortmentItem{Type: x.Type, ID: x.ID, Name: x.Name, Code: x.Code, Article: x.Article,
		Product: x.Product, Folder: x.Folder, Supplier: x.Supplier, Unit: x.Unit}
}

func (c *call) minimumFact(g good, store msapi.ID, of map[analysis.Base]decimal.Maybe,
	bases []analysis.Base) analysis.Fact {
	f := analysis.Fact{Keys: make([]analysis.Key, len(c.fields)), Amounts: c.amounts(bases, of), Unit: g.unit}
	for i, field := range c.fields {
		if f.Keys[i] = c.goodKey(g, field); field == measures.DimStore {
			f.Keys[i] = analysis.Key{ID: string(store)}
		}
	}
	return f
}
