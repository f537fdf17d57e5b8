package report

import (
	"context"
	"slices"

	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/connector/moysklad/wording"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

// set is a bundle and how many of it the free stock of its components makes.
type set struct {
	msapi.Bundle
	makes decimal.Maybe // unknown while the stock of a component is
	least string        // the component that runs out first
}

// onlyBundles reports whether all named goods are bundles, which have no stock of their own.
func onlyBundles(s account.Filter) bool {
	return len(s.Goods) > 0 && !slices.ContainsFunc(s.Goods, func(g msapi.Ref) bool { return g.Type != "bundle" })
}

// sets answers how many of the named bundles can be assembled from free stock (rule R266). Each is counted by itself:
// bundles that share a component cannot all be assembled.
func (c *call) sets(ctx context.Context, s account.Filter, limit account.Limit) error {
	var sets []*set
	query := msapi.ListQuery{IDs: s.GoodsOf("bundle"), Archived: msapi.ArchivedAlso}
	err := account.Each(c.Call, c.Reader.Bundles(ctx, query),
		func(b msapi.Bundle) { sets = append(sets, &set{Bundle: b}) })
	if err != nil {
		return c.Refuse(err, account.SectionGoods)
	}
	parts := account.Filter{Stores: s.Stores}
	for _, x := range sets {
		for _, p := range x.Components {
			if p.Assortment.Type != "service" &&
				!slices.ContainsFunc(parts.Goods, func(g msapi.Ref) bool { return g.ID == p.Assortment.ID }) {
				parts.Goods = append(parts.Goods, p.Assortment)
			}
		}
	}
	all, err := c.EveryStore(ctx)
	if err != nil {
		return c.Refuse(err, account.SectionStores)
	}
	levels, goods, err := c.Levels(ctx, parts, account.StoresWithin(s.Stores, all))
	if err != nil {
		return c.Refuse(err, account.SectionStock)
	}
	free := map[msapi.Key]account.Level{}
	for k, l := range levels {
		free[k.Good] = free[k.Good].Add(l)
	}
	for _, x := range sets {
		x.count(free, goods)
	}
	columns := []column[*set]{
		text("name", "Комплект", "Bundle", func(x *set) string { return x.Name }),
		quantity("makes", "Можно собрать", "Can be assembled", func(x *set) decimal.Maybe { return x.makes }),
		text("least", "Раньше кончится", "Runs out first", func(x *set) string { return x.least }),
		text("id", "ID", "ID", func(x *set) string { return string(x.ID) }),
	}
	show(c, columns, sets, limit)
	c.Result.Answer = wording.Upper(c.Places(s)) + ": " + c.Pickf("комплектов, которые можно собрать из остатков: %s.",
		"bundles that the stock makes: %s.", setsText(c, sets))
	c.Method("Свободный остаток каждой составляющей ÷ её количество в комплекте, наименьшее; каждый комплект посчитан "+
		"отдельно.", "Free stock of each component ÷ its quantity in the bundle, the least; each bundle by itself.")
	return nil
}

// count divides the free stock of the components.
func (x *set) count(free map[msapi.Key]account.Level, goods map[msapi.Key]msapi.AssortmentItem) {
	for _, p := range x.Components {
		level := free[p.Assortment.ID.Key()]
		if p.Assortment.Type == "service" || !p.Quantity.Known || p.Quantity.Sign() <= 0 {
			continue
		}
		if level.Unknown {
			x.makes, x.least = decimal.Maybe{}, ""
			return
		}
		n := level.Free().Max(decimal.Zero).Div(p.Quantity.Decimal)
		if whole := n.Round(0); whole.Cmp(n) > 0 {
			n = whole.Sub(decimal.One)
		} else {
			n = whole
		}
		if !x.makes.Known || n.Less(x.makes.Decimal) {
			x.makes = decimal.Some(n)
			if x.least = p.Assortment.Name; x.least == "" {
				x.least = goods[p.Assortment.ID.Key()].Name
			}
		}
	}
}

func setsText(c *call, sets []*set) string {
	var list []string
	for _, x := range sets {
		n := c.Pick("неизвестно", "unknown")
		if x.makes.Known {
			n = tool.FormatQuantity(x.makes.Decimal, c.Lang)
		}
		list = append(list, wording.InQuotes(x.Name, c.Lang)+" — "+n)
	}
	return c.ListNames(list)
}
