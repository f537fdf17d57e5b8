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
			RU: "Движение товаров за период: остаток на начало, приход, расход, остаток на конец — в количестве и по себестоимости (не по выручке).",
			EN: "Movement of goods over a period: opening stock, received, issued, closing stock, in quantity and at cost (not revenue).",
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
	sight := costVisibility{rights: c.Rights}
	work, inner := errgroup.WithContext(ctx)
	work.Go(func() (err error) { currency, _, err = c.AccountCurrency(inner); return })
	work.Go(func() (err error) {
		rows, err = c.TurnoverRows(inner, msapi.TurnoverQuery{Period: account.ReportPeriod(period), GroupBy: msapi.ByProduct}, s)
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
			sight.observe(t.Sum)
		}
	}
	hidden := sight.hidden()
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

func (c *call) turnoverResult(rows []msapi.TurnoverRow, period tool.Period, s account.Filter, currency string, hidden bool,
	limit account.Limit) {
	var hiddenFields []string
	if hidden {
		hiddenFields = []string{"start_cost", "income_cost", "outcome_cost", "end_cost"}
		c.Missing(account.SectionCost, "суммы оборотов (они по себестоимости) не показаны",
			"the sums of the turnover, which are at cost, are not shown")
	}
	c.columns(hiddenFields,
		field{"name", tool.UnitText, "Товар", "Item"}, field{"article", tool.UnitText, "Артикул", "Article"},
		field{"code", tool.UnitText, "Код", "Code"},
		field{"group", tool.UnitText, "Группа", "Group"},
		field{"start_quantity", tool.UnitQuantity, "На начало", "Opening"},
		field{"income_quantity", tool.UnitQuantity, "Приход", "Received"},
		field{"outcome_quantity", tool.UnitQuantity, "Расход", "Issued"},
		field{"end_quantity", tool.UnitQuantity, "На конец", "Closing"},
		field{"start_cost", tool.UnitMoney, "Начало по себестоимости", "Opening at cost"},
		field{"income_cost", tool.UnitMoney, "Приход по себестоимости", "Received at cost"},
		field{"outcome_cost", tool.UnitMoney, "Расход по себестоимости", "Issued at cost"},
		field{"end_cost", tool.UnitMoney, "Конец по себестоимости", "Closing at cost"},
		field{"id", tool.UnitText, "ID", "ID"},
	)
	c.details("article", "code", "group", "start_cost", "income_cost", "end_cost")
	var q, sums [4]decimal.Decimal
	moved := 0
	for _, r := range rows {
		if r.Income.Quantity.Sign() != 0 || r.Outcome.Quantity.Sign() != 0 {
			moved++
		}
		for i, t := range []msapi.Turnover{r.Start, r.Income, r.Outcome, r.End} {
			q[i], sums[i] = q[i].Add(t.Quantity.Decimal), sums[i].Add(t.Sum.Decimal)
		}
	}
	cost := func(t msapi.Turnover) tool.Value {
		if hidden || !t.Sum.Known {
			return tool.Empty
		}
		return tool.Money(t.Sum.Major(), currency)
	}
	for _, r := range head(c, rows, limit) {
		c.Result.Rows = append(c.Result.Rows, tool.Row{
			tool.TextValue(r.Assortment.Name), tool.TextValue(r.Assortment.Article), tool.TextValue(r.Assortment.Code),
			tool.TextValue(folderPath(r.Folder)),
			tool.MaybeNumber(r.Start.Quantity), tool.MaybeNumber(r.Income.Quantity),
			tool.MaybeNumber(r.Outcome.Quantity), tool.MaybeNumber(r.End.Quantity),
			cost(r.Start), cost(r.Income), cost(r.Outcome), cost(r.End), tool.TextValue(string(r.Assortment.ID)),
		})
	}
	c.Method(
		"Отчёт «Обороты» за период "+wording.Span(period, "ru")+
			" по Москве, модификации свёрнуты в товары. Суммы — по себестоимости, это не выручка.",
		"The turnover report "+wording.Span(period, "en")+
			", Moscow time, variants folded into their products. Sums are at cost, not revenue.")
	where := ""
	if len(s.Stores) > 0 {
		where = " " + c.Places(s)
	}
	if len(rows) == 0 {
		c.Notice(tool.NoticeEmpty, "За период движения не было.", "Nothing moved in the period.")
		c.Result.Answer = c.Pick("Движения товаров "+wording.Span(period, c.Lang)+where+" не было.", "No goods moved "+
			wording.Span(period, c.Lang)+where+".")
		return
	}
	c.totals(map[string]tool.Value{
		"start_quantity": tool.Number(q[0]), "income_quantity": tool.Number(q[1]),
		"outcome_quantity": tool.Number(q[2]), "end_quantity": tool.Number(q[3]),
		"start_cost": tool.Money(sums[0].Major(), currency), "income_cost": tool.Money(sums[1].Major(), currency),
		"outcome_cost": tool.Money(sums[2].Major(), currency), "end_cost": tool.Money(sums[3].Major(), currency),
	})
	n := func(i int) string { return tool.FormatQuantity(q[i], c.Lang) }
	worth := func(i int) string {
		if hidden {
			return ""
		}
		return " (" + tool.FormatMoney(sums[i].Major(), currency, c.Lang) + c.Pick(" по себестоимости", " at cost") + ")"
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
	c.Result.Answer = wording.Sentences(c.Pick(
		fmt.Sprintf("Обороты %s%s: %s%s, пришло %s%s, ушло %s%s. Остаток на начало %s, на конец %s%s.",
			wording.Span(period, c.Lang), where, verb, wording.NounItem.Count(c.Lang, moved), n(1), worth(1), n(2), worth(2), n(0), n(3),
			worth(3)),
		fmt.Sprintf("Turnover %s%s: %s moved, received %s%s, issued %s%s. Opening stock %s, closing %s%s.",
			wording.Span(period, c.Lang), where, wording.NounItem.Count(c.Lang, moved), n(1), worth(1), n(2), worth(2), n(0), n(3),
			worth(3))),
		still,
		hiddenCost(c, hidden))
}

// hiddenCost is the sentence of an answer that lacks cost.
func hiddenCost(c *call, hidden bool) string {
	if !hidden {
		return ""
	}
	return c.Pick("Себестоимость скрыта правами сотрудника.", "Cost is hidden by the employee's rights.")
}
