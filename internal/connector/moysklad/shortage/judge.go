package shortage

import (
	"cmp"
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/connector/moysklad/wording"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

// judge merges the two searches and decides for every row whether it counts and how much to order.
func (w *search) judge() []*Line {
	var list []*Line
	byPlace := map[account.StockKey]*Line{}
	for _, s := range w.minimumCandidates {
		d := w.goods[s.Good]
		if byPlace[s.StockKey] != nil || !w.selected(d) {
			continue
		}
		s.Item = d
		s.Minimum = d.minimum.in(s.StockKey.Store)
		if l, ok := w.at(s.StockKey); ok && w.fromCurrent {
			s.Level = l // of the warehouse itself, without nested ones
		}
		switch {
		case !d.minimum.known && s.kind == "":
			continue // a candidate only because of its reserve
		// The server found it below the minimum without returning the minimum: show it without that figure.
		case !d.minimum.known && s.StockKey.Store == (msapi.Key{}) &&
			slices.ContainsFunc(w.minimumCandidates, func(o *Line) bool {
				return o.Good == s.Good &&
					o.StockKey.Store != (msapi.Key{})
			}):
			continue // already covered by the rows by warehouse
		case d.minimum.known && (!s.Minimum.Known || s.Minimum.Sign() <= 0):
			continue // the minimum of another warehouse, or of another kind
		case s.Minimum.Known && s.Level.Stock.Decimal().Cmp(s.Minimum.Decimal) >= 0 &&
			s.Level.Free().Cmp(s.Minimum.Decimal) >= 0:
			continue
		}
		byPlace[s.StockKey] = s
		list = append(list, s)
	}
	for _, s := range w.rateCandidates {
		d := w.goods[s.Good]
		if !w.selected(d) {
			continue
		}
		s.Item = d
		if w.outlook != nil && !w.settle(s) {
			continue
		}
		if both := byPlace[s.StockKey]; both != nil {
			both.RunningOut, both.Sold, both.Lasts = true, s.Sold, s.Lasts
			both.Expected, both.days = s.Expected, s.days
			continue
		}
		if s.Minimum = d.minimum.in(s.StockKey.Store); s.StockKey.Store == (msapi.Key{}) && w.mode == RunningOut {
			s.Minimum = d.minimum.overall(len(w.stores))
		}
		byPlace[s.StockKey] = s
		list = append(list, s)
	}
	w.quantities(list, byPlace)
	w.byUrgency(list)
	return list
}

// selected reports whether a good counts: known, not archived, and within the requested groups and suppliers, which the
// server only applies to the extended report.
func (w *search) selected(d *Item) bool {
	return d != nil && !d.archived && (w.scope.Nested == nil || w.scope.Nested[d.folder.ID()]) &&
		(len(w.scope.Suppliers) == 0 || slices.Contains(w.scope.SupplierIDs(), d.SupplierID.ID()))
}

// quantities decides how much to order. A row over all warehouses orders only what the rows of the same good by
// warehouse do not order, so that nothing is ordered twice.
func (w *search) quantities(list []*Line, byPlace map[account.StockKey]*Line) {
	for _, s := range list {
		if s.StockKey.Store == (msapi.Key{}) {
			continue
		}
		s.ToOrder = s.toOrder(w.horizon, w.period)
		if all := byPlace[account.StockKey{Good: s.Good, Store: msapi.Key{}}]; all != nil {
			all.ordered = all.ordered.Add(s.ToOrder)
		}
	}
	for _, s := range list {
		if s.StockKey.Store == (msapi.Key{}) {
			s.ToOrder = s.toOrder(w.horizon, w.period)
		}
	}
}

// target returns how much there should be: the larger of the minimum and the sales of the horizon.
func (s *Line) target(horizon int, period tool.Period) decimal.Decimal {
	switch {
	case s.Expected.Known:
		return s.Minimum.Max(s.Expected.Decimal)
	case !s.Sold.Known:
		return s.Minimum.Decimal
	}
	// Multiply before dividing: rounding a third of a day must not add a whole piece.
	return s.Minimum.Max(s.Sold.Mul(decimal.FromInt(int64(horizon))).Div(decimal.FromInt(int64(period.Days()))))
}

// toOrder returns the quantity that brings free stock plus goods in transit up to the target: never negative, an
// integer for goods counted in pieces, and a multiple of the pack for goods in packs.
func (s *Line) toOrder(horizon int, period tool.Period) decimal.Decimal {
	target := s.target(horizon, period)
	short := target.Sub(s.Level.Free()).Sub(s.Level.Transit.Decimal()).Sub(s.ordered).Max(decimal.Zero)
	if short.Sign() > 0 && s.Item.pack.Known {
		return InPacks(short, s.Item.pack)
	}
	if Divisible(s.Unit()) || !account.Integral(s.Level.Stock.Decimal()) || !account.Integral(s.Minimum.Decimal) {
		return short.Ceil(3)
	}
	return short.Ceil(0)
}

// byUrgency sorts by urgency: first what has run out, then what lasts for the fewest days, then goods without a known
// sales rate. Within each, goods that lack the largest part of their target come first.
func (w *search) byUrgency(list []*Line) {
	type urgency struct {
		lasts decimal.Maybe
		left  decimal.Decimal // part of the target; negative if more is reserved than there is
		name  string
	}
	of := make(map[*Line]urgency, len(list))
	for _, s := range list {
		u := urgency{lasts: s.Lasts, name: wording.Fold(s.Item.Name)}
		if s.Level.Free().Sign() <= 0 {
			u.lasts = decimal.Some(decimal.Zero)
		}
		if target := s.target(w.horizon, w.period); target.Sign() > 0 {
			u.left = s.Level.Free().Div(target)
		}
		of[s] = u
	}
	slices.SortFunc(list, func(x, y *Line) int {
		a, b := of[x], of[y]
		return cmp.Or(account.Ascending(a.lasts, b.lasts), a.left.Cmp(b.left), strings.Compare(a.name, b.name),
			strings.Compare(string(x.Good.ID()), string(y.Good.ID())),
			strings.Compare(wording.Fold(x.Store), wording.Fold(y.Store)))
	})
}

// PerDay returns the sales rate per day.
func (s *Line) PerDay(p tool.Period) decimal.Maybe {
	if s.Expected.Known {
		return decimal.Some(s.Expected.Div(decimal.FromInt(int64(s.days))))
	}
	return decimal.Maybe{Decimal: s.Sold.Div(decimal.FromInt(int64(max(1, p.Days())))), Known: s.Sold.Known}
}

// UnderMinimum reports whether the free stock is below a known minimum.
func (s *Line) UnderMinimum() bool {
	return s.Minimum.Known && s.Level.Free().Less(s.Minimum.Decimal)
}
