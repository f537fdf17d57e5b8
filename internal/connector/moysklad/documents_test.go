package moysklad

import (
	"testing"

	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/sandbox/company"
	"github.com/stockhand/stockhand/internal/tool"
)

// place identifies a good in a store. The store is empty for stock without a store.
type place struct{ good, store company.ID }

// balance is the stock of one place, computed by the tests.
type balance struct{ stock, reserve, transit company.Quantity }

func (h balance) free() company.Quantity { return h.stock - h.reserve }

// stockFromDocuments adds up the company's documents independently of its ledger.
func stockFromDocuments(c *company.Company) map[place]balance {
	b := map[place]balance{}
	move := func(g *company.Good, s *company.Store, change func(*balance)) {
		w := place{good: g.ID}
		if s != nil {
			w.store = s.ID
		}
		h := b[w]
		change(&h)
		b[w] = h
	}
	stock := func(p company.Position, s *company.Store, sign company.Quantity) {
		if p.Good.Stocked() {
			move(p.Good, s, func(h *balance) { h.stock += sign * p.Quantity })
		}
		for _, part := range p.Good.Components {
			if part.Good.Stocked() {
				move(part.Good, s, func(h *balance) { h.stock += sign * p.Quantity * part.Quantity / company.Units(1) })
			}
		}
	}
	for _, t := range company.DocumentTypes {
		for _, d := range c.Documents(t) {
			if !d.Applicable {
				continue
			}
			for _, p := range d.Positions {
				switch t {
				case company.SupplyDoc, company.EnterDoc, company.SalesReturnDoc, company.RetailSalesReturnDoc:
					stock(p, d.Store, 1)
				case company.DemandDoc, company.RetailDemandDoc, company.LossDoc:
					stock(p, d.Store, -1)
				case company.MoveDoc:
					stock(p, d.Store, -1)
					stock(p, d.Target, 1)
				case company.CustomerOrderDoc:
					if p.Good.Stocked() {
						move(p.Good, d.Store, func(h *balance) { h.reserve += p.Reserve })
					}
				case company.PurchaseOrderDoc:
					if p.Good.Stocked() {
						move(p.Good, d.Store, func(h *balance) { h.transit += p.InTransit })
					}
				}
			}
		}
	}
	return b
}

// sumStores adds up the stores of each good.
func sumStores(b map[place]balance) map[company.ID]balance {
	all := map[company.ID]balance{}
	for w, h := range b {
		s := all[w.good]
		all[w.good] = balance{s.stock + h.stock, s.reserve + h.reserve, s.transit + h.transit}
	}
	return all
}

// goodsSales is the sales of a product including its variants, net of returns. Amounts are in main currency units.
type goodsSales struct {
	revenue, cost  decimal.Decimal
	sold, returned decimal.Decimal
}

// salesByGood adds up sales and returns of a period by product, from the documents.
func salesByGood(c *company.Company, p tool.Period) map[company.ID]goodsSales {
	all := map[company.ID]goodsSales{}
	for t, returned := range map[company.DocumentType]bool{company.DemandDoc: false, company.RetailDemandDoc: false,
		company.SalesReturnDoc: true, company.RetailSalesReturnDoc: true} {
		for _, d := range c.Documents(t) {
			day := tool.DayOf(d.Moment.In(msapi.Moscow))
			if !d.Applicable || day < p.From || day > p.To {
				continue
			}
			for i, line := range d.Positions {
				sum, cost := line.Sum().Decimal().Major(), c.PositionCost(d, i).Decimal().Major()
				if d.Rate != 0 {
					sum = sum.Mul(d.Rate.Decimal())
				}
				k := all[line.Good.Root().ID]
				if returned {
					k.revenue, k.cost, k.returned = k.revenue.Sub(sum), k.cost.Sub(cost),
						k.returned.Add(line.Quantity.Decimal())
				} else {
					k.revenue, k.cost, k.sold = k.revenue.Add(sum), k.cost.Add(cost),
						k.sold.Add(line.Quantity.Decimal())
				}
				all[line.Good.Root().ID] = k
			}
		}
	}
	return all
}

// number returns the numeric cell of a row in a column.
func number(t *testing.T, r *tool.Result, row tool.Row, column string) decimal.Decimal {
	t.Helper()
	d, ok := cell(t, r, row, column).Decimal()
	if !ok {
		t.Fatalf("%s is not a number in %v", column, row)
	}
	return d
}

func cell(t *testing.T, r *tool.Result, row tool.Row, column string) tool.Value {
	t.Helper()
	for i, c := range r.Columns {
		if c.Name == column {
			return row[i]
		}
	}
	t.Fatalf("no column %s", column)
	return tool.Empty
}

func column(t *testing.T, r *tool.Result, name string) tool.Column {
	t.Helper()
	for _, c := range r.Columns {
		if c.Name == name {
			return c
		}
	}
	t.Fatalf("no column %s", name)
	return tool.Column{}
}

func wantEqual(t *testing.T, what string, got, want decimal.Decimal) {
	t.Helper()
	if got.Cmp(want) != 0 {
		t.Errorf("%s: %s, want %s", what, got, want)
	}
}

// wantNear allows a difference of rounding: documents round each line, reports may not (fact M68).
func wantNear(t *testing.T, what string, got, want decimal.Decimal) {
	t.Helper()
	if got.Sub(want).Abs().Cmp(decimal.MustParse("0.02")) > 0 {
		t.Errorf("%s: %s, want %s", what, got, want)
	}
}

func wantNotice(t *testing.T, r *tool.Result, code tool.NoticeCode) string {
	t.Helper()
	n, ok := r.Notice(code)
	if !ok {
		t.Errorf("no notice %s among %v", code, r.Notices)
	}
	return n.Message
}

// sumColumn adds up a column, for rows of one unit of measure if given.
func sumColumn(t *testing.T, r *tool.Result, name string, unit ...string) (sum decimal.Decimal) {
	t.Helper()
	for _, row := range r.Rows {
		if len(unit) == 0 || cell(t, r, row, "unit").Text() == unit[0] {
			sum = sum.Add(number(t, r, row, name))
		}
	}
	return sum
}
