// Package intent finds what a request for a draft orders: the kind of draft, and whether prices go up or down. What the
// draft is to contain is read by package proposal.
package intent

import (
	"slices"
	"strings"
	"time"

	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/language/draft"
	"github.com/stockhand/stockhand/internal/language/quantity"
	"github.com/stockhand/stockhand/internal/language/request"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// Request is a task that may order a draft. Its words are marked as they are read.
type Request struct {
	*request.Sentence
	Names []request.Name
	Kind  draft.Kind // what another reading takes the task for
	Today time.Time  // midnight in UTC
}

// Act is what a request orders, and the words that say so: tokens [At, End).
type Act struct {
	Kind    draft.Kind
	At, End int
	Verb    Verb
	Percent string // by how much prices change, where the verb says it: "double"
	Needed  bool   // goods are needed, from a supplier or from another warehouse
}

// Verb is what happens to prices.
type Verb uint8

// The verbs of price changes.
const (
	NoVerb Verb = iota
	Raise
	Lower
	Set
	Change
	Round
	Clear // of minimum stocks
)

// Act finds what the task orders; false if it orders no draft.
func (s *Request) Act() (Act, bool) {
	has := func(nouns []string) bool { return s.Find(nouns) >= 0 }
	minimum := s.minimum()
	found := s.Verbs()
	for _, v := range found {
		priced := has(request.PriceNouns) || has(request.DiscountNouns) || has(request.MarkupNouns) ||
			has(request.MarginNouns) || s.Percent() >= 0 ||
			s.fractioned()
		switch w := s.Word(v); {
		case (w == "хочу" || w == "хотим" || w == "want") && v != found[len(found)-1]:
			continue // "хочу поднять цены"
		case request.Begins(w, []string{"верн"}) && has(request.PriceNouns) && !s.FromTo():
			return Act{Kind: draft.Prices, At: v, End: v + 1, Verb: Change}, true
		case w == "put" && s.Percent() >= 0 && s.Anywhere("sale"):
			at := slices.IndexFunc(s.Words, func(t token.Token) bool { return t.Norm == "sale" })
			s.Use(at, at+1)
			return Act{Kind: draft.Prices, At: v, End: v + 1, Verb: Lower}, true
		case request.Moves[w] && request.Begins(s.Word(v+1), request.PriceNouns): // "уравняй цены с закупкой +30 %"
			return Act{Kind: draft.Prices, At: v, End: v + 1, Verb: Set}, true
		case request.Moves[w] || (request.Sends[w] || request.Buys[w] && w != "order") && s.FromTo(),
			request.Buys[w] && w != "order" && s.fromStore(): // suppliers do not deliver from our warehouses
			return Act{Kind: draft.Transfers, At: v, End: v + 1}, true
		case request.Begins(w, []string{"дай", "подкинь", "докинь", "give"}) && s.FromTo() &&
			(s.Counts() || s.lacks()):
			return Act{Kind: draft.Transfers, At: v, End: v + 1}, true
		case (request.Sends[w] || request.Rounds[w]) && s.spreads():
			return Act{Kind: draft.Transfers, At: v, End: v + 1}, true
		case (w == "put" || w == "bring") && (s.Percent() >= 0 || s.Anywhere("by") && has(request.PriceNouns)) &&
			s.Anywhere("up"):
			up := slices.IndexFunc(s.Words, func(t token.Token) bool { return t.Norm == "up" })
			s.Use(up, up+1)
			return Act{Kind: draft.Prices, At: v, End: v + 1, Verb: Raise}, true
		case request.Begins(w, []string{"добав", "докинь", "допиш", "прибав", "add"}) &&
			s.NounBehind(v, request.OrderNouns) && s.Counts() && !priced:
			return Act{Kind: draft.Orders, At: v, End: v + 1}, true
		case request.Holds[w]:
			if len(s.Names) > 0 && !priced && !s.FromTo() && !strings.Contains(s.Task, "?") {
				return Act{Kind: draft.Minimums, At: v, End: v + 1}, true
			}
		case w == "up":
			return Act{Kind: draft.Prices, At: v, End: v + 1, Verb: Raise}, true
		case request.Covers[w]:
			if s.lacks() {
				kind := draft.Orders
				if s.FromTo() || s.fromStore() {
					kind = draft.Transfers
				}
				return Act{Kind: kind, At: v, End: v + 1}, true
			}
		case request.Takes[w] && !priced && s.namesProducts() && s.Counts() && (w != "take" || s.FromTo()):
			kind := draft.Orders
			if s.FromTo() {
				kind = draft.Transfers
			}
			return Act{Kind: kind, At: v, End: v + 1}, true
		case request.Buys[w] && s.ordersGoods(v):
			return Act{Kind: draft.Orders, At: v, End: v + 1}, true
		case (request.Makes[w] || w == "put" && s.Word(v+1) == "in") && s.NounBehind(v, request.OrderNouns) &&
			!request.Begins(s.Word(v+1), request.PriceNouns): // "сделай цены на чай закупка +30 %"
			return Act{Kind: draft.Orders, At: v, End: v + 1}, true
		case request.Makes[w] && s.NounBehind(v, request.TransferNouns):
			return Act{Kind: draft.Transfers, At: v, End: v + 1}, true
		case request.Clears[w] && minimum && (!request.Lowers[w] || !s.Counts()):
			return Act{Kind: draft.Minimums, At: v, End: v + 1, Verb: Clear}, true
		case (request.Raises[w] || request.Lowers[w] || request.Sets[w] || request.Changes[w]) && minimum &&
			!has(request.PriceNouns):
			return Act{Kind: draft.Minimums, At: v, End: v + 1}, true
		case (request.Sets[w] || request.Makes[w]) && s.costs() >= 0:
			at := s.costs()
			s.Use(at, at+1)
			return Act{Kind: draft.Prices, At: v, End: v + 1, Verb: Set}, true
		case request.Rounds[w] && has(request.PriceNouns):
			return Act{Kind: draft.Prices, At: v, End: v, Verb: Round}, true
		case request.Begins(w, []string{"переоцен", "repric"}) && !minimum && !s.FromTo():
			return Act{Kind: draft.Prices, At: v, End: v + 1, Verb: Change}, true
		case repricing(w):
			verb := Lower
			if request.Raises[w] {
				verb = Raise
			}
			return Act{Kind: draft.Prices, At: v, End: v + 1, Verb: verb}, true
		case raisesUp[w] && s.Percent() >= 0 && s.Find([]string{"up"}) >= 0:
			at := s.Find([]string{"up"})
			s.Use(at, at+1)
			return Act{Kind: draft.Prices, At: v, End: v + 1, Verb: Raise}, true
		case request.Raises[w] && (priced || (s.Money() || s.numbered() && !minimum) && !strings.HasPrefix(w, "добав")),
			w == "mark" && s.Word(v+1) == "up" && priced:
			return Act{Kind: draft.Prices, At: v, End: v + 1 + btoi(w == "mark"), Verb: Raise}, true
		case request.Sets[w] && s.SoldAtCost():
			return Act{Kind: draft.Prices, At: v, End: v + 1, Verb: Set}, true
		case request.Lowers[w] && (priced || s.SoldAtCost() || s.Money() || s.numbered() && !minimum):
			return Act{Kind: draft.Prices, At: v, End: v + 1, Verb: Lower}, true
		case w == "mark":
			return s.markDown(v)
		case (w == "take" || w == "put") && s.Percent() >= 0 && s.Anywhere("off"):
			if w == "put" {
				at := slices.IndexFunc(s.Words, func(t token.Token) bool { return t.Norm == "off" })
				s.Use(at, at+1)
			}
			return Act{Kind: draft.Prices, At: v, End: v + 1, Verb: Lower}, true
		case (request.Sets[w] || request.Changes[w]) && s.Percent() >= 0 && s.typed() && s.comparedTo() < 0 &&
			s.otherType():
			return Act{Kind: draft.Prices, At: v, End: v + 1, Verb: Change}, true
		case (request.Sets[w] || request.Changes[w]) && s.comparedTo() >= 0:
			at := s.comparedTo()
			kind := Lower
			if dearer[s.Word(at)] {
				kind = Raise
			}
			s.Use(at, at+1)
			if s.Word(at-1) == "more" {
				s.Use(at-1, at)
			}
			return Act{Kind: draft.Prices, At: v, End: v + 1, Verb: kind}, true
		case w == "double" && has(request.PriceNouns), w == "triple" && has(request.PriceNouns):
			return Act{Kind: draft.Prices, At: v, End: v + 1, Verb: Raise,
				Percent: map[string]string{"double": "100", "triple": "200"}[w]}, true
		case (request.Sets[w] || request.Changes[w]) && has(request.DiscountNouns) && (s.Percent() >= 0 ||
			s.numbered() || s.fractioned()):
			return Act{Kind: draft.Prices, At: v, End: v + 1, Verb: Lower}, true
		case (request.Sets[w] || request.Changes[w]) && (has(request.PriceNouns) || (has(request.MarkupNouns) ||
			has(request.MarginNouns)) && (s.Percent() >= 0 ||
			s.numbered()) || request.Sets[w] && s.pricesGoods(v)):
			kind := Set
			if request.Changes[w] {
				kind = Change
			}
			return Act{Kind: draft.Prices, At: v, End: v + 1, Verb: kind}, true
		}
	}
	if at := s.costsBy(); at >= 0 && s.Percent() >= 0 && !strings.Contains(s.Task, "?") {
		verb := Raise
		if s.Word(at) == "less" {
			verb = Lower
		}
		s.Use(at, at+1)
		at = s.Find([]string{"cost"})
		s.Use(at-1, at+1)
		return Act{Kind: draft.Prices, Verb: verb}, true
	}
	if at := s.costs(); at >= 0 && s.Wishes() && s.Find(request.FigureNouns) < 0 && !strings.Contains(s.Task, "?") {
		s.Use(at, at+1)
		return Act{Kind: draft.Prices, Verb: Set}, true // "хочу, чтобы чай стоил 990"
	}
	for _, v := range found {
		if needs[s.Word(v)] && s.FromTo() && s.Counts() && s.Find(request.PriceNouns) < 0 && !minimum {
			return Act{Kind: draft.Transfers, At: v, End: v + 1}, true
		}
		if needs[s.Word(v)] && s.namesProducts() && s.Counts() && s.Find(request.PriceNouns) < 0 && !minimum {
			if s.FromTo() {
				return Act{Kind: draft.Transfers, At: v, End: v + 1}, true
			}
			return Act{Kind: draft.Orders, At: v, End: v + 1, Needed: true}, true
		}
	}
	return s.nounAct()
}

// raisesUp are verbs that have "up" behind them: "bump prices up 5%".
var raisesUp = words.Set("raise increase bump hike boost lift push jack nudge move")

// needs are words that goods are needed, which do not say where from.
var needs = request.WordsOf("word", "need")

// spreads reports whether surplus or stock goes from one warehouse to others: "раскидай излишки с лесной".
func (s *Request) spreads() bool {
	for i := range s.Words {
		if s.AnyPhrase(i, surplus) > 0 || s.AnyPhrase(i, request.Everywhere) > 0 {
			return true
		}
	}
	stores := 0
	for i := range s.Names {
		if s.Names[i].MayBe(connector.NameStore) {
			stores++
		}
	}
	return stores > 1 && s.Find(request.StockWords) >= 0
}

// otherType reports whether new prices are reckoned from those of another type: "на 20 % выше оптовой".
func (s *Request) otherType() bool {
	for i := range s.Words {
		if s.AnyPhrase(i, otherTypes) > 0 {
			return true
		}
	}
	return false
}

var otherTypes = request.PhrasesOf("relative", "price_type")

// lacks reports whether what is short is spoken of: "дай на витрину чего там не хватает с лесной".
func (s *Request) lacks() bool {
	for i := range s.Words {
		if s.AnyPhrase(i, lacking) > 0 {
			return true
		}
	}
	return false
}

var lacking = request.PhrasesOf("phrase", "lacking")

var surplus = request.PhrasesOf("phrase", "surplus")

// minimum reports whether minimum stocks are spoken of.
func (s *Request) minimum() bool {
	return s.Find(sureMinimums) >= 0 || s.Near(request.MinimumNouns, "остат", "запас", "stock", "level", "point") ||
		s.setsMinimum() || s.shortMinimum() >= 0
}

// shortMinimum returns the token of "мин" in "мин остаток" or "min stock", or −1.
func (s *Request) shortMinimum() int {
	for i := range s.Words {
		if w := s.Norm(i); w != "мин" && w != "min" {
			continue
		}
		next := i + 1
		if s.Norm(next) == "." {
			next++
		}
		if request.Begins(s.Norm(next), stockNouns) {
			return i
		}
	}
	return -1
}

// setsMinimum reports whether a verb stands right before "минимум": "сделай минимум 12". "Закажи минимум 12" is a
// quantity.
func (s *Request) setsMinimum() bool {
	for i := range s.Words {
		if w := s.Norm(i + 1); (request.Sets[s.Norm(i)] || request.Clears[s.Norm(i)]) &&
			(w == "минимум" || w == "minimum" || w == "min" || w == "мин") ||
			(request.Raises[s.Norm(i)] ||
				request.Lowers[s.Norm(i)]) && w == "минимум" {
			return true
		}
	}
	return false
}

var sureMinimums = request.PhrasesOf("noun", "sure_minimum")

// ordersMinimum reports whether minimum stocks are to be computed, though no verb stands before them.
func (s *Request) ordersMinimum() bool {
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

// markDown reads "mark them down 20%".
func (s *Request) markDown(v int) (Act, bool) {
	for j := v + 1; j < len(s.Words) && j <= v+8; j++ {
		if w := s.Word(j); w == "down" || w == "up" {
			a := Act{Kind: draft.Prices, At: v, End: v + 1, Verb: Lower}
			if w == "up" {
				a.Verb = Raise
			}
			s.Use(j, j+1)
			return a, true
		}
	}
	return Act{}, false
}

// past reports whether a period that has begun is named: "заказ у Востока за октябрь" asks for a document.
func (s *Request) past() bool {
	return slices.ContainsFunc(quantity.Periods(slices.Clone(s.Words), s.Today), func(p quantity.Period) bool {
		return !p.From.IsZero() && p.From.Before(s.Today)
	})
}

// orders reports whether a word of the task orders something: "перемещения за неделю" is a question, if it is one.
func (s *Request) orders() bool {
	return slices.ContainsFunc(s.Words, func(t token.Token) bool {
		return t.Kind == token.Word && t.Use != token.AsName && request.AllVerbs[t.Norm]
	})
}

// ordersGoods reports whether a verb of buying orders something: "order 00012" names a document.
func (s *Request) ordersGoods(v int) bool {
	next := s.Word(v + 1)
	return next != "№" && next != "#" && !strings.HasPrefix(next, "00")
}

// FromTo reports whether the task names where goods come from and where they go.
func (s *Request) FromTo() bool {
	from, to := false, false
	for i := range s.Names {
		if n := &s.Names[i]; n.MayBe(connector.NameStore) {
			if s.leaves(n) {
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

// fromStore reports whether the task names a warehouse that goods come from.
func (s *Request) fromStore() bool {
	return slices.ContainsFunc(s.Names, func(n request.Name) bool {
		return n.MayBe(connector.NameStore) && s.leaves(&n)
	})
}

// leaves reports whether goods come from a warehouse: "с витрины", "со склада на Лесной".
func (s *Request) leaves(n *request.Name) bool {
	if request.Leaving[s.Preceding(n.At[0])] || s.dashedBehind(n) || s.SurplusOf(n.At[0]) {
		return true
	}
	i := n.At[0] - 1
	if w := s.Word(i); w == "на" || w == "в" {
		i--
	}
	_, kind := request.Kinds[s.Word(i)]
	return kind && request.Leaving[s.Word(i-1)]
}

func (s *Request) namesProducts() bool {
	for i := range s.Names {
		if s.Names[i].MayBe(connector.NameProduct) {
			return true
		}
	}
	return false
}

func (s *Request) namesSupplier() bool {
	return slices.ContainsFunc(s.Names, func(n request.Name) bool {
		return n.MayBe(connector.NameSupplier) || n.MayBe(connector.NameCounterparty)
	})
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}
