package moysklad

import (
	"cmp"
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

// judge joins the two halves and decides about every row: whether it counts, and how much to order.
func (w *shortage) judge() []*scarce {
	var list []*scarce
	byPlace := map[place]*scarce{}
	for _, s := range w.min {
		d := w.goods[s.good]
		if byPlace[s.place] != nil || !w.wanted(d) {
			continue
		}
		s.details = d
		s.minimum = d.minimumIn(s.place.store)
		if l, ok := w.at(s.place); ok && w.exact {
			s.level = l // of the warehouse itself, without those nested in it
		}
		switch {
		case !d.toldMinimum && s.kind == "":
			continue // a candidate by reserve alone
		// What the server found short without telling any minimum is shown, without a figure that nobody gave.
		case !d.toldMinimum && s.place.store == (msapi.Key{}) &&
			slices.ContainsFunc(w.min, func(o *scarce) bool {
				return o.good == s.good &&
					o.place.store != (msapi.Key{})
			}):
			continue // the rows by warehouse tell it already
		case d.toldMinimum && (!s.minimum.Known || s.minimum.Sign() <= 0):
			continue // another warehouse's minimum, or one of another kind
		case s.minimum.Known && s.level.stock.decimal().Cmp(s.minimum.Decimal) >= 0 &&
			s.level.free().Cmp(s.minimum.Decimal) >= 0:
			continue
		}
		byPlace[s.place] = s
		list = append(list, s)
	}
	for _, s := range w.pace {
		d := w.goods[s.good]
		if !w.wanted(d) {
			continue
		}
		s.details = d
		if both := byPlace[s.place]; both != nil {
			both.runningOut, both.sold, both.lasts = true, s.sold, s.lasts
			continue
		}
		if s.minimum = d.minimumIn(s.place.store); s.place.store == (msapi.Key{}) && w.mode == shortPace {
			s.minimum = d.minimumOverall(len(w.stores))
		}
		byPlace[s.place] = s
		list = append(list, s)
	}
	w.quantities(list, byPlace)
	w.byUrgency(list)
	return list
}

// wanted tells whether a good counts: known, not archived, and within the groups and suppliers asked for, which only
// the extended report is narrowed to by the server.
func (w *shortage) wanted(d *details) bool {
	return d != nil && !d.archived && (w.scope.nested == nil || w.scope.nested[d.folder.ID()]) &&
		(len(w.scope.suppliers) == 0 || slices.Contains(w.scope.supplierIDs(), d.supplierID.ID()))
}

// quantities decides how much to order. A row over all warehouses orders only what the rows of its good by warehouse
// do not order already, so that the total is an order and not two.
func (w *shortage) quantities(list []*scarce, byPlace map[place]*scarce) {
	for _, s := range list {
		if s.place.store == (msapi.Key{}) {
			continue
		}
		s.order = s.toOrder(w.horizon, w.period)
		if all := byPlace[place{s.good, msapi.Key{}}]; all != nil {
			all.ordered = all.ordered.Add(s.order)
		}
	}
	for _, s := range list {
		if s.place.store == (msapi.Key{}) {
			s.order = s.toOrder(w.horizon, w.period)
		}
	}
}

// target is how much there should be: the larger of the minimum and the sales of the horizon.
func (s *scarce) target(horizon int, period tool.Period) decimal.Decimal {
	if !s.sold.Known {
		return s.minimum.Decimal
	}
	// Multiplied before divided: a third of a day must not make a whole piece.
	return s.minimum.Max(s.sold.Mul(decimal.FromInt(int64(horizon))).Div(decimal.FromInt(int64(period.Days()))))
}

// toOrder is what brings the free stock and the goods on the way up to the target: never negative, whole for goods
// counted in pieces, in whole packs where the good comes in packs.
func (s *scarce) toOrder(horizon int, period tool.Period) decimal.Decimal {
	target := s.target(horizon, period)
	short := target.Sub(s.level.free()).Sub(s.level.transit.decimal()).Sub(s.ordered).Max(decimal.Zero)
	if short.Sign() > 0 && s.pack.Known {
		return short.Div(s.pack.Decimal).Ceil(0).Mul(s.pack.Decimal)
	}
	if s.divisible() || !integral(s.level.stock.decimal()) || !integral(s.minimum.Decimal) {
		return short.Ceil(3)
	}
	return short.Ceil(0)
}

// integral tells whether a number has no fraction.
func integral(d decimal.Decimal) bool { return d.Cmp(d.Floor(0)) == 0 }

// byUrgency puts first what a merchant has to order first: what has run out, then what lasts for the fewest days,
// then what no pace is known of. Within each, what lacks the greatest part of its target goes first.
func (w *shortage) byUrgency(list []*scarce) {
	type urgency struct {
		lasts decimal.Maybe
		left  decimal.Decimal // part of the target; below zero when more is promised than there is
		name  string
	}
	of := make(map[*scarce]urgency, len(list))
	for _, s := range list {
		u := urgency{lasts: s.lasts, name: fold(s.name)}
		if s.level.free().Sign() <= 0 {
			u.lasts = decimal.Some(decimal.Zero)
		}
		if target := s.target(w.horizon, w.period); target.Sign() > 0 {
			u.left = s.level.free().Div(target)
		}
		of[s] = u
	}
	slices.SortFunc(list, func(x, y *scarce) int {
		a, b := of[x], of[y]
		return cmp.Or(ascending(a.lasts, b.lasts), a.left.Cmp(b.left), strings.Compare(a.name, b.name),
			strings.Compare(string(x.good.ID()), string(y.good.ID())), strings.Compare(fold(x.store), fold(y.store)))
	})
}

// ascending orders lesser numbers first and unknown ones last.
func ascending(x, y decimal.Maybe) int {
	if x.Known && y.Known {
		return x.Cmp(y.Decimal)
	}
	return descending(x, y)
}
