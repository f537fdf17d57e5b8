package write

import (
	"context"
	"net/url"
	"slices"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

// Check reads again, with GET requests only, whether the employee may write each document, and the data that it is
// based on. It returns one check per document, in order; see the package comment for what counts as moved. Documents
// that take from the same stock are added up in order.
//
// A fresh document contains the current figures: what was seen, the old prices, and the purchase price if the order had
// copied it. Quantities and new prices stay as a person has seen them. Lines whose good is deleted or archived are
// dropped.
func (w *Writer) Check(ctx context.Context, l stockhand.Language, docs []tool.Document) ([]tool.Check, error) {
	if w.bad != nil {
		return nil, w.bad
	}
	checks := make([]tool.Check, len(docs))
	if len(docs) == 0 {
		return checks, nil
	}
	v, err := w.look(ctx, docs)
	if err != nil {
		return nil, err
	}
	for i, doc := range docs {
		c := &checker{current: v, l: l, doc: doc, fresh: doc}
		c.fresh.Lines = nil
		if checks[i].MissingRight = v.rights.missing(doc, l); checks[i].MissingRight != "" {
			checks[i].Fresh = doc
			continue
		}
		switch doc.Kind {
		case tool.SupplierOrder:
			c.order()
		case tool.Transfer:
			c.transfer()
		case tool.PriceChange:
			c.prices()
		case tool.MinimumStock:
			c.minimums()
		case tool.Deletion:
			if err := w.checkDeletion(ctx, c); err != nil {
				return nil, err
			}
		}
		c.fresh.Total = c.fresh.Sum()
		checks[i].Moved, checks[i].Fresh = c.moved, c.fresh
	}
	return checks, nil
}

// missing returns the right that the employee lacks to write the document, or "".
//
// Documents are created as posted, which requires a separate right. Price changes require the right to edit goods, and
// the purchase price also the right to see it: otherwise the old price cannot be read and the change cannot be
// confirmed.
func (r rights) missing(doc tool.Document, l stockhand.Language) string {
	var needed []right
	switch doc.Kind {
	case tool.SupplierOrder:
		needed = []right{{"purchaseorder", "create"}, {"purchaseorder", "approve"}}
	case tool.Transfer:
		needed = []right{{"move", "create"}, {"move", "approve"}}
	case tool.PriceChange, tool.MinimumStock:
		for _, kind := range []string{"product", "variant"} {
			if slices.ContainsFunc(doc.Lines, func(l tool.Line) bool { return l.Product.Type == kind }) {
				needed = append(needed, right{kind, "update"})
			}
		}
	case tool.Deletion:
		if doc.Deletes != nil {
			needed = []right{{doc.Deletes.Type, "delete"}}
		}
	}
	for _, n := range needed {
		if !r.may(n.entity, n.action) {
			return n.words(l)
		}
	}
	if doc.Kind == tool.PriceChange && doc.PriceType != nil && doc.PriceType.ID == tool.BuyPrice &&
		!r.may("viewproductcostandprofit", "view") {
		return costRight.In(l)
	}
	return ""
}

// checker compares one document with the current state.
type checker struct {
	*current

	l     stockhand.Language
	doc   tool.Document
	fresh tool.Document
	moved []tool.Moved
}

func (c *checker) note(line, what, before, now string) {
	c.moved = append(c.moved, tool.Moved{Line: line, What: what, Old: before, New: now})
}

// noteLine also names the good, so that the text is clear without the document.
func (c *checker) noteLine(l tool.Line, what, before, now string) {
	c.note(l.ID, what+c.l.Pick(" («"+l.Product.Name+"»)", " (“"+l.Product.Name+"”)"), before, now)
}

// nothing returns the text for a missing figure.
func (c *checker) nothing() string { return c.l.Pick("нет данных", "no data") }

func (c *checker) quantity(m decimal.Maybe) string {
	if !m.Known {
		return c.nothing()
	}
	return tool.FormatQuantity(m.Decimal, c.l)
}

// money formats an amount in main units in the document's currency.
func (c *checker) money(m decimal.Maybe) string {
	if !m.Known {
		return c.nothing()
	}
	return tool.FormatMoney(m.Decimal, c.doc.Currency, c.l)
}

// party checks that the object that the document refers to still exists and is not archived.
func (c *checker) party(ref *tool.Ref, now map[msapi.ID]msapi.Named, ru, en string) {
	if ref == nil || now == nil {
		return
	}
	n, there := now[idOf(ref)]
	what := c.l.Pick(ru+" «"+ref.Name+"»", en+" “"+ref.Name+"”")
	switch {
	case !there:
		c.note("", what, c.l.Pick("есть", "there"), c.l.Pick("удалён или скрыт", "deleted or hidden"))
	case n.Archived:
		c.note("", what, c.l.Pick("действует", "in use"), c.l.Pick("в архиве", "archived"))
	}
}

// good returns the line's good, or false and a note if it is deleted or archived.
func (c *checker) good(l tool.Line) (good, bool) {
	g, there := c.goods[goodID(l)]
	what := c.l.Pick("товар «"+l.Product.Name+"»", "product “"+l.Product.Name+"”")
	switch {
	case !there:
		c.note(l.ID, what, c.l.Pick("есть", "there"), c.l.Pick("удалён или скрыт", "deleted or hidden"))
		return g, false
	case g.archived:
		c.note(l.ID, what, c.l.Pick("действует", "in use"), c.l.Pick("в архиве", "archived"))
		return g, false
	}
	return g, true
}

func (c *checker) order() {
	c.party(c.doc.Organization, c.organizations, "юрлицо", "legal entity")
	c.party(c.doc.Supplier, c.suppliers, "поставщик", "supplier")
	c.party(c.doc.Store, c.stores, "склад", "warehouse")
	for _, l := range c.doc.Lines {
		if !checked(l) {
			c.fresh.Lines = append(c.fresh.Lines, l)
			continue
		}
		g, ok := c.good(l)
		if !ok {
			continue
		}
		fresh := l
		if l.Seen.Price.Known {
			c.buyPrice(l, g, &fresh)
		}
		if c.doc.Store != nil && (l.Seen.Stock.Known || l.Seen.Reserve.Known || l.Seen.InTransit.Known) {
			c.need(l, &fresh)
		}
		c.fresh.Lines = append(c.fresh.Lines, fresh)
	}
}

// buyPrice compares the purchase price with the price that the order was based on.
func (c *checker) buyPrice(l tool.Line, g good, fresh *tool.Line) {
	now := major(g.buy.Value)
	fresh.Seen.Price = now
	switch {
	case !same(now, l.Seen.Price):
		c.noteLine(l, c.l.Pick("закупочная цена", "purchase price"), c.money(l.Seen.Price), c.money(now))
	case !c.sameCurrency(g.buy):
		c.noteLine(l, c.l.Pick("валюта закупочной цены", "currency of the purchase price"), c.doc.Currency,
			c.l.Pick("другая", "a different one"))
	default:
		return
	}
	if same(l.Price, l.Seen.Price) && now.Known {
		fresh.Price = now // the order had copied the purchase price
	}
}

// sameCurrency reports whether a price is in the document's currency, which defaults to the account currency.
func (c *checker) sameCurrency(p msapi.Price) bool {
	want := c.currency
	if c.doc.CurrencyID != "" {
		want = idOf(&tool.Ref{ID: c.doc.CurrencyID})
	}
	return want == "" || p.Currency.ID == "" || p.Currency.ID == want
}

// need compares the warehouse's stock and expected goods with those when the order was created. It ignores figures that
// were not seen on both sides.
func (c *checker) need(l tool.Line, fresh *tool.Line) {
	now, there := c.stock[place{idOf(c.doc.Store), goodID(l)}]
	before := figures{l.Seen.Stock, l.Seen.Reserve, l.Seen.InTransit}
	if !there && before.zero() && !c.stockHidden {
		return // a good without movements is in no report
	}
	have := func(f figures) decimal.Maybe {
		sum := decimal.Some(decimal.Zero)
		for _, part := range []struct {
			seen, value decimal.Maybe
			sign        int
		}{{l.Seen.Stock, f.stock, 1}, {l.Seen.Reserve, f.reserve, -1}, {l.Seen.InTransit, f.inTransit, 1}} {
			switch {
			case !part.seen.Known:
			case !part.value.Known:
				sum.Known = false
			case part.sign > 0:
				sum.Decimal = sum.Add(part.value.Decimal)
			default:
				sum.Decimal = sum.Sub(part.value.Decimal)
			}
		}
		return sum
	}
	old, fromNow := have(before), have(now)
	fresh.Seen.Stock, fresh.Seen.Reserve, fresh.Seen.InTransit = now.stock, now.reserve, now.inTransit
	if fromNow.Known && !c.excess(l, fromNow.Sub(old.Decimal)) {
		return
	}
	c.noteLine(l, c.l.Pick("доступно с учётом ожидания на складе «"+c.doc.Store.Name+"»",
		"available with expected in the warehouse “"+c.doc.Store.Name+"”"),
		c.quantity(old), c.quantity(fromNow))
}

// excess reports whether so much has been added that the order would be too large: more than a tenth of its quantity,
// and more than a pack or a whole unit.
func (c *checker) excess(l tool.Line, rise decimal.Decimal) bool {
	allowed := l.Quantity.Mul(decimal.MustParse("0.1"))
	if l.Whole {
		allowed = allowed.Max(decimal.One)
	}
	if l.Pack.Known {
		allowed = allowed.Max(l.Pack.Decimal)
	}
	return allowed.Less(rise)
}

func (f figures) zero() bool {
	for _, m := range []decimal.Maybe{f.stock, f.reserve, f.inTransit} {
		if m.Known && !m.IsZero() {
			return false
		}
	}
	return true
}

func (c *checker) transfer() {
	c.party(c.doc.Organization, c.organizations, "юрлицо", "legal entity")
	c.party(c.doc.Store, c.stores, "склад", "warehouse")
	c.party(c.doc.Target, c.stores, "склад", "warehouse")
	for _, l := range c.doc.Lines {
		if _, ok := c.good(l); !ok {
			continue
		}
		at := place{idOf(c.doc.Store), goodID(l)}
		now := c.stock[at]
		fresh := l
		fresh.Seen.Stock, fresh.Seen.Reserve = now.stock, now.reserve
		if l.Seen.InTransit.Known {
			fresh.Seen.InTransit = now.inTransit
		}
		free := less(now.stock, now.reserve)
		if free.Known {
			free.Decimal = free.Sub(c.taken[at]) // by earlier documents
		}
		before := less(l.Seen.Stock, l.Seen.Reserve)
		if c.uncovered(l, before, free) {
			c.noteLine(l, c.l.Pick("свободный остаток на складе «"+c.doc.Store.Name+"»",
				"free stock in the warehouse “"+c.doc.Store.Name+"”"),
				c.quantity(before), c.quantity(free))
		}
		c.taken[at] = c.taken[at].Add(l.Quantity.Decimal)
		c.fresh.Lines = append(c.fresh.Lines, fresh)
	}
}

// uncovered reports whether the source can no longer provide the quantity: it has less, or would fall below a minimum
// that it kept when the transfer was created. An edit to more than it had said so: then it must only not have less than
// was shown (rule R1060).
func (c *checker) uncovered(l tool.Line, before, free decimal.Maybe) bool {
	switch {
	case !free.Known:
		return true
	case before.Known && before.Less(l.Quantity.Decimal):
		return free.Less(before.Decimal)
	case free.Less(l.Quantity.Decimal):
		return true
	}
	if !l.Seen.Minimum.Known || !before.Known {
		return false
	}
	kept := !before.Sub(l.Quantity.Decimal).Less(l.Seen.Minimum.Decimal)
	return kept && free.Sub(l.Quantity.Decimal).Less(l.Seen.Minimum.Decimal)
}

// less returns stock − reserve, or unknown if either is unknown.
func less(stock, reserve decimal.Maybe) decimal.Maybe {
	if !stock.Known || !reserve.Known {
		return decimal.Maybe{}
	}
	return decimal.Some(stock.Sub(reserve.Decimal))
}

func (c *checker) prices() {
	name := c.l.Pick("цена", "price")
	if c.doc.PriceType != nil && c.doc.PriceType.Name != "" {
		name = c.l.Pick("цена «"+c.doc.PriceType.Name+"»", "price “"+c.doc.PriceType.Name+"”")
	}
	for _, l := range c.doc.Lines {
		g, ok := c.good(l)
		if !ok {
			continue
		}
		price := g.price(c.doc)
		now, before := major(price.Value), l.OldPrice
		if !before.Known {
			before = l.Seen.Price
		}
		fresh := l
		fresh.OldPrice, fresh.Seen.Price = now, now
		switch {
		case !before.Known && !filled(now): // there is still no price
		case !same(now, before):
			c.noteLine(l, name, c.money(before), c.money(now))
		case !c.sameCurrency(price):
			c.noteLine(l, c.l.Pick("валюта: ", "currency: ")+name, c.doc.Currency,
				c.l.Pick("другая", "a different one"))
		}
		c.fresh.Lines = append(c.fresh.Lines, fresh)
	}
}

func major(m decimal.Maybe) decimal.Maybe {
	if !m.Known {
		return m
	}
	return decimal.Some(m.Major())
}

// checkDeletion reads whether other data depends on the document to delete.
func (w *Writer) checkDeletion(ctx context.Context, c *checker) error {
	c.fresh = c.doc
	path, err := deletion(c.doc)
	if err != nil {
		return err
	}
	d, err := msapi.Get[found](ctx, w.reader, path, url.Values{"expand": {"positions"}})
	if isGone(err) || err == nil && d.Deleted != "" {
		return nil // it no longer exists, and Apply will report that
	}
	if err != nil {
		return err
	}
	none := c.l.Pick("нет", "none")
	received := d.Shipped.Known && d.Shipped.Sign() > 0
	for _, p := range d.Positions.Rows {
		received = received || p.Shipped.Known && p.Shipped.Sign() > 0
	}
	if received || len(d.Supplies) > 0 || d.Supply != nil {
		now := c.l.Pick("есть", "some")
		if d.Shipped.Known && d.Shipped.Sign() > 0 {
			now = c.money(major(d.Shipped))
		}
		c.note("", c.l.Pick("приёмка товаров", "goods received"), none, now)
	}
	if d.Payed.Known && d.Payed.Sign() > 0 || len(d.Payments) > 0 {
		c.note("", c.l.Pick("оплачено", "paid"), none, c.money(major(d.Payed)))
	}
	if len(d.Invoices) > 0 || d.Demand != nil {
		c.note("", c.l.Pick("связанные документы", "linked documents"), none, c.l.Pick("есть", "there are some"))
	}
	return nil
}
