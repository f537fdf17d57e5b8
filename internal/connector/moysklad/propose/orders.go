package propose

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/connector/moysklad/propose/catalogue"
	"github.com/stockhand/stockhand/internal/connector/moysklad/shortage"
	"github.com/stockhand/stockhand/internal/connector/moysklad/wording"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
	"golang.org/x/sync/errgroup"
)

type ordersInput struct {
	shortage.Query
	ordering
	quantities

	RowsOf       *catalogue.RowsInQuantity `json:"rows_of,omitempty" jsonschema:"goods of a table"`
	Items        []orderItem               `json:"items,omitempty" jsonschema:"a list, instead; suppliers: whom to order from"`
	Components   bool                      `json:"components,omitempty" jsonschema:"of listed bundles"`
	Store        string                    `json:"store,omitempty" jsonschema:"where to deliver a list, or what all lack"`
	Organization string                    `json:"organization,omitempty" jsonschema:"default: as recently"`
	Delivery     tool.Day                  `json:"delivery,omitempty" jsonschema:"default: in 7 days"`
}

// orderItem is a line of a list. The price is in main units; if missing, it is the purchase price of the good.
type orderItem struct {
	Product  string           `json:"product" jsonschema:"name, code, article, barcode or id"`
	Quantity decimal.Decimal  `json:"quantity" jsonschema:"in its unit"`
	Price    *decimal.Decimal `json:"price,omitempty" jsonschema:"default: the purchase price"`
}

func proposeOrdersTool(a *account.Account) tool.Tool {
	return proposing(a, "moysklad_propose_supplier_orders",
		tool.Text{RU: "Заказы поставщикам", EN: "Supplier orders"},
		tool.Text{
			RU: "Черновики заказов поставщикам: на то, чего не хватает по минимумам и темпу продаж, или по списку " +
				"товаров и количеств. По документу на поставщика, склад и юрлицо. Ничего не отправляет: решает " +
				"человек.",
			EN: "A draft of supplier orders: what is short by minimum and sales rate, or a list; one " +
				"document per supplier, warehouse and legal entity. Lines without a price are not in its sum.",
		}, (*call).proposeOrders).Requires(account.NeedGoods, account.NeedLegalEntities, account.NeedStock,
		account.NeedSalesRate, account.NeedTurnoverRate,
		account.NeedPurchasePrice, account.NeedPastOrders, tool.Need{Section: account.SectionSupplies,
			For: tool.Text{RU: "сроки поставки", EN: "lead times"}})
}

// deliveryDays is the default number of days until delivery.
const deliveryDays = 7

// orderLine is a good to order into a warehouse.
type orderLine struct {
	shortage.Line
	*catalogue.Card
	unit     string
	quantity decimal.Decimal
	asked    decimal.Decimal // before rounding to whole units and packs
	whole    bool
	price    decimal.Maybe // main units
	given    bool          // the price comes from the list
	currency msapi.Ref     // of the price; zero means the account currency
	named    string        // the name in the list
	listed   bool          // from a list and not from a shortage
	overall  bool          // short over all warehouses together, not in this one alone
}

// orderProposal is the state of one call.
type orderProposal struct {
	*call
	in        ordersInput
	period    tool.Period
	stores    []msapi.Store
	supplier  *msapi.Ref // for all lines, if a list names one
	lines     []*orderLine
	ledger    ledger
	short     map[msapi.Key]bool // the goods that are short
	resolved  bool               // warehouses, quantities and prices of the lines are decided
	leads     *leads             // nil unless asked for
	outlook   *shortage.Outlook
	transfers []tool.Document // from other warehouses
	past      *history        // once it is read

	levels      map[account.StockKey]account.Level
	levelsKnown bool
	sold        shortage.Sales
	source      shortage.RateSource
	priceHidden bool

	currency string
	of       map[msapi.ID]string
}

func (c *call) proposeOrders(ctx context.Context, in ordersInput) ([]tool.Document, error) {
	w := &orderProposal{call: c, in: in}
	if in.RowsOf != nil {
		err := in.RowsOf.Items(ctx, c.Call, &w.in.GoodsArgs, in.Items != nil,
			func(product string, quantity decimal.Decimal) {
				w.in.Items = append(w.in.Items, orderItem{Product: product, Quantity: quantity})
			})
		if err != nil {
			return nil, err
		}
		in = w.in
	}
	if err := w.check(); err != nil {
		return nil, err
	}
	var err error
	if w.stores, err = c.StoreList(ctx); err != nil {
		return nil, c.Refuse(err, account.SectionStores)
	}
	if w.period, err = c.PastPeriod(in.From, in.To); err != nil {
		return nil, err
	}
	entities, err := c.legalEntities(ctx, in.Organization)
	if err != nil || len(entities) == 0 {
		return nil, err
	}
	collect := func(ctx context.Context) (bool, error) { return w.fromShortages(ctx, entities) }
	if in.Items != nil {
		collect = w.fromList
	}
	if closed, err := collect(ctx); closed || err != nil {
		return nil, err
	}
	if err := w.read(ctx); err != nil {
		return nil, err
	}
	if in.RowsOf != nil && in.Items == nil {
		cards := map[msapi.Key]*catalogue.Card{}
		for _, x := range w.lines {
			cards[x.Good] = x.Card
		}
		w.notShort(in.Products, w.short, cards)
	}
	if err := w.resolve(ctx); err != nil {
		return nil, err
	}
	w.ration()
	documents, err := w.documents(ctx, entities)
	return append(documents, w.transfers...), err
}

