// Package shortage finds goods below their minimum stock, and goods whose stock will not last at their sales rate.
package shortage

import (
	"cmp"
	"context"
	"slices"
	"sync/atomic"

	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
	"golang.org/x/sync/errgroup"
)

// Query selects where to look for shortages, and for how long stock should last.
type Query struct {
	account.StoresArg
	account.GoodsArgs
	Mode Mode          `json:"mode,omitempty"`
	Days *account.Days `json:"days,omitempty" jsonschema:"stock should last; default 14"`
	From tool.Day      `json:"from,omitempty" jsonschema:"first day of the sales rate"`
	To   tool.Day      `json:"to,omitempty" jsonschema:"its last day"`

	Outlook *Outlook `json:"-"` // nil: the pace of the period
}

// DefaultHorizon is the default number of days that stock should last.
const DefaultHorizon = 14

// Line is a good that is short in a warehouse, or in all together for the zero store.
type Line struct {
	account.StockKey
	kind         string // "product" or "variant"
	reportUnit   string // unit from the report, because a card only links to its unit
	Store        string
	Level        account.Level
	BelowMinimum bool
	RunningOut   bool
	Minimum      decimal.Maybe
	Sold         decimal.Maybe // net quantity in the period
	Lasts        decimal.Maybe // days of cover
	ToOrder      decimal.Decimal
	ordered      decimal.Decimal // what rows of the same good by warehouse already order, or other warehouses send
	Expected     decimal.Maybe   // sales until it must last; only with an [Outlook]
	days         int             // of Expected
	Item         *Item
}

// List is a list of shortages, most urgent first, and how it was found.
type List struct {
	Lines   []*Line
	Scope   account.Filter
	Mode    Mode
	Horizon int         // days
	Period  tool.Period // of the sales; zero if only minimums were compared
	Source  RateSource
}

// search is the state of one call.
type search struct {
	*account.Call
	scope   account.Filter
	only    map[msapi.Key]bool // the named goods that have stock; nil if none were named
	mode    Mode
	horizon int
	period  tool.Period
	outlook *Outlook // nil: the pace of the period

	stores            []msapi.Store
	minimumCandidates []*Line // found by the server's comparison with the minimum, or because of their reserve
	rateCandidates    []*Line
	unknownStock      int         // sold goods that are missing from the stock report
	bundlesHidden     atomic.Bool // the components of sold bundles could not be read
	source            RateSource

	levels map[account.StockKey]account.Level // by warehouse
	sums   map[msapi.Key]account.Level        // over all warehouses; nil if warehouses are named
	// levels come from the current reports, where a missing good has no stock
	fromCurrent  bool
	minimumsRead bool // whether the minimums could be read
	goods        map[msapi.Key]*Item
	words        map[string]string // shared copies of words that repeat, such as suppliers' names
}

// Find finds shortages. It returns nil if the employee may read none of the sources; the call's answer then says so.
func Find(ctx context.Context, c *account.Call, q Query) (*List, error) {
	w := &search{Call: c, mode: cmp.Or(q.Mode, All), horizon: DefaultHorizon, outlook: q.Outlook}
	if q.Days != nil {
		w.horizon = int(*q.Days)
	}
	if w.mode != BelowMinimum {
		period, err := c.PastPeriod(q.From, q.To)
		if err != nil {
			return nil, err
		}
		w.period = period
	}
	var err error
	if w.scope, err = c.Narrow(ctx, q.Stores, q.GoodsArgs); err != nil {
		return nil, err
	}
	c.Unstocked(w.scope)
	if len(w.scope.Goods) > 0 {
		w.only = map[msapi.Key]bool{}
		for _, id := range w.scope.Stocked() {
			w.only[id.Key()] = true
		}
	}
	if w.stores, err = c.StoreList(ctx); err != nil {
		return nil, c.Refuse(err, account.SectionStores)
	}
	if err := w.read(ctx); err != nil {
		return nil, err
	}
	if !w.minimumsRead && w.source == RateUnknown {
		section, _ := c.FirstDenial()
		c.Result.Answer = c.Refusal(section)
		return nil, nil //nolint:nilnil // not permitted: no list, and an answer that explains why
	}
	if err := w.describe(ctx); err != nil {
		return nil, c.Refuse(err, account.SectionGoods)
	}
	w.rateNotices()
	return &List{Lines: w.judge(), Scope: w.scope, Mode: w.mode, Horizon: w.horizon, Period: w.period,
		Source: w.source}, nil
}

