package propose

import (
	"cmp"
	"context"
	"slices"

	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/connector/moysklad/propose/catalogue"
	"github.com/stockhand/stockhand/internal/connector/moysklad/shortage"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
	"golang.org/x/sync/errgroup"
)

type transfersInput struct {
	Stores     []string       `json:"stores,omitempty" jsonschema:"that lack goods"`
	FromStores []string       `json:"from_stores,omitempty" jsonschema:"that may give"`
	Items      []transferItem `json:"items,omitempty" jsonschema:"a list; stores and from_stores then name one each"`
	account.GoodsArgs
	RowsOf       *catalogue.RowsInQuantity `json:"rows_of,omitempty" jsonschema:"with quantities, as items"`
	Mode         shortage.Mode             `json:"mode,omitempty"`
	Days         *account.Days             `json:"days,omitempty" jsonschema:"stock should last, on both sides; default 14"`
	From         tool.Day                  `json:"from,omitempty" jsonschema:"first day of the sales rate"`
	To           tool.Day                  `json:"to,omitempty" jsonschema:"its last day"`
	Organization string                    `json:"organization,omitempty" jsonschema:"default: as recently"`
	Keep         *decimal.Decimal          `json:"keep,omitempty" jsonschema:"of each good, at the source"`
	Multiple     *decimal.Decimal          `json:"multiple,omitempty" jsonschema:"multiples of this"`
}

func proposeTransfersTool(a *account.Account) tool.Tool {
	return proposing(a, "moysklad_propose_transfers",
		tool.Text{RU: "Перемещения между складами", EN: "Transfers between warehouses"},
		tool.Text{
			RU: "Черновики перемещений: нехватка на одних складах закрывается излишками других, не создавая новой " +
				"нехватки; либо список товаров и количеств с одного склада на другой. Резерв не трогается. По " +
				"документу на пару складов. Ничего не отправляет: решает человек.",
			EN: "A draft of transfers: what warehouses lack, from what others can spare; " +
				"or a list. Reserves stay. Nested warehouses count in.",
		}, (*call).proposeTransfers).Requires(account.NeedStores, account.Vital(account.SectionStock))
}

// transferProposal is the state of one call.
type transferProposal struct {
	*call
	in      transfersInput
	period  tool.Period
	horizon decimal.Decimal // days
	// expected returns the sales forecast of the horizon, or false where the pace must do; nil: everywhere
	expected func(account.StockKey) (decimal.Decimal, bool)
	stores   []msapi.Store
	names    map[msapi.Key]string
	targets  map[msapi.Key]bool
	sources  map[msapi.Key]bool

	lacking   map[account.StockKey]*shortage.Line // what is short, by place
	cards     map[msapi.Key]*catalogue.Card
	levels    map[account.StockKey]account.Level
	sold      map[account.StockKey]decimal.Decimal // net quantity in the period
	rateKnown bool                                 // the sales rate could be read
	units     map[msapi.Key]string
	whole     map[msapi.Key]bool
}

func (c *call) proposeTransfers(ctx context.Context, in transfersInput) ([]tool.Document, error) {
	w := &transferProposal{call: c, in: in, horizon: decimal.FromInt(shortage.DefaultHorizon),
		names: map[msapi.Key]string{}}
	if in.Days != nil {
		w.horizon = decimal.FromInt(int64(*in.Days))
	}
	if err := w.checkQuantities(); err != nil {
		return nil, err
	}
	if in.RowsOf != nil {
		err := in.RowsOf.Items(ctx, c.Call, &w.in.GoodsArgs, in.Items != nil,
			func(product string, quantity decimal.Decimal) {
				w.in.Items = append(w.in.Items, transferItem{Product: product, Quantity: quantity})
			})
		if err != nil {
			return nil, err
		}
		in = w.in
	}
	var err error
	if w.stores, err = c.StoreList(ctx); err != nil {
		return nil, c.Refuse(err, account.SectionStores)
	}
	if w.period, err = c.PastPeriod(in.From, in.To); err != nil {
		return nil, err
	}
	if err := w.choose(ctx); err != nil {
		return nil, err
	}
	entities, err := c.legalEntities(ctx, in.Organization)
	if err != nil || len(entities) == 0 {
		return nil, err
	}
	if in.Items != nil {
		return w.named(ctx, entities)
	}
	if closed, err := w.shortages(ctx); closed || err != nil {
		return nil, err
	}
	if closed, err := w.read(ctx); closed || err != nil {
		return nil, err
	}
	if in.RowsOf != nil {
		short := map[msapi.Key]bool{}
		for p := range w.lacking {
			short[p.Good] = true
		}
		w.notShort(in.Products, short, w.cards)
	}
	deficits, surpluses := w.portions()
	hauls := planTransfers(deficits, surpluses)
	entity, err := w.entity(ctx, entities, len(hauls) > 0)
	if err != nil {
		return nil, err
	}
	documents := w.documents(hauls, entity)
	w.summarize(documents, deficits, hauls)
	return documents, nil
}

