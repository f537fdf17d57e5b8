package analyze

import (
	"context"
	"slices"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/analyze/measures"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

// fromTurnover supplies the movement of a period and the stock at its beginning and end, from the turnover report. It
// is read once for each interval of time, and once for each warehouse if the query distinguishes them.
func (c *call) fromTurnover(ctx context.Context, left []analysis.Base) (source, error) {
	bases := among(left, slices.Concat(measures.MovedQuantities, measures.MovedCosts))
	if len(bases) == 0 {
		return source{}, nil
	}
	m := &movement{call: c, bases: bases, whole: msapi.TurnoverQuery{GroupBy: msapi.ByProduct, Still: true,
		Archived: msapi.ArchivedAlso}}
	if slices.Contains(c.fields, measures.DimVariant) || slices.Contains(c.fields, measures.DimBarcode) {
		m.whole.GroupBy = msapi.ByVariant
	}
	for _, field := range c.fields {
		d, _ := c.catalogue.Dimension(field)
		if d.Step == "" {
			continue
		}
		if m.step != "" {
			return source{}, account.Invalid("by", c.Pickf("движение товаров не делится по %s и %s сразу",
				"the movement of goods cannot be broken down by both %s and %s", m.step, field))
		}
		m.step = d.Step
	}
	if slices.Contains(c.fields, measures.DimStore) {
		if err := m.chooseStores(ctx); err != nil {
			return source{}, err
		}
	}
	return source{bases: bases, read: m.read}, nil
}

// movement is how the turnover report serves the query.
type movement struct {
	*call
	bases []analysis.Base
	step  analysis.Step // of the intervals that are read; empty for one
	whole msapi.TurnoverQuery
	tree  storeTree
	apart []msapi.ID // warehouses that are read one by one; nil if all are read at once
	at    msapi.ID   // a warehouse of those that are read at once, for the conditions on warehouses
}

// storeTree is the warehouses with those nested in them.
type storeTree struct {
	accepted map[msapi.ID]bool // by the conditions of the query
	parent   map[msapi.ID]msapi.ID
	children map[msapi.ID][]msapi.ID
}

// chooseStores reads the warehouses that the conditions accept, and decides whether they are read one by one. A filter
// by a warehouse includes those nested in it (fact M98), so all can be read at once if the conditions accept those too.
func (m *movement) chooseStores(ctx context.Context) error {
	list, err := m.EveryStore(ctx)
	if err != nil {
		return err
	}
	t := storeTree{map[msapi.ID]bool{}, map[msapi.ID]msapi.ID{}, map[msapi.ID][]msapi.ID{}}
	for _, s := range list {
		t.parent[s.ID] = s.Parent.ID
		t.children[s.Parent.ID] = append(t.children[s.Parent.ID], s.ID)
	}
	divided := slices.Contains(m.plan.By, measures.DimStore)
	for _, s := range list {
		key := analysis.Key{ID: string(s.ID), Name: s.Name}
		for up := s.Parent.ID; up != ""; up = t.parent[up] {
			key.Parents = append(key.Parents, string(up))
		}
		if t.accepted[s.ID] = m.plan.Accepts(measures.DimStore, key); t.accepted[s.ID] {
			m.at = s.ID
			m.whole.Stores = append(m.whole.Stores, s.ID)
		}
	}
	for _, s := range list {
		divided = divided || t.accepted[s.Parent.ID] && !t.accepted[s.ID]
	}
	m.tree = t
	if m.whole.Stores == nil {
		m.whole.Stores = []msapi.ID{}
	}
	if !divided {
		return nil
	}
	m.apart = []msapi.ID{}
	for _, s := range list {
		// what is nested in an accepted warehouse is taken out of it
		if t.accepted[s.ID] || t.accepted[s.Parent.ID] {
			m.apart = append(m.apart, s.ID)
		}
	}
	if slices.ContainsFunc(m.apart, m.adjusted) {
		m.whole.GroupBy = msapi.ByVariant // transfers name variants
	}
	return nil
}

// adjusted reports whether transfers within a warehouse and those nested in it are read, because the query needs its
// movement.
func (m *movement) adjusted(store msapi.ID) bool {
	return store != "" && len(m.tree.children[store]) > 0 &&
		m.needs(measures.IncomeQuantity, measures.OutcomeQuantity, measures.IncomeCost, measures.OutcomeCost)
}

// reading is one reading of the report and what it is about.
type reading struct {
	period tool.Period
	store  msapi.ID // empty for all of the query
	rows   []msapi.TurnoverRow
	within []msapi.OperationRow // transfers between the warehouse and those nested in it, or among these
}

func (m *movement) read(ctx context.Context, period tool.Period, add func(analysis.Fact)) error {
	intervals := []tool.Period{period}
	if m.step != "" {
		intervals = analysis.Intervals(m.step, period)
	}
	var all []*reading
	for _, in := range intervals {
		if m.apart == nil {
			all = append(all, &reading{period: in})
		}
		for _, id := range m.apart {
			all = append(all, &reading{period: in, store: id})
		}
	}
	if len(all) > m.most.readings {
		return account.Invalid("by", m.Pick(
			"для этого отчёт «Обороты» пришлось бы прочитать слишком много раз; сократите период или возьмите более "+
				"крупный шаг времени",
			"this would read the turnover report too many times; ask for a shorter period or a longer step of time"))
	}
	var kept atomic.Int64
	work, inner := errgroup.WithContext(ctx)
	for _, r := range all {
		work.Go(func() error { return m.readOne(inner, r, &kept) })
	}
	if err := work.Wait(); err != nil {
		return err
	}
	nested, err := m.storesAreNested(ctx, all)
	if err != nil {
		return err
	}
	goods, err := m.goodsOfRows(ctx, all)
	if err != nil {
		return err
	}
	for _, r := range all {
		m.facts(r, nested, goods, add)
	}
	m.noteHiddenCosts(all)
	return nil
}

// readOne reads the report once. It keeps no rows without figures, and no more rows than the query's bounds allow of
// all readings together.
func (m *movement) readOne(ctx context.Context, r *reading, kept *atomic.Int64) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	err := m.readRows(ctx, r, func() {
		if n := kept.Add(1); n > int64(m.most.lines) {
			stop(m.tooManyRows())
		}
	})
	if cause := context.Cause(ctx); stockhand.CodeOf(cause) == stockhand.CodeValidation {
		return cause
	}
	return err
}

