package outlook

import (
	"cmp"
	"context"
	"math"
	"runtime"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/connector/moysklad/shortage"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/forecast"
	"github.com/stockhand/stockhand/internal/tool"
	"golang.org/x/sync/errgroup"
)

type input struct {
	account.StoresArg
	account.GoodsArgs
	Top     top     `json:"top,omitempty"`
	Days    horizon `json:"days,omitempty"`
	Weeks   weeks   `json:"weeks,omitempty"`
	History history `json:"history,omitempty"`
}

type (
	top     int
	horizon int
	weeks   int
	history int
)

func number(about string, least, most float64) *jsonschema.Schema {
	return &jsonschema.Schema{Type: "integer", Minimum: &least, Maximum: &most, Description: about}
}

func (top) Schema() *jsonschema.Schema {
	return number("by revenue; default: 50, or all named", 1,
		10_000)
}

func (horizon) Schema() *jsonschema.Schema {
	return number("today included; default: 14", 1, 180)
}

func (weeks) Schema() *jsonschema.Schema { return number("instead of days", 1, 26) }

func (history) Schema() *jsonschema.Schema {
	return number("days; default: 182; seasons need 730", forecast.LeastDays,
		mostHistory)
}

// Tools returns the tool that forecasts sales, bound to an account.
func Tools(a *account.Account) []tool.Tool {
	title := tool.Text{RU: "Прогноз продаж", EN: "Sales forecast"}
	t := tool.Read("moysklad_forecast", title, tool.Text{
		RU: "Сколько каких товаров продастся в ближайшие дни или недели и когда закончится остаток: с вероятными " +
			"границами и ошибкой прогноза на прошлых периодах.",
		EN: "Expected sales of the next days or weeks, and when stock runs out, with a range and the error of " +
			"past forecasts.",
	}, func(ctx context.Context, env tool.Env, in input) (*tool.Result, error) {
		ctx, c := account.Begin(ctx, a, env, title)
		if err := (&call{Call: c}).answer(ctx, in); err != nil {
			if err = c.Refuse(err, account.SectionOf(err)); err != nil {
				return nil, err
			}
		}
		if len(c.Result.Rows) == 0 {
			if err := c.CheckSuppliers(ctx); err != nil {
				return nil, err
			}
		}
		return c.Finish(), nil
	})
	needs := []tool.Need{account.NeedGoods, account.NeedStock, account.NeedProfitReport}
	for _, s := range saleTypes {
		needs = append(needs, tool.Need{Section: s.section,
			For: tool.Text{RU: "продажи по дням из этих документов", EN: "daily sales from these documents"}})
	}
	return []tool.Tool{t.Requires(needs...)}
}

// call is one call of the tool.
type call struct {
	*account.Call
	scope     account.Filter
	horizon   int
	history   *History
	unsold    int  // goods of the groups and suppliers that were not sold in the history
	stockSeen bool // the employee may see stock
}

// line is the forecast of one good.
type line struct {
	msapi.Ref
	code, article, unit string
	whole               bool // counted in pieces
	revenue             decimal.Decimal
	level               account.Level // in the chosen warehouses
	forecast            *forecast.Forecast
	why                 forecast.Reason
}

func (c *call) answer(ctx context.Context, in input) error {
	if in.Days > 0 && in.Weeks > 0 {
		return account.Invalid("weeks", c.Pick("назовите либо days, либо weeks", "give either days or weeks"))
	}
	c.horizon = cmp.Or(int(in.Days), 7*int(in.Weeks), shortage.DefaultHorizon)
	var err error
	if c.scope, err = c.Narrow(ctx, in.Stores, in.GoodsArgs); err != nil {
		return err
	}
	all, err := c.StoreList(ctx)
	if err != nil {
		return c.Refuse(err, account.SectionStores)
	}
	within := account.StoresWithin(c.scope.Stores, all)
	var stores []msapi.ID
	for k := range within {
		stores = append(stores, k.ID())
	}
	slices.Sort(stores)
	var members map[msapi.Key]bool // of the groups and suppliers; nil for all goods
	work, inner := errgroup.WithContext(ctx)
	work.Go(func() (err error) {
		c.history, err = Read(inner, c.Call, cmp.Or(int(in.History), DefaultHistory), stores, false)
		return err
	})
	if len(c.scope.Goods) == 0 && !c.scope.Everything() {
		work.Go(func() (err error) { members, err = c.members(inner); return })
	}
	if err := work.Wait(); err != nil {
		return err
	}
	c.Result.Provenance.Period = &c.history.Period
	lines := c.choose(members, int(in.Top))
	if err := c.describe(ctx, lines, within); err != nil {
		return err
	}
	compute(lines, c.history, c.horizon)
	c.show(lines)
	return nil
}

