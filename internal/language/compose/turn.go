package compose

import (
	"slices"
	"strings"
	"time"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/language/compose/typed"
	"github.com/stockhand/stockhand/internal/language/quantity"
	"github.com/stockhand/stockhand/internal/language/refer"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/tool"
	"github.com/stockhand/stockhand/internal/words"
)

// turns reads words that mean something else in a turn after the first: "нет" takes back what was understood, "не за
// октябрь, а за сентябрь" says what to leave out, and a letter may be a class of the analysis that was shown.
func (s *sentence) turns() {
	for _, it := range s.Items {
		if it.Kind == typed.About && it.At > 0 && it.At < 3 && aboutBehind[s.Tokens[it.At-1].Norm] {
			it.Kind = typed.Function // "what about profit"
		}
	}
	if s.Previous == nil || len(s.Items) == 0 {
		return
	}
	if s.says(0, noWords) && !s.lacks() {
		s.Items[0].Kind, s.corrects = typed.Function, true
	}
	s.asksWho()
	s.whoOfRows()
	s.otherSide()
	for i, it := range s.Items {
		w := s.Tokens[it.At].Norm
		switch {
		case it.At > 0 && s.Tokens[it.At-1].Norm == "за" && s.quarter(refer.Ordinal(w)) != nil:
			it.Kind, it.Period = typed.Period, s.quarter(refer.Ordinal(w))
		case it.Kind == typed.Measure && it.ID == "purchases" && slices.Contains(s.Previous.Measures, "sale_price"):
			it.ID = "card_purchase_price" // "а в закупке" after a price
		case (w == "не" || w == "not") && it.Kind == typed.Unexplained && i+1 < len(s.Items):
			s.contrast(i)
		case it.Kind == typed.Unexplained && (tooWords[w] || besideWords[w] && i+1 < len(s.Items) &&
			(togetherWords[s.Tokens[it.End-1].Norm] || togetherWords[s.Tokens[s.Items[i+1].At].Norm])):
			it.Kind = typed.Function
		case whereWords[w] && it.Kind == typed.Function && s.overStores() && !s.ranksTime() && !s.ofRows():
			it.Kind, it.ID, it.Plural = typed.Dimension, "store", true
		case i > 0 && it.End == it.At+1 && classes[w] != "" && slices.Contains(s.Previous.By, "abc") &&
			(s.says(i-1, classWords) || s.Tokens[it.At].Raw != w): // "в них" is no class
			it.Kind, it.ID = typed.Letter, classes[w]
			if before := s.Items[i-1]; s.says(i-1, classWords) {
				before.Kind = typed.Function
			}
		case i > 0 && s.Items[i-1].Kind == typed.Per && ofSum[w] && it.End == it.At+1 && s.sumBefore() != "":
			it.Kind, it.ID = typed.Measure, s.sumBefore() // "топ 3 по сумме"
		case it.Kind == typed.Measure && it.At > 0 && stockAtPrices[it.ID] != "" && s.pricesOfStock(it):
			it.ID = stockAtPrices[it.ID]
		case it.Kind == typed.Measure && it.ID == "cost" && w == "cost" && it.At > 1 &&
			(s.Tokens[it.At-2].Norm == "do" || s.Tokens[it.At-2].Norm == "does" ||
				theseGoods[s.Tokens[it.At-1].Norm]): // "what do they cost", "what they cost"
			it.ID = "sale_price"
		case late[s.Tokens[it.At].Stem] && it.Kind != typed.Named && s.expects():
			it.Kind, it.ID, it.Least = typed.Measure, "supplier_overdue_days", "1"
		case it.Kind == typed.Measure && it.ID == "money_out" && it.End == it.At+1 && paidByThem[w] && s.ofSales():
			it.ID, s.pays = "money_in", true // "а оплатили сколько" after what a customer was shipped
		case ofMoney[w] != "" && it.Kind != typed.Named && it.Kind != typed.Period && s.aboutMoney():
			it.Kind, it.ID, it.Least = typed.Measure, ofMoney[w], ""
		}
	}
	if s.corrects {
		return
	}
	for i := range s.Tokens {
		s.corrects = s.corrects || meant[s.Tokens[i].Norm] && s.Tokens[i].Use == token.Unused
	}
	for i, it := range s.Items {
		if it.Kind == typed.Average && s.says(i, meant) {
			it.Kind = typed.Function // "profit i mean" is no average
		}
	}
}

