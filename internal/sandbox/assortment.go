package sandbox

import (
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/sandbox/company"
)

// assortmentBeta is the value of X-Lognex-Remap-Beta-Feature that selects the new format of the assortment.
const assortmentBeta = "assortmentWithoutStock"

// assortmentFields are the fields for filtering and sorting. Rows are written by the table of their own kind.
func assortmentFields() []field[good] {
	return []field[good]{
		idField(func(g good) company.ID { return g.ID }),
		flagField("archived", canFind|unwritten, good.IsArchived),
		textField("article", canFind|canSearch|unwritten, func(g good) string { return g.Root().Article }),
		textField("code", canFind|canSearch|unwritten, func(g good) string { return g.Code }),
		textField("description", canFind|unwritten, func(g good) string { return g.Description }),
		textField("externalCode", canFind|unwritten, func(g good) string { return g.ExternalCode }),
		textField("name", canFind|canSearch|unwritten, func(g good) string { return g.Name }),
		textField("pathname", canFind|unwritten, func(g good) string { return g.Root().Folder.Path() }),
		flagField("isSerialTrackable", canFilter|unwritten, func(good) bool { return false }),
		flagField("weighed", canFilter|unwritten, func(g good) bool { return g.Weighed }),
		flagField("shared", canFilter|unwritten, func(good) bool { return true }),
		linkField("supplier", "counterparty", canFilter|unwritten,
			func(g good) company.ID { return supplierOf(g.Root()) }),
		linkField("owner", "employee", canFilter|unwritten, func(g good) company.ID {
			if g.Owner == nil {
				return ""
			}
			return g.Owner.ID
		}),
		minimumBalanceFilter(),
		{name: "updated", kind: moment, can: canFind | unwritten,
			of: func(g good) value { return momentValue(g.Prices().Updated) }},
		textField("type", canFilter|unwritten, func(g good) string { return string(g.Kind) }),
	}
}

func minimumBalanceFilter() field[good] {
	f := minimumBalanceField()
	f.can |= unwritten
	return f
}

// assortment is the list of goods of all kinds (fact M56): an entity with its own list endpoint.
type assortment struct {
	*entity[good]
	kinds map[company.Kind]*entity[good]
}

func assortmentEntity(kinds map[company.Kind]*entity[good]) collection {
	return &assortment{kinds: kinds, entity: &entity[good]{
		typ: "assortment",
		rows: func(a *account) []good {
			return slices.DeleteFunc(slices.Clone(a.Catalogue().Goods), func(g good) bool { return g.Deleted })
		},
		find:    func(a *account, id string) (good, bool) { return a.Good(company.ID(id)) },
		id:      func(g good) string { return string(g.ID) },
		gone:    good.IsArchived,
		fields:  assortmentFields(),
		special: map[string]func(*call, []condition) (func(good) bool, error){"barcode": barcodeTest},
	}}
}

// stockFilter applies the legacy format's filters by stock and keeps the figures to write.
type stockFilter struct {
	query company.StockQuery
	rows  []company.StockRow
	row   []int32 // number of a good's row plus one, by the good's index; 0: none
	modes bool    // a mode other than all drops what has no stock: bundles and services
}

// list serves entity/assortment. The legacy format ignores the search parameter and returns the whole catalogue; it
// supports only filter=search=. The new format does the opposite (fact M28).
func (t *assortment) list(c *call) (answer, error) {
	legacy := c.request.Header.Get("X-Lognex-Remap-Beta-Feature") != assortmentBeta
	page, err := parsePaging(c.query)
	if err != nil {
		return answer{}, err
	}
	r := c.reportFilter()
	if r.groupBy("variant"); r.err != nil {
		return answer{}, r.err
	}
	x, err := t.shape(c, page, legacy)
	if err != nil {
		return answer{}, err
	}
	of, err := t.selection(r, legacy)
	if err != nil {
		return answer{}, err
	}
	return list{typ: "assortment", size: len(of.goods), page: page, row: func(e *encoder, i int) {
		g := of.goods[i]
		t.kinds[g.Kind].write(c, e, g, x, "")
		if of.stock != nil {
			of.stock.figures(e, g)
		}
	}}.answer(c), nil
}

// assortmentRows are the rows of a list and, in the legacy format, their stock. The pages of a list share them, so they
// are read-only.
type assortmentRows struct {
	goods []good
	stock *stockFilter
}

