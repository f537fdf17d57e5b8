package propose

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/decimal"
)

// portion is how much of a good a warehouse lacks or can give away.
type portion struct {
	account.StockKey
	amount decimal.Decimal
}

// transfer is everything that moves from one warehouse to another.
type transfer struct {
	source, target msapi.Key
	lines          []portion // by good; the place is the target
}

// planTransfers covers deficits from surpluses. It guarantees:
//
//   - No warehouse gives away more of a good than its surplus, and none gets more than its deficit.
//   - As much of every good is moved as possible: the smaller of its total surplus and its total deficit. Every
//     warehouse may send to every other, so the order does not matter.
//   - There is at most one transfer per pair of warehouses, and few in total: the next pair is always the one that
//     covers most deficits completely, then the one that covers most of them partly. The minimum is a set cover
//     problem, which is too slow for a thousand goods. A warehouse that can cover everything that another lacks does
//     so alone.
//
// It is a pure function: the order of the portions does not matter. Portions without a positive amount are ignored, and
// a good that a warehouse both lacks and can give away is not sent to itself.
func planTransfers(deficits, surpluses []portion) []transfer {
	p := &planner{lack: map[account.StockKey]decimal.Decimal{}, spare: map[account.StockKey]decimal.Decimal{},
		goods: map[msapi.Key][]msapi.Key{}}
	sources, targets := p.fill(surpluses, p.spare), p.fill(deficits, p.lack)
	for at := range p.lack {
		p.goods[at.Store] = append(p.goods[at.Store], at.Good)
	}
	for _, list := range p.goods {
		slices.SortFunc(list, compareKeys)
	}
	type pair struct{ source, target msapi.Key }
	var open []pair
	values := map[pair]value{}
	for _, t := range targets {
		for _, s := range sources {
			if s != t {
				open = append(open, pair{s, t})
				values[pair{s, t}] = p.value(s, t)
			}
		}
	}
	var hauls []transfer
	for len(open) > 0 {
		best := slices.MaxFunc(open, func(x, y pair) int { return values[x].compare(values[y]) })
		if values[best].served == 0 {
			break
		}
		hauls = append(hauls, transfer{best.source, best.target, p.move(best.source, best.target)})
		// The pair is exhausted: of each good, either the surplus or the deficit is used up.
		open = slices.DeleteFunc(open, func(x pair) bool { return x == best })
		for _, x := range open {
			if x.source == best.source || x.target == best.target {
				values[x] = p.value(x.source, x.target)
			}
		}
	}
	slices.SortFunc(hauls, func(x, y transfer) int {
		return cmp.Or(compareKeys(x.source, y.source), compareKeys(x.target, y.target))
	})
	return hauls
}

type planner struct {
	lack, spare map[account.StockKey]decimal.Decimal
	goods       map[msapi.Key][]msapi.Key // by warehouse: the goods that it lacks
}

// fill adds up portions and returns their warehouses.
func (p *planner) fill(portions []portion, into map[account.StockKey]decimal.Decimal) []msapi.Key {
	var stores []msapi.Key
	for _, c := range portions {
		if c.amount.Sign() <= 0 {
			continue
		}
		into[c.StockKey] = into[c.StockKey].Add(c.amount)
		if !slices.Contains(stores, c.Store) {
			stores = append(stores, c.Store)
		}
	}
	slices.SortFunc(stores, compareKeys)
	return stores
}

// value returns what a transfer between two warehouses would achieve now.
type value struct{ closed, served int }

func (v value) compare(w value) int { return cmp.Or(v.closed-w.closed, v.served-w.served) }

func (p *planner) value(source, target msapi.Key) (v value) {
	for _, good := range p.goods[target] {
		lack, spare := p.lack[account.StockKey{Good: good, Store: target}],
			p.spare[account.StockKey{Good: good, Store: source}]
		if lack.Sign() <= 0 || spare.Sign() <= 0 {
			continue
		}
		v.served++
		if !spare.Less(lack) {
			v.closed++
		}
	}
	return v
}

// move transfers everything that one warehouse can give away of what the other lacks.
func (p *planner) move(source, target msapi.Key) []portion {
	var lines []portion
	for _, good := range p.goods[target] {
		to, from := account.StockKey{Good: good, Store: target}, account.StockKey{Good: good, Store: source}
		amount := p.lack[to].Min(p.spare[from])
		if amount.Sign() <= 0 {
			continue
		}
		p.lack[to], p.spare[from] = p.lack[to].Sub(amount), p.spare[from].Sub(amount)
		lines = append(lines, portion{to, amount})
	}
	return lines
}

func compareKeys(x, y msapi.Key) int { return bytes.Compare(x[:], y[:]) }
