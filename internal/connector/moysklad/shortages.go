package moysklad

import (
	"cmp"
	"context"
	"slices"

	"github.com/google/jsonschema-go/jsonschema"
	"golang.org/x/sync/errgroup"

	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
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
		}, (*call).shortages).Requires(needStores, needGoods, needStock, needPace, needTurnoverPace, needPurchasePrice)
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

	stores  []msapi.Store
	min     []*scarce // candidates by the server's comparison with the minimum, and by reserve
	pace    []*scarce
	paceGap int  // sold goods that the stock report does not have
	sealed  bool // what sold bundles consist of could not be read
	source  paceSource

	levels map[place]level     // by warehouse
	sums   map[msapi.Key]level // over all warehouses; nil when warehouses are named
	exact  bool                // levels come from the current reports: a good without one has nothing there
	minOK  bool                // whether the minimums could be asked about
	goods  map[msapi.Key]*details
	words  map[string]string // one copy of words that repeat, such as a supplier's name
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
	var of map[msapi.ID]string
	work, inner := errgroup.WithContext(ctx)
	work.Go(func() (err error) { currency, of, err = c.accountCurrency(inner); return })
	work.Go(func() error { return w.read(inner) })
	if err := work.Wait(); err != nil {
		return err
	}
	if !w.minOK && w.source == paceNone {
		c.result.Answer = c.refusal(c.denials[0])
		return nil
	}
	if err := w.describe(ctx); err != nil {
		return c.refuse(err, sectionGoods)
	}
	w.result(w.judge(), currency, of, in.Limit)
	return nil
}

// read reads stock and sales, everything that does not wait for something else at the same time. The free stock is
// needed beside the stock that the server compares. It comes from the current reports, three requests for the whole
// account, or from the server's comparison by available amount where that takes fewer or the reports are closed. Each
// half may be closed by rights while the other answers.
func (w *shortage) read(ctx context.Context) error {
	places := w.places()
	levels := w.mode != shortMinimum || len(places) > len(levelTypes) || w.treed()
	sold := make([]sold, len(places))
	work, inner := errgroup.WithContext(ctx)
	if w.mode != shortPace {
		w.minOK = true
		work.Go(func() error {
			return w.unless(w.belowMinimum(inner, msapi.ModeUnderMinimum, msapi.ModeAll),
				&w.minOK)
		})
	}
	if levels && w.rights.has(rightStock) {
		w.levels, w.exact = map[place]level{}, true
		work.Go(func() error {
			err := w.currentLevels(inner, w.currentQuery(), storesWithin(w.scope.stores, w.stores), w.levels)
			if msapi.IsForbidden(err) {
				w.exact, err = false, nil
			}
			return err
		})
	}
	if w.mode != shortMinimum {
		work.Go(func() (err error) { sold, err = w.salesOf(inner); return })
	}
	if err := work.Wait(); err != nil {
		return err
	}
	if !w.exact {
		w.notice(tool.NoticePartial,
			"Отчёт «Текущие остатки» закрыт правами сотрудника, взят расширенный: остаток вложенных складов он считает и за старшим складом, поэтому часть нехваток на старшем может быть не видна.",
			"The employee's rights close the current stock report, the extended one was read: it counts the stock of nested warehouses for the upper one as well, so some shortages of the upper one may not show.")
		if err := w.readWithoutCurrent(ctx); err != nil {
			return err
		}
	}
	w.addUp()
	if w.minOK {
		w.reserved()
	}
	w.runningOut(sold)
	return nil
}

// unless turns a missing right into a notice and a flag.
func (w *shortage) unless(err error, ok *bool) error {
	if w.denied(err, sectionStock) {
		*ok = false
		return nil
	}
	return err
}

// treed tells whether one of the warehouses is nested in another: the extended report then adds it to its parent, and
// only the current ones tell what is in each.
func (w *shortage) treed() bool {
	return slices.ContainsFunc(w.stores, func(s msapi.Store) bool { return s.Parent.ID != "" })
}

func (w *shortage) currentQuery() msapi.CurrentQuery {
	query := msapi.CurrentQuery{}
	for k := range storesWithin(w.scope.stores, w.stores) {
		query.Stores = append(query.Stores, k.ID())
	}
	slices.Sort(query.Stores)
	if goods := w.scope.stocked(); len(goods) <= perRequest {
		query.Assortment = goods
	}
	return query
}

