package sandbox

import (
	"slices"
	"strings"
	"time"

	"github.com/stockhand/stockhand/internal/sandbox/company"
)

type good = *company.Good

// goodField is a field with the kinds of goods that have it.
type goodField struct {
	kinds []company.Kind // nil: all
	field[good]
}

var (
	notVariants   = []company.Kind{company.Product, company.Bundle, company.Service}
	stockedKinds  = []company.Kind{company.Product, company.Variant}
	productsOnly  = []company.Kind{company.Product}
	variantsOnly  = []company.Kind{company.Variant}
	bundlesOnly   = []company.Kind{company.Bundle}
	notServices   = []company.Kind{company.Product, company.Variant, company.Bundle}
	withArticle   = []company.Kind{company.Product, company.Variant, company.Bundle}
	withBuyPrice  = []company.Kind{company.Product, company.Variant, company.Service}
	withUnit      = []company.Kind{company.Product, company.Bundle, company.Service}
	withDimension = []company.Kind{company.Product, company.Bundle}
)

// goodFields is the table of all four kinds (facts M53, M54, M55).
func goodFields() []goodField {
	var table []goodField
	add := func(kinds []company.Kind, fields ...field[good]) {
		for _, f := range fields {
			table = append(table, goodField{kinds, f})
		}
	}
	add(nil, accountField[good]())
	add(nil, belonging(func(g good) *company.Employee { return g.Owner },
		func(g good) *company.Group { return g.Group })...)
	add(nil,
		momentField("updated", canFind, func(g good) time.Time { return g.Prices().Updated }),
		textField("name", searched, func(g good) string { return g.Name }),
		textField("description", canFind, func(g good) string { return g.Description }),
		textField("code", searched, func(g good) string { return g.Code }),
		textField("externalCode", canFind, func(g good) string { return g.ExternalCode }),
		flagField("archived", canFind, func(g good) bool { return g.IsArchived() }),
		attributesField("product", goodAttributes),
	)
	add(notVariants, uidField("syncId", canFilter, func(g good) company.ID { return g.SyncID }))
	add(notVariants,
		alwaysText("pathName", canFind, func(g good) string { return g.Folder.Path() }),
		field[good]{name: "productFolder", can: canExpand, write: func(c *call, e *encoder, g good, x expansion) {
			if g.Folder != nil {
				c.member(e, "productFolder", link, linkValue("productfolder", string(g.Folder.ID)), x)
			}
		}},
	)
	add(notVariants,
		flagField("useParentVat", 0, func(g good) bool { return !g.VATEnabled }),
		vatField("vat"), flagField("vatEnabled", 0, func(g good) bool { return g.VATEnabled }),
		vatField("effectiveVat"),
		flagField("effectiveVatEnabled", 0, func(g good) bool { return g.VATEnabled }),
	)
	add(withUnit, linkField("uom", "uom", canFilter|canExpand, func(g good) company.ID {
		if g.Unit == nil {
			return ""
		}
		return g.Unit.ID
	}))
	add(withDimension, linkField("country", "country", canExpand, func(g good) company.ID {
		if g.Country == nil {
			return ""
		}
		return g.Country.ID
	}))
	add(notServices, writtenField("images", func(c *call, e *encoder, g good, _ expansion) {
		c.nested(e, "images", "image", "/entity/"+string(g.Kind)+"/"+string(g.ID)+"/images", 0, nil)
	}))
	add(nil,
		writtenField("minPrice", func(c *call, e *encoder, g good, _ expansion) {
			if p := g.Prices().Minimum; p != nil {
				c.price(e, "minPrice", *p)
			}
		}),
		writtenField("salePrices", func(c *call, e *encoder, g good, _ expansion) { c.salePrices(e, g) }),
	)
	add(withBuyPrice, field[good]{name: "buyPrice", needs: rightBuyPrice,
		write: func(c *call, e *encoder, g good, _ expansion) {
			if p, ok := g.BuyPrice(); ok {
				c.price(e, "buyPrice", p)
			}
		}})
	add(productsOnly, linkField("supplier", "counterparty", canFilter|canExpand, supplierOf))
	add(withArticle, textField("article", searched, func(g good) string { return g.Article }))
	add(withDimension,
		numberField("weight", canFind, func(g good) company.Quantity { return g.Weight }),
		numberField("volume", canFind, func(g good) company.Quantity { return g.Volume }),
	)
	add(notServices, writtenField("packs", func(c *call, e *encoder, g good, _ expansion) { c.packs(e, g) }))
	add(nil,
		writtenField("barcodes", func(_ *call, e *encoder, g good,
			_ expansion) {
			writeBarcodes(e, "barcodes", g.Barcodes)
		}),
		flagField("discountProhibited", canFind, func(good) bool { return false }),
	)
	add(productsOnly,
		minimumBalanceField(),
		countField("variantsCount", canFind, func(g good) int { return len(g.Variants) }),
		flagField("isSerialTrackable", canFind, func(good) bool { return false }),
		literal[good]("paymentItemType", "GOOD"),
		writtenField("weighed", func(_ *call, e *encoder, g good, _ expansion) {
			if g.Weighed {
				e.key("weighed").bool(true)
			}
		}),
		flagField("weighed", canFilter|unwritten, func(g good) bool { return g.Weighed }),
		writtenField("files", func(c *call, e *encoder, g good, _ expansion) {
			c.nested(e, "files", "files", "/entity/product/"+string(g.ID)+"/files", 0, nil)
		}),
	)
	add(notServices, literal[good]("trackingType", "NOT_TRACKED"))
	add(variantsOnly,
		writtenField("characteristics", func(c *call, e *encoder, g good, _ expansion) { c.characteristics(e, g) }),
		field[good]{name: "product", kind: link, can: canFilter | canExpand, of: func(g good) value {
			return linkValue("product", string(g.Root().ID))
		}},
		// a plain id, as public clients send it
		uidField("productid", canFilter|unwritten, func(g good) company.ID { return g.Root().ID }),
	)
	add(bundlesOnly, field[good]{name: "components", can: canExpand,
		write: func(c *call, e *encoder, g good, x expansion) {
			sub, full := x["components"]
			var rows func(int)
			if full {
				rows = func(i int) { c.component(e, g, i, sub) }
			}
			c.nested(e, "components", "bundlecomponent", "/entity/bundle/"+string(g.ID)+"/components",
				len(g.Components), rows)
		}})
	add(stockedKinds, field[good]{name: "minimumStock", can: onDemand | canExpand,
		write: func(c *call, e *encoder, g good, x expansion) { c.minimumStock(e, g, x["minimumStock"]) }})
	return table
}

