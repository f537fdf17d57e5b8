package language

import (
	"cmp"
	"iter"
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/language/compose/typed"
	"github.com/stockhand/stockhand/internal/language/lookup"
	"github.com/stockhand/stockhand/internal/language/names"
	"github.com/stockhand/stockhand/internal/language/quantity"
	"github.com/stockhand/stockhand/internal/language/spelling"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// mention is a part of the task that names something, and what it may mean.
type mention struct {
	at       []int
	words    string
	exact    bool
	meanings []connector.Name // more than one: the same name in several kinds, or an ambiguity
	all      bool             // every meaning is meant
	weak     bool             // a small part of a name, or of another kind than the task says
	byID     bool             // another thing has the same name
	total    int              // of the names that fit
	wider    []connector.Name // of a good that is called by one word: the others whose names begin with it
}

// mentioned returns the words of the task that name goods, groups, suppliers or warehouses, each once.
func (r *reader) mentioned() []string {
	var all []string
	for _, m := range r.mentions {
		if !m.weak && !slices.Contains(all, m.words) && slices.ContainsFunc(m.meanings, func(n connector.Name) bool {
			return slices.Contains(goodsNames, n.Kind)
		}) {
			all = append(all, m.words)
		}
	}
	return all
}

func isKindWord(s string) bool { return names.Kind(s) != "" }

// loaded reports whether the reading has all of the account's names that it needs.
func (in *Input) loaded() bool {
	return len(in.Names) > 0 || len(in.Known) > 0 && !in.Unsearched
}

// NamesOf returns the account's names of a kind.
func (in *Input) NamesOf(kind connector.NameKind) []connector.Name {
	return slices.Collect(in.names(kind))
}

// names yields the account's names of a kind.
func (in *Input) names(kind connector.NameKind) iter.Seq[connector.Name] {
	return func(yield func(connector.Name) bool) {
		for _, n := range in.Names {
			if n.Kind == kind && !yield(n) {
				return
			}
		}
		for _, x := range in.Known {
			for n := range x.All(kind) {
				if !yield(n) {
					return
				}
			}
		}
	}
}

// has reports whether names of a kind are known.
func (in *Input) has(kind connector.NameKind) bool {
	for range in.names(kind) {
		return true
	}
	return false
}

// NameOf returns the name of an ID; empty if none is known.
func (in *Input) NameOf(id string) string {
	for _, n := range in.Names {
		if n.ID == id {
			return n.Name
		}
	}
	for _, x := range in.Known {
		if list := x.ByID(id); len(list) > 0 {
			return list[0].Name
		}
	}
	return ""
}

// variantsOf returns the variants of a product, of which the name or the ID is given.
func (in *Input) variantsOf(product string) (list []connector.Name) {
	product = cmp.Or(in.NameOf(product), product)
	for _, n := range in.Names {
		if n.Kind == connector.NameProduct && strings.HasPrefix(n.Name, product+" (") &&
			strings.HasSuffix(n.Name, ")") {
			list = append(list, n)
		}
	}
	for _, x := range in.Known {
		list = append(list, x.Variants(product)...)
	}
	return list
}

// ofManyKinds are adjectives before what is counted, and no names: "сколько разных клиентов".
var ofManyKinds = words.Set("разных различных разные различные разным различным")

// readNames finds the account's names.
func (r *reader) readNames() {
	known := r.indexes()
	repaired := slices.Clone(r.ts)
	repaired = r.respell(repaired)
	r.x.repair(repaired)
	everyday := make([]bool, len(r.ts))
	expenses := r.in.NamesOf(connector.NameExpenseItem)
	for i := range r.ts {
		everyday[i] = r.x.ordinary(&r.ts[i]) && !names.NamesThing(&r.ts[i]) && !r.isExpense(&r.ts[i], expenses) ||
			quantity.IsCalendarWord(r.ts[i].Norm) || ofManyKinds[r.ts[i].Norm] && i+1 < len(r.ts)
	}
	for _, f := range r.x.Find(r.ts) {
		if len(f.At) > 1 {
			for _, i := range f.At {
				everyday[i] = true
			}
		}
	}
	typed.Everyday(r.in.Catalogue, r.ts, everyday)
	for _, p := range quantity.Periods(slices.Clone(r.ts), r.today) { // "чёрная пятница"
		for i := p.At; i < p.End && p.End > p.At+1; i++ {
			everyday[i] = true
		}
	}
	r.soldServices(everyday)
	r.noNames(everyday)
	r.namedGroups(everyday)
	r.namedStores()
	r.namedExpenses(expenses)
	r.describedGroups()
	r.retail()
	task := names.Task{Tokens: r.ts, Ordinary: func(i int) bool { return everyday[i] },
		Corrected: func(i int) bool {
			return repaired[i].Typo || lookup.Knows(&r.ts[i]) || spelling.Known().Has(r.ts[i].Norm)
		}}
	for _, m := range names.Find(task, known...) {
		if r.fromParty(&m) || r.ofPriceType(&m) || r.ofWholesale(&m) {
			for _, i := range m.At {
				r.ts[i].Use = token.Unused
			}
			continue
		}
		if m.Weak && r.in.Unsearched { // the word may be a name that is not read yet
			for _, i := range m.At {
				r.ts[i].Use = token.Unused
			}
			continue
		}
		r.mentions = append(r.mentions, mention{at: m.At, words: m.Words, exact: m.Exact, meanings: m.Meanings,
			weak: m.Weak, total: m.Total, wider: m.Wider})
	}
	r.chooseParty()
	r.chooseGender()
	r.ofNoun()
	r.leftOut()
	r.everySuch()
}

// fromParty reports whether a word that only goods are called by stands where somebody who gives something is named:
// "осталось получить от Эконома" (rule R636).
func (r *reader) fromParty(m *names.Mention) bool {
	first := m.At[0]
	prev := r.normAt(first - 1)
	if prev != "от" && prev != "from" || len(m.At) > 1 || !startsUpper(r.ts[first].Raw) || m.Exact {
		return false
	}
	return !slices.ContainsFunc(m.Meanings, func(n connector.Name) bool {
		return n.Kind != connector.NameProduct && n.Kind != connector.NameGroup
	})
}

// namedGroups takes an everyday word for a group where only that can be meant: "только продукты", "кроме комплектов".
func (r *reader) namedGroups(everyday []bool) {
	var groups map[string]bool // the stems of groups that are called by one word
	for i := 1; i < len(r.ts); i++ {
		if !everyday[i] || !limiting[r.ts[i-1].Norm] || r.ts[i].Kind != token.Word {
			continue
		}
		if groups == nil {
			groups = map[string]bool{}
			for n := range r.in.names(connector.NameGroup) {
				if ws := token.Split(n.Name); len(ws) == 1 {
					groups[ws[0].Stem] = true
				}
			}
		}
		everyday[i] = !groups[r.ts[i].Stem]
	}
}

// namedStores takes an everyday adjective that stands alone for the warehouse that is called by it: "только Основной",
// "остатки основного", but not "основной поставщик".
func (r *reader) namedStores() {
	var stores map[string]connector.Name // by the stems of adjectives beside a word such as "склад"
	for i := range r.ts {
		t := &r.ts[i]
		if t.Kind != token.Word || !adjective(t.Norm) {
			continue
		}
		if j := i + 1; j < len(r.ts) && r.ts[j].Kind == token.Word && !standsBehind[r.ts[j].Norm] {
			continue
		}
		if stores == nil {
			stores = map[string]connector.Name{}
			for n := range r.in.names(connector.NameStore) {
				ws := token.Split(n.Name)
				if len(ws) == 2 && isKindWord(ws[1].Norm) && adjective(ws[0].Norm) {
					stores[ws[0].Stem] = n
				}
			}
		}
		if n, ok := stores[t.Stem]; ok {
			r.names(n, i, i+1)
		} else if n, ok := r.misspeltStore(stores, i); ok {
			r.names(n, i, i+1)
		}
	}
}

// misspeltStore returns the only warehouse whose adjective is one wrong letter away from an unknown word behind "на" or
// "в": "на оснавном".
func (r *reader) misspeltStore(stores map[string]connector.Name, i int) (found connector.Name, ok bool) {
	t := &r.ts[i]
	if prev := r.normAt(i - 1); prev != "на" && prev != "в" && prev != "со" && prev != "с" || len([]rune(t.Stem)) < 5 ||
		t.Use != token.Unused || r.x.ordinary(t) || typed.Known(r.in.Catalogue, r.ts, i) {
		return found, false
	}
	for stem, n := range stores {
		if !names.Near(t.Stem, stem) {
			continue
		}
		if ok {
			return connector.Name{}, false
		}
		found, ok = n, true
	}
	return found, ok
}

// namedExpenses takes the everyday words of an expense item for it where payments are asked for or were shown before:
// "без закупки товаров".
func (r *reader) namedExpenses(items []connector.Name) {
	if r.in.Previous == nil {
		return
	}
	q := r.in.Previous.asQuery()
	if q == nil || !slices.Contains(q.Measures, "money_out") && !slices.Contains(q.By, "expense_item") {
		return
	}
	for _, n := range items {
		var of []token.Token
		for _, t := range token.Split(n.Name) {
			if t.Kind == token.Word {
				of = append(of, t)
			}
		}
		for i := 0; len(of) > 0 && i+len(of) <= len(r.ts); i++ {
			if !slices.EqualFunc(of, r.ts[i:i+len(of)], func(a, b token.Token) bool { return a.Stem == b.Stem }) {
				continue
			}
			r.names(n, i, i+len(of))
		}
	}
}

// names takes the tokens [from, to) for a name.
func (r *reader) names(n connector.Name, from, to int) {
	m := mention{words: r.task[r.ts[from].Start:r.ts[to-1].End], exact: true, meanings: []connector.Name{n}}
	for i := from; i < to; i++ {
		if r.ts[i].Use != token.Unused {
			return
		}
		m.at = append(m.at, i)
	}
	for _, i := range m.at {
		r.ts[i].Use = token.AsName
	}
	r.mentions = append(r.mentions, m)
}

// standsBehind are words that may stand behind a warehouse's name and are no noun that an adjective belongs to.
var standsBehind = words.Set("и или а но в на по с со за у без кроме сейчас сегодня вчера есть нет пожалуйста " +
	"тоже что где сколько")

// adjective reports whether a word ends as an adjective in the singular that "склад" may have.
func adjective(w string) bool {
	return slices.ContainsFunc([]string{"ый", "ой", "ий", "ого", "его", "ому", "ему", "ом", "ем", "ым", "им"},
		func(end string) bool { return strings.HasSuffix(w, end) })
}

// retail takes "розница" behind "без" or "кроме" for the customer of sales to passers-by, if the account has one.
func (r *reader) retail() {
	for i := 1; i < len(r.ts); i++ {
		t := &r.ts[i]
		retail := t.Stem == token.StemOf("розница") || strings.HasPrefix(t.Norm, "розничн") || t.Norm == "retail"
		prices := i+1 < len(r.ts) && strings.HasPrefix(r.ts[i+1].Norm, "цен")
		share := slices.ContainsFunc(r.ts[:i], func(t token.Token) bool {
			return partOf[t.Norm] || t.Norm == "процентов" // "сколько процентов выручки даёт розница"
		})
		if !retail || prices || t.Use != token.Unused || !share && !leavingOut[r.ts[i-1].Norm] &&
			!partOf[r.ts[i-1].Norm] && !(i > 1 &&
			(r.normAt(i-2) == "не" || r.normAt(i-2) == "not") && counting[r.normAt(i-1)]) {
			continue
		}
		for n := range r.in.names(connector.NameCounterparty) {
			if first, _, _ := strings.Cut(n.Name, " "); strings.HasPrefix(words.Fold(first), "розничн") {
				r.names(n, i, i+1)
				return
			}
		}
	}
}

// leavingOut are words in front of what is left out.
var leavingOut = words.Set("без кроме исключая минус убери исключи помимо without except excluding exclude excl " +
	"besides minus")

// partOf are words in front of what is a part of the whole.
var partOf = words.Set("доля долю доли процент часть share")

// counting are words that leave out what stands behind them, behind "не" or "not".
var counting = words.Set("считая учитывая включая беря считать учитывать including counting")

// limiting are words behind which stands what a question is limited to, and no breakdown.
var limiting = words.Set("только лишь кроме исключая группа группу группе группы категория категории категорию " +
	"раздел разделу раздела only except excluding group category")

// things returns the different things that a mention may mean. A supplier is a counterparty, too.
func (m *mention) things() []connector.Name {
	var out []connector.Name
	for _, n := range m.meanings {
		if !slices.ContainsFunc(out, func(o connector.Name) bool {
			return partner(o.Kind) == partner(n.Kind) && o.ID == n.ID
		}) {
			out = append(out, n)
		}
	}
	return out
}

func partner(k connector.NameKind) connector.NameKind {
	if k == connector.NameSupplier {
		return connector.NameCounterparty
	}
	return k
}

// headed reports whether all goods begin with the same noun, which is all that the task names: "кофе". Then it means
// all of them, although more of their names is left unsaid.
func headed(goods []connector.Name, said string) bool {
	head := func(name string) string {
		for _, t := range token.Split(name) {
			if t.Kind == token.Word {
				return t.Stem
			}
		}
		return ""
	}
	first := head(goods[0].Name)
	return len(strings.Fields(said)) == 1 && !slices.ContainsFunc(goods, func(n connector.Name) bool {
		return head(n.Name) != first
	})
}

// respell returns the tokens with the misspelt words of questions about figures corrected.
func (r *reader) respell(ts []token.Token) []token.Token {
	ts = slices.Clone(ts)
	typed.Repair(r.in.Catalogue, ts, func(t *token.Token) bool { return r.x.explains(t) || isKindWord(t.Norm) })
	return ts
}

// isExpense reports whether a word that is otherwise out of scope begins the name of an expense item: "зарплата".
func (r *reader) isExpense(t *token.Token, items []connector.Name) bool {
	outside := false
	r.x.Means(t, func(c concept, _ bool) { outside = outside || c == conceptOutOfScope })
	return outside && slices.ContainsFunc(items, func(n connector.Name) bool {
		first, _, _ := strings.Cut(strings.ToLower(n.Name), " ")
		return token.Stem(first, token.IsCyrillic(first)) == t.Stem
	})
}
