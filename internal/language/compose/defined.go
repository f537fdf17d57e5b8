package compose

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/language/compose/typed"
	"github.com/stockhand/stockhand/internal/language/query"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/tool"
	"github.com/stockhand/stockhand/internal/words"
)

// priceAt shows prices of the goods in stock at a warehouse that the task names, which cards do not know: "самый
// дорогой товар на Витрине" (rule R606).
func (d *draft) priceAt() {
	if d.Previous != nil || !slices.Equal(d.asked, []string{"sale_price"}) || len(d.q.By) > 1 ||
		len(d.q.By) == 1 && d.q.By[0] != "product" {
		return
	}
	at := d.conditioned("store")
	for i, it := range d.Items {
		if it.Kind != typed.Named || it.Used || len(it.Name.Meanings) != 1 && !it.Name.All ||
			typed.DimensionOf(it.Name.Meanings[0].Kind) != "store" {
			continue
		}
		prev := d.neighbour(i, -1)
		it.Used, at = true, true
		for _, n := range it.Name.Meanings {
			d.whereValue("store", n.Name, is(prev, typed.Except) || is(prev, typed.Absent))
		}
		markIf(prev, typed.Except, typed.Absent, typed.Only, typed.Per)
	}
	if !at {
		return
	}
	d.replace("sale_price", priceThere)
	d.q.Define = []analysis.Definition{d.priceThere()}
	d.addMeasure("stock")
	d.where("stock", analysis.Greater, "0")
	d.q.By, d.goods = []string{"product"}, false
}

// priceThere is the price of what is in stock: cards know no warehouses.
const priceThere = "price_there"

func (d *draft) priceThere() analysis.Definition {
	return analysis.Definition{Name: priceThere, Formula: "stock_price / stock", Unit: "money",
		Title: d.title("Цена продажи", "Sale price")}
}

// pricesThere takes the prices of what is in stock where a query is about goods in a warehouse: "остатки на Витрине",
// then "дороже 500" (rule R606).
func (d *draft) pricesThere(q *analysis.Query) {
	const card = "sale_price"
	on := func(field string) bool {
		return slices.ContainsFunc(q.Where, func(w analysis.Condition) bool { return w.Field == field })
	}
	goods := slices.Contains(q.By, "product") || slices.Contains(q.By, "variant")
	if !goods || !slices.Contains(q.By, "store") && !on("store") || !slices.Contains(q.Measures, card) && !on(card) ||
		len(q.Define) > 0 || query.Possible(d.Catalogue, *q) {
		return
	}
	n := *q
	n.Measures, n.Where, n.Order = slices.Clone(q.Measures), slices.Clone(q.Where), slices.Clone(q.Order)
	n.Define = []analysis.Definition{d.priceThere()}
	for i, m := range n.Measures {
		if m == card {
			n.Measures[i] = priceThere
		}
	}
	for i, w := range n.Where {
		if w.Field == card {
			n.Where[i].Field = priceThere
		}
	}
	for i, o := range n.Order {
		if o.Field == card {
			n.Order[i].Field = priceThere
		}
	}
	n.Measures = join(n.Measures, []string{"stock"})
	if !on("stock") && !on(card) { // without stock there is no such price
		n.Where = append(n.Where, analysis.Condition{Field: "stock", Op: analysis.Greater,
			Values: []analysis.Scalar{"0"}})
	}
	if query.Possible(d.Catalogue, n) {
		*q = n
	}
}

// discounted reads "какие товары продали со скидкой", "чеки со скидкой": only those with a discount, by goods or by
// documents (rule R835).
func (d *draft) discounted() {
	if !slices.Contains(d.asked, "discount") || d.Previous != nil || d.conditioned("discount") ||
		len(d.q.By) == 0 && !d.allAllow("document") {
		return
	}
	i := slices.IndexFunc(d.Items, func(it *typed.Item) bool {
		return is(it, typed.Measure) && it.ID == "discount" && it.At > 0 && atDiscount[d.Tokens[it.At-1].Norm]
	})
	if i < 0 {
		return
	}
	others := slices.DeleteFunc(slices.Clone(d.asked), func(m string) bool { return m == "discount" })
	if len(others) == 0 {
		d.q.Measures = []string{"revenue", "discount"}
		d.asked = d.q.Measures
	} else if !slices.Equal(others, []string{"revenue"}) && !slices.Equal(others, []string{"quantity"}) &&
		!slices.Equal(others, []string{"receipts"}) {
		return
	}
	if d.goods = d.goods || len(d.q.By) == 0 && d.asksWhat(); len(d.q.By) == 0 && !d.goods {
		d.replace("receipts", "revenue")
		d.q.By = []string{"document"}
	}
	d.where("discount", analysis.Greater, "0")
}

var atDiscount = words.Set("со с with at")

