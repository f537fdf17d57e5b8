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

// goodsLine is what is kept of a row of the extended stock report: an account may have a hundred thousand, so words
// that repeat are kept once and what follows from the numbers is computed when it is wanted.
type goodsLine struct {
	ID                  msapi.ID
	Name, Article, Code string
	group, unit         string
	Stock, Reserve      decimal.Maybe
	InTransit, Quantity decimal.Maybe
	StockDays           decimal.Maybe
	cost                decimal.Maybe // per unit, main units; unknown when hidden or zero
	salePrice           decimal.Maybe // main units; unknown when none is set
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

// hide takes back what the employee may not see.
func (g *goodsLine) hide() { g.cost, g.costHidden = decimal.Maybe{}, true }

// value is stock × cost: nothing when there is no stock, whatever the cost.
func (g *goodsLine) value() decimal.Maybe {
	if g.Stock.Known && g.Stock.Sign() == 0 && !g.costHidden {
		return decimal.Some(decimal.Zero)
	}
	return product(g.Stock, g.cost)
}

// free is stock − reserve.
func (g *goodsLine) free() decimal.Maybe {
	return decimal.Maybe{Decimal: g.Stock.Sub(g.Reserve.Decimal), Known: g.Stock.Known && g.Reserve.Known}
}

// product is known when both numbers are.
func product(x, y decimal.Maybe) decimal.Maybe {
	if !x.Known || !y.Known {
		return decimal.Maybe{}
	}
	return decimal.Some(x.Mul(y.Decimal))
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
	costs := costVisibility{rights: c.Rights}
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
			costs.observe(r.Cost)
			lines = append(lines, newGoodsLine(r, word))
		})
	})
	if err = work.Wait(); err != nil {
		return nil, "", false, err
	}
	if costHidden = costs.hidden(); costHidden {
		for _, g := range lines {
			g.hide()
		}
		if len(lines) > 0 { // a right that hides nothing here must not look like the reason for an empty answer
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

// stockSum is what lines come to together.
type stockSum struct {
	stock, reserve, free, transit, available, value, sales decimal.Decimal
	// lines whose value at cost, at the sale price, is unknown
	unvalued, unpriced int
}

func stockTotals(lines []*goodsLine) stockSum {
	var t stockSum
	for _, g := range lines {
		t.stock, t.reserve, t.free = t.stock.Add(g.Stock.Decimal), t.reserve.Add(g.Reserve.Decimal),
			t.free.Add(g.free().Decimal)
		t.transit, t.available = t.transit.Add(g.InTransit.Decimal), t.available.Add(g.Quantity.Decimal)
		value, sales := g.value(), product(g.Stock, g.salePrice)
		t.value, t.sales = t.value.Add(value.Decimal), t.sales.Add(sales.Decimal)
		if !value.Known {
			t.unvalued++
		}
		if !sales.Known {
			t.unpriced++
		}
	}
	return t
}

var costFields = []string{"cost", "cost_sum"}

// stockResult fills the table. It lets go of each line as its row is made, so that a large account is not in memory
// twice: lines are of no use afterwards.
func (c *call) stockResult(lines []*goodsLine, currency string, costHidden bool, limit account.Limit) {
	var hidden []string
	if costHidden {
		hidden = costFields
	}
	c.columns(hidden,
		field{"name", tool.UnitText, "Товар", "Item"}, field{"article", tool.UnitText, "Артикул", "Article"},
		field{"code", tool.UnitText, "Код", "Code"},
		field{"group", tool.UnitText, "Группа", "Group"}, field{"unit", tool.UnitText, "Ед.", "Unit"},
		field{"stock", tool.UnitQuantity, "Остаток", "Stock"}, field{"reserve", tool.UnitQuantity, "Резерв", "Reserve"},
		field{"free", tool.UnitQuantity, "Свободно", "Free"},
		field{"in_transit", tool.UnitQuantity, "Ожидание", "On the way"},
		field{"available", tool.UnitQuantity, "Доступно (с ожиданием)", "Available (with goods on the way)"},
		field{"stock_days", tool.UnitDays, "Дней на складе", "Days in stock"},
		field{"cost", tool.UnitMoney, "Себестоимость", "Cost"},
		field{"cost_sum", tool.UnitMoney, "Сумма себестоимости", "Value at cost"},
		field{"sale_price", tool.UnitMoney, "Цена продажи", "Sale price"},
		field{"sale_sum", tool.UnitMoney, "Сумма продажи", "Value at sale price"},
		field{"id", tool.UnitText, "ID", "ID"},
	)
	if len(lines) == 0 {
		return
	}
	t := stockTotals(lines)
	c.totals(map[string]tool.Value{
		"stock": tool.Number(t.stock), "reserve": tool.Number(t.reserve), "free": tool.Number(t.free),
		"in_transit": tool.Number(t.transit),
		"available":  tool.Number(t.available),
		// A sum of nothing known is not zero.
		"cost_sum": tool.MaybeMoney(decimal.Maybe{Decimal: t.value, Known: t.unvalued < len(lines)}, currency),
		"sale_sum": tool.MaybeMoney(decimal.Maybe{Decimal: t.sales, Known: t.unpriced < len(lines)}, currency),
	})
	shown := head(c, lines, limit)
	clear(lines[len(shown):])
	c.Result.Rows = make(tool.Rows, len(shown))
	for i, g := range shown {
		c.Result.Rows[i] = tool.Row{
			tool.TextValue(g.Name), tool.TextValue(g.Article), tool.TextValue(g.Code), tool.TextValue(g.group),
			tool.TextValue(g.unit),
			tool.MaybeNumber(g.Stock), tool.MaybeNumber(g.Reserve), tool.MaybeNumber(g.free()),
			tool.MaybeNumber(g.InTransit), tool.MaybeNumber(g.Quantity),
			tool.MaybeNumber(g.StockDays), tool.MaybeMoney(g.cost, currency), tool.MaybeMoney(g.value(), currency),
			tool.MaybeMoney(g.salePrice, currency), tool.MaybeMoney(product(g.Stock, g.salePrice), currency),
			tool.TextValue(string(g.ID)),
		}
		shown[i] = nil
	}
}
