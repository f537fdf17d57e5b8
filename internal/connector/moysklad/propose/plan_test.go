package propose

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/decimal"
	"pgregory.net/rapid"
)

func key(n int) msapi.Key { return msapi.Key{15: byte(n)} }

// drawPortions draws random deficits and surpluses. A good in a warehouse has one or the other.
func drawPortions(t *rapid.T) (deficits, surpluses []portion) {
	stores := rapid.IntRange(2, 6).Draw(t, "stores")
	goods := rapid.IntRange(1, 12).Draw(t, "goods")
	for g := range goods {
		for s := range stores {
			at := account.StockKey{Good: key(100 + g), Store: key(1 + s)}
			amount := decimal.MustParse(
				rapid.SampledFrom([]string{"0", "0", "1", "2", "3", "7", "50", "0.5", "1.25"}).Draw(t, "amount"))
			if rapid.Bool().Draw(t, "lacks") {
				deficits = append(deficits, portion{at, amount})
			} else {
				surpluses = append(surpluses, portion{at, amount})
			}
		}
	}
	return deficits, surpluses
}

func sums(portions []portion, of func(portion) any) map[any]decimal.Decimal {
	m := map[any]decimal.Decimal{}
	for _, c := range portions {
		m[of(c)] = m[of(c)].Add(c.amount)
	}
	return m
}

func TestTransfersExceedNeitherTheSurplusNorTheDeficit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		deficits, surpluses := drawPortions(t)
		at := func(c portion) any { return c.StockKey }
		lack, spare := sums(deficits, at), sums(surpluses, at)
		var sent, got []portion
		for _, h := range planTransfers(deficits, surpluses) {
			for _, l := range h.lines {
				if l.amount.Sign() <= 0 {
					t.Fatalf("a line with quantity %s", l.amount)
				}
				got = append(got, portion{account.StockKey{Good: l.Good, Store: h.target}, l.amount})
				sent = append(sent, portion{account.StockKey{Good: l.Good, Store: h.source}, l.amount})
			}
		}
		for p, amount := range sums(sent, at) {
			if spare[p].Less(amount) {
				t.Fatalf("%v sends %s of a surplus of %s", p, amount, spare[p])
			}
		}
		for p, amount := range sums(got, at) {
			if lack[p].Less(amount) {
				t.Fatalf("%v gets %s for a deficit of %s", p, amount, lack[p])
			}
		}
	})
}

func TestTransfersMoveAsMuchOfEveryProductAsPossible(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		deficits, surpluses := drawPortions(t)
		good := func(c portion) any { return c.Good }
		lack, spare := sums(deficits, good), sums(surpluses, good)
		var moved []portion
		for _, h := range planTransfers(deficits, surpluses) {
			moved = append(moved, h.lines...)
		}
		served := sums(moved, good)
		for g := range lack {
			// The maximum flow if every warehouse may send to every other.
			if want := lack[g].Min(spare[g]); served[g].Cmp(want) != 0 {
				t.Fatalf("%v: %s transferred, want %s", g, served[g], want)
			}
		}
	})
}

func TestTransfersAreFewWithOneDocumentPerPair(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		deficits, surpluses := drawPortions(t)
		hauls := planTransfers(deficits, surpluses)
		pairs := map[[2]msapi.Key]bool{}
		for _, h := range hauls {
			if h.source == h.target || pairs[[2]msapi.Key{h.source, h.target}] || len(h.lines) == 0 {
				t.Fatalf("a transfer to itself, a duplicate pair or no lines: %v", h)
			}
			pairs[[2]msapi.Key{h.source, h.target}] = true
		}
		// Every transfer exhausts a surplus or a deficit.
		bound := 0
		for _, c := range slices.Concat(deficits, surpluses) {
			if c.amount.Sign() > 0 {
				bound++
			}
		}
		if len(hauls) > bound {
			t.Fatalf("%d transfers for %d surpluses and deficits", len(hauls), bound)
		}
		targets := map[msapi.Key]bool{}
		for _, c := range deficits {
			if c.amount.Sign() > 0 {
				targets[c.Store] = true
			}
		}
		if len(targets) == 1 && oneSourceSuffices(deficits, surpluses) && len(hauls) > 1 {
			t.Fatalf("%d source warehouses, but one would be enough", len(hauls))
		}
	})
}

// oneSourceSuffices reports whether a single warehouse has a surplus for every deficit.
func oneSourceSuffices(deficits, surpluses []portion) bool {
	spare := map[account.StockKey]decimal.Decimal{}
	stores := map[msapi.Key]bool{}
	for _, c := range surpluses {
		spare[c.StockKey] = c.amount
		stores[c.Store] = true
	}
	for s := range stores {
		if !slices.ContainsFunc(deficits,
			func(c portion) bool { return spare[account.StockKey{Good: c.Good, Store: s}].Less(c.amount) }) {
			return true
		}
	}
	return false
}

func TestTransfersDoNotDependOnTheOrderOfTheInput(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		deficits, surpluses := drawPortions(t)
		want := planTransfers(deficits, surpluses)
		random := rand.New(rand.NewPCG(uint64(rapid.IntRange(0, 1000).Draw(t, "seed")), 1))
		for _, list := range [][]portion{deficits, surpluses} {
			random.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		}
		got := planTransfers(deficits, surpluses)
		if len(got) != len(want) {
			t.Fatalf("%d transfers, %d after shuffling", len(want), len(got))
		}
		for i := range got {
			if got[i].source != want[i].source || got[i].target != want[i].target ||
				!slices.EqualFunc(got[i].lines, want[i].lines,
					func(x, y portion) bool { return x.StockKey == y.StockKey && x.amount.Cmp(y.amount) == 0 }) {
				t.Fatalf("%v, after shuffling %v", want[i], got[i])
			}
		}
	})
}
