// Package analyze answers queries over a MoySklad account: it reads the facts with the fewest requests, from the
// vendor's reports where they suffice and from documents where they do not. Package measures lists what can be asked.
package analyze

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/analyze/answer"
	"github.com/stockhand/stockhand/internal/connector/moysklad/analyze/measures"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

// call is one call of the tool.
type call struct {
	*account.Call
	most       bounds
	preset     bool // asked by another tool; see [Question]
	part       bool // asks for a part of another query's period, in the same call
	own        []analysis.Measure
	catalogue  *analysis.Catalogue // with the additional fields that the query uses, and own measures
	plan       *analysis.Plan
	fields     []string // that facts carry, by plan.Fields
	currency   string   // of the account
	currencies map[msapi.ID]string
	found      map[msapi.ID]msapi.Ref // goods that conditions name

	instead       bool     // see [Question.Instead]
	withoutReport bool     // it is closed
	cheaper       bool     // the report was chosen because documents take more requests
	documentsOnly bool     // documents take its place where they can, because it is closed
	prices        *pricing // nil: costs are costs
	fromPrices    bool

	mu      sync.Mutex             // guards what is below: sources are read concurrently
	hidden  map[analysis.Base]bool // the employee may not see it
	lacking map[analysis.Base]bool // facts of it are missing; true: all
	// the sections, without a right to which a base is hidden or a dimension has no names
	closedBy map[analysis.Base]tool.Text
	nameless map[string]tool.Text
	// a reading of the profitability report has no costs that the employee may see
	costsHidden bool
}

// ToolName is the name of the tool that answers queries.
const ToolName = "moysklad_analyze"

// bounds limit what a query reads, so that no query takes all memory or keeps an account busy for an hour.
type bounds struct {
	lines    int // of documents, for each period
	readings int // of the profitability report, for each period
}

var most = bounds{lines: 300_000, readings: 400}

// Tools returns the tool that answers queries, bound to an account.
func Tools(a *account.Account) []tool.Tool { return tools(a, most) }

func tools(a *account.Account, most bounds) []tool.Tool {
	title := tool.Text{RU: "Анализ", EN: "Analysis"}
	t := tool.Read(ToolName, title, tool.Text{
		RU: "Любые показатели каталога в любых разрезах: продажи, прибыль, возвраты, средний чек, заказы, закупки, " +
			"остатки, деньги, долги — с условиями, сравнением периодов, долями и разложением изменения. " +
			"Дополнительные поля аккаунта — тоже разрезы: product.\"Бренд\", counterparty.\"…\", demand.\"…\".",
		EN: "Any measures by any dimensions, with conditions, comparison, shares, and what a change consists " +
			"of. Dimensions of goods cannot be combined with orders. Additional fields are dimensions, too: " +
			"product.\"Brand\".",
	}, func(ctx context.Context, env tool.Env, in analysis.Query) (*tool.Result, error) {
		ctx, c := account.Begin(ctx, a, env, title)
		asked := &call{Call: c, most: most}
		err := asked.answer(ctx, in)
		if asked.cheaper && msapi.IsForbidden(err) && account.SectionOf(err) == account.SectionProfit {
			err = (&call{Call: c, most: most, documentsOnly: true}).answer(ctx, in)
		}
		if err != nil {
			if err = c.Refuse(err, account.SectionOf(err)); err != nil {
				return nil, err
			}
		}
		return c.Finish(), nil
	})
	t = tool.WithPlan(t, func(ctx context.Context, env tool.Env, in analysis.Query) (*tool.Plan, error) {
		ctx, c := account.Begin(ctx, a, env, title)
		return (&call{Call: c, most: most}).survey(ctx, in)
	})
	t = t.Describe("measures", named("the organization's own, listed for an unknown name, or: ",
		measures.Catalogue.Measures, func(m analysis.Measure) string { return m.Name })).
		Describe("by", named("none: one row; else of: ", measures.Catalogue.Dimensions,
			func(d analysis.Dimension) string { return d.Name }))
	return []tool.Tool{t.Requires(account.NeedCost, account.NeedProfitReport, account.NeedBalances)}
}

