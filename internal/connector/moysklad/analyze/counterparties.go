package analyze

import (
	"context"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

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
		queries := c.agentQueries()
		rows := make([][]msapi.CounterpartyReport, len(queries))
		var ages map[analysis.Base]oldest
		work, inner := errgroup.WithContext(ctx)
		work.Go(func() (err error) { ages, err = c.unpaid(inner, bases); return })
		for i, q := range queries {
			work.Go(func() error {
				return account.Each(c.Call, c.Reader.CounterpartyReport(inner, q),
					func(r msapi.CounterpartyReport) { rows[i] = append(rows[i], r) })
			})
		}
		if err := work.Wait(); err != nil {
			return err
		}
		classes := c.classesRFM(slices.Concat(rows...))
		hidden := false
		seen := map[msapi.ID]bool{} // a balance may change sides between two readings
		for _, r := range slices.Concat(rows...) {
			if !seen[r.Counterparty.ID] {
				seen[r.Counterparty.ID], hidden = true, hidden || !r.Balance.Known
				add(c.agentFact(r, ages, bases, classes))
			}
		}
		if hidden {
			c.hide(account.SectionCRM, measures.OwedToUs, measures.OwedByUs, measures.DebtAge, measures.OurDebtAge)
			c.Missing(account.SectionCRM, "баланс контрагентов не показан", "balances of counterparties are not shown")
		}
		c.NoticePartialView(entityCounterparty, account.SectionCounterparties)
		return nil
	}}, nil
}

// fewReports is how many counterparties are read one by one, before a list of unknown length is read.
const fewReports = 20

// agentQueries returns how the counterparties are read: those that conditions name one by one, else only those with a
// debt if every row must have one, else all.
func (c *call) agentQueries() []msapi.CounterpartyQuery {
	if c.plan.Uses(measures.DimRFM) { // a class is relative to all others
		return []msapi.CounterpartyQuery{{}}
	}
	if ids := c.idsOf(measures.DimCounterparty); ids != nil {
		known, cached := c.KnownCounterparties()
		if len(ids) <= fewReports || cached && len(ids) <= account.Pages(len(known), 1000) {
			return []msapi.CounterpartyQuery{{Counterparties: ids}}
		}
	}
	if slices.Contains(c.plan.By, measures.DimCounterparty) {
		for _, w := range c.plan.Rows {
			if sides := c.owing(w); sides != nil {
				return sides
			}
		}
	}
	return []msapi.CounterpartyQuery{{}}
}

// owing returns the readings that have all counterparties which can meet a condition; nil if those without a debt can.
func (c *call) owing(w analysis.Condition) (sides []msapi.CounterpartyQuery) {
	if w.Op != analysis.Greater && w.Op != analysis.GreaterEqual {
		return nil
	}
	least, err := decimal.Parse(string(w.Values[0]))
	if err != nil || least.Sign() < 0 || least.Sign() == 0 && w.Op == analysis.GreaterEqual {
		return nil
	}
	m, _ := c.catalogue.Measure(w.Field)
	if m.Defined() { // a formula of debts may be met without one
		return nil
	}
	for _, b := range m.Bases {
		switch b {
		case measures.OwedToUs, measures.DebtAge:
			sides = append(sides, msapi.CounterpartyQuery{Balances: msapi.OwedToUs})
		case measures.OwedByUs, measures.OurDebtAge:
			sides = append(sides, msapi.CounterpartyQuery{Balances: msapi.OwedByUs})
		default:
			return nil
		}
	}
	return sides
}

func (c *call) agentFact(r msapi.CounterpartyReport, ages map[analysis.Base]oldest, bases []analysis.Base,
	classes map[msapi.ID]string) analysis.Fact {
	of := map[analysis.Base]decimal.Maybe{measures.SalesOfAllTimes: r.DemandsCount,
		measures.SoldOfAllTimes: account.Major(r.DemandsSum)}
	if r.Balance.Known {
		balance, zero := r.Balance.Major(), decimal.Some(decimal.Zero)
		of[measures.OwedToUs], of[measures.OwedByUs] = zero, zero
		if balance.Sign() > 0 { // they owe us (fact M86)
			of[measures.OwedToUs] = decimal.Some(balance)
		} else {
			of[measures.OwedByUs] = decimal.Some(balance.Neg())
		}
		of[measures.DebtAge] = c.age(ages[measures.DebtAge], r.Counterparty.ID, of[measures.OwedToUs])
		of[measures.OurDebtAge] = c.age(ages[measures.OurDebtAge], r.Counterparty.ID, of[measures.OwedByUs])
	}
	day := func(m msapi.Moment) decimal.Decimal { return analysis.DayNumber(tool.DayOf(m.In(msapi.Moscow))) }
	if !r.FirstDemand.IsZero() {
		of[measures.FirstSale] = decimal.Some(day(r.FirstDemand))
	}
	if !r.LastDemand.IsZero() {
		of[measures.LatestSale] = decimal.Some(day(r.LastDemand))
		of[measures.SinceLastSale] = decimal.Some(analysis.DayNumber(account.Today(c.Env)).Sub(day(r.LastDemand)))
	}
	f := analysis.Fact{Keys: make([]analysis.Key, len(c.fields)), Amounts: c.amounts(bases, of)}
	for i, field := range c.fields {
		switch f.Keys[i] = (analysis.Key{ID: string(r.Counterparty.ID)}); field {
		case measures.DimCounterparty:
			f.Keys[i].Name = r.Counterparty.Name
		case measures.DimRFM:
			f.Keys[i] = plainKey(classes[r.Counterparty.ID])
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
