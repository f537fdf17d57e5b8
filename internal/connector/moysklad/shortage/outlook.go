package shortage

import (
	"slices"

	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/decimal"
)

// Outlook is what a caller knows of future sales and deliveries beyond the pace of the period. With one, a good runs
// out if its free stock does not suffice until its supplier has delivered and for the horizon after that.
type Outlook struct {
	// Expected returns the expected sales of so many days from today, or false where the pace of the period must do. It
	// may be nil.
	Expected func(at account.StockKey, days int) (decimal.Decimal, bool)
	// Goods are those that Expected knows; they may run out without a sale in the period.
	Goods []account.StockKey
	// Lead returns the days until a supplier delivers, which are at most Longest. Nil means none.
	Lead    func(supplier msapi.Key) int
	Longest int
}

// expected returns the expected sales of a good in so many days from today.
func (w *search) expected(at account.StockKey, sold decimal.Decimal, days int) decimal.Decimal {
	if w.outlook.Expected != nil {
		if x, known := w.outlook.Expected(at, days); known {
			return x
		}
	}
	return sold.Max(decimal.Zero).Mul(decimal.FromInt(int64(days))).Div(decimal.FromInt(int64(w.period.Days())))
}

// mayRunOut finds goods whose stock may not last until the slowest supplier has delivered and for the horizon.
func (w *search) mayRunOut(lists []Sales) {
	days := w.horizon + w.outlook.Longest
	for i, s := range w.rateStores() {
		places := make(map[account.StockKey]Sale, len(lists[i]))
		for good, sale := range lists[i] {
			places[account.StockKey{Good: good, Store: s.ID.Key()}] = sale
		}
		for _, at := range w.outlook.Goods {
			if _, sold := places[at]; !sold && at.Store == s.ID.Key() {
				places[at] = Sale{}
			}
		}
		for at, sale := range places {
			if !w.named(at.Good) {
				continue
			}
			expected := w.expected(at, sale.Quantity, days)
			if expected.Sign() <= 0 {
				continue
			}
			l, known := w.at(at)
			if !known {
				w.lackStock()
				continue
			}
			if l.Free().Cmp(expected) >= 0 {
				continue
			}
			line := &Line{StockKey: at, reportUnit: sale.unit, Store: s.Name, Level: l, RunningOut: true,
				Sold: decimal.Some(sale.Quantity)}
			if sale != (Sale{}) {
				line.kind = sale.kind()
			}
			w.rateCandidates = append(w.rateCandidates, line)
		}
	}
}

// settle decides whether a candidate runs out, now that its supplier is known.
func (w *search) settle(s *Line) bool {
	days := w.horizon
	if w.outlook.Lead != nil {
		days += w.outlook.Lead(s.Item.SupplierID)
	}
	expected := w.expected(s.StockKey, s.Sold.Decimal, days)
	if expected.Sign() <= 0 || s.Level.Free().Cmp(expected) >= 0 {
		return false
	}
	s.Expected, s.days = decimal.Some(expected), days
	s.Lasts = decimal.Some(s.Level.Free().Max(decimal.Zero).Mul(decimal.FromInt(int64(days))).Div(expected))
	return true
}

// Of reports whether a line's good is named, within the groups, or from the suppliers of a filter.
func (s *Line) Of(f account.Filter) bool {
	return f.Nested[s.Item.folder.ID()] || slices.Contains(f.SupplierIDs(), s.Item.SupplierID.ID()) ||
		slices.ContainsFunc(f.Goods, func(g msapi.Ref) bool { return g.ID.Key() == s.Good })
}

// Serve recomputes what to order when other warehouses send goods.
func (l *List) Serve(sent map[account.StockKey]decimal.Decimal) {
	ordered := map[msapi.Key]decimal.Decimal{}
	for _, s := range l.Lines {
		if s.StockKey.Store != (msapi.Key{}) {
			s.ordered = sent[s.StockKey]
			s.ToOrder = s.toOrder(l.Horizon, l.Period)
			ordered[s.Good] = ordered[s.Good].Add(s.ToOrder)
		}
	}
	for _, s := range l.Lines {
		if s.StockKey.Store == (msapi.Key{}) {
			s.ordered = ordered[s.Good]
			s.ToOrder = s.toOrder(l.Horizon, l.Period)
		}
	}
}
