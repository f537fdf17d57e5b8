package propose

import (
	"cmp"
	"slices"
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/wording"
	"github.com/stockhand/stockhand/internal/decimal"
)

// smallest is the smallest quantity of goods that can be divided.
var smallest = decimal.MustParse("0.001")

// spend returns the lines that a budget suffices for, with as much of each as it can pay in whole units and packs. The
// preferred lines come first; cheaper ones after a line that is too dear still get what is left. Lines without a price
// in the account currency cannot be paid from it and are returned apart.
func (w *orderProposal) spend(lines []*orderLine, budget decimal.Decimal) (bought, unpriced []*orderLine) {
	scores := map[*orderLine]decimal.Maybe{}
	for _, x := range lines {
		if w.inAccountCurrency(x).Known {
			scores[x] = w.score(x)
		} else {
			unpriced = append(unpriced, x)
		}
	}
	priced := slices.DeleteFunc(slices.Clone(lines), func(x *orderLine) bool { _, ok := scores[x]; return !ok })
	slices.SortStableFunc(priced, func(x, y *orderLine) int {
		return cmp.Or(account.Descending(scores[x], scores[y]), account.Ascending(x.Lasts, y.Lasts),
			strings.Compare(wording.Fold(x.Name), wording.Fold(y.Name)), strings.Compare(string(x.ID), string(y.ID)),
			compareKeys(x.StockKey.Store, y.StockKey.Store))
	})
	left := budget
	for _, x := range priced {
		step := smallest
		if pack := x.Pack(); w.in.Multiple != nil {
			step = *w.in.Multiple
		} else if pack.Known {
			step = pack.Decimal
		} else if x.whole {
			step = decimal.One
		}
		if price := x.price.Decimal; price.Sign() > 0 {
			x.quantity = x.quantity.Min(left.Div(price).Div(step).Floor(0).Mul(step))
			for x.quantity.Sign() > 0 && left.Less(w.inAccountCurrency(x).Decimal) { // kopecks are rounded up
				x.quantity = x.quantity.Sub(step)
			}
		}
		if x.quantity.Sign() > 0 {
			left = left.Sub(w.inAccountCurrency(x).Decimal)
			bought = append(bought, x)
		}
	}
	return bought, unpriced
}

// score says how much a rouble spent on a line brings: days of cover, or margin. It is unknown without sales, or
// without a sale price in the account currency.
func (w *orderProposal) score(x *orderLine) decimal.Maybe {
	price := x.price.Decimal
	if price.Sign() <= 0 {
		return decimal.Maybe{}
	}
	if w.in.Prefer == preferMargin {
		prices := x.SalePrices
		if len(prices) == 0 {
			prices = x.Root().SalePrices
		}
		if len(prices) == 0 || !prices[0].Value.Known || prices[0].Value.Sign() == 0 ||
			account.Iso(prices[0].Currency, w.currency, w.of) != w.currency {
			return decimal.Maybe{}
		}
		return decimal.Some(prices[0].Value.Major().Sub(price).Div(price))
	}
	daily := w.daily(x)
	if !daily.Known || daily.Sign() <= 0 {
		return decimal.Maybe{}
	}
	return decimal.Some(decimal.One.Div(daily.Mul(price)))
}

func named(lines []*orderLine, l stockhand.Language) string {
	names := make([]string, len(lines))
	for i, x := range lines {
		names[i] = x.Name
	}
	slices.Sort(names)
	return wording.Quoted(slices.Compact(names), l)
}
