package sandbox

import (
	"cmp"
	"net/http"
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/sandbox/company"
)

// ability is what a request may do with a field besides reading it.
type ability int

const (
	canFilter ability = 1 << iota
	canOrder
	canSearch
	canExpand
	unwritten // only for filter, order and search; never written
	onDemand  // written only if requested by fields=<name>

	canFind = canFilter | canOrder // most scalar fields
)

// field describes a field of an entity: a row of its table.
type field[R any] struct {
	name  string
	kind  kind
	of    func(R) value // nil if values cannot be compared
	can   ability
	needs right // the right to see it; without it the field is absent and not filterable
	// write writes key and value, or nothing if the row has no value. If nil, the value of `of` is written.
	write func(c *call, e *encoder, r R, x expansion)
}

func (f *field[R]) is(a ability) bool { return f.can&a != 0 }

// entity is a type of objects: the source of its rows and its fields.
type entity[R any] struct {
	typ    string
	fields []field[R]
	rows   func(a *account) []R
	find   func(a *account, id string) (R, bool)
	id     func(R) string
	webID  func(R) string // nil: the id
	owner  func(R) string // nil: visible to everyone
	// attributes are the additional fields of a row; nil: the type has none.
	attributes func(R) []company.AttributeValue
	gone       func(R) bool // archived, excluded by default; nil: never
	search     searchStyle

	// special holds filter keys that are not fields. Each compiles the conditions on its key.
	special map[string]func(c *call, conditions []condition) (func(R) bool, error)
	// children are the collections below an object, by the last element of their path.
	children map[string]func(c *call, r R) (answer, error)
	// metadata writes the members of <type>/metadata after meta; nil: no members.
	metadata func(c *call, e *encoder)
}

// collection is an entity without the type of its rows, for the router.
type collection interface {
	list(c *call) (answer, error)
	one(c *call, id string) (answer, error)
	child(c *call, id, name string) (answer, error)
	describe(c *call) (answer, error)
	// expand writes the members of an object, without braces. It returns false if there is no visible one.
	expand(c *call, e *encoder, id string, x expansion) bool
	// sees reports whether the employee may see the object.
	sees(c *call, id string) bool
	// expandable refuses an expansion that names a field which cannot be expanded.
	expandable(x expansion) error
}

// visible reports whether the employee may see a row: documents may be restricted to their own.
func (t *entity[R]) visible(c *call, r R) bool {
	switch c.employee.view(t.typ) {
	case scopeAll:
		return true
	case scopeOwn:
		return t.owner == nil || t.owner(r) == string(c.employee.ID)
	default:
		return false
	}
}

func (t *entity[R]) sees(c *call, id string) bool {
	r, ok := t.find(c.account, id)
	return ok && t.visible(c, r)
}

func (t *entity[R]) webIDOf(r R) string {
	if t.webID != nil {
		return t.webID(r)
	}
	return t.id(r)
}

func (t *entity[R]) expandable(x expansion) error {
	for name := range x {
		i := slices.IndexFunc(t.fields, func(f field[R]) bool { return f.name == name && f.is(canExpand) })
		if i < 0 {
			return refuse(http.StatusPreconditionFailed, 1089, "Ошибка: expand поля '%s' не поддерживается", name)
		}
	}
	return nil
}

// list serves entity/<type>.
func (t *entity[R]) list(c *call) (answer, error) {
	if c.employee.view(t.typ) == scopeNone {
		return answer{}, errForbidden("объектов типа '" + t.typ + "'")
	}
	page, err := parsePaging(c.query)
	if err != nil {
		return answer{}, err
	}
	x, extra, err := t.shape(c, !page.expands())
	if err != nil {
		return answer{}, err
	}
	rows, err := t.selected(c)
	if err != nil {
		return answer{}, err
	}
	return list{typ: t.typ, size: len(rows), page: page, row: func(e *encoder, i int) {
		t.write(c, e, rows[i], x, extra)
	}}.answer(c), nil
}

// shape reads expand and fields. On lists without an explicit limit of at most 100, expand and the fields requested
// with it are ignored (facts M18, M21).
func (t *entity[R]) shape(c *call, ignored bool) (x expansion, extra string, err error) {
	var allowed []string
	for _, f := range t.fields {
		if f.is(onDemand) {
			allowed = append(allowed, f.name)
		}
	}
	if isDocument(t.typ) {
		allowed = append(allowed, "stock") // of positions
	}
	if extra, err = parseFields(c.query.Get("fields"), allowed); err != nil {
		return nil, "", err
	}
	text := c.expandText()
	if text == "" {
		return nil, extra, nil
	}
	if ignored {
		return nil, "", nil
	}
	c.withStock = extra == "stock"
	if x, err = parseExpand(text); err != nil {
		return nil, "", err
	}
	return x, extra, t.expandable(x)
}

