package report

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/analyze"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/connector/moysklad/wording"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
	"golang.org/x/sync/errgroup"
)

type abcInput struct {
	From tool.Day `json:"from,omitempty" jsonschema:"first day; default: 30 days up to and including the last"`
	To   tool.Day `json:"to,omitempty" jsonschema:"last day, included; default: today"`
	By   abcBy    `json:"by,omitempty"`
	account.StoresArg
	Groups    []string `json:"groups,omitempty" jsonschema:"groups of goods, by name, path or id; nested groups count in"`
	Suppliers []string `json:"suppliers,omitempty" jsonschema:"suppliers of the goods, by name or id"`
	account.LimitArg
}

type abcBy string

func (abcBy) Schema() *jsonschema.Schema {
	return tool.DescribedEnum[abcBy]("default: revenue", "revenue", "profit", "quantity")
}

func abcTool(a *account.Account) tool.Tool {
	return reading(a, "moysklad_abc_xyz",
		tool.Text{RU: "ABC/XYZ-анализ", EN: "ABC/XYZ analysis"},
		tool.Text{
			RU: "Какие товары дают основную выручку, прибыль или количество (A, B, C) и насколько ровно они " +
				"продаются (X, Y, Z).",
			EN: "Classes of goods: A, B, C by share; X, Y, Z by how evenly they sell, which needs a long period.",
		}, (*call).abc).Requires(account.Vital(account.SectionProfit), account.NeedProfitClasses)
}

// abcLine is a good with its sales per slice.
type abcLine struct {
	subject          msapi.Ref
	unit             string
	quantity         decimal.Decimal // net of returns, as the revenue
	revenue          decimal.Decimal
	value            decimal.Decimal
	parts            []decimal.Decimal // net quantity per slice
	share, cumulated decimal.Decimal
	abc, xyz         string
	variation        decimal.Maybe // percent
	known            bool          // the value is known
}

func (c *call) abc(ctx context.Context, in abcInput) error {
	period, err := c.PastPeriod(in.From, in.To)
	if err != nil {
		return err
	}
	s, err := c.Narrow(ctx, in.Stores, account.GoodsArgs{Groups: in.Groups, Suppliers: in.Suppliers})
	if err != nil {
		return err
	}
	by := cmp.Or(in.By, "revenue")
	parts := analysis.SlicesXYZ(period)
	lists := make([][]msapi.ProfitRow, len(parts))
	var currency string
	work, inner := errgroup.WithContext(ctx)
	work.Go(func() (err error) { currency, _, err = c.AccountCurrency(inner); return })
	for i, p := range parts {
		work.Go(func() error {
			return account.Each(c.Call, c.Reader.Profit(inner, msapi.ProfitByProduct, account.ProfitScope(p, s)),
				func(r msapi.ProfitRow) { lists[i] = append(lists[i], r) })
		})
	}
	if err := work.Wait(); err != nil {
		return c.Refuse(err, account.SectionProfit)
	}
	sees := account.CostVisibility{Rights: c.Rights}
	for _, r := range slices.Concat(lists...) {
		sees.Observe(r.SellCostSum)
	}
	if by == "profit" && sees.Hidden() {
		c.Missing(account.SectionCost, "классы по прибыли посчитать нельзя", "classes by profit cannot be computed")
		c.Result.Answer = c.Refusal(account.SectionCost)
		return nil
	}
	lines := c.abcLines(lists, by)
	classify(lines, parts)
	c.abcResult(lines, parts, s, by, currency, in.Limit)
	return nil
}

