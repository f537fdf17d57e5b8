package proposal

import (
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/language/quantity"
	"github.com/stockhand/stockhand/internal/language/request"
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
	has := func(nouns []string) bool { return s.Find(nouns) >= 0 }
	minimum := s.minimum()
	found := s.Verbs()
	for _, v := range found {
		priced := has(request.PriceNouns) || has(request.DiscountNouns) || has(request.MarkupNouns) ||
			has(request.MarginNouns) || s.Percent() >= 0 ||
			s.fractioned()
		switch w := s.Word(v); {
		case request.Moves[w] || (request.Sends[w] || request.Buys[w] && w != "order") && s.fromTo():
			return act{kind: Transfers, at: v, end: v + 1}, true
		case (request.Sends[w] || request.Rounds[w]) && s.spreads():
			return act{kind: Transfers, at: v, end: v + 1}, true
		case (w == "put" || w == "bring") && s.Percent() >= 0 && s.Anywhere("up") && has(request.PriceNouns):
			up := slices.IndexFunc(s.Words, func(t token.Token) bool { return t.Norm == "up" })
			s.Use(up, up+1)
			return act{kind: Prices, at: v, end: v + 1, verb: raise}, true
		case request.Buys[w] && s.ordersGoods(v):
			return act{kind: Orders, at: v, end: v + 1}, true
		case request.Makes[w] && s.NounBehind(v, request.OrderNouns):
			return act{kind: Orders, at: v, end: v + 1}, true
		case request.Makes[w] && s.NounBehind(v, request.TransferNouns):
			return act{kind: Transfers, at: v, end: v + 1}, true
		case (request.Raises[w] || request.Lowers[w] || request.Sets[w] || request.Changes[w]) && minimum &&
			!has(request.PriceNouns):
			return act{kind: Minimums, at: v, end: v + 1}, true
		case (request.Sets[w] || request.Makes[w]) && s.costs() >= 0:
			at := s.costs()
			s.Use(at, at+1)
			return act{kind: Prices, at: v, end: v + 1, verb: set}, true
		case request.Rounds[w] && has(request.PriceNouns):
			return act{kind: Prices, at: v, end: v, verb: round}, true
		case repricing(w):
			return act{kind: Prices, at: v, end: v + 1, verb: map[bool]verb{true: raise,
				false: lower}[request.Raises[w]]}, true
		case request.Raises[w] && (priced || (s.Money() || s.numbered() && !minimum) && !strings.HasPrefix(w, "добав")),
			w == "mark" && s.Word(v+1) == "up" && priced:
			return act{kind: Prices, at: v, end: v + 1 + btoi(w == "mark"), verb: raise}, true
		case request.Sets[w] && s.soldAtCost():
			return act{kind: Prices, at: v, end: v + 1, verb: set}, true
		case request.Lowers[w] && (priced || s.soldAtCost() || s.Money() || s.numbered() && !minimum):
			return act{kind: Prices, at: v, end: v + 1, verb: lower}, true
		case w == "mark":
			return s.markDown(v)
		case w == "take" && s.Percent() >= 0 && s.Anywhere("off"):
			return act{kind: Prices, at: v, end: v + 1, verb: lower}, true
		case (request.Sets[w] || request.Changes[w]) && s.Percent() >= 0 && s.comparedTo() >= 0:
			at := s.comparedTo()
			kind := lower
			if w := s.Word(at); w == "дороже" || w == "expensive" || w == "pricier" {
				kind = raise
			}
			s.Use(at, at+1)
			if s.Word(at-1) == "more" {
				s.Use(at-1, at)
			}
			return act{kind: Prices, at: v, end: v + 1, verb: kind}, true
		case w == "double" && has(request.PriceNouns), w == "triple" && has(request.PriceNouns):
			s.draft.Percent = map[string]string{"double": "100", "triple": "200"}[w]
			return act{kind: Prices, at: v, end: v + 1, verb: raise}, true
		case (request.Sets[w] || request.Changes[w]) && has(request.DiscountNouns) && (s.Percent() >= 0 ||
			s.numbered() || s.fractioned()):
			return act{kind: Prices, at: v, end: v + 1, verb: lower}, true
		case (request.Sets[w] || request.Changes[w]) && (has(request.PriceNouns) || (has(request.MarkupNouns) ||
			has(request.MarginNouns)) && (s.Percent() >= 0 ||
			s.numbered()) || request.Sets[w] && s.pricesGoods(v)):
			kind := set
			if request.Changes[w] {
				kind = change
			}
			return act{kind: Prices, at: v, end: v + 1, verb: kind}, true
		}
	}
	for _, v := range found {
		if needs[s.Word(v)] && s.namesProducts() && s.counts() && s.Find(request.PriceNouns) < 0 && !minimum {
			s.needed = !s.fromTo()
			return act{kind: map[bool]Kind{true: Orders, false: Transfers}[s.needed], at: v, end: v + 1}, true
		}
	}
	return s.nounAct()
}