// members returns the goods of the groups and suppliers.
func (c *call) members(ctx context.Context) (map[msapi.Key]bool, error) {
	list := map[msapi.Key]bool{}
	q := msapi.AssortmentQuery{Types: []string{"product", "variant"}, Folders: c.scope.FolderIDs(),
		Suppliers: c.scope.SupplierIDs(), Archived: msapi.ArchivedAlso}
	return list, account.Each(c.Call, c.Reader.Assortment(ctx, q),
		func(x msapi.AssortmentItem) { list[x.ID.Key()] = true })
}

// choose returns the goods to forecast, highest revenue first: the named ones, or those sold within the groups and
// suppliers. Bundles are forecast only by name, because their components are.
func (c *call) choose(members map[msapi.Key]bool, most int) []*line {
	var lines []*line
	for _, g := range c.scope.Goods {
		l := &line{Ref: g}
		if s := c.history.sold[account.StockKey{Good: g.ID.Key()}]; s != nil {
			l.revenue = s.revenue
		}
		lines = append(lines, l)
	}
	if len(c.scope.Goods) == 0 {
		c.unsold = len(members)
		for k, s := range c.history.sold {
			if s.good.Type == "bundle" || members != nil && !members[k.Good] {
				continue
			}
			lines = append(lines, &line{Ref: s.good, revenue: s.revenue})
			c.unsold--
		}
		if most == 0 && c.scope.Everything() {
			most = 50
		}
	}
	slices.SortFunc(lines, func(x, y *line) int {
		return cmp.Or(y.revenue.Cmp(x.revenue), strings.Compare(string(x.ID), string(y.ID)))
	})
	if most > 0 && most < len(lines) {
		if members == nil && len(c.scope.Goods) == 0 {
			c.Noticef(tool.NoticeTruncated, "Взяты %d товаров с наибольшей выручкой из %d проданных за историю.",
				"The %d goods with the highest revenue of %d sold in the history were taken.", most, len(lines))
		} else {
			c.Noticef(tool.NoticeTruncated, "Взяты %d товаров с наибольшей выручкой из %d.",
				"The %d goods with the highest revenue of %d were taken.", most, len(lines))
		}
		lines = lines[:most]
	}
	return lines
}

// describe reads names, units and stock.
func (c *call) describe(ctx context.Context, lines []*line, within map[msapi.Key]bool) error {
	keys := map[msapi.Key]bool{}
	stocked := account.Filter{}
	for _, l := range lines {
		keys[l.ID.Key()] = true
		if l.Type != "bundle" && l.Type != "service" {
			stocked.Goods = append(stocked.Goods, l.Ref)
		}
	}
	c.Unstocked(c.scope)
	var items map[msapi.Key]msapi.AssortmentItem
	levels := map[account.StockKey]account.Level{}
	var unitName func(msapi.ID) string
	work, inner := errgroup.WithContext(ctx)
	work.Go(func() (err error) { items, err = c.DescribeWithProducts(inner, keys); return })
	work.Go(func() (err error) { unitName, err = c.UnitName(inner); return })
	if len(stocked.Goods) > 0 {
		work.Go(func() (err error) {
			levels, _, err = c.Levels(inner, stocked, within)
			c.stockSeen = err == nil
			if c.Denied(err, account.SectionStock) {
				return nil
			}
			return err
		})
	}
	if err := work.Wait(); err != nil {
		return err
	}
	sums := map[msapi.Key]account.Level{}
	for k, level := range levels {
		sums[k.Good] = sums[k.Good].Add(level)
	}
	for _, l := range lines {
		x := items[l.ID.Key()]
		unit := cmp.Or(x.Unit.ID, items[x.Product.ID.Key()].Unit.ID)
		l.Name, l.code, l.article = cmp.Or(x.Name, l.Name, string(l.ID)), x.Code, x.Article
		l.unit, l.level = unitName(unit), sums[l.ID.Key()]
		l.whole = !shortage.Divisible(l.unit)
	}
	return nil
}

// compute forecasts all lines, on all processors: ten thousand take seconds on one.
func compute(lines []*line, h *History, days int) {
	var work errgroup.Group
	work.SetLimit(runtime.GOMAXPROCS(0))
	for part := range slices.Chunk(lines, 64) {
		work.Go(func() error {
			for _, l := range part {
				l.forecast, l.why = h.Forecast(account.StockKey{Good: l.ID.Key()}, days)
			}
			return nil
		})
	}
	_ = work.Wait() // the functions return no error
}

// estimate converts a computed number to a decimal of a few places.
func estimate(x float64, places int) decimal.Decimal {
	scale := int64(math.Pow10(places))
	return decimal.FromInt(int64(math.Round(x * float64(scale)))).Div(decimal.FromInt(scale))
}
