// Package query says queries in words, compares them, and finds what can be answered in place of an impossible one.
package query

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/tool"
)

// Say puts a query into words, as a task of the person: "выручка по складам за октябрь 2026". names are those of IDs.
func Say(c *analysis.Catalogue, q analysis.Query, l stockhand.Language, names func(id string) string) string {
	var b strings.Builder
	if with, err := c.Define(q.Define); err == nil {
		c = with
	}
	for i, name := range q.Measures {
		if i > 0 {
			b.WriteString(", ")
		}
		if m, ok := c.Measure(name); ok {
			b.WriteString(lower(m.Title.In(l), i > 0))
		}
	}
	for i, name := range q.By {
		d, ok := c.Dimension(name)
		switch {
		case !ok:
			continue
		case l == stockhand.English:
			b.WriteString(map[bool]string{true: " by ", false: " and "}[i == 0] + lower(d.Title.EN, true))
		case many[name] != "":
			b.WriteString(map[bool]string{true: " по ", false: " и "}[i == 0] + many[name])
		default:
			b.WriteString(map[bool]string{true: ", разрез: ", false: ", "}[i == 0] + lower(d.Title.RU, true))
		}
	}
	for _, w := range q.Where {
		b.WriteString(", " + sayCondition(c, w, l, names))
	}
	if q.From != "" {
		b.WriteString(" " + saySpan(tool.Period{From: q.From, To: q.To}, l))
	}
	switch p := q.Compare; {
	case p == nil:
	case p.With == analysis.LastYear:
		b.WriteString(l.Pick(" против прошлого года", " against the year before"))
	case p.With != "":
		b.WriteString(l.Pick(" против предыдущего периода", " against the period before"))
	default:
		b.WriteString(l.Pick(" против периода ", " against ") + saySpan(tool.Period{From: p.From, To: p.To}, l))
	}
	if len(q.Highlight) > 0 {
		var list []string
		for _, h := range q.Highlight {
			list = append(list, cmp.Or(names(string(h)), string(h)))
		}
		b.WriteString(l.Pick(", доля и место: «"+strings.Join(list, "», «")+"»",
			", share and place of “"+strings.Join(list, "”, “")+"”"))
	}
	if q.Limit > 0 {
		b.WriteString(fmt.Sprintf(l.Pick(", первые %d", ", first %d"), q.Limit))
	}
	if q.LimitEach == 1 {
		b.WriteString(l.Pick(", первая строка в каждой части", ", the first row of each part"))
	} else if q.LimitEach > 1 {
		b.WriteString(fmt.Sprintf(l.Pick(", первые %d в каждой части", ", first %d of each part"), q.LimitEach))
	}
	return b.String()
}

func lower(s string, yes bool) string {
	r := []rune(s)
	if !yes || len(r) < 2 || strings.ToUpper(string(r[1])) == string(r[1]) {
		return s
	}
	return strings.ToLower(string(r[0])) + string(r[1:])
}

// many are the plurals of dimensions after "по".
var many = map[string]string{"product": "товарам", "variant": "модификациям", "kind": "видам", "group": "группам",
	"supplier": "поставщикам", "store": "складам", "legal_entity": "юрлицам", "counterparty": "контрагентам",
	"employee": "сотрудникам", "sales_channel": "каналам", "project": "проектам", "contract": "договорам",
	"state": "статусам", "currency": "валютам", "expense_item": "статьям расходов", "account": "счетам и кассам",
	"document": "документам", "day": "дням",
	"week": "неделям", "month": "месяцам", "quarter": "кварталам", "year": "годам",
	"weekday": "дням недели", "hour": "часам", "price_type": "типам цен", "abc": "классам ABC", "xyz": "классам XYZ",
	"rfm": "классам RFM", "country": "странам", "tag": "группам контрагентов", "article": "артикулам"}

func saySpan(p tool.Period, l stockhand.Language) string {
	from, to := p.From.Time(), p.To.Time()
	switch {
	case p.From == p.To:
		return l.Pick("за "+from.Format("02.01.2006"), "on "+from.Format("2 Jan 2006"))
	case from.Day() == 1 && from.AddDate(0, 1, -1).Equal(to):
		return l.Pick("за "+months[from.Month()-1]+" "+from.Format("2006"), "for "+from.Format("January 2006"))
	}
	return l.Pick("с "+from.Format("02.01.2006")+" по "+to.Format("02.01.2006"),
		"from "+from.Format("2 Jan 2006")+" to "+to.Format("2 Jan 2006"))
}

