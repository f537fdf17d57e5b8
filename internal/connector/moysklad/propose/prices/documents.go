package prices

import (
	"fmt"
	"maps"
	"slices"

	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/connector/moysklad/propose/catalogue"
	"github.com/stockhand/stockhand/internal/connector/moysklad/wording"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

// priceLine is a line of a price change; amounts are in main units of its currency.
type priceLine struct {
	*catalogue.Card
	old           decimal.Maybe
	price         decimal.Decimal
	currency      string
	cost          decimal.Maybe
	fromBuy       bool // the cost is the purchase price
	before, after decimal.Maybe
	flags         []tool.Notice
}

// documents creates one document per currency and thousand lines.
func (w *proposal) documents() []tool.Document {
	byCurrency := map[string][]*priceLine{}
	for _, g := range w.goods {
		if x := w.reprice(g); x != nil {
			byCurrency[x.currency] = append(byCurrency[x.currency], x)
		}
	}
	var documents []tool.Document
	for _, currency := range slices.Sorted(maps.Keys(byCurrency)) {
		all := byCurrency[currency]
		for part := range slices.Chunk(all, account.LinesPerDocument) {
			priceType := w.priceType
			d := tool.Document{Kind: tool.PriceChange, Reason: w.why(), PriceType: &priceType, Currency: currency,
				CurrencyID: w.currencyID(currency)}
			d.Title = w.Pickf("Цены «%s»: %s", "Prices “%s”: %s", w.priceType.Name,
				wording.NounItem.Count(w.Lang, len(part)))
			for _, x := range part {
				d.Lines = append(d.Lines, w.line(x))
			}
			d.Consequences = w.consequences(part)
			documents = append(documents, d)
		}
	}
	if len(documents) > 1 {
		for i := range documents {
			documents[i].Title += w.Pickf(" (%d из %d)", " (%d of %d)", i+1, len(documents))
		}
	}
	return documents
}

// currencyID returns the ID of a currency, or "" for the account currency.
func (w *proposal) currencyID(code string) string {
	if code == w.currency {
		return ""
	}
	for id, c := range w.of {
		if c == code {
			return string(id)
		}
	}
	return ""
}

// reprice computes a line, or records why it cannot and returns nil.
func (w *proposal) reprice(g *catalogue.Card) *priceLine {
	present := w.present(g)
	x := &priceLine{Card: g, currency: account.Iso(present.Currency, w.currency, w.of)}
	if present.Value.Known && present.Value.Sign() > 0 { // zero means that no price is set
		x.old = decimal.Some(present.Value.Major())
	}
	if x.currency == "" && w.currency != "" { // the currency is hidden
		w.notComputable = append(w.notComputable, g.Name)
		return nil
	}
	raw, ok := w.wanted(g, x, present.Currency)
	if !ok {
		return nil
	}
	x.price = raw
	if w.asked == nil && w.in.Price == nil || w.in.Round != nil {
		x.price = w.rounding.apply(raw, x.old)
	}
	if x.price = x.price.Round(2); !w.bound(x, present.Currency) {
		return nil
	}
	switch {
	case !x.price.Valid() || x.price.Sign() <= 0:
		w.notComputable = append(w.notComputable, g.Name)
		return nil
	case x.old.Known && x.old.Cmp(x.price) == 0:
		w.unchanged++
		return nil
	}
	w.addMargins(x, present.Currency)
	return x
}

// roundsOnly reports whether prices are only rounded.
func (w *proposal) roundsOnly() bool {
	return w.in.Percent == nil && w.in.Markup == nil && w.in.Margin == nil && w.in.Price == nil && w.asked == nil &&
		w.in.Amount == nil
}

// present returns the price that would change; its value is unknown if it is hidden.
func (w *proposal) present(g *catalogue.Card) msapi.Price {
	if w.priceType.ID == buyPriceID {
		return g.BuyPrice
	}
	for _, p := range g.SalePrices {
		if string(p.PriceType.ID) == w.priceType.ID {
			return p.Price
		}
	}
	return msapi.Price{}
}

// wanted returns the new price before rounding.
func (w *proposal) wanted(g *catalogue.Card, x *priceLine, currency msapi.Ref) (decimal.Decimal, bool) {
	if w.asked != nil {
		return w.asked[g.ID.Key()], true
	}
	if w.in.Price != nil {
		return *w.in.Price, true
	}
	if !x.old.Known {
		w.unset = append(w.unset, g.Name)
		return decimal.Zero, false
	}
	if w.in.Amount != nil {
		return x.old.Add(*w.in.Amount), true
	}
	if w.roundsOnly() {
		return x.old.Decimal, true
	}
	if w.in.Percent != nil {
		return x.old.Mul(decimal.Hundred.Add(*w.in.Percent)).Div(decimal.Hundred), true
	}
	buy, of := g.Buy()
	if !buy.Known {
		w.unpriced = append(w.unpriced, g.Name)
		return decimal.Zero, false
	}
	base, ok := w.convert(buy.Decimal, of, currency)
	if !ok {
		w.notComputable = append(w.notComputable, g.Name)
		return decimal.Zero, false
	}
	if w.in.Markup != nil {
		return base.Mul(decimal.Hundred.Add(*w.in.Markup)).Div(decimal.Hundred), true
	}
	return base.Mul(decimal.Hundred).Div(decimal.Hundred.Sub(*w.in.Margin)), true
}

// convert converts an amount between currencies with the account's exchange rates.
func (w *proposal) convert(amount decimal.Decimal, from, to msapi.Ref) (decimal.Decimal, bool) {
	if account.Iso(from, w.currency, w.of) == account.Iso(to, w.currency, w.of) {
		return amount, true
	}
	rate := func(r msapi.Ref) (decimal.Decimal, bool) {
		if r.ID == "" || account.Iso(r, w.currency, w.of) == w.currency {
			return decimal.One, true
		}
		d, ok := w.rates[r.ID]
		return d, ok
	}
	a, known := rate(from)
	b, also := rate(to)
	if !known || !also {
		return decimal.Zero, false
	}
	w.converted = true
	return amount.Mul(a).Div(b), true
}

// costOf returns the cost of a good and its currency, which is the account's if it is empty. Where the stock has no
// cost, it is the purchase price.
func (w *proposal) costOf(g *catalogue.Card) (cost decimal.Maybe, currency msapi.Ref, fromBuy bool) {
	if c, known := w.cost[g.ID.Key()]; known {
		return decimal.Some(c), currency, false
	}
	cost, currency = g.Buy()
	return cost, currency, true
}

// addMargins adds margins and flags to a line whose cost is known.
func (w *proposal) addMargins(x *priceLine, currency msapi.Ref) {
	money := func(d decimal.Decimal) string { return tool.FormatMoney(d, x.currency, w.Lang) }
	flag := func(code tool.NoticeCode, ru, en string) {
		x.flags = append(x.flags, tool.Notice{Code: code, Message: w.Pick(ru, en)})
	}
	if x.old.Known && (x.old.Mul(decimal.FromInt(2)).Less(x.price) ||
		x.price.Mul(decimal.FromInt(2)).Less(x.old.Decimal)) {
		by := changeText(x, w)
		flag(tool.NoticeUnusual, "изменение больше чем вдвое: "+by, "changed more than twofold: "+by)
	}
	if w.priceType.ID == buyPriceID {
		return
	}
	cost, from, fromBuy := w.costOf(x.Card)
	if x.fromBuy = fromBuy; cost.Known {
		if c, ok := w.convert(cost.Decimal, from, currency); ok {
			x.cost = decimal.Some(c.Round(2))
			if x.old.Known {
				x.before = account.Share(x.old.Sub(x.cost.Decimal), x.old.Decimal)
			}
			x.after = account.Share(x.price.Sub(x.cost.Decimal), x.price)
		}
	}
	if x.cost.Known && x.price.Less(x.cost.Decimal) {
		what := [2]string{"себестоимости", "the cost"}
		if x.fromBuy {
			what = [2]string{"закупочной цены", "the purchase price"}
		}
		flag(tool.NoticeBelowCost, "ниже "+what[0]+" "+money(x.cost.Decimal), "below "+what[1]+" of "+
			money(x.cost.Decimal))
	}
	least := x.MinPrice
	if !least.Value.Known {
		least = x.Root().MinPrice
	}
	if least.Value.Known && least.Value.Sign() > 0 {
		if c, ok := w.convert(least.Value.Major(), least.Currency, currency); ok && x.price.Less(c) {
			flag(tool.NoticeBelowMinPrice, "ниже минимальной цены "+money(c), "below the minimum price of "+money(c))
		}
	}
}

func (w *proposal) line(x *priceLine) tool.Line {
	l := tool.Line{
		Product: x.Ref(), Price: decimal.Some(x.price), OldPrice: x.old, Cost: x.cost, Flags: x.flags,
		Seen: tool.Seen{Price: x.old, Updated: x.Updated},
	}
	money := func(d decimal.Decimal) string { return tool.FormatMoney(d, x.currency, w.Lang) }
	if x.old.Known {
		l.Reason = fmt.Sprintf("%s → %s (%s)", money(x.old.Decimal), money(x.price), changeText(x, w))
	} else {
		l.Reason = w.Pickf("цены не было → %s", "no price so far → %s", money(x.price))
	}
	if x.after.Known {
		basis := w.Pick("по себестоимости", "by cost")
		if x.fromBuy {
			basis = w.Pick("по закупочной цене", "by purchase price")
		}
		if x.before.Known {
			l.Reason += w.Pickf(", маржа %s → %s (%s)", ", margin %s → %s (%s)",
				wording.Percent(x.before.Decimal, w.Lang), wording.Percent(x.after.Decimal, w.Lang), basis)
		} else {
			l.Reason += w.Pickf(", маржа %s (%s)", ", margin %s (%s)", wording.Percent(x.after.Decimal, w.Lang), basis)
		}
	}
	return l
}
