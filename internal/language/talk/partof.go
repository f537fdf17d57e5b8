package talk

import (
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/language"
	"github.com/stockhand/stockhand/internal/language/compose/typed"
	"github.com/stockhand/stockhand/internal/language/query"
	"github.com/stockhand/stockhand/internal/tool"
	"github.com/stockhand/stockhand/internal/words"
)

// partOf reads "сколько это процентов от выручки" after another sum, such as debts or expenses, as one sum over the
// other (rule R1169), and "сколько процентов прибыль" after the revenue as the profit over it. It returns nil for any
// other message.
func (t *talk) partOf(m *message) *language.Reading {
	if t.done == nil || !t.done.Skill.Reads() {
		return nil
	}
	s := t.parts(m.task, false)
	of, span, asks, low, parts := "", "", false, false, false
	for i, x := range s.ts {
		k := slices.IndexFunc(s.parts, func(p part) bool { return p.from <= i && i < p.to })
		asks = asks || percentOf[x.Norm]
		switch {
		case x.Punctuation(), percentOf[x.Norm], aroundPart[x.Norm]:
			low = low || x.Norm == "от" || x.Norm == "of"
			parts = parts || partWords[x.Norm]
		case k >= 0 && s.parts[k].slots[0] == slot(typed.SpanMeasure) && (of == "" || of == s.parts[k].id):
			of = s.parts[k].id
		case k >= 0 && s.parts[k].slots[0] == slot(typed.SpanPeriod):
			span = s.words(s.parts[k].core, s.parts[k].to)
		default:
			return nil
		}
	}
	base := t.done.Composed(m.in.Catalogue).Query
	if !asks && !(low && parts) || of == "" || strings.Contains(of, " ") || base == nil ||
		base.Compare != nil || base.Limit > 0 || base.Share {
		return nil
	}
	shown := foremost(base)
	part, whole := shown, of
	if !low {
		part, whole = of, shown
	}
	if part == whole || !t.isSum(part) || !t.isSum(whole) || strings.HasPrefix(part, "return") { // those have a rate
		return nil
	}
	q := analysis.Query{Measures: []string{part, whole}, Where: base.Where, From: base.From, To: base.To}
	if ratio := ratioOf[part+" "+whole]; ratio != "" {
		q.Measures = append(q.Measures, ratio)
	} else {
		q.Measures = append(q.Measures, "part")
		q.Define = []analysis.Definition{{Name: "part", Formula: part + " / " + whole, Unit: "percent",
			Title: languageOf(m.task, m.in).Pick("Доля", "Share")}}
	}
	if span != "" {
		x := *t.task(pick(m.task, "выручка за ", "revenue for ") + span)
		if q.From, q.To = periodOf(&x); !complete(&x) || q.From == "" {
			return nil
		}
	}
	if t.done.Query != nil {
		q.By = base.By
	}
	if !query.Possible(m.in.Catalogue, q) {
		q.By = nil
	}
	if !query.Possible(m.in.Catalogue, q) {
		return nil
	}
	return changedTo(m.task, languageOf(m.task, m.in), &q)
}

// isSum reports whether a measure is a sum of money.
func (t *talk) isSum(name string) bool {
	m, ok := t.in.Catalogue.Measure(name)
	return ok && m.Adds && m.Unit == tool.UnitMoney
}

// ratioOf are the measures that say the part of one sum in another.
var ratioOf = map[string]string{"profit revenue": "margin"}

var (
	percentOf = words.Set("процент процента процентов процентах проценте проценты % доля долю доле percent percentage " +
		"share proportion")
	partWords  = words.Set("сколько часть what much") // "сколько это от выручки"
	aroundPart = words.Set("часть части частью а и сколько какой какая какую какое это эта этот в во от всей всего всех общей составляет " +
		"составляют получается выходит нашей наших у нас за по of is that this it a the in what how much as our all total")
)
