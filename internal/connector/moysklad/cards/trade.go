package cards

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/documents"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/connector/moysklad/shortage"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

// dealing is a document, and how much of a good it has, in the document's currency.
type dealing struct {
	msapi.Document
	quantity, sum, price decimal.Maybe
}

// title names the document by its type and number.
func (c *call) title(d *msapi.Document) string {
	return documents.NameOf(d.Kind).In(c.Lang) + " " + d.Name
}

// How many of the latest documents a card shows.
const (
	latestSales     = 5
	latestPurchases = 3
	latestDocuments = 10
)

// goodsPerFilter is how many goods certainly fit into one filter: the newest documents of more are read in parts.
const goodsPerFilter = 40

// newest reads the newest posted documents of some types with the good, at most n of each type.
func (c *call) newest(ctx context.Context, p *product, n int, kinds ...string) ([]dealing, error) {
	lists := make([][]dealing, len(kinds))
	work, inner := errgroup.WithContext(ctx)
	posted := true
	for i, kind := range kinds {
		work.Go(func() error {
			for goods := range slices.Chunk(p.refs, goodsPerFilter) {
				q := msapi.DocumentQuery{Posted: &posted, Goods: goods, Positions: true, Named: true, Newest: n}
				err := account.Each(c.Call, c.Reader.Documents(inner, kind, q), func(d msapi.Document) {
					x := dealing{Document: d}
					if x.quantity, x.sum = account.GoodsIn(&d, p.is); x.quantity.Known && d.Posted() {
						x.price = perUnit(x.sum, x.quantity)
						x.Positions = nil
						lists[i] = append(lists[i], x)
					}
				})
				if err != nil {
					return err
				}
			}
			return nil
		})
	}
	err := work.Wait()
	all := slices.Concat(lists...)
	slices.SortFunc(all, func(x, y dealing) int { return newestFirst(&x.Document, &y.Document) })
	all = slices.CompactFunc(all, func(x, y dealing) bool { return x.ID == y.ID }) // with goods of several parts
	return all[:min(n, len(all))], err
}

func newestFirst(x, y *msapi.Document) int {
	return cmp.Or(y.Moment.Compare(x.Moment.Time), strings.Compare(x.Kind, y.Kind), strings.Compare(y.Name, x.Name),
		strings.Compare(string(x.ID), string(y.ID)))
}

// perUnit returns a sum divided by a quantity, rounded to kopecks.
func perUnit(sum, quantity decimal.Maybe) decimal.Maybe {
	if !sum.Known || !quantity.Known || quantity.Sign() == 0 {
		return decimal.Maybe{}
	}
	return decimal.Some(sum.Div(quantity.Decimal).Round(2))
}

// readLatest reads the latest sales and purchases of the good.
func (c *call) readLatest(ctx context.Context, p *product) error {
	work, inner := errgroup.WithContext(ctx)
	work.Go(func() error {
		var lists [2][]dealing
		var seen [2]bool
		both, inner := errgroup.WithContext(inner)
		for i, kind := range []string{"demand", "retaildemand"} {
			both.Go(func() (err error) {
				lists[i], err = c.newest(inner, p, latestSales, kind)
				seen[i], err = c.seen(err, account.SectionAt("entity/"+kind), "последние продажи показаны без них",
					"the latest sales are shown without them")
				return err
			})
		}
		err := both.Wait()
		p.sales, p.seesSales = slices.Concat(lists[0], lists[1]), seen[0] && seen[1]
		slices.SortFunc(p.sales, func(x, y dealing) int { return newestFirst(&x.Document, &y.Document) })
		p.sales = p.sales[:min(latestSales, len(p.sales))]
		return err
	})
	if p.stocked() {
		work.Go(func() (err error) {
			p.purchases, err = c.newest(inner, p, latestPurchases, "supply")
			_, err = c.seen(err, account.SectionAt("entity/supply"), "последние закупки не показаны",
				"the latest purchases are not shown")
			return err
		})
	}
	return work.Wait()
}

// pace is how a good sells in the period.
type pace struct {
	sold, returned decimal.Decimal
	inBundles      decimal.Maybe // of the good, net of returns; unknown if bundles are hidden
	revenue        decimal.Maybe // net of returns, in main units; unknown from the turnover
	bundled        bool          // sales in bundles are among those of the good, as in the turnover
}

// net returns what left the stock: sales less returns, with what bundles took.
func (x *pace) net() decimal.Maybe {
	return decimal.Maybe{Decimal: x.sold.Sub(x.returned).Add(x.inBundles.Decimal), Known: x.inBundles.Known}
}

