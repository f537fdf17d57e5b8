package sandbox

import (
	"net/http"
	"slices"

	"github.com/stockhand/stockhand/internal/sandbox/company"
)

// stockOrders are the keys that report/stock/all can be sorted by.
var stockOrders = []string{
	"avgStockDays", "code", "inTransit", "minimumBalance", "name", "pathName", "price", "productCode", "quantity",
	"reserve", "salePrice", "stock", "sumTotal",
}

// stockAll answers report/stock/all (fact M71).
func stockAll(c *call) (answer, error) {
	group, err := c.groupBy("variant")
	if err != nil {
		return answer{}, err
	}
	f := c.reportFilter()
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
	keys, err := parseOrder(c.query.Get("order"))
	if err != nil {
		return answer{}, err
	}
	for _, k := range keys {
		if !slices.Contains(stockOrders, k.field) {
			return answer{}, refuse(http.StatusPreconditionFailed, 1063,
				"Ошибка сортировки: сортировка по полю '%s' невозможна", k.field)
		}
		q.Order = append(q.Order, company.OrderKey{Key: k.field, Desc: k.desc})
	}
	if err := f.done(); err != nil {
		return answer{}, err
	}
	rows := withoutRecalculating(c, c.account.StockAll(q), func(r *company.StockRow) good { return r.Good })
	return pageOf(c, "stock", true, rows, c.stockRow)
}

func (c *call) stockRow(e *encoder, r *company.StockRow) {
	g := r.Good
	c.reportGood(e, g)
	for _, figure := range [...]struct {
		key string
		q   company.Quantity
	}{{"stock", r.Stock}, {"inTransit", r.InTransit}, {"reserve", r.Reserve}, {"quantity", r.Quantity()}} {
		e.key(figure.key).fixed(int64(figure.q))
	}
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
	c.member(e, "externalCode", text, textValue(g.ExternalCode), nil)
	e.key("stockDays").decimal(r.StockDays().Round(2))
}

// reportGood writes meta of a good as reports do: with a query after the href (fact M40).
func (c *call) reportGood(e *encoder, g good) {
	c.metaWith(e, string(g.Kind), string(g.ID), string(g.InterfaceID), "?expand=supplier", nil)
}

func (c *call) nameCodeArticle(e *encoder, g good) {
	e.key("name").string(g.Name)
	c.member(e, "code", text, textValue(g.Code), nil)
	article := g.Article
	if article == "" {
		article = g.Root().Article
	}
	c.member(e, "article", text, textValue(article), nil)
}

// unit writes the unit of measure; the stock report writes an empty object when there is none.
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
		e.key("name").string(f.Name)
		e.key("pathName").string(f.PathName)
	})
}

// stockByStore answers report/stock/bystore: filters with "=" only and without empty values (fact M77).
func stockByStore(c *call) (answer, error) {
	group, err := c.groupBy("variant")
	if err != nil {
		return answer{}, err
	}
	f := c.reportFilter()
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
	if err := f.done(); err != nil {
		return answer{}, err
	}
	rows := withoutRecalculating(c, c.account.StockByStore(q), func(r *company.ByStoreRow) good { return r.Good })
	return pageOf(c, "stockbystore", true, rows, func(e *encoder, r *company.ByStoreRow) {
		c.reportGood(e, r.Good)
		e.key("stockByStore").array(func() {
			for _, s := range r.Stores {
				if s.Store != nil {
					e.object(func() { c.storeStock(e, s) })
				}
			}
		})
	})
}

func (c *call) storeStock(e *encoder, s company.StoreStock) {
	c.meta(e, "store", string(s.Store.ID), string(s.Store.ID))
	e.key("name").string(s.Store.Name)
	e.key("stock").fixed(int64(s.Stock))
	e.key("reserve").fixed(int64(s.Reserve))
	e.key("inTransit").fixed(int64(s.InTransit))
}

// stockByDocument answers report/stock/byoperation: stock at the positions of one document.
func stockByDocument(c *call) (answer, error) {
	id := c.query.Get("operation.id")
	d, ok := c.account.Document(company.ID(id))
	if !ok {
		return answer{}, errNotFound("operation", id)
	}
	if !collections[string(d.Type)].sees(c, id) {
		return answer{}, errForbidden("объекта типа '" + string(d.Type) + "'")
	}
	stock := c.account.StockByDocument(d.ID)
	return pageOf(c, "stockbyoperation", true, []document{d}, func(e *encoder, _ *document) {
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
	e.key("name").string(g.Name)
	e.key("stock").fixed(int64(s.Stock))
	if s.CostSet && c.employee.has(rightCost) {
		e.key("cost").decimal(s.Cost)
	}
	e.key("inTransit").fixed(int64(s.InTransit))
	e.key("reserve").fixed(int64(s.Reserve))
	e.key("quantity").fixed(int64(s.Quantity()))
}

// byOperations answers report/byoperations/…: which documents form a number (fact M78).
func byOperations(c *call, t company.StockType) (answer, error) {
	f := c.reportFilter()
	ch := f.choice("assortment")
	if err := f.done(); err != nil {
		return answer{}, err
	}
	if len(ch.Only) != 1 || len(ch.Except) > 0 {
		return answer{}, errFilter("необходим ровно один фильтр assortment")
	}
	return pageOf(c, "byoperations", false, c.account.StockByOperations(ch.Only[0], t),
		func(e *encoder, r *company.OperationRow) {
			c.member(e, "assortment", link, linkValue(string(r.Good.Kind), string(r.Good.ID)), nil)
			c.member(e, "operation", link, linkValue(string(r.Document.Type), string(r.Document.ID)), nil)
			c.member(e, "moment", moment, momentValue(r.Moment), nil)
			if r.Store != nil {
				c.member(e, "store", link, linkValue("store", string(r.Store.ID)), nil)
			}
			e.key(string(t)).fixed(int64(r.Quantity))
			if t != company.TypeStock {
				return
			}
			if c.employee.has(rightCost) {
				e.key("costPerUnit").decimal(r.Cost())
				e.key("sumCost").fixed(int64(r.Sum))
			}
			e.key("avgStockDays").decimal(r.StockDays().Round(2))
		})
}
