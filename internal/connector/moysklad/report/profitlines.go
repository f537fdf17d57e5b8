package report

import (
	"context"
	"fmt"
	"slices"

	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/connector/moysklad/wording"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
	"golang.org/x/sync/errgroup"
)

// profitLine is a row of a profitability report. Amounts are in main units. Revenue is net of returns, unlike the
// report's sum of sales (fact M81).
type profitLine struct {
	subject        msapi.Ref
	unit           string
	sold, returned decimal.Maybe // units, in the reports by product and by variant
	deals          decimal.Maybe // sales, in the reports by employee, counterparty and channel
	sales, returns decimal.Decimal
	revenue        decimal.Decimal
	cost           decimal.Maybe   // unknown if no part of it is known
	covered        decimal.Decimal // the part of the revenue whose cost is known
	coveredKnown   bool            // that part is known
	reported       decimal.Decimal // the profit in MoySklad's report, for which an unknown cost is zero
}

// net returns the quantity sold minus returns.
func (e *profitLine) net() decimal.Maybe {
	if !e.sold.Known {
		return decimal.Maybe{}
	}
	return decimal.Some(e.sold.Sub(e.returned.Decimal))
}

// profit returns the covered revenue minus its cost. Revenue of unknown cost is not profit.
func (e *profitLine) profit() decimal.Maybe {
	if !e.cost.Known || !e.coveredKnown {
		return decimal.Maybe{}
	}
	return decimal.Some(e.covered.Sub(e.cost.Decimal))
}

// margin returns the profit as a percentage of the covered revenue.
func (e *profitLine) margin() decimal.Maybe {
	profit := e.profit()
	if !profit.Known || e.covered.Sign() <= 0 {
		return decimal.Maybe{}
	}
	return account.Share(profit.Decimal, e.covered)
}

// known returns the share of the revenue whose cost is known, in percent. It is shown with every margin (rule R18).
func (e *profitLine) known() decimal.Maybe {
	if !e.coveredKnown || e.revenue.Sign() == 0 {
		return decimal.Maybe{}
	}
	s := account.Share(e.covered, e.revenue)
	s.Decimal = s.Max(decimal.Zero).Min(decimal.Hundred)
	if nearly := decimal.MustParse("99.9"); s.Cmp(decimal.Hundred) < 0 && s.Cmp(nearly) > 0 {
		s.Decimal = nearly // rounding must not turn a share into 100 percent
	}
	return s
}

// add adds x to the line, for totals.
func (e *profitLine) add(x *profitLine) {
	e.sales, e.returns, e.revenue = e.sales.Add(x.sales), e.returns.Add(x.returns), e.revenue.Add(x.revenue)
	e.reported = e.reported.Add(x.reported)
	if x.net().Known {
		e.sold, e.returned = decimal.Some(e.sold.Add(x.sold.Decimal)), decimal.Some(e.returned.Add(x.returned.Decimal))
	}
	if x.deals.Known {
		e.deals = decimal.Some(e.deals.Add(x.deals.Decimal))
	}
	if x.cost.Known && x.coveredKnown {
		e.cost, e.covered = decimal.Some(e.cost.Add(x.cost.Decimal)), e.covered.Add(x.covered)
	}
}

// uncovered returns the revenue without a known cost, which is in neither cost nor profit.
func (e *profitLine) uncovered() decimal.Maybe {
	return decimal.Maybe{Decimal: e.revenue.Sub(e.covered), Known: e.coveredKnown}
}

// newProfitLine converts a row. A cost of zero with revenue is an unknown cost, not a free good, so such revenue is
// excluded from the margin (fact M82). For a single good, either all or none of the cost is known. A service costs
// nothing by nature, so its revenue is its profit.
func newProfitLine(r msapi.ProfitRow, costHidden bool) *profitLine {
	e := &profitLine{
		subject: r.Subject, unit: r.Unit, sold: r.SellQuantity, returned: r.ReturnQuantity, deals: r.SalesCount,
		sales: r.SellSum.Major(), returns: r.ReturnSum.Major(),
	}
	e.revenue = e.sales.Sub(e.returns)
	if costHidden {
		return e
	}
	cost := r.SellCostSum.Sub(r.ReturnCostSum.Decimal).Major()
	e.coveredKnown, e.reported = true, e.revenue.Sub(cost)
	if costKnown(r) {
		e.cost, e.covered = decimal.Some(cost), e.revenue
	}
	return e
}

func costKnown(r msapi.ProfitRow) bool {
	if costless(r.Subject) {
		return true
	}
	if r.SellSum.Sign() != 0 {
		return r.SellCostSum.Sign() != 0
	}
	return r.SellCostSum.Sign() != 0 || r.ReturnCostSum.Sign() != 0
}

// costless reports whether something has no cost by nature: services have no stock to cost anything.
func costless(good msapi.Ref) bool { return good.Type == "service" }

// profitRows reads a report, one row per subject.
func (c *call) profitRows(ctx context.Context, by msapi.ProfitBy, q msapi.ProfitQuery) ([]msapi.ProfitRow, error) {
	var rows []msapi.ProfitRow
	at := map[msapi.Key]bool{}
	err := account.Each(c.Call, c.Reader.Profit(ctx, by, q), func(r msapi.ProfitRow) {
		if k := r.Subject.ID.Key(); k == (msapi.Key{}) || !at[k] {
			at[k] = true
			rows = append(rows, r)
		}
	})
	return rows, err
}

