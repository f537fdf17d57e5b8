package request

import (
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// Reword puts the words that the reader of requests knows in place of others that say the same: "подешевле" is
// "дешевле", "не дотягивает до" is "меньше", and "пусть подорожает" is "подними".
func (s *Sentence) Reword() {
	for i := range s.Words {
		if s.Words[i].Kind != token.Word || s.Norm(i) == "" {
			continue
		}
		for _, p := range instead {
			if end := s.PhraseAt(i, p.phrase); end > 0 {
				s.Use(i, end-1)
				s.put(end-1, p.word)
				break
			}
		}
		if Carries[s.Norm(i)] && (Begins(s.Norm(i+1), MarginNouns) || Begins(s.Norm(i+1), MarkupNouns)) {
			s.Use(i, i+1) // "что даёт маржу меньше 20 %"
		}
	}
	s.rewordWays()
	s.rewordRange()
	s.rewordMinimum()
	s.rewordWish()
}

// rewordMinimum reads every way to say that stock is below its minimum as "ниже минимума": "меньше своего
// неснижаемого остатка", "under its min stock level".
func (s *Sentence) rewordMinimum() {
	for i := range s.Words {
		w := s.Norm(i)
		if Comparatives[w] != analysis.Less || w == "дешевле" || w == "cheaper" || w == "младше" {
			continue
		}
		noun := i + 1
		for w := s.Norm(noun); w == "чем" || w == "than" || w == "-" || ownMinimum[w]; w = s.Norm(noun) {
			noun++
		}
		if !Begins(s.Norm(noun), MinimumNouns) && !(s.Norm(noun) == "норма" || s.Norm(noun) == "нормы") {
			continue
		}
		end := noun + 1
		for Begins(s.Norm(end), levels) {
			end++
		}
		s.put(i, "ниже")
		s.put(i+1, "минимума")
		s.Use(i+2, end)
	}
}

// rewordRange reads a range with a dash behind a word for prices: "ценой 500-1000" is "от 500 до 1000".
func (s *Sentence) rewordRange() {
	number := func(i int) bool { return i < len(s.Words) && s.Words[i].Kind == token.Number }
	for i := 1; i+2 < len(s.Words); i++ {
		dash := s.Norm(i + 1)
		if !number(i) || !number(i+2) || dash != "-" && dash != "–" && dash != "—" || !Begins(s.Norm(i-1), PriceNouns) {
			continue
		}
		if s.put(i-1, "от"); s.Norm(i-2) == "по" || s.Norm(i-2) == "с" {
			s.Use(i-2, i-1)
		}
		s.put(i+1, "до")
		s.Words[i+1].Kind = token.Word
	}
}

// rewordWays reads the labels of a form as prepositions: "откуда: основной, куда: витрина".
func (s *Sentence) rewordWays() {
	for i := range s.Words {
		way := ways[s.Norm(i)]
		if way == "" {
			continue
		}
		if next := s.Norm(i + 1); next == ":" || next == "-" || next == "—" || next == "–" || next == "=" {
			s.Use(i, i+1)
			i++
		} else if way == s.Norm(i) {
			continue
		}
		s.put(i, way)
		s.Words[i].Kind = token.Word
	}
}

var ways = map[string]string{"откуда": "с", "куда": "на", "from": "from", "to": "to"}

// ownMinimum are words before a minimum that say no more, levels begin those behind it.
var (
	ownMinimum = words.Set("своего своих своей своим заданного заданных установленного установленных положенного " +
		"положенной нужного допустимого their its the our your a set required allowed")
	levels = []string{"остат", "запас", "уров", "порог", "колич", "stock", "level", "point", "quantit", "threshold"}
)

// rewordWish reads what prices are to do as an order: "пусть чай подорожает на 5 %".
func (s *Sentence) rewordWish() {
	ordered := slices.ContainsFunc(s.Verbs(), func(v int) bool {
		return !wishes[s.Word(v)] && s.Word(v) != "хочу" && s.Word(v) != "надо" && s.Word(v) != "нужно"
	})
	if ordered || !s.Wishes() {
		return
	}
	for i := range s.Words {
		word := ""
		switch w := s.Norm(i); {
		case rises[w]:
			word = "подними"
		case falls[w]:
			word = "снизь"
		}
		if word == "" || s.Word(i-1) == "не" || Begins(s.Word(i-1), MarginNouns) || Begins(s.Word(i-1), MarkupNouns) {
			continue
		}
		s.put(i, word)
		for j := range s.Words {
			if w := s.Norm(j); wishes[w] || w == "хочу" || w == "надо" || w == "нужно" || Begins(w, shoulds) {
				s.Use(j, j+1)
			}
		}
		return
	}
}

// Wishes reports whether a word says how things are to be: "пусть", "чтобы", "должна".
func (s *Sentence) Wishes() bool {
	return slices.ContainsFunc(s.Words, func(t token.Token) bool {
		return t.Kind == token.Word && t.Use != token.AsName && (wishes[t.Norm] || Begins(t.Norm, shoulds))
	})
}

// put replaces the word at a token.
func (s *Sentence) put(i int, w string) {
	t := &s.Words[i]
	t.Norm, t.Cyrillic = w, token.IsCyrillic(w)
	t.Stem = token.Stem(w, t.Cyrillic)
}

var (
	wishes  = WordsOf("word", "wish")
	shoulds = PhrasesOf("begin", "should")
	rises   = WordsOf("word", "rises")
	falls   = WordsOf("word", "falls")
	// Carries are verbs between goods and a figure of theirs: "даёт маржу".
	Carries = WordsOf("word", "carries")
)

// instead are the phrases of the section [instead] with the word that says the same, longest first.
var instead = func() (list []synonym) {
	for _, e := range Entries {
		if e.Section == "instead" {
			for _, p := range e.Phrases {
				list = append(list, synonym{phrase: p, word: e.Meaning})
			}
		}
	}
	slices.SortStableFunc(list, func(a, b synonym) int {
		return len(strings.Fields(b.phrase)) - len(strings.Fields(a.phrase))
	})
	return list
}()

// synonym is a phrase and the word that says the same.
type synonym struct{ phrase, word string }
