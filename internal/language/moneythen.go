package language

import (
	"slices"
	"strings"
	"time"

	"github.com/stockhand/stockhand/internal/language/quantity"
	"github.com/stockhand/stockhand/internal/tool"
	"github.com/stockhand/stockhand/internal/words"
)

// moneyThen asks what to show where a task asks how much money there was on a day that has passed, which the
// account does not tell (rule R758): what there is now, or what came and went since.
func (r *reader) moneyThen(out *Reading) {
	flow := out.Skill == Money && out.Arguments.What == "flow" || out.Skill == Analyze && out.Query != nil &&
		!slices.ContainsFunc(out.Query.Measures, func(m string) bool { return !ofMoney[m] })
	if len(r.Periods) > 1 || !flow && !(out.Skill == Money && out.Arguments.What == "balances") && out.Question == nil {
		return
	}
	lay, money := false, false
	for i := range r.named {
		w := r.named[i].Norm
		if flows.has(w) || inGoods.has(w) {
			return
		}
		lay, money = lay || balances.has(w), money || moneyWords.has(w)
	}
	if len(r.Periods) == 1 && r.Periods[0].At > 0 && len(r.named) == r.Periods[0].End &&
		r.named[r.Periods[0].At-1].Norm == "на" {
		lay = true // "сколько денег на счетах на 1 ноября"
	}
	day, ok := r.dayThen()
	if !lay || !money || !ok || !day.Before(r.today) {
		return
	}
	since := Arguments{What: "flow", From: string(tool.DayOf(day)), To: string(tool.DayOf(r.today))}
	out.Question = &Question{Text: r.language.Pick(
		"Сколько денег было на прошлую дату, учёт не хранит: видно только то, что есть сейчас. Что показать?",
		"The account does not tell how much money there was on a past day, only what there is now. "+
			"What shall I show?"),
		Options: []Option{r.option(Money, Arguments{What: "balances"}), r.option(Money, since)}}
	out.Skill, out.Query, out.Arguments = Money, nil, out.Question.Options[0].Arguments
}

// dayThen returns the one day that the task names: "1 ноября", "на конец октября", "на начало месяца".
func (r *reader) dayThen() (day time.Time, ok bool) {
	edge := -1
	for i := range r.named {
		if w := r.named[i].Norm; strings.HasPrefix(w, "начал") || strings.HasPrefix(w, "кон") || w == "start" ||
			w == "end" || w == "beginning" {
			edge = i
		}
	}
	if len(r.Periods) == 0 {
		if edge < 0 || edge+1 >= len(r.named) {
			return day, false
		}
		unit := words.TimeUnitOf(r.named[edge+1].Norm)
		return quantity.Begin(unit, r.today), unit != words.NoTime
	}
	p := r.Periods[0]
	switch {
	case edge >= 0 && strings.HasPrefix(r.named[edge].Norm, "кон") || edge >= 0 && r.named[edge].Norm == "end":
		return p.To, true
	case edge >= 0:
		return p.From, true
	}
	return p.From, p.From.Equal(p.To)
}

// begins is a set of the beginnings of words.
type begins []string

func (b begins) has(w string) bool {
	return slices.ContainsFunc(b, func(begin string) bool { return strings.HasPrefix(w, begin) })
}

var (
	ofMoney    = words.Set("balance money_in money_out net_flow stock_at_start stock_at_end")
	balances   = begins{"остат", "остав", "баланс", "сальдо", "было", "был", "лежал", "имел", "balance", "was", "were"}
	moneyWords = begins{"деньг", "денег", "деньж", "денеж", "счет", "касс", "нал", "money", "cash", "account"}
	inGoods    = begins{"товар", "склад", "запас", "goods", "stock", "warehouse"}
	flows      = begins{"приш", "прих", "ушл", "уход", "расход", "поступ", "движен", "оборот", "потра", "трат",
		"оплат", "плат", "выруч", "продаж", "заработ", "списа", "зачисл", "поток", "came", "went", "spen",
		"receiv", "paid", "flow", "income", "expense"}
)