var ofSum = words.Set("сумме сумма суммам деньгам sum amount value")

// sumBefore returns the sum of money that the answer before shows; empty for none.
func (s *sentence) sumBefore() string {
	for _, name := range s.Previous.Measures {
		if m, ok := s.Input.Catalogue.Measure(name); ok && m.Unit == tool.UnitMoney && m.Adds {
			return name
		}
	}
	return ""
}

// quarter returns the n-th quarter of the year of the answer before, if that is about a quarter: "а за второй".
func (s *sentence) quarter(n int) *quantity.Period {
	p := s.Previous
	const quarters = 4
	if n < 1 || n > quarters || p.From == "" ||
		unitOf(&quantity.Period{From: p.From.Time(), To: p.To.Time()}) != "quarter" {
		return nil
	}
	first := quantity.Begin(words.Year, p.From.Time())
	from, to := quantity.Whole(words.Quarter, quantity.Shift(words.Quarter, first, n-1))
	if from.After(s.Today) {
		return nil
	}
	return &quantity.Period{From: from, To: to}
}

// theseGoods are words for the goods that were shown.
var theseGoods = words.Set("they these those")

var (
	noWords    = words.Set("нет no неа")
	meant      = words.Set("имел имела имею имелось meant mean")
	allWords   = words.Set("всем всех все всеми all every")
	whereWords = words.Set("где where")
	// before "с": "вместе с прибылью"
	besideWords = words.Set("вместе наряду together along")
	aboutBehind = words.Set("what how")
	classWords  = words.Set("класс класса классу классе классы группа группу группы группе категория " +
		"категорию категории group category class")
	classes = map[string]string{"а": "A", "a": "A", "б": "B", "в": "B", "b": "B", "с": "C", "c": "C"}
	// of a question about money, which is otherwise about goods
	ofMoney = map[string]string{"пришло": "money_in", "поступило": "money_in", "получили": "money_in",
		"приход": "money_in", "приходы": "money_in", "поступления": "money_in", "доход": "money_in",
		"доходы": "money_in",
		"ушло":   "money_out", "уходит": "money_out", "отток": "money_out", "исходящие": "money_out",
		"исходящих": "money_out",
		"входящие":  "money_in", "приток": "money_in", "списалось": "money_out", "списано": "money_out",
		"выплатили": "money_out", "потратили": "money_out", "расход": "money_out", "расходы": "money_out",
		"потрачено": "money_out", "списали": "money_out", "заплатили": "money_out", "received": "money_in",
		"income": "money_in", "spent": "money_out", "expenses": "money_out", "outgoing": "money_out",
		"incoming": "money_in"}
	moneyMeasures = words.Set("balance money_in money_out net_flow")
)

// otherSide reads "а мы кому" after who owes us, and "а нам" after whom we owe: the debts of the other side.
func (s *sentence) otherSide() {
	const most = 5
	says := func(it *typed.Item) bool { return it.Kind != typed.Function }
	if len(s.Tokens) > most || slices.ContainsFunc(s.Items, says) {
		return
	}
	for _, it := range s.Items {
		w := s.Tokens[it.At].Norm
		for _, side := range []struct{ words, from, to string }{
			{"мы we", "owed_to_us", "owed_by_us"}, {"нам us", "owed_by_us", "owed_to_us"}} {
			if slices.Contains(strings.Fields(side.words), w) &&
				slices.Equal(s.Previous.Measures, []string{side.from}) {
				it.Kind, it.ID = typed.Measure, side.to
				return
			}
		}
	}
}

// ranksTime reports whether the task ranks and the rows before are months or days: "где ниже всего" is one of them.
func (s *sentence) ranksTime() bool {
	if len(s.Previous.By) != 1 || !ofTimes[s.Previous.By[0]] {
		return false
	}
	return slices.ContainsFunc(s.Items, func(it *typed.Item) bool {
		return it.Kind == typed.Best || it.Kind == typed.Worst || it.Kind == typed.Operator
	})
}

