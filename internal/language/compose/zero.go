package compose

import (
	"slices"
	"strconv"
	"strings"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/language/compose/typed"
	"github.com/stockhand/stockhand/internal/words"
)

// isZero reads "without stock", "без скидки": a measure that is zero. Of sales, goods in stock that were not sold.
func (d *draft) isZero(it, before, next *typed.Item) bool {
	switch it.ID {
	case "revenue", "quantity", "receipts":
		before.Used = true
		d.withoutSales(next)
	case "returns":
		before.Used = true
		d.lessReturns(it, d.neighbour(slices.Index(d.Items, before), -1))
	case "reserve":
		before.Used = true
		if slices.Contains(d.asked, "free") || slices.Contains(d.asked, "stock") { // "остатки без резерва"
			d.replace("stock", "free")
			return true
		}
		d.addMeasure(it.ID)
		d.where(it.ID, analysis.Equal, "0")
	case "minimum", "minimum_price", "card_purchase_price", "unit_cost", "sale_price": // the card has none, and no zero
		before.Used = true
		d.addMeasure(it.ID)
		d.q.Where = append(d.q.Where, analysis.Condition{Field: it.ID, Op: analysis.IsEmpty})
	case "stock", "free", "discount", "profit", "margin", "balance":
		before.Used = true
		d.addMeasure(it.ID)
		d.where(it.ID, analysis.Equal, "0")
	default:
		return false
	}
	return true
}

// lessReturns reads "без возвратов". Behind a noun for what has none it is a condition: "клиенты без возвратов". Of
// sales it is what they come to after returns (rule R800), which a first question asks about.
func (d *draft) lessReturns(it, noun *typed.Item) {
	p := d.Previous
	sold := func(list []string) bool {
		return slices.ContainsFunc(list, func(m string) bool { return soldFigures[m] })
	}
	switch {
	case is(noun, typed.Dimension) || p == nil && !sold(d.asked) || p != nil && !sold(join(d.asked,
		p.Measures)):
		d.addMeasure(it.ID)
		d.where(it.ID, analysis.Equal, "0")
	case p == nil && slices.Equal(d.asked, []string{"revenue"}):
		d.gross = true
	case p != nil && len(d.asked) == 0 && slices.Contains(p.Measures, "sales"):
		d.ask("revenue", it.ID)
		d.nets = true
	default: // the figures are after returns already: these are shown beside them
		d.addMeasure(it.ID)
		d.nets = true
	}
}

// soldFigures are figures of sales.
var soldFigures = words.Set("sales revenue profit margin markup quantity receipts average_receipt average_price")

// withoutSales asks for goods in stock that the period, or the last days, sold none of.
func (d *draft) withoutSales(next *typed.Item) {
	if is(next, typed.Operator) {
		next.Used = true
		next = d.neighbour(slices.Index(d.Items, next), 1)
	}
	if is(next, typed.Number) && next.Number.Unit == words.Days && len(d.periods) == 0 {
		if n, err := strconv.Atoi(next.Number.Value); err == nil && n > 0 && n < 1000 {
			next.Used = true
			d.lastDays(n)
		}
	}
	if len(d.periods) == 0 && d.q.From == "" && d.Previous == nil && d.word(neverWords) && !d.hasPeriod() {
		d.q.From, d.q.To = day(d.Today.AddDate(-1, 0, 1)), day(d.Today)
	}
	d.unsold = true
	d.ask("stock", "pace")
	if !d.ofRows() {
		d.where("stock", analysis.Greater, "0")
	}
	d.where("pace", analysis.Equal, "0")
	d.goods = len(d.q.By) == 0
}

// ofRows reports whether the goods are rows of an answer, all of which are asked about, whatever is in stock.
func (d *draft) ofRows() bool {
	return slices.ContainsFunc(d.Items, func(it *typed.Item) bool {
		return it.Kind == typed.Named && it.Name.Meanings[0].Kind == connector.NameProduct &&
			slices.ContainsFunc(it.Name.At, func(i int) bool { return rowsBefore[d.Tokens[i].Norm] })
	})
}

var rowsBefore = words.Set("них их эти этих этого те тех them these those this")

// neverWords ask for a long time where no period is named: "ни разу не продавались" (rule R631).
var neverWords = words.Set("ни никогда never ever once")

func (d *draft) hasPeriod() bool {
	return slices.ContainsFunc(d.Items, func(it *typed.Item) bool { return it.Kind == typed.Period })
}

// sign reads "отрицательный остаток" and "без нулевых": a measure beside the word, else the first one.
func (d *draft) sign(it, prev, next *typed.Item) {
	op, of := analysis.Less, ""
	if it.Kind == typed.Nonzero {
		op = analysis.NotEqual
	}
	switch {
	case is(next, typed.Measure) && !strings.Contains(next.ID, " "):
		of = next.ID
	case it.Kind == typed.Negative && len(d.periods) == 0 && d.Previous == nil && slices.Equal(d.asked,
		[]string{"quantity"}):
		d.replace("quantity", "stock") // "количество товаров в минусе"
		of = "stock"
	case is(prev, typed.Measure) && !strings.Contains(prev.ID, " "):
		of = prev.ID
	case len(d.q.Measures) > 0:
		of = d.q.Measures[0]
	case d.Previous != nil:
		of = d.Previous.Measures[0]
	case it.Kind == typed.Negative:
		of = "stock"
	}
	if of == "" {
		return
	}
	if of == "sale_price" && d.Tokens[it.End-1].Norm == "есть" {
		of, op = "stock", analysis.Greater // "посуда дешевле 500, которая есть"
	}
	it.Used = true
	markIf(prev, typed.Except, typed.Absent)
	d.addMeasure(of)
	d.where(of, op, "0")
}
