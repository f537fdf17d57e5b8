package proposal

import (
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/language/names"
	"github.com/stockhand/stockhand/internal/language/request"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// role is what a name is in a draft.
type role uint8

const (
	noRole role = iota
	aProduct
	aGroup
	aSupplier
	aStore
	aSource // a warehouse that goods come from
)

// named is a name with what it is in the draft.
type named struct {
	*Name
	role     role
	chosen   []connector.Name
	excluded bool
	together bool    // all of the goods that the words fit are meant
	number   *number // how many, or the price of it
	used     bool
}

// readNames gives each name its role, and asks about one that has several.
func (s *sentence) readNames() {
	excluding := false
	for i, n := range s.names {
		if n.used {
			continue
		}
		at := s.excepted(n, i)
		if excluding = at >= 0 || excluding && i > 0 && s.joined(s.names[i-1], n); excluding {
			n.excluded = true
			if at >= 0 {
				s.Use(at, at+1)
			}
		}
		s.decide(n)
		s.useBeside(n)
	}
	switch s.kind {
	case Transfers:
		s.directions()
		s.pairQuantities()
	case Orders:
		s.pairQuantities()
	case Prices:
		s.pairPrices()
	case None, Minimums:
	}
	for _, n := range s.names {
		if !n.used {
			s.add(n)
		}
	}
}

// together finds the goods of which all are meant that the words fit: "все швабры", "кроме кружек".
func (s *sentence) together() {
	for i, n := range s.names {
		s.widen(n)
		s.everyOne(n)
		if i > 0 && len(n.At) == 1 && s.joined(s.names[i-1], n) && s.afterException(i-1) {
			n.together = n.Complete && len(n.Meanings) > 1 && !slices.ContainsFunc(n.Meanings,
				func(m connector.Name) bool { return m.Kind != connector.NameProduct })
		}
		if s.kind == Prices && (n.together || s.inPlural(n)) {
			n.together = true
			continue
		}
		if len(n.Meanings) < 2 || n.All || n.together || !n.Complete ||
			slices.ContainsFunc(n.Meanings, func(m connector.Name) bool {
				return m.Kind != connector.NameProduct
			}) {
			continue
		}
		last := n.At[len(n.At)-1]
		untouched := len(n.At) == 1 && s.Word(last+1) == "не" && request.Touches[s.Word(last+2)]
		if request.EverythingWords[s.Word(last+1)] || untouched || s.kind != Prices && s.Lacking() ||
			(s.kind == Orders || s.kind == Minimums) && !s.Counts() ||
			s.kind == Orders && s.whichOf(last+1) || s.kind == Minimums && s.plural(n) {
			n.together = true
			continue
		}
		for j := n.At[0] - 1; j >= 0 && j >= n.At[0]-3; j-- {
			w := s.Word(j)
			denied := (w == "не" || w == "not") && (s.Word(j-1) == "но" || s.Word(j-1) == "but" || s.Word(j-1) == ",")
			touched := request.Touches[w] && (s.Word(j-1) == "не" || s.Word(j-1) == "not" || s.Word(j-1) == "don't")
			if request.EverythingWords[w] || (request.ExceptWords[w] || w == "без" || denied || touched) &&
				len(n.At) == 1 {
				n.together = true
				break
			}
			if w != "виды" && w != "вида" && w != "видов" && w != "наши" && w != "the" && w != "on" && w != "на" &&
				w != "of" &&
				!request.Begins(w, request.PriceNouns) {
				break
			}
			if request.Begins(w, []string{"вид"}) {
				s.Use(j, j+1)
			}
		}
	}
}

// whichOf reports whether a clause behind goods says which of them are meant: "сковородки, где меньше 30 штук".
func (s *sentence) whichOf(i int) bool {
	if s.Word(i) == "," {
		i++
	}
	switch s.Word(i) {
	case "которых", "которого", "которой", "которые", "где", "дешевле", "дороже", "which", "whose", "where", "cheaper":
		return true
	case "у", "чего":
		return s.Word(i) == "чего" || s.Word(i+1) == "которых"
	}
	return false
}

// inPlural reports whether a price change names goods by their noun in the plural, "цены на сковородки": all of them
// are meant (rule R610). A form that may be singular, too, is plural unless the price is: "цену швабры".
func (s *sentence) inPlural(n *named) bool {
	if len(n.At) != 1 || len(n.Meanings) < 2 || n.All || !n.Complete || slices.ContainsFunc(n.Meanings,
		func(m connector.Name) bool {
			return m.Kind != connector.NameProduct || !beginsWith(m.Name, &s.Words[n.At[0]])
		}) {
		return false
	}
	return s.plural(n)
}

// widen takes a noun in the plural, or behind a word for all, for every good whose name begins with it, and not
// only for the one that is called by the noun alone: "кепкам" are «Кепка» and «Кепка № 2», too (rule R673).
func (s *sentence) widen(n *named) {
	if len(n.Wider) == 0 || len(n.Meanings) != 1 || n.All || !s.plural(n) && !s.quantified(n) {
		return
	}
	only := *n.Name
	only.Meanings = append(slices.Clone(n.Meanings), n.Wider...)
	only.Exact = false
	n.Name = &only
	if s.kind == Prices {
		n.together = true
	}
}

// plural reports whether a name is one noun in the plural.
func (s *sentence) plural(n *named) bool {
	if len(n.At) != 1 {
		return false
	}
	w := s.Words[n.At[0]].Norm
	if !s.Words[n.At[0]].Cyrillic {
		return strings.HasSuffix(w, "s")
	}
	ends := func(list ...string) bool {
		return slices.ContainsFunc(list, func(e string) bool { return strings.HasSuffix(w, e) })
	}
	if token.Split(n.Meanings[0].Name)[0].Norm == w && !ends("и", "ы") {
		return false // "порошок", "клей"
	}
	if ends("ек", "ок", "ов", "ев", "ей", "ам", "ям", "ах", "ях", "ами", "ями") {
		return true
	}
	return ends("и", "ы") && !slices.ContainsFunc(s.Words, func(t token.Token) bool { return onePrice[t.Norm] })
}

var onePrice = words.Set("цена цену цене ценой ценник price")

// everyOne takes all goods that a noun begins, and not a group that has it in its name, where a word says that all are
// meant: "весь чай", "кофе по 20 каждого".
func (s *sentence) everyOne(n *named) {
	if n.All || !n.Complete || len(n.Meanings) < 2 || !s.quantified(n) {
		return
	}
	var goods []connector.Name
	for _, m := range n.Meanings {
		switch {
		case m.Kind == connector.NameGroup && len(token.Split(m.Name)) > len(n.At):
		case m.Kind != connector.NameProduct, !beginsWith(m.Name, &s.Words[n.At[0]]):
			return
		default:
			goods = append(goods, m)
		}
	}
	if len(goods) > 1 {
		only := *n.Name
		only.Meanings = goods
		n.Name, n.together = &only, true
	}
}

func beginsWith(name string, t *token.Token) bool {
	ts := token.Split(name)
	return len(ts) > 0 && (names.Bone(ts[0].Stem) == names.Bone(t.Stem) || ts[0].Norm == t.Norm ||
		strings.HasPrefix(t.Stem, ts[0].Stem) && len([]rune(ts[0].Stem)) > 4 || ts[0].Cyrillic && !t.Cyrillic)
}

// quantified reports whether a word says that all of the goods of a name are meant.
func (s *sentence) quantified(n *named) bool {
	first, last := n.At[0], n.At[len(n.At)-1]
	for j := first - 1; j >= 0 && j >= first-2; j-- {
		w := s.Word(j)
		if request.EverythingWords[w] || request.Each[w] || j == first-1 && (request.ExceptWords[w] || w == "без") {
			return true
		}
	}
	for j := last + 1; j < len(s.Words) && j <= last+10; j++ {
		w := s.Word(j)
		if request.Each[w] || w == "all" || j == last+1 && request.EverythingWords[w] {
			return true
		}
		if slices.ContainsFunc(s.names, func(o *named) bool {
			return o != n && slices.Contains(o.At, j) && !o.MayBe(connector.NameStore)
		}) {
			return false
		}
	}
	return false
}

// joined reports whether only "and", commas, articles and kinds are between two names.
func (s *sentence) joined(a, b *named) bool {
	for j := a.At[len(a.At)-1] + 1; j < b.At[0]; j++ {
		w := s.Word(j)
		if _, kind := request.Kinds[w]; !kind && w != "и" && w != "and" && w != "or" && w != "или" && w != "," &&
			w != "the" &&
			w != "&" && w != "+" {
			return false
		}
	}
	return true
}

// beside returns the kind that a word beside a name says, and its token.
func (s *sentence) beside(n *named) (connector.NameKind, int) {
	first, last := n.At[0], n.At[len(n.At)-1]
	for j := first - 1; j >= 0 && j >= first-2; j-- {
		if k, ok := request.Kinds[s.Norm(j)]; ok {
			return k, j
		}
		if w := s.Word(j); len([]rune(w)) > 2 {
			break
		}
	}
	if k, ok := request.Kinds[s.Norm(last+1)]; ok {
		return k, last + 1
	}
	return "", -1
}

// useBeside marks what says what a name is.
func (s *sentence) useBeside(n *named) {
	if k, j := s.beside(n); k != "" {
		s.Use(j, j+1)
	}
	for _, m := range n.Meanings { // "Магазин на Мира" leaves out "магазин"
		if m.Kind == connector.NameStore {
			return
		}
	}
}

// decide chooses the role of a name by its meanings and the words around it. One that may be several things has none:
// the reader asks which is meant.
func (s *sentence) decide(n *named) {
	by := map[role][]connector.Name{}
	for _, m := range n.Meanings {
		if r := roles[m.Kind]; r != noRole {
			by[r] = append(by[r], m)
		}
	}
	k, _ := s.beside(n)
	if k == connector.NameCounterparty && s.kind == Prices {
		s.customers()
		return
	}
	if r := roles[k]; r != noRole && len(by[r]) > 0 {
		by = map[role][]connector.Name{r: by[r]}
	}
	if n.All && s.Rows != nil && s.Rows.Dimension == "counterparty" {
		s.ask("В последней таблице не товары. Назовите товары, группу или поставщика.",
			"The last table is not of goods. Name goods, a group or a supplier.")
		return
	}
	for r, chosen := range by {
		if len(by) == 1 && (len(chosen) == 1 || n.All || n.together) {
			n.role, n.chosen = r, chosen
		}
	}
}

// roles are what names of a kind are in a draft.
var roles = map[connector.NameKind]role{connector.NameProduct: aProduct, connector.NameGroup: aGroup,
	connector.NameSupplier: aSupplier, connector.NameCounterparty: aSupplier, connector.NameStore: aStore}

// customers says that prices are the same for all customers.
func (s *sentence) customers() {
	s.ask("Скидок и цен для отдельных покупателей я не меняю: могу изменить цены товаров для всех. На какие товары?",
		"I do not change prices or discounts of single customers, only the prices of goods. Of which goods?")
}

// add puts a name into the draft.
func (s *sentence) add(n *named) {
	if len(n.chosen) == 0 {
		return // a question asks, or the word is left over
	}
	if n.role == aStore && s.kind == Prices {
		if !s.storeOfPrices(n) {
			return
		}
	}
	n.used = true
	if s.addRows(n) {
		return
	}
	if n.number != nil && !n.excluded && n.role == aProduct {
		for _, m := range n.chosen {
			s.draft.Items = append(s.draft.Items, s.item(n, n.value(m)))
		}
		return
	}
	if n.role == aGroup && s.partly(n) {
		s.askPart(n)
		return
	}
	to := &s.draft.Goods
	if n.excluded {
		if n.role == aStore || n.role == aSource {
			s.ask("Исключить «"+n.chosen[0].Name+"» здесь нельзя. Назовите, что взять.",
				"“"+n.chosen[0].Name+"” cannot be left out here. Name what to take.")
			return
		}
		if s.draft.Except == nil {
			s.draft.Except = &Goods{}
		}
		to = s.draft.Except
	}
	for _, m := range n.chosen {
		v := n.value(m)
		var list *[]string
		switch n.role {
		case aProduct:
			list = &to.Products
		case aGroup:
			list = &to.Groups
		case aSupplier:
			list = &to.Suppliers
		case aStore:
			list = &s.draft.Stores
		case aSource:
			list = &s.draft.FromStores
		case noRole:
			return
		}
		if !slices.Contains(*list, v) {
			*list = append(*list, v)
		}
	}
	if n.role == aSupplier && s.kind == Prices && !n.excluded {
		s.supplierOfPrices(n)
	}
}

// value returns how a draft names a meaning: by ID, if the name may be that of another thing.
func (n *named) value(m connector.Name) string {
	twice := n.together && slices.ContainsFunc(n.chosen, func(o connector.Name) bool {
		return o.ID != m.ID && strings.EqualFold(o.Name, m.Name)
	})
	if (n.ByID || n.All && len(n.chosen) > 1 || twice) && m.ID != "" {
		return m.ID
	}
	return m.Name
}

// readEverything reads "все цены": the draft is of all goods, but what else narrows it.
func (s *sentence) readEverything() {
	said := false
	for i := range s.Words {
		if w := s.Norm(i); request.EverythingWords[w] {
			said = true
			s.Use(i, i+1)
		}
	}
	s.draft.Everything, s.saidAll = said && s.kind != Orders, said
}

// afterException reports whether a name, or one that it is joined to, is excluded.
func (s *sentence) afterException(i int) bool {
	for ; i >= 0; i-- {
		if request.ExceptWords[s.Preceding(s.names[i].At[0])] {
			return true
		}
		if i == 0 || !s.joined(s.names[i-1], s.names[i]) {
			return false
		}
	}
	return false
}

// excepted returns the word that excludes a name, or −1: "кроме посуды", "except the group Tea".
func (s *sentence) excepted(n *named, i int) int {
	if at := s.leftAlone(n, i); at >= 0 {
		return at
	}
	least := max(0, n.At[0]-5)
	if i > 0 {
		least = max(least, s.names[i-1].At[len(s.names[i-1].At)-1]+1)
	}
	for j := n.At[0] - 1; j >= least; j-- {
		switch w := s.Word(j); {
		case request.ExceptWords[w]:
			return j
		case w == "считая" && s.Word(j-1) == "не", w == "исключением" && s.Word(j-1) == "за":
			s.Use(j-1, j)
			return j
		case w == "не" && j == n.At[0]-1, w == "not" && j == n.At[0]-1, w == "без" && s.ofGoodsBefore(j, n.At[0]),
			w == "не" && j == n.At[0]-2 && (s.Word(j+1) == "на" || s.Word(j+1) == "для" || s.Word(j+1) == "по"):
			return j
		case request.Touches[w] && (s.Word(j-1) == "не" || s.Word(j-1) == "not"): // "не трогай чай"
			s.Use(j-1, j)
			return j
		case w == "но" && s.Word(j+1) == "не":
			return j
		case request.Begins(w, leavings) && s.asIsBehind(n):
			return j
		case w == "out" && s.Word(j-1) == "leave":
			s.Use(j-1, j)
			return j
		case s.Words[j].Kind == token.Number:
			return -1
		}
	}
	return -1
}

// asIsBehind reports whether words behind a name say that it is not to change, and marks them: "leave tea alone".
func (s *sentence) asIsBehind(n *named) bool {
	j := n.At[len(n.At)-1] + 1
	if w := s.Norm(j); !asIs[w] && w != "out" {
		return false
	}
	for ; asIs[s.Norm(j)] || s.Norm(j) == "out"; j++ {
		s.Use(j, j+1)
	}
	return true
}

// ofGoodsBefore reports whether only words for goods and where they are from stand between "без" and a name: "без
// товаров от Сидорова".
func (s *sentence) ofGoodsBefore(from, to int) bool {
	for j := from + 1; j < to; j++ {
		w := s.Word(j)
		_, kind := request.Kinds[w]
		if !kind && !request.EverythingWords[w] && !words.IsLegalForm(w) && w != "от" && w != "у" && w != "из" &&
			!request.Begins(w, []string{"товар", "позици", "закуп"}) {
			return false
		}
	}
	return true
}

// beforeLeaving are words between goods and that they are not to change.
var beforeLeaving = words.Set(", - — при этом пока пусть")

// parted reports whether a comma between two names ends what is to change: "на канцтовары, тетради оставь". The first
// name of a list of goods that stay stands behind a comma itself, or opens the request.
func (s *sentence) parted(first, a, b *named) bool {
	comma := slices.ContainsFunc(s.Words[a.At[len(a.At)-1]+1:b.At[0]],
		func(t token.Token) bool { return t.Norm == "," })
	if !comma || first.At[0] == 0 {
		return false
	}
	before := &s.Words[first.At[0]-1]
	if _, kind := request.Kinds[before.Norm]; kind && first.At[0] > 1 {
		before = &s.Words[first.At[0]-2]
	}
	return before.Kind != token.Mark && before.Norm != "но" && before.Norm != "а" && before.Norm != "but"
}

// leavings begin the words that say that what stands before them is not to change: "посуда остаётся как есть".
var leavings = []string{"остав", "остае", "остан", "пропусти", "исключи", "leave", "stay", "remain", "excluded"}

// leftAlone returns a word behind names that says that these are not to change, or −1: "инструмент не трогай".
func (s *sentence) leftAlone(n *named, i int) int {
	last := n
	for k := i + 1; k < len(s.names) && s.joined(last, s.names[k]) && !s.parted(n, last, s.names[k]); k++ {
		last = s.names[k]
	}
	j := last.At[len(last.At)-1] + 1
	for beforeLeaving[s.Word(j)] {
		j++
	}
	switch {
	case s.Word(j) == "не" && request.Touches[s.Word(j+1)] && s.Words[j+1].Use == token.Unused:
		s.Use(j, j+1)
		return j + 1
	case s.Word(j) == "не" && request.Touches[s.Word(j+1)]: // said of the name before
		return j + 1
	case request.Begins(s.Norm(j), leavings):
		for k := j + 1; k < len(s.Words) && k <= j+3; k++ {
			switch s.Norm(k) {
			case "как", "есть", "без", "изменений", "в", "покое", "прежними", "старые", "as", "is", "alone", "they",
				"are", "цены", "по-старому", "прежней", "прежнем", "старой", "цене", "цена", "уровне", "неизменной",
				"неизменными", "the", "same", "unchanged":
				s.Use(k, k+1)
			}
		}
		return j
	}
	return -1
}
