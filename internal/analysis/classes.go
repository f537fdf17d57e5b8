package analysis

import (
	"cmp"
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/decimal"
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
