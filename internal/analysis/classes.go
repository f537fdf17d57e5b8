package analysis

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

var (
	upToA = decimal.FromInt(80)
	upToB = decimal.FromInt(95)
)

// ABC returns the class of each of the values, which are sorted from the greatest: A while their running sum is at most
// 80% of the total, B up to 95%, C beyond. The greatest is always A. A value that is not positive is C and in no sum;
// an unknown one has no class.
func ABC(sorted []decimal.Maybe) []string {
	var total, sum decimal.Decimal
	for _, v := range sorted {
		if v.Known {
			total = total.Add(v.Max(decimal.Zero))
		}
	}
	classes := make([]string, len(sorted))
	for i, v := range sorted {
		if !v.Known {
			continue
		}
		if classes[i] = "C"; v.Sign() <= 0 {
			continue
		}
		sum = sum.Add(v.Decimal)
		switch percent := sum.Mul(decimal.Hundred); {
		case i == 0 || percent.Cmp(total.Mul(upToA)) <= 0:
			classes[i] = "A"
		case percent.Cmp(total.Mul(upToB)) <= 0:
			classes[i] = "B"
		}
	}
	return classes
}

// Classify returns the ABC class of each good by the first measure of the plan, over the facts that meet all conditions
// on dimensions but those on the field, which is the one that names the good in the keys. Equal values are ordered by
// name, then by ID. Goods without a name in the keys or a value have no class.
func (p *Plan) Classify(field string, facts []Fact) map[string]string {
	at := slices.Index(p.Fields(), field)
	groups := map[string]*Group{}
	var order []*Group
	for _, f := range facts {
		k := f.Keys[at]
		if k.ID == "" || !p.acceptsBut(f.Keys, at) {
			continue
		}
		if groups[k.ID] == nil {
			groups[k.ID] = newGroup(p, []Key{k})
			order = append(order, groups[k.ID])
		}
		groups[k.ID].add(f)
	}
	m := p.Shown[0]
	values := make(map[*Group]decimal.Maybe, len(order))
	for _, g := range order {
		values[g] = g.value(m)
	}
	slices.SortFunc(order, func(x, y *Group) int {
		a, b := values[x], values[y]
		switch {
		case a.Known != b.Known && a.Known:
			return -1
		case a.Known != b.Known:
			return 1
		}
		return cmp.Or(b.Cmp(a.Decimal), strings.Compare(fold(x.Keys[0].Name), fold(y.Keys[0].Name)),
			strings.Compare(x.Keys[0].ID, y.Keys[0].ID))
	})
	sorted := make([]decimal.Maybe, len(order))
	for i, g := range order {
		sorted[i] = values[g]
	}
	classes := make(map[string]string, len(order))
	for i, class := range ABC(sorted) {
		classes[order[i].Keys[0].ID] = class
	}
	return classes
}

// acceptsBut is like accepts without the conditions on one field.
func (p *Plan) acceptsBut(keys []Key, field int) bool {
	for i := range p.Facts {
		if f := &p.Facts[i]; f.field != field && !f.accepts(keys[f.field]) {
			return false
		}
	}
	return true
}

// SlicesXYZ cuts a period into the slices that [XYZ] compares: weeks up to two months, at most twelve months beyond, of
// nearly equal length. A period shorter than three weeks is a single slice, which tells nothing.
func SlicesXYZ(p tool.Period) []tool.Period {
	days := p.Days()
	n := days / 7
	if days > 62 {
		n = min(12, (days+15)/30)
	}
	if n < leastSlices {
		n = 1
	}
	return p.Cut(n)
}

// leastSlices is how many slices tell whether sales are even.
const leastSlices = 3

// XYZ returns the class and the coefficient of variation, in percent, of the daily quantity sold over the slices of a
// period: X up to 10%, Y up to 25%, Z beyond. Classes are based on the exact squares; only the displayed figure needs a
// root.
func XYZ(sold []decimal.Decimal, parts []tool.Period) (class string, variation decimal.Maybe) {
	if len(parts) < leastSlices {
		return "", decimal.Maybe{}
	}
	n := decimal.FromInt(int64(len(parts)))
	daily := make([]decimal.Decimal, len(parts))
	var mean decimal.Decimal
	for i, p := range parts {
		daily[i] = sold[i].Div(decimal.FromInt(int64(p.Days()))).Round(8) //nolint:gosec // one quantity per part
		mean = mean.Add(daily[i])
	}
	if mean = mean.Div(n).Round(8); mean.Sign() <= 0 {
		return "Z", decimal.Maybe{}
	}
	var squares decimal.Decimal
	for _, d := range daily {
		ratio := d.Sub(mean).Div(mean).Round(8)
		squares = squares.Add(ratio.Mul(ratio).Round(8))
	}
	square := squares.Div(n)
	if !square.Valid() {
		return "Z", decimal.Maybe{}
	}
	switch class = "Z"; {
	case square.Cmp(decimal.MustParse("0.01")) <= 0:
		class = "X"
	case square.Cmp(decimal.MustParse("0.0625")) <= 0:
		class = "Y"
	}
	root, err := decimal.Parse(fmt.Sprintf("%.3f", 100*math.Sqrt(square.Float64())))
	return class, decimal.Maybe{Decimal: root, Known: err == nil}
}
