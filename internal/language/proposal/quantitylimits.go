package proposal

import (
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/language/request"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// eachLimit reads how much of each good is ordered at least or at most: "не больше 20 штук каждого", "минимум по 5".
func (s *sentence) eachLimit(i int) {
	b := s.boundAt(i)
	if b.end == 0 || s.ofGoods(b.from) || s.boundBehind(i, b) {
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

// boundBehind reads a limit behind its number: "по 10 максимум", "5 max of each", "10 units tops".
func (s *sentence) boundBehind(i int, b bound) bool {
	n := s.numberEnding(i)
	if n == nil || b.from < i || n.measure || s.numberAt(b.end) != nil {
		return false
	}
	end := b.end
	each := s.Norm(n.at-1) == "по"
	for s.Norm(end) == "of" || s.Norm(end) == "на" || s.Norm(end) == "per" {
		end++
	}
	if e := s.AnyPhrase(end, limitEach); e > 0 {
		end, each = e, true
	} else {
		end = b.end
	}
	if !each && n.unit != words.Quantity {
		return false
	}
	if b.least {
		s.draft.AtLeast = n.value
	} else {
		s.draft.AtMost = n.value
	}
	from := n.at
	if s.Norm(from-1) == "по" {
		from--
	}
	from, _ = s.join(from)
	s.Use(from, end)
	return true
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
