package compose

import (
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/language/compose/typed"
)

// grouped are dimensions of which no classes are computed: only goods have them.
var grouped = []string{"counterparty", "supplier", "store", "employee", "sales_channel", "group", "legal_entity", "tag"}

// classesOf reads ABC analysis of anything but goods, "abc по клиентам": nearest to it are the rows with their running
// part of the whole (rule R608).
func (d *draft) classesOf() {
	abc := slices.ContainsFunc(d.q.By, func(by string) bool { return by == "abc" || by == "xyz" })
	if slices.Equal(d.q.By, []string{"abc"}) && slices.Equal(d.asked, []string{"margin"}) && d.Previous == nil {
		d.replace("margin", "profit")
		d.instead = [2]string{"По марже классов ABC нет: она не складывается. Показать по прибыли?",
			"There are no ABC classes by margin, which does not add up. Show them by profit?"}
		return
	}
	i := slices.IndexFunc(d.q.By, func(by string) bool { return slices.Contains(grouped, by) })
	if !abc || i < 0 || len(d.q.By) != 2 || d.Previous != nil {
		return
	}
	if d.q.By = []string{d.q.By[i]}; len(d.asked) == 0 {
		d.ask("revenue")
	}
	d.accumulate([2]string{"Классы ABC считаются только для товаров. Показать это с накопленной долей?",
		"Only goods have ABC classes. Show this with the running share?"})
}

// mostRows reads "какие группы дают 80 % выручки": the rows with their running part of the whole, which no query cuts
// off (rule R608).
func (d *draft) mostRows(n, next *typed.Item, of string) bool {
	i := slices.IndexFunc(d.q.By, func(by string) bool { return slices.Contains(grouped, by) })
	if i < 0 || len(d.q.By) != 1 || d.Previous != nil || !d.allows(of, d.q.By[i]) {
		return false
	}
	n.Used, next.Used = true, true
	for _, it := range d.Items {
		if it.Kind == typed.Share && it.At < n.At {
			it.Kind, d.q.Share, d.shareWord = typed.Function, false, nil
		}
	}
	if of == "profit" {
		d.remove("revenue")
	}
	d.ask(of)
	d.accumulate([2]string{"Отрезать ровно по 80 % можно только товары. Показать все строки с накопленной долей?",
		"Only goods can be cut off at 80%. Show all rows with the running share?"})
	return true
}

// runningTotal reads "выручка нарастающим итогом": no query sums up from one interval to the next, but the intervals
// can be shown (rule R837).
func (d *draft) runningTotal() {
	if d.Previous != nil || len(d.asked) == 0 || len(d.q.By) > 1 || len(d.q.By) == 1 && !d.ofTime(d.q.By[0]) {
		return
	}
	running := slices.IndexFunc(d.Items, func(it *typed.Item) bool {
		w := d.Tokens[it.At].Norm
		return it.Kind == typed.Unexplained && (strings.HasPrefix(w, "нарастающ") || strings.HasPrefix(w, "накопит"))
	})
	if running < 0 {
		return
	}
	d.Items[running].Used = true
	if next := d.neighbour(running, 1); next != nil && strings.HasPrefix(d.Tokens[next.At].Norm, "итог") {
		next.Used = true
	}
	d.trends = true
	d.instead = [2]string{"Нарастающий итог я не считаю. Показать суммы по отрезкам времени?",
		"I do not compute running totals. Show the sums of the intervals?"}
}

func (d *draft) accumulate(why [2]string) {
	d.direction, d.q.Cumulative, d.instead = analysis.Descending, true, why
}
