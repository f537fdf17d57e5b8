package language

import (
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/language/names"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// drafting reports whether the task orders a draft: a purchase, a transfer or new prices. An order is never answered
// with a report.
func (r *reader) drafting() bool {
	e := r.evidence
	return e.signals[signalBuyOrder] || e.signals[signalCarryOrder] || e.signals[signalRepriceOrder] ||
		r.imperative(conceptMove) &&
			!e.has(conceptProfit, conceptRevenue, conceptMoney, conceptDebt) ||
		r.imperative(conceptCreate) && e.has(conceptPurchaseOrder, conceptMove) || e.has(conceptSetPrice) &&
		e.has(conceptPrice) && r.imperative(conceptSetPrice) ||
		r.imperative(conceptRaise, conceptLower, conceptSetPrice) && r.Percent != ""
}

// buys reports whether the task orders goods: with an imperative, or with "надо заказать 50 штук" that asks nothing.
func (r *reader) buys() bool {
	if r.imperative(conceptBuy) {
		return true
	}
	return r.imperative(conceptToOrder) && !r.questions() && (len(r.mentions) > 0 || r.counts())
}

// questions reports whether the task asks: with a word such as "сколько", or a question mark.
func (r *reader) questions() bool {
	return slices.ContainsFunc(r.ts, func(t token.Token) bool {
		return t.Kind == token.Mark && t.Norm == "?" || t.Kind == token.Word && asking[t.Norm]
	})
}

var asking = words.Set("что чего чем какие какой каких какую сколько ли когда кто кому what which how who whom when")

// counts reports whether the task has a number that nothing else has read.
func (r *reader) counts() bool {
	return slices.ContainsFunc(r.ts, func(t token.Token) bool {
		return t.Kind == token.Number &&
			t.Use == token.Unused
	})
}

// carries reports whether the task takes goods from a warehouse: one after "с", "из" or "from".
func (r *reader) carries() bool {
	for i := range r.mentions {
		if m := &r.mentions[i]; slices.ContainsFunc(m.meanings, isStore) && r.givesGoods(m) {
			return true
		}
	}
	for _, f := range r.found {
		if f.Meaning != conceptStore {
			continue
		}
		for j := f.At[0] - 1; j >= 0 && j >= f.At[0]-3; j-- {
			if leaving[r.ts[j].Norm] {
				return true
			}
		}
	}
	return false
}

func isStore(n connector.Name) bool { return n.Kind == connector.NameStore }

// leaving are the words before the warehouse that goods come from, entering those before the one they go to.
var (
	leaving  = words.Set("с со из от from off out")
	entering = words.Set("на в во к для по to into onto for at in")
)

// givesGoods reports whether goods come from this warehouse. A preposition may be part of its name ("Склад на
// Лесной"), and a word such as "склада" may come between.
func (r *reader) givesGoods(m *mention) bool {
	name := " " + words.Fold(m.meanings[0].Name) + " "
	for j := m.at[0] - 1; j >= 0 && j >= m.at[0]-4; j-- {
		t := &r.ts[j]
		switch {
		case leaving[t.Norm]:
			return true
		case names.Kind(t.Norm) == connector.NameStore, t.Norm == "the" || t.Norm == "our":
		case entering[t.Norm] && names.Optional(t.Norm) && strings.Contains(name, " "+t.Norm+" ") && j > 0 &&
			names.Kind(r.ts[j-1].Norm) == connector.NameStore:
		default:
			return false
		}
	}
	return false
}

// says reports whether a word of the task, outside of names, begins with one of these.
func (r *reader) says(beginnings ...string) bool {
	return slices.ContainsFunc(r.ts, func(t token.Token) bool {
		return t.Kind == token.Word && t.Use == token.Unused &&
			slices.ContainsFunc(beginnings, func(b string) bool { return strings.HasPrefix(t.Norm, b) })
	})
}
