// Package prices computes new prices of goods and proposes them as documents. It only reads.
package prices

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/connector/moysklad/propose/catalogue"
	"github.com/stockhand/stockhand/internal/connector/moysklad/wording"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
	"golang.org/x/sync/errgroup"
)

// Input says which prices change and how. Exactly one goal is needed; rounding alone is one (rule R283).
type Input struct {
	PriceType string           `json:"price_type,omitempty" jsonschema:"buyPrice: the purchase price; default: the first"`
	Percent   *decimal.Decimal `json:"percent,omitempty" jsonschema:"negative to lower"`
	Markup    *decimal.Decimal `json:"markup,omitempty" jsonschema:"percent of the purchase price"`
	Margin    *decimal.Decimal `json:"margin,omitempty" jsonschema:"percent of the new price"`
	Price     *decimal.Decimal `json:"price,omitempty" jsonschema:"for every good"`
	Amount    *decimal.Decimal `json:"amount,omitempty" jsonschema:"change, negative to lower"`
	Items     []priceItem      `json:"items,omitempty"`
	account.GoodsArgs
	RowsOf     *catalogue.RowsOf  `json:"rows_of,omitempty" jsonschema:"goods of a table"`
	Where      []goodsCondition   `json:"where,omitempty" jsonschema:"on present figures"`
	Except     *account.GoodsArgs `json:"except,omitempty"`
	Everything bool               `json:"everything,omitempty" jsonschema:"needed if no goods are named"`
	Round      *roundInput        `json:"round,omitempty" jsonschema:"a list is rounded only with it"`
	limits
}

// priceItem is a line of a list.
type priceItem struct {
	Product string          `json:"product" jsonschema:"name, code, article or id"`
	Price   decimal.Decimal `json:"price" jsonschema:"in its currency"`
}

// buyPriceID stands for the purchase price among the price types.
const buyPriceID = tool.BuyPrice

// buyPriceWords are names of the purchase price.
var buyPriceWords = []string{"buyprice", "buy_price", "purchase", "purchase price", "закупочная", "закупочная цена",
	"закупка"}

// proposal is the state of one call.
type proposal struct {
	*account.Call
	in        Input
	rounding  rounding
	priceType tool.Ref
	scope     account.Filter
	asked     map[msapi.Key]decimal.Decimal // from a list

	goods    []*catalogue.Card
	figures  goodsFigures
	cost     map[msapi.Key]decimal.Decimal // per unit in the account currency, if visible and known
	byCost   bool                          // costs come from the stock report, not only from purchase prices
	rates    map[msapi.ID]decimal.Decimal  // the value of a currency unit in the account currency
	currency string
	of       map[msapi.ID]string

	considered, excepted                      int // goods before the conditions; left out by name
	unchanged                                 int
	inherited, unset, unpriced, notComputable []string // names
	bounded, atBound, unbounded               []string // names: see bound
	converted                                 bool
}

// Propose returns the changes of prices as documents, one for each currency and thousand lines. The answer and the
// notices go to the result of the call. There are no documents if nothing changes, or if the employee may not read what
// is needed.
func Propose(ctx context.Context, c *account.Call, in Input) ([]tool.Document, error) {
	w := &proposal{Call: c, in: in}
	if err := w.check(); err != nil {
		return nil, err
	}
	if err := w.checkWhere(); err != nil {
		return nil, err
	}
	if in.RowsOf != nil {
		if err := in.RowsOf.Narrow(ctx, c, &w.in.GoodsArgs); err != nil {
			return nil, err
		}
	}
	if err := w.chooseType(ctx); err != nil || w.priceType.ID == "" {
		return nil, err
	}
	if err := w.collect(ctx); err != nil {
		return nil, c.Refuse(err, account.SectionGoods)
	}
	if err := w.leaveOut(ctx); err != nil {
		return nil, err
	}
	if w.buyHidden() {
		c.Missing(account.SectionCost, "закупочные цены не видны, считать от них нельзя",
			"purchase prices are not visible, nothing can be computed from them")
		c.Result.Answer = c.Refusal(account.SectionCost)
		return nil, nil
	}
	if err := w.read(ctx); err != nil {
		return nil, err
	}
	if err := w.choose(); err != nil {
		return nil, err
	}
	documents := w.documents()
	w.summarize(documents)
	return documents, nil
}

