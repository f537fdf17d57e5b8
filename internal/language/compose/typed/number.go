package typed

import (
	"slices"
	"strconv"
	"strings"

	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/language/quantity"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// Numeral is a number with its unit.
type Numeral struct {
	Value  string // decimal, scaled; of a duration, days
	Unit   words.UnitKind
	factor int64 // of "thousand" and "weeks"; 0 without such a word
}

// numberAt reads a number at token i, in digits or words, and returns the token after it and its unit; 0 if there is
// none.
func (s *Sentence) numberAt(i int) (Numeral, int) {
	t := &s.Tokens[i]
	if t.Use != token.Unused {
		return Numeral{}, 0
	}
	var n Numeral
	j := i + 1
	switch t.Kind {
	case token.Number:
		text := t.Norm
		for j < len(s.Tokens) && s.Tokens[j].Kind == token.Number && s.Tokens[j].Use == token.Unused &&
			len(s.Tokens[j].Norm) == 3 &&
			!strings.ContainsAny(text, ",.") && len(text) <= 9 { // 10 000
			text += s.Tokens[j].Norm
			j++
		}
		if grouped(text) && s.english() { // 20,000
			text = strings.ReplaceAll(text, ",", "")
		}
		if n.Value = strings.Replace(text, ",", ".", 1); strings.Count(n.Value, ".") > 1 {
			return Numeral{}, 0
		}
	case token.Word:
		v := quantity.Numeral(t.Norm)
		if (t.Norm == "a" || t.Norm == "an") && j < len(s.Tokens) && len(s.Items) > 0 &&
			s.Items[len(s.Items)-1].Kind == Operator && words.TimeUnitOf(s.Tokens[j].Norm) != words.NoTime {
			v = 1 // "less than a week"
		}
		if oneAndAHalf[t.Norm] && j < len(s.Tokens) && (scaleOf(s.Tokens[j].Norm) > 0) {
			n.Value = "1.5"
			break
		}
		switch {
		case s.wholeAt(i) && halfYears[t.Norm], t.Norm == "полгода" && i > 1 && s.Tokens[i-1].Norm == "на" &&
			s.behindOperator(i-1): // "больше полугода", "больше чем на полгода"
			return Numeral{Value: strconv.Itoa(quantity.HalfYear), Unit: words.Days}, j
		case s.wholeAt(i) || v == 0 && scaleOf(t.Norm) > 1 && s.behindOperator(i): // "меньше тысячи"
			v, j = 1, i
		}
		if v == 0 {
			return Numeral{}, 0
		}
		if j < len(s.Tokens) && v >= 20 && v < 100 {
			if ones := quantity.Numeral(s.Tokens[j].Norm); ones > 0 && ones < 10 {
				v, j = v+ones, j+1
			}
		}
		n.Value = strconv.Itoa(v)
	default:
		return Numeral{}, 0
	}
	value, err := decimal.Parse(n.Value)
	if err != nil {
		return Numeral{}, 0
	}
	for j < len(s.Tokens) {
		u, ok := words.UnitOf(s.Tokens[j].Norm)
		if s.Tokens[j].Norm == "%" {
			u, ok = words.Unit{Kind: words.Percent}, true
		}
		if s.Tokens[j].Norm == "₽" {
			u, ok = words.Unit{Kind: words.Money}, true
		}
		if f := quantity.Scale(s.Tokens[j].Norm); f > 0 && t.Kind == token.Number {
			u, ok = words.Unit{Scale: true, Factor: f}, true
		}
		if cur, is := words.SignOf([]rune(s.Tokens[j].Norm + " ")[0]); is {
			u, ok = cur, true
		}
		if u.Currency != "" && u.Currency != "RUB" { // amounts in the account's currency are compared with its own only
			u.Kind = words.Other
		}
		if !ok || u.Attached && !s.Tokens[j].Glued || u.Kind == words.Count || n.Unit != words.NoUnit || s.phraseAt(j) {
			break
		}
		if u.Factor > 0 {
			value = value.Mul(decimal.FromInt(u.Factor))
			n.factor = max(1, n.factor) * u.Factor
		}
		n.Unit = u.Kind
		j++
	}
	if j == i { // the unit belongs to something else
		return Numeral{}, 0
	}
	if i > 0 && n.Unit == words.NoUnit && t.Glued { // $100
		if cur, is := words.SignOf([]rune(s.Tokens[i-1].Norm + " ")[0]); is && cur.Currency != "" {
			if n.Unit = words.Other; cur.Currency == "RUB" {
				n.Unit = words.Money
			}
		}
	}
	n.Value = value.String()
	return n, j
}

// whole are units of time that stand for one of them behind "больше" and "меньше".
var whole = words.Set("недели месяца года полугода квартала суток полугодия")

var halfYears = words.Set("полугода полугодия")

// notMore are words in front of a unit of time that is a period or the end of one.
var notMore = words.Set("чем от до с from to by")

// wholeAt reports whether a unit of time at a token stands for one of them.
func (s *Sentence) wholeAt(i int) bool {
	if i == 0 || !whole[s.Tokens[i].Norm] || s.Tokens[i].Use != token.Unused || s.phraseAt(i) {
		return false
	}
	return s.behindOperator(i) && !notMore[s.Tokens[i-1].Norm]
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
func (s *Sentence) english() bool {
	return !slices.ContainsFunc(s.Tokens, func(t token.Token) bool {
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
func (s *Sentence) phraseAt(i int) bool {
	e, _ := s.x.at(s.Tokens, i)
	return e != nil && len(e.words) > 1
}

// Like returns the number with the unit of another one, if it has none of its own: 10 in "10 to 20 thousand".
func (n Numeral) Like(other Numeral) Numeral {
	if n.Unit != words.NoUnit || n.factor != 0 {
		return n
	}
	value, err := decimal.Parse(n.Value)
	if other.factor > 0 && err == nil {
		n.Value = value.Mul(decimal.FromInt(other.factor)).String()
	}
	n.Unit, n.factor = other.Unit, other.factor
	return n
}

// behindOperator reports whether a comparison with a number ends in front of token i.
func (s *Sentence) behindOperator(i int) bool {
	for at := max(0, i-3); at < i; at++ {
		if e, end := s.x.at(s.Tokens, at); e != nil && e.kind == Operator && end == i {
			return true
		}
	}
	return false
}
