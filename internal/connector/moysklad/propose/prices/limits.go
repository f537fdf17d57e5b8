package prices

import (
	"strings"

	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/connector/moysklad/propose/catalogue"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

// limits are bounds of the new prices (rule R530).
type limits struct {
	MinPrice     *decimal.Decimal `json:"min_price,omitempty" jsonschema:"least new price"`
	MaxPrice     *decimal.Decimal `json:"max_price,omitempty" jsonschema:"greatest"`
	OverCost     *decimal.Decimal `json:"over_cost,omitempty" jsonschema:"new price at least cost + this percent; 0: cost"`
	OverPurchase *decimal.Decimal `json:"over_purchase,omitempty" jsonschema:"same, of the purchase price"`
	MinMargin    *decimal.Decimal `json:"min_margin,omitempty" jsonschema:"of the new price, percent"`
}

func (l limits) given() bool { return l.MinPrice != nil || l.MaxPrice != nil || l.ofCost() }

// ofCost reports whether a bound depends on what a good costs.
func (l limits) ofCost() bool {
	return l.OverCost != nil || l.OverPurchase != nil || l.MinMargin != nil
}

// checkLimits rejects bounds that no price can keep.
func (w *proposal) checkLimits() error {
	in := w.in
	switch {
	case in.MinPrice != nil && in.MinPrice.Sign() <= 0:
		return account.Invalid("min_price", w.Pick("цена должна быть больше нуля", "the price must be above zero"))
	case in.MaxPrice != nil && in.MaxPrice.Sign() <= 0:
		return account.Invalid("max_price", w.Pick("цена должна быть больше нуля", "the price must be above zero"))
	case in.MinPrice != nil && in.MaxPrice != nil && in.MaxPrice.Less(*in.MinPrice):
		return account.Invalid("max_price", w.Pick("max_price меньше min_price", "max_price is below min_price"))
	case in.MinMargin != nil && in.MinMargin.Cmp(decimal.Hundred) >= 0:
		return account.Invalid("min_margin", w.Pick("маржа должна быть меньше 100", "the margin is below 100"))
	}
	for _, over := range []*decimal.Decimal{in.OverCost, in.OverPurchase} {
		if over != nil && over.Cmp(decimal.Hundred.Neg()) <= 0 {
			return account.Invalid("over_cost", w.Pick("процент должен быть больше −100",
				"the percentage is above −100"))
		}
	}
	return nil
}

// bound moves a new price into the bounds. It reports false for a good that is not changed: the bound is not known, or
// the present price is on it or beyond already, so that the price would change the other way.
func (w *proposal) bound(x *priceLine, currency msapi.Ref) bool {
	if !w.in.limits.given() {
		return true
	}
	floor, ok := w.floor(x.Card, currency)
	if !ok {
		w.unbounded = append(w.unbounded, x.Name)
		return false
	}
	wanted := x.price
	if floor.Known && x.price.Less(floor.Decimal) {
		x.price = w.rounding.toward(roundUp, floor.Decimal, x.old)
	}
	if most := w.in.MaxPrice; most != nil && most.Less(x.price) {
		if x.price = w.rounding.toward(roundDown, *most, x.old); most.Less(x.price) {
			x.price = *most
		}
	}
	if wanted.Cmp(x.price) == 0 {
		return true
	}
	if x.old.Known && (wanted.Less(x.old.Decimal) && x.old.Cmp(x.price) <= 0 ||
		x.old.Less(wanted) && x.price.Cmp(x.old.Decimal) <= 0) {
		w.atBound = append(w.atBound, x.Name)
		return false
	}
	w.bounded = append(w.bounded, x.Name)
	return true
}

// floor returns the least new price of a good; unknown if it has none. It reports false if what the good costs decides
// and is not known.
func (w *proposal) floor(g *catalogue.Card, currency msapi.Ref) (floor decimal.Maybe, ok bool) {
	raise := func(to decimal.Decimal) {
		if !floor.Known || floor.Less(to) {
			floor = decimal.Some(to)
		}
	}
	if w.in.MinPrice != nil {
		raise(*w.in.MinPrice)
	}
	over := func(percent *decimal.Decimal, of decimal.Maybe, from msapi.Ref) bool {
		if percent == nil {
			return true
		}
		c, ok := w.convert(of.Decimal, from, currency)
		if !of.Known || !ok {
			return false
		}
		raise(c.Mul(decimal.Hundred.Add(*percent)).Div(decimal.Hundred))
		return true
	}
	cost, from, _ := w.costOf(g)
	buy, of := g.Buy()
	if !over(w.in.OverCost, cost, from) || !over(w.in.OverPurchase, buy, of) {
		return floor, false
	}
	if m := w.in.MinMargin; m != nil {
		c, ok := w.convert(cost.Decimal, from, currency)
		if !cost.Known || !ok {
			return floor, false
		}
		raise(c.Mul(decimal.Hundred).Div(decimal.Hundred.Sub(*m)))
	}
	return floor, true
}

// toward rounds a bound so that it is kept: a least price up, a greatest down.
func (r rounding) toward(direction roundDirection, bound decimal.Decimal, old decimal.Maybe) decimal.Decimal {
	r.direction = direction
	return r.apply(bound, old).Round(2)
}

// boundsText describes the bounds: "не ниже себестоимости".
func (w *proposal) boundsText() string {
	var parts []string
	money := func(d decimal.Decimal) string { return tool.FormatMoney(d, "", w.Lang) }
	over := func(percent *decimal.Decimal, ru, en string) {
		switch {
		case percent == nil:
		case percent.Sign() == 0:
			parts = append(parts, w.Pick("не ниже "+ru, "not below "+en))
		default:
			parts = append(parts, w.Pickf("не ниже %s плюс %s %%", "not below %s plus %s%%", w.Pick(ru, en),
				tool.FormatQuantity(*percent, w.Lang)))
		}
	}
	over(w.in.OverCost, "себестоимости", "cost")
	over(w.in.OverPurchase, "закупочной цены", "the purchase price")
	if m := w.in.MinMargin; m != nil {
		parts = append(parts, w.Pickf("маржа новой цены не меньше %s %%", "a margin of the new price of at least %s%%",
			tool.FormatQuantity(*m, w.Lang)))
	}
	if w.in.MinPrice != nil {
		parts = append(parts, w.Pick("не ниже ", "not below ")+money(*w.in.MinPrice))
	}
	if w.in.MaxPrice != nil {
		parts = append(parts, w.Pick("не выше ", "not above ")+money(*w.in.MaxPrice))
	}
	return strings.Join(parts, "; ")
}

// noticeBounds says which prices the bounds have changed, and which goods do not change because of them.
func (w *proposal) noticeBounds() {
	for _, part := range []struct {
		names  []string
		ru, en string
	}{
		{w.bounded, "Остановлены на границе (%d): %s.", "Stopped at the bound (%d): %s."},
		{w.atBound, "Уже на границе или за ней, не меняются (%d): %s.",
			"On the bound or beyond it already, not changed (%d): %s."},
		{w.unbounded, "Себестоимость или закупочная цена неизвестна, границу не проверить, не меняются (%d): %s.",
			"The cost or purchase price is not known, so the bound cannot be checked, not changed (%d): %s."},
	} {
		if n := len(part.names); n > 0 {
			w.Noticef(tool.NoticeAssumption, part.ru, part.en, n, w.ListNames(part.names))
		}
	}
}
