package moysklad

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	"golang.org/x/sync/errgroup"

	"github.com/stockhand/stockhand/internal/connector/moysklad/remap"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

type shortagesInput struct {
	storesArg
	goodsArgs
	Mode shortageMode `json:"mode,omitempty"`
	Days *Days        `json:"days,omitempty" jsonschema:"for how many days stock should last; default 14"`
	From tool.Day     `json:"from,omitempty" jsonschema:"first day of the period that tells the pace of sales; default: 30 days up to and including the last"`
	To   tool.Day     `json:"to,omitempty" jsonschema:"last day of that period, included; default: today"`
	limitArg
}

type shortageMode string

const (
	shortAll     shortageMode = "all"
	shortMinimum shortageMode = "below_minimum"
	shortPace    shortageMode = "running_out"
)

// Schema lists the values.
func (shortageMode) Schema() *jsonschema.Schema {
	s := tool.Enum(shortAll, shortMinimum, shortPace)
	s.Description = "below the minimum stock, about to run out by the pace of sales, or both (default)"
	return s
}

func (a *account) shortagesTool() tool.Tool {
	return reading(a, "moysklad_shortages",
		tool.Text{RU: "Что заканчивается и что заказать", EN: "Shortages and what to order"},
		tool.Text{
			RU: "Товары ниже неснижаемого остатка по складам и товары, которых по темпу продаж хватит ненадолго: сколько заказать, у кого, по какой цене.",
			EN: "Goods below their minimum stock by warehouse, and goods that will not last at the pace of sales: how much to order, from whom, at what price.",
		}, (*call).shortages)
}

// defaultHorizon is for how many days stock should last when the question does not say.
const defaultHorizon = 14

// scarce is a good that is short in a warehouse, or in all of them together: the zero store.
type scarce struct {
	place
	kind         string // "product" or "variant"
	measure      string // unit, from the report: a card only links to its unit
	store        string
	level        level
	belowMinimum bool
	runningOut   bool
	minimum      decimal.Maybe
	sold         decimal.Maybe // in the period, net of returns
	lasts        decimal.Maybe // days of cover
	order        decimal.Decimal
	ordered      decimal.Decimal // what rows of the same good by warehouse already order
	*details
}

// shortage is the work of one call.
type shortage struct {
	*call
	scope   scope
	mode    shortageMode
	horizon int
	period  tool.Period

	stores  []remap.Store
	min     []*scarce // candidates by the server's comparison with the minimum
	pace    []*scarce
	paceGap int // sold goods that the stock report does not have
	bundles int // bundles sold: their components' consumption is not in the pace
	source  paceSource
	goods   map[remap.Key]*details
	words   map[string]string // one copy of words that repeat, such as a supplier's name
}

func (c *call) shortages(ctx context.Context, in shortagesInput) error {
	w := &shortage{call: c, mode: cmp.Or(in.Mode, shortAll), horizon: defaultHorizon}
	if in.Days != nil {
		w.horizon = int(*in.Days)
	}
	if w.mode != shortMinimum {
		period, err := c.period(in.From, in.To)
		if err != nil {
			return err
		}
		w.period = period
	}
	var err error
	if w.scope, err = c.narrow(ctx, in.Stores, in.goodsArgs); err != nil {
		return err
	}
	c.unstocked(w.scope)
	if w.stores, err = c.storeList(ctx); err != nil {
		return c.refuse(err, sectionStores)
	}
	var currency string
	var of map[remap.ID]string
	work, inner := errgroup.WithContext(ctx)
	work.Go(func() (err error) { currency, of, err = c.accountCurrency(inner); return })
	// Each half may be closed by rights while the other answers.
	minOK, paceOK := w.mode != shortPace, w.mode != shortMinimum
	work.Go(func() error {
		if !minOK {
			return nil
		}
		err := w.belowMinimum(inner)
		if c.denied(err, sectionStock) {
			minOK, err = false, nil
		}
		return err
	})
	work.Go(func() error {
		if !paceOK {
			return nil
		}
		err := w.runningOut(inner)
		if c.denied(err, sectionStock) {
			w.source, err = paceNone, nil
		}
		paceOK = w.source != paceNone
		return err
	})
	if err := work.Wait(); err != nil {
		return err
	}
	if !minOK && !paceOK {
		c.result.Answer = c.refusal(c.denials[0])
		return nil
	}
	if err := w.describe(ctx); err != nil {
		return c.refuse(err, sectionGoods)
	}
	w.result(w.judge(), currency, of, in.Limit)
	return nil
}

