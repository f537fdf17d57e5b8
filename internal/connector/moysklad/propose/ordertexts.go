package propose

import (
	"fmt"
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/connector/moysklad/shortage"
	"github.com/stockhand/stockhand/internal/connector/moysklad/wording"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

// why returns the reason for a document.
func (w *orderProposal) why(list []*orderLine) string {
	below, running := 0, 0
	for _, x := range list {
		if x.listed {
			return w.Pick("по списку", "as listed")
		}
		if x.UnderMinimum() {
			below++
		}
		if x.RunningOut {
			running++
		}
	}
	var parts []string
	if below > 0 {
		parts = append(parts, w.Pick("ниже минимума: ", "below the minimum: ")+wording.NounItem.Count(w.Lang, below))
	}
	if running > 0 {
		parts = append(parts, w.Pick("скоро закончится: ", "running out: ")+wording.NounItem.Count(w.Lang, running))
	}
	return strings.Join(parts, "; ")
}

func (w *orderProposal) reason(x *orderLine) string {
	var parts []string
	switch {
	case x.listed:
		parts = append(parts, w.Pick("по списку", "as listed"))
	case x.UnderMinimum() && x.overall:
		parts = append(parts, fmt.Sprintf(
			w.Pick("ниже минимума по всем складам: %s из %s", "below the minimum over all warehouses: %s of %s"),
			w.quantity(x.Level.Free()), w.quantity(x.Minimum.Decimal)))
	case x.UnderMinimum():
		parts = append(parts, w.Pickf("ниже минимума: %s из %s", "below the minimum: %s of %s",
			w.quantity(x.Level.Free()), w.quantity(x.Minimum.Decimal)))
	}
	if x.Lasts.Known {
		parts = append(parts, w.Pick("хватит на ", "lasts ")+
			tool.Number(x.Lasts.Round(1)).Format(tool.UnitQuantity, w.Lang)+w.Pick(" дн.", " days"))
	}
	if d := w.daily(x); d.Known && d.Sign() > 0 {
		parts = append(parts, w.Pick("продажи "+w.quantity(d.Round(2))+" в день", "sales "+w.quantity(d.Round(2))+
			" a day"))
	}
	if transit := x.Level.Transit.Decimal(); transit.Sign() > 0 {
		parts = append(parts, w.Pick("в пути ", "on the way ")+w.quantity(transit))
	}
	if x.asked.Cmp(x.quantity) != 0 {
		parts = append(parts, w.quantity(x.asked)+" → "+w.quantity(x.quantity))
	}
	if pack := x.Pack(); pack.Known {
		parts = append(parts, w.Pick("упаковками по ", "in packs of ")+w.quantity(pack.Decimal))
	}
	return strings.Join(parts, ", ")
}

// remarks compares a quantity with the sales of the period and with the latest order, which it names.
func (w *orderProposal) remarks(x *orderLine, h history) (list []string, named []tool.Ref) {
	if w.source != shortage.RateUnknown {
		s := w.sold[x.Good].Quantity
		switch {
		case s.Sign() <= 0:
			list = append(list, w.Pick("за период продаж не было", "not sold in the period"))
		case s.Mul(unusual).Less(x.quantity):
			list = append(list, fmt.Sprintf(
				w.Pick("%s — в три с лишним раза больше, чем продано за период (%s)",
					"%s is more than three times the sales of the period (%s)"), w.quantity(x.quantity), w.quantity(s)))
		}
	}
	if past, ok := h.last[x.Good]; ok && past.quantity.Sign() > 0 && past.quantity.Mul(unusual).Less(x.quantity) {
		list = append(list, fmt.Sprintf(
			w.Pick("%s — в три с лишним раза больше прошлого заказа (№ %s: %s)",
				"%s is more than three times the latest order (No. %s: %s)"), w.quantity(x.quantity),
			past.order.Name, w.quantity(past.quantity)))
		named = append(named, past.order)
	}
	return list, named
}

// shownRemarks is how many unusual quantities the consequences of a document list; all are flagged on the lines.
const shownRemarks = 5

// consequences describes the effects of the document.
func (w *orderProposal) consequences(d tool.Document, list []*orderLine) []string {
	var out []string
	lines := wording.NounLine.Count(w.Lang, len(d.Lines))
	if d.Total.Known {
		out = append(out, w.Pickf("Сумма заказа %s, %s.", "The order is worth %s, %s.", d.TotalText(w.Lang), lines))
	} else {
		out = append(out, w.Pickf("Строк: %d, сумма неполная: %s.", "Lines: %d; the sum is incomplete: %s.",
			len(d.Lines), d.TotalText(w.Lang)))
	}
	if s := w.cover(list); s != "" {
		out = append(out, s)
	}
	n := 0
	for i, l := range d.Lines {
		for _, f := range l.Flags {
			if f.Code != tool.NoticeUnusual {
				continue
			}
			if n++; n <= shownRemarks {
				out = append(out, w.Pickf("Необычно: «%s» — %s.", "Unusual: “%s”: %s.", list[i].Name, f.Message))
			}
		}
	}
	if n > shownRemarks {
		out = append(out, w.Pickf("Необычных количеств ещё %d, они отмечены в строках.",
			"More unusual quantities: %d, flagged on their lines.", n-shownRemarks))
	}
	return out
}

// cover returns for how many days stock would last with the order, over all warehouses, because the sales rate covers
// all of them.
func (w *orderProposal) cover(list []*orderLine) string {
	if w.source == shortage.RateUnknown || !w.levelsKnown {
		return ""
	}
	ordered := map[msapi.Key]decimal.Decimal{}
	for _, x := range w.lines {
		ordered[x.Good] = ordered[x.Good].Add(x.quantity)
	}
	free := map[msapi.Key]decimal.Decimal{}
	unknown := map[msapi.Key]bool{}
	for p, l := range w.levels {
		if _, ok := ordered[p.Good]; ok {
			free[p.Good] = free[p.Good].Add(l.Free()).Add(l.Transit.Decimal())
			unknown[p.Good] = unknown[p.Good] || l.Unknown
		}
	}
	days := decimal.FromInt(int64(w.period.Days()))
	var least, most decimal.Maybe
	var shortest *orderLine
	for _, x := range list {
		s := w.sold[x.Good].Quantity
		if s.Sign() <= 0 || unknown[x.Good] {
			continue
		}
		lasts := decimal.Some(free[x.Good].Add(ordered[x.Good]).Max(decimal.Zero).Mul(days).Div(s))
		if !least.Known || lasts.Less(least.Decimal) {
			least, shortest = lasts, x
		}
		if !most.Known || most.Less(lasts.Decimal) {
			most = lasts
		}
	}
	if shortest == nil {
		return ""
	}
	whole := func(m decimal.Maybe) string { return w.quantity(m.Floor(0)) }
	after := w.quantity(free[shortest.Good].Add(ordered[shortest.Good]))
	if least.Floor(0).Cmp(most.Floor(0)) == 0 {
		return w.Pickf(
			"С этим заказом товара хватит на %s дн. при нынешних продажах; «%s» станет %s "+
				"(свободно и в пути, на всех складах).",
			"With the order the goods last %s days at today's pace; “%s” comes to %s (free and expected, all "+
				"warehouses).",
			whole(least), shortest.Name, after)
	}
	return w.Pickf(
		"С этим заказом товаров хватит на %s–%s дн. при нынешних продажах; меньше всего — «%s»: "+
			"станет %s (свободно и в пути, на всех складах).",
		"With the order the goods last %s–%s days at today's pace; least “%s”, which comes to %s (free and "+
			"expected, all warehouses).",
		whole(least), whole(most), shortest.Name, after)
}

// summarize adds the notices and the answer.
func (w *orderProposal) summarize(documents []tool.Document, orphans, unpriced []string, suppliers int) {
	if len(orphans) > 0 {
		slices.Sort(orphans)
		orphans = slices.Compact(orphans)
		all := strings.Join(orphans, "; ")
		w.Notice(tool.NoticeNoSupplier,
			fmt.Sprintf("Без поставщика — %s, в заказы не вошли: %s.", wording.NounItem.Count("ru", len(orphans)), all),
			fmt.Sprintf("Without a supplier: %s, not in any order: %s.", wording.NounItem.Count("en", len(orphans)),
				all))
	}
	if len(unpriced) > 0 {
		slices.Sort(unpriced)
		unpriced = slices.Compact(unpriced)
		all := strings.Join(unpriced, "; ")
		w.Notice(tool.NoticeNoPrice,
			fmt.Sprintf("Без закупочной цены — %s, в сумму заказов не вошли: %s.",
				wording.NounItem.Count("ru", len(unpriced)), all),
			fmt.Sprintf("Without a purchase price: %s, not in the sum of the orders: %s.",
				wording.NounItem.Count("en", len(unpriced)), all))
	}
	w.Method("Количество — как в «что заканчивается» (или из списка) без товаров в пути, целыми единицами и "+
		"упаковками. Цена — закупочная; на каждую валюту отдельный документ.",
		"Quantities are those of “what is short” (or of the "+
			"list) less goods on the way, in whole units and packs. Prices are purchase prices; each currency has a "+
			"document of its own.")
	if len(documents) == 0 {
		if w.Result.Answer == "" {
			w.Result.Answer = w.Pick("Заказывать нечего: ни одного документа не подготовлено.",
				"There is nothing to order: no document was prepared.")
			if len(orphans) > 0 {
				w.Result.Answer = w.Pick("Заказов не подготовлено: у недостающих товаров не указан поставщик.",
					"No order was prepared: the goods that are short have no supplier.")
			}
			w.Result.Answer = wording.Sentences(w.Result.Answer, w.ledger.reconciled(w.currency, w.Lang), w.sentFirst())
		}
		return
	}
	sums := account.MoneyByCurrency{}
	lines, missing := 0, 0
	for _, d := range documents {
		lines += len(d.Lines)
		sum, unpriced := d.PricedSum()
		missing += unpriced
		if sum.Known {
			sums.Add(d.Currency, sum.Decimal)
		}
	}
	w.NoticeSeveral(sums)
	worth := ""
	switch {
	case len(sums) > 0 && missing > 0:
		worth = w.Pick(" не меньше чем на ", ", at least ") + sums.Text(w.currency, w.Lang)
	case len(sums) > 0:
		worth = w.Pick(" на ", ", ") + sums.Text(w.currency, w.Lang)
	}
	if missing > 0 && !w.priceHidden {
		worth += ", " + tool.UnpricedLines(missing, w.Lang)
	}
	w.Result.Answer = wording.Sentences(
		w.Pickf("Подготовлено: %s%s; всего %s, поставщиков: %d.", "Prepared: %s%s; %s in all, suppliers: %d.",
			wording.NounSupplierOrder.Count(w.Lang, len(documents)), worth, wording.NounLine.Count(w.Lang, lines),
			suppliers),
		w.ledger.reconciled(w.currency, w.Lang), w.sentFirst(),
		w.Pick("Ничего не отправлено: проверьте и подтвердите.", "Nothing was sent: check and confirm."))
}

// sentFirst says what is transferred before anything is bought.
func (w *orderProposal) sentFirst() string {
	if len(w.transfers) == 0 {
		return ""
	}
	lines := 0
	for _, d := range w.transfers {
		lines += len(d.Lines)
	}
	return w.Pickf("Перемещений с других складов: %d, %s.", "Transfers from other warehouses: %d, %s.",
		len(w.transfers), wording.NounLine.Count(w.Lang, lines))
}
