package shortage

import (
	"testing"

	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

func TestGoodsWithoutASalesRateAreSortedByTheShareTheyLack(t *testing.T) {
	w := &search{horizon: 14}
	short := func(name, free, minimum string) *Line {
		return &Line{Item: &Item{Name: name}, Minimum: decimal.Some(decimal.MustParse(minimum)),
			Level: account.Level{Stock: account.QuantityOf(decimal.MustParse(free))}}
	}
	list := []*Line{short("в", "9", "10"), short("б", "5", "100"), short("г", "0", "2"), short("а", "0", "2"),
		short("д", "-1", "2")}
	w.byUrgency(list)
	got := ""
	for _, s := range list {
		got += s.Item.Name
	}
	if got != "дагбв" {
		t.Errorf("order %s", got)
	}
}

func TestOrdersAreWholeForPiecesAndFractionsForWeight(t *testing.T) {
	for _, c := range []struct{ unit, stock, sold, want string }{
		{"шт", "0", "10", "4"},     // 10 ÷ 30 × 10 = 3.33
		{"кг", "0", "10", "3.334"}, // rounded up to cover the need
		{"", "0.5", "10", "2.834"}, // fractional stock means that it is divisible
		{"шт", "0", "20", "7"},
		{"шт", "0", "30", "10"}, // exactly ten: a rounding error must not make it eleven
		{"шт", "90", "30", "0"},
	} {
		s := &Line{reportUnit: c.unit, Item: &Item{}, Sold: decimal.Some(decimal.MustParse(c.sold)),
			Level: account.Level{Stock: account.QuantityOf(decimal.MustParse(c.stock))}}
		if got := s.toOrder(10, tool.Period{From: "2026-01-01", To: "2026-01-30"}); got.Cmp(
			decimal.MustParse(c.want)) != 0 {
			t.Errorf("%+v: %s", c, got)
		}
	}
}

func TestAGoodThatIsExpectedNotToSellDoesNotRunOut(t *testing.T) {
	for _, c := range []struct{ name, expected, free string }{{"no days to cover", "0", "-2"},
		{"a forecast of none", "0", "-1"}, {"more returns than sales", "-1", "-3"}} {
		w := &search{period: tool.Period{From: "2026-01-01", To: "2026-01-30"},
			outlook: &Outlook{Expected: func(account.StockKey, int) (decimal.Decimal, bool) {
				return decimal.MustParse(c.expected), true
			}}}
		line := &Line{Item: &Item{}, Level: account.Level{Stock: account.QuantityOf(decimal.MustParse(c.free))}}
		if w.settle(line) || line.Lasts.Known {
			t.Errorf("%s: runs out, lasts %s days", c.name, line.Lasts)
		}
	}
}
