package compose

import (
	"slices"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/language/token"
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