// selection returns the rows selected by filter, search and order, like [entity.selected].
func (t *assortment) selection(f *reportFilter, legacy bool) (assortmentRows, error) {
	type form struct {
		table  *assortment
		legacy bool
	}
	c := f.call
	key := selectionKey{
		table: form{t, legacy}, employee: c.employee.ID, base: c.base, version: c.account.Version(),
		filter: c.query.Get("filter"), search: c.query.Get("search"), order: c.query.Get("order"),
	}
	if rows, ok := c.account.selections.find(key).(assortmentRows); ok {
		return rows, nil
	}
	var tests []func(good) bool
	if s := f.folders(); s != nil {
		tests = append(tests, s)
	}
	var of assortmentRows
	if legacy {
		if text := f.single("search"); text != "" {
			tests = append(tests, wordsBegin(text))
		}
		of.stock = f.stock()
		c.query.Del("search")
	}
	if f.err != nil {
		return of, f.err
	}
	var err error
	if of.goods, err = t.chosen(f, tests); err != nil {
		return of, err
	}
	if of.stock != nil {
		of.goods = of.stock.apply(c, of.goods)
	}
	c.account.selections.keep(key, of)
	return of, nil
}

// shape reads expand: the new format expands three fields, the legacy format all fields of goods.
func (t *assortment) shape(c *call, page paging, legacy bool) (expansion, error) {
	if c.expandText() == "" || !page.expands() {
		return nil, nil
	}
	x, err := parseExpand(c.expandText())
	if err != nil {
		return nil, err
	}
	for name := range x {
		one := expansion{name: nil}
		known := slices.Contains([]string{"product", "images", "components"}, name)
		for _, k := range t.kinds {
			known = known || legacy && k.expandable(one) == nil
		}
		if !known {
			return nil, t.entity.expandable(one)
		}
	}
	return x, nil
}

// chosen applies the filters by field, except those already read by f.
func (t *assortment) chosen(f *reportFilter, tests []func(good) bool) ([]good, error) {
	if f.f.by["archived"] == nil && f.f.by["id"] == nil {
		tests = append(tests, func(g good) bool { return !g.IsArchived() })
	}
	for _, key := range f.f.fields {
		if f.got[key] {
			continue
		}
		test, err := t.test(f.call, key, f.f.by[key])
		if err != nil {
			return nil, err
		}
		tests = append(tests, test)
	}
	if text := f.query.Get("search"); text != "" {
		tests = append(tests, wordsBegin(text))
	}
	var rows []good
	for _, g := range t.rows(f.account) {
		if !slices.ContainsFunc(tests, func(test func(good) bool) bool { return !test(g) }) {
			rows = append(rows, g)
		}
	}
	keys, err := parseOrder(f.query.Get("order"))
	if err != nil {
		return nil, err
	}
	order, err := t.comparison(f.call, keys)
	if err == nil && order != nil {
		slices.SortStableFunc(rows, order)
	}
	return rows, err
}

// folders reads productFolder and withSubFolders. It returns nil without such a filter.
func (r *reportFilter) folders() func(good) bool {
	g := r.goods("productFolder")
	if g.Folders.Only == nil && g.Folders.Except == nil {
		return nil
	}
	ids := func(from []company.ID) []string {
		var out []string
		if from != nil {
			out = []string{}
		}
		for _, id := range from {
			out = append(out, string(id))
		}
		return out
	}
	return folderTest(ids(g.Folders.Only), ids(g.Folders.Except), !g.WithoutSubfolder)
}

func (r *reportFilter) stock() *stockFilter {
	s := &stockFilter{query: company.StockQuery{
		GoodFilter:   company.GoodFilter{Archived: company.ArchivedToo},
		Stores:       r.choice("stockStore"),
		Moment:       r.moment("stockMoment"),
		StockMode:    r.mode("stockMode"),
		QuantityMode: r.mode("quantityMode"),
	}}
	for _, m := range []*company.Mode{&s.query.StockMode, &s.query.QuantityMode} {
		if *m == "" {
			*m = company.ModeAll
		}
		s.modes = s.modes || *m != company.ModeAll
	}
	return s
}

// apply removes goods excluded by the modes and keeps the figures of the others.
func (s *stockFilter) apply(c *call, goods []good) []good {
	s.rows = c.account.StockAll(s.query)
	s.row = make([]int32, len(c.account.Catalogue().Goods))
	for i := range s.rows {
		s.row[s.rows[i].Good.Index] = int32(i + 1)
	}
	if !s.modes {
		return goods
	}
	return slices.DeleteFunc(goods, func(g good) bool { return s.row[g.Index] == 0 })
}

// figures writes the stock of products and variants; bundles and services have none.
func (s *stockFilter) figures(e *encoder, g good) {
	if !g.Stocked() {
		return
	}
	var r company.StockRow
	if at := s.row[g.Index]; at > 0 {
		r = s.rows[at-1]
	}
	e.members("stock", r.Stock, "reserve", r.Reserve, "inTransit", r.InTransit, "quantity", r.Quantity())
}

// describe refuses assortment/metadata, which the vendor does not offer.
func (t *assortment) describe(c *call) (answer, error) {
	return answer{}, errUnknownPath(strings.Join(c.path, "/"))
}
