package report

import (
	"cmp"
	"context"
	"strings"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/connector/moysklad/wording"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
	"golang.org/x/sync/errgroup"
)

type trendInput struct {
	From     tool.Day  `json:"from,omitempty" jsonschema:"first day; default: 30 days up to and including the last"`
	To       tool.Day  `json:"to,omitempty" jsonschema:"last day, included; default: today"`
	Interval trendStep `json:"interval,omitempty"`
	account.StoresArg
	Compare     bool     `json:"compare,omitempty" jsonschema:"with the month, or as many days, before"`
	CompareFrom tool.Day `json:"compare_from,omitempty" jsonschema:"another period"`
	CompareTo   tool.Day `json:"compare_to,omitempty" jsonschema:"its last day"`
}

type trendStep string

const (
	stepHour  trendStep = "hour"
	stepDay   trendStep = "day"
	stepWeek  trendStep = "week"
	stepMonth trendStep = "month"
)

func (trendStep) Schema() *jsonschema.Schema {
	return tool.DescribedEnum("default: day; weeks begin on Monday", stepDay, stepWeek,
		stepMonth, stepHour)
}

func salesTrendTool(a *account.Account) tool.Tool {
	return reading(a, "moysklad_sales_trend",
		tool.Text{RU: "Динамика продаж", EN: "Sales trend"},
		tool.Text{
			RU: "Продажи по дням, неделям, месяцам или часам: число и сумма отгрузок и розничных продаж, можно в " +
				"сравнении с предыдущим периодом.",
			EN: "Number and sum of shipments and retail sales in steps of time. First and last step may be " +
				"incomplete.",
		}, (*call).salesTrend).Requires(account.Vital(account.SectionDashboard))
}

// trend is everything read for the tool.
type trend struct {
	step           trendStep
	period         tool.Period
	currency       string
	scope          account.Filter
	compare        bool
	other          tool.Period // the period to compare with
	list, previous []bucket    // previous is empty unless compared
}

// bucket is one interval of a time series.
type bucket struct {
	at         time.Time
	count, sum decimal.Decimal
}

// starts returns the starts of the intervals of a period. The first interval starts with the period and the last one
// ends with it, even within a week or month; hours in the future are omitted.
func starts(p tool.Period, step trendStep, now time.Time) []time.Time {
	end := account.DayEnd(p.To)
	if step == stepHour && now.Before(end) {
		end = now
	}
	var list []time.Time
	for at := account.DayStart(p.From); !at.After(end); {
		list = append(list, at)
		switch step {
		case stepHour:
			at = at.Add(time.Hour)
		case stepWeek:
			at = at.AddDate(0, 0, 7-(int(at.Weekday())+6)%7) // the next Monday
		case stepMonth:
			at = time.Date(at.Year(), at.Month()+1, 1, 0, 0, 0, 0, msapi.Moscow)
		case stepDay:
			at = at.AddDate(0, 0, 1)
		}
	}
	return list
}

// buckets maps a time series to the intervals of its period. Intervals that the report omits are present with zero
// sales, so that two periods can be compared interval by interval.
func buckets(starts []time.Time, points []msapi.SeriesPoint) []bucket {
	list := make([]bucket, len(starts))
	for i, at := range starts {
		list[i].at = at
	}
	for _, point := range points {
		for i := len(list) - 1; i >= 0; i-- {
			if !list[i].at.After(point.At.Time) || i == 0 {
				list[i].count, list[i].sum = list[i].count.Add(point.Quantity.Decimal),
					list[i].sum.Add(point.Sum.Major())
				break
			}
		}
	}
	return list
}