// checkQuantities rejects bounds that no quantity can keep.
func (w *transferProposal) checkQuantities() error {
	for field, is := range map[string]*decimal.Decimal{"keep": w.in.Keep, "multiple": w.in.Multiple} {
		if is != nil && is.Sign() <= 0 {
			return account.Invalid(field, w.Pick("количество должно быть больше нуля",
				"the quantity must be above zero"))
		}
	}
	return nil
}

// choose determines the warehouses that need goods and those that give them: the named ones with all nested ones, or
// all.
func (w *transferProposal) choose(ctx context.Context) error {
	if len(w.stores) < 2 {
		return account.Invalid("stores", w.Pick("складов меньше двух: перемещать некуда",
			"there are fewer than two warehouses: nowhere to transfer to"))
	}
	for _, s := range w.stores {
		w.names[s.ID.Key()] = s.Name
	}
	within := func(names []string) (map[msapi.Key]bool, error) {
		if len(names) == 0 {
			all := map[msapi.Key]bool{}
			for _, s := range w.stores {
				all[s.ID.Key()] = true
			}
			return all, nil
		}
		chosen, err := w.FindStores(ctx, names)
		return account.StoresWithin(chosen, w.stores), err
	}
	var err error
	if w.targets, err = within(w.in.Stores); err != nil {
		return err
	}
	if w.sources, err = within(w.in.FromStores); err != nil {
		return err
	}
	if len(w.targets) == 1 && len(w.sources) == 1 && account.KeysOf(w.targets)[0] == account.KeysOf(w.sources)[0] {
		return account.Invalid("from_stores",
			w.Pick("склад не может пополнить сам себя", "a warehouse cannot supply itself"))
	}
	return nil
}

// shortages finds what is short in each of the targets.
func (w *transferProposal) shortages(ctx context.Context) (closed bool, err error) {
	q := shortage.Query{GoodsArgs: w.in.GoodsArgs, Mode: w.in.Mode, Days: w.in.Days, From: w.in.From, To: w.in.To}
	for _, s := range w.stores {
		if w.targets[s.ID.Key()] {
			q.Stores = append(q.Stores, string(s.ID))
		}
	}
	list, err := w.shortagesFor(ctx, q)
	w.Result.Provenance.Period = &w.period
	if list == nil || err != nil {
		return true, err
	}
	w.lacking = map[account.StockKey]*shortage.Line{}
	for _, s := range list.Lines {
		if s.StockKey.Store != (msapi.Key{}) {
			w.lacking[s.StockKey] = s
		}
	}
	return false, nil
}

// read reads what could be given away: stock by warehouse, minimums and sales rates of the goods that are short.
func (w *transferProposal) read(ctx context.Context) (closed bool, err error) {
	if len(w.lacking) == 0 {
		return false, nil
	}
	wanted := map[msapi.Key]bool{}
	for p := range w.lacking {
		wanted[p.Good] = true
	}
	goods := account.KeysOf(wanted)
	slices.SortFunc(goods, compareKeys)
	if w.cards, err = catalogue.Cards(ctx, w.Call, goods, msapi.CardQuery{Minimum: true, Named: true}); err != nil {
		err = w.Refuse(err, account.SectionGoods)
		return true, err
	}
	var refs []msapi.Ref
	for _, k := range goods {
		if g := w.cards[k]; g != nil {
			refs = append(refs, msapi.Ref{Type: g.Type, ID: g.ID, Name: g.Name})
		}
	}
	var known bool
	var stores []msapi.Key
	for _, s := range w.stores {
		if k := s.ID.Key(); w.sources[k] || w.targets[k] {
			stores = append(stores, k)
		}
	}
	paces, origins := make([]shortage.Sales, len(stores)), make([]shortage.RateSource, len(stores))
	work, inner := errgroup.WithContext(ctx)
	work.Go(func() (err error) { w.levels, known, err = w.stockByStore(inner, refs); return })
	for i, s := range stores {
		work.Go(func() (err error) {
			paces[i], origins[i], err = shortage.ReadSales(inner, w.Call, w.period, s.ID())
			return
		})
	}
	if err := work.Wait(); err != nil {
		return false, err
	}
	if !known {
		w.Result.Answer = w.Refusal(account.SectionStock)
		return true, nil
	}
	w.rateKnown = !slices.Contains(origins, shortage.RateUnknown)
	w.measure()
	w.sold = map[account.StockKey]decimal.Decimal{}
	for i, s := range stores {
		for good, sale := range paces[i] {
			w.sold[account.StockKey{Good: good, Store: s}] = sale.Quantity.Max(decimal.Zero)
		}
	}
	if !w.rateKnown {
		w.Notice(tool.NoticePartial,
			"Темп продаж не виден: излишком считается только то, что выше минимума своего склада; товары без такого "+
				"минимума не предлагаются.",
			"The sales rate is not visible: only what is above a warehouse's own minimum counts as surplus; goods "+
				"without one are not offered.")
	}
	return false, nil
}

