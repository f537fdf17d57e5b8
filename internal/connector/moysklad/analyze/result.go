package analyze

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/analyze/measures"
	"github.com/stockhand/stockhand/internal/connector/moysklad/wording"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

// column is a column of the answer's table.
type column = tool.TableColumn[analysis.Row]

// show fills the result: the table, the sentence that names what was applied, and the notices.
func (c *call) show(a *analysis.Answer) {
	columns := c.columns(a)
	tool.SetColumns(c.Result, c.Lang, columns, a.Rows)
	page := a.Page()
	tool.AddRows(c.Result, columns, page)
	if len(page) < len(a.Rows) {
		c.Noticef(tool.NoticeTruncated, "Показано строк: %d из %d; итоги — по всем.",
			"Rows shown: %d of %d; the totals cover all of them.", len(page), len(a.Rows))
	}
	if len(a.Rows) == 0 {
		c.noticeEmpty()
	}
	if c.plan.Uses(measures.DimABC) && c.plan.Shown[0].Unit == tool.UnitQuantity && a.Total.Now.Mixed() {
		c.Notice(tool.NoticeUnits, "Единицы измерения разные: классы ABC сравнивают штуки с килограммами и метрами, "+
			"итога нет.", "Units of measure differ: ABC classes compare pieces with kilograms and metres; there is no "+
			"total.")
	} else if a.Total.Now.Mixed() && c.needs(c.catalogue.Quantities...) {
		c.Notice(tool.NoticeUnits, "Единицы измерения разные: количества не складывались.",
			"Units of measure differ: quantities were not added up.")
	}
	if c.plan.Compares() && c.plan.Period.Days() != c.plan.Other.Days() {
		c.Noticef(tool.NoticeAssumption, "Периоды разной длины: %d и %d дней.",
			"The periods differ in length: %d and %d days.", c.plan.Period.Days(), c.plan.Other.Days())
	}
	c.cautions()
	c.Result.Answer = c.applied(a)
	method := wording.Upper(c.formulas()) + "."
	c.Method(method, method)
}

// noticeEmpty says that there are no rows, unless that is only because the employee may not see the figures.
func (c *call) noticeEmpty() {
	switch {
	case slices.ContainsFunc(c.plan.Shown, c.isHidden):
	case c.onlyStock():
		c.Notice(tool.NoticeEmpty, "По этим условиям сейчас ничего нет.", "Nothing meets these conditions now.")
	default:
		c.Notice(tool.NoticeEmpty, "По этим условиям за период ничего нет.",
			"Nothing in the period meets these conditions.")
	}
}

// blank reports whether a row has nothing but zeros, as a warehouse whose sales are all those of one nested in it.
func (c *call) blank(r analysis.Row) bool {
	if len(c.plan.Rows) > 0 || len(c.plan.By) == 0 {
		return false
	}
	for _, b := range c.plan.Bases {
		for _, g := range []*analysis.Group{r.Now, r.Before} {
			if g == nil {
				continue
			}
			if n := g.Sum(b); g.Mixed() || n.Known && n.Sign() != 0 {
				return false
			}
		}
	}
	return !c.onlyStock()
}

// nowBases are those of now, and not of a period.
var nowBases = slices.Concat(measures.StockBases, measures.MinimumBases, measures.OpenBases, measures.PriceBases,
	measures.AgentBases, []analysis.Base{measures.AccountBalance})

// onlyStock reports whether the query is about what there is now alone, where a good with no stock is a row.
func (c *call) onlyStock() bool {
	return !slices.ContainsFunc(c.plan.Bases, func(b analysis.Base) bool {
		return !slices.Contains(nowBases, b)
	})
}

// comparable refuses to compare what is only known now: the other period would have the same figures.
func (c *call) comparable() error {
	if !c.plan.Compares() || !c.needs(nowBases...) {
		return nil
	}
	return account.Invalid("compare", c.Pick(
		"остатки, цены, деньги на счетах, долги и невыполненные заказы известны только сейчас, поэтому их не с чем сравнить; "+
			"остаток на дату — stock_at_start, stock_at_end и stock_cost_at_end",
		"stock, prices, balances, debts and open orders are known only as of now, so there is nothing to compare them "+
			"with; stock at a date is stock_at_start, stock_at_end and stock_cost_at_end"))
}

