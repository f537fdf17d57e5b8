package prices

import (
	"fmt"
	"strings"

	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/connector/moysklad/wording"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

// changeText formats a change in percent with its sign: "+7,0 %".
func changeText(x *priceLine, w *proposal) string {
	by := account.Share(x.price.Sub(x.old.Decimal), x.old.Decimal)
	return signed(by.Decimal, w)
}

func signed(by decimal.Decimal, w *proposal) string {
	text := wording.Percent(by.Round(1), w.Lang)
	if by.Round(1).Sign() > 0 {
		return "+" + text
	}
	return text
}

// how describes the calculation of the prices.
func (w *proposal) how() string {
	number := func(d decimal.Decimal) string { return tool.FormatQuantity(d, w.Lang) }
	switch {
	case w.in.Percent != nil:
		sign := ""
		if w.in.Percent.Sign() > 0 {
			sign = "+"
		}
		return sign + number(*w.in.Percent) + w.Pick(" % к нынешней цене", "% on the present price")
	case w.in.Markup != nil:
		return w.Pickf("наценка %s %% на закупочную цену", "a markup of %s%% on the purchase price",
			number(*w.in.Markup))
	case w.in.Margin != nil:
		return w.Pickf("маржа %s %% к закупочной цене", "a margin of %s%% over the purchase price",
			number(*w.in.Margin))
	}
	switch {
	case w.in.Amount != nil:
		sign := ""
		if w.in.Amount.Sign() > 0 {
			sign = "+"
		}
		return sign + tool.FormatMoney(*w.in.Amount, "", w.Lang) + w.Pick(" к нынешней цене", " on the present price")
	case w.roundsOnly():
		return w.rounded()
	case w.in.Price != nil:
		return w.Pickf("новая цена %s", "new price %s", tool.FormatMoney(*w.in.Price, "", w.Lang))
	}
	return w.Pick("по списку", "as listed")
}

// rounded describes the rounding that the arguments name; "" without one.
func (w *proposal) rounded() string {
	in := w.in.Round
	if in == nil {
		return ""
	}
	text := ""
	switch {
	case in.To != nil:
		text = w.Pickf("округление до %s", "rounded to %s", tool.FormatMoney(*in.To, "", w.Lang))
	case in.Ending != "":
		text = w.Pickf("последние цифры %s", "last digits %s", in.Ending)
	default:
		text = w.Pick("округление", "rounded")
	}
	switch in.Direction {
	case roundUp:
		text += w.Pick(" вверх", " up")
	case roundDown:
		text += w.Pick(" вниз", " down")
	case roundNearest:
	}
	return text
}

// why is [proposal.how] with the rounding, the goods that it is for, and the conditions.
func (w *proposal) why() string {
	parts := []string{w.how()}
	if text := w.rounded(); text != "" && !w.roundsOnly() {
		parts = append(parts, text)
	}
	for _, part := range []string{w.boundsText(), w.goodsNamed(), w.conditions()} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, "; ")
}

// goodsNamed describes the goods that the arguments name; "" if a list does.
func (w *proposal) goodsNamed() string {
	in := w.in
	var parts []string
	if in.RowsOf != nil {
		parts = append(parts, in.RowsOf.Describe(w.Call))
	} else if n := len(in.Products); n > 0 && len(w.scope.Goods) > 0 {
		var names []string
		for _, g := range w.scope.Goods {
			names = append(names, g.Name)
		}
		parts = append(parts, w.ListNames(names))
	}
	if folders := len(w.scope.Folders); folders > 0 && len(in.Groups) > 0 {
		var names []string
		for _, f := range w.scope.Folders {
			names = append(names, f.Name)
		}
		parts = append(parts, w.Pick("группа ", "group ")+w.ListNames(names))
	}
	if len(in.Suppliers) > 0 {
		var names []string
		for _, x := range w.scope.Suppliers {
			names = append(names, x.Name)
		}
		parts = append(parts, w.Pick("поставщик ", "supplier ")+w.ListNames(names))
	}
	if in.Everything && len(in.Where) == 0 && in.Except == nil {
		parts = append(parts, w.Pick("все товары", "all goods"))
	}
	return strings.Join(parts, ", ")
}