// goodTypes are the kinds of goods as types of entities.
var goodTypes = []string{string(company.Product), string(company.Variant), string(company.Bundle),
	string(company.Service)}

func goodAttributes(g good) []company.AttributeValue { return g.Attributes }

func supplierOf(g good) company.ID {
	if g.Supplier == nil {
		return ""
	}
	return g.Supplier.ID
}

func vatField(name string) field[good] {
	return writtenField(name, func(_ *call, e *encoder, g good, _ expansion) {
		if g.VATEnabled {
			e.key(name).int(int64(g.VAT))
		}
	})
}

// minimumBalanceField is the old flat field, present only if the minimum is a total over all stores (fact M57).
func minimumBalanceField() field[good] {
	return field[good]{name: "minimumBalance", kind: number, can: canFind, of: func(g good) value {
		if g.Minimum == nil || g.Minimum.Type != company.MinimumSum {
			return value{}
		}
		return numberValue(int64(g.Minimum.Quantity))
	}}
}

// addGoods adds product, variant, bundle, service, folder and assortment.
func addGoods(to map[string]collection) {
	kinds := map[company.Kind]*entity[good]{}
	for _, k := range []company.Kind{company.Product, company.Variant, company.Bundle, company.Service} {
		t := goodEntity(k)
		kinds[k], to[string(k)] = t, t
	}
	to["assortment"] = assortmentEntity(kinds)
	to["productfolder"] = folderEntity()
}

