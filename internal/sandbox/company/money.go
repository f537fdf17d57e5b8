package company

import (
	"slices"
	"time"
)

// sign returns +1 for incoming payments, −1 for outgoing payments, and 0 for other documents.
func (d *Document) sign() Money {
	switch {
	case !d.Applicable:
		return 0
	case d.Type == PaymentInDoc || d.Type == CashInDoc:
		return 1
	case d.Type == PaymentOutDoc || d.Type == CashOutDoc:
		return -1
	}
	return 0
}

var moneyTypes = []DocumentType{PaymentInDoc, CashInDoc, PaymentOutDoc, CashOutDoc}

// MoneyByAccount returns report/money/byaccount: the accounts of each organization, then its cash desk. A balance is
// the opening balance plus all documents.
func (c *Company) MoneyByAccount() []AccountBalance {
	c.mu.RLock()
	defer c.mu.RUnlock()
	type desk struct {
		organization *Organization
		account      *BankAccount
	}
	balances := make(map[desk]Money)
	for _, t := range moneyTypes {
		for _, d := range c.documents[t] {
			balances[desk{d.Organization, d.OrganizationAccount}] += d.sign() * d.Sum
		}
	}
	var rows []AccountBalance
	for _, o := range c.catalogue.Organizations {
		for _, a := range o.Accounts {
			rows = append(rows, AccountBalance{o, a, a.Currency, a.Opening + balances[desk{o, a}]})
		}
		rows = append(rows, AccountBalance{o, nil, c.catalogue.Currencies[0], balances[desk{o, nil}]})
	}
	return rows
}

// MoneyFlow returns report/money/plotseries, in the account currency.
func (c *Company) MoneyFlow(q SeriesQuery) MoneySeries {
	c.mu.RLock()
	defer c.mu.RUnlock()
	dates := q.steps()
	out := MoneySeries{Points: make([]MoneyPoint, len(dates))}
	for i, date := range dates {
		out.Points[i].Date = date
	}
	organizations := q.Organizations.chooser()
	for _, t := range moneyTypes {
		for _, d := range within(c.documents[t], q.From, q.To) {
			if !organizations.allows(d.Organization.ID) {
				continue
			}
			p := &out.Points[stepOf(dates, d.Moment)]
			switch sum := d.base(d.Sum); d.sign() {
			case 1:
				p.Credit += sum
				out.Credit += sum
			case -1:
				p.Debit += sum
				out.Debit += sum
			}
		}
	}
	return out
}

// SalesSeries returns report/sales/plotseries: shipments and retail sales, without subtracting returns.
func (c *Company) SalesSeries(q SeriesQuery) []SeriesPoint {
	if q.RetailStores.chooser().all() {
		return c.series(q, DemandDoc, RetailDemandDoc)
	}
	return c.series(q, RetailDemandDoc)
}

// OrdersSeries returns report/orders/plotseries: customer orders.
func (c *Company) OrdersSeries(q SeriesQuery) []SeriesPoint {
	q.RetailStores = Choice{}
	return c.series(q, CustomerOrderDoc)
}

func (c *Company) series(q SeriesQuery, types ...DocumentType) []SeriesPoint {
	c.mu.RLock()
	defer c.mu.RUnlock()
	dates := q.steps()
	out := make([]SeriesPoint, len(dates))
	for i, date := range dates {
		out[i].Date = date
	}
	organizations, stores, retail := q.Organizations.chooser(), c.nestedStores(q.Stores), q.RetailStores.chooser()
	for _, t := range types {
		for _, d := range within(c.documents[t], q.From, q.To) {
			if !d.Applicable || !organizations.allows(d.Organization.ID) || !stores.allows(d.Store.idOf()) ||
				!retail.allows(d.RetailStore.idOf()) {
				continue
			}
			p := &out[stepOf(dates, d.Moment)]
			p.Quantity++
			p.Sum += d.base(d.Sum)
		}
	}
	return out
}

// steps returns the starts of the steps from the one that contains From to the one that contains To.
func (q SeriesQuery) steps() []time.Time {
	loc := q.Location
	if loc == nil {
		loc = Moscow
	}
	from := q.From.In(loc)
	year, month, day := from.Date()
	at := time.Date(year, month, day, 0, 0, 0, 0, loc)
	next := func(t time.Time) time.Time { return t.AddDate(0, 0, 1) }
	switch q.Interval {
	case Hour:
		at = time.Date(year, month, day, from.Hour(), 0, 0, 0, loc)
		next = func(t time.Time) time.Time { return t.Add(time.Hour) }
	case Month:
		at = time.Date(year, month, 1, 0, 0, 0, 0, loc)
		next = func(t time.Time) time.Time { return t.AddDate(0, 1, 0) }
	}
	var out []time.Time
	for ; !at.After(q.To); at = next(at) {
		out = append(out, at)
	}
	return out
}

// stepOf returns the last step that starts at or before t.
func stepOf(dates []time.Time, t time.Time) int {
	i, found := slices.BinarySearchFunc(dates, t, time.Time.Compare)
	if !found {
		i--
	}
	return i
}

// Dashboard returns report/dashboard/day, week or month: the period so far, compared with the same part of the previous
// period.
func (c *Company) Dashboard(p Period) Dashboard {
	now := c.options.Clock().In(Moscow)
	year, month, day := now.Date()
	today := time.Date(year, month, day, 0, 0, 0, 0, Moscow)
	from, before := today, today.AddDate(0, 0, -1)
	switch p {
	case DashboardWeek:
		from, before = today.AddDate(0, 0, -6), today.AddDate(0, 0, -13)
	case DashboardMonth:
		from = time.Date(year, month, 1, 0, 0, 0, 0, Moscow)
		before = from.AddDate(0, -1, 0)
	}
	until := before.Add(now.Sub(from))
	if !until.Before(from) {
		until = from.Add(-time.Minute)
	}
	indicator := func(series func(SeriesQuery) []SeriesPoint) (out Indicator) {
		for _, s := range series(SeriesQuery{From: from, To: now, Interval: Day}) {
			out.Count += s.Quantity
			out.Amount += s.Sum
		}
		out.Movement = out.Amount
		for _, s := range series(SeriesQuery{From: before, To: until, Interval: Day}) {
			out.Movement -= s.Sum
		}
		return out
	}
	out := Dashboard{Sales: indicator(c.SalesSeries), Orders: indicator(c.OrdersSeries)}
	flow := c.MoneyFlow(SeriesQuery{From: from, To: now, Interval: Day})
	earlier := c.MoneyFlow(SeriesQuery{From: before, To: until, Interval: Day})
	sinceMorning := c.MoneyFlow(SeriesQuery{From: today, To: now, Interval: Day})
	out.Money = MoneyIndicator{
		Income: flow.Credit, Outcome: flow.Debit, TodayMovement: sinceMorning.Credit - sinceMorning.Debit,
		Movement: (flow.Credit - flow.Debit) - (earlier.Credit - earlier.Debit),
	}
	for _, b := range c.MoneyByAccount() {
		balance := b.Balance
		if !b.Currency.Default {
			balance = balance.times(Quantity(b.Currency.Rate))
		}
		out.Money.Balance += balance
	}
	return out
}
