package typed

import (
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// lastTime reads "последний раз" and "давно ли" with a verb of selling or buying as the day of the last sale or
// purchase of goods, wherever the words stand: "сахар когда в последний раз брали" (rule R1081). Where the verb does
// not say who bought, both days are shown. What a customer bought last is another question.
func (s *Sentence) lastTime() {
	if slices.ContainsFunc(s.Items, ofParty) {
		return
	}
	goods := func(it *Item) bool { return it.Kind == Named && it.Name.Meanings[0].Kind == connector.NameProduct }
	if slices.ContainsFunc(s.Items, goods) {
		for _, it := range s.Items { // "когда последний раз покупали" is of customers, where nothing else is named
			if it.Kind == Measure && it.ID == "latest_sale" && lastOf(s.Tokens[it.End-1].Norm) != "" {
				it.ID = lastOf(s.Tokens[it.End-1].Norm)
			}
		}
	}
	if s.lastTimeAt() < 0 {
		return
	}
	i := slices.IndexFunc(s.Items, func(it *Item) bool {
		return it.End == it.At+1 && (it.Kind == Measure || it.Kind == Unexplained || it.Kind == Function) &&
			lastOf(s.Tokens[it.At].Norm) != ""
	})
	if i < 0 {
		return
	}
	verb := s.Items[i]
	for _, it := range s.Items {
		for k := it.At; k < it.End; k++ {
			if w := s.Tokens[k].Norm; lastTimeWords[w] && s.Tokens[k].Use == token.Unused && it != verb {
				it.Kind, it.ID = Function, ""
			}
		}
	}
	verb.Kind, verb.ID = Measure, lastOf(s.Tokens[verb.At].Norm)
}

// lastTimeAt returns where "последний раз" or "давно ли" stands, outside every phrase of the lexicon; -1 if nowhere.
func (s *Sentence) lastTimeAt() int {
	return slices.IndexFunc(s.Items, func(it *Item) bool {
		next := normAt(s.Tokens, it.At+1)
		switch s.Tokens[it.At].Norm {
		case "последний", "крайний":
			return it.End <= it.At+2 && it.Kind != Measure && next == "раз"
		case "давно":
			return it.End <= it.At+2 && (next == "ли" || normAt(s.Tokens, it.At-1) == "как")
		}
		return false
	})
}

// ofParty reports whether an item is of customers, suppliers or employees.
func ofParty(it *Item) bool {
	switch it.Kind {
	case Named:
		kind := it.Name.Meanings[0].Kind
		return kind == connector.NameCounterparty || kind == connector.NameEmployee
	case Dimension:
		return it.ID == "counterparty" || it.ID == "supplier" || it.ID == "employee"
	}
	return false
}

// lastOf returns the measures of the day of what a verb says; "" if it is neither of sales nor of purchases.
func lastOf(verb string) string {
	is := func(stems string) bool {
		return slices.ContainsFunc(strings.Fields(stems), func(p string) bool { return strings.HasPrefix(verb, p) })
	}
	switch {
	case is("прода расход уходил ушел ушла ушло ушли"):
		return "last_sale"
	case is("закуп привоз привез приход пришел пришл завоз завез поступ поставл поставил приня приним приехал приезжа"):
		return "last_purchase"
	case is("купил покупал брал взял"):
		return "last_sale last_purchase"
	}
	return ""
}

var lastTimeWords = words.Set("когда в во последний крайний раз давно как ли")
