package report

import (
	"context"
	"slices"

	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
	"golang.org/x/sync/errgroup"
)

// goodsLine is a compact row of the extended stock report. An account may have a hundred thousand rows, so repeated
// strings are shared, and derived figures are computed on demand.
type goodsLine struct {
	ID                  msapi.ID
	Name, Article, Code string
	group, unit         string
	Stock, Reserve      decimal.Maybe
	InTransit, Quantity decimal.Maybe
	StockDays           decimal.Maybe
	cost                decimal.Maybe // per unit in main units; unknown if hidden or zero
	salePrice           decimal.Maybe // main units; unknown if none is set
	costHidden          bool
}

func newGoodsLine(r msapi.StockRow, word func(string) string) *goodsLine {
	g := &goodsLine{
		ID: r.ID, Name: r.Name, Article: r.Article, Code: r.Code, group: word(folderPath(r.Folder)), unit: word(r.Unit),
		Stock: r.Stock, Reserve: r.Reserve, InTransit: r.InTransit, Quantity: r.Quantity, StockDays: r.StockDays,
	}
	if r.Cost.Known && r.Cost.Sign() > 0 {
		g.cost = decimal.Some(r.Cost.Major())
	}
	if r.SalePrice.Known && r.SalePrice.Sign() > 0 {
		g.salePrice = decimal.Some(r.SalePrice.Major())
	}
	return g
}

// hide removes what the employee may not see.
func (g *goodsLine) hide() { g.cost, g.costHidden = decimal.Maybe{}, true }

// value returns stock × cost: zero if there is no stock, even if the cost is unknown.
func (g *goodsLine) value() decimal.Maybe {
	if g.Stock.Known && g.Stock.Sign() == 0 && !g.costHidden {
		return decimal.Some(decimal.Zero)
	}
	return account.Product(g.Stock, g.cost)
}

// free returns stock − reserve.
func (g *goodsLine) free() decimal.Maybe {
	return decimal.Maybe{Decimal: g.Stock.Sub(g.Reserve.Decimal), Known: g.Stock.Known && g.Reserve.Known}
}

// stockLines reads the extended stock report and everything needed to show it.
func (c *call) stockLines(ctx context.Context, s account.Filter, q msapi.StockQuery, fits func(msapi.StockRow) bool) (
	lines []*goodsLine, currency string, costHidden bool, err error) {
	q.Stores, q.Folders, q.Suppliers = s.StoreIDs(), s.FolderIDs(), s.SupplierIDs()
	if len(s.Goods) > 0 {
		q.Products, q.Variants, q.Archived = s.GoodsOf("product"), s.GoodsOf("variant"), msapi.ArchivedAlso
		if c.Unstocked(s); len(q.Products)+len(q.Variants) == 0 {
			currency, _, err = c.AccountCurrency(ctx)
			return nil, currency, !c.Rights.Has(account.RightCost), err
		}
	}
	work, inner := errgroup.WithContext(ctx)
	work.Go(func() (err error) { currency, _, err = c.AccountCurrency(inner); return })
	costs := account.CostVisibility{Rights: c.Rights}
	seen := map[msapi.Key]bool{}
	words := map[string]string{}
	word := func(s string) string {
		if _, ok := words[s]; !ok {
			words[s] = s
		}
		return words[s]
	}
	work.Go(func() error {
		return account.Each(c.Call, c.Reader.StockAll(inner, q), func(r msapi.StockRow) {
			if k := r.ID.Key(); seen[k] || !fits(r) {
				return
			}
			seen[r.ID.Key()] = true
			costs.Observe(r.Cost)
			lines = append(lines, newGoodsLine(r, word))
		})
	})
	if err = work.Wait(); err != nil {
		return nil, "", false, err
	}
	if costHidden = costs.Hidden(); costHidden {
		for _, g := range lines {
			g.hide()
		}
		if len(lines) > 0 { // without rows, the missing right would look like the reason for the empty answer
			c.Missing(account.SectionCost, "себестоимость и сумма остатков по ней не показаны",
				"cost and the value of stock at cost are not shown")
		}
	}
	if len(s.Goods) == 0 {
		c.Notice(tool.NoticeArchived, "Архивные товары не учтены.", "Archived goods are left out.")
	}
	return lines, currency, costHidden, nil
}