func (c *call) salesTrend(ctx context.Context, in trendInput) error {
	period, err := c.Period(in.From, in.To)
	if err != nil {
		return err
	}
	s, err := c.Narrow(ctx, in.Stores, account.GoodsArgs{})
	if err != nil {
		return err
	}
	with := analysis.Comparison{From: in.CompareFrom, To: in.CompareTo}
	named := with != analysis.Comparison{}
	if !named {
		with.With = analysis.Previous
	}
	t := &trend{step: cmp.Or(in.Interval, stepDay), period: period, scope: s, compare: in.Compare || named}
	if t.other, err = analysis.Other(period, with); err != nil {
		return account.Invalid("compare_from", err.Error())
	}
	interval := msapi.Interval(t.step)
	if t.step == stepWeek {
		interval = msapi.Day // the report does not support weeks, so days are added up
	}
	query := func(p tool.Period) msapi.SeriesQuery {
		return msapi.SeriesQuery{Period: account.ReportPeriod(p), Interval: interval, Stores: s.StoreIDs()}
	}
	var now, then []msapi.SeriesPoint
	work, inner := errgroup.WithContext(ctx)
	work.Go(func() (err error) { t.currency, _, err = c.AccountCurrency(inner); return })
	work.Go(func() (err error) { now, err = c.Reader.SalesSeries(inner, query(period)); return })
	if t.compare {
		work.Go(func() (err error) { then, err = c.Reader.SalesSeries(inner, query(t.other)); return })
	}
	if err := work.Wait(); err != nil {
		return c.Refuse(err, account.SectionDashboard)
	}
	at := starts(period, t.step, c.Env.Clock())
	t.list = buckets(at, now)
	if t.compare {
		was := starts(t.other, t.step, c.Env.Clock())
		if t.step == stepWeek { // compared weeks have the same number of days, whatever weekday they start on
			was = t.weeksLike(at)
		}
		t.previous = buckets(was, then)
	}
	c.trendResult(t)
	return nil
}

// weeksLike returns the starts of intervals of the other period, as long as those that start at the given times.
func (t *trend) weeksLike(at []time.Time) (list []time.Time) {
	end := account.DayEnd(t.other.To)
	for i := 0; ; i++ {
		var next time.Time
		if i < len(at) {
			next = at[i].AddDate(0, 0, t.shift())
		} else {
			next = list[i-1].AddDate(0, 0, 7)
		}
		if next.After(end) {
			return list
		}
		list = append(list, next)
	}
}

// shift returns the days from the start of the period to the start of the other one.
func (t *trend) shift() int { return tool.Period{From: t.period.From, To: t.other.From}.Days() - 1 }

// through returns the last day of an interval.
func (t *trend) through(i int) tool.Day {
	if i+1 < len(t.list) {
		return tool.DayOf(t.list[i+1].at.In(msapi.Moscow)).Add(-1)
	}
	return t.period.To
}

// partial returns the weeks or months that are only partly in the period, which can be the first and the last.
func (t *trend) partial() []tool.Period {
	var parts []tool.Period
	for i, b := range t.list {
		p := tool.Period{From: tool.DayOf(b.at.In(msapi.Moscow)), To: t.through(i)}
		whole := p.Days() == 7
		if t.step == stepMonth {
			whole = p.From.Time().Day() == 1 && p.To.Add(1).Time().Day() == 1
		}
		if !whole {
			parts = append(parts, p)
		}
	}
	return parts
}

func (t *trend) at(b bucket) tool.Value {
	if t.step == stepHour {
		return tool.Moment(b.at)
	}
	return tool.Date(tool.DayOf(b.at.In(msapi.Moscow)))
}

// bucketPair is an interval and the interval that it is compared with.
type bucketPair struct {
	bucket
	through tool.Day // its last day
	was     *bucket  // nil if there is none
}

