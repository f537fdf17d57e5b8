package moysklad

import (
	"slices"
	"testing"

	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/sandbox"
	"github.com/stockhand/stockhand/internal/tool"
)

// What one store has and another one lacks is worked out from the stock by store, which has no conditions.
func TestGoodsAreChosenByTheirStockInAnotherStore(t *testing.T) { // rule R1071
	s := openShop(t, sandbox.Options{})
	a := s.owner(t)
	all := callTool(t, a, "moysklad_analyze", `{"measures":["stock"],"by":["product","store"]}`)
	at := map[string]map[string]decimal.Decimal{} // by store and product
	for _, r := range all.Rows {
		store, good := cell(t, all, r, "store_id").Text(), cell(t, all, r, "product_id").Text()
		if at[store] == nil {
			at[store] = map[string]decimal.Decimal{}
		}
		n, _ := cell(t, all, r, "stock").Decimal()
		at[store][good] = n
	}
	var stores []string
	for id := range at {
		if id == "" { // the total of goods in no store
			continue
		}
		stores = append(stores, id)
	}
	slices.Sort(stores)
	if len(stores) < 2 {
		t.Fatal("one store is not enough")
	}
	here, there := stores[0], stores[1]
	for _, c := range []struct {
		where string
		fits  func(n decimal.Decimal) bool
	}{
		{`"op":"<=","values":[0]`, func(n decimal.Decimal) bool { return n.Sign() <= 0 }},
		{`"op":"<","values":[5]`, func(n decimal.Decimal) bool { return n.Less(decimal.FromInt(5)) }},
		{`"op":">","values":[0]`, func(n decimal.Decimal) bool { return n.Sign() > 0 }},
	} {
		got := callTool(t, a, "moysklad_analyze", `{"measures":["stock"],"by":["product"],"where":[`+
			`{"field":"store","op":"in","values":["`+here+`"]},{"field":"stock","op":">","values":[0]},`+
			`{"field":"stock","at":"`+there+`",`+c.where+`}]}`)
		want := 0
		for good, n := range at[here] {
			if n.Sign() > 0 && c.fits(at[there][good]) {
				want++
			}
		}
		if len(got.Rows) != want || want == 0 {
			t.Errorf("%s: %d rows, want %d", c.where, len(got.Rows), want)
		}
		for _, r := range got.Rows {
			if good := cell(t, got, r, "product_id").Text(); !c.fits(at[there][good]) || at[here][good].Sign() <= 0 {
				t.Errorf("%s: %s does not fit", c.where, good)
			}
		}
	}
}

// A condition on a store is of a measure that stores have, and of rows of something else.
func TestConditionsInStoresAreChecked(t *testing.T) { // rule R1071
	s := openShop(t, sandbox.Options{})
	a := s.owner(t)
	for _, in := range []string{
		`{"measures":["stock"],"by":["store"],"where":[{"field":"stock","at":"x","op":">","values":[0]}]}`,
		`{"measures":["stock"],"by":["product"],"where":[{"field":"group","at":"x","op":"in","values":["y"]}]}`,
		`{"measures":["owed_to_us"],"by":["counterparty"],"where":[{"field":"owed_to_us","at":"x","op":">","values":[0]}]}`,
		`{"measures":["stock"],"by":["product"],"where":[{"field":"stock","at":"no such store","op":">","values":[0]}]}`,
	} {
		if _, err := tryTool(a, "moysklad_analyze", in, tool.Env{Now: noon}); err == nil {
			t.Errorf("%s is accepted", in)
		}
	}
}
