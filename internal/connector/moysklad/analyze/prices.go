package analyze

import (
	"context"
	"math"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/analyze/measures"
	"github.com/stockhand/stockhand/internal/connector/moysklad/facts"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

// fromCards supplies the prices of goods now, from the assortment, and their cost from the stock report.
func (c *call) fromCards(_ context.Context, left []analysis.Base) (source, error) {
	bases := among(left, measures.PriceBases)
	return source{bases: bases, read: func(ctx context.Context, _ tool.Period, add func(analysis.Fact)) error {
		return c.readCards(ctx, bases, add)
	}}, nil
}

func (c *call) readCards(ctx context.Context, bases []analysis.Base, add func(analysis.Fact)) error {
	var items []msapi.AssortmentItem
	var unit func(msapi.ID) string
	costs, costShown := map[msapi.Key]decimal.Maybe{}, false
	work, inner := errgroup.WithContext(ctx)
	work.Go(func() (err error) { items, err = c.cards(inner); return })
	work.Go(func() (err error) { unit, err = c.UnitName(inner); return })
	if slices.Contains(bases, measures.UnitCost) {
		work.Go(func() error {
			return account.Each(c.Call, c.Reader.StockAll(inner, msapi.StockQuery{}), func(r msapi.StockRow) {
				if r.Cost.Known && r.Cost.Sign() > 0 { // zero is unknown (fact M82)
					costs[r.ID.Key()], costShown = account.Major(r.Cost), true
				}
			})
		})
	}
	if err := work.Wait(); err != nil {
		return err
	}
	c.Notice(tool.NoticeArchived, "Архивные товары не учтены.", "Archived goods are left out.")
	if len(items) > 0 && !costShown && !c.Rights.Has(account.RightCost) {
		c.hide(account.SectionCost, measures.UnitCost)
	}
	goods, parents := map[msapi.Key]good{}, map[msapi.Key]bool{}
	for _, x := range items {
		goods[x.ID.Key()] = good{item: x, product: x}
		parents[x.Product.ID.Key()] = true
	}
	priced := false
	for _, x := range items {
		if parents[x.ID.Key()] {
			continue // it is sold as its variants
		}
		g := goods[x.ID.Key()]
		if p, ok := goods[x.Product.ID.Key()]; ok {
			g.product = p.item
		}
		g.unit = unit(g.product.Unit.ID)
		buy := c.price(x.BuyPrice)
		if !x.BuyPrice.Value.Known || x.BuyPrice.Value.Sign() == 0 {
			buy = c.price(g.product.BuyPrice)
		}
		priced = priced || x.BuyPrice.Value.Known
		for _, sale := range c.salePrices(x) {
			of := map[analysis.Base]decimal.Maybe{measures.SalePrice: sale.price, measures.BuyPrice: buy,
				measures.LeastPrice: c.price(x.MinPrice), measures.UnitCost: costs[x.ID.Key()]}
			f := analysis.Fact{Keys: make([]analysis.Key, len(c.fields)), Amounts: c.amounts(bases, of), Unit: g.unit}
			for _, b := range bases {
				if !of[b].Known {
					f.Lacks = append(f.Lacks, b)
				}
			}
			for i, field := range c.fields {
				if f.Keys[i] = c.goodKey(g, field); field == measures.DimPriceType {
					f.Keys[i] = sale.key
				}
			}
			add(f)
		}
	}
	if len(items) > 0 && !priced && !c.Rights.Has(account.RightCost) {
		c.hide(account.SectionCost, measures.BuyPrice)
	}
	if c.isHiddenBase(among(bases, []analysis.Base{measures.BuyPrice, measures.UnitCost})...) {
		c.Missing(account.SectionCost, "закупочные цены и себестоимость не показаны",
			"purchase prices and costs are not shown")
	}
	return nil
}

// cards returns all goods that are not archived, in the order of their IDs.
func (c *call) cards(ctx context.Context) (items []msapi.AssortmentItem, err error) {
	all := c.pricedGoods(ctx)
	if all == nil {
		err = account.Each(c.Call, c.Reader.Assortment(ctx, msapi.AssortmentQuery{}),
			func(x msapi.AssortmentItem) { items = append(items, x) })
		return items, err
	}
	all.All(func(x *msapi.AssortmentItem) {
		if !x.Archived {
			items = append(items, *x)
		}
	})
	slices.SortFunc(items, func(x, y msapi.AssortmentItem) int { return strings.Compare(string(x.ID), string(y.ID)) })
	return items, nil
}

// pricedGoods returns all goods, from what is kept where that is possible, or nil. Types of prices come and go without
// a change of the goods, so kept prices are used only if the account has the types that every good has a price of.
func (c *call) pricedGoods(ctx context.Context) *facts.Goods {
	if c.FullCards {
		return nil
	}
	all := c.AllGoods(ctx, math.MaxInt, true)
	if all == nil || !all.Kept() || all.Priced() {
		return all
	}
	c.Facts().DropGoods()
	return c.AllGoods(ctx, math.MaxInt, true)
}

// typedPrice is a sale price with its type.
type typedPrice struct {
	key   analysis.Key
	price decimal.Maybe
}

// salePrices returns the sale prices of a good: of every type if the query uses the dimension of types, else of the
// first.
func (c *call) salePrices(x msapi.AssortmentItem) []typedPrice {
	prices := x.SalePrices
	if !c.plan.Uses(measures.DimPriceType) {
		prices = prices[:min(1, len(prices))]
	}
	list := make([]typedPrice, len(prices))
	for i, p := range prices {
		list[i] = typedPrice{analysis.Key{ID: string(p.PriceType.ID), Name: p.PriceType.Name}, c.price(p.Price)}
	}
	if len(list) == 0 {
		return []typedPrice{{}}
	}
	return list
}

// price converts a price to main units. It is unknown if it is not set, which is zero (fact M53), or if it is in
// another currency than the account's.
func (c *call) price(p msapi.Price) decimal.Maybe {
	if !p.Value.Known || p.Value.Sign() <= 0 {
		return decimal.Maybe{}
	}
	if iso := account.Iso(p.Currency, c.currency, c.currencies); iso != c.currency {
		c.Noticef(tool.NoticeCurrency, "Цены в %s не показаны: они не в валюте учёта.",
			"Prices in %s are not shown: they are not in the account currency.", iso)
		return decimal.Maybe{}
	}
	return account.Major(p.Value)
}

// isHiddenBase reports whether the employee may not see one of the bases.
func (c *call) isHiddenBase(bases ...analysis.Base) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.ContainsFunc(bases, func(b analysis.Base) bool { return c.hidden[b] })
}
