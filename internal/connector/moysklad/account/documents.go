package account

import (
	"context"

	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/decimal"
)

// LineSums returns the sum and the discount of each line of a document, in main units of the account currency. The
// document's own sum is authoritative: if the lines do not add up to it, because VAT is added or
// kopecks are rounded, it is distributed over them, and the last line takes the rest. Prices are in the document's
// currency (facts M32 and M68).
func LineSums(d msapi.Order) (sums, discounts []decimal.Decimal) {
	sums, discounts = make([]decimal.Decimal, len(d.Positions)), make([]decimal.Decimal, len(d.Positions))
	base := func(n decimal.Decimal) decimal.Decimal { return d.Rate.Base(decimal.Some(n)).Major() }
	var all decimal.Decimal
	for i, p := range d.Positions {
		full := p.Price.Mul(p.Quantity.Decimal)
		sums[i] = full.Mul(decimal.Hundred.Sub(p.Discount.Decimal)).Div(decimal.Hundred).Round(0)
		all, discounts[i] = all.Add(sums[i]), base(full.Sub(sums[i]))
	}
	distribute := d.Sum.Known && all.Sign() > 0 && all.Cmp(d.Sum.Decimal) != 0
	total := base(d.Sum.Decimal)
	left := total
	for i, sum := range sums {
		switch {
		case !distribute:
			sums[i] = base(sum)
		case i == len(sums)-1:
			sums[i] = left
		default:
			sums[i] = total.Mul(sum).Div(all).Round(2)
			left = left.Sub(sums[i])
		}
	}
	return sums, discounts
}

// GoodsIn returns the quantity and the sum of some goods in a document, in main units of its currency. They are unknown
// if it has no line of them; the sum also if a price is hidden.
func GoodsIn(d *msapi.Document, wanted func(msapi.ID) bool) (quantity, sum decimal.Maybe) {
	sums, _ := LineSums(msapi.Order{Positions: d.Positions, Sum: d.Sum})
	known := true
	for i, p := range d.Positions {
		if wanted(p.Assortment.ID) {
			known = known && p.Price.Known
			quantity = decimal.Some(quantity.Add(p.Quantity.Decimal))
			sum = decimal.Some(sum.Add(sums[i]))
		}
	}
	sum.Known = sum.Known && known
	return quantity, sum
}

// DescribeWithProducts is like [Call.DescribeAll], with the products of variants too: a variant has no group, supplier
// or unit of its own (fact M54).
func (c *Call) DescribeWithProducts(ctx context.Context, wanted map[msapi.Key]bool) (map[msapi.Key]msapi.AssortmentItem,
	error) {
	items, err := c.DescribeAll(ctx, KeysOf(wanted))
	if err != nil {
		return nil, err
	}
	products := map[msapi.Key]bool{}
	for _, x := range items {
		if p := x.Product.ID; p != "" && items[p.Key()].ID == "" {
			products[p.Key()] = true
		}
	}
	more, err := c.DescribeAll(ctx, KeysOf(products))
	for k, x := range more {
		items[k] = x
	}
	return items, err
}