// readPace reads the sales of the period, of the good and of the bundles with it: one request. Without the right, it
// takes the turnover, where bundles count as what they consist of.
func (c *call) readPace(ctx context.Context, p *product) error {
	q := msapi.ProfitQuery{Period: account.ReportPeriod(c.period), Goods: slices.Clone(p.refs)}
	by := msapi.ProfitByProduct
	if p.Type == "variant" {
		by = msapi.ProfitByVariant
	}
	if len(q.Goods) > goodsPerFilter && by == msapi.ProfitByProduct {
		q.Goods = q.Goods[:1] // two requests would divide the row of the product, which has all of its variants
	}
	per := map[msapi.ID]decimal.Decimal{}
	for _, b := range p.bundles {
		q.Goods = append(q.Goods, msapi.Ref{Type: "bundle", ID: b.id})
		per[b.id] = b.quantity
	}
	x := &pace{revenue: decimal.Some(decimal.Zero), inBundles: decimal.Some(decimal.Zero)}
	err := account.Each(c.Call, c.Reader.Profit(ctx, by, q), func(r msapi.ProfitRow) {
		net := r.SellQuantity.Sub(r.ReturnQuantity.Decimal)
		switch quantity, bundle := per[r.Subject.ID]; {
		case bundle:
			x.inBundles = decimal.Some(x.inBundles.Add(net.Mul(quantity)))
		case p.is(r.Subject.ID):
			x.sold, x.returned = x.sold.Add(r.SellQuantity.Decimal), x.returned.Add(r.ReturnQuantity.Decimal)
			x.revenue = decimal.Some(x.revenue.Add(r.SellSum.Sub(r.ReturnSum.Decimal).Major()))
		}
	})
	if msapi.IsForbidden(err) && p.stocked() {
		x = &pace{bundled: true, inBundles: decimal.Some(decimal.Zero)}
		turnover := msapi.TurnoverQuery{Period: account.ReportPeriod(c.period), GroupBy: msapi.ByVariant,
			Filter: msapi.Filter{}.Where("type", msapi.Eq, shortage.SaleTypes...)}
		var rows []msapi.TurnoverRow
		rows, err = c.TurnoverRows(ctx, turnover, account.Filter{Goods: p.refs})
		for _, r := range rows {
			if p.is(r.Assortment.ID) { // these documents only contain returns
				x.sold, x.returned = x.sold.Add(r.Outcome.Quantity.Decimal), x.returned.Add(r.Income.Quantity.Decimal)
			}
		}
		if err == nil {
			c.Missing(account.SectionProfit, "выручка не показана, продажи — по оборотам",
				"revenue is not shown, and sales are those of the turnover")
		}
	}
	seen, err := c.seen(err, account.SectionProfit, "продажи за период и темп не показаны",
		"sales of the period and the sales rate are not shown")
	if !seen {
		return err
	}
	p.pace = x
	if !p.bundlesUnseen || x.bundled {
		return nil
	}
	return c.readInBundles(ctx, p)
}

// mostSold is how many goods may have been sold in the period for the sales of all of them to be read.
const mostSold = 3000

// readInBundles finds what bundles took of the good where the bundles with it cannot be looked through: from the sales
// of all goods, which tell the bundles that were sold.
func (c *call) readInBundles(ctx context.Context, p *product) error {
	sized := msapi.WithSizes(ctx, func(path string, size int) error {
		if strings.HasPrefix(path, "report/profit") && size > mostSold {
			return errMany{size}
		}
		return nil
	})
	var list shortage.Sales
	known := false
	if p.stocked() { // the rate is that of goods in stock
		var err error
		list, known, err = shortage.ReadNet(sized, c.Call, c.period)
		if _, many := manyRows(err); err != nil && !many {
			return err
		}
	}
	if !known {
		p.pace.inBundles = decimal.Maybe{}
		c.Notice(tool.NoticePartial,
			"Сколько товара ушло в комплектах, неизвестно: темп продаж и на сколько дней хватит не посчитаны.",
			"How much of the good bundles took is unknown: the sales rate and the days of cover are not computed.")
		return nil
	}
	var net decimal.Decimal
	for k := range p.own {
		net = net.Add(list[k].Quantity)
	}
	p.pace.inBundles = decimal.Some(net.Sub(p.pace.sold.Sub(p.pace.returned)))
	return nil
}

func manyRows(err error) (errMany, bool) { return errors.AsType[errMany](err) }

// perDay returns the sales rate, rounded for display.
func (c *call) perDay(x *pace) decimal.Maybe {
	net := x.net()
	return decimal.Maybe{Decimal: net.Div(decimal.FromInt(int64(c.period.Days()))).Round(3), Known: net.Known}
}

// cover returns for how many days free stock lasts at the sales rate: zero without any, unknown without sales (rule
// R212).
func (c *call) cover(x *pace, free decimal.Maybe) decimal.Maybe {
	if x == nil || !free.Known || !x.net().Known || x.net().Sign() <= 0 {
		return decimal.Maybe{}
	}
	// Multiply before dividing: a rate that is rounded first makes the days wrong.
	return decimal.Some(free.Max(decimal.Zero).Mul(decimal.FromInt(int64(c.period.Days()))).Div(x.net().Decimal))
}
