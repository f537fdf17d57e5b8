package sandbox

import (
	"cmp"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/sandbox/company"
)

// reportFilter reads the parameters of a report request, and its filter key by key. The first error is kept in err and
// refuses the request. Keys not read before ok is called are unknown to the report. Only keys inside filter count:
// stockMode, store or search as separate parameters are ignored (fact M29).
type reportFilter struct {
	*call
	f      filter
	broken error // the filter cannot be parsed
	got    map[string]bool
	err    error
}

func (c *call) reportFilter() *reportFilter {
	f, err := parseFilter(c.query.Get("filter"))
	return &reportFilter{call: c, f: f, broken: err, got: map[string]bool{}}
}

// fail keeps the first error that is not nil.
func (r *reportFilter) fail(err error) {
	if r.err == nil {
		r.err = err
	}
}

func (r *reportFilter) conditions(key string) []condition {
	r.fail(r.broken)
	r.got[key] = true
	return r.f.by[key]
}

// ok refuses keys that have not been read, and reports whether there was no error.
func (r *reportFilter) ok() bool {
	r.fail(r.broken)
	for _, key := range r.f.fields {
		if !r.got[key] {
			r.fail(errFilter("неизвестное поле фильтрации '%s'", key))
		}
	}
	return r.err == nil
}

// choice reads references to objects. A hidden object makes the report empty (fact M25).
func (r *reportFilter) choice(key string) company.Choice {
	var ch company.Choice
	conditions := r.conditions(key)
	if err := r.checkLinks(conditions); err != nil {
		r.fail(err)
		return ch
	}
	if !r.seesAll(conditions) {
		return company.Choice{Only: []company.ID{}}
	}
	for _, k := range conditions {
		id := ""
		if k.value != "" {
			var ok bool
			if _, id, ok = splitHref(k.value); !ok {
				r.fail(errFilterValue(key, k.value))
				return ch
			}
		}
		switch k.op {
		case opEqual:
			ch.Only = append(ch.Only, company.ID(id))
		case opNotEqual:
			ch.Except = append(ch.Except, company.ID(id))
		default:
			r.fail(errFilter("оператор '%s' не применим к полю '%s'", k.op, key))
		}
	}
	return ch
}

// texts reads alternative plain text values.
func (r *reportFilter) texts(key string) []string {
	var all []string
	for _, k := range r.conditions(key) {
		if k.op != opEqual {
			r.fail(errFilter("оператор '%s' не применим к полю '%s'", k.op, key))
		}
		all = append(all, k.value)
	}
	return all
}

// single reads a key that may occur only once (code 1030).
func (r *reportFilter) single(key string) string {
	all := r.texts(key)
	switch len(all) {
	case 0:
		return ""
	case 1:
		return all[0]
	}
	r.fail(refuse(http.StatusPreconditionFailed, 1030,
		"Ошибка фильтрации: параметр '%s' может быть указан только один раз", key))
	return ""
}

func (r *reportFilter) flag(key string) *bool {
	switch s := r.single(key); s {
	case "":
		return nil
	case "true", "false":
		b := s == "true"
		return &b
	default:
		r.fail(errFilterValue(key, s))
		return nil
	}
}

func (r *reportFilter) isSet(key string) bool {
	b := r.flag(key)
	return b != nil && *b
}

// archived reads archived. Both values together select everything.
func (r *reportFilter) archived() company.Archived {
	values := r.texts("archived")
	yes, no := slices.Contains(values, "true"), slices.Contains(values, "false")
	switch {
	case yes && no:
		return company.ArchivedToo
	case yes:
		return company.OnlyArchived
	}
	return company.NotArchived
}

func (r *reportFilter) mode(key string) company.Mode {
	m := company.Mode(r.single(key))
	modes := []company.Mode{
		"", company.ModeAll, company.ModePositive, company.ModeNegative, company.ModeEmpty, company.ModeNonEmpty,
		company.ModeUnderMinimum,
	}
	if !slices.Contains(modes, m) {
		r.fail(refuse(http.StatusPreconditionFailed, 1041,
			"Ошибка фильтрации: значение '%s' параметра '%s' не входит в список допустимых", m, key))
	}
	return m
}

func (r *reportFilter) moment(key string) time.Time {
	s := r.single(key)
	if s == "" {
		return time.Time{}
	}
	at, ok := parseMoment(s)
	if !ok {
		r.fail(refuse(http.StatusPreconditionFailed, 1035, "Ошибка фильтрации: неверный формат даты '%s'", s))
	}
	return at
}

func (r *reportFilter) decimal(key string) *decimal.Decimal {
	s := r.single(key)
	if s == "" {
		return nil
	}
	d, err := decimal.Parse(s)
	if err != nil {
		r.fail(errFilterValue(key, s))
		return nil
	}
	return &d
}

