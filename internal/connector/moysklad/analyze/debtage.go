package analyze

import (
	"context"

	"golang.org/x/sync/errgroup"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/analyze/doctype"
	"github.com/stockhand/stockhand/internal/connector/moysklad/analyze/measures"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

// billed are the documents whose payment settles a debt, by the age that they tell.
var billed = map[analysis.Base]doctype.Type{
	measures.DebtAge: doctype.Sales[0], measures.OurDebtAge: doctype.Receipts[0],
}

// oldest is the day of each counterparty's oldest document that is not fully paid, by [analysis.DayNumber].
type oldest map[msapi.Key]decimal.Decimal

// unpaid reads the oldest unpaid documents for those ages that the query needs. An age whose documents the employee may
// not see is hidden.
func (c *call) unpaid(ctx context.Context, bases []analysis.Base) (map[analysis.Base]oldest, error) {
	found := map[analysis.Base]oldest{}
	work, inner := errgroup.WithContext(ctx)
	for _, age := range among(bases, []analysis.Base{measures.DebtAge, measures.OurDebtAge}) {
		t, days := billed[age], oldest{}
		found[age] = days
		work.Go(func() error {
			hidden := false
			posted := true
			query := msapi.OrderQuery{Posted: &posted, Agents: c.idsOf(measures.DimCounterparty)}
			err := account.Each(c.Call, t.List(c.Reader, c.bounded(inner, t), query), func(d msapi.Order) {
				hidden = hidden || !d.Sum.Known || !d.Paid.Known
				if !d.Applicable || d.Sum.Sign() <= 0 || d.Paid.Cmp(d.Sum.Decimal) >= 0 {
					return
				}
				day, agent := dayOf(&d).Decimal, d.Agent.ID.Key()
				if since, known := days[agent]; !known || day.Less(since) {
					days[agent] = day
				}
			})
			switch {
			case msapi.IsForbidden(err):
				c.Missing(t.Section, "возраст долга неизвестен", "the age of debts is unknown")
				c.hide(t.Section, age)
				return nil
			case hidden:
				c.Missing(account.SectionCost, "суммы этих документов скрыты, возраст долга неизвестен",
					"the sums of these documents are hidden, so the age of debts is unknown")
				c.hide(account.SectionCost, age)
			}
			c.NoticePartialView(t.Name, t.Section)
			return err
		})
	}
	return found, work.Wait()
}

// age returns the days since a counterparty's oldest unpaid document, if its balance says that there is a debt.
func (c *call) age(days oldest, agent msapi.ID, owed decimal.Maybe) decimal.Maybe {
	since, ok := days[agent.Key()]
	if !ok || !owed.Known || owed.Sign() <= 0 {
		return decimal.Maybe{}
	}
	return decimal.Some(analysis.DayNumber(account.Today(c.Env)).Sub(since))
}

// bounded returns a context in which reading more documents of a type than the query's bounds allow fails at the first
// page (rule R202).
func (c *call) bounded(ctx context.Context, t doctype.Type) context.Context {
	return msapi.WithSizes(ctx, func(path string, n int) error {
		if path != "entity/"+t.Name || n <= c.most.lines {
			return nil
		}
		return account.Invalid("measures", c.Pickf(
			"%s: за всё время их слишком много: %s, а читается не больше %s; добавьте условие на counterparty",
			"%s: there are too many of all time: %s, and at most %s are read; add a condition on counterparty",
			t.Title.In(c.Lang), tool.FormatQuantity(decimal.FromInt(int64(n)), c.Lang),
			tool.FormatQuantity(decimal.FromInt(int64(c.most.lines)), c.Lang)))
	})
}
