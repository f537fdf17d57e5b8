package outlook

import (
	"fmt"
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/wording"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/forecast"
	"github.com/stockhand/stockhand/internal/tool"
)

type column = tool.TableColumn[*line]

func cells(name string, unit tool.Unit, ru, en string, cell func(*line) tool.Value) column {
	return column{Name: name, Unit: unit, Label: tool.Text{RU: ru, EN: en}, Cell: cell}
}

func text(name, ru, en string, cell func(*line) string) column {
	return cells(name, tool.UnitText, ru, en, func(l *line) tool.Value { return tool.TextValue(cell(l)) })
}

// predicted returns a column that is empty without a forecast.
func predicted(name string, unit tool.Unit, ru, en string, cell func(*line, *forecast.Forecast) tool.Value) column {
	return cells(name, unit, ru, en, func(l *line) tool.Value {
		if l.forecast == nil {
			return tool.Empty
		}
		return cell(l, l.forecast)
	})
}

// expected returns the expected sales of the horizon, rounded as shown.
func (l *line) expected() decimal.Decimal { return estimate(l.forecast.Total, 1) }

// bound returns a limit of the interval, rounded outwards to what can be sold.
func (l *line) bound(x float64, up bool) tool.Value {
	places := 1
	if l.whole {
		places = 0
	}
	d := estimate(x, 3)
	if up {
		return tool.Number(d.Ceil(places))
	}
	return tool.Number(d.Floor(places))
}

// runsOut returns the first day that the free stock does not suffice for.
func (c *call) runsOut(l *line) (day tool.Day, days int, known bool) {
	if l.forecast == nil || !c.stockSeen || l.level.Unknown || l.Type == "bundle" {
		return "", 0, false
	}
	days, known = l.forecast.Lasts(l.level.Free().Float64())
	return account.Today(c.Env).Add(days), days, known
}

func (c *call) columns() []column {
	percent := func(name, ru, en string, of func(forecast.Test) (float64, bool)) column {
		return predicted(name, tool.UnitPercent, ru, en, func(_ *line, f *forecast.Forecast) tool.Value {
			x, known := of(f.Test)
			if !known {
				return tool.Empty
			}
			return tool.Number(estimate(x, 1))
		})
	}
	level := func(name, ru, en string, cell func(account.Level) decimal.Decimal) column {
		return cells(name, tool.UnitQuantity, ru, en, func(l *line) tool.Value {
			if l.level.Unknown || l.Type == "bundle" {
				return tool.Empty
			}
			return tool.Number(cell(l.level))
		}).HiddenIf(!c.stockSeen)
	}
	expected := predicted("expected", tool.UnitQuantity, "Продастся", "Will sell",
		func(l *line, _ *forecast.Forecast) tool.Value { return tool.Number(l.expected()) })
	expected.Total = func(lines []*line) tool.Value { return c.totals(lines).Total() }
	return []column{
		text("name", "Товар", "Item", func(l *line) string { return l.Name }),
		expected,
		predicted("low", tool.UnitQuantity, "От", "From",
			func(l *line, f *forecast.Forecast) tool.Value { return l.bound(f.Low, false) }),
		predicted("high", tool.UnitQuantity, "До", "To",
			func(l *line, f *forecast.Forecast) tool.Value { return l.bound(f.High, true) }),
		percent("error_percent", "Ошибка", "Error", forecast.Test.Error),
		level("free", "Свободно", "Free", account.Level.Free),
		cells("runs_out", tool.UnitDate, "Закончится", "Runs out", func(l *line) tool.Value {
			if day, _, known := c.runsOut(l); known {
				return tool.Date(day)
			}
			return tool.Empty
		}).HiddenIf(!c.stockSeen),
		cells("lasts_days", tool.UnitDays, "Хватит, дн.", "Lasts, days", func(l *line) tool.Value {
			if _, days, known := c.runsOut(l); known {
				return tool.Count(days)
			}
			return tool.Empty
		}).HiddenIf(!c.stockSeen).AsDetail(),
		text("unit", "Ед.", "Unit", func(l *line) string { return l.unit }).AsDetail(),
		level("stock", "Остаток", "Stock",
			func(l account.Level) decimal.Decimal { return l.Stock.Decimal() }).AsDetail(),
		level("in_transit", "В пути", "On the way",
			func(l account.Level) decimal.Decimal { return l.Transit.Decimal() }).AsDetail(),
		percent("mean_error_percent", "Ошибка среднего", "Error of the mean", forecast.Test.MeanError).AsDetail(),
		text("method", "Способ", "Method", c.method).AsDetail(),
		predicted("tested_periods", tool.UnitCount, "Проверено периодов", "Periods tested",
			func(_ *line, f *forecast.Forecast) tool.Value { return tool.Count(f.Test.Periods) }).AsDetail(),
		predicted("history_days", tool.UnitDays, "История, дн.", "History, days",
			func(_ *line, f *forecast.Forecast) tool.Value { return tool.Count(f.Days) }).AsDetail(),
		text("code", "Код", "Code", func(l *line) string { return l.code }).AsDetail(),
		text("article", "Артикул", "Article", func(l *line) string { return l.article }).AsDetail(),
		text("id", "ID", "ID", func(l *line) string { return string(l.ID) }),
	}
}

