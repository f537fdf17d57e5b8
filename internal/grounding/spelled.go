package grounding

import (
	"strings"

	"github.com/stockhand/stockhand/internal/decimal"
)

// numerals are the numbers in words that can be amounts, by their beginnings. Cases of Russian share them.
var numerals = []struct {
	stem  string
	value int64
}{
	{"полтор", 0}, {"пол", 0},
	{"одиннадцат", 11}, {"двенадцат", 12}, {"тринадцат", 13}, {"четырнадцат", 14}, {"пятнадцат", 15},
	{"шестнадцат", 16}, {"семнадцат", 17},
	{"восемнадцат", 18}, {"девятнадцат", 19}, {"двадцат", 20}, {"тридцат", 30}, {"сорок", 40}, {"пятьдесят", 50},
	{"пятидесят", 50},
	{"шестьдесят", 60}, {"шестидесят", 60}, {"семьдесят", 70}, {"семидесят", 70}, {"восемьдесят", 80},
	{"восьмидесят", 80}, {"девяност", 90},
	{"двести", 200}, {"двухсот", 200}, {"триста", 300}, {"трёхсот", 300}, {"трехсот", 300}, {"четыреста", 400},
	{"пятьсот", 500}, {"пятисот", 500},
	{"шестьсот", 600}, {"семьсот", 700}, {"восемьсот", 800}, {"девятьсот", 900},
	{"eleven", 11}, {"twelve", 12}, {"thirteen", 13}, {"fourteen", 14}, {"fifteen", 15}, {"sixteen", 16},
	{"seventeen", 17}, {"eighteen", 18},
	{"nineteen", 19}, {"twenty", 20}, {"thirty", 30}, {"forty", 40}, {"fifty", 50}, {"sixty", 60}, {"seventy", 70},
	{"eighty", 80}, {"ninety", 90},
}

// small are the words that have to be whole: their beginnings are those of other words.
var small = map[string]int64{
	"один": 1, "одна": 1, "одно": 1, "одного": 1, "одной": 1, "одну": 1, "два": 2, "две": 2, "двух": 2, "три": 3,
	"трёх": 3, "трех": 3, "четыре": 4, "четырёх": 4, "четырех": 4,
	"пять": 5, "пяти": 5, "шесть": 6, "шести": 6, "семь": 7, "семи": 7, "восемь": 8, "восьми": 8, "девять": 9,
	"девяти": 9, "десять": 10, "десяти": 10,
	"сто": 100, "ста": 100,
	"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
}

func numeral(word string) (int64, bool) {
	if n, ok := small[word]; ok {
		return n, true
	}
	for _, n := range numerals {
		if n.value > 0 && strings.HasPrefix(word, n.stem) {
			return n.value, true
		}
	}
	return 0, false
}

// spelled reads the words from i to end as a number in words. Small ones are how people talk ("two of them", "один из
// складов") and are left alone; one that counts thousands, money or percent is a figure like any other.
func (s *scanner) spelled(i, end int) int {
	value, ok := numeral(strings.ToLower(s.text[i:end]))
	if !ok {
		return end
	}
	total, stop, hundreds := int64(0), end, false
	part := value
	for {
		rest := strings.TrimLeft(s.text[stop:], " -")
		at := len(s.text) - len(rest)
		n := letters(rest)
		if n == 0 || at-stop > 1 {
			break
		}
		word := strings.ToLower(rest[:n])
		next, ok := numeral(word)
		u, isUnit := unitOf(word)
		switch {
		case ok:
			part += next
		case word == "hundred":
			part, hundreds = part*100, true
		case word == "and" && (hundreds || total > 0):
		case isUnit && u.scale && !u.attached:
			total, part, hundreds = total+part*u.factor, 0, true
		default:
			n = 0
		}
		if n == 0 || total > 1e15 || part > 1e12 {
			break
		}
		stop = at + n
	}
	u, _, whole := s.unit(stop)
	if !hundreds && u.kind != money && u.kind != percent {
		return stop
	}
	value = total + part
	last := int64(1)
	for value > 0 && value%(last*10) == 0 {
		last *= 10
	}
	f := &figure{start: i, end: stop, scaled: total > 0,
		readings: []reading{{decimal.FromInt(value), decimal.FromInt(last)}}}
	s.apply(f, u, stop, max(whole, stop))
	s.found = append(s.found, f)
	return stop
}
