package answer

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/analyze/measures"
	"github.com/stockhand/stockhand/internal/connector/moysklad/analyze/values"
	"github.com/stockhand/stockhand/internal/connector/moysklad/wording"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

// applied names what was applied, in plain words, then the first row and the totals (rule R275).
func (v View) applied(a *analysis.Answer) string {
	var b strings.Builder
	b.WriteString(v.asked((*analysis.Measure).Said))
	b.WriteString(v.time())
	for _, f := range v.Plan.Facts {
		b.WriteString("; " + v.filter(f))
	}
	for _, w := range slices.Concat(v.Plan.Rows, v.Plan.Elsewhere) {
		b.WriteString("; " + v.condition(w))
	}
	if v.Plan.Compares() {
		b.WriteString(v.Pick("; по сравнению с периодом ", "; compared with the period ") +
			wording.Span(v.Plan.Other, v.Lang))
	}
	b.WriteString(v.ofEach())
	if len(a.Rows) == 0 {
		return v.nothing(a, b.String()+".")
	}
	totals := v.totals(a)
	if len(v.Plan.By) == 0 && len(totals) > 0 && v.asksOne() { // "Revenue, today — 500 ₽."
		b.WriteString(" — " + strings.Join(totals, ", ") + ".")
	} else {
		b.WriteString("." + v.highlights(a) + cmp.Or(v.eachFirst(a), v.first(a)))
		if all := strings.Join(totals, ", "); len(totals) > 0 {
			switch {
			case !v.asksOne():
				b.WriteString(v.Pick(" Всего: ", " In total: ") + all + ".")
			case v.Plan.Shown[0].Adds:
				b.WriteString(v.Pick(" Всего ", " In total ") + all + ".")
			default:
				b.WriteString(v.Pick(" В целом ", " Overall ") + all + ".")
			}
		}
	}
	b.WriteString(v.notWithin(a))
	if len(v.Plan.By) > 0 {
		b.WriteString(" " + wording.Upper(v.rowNoun(a).Count(v.Lang, len(a.Rows))) + ".")
	}
	return b.String()
}

// longestTitle is the longest heading of a table, in characters.
const longestTitle = 80

// title is the heading of the table: "Выручка по складам". A longer one would repeat the first line.
func (v View) title() string {
	title := v.asked(func(m *analysis.Measure, l stockhand.Language) string { return wording.Lower(m.Title.In(l)) })
	if utf8.RuneCountInString(title) > longestTitle {
		return v.Result.Title
	}
	return title
}

// asked names the measures and the breakdown.
func (v View) asked(name func(*analysis.Measure, stockhand.Language) string) string {
	var titles []string
	for _, m := range v.Plan.Shown {
		if v.beside(m) {
			continue
		}
		titles = append(titles, name(m, v.Lang))
	}
	var by, others []string
	for _, d := range v.Plan.Dims {
		if plural := dative[d.Name]; plural != "" || v.Lang != "ru" {
			by = append(by, cmp.Or(v.Pick(plural, ""), wording.Lower(d.Title.EN)))
		} else {
			others = append(others, wording.Lower(d.Title.RU))
		}
	}
	text := wording.Upper(strings.Join(titles, ", "))
	if len(by) > 0 {
		text += v.Pick(" по ", " by ") + strings.Join(by, v.Pick(" и ", " and "))
	}
	if len(others) > 0 {
		text += " — по: " + strings.Join(others, ", ")
	}
	return text
}

// asksOne reports whether one measure was asked for.
func (v View) asksOne() bool {
	return !slices.ContainsFunc(v.Plan.Shown[1:], func(m *analysis.Measure) bool { return !v.beside(m) })
}

// beside reports whether a measure was not asked for, but is shown beside one that was, as the coverage of costs is.
func (v View) beside(m *analysis.Measure) bool {
	return slices.ContainsFunc(v.Plan.Shown, func(o *analysis.Measure) bool { return o.With == m.Name }) &&
		!slices.Contains(v.Plan.Query.Measures, m.Name)
}

