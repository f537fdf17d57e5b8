package moysklad

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

func (w *carrying) documents(hauls []haul, entity msapi.Organization) []tool.Document {
	slices.SortFunc(hauls, func(x, y haul) int {
		return cmp.Or(strings.Compare(fold(w.names[x.target]), fold(w.names[y.target])),
			strings.Compare(fold(w.names[x.source]), fold(w.names[y.source])),
			compareKeys(x.target, y.target), compareKeys(x.source, y.source))
	})
	taken := map[place]decimal.Decimal{} // by the documents so far
	brought := map[place]decimal.Decimal{}
	var documents []tool.Document
	for _, h := range hauls {
		slices.SortFunc(h.lines, func(x, y portion) int {
			return cmp.Or(strings.Compare(fold(w.cards[x.good].Name), fold(w.cards[y.good].Name)),
				compareKeys(x.good, y.good))
		})
		for lines := range slices.Chunk(h.lines, mostLines) {
			d := tool.Document{
				Kind: tool.Transfer,
				Title: fmt.Sprintf(
					w.pick("Перемещение со склада «%s» на склад «%s»", "Transfer from the warehouse “%s” to “%s”"),
					w.names[h.source], w.names[h.target]),
				Reason: fmt.Sprintf(w.pick("нехватка на складе «%s»: %s", "short in the warehouse “%s”: %s"),
					w.names[h.target], nounItem.count(w.l, len(lines))),
				Organization: &tool.Ref{Type: "organization", ID: string(entity.ID), Name: entity.Name},
				Store:        &tool.Ref{Type: "store", ID: string(h.source.ID()), Name: w.names[h.source]},
				Target:       &tool.Ref{Type: "store", ID: string(h.target.ID()), Name: w.names[h.target]},
			}
			for _, x := range lines {
				from := place{x.good, h.source}
				taken[from], brought[x.place] = taken[from].Add(x.amount), brought[x.place].Add(x.amount)
				d.Lines = append(d.Lines, w.line(x, from, w.levels[from].free().Sub(taken[from])))
			}
			d.Consequences = w.consequences(h, lines, taken, brought)
			documents = append(documents, d)
		}
	}
	return documents
}

func (w *carrying) line(x portion, from place, left decimal.Decimal) tool.Line {
	g, s := w.cards[x.good], w.lacking[x.place]
	l := tool.Line{
		Product: g.ref(), Quantity: decimal.Some(x.amount), Unit: w.units[x.good], Whole: w.whole[x.good],
		Seen: seenAt(w.levels, true, from),
	}
	l.Seen.Minimum, l.Seen.Updated = g.minimumIn(from.store), g.Updated
	if w.paced {
		l.Seen.Daily = decimal.Some(w.daily(from).Round(3))
	}
	var there []string
	if s.belowMinimum {
		there = append(there, fmt.Sprintf(w.pick("ниже минимума: %s из %s", "below the minimum: %s of %s"),
			w.quantity(s.free), w.quantity(s.minimum.Decimal)))
	}
	if s.lasts.Known {
		there = append(there, w.pick("хватит на ", "lasts ")+w.quantity(s.lasts.Round(1))+w.pick(" дн.", " days"))
	}
	if s.daily.Known {
		there = append(there, w.pick("продажи "+w.quantity(s.daily.Round(2))+" в день",
			"sales "+w.quantity(s.daily.Round(2))+" a day"))
	}
	keep, _ := w.keep(from)
	l.Reason = strings.Join(there, ", ") +
		fmt.Sprintf(w.pick("; на «%s» свободно %s, останется %s, нужно самим %s",
			"; “%s” has %s free, keeps %s and needs %s itself"),
			w.names[from.store], w.quantity(w.levels[from].free()), w.quantity(left), w.quantity(keep.Ceil(2)))
	return l
}

