package sandbox

import (
	"cmp"
	"net/http"
	"slices"

	"github.com/stockhand/stockhand/internal/sandbox/company"
)

// stockOrders are the sort keys of report/stock/all.
var stockOrders = []string{
	"avgStockDays", "code", "inTransit", "minimumBalance", "name", "pathName", "price", "productCode", "quantity",
	"reserve", "salePrice", "stock", "sumTotal",
}

// stockAll serves report/stock/all (fact M71).
func stockAll(f *reportFilter) answer {
	group := f.groupBy("variant")
	q := company.StockQuery{
		GoodFilter: f.goods("product", "variant", "consignment", "productFolder", "supplier", "archived", "search",
			"soldByWeight"),
		ByProduct:    group == "product",
		Stores:       f.choice("store"),
		Moment:       f.moment("moment"),
		StockMode:    f.mode("stockMode"),
		QuantityMode: f.mode("quantityMode"),
		ReserveOnly:  f.isSet("reserveOnly"),
		TransitOnly:  f.isSet("inTransitOnly"),
		DaysFrom:     f.decimal("stockDaysFrom"),
		DaysTo:       f.decimal("stockDaysTo"),
	}
	keys, err := parseOrder(f.query.Get("order"))
	f.fail(err)
	for _, k := range keys {
		if !slices.Contains(stockOrders, k.field) {
			f.fail(refuse(http.StatusPreconditionFailed, 1063,
				"Ошибка сортировки: сортировка по полю '%s' невозможна", k.field))
		}
		q.Order = append(q.Order, company.OrderKey{Key: k.field, Desc: k.desc})
	}
	return rowsOf(f, "stock", true, func(q company.StockQuery) []company.StockRow {
		return withoutRecalculating(f.call, f.account.StockAll(q), func(r *company.StockRow) good { return r.Good })
	}, q, f.stockRow)
}

func (c *call) stockRow(e *encoder, r *company.StockRow) {
	g := r.Good
	c.reportGood(e, g)
	e.members("stock", r.Stock, "inTransit", r.InTransit, "reserve", r.Reserve, "quantity", r.Quantity())
	c.nameCodeArticle(e, g)
	switch {
	case c.employee.has(rightCost):
		e.key("price").decimal(r.Price())
	case c.server.options.Switches.HiddenCostIsZero:
		e.key("price").int(0)
	}
	e.key("salePrice").fixed(int64(g.SalePrice(c.account.Catalogue().PriceTypes[0]).Value))
	c.unit(e, g, true)
	c.folder(e, "folder", g)
	e.members("externalCode", optional(g.ExternalCode), "stockDays", r.StockDays().Round(2))
}

// reportGood writes the meta of a good as reports do, with a query in the href (fact M40).
func (c *call) reportGood(e *encoder, g good) {
	c.metaWith(e, string(g.Kind), string(g.ID), string(g.InterfaceID), "?expand=supplier", nil)
}

func (c *call) nameCodeArticle(e *encoder, g good) {
	e.members("name", g.Name, "code", optional(g.Code), "article", optional(cmp.Or(g.Article, g.Root().Article)))
}

// unit writes the unit of measure. Without one, the stock report writes an empty object.
func (c *call) unit(e *encoder, g good, empty bool) {
	u := g.Root().Unit
	if u == nil && !empty {
		return
	}
	e.key("uom").object(func() {
		if u != nil {
			c.meta(e, "uom", string(u.ID), string(u.ID))
			e.key("name").string(u.Name)
		}
	})
}

func (c *call) folder(e *encoder, key string, g good) {
	f := g.Root().Folder
	if f == nil {
		return
	}
	e.key(key).object(func() {
		c.meta(e, "productfolder", string(f.ID), string(f.ID))
		e.members("name", f.Name, "pathName", f.PathName)
	})
}