// dative are the plurals of dimensions after "по".
var dative = map[string]string{"product": "товарам", "variant": "модификациям", "kind": "видам", "group": "группам",
	"supplier": "поставщикам", "unit": "единицам",
	"article": "артикулам", "barcode": "штрихкодам", "country": "странам",
	"abc": "классам ABC", "xyz": "классам XYZ", "rfm": "классам RFM", "price_type": "типам цен", "store": "складам",
	"legal_entity": "юрлицам", "counterparty": "контрагентам", "tag": "группам контрагентов", "employee": "сотрудникам",
	"sales_channel": "каналам продаж", "project": "проектам", "contract": "договорам", "state": "статусам",
	"currency": "валютам", "expense_item": "статьям расходов", "account": "счетам и кассам",
	"document_type": "видам документов", "document": "документам", "day": "дням", "week": "неделям", "month": "месяцам",
	"quarter": "кварталам", "year": "годам", "weekday": "дням недели", "hour": "часам"}

// time names the period. Beside figures of a period, those of now are named as such.
func (v View) time() string {
	if v.Now {
		return v.Pick(", сейчас", ", now")
	}
	text := ", " + wording.Span(v.Plan.Period, v.Lang)
	if v.Plan.Query.From == "" && v.Plan.Query.To == "" {
		days := wording.NounDay.Count(v.Lang, v.Plan.Period.Days())
		text = v.Pickf(", за последние %s (%s)", ", the last %s (%s)", days, wording.Span(v.Plan.Period, v.Lang))
	} else if p := v.Plan.Period; p.To == account.Today(v.Env) && p.From != p.To {
		text += v.Pick(" (по сегодня)", " (up to today)")
	}
	var now []string
	for _, m := range v.Plan.Shown {
		if m.Now {
			now = append(now, m.Said(v.Lang))
		}
	}
	if len(now) > 0 {
		text += v.Pickf("; %s — сейчас", "; %s: now", strings.Join(now, ", "))
	}
	return text
}

// nothing is the answer without rows.
func (v View) nothing(a *analysis.Answer, applied string) string {
	hidden := 0
	for _, m := range v.Plan.Shown {
		if v.Hidden(m) {
			hidden++
		}
	}
	if section, denied := v.FirstDenial(); denied && hidden == len(v.Plan.Shown) {
		return v.Refusal(section)
	}
	if hidden > 0 {
		return applied
	}
	if a.Mixed > 0 {
		return applied + v.Pick(" Единицы измерения разные, поэтому условие на количество не проверить.",
			" Units of measure differ, so the condition on a quantity cannot be checked.")
	}
	return applied + cmp.Or(v.notWithin(a), v.Pick(" Ничего не найдено.", " Nothing was found."))
}

// first names the first row of a ranking and its figure.
func (v View) first(a *analysis.Answer) string {
	if len(v.Plan.By) == 0 || len(a.Rows) < 2 || v.Plan.Explain { // a change has its own sentence
		return ""
	}
	m, direction := v.Plan.Shown[0], analysis.Descending
	switch {
	case len(v.Plan.Order) > 0:
		i := slices.IndexFunc(v.Plan.Shown, func(m *analysis.Measure) bool { return m.Name == v.Plan.Order[0].Field })
		if i < 0 {
			return ""
		}
		m, direction = v.Plan.Shown[i], cmp.Or(v.Plan.Order[0].Direction, direction)
	case v.Plan.Dims[0].Step != "":
		return ""
	}
	row := a.Rows[0]
	value, changed := v.cell(m, m.Unit, row.Value(m)), len(v.Plan.Order) > 0 && v.Plan.Order[0].Change
	if changed {
		value = v.cell(m, m.Unit, row.Change(m))
	}
	if value.IsEmpty() || v.Hidden(m) || slices.ContainsFunc(a.Rows, func(r analysis.Row) bool {
		return r.Now.Parts(m) != nil // quantities in several units do not compare (rule R1106)
	}) {
		return ""
	}
	var keys []string
	for i, d := range v.Plan.Dims {
		keys = append(keys, v.quoted(d, row.Keys[i]))
	}
	text := v.spoken(m, value)
	if !v.asksOne() {
		text = m.Said(v.Lang) + " " + text
	}
	return fmt.Sprintf(" %s — %s: %s.", foremost(m, direction, changed).In(v.Lang), strings.Join(keys, ", "), text)
}

