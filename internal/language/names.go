package language

import (
	"cmp"
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/language/quantity"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// kindWords are the words that say what the name beside them is. They may also be an optional part of the name
// ("Основной склад").
var kindWords = func() map[string]connector.NameKind {
	m := map[string]connector.NameKind{}
	for k, words := range map[connector.NameKind]string{
		connector.NameStore:        "склад склада складу складе складом склады складов складам складах магазин магазина магазину магазине магазином магазины магазинах точка точки точке точку филиал филиала филиале warehouse warehouses store stores shop shops location branch outlet",
		connector.NameSupplier:     "поставщик поставщика поставщику поставщиком поставщике поставщики поставщиков поставщикам supplier suppliers vendor vendors",
		connector.NameGroup:        "группа группы группе группу группой групп группам категория категории категорию категорией папка папки папке папку раздел разделе раздела group groups category categories folder",
		connector.NameCounterparty: "клиент клиента клиенту клиентом клиенты клиентов покупатель покупателя покупателю покупателем покупатели контрагент контрагента контрагенту контрагентом контрагенты заказчик заказчика customer customers client clients buyer counterparty",
		connector.NameProduct:      "товар товара товару товаром товары товаров товарам позиция позиции позицию артикул артикула артикулу артикулом код кода коду штрихкод штрихкоду product products item items article sku barcode code",
	} {
		for w := range strings.FieldsSeq(words) {
			m[w] = k
		}
	}
	return m
}()

// candidate is a name that some tokens may mean.
type candidate struct {
	name     connector.Name
	at       []int // tokens that mean it, in order
	full     bool  // every word of the name that matters is there
	extra    int   // words of the name beyond those that matter that are there too
	fuzzy    int   // words that match but for a typo
	distinct bool  // some token is no word of the lexicon, or the context says that it is a name
}

// mention is a part of the task that names something, and what it may mean.
type mention struct {
	at       []int
	words    string
	exact    bool
	meanings []connector.Name // more than one: the same name in several kinds, or an ambiguity
	all      bool             // every meaning is meant
}

// nameWords are the words of a name.
type nameWords struct {
	core     []string // stems that matter
	forms    []string // and the words they come from
	optional []string // stems that may be left out
}

// index returns the word of the name that the token is a form of, or −1. The stemmer shortens surnames in -ов more
// than their other cases, so a word that only adds an ending to the name's counts too.
func (w nameWords) index(t *token.Token) int {
	s := t.StemOrNumber()
	for i, c := range w.core {
		if c == s {
			return i
		}
		if f := w.forms[i]; t.Kind == token.Word && len([]rune(f)) >= 4 &&
			(strings.HasPrefix(t.Norm, f) && len([]rune(t.Norm))-len([]rune(f)) <= 3 && t.Cyrillic ||
				strings.HasPrefix(f, t.Norm) && len([]rune(f))-len([]rune(t.Norm)) == 1 && t.Cyrillic) {
			return i
		}
	}
	return -1
}

func wordsOf(name string) nameWords {
	var w nameWords
	for _, t := range token.Split(strings.NewReplacer("«", " ", "»", " ", "\"", " ", "“", " ", "”",
		" ").Replace(name)) {
		switch {
		case t.Kind == token.Mark:
		case words.IsLegalForm(t.Norm), isKindWord(t.Norm), t.Kind == token.Word && small[t.Norm]:
			w.optional = append(w.optional, t.StemOrNumber())
		default:
			w.core = append(w.core, t.StemOrNumber())
			w.forms = append(w.forms, t.Norm)
		}
	}
	if len(w.core) == 0 {
		w.core, w.forms, w.optional = w.optional, w.optional, nil
	}
	return w
}

// small are the words of a name that people may omit.
var small = words.Set("на в во по и из от до за с со у к ко о об для а the of at in on and for no n")

func isKindWord(s string) bool { _, ok := kindWords[s]; return ok }

// matcher finds the account's names in a task.
type matcher struct {
	x     *lexicon
	ts    []token.Token
	names []connector.Name // without price types, see choosePriceType
}

// mentions finds the names, marks their tokens, and returns what each place means.
func (m *matcher) mentions() []mention {
	if len(m.names) == 0 {
		return nil
	}
	cs := m.candidates(false)
	taken := map[int]bool{}
	for _, c := range cs {
		for _, i := range c.at {
			taken[i] = true
		}
	}
	for i := range m.ts { // a misspelt name: only where nothing else explains the word
		if !taken[i] && m.unexplained(i) {
			cs = append(cs, m.candidates(true)...)
			break
		}
	}
	return m.choose(cs)
}

func (m *matcher) unexplained(i int) bool {
	t := &m.ts[i]
	if t.Use != token.Unused {
		return false
	}
	return t.Kind == token.Quoted || t.Kind == token.Word &&
		(len([]rune(t.Norm)) >= 3 || len([]rune(t.Norm)) >= 2 && startsUpper(t.Raw)) && !m.x.ordinary(t) &&
		!quantity.IsCalendarWord(t.Norm)
}

// candidates compares every name with every part of the task. Names that share no beginning of a word with the task
// are skipped early.
func (m *matcher) candidates(fuzzy bool) []candidate {
	parts := m.parts(fuzzy)
	codes := m.codes()
	var out []candidate
	for _, n := range m.names {
		for k, text := range append([]string{n.Name}, n.Also...) {
			if text == "" {
				continue
			}
			if at, ok := m.code(codes, text, k > 0); ok && !fuzzy {
				out = append(out, candidate{name: n, at: at, full: true, extra: 9, distinct: true})
				continue
			}
			low := words.Fold(text)
			if !slices.ContainsFunc(parts, func(s string) bool { return strings.Contains(low, s) }) {
				continue
			}
			out = append(out, m.runs(n, wordsOf(text), fuzzy)...)
		}
	}
	return out
}

// parts returns pieces of the task's words. Only names that contain one of them are compared: the beginnings of the
// words, or for misspelt words every three letters in a row.
func (m *matcher) parts(fuzzy bool) []string {
	var out []string
	add := func(t *token.Token) {
		if !fuzzy {
			n := 3
			if len([]rune(t.Norm)) <= 4 { // "юге" for "Юг"
				n = 2
			}
			out = append(out, firstRunes(t.Norm, n))
			return
		}
		rs := []rune(t.Norm)
		for i := 0; i+3 <= len(rs); i++ {
			out = append(out, string(rs[i:i+3]))
		}
	}
	for i := range m.ts {
		t := &m.ts[i]
		switch {
		case t.Use != token.Unused || fuzzy && !m.unexplained(i):
		case t.Kind == token.Word && !small[t.Norm]:
			add(t)
		case t.Kind == token.Quoted:
			for _, q := range token.Split(t.Raw) {
				if q.Kind != token.Mark {
					add(&q)
				}
			}
		}
	}
	return out
}

// runs finds where words of a name occur together.
func (m *matcher) runs(n connector.Name, w nameWords, fuzzy bool) []candidate {
	var out []candidate
	for i := 0; i < len(m.ts); i++ {
		t := &m.ts[i]
		if t.Use != token.Unused || t.Kind == token.Mark {
			continue
		}
		if t.Kind == token.Quoted {
			if c, ok := m.inQuotes(n, w, i, fuzzy); ok {
				out = append(out, c)
			}
			continue
		}
		c := candidate{name: n}
		seen := map[string]bool{}
		j := i
		for ; j < len(m.ts); j++ {
			u := &m.ts[j]
			if u.Use != token.Unused || u.Kind == token.Quoted {
				break
			}
			if u.Kind == token.Mark {
				if u.Norm == "," || u.Norm == "?" || u.Norm == ":" || len(c.at) == 0 {
					break
				}
				continue
			}
			s := u.StemOrNumber()
			k := w.index(u)
			switch {
			case k >= 0 && !seen[w.core[k]]:
				seen[w.core[k]] = true
				c.at = append(c.at, j)
				if m.unexplained(j) || token.HasDigit(u.Norm) && u.Kind == token.Word {
					c.distinct = true
				}
				continue
			case slices.Contains(w.optional, s):
				c.extra++
				continue
			case len(c.at) > 0 && (words.IsLegalForm(u.Norm)):
				continue
			}
			if k := m.fuzzyWord(w, j, fuzzy); k != "" && !seen[k] {
				seen[k] = true
				c.fuzzy++
				c.at = append(c.at, j)
				c.distinct = true
				continue
			}
			break
		}
		if len(c.at) == 0 || c.at[0] != i && c.extra == 0 {
			continue
		}
		distinct := map[string]bool{}
		for _, s := range w.core {
			distinct[s] = true
		}
		c.full = len(seen) == len(distinct)
		kind, named := m.context(c.at)
		if named && kind == n.Kind || named && kind == connector.NameSupplier && n.Kind == connector.NameCounterparty ||
			named && kind == connector.NameCounterparty && n.Kind == connector.NameSupplier {
			c.distinct = true
			c.extra++
		}
		if c.extra > 0 && len(w.optional) > 0 && c.full {
			c.distinct = true // "основном складе" for "Основной склад"
		}
		if m.numbersOnly(c.at) && (!named || kind != n.Kind) && c.extra == 0 {
			continue
		}
		if c.full && n.Kind == connector.NameGroup && i > 0 && aboutWords[m.ts[i-1].Norm] && len(m.ts[i].Norm) > 3 {
			c.distinct = true // "по продуктам" where a group is called so
		}
		if !c.distinct && c.full && len(c.at) > 1 {
			c.distinct = true
		}
		if !c.distinct || m.opensWithEverydayWords(c.at) {
			continue
		}
		out = append(out, c)
		i = c.at[len(c.at)-1]
	}
	return out
}

// aboutWords precede what a task is about.
var aboutWords = words.Set("по на для for on of")

// opensWithEverydayWords reports whether the tokens begin the task and are everyday words: "удали все товары" is an
// order even when a product has that name. In quotes or after other words it is the product.
func (m *matcher) opensWithEverydayWords(at []int) bool {
	if len(at) < 2 {
		return false
	}
	for _, i := range at {
		if m.ts[i].Kind == token.Word && !m.x.ordinary(&m.ts[i]) {
			return false
		}
	}
	for _, t := range m.ts[:at[0]] {
		if t.Kind != token.Mark && !padding[t.Norm] {
			return false
		}
	}
	return true
}

func (m *matcher) numbersOnly(at []int) bool {
	for _, i := range at {
		if m.ts[i].Kind != token.Number {
			return false
		}
	}
	return true
}

// inQuotes compares a name with a quoted token.
func (m *matcher) inQuotes(n connector.Name, w nameWords, i int, fuzzy bool) (candidate, bool) {
	c := candidate{name: n, at: []int{i}, distinct: true}
	if words.Fold(n.Name) == m.ts[i].Norm ||
		slices.ContainsFunc(n.Also, func(a string) bool { return words.Fold(a) == m.ts[i].Norm }) {
		c.full, c.extra = true, 10
		return c, true
	}
	q := wordsOf(m.ts[i].Raw)
	hits := 0
	for _, s := range q.core {
		if slices.Contains(w.core, s) || fuzzy &&
			slices.ContainsFunc(w.core, func(k string) bool { return len([]rune(k)) >= 5 && near(k, s) }) {
			hits++
		}
	}
	if hits == 0 || hits < len(q.core) {
		return c, false
	}
	c.full = hits == len(w.core)
	c.extra = hits
	if fuzzy {
		c.fuzzy = 1
	}
	return c, true
}

// context returns the kind that a word beside the tokens says.
func (m *matcher) context(at []int) (connector.NameKind, bool) {
	return kindBeside(m.ts, at[0], at[len(at)-1])
}

// kindBeside looks for a kind word directly before the tokens, apart from a preposition, or directly after them.
func kindBeside(ts []token.Token, first, last int) (connector.NameKind, bool) {
	for j := first - 1; j >= 0 && j >= first-3; j-- {
		if k, ok := kindWords[ts[j].Norm]; ok && ts[j].Kind == token.Word {
			return k, true
		}
		if ts[j].Kind == token.Mark && ts[j].Norm != "№" && ts[j].Norm != "#" && ts[j].Norm != ":" &&
			ts[j].Norm != "-" ||
			ts[j].Kind == token.Word && len([]rune(ts[j].Norm)) > 3 && ts[j].Norm != "named" && ts[j].Norm != "called" {
			break
		}
	}
	if j := last + 1; j < len(ts) && ts[j].Kind == token.Word {
		if k, ok := kindWords[ts[j].Norm]; ok && k != connector.NameProduct {
			return k, true
		}
	}
	return "", false
}

// choose decides between names that match the same tokens: a full match is better than part of a name, more words than
// fewer, no typo than a typo. Equal matches become one mention with several meanings.
func (m *matcher) choose(cs []candidate) []mention {
	better := func(a, b candidate) int {
		return cmp.Or(
			cmp.Compare(btoi(b.full && b.fuzzy == 0), btoi(a.full && a.fuzzy == 0)),
			cmp.Compare(len(b.at), len(a.at)),
			cmp.Compare(a.fuzzy, b.fuzzy),
			cmp.Compare(btoi(b.full), btoi(a.full)),
			cmp.Compare(b.extra, a.extra),
		)
	}
	slices.SortStableFunc(cs, better)
	var out []mention
	for k, c := range cs {
		if slices.ContainsFunc(c.at, func(i int) bool { return m.ts[i].Use != token.Unused }) {
			continue
		}
		mn := mention{at: c.at, exact: c.full && c.fuzzy == 0}
		for _, d := range cs[k:] {
			same := better(c, d) == 0 || strings.EqualFold(c.name.Name, d.name.Name)
			if same && slices.Equal(c.at, d.at) &&
				!slices.ContainsFunc(mn.meanings,
					func(n connector.Name) bool { return n.ID == d.name.ID && n.Kind == d.name.Kind }) {
				mn.meanings = append(mn.meanings, d.name)
			}
		}
		for _, i := range c.at {
			m.ts[i].Use = token.AsName
		}
		first, last := c.at[0], c.at[len(c.at)-1]
		var words []string
		for i := first; i <= last; i++ {
			words = append(words, m.ts[i].Raw)
			if m.ts[i].Kind == token.Mark {
				m.ts[i].Use = token.AsName
			}
		}
		mn.words = strings.Join(words, " ")
		out = append(out, mn)
	}
	slices.SortFunc(out, func(a, b mention) int { return cmp.Compare(a.at[0], b.at[0]) })
	return out
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}