// consequences describes the effects of the change.
func (w *proposal) consequences(list []*priceLine) []string {
	up, down, fresh, belowCost, belowMin := 0, 0, 0, 0, 0
	var least, most, before, after decimal.Maybe
	margins := 0
	for _, x := range list {
		switch {
		case !x.old.Known:
			fresh++
		case x.old.Less(x.price):
			up++
		default:
			down++
		}
		if x.old.Known {
			by := account.Share(x.price.Sub(x.old.Decimal), x.old.Decimal)
			if !least.Known || by.Less(least.Decimal) {
				least = by
			}
			if !most.Known || most.Less(by.Decimal) {
				most = by
			}
		}
		if x.before.Known && x.after.Known {
			margins++
			before, after = decimal.Some(before.Add(x.before.Decimal)), decimal.Some(after.Add(x.after.Decimal))
		}
		for _, f := range x.flags {
			switch f.Code {
			case tool.NoticeBelowCost:
				belowCost++
			case tool.NoticeBelowMinPrice:
				belowMin++
			}
		}
	}
	first := w.Pickf("Дороже — %d, дешевле — %d", "Dearer: %d, cheaper: %d", up, down)
	if fresh > 0 {
		first += w.Pickf(", впервые с ценой — %d", ", priced for the first time: %d", fresh)
	}
	if least.Known {
		first += w.Pickf("; изменение от %s до %s", "; changes from %s to %s", signed(least.Decimal, w),
			signed(most.Decimal, w))
	}
	out := []string{first + "."}
	if margins > 0 {
		n := decimal.FromInt(int64(margins))
		out = append(out, w.Pickf("Средняя маржа по строкам %s → %s (известна у %d из %d).",
			"The average margin of the lines is %s → %s (known for %d of %d).", wording.Percent(before.Div(n), w.Lang),
			wording.Percent(after.Div(n), w.Lang), margins, len(list)))
	}
	if belowCost > 0 {
		out = append(out, w.Pickf("Ниже себестоимости или закупочной цены: %d.",
			"Below cost or the purchase price: %d.", belowCost))
	}
	if belowMin > 0 {
		out = append(out, w.Pickf("Ниже минимальной цены: %d.", "Below the minimum price: %d.", belowMin))
	}
	return out
}

// summarize adds the notices and the answer.
func (w *proposal) summarize(documents []tool.Document) {
	w.Method("Маржа = (цена − себестоимость) ÷ цена; где в «Остатках» нет себестоимости, взята закупочная цена. "+
		"Комплекты и услуги не меняются.", "Margin = (price − cost) ÷ price, with the purchase price where the stock "+
		"report has no cost. Bundles and services are not changed.")
	w.leftOut()
	w.noticeBounds()
	lines, fromBuy, known, belowCost, belowMin := 0, 0, 0, 0, 0
	for _, d := range documents {
		lines += len(d.Lines)
		for _, l := range d.Lines {
			if l.Cost.Known {
				known++
				if _, ok := w.cost[msapi.ID(l.Product.ID).Key()]; !ok {
					fromBuy++
				}
			}
			for _, f := range l.Flags {
				switch f.Code {
				case tool.NoticeBelowCost:
					belowCost++
				case tool.NoticeBelowMinPrice:
					belowMin++
				}
			}
		}
	}
	if lines == 0 {
		w.Notice(tool.NoticeEmpty, "Ни одна цена не меняется.", "No price changes.")
		if len(w.in.Where) > 0 && len(w.goods) == 0 {
			w.Result.Answer = w.Pickf("Менять нечего: из %s ни один не подходит под условие (%s).",
				"There is nothing to change: of %s, none meets the condition (%s).",
				wording.NounItemOf.Count(w.Lang, w.considered), w.conditions())
			return
		}
		w.Result.Answer = w.Pickf("Менять нечего: ни одна цена из выбранных не изменится (%s).",
			"There is nothing to change: none of the chosen prices would be another (%s).", w.why())
		return
	}
	w.margins(lines, known, fromBuy)
	if w.in.Round == nil && w.asked == nil && w.in.Price == nil {
		w.Notice(tool.NoticeAssumption, "Округление не задано: целые цены округлены до целых, остальные — до сотых.",
			"No rounding was named: whole prices are rounded to whole ones, the others to hundredths.")
	}
	var warn []string
	if belowCost > 0 {
		warn = append(warn, w.Pick("ниже себестоимости или закупки", "below cost or purchase price")+
			fmt.Sprintf(": %d", belowCost))
	}
	if belowMin > 0 {
		warn = append(warn, w.Pick("ниже минимальной цены", "below the minimum price")+fmt.Sprintf(": %d", belowMin))
	}
	warning := ""
	if len(warn) > 0 {
		warning = w.Pick("Внимание — ", "Attention: ") + strings.Join(warn, ", ") + "."
	}
	w.Result.Answer = wording.Sentences(
		w.Pickf("Подготовлено изменение цен «%s»: %s, %s.", "A change of prices “%s” is prepared: %s, %s.",
			w.priceType.Name, wording.NounItem.Count(w.Lang, lines), w.why()),
		warning,
		w.Pick("Ничего не отправлено: проверьте и подтвердите.", "Nothing was sent: check and confirm."))
}

