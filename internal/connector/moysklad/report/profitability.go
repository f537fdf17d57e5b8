package report

import (
	"cmp"
	"context"
	"slices"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/connector/moysklad/wording"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
	"golang.org/x/sync/errgroup"
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
	return tool.DescribedEnum[profitBy]("whose profitability; default: product", "product", "variant", "employee",
		"counterparty", "sales_channel")
}

type profitOrder string

func (profitOrder) Schema() *jsonschema.Schema {
	return tool.DescribedEnum[profitOrder]("what to sort by; default: profit", "profit", "margin", "revenue",
		"quantity")
}

type sortDirection string

func (sortDirection) Schema() *jsonschema.Schema {
	return tool.DescribedEnum[sortDirection]("desc: greatest first (default); asc: least first", "desc", "asc")
}

func profitabilityTool(a *account.Account) tool.Tool {
	return reading(a, "moysklad_profitability",
		tool.Text{RU: "Прибыльность", EN: "Profitability"},
		tool.Text{
			RU: "Выручка за вычетом возвратов, себестоимость, прибыль и маржа по товарам, модификациям, " +
				"сотрудникам, покупателям или каналам продаж, с долей выручки, себестоимость которой известна.",
			EN: "Revenue net of returns, cost, profit and margin by product, variant, employee, customer or sales " +
				"channel, with the share of revenue whose cost is known.",
		}, (*call).profitability).Requires(account.NeedProfitReport, account.NeedCost)
}

// subjectKind describes what the rows stand for.
type subjectKind struct {
	report msapi.ProfitBy
	title  tool.Text
	noun   wording.Noun
	goods  bool
}

var subjectKinds = map[profitBy]subjectKind{
	"product":  {msapi.ProfitByProduct, tool.Text{RU: "Товар", EN: "Item"}, wording.NounTitle, true},
	"variant":  {msapi.ProfitByVariant, tool.Text{RU: "Модификация", EN: "Variant"}, wording.NounTitle, true},
	"employee": {msapi.ProfitByEmployee, tool.Text{RU: "Сотрудник", EN: "Employee"}, wording.NounEmployee, false},
	"counterparty": {msapi.ProfitByCounterparty, tool.Text{RU: "Покупатель", EN: "Customer"}, wording.NounCounterparty,
		false},
	"sales_channel": {msapi.ProfitBySalesChannel, tool.Text{RU: "Канал продаж", EN: "Sales channel"},
		wording.NounChannel, false},
}

// profitReport is everything read for the tool.
type profitReport struct {
	kind       subjectKind
	period     tool.Period
	scope      account.Filter
	currency   string
	list       []*profitLine
	total      *profitLine
	costHidden bool
	fromPrice  bool // the cost is the purchase price, because the real one is hidden
	documents  bool // revenue is computed from documents, because the report is not accessible
}

func (c *call) profitability(ctx context.Context, in profitInput) error {
	period, err := c.Period(in.From, in.To)
	if err != nil {
		return err
	}
	s, err := c.Narrow(ctx, in.Stores, in.GoodsArgs)
	if err != nil {
		return err
	}
	t := &profitReport{kind: subjectKinds[cmp.Or(in.By, "product")], period: period, scope: s}
	if err := c.readProfitReport(ctx, t); err != nil {
		if c.Denied(err, account.SectionProfit) {
			return c.profitFromDocuments(ctx, t, in)
		}
		return err
	}
	if t.costHidden {
		if err := c.costFromPrices(ctx, t); err != nil {
			return err
		}
	}
	c.showProfit(t, in)
	return nil
}

func (c *call) showProfit(t *profitReport, in profitInput) {
	sortProfitLines(t, in.order(t), in.Direction)
	c.profitResult(t, in.Limit)
	c.profitAnswer(t, in)
}