func goodEntity(k company.Kind) *entity[good] {
	t := &entity[good]{
		typ: string(k),
		rows: func(a *account) []good {
			var rows []good
			for _, g := range a.Catalogue().Goods {
				if g.Kind == k && !g.Deleted {
					rows = append(rows, g)
				}
			}
			return rows
		},
		find: func(a *account, id string) (good, bool) {
			g, ok := a.Good(company.ID(id))
			return g, ok && g.Kind == k
		},
		id:         func(g good) string { return string(g.ID) },
		webID:      func(g good) string { return string(g.InterfaceID) },
		gone:       good.IsArchived,
		attributes: goodAttributes,
		fields: []field[good]{
			idField(func(g good) company.ID { return g.ID }),
		},
		special: map[string]func(*call, []condition) (func(good) bool, error){"barcode": barcodeTest},
		children: map[string]func(*call, good) (answer, error){
			"images": func(c *call, _ good) (answer, error) { return c.childList("image", 0, nil, nil) },
		},
	}
	for _, f := range goodFields() {
		if f.kinds == nil || slices.Contains(f.kinds, k) {
			t.fields = append(t.fields, f.field)
		}
	}
	switch k {
	case company.Product, company.Variant:
		t.children["storebalances"] = storeBalances
	case company.Bundle:
		t.children["components"] = func(c *call, g good) (answer, error) {
			return c.childList("bundlecomponent", len(g.Components),
				func(i int) string { return string(g.Components[i].ID) },
				func(e *encoder, i int, x expansion) { c.component(e, g, i, x) })
		}
	case company.Service:
	}
	if k == company.Variant {
		t.search = bySubstring // matches the name as a whole, not word by word (fact M27)
	}
	return t
}

// barcodeTest selects goods by any of their barcodes, including those of packs.
func barcodeTest(c *call, conditions []condition) (func(good) bool, error) {
	m, err := compile("barcode", uid, conditions, c.server.options.Switches.NotEqualKeepsNull)
	if err != nil {
		return nil, err
	}
	return func(g good) bool {
		found := false
		eachBarcode(g, func(b company.Barcode) { found = found || m(textValue(b.Value)) })
		return found
	}, nil
}

func eachBarcode(g good, do func(company.Barcode)) {
	for _, b := range g.Barcodes {
		do(b)
	}
	for _, p := range g.Packs {
		for _, b := range p.Barcodes {
			do(b)
		}
	}
}

// interfaceID returns the id of a good in the web interface; other ids are returned unchanged.
func (c *call) interfaceID(id string) string {
	if g, ok := c.account.Good(company.ID(id)); ok {
		return string(g.InterfaceID)
	}
	return id
}

func (c *call) price(e *encoder, name string, p company.Price) {
	e.key(name).object(func() { c.priceMembers(e, p) })
}

func (c *call) priceMembers(e *encoder, p company.Price) {
	e.key("value").fixed(int64(p.Value))
	cur := p.Currency
	if cur == nil {
		cur = c.account.Catalogue().Currencies[0]
	}
	c.member(e, "currency", link, linkValue("currency", string(cur.ID)), nil)
}

// salePrices writes one element per price type, with 0 if not set.
func (c *call) salePrices(e *encoder, g good) {
	e.key("salePrices").array(func() {
		for _, t := range c.account.Catalogue().PriceTypes {
			e.object(func() {
				c.priceMembers(e, g.SalePrice(t))
				e.key("priceType").object(func() { c.priceType(e, t) })
			})
		}
	})
}

func (c *call) priceType(e *encoder, t *company.PriceType) {
	c.plainMeta(e, "pricetype", "/context/companysettings/pricetype/"+string(t.ID))
	e.members("id", t.ID, "name", t.Name, "externalCode", t.ExternalCode)
}

func writeBarcodes(e *encoder, name string, codes []company.Barcode) {
	if len(codes) == 0 {
		return
	}
	e.key(name).array(func() {
		for _, b := range codes {
			e.object(func() {
				e.key(b.Kind).string(b.Value)
			})
		}
	})
}

func (c *call) packs(e *encoder, g good) {
	if len(g.Packs) == 0 {
		return
	}
	e.key("packs").array(func() {
		for i := range g.Packs {
			e.object(func() { c.pack(e, &g.Packs[i]) })
		}
	})
}

func (c *call) pack(e *encoder, p *company.Pack) {
	e.key("id").string(string(p.ID))
	if p.Unit != nil {
		c.member(e, "uom", link, linkValue("uom", string(p.Unit.ID)), nil)
	}
	e.key("quantity").fixed(int64(p.Quantity))
	writeBarcodes(e, "barcodes", p.Barcodes)
}

func (c *call) characteristics(e *encoder, g good) {
	e.key("characteristics").array(func() {
		for _, ch := range g.Characteristics {
			e.object(func() {
				c.plainMeta(e, "attributemetadata", "/entity/variant/metadata/characteristics/"+string(ch.ID))
				e.members("id", ch.ID, "name", ch.Name, "value", ch.Value)
			})
		}
	})
}

