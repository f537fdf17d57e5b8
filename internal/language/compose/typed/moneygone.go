package typed

import (
	"slices"

	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// moneyGone reads "куда улетели деньги" and "на что идут средства" as what was paid, whatever the verb is: beside goods
// such verbs are of selling (rule R1114).
func (s *Sentence) moneyGone() {
	if s.Previous != nil || !ForWhat(s.Tokens) {
		return
	}
	money, gone := -1, -1
	for i, it := range s.Items {
		t := &s.Tokens[it.At]
		switch {
		case it.Kind == Named && slices.ContainsFunc(it.Name.Meanings, func(n connector.Name) bool {
			return n.Kind == connector.NameProduct || n.Kind == connector.NameGroup
		}):
			return
		case it.Kind == Named || it.Kind == Period || t.Use == token.AsName:
		case it.Kind == Measure && it.ID == "money_out":
			return
		case it.End == it.At+1 && moneyNouns[t.Norm]:
			money = i
		case it.End == it.At+1 && goneVerbs[t.Norm]:
			gone = i
		case it.Kind == Measure:
			return
		}
	}
	if money < 0 || gone < 0 {
		return
	}
	s.Items[money].Kind = Function
	it := s.Items[gone]
	it.Kind, it.ID, it.Order, it.Least = Measure, "money_out", "", ""
}

var (
	moneyNouns = words.Set("деньги денег деньжата бабки бабок бабло бабосы средства средств наличка наличные нал кэш " +
		"кеш касса выручка прибыль финансы money cash funds")
	goneVerbs = words.Set("ушли ушло ушла уходят уходит уходили пошли пошло идут идет идёт шли делись делось делась " +
		"деваются девается подевались подевалось подевалась улетели улетело улетают улетает утекли утекло утекают " +
		"утекает разошлись расходятся расходуются расходовались расходовали расходуем израсходовались потратились " +
		"тратятся тратится тратились истратили растратились пропали пропадают исчезли исчезают испарились вылетели " +
		"вылетают растаяли растворились сливаются слились спустились уплыли уплывают протекли выкинули разбежались " +
		"улетела утекла уплыла испарилась разошлась потратилась исчезла пропала вылетела растаяла слилась " +
		"went go goes going gone disappear disappeared vanish leak")
)

// ForWhat reports whether a task asks what something was spent on: "на что тратим", "куда ушли деньги".
func ForWhat(ts []token.Token) bool {
	for i := range ts {
		w := ts[i].Norm
		if w == "куда" || whatFor[w] && i > 0 && forWhat[ts[i-1].Norm] || w == "what" || w == "where" {
			return true
		}
	}
	return false
}

var (
	whatFor = words.Set("что чего чё what where")
	forWhat = words.Set("на за")
)
