package shortage

import (
	"cmp"
	"context"
	"strings"

	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/connector/moysklad/wording"
	"github.com/stockhand/stockhand/internal/decimal"
	"golang.org/x/sync/errgroup"
)

// Item is a good with what the search for shortages needs to know about it.
type Item struct {
	Name, Article, Code, unit string
	archived                  bool
	Supplier                  string
	SupplierID, folder        msapi.Key
	Price                     decimal.Maybe // main units; unknown if hidden or not set
	Currency                  msapi.Ref
	minimum                   Minimum
	pack                      decimal.Maybe // units in its smallest pack; unknown if it has no packs
}

// fractionalUnits are the units of measure that can be divided; all others are counted in pieces.
var fractionalUnits = map[string]bool{
	"кг": true, "г": true, "гр": true, "т": true, "л": true, "мл": true, "м": true, "см": true, "мм": true, "м2": true,
	"м3": true, "м²": true, "м³": true,
	"пог. м": true, "п.м": true, "кв.м": true, "куб.м": true, "kg": true, "g": true, "l": true, "ml": true, "m": true,
	"cm": true, "m2": true, "m3": true,
}

// Divisible reports whether a fraction of a unit of measure can be ordered.
func Divisible(unit string) bool { return fractionalUnits[strings.TrimRight(wording.Fold(unit), ".")] }

// InPacks rounds a quantity up to whole packs, if the good has any.
func InPacks(quantity decimal.Decimal, pack decimal.Maybe) decimal.Decimal {
	if !pack.Known {
		return quantity
	}
	return quantity.Div(pack.Decimal).Ceil(0).Mul(pack.Decimal)
}

func (s *Line) Unit() string { return cmp.Or(s.reportUnit, s.Item.unit) }

// describe reads names, suppliers, purchase prices and minimums of the candidates, a hundred per request, because
// larger requests silently lose the minimums (fact M21). A variant has no supplier and no unit and may inherit its
// minimum, so its product is read too.
func (w *search) describe(ctx context.Context) error {
	products, variants := map[msapi.Key]bool{}, map[msapi.Key]bool{}
	for _, list := range [][]*Line{w.minimumCandidates, w.rateCandidates} {
		for _, s := range list {
			// The current reports do not distinguish products from variants, so the good is looked up as both.
			if s.kind != "product" {
				variants[s.Good] = true
			}
			if s.kind != "variant" {
				products[s.Good] = true
			}
		}
	}
	w.goods = make(map[msapi.Key]*Item, len(products)+len(variants))
	var children []msapi.Card
	parents := map[msapi.Key]bool{}
	work, inner := errgroup.WithContext(ctx)
	work.Go(func() error { return w.readProducts(inner, products) })
	work.Go(func() error {
		if len(variants) == 0 {
			return nil
		}
		q := msapi.CardQuery{ListQuery: msapi.ListQuery{IDs: keyIDs(variants), Archived: msapi.ArchivedAlso},
			Minimum: true}
		return account.Each(w.Call, w.Reader.VariantCards(inner, q),
			func(v msapi.Card) { children = append(children, v) })
	})
	if err := work.Wait(); err != nil {
		return err
	}
	for _, v := range children {
		if k := v.Product.ID.Key(); w.goods[k] == nil && k != (msapi.Key{}) {
			parents[k] = true
		}
	}
	if err := w.readProducts(ctx, parents); err != nil {
		return err
	}
	for _, v := range children {
		parent := w.goods[v.Product.ID.Key()]
		if parent == nil {
			parent = &Item{}
		}
		d := &Item{
			Name: v.Name, Article: cmp.Or(v.Article, parent.Article), Code: v.Code, archived: v.Archived ||
				parent.archived,
			unit: parent.unit, Supplier: parent.Supplier, SupplierID: parent.SupplierID, folder: parent.folder,
			minimum: MinimumOfVariant(v, parent.minimum), pack: SmallestPack(v.Packs),
		}
		if !d.pack.Known {
			d.pack = parent.pack
		}
		if d.Price, d.Currency = PurchasePrice(v.BuyPrice); !d.Price.Known {
			d.Price, d.Currency = parent.Price, parent.Currency
		}
		w.goods[v.ID.Key()] = d
	}
	return nil
}

// PurchasePrice returns a price in main units with its currency; zero means that no price is set.
func PurchasePrice(p msapi.Price) (decimal.Maybe, msapi.Ref) {
	if !p.Value.Known || p.Value.Sign() == 0 {
		return decimal.Maybe{}, msapi.Ref{}
	}
	return decimal.Some(p.Value.Major()), msapi.Ref{ID: p.Currency.ID}
}

func (w *search) readProducts(ctx context.Context, keys map[msapi.Key]bool) error {
	if len(keys) == 0 {
		return nil
	}
	q := msapi.CardQuery{ListQuery: msapi.ListQuery{IDs: keyIDs(keys), Archived: msapi.ArchivedAlso}, Minimum: true,
		Named: true}
	return account.Each(w.Call, w.Reader.ProductCards(ctx, q), func(p msapi.Card) {
		d := &Item{
			Name: p.Name, Article: p.Article, Code: p.Code, unit: w.word(p.Unit.Name), archived: p.Archived,
			Supplier: w.word(p.Supplier.Name), SupplierID: p.Supplier.ID.Key(), folder: p.Folder.ID.Key(),
			minimum: MinimumOf(p), pack: SmallestPack(p.Packs),
		}
		d.Price, d.Currency = PurchasePrice(p.BuyPrice)
		d.Currency.ID = msapi.ID(w.word(string(d.Currency.ID)))
		w.goods[p.ID.Key()] = d
	})
}

// SmallestPack returns the number of units in the smallest pack of more than one.
func SmallestPack(packs []msapi.Pack) decimal.Maybe {
	var least decimal.Maybe
	for _, p := range packs {
		if p.Quantity.Known && decimal.One.Less(p.Quantity.Decimal) &&
			(!least.Known || p.Quantity.Less(least.Decimal)) {
			least = p.Quantity
		}
	}
	return least
}

// word returns a shared copy of a word that occurs for thousands of goods.
func (w *search) word(s string) string {
	if one, ok := w.words[s]; ok {
		return one
	}
	if w.words == nil {
		w.words = map[string]string{}
	}
	w.words[s] = s
	return s
}

func keyIDs(keys map[msapi.Key]bool) []msapi.ID {
	list := make([]msapi.ID, 0, len(keys))
	for k := range keys {
		list = append(list, k.ID())
	}
	return list
}