func (c *call) readProfitReport(ctx context.Context, t *profitReport) error {
	q := account.ProfitScope(t.period, t.scope)
	work, inner := errgroup.WithContext(ctx)
	work.Go(func() (err error) { t.currency, _, err = c.AccountCurrency(inner); return })
	var check decimal.Maybe
	work.Go(func() (err error) {
		if !t.kind.goods {
			t.list, t.total, t.costHidden, err = c.profitLinesBySubject(inner, t.kind.report, q)
			return err
		}
		t.list, t.costHidden, err = c.profitLines(inner, t.kind.report, q)
		return err
	})
	if t.kind.report == msapi.ProfitByVariant {
		work.Go(func() error {
			rows, err := c.profitRows(inner, msapi.ProfitByEmployee, q)
			check = decimal.Some(decimal.Zero)
			for _, r := range rows {
				check.Decimal = check.Add(r.SellSum.Sub(r.ReturnSum.Decimal).Major())
			}
			return err
		})
	}
	if err := work.Wait(); err != nil {
		return err
	}
	if t.total == nil {
		t.total = &profitLine{coveredKnown: !t.costHidden}
		for _, e := range t.list {
			t.total.add(e)
		}
	}
	// The report by variant has known gaps for old months (fact M83). The report by employee counts the same sales in
	// another way, for one request.
	if gap := check.Sub(t.total.revenue); check.Known && gap.Abs().Cmp(decimal.One) >= 0 {
		c.Notice(tool.NoticePartial,
			"Отчёт по модификациям неполон: выручка в нём "+tool.FormatMoney(t.total.revenue, t.currency, "ru")+
				", а по сотрудникам за тот же период "+tool.FormatMoney(check.Decimal, t.currency, "ru")+".",
			"The report by variant is not whole: its revenue is "+tool.FormatMoney(t.total.revenue, t.currency, "en")+
				", by employee over the same period it is "+tool.FormatMoney(check.Decimal, t.currency, "en")+".")
	}
	return nil
}

// topLine returns the sentence about the first row, in terms of the sort order.
func (c *call) topLine(t *profitReport, in profitInput) string {
	top := t.list[0]
	most, least := tool.Text{RU: "Наибольшая прибыль", EN: "The highest profit"},
		tool.Text{RU: "Наименьшая прибыль", EN: "The lowest profit"}
	value := account.Rounded(top.profit(), 2)
	switch in.order(t) {
	case "revenue":
		most, least = tool.Text{RU: "Наибольшая выручка", EN: "The highest revenue"},
			tool.Text{RU: "Наименьшая выручка", EN: "The lowest revenue"}
		value = tool.Number(top.revenue)
	case "margin":
		most, least = tool.Text{RU: "Самая высокая маржа", EN: "The highest margin"},
			tool.Text{RU: "Самая низкая маржа", EN: "The lowest margin"}
		value = account.Rounded(top.margin(), 1)
	case "quantity":
		most, least = tool.Text{RU: "Больше всего продаж", EN: "The most sales"},
			tool.Text{RU: "Меньше всего продаж", EN: "The fewest sales"}
		value = tool.MaybeNumber(top.deals)
		if t.kind.goods {
			most, least = tool.Text{RU: "Больше всего продано (за вычетом возвратов)",
				EN: "The most sold (net of returns)"},
				tool.Text{RU: "Меньше всего продано (за вычетом возвратов)", EN: "The least sold (net of returns)"}
			value = tool.MaybeNumber(top.net())
		}
	}
	amount, ok := value.Decimal()
	if !ok || len(t.list) < 2 {
		return ""
	}
	text := tool.FormatQuantity(amount, c.Lang)
	switch in.order(t) {
	case "profit", "revenue":
		text = tool.FormatMoney(amount, t.currency, c.Lang)
	case "margin":
		text = wording.Percent(amount, c.Lang)
	}
	name := c.Pick("(не указано)", "(not named)")
	if top.subject.Name != "" {
		name = wording.InQuotes(top.subject.Name, c.Lang)
	}
	what := most.In(c.Lang)
	if in.Direction == "asc" {
		if what = least.In(c.Lang); in.order(t) == "profit" && amount.Sign() < 0 {
			what = c.Pick("Самый большой убыток", "The biggest loss")
		}
	}
	return what + c.Pick(" — "+name+": ", ": "+name+", ") + text + "."
}