// foremost returns words in front of the first row of a ranking by a measure, or by its change.
func foremost(m *analysis.Measure, direction analysis.Direction, changed bool) tool.Text {
	ascending := direction == analysis.Ascending
	switch {
	case changed && ascending:
		return words("Сильнее всего снизилось", "The largest decrease")
	case changed:
		return words("Сильнее всего выросло", "The largest increase")
	case m.Unit == tool.UnitDate && ascending:
		return words("Раньше всего", "The earliest")
	case m.Unit == tool.UnitDate:
		return words("Позже всего", "The latest")
	case m.Unit == tool.UnitDays && ascending:
		return words("Быстрее всего", "The shortest")
	case m.Unit == tool.UnitDays:
		return words("Дольше всего", "The longest")
	case !m.Adds && ascending:
		return words("Ниже всего", "The lowest")
	case !m.Adds:
		return words("Выше всего", "The highest")
	case ascending:
		return words("Меньше всего", "The least")
	}
	return words("Больше всего", "The most")
}

// spoken formats a figure of a measure for a sentence: days with their unit, which is in the heading of a column.
func (v View) spoken(m *analysis.Measure, value tool.Value) string {
	text := value.Format(m.Unit, v.Lang)
	n, known := value.Decimal()
	if m.Unit != tool.UnitDays || !known {
		return text
	}
	return text + " " + wording.NounDay.Form(v.Lang, int(n.Round(0).Float64())) // rounded as the text is
}

// totals are the totals of the measures, with those of the period compared with.
func (v View) totals(a *analysis.Answer) (totals []string) {
	for _, m := range v.Plan.Shown {
		value := a.Total.Value(m)
		total := v.cell(m, m.Unit, value)
		if v.beside(m) && value.Known && value.Cmp(decimal.FromInt(100)) == 0 { // nothing is missing
			continue
		}
		if parts := a.Total.Now.Parts(m); parts != nil && !v.Hidden(m) { // "количество 2 010 шт, 160,77 кг"
			text := v.named(m, account.QuantityByUnit(parts).Text(v.Lang))
			if before := a.Total.Before.Parts(m); v.Plan.Compares() && before != nil {
				text += v.Pickf(" (было %s)", " (before: %s)", account.QuantityByUnit(before).Text(v.Lang))
			}
			totals = append(totals, text)
			continue
		}
		if total.IsEmpty() || v.Hidden(m) || len(a.Rows) > 1 && !v.Catalogue.Totals(m) {
			continue
		}
		text := v.named(m, v.spoken(m, total))
		if change := a.Total.Change(m); v.Plan.Compares() && change.Known {
			before := v.cell(m, m.Unit, a.Total.Other(m)).Format(m.Unit, v.Lang)
			if percent := a.Total.Percent(m); percent.Known && m.Unit != tool.UnitPercent {
				sign := map[bool]string{true: "+"}[percent.Sign() > 0]
				before += ", " + sign + wording.Percent(percent.Decimal, v.Lang)
			}
			text += v.Pickf(" (было %s)", " (before: %s)", before)
		} else if v.Plan.Compares() && !m.Now && !a.Total.Other(m).Known {
			text += v.Pick(" (в том периоде данных нет)", " (nothing in that period)")
		}
		totals = append(totals, text)
	}
	return totals
}

// named puts what a measure is called in front of its total, unless it is the only one.
func (v View) named(m *analysis.Measure, total string) string {
	switch {
	case m.Name == "cost_coverage" && v.beside(m):
		return v.Pickf("себестоимость известна для %s выручки", "the cost of %s of revenue is known", total)
	case v.asksOne() && m == v.Plan.Shown[0]:
		return total
	}
	return m.Said(v.Lang) + " " + total
}