func (c *call) columns(a *analysis.Answer) []column {
	var columns []column
	for i, d := range c.plan.Dims {
		columns = append(columns, column{Name: d.Name, Label: d.Title, Unit: unitOfKeys(d),
			Cell: func(r analysis.Row) tool.Value { return c.keyCell(d, r.Keys[i]) }})
	}
	if slices.ContainsFunc(c.plan.Shown, func(m *analysis.Measure) bool { return m.Unit == tool.UnitQuantity }) &&
		!slices.Contains(c.plan.By, measures.DimUnit) && len(c.plan.By) > 0 {
		columns = append(columns, column{Name: "units", Label: words("Ед.", "Unit"), Unit: tool.UnitText, Detail: true,
			Cell: func(r analysis.Row) tool.Value {
				if r.Now == nil {
					return tool.Empty
				}
				return tool.TextValue(r.Now.Unit())
			}})
	}
	for _, m := range c.plan.Shown {
		hidden := c.isHidden(m)
		of := func(suffix string, label tool.Text, unit tool.Unit, value func(analysis.Row) decimal.Maybe) {
			cell := func(r analysis.Row) tool.Value { return c.cell(m, unit, value(r)) }
			columns = append(columns, column{Name: m.Name + suffix, Label: label, Unit: unit, Hidden: hidden,
				Cell: cell, Total: func([]analysis.Row) tool.Value { return cell(a.Total) }})
		}
		of("", m.Title, m.Unit, func(r analysis.Row) decimal.Maybe { return r.Value(m) })
		if !c.plan.Compares() {
			continue
		}
		of("_before", words(m.Title.RU+", было", m.Title.EN+", before"), m.Unit,
			func(r analysis.Row) decimal.Maybe { return r.Other(m) })
		changes := m.Unit
		if changes == tool.UnitDate {
			changes = tool.UnitDays
		}
		of("_change", words("Изменение", "Change"), changes,
			func(r analysis.Row) decimal.Maybe { return r.Change(m) })
		if m.Unit != tool.UnitPercent && m.Unit != tool.UnitDate {
			of("_change_percent", words("Изменение, %", "Change, %"), tool.UnitPercent,
				func(r analysis.Row) decimal.Maybe { return r.Percent(m) })
		}
	}
	percent := func(name string, label tool.Text, of func(analysis.Row) decimal.Maybe) {
		columns = append(columns, column{Name: name, Label: label, Unit: tool.UnitPercent,
			Cell: func(r analysis.Row) tool.Value { return rounded(of(r), 1) }})
	}
	if c.plan.Share {
		percent("share", words("Доля", "Share"), func(r analysis.Row) decimal.Maybe { return r.Share })
	}
	if c.plan.Cumulative {
		percent("cumulative", words("Нарастающим итогом", "Cumulative"),
			func(r analysis.Row) decimal.Maybe { return r.Cumulative })
	}
	for i, d := range c.plan.Dims {
		if d.Step == "" {
			columns = append(columns, column{Name: d.Name + "_id", Label: words(d.Title.RU+", ID", d.Title.EN+" ID"),
				Unit: tool.UnitText, Detail: true,
				Cell: func(r analysis.Row) tool.Value { return tool.TextValue(r.Keys[i].ID) }})
		}
	}
	return columns
}

// unitOfKeys returns the unit of a dimension's column. Numbers and dates of additional fields are such in the table,
// too.
func unitOfKeys(d *analysis.Dimension) tool.Unit {
	switch d.Type {
	case analysis.Number:
		return tool.UnitNumber
	case analysis.Date:
		return tool.UnitDate
	case analysis.Text, analysis.Flag:
	}
	return tool.UnitText
}

func (c *call) keyCell(d *analysis.Dimension, k analysis.Key) tool.Value {
	switch {
	case k.ID == "" && unitOfKeys(d) != tool.UnitText:
		return tool.Empty
	case d.Type == analysis.Number:
		n, err := decimal.Parse(k.ID)
		return tool.MaybeNumber(decimal.Maybe{Decimal: n, Known: err == nil})
	case d.Type == analysis.Date:
		return tool.Date(tool.Day(k.ID))
	}
	return tool.TextValue(c.display(d, k))
}

// cell formats a figure once, at the end: percentages to one place, averages to kopecks.
func (c *call) cell(m *analysis.Measure, unit tool.Unit, n decimal.Maybe) tool.Value {
	switch {
	case unit == tool.UnitPercent:
		return rounded(n, 1)
	case unit == tool.UnitDate && n.Known:
		return tool.Date(analysis.DayOf(n.Decimal))
	case unit == tool.UnitMoney:
		n.Decimal = n.Round(2)
		return tool.MaybeMoney(n, c.currency)
	case m.Places > 0:
		return rounded(n, m.Places)
	}
	return tool.MaybeNumber(n)
}

func rounded(n decimal.Maybe, places int) tool.Value {
	n.Decimal = n.Round(places)
	return tool.MaybeNumber(n)
}

