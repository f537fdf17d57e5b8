package moysklad

import (
	"context"
	"fmt"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

type turnoverInput struct {
	From tool.Day `json:"from,omitempty" jsonschema:"first day; default: 30 days up to and including the last"`
	To   tool.Day `json:"to,omitempty" jsonschema:"last day, included; default: today"`
	storesArg
	goodsArgs
	limitArg
}

func (a *account) turnoverTool() tool.Tool {
	return reading(a, "moysklad_turnover",
		tool.Text{RU: "Обороты", EN: "Turnover"},
		tool.Text{
			RU: "Движение товаров за период: остаток на начало, приход, расход, остаток на конец — в количестве и по себестоимости (не по выручке).",
			EN: "Movement of goods over a period: opening stock, received, issued, closing stock, in quantity and at cost (not revenue).",
		}, (*call).turnover).Requires(vital(sectionTurnover), needTurnoverSums)
}

func (c *call) turnover(ctx context.Context, in turnoverInput) error {
	period, err := c.period(in.From, in.To)
	if err != nil {
		return err
	}
	s, err := c.narrow(ctx, in.Stores, in.goodsArgs)
	if err != nil {
		return err
	}
	var currency string
	var rows []msapi.TurnoverRow
	sight := costSight{rights: c.rights}
	work, inner := errgroup.WithContext(ctx)
	work.Go(func() (err error) { currency, _, err = c.accountCurrency(inner); return })
	work.Go(func() (err error) {
		rows, err = c.turnoverRows(inner, msapi.TurnoverQuery{Period: moscow(period), GroupBy: msapi.ByProduct}, s)
		return err
	})
	if err := work.Wait(); err != nil {
		return c.refuse(err, sectionTurnover)
	}
	rows = slices.DeleteFunc(rows, func(r msapi.TurnoverRow) bool {
		return r.Start.Quantity.Sign() == 0 && r.End.Quantity.Sign() == 0 && r.Income.Quantity.Sign() == 0 &&
			r.Outcome.Quantity.Sign() == 0
	})
	for _, r := range rows {
		for _, t := range []msapi.Turnover{r.Start, r.Income, r.Outcome, r.End} {
			sight.look(t.Sum)
		}
	}
	hidden := sight.hidden()
	slices.SortStableFunc(rows, func(x, y msapi.TurnoverRow) int {
		by := descending(x.Outcome.Sum, y.Outcome.Sum)
		if hidden {
			by = descending(x.Outcome.Quantity, y.Outcome.Quantity)
		}
		return tie(by, x.Assortment.Name, y.Assortment.Name, x.Assortment.ID, y.Assortment.ID)
	})
	c.turnoverResult(rows, period, s, currency, hidden, in.Limit)
	return nil
}

// moscow is a period of days as the reports take it, its last second included (reference, section 11, trap 19).
func moscow(p tool.Period) msapi.Period { return msapi.Days(p.From.Time(), p.To.Time()) }

// turnoverRows reads the report once a row. It cannot be narrowed to groups by the server (reference, section 9.6):
// rows outside of them are passed over here.
func (c *call) turnoverRows(ctx context.Context, q msapi.TurnoverQuery, s scope) ([]msapi.TurnoverRow, error) {
	q.Stores, q.Suppliers = s.storeIDs(), s.supplierIDs()
	if len(s.goods) > 0 {
		q.Products, q.Variants = s.goodsOf("product"), s.goodsOf("variant")
		if q.GroupBy == msapi.ByProduct && len(q.Products) > 0 {
			q.Variants = nil // folded into their products
		}
		if len(q.Products)+len(q.Variants) == 0 {
			return nil, nil
		}
	}
	var rows []msapi.TurnoverRow
	seen := map[msapi.Key]bool{}
	err := each(c, c.reader.Turnover(ctx, q), func(r msapi.TurnoverRow) {
		if k := r.Assortment.ID.Key(); seen[k] || s.nested != nil && !s.nested[r.Folder.ID] {
			return
		}
		seen[r.Assortment.ID.Key()] = true
		rows = append(rows, r)
	})
	return rows, err
}

func (c *call) turnoverResult(rows []msapi.TurnoverRow, period tool.Period, s scope, currency string, hidden bool,
	limit Limit) {
	var hiddenFields []string
	if hidden {
		hiddenFields = []string{"start_cost", "income_cost", "outcome_cost", "end_cost"}
		c.missing(sectionCost, "суммы оборотов (они по себестоимости) не показаны",
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
		c.result.Rows = append(c.result.Rows, tool.Row{
			tool.TextValue(r.Assortment.Name), tool.TextValue(r.Assortment.Article), tool.TextValue(r.Assortment.Code),
			tool.TextValue(folderPath(r.Folder)),
			tool.MaybeNumber(r.Start.Quantity), tool.MaybeNumber(r.Income.Quantity),
			tool.MaybeNumber(r.Outcome.Quantity), tool.MaybeNumber(r.End.Quantity),
			cost(r.Start), cost(r.Income), cost(r.Outcome), cost(r.End), tool.TextValue(string(r.Assortment.ID)),
		})
	}
	c.method(
		"Отчёт «Обороты» за период "+span(period, "ru")+
			" по Москве, модификации свёрнуты в товары. Суммы — по себестоимости, это не выручка.",
		"The turnover report "+span(period, "en")+
			", Moscow time, variants folded into their products. Sums are at cost, not revenue.")
	where := ""
	if len(s.stores) > 0 {
		where = " " + c.place(s)
	}
	if len(rows) == 0 {
		c.notice(tool.NoticeEmpty, "За период движения не было.", "Nothing moved in the period.")
		c.result.Answer = c.pick("Движения товаров "+span(period, c.l)+where+" не было.", "No goods moved "+
			span(period, c.l)+where+".")
		return
	}
	c.totals(map[string]tool.Value{
		"start_quantity": tool.Number(q[0]), "income_quantity": tool.Number(q[1]),
		"outcome_quantity": tool.Number(q[2]), "end_quantity": tool.Number(q[3]),
		"start_cost": tool.Money(sums[0].Major(), currency), "income_cost": tool.Money(sums[1].Major(), currency),
		"outcome_cost": tool.Money(sums[2].Major(), currency), "end_cost": tool.Money(sums[3].Major(), currency),
	})
	n := func(i int) string { return tool.FormatQuantity(q[i], c.l) }
	worth := func(i int) string {
		if hidden {
			return ""
		}
		return " (" + tool.FormatMoney(sums[i].Major(), currency, c.l) + c.pick(" по себестоимости", " at cost") + ")"
	}
	verb := c.pick("двигались ", "")
	if c.l != "en" && nounItem.form(c.l, moved) == nounItem.one {
		verb = "двигался "
	}
	still := ""
	if n := len(rows) - moved; n > 0 {
		still = c.pick(fmt.Sprintf("Ещё %s лежали без движения.", nounItem.count(c.l, n)),
			fmt.Sprintf("%s more did not move.", upper(nounItem.count(c.l, n))))
	}
	c.result.Answer = sentences(c.pick(
		fmt.Sprintf("Обороты %s%s: %s%s, пришло %s%s, ушло %s%s. Остаток на начало %s, на конец %s%s.",
			span(period, c.l), where, verb, nounItem.count(c.l, moved), n(1), worth(1), n(2), worth(2), n(0), n(3),
			worth(3)),
		fmt.Sprintf("Turnover %s%s: %s moved, received %s%s, issued %s%s. Opening stock %s, closing %s%s.",
			span(period, c.l), where, nounItem.count(c.l, moved), n(1), worth(1), n(2), worth(2), n(0), n(3),
			worth(3))),
		still,
		hiddenCost(c, hidden))
}

// hiddenCost is the sentence of an answer that lacks cost.
func hiddenCost(c *call, hidden bool) string {
	if !hidden {
		return ""
	}
	return c.pick("Себестоимость скрыта правами сотрудника.", "Cost is hidden by the employee's rights.")
}
