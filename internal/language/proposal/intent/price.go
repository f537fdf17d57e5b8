package intent

import (
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/language/request"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// fractioned reports whether a fraction says by how much prices change: "на треть", "в два раза".
func (s *Request) fractioned() bool {
	for i := range s.Words {
		if s.Norm(i-1) == "на" && s.AnyPhrase(i, request.Fractions) > 0 ||
			s.AnyPhrase(i, []string{"вдвое", "втрое", "наполовину"}) > 0 {
			return true
		}
		if u, _ := words.UnitOf(s.Norm(i)); u.Kind == words.Times && i > 1 && s.Norm(i-2) == "в" {
			return true
		}
	}
	return false
}

// numbered reports whether a number stands where it may say by how much prices change: "на 10", "скидку 20".
func (s *Request) numbered() bool {
	for i := 1; i < len(s.Words); i++ {
		_, said := request.Slangs[s.Norm(i)]
		if s.Words[i].Use != token.Unused || s.Words[i].Kind != token.Number && !said &&
			request.Numeral(s.Norm(i)) == 0 {
			continue
		}
		if u, _ := words.UnitOf(s.Word(i + 1)); u.Kind == words.Days || u.Kind == words.Quantity ||
			u.Kind == words.Count {
			continue
		}
		w := s.Word(i - 1)
		if w == "на" || w == "до" || w == "by" || w == "to" || request.Adds[w] || request.Becomes[w] || w == "по" ||
			request.Sets[w] || request.Makes[w] ||
			request.Begins(w, request.DiscountNouns) || request.Begins(w, request.MarkupNouns) ||
			request.Begins(w, request.MarginNouns) {
			return true
		}
	}
	return false
}

// pricesGoods reports whether a verb of setting gives goods a price: "поставь чайник по 900", "выставь на кружку 590
// руб".
func (s *Request) pricesGoods(v int) bool {
	if len(s.Names) == 0 || strings.HasPrefix(s.Word(v), "да") || s.Find(request.OrderNouns) >= 0 ||
		s.Find(request.TransferNouns) >= 0 ||
		s.Find(request.FigureNouns) >= 0 {
		return false
	}
	typed := s.typed()
	for i := range s.Words {
		if s.Words[i].Kind != token.Number || s.Words[i].Use != token.Unused {
			continue
		}
		if op, _ := s.Comparison(i, true); op != "" {
			return false
		}
		u, _ := words.UnitOf(s.Word(i + 1))
		if u.Kind == words.NoUnit && s.Word(i+1) != "%" && s.namesProducts() && (strongSets[s.Word(v)] || typed ||
			s.Word(v) == "make" && i == len(s.Words)-1) {
			return true
		}
		if s.Word(i-1) == "по" && (u.Kind == words.NoUnit || u.Kind == words.Money) ||
			u.Kind == words.Money || s.Word(i+1) == "₽" {
			return true
		}
	}
	return false
}

// typed reports whether a type of prices is named.
func (s *Request) typed() bool {
	return slices.ContainsFunc(s.Words, func(t token.Token) bool {
		return t.Kind == token.Word && t.Use != token.AsName && request.PriceType(t.Norm)
	})
}

// strongSets are verbs that set a price, if no other thing is said.
var strongSets = request.WordsOf("word", "price_setting")

// costs returns the word that says what goods are to cost, or −1: "пусть чай стоит 990", "make mugs 450 each".
func (s *Request) costs() int {
	for i := range s.Words {
		numbered := func(j int) bool { return j >= 0 && j < len(s.Words) && s.Words[j].Kind == token.Number }
		switch s.Word(i) {
		case "стоит", "стоил", "стоила", "стоило", "стоят", "стоили", "стоить", "cost":
			if numbered(i+1) || numbered(i+2) {
				return i
			}
		case "each", "apiece":
			if numbered(i-1) && s.Anywhere("make") {
				return i
			}
		}
	}
	return -1
}

// costsBy returns the word that says whether goods are to cost more or less, or −1: "want it to cost 5% more".
func (s *Request) costsBy() int {
	if at := s.Find([]string{"cost"}); at >= 0 && s.Word(at-1) == "to" {
		for i := at + 2; i < len(s.Words) && i <= at+4; i++ {
			if w := s.Norm(i); w == "more" || w == "less" {
				return i
			}
		}
	}
	return -1
}

// dearer are the words for a price that goes up.
var dearer = words.Set("дороже выше expensive pricier higher")

// comparedBy returns a word for dearer or cheaper that a percentage at token p or an amount of money says by how much,
// or −1: "чай дороже на 20 рублей".
func (s *Request) comparedBy(p int) int {
	if at := s.comparedTo(); at >= 0 && p >= 0 {
		return at
	}
	for i := range s.Words {
		if w := s.Norm(i); w != "дороже" && w != "дешевле" {
			continue
		}
		if u, _ := words.UnitOf(s.Word(i + 3)); s.Word(i+1) == "на" && i+2 < len(s.Words) &&
			s.Words[i+2].Kind == token.Number && (u.Kind == words.Money || s.Word(i+3) == "₽") {
			return i
		}
	}
	return -1
}

// betweenBy stand between a word for dearer or cheaper and by how much.
var betweenBy = words.Set("бы ее его их все цены процентов так где-то примерно")

// cheaperBy reports whether an amount of money in front of a word for cheaper or dearer says by how much: "50 rubles
// cheaper".
func (s *Request) cheaperBy(i int) bool {
	u, ok := words.UnitOf(s.Word(i - 1))
	return ok && u.Kind == words.Money && i > 1 && s.Words[i-2].Kind == token.Number && !s.Words[i].Cyrillic
}

// comparedTo returns a word for dearer or cheaper that a percentage says by how much, or −1: "дешевле на 10 %", "5%
// cheaper". Before an amount of money it is a condition.
func (s *Request) comparedTo() int {
	for i := range s.Words {
		switch s.Word(i) {
		case "дешевле", "дороже", "cheaper", "expensive", "pricier":
		case "ниже", "выше", "lower", "higher":
			if w := s.Word(i + 1); w != "на" && w != "by" {
				continue
			}
		default:
			continue
		}
		next := i + 1
		// "подешевле сделать, на 10 %"
		for s.Word(next) == "," || betweenBy[s.Word(next)] || request.Makes[s.Word(next)] {
			next++
		}
		if w := s.Word(next); w == "на" || w == "by" {
			next++
		}
		p := s.Percent()
		if s.cheaperBy(i) {
			return i
		}
		if p == next || p >= 0 && p+2 == i && (s.Word(p+1) == "%" || request.Begins(s.Word(p+1), []string{"проц",
			"percent"})) ||
			s.Word(i-1) == "more" && p+3 == i {
			return i
		}
	}
	return -1
}