// method names how a good was forecast, or why it was not.
func (c *call) method(l *line) string {
	if l.forecast == nil {
		return c.reason(l.why)
	}
	var parts []string
	switch f := l.forecast; f.Method {
	case forecast.Mean:
		parts = append(parts, c.Pick("среднее за историю", "mean of the history"))
	case forecast.Pace:
		parts = append(parts, c.Pick("недавний темп", "recent pace"))
	case forecast.Intermittent:
		parts = append(parts, c.Pick("редкие продажи", "rare sales"))
	}
	if l.forecast.Weekdays == forecast.SeasonUsed {
		parts = append(parts, c.Pick("дни недели", "weekdays"))
	}
	if l.forecast.Year == forecast.SeasonUsed {
		parts = append(parts, c.Pick("сезон года", "season of the year"))
	}
	return strings.Join(parts, ", ")
}

func (c *call) reason(why forecast.Reason) string {
	switch why {
	case forecast.NeverSold:
		return c.Pick("не продавался", "not sold")
	case forecast.TooShort:
		return c.Pickf("продаётся меньше %d дней", "on sale for less than %d days", forecast.LeastDays)
	case forecast.TooFew:
		return c.Pickf("продавался меньше чем в %d дня", "sold on fewer than %d days", forecast.LeastSales)
	case forecast.Enough:
	}
	return ""
}

// totals adds up the expected sales by unit, as shown.
func (c *call) totals(lines []*line) account.QuantityByUnit {
	sums := account.QuantityByUnit{}
	for _, l := range lines {
		if l.forecast != nil {
			sums.Add(l.unit, l.expected())
		}
	}
	return sums
}

func (c *call) show(lines []*line) {
	columns := c.columns()
	tool.SetColumns(c.Result, c.Lang, columns, lines)
	tool.AddRows(c.Result, columns, lines)
	c.Method("Документы продаж по дням, возвраты вычтены, комплекты по составу; сегодня — первый день прогноза. "+
		"В границы продажи попадают примерно в 8 случаях из 10; ошибка — промах на последних таких же периодах.",
		"Sales by day from documents, less returns, bundles by component; today is the first day of the forecast. "+
			"Sales are within the range in about 8 of 10 cases; the error is the miss in the last periods of that length.")
	c.notices(lines)
	c.summarize(lines)
}

