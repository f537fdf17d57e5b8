package compose

import (
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/language/compose/typed"
	"github.com/stockhand/stockhand/internal/tool"
	"github.com/stockhand/stockhand/internal/words"
)

// relations reads what relates parts of a task to each other: a measure that is compared with another one or deducted
// from it, payments in cash, and several names that are weighed against each other.
func (d *draft) relations() {
	d.twoMeasures()
	d.payments()
	for i, it := range d.Items { // "где лучше, на Витрине или на Лесной"
		if next := d.neighbour(i, 1); is(it, typed.Named) && is(next, typed.Named) && it.Used && next.Used &&
			d.or(it, next) {
			d.separates = true
		}
		if d.ThanName(i) != "" && it.Used { // "что лучше идёт на Мира, чем на Лесной"
			d.separates = true
		}
	}
}

// rate reads "какой процент от продаж" after the returns: a part of another figure and not of all rows. A part that no
// measure says is not understood.
func (d *draft) rate() {
	if !d.q.Share || d.shareWord == nil || d.Previous == nil || len(d.asked) != 1 || d.asked[0] != "revenue" ||
		slices.Contains(d.Previous.Measures, "revenue") {
		return
	}
	d.q.Share = false
	to := map[string]string{"returns": "return_rate", "quantity_returned": "return_rate", "profit": "margin"}[d.Previous.Measures[0]]
	if to == "" {
		d.shareWord.Used = false
		return
	}
	d.replace("revenue", to)
	d.q.Order, d.q.By, d.q.Where = nil, d.Previous.By, d.Previous.Where
	if d.q.From == "" {
		d.q.From, d.q.To = d.Previous.From, d.Previous.To
	}
}

// thanNamed reports whether an item such as "than" stands before a name that is compared with another one.
func (d *draft) thanNamed(i int) bool {
	next := d.neighbour(i, 1)
	return is(next, typed.Named) && d.ThanName(slices.Index(d.Items, next)) != ""
}

func (d *draft) or(x, y *typed.Item) bool {
	for i := x.End; i < y.At; i++ {
		if w := d.Tokens[i].Norm; w == "или" || w == "or" {
			return true
		}
	}
	return false
}

// twoMeasures reads "продали больше, чем закупили", "расходы выше доходов" and "прибыль минус расходы": both measures
// and their difference, and only the rows where it is as the task says (rule R328).
func (d *draft) twoMeasures() {
	for i, it := range d.Items {
		minus := it.Kind == typed.Joining && minusWords[d.Tokens[it.At].Norm]
		if !minus && (!is(it, typed.Operator) || it.ID != string(analysis.Greater) && it.ID != string(analysis.Less)) {
			continue
		}
		y := d.neighbour(i, 1)
		if !is(y, typed.Measure) || strings.Contains(y.ID, " ") ||
			is(d.neighbour(slices.Index(d.Items, y), 1), typed.Number) {
			continue
		}
		if !minus && d.Tokens[it.End-1].Norm != "чем" && d.Tokens[it.End-1].Norm != "than" && !d.right(it, y) {
			continue
		}
		x := d.before(i)
		if x == "" || x == y.ID || !slices.Contains(d.asked, x) {
			continue
		}
		d.goods = d.goods || d.asksWhat() && len(d.q.By) == 0 || len(d.q.By) == 0 && d.asksFirst() && ofPieces[x] &&
			ofPieces[y.ID]
		if ofPieces[x] && ofPieces[y.ID] && d.onlyVerbs("revenue") {
			d.remove("revenue") // "что набрано в резерв больше, чем есть на складе"
		}
		a, b := d.sameUnit(x, y.ID)
		ma, ok := d.Catalogue.Measure(a)
		mb, ok2 := d.Catalogue.Measure(b)
		if !ok || !ok2 || ma.Unit != mb.Unit {
			continue
		}
		d.replace(x, a)
		d.replace(y.ID, b)
		d.ask(a, b, difference)
		d.q.Define = []analysis.Definition{{Name: difference, Formula: a + " - " + b,
			Title: title(ma.Title.RU+" − "+strings.ToLower(mb.Title.RU), 60)}}
		it.Used, y.Used = true, true
		if rows := len(d.q.By) > 0 || d.goods; rows && !minus {
			d.where(difference, analysis.Op(it.ID), "0")
		}
		d.direction = ""
		return
	}
}

// ofPieces are figures of goods in stock.
var ofPieces = words.Set("stock free reserve in_transit available minimum shortage")

const difference = "difference"

var minusWords = words.Set("минус minus less")

func title(s string, most int) string {
	if r := []rune(s); len(r) > most {
		return string(r[:most])
	}
	return s
}

// right reports whether a measure stands right behind an operator: "расходы выше доходов".
func (d *draft) right(op, y *typed.Item) bool {
	return y.At == op.End && comparatives[d.Tokens[op.At].Norm]
}

