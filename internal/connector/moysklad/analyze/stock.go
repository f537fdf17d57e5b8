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
	"github.com/stockhand/stockhand/internal/connector/moysklad/wording"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

// fromStock supplies what is in stock now.
func (c *call) fromStock(_ context.Context, left []analysis.Base) (source, error) {
	return c.stock(among(left, measures.StockBases)), nil
}

// stock reads what is in stock now: the extended report for goods, costs and prices, and for warehouses the current
// report, which does not add nested ones to their parents.
func (c *call) stock(bases []analysis.Base) source {
	return source{bases: bases, read: func(ctx context.Context, _ tool.Period, add func(analysis.Fact)) error {
		byStore := slices.Contains(c.fields, measures.DimStore)
		var rows []msapi.StockRow
		levels := map[account.StockKey]account.Level{}
		work, inner := errgroup.WithContext(ctx)
		work.Go(func() error {
			return account.Each(c.Call, c.Reader.StockAll(inner, msapi.StockQuery{}),
				func(r msapi.StockRow) { rows = append(rows, r) })
		})
		if byStore {
			work.Go(func() error { return c.CurrentLevels(inner, msapi.CurrentQuery{}, nil, levels) })
		}
		if err := work.Wait(); err != nil {
			return err
		}
		c.Notice(tool.NoticeArchived, "Архивные товары не учтены.", "Archived goods are left out.")
		wanted := map[msapi.Key]bool{}
		for _, r := range rows {
			wanted[r.ID.Key()] = true
		}
		var goods map[msapi.Key]good
		if c.needsCards(measures.DimVariant, measures.DimGroup, measures.DimUnit, measures.DimKind) {
			var err error
			if goods, err = c.describe(ctx, wanted); err != nil {
				return err
			}
		}
		stores := map[msapi.Key][]msapi.Key{}
		for k := range levels {
			stores[k.Good] = append(stores[k.Good], k.Store)
		}
		if byStore && c.zeroCounts() {
			c.addEmptyStores(rows, levels, stores)
		}
		hidden := len(rows) > 0 && !c.Rights.Has(account.RightCost)
		unknown := 0
		for _, r := range rows {
			if !byStore {
				level := account.LevelOf(r.Stock, r.Reserve, r.InTransit)
				if level.Unknown {
					unknown++
				}
				add(c.stockFact(r, "", level, goods, hidden, bases))
				continue
			}
			at := stores[r.ID.Key()]
			slices.SortFunc(at, func(x, y msapi.Key) int { return slices.Compare(x[:], y[:]) })
			for _, s := range at {
				level := levels[account.StockKey{Good: r.ID.Key(), Store: s}]
				if level.Unknown {
					unknown++
				}
				add(c.stockFact(r, s.ID(), level, goods, hidden, bases))
			}
		}
		if unknown > 0 {
			c.Notice(tool.NoticePartial,
				fmt.Sprintf("МойСклад пересчитывает остатки: %s без числа, в итогах их нет.",
					wording.NounLine.Count(stockhand.Russian, unknown)),
				fmt.Sprintf("MoySklad is recalculating stock: %s without a number, which the totals leave out.",
					wording.NounLine.Count(stockhand.English, unknown)))
		}
		if hidden && slices.Contains(bases, measures.StockAtCost) {
			c.hide(account.SectionCost, measures.StockAtCost)
			c.Missing(account.SectionCost, "сумма остатков по себестоимости не показана",
				"the value of stock at cost is not shown")
		}
		return nil
	}}
}

// zeroCounts reports whether a condition on what is in stock is met where there is nothing.
func (c *call) zeroCounts() bool {
	return slices.ContainsFunc(c.plan.Rows, func(w analysis.Condition) bool {
		m, ok := c.catalogue.Measure(w.Field)
		return ok && !slices.ContainsFunc(m.Bases, func(b analysis.Base) bool {
			return b != measures.InStock && b != measures.InReserve && b != measures.OnTheWay
		}) && m.HoldsAtZero(w)
	})
}

// addEmptyStores adds the warehouses that a good is not in, of those that the query is about: the report does not list
// them, and nothing in stock there is zero (rule R749).
func (c *call) addEmptyStores(rows []msapi.StockRow, levels map[account.StockKey]account.Level,
	of map[msapi.Key][]msapi.Key) {
	var about []msapi.Key
	for _, id := range c.idsOf(measures.DimStore) {
		about = append(about, id.Key())
	}
	if len(about) == 0 {
		seen := map[msapi.Key]bool{}
		for k := range levels {
			if !seen[k.Store] {
				seen[k.Store] = true
				about = append(about, k.Store)
			}
		}
	}
	for _, r := range rows {
		good := r.ID.Key()
		for _, s := range about {
			if _, there := levels[account.StockKey{Good: good, Store: s}]; !there {
				of[good] = append(of[good], s)
			}
		}
	}
}

func (c *call) stockFact(r msapi.StockRow, store msapi.ID, level account.Level, goods map[msapi.Key]good,
	costHidden bool, bases []analysis.Base) analysis.Fact {
	var of map[analysis.Base]decimal.Maybe // unknown while the vendor recalculates it
	if !level.Unknown {
		of = stockAmounts(r, level, costHidden)
	}
	g, described := goods[r.ID.Key()]
	f := analysis.Fact{Keys: make([]analysis.Key, len(c.fields)), Amounts: c.amounts(bases, of), Unit: r.Unit}
	for i, field := range c.fields {
		switch {
		case field == measures.DimStore:
			f.Keys[i] = analysis.Key{ID: string(store)}
		case field == measures.DimUnit:
			f.Keys[i] = analysis.Key{ID: r.Unit, Name: r.Unit}
		case field == measures.DimGroup:
			f.Keys[i] = analysis.Key{ID: string(r.Folder.ID), Name: r.Folder.Name}
		case described:
			f.Keys[i] = c.goodKey(g, field)
		case field == measures.DimVariant:
			f.Keys[i] = analysis.Key{ID: string(r.ID), Name: r.Name}
		case field == measures.DimKind:
			f.Keys[i] = analysis.Key{ID: "product"}
		}
	}
	return f
}

// stockAmounts returns the figures of a good, in one warehouse or in all. A cost of zero is unknown (fact M82), unless
// there is nothing that could cost anything.
func stockAmounts(r msapi.StockRow, level account.Level, costHidden bool) map[analysis.Base]decimal.Maybe {
	quantity := level.Stock.Decimal()
	of := map[analysis.Base]decimal.Maybe{measures.InStock: decimal.Some(quantity),
		measures.InReserve: decimal.Some(level.Reserve.Decimal()),
		measures.OnTheWay:  decimal.Some(level.Transit.Decimal())}
	switch {
	case costHidden:
	case quantity.IsZero():
		of[measures.StockAtCost] = decimal.Some(decimal.Zero)
	case r.Cost.Known && r.Cost.Sign() > 0:
		of[measures.StockAtCost] = decimal.Some(quantity.Mul(r.Cost.Major()))
	}
	if r.SalePrice.Known && r.SalePrice.Sign() > 0 {
		of[measures.StockAtSale] = decimal.Some(quantity.Mul(r.SalePrice.Major()))
	}
	if r.Stock.Known && r.Stock.Sign() > 0 {
		of[measures.OldestStock] = r.StockDays
	}
	return of
}