// stockByStore serves report/stock/bystore, whose filters allow only "=" and no empty values (fact M77).
func stockByStore(f *reportFilter) answer {
	group := f.groupBy("variant")
	subjects := 0
	for _, key := range f.f.fields {
		for _, k := range f.f.by[key] {
			if k.op != opEqual || k.value == "" {
				f.fail(errFilter("поле '%s': допустим только оператор '=' с непустым значением", key))
			}
		}
		if slices.Contains([]string{"product", "variant", "consignment", "productFolder", "search"}, key) {
			subjects++
		}
	}
	if subjects > 1 {
		f.fail(errFilter("допустим только один из фильтров product, variant, consignment, productFolder, search"))
	}
	q := company.StockQuery{
		GoodFilter: f.goods("product", "variant", "consignment", "productFolder", "supplier", "search", "soldByWeight"),
		ByProduct:  group == "product",
		Stores:     f.choice("store"),
		Moment:     f.moment("moment"),
		StockMode:  f.mode("stockMode"),
	}
	return rowsOf(f, "stockbystore", true, func(q company.StockQuery) []company.ByStoreRow {
		return withoutRecalculating(f.call, f.account.StockByStore(q),
			func(r *company.ByStoreRow) good { return r.Good })
	}, q, func(e *encoder, r *company.ByStoreRow) {
		f.reportGood(e, r.Good)
		e.key("stockByStore").array(func() {
			for _, s := range r.Stores {
				if s.Store != nil {
					e.object(func() { f.storeStock(e, s) })
				}
			}
		})
	})
}

func (c *call) storeStock(e *encoder, s company.StoreStock) {
	c.meta(e, "store", string(s.Store.ID), string(s.Store.ID))
	e.members("name", s.Store.Name, "stock", s.Stock, "reserve", s.Reserve, "inTransit", s.InTransit)
}

// stockByDocument serves report/stock/byoperation: the stock at the positions of a document.
func stockByDocument(r *reportFilter) answer {
	c, id := r.call, r.query.Get("operation.id")
	d, ok := c.account.Document(company.ID(id))
	if !ok {
		r.fail(errNotFound("operation", id))
		return answer{}
	}
	if !collections[string(d.Type)].sees(c, id) {
		r.fail(errForbidden("объекта типа '" + string(d.Type) + "'"))
	}
	stock := c.account.StockByDocument(d.ID)
	return r.page("stockbyoperation", true, 1, func(e *encoder, _ int) {
		c.meta(e, string(d.Type), id, id)
		e.key("positions").array(func() {
			for i, s := range stock {
				e.object(func() { c.documentStock(e, d.Positions[i].Good, s) })
			}
		})
	})
}

func (c *call) documentStock(e *encoder, g good, s company.PositionStock) {
	c.meta(e, string(g.Kind), string(g.ID), string(g.InterfaceID))
	e.members("name", g.Name, "stock", s.Stock)
	if s.CostSet && c.employee.has(rightCost) {
		e.key("cost").decimal(s.Cost)
	}
	e.members("inTransit", s.InTransit, "reserve", s.Reserve, "quantity", s.Quantity())
}

// byOperations serves report/byoperations/…: the documents that make up a figure (fact M78).
func byOperations(f *reportFilter, t company.StockType) answer {
	c, ch := f.call, f.choice("assortment")
	if f.ok() && (len(ch.Only) != 1 || len(ch.Except) > 0) {
		f.fail(errFilter("необходим ровно один фильтр assortment"))
	}
	return rowsOf(f, "byoperations", false,
		func(of company.Choice) []company.OperationRow { return c.account.StockByOperations(of.Only[0], t) }, ch,
		func(e *encoder, r *company.OperationRow) {
			c.member(e, "assortment", link, linkValue(string(r.Good.Kind), string(r.Good.ID)), nil)
			c.member(e, "operation", link, linkValue(string(r.Document.Type), string(r.Document.ID)), nil)
			e.moment("moment", r.Moment)
			if r.Store != nil {
				c.member(e, "store", link, linkValue("store", string(r.Store.ID)), nil)
			}
			e.key(string(t)).fixed(int64(r.Quantity))
			if t != company.TypeStock {
				return
			}
			if c.employee.has(rightCost) {
				e.members("costPerUnit", r.Cost(), "sumCost", r.Sum)
			}
			e.key("avgStockDays").decimal(r.StockDays().Round(2))
		})
}