// check rejects arguments that cannot be combined.
func (w *orderProposal) check() error {
	in := w.in
	if in.Delivery != "" && in.Delivery < account.Today(w.Env) {
		return account.Invalid("delivery", w.Pick("день поставки уже прошёл", "the day of delivery has passed"))
	}
	if err := w.checkQuantities(); err != nil {
		return err
	}
	if err := w.checkOrdering(); err != nil || in.Items == nil {
		return err
	}
	if len(in.Groups) > 0 || len(in.Products) > 0 || in.Mode != "" || in.Days != nil {
		return account.Invalid("items", w.Pick("список товаров не сочетается с groups, products, mode и days",
			"a list of items does not go with groups, products, mode and days"))
	}
	if len(in.Items) == 0 {
		return account.Invalid("items", w.Pick("список пуст", "the list is empty"))
	}
	if len(in.Suppliers) > 1 {
		return account.Invalid("suppliers", w.Pick("для списка товаров назовите одного поставщика",
			"name one supplier for a list of items"))
	}
	for _, item := range in.Items {
		switch {
		case item.Quantity.Sign() <= 0:
			return account.Invalid("items", fmt.Sprintf(
				w.Pick("«%s»: количество должно быть больше нуля", "“%s”: the quantity must be above zero"),
				item.Product))
		case item.Price != nil && item.Price.Sign() < 0:
			return account.Invalid("items", w.Pickf("«%s»: цена ниже нуля", "“%s”: the price is below zero",
				item.Product))
		}
	}
	return nil
}

// fromShortages creates order lines from the result of the shortages tool.
func (w *orderProposal) fromShortages(ctx context.Context, entities []msapi.Organization) (closed bool, err error) {
	q := w.in.Query
	if w.outlook, err = w.foresee(ctx); err != nil {
		return false, err
	}
	q.Outlook = w.outlook
	list, err := w.shortagesFor(ctx, q)
	if list == nil || err != nil {
		return true, err
	}
	w.Result.Provenance.Period = &w.period
	if w.currency, w.of, err = w.AccountCurrency(ctx); err != nil {
		return false, err
	}
	w.short = map[msapi.Key]bool{}
	for _, x := range list.Lines {
		w.short[x.Good] = true
	}
	w.lines = w.toOrder(list, nil)
	w.ledger.start(w.amount())
	if err := w.exclude(ctx); err != nil {
		return false, err
	}
	return false, w.sendFirst(ctx, list, entities)
}

// read reads what the lines are based on: cards, stock and expected goods in every warehouse, the sales rate.
func (w *orderProposal) read(ctx context.Context) error {
	var goods []msapi.Key
	seen := map[msapi.Key]bool{}
	for _, x := range w.lines {
		if !seen[x.Good] {
			seen[x.Good] = true
			goods = append(goods, x.Good)
		}
	}
	if len(goods) == 0 {
		return nil
	}
	cards, err := catalogue.Cards(ctx, w.Call, goods, msapi.CardQuery{Named: true})
	if err != nil {
		return w.Refuse(err, account.SectionGoods)
	}
	var refs []msapi.Ref
	for _, k := range goods {
		if g := cards[k]; g != nil {
			refs = append(refs, msapi.Ref{Type: g.Type, ID: g.ID, Name: g.Name})
		}
	}
	for _, x := range w.lines {
		x.Card = cards[x.Good]
	}
	work, inner := errgroup.WithContext(ctx)
	work.Go(func() (err error) { w.currency, w.of, err = w.AccountCurrency(inner); return })
	work.Go(func() (err error) { w.levels, w.levelsKnown, err = w.stockByStore(inner, refs); return })
	work.Go(func() (err error) { w.sold, w.source, err = shortage.ReadSales(inner, w.Call, w.period); return })
	return work.Wait()
}

