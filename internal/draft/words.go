package draft

import (
	"fmt"
	"slices"
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

// What a proposing tool said in words no longer fits once a person has changed the figures, so an edited document gets
// words of its own, computed from the same figures that the tool saw.

// NoticeBelowCost marks a line whose new price does not cover the cost.
const NoticeBelowCost tool.NoticeCode = "below_cost"

// consequences says what an edited document means now, the old against the new.
func consequences(l stockhand.Language, before, after tool.Document) []string {
	var all []string
	if before.Total.Known && after.Total.Known && before.Total.Cmp(after.Total.Decimal) != 0 {
		all = append(all, fmt.Sprintf(l.Pick("Сумма документа: %s → %s", "Total: %s → %s"),
			tool.FormatMoney(before.Total.Decimal, after.Currency, l), tool.FormatMoney(after.Total.Decimal, after.Currency, l)))
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
		parts = append(parts, fmt.Sprintf("%s → %s %s", quantity(old.Quantity, l), quantity(line.Quantity, l), line.Unit))
		parts = append(parts, stockAfter(l, kind, line)...)
	}
	if differs(old.Price, line.Price) {
		parts = append(parts, fmt.Sprintf(l.Pick("цена %s → %s", "price %s → %s"), money(old.Price, currency, l), money(line.Price, currency, l)))
	}
	if kind == tool.PriceChange && differs(old.Price, line.Price) && line.OldPrice.Known && line.OldPrice.Sign() > 0 && line.Price.Known {
		change := line.Price.Sub(line.OldPrice.Decimal).Div(line.OldPrice.Decimal).Mul(decimal.Hundred)
		parts = append(parts, fmt.Sprintf(l.Pick("к действующей %s %%", "against the current one %s%%"), signed(change)))
	}
	if len(parts) == 0 {
		return ""
	}
	for i := range parts {
		parts[i] = strings.TrimSpace(parts[i])
	}
	return fmt.Sprintf(l.Pick("«%s»: %s", "%s: %s"), line.Product.Name, strings.Join(parts, "; "))
}

// stockAfter says what there will be, from the figures seen. Without one of them nothing is said: absent is not zero.
func stockAfter(l stockhand.Language, kind tool.DocumentKind, line tool.Line) []string {
	if !line.Seen.Stock.Known || !line.Seen.Reserve.Known || !line.Quantity.Known {
		return nil
	}
	free := line.Seen.Stock.Sub(line.Seen.Reserve.Decimal)
	if kind == tool.Transfer {
		left := free.Sub(line.Quantity.Decimal)
		if left.Sign() < 0 {
			return []string{fmt.Sprintf(l.Pick("на складе-источнике не хватает %s", "the source is short of %s"), tool.FormatQuantity(left.Neg(), l))}
		}
		return []string{fmt.Sprintf(l.Pick("на складе-источнике останется %s", "the source keeps %s"), tool.FormatQuantity(left, l))}
	}
	if !line.Seen.InTransit.Known {
		return nil
	}
	then := free.Add(line.Seen.InTransit.Decimal).Add(line.Quantity.Decimal)
	said := []string{fmt.Sprintf(l.Pick("с учётом ожидаемого будет %s", "with what is expected there will be %s"), tool.FormatQuantity(then, l))}
	if line.Seen.Daily.Known && line.Seen.Daily.Sign() > 0 && then.Sign() > 0 {
		said = append(said, fmt.Sprintf(l.Pick("хватит на %s дн.", "enough for %s days"), then.Div(line.Seen.Daily.Decimal).Floor(0)))
	}
	return said
}

// flags are the remarks that still hold after an edit: those that can be computed from the line itself.
func flags(l stockhand.Language, kind tool.DocumentKind, line tool.Line) []tool.Notice {
	if kind == tool.PriceChange && line.Price.Known && line.Cost.Known && line.Price.Less(line.Cost.Decimal) {
		return []tool.Notice{{Code: NoticeBelowCost, Message: l.Pick("новая цена ниже себестоимости", "the new price is below the cost")}}
	}
	return nil
}

// answer is the draft in one sentence after its documents have changed.
func answer(l stockhand.Language, p tool.Proposal, version int64) string {
	said := fmt.Sprintf(l.Pick("Версия %d после изменений. Документов: %d", "Version %d, edited. Documents: %d"), version, len(p.Documents))
	total, currency := decimal.Zero, ""
	for i, d := range p.Documents {
		if !d.Total.Known || (i > 0 && d.Currency != currency) {
			return said + "." // a sum of some, or of two currencies, would be a wrong figure
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

func signed(d decimal.Decimal) string {
	if d.Sign() > 0 {
		return "+" + d.Fixed(1)
	}
	return d.Fixed(1)
}

var stateWords = map[stockhand.DocumentState]tool.Text{
	stockhand.DocumentPending:   {RU: "ждёт подтверждения", EN: "pending"},
	stockhand.DocumentConfirmed: {RU: "подтверждён", EN: "confirmed"},
	stockhand.DocumentApplying:  {RU: "отправляется", EN: "being sent"},
	stockhand.DocumentApplied:   {RU: "записан", EN: "applied"},
	stockhand.DocumentFailed:    {RU: "не записан", EN: "failed"},
	stockhand.DocumentUnknown:   {RU: "в неизвестном состоянии", EN: "unknown"},
	stockhand.DocumentRejected:  {RU: "отклонён", EN: "rejected"},
	stockhand.DocumentExpired:   {RU: "просрочен", EN: "expired"},
}

func stateWord(s stockhand.DocumentState, l stockhand.Language) string { return stateWords[s].In(l) }
