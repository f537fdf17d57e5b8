package proposal

import (
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/language/quantity"
	"github.com/stockhand/stockhand/internal/language/token"
)

// roundings are phrases for how new prices are rounded.
var (
	roundOf   = map[string]quantity.Round{}
	roundings = func() (list []string) {
		for _, e := range entriesOfFiles {
			if e.Section != "rounding" {
				continue
			}
			how, value, _ := strings.Cut(e.Meaning, " ")
			for _, p := range e.Phrases {
				if how == "ending" {
					roundOf[p] = quantity.Round{Ending: value}
				} else {
					roundOf[p] = quantity.Round{To: value}
				}
				list = append(list, p)
			}
		}
		return longestFirst(list)
	}()
)

// readRounding reads how new prices are rounded: "без копеек", "округли до десятков", "чтобы заканчивались на 90".
func (s *sentence) readRounding() {
	if s.kind != Prices {
		return
	}
	defer s.useRounding()
	for i := range s.ts {
		for _, p := range roundings {
			end := s.phraseAt(i, p)
			if end == 0 || !s.rounds(i, end, p) {
				continue
			}
			r := roundOf[p]
			s.draft.Round = &r
			s.use(i, end)
			if w := s.norm(i - 1); w == "вверх" || w == "вниз" || w == "up" || w == "down" {
				r.Direction = map[bool]string{true: "up", false: "down"}[w == "вверх" || w == "up"]
				s.use(i-1, i)
			}
			for w := s.norm(end); w == "вверх" || w == "вниз" || w == "up" || w == "down" || w == "рублей" ||
				w == "roubles" || w == "rubles"; w = s.norm(end) {
				if w == "вверх" || w == "up" {
					r.Direction = "up"
				} else if w == "вниз" || w == "down" {
					r.Direction = "down"
				}
				s.use(end, end+1)
				end++
			}
			return
		}
	}
	ts := slices.Clone(s.ts)
	if r := quantity.Rounding(ts); r != nil {
		s.draft.Round = r
		for i := range ts {
			w := s.norm(i)
			if ts[i].Use == token.AsNumber && !everythingWords[w] && !begins(w, priceNouns) {
				s.use(i, i+1)
			}
		}
	}
}

// rounds reports whether a phrase is about rounding: "до девяток" always is, "до 99" and "до сотни" only where the task
// speaks of rounding, because they may be prices and numbers.
func (s *sentence) rounds(from, to int, phrase string) bool {
	if !strings.HasPrefix(phrase, "до ") && !strings.HasPrefix(phrase, "на ") {
		return true
	}
	if strings.HasSuffix(phrase, "девяток") || strings.HasPrefix(phrase, "до цел") || strings.HasPrefix(phrase, "до коп") ||
		strings.HasPrefix(phrase, "до десятк") || strings.Contains(phrase, "конце") {
		return true
	}
	for i := max(0, from-8); i < len(s.ts) && i < to+3; i++ {
		if begins(s.word(i), []string{"округл", "round", "заокругл", "скругл", "выровн", "подровн"}) {
			return !(to < len(s.ts) && s.ts[to].Kind == token.Number)
		}
	}
	return false
}

// useRounding marks the words that only say that prices are rounded.
func (s *sentence) useRounding() {
	if s.draft.Round == nil {
		return
	}
	for i := range s.ts {
		if begins(s.norm(i), []string{"округл", "заокругл", "скругл", "round"}) || rounds[s.norm(i)] {
			s.use(i, i+1)
			s.around(i, i+1, "с", "и", "потом", "затем", "with", "and")
		}
	}
}