// abcLines adds up the slices by good. It adds the rows before judging their cost, so that a good whose cost is known
// in only one slice is treated as in the report over the whole period.
func (c *call) abcLines(lists [][]msapi.ProfitRow, by abcBy) []*abcLine {
	type sums struct {
		msapi.ProfitRow
		parts []decimal.Decimal
	}
	at := map[msapi.Key]*sums{}
	var order []*sums
	for i, rows := range lists {
		for _, r := range rows {
			k := r.Subject.ID.Key()
			s := at[k]
			if s == nil {
				s = &sums{ProfitRow: msapi.ProfitRow{Subject: r.Subject, Unit: r.Unit},
					parts: make([]decimal.Decimal, len(lists))}
				at[k] = s
				order = append(order, s)
			}
			s.parts[i] = s.parts[i].Add(r.SellQuantity.Sub(r.ReturnQuantity.Decimal))
			for _, n := range []struct{ to, from *decimal.Maybe }{
				{&s.SellQuantity, &r.SellQuantity}, {&s.ReturnQuantity, &r.ReturnQuantity}, {&s.SellSum, &r.SellSum},
				{&s.ReturnSum, &r.ReturnSum}, {&s.SellCostSum, &r.SellCostSum}, {&s.ReturnCostSum, &r.ReturnCostSum},
			} {
				*n.to = decimal.Maybe{Decimal: n.to.Add(n.from.Decimal), Known: n.to.Known || n.from.Known}
			}
		}
	}
	lines := make([]*abcLine, len(order))
	var all, unknown decimal.Decimal
	for i, s := range order {
		l := &abcLine{subject: s.Subject, unit: s.Unit, parts: s.parts, known: true,
			quantity: s.SellQuantity.Sub(s.ReturnQuantity.Decimal), revenue: s.SellSum.Sub(s.ReturnSum.Decimal).Major()}
		lines[i] = l
		all = all.Add(l.revenue)
		switch by {
		case "profit":
			if l.known = analyze.CostKnown(s.ProfitRow); !l.known {
				unknown = unknown.Add(l.revenue)
				continue
			}
			l.value = l.revenue.Sub(s.SellCostSum.Sub(s.ReturnCostSum.Decimal).Major())
		case "quantity":
			l.value = l.quantity
		default:
			l.value = l.revenue
		}
	}
	if p := account.Share(all.Sub(unknown), all); by == "profit" && p.Known && unknown.Sign() != 0 {
		c.Notice(tool.NoticeCostPartial,
			"Себестоимость известна для "+wording.Percent(p.Decimal, "ru")+
				" выручки; товары без неё в классы по прибыли не попали.",
			"The cost of "+wording.Percent(p.Decimal, "en")+
				" of the revenue is known; goods without one are in no class by profit.")
	}
	return lines
}

// classify assigns the classes. A: the goods that together make up the first 80 percent of the value, B: up to 95, C:
// the rest. The first good is always A; a good without a positive value is always C. X: the quantity sold per day
// varies by at most 10 percent over the slices, Y: at most 25, Z: more.
func classify(lines []*abcLine, parts []tool.Period) {
	slices.SortFunc(lines, func(x, y *abcLine) int {
		kx, ky := decimal.Maybe{Decimal: x.value, Known: x.known}, decimal.Maybe{Decimal: y.value, Known: y.known}
		return account.Tie(cmp.Or(account.Descending(kx, ky), y.revenue.Cmp(x.revenue)), x.subject.Name, y.subject.Name,
			x.subject.ID, y.subject.ID)
	})
	var all, sum decimal.Decimal
	values := make([]decimal.Maybe, len(lines))
	for i, l := range lines {
		if values[i] = (decimal.Maybe{Decimal: l.value, Known: l.known}); l.known {
			all = all.Add(l.value.Max(decimal.Zero))
		}
	}
	classes := analysis.ABC(values)
	for i, l := range lines {
		l.xyz, l.variation = analysis.XYZ(l.parts, parts)
		if l.abc = classes[i]; l.known && l.value.Sign() > 0 {
			sum = sum.Add(l.value)
			l.share, l.cumulated = l.value.Mul(decimal.Hundred).Div(all), sum.Mul(decimal.Hundred).Div(all)
		}
	}
}

// abcWords returns what the shares refer to.
func abcWords(by abcBy) (column, of tool.Text) {
	switch by {
	case "profit":
		return tool.Text{RU: "Прибыль", EN: "Profit"}, tool.Text{RU: "прибыли", EN: "profit"}
	case "quantity":
		return tool.Text{RU: "Продано − возвраты", EN: "Sold net of returns"},
			tool.Text{RU: "количества", EN: "quantity"}
	}
	return tool.Text{RU: "Выручка − возвраты", EN: "Net revenue"}, tool.Text{RU: "выручки", EN: "revenue"}
}

func abcColumns(by abcBy, currency string) []column[*abcLine] {
	label, _ := abcWords(by)
	amount := func(l *abcLine) decimal.Maybe { return decimal.Maybe{Decimal: l.value, Known: l.known} }
	value := money("value", label.RU, label.EN, currency, amount).WithSum()
	if by == "quantity" {
		value = withSumByUnit(quantity("value", label.RU, label.EN, amount), func(l *abcLine) string { return l.unit })
	}
	counted := func(l *abcLine, n decimal.Decimal) decimal.Maybe {
		return decimal.Maybe{Decimal: n, Known: l.known && l.value.Sign() > 0}
	}
	return []column[*abcLine]{
		text("name", "Товар", "Item", func(l *abcLine) string { return l.subject.Name }),
		text("article", "Артикул", "Article", func(l *abcLine) string { return l.subject.Article }).AsDetail(),
		text("code", "Код", "Code", func(l *abcLine) string { return l.subject.Code }).AsDetail(),
		text("class", "Класс", "Class", func(l *abcLine) string { return l.abc + l.xyz }),
		text("abc", "ABC", "ABC", func(l *abcLine) string { return l.abc }).AsDetail(),
		text("xyz", "XYZ", "XYZ", func(l *abcLine) string { return l.xyz }).AsDetail(),
		value,
		percentage("share_percent", "Доля", "Share", func(l *abcLine) decimal.Maybe { return counted(l, l.share) }),
		percentage("cumulative_percent", "Накопленная доля", "Cumulative share",
			func(l *abcLine) decimal.Maybe { return counted(l, l.cumulated) }),
		quantity("quantity", "Продано − возвраты", "Sold net of returns",
			func(l *abcLine) decimal.Maybe { return decimal.Some(l.quantity) }).AsDetail(),
		percentage("variation_percent", "Колебание продаж", "Variation of sales",
			func(l *abcLine) decimal.Maybe { return l.variation }),
		text("id", "ID", "ID", func(l *abcLine) string { return string(l.subject.ID) }),
	}
}

