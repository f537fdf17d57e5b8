package compose

import (
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/language/compose/typed"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/tool"
	"github.com/stockhand/stockhand/internal/words"
)

// A figure is known in pieces, in money and as a percentage under different measures. People name the figure and, by
// itself, the unit: "возвраты в штуках", "сколько списали и на какую сумму", "средний чек". These are the measures that
// the two together mean (rule R326).
var (
	inPieces = map[string]string{"revenue": "quantity", "sales": "quantity", "returns": "quantity_returned",
		"purchases": "quantity_received", "written_off": "quantity_written_off", "surplus": "quantity_surplus",
		"transferred": "quantity_transferred", "inventory_difference": "quantity_inventory_difference",
		"stock_cost": "stock", "income_cost": "income", "outcome_cost": "outcome",
		"stock_cost_at_start": "stock_at_start",
		"stock_cost_at_end":   "stock_at_end", "reserved": "reserve", "revenue_per_day": "pace",
		"last_sale":   "quantity",
		"open_orders": "in_transit"}
	inSums = map[string]string{"stock": "stock_cost", "quantity": "revenue", "reserve": "reserved",
		"orders":          "orders_sum",
		"purchase_orders": "ordered", "deliveries": "purchases", "income": "income_cost", "outcome": "outcome_cost",
		"stock_at_start": "stock_cost_at_start", "stock_at_end": "stock_cost_at_end",
		"quantity_written_off": "written_off", "quantity_surplus": "surplus", "quantity_transferred": "transferred",
		"quantity_inventory_difference": "inventory_difference", "quantity_returned": "returns",
		"quantity_received": "purchases", "margin": "profit", "markup": "profit", "pace": "revenue_per_day"}
	// of measures that have no sum of their own, what people mean by "and for what sum"
	besideSums = map[string]string{"days_in_stock": "stock_cost", "free": "stock_cost", "shortage": "stock_cost",
		"days_of_cover": "stock_cost", "receipts": "revenue", "days_since_sale": "stock_cost", "minimum": "stock_cost",
		"average_receipt": "revenue", "lines_per_receipt": "revenue", "purchases_count": "purchases_sum",
		"overdue_days": "unshipped", "unshipped": "unshipped", "unpaid": "unpaid"}
	inPercent = map[string]string{"returns": "return_rate", "quantity_returned": "return_rate"}
	onAverage = map[string]string{"receipts": "average_receipt", "sale_price": "average_price",
		"card_purchase_price": "purchase_price"}
	aDay = map[string]string{"revenue": "revenue_per_day", "profit": "profit_per_day", "quantity": "pace",
		"receipts": "receipts_per_day", "outcome": "pace", "sales": "revenue_per_day"}
)

// units replaces measures by those of the units that the task names.
func (d *draft) units() {
	d.times()
	if d.bothUnits() {
		return
	}
	d.pieces()
	d.sums()
	if d.q.Share && len(d.q.By) == 0 {
		for from, to := range inPercent {
			if slices.Contains(d.asked, from) {
				d.replace(from, to)
				d.q.Share, d.shareWord.Used = false, true
			}
		}
	}
	d.averages()
}

// bothUnits reads "в рублях и штуках" and "количество и сумма": each figure in money and in pieces.
func (d *draft) bothUnits() bool {
	pieces := func(it *typed.Item) bool {
		return is(it, typed.InUnits) || is(it, typed.Measure) && it.ID == "quantity" &&
			countWords[d.Tokens[it.End-1].Stem]
	}
	i := slices.IndexFunc(d.Items, func(it *typed.Item) bool { return is(it, typed.InMoney) })
	if i < 0 {
		return false
	}
	for _, step := range []int{1, -1} {
		other := d.neighbour(i, step)
		if is(other, typed.Joining) {
			other = d.neighbour(slices.Index(d.Items, other), step)
		} else if other != nil && !d.marked(d.Items[i], other) {
			continue
		}
		if !pieces(other) {
			continue
		}
		figures := slices.DeleteFunc(slices.Clone(d.asked), func(m string) bool { return m == "quantity" })
		if len(figures) == 0 {
			figures = d.asked
		}
		var also []string
		for _, m := range figures {
			for _, in := range []string{inPieces[m], inSums[m]} {
				if in != "" {
					also = append(also, in)
				}
			}
		}
		if len(also) < len(figures) {
			return false
		}
		if len(figures) < len(d.asked) {
			d.remove("quantity")
		}
		d.Items[i].Used, other.Used = true, true
		d.ask(also...)
		return len(d.asked) > 1
	}
	return false
}

