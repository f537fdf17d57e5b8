package moysklad

import (
	"strings"
	"testing"

	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/sandbox"
	"github.com/stockhand/stockhand/internal/sandbox/company"
	"github.com/stockhand/stockhand/internal/tool"
)

// soldByStore adds up sales less returns by good and warehouse in a period, from the documents.
func soldByStore(c *company.Company, p tool.Period) map[place]company.Quantity {
	list := map[place]company.Quantity{}
	for t, sign := range map[company.DocumentType]company.Quantity{company.DemandDoc: 1, company.RetailDemandDoc: 1,
		company.SalesReturnDoc: -1, company.RetailSalesReturnDoc: -1} {
		for _, d := range c.Documents(t) {
			day := tool.DayOf(d.Moment.In(msapi.Moscow))
			if !d.Applicable || day < p.From || day > p.To {
				continue
			}
			for _, line := range d.Positions {
				if line.Good.Stocked() {
					list[place{line.Good.ID, d.Store.ID}] += sign * line.Quantity
				}
				for _, part := range line.Good.Components {
					list[place{part.Good.ID, d.Store.ID}] += sign * line.Quantity * part.Quantity / company.Units(1)
				}
			}
		}
	}
	return list
}

// ownMinimum returns the minimum of a good that applies to a single warehouse.
func ownMinimum(g *company.Good, s *company.Store) company.Quantity {
	m := g.Minimum
	if m == nil {
		m = g.Root().Minimum
	}
	if m == nil {
		return 0
	}
	switch m.Type {
	case company.MinimumSame:
		return m.Quantity
	case company.MinimumVaried:
		for _, x := range m.Stores {
			if x.Store == s {
				return x.Quantity
			}
		}
	case company.MinimumSum:
	}
	return 0
}

func TestTransfersNeverCreateADeficit(t *testing.T) {
	for _, mode := range []string{"all", "below_minimum", "running_out"} {
		for _, days := range []int64{14, 45} {
			s := openShop(t, sandbox.Options{Company: company.Options{Seed: 5, Products: 250, Days: 60}})
			p := mustPropose(t, s, s.owner(t), transfers, map[string]any{"mode": mode, "days": days})
			if len(p.Documents) == 0 {
				t.Fatalf("%s, %d days: no documents", mode, days)
			}
			checkTransfers(t, s, p, decimal.FromInt(days))
		}
	}
}

// checkTransfers recomputes surpluses and deficits from the documents and checks the transfers against them.
func checkTransfers(t *testing.T, s *shop, p *tool.Proposal, horizon decimal.Decimal) {
	t.Helper()
	b := stockFromDocuments(s.company)
	period := tool.Period{From: tool.DayOf(noon).Add(-29), To: tool.DayOf(noon)}
	sold := soldByStore(s.company, period)
	stores := map[string]*company.Store{}
	for _, x := range activeStores(s) {
		stores[string(x.ID)] = x
	}
	keep := func(g *company.Good, x *company.Store) decimal.Decimal {
		pace := max(0, sold[place{g.ID, x.ID}]).Decimal().Mul(horizon).Div(decimal.FromInt(30))
		return ownMinimum(g, x).Decimal().Max(pace)
	}
	taken, brought := map[place]decimal.Decimal{}, map[place]decimal.Decimal{}
	pairs := map[[2]string]bool{}
	for _, d := range p.Documents {
		if d.Kind != tool.Transfer || d.Store.ID == d.Target.ID || pairs[[2]string{d.Store.ID, d.Target.ID}] {
			t.Errorf("%s: a transfer to itself or a duplicate pair", d.Title)
		}
		pairs[[2]string{d.Store.ID, d.Target.ID}] = true
		for _, l := range d.Lines {
			g := goodOf(t, s, l.Product)
			from, to := place{g.ID, company.ID(d.Store.ID)}, place{g.ID, company.ID(d.Target.ID)}
			taken[from], brought[to] = taken[from].Add(l.Quantity.Decimal), brought[to].Add(l.Quantity.Decimal)
			if !g.Weighed && !account.Integral(l.Quantity.Decimal) || l.Quantity.Sign() <= 0 {
				t.Errorf("%s: quantity %s", g.Name, l.Quantity)
			}
			wantEqual(t, g.Name+" stock seen", l.Seen.Stock.Decimal, b[from].stock.Decimal())
			wantEqual(t, g.Name+" reserve seen", l.Seen.Reserve.Decimal, b[from].reserve.Decimal())
			wantEqual(t, g.Name+" minimum seen", l.Seen.Minimum.Decimal, ownMinimum(g, stores[d.Store.ID]).Decimal())
		}
	}
	for w, amount := range taken {
		g, _ := s.company.Good(w.good)
		left := b[w].free().Decimal().Sub(amount)
		if need := keep(g, stores[string(w.store)]); left.Less(need) {
			t.Errorf("%s: %s keeps %s but needs %s", g.Name, stores[string(w.store)].Name, left, need)
		}
		if _, both := brought[w]; both {
			t.Errorf("%s both sends and receives %s", stores[string(w.store)].Name, g.Name)
		}
	}
	for w, amount := range brought {
		g, _ := s.company.Good(w.good)
		lacks := keep(g, stores[string(w.store)]).Sub((b[w].free() + b[w].transit).Decimal())
		if lacks = lacks.Ceil(3); !g.Weighed {
			lacks = lacks.Ceil(0)
		}
		if lacks.Less(amount) {
			t.Errorf("%s: %s lacks %s but receives %s", g.Name, stores[string(w.store)].Name, lacks, amount)
		}
	}
}