// order returns the actual sort order: by revenue if there is no profit.
func (in profitInput) order(t *profitReport) profitOrder {
	order := cmp.Or(in.Order, "profit")
	if (order == "profit" || order == "margin") && t.costHidden && !t.fromPrice {
		return "revenue"
	}
	return order
}

// costFromPrices replaces a hidden cost with the purchase price, if there is one (rule R16). Only goods have purchase
// prices; a price in another currency cannot be used as a cost.
func (c *call) costFromPrices(ctx context.Context, t *profitReport) error {
	c.Missing(account.SectionCost, "себестоимость и прибыль скрыты", "cost and profit are hidden")
	if !t.kind.goods || len(t.list) == 0 {
		return nil
	}
	keys := make([]msapi.Key, 0, len(t.list))
	for _, e := range t.list {
		keys = append(keys, e.subject.ID.Key())
	}
	items, err := c.DescribeAll(ctx, keys)
	if msapi.IsForbidden(err) {
		return nil
	}
	if err != nil {
		return err
	}
	_, of, err := c.AccountCurrency(ctx)
	if err != nil {
		return err
	}
	priced, services := 0, 0
	for _, e := range t.list {
		price := items[e.subject.ID.Key()].BuyPrice
		e.coveredKnown = true
		if net := e.net(); costless(e.subject) {
			e.cost, e.covered = decimal.Some(decimal.Zero), e.revenue
			services++
		} else if net.Known && price.Value.Known && price.Value.Sign() > 0 &&
			account.Iso(price.Currency, t.currency, of) == t.currency {
			e.cost, e.covered = decimal.Some(net.Mul(price.Value.Major())), e.revenue
			priced++
		}
	}
	if priced == 0 {
		for _, e := range t.list {
			e.coveredKnown = false
		}
		return nil
	}
	t.fromPrice = true
	t.total = &profitLine{coveredKnown: true}
	for _, e := range t.list {
		t.total.add(e)
	}
	c.noticePriced(priced, len(t.list)-services)
	return nil
}

func (c *call) noticePriced(priced, all int) {
	c.Noticef(tool.NoticeCostFromPrice,
		"Маржа посчитана от закупочной цены, а не от себестоимости; цена есть у %d из %d товаров.",
		"The margin is computed from the purchase price, not from cost; %d goods of %d have one.", priced, all)
}

func sortProfitLines(t *profitReport, order profitOrder, direction sortDirection) {
	key := func(e *profitLine) decimal.Maybe {
		switch {
		case order == "quantity" && t.kind.goods:
			return e.net()
		case order == "quantity":
			return e.deals
		case order == "margin":
			return e.margin()
		case order == "revenue":
			return decimal.Some(e.revenue)
		}
		return e.profit()
	}
	slices.SortStableFunc(t.list, func(x, y *profitLine) int {
		a, b := key(x), key(y)
		if direction == "asc" && a.Known && b.Known {
			a, b = b, a
		}
		return account.Tie(cmp.Or(account.Descending(a, b), y.revenue.Cmp(x.revenue)), x.subject.Name, y.subject.Name,
			x.subject.ID, y.subject.ID)
	})
}

func (c *call) profitResult(t *profitReport, limit account.Limit) {
	columns := profitColumns(t)
	tool.SetColumns(c.Result, c.Lang, columns, t.list)
	if len(t.list) > 0 && t.kind.goods {
		c.NoticeUnits(sumByUnit(t.list, unitOf, func(e *profitLine) tool.Value { return tool.MaybeNumber(e.net()) }))
	}
	tool.AddRows(c.Result, columns, head(c, t.list, limit))
	c.Method(profitMethod(t))
}

func unitOf(e *profitLine) string { return e.unit }

