package analyze

import (
	"cmp"
	"context"
	"slices"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/connector/moysklad/analyze/measures"
	"github.com/stockhand/stockhand/internal/connector/moysklad/analyze/values"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi/survey"
)

// good is a good with what the dimensions need. A variant has the group, supplier and unit of its product.
type good struct {
	item    msapi.AssortmentItem
	product msapi.AssortmentItem // the item itself unless it is a variant
	unit    string
}

// goodsOf reads the goods of lines if the query needs more of them than their quantity.
func (c *call) goodsOf(ctx context.Context, lines []line) (map[msapi.Key]good, error) {
	wanted := map[msapi.Key]bool{}
	for _, l := range lines {
		if l.good.ID != "" {
			wanted[l.good.ID.Key()] = true
		}
	}
	return c.describe(ctx, wanted)
}

func (c *call) describe(ctx context.Context, wanted map[msapi.Key]bool) (map[msapi.Key]good, error) {
	if !c.needsGoods() {
		return nil, nil
	}
	if s := survey.Of(ctx); s != nil {
		return nil, c.ExpectGoods(ctx, s)
	}
	if len(wanted) == 0 {
		return nil, nil
	}
	items, err := c.DescribeWithProducts(ctx, wanted)
	if err != nil {
		return nil, err
	}
	unit, err := c.UnitName(ctx)
	if err != nil {
		return nil, err
	}
	all := make(map[msapi.Key]good, len(items))
	for k, x := range items {
		g := good{item: x, product: x}
		if p := x.Product.ID; p != "" {
			g.product = items[p.Key()]
		}
		g.unit = unit(g.product.Unit.ID)
		all[k] = g
	}
	return all, nil
}

// key returns the value of a dimension of goods.
func (g good) key(field string) analysis.Key {
	switch field {
	case measures.DimProduct, measures.DimABC, measures.DimXYZ:
		return analysis.Key{ID: string(g.product.ID), Name: g.product.Name}
	case measures.DimVariant:
		return analysis.Key{ID: string(g.item.ID), Name: g.item.Name}
	case measures.DimKind:
		kind := g.product.Type
		return analysis.Key{ID: kind, Name: kind}
	case measures.DimGroup:
		return analysis.Key{ID: string(g.product.Folder.ID), Name: g.product.Folder.Name}
	case measures.DimSupplier:
		return analysis.Key{ID: string(g.product.Supplier.ID), Name: g.product.Supplier.Name}
	case measures.DimUnit:
		return plainKey(g.unit)
	case measures.DimArticle:
		article := cmp.Or(g.item.Article, g.product.Article)
		return plainKey(article)
	case measures.DimCountry:
		return analysis.Key{ID: string(g.product.Country.ID), Name: g.product.Country.Name}
	case measures.DimBarcode:
		if len(g.item.Barcodes) > 0 {
			return plainKey(g.item.Barcodes[0])
		}
	}
	return analysis.Key{}
}

// goodKey returns the value of a dimension of goods, or of an additional field of theirs. A variant has those of its
// product (fact M103).
func (c *call) goodKey(g good, field string) analysis.Key {
	if owner, _, _ := fieldOf(field); owner == entityGood {
		return c.fieldKey(field, g.product.Attributes)
	}
	if field == measures.DimPriceBand && len(g.product.SalePrices) > 0 {
		return plainKey(values.BandOf(c.price(g.product.SalePrices[0].Price)))
	}
	k, item := g.key(field), g.item
	if field == measures.DimProduct {
		item = g.product
	}
	k.Of = c.about(Good{Article: item.Article, Code: item.Code, Unit: g.unit})
	return k
}

// needsGoods reports whether the query uses a dimension of goods, or quantities, which have units.
func (c *call) needsGoods() bool {
	return slices.ContainsFunc(c.fields, isOfGoods) || c.withoutReport && c.needs(measures.Costs) ||
		slices.ContainsFunc(c.plan.Bases,
			func(b analysis.Base) bool { return slices.Contains(c.catalogue.Quantities, b) })
}

// needsCards reports whether the query uses a dimension of goods that is not among those that a report's rows have.
func (c *call) needsCards(known ...string) bool {
	return slices.ContainsFunc(c.fields,
		func(d string) bool { return isOfGoods(d) && !slices.Contains(known, d) })
}
