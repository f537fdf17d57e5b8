package compose

import (
	"slices"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/language/compose/typed"
	"github.com/stockhand/stockhand/internal/language/quantity"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// kinds are the values of the dimension of kinds of goods, by stem.
var kinds = map[string]string{token.StemOf("услуга"): "service", token.StemOf("комплект"): "bundle",
	token.StemOf("service"): "service",
	token.StemOf("bundle"):  "bundle"}

// takeDimension reads a dimension as a breakdown, as what the name beside it is, or as a condition.
func (d *draft) takeDimension(it, prev, next *typed.Item) {
	if value, ok := kinds[d.Tokens[it.At].Stem]; ok && it.ID == "kind" {
		it.Used = true
		if is(prev, typed.Per) && it.Plural && is(next, typed.Joining) { // "по услугам и товарам"
			it.Used = false
			return
		}
		d.whereValue("kind", value, is(prev, typed.Except) || is(prev, typed.Absent) || d.excluded(it))
		markIf(prev, typed.Except, typed.Absent, typed.Per)
		return
	}
	if it.ID == "group" && !d.allows("money_out", "group") && slices.ContainsFunc(d.Items, func(x *typed.Item) bool {
		return x.Kind == typed.Measure && x.ID == "money_out"
	}) {
		it.ID = "expense_item" // "expenses by category"
	}
	if is(next, typed.Dimension) && next.ID == it.ID { // "на складе Магазин на Мира"
		it.Used = true
		markIf(prev, typed.Per)
		return
	}
	for _, beside := range []*typed.Item{next, prev} {
		if is(beside, typed.Named) && slices.ContainsFunc(beside.Name.Meanings,
			func(n connector.Name) bool { return typed.DimensionOf(n.Kind) == it.ID || it.ID == "product" }) {
			it.Used = true
			d.ofNamed = d.ofNamed || it.ID == "product" && (it.Plural || assortment[d.Tokens[it.At].Stem])
			ranked := is(prev, typed.Best) || is(prev, typed.Worst) || is(prev, typed.TopRows) || d.ofTop(it)
			if (is(prev, typed.Per) || ranked) &&
				it.ID == "product" && it.Plural && is(next, typed.Named) {
				d.goods = true // "наценка по товарам посуды", "топ товаров для Альфы"
			}
			if it.ID == "product" && it.Plural && d.Previous != nil && beside.Name.All &&
				!ofGoodsOnly(beside.Name) {
				d.goods = true // "какие у них товары" of the suppliers that were shown
			}
			markIf(prev, typed.Per)
			return
		}
	}
	switch {
	case d.acts(it, prev, next), d.own(it, prev), d.summed(it, prev):
		it.Used = true
		return
	case is(prev, typed.Absent):
		if it.ID == "product" || it.ID == "store" || it.ID == "account" {
			return
		}
		it.Used, prev.Used = true, true
		d.q.Where = append(d.q.Where, analysis.Condition{Field: it.ID, Op: analysis.IsEmpty})
		if d.Previous != nil {
			return
		}
		if !slices.Contains(d.q.By, "product") {
			d.q.By = append(d.q.By, "product")
		}
		return
	case is(prev, typed.Except):
		return // without a name, it says nothing
	case is(prev, typed.With):
		d.compares = d.compares && len(d.q.By) > 0 // "сравни склады по выручке" compares rows
	case it.ID == "store" && !it.Plural && !it.Each && !d.eachOne(prev) && (!is(prev, typed.Best) || d.within(it)) &&
		!is(prev, typed.Worst) && (!is(prev, typed.Number) || placePrepositions[d.Tokens[it.At-1].Norm]) &&
		!d.asks(it) &&
		!(is(prev, typed.Per) && !d.Tokens[prev.At].Cyrillic):
		it.Used = true // "на складе": in stock
		markIf(prev, typed.Per)
		return
	}
	if dim, ok := d.Catalogue.Dimension(it.ID); ok && !is(prev, typed.Per) && !subjects[it.ID] && !it.Each &&
		!(dim.Step != "" && (is(prev, typed.Joining) && len(d.q.By) > 0 || d.asks(it) || is(prev, typed.Best) ||
			is(prev, typed.Measure) && prev.Order != "" && (it.Plural || nameOfInterval[d.Tokens[it.At].Norm]) ||
			is(prev, typed.Worst) ||
			it.At > 0 && muchWords[d.Tokens[it.At-1].Norm] && d.bounded(slices.Index(d.Items, it)) || // "сколько дней"
			it.ID == "weekday" || it.Plural && d.word(whenWords) || d.slash(it) ||
			hourWords[d.Tokens[it.End-1].Norm] || it.End > it.At+1 && asking[d.Tokens[it.At].Norm])) {
		// "по складам и месяцам", "what hours"
		if d.toDate(it) {
			it.Used = true // "итоги месяца"
		}
		return // "лучший сотрудник месяца" is of a period
	}
	if is(prev, typed.Except) || is(prev, typed.Only) && !it.Plural {
		return
	}
	if is(prev, typed.Number) && prev.Number.Value == "1" && !it.Plural && slices.ContainsFunc(d.q.Measures,
		func(m string) bool { return m == "average_receipt" || m == "lines_per_receipt" }) {
		it.Used, prev.Used = true, true // "сколько в среднем тратит один клиент"
		return
	}
	if it.ID == "product" && !is(prev, typed.Per) && !is(prev, typed.Best) && !is(prev, typed.Worst) &&
		!d.ofTop(it) {
		d.goods = true
	} else if !slices.Contains(d.q.By, it.ID) {
		d.q.By = append(d.q.By, it.ID)
	}
	markIf(prev, typed.Per)
	it.Used = true
	if is(prev, typed.Number) && prev.At > 0 && d.Tokens[prev.At-1].Norm == "на" && prev.Number.Value == "1" {
		prev.Used = true // "выручка на одного сотрудника"
		return
	}
	if is(prev, typed.Number) && !(prev.At > 0 && containing[d.Tokens[prev.At-1].Norm]) { // "чеки с одной позицией"
		d.limit(prev)
	}
}

// assortment are stems of words for all goods.
var assortment = token.Stems("ассортимент номенклатура assortment range catalogue")

var containing = words.Set("с со with")

// ofTop reports whether a number of rows stands before an item: "топ 5 товаров в каждой группе".
func (d *draft) ofTop(it *typed.Item) bool {
	i := slices.Index(d.Items, it)
	return is(d.neighbour(i, -1), typed.Number) && (i > 1 && is(d.Items[i-2], typed.TopRows) ||
		slices.ContainsFunc(d.Items[i:], d.eachOne) || is(d.neighbour(i-1, -1), typed.Best))
}

// within reports whether goods are ranked at a place: "какого товара больше всего на складе" is no rank of warehouses.
func (d *draft) within(it *typed.Item) bool {
	return it.At > 0 && placePrepositions[d.Tokens[it.At-1].Norm] && d.ofGoods()
}

var placePrepositions = words.Set("на в во at in")

// asks reports whether a word such as "какой" stands before the item: "в каком магазине".
func (d *draft) asks(it *typed.Item) bool {
	if it.At == 0 {
		return false
	}
	before := &d.Tokens[it.At-1]
	return before.Stem == token.StemOf("какой") || before.Norm == "which" || before.Norm == "what"
}

// eachOne reports whether an item says that every value is meant: "по каждому складу".
func (d *draft) eachOne(it *typed.Item) bool {
	return is(it, typed.Per) && eachStem[d.Tokens[it.End-1].Stem]
}

// whenWords ask which intervals of time meet a condition: "месяцы, когда…".
var whenWords = words.Set("когда которых которые где when where which")

// nameOfInterval are the intervals of time that "самый прибыльный" ranks, and not "самый популярный месяца".
var nameOfInterval = words.Set("день месяц неделя неделю квартал год час day week month quarter year hour")

// hourWords end questions for an hour: "во сколько", "what time".
var hourWords = words.Set("сколько время time")

// slash reports whether a dimension follows another one behind a mark: "по складам/месяцам".
func (d *draft) slash(it *typed.Item) bool {
	return it.At > 1 && len(d.q.By) > 0 && (d.Tokens[it.At-1].Norm == "/" || d.Tokens[it.At-1].Norm == ",")
}

// toDate reads "итоги месяца", "week results": the current one, up to today.
func (d *draft) toDate(it *typed.Item) bool {
	unit, ok := units[it.ID]
	if !ok || d.onlyNow() {
		return false
	}
	if len(d.periods) > 0 || d.q.From != "" || it.Plural && it.ID != "day" && !ofOneWeek[d.Tokens[it.At].Norm] ||
		!d.namesReport() && !slices.ContainsFunc(d.Items, func(x *typed.Item) bool {
			shorter := x.Kind == typed.Dimension && x.End == it.At && units[x.ID] != words.NoTime && x.Used
			return x.Kind == typed.Measure || shorter // "лучший день месяца"
		}) {
		return false
	}
	from, to := quantity.Whole(unit, quantity.Begin(unit, d.Today))
	d.periods = append(d.periods, &typed.Item{Kind: typed.Period, At: it.At, End: it.End,
		Period: &quantity.Period{From: from, To: to, At: it.At, End: it.End}})
	return true
}

// onlyNow reports whether all measures of the task are of now, and so of no period.
func (d *draft) onlyNow() bool {
	return len(d.q.Measures) > 0 && !slices.ContainsFunc(d.q.Measures, func(name string) bool {
		m, ok := d.Catalogue.Measure(name)
		return ok && !m.Now
	})
}

// ofOneWeek is the genitive of a week, which looks like its plural.
var ofOneWeek = words.Set("недели")

var units = map[string]words.TimeUnit{"day": words.Day, "week": words.Week, "month": words.Month,
	"quarter": words.Quarter, "year": words.Year}

// excluded reports whether an item is in a list behind "кроме": "кроме посуды и текстиля".
func (d *draft) excluded(it *typed.Item) bool {
	for i := slices.Index(d.Items, it) - 1; i >= 0; i-- {
		switch x := d.Items[i]; x.Kind {
		case typed.Except:
			return true
		case typed.Absent: // "без аренды и зарплаты"
			return d.Tokens[x.At].Norm == "без" || d.Tokens[x.At].Norm == "without"
		case typed.Joining, typed.Named, typed.Function, typed.Dimension, typed.Only:
		default:
			return false
		}
	}
	return false
}

func markIf(it *typed.Item, kinds ...typed.Kind) {
	if it != nil && slices.Contains(kinds, it.Kind) {
		it.Used = true
	}
}

// ofGoodsOnly reports whether a name means goods and nothing else.
func ofGoodsOnly(n *typed.Name) bool {
	return !slices.ContainsFunc(n.Meanings, func(m connector.Name) bool { return m.Kind != connector.NameProduct })
}
