package sandbox

import (
	"net/http"

	"github.com/stockhand/stockhand/internal/sandbox/company"
)

// turnoverQuery reads the parameters of all three turnover reports (fact M79).
func (r *reportFilter) turnoverQuery() company.TurnoverQuery {
	r.need("отчета «Обороты»", rightTurnover)
	group := r.groupBy("product")
	from, to := r.period()
	q := company.TurnoverQuery{
		GoodFilter:      r.goods("product", "variant", "productFolder", "supplier", "archived", "search"),
		From:            from,
		To:              to,
		ByVariant:       group != "product",
		Stores:          r.choice("store"),
		StoresApart:     r.server.options.Switches.TurnoverStoresApart,
		Organizations:   r.choice("organization"),
		Agents:          r.choice("agent"),
		AgentTags:       r.texts("agentTag"),
		RetailStores:    r.choice("retailStore"),
		WithoutTurnover: r.isSet("withoutturnover"),
	}
	for _, t := range r.texts("type") {
		q.Types = append(q.Types, company.DocumentType(t))
	}
	return q
}

func turnoverAll(f *reportFilter) answer {
	return rowsOf(f, "turnover", false, f.account.Turnover, f.turnoverQuery(),
		func(e *encoder, r *company.TurnoverRow) {
			f.assortment(e, r.Good)
			f.turnover(e, &r.Turnover)
		})
}

// assortment writes the good of a report row.
func (c *call) assortment(e *encoder, g good) {
	e.key("assortment").object(func() {
		c.meta(e, string(g.Kind), string(g.ID), string(g.InterfaceID))
		c.nameCodeArticle(e, g)
		c.unit(e, g, false)
		c.folder(e, "productFolder", g)
	})
}

func (c *call) turnover(e *encoder, t *company.Turnover) {
	for _, part := range [...]struct {
		key  string
		flow company.Flow
	}{{"onPeriodStart", t.Start}, {"onPeriodEnd", t.End}, {"income", t.Income}, {"outcome", t.Outcome}} {
		e.key(part.key).object(func() {
			e.members("quantity", part.flow.Quantity)
			if c.employee.has(rightCost) { // sums are costs
				e.members("sum", part.flow.Sum)
			}
		})
	}
}

func turnoverByStore(f *reportFilter) answer {
	q := f.turnoverQuery()
	if f.ok() && len(q.Products.Only)+len(q.Variants.Only) == 0 {
		f.fail(errFilter("необходим фильтр product или variant"))
	}
	return rowsOf(f, "turnoverbystore", false, f.account.TurnoverByStore, q,
		func(e *encoder, r *company.TurnoverStoreRow) {
			f.assortment(e, r.Good)
			e.key("stockByStore").array(func() {
				for i := range r.Stores {
					e.object(func() {
						f.named(e, "store", "store", r.Stores[i].Store.ID, r.Stores[i].Store.Name)
						f.turnover(e, &r.Stores[i].Turnover)
					})
				}
			})
		})
}

// named writes a reference with meta and name.
func (c *call) named(e *encoder, key, typ string, id company.ID, name string) {
	e.key(key).object(func() {
		c.meta(e, typ, string(id), string(id))
		e.key("name").string(name)
	})
}

func turnoverByOperations(f *reportFilter) answer {
	for _, name := range []string{"momentFrom", "momentTo"} {
		if f.query.Get(name) == "" {
			f.fail(refuse(http.StatusPreconditionFailed, 1040, "Не указан обязательный параметр '%s'", name).at(name))
		}
	}
	return rowsOf(f, "turnoverbyoperation", false, f.account.TurnoverByOperations, f.turnoverQuery(),
		func(e *encoder, r *company.OperationRow) {
			f.assortment(e, r.Good)
			if r.Store != nil {
				f.named(e, "store", "store", r.Store.ID, r.Store.Name)
			}
			d := r.Document
			e.key("operation").object(func() {
				f.meta(e, string(d.Type), string(d.ID), string(d.ID))
				e.members("name", d.Name, "moment", d.Moment)
				if d.Agent != nil {
					f.named(e, "agent", "counterparty", d.Agent.ID, d.Agent.Name)
				}
				e.members("description", optional(d.Description))
			})
			e.members("quantity", r.Quantity)
			if f.employee.has(rightCost) {
				e.members("cost", r.Cost(), "sum", r.Sum)
			}
		})
}
