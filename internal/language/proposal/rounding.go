package proposal

import (
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/language/quantity"
	"github.com/stockhand/stockhand/internal/language/request"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// readRounding reads how new prices are rounded: "без копеек", "округли до десятков", "чтобы заканчивались на 90".
func (s *sentence) readRounding() {
	if s.kind != Prices {
		return
	}
	defer s.useRounding()
	for i := range s.Words {
		for _, p := range request.Roundings {
			end := s.PhraseAt(i, p)
			if end == 0 || !s.rounds(i, end, p) {
				continue
			}
			r := request.RoundOf[p]
			s.draft.Round = &r
			s.Use(i, end)
			if w := s.Norm(i - 1); w == "вверх" || w == "вниз" || w == "up" || w == "down" {
				r.Direction = map[bool]string{true: "up", false: "down"}[w == "вверх" || w == "up"]
				s.Use(i-1, i)
			}
			for w := s.Norm(end); w == "вверх" || w == "вниз" || w == "up" || w == "down" || w == "рублей" ||
				w == "roubles" || w == "rubles"; w = s.Norm(end) {
				if w == "вверх" || w == "up" {
					r.Direction = "up"
				} else if w == "вниз" || w == "down" {
					r.Direction = "down"
				}
				s.Use(end, end+1)
				end++
			}
			return
		}
	}
	ts := slices.Clone(s.Words)
	if r := quantity.Rounding(ts); r != nil {
		s.draft.Round = r
		for i := range ts {
			if ts[i].Use == token.AsNumber && (s.Words[i].Kind != token.Word || ofRounding(s.Norm(i))) {
				s.Use(i, i+1)
			}
		}
	}
}

// ofRounding reports whether a word only says how prices are rounded. Any other word between the verb and the number
// says something of its own: "округли оптовые цены до 10".
func ofRounding(w string) bool {
	u, ok := words.UnitOf(w)
	return roundingWords[w] || request.Numeral(w) > 0 || ok && u.Kind == words.Money ||
		request.Begins(w, []string{"округл", "round", "конча", "заканч", "оканч", "окончан", "ending", "десят",
			"сот", "цел", "копе", "руб", "ближайш", "ровн"})
}

var roundingWords = words.Set("до на к вверх вниз up down to the nearest end ends in with ста пятидесяти whole integer " +
	"ten tens hundred hundreds")

// rounds reports whether a phrase is about rounding: "до девяток" always is, "до 99" and "до сотни" only where the task
// speaks of rounding, because they may be prices and numbers.
func (s *sentence) rounds(from, to int, phrase string) bool {
	if !strings.HasPrefix(phrase, "до ") && !strings.HasPrefix(phrase, "на ") {
		return true
	}
	if strings.HasSuffix(phrase, "девяток") || strings.HasPrefix(phrase, "до цел") ||
		strings.HasPrefix(phrase, "до коп") ||
		strings.HasPrefix(phrase, "до десятк") || strings.Contains(phrase, "конце") ||
		strings.Contains(phrase, "конч") || strings.Contains(phrase, "канчив") {
		return true
	}
	if s.Words[from].Norm == "до" && s.behindPercent(from) &&
		(to >= len(s.Words) || s.Words[to].Kind == token.Mark || s.Word(to) == "и") {
		return true
	}
	for i := max(0, from-8); i < len(s.Words) && i < to+3; i++ {
		if request.Begins(s.Word(i), []string{"округл", "round", "заокругл", "скругл", "выровн", "подровн"}) {
			return !(to < len(s.Words) && s.Words[to].Kind == token.Number)
		}
	}
	return false
}

// behindPercent reports whether a percentage by which prices change stands right before a token: "на 7 % до 9"
// ends prices in 9.
func (s *sentence) behindPercent(i int) bool {
	u, _ := words.UnitOf(s.Word(i - 1))
	if s.Words[max(0, i-1)].Norm != "%" && u.Kind != words.Percent {
		return false
	}
	w := s.Word(i - 3)
	return w != "с" && w != "от" && w != "from"
}

var directions = map[string]string{"в большую сторону": "up", "в меньшую сторону": "down", "в плюс": "up",
	"в минус": "down", "кверху": "up"}

// useRounding marks the words that only say that prices are rounded.
func (s *sentence) useRounding() {
	if s.draft.Round == nil {
		return
	}
	for i := range s.Words {
		for phrase, direction := range directions {
			if end := s.PhraseAt(i, phrase); end > 0 {
				round := *s.draft.Round
				round.Direction = direction
				s.draft.Round = &round
				s.Use(i, end)
			}
		}
		if request.Begins(s.Norm(i), []string{"округл", "заокругл", "скругл", "round"}) || request.Rounds[s.Norm(i)] {
			s.Use(i, i+1)
			s.Around(i, i+1, "с", "и", "потом", "затем", "with", "and")
		}
	}
}