// resolve decides the warehouse, quantity and price of every line.
func (w *orderProposal) resolve(ctx context.Context) error {
	for _, x := range w.lines {
		switch {
		case !x.listed || w.Result.Answer != "": // not permitted: nothing could be read
		case x.Card == nil || x.Gone():
			return catalogue.OutOfReach(w.Call, x.named)
		case x.Variants > 0:
			return catalogue.HasVariants(ctx, w.Call, x.Name)
		}
	}
	w.lines = slices.DeleteFunc(w.lines, func(x *orderLine) bool { return x.Card == nil || x.Gone() })
	w.ledger.record(tool.Text{RU: "в архиве или скрыто", EN: "archived or hidden"}, w.amount())
	if err := w.assignStores(); err != nil {
		return err
	}
	w.ledger.record(tool.Text{RU: "сложено с другой строкой того же товара",
		EN: "added to another line of the same good"}, w.amount())
	priced := false
	for _, x := range w.lines {
		w.round(x)
		price, currency := x.Buy()
		priced = priced || price.Known
		if w.currency != "" && account.Iso(currency, w.currency, w.of) == "" {
			continue // a price in a hidden currency is unusable
		}
		if price.Known {
			x.currency = currency
			if !x.given {
				x.price = price
			}
		}
	}
	w.resolved = true
	w.ledger.record(tool.Text{RU: "округление до целых, упаковок и копеек", EN: "rounding to units, packs and kopecks"},
		w.amount())
	w.bounded()
	if w.priceHidden = !priced && !w.Rights.Has(account.RightCost); w.priceHidden && len(w.lines) > 0 {
		w.Missing(account.SectionCost, "закупочные цены и суммы заказа не показаны",
			"purchase prices and sums to order are not shown")
	}
	return nil
}

// assignStores assigns shortages over all warehouses together to one of them, and merges lines for the same good.
func (w *orderProposal) assignStores() error {
	unassigned := 0
	for _, x := range w.lines {
		if x.StockKey.Store == (msapi.Key{}) {
			unassigned++
		}
	}
	if unassigned > 0 {
		main, fullest, err := w.mainStore()
		if err != nil {
			return err
		}
		for _, x := range w.lines {
			if x.StockKey.Store == (msapi.Key{}) {
				x.StockKey.Store, x.overall = main.ID.Key(), true
			}
		}
		if w.in.Store == "" && len(w.in.Stores) != 1 && len(w.stores) > 1 {
			why := [2]string{"первый из складов", "the first of the warehouses"}
			if fullest {
				why = [2]string{"там больше всего остатков этих товаров", "which holds most of these goods"}
			}
			w.Notice(tool.NoticeAssumption,
				fmt.Sprintf("Не хватает по всем складам вместе, а склад не указан (%s): заказано на «%s», %s.",
					wording.NounLine.Count("ru", unassigned), main.Name, why[0]),
				fmt.Sprintf("Short over all warehouses together, no warehouse is set (%s): ordered to “%s”, %s.",
					wording.NounLine.Count("en", unassigned), main.Name, why[1]))
		}
	}
	at := map[account.StockKey]*orderLine{}
	kept := w.lines[:0]
	for _, x := range w.lines {
		p := x.StockKey
		if first := at[p]; first != nil {
			first.quantity = first.quantity.Add(x.quantity)
			if !first.Sold.Known {
				first.Sold, first.Lasts, first.RunningOut = x.Sold, x.Lasts, x.RunningOut
			}
			continue
		}
		at[p] = x
		kept = append(kept, x)
	}
	w.lines = kept
	return nil
}

// mainStore returns the named warehouse, or the one with most of the goods to order, or the first.
func (w *orderProposal) mainStore() (main msapi.Store, fullest bool, err error) {
	named := w.in.Store
	if named == "" && len(w.in.Stores) == 1 {
		named = w.in.Stores[0]
	}
	if named != "" {
		main, err = w.oneStore("store", named, w.stores)
		return main, false, err
	}
	if len(w.stores) == 0 {
		return main, false, account.Invalid("store",
			w.Pick("нет ни одного склада, который сотрудник видит", "there is no warehouse that the employee may see"))
	}
	held := map[msapi.Key]account.Quantity{}
	for p, l := range w.levels {
		if !l.Unknown && l.Stock > 0 {
			held[p.Store] += l.Stock
		}
	}
	main = w.stores[0]
	for _, s := range w.stores {
		if held[s.ID.Key()] > held[main.ID.Key()] {
			main = s
		}
	}
	return main, held[main.ID.Key()] > 0, nil
}

// round rounds the quantity up to whole units for goods counted in pieces, and to a multiple of the pack.
func (w *orderProposal) round(x *orderLine) {
	x.unit = x.Root().Unit.Name
	if x.Item != nil {
		x.unit = cmp.Or(x.Line.Unit(), x.unit)
	}
	x.asked = x.quantity
	x.whole = !shortage.Divisible(x.unit)
	if x.listed {
		x.whole = x.whole && account.Integral(w.levels[x.StockKey].Stock.Decimal())
	} else {
		x.whole = x.whole && account.Integral(x.quantity) // not if the stock is fractional
	}
	if x.whole {
		x.quantity = x.quantity.Ceil(0)
	}
	x.quantity = shortage.InPacks(x.quantity, x.Pack())
}