func words(ru, en string) tool.Text { return tool.Text{RU: ru, EN: en} }

// named lists what queries may use; a caller that sees only the tool has no other list.
func named[T any](before string, list []T, name func(T) string) string {
	names := make([]string, len(list))
	for i, x := range list {
		names[i] = name(x)
	}
	return before + strings.Join(names, ", ")
}

// prepare checks the query and chooses its sources.
func (c *call) prepare(ctx context.Context, q analysis.Query) ([]source, error) {
	if len(q.Measures) == 0 {
		q.Measures = []string{"revenue"}
		c.Notice(tool.NoticeAssumption, "Показатель не назван: взята выручка.", "No measure was named: using revenue.")
	}
	if err := c.extend(ctx, &q); err != nil {
		return nil, err
	}
	period, err := c.period(&q)
	if err != nil {
		return nil, err
	}
	if c.plan, err = c.catalogue.Check(q, period); err != nil {
		return nil, err
	}
	if err := errors.Join(c.comparable(), c.findable(), c.explained(), c.classable()); err != nil {
		return nil, err
	}
	c.fields = c.plan.Fields()
	c.hidden, c.lacking = map[analysis.Base]bool{}, map[analysis.Base]bool{}
	c.closedBy, c.nameless = map[analysis.Base]tool.Text{}, map[string]tool.Text{}
	if q.Fresh {
		c.UseFacts(true)
	}
	if !c.part { // whose query has the same conditions
		c.FullCards = slices.ContainsFunc(c.fields, func(field string) bool {
			owner, _, _ := fieldOf(field)
			return owner == entityGood || field == measures.DimPriceBand // price types may change without the goods
		})
	}
	if err := c.resolve(ctx); err != nil {
		return nil, err
	}
	if c.currency, c.currencies, err = c.AccountCurrency(ctx); err != nil {
		return nil, err
	}
	return c.sources(ctx)
}

func (c *call) answer(ctx context.Context, q analysis.Query) error {
	a, err := c.evaluate(ctx, q)
	if err != nil {
		return err
	}
	answer.View{Call: c.Call, Plan: c.plan, Catalogue: c.catalogue, Currency: c.currency, Hidden: c.isHidden,
		Now: c.onlyStock(), Lines: c.ofLines(c.plan.Bases)}.Show(a)
	return nil
}

// evaluate reads the facts and computes the answer.
func (c *call) evaluate(ctx context.Context, q analysis.Query) (*analysis.Answer, error) {
	sources, err := c.prepare(ctx, q)
	if err != nil {
		return nil, err
	}
	tables := make([]*analysis.Table, len(c.periods()))
	// Facts are added in the order of the sources, so that the answer does not depend on which came first.
	type part struct {
		table *analysis.Table
		facts []analysis.Fact
	}
	carries := func(s source) []bool {
		list := make([]bool, len(c.plan.Bases))
		for i, b := range c.plan.Bases {
			list[i] = slices.Contains(s.bases, b) && !slices.Contains(s.counted, b)
		}
		return list
	}
	var parts []*part
	work, inner := errgroup.WithContext(ctx)
	for i := range tables {
		tables[i] = analysis.NewTable(c.plan)
	}
	for _, s := range sources {
		known := carries(s)
		for i, period := range c.periods() {
			p := &part{table: tables[i]}
			parts = append(parts, p)
			work.Go(func() error {
				return s.read(inner, period, func(f analysis.Fact) {
					f.Carries = known
					p.facts = append(p.facts, f)
				})
			})
		}
	}
	if err := work.Wait(); err != nil {
		return nil, err
	}
	if err := c.testable(); err != nil {
		return nil, err
	}
	var all []analysis.Fact // their keys are shared, so names are found once for all sources and periods
	var now []analysis.Fact
	for _, p := range parts {
		if all = append(all, p.facts...); p.table == tables[0] {
			now = append(now, p.facts...)
		}
	}
	if err := errors.Join(c.named(ctx, all), c.taggable()); err != nil {
		return nil, err
	}
	if err := c.searchable(all); err != nil {
		return nil, err
	}
	if err := c.classify(ctx, now, all); err != nil {
		return nil, err
	}
	for _, p := range parts {
		for _, f := range p.facts {
			if p.table.Add(f) && c.prices != nil {
				c.prices.shown[f.Subject] = true
			}
		}
	}
	var before *analysis.Table
	if c.plan.Compares() {
		before = tables[1]
	}
	if c.prices != nil {
		c.prices.finish()
	}
	a := analysis.Evaluate(c.plan, tables[0], before)
	a.Rows = slices.DeleteFunc(a.Rows, c.blank)
	return a, nil
}