// readWithoutCurrent reads what the current reports would have told from the extended one, which needs no right of
// its own (reference, section 9.3): the second comparison with the minimum, and stock for the pace.
func (w *shortage) readWithoutCurrent(ctx context.Context) error {
	w.levels = map[place]level{}
	work, inner := errgroup.WithContext(ctx)
	if w.minOK {
		work.Go(func() error {
			return w.unless(w.belowMinimum(inner, msapi.ModeAll, msapi.ModeUnderMinimum),
				&w.minOK)
		})
	}
	if w.source != paceNone {
		work.Go(func() error { return w.extendedLevels(inner) })
	}
	return work.Wait()
}

// addUp makes the levels over all warehouses.
func (w *shortage) addUp() {
	if len(w.scope.stores) > 0 || w.sums != nil {
		return
	}
	w.sums = make(map[msapi.Key]level, len(w.levels)/2)
	for p, l := range w.levels {
		w.sums[p.good] = w.sums[p.good].add(l)
	}
}

// at is what there is in a place; known tells whether that could be read. A good that the current reports do not name
// has nothing there: what they cannot number they do name.
func (w *shortage) at(p place) (l level, known bool) {
	if p.store == (msapi.Key{}) {
		l, known = w.sums[p.good]
	} else {
		l, known = w.levels[p]
	}
	return l, (known || w.exact) && !l.unknown
}

// underMinimum asks the server for goods below their minimum, by stock or by what is available, in one store or in
// all together. The default mode of the other number would hide goods with nothing available, the very ones that are
// short (reference, section 11, trap 4).
func (w *shortage) underMinimum(ctx context.Context, store msapi.Store, stock, available msapi.Mode) ([]*scarce,
	error) {
	q := msapi.StockQuery{
		StockMode: stock, QuantityMode: available, Folders: w.scope.folderIDs(), Suppliers: w.scope.supplierIDs(),
		Products: w.scope.goodsOf("product"), Variants: w.scope.goodsOf("variant"),
	}
	if store.ID != "" {
		q.Stores = []msapi.ID{store.ID}
	}
	var list []*scarce
	err := each(w.call, w.reader.StockAll(ctx, q), func(r msapi.StockRow) {
		if r.Type == "product" || r.Type == "variant" {
			list = append(list, &scarce{
				place: place{r.ID.Key(), store.ID.Key()}, kind: r.Type, measure: r.Unit, store: store.Name,
				belowMinimum: true,
				level:        levelOf(r.Stock, r.Reserve, r.InTransit),
			})
		}
	})
	return list, err
}

// places are where shortages are looked for: the named warehouses with all nested in them, or every warehouse and,
// as the zero store, all of them together.
func (w *shortage) places() []msapi.Store {
	within := storesWithin(w.scope.stores, w.stores)
	places := slices.DeleteFunc(slices.Clone(w.stores),
		func(s msapi.Store) bool { return within != nil && !within[s.ID.Key()] })
	if within == nil {
		places = append([]msapi.Store{{}}, places...)
	}
	return places
}

// belowMinimum collects what the server calls below the minimum: in each warehouse by itself and, when no warehouses
// are named, over all of them, for the minimums of the kind "sum". The report does not carry the minimum, and a list
// of goods carries only some (reference, section 6.4): which row counts is judged when the minimums are joined in.
func (w *shortage) belowMinimum(ctx context.Context, stock, available msapi.Mode) error {
	if len(w.scope.goods) > 0 && len(w.scope.stocked()) == 0 {
		return nil
	}
	places := w.places()
	parts := make([][]*scarce, len(places))
	work, inner := errgroup.WithContext(ctx)
	for i, s := range places {
		work.Go(func() (err error) {
			parts[i], err = w.underMinimum(inner, s, stock, available)
			return err
		})
	}
	err := work.Wait()
	w.min = append(w.min, slices.Concat(parts...)...)
	return err
}

// reserved adds the places where something is reserved: there the free stock may be below the minimum while the
// stock, which the server compared, is not.
func (w *shortage) reserved() {
	if !w.exact {
		return
	}
	names := make(map[msapi.Key]string, len(w.stores))
	for _, s := range w.stores {
		names[s.ID.Key()] = s.Name
	}
	add := func(p place, store string) {
		w.min = append(w.min, &scarce{place: p, store: store, belowMinimum: true})
	}
	for p, l := range w.levels {
		if name := names[p.store]; l.reserve > 0 && name != "" &&
			(len(w.scope.goods) == 0 || slices.Contains(w.scope.stocked(), p.good.ID())) {
			add(p, name)
		}
	}
	if len(w.scope.stores) == 0 {
		for good, l := range w.sums {
			if l.reserve > 0 && (len(w.scope.goods) == 0 || slices.Contains(w.scope.stocked(), good.ID())) {
				add(place{good, msapi.Key{}}, "")
			}
		}
	}
}