// margins adds notices about what margins are based on and what could not be computed (rule R16).
func (w *proposal) margins(lines, known, fromBuy int) {
	if w.priceType.ID == buyPriceID {
		return
	}
	if !w.Rights.Has(account.RightCost) {
		if known == 0 {
			w.Missing(account.SectionCost, "маржа не посчитана, цены ниже себестоимости не отмечены",
				"margins are not computed and prices below cost are not flagged")
			return
		}
		w.Missing(account.SectionCost, "себестоимость не видна", "cost is not visible")
	}
	if fromBuy > 0 {
		w.Notice(tool.NoticeCostFromPrice,
			fmt.Sprintf("Маржа посчитана от закупочной цены у %s: себестоимость не видна или неизвестна.",
				wording.NounItemOf.Count("ru", fromBuy)),
			fmt.Sprintf("The margin of %s is computed from the purchase price: the cost is not visible or not known.",
				wording.NounItem.Count("en", fromBuy)))
	}
	if known > 0 && known < lines {
		w.Notice(tool.NoticeCostPartial,
			fmt.Sprintf("У %s нет ни себестоимости, ни закупочной цены: маржа неизвестна.",
				wording.NounItemOf.Count("ru", lines-known)),
			fmt.Sprintf("%s have neither cost nor purchase price: their margin is not known.",
				wording.NounItem.Count("en", lines-known)))
	}
}

// leftOut adds notices about the goods that are not changed, with the reasons.
func (w *proposal) leftOut() {
	names := w.ListNames
	if w.unchanged > 0 {
		w.Notice(tool.NoticeAssumption,
			fmt.Sprintf("Цена не меняется у %s: они в документ не вошли.", wording.NounItemOf.Count("ru", w.unchanged)),
			fmt.Sprintf("The price of %s stays as it is: they are not in the document.",
				wording.NounItem.Count("en", w.unchanged)))
	}
	if n := len(w.inherited); n > 0 {
		w.Noticef(tool.NoticeAssumption,
			"Модификации, у которых все цены как у их товара, отдельно не записываются (%d): они "+
				"показывают цену товара. Это: %s.",
			"Variants whose prices are all those of their product are not written (%d): they show the "+
				"product's price. These are: %s.",
			n, names(w.inherited))
	}
	if n := len(w.unset); n > 0 {
		w.Notice(tool.NoticeNoPrice,
			fmt.Sprintf("Цена «%s» не задана у %s, они не меняются: %s.", w.priceType.Name,
				wording.NounItemOf.Count("ru", n),
				names(w.unset)),
			fmt.Sprintf("The price “%s” is not set for %s, which do not change: %s.", w.priceType.Name,
				wording.NounItem.Count("en", n), names(w.unset)))
	}
	if n := len(w.unpriced); n > 0 {
		w.Noticef(tool.NoticeNoPrice, "Без закупочной цены считать не от чего, не меняются (%d): %s.",
			"Without a purchase price there is nothing to compute from, not changed (%d): %s.", n, names(w.unpriced))
	}
	if n := len(w.notComputable); n > 0 {
		w.Noticef(tool.NoticeCurrency, "Цену посчитать нельзя (курс валюты неизвестен), не меняются (%d): %s.",
			"The price cannot be computed (the rate of its currency is unknown), not changed (%d): %s.", n,
			names(w.notComputable))
	}
	if w.converted {
		w.Notice(tool.NoticeCurrency, "Цены и себестоимость в разных валютах сопоставлены по курсу аккаунта.",
			"Prices and costs of different currencies were compared at the account's own rates.")
	}
}