// survey returns what the query would read. Names and the sizes of lists are read, but no facts.
func (c *call) survey(ctx context.Context, q analysis.Query) (*tool.Plan, error) {
	sources, err := c.prepare(ctx, q)
	if err != nil {
		return nil, err
	}
	plan := &tool.Plan{Readings: []tool.Reading{}}
	for _, s := range sources {
		for _, period := range c.periods() {
			err := c.Survey(ctx, plan, c.served(s), &period, func(ctx context.Context) error {
				return s.read(ctx, period, func(analysis.Fact) {})
			})
			if err != nil {
				return nil, err
			}
		}
	}
	c.FinishPlan(plan)
	plan.Exact = plan.Exact && !c.looksUp()
	return plan, nil
}

// looksUp reports whether names or goods are looked up that only the rows tell, so that a plan cannot count them.
func (c *call) looksUp() bool {
	return c.plan.Uses(measures.DimXYZ) || slices.ContainsFunc(c.fields, func(field string) bool {
		_, ofProfit := subjects[field] // whose goods of unknown cost are read again
		return field == measures.DimCounterparty || field == measures.DimSupplier || isOfAgent(field) ||
			ofProfit && c.needs(measures.Costs, measures.Covered)
	})
}

// served names the measures that are computed from a source.
func (c *call) served(s source) []string {
	names := []string{}
	for _, m := range c.plan.Shown {
		if slices.ContainsFunc(m.Bases, func(b analysis.Base) bool { return slices.Contains(s.bases, b) }) {
			names = append(names, m.Name)
		}
	}
	return names
}

// hide hides the measures that are computed from bases which the employee may not see without a right to a section.
func (c *call) hide(section tool.Text, bases ...analysis.Base) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, b := range bases {
		c.hidden[b], c.closedBy[b] = true, section
	}
}

// lack notes that facts of bases are missing because the employee may not see them: some, or all.
func (c *call) lack(all bool, section tool.Text, bases ...analysis.Base) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, b := range bases {
		c.lacking[b], c.closedBy[b] = c.lacking[b] || all, section
	}
}

// isHidden reports whether the employee may not see a measure, or would see a wrong one. All sources have been read. A
// measure is shown without what is only subtracted from its first base, which a notice says: sales without returns.
func (c *call) isHidden(m *analysis.Measure) bool {
	return c.lacking[m.Bases[0]] || slices.ContainsFunc(m.Bases, func(b analysis.Base) bool {
		_, lacks := c.lacking[b]
		return c.hidden[b] || m.Whole && lacks
	})
}

func (c *call) needs(bases ...analysis.Base) bool {
	return slices.ContainsFunc(bases, func(b analysis.Base) bool { return slices.Contains(c.plan.Bases, b) })
}

// ofLines reports whether bases need the lines of documents: the query uses a dimension of goods, or they are figures
// of lines.
func (c *call) ofLines(bases []analysis.Base) bool {
	return slices.ContainsFunc(c.fields, isOfGoods) ||
		slices.ContainsFunc(bases, func(b analysis.Base) bool {
			return b == measures.SaleLines || b == measures.Discounts || b == measures.Costs ||
				b == measures.CountedSum ||
				slices.Contains(c.catalogue.Quantities, b)
		})
}

// amounts returns the amounts of a fact, by the plan's bases.
func (c *call) amounts(only []analysis.Base, of map[analysis.Base]decimal.Maybe) []decimal.Maybe {
	list := make([]decimal.Maybe, len(c.plan.Bases))
	for i, b := range c.plan.Bases {
		if slices.Contains(only, b) {
			list[i] = of[b]
		}
	}
	return list
}
