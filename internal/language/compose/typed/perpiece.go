package typed

import (
	"slices"

	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// perPiece reads what one piece brings, "сколько имеем с одной кружки", "profit per mug", as its price less its cost
// (rule R1113): the profit of all sales is another figure.
func (s *Sentence) perPiece() {
	if _, ok := s.Catalogue.Measure("price_minus_cost"); !ok {
		return
	}
	var earns *Item
	for _, it := range s.Items {
		switch {
		case it.Kind == Measure && earning[it.ID] || s.earns(it):
			if earns == nil || it.Kind == Measure && earns.Kind != Measure {
				earns = it
			}
		case it.Kind == Period, it.Kind == Measure && it.ID != "sale_price" && it.ID != "quantity":
			return
		}
	}
	from, to := s.ofOnePiece()
	if earns == nil || from < 0 {
		return
	}
	for _, it := range s.Items {
		if it == earns {
			continue
		}
		if it.At >= from && it.At < to || s.earns(it) {
			it.Kind = Function
		}
	}
	earns.Kind, earns.ID, earns.Least, earns.Order = Measure, "price_minus_cost", "", ""
}

// earns reports whether an item says that something is left of a sale, and no more.
func (s *Sentence) earns(it *Item) bool {
	return it.Kind != Named && slices.ContainsFunc(s.Tokens[it.At:it.End], func(t token.Token) bool {
		return earningVerbs[t.Norm]
	})
}

// ofOnePiece returns the words [from, to) that say "of one piece" beside goods: "с одной", "с каждой проданной", "с
// единицы", "per"; -1 if there are none.
func (s *Sentence) ofOnePiece() (from, to int) {
	goods := slices.ContainsFunc(s.Items, func(it *Item) bool {
		return it.Kind == Named && slices.ContainsFunc(it.Name.Meanings, func(n connector.Name) bool {
			return n.Kind == connector.NameProduct
		})
	})
	if !goods {
		return -1, -1
	}
	for i := range s.Tokens {
		w := s.Tokens[i].Norm
		named := i+1 < len(s.Tokens) && s.Tokens[i+1].Use == token.AsName
		switch {
		case s.Tokens[i].Use == token.AsName:
		case w == "per" && named:
			return i, i + 1
		case onePiece[w] && (i > 0 && ofPiece[s.Tokens[i-1].Norm] || named):
			from, to = i, i+1
			if i > 0 && ofPiece[s.Tokens[i-1].Norm] {
				from--
			}
			for to < len(s.Tokens) && besidePiece[s.Tokens[to].Norm] && s.Tokens[to].Use != token.AsName {
				to++
			}
			return from, to
		}
	}
	return -1, -1
}

var (
	earning = words.Set("profit margin revenue markup price_minus_cost")
	// earningVerbs are verbs that say no more than that something is left of a sale.
	earningVerbs = words.Set("имеем имею получаем получаю остается остаётся выходит капает поднимаем поднимаю навариваем " +
		"наваривать наварим навариваю зарабатываем зарабатываю заработаем заработок дает даёт приносит падает earn make " +
		"makes earns get")
	onePiece    = words.Set("одной одного одном одну одна один каждой каждого каждом единицы единицу штуки штуку шт штуке one single each")
	ofPiece     = words.Set("с со на от за per on from off of")
	besidePiece = words.Set("проданной проданного проданную единицы штуки шт штуке товара продажи piece unit item of sold " +
		"a")
)
