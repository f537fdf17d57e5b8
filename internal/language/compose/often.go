package compose

import (
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/language/compose/typed"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/tool"
	"github.com/stockhand/stockhand/internal/words"
)

// countOfOften are the counts by the sums that "чаще" turns into them.
var countOfOften = map[string]string{"revenue": "receipts", "returns": "quantity_returned", "purchases": "deliveries",
	"ordered": "purchase_orders", "orders_sum": "orders", "written_off": "quantity_written_off"}

// howOften ranks by a count where the task ranks by how often. "Чаще" of what has no count is not understood.
func (d *draft) howOften() {
	if !d.often() || len(d.asked) == 0 {
		return
	}
	for from, to := range countOfOften {
		if slices.Contains(d.asked, from) && d.fits(to) {
			d.replace(from, to)
		}
	}
	if slices.ContainsFunc(d.asked, func(name string) bool {
		m, ok := d.Catalogue.Measure(name)
		return ok && (m.Unit == tool.UnitCount || m.Unit == tool.UnitQuantity)
	}) || d.Previous != nil {
		return
	}
	for _, it := range d.Items {
		if it.Kind == typed.Best && slices.ContainsFunc(d.Tokens[it.At:it.End], func(t token.Token) bool {
			return oftenWords[t.Norm]
		}) {
			it.Used = false
		}
	}
}

// fits reports whether a measure can be broken down as the task is.
func (d *draft) fits(m string) bool {
	return !slices.ContainsFunc(d.q.By, func(by string) bool { return !d.allows(m, by) })
}

// often reports whether the ranking is by how often.
func (d *draft) often() bool { return d.direction != "" && d.word(oftenWords) }

// largest reads "the biggest order this month": the document with the greatest sum.
func (d *draft) largest() {
	if d.biggest() {
		return
	}
	for i, it := range d.Items {
		first, _, both := strings.Cut(it.ID, " ")
		sum := sumsOf[first]
		if !is(it, typed.Measure) || sum == "" ||
			d.Tokens[it.End-1].Norm != strings.TrimSuffix(d.Tokens[it.End-1].Norm, "s") ||
			i == 0 || d.Items[i-1].Kind != typed.Best && d.Items[i-1].Kind != typed.Worst || len(d.q.By) > 0 ||
			(d.Tokens[it.At].Cyrillic || moneyMeasures[first]) && !oneDocument[d.Tokens[it.End-1].Norm] ||
			!d.allows(sum, "document") {
			continue
		}
		d.replace(first, sum)
		if both { // "приёмка" has a sum and a number
			d.q.Measures, d.asked = []string{sum}, []string{sum}
		}
		d.q.By = []string{"document"}
		if d.ordered = sum; d.q.Limit == 0 {
			d.q.Limit = 1
		}
		return
	}
}

// oneDocument are Russian words for one document.
var oneDocument = words.Set("заказ отгрузка приемка продажа покупка поставка закупка заказа отгрузку приемку " +
	"продажу покупку поставку закупку возврат оплата оплату платеж поступление списание " +
	"refund return payment")

// sumsOf are the sums of documents by their numbers.
var sumsOf = map[string]string{"orders": "orders_sum", "receipts": "revenue", "revenue": "revenue",
	"purchases": "purchases", "purchase_orders": "ordered", "deliveries": "purchases", "returns": "returns",
	"money_in": "money_in", "money_out": "money_out"}

// whichOf reads "and on what" and "from whom" as a breakdown.
func (d *draft) whichOf() {
	if len(d.q.By) > 0 || len(d.asked) == 0 {
		return
	}
	for i := 1; i < len(d.Tokens); i++ {
		by := ""
		if before := d.Tokens[i-1].Norm; before == "on" || before == "of" || before == "from" || before == "by" ||
			before == "to" || before == "with" {
			by = map[string]string{"what": "product", "which": "product", "whom": "counterparty",
				"who": "counterparty"}[d.Tokens[i].Norm]
		}
		if last := i+1 == len(d.Tokens) || d.Tokens[i+1].Kind == token.Mark; by != "" && last && d.allAllow(by) {
			d.q.By = []string{by}
			return
		}
	}
}
