package request

import (
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

var (
	persons   = PhrasesOf("aside", "person")
	says      = PhrasesOf("aside", "says")
	reasons   = LongestFirst(PhrasesOf("aside", "reason"))
	occasions = LongestFirst(PhrasesOf("aside", "occasion"))
	limits    = PhrasesOf("bound", "bound")
	speech    = LongestFirst(PhrasesOf("aside", "speech"))
	addressed = words.Set(strings.Join(PhrasesOf("aside", "named"), " "))
)

// LongestFirst sorts phrases by the number of their words.
func LongestFirst(phrases []string) []string {
	slices.SortStableFunc(phrases, func(a, b string) int {
		return len(strings.Fields(b)) - len(strings.Fields(a))
	})
	return phrases
}

// AnyPhrase returns the token after the first of the phrases that is at token i; 0 for none.
func (s *Sentence) AnyPhrase(i int, phrases []string) int {
	for _, p := range phrases {
		if end := s.PhraseAt(i, p); end > 0 {
			return end
		}
	}
	return 0
}

// TopUp reads "top up tea to 40" as "replenish tea to 40".
func (s *Sentence) TopUp() {
	for i := range s.Words {
		if s.Norm(i) == "top" && s.Norm(i+1) == "up" && s.Opens(i) {
			s.Words[i].Norm, s.Words[i].Stem = "replenish", token.Stem("replenish", false)
			s.Use(i+1, i+2)
		}
	}
}

// Rearrange puts a unit behind its number: "процентов на пять" is about 5 %, "штук тридцать" about 30.
func (s *Sentence) Rearrange() {
	numeral := func(i int) bool {
		return i < len(s.Words) && s.Words[i].Use == token.Unused &&
			(s.Words[i].Kind == token.Number || s.Words[i].Kind == token.Word && Numeral(s.Words[i].Norm) > 0)
	}
	for i := 0; i+1 < len(s.Words); i++ {
		u, ok := words.UnitOf(s.Norm(i))
		if !ok && !informalScale(s.Norm(i)) || u.Attached || u.Kind == words.Count || u.Kind == words.Other ||
			u.Kind == words.Times ||
			s.Words[i].Kind != token.Word || len([]rune(s.Words[i].Norm)) < 3 || i > 0 && numeral(i-1) {
			continue
		}
		k := i + 1
		if Begins(s.Norm(i), packs) && (s.Norm(k) == "по" || s.Norm(k) == "из" || s.Norm(k) == "до") {
			continue // "упаковками по 12" is no number of packs
		}
		if w := s.Norm(k); w == "на" || w == "по" || w == "до" || w == "в" || w == "за" || w == "от" {
			k++
		}
		if !numeral(k) {
			continue
		}
		end := k + 1
		for end < len(s.Words) && (numeral(end) || strings.Contains("-–—", s.Norm(end)) && s.Norm(end) != "" &&
			numeral(end+1)) {
			end++
		}
		next, hasUnit := words.UnitOf(s.Norm(end))
		scale := next.Scale || next.Kind == words.NoUnit && informalScale(s.Norm(end))
		if s.Norm(end) == "%" || hasUnit && !next.Scale || scale && u.Kind != words.Money || aDate[s.Norm(i)] {
			continue
		}
		unit := s.Words[i]
		copy(s.Words[i:], s.Words[i+1:end])
		s.Words[end-1] = unit
		i = end - 1
	}
}

// packs are words for packs of goods.
var packs = []string{"упак", "короб", "пач", "ящик", "блок", "палет", "паллет", "box", "pack", "case"}

func informalScale(w string) bool { return Informal[w] > 0 }

// aDate are forms of units of time that count nothing: "к новому году на 200 тысяч".
var aDate = words.Set("год году годом день дню неделю неделе месяц месяце месяцу квартал квартале")

// ReadAsides marks what cannot change a draft: greetings, who wants it, and why.
func (s *Sentence) ReadAsides() {
	for i := 0; i < len(s.Words); i++ {
		if s.Norm(i) == "" {
			continue
		}
		end := s.wish(i)
		if end == 0 {
			end = s.reason(i)
		}
		if end == 0 && s.clauseBegins(i) {
			end = s.opinion(i)
		}
		if end == 0 && !AllVerbs[s.Norm(i)] {
			end = s.AnyPhrase(i, speech)
		}
		if w := s.Norm(i); end == 0 && addressed[w] && s.addressed(i) {
			end = i + 1
		}
		if end > 0 {
			s.Use(i, end)
			i = end - 1
		}
	}
}

// clauseBegins reports whether nothing but marks and used words stands before a token.
func (s *Sentence) clauseBegins(i int) bool {
	for j := range i {
		if s.Words[j].Use == token.Unused && s.Words[j].Kind != token.Mark || s.Words[j].Use == token.AsName {
			return false
		}
	}
	return true
}

// opinion returns the token after what is said of the answer before the order begins: "дорого, скинь до 300", "мало,
// подними их на 100" (rule R1136). It is a clause of its own, of such words only.
func (s *Sentence) opinion(i int) int {
	said, k := false, i
	for ; k < len(s.Words) && (opinions[s.Norm(k)] || aroundOpinions[s.Norm(k)]); k++ {
		said = said || opinions[s.Norm(k)]
	}
	if !said || k == len(s.Words) {
		return 0
	}
	if w := s.Norm(k); w != "" && strings.Contains(",.!;—–-", w) {
		return k + 1
	}
	return 0
}

var (
	opinions = words.Set("дорого дороговато дорогова дорогущий дорогие дешево дёшево дешевовато мало маловато " +
		"много многовато слабо слабовато плохо плоховато неплохо хорошо отлично странно жирно ужас кошмар беда жаль " +
		"жалко печально грустно низко высоко низковато высоковато нормально понятно ясно ого ничего обидно expensive " +
		"cheap pricey low high little bad good great nice hmm wow ouch sad understood")
	aroundOpinions = words.Set("как-то что-то чего-то слишком очень уж совсем это так ну да и а вот оно они тут ой " +
		"эх блин нда мда хм какой-то себе же у нас too that that's thats is it so not quite bit a very well oh")
)

// addressed reports whether the word at a token is whom the task speaks to: "Оля, закажи чай".
func (s *Sentence) addressed(i int) bool {
	for j := range i {
		if s.Words[j].Use == token.Unused && s.Words[j].Kind != token.Mark {
			return false
		}
	}
	w := s.Word(i + 1)
	return w == "," || w == "!" || AllVerbs[w]
}

// wish returns the token after who wants a draft: "шеф сказал, чтобы", "по просьбе директора", "решили".
func (s *Sentence) wish(i int) int {
	of := func(j int, list []string) bool { return s.AnyPhrase(j, list) > 0 }
	k := i
	if w := s.Norm(k); w == "по" || w == "от" {
		if !Begins(s.Norm(k+1), []string{"просьб", "указани", "распоряжени", "приказ", "поручени", "совет",
			"решени"}) ||
			!of(k+2, persons) {
			return 0
		}
		return k + 3
	}
	if w := s.Norm(k); (w == "our" || w == "the" || w == "my" || Begins(w, []string{"наш"})) && of(k+1, persons) {
		k++
	}
	for of(k, persons) && k < i+3 {
		k++
	}
	for k > i && (s.Norm(k) == "опять" || s.Norm(k) == "снова" || s.Norm(k) == "уже" || s.Norm(k) == "тут" ||
		s.Norm(k) == "вчера" || s.Norm(k) == "сегодня" || s.Norm(k) == "очень" || s.Norm(k) == "так") {
		k++
	}
	if !of(k, says) {
		return 0
	}
	for k++; of(k, persons) || of(k, says); {
		k++
	}
	for w := s.Norm(k); w == "," || w == "что" || w == "чтобы" || w == "чтоб" || w == "that" ||
		w == "to"; w = s.Norm(k) {
		k++
	}
	return k
}

// Reason returns the token after words that begin a reason, 0 for none: "а то", "потому что".
func (s *Sentence) Reason(i int) int {
	if s.Norm(i) == "" || s.sinceTime(i) {
		return 0
	}
	return s.AnyPhrase(i, reasons)
}

// reason returns the token after a clause that says why: "а то лежит мёртвым грузом". A clause that names goods,
// numbers, or exceptions may be a condition, and is none.
func (s *Sentence) reason(i int) int {
	start := s.AnyPhrase(i, reasons)
	if start == 0 || s.AnyPhrase(i, limits) > 0 || s.sinceTime(i) {
		return 0
	}
	k := start
	for ; k < len(s.Words); k++ {
		t := &s.Words[k]
		if t.Kind == token.Mark && strings.Contains(",.;!?—–-()", t.Norm) || AllVerbs[t.Norm] && !Infinitive(t.Norm) &&
			t.Use == token.Unused && !Makes[t.Norm] {
			break
		}
		if t.Kind != token.Word && t.Kind != token.Mark || t.Use == token.AsName || Numeral(t.Norm) > 0 ||
			ExceptWords[t.Norm] || Begins(t.Norm, []string{"котор", "тольк", "если", "который"}) ||
			Comparatives[t.Norm] != "" && t.Norm != "больше" || t.Norm == "which" || t.Norm == "only" ||
			t.Norm == "if" || s.inPlace(k) || s.inPeriod(k) {
			return 0
		}
	}
	if k == start {
		return 0
	}
	return k
}

// sinceTime reports whether "since" at a token begins a period: "not sold since august".
func (s *Sentence) sinceTime(i int) bool {
	if s.Norm(i) != "since" {
		return false
	}
	for j := i + 1; j < len(s.Words) && j <= i+3; j++ {
		w := s.Norm(j)
		if words.MonthOf(w) != 0 || words.TimeUnitOf(w) != words.NoTime || sinceWords[w] ||
			s.Words[j].Kind == token.Number || s.Words[j].Use == token.AsPeriod {
			return true
		}
	}
	return false
}

var sinceWords = words.Set("yesterday today last then monday tuesday wednesday thursday friday saturday sunday spring " +
	"summer autumn fall winter easter christmas")

// ReadOccasion marks what a draft is for: "к празднику", "для распродажи". A delivery date is read before.
func (s *Sentence) ReadOccasion() {
	for i := range s.Words {
		switch s.Norm(i) {
		case "к", "ко", "на", "под", "перед", "для", "накануне", "for", "before":
		case "в":
			if s.Norm(i+1) != "честь" && s.Norm(i+1) != "преддверии" {
				continue
			}
		default:
			continue
		}
		k := i + 1
		for w := s.Norm(k); w == "честь" || w == "преддверии" || w == "the" || w == "our" ||
			Begins(w, []string{"наступающ", "предстоящ", "ближайш", "эт", "наш", "следующ"}); w = s.Norm(k) {
			k++
		}
		if end := s.AnyPhrase(k, occasions); end > 0 {
			s.Use(i, end)
		}
	}
}

// inPlace reports whether a word of a reason may be the name of a place: it stands behind a preposition of place and is
// no plain noun (rule R1134). "А то на Мира пусто" says where the goods are wanted.
func (s *Sentence) inPlace(i int) bool {
	w := s.Norm(i)
	return w != "" && places[s.Norm(i-1)] && !Begins(w, plainPlaces) && len([]rune(w)) > 2 && !Fillers[w] &&
		!Pronouns[w] && !Approximate[w] && words.MonthOf(w) == 0 && words.TimeUnitOf(w) == words.NoTime
}

// inPeriod reports whether a word of a reason is a period: "а то шеф спрашивает за август".
func (s *Sentence) inPeriod(i int) bool {
	before := s.Norm(i - 1)
	return (before == "за" || before == "for") && (words.MonthOf(s.Norm(i)) != 0 ||
		words.TimeUnitOf(s.Norm(i)) != words.NoTime)
}

var (
	places      = words.Set("на в во at in")
	plainPlaces = strings.Fields("склад остат полк магазин минус нол нуле нул убыт прибыл прайс праздник сайт сам самом " +
		"самое продаж наличи запас закуп рынк рынок цен дефицит спрос сезон год прошл следующ эт том так так-то " +
		"проблем конкурент бюджет долг кассе руках работ пути последн общем целом принцип данн момент первую " +
		"выходн новы новог недел отпуск нём нем ней них дороже дешевле много мало порядк ожидани the stock demand " +
		"our this that general time short fact warehouse shop store")
)
