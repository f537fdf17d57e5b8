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

type turnoverInput struct {
	From tool.Day `json:"from,omitempty" jsonschema:"first day; default: 30 days up to and including the last"`
	To   tool.Day `json:"to,omitempty" jsonschema:"last day, included; default: today"`
	account.StoresArg
	account.GoodsArgs
	account.LimitArg
}

func turnoverTool(a *account.Account) tool.Tool {
	return reading(a, "moysklad_turnover",
		tool.Text{RU: "Обороты", EN: "Turnover"},
		tool.Text{
			RU: "Движение товаров за период: остаток на начало, приход, расход, остаток на конец — в количестве и " +
				"по себестоимости (не по выручке).",
			EN: "Movement of goods over a period: opening and closing stock, received, issued, in quantity and " +
				"at cost. Not revenue.",
		}, (*call).turnover).Requires(account.Vital(account.SectionTurnover), account.NeedTurnoverSums)
}

func (c *call) turnover(ctx context.Context, in turnoverInput) error {
	period, err := c.Period(in.From, in.To)
	if err != nil {
		return err
	}
	s, err := c.Narrow(ctx, in.Stores, in.GoodsArgs)
	if err != nil {
		return err
	}
	var currency string
	var rows []msapi.TurnoverRow
	sight := account.CostVisibility{Rights: c.Rights}
	work, inner := errgroup.WithContext(ctx)
	work.Go(func() (err error) { currency, _, err = c.AccountCurrency(inner); return })
	work.Go(func() (err error) {
		rows, err = c.TurnoverRows(inner,
			msapi.TurnoverQuery{Period: account.ReportPeriod(period), GroupBy: msapi.ByProduct}, s)
		return err
	})
	if err := work.Wait(); err != nil {
		return c.Refuse(err, account.SectionTurnover)
	}
	rows = slices.DeleteFunc(rows, func(r msapi.TurnoverRow) bool {
		return r.Start.Quantity.Sign() == 0 && r.End.Quantity.Sign() == 0 && r.Income.Quantity.Sign() == 0 &&
			r.Outcome.Quantity.Sign() == 0
	})
	for _, r := range rows {
		for _, t := range []msapi.Turnover{r.Start, r.Income, r.Outcome, r.End} {
			sight.Observe(t.Sum)
		}
	}
	hidden := sight.Hidden()
	slices.SortStableFunc(rows, func(x, y msapi.TurnoverRow) int {
		by := account.Descending(x.Outcome.Sum, y.Outcome.Sum)
		if hidden {
			by = account.Descending(x.Outcome.Quantity, y.Outcome.Quantity)
		}
		return account.Tie(by, x.Assortment.Name, y.Assortment.Name, x.Assortment.ID, y.Assortment.ID)
	})
	c.turnoverResult(rows, period, s, currency, hidden, in.Limit)
	return nil
}

func turnoverColumns(currency string, hidden bool) []column[msapi.TurnoverRow] {
	type row = msapi.TurnoverRow
	amount := func(name, ru, en string, of func(row) msapi.Turnover) column[row] {
		return withSumByUnit(quantity(name, ru, en, func(r row) decimal.Maybe { return of(r).Quantity }), turnoverUnit)
	}
	cost := func(name, ru, en string, of func(row) msapi.Turnover) column[row] {
		return money(name, ru, en, currency, func(r row) decimal.Maybe { return account.Major(of(r).Sum) }).
			HiddenIf(hidden).WithSum()
	}
	return []column[row]{
		text("name", "Товар", "Item", func(r row) string { return r.Assortment.Name }),
		text("article", "Артикул", "Article", func(r row) string { return r.Assortment.Article }).AsDetail(),
		text("code", "Код", "Code", func(r row) string { return r.Assortment.Code }).AsDetail(),
		text("group", "Группа", "Group", func(r row) string { return folderPath(r.Folder) }).AsDetail(),
		amount("start_quantity", "На начало", "Opening", atStart),
		amount("income_quantity", "Приход", "Received", incoming),
		amount("outcome_quantity", "Расход", "Issued", outgoing),
		amount("end_quantity", "На конец", "Closing", atEnd),
		cost("start_cost", "Начало по себестоимости", "Opening at cost", atStart).AsDetail(),
		cost("income_cost", "Приход по себестоимости", "Received at cost", incoming).AsDetail(),
		cost("outcome_cost", "Расход по себестоимости", "Issued at cost", outgoing),
		cost("end_cost", "Конец по себестоимости", "Closing at cost", atEnd).AsDetail(),
		text("id", "ID", "ID", func(r row) string { return string(r.Assortment.ID) }),
	}
}