// consequences says in words what a transfer leads to at both ends.
func (w *carrying) consequences(h haul, lines []portion, taken, brought map[place]decimal.Decimal) []string {
	whole := 0
	var least decimal.Maybe
	var scarcest *card
	for _, x := range lines {
		if !brought[x.place].Less(w.lack(w.lacking[x.place])) {
			whole++
		}
		from := place{x.good, h.source}
		left := w.levels[from].free().Sub(taken[from])
		if d := w.daily(from); w.paced && d.Sign() > 0 {
			if lasts := decimal.Some(left.Div(d)); !least.Known || lasts.Less(least.Decimal) {
				least, scarcest = lasts, w.cards[x.good]
			}
		}
	}
	out := []string{fmt.Sprintf(w.pick("На «%s» нехватка закрывается полностью по %d из %d строк.",
		"“%s”: %d of %d rows are then no longer short."), w.names[h.target], whole, len(lines))}
	if scarcest != nil {
		return append(out, fmt.Sprintf(w.pick(
			"На «%s» новой нехватки нет: остатка хватит не меньше чем на %s дн. («%s»).",
			"“%s” does not become short: its stock lasts %s days at least (“%s”)."),
			w.names[h.source], w.quantity(least.Floor(0)), scarcest.Name))
	}
	return append(out, fmt.Sprintf(w.pick("На «%s» новой нехватки нет.", "“%s” does not become short."),
		w.names[h.source]))
}

// mostNamed is how many unserved rows a notice names.
const mostNamed = 12

// tell writes the notices and the answer.
func (w *carrying) tell(documents []tool.Document, deficits []portion, hauls []haul) {
	w.method(
		"Нехватка склада — как в «что заканчивается» по этому складу. Излишек — свободный остаток (остаток − резерв) сверх большего из своего минимума и своих продаж за горизонт; товары в пути излишком не считаются. Берётся пара складов, закрывающая больше строк, и так далее.",
		"What a warehouse lacks is what “what is short” tells of it. A surplus is free stock (stock − reserve) above the larger of its own minimum and its own sales of the horizon; goods on the way are none. The pair of warehouses that closes most rows goes first, and so on.")
	served := map[place]decimal.Decimal{}
	lines := 0
	for _, h := range hauls {
		lines += len(h.lines)
		for _, x := range h.lines {
			served[x.place] = served[x.place].Add(x.amount)
		}
	}
	var left []string
	for _, x := range deficits {
		if rest := x.amount.Sub(served[x.place]); rest.Sign() > 0 {
			left = append(left, fmt.Sprintf(w.pick("«%s» на «%s» — %s", "“%s” in “%s”: %s"), w.cards[x.good].Name,
				w.names[x.store], w.quantity(rest)))
		}
	}
	slices.Sort(left)
	if n := len(left); n > 0 {
		all := strings.Join(left[:min(n, mostNamed)], "; ")
		if n > mostNamed {
			all += fmt.Sprintf(w.pick(" и ещё %d", " and %d more"), n-mostNamed)
		}
		w.notice(tool.NoticePartial,
			"Излишков не хватает: "+all+".", "Not enough to spare: "+all+".")
	}
	switch {
	case len(documents) > 0:
		w.result.Answer = sentences(
			fmt.Sprintf(w.pick("Подготовлено перемещений: %d, %s.", "Transfers prepared: %d, %s."), len(documents),
				nounLine.count(w.l, lines)),
			fmt.Sprintf(w.pick("Нехваток: %d, останутся незакрытыми: %d.",
				"Rows short: %d, still short afterwards: %d."), len(deficits), len(left)),
			w.pick("Ничего не отправлено: проверьте и подтвердите.", "Nothing was sent: check and confirm."))
	case len(deficits) == 0:
		w.notice(tool.NoticeEmpty, "Ни на одном из складов ничего не заканчивается.",
			"Nothing is short in any of the warehouses.")
		w.result.Answer = w.pick("Перемещать нечего: нехватки на складах нет.",
			"There is nothing to transfer: no warehouse is short.")
	default:
		w.result.Answer = w.pick("Перемещать нечего: излишков тех товаров, которых не хватает, нет.",
			"There is nothing to transfer: nothing that is short can be spared elsewhere.")
	}
}
