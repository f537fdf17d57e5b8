package proposal

import (
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/language/compose/typed"
	"github.com/stockhand/stockhand/internal/language/request"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// left returns the tokens that nothing has used and that mean something.
func (s *sentence) left() []int {
	var out []int
	for i := range s.Words {
		t := &s.Words[i]
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
		if s.kind == Transfers && t.Norm == "out" && s.Word(i+1) == "of" || s.kind == Prices && s.saysSupplied(i) {
			continue
		}
		if w := s.Word(i + 1); request.Begins(t.Norm, []string{"должн"}) && (w == "стоить" || w == "быть") ||
			t.Norm == "стоить" && request.Begins(s.Word(i-1), []string{"должн"}) {
			continue
		}
		_, kind := request.Kinds[t.Norm]
		harmless := request.Fillers[t.Norm] || request.Approximate[t.Norm] ||
			(request.Begins(t.Norm, []string{"нов"}) || t.Norm == "new") && request.Begins(s.Word(i+1),
				request.PriceNouns) || kind || words.IsLegalForm(t.Norm) || request.Only[t.Norm] || s.repeated(i) ||
			!request.Pronouns[t.Norm] && s.Catalogue != nil && typed.Harmless(s.Catalogue, t) ||
			s.labels(i) || request.Correlatives[t.Norm] && s.describes(i) ||
			request.Doubtful[t.Norm] && !s.refers(i) || len([]rune(t.Norm)) == 1 && t.Glued || priceVerb(t.Norm, s.kind)
		if !harmless {
			out = append(out, i)
		}
	}
	return out
}

// describes reports whether a relative clause follows token i or has stood before it: "с того, что не продавалось".
func (s *sentence) describes(i int) bool {
	for j := range s.Words {
		if w := s.Word(j); j != i && relatives[w] || request.Begins(w, []string{"котор"}) {
			return true
		}
	}
	return false
}

// relatives begin the clause that a correlative stands for.
var relatives = words.Set("что чего кто кого кому где чья чей чье чьи which that whose where")

// labels reports whether a word only says what the code beside it is, or that all kinds of goods are meant: "арт
// A-1057", "тетради всех видов".
func (s *sentence) labels(i int) bool {
	w := s.Words[i].Norm
	switch {
	case request.Begins(w, []string{"арт", "код", "штрихкод", "article", "sku", "code", "barcode"}) &&
		len([]rune(w)) <= 9:
		return slices.ContainsFunc(s.names, func(n *named) bool { return n.At[0] > i && n.At[0] <= i+2 })
	case request.Begins(w, []string{"вид", "сорт", "kind"}):
		return request.EverythingWords[s.Word(i-1)]
	}
	return false
}

// priceVerb reports whether a word repeats the act: "надо поднять, подними на 5 %".
func priceVerb(w string, k Kind) bool {
	switch k {
	case Orders:
		return request.Buys[w] || request.Makes[w] || request.Takes[w] || request.Begins(w, request.OrderNouns)
	case Transfers:
		return request.Moves[w] || request.Sends[w] || moved[w] || request.Makes[w] ||
			request.Begins(w, request.StockWords)
	case Minimums:
		return w == "мин" || w == "min" || request.Begins(w, request.MinimumNouns) ||
			request.Begins(w, []string{"остат", "минимальн", "stock", "level", "point",
				"неснижаем"})
	case Prices:
		return request.Makes[w] || request.Begins(w, request.DiscountNouns) && w != "distribution"
	case None:
	}
	return false
}

// moved are participles of what is to be done: "I need 5 of them moved to the shop".
var moved = words.Set("moved transferred shipped brought taken sent delivered")

// saysSupplied reports whether a word only says that goods come from the supplier that is named, or that they are dear
// beside a condition that says how dear.
func (s *sentence) saysSupplied(i int) bool {
	w := s.Words[i].Norm
	if request.Begins(w, supplying) {
		return slices.ContainsFunc(s.names, func(n *named) bool { return n.used && n.role == aSupplier })
	}
	return request.Begins(w, []string{"дорог", "expensive"}) && slices.ContainsFunc(s.draft.Where,
		func(c analysis.Condition) bool {
			return c.Field == "price" && c.Op != analysis.Less && c.Op != analysis.LessEqual
		})
}

// repeated reports whether a token is the same word again, as people stutter.
func (s *sentence) repeated(i int) bool {
	return i > 0 && s.Words[i].Kind == token.Word && s.Words[i].Norm == s.Words[i-1].Norm
}

// unusedName reports whether a token begins a name that the draft does not use.
func (s *sentence) unusedName(i int) bool {
	return slices.ContainsFunc(s.names, func(n *named) bool { return !n.used && n.At[0] == i && n.role != aStore })
}

// phrases returns the runs of words among those left that may be names.
func (s *sentence) phrases(left []int) []Phrase {
	var out []Phrase
	for i := 0; i < len(s.Words); i++ {
		if !slices.Contains(left, i) || !s.strange(i) {
			continue
		}
		end := i + 1
		for j := i + 1; j < len(s.Words); j++ {
			t := &s.Words[j]
			switch {
			case slices.Contains(left, j) && s.strange(j):
				end = j + 1
				continue
			case t.Use != token.Unused:
			case t.Kind == token.Number:
				if u, ok := words.UnitOf(s.Word(j + 1)); ok && u.Kind == words.Quantity {
					end = j + 2
					j++
				} else if s.kind == Prices && (slices.Contains(left, j+1) && s.strange(j+1) || j == len(s.Words)-1) {
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
		if n.Exact || last >= i || i-last > 2 || last+1 < i && !request.Only[s.Word(last+1)] {
			continue
		}
		return n.At[0]
	}
	return i
}

// strange reports whether a token may be part of a name: a quoted text, or a word with no meaning here.
func (s *sentence) strange(i int) bool {
	t := &s.Words[i]
	if t.Kind == token.Quoted {
		return true
	}
	if t.Kind != token.Word || t.Use != token.Unused || len([]rune(t.Norm)) < 2 || request.Comparatives[t.Norm] != "" ||
		request.Pronouns[t.Norm] || request.ExceptWords[t.Norm] || t.Norm == "не" || t.Norm == "not" ||
		t.Norm == "без" {
		return false
	}
	if u, ok := words.UnitOf(t.Norm); ok && u.Kind != words.Count || request.Numeral(t.Norm) > 0 {
		return false
	}
	return s.Catalogue == nil || !typed.Known(s.Catalogue, s.Words, i) || t.Raw != strings.ToLower(t.Raw) && i > 0
}

// kindsAt returns what a word may be the name of, likeliest first.
func (s *sentence) kindsAt(i int) []connector.NameKind {
	list := []connector.NameKind{connector.NameProduct, connector.NameGroup, connector.NameSupplier,
		connector.NameStore}
	if s.kind == Prices {
		list = append(list, connector.NamePriceType)
	}
	var first connector.NameKind
	if k, ok := request.Kinds[s.Word(i-1)]; ok && slices.Contains(list, k) {
		first = k
	} else {
		switch w := s.Preceding(i); {
		case w == "у" || w == "от" || w == "from" && s.kind == Orders:
			first = connector.NameSupplier
		case s.kind == Transfers && (request.Leaving[w] || w == "на" || w == "в" || w == "to"), w == "на" &&
			s.kind == Orders:
			first = connector.NameStore
		}
	}
	if first == "" {
		return list
	}
	return append([]connector.NameKind{first}, slices.DeleteFunc(list,
		func(k connector.NameKind) bool { return k == first })...)
}

// askSupplier asks from whom to order, where the name of a supplier is all that is not understood: "у Петрушкина".
func (s *sentence) askSupplier(left []int) bool {
	w := s.Preceding(left[0])
	if s.kind != Orders || w != "у" && w != "от" && w != "from" || left[len(left)-1]-left[0] >= 4 {
		return false
	}
	for _, i := range left {
		if s.Words[i].Use != token.AsName && !s.strange(i) {
			return false
		}
	}
	last := left[len(left)-1]
	for _, n := range s.names {
		if n.At[0] == last {
			last = n.At[len(n.At)-1]
			break
		}
	}
	options := []Option{}
	if s.draft.Scoped() {
		options = append(options, s.option(s.draft.Clone())) // from the goods' own suppliers
	}
	for x := range s.Suppliers {
		if len(options) == maxOptions || len(s.draft.Products) > 0 { // goods without quantities have their own
			break
		}
		d := s.draft.Clone()
		d.Suppliers = []string{x.Name}
		options = append(options, s.option(d))
	}
	s.askf("Поставщика «%s» в аккаунте нет. У кого заказать?", "The account has no supplier “%s”. From whom shall I order?",
		s.Text(left[0], last+1), options...)
	return true
}

// askAbout asks about the words that are left: a draft that ignored them might be larger than what was asked for.
func (s *sentence) askAbout(left []int) {
	said := slices.DeleteFunc(slices.Clone(left), func(i int) bool { return s.Words[i].Use == token.AsName })
	for _, n := range s.names {
		if len(said) == 0 && !n.used && n.role == noRole && len(n.Meanings) > 1 && n.MayBe(connector.NameProduct) {
			var fit []string
			for _, m := range n.Meanings[:min(maxOptions, len(n.Meanings))] {
				fit = append(fit, "«"+m.Name+"»")
			}
			list := strings.Join(fit, ", ")
			s.ask("«"+n.Words+"» подходит к нескольким названиям: "+list+". Напишите название полностью.",
				"“"+n.Words+"” fits several names: "+list+". Write the full name.")
			return
		}
	}
	if len(said) > 0 {
		left = said
	}
	if s.askSupplier(left) {
		return
	}
	if s.kind == Prices && slices.ContainsFunc(s.Words, func(t token.Token) bool {
		return t.Kind == token.Word && request.Begins(t.Norm, request.CustomerNouns)
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
		parts = append(parts, s.Text(first, left[i]+1))
	}
	what := strings.Join(parts, s.Language.Pick("», «", "”, “"))
	if len(s.phrases(left)) == len(parts) && !slices.ContainsFunc(left, func(i int) bool {
		return s.Words[i].Kind == token.Word && !s.strange(i)
	}) {
		s.ask("Не вижу в аккаунте «"+what+"», поэтому ничего не подготовлено. Напишите название товара, группы, "+
			"поставщика или "+
			"склада как в МоёмСкладе, или скажите это другими словами.",
			"I see no “"+what+"” in the account, so nothing was prepared. Write the name of the product, group, "+
				"supplier or "+
				"warehouse as it is there, or say it in other words.")
		return
	}
	s.ask("Черновик не подготовлен: не понял, что значит «"+what+"», и не хочу сделать лишнего. Скажите это другими "+
		"словами или попросите без этого условия.",
		"No draft was prepared: I do not understand “"+what+"” here, and it might change more than you want. Say "+
			"it in "+
			"other words, or ask without that condition.")
}