// profitColumns returns the columns of the report. The total is computed separately: it differs from the sum of the
// rows if some sales have no employee or channel.
func profitColumns(t *profitReport) []column[*profitLine] {
	hidden := t.costHidden && !t.fromPrice
	of := func(c column[*profitLine]) column[*profitLine] { return c.WithTotal(c.Cell(t.total)) }
	amount := func(name, ru, en string, cell func(*profitLine) decimal.Decimal) column[*profitLine] {
		return of(money(name, ru, en, t.currency, func(e *profitLine) decimal.Maybe { return decimal.Some(cell(e)) }))
	}
	columns := []column[*profitLine]{
		text("name", t.kind.title.RU, t.kind.title.EN, func(e *profitLine) string { return e.subject.Name }),
	}
	if t.kind.goods {
		columns = append(columns,
			text("article", "Артикул", "Article", func(e *profitLine) string { return e.subject.Article }).AsDetail(),
			text("code", "Код", "Code", func(e *profitLine) string { return e.subject.Code }).AsDetail(),
			text("unit", "Ед.", "Unit", unitOf).AsDetail(),
			withSumByUnit(quantity("quantity", "Продано − возвраты", "Sold net of returns",
				(*profitLine).net), unitOf),
			withSumByUnit(quantity("sold", "Продано", "Sold",
				func(e *profitLine) decimal.Maybe { return e.sold }), unitOf).AsDetail(),
			withSumByUnit(quantity("returned", "Возвращено", "Returned",
				func(e *profitLine) decimal.Maybe { return e.returned }), unitOf).AsDetail())
	} else {
		columns = append(columns, of(cells("sales_count", tool.UnitCount, "Продаж", "Sales",
			func(e *profitLine) tool.Value { return tool.MaybeNumber(e.deals) })))
	}
	cost := tool.Text{RU: "Себестоимость", EN: "Cost"}
	if t.fromPrice {
		cost = tool.Text{RU: "По закупочной цене", EN: "At purchase price"}
	}
	return append(columns,
		amount("revenue", "Выручка − возвраты", "Net revenue",
			func(e *profitLine) decimal.Decimal { return e.revenue }),
		amount("sales_sum", "Продажи", "Sum of sales",
			func(e *profitLine) decimal.Decimal { return e.sales }).AsDetail(),
		amount("returns_sum", "Возвраты", "Sum of returns",
			func(e *profitLine) decimal.Decimal { return e.returns }).AsDetail(),
		of(money("cost", cost.RU, cost.EN, t.currency, func(e *profitLine) decimal.Maybe { return e.cost })).
			AsDetail().HiddenIf(hidden),
		of(money("revenue_without_cost", "Выручка без себестоимости", "Revenue without cost", t.currency,
			(*profitLine).uncovered)).AsDetail().HiddenIf(hidden),
		of(money("profit", "Прибыль", "Profit", t.currency, (*profitLine).profit)).HiddenIf(hidden),
		of(percentage("margin_percent", "Маржа", "Margin", (*profitLine).margin)).HiddenIf(hidden),
		of(percentage("cost_known_percent", "Себест. известна", "Cost known", (*profitLine).known)).HiddenIf(hidden),
		text("id", "ID", "ID", func(e *profitLine) string { return string(e.subject.ID) }))
}

// profitMethod says where revenue comes from and which of it has a profit (rule R78).
func profitMethod(t *profitReport) (ru, en string) {
	ru = "Отчёт «Прибыльность» по московскому времени; выручка — продажи минус возвраты."
	en = "The profitability report, Moscow time; revenue is sales minus returns."
	if t.documents {
		ru = "«Прибыльность» закрыта правами: выручка сложена по проведённым отгрузкам и рознице минус возвраты, со " +
			"скидками, без отчётов комиссионера."
		en = "Profitability is closed by rights: revenue is added up from posted shipments and retail sales minus " +
			"returns, at discounted prices, without commission reports."
	}
	switch {
	case t.fromPrice:
		ru += " Вместо скрытой себестоимости взята нынешняя закупочная цена."
		en += " The present purchase price takes the place of the hidden cost."
	case !t.documents:
		ru += " Прибыль и маржа — только по выручке с известной себестоимостью; нулевая не в счёт."
		en += " Profit and margin cover only revenue whose cost is known; a cost of zero does not count."
	}
	return ru, en
}