// read reads stock and sales concurrently where possible. It needs the free stock besides the stock that the server
// compares with the minimum. Free stock comes from the current reports, three requests for the whole account, or from
// the server's comparison by available quantity if that takes fewer requests or the employee may not read the current
// reports. Each half can work without the other.
func (w *search) read(ctx context.Context) error {
	places := w.places()
	levels := w.mode != BelowMinimum || len(places) > len(account.LevelTypes) || w.hasNestedStores()
	sold := make([]Sales, len(places))
	work, inner := errgroup.WithContext(ctx)
	if w.mode != RunningOut {
		w.minimumsRead = true
		work.Go(func() error {
			return w.unless(w.belowMinimum(inner, msapi.ModeUnderMinimum, msapi.ModeAll),
				&w.minimumsRead)
		})
	}
	if levels && w.Rights.Has(account.RightStock) {
		w.levels, w.fromCurrent = map[account.StockKey]account.Level{}, true
		work.Go(func() error {
			err := w.CurrentLevels(inner, w.currentQuery(), account.StoresWithin(w.scope.Stores, w.stores), w.levels)
			if msapi.IsForbidden(err) {
				w.fromCurrent, err = false, nil
			}
			return err
		})
	}
	if w.mode != BelowMinimum {
		work.Go(func() (err error) { sold, err = w.salesOf(inner); return })
	}
	if err := work.Wait(); err != nil {
		return err
	}
	if !w.fromCurrent {
		w.Notice(tool.NoticePartial,
			"Отчёт «Текущие остатки» закрыт правами сотрудника, взят расширенный: остаток вложенных складов он "+
				"считает и за старшим складом, поэтому часть нехваток на старшем может быть не видна.",
			"The employee may not read the current stock report, so the extended one was used: it adds the stock "+
				"of nested warehouses to the parent as well, so some shortages of the parent may be missing.")
		if err := w.readWithoutCurrent(ctx); err != nil {
			return err
		}
	}
	w.addUp()
	if w.minimumsRead {
		w.addReserved()
	}
	w.runningOut(sold)
	return nil
}

// unless turns a missing right into a notice and a flag.
func (w *search) unless(err error, ok *bool) error {
	if w.Denied(err, account.SectionStock) {
		*ok = false
		return nil
	}
	return err
}

// hasNestedStores reports whether any warehouse is nested in another. The extended report then adds it to its parent,
// and only the current reports give the stock of each.
func (w *search) hasNestedStores() bool {
	return slices.ContainsFunc(w.stores, func(s msapi.Store) bool { return s.Parent.ID != "" })
}

func (w *search) currentQuery() msapi.CurrentQuery {
	query := msapi.CurrentQuery{}
	for k := range account.StoresWithin(w.scope.Stores, w.stores) {
		query.Stores = append(query.Stores, k.ID())
	}
	slices.Sort(query.Stores)
	if goods := w.scope.Stocked(); len(goods) <= account.IDsPerRequest {
		query.Assortment = goods
	}
	return query
}

// readWithoutCurrent reads the data of the current reports from the extended one, which needs no special right (fact
// M75): the second comparison with the minimum, and stock for the sales rate.
func (w *search) readWithoutCurrent(ctx context.Context) error {
	w.levels = map[account.StockKey]account.Level{}
	work, inner := errgroup.WithContext(ctx)
	if w.minimumsRead {
		work.Go(func() error {
			return w.unless(w.belowMinimum(inner, msapi.ModeAll, msapi.ModeUnderMinimum),
				&w.minimumsRead)
		})
	}
	if w.source != RateUnknown {
		work.Go(func() error { return w.extendedLevels(inner) })
	}
	return work.Wait()
}

// addUp computes the levels over all warehouses.
func (w *search) addUp() {
	if len(w.scope.Stores) > 0 || w.sums != nil {
		return
	}
	w.sums = make(map[msapi.Key]account.Level, len(w.levels)/2)
	for p, l := range w.levels {
		w.sums[p.Good] = w.sums[p.Good].Add(l)
	}
}