// needs are words that goods are needed, which do not say where from.
var needs = request.WordsOf("word", "need")

// spreads reports whether surplus or stock goes from one warehouse to others: "раскидай излишки с лесной".
func (s *sentence) spreads() bool {
	for i := range s.Words {
		if s.AnyPhrase(i, surplus) > 0 || s.AnyPhrase(i, everywhere) > 0 {
			return true
		}
	}
	stores := 0
	for i := range s.Names {
		if slices.ContainsFunc(s.Names[i].Meanings, isStore) {
			stores++
		}
	}
	return stores > 1 && s.Find(stockWords) >= 0
}

var (
	surplus    = request.PhrasesOf("phrase", "surplus")
	everywhere = request.LongestFirst(request.PhrasesOf("phrase", "everywhere"))
	stockWords = []string{"запас", "остат", "stock", "inventory"}
)

// minimum reports whether minimum stocks are spoken of.
func (s *sentence) minimum() bool {
	return s.Find(sureMinimums) >= 0 || s.Near(request.MinimumNouns, "остат", "запас", "stock", "level", "point") ||
		s.setsMinimum()
}

// setsMinimum reports whether a verb stands right before "минимум": "сделай минимум 12". "Закажи минимум 12" is a
// quantity.
func (s *sentence) setsMinimum() bool {
	for i := range s.Words {
		if w := s.Norm(i + 1); request.Sets[s.Norm(i)] && (w == "минимум" || w == "minimum") ||
			(request.Raises[s.Norm(i)] ||
				request.Lowers[s.Norm(i)]) && w == "минимум" {
			return true
		}
	}
	return false
}

var sureMinimums = request.PhrasesOf("noun", "sure_minimum")

// ordersMinimum reports whether minimum stocks are to be computed, though no verb stands before them.
func (s *sentence) ordersMinimum() bool {
	return slices.ContainsFunc(s.Words, func(t token.Token) bool {
		return t.Kind == token.Word && t.Use == token.Unused && (request.Changes[t.Norm] || request.Sets[t.Norm] &&
			t.Norm != "дай")
	})
}

// repricing reports whether a verb can only be about prices.
func repricing(w string) bool {
	return (request.Raises[w] || request.Lowers[w]) &&
		request.Begins(w, []string{"уцен", "удешев", "удорож", "нацен", "скост"})
}

// fractioned reports whether a fraction says by how much prices change: "на треть", "в два раза".
func (s *sentence) fractioned() bool {
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
func (s *sentence) numbered() bool {
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
		if w == "на" || w == "до" || w == "by" || request.Adds[w] || becomes[w] || w == "по" ||
			request.Begins(w, request.DiscountNouns) || request.Begins(w, request.MarkupNouns) ||
			request.Begins(w, request.MarginNouns) {
			return true
		}
	}
	return false
}

