package moysklad

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/sandbox"
	"github.com/stockhand/stockhand/internal/sandbox/company"
	"github.com/stockhand/stockhand/internal/tool"
)

// withNested returns a store and all stores nested in it.
func withNested(c *company.Company, s *company.Store) map[company.ID]bool {
	inside := map[company.ID]bool{s.ID: true}
	for _, x := range c.Catalogue().Stores { // parents come before children
		if x.Parent != nil && inside[x.Parent.ID] {
			inside[x.ID] = true
		}
	}
	return inside
}

// Fact M76: the two kinds of reports treat nested stores differently.
func TestAWarehouseIncludesNestedOnes(t *testing.T) {
	s := openShop(t, sandbox.Options{Company: company.Options{Seed: 7, Products: 200, Days: 60, Stores: 6}})
	a := s.owner(t)
	nested := false
	for _, store := range s.company.Catalogue().Stores {
		if store.Archived {
			continue
		}
		inside := withNested(s.company, store)
		nested = nested || len(inside) > 1
		var want company.Quantity
		for w, h := range stockFromDocuments(s.company) {
			if g, _ := s.company.Good(w.good); inside[w.store] && !g.IsArchived() {
				want += h.stock
			}
		}
		for _, name := range []string{"moysklad_stock", "moysklad_stock_by_store"} {
			only := map[string]string{"moysklad_stock": `,"only":"all"`}[name]
			r := callTool(t, a, name, `{"stores":["`+strings.ToLower(store.Name)+`"]`+only+`}`)
			wantEqual(t, name+" "+store.Name, sumColumn(t, r, "stock"), want.Decimal())
		}
	}
	if !nested {
		t.Fatal("the fixture has no nested warehouses")
	}
}

func TestGroupsAndSuppliersFilterEveryReport(t *testing.T) {
	s := openShop(t, sandbox.Options{})
	a := s.owner(t)
	var folder *company.Folder
	var supplier *company.Counterparty
	for _, g := range s.company.Catalogue().Goods {
		if g.Folder != nil && g.Folder.Parent != nil {
			folder = g.Folder.Parent
		}
		if g.Supplier != nil {
			supplier = g.Supplier
		}
	}
	match := map[string]func(*company.Good) bool{
		`"groups":["` + folder.Name + `"]`: func(
			g *company.Good) bool {
			return strings.HasPrefix(g.Root().Folder.Path()+"/", folder.Path()+"/")
		},
		`"suppliers":["` + string(supplier.ID) +
			`"]`: func(g *company.Good) bool { return g.Root().Supplier == supplier },
	}
	for argument, fit := range match {
		for name, more := range map[string]string{
			"moysklad_stock": "", "moysklad_stock_by_store": "", "moysklad_shortages": `,"days":90`,
			"moysklad_turnover": "," + inOctober, "moysklad_profitability": "," + inOctober,
			"moysklad_abc_xyz": "," + inOctober, "moysklad_stock_age": `,"min_days":1`,
		} {
			r := callTool(t, a, name, `{`+argument+more+`}`)
			if len(r.Rows) == 0 {
				t.Errorf("%s %s: no rows", name, argument)
			}
			for _, row := range r.Rows {
				if g, _ := s.company.Good(company.ID(cell(t, r, row, "id").Text())); !fit(g) {
					t.Errorf("%s %s: %s", name, argument, g.Name)
				}
			}
		}
	}
}

func TestSalesOfAWarehouseExcludeOthers(t *testing.T) {
	s := openShop(t, sandbox.Options{})
	a := s.owner(t)
	for _, store := range s.company.Catalogue().Stores {
		if store.Archived {
			continue
		}
		inside := withNested(s.company, store)
		var want decimal.Decimal
		for kind, sign := range map[company.DocumentType]decimal.Decimal{company.DemandDoc: decimal.One,
			company.RetailDemandDoc: decimal.One, company.SalesReturnDoc: decimal.One.Neg(),
			company.RetailSalesReturnDoc: decimal.One.Neg()} {
			for _, d := range s.company.Documents(kind) {
				if day := tool.DayOf(d.Moment.In(msapi.Moscow)); !d.Applicable || day < october.From ||
					day > october.To || d.Store == nil || !inside[d.Store.ID] {
					continue
				}
				sum := d.Sum.Decimal().Major().Mul(sign)
				if d.Rate != 0 {
					sum = sum.Mul(d.Rate.Decimal())
				}
				want = want.Add(sum)
			}
		}
		r := callTool(t, a, "moysklad_profitability", `{"stores":["`+store.Name+`"],`+inOctober+`}`)
		if want.Sign() == 0 {
			continue
		}
		if d := number(t, r, r.Totals, "revenue").Sub(want).Abs(); d.Cmp(decimal.One) > 0 {
			t.Errorf("%s: %s, want %s", store.Name, number(t, r, r.Totals, "revenue"), want)
		}
	}
}

func TestVariantsOfAProductOutsideTheNamedGroupAreNotAsked(t *testing.T) { // rule R218
	s := openShop(t, sandbox.Options{})
	a := s.owner(t)
	for _, g := range s.company.Catalogue().Goods {
		if g.Kind != company.Variant {
			continue
		}
		for _, f := range s.company.Catalogue().Folders {
			if f.Parent != nil || strings.HasPrefix(g.Root().Folder.Path(), f.Path()) {
				continue
			}
			_, err := tryTool(a, "moysklad_profitability", `{"products":["`+string(g.Root().ID)+`"],"groups":["`+
				string(f.ID)+`"]}`, tool.Env{Now: noon})
			if stockhand.CodeOf(err) != stockhand.CodeValidation {
				t.Errorf("%s in %s: %v", g.Name, f.Path(), err)
			}
			return
		}
	}
	t.Fatal("the fixture has no such good")
}

func TestVariantsOfANamedProductAreNotCounted(t *testing.T) { // rule R1158
	s := openShop(t, sandbox.Options{})
	a := s.owner(t)
	var names []string
	for _, g := range s.company.Catalogue().Goods {
		if g.Kind == company.Product && !g.Archived && (len(g.Variants) > 1 || len(names)%2 == 1) && len(names) < 4 {
			names = append(names, strconv.Quote(g.Name))
		}
	}
	if len(names) != 4 {
		t.Fatalf("the fixture has %d such products", len(names))
	}
	list := strings.Join(names, ",")
	for _, r := range []*tool.Result{
		callTool(t, a, "moysklad_stock", `{"products":[`+list+`]}`),
		callTool(t, a, "moysklad_analyze", `{"measures":["stock"],"by":["product"],"where":[{"field":"product","op":"in",`+
			`"values":[`+list+`]}]}`),
	} {
		if !strings.Contains(r.Answer, "и ещё 1") {
			t.Errorf("four products are said as %q", r.Answer)
		}
	}
}