// check rejects arguments that cannot be combined.
func (w *proposal) check() error {
	in := w.in
	ways := 0
	for _, given := range []bool{in.Percent != nil, in.Markup != nil, in.Margin != nil, in.Price != nil,
		in.Amount != nil, in.Items != nil} {
		if given {
			ways++
		}
	}
	hundred := decimal.Hundred
	switch {
	case ways != 1 && (ways > 1 || in.Round == nil):
		return account.Invalid("percent", w.Pick(
			"нужно ровно одно из: percent, markup, margin, price, amount, items; или только round",
			"exactly one is needed of: percent, markup, margin, price, amount, items; or round alone"))
	case in.Amount != nil && (in.Amount.Sign() == 0 || !in.Amount.Valid()):
		return account.Invalid("amount", w.Pick("сумма не должна быть нулём", "the amount is not zero"))
	case in.Price != nil && (in.Price.Sign() <= 0 || !in.Price.Valid()):
		return account.Invalid("price", w.Pick("цена должна быть больше нуля", "the price must be above zero"))
	case in.Percent != nil && (in.Percent.Sign() == 0 || in.Percent.Cmp(hundred.Neg()) <= 0):
		return account.Invalid("percent",
			w.Pick("процент должен быть больше −100 и не ноль", "the percentage is not zero and "+
				"above −100"))
	case in.Markup != nil && in.Markup.Cmp(hundred.Neg()) <= 0:
		return account.Invalid("markup", w.Pick("наценка должна быть больше −100", "the markup is above −100"))
	case in.Margin != nil && in.Margin.Cmp(hundred) >= 0:
		return account.Invalid("margin", w.Pick("маржа должна быть меньше 100", "the margin is below 100"))
	case in.Items != nil && (len(in.Items) == 0 || len(in.Groups) > 0 || len(in.Suppliers) > 0 ||
		len(in.Products) > 0 || in.Everything || len(in.Where) > 0 || in.Except != nil ||
		in.RowsOf != nil):
		return account.Invalid("items", w.Pick(
			"список не пуст и не сочетается с groups, suppliers, products, rows_of, "+
				"where, except и everything",
			"the list is not empty and does not go with groups, suppliers, products, "+
				"rows_of, where, except and everything"))
	case in.Items == nil && !in.Everything && len(in.Where) == 0 && in.RowsOf == nil &&
		len(in.Groups) == 0 && len(in.Suppliers) == 0 &&
		len(in.Products) == 0:
		return account.Invalid("everything", w.Pick(
			"назовите группы, поставщиков, товары или условие, либо everything: true — все товары",
			"name groups, suppliers, products or a condition, or everything: true for all goods"))
	case in.Everything && (in.RowsOf != nil || len(in.Groups) > 0 || len(in.Suppliers) > 0 || len(in.Products) > 0):
		return account.Invalid("everything", w.Pick("everything не сочетается с группами, поставщиками и товарами",
			"everything does not go with groups, suppliers and products"))
	}
	for _, item := range in.Items {
		if item.Price.Sign() <= 0 {
			return account.Invalid("items", fmt.Sprintf(
				w.Pick("«%s»: цена должна быть больше нуля", "“%s”: the price must be above zero"), item.Product))
		}
	}
	r, wrong := newRounding(in.Round)
	if wrong[0] != "" {
		return account.Invalid("round", w.Pick(wrong[0], wrong[1]))
	}
	w.rounding = r
	return w.checkLimits()
}