// pricesGoods reports whether a verb of setting gives goods a price: "поставь чайник по 900", "выставь на кружку 590
// руб".
func (s *sentence) pricesGoods(v int) bool {
	if len(s.Names) == 0 || strings.HasPrefix(s.Word(v), "да") || s.Find(request.OrderNouns) >= 0 ||
		s.Find(request.TransferNouns) >= 0 ||
		s.Find(figureNouns) >= 0 {
		return false
	}
	for i := range s.Words {
		if s.Words[i].Kind != token.Number || s.Words[i].Use != token.Unused {
			continue
		}
		if op, _ := s.comparison(i); op != "" {
			return false
		}
		u, _ := words.UnitOf(s.Word(i + 1))
		if u.Kind == words.NoUnit && s.Word(i+1) != "%" && strongSets[s.Word(v)] && s.namesProducts() {
			return true
		}
		if s.Word(i-1) == "по" && (u.Kind == words.NoUnit || u.Kind == words.Money) ||
			u.Kind == words.Money || s.Word(i+1) == "₽" {
			return true
		}
	}
	return false
}

// strongSets are verbs that set a price, if no other thing is said.
var strongSets = request.WordsOf("word", "price_setting")

func (s *sentence) namesProducts() bool {
	for i := range s.Names {
		if slices.ContainsFunc(s.Names[i].Meanings, isProduct) {
			return true
		}
	}
	return false
}

// figureNouns are figures of questions, by their beginnings.
var figureNouns = request.PhrasesOf("noun", "figure")

// past reports whether a period that has begun is named: "заказ у Востока за октябрь" asks for a document.
func (s *sentence) past() bool {
	return slices.ContainsFunc(quantity.Periods(slices.Clone(s.Words), s.Today), func(p quantity.Period) bool {
		return !p.From.IsZero() && p.From.Before(s.Today)
	})
}

// orders reports whether a word of the task orders something: "перемещения за неделю" is a question, if it is one.
func (s *sentence) orders() bool {
	return slices.ContainsFunc(s.Words, func(t token.Token) bool {
		return t.Kind == token.Word && t.Use != token.AsName && request.AllVerbs[t.Norm]
	})
}