// before returns the measure that stands nearest in front of an item.
func (d *draft) before(i int) string {
	for i--; i >= 0; i-- {
		if it := d.Items[i]; is(it, typed.Measure) && it.Used && !strings.Contains(it.ID, " ") {
			return it.ID
		}
	}
	return ""
}

// sameUnit returns two measures in one unit: goods that are sold and bought are compared in pieces.
func (d *draft) sameUnit(x, y string) (a, b string) {
	if (slices.Contains(d.q.By, "product") || d.goods) && inPieces[x] != "" && inPieces[y] != "" {
		return inPieces[x], inPieces[y]
	}
	ma, ok := d.Catalogue.Measure(x)
	mb, ok2 := d.Catalogue.Measure(y)
	switch {
	case !ok || !ok2 || ma.Unit == mb.Unit:
		return x, y
	case ma.Unit == tool.UnitQuantity && inPieces[y] != "":
		return x, inPieces[y]
	case mb.Unit == tool.UnitQuantity && inPieces[x] != "":
		return inPieces[x], y
	}
	return x, y
}

// payments reads "наличными" and "безналом" as the documents of the payments (rule R329), and "в кассу" and "на счёт"
// beside payments, too (rule R510).
func (d *draft) payments() {
	cash := slices.IndexFunc(d.Items, func(it *typed.Item) bool { return it.Kind == typed.Cash })
	if cash < 0 {
		d.paidTo()
	}
	for _, it := range d.Items {
		if it.Kind != typed.Cash {
			continue
		}
		kinds := paidBy[it.ID][d.Tokens[it.At].Cyrillic]
		if slices.Equal(d.asked, []string{"balance"}) && len(d.periods) == 0 && !d.word(paidIn) && !d.word(paidOut) {
			it.Used = true // "сколько нала в кассе" is what lies there now
			continue
		}
		d.replace("balance", "money_in")
		if d.soldFor(it) {
			continue
		}
		if len(d.asked) == 0 || d.asked[0] == "revenue" && d.word(paidOut) {
			d.remove("revenue")
			switch {
			case d.word(paidOut):
				d.ask("money_out")
			case d.word(paidIn):
				d.ask("money_in")
			case len(d.periods) == 0 && d.Previous == nil:
				return // "сколько наличных" is about what there is now
			default:
				d.ask("money_in", "money_out", "net_flow")
			}
		}
		if len(d.asked) > 0 && d.asked[0] == "money_in" && d.word(paidOut) && !d.word(paidIn) {
			d.replace("money_in", "money_out")
		}
		if !d.allAllow("document_type") || !d.ofMoney() {
			continue
		}
		it.Used = true
		for _, x := range d.Items {
			x.Used = x.Used || x.Kind == typed.Unexplained && (paidIn[d.Tokens[x.At].Norm] ||
				paidOut[d.Tokens[x.At].Norm])
		}
		both := len(d.asked) > 1 || slices.Contains(d.asked, "net_flow")
		if both || d.asked[0] == "money_in" {
			d.whereValue("document_type", kinds[0], false)
		}
		if both || d.asked[0] == "money_out" {
			d.whereValue("document_type", kinds[1], false)
		}
	}
}

// soldFor reads "выручка безналом": sales are not known by how they were paid, so it offers the payments that came
// in (rule R753).
func (d *draft) soldFor(it *typed.Item) bool {
	if !slices.Equal(d.asked, []string{"revenue"}) || d.Previous != nil || d.word(paidOut) || d.goods ||
		slices.ContainsFunc(slices.Concat(d.q.By, fields(d.q.Where)), func(by string) bool {
			return !d.allows("money_in", by)
		}) {
		return false
	}
	it.Used = true
	d.replace("revenue", "money_in")
	d.whereValue("document_type", paidBy[it.ID][d.Tokens[it.At].Cyrillic][0], false)
	d.instead = [2]string{"Продажи по способу оплаты я не делю. Показать поступления денег?",
		"Sales are not known by how they were paid. Show the payments that came in?"}
	return true
}

func fields(where []analysis.Condition) (list []string) {
	for _, w := range where {
		list = append(list, w.Field)
	}
	return list
}

// paidTo limits payments to those of accounts or of cash desks: "сколько пришло на счёт", "расход по кассе".
func (d *draft) paidTo() {
	p := typed.PlaceOfMoney(d.Tokens)
	if p.Place == "" || len(d.asked) == 0 || !d.ofMoney() || slices.Contains(d.asked, "balance") ||
		!d.allAllow("account") || d.conditioned("account") {
		return
	}
	for _, it := range d.Items {
		it.Used = it.Used || d.saysPlace(it, &p)
	}
	d.q.Where = append(d.q.Where, PlaceOf(p.Place, "")...)
}

