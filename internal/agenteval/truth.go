package main

import (
	"cmp"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/sandbox/company"
)

// moscow is the time zone of accounts.
var moscow = time.FixedZone("Moscow", 3*60*60)

// truth computes figures from the data behind the sandbox, not with our tools.
type truth struct {
	*company.Company
	goods []*company.Good // with a supplier and enough in stock and sold, the most sold first
}

func newTruth(c *company.Company) (*truth, error) {
	t := &truth{Company: c}
	sold := map[string]decimal.Decimal{}
	for _, g := range c.Catalogue().Goods {
		if g.Kind != company.Product || len(g.Variants) > 0 || g.Supplier == nil || g.Archived || g.Weighed ||
			strings.ContainsAny(g.Name, `;"«`) || strings.Contains(g.Name, "подтверди") ||
			t.stock(g).Less(decimal.FromInt(40)) {
			continue
		}
		sold[g.Name] = t.quantity(g, october)
		if decimal.FromInt(9).Less(sold[g.Name]) && decimal.FromInt(9).Less(t.quantity(g, september)) {
			t.goods = append(t.goods, g)
		}
	}
	slices.SortStableFunc(t.goods, func(a, b *company.Good) int {
		return cmp.Or(sold[b.Name].Cmp(sold[a.Name]), cmp.Compare(a.Name, b.Name))
	})
	if len(t.goods) < 4 {
		return nil, errors.New("the generated shop has too few goods that are sold regularly")
	}
	return t, nil
}

// month is a calendar month of 2026.
type month time.Month

const (
	august    = month(time.August)
	september = month(time.September)
	october   = month(time.October)
)

func (m month) first() time.Time { return time.Date(2026, time.Month(m), 1, 0, 0, 0, 0, moscow) }

func (m month) last() time.Time { return m.first().AddDate(0, 1, -1) }

// arguments are the month as a tool takes it.
func (m month) arguments() string {
	return `"from":"` + m.first().Format(time.DateOnly) + `","to":"` + m.last().Format(time.DateOnly) + `"`
}

func (t *truth) rows(m month) []company.ProfitRow {
	return t.Profit(company.ProfitQuery{By: company.ByProduct, From: m.first(), To: m.last().AddDate(0, 0, 1).
		Add(-time.Millisecond)})
}

func (t *truth) revenue(m month) decimal.Decimal {
	var sum company.Money
	for _, r := range t.rows(m) {
		sum += r.SellSum - r.ReturnSum
	}
	return sum.Decimal().Major().Round(2)
}

// revenueOf returns a good's revenue.
func (t *truth) revenueOf(g *company.Good, m month) decimal.Decimal {
	r := t.row(g, m)
	return (r.SellSum - r.ReturnSum).Decimal().Major().Round(2)
}

// quantity returns how much of a good was sold, less what was returned.
func (t *truth) quantity(g *company.Good, m month) decimal.Decimal {
	r := t.row(g, m)
	return (r.SellQuantity - r.ReturnQuantity).Decimal()
}

func (t *truth) row(g *company.Good, m month) company.ProfitRow {
	for _, r := range t.rows(m) {
		if r.Good == g {
			return r
		}
	}
	return company.ProfitRow{}
}

// stock returns how much of a good is in all warehouses.
func (t *truth) stock(g *company.Good) decimal.Decimal {
	for _, r := range t.StockAll(company.StockQuery{}) {
		if r.Good == g {
			return r.Stock.Decimal()
		}
	}
	return decimal.Zero
}

// cash returns what is in all accounts of the account's currency.
func (t *truth) cash() decimal.Decimal {
	var sum company.Money
	for _, b := range t.MoneyByAccount() {
		if b.Currency == nil || b.Currency.Default {
			sum += b.Balance
		}
	}
	return sum.Decimal().Major().Round(2)
}

// mover returns the good whose revenue changed most from one month to the next, in the direction of the total.
func (t *truth) mover(from, to month) (*company.Good, decimal.Decimal) {
	change := map[*company.Good]company.Money{}
	for _, r := range t.rows(to) {
		change[r.Good] += r.SellSum - r.ReturnSum
	}
	for _, r := range t.rows(from) {
		change[r.Good] -= r.SellSum - r.ReturnSum
	}
	falls := t.revenue(to).Less(t.revenue(from))
	var most *company.Good
	for g, by := range change {
		if falls {
			by = -by
		}
		if most == nil || by > signed(change[most], falls) || by == signed(change[most], falls) && g.Name < most.Name {
			most = g
		}
	}
	return most, change[most].Decimal().Major().Round(2)
}

func signed(m company.Money, negative bool) company.Money {
	if negative {
		return -m
	}
	return m
}

// short returns the names of the goods below their minimum.
func (t *truth) short() (names []string) {
	for _, r := range t.StockAll(company.StockQuery{StockMode: company.ModeUnderMinimum,
		QuantityMode: company.ModeAll}) {
		names = append(names, r.Good.Name)
	}
	return names
}

// price returns the price of a good in the first price type.
func (t *truth) price(g *company.Good) decimal.Decimal {
	return g.Prices().Sale[0].Value.Decimal().Major()
}