// ofRows reports whether "где" means one of the rows before: "где маржа ниже 20" after goods, "где хуже всего" after
// groups.
func (s *sentence) ofRows() bool {
	compared := slices.ContainsFunc(s.Items, func(it *typed.Item) bool {
		return it.Kind == typed.Operator || it.Kind == typed.Nonzero
	})
	ranked := slices.ContainsFunc(s.Items, func(it *typed.Item) bool {
		return it.Kind == typed.Best || it.Kind == typed.Worst
	})
	goods := slices.Contains(s.Previous.By, "product") || slices.Contains(s.Previous.By, "variant")
	changed := slices.ContainsFunc(s.Tokens, func(t token.Token) bool {
		return t.Use == token.Unused && (falling[t.Stem] || rising[t.Stem])
	})
	one := len(s.Previous.By) == 1 && slices.ContainsFunc(s.Previous.Where, func(w analysis.Condition) bool {
		return w.Field == s.Previous.By[0] && w.Op == analysis.In && len(w.Values) == 1
	})
	return len(s.Previous.By) > 0 && !one && (compared || ranked && !goods || changed)
}

var ofTimes = words.Set("day week month quarter year weekday hour")

var askedBy = map[string]string{"кому": "counterparty", "кого": "counterparty", "кем": "employee", "когда": "day",
	"чего": "product", "чем": "product", "whom": "counterparty", "when": "day"}

// overStores reports whether the figures before can be shown by warehouse.
func (s *sentence) overStores() bool {
	m, ok := s.Input.Catalogue.Measure(s.Previous.Measures[0])
	return ok && slices.Contains(m.Over, "store") && !slices.Contains(s.Previous.By, "store")
}

// worths are what the stock is worth.
var worths = words.Set("stock_cost stock_price stock")

// stockAtPrices are the measures of stock by the prices that it is worth.
var stockAtPrices = map[string]string{"sale_price": "stock_price", "card_purchase_price": "stock_cost",
	"purchase_price": "stock_cost"}

// pricesOfStock reports whether a price says at which prices the stock that was shown is worth: "а в ценах продажи?".
func (s *sentence) pricesOfStock(it *typed.Item) bool {
	if w := s.Tokens[it.At-1].Norm; w != "в" && w != "по" && w != "at" && w != "in" {
		return false
	}
	worth := func(m string) bool { return m == "stock_cost" || m == "stock_price" }
	prices := func(t token.Token) bool {
		return t.Norm == "ценах" || t.Norm == "ценам" || t.Norm == "prices"
	}
	return slices.ContainsFunc(s.Previous.Measures, worth) && slices.ContainsFunc(s.Tokens[it.At:it.End], prices)
}

// late are stems of words for what has not come in time.
var late = token.Stems("просрочено просрочены просроченные задержали задержались опаздывает опаздывают overdue late")

// expects reports whether the answer before was about what suppliers are to deliver: "что просрочено" is about that.
func (s *sentence) expects() bool {
	return slices.ContainsFunc(s.Previous.Measures, func(m string) bool { return ofDeliveries[m] })
}

var ofDeliveries = words.Set("open_orders not_received expected_on supplier_overdue_days")

// paidByThem are words for payments that do not say who pays.
var paidByThem = words.Set("оплатили оплачено оплатил оплатила заплатили заплатил заплатила платили платил платила " +
	"оплачивали оплачивал оплачивала перечислили перечислил перечислила перевели перевел перевела paid pay")

// ofSales reports whether the answer before was about what was sold to the customers that it names, or what they owe.
func (s *sentence) ofSales() bool {
	return slices.ContainsFunc(s.Previous.Where, func(w analysis.Condition) bool {
		return w.Field == "counterparty" && w.Op == analysis.In
	}) && slices.ContainsFunc(s.Previous.Measures, func(m string) bool {
		return m == "sales" || m == "revenue" || m == "owed_to_us" || m == "debt_age"
	})
}

// SaysMoney reports whether a word, which is otherwise about goods, is about money in a query of it: "а ушло".
func SaysMoney(word string, q *analysis.Query) bool {
	return q != nil && slices.Contains(q.Measures, ofMoney[word])
}

func (s *sentence) aboutMoney() bool { return moneyMeasures[s.Previous.Measures[0]] }

// says reports whether an item is one word of a set.
func (s *sentence) says(i int, set map[string]bool) bool {
	return i < len(s.Items) && s.Items[i].End == s.Items[i].At+1 && set[s.Tokens[s.Items[i].At].Norm]
}

// lacks reports whether "нет" at the beginning says what is missing: "нет продаж". Behind a comma, or before a new
// clause, it answers.
func (s *sentence) lacks() bool {
	it := s.Items[0]
	return it.End < len(s.Tokens) && s.Tokens[it.End].Kind != token.Mark && len(s.Items) > 1 &&
		s.Items[1].Kind == typed.Measure &&
		s.Items[1].At == it.End
}

