package compose

import (
	"slices"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/language/compose/typed"
	"github.com/stockhand/stockhand/internal/words"
)

// averageOrder reads "средняя сумма заказа", "средний заказ" and, about orders, "средняя сумма" as the sum of the
// orders over their number (rule R1167): the average receipt is of sales, and a sum "в среднем" of time.
func (d *draft) averageOrder() {
	if len(d.q.Define) > 0 || d.word(supplierWords) { // orders to suppliers are others (rule R1201)
		return
	}
	at := slices.IndexFunc(d.Items, func(it *typed.Item) bool {
		said := d.Tokens[it.At:it.End]
		switch {
		case is(it, typed.Measure) && it.ID == "average_receipt":
			return averageOne[said[0].Norm] && orderNouns[said[len(said)-1].Norm]
		case it.Kind == typed.Average && it.End < len(d.Tokens):
			return averageOne[said[0].Norm] && (sumNouns[d.Tokens[it.End].Norm] || orderNouns[d.Tokens[it.End].Norm])
		}
		return false
	})
	if at < 0 {
		return
	}
	of := slices.Clone(d.asked)
	if d.Items[at].Kind == typed.Average {
		if slices.ContainsFunc(of, func(m string) bool { return m != "orders" && m != "orders_sum" }) || len(of) == 0 {
			return
		}
	} else {
		of = []string{"average_receipt"}
	}
	for _, m := range []string{"orders_sum", "orders"} {
		if !slices.ContainsFunc(d.q.By, func(by string) bool { return !d.allows(m, by) }) {
			continue
		}
		return
	}
	for _, m := range of {
		d.remove(m)
	}
	const name = "average_order"
	d.ask(name)
	d.Items[at].Used, d.Items[at].Kind = true, typed.Function
	for _, it := range d.Items {
		it.Used = it.Used || it.Kind == typed.InMoney && sumNouns[d.Tokens[it.At].Norm]
	}
	d.q.Define = []analysis.Definition{{Name: name, Formula: "orders_sum / orders", Unit: "money",
		Title: d.title("Средняя сумма заказа", "Average order")}}
}

var (
	averageOne = words.Set("средний средняя среднюю средней среднего average avg mean")
	sumNouns   = words.Set("сумма сумму сумме суммы размер чек sum amount size value")
	orderNouns = words.Set("заказ заказа заказу заказе заказов order orders")
)
