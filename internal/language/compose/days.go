package compose

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/language/compose/typed"
	"github.com/stockhand/stockhand/internal/language/quantity"
	"github.com/stockhand/stockhand/internal/words"
)

// daysBehind reports whether a number of days stands behind a measure: "не продавались больше 60 дней".
func (d *draft) daysBehind(it *typed.Item) bool {
	i := slices.Index(d.Items, it)
	next := d.neighbour(i, 1)
	if is(next, typed.Operator) {
		if next.ID == string(analysis.Less) || next.ID == string(analysis.LessEqual) {
			return false
		}
		next = d.neighbour(slices.Index(d.Items, next), 1)
	}
	return is(next, typed.Number) && next.Number.Unit == words.Days
}

// lastDays sets the period to the last days up to today.
func (d *draft) lastDays(n int) {
	from := d.Today.AddDate(0, 0, 1-n)
	d.periods = append(d.periods, &typed.Item{Kind: typed.Period, Period: &quantity.Period{From: from, To: d.Today}})
}

// takeWeekdays reads days of the week as a condition; weekends beside working days are a breakdown.
func (d *draft) takeWeekdays(it, prev *typed.Item) {
	markIf(prev, typed.Except, typed.Absent, typed.Per, typed.Only)
	for i, w := range d.q.Where {
		if w.Field == "weekday" && w.Op == analysis.In && len(w.Values) > 1 && len(it.ID) > 1 &&
			string(w.Values[0]) != it.ID[:1] {
			d.q.Where = slices.Delete(slices.Clone(d.q.Where), i, i+1)
			d.q.By, d.separates = []string{"weekday"}, true
			return
		}
		if w.Field == "weekday" && w.Op == analysis.In && len(w.Values) == 1 && len(d.q.By) == 0 {
			d.q.By, d.separates = []string{"weekday"}, true // "по понедельникам и пятницам"
		}
	}
	for day := range strings.SplitSeq(it.ID, "") {
		d.whereValue("weekday", day, is(prev, typed.Except) || is(prev, typed.Absent))
	}
}

// upToToday returns the task's period that ends today and is longer than a day; nil for none.
func (d *draft) upToToday() *typed.Item {
	i := slices.IndexFunc(d.Items, func(it *typed.Item) bool {
		return it.Kind == typed.Period && d.ended(it.Period).Time().Equal(d.Today) && it.Period.From.Before(d.Today) &&
			!it.Period.From.IsZero()
	})
	if i < 0 {
		return nil
	}
	return d.Items[i]
}

// ofPeriod reports whether "not sold" is said of a period: then goods that it sold none of are meant.
func (d *draft) ofPeriod(it *typed.Item) bool {
	return d.Tokens[it.End-1].Norm != "since" && !strings.HasPrefix(d.Tokens[it.At].Norm, "day") &&
		slices.ContainsFunc(d.Items,
			func(x *typed.Item) bool {
				return x.Kind == typed.Period && !x.Period.From.IsZero() && !x.Period.From.After(d.Today)
			})
}

// notSince asks for customers that bought nothing in a period up to today: "haven't ordered for three months".
func (d *draft) notSince(p *typed.Item) {
	p.Used = true
	d.periods = slices.DeleteFunc(d.periods, func(o *typed.Item) bool { return o == p })
	d.ask("days_since")
	days := int(d.Today.Sub(p.Period.From).Hours()/24) + 1
	if p.Period.Rolling > 0 {
		days = p.Period.Rolling
	}
	d.where("days_since", analysis.GreaterEqual, strconv.Itoa(days))
}

// takeHours reads hours of the day as a condition. Those within hours that the task names before narrow them: "between
// 9 and 12 in the morning".
func (d *draft) takeHours(list []int, excluded bool) {
	var values, both []analysis.Scalar
	for _, h := range list {
		values = append(values, analysis.Scalar(fmt.Sprintf("%02d", h)))
	}
	for i, w := range d.q.Where {
		if w.Field != "hour" || w.Op != analysis.In || excluded {
			continue
		}
		for _, v := range w.Values {
			if slices.Contains(values, v) {
				both = append(both, v)
			}
		}
		if len(both) > 0 {
			d.q.Where[i].Values = both
			return
		}
	}
	for _, v := range values {
		d.whereValue("hour", string(v), excluded)
	}
}
