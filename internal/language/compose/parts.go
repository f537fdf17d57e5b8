package compose

import (
	"slices"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/language/quantity"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// Part is a typed part of a task that any reading of it must represent (rule R345).
type Part struct {
	Kind PartKind
	ID   string // of a measure or a dimension; the direction of an order; the days of the week
	At   []int  // tokens

	Period *quantity.Period
}

// PartKind is the type of a part.
type PartKind string

// The types of parts.
const (
	PartMeasure   PartKind = "measure"
	PartBy        PartKind = "by"
	PartCompare   PartKind = "compare"
	PartShare     PartKind = "share"
	PartCondition PartKind = "condition"
	PartOrder     PartKind = "order"
	PartWhy       PartKind = "why"
	PartTrend     PartKind = "trend"
	PartWeekday   PartKind = "weekday"
	PartHour      PartKind = "hour"
	PartWho       PartKind = "who"
	PartWhere     PartKind = "where"
	PartWay       PartKind = "way" // "where from", "where to"
	PartWhen      PartKind = "when"
	PartPeriod    PartKind = "period"
)

// partKinds are the types of items by themselves.
var partKinds = map[kind]PartKind{with: PartCompare, overYear: PartCompare, overMonth: PartCompare, share: PartShare,
	except: PartCondition, absent: PartCondition, losing: PartCondition, negative: PartCondition,
	nonzero: PartCondition, perDay: PartCondition, inMoney: PartCondition, average: PartCondition,
	cash: PartCondition, belowCost: PartCondition, measure: PartMeasure, why: PartWhy, trend: PartTrend,
	weekdays: PartWeekday, clock: PartHour, best: PartOrder, worst: PartOrder, sorting: PartOrder}

// Parts returns the typed parts of a task in their order.
func Parts(in Input) (list []Part) {
	s := &sentence{Input: in, x: lexiconOf(in.Catalogue), ts: slices.Clone(in.Tokens)}
	s.scan()
	s.denials()
	for i, it := range s.items {
		add := func(k PartKind, id string) {
			p := Part{Kind: k, ID: id}
			for i := it.at; i < it.end; i++ {
				p.At = append(p.At, i)
			}
			list = append(list, p)
		}
		if k := s.questionWord(i, it); k != "" {
			add(k, "")
		}
		switch k := partKinds[it.kind]; {
		case it.kind == dimension:
			if i > 0 && s.items[i-1].kind == per || it.each || s.which(it) {
				add(PartBy, it.id)
			}
		case it.kind == period:
			add(PartPeriod, "")
			list[len(list)-1].Period = it.period
		case it.kind == best:
			add(k, string(analysis.Descending))
		case it.kind == worst:
			add(k, string(analysis.Ascending))
		case it.kind == measure && it.order != "":
			add(PartOrder, string(it.order))
		case it.kind == overYear:
			add(k, string(analysis.LastYear))
		case k != "":
			add(k, it.id)
		}
	}
	return list
}

// which reports whether a dimension is asked for in so many words: "какие поставщики", "which customers".
func (s *sentence) which(it *item) bool {
	for i := max(it.at-1, 0); i <= it.at; i++ {
		if t := &s.ts[i]; t.Use == token.Unused && (t.Stem == stem("какой") || t.Norm == "which") {
			return true
		}
	}
	return false
}

var (
	// byWord is what words ask for by themselves.
	byWord = map[string]PartKind{"кто": PartWho, "кому": PartWho, "кого": PartWho, "кем": PartWho, "who": PartWho,
		"whom": PartWho, "где": PartWhere, "where": PartWhere, "куда": PartWay, "откуда": PartWay,
		"когда": PartWhen, "when": PartWhen}
	// relative words stand before one of the words above where it asks for nothing: "товары, где остаток меньше 5",
	// "кто-нибудь".
	behindQuestion = words.Set("то нибудь либо угодно")
	speaking       = words.Set("знает подскажет скажет может поможет спрашивает просит звонит сказал говорит knows can could")
)

// questionWord returns what a word of the item asks for; empty if it asks for nothing, or begins a clause about what
// stands in front of it.
func (s *sentence) questionWord(i int, it *item) PartKind {
	for at := it.at; at < it.end; at++ {
		t := &s.ts[at]
		if t.Use != token.Unused || t.Kind != token.Word || it.kind == name || it.kind == period {
			continue
		}
		k := byWord[t.Norm]
		if k == "" {
			continue
		}
		next := at + 1
		for next < len(s.ts) && s.ts[next].Kind == token.Mark {
			next++
		}
		if next < len(s.ts) && (behindQuestion[s.ts[next].Norm] || speaking[s.ts[next].Norm]) || s.relative(i) {
			return ""
		}
		return k
	}
	return ""
}

// relative reports whether the question word of an item begins a clause about a noun: it stands behind a dimension or
// a measure, and a condition follows.
func (s *sentence) relative(i int) bool {
	if !slices.ContainsFunc(s.items[:i], func(it *item) bool { return it.kind == dimension || it.kind == measure }) {
		return false
	}
	return slices.ContainsFunc(s.items[i+1:], func(it *item) bool {
		return it.kind == operator || it.kind == absent || it.kind == negative || it.kind == nonzero ||
			it.kind == number || it.kind == unexplained || it.kind == belowCost || it.kind == losing
	})
}

// Conditions tells of each token whether it belongs to what may be a condition, a breakdown, a period or an order.
func Conditions(in Input) []bool {
	s := &sentence{Input: in, x: lexiconOf(in.Catalogue), ts: slices.Clone(in.Tokens)}
	s.scan()
	s.denials()
	list := make([]bool, len(in.Tokens))
	for i, it := range s.items {
		switch it.kind {
		case name, period, number, except, only, with, overYear, overMonth, share, weekdays, clock, sorting, topRows,
			best, worst, absent, losing, negative, nonzero, cash, trend, perDay, average, apart:
		case per:
			if i+1 >= len(s.items) || s.items[i+1].kind != dimension && s.items[i+1].kind != measure {
				continue
			}
		default:
			continue
		}
		for k := it.at; k < it.end; k++ {
			list[k] = true
		}
	}
	return list
}
