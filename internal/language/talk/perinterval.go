package talk

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/language"
	"github.com/stockhand/stockhand/internal/language/query"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/tool"
	"github.com/stockhand/stockhand/internal/words"
)

// perInterval reads "в среднем за неделю" and "how much is that per day" after the sales of a longer period as the
// average over that period (rule R1170): in pieces, if the question was how many of some goods. By themselves the words
// are of another period, or a row for each day. It returns nil for any other message.
func (t *talk) perInterval(m *message) *language.Reading {
	if t.done == nil || !t.done.Skill.Reads() {
		return nil
	}
	unit, asks := "", false
	for _, x := range token.Split(m.task) {
		switch {
		case x.Punctuation(), aroundPer[x.Norm]:
			asks = asks || asksAverage[x.Norm]
		case unit == "" && perUnits[x.Norm] != "":
			unit = perUnits[x.Norm]
		default:
			return nil
		}
	}
	base := t.done.Composed(m.in.Catalogue).Query
	if base != nil && base.From == "" && ofStock(t.done) && ofGoods(t.done) &&
		has(m.task, sells) { // "сколько продаём в неделю" after the stock of goods
		base = &analysis.Query{Measures: []string{"quantity"}, By: base.By, Where: conditionsOf(t.done)}
		base.From, base.To = lastDays(m.in.Now)
	}
	if unit == "" || !asks || base == nil || base.Compare != nil || base.From == "" || len(base.Define) > 0 ||
		len(base.By) > 0 && timeRows[base.By[0]] || isLimited(t.done) {
		return nil
	}
	from, err := time.Parse(time.DateOnly, string(base.From))
	to, err2 := time.Parse(time.DateOnly, string(base.To))
	days, length := int(to.Sub(from).Hours())/24+1, lengthOf[unit]
	if err != nil || err2 != nil || days <= length {
		return nil
	}
	over := fmt.Sprintf("%d * %d", days, length)
	next := to.AddDate(0, 0, 1)
	months := (next.Year()-from.Year())*12 + int(next.Month()-from.Month())
	switch whole := from.Day() == 1 && next.Day() == 1; {
	case unit == "month" && whole && months < 2:
		return nil
	case unit == "month" && whole:
		over = strconv.Itoa(months)
	case unit == "month":
		unit = "30 days"
	case length == 1:
		over = strconv.Itoa(days)
	}
	of := foremost(base)
	if of == "revenue" && t.askedPieces() {
		of = "quantity"
	}
	measure, ok := m.in.Catalogue.Measure(of)
	if !ok || !measure.Adds || measure.Now {
		return nil
	}
	l := languageOf(m.task, m.in)
	q := analysis.Query{Where: base.Where, From: base.From, To: base.To, By: base.By}
	if t.done.Query == nil && !slices.ContainsFunc(base.Where, func(w analysis.Condition) bool {
		return w.Field == "product" && len(w.Values) > 1
	}) {
		q.By = nil
	}
	if daily := dailyOf[of]; unit == "day" && daily != "" {
		q.Measures = []string{daily}
	} else {
		q.Measures = []string{"on_average"}
		q.Define = []analysis.Definition{{Name: "on_average", Formula: of + " / " + over,
			Unit:  analysis.Shown(measure.Unit),
			Title: l.Pick(measure.Title.RU+perTitles[unit].RU, measure.Title.EN+perTitles[unit].EN)}}
	}
	if !query.Possible(m.in.Catalogue, q) {
		return nil
	}
	return changedTo(m.task, l, &q)
}

// askedPieces reports whether the last question with a figure of its own was how many of some goods: "сколько кофе
// продали", then "а чая".
func (t *talk) askedPieces() bool {
	if !ofGoods(t.done) {
		return false
	}
	for _, said := range slices.Backward(t.in.Earlier) {
		if has(said, moneyAsked) {
			return false
		}
		if has(said, howMany) {
			return true
		}
	}
	return false
}

var (
	sells      = words.Set("продаем продаём продается продаётся продаются уходит уходят расходится sell sells")
	moneyAsked = words.Set("выручка выручку выручки оборот прибыль прибыли сумму сумма сумме денег рублей заработали " +
		"наторговали revenue money profit turnover")
	perUnits = map[string]string{"день": "day", "сутки": "day", "day": "day", "daily": "day", "неделю": "week",
		"недели": "week", "week": "week", "weekly": "week", "месяц": "month", "month": "month", "monthly": "month"}
	asksAverage = words.Set("среднем средняя средний сколько much per average a")
	aroundPer   = words.Set("а и это сколько в во за на среднем средняя средний выходит получается выйдет один одну " +
		"продаем продаём продается продаётся продаются уходит уходят расходится их его она он каждый каждую у нас and how much many is that it per a on average each so " +
		"do we sell sells an they it of them what does come out to")
	lengthOf  = map[string]int{"day": 1, "week": 7, "month": 30}
	perTitles = map[string]tool.Text{"day": {RU: " в среднем за день", EN: " a day on average"},
		"week":    {RU: " в среднем за неделю", EN: " a week on average"},
		"30 days": {RU: " в среднем за 30 дней", EN: " per 30 days on average"},
		"month":   {RU: " в среднем за месяц", EN: " a month on average"}}
	dailyOf = map[string]string{"revenue": "revenue_per_day", "quantity": "pace", "profit": "profit_per_day",
		"receipts": "receipts_per_day"}
)
