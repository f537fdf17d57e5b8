package analyze

import (
	"context"
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/connector/moysklad/wording"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

// The bases of counterparties, of all time up to now. Days are numbers by [analysis.DayNumber].
const (
	owedToUs        analysis.Base = "owed_to_us"
	owedByUs        analysis.Base = "owed_by_us"
	firstSale       analysis.Base = "first_sale_day"
	sinceLastSale   analysis.Base = "since_last_sale"
	salesOfAllTimes analysis.Base = "sales_of_all_times"
)

var (
	agentBases = []analysis.Base{owedToUs, owedByUs, firstSale, sinceLastSale, salesOfAllTimes}
	overAgents = []string{dimCounterparty, dimTag}
)

func counterpartyMeasures() []analysis.Measure {
	now := words("сейчас, а не за период; у контрагента, который и покупает, и поставляет, — одно сальдо",
		"now, not over the period; a counterparty that both buys and supplies has one balance")
	ever := words("за всё время, а не за период", "of all time, not of the period")
	return []analysis.Measure{
		{Name: "owed_to_us", Title: words("Нам должны", "Owed to us"), Unit: tool.UnitMoney, Adds: true, Caution: now,
			Formula: words("баланс контрагентов, которые должны нам, по показателям контрагентов",
				"balance of the counterparties that owe us, by the counterparty indicators"),
			Words: called([]string{"нам должны", "дебиторка", "долг покупателей"}, "owed to us", "receivables"),
			Bases: []analysis.Base{owedToUs}, Over: overAgents},
		{Name: "owed_by_us", Title: words("Мы должны", "Owed by us"), Unit: tool.UnitMoney, Adds: true, Caution: now,
			Formula: words("баланс контрагентов, которым должны мы, по показателям контрагентов",
				"balance of the counterparties that we owe, by the counterparty indicators"),
			Words: called([]string{"мы должны", "кредиторка", "долг поставщикам"}, "owed by us", "payables"),
			Bases: []analysis.Base{owedByUs}, Over: overAgents},
		{Name: "first_sale", Title: words("Первая покупка", "First sale"), Unit: tool.UnitDate, Caution: ever,
			Formula: words("день первой продажи контрагенту", "day of the first sale to the counterparty"),
			Words:   called([]string{"первая покупка", "первая продажа"}, "first sale", "first purchase"),
			Bases:   []analysis.Base{firstSale}, Over: overAgents},
		{Name: "days_since", Title: words("Дней с последней покупки", "Days since the last purchase"),
			Unit: tool.UnitDays, Caution: ever,
			Formula: words("дней от последней продажи контрагенту до сегодня; у строки из нескольких — меньшее",
				"days from the last sale to the counterparty to today; of several counterparties, the least"),
			Words: called([]string{"дней с последней покупки", "давно не покупал"}, "days since the last purchase"),
			Bases: []analysis.Base{sinceLastSale}, Over: overAgents},
		{Name: "purchases_count", Title: words("Покупок за всё время", "Purchases of all time"), Unit: tool.UnitCount,
			Adds: true, Caution: ever,
			Formula: words("число продаж контрагенту", "number of sales to the counterparty"),
			Words:   called([]string{"сколько раз покупал", "число покупок"}, "number of purchases"),
			Bases:   []analysis.Base{salesOfAllTimes}, Over: overAgents},
	}
}

// fromCounterparties supplies balances and sales of all time, from the counterparty indicators.
func (c *call) fromCounterparties(_ context.Context, left []analysis.Base) (source, error) {
	bases := among(left, agentBases)
	return source{bases: bases, read: func(ctx context.Context, _ tool.Period, add func(analysis.Fact)) error {
		hidden := false
		err := account.Each(c.Call, c.Reader.CounterpartyReport(ctx, msapi.CounterpartyQuery{}),
			func(r msapi.CounterpartyReport) {
				hidden = hidden || !r.Balance.Known
				add(c.agentFact(r, bases))
			})
		if hidden {
			c.hide(owedToUs, owedByUs)
			c.Missing(account.SectionCRM, "баланс контрагентов не показан", "balances of counterparties are not shown")
		}
		c.NoticePartialView(entityCounterparty, account.SectionCounterparties)
		return err
	}}, nil
}

func (c *call) agentFact(r msapi.CounterpartyReport, bases []analysis.Base) analysis.Fact {
	of := map[analysis.Base]decimal.Maybe{salesOfAllTimes: r.DemandsCount}
	if r.Balance.Known {
		balance, zero := r.Balance.Major(), decimal.Some(decimal.Zero)
		of[owedToUs], of[owedByUs] = zero, zero
		if balance.Sign() > 0 { // they owe us (fact M86)
			of[owedToUs] = decimal.Some(balance)
		} else {
			of[owedByUs] = decimal.Some(balance.Neg())
		}
	}
	day := func(m msapi.Moment) decimal.Decimal { return analysis.DayNumber(tool.DayOf(m.In(msapi.Moscow))) }
	if !r.FirstDemand.IsZero() {
		of[firstSale] = decimal.Some(day(r.FirstDemand))
	}
	if !r.LastDemand.IsZero() {
		of[sinceLastSale] = decimal.Some(analysis.DayNumber(account.Today(c.Env)).Sub(day(r.LastDemand)))
	}
	f := analysis.Fact{Keys: make([]analysis.Key, len(c.fields)), Amounts: c.amounts(bases, of)}
	for i, field := range c.fields {
		if f.Keys[i] = (analysis.Key{ID: string(r.Counterparty.ID)}); field == dimCounterparty {
			f.Keys[i].Name = r.Counterparty.Name
		}
	}
	return f
}

// tagKey is the key of a counterparty's tags: a set of them, so that each counterparty is in one row and sums add up. A
// condition names one of the set.
func tagKey(tags []string) analysis.Key {
	sorted := slices.Sorted(slices.Values(tags))
	k := plainKey(strings.Join(sorted, ", "))
	for _, t := range sorted {
		k.Parents = append(k.Parents, wording.Fold(t))
	}
	return k
}
