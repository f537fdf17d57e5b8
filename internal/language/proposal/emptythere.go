package proposal

import (
	"slices"

	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/language/request"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// emptyThere reads a clause that says where goods are missing, "а то на Мира совсем пусто": they are wanted at that
// warehouse (rule R1134). It marks the words of the clause, and leaves the warehouse for [sentence.readNames].
func (s *sentence) emptyThere() {
	if s.Find(request.PriceNouns) >= 0 || s.Percent() >= 0 || s.Find(request.MinimumNouns) >= 0 {
		return
	}
	for i := 0; i < len(s.Words); i++ {
		start := s.Reason(i)
		opens := i == 0 || s.Words[i-1].Kind == token.Mark
		if start == 0 && !opens {
			continue
		}
		start = max(start, i)
		end, stores, empty := start, 0, false
		for ; end < len(s.Words) && s.Words[end].Kind != token.Mark; end++ {
			w := s.Word(end)
			if s.Words[end].Use == token.AsName {
				if !s.ofStore(end) {
					break
				}
				stores++
				continue
			}
			if !emptiness[w] && !aroundEmptiness[w] && !request.Begins(w, emptying) {
				break
			}
			empty = empty || emptiness[w] || request.Begins(w, emptying)
		}
		if stores == 0 || !empty || end < len(s.Words) && s.Words[end].Kind != token.Mark {
			continue
		}
		s.Use(i, end)
		s.freePlaces(start, end)
	}
}

// freePlaces gives back the prepositions in front of warehouses.
func (s *sentence) freePlaces(from, to int) {
	for i := from; i+1 < to; i++ {
		if s.Words[i].Use == token.AsAccount && s.Words[i+1].Use == token.AsName {
			s.Words[i].Use = token.Unused
			if s.Words[i].Norm == "в" || s.Words[i].Norm == "at" || s.Words[i].Norm == "in" {
				s.Words[i].Norm = s.Language.Pick("на", "to")
			}
		}
	}
}

// ofStore reports whether a token belongs to the name of a warehouse.
func (s *sentence) ofStore(i int) bool {
	return slices.ContainsFunc(s.Names, func(n Name) bool {
		return slices.Contains(n.At, i) && n.MayBe(connector.NameStore)
	})
}

var (
	emptiness = words.Set("пусто пустая пустой пустые пустует пустуют мало маловато нет нету ничего хватает хватит " +
		"ноль нулям нуле нули исходе донышке дыра шаром empty out low none nothing short")
	emptying = []string{"кончил", "кончает", "кончают", "закончил", "заканчива", "раскупил", "разобрал", "расхватал",
		"распродал", "раскупа", "разбира", "смели", "вымели", "недостает", "недоста", "осталось", "остались", "остался",
		"осталась", "подчист"}
	aroundEmptiness = words.Set("на в у во там их его ее она они оно он это совсем вообще почти уже скоро вот ведь " +
		"опять снова все всё не по так очень прямо что-то чего-то полках полке покати а и is are has have it they the " +
		"at in of almost already running we left there stock")
)
