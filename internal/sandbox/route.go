package sandbox

import (
	"net/http"
	"slices"

	"github.com/stockhand/stockhand/internal/sandbox/company"
)

// route calls the endpoint of the request.
func (c *call) route() (answer, error) {
	if c.asynchronous() {
		return c.startTask()
	}
	return c.answerNow()
}

func (c *call) answerNow() (answer, error) {
	if c.path[0] == "async" {
		return c.async(c.path[1:])
	}
	if len(c.path) < 2 {
		return answer{}, errUnknownPath(c.request.URL.Path)
	}
	switch c.path[0] {
	case "entity":
		t, known := collections[c.path[1]]
		if !known {
			return answer{}, errUnknownType(c.path[1])
		}
		if c.request.Method != http.MethodGet {
			return c.write(c.path[2:])
		}
		return c.entity(t, c.path[2:])
	case "context":
		serve, err := find(c, contextRoutes)
		if err != nil {
			return answer{}, err
		}
		return serve(c)
	case "report":
		serve, err := find(c, reportRoutes)
		if err != nil {
			return answer{}, err
		}
		r := c.reportFilter()
		a := serve(r)
		return a, r.err
	}
	return answer{}, errUnknownPath(c.request.URL.Path)
}

// entity serves the paths below entity/<type>.
func (c *call) entity(t collection, rest []string) (answer, error) {
	switch {
	case len(rest) == 0:
		return t.list(c)
	case rest[0] == "metadata" && len(rest) == 1:
		return t.describe(c)
	case rest[0] == "metadata" && len(rest) == 3 && rest[1] == "states":
		return c.oneState(c.path[1], rest[2])
	case rest[0] == "metadata" && len(rest) <= 3 && rest[1] == "attributes":
		if len(rest) == 3 {
			c.childID = rest[2]
		}
		return c.attributes(c.path[1])
	case rest[0] == "namedfilter" && len(rest) == 1: // there are no saved filters
		return c.childList("namedfilter", 0, nil, nil)
	case c.path[1] == "assortment":
		return answer{}, errUnknownPath(c.request.URL.Path)
	case !isID(rest[0]):
		return answer{}, refuse(http.StatusPreconditionFailed, 1052, "Неверный идентификатор: '%s'", rest[0])
	}
	if api, moved := c.byInterfaceID(rest[0]); moved {
		path := slices.Clone(c.path)
		path[2] = api
		c.path = path
		return answer{status: http.StatusPermanentRedirect, location: c.self(nil)}, nil
	}
	switch len(rest) {
	case 1:
		return t.one(c, rest[0])
	case 2, 3:
		if len(rest) == 3 {
			c.childID = rest[2]
		}
		return t.child(c, rest[0], rest[1])
	}
	return answer{}, errUnknownPath(c.request.URL.Path)
}

// byInterfaceID returns the API id of a good from its id in the web interface. The vendor redirects to it (fact M39).
func (c *call) byInterfaceID(id string) (string, bool) {
	switch c.path[1] {
	case "product", "variant", "bundle", "service":
	default:
		return "", false
	}
	g, ok := c.account.GoodByInterfaceID(company.ID(id))
	if !ok || string(g.ID) == id {
		return "", false
	}
	return string(g.ID), true
}

// isID reports whether s has the format of a UUID, of any version and variant.
func isID(s string) bool {
	if len(s) != 36 {
		return false
	}
	for i := range len(s) {
		switch b := s[i]; {
		case i == 8 || i == 13 || i == 18 || i == 23:
			if b != '-' {
				return false
			}
		case b >= '0' && b <= '9', b >= 'a' && b <= 'f', b >= 'A' && b <= 'F':
		default:
			return false
		}
	}
	return true
}

// endpoint serves a path.
type endpoint func(c *call) (answer, error)

// report serves a path below report. It returns errors in r.err.
type report func(r *reportFilter) answer

// find looks up the endpoint for a GET of the path without its first element. A "*" in the table matches any one
// element.
func find[E endpoint | report](c *call, routes map[string]E) (E, error) {
	key := ""
	for i, part := range c.path[1:] {
		if i > 0 {
			key += "/"
		}
		if isID(part) {
			c.childID, part = part, "*"
		}
		key += part
	}
	serve, known := routes[key]
	switch {
	case !known:
		return nil, errUnknownPath(c.request.URL.Path)
	case c.request.Method != http.MethodGet:
		return nil, errMethod()
	}
	return serve, nil
}

// childList serves a collection below an object, or its element with id c.childID.
func (c *call) childList(typ string, size int, id func(i int) string, row func(e *encoder, i int, x expansion)) (answer,
	error) {
	page, err := parsePaging(c.query)
	if err != nil {
		return answer{}, err
	}
	var x expansion
	if text := c.expandText(); text != "" && (page.expands() || c.childID != "") {
		if x, err = parseExpand(text); err != nil {
			return answer{}, err
		}
	}
	if c.childID != "" {
		for i := range size {
			if id(i) == c.childID {
				return answer{body: func(e *encoder) { e.object(func() { row(e, i, x) }) }}, nil
			}
		}
		return answer{}, errNotFound(typ, c.childID)
	}
	return list{typ: typ, size: size, page: page, row: func(e *encoder, i int) { row(e, i, x) }}.answer(c), nil
}

// reportRoutes are the paths below report.
var reportRoutes map[string]report

// The endpoints refer to this table through the rows that they write, which would be an initialization cycle.
func init() {
	reportRoutes = map[string]report{
		"stock/all":              stockAll,
		"stock/bystore":          stockByStore,
		"stock/all/current":      func(r *reportFilter) answer { return stockCurrent(r, false) },
		"stock/bystore/current":  func(r *reportFilter) answer { return stockCurrent(r, true) },
		"stock/byslot/current":   stockBySlot,
		"stock/byoperation":      stockByDocument,
		"byoperations/stock":     func(r *reportFilter) answer { return byOperations(r, company.TypeStock) },
		"byoperations/reserve":   func(r *reportFilter) answer { return byOperations(r, company.TypeReserve) },
		"byoperations/intransit": func(r *reportFilter) answer { return byOperations(r, company.TypeInTransit) },
		"turnover/all":           turnoverAll,
		"turnover/bystore":       turnoverByStore,
		"turnover/byoperations":  turnoverByOperations,
		"profit/byproduct":       func(r *reportFilter) answer { return profit(r, company.ByProduct) },
		"profit/byvariant":       func(r *reportFilter) answer { return profit(r, company.ByVariant) },
		"profit/byemployee":      func(r *reportFilter) answer { return profit(r, company.ByEmployee) },
		"profit/bycounterparty":  func(r *reportFilter) answer { return profit(r, company.ByCounterparty) },
		"profit/bysaleschannel":  func(r *reportFilter) answer { return profit(r, company.BySalesChannel) },
		"money/byaccount":        moneyByAccount,
		"money/plotseries":       moneySeries,
		"sales/plotseries":       salesSeries,
		"orders/plotseries":      ordersSeries,
		"dashboard/day":          func(r *reportFilter) answer { return dashboard(r, company.DashboardDay) },
		"dashboard/week":         func(r *reportFilter) answer { return dashboard(r, company.DashboardWeek) },
		"dashboard/month":        func(r *reportFilter) answer { return dashboard(r, company.DashboardMonth) },
		"counterparty":           counterparties,
		"counterparty/*":         oneCounterparty,
	}
}
