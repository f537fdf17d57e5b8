package moysklad

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	"golang.org/x/sync/errgroup"

	"github.com/stockhand/stockhand/internal/connector/moysklad/remap"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

type stockInput struct {
	storesArg
	goodsArgs
	Only  stockOnly  `json:"only,omitempty"`
	At    tool.Day   `json:"at,omitempty" jsonschema:"stock at the end of that day; absent: now"`
	Order stockOrder `json:"order,omitempty"`
	limitArg
}

type stockOnly string

const (
	onlyAll      stockOnly = "all"
	onlyInStock  stockOnly = "in_stock"
	onlyNegative stockOnly = "negative"
	onlyZero     stockOnly = "zero"
)

// Schema lists the values.
func (stockOnly) Schema() *jsonschema.Schema {
	s := tool.Enum(onlyAll, onlyInStock, onlyNegative, onlyZero)
	s.Description = "which goods; default: in_stock, and all when goods are named"
	return s
}

func (o stockOnly) mode() remap.Mode {
	switch o {
	case onlyInStock:
		return remap.ModePositive
	case onlyNegative:
		return remap.ModeNegative
	case onlyZero:
		return remap.ModeEmpty
	case onlyAll:
	}
	return remap.ModeAll
}

// fits checks a row against the selection, whatever the server made of it.
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

// Schema lists the values.
func (stockOrder) Schema() *jsonschema.Schema {
	s := tool.Enum(orderStock, orderValue, orderName)
	s.Description = "what to sort by; default: value where cost is visible, else stock"
	return s
}

func (a *account) stockTool() tool.Tool {
	return reading(a, "moysklad_stock",
		tool.Text{RU: "Остатки товаров", EN: "Stock of goods"},
		tool.Text{
			RU: "Сколько каких товаров на складах сейчас или на дату, на какую сумму по себестоимости, с резервом и ожиданием; отрицательные и нулевые остатки.",
			EN: "How much of which goods is in stock now or on a day, its value at cost, with reserve and goods on the way; negative and zero stock.",
		}, (*call).stock)
}

// goodsLine is a row of the extended stock report made ready.
type goodsLine struct {
	remap.StockRow
	cost     decimal.Maybe // per unit, main units; unknown when hidden or zero
	value    decimal.Maybe // stock × cost
	saleSum  decimal.Maybe
	free     decimal.Maybe // stock − reserve
	sellable decimal.Maybe
}

func (c *call) stock(ctx context.Context, in stockInput) error {
	if in.Only == "" {
		if in.Only = onlyInStock; len(in.Products) > 0 {
			in.Only = onlyAll
		}
	}
	query := remap.StockQuery{StockMode: in.Only.mode(), QuantityMode: remap.ModeAll}
	day := today(c.env)
	if in.At != "" {
		if in.At.Time().IsZero() {
			return invalid("at", "expected an existing day, YYYY-MM-DD")
		}
		if in.At < day {
			query.Moment, day = last(in.At), in.At
		}
	}
	s, err := c.narrow(ctx, in.Stores, in.goodsArgs)
	if err != nil {
		return err
	}
	lines, currency, costHidden, err := c.stockLines(ctx, s, query, func(r remap.StockRow) bool { return in.Only.fits(r.Stock) })
	if err != nil {
		return c.refuse(err, sectionStock)
	}
	if in.Order == "" {
		if in.Order = orderValue; costHidden {
			in.Order = orderStock
		}
	}
	sortStock(lines, in.Order)
	c.stockResult(lines, currency, costHidden, in.Limit)
	c.stockAnswer(lines, s, in.Only, day, currency, costHidden)
	c.method(
		"Расширенный отчёт «Остатки» (1000 строк за запрос): товары и модификации отдельными строками. Сумма — остаток × себестоимость единицы; свободно — остаток минус резерв; «доступно» МойСклад считает вместе с ожиданием. Вложенные склады входят в родительский.",
		"The extended stock report (1,000 rows a request): goods and variants in rows of their own. Value is stock × cost of a unit; free is stock minus reserve; what MoySklad calls available includes goods on the way. Nested warehouses count in their parent.")
	return nil
}

