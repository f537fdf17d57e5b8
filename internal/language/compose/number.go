package compose

import (
	"slices"
	"strconv"
	"strings"

	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/language/quantity"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// numeral is a number with its unit.
type numeral struct {
	value  string // decimal, scaled; of a duration, days
	unit   words.UnitKind
	factor int64 // of "thousand" and "weeks"; 0 without such a word
}

// numberAt reads a number at token i, in digits or words, and returns the token after it and its unit; 0 if there is
// none.
func (s *sentence) numberAt(i int) (numeral, int) {
	t := &s.ts[i]
	if t.Use != token.Unused {
		return numeral{}, 0
	}
	var n numeral
	j := i + 1
	switch t.Kind {
	case token.Number:
		text := t.Norm
		for j < len(s.ts) && s.ts[j].Kind == token.Number && s.ts[j].Use == token.Unused && len(s.ts[j].Norm) == 3 &&
			!strings.ContainsAny(text, ",.") && len(text) <= 9 { // 10 000
			text += s.ts[j].Norm
			j++
		}
		if grouped(text) && s.english() { // 20,000
			text = strings.ReplaceAll(text, ",", "")
		}
		if n.value = strings.Replace(text, ",", ".", 1); strings.Count(n.value, ".") > 1 {
			return numeral{}, 0
		}
	case token.Word:
		v := quantity.Numeral(t.Norm)
		if (t.Norm == "a" || t.Norm == "an") && j < len(s.ts) && len(s.items) > 0 &&
			s.items[len(s.items)-1].kind == operator && words.TimeUnitOf(s.ts[j].Norm) != words.NoTime {
			v = 1 // "less than a week"
		}
		if oneAndAHalf[t.Norm] && j < len(s.ts) && (scaleOf(s.ts[j].Norm) > 0) {
			n.value = "1.5"
			break
		}
		if v == 0 {
			return numeral{}, 0
		}
		if j < len(s.ts) && v >= 20 && v < 100 {
			if ones := quantity.Numeral(s.ts[j].Norm); ones > 0 && ones < 10 {
				v, j = v+ones, j+1
			}
		}
		n.value = strconv.Itoa(v)
	default:
		return numeral{}, 0
	}
	value, err := decimal.Parse(n.value)
	if err != nil {
		return numeral{}, 0
	}
	for j < len(s.ts) {
		u, ok := words.UnitOf(s.ts[j].Norm)
		if s.ts[j].Norm == "%" {
			u, ok = words.Unit{Kind: words.Percent}, true
		}
		if s.ts[j].Norm == "₽" {
			u, ok = words.Unit{Kind: words.Money}, true
		}
		if f := quantity.Scale(s.ts[j].Norm); f > 0 && t.Kind == token.Number {
			u, ok = words.Unit{Scale: true, Factor: f}, true
		}
		if cur, is := words.SignOf([]rune(s.ts[j].Norm + " ")[0]); is {
			u, ok = cur, true
		}
		if u.Currency != "" && u.Currency != "RUB" { // amounts in the account's currency are compared with its own only
			u.Kind = words.Other
		}
		if !ok || u.Attached && !s.ts[j].Glued || u.Kind == words.Count || n.unit != words.NoUnit || s.phraseAt(j) {
			break
		}
		if u.Factor > 0 {
			value = value.Mul(decimal.FromInt(u.Factor))
			n.factor = max(1, n.factor) * u.Factor
		}
		n.unit = u.Kind
		j++
	}
	if i > 0 && n.unit == words.NoUnit && t.Glued { // $100
		if cur, is := words.SignOf([]rune(s.ts[i-1].Norm + " ")[0]); is && cur.Currency != "" {
			if n.unit = words.Other; cur.Currency == "RUB" {
				n.unit = words.Money
			}
		}
	}
	n.value = value.String()
	return n, j
}

// grouped reports whether a number has commas before groups of three digits.
func grouped(text string) bool {
	whole, _, _ := strings.Cut(text, ".")
	groups := strings.Split(whole, ",")
	for i, g := range groups {
		if i > 0 && len(g) != 3 || i == 0 && (len(g) > 3 || strings.HasPrefix(g, "0")) {
			return false
		}
	}
	return len(groups) > 1
}

// english reports whether the task has no Russian words but names.
func (s *sentence) english() bool {
	return !slices.ContainsFunc(s.ts, func(t token.Token) bool {
		return t.Kind == token.Word && t.Cyrillic && t.Use != token.AsName
	})
}

// oneAndAHalf are the words for 1.5, which stand before a scale.
var oneAndAHalf = words.Set("полтора полторы полутора")

// scaleOf returns the factor of "thousand", formal or not; 0 for any other word.
func scaleOf(w string) int64 {
	if u, ok := words.UnitOf(w); ok && u.Scale {
		return u.Factor
	}
	return quantity.Scale(w)
}

// phraseAt reports whether a phrase of several words begins at a token, so that "days" in "top 7 days of cover" is no
// unit.
func (s *sentence) phraseAt(i int) bool {
	e, _ := s.x.at(s.ts, i)
	return e != nil && len(e.words) > 1
}

// like returns the number with the unit of another one, if it has none of its own: 10 in "10 to 20 thousand".
func (n numeral) like(other numeral) numeral {
	if n.unit != words.NoUnit || n.factor != 0 {
		return n
	}
	value, err := decimal.Parse(n.value)
	if other.factor > 0 && err == nil {
		n.value = value.Mul(decimal.FromInt(other.factor)).String()
	}
	n.unit, n.factor = other.unit, other.factor
	return n
}
