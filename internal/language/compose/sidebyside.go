package compose

import (
	"slices"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/language/compose/typed"
)

// ofNames reports whether a comparison is of two names, and of no two periods: "сравни Витрину и Лесную", "Витрина и
// Лесная, сравни", but not "сравни Витрину и Лесную с прошлым месяцем" (rule R994).
func (d *draft) ofNames(i int) bool {
	n, times, withPeriod := 0, 0, false
	if is(d.neighbour(i, -1), typed.Named) && is(d.neighbour(i, 1), typed.Named) {
		n++ // "groceries vs sweets last month"
	}
	for _, it := range d.Items[i+1:] {
		switch it.Kind {
		case typed.Named:
			n++
		case typed.Period:
			times++
			withPeriod = withPeriod || togetherWords[d.Tokens[it.At].Norm] ||
				it.At > 0 && togetherWords[d.Tokens[it.At-1].Norm]
		default:
		}
	}
	if n == 0 && d.namesJoined(i) {
		n = 2
	}
	if n >= 2 && times <= 1 {
		d.separates = true
		return !withPeriod
	}
	return false
}

// namesJoined reports whether two names that "and" joins stand before an item.
func (d *draft) namesJoined(i int) bool {
	for k := 2; k < i; k++ {
		if is(d.Items[k], typed.Named) && is(d.Items[k-1], typed.Joining) && is(d.Items[k-2], typed.Named) {
			return true
		}
	}
	return false
}

// namesApart shows a row for each of several names that are compared or asked for separately.
func (d *draft) namesApart() {
	if !d.separates && !d.ofEachRow() && !d.severalNamed() || len(d.q.By) > 0 {
		return
	}
	for _, goods := range []bool{false, true} {
		for _, w := range d.q.Where {
			if w.Op == analysis.In && len(w.Values) > 1 && (w.Field == "product") == goods {
				if !goods && (d.goods || d.asksWhat()) && d.allAllow("product") && d.allAllow(w.Field) {
					d.q.By = []string{"product"} // "what sells better at Mira than at Lesnaya"
				}
				d.q.By = append(d.q.By, w.Field)
				return
			}
		}
	}
}

// severalNamed reports whether a first question names several values of one dimension, which are shown one by one and
// with their total: "сколько ушло на рекламу и на зарплату" (rule R1026).
func (d *draft) severalNamed() bool {
	if d.Previous != nil || d.compares || d.q.Share || d.goods || d.direction != "" || d.q.Compare != nil {
		return false
	}
	return slices.ContainsFunc(d.q.Where, func(w analysis.Condition) bool {
		n := 0
		for _, it := range d.Items {
			if is(it, typed.Named) && it.Used && typed.DimensionOf(it.Name.Meanings[0].Kind) == w.Field {
				n++
			}
		}
		return n > 1 && w.Op == analysis.In && len(w.Values) > 1 && d.allAllow(w.Field)
	})
}

// ofEachRow reports whether the task asks what several rows of the table before have: "сколько у них чеков".
func (d *draft) ofEachRow() bool {
	for i := 1; i < len(d.Tokens); i++ {
		if w, before := d.Tokens[i].Norm, d.Tokens[i-1].Norm; (w == "них" && before == "у") ||
			w == "they" && before == "do" || w == "each" && before == "does" {
			return true
		}
	}
	return false
}
