package sandbox

import (
	"cmp"
	"net/http"
	"time"

	"github.com/stockhand/stockhand/internal/sandbox/company"
)

// stockCurrent serves the short reports: a bare array whose value is named after the stockType (fact M75).
func stockCurrent(f *reportFilter, byStore bool) answer {
	f.needStock()
	q := company.CurrentQuery{ByStore: byStore,
		Type: cmp.Or(company.StockType(f.query.Get("stockType")), company.TypeStock)}
	switch q.Type {
	case company.TypeStock, company.TypeFreeStock, company.TypeQuantity, company.TypeReserve, company.TypeInTransit:
	default:
		f.fail(errParameter("stockType", string(q.Type)))
	}
	switch s := f.query.Get("include"); s {
	case "":
	case "zeroLines":
		q.ZeroLines = true
	default:
		f.fail(errParameter("include", s))
	}
	if s := f.query.Get("changedSince"); s != "" {
		at, ok := parseMoment(s)
		if !ok || f.server.now().Sub(at) > 24*time.Hour {
			f.fail(errParameter("changedSince", s))
		}
		q.ChangedSince = at
	}
	q.Goods = f.splitIDs("assortmentId")
	if byStore {
		q.Stores = f.splitIDs("storeId")
	}
	if !f.ok() {
		return answer{}
	}
	rows := f.account.Current(q)
	shown := byStore && f.query.Get("withRecalculate") == "true"
	busy := f.recalculating()
	return answer{body: func(e *encoder) {
		e.array(func() {
			for i := range rows {
				unknown := busy[rows[i].Good.ID]
				if unknown && !shown {
					continue
				}
				e.object(func() { currentRow(e, &rows[i], byStore, string(q.Type), unknown) })
			}
		})
	}}
}

// recalculating returns the goods of recently created documents, whose stock is being recalculated. Stock reports omit
// them until then.
func (c *call) recalculating() map[company.ID]bool {
	delay := c.server.options.RecalculationDelay
	if delay <= 0 {
		return nil
	}
	busy := map[company.ID]bool{}
	for _, typ := range company.DocumentTypes {
		for _, d := range c.account.Documents(typ) {
			if c.server.now().Sub(d.Created) < delay {
				for _, p := range d.Positions {
					busy[p.Good.ID] = true
				}
			}
		}
	}
	return busy
}

// withoutRecalculating removes rows of goods that are being recalculated.
func withoutRecalculating[R any](c *call, rows []R, of func(*R) good) []R {
	busy := c.recalculating()
	if len(busy) == 0 {
		return rows
	}
	kept := make([]R, 0, len(rows))
	for i := range rows {
		if !busy[of(&rows[i]).ID] {
			kept = append(kept, rows[i])
		}
	}
	return kept
}

// currentRow writes a row of a short report. With withRecalculate, an unknown figure is null.
func currentRow(e *encoder, r *company.CurrentRow, byStore bool, key string, unknown bool) {
	e.key("assortmentId").string(string(r.Good.ID))
	if byStore {
		e.key("storeId")
		if r.Store == nil {
			e.null() // without a store
		} else {
			e.string(string(r.Store.ID))
		}
	}
	e.key(key)
	if unknown {
		e.null()
		return
	}
	e.fixed(int64(r.Value))
}

// needStock refuses the short reports without the stock right (fact M92).
func (r *reportFilter) needStock() {
	if !r.employee.has(rightAdmin) && !r.employee.has(rightStock) {
		r.fail(refuse(http.StatusForbidden, 13004,
			"Отчет доступен только администратору или сотруднику с правом на просмотр остатков"))
	}
}

// stockBySlot serves report/stock/byslot/current, which is empty because stores have no slots.
func stockBySlot(f *reportFilter) answer {
	f.needStock()
	if len(f.splitIDs("assortmentId"))+len(f.splitIDs("storeId")) == 0 {
		f.fail(errFilter("необходим фильтр assortmentId или storeId"))
	}
	f.ok()
	return answer{body: func(e *encoder) { e.array(func() {}) }}
}
