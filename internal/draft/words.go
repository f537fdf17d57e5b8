package draft

import (
	"fmt"
	"slices"
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

// The texts of a proposing tool are wrong once a person has changed the figures. An edited document gets new texts,
// computed from the figures that the tool saw.

// consequences describes the effects of an edited document, old → new.
func consequences(l stockhand.Language, before, after tool.Document) []string {
	var all []string
	if before.Total.Known && after.Total.Known && before.Total.Cmp(after.Total.Decimal) != 0 {
		all = append(all, fmt.Sprintf(l.Pick("Сумма документа: %s → %s", "Total: %s → %s"),
			tool.FormatMoney(before.Total.Decimal, after.Currency, l),
			tool.FormatMoney(after.Total.Decimal, after.Currency, l)))
	}
	for _, old := range before.Lines {
		i := slices.IndexFunc(after.Lines, func(line tool.Line) bool { return line.ID == old.ID })
		if i < 0 {
			all = append(all, fmt.Sprintf(l.Pick("«%s» — убрано", "%s: dropped"), old.Product.Name))
			continue
		}
		if said := lineConsequence(l, after.Kind, after.Currency, old, after.Lines[i]); said != "" {
			all = append(all, said)
		}
	}
	return all
}

func lineConsequence(l stockhand.Language, kind tool.DocumentKind, currency string, old, line tool.Line) string {
	var parts []string
	if differs(old.Quantity, line.Quantity) {
		parts = append(parts, fmt.Sprintf("%s → %s %s", quantity(old.Quantity, l), quantity(line.Quantity, l),
			line.Unit))
		parts = append(parts, stockAfter(l, kind, line)...)
	}
	if differs(old.Price, line.Price) {
		parts = append(parts, fmt.Sprintf(l.Pick("цена %s → %s", "price %s → %s"), money(old.Price, currency, l),
			money(line.Price, currency, l)))
	}
	if kind == tool.PriceChange && differs(old.Price, line.Price) && line.OldPrice.Known && line.OldPrice.Sign() > 0 &&
		line.Price.Known {
		change := line.Price.Sub(line.OldPrice.Decimal).Div(line.OldPrice.Decimal).Mul(decimal.Hundred)
		parts = append(parts, fmt.Sprintf(l.Pick("к нынешней цене %s", "%s against the current price"),
			percent(change, l)))
	}
	if len(parts) == 0 {
		return ""
	}
	for i := range parts {
		parts[i] = strings.TrimSpace(parts[i])
	}
	return fmt.Sprintf(l.Pick("«%s»: %s", "%s: %s"), line.Product.Name, strings.Join(parts, "; "))
}

// stockAfter describes the stock after the document. It returns nothing if a figure is unknown: absent is not zero.
func stockAfter(l stockhand.Language, kind tool.DocumentKind, line tool.Line) []string {
	if !line.Seen.Stock.Known || !line.Seen.Reserve.Known || !line.Quantity.Known {
		return nil
	}
	free := line.Seen.Stock.Sub(line.Seen.Reserve.Decimal)
	if kind == tool.Transfer {
		left := free.Sub(line.Quantity.Decimal)
		if left.Sign() < 0 {
			return []string{fmt.Sprintf(
				l.Pick("на складе, откуда перемещаем, не хватает %s", "the source is short of %s"),
				tool.FormatQuantity(left.Neg(), l))}
		}
		return []string{fmt.Sprintf(l.Pick("на складе, откуда перемещаем, останется %s", "the source keeps %s"),
			tool.FormatQuantity(left, l))}
	}
	if !line.Seen.InTransit.Known {
		return nil
	}
	then := free.Add(line.Seen.InTransit.Decimal).Add(line.Quantity.Decimal)
	said := []string{fmt.Sprintf(l.Pick("вместе с тем, что в пути, будет %s",
		"with what is on the way there will be %s"),
		tool.FormatQuantity(then, l))}
	if line.Seen.Daily.Known && line.Seen.Daily.Sign() > 0 && then.Sign() > 0 {
		said = append(said, fmt.Sprintf(l.Pick("хватит на %s дн.", "enough for %s days"),
			then.Div(line.Seen.Daily.Decimal).Floor(0)))
	}
	return said
}

// reason is the reason of an edited line: the edit, and what the tool had proposed.
func reason(l stockhand.Language, kind tool.DocumentKind, currency string, before, after tool.Line) string {
	if kind == tool.PriceChange && after.Price.Known {
		said := fmt.Sprintf("%s → %s", money(after.OldPrice, currency, l), money(after.Price, currency, l))
		if after.OldPrice.Known && after.OldPrice.Sign() > 0 {
			change := after.Price.Sub(after.OldPrice.Decimal).Div(after.OldPrice.Decimal).Mul(decimal.Hundred)
			said += " (" + percent(change, l) + ")"
		}
		return said + l.Pick("; цена указана вручную", "; the price was set by hand")
	}
	said := l.Pick("изменено вручную", "edited by hand")
	if differs(before.Quantity, after.Quantity) {
		said += fmt.Sprintf(": %s → %s", quantity(before.Quantity, l), quantity(after.Quantity, l))
	}
	proposed := l.Pick("; было предложено: ", "; was proposed: ")
	if _, first, edited := strings.Cut(before.Reason, proposed); edited {
		before.Reason = first // an edit of an edit
	}
	if before.Reason != "" {
		said += proposed + before.Reason
	}
	return said
}

// flags returns the remarks of an edited line: computed again if the line has the figures for it, otherwise the earlier
// ones. A remark that may no longer apply says that it is from before the edit.
func flags(l stockhand.Language, kind tool.DocumentKind, currency string, before, after tool.Line) []tool.Notice {
	var all []tool.Notice
	if kind == tool.PriceChange && after.Price.Known && after.Cost.Known && after.Price.Less(after.Cost.Decimal) {
		all = append(all, tool.Notice{
			Code: tool.NoticeBelowCost,
			Message: l.Pick("ниже себестоимости или закупочной цены ", "below the cost or the purchase price of ") +
				money(after.Cost, currency, l),
		})
	}
	for _, f := range before.Flags {
		stands := true
		switch f.Code {
		case tool.NoticeBelowCost:
			continue
		case tool.NoticeBelowMinPrice:
			stands = before.Price.Known && after.Price.Known && !before.Price.Less(after.Price.Decimal)
		case tool.NoticeUnusual:
			stands = !differs(before.Price, after.Price) && before.Quantity.Known == after.Quantity.Known &&
				(!after.Quantity.Known || !after.Quantity.Less(before.Quantity.Decimal))
		default:
		}
		if earlier := l.Pick("до изменения: ", "before the edit: "); !stands && !strings.HasPrefix(f.Message, earlier) {
			f.Message = earlier + f.Message
		}
		all = append(all, f)
	}
	return all
}

// answer summarizes an edited draft in one sentence.
func answer(l stockhand.Language, p tool.Proposal, version int64) string {
	said := fmt.Sprintf(l.Pick("Версия %d. Документов: %d", "Version %d. Documents: %d"), version, len(p.Documents))
	total, currency := decimal.Zero, ""
	for i, d := range p.Documents {
		if !d.Total.Known || (i > 0 && d.Currency != currency) {
			return said + "." // a partial sum, or one of two currencies, would be wrong
		}
		currency = d.Currency
		total = total.Add(d.Total.Decimal)
	}
	if !total.Valid() {
		return said + "."
	}
	return said + fmt.Sprintf(l.Pick(", на сумму %s.", ", for %s in total."), tool.FormatMoney(total, currency, l))
}

func differs(a, b decimal.Maybe) bool {
	return a.Known != b.Known || (a.Known && a.Cmp(b.Decimal) != 0)
}

func quantity(n decimal.Maybe, l stockhand.Language) string {
	if !n.Known {
		return "—"
	}
	return tool.FormatQuantity(n.Decimal, l)
}

func money(n decimal.Maybe, currency string, l stockhand.Language) string {
	if !n.Known {
		return "—"
	}
	return tool.FormatMoney(n.Decimal, currency, l)
}

// percent formats a change with its sign.
func percent(d decimal.Decimal, l stockhand.Language) string {
	said := tool.Number(d).Format(tool.UnitPercent, l)
	if d.Sign() > 0 {
		return "+" + said
	}
	return said
}