// severals are the titles of dimensions before several names.
var severals = map[string]tool.Text{
	"product":       {RU: "товары", EN: "products"},
	"group":         {RU: "группы", EN: "groups"},
	"store":         {RU: "склады", EN: "warehouses"},
	"counterparty":  {RU: "контрагенты", EN: "counterparties"},
	"supplier":      {RU: "поставщики", EN: "suppliers"},
	"employee":      {RU: "сотрудники", EN: "employees"},
	"sales_channel": {RU: "каналы продаж", EN: "sales channels"},
	"state":         {RU: "статусы", EN: "states"},
}

// filter puts a condition on a dimension into words, with names in place of IDs.
func (v View) filter(f analysis.Filter) string {
	title := wording.Lower(f.Dimension.Title.In(v.Lang))
	names := slices.DeleteFunc(slices.Clone(f.Named), func(s string) bool { return s == "" })
	if len(names) == 0 {
		for _, w := range f.Values {
			name := string(w)
			for _, list := range [][]values.Value{values.Weekdays, values.Kinds} {
				closed := f.Field == measures.DimKind || f.Dimension.Step != ""
				if keys := values.Find(list, name); closed && len(keys) == 1 {
					name = wording.Lower(v.display(f.Dimension, analysis.Key{ID: keys[0]}))
				}
			}
			names = append(names, name)
		}
	}
	list := wording.Quoted(names, v.Lang)
	switch f.Op {
	case analysis.NotEqual, analysis.NotIn:
		return v.Pickf("кроме %s (%s)", "except %s (%s)", list, title)
	case analysis.Contains:
		return title + v.Pick(" содержит ", " contains ") + list
	case analysis.IsEmpty:
		return v.Pickf("без значения «%s»", "without a value of “%s”", title)
	case analysis.IsNotEmpty:
		return v.Pickf("с указанным значением «%s»", "with a value of “%s”", title)
	case analysis.Equal, analysis.In:
		if several := severals[f.Dimension.Name]; len(names) > 1 && several.RU != "" {
			title = several.In(v.Lang)
		}
		return title + " " + list
	case analysis.Less, analysis.LessEqual, analysis.Greater, analysis.GreaterEqual, analysis.Between:
	}
	return title + " " + v.ordering(f.Op, names)
}

// condition puts a condition on a measure into words.
func (v View) condition(w analysis.Condition) string {
	m, _ := v.Catalogue.Measure(w.Field)
	list := make([]string, len(w.Values))
	for i, x := range w.Values {
		list[i] = string(x)
		n, err := decimal.Parse(list[i])
		switch {
		case err == nil && w.Of == analysis.OfPercent:
			list[i] = wording.Percent(n, v.Lang)
		case err == nil && m.Unit != tool.UnitDate:
			list[i] = v.cell(m, m.Unit, decimal.Some(n)).Format(m.Unit, v.Lang)
		}
	}
	title := m.Said(v.Lang)
	if w.At != "" {
		title += v.Pick(" на складе «"+w.At+"»", " in the warehouse “"+w.At+"”")
	}
	if w.Of != "" {
		title += v.Pick(": изменение", ": change")
	}
	return title + " " + v.ordering(w.Op, list)
}

func (v View) ordering(op analysis.Op, list []string) string {
	all := strings.Join(list, ", ")
	switch op {
	case analysis.Less:
		return v.Pick("меньше ", "below ") + all
	case analysis.LessEqual:
		return v.Pick("не больше ", "at most ") + all
	case analysis.Greater:
		return v.Pick("больше ", "above ") + all
	case analysis.GreaterEqual:
		return v.Pick("не меньше ", "at least ") + all
	case analysis.NotEqual, analysis.NotIn:
		return v.Pick("не равно ", "not equal to ") + all
	case analysis.Between:
		return v.Pickf("от %s до %s", "from %s to %s", list[0], list[1])
	case analysis.IsEmpty:
		return v.Pick("неизвестно", "is unknown")
	case analysis.IsNotEmpty:
		return v.Pick("известно", "is known")
	case analysis.Equal, analysis.In, analysis.Contains:
	}
	return v.Pick("равно ", "equal to ") + all
}
