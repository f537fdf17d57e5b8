package moysklad

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/stockhand/stockhand/internal/connector/moysklad/remap"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

type trendInput struct {
	From     tool.Day `json:"from,omitempty" jsonschema:"first day; default: 30 days up to and including the last"`
	To       tool.Day `json:"to,omitempty" jsonschema:"last day, included; default: today"`
	Interval interval `json:"interval,omitempty"`
	storesArg
	Compare bool `json:"compare,omitempty" jsonschema:"compare with the period of the same length before"`
}

func (a *account) salesTrendTool() tool.Tool {
	return reading(a, "moysklad_sales_trend",
		tool.Text{RU: "Динамика продаж", EN: "Sales trend"},
		tool.Text{
			RU: "Продажи по дням, месяцам или часам: число и сумма отгрузок и розничных продаж, можно в сравнении с предыдущим периодом.",
			EN: "Sales by day, month or hour: number and sum of shipments and retail sales, compared with the period before if wanted.",
		}, (*call).salesTrend)
}

// bucket is one interval of a series.
type bucket struct {
	at         time.Time
	count, sum decimal.Decimal
}

// buckets lays a series on the calendar of its period, so that an interval that the report left out is there with
// nothing sold, and two periods can be compared interval by interval.
func buckets(p tool.Period, step interval, points []remap.SeriesPoint, now time.Time) []bucket {
	var list []bucket
	end := last(p.To)
	if step == "hour" && now.Before(end) { // hours that have not come are nothing to show
		end = now
	}
	for at := first(p.From); !at.After(end); {
		list = append(list, bucket{at: at})
		switch step {
		case "hour":
			at = at.Add(time.Hour)
		case "month":
			at = time.Date(at.Year(), at.Month()+1, 1, 0, 0, 0, 0, tool.Moscow)
		default:
			at = at.AddDate(0, 0, 1)
		}
	}
	for _, point := range points {
		for i := len(list) - 1; i >= 0; i-- {
			if !list[i].at.After(point.At.Time) || i == 0 {
				list[i].count, list[i].sum = list[i].count.Add(point.Quantity.Decimal), list[i].sum.Add(point.Sum.Major())
				break
			}
		}
	}
	return list
}

func (c *call) salesTrend(ctx context.Context, in trendInput) error {
	period, err := c.period(in.From, in.To)
	if err != nil {
		return err
	}
	s, err := c.narrow(ctx, in.Stores, goodsArgs{})
	if err != nil {
		return err
	}
	step := cmp.Or(in.Interval, "day")
	query := func(p tool.Period) remap.SeriesQuery {
		return remap.SeriesQuery{Period: moscow(p), Interval: remap.Interval(step), Stores: s.storeIDs()}
	}
	var currency string
	var now, then []remap.SeriesPoint
	work, inner := errgroup.WithContext(ctx)
	work.Go(func() (err error) { currency, _, err = c.accountCurrency(inner); return })
	work.Go(func() (err error) { now, err = c.reader.SalesSeries(inner, query(period)); return })
	if in.Compare {
		work.Go(func() (err error) { then, err = c.reader.SalesSeries(inner, query(before(period))); return })
	}
	if err := work.Wait(); err != nil {
		return c.refuse(err, sectionDashboard)
	}
	list := buckets(period, step, now, c.env.Clock())
	c.trendResult(list, buckets(before(period), step, then, c.env.Clock()), period, step, currency, in.Compare, s)
	return nil
}

func (c *call) trendResult(list, earlier []bucket, period tool.Period, step interval, currency string, compare bool, s scope) {
	fields := []field{dateField(step), {"sales_count", tool.UnitCount, "Продаж", "Sales"}, {"sum", tool.UnitMoney, "Сумма продаж", "Sum of sales"}}
	if compare {
		fields = append(fields, field{"previous_date", fields[0].unit, "Раньше", "Before"}, field{"previous_sum", tool.UnitMoney, "Сумма раньше", "Sum before"},
			field{"change_percent", tool.UnitPercent, "Изменение", "Change"})
	}
	c.columns(nil, fields...)
	value := func(at time.Time) tool.Value { return dateValue(remap.Moment{Time: at}, step) }
	var count, sum, sumBefore decimal.Decimal
	best := bucket{}
	for i, b := range list {
		count, sum = count.Add(b.count), sum.Add(b.sum)
		if i == 0 || best.sum.Less(b.sum) {
			best = b
		}
		row := tool.Row{value(b.at), tool.Number(b.count), tool.Money(b.sum, currency)}
		if compare {
			if i < len(earlier) {
				row = append(row, value(earlier[i].at), tool.Money(earlier[i].sum, currency), rounded(change(b.sum, earlier[i].sum), 1))
			} else {
				row = append(row, tool.Empty, tool.Empty, tool.Empty)
			}
		}
		c.result.Rows = append(c.result.Rows, row)
	}
	for _, b := range earlier {
		sumBefore = sumBefore.Add(b.sum)
	}
	cells := map[string]tool.Value{"sales_count": tool.Number(count), "sum": tool.Money(sum, currency)}
	if compare {
		cells["previous_sum"], cells["change_percent"] = tool.Money(sumBefore, currency), rounded(change(sum, sumBefore), 1)
	}
	c.totals(cells)
	c.method("Отчёт о продажах (отгрузки, розничные продажи, полученные отчёты комиссионера) "+span(period, "ru")+" по Москве. Возвраты из продаж не вычтены.",
		"The sales report (shipments, retail sales, commission reports) "+span(period, "en")+", Moscow time. Returns are not taken off.")
	c.notice(tool.NoticeAssumption, "Возвраты из этих продаж не вычтены; продажи за вычетом возвратов показывает прибыльность.",
		"Returns are not taken off these sales; profitability shows sales net of returns.")
	where := ""
	if len(s.stores) > 0 {
		where = " " + c.place(s)
	}
	money := func(d decimal.Decimal) string { return tool.FormatMoney(d, currency, c.l) }
	answer := c.pick(
		fmt.Sprintf("Продажи %s%s: %s на %s.", span(period, c.l), where, nounSale.count(c.l, int(count.Float64())), money(sum)),
		fmt.Sprintf("Sales %s%s: %s, %s.", span(period, c.l), where, nounSale.count(c.l, int(count.Float64())), money(sum)))
	trend := ""
	if compare {
		p := before(period)
		if d := change(sum, sumBefore); d.Known {
			more := c.pick("больше", "more")
			if d.Sign() < 0 {
				more = c.pick("меньше", "less")
			}
			trend = c.pick(
				fmt.Sprintf("Это на %s %s, чем %s (%s).", percent(d.Abs(), c.l), more, span(p, c.l), money(sumBefore)),
				fmt.Sprintf("That is %s %s than %s (%s).", percent(d.Abs(), c.l), more, span(p, c.l), money(sumBefore)))
		} else {
			trend = c.pick(fmt.Sprintf("За предыдущий период, %s, продаж не было.", span(p, c.l)), fmt.Sprintf("There were no sales in the period before, %s.", span(p, c.l)))
		}
	}
	top := ""
	if best.sum.Sign() > 0 && len(list) > 1 {
		top = c.pick("Больше всего — ", "The most was ") + value(best.at).Format(fields[0].unit, c.l) + ": " + money(best.sum) + "."
	}
	c.result.Answer = sentences(answer, trend, top)
}

// change is by how many percent a number grew; unknown from nothing.
func change(now, then decimal.Decimal) decimal.Maybe {
	return share(now.Sub(then), then)
}