// paidBy are the titles of the documents of payments in, and out; true: in Russian.
var paidBy = map[string]map[bool][2]string{
	"cash": {true: {"Приходный ордер", "Расходный ордер"}, false: {"Cash receipt", "Cash payment"}},
	"bank": {true: {"Входящий платёж", "Исходящий платёж"}, false: {"Incoming payment", "Outgoing payment"}},
}

func (d *draft) ofMoney() bool {
	return !slices.ContainsFunc(d.asked, func(m string) bool { return !moneyMeasures[m] })
}

var (
	paidIn = words.Set("пришло поступило зашло получили приход поступления заплатили оплатили внесли " +
		"поступлений came received")
	paidOut = words.Set("ушло потратили потрачено расход расходы выплатили выдали заплатили платили выплачено " +
		"траты spent paid")
)

// orLess reads the operator behind its number: "5 штук и меньше". It returns whether it is one.
func (d *draft) orLess(i int, it *typed.Item) bool {
	op := analysis.Op("")
	switch analysis.Op(it.ID) {
	case analysis.Less, analysis.LessEqual:
		op = analysis.LessEqual
	case analysis.Greater, analysis.GreaterEqual:
		op = analysis.GreaterEqual
	default:
		return false
	}
	joint := d.neighbour(i, -1)
	if !is(joint, typed.Joining) && !(i > 0 && d.Tokens[it.At-1].Norm == "или") {
		return false
	}
	n := joint
	if is(joint, typed.Joining) {
		n = d.neighbour(slices.Index(d.Items, joint), -1)
	}
	if !is(n, typed.Number) || n.Used {
		return false
	}
	at := slices.Index(d.Items, n)
	of := d.about(at, at, n.Number)
	if of == "" {
		return false
	}
	d.addMeasure(of)
	d.where(of, op, n.Number.Value)
	it.Used, n.Used = true, true
	return true
}

// operatorBehind reports whether an operator without a number of its own follows a number: "30% и выше".
func (d *draft) operatorBehind(n *typed.Item) bool {
	i := slices.Index(d.Items, n)
	op := d.neighbour(i, 1)
	if is(op, typed.Joining) {
		op = d.neighbour(slices.Index(d.Items, op), 1)
	}
	return is(op, typed.Operator) && op.At-n.End <= 1 && !is(d.neighbour(slices.Index(d.Items, op), 1), typed.Number)
}

// onlyThere selects goods that no other warehouse has, "что лежит только на Лесной" (rule R1072). Of too many
// warehouses, it offers the stock side by side (rule R855). "Остатки только на Лесной" are those of one warehouse.
func (d *draft) onlyThere() {
	i := slices.IndexFunc(d.q.Where, func(w analysis.Condition) bool {
		return w.Field == "store" && w.Op == analysis.In && len(w.Values) == 1
	})
	if i < 0 || d.Previous != nil || !slices.Equal(d.q.Measures, []string{"stock"}) || !d.word(liesWords) ||
		!goodsAsked[d.first()] {
		return
	}
	for k, it := range d.Items {
		if it.Kind != typed.Only || !is(d.neighbour(k, 1), typed.Named) {
			continue
		}
		if n := len(d.Stores); n > 1 && n <= mostStores {
			d.q.By = []string{"product"}
			d.where("stock", analysis.Greater, "0")
			for _, s := range d.Stores {
				if own := d.q.Where[i].Values[0]; string(own) != s.Name && string(own) != s.ID {
					d.q.Where = append(d.q.Where, analysis.Condition{Field: "stock", Op: analysis.LessEqual,
						Values: []analysis.Scalar{"0"}, At: s.Name})
				}
			}
			return
		}
		d.q.Where = slices.Delete(slices.Clone(d.q.Where), i, i+1)
		d.q.By = []string{"product", "store"}
		d.instead = [2]string{"Отобрать товары, которых нет на других складах, одним запросом нельзя. Показать остатки " +
			"по складам рядом?", "Goods that no other warehouse has cannot be selected by one query. Show the stock of " +
			"all warehouses side by side?"}
		return
	}
}

// mostStores is how many warehouses a query has conditions on.
const mostStores = 10

var (
	liesWords  = words.Set("лежит лежат есть имеется остался остались осталось хранится хранятся is are left lies kept")
	goodsAsked = words.Set("что какой какие какая какого чего товары what which")
)

// lacksAt reports whether the task names what one store lacks and another one has.
func (d *draft) lacksAt() bool {
	stores := 0
	for _, w := range d.q.Where {
		if w.Field == "store" {
			stores += len(w.Values)
		}
	}
	return stores >= 2 && slices.ContainsFunc(d.Items, func(it *typed.Item) bool { return it.Kind == typed.Absent })
}
