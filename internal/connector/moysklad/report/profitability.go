package report

import (
	"cmp"
	"context"
	"slices"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/analyze"
	"github.com/stockhand/stockhand/internal/connector/moysklad/analyze/measures"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/connector/moysklad/wording"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

type profitInput struct {
	By        profitBy      `json:"by,omitempty"`
	From      tool.Day      `json:"from,omitempty" jsonschema:"first day; default: 30 days up to and including the last"`
	To        tool.Day      `json:"to,omitempty" jsonschema:"last day, included; default: today"`
	Order     profitOrder   `json:"order,omitempty"`
	Direction sortDirection `json:"direction,omitempty"`
	account.StoresArg
	account.GoodsArgs
	account.LimitArg
}

type profitBy string

func (profitBy) Schema() *jsonschema.Schema {
	return tool.DescribedEnum[profitBy]("default: product", "product", "variant", "employee",
		"counterparty", "sales_channel")
}

type profitOrder string

func (profitOrder) Schema() *jsonschema.Schema {
	return tool.DescribedEnum[profitOrder]("default: profit", "profit", "margin", "revenue",
		"quantity")
}

type sortDirection string

func (sortDirection) Schema() *jsonschema.Schema {
	return tool.DescribedEnum[sortDirection]("default: desc", "desc", "asc")
}

var profitability = preset[profitInput]{
	name:  "moysklad_profitability",
	title: tool.Text{RU: "Прибыльность", EN: "Profitability"},
	about: tool.Text{
		RU: "Выручка за вычетом возвратов, себестоимость, прибыль и маржа по товарам, модификациям, " +
			"сотрудникам, покупателям или каналам продаж, с долей выручки, себестоимость которой известна.",
		EN: "Revenue net of returns, cost, profit, margin, and the share of revenue whose cost is known: no margin " +
			"without it.",
	},
	needs: []tool.Need{account.NeedProfitReport, account.NeedCost},
	ask:   (*call).askProfit,
}

// subjectKind describes what the rows stand for.
type subjectKind struct {
	title tool.Text
	noun  wording.Noun
	goods bool
}

var subjectKinds = map[profitBy]subjectKind{
	"product":       {tool.Text{RU: "Товар", EN: "Item"}, wording.NounTitle, true},
	"variant":       {tool.Text{RU: "Модификация", EN: "Variant"}, wording.NounTitle, true},
	"employee":      {tool.Text{RU: "Сотрудник", EN: "Employee"}, wording.NounEmployee, false},
	"counterparty":  {tool.Text{RU: "Покупатель", EN: "Customer"}, wording.NounCounterparty, false},
	"sales_channel": {tool.Text{RU: "Канал продаж", EN: "Sales channel"}, wording.NounChannel, false},
}

// The measures that only this report shows.
var (
	soldGross = analysis.Measure{Name: "sold", Unit: tool.UnitQuantity, Adds: true,
		Bases: []analysis.Base{measures.QuantitySold},
		Over:  []string{"product", "variant", "group", "supplier", "store"}}
	uncovered = analysis.Measure{Name: "revenue_without_cost", Unit: tool.UnitMoney, Adds: true,
		Bases: []analysis.Base{measures.Covered, measures.Sales, measures.Returns},
		Over: []string{"product", "variant", "group", "supplier", "store", "employee", "counterparty",
			"sales_channel"},
		Of: func(of analysis.Sums) decimal.Maybe {
			covered := of(measures.Covered)
			return decimal.Maybe{Decimal: of(measures.Sales).Sub(of(measures.Returns).Decimal).Sub(covered.Decimal),
				Known: covered.Known}
		}}
)

// profitReport is the answer and what was asked.
type profitReport struct {
	*analyze.Answer
	in     profitInput
	kind   subjectKind
	period tool.Period
	scope  account.Filter
	hidden bool // costs
}

func (c *call) askProfit(ctx context.Context, in profitInput) (q analyze.Question, show func(*analyze.Answer) error,
	err error) {
	t := &profitReport{in: in, kind: subjectKinds[cmp.Or(in.By, "product")]}
	if t.period, err = c.Period(in.From, in.To); err != nil {
		return q, nil, err
	}
	if t.scope, err = c.Narrow(ctx, in.Stores, in.GoodsArgs); err != nil {
		return q, nil, err
	}
	q.From, q.To, q.By = t.period.From, t.period.To, []string{string(cmp.Or(in.By, "product"))}
	q.Measures = []string{"revenue", "sales", "returns", "cost", "profit", "margin", "cost_coverage", uncovered.Name}
	q.Own, q.Instead, q.Goods = []analysis.Measure{soldGross, uncovered}, true, t.scope.Goods
	order := string(cmp.Or(in.Order, "profit"))
	if t.kind.goods {
		q.Measures = append(q.Measures, "quantity", soldGross.Name, "quantity_returned")
	} else {
		q.Measures = append(q.Measures, "receipts")
		if order == "quantity" {
			order = "receipts"
		}
	}
	q.Order = []analysis.Order{{Field: order, Direction: analysis.Direction(cmp.Or(in.Direction, "desc"))},
		{Field: "revenue", Direction: analysis.Descending}}
	q.Where = scoped(t.scope)
	if in.By == "sales_channel" {
		q.Where = append(q.Where, analysis.Condition{Field: "sales_channel", Op: analysis.IsNotEmpty})
	}
	return q, func(a *analyze.Answer) error {
		t.Answer = a
		if a.Hidden("revenue") {
			c.Result.Answer = c.Refusal(account.SectionProfit)
			return nil
		}
		if in.By == "variant" && !a.Documents {
			if err := c.checkVariants(ctx, t); err != nil {
				return err
			}
		}
		c.showProfit(t)
		return nil
	}, nil
}

// value returns a measure of a row.
func (t *profitReport) value(r analysis.Row, measure string) decimal.Maybe {
	return t.Value(r, measure)
}

// total returns a measure of all rows.
func (t *profitReport) total(measure string) decimal.Maybe { return t.Value(t.Total, measure) }

func (c *call) showProfit(t *profitReport) {
	t.hidden = t.Hidden("profit")
	if t.hidden && t.order() == "revenue" { // the query has sorted by what is hidden
		sorted := account.Descending
		if t.in.Direction == "asc" {
			sorted = account.Ascending
		}
		slices.SortFunc(t.Rows, func(x, y analysis.Row) int {
			return account.Tie(sorted(t.value(x, "revenue"), t.value(y, "revenue")), nameOf(x), nameOf(y),
				msapi.ID(idOf(x)), msapi.ID(idOf(y)))
		})
	}
	columns := t.columns()
	tool.SetColumns(c.Result, c.Lang, columns, t.Rows)
	if len(t.Rows) > 0 && t.kind.goods {
		c.NoticeUnits(sumByUnit(t.Rows, unitOf, func(r analysis.Row) tool.Value {
			return tool.MaybeNumber(t.value(r, "quantity"))
		}))
	}
	tool.AddRows(c.Result, columns, head(c, t.Rows, t.in.Limit))
	c.Method(t.method())
	c.profitAnswer(t)
}

// checkVariants compares the report by variant, which has known gaps for old months (fact M83), with the one by
// employee, which counts the same sales in another way, for one request.
func (c *call) checkVariants(ctx context.Context, t *profitReport) error {
	var check decimal.Decimal
	err := account.Each(c.Call, c.Reader.Profit(ctx, msapi.ProfitByEmployee, account.ProfitScope(t.period, t.scope)),
		func(r msapi.ProfitRow) { check = check.Add(r.SellSum.Sub(r.ReturnSum.Decimal).Major()) })
	if revenue := t.total("revenue").Decimal; err == nil && check.Sub(revenue).Abs().Cmp(decimal.One) >= 0 {
		c.Notice(tool.NoticePartial,
			"Отчёт по модификациям неполон: выручка в нём "+tool.FormatMoney(revenue, t.Currency, "ru")+
				", а по сотрудникам за тот же период "+tool.FormatMoney(check, t.Currency, "ru")+".",
			"The report by variant is not whole: its revenue is "+tool.FormatMoney(revenue, t.Currency, "en")+
				", by employee over the same period it is "+tool.FormatMoney(check, t.Currency, "en")+".")
	}
	return err
}

// topLine returns the sentence about the first row, in terms of the sort order.
func (c *call) topLine(t *profitReport) string {
	top := t.Rows[0]
	most, least := tool.Text{RU: "Наибольшая прибыль", EN: "The highest profit"},
		tool.Text{RU: "Наименьшая прибыль", EN: "The lowest profit"}
	value := account.Rounded(t.value(top, "profit"), 2)
	switch t.order() {
	case "revenue":
		most, least = tool.Text{RU: "Наибольшая выручка", EN: "The highest revenue"},
			tool.Text{RU: "Наименьшая выручка", EN: "The lowest revenue"}
		value = tool.MaybeNumber(t.value(top, "revenue"))
	case "margin":
		most, least = tool.Text{RU: "Самая высокая маржа", EN: "The highest margin"},
			tool.Text{RU: "Самая низкая маржа", EN: "The lowest margin"}
		value = account.Rounded(t.value(top, "margin"), 1)
	case "quantity":
		most, least = tool.Text{RU: "Больше всего продаж", EN: "The most sales"},
			tool.Text{RU: "Меньше всего продаж", EN: "The fewest sales"}
		value = tool.MaybeNumber(t.value(top, "receipts"))
		if t.kind.goods {
			most, least = tool.Text{RU: "Больше всего продано (за вычетом возвратов)",
				EN: "The most sold (net of returns)"},
				tool.Text{RU: "Меньше всего продано (за вычетом возвратов)", EN: "The least sold (net of returns)"}
			value = tool.MaybeNumber(t.value(top, "quantity"))
		}
	}
	amount, ok := value.Decimal()
	if !ok || len(t.Rows) < 2 {
		return ""
	}
	text := tool.FormatQuantity(amount, c.Lang)
	switch t.order() {
	case "profit", "revenue":
		text = tool.FormatMoney(amount, t.Currency, c.Lang)
	case "margin":
		text = wording.Percent(amount, c.Lang)
	}
	name := c.Pick("(не указано)", "(not named)")
	if nameOf(top) != "" {
		name = wording.InQuotes(nameOf(top), c.Lang)
	}
	what := most.In(c.Lang)
	if t.in.Direction == "asc" {
		if what = least.In(c.Lang); t.order() == "profit" && amount.Sign() < 0 {
			what = c.Pick("Самый большой убыток", "The biggest loss")
		}
	}
	return what + c.Pick(" — "+name+": ", ": "+name+", ") + text + "."
}

// order returns the actual sort order: by revenue if there is no profit.
func (t *profitReport) order() profitOrder {
	order := cmp.Or(t.in.Order, "profit")
	if (order == "profit" || order == "margin") && t.hidden {
		return "revenue"
	}
	return order
}

// unitOf returns the unit of measure of a good.
func unitOf(r analysis.Row) string { return goodOf(r).Unit }

func (t *profitReport) columns() []column[analysis.Row] {
	of := func(c column[analysis.Row]) column[analysis.Row] { return c.WithTotal(c.Cell(t.Total)) }
	amount := func(name, measure, ru, en string) column[analysis.Row] {
		return of(money(name, ru, en, t.Currency, figure(t.Answer, measure)))
	}
	columns := []column[analysis.Row]{text("name", t.kind.title.RU, t.kind.title.EN, nameOf)}
	if t.kind.goods {
		sum := func(name, measure, ru, en string) column[analysis.Row] {
			return withSumByUnit(quantity(name, ru, en, figure(t.Answer, measure)), unitOf)
		}
		columns = append(columns,
			text("article", "Артикул", "Article", func(r analysis.Row) string { return goodOf(r).Article }).AsDetail(),
			text("code", "Код", "Code", func(r analysis.Row) string { return goodOf(r).Code }).AsDetail(),
			text("unit", "Ед.", "Unit", unitOf).AsDetail(),
			sum("quantity", "quantity", "Продано − возвраты", "Sold net of returns"),
			sum("sold", soldGross.Name, "Продано", "Sold").AsDetail(),
			sum("returned", "quantity_returned", "Возвращено", "Returned").AsDetail())
	} else {
		columns = append(columns, of(cells("sales_count", tool.UnitCount, "Продаж", "Sales",
			func(r analysis.Row) tool.Value { return tool.MaybeNumber(t.value(r, "receipts")) })))
	}
	cost := tool.Text{RU: "Себестоимость", EN: "Cost"}
	if t.FromPrices {
		cost = tool.Text{RU: "По закупочной цене", EN: "At purchase price"}
	}
	percent := func(name, measure, ru, en string) column[analysis.Row] {
		return of(percentage(name, ru, en, figure(t.Answer, measure))).HiddenIf(t.hidden)
	}
	return append(columns,
		amount("revenue", "revenue", "Выручка − возвраты", "Net revenue"),
		amount("sales_sum", "sales", "Продажи", "Sum of sales").AsDetail(),
		amount("returns_sum", "returns", "Возвраты", "Sum of returns").AsDetail().HiddenIf(t.Hidden("returns")),
		amount("cost", "cost", cost.RU, cost.EN).AsDetail().HiddenIf(t.hidden),
		amount("revenue_without_cost", uncovered.Name, "Выручка без себестоимости", "Revenue without cost").AsDetail().
			HiddenIf(t.hidden),
		amount("profit", "profit", "Прибыль", "Profit").HiddenIf(t.hidden),
		percent("margin_percent", "margin", "Маржа", "Margin"),
		percent("cost_known_percent", "cost_coverage", "Себест. известна", "Cost known"),
		text("id", "ID", "ID", idOf))
}

// method says where revenue comes from and which of it has a profit (rule R78).
func (t *profitReport) method() (ru, en string) {
	ru = "Отчёт «Прибыльность» по московскому времени; выручка — продажи минус возвраты."
	en = "The profitability report, Moscow time; revenue is sales minus returns."
	if t.Documents {
		ru = "«Прибыльность» закрыта правами: выручка сложена по проведённым отгрузкам и рознице минус возвраты, со " +
			"скидками, без отчётов комиссионера."
		en = "Profitability is closed by rights: revenue is added up from posted shipments and retail sales minus " +
			"returns, at discounted prices, without commission reports."
	}
	switch {
	case t.FromPrices:
		ru += " Вместо скрытой себестоимости взята нынешняя закупочная цена."
		en += " The present purchase price takes the place of the hidden cost."
	case !t.Documents:
		ru += " Прибыль и маржа — только по выручке с известной себестоимостью; нулевая не в счёт."
		en += " Profit and margin cover only revenue whose cost is known; a cost of zero does not count."
	}
	return ru, en
}

// noticeUncovered adds a notice about revenue without a known cost, which explains why the totals of revenue and cost
// differ by more than the profit, and why MoySklad's own profit is higher.
func (c *call) noticeUncovered(t *profitReport) {
	rest, known := t.total(uncovered.Name), t.total("cost_coverage")
	if !rest.Known || !known.Known || rest.Abs().Cmp(decimal.MustParse("0.01")) < 0 {
		return
	}
	reported := t.total("profit").Add(rest.Decimal)
	money := func(d decimal.Decimal, l stockhand.Language) string { return tool.FormatMoney(d, t.Currency, l) }
	if t.FromPrices {
		c.Notice(tool.NoticeCostPartial,
			"Выручка без закупочной цены, "+money(rest.Decimal, "ru")+", в прибыль и маржу не вошла.",
			"The revenue without a purchase price, "+money(rest.Decimal, "en")+", is in neither profit nor margin.")
		return
	}
	c.Notice(tool.NoticeCostPartial,
		"Себестоимость известна для "+wording.Percent(known.Decimal, "ru")+" выручки; остальная, "+
			money(rest.Decimal, "ru")+", в прибыль и маржу не вошла. МойСклад считает её прибылью целиком: у него "+
			money(reported, "ru")+".",
		"The cost of "+wording.Percent(known.Decimal, "en")+" of the revenue is known; the rest, "+
			money(rest.Decimal, "en")+", is in neither profit nor margin. MoySklad counts all of it as profit and "+
			"shows "+money(reported, "en")+".")
}

func (c *call) profitAnswer(t *profitReport) {
	when := wording.Span(t.period, c.Lang) + c.Narrowed(t.scope)
	if len(t.Rows) == 0 {
		c.Notice(tool.NoticeEmpty, "Продаж и возвратов по этим условиям за период нет.",
			"There were no such sales or returns in the period.")
		c.Result.Answer = c.Pick("Продаж "+when+" по этим условиям нет.", "There were no such sales "+when+".")
		if t.Documents {
			c.Result.Answer = c.Pick("Среди документов, которые видит сотрудник, продаж "+when+" нет; раздел «"+
				account.SectionProfit.RU+"» закрыт правами.",
				"None of the documents that the employee sees is a sale "+when+"; the section “"+
					account.SectionProfit.EN+
					"” is closed by rights.")
		}
		return
	}
	format := func(d decimal.Decimal) string { return tool.FormatMoney(d, t.Currency, c.Lang) }
	first := c.Pickf("Выручка %s за вычетом возвратов — %s (%s).", "Revenue %s net of returns is %s (%s).", when,
		format(t.total("revenue").Decimal), t.kind.noun.Count(c.Lang, len(t.Rows)))
	profit, margin, known := t.total("profit"), t.total("margin"), t.total("cost_coverage")
	var second string
	switch {
	case t.hidden:
		second = c.Pick("Прибыль и маржу показать нельзя: нет права «"+account.SectionCost.RU+"».",
			"Profit and margin cannot be shown: the right “"+account.SectionCost.EN+"” is missing.")
	case !margin.Known:
		second = c.Pick("Маржу посчитать нельзя: себестоимость этой выручки неизвестна (известна для 0 %).",
			"The margin cannot be computed: the cost of this revenue is unknown (known for 0%).")
	default:
		base := c.Pick("себестоимость известна для ", "cost is known for ")
		if t.FromPrices {
			base = c.Pick("от закупочной цены, потому что себестоимость скрыта правами; цена есть для ",
				"from the purchase price, because cost is hidden by rights; there is one for ")
		}
		second = c.Pickf("Прибыль %s, маржа %s (%s%s выручки).", "Profit %s, margin %s (%s%s of the revenue).",
			format(profit.Decimal), wording.Percent(margin.Decimal, c.Lang), base,
			wording.Percent(known.Decimal, c.Lang))
	}
	c.noticeUncovered(t)
	closed := ""
	if t.Documents {
		closed = c.Pick("Раздел «"+account.SectionProfit.RU+
			"» закрыт правами: посчитано по документам, которые видит сотрудник.", "The section “"+
			account.SectionProfit.EN+
			"” is closed by rights: computed from the documents that the employee sees.")
	}
	c.Result.Answer = wording.Sentences(first, second, c.topLine(t), closed)
}