// stockLines reads the extended stock report and everything needed to show it.
func (c *call) stockLines(ctx context.Context, s scope, q remap.StockQuery, fits func(remap.StockRow) bool) (lines []goodsLine, currency string, costHidden bool, err error) {
	q.Stores, q.Folders, q.Suppliers = s.storeIDs(), s.folderIDs(), s.supplierIDs()
	if len(s.goods) > 0 {
		q.Products, q.Variants, q.Archived = s.goodsOf("product"), s.goodsOf("variant"), remap.ArchivedAlso
		if c.unstocked(s); len(q.Products)+len(q.Variants) == 0 {
			currency, _, err = c.accountCurrency(ctx)
			return nil, currency, !c.rights.has(rightCost), err
		}
	}
	work, inner := errgroup.WithContext(ctx)
	work.Go(func() (err error) { currency, _, err = c.accountCurrency(inner); return })
	costs := costSight{rights: c.rights}
	seen := map[remap.Key]bool{}
	work.Go(func() error {
		return each(c, c.reader.StockAll(inner, q), func(r remap.StockRow) {
			if k := r.ID.Key(); seen[k] || !fits(r) {
				return
			}
			seen[r.ID.Key()] = true
			costs.look(r.Cost)
			lines = append(lines, goodsLine{StockRow: r})
		})
	})
	if err = work.Wait(); err != nil {
		return nil, "", false, err
	}
	costHidden = costs.hidden()
	for i := range lines {
		lines[i].count(costHidden)
	}
	if costHidden {
		c.missing(sectionCost, "себестоимость и сумма остатков по ней не показаны", "cost and the value of stock at cost are not shown")
	}
	if len(s.goods) == 0 {
		c.notice(tool.NoticeArchived, "Архивные товары не учтены.", "Archived goods are left out.")
	}
	return lines, currency, costHidden, nil
}

// count fills what follows from a row.
func (g *goodsLine) count(costHidden bool) {
	if !costHidden && g.Cost.Known && g.Cost.Sign() > 0 {
		g.cost = decimal.Some(g.Cost.Major())
	}
	if g.cost.Known && g.Stock.Known {
		g.value = decimal.Some(g.Stock.Mul(g.cost.Decimal))
	}
	if g.Stock.Known && g.Stock.Sign() == 0 {
		g.value = decimal.Some(decimal.Zero)
	}
	if costHidden {
		g.value = decimal.Maybe{}
	}
	if g.SalePrice.Known && g.SalePrice.Sign() > 0 {
		g.sellable = decimal.Some(g.SalePrice.Major())
		if g.Stock.Known {
			g.saleSum = decimal.Some(g.Stock.Mul(g.sellable.Decimal))
		}
	}
	if g.Stock.Known && g.Reserve.Known {
		g.free = decimal.Some(g.Stock.Sub(g.Reserve.Decimal))
	}
}

// costSight tells a hidden cost from an unknown one. The server shows a hidden cost as absent, maybe as zero
// (reference, section 7.2): it is hidden when not one row has a cost and the right is not there, or when the field
// never came.
type costSight struct {
	rights              rights
	rows, came, nonzero int
}

func (s *costSight) look(cost decimal.Maybe) {
	s.rows++
	if cost.Known {
		s.came++
		if cost.Sign() != 0 {
			s.nonzero++
		}
	}
}

func (s *costSight) hidden() bool {
	if s.nonzero > 0 {
		return false
	}
	return !s.rights.has(rightCost) || s.rows > 0 && s.came == 0
}

// unstocked says which of the named goods have no stock of their own.
func (c *call) unstocked(s scope) {
	var names []string
	for _, g := range s.goods {
		if g.Type == "bundle" || g.Type == "service" {
			names = append(names, g.Name)
		}
	}
	if len(names) > 0 {
		c.notice(tool.NoticePartial,
			"У комплектов и услуг нет собственного остатка: "+quoted(names, "ru")+".",
			"Bundles and services have no stock of their own: "+quoted(names, "en")+".")
	}
}