// underMinimum asks the server for goods whose stock is below the minimum, in one store or in all together. Two of
// its comparisons are needed: by stock, and by what is available, which finds goods that are reserved away. The
// default mode of the other number would hide goods with nothing available, the very ones that are short.
func (w *shortage) underMinimum(ctx context.Context, store remap.ID, found func(remap.StockRow)) error {
	queries := []remap.StockQuery{
		{StockMode: remap.ModeUnderMinimum, QuantityMode: remap.ModeAll},
		{StockMode: remap.ModeAll, QuantityMode: remap.ModeUnderMinimum},
	}
	rows := make([][]remap.StockRow, len(queries))
	work, inner := errgroup.WithContext(ctx)
	for i, q := range queries {
		if store != "" {
			q.Stores = []remap.ID{store}
		}
		q.Folders, q.Suppliers = w.scope.folderIDs(), w.scope.supplierIDs()
		q.Products, q.Variants = w.scope.goodsOf("product"), w.scope.goodsOf("variant")
		work.Go(func() error {
			return each(w.call, w.reader.StockAll(inner, q), func(r remap.StockRow) {
				if r.Type != "consignment" {
					rows[i] = append(rows[i], r)
				}
			})
		})
	}
	if err := work.Wait(); err != nil {
		return err
	}
	have := map[remap.ID]bool{}
	for _, r := range slices.Concat(rows...) {
		if !have[r.ID] {
			have[r.ID] = true
			found(r)
		}
	}
	return nil
}

// belowMinimum collects what the server calls below the minimum: in each warehouse by itself and, when no warehouses
// are named, over all of them, for the minimums of the kind "sum". The report does not carry the minimum, and a list
// of goods carries only some (reference, section 6.4): which row counts is judged when the minimums are joined in.
func (w *shortage) belowMinimum(ctx context.Context) error {
	if len(w.scope.goods) > 0 && len(w.scope.stocked()) == 0 {
		return nil
	}
	places := []remap.Store{{}}
	if len(w.scope.stores) > 0 {
		places = nil
	}
	within := storesWithin(w.scope.stores, w.stores)
	for _, s := range w.stores {
		if within == nil || within[s.ID.Key()] {
			places = append(places, s)
		}
	}
	parts := make([][]*scarce, len(places))
	work, inner := errgroup.WithContext(ctx)
	for i, s := range places {
		work.Go(func() error {
			return w.underMinimum(inner, s.ID, func(r remap.StockRow) {
				parts[i] = append(parts[i], &scarce{
					place: place{r.ID.Key(), s.ID.Key()}, kind: r.Type, measure: r.Unit, store: s.Name, belowMinimum: true,
					level: level{stock: r.Stock.Decimal, reserve: r.Reserve.Decimal, transit: r.InTransit.Decimal},
				})
			})
		})
	}
	err := work.Wait()
	w.min = slices.Concat(parts...)
	return err
}