// profitLines reads a report by goods.
func (c *call) profitLines(ctx context.Context, by msapi.ProfitBy, q msapi.ProfitQuery) (list []*profitLine,
	costHidden bool,
	err error) {
	rows, err := c.profitRows(ctx, by, q)
	if err != nil {
		return nil, false, err
	}
	costHidden = c.profitHidden(rows)
	for _, r := range rows {
		list = append(list, newProfitLine(r, costHidden))
	}
	return list, costHidden, nil
}

func (c *call) profitHidden(rows []msapi.ProfitRow) bool {
	sight := costVisibility{rights: c.Rights}
	for _, r := range rows {
		sight.observe(r.SellCostSum)
	}
	return sight.hidden()
}

// uncoveredAtOnce is how many goods of unknown cost are sent in one request, to keep the URL short.
const uncoveredAtOnce = 50

// mostUncovered is the maximum number of goods of unknown cost for which the known share is computed per employee,
// counterparty or channel; beyond it, only for the total.
const mostUncovered = 500

// profitLinesBySubject reads a report by employee, counterparty or channel. Such rows mix goods of known and unknown
// cost without saying how much of each. So the goods of unknown cost are taken from the report by product, and the same
// report restricted to them gives the revenue to exclude from each row's margin.
func (c *call) profitLinesBySubject(ctx context.Context, by msapi.ProfitBy, q msapi.ProfitQuery) (list []*profitLine,
	total *profitLine, costHidden bool, err error) {
	var rows, goods []msapi.ProfitRow
	work, inner := errgroup.WithContext(ctx)
	work.Go(func() (err error) { rows, err = c.profitRows(inner, by, q); return })
	work.Go(func() (err error) { goods, err = c.profitRows(inner, msapi.ProfitByProduct, q); return })
	if err = work.Wait(); err != nil {
		return nil, nil, false, err
	}
	costHidden = c.profitHidden(goods) && c.profitHidden(rows)
	total = &profitLine{coveredKnown: !costHidden}
	var uncovered []msapi.Ref
	for _, g := range goods {
		total.add(newProfitLine(g, costHidden))
		if !costHidden && !costKnown(g) && (g.SellSum.Sign() != 0 || g.ReturnSum.Sign() != 0) {
			uncovered = append(uncovered, g.Subject)
		}
	}
	for _, r := range rows {
		e := newProfitLine(r, costHidden)
		if !costHidden {
			e.cost, e.covered = decimal.Some(r.SellCostSum.Sub(r.ReturnCostSum.Decimal).Major()), e.revenue
		}
		list = append(list, e)
	}
	if len(uncovered) > mostUncovered {
		for _, e := range list {
			e.coveredKnown = false
		}
		return list, total, costHidden, nil
	}
	if !costHidden && len(uncovered) > 0 {
		if err = c.uncover(ctx, by, q, list, uncovered); err != nil {
			return nil, nil, false, err
		}
	}
	return list, c.ofRows(by, list, total, costHidden), costHidden, nil
}

// ofRows returns the total of the rows. The report by channel omits sales without a channel; a notice says so.
func (c *call) ofRows(by msapi.ProfitBy, list []*profitLine, all *profitLine, costHidden bool) *profitLine {
	total := &profitLine{coveredKnown: !costHidden}
	for _, e := range list {
		total.add(e)
	}
	words := map[msapi.ProfitBy]tool.Text{
		msapi.ProfitByEmployee:     {RU: "сотрудник", EN: "employee"},
		msapi.ProfitByCounterparty: {RU: "покупатель", EN: "customer"},
		msapi.ProfitBySalesChannel: {RU: "канал продаж", EN: "sales channel"},
	}[by]
	if gap := all.revenue.Sub(total.revenue); gap.Abs().Cmp(decimal.One) >= 0 {
		c.Notice(tool.NoticePartial,
			fmt.Sprintf("В таблицу не вошли продажи, где не указан %s: это %s выручки за период.", words.RU,
				wording.Percent(gap.Mul(decimal.Hundred).Div(all.revenue), "ru")),
			fmt.Sprintf("Sales that name no %s are in no row: that is %s of the revenue of the period.", words.EN,
				wording.Percent(gap.Mul(decimal.Hundred).Div(all.revenue), "en")))
	}
	return total
}

// uncover finds how much of each row's revenue has no known cost.
func (c *call) uncover(ctx context.Context, by msapi.ProfitBy, q msapi.ProfitQuery, list []*profitLine,
	uncovered []msapi.Ref) error {
	parts := make([][]msapi.ProfitRow, 0)
	for range slices.Chunk(uncovered, uncoveredAtOnce) {
		parts = append(parts, nil)
	}
	work, inner := errgroup.WithContext(ctx)
	i := 0
	for chunk := range slices.Chunk(uncovered, uncoveredAtOnce) {
		part := &parts[i]
		i++
		narrowed := q
		narrowed.Goods, narrowed.Folders = chunk, nil
		work.Go(func() (err error) { *part, err = c.profitRows(inner, by, narrowed); return })
	}
	if err := work.Wait(); err != nil {
		return err
	}
	without := map[msapi.Key]decimal.Decimal{}
	for _, part := range parts {
		for _, r := range part {
			k := r.Subject.ID.Key()
			without[k] = without[k].Add(r.SellSum.Sub(r.ReturnSum.Decimal).Major())
		}
	}
	for _, e := range list {
		if e.covered = e.revenue.Sub(without[e.subject.ID.Key()]); e.covered.Sign() == 0 && e.cost.Sign() == 0 {
			e.cost = decimal.Maybe{} // no part of it is known
		}
	}
	return nil
}
