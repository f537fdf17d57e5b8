package proposal

import (
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/language/proposal/intent"
	"github.com/stockhand/stockhand/internal/language/request"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

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
func (s *sentence) percentGoal(a intent.Act, n *number) {
	kind, from, to := s.share(n)
	if kind == "" && request.Becomes[s.Preceding(n.at)] {
		kind = s.lastShare(n)
		for j := n.at - 1; j >= 0; j-- {
			if w := s.Norm(j); request.Begins(w, request.MarginNouns) || request.Begins(w, request.MarkupNouns) {
				if next := s.Word(j + 1); request.Comparatives[next] == "" && next != "не" { // it is no condition
					s.Use(j, j+1)
				}
				break
			}
		}
		for w := s.Norm(from - 1); request.Becomes[w] || w == "чтобы" || w == "чтоб" || w == "так" || w == "она" ||
			w == ","; w = s.Norm(from - 1) {
			from--
		}
	}
	byNoun := a.Verb == intent.Set && (a.At == a.End || !s.several(n)) // "наценка на посуду 60 %"
	if kind == "" && n.sign == "" && (n.unit == words.NoUnit && (s.onlyFigure(n) || s.setTo(n)) || byNoun) {
		kind = s.lastShare(n)
		s.useShareNoun(n)
	}
	value := n.value
	if w := s.Preceding(n.at); kind == "" && n.sign == "" && (w == "до" || w == "to") &&
		(a.Verb == intent.Raise || a.Verb == intent.Lower || a.Verb == intent.Change || a.Verb == intent.Set) {
		if kind = s.lastShare(n); kind == "" {
			s.targetShare(n, a.Verb == intent.Lower)
			return
		}
		s.useShareNoun(n)
		from = min(from, s.preposition(n.at))
	}
	switch {
	case s.draft.Percent+s.draft.Markup+s.draft.Margin != "":
		s.ask("Не понял, на сколько менять цены: процентов несколько. Назовите один.",
			"I do not see by how much prices change: there are several percentages. Name one.")
		return
	case kind == "markup":
		s.draft.Markup = signed(n.sign, value)
	case kind == "margin":
		s.draft.Margin = signed(n.sign, value)
	case kind == "discount" && (a.Verb == intent.Raise || n.sign == "+"):
		s.draft.Percent = value
		s.upOrDown(value)
	case kind == "discount", n.sign == "-", a.Verb == intent.Lower:
		s.draft.Percent = "-" + value
	case n.sign == "+", a.Verb == intent.Raise:
		s.draft.Percent = value
	case s.way(n) != "":
		s.draft.Percent = strings.TrimPrefix(s.way(n)+value, "+")
		s.useWay(n)
	default:
		s.draft.Percent = value
		s.upOrDown(value)
	}
	n.used = true
	s.Use(from, to)
}

// several reports whether another percentage than n is in the request.
func (s *sentence) several(n *number) bool {
	return slices.ContainsFunc(s.numbers, func(o *number) bool { return o != n && o.unit == words.Percent })
}

// way returns the sign that a word beside a percentage says: "на 10 % вверх", "5% down".
func (s *sentence) way(n *number) string {
	for _, i := range n.beside() {
		switch s.Word(i) {
		case "вверх", "наверх", "кверху", "дороже", "больше", "выше", "up", "higher":
			return "+"
		case "вниз", "книзу", "дешевле", "меньше", "ниже", "down", "lower":
			return "-"
		}
	}
	return ""
}

// beside are the tokens around a number that may say which way prices go.
func (n *number) beside() []int { return []int{n.end, n.end + 1, n.at - 1, n.at - 2} }

func (s *sentence) useWay(n *number) {
	for _, i := range n.beside() {
		if w := s.Norm(i); ways[w] {
			s.Use(i, i+1)
		}
	}
}

var ways = words.Set("вверх наверх кверху вниз книзу дороже дешевле больше меньше выше ниже up down higher lower")

// leastShares reads "наценка на чай должна быть не меньше 45" as that share for the goods below it.
func (s *sentence) leastShares(a intent.Act) {
	if a.Verb != intent.Set || a.At != a.End {
		return
	}
	for i := range s.Words {
		w, j, least := s.Norm(i), i+1, false
		field := map[bool]string{true: "markup", false: "margin"}[request.Begins(w, request.MarkupNouns)]
		if !request.Begins(w, request.MarkupNouns) && !request.Begins(w, request.MarginNouns) {
			continue
		}
		for ; j < len(s.Words) && (s.Words[j].Use == token.AsName || intent.IsToBe[s.Norm(j)]); j++ {
			least = least || s.Norm(j) == "минимум" || s.Norm(j) == "least" || s.Norm(j) == "хотя" ||
				s.Norm(j-1) == "не" && (s.Norm(j) == "меньше" || s.Norm(j) == "ниже")
		}
		n := s.numberAt(j)
		if !least || n == nil || n.unit != words.NoUnit && n.unit != words.Percent {
			continue
		}
		if s.where(field, analysis.Less, n.value); field == "markup" {
			s.draft.Markup = n.value
		} else {
			s.draft.Margin = n.value
		}
		s.Use(i, n.end)
		return
	}
}

// useShareNoun marks the last noun of a share before a number, unless it begins a condition.
func (s *sentence) useShareNoun(n *number) {
	for j := n.at - 1; j >= 0; j-- {
		if w := s.Norm(j); request.Begins(w, request.MarginNouns) || request.Begins(w, request.MarkupNouns) {
			if next := s.Word(j + 1); request.Comparatives[next] == "" && next != "не" {
				s.Use(j, j+1)
			}
			return
		}
	}
}

// targetShare asks what is to come to a percentage that stands behind "to" without a noun: "подними до 25 %".
func (s *sentence) targetShare(n *number, down bool) {
	s.take(n, s.preposition(n.at))
	s.later = append(s.later, func() {
		by := s.draft.Clone()
		by.Everything, by.Percent = !by.Scoped(), ""
		markup, margin := by.Clone(), by.Clone()
		if by.Percent, markup.Markup, margin.Margin = n.value, n.value, n.value; down {
			by.Percent = "-" + n.value
		}
		s.askf("До %s — чего: наценку, маржу или изменить цену на столько?",
			"To %s of what: a markup, a margin, or change the price by that "+
				"much?", s.Text(n.at, n.end), s.option(markup),
			s.option(margin), s.option(by))
	})
	s.draft.Percent = n.value
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
	if w := s.Norm(n.at - 1); kind == "" && n.sign == "+" && request.Begins(w, request.PurchaseNouns) {
		kind, from = "markup", n.at-1 // "до себестоимости плюс 10 %"
		for w := s.Norm(from - 1); w == "до" || w == "по" || w == "стоить" ||
			request.Begins(w, []string{"должн"}) ||
			w == "к" || w == "от" || w == "как" || w == "=" ||
			w == "to" || w == "at" || w == "the"; w = s.Norm(from - 1) {
			from--
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

// bareShare takes a plain number beside "маржа" or "наценка" as a percentage: "наценка 40".
func (s *sentence) bareShare(out *[]*number) {
	for _, n := range s.numbers {
		if n.used || n.unit != words.NoUnit {
			continue
		}
		if w := s.Preceding(n.at); request.Becomes[w] && s.shareNoun(n) {
			*out = append(*out, n)
			continue
		}
		if w := s.Preceding(n.at); request.Begins(w, request.MarkupNouns) || request.Begins(w, request.MarginNouns) ||
			request.Begins(w, request.DiscountNouns) || s.ofDiscount(n) ||
			(w == "до" || w == "в" || w == "to") && (request.Begins(s.Word(n.at-2), request.MarkupNouns) ||
				request.Begins(s.Word(n.at-2), request.MarginNouns)) ||
			(w == "до" || w == "to" || s.setTo(n) || s.onlyFigure(n)) && s.lastShare(n) != "" {
			*out = append(*out, n)
		}
	}
}

// ofDiscount reports whether a number is the only one behind "скидку": "скидку на чай 10".
func (s *sentence) ofDiscount(n *number) bool {
	if !n.small() || slices.ContainsFunc(s.numbers, func(o *number) bool { return o != n && !o.used }) {
		return false
	}
	return slices.ContainsFunc(s.Words[:n.at], func(t token.Token) bool {
		return t.Use != token.AsName && (t.Norm == "скидку" || t.Norm == "скидка")
	})
}

// setTo reports whether a verb of setting stands right before a number: "наценку на чай сделай 35".
func (s *sentence) setTo(n *number) bool {
	w := s.Word(n.at - 1)
	return request.Sets[w] || request.Makes[w]
}

// onlyFigure reports whether a plain number stands right behind a name and no other number may say by how much prices
// change: "наценка на сладости 35".
func (s *sentence) onlyFigure(n *number) bool {
	if n.at == 0 || s.Words[n.at-1].Use != token.AsName {
		return false
	}
	for _, o := range s.numbers {
		if o != n && !o.used {
			return false
		}
	}
	return true
}