// countsOf reads a word for a number, listed beside figures of goods that move, as the number of those: "списания
// по складам, количество" counts what was written off and not what was sold (rule R751).
func (d *draft) countsOf() {
	if !slices.Contains(d.asked, "quantity") || !slices.ContainsFunc(d.Items, func(it *typed.Item) bool {
		return is(it, typed.Measure) && it.ID == "quantity" && it.End == it.At+1 && countWords[d.Tokens[it.At].Stem]
	}) {
		return
	}
	var counts []string
	for _, name := range d.asked {
		m, ok := d.Catalogue.Measure(name)
		switch {
		case name == "quantity":
		case ok && (m.Unit == tool.UnitQuantity || m.Unit == tool.UnitCount):
			counts = append(counts, name)
		case inPieces[name] != "" && inPieces[name] != "quantity":
			counts = append(counts, inPieces[name])
		default:
			return
		}
	}
	if len(counts) > 0 {
		d.remove("quantity")
		d.ask(counts...)
	}
}

// pieces reads a word for pieces beside another measure: "сколько штук списали". It is a measure of its own only where
// it is listed with others.
func (d *draft) pieces() {
	for i, it := range d.Items {
		if !is(it, typed.InUnits) {
			continue
		}
		of, joined := d.figureBeside(i, -1), is(d.neighbour(i, -1), typed.Joining)
		if of == nil {
			of = d.figureBeside(i, 1)
		}
		switch {
		case d.whichUnits(it):
		case of == nil && len(d.asked) == 0 && d.Previous == nil:
			if d.ask("quantity"); len(d.periods) == 0 && d.direction == "" && len(d.q.By) == 0 &&
				(d.inStores() || d.anyGoods() || d.named("product") || d.named("group")) {
				d.replace("quantity", "stock") // "сколько товара в штуках на витрине"
			}
		case of == nil:
			if len(d.asked) == 1 && d.Previous == nil { // "продажи по дням недели за октябрь в штуках"
				d.inPieces(d.asked[0])
			}
		case joined && inPieces[of.ID] != "": // "в рублях и в штуках"
			d.ask(inPieces[of.ID])
		default:
			d.inPieces(of.ID)
		}
	}
	if !slices.Contains(d.asked, "quantity") || len(d.asked) < 2 {
		return
	}
	for i, it := range d.Items {
		if !is(it, typed.Measure) || it.ID != "quantity" || !countWords[d.Tokens[it.End-1].Stem] {
			continue
		}
		for _, step := range []int{1, -1} {
			of := d.figureBeside(i, step)
			if of == nil || d.marked(it, of) {
				continue
			}
			if to := d.inPieces(of.ID); to == "" ||
				to == "quantity" && !pieceWords[d.Tokens[it.End-1].Stem] { // "количество продаж" may be of receipts
				continue
			} else if to != "quantity" {
				d.remove("quantity")
			}
			return
		}
	}
	d.countsOf()
}

// whichUnits reads "товары которые в килограммах" as goods of that unit.
func (d *draft) whichUnits(it *typed.Item) bool {
	unit := unitsOfGoods[d.Tokens[it.End-1].Norm]
	if unit == "" || d.Previous != nil || !d.anyGoods() || !d.word(relativePronouns) && len(d.asked) > 0 {
		return false
	}
	d.ask("stock")
	d.whereValue("unit", unit, false)
	d.goods = true
	return true
}

var (
	relativePronouns = words.Set("которые которых что какие")
	unitsOfGoods     = map[string]string{"кг": "кг", "килограммах": "кг", "литрах": "л", "метрах": "м",
		"граммах": "г"}
)

// figureBeside returns the measure beside an item, goods, joining words and averages left aside.
func (d *draft) figureBeside(i, step int) *typed.Item {
	of := d.neighbour(i, step)
	for is(of, typed.Dimension) && of.ID == "product" || is(of, typed.PerDay) || is(of, typed.Average) ||
		is(of, typed.Joining) ||
		is(of, typed.InMoney) || is(of, typed.Named) &&
		ofGoods[typed.DimensionOf(of.Name.Meanings[0].Kind)] {
		of = d.neighbour(slices.Index(d.Items, of), step) // "сколько товара списали в штуках"
	}
	if !is(of, typed.Measure) {
		return nil
	}
	return of
}

var ofGoods = words.Set("product group")

// inPieces replaces the measures of an item by the one in pieces, and returns it; empty if there is none.
func (d *draft) inPieces(ids string) (to string) {
	for id := range strings.FieldsSeq(ids) {
		m, ok := d.Catalogue.Measure(id)
		if ok && (m.Unit == tool.UnitQuantity || m.Unit == tool.UnitCount) {
			to = id
		} else if to == "" {
			to = inPieces[id]
		}
	}
	for id := range strings.FieldsSeq(ids) {
		if to != "" && id != to {
			d.replace(id, to)
		}
	}
	return to
}

