package answer

import (
	"cmp"
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/connector/moysklad/wording"
)

// each are dimensions after "по": "по каждому складу".
var each = map[string]string{"product": "каждому товару", "variant": "каждой модификации", "kind": "каждому виду",
	"group": "каждой группе", "supplier": "каждому поставщику", "store": "каждому складу",
	"legal_entity": "каждому юрлицу", "counterparty": "каждому контрагенту", "employee": "каждому сотруднику",
	"sales_channel": "каждому каналу продаж", "project": "каждому проекту", "state": "каждому статусу",
	"expense_item": "каждой статье расходов", "account": "каждому счёту и кассе", "day": "каждому дню",
	"week": "каждой неделе", "month": "каждому месяцу", "quarter": "каждому кварталу", "year": "каждому году",
	"weekday": "каждому дню недели", "hour": "каждому часу"}

// ranking returns the measure that orders the rows of an answer, and how; nil if a dimension orders them.
func (v View) ranking() (m *analysis.Measure, o analysis.Order) {
	o = analysis.Order{Field: v.Plan.Shown[0].Name}
	if len(v.Plan.Order) > 0 {
		o = v.Plan.Order[0]
	}
	o.Direction = cmp.Or(o.Direction, analysis.Descending)
	i := slices.IndexFunc(v.Plan.Shown, func(m *analysis.Measure) bool { return m.Name == o.Field })
	if i < 0 {
		return nil, o
	}
	return v.Plan.Shown[i], o
}

// ofEach says how many rows of each value of the dimensions before the last are shown (rule R1051).
func (v View) ofEach() string {
	n := v.Plan.LimitEach
	if n == 0 || len(v.Plan.Dims) == 0 {
		return ""
	}
	var all []string
	for _, d := range v.Plan.Dims[:len(v.Plan.Dims)-1] {
		all = append(all, v.Pick(cmp.Or(each[d.Name], "каждому значению «"+d.Title.RU+"»"),
			"each "+wording.Lower(d.Title.EN)))
	}
	of := v.Pick("; только ", "; only ")
	if len(all) > 0 {
		of = v.Pick("; по ", "; of ") + strings.Join(all, v.Pick(" и ", " and ")) + v.Pick(" — только ", ", only ")
	}
	m, o := v.ranking()
	one, several := words("первое", "the first"), words("первые %d", "the first %d")
	switch {
	case m == nil:
	case o.Direction == analysis.Ascending:
		one, several = words("наименьшее", "the lowest"), words("%d наименьших", "the %d lowest")
	default:
		one, several = words("наибольшее", "the highest"), words("%d наибольших", "the %d highest")
	}
	if n == 1 {
		return of + one.In(v.Lang)
	}
	return of + v.Pickf(several.RU, several.EN, n)
}

// mostEach is how many values the sentence names the first row of.
const mostEach = 5

// eachFirst names the first row of each of the first values of the dimension before the last (rule R1051).
func (v View) eachFirst(a *analysis.Answer) string {
	m, o := v.ranking()
	if v.Plan.LimitEach == 0 || m == nil || v.Hidden(m) || len(v.Plan.Dims) != 2 {
		return ""
	}
	var all []string
	values := 0
	for i, r := range a.Rows {
		if i > 0 && a.Rows[i-1].Keys[0].ID == r.Keys[0].ID {
			continue
		}
		value := r.Value(m)
		if o.Change {
			value = r.Change(m)
		}
		cell := v.cell(m, m.Unit, value)
		if values++; values > mostEach || cell.IsEmpty() {
			continue
		}
		all = append(all, v.quoted(v.Plan.Dims[0], r.Keys[0])+": "+v.quoted(v.Plan.Dims[1], r.Keys[1])+" — "+
			v.spoken(m, cell))
	}
	if len(all) == 0 {
		return ""
	}
	text := wording.Upper(strings.Join(all, "; "))
	if v.Plan.LimitEach > 1 {
		text = v.Pick("На первом месте — ", "In the first place: ") + strings.Join(all, "; ")
	}
	if values > mostEach {
		text += v.Pickf("; ещё %d — в таблице", "; %d more are in the table", values-mostEach)
	}
	return " " + text + "."
}

// quoted returns the name of a key in quotes, unless it is a time.
func (v View) quoted(d *analysis.Dimension, k analysis.Key) string {
	name := v.display(d, k)
	if d.Step == "" {
		return wording.InQuotes(name, v.Lang)
	}
	return name
}

// rowNouns are what the rows of a breakdown by one dimension are.
var rowNouns = map[string]wording.Noun{"product": wording.NounTitle, "store": wording.NounStore,
	"counterparty": wording.NounCounterparty, "supplier": wording.NounSupplier, "employee": wording.NounEmployee,
	"sales_channel": wording.NounChannel, "group": wording.NounGroup, "day": wording.NounDay,
	"document": wording.NounDocument}

// rowNoun returns the noun that the rows are counted with: "сколько клиентов купили" is answered by their number. A row
// of what has no supplier is no supplier (rule R1058).
func (v View) rowNoun(a *analysis.Answer) wording.Noun {
	noun, ok := rowNouns[v.Plan.By[0]]
	if !ok || len(v.Plan.By) > 1 ||
		slices.ContainsFunc(a.Rows, func(r analysis.Row) bool { return r.Keys[0].ID == "" || r.Keys[0].Other }) {
		return wording.NounLine
	}
	return noun
}
