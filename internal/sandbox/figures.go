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

// moneyByAccount serves report/money/byaccount: unpaged, each balance in the currency of its account (fact M84).
func moneyByAccount(r *reportFilter) answer {
	r.need(moneyName, rightBoard, rightMoney)
	c, rows := r.call, r.account.MoneyByAccount()
	return list{typ: "moneyreport", size: len(rows), unpaged: true, row: func(e *encoder, i int) {
		r := &rows[i]
		if b := r.Account; b != nil {
			e.key("account").object(func() {
				c.plainMeta(e, "account", "/entity/organization/"+string(b.Organization.ID)+"/accounts/"+string(b.ID))
				e.key("name").string(b.Number)
			})
		}
		c.named(e, "organization", "organization", r.Organization.ID, r.Organization.Name)
		e.members("balance", r.Balance)
	}}.answer(c)
}

// seriesQuery reads momentFrom, momentTo and interval, which are all required.
func (r *reportFilter) seriesQuery(keys ...string) company.SeriesQuery {
	for _, name := range []string{"momentFrom", "momentTo", "interval"} {
		if r.query.Get(name) == "" {
			r.fail(refuse(http.StatusPreconditionFailed, 39000,
				"Ошибка: не указан обязательный параметр для запроса показателей: %s.", name))
		}
	}
	from, to := r.period()
	q := company.SeriesQuery{From: from, To: to, Interval: company.Interval(r.query.Get("interval"))}
	switch q.Interval {
	case company.Hour, company.Day, company.Month:
	default:
		r.fail(refuse(http.StatusPreconditionFailed, 39002,
			"Ошибка: неверное значение параметра interval: %s.", q.Interval))
	}
	q.Location = r.zone()
	for _, key := range keys {
		switch key {
		case "organization":
			q.Organizations = r.choice(key)
		case "store":
			q.Stores = r.choice(key)
		case "retailStore":
			q.RetailStores = r.choice(key)
		}
	}
	return q
}

// zone reads the numeric offset at the end of X-Lognex-Accept-Timezone, in which the steps of a series start (fact
// M95). It returns nil without that header.
func (r *reportFilter) zone() *time.Location {
	header := r.request.Header.Get("X-Lognex-Accept-Timezone")
	if header == "" {
		return nil
	}
	parts := strings.Fields(header)
	t, err := time.Parse("-0700", parts[len(parts)-1])
	if err != nil {
		r.fail(refuse(http.StatusBadRequest, 1093, "Неверный заголовок X-Lognex-Accept-Timezone: %s", header))
	}
	_, offset := t.Zone()
	return time.FixedZone("", offset)
}

// series responds with an object with series, context and meta.
func (c *call) series(typ string, size int, more func(*encoder), point func(e *encoder, i int)) answer {
	return answer{body: func(e *encoder) {
		e.object(func() {
			c.context(e, false)
			e.key("meta").object(func() { metaMembers(e, typ, c.self(nil)) })
			more(e)
			e.key("series").array(func() {
				for i := range size {
					e.object(func() { point(e, i) })
				}
			})
		})
	}}
}

// moneySeries serves report/money/plotseries: credit is income and debit is expense.
func moneySeries(r *reportFilter) answer {
	r.need(moneyName, rightBoard, rightMoney)
	q := r.seriesQuery("organization")
	if !r.ok() {
		return answer{}
	}
	s := r.account.MoneyFlow(q)
	return r.series("moneyplotseries", len(s.Points),
		func(e *encoder) { e.members("credit", s.Credit, "debit", s.Debit) },
		func(e *encoder, i int) {
			p := s.Points[i]
			e.members("date", p.Date.Format(time.DateTime), "credit", p.Credit, "debit", p.Debit,
				"balance", p.Balance())
		})
}

func salesSeries(r *reportFilter) answer {
	if !r.server.options.Switches.SalesPlotIsOpen {
		r.need(boardName, rightBoard)
	}
	q := r.seriesQuery("organization", "store", "retailStore")
	return r.countedSeries("salesplotseries", r.account.SalesSeries, q)
}

func ordersSeries(r *reportFilter) answer {
	r.need(boardName, rightBoard)
	return r.countedSeries("ordersplotseries", r.account.OrdersSeries, r.seriesQuery("organization", "store"))
}

func (r *reportFilter) countedSeries(typ string, compute func(company.SeriesQuery) []company.SeriesPoint,
	q company.SeriesQuery) answer {
	if !r.ok() {
		return answer{}
	}
	points := compute(q)
	return r.series(typ, len(points), func(*encoder) {}, func(e *encoder, i int) {
		p := points[i]
		e.members("date", p.Date.Format(time.DateTime), "quantity", p.Quantity, "sum", p.Sum)
	})
}

// dashboard serves report/dashboard/day, week and month, without an envelope.
func dashboard(r *reportFilter, p company.Period) answer {
	r.need(boardName, rightBoard)
	d := r.account.Dashboard(p)
	return answer{body: func(e *encoder) {
		indicator := func(i company.Indicator) func() {
			return func() { e.members("count", i.Count, "amount", i.Amount, "movementAmount", i.Movement) }
		}
		e.object(func() {
			e.members("sales", indicator(d.Sales), "orders", indicator(d.Orders), "money", func() {
				m := d.Money
				e.members("income", m.Income, "outcome", m.Outcome, "balance", m.Balance,
					"todayMovement", m.TodayMovement, "movement", m.Movement)
			})
		})
	}}
}

type partyRow = *company.CounterpartyRow

// partyReport is the field table of report/counterparty (fact M86). It is an entity to reuse filtering, sorting and
// writing.
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
				e.members("id", p.ID, "name", p.Name, "externalCode", optional(p.ExternalCode),
					"companyType", optional(p.CompanyType))
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

func counterparties(r *reportFilter) answer {
	r.need(partyName, rightCRM)
	rows, err := partyReport.selected(r.call)
	r.fail(err)
	return r.page("counterparty", false, len(rows), func(e *encoder, i int) { r.party(e, rows[i]) })
}

func oneCounterparty(r *reportFilter) answer {
	r.need(partyName, rightCRM)
	for _, row := range partyReport.rows(r.account) {
		if string(row.Counterparty.ID) == r.childID {
			return answer{body: func(e *encoder) { e.object(func() { r.party(e, row) }) }}
		}
	}
	r.fail(errNotFound("counterparty", r.childID))
	return answer{}
}
