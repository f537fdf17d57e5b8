package proposal

import (
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/connector"
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
	number   *number // how many, or the price of it
	used     bool
}

func isStore(n connector.Name) bool { return n.Kind == connector.NameStore }

func isProduct(n connector.Name) bool { return n.Kind == connector.NameProduct }

// leaving are the words before the warehouse that goods come from.
var leaving = words.Set("с со из от from off")

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
				s.use(at, at+1)
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

// excepted returns the word that excludes a name, or −1: "кроме посуды", "except the group Tea".
func (s *sentence) excepted(n *named, i int) int {
	least := max(0, n.At[0]-5)
	if i > 0 {
		least = max(least, s.names[i-1].At[len(s.names[i-1].At)-1]+1)
	}
	for j := n.At[0] - 1; j >= least; j-- {
		switch w := s.word(j); {
		case exceptWords[w]:
			return j
		case w == "считая" && s.word(j-1) == "не", w == "исключением" && s.word(j-1) == "за":
			s.use(j-1, j)
			return j
		case w == "не" && j == n.At[0]-1, w == "not" && j == n.At[0]-1:
			return j
		case w == "но" && s.word(j+1) == "не":
			return j
		case s.ts[j].Kind == token.Number:
			return -1
		}
	}
	return -1
}

// joined reports whether only "and", commas, articles and kinds are between two names.
func (s *sentence) joined(a, b *named) bool {
	for j := a.At[len(a.At)-1] + 1; j < b.At[0]; j++ {
		w := s.word(j)
		if _, kind := kinds[w]; !kind && w != "и" && w != "and" && w != "or" && w != "или" && w != "," && w != "the" &&
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
		if k, ok := kinds[s.norm(j)]; ok {
			return k, j
		}
		if w := s.word(j); len([]rune(w)) > 2 {
			break
		}
	}
	if k, ok := kinds[s.norm(last+1)]; ok {
		return k, last + 1
	}
	return "", -1
}

// useBeside marks what says what a name is.
func (s *sentence) useBeside(n *named) {
	if k, j := s.beside(n); k != "" {
		s.use(j, j+1)
	}
	for _, m := range n.Meanings { // "Магазин на Мира" leaves out "магазин"
		if m.Kind == connector.NameStore {
			return
		}
	}
}

