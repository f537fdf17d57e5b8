package sandbox

import (
	"net/http"
	"strings"
	"time"

	"github.com/stockhand/stockhand/internal/sandbox/company"
)

const (
	boardName = "отчета «Показатели»"
	moneyName = "отчета «Деньги»"
)

// moneyByAccount answers report/money/byaccount: not paged, each balance in its account's own currency (fact M84).
func moneyByAccount(c *call) (answer, error) {
	if err := c.need(moneyName, rightBoard, rightMoney); err != nil {
		return answer{}, err
	}
	rows := c.account.MoneyByAccount()
	return list{typ: "moneyreport", size: len(rows), unpaged: true, row: func(e *encoder, i int) {
		r := &rows[i]
		if b := r.Account; b != nil {
			e.key("account").object(func() {
				c.plainMeta(e, "account", "/entity/organization/"+string(b.Organization.ID)+"/accounts/"+string(b.ID))
				e.key("name").string(b.Number)
			})
		}
		c.named(e, "organization", "organization", string(r.Organization.ID), r.Organization.Name)
		e.key("balance").fixed(int64(r.Balance))
	}}.answer(c), nil
}

// seriesQuery reads momentFrom, momentTo and interval, all of which a plotseries needs.
func (c *call) seriesQuery(keys ...string) (company.SeriesQuery, error) {
	var q company.SeriesQuery
	for _, name := range []string{"momentFrom", "momentTo", "interval"} {
		if c.query.Get(name) == "" {
			return q, refuse(http.StatusPreconditionFailed, 39000,
				"Ошибка: не указан обязательный параметр для запроса показателей: %s.", name)
		}
	}
	from, to, err := c.period()
	if err != nil {
		return q, err
	}
	q = company.SeriesQuery{From: from, To: to, Interval: company.Interval(c.query.Get("interval"))}
	switch q.Interval {
	case company.Hour, company.Day, company.Month:
	default:
		return q, refuse(http.StatusPreconditionFailed, 39002,
			"Ошибка: неверное значение параметра interval: %s.", q.Interval)
	}
	if q.Location, err = c.zone(); err != nil {
		return q, err
	}
	f := c.reportFilter()
	for _, key := range keys {
		switch key {
		case "organization":
			q.Organizations = f.choice(key)
		case "store":
			q.Stores = f.choice(key)
		case "retailStore":
			q.RetailStores = f.choice(key)
		}
	}
	return q, f.done()
}

// zone reads the numeric zone at the end of X-Lognex-Accept-Timezone, by which steps of a series begin
// (fact M95); nil when the client sent none.
func (c *call) zone() (*time.Location, error) {
	header := c.request.Header.Get("X-Lognex-Accept-Timezone")
	if header == "" {
		return nil, nil
	}
	parts := strings.Fields(header)
	t, err := time.Parse("-0700", parts[len(parts)-1])
	if err != nil {
		return nil, refuse(http.StatusBadRequest, 1093, "Неверный заголовок X-Lognex-Accept-Timezone: %s", header)
	}
	_, offset := t.Zone()
	return time.FixedZone("", offset), nil
}

// series answers with an object that has a series, context and meta.
func (c *call) series(typ string, size int, more func(*encoder), point func(e *encoder, i int)) answer {
	return answer{body: func(e *encoder) {
		e.object(func() {
			c.context(e, false)
			e.key("meta").object(func() {
				e.key("href").string(c.self(nil))
				e.key("type").string(typ)
				e.key("mediaType").string("application/json")
			})
			more(e)
			e.key("series").array(func() {
				for i := range size {
					e.object(func() { point(e, i) })
				}
			})
		})
	}}
}

func date(e *encoder, t time.Time) {
	e.key("date").string(t.Format(time.DateTime))
}

// moneySeries answers report/money/plotseries: credit is income and debit expense.
func moneySeries(c *call) (answer, error) {
	if err := c.need(moneyName, rightBoard, rightMoney); err != nil {
		return answer{}, err
	}
	q, err := c.seriesQuery("organization")
	if err != nil {
		return answer{}, err
	}
	s := c.account.MoneyFlow(q)
	flow := func(e *encoder, credit, debit company.Money) {
		e.key("credit").fixed(int64(credit))
		e.key("debit").fixed(int64(debit))
	}
	return c.series("moneyplotseries", len(s.Points),
		func(e *encoder) { flow(e, s.Credit, s.Debit) },
		func(e *encoder, i int) {
			p := s.Points[i]
			date(e, p.Date)
			flow(e, p.Credit, p.Debit)
			e.key("balance").fixed(int64(p.Balance()))
		}), nil
}

func salesSeries(c *call) (answer, error) {
	if !c.server.options.Switches.SalesPlotIsOpen {
		if err := c.need(boardName, rightBoard); err != nil {
			return answer{}, err
		}
	}
	q, err := c.seriesQuery("organization", "store", "retailStore")
	if err != nil {
		return answer{}, err
	}
	return c.countedSeries("salesplotseries", c.account.SalesSeries(q)), nil
}

func ordersSeries(c *call) (answer, error) {
	if err := c.need(boardName, rightBoard); err != nil {
		return answer{}, err
	}
	q, err := c.seriesQuery("organization", "store")
	if err != nil {
		return answer{}, err
	}
	return c.countedSeries("ordersplotseries", c.account.OrdersSeries(q)), nil
}

