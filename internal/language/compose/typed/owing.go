package typed

import (
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// weOwe turns what others owe to us into what we owe, where the pronoun beside the verb says so: "сколько я должен",
// "whom do we owe" (rule R513). The nearest pronoun before the verb counts, or else the one right behind it.
func (s *Sentence) weOwe() {
	from := 0
	for _, it := range s.Items {
		if it.Kind == Measure && it.ID == "owed_to_us" && s.owedToNamed(it) {
			it.ID = "owed_by_us"
			continue
		}
		if it.Kind != Measure || it.ID != "owed_to_us" || !owing[s.Tokens[it.End-1].Norm] {
			continue
		}
		for i := it.End - 1; i >= from; i-- {
			t := &s.Tokens[i]
			if t.Use == token.Unused && owed[t.Norm] {
				break
			}
			if t.Use == token.Unused && owers[t.Norm] {
				it.ID = "owed_by_us"
				break
			}
		}
		if it.End < len(s.Tokens) && weWords[s.Tokens[it.End].Norm] {
			it.ID = "owed_by_us"
		}
		from = it.End
	}
}

var (
	owing   = words.Set("должны должен должна задолжали задолжал задолжала owe owes owing")
	weWords = words.Set("мы я we")
	owers   = words.Set("мы я кому we i whom")
	owed    = words.Set("нам мне кто us me who")
)

// owedToNamed reports whether a debt is one to a party in the dative: "долг Чайному дому" (rule R889).
func (s *Sentence) owedToNamed(it *Item) bool {
	if !owing[s.Tokens[it.End-1].Norm] && !debt[s.Tokens[it.End-1].Norm] {
		return false
	}
	for _, x := range s.Items {
		if x.At < it.End || x.Kind == Function || x.Kind == Dimension {
			continue
		}
		if x.Kind != Named {
			return false
		}
		return Dative(s.Tokens[x.Name.At[len(x.Name.At)-1]].Norm, x.Name.Meanings[0].Name)
	}
	return false
}

// Dative reports whether the last word of a name, as a task writes it, is in the dative.
func Dative(last, name string) bool {
	if strings.HasSuffix(strings.ToLower(strings.TrimRight(name, "»”\"")), last) {
		return false
	}
	return strings.HasSuffix(last, "у") || strings.HasSuffix(last, "ю") || strings.HasSuffix(last, "е")
}

var debt = words.Set("долг долги задолженность")

// itemsOfExpense reads "expenses by item" and "расходы по категориям" as by items of expense, and not by goods.
func (s *Sentence) itemsOfExpense() {
	spent := false
	for _, it := range s.Items {
		switch {
		case it.Kind == Measure:
			spent = spent || it.ID == "money_out"
		case it.Kind == Dimension && it.ID == "product" && spent && it.End == it.At+1 &&
			(s.Tokens[it.At].Norm == "item" || s.Tokens[it.At].Norm == "items"):
			it.ID = "expense_item"
		case it.Kind == Dimension && it.ID == "group" && spent && s.only("money_out"):
			it.ID = "expense_item"
		}
	}
}

// only reports whether a measure is the only one of the task.
func (s *Sentence) only(measure string) bool {
	return !slices.ContainsFunc(s.Items, func(it *Item) bool { return it.Kind == Measure && it.ID != measure })
}
