package report

import (
	"context"
	"fmt"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/connector/moysklad/wording"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

type stockInput struct {
	account.StoresArg
	account.GoodsArgs
	Only  stockOnly  `json:"only,omitempty"`
	At    tool.Day   `json:"at,omitempty" jsonschema:"default: now"`
	Order stockOrder `json:"order,omitempty"`
	account.LimitArg
}

type stockOnly string

const (
	onlyAll      stockOnly = "all"
	onlyInStock  stockOnly = "in_stock"
	onlyNegative stockOnly = "negative"
	onlyZero     stockOnly = "zero"
)

func (stockOnly) Schema() *jsonschema.Schema {
	return tool.DescribedEnum("default: in_stock; all when goods are named", onlyAll, onlyInStock,
		onlyNegative, onlyZero)
}

func (o stockOnly) mode() msapi.Mode {
	switch o {
	case onlyInStock:
		return msapi.ModePositive
	case onlyNegative:
		return msapi.ModeNegative
	case onlyZero:
		return msapi.ModeEmpty
	case onlyAll:
	}
	return msapi.ModeAll
}

// fits checks a row against the selection, because the server's filter may be ignored.
func (o stockOnly) fits(stock decimal.Maybe) bool {
	switch o {
	case onlyInStock:
		return stock.Known && stock.Sign() > 0
	case onlyNegative:
		return stock.Known && stock.Sign() < 0
	case onlyZero:
		return stock.Known && stock.Sign() == 0
	case onlyAll:
	}
	return true
}

type stockOrder string

const (
	orderStock stockOrder = "stock"
	orderValue stockOrder = "value"
	orderName  stockOrder = "name"
)

func (stockOrder) Schema() *jsonschema.Schema {
	return tool.DescribedEnum("default: value", orderStock,
		orderValue, orderName)
}

func stockTool(a *account.Account) tool.Tool {
	return reading(a, "moysklad_stock",
		tool.Text{RU: "Остатки товаров", EN: "Stock of goods"},
		tool.Text{
			RU: "Сколько каких товаров на складах сейчас или на дату, на какую сумму по себестоимости, с резервом и " +
				"ожиданием; отрицательные и нулевые остатки.",
			EN: "Stock of goods, now or at the end of a day: quantity, reserve, on the way, value at cost. All " +
				"warehouses together; stock_by_store tells them apart.",
		}, (*call).stock).Requires(account.NeedStock, account.NeedCost)
}

func (c *call) stock(ctx context.Context, in stockInput) error {
	if in.Only == "" {
		if in.Only = onlyInStock; len(in.Products) > 0 {
			in.Only = onlyAll
		}
	}
	query := msapi.StockQuery{StockMode: in.Only.mode(), QuantityMode: msapi.ModeAll}
	day := account.Today(c.Env)
	if in.At != "" && in.At < day {
		query.Moment, day = account.DayEnd(in.At), in.At
	}
	s, err := c.Narrow(ctx, in.Stores, in.GoodsArgs)
	if err != nil {
		return err
	}
	if in.At == "" && onlyBundles(s) {
		return c.sets(ctx, s, in.Limit)
	}
	lines, currency, costHidden, err := c.stockLines(ctx, s, query,
		func(r msapi.StockRow) bool { return in.Only.fits(r.Stock) })
	if err != nil {
		return c.Refuse(err, account.SectionStock)
	}
	if in.Order == "" {
		if in.Order = orderValue; costHidden {
			in.Order = orderStock
		}
	}
	sortStock(lines, in.Order)
	c.stockAnswer(lines, s, in.Only, day, currency, costHidden)
	c.stockResult(lines, stockColumns(currency, costHidden, "article", "code", "group", "unit", "reserve", "in_transit",
		"available", "sale_sum", "stock_days"), in.Limit)
	c.Method("Отчёт «Остатки»: модификации отдельно, вложенные склады входят в родительский. Сумма — остаток × "+
		"себестоимость; свободно — остаток без резерва; доступно — свободно и ожидание.", "The stock report: variants "+
		"apart, nested warehouses within their parent. Value is stock × cost; free is stock without the reserve; "+
		"available is free and goods on the way.")
	return nil
}

func folderPath(f msapi.Ref) string {
	if f.PathName == "" || f.Name == "" {
		return f.Name + f.PathName
	}
	return f.PathName + "/" + f.Name
}

func (c *call) stockAnswer(lines []*goodsLine, s account.Filter, only stockOnly, day tool.Day, currency string,
	costHidden bool) {
	place := c.Places(s)
	when := ""
	if day != account.Today(c.Env) {
		when = c.Pick(" на конец "+day.Format(c.Lang), " at the end of "+day.Format(c.Lang))
	}
	if len(lines) == 0 {
		c.Notice(tool.NoticeEmpty, "Подходящих товаров в отчёте об остатках нет.", "No goods in the stock report fit.")
		what := only.words(c.Lang, 0)
		c.Result.Answer = c.Pick("Товаров"+what+" "+place+when+" нет.", "There are no items"+what+" "+place+when+".")
		return
	}
	sum := sumStock(lines)
	worth := c.stockWorth(sum, len(lines), only, currency, costHidden)
	if len(lines) == 1 && len(s.Goods) > 0 {
		g := lines[0]
		q := func(d decimal.Decimal) string { return tool.FormatQuantity(d, c.Lang) }
		c.Result.Answer = c.Pickf("%s %s%s: остаток %s, в резерве %s, свободно %s, ожидается %s.%s",
			"%s %s%s: %s in stock, %s reserved, %s free, %s on the way.%s", wording.InQuotes(g.Name, c.Lang), place,
			when, q(g.Stock.Decimal), q(g.Reserve.Decimal), q(g.free().Decimal), q(g.InTransit.Decimal), worth)
		return
	}
	amount := ", " + c.Pick("всего ", "in all ") + sum.stock.Text(c.Lang)
	switch only {
	case onlyZero: // there is nothing to add up
		amount = ""
	case onlyNegative:
		amount = ", " + c.Pick("в сумме ", "in all ") + sum.stock.Text(c.Lang)
	case onlyAll, onlyInStock:
	}
	var more []string
	if len(sum.reserve) > 0 {
		more = append(more, c.Pick("в резерве ", "reserved ")+sum.reserve.Text(c.Lang))
	}
	if len(sum.transit) > 0 {
		more = append(more, c.Pick("ожидается ", "on the way ")+sum.transit.Text(c.Lang))
	}
	if len(more) > 0 {
		amount += " (" + strings.Join(more, "; ") + ")"
	}
	c.Result.Answer = wording.Upper(place) + when + ": " + wording.NounTitle.Count(c.Lang, len(lines)) +
		only.words(c.Lang, len(lines)) + strings.TrimSuffix(amount, ".") + "." + worth
}

// words returns what follows the word "items" in an answer.
func (o stockOnly) words(l stockhand.Language, n int) string {
	switch o {
	case onlyInStock:
		return l.Pick(" с остатком больше нуля", " with stock above zero")
	case onlyNegative:
		return l.Pick(" с отрицательным остатком", " with negative stock")
	case onlyZero:
		return l.Pick(" с нулевым остатком", " with zero stock")
	case onlyAll:
	}
	if n == 0 {
		return l.Pick(" по этим условиям", " like that")
	}
	return ""
}

func (c *call) noticeUnvalued(goods int) {
	if goods > 0 {
		c.Notice(tool.NoticeCostPartial,
			fmt.Sprintf("Себестоимость неизвестна у %s: в сумме не учтено.", wording.NounItemOf.Count("ru", goods)),
			fmt.Sprintf("The cost of %s is unknown: not in the value.", wording.NounTitle.Count("en", goods)))
	}
}

// stockWorth returns the sentence about the value and adds a notice about missing costs.
func (c *call) stockWorth(sum stockSum, rows int, only stockOnly, currency string, costHidden bool) string {
	switch {
	case costHidden:
		return c.Pick(" Себестоимость скрыта правами сотрудника.", " Cost is hidden by the employee's rights.")
	case only == onlyZero:
		return ""
	case sum.unvalued == rows:
		return c.Pick(" Себестоимость неизвестна.", " The cost is unknown.")
	}
	c.noticeUnvalued(sum.unvalued)
	return c.Pick(" Стоимость по себестоимости: ", " Value at cost: ") + tool.FormatMoney(sum.value, currency, c.Lang) +
		"."
}