// applied names what was applied, in plain words, and the totals.
func (c *call) applied(a *analysis.Answer) string {
	titles := make([]string, len(c.plan.Shown))
	for i, m := range c.plan.Shown {
		titles[i] = m.Title.In(c.Lang)
		if i > 0 {
			titles[i] = lower(titles[i])
		}
	}
	var b strings.Builder
	b.WriteString(strings.Join(titles, ", "))
	for i, d := range c.plan.Dims {
		b.WriteString(map[bool]string{true: c.Pick(" — по: ", " by "), false: ", "}[i == 0])
		b.WriteString(lower(d.Title.In(c.Lang)))
	}
	if !c.onlyStock() {
		b.WriteString(", " + wording.Span(c.plan.Period, c.Lang))
	} else {
		b.WriteString(c.Pick(", сейчас", ", now"))
	}
	for _, f := range c.plan.Facts {
		b.WriteString("; " + lower(f.Dimension.Title.In(c.Lang)) + " " + c.condition(f.Condition))
	}
	for _, w := range c.plan.Rows {
		m, _ := c.catalogue.Measure(w.Field)
		b.WriteString("; " + lower(m.Title.In(c.Lang)) + " " + c.condition(w))
	}
	if c.plan.Compares() {
		b.WriteString(c.Pick("; сравнение ", "; compared with ") + wording.Span(c.plan.Other, c.Lang))
	}
	b.WriteString(".")
	if len(a.Rows) == 0 {
		hidden := 0
		for _, m := range c.plan.Shown {
			if c.isHidden(m) {
				hidden++
			}
		}
		if section, denied := c.FirstDenial(); denied && hidden == len(c.plan.Shown) {
			return c.Refusal(section)
		}
		if hidden > 0 {
			return b.String()
		}
		return b.String() + c.Pick(" Ничего не найдено.", " Nothing was found.")
	}
	b.WriteString(c.Pick(" Всего: ", " In total: "))
	var totals []string
	for _, m := range c.plan.Shown {
		v := c.cell(m, m.Unit, a.Total.Value(m))
		if v.IsEmpty() || c.isHidden(m) {
			continue
		}
		text := lower(m.Title.In(c.Lang)) + " " + v.Format(m.Unit, c.Lang)
		if change := a.Total.Change(m); c.plan.Compares() && change.Known {
			text += c.Pickf(" (было %s)", " (before: %s)", c.cell(m, m.Unit, a.Total.Other(m)).Format(m.Unit, c.Lang))
		}
		totals = append(totals, text)
	}
	if len(totals) == 0 {
		return strings.TrimSuffix(b.String(), c.Pick(" Всего: ", " In total: "))
	}
	b.WriteString(strings.Join(totals, ", ") + ".")
	if len(c.plan.By) > 0 {
		b.WriteString(" " + wording.Upper(wording.NounLine.Count(c.Lang, len(a.Rows))) + ".")
	}
	return b.String()
}

// condition puts a condition into words.
func (c *call) condition(w analysis.Condition) string {
	values := make([]string, len(w.Values))
	for i, v := range w.Values {
		values[i] = string(v)
	}
	list := strings.Join(values, ", ")
	switch w.Op {
	case analysis.Equal, analysis.In:
		return "= " + list
	case analysis.NotEqual, analysis.NotIn:
		return c.Pick("кроме ", "except ") + list
	case analysis.Between:
		return c.Pickf("от %s до %s", "from %s to %s", values[0], values[1])
	case analysis.Contains:
		return c.Pick("содержит ", "contains ") + list
	case analysis.IsEmpty:
		return c.Pick("не указано", "is empty")
	case analysis.IsNotEmpty:
		return c.Pick("указано", "is not empty")
	case analysis.Less, analysis.LessEqual, analysis.Greater, analysis.GreaterEqual:
	}
	return fmt.Sprintf("%s %s", w.Op, list)
}

// cautions says what is easily misunderstood in the measures shown.
func (c *call) cautions() {
	for _, m := range c.plan.Shown {
		if m.Caution == (tool.Text{}) || m.Name == "receipts" && !c.ofLines(c.plan.Bases) {
			continue
		}
		c.Notice(tool.NoticeAssumption, m.Title.RU+": "+m.Caution.RU+".", m.Title.EN+": "+m.Caution.EN+".")
	}
}

// formulas says how the first measures are computed; the catalogue has them all.
func (c *call) formulas() string {
	var parts []string
	for _, m := range c.plan.Shown[:min(len(c.plan.Shown), 2)] {
		parts = append(parts, lower(m.Title.In(c.Lang))+" — "+m.Formula.In(c.Lang))
	}
	return strings.Join(parts, "; ")
}

// lower starts a text in lower case.
func lower(s string) string {
	_, size := utf8.DecodeRuneInString(s)
	return strings.ToLower(s[:size]) + s[size:]
}