// chooseType finds the price type; the default is the account's first one.
func (w *proposal) chooseType(ctx context.Context) error {
	if slices.Contains(buyPriceWords, wording.Fold(w.in.PriceType)) {
		if w.in.Markup != nil || w.in.Margin != nil || w.in.ofCost() {
			return account.Invalid("price_type",
				w.Pick("закупочная цена не считается от самой себя: задайте percent или items",
					"the purchase price is not computed from itself: give percent or items"))
		}
		w.priceType = tool.Ref{Type: "pricetype", ID: buyPriceID, Name: w.Pick("Закупочная цена", "Purchase price")}
		return nil
	}
	list, err := w.PriceTypeList(ctx)
	if err != nil {
		return w.Refuse(err, account.SectionPriceTypes)
	}
	var chosen msapi.PriceType
	switch {
	case w.in.PriceType != "":
		chosen, err = account.FindOne(w.Call, "price_type", tool.Text{RU: "тип цены", EN: "price type"}, w.in.PriceType,
			list,
			func(x msapi.PriceType) (msapi.ID, []string) { return x.ID, []string{x.Name} })
		if err != nil {
			return err
		}
	case len(list) == 0:
		w.Result.Answer = w.Refusal(account.SectionPriceTypes)
		return nil
	default:
		if chosen = list[0]; len(list) > 1 {
			w.Notice(tool.NoticeAssumption, "Тип цены не назван: взят первый, «"+chosen.Name+"».",
				"No price type was named: the first one was taken, “"+chosen.Name+"”.")
		}
	}
	w.priceType = tool.Ref{Type: "pricetype", ID: string(chosen.ID), Name: chosen.Name}
	return nil
}

// collect reads the goods that the arguments select: products, and variants with prices of their own.
func (w *proposal) collect(ctx context.Context) error {
	list := map[msapi.Key]*catalogue.Card{}
	named := map[msapi.Key]bool{} // variants named explicitly
	switch {
	case w.in.Items != nil:
		if err := w.fromList(ctx, list, named); err != nil {
			return err
		}
	case len(w.in.Products) > 0:
		if err := w.fromNames(ctx, list, named); err != nil {
			return err
		}
	default:
		if err := w.fromSelection(ctx, list); err != nil {
			return err
		}
	}
	w.figures.under = map[msapi.Key][]msapi.Key{}
	for k, g := range list {
		if g.Parent != nil {
			w.figures.under[g.Parent.ID.Key()] = append(w.figures.under[g.Parent.ID.Key()], k)
		}
		switch {
		case g.Gone() && w.asked != nil:
			return catalogue.OutOfReach(w.Call, g.Name)
		case g.Gone():
			continue
		// A variant without prices of its own shows its product's (fact M54), and nothing marks it. Writing to it would
		// detach it from its product permanently, so this requires naming the variant.
		case g.Type == "variant" && !named[k] && g.Parent != nil && samePrices(g, w.priceType.ID):
			w.inherited = append(w.inherited, g.Name)
			continue
		}
		w.goods = append(w.goods, g)
	}
	slices.SortFunc(w.goods, func(x, y *catalogue.Card) int {
		return cmp.Or(strings.Compare(wording.Fold(x.Name), wording.Fold(y.Name)),
			strings.Compare(string(x.ID), string(y.ID)))
	})
	return nil
}

// samePrices reports whether a variant only shows its product's prices.
func samePrices(g *catalogue.Card, priceType string) bool {
	if priceType == buyPriceID {
		return g.BuyPrice == (msapi.Price{}) || equalPrices(g.BuyPrice, g.Parent.BuyPrice)
	}
	return slices.EqualFunc(g.SalePrices, g.Parent.SalePrices, func(x, y msapi.SalePrice) bool {
		return x.PriceType.ID == y.PriceType.ID && equalPrices(x.Price, y.Price)
	}) || len(g.SalePrices) == 0
}

func equalPrices(x, y msapi.Price) bool {
	return x.Value.Known == y.Value.Known && x.Value.Cmp(y.Value.Decimal) == 0 && x.Currency.ID == y.Currency.ID
}