// pieceWords are units of goods, countWords also words for a number of anything.
var (
	pieceWords = token.Stems("штук штуки штуках шт штучек штука единиц единицах пачек упаковок пакетов бутылок " +
		"коробок кг килограмм килограммов кило тонн граммов литров метров штуками поштучно количественно units " +
		"pieces pcs")
	countWords = func() map[string]bool {
		set := token.Stems("количество кол количества quantity во") // "кол-во"
		for w := range pieceWords {
			set[w] = true
		}
		return set
	}()
)

// marked reports whether a comma or "и" stands between two items.
func (d *draft) marked(x, y *typed.Item) bool {
	if y.At < x.At {
		x, y = y, x
	}
	for i := x.End; i < y.At; i++ {
		if t := &d.Tokens[i]; t.Kind == token.Mark && t.Norm != "-" || t.Norm == "и" || t.Norm == "and" {
			return true
		}
	}
	return false
}

// times reads "сколько раз" beside a verb: how many sales, or how many receipts of goods.
func (d *draft) times() {
	i := slices.IndexFunc(d.Items, func(it *typed.Item) bool {
		return is(it, typed.Measure) && it.ID == "receipts" && timesWords[d.Tokens[it.End-1].Norm]
	})
	if i < 0 {
		return
	}
	for _, it := range d.Items[i+1:] {
		switch {
		case !is(it, typed.Measure) || d.marked(d.Items[i], it):
			continue
		case it.ID == "purchases":
			d.remove("purchases")
			if !d.customers() && !d.ofCustomers() && (d.suppliers() || d.stocked(it)) {
				d.replace("receipts", "deliveries") // "сколько раз покупали у Востока"
			}
		case it.ID == "revenue" || it.ID == "days_since" || it.ID == "quantity":
			d.remove(it.ID)
		case it.ID == "ordered":
			d.remove("ordered")
			d.replace("receipts", "purchase_orders")
		case it.ID == "returns" || it.ID == "written_off":
			continue
		}
		return
	}
}

// suppliers reports whether the task names a supplier, or speaks of suppliers.
func (d *draft) suppliers() bool {
	return slices.ContainsFunc(d.Items, func(x *typed.Item) bool {
		return x.Kind == typed.Dimension && x.ID == "supplier" || x.Kind == typed.Named &&
			slices.ContainsFunc(x.Name.Meanings, func(n connector.Name) bool {
				return n.Kind == connector.NameSupplier
			})
	})
}

// stocked reports whether a word for buying is said of what a shop buys in: "закупали", "purchased".
func (d *draft) stocked(it *typed.Item) bool {
	w := d.Tokens[it.End-1].Norm
	return strings.HasPrefix(w, "закуп") || strings.HasPrefix(w, "purchas") || strings.Contains(w, "воз") ||
		strings.Contains(w, "вез")
}

var timesWords = words.Set("раз часто times often")

// ofCustomers reports whether the task names a counterparty that is no supplier.
func (d *draft) ofCustomers() bool {
	return slices.ContainsFunc(d.Items, func(it *typed.Item) bool {
		return is(it, typed.Named) && len(it.Name.Meanings) > 0 && (it.At == 0 || !fromWords[d.Tokens[it.At-1].Norm]) &&
			!slices.ContainsFunc(it.Name.Meanings, func(m connector.Name) bool {
				return m.Kind != connector.NameCounterparty
			})
	})
}

// fromWords stand before somebody we buy from: "что у Петровой покупаем" (rule R932).
var fromWords = words.Set("у from")

// sums reads words for money: "в рублях", "на какую сумму", and "сумма" in front of a measure.
func (d *draft) sums() {
	for i, it := range d.Items {
		of := d.neighbour(i, 1)
		if is(it, typed.Measure) && it.Used && it.At > 0 && sumWords[d.Tokens[it.At-1].Norm] && inSums[it.ID] != "" {
			d.replace(it.ID, inSums[it.ID])
			continue
		}
		if !is(it, typed.InMoney) || !it.Used {
			continue
		}
		joined := is(d.neighbour(i, -1), typed.Joining) || d.commaBefore(it)
		changed := false
		for _, m := range slices.Clone(d.asked) {
			to := inSums[m]
			switch {
			case m == "balance":
				changed = true
			case joined && (to != "" || besideSums[m] != ""):
				if to == "" {
					to = besideSums[m]
				}
				d.ask(to)
				changed = true
			case to != "":
				d.replace(m, to)
				changed = true
			case besideSums[m] != "" && !is(of, typed.Measure):
				d.ask(besideSums[m])
				changed = true
			}
		}
		it.Used = changed || d.isSum() || d.Previous != nil && len(d.asked) == 0
	}
}

