package typed

import (
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// weOwe turns what others owe to us into what we owe, where the task says whose debt it is (rules R513 and R1080).
// Beside a verb of owing the nearest pronoun before it counts, or else the one right behind it.
func (s *Sentence) weOwe() {
	from, ours := 0, s.owedToNamed()
	for _, it := range s.Items {
		if it.Kind != Measure || it.ID != "owed_to_us" {
			continue
		}
		if ours {
			it.ID = "owed_by_us"
			continue
		}
		if !owing[s.Tokens[it.End-1].Norm] {
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

// WeOwe reports whether the words about a debt say that it is ours (rule R1080): "кому не заплатили", "перед кем
// долги", "сколько висит за нами", "с кем мы не рассчитались", "не доплатили Чайному дому". Words that make us the one
// who is owed win: "нам", "перед нами". Named reports whether a name begins at a token, dative whether that name is in
// the dative.
func WeOwe(ts []token.Token, named, dative func(at int) bool) bool {
	ours, pays, whom := false, false, false
	for i := range ts {
		w := ts[i].Norm
		switch before := normAt(ts, i-1); {
		case w == "нам" || w == "мне" || w == "us" || w == "me":
			return false
		case w == "нами" || w == "мной":
			if before != "за" {
				return false
			}
			ours = true
		case before == "перед":
			ours = ours || creditors[w] || named(i)
		case w == "кем" && before == "с":
			ours = ours || slices.ContainsFunc(ts, func(t token.Token) bool { return t.Norm == "мы" })
		case w == "долг" && before == "в": // "отгрузили Альфе в долг"
			return ours
		}
		pays = pays || payers[w]
		whom = whom || w == "кому" || w == "мы" || w == "я" || dative(i)
	}
	return ours || pays && whom
}

// creditors are words behind "перед" that say whom a debt is to, and payers what we did not do or have to.
var (
	creditors = words.Set("кем какими каким какой поставщиками поставщиком контрагентами контрагентом всеми ними " +
		"ним ней")
	payers = words.Set("заплатили оплатили доплатили недоплатили выплатили отдали перевели перечислили вернули " +
		"платить заплатить доплатить выплатить отдать перевести перечислить задолжали торчим должны")
)

func normAt(ts []token.Token, i int) string {
	if i < 0 || i >= len(ts) {
		return ""
	}
	return ts[i].Norm
}

// owedToNamed reports whether the debt is one to a party that the task names: "долг Чайному дому", "перед Альфой"
// (rules R889 and R1080).
func (s *Sentence) owedToNamed() bool {
	at := func(fits func(x *Item) bool) func(i int) bool {
		return func(i int) bool {
			return slices.ContainsFunc(s.Items, func(x *Item) bool {
				return x.Kind == Named && x.Name.At[0] == i && fits(x)
			})
		}
	}
	dative := func(x *Item) bool {
		last := x.Name.At[len(x.Name.At)-1]
		return InDative(s.Tokens, x.Name.At[0], last, x.Name.Meanings[0].Name)
	}
	if WeOwe(s.Tokens, at(func(*Item) bool { return true }), at(dative)) {
		return true
	}
	return slices.ContainsFunc(s.Items, func(it *Item) bool {
		return it.Kind == Measure && it.ID == "owed_to_us" && s.debtTo(it, dative)
	})
}

// debtTo reports whether the word of a debt has the party behind it that the debt is to: "долг Чайному дому".
func (s *Sentence) debtTo(it *Item, dative func(*Item) bool) bool {
	if w := s.Tokens[it.End-1].Norm; !owing[w] && (!debt[w] || normAt(s.Tokens, it.End-2) == "в") {
		return false
	}
	for _, x := range s.Items {
		if x.At < it.End || x.Kind == Function || x.Kind == Dimension {
			continue
		}
		return x.Kind == Named && dative(x)
	}
	return false
}

// InDative reports whether a name, written from token first to token last, is in the dative and behind no preposition:
// "Чайному дому", but not "по Альфе" and "на Альфе".
func InDative(ts []token.Token, first, last int, name string) bool {
	before := first - 1
	for words.IsLegalForm(normAt(ts, before)) {
		before--
	}
	return !prepositions[normAt(ts, before)] && Dative(ts[last].Norm, name)
}

var prepositions = words.Set("по на о об в во у к ко от из за про при с со")

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
