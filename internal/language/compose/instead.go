package compose

import (
	"slices"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/language/compose/typed"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// ofEachBuyer offers the nearest figures where a task asks what one customer spends in a month: an average receipt is
// no answer, and nothing counts the customers of an interval (rule R1208).
func (d *draft) ofEachBuyer() {
	it := d.saidBy("average_receipt")
	if it == nil || d.Previous != nil || !d.says(it, spendsOnAverage) {
		return
	}
	unit := ""
	for i, x := range d.Items {
		switch {
		case is(x, typed.PerDay):
			unit = "day"
		case is(x, typed.Dimension) && d.ofTime(x.ID) && x.Each && !is(d.neighbour(i, -1), typed.Per):
			unit = x.ID
		}
		if unit != "" {
			x.Used = true
			break
		}
	}
	if unit == "" {
		return
	}
	for _, x := range d.Items {
		x.Used = x.Used || x.Kind == typed.Average || x.Kind == typed.Dimension && x.ID == "counterparty"
	}
	d.q.By = []string{"counterparty", unit}
	d.replace("average_receipt", "revenue")
	bill := analysis.Query{Measures: []string{"average_receipt"}, Where: d.q.Where, From: d.q.From, To: d.q.To}
	d.others = append(d.others, bill)
	d.instead = [2]string{"Сколько в среднем тратит один покупатель за такой срок, не считаю. Что показать?",
		"What one customer spends in such a time on average is not counted. What shall I show?"}
}

var spendsOnAverage = words.Set("тратит тратят оставляет оставляют покупает покупают берет берут клиент покупатель " +
	"человек spend spends spending customer customers")

// profitOfOne offers a ranking of goods where a task asks for the most profitable document: costs are not known by
// documents (rule R1208).
func (d *draft) profitOfOne() {
	if d.Previous != nil {
		return
	}
	for i, it := range d.Items {
		if !is(it, typed.Measure) || it.ID != "profit" && it.ID != "margin" || it.Order == "" {
			continue
		}
		next := d.neighbour(i, 1)
		if next == nil || next.At != it.End ||
			!oneDocument[d.Tokens[next.At].Norm] && !rankedSales[d.Tokens[next.At].Norm] {
			continue
		}
		next.Used = true
		d.q.Measures, d.asked, d.q.Limit = []string{it.ID}, []string{it.ID}, 0
		d.q.By, d.goods, d.ordered = []string{"product"}, false, it.ID
		buyers := analysis.Query{Measures: []string{it.ID}, By: []string{"counterparty"}, Where: d.q.Where,
			From: d.q.From, To: d.q.To,
			Order: []analysis.Order{{Field: it.ID, Direction: it.Order}}}
		d.others = append(d.others, buyers)
		d.instead = [2]string{"Прибыль известна по товарам и покупателям, а не по документам. Что показать?",
			"Profit is known by product and by customer, not by document. What shall I show?"}
		return
	}
}

var rankedSales = words.Set("чек order sale shipment receipt")

// shareInEach offers the figures of each part and interval where a task asks for shares in each interval: shares are of
// the whole period (rule R1208).
func (d *draft) shareInEach() {
	if !d.q.Share || d.Previous != nil || !slices.ContainsFunc(d.q.By, d.ofTime) {
		return
	}
	parts := slices.ContainsFunc(d.q.By, func(by string) bool { return !d.ofTime(by) })
	named := slices.ContainsFunc(d.q.Where, func(w analysis.Condition) bool {
		_, ok := d.Catalogue.Measure(w.Field)
		return !ok
	})
	if !parts && !named {
		return
	}
	d.q.Share = false
	d.instead = [2]string{"Доли внутри каждого отрезка не считаю, только от всего периода. Что показать?",
		"Shares in each interval are not counted, only those of the whole period. What shall I show?"}
	whole := d.q
	whole.By = slices.DeleteFunc(slices.Clone(d.q.By), d.ofTime)
	if whole.Share = len(whole.By) > 0; whole.Share {
		d.others = append(d.others, whole)
	}
}

// dearerNow takes "what got more expensive" for prices that changed, and not for the highest ones.
func (s *sentence) dearerNow() {
	for i, it := range s.Items {
		last := s.Tokens[it.End-1].Norm
		became := slices.ContainsFunc(s.Tokens[max(0, it.At-2):it.End], func(t token.Token) bool {
			return becameWords[t.Norm]
		})
		if it.Kind != typed.Measure && it.Kind != typed.Operator || it.At == 0 || !became ||
			!pricier[last] && last != "expensive" && last != "cheap" {
			continue
		}
		it.Kind, it.ID, it.Order, s.repriced = typed.Function, "", "", true
		if i > 0 && becameWords[s.Tokens[s.Items[i-1].At].Norm] {
			s.Items[i-1].Kind = typed.Function
		}
	}
}

var becameWords = words.Set("стал стала стало стали got become became getting becoming")
