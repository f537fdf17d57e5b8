package compose

import (
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/language/compose/typed"
	"github.com/stockhand/stockhand/internal/words"
)

// bounds gives the two numbers of a range the unit that only one of them names: "больше 10, но меньше 50 тысяч",
// "дороже тысячи и дешевле двух" (rule R853).
func (s *sentence) bounds() {
	for i, op := range s.Items {
		s.andLess(i)
		first := s.firstBound(i)
		if first == nil {
			continue
		}
		low, high := &s.numberOf(first).Number, &s.numberOf(op).Number
		if low.Unit == words.Quantity != (high.Unit == words.Quantity) && s.comparesPrices(first) {
			continue // "дешевле 200, которых больше 50 штук"
		}
		if ofUpper(first) {
			low, high = high, low
		}
		switch scaledLow, scaledHigh := low.Like(*high), high.Like(*low); {
		case below(scaledLow, *high):
			*low = scaledLow
		case below(*low, scaledHigh):
			*high = scaledHigh
		}
	}
}

// andLess reads "and less than 10", which is not the "and less" behind a number.
func (s *sentence) andLess(i int) {
	op := s.Items[i]
	if !ofBound(op) || s.Tokens[op.At].Norm != "and" || i+2 >= len(s.Items) || s.Items[i+2].Kind != typed.Number ||
		s.Tokens[s.Items[i+1].At].Norm != "than" {
		return
	}
	s.Items[i+1].Kind = typed.Function
	if op.ID = string(analysis.Greater); s.Tokens[op.End-1].Norm == "less" || s.Tokens[op.End-1].Norm == "lower" {
		op.ID = string(analysis.Less)
	}
}

// firstBound returns the operator of the condition that the one of an item goes on with in the other direction:
// "остаток больше 5 и меньше 10". It returns nil if there is none.
func (s *sentence) firstBound(i int) *typed.Item {
	if !ofBound(s.Items[i]) || s.numberOf(s.Items[i]) == nil {
		return nil
	}
	k := i - 1
	for k >= 0 {
		w := s.Tokens[s.Items[k].At].Norm
		joins := s.Items[k].Kind == typed.Function || s.Items[k].Kind == typed.Joining || w == "но" || w == "but"
		if !joins || strings.HasPrefix(w, "котор") { // "дешевле 200, которых больше 50"
			break
		}
		k--
	}
	if k < 1 || s.Items[k].Kind != typed.Number || !ofBound(s.Items[k-1]) ||
		ofUpper(s.Items[k-1]) == ofUpper(s.Items[i]) {
		return nil
	}
	return s.Items[k-1]
}

// numberOf returns the number right behind an operator; nil for none.
func (s *sentence) numberOf(op *typed.Item) *typed.Item {
	i := slices.Index(s.Items, op) + 1
	for i < len(s.Items) && s.Items[i].Kind == typed.Function {
		i++
	}
	if i >= len(s.Items) || s.Items[i].Kind != typed.Number {
		return nil
	}
	return s.Items[i]
}

// secondBound returns the measure of the condition that an operator goes on with; empty if there is none.
func (d *draft) secondBound(op *typed.Item) string {
	first := d.firstBound(slices.Index(d.Items, op))
	if first == nil || !first.Used || d.comparesPrices(first) && !d.comparesPrices(op) {
		return ""
	}
	n, own := d.numberOf(first), d.numberOf(op)
	if is(d.neighbour(slices.Index(d.Items, own), 1), typed.Measure) {
		return "" // "дешевле 50 и больше сотни на остатке"
	}
	for _, w := range slices.Backward(d.q.Where) {
		if w.Op == analysis.Op(first.ID) && len(w.Values) == 1 && string(w.Values[0]) == n.Number.Value {
			if m, ok := d.Catalogue.Measure(w.Field); ok && unitFits(m.Unit, own.Number.Unit) {
				return w.Field
			}
		}
	}
	return ""
}

// comparesPrices reports whether an operator compares prices by itself: "дороже".
func (s *sentence) comparesPrices(op *typed.Item) bool {
	return priceWords[s.Tokens[op.At].Norm] || priceWords[s.Tokens[op.End-1].Norm]
}

// ofBound reports whether an item compares with one number.
func ofBound(it *typed.Item) bool {
	switch analysis.Op(it.ID) {
	case analysis.Greater, analysis.GreaterEqual, analysis.Less, analysis.LessEqual:
		return it.Kind == typed.Operator
	default:
		return false
	}
}

func ofUpper(op *typed.Item) bool {
	return analysis.Op(op.ID) == analysis.Less || analysis.Op(op.ID) == analysis.LessEqual
}

// below reports whether a number is less than another one of the same unit.
func below(a, b typed.Numeral) bool {
	x, err := decimal.Parse(a.Value)
	y, err2 := decimal.Parse(b.Value)
	return err == nil && err2 == nil && a.Unit == b.Unit && x.Cmp(y) < 0
}
