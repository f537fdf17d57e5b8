package propose

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/connector/moysklad/propose/catalogue"
	"github.com/stockhand/stockhand/internal/connector/moysklad/wording"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

func (w *transferProposal) documents(hauls []transfer, entity msapi.Organization) []tool.Document {
	slices.SortFunc(hauls, func(x, y transfer) int {
		return cmp.Or(strings.Compare(wording.Fold(w.names[x.target]), wording.Fold(w.names[y.target])),
			strings.Compare(wording.Fold(w.names[x.source]), wording.Fold(w.names[y.source])),
			compareKeys(x.target, y.target), compareKeys(x.source, y.source))
	})
	taken := map[account.StockKey]decimal.Decimal{} // by the documents so far
	brought := map[account.StockKey]decimal.Decimal{}
	var documents []tool.Document
	for _, h := range hauls {
		slices.SortFunc(h.lines, func(x, y portion) int {
			return cmp.Or(strings.Compare(wording.Fold(w.cards[x.Good].Name), wording.Fold(w.cards[y.Good].Name)),
				compareKeys(x.Good, y.Good))
		})
		for lines := range slices.Chunk(h.lines, account.LinesPerDocument) {
			d := tool.Document{
				Kind: tool.Transfer,
				Title: fmt.Sprintf(
					w.Pick("Перемещение со склада %s на склад %s", "Transfer from the warehouse %s to %s"),
					wording.InQuotes(w.names[h.source], w.Lang), wording.InQuotes(w.names[h.target], w.Lang)),
				Reason: w.Pickf("нехватка на складе «%s»: %s", "short in the warehouse “%s”: %s", w.names[h.target],
					wording.NounItem.Count(w.Lang, len(lines))),
				Organization: &tool.Ref{Type: "organization", ID: string(entity.ID), Name: entity.Name},
				Store:        &tool.Ref{Type: "store", ID: string(h.source.ID()), Name: w.names[h.source]},
				Target:       &tool.Ref{Type: "store", ID: string(h.target.ID()), Name: w.names[h.target]},
			}
			for _, x := range lines {
				from := account.StockKey{Good: x.Good, Store: h.source}
				taken[from], brought[x.StockKey] = taken[from].Add(x.amount), brought[x.StockKey].Add(x.amount)
				d.Lines = append(d.Lines, w.line(x, from, w.levels[from].Free().Sub(taken[from])))
			}
			d.Consequences = w.consequences(h, lines, taken, brought)
			documents = append(documents, d)
		}
	}
	return documents
}

func (w *transferProposal) line(x portion, from account.StockKey, left decimal.Decimal) tool.Line {
	g, s := w.cards[x.Good], w.lacking[x.StockKey]
	l := tool.Line{
		Product: g.Ref(), Quantity: decimal.Some(x.amount), Unit: w.units[x.Good], Whole: w.whole[x.Good],
		Seen: seenAt(w.levels, true, from),
	}
	l.Seen.Minimum, l.Seen.Updated = g.MinimumIn(from.Store), g.Updated
	if w.rateKnown {
		l.Seen.Daily = decimal.Some(w.daily(from).Round(3))
	}
	var there []string
	if s.UnderMinimum() {
		there = append(there, w.Pickf("ниже минимума: %s из %s", "below the minimum: %s of %s",
			w.quantity(s.Level.Free()), w.quantity(s.Minimum.Decimal)))
	}
	if s.Lasts.Known {
		there = append(there, w.Pick("хватит на ", "lasts ")+w.quantity(s.Lasts.Round(1))+w.Pick(" дн.", " days"))
	}
	if daily := s.PerDay(w.period); daily.Known {
		there = append(there, w.Pick("продажи "+w.quantity(daily.Round(2))+" в день",
			"sales "+w.quantity(daily.Round(2))+" a day"))
	}
	keep, _ := w.keep(from)
	l.Reason = strings.Join(there, ", ") +
		w.Pickf("; на «%s» свободно %s, останется %s, нужно самим %s",
			"; “%s” has %s free, keeps %s and needs %s itself", w.names[from.Store], w.quantity(w.levels[from].Free()),
			w.quantity(left), w.quantity(keep.Ceil(2)))
	return l
}

