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

var (
	buyingStems = token.Stems("покупает покупают покупал покупала покупали купил купила купили берет берут брал " +
		"брала брали накупил накупила накупили накупает заказывает заказывают заказывал приобретает приобрел приобрели buys buy bought buying " +
		"purchased orders")
	pricier = words.Set("дороже дешевле дорого дешево cheaper dearer cheapest priciest")
	asking  = words.Set("сколько кто кому что какой какая какие какова каков где когда what who whom how which")
	whose   = words.Set("где которые которых которым которой у с со только лишь оставь из only where those " +
		"with whose keep just")
)

// whoBuys shows customers where a task asks who buys something: "кто у нас чаще всего покупает кофе".
func (d *draft) whoBuys() {
	who := slices.IndexFunc(d.Tokens, func(t token.Token) bool { return whoWords[t.Norm] })
	if who < 0 || d.Previous != nil && !ofWhom(d.Previous) || len(d.q.By) > 1 ||
		len(d.q.By) == 1 && d.q.By[0] != "product" {
		return
	}
	buys := slices.ContainsFunc(d.Items, func(it *typed.Item) bool {
		return it.Kind == typed.Measure && it.At > who && buyingStems[d.Tokens[it.End-1].Stem]
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
	if slices.Contains(d.asked, "days_since") && len(d.q.By) == 0 && !d.customers() && d.asksFirst() &&
		!d.ofCustomers() {
		d.goods = true // "что перестали покупать"
	}
	if !slices.Contains(d.asked, "days_since") || !d.goods && !slices.Equal(d.q.By, []string{"product"}) ||
		slices.Contains(d.q.By, "counterparty") {
		return
	}
	if slices.ContainsFunc(d.Items, func(it *typed.Item) bool {
		return it.Kind == typed.Dimension &&
			it.ID == "supplier"
	}) {
		d.q.By = slices.DeleteFunc(d.q.By, func(by string) bool { return by == "supplier" })
		d.replace("days_since", "last_purchase")
		d.goods, d.ordered, d.direction = true, "last_purchase", analysis.Ascending
		return
	}
	d.replace("days_since", "days_since_sale")
	d.ordered, d.direction = "days_since_sale", analysis.Descending
}

// answerTo is what question words ask to see the figures by, the likeliest first.
var answerTo = map[typed.PartKind][]string{typed.PartWho: {"counterparty", "employee", "supplier"},
	typed.PartWhere: {"store", "account", "sales_channel"}, typed.PartWay: {"expense_item", "counterparty", "store"},
	typed.PartWhen: {"day"}}

// staff are stems of verbs for what employees do.
var staff = token.Stems("продал продала продает продавал списал списала списывает оформил оформила провел " +
	"провела принял приняла пробил пробила отгрузил отгрузила выписал выписала сделал сделала выдал скинул дал " +
	"проводил проводила оформлял оформляла делал " +
	"заработал наторговал отработал отработала сработал сработала sold sells wrote issued accepted made gave served")

// buys reports whether the task asks for what we buy, and for nothing of a warehouse.
func (d *draft) buys() bool {
	return !slices.ContainsFunc(d.asked, func(m string) bool {
		return m != "purchases" && m != "quantity_received"
	})
}

// questionWords shows the figures by what the task asks for: "кто", "где", "когда" (rule R345). Goods that it does not
// name are no breakdown then.
func (d *draft) questionWords() {
	if d.Previous != nil || len(d.asked) == 0 {
		return
	}
	for i, it := range d.Items {
		kind := d.QuestionWord(i, it)
		by := answerTo[kind]
		switch {
		case kind == typed.PartWho && d.asksWhom(it): // "кому чаще всего продаём"
			by = []string{"counterparty", "supplier"}
		case kind == typed.PartWho && slices.ContainsFunc(d.Tokens[it.At:], func(t token.Token) bool {
			return staff[t.Stem]
		}):
			by = []string{"employee", "counterparty"}
		case kind == typed.PartWhere && slices.Contains(d.asked, "money_out"): // "where does the money go"
			by = answerTo[typed.PartWay]
		case kind == typed.PartWhere && d.buys(): // "где берём сахар" (rule R1083)
			by = []string{"supplier"}
		}
		if len(by) == 0 || it.Kind == typed.Dimension || kind == typed.PartWhen && d.dated() || d.opensQuestion(i) {
			continue
		}
		if slices.ContainsFunc(d.q.By, func(b string) bool {
			return slices.Contains(by, b) || kind == typed.PartWhen && d.ofTime(b)
		}) {
			continue
		}
		if slices.Equal(d.q.By, []string{"product"}) && !slices.ContainsFunc(d.Items, func(x *typed.Item) bool {
			return x.Kind == typed.Dimension && x.ID == "product"
		}) {
			d.q.By = nil
		}
		if b := d.alternatives(by); b != "" { // "сайт или маркетплейс, где больше"
			d.q.By = append(slices.Clone(d.q.By), b)
			continue
		}
		for _, b := range by {
			if d.allAllow(b) && (!d.named(b) || d.separates) {
				d.q.By = append(slices.Clone(d.q.By), b)
				break
			}
		}
	}
}

// alternatives returns the dimension of which a task names several values and asks which of them ranks first; empty for
// none. With "or" between the names it need not be one that the question word usually asks for (rule R1112).
func (d *draft) alternatives(usual []string) string {
	for _, w := range d.q.Where {
		if w.Op != analysis.In || len(w.Values) < 2 || w.Field == "product" || slices.Contains(d.q.By, w.Field) ||
			!d.allAllow(w.Field) || !slices.Contains(usual, w.Field) && !d.word(orWords) {
			continue
		}
		n := 0
		for _, it := range d.Items {
			if is(it, typed.Named) && it.Used && slices.Contains(fieldsOf(it.Name), w.Field) {
				n++
			}
		}
		if n > 1 {
			return w.Field
		}
	}
	return ""
}

// opensQuestion reports whether the question word of an item begins a question of its own: figures of a period stand
// before it and figures of now behind it, or the other way round. "Sales last week and who owes us" are two questions.
func (d *draft) opensQuestion(i int) bool {
	at := d.Items[i].At
	if !is(d.neighbour(i, -1), typed.Joining) && !d.commaBefore(d.Items[i]) && (at == 0 ||
		d.Tokens[at-1].Norm != "and" &&
			d.Tokens[at-1].Norm != "и") {
		return false
	}
	now := func(list []*typed.Item) (now, period bool) {
		for _, it := range list {
			if !is(it, typed.Measure) || !it.Used {
				continue
			}
			if m, ok := d.Catalogue.Measure(strings.Fields(it.ID)[0]); ok {
				now, period = now || m.Now, period || !m.Now
			}
		}
		return now, period
	}
	nowBefore, periodBefore := now(d.Items[:i])
	nowBehind, periodBehind := now(d.Items[i:])
	return nowBefore && periodBehind || periodBefore && nowBehind
}

// asksWhom reports whether a question word asks whom something was sold to.
func (d *draft) asksWhom(it *typed.Item) bool {
	return slices.ContainsFunc(d.Tokens[it.At:it.End], func(t token.Token) bool {
		return t.Norm == "кому" || t.Norm == "кого" || t.Norm == "whom"
	})
}

// ages are what "longest" ranks by, of figures that have an age.
var ages = map[string]string{"owed_to_us": "debt_age", "owed_by_us": "our_debt_age", "stock": "days_in_stock",
	"stock_cost": "days_in_stock"}

// longest ranks by age what the task ranks by time: "кто дольше всех должен".
func (d *draft) longest() {
	if d.direction == "" || !slices.ContainsFunc(d.Items, func(it *typed.Item) bool {
		return (it.Kind == typed.Best || it.Kind == typed.Worst) && typed.TimeWords[d.Tokens[it.At].Norm]
	}) {
		return
	}
	list := d.asked
	if len(list) == 0 && d.Previous != nil {
		list = d.Previous.Measures
	}
	for _, m := range list {
		if age := ages[m]; age != "" && !slices.Contains(list, age) && d.fits(age) {
			d.ordered = age
			d.ask(age)
			return
		}
	}
}

// whichDocuments shows the orders that the task asks for: "which orders haven't been shipped".
func (d *draft) whichDocuments() {
	if len(d.q.By) > 0 || d.Previous != nil || !slices.ContainsFunc(d.asked, func(m string) bool {
		return ofOrders[m]
	}) {
		return
	}
	for i := 1; i < len(d.Tokens); i++ {
		w, before := &d.Tokens[i], &d.Tokens[i-1]
		if (w.Stem == token.StemOf("заказ") || w.Norm == "orders") &&
			(before.Stem == token.StemOf("какой") || before.Norm == "which" || before.Norm == "what") {
			if q := d.q; d.allAllow("document") {
				q.By = []string{"document", "counterparty"}
				d.q = q
			}
			return
		}
	}
}

// ofOrders are measures of orders that are shown by order where a task asks which.
var ofOrders = words.Set("unshipped unpaid overdue_days reserved orders_sum not_received ordered")

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
	if len(d.Previous.By) == 0 || len(d.asked) == 0 || len(d.Tokens) > 9 || len(d.q.By) > 0 && !d.rowsWhere() ||
		!whose[d.first()] {
		return false
	}
	return !slices.ContainsFunc(d.asked, func(m string) bool {
		return !d.conditioned(m)
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

// ofIt reports whether a task says "any of it" or "some of them".
func (d *draft) ofIt() bool {
	const most = 14
	for i := 2; i < len(d.Tokens) && len(d.Tokens) <= most; i++ {
		if w := d.Tokens[i].Norm; (singleThing[w] || backWords[w]) && d.Tokens[i-1].Norm == "of" &&
			anyPart[d.Tokens[i-2].Norm] {
			return true
		}
	}
	return false
}

var anyPart = words.Set("any some anything something much many all none part half which")
