package moysklad

import (
	"strings"
	"testing"

	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/sandbox"
)

// A bundle has no stock of its own: what is asked is how many can be assembled.
func TestTheStockOfABundleIsHowManyCanBeAssembled(t *testing.T) { // rule R266
	s := openShop(t, sandbox.Options{})
	a := s.owner(t)
	tried := 0
	for _, good := range s.company.Catalogue().Goods {
		if len(good.Components) == 0 || good.Archived || tried == 5 {
			continue
		}
		tried++
		least, first := decimal.Decimal{}, true
		for _, part := range good.Components {
			r := callTool(t, a, "moysklad_stock", `{"products":["`+string(part.Good.ID)+`"]}`)
			free := decimal.Zero
			if len(r.Rows) > 0 {
				free = number(t, r, r.Rows[0], "free")
			}
			n := decimal.FromInt(int64(free.Max(decimal.Zero).Div(part.Quantity.Decimal()).Float64()))
			if first || n.Less(least) {
				least, first = n, false
			}
		}
		r := callTool(t, a, "moysklad_stock", `{"products":["`+string(good.ID)+`"]}`)
		if got := number(t, r, r.Rows[0], "makes"); got.Cmp(least) != 0 || strings.Contains(r.Answer, "нет") {
			t.Errorf("%s: %s, want %s: %s", good.Name, got, least, r.Answer)
		}
	}
	if tried == 0 {
		t.Error("the shop has no bundles")
	}
}
