package compose

import (
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/language/compose/typed"
	"github.com/stockhand/stockhand/internal/language/query"
)

// knownNow says that figures are only known as of now where a task asks for those of a period: "долг Альфы на 1
// ноября", "цены на посуду за октябрь" (rule R1075). The choices are those of now and what the period does tell.
func (d *draft) knownNow() {
	p := d.periods[0]
	if p.Used || d.compares || p.Period.From.IsZero() || !p.Period.From.Before(d.Today) || d.hasUnexplained() ||
		d.instead != [2]string{} {
		return
	}
	name := first(d.q.Measures)
	for _, m := range d.q.Measures {
		if _, ok := onlyNow[m]; ok {
			name = m
			break
		}
	}
	if name == "" && d.Previous != nil {
		name = d.Previous.Measures[0]
	}
	why, ok := onlyNow[name]
	m, known := d.Catalogue.Measure(name)
	switch {
	case !known || name == "expected_on" || name == "open_orders",
		name == "days_in_stock" && p.Period.Rolling > 0: // "неликвид за 90 дней"
		return
	case !ok:
		why = [2]string{"«" + m.Title.RU + "» — только на сегодня: какими эти цифры были раньше{}, учёт не хранит. " +
			"Что показать?", "“" + m.Title.EN + "” is known only as of now: the account keeps no past figures{}. What " +
			"shall I show?"}
	}
	for _, it := range d.periods {
		it.Used = true
	}
	for _, it := range d.Items {
		it.Used = it.Used || it.Kind == typed.Trend
	}
	d.trends = false
	said := d.rawWords(p)
	for i, quoted := range []string{" («" + said + "»)", " (“" + said + "”)"} {
		why[i] = strings.Replace(why[i], "{}", quoted, 1)
	}
	d.instead, d.then = why, p.Period
}

// rawWords returns the words of an item as the task writes them.
func (d *draft) rawWords(it *typed.Item) string {
	var list []string
	for _, t := range d.Tokens[it.At:it.End] {
		list = append(list, t.Raw)
	}
	return strings.Join(list, " ")
}

// pricesOverTime reads how purchase prices changed as what was paid month by month, and offers the same of prices that
// goods were sold at: the account keeps no past prices of cards (rule R1078).
func (d *draft) pricesOverTime() {
	if d.Previous != nil || len(d.q.Measures) != 1 || !d.trends && !(d.word(changesWords) && len(d.periods) > 0) {
		return
	}
	of := ""
	switch d.q.Measures[0] {
	case "card_purchase_price", "last_purchase_price", "purchase_price":
		of = "purchase_price"
	case "sale_price":
		of = "average_price"
		d.instead = [2]string{"Прежних цен продажи учёт не хранит. Показать, почём в среднем продавали по месяцам?",
			"The account keeps no past selling prices. Show the average price at which goods were sold, by month?"}
	default:
		return
	}
	d.replace(d.q.Measures[0], of)
	d.trends = true
	if !slices.ContainsFunc(d.q.By, d.ofTime) {
		d.q.By = append([]string{"month"}, d.q.By...)
	}
	if d.direction == "" {
		d.goods = false
	}
	for _, it := range d.Items {
		it.Used = it.Used || changesWords[d.Tokens[it.At].Norm]
	}
}

var debtsNow = [2]string{"Долги известны только на сегодня: какими они были раньше{}, учёт не хранит. Что показать?",
	"Debts are known only as of now: the account does not keep what they were{}. What shall I show?"}

var pricesNow = [2]string{"Цены известны только на сегодня: какими они были раньше{}, учёт не хранит. Что показать?",
	"Prices are known only as of now: the account does not keep what they were{}. What shall I show?"}

// onlyNow says of figures that they are known only now.
var onlyNow = map[string][2]string{"owed_to_us": debtsNow, "owed_by_us": debtsNow, "debt_age": debtsNow,
	"our_debt_age": debtsNow, "sale_price": pricesNow, "card_purchase_price": pricesNow, "minimum_price": pricesNow,
	"price_markup": pricesNow, "price_minus_cost": pricesNow,
	"balance": {"Сколько денег было на прошлую дату{}, учёт не хранит: видно только то, что есть сейчас. Что показать?",
		"The account does not tell how much money there was on a past day{}, only what there is now. What shall I show?"},
	"days_in_stock": {"Сколько товар лежит, известно только на сегодня, а не раньше{}. Что показать?",
		"How long goods have been in stock is known only as of now{}. What shall I show?"}}

// nearest returns what a period tells that is nearest to a figure of now.
func (d *draft) nearest() (list []analysis.Query) {
	if d.then == nil || len(d.q.Measures) == 0 {
		return nil
	}
	of, ok := nearestOf[d.q.Measures[0]]
	if !ok {
		return nil
	}
	if d.then.From.Equal(d.then.To) && d.q.Measures[0] != "sale_price" {
		return nil // a day has no figures of its own
	}
	q := analysis.Query{Measures: of, From: day(d.then.From), To: day(earlierOf(d.then.To, d.Today))}
	allowed := func(by string) bool {
		return !slices.ContainsFunc(of, func(m string) bool { return !d.allows(m, by) })
	}
	for _, by := range d.q.By {
		if allowed(by) {
			q.By = append(q.By, by)
		}
	}
	for _, w := range d.q.Where {
		_, ofRows := d.Catalogue.Measure(w.Field)
		switch {
		case !ofRows && allowed(w.Field):
			q.Where = append(q.Where, w)
		case w.Field != "days_in_stock":
			return nil // what it says of the figure of now is not true of the other one
		}
	}
	if d.q.Measures[0] == "days_in_stock" {
		zero := []analysis.Scalar{"0"}
		q.Where = append(q.Where, analysis.Condition{Field: "stock", Op: analysis.Greater, Values: zero},
			analysis.Condition{Field: "pace", Op: analysis.Equal, Values: zero})
		q.By = []string{"product"}
	}
	if !query.Possible(d.Catalogue, q) {
		return nil
	}
	return []analysis.Query{q}
}

// nearestOf are measures of a period that are nearest to those of now.
var nearestOf = map[string][]string{"sale_price": {"average_price"}, "card_purchase_price": {"purchase_price"},
	"balance": {"money_in", "money_out", "net_flow"}, "days_in_stock": {"stock", "pace"},
	"price_markup": {"markup"}}