var months = [...]string{"январь", "февраль", "март", "апрель", "май", "июнь", "июль", "август", "сентябрь", "октябрь",
	"ноябрь", "декабрь"}

func sayCondition(c *analysis.Catalogue, w analysis.Condition, l stockhand.Language, names func(string) string) string {
	values := make([]string, len(w.Values))
	for i, v := range w.Values {
		values[i] = string(v)
	}
	if d, ok := c.Dimension(w.Field); ok {
		for i, v := range values {
			if n := names(v); n != "" {
				values[i] = n
			}
		}
		list := l.Pick("«"+strings.Join(values, "», «")+"»", "“"+strings.Join(values, "”, “")+"”")
		switch w.Op {
		case analysis.NotIn, analysis.NotEqual:
			return l.Pick("кроме ", "except ") + list
		case analysis.IsEmpty:
			return l.Pick("без значения «", "without “") + lower(d.Title.In(l), true) + l.Pick("»", "”")
		default:
		}
		return lower(d.Title.In(l), true) + " " + list
	}
	m, ok := c.Measure(w.Field)
	if !ok {
		return ""
	}
	title := lower(m.Title.In(l), true)
	switch w.Of {
	case analysis.OfPercent:
		for i := range values {
			values[i] += l.Pick(" %", "%")
		}
		title += l.Pick(": изменение", ": change")
	case analysis.OfChange:
		title += l.Pick(": изменение", ": change")
	}
	if w.Op == analysis.Between && len(values) == 2 {
		return title + l.Pick(" от ", " from ") + values[0] + l.Pick(" до ", " to ") + values[1]
	}
	return title + " " + l.Pick(opsRU[w.Op], opsEN[w.Op]) + " " + strings.Join(values, ", ")
}

var (
	opsRU = map[analysis.Op]string{analysis.Less: "меньше", analysis.LessEqual: "не больше", analysis.Greater: "больше",
		analysis.GreaterEqual: "не меньше", analysis.Equal: "равно", analysis.NotEqual: "не равно"}
	opsEN = map[analysis.Op]string{analysis.Less: "below", analysis.LessEqual: "at most", analysis.Greater: "above",
		analysis.GreaterEqual: "at least", analysis.Equal: "equal to", analysis.NotEqual: "not equal to"}
)

// Same reports whether two queries ask for the same rows and conditions: the breakdown, conditions, period, comparison
// and limit. Names are compared by name, whether given by ID or not. A query without a breakdown has that of the other.
func Same(x, y analysis.Query, names func(id string) string) bool {
	return sameSet(x.By, y.By) && sameWhere(x.Where, y.Where, names) && x.From == y.From && x.To == y.To &&
		sameComparison(x, y) && x.Limit == y.Limit && x.LimitEach == y.LimitEach
}

func sameSet(x, y []string) bool {
	a, b := slices.Sorted(slices.Values(x)), slices.Sorted(slices.Values(y))
	return slices.Equal(a, b)
}

func sameWhere(x, y []analysis.Condition, names func(string) string) bool {
	key := func(list []analysis.Condition) []string {
		var keys []string
		for _, w := range list {
			var values []string
			for _, v := range w.Values {
				name := names(string(v))
				if name == "" {
					name = string(v)
				}
				values = append(values, name)
			}
			slices.Sort(values)
			keys = append(keys, w.Field+string(w.Of)+string(w.Op)+strings.Join(values, "\x00"))
		}
		slices.Sort(keys)
		return keys
	}
	return slices.Equal(key(x), key(y))
}

func sameComparison(x, y analysis.Query) bool {
	if x.Compare == nil || y.Compare == nil {
		return x.Compare == y.Compare
	}
	if *x.Compare == *y.Compare {
		return true
	}
	p := tool.Period{From: x.From, To: x.To}
	if p.From == "" || p.To == "" {
		return false
	}
	a, err := analysis.Other(p, *x.Compare)
	b, err2 := analysis.Other(p, *y.Compare)
	return err == nil && err2 == nil && a == b
}
