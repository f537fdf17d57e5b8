package language

import (
	"slices"
	"strings"

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
		if r.notOurs(m) {
			m.weak = true
			continue
		}
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

// notOurs reports whether a name stands where no name of its kind is meant: one of the merchant's own legal entities
// where a customer or a supplier is meant, "сколько купила Ромашка", "что мы брали у Ромашки", or a customer where
// somebody sells, "what did Ivanov sell" (rule R1107).
func (r *reader) notOurs(m *mention) bool {
	only := func(kinds ...connector.NameKind) bool {
		return !slices.ContainsFunc(m.meanings, func(n connector.Name) bool { return !slices.Contains(kinds, n.Kind) })
	}
	if only(connector.NameCounterparty, connector.NameSupplier) {
		first, last := m.at[0], m.at[len(m.at)-1]
		if slices.ContainsFunc(r.ts, func(t token.Token) bool { return t.Norm == "us" || t.Norm == "нам" }) {
			return false
		}
		sells := sellers[token.StemOf(r.normAt(first-1))] || sellers[token.StemOf(r.normAt(last+1))]
		// "Иванов", not "Иванову"
		named := slices.Contains(strings.Fields(words.Fold(m.meanings[0].Name)), r.normAt(last))
		return sells && named || r.normAt(last+1) == "sell" && doesSell[r.normAt(first-1)]
	}
	if !only(connector.NameOrganization) {
		return false
	}
	before := m.at[0] - 1
	for legalForms[r.normAt(before)] {
		before--
	}
	if r.normAt(before) == "у" {
		return slices.ContainsFunc(r.ts, func(t token.Token) bool { return boughtFrom[t.Norm] })
	}
	behind := r.normAt(m.at[len(m.at)-1] + 1)
	return partnerDoes[r.normAt(before)] || partnerDoes[behind]
}

var (
	boughtFrom = words.Set("купили покупали закупили закупали брали взяли берем покупаем закупаем заказали заказывали " +
		"заказываем купил купила брал брала")
	doesSell    = words.Set("did does")
	partnerDoes = words.Set("купил купила купили покупал покупала покупали покупает взял взяла брал брала берет берёт " +
		"заказал заказала заказывал заказывала заказывает должен должна задолжал задолжала вернул вернула возвращал " +
		"возвращала оплатил оплатила привез привёз привезла поставил поставила поставляет возит bought buys ordered " +
		"orders owes returned delivered supplied")
)

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

// chooseGender keeps the names of men or of women where the case of a surname tells which: "ИП Иванову" is a man,
// "долг Ивановой" a woman (rule R1086).
func (r *reader) chooseGender() {
	for k := range r.mentions {
		m := &r.mentions[k]
		w, before := r.normAt(m.at[len(m.at)-1]), m.at[0]-1
		for legalForms[r.normAt(before)] {
			before--
		}
		ends := func(endings string) bool {
			return slices.ContainsFunc(strings.Fields(endings), func(e string) bool { return strings.HasSuffix(w, e) })
		}
		woman := ends("овой евой ёвой иной ыной")
		man := ends("ову еву ину ыну") && !behindAccusative[r.normAt(before)] || ends("овым евым иным ыным ове еве ине")
		if len(m.meanings) < 2 || woman == man {
			continue
		}
		fits := func(n connector.Name) bool {
			fields := strings.Fields(strings.TrimRight(strings.ToLower(n.Name), "»”\""))
			last := fields[len(fields)-1]
			return woman == (strings.HasSuffix(last, "ова") || strings.HasSuffix(last, "ева") ||
				strings.HasSuffix(last, "ина"))
		}
		if slices.ContainsFunc(m.meanings, fits) {
			m.meanings = slices.DeleteFunc(slices.Clone(m.meanings), func(n connector.Name) bool { return !fits(n) })
			m.total = min(m.total, len(m.meanings))
		}
	}
}

// behindAccusative are prepositions behind which "Иванову" is a woman.
var behindAccusative = words.Set("за на про через в")

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
