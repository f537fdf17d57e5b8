package moysklad

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/sandbox"
	"github.com/stockhand/stockhand/internal/sandbox/company"
	"github.com/stockhand/stockhand/internal/tool"
)

const someResult = stockhand.ResultID("res_01kahx3e6v8qz5s0m4w7n2c9rt")

// proposeFrom runs a propose tool that can read one stored result.
func proposeFrom(a opened, r *tool.Result, name string, arguments any) (*tool.Proposal, error) {
	in, err := json.Marshal(arguments)
	if err != nil {
		return nil, err
	}
	env := tool.Env{Now: noon, Result: func(_ context.Context, id stockhand.ResultID) (tool.Table, error) {
		if id != someResult {
			return tool.Table{}, stockhand.Errorf(stockhand.CodeNotFound, "no such result")
		}
		return r.InPages(), nil
	}}
	for _, tl := range a.Tools() {
		if tl.Name == name {
			return tl.Propose(context.Background(), env, in)
		}
	}
	panic("no tool " + name)
}

func goodsIn(p *tool.Proposal) []string {
	var ids []string
	for _, d := range p.Documents {
		for _, l := range d.Lines {
			ids = append(ids, l.Product.ID)
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

func TestPricesOfTheRowsOfAResultAndOfAQuery(t *testing.T) { // rule R262
	s := openShop(t, sandbox.Options{})
	a := s.owner(t)
	query := map[string]any{"measures": []string{"revenue"}, "by": []string{"product"}, "limit": 6}
	in, _ := json.Marshal(query)
	table := callTool(t, a, "moysklad_analyze", string(in))
	var ids []string
	for i := range table.Rows {
		id := table.Row(i)["product_id"].Text()
		if g, ok := s.company.Good(company.ID(id)); ok && g.Kind == company.Product {
			ids = append(ids, id)
		}
	}
	if len(ids) < 4 {
		t.Fatalf("goods %v", ids)
	}
	propose := func(of map[string]any) []string {
		t.Helper()
		p, err := proposeFrom(a, table, prices, map[string]any{"percent": 5, "rows_of": of})
		if err != nil {
			t.Fatal(err)
		}
		if of["result"] != nil && !strings.Contains(fmt.Sprint(p.Notices), "прочитаны заново") {
			t.Error("the answer does not say when the table was read")
		}
		for _, d := range p.Documents {
			for _, l := range d.Lines {
				g := goodOf(t, s, l.Product)
				old := g.SalePrice(s.company.Catalogue().PriceTypes[0]).Value.Decimal().Major()
				wantEqual(t, l.Product.Name, l.OldPrice.Decimal, old)
			}
		}
		var products []string
		for _, id := range goodsIn(p) {
			g, _ := s.company.Good(company.ID(id))
			products = append(products, string(g.Root().ID))
		}
		slices.Sort(products)
		return slices.Compact(products)
	}
	sorted := func(list ...string) []string { slices.Sort(list); return list }
	for _, c := range []struct {
		of   map[string]any
		want []string
	}{
		{map[string]any{"result": someResult}, sorted(slices.Clone(ids)...)},
		{map[string]any{"query": query}, sorted(slices.Clone(ids)...)},
		{map[string]any{"result": someResult, "rows": []string{ids[0], ids[2]}}, sorted(ids[0], ids[2])},
		{map[string]any{"result": someResult, "except": []string{ids[1]}},
			sorted(slices.DeleteFunc(slices.Clone(ids), func(x string) bool { return x == ids[1] })...)},
	} {
		if got := propose(c.of); !slices.Equal(got, c.want) {
			t.Errorf("%v: goods %v, want %v", c.of, got, c.want)
		}
	}
	p, err := proposeFrom(a, table, prices, map[string]any{"percent": 5, "products": []string{ids[1]}, // rule R812
		"rows_of": map[string]any{"result": someResult}})
	if err != nil || len(p.Documents) != 1 || !strings.Contains(p.Answer, "товары из таблицы, только ") {
		t.Errorf("rows of one product: %v, %+v", err, p)
	}
}

func TestTheRowsOfAnotherAccountAreRefused(t *testing.T) { // rules R4, R262
	s := openShop(t, sandbox.Options{})
	a := s.owner(t)
	table := callTool(t, a, "moysklad_stock", `{}`)
	wrong := func(of map[string]any) {
		t.Helper()
		p, err := proposeFrom(a, table, prices, map[string]any{"percent": 5, "rows_of": of})
		if stockhand.CodeOf(err) != stockhand.CodeValidation {
			t.Errorf("%v: %+v, %v", of, p, err)
		}
	}
	for _, of := range []map[string]any{{}, {"result": someResult, "query": map[string]any{}},
		{"result": someResult, "rows": []string{"100000"}}, {"result": someResult, "except": []string{"Чай"}},
		{"query": map[string]any{"by": []string{"store"}}}, {"query": map[string]any{"by": []string{"nothing"}}}} {
		wrong(of)
	}
	none := map[string]any{"query": map[string]any{"by": []string{"product"}, "from": "2010-01-01", "to": "2010-01-02"}}
	if p, err := proposeFrom(a, table, prices, map[string]any{"percent": 5, "rows_of": none}); err != nil ||
		len(p.Documents) != 0 || !strings.Contains(p.Answer, "подходящих товаров нет") {
		t.Errorf("a query without rows: %+v, %v", p, err)
	}
	if _, err := proposeFrom(a, table, prices, map[string]any{"percent": 5,
		"rows_of": map[string]any{"result": "res_01kahx3e6v8qz5s0m4w7n2c9rv"}}); stockhand.CodeOf(err) !=
		stockhand.CodeNotFound {
		t.Error(err)
	}
	table.Provenance.Employee = "someone else"
	wrong(map[string]any{"result": someResult})
	table.Provenance.Employee, table.Provenance.Account = a.Who.Employee, "another"
	wrong(map[string]any{"result": someResult})
}

func TestOrdersAndTransfersOfRowsTakeTheirQuantities(t *testing.T) { // rule R262
	s := openShop(t, sandbox.Options{})
	a := s.owner(t)
	from, to := activeStores(s)[0], activeStores(s)[1]
	goods := ample(t, s, from, 3)
	var names []string
	for _, g := range goods {
		names = append(names, string(g.ID))
	}
	in, _ := json.Marshal(map[string]any{"products": names})
	table := callTool(t, a, "moysklad_stock", string(in))
	p, err := proposeFrom(a, table, transfers, map[string]any{"from_stores": []string{from.Name},
		"stores": []string{to.Name}, "rows_of": map[string]any{"result": someResult, "quantity": 2}})
	if err != nil || len(p.Documents) != 1 || len(p.Documents[0].Lines) != 3 {
		t.Fatalf("%+v, %v", p, err)
	}
	for _, l := range p.Documents[0].Lines {
		wantEqual(t, l.Product.Name, l.Quantity.Decimal, decimal.FromInt(2))
	}
	p, err = proposeFrom(a, table, orders, map[string]any{"store": to.Name,
		"rows_of": map[string]any{"result": someResult, "column": "stock", "rows": []string{"1", "2"}}})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]decimal.Decimal{}
	for i := range 2 {
		n, _ := table.Row(i)["stock"].Decimal()
		want[table.Row(i)["id"].Text()] = n
	}
	for _, d := range p.Documents {
		for _, l := range d.Lines {
			if l.Quantity.Less(want[l.Product.ID]) || want[l.Product.ID].IsZero() { // rounded up to packs
				t.Errorf("%s: %s, want %s", l.Product.Name, l.Quantity, want[l.Product.ID])
			}
		}
	}
	if got := goodsIn(p); len(got) != 2 {
		t.Errorf("goods %v", got)
	}
	for _, c := range []map[string]any{{"result": someResult, "column": "nothing"},
		{"result": someResult, "column": "cost_sum"}} { // money
		if _, err := proposeFrom(a, table, orders, map[string]any{"store": to.Name, "rows_of": c}); stockhand.CodeOf(
			err) != stockhand.CodeValidation {
			t.Errorf("%v: %v", c, err)
		}
	}
}

func TestRowsDoNotDetachVariantsFromTheirProducts(t *testing.T) { // facts M54, rule R262
	s := openShop(t, sandbox.Options{})
	g := find(t, s, "a variant that shows its product's prices", func(g *company.Good) bool {
		return g.Kind == company.Variant && !g.IsArchived() && len(g.Prices().Sale) == 0
	})
	table := &tool.Result{Columns: []tool.Column{{Name: "id", Unit: tool.UnitText}},
		Rows: tool.Rows{{tool.TextValue(string(g.ID))}}}
	a := s.owner(t)
	table.Provenance = callTool(t, a, "moysklad_analyze", `{"measures":["revenue"]}`).Provenance
	p, err := proposeFrom(a, table, prices,
		map[string]any{"percent": 5, "rows_of": map[string]any{"result": someResult}})
	if err != nil || len(p.Documents) != 0 {
		t.Errorf("a variant without a price of its own gets one: %+v, %v", p, err)
	}
}

func TestAProposalReadsAgainWhatTheRunHasRead(t *testing.T) { // rule R231
	s := openShop(t, sandbox.Options{})
	a := s.owner(t)
	priceType := s.company.Catalogue().PriceTypes[0]
	g := find(t, s, "a product with a price", func(g *company.Good) bool {
		return g.Kind == company.Product && !g.IsArchived() && g.SalePrice(priceType).Value > 0 && len(g.Variants) == 0
	})
	memo := tool.NewMemo()
	old := func() decimal.Decimal {
		t.Helper()
		for _, tl := range a.Tools() {
			if tl.Name == prices {
				p, err := tl.Propose(t.Context(), tool.Env{Now: noon, Memo: memo},
					json.RawMessage(`{"percent":5,"products":["`+string(g.ID)+`"]}`))
				if err != nil {
					t.Fatal(err)
				}
				return p.Documents[0].Lines[0].OldPrice.Decimal
			}
		}
		panic("no tool")
	}
	before := old()
	sale := company.Price{Value: g.SalePrice(priceType).Value * 2, Currency: g.SalePrice(priceType).Currency}
	if err := s.company.SetPrices(g.ID, company.NewPrices{Sale: map[*company.PriceType]company.Price{
		priceType: sale}}); err != nil {
		t.Fatal(err)
	}
	wantEqual(t, "the old price", old(), before.Mul(decimal.FromInt(2)))
}

func TestAnOrderSaysWhichRowsAreNotShort(t *testing.T) { // rule R863
	s := openShop(t, sandbox.Options{})
	a := s.owner(t)
	table := callTool(t, a, "moysklad_stock", `{"only":"zero"}`)
	p, err := proposeFrom(a, table, orders, map[string]any{"rows_of": map[string]any{"result": someResult}})
	if err != nil {
		t.Fatal(err)
	}
	ordered, said := len(goodsIn(p)), fmt.Sprint(p.Notices)
	want := fmt.Sprintf("Товаров в списке: %d, не вошли: %d ", len(table.Rows), len(table.Rows)-ordered)
	if ordered == 0 || ordered == len(table.Rows) || !strings.Contains(said, want) {
		t.Errorf("%d goods of %d are ordered; it says %s, want %q", ordered, len(table.Rows), said, want)
	}
}