// selected returns the visible rows selected by the request's filter, search and order. The pages of a list share the
// slice, so it is read-only.
func (t *entity[R]) selected(c *call) ([]R, error) {
	key := selectionKey{
		table: t, employee: c.employee.ID, base: c.base, version: c.account.Version(),
		filter: c.query.Get("filter"), search: c.query.Get("search"), order: c.query.Get("order"),
	}
	if rows, ok := c.account.selections.find(key).([]R); ok {
		return rows, nil
	}
	rows, err := t.choose(c)
	if err == nil {
		c.account.selections.keep(key, rows)
	}
	return rows, err
}

func (t *entity[R]) choose(c *call) ([]R, error) {
	tests, err := t.tests(c)
	if err != nil {
		return nil, err
	}
	keys, err := parseOrder(c.query.Get("order"))
	if err != nil {
		return nil, err
	}
	order, err := t.comparison(c, keys)
	if err != nil {
		return nil, err
	}
	all := t.rows(c.account)
	rows := make([]R, 0, len(all))
next:
	for _, r := range all {
		for _, test := range tests {
			if !test(r) {
				continue next
			}
		}
		rows = append(rows, r)
	}
	if order != nil {
		slices.SortStableFunc(rows, order)
	}
	return rows, nil
}

// tests returns the conditions that a row must meet: visibility, archive, filter, search.
func (t *entity[R]) tests(c *call) ([]func(R) bool, error) {
	f, err := parseFilter(c.query.Get("filter"))
	if err != nil {
		return nil, err
	}
	var tests []func(R) bool
	if c.employee.view(t.typ) == scopeOwn {
		tests = append(tests, func(r R) bool { return t.visible(c, r) })
	}
	// A filter by id finds archived rows too (fact M26).
	if t.gone != nil && f.by["archived"] == nil && f.by["id"] == nil {
		tests = append(tests, func(r R) bool { return !t.gone(r) })
	}
	for _, name := range f.fields {
		test, err := t.test(c, name, f.by[name])
		if err != nil {
			return nil, err
		}
		tests = append(tests, test)
	}
	if text := c.query.Get("search"); text != "" {
		tests = append(tests, t.searchTest(text))
	}
	return tests, nil
}

// test compiles the conditions on one field.
func (t *entity[R]) test(c *call, name string, conditions []condition) (func(R) bool, error) {
	if strings.HasPrefix(name, "http") {
		return t.attributeTest(c, name, conditions)
	}
	if special, ok := t.special[name]; ok {
		return special(c, conditions)
	}
	i := slices.IndexFunc(t.fields, func(f field[R]) bool { return f.name == name && f.is(canFilter) })
	if i < 0 || !c.employee.has(t.fields[i].needs) {
		return nil, errFilter("неизвестное поле фильтрации '%s'", name)
	}
	f := t.fields[i]
	if f.kind == link {
		if err := c.checkLinks(conditions); err != nil {
			return nil, err
		}
		if !c.seesAll(conditions) {
			return func(R) bool { return false }, nil
		}
	}
	m, err := compile(name, f.kind, conditions, c.server.options.Switches.NotEqualKeepsNull)
	if err != nil {
		return nil, err
	}
	return func(r R) bool { return m(f.of(r)) }, nil
}

// checkLinks refuses references to hosts other than the client's and the vendor's (fact M1).
func (c *call) checkLinks(conditions []condition) error {
	for _, k := range conditions {
		if k.value == "" {
			continue
		}
		if !strings.HasPrefix(k.value, c.base+"/") && !strings.HasPrefix(k.value, vendorBase) {
			return refuse(http.StatusBadRequest, 1059, "Ошибка: неверный хост в ссылке '%s'", k.value)
		}
	}
	return nil
}

const vendorBase = "https://api.moysklad.ru" + apiRoot + "/"

// seesAll reports whether all objects in the conditions are visible. A filter by a hidden object gives an empty list,
// not an error (fact M25).
func (c *call) seesAll(conditions []condition) bool {
	for _, k := range conditions {
		typ, id, ok := splitHref(k.value)
		if !ok {
			continue
		}
		if t := collections[typ]; t != nil && !t.sees(c, id) {
			return false
		}
	}
	return true
}

func (t *entity[R]) searchTest(text string) func(R) bool {
	match := searcher(text, t.search)
	var searched []func(R) value
	for _, f := range t.fields {
		if f.is(canSearch) {
			searched = append(searched, f.of)
		}
	}
	texts := make([]string, len(searched))
	return func(r R) bool {
		for i, of := range searched {
			texts[i] = of(r).text
		}
		return match(texts)
	}
}

