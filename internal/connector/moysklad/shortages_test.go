package moysklad

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/sandbox"
	"github.com/stockhand/stockhand/internal/sandbox/company"
	"github.com/stockhand/stockhand/internal/tool"
)

// minimums returns what is below its minimum, from product cards and documents. The store is empty for a total minimum.
func minimums(c *company.Company) map[place]company.Quantity {
	b, all := stockFromDocuments(c), sumStores(stockFromDocuments(c))
	below := map[place]company.Quantity{}
	check := func(w place, h balance, minimum company.Quantity) {
		if minimum > 0 && (h.stock < minimum || h.free() < minimum) {
			below[w] = minimum
		}
	}
	for _, g := range c.Catalogue().Goods {
		if g.Minimum == nil || g.IsArchived() || len(g.Variants) > 0 {
			continue
		}
		switch g.Minimum.Type {
		case company.MinimumSum:
			check(place{g.ID, ""}, all[g.ID], g.Minimum.Quantity)
		case company.MinimumSame:
			for _, s := range c.Catalogue().Stores {
				if !s.Archived {
					check(place{g.ID, s.ID}, b[place{g.ID, s.ID}], g.Minimum.Quantity)
				}
			}
		case company.MinimumVaried:
			for _, m := range g.Minimum.Stores {
				check(place{g.ID, m.Store.ID}, b[place{g.ID, m.Store.ID}], m.Quantity)
			}
		}
	}
	return below
}

// packOf returns the pack to which an order is rounded up.
func packOf(g *company.Good) decimal.Decimal {
	for _, packs := range [][]company.Pack{g.Packs, g.Root().Packs} {
		if len(packs) > 0 {
			return packs[0].Quantity.Decimal()
		}
	}
	return decimal.One
}

func TestOrdersAreInWholePacks(t *testing.T) {
	s := openShop(t, sandbox.Options{Company: company.Options{Seed: 7, Products: 300, Days: 60}})
	r := callTool(t, s.owner(t), "moysklad_shortages", `{"days":60}`)
	packed := 0
	for _, row := range r.Rows {
		g, _ := s.company.Good(company.ID(cell(t, r, row, "id").Text()))
		order, pack := number(t, r, row, "to_order"), packOf(g)
		if order.Sign() > 0 && decimal.One.Less(pack) {
			packed++
			if packs := order.Div(pack); !account.Integral(packs) {
				t.Errorf("%s: %s is not a multiple of the pack of %s", g.Name, order, pack)
			}
		}
	}
	if packed == 0 {
		t.Fatal("the fixture has no shortage of goods in packs")
	}
}

func rowsByPlace(t *testing.T, r *tool.Result) map[place]tool.Row {
	t.Helper()
	rows := map[place]tool.Row{}
	for _, row := range r.Rows {
		w := place{company.ID(cell(t, r, row, "id").Text()), company.ID(cell(t, r, row, "store_id").Text())}
		if rows[w] != nil {
			t.Errorf("%v is listed twice", row)
		}
		rows[w] = row
	}
	return rows
}

func TestTheServerComparesMinimumsPerWarehouse(t *testing.T) { // fact M58
	for _, seed := range []uint64{7, 11} {
		s := openShop(t, sandbox.Options{Company: company.Options{Seed: seed, Products: 300, Days: 60}})
		r := callTool(t, s.owner(t), "moysklad_shortages", `{"mode":"below_minimum"}`)
		rows, want := rowsByPlace(t, r), minimums(s.company)
		if len(want) < 10 {
			t.Fatalf("the fixture has only %d shortages", len(want))
		}
		b, all := stockFromDocuments(s.company), sumStores(stockFromDocuments(s.company))
		for w, minimum := range want {
			g, _ := s.company.Good(w.good)
			row := rows[w]
			if row == nil {
				t.Errorf("seed %d: %s in %q is missing", seed, g.Name, w.store)
				continue
			}
			h := b[w]
			if w.store == "" {
				h = all[w.good]
			}
			wantEqual(t, g.Name+" minimum", number(t, r, row, "minimum"), minimum.Decimal())
			wantEqual(t, g.Name+" stock", number(t, r, row, "stock"), h.stock.Decimal())
			wantEqual(t, g.Name+" free", number(t, r, row, "free"), h.free().Decimal())
			missing := max(0, minimum-h.free()-h.transit).Decimal()
			if order := number(t, r, row, "to_order"); order.Less(missing) || order.Sub(missing).Cmp(packOf(g)) >= 0 {
				t.Errorf("%s: orders %s, %s are missing", g.Name, order, missing)
			}
			delete(rows, w)
		}
		for w, row := range rows {
			t.Errorf("seed %d: %v is not below its minimum: %v", seed, w, row)
		}
		filtered := 0
		for _, q := range s.Requests() {
			if query, _ := url.QueryUnescape(q.Query); strings.Contains(query, "stockMode=underMinimum") {
				filtered++
			}
		}
		if filtered == 0 {
			t.Error("no request has stockMode=underMinimum")
		}
	}
}