func (c *call) component(e *encoder, g good, i int, x expansion) {
	part := g.Components[i]
	c.plainMeta(e, "bundlecomponent", "/entity/bundle/"+string(g.ID)+"/components/"+string(part.ID))
	e.members("id", part.ID, "accountId", c.account.info.AccountID)
	c.member(e, "assortment", link, linkValue(string(part.Good.Kind), string(part.Good.ID)), x)
	e.key("quantity").fixed(int64(part.Quantity))
}

// minimumStock writes the minimum, including per-store values if storebalances is expanded.
func (c *call) minimumStock(e *encoder, g good, x expansion) {
	m := g.Minimum
	if m == nil {
		return
	}
	e.key("minimumStock").object(func() {
		e.key("type").string(string(m.Type))
		if g.Kind == company.Variant {
			e.key("inherited").bool(m.Inherited)
		}
		if m.Type != company.MinimumVaried {
			e.key("quantity").fixed(int64(m.Quantity))
			return
		}
		sub, full := x["storebalances"]
		if !full {
			sub, full = x["storeBalances"] // the vendor's documentation uses both spellings
		}
		var rows func(int)
		if full {
			rows = func(i int) { c.storeBalance(e, g, i, sub) }
		}
		c.nested(e, "storebalances", "minimumstock", storeBalancesPath(g), len(m.Stores), rows)
	})
}

func storeBalancesPath(g good) string {
	return "/entity/" + string(g.Kind) + "/" + string(g.ID) + "/storebalances"
}

func (c *call) storeBalance(e *encoder, g good, i int, x expansion) {
	b := g.Minimum.Stores[i]
	c.plainMeta(e, "minimumstock", storeBalancesPath(g)+"/"+string(b.ID))
	e.members("id", b.ID, "accountId", c.account.info.AccountID, "quantity", b.Quantity)
	c.member(e, "store", link, linkValue("store", string(b.Store.ID)), x)
}

func storeBalances(c *call, g good) (answer, error) {
	if g.Minimum == nil {
		return c.childList("minimumstock", 0, nil, nil)
	}
	return c.childList("minimumstock", len(g.Minimum.Stores),
		func(i int) string { return string(g.Minimum.Stores[i].ID) },
		func(e *encoder, i int, x expansion) { c.storeBalance(e, g, i, x) })
}

func folderEntity() collection {
	type R = *company.Folder
	t := directory("productfolder", func(k *company.Catalogue) []R { return k.Folders },
		func(r R) company.ID { return r.ID },
		[]field[R]{accountField[R]()}, ofMainGroup[R](), []field[R]{
			momentField("updated", canFind, func(r R) time.Time { return r.Updated }),
			textField("name", searched, func(r R) string { return r.Name }),
			textField("code", searched, func(r R) string { return r.Code }),
			textField("externalCode", canFind, func(r R) string { return r.ExternalCode }),
			flagField("archived", canFind, func(r R) bool { return r.Archived }),
			alwaysText("pathName", canFind, func(r R) string { return r.PathName }),
			flagField("vatEnabled", 0, func(R) bool { return false }),
			flagField("useParentVat", 0, func(R) bool { return true }),
			linkField("productFolder", "productfolder", canFilter|canExpand, func(r R) company.ID {
				if r.Parent == nil {
					return ""
				}
				return r.Parent.ID
			}),
		})
	t.gone = func(r R) bool { return r.Archived }
	return t
}

// folderTest selects goods by folder, including nested folders unless withSubFolders=false.
func folderTest(only, except []string, nested bool) func(good) bool {
	within := func(g good, ids []string) bool {
		for f := g.Root().Folder; f != nil; f = f.Parent {
			if slices.Contains(ids, string(f.ID)) {
				return true
			}
			if !nested {
				break
			}
		}
		return g.Root().Folder == nil && slices.Contains(ids, "")
	}
	return func(g good) bool {
		return (only == nil || within(g, only)) && !within(g, except)
	}
}

// wordsBegin implements the prefix search of the assortment: every word of the search is a prefix of a word in the
// name, code or article.
func wordsBegin(text string) func(good) bool {
	match := searcher(text, byWords)
	exact := strings.TrimSpace(text)
	return func(g good) bool {
		if match([]string{g.Name, g.Code, g.Article, g.Root().Article}) {
			return true
		}
		found := false
		eachBarcode(g, func(b company.Barcode) { found = found || b.Value == exact })
		return found
	}
}
