package compose

import (
	"slices"
	"strconv"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/language/compose/typed"
	"github.com/stockhand/stockhand/internal/words"
)

// needNot reads "что можно не заказывать ещё месяца три" as the goods that last longer than that (rule R1077): what
// must be ordered is the opposite.
func (d *draft) needNot() {
	at := -1
	for i := 2; i < len(d.Tokens); i++ {
		if d.Tokens[i-1].Norm == "не" && orderingVerbs[d.Tokens[i].Norm] && needNotWords[d.Tokens[i-2].Norm] {
			at = i
		}
	}
	if d.Previous != nil || at < 0 {
		return
	}
	days := d.statedDays(at)
	if days == 0 {
		return
	}
	d.q.Measures, d.asked, d.q.Order, d.direction = nil, nil, nil, ""
	d.ask("days_of_cover")
	d.q.Where = slices.DeleteFunc(slices.Clone(d.q.Where), func(w analysis.Condition) bool {
		_, ofMeasure := d.Catalogue.Measure(w.Field)
		return ofMeasure
	})
	d.where("days_of_cover", analysis.Greater, strconv.Itoa(days))
	d.periods, d.goods = nil, true
	d.q.By = nil
	for _, it := range d.Items {
		it.Used = it.Used || it.Kind != typed.Named && it.Kind != typed.Unexplained
		w := d.Tokens[it.At].Norm
		if it.Kind == typed.Unexplained && (needNotWords[w] || orderingVerbs[w] || w == "не") {
			it.Used = true
		}
	}
}

// statedDays returns how many days the words behind a token say: "ещё месяца три", "две недели", "30 дней".
func (d *draft) statedDays(from int) int {
	n, unit := 0, 0
	for _, it := range d.Items {
		if it.At <= from {
			continue
		}
		if it.Kind == typed.Period && it.Period.Rolling > 0 {
			return it.Period.Rolling
		}
		if it.Kind == typed.Number {
			v, err := strconv.Atoi(it.Number.Value)
			if err != nil {
				return 0
			}
			if it.Number.Unit == words.Days {
				return v
			}
			n = v
		}
		for _, t := range d.Tokens[it.At:it.End] {
			if u := words.TimeUnitOf(t.Norm); u != words.NoTime {
				unit = u.Days()
			}
		}
	}
	if n == 0 {
		n = 1
	}
	return n * unit
}

var (
	needNotWords  = words.Set("можно нужно надо стоит пока")
	orderingVerbs = words.Set("заказывать закупать покупать докупать дозаказывать брать возить завозить закупить заказать " +
		"докупить")
)
