package language

import (
	"slices"

	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/language/compose/typed"
	"github.com/stockhand/stockhand/internal/language/names"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// chooseParty keeps the meanings of a name that can do what the verb beside it says (rule R561): an employee sells, a
// customer buys. "Сколько продал Розничный" is not about a customer of that name.
func (r *reader) chooseParty() {
	for k := range r.mentions {
		m := &r.mentions[k]
		if len(m.meanings) < 2 {
			continue
		}
		before := m.at[0] - 1
		for legalForms[r.normAt(before)] { // "купил ИП Соколов"
			before--
		}
		kinds := partyOf(r.normAt(before))
		if kinds == nil {
			kinds = partyOf(r.normAt(m.at[len(m.at)-1] + 1))
		}
		fits := func(n connector.Name) bool { return slices.Contains(kinds, n.Kind) }
		if kinds == nil || !slices.ContainsFunc(m.meanings, fits) {
			continue
		}
		m.meanings = slices.DeleteFunc(slices.Clone(m.meanings), func(n connector.Name) bool { return !fits(n) })
		m.total = min(m.total, len(m.meanings))
	}
}

// partyOf returns the kinds of names that do what a verb says; nil if names of any kind may.
func partyOf(verb string) []connector.NameKind {
	switch stem := token.StemOf(verb); {
	case verb == "":
		return nil
	case sellers[stem]:
		return []connector.NameKind{connector.NameEmployee}
	case buyers[stem]:
		return []connector.NameKind{connector.NameCounterparty}
	}
	return nil
}

var (
	legalForms = words.Set("ип ооо оао зао пао ао")

	sellers = token.Stems("продал продала наторговал наторговала оформил оформила пробил пробила")
	buyers  = token.Stems("купил купила покупал покупала закупился закупилась отоварился взял взяла брал " +
		"брала bought buys")
)

// weOwe reports whether the words say that a debt is ours (rules R889 and R1080): "долг Чайному дому", "что должны ИП
// Иванову", "кому не заплатили".
func (r *reader) weOwe() bool {
	named := func(i int) bool {
		return slices.ContainsFunc(r.mentions, func(m mention) bool { return m.at[0] == i })
	}
	dative := func(i int) bool {
		return slices.ContainsFunc(r.mentions, func(m mention) bool {
			return m.at[0] == i && len(m.meanings) > 0 &&
				typed.InDative(r.ts, i, m.at[len(m.at)-1], m.meanings[0].Name)
		})
	}
	if typed.WeOwe(r.ts, named, dative) {
		return true
	}
	if len(r.mentions) != 1 || !dative(r.mentions[0].at[0]) {
		return false
	}
	i := r.mentions[0].at[0] - 1
	for i >= 0 && (words.IsLegalForm(r.ts[i].Norm) || r.harmless(i) || parties[string(names.Kind(r.ts[i].Norm))]) {
		i--
	}
	return i >= 0 && debtWords[r.ts[i].Norm]
}

var debtWords = words.Set("долг долги должны должен должна задолженность задолжали задолжал торчим")