// judge joins the two halves and decides about every row: whether it counts, and how much to order.
func (w *shortage) judge() []*scarce {
	var list []*scarce
	byPlace := map[place]*scarce{}
	for _, s := range w.min {
		d, ok := w.goods[s.good]
		if !ok || d.archived {
			continue
		}
		s.details = d
		s.minimum = d.minimumIn(s.place.store)
		switch {
		// What the server found short without telling any minimum is shown, without a figure that nobody gave.
		case !d.toldMinimum && s.place.store == (remap.Key{}) && slices.ContainsFunc(w.min, func(o *scarce) bool { return o.good == s.good && o.place.store != (remap.Key{}) }):
			continue // the rows by warehouse tell it already
		case d.toldMinimum && (!s.minimum.Known || s.minimum.Sign() <= 0):
			continue // another warehouse's minimum, or one of another kind
		case s.minimum.Known && s.level.stock.Cmp(s.minimum.Decimal) >= 0 && s.level.free().Cmp(s.minimum.Decimal) >= 0:
			continue
		}
		byPlace[s.place] = s
		list = append(list, s)
	}
	for _, s := range w.pace {
		d, ok := w.goods[s.good]
		if !ok || d.archived {
			continue
		}
		s.details = d
		if both := byPlace[s.place]; both != nil {
			both.runningOut, both.sold, both.lasts = true, s.sold, s.lasts
			continue
		}
		if s.minimum = d.minimumIn(s.place.store); s.place.store == (remap.Key{}) && w.mode == shortPace {
			s.minimum = d.minimumOverall(len(w.stores))
		}
		byPlace[s.place] = s
		list = append(list, s)
	}
	w.quantities(list, byPlace)
	slices.SortFunc(list, func(x, y *scarce) int {
		return cmp.Or(ascending(x.urgency(), y.urgency()), strings.Compare(fold(x.name), fold(y.name)),
			strings.Compare(string(x.good.ID()), string(y.good.ID())), strings.Compare(fold(x.store), fold(y.store)))
	})
	return list
}

// quantities decides how much to order. A row over all warehouses orders only what the rows of its good by warehouse
// do not order already, so that the total is an order and not two.
func (w *shortage) quantities(list []*scarce, byPlace map[place]*scarce) {
	for _, s := range list {
		if s.place.store == (remap.Key{}) {
			continue
		}
		s.order = s.toOrder(w.horizon, w.period)
		if all := byPlace[place{s.good, remap.Key{}}]; all != nil {
			all.ordered = all.ordered.Add(s.order)
		}
	}
	for _, s := range list {
		if s.place.store == (remap.Key{}) {
			s.order = s.toOrder(w.horizon, w.period)
		}
	}
}

// toOrder is what brings the free stock and the goods on the way up to the larger of the minimum and the sales of the
// horizon: never negative, and whole for goods counted in pieces.
func (s *scarce) toOrder(horizon int, period tool.Period) decimal.Decimal {
	target := s.minimum.Decimal
	if s.sold.Known { // multiplied before divided: a third of a day must not make a whole piece
		target = target.Max(s.sold.Mul(decimal.FromInt(int64(horizon))).Div(decimal.FromInt(int64(period.Days()))))
	}
	short := target.Sub(s.level.free()).Sub(s.level.transit).Sub(s.ordered).Max(decimal.Zero)
	if s.divisible() || !integral(s.level.stock) || !integral(s.minimum.Decimal) {
		return short.Ceil(3)
	}
	return short.Ceil(0)
}

// integral tells whether a number has no fraction.
func integral(d decimal.Decimal) bool { return d.Cmp(d.Floor(0)) == 0 }

// urgency orders the rows: those that last for the fewest days first, then those that lack the greatest part of their
// minimum.
func (s *scarce) urgency() decimal.Maybe {
	if s.lasts.Known {
		return s.lasts
	}
	if s.minimum.Known && s.minimum.Sign() > 0 { // between 0 and 1, as if days: what is below its minimum is urgent
		return decimal.Some(s.level.free().Max(decimal.Zero).Div(s.minimum.Decimal))
	}
	return decimal.Maybe{}
}

func ascending(x, y decimal.Maybe) int {
	if x.Known && y.Known {
		return x.Cmp(y.Decimal)
	}
	return descending(x, y)
}
