package typed

import (
	"strconv"
	"time"

	"github.com/stockhand/stockhand/internal/language/quantity"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// lastHours reads "за последний час" and "the last 3 hours" at a token: the hours of today that have a part of them.
func (s *Sentence) lastHours(i int) *Item {
	if s.Now.IsZero() {
		return nil
	}
	j := i
	for j < len(s.Tokens) && beforeLast[s.Tokens[j].Norm] && s.Tokens[j].Use == token.Unused {
		j++
	}
	if j >= len(s.Tokens) || !lastHour[s.Tokens[j].Norm] {
		return nil
	}
	n := 1
	if j++; j < len(s.Tokens) && s.Tokens[j].Use != token.AsName {
		v := quantity.Numeral(s.Tokens[j].Norm)
		if s.Tokens[j].Kind == token.Number {
			v, _ = strconv.Atoi(s.Tokens[j].Norm)
		}
		if v > 0 && v < 24 {
			n, j = v, j+1
		}
	}
	if j >= len(s.Tokens) || !hourNouns[s.Tokens[j].Norm] {
		return nil
	}
	it := &Item{Kind: Clock, At: i, End: j + 1, ID: "last"}
	first := s.Now.Add(-time.Duration(n) * time.Hour)
	last := s.Now.Add(-time.Second)
	if first.Day() != last.Day() {
		first = time.Date(last.Year(), last.Month(), last.Day(), 0, 0, 0, 0, last.Location())
	}
	for h := first.Hour(); h <= last.Hour(); h++ {
		it.Hours = append(it.Hours, h)
	}
	return it
}

var (
	beforeLast = words.Set("за в in over for the during within")
	lastHour   = words.Set("последний последние последних крайний крайние last past")
	hourNouns  = words.Set("час часа часов часик часика hour hours")
)
