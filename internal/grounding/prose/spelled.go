package prose

import (
	"strings"

	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/words"
)

func numeral(word string) (int64, bool) {
	n, ok := words.Numeral(words.Fold(word))
	return int64(n), ok
}

// spelled reads a number in words. Small numbers are how people talk ("two of them", "один из складов") and are not
// figures; one that counts thousands, money or percent is.
func (s *scanner) spelled(i, end int) int {
	value, ok := numeral(s.text[i:end])
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
		u, isUnit := UnitOf(word)
		switch {
		case ok:
			part += next
		case word == "hundred":
			part, hundreds = part*100, true
		case word == "and" && (hundreds || total > 0):
		case isUnit && u.Scale && !u.Attached:
			total, part, hundreds = total+part*u.Factor, 0, true
		default:
			n = 0
		}
		if n == 0 || total > 1e15 || part > 1e12 {
			break
		}
		stop = at + n
	}
	u, _, whole := s.unit(stop)
	if !hundreds && u.Kind != words.Money && u.Kind != words.Percent {
		return stop
	}
	value = total + part
	last := int64(1)
	for value > 0 && value%(last*10) == 0 {
		last *= 10
	}
	f := &Figure{Start: i, End: stop, scaled: total > 0,
		Readings: []reading{{decimal.FromInt(value), decimal.FromInt(last)}}}
	s.apply(f, u, stop, max(whole, stop))
	s.found = append(s.found, f)
	return stop
}
