package compose

import (
	"slices"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/language/compose/typed"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// whenBought takes who buys at a time of the day for customers: "во сколько вчера больше всего покупали" (rule R1118).
func (d *draft) whenBought() {
	buys := slices.Contains(d.asked, "purchases") || slices.Contains(d.asked, "deliveries")
	if d.Previous != nil || !d.word(boughtByThem) || !buys || d.named("supplier") || d.word(oursWords) ||
		d.word(weWords) {
		return
	}
	hour := slices.Contains(d.q.By, "hour")
	one := len(d.periods) == 1 && d.periods[0].Period.From.Equal(d.periods[0].Period.To) // "когда вчера покупали"
	if !hour && !(one && d.direction != "" && d.word(dateWords)) || !d.allows("revenue", "hour") {
		return
	}
	d.replace("deliveries", "receipts")
	if d.replace("purchases", "revenue"); !hour {
		d.q.By = []string{"hour"}
	}
}

var boughtByThem = words.Set("покупали покупают покупал купили покупалось брали берут взяли набирали забирали " +
	"bought buy")

var weWords = words.Set("мы я we i")

// fromSuppliers takes the turnover with suppliers, and what one does with them, for purchases: "с кем из поставщиков
// больше оборот", "с каким поставщиком больше всего работаем по деньгам".
func (d *draft) fromSuppliers() {
	if d.Previous != nil || len(d.asked) != 1 || d.asked[0] != "revenue" && d.asked[0] != "balance" ||
		d.named("supplier") {
		return
	}
	for _, it := range d.Items {
		if is(it, typed.Dimension) && (it.ID == "supplier" || it.ID == "counterparty") && d.withSupplier(it) {
			d.replace(d.asked[0], "purchases")
			d.q.By = []string{"counterparty"}
			return
		}
	}
}

// withSupplier reports whether a dimension is "с кем из поставщиков" or "с каким поставщиком".
func (d *draft) withSupplier(it *typed.Item) bool {
	from := max(0, it.At-3)
	with := slices.ContainsFunc(d.Tokens[from:it.End], func(t token.Token) bool {
		return t.Norm == "с" || t.Norm == "со"
	})
	return with && slices.ContainsFunc(d.Tokens[it.At:it.End], func(t token.Token) bool {
		return t.Stem == token.StemOf("поставщик")
	})
}

// leavesOutOthers reports whether a query of customers selects some goods and leaves out others: "who bought tea but
// not coffee" is about two purchases, and no sale of tea is one of coffee (rule R1146).
func leavesOutOthers(q *analysis.Query) bool {
	if !slices.Contains(q.By, "counterparty") {
		return false
	}
	for _, in := range q.Where {
		for _, out := range q.Where {
			if !goodsFields[in.Field] || in.Field != out.Field || in.Op != analysis.In || out.Op != analysis.NotIn {
				continue
			}
			if !slices.ContainsFunc(out.Values, func(v analysis.Scalar) bool {
				return slices.Contains(in.Values, v)
			}) {
				return true
			}
		}
	}
	return false
}