func TestTransfersUseTheNamedWarehouses(t *testing.T) {
	s := openShop(t, sandbox.Options{Company: company.Options{Seed: 5, Products: 250, Days: 60}})
	a := s.owner(t)
	stores := activeStores(s)
	p := mustPropose(t, s, a, transfers, map[string]any{"stores": []string{stores[1].Name},
		"from_stores": []string{stores[0].Name}})
	if len(p.Documents) != 1 || p.Documents[0].Store.ID != string(stores[0].ID) ||
		p.Documents[0].Target.ID != string(stores[1].ID) {
		t.Fatalf("%d documents: %+v", len(p.Documents), p.Documents)
	}
	checkTransfers(t, s, p, decimal.FromInt(14))
	wantFieldError(t, a, transfers, map[string]any{"stores": []string{stores[1].Name},
		"from_stores": []string{stores[1].Name}}, "from_stores")
}

func TestUncoveredDeficitsAreListed(t *testing.T) {
	s := openShop(t, sandbox.Options{Company: company.Options{Seed: 5, Products: 60, Days: 60}})
	p := mustPropose(t, s, s.owner(t), transfers, `{"mode":"below_minimum"}`)
	served := map[place]decimal.Decimal{}
	for _, d := range p.Documents {
		for _, l := range d.Lines {
			served[place{company.ID(l.Product.ID), company.ID(d.Target.ID)}] = l.Quantity.Decimal
		}
	}
	b, named := stockFromDocuments(s.company), 0
	for w, minimum := range minimums(s.company) {
		missing := (minimum - b[w].free() - b[w].transit).Decimal()
		if g, _ := s.company.Good(w.good); w.store != "" && served[w].Less(missing) {
			named++
			if !strings.Contains(noticeOf(p, tool.NoticePartial), g.Name) {
				t.Errorf("%s is still short but not mentioned in %v", g.Name, p.Notices)
			}
		}
	}
	if named == 0 {
		t.Error("the fixture has no uncovered deficit")
	}
}

func TestWithoutASalesRateOnlyStockAboveTheMinimumIsMoved(t *testing.T) {
	s := openShop(t, sandbox.Options{Company: company.Options{Seed: 5, Products: 250, Days: 60}})
	p := mustPropose(t, s, s.as(t, s.info.Tokens.Sales), transfers, `{}`)
	for _, d := range p.Documents {
		for _, l := range d.Lines {
			if !l.Seen.Minimum.Known || l.Seen.Daily.Known {
				t.Errorf("%s: %+v", l.Product.Name, l.Seen)
			}
		}
	}
	if !strings.Contains(noticeOf(p, tool.NoticeRightMissing), account.SectionProfit.RU) {
		t.Errorf("notices %v", p.Notices)
	}
}