func (c *call) countedSeries(typ string, points []company.SeriesPoint) answer {
	return c.series(typ, len(points), func(*encoder) {}, func(e *encoder, i int) {
		date(e, points[i].Date)
		e.key("quantity").int(int64(points[i].Quantity))
		e.key("sum").fixed(int64(points[i].Sum))
	})
}

// dashboard answers report/dashboard/day, week and month, without an envelope.
func dashboard(c *call, p company.Period) (answer, error) {
	if err := c.need(boardName, rightBoard); err != nil {
		return answer{}, err
	}
	d := c.account.Dashboard(p)
	return answer{body: func(e *encoder) {
		amount := func(key string, m company.Money) {
			e.key(key).fixed(int64(m))
		}
		indicator := func(key string, i company.Indicator) {
			e.key(key).object(func() {
				e.key("count").int(int64(i.Count))
				amount("amount", i.Amount)
				amount("movementAmount", i.Movement)
			})
		}
		e.object(func() {
			indicator("sales", d.Sales)
			indicator("orders", d.Orders)
			e.key("money").object(func() {
				amount("income", d.Money.Income)
				amount("outcome", d.Money.Outcome)
				amount("balance", d.Money.Balance)
				amount("todayMovement", d.Money.TodayMovement)
				amount("movement", d.Money.Movement)
			})
		})
	}}, nil
}

type partyRow = *company.CounterpartyRow

// partyReport is the table of report/counterparty (fact M86). It is an entity only to be filtered,
// sorted and written as one.
var partyReport = &entity[partyRow]{
	typ: "counterparty",
	rows: func(a *account) []partyRow {
		rows := a.CounterpartyReport()
		parties := make([]partyRow, len(rows))
		for i := range rows {
			r := rows[i]
			if a.switches.PartyBalanceNegated {
				r.Balance = -r.Balance
			}
			parties[i] = &r
		}
		return parties
	},
	gone: func(r partyRow) bool { return r.Counterparty.Archived },
	fields: []field[partyRow]{
		writtenField("counterparty", func(c *call, e *encoder, r partyRow, _ expansion) {
			p := r.Counterparty
			e.key("counterparty").object(func() {
				c.meta(e, "counterparty", string(p.ID), string(p.ID))
				e.key("id").string(string(p.ID))
				e.key("name").string(p.Name)
				c.member(e, "externalCode", text, textValue(p.ExternalCode), nil)
				c.member(e, "companyType", text, textValue(p.CompanyType), nil)
			})
		}),
		linkField("counterparty", "counterparty", canFilter|unwritten,
			func(r partyRow) company.ID { return r.Counterparty.ID }),
		textField("counterparty.name", canFind|unwritten, func(r partyRow) string { return r.Counterparty.Name }),
		momentField("firstDemandDate", canFind, func(r partyRow) time.Time { return r.FirstDemand }),
		momentField("lastDemandDate", canFind, func(r partyRow) time.Time { return r.LastDemand }),
		countField("demandsCount", canFind, func(r partyRow) int { return r.DemandsCount }),
		numberField("demandsSum", canFind, func(r partyRow) company.Money { return r.DemandsSum }),
		writtenField("averageReceipt", func(_ *call, e *encoder, r partyRow, _ expansion) {
			e.key("averageReceipt").decimal(r.AverageReceipt())
		}),
		countField("returnsCount", canFind, func(r partyRow) int { return r.ReturnsCount }),
		numberField("returnsSum", canFind, func(r partyRow) company.Money { return r.ReturnsSum }),
		numberField("discountsSum", canFind, func(r partyRow) company.Money { return r.DiscountsSum }),
		numberField("balance", canFind, func(r partyRow) company.Money { return r.Balance }),
		countField("bonusBalance", canFind, func(partyRow) int { return 0 }),
		needing(rightCost, numberField("profit", canFind, func(r partyRow) company.Money { return r.Profit })),
		momentField("lastEventDate", canFind, func(r partyRow) time.Time { return r.LastEvent }),
		textField("lastEventText", canFind, func(r partyRow) string { return r.LastEventText }),
		momentField("updated", canFind, func(r partyRow) time.Time { return r.Counterparty.Updated }),
	},
}

func needing[R any](r right, f field[R]) field[R] {
	f.needs = r
	return f
}

func (c *call) party(e *encoder, r partyRow) {
	c.plainMeta(e, "counterparty", "/report/counterparty/"+string(r.Counterparty.ID))
	partyReport.writeFields(c, e, r, nil, "")
}

const partyName = "отчета «Показатели контрагентов»"

func counterparties(c *call) (answer, error) {
	if err := c.need(partyName, rightCRM); err != nil {
		return answer{}, err
	}
	rows, err := partyReport.selected(c)
	if err != nil {
		return answer{}, err
	}
	return pageOf(c, "counterparty", false, rows, func(e *encoder, r *partyRow) { c.party(e, *r) })
}

func oneCounterparty(c *call) (answer, error) {
	if err := c.need(partyName, rightCRM); err != nil {
		return answer{}, err
	}
	for _, r := range partyReport.rows(c.account) {
		if string(r.Counterparty.ID) == c.childID {
			return answer{body: func(e *encoder) { e.object(func() { c.party(e, r) }) }}, nil
		}
	}
	return answer{}, errNotFound("counterparty", c.childID)
}