// contrast leaves out what is not meant, if another of its type follows.
func (s *sentence) contrast(i int) {
	k := i + 1
	for k < len(s.Items) && s.Items[k].Kind == typed.Function {
		k++
	}
	if k >= len(s.Items) {
		return
	}
	not := s.Items[k]
	units := not.Kind == typed.InMoney || not.Kind == typed.InUnits // "не в деньгах, а в штуках"
	if not.Kind != typed.Period && not.Kind != typed.Named && not.Kind != typed.Measure &&
		not.Kind != typed.Dimension && not.Kind != typed.Per && !units ||
		!slices.ContainsFunc(s.Items[k+1:], func(x *typed.Item) bool {
			return x.Kind == not.Kind || units && (x.Kind == typed.InMoney || x.Kind == typed.InUnits)
		}) {
		return
	}
	if not.Kind == typed.Per {
		if k++; k >= len(s.Items) {
			return
		}
		s.Items[k].Kind = typed.Function
	}
	s.Items[i].Kind, not.Kind, s.corrects = typed.Function, typed.Function, true
}

// turn takes the words that only a follow-up may say.
func (d *draft) turn(it *typed.Item) {
	if d.Previous == nil {
		it.Used = it.Kind == typed.Contents && d.saysBy() // "разбей выручку по складам"
		return
	}
	switch it.Kind {
	case typed.Earlier:
		if d.Previous.From != "" {
			it.Used, d.shifts = true, it
		}
	case typed.Contents:
		it.Used, d.consists = true, true
	case typed.Clear:
		it.Used, d.clears = true, true
	default:
	}
}

// divided takes words that ask for parts where a first question has rows: "разбей закупки по складам", "на чём наценка
// меньше 20 %". Expenses that are divided by nothing that is named are divided by item: "из чего сложились расходы"
// (rule R1082).
func (d *draft) divided() {
	i := slices.IndexFunc(d.Items, func(it *typed.Item) bool { return it.Kind == typed.Contents })
	if d.Previous != nil || i < 0 {
		return
	}
	if len(d.q.By) == 0 && slices.Equal(d.asked, []string{"money_out"}) && d.allows("money_out", "expense_item") {
		d.q.By = []string{"expense_item"}
	}
	for _, it := range d.Items {
		it.Used = it.Used || it.Kind == typed.Contents && len(d.q.By) > 0
	}
}

// measureAlone reports whether a task is a measure of a period alone, after another such: "прибыль?" after "выручка за
// октябрь по складам".
func (d *draft) measureAlone() bool {
	if len(d.Tokens) > 3 || len(d.asked) == 0 || len(d.q.By)+len(d.q.Where)+len(d.periods) > 0 || d.goods ||
		d.direction != "" ||
		slices.Contains(d.Previous.Measures, d.asked[0]) {
		return false
	}
	for _, it := range d.Items {
		if it.Kind != typed.Measure && it.Kind != typed.Function {
			return false
		}
	}
	if worths[d.asked[0]] && worths[d.Previous.Measures[0]] { // "а в ценах продажи?"
		return true
	}
	for _, name := range join(d.asked, d.Previous.Measures[:1]) {
		if m, ok := d.Catalogue.Measure(name); !ok || m.Now || moneyMeasures[name] != moneyMeasures[d.asked[0]] {
			return false
		}
	}
	return true
}

// whichDay ask for one of the days that were shown.
var whichDay = words.Set("какой какие which what")

// everyOne drops the conditions on what the task asks for all of: "по всем группам".
func (d *draft) everyOne() {
	if d.Previous == nil {
		return
	}
	for _, it := range d.Items {
		if it.Kind != typed.Dimension || it.At == 0 || !it.Plural || d.Tokens[it.At-1].Use != token.Unused ||
			!allWords[d.Tokens[it.At-1].Norm] {
			continue
		}
		if d.every = append(d.every, it.ID); it.ID == "product" {
			d.every = append(d.every, "group")
		}
	}
}