func TestANamedWarehouseIsComparedOnItsOwn(t *testing.T) {
	s := openShop(t, sandbox.Options{Company: company.Options{Seed: 7, Products: 300, Days: 60}})
	a := s.owner(t)
	for _, store := range s.company.Catalogue().Stores {
		if store.Archived {
			continue
		}
		inside := map[company.ID]bool{store.ID: true}
		for _, x := range s.company.Catalogue().Stores {
			if x.Parent != nil && inside[x.Parent.ID] && !x.Archived {
				inside[x.ID] = true
			}
		}
		r := callTool(t, a, "moysklad_shortages", `{"mode":"below_minimum","stores":["`+store.Name+`"]}`)
		want := 0
		for w := range minimums(s.company) {
			if inside[w.store] {
				want++
			}
		}
		if len(r.Rows) != want {
			t.Errorf("%s: %d rows, want %d", store.Name, len(r.Rows), want)
		}
	}
}

func TestDaysLeftAreFreeStockDividedByNetDailySales(t *testing.T) {
	s := openShop(t, sandbox.Options{Company: company.Options{Seed: 7, Products: 300, Days: 60}})
	r := callTool(t, s.owner(t), "moysklad_shortages",
		`{"mode":"running_out","days":20,"from":"2026-10-22","to":"2026-11-20"}`)
	rows := rowsByPlace(t, r)
	sold := map[company.ID]company.Quantity{}
	for kind, sign := range map[company.DocumentType]company.Quantity{company.DemandDoc: 1, company.RetailDemandDoc: 1,
		company.SalesReturnDoc: -1, company.RetailSalesReturnDoc: -1} {
		for _, d := range s.company.Documents(kind) {
			if day := tool.DayOf(d.Moment.In(msapi.Moscow)); d.Applicable && day >= "2026-10-22" &&
				day <= "2026-11-20" {
				for _, p := range d.Positions {
					sold[p.Good.ID] += sign * p.Quantity
					for _, part := range p.Good.Components { // a bundle consumes its components
						sold[part.Good.ID] += sign * p.Quantity * part.Quantity / company.Units(1)
					}
				}
			}
		}
	}
	all := sumStores(stockFromDocuments(s.company))
	checked := 0
	for id, q := range sold {
		g, _ := s.company.Good(id)
		h := all[id]
		short := g.Stocked() && !g.IsArchived() && q > 0 && max(0, h.free())*30 < q*20
		row := rows[place{id, ""}]
		switch {
		case short && row == nil:
			t.Errorf("%s is missing: %v, sold %s", g.Name, h, q)
		case !short && row != nil:
			t.Errorf("%s must not be listed", g.Name)
		}
		if !short || row == nil {
			continue
		}
		checked++
		pace := q.Decimal().Div(decimal.FromInt(30))
		wantEqual(t, g.Name+" a day", number(t, r, row, "sold_per_day"), pace.Round(3))
		wantEqual(t, g.Name+" cover", number(t, r, row, "days_of_cover"),
			h.free().Decimal().Max(decimal.Zero).Mul(decimal.FromInt(30)).Div(q.Decimal()).Round(1))
		need := q.Decimal().Mul(decimal.FromInt(20)).Div(decimal.FromInt(30))
		if m := cell(t, r, row, "minimum"); !m.IsEmpty() {
			d, _ := m.Decimal()
			need = need.Max(d)
		}
		need = need.Sub(h.free().Decimal()).Sub(h.transit.Decimal()).Max(decimal.Zero)
		if order := number(t, r, row, "to_order"); order.Less(need) || order.Sub(need).Cmp(packOf(g)) >= 0 {
			t.Errorf("%s: order %s, need %s", g.Name, order, need)
		}
	}
	if checked < 5 {
		t.Errorf("only %d goods were checked", checked)
	}
}

