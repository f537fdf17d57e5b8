// Package answer shows an evaluated query: its table, the sentence that names what was applied, and what a change
// consists of. It reads nothing.
package answer

import (
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/analyze/measures"
	"github.com/stockhand/stockhand/internal/connector/moysklad/wording"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

// View is what an evaluated query is shown with.
type View struct {
	*account.Call
	Plan      *analysis.Plan
	Catalogue *analysis.Catalogue
	Currency  string                       // of the account
	Hidden    func(*analysis.Measure) bool // from the employee
	Now       bool                         // the figures are of now, and not of a period
	Lines     bool                         // documents were read with their lines
}

// column is a column of the answer's table.
type column = tool.TableColumn[analysis.Row]

// Show fills the result: the table, the sentence that names what was applied and what a change consists of, and the
// notices.
func (v View) Show(a *analysis.Answer) {
	columns := v.columns(a)
	v.Result.Title = v.title()
	tool.SetColumns(v.Result, v.Lang, columns, a.Rows)
	page := a.Page()
	tool.AddRows(v.Result, columns, page)
	if len(page) < len(a.Rows) {
		v.Noticef(tool.NoticeTruncated, "Показано строк: %d из %d; итоги — по всем.",
			"Rows shown: %d of %d; the totals cover all of them.", len(page), len(a.Rows))
	}
	if a.Mixed > 0 {
		v.noticeMixed(a.Mixed)
	} else if len(a.Rows) == 0 {
		v.noticeEmpty(a)
	}
	if v.Plan.Uses(measures.DimABC) && v.Plan.Shown[0].Unit == tool.UnitQuantity && a.Total.Now.Mixed() {
		v.Notice(tool.NoticeUnits, "Единицы измерения разные: классы ABC сравнивают штуки с килограммами и метрами, "+
			"итога нет.", "Units of measure differ: ABC classes compare pieces with kilograms and metres; there is no "+
			"total.")
	} else if a.Total.Now.Mixed() && slices.ContainsFunc(v.Plan.Bases, v.isQuantity) {
		v.Notice(tool.NoticeUnits, "Единицы измерения разные: количества не складывались.",
			"Units of measure differ: quantities were not added up.")
	}
	if v.Plan.Compares() && v.Plan.Period.Days() != v.Plan.Other.Days() {
		v.Noticef(tool.NoticeAssumption, "Периоды разной длины: %d и %d дней.",
			"The periods differ in length: %d and %d days.", v.Plan.Period.Days(), v.Plan.Other.Days())
	}
	v.cautions()
	v.Result.Answer = v.applied(a)
	method := wording.Upper(v.formulas()) + "."
	v.Method(method, method)
	if v.Plan.Explain {
		v.explain(a)
	}
}

func (v View) isQuantity(b analysis.Base) bool { return slices.Contains(v.Catalogue.Quantities, b) }

// noticeMixed says that a condition on a quantity could not be checked in some rows (rule R720).
func (v View) noticeMixed(rows int) {
	v.Noticef(tool.NoticeUnits, "Единицы измерения разные: в %s количества не складываются, поэтому условие на "+
		"количество там не проверить. Эти строки не вошли; по товарам условие работает.",
		"Units of measure differ: the quantities of %s have no sum, so the condition on a quantity cannot be checked "+
			"there. They are left out; by product the condition works.", wording.NounLineIn.Count(v.Lang, rows))
}

// noticeEmpty says that there are no rows, unless that is only because the employee may not see the figures.
func (v View) noticeEmpty(a *analysis.Answer) {
	switch {
	case slices.ContainsFunc(v.Plan.Shown, v.Hidden):
	case v.Now:
		v.Notice(tool.NoticeEmpty, "По этим условиям сейчас ничего нет.", "Nothing meets these conditions now.")
	case v.notWithin(a) != "":
		v.Notice(tool.NoticeEmpty, "За период подходящих продаж или закупок не было; более ранние не проверялись.",
			"Nothing in the period meets these conditions; earlier sales and purchases were not looked at.")
	default:
		v.Notice(tool.NoticeEmpty, "По этим условиям за период ничего нет.",
			"Nothing in the period meets these conditions.")
	}
}

func (v View) columns(a *analysis.Answer) []column {
	var columns []column
	for i, d := range v.Plan.Dims {
		columns = append(columns, column{Name: d.Name, Label: d.Title, Unit: unitOfKeys(d),
			Cell: func(r analysis.Row) tool.Value { return v.keyCell(d, r.Keys[i]) }})
	}
	if slices.ContainsFunc(v.Plan.Shown, func(m *analysis.Measure) bool { return m.Unit == tool.UnitQuantity }) &&
		!slices.Contains(v.Plan.By, measures.DimUnit) && len(v.Plan.By) > 0 {
		columns = append(columns, column{Name: "units", Label: words("Ед.", "Unit"), Unit: tool.UnitText, Detail: true,
			Cell: func(r analysis.Row) tool.Value {
				if r.Now == nil {
					return tool.Empty
				}
				return tool.TextValue(r.Now.Unit())
			}})
	}
	for _, m := range v.Plan.Shown {
		hidden := v.Hidden(m)
		of := func(suffix string, label tool.Text, unit tool.Unit, value func(analysis.Row) decimal.Maybe) {
			cell := func(r analysis.Row) tool.Value { return v.cell(m, unit, value(r)) }
			columns = append(columns, column{Name: m.Name + suffix, Label: label, Unit: unit, Hidden: hidden,
				Cell: cell, Total: func(all []analysis.Row) tool.Value {
					if len(all) > 1 && v.Catalogue.OfOne(m) {
						return tool.Empty
					}
					return cell(a.Total)
				}})
		}
		of("", m.Title, m.Unit, func(r analysis.Row) decimal.Maybe { return r.Value(m) })
		if !v.Plan.Compares() {
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
	if v.Plan.Share {
		percent("share", words("Доля", "Share"), func(r analysis.Row) decimal.Maybe { return r.Share })
	}
	if v.Plan.Cumulative {
		percent("cumulative", words("Нарастающим итогом", "Cumulative"),
			func(r analysis.Row) decimal.Maybe { return r.Cumulative })
	}
	for i, d := range v.Plan.Dims {
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

func (v View) keyCell(d *analysis.Dimension, k analysis.Key) tool.Value {
	switch {
	case k.ID == "" && unitOfKeys(d) != tool.UnitText:
		return tool.Empty
	case d.Type == analysis.Number:
		n, err := decimal.Parse(k.ID)
		return tool.MaybeNumber(decimal.Maybe{Decimal: n, Known: err == nil})
	case d.Type == analysis.Date:
		return tool.Date(tool.Day(k.ID))
	}
	return tool.TextValue(v.display(d, k))
}

// cell formats a figure once, at the end: percentages to one place, averages to kopecks.
func (v View) cell(m *analysis.Measure, unit tool.Unit, n decimal.Maybe) tool.Value {
	switch {
	case unit == tool.UnitPercent:
		return rounded(n, 1)
	case unit == tool.UnitDate && n.Known:
		return tool.Date(analysis.DayOf(n.Decimal))
	case unit == tool.UnitMoney:
		n.Decimal = n.Round(2)
		return tool.MaybeMoney(n, v.Currency)
	case m.Places > 0:
		return rounded(n, m.Places)
	}
	return tool.MaybeNumber(n)
}

func rounded(n decimal.Maybe, places int) tool.Value {
	n.Decimal = n.Round(places)
	return tool.MaybeNumber(n)
}

// notWithin says that the period has no sale or purchase where the last one is asked for, which is not never (rule
// R228); empty if it has one.
func (v View) notWithin(a *analysis.Answer) string {
	said := ""
	for _, m := range v.Plan.Shown {
		if !slices.ContainsFunc(m.Bases, func(b analysis.Base) bool {
			return b == measures.LastSale || slices.Contains(measures.LastPurchases, b)
		}) {
			continue
		}
		if v.Hidden(m) || slices.ContainsFunc(a.Rows, func(r analysis.Row) bool { return r.Value(m).Known }) {
			continue
		}
		what := words("закупок", "purchase")
		if slices.Contains(m.Bases, measures.LastSale) {
			what = words("продаж", "sale")
		}
		text := v.Pickf(" За период (%s) подходящих %s не было; раньше — не проверялось.",
			" There was no such %[2]s in the period (%[1]s); before it, none was looked for.",
			wording.NounDay.Count(v.Lang, v.Plan.Period.Days()), what.In(v.Lang))
		if !strings.Contains(said, text) {
			said += text
		}
	}
	return said
}

// cautions says what is easily misunderstood in the measures shown.
func (v View) cautions() {
	for _, m := range v.Plan.Shown {
		if m.Caution == (tool.Text{}) || m.Name == "receipts" && !v.Lines {
			continue
		}
		v.Notice(tool.NoticeAssumption, m.Title.RU+": "+m.Caution.RU+".", m.Title.EN+": "+m.Caution.EN+".")
	}
}

// formulas says how the first measures are computed; the catalogue has them all.
func (v View) formulas() string {
	var parts []string
	for _, m := range v.Plan.Shown[:min(len(v.Plan.Shown), 2)] {
		parts = append(parts, wording.Lower(m.Title.In(v.Lang))+" — "+m.Formula.In(v.Lang))
	}
	return strings.Join(parts, "; ")
}

func words(ru, en string) tool.Text { return tool.Text{RU: ru, EN: en} }