// costs returns the word that says what goods are to cost, or −1: "пусть чай стоит 990", "make mugs 450 each".
func (s *sentence) costs() int {
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

// comparedTo returns a word for dearer or cheaper that a percentage says by how much, or −1: "дешевле на 10 %", "5%
// cheaper". Before an amount of money it is a condition.
func (s *sentence) comparedTo() int {
	for i := range s.Words {
		switch s.Word(i) {
		case "дешевле", "дороже", "cheaper", "expensive", "pricier":
		default:
			continue
		}
		next := i + 1
		if w := s.Word(next); w == "на" || w == "by" {
			next++
		}
		p := s.Percent()
		if p == next || p >= 0 && p+2 == i && (s.Word(p+1) == "%" || request.Begins(s.Word(p+1), []string{"проц",
			"percent"})) ||
			s.Word(i-1) == "more" && p+3 == i {
			return i
		}
	}
	return -1
}

// markDown reads "mark them down 20%".
func (s *sentence) markDown(v int) (act, bool) {
	for j := v + 1; j < len(s.Words) && j <= v+8; j++ {
		if w := s.Word(j); w == "down" || w == "up" {
			a := act{kind: Prices, at: v, end: v + 1, verb: lower}
			if w == "up" {
				a.verb = raise
			}
			s.Use(j, j+1)
			return a, true
		}
	}
	return act{}, false
}

// nounAct reads a request without a verb: "скидка 20 % на посуду", "цены на посуду +5 %", "20% off tea".
func (s *sentence) nounAct() (act, bool) {
	if s.Asks(len(s.Words)) {
		return act{}, false
	}
	p := s.Percent()
	signed := p > 0 && signs[s.Word(p-1)]
	goods := len(s.Names) > 0 || s.Find(request.PriceNouns) >= 0 || s.Find(everything) >= 0
	switch {
	case signed && goods && !s.conditional(p-1) && s.Find(figureNouns) < 0, s.Find(figureNouns) < 0 && s.signedNumber():
		return act{kind: Prices, verb: change}, true
	case p >= 0 && s.OpensWith(raisings) && s.Find(figureNouns) < 0 && !s.conditional(p):
		s.Use(s.Find(raisings), s.Find(raisings)+1)
		return act{kind: Prices, verb: raise}, true
	case p >= 0 && s.OpensWith(lowerings) && s.Find(figureNouns) < 0 && !s.conditional(p):
		s.Use(s.Find(lowerings), s.Find(lowerings)+1)
		return act{kind: Prices, verb: lower}, true
	case s.fromTo() && s.moveable() && !s.past():
		return act{kind: Transfers}, true
	case s.shareGoal():
		return act{kind: Prices, verb: set}, true
	case s.ordersByNoun() && !s.past():
		return act{kind: Orders}, true
	case s.rounding():
		return act{kind: Prices, verb: round}, true
	case p >= 0 && s.Anywhere("off"),
		p >= 0 && s.OpensWith(request.DiscountNouns) && !s.conditional(p):
		return act{kind: Prices, verb: lower}, true
	case (s.Word(0) == "перемещение" || s.Word(0) == "transfer") && s.fromTo() && !s.past():
		return act{kind: Transfers, end: 1}, true
	case s.minimum() && s.ordersMinimum(), s.OpensWith(request.MinimumNouns) && s.statesMinimum():
		return act{kind: Minimums}, true
	case s.Kind != None && s.orders():
		a := act{kind: s.Kind}
		if s.Kind == Prices && s.Find(request.DiscountNouns) >= 0 {
			a.verb = lower
		}
		return a, true
	}
	return act{}, false
}

// statesMinimum reports whether a number or days follow the goods of a minimum: "минимум для посуды 10".
func (s *sentence) statesMinimum() bool {
	if len(s.Names) == 0 && s.Find(everything) < 0 || s.Find(request.PriceNouns) >= 0 ||
		s.Find([]string{"продаж", "выруч", "прибыл", "заказ", "sales", "revenue", "profit", "order"}) >= 0 &&
			s.Find([]string{"дн", "недел", "месяц", "day", "week", "month"}) < 0 {
		return false
	}
	for i := range s.Words {
		t := &s.Words[i]
		if op, _ := s.comparison(i); op == "" && t.Use == token.Unused && (t.Kind == token.Number ||
			request.Numeral(t.Norm) > 0) {
			return true
		}
	}
	return false
}

// moveable reports whether quantities of goods are named and no figure: "по 3 штуки сковородки на витрину с
// основного".
func (s *sentence) moveable() bool {
	if s.Find(figureNouns) >= 0 || s.Find(request.PriceNouns) >= 0 || !s.namesProducts() {
		return false
	}
	numbers, goods := 0, 0
	for i := range s.Words {
		if s.Words[i].Use != token.Unused || s.Words[i].Kind != token.Number && request.Numeral(s.Words[i].Norm) == 0 {
			continue
		}
		switch u, ok := words.UnitOf(s.Word(i + 1)); {
		case u.Kind == words.Quantity:
			return true
		case !ok && s.Word(i+1) != "%" && words.TimeUnitOf(s.Word(i+1)) == words.NoTime:
			numbers++
		}
	}
	for i := range s.Names {
		if slices.ContainsFunc(s.Names[i].Meanings, isProduct) {
			goods++
		}
	}
	return numbers > 0 && numbers == goods // a list
}

var (
	raisings   = request.PhrasesOf("noun", "raising")
	lowerings  = request.PhrasesOf("noun", "lowering")
	signs      = words.Set("+ - – − — плюс минус plus minus")
	everything = []string{"все", "всё", "all", "everything"}
)

// signedNumber reads "минус 10 на посуду": a number with a sign before goods.
func (s *sentence) signedNumber() bool {
	if len(s.Names) == 0 || s.Names[0].At[0] < 2 || s.Words[1].Kind != token.Number || !signs[s.Norm(0)] {
		return false
	}
	w := s.Preceding(s.Names[0].At[0])
	_, kind := request.Kinds[w]
	return w == "на" || w == "к" || kind || request.EverythingWords[w]
}

// shareGoal reports whether a markup or a margin is ordered without a verb: "на сладости наценка 50".
func (s *sentence) shareGoal() bool {
	if len(s.Names) == 0 && s.Find(everything) < 0 {
		return false
	}
	for i := range s.Words {
		switch s.Norm(i) {
		case "наценка", "наценку", "накрутка", "надбавка", "маржа", "маржу", "markup", "margin":
		default:
			continue
		}
		if w := s.Word(i - 1); w == "с" || w == "with" || w == "где" || w == "the" || w == "a" || w == "of" {
			continue
		}
		j := i + 1
		for request.Small[s.Norm(j)] {
			j++
		}
		if j < len(s.Words) && s.Words[j].Use == token.Unused && (s.Words[j].Kind == token.Number ||
			request.Numeral(s.Words[j].Norm) > 0) {
			return true
		}
	}
	return false
}

// ordersByNoun reads "заказ у Петровой", "заявка поставщику", "закупка чая на 50 тысяч".
func (s *sentence) ordersByNoun() bool {
	at := -1
	for i := 0; i < len(s.Words) && i < 4 && at < 0; i++ {
		switch s.Norm(i) {
		case "заказ", "заявка", "заявку", "дозаказ", "закупка", "закупку", "предзаказ", "заявочка":
			at = i
		default:
			if s.Words[i].Kind == token.Word && s.Words[i].Use == token.Unused && !request.Fillers[s.Words[i].Norm] &&
				s.Norm(i) != "на" {
				return false
			}
		}
	}
	if at < 0 || s.Find(request.CustomerNouns) >= 0 || s.Find(figureNouns) >= 0 {
		return false
	}
	next := s.Word(at + 1)
	quantity := false
	for i := at + 1; i < len(s.Words); i++ {
		if u, _ := words.UnitOf(s.Word(i + 1)); (s.Words[i].Kind == token.Number ||
			request.Numeral(s.Words[i].Norm) > 0) && (u.Kind == words.Money || u.Kind == words.Quantity ||
			u.Kind == words.Days && s.Find(request.SupplierNouns) >= 0 || u.Scale) {
			quantity = true
		}
	}
	if next == "у" || request.Begins(next, request.SupplierNouns) || quantity && len(s.Names) > 0 &&
		!strings.HasPrefix(next, "0") ||
		quantity && s.Find(request.SupplierNouns) >= 0 || s.lacking() || s.namesSupplier() {
		s.Use(at, at+1)
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
	if s.Find(request.PriceNouns) < 0 {
		return false
	}
	for i := range s.Words {
		for _, p := range request.Roundings {
			if request.RoundOf[p].To == "1" && strings.Contains(p, "копе") && s.PhraseAt(i, p) > 0 {
				return len(s.Names) > 0 || s.Find(everything) >= 0
			}
		}
	}
	return false
}

func (s *sentence) conditional(i int) bool { return i > 0 && request.Comparatives[s.Word(i-1)] != "" }

// ordersGoods reports whether a verb of buying orders something: "order 00012" names a document.
func (s *sentence) ordersGoods(v int) bool {
	next := s.Word(v + 1)
	return next != "№" && next != "#" && !strings.HasPrefix(next, "00")
}

// fromTo reports whether the task names where goods come from and where they go.
func (s *sentence) fromTo() bool {
	from, to := false, false
	for i := range s.Names {
		if n := &s.Names[i]; slices.ContainsFunc(n.Meanings, isStore) {
			if w := s.Preceding(n.At[0]); request.Leaving[w] {
				from = true
			} else {
				to = true
			}
		}
	}
	if len(s.Names) == 0 {
		return s.Anywhere("from") && s.Anywhere("to") || s.Anywhere("с") && s.Anywhere("на")
	}
	return from && to
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}