// named reports whether a good was named; true for every good if none were named.
func (w *search) named(good msapi.Key) bool { return w.only == nil || w.only[good] }

// at returns the stock of a good in a place; known reports whether it could be read. A good that is missing from the
// current reports has no stock there: goods without a number are listed.
func (w *search) at(p account.StockKey) (l account.Level, known bool) {
	if p.Store == (msapi.Key{}) {
		l, known = w.sums[p.Good]
	} else {
		l, known = w.levels[p]
	}
	return l, (known || w.fromCurrent) && !l.Unknown
}

// underMinimum asks the server for goods below their minimum, by stock or available quantity, in one store or in all
// together. The other mode is set explicitly, because its default would hide goods without available quantity, which
// are exactly those that are short (fact M71).
func (w *search) underMinimum(ctx context.Context, store msapi.Store, stock, available msapi.Mode) ([]*Line,
	error) {
	q := msapi.StockQuery{
		StockMode: stock, QuantityMode: available, Folders: w.scope.FolderIDs(), Suppliers: w.scope.SupplierIDs(),
		Products: w.scope.GoodsOf("product"), Variants: w.scope.GoodsOf("variant"),
	}
	if store.ID != "" {
		q.Stores = []msapi.ID{store.ID}
	}
	var list []*Line
	err := account.Each(w.Call, w.Reader.StockAll(ctx, q), func(r msapi.StockRow) {
		if r.Type == "product" || r.Type == "variant" {
			list = append(list, &Line{
				StockKey: account.StockKey{Good: r.ID.Key(), Store: store.ID.Key()}, kind: r.Type, reportUnit: r.Unit,
				Store:        store.Name,
				BelowMinimum: true,
				Level:        account.LevelOf(r.Stock, r.Reserve, r.InTransit),
			})
		}
	})
	return list, err
}

// places returns where to look for shortages: the named warehouses with all nested ones, or every warehouse and also
// the zero store for all together.
func (w *search) places() []msapi.Store {
	within := account.StoresWithin(w.scope.Stores, w.stores)
	places := slices.DeleteFunc(slices.Clone(w.stores),
		func(s msapi.Store) bool { return within != nil && !within[s.ID.Key()] })
	if within == nil {
		places = append([]msapi.Store{{}}, places...)
	}
	return places
}

// belowMinimum collects what the server reports below the minimum: in each warehouse and, if no warehouses are named,
// over all of them, for minimums of the kind "sum". The report does not contain the minimum, and a list of goods
// contains only some (fact M57), so the rows are judged when the minimums are known.
func (w *search) belowMinimum(ctx context.Context, stock, available msapi.Mode) error {
	if len(w.scope.Goods) > 0 && len(w.scope.Stocked()) == 0 {
		return nil
	}
	places := w.places()
	parts := make([][]*Line, len(places))
	work, inner := errgroup.WithContext(ctx)
	for i, s := range places {
		work.Go(func() (err error) {
			parts[i], err = w.underMinimum(inner, s, stock, available)
			return err
		})
	}
	err := work.Wait()
	w.minimumCandidates = append(w.minimumCandidates, slices.Concat(parts...)...)
	return err
}

// addReserved adds the places with a reserve: there, the free stock may be below the minimum although the stock, which
// the server compared, is not.
func (w *search) addReserved() {
	if !w.fromCurrent {
		return
	}
	names := make(map[msapi.Key]string, len(w.stores))
	for _, s := range w.stores {
		names[s.ID.Key()] = s.Name
	}
	add := func(p account.StockKey, store string) {
		w.minimumCandidates = append(w.minimumCandidates, &Line{StockKey: p, Store: store, BelowMinimum: true})
	}
	for p, l := range w.levels {
		if name := names[p.Store]; l.Reserve > 0 && name != "" &&
			w.named(p.Good) {
			add(p, name)
		}
	}
	if len(w.scope.Stores) == 0 {
		for good, l := range w.sums {
			if l.Reserve > 0 && w.named(good) {
				add(account.StockKey{Good: good, Store: msapi.Key{}}, "")
			}
		}
	}
}
