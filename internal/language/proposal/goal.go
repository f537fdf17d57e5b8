package proposal

import (
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/language/proposal/intent"
	"github.com/stockhand/stockhand/internal/language/request"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// readGoal reads how prices change. Exactly one way is needed.
func (s *sentence) readGoal(a intent.Act) {
	var percents, sums []*number
	for _, n := range s.numbers {
		switch {
		case n.used || s.compared(n):
		case n.unit == words.Percent:
			percents = append(percents, n)
		case n.unit == words.Money, n.unit == words.NoUnit && s.sum(n):
			sums = append(sums, n)
		}
	}
	if s.percentRange(a, percents) {
		return
	}
	if len(percents)+len(sums) == 0 {
		s.atCost(a)
	}
	if len(percents) == 0 {
		s.times(a)
		s.fraction(a)
		s.bareShare(&percents)
	}
	for _, n := range percents {
		s.percentGoal(a, n)
	}
	s.sumGoals(a, sums)
}

// atCost reads "снизь до закупки", "поставь по себестоимости": no markup on the purchase price.
func (s *sentence) atCost(a intent.Act) {
	if a.Verb != intent.Lower && a.Verb != intent.Set && a.Verb != intent.Change {
		return
	}
	for i := range s.Words {
		if end := s.AnyPhrase(i, request.CostPhrases); end > 0 && s.draft.Markup == "" {
			s.draft.Markup = "0"
			s.Use(i, end)
		}
	}
}

// percentRange asks which end of "15–20 %" is meant.
func (s *sentence) percentRange(a intent.Act, percents []*number) bool {
	if len(percents) != 1 || a.Verb != intent.Raise && a.Verb != intent.Lower {
		return false
	}
	last := percents[0]
	for _, n := range s.numbers {
		w := s.Word(n.end)
		joined := n.end+1 == last.at && (w == "-" || w == "–" || w == "—" || w == "до" || w == "to" || w == "или") ||
			n.end == last.at && last.sign == "-"
		if n == last || n.used || n.unit != words.NoUnit || !joined {
			continue
		}
		n.used, last.used = true, true
		s.Use(n.at, last.end)
		sign := map[intent.Verb]string{intent.Lower: "-"}[a.Verb]
		s.draft.Percent = sign + n.value
		first, second := n.value, last.value
		s.later = append(s.later, func() {
			d := s.draft.Clone()
			d.Everything = !d.Scoped()
			e := d.Clone()
			e.Percent = sign + second
			s.ask("На "+first+" % или на "+second+" %?", "By "+first+"% or by "+second+"%?", s.option(d), s.option(e))
		})
		return true
	}
	return false
}

// sum reports whether a plain number stands where a price does, and not where a quantity or a number of rows does.
func (s *sentence) sum(n *number) bool {
	before := s.Preceding(n.at)
	return before != "топ" && before != "top" && before != "первые" && before != "first"
}

// times reads "вдвое" and "в два раза".
func (s *sentence) times(a intent.Act) {
	up, down := map[string]string{"вдвое": "100", "втрое": "200"},
		map[string]string{"вдвое": "-50", "half": "-50", "пополам": "-50"}
	for i := range s.Words {
		w := s.Norm(i)
		if v := up[w]; v != "" && a.Verb == intent.Raise {
			s.draft.Percent = v
			s.Use(i, i+1)
		} else if v := down[w]; v != "" && a.Verb == intent.Lower {
			s.draft.Percent = v
			s.Use(i, i+1)
		}
	}
}

// sumGoals reads amounts of money: a new price of all, prices of a list, or a change by an amount.
func (s *sentence) sumGoals(a intent.Act, sums []*number) {
	if len(sums) == 0 || s.draft.Percent+s.draft.Markup+s.draft.Margin != "" {
		return
	}
	if n := sums[0]; len(sums) == 1 && (a.Verb == intent.Raise || a.Verb == intent.Lower || n.sign != "") {
		switch w := s.Preceding(n.at); {
		case n.unit == words.NoUnit && (w == "на" || w == "by" || request.Adds[w] || n.sign != "") && n.small():
			s.percentOrAmount(n, a.Verb == intent.Lower || n.sign == "-")
		case n.unit == words.Money && request.Begins(w, request.DiscountNouns):
			s.draft.Amount = "-" + n.value
		case n.sign == "-", (w == "на" || w == "by" || request.Adds[w] || w == "по" && s.adding()) &&
			a.Verb == intent.Lower:
			s.draft.Amount = "-" + n.value
		case n.sign == "+", (w == "на" || w == "by" || request.Adds[w] || w == "по" && s.adding()) &&
			a.Verb == intent.Raise:
			s.draft.Amount = n.value
		case w == "до" || w == "to":
			s.draft.Price = n.value
		default:
			s.draft.Price = n.value
			s.later = append(s.later, func() {
				to := s.draft.Clone()
				to.Everything = !to.Scoped()
				by := to.Clone()
				if by.Price, by.Amount = "", n.value; a.Verb == intent.Lower {
					by.Amount = "-" + n.value
				}
				s.ask("Сделать цену такой или изменить её на эту сумму?",
					"Set the price to that, or change it by that amount?", s.option(to), s.option(by))
			})
		}
		s.take(n, s.preposition(n.at))
		return
	}
	s.sums = sums // with their goods, when those are known
}

// adding reports whether a verb says by how much, and not to what: "накинь по 50".
func (s *sentence) adding() bool {
	return slices.ContainsFunc(s.Words, func(t token.Token) bool { return request.Adds[t.Norm] })
}

// small reports whether a number is such as a percentage has, too.
func (n *number) small() bool {
	return decimal.MustParse(n.value).Cmp(decimal.FromInt(100)) <= 0
}

// percentOrAmount asks what a number without a unit means: "подними цены на 10".
func (s *sentence) percentOrAmount(n *number, down bool) {
	value := n.value
	if down {
		value = "-" + value
	}
	s.draft.Percent = value
	s.later = append(s.later, func() {
		share := s.draft.Clone()
		share.Everything = !share.Scoped()
		sum := share.Clone()
		sum.Percent, sum.Amount = "", value
		s.ask("На "+n.value+" % или на "+n.value+" ₽?", "By "+n.value+"% or by "+n.value+" ₽?", s.option(share),
			s.option(sum))
	})
}

// preposition returns the token of a preposition before a number, or the number.
func (s *sentence) preposition(i int) int {
	switch s.Word(i - 1) {
	case "на", "до", "по", "за", "в", "=", "by", "to", "at", "for", "-", "–", ":":
		return i - 1
	}
	return i
}

// pairPrices gives the prices of a list to their goods: "чай 300, кофе 500".
func (s *sentence) pairPrices() {
	var products []*named
	for _, n := range s.names {
		if n.role == aProduct && !n.excluded && !n.used {
			products = append(products, n)
		}
	}
	pairs, ok := pair(products, s.sums)
	switch {
	case len(s.sums) == 0:
	case len(s.sums) == 1 && len(products) == 1 && len(products[0].chosen) == 1 && !s.otherGoods(), ok &&
		len(products) > 1:
		for i, p := range products {
			p.number = s.sums[0]
			if ok {
				p.number = pairs[i]
			}
			s.take(p.number, s.preposition(p.number.at))
		}
	case len(s.sums) == 1:
		s.draft.Price = s.sums[0].value
		s.take(s.sums[0], s.preposition(s.sums[0].at))
	default:
		s.ask("Какая цена у какого товара? Напишите их парами: «первый 300, второй 500».",
			"Which price is for which product? Write them in pairs: “the first 300, the second 500”.")
	}
}

// otherGoods reports whether groups or suppliers are named, too.
func (s *sentence) otherGoods() bool {
	for _, n := range s.names {
		if n.role == aGroup || n.role == aSupplier || n.excluded {
			return true
		}
	}
	return len(s.draft.Where) > 0 || s.draft.RowsOf != nil
}

// readElided reads a condition on the figure that the goal names: "поставь наценку 45, у кого сейчас меньше 30".
func (s *sentence) readElided() {
	field := ""
	switch d := &s.draft; {
	case d.Markup != "":
		field = "markup"
	case d.Margin != "":
		field = "margin"
	case d.Price != "":
		field = "price"
	}
	for _, n := range s.numbers {
		op, from := s.comparison(n.at)
		if field == "" || n.used || op == "" || n.unit != words.NoUnit && n.unit != words.Percent {
			continue
		}
		said := false
		for j := from - 1; j >= 0 && j >= from-5; j-- {
			switch s.Norm(j) {
			case "сейчас", "кого", "где", "которых", "которые", "кто", "что", "now", "currently", "whose", "where",
				"она":
				said = true
				s.Use(j, j+1)
				if s.Norm(j-1) == "у" {
					s.Use(j-1, j)
				}
			}
			if w := s.Word(j); s.Words[j].Kind != token.Word || request.Begins(w, request.FigureNouns) ||
				request.Begins(w, request.MarginNouns) ||
				request.Begins(w, request.MarkupNouns) || request.Begins(w, request.PriceNouns) ||
				request.Begins(w, request.PurchaseNouns) {
				said = said && s.Words[j].Kind == token.Mark
				break
			}
		}
		if said {
			s.where(field, op, n.value)
			s.take(n, from)
		}
	}
	s.beyondGoal(field)
}

// beyondGoal reads a condition that compares with the goal itself: "сделай маржу 30 % на всё, где она ниже".
func (s *sentence) beyondGoal(field string) {
	goal := map[string]string{"markup": s.draft.Markup, "margin": s.draft.Margin, "price": s.draft.Price}[field]
	for i := range s.Words {
		op := request.Comparatives[s.Norm(i)]
		if goal == "" || op != analysis.Less && op != analysis.Greater || s.comparedBehind(i) || i+2 < len(s.Words) &&
			s.Words[i+1].Kind == token.Word && s.Words[i+1].Use == token.Unused && !request.Fillers[s.Word(i+1)] {
			continue
		}
		from := i
		for w := s.Norm(from - 1); aboutGoal[w] || request.Begins(w, request.MarginNouns) ||
			request.Begins(w, request.MarkupNouns) || request.Begins(w, request.PriceNouns); w = s.Norm(from - 1) {
			from--
		}
		if from < i {
			s.where(field, op, goal)
			s.Use(from, i+1)
			return
		}
	}
}

// aboutGoal are words between goods and a comparison with the goal.
var aboutGoal = words.Set("где у кого которых которые чего сейчас она он цена наценка маржа если там то только тех " +
	", where whose if it its is now currently which has have")

var signs = map[string]string{"минус": "-", "minus": "-", "плюс": "+", "plus": "+"}

// fraction reads "на треть", "наполовину" and "в 1,5 раза" as a percentage.
func (s *sentence) fraction(a intent.Act) {
	for i := range s.Words {
		for _, p := range request.Fractions {
			end := s.PhraseAt(i, p)
			if end == 0 || s.draft.Percent != "" {
				continue
			}
			switch a.Verb {
			case intent.Raise:
				s.draft.Percent = request.PercentOf[p]
			case intent.Lower:
				s.draft.Percent = "-" + request.PercentOf[p]
				s.Around(i, i, "минус", "minus")
			case intent.NoVerb, intent.Set, intent.Change, intent.Round:
				sign := signs[s.Norm(i-1)] // "сделай минус четверть"
				if sign == "" {
					continue
				}
				s.draft.Percent = strings.TrimPrefix(sign, "+") + request.PercentOf[p]
				s.Use(i-1, i)
			}
			s.Use(i, end)
			s.Around(i, end, "на", "by", "a", "цены", "часть", "процентов")
		}
	}
	for _, n := range s.numbers {
		if n.used || n.unit != words.Times || s.draft.Percent != "" ||
			a.Verb != intent.Raise && a.Verb != intent.Lower {
			continue
		}
		times, hundred := decimal.MustParse(n.value), decimal.FromInt(100)
		if times.Cmp(decimal.FromInt(1)) <= 0 {
			continue
		}
		percent := times.Sub(decimal.FromInt(1)).Mul(hundred)
		if a.Verb == intent.Lower {
			percent = hundred.Div(times).Sub(hundred).Round(2)
		}
		s.draft.Percent = percent.String()
		s.take(n, s.preposition(n.at))
	}
}
