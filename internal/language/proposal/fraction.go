package proposal

import (
	"strings"

	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/words"
)

var (
	percentOf = map[string]string{} // of a phrase such as "треть"
	fractions = func() (list []string) {
		for _, e := range entriesOfFiles {
			if e.Section != "fraction" {
				continue
			}
			for _, p := range e.Phrases {
				percentOf[p] = e.Meaning
				list = append(list, p)
			}
		}
		return longestFirst(list)
	}()
)

// slang is a number that only people write.
type slang struct {
	value string
	unit  words.UnitKind
}

var slangs = func() map[string]slang {
	out := map[string]slang{}
	for _, e := range entriesOfFiles {
		if e.Section != "number" {
			continue
		}
		value, unit, _ := strings.Cut(e.Meaning, " ")
		x := slang{value: value}
		if unit == "money" {
			x.unit = words.Money
		}
		for _, p := range e.Phrases {
			out[p] = x
		}
	}
	return out
}()

// fraction reads "на треть", "наполовину" and "в 1,5 раза" as a percentage.
func (s *sentence) fraction(a act) {
	for i := range s.ts {
		for _, p := range fractions {
			end := s.phraseAt(i, p)
			if end == 0 || s.draft.Percent != "" {
				continue
			}
			switch a.verb {
			case raise:
				s.draft.Percent = percentOf[p]
			case lower:
				s.draft.Percent = "-" + percentOf[p]
			case noVerb, set, change, round:
				continue
			}
			s.use(i, end)
			s.around(i, end, "на", "by", "a", "цены", "часть", "процентов")
		}
	}
	for _, n := range s.numbers {
		if n.used || n.unit != words.Times || s.draft.Percent != "" || a.verb != raise && a.verb != lower {
			continue
		}
		times, hundred := decimal.MustParse(n.value), decimal.FromInt(100)
		if times.Cmp(decimal.FromInt(1)) <= 0 {
			continue
		}
		percent := times.Sub(decimal.FromInt(1)).Mul(hundred)
		if a.verb == lower {
			percent = hundred.Div(times).Sub(hundred).Round(2)
		}
		s.draft.Percent = percent.String()
		s.take(n, s.preposition(n.at))
	}
}