func (c *call) abcResult(lines []*abcLine, parts []tool.Period, s account.Filter, by abcBy, currency string,
	limit account.Limit) {
	_, words := abcWords(by)
	groups := map[string]int{}
	sums := map[string]decimal.Decimal{}
	var all decimal.Decimal
	for _, l := range lines {
		groups[l.abc]++
		sums[l.abc] = sums[l.abc].Add(l.value)
		all = all.Add(l.value)
		if l.xyz == "X" && l.abc == "A" {
			groups["AX"]++
		}
	}
	columns := abcColumns(by, currency)
	show(c, columns, lines, limit)
	if units := sumByUnit(lines, func(l *abcLine) string { return l.unit },
		func(l *abcLine) tool.Value { return tool.Number(l.quantity) }); by == "quantity" && len(units) > 1 {
		c.Notice(tool.NoticeUnits,
			"Единицы измерения разные: в долях количества штуки сравниваются с килограммами и метрами, итога нет.",
			"Units of measure differ: shares of the quantity compare pieces with kilograms and metres; there is no "+
				"total.")
	}
	c.Method(fmt.Sprintf("По отчёту «Прибыльность»: A — товары, дающие первые 80 %% %s, B — до 95 %%, C — остальные. "+
		"X — дневные продажи по %s периода колеблются не больше чем на 10 %%, Y — до 25 %%, Z — сильнее.", words.RU,
		wording.NounSliceBy.Count("ru", len(parts))),
		fmt.Sprintf("From the profitability report: A are goods that bring the first 80%% of the %s, B up to 95%%, C "+
			"the rest. X: daily sales over %s vary by at most 10%%, Y: up to 25%%, Z: more.", words.EN,
			wording.NounSliceBy.Count("en", len(parts))))
	period := *c.Result.Provenance.Period
	if len(parts) < 3 {
		c.Notice(tool.NoticeAssumption, "Период короче трёх недель: насколько ровно идут продажи (XYZ), по нему не "+
			"понять.",
			"The period is shorter than three weeks: too short to judge how evenly goods sell (XYZ).")
	}
	if len(lines) == 0 {
		c.Notice(tool.NoticeEmpty, "Продаж за период нет.", "There were no sales in the period.")
		c.Result.Answer = c.Pick("Продаж "+wording.Span(period, c.Lang)+" нет, делить на классы нечего.",
			"There were no sales "+
				wording.Span(period, c.Lang)+", nothing to classify.")
		return
	}
	part := func(class string) string {
		p := account.Share(sums[class], all)
		if !p.Known {
			return "—"
		}
		return wording.Percent(p.Decimal, c.Lang)
	}
	when, even := wording.Span(period, c.Lang), ""
	when += c.Narrowed(s)
	if len(parts) >= 3 {
		even = c.Pickf("Среди A ровно продаются (X): %d.", "Of A, %d sell evenly (X).", groups["AX"])
	}
	c.Result.Answer = wording.Sentences(c.Pick(
		fmt.Sprintf("%s класс A: %s (%s %s), B: %s (%s), C: %s (%s).", wording.Upper(when),
			wording.NounTitle.Count(c.Lang, groups["A"]),
			part("A"), words.RU, wording.NounTitle.Count(c.Lang, groups["B"]), part("B"),
			wording.NounTitle.Count(c.Lang, groups["C"]),
			part("C")),
		fmt.Sprintf("%s, class A: %s (%s of the %s), B: %s (%s), C: %s (%s).", wording.Upper(when),
			wording.NounTitle.Count(c.Lang, groups["A"]), part("A"), words.EN,
			wording.NounTitle.Count(c.Lang, groups["B"]), part("B"),
			wording.NounTitle.Count(c.Lang, groups["C"]), part("C"))), even)
}