// decide chooses the role of a name by its meanings and the words around it.
func (s *sentence) decide(n *named) {
	by := map[role][]connector.Name{}
	for _, m := range n.Meanings {
		r := map[connector.NameKind]role{connector.NameProduct: aProduct, connector.NameGroup: aGroup,
			connector.NameSupplier: aSupplier, connector.NameCounterparty: aSupplier, connector.NameStore: aStore}[m.Kind]
		same := func(o connector.Name) bool { return o.ID == m.ID && o.Name == m.Name }
		if r != noRole && !slices.ContainsFunc(by[r], same) {
			by[r] = append(by[r], m)
		}
	}
	if k, _ := s.beside(n); k != "" {
		r := map[connector.NameKind]role{connector.NameGroup: aGroup, connector.NameSupplier: aSupplier,
			connector.NameStore: aStore}[k]
		if len(by[r]) > 0 {
			n.role, n.chosen = r, by[r]
			return
		}
		if k == connector.NameCounterparty && s.kind == Prices {
			s.customers()
			return
		}
	}
	w := s.before(n.At[0])
	var order []role
	switch {
	case w == "у" || w == "от" || w == "from" && s.kind != Transfers || w == "by":
		order = []role{aSupplier}
	case (w == "на" || w == "в" || w == "во" || w == "to" || w == "at" || w == "in" || w == "into" || w == "для" ||
		w == "for" || w == "со" || w == "с" || w == "из" || w == "from") && s.kind != Prices:
		order = []role{aStore}
	}
	for _, r := range order {
		if len(by[r]) > 0 {
			n.role, n.chosen = r, by[r]
			return
		}
	}
	switch {
	case len(by) == 1:
		for r := range by {
			n.role, n.chosen = r, by[r]
		}
	case len(by) > 1:
		s.askRole(n, by)
	}
}

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
	if len(n.chosen) > 1 {
		if n.role != aProduct {
			s.askWhich(n)
			n.used = true
			return
		}
		if !s.allMeant(n) {
			s.askGoods(n)
			n.used = true
			return
		}
	}
	n.used = true
	if n.number != nil && !n.excluded && n.role == aProduct {
		s.addItem(n)
		return
	}
	if n.role == aGroup && s.partly(n) {
		s.askPart(n)
		return
	}
	to := &s.draft.Goods
	if n.excluded {
		if n.role == aStore || n.role == aSource || s.kind == Transfers || s.kind == Minimums {
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
		v := m.Name
		if len(n.chosen) > 1 && m.ID != "" || s.namesake(n, m) {
			v = m.ID
		}
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

// namesake reports whether another thing of the same kind has the same name.
func (s *sentence) namesake(n *named, m connector.Name) bool {
	return slices.ContainsFunc(n.Meanings, func(o connector.Name) bool {
		return o.Kind == m.Kind && o.ID != m.ID && strings.EqualFold(o.Name, m.Name) && m.ID != ""
	})
}

// allMeant reports whether words that fit several goods mean all of them: "подними цены на кружки". A quantity, or a
// price of its own, is of one.
func (s *sentence) allMeant(n *named) bool {
	return s.kind != Transfers && n.number == nil && s.draft.Price == "" && !n.Exact &&
		len(n.chosen) < searched
}

// searched is how many goods a search returns at most: there may be more.
const searched = 20

// supplierOfPrices asks whether a person is meant as a supplier of goods or as a customer: "скидка 5 % Иванову".
func (s *sentence) supplierOfPrices(n *named) {
	k, _ := s.beside(n)
	w := s.before(n.At[0])
	if k == connector.NameSupplier || w == "у" || w == "от" || w == "from" || w == "by" || begins(w, supplierNouns) ||
		begins(w, []string{"товар", "product", "goods", "item", "позици", "всё", "все", "all"}) ||
		s.find(supplierNouns) >= 0 || n.At[0] > 0 && begins(s.word(n.At[0]-1), supplierNouns) || s.goodsOf(n) {
		return
	}
	d := s.draft
	s.ask("Цены товаров поставщика «"+n.chosen[0].Name+"»? Скидок для отдельных покупателей я не меняю.",
		"The prices of goods from the supplier “"+n.chosen[0].Name+"”? I do not change discounts of single customers.",
		s.option(d))
	s.later = append(s.later, func() {
		if len(s.options) == 1 {
			s.options = []Option{s.option(s.draft)}
		}
	})
}

// goodsOf reports whether a word for goods stands before a name, prepositions aside.
func (s *sentence) goodsOf(n *named) bool {
	for j := n.At[0] - 1; j >= 0 && j >= n.At[0]-3; j-- {
		if begins(s.word(j), []string{"товар", "product", "goods", "item", "позици", "ассортимент"}) {
			return true
		}
	}
	return false
}

// storeOfPrices asks what a warehouse means for prices, which are the same everywhere; where another condition is read
// with it, that one decides. It reports false.
func (s *sentence) storeOfPrices(n *named) bool {
	if len(n.chosen) != 1 {
		return false
	}
	store := n.chosen[0]
	s.later = append(s.later, func() {
		if n.used {
			return
		}
		n.used = true
		in, all := s.draft.clone(), s.draft.clone()
		in.Everything = false
		q := &analysis.Query{Measures: []string{"stock"}, By: []string{"product"}, Where: []analysis.Condition{
			{Field: "store", Op: analysis.In, Values: []analysis.Scalar{analysis.Scalar(store.Name)}},
			{Field: "stock", Op: analysis.Greater, Values: []analysis.Scalar{"0"}}}}
		options := []Option{}
		if in.RowsOf == nil && len(in.Products) == 0 && in.Items == nil {
			in.RowsOf = &RowsOf{Query: q}
			options = append(options, s.option(in))
		}
		all.Everything = !all.scoped()
		options = append(options, s.option(all))
		s.ask("Цены одни для всех складов, отдельно для «"+store.Name+"» их не задать. Что сделать?",
			"Prices are the same for all warehouses, not only for “"+store.Name+"”. What shall I do?", options...)
	})
	return false
}

// scoped reports whether a draft names the goods that it is for.
func (d *Draft) scoped() bool {
	return !d.Goods.empty() || len(d.Where) > 0 || d.RowsOf != nil || d.Items != nil
}

// maxOptions is how many similar names are offered.
const maxOptions = 8

// askWhich asks which of several names of one kind is meant.
func (s *sentence) askWhich(n *named) {
	s.later = append(s.later, func() {
		var options []Option
		for _, m := range n.chosen[:min(maxOptions, len(n.chosen))] {
			options = append(options, s.option(s.with(n, m)))
		}
		s.ask("«"+n.Words+"» подходит к нескольким названиям. Что выбрать?",
			"“"+n.Words+"” could mean several things. Which one?", options...)
	})
}

// with returns the draft with one meaning of a name.
func (s *sentence) with(n *named, ms ...connector.Name) Draft {
	d := s.draft.clone()
	for _, m := range ms {
		v := m.Name
		if s.namesake(n, m) {
			v = m.ID
		}
		to := &d.Goods
		if n.excluded {
			if d.Except == nil {
				d.Except = &Goods{}
			}
			to = d.Except
		}
		switch m.Kind {
		case connector.NameProduct:
			switch item := s.item(n, v); {
			case n.excluded:
				to.Products = append(to.Products, v)
			case d.Price != "" && s.kind == Prices && len(ms) == 1 && d.Goods.empty():
				d.Items, d.Price = []Item{{Product: v, Price: d.Price}}, ""
			case n.number != nil:
				d.Items = append(d.Items, item)
				d.moveStore(s.kind)
			default:
				to.Products = append(to.Products, v)
			}
		case connector.NameGroup:
			to.Groups = append(to.Groups, v)
		case connector.NameSupplier, connector.NameCounterparty:
			to.Suppliers = append(to.Suppliers, v)
		case connector.NameStore:
			if n.role == aSource {
				d.FromStores = append(d.FromStores, v)
			} else {
				d.Stores = append(d.Stores, v)
			}
			d.moveStore(s.kind)
		default:
		}
	}
	if d.scoped() {
		d.Everything = false
	}
	return d
}

// clone copies the lists of a draft, so that options do not share them.
func (d Draft) clone() Draft {
	d.Items, d.Stores, d.FromStores = slices.Clone(d.Items), slices.Clone(d.Stores), slices.Clone(d.FromStores)
	d.Products, d.Groups, d.Suppliers = slices.Clone(d.Products), slices.Clone(d.Groups), slices.Clone(d.Suppliers)
	d.Where = slices.Clone(d.Where)
	if d.Except != nil {
		e := *d.Except
		e.Products, e.Groups, e.Suppliers = slices.Clone(e.Products), slices.Clone(e.Groups), slices.Clone(e.Suppliers)
		d.Except = &e
	}
	return d
}

// moveStore names the warehouse of a list of goods as the one to deliver to.
func (d *Draft) moveStore(k Kind) {
	if k == Orders && d.Items != nil && len(d.Stores) == 1 {
		d.Store, d.Stores = d.Stores[0], nil
	}
}

// askGoods asks which of several goods is meant, or all of them.
func (s *sentence) askGoods(n *named) {
	s.later = append(s.later, func() {
		var options []Option
		for _, m := range n.chosen[:min(maxOptions, len(n.chosen))] {
			options = append(options, s.option(s.with(n, m)))
		}
		if len(n.chosen) <= maxOptions && s.kind == Prices && s.draft.Goods.empty() {
			options = append(options, s.option(s.with(n, n.chosen...)))
		}
		s.ask("«"+n.Words+"» подходит к нескольким товарам. Какой выбрать?",
			"“"+n.Words+"” fits several products. Which one?", options...)
	})
}

// askRole asks whether goods, a group or a supplier is meant.
func (s *sentence) askRole(n *named, by map[role][]connector.Name) {
	n.used = true
	s.later = append(s.later, func() {
		var options []Option
		if ps := by[aProduct]; len(ps) > 1 && len(ps) < searched && n.number == nil {
			options = append(options, s.option(s.with(n, ps...)))
		}
		for _, r := range []role{aGroup, aProduct, aSupplier, aStore} {
			for _, m := range by[r] {
				if (r == aProduct && len(options) > 0 && len(by[aProduct]) > 3) || len(options) >= maxOptions ||
					r == aStore && s.kind == Prices || r != aProduct && n.number != nil {
					continue
				}
				options = append(options, s.option(s.with(n, m)))
			}
		}
		s.ask("«"+n.Words+"» подходит к нескольким названиям. Что выбрать?",
			"“"+n.Words+"” could mean several things. Which one?", options...)
	})
}

// partly reports whether a group is named only in part, as "чай" names «Чай и кофе».
func (s *sentence) partly(n *named) bool {
	k, _ := s.beside(n)
	return !n.Exact && k != connector.NameGroup && len(n.chosen) == 1
}

// askPart asks whether the whole group is meant.
func (s *sentence) askPart(n *named) {
	s.later = append(s.later, func() {
		s.ask("«"+n.Words+"» — это вся группа «"+n.chosen[0].Name+"»?",
			"Does “"+n.Words+"” mean the whole group “"+n.chosen[0].Name+"”?", s.option(s.with(n, n.chosen[0])))
	})
}

// search returns the words that fit only part of a group's name and may mean goods: they are to be searched for.
func (s *sentence) search() []Phrase {
	var out []Phrase
	for _, n := range s.names {
		if n.role == aGroup && s.partly(n) {
			out = append(out, Phrase{From: n.At[0], To: n.At[len(n.At)-1] + 1,
				Kinds: []connector.NameKind{connector.NameProduct}})
		}
	}
	return out
}

// readEverything reads "все цены": the draft is of all goods, but what else narrows it.
func (s *sentence) readEverything() {
	said := false
	for i := range s.ts {
		if w := s.norm(i); everythingWords[w] {
			said = true
			s.use(i, i+1)
		}
	}
	s.draft.Everything = said && (s.kind == Prices || s.kind == Minimums)
}
