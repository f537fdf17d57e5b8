package account

import (
	"maps"
	"slices"
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

// MoneyByCurrency adds up amounts by currency. Different currencies are never added together (fact M31).
type MoneyByCurrency map[string]decimal.Decimal

// Add adds an amount in main units.
func (p MoneyByCurrency) Add(currency string, amount decimal.Decimal) {
	p[currency] = p[currency].Add(amount)
}

// Total returns the sum if there is one currency, zero in the account's currency if there are no amounts, and an empty
// value if there are several currencies.
func (p MoneyByCurrency) Total(account string) tool.Value {
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

// Text lists the sums: "1 234,56 ₽ и 10,00 $".
func (p MoneyByCurrency) Text(account string, l stockhand.Language) string {
	if len(p) == 0 {
		return tool.FormatMoney(decimal.Zero, account, l)
	}
	var parts []string
	for _, currency := range slices.Sorted(maps.Keys(p)) {
		parts = append(parts, tool.FormatMoney(p[currency], currency, l))
	}
	return strings.Join(parts, l.Pick(" и ", " and "))
}

// NoticeSeveral adds a notice if there are several currencies.
func (c *Call) NoticeSeveral(p MoneyByCurrency) {
	if len(p) > 1 {
		c.Notice(tool.NoticeCurrency,
			"Суммы в разных валютах ("+strings.Join(slices.Sorted(maps.Keys(p)), ", ")+
				") не складывались друг с другом.",
			"Amounts in different currencies ("+strings.Join(slices.Sorted(maps.Keys(p)), ", ")+
				") were not added together.")
	}
}