// noticeUncovered adds a notice about revenue without a known cost, which explains why the totals of revenue and cost
// differ by more than the profit, and why MoySklad's own profit is higher.
func (c *call) noticeUncovered(t *profitReport) {
	rest := t.total.uncovered()
	known := t.total.known()
	if !rest.Known || !known.Known || rest.Abs().Cmp(decimal.MustParse("0.01")) < 0 {
		return
	}
	money := func(d decimal.Decimal, l stockhand.Language) string { return tool.FormatMoney(d, t.currency, l) }
	if t.fromPrice {
		c.Notice(tool.NoticeCostPartial,
			"Выручка без закупочной цены, "+money(rest.Decimal, "ru")+", в прибыль и маржу не вошла.",
			"The revenue without a purchase price, "+money(rest.Decimal, "en")+", is in neither profit nor margin.")
		return
	}
	c.Notice(tool.NoticeCostPartial,
		"Себестоимость известна для "+wording.Percent(known.Decimal, "ru")+" выручки; остальная, "+
			money(rest.Decimal, "ru")+", в прибыль и маржу не вошла. МойСклад считает её прибылью целиком: у него "+
			money(t.total.reported, "ru")+".",
		"The cost of "+wording.Percent(known.Decimal, "en")+" of the revenue is known; the rest, "+
			money(rest.Decimal, "en")+", is in neither profit nor margin. MoySklad counts all of it as profit and "+
			"shows "+money(t.total.reported, "en")+".")
}

func (c *call) profitAnswer(t *profitReport, in profitInput) {
	when := wording.Span(t.period, c.Lang) + c.Narrowed(t.scope)
	if len(t.list) == 0 {
		c.Notice(tool.NoticeEmpty, "Продаж и возвратов по этим условиям за период нет.",
			"There were no such sales or returns in the period.")
		c.Result.Answer = c.Pick("Продаж "+when+" по этим условиям нет.", "There were no such sales "+when+".")
		if t.documents {
			c.Result.Answer = c.Pick("Среди документов, которые видит сотрудник, продаж "+when+" нет; раздел «"+
				account.SectionProfit.RU+"» закрыт правами.",
				"None of the documents that the employee sees is a sale "+when+"; the section “"+
					account.SectionProfit.EN+
					"” is closed by rights.")
		}
		return
	}
	format := func(d decimal.Decimal) string { return tool.FormatMoney(d, t.currency, c.Lang) }
	first := c.Pickf("Выручка %s за вычетом возвратов — %s (%s).", "Revenue %s net of returns is %s (%s).", when,
		format(t.total.revenue), t.kind.noun.Count(c.Lang, len(t.list)))
	profit, margin, known := t.total.profit(), t.total.margin(), t.total.known()
	var second string
	switch {
	case t.costHidden && !t.fromPrice:
		second = c.Pick("Прибыль и маржу показать нельзя: нет права «"+account.SectionCost.RU+"».",
			"Profit and margin cannot be shown: the right “"+account.SectionCost.EN+"” is missing.")
	case !margin.Known:
		second = c.Pick("Маржу посчитать нельзя: себестоимость этой выручки неизвестна (известна для 0 %).",
			"The margin cannot be computed: the cost of this revenue is unknown (known for 0%).")
	default:
		base := c.Pick("себестоимость известна для ", "cost is known for ")
		if t.fromPrice {
			base = c.Pick("от закупочной цены, потому что себестоимость скрыта правами; цена есть для ",
				"from the purchase price, because cost is hidden by rights; there is one for ")
		}
		second = c.Pickf("Прибыль %s, маржа %s (%s%s выручки).", "Profit %s, margin %s (%s%s of the revenue).",
			format(profit.Decimal), wording.Percent(margin.Decimal, c.Lang), base,
			wording.Percent(known.Decimal, c.Lang))
	}
	c.noticeUncovered(t)
	closed := ""
	if t.documents {
		closed = c.Pick("Раздел «"+account.SectionProfit.RU+
			"» закрыт правами: посчитано по документам, которые видит сотрудник.", "The section “"+
			account.SectionProfit.EN+
			"” is closed by rights: computed from the documents that the employee sees.")
	}
	c.Result.Answer = wording.Sentences(first, second, c.topLine(t, in), closed)
}
