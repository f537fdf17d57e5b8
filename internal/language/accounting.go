package language

import (
	"slices"
	"strconv"
	"strings"

	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/language/compose/typed"
	"github.com/stockhand/stockhand/internal/language/names"
	"github.com/stockhand/stockhand/internal/language/omitted"
	"github.com/stockhand/stockhand/internal/language/quantity"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// leftOver returns the words that a skill which reads does not follow (rule R321). A word is followed if it belongs to
// a name or a period or a number in the arguments, or means something that the skill is about. Being known to the
// lexicon is not enough: "debts of last month" is not answered by the debts of now without a word.
func (r *reader) leftOver(out *Reading) []string {
	followed := make([]bool, len(r.ts))
	mark := func(at ...int) {
		for _, i := range at {
			followed[i] = true
		}
	}
	for _, m := range r.mentions {
		if out.Skill != Reference { // which takes no names
			mark(m.at...)
		}
	}
	about := r.x.about(out.Skill)
	about[conceptOverdue] = about[conceptOverdue] && out.Skill != Receivables // debts have no due dates
	for _, c := range []concept{conceptBest, conceptByValue} {                // the greatest come first
		about[c] = about[c] || out.Skill == Receivables || out.Skill == StockAge
	}
	for _, c := range arranging {
		about[c] = about[c] || out.Arguments.Interval != "" || out.Arguments.By != "" || out.Arguments.Order != ""
	}
	for _, f := range r.found {
		if about[f.Meaning] {
			mark(f.At...)
		}
	}
	for _, p := range r.Periods {
		if r.covers(&out.Arguments, &p) {
			for i := p.At; i < p.End; i++ {
				mark(i)
			}
		}
	}
	for i := range r.ts {
		if !followed[i] && r.follows(out, i, followed) {
			mark(i)
		}
	}
	for _, p := range r.represented(out) {
		mark(p.At...)
	}
	for i := len(r.ts) - 2; i >= 0; i-- { // "по", "by": as what stands behind it
		followed[i] = followed[i] || bindingWords[r.ts[i].Norm] && followed[i+1]
	}
	var lost []string
	for i := 0; i < len(r.ts); i++ {
		if followed[i] {
			continue
		}
		end := i + 1
		for j := end; j < len(r.ts) && (!followed[j] || r.harmless(j)); j++ {
			if !followed[j] {
				end = j + 1
			}
		}
		lost = append(lost, r.task[r.ts[i].Start:r.ts[end-1].End])
		i = end - 1
	}
	return lost
}

// represented returns the typed parts of the task that the call of a tool with fixed arguments has.
func (r *reader) represented(out *Reading) (list []typed.Part) {
	c := r.call(out)
	if c.Query == nil {
		return nil
	}
	parts := typed.Parts(r.composeInput(slices.Clone(r.named)))
	for i, p := range parts {
		switch p.Kind {
		case typed.PartEach: // "сколько должен каждый клиент" (rule R1108)
			if i+1 < len(parts) && parts[i+1].Kind == typed.PartBy && len(omitted.Parts(parts[i+1:i+2], c)) == 0 {
				list = append(list, p)
			}
		case typed.PartCondition: // "общая сумма долгов"
			if p.Of == typed.InMoney && inMoney[out.Skill] {
				list = append(list, p)
			}
		case typed.PartMeasure, typed.PartBy, typed.PartOrder, typed.PartShare, typed.PartTrend:
			if len(omitted.Parts([]typed.Part{p}, c)) == 0 {
				list = append(list, p)
			}
		default:
		}
	}
	return list
}

// inMoney are the skills that show sums anyway.
var inMoney = map[Skill]bool{Receivables: true, Money: true, SalesTrend: true, Profitability: true, StockAge: true}

// about returns the concepts that a skill's rules or arguments look at.
func (x *lexicon) about(s Skill) [numConcepts]bool {
	var list [numConcepts]bool
	for _, c := range []concept{conceptShow, conceptHave, conceptHowMany, conceptList, conceptListWord,
		conceptListCount,
		conceptFind, conceptReport, conceptFollowUp, conceptGreeting, conceptProduct, conceptWho} {
		list[c] = true
	}
	for _, rule := range x.rules {
		if rule.skill != s || rule.weight <= 0 {
			continue
		}
		for _, f := range rule.need {
			if f.kind == conceptFeature {
				list[f.concept] = true
			}
		}
	}
	list[conceptFiller] = false
	list[conceptMoney] = list[conceptMoney] || s == Receivables // "money owed to us"
	return list
}

// covers reports whether the arguments have a period.
func (r *reader) covers(a *Arguments, p *quantity.Period) bool {
	from, to := iso(p.From), iso(p.To)
	switch {
	case a.From != "" || a.To != "":
		return a.Compare || a.From == from || a.To == to
	case a.At != "":
		return a.At == from || a.At == to
	}
	days := int(r.today.Sub(p.From).Hours()/24) + 1
	return a.Days != 0 && (p.Rolling == a.Days || p.From.After(r.today) || p.From.IsZero()) ||
		a.MinDays != 0 && (p.Rolling == a.MinDays ||
			days == a.MinDays) || p.From.Equal(r.today) && p.To.Equal(r.today)
}

// harmless reports whether a token says nothing by itself.
func (r *reader) harmless(i int) bool {
	t := &r.ts[i]
	return t.Kind == token.Mark || typed.IsFunction(r.in.Catalogue, t) || words.IsLegalForm(t.Norm)
}

// follows reports whether a token that no name, period or concept explains is followed. The tokens before it are known.
func (r *reader) follows(out *Reading, i int, followed []bool) bool {
	t := &r.ts[i]
	a := &out.Arguments
	before := i > 0 && followed[i-1]
	switch {
	case r.harmless(i), t.Use == token.AsAccount, t.Use == token.AsName && out.Skill != Reference:
		return true
	case out.Skill == Money && (strings.HasPrefix(t.Norm, "остат") || r.saysPlace(i)):
		return true
	case out.Skill == Receivables && partnerWords[t.Norm]: // "what we owe to suppliers"
		return true
	case (t.Norm == "всего" || t.Norm == "total" || t.Norm == "altogether") && len(a.Stores) == 0:
		return true
	case isKindWord(t.Norm) && i+1 < len(r.ts) && (followed[i+1] || r.harmless(i+1)) &&
		(r.ts[i+1].Use == token.AsName ||
			i+2 < len(r.ts) && r.ts[i+2].Use == token.AsName): // "по магазину на Мира"
		return true
	case isKindWord(t.Norm): // beside a name, or a place in general
		return before && r.ts[i-1].Use == token.AsName || i+1 < len(r.ts) && r.ts[i+1].Use == token.AsName ||
			names.Kind(t.Norm) == connector.NameStore && !bindingWords[r.normAt(i-1)] && !exceptWords[r.normAt(i-1)]
	case edgeWords[t.Norm] && a.At != "": // "stock at the end of October"
		return i+1 < len(followed) && followed[i+1] || i+2 < len(followed) && followed[i+2]
	case topWords[t.Norm]:
		return a.Limit > 0 || a.Direction != "" || a.Order != ""
	case slices.ContainsFunc(out.Unknown, func(p Phrase) bool { return strings.Contains(p.Words, t.Raw) }):
		return true
	case a.Query != "" && strings.Contains(words.Fold(a.Query), words.Fold(t.Raw)):
		return true
	case t.Kind == token.Number:
		inDays := i+1 < len(r.ts) && quantity.UnitKind(r.ts[i+1].Norm) == words.Days && a.Days+a.MinDays > 0
		return inDays || a.hasNumber(t.Norm)
	case t.Use == token.AsNumber: // in words, or a unit
		return before || a.Days+a.MinDays+a.Limit > 0 || a.MinAmount != ""
	case boundWords[t.Norm]:
		for j := i + 1; j < min(i+4, len(r.ts)); j++ {
			if n := &r.ts[j]; n.Kind == token.Number || n.Use == token.AsNumber {
				return r.follows(out, j, followed) && (a.Days+a.MinDays > 0 || a.MinAmount != "")
			}
		}
	}
	return false
}

// saysPlace reports whether a token says which money is meant, or that accounts and cash desks are shown apart.
func (r *reader) saysPlace(i int) bool {
	p := typed.PlaceOfMoney(r.named)
	return p.Says(i) || p.Both && apartWords[r.ts[i].Norm]
}

var partnerWords = words.Set("suppliers supplier vendors customers clients поставщикам поставщики поставщиков " +
	"клиенты клиентов покупатели покупателей контрагенты контрагентов")

var apartWords = words.Set("отдельно раздельно порознь separately apart")

// hasNumber reports whether a number of the task is in the arguments, perhaps in thousands.
func (a *Arguments) hasNumber(n string) bool {
	list := []string{a.MinAmount, strconv.Itoa(a.Days), strconv.Itoa(a.MinDays), strconv.Itoa(a.Limit)}
	return slices.ContainsFunc(list, func(v string) bool { return v != "0" && strings.Contains(v, n) })
}

// arranging are the concepts that arguments for an interval, a dimension or an order come from.
var arranging = []concept{conceptByDay, conceptByWeek, conceptByMonth, conceptByHour, conceptProfit, conceptByProfit,
	conceptMargin, conceptRevenue, conceptByRevenue, conceptByQuantity, conceptByValue, conceptByName, conceptBest,
	conceptWorst}

// bindingWords bind the word behind them to the task.
var bindingWords = words.Set("по by from per across не not самых самые самый самой самая в")

// edgeWords name a day of a period.
var edgeWords = words.Set("начало конец начале конце start beginning end")

var topWords = words.Set("топ top первые первых first")

// boundWords stand before the number of a bound.
var boundWords = words.Set("больше более свыше выше дольше старше от меньше менее ниже over above more than " +
	"older longer under below less least at чем")