func (c *call) notices(lines []*line) {
	why := map[forecast.Reason][]string{}
	var large []string
	short := false
	for _, l := range lines {
		switch f := l.forecast; {
		case f == nil:
			why[l.why] = append(why[l.why], l.Name)
		default:
			short = short || f.Year == forecast.SeasonShort
			for _, day := range f.Large {
				large = append(large, fmt.Sprintf("%s (%s)", l.Name, tool.DayOf(day).Format(c.Lang)))
			}
		}
	}
	for _, r := range []forecast.Reason{forecast.NeverSold, forecast.TooShort, forecast.TooFew} {
		if names := why[r]; len(names) > 0 {
			text := c.reason(r) + " — " + wording.Quoted(names, c.Lang)
			c.Notice(tool.NoticePartial, "Прогноза нет: "+text+".", "No forecast: "+text+".")
		}
	}
	if c.unsold > 0 {
		c.Noticef(tool.NoticePartial, "Не продавались за историю и в таблице не показаны: %d.",
			"Not sold in the history and not in the table: %d.", c.unsold)
	}
	if len(large) > 0 {
		slices.Sort(large)
		c.Notice(tool.NoticeAssumption,
			"Исключительно крупные продажи учтены лишь частично: "+wording.Quoted(large, "ru")+".",
			"Exceptionally large sales count only in part: "+wording.Quoted(large, "en")+".")
	}
	if short {
		c.Noticef(tool.NoticeAssumption,
			"Сезон года не учтён: для него нужны два года истории, прочитано %s.",
			"The season of the year is not used: it needs two years of history, and %s were read.",
			wording.NounDay.Count(c.Lang, c.history.Period.Days()))
	}
}

func (c *call) summarize(lines []*line) {
	n := 0
	var first *line
	var soonest tool.Day
	var missed, byMean []float64
	for _, l := range lines {
		if l.forecast == nil {
			continue
		}
		n++
		if x, known := l.forecast.Test.Error(); known {
			mean, _ := l.forecast.Test.MeanError()
			missed, byMean = append(missed, x), append(byMean, mean)
		}
		if day, _, known := c.runsOut(l); known && (first == nil || day < soonest) {
			first, soonest = l, day
		}
	}
	if n == 0 {
		c.Notice(tool.NoticeEmpty, "Для прогноза нужны 28 дней истории и 3 дня с продажами.",
			"A forecast needs 28 days of history and 3 days with sales.")
		c.Result.Answer = c.Pick("Прогноза продаж "+c.Places(c.scope)+" нет: продаж слишком мало.",
			"There is no forecast of sales "+c.Places(c.scope)+": there are too few sales.")
		return
	}
	sums := c.totals(lines)
	c.NoticeUnits(sums)
	p := tool.Period{From: account.Today(c.Env), To: account.Today(c.Env).Add(c.horizon - 1)}
	parts := []string{c.Pickf("Прогноз %s, %s: продастся %s (%s).", "Forecast %s, %s: %s will sell (%s).",
		c.Places(c.scope), wording.Span(p, c.Lang), sums.Text(c.Lang), wording.NounTitle.Count(c.Lang, n))}
	if first != nil {
		parts = append(parts, c.Pickf("Раньше всех закончится %s: %s, свободно %s.",
			"The first to run out is %s: on %s, %s free.", wording.InQuotes(first.Name, c.Lang), soonest.Format(c.Lang),
			tool.FormatQuantity(first.level.Free(), c.Lang)))
	}
	if len(missed) > 0 {
		parts = append(parts, c.Pickf(
			"На прошлых периодах прогноз ошибался на %s, среднее за историю — на %s (медианы по товарам).",
			"In past periods the forecast was off by %s, the mean of the history by %s (medians of the goods).",
			wording.Percent(median(missed), c.Lang), wording.Percent(median(byMean), c.Lang)))
	}
	c.Result.Answer = wording.Sentences(parts...)
}

func median(list []float64) decimal.Decimal {
	slices.Sort(list)
	return estimate((list[(len(list)-1)/2]+list[len(list)/2])/2, 1)
}