func sortStock(lines []goodsLine, by stockOrder) {
	slices.SortStableFunc(lines, func(x, y goodsLine) int {
		var d int
		switch by {
		case orderValue:
			d = descending(x.value, y.value)
		case orderStock:
			d = descending(x.Stock, y.Stock)
		case orderName:
		}
		return tie(d, x.Name, y.Name, x.ID, y.ID)
	})
}

// descending orders greater numbers first and unknown ones last.
func descending(x, y decimal.Maybe) int {
	switch {
	case x.Known && y.Known:
		return y.Cmp(x.Decimal)
	case x.Known:
		return -1
	case y.Known:
		return 1
	}
	return 0
}

var costFields = []string{"cost", "cost_sum"}

// stockResult fills the table.
func (c *call) stockResult(lines []goodsLine, currency string, costHidden bool, limit Limit) {
	var hidden []string
	if costHidden {
		hidden = costFields
	}
	c.columns(hidden,
		field{"name", tool.UnitText, "Товар", "Item"}, field{"article", tool.UnitText, "Артикул", "Article"}, field{"code", tool.UnitText, "Код", "Code"},
		field{"group", tool.UnitText, "Группа", "Group"}, field{"unit", tool.UnitText, "Ед.", "Unit"},
		field{"stock", tool.UnitQuantity, "Остаток", "Stock"}, field{"reserve", tool.UnitQuantity, "Резерв", "Reserve"},
		field{"free", tool.UnitQuantity, "Свободно", "Free"}, field{"in_transit", tool.UnitQuantity, "Ожидание", "On the way"},
		field{"available", tool.UnitQuantity, "Доступно (с ожиданием)", "Available (with goods on the way)"},
		field{"cost", tool.UnitMoney, "Себестоимость", "Cost"}, field{"cost_sum", tool.UnitMoney, "Сумма себестоимости", "Value at cost"},
		field{"sale_price", tool.UnitMoney, "Цена продажи", "Sale price"}, field{"sale_sum", tool.UnitMoney, "Сумма продажи", "Value at sale price"},
		field{"stock_days", tool.UnitDays, "Дней на складе", "Days in stock"}, field{"id", tool.UnitText, "ID", "ID"},
	)
	var stock, reserve, free, transit, available, value, sales decimal.Decimal
	for _, g := range lines {
		stock, reserve, free = stock.Add(g.Stock.Decimal), reserve.Add(g.Reserve.Decimal), free.Add(g.free.Decimal)
		transit, available = transit.Add(g.InTransit.Decimal), available.Add(g.Quantity.Decimal)
		value, sales = value.Add(g.value.Decimal), sales.Add(g.saleSum.Decimal)
	}
	for _, g := range head(c, lines, limit) {
		c.result.Rows = append(c.result.Rows, tool.Row{
			tool.TextValue(g.Name), tool.TextValue(g.Article), tool.TextValue(g.Code), tool.TextValue(folderPath(g.Folder)), tool.TextValue(g.Unit),
			tool.MaybeNumber(g.Stock), tool.MaybeNumber(g.Reserve), tool.MaybeNumber(g.free), tool.MaybeNumber(g.InTransit), tool.MaybeNumber(g.Quantity),
			tool.MaybeMoney(g.cost, currency), tool.MaybeMoney(g.value, currency), tool.MaybeMoney(g.sellable, currency), tool.MaybeMoney(g.saleSum, currency),
			tool.MaybeNumber(g.StockDays), tool.TextValue(string(g.ID)),
		})
	}
	if len(lines) == 0 {
		return
	}
	c.totals(map[string]tool.Value{
		"stock": tool.Number(stock), "reserve": tool.Number(reserve), "free": tool.Number(free), "in_transit": tool.Number(transit),
		"available": tool.Number(available), "cost_sum": tool.Money(value, currency), "sale_sum": tool.Money(sales, currency),
	})
}

func folderPath(f remap.Ref) string {
	if f.PathName == "" || f.Name == "" {
		return f.Name + f.PathName
	}
	return f.PathName + "/" + f.Name
}