func (w *proposal) fromList(ctx context.Context, list map[msapi.Key]*catalogue.Card,
	named map[msapi.Key]bool) error {
	names := make([]string, len(w.in.Items))
	for i, item := range w.in.Items {
		names[i] = item.Product
	}
	found, err := catalogue.Find(ctx, w.Call, names)
	if err != nil {
		return err
	}
	w.asked = map[msapi.Key]decimal.Decimal{}
	var keys []msapi.Key
	for i, x := range found {
		k := x.ID.Key()
		price := w.in.Items[i].Price
		if before, twice := w.asked[k]; twice && before.Cmp(price) != 0 {
			return account.Invalid("items", fmt.Sprintf(
				w.Pick("«%s» назван дважды с разными ценами", "“%s” is listed twice with different prices"), x.Name))
		}
		w.asked[k], named[k] = price, true
		keys = append(keys, k)
	}
	cards, err := catalogue.Cards(ctx, w.Call, keys, msapi.CardQuery{})
	for k, g := range cards {
		list[k] = g
	}
	return err
}

// fromNames adds the named goods, products with their variants, filtered by groups and suppliers.
func (w *proposal) fromNames(ctx context.Context, list map[msapi.Key]*catalogue.Card,
	named map[msapi.Key]bool) error {
	s, err := w.Narrow(ctx, nil, w.in.GoodsArgs)
	if err != nil {
		return err
	}
	w.scope = s
	var refused []string
	var keys []msapi.Key
	for _, g := range s.Goods {
		if g.Type == "bundle" || g.Type == "service" {
			refused = append(refused, g.Name)
			continue
		}
		keys = append(keys, g.ID.Key())
	}
	if len(refused) > 0 {
		w.Notice(tool.NoticePartial, "Цены комплектов и услуг здесь не меняются: "+wording.Quoted(refused, "ru")+".",
			"Prices of bundles and services are not changed here: "+wording.Quoted(refused, "en")+".")
	}
	cards, err := catalogue.Cards(ctx, w.Call, keys, msapi.CardQuery{})
	for k, g := range cards {
		if w.fits(g) {
			list[k] = g
			// A table lists variants without anybody having named them.
			named[k] = g.Type == "variant" && cards[g.Product.ID.Key()] == nil && w.in.RowsOf == nil
		}
	}
	return err
}

// fits checks a good against the groups and suppliers, because the server's filter may be ignored.
func (w *proposal) fits(g *catalogue.Card) bool {
	root := g.Root()
	return (len(w.scope.Folders) == 0 || w.scope.Nested[root.Folder.ID]) &&
		(len(w.scope.Suppliers) == 0 || slices.Contains(w.scope.SupplierIDs(), root.Supplier.ID))
}

// fromSelection adds the goods of groups and suppliers, or all goods.
func (w *proposal) fromSelection(ctx context.Context, list map[msapi.Key]*catalogue.Card) error {
	s, err := w.Narrow(ctx, nil, account.GoodsArgs{Groups: w.in.Groups, Suppliers: w.in.Suppliers})
	if err != nil {
		return err
	}
	w.scope = s
	query := msapi.CardQuery{}
	if len(s.Suppliers) > 0 {
		query.Suppliers = s.SupplierIDs()
	}
	queries := []msapi.CardQuery{query}
	if len(s.Folders) > 0 {
		queries = nil
		for _, f := range s.Folders {
			query.Path = f.Path() // a sibling's path may start the same way: every row is checked again
			queries = append(queries, query)
		}
	}
	var parents []msapi.ID
	for _, q := range queries {
		err := account.Each(w.Call, w.Reader.ProductCards(ctx, q), func(x msapi.Card) {
			g := &catalogue.Card{Card: x}
			if k := x.ID.Key(); list[k] == nil && w.fits(g) {
				list[k] = g
				if x.Variants > 0 {
					parents = append(parents, x.ID)
				}
			}
		})
		if err != nil {
			return err
		}
	}
	if len(parents) == 0 {
		return nil
	}
	var children []*catalogue.Card
	q := msapi.CardQuery{Products: parents}
	if account.Pages(len(parents), account.IDsPerRequest) > account.Pages(len(list), 1000) {
		q.Products = nil // reading all variants takes fewer requests than those of many products
	}
	err = account.Each(w.Call, w.Reader.VariantCards(ctx, q),
		func(x msapi.Card) { children = append(children, &catalogue.Card{Card: x}) })
	for _, g := range children {
		if p := list[g.Product.ID.Key()]; p != nil {
			g.Parent = &p.Card
			list[g.ID.Key()] = g
		}
	}
	return err
}

