package aside

import (
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/language"
	"github.com/stockhand/stockhand/internal/language/token"
)

// longestEnd is how many words on each side of "и" may belong to one end: "3 самых прибыльных и 3 самых убыточных".
const longestEnd = 4

// BothEnds reads a task that asks for the best and for the worst at once, "топ 5 и худшие 5 по прибыли", as two
// questions that share the rest of its words (rule R852). It returns nil if the task is not like that.
func BothEnds(task string, in language.Input) []language.Reading {
	ts := token.Split(task)
	if !saysEnd(ts, bestStems) || !saysEnd(ts, worstStems) {
		return nil
	}
	in.Previous, in.Rows = nil, nil
	for k := range ts {
		if !joiners[ts[k].Norm] {
			continue
		}
		for n := longestEnd; n > 0; n-- { // as many words on both sides, then other splits
			for _, right := range []int{n, n - 1, n + 1} {
				if k-n < 0 || right < 1 || k+right >= len(ts) || !saysEnds(ts[k-n:k], ts[k+1:k+1+right]) {
					continue
				}
				first := language.Read(without(task, ts, k, k+right+1), in)
				second := language.Read(without(task, ts, k-n, k+1), in)
				if whole(first) && whole(second) && ranks(first) && ranks(second) && ascends(first) != ascends(second) {
					return []language.Reading{first, second}
				}
			}
		}
	}
	return nil
}

// whole reports whether a reading is a question that explains all of its words.
func whole(r language.Reading) bool {
	return r.Skill.Reads() && r.Question == nil && !r.Outside && len(r.Unused)+len(r.Unknown)+len(r.Ignored) == 0
}

// ranks reports whether a reading is of rows in an order.
func ranks(r language.Reading) bool {
	return r.Query != nil && len(r.Query.By) > 0 || r.Skill == language.Profitability
}

func ascends(r language.Reading) bool {
	if r.Query != nil && len(r.Query.Order) > 0 {
		return r.Query.Order[0].Direction == "asc"
	}
	return r.Arguments.Direction == "asc"
}

// without returns a task without the tokens [from, to).
func without(task string, ts []token.Token, from, to int) string {
	text := task[:ts[from].Start]
	if to < len(ts) {
		text += task[ts[to].Start:]
	}
	return strings.TrimSpace(text)
}

func saysEnds(left, right []token.Token) bool {
	return saysEnd(left, bestStems) && saysEnd(right, worstStems) ||
		saysEnd(left, worstStems) && saysEnd(right, bestStems)
}

// saysEnd reports whether one of the words begins as a word for one end of an order.
func saysEnd(ts []token.Token, stems []string) bool {
	return slices.ContainsFunc(ts, func(t token.Token) bool {
		return slices.ContainsFunc(stems, func(stem string) bool { return strings.HasPrefix(t.Norm, stem) })
	})
}

var (
	bestStems = []string{"топ", "лучш", "прибыльн", "доходн", "ходов", "лидер", "наибольш", "высок", "дорог", "больше",
		"популярн", "best", "top", "highest", "most", "leaders"}
	worstStems = []string{"худш", "антитоп", "антилидер", "аутсайдер", "убыточн", "неходов", "наименьш", "низк",
		"дешев", "меньше", "непопулярн", "отстающ", "worst", "bottom", "lowest", "least", "laggards"}
)
