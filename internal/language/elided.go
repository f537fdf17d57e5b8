package language

import (
	"regexp"
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// readElided reads names whose first words are said once for several goods (rule R760): "мармелад ванильный 300 г, а
// 500 г", "тетрадям в линию 20, а в клетку 10".
func (r *reader) readElided() {
	for k := range r.mentions {
		r.amongShown(&r.mentions[k])
	}
	r.otherSizes()
	for k := 1; k < len(r.mentions); k++ {
		r.sameNoun(&r.mentions[k-1], &r.mentions[k])
	}
}

// sameNoun leaves of the goods that a word fits those that begin with the noun of the goods named right before, if the
// word itself names none.
func (r *reader) sameNoun(before, m *mention) {
	if m.all || len(m.meanings) < 2 || m.goods() != len(m.meanings) || before.goods() == 0 || !r.listed(before, m) {
		return
	}
	noun := headOf(before.meanings[0].Name)
	first := r.ts[m.at[0]].Stem
	if slices.ContainsFunc(before.meanings, func(n connector.Name) bool { return headOf(n.Name) != noun }) ||
		slices.ContainsFunc(m.meanings, func(n connector.Name) bool { return headOf(n.Name) == first }) {
		return
	}
	kept := slices.DeleteFunc(slices.Clone(m.meanings), func(n connector.Name) bool { return headOf(n.Name) != noun })
	if len(kept) > 0 {
		m.meanings, m.total = kept, len(kept)
	}
}

// amongShown leaves of the goods that words without a noun fit those that were just shown: "махровые опусти на 8 %"
// after the towels (rule R1065). Words in the plural are all of them.
func (r *reader) amongShown(m *mention) {
	rows := r.in.Rows
	if rows == nil || rows.Dimension != "product" || rows.Earlier || rows.More || m.all || len(m.meanings) < 2 ||
		m.goods() != len(m.meanings) || m.total > len(m.meanings) {
		return
	}
	for _, i := range m.at {
		if slices.ContainsFunc(m.meanings, func(n connector.Name) bool { return headOf(n.Name) == r.ts[i].Stem }) {
			return
		}
	}
	kept := slices.DeleteFunc(slices.Clone(m.meanings), func(n connector.Name) bool {
		return !slices.Contains(rows.IDs, n.ID) && !slices.Contains(rows.Names, n.Name)
	})
	if len(kept) == 0 || len(kept) == len(m.meanings) {
		return
	}
	m.meanings, m.total = kept, len(kept)
	m.all = len(kept) > 1 && len(m.at) == 1 && pluralAdjective.MatchString(r.ts[m.at[0]].Norm)
}

var pluralAdjective = regexp.MustCompile(`(?:ые|ие|ых|их|ым|им|ыми|ими)$`)

// listed reports whether a name goes on with the list that another one is in: a word that joins stands before it, a
// preposition aside.
func (r *reader) listed(a, b *mention) bool {
	const most = 12 // tokens between them
	i := b.at[0] - 1
	for i > 0 && ofAdjective[r.ts[i].Norm] {
		i--
	}
	last := a.at[len(a.at)-1]
	return i > last && i-last <= most && joining[r.ts[i].Norm]
}

// ofAdjective are prepositions of names such as «Тетрадь в клетку», or before any name.
var ofAdjective = words.Set("в с на по для из the in with for")

func headOf(name string) string {
	for _, t := range token.Split(name) {
		if t.Kind == token.Word {
			return t.Stem
		}
	}
	return ""
}

// joining are words between goods of a list.
var joining = words.Set("и а , + плюс ещё еще also and")

// otherSizes takes a size such as "500 г" for the good that is called as the one before it, but for its size.
func (r *reader) otherSizes() {
	for i := 1; i+1 < len(r.ts); i++ {
		t, unit := &r.ts[i], &r.ts[i+1]
		if t.Kind != token.Number || t.Use != token.Unused || unit.Kind != token.Word || unit.Use != token.Unused {
			continue
		}
		k := i - 1
		for k > 0 && beforeSize[r.ts[k].Norm] {
			k--
		}
		k++
		if k == i || !joining[r.ts[k].Norm] && !joining[r.normAt(k-1)] {
			continue
		}
		if u, _ := words.UnitOf(unit.Norm); u.Kind != words.Quantity && len([]rune(unit.Norm)) > 2 ||
			u.Kind == words.Quantity && !u.Measure && !r.numberFrom(i+2) { // "24 шт" is a quantity
			continue
		}
		if n, ok := r.ofSize(i); ok {
			r.names(n, i, i+2)
		}
	}
	slices.SortStableFunc(r.mentions, func(a, b mention) int { return a.at[0] - b.at[0] })
}

// beforeSize are words between goods and the size of others.
var beforeSize = words.Set("и а , + плюс на для ещё еще and for also")

// numberFrom reports whether a number that no name has is among the two tokens from i on.
func (r *reader) numberFrom(i int) bool {
	for j := i; j < i+2 && j < len(r.ts); j++ {
		if r.ts[j].Kind == token.Number && r.ts[j].Use == token.Unused {
			return true
		}
	}
	return false
}

// ofSize returns the good of the size at token i that is otherwise called as the last good before it.
func (r *reader) ofSize(i int) (found connector.Name, ok bool) {
	var last *mention
	for k := range r.mentions {
		if m := &r.mentions[k]; m.at[0] < i && m.goods() > 0 && (last == nil || m.at[0] > last.at[0]) {
			last = m
		}
	}
	if last == nil || last.goods() != 1 {
		return found, false
	}
	core := sizeOf.FindStringSubmatch(last.meanings[0].Name)
	if core == nil {
		return found, false
	}
	want := core[1] + " " + strings.ReplaceAll(r.ts[i].Norm, ".", ",") + " " + r.ts[i+1].Norm
	for n := range r.in.names(connector.NameProduct) {
		if strings.EqualFold(n.Name, want) {
			return n, true
		}
	}
	return found, false
}

// sizeOf splits the name of a good from its size: «Чай 200 г».
var sizeOf = regexp.MustCompile(`^(.+) \d+(?:[.,]\d+)? \p{L}+$`)
