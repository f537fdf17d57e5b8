package proposal

import (
	"slices"

	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/language/request"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// readGoal reads how prices change. Exactly one way is needed.
func (s *sentence) readGoal(a act) {
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

var costPhrases = request.LongestFirst(request.PhrasesOf("phrase", "at_cost"))

// atCost reads "снизь до закупки", "поставь по себестоимости": no markup on the purchase price.
func (s *sentence) atCost(a act) {
	if a.verb != lower && a.verb != set && a.verb != change {
		return
	}
	for i := range s.Words {
		if end := s.AnyPhrase(i, costPhrases); end > 0 && s.draft.Markup == "" {
			s.draft.Markup = "0"
			s.Use(i, end)
		}
	}
}

// soldAtCost reports whether prices are to be as the purchase price.
func (s *sentence) soldAtCost() bool {
	for i := range s.Words {
		if s.AnyPhrase(i, costPhrases) > 0 {
			return true
		}
	}
	return false
}

// percentRange asks which end of "15–20 %" is meant.
func (s *sentence) percentRange(a act, percents []*number) bool {
	if len(percents) != 1 || a.verb != raise && a.verb != lower {
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
		sign := map[verb]string{lower: "-"}[a.verb]
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
func (s *sentence) times(a act) {
	up, down := map[string]string{"вдвое": "100", "втрое": "200"},
		map[string]string{"вдвое": "-50", "half": "-50", "пополам": "-50"}
	for i := range s.Words {
		w := s.Norm(i)
		if v := up[w]; v != "" && a.verb == raise {
			s.draft.Percent = v
			s.Use(i, i+1)
		} else if v := down[w]; v != "" && a.verb == lower {
			s.draft.Percent = v
			s.Use(i, i+1)
		}
	}
}

// bareShare takes a plain number beside "маржа" or "наценка" as a percentage: "наценка 40".
func (s *sentence) bareShare(out *[]*number) {
	for _, n := range s.numbers {
		if n.used || n.unit != words.NoUnit {
			continue
		}
		if w := s.Preceding(n.at); becomes[w] && s.shareNoun(n) {
			*out = append(*out, n)
			continue
		}
		if w := s.Preceding(n.at); request.Begins(w, request.MarkupNouns) || request.Begins(w, request.MarginNouns) ||
			request.Begins(w, request.DiscountNouns) ||
			(w == "до" || w == "в" || w == "to") && (request.Begins(s.Word(n.at-2), request.MarkupNouns) ||
				request.Begins(s.Word(n.at-2), request.MarginNouns)) {
			*out = append(*out, n)
		}
	}
}

// becomes are words for what a figure is to be: "подними цены так, чтобы маржа стала 20".
var becomes = words.Set("будет будут стала стало было была вышла получилась вышло получилось составила составляла " +
	"become becomes")

// shareNoun reports whether a margin or a markup is spoken of before a number.
func (s *sentence) shareNoun(n *number) bool { return s.lastShare(n) != "" }

// lastShare returns the share of prices that is spoken of last before a number.
func (s *sentence) lastShare(n *number) string {
	for j := n.at - 1; j >= 0; j-- {
		switch w := s.Word(j); {
		case request.Begins(w, request.MarkupNouns):
			return "markup"
		case request.Begins(w, request.MarginNouns):
			return "margin"
		}
	}
	return ""
}

// percentGoal reads a percentage as a change, a markup or a margin, by the words around it.
func (s *sentence) percentGoal(a act, n *number) {
	kind, from, to := s.share(n)
	if kind == "" && becomes[s.Preceding(n.at)] {
		kind = s.lastShare(n)
		for j := n.at - 1; j >= 0; j-- {
			if w := s.Norm(j); request.Begins(w, request.MarginNouns) || request.Begins(w, request.MarkupNouns) {
				if next := s.Word(j + 1); request.Comparatives[next] == "" && next != "не" { // it is no condition
					s.Use(j, j+1)
				}
				break
			}
		}
		for w := s.Norm(from - 1); becomes[w] || w == "чтобы" || w == "чтоб" || w == "так" || w == "она" ||
			w == ","; w = s.Norm(from - 1) {
			from--
		}
	}
	value := n.value
	switch {
	case s.draft.Percent+s.draft.Markup+s.draft.Margin != "":
		s.ask("Не понял, на сколько менять цены: процентов несколько. Назовите один.",
			"I do not see by how much prices change: there are several percentages. Name one.")
		return
	case kind == "markup":
		s.draft.Markup = signed(n.sign, value)
	case kind == "margin":
		s.draft.Margin = signed(n.sign, value)
	case kind == "discount" && (a.verb == raise || n.sign == "+"):
		s.draft.Percent = value
		s.upOrDown(value)
	case kind == "discount", n.sign == "-", a.verb == lower:
		s.draft.Percent = "-" + value
	case n.sign == "+", a.verb == raise:
		s.draft.Percent = value
	default:
		s.draft.Percent = value
		s.upOrDown(value)
	}
	n.used = true
	s.Use(from, to)
}

// upOrDown asks whether prices are raised or lowered.
func (s *sentence) upOrDown(value string) {
	s.later = append(s.later, func() {
		up := s.draft.Clone()
		up.Everything = !up.Scoped()
		down := up.Clone()
		down.Percent = "-" + value
		s.ask("Поднять цены или снизить?", "Raise the prices or lower them?", s.option(up), s.option(down))
	})
}

func signed(sign, value string) string {
	if sign == "-" {
		return "-" + value
	}
	return value
}

// share returns what a percentage is of, and the words that say so.
func (s *sentence) share(n *number) (kind string, from, to int) {
	from, to = n.at, n.end
	j := n.at - 1
	for j >= 0 && request.Small[s.Word(j)] {
		j--
	}
	if w := s.Norm(j); w != "" {
		for k, nouns := range map[string][]string{"markup": request.MarkupNouns, "margin": request.MarginNouns,
			"discount": request.DiscountNouns} {
			if request.Begins(w, nouns) {
				kind, from = k, j
			}
		}
	}
	k := n.end
	for k < len(s.Words) && request.Small[s.Word(k)] {
		k++
	}
	switch w := s.Norm(k); {
	case s.ofCondition(k):
	case kind != "" && kind != "markup":
	case request.Begins(w, request.MarkupNouns) && kind == "":
		kind, to = "markup", k+1
	case request.Begins(w, request.MarginNouns) && kind == "":
		kind, to = "margin", k+1
	case request.Begins(w, request.DiscountNouns) && kind == "", w == "off":
		kind, to = "discount", k+1
	case request.Begins(w, request.PurchaseNouns) && s.based(n.end, k):
		kind, to = "markup", k+1
		for to < len(s.Words) && request.Begins(s.Norm(to), request.PriceNouns) {
			to++
		}
	}
	return kind, from, to
}

// ofCondition reports whether the share at a token is one that goods have: "с наценкой больше 50", "маржинальные".
func (s *sentence) ofCondition(i int) bool {
	if request.Begins(s.Word(i), []string{"маржинальн", "акционн"}) {
		return true
	}
	for j := i + 1; j < len(s.Words); j++ {
		if w := s.Word(j); !request.Small[w] && w != "у" && !request.Begins(w, []string{"сейчас", "котор"}) {
			return request.Comparatives[w] != ""
		}
	}
	return false
}

// based reports whether the words between say "of": "10 % от закупки", "10% over cost".
func (s *sentence) based(i, j int) bool {
	for ; i < j; i++ {
		if bases[s.Word(i)] {
			return true
		}
	}
	return false
}

// sumGoals reads amounts of money: a new price of all, prices of a list, or a change by an amount.
func (s *sentence) sumGoals(a act, sums []*number) {
	if len(sums) == 0 || s.draft.Percent+s.draft.Markup+s.draft.Margin != "" {
		return
	}
	if n := sums[0]; len(sums) == 1 && (a.verb == raise || a.verb == lower || n.sign != "") {
		switch w := s.Preceding(n.at); {
		case n.unit == words.NoUnit && (w == "на" || w == "by" || request.Adds[w] || n.sign != "") && n.small():
			s.percentOrAmount(n, a.verb == lower || n.sign == "-")
		case n.unit == words.Money && request.Begins(w, request.DiscountNouns):
			s.draft.Amount = "-" + n.value
		case n.sign == "-", (w == "на" || w == "by" || request.Adds[w] || w == "по" && s.adding()) && a.verb == lower:
			s.draft.Amount = "-" + n.value
		case n.sign == "+", (w == "на" || w == "by" || request.Adds[w] || w == "по" && s.adding()) && a.verb == raise:
			s.draft.Amount = n.value
		case w == "до" || w == "to":
			s.draft.Price = n.value
		default:
			s.draft.Price = n.value
			s.later = append(s.later, func() {
				to := s.draft.Clone()
				to.Everything = !to.Scoped()
				by := to.Clone()
				if by.Price, by.Amount = "", n.value; a.verb == lower {
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
			if w := s.Word(j); s.Words[j].Kind != token.Word || request.Begins(w, figureNouns) ||
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
}
