package moysklad

import (
	"slices"
	"strings"
	"testing"

	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/sandbox"
	"github.com/stockhand/stockhand/internal/sandbox/company"
	"github.com/stockhand/stockhand/internal/tool"
)

// ample returns goods without variants of which a warehouse has at least some free, counted in pieces.
func ample(t *testing.T, s *shop, store *company.Store, n int) []*company.Good {
	t.Helper()
	b := stockFromDocuments(s.company)
	var found []*company.Good
	for _, g := range s.company.Catalogue().Goods {
		if g.Kind == company.Product && !g.IsArchived() && !g.Weighed && len(g.Variants) == 0 && g.Article != "" &&
			len(g.Barcodes) > 0 && company.Units(3) < b[place{g.ID, store.ID}].free() {
			found = append(found, g)
		}
	}
	if len(found) < n {
		t.Fatalf("%d goods in stock", len(found))
	}
	return found[:n]
}

func TestNamedGoodsMoveInTheNamedQuantities(t *testing.T) { // rule R260
	s := openShop(t, sandbox.Options{})
	from, to := activeStores(s)[0], activeStores(s)[1]
	free := func(g *company.Good) decimal.Decimal {
		return stockFromDocuments(s.company)[place{g.ID, from.ID}].free().Decimal()
	}
	goods := ample(t, s, from, 4)
	none := find(t, s, "a good that is not there", func(g *company.Good) bool {
		return g.Kind == company.Product && len(g.Variants) == 0 && !g.Weighed && free(g).Sign() <= 0
	})
	more := free(goods[3]).Add(decimal.FromInt(5))
	p := mustPropose(t, s, s.owner(t), transfers, map[string]any{"from_stores": []string{from.Name},
		"stores": []string{string(to.ID)}, "items": []map[string]any{
			{"product": goods[0].Name, "quantity": 1}, {"product": goods[1].Article, "quantity": "2"},
			{"product": goods[2].Barcodes[0].Value, "quantity": 1}, {"product": string(goods[0].ID), "quantity": 2},
			{"product": goods[3].Code, "quantity": more}, {"product": string(none.ID), "quantity": 7},
		}})
	if len(p.Documents) != 1 || p.Documents[0].Store.ID != string(from.ID) ||
		p.Documents[0].Target.ID != string(to.ID) || p.Documents[0].Kind != tool.Transfer {
		t.Fatalf("%+v", p.Documents)
	}
	want := map[string]decimal.Decimal{string(goods[0].ID): decimal.FromInt(3), string(goods[1].ID): decimal.FromInt(2),
		string(goods[2].ID): decimal.One, string(goods[3].ID): free(goods[3])}
	for _, l := range p.Documents[0].Lines {
		wantEqual(t, l.Product.Name, l.Quantity.Decimal, want[l.Product.ID])
		delete(want, l.Product.ID)
		partly := slices.ContainsFunc(l.Flags, func(n tool.Notice) bool { return n.Code == tool.NoticePartial })
		if partly != (l.Product.ID == string(goods[3].ID)) {
			t.Errorf("%s: flags %v", l.Product.Name, l.Flags)
		}
	}
	said := noticeOf(p, tool.NoticePartial)
	if len(want) > 0 || !strings.Contains(said, goods[3].Name+"» — просили") ||
		!strings.Contains(said, none.Name+"» — просили 7, свободно") ||
		!strings.Contains(p.Answer, "Полностью — 3, частично — 1, совсем нет — 1.") {
		t.Errorf("not moved: %v\n%s\n%s", want, said, p.Answer)
	}
}

func TestAListToMoveNamesOneSourceAndOneTarget(t *testing.T) { // rule R260
	s := openShop(t, sandbox.Options{})
	a, stores := s.owner(t), activeStores(s)
	good := ample(t, s, stores[0], 1)[0]
	items := []map[string]any{{"product": good.Code, "quantity": 1}}
	from, to := []string{stores[0].Name}, []string{stores[1].Name}
	for field, arguments := range map[string]map[string]any{
		"from_stores": {"items": items, "stores": to},
		"stores":      {"items": items, "from_stores": from},
	} {
		if e := wantFieldError(t, a, transfers, arguments, field); !strings.Contains(e.Hint, stores[1].Name) {
			t.Errorf("hint %q", e.Hint)
		}
	}
	for _, wrong := range []map[string]any{
		{"items": []any{}, "from_stores": from, "stores": to},
		{"items": items, "from_stores": from, "stores": to, "mode": "all"},
		{"items": []map[string]any{{"product": good.Code, "quantity": "0.5"}}, "from_stores": from, "stores": to},
		{"items": []map[string]any{{"product": good.Code, "quantity": 0}}, "from_stores": from, "stores": to},
	} {
		wantFieldError(t, a, transfers, wrong, "items")
	}
	wantFieldError(t, a, transfers, map[string]any{"items": items, "from_stores": from, "stores": from}, "from_stores")
}
