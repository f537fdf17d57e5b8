package lookup

import (
	"cmp"
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/language/compose/typed"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/tool"
	"github.com/stockhand/stockhand/internal/words"
)

// boughtLast reads what a customer bought, or for how much, the last time as the last document of its sales, or of its
// orders: "что брал Кузнецов в последний раз" (rule R1111). What is in a document is seen when it is opened.
func (s *sentence) boughtLast() *Reading {
	if s.has(document) || s.has(period) || !s.saysLastTime() {
		return nil
	}
	asks, inside, noun, one := false, false, "", ""
	for i := range s.ts {
		t := &s.ts[i]
		if t.Use == token.AsName || t.Kind == token.Mark {
			continue
		}
		w := t.Norm
		switch {
		case w == "что" || w == "чего" || w == "what":
			asks, inside = true, true
		case w == "сколько" || w == "сумму" || w == "скока" || w == "much":
			asks = true
		case begins(w, orderingVerbs):
			noun = "order"
		case begins(w, buyingVerbs) || englishBuying[w]:
			noun = cmp.Or(noun, "sale")
		case aroundLastTime[w] || typed.IsFunction(s.Input.Catalogue, t) || words.IsLegalForm(w):
		default:
			return nil
		}
	}
	if !asks || noun == "" {
		return nil
	}
	in := Documents{Kinds: []string{"demand"}, Limit: 1,
		From: tool.DayOf(s.Today.AddDate(-1, 0, 1)), To: tool.DayOf(s.Today)}
	if noun == "order" {
		in.Kinds = []string{"customerorder"}
	}
	for _, it := range s.items {
		it.used = true
		if it.meaning != name {
			continue
		}
		found := meanings(it.name, connector.NameCounterparty)
		if len(found) == 0 || one != "" {
			return nil
		}
		if one = argument(it.name.Meanings, found[0]); len(found) > 1 {
			s.askName(it, found)
		}
		in.Counterparties = []string{one}
	}
	if one == "" {
		return nil
	}
	list := Call{Tool: documentsTool, Input: in}
	if !inside || s.unclear != nil {
		return &Reading{Call: list}
	}
	text := s.inWords(in)
	if text == "" {
		return &Reading{Call: list}
	}
	return &Reading{Ask: WhichLast, Options: []Option{{list, text}}}
}

// begins reports whether a word begins with one of several beginnings.
func begins(w string, list []string) bool {
	return slices.ContainsFunc(list, func(p string) bool { return strings.HasPrefix(w, p) })
}

var (
	buyingVerbs = []string{"купил", "покупал", "брал", "взял", "забирал", "забрал", "приобр", "закупал", "закупил",
		"отовари", "прикупил", "набрал", "накупил", "покупк"}
	orderingVerbs  = []string{"заказал", "заказывал", "дозаказ"}
	englishBuying  = words.Set("buy bought take took purchase purchased get got")
	aroundLastTime = words.Set("последний крайний прошлый последняя последнюю крайняя раз в во на какую какая у нас " +
		"и там было была это за его ее их вчера а last latest time the did was from us in how for и-то")
)

// saysLastTime reports whether the task says "the last time".
func (s *sentence) saysLastTime() bool {
	for i := 1; i < len(s.ts); i++ {
		a, b := s.ts[i-1].Norm, s.ts[i].Norm
		if b == "раз" && (a == "последний" || a == "крайний" || a == "прошлый") || a == "last" && b == "time" {
			return true
		}
	}
	return false
}