// tooManyRows is the error of a query that would keep more rows of the report than its bounds allow (rule R202).
func (m *movement) tooManyRows() error {
	return account.Invalid("by", m.Pickf(
		"для этого пришлось бы держать в памяти больше %s строк отчёта «Обороты»; сократите период, возьмите более "+
			"крупный шаг времени или не делите по складам",
		"this would keep more than %s rows of the turnover report; ask for a shorter period, a longer step of time, or "+
			"without a breakdown by warehouse", tool.FormatQuantity(decimal.FromInt(int64(m.most.lines)), m.Lang)))
}

func (m *movement) readRows(ctx context.Context, r *reading, keep func()) error {
	q := m.whole
	q.Period = account.ReportPeriod(r.period)
	if r.store != "" {
		q.Stores = []msapi.ID{r.store}
	}
	if q.Stores != nil && len(q.Stores) == 0 {
		return nil
	}
	work, inner := errgroup.WithContext(ctx)
	work.Go(func() error {
		return account.Each(m.Call, m.Reader.Turnover(inner, q), func(row msapi.TurnoverRow) {
			if !empty(row) {
				keep()
				r.rows = append(r.rows, row)
			}
		})
	})
	if m.adjusted(r.store) {
		work.Go(func() error {
			query := msapi.OperationsQuery{Period: q.Period, Stores: q.Stores, Type: "move"}
			return account.Each(m.Call, m.Reader.TurnoverByOperations(inner, query), func(row msapi.OperationRow) {
				keep()
				r.within = append(r.within, row)
			})
		})
	}
	return work.Wait()
}

// empty reports whether a row has no figures but zeros; hidden ones are none of both.
func empty(r msapi.TurnoverRow) bool {
	return !slices.ContainsFunc([]msapi.Turnover{r.Start, r.Income, r.Outcome, r.End}, func(t msapi.Turnover) bool {
		return t.Quantity.Sign() != 0 || t.Sum.Sign() != 0
	})
}

