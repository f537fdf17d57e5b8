package account

import (
	"context"
	"time"

	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi/meter"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi/survey"
	"github.com/stockhand/stockhand/internal/connector/moysklad/wording"
	"github.com/stockhand/stockhand/internal/tool"
)

// longCall is how long a call may take before its progress says how long it will be (rule R230).
const longCall = time.Minute

// announcer labels a call's progress. As soon as it is known that the limits make the call take long, which the first
// page of a list tells, the label says how long and how many requests.
func (c *Call) announcer(label string) func(meter.Progress) string {
	var planned, stock int // of the label; the meter calls this under its lock
	current := label
	return func(p meter.Progress) string {
		if p.Planned == planned && p.Stock == stock || p.Planned < 100 { // the limits allow more in a minute
			return current
		}
		planned, stock = p.Planned, p.Stock
		if took := msapi.Duration(planned, stock, c.Env.Clock()); took > longCall {
			minutes := int((took + time.Minute/2) / time.Minute)
			current = label + c.Pickf(": около %s, %s", ": about %s, %s", wording.NounMinuteOf.Count(c.Lang, minutes),
				wording.NounRequest.Count(c.Lang, planned))
		}
		return current
	}
}

// Survey notes in a plan what read would read for a period. The plan names what it serves.
func (c *Call) Survey(ctx context.Context, plan *tool.Plan, serves []string, period *tool.Period,
	read func(context.Context) error) error {
	s := &survey.Survey{}
	if err := read(survey.With(ctx, s)); err != nil {
		return err
	}
	for _, r := range s.Readings() {
		reading := tool.Reading{Path: r.Path, Filter: r.Filter, Serves: serves, Period: period, Requests: r.Requests,
			Exact: r.Exact, Heavy: msapi.StockReport(r.Path)}
		if r.Rows >= 0 {
			reading.Rows = &r.Rows
		}
		plan.Readings = append(plan.Readings, reading)
	}
	return nil
}

// FinishPlan adds up a plan.
func (c *Call) FinishPlan(plan *tool.Plan) *tool.Plan {
	stock := 0
	plan.Exact, plan.Asked = true, c.meter.Requests()
	for _, r := range plan.Readings {
		plan.Requests += r.Requests
		plan.Exact = plan.Exact && r.Exact
		if r.Heavy {
			stock += r.Requests
		}
	}
	plan.Seconds = int((msapi.Duration(plan.Requests, stock, c.Env.Clock()) + time.Second - 1) / time.Second)
	return plan
}

// ExpectGoods notes in a survey that the goods of its rows will be described. Which ones is not known yet: at most
// three for each row, and at most the whole catalogue.
func (c *Call) ExpectGoods(ctx context.Context, s *survey.Survey) error {
	if kept := c.expectKept(ctx); kept > 0 {
		s.Add(survey.Reading{Path: "entity/assortment", Rows: kept, Requests: 1})
		return nil
	}
	aside := &survey.Survey{}
	whole := msapi.AssortmentQuery{Archived: msapi.ArchivedAlso}
	if err := Each(c, c.Reader.Assortment(survey.With(ctx, aside), whole),
		func(msapi.AssortmentItem) {}); err != nil {
		return err
	}
	for _, r := range aside.Readings() {
		goods := min(3*s.Rows(), r.Rows)
		r.Rows, r.Exact = goods, false
		r.Requests = min(r.Requests, Pages(goods, IDsPerRequest)) + 1 // and the products of variants
		if goods > 0 {
			s.Add(r)
		}
	}
	return nil
}

// expectKept returns the number of kept goods that will be compared with the account.
func (c *Call) expectKept(ctx context.Context) int {
	if c.FullCards || !c.wholeGoods() {
		return 0
	}
	return c.facts.HasGoods(ctx)
}
