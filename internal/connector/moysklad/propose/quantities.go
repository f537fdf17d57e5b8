package propose

import (
	"slices"

	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

// quantities bound how much of each good is ordered (rule R531).
type quantities struct {
	Multiple *decimal.Decimal `json:"multiple,omitempty" jsonschema:"multiples of this"`
	AtLeast  *decimal.Decimal `json:"at_least,omitempty" jsonschema:"of each good"`
	AtMost   *decimal.Decimal `json:"at_most,omitempty" jsonschema:"of each good"`
}

func (q quantities) given() bool { return q.Multiple != nil || q.AtLeast != nil || q.AtMost != nil }

// checkQuantities rejects bounds that no quantity can keep.
func (w *orderProposal) checkQuantities() error {
	in := w.in
	for _, x := range []struct {
		field string
		is    *decimal.Decimal
	}{{"multiple", in.Multiple}, {"at_least", in.AtLeast}, {"at_most", in.AtMost}} {
		if x.is != nil && x.is.Sign() <= 0 {
			return account.Invalid(x.field, w.Pick("количество должно быть больше нуля",
				"the quantity must be above zero"))
		}
	}
	if most := in.AtMost; most != nil && (in.AtLeast != nil && most.Less(*in.AtLeast) ||
		in.Multiple != nil && most.Less(*in.Multiple)) {
		return account.Invalid("at_most", w.Pick("at_most меньше at_least или multiple",
			"at_most is below at_least or multiple"))
	}
	return nil
}

// portion applies the bounds to a quantity that is rounded already.
func (q quantities) portion(quantity decimal.Decimal, whole bool) decimal.Decimal {
	if q.AtLeast != nil {
		quantity = quantity.Max(*q.AtLeast)
	}
	if q.Multiple != nil {
		quantity = multiple(quantity, *q.Multiple, true)
	}
	if q.AtMost != nil && q.AtMost.Less(quantity) {
		if quantity = *q.AtMost; q.Multiple != nil {
			quantity = multiple(quantity, *q.Multiple, false)
		} else if whole {
			quantity = quantity.Floor(0)
		}
	}
	return quantity
}

// multiple rounds a quantity to a multiple.
func multiple(quantity, of decimal.Decimal, up bool) decimal.Decimal {
	times := quantity.Div(of)
	if up {
		return times.Ceil(0).Mul(of)
	}
	return times.Floor(0).Mul(of)
}

func (q quantities) asked(a *asking) {
	number := func(d *decimal.Decimal) string { return tool.FormatQuantity(*d, a.Lang) }
	if q.Multiple != nil {
		a.add("количества кратно %s", "quantities in multiples of %s", number(q.Multiple))
	}
	if q.AtLeast != nil {
		a.add("каждого не меньше %s", "at least %s of each", number(q.AtLeast))
	}
	if q.AtMost != nil {
		a.add("каждого не больше %s", "at most %s of each", number(q.AtMost))
	}
}

// bounded applies the bounds to all lines.
func (w *orderProposal) bounded() {
	if !w.in.quantities.given() {
		return
	}
	for _, x := range w.lines {
		x.quantity = w.in.portion(x.quantity, x.whole)
	}
	w.lines = slices.DeleteFunc(w.lines, func(x *orderLine) bool { return x.quantity.Sign() <= 0 })
	w.ledger.record(tool.Text{RU: "границы количества", EN: "bounds of quantities"}, w.amount())
}

// noticeCut says what a budget leaves of a list.
func (w *orderProposal) noticeCut(whole map[*orderLine]decimal.Decimal) {
	if w.in.Items == nil {
		return
	}
	var names []string
	for x, was := range whole {
		now := decimal.Zero
		if slices.Contains(w.lines, x) {
			now = x.quantity
		}
		if now.Less(was) {
			names = append(names, w.Pickf("«%s» — %s из %s", "“%s”: %s of %s", x.Name, w.quantity(now),
				w.quantity(was)))
		}
	}
	if slices.Sort(names); len(names) > 0 {
		w.Notice(tool.NoticePartial, "Бюджета не хватило: "+w.ListNames(names)+".",
			"The budget does not suffice: "+w.ListNames(names)+".")
	}
}