// usage returns how much of a good a warehouse sells within the horizon. It multiplies before dividing: rounding a
// third of a day must not add a whole piece.
func (w *transferProposal) usage(p account.StockKey) decimal.Decimal {
	if w.expected != nil {
		if x, known := w.expected(p); known {
			return x.Max(decimal.Zero)
		}
	}
	return w.sold[p].Mul(w.horizon).Div(decimal.FromInt(int64(w.period.Days())))
}

// daily returns how much of a good a warehouse sells per day.
func (w *transferProposal) daily(p account.StockKey) decimal.Decimal {
	if w.expected != nil && w.horizon.Sign() > 0 {
		if x, known := w.expected(p); known {
			return x.Max(decimal.Zero).Div(w.horizon)
		}
	}
	return w.sold[p].Div(decimal.FromInt(int64(w.period.Days())))
}

// lack returns how much of a good a warehouse is short of: what brings its free stock plus goods in transit up to its
// minimum or, if it runs out, to its sales within the horizon. Packs do not matter for transfers.
func (w *transferProposal) lack(s *shortage.Line) decimal.Decimal {
	target := s.Minimum.Max(s.Expected.Decimal)
	if s.RunningOut && !s.Expected.Known {
		target = target.Max(w.usage(s.StockKey))
	}
	lack := target.Sub(s.Level.Free()).Sub(s.Level.Transit.Decimal()).Max(decimal.Zero)
	if w.in.Multiple != nil {
		return multiple(lack, *w.in.Multiple, true)
	}
	if w.whole[s.Good] {
		return lack.Ceil(0)
	}
	return lack.Ceil(3)
}

// keep returns how much of a good a warehouse must keep: the larger of its minimum and its sales within the horizon. If
// neither is known, known is false and nothing is taken from it.
func (w *transferProposal) keep(p account.StockKey) (amount decimal.Decimal, known bool) {
	minimum := w.cards[p.Good].MinimumIn(p.Store)
	if w.in.Keep != nil {
		minimum.Decimal = minimum.Max(*w.in.Keep)
	}
	if !w.rateKnown {
		return minimum.Decimal, minimum.Known
	}
	return minimum.Max(w.usage(p)), true
}

// portions returns the deficits of the targets and the surpluses of the sources: free stock above what they keep. A
// warehouse that lacks a good never gives it away.
func (w *transferProposal) portions() (deficits, surpluses []portion) {
	for p, s := range w.lacking {
		if g := w.cards[p.Good]; g == nil || g.Gone() || w.levels[p].Unknown {
			continue
		}
		if lack := w.lack(s); lack.Sign() > 0 { // goods in transit may be sufficient
			deficits = append(deficits, portion{p, lack})
		}
	}
	for p, l := range w.levels {
		g := w.cards[p.Good]
		if _, lacks := w.lacking[p]; lacks || g == nil || !w.sources[p.Store] || l.Unknown {
			continue
		}
		keep, known := w.keep(p)
		if !known {
			continue
		}
		spare := l.Free().Sub(keep).Floor(3)
		if w.whole[p.Good] {
			spare = spare.Floor(0)
		}
		if w.in.Multiple != nil {
			spare = multiple(spare, *w.in.Multiple, false)
		}
		if spare.Sign() > 0 {
			surpluses = append(surpluses, portion{p, spare})
		}
	}
	return deficits, surpluses
}

// measure determines the unit of each good and whether it moves in whole units: not if its unit can be divided or its
// stock is fractional.
func (w *transferProposal) measure() {
	w.units, w.whole = map[msapi.Key]string{}, map[msapi.Key]bool{}
	for k, g := range w.cards {
		w.units[k] = g.Root().Unit.Name
	}
	for p, s := range w.lacking {
		w.units[p.Good] = cmp.Or(w.units[p.Good], s.Unit())
	}
	for k, unit := range w.units {
		w.whole[k] = !shortage.Divisible(unit)
	}
	for p, l := range w.levels {
		w.whole[p.Good] = w.whole[p.Good] && account.Integral(l.Stock.Decimal())
	}
}

// entity returns the legal entity used most often for recent transfers.
func (w *transferProposal) entity(ctx context.Context, entities []msapi.Organization, needed bool) (msapi.Organization,
	error) {
	used := map[msapi.ID]int{}
	if needed && len(entities) > 1 {
		posted := true
		recent := msapi.DocumentQuery{From: account.DayStart(account.Today(w.Env).Add(-historyDays)), Posted: &posted}
		err := account.Each(w.call.Call, w.Reader.Documents(ctx, "move", recent),
			func(d msapi.Document) { used[d.Organization.ID]++ })
		if err != nil && !w.Denied(err, account.SectionMoves) {
			return entities[0], err
		}
	}
	best, sure := usualEntity(entities, used)
	if needed && !sure {
		w.noticeFirstEntity(best.Name, "а прошлых перемещений нет", "and there are no past transfers")
	}
	return best, nil
}
