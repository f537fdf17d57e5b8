package analyze

import (
	"context"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/analyze/doctype"
	"github.com/stockhand/stockhand/internal/connector/moysklad/analyze/measures"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/connector/moysklad/wording"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

// profitPlan is how the profitability report serves the query: which of its five forms is read, once for each slice.
// The report has one subject; it is filtered to break it down by more.
type profitPlan struct {
	*call
	by       msapi.ProfitBy
	subject  string // the dimension of the rows' subject; empty if they are goods
	sliced   []string
	step     analysis.Step // of the slices of time; empty for none
	stores   []msapi.Store // slices; nil for none
	entities []msapi.Organization
	onServer []string // the dimensions of goods whose conditions the server applies
}

var subjects = map[string]msapi.ProfitBy{measures.DimEmployee: msapi.ProfitByEmployee,
	measures.DimCounterparty: msapi.ProfitByCounterparty, measures.DimChannel: msapi.ProfitBySalesChannel}

// fromProfitReport supplies costs and the channels of retail sales, which only the report knows, and other bases where
// it needs fewer requests than documents.
func (c *call) fromProfitReport(ctx context.Context, left []analysis.Base) (source, error) {
	if c.withoutReport {
		return source{}, nil
	}
	report, reason := c.profitReport()
	ofThese := among(left, doctype.Sales.Bases())
	must := c.needs(measures.Costs, measures.Covered) || slices.Contains(c.fields, measures.DimChannel) &&
		c.needs(doctype.Sales.Bases()...)
	switch {
	case must && reason != nil:
		return source{}, reason
	case !must && c.documentsOnly:
		return source{}, nil
	case must, reason == nil && c.ofLines(ofThese) && report.serves(ofThese) && report.readings() <= 12:
		if bases := among(left, report.bases()); len(bases) > 0 {
			c.cheaper = !must
			return report.source(ctx, bases)
		}
	}
	return source{}, nil
}

// profitReport returns how the report serves the query, or an error that says why it cannot.
func (c *call) profitReport() (*profitPlan, error) {
	p := &profitPlan{call: c, by: msapi.ProfitByProduct, onServer: c.goodsOnServer()}
	var goods string
	for _, field := range c.fields {
		d, _ := c.catalogue.Dimension(field)
		subject := field
		if isOfAgent(field) {
			subject = measures.DimCounterparty
		}
		inRows := slices.Contains(c.plan.By, field)
		switch {
		case slices.Contains(p.onServer, field):
		case isOfGoods(field):
			goods = field
			if field == measures.DimVariant || field == measures.DimBarcode {
				p.by = msapi.ProfitByVariant
			}
		case subjects[subject] != "" && (inRows || !c.filtersByID(field) || field == measures.DimEmployee ||
			c.needs(measures.Receipts)): // the report by goods has no numbers of sales
			if p.subject != "" && p.subject != subject {
				return nil, c.cannot(p.subject, field)
			}
			p.subject = subject
		case subjects[field] != "", field == measures.DimStore, field == measures.DimLegalEntity:
			if inRows || !c.filtersByID(field) {
				p.sliced = append(p.sliced, field)
			}
		case d.Step == analysis.Weekday || d.Step == analysis.Hour || d.Step == "":
			return nil, c.cannot(field)
		case p.step != "": // intervals of two lengths, such as weeks and months, do not divide each other
			return nil, c.cannot(string(p.step), field)
		default:
			p.step = d.Step
		}
	}
	if p.subject != "" && len(c.namedGoods()) > mostGoodsOfSubjects {
		goods = p.onServer[0]
	}
	if p.subject != "" && goods != "" {
		return nil, c.cannot(p.subject, goods)
	}
	if p.subject != "" {
		p.by = subjects[p.subject]
	}
	return p, nil
}

// cannot is the error for dimensions that the report cannot combine.
func (c *call) cannot(dimensions ...string) error {
	what := words("себестоимость", "cost")
	if !c.needs(measures.Costs, measures.Covered) {
		what = words("каналы продаж", "sales channels")
	}
	list := strings.Join(dimensions, c.Pick(" и ", " and "))
	return account.Invalid("by", c.Pick(
		what.RU+" есть только в отчёте «Прибыльность», а он не делится по "+list+
			"; он делится по товарам либо по одному "+
			"из employee, counterparty, sales_channel, и к этому по store, legal_entity и одной единице времени",
		"only the profitability report knows "+what.EN+", and it cannot be broken down by "+list+
			"; it can by goods, or by "+
			"one of employee, counterparty, sales_channel, and in addition by store, legal_entity and one step of time"))
}

// filtersByID reports whether all conditions on a dimension name the values that it is restricted to.
func (c *call) filtersByID(dimension string) bool {
	found := false
	for _, f := range c.plan.Facts {
		if f.Field == dimension && !isOfAgent(dimension) {
			if found = true; f.IDs == nil || f.Op != analysis.Equal && f.Op != analysis.In {
				return false
			}
		}
	}
	return found
}

// bases returns what the report supplies.
func (p *profitPlan) bases() []analysis.Base {
	if p.subject != "" { // its rows have no quantities
		return []analysis.Base{measures.Sales, measures.Returns, measures.Receipts, measures.Costs, measures.Covered}
	}
	return []analysis.Base{measures.Sales, measures.Returns, measures.QuantitySold, measures.QuantityReturned,
		measures.Costs, measures.Covered}
}

func (p *profitPlan) serves(bases []analysis.Base) bool {
	return !slices.ContainsFunc(bases, func(b analysis.Base) bool { return !slices.Contains(p.bases(), b) })
}

// readings estimates how often the report is read.
func (p *profitPlan) readings() int {
	n := 1
	if p.step != "" {
		n = max(len(analysis.Intervals(p.step, p.plan.Period)), 1)
		if p.plan.Compares() {
			n += len(analysis.Intervals(p.step, p.plan.Other))
		}
	}
	for range p.sliced {
		n *= 4 // before the lists of warehouses and legal entities are read
	}
	return n
}

func (p *profitPlan) source(ctx context.Context, bases []analysis.Base) (source, error) {
	var err error
	if slices.Contains(p.sliced, measures.DimStore) {
		if err = p.sliceStores(ctx); err != nil {
			return source{}, err
		}
	}
	if slices.Contains(p.sliced, measures.DimLegalEntity) {
		if p.entities, err = p.OrganizationList(ctx); err != nil {
			return source{}, err
		}
	}
	return source{bases: bases, read: func(ctx context.Context, period tool.Period, add func(analysis.Fact)) error {
		return p.read(ctx, period, bases, add)
	}}, nil
}

func (p *profitPlan) read(ctx context.Context, period tool.Period, bases []analysis.Base,
	add func(analysis.Fact)) error {
	all := p.slicesOf(period)
	if len(all) > p.most.readings {
		return account.Invalid("by", p.Pick(
			"для этого отчёт «Прибыльность» пришлось бы прочитать слишком много раз; сократите "+
				"период или возьмите более крупный шаг времени",
			"this would read the profitability report too many times; ask for "+
				"a shorter period or a longer step of time"))
	}
	rows := make([][]profitRow, len(all))
	work, inner := errgroup.WithContext(ctx)
	for i, s := range all {
		work.Go(func() (err error) { rows[i], err = p.rows(inner, s.query); return })
	}
	if err := work.Wait(); err != nil {
		return err
	}
	if err := p.checkStores(ctx, period, all, rows); err != nil {
		return err
	}
	wanted := map[msapi.Key]bool{}
	for _, part := range rows {
		for _, r := range part {
			if p.subject == "" {
				wanted[r.Subject.ID.Key()] = true
			}
		}
	}
	if err := p.noteHidden(ctx, rows); err != nil {
		return err
	}
	var goods map[msapi.Key]good
	var err error
	if p.usesLists() {
		if goods, err = p.describe(ctx, wanted); err != nil {
			return err
		}
	}
	for i, part := range rows {
		for _, r := range part {
			add(p.fact(all[i], r, goods, bases))
		}
	}
	return nil
}

// usesLists reports whether the query needs what the report's rows of goods lack.
func (p *profitPlan) usesLists() bool {
	known := append([]string{measures.DimProduct, measures.DimABC, measures.DimXYZ, measures.DimUnit, measures.DimKind},
		p.onServer...)
	if p.by == msapi.ProfitByVariant {
		known = append([]string{measures.DimVariant, measures.DimUnit}, p.onServer...)
	}
	return p.subject == "" && p.needsCards(known...)
}

// profitRow is a row with what of its revenue has a known cost.
type profitRow struct {
	msapi.ProfitRow
	cost, covered decimal.Maybe // main units
}

// rows reads the report and the part of it whose cost is unknown.
//
// The reports of channels leave out sales without one. What the rows lack of the sum over goods is a row of its own.
func (p *profitPlan) rows(ctx context.Context, q msapi.ProfitQuery) ([]profitRow, error) {
	var all, goods []msapi.ProfitRow
	work, inner := errgroup.WithContext(ctx)
	work.Go(func() (err error) { all, err = p.report(inner, p.by, q); return })
	if p.subject != "" {
		work.Go(func() (err error) { goods, err = p.report(inner, msapi.ProfitByProduct, q); return })
	}
	if err := work.Wait(); err != nil {
		return nil, err
	}
	sees := account.CostVisibility{Rights: p.Rights}
	for _, r := range slices.Concat(all, goods) {
		sees.Observe(r.SellCostSum)
	}
	hidden := sees.Hidden()
	if hidden {
		p.mu.Lock()
		p.costsHidden = true
		p.mu.Unlock()
	}
	rows := make([]profitRow, len(all))
	for i, r := range all {
		rows[i].ProfitRow = r
		switch {
		case hidden:
		case p.subject == "" && !CostKnown(r):
			rows[i].covered = decimal.Some(decimal.Zero)
		default:
			rows[i].cost, rows[i].covered = costOf(r), netOf(r)
		}
	}
	if p.subject == "" {
		return rows, nil
	}
	if !hidden && p.needs(measures.Costs, measures.Covered) {
		if err := p.uncover(ctx, q, rows, goods); err != nil {
			return nil, err
		}
	}
	rest := p.without(goods, rows, hidden)
	if !p.plan.Accepts(p.subject, analysis.Key{}) {
		p.noteWithout(netOf(rest.ProfitRow).Decimal, goods)
		return rows, nil
	}
	if p.subject == measures.DimChannel && p.needs(measures.Receipts) { // every sale has an employee
		counted, err := p.report(ctx, msapi.ProfitByEmployee, q)
		if err != nil {
			return nil, err
		}
		count := decimal.Zero
		for _, r := range counted {
			count = count.Add(r.SalesCount.Decimal)
		}
		for _, r := range rows {
			count = count.Sub(r.SalesCount.Decimal)
		}
		rest.SalesCount = decimal.Some(count)
	}
	return append(rows, rest), nil
}

func (p *profitPlan) report(ctx context.Context, by msapi.ProfitBy, q msapi.ProfitQuery) (rows []msapi.ProfitRow,
	err error) {
	err = account.Each(p.Call, p.Reader.Profit(ctx, by, q), func(r msapi.ProfitRow) { rows = append(rows, r) })
	return rows, err
}

// netOf and costOf return the revenue net of returns and its cost, in main units.
func netOf(r msapi.ProfitRow) decimal.Maybe {
	return decimal.Some(r.SellSum.Sub(r.ReturnSum.Decimal).Major())
}

func costOf(r msapi.ProfitRow) decimal.Maybe {
	return decimal.Some(r.SellCostSum.Sub(r.ReturnCostSum.Decimal).Major())
}

// uncover finds how much of the revenue of employees, counterparties or channels has a known cost. Their rows mix
// goods of known and unknown cost, so the report is read once more for those of which there are fewer.
func (p *profitPlan) uncover(ctx context.Context, q msapi.ProfitQuery, rows []profitRow,
	goods []msapi.ProfitRow) error {
	var known, fewer []msapi.Ref
	for _, g := range goods {
		switch {
		case CostKnown(g):
			known = append(known, g.Subject)
		case g.SellSum.Sign() != 0 || g.ReturnSum.Sign() != 0:
			fewer = append(fewer, g.Subject)
		}
	}
	ofKnown := len(known) < len(fewer)
	if ofKnown {
		fewer = known
	}
	chunks := slices.Collect(slices.Chunk(fewer, 50))
	parts := make([][]msapi.ProfitRow, len(chunks))
	work, inner := errgroup.WithContext(ctx)
	for i, chunk := range chunks {
		narrowed := q
		narrowed.Goods, narrowed.Folders = chunk, nil
		work.Go(func() (err error) { parts[i], err = p.report(inner, p.by, narrowed); return })
	}
	if err := work.Wait(); err != nil {
		return err
	}
	of := map[msapi.Key]decimal.Decimal{}
	for _, r := range slices.Concat(parts...) {
		of[r.Subject.ID.Key()] = of[r.Subject.ID.Key()].Add(netOf(r).Decimal)
	}
	for i := range rows {
		r := &rows[i]
		part := of[r.Subject.ID.Key()]
		if !ofKnown {
			part = netOf(r.ProfitRow).Sub(part)
		}
		r.cover(part)
	}
	return nil
}

// cover sets the revenue whose cost is known. If that is nothing, the cost is unknown and not zero.
func (r *profitRow) cover(part decimal.Decimal) {
	if r.covered = decimal.Some(part); part.Sign() == 0 && r.cost.Sign() == 0 {
		r.cost = decimal.Maybe{}
	}
}

// without returns what the rows of subjects lack of the sum over goods: sales without a subject.
func (p *profitPlan) without(goods []msapi.ProfitRow, rows []profitRow, costHidden bool) profitRow {
	var r profitRow
	add := func(sum *decimal.Maybe, n decimal.Maybe, sign decimal.Decimal) {
		if n.Known {
			*sum = decimal.Some(sum.Decimal.Add(n.Mul(sign)))
		}
	}
	for _, g := range goods {
		add(&r.SellSum, g.SellSum, decimal.One)
		add(&r.ReturnSum, g.ReturnSum, decimal.One)
		if CostKnown(g) && !costHidden {
			add(&r.cost, costOf(g), decimal.One)
			add(&r.covered, netOf(g), decimal.One)
		}
	}
	minus := decimal.One.Neg()
	for _, x := range rows {
		add(&r.SellSum, x.SellSum, minus)
		add(&r.ReturnSum, x.ReturnSum, minus)
		add(&r.cost, x.cost, minus)
		add(&r.covered, x.covered, minus)
	}
	if r.covered.Known {
		r.cover(r.covered.Decimal)
	}
	return r
}

// noteWithout says how much of the revenue is in no row, because its sales have no subject and the query asks only for
// those that have one.
func (p *profitPlan) noteWithout(revenue decimal.Decimal, goods []msapi.ProfitRow) {
	all := decimal.Zero
	for _, g := range goods {
		all = all.Add(netOf(g).Decimal)
	}
	asked := slices.ContainsFunc(p.plan.Facts, func(f analysis.Filter) bool {
		return f.Field == p.subject && f.Op == analysis.IsNotEmpty
	})
	if part := account.Share(revenue, all); asked && part.Known && revenue.Abs().Cmp(decimal.One) >= 0 {
		d, _ := p.catalogue.Dimension(p.subject)
		p.Notice(tool.NoticePartial,
			"В таблицу не вошли продажи, где не указан "+wording.Lower(d.Title.RU)+": это "+
				wording.Percent(part.Decimal, "ru")+
				" выручки за период.",
			"Sales that name no "+wording.Lower(d.Title.EN)+" are in no row: that is "+
				wording.Percent(part.Decimal, "en")+
				" of the revenue of the period.")
	}
}

// CostKnown reports whether the cost of a good's sales is known. A cost of zero is unknown (fact M82), but for a
// service, which has none.
func CostKnown(r msapi.ProfitRow) bool {
	switch {
	case r.Subject.Type == "service":
		return true
	case r.SellSum.Sign() != 0:
		return r.SellCostSum.Sign() != 0
	}
	return r.SellCostSum.Sign() != 0 || r.ReturnCostSum.Sign() != 0
}

func (p *profitPlan) fact(s slice, r profitRow, goods map[msapi.Key]good, bases []analysis.Base) analysis.Fact {
	sum := func(n decimal.Maybe) decimal.Maybe {
		if n.Known {
			n.Decimal = n.Major()
		}
		return n
	}
	of := map[analysis.Base]decimal.Maybe{measures.Sales: sum(r.SellSum), measures.Returns: sum(r.ReturnSum),
		measures.QuantitySold: r.SellQuantity, measures.QuantityReturned: r.ReturnQuantity,
		measures.Receipts: r.SalesCount, measures.Costs: r.cost, measures.Covered: r.covered}
	if s.minus {
		for b, n := range of {
			if n.Known {
				of[b] = decimal.Some(n.Neg())
			}
		}
	}
	g, described := goods[r.Subject.ID.Key()]
	about := p.about(Good{Article: r.Subject.Article, Code: r.Subject.Code, Unit: r.Unit})
	f := analysis.Fact{Keys: make([]analysis.Key, len(p.fields)), Amounts: p.amounts(bases, of), Unit: r.Unit,
		Subject: string(r.Subject.ID)}
	for i, field := range p.fields {
		key, sliced := s.keys[field]
		switch {
		case sliced:
			f.Keys[i] = key
		case field == p.subject, isOfAgent(field):
			f.Keys[i] = analysis.Key{ID: string(r.Subject.ID), Name: r.Subject.Name}
		case slices.Contains(p.onServer, field):
			f.Keys[i] = p.ofServer(field)
		case described && isOfGoods(field):
			f.Keys[i] = p.goodKey(g, field)
		case field == measures.DimProduct || field == measures.DimVariant || isClassOfGoods(field):
			f.Keys[i] = analysis.Key{ID: string(r.Subject.ID), Name: r.Subject.Name, Of: about}
		case field == measures.DimKind:
			f.Keys[i] = analysis.Key{ID: r.Subject.Type}
		case field == measures.DimUnit:
			f.Keys[i] = analysis.Key{ID: r.Unit, Name: r.Unit}
		default: // the server applied the condition
			f.Keys[i] = p.ofServer(field)
		}
	}
	return f
}

// ofServer returns a key that meets the conditions on a dimension that only the server tests.
func (p *profitPlan) ofServer(field string) analysis.Key {
	ids := p.idsOf(field)
	if len(ids) == 0 {
		return analysis.Key{}
	}
	id := strings.ToLower(string(ids[0]))
	return analysis.Key{ID: id, Name: id}
}
