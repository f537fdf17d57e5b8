package moysklad

import (
	"maps"
	"slices"
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

// purse adds amounts up, each currency apart: sums of different currencies are never added (reference, section 4.1).
type purse map[string]decimal.Decimal

// add puts an amount in main units in.
func (p purse) add(currency string, amount decimal.Decimal) { p[currency] = p[currency].Add(amount) }

// total is the sum when everything was in one currency, zero of the account's currency when there was nothing, and
// empty when there were several.
func (p purse) total(account string) tool.Value {
	switch len(p) {
	case 0:
		return tool.Money(decimal.Zero, account)
	case 1:
		for currency, amount := range p {
			return tool.Money(amount, currency)
		}
	}
	return tool.Empty
}

// text names every sum: "1 234,56 ₽ и 10,00 $".
func (p purse) text(account string, l stockhand.Language) string {
	if len(p) == 0 {
		return tool.FormatMoney(decimal.Zero, account, l)
	}
	var parts []string
	for _, currency := range slices.Sorted(maps.Keys(p)) {
		parts = append(parts, tool.FormatMoney(p[currency], currency, l))
	}
	return strings.Join(parts, l.Pick(" и ", " and "))
}

// noticeSeveral says that the sums were not added together.
func (c *call) noticeSeveral(p purse) {
	if len(p) > 1 {
		c.notice(tool.NoticeCurrency,
			"Суммы в разных валютах ("+strings.Join(slices.Sorted(maps.Keys(p)), ", ")+
				") не складывались друг с другом.",
			"Amounts in different currencies ("+strings.Join(slices.Sorted(maps.Keys(p)), ", ")+
				") were not added together.")
	}
}

// share is part of whole in percent; unknown when the whole is nothing.
func share(part, whole decimal.Decimal) decimal.Maybe {
	if whole.Sign() == 0 {
		return decimal.Maybe{}
	}
	return decimal.Some(part.Mul(decimal.Hundred).Div(whole))
}
