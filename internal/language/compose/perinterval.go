package compose

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/language/compose/typed"
	"github.com/stockhand/stockhand/internal/language/quantity"
	"github.com/stockhand/stockhand/internal/tool"
	"github.com/stockhand/stockhand/internal/words"
)

// averagesOver reads "среднемесячная" and "средненедельная" as an average and its interval (rule R1057).
func (s *sentence) averagesOver() {
	if s.Previous != nil {
		return
	}
	over := slices.ContainsFunc(s.Items, func(it *typed.Item) bool {
		return it.Kind == typed.Dimension && it.Each && inAverage[it.ID].RU != ""
	})
	for _, it := range s.Items {
		if over && it.Kind == typed.Measure && it.ID == "purchase_price" && it.End == it.At+3 &&
			s.Tokens[it.At+1].Norm == "среднем" && boughtByUs[s.Tokens[it.End-1].Norm] {
			it.ID, s.averaged = "purchases", true // "в среднем закупаем в месяц" is no price
		}
		if it.Kind != typed.Unexplained {
			continue
		}
		for prefix, unit := range map[string]string{"среднемесячн": "month", "средненедельн": "week",
			"среднегодов": "year", "среднеквартальн": "quarter"} {
			if strings.HasPrefix(s.Tokens[it.At].Norm, prefix) {
				it.Kind, it.ID = typed.Average, unit
			}
		}
	}
}

var boughtByUs = words.Set("закупаем закупали покупаем покупали берем брали завозим завозили")

// intervalAverage reads "сколько в среднем продаём в неделю" and "средняя прибыль за месяц": a sum over the number of
// whole weeks or months of the period, by default the last twelve (rule R1057).
func (d *draft) intervalAverage() {
	if d.Previous != nil || len(d.asked) == 0 || len(d.q.Define) > 0 || d.q.Compare != nil || d.compares ||
		d.conditioned("weekday") || len(d.asked) != len(d.q.Measures) {
		return
	}
	unit, said := d.averageUnit()
	var of []*analysis.Measure
	for _, name := range d.asked {
		m, ok := d.Catalogue.Measure(cmp.Or(perDayOf[name], name))
		if !ok || !m.Adds || m.Now {
			return
		}
		of = append(of, m)
	}
	if unit == "" {
		return
	}
	from, to := d.wholeIntervals(units[unit], said)
	n := 0
	for at := from; !at.After(to); at = quantity.Shift(units[unit], at, 1) {
		n++
	}
	if n == 0 {
		return
	}
	for i, m := range of {
		name := "on_average"
		if i > 0 {
			name += "_" + strconv.Itoa(i+1)
		}
		d.replace(d.asked[i], name)
		d.q.Define = append(d.q.Define, analysis.Definition{Name: name, Formula: fmt.Sprintf("%s / %d", m.Name, n),
			Unit: analysis.Shown(m.Unit),
			Title: d.title(m.Title.RU+" в среднем "+cmp.Or(inAverage[unit].RU, "за день"),
				m.Title.EN+" a "+unit+" on average")})
	}
	d.perDay = false
	d.q.By = slices.DeleteFunc(slices.Clone(d.q.By), func(by string) bool { return by == unit })
	d.q.From, d.q.To = tool.DayOf(from), tool.DayOf(to)
	for _, it := range d.Items {
		it.Used = it.Used || it.Kind == typed.Average || it.Kind == typed.PerDay
	}
}

// ofTimes reports whether the task breaks down by intervals of time, or ranks them.
func (d *draft) ofTimes() bool { return slices.ContainsFunc(d.q.By, d.ofTime) }

// averageUnit returns the interval that an average is of, and the period that stands for it: "за месяц"; empty for
// none.
func (d *draft) averageUnit() (unit string, said *typed.Item) {
	average := slices.IndexFunc(d.Items, func(it *typed.Item) bool { return it.Kind == typed.Average })
	if d.perDay && !d.ofTimes() && !slices.ContainsFunc(d.asked, func(m string) bool { return perDayOf[m] != "" }) {
		return "day", nil // "сколько заказов в день" (rule R1203)
	}
	if average < 0 && !d.averaged {
		return "", nil
	}
	if average >= 0 && d.Items[average].ID != "" {
		return d.Items[average].ID, nil
	}
	for _, it := range d.Items {
		switch {
		case is(it, typed.Dimension) && inAverage[it.ID].RU != "" && (it.Each || it.At > 0 && !it.Plural &&
			d.Tokens[it.At-1].Norm == "per"):
			return it.ID, nil
		case is(it, typed.Period) && len(d.periods) == 1 && it.End <= it.At+2:
			for name := range inAverage {
				if bareUnits[d.Tokens[it.End-1].Norm] == name && !it.Period.From.IsZero() {
					return name, it
				}
			}
		}
	}
	return "", nil
}

// bareUnits are the words for an interval that an average may be of: "за неделю".
var bareUnits = map[string]string{"неделю": "week", "месяц": "month", "квартал": "quarter", "week": "week",
	"month": "month", "quarter": "quarter"}

var inAverage = map[string]tool.Text{"week": {RU: "за неделю"}, "month": {RU: "за месяц"},
	"quarter": {RU: "за квартал"}, "year": {RU: "за год"}}

// mostIntervals is how many intervals an average is over where no period is named.
const mostIntervals = 12

// wholeIntervals returns the first and the last day of the whole intervals of the period, or of the last ones before
// the current one. The period said is not one, if it names the interval itself.
func (d *draft) wholeIntervals(unit words.TimeUnit, said *typed.Item) (from, to time.Time) {
	begin := quantity.Begin(unit, d.Today)
	ofIt := func(by string) bool { return units[by] == unit }
	if d.q.From == "" || said != nil || slices.ContainsFunc(d.q.By, ofIt) && len(d.periods) == 0 {
		back := mostIntervals
		switch unit {
		case words.Year, words.Quarter:
			back = 4
		case words.Day:
			back = 30
		case words.NoTime, words.Week, words.Month:
		}
		return quantity.Shift(unit, begin, -back), begin.AddDate(0, 0, -1)
	}
	first, last := d.q.From.Time(), d.q.To.Time()
	if from = quantity.Begin(unit, first); from.Before(first) {
		from = quantity.Shift(unit, from, 1)
	}
	to = quantity.Begin(unit, last.AddDate(0, 0, 1)).AddDate(0, 0, -1)
	return from, to
}
