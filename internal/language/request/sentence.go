// Package request has the words of requests for drafts, and what is read of a request before its goods and numbers:
// misspelt verbs, greetings, and who wants it and why.
package request

import (
	"slices"
	"strconv"
	"strings"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// Sentence is a request while it is read: its words, and whether they are used.
type Sentence struct {
	Task  string // as written, which the tokens are of
	Words []token.Token
}

// OpensWith reports whether one of the first three words begins with one of these.
func (s *Sentence) OpensWith(beginnings []string) bool {
	for i := 0; i < len(s.Words) && i < 3; i++ {
		if s.Words[i].Use == token.Unused && Begins(s.Word(i), beginnings) {
			return true
		}
	}
	return false
}

// Verbs returns the tokens that may be the verb of an order.
func (s *Sentence) Verbs() []int {
	var out []int
	for i := range s.Words {
		t := &s.Words[i]
		if t.Kind != token.Word || t.Use != token.Unused {
			continue
		}
		w := t.Norm
		known := Raises[w] || Lowers[w] || Sets[w] || Changes[w] || Rounds[w] || Buys[w] || Moves[w] || Sends[w] ||
			Makes[w] || Clears[w] || Covers[w] || Takes[w] || Holds[w] && s.least() >= 0 ||
			w == "up" && s.Percent() >= 0 || w == "mark" || w == "take" || w == "double" || w == "triple"
		switch {
		case !known:
		case !t.Cyrillic:
			next := s.Word(i + 1)
			noun := NounAfter[next] && !s.changesBy(i) || Buys[w] && nounAfterBuying[next]
			if s.Opens(i) && !noun {
				out = append(out, i)
			}
		case Infinitive(w) || Together(w):
			if !s.Asks(i) {
				out = append(out, i)
			}
		default:
			out = append(out, i)
		}
	}
	return out
}

// changesBy reports whether a verb changes something by an amount: "raise by 5%", which is no "order by date".
func (s *Sentence) changesBy(verb int) bool {
	w := s.Word(verb)
	return (Raises[w] || Lowers[w]) && s.Word(verb+1) == "by" && verb+2 < len(s.Words) &&
		s.Words[verb+2].Kind == token.Number
}

// Asks reports whether one of the first n tokens asks a question: "что заказать".
func (s *Sentence) Asks(n int) bool {
	for i := range s.Words[:n] {
		if w := s.Word(i + 1); s.Word(i) == "should" && i > 0 && (w == "be" || w == "have" || w == "cost") {
			continue
		}
		if s.Words[i].Use == token.Unused && Asking[s.Word(i)] && !AnyOf[s.Word(i-1)] && !(i > 1 && s.shortBehind(i)) {
			return true
		}
	}
	return false
}

// shortBehind reports whether a word for what is short says what is ordered: "заказ на базу, чего нам недостаёт".
func (s *Sentence) shortBehind(i int) bool {
	if w := s.Word(i); w != "чего" && w != "что" && w != "what" {
		return false
	}
	return slices.ContainsFunc(Shortages, func(p Shortage) bool {
		return s.PhraseAt(i, p.Words) > 0 || s.PhraseAt(i+1, p.Words) > 0 || s.PhraseAt(i+2, p.Words) > 0
	})
}

// least returns the token of a number behind "не меньше", "минимум" or "at least", or −1.
func (s *Sentence) least() int {
	for i := range s.Words {
		if s.Words[i].Kind != token.Number || s.Words[i].Use != token.Unused {
			continue
		}
		if op, _ := s.Comparison(i, true); op == analysis.GreaterEqual {
			return i
		}
	}
	return -1
}

// Opens reports whether an English order begins at a token.
func (s *Sentence) Opens(i int) bool {
	for j := i - 1; j >= 0; j-- {
		if s.Words[j].Kind == token.Mark {
			return true
		}
		if s.Words[j].Use == token.AsAccount { // a greeting, or who wants it
			continue
		}
		if s.Words[j].Use != token.Unused || !padding[s.Words[j].Norm] {
			return false
		}
	}
	return true
}

// NounBehind reports whether a noun follows within four words, and no noun of customers behind it.
func (s *Sentence) NounBehind(v int, nouns []string) bool {
	for j := v + 1; j < len(s.Words) && j <= v+4; j++ {
		if Begins(s.Word(j), nouns) {
			return true
		}
	}
	return false
}

// Find returns the first unused word that begins with one of these, or −1.
func (s *Sentence) Find(beginnings []string) int {
	return slices.IndexFunc(s.Words, func(t token.Token) bool {
		return t.Kind == token.Word && t.Use == token.Unused && Begins(t.Norm, beginnings)
	})
}

// Near reports whether a word that begins with one of the first has one of the others within two words behind it.
func (s *Sentence) Near(beginnings []string, others ...string) bool {
	i := s.Find(beginnings)
	return i >= 0 && (Begins(s.Word(i+1), others) || Begins(s.Word(i+2), others))
}

// Anywhere reports whether a word is in the request, used or not.
func (s *Sentence) Anywhere(w string) bool {
	return slices.ContainsFunc(s.Words, func(t token.Token) bool { return t.Norm == w && t.Kind == token.Word })
}

// Percent returns the token of the first number in percent, or −1.
func (s *Sentence) Percent() int {
	for i := range s.Words {
		if s.Words[i].Kind != token.Number && Numeral(s.Words[i].Norm) == 0 {
			continue
		}
		if u, _ := words.UnitOf(s.Word(i + 1)); s.Word(i+1) == "%" || u.Kind == words.Percent {
			return i
		}
	}
	return -1
}

// Money reports whether a number with a currency is there.
func (s *Sentence) Money() bool {
	for i := range s.Words {
		if s.Words[i].Kind != token.Number {
			continue
		}
		for j := i + 1; j <= i+2; j++ {
			if u, _ := words.UnitOf(s.Word(j)); u.Kind == words.Money || s.Word(j) == "₽" {
				return true
			}
		}
	}
	return false
}

// Preceding returns the word before a token, past articles and words that only fill.
func (s *Sentence) Preceding(i int) string {
	for j := i - 1; j >= 0; j-- {
		if w := s.Word(j); w != "the" && w != "a" && w != "an" && w != "of" && w != "примерно" && w != "about" {
			return w
		}
	}
	return ""
}

// PhraseAt returns the token after a phrase at token i; 0 if it is not there.
func (s *Sentence) PhraseAt(i int, phrase string) int {
	for rest := phrase; rest != ""; i++ {
		var w string
		w, rest, _ = strings.Cut(rest, " ")
		if n := s.Norm(i); n != w {
			if begin, part := strings.CutSuffix(w, "*"); !part || !strings.HasPrefix(n, begin) {
				return 0
			}
		}
	}
	return i
}

// PhraseSaid is PhraseAt for words that may be used by now.
func (s *Sentence) PhraseSaid(i int, phrase string) int {
	for w := range strings.FieldsSeq(phrase) {
		begin, part := strings.CutSuffix(w, "*")
		if said := s.Word(i); said == "" || said != w && !(part && strings.HasPrefix(said, begin)) {
			return 0
		}
		i++
	}
	return i
}

// Unlist marks what numbers the lines of a list, as in "1) tea", and the sign in "tea x 10".
func (s *Sentence) Unlist() {
	var marks []int
	for i := 0; i+1 < len(s.Words); i++ {
		t, next := &s.Words[i], &s.Words[i+1]
		if t.Use != token.Unused {
			continue
		}
		switch {
		case t.Kind == token.Number && t.Norm == strconv.Itoa(len(marks)+1) && s.numbers(i):
			marks = append(marks, i)
		case (t.Norm == "x" || t.Norm == "х" || t.Norm == "×" || t.Norm == "*") && next.Kind == token.Number &&
			next.Use == token.Unused && i > 0:
			s.Use(i, i+1)
		}
	}
	for _, i := range marks {
		if len(marks) > 1 {
			s.Use(i, i+1)
		}
	}
}

// numbers reports whether a number numbers a line: "1)", "2.".
func (s *Sentence) numbers(i int) bool {
	end := s.Words[i].End
	return end < len(s.Task) && (s.Task[end] == ')' || s.Task[end] == '.') &&
		(s.Words[i+1].Start > end || s.Words[i+1].Norm == ".")
}

// Around marks the words of a list that stand directly around tokens [i, j).
func (s *Sentence) Around(i, j int, list ...string) {
	for k := i - 1; k >= 0 && slices.Contains(list, s.Norm(k)) && !s.best(k); k-- {
		s.Use(k, k+1)
	}
	for ; j < len(s.Words) && slices.Contains(list, s.Norm(j)); j++ {
		s.Use(j, j+1)
	}
}

// best reports whether a word is that of "хиты продаж" or "top sales".
func (s *Sentence) best(i int) bool {
	return Begins(s.Norm(i), []string{"продаж", "sales"}) && Begins(s.Norm(i-1), []string{"хит", "лидер", "топ", "top"})
}

// SaidBefore reports whether one of the four words before a token is unused and begins with one of these.
func (s *Sentence) SaidBefore(i int, beginnings ...string) bool {
	for j := max(0, i-4); j < i && j < len(s.Words); j++ {
		if Begins(s.Norm(j), beginnings) {
			return true
		}
	}
	return false
}

// SaidBehind reports whether one of two words from a token on begins with one of these.
func (s *Sentence) SaidBehind(i int, beginnings ...string) bool {
	return Begins(s.Word(i), beginnings) || Begins(s.Word(i+1), beginnings)
}

// Text returns the words of tokens [i, j) as written.
func (s *Sentence) Text(i, j int) string {
	var b strings.Builder
	for k := i; k < j; k++ {
		if k > i && !s.Words[k].Glued {
			b.WriteByte(' ')
		}
		b.WriteString(s.Words[k].Raw)
	}
	return b.String()
}

// Use marks tokens [i, j) as used.
func (s *Sentence) Use(i, j int) {
	for ; i < j && i < len(s.Words); i++ {
		if s.Words[i].Use == token.Unused {
			s.Words[i].Use = token.AsAccount
		}
	}
}

// Norm returns a word or mark that nothing has used yet; "" for any other token.
func (s *Sentence) Norm(i int) string {
	if i < 0 || i >= len(s.Words) || s.Words[i].Use != token.Unused || s.Words[i].Kind == token.Quoted {
		return ""
	}
	return s.Words[i].Norm
}

// Word returns a word whether it is used or not.
func (s *Sentence) Word(i int) string {
	if i < 0 || i >= len(s.Words) || s.Words[i].Kind == token.Quoted {
		return ""
	}
	return s.Words[i].Norm
}

// Infinitive reports whether a verb looks like an infinitive. Questions have those, too.
func Infinitive(w string) bool { return strings.HasSuffix(w, "ть") || strings.HasSuffix(w, "ти") }

// Together reports whether a verb says what we do: "снижаем", "закажем". So do questions.
func Together(w string) bool { return strings.HasSuffix(w, "ем") || strings.HasSuffix(w, "им") }

// Name is a name of the account in a request.
type Name struct {
	At       []int // its tokens
	Words    string
	Exact    bool             // every word of the name is there
	Meanings []connector.Name // the different things that it may be
	All      bool             // every meaning is meant
	Complete bool             // there are no further meanings
	ByID     bool             // another thing has the same name
	Wider    []connector.Name // of a good that is called by one word: the others whose names begin with it
}

// MayBe reports whether the name may be that of a thing of this kind.
func (n *Name) MayBe(k connector.NameKind) bool {
	return slices.ContainsFunc(n.Meanings, func(m connector.Name) bool { return m.Kind == k })
}
