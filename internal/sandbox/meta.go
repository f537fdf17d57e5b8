package sandbox

import (
	"strings"
)

// webPages maps a type to its page in the web interface, for uuidHref (fact M39).
var webPages = map[string]string{
	"product": "good", "variant": "feature", "bundle": "bundle", "service": "service",
	"organization": "mycompany", "counterparty": "company", "store": "warehouse", "employee": "employee",
	"currency": "currency", "saleschannel": "saleschannel", "retailstore": "retailstore",
	"supply": "supply", "demand": "demand", "retaildemand": "retaildemand", "salesreturn": "salesreturn",
	"retailsalesreturn": "retailsalesreturn", "customerorder": "customerorder", "purchaseorder": "purchaseorder",
	"move": "move", "enter": "enter", "loss": "loss", "paymentin": "paymentin", "paymentout": "paymentout",
	"cashin": "cashin", "cashout": "cashout", "invoiceout": "invoiceout", "invoicein": "invoicein",
	"inventory": "inventory", "purchasereturn": "purchasereturn", "internalorder": "internalorder",
	"processing": "processing",
}

const webHost = "https://online.moysklad.ru/app/#"

// meta writes the member "meta" of an entity. uuidHref contains the web interface's id.
func (c *call) meta(e *encoder, typ, id, webID string) { c.metaWith(e, typ, id, webID, "", nil) }

// metaWith is like meta, with a query in the href, as in some reports, and additional members.
func (c *call) metaWith(e *encoder, typ, id, webID, query string, more func()) {
	e.key("meta").object(func() {
		e.key("href")
		e.separate()
		e.buf = append(e.buf, '"')
		e.buf = append(append(append(e.buf, c.base...), "/entity/"...), typ...)
		e.buf = append(append(append(append(e.buf, '/'), id...), query...), '"')
		e.key("metadataHref")
		e.separate()
		e.buf = append(e.buf, '"')
		e.buf = append(append(append(append(e.buf, c.base...), "/entity/"...), typ...), "/metadata\""...)
		e.key("type").string(typ)
		e.key("mediaType").string("application/json")
		if page := webPages[typ]; page != "" {
			e.key("uuidHref")
			e.separate()
			e.buf = append(append(append(e.buf, '"'), webHost...), page...)
			e.buf = append(append(append(e.buf, "/edit?id="...), webID...), '"')
		}
		if more != nil {
			more()
		}
	})
}

// plainMeta writes the member "meta" of an object without metadata, such as a child, state or price type.
func (c *call) plainMeta(e *encoder, typ, path string) {
	e.key("meta").object(func() { metaMembers(e, typ, c.base+path) })
}

func metaMembers(e *encoder, typ, href string) {
	e.members("href", href, "type", typ, "mediaType", "application/json")
}

// nested writes a collection inside an entity: its meta with size, limit and offset, and its rows unless rows is nil
// because the collection is not expanded.
func (c *call) nested(e *encoder, name, typ, path string, size int, rows func(i int)) {
	limit := c.server.options.Switches.nestedLimit()
	e.key(name).object(func() {
		e.key("meta").object(func() {
			metaMembers(e, typ, c.base+path)
			e.members("size", size, "limit", limit, "offset", 0)
		})
		if rows == nil {
			return
		}
		e.key("rows").array(func() {
			for i := range min(size, limit) {
				e.object(func() { rows(i) })
			}
		})
	})
}

// context writes the member "context" of a list. Some reports contain the employee's meta without a wrapper (fact M15).
func (c *call) context(e *encoder, bare bool) {
	members := func() {
		e.key("href").string(c.base + "/context/employee")
		if !bare {
			e.key("metadataHref").string(c.base + "/entity/employee/metadata")
		}
		e.members("type", "employee", "mediaType", "application/json")
	}
	e.key("context").object(func() {
		e.key("employee").object(func() {
			if bare {
				members()
				return
			}
			e.key("meta").object(members)
		})
	})
}

// list describes a response in an envelope.
type list struct {
	typ     string // meta.type
	bare    bool   // of the context
	size    int
	page    paging
	row     func(e *encoder, i int) // writes the members of the i-th of all rows
	unpaged bool                    // no size, limit and offset in meta
}

// answer writes the envelope (fact M15). nextHref and previousHref are present only if such a page exists.
func (l list) answer(c *call) answer {
	if l.unpaged {
		l.page = paging{limit: l.size}
	}
	return answer{body: func(e *encoder) {
		from, to := l.page.bounds(l.size)
		e.object(func() {
			c.context(e, l.bare)
			e.key("meta").object(func() {
				metaMembers(e, l.typ, c.self(nil))
				if l.unpaged {
					return
				}
				e.members("size", l.size, "limit", l.page.limit, "offset", l.page.offset)
				if to < l.size && from < to {
					e.key("nextHref").string(c.self(&paging{limit: l.page.limit, offset: l.page.offset + l.page.limit}))
				}
				if l.page.offset > 0 && l.size > l.page.limit {
					e.key("previousHref").string(
						c.self(&paging{limit: l.page.limit, offset: max(0, l.page.offset-l.page.limit)}))
				}
			})
			e.key("rows").array(func() {
				for i := from; i < to; i++ {
					e.object(func() { l.row(e, i) })
				}
			})
		})
	}}
}

// self returns the URL of the request, with another page if given. The other parameters stay unchanged, so that a link
// to the next page repeats filter and order.
func (c *call) self(p *paging) string {
	var b strings.Builder
	b.WriteString(c.base)
	b.WriteString("/")
	b.WriteString(strings.Join(c.path, "/"))
	glue := byte('?')
	for part := range strings.SplitSeq(c.request.URL.RawQuery, "&") {
		name, _, _ := strings.Cut(part, "=")
		if part == "" || p != nil && (name == "limit" || name == "offset") {
			continue
		}
		b.WriteByte(glue)
		b.WriteString(part)
		glue = '&'
	}
	if p != nil {
		b.WriteByte(glue)
		b.WriteString("limit=")
		b.Write(appendFixed(nil, int64(p.limit)*one))
		b.WriteString("&offset=")
		b.Write(appendFixed(nil, int64(p.offset)*one))
	}
	return b.String()
}