// move sets the period of "неделей раньше" and "до этого": the one before, moved by a unit or by its own length.
func (d *draft) move(n *analysis.Query, q analysis.Query) {
	if d.shifts == nil || q.From == "" || len(d.periods) > 0 {
		return
	}
	name, back := d.shifts.ID, -1
	if rest, ok := strings.CutPrefix(name, "next "); ok {
		name, back = rest, 1
	}
	from, to := q.From.Time(), q.To.Time()
	unit, ok := units[name]
	own := unitOf(&quantity.Period{From: from, To: to})
	if own == "" && to.Equal(d.Today) {
		own = d.unfinished(from)
	}
	if name == "before" && d.weekBefore(d.shifts, from, to) {
		from, to = from.AddDate(0, 0, -7), to.AddDate(0, 0, -7)
		if d.compares {
			n.Compare = &analysis.Comparison{From: tool.DayOf(from), To: tool.DayOf(to)}
		} else {
			n.From, n.To, n.Compare = tool.DayOf(from), tool.DayOf(to), nil
		}
		return
	}
	if !ok {
		unit, ok = units[own]
	}
	if name == "twice" { // "за позапрошлую" is counted from today
		if d.shifts.Used = own != ""; own == "" {
			return
		}
		from, to = quantity.Whole(units[own], quantity.Shift(units[own], quantity.Begin(units[own], d.Today), -2))
		n.From, n.To, n.Compare = tool.DayOf(from), tool.DayOf(to), nil
		return
	}
	if d.compares { // "сравни с предыдущей": the period stays
		if before, end := quantity.Shift(unit, from, back), from.AddDate(0, 0, -1); ok && back < 0 && own != "" {
			n.Compare = &analysis.Comparison{From: tool.DayOf(before), To: tool.DayOf(end)}
			if to.Equal(d.Today) {
				n.Compare = &analysis.Comparison{With: analysis.Previous}
			}
		} else {
			n.Compare = &analysis.Comparison{With: analysis.Previous}
		}
		return
	}
	switch {
	case !ok: // by its own length
		days := int(to.Sub(from).Hours()/24) + 1
		from, to = from.AddDate(0, 0, back*days), to.AddDate(0, 0, back*days)
	case own != "" && units[own] == unit:
		from, to = quantity.Whole(unit, quantity.Shift(unit, from, back))
	default:
		from, to = quantity.Shift(unit, from, back), quantity.Shift(unit, to, back)
	}
	if from.After(d.Today) {
		d.shifts.Used = false
		return
	}
	if n.From, n.To, n.Compare = tool.DayOf(from), tool.DayOf(to), nil; to.After(d.Today) {
		n.To = tool.DayOf(d.Today)
	}
}

// weekBefore reports whether "а за прошлую" means a week before what was shown: a day, or a weekend (rule R850). The
// day before is "предыдущий день".
func (d *draft) weekBefore(it *typed.Item, from, to time.Time) bool {
	one := from.Equal(to)
	weekend := from.Weekday() == time.Saturday && to.Equal(from.AddDate(0, 0, 1))
	return (one || weekend) && slices.ContainsFunc(d.Tokens[it.At:it.End], func(t token.Token) bool {
		return strings.HasPrefix(t.Norm, "прошл")
	})
}

// unfinished returns the unit of time that begins on a day and has not ended: of the first of November up to today,
// "month". A feminine word, "прошлой", means a week where that may be.
func (d *draft) unfinished(from time.Time) string {
	names := []string{"month", "quarter", "year", "week"}
	if w := d.Tokens[d.shifts.At].Norm; strings.HasSuffix(w, "ей") || strings.HasSuffix(w, "ой") ||
		strings.HasSuffix(w, "ую") || strings.HasSuffix(w, "юю") {
		names = []string{"week", "month", "quarter", "year"}
	}
	for _, name := range names {
		if quantity.Begin(units[name], d.Today).Equal(from) {
			return name
		}
	}
	return ""
}

// consist breaks a figure down by what it is made of.
func (d *draft) consist(n *analysis.Query) {
	for _, by := range []string{"expense_item", "product", "counterparty", "account", "document"} {
		fits := !slices.ContainsFunc(n.Measures, func(m string) bool { return !d.allows(m, by) })
		if by == "expense_item" && !slices.Contains(n.Measures, "money_out") || !fits || slices.Contains(n.By, by) {
			continue
		}
		n.By = slices.DeleteFunc(slices.Clone(n.By), d.ofTime)
		n.By = append(n.By, by)
		if len(n.Order) == 0 {
			n.Order = []analysis.Order{{Field: n.Measures[0], Direction: analysis.Descending}}
		}
		return
	}
}

// within reports whether every value is one of a list.
func within(values, list []analysis.Scalar) bool {
	return !slices.ContainsFunc(values, func(v analysis.Scalar) bool { return !slices.Contains(list, v) })
}
