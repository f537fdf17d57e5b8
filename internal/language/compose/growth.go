package compose

import (
	"slices"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/language/compose/typed"
	"github.com/stockhand/stockhand/internal/language/quantity"
	"github.com/stockhand/stockhand/internal/tool"
	"github.com/stockhand/stockhand/internal/words"
)

// paces are words for growth from one interval of time to the next.
var paces = words.Set("темп темпы прирост прироста рост роста ростом приростом growth rate")

// growsByInterval reads "темп роста по месяцам": each interval is compared with the one before it, so that the whole
// period is compared with itself, moved back by one interval (rule R1088).
func (d *draft) growsByInterval() {
	if !d.compares || d.relative != "" || len(d.q.By) != 1 || !d.ofTime(d.q.By[0]) || len(d.periods) > 1 ||
		!d.word(paces) {
		return
	}
	d.compares = false
	if _, ok := units[d.q.By[0]]; ok {
		d.stepwise = true
	}
}

// comparedStepwise moves the period back by one interval, once it is known.
func (d *draft) comparedStepwise() {
	if !d.stepwise || d.q.From == "" || d.q.Compare != nil || len(d.q.By) != 1 {
		return
	}
	unit, ok := units[d.q.By[0]]
	if !ok {
		return
	}
	first, last := quantity.Begin(unit, d.q.From.Time()), d.q.To.Time()
	d.q.From = tool.DayOf(first)
	before := quantity.Shift(unit, last, -1)
	if next := last.AddDate(0, 0, 1); quantity.Begin(unit, next).Equal(next) { // a whole interval, of whatever length
		before = quantity.Begin(unit, last).AddDate(0, 0, -1)
	}
	d.q.Compare = &analysis.Comparison{From: tool.DayOf(quantity.Shift(unit, first, -1)), To: tool.DayOf(before)}
	if d.shareWord != nil {
		d.q.Share, d.shareWord.Used = false, true // "в процентах": the change
	}
	d.q.Order = slices.DeleteFunc(d.q.Order, func(o analysis.Order) bool { return o.Change })
	for _, it := range d.Items {
		it.Used = it.Used || paces[d.Tokens[it.At].Norm] || it.Kind == typed.Share
	}
}
