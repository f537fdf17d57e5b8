package write

import (
	"context"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi/writable"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

// current is the state of what documents are based on.
type current struct {
	rights        rights
	goods         map[msapi.ID]good
	stock         map[place]figures
	stockHidden   bool // the employee may not see stock
	stores        map[msapi.ID]msapi.Named
	suppliers     map[msapi.ID]msapi.Named
	organizations map[msapi.ID]msapi.Named
	currency      msapi.ID // the account currency; empty if unknown
	taken         map[place]decimal.Decimal
}

// place is a good in a warehouse.
type place struct{ store, good msapi.ID }

// figures are a good's figures in one warehouse.
type figures struct{ stock, reserve, inTransit decimal.Maybe }

// good is a product or a variant.
type good struct {
	name     string
	archived bool
	buy      msapi.Price
	sale     []msapi.SalePrice
	minimum  *msapi.MinimumStock // if it was asked for
}

// price returns the price that the document would change, in minor units.
func (g good) price(doc tool.Document) msapi.Price {
	if doc.PriceType == nil || doc.PriceType.ID == tool.BuyPrice {
		return g.buy
	}
	for _, p := range g.sale {
		if strings.EqualFold(string(p.PriceType.ID), doc.PriceType.ID) {
			return p.Price
		}
	}
	return msapi.Price{}
}

func goodID(l tool.Line) msapi.ID { return idOf(&l.Product) }

func idOf(r *tool.Ref) msapi.ID {
	if r == nil {
		return ""
	}
	id, _ := msapi.ParseID(r.ID)
	return id
}

// checked reports whether the line's good is of a kind that is read here. Services have no stock, and whether they are
// archived does not matter to an order.
func checked(l tool.Line) bool { return l.Product.Type == "product" || l.Product.Type == "variant" }

// goods reads the goods of the lines, including archived ones, with their minimum stocks if minimums is set, those of
// archived warehouses left out. Goods that no longer exist are missing from the map.
func (w *Writer) goods(ctx context.Context, lines []tool.Line, minimums bool) (map[msapi.ID]good, error) {
	products, variants := split(lines)
	goods := make(map[msapi.ID]good, len(products)+len(variants))
	var read []*msapi.MinimumStock
	for _, of := range []struct {
		ids  []msapi.ID
		list func(context.Context, msapi.CardQuery) iter.Seq2[msapi.Card, error]
	}{{products, w.reader.ProductCards}, {variants, w.reader.VariantCards}} {
		if len(of.ids) == 0 {
			continue
		}
		query := msapi.CardQuery{ListQuery: msapi.ListQuery{IDs: of.ids, Archived: msapi.ArchivedAlso},
			Minimum: minimums}
		for c, err := range of.list(ctx, query) {
			if err != nil {
				return nil, err
			}
			goods[c.ID] = good{c.Name, c.Archived, c.BuyPrice, c.SalePrices, c.Minimum}
			read = append(read, c.Minimum)
		}
	}
	return goods, writable.Minimums(ctx, w.reader, read)
}

// split returns the distinct products and variants of the lines.
func split(lines []tool.Line) (products, variants []msapi.ID) {
	kinds := map[msapi.ID]string{}
	for _, l := range lines {
		if id := goodID(l); id != "" && checked(l) {
			kinds[id] = l.Product.Type
		}
	}
	for _, id := range slices.Sorted(maps.Keys(kinds)) {
		if kinds[id] == "variant" {
			variants = append(variants, id)
		} else {
			products = append(products, id)
		}
	}
	return products, variants
}

// look reads what the documents are based on.
func (w *Writer) look(ctx context.Context, docs []tool.Document) (*current, error) {
	v := &current{taken: map[place]decimal.Decimal{}, stock: map[place]figures{}}
	employee, err := msapi.Get[employee](ctx, w.reader, "context/employee", nil)
	if err != nil {
		return nil, err
	}
	v.rights = employee.rights()

	var goods, stocked []tool.Line
	var stores, sources, suppliers, organizations []msapi.ID
	priced, minimums := false, false
	for _, doc := range docs {
		if v.rights.missing(doc, "") != "" {
			continue // it will not be sent, so what it is based on does not matter
		}
		switch doc.Kind {
		case tool.SupplierOrder, tool.Transfer:
			goods = append(goods, doc.Lines...)
			stores = append(stores, idOf(doc.Store), idOf(doc.Target))
			suppliers = append(suppliers, idOf(doc.Supplier))
			organizations = append(organizations, idOf(doc.Organization))
			sources = append(sources, idOf(doc.Store))
			for _, l := range doc.Lines {
				if doc.Kind == tool.Transfer || l.Seen.Stock.Known || l.Seen.Reserve.Known || l.Seen.InTransit.Known {
					stocked = append(stocked, l)
				}
				priced = priced || doc.Kind == tool.SupplierOrder && l.Seen.Price.Known
			}
		case tool.PriceChange:
			goods = append(goods, doc.Lines...)
			priced = true
		case tool.MinimumStock:
			goods, minimums = append(goods, doc.Lines...), true
			for _, l := range doc.Lines {
				stores = append(stores, idOf(l.Store))
			}
		case tool.Deletion:
		}
	}
	if v.goods, err = w.goods(ctx, goods, minimums); err != nil {
		return nil, err
	}
	list := msapi.ListQuery{Archived: msapi.ArchivedAlso}
	if list.IDs = distinct(stores); len(list.IDs) > 0 {
		if v.stores, err = named(w.reader.Stores(ctx, list),
			func(s msapi.Store) msapi.Named { return s.Named }); err != nil {
			return nil, err
		}
	}
	if list.IDs = distinct(suppliers); len(list.IDs) > 0 {
		if v.suppliers, err = named(w.reader.Counterparties(ctx, list),
			func(c msapi.Counterparty) msapi.Named { return c.Named }); err != nil {
			return nil, err
		}
	}
	if list.IDs = distinct(organizations); len(list.IDs) > 0 {
		if v.organizations, err = named(w.reader.Organizations(ctx, list),
			func(o msapi.Organization) msapi.Named { return o.Named }); err != nil {
			return nil, err
		}
	}
	if priced {
		if v.currency, err = w.accountCurrency(ctx); err != nil {
			return nil, err
		}
	}
	return v, w.stockOf(ctx, v, distinct(sources), stocked)
}

// accountCurrency returns the ID of the account currency, or "" for an employee who may not see currencies and so uses
// only one.
func (w *Writer) accountCurrency(ctx context.Context) (msapi.ID, error) {
	for c, err := range w.reader.Currencies(ctx, msapi.ListQuery{}) {
		switch {
		case msapi.IsForbidden(err):
			return "", nil
		case err != nil:
			return "", err
		case c.Default:
			return c.ID, nil
		}
	}
	return "", nil
}

// stockOf reads the stock of the lines' goods in the stores.
func (w *Writer) stockOf(ctx context.Context, v *current, stores []msapi.ID, lines []tool.Line) error {
	products, variants := split(lines)
	if len(stores) == 0 || len(products)+len(variants) == 0 {
		return nil
	}
	q := msapi.StockQuery{Stores: stores, StockMode: msapi.ModeAll} // the report's default hides goods without stock
	if len(products) > 0 {
		q.Products = products
	}
	if len(variants) > 0 {
		q.Variants = variants
	}
	for row, err := range w.reader.StockByStore(ctx, q) {
		if msapi.IsForbidden(err) {
			v.stockHidden = true
			return nil
		}
		if err != nil {
			return err
		}
		for _, store := range stores {
			// A warehouse that is missing from a good's row has no stock of it.
			v.stock[place{store, row.ID}] = figures{decimal.Some(decimal.Zero), decimal.Some(decimal.Zero),
				decimal.Some(decimal.Zero)}
		}
		for _, s := range row.Stores {
			v.stock[place{s.Store, row.ID}] = figures{s.Stock, s.Reserve, s.InTransit}
		}
	}
	return nil
}

// named reads a list by ID, or returns nil if the employee may not read it.
func named[T any](seq func(yield func(T, error) bool), name func(T) msapi.Named) (map[msapi.ID]msapi.Named, error) {
	all := map[msapi.ID]msapi.Named{}
	for row, err := range seq {
		if msapi.IsForbidden(err) {
			return nil, nil //nolint:nilnil // not permitted to read; writing will report it
		}
		if err != nil {
			return nil, err
		}
		n := name(row)
		all[n.ID] = n
	}
	return all, nil
}

// distinct sorts IDs and removes empty and repeated ones. It never returns nil, which would select all.
func distinct(ids []msapi.ID) []msapi.ID {
	ids = slices.DeleteFunc(slices.Clone(ids), func(id msapi.ID) bool { return id == "" })
	slices.Sort(ids)
	return slices.Compact(ids)
}

// rights are what the employee may do (fact M89).
type rights map[string]map[string]any

type employee struct {
	Permissions rights `json:"permissions"`
}

// sampleKeys maps the documented names of rights to those of the documentation's sample, which the real API uses.
var sampleKeys = map[string]string{"good": "product"}

func (e employee) rights() rights {
	r := rights{}
	for key, actions := range e.Permissions {
		key = strings.ToLower(key)
		if k, ok := sampleKeys[key]; ok {
			key = k
		}
		r[key] = actions
	}
	if _, own := r["variant"]; !own && r["product"] != nil {
		r["variant"] = r["product"] // the role settings only have goods
	}
	return r
}

func (r rights) may(entity, action string) bool {
	if r["admin"] != nil {
		return true
	}
	scope, _ := r[entity][action].(string)
	return scope != "" && scope != "NO"
}
