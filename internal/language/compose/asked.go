package compose

import (
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/tool"
	"github.com/stockhand/stockhand/internal/words"
)

var (
	buyingStems = stemSet("покупает покупают покупал покупала покупали купил купила купили берет берут брал брала брали " +
		"заказывает заказывают заказывал приобретает приобрел приобрели buys buy bought buying purchased orders")
	pricier = words.Set("дороже дешевле дорого дешево cheaper dearer cheapest priciest")
	asking  = words.Set("сколько кто кому что какой какая какие какова каков где когда what who whom how which")
	whose   = words.Set("где которые которых которым которой у с со только лишь оставь из only where those with whose keep just")
)

// whoBuys shows customers where a task asks who buys something: "кто у нас чаще всего покупает кофе".
func (d *draft) whoBuys() {
	who := slices.IndexFunc(d.ts, func(t token.Token) bool { return whoWords[t.Norm] })
	if who < 0 || d.Previous != nil || len(d.q.By) > 1 || len(d.q.By) == 1 && d.q.By[0] != "product" {
		return
	}
	buys := slices.ContainsFunc(d.items, func(it *item) bool {
		return it.kind == measure && it.at > who && buyingStems[d.ts[it.end-1].Stem]
	})
	if buys && d.allAllow("counterparty") {
		d.q.By, d.goods = []string{"counterparty"}, false
		if d.often() {
			d.replace("quantity", "receipts")
		}
	}
}

// notBought reads "какие товары давно не покупали" as goods that were not sold, and "у поставщиков" as their last
// purchase.
func (d *draft) notBought() {
	if !slices.Contains(d.asked, "days_since") || !d.goods && !slices.Equal(d.q.By, []string{"product"}) ||
		slices.Contains(d.q.By, "counterparty") || d.conditioned("days_since") {
		return
	}
	if slices.ContainsFunc(d.items, func(it *item) bool { return it.kind == dimension && it.id == "supplier" }) {
		d.q.By = slices.DeleteFunc(d.q.By, func(by string) bool { return by == "supplier" })
		d.replace("days_since", "last_purchase")
		d.goods, d.ordered, d.direction = true, "last_purchase", analysis.Ascending
		return
	}
	d.replace("days_since", "days_since_sale")
	d.ordered, d.direction = "days_since_sale", analysis.Descending
}

// answerTo is what question words ask to see the figures by, the likeliest first.
var answerTo = map[PartKind][]string{PartWho: {"counterparty", "employee", "supplier"},
	PartWhere: {"store", "account", "sales_channel"}, PartWay: {"expense_item", "counterparty", "store"},
	PartWhen: {"day"}}

// staff are stems of verbs for what employees do.
var staff = stemSet("продал продала продает продавал списал списала списывает оформил оформила провел провела принял " +
	"приняла пробил пробила отгрузил отгрузила выписал выписала сделал сделала выдал скинул дал заработал наторговал " +
	"sold sells wrote issued accepted made gave served")

// questionWords shows the figures by what the task asks for: "кто", "где", "когда" (rule R345). Goods that it does not
// name are no breakdown then.
func (d *draft) questionWords() {
	if d.Previous != nil || len(d.asked) == 0 {
		return
	}
	for i, it := range d.items {
		kind := d.questionWord(i, it)
		by := answerTo[kind]
		if kind == PartWho && slices.ContainsFunc(d.ts[it.at:], func(t token.Token) bool { return staff[t.Stem] }) {
			by = []string{"employee", "counterparty"}
		}
		if len(by) == 0 || it.kind == dimension || kind == PartWhen && d.dated() || d.asksAnew(i) {
			continue
		}
		if slices.ContainsFunc(d.q.By, func(b string) bool {
			return slices.Contains(by, b) || kind == PartWhen && d.ofTime(b)
		}) {
			continue
		}
		if slices.Equal(d.q.By, []string{"product"}) && !slices.ContainsFunc(d.items, func(x *item) bool {
			return x.kind == dimension && x.id == "product"
		}) {
			d.q.By = nil
		}
		for _, b := range by {
			if d.allAllow(b) && !d.named(b) {
				d.q.By = append(slices.Clone(d.q.By), b)
				break
			}
		}
	}
}

// asksAnew reports whether the question word of an item begins a question of its own: figures of a period stand before
// it and figures of now behind it, or the other way round. "Sales last week and who owes us" are two questions.
func (d *draft) asksAnew(i int) bool {
	at := d.items[i].at
	if !is(d.neighbour(i, -1), joining) && !d.commaBefore(d.items[i]) && (at == 0 || d.ts[at-1].Norm != "and" &&
		d.ts[at-1].Norm != "и") {
		return false
	}
	now := func(list []*item) (now, period bool) {
		for _, it := range list {
			if !is(it, measure) || !it.used {
				continue
			}
			if m, ok := d.Catalogue.Measure(strings.Fields(it.id)[0]); ok {
				now, period = now || m.Now, period || !m.Now
			}
		}
		return now, period
	}
	nowBefore, periodBefore := now(d.items[:i])
	nowBehind, periodBehind := now(d.items[i:])
	return nowBefore && periodBehind || periodBefore && nowBehind
}

// weOwe reads "кому мы больше всего должны": our debts, not those of customers.
func (d *draft) weOwe() {
	if !slices.Contains(d.asked, "owed_to_us") {
		return
	}
	for _, it := range d.items {
		if it.kind != measure || it.id != "owed_to_us" || !owing[d.ts[it.end-1].Norm] {
			continue
		}
		if slices.ContainsFunc(d.ts, func(t token.Token) bool {
			return t.Use == token.Unused && (t.Norm == "мы" || t.Norm == "кому" || t.Norm == "we" || t.Norm == "whom")
		}) {
			d.replace("owed_to_us", "owed_by_us")
		}
	}
}

var owing = words.Set("должны должен задолжали owe")

// dated reports whether one of the figures is a date.
func (d *draft) dated() bool {
	return slices.ContainsFunc(d.asked, func(id string) bool {
		m, ok := d.Catalogue.Measure(id)
		return ok && (m.Unit == tool.UnitDate || m.Unit == tool.UnitDays)
	})
}

// priceOrder takes the price for the measure where goods are bought or sold "дороже всего" or "дешевле".
func (d *draft) priceOrder() {
	if d.direction == "" && !d.compares || !d.word(pricier) {
		return
	}
	for _, of := range [][2]string{{"purchases", "purchase_price"}, {"revenue", "average_price"}} {
		if slices.Contains(d.asked, of[0]) {
			d.replace(of[0], of[1])
		}
	}
}

// narrows reports whether a task only says which rows of the answer before it to keep: "только где маржа меньше 25 %".
func (d *draft) narrows() bool {
	if len(d.Previous.By) == 0 || len(d.asked) == 0 || len(d.ts) > 9 || len(d.q.By) > 0 && !d.rowsWhere() ||
		!whose[d.first()] {
		return false
	}
	return !slices.ContainsFunc(d.asked, func(m string) bool {
		return !slices.Contains(d.Previous.Measures, m) || !d.conditioned(m)
	})
}

// rowsWhere reports whether the only breakdown is that of "где", which stands for the rows here and not for places.
func (d *draft) rowsWhere() bool {
	return len(d.q.By) == 1 && d.q.By[0] == "store" && d.word(whereWords)
}

// conditioned reports whether the task has a condition on a measure.
func (d *draft) conditioned(m string) bool {
	return slices.ContainsFunc(d.q.Where, func(w analysis.Condition) bool { return w.Field == m })
}
