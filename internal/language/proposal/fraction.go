package proposal

import (
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/language/request"
	"github.com/stockhand/stockhand/internal/words"
)

// fraction reads "на треть", "наполовину" and "в 1,5 раза" as a percentage.
func (s *sentence) fraction(a act) {
	for i := range s.Words {
		for _, p := range request.Fractions {
			end := s.PhraseAt(i, p)
			if end == 0 || s.draft.Percent != "" {
				continue
			}
			switch a.verb {
			case raise:
				s.draft.Percent = request.PercentOf[p]
			case lower:
				s.draft.Percent = "-" + request.PercentOf[p]
			case noVerb, set, change, round:
				continue
			}
			s.Use(i, end)
			s.Around(i, end, "на", "by", "a", "цены", "часть", "процентов")
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
