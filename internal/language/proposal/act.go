package proposal

import (
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// act is what a request orders, and the words that say so.
type act struct {
	kind    Kind
	at, end int
	verb    verb
}

type verb uint8

const (
	noVerb verb = iota
	raise
	lower
	set
	change
	round
)

// act finds what the task orders; false if it orders no draft.
func (s *sentence) act() (act, bool) {
	has := func(nouns []string) bool { return s.find(nouns) >= 0 }
	minimum := s.minimum()
	verbs := s.verbs()
	for _, v := range verbs {
		priced := has(priceNouns) || has(discountNouns) || has(markupNouns) || has(marginNouns) || s.percent() >= 0 ||
			s.fractioned()
		switch w := s.word(v); {
		case moves[w] || (sends[w] || buys[w] && w != "order") && s.fromTo():
			return act{kind: Transfers, at: v, end: v + 1}, true
		case buys[w] && s.ordersGoods(v):
			return act{kind: Orders, at: v, end: v + 1}, true
		case makes[w] && s.nounBehind(v, orderNouns):
			return act{kind: Orders, at: v, end: v + 1}, true
		case makes[w] && s.nounBehind(v, transferNouns):
			return act{kind: Transfers, at: v, end: v + 1}, true
		case (raises[w] || lowers[w] || sets[w] || changes[w]) && minimum && !has(priceNouns):
			return act{kind: Minimums, at: v, end: v + 1}, true
		case (sets[w] || makes[w]) && s.costs() >= 0:
			at := s.costs()
			s.use(at, at+1)
			return act{kind: Prices, at: v, end: v + 1, verb: set}, true
		case rounds[w] && has(priceNouns):
			return act{kind: Prices, at: v, end: v, verb: round}, true
		case repricing(w):
			return act{kind: Prices, at: v, end: v + 1, verb: map[bool]verb{true: raise, false: lower}[raises[w]]}, true
		case raises[w] && (priced || (s.money() || s.numbered() && !minimum) && !strings.HasPrefix(w, "добав")),
			w == "mark" && s.word(v+1) == "up" && priced:
			return act{kind: Prices, at: v, end: v + 1 + btoi(w == "mark"), verb: raise}, true
		case sets[w] && s.soldAtCost():
			return act{kind: Prices, at: v, end: v + 1, verb: set}, true
		case lowers[w] && (priced || s.soldAtCost() || s.money() || s.numbered() && !minimum):
			return act{kind: Prices, at: v, end: v + 1, verb: lower}, true
		case w == "mark":
			return s.markDown(v)
		case w == "take" && s.percent() >= 0 && s.anywhere("off"):
			return act{kind: Prices, at: v, end: v + 1, verb: lower}, true
		case (sets[w] || changes[w]) && s.percent() >= 0 && s.comparedTo() >= 0:
			at := s.comparedTo()
			kind := lower
			if w := s.word(at); w == "дороже" || w == "expensive" || w == "pricier" {
				kind = raise
			}
			s.use(at, at+1)
			if s.word(at-1) == "more" {
				s.use(at-1, at)
			}
			return act{kind: Prices, at: v, end: v + 1, verb: kind}, true
		case w == "double" && has(priceNouns), w == "triple" && has(priceNouns):
			s.draft.Percent = map[string]string{"double": "100", "triple": "200"}[w]
			return act{kind: Prices, at: v, end: v + 1, verb: raise}, true
		case (sets[w] || changes[w]) && has(discountNouns) && (s.percent() >= 0 || s.numbered() || s.fractioned()):
			return act{kind: Prices, at: v, end: v + 1, verb: lower}, true
		case (sets[w] || changes[w]) && (has(priceNouns) || (has(markupNouns) || has(marginNouns)) && (s.percent() >= 0 ||
			s.numbered()) || sets[w] && s.pricesGoods(v)):
			kind := set
			if changes[w] {
				kind = change
			}
			return act{kind: Prices, at: v, end: v + 1, verb: kind}, true
		}
	}
	return s.nounAct()
}

// minimum reports whether minimum stocks are spoken of.
func (s *sentence) minimum() bool {
	return s.find(sureMinimums) >= 0 || s.near(minimumNouns, "остат", "запас", "stock", "level", "point") ||
		s.setsMinimum()
}

// setsMinimum reports whether a verb stands right before "минимум": "сделай минимум 12". "Закажи минимум 12" is a
// quantity.
func (s *sentence) setsMinimum() bool {
	for i := range s.ts {
		if w := s.norm(i + 1); sets[s.norm(i)] && (w == "минимум" || w == "minimum") || (raises[s.norm(i)] ||
			lowers[s.norm(i)]) && w == "минимум" {
			return true
		}
	}
	return false
}

var sureMinimums = phrasesOf("noun", "sure_minimum")

// ordersMinimum reports whether minimum stocks are to be computed, though no verb stands before them.
func (s *sentence) ordersMinimum() bool {
	return slices.ContainsFunc(s.ts, func(t token.Token) bool {
		return t.Kind == token.Word && t.Use == token.Unused && (changes[t.Norm] || sets[t.Norm] && t.Norm != "дай")
	})
}

// repricing reports whether a verb can only be about prices.
func repricing(w string) bool {
	return (raises[w] || lowers[w]) && begins(w, []string{"уцен", "удешев", "удорож", "нацен", "скост"})
}

// fractioned reports whether a fraction says by how much prices change: "на треть", "в два раза".
func (s *sentence) fractioned() bool {
	for i := range s.ts {
		if s.norm(i-1) == "на" && s.anyPhrase(i, fractions) > 0 || s.anyPhrase(i, []string{"вдвое", "втрое", "наполовину"}) > 0 {
			return true
		}
		if u, _ := words.UnitOf(s.norm(i)); u.Kind == words.Times && i > 1 && s.norm(i-2) == "в" {
			return true
		}
	}
	return false
}

// numbered reports whether a number stands where it may say by how much prices change: "на 10", "скидку 20".
func (s *sentence) numbered() bool {
	for i := 1; i < len(s.ts); i++ {
		_, said := slangs[s.norm(i)]
		if s.ts[i].Use != token.Unused || s.ts[i].Kind != token.Number && !said && quantityOf(s.norm(i)) == 0 {
			continue
		}
		if u, _ := words.UnitOf(s.word(i + 1)); u.Kind == words.Days || u.Kind == words.Quantity || u.Kind == words.Count {
			continue
		}
		w := s.word(i - 1)
		if w == "на" || w == "до" || w == "by" || adds[w] || becomes[w] || w == "по" || begins(w, discountNouns) || begins(w, markupNouns) ||
			begins(w, marginNouns) {
			return true
		}
	}
	return false
}

// pricesGoods reports whether a verb of setting gives goods a price: "поставь чайник по 900", "выставь на кружку 590 руб".
func (s *sentence) pricesGoods(v int) bool {
	if len(s.Names) == 0 || strings.HasPrefix(s.word(v), "да") || s.find(orderNouns) >= 0 || s.find(transferNouns) >= 0 ||
		s.find(figureNouns) >= 0 {
		return false
	}
	for i := range s.ts {
		if s.ts[i].Kind != token.Number || s.ts[i].Use != token.Unused {
			continue
		}
		if op, _ := s.comparison(i); op != "" {
			return false
		}
		u, _ := words.UnitOf(s.word(i + 1))
		if only := s.word(v); u.Kind == words.NoUnit && s.word(i+1) != "%" && strongSets[only] && s.namesProducts() {
			return true
		}
		if s.word(i-1) == "по" && (u.Kind == words.NoUnit || u.Kind == words.Money) ||
			u.Kind == words.Money || s.word(i+1) == "₽" {
			return true
		}
	}
	return false
}

// strongSets are verbs that set a price, if no other thing is said.
var strongSets = wordsOf("word", "price_setting")

func (s *sentence) namesProducts() bool {
	for i := range s.Names {
		if slices.ContainsFunc(s.Names[i].Meanings, isProduct) {
			return true
		}
	}
	return false
}

// figureNouns are figures of questions, by their beginnings.
var figureNouns = phrasesOf("noun", "figure")

// costs returns the word that says what goods are to cost, or −1: "пусть чай стоит 990", "make mugs 450 each".
func (s *sentence) costs() int {
	for i := range s.ts {
		numbered := func(j int) bool { return j >= 0 && j < len(s.ts) && s.ts[j].Kind == token.Number }
		switch s.word(i) {
		case "стоит", "стоил", "стоила", "стоило", "стоят", "стоили", "стоить", "cost":
			if numbered(i+1) || numbered(i+2) {
				return i
			}
		case "each", "apiece":
			if numbered(i-1) && s.anywhere("make") {
				return i
			}
		}
	}
	return -1
}

// comparedTo returns a word for dearer or cheaper that a percentage says by how much, or −1: "дешевле на 10 %", "5%
// cheaper". Before an amount of money it is a condition.
func (s *sentence) comparedTo() int {
	for i := range s.ts {
		switch s.word(i) {
		case "дешевле", "дороже", "cheaper", "expensive", "pricier":
		default:
			continue
		}
		next := i + 1
		if w := s.word(next); w == "на" || w == "by" {
			next++
		}
		p := s.percent()
		if p == next || p >= 0 && p+2 == i && (s.word(p+1) == "%" || begins(s.word(p+1), []string{"проц",
			"percent"})) ||
			s.word(i-1) == "more" && p+3 == i {
			return i
		}
	}
	return -1
}

// markDown reads "mark them down 20%".
func (s *sentence) markDown(v int) (act, bool) {
	for j := v + 1; j < len(s.ts) && j <= v+8; j++ {
		if w := s.word(j); w == "down" || w == "up" {
			a := act{kind: Prices, at: v, end: v + 1, verb: lower}
			if w == "up" {
				a.verb = raise
			}
			s.use(j, j+1)
			return a, true
		}
	}
	return act{}, false
}

// nounAct reads a request without a verb: "скидка 20 % на посуду", "цены на посуду +5 %", "20% off tea".
func (s *sentence) nounAct() (act, bool) {
	if s.asks(len(s.ts)) {
		return act{}, false
	}
	p := s.percent()
	signed := p > 0 && signs[s.word(p-1)]
	goods := len(s.Names) > 0 || s.find(priceNouns) >= 0 || s.find(everything) >= 0
	switch {
	case signed && goods && !s.conditional(p-1) && s.find(figureNouns) < 0, s.find(figureNouns) < 0 && s.signedNumber():
		return act{kind: Prices, verb: change}, true
	case p >= 0 && s.opensWith(raisings) && s.find(figureNouns) < 0 && !s.conditional(p):
		s.use(s.find(raisings), s.find(raisings)+1)
		return act{kind: Prices, verb: raise}, true
	case p >= 0 && s.opensWith(lowerings) && s.find(figureNouns) < 0 && !s.conditional(p):
		s.use(s.find(lowerings), s.find(lowerings)+1)
		return act{kind: Prices, verb: lower}, true
	case s.fromTo() && s.moveable():
		return act{kind: Transfers}, true
	case s.shareGoal():
		return act{kind: Prices, verb: set}, true
	case s.ordersByNoun():
		return act{kind: Orders}, true
	case s.rounding():
		return act{kind: Prices, verb: round}, true
	case p >= 0 && s.anywhere("off"),
		p >= 0 && s.opensWith(discountNouns) && !s.conditional(p):
		return act{kind: Prices, verb: lower}, true
	case (s.word(0) == "перемещение" || s.word(0) == "transfer") && s.fromTo():
		return act{kind: Transfers, end: 1}, true
	case s.minimum() && s.ordersMinimum():
		return act{kind: Minimums}, true
	case s.Kind != None:
		a := act{kind: s.Kind}
		if s.Kind == Prices && s.find(discountNouns) >= 0 {
			a.verb = lower
		}
		return a, true
	}
	return act{}, false
}

// moveable reports whether quantities of goods are named and no figure: "по 3 штуки сковородки на витрину с основного".
func (s *sentence) moveable() bool {
	if s.find(figureNouns) >= 0 || s.find(priceNouns) >= 0 || !s.namesProducts() {
		return false
	}
	for i := range s.ts {
		if u, _ := words.UnitOf(s.word(i + 1)); u.Kind == words.Quantity && s.ts[i].Use == token.Unused &&
			(s.ts[i].Kind == token.Number || quantityOf(s.ts[i].Norm) > 0) {
			return true
		}
	}
	return false
}

var (
	raisings   = phrasesOf("noun", "raising")
	lowerings  = phrasesOf("noun", "lowering")
	signs      = words.Set("+ - – − — плюс минус plus minus")
	everything = []string{"все", "всё", "all", "everything"}
)

// signedNumber reads "минус 10 на посуду": a number with a sign before goods.
func (s *sentence) signedNumber() bool {
	if len(s.Names) == 0 || s.Names[0].At[0] < 2 || s.ts[1].Kind != token.Number || !signs[s.norm(0)] {
		return false
	}
	w := s.before(s.Names[0].At[0])
	_, kind := kinds[w]
	return w == "на" || w == "к" || kind || everythingWords[w]
}

// shareGoal reports whether a markup or a margin is ordered without a verb: "на сладости наценка 50".
func (s *sentence) shareGoal() bool {
	if len(s.Names) == 0 && s.find(everything) < 0 {
		return false
	}
	for i := range s.ts {
		switch s.norm(i) {
		case "наценка", "наценку", "накрутка", "надбавка", "маржа", "маржу", "markup", "margin":
		default:
			continue
		}
		if w := s.word(i - 1); w == "с" || w == "with" || w == "где" || w == "the" || w == "a" || w == "of" {
			continue
		}
		j := i + 1
		for small[s.norm(j)] {
			j++
		}
		if j < len(s.ts) && s.ts[j].Use == token.Unused && (s.ts[j].Kind == token.Number || quantityOf(s.ts[j].Norm) > 0) {
			return true
		}
	}
	return false
}

// ordersByNoun reads "заказ у Петровой", "заявка поставщику", "закупка чая на 50 тысяч".
func (s *sentence) ordersByNoun() bool {
	at := -1
	for i := 0; i < len(s.ts) && i < 4 && at < 0; i++ {
		switch s.norm(i) {
		case "заказ", "заявка", "заявку", "дозаказ", "закупка", "закупку", "предзаказ", "заявочка":
			at = i
		default:
			if s.ts[i].Kind == token.Word && s.ts[i].Use == token.Unused && !fillers[s.ts[i].Norm] && s.norm(i) != "на" {
				return false
			}
		}
	}
	if at < 0 || s.find(customerNouns) >= 0 || s.find(figureNouns) >= 0 {
		return false
	}
	next := s.word(at + 1)
	quantity := false
	for i := at + 1; i < len(s.ts); i++ {
		if u, _ := words.UnitOf(s.word(i + 1)); s.ts[i].Kind == token.Number && (u.Kind == words.Money ||
			u.Kind == words.Quantity || u.Scale) {
			quantity = true
		}
	}
	if next == "у" || begins(next, supplierNouns) || quantity && len(s.Names) > 0 && !strings.HasPrefix(next, "0") ||
		quantity && s.find(supplierNouns) >= 0 || s.lacking() || s.namesSupplier() {
		s.use(at, at+1)
		return true
	}
	return false
}

func (s *sentence) namesSupplier() bool {
	return slices.ContainsFunc(s.Names, func(n Name) bool {
		return slices.ContainsFunc(n.Meanings, func(m connector.Name) bool { return m.Kind == connector.NameSupplier })
	})
}

// rounding reads "все цены до десятков", "цены на посуду без копеек".
func (s *sentence) rounding() bool {
	if s.find(priceNouns) < 0 {
		return false
	}
	for i := range s.ts {
		if s.phraseAt(i, "без копеек") > 0 && (len(s.Names) > 0 || s.find(everything) >= 0) {
			return true
		}
	}
	return false
}

func (s *sentence) conditional(i int) bool { return i > 0 && comparatives[s.word(i-1)] != "" }

// opensWith reports whether one of the first three words begins with one of these.
func (s *sentence) opensWith(beginnings []string) bool {
	for i := 0; i < len(s.ts) && i < 3; i++ {
		if s.ts[i].Use == token.Unused && begins(s.word(i), beginnings) {
			return true
		}
	}
	return false
}

// verbs returns the tokens that may be the verb of an order.
func (s *sentence) verbs() []int {
	var out []int
	for i := range s.ts {
		t := &s.ts[i]
		if t.Kind != token.Word || t.Use != token.Unused {
			continue
		}
		w := t.Norm
		known := raises[w] || lowers[w] || sets[w] || changes[w] || rounds[w] || buys[w] || moves[w] || sends[w] ||
			makes[w] || w == "mark" || w == "take" || w == "double" || w == "triple"
		switch {
		case !known:
		case !t.Cyrillic:
			if s.opens(i) && !nounAfter[s.word(i+1)] {
				out = append(out, i)
			}
		case infinitive(w) || together(w):
			if !s.asks(i) {
				out = append(out, i)
			}
		default:
			out = append(out, i)
		}
	}
	return out
}

// together reports whether a verb says what we do: "снижаем", "закажем". So do questions.
func together(w string) bool { return strings.HasSuffix(w, "ем") || strings.HasSuffix(w, "им") }

func infinitive(w string) bool { return strings.HasSuffix(w, "ть") || strings.HasSuffix(w, "ти") }

// asks reports whether one of the first n tokens asks a question: "что заказать".
func (s *sentence) asks(n int) bool {
	for i := range s.ts[:n] {
		if s.ts[i].Use == token.Unused && asking[s.word(i)] && !all[s.word(i-1)] {
			return true
		}
	}
	return false
}

// opens reports whether an English order begins at a token.
func (s *sentence) opens(i int) bool {
	for j := i - 1; j >= 0; j-- {
		if s.ts[j].Kind == token.Mark {
			return true
		}
		if s.ts[j].Use == token.AsAccount { // a greeting, or who wants it
			continue
		}
		if s.ts[j].Use != token.Unused || !padding[s.ts[j].Norm] {
			return false
		}
	}
	return true
}

// ordersGoods reports whether a verb of buying orders something: "order 00012" names a document.
func (s *sentence) ordersGoods(v int) bool {
	next := s.word(v + 1)
	return next != "№" && next != "#" && !strings.HasPrefix(next, "00")
}

// nounBehind reports whether a noun follows within four words, and no noun of customers behind it.
func (s *sentence) nounBehind(v int, nouns []string) bool {
	for j := v + 1; j < len(s.ts) && j <= v+4; j++ {
		if begins(s.word(j), nouns) {
			return true
		}
	}
	return false
}

// find returns the first unused word that begins with one of these, or −1.
func (s *sentence) find(beginnings []string) int {
	return slices.IndexFunc(s.ts, func(t token.Token) bool {
		return t.Kind == token.Word && t.Use == token.Unused && begins(t.Norm, beginnings)
	})
}

// near reports whether a word that begins with one of the first has one of the others within two words behind it.
func (s *sentence) near(beginnings []string, others ...string) bool {
	i := s.find(beginnings)
	return i >= 0 && (begins(s.word(i+1), others) || begins(s.word(i+2), others))
}

func (s *sentence) anywhere(w string) bool {
	return slices.ContainsFunc(s.ts, func(t token.Token) bool { return t.Norm == w && t.Kind == token.Word })
}

// percent returns the token of the first number in percent, or −1.
func (s *sentence) percent() int {
	for i := range s.ts {
		if s.ts[i].Kind != token.Number && quantityOf(s.ts[i].Norm) == 0 {
			continue
		}
		if u, _ := words.UnitOf(s.word(i + 1)); s.word(i+1) == "%" || u.Kind == words.Percent {
			return i
		}
	}
	return -1
}

// money reports whether a number with a currency is there.
func (s *sentence) money() bool {
	for i := range s.ts {
		if s.ts[i].Kind != token.Number {
			continue
		}
		for j := i + 1; j <= i+2; j++ {
			if u, _ := words.UnitOf(s.word(j)); u.Kind == words.Money || s.word(j) == "₽" {
				return true
			}
		}
	}
	return false
}

// fromTo reports whether the task names where goods come from and where they go.
func (s *sentence) fromTo() bool {
	from, to := false, false
	for i := range s.Names {
		if n := &s.Names[i]; slices.ContainsFunc(n.Meanings, isStore) {
			if w := s.before(n.At[0]); leaving[w] {
				from = true
			} else {
				to = true
			}
		}
	}
	if len(s.Names) == 0 {
		return s.anywhere("from") && s.anywhere("to") || s.anywhere("с") && s.anywhere("на")
	}
	return from && to
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}
