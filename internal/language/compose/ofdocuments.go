package compose

import (
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/language/compose/typed"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/tool"
	"github.com/stockhand/stockhand/internal/words"
)

// ofDocuments takes figures of several types of documents for those of the type that the task names: "сколько отгрузок"
// counts no receipts of the shop, and "средний заказ" is what orders are for over their number (rule R1201).
func (d *draft) ofDocuments() {
	if d.Previous != nil || len(d.q.Define) > 0 {
		return
	}
	d.shippedOnly()
	for _, m := range []string{"receipts", "average_receipt", "receipts_per_day"} {
		it := d.saidBy(m)
		if it == nil {
			continue
		}
		switch {
		case d.says(it, shipments) && d.allows(m, "document_type") && !d.conditioned("document_type") &&
			!d.word(tillReceipts):
			d.whereValue("document_type", d.title("Отгрузка", "Shipment"), false)
			return
		case m == "average_receipt" && (d.says(it, purchaseNouns) && d.word(supplierWords)):
			d.average(m, deliveriesMade)
			return
		case d.says(it, ordersNamed) && !d.says(it, orderValue): // "average order value" is of all sales
			d.ofOrders(m)
			return
		}
	}
	if !slices.ContainsFunc(d.Items, func(it *typed.Item) bool { return it.Kind == typed.Average && it.ID == "" }) {
		return
	}
	for _, of := range []averaged{deliveriesMade, supplierOrders, customerOrders} {
		for i, it := range d.Items {
			first, _, _ := strings.Cut(it.ID, " ")
			if is(it, typed.Measure) && (first == of.sum || first == of.count) && d.says(it, of.one) &&
				is(d.neighbour(i, -1), typed.Average) {
				d.average(first, of)
				return
			}
		}
	}
}

// shippedOnly takes what was sold for what was shipped, without the sales of the till, where the task says so: "на
// сколько отгрузили вчера", "кому отгружали".
func (d *draft) shippedOnly() {
	ships := slices.ContainsFunc(d.Tokens, func(t token.Token) bool {
		return t.Use == token.Unused && (strings.HasPrefix(t.Norm, "отгруз") || strings.HasPrefix(t.Norm, "отгруж"))
	})
	if !ships || d.word(tillReceipts) || d.conditioned("document_type") {
		return
	}
	for _, m := range d.asked {
		if !shippedFigures[m] || !d.allows(m, "document_type") {
			return
		}
	}
	d.whereValue("document_type", d.title("Отгрузка", "Shipment"), false)
}

var shippedFigures = words.Set("revenue quantity profit receipts average_receipt sales cost")

// averageDocument is the name of the measure that a query defines for the average document.
const averageDocument = "average_document"

// averaged is an average document: its sum over its number, and the words for one.
type averaged struct {
	sum, count string
	ru, en     string
	one        map[string]bool
}

var (
	deliveriesMade = averaged{"purchases", "deliveries", "Средняя сумма приёмки", "Average goods receipt",
		words.Set("закупка закупки закупку закупке приемка приемки приемку приемке поставка поставки поставку поставке")}
	supplierOrders = averaged{"ordered", "purchase_orders",
		"Средняя сумма заказа поставщику", "Average supplier order", ordersNamed}
	customerOrders = averaged{"orders_sum", "orders", "Средняя сумма заказа", "Average order", ordersNamed}
)

// average replaces a measure by the average of a type of documents.
func (d *draft) average(m string, of averaged) {
	for _, other := range []string{of.sum, of.count} {
		if other != m {
			d.remove(other)
		}
	}
	d.replace(m, averageDocument)
	d.define(of)
	for _, it := range d.Items {
		it.Used = it.Used || it.Kind == typed.Average || is(it, typed.InMoney)
	}
}

// define defines the average document.
func (d *draft) define(of averaged) {
	d.q.Define = []analysis.Definition{{Name: averageDocument, Formula: of.sum + " / " + of.count,
		Unit: analysis.Shown(tool.UnitMoney), Title: d.title(of.ru, of.en)}}
}

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
			return averageOne[said[0].Norm] && ordersNamed[said[len(said)-1].Norm]
		case it.Kind == typed.Average && it.End < len(d.Tokens):
			next := d.Tokens[it.End].Norm
			return averageOne[said[0].Norm] && (sumNouns[next] || ordersNamed[next])
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
		if slices.ContainsFunc(d.q.By, func(by string) bool { return !d.allows(m, by) }) {
			return
		}
	}
	for _, m := range of {
		d.remove(m)
	}
	d.ask(averageDocument)
	d.Items[at].Used, d.Items[at].Kind = true, typed.Function
	for _, it := range d.Items {
		it.Used = it.Used || it.Kind == typed.InMoney && sumNouns[d.Tokens[it.At].Norm]
	}
	d.define(customerOrders)
}

// ofOrders takes receipts that are said of orders for those of orders.
func (d *draft) ofOrders(m string) {
	of := customerOrders
	if d.word(supplierWords) {
		of = supplierOrders
	}
	switch m {
	case "average_receipt":
		d.average(m, of)
	case "receipts":
		d.replace(m, of.count)
	case "receipts_per_day":
		d.replace(m, of.count)
		d.perDay = true
	}
}

// saidBy returns the words of the task for a measure that it asks for; nil for none.
func (d *draft) saidBy(m string) *typed.Item {
	if !slices.Contains(d.asked, m) {
		return nil
	}
	for _, it := range d.Items {
		if is(it, typed.Measure) && slices.Contains(strings.Fields(it.ID), m) {
			return it
		}
	}
	return nil
}

// says reports whether one of the words of an item is in a set.
func (d *draft) says(it *typed.Item, set map[string]bool) bool {
	return slices.ContainsFunc(d.Tokens[it.At:it.End], func(t token.Token) bool { return set[t.Norm] })
}

var (
	shipments = words.Set("отгрузка отгрузки отгрузок отгрузку отгрузке отгрузкам shipment shipments")
	// receipts of the till, which are counted together with shipments
	tillReceipts  = words.Set("чек чеки чеков чека чекам продаж продажи receipts receipt sales")
	ordersNamed   = words.Set("заказ заказа заказы заказов заказу заказе заказам order orders")
	orderValue    = words.Set("value")
	purchaseNouns = words.Set("покупка покупки покупку purchase purchases закупка закупки закупку")
	averageOne    = words.Set("средний средняя среднюю средней среднего average avg mean")
	sumNouns      = words.Set("сумма сумму сумме суммы размер чек sum amount size value")
)

// dearest takes "самая дорогая закупка" for the one with the greatest sum, and not for prices of goods (rule R1202).
func (s *sentence) dearest() {
	for i, it := range s.Items {
		if it.Kind != typed.Measure || it.ID != "sale_price" || it.Order == "" || i+1 >= len(s.Items) {
			continue
		}
		next := s.Items[i+1]
		w := s.Tokens[next.End-1].Norm
		first, _, _ := strings.Cut(next.ID, " ")
		document := oneDocument[w] || manyDocuments[w]
		if document && next.At == it.End && next.Kind == typed.Measure && sumsOf[first] != "" {
			if it.Kind = typed.Best; it.Order == analysis.Ascending {
				it.Kind = typed.Worst
			}
			it.ID, it.Order = "", ""
		}
	}
}

var manyDocuments = words.Set("заказы отгрузки приемки продажи покупки поставки закупки возвраты оплаты платежи " +
	"списания orders purchases shipments sales payments refunds returns")