// storesAreNested reports whether the readings of warehouses include those nested in them, which the vendor does not
// document (fact M98): then the readings of the topmost ones make up the whole. A sum that fits neither way is
// reported.
func (m *movement) storesAreNested(ctx context.Context, all []*reading) (bool, error) {
	if !slices.ContainsFunc(m.apart, func(id msapi.ID) bool { return m.tree.parent[id] != "" }) {
		return false, nil
	}
	type sums struct{ topmost, each decimal.Decimal }
	of := map[tool.Period]*sums{}
	telling := all[0].period // an interval in which nested warehouses have stock tells
	for _, r := range all {
		s := of[r.period]
		if s == nil {
			s = &sums{}
			of[r.period] = s
		}
		for _, row := range r.rows {
			s.each = s.each.Add(turned(row))
			if !slices.Contains(m.apart, m.tree.parent[r.store]) {
				s.topmost = s.topmost.Add(turned(row))
			}
		}
	}
	for _, r := range all {
		if s := of[r.period]; s.topmost.Cmp(s.each) != 0 {
			telling = r.period
			break
		}
	}
	q := m.whole
	q.Period, q.Stores = account.ReportPeriod(telling), m.apart // one filter counts each of them once, nested or not
	whole, s := decimal.Zero, of[telling]
	err := account.Each(m.Call, m.Reader.Turnover(ctx, q), func(r msapi.TurnoverRow) { whole = whole.Add(turned(r)) })
	if err != nil {
		return false, err
	}
	if s.topmost.Cmp(whole) != 0 && s.each.Cmp(whole) != 0 {
		m.Notice(tool.NoticePartial, "Сумма остатков по складам отличается от отчёта «Обороты» в целом.",
			"The stock of the warehouses differs from the turnover report as a whole.")
	}
	return s.topmost.Cmp(whole) == 0, nil
}

// turned is a figure of a row that adds up over warehouses, unlike its movement.
func turned(r msapi.TurnoverRow) decimal.Decimal {
	return r.Start.Quantity.Add(r.End.Quantity.Mul(decimal.FromInt(3)))
}

// goodsOfRows describes the goods if a dimension needs more than the rows have.
func (m *movement) goodsOfRows(ctx context.Context, all []*reading) (map[msapi.Key]good, error) {
	if !m.needsCards(m.ofRows()...) {
		return nil, nil
	}
	wanted := map[msapi.Key]bool{}
	for _, r := range all {
		for _, row := range r.rows {
			wanted[row.Assortment.ID.Key()] = true
		}
	}
	return m.describe(ctx, wanted)
}

// ofRows lists the dimensions of goods that the report's rows have.
func (m *movement) ofRows() []string {
	if m.whole.GroupBy == msapi.ByVariant {
		return []string{measures.DimVariant, measures.DimGroup, measures.DimUnit}
	}
	return []string{measures.DimProduct, measures.DimABC, measures.DimXYZ, measures.DimGroup, measures.DimUnit,
		measures.DimKind}
}

// facts adds the facts of a reading: to its warehouse, and out of the one that it is nested in.
func (m *movement) facts(r *reading, nested bool, goods map[msapi.Key]good, add func(analysis.Fact)) {
	within := map[msapi.Key]msapi.Turnover{}
	if nested {
		within = transferred(r.within)
	}
	for _, row := range r.rows {
		moved := within[row.Assortment.ID.Key()]
		of := map[analysis.Base]decimal.Maybe{
			measures.StartQuantity: row.Start.Quantity, measures.StartCost: account.Major(row.Start.Sum),
			measures.IncomeQuantity:  plus(row.Income.Quantity, moved.Quantity),
			measures.OutcomeQuantity: plus(row.Outcome.Quantity, moved.Quantity),
			measures.EndQuantity:     row.End.Quantity, measures.EndCost: account.Major(row.End.Sum),
			measures.IncomeCost:  account.Major(plus(row.Income.Sum, moved.Sum)),
			measures.OutcomeCost: account.Major(plus(row.Outcome.Sum, moved.Sum))}
		if isZero(of) {
			continue
		}
		if r.store == "" || m.tree.accepted[r.store] {
			add(m.fact(r, row, r.store, of, goods))
		}
		if parent := m.tree.parent[r.store]; nested && r.store != "" && m.tree.accepted[parent] {
			for b, n := range of {
				if n.Known {
					of[b] = decimal.Some(n.Neg())
				}
			}
			add(m.fact(r, row, parent, of, goods))
		}
	}
}

