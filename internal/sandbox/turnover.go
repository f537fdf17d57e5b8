package sandbox

import (
	"net/http"

	"github.com/stockhand/stockhand/internal/sandbox/company"
)

// turnoverQuery reads what the three turnover reports have in common (fact M79).
func (c *call) turnoverQuery() (company.TurnoverQuery, error) {
	var q company.TurnoverQuery
	if err := c.need("отчета «Обороты»", rightTurnover); err != nil {
		return q, err
	}
	group, err := c.groupBy("product")
	if err != nil {
		return q, err
	}
	from, to, err := c.period()
	if err != nil {
		return q, err
	}
	f := c.reportFilter()
	q = company.TurnoverQuery{
		GoodFilter:      f.goods("product", "variant", "productFolder", "supplier", "archived", "search"),
		From:            from,
		To:              to,
		ByVariant:       group != "product",
		Stores:          f.choice("store"),
		Organizations:   f.choice("organization"),
		Agents:          f.choice("agent"),
		AgentTags:       f.texts("agentTag"),
		RetailStores:    f.choice("retailStore"),
		WithoutTurnover: f.isSet("withoutturnover"),
	}
	for _, t := range f.texts("type") {
		q.Types = append(q.Types, company.DocumentType(t))
	}
	return q, f.done()
}

func turnoverAll(c *call) (answer, error) {
	q, err := c.turnoverQuery()
	if err != nil {
		return answer{}, err
	}
	return pageOf(c, "turnover", false, c.account.Turnover(q), func(e *encoder, r *company.TurnoverRow) {
		c.assortment(e, r.Good)
		c.turnover(e, &r.Turnover)
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
			e.key("quantity").fixed(int64(part.flow.Quantity))
			if c.employee.has(rightCost) { // the sum is cost
				e.key("sum").fixed(int64(part.flow.Sum))
			}
		})
	}
}

func turnoverByStore(c *call) (answer, error) {
	q, err := c.turnoverQuery()
	if err != nil {
		return answer{}, err
	}
	if len(q.Products.Only)+len(q.Variants.Only) == 0 {
		return answer{}, errFilter("необходим фильтр product или variant")
	}
	return pageOf(c, "turnoverbystore", false, c.account.TurnoverByStore(q),
		func(e *encoder, r *company.TurnoverStoreRow) {
			c.assortment(e, r.Good)
			e.key("stockByStore").array(func() {
				for i := range r.Stores {
					e.object(func() {
						c.named(e, "store", "store", string(r.Stores[i].Store.ID), r.Stores[i].Store.Name)
						c.turnover(e, &r.Stores[i].Turnover)
					})
				}
			})
		})
}

// named writes a reference with meta and name.
func (c *call) named(e *encoder, key, typ, id, name string) {
	e.key(key).object(func() {
		c.meta(e, typ, id, id)
		e.key("name").string(name)
	})
}

func turnoverByOperations(c *call) (answer, error) {
	for _, name := range []string{"momentFrom", "momentTo"} {
		if c.query.Get(name) == "" {
			e := refuse(http.StatusPreconditionFailed, 1040, "Не указан обязательный параметр '%s'", name)
			e.parameter = name
			return answer{}, e
		}
	}
	q, err := c.turnoverQuery()
	if err != nil {
		return answer{}, err
	}
	return pageOf(c, "turnoverbyoperation", false, c.account.TurnoverByOperations(q),
		func(e *encoder, r *company.OperationRow) {
			c.assortment(e, r.Good)
			if r.Store != nil {
				c.named(e, "store", "store", string(r.Store.ID), r.Store.Name)
			}
			d := r.Document
			e.key("operation").object(func() {
				c.meta(e, string(d.Type), string(d.ID), string(d.ID))
				e.key("name").string(d.Name)
				c.member(e, "moment", moment, momentValue(d.Moment), nil)
				if d.Agent != nil {
					c.named(e, "agent", "counterparty", string(d.Agent.ID), d.Agent.Name)
				}
				c.member(e, "description", text, textValue(d.Description), nil)
			})
			e.key("quantity").fixed(int64(r.Quantity))
			if c.employee.has(rightCost) {
				e.key("cost").decimal(r.Cost())
				e.key("sum").fixed(int64(r.Sum))
			}
		})
}
