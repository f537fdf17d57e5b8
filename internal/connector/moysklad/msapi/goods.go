package msapi

import (
	"context"
	"iter"
	"net/url"
	"slices"
	"strings"
)

func (r *Reader) products(ctx context.Context, q ProductQuery) iter.Seq2[Product, error] {
	if err := checkIDs(q.Folders, q.Suppliers); err != nil {
		return failed[Product](err)
	}
	first := q.First
	if len(q.Folders) > 0 {
		q.First = 0 // counted after the folder is known
	}
	l, err := q.listing("entity/product")
	if err != nil {
		return failed[Product](err)
	}
	if q.HasMinimum {
		l.filter = l.filter.Where("minimumBalance", Greater, "0")
	}
	if l.split == nil && len(q.Suppliers) > 0 && !q.NoSupplier {
		l.split = alternatives("supplier", r.hrefs("counterparty", q.Suppliers))
	} else {
		l.filter = r.are(l.filter, "supplier", "counterparty", q.Suppliers, q.NoSupplier)
	}
	var expand []string
	if q.ExpandSupplier {
		expand = append(expand, "supplier")
	}
	if q.MinimumStock {
		l.params.Set("fields", "minimumStock")
		expand = append(expand, "minimumStock.storebalances")
	}
	if len(expand) > 0 {
		l.params.Set("expand", strings.Join(expand, ","))
		l.page = expandPage
	}
	seq := convert(list[wireItem](ctx, r, l), func(w *wireItem) (Product, error) {
		minimum, err := r.minimum(ctx, "product", w)
		return Product{
			ID: w.id(), Name: w.Name, Code: w.Code, Article: w.Article, PathName: w.PathName, Folder: w.Folder,
			Supplier: w.Supplier, Unit: w.UOM.Name, Archived: w.Archived, Barcodes: w.barcodes(), BuyPrice: w.BuyPrice,
			SalePrices: w.SalePrices, MinimumBalance: w.MinimumBalance, MinimumStock: minimum, Variants: w.Variants,
		}, err
	})
	if len(q.Folders) == 0 {
		return seq
	}
	return func(yield func(Product, error) bool) {
		n := 0
		for p, err := range seq {
			if err == nil && !slices.Contains(q.Folders, p.Folder.ID) {
				continue
			}
			n++
			if !yield(p, err) || err != nil || n == first {
				return
			}
		}
	}
}

func (r *Reader) variants(ctx context.Context, q VariantQuery) iter.Seq2[Variant, error] {
	l, err := q.listing("entity/variant")
	if err == nil {
		err = checkIDs(q.Products)
	}
	if err != nil {
		return failed[Variant](err)
	}
	switch {
	case q.Products == nil:
	case l.split != nil:
		// A bare id under this name is what public clients send; the reference lists no such field.
		l.filter = l.filter.Where("productid", Eq, texts(q.Products)...)
		l.none = l.none || len(q.Products) == 0
	default:
		l.split, l.none = alternatives("productid", texts(q.Products)), len(q.Products) == 0
	}
	if q.MinimumStock {
		l.params.Set("fields", "minimumStock")
		l.params.Set("expand", "minimumStock.storebalances")
		l.page = expandPage
	}
	return convert(list[wireItem](ctx, r, l), func(w *wireItem) (Variant, error) {
		minimum, err := r.minimum(ctx, "variant", w)
		return Variant{
			ID: w.id(), Name: w.Name, Code: w.Code, Article: w.Article, Product: w.Product, Archived: w.Archived,
			Barcodes: w.barcodes(), BuyPrice: w.BuyPrice, SalePrices: w.SalePrices, MinimumStock: minimum,
			Characteristics: w.Characteristics,
		}, err
	})
}

// minimum completes a minimum stock whose per-store rows did not come with it.
func (r *Reader) minimum(ctx context.Context, kind string, w *wireItem) (*MinimumStock, error) {
	if w.MinimumStock == nil {
		return nil, nil
	}
	m := &MinimumStock{Kind: w.MinimumStock.Type, Quantity: w.MinimumStock.Quantity,
		Inherited: w.MinimumStock.Inherited}
	stores := w.MinimumStock.Stores
	if stores != nil {
		m.Stores = stores.Rows
	}
	if m.Kind != MinimumVaried || stores != nil && !stores.missing() &&
		(stores.Meta.Size != nil || stores.Rows != nil) {
		return m, nil
	}
	all, err := Collect(list[StoreMinimum](ctx, r,
		listing{path: "entity/" + kind + "/" + string(w.id()) + "/storebalances"}))
	m.Stores = all
	return m, err
}

func (r *Reader) assortment(ctx context.Context, q AssortmentQuery) iter.Seq2[AssortmentItem, error] {
	if err := checkIDs(q.IDs, q.Folders, q.Suppliers, q.Stores); err != nil {
		return failed[AssortmentItem](err)
	}
	l := listing{path: "entity/assortment", params: url.Values{}, order: "id", first: q.First}
	f := q.Archived.filter().And(q.Filter)
	for _, c := range []struct {
		field string
		op    Op
		value string
	}{
		{"search", Eq, q.Search}, {"name", Contains, q.NameContains}, {"code", Eq, q.Code}, {"barcode", Eq, q.Barcode},
		{"stockMode", Eq, string(q.StockMode)}, {"quantityMode", Eq, string(q.QuantityMode)},
	} {
		if c.value != "" {
			f = f.Where(c.field, c.op, c.value)
		}
	}
	f = f.Where("type", Eq, q.Types...)
	f = r.are(f, "productFolder", "productfolder", q.Folders, false)
	f = r.are(f, "supplier", "counterparty", q.Suppliers, false)
	f = r.are(f, "stockStore", "store", q.Stores, false)
	l.filter = f
	if q.IDs != nil {
		l.split, l.none = alternatives("id", texts(q.IDs)), len(q.IDs) == 0
	}
	if q.ExpandParent {
		l.params.Set("expand", "product")
		l.page = expandPage
	}
	if q.Search != "" && q.First > 0 {
		l.order = ""
	}
	return convert(list[wireItem](ctx, r, l), func(w *wireItem) (AssortmentItem, error) {
		return AssortmentItem{
			Type: w.Meta.Type, ID: w.id(), Name: w.Name, Code: w.Code, Article: w.Article, PathName: w.PathName,
			Product: w.Product, Folder: w.Folder, Supplier: w.Supplier, Archived: w.Archived, Barcodes: w.barcodes(),
			BuyPrice: w.BuyPrice, SalePrices: w.SalePrices,
			Stock: w.Stock, Reserve: w.Reserve, InTransit: w.InTransit, Quantity: w.Quantity,
		}, nil
	})
}
