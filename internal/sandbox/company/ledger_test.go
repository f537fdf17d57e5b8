package company

import (
	"math/big"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// ledgerBuilder collects documents of one good in two stores and builds a ledger from them.
type ledgerBuilder struct {
	docs        []*Document
	first, next *Store
	tea         *Good
}

func newLedgerBuilder() *ledgerBuilder {
	return &ledgerBuilder{first: &Store{ID: "first", Index: 0}, next: &Store{ID: "next", Index: 1},
		tea: &Good{Kind: Product, ID: "tea"}}
}

func (b *ledgerBuilder) add(t DocumentType, day int, units int, price int64) *Document {
	d := &Document{
		Type: t, Moment: time.Date(2026, 3, 1+day, 12, 0, 0, 0, Moscow), Applicable: true, Store: b.first,
		serial:    len(b.docs),
		Positions: []Position{{Good: b.tea, Quantity: Units(units), Price: Kopecks(price)}},
	}
	d.Created = d.Moment
	if t == MoveDoc {
		d.Target = b.next
	}
	b.docs = append(b.docs, d)
	return d
}

func (b *ledgerBuilder) ledger() *ledger { return newLedger(1, 2, b.docs) }

func (l *ledger) costOf(d *Document) Money { return -l.costs[d.serial][0] }

func TestTheOldestGoodsGoFirst(t *testing.T) {
	b := newLedgerBuilder()
	b.add(SupplyDoc, 0, 10, 100)
	b.add(SupplyDoc, 1, 10, 200)
	sale := b.add(DemandDoc, 2, 15, 500)
	l := b.ledger()
	if got, want := l.costOf(sale), Kopecks(10*100+5*200); got != want {
		t.Errorf("cost of the sale = %v, want %v", got, want)
	}
	if c := l.columns[1]; c.stock != Units(5) || c.cost != Kopecks(1000) {
		t.Errorf("left %v worth %v, want 5 worth 1000", c.stock, c.cost)
	}
}

func TestGoodsSoldBeforeTheyArriveGetTheirCostOnArrival(t *testing.T) {
	b := newLedgerBuilder()
	sale := b.add(DemandDoc, 0, 4, 500)
	if l := b.ledger(); l.costOf(sale) != 0 || l.columns[1].stock != Units(-4) || l.columns[1].cost != 0 {
		t.Errorf("before: cost %v, stock %v worth %v", l.costOf(sale), l.columns[1].stock, l.columns[1].cost)
	}
	b.add(SupplyDoc, 5, 10, 100)
	if l := b.ledger(); l.costOf(sale) != Kopecks(400) || l.columns[1].stock != Units(6) ||
		l.columns[1].cost != Kopecks(600) {
		t.Errorf("after: cost %v, stock %v worth %v", l.costOf(sale), l.columns[1].stock, l.columns[1].cost)
	}
}

func TestAMoveKeepsCostAndAge(t *testing.T) {
	b := newLedgerBuilder()
	arrival := b.add(SupplyDoc, 0, 10, 100)
	b.add(MoveDoc, 20, 4, 999)
	l := b.ledger()
	there := l.columns[2]
	if there.stock != Units(4) || there.cost != Kopecks(400) {
		t.Errorf("moved %v worth %v, want 4 worth 400", there.stock, there.cost)
	}
	if want := minuteOf(arrival) * int64(Units(4)); there.arrived != want {
		t.Errorf("arrived %d, want %d: a move must keep the age of goods", there.arrived, want)
	}
}

func TestReturnedGoodsKeepTheirCost(t *testing.T) {
	b := newLedgerBuilder()
	b.add(SupplyDoc, 0, 3, 100)
	b.add(SupplyDoc, 1, 3, 200)
	sale := b.add(DemandDoc, 2, 6, 500)
	back := b.add(SalesReturnDoc, 3, 2, 500)
	back.Base = sale
	l := b.ledger()
	if got, want := l.costs[back.serial][0], Kopecks(300); got != want { // 900 ÷ 6 × 2
		t.Errorf("cost of the return = %v, want %v", got, want)
	}
}

func TestAReturnWithoutASaleUsesTheEnteredCost(t *testing.T) {
	b := newLedgerBuilder()
	back := b.add(SalesReturnDoc, 3, 2, 500)
	back.Positions[0].Cost = Kopecks(70)
	if l := b.ledger(); l.costs[back.serial][0] != Kopecks(70) || l.columns[1].cost != Kopecks(70) {
		t.Errorf("cost = %v, in stock %v, want 70", l.costs[back.serial][0], l.columns[1].cost)
	}
}

func TestForeignMoneyIsConvertedToTheAccountCurrency(t *testing.T) {
	b := newLedgerBuilder()
	b.add(SupplyDoc, 0, 2, 100).Rate = 925000
	if l := b.ledger(); l.columns[1].cost != Kopecks(18500) {
		t.Errorf("cost = %v, want 18500", l.columns[1].cost)
	}
}

func TestADraftChangesNothing(t *testing.T) {
	b := newLedgerBuilder()
	b.add(SupplyDoc, 0, 2, 100).Applicable = false
	order := b.add(PurchaseOrderDoc, 0, 2, 100)
	order.Applicable, order.Positions[0].InTransit = false, Units(2)
	if l := b.ledger(); l.columns[1] != (column{}) {
		t.Errorf("column = %+v", l.columns[1])
	}
}

func TestABundleWritesOffItsParts(t *testing.T) {
	b := newLedgerBuilder()
	b.add(SupplyDoc, 0, 10, 100)
	set := &Good{Kind: Bundle, ID: "set", Index: 1, Components: []Component{{Good: b.tea, Quantity: Units(3)}}}
	sale := b.add(DemandDoc, 1, 2, 1000)
	sale.Positions[0].Good = set
	if l := newLedger(2, 2, b.docs); l.costOf(sale) != Kopecks(600) || l.columns[1].stock != Units(4) {
		t.Errorf("cost %v, left %v, want 600 and 4", l.costOf(sale), l.columns[1].stock)
	}
}

// After any sequence of documents, entries add up to the stock: no step creates or loses goods or money.
func TestEntriesAddUpToTheStock(t *testing.T) {
	types := []DocumentType{SupplyDoc, EnterDoc, DemandDoc, LossDoc, MoveDoc, SalesReturnDoc}
	rapid.Check(t, func(t *rapid.T) {
		b := newLedgerBuilder()
		for day := range rapid.IntRange(1, 25).Draw(t, "documents") {
			d := b.add(rapid.SampledFrom(types).Draw(t, "type"), day, 0, rapid.Int64Range(0, 10_000).Draw(t, "price"))
			d.Positions[0].Quantity = Quantity(rapid.Int64Range(1, 50*scale).Draw(t, "quantity"))
			if d.Type != MoveDoc && rapid.Bool().Draw(t, "other store") {
				d.Store = b.next
			}
		}
		l := b.ledger()
		for store := 1; store <= 2; store++ {
			var qty Quantity
			var cost Money
			for _, e := range l.entries[0] {
				if int(e.store) == store {
					qty, cost = qty+e.qty, cost+e.cost
				}
			}
			c := l.columns[store]
			if c.stock != qty {
				t.Fatalf("stock %v, entries add up to %v", c.stock, qty)
			}
			if c.cost != cost || c.cost < 0 {
				t.Fatalf("cost %v, entries add up to %v", c.cost, cost)
			}
			if c.stock > 0 && c.hand != c.stock || c.stock <= 0 && c.hand != 0 {
				t.Fatalf("stock %v, lots add up to %v", c.stock, c.hand)
			}
		}
	})
}

func TestMulDivIsExactAndRoundsHalfAwayFromZero(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := rapid.Int64Range(-1e15, 1e15).Draw(t, "a")
		b := rapid.Int64Range(-1e12, 1e12).Draw(t, "b")
		c := rapid.Int64Range(1e9, 1e15).Draw(t, "c")
		twice := new(big.Int).Mul(big.NewInt(a), big.NewInt(b))
		sign := int64(twice.Sign())
		twice.Abs(twice).Lsh(twice, 1).Add(twice, big.NewInt(c)).Div(twice, big.NewInt(2*c))
		if got, want := mulDiv(a, b, c), sign*twice.Int64(); got != want {
			t.Fatalf("%d × %d ÷ %d = %d, want %d", a, b, c, got, want)
		}
	})
}

func TestALineIsRoundedToTheMinorUnitOnce(t *testing.T) {
	p := Position{Quantity: 3333, Price: Kopecks(1001), Discount: 15} // 0.3333 × 1001 × 0.85 = 283.588…
	if got := p.Sum(); got != Kopecks(284) {
		t.Errorf("sum = %v, want 284", got)
	}
}