// execute creates the documents of a proposal in the sandbox.
func execute(t *testing.T, s *shop, p *tool.Proposal) {
	t.Helper()
	store := func(r *tool.Ref) *company.Store {
		for _, x := range s.company.Catalogue().Stores {
			if r != nil && string(x.ID) == r.ID {
				return x
			}
		}
		return nil
	}
	for _, d := range p.Documents {
		n := company.NewDocument{Store: store(d.Store), Target: store(d.Target)}
		for _, x := range s.company.Catalogue().Organizations {
			if string(x.ID) == d.Organization.ID {
				n.Organization = x
			}
		}
		for _, l := range d.Lines {
			line := company.Position{Good: goodOf(t, s, l.Product),
				Quantity: company.Quantity(l.Quantity.Mul(decimal.FromInt(int64(company.Units(1)))).Float64())}
			if d.Kind == tool.SupplierOrder {
				line.InTransit = line.Quantity
			}
			n.Positions = append(n.Positions, line)
		}
		typ := company.MoveDoc
		if d.Kind == tool.SupplierOrder {
			typ = company.PurchaseOrderDoc
			for _, x := range s.company.Catalogue().Counterparties {
				if string(x.ID) == d.Supplier.ID {
					n.Agent = x
				}
			}
		}
		if _, err := s.company.Add(typ, n); err != nil {
			t.Fatalf("%s: %v", d.Title, err)
		}
	}
}

// shortPlaces returns the shortages of each warehouse on its own, as the shortages tool reports them.
func shortPlaces(t *testing.T, s *shop) map[place]bool {
	t.Helper()
	var names []string
	for _, x := range activeStores(s) {
		names = append(names, `"`+string(x.ID)+`"`)
	}
	list := map[place]bool{}
	for w := range rowsByPlace(t, callTool(t, s.owner(t), "moysklad_shortages", `{"stores":[`+strings.Join(names, ",")+
		`]}`)) {
		list[w] = true
	}
	return list
}

func TestTransfersCreateNoNewShortage(t *testing.T) {
	s := openShop(t, sandbox.Options{Company: company.Options{Seed: 5, Products: 250, Days: 60}})
	before := shortPlaces(t, s)
	p := mustPropose(t, s, s.owner(t), transfers, `{}`)
	execute(t, s, p)
	after := shortPlaces(t, s)
	for w := range after {
		if g, _ := s.company.Good(w.good); !before[w] {
			t.Errorf("%s is now short in %s", g.Name, w.store)
		}
	}
	if len(after) >= len(before) {
		t.Errorf("%d shortages before, %d after", len(before), len(after))
	}
	if p = mustPropose(t, s, s.owner(t), transfers, `{}`); len(p.Documents) > 0 {
		t.Errorf("a second proposal has documents: %+v", p.Documents)
	}
}

func TestOrderedGoodsAreNotOrderedAgain(t *testing.T) {
	s := openShop(t, sandbox.Options{Company: company.Options{Seed: 5, Products: 250, Days: 60}})
	p := mustPropose(t, s, s.owner(t), orders, `{}`)
	if len(p.Documents) == 0 {
		t.Fatal("the first proposal is empty")
	}
	execute(t, s, p)
	if p = mustPropose(t, s, s.owner(t), orders, `{}`); len(p.Documents) > 0 {
		t.Errorf("ordered again: %s, %+v", p.Answer, p.Documents)
	}
}

func TestTransfersUseTheUsualLegalEntity(t *testing.T) {
	s := openShop(t, sandbox.Options{Company: company.Options{Seed: 5, Products: 250, Days: 60}})
	made := map[string]int{}
	for _, m := range s.company.Documents(company.MoveDoc) {
		if m.Applicable {
			made[string(m.Organization.ID)]++
		}
	}
	d := mustPropose(t, s, s.owner(t), transfers, `{}`).Documents[0]
	for id, n := range made {
		if n > made[d.Organization.ID] {
			t.Errorf("%d transfers exist for %s, but %d for the chosen %s", n, id, made[d.Organization.ID],
				d.Organization.Name)
		}
	}
	other := s.company.Catalogue().Organizations[1]
	if d = mustPropose(t, s, s.owner(t), transfers,
		map[string]any{"organization": other.Name}).Documents[0]; d.Organization.ID != string(other.ID) {
		t.Errorf("the document is for %s", d.Organization.Name)
	}
}
