package analyze

import (
	"context"
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/analyze/measures"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/connector/moysklad/wording"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

// fromCounterparties supplies balances and sales of all time, from the counterparty indicators.
func (c *call) fromCounterparties(_ context.Context, left []analysis.Base) (source, error) {
	bases := among(left, measures.AgentBases)
	return source{bases: bases, read: func(ctx context.Context, _ tool.Period, add func(analysis.Fact)) error {
		hidden := false
		err := account.Each(c.Call, c.Reader.CounterpartyReport(ctx, msapi.CounterpartyQuery{}),
			func(r msapi.CounterpartyReport) {
				hidden = hidden || !r.Balance.Known
				add(c.agentFact(r, bases))
			})
		if hidden {
			c.hide(measures.OwedToUs, measures.OwedByUs)
			c.Missing(account.SectionCRM, "баланс контрагентов не показан", "balances of counterparties are not shown")
		}
		c.NoticePartialView(entityCounterparty, account.SectionCounterparties)
		return err
	}}, nil
}

func (c *call) agentFact(r msapi.CounterpartyReport, bases []analysis.Base) analysis.Fact {
	of := map[analysis.Base]decimal.Maybe{measures.SalesOfAllTimes: r.DemandsCount}
	if r.Balance.Known {
		balance, zero := r.Balance.Major(), decimal.Some(decimal.Zero)
		of[measures.OwedToUs], of[measures.OwedByUs] = zero, zero
		if balance.Sign() > 0 { // they owe us (fact M86)
			of[measures.OwedToUs] = decimal.Some(balance)
		} else {
			of[measures.OwedByUs] = decimal.Some(balance.Neg())
		}
	}
	day := func(m msapi.Moment) decimal.Decimal { return analysis.DayNumber(tool.DayOf(m.In(msapi.Moscow))) }
	if !r.FirstDemand.IsZero() {
		of[measures.FirstSale] = decimal.Some(day(r.FirstDemand))
	}
	if !r.LastDemand.IsZero() {
		of[measures.SinceLastSale] = decimal.Some(analysis.DayNumber(account.Today(c.Env)).Sub(day(r.LastDemand)))
	}
	f := analysis.Fact{Keys: make([]analysis.Key, len(c.fields)), Amounts: c.amounts(bases, of)}
	for i, field := range c.fields {
		if f.Keys[i] = (analysis.Key{ID: string(r.Counterparty.ID)}); field == measures.DimCounterparty {
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