// buyHidden reports whether the employee may not see purchase prices, which everything here is based on.
func (w *proposal) buyHidden() bool {
	if w.in.Markup == nil && w.in.Margin == nil && !w.in.ofCost() && w.priceType.ID != buyPriceID ||
		w.Rights.Has(account.RightCost) ||
		len(w.goods) == 0 {
		return false
	}
	return !slices.ContainsFunc(w.goods, func(g *catalogue.Card) bool { return g.BuyPrice.Value.Known })
}

// read reads currencies with their exchange rates, and costs if they are visible.
func (w *proposal) read(ctx context.Context) error {
	if len(w.goods) == 0 {
		return nil
	}
	work, inner := errgroup.WithContext(ctx)
	work.Go(func() (err error) {
		if w.currency, w.of, err = w.AccountCurrency(inner); err != nil {
			return err
		}
		list, err := w.CurrencyList(inner)
		w.rates = rates(list)
		if msapi.IsForbidden(err) {
			err = nil
		}
		return err
	})
	work.Go(func() error { return w.readCosts(inner) })
	work.Go(func() error { return w.readFigures(inner) })
	return work.Wait()
}

// readCosts reads the cost of the goods from the stock report. Missing costs are replaced by the purchase price
// afterwards, with a notice.
func (w *proposal) readCosts(ctx context.Context) error {
	w.cost = map[msapi.Key]decimal.Decimal{}
	stock := w.tests(figureStock, figureFree, figureAge)
	costs := w.priceType.ID != buyPriceID || w.tests(figureCost, figureMargin, figureMarkup)
	if !stock && (!costs || !w.Rights.Has(account.RightCost)) {
		return nil
	}
	wanted := map[msapi.Key]bool{}
	q := msapi.StockQuery{Folders: w.scope.FolderIDs(), Suppliers: w.scope.SupplierIDs()}
	for _, g := range w.goods {
		wanted[g.ID.Key()] = true
	}
	if stock {
		for _, g := range w.goods {
			for _, k := range w.itself(g) {
				wanted[k] = true
			}
		}
	} else if (w.asked != nil || len(w.in.Products) > 0) && len(w.goods) <= account.IDsPerRequest {
		for _, g := range w.goods {
			if g.Type == "variant" {
				q.Variants = append(q.Variants, g.ID)
			} else {
				q.Products = append(q.Products, g.ID)
			}
		}
	}
	rows := map[msapi.Key]msapi.StockRow{}
	err := account.Each(w.Call, w.Reader.StockAll(ctx, q), func(r msapi.StockRow) {
		if k := r.ID.Key(); stock && wanted[k] {
			rows[k] = r
		}
		// zero means that the cost is unknown (fact M82)
		if k := r.ID.Key(); wanted[k] && r.Cost.Known && r.Cost.Sign() > 0 {
			w.cost[k] = r.Cost.Major()
		}
	})
	w.byCost = len(w.cost) > 0
	if w.Denied(err, account.SectionStock) {
		return nil
	}
	if stock {
		w.figures.stock = rows
	}
	return err
}

// rates returns the value of a unit of each currency in the account currency (fact M33).
func rates(list []msapi.Currency) map[msapi.ID]decimal.Decimal {
	of := map[msapi.ID]decimal.Decimal{}
	for _, c := range list {
		rate, times := decimal.One, decimal.One
		if c.Rate.Known && !c.Default {
			rate = c.Rate.Decimal
		}
		if c.Multiplicity.Known && c.Multiplicity.Sign() > 0 {
			times = c.Multiplicity.Decimal
		}
		if rate = rate.Div(times); c.Indirect && rate.Sign() > 0 {
			rate = decimal.One.Div(rate)
		}
		if rate.Valid() && rate.Sign() > 0 && (c.Rate.Known || c.Default) {
			of[c.ID] = rate
		}
	}
	return of
}
