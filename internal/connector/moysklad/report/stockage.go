package report

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/connector/moysklad/shortage"
	"github.com/stockhand/stockhand/internal/connector/moysklad/wording"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

type stockAgeInput struct {
	account.StoresArg
	Groups    []string      `json:"groups,omitempty" jsonschema:"groups of goods, by name, path or id; nested groups count in"`
	Suppliers []string      `json:"suppliers,omitempty" jsonschema:"suppliers of the goods, by name or id"`
	MinDays   *account.Days `json:"min_days,omitempty" jsonschema:"default 90"`
	Unsold    bool          `json:"unsold,omitempty" jsonschema:"no sale in the last min_days"`
	account.LimitArg
}

func stockAgeTool(a *account.Account) tool.Tool {
	return reading(a, "moysklad_stock_age",
		tool.Text{RU: "Залежавшийся товар", EN: "Slow-moving stock"},
		tool.Text{
			RU: "Что давно лежит на складах: дней на складе по данным МоегоСклада, остаток и замороженная в нём сумма.",
			EN: "Slow movers: days in stock, stock, money in it. Goods may be old and " +
				"still sell: unsold keeps those that do not.",
		}, (*call).stockAge).Requires(account.NeedStock, account.NeedCost)
}

// defaultAge is the number of days in stock from which goods count as slow.
const defaultAge = 90

func (c *call) stockAge(ctx context.Context, in stockAgeInput) error {
	days := defaultAge
	if in.MinDays != nil {
		days = int(*in.MinDays)
	} else {
		c.Notice(tool.NoticeAssumption, "Срок не указан: показано то, что лежит 90 дней и дольше.",
			"No age was named: taken from 90 days in stock.")
	}
	s, err := c.Narrow(ctx, in.Stores, account.GoodsArgs{Groups: in.Groups, Suppliers: in.Suppliers})
	if err != nil {
		return err
	}
	// The age is the vendor's figure, never derived from missing sales (rule R21). The row is checked again: if the
	// server ignores the filter, fresh goods must not count as old.
	ageless := 0
	query := msapi.StockQuery{StockMode: msapi.ModePositive, QuantityMode: msapi.ModeAll, StockDaysFrom: days}
	lines, currency, costHidden, err := c.stockLines(ctx, s, query, func(r msapi.StockRow) bool {
		if !onlyInStock.fits(r.Stock) {
			return false
		}
		if !r.StockDays.Known {
			ageless++
			return false
		}
		return r.StockDays.Cmp(decimal.FromInt(int64(days))) >= 0
	})
	if err != nil {
		return c.Refuse(err, account.SectionStock)
	}
	if in.Unsold {
		period := tool.Period{From: account.Today(c.Env).Add(1 - max(1, days)), To: account.Today(c.Env)}
		sold, source, err := shortage.ReadSales(ctx, c.Call, period, s.StoreIDs()...)
		if err != nil {
			return err
		}
		if source == shortage.RateUnknown {
			c.Result.Answer = c.Refusal(account.SectionProfit)
			return nil
		}
		lines = slices.DeleteFunc(lines, func(g *goodsLine) bool { _, ok := sold[g.ID.Key()]; return ok })
	} else {
		c.Notice(tool.NoticeAssumption, "Дни на складе — не дни без продаж: часть этих товаров могла продаваться.",
			"Days in stock are not days without sales: some of these goods may have been sold.")
	}
	if ageless > 0 {
		c.Notice(tool.NoticePartial,
			fmt.Sprintf("В списке нет %s: сколько дней на складе, МойСклад не сообщил.",
				wording.NounItemOf.Count("ru", ageless)),
			fmt.Sprintf("%s not listed: MoySklad did not report the days in stock.",
				wording.NounItem.Count("en", ageless)))
	}
	slices.SortStableFunc(lines, func(x, y *goodsLine) int {
		return account.Tie(cmp.Or(account.Descending(x.value(), y.value()),
			account.Descending(x.StockDays, y.StockDays)), x.Name, y.Name, x.ID, y.ID)
	})
	c.ageAnswer(lines, s, days, currency, costHidden)
	c.stockResult(lines, stockColumns(currency, costHidden, "article", "code", "group", "unit", "reserve", "free",
		"in_transit", "available", "cost", "sale_price", "sale_sum"), in.Limit)
	c.Method("Дни на складе считает МойСклад в отчёте «Остатки»; по отсутствию продаж они не угадываются. Сумма — "+
		"остаток × себестоимость единицы.",
		"Days in stock are MoySklad's own, from the stock report, never guessed from "+
			"an absence of sales. Value is stock × cost of a unit.")
	return nil
}

func (c *call) ageAnswer(lines []*goodsLine, s account.Filter, days int, currency string, costHidden bool) {
	if len(lines) == 0 {
		c.Notice(tool.NoticeEmpty, "Товаров с таким сроком на складе нет.",
			"No goods have been in stock for that long.")
		c.Result.Answer = c.Pick(
			fmt.Sprintf("Товаров, которые лежат %s и дольше, %s нет.", wording.NounDay.Count(c.Lang, days),
				c.Places(s)),
			fmt.Sprintf("No goods %s have been lying for %s or longer.", c.Places(s),
				wording.NounDay.Count(c.Lang, days)))
		return
	}
	sum := sumStock(lines)
	oldest := lines[0]
	for _, g := range lines {
		if oldest.StockDays.Less(g.StockDays.Decimal) {
			oldest = g
		}
	}
	worth := c.Pick("; себестоимость скрыта правами сотрудника", "; cost is hidden by the employee's rights")
	switch {
	case costHidden:
	case sum.unvalued == len(lines):
		worth = c.Pick("; себестоимость неизвестна", "; the cost is unknown")
	default:
		c.noticeUnvalued(sum.unvalued)
		worth = c.Pick(" на ", ", worth ") + tool.FormatMoney(sum.value, currency, c.Lang) +
			c.Pick(" по себестоимости", " at cost")
	}
	lie := c.Pick("лежат", "have been lying")
	if c.Lang == "en" && len(lines) == 1 {
		lie = "has been lying"
	}
	if c.Lang != "en" && wording.NounItem.Form(c.Lang, len(lines)) == wording.NounItem.One {
		lie = "лежит"
	}
	age := wording.NounDay.Count(c.Lang, int(oldest.StockDays.Round(0).Float64()))
	c.Result.Answer = c.Pick(
		fmt.Sprintf("%s: %s и дольше %s %s — %s%s. Дольше всех — %s, %s.", wording.Upper(c.Places(s)),
			wording.NounDay.Count(c.Lang, days), lie, wording.NounItem.Count(c.Lang, len(lines)),
			sum.stock.Text(c.Lang), worth,
			wording.InQuotes(oldest.Name, c.Lang), age),
		fmt.Sprintf("%s: %s %s for %s or longer, %s%s. The oldest is %s, %s.", wording.Upper(c.Places(s)),
			wording.NounItem.Count(c.Lang, len(lines)), lie, wording.NounDay.Count(c.Lang, days),
			sum.stock.Text(c.Lang), worth,
			wording.InQuotes(oldest.Name, c.Lang), age))
}
