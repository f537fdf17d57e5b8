package proposal

import (
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/language/compose"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

var (
	persons   = phrasesOf("aside", "person")
	says      = phrasesOf("aside", "says")
	reasons   = longestFirst(phrasesOf("aside", "reason"))
	occasions = longestFirst(phrasesOf("aside", "occasion"))
	speech    = longestFirst(phrasesOf("aside", "speech"))
	addressed = words.Set(strings.Join(phrasesOf("aside", "named"), " "))
)

func longestFirst(phrases []string) []string {
	slices.SortStableFunc(phrases, func(a, b string) int {
		return len(strings.Fields(b)) - len(strings.Fields(a))
	})
	return phrases
}

// anyPhrase returns the token after the first of the phrases that is at token i; 0 for none.
func (s *sentence) anyPhrase(i int, phrases []string) int {
	for _, p := range phrases {
		if end := s.phraseAt(i, p); end > 0 {
			return end
		}
	}
	return 0
}

// repair corrects misspelt verbs.
func (s *sentence) repair() {
	for i := range s.ts {
		t := &s.ts[i]
		if t.Kind != token.Word || !t.Cyrillic || t.Use != token.Unused || verbs[t.Norm] || fillers[t.Norm] ||
			len([]rune(t.Norm)) < 6 || past(t.Norm) || s.Catalogue != nil && compose.Known(s.Catalogue, s.ts, i) {
			continue
		}
		if w := typos.Correct(t.Norm); verbs[w] {
			t.Norm, t.Stem, t.Typo = w, token.Stem(w, true), true
		}
	}
}

// past reports whether a verb looks like one that tells what was done or is done.
func past(w string) bool {
	for _, ending := range []string{"л", "ла", "ло", "ли", "лся", "лись", "ет", "ит", "ут", "ют", "ят", "ен", "ена", "ены"} {
		if strings.HasSuffix(w, ending) {
			return true
		}
	}
	return false
}

// rearrange puts a unit behind its number: "процентов на пять" is about 5 %, "штук тридцать" about 30.
func (s *sentence) rearrange() {
	numeral := func(i int) bool {
		return i < len(s.ts) && s.ts[i].Use == token.Unused &&
			(s.ts[i].Kind == token.Number || s.ts[i].Kind == token.Word && quantityOf(s.ts[i].Norm) > 0)
	}
	for i := 0; i+1 < len(s.ts); i++ {
		u, ok := words.UnitOf(s.norm(i))
		if !ok && !informalScale(s.norm(i)) || u.Attached || u.Kind == words.Count || u.Kind == words.Other || u.Kind == words.Times ||
			s.ts[i].Kind != token.Word || len([]rune(s.ts[i].Norm)) < 3 || i > 0 && numeral(i-1) {
			continue
		}
		k := i + 1
		if w := s.norm(k); w == "на" || w == "по" || w == "до" || w == "в" || w == "за" || w == "от" {
			k++
		}
		if !numeral(k) {
			continue
		}
		end := k + 1
		for end < len(s.ts) && (numeral(end) || strings.Contains("-–—", s.norm(end)) && s.norm(end) != "" && numeral(end+1)) {
			end++
		}
		next, hasUnit := words.UnitOf(s.norm(end))
		scale := next.Scale || next.Kind == words.NoUnit && informalScale(s.norm(end))
		if s.norm(end) == "%" || hasUnit && !next.Scale || scale && u.Kind != words.Money || aDate[s.norm(i)] {
			continue
		}
		unit := s.ts[i]
		copy(s.ts[i:], s.ts[i+1:end])
		s.ts[end-1] = unit
		i = end - 1
	}
}

func informalScale(w string) bool { return informal[w] > 0 }

// aDate are forms of units of time that count nothing: "к новому году на 200 тысяч".
var aDate = words.Set("год году годом день дню неделю неделе месяц месяце месяцу квартал квартале")

// readAsides marks what cannot change a draft: greetings, who wants it, and why.
func (s *sentence) readAsides() {
	for i := 0; i < len(s.ts); i++ {
		if s.norm(i) == "" {
			continue
		}
		end := s.wish(i)
		if end == 0 {
			end = s.reason(i)
		}
		if end == 0 && !verbs[s.norm(i)] {
			end = s.anyPhrase(i, speech)
		}
		if w := s.norm(i); end == 0 && addressed[w] && s.addressed(i) {
			end = i + 1
		}
		if end > 0 {
			s.use(i, end)
			i = end - 1
		}
	}
}

// addressed reports whether the word at a token is whom the task speaks to: "Оля, закажи чай".
func (s *sentence) addressed(i int) bool {
	for j := range i {
		if s.ts[j].Use == token.Unused && s.ts[j].Kind != token.Mark {
			return false
		}
	}
	w := s.word(i + 1)
	return w == "," || w == "!" || verbs[w]
}

// wish returns the token after who wants a draft: "шеф сказал, чтобы", "по просьбе директора", "решили".
func (s *sentence) wish(i int) int {
	of := func(j int, list []string) bool { return s.anyPhrase(j, list) > 0 }
	k := i
	if w := s.norm(k); w == "по" || w == "от" {
		if !begins(s.norm(k+1), []string{"просьб", "указани", "распоряжени", "приказ", "поручени", "совет", "решени"}) ||
			!of(k+2, persons) {
			return 0
		}
		return k + 3
	}
	if w := s.norm(k); (w == "our" || w == "the" || w == "my" || begins(w, []string{"наш"})) && of(k+1, persons) {
		k++
	}
	for of(k, persons) && k < i+3 {
		k++
	}
	for k > i && (s.norm(k) == "опять" || s.norm(k) == "снова" || s.norm(k) == "уже" || s.norm(k) == "тут" ||
		s.norm(k) == "вчера" || s.norm(k) == "сегодня" || s.norm(k) == "очень" || s.norm(k) == "так") {
		k++
	}
	if !of(k, says) {
		return 0
	}
	for k++; of(k, persons) || of(k, says); {
		k++
	}
	for w := s.norm(k); w == "," || w == "что" || w == "чтобы" || w == "чтоб" || w == "that" || w == "to"; w = s.norm(k) {
		k++
	}
	return k
}

// reason returns the token after a clause that says why: "а то лежит мёртвым грузом". A clause that names goods,
// numbers, or exceptions may be a condition, and is none.
func (s *sentence) reason(i int) int {
	start := s.anyPhrase(i, reasons)
	if start == 0 {
		return 0
	}
	k := start
	for ; k < len(s.ts); k++ {
		t := &s.ts[k]
		if t.Kind == token.Mark && strings.Contains(",.;!?—–-()", t.Norm) || verbs[t.Norm] && !infinitive(t.Norm) &&
			t.Use == token.Unused && !makes[t.Norm] {
			break
		}
		if t.Kind != token.Word && t.Kind != token.Mark || t.Use == token.AsName || quantityOf(t.Norm) > 0 ||
			exceptWords[t.Norm] || begins(t.Norm, []string{"котор", "тольк", "если", "который"}) ||
			comparatives[t.Norm] != "" && t.Norm != "больше" || t.Norm == "which" || t.Norm == "only" || t.Norm == "if" {
			return 0
		}
	}
	if k == start {
		return 0
	}
	return k
}

// readOccasion marks what a draft is for: "к празднику", "для распродажи". A delivery date is read before.
func (s *sentence) readOccasion() {
	for i := range s.ts {
		switch s.norm(i) {
		case "к", "ко", "на", "под", "перед", "для", "накануне", "for", "before":
		case "в":
			if s.norm(i+1) != "честь" && s.norm(i+1) != "преддверии" {
				continue
			}
		default:
			continue
		}
		k := i + 1
		for w := s.norm(k); w == "честь" || w == "преддверии" || w == "the" || w == "our" ||
			begins(w, []string{"наступающ", "предстоящ", "ближайш", "эт", "наш", "следующ"}); w = s.norm(k) {
			k++
		}
		if end := s.anyPhrase(k, occasions); end > 0 {
			s.use(i, end)
		}
	}
}
