package cards

import (
	"context"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

type productInput struct {
	Product string `json:"product" jsonschema:"name, code, article, barcode or id"`
	periodArgs
}

func productTool(a *account.Account) tool.Tool {
	return reading(a, "moysklad_product",
		text("Карточка товара", "Product card"),
		text("Один товар целиком: остатки и резервы по складам, что в пути и когда ждать, все цены, себестоимость и "+
			"наценка, поставщик, последние закупки и продажи, темп продаж и на сколько дней хватит, неснижаемый остаток, "+
			"модификации и комплекты.", "One good with everything: stock, prices, cost, "+
			"supplier, latest purchases and sales, cover, variants. A name must mean one good."),
		account.SectionGoods, func(in productInput) periodArgs { return in.periodArgs }, (*call).product).
		Requires(account.NeedGoods, account.NeedCost, account.NeedPurchasePrice, account.NeedSalesRate)
}

// product is a good with what was read about it. A part that the employee may not see is nil, and named in a notice.
type product struct {
	msapi.AssortmentItem

	card     *msapi.Card // of a product or a variant
	parent   *msapi.Card // the product of a variant
	variants []msapi.Card
	refs     []msapi.Ref        // the good and its variants, as documents name them
	own      map[msapi.Key]bool // their keys

	folder, country string
	stores          []msapi.Store
	levels          map[account.StockKey]account.Level
	costs           map[msapi.Key]msapi.StockRow // of the good and its variants
	incoming        []incoming
	purchases       []dealing
	sales           []dealing
	bundles         []part // bundles that it is part of
	bundlesUnseen   bool   // there may be more of them
	parts           []part // what a bundle consists of
	pace            *pace

	seesStock, seesCosts, seesOrders, seesSales bool
}

// stocked reports whether the good has stock of its own.
func (p *product) stocked() bool { return p.Type == "product" || p.Type == "variant" }

// root is the card with the supplier, the unit and the folder: that of the product of a variant.
func (p *product) root() *msapi.Card {
	if p.parent != nil {
		return p.parent
	}
	return p.card
}

// is reports whether a line of a document is of the good or one of its variants.
func (p *product) is(id msapi.ID) bool { return p.own[id.Key()] }

func (c *call) product(ctx context.Context, in productInput) error {
	item, err := c.findGood(ctx, in.Product)
	if err != nil {
		return err
	}
	p := &product{AssortmentItem: item, own: map[msapi.Key]bool{item.ID.Key(): true},
		refs: []msapi.Ref{{Type: item.Type, ID: item.ID, Name: item.Name}}}
	if err := c.readFamily(ctx, p); err != nil {
		return err
	}
	work, inner := errgroup.WithContext(ctx)
	work.Go(func() (err error) { c.currency, c.currencies, err = c.AccountCurrency(inner); return })
	work.Go(func() error { return c.readCard(inner, p) })
	work.Go(func() error { return c.readLatest(inner, p) })
	work.Go(func() error { return c.readBundles(inner, p) })
	if p.stocked() {
		work.Go(func() error { return c.readStock(inner, p) })
		work.Go(func() error { return c.readCosts(inner, p) })
		work.Go(func() error { return c.readIncoming(inner, p) })
	}
	if err := work.Wait(); err != nil {
		return err
	}
	kinds := []string{"demand", "retaildemand"}
	// The latest of those that are visible is not the latest of all.
	p.seesSales = p.seesSales && !slices.ContainsFunc(kinds, c.Rights.Partial)
	if p.stocked() {
		kinds = append(kinds, "purchaseorder", "supply")
	}
	c.NoticePartialViews(kinds)
	c.showProduct(p)
	return nil
}

// readFamily reads the variants of a product: they hold its stock, and documents name them (fact M54).
func (c *call) readFamily(ctx context.Context, p *product) error {
	if p.Type != "product" || p.Variants == 0 {
		return nil
	}
	q := msapi.CardQuery{Products: []msapi.ID{p.ID}, Minimum: true,
		ListQuery: msapi.ListQuery{Archived: msapi.ArchivedAlso}}
	err := account.Each(c.Call, c.Reader.VariantCards(ctx, q), func(v msapi.Card) {
		if v.Product.ID == p.ID {
			p.variants = append(p.variants, v)
			p.refs = append(p.refs, msapi.Ref{Type: "variant", ID: v.ID, Name: v.Name})
			p.own[v.ID.Key()] = true
		}
	})
	slices.SortFunc(p.variants, func(x, y msapi.Card) int { return account.Tie(0, x.Name, y.Name, x.ID, y.ID) })
	_, err = c.seen(err, account.SectionGoods, "модификации не показаны", "variants are not shown")
	return err
}

// readCard reads what the assortment lacks: minimum stock, names of the unit, the supplier and the country.
func (c *call) readCard(ctx context.Context, p *product) error {
	one := func(list *[]msapi.Card) func(msapi.Card) {
		return func(x msapi.Card) { *list = append(*list, x) }
	}
	var cards, parents []msapi.Card
	read := func(id msapi.ID, named bool) msapi.CardQuery {
		return msapi.CardQuery{ListQuery: msapi.ListQuery{IDs: []msapi.ID{id}, Archived: msapi.ArchivedAlso},
			Minimum: true, Named: named}
	}
	work, inner := errgroup.WithContext(ctx)
	product := p.ID
	if p.Type == "variant" {
		product = p.Product.ID
		work.Go(func() error {
			return account.Each(c.Call, c.Reader.VariantCards(inner, read(p.ID, false)), one(&cards))
		})
	}
	if p.stocked() {
		work.Go(func() error {
			return account.Each(c.Call, c.Reader.ProductCards(inner, read(product, true)), one(&parents))
		})
	}
	if p.Type == "service" && p.Unit.ID != "" {
		work.Go(func() error {
			name, err := c.UnitName(inner)
			if err == nil {
				p.Unit.Name = name(p.Unit.ID)
			}
			return err
		})
	}
	err := work.Wait()
	if seen, err := c.seen(err, account.SectionGoods, "поставщик и неснижаемый остаток не показаны",
		"the supplier and the minimum stock are not shown"); !seen {
		return err
	}
	switch {
	case p.Type == "variant" && len(cards) == 1:
		p.card = &cards[0]
		if len(parents) == 1 {
			p.parent = &parents[0]
		}
	case len(parents) == 1:
		p.card = &parents[0]
	}
	return c.describe(ctx, p)
}

// describe reads the names of the group of a variant and of the country, if there are any.
func (c *call) describe(ctx context.Context, p *product) error {
	if p.folder = p.PathName; p.folder == "" && p.root() != nil && p.root().Folder.ID != "" {
		list, err := c.FolderList(ctx)
		for _, f := range list {
			if f.ID == p.root().Folder.ID {
				p.folder = f.Path()
			}
		}
		if err := ignoreForbidden(err); err != nil {
			return err
		}
	}
	if p.root() == nil || p.root().Country.ID == "" {
		return nil
	}
	country, err := msapi.Get[msapi.Named](ctx, c.Reader, "entity/country/"+string(p.root().Country.ID), nil)
	p.country = country.Name
	return ignoreForbidden(err)
}

// ignoreForbidden drops the error of a name that the employee may not see, or that is gone.
func ignoreForbidden(err error) error {
	if msapi.IsForbidden(err) || msapi.IsTariff(err) || msapi.IsNotFound(err) {
		return nil
	}
	return err
}

// readStock reads stock, reserve and goods in transit by warehouse.
func (c *call) readStock(ctx context.Context, p *product) (err error) {
	if p.Archived {
		return nil // the reports by warehouse leave archived goods out (fact M26)
	}
	scope := account.Filter{Goods: p.refs}
	work, inner := errgroup.WithContext(ctx)
	work.Go(func() (err error) { p.stores, err = c.StoreList(inner); return ignoreForbidden(err) })
	work.Go(func() (err error) { p.levels, _, err = c.Levels(inner, scope, nil); return })
	p.seesStock, err = c.seen(work.Wait(), account.SectionStock, "остатки не показаны", "stock is not shown")
	return err
}

// readCosts reads the cost of a unit, and the stock of an archived good.
func (c *call) readCosts(ctx context.Context, p *product) error {
	q := msapi.StockQuery{StockMode: msapi.ModeAll, QuantityMode: msapi.ModeAll, Archived: msapi.ArchivedAlso}
	for _, r := range p.refs {
		if r.Type == "product" {
			q.Products = append(q.Products, r.ID)
		} else {
			q.Variants = append(q.Variants, r.ID)
		}
	}
	p.costs = map[msapi.Key]msapi.StockRow{}
	err := account.Each(c.Call, c.Reader.StockAll(ctx, q), func(r msapi.StockRow) {
		if p.is(r.ID) {
			p.costs[r.ID.Key()] = r
		}
	})
	ru, en := "себестоимость не показана", "the cost is not shown"
	switch {
	case p.Archived:
		ru, en = "остаток и себестоимость не показаны", "stock and cost are not shown"
	case slices.ContainsFunc(p.variants, func(v msapi.Card) bool { return v.Archived }):
		ru, en = "себестоимость и остаток модификаций в архиве не показаны",
			"the cost and the stock of archived variants are not shown"
	}
	p.seesCosts, err = c.seen(err, account.SectionStock, ru, en)
	return err
}

// incoming is what a supplier order still expects of the good.
type incoming struct {
	msapi.Document
	left    decimal.Decimal
	overdue int // days past its planned date
}

// readIncoming reads the supplier orders with the good that still expect some of it, of any age. The first expected
// come first, and those without a date last.
func (c *call) readIncoming(ctx context.Context, p *product) (err error) {
	posted := true
	q := msapi.DocumentQuery{Posted: &posted, Goods: p.refs, Positions: true, Named: true}
	err = account.Each(c.Call, c.Reader.Documents(ctx, "purchaseorder", q), func(d msapi.Document) {
		x := incoming{Document: d}
		for _, line := range d.Positions {
			if p.is(line.Assortment.ID) {
				x.left = x.left.Add(line.InTransit.Decimal)
			}
		}
		if !d.Planned.IsZero() {
			x.overdue = c.daysSince(d.Planned)
		}
		if x.Positions = nil; x.left.Sign() > 0 && d.Posted() {
			p.incoming = append(p.incoming, x)
		}
	})
	slices.SortFunc(p.incoming, func(x, y incoming) int {
		if x.Planned.IsZero() != y.Planned.IsZero() {
			return map[bool]int{true: 1, false: -1}[x.Planned.IsZero()]
		}
		if so := x.Planned.Compare(y.Planned.Time); so != 0 {
			return so
		}
		return account.Tie(0, x.Name, y.Name, x.ID, y.ID)
	})
	p.seesOrders, err = c.seen(err, account.SectionPurchases, "когда ждать то, что в пути, не показано",
		"when to expect what is on the way is not shown")
	return err
}

// part is a good in a bundle.
type part struct {
	name     string
	id       msapi.ID
	quantity decimal.Decimal // per bundle
}

// mostBundles is the maximum number of bundles that are looked through: the API cannot search them by what they contain
// (fact M126).
const mostBundles = 1000

// errMany ends the reading of a long list.
type errMany struct{ size int }

func (errMany) Error() string { return "too many rows" }

// readBundles reads the bundles that the good is part of, or what a bundle consists of, and then the sales rate, which
// counts sales in bundles.
func (c *call) readBundles(ctx context.Context, p *product) error {
	q := msapi.ListQuery{Archived: msapi.ArchivedAlso} // archived ones were sold, too
	if p.Type == "bundle" {
		q.IDs = []msapi.ID{p.ID}
	}
	sized := msapi.WithSizes(ctx, func(path string, size int) error {
		if path == "entity/bundle" && size > mostBundles {
			return errMany{size}
		}
		return nil
	})
	err := account.Each(c.Call, c.Reader.Bundles(sized, q), func(b msapi.Bundle) {
		of := part{name: b.Name, id: b.ID}
		if b.Archived {
			of.name += c.Pick(" (в архиве)", " (archived)")
		}
		for _, x := range b.Components {
			switch {
			case p.Type == "bundle" && b.ID == p.ID:
				p.parts = append(p.parts, part{id: x.Assortment.ID, quantity: x.Quantity.Decimal})
			case p.is(x.Assortment.ID):
				of.quantity = of.quantity.Add(x.Quantity.Decimal)
			}
		}
		if of.quantity.Sign() > 0 {
			p.bundles = append(p.bundles, of)
		}
	})
	p.bundlesUnseen = p.Type != "bundle" && (err != nil || c.Rights.Partial("bundle"))
	if many, ok := manyRows(err); ok {
		p.bundles = nil
		c.Noticef(tool.NoticePartial, "В каких комплектах есть товар, не показано: комплектов слишком много (%d).",
			"The bundles that contain the good are not shown: there are too many bundles (%d).", many.size)
	} else if _, err := c.seen(err, account.SectionGoods, "комплекты не показаны",
		"bundles are not shown"); err != nil {
		return err
	}
	slices.SortFunc(p.bundles, func(x, y part) int { return account.Tie(0, x.name, y.name, x.id, y.id) })
	if err := c.nameParts(ctx, p); err != nil {
		return err
	}
	return c.readPace(ctx, p)
}

// nameParts reads the names of what a bundle consists of.
func (c *call) nameParts(ctx context.Context, p *product) error {
	keys := make([]msapi.Key, len(p.parts))
	for i, x := range p.parts {
		keys[i] = x.id.Key()
	}
	items, err := c.DescribeAll(ctx, keys)
	for i, x := range p.parts {
		p.parts[i].name = items[x.id.Key()].Name
		if p.parts[i].name == "" {
			p.parts[i].name = c.Pick("(не виден)", "(not visible)")
		}
	}
	slices.SortFunc(p.parts, func(x, y part) int { return strings.Compare(x.name+string(x.id), y.name+string(y.id)) })
	return ignoreForbidden(err)
}
