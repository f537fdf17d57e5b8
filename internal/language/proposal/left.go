package proposal

import (
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/language/compose"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// left returns the tokens that nothing has used and that mean something.
func (s *sentence) left() []int {
	var out []int
	for i := range s.ts {
		t := &s.ts[i]
		if t.Use == token.AsName && s.unusedName(i) {
			out = append(out, i)
			continue
		}
		if t.Use != token.Unused || t.Kind == token.Mark && t.Norm != "%" {
			continue
		}
		if t.Kind == token.Quoted || t.Kind == token.Number {
			out = append(out, i)
			continue
		}
		_, kind := kinds[t.Norm]
		harmless := fillers[t.Norm] || approximate[t.Norm] || (begins(t.Norm, []string{"нов"}) || t.Norm == "new") && begins(s.word(i+1),
			priceNouns) || kind || words.IsLegalForm(t.Norm) || only[t.Norm] || s.repeated(i) ||
			!pronouns[t.Norm] && s.Catalogue != nil && compose.Harmless(s.Catalogue, t) ||
			doubtful[t.Norm] && !s.refers(i) || len([]rune(t.Norm)) == 1 && t.Glued || priceVerb(t.Norm, s.kind)
		if !harmless {
			out = append(out, i)
		}
	}
	return out
}

// priceVerb reports whether a word repeats the act: "надо поднять, подними на 5 %".
func priceVerb(w string, k Kind) bool {
	switch k {
	case Orders:
		return buys[w] || makes[w]
	case Transfers:
		return moves[w] || makes[w]
	case Minimums:
		return begins(w, minimumNouns) || begins(w, []string{"остат", "минимальн", "stock", "level", "point",
			"неснижаем"})
	case Prices:
		return makes[w] || begins(w, discountNouns) && w != "distribution"
	case None:
	}
	return false
}

// repeated reports whether a token is the same word again, as people stutter.
func (s *sentence) repeated(i int) bool {
	return i > 0 && s.ts[i].Kind == token.Word && s.ts[i].Norm == s.ts[i-1].Norm
}

// unusedName reports whether a token begins a name that the draft does not use.
func (s *sentence) unusedName(i int) bool {
	return slices.ContainsFunc(s.names, func(n *named) bool { return !n.used && n.At[0] == i && n.role != aStore })
}

// phrases returns the runs of words among those left that may be names.
func (s *sentence) phrases(left []int) []Phrase {
	var out []Phrase
	for i := 0; i < len(s.ts); i++ {
		if !slices.Contains(left, i) || !s.strange(i) {
			continue
		}
		end := i + 1
		for j := i + 1; j < len(s.ts); j++ {
			t := &s.ts[j]
			switch {
			case slices.Contains(left, j) && s.strange(j):
				end = j + 1
				continue
			case t.Use != token.Unused:
			case t.Kind == token.Number:
				if u, ok := words.UnitOf(s.word(j + 1)); ok && u.Kind == words.Quantity {
					end = j + 2
					j++
				} else if s.kind == Prices && (slices.Contains(left, j+1) && s.strange(j+1) || j == len(s.ts)-1) {
					end = j + 1
				} else {
					break
				}
				continue
			case t.Kind == token.Mark && strings.Contains("-/.+&", t.Norm) && t.Glued,
				(t.Norm == "в" || t.Norm == "с" || t.Norm == "для" || t.Norm == "из" || t.Norm == "на" ||
					t.Norm == "for" ||
					t.Norm == "с/б") && slices.Contains(left, j+1) && s.strange(j+1) && s.kind == Prices,
				(t.Norm == "в" || t.Norm == "для" || t.Norm == "без") && slices.Contains(left, j+1) && s.strange(j+1):
				continue
			}
			break
		}
		out = append(out, Phrase{From: s.partOf(i), To: end, Kinds: s.kindsAt(i)})
		i = end - 1
	}
	return out
}

// partOf returns where the name of goods begins whose first words are a group's name: "кофе в зёрнах", where «Чай и
// кофе» is a group.
func (s *sentence) partOf(i int) int {
	for _, n := range s.names {
		last := n.At[len(n.At)-1]
		if n.Exact || last >= i || i-last > 2 || last+1 < i && !only[s.word(last+1)] {
			continue
		}
		return n.At[0]
	}
	return i
}

// strange reports whether a token may be part of a name: a quoted text, or a word with no meaning here.
func (s *sentence) strange(i int) bool {
	t := &s.ts[i]
	if t.Kind == token.Quoted {
		return true
	}
	if t.Kind != token.Word || t.Use != token.Unused || len([]rune(t.Norm)) < 2 || comparatives[t.Norm] != "" ||
		pronouns[t.Norm] || exceptWords[t.Norm] || t.Norm == "не" || t.Norm == "not" || t.Norm == "без" {
		return false
	}
	if u, ok := words.UnitOf(t.Norm); ok && u.Kind != words.Count || quantityOf(t.Norm) > 0 {
		return false
	}
	return s.Catalogue == nil || !compose.Known(s.Catalogue, s.ts, i) || t.Raw != strings.ToLower(t.Raw) && i > 0
}

// kindsAt returns what a word may be the name of, likeliest first.
func (s *sentence) kindsAt(i int) []connector.NameKind {
	all := []connector.NameKind{connector.NameProduct, connector.NameGroup, connector.NameSupplier,
		connector.NameStore}
	if s.kind == Prices {
		all = append(all, connector.NamePriceType)
	}
	var first connector.NameKind
	if k, ok := kinds[s.word(i-1)]; ok && slices.Contains(all, k) {
		first = k
	} else {
		switch w := s.before(i); {
		case w == "у" || w == "от" || w == "from" && s.kind == Orders:
			first = connector.NameSupplier
		case s.kind == Transfers && (leaving[w] || w == "на" || w == "в" || w == "to"), w == "на" && s.kind == Orders:
			first = connector.NameStore
		}
	}
	if first == "" {
		return all
	}
	return append([]connector.NameKind{first}, slices.DeleteFunc(all,
		func(k connector.NameKind) bool { return k == first })...)
}

// askAbout asks about the words that are left: a draft that ignored them might be larger than what was asked for.
func (s *sentence) askAbout(left []int) {
	for _, n := range s.names {
		if !n.used && n.role == noRole && len(n.Meanings) > 1 && slices.ContainsFunc(n.Meanings, isProduct) {
			var fit []string
			for _, m := range n.Meanings[:min(maxOptions, len(n.Meanings))] {
				fit = append(fit, "«"+m.Name+"»")
			}
			list := strings.Join(fit, ", ")
			s.ask("«"+n.Words+"» подходит к нескольким названиям: "+list+". Напишите полное название и склад.",
				"“"+n.Words+"” fits several names: "+list+". Write the full name and the warehouse.")
			return
		}
	}
	if s.kind == Prices && slices.ContainsFunc(s.ts, func(t token.Token) bool {
		return t.Kind == token.Word && begins(t.Norm, customerNouns)
	}) {
		s.customers()
		return
	}
	var parts []string
	for i := 0; i < len(left); i++ {
		first := left[i]
		for i+1 < len(left) && left[i+1]-left[i] <= 2 {
			i++
		}
		parts = append(parts, s.text(first, left[i]+1))
	}
	what := strings.Join(parts, s.Language.Pick("», «", "”, “"))
	if len(s.phrases(left)) == len(parts) && !slices.ContainsFunc(left, func(i int) bool {
		return s.ts[i].Kind == token.Word && !s.strange(i)
	}) {
		s.ask("Не вижу в аккаунте «"+what+"», поэтому ничего не подготовлено. Напишите название товара, группы, поставщика или "+
			"склада как в МоёмСкладе, или скажите это другими словами.",
			"I see no “"+what+"” in the account, so nothing was prepared. Write the name of the product, group, supplier or "+
				"warehouse as it is there, or say it in other words.")
		return
	}
	s.ask("Черновик не подготовлен: не понял, что значит «"+what+"», и не хочу сделать лишнего. Скажите это другими "+
		"словами или попросите без этого условия.",
		"No draft was prepared: I do not understand “"+what+"” here, and it might change more than you want. Say it in "+
			"other words, or ask without that condition.")
}

// text returns the words of tokens [i, j) as written.
func (s *sentence) text(i, j int) string {
	var b strings.Builder
	for k := i; k < j; k++ {
		if k > i && !s.ts[k].Glued {
			b.WriteByte(' ')
		}
		b.WriteString(s.ts[k].Raw)
	}
	return b.String()
}
