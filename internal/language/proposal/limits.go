package proposal

import (
	"slices"
	"strings"

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
	if s.neverBelowCost(i) {
		return
	}
	b := s.priceBound(i)
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
	if w := s.Norm(b.end); w == "на" || w == "by" {
		s.boundOfChange(b)
		return
	}
	n := s.numberAt(b.end)
	if n == nil || n.sign != "" {
		return
	}
	bounds := false
	if share, noun := s.shareBefore(b.from); share != "" {
		start, bounds = s.boundOfShare(b, n, share, noun, start, joined)
	} else {
		bounds = s.boundOfPrice(act, b, n, start, joined)
	}
	if !bounds {
		return
	}
	end := n.end
	if w := s.Norm(end); (w == "за" || w == "a" || w == "per") && request.Begins(s.Norm(end+1), []string{"шт", "един",
		"кажд", "piece", "item"}) {
		end += 2
	}
	s.Use(start, end)
}

// neverBelowCost reads a bound that names no comparison with a number: "без убытка", "ниже закупки не опускаться",
// "себестоимость не пробивать".
func (s *sentence) neverBelowCost(i int) bool {
	if end := s.AnyPhrase(i, limitNoLoss); end > 0 {
		start, _ := s.join(i)
		s.draft.OverCost = "0"
		s.Use(start, end)
		return true
	}
	from := i
	if end := s.AnyPhrase(i, limitBelow); end > 0 {
		from = end
	}
	of, end := s.costAt(from)
	if of == nil && from != i {
		of, end = s.costAt(i)
	}
	if of == nil || s.Norm(end) != "не" || s.AnyPhrase(end+1, limitKept) == 0 {
		return false
	}
	start, _ := s.join(i)
	*of = "0"
	s.Use(start, s.AnyPhrase(end+1, limitKept))
	return true
}

// priceBound is boundAt, and "но выше себестоимости", which denies nothing.
func (s *sentence) priceBound(i int) bound {
	b := s.boundAt(i)
	if above := s.AnyPhrase(i, limitAbove); b.end == 0 && s.Norm(i) != "" && above > 0 {
		if _, joined := s.join(i); joined {
			if of, _ := s.costAt(above); of != nil {
				return bound{from: i, end: above, least: true}
			}
		}
	}
	return b
}

// boundOfChange asks about "максимум на 100 рублей", which bounds the change and not the price.
func (s *sentence) boundOfChange(b bound) {
	n := s.numberAt(b.end + 1)
	if n == nil || !s.goalBefore(b.from) || n.unit != words.Money && n.unit != words.Percent {
		return
	}
	s.without(b.from, n.end, "Предел «%s» для изменения цены задать нельзя, можно задать наименьшую и наибольшую "+
		"цену. Подготовить без него?",
		"A limit such as “%s” of the change cannot be set, only a least and a greatest price. Prepare it without?")
}

// boundOfShare reads the least margin or markup that must be left. It returns where the limit starts, with its noun.
func (s *sentence) boundOfShare(b bound, n *number, share string, noun, start int, joined bool) (int, bool) {
	kept := joined || noun+1 < b.from
	if at, and := s.join(noun); and || at < noun {
		start, kept = min(start, at), kept || and
	} else {
		start = min(start, noun)
	}
	if !b.least || !kept || !s.goalBefore(start) || n.unit != words.Percent && n.unit != words.NoUnit {
		return start, false
	}
	if share == "margin" {
		s.draft.MinMargin = n.value
	} else {
		s.draft.OverPurchase = n.value
	}
	return start, true
}

// boundOfPrice reads a least or greatest price. The place says that it is one, and no condition on goods: it stands
// behind "but", or behind the goal in its direction.
func (s *sentence) boundOfPrice(act intent.Act, b bound, n *number, start int, joined bool) bool {
	if n.unit != words.Money && n.unit != words.NoUnit || !s.goalBefore(start) {
		return false
	}
	along := b.least == (act.Verb == intent.Lower)
	behind := s.Words[max(0, start-1)].Kind != token.Word || s.Word(start-1) == "" // a comma or a number before
	if joined && !along && (act.Verb == intent.Lower || act.Verb == intent.Raise) {
		return false // "подними на 5 %, но не дешевле 100" may be a condition: see unsupported
	}
	if !joined && !(along && behind) {
		return false
	}
	if b.least {
		s.draft.MinPrice = n.value
	} else {
		s.draft.MaxPrice = n.value
	}
	return true
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
