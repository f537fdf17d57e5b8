package proposal

import (
	"slices"

	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/language/draft"
	"github.com/stockhand/stockhand/internal/language/request"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// readTypedPrices reads prices of several types for one good: "тапочки 790 розница 640 опт". A draft changes prices of
// one type, so it asks which comes first (rule R762). It returns nil for any other request.
func (s *sentence) readTypedPrices() *Reading {
	var good *Name
	var types, prices, ignored []int
	for i := range s.Names {
		n := &s.Names[i]
		switch {
		case len(n.At) == 1 && !n.Exact && request.PriceType(s.Word(n.At[0])): // "опт" is not «Инструмент-Опт»
			ignored = append(ignored, i)
		case good != nil || len(n.Meanings) != 1 || !n.MayBe(connector.NameProduct):
			return nil
		default:
			good = n
		}
	}
	if good == nil {
		return nil
	}
	for i := range s.Words {
		t := &s.Words[i]
		if slices.ContainsFunc(ignored, func(k int) bool { return s.Names[k].At[0] == i }) {
			types = append(types, i)
			continue
		}
		if t.Use != token.Unused || t.Kind == token.Mark {
			continue
		}
		u, unit := words.UnitOf(t.Norm)
		switch {
		case t.Kind == token.Number:
			prices = append(prices, i)
		case t.Kind == token.Word && request.PriceType(t.Norm):
			types = append(types, i)
		case unit && u.Kind == words.Money, request.Sets[t.Norm], request.Begins(t.Norm, request.PriceNouns),
			slices.Contains([]string{"и", "а", "на", "по", "в", "для", "за", "and", "for", "to", "магазин"}, t.Norm):
		default:
			return nil
		}
	}
	switch {
	case len(prices) < 2:
		return nil
	case len(types) == len(prices)-1 && prices[0] < types[0] && types[0] < prices[1]:
		// "900, опт 780": the usual price first
		types = append([]int{-1}, types...)
	case len(types) != len(prices):
		return nil
	}
	if len(s.PriceTypes) == 0 { // not known yet
		out := &Reading{Kind: Prices, Ignored: ignored}
		for _, i := range types {
			if i >= 0 {
				out.Unknown = append(out.Unknown, Phrase{From: i, To: i + 1, Kinds: []connector.NameKind{
					connector.NamePriceType}})
			}
		}
		return out
	}
	r := &Reading{Kind: Prices, Ignored: ignored, Question: s.Language.Pick("Черновик меняет цены одного типа. С какого начать?",
		"A draft changes prices of one type. Which one first?")}
	for k, i := range types {
		name, ok := "", true
		if i >= 0 {
			name, ok = s.typeCalled(s.Words[i].Norm)
		}
		n := s.numberAt(prices[k])
		if !ok || n == nil || slices.ContainsFunc(r.Options, func(o Option) bool { return o.Draft.PriceType == name }) {
			return nil
		}
		d := Draft{PriceType: name, Items: []Item{{Product: good.Meanings[0].Name, Price: n.value}}}
		r.Options = append(r.Options, Option{Text: draft.Text(Prices, d, s.Language), Kind: Prices, Draft: d})
	}
	return r
}

// typeCalled returns the type of prices that a word is for; "" for the usual one, which people call retail.
func (s *sentence) typeCalled(word string) (name string, ok bool) {
	for _, w := range priceWords {
		if !request.Begins(word, w.task) || w.purchase || w.beside {
			continue
		}
		for _, t := range s.PriceTypes {
			if slices.ContainsFunc(token.Split(t.Name), func(n token.Token) bool {
				return request.Begins(n.Norm, w.name)
			}) {
				return t.Name, true
			}
		}
		return "", w.retail
	}
	return "", false
}