func atStart(r msapi.TurnoverRow) msapi.Turnover  { return r.Start }
func incoming(r msapi.TurnoverRow) msapi.Turnover { return r.Income }
func outgoing(r msapi.TurnoverRow) msapi.Turnover { return r.Outcome }
func atEnd(r msapi.TurnoverRow) msapi.Turnover    { return r.End }
func turnoverUnit(r msapi.TurnoverRow) string     { return r.Unit }

func (c *call) turnoverResult(rows []msapi.TurnoverRow, period tool.Period, s account.Filter, currency string,
	hidden bool, limit account.Limit) {
	if hidden {
		c.Missing(account.SectionCost, "суммы оборотов (они по себестоимости) не показаны",
			"the sums of the turnover, which are at cost, are not shown")
	}
	show(c, turnoverColumns(currency, hidden), rows, limit)
	moved := 0
	for _, r := range rows {
		if r.Income.Quantity.Sign() != 0 || r.Outcome.Quantity.Sign() != 0 {
			moved++
		}
	}
	c.Method("Отчёт «Обороты» по московскому времени, модификации сложены в товары. Суммы — по себестоимости, это не "+
		"выручка.", "The turnover report, Moscow time, variants folded into their products. Sums are at cost, not "+
		"revenue.")
	c.Notice(tool.NoticeAssumption, "Товары без движения за период в отчёт «Обороты» не входят: весь остаток на день "+
		"показывают «Остатки».",
		"Goods that did not move in the period are not in the turnover report: the stock report shows all stock on a day.")
	where := c.Narrowed(s)
	if len(rows) == 0 {
		c.Notice(tool.NoticeEmpty, "За период движения не было.", "Nothing moved in the period.")
		c.Result.Answer = c.Pick("Движения товаров "+wording.Span(period, c.Lang)+where+" не было.", "No goods moved "+
			wording.Span(period, c.Lang)+where+".")
		return
	}
	n := func(of func(msapi.TurnoverRow) msapi.Turnover) string {
		sums := sumByUnit(rows, turnoverUnit,
			func(r msapi.TurnoverRow) tool.Value { return tool.MaybeNumber(of(r).Quantity) })
		c.NoticeUnits(sums)
		return sums.Text(c.Lang)
	}
	worth := func(of func(msapi.TurnoverRow) msapi.Turnover) string {
		if hidden {
			return ""
		}
		var sum decimal.Decimal
		for _, r := range rows {
			sum = sum.Add(of(r).Sum.Decimal)
		}
		return " (" + tool.FormatMoney(sum.Major(), currency, c.Lang) + c.Pick(" по себестоимости", " at cost") + ")"
	}
	verb := c.Pick("двигались ", "")
	if c.Lang != "en" && wording.NounItem.Form(c.Lang, moved) == wording.NounItem.One {
		verb = "двигался "
	}
	still := ""
	if n := len(rows) - moved; n > 0 {
		still = c.Pick(fmt.Sprintf("Ещё %s лежали без движения.", wording.NounItem.Count(c.Lang, n)),
			fmt.Sprintf("%s more did not move.", wording.Upper(wording.NounItem.Count(c.Lang, n))))
	}
	when := wording.Span(period, c.Lang) + where
	c.Result.Answer = wording.Sentences(c.Pick(
		fmt.Sprintf("Обороты %s: %s%s, пришло %s%s, ушло %s%s. Остаток только этих товаров: на начало %s, на конец %s%s.",
			when, verb, wording.NounItem.Count(c.Lang, moved), n(incoming), worth(incoming), n(outgoing),
			worth(outgoing),
			n(atStart), n(atEnd), worth(atEnd)),
		fmt.Sprintf("Turnover %s: %s moved, received %s%s, issued %s%s. The stock of these goods only: opening %s, closing %s%s.",
			when, wording.NounItem.Count(c.Lang, moved), n(incoming), worth(incoming), n(outgoing), worth(outgoing),
			n(atStart), n(atEnd), worth(atEnd))),
		still,
		hiddenCost(c, hidden))
}

// hiddenCost returns the sentence for an answer without cost.
func hiddenCost(c *call, hidden bool) string {
	if !hidden {
		return ""
	}
	return c.Pick("Себестоимость скрыта правами сотрудника.", "Cost is hidden by the employee's rights.")
}