var sumWords = words.Set("сумма сумму суммы суммой сумме стоимость стоимости")

// commaBefore reports whether a comma stands right before an item.
func (d *draft) commaBefore(it *typed.Item) bool { return it.At > 0 && d.Tokens[it.At-1].Norm == "," }

// isSum reports whether one of the measures is a sum already.
func (d *draft) isSum() bool {
	return slices.ContainsFunc(d.asked, func(name string) bool {
		m, ok := d.Catalogue.Measure(name)
		return ok && m.Unit == tool.UnitMoney
	})
}

// eachDay reads "sales per day this week" as a row for each day: an average has a word of its own (rule R1029).
func (d *draft) eachDay() bool {
	const most = 14
	if d.Previous != nil || len(d.q.By) > 0 || len(d.periods) != 1 ||
		!slices.Equal(d.asked, []string{"revenue_per_day"}) || !d.word(perWord) || d.word(onAverageWords) {
		return false
	}
	if p := d.periods[0].Period; p.From.IsZero() || p.To.Sub(p.From).Hours() > most*24 {
		return false
	}
	d.replace("revenue_per_day", "revenue")
	d.q.By = []string{"day"}
	return true
}

var (
	perWord        = words.Set("per")
	onAverageWords = words.Set("average avg averages mean typical")
)

// averages reads "в среднем" and "средний" beside a measure. Without a day to divide by, only some measures have an
// average; those that are averages themselves need none.
func (d *draft) averages() {
	at := slices.IndexFunc(d.Items, func(it *typed.Item) bool { return is(it, typed.Average) })
	if at >= 0 && !d.perDay {
		for i, p := range d.periods { // "в среднем за день"
			if d.Tokens[p.End-1].Norm == "день" && p.End-p.At <= 2 || d.Tokens[p.End-1].Norm == "сутки" {
				d.perDay, p.Used = true, true
				d.periods = slices.Delete(slices.Clone(d.periods), i, i+1)
				break
			}
		}
	}
	if at < 0 && d.eachDay() {
		return
	}
	if d.perDay {
		changed := false
		if slices.Contains(d.asked, "revenue") && d.manyOfGoods() {
			d.replace("revenue", "quantity")
		}
		for from, to := range aDay {
			if slices.Contains(d.asked, from) {
				d.replace(from, to)
				changed = true
			}
		}
		for _, m := range d.asked {
			changed = changed || strings.HasSuffix(m, "_per_day") || m == "pace"
		}
		for _, it := range d.Items {
			if it.Kind == typed.PerDay || it.Kind == typed.Average {
				it.Used = changed
			}
		}
		return
	}
	if at < 0 {
		return
	}
	it := d.Items[at]
	for from, to := range onAverage {
		if to != "" && slices.Contains(d.asked, from) && !d.otherSum(from) {
			if it.Used = true; is(d.neighbour(slices.Index(d.Items, it), -1), typed.Joining) {
				d.ask(to) // "сколько чеков и какой средний"
				continue
			}
			d.replace(from, to)
		}
	}
	for _, name := range d.asked {
		m, ok := d.Catalogue.Measure(name)
		it.Used = it.Used || ok && (!m.Adds || name == "pace" || strings.HasSuffix(name, "_per_day"))
	}
}

// manyOfGoods reports whether the task asks how many of named goods: "сколько кружек продаём в день".
func (d *draft) manyOfGoods() bool {
	return (d.named("product") || d.countsGoods()) && slices.ContainsFunc(d.Tokens, func(t token.Token) bool {
		return t.Norm == "сколько" || t.Norm == "many"
	}) && !slices.ContainsFunc(d.Items, func(it *typed.Item) bool {
		return it.Kind == typed.InMoney || is(it, typed.Measure) && it.ID == "revenue" &&
			!verbs[d.Tokens[it.End-1].Stem]
	})
}

// countsGoods reports whether the task asks for the number of goods and names none: "сколько товаров в день продаём".
// They are counted together.
func (d *draft) countsGoods() bool {
	for i := 1; i < len(d.Tokens); i++ {
		if w := d.Tokens[i-1].Norm; (w == "сколько" || w == "many") && countedGoods[d.Tokens[i].Norm] {
			d.goods = false
			return true
		}
	}
	return false
}

var countedGoods = words.Set("товаров товара позиций единиц items products goods")

// otherSum reports whether another measure of the task is a sum.
func (d *draft) otherSum(name string) bool {
	return slices.ContainsFunc(d.asked, func(other string) bool {
		m, ok := d.Catalogue.Measure(other)
		return ok && other != name && m.Unit == tool.UnitMoney && m.Adds
	})
}