// comparison returns the order of rows, or nil for the default order. Empty values are last in ascending order (fact
// M30).
func (t *entity[R]) comparison(c *call, keys []sorting) (func(a, b R) int, error) {
	if len(keys) == 0 {
		return nil, nil
	}
	type by struct {
		*field[R]
		desc bool
	}
	var order []by
	for _, k := range keys {
		i := slices.IndexFunc(t.fields, func(f field[R]) bool { return f.name == k.field && f.is(canOrder) })
		if i < 0 || !c.employee.has(t.fields[i].needs) {
			return nil, refuse(http.StatusPreconditionFailed, 1063,
				"Ошибка сортировки: сортировка по полю '%s' невозможна", k.field)
		}
		order = append(order, by{&t.fields[i], k.desc})
	}
	return func(a, b R) int {
		for _, k := range order {
			v, w := k.of(a), k.of(b)
			sign := 0
			if v.filled && w.filled {
				sign = v.compare(w, k.kind)
			} else if v.filled != w.filled {
				sign = cmp.Compare(btoi(w.filled), btoi(v.filled))
			}
			if k.desc {
				sign = -sign
			}
			if sign != 0 {
				return sign
			}
		}
		return 0
	}, nil
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// one serves entity/<type>/<id>.
func (t *entity[R]) one(c *call, id string) (answer, error) {
	r, err := t.object(c, id)
	if err != nil {
		return answer{}, err
	}
	x, extra, err := t.shape(c, false)
	if err != nil {
		return answer{}, err
	}
	return answer{body: func(e *encoder) {
		e.object(func() { t.write(c, e, r, x, extra) })
	}}, nil
}

func (t *entity[R]) object(c *call, id string) (R, error) {
	r, ok := t.find(c.account, id)
	switch {
	case !ok:
		return r, errNotFound(t.typ, id)
	case t.visible(c, r):
		return r, nil
	case c.server.options.Switches.InvisibleIsNotFound:
		return r, errNotFound(t.typ, id)
	default:
		return r, errForbidden("объекта типа '" + t.typ + "'")
	}
}

// child serves entity/<type>/<id>/<name>.
func (t *entity[R]) child(c *call, id, name string) (answer, error) {
	r, err := t.object(c, id)
	if err != nil {
		return answer{}, err
	}
	serve := t.children[name]
	if serve == nil {
		return answer{}, errUnknownPath(c.request.URL.Path)
	}
	return serve(c, r)
}

// describe serves entity/<type>/metadata.
func (t *entity[R]) describe(c *call) (answer, error) {
	return answer{body: func(e *encoder) {
		e.object(func() {
			e.key("meta").object(func() {
				e.members("href", c.base+"/entity/"+t.typ+"/metadata", "mediaType", "application/json")
			})
			if t.metadata != nil {
				t.metadata(c, e)
			}
			if all := c.account.Catalogue().Attributes[attributeOwner(t.typ)]; len(all) > 0 {
				c.nested(e, "attributes", "attributemetadata", attributesPath(t.typ), len(all), nil)
			}
			e.key("createShared").bool(false)
		})
	}}, nil
}

func (t *entity[R]) expand(c *call, e *encoder, id string, x expansion) bool {
	r, ok := t.find(c.account, id)
	if !ok || !t.visible(c, r) {
		return false
	}
	t.write(c, e, r, x, "")
	return true
}

// write writes the members of a row.
func (t *entity[R]) write(c *call, e *encoder, r R, x expansion, extra string) {
	c.meta(e, t.typ, t.id(r), t.webIDOf(r))
	e.key("id").string(t.id(r))
	t.writeFields(c, e, r, x, extra)
}

func (t *entity[R]) writeFields(c *call, e *encoder, r R, x expansion, extra string) {
	for i := range t.fields {
		f := &t.fields[i]
		switch {
		case f.is(unwritten) || !c.employee.has(f.needs) || f.is(onDemand) && extra != f.name:
		case f.write != nil:
			f.write(c, e, r, x)
		default:
			c.member(e, f.name, f.kind, f.of(r), x)
		}
	}
}

// member writes a field from its value, or nothing if the value is empty.
func (c *call) member(e *encoder, name string, k kind, v value, x expansion) {
	if !v.filled {
		return
	}
	switch k {
	case text, uid:
		e.key(name).string(v.text)
	case number:
		e.key(name).fixed(v.num)
	case flag:
		e.key(name).bool(v.flag)
	case moment:
		e.moment(name, v.at)
	case link:
		sub, full := x[name]
		e.key(name).object(func() { c.reference(e, v.typ, v.text, sub, full) })
	}
}

// reference writes the members of a reference: its meta, or the full object. A hidden object remains a stub, marked in
// its meta (fact M20).
func (c *call) reference(e *encoder, typ, id string, x expansion, full bool) {
	t := collections[typ]
	if full && t != nil && t.expand(c, e, id, x) {
		return
	}
	webID := id
	if typ == "product" || typ == "variant" {
		webID = c.interfaceID(id)
	}
	var stub func()
	if full && t != nil {
		stub = func() {
			e.key("permitted").bool(false)
		}
	}
	c.metaWith(e, typ, id, webID, "", stub)
}