func (t *trend) columns(earlier decimal.Decimal) []column[bucketPair] {
	labels := map[trendStep]tool.Text{stepHour: {RU: "Час", EN: "Hour"}, stepDay: {RU: "День", EN: "Day"},
		stepWeek: {RU: "Неделя с", EN: "Week from"}, stepMonth: {RU: "Месяц", EN: "Month"}}
	unit := tool.UnitDate
	if t.step == stepHour {
		unit = tool.UnitMoment
	}
	columns := []column[bucketPair]{cells("date", unit, labels[t.step].RU, labels[t.step].EN,
		func(p bucketPair) tool.Value { return t.at(p.bucket) })}
	if t.step == stepWeek || t.step == stepMonth {
		through := cells("through", tool.UnitDate, "по", "to",
			func(p bucketPair) tool.Value { return tool.Date(p.through) })
		through.Detail = t.step == stepMonth // its name is enough
		columns = append(columns, through)
	}
	columns = append(columns,
		cells("sales_count", tool.UnitCount, "Продаж", "Sales",
			func(p bucketPair) tool.Value { return tool.Number(p.count) }).WithSum(),
		money("sum", "Сумма продаж", "Sum of sales", t.currency,
			func(p bucketPair) decimal.Maybe { return decimal.Some(p.sum) }).WithSum())
	if !t.compare {
		return columns
	}
	was := func(p bucketPair) decimal.Maybe {
		if p.was == nil {
			return decimal.Maybe{}
		}
		return decimal.Some(p.was.sum)
	}
	return append(columns,
		cells("previous_date", unit, "Раньше", "Before", func(p bucketPair) tool.Value {
			if p.was == nil {
				return tool.Empty
			}
			return t.at(*p.was)
		}),
		money("previous_sum", "Сумма раньше", "Sum before", t.currency, was).
			WithTotal(tool.Money(earlier, t.currency)),
		percentage("change_percent", "Изменение", "Change",
			func(p bucketPair) decimal.Maybe { return change(p.sum, was(p).Decimal) }).
			WithTotal(account.Rounded(change(t.sum().sum, earlier), 1)))
}

// sum adds up the intervals.
func (t *trend) sum() (all bucket) {
	for _, b := range t.list {
		all.count, all.sum = all.count.Add(b.count), all.sum.Add(b.sum)
	}
	return all
}

func (c *call) trendResult(t *trend) {
	var earlier decimal.Decimal
	for _, b := range t.previous {
		earlier = earlier.Add(b.sum)
	}
	pairs := make([]bucketPair, len(t.list))
	for i, b := range t.list {
		pairs[i] = bucketPair{bucket: b, through: t.through(i)}
		if i < len(t.previous) {
			pairs[i].was = &t.previous[i]
		}
	}
	show(c, t.columns(earlier), pairs, 0)
	ru, en := "", ""
	if t.step == stepWeek {
		ru, en = " Неделя — с понедельника по воскресенье.", " Weeks run from Monday to Sunday."
	}
	c.Method("Отчёт о продажах по московским дням: отгрузки, розница и отчёты комиссионера, без вычета возвратов."+ru,
		"The sales report by Moscow days: shipments, retail sales and commission reports, returns not taken off."+en)
	c.trendNotices(t)
	c.trendAnswer(t, t.sum(), earlier)
}