func sortStock(lines []*goodsLine, by stockOrder) {
	slices.SortStableFunc(lines, func(x, y *goodsLine) int {
		var d int
		switch by {
		case orderValue:
			d = account.Descending(x.value(), y.value())
		case orderStock:
			d = account.Descending(x.Stock, y.Stock)
		case orderName:
		}
		return account.Tie(d, x.Name, y.Name, x.ID, y.ID)
	})
}

// stockSum is the total of the lines, with quantities by unit of measure.
type stockSum struct {
	stock, reserve, transit account.QuantityByUnit
	value                   decimal.Decimal
	unvalued                int // lines whose value at cost is unknown
}

func sumStock(lines []*goodsLine) stockSum {
	t := stockSum{stock: account.QuantityByUnit{}, reserve: account.QuantityByUnit{}, transit: account.QuantityByUnit{}}
	for _, g := range lines {
		t.stock.Add(g.unit, g.Stock.Decimal)
		if g.Reserve.Sign() != 0 {
			t.reserve.Add(g.unit, g.Reserve.Decimal)
		}
		if g.InTransit.Sign() != 0 {
			t.transit.Add(g.unit, g.InTransit.Decimal)
		}
		value := g.value()
		t.value = t.value.Add(value.Decimal)
		if !value.Known {
			t.unvalued++
		}
	}
	return t
}

// stockColumns returns the columns of the stock of goods. Details are the columns shown only if there is room, which
// differ between the tools.
func stockColumns(currency string, costHidden bool, details ...string) []column[*goodsLine] {
	unit := func(g *goodsLine) string { return g.unit }
	amount := func(name, ru, en string, cell func(*goodsLine) decimal.Maybe) column[*goodsLine] {
		return withSumByUnit(quantity(name, ru, en, cell), unit)
	}
	columns := []column[*goodsLine]{
		text("name", "Товар", "Item", func(g *goodsLine) string { return g.Name }),
		text("article", "Артикул", "Article", func(g *goodsLine) string { return g.Article }),
		text("code", "Код", "Code", func(g *goodsLine) string { return g.Code }),
		text("group", "Группа", "Group", func(g *goodsLine) string { return g.group }),
		text("unit", "Ед.", "Unit", unit),
		amount("stock", "Остаток", "Stock", func(g *goodsLine) decimal.Maybe { return g.Stock }),
		amount("reserve", "Резерв", "Reserve", func(g *goodsLine) decimal.Maybe { return g.Reserve }),
		amount("free", "Свободно", "Free", (*goodsLine).free),
		amount("in_transit", "Ожидание", "On the way", func(g *goodsLine) decimal.Maybe { return g.InTransit }),
		amount("available", "Доступно (с ожиданием)", "Available (with goods on the way)",
			func(g *goodsLine) decimal.Maybe { return g.Quantity }),
		cells("stock_days", tool.UnitDays, "Дней на складе", "Days in stock",
			func(g *goodsLine) tool.Value { return tool.MaybeNumber(g.StockDays) }),
		money("cost", "Себестоимость", "Cost", currency, func(g *goodsLine) decimal.Maybe { return g.cost }).
			HiddenIf(costHidden),
		money("cost_sum", "Сумма себестоимости", "Value at cost", currency, (*goodsLine).value).
			HiddenIf(costHidden).WithSum(),
		money("sale_price", "Цена продажи", "Sale price", currency,
			func(g *goodsLine) decimal.Maybe { return g.salePrice }),
		money("sale_sum", "Сумма продажи", "Value at sale price", currency,
			func(g *goodsLine) decimal.Maybe { return account.Product(g.Stock, g.salePrice) }).WithSum(),
		text("id", "ID", "ID", func(g *goodsLine) string { return string(g.ID) }),
	}
	for i := range columns {
		columns[i].Detail = slices.Contains(details, columns[i].Name)
	}
	return columns
}

// stockResult fills the table. It releases each line after making its row, so that a large account is not in memory
// twice. The lines cannot be used afterwards.
func (c *call) stockResult(lines []*goodsLine, columns []column[*goodsLine], limit account.Limit) {
	tool.SetColumns(c.Result, c.Lang, columns, lines)
	c.NoticeUnits(sumStock(lines).stock)
	shown := head(c, lines, limit)
	clear(lines[len(shown):])
	c.Result.Rows = make(tool.Rows, len(shown))
	for i, g := range shown {
		c.Result.Rows[i] = tool.Cells(columns, g)
		shown[i] = nil
	}
}