func TestNothingIsOrderedTwice(t *testing.T) {
	s := openShop(t, sandbox.Options{Company: company.Options{Seed: 7, Products: 300, Days: 60}})
	r := callTool(t, s.owner(t), "moysklad_shortages", `{"days":30}`)
	all := sumStores(stockFromDocuments(s.company))
	ordered, rows := map[company.ID]decimal.Decimal{}, rowsByPlace(t, r)
	for w, row := range rows {
		ordered[w.good] = ordered[w.good].Add(number(t, r, row, "to_order"))
	}
	for w, row := range rows {
		if w.store != "" || cell(t, r, row, "sold_per_day").IsEmpty() {
			continue
		}
		h := all[w.good]
		g, _ := s.company.Good(w.good)
		single := true // without rows by warehouse only the horizon counts
		for other := range rows {
			single = single && (other.good != w.good || other.store == "")
		}
		need := number(t, r, row, "sold_per_day").Mul(decimal.FromInt(30))
		if m := cell(t, r, row, "minimum"); !m.IsEmpty() {
			d, _ := m.Decimal()
			need = need.Max(d)
		}
		need = need.Sub(h.free().Decimal()).Sub(h.transit.Decimal())
		if single && ordered[w.good].Sub(need).Cmp(packOf(g).Add(decimal.One)) > 0 && need.Sign() > 0 {
			t.Errorf("%v: %s ordered for %s", row, ordered[w.good], need)
		}
	}
}

func TestGoodsWithoutASupplierAreListed(t *testing.T) {
	s := openShop(t, sandbox.Options{Company: company.Options{Seed: 7, Products: 300, Days: 60}})
	r := callTool(t, s.owner(t), "moysklad_shortages", `{"days":60}`)
	orphans, variants := 0, 0
	for _, row := range r.Rows {
		g, _ := s.company.Good(company.ID(cell(t, r, row, "id").Text()))
		supplier := g.Root().Supplier
		name := cell(t, r, row, "supplier").Text()
		switch {
		case supplier == nil && name != "":
			t.Errorf("%s has no supplier, but the row has %s", g.Name, name)
		case supplier == nil:
			orphans++
		case name != supplier.Name:
			t.Errorf("%s: supplier %q, want %s", g.Name, name, supplier.Name)
		}
		if g.Kind == company.Variant { // fact M72: a variant's supplier is its product's
			variants++
		}
		if g.Kind == company.Bundle || g.Kind == company.Service {
			t.Errorf("%s is a %s", g.Name, g.Kind)
		}
	}
	if orphans == 0 || variants == 0 {
		t.Fatalf("the fixture has %d goods without supplier and %d variants", orphans, variants)
	}
	wantNotice(t, r, tool.NoticeNoSupplier)
}

func TestPurchasePricesAreInMainUnitsOfTheirCurrency(t *testing.T) { // facts M31 and M52
	s := openShop(t, sandbox.Options{Company: company.Options{Seed: 7, Products: 300, Days: 60}})
	r := callTool(t, s.owner(t), "moysklad_shortages", `{"days":60}`)
	sums := map[string]decimal.Decimal{}
	for _, row := range r.Rows {
		g, _ := s.company.Good(company.ID(cell(t, r, row, "id").Text()))
		price, ok := g.BuyPrice()
		v := cell(t, r, row, "price")
		if !ok || price.Value == 0 {
			if !v.IsEmpty() {
				t.Errorf("%s has no price, but the row has %v", g.Name, v)
			}
			continue
		}
		wantEqual(t, g.Name, number(t, r, row, "price"), price.Value.Decimal().Major())
		if v.Currency() != price.Currency.ISOCode {
			t.Errorf("%s: %s, want %s", g.Name, v.Currency(), price.Currency.ISOCode)
		}
		sums[v.Currency()] = sums[v.Currency()].Add(number(t, r, row, "sum"))
	}
	if len(sums) == 1 {
		for currency, sum := range sums {
			total := cell(t, r, r.Totals, "sum")
			wantEqual(t, "total", number(t, r, r.Totals, "sum"), sum)
			if total.Currency() != currency {
				t.Errorf("total in %s", total.Currency())
			}
		}
	} else if !cell(t, r, r.Totals, "sum").IsEmpty() {
		t.Errorf("%d currencies in the sums", len(sums))
	}
}

func TestStorekeeperSeesShortagesWithoutPrices(t *testing.T) {
	s := openShop(t, sandbox.Options{Company: company.Options{Seed: 7, Products: 300, Days: 60}})
	owner, keeper := callTool(t, s.owner(t), "moysklad_shortages", `{"mode":"below_minimum"}`),
		callTool(t, s.as(t, s.info.Tokens.Storekeeper), "moysklad_shortages", `{}`)
	if !column(t, keeper, "price").Hidden || !column(t, keeper, "sum").Hidden ||
		!cell(t, keeper, keeper.Totals, "sum").IsEmpty() {
		t.Error("purchase prices are not hidden")
	}
	if !strings.Contains(wantNotice(t, keeper, tool.NoticeRightMissing), "себестоимость, цену закупки") {
		t.Error("the missing right is not mentioned")
	}
	if len(keeper.Rows) < len(owner.Rows) {
		t.Errorf("%d rows, the owner's minimums already give %d", len(keeper.Rows), len(owner.Rows))
	}
	// without access to profitability, the sales rate comes from turnover
	if !strings.Contains(keeper.Provenance.Method, "«Обороты»") {
		t.Errorf("method: %s", keeper.Provenance.Method)
	}
}