// place names the warehouses of a question: "на складе «Основной»".
func (c *call) place(s scope) string {
	if len(s.stores) == 0 {
		return c.pick("на всех складах", "in all warehouses")
	}
	names := make([]string, len(s.stores))
	for i, store := range s.stores {
		names[i] = store.Name
	}
	return c.pick("на "+nounStoreIn.form(c.l, len(names))+" "+quoted(names, c.l), "in "+nounStoreIn.form(c.l, len(names))+" "+quoted(names, c.l))
}

func (c *call) stockAnswer(lines []goodsLine, s scope, only stockOnly, day tool.Day, currency string, costHidden bool) {
	place := c.place(s)
	when := ""
	if day != today(c.env) {
		when = c.pick(" на конец "+day.Format(c.l), " at the end of "+day.Format(c.l))
	}
	if len(lines) == 0 {
		c.notice(tool.NoticeEmpty, "Подходящих товаров в отчёте об остатках нет.", "No goods in the stock report fit.")
		c.result.Answer = c.pick("Подходящих товаров "+place+when+" нет.", "There are no such goods "+place+when+".")
		return
	}
	var stock, reserve, transit, value decimal.Decimal
	unknown := 0
	for _, g := range lines {
		stock, reserve, transit, value = stock.Add(g.Stock.Decimal), reserve.Add(g.Reserve.Decimal), transit.Add(g.InTransit.Decimal), value.Add(g.value.Decimal)
		if !costHidden && !g.value.Known {
			unknown++
		}
	}
	var worth string
	switch {
	case costHidden:
		worth = c.pick(" Себестоимость скрыта правами сотрудника.", " Cost is hidden by the employee's rights.")
	case unknown == len(lines):
		worth = c.pick(" Себестоимость неизвестна.", " The cost is unknown.")
	default:
		worth = c.pick(" Стоимость по себестоимости: ", " Value at cost: ") + tool.FormatMoney(value, currency, c.l) + "."
	}
	if unknown > 0 && unknown < len(lines) {
		c.notice(tool.NoticeCostPartial,
			fmt.Sprintf("Себестоимость неизвестна у %s: в сумме их нет.", nounItemOf.count("ru", unknown)),
			fmt.Sprintf("The cost of %s is unknown: the value does not include them.", nounItem.count("en", unknown)))
	}
	q := func(d decimal.Decimal) string { return tool.FormatQuantity(d, c.l) }
	if len(lines) == 1 && len(s.goods) > 0 {
		g := lines[0]
		c.result.Answer = c.pick(
			fmt.Sprintf("«%s» %s%s: остаток %s, в резерве %s, свободно %s, ожидается %s.%s", g.Name, place, when, q(stock), q(reserve), q(stock.Sub(reserve)), q(transit), worth),
			fmt.Sprintf("“%s” %s%s: %s in stock, %s reserved, %s free, %s on the way.%s", g.Name, place, when, q(stock), q(reserve), q(stock.Sub(reserve)), q(transit), worth))
		return
	}
	what := map[stockOnly][2]string{
		onlyAll: {"", ""}, onlyInStock: {" с остатком", " in stock"}, onlyNegative: {" с отрицательным остатком", " with negative stock"}, onlyZero: {" с нулевым остатком", " with zero stock"},
	}[only]
	c.result.Answer = c.pick(
		fmt.Sprintf("%s%s: %s%s, всего %s ед. (в резерве %s, ожидается %s).%s", upper(place), when, nounItem.count(c.l, len(lines)), what[0], q(stock), q(reserve), q(transit), worth),
		fmt.Sprintf("%s%s: %s%s, %s units in all (%s reserved, %s on the way).%s", upper(place), when, nounItem.count(c.l, len(lines)), what[1], q(stock), q(reserve), q(transit), worth))
}

// upper makes a sentence of its beginning.
func upper(s string) string {
	r := []rune(s)
	return strings.ToUpper(string(r[:1])) + string(r[1:])
}
