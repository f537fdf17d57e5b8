package proposal

import (
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/language/request"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// purchasePrice is the purchase price, which is not one of the price types of an account.
const purchasePrice = "закупочная"

// priceWords are words that name a kind of price, in tasks and in the names of price types.
var priceWords = []priceWord{
	{task: request.PhrasesOf("price_type", "wholesale"), name: request.PhrasesOf("price_name", "wholesale")},
	{task: request.PhrasesOf("price_type", "retail"), name: request.PhrasesOf("price_name", "retail"), retail: true},
	{task: request.PhrasesOf("price_type", "online"), name: request.PhrasesOf("price_name", "online"), place: true},
	{task: request.PhrasesOf("price_type", "marketplace"), name: request.PhrasesOf("price_name", "marketplace"),
		place: true},
	{task: request.PhrasesOf("price_type", "purchase"), purchase: true},
	{task: request.PhrasesOf("price_type", "sale"), retail: true, beside: true},
}

type priceWord struct {
	task, name              []string
	retail, place, purchase bool // retail: people also mean the default price type by it; place: it may be a shop's
	beside                  bool // only right before "prices"
}

// freePriceWords takes words such as "опт" back from names of which they are a small part.
func (s *sentence) freePriceWords() {
	for _, n := range s.names {
		k, _ := s.beside(n)
		if len(n.At) > 1 || k == connector.NameSupplier || k == connector.NameCounterparty ||
			s.Preceding(n.At[0]) == "у" {
			continue
		}
		w := s.Word(n.At[0])
		if slices.ContainsFunc(priceWords, func(p priceWord) bool {
			return request.Begins(w, p.task) && !p.purchase && (!n.Exact || p.retail)
		}) &&
			len([]rune(w)) <= 10 {
			s.Words[n.At[0]].Use = token.Unused
			n.used = true
			s.ignored = append(s.ignored, s.indexOf(n))
		}
	}
}

// besidePrices reports whether prices are spoken of within two words.
func (s *sentence) besidePrices(i int) bool {
	for j := i - 2; j <= i+2; j++ {
		if request.Begins(s.Word(j), request.PriceNouns) {
			return true
		}
	}
	return false
}

// forPlace reports whether a place is said that has prices of its own: "на сайте", "для маркетплейса".
func (s *sentence) forPlace(i int) bool {
	w := s.Preceding(i)
	return w == "на" || w == "для" || w == "в" || w == "for" || w == "on" || w == "по"
}

// readPriceType reads which price changes: by a word for a kind of price, or by the name of a price type.
func (s *sentence) readPriceType() {
	defer s.otherTypes()
	if s.namedPriceType() {
		return
	}
	for _, w := range priceWords {
		at := s.Find(w.task)
		if at >= 0 && s.leftOut(at) {
			continue
		}
		if at < 0 || w.beside && !request.Begins(s.Word(at+1), request.PriceNouns) ||
			w.place && !s.besidePrices(at) && !s.forPlace(at) {
			continue
		}
		if w.purchase {
			if !request.Begins(s.Word(at+1), request.PriceNouns) &&
				!request.Begins(s.Preceding(at), request.PriceNouns) || s.baseWord(s.Preceding(at)) {
				continue // what a markup is on
			}
			s.draft.PriceType = purchasePrice
			s.Use(at, at+1)
			return
		}
		for _, t := range s.PriceTypes {
			if slices.ContainsFunc(token.Split(t.Name), func(n token.Token) bool {
				return request.Begins(n.Norm,
					w.name)
			}) {
				s.draft.PriceType = t.Name
				s.Use(at, at+1)
				if p := s.Norm(at - 1); w.place && (p == "на" || p == "для" || p == "в" || p == "for" || p == "on") {
					s.Use(at-1, at)
				}
				if request.Begins(s.Norm(at+1), []string{"магазин", "shop", "store"}) {
					s.Use(at+1, at+2)
				}
				return
			}
		}
		switch {
		case len(s.PriceTypes) == 0 && !w.beside:
			s.unknownType = []Phrase{{From: at, To: at + 1, Kinds: []connector.NameKind{connector.NamePriceType}}}
		case w.retail:
			s.retailSaid = true
			s.Use(at, at+1)
		default:
			var names []string
			for _, t := range s.PriceTypes {
				names = append(names, t.Name)
			}
			list := strings.Join(names, ", ")
			s.ask("Типа цены «"+s.Words[at].Raw+"» нет. Есть: "+list+".",
				"There is no price type “"+s.Words[at].Raw+"”. There are: "+
					list+".")
		}
		return
	}
}

// leftOut reports whether the type of price at a token is one that is not to change: "опт не трогай".
func (s *sentence) leftOut(at int) bool {
	k := at + 1
	for request.Begins(s.Norm(k), request.PriceNouns) {
		k++
	}
	return s.Norm(k) == "не" && request.Touches[s.Norm(k+1)] || request.Touches[s.Norm(at-1)] && s.Norm(at-2) == "не" ||
		s.Norm(at-1) == "leave" && (s.Norm(k) == "alone" || s.Norm(k) == "unchanged" || s.Norm(k) == "as") ||
		s.Norm(k) == "leave" && (s.Norm(k+1) == "alone" || s.Norm(k+1) == "unchanged" || s.Norm(k+1) == "as")
}

// otherTypes reads "розницу не трогай" where another type of price changes: it says nothing more.
func (s *sentence) otherTypes() {
	if s.draft.PriceType == "" && !s.retailSaid {
		return
	}
	for i := range s.Words {
		if !slices.ContainsFunc(priceWords, func(w priceWord) bool { return request.Begins(s.Norm(i), w.task) }) {
			continue
		}
		k := i + 1
		for request.Begins(s.Norm(k), request.PriceNouns) {
			k++
		}
		switch {
		case s.Norm(k) == "не" && request.Touches[s.Norm(k+1)]:
			s.Use(i, k+2)
			s.typeLeft = true
		case request.Touches[s.Norm(i-1)] && s.Norm(i-2) == "не":
			s.Use(i-2, k)
			s.typeLeft = true
		case s.Norm(i-1) == "leave" && (s.Norm(k) == "alone" || s.Norm(k) == "unchanged"):
			s.Use(i-1, k+1)
			s.typeLeft = true
		case s.Norm(i-1) == "leave" && s.Norm(k) == "as":
			s.Use(i-1, k+2)
			s.typeLeft = true
		case s.Norm(k) == "leave":
			s.Use(i, k+3)
			s.typeLeft = true
		}
	}
}

// baseWord reports whether a word says that something is reckoned from what follows: "от закупочной цены".
func (s *sentence) baseWord(w string) bool { return bases[w] }

var bases = words.Set("от к над сверх сверху over on above from of top")

// namedPriceType finds the longest name of a price type in the task. Words such as "цена" may be left out of it.
func (s *sentence) namedPriceType() bool {
	best, from, to := "", 0, 0
	for _, t := range s.PriceTypes {
		var core []string
		for _, n := range token.Split(t.Name) {
			if (n.Kind == token.Word || n.Kind == token.Number) && !request.Begins(n.Norm, request.PriceNouns) {
				core = append(core, n.StemOrNumber())
			}
		}
		for i := range s.Words {
			if end := s.stems(i, core); end > 0 && end-i > to-from && s.ofPrices(i, end, core) {
				best, from, to = t.Name, i, end
			}
		}
	}
	if best == "" {
		return false
	}
	s.draft.PriceType = best
	for i := range s.names { // the same word may name a shop
		if n := s.names[i]; n.At[0] >= from && n.At[0] < to {
			n.used = true
		}
	}
	for i := from; i < to; i++ {
		s.Words[i].Use = token.AsAccount
	}
	if w := s.Norm(from - 1); request.Kinds[w] == connector.NamePriceType || w == "для" || w == "for" || w == "в" ||
		w == "in" {
		s.Use(from-1, from)
	}
	return true
}

// stems returns the token after these stems in a row, marks between them left aside; 0 if they are not there.
func (s *sentence) stems(i int, core []string) int {
	if len(core) == 0 || s.Words[i].Kind == token.Mark {
		return 0
	}
	if s.Words[i].Kind == token.Quoted {
		var inner []string
		for _, t := range token.Split(s.Words[i].Raw) {
			if t.Kind != token.Mark && !request.Begins(t.Norm, request.PriceNouns) {
				inner = append(inner, t.StemOrNumber())
			}
		}
		if slices.Equal(inner, core) {
			return i + 1
		}
		return 0
	}
	for _, w := range core {
		for i < len(s.Words) && s.Words[i].Kind == token.Mark {
			i++
		}
		if i >= len(s.Words) || s.Words[i].Use != token.Unused && s.Words[i].Use != token.AsName ||
			s.Words[i].StemOrNumber() != w {
			return 0
		}
		i++
	}
	return i
}

// ofPrices reports whether words that name a price type are meant so: "цены для интернет-магазина", "в прайсе Опт",
// "оптовые цены", but not the goods "на продажу".
func (s *sentence) ofPrices(from, to int, core []string) bool {
	if request.Begins(s.Word(to), request.PriceNouns) {
		return true
	}
	for j := from - 1; j >= 0 && j >= from-3; j-- {
		switch w := s.Word(j); {
		case request.Begins(w, request.PriceNouns), request.Begins(w, []string{"тип", "type"}):
			return !(len(core) == 1 && core[0] == "продаж")
		case w != "для" && w != "for" && w != "в" && w != "in" && w != "на" && w != "по" && w != "the" && w != "of":
			return false
		}
	}
	return false
}