// discountRate reads "средняя скидка" and "процент скидки" as the part of the price that was taken off (rule R607).
func (d *draft) discountRate() {
	if !slices.Contains(d.asked, "discount") || d.Previous != nil || len(d.q.Define) > 0 {
		return
	}
	rate := false
	for i, it := range d.Items {
		switch {
		case it.Kind == typed.Average:
			next, prev := d.neighbour(i, 1), d.neighbour(i, -1)
			if is(next, typed.Measure) && next.ID == "discount" || is(prev, typed.Measure) && prev.ID == "discount" {
				it.Used, rate = true, true
			}
		case it.Kind == typed.Share && slices.ContainsFunc(d.Tokens[it.At:it.End], func(t token.Token) bool {
			return strings.HasPrefix(t.Norm, "процент") || strings.HasPrefix(t.Norm, "percent")
		}):
			it.Used, rate = true, true
			d.q.Share, d.shareWord = false, nil
		}
	}
	if !rate {
		return
	}
	const name = "discount_rate"
	d.replace("discount", name)
	d.q.Define = []analysis.Definition{{Name: name, Formula: "discount / (sales + discount)", Unit: "percent",
		Title: d.title("Средняя скидка", "Average discount")}}
}

// title returns the title of a column in the language of the task.
func (d *draft) title(ru, en string) string {
	if slices.ContainsFunc(d.Tokens, func(t token.Token) bool { return t.Cyrillic && t.Use == token.Unused }) {
		return ru
	}
	return en
}

// perDayOf are the figures that measures of an average day are made of.
var perDayOf = map[string]string{"pace": "revenue", "revenue_per_day": "revenue", "receipts_per_day": "receipts",
	"profit_per_day": "profit"}

// weekdayAverage reads "в среднем по понедельникам": a sum over the number of such days in the period (rule R609). By
// day of the week, the period must be of whole weeks; without one it is the last four.
func (d *draft) weekdayAverage() {
	average := slices.ContainsFunc(d.Items, func(it *typed.Item) bool { return it.Kind == typed.Average })
	if d.Previous == nil && average && slices.Equal(d.asked, []string{"receipts", "revenue"}) &&
		d.conditioned("weekday") {
		d.remove("receipts") // "в понедельник обычно сколько продаж"
	}
	if d.Previous != nil || len(d.asked) != 1 || len(d.q.Define) > 0 || d.q.Compare != nil {
		return
	}
	days := map[int]bool{}
	for _, w := range d.q.Where {
		if w.Field == "weekday" && w.Op == analysis.In {
			for _, v := range w.Values {
				if n, err := strconv.Atoi(string(v)); err == nil {
					days[n%7] = true
				}
			}
		}
	}
	by := slices.Equal(d.q.By, []string{"weekday"})
	of := cmp.Or(perDayOf[d.asked[0]], d.asked[0])
	m, ok := d.Catalogue.Measure(of)
	average = average || of != d.asked[0]
	for _, it := range d.Items {
		average = average || it.Kind == typed.PerDay
	}
	if !average || !ok || !m.Adds || m.Now || !by && len(days) == 0 {
		return
	}
	from, to := d.Today.AddDate(0, 0, -27), d.Today
	if d.q.From != "" {
		from, to = d.q.From.Time(), d.q.To.Time()
	}
	n, length := 0, 0
	for day := from; !day.After(to); day = day.AddDate(0, 0, 1) {
		if length++; days[int(day.Weekday())] {
			n++
		}
	}
	if by && len(days) == 0 {
		if n = length / 7; length%7 != 0 {
			return
		}
	}
	if n == 0 {
		return
	}
	const name = "on_average"
	d.replace(d.asked[0], name)
	d.perDay = false
	d.q.From, d.q.To = tool.DayOf(from), tool.DayOf(to)
	d.q.Define = []analysis.Definition{{Name: name, Formula: fmt.Sprintf("%s / %d", of, n),
		Unit:  analysis.Shown(m.Unit),
		Title: d.title(m.Title.RU+" в среднем за день", m.Title.EN+" a day on average")}}
	for _, it := range d.Items {
		it.Used = it.Used || it.Kind == typed.Average || it.Kind == typed.PerDay
	}
}

// onTheWay takes what is on the way for the goods that a task names, in pieces: orders are known by their supplier
// (rule R611).
func (d *draft) onTheWay() {
	if d.Previous != nil || len(d.asked) == 0 || d.asked[0] != "open_orders" || d.word(dateWords) ||
		len(d.periods) > 0 || len(d.q.By) > 0 && !slices.Equal(d.q.By, []string{"product"}) || len(d.q.Where) > 0 {
		return
	}
	of := func(it *typed.Item) bool {
		if it.Kind != typed.Named || it.Used {
			return false
		}
		for _, n := range it.Name.Meanings {
			group := n.Kind == connector.NameGroup && len(it.Name.Meanings) == 1
			if typed.DimensionOf(n.Kind) != "product" && !group {
				return false
			}
		}
		return true
	}
	if !slices.ContainsFunc(d.Items, of) {
		return
	}
	for _, it := range d.Items {
		if !of(it) {
			continue
		}
		it.Used = true
		for _, n := range it.Name.Meanings {
			if n.Kind == connector.NameGroup {
				d.whereValue("group", n.Name, d.excluded(it))
				continue
			}
			d.whereValue("product", cmp.Or(n.ID, n.Name), d.excluded(it))
		}
	}
	d.remove("expected_on")
	d.replace("open_orders", "in_transit")
	d.q.By = []string{"product"}
}