// consequences describes the effects of a transfer on both warehouses.
func (w *transferProposal) consequences(h transfer, lines []portion, taken,
	brought map[account.StockKey]decimal.Decimal) []string {
	whole := 0
	var least decimal.Maybe
	var shortest *catalogue.Card
	for _, x := range lines {
		if !brought[x.StockKey].Less(w.lack(w.lacking[x.StockKey])) {
			whole++
		}
		from := account.StockKey{Good: x.Good, Store: h.source}
		left := w.levels[from].Free().Sub(taken[from])
		if d := w.daily(from); w.rateKnown && d.Sign() > 0 {
			if lasts := decimal.Some(left.Div(d)); !least.Known || lasts.Less(least.Decimal) {
				least, shortest = lasts, w.cards[x.Good]
			}
		}
	}
	out := []string{w.Pickf("На «%s» нехватка закроется полностью: строк %d из %d.",
		"“%s”: %d of %d rows are then no longer short.", w.names[h.target], whole, len(lines))}
	if shortest != nil {
		return append(out, w.Pickf("На «%s» новой нехватки нет: остатка хватит не меньше чем на %s дн. («%s»).",
			"“%s” does not become short: its stock lasts %s days at least (“%s”).", w.names[h.source],
			w.quantity(least.Floor(0)), shortest.Name))
	}
	return append(out, w.Pickf("На «%s» новой нехватки нет.", "“%s” does not become short.", w.names[h.source]))
}

// summarize adds the notices and the answer.
func (w *transferProposal) summarize(documents []tool.Document, deficits []portion, hauls []transfer) {
	w.Method("Нехватка — как в «что заканчивается» по складу; излишек — свободное сверх большего из минимума и "+
		"продаж за горизонт, без товаров в пути. Первой идёт пара складов, закрывающая больше строк.",
		"What is lacking is as in “what is short” of the warehouse; a surplus is free stock above the larger of its "+
			"minimum and its sales of the horizon, without goods on the way. The pair of warehouses that closes most "+
			"rows goes first.")
	served := map[account.StockKey]decimal.Decimal{}
	lines := 0
	for _, h := range hauls {
		lines += len(h.lines)
		for _, x := range h.lines {
			served[x.StockKey] = served[x.StockKey].Add(x.amount)
		}
	}
	var left []string
	for _, x := range deficits {
		if rest := x.amount.Sub(served[x.StockKey]); rest.Sign() > 0 {
			left = append(left, w.Pickf("«%s» на «%s» — %s", "“%s” in “%s”: %s", w.cards[x.Good].Name,
				w.names[x.Store], w.quantity(rest)))
		}
	}
	if len(left) > 0 {
		all := w.ListNames(left)
		w.Notice(tool.NoticePartial, "Излишков не хватает: "+all+".", "Not enough to spare: "+all+".")
	}
	switch {
	case len(documents) > 0:
		w.Result.Answer = wording.Sentences(
			w.Pickf("Подготовлено перемещений: %d, %s.", "Transfers prepared: %d, %s.", len(documents),
				wording.NounLine.Count(w.Lang, lines)),
			w.Pickf("Нехваток: %d, останутся незакрытыми: %d.", "Rows short: %d, still short afterwards: %d.",
				len(deficits), len(left)),
			w.Pick("Ничего не отправлено: проверьте и подтвердите.", "Nothing was sent: check and confirm."))
	case len(deficits) == 0:
		w.Notice(tool.NoticeEmpty, "Ни на одном из складов ничего не заканчивается.",
			"Nothing is short in any of the warehouses.")
		w.Result.Answer = w.Pick("Перемещать нечего: нехватки на складах нет.",
			"There is nothing to transfer: no warehouse is short.")
	default:
		w.Result.Answer = w.Pick("Перемещать нечего: излишков тех товаров, которых не хватает, нет.",
			"There is nothing to transfer: nothing that is short can be spared elsewhere.")
	}
}