// goods reads the given keys that select goods.
func (r *reportFilter) goods(keys ...string) company.GoodFilter {
	var g company.GoodFilter
	knows := func(key string) bool { return slices.Contains(keys, key) }
	if knows("product") {
		g.Products = r.choice("product")
		for _, kind := range []string{"bundle", "service"} { // profit reports accept them in the same filter
			if knows(kind) {
				other := r.choice(kind)
				g.Products.Only = append(g.Products.Only, other.Only...)
				g.Products.Except = append(g.Products.Except, other.Except...)
			}
		}
	}
	if knows("variant") {
		g.Variants = r.choice("variant")
	}
	if knows("consignment") && len(r.conditions("consignment")) > 0 {
		g.Products.Only = []company.ID{} // there are none
	}
	if knows("productFolder") {
		g.Folders = r.choice("productFolder")
		if nested := r.flag("withSubFolders"); nested != nil {
			g.WithoutSubfolder = !*nested
		}
	}
	if knows("supplier") {
		g.Suppliers = r.choice("supplier")
	}
	if knows("archived") {
		g.Archived = r.archived()
	}
	if knows("search") {
		r.search(&g)
	}
	if knows("soldByWeight") {
		g.Weighed = r.flag("soldByWeight")
	}
	r.oneKindOfOperator()
	return g
}

func (r *reportFilter) search(g *company.GoodFilter) {
	for _, k := range r.conditions("search") {
		switch k.op {
		case opEqual, opContains:
			g.Search = k.value
		case opNotContains, opNotEqual:
			g.SearchNot = k.value
		default:
			r.fail(errFilter("оператор '%s' не применим к полю 'search'", k.op))
		}
	}
}

// oneKindOfOperator refuses "=" combined with "!=" in the keys that select goods (fact M73).
func (r *reportFilter) oneKindOfOperator() {
	var first operator
	for _, key := range []string{"product", "variant", "consignment", "productFolder"} {
		for _, k := range r.f.by[key] {
			if first == "" {
				first = k.op
			}
			if k.op != first {
				r.fail(errFilter("поле '%s': можно сочетать только однотипные операторы", key))
			}
		}
	}
}

// period reads momentFrom and momentTo. Without both it is the last month, without a start it starts with this year,
// and without an end it ends now (fact M80).
func (r *reportFilter) period() (from, to time.Time) {
	now := r.server.now().In(moscow)
	read := func(name string) (at time.Time) {
		if s := r.query.Get(name); s != "" {
			var ok bool
			if at, ok = parseMoment(s); !ok {
				r.fail(errParameter(name, s))
			}
		}
		return at
	}
	from, to = read("momentFrom"), read("momentTo")
	switch {
	case from.IsZero() && to.IsZero():
		from, to = now.AddDate(0, -1, 0), now
	case from.IsZero():
		from = time.Date(now.Year(), 1, 1, 0, 0, 0, 0, moscow)
	case to.IsZero():
		to = now
	}
	if to.Before(from) {
		r.fail(refuse(http.StatusPreconditionFailed, 3052, "Ошибка: конец периода раньше его начала"))
	}
	return from, to
}

// groupBy reads groupBy. There are no consignments, so grouping by them means by variant.
func (r *reportFilter) groupBy(standard string) string {
	g := cmp.Or(r.query.Get("groupBy"), standard)
	if !slices.Contains([]string{"product", "variant", "consignment"}, g) {
		r.fail(errParameter("groupBy", g))
	}
	return g
}

// need refuses the request with 403/1016 unless the employee has all the rights.
func (r *reportFilter) need(what string, rights ...right) {
	for _, right := range rights {
		if !r.employee.has(right) {
			r.fail(errForbidden(what))
		}
	}
}

// rowsOf responds with a page of the rows that compute returns, unless the request was invalid.
func rowsOf[Q, R any](r *reportFilter, typ string, bare bool, compute func(Q) []R, q Q, row func(*encoder, *R)) answer {
	if !r.ok() {
		return answer{}
	}
	rows := compute(q)
	return r.page(typ, bare, len(rows), func(e *encoder, i int) { row(e, &rows[i]) })
}

// page responds with a page of a report.
func (r *reportFilter) page(typ string, bare bool, size int, row func(e *encoder, i int)) answer {
	page, err := parsePaging(r.query)
	if err != nil {
		r.fail(err)
		return answer{}
	}
	return list{typ: typ, bare: bare, size: size, page: page, row: row}.answer(r.call)
}

// splitIDs reads plain ids, comma-separated or repeated (fact M75).
func (r *reportFilter) splitIDs(key string) []company.ID {
	var ids []company.ID
	for _, s := range r.texts(key) {
		for id := range strings.SplitSeq(s, ",") {
			if id = strings.TrimSpace(id); !isID(id) {
				r.fail(errFilterValue(key, id))
			}
			ids = append(ids, company.ID(id))
		}
	}
	return ids
}