func isZero(of map[analysis.Base]decimal.Maybe) bool {
	for _, n := range of {
		if n.Known && n.Sign() != 0 {
			return false
		}
	}
	return true
}

// plus adds what may be absent to a figure of the report.
func plus(n, more decimal.Maybe) decimal.Maybe {
	if !n.Known || !more.Known {
		return n
	}
	return decimal.Some(n.Add(more.Decimal))
}

// transferred returns what moved within a warehouse and those nested in it, by good. The report by goods leaves it out
// of income and outcome. Such a transfer has rows of both warehouses (fact M99), so half of their quantity was moved.
func transferred(rows []msapi.OperationRow) map[msapi.Key]msapi.Turnover {
	type line struct{ document, good msapi.Key }
	stores := map[line]map[msapi.ID]bool{}
	for _, r := range rows {
		k := line{r.Document.Key(), r.Assortment.ID.Key()}
		if stores[k] == nil {
			stores[k] = map[msapi.ID]bool{}
		}
		stores[k][r.Store] = true
	}
	two := decimal.FromInt(2)
	half := func(n decimal.Maybe) decimal.Maybe {
		if n.Known {
			n.Decimal = n.Abs().Div(two)
		}
		return n
	}
	moved := map[msapi.Key]msapi.Turnover{}
	for _, r := range rows {
		if len(stores[line{r.Document.Key(), r.Assortment.ID.Key()}]) < 2 {
			continue // to or from another warehouse
		}
		k := r.Assortment.ID.Key()
		t, known := moved[k]
		if !known {
			t = msapi.Turnover{Quantity: decimal.Some(decimal.Zero), Sum: decimal.Some(decimal.Zero)}
		}
		moved[k] = msapi.Turnover{Quantity: plus(t.Quantity, half(r.Quantity)), Sum: plus(t.Sum, half(r.Sum))}
	}
	return moved
}

func (m *movement) fact(r *reading, row msapi.TurnoverRow, store msapi.ID, of map[analysis.Base]decimal.Maybe,
	goods map[msapi.Key]good) analysis.Fact {
	f := analysis.Fact{Keys: make([]analysis.Key, len(m.fields)), Amounts: m.amounts(m.bases, of), Unit: row.Unit,
		At: string(r.period.From)}
	g, described := goods[row.Assortment.ID.Key()]
	for i, field := range m.fields {
		d, _ := m.catalogue.Dimension(field)
		switch {
		case d.Step != "":
			id := analysis.Interval(d.Step, r.period.From.Time())
			f.Keys[i] = analysis.Key{ID: id, Name: id}
		case field == measures.DimStore && store == "":
			f.Keys[i] = analysis.Key{ID: string(m.at)}
		case field == measures.DimStore:
			f.Keys[i] = analysis.Key{ID: string(store)}
		case described:
			f.Keys[i] = m.goodKey(g, field)
		case field == measures.DimProduct || field == measures.DimVariant || isClassOfGoods(field):
			f.Keys[i] = analysis.Key{ID: string(row.Assortment.ID), Name: row.Assortment.Name}
		case field == measures.DimGroup:
			f.Keys[i] = analysis.Key{ID: string(row.Folder.ID), Name: row.Folder.Name}
		case field == measures.DimUnit:
			f.Keys[i] = analysis.Key{ID: row.Unit, Name: row.Unit}
		case field == measures.DimKind:
			f.Keys[i] = analysis.Key{ID: row.Assortment.Type}
		}
	}
	return f
}

// noteHiddenCosts hides the sums if the employee may not see costs: the report then lacks them or has zeros.
func (m *movement) noteHiddenCosts(all []*reading) {
	rows, hidden := 0, false
	for _, r := range all {
		for _, row := range r.rows {
			rows++
			hidden = hidden || !row.End.Sum.Known || !m.Rights.Has(account.RightCost)
		}
	}
	if rows > 0 && hidden && m.needs(measures.MovedCosts...) {
		m.hide(account.SectionCost, measures.MovedCosts...)
		m.Missing(account.SectionCost, "суммы движения по себестоимости не показаны",
			"the sums of movement at cost are not shown")
	}
}