func (c *call) trendNotices(t *trend) {
	c.Notice(tool.NoticeAssumption, "Возвраты из этих продаж не вычтены; продажи за вычетом возвратов показывает "+
		"прибыльность.",
		"Returns are not taken off these sales; profitability shows sales net of returns.")
	if here, there := t.period.Days(), t.other.Days(); t.compare && here != there {
		c.Noticef(tool.NoticeAssumption,
			"В сравниваемых периодах разное число дней: %d и %d; итоги — за весь каждый период.",
			"The compared periods have different numbers of days, %d and %d; totals cover the whole of each.",
			here, there)
	}
	if t.step != stepWeek && t.step != stepMonth {
		return
	}
	var ru, en []string
	for _, p := range t.partial() {
		ru = append(ru, wording.Span(p, "ru")+" ("+wording.NounDay.Count("ru", p.Days())+")")
		en = append(en, wording.Span(p, "en")+" ("+wording.NounDay.Count("en", p.Days())+")")
	}
	one, several := tool.Text{RU: "Неполная неделя", EN: "A part of a week only"},
		tool.Text{RU: "Неполные недели", EN: "Parts of weeks only"}
	if t.step == stepMonth {
		one, several = tool.Text{RU: "Неполный месяц", EN: "A part of a month only"},
			tool.Text{RU: "Неполные месяцы", EN: "Parts of months only"}
	}
	if len(ru) > 0 {
		word := several
		if len(ru) == 1 {
			word = one
		}
		c.Notice(tool.NoticeAssumption, word.RU+": "+strings.Join(ru, ", ")+".", word.EN+": "+strings.Join(en, ", ")+
			".")
	}
	if t.compare && t.step == stepWeek && t.shift()%7 != 0 {
		c.Notice(tool.NoticeAssumption, "Недели сравниваются с таким же числом дней другого периода, но там они "+
			"начинаются с другого дня недели.",
			"Weeks are compared with as many days of the other period, which begin on another weekday.")
	}
}

func (c *call) trendAnswer(t *trend, all bucket, sumBefore decimal.Decimal) {
	where := c.Narrowed(t.scope)
	when := wording.Span(t.period, c.Lang)
	if all.count.Sign() == 0 && all.sum.Sign() == 0 {
		c.Notice(tool.NoticeEmpty, "Отгрузок и розничных продаж за период в отчёте нет.",
			"The report has no shipments or retail sales in the period.")
	}
	format := func(d decimal.Decimal) string { return tool.FormatMoney(d, t.currency, c.Lang) }
	number := wording.NounSale.Count(c.Lang, int(all.count.Float64()))
	answer := c.Pickf("Продажи %s%s: %s на %s.", "Sales %s%s: %s, %s.", when, where, number, format(all.sum))
	more := ""
	if t.compare {
		p := wording.Span(t.other, c.Lang)
		switch d := change(all.sum, sumBefore); {
		case !d.Known:
			more = c.Pickf("За период сравнения, %s, продаж не было.",
				"There were no sales in the other period, %s.", p)
		case d.Sign() == 0:
			more = c.Pickf("Это столько же, сколько %s.", "That is as much as %s.", p)
		default:
			than := c.Pick("больше", "more")
			if d.Sign() < 0 {
				than = c.Pick("меньше", "less")
			}
			more = c.Pickf("Это на %s %s, чем %s (%s).", "That is %s %s than %s (%s).",
				wording.Percent(d.Abs(), c.Lang), than, p, format(sumBefore))
		}
	}
	c.Result.Answer = wording.Sentences(answer, more, c.bestInterval(t))
}

// bestInterval returns the sentence about the interval with the highest sales.
func (c *call) bestInterval(t *trend) string {
	best := 0
	for i, b := range t.list {
		if t.list[best].sum.Less(b.sum) {
			best = i
		}
	}
	if len(t.list) < 2 || t.list[best].sum.Sign() <= 0 {
		return ""
	}
	b := t.list[best]
	name := t.at(b).Format(tool.UnitDate, c.Lang)
	switch t.step {
	case stepWeek:
		name = c.Pick("неделя ", "week ") +
			wording.Span(tool.Period{From: tool.DayOf(b.at.In(msapi.Moscow)), To: t.through(best)}, c.Lang)
	case stepMonth:
		name = wording.Span(tool.Period{From: tool.DayOf(b.at.In(msapi.Moscow)), To: t.through(best)}, c.Lang)
	case stepDay, stepHour:
	}
	return c.Pick("Больше всего — ", "The most was ") + name + ": " + tool.FormatMoney(b.sum, t.currency, c.Lang) + "."
}

// change returns the growth in percent, or unknown if the earlier number is zero.
func change(now, then decimal.Decimal) decimal.Maybe {
	return account.Share(now.Sub(then), then)
}