func TestMinimumsAreReportedWithoutASalesRate(t *testing.T) {
	s := openShop(t, sandbox.Options{Company: company.Options{Seed: 7, Products: 300, Days: 60}})
	a := s.as(t, s.info.Tokens.Sales) // no profitability, no turnover, no current stock
	r := callTool(t, a, "moysklad_shortages", `{}`)
	if len(r.Rows) == 0 || !strings.Contains(r.Answer, "Темп продаж не посчитан") {
		t.Errorf("%d rows: %s", len(r.Rows), r.Answer)
	}
	r = callTool(t, a, "moysklad_shortages", `{"mode":"running_out"}`)
	if len(r.Rows) != 0 || !strings.HasPrefix(r.Answer, "Ответить нельзя") {
		t.Errorf("%d rows: %s", len(r.Rows), r.Answer)
	}
}

func TestTurnoverAndProfitabilityGiveTheSameSalesRate(t *testing.T) {
	// Turnover counts sales of bundles by component, profitability by bundle. Both must give the same rate.
	s := openShop(t, sandbox.Options{Company: company.Options{Seed: 7, Products: 300, Days: 60}})
	owner, keeper := callTool(t, s.owner(t), "moysklad_shortages", `{"mode":"running_out"}`),
		callTool(t, s.as(t, s.info.Tokens.Storekeeper), "moysklad_shortages", `{"mode":"running_out"}`)
	a, b := rowsByPlace(t, owner), rowsByPlace(t, keeper)
	if len(a) != len(b) {
		t.Errorf("%d rows, %d rows", len(a), len(b))
	}
	for w, row := range a {
		if b[w] == nil {
			t.Errorf("%v is missing", row)
			continue
		}
		wantEqual(t, "pace", number(t, keeper, b[w], "sold_per_day"), number(t, owner, row, "sold_per_day"))
	}
}

// What bundles took of a good is in its rate, whether the good is named or not.
func TestTheRateOfNamedGoodsHasWhatBundlesTook(t *testing.T) {
	s := openShop(t, sandbox.Options{Company: company.Options{Seed: 7, Products: 300, Days: 60}})
	a := s.owner(t)
	all := callTool(t, a, "moysklad_shortages", `{"mode":"running_out","days":60}`)
	rows := rowsByPlace(t, all)
	var named []string
	groups, suppliers := map[company.ID]bool{}, map[company.ID]bool{}
	for _, d := range s.company.Documents(company.RetailDemandDoc) {
		for _, p := range d.Positions {
			for _, part := range p.Good.Components {
				id, root := part.Good.ID, part.Good.Root()
				if rows[place{id, ""}] == nil || slices.Contains(named, string(id)) {
					continue
				}
				named = append(named, string(id))
				if root.Folder != nil {
					groups[root.Folder.ID] = true
				}
				if root.Supplier != nil {
					suppliers[root.Supplier.ID] = true
				}
			}
		}
	}
	if len(named) == 0 || len(groups) == 0 || len(suppliers) == 0 {
		t.Fatalf("%d components of bundles run out", len(named))
	}
	closed := s.behind(t, func(path string) (string, int) {
		if strings.Contains(path, "report/turnover") {
			return `{"errors":[{"error":"no access","code":1016}]}`, http.StatusForbidden
		}
		return "", 0
	})
	for _, arguments := range []map[string]any{{"products": named}, {"groups": slices.Collect(maps.Keys(groups))},
		{"suppliers": slices.Collect(maps.Keys(suppliers))}} {
		arguments["mode"], arguments["days"] = "running_out", 60
		for _, a := range []opened{a, closed} {
			r := callTool(t, a, "moysklad_shortages", asJSON(arguments))
			got := rowsByPlace(t, r)
			if len(got) == 0 || arguments["products"] != nil && len(got) != len(named) {
				t.Errorf("%v: %d rows", arguments, len(got))
			}
			for at, row := range got {
				wantEqual(t, "rate", number(t, r, row, "sold_per_day"), number(t, all, rows[at], "sold_per_day"))
			}
		}
	}
}
