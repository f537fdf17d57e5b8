package proposal

import (
	"strconv"
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/language/request"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// number is a number with its sign and unit, and its tokens [at, end).
type number struct {
	at, end int
	value   string // decimal, scaled; of weeks and months, days
	sign    string
	unit    words.UnitKind
	measure bool // in kilograms, boxes and the like, which may not be the unit of the goods
	used    bool
}

// readNumbers finds the numbers that nothing else has used.
func (s *sentence) readNumbers() {
	for i := 0; i < len(s.Words); {
		n := s.numberAt(i)
		if n == nil {
			i++
			continue
		}
		s.packed(n)
		s.numbers = append(s.numbers, n)
		i = n.end
	}
}

// packed reads "5 упаковок по 12" as one quantity.
func (s *sentence) packed(n *number) {
	end := n.end
	if s.kind == Prices || n.unit != words.NoUnit && n.unit != words.Quantity {
		return
	}
	if !request.Begins(s.Word(end-1), packs) {
		if end++; !request.Begins(s.Norm(end-1), packs) {
			return
		}
	}
	switch s.Norm(end) {
	case "по", "of", "x", "х":
	default:
		return
	}
	each := s.numberAt(end + 1)
	if each == nil || each.unit != words.NoUnit && each.unit != words.Quantity || each.measure {
		return
	}
	n.value = decimal.MustParse(n.value).Mul(decimal.MustParse(each.value)).String()
	n.end, n.unit, n.measure, s.inPacks = each.end, words.Quantity, false, true
}

// numberAt reads the number that begins at a token; nil if none does.
func (s *sentence) numberAt(i int) *number {
	if i < 0 || i >= len(s.Words) {
		return nil
	}
	t := &s.Words[i]
	if days, end := s.bareDays(i); days > 0 {
		return &number{at: i, end: end, value: strconv.Itoa(days), unit: words.Days}
	}
	if x, ok := request.Slangs[t.Norm]; ok && t.Use == token.Unused && t.Kind == token.Word {
		n := &number{at: i, end: i + 1, unit: x.Unit}
		n.value = s.units(n, decimal.MustParse(x.Value)).String()
		return n
	}
	if u, ok := words.UnitOf(t.Norm); ok && u.Scale && !u.Attached && t.Kind == token.Word && t.Use == token.Unused &&
		s.opensAmount(i) { // "дороже тысячи"
		n := &number{at: i, end: i + 1, value: strconv.FormatInt(u.Factor, 10)}
		n.value = s.units(n, decimal.FromInt(u.Factor)).String()
		return n
	}
	if t.Use != token.Unused || t.Kind != token.Number && (t.Kind != token.Word || request.Numeral(t.Norm) == 0) ||
		t.Norm == "one" {
		return nil
	}
	n := &number{at: i, end: i + 1}
	if t.Kind == token.Number {
		n.value = s.digits(n)
	} else {
		v := request.Numeral(t.Norm)
		for last := v; n.end < len(s.Words) && s.Words[n.end].Use == token.Unused; n.end++ {
			next := request.Numeral(s.Words[n.end].Norm)
			if next == 0 || next >= last || last < 20 || last < 100 && next > 9 {
				break
			}
			v, last = v+next, next
		}
		n.value = strconv.Itoa(v)
	}
	value, err := decimal.Parse(n.value)
	if err != nil || value.Sign() < 0 {
		return nil
	}
	if w := s.Norm(i - 1); i > 0 && (w == "+" || w == "-" || w == "–" || w == "−") &&
		t.Glued && (!s.Words[i-1].Glued || i == 1) {
		n.sign, n.at = w, i-1
		if w != "+" {
			n.sign = "-"
		}
	}
	switch s.Norm(i - 1) {
	case "минус", "minus":
		n.sign, n.at = "-", i-1
	case "плюс", "plus":
		n.sign, n.at = "+", i-1
	}
	n.value = s.units(n, value).String()
	if n.unit == words.Percent && n.sign == "" && s.Norm(i-1) == "+" { // "закупка + 15 %"
		n.sign, n.at = "+", i-1
	}
	return n
}

// opensAmount reports whether a word such as "тысячи" is a number of its own here.
func (s *sentence) opensAmount(i int) bool {
	op, _ := s.comparison(i)
	w := s.Word(i - 1)
	return op != "" || w == "до" || w == "на" || w == "a"
}

// bareDays reads a duration without a number: "больше полугода", "older than a year".
func (s *sentence) bareDays(i int) (days, end int) {
	w := s.Norm(i)
	if w == "полгода" || w == "полугода" {
		return 180, i + 1
	}
	at := i
	if w == "a" || w == "an" || w == "one" {
		i++
		w = s.Norm(i)
	}
	unit := words.TimeUnitOf(w)
	if before := s.Preceding(at); unit != words.NoTime && len([]rune(w)) >= 3 &&
		request.Begins(before, []string{"запас", "резерв",
			"срок", "поставк", "доставк", "везут", "едет"}) {
		return max(1, unit.Days()), i + 1
	}
	if before := s.Preceding(at); unit != words.NoTime && len([]rune(w)) >= 3 &&
		(request.Begins(before, request.OldGoods) || request.Begins(before, request.SoldGoods) &&
			s.negated(at-1)) { // "лежит год"
		return max(1, unit.Days()), i + 1
	}
	if op, _ := s.comparison(at); op == "" || unit == words.NoTime || len([]rune(w)) < 3 {
		return 0, 0
	}
	return max(1, unit.Days()), i + 1
}

// digits reads a number in digits that may be written in groups: 10 000, 1,5, 10,000.
func (s *sentence) digits(n *number) string {
	text := s.Words[n.at].Norm
	for n.end < len(s.Words) && s.Words[n.end].Kind == token.Number && s.Words[n.end].Use == token.Unused &&
		len(s.Words[n.end].Norm) == 3 && !strings.ContainsAny(text, ",.") && len(text) <= 9 {
		text += s.Words[n.end].Norm
		n.end++
	}
	if whole, frac, ok := strings.Cut(text, ","); ok {
		if len(frac) == 3 && s.Language == stockhand.English {
			return whole + frac
		}
		return whole + "." + frac
	}
	return text
}

// units reads the scale and the unit behind a number.
func (s *sentence) units(n *number, value decimal.Decimal) decimal.Decimal {
	for n.end < len(s.Words) && s.Words[n.end].Use == token.Unused {
		w := s.Words[n.end].Norm
		u, ok := words.UnitOf(w)
		switch {
		case w == "." && s.Words[n.end].Glued && n.end > n.at+1 && n.end+1 < len(s.Words) && s.Words[n.end+1].Glued:
			n.end++ // т.р.
			continue
		case w == "%":
			u, ok = words.Unit{Kind: words.Percent}, true
		case w == "₽":
			u, ok = words.Unit{Kind: words.Money}, true
		case request.Informal[w] > 0 && (w != "т" || s.moneyBehind(n.end)):
			u, ok = words.Unit{Scale: true, Factor: request.Informal[w]}, true
			if w == "тр" {
				n.unit = words.Money
			}
		case timesSign[w] && (s.Words[n.end].Glued || s.goodBehind(n.end)): // "30x чай", "30 x чай"
			u, ok = words.Unit{Kind: words.Quantity}, true
		}
		if !ok || u.Attached && !s.Words[n.end].Glued || u.Kind == words.Count ||
			u.Kind == words.Other || n.unit != words.NoUnit && !u.Scale {
			break
		}
		if u.Factor > 0 {
			value = value.Mul(decimal.FromInt(u.Factor))
		}
		if u.Kind == words.Times {
			u.Kind = words.Times
		}
		if !u.Scale {
			n.unit, n.measure = u.Kind, u.Measure
		}
		n.end++
	}
	return value
}

// timesSign are the signs between how many and what.
var timesSign = words.Set("x х × *")

// goodBehind reports whether the word behind a token is a name, or may be one.
func (s *sentence) goodBehind(i int) bool {
	if i+1 >= len(s.Words) {
		return false
	}
	t := &s.Words[i+1]
	return t.Use == token.AsName || t.Kind == token.Quoted || t.Use == token.Unused && t.Kind == token.Word
}

// moneyBehind reports whether "р" follows: "50 т.р.".
func (s *sentence) moneyBehind(i int) bool {
	for j := i + 1; j <= i+2 && j < len(s.Words); j++ {
		if u, _ := words.UnitOf(s.Word(j)); u.Kind == words.Money {
			return true
		}
	}
	return false
}

// take marks a number as used, with the words from a token on.
func (s *sentence) take(n *number, from int) {
	n.used = true
	s.Use(min(from, n.at), n.end)
}

// whole returns the value of a whole number; 0 for any other.
func (n *number) whole() int {
	v, err := strconv.Atoi(n.value)
	if err != nil {
		return 0
	}
	return v
}
