package proposal

import (
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/language/proposal/intent"
	"github.com/stockhand/stockhand/internal/language/request"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// limitWords are the words of one meaning in section [limit]; longer phrases come first.
func limitWords(meaning string) []string {
	return request.LongestFirst(request.PhrasesOf("limit", meaning))
}

var (
	limitBelow, limitAbove = limitWords("below"), limitWords("above")
	limitLeast, limitMost  = limitWords("least"), limitWords("most")
	limitJoins, limitFill  = limitWords("joins"), words.Set(strings.Join(limitWords("filler"), " "))
	limitKept              = limitWords("kept")
	limitCost, limitBuying = limitWords("cost"), limitWords("purchase")
	limitNoLoss            = limitWords("no_loss")
	limitEach, limitPacks  = limitWords("each"), limitWords("pack")
	limitMultiple          = limitWords("multiple")
	limitRounded           = limitWords("rounded")
	limitStays             = limitWords("stays")
	limitStaying           = words.Set(strings.Join(limitWords("staying"), " "))
)

// bound is the beginning of a limit: "но не ниже", "at least".
type bound struct {
	from, end int // its tokens, without what joins it
	least     bool
}

// readLimits reads bounds of new prices and of the quantities of each good (rules R530 and R531). They bound what a
// draft comes to, and are no conditions on goods.
func (s *sentence) readLimits(act intent.Act) {
	for i := range s.Words {
		switch s.kind {
		case Prices:
			s.priceLimit(act, i)
		case Orders:
			s.eachLimit(i)
			s.multipleOf(i)
		case Transfers:
			s.stayLimit(i)
			s.multipleOf(i)
		case None, Minimums:
		}
	}
}

// freePackWords takes words for packs out of the names that they are a part of: "упаковками по 6" is not the good
// «Упаковка подарочная».
func (s *sentence) freePackWords() {
	for _, n := range s.names {
		if w := s.Word(n.At[0]); w == "cap" && len(n.At) == 1 && s.Word(n.At[0]+1) != "" && s.caps(n.At[0]+1) {
			s.Words[n.At[0]].Use = token.Unused
			n.used = true
			s.ignored = append(s.ignored, s.indexOf(n))
			continue
		}
		at := n.At[0]
		if n.Exact || len(n.At) != 1 || !request.Begins(s.Word(at), packs) && !slices.Contains(limitPacks, s.Word(at)) {
			continue
		}
		w, before := s.Word(at+1), s.Word(at-1)
		numbered := at > 0 && (s.Words[at-1].Kind == token.Number || request.Numeral(before) > 0)
		if w == "по" || w == "из" || w == "of" || strings.HasPrefix(before, "кратн") || numbered || before == "до" ||
			at+1 < len(s.Words) && s.Words[at+1].Kind == token.Number {
			s.Words[at].Use = token.Unused
			n.used = true
			s.ignored = append(s.ignored, s.indexOf(n))
		}
	}
	s.names = slices.DeleteFunc(s.names, func(n *named) bool { return n.used })
}

// caps reports whether "cap" before a token is no cap to wear: "cap it at 50000".
func (s *sentence) caps(i int) bool {
	switch s.Word(i) {
	case "it", "at", "them", "the", "this", "total":
		return true
	}
	return false
}

// boundAt reads the beginning of a limit at token i: "не ниже", "чтобы не упала ниже", "минимум". No end for none.
func (s *sentence) boundAt(i int) (b bound) {
	b.from = i
	if end := s.AnyPhrase(i, limitLeast); end > 0 {
		b.end, b.least = end, true
	} else if end := s.AnyPhrase(i, limitMost); end > 0 {
		b.end = end
	} else if s.Norm(i) == "at" && (s.Norm(i+1) == "least" || s.Norm(i+1) == "most") {
		b.end, b.least = i+2, s.Norm(i+1) == "least"
	} else {
		b.end, b.least = s.denied(i)
	}
	if b.end == 0 {
		return b
	}
	if w := s.Norm(b.end); w == "чем" || w == "than" || w == "до" {
		b.end++
	}
	for b.from > 0 && s.AnyPhrase(b.from-1, limitKept) > 0 { // "осталась не меньше"
		b.from--
	}
	for b.from > 0 && s.Norm(b.from-1) == "как" && b.least {
		b.from--
	}
	return b
}

// denied reads a comparative that is denied, with a verb between: "не ниже", "не опускаясь ниже", "without going
// below".
func (s *sentence) denied(i int) (end int, least bool) {
	switch s.Norm(i) {
	case "не", "ни", "not", "never", "no", "without", "don't", "dont":
	default:
		return 0, false
	}
	j := i + 1
	for k := 0; k < 2 && s.AnyPhrase(j, limitKept) > 0; k++ {
		j = s.AnyPhrase(j, limitKept)
	}
	if w := s.Norm(j); w == "it" || w == "them" || w == "цену" || w == "цены" {
		j++
	}
	if k := s.AnyPhrase(j, limitBelow); k > 0 {
		return k, true
	}
	if k := s.AnyPhrase(j, limitAbove); k > 0 {
		return k, false
	}
	return 0, false
}

// join marks what joins a limit to the rest, and reports whether it is "but" or "so that".
func (s *sentence) join(from int) (start int, joined bool) {
	start = from
	for j := from - 1; j >= 0 && j >= from-8; j-- {
		w := s.Norm(j)
		for k := max(0, j-2); k <= j; k++ {
			if end := s.AnyPhrase(k, limitJoins); end == j+1 {
				return k, true
			}
		}
		if w != "," && (w == "" || !limitFill[w]) {
			return start, false
		}
		if w != "," {
			start = j
		}
	}
	return start, false
}

// priceLimit reads a bound of new prices at token i.
func (s *sentence) priceLimit(act intent.Act, i int) {
	if end := s.AnyPhrase(i, limitNoLoss); end > 0 {
		start, _ := s.join(i)
		s.draft.OverCost = "0"
		s.Use(start, end)
		return
	}
	if end := s.AnyPhrase(i, limitBelow); end > 0 { // "ниже закупки не опускаться"
		if of, end := s.costAt(end); of != nil && s.Norm(end) == "не" && s.AnyPhrase(end+1, limitKept) > 0 {
			start, _ := s.join(i)
			*of = "0"
			s.Use(start, s.AnyPhrase(end+1, limitKept))
			return
		}
	}
	if of, end := s.costAt(i); of != nil && s.Norm(end) == "не" && s.AnyPhrase(end+1, limitKept) > 0 {
		start, _ := s.join(i) // "себестоимость не пробивать"
		*of = "0"
		s.Use(start, s.AnyPhrase(end+1, limitKept))
		return
	}
	b := s.boundAt(i)
	if b.end == 0 && s.Norm(i) != "" && (s.AnyPhrase(i, limitAbove) > 0) { // "но выше себестоимости"
		if _, joined := s.join(i); joined {
			b = bound{from: i, end: s.AnyPhrase(i, limitAbove), least: true}
			if of, _ := s.costAt(b.end); of == nil {
				return
			}
		}
	}
	if b.end == 0 {
		return
	}
	start, joined := s.join(b.from)
	if of, end := s.costAt(b.end); of != nil {
		if b.least {
			*of = "0"
			if n := s.numberBehind(end); n != nil {
				*of, end = n.value, n.end
			}
			s.Use(start, end)
		}
		return
	}
	if w := s.Norm(b.end); w == "на" || w == "by" { // "максимум на 100 рублей"
		if n := s.numberAt(b.end + 1); n != nil && s.goalBefore(b.from) && (n.unit == words.Money ||
			n.unit == words.Percent) {
			s.without(b.from, n.end, "Предел «%s» для изменения цены задать нельзя, можно задать наименьшую и "+
				"наибольшую "+
				"цену. Подготовить без него?",
				"A limit such as “%s” of the change cannot be set, only a least and a greatest price. Prepare it "+
					"without?")
		}
		return
	}
	n := s.numberAt(b.end)
	if n == nil || n.sign != "" {
		return
	}
	share, noun := s.shareBefore(b.from)
	switch {
	case share != "":
		kept := joined || noun+1 < b.from
		if at, and := s.join(noun); and || at < noun {
			start, kept = min(start, at), kept || and
		} else {
			start = min(start, noun)
		}
		if !b.least || !kept || !s.goalBefore(start) || n.unit != words.Percent && n.unit != words.NoUnit {
			return
		}
		if share == "margin" {
			s.draft.MinMargin = n.value
		} else {
			s.draft.OverPurchase = n.value
		}
	case n.unit != words.Money && n.unit != words.NoUnit || !s.goalBefore(start):
		return
	default:
		along := b.least == (act.Verb == intent.Lower)
		behind := s.Words[max(0, start-1)].Kind != token.Word || s.Word(start-1) == "" // a comma or a number before
		switch {
		case joined && !along && (act.Verb == intent.Lower || act.Verb == intent.Raise):
			return // "подними на 5 %, но не дешевле 100" may be a condition: see unsupported
		case !joined && !(along && behind):
			return
		case b.least:
			s.draft.MinPrice = n.value
		default:
			s.draft.MaxPrice = n.value
		}
	}
	end := n.end
	if w := s.Norm(end); (w == "за" || w == "a" || w == "per") && request.Begins(s.Norm(end+1), []string{"шт", "един",
		"кажд", "piece", "item"}) {
		end += 2
	}
	s.Use(start, end)
}

// costAt returns the limit that words at a token are of: "себестоимости", "закупочной цены"; nil for none.
func (s *sentence) costAt(i int) (of *string, end int) {
	for beforeCost[s.Norm(i)] {
		i++
	}
	if end = s.AnyPhrase(i, limitCost); end > 0 {
		of = &s.draft.OverCost
	} else if end = s.AnyPhrase(i, limitBuying); end > 0 {
		of = &s.draft.OverPurchase
	} else {
		return nil, 0
	}
	for request.Begins(s.Norm(end), request.PriceNouns) || s.Norm(end) == "товара" {
		end++
	}
	return of, end
}

// beforeCost are words between a comparison and "cost".
var beforeCost = words.Set("чем своей их ее его нашей the its their than")

// numberBehind returns a percentage that is added to a cost: "плюс 10 %", "+10%".
func (s *sentence) numberBehind(i int) *number {
	if s.Norm(i) == "и" || s.Norm(i) == "с" {
		i++
	}
	for j := i; j <= i+1 && j < len(s.Words); j++ {
		if n := s.numberAt(j); n != nil && n.sign == "+" && (n.unit == words.Percent || n.unit == words.NoUnit) {
			return n
		}
	}
	return nil
}

// shareBefore returns the share of prices that is spoken of shortly before a token, and its token.
func (s *sentence) shareBefore(i int) (share string, at int) {
	for j := i - 1; j >= 0 && j >= i-4; j-- {
		switch w := s.Norm(j); {
		case request.Begins(w, request.MarginNouns):
			return "margin", j
		case request.Begins(w, request.MarkupNouns):
			return "markup", j
		}
	}
	return "", -1
}

// goalBefore reports whether another number, or a word for one, says before a token how prices change.
func (s *sentence) goalBefore(i int) bool {
	for j := range min(i, len(s.Words)) {
		number := s.Words[j].Use == token.Unused && s.Words[j].Kind == token.Number
		word := s.Norm(j)
		inWords := s.AnyPhrase(j, request.Fractions) > 0 || request.Numeral(word) > 0 || word == "вдвое" ||
			request.Slangs[word].Value != ""
		if number && request.Comparatives[s.Word(j-1)] == "" || inWords {
			return true
		}
	}
	return false
}

// eachLimit reads how much of each good is ordered at least or at most: "не больше 20 штук каждого", "минимум по 5".
func (s *sentence) eachLimit(i int) {
	b := s.boundAt(i)
	if b.end == 0 || s.ofGoods(b.from) {
		return
	}
	k, each := b.end, false
	if s.Norm(k) == "по" {
		k, each = k+1, true
	}
	n := s.numberAt(k)
	if n == nil || n.unit != words.NoUnit && n.unit != words.Quantity || n.measure {
		return
	}
	end := n.end
	if e := s.AnyPhrase(end, limitEach); e > 0 {
		end, each = e, true
	} else if w := s.Norm(end); (w == "на" || w == "of" || w == "per") && s.AnyPhrase(end+1, limitEach) > 0 {
		end, each = s.AnyPhrase(end+1, limitEach), true
	}
	for w := s.Norm(end); each && request.Begins(w, []string{"товар", "позици", "вид", "наименовани", "item", "product",
		"шт"}); w = s.Norm(end) {
		end++
	}
	start, joined := s.join(b.from)
	if w := s.Norm(start - 1); !each && strings.HasPrefix(w, "кажд") { // "каждого не больше 20"
		start, each = start-1, true
	}
	if !each && (n.unit != words.Quantity || !joined && s.Norm(start-1) != ",") {
		return
	}
	if b.least {
		s.draft.AtLeast = n.value
	} else {
		s.draft.AtMost = n.value
	}
	s.Use(start, end)
}

// ofGoods reports whether a comparison before a token is a condition on goods: "которых не больше 20", "остаток не
// больше 5".
func (s *sentence) ofGoods(i int) bool {
	for j := i - 1; j >= 0 && j >= i-4; j-- {
		w := s.Word(j)
		if s.Words[j].Kind == token.Mark && w != "-" {
			return false
		}
		if request.Begins(w, []string{"котор", "чего", "где", "остат", "остал", "запас", "лежит", "чьи", "прода",
			"stock", "left", "sold", "which", "where", "with", "have", "has"}) {
			return true
		}
	}
	return false
}

// multipleOf reads of what quantities are multiples: "кратно 6", "упаковками по 12", "in packs of 12".
func (s *sentence) multipleOf(i int) {
	from, k := i, s.AnyPhrase(i, limitMultiple)
	if k == 0 && s.AnyPhrase(i, limitRounded) > 0 {
		k = s.AnyPhrase(i, limitRounded)
		for rounding[s.Norm(k)] {
			k++
		}
	}
	for s.pack(k) {
		k++
	}
	if k == 0 && s.pack(i) && (s.Norm(i+1) == "по" || s.Norm(i+1) == "из" || s.Norm(i+1) == "of") &&
		s.Words[max(0, i-1)].Kind != token.Number && request.Numeral(s.Word(i-1)) == 0 {
		k = i + 1
	}
	if k == 0 {
		return
	}
	if w := s.Norm(k); w == "по" || w == "из" || w == "of" || w == "-" || w == ":" || w == "в" || w == "до" {
		k++
	}
	n := s.numberAt(k)
	if n == nil || n.unit != words.NoUnit && n.unit != words.Quantity || n.whole() == 0 {
		return
	}
	s.draft.Multiple = n.value
	for beforeMultiple[s.Norm(from-1)] {
		from--
	}
	end := n.end
	for w := s.Norm(end); request.Begins(w, []string{"шт"}) || w == "в" && s.pack(end+1) ||
		s.pack(end); w = s.Norm(end) {
		end++
	}
	s.Use(from, end)
}

var (
	rounding       = words.Set("количества количество все до вверх up to the nearest it them заказ")
	beforeMultiple = words.Set("в с но и чтобы чтоб было in but количество количества")
)

func (s *sentence) pack(i int) bool { return i > 0 && slices.Contains(limitPacks, s.Norm(i)) }

// stayLimit reads how much of each good stays at the source of a transfer: "оставь там по 2", "keep 2 of each there".
func (s *sentence) stayLimit(i int) {
	if s.AnyPhrase(i, limitStays) == 0 {
		return
	}
	var number *number
	from, end := i, i+1
	var places []int
	around := func(j int) bool {
		if w := s.Norm(j); w != "" && limitStaying[w] {
			return true
		}
		if n := s.storeAt(j); n >= 0 {
			if !slices.Contains(places, n) {
				places = append(places, n)
			}
			return true
		}
		return false
	}
	for end < len(s.Words) {
		if n := s.numberAt(end); n != nil && number == nil && (n.unit == words.NoUnit || n.unit == words.Quantity) {
			number, end = n, n.end
			continue
		}
		if !around(end) {
			break
		}
		end++
	}
	for from > 0 && (number == nil || s.Norm(from-1) != "по") { // "по 2 штуки оставь"
		before := s.numberEnding(from)
		if before != nil && number == nil {
			number, from = before, before.at
			continue
		}
		if !around(from - 1) {
			break
		}
		from--
	}
	if number == nil || number.whole() == 0 {
		return
	}
	if start, joined := s.join(from); joined {
		from = start
	}
	s.draft.Keep = number.value
	s.Use(from, end)
	for _, n := range places {
		s.names[n].used = true
		s.stays = append(s.stays, s.names[n])
	}
}

// numberEnding returns the number that ends at a token.
func (s *sentence) numberEnding(end int) *number {
	for j := end - 1; j >= 0 && j >= end-3; j-- {
		if n := s.numberAt(j); n != nil && n.end == end && (n.unit == words.NoUnit || n.unit == words.Quantity) {
			return n
		}
	}
	return nil
}

// storeAt returns the name of a warehouse that a token belongs to, or −1.
func (s *sentence) storeAt(i int) int {
	return slices.IndexFunc(s.names, func(n *named) bool {
		return !n.used && slices.Contains(n.At, i) && n.MayBe(connector.NameStore)
	})
}

// staying makes the warehouse where goods stay the source, if none is named, and asks if it is another.
func (s *sentence) staying() {
	for _, n := range s.stays {
		for _, m := range n.Meanings {
			if m.Kind != connector.NameStore || slices.Contains(s.draft.FromStores, m.Name) {
				continue
			}
			if len(s.draft.FromStores) == 0 {
				s.draft.FromStores = []string{m.Name}
				continue
			}
			s.askf("Оставить товар можно только на складе, с которого он перемещается. Оставить на нём, а не на «%s»?",
				"Goods can stay only at the warehouse that they are taken from. Keep them there, and not at "+
					"“%s”?", m.Name,
				s.option(s.draft.Clone()))
		}
	}
}
