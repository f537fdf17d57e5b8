package propose

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/wording"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

// amount is what some lines come to: how many there are, and their sums where the price is known.
type amount struct {
	lines int
	sums  account.MoneyByCurrency
}

// ledger ties what is short to what is ordered. Each step is the difference between two measurements, so the steps add
// up exactly.
type ledger struct {
	short, now amount
	steps      []step
}

// step is why less, or more, is ordered.
type step struct {
	why tool.Text
	by  amount // negative if less
}

func (l *ledger) start(a amount) { l.short, l.now = a, a }

// record adds a step, unless nothing has changed.
func (l *ledger) record(why tool.Text, now amount) {
	by := amount{now.lines - l.now.lines, account.MoneyByCurrency{}}
	for _, sums := range []account.MoneyByCurrency{l.now.sums, now.sums} {
		for currency := range sums {
			if d := now.sums[currency].Sub(l.now.sums[currency]); d.Sign() != 0 {
				by.sums[currency] = d
			}
		}
	}
	l.now = now
	if by.lines != 0 || len(by.sums) > 0 {
		l.steps = append(l.steps, step{why, by})
	}
}

// amount measures the lines: before the prices are decided at those of the shortages, then as the documents add up.
func (w *orderProposal) amount() amount {
	a := amount{len(w.lines), account.MoneyByCurrency{}}
	for _, x := range w.lines {
		switch {
		case w.resolved && x.price.Known:
			a.sums.Add(account.Iso(x.currency, w.currency, w.of), x.quantity.Mul(x.price.Decimal).Round(2))
		case !w.resolved && x.Item != nil && x.Item.Price.Known:
			a.sums.Add(account.Iso(x.Item.Currency, w.currency, w.of), x.quantity.Mul(x.Item.Price.Decimal))
		}
	}
	for currency, sum := range a.sums { // as the list of shortages shows it
		a.sums[currency] = sum.Round(2)
	}
	return a
}

// reconciled ties the lines and the sum of the orders to those of the list of shortages, if they differ.
func (l *ledger) reconciled(currency string, lang stockhand.Language) string {
	if l.short.lines == 0 || len(l.steps) == 0 {
		return ""
	}
	worth := func(a amount) string {
		if len(a.sums) == 0 {
			return ""
		}
		return lang.Pick(" на ", ", ") + a.sums.Text(currency, lang)
	}
	parts := make([]string, len(l.steps))
	for i, s := range l.steps {
		var by []string
		if s.by.lines != 0 {
			by = append(by, withSign(decimal.FromInt(int64(s.by.lines)), func(d decimal.Decimal) string {
				return wording.NounPosition.Count(lang, int(d.Float64()))
			}))
		}
		for _, code := range slices.Sorted(maps.Keys(s.by.sums)) {
			by = append(by, withSign(s.by.sums[code], func(d decimal.Decimal) string {
				return tool.FormatMoney(d, code, lang)
			}))
		}
		parts[i] = s.why.In(lang) + ": " + strings.Join(by, ", ")
	}
	return fmt.Sprintf(lang.Pick("Не хватает %s%s, в заказах %s%s; разница — %s.",
		"Short: %s%s; ordered: %s%s. The difference: %s."), wording.NounPosition.Count(lang, l.short.lines),
		worth(l.short), wording.NounLine.Count(lang, l.now.lines), worth(l.now), strings.Join(parts, "; "))
}

// withSign formats an amount with its sign: "−3", "+1".
func withSign(d decimal.Decimal, format func(decimal.Decimal) string) string {
	if d.Sign() < 0 {
		return "−" + format(d.Neg())
	}
	return "+" + format(d)
}
