package names

import (
	"cmp"
	"math/bits"
	"slices"
	"strings"
	"unicode"

	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// Mention is a part of a task that names something, and what it may mean.
type Mention struct {
	At       []int // tokens, in order
	Words    string
	Exact    bool             // every word of the name is there, well spelt
	Meanings []connector.Name // best first; more than one: the same name in several kinds, or an ambiguity
	Total    int              // of the names that fit, of which Meanings has the first ones
	Misspelt bool             // it is the name only if a word is misspelt
	Weak     bool             // a small part of a name, or not of the kind that the task says: to be asked about
	Wider    []connector.Name // of a good that is called by one word: the others whose names begin with it
}

// most is the maximum number of meanings of a mention.
const most = 50

// Task is a task in which names are looked for.
type Task struct {
	Tokens []token.Token // those that nothing has read yet are looked at; those of names are marked
	// reports whether a token is an everyday word, which is a name only if the rest of the name is there, too
	Ordinary func(i int) bool
	// reports whether a token is a misspelt everyday word, and therefore no misspelt name; may be nil
	Corrected func(i int) bool
}

// Find finds the names of all indexes in a task, marks their tokens, and returns what each place means.
func Find(task Task, indexes ...*Index) []Mention {
	f := &finder{Task: task, ts: task.Tokens}
	for _, x := range indexes {
		if x.Len() > 0 {
			f.indexes = append(f.indexes, x)
		}
	}
	if len(f.indexes) == 0 {
		return nil
	}
	f.everyday = make([]bool, len(f.ts))
	for i := range f.ts {
		f.everyday[i] = f.ts[i].Kind == token.Word && task.Ordinary != nil && task.Ordinary(i)
	}
	for _, s := range f.segments() {
		for _, x := range f.indexes {
			f.search(x, s)
		}
	}
	return f.choose()
}

// finder is a search for names in a task.
type finder struct {
	Task
	ts       []token.Token
	indexes  []*Index
	everyday []bool
	found    []candidate

	corrections int // words that were compared with all words of names
}

// candidate is a name that some words may mean.
type candidate struct {
	index    *Index
	name     uint32
	at       []int
	beside   []int // optional words of the name that are there, too
	weight   int   // sum of the weights of its words
	points   int   // how much of the task it explains: two for a word, one for a doubtful one
	lowest   int   // the least of them
	matched  int   // words of the name that are there
	core     int   // words of the name that matter
	part     int   // how much of the name's letters is there, of 100
	extra    int   // words beyond those that matter that are there, too
	head     bool  // the first word of the name is there
	code     bool  // an article, a barcode, or a name in quotes
	weak     bool
	sameKind bool // the task says its kind
}

func (c *candidate) full() bool     { return c.matched == c.core || c.code }
func (c *candidate) exact() bool    { return c.full() && c.lowest >= sameSound }
func (c *candidate) misspelt() bool { return c.lowest <= oneEdit }

// segment is a run of words that may be of one name. Names do not go beyond commas, except those with one.
type segment struct {
	words  []word
	quoted bool
	marks  []bool // whether a comma or another mark that separates stands before the word
}

// maxSegment is the maximum number of words of a segment: one bit each.
const maxSegment = 32

func (f *finder) segments() []segment {
	var all []segment
	var s segment
	flush := func() {
		if len(s.words) > 0 {
			all = append(all, s)
		}
		s = segment{}
	}
	mark := false
	for i := 0; i < len(f.ts); i++ {
		t := &f.ts[i]
		switch {
		case t.Use != token.Unused:
			flush()
		case t.Kind == token.Quoted:
			flush()
			q := segment{quoted: true, words: split(t.Raw)}
			for k := range q.words {
				q.words[k].first, q.words[k].last = i, i
			}
			q.words = q.words[:min(len(q.words), maxSegment)]
			q.marks = make([]bool, len(q.words))
			if len(q.words) > 0 {
				all = append(all, q)
			}
		case t.Norm == "номер" && i+1 < len(f.ts) && f.ts[i+1].Kind == token.Number:
			continue // as "№"
		case t.Kind == token.Mark:
			switch t.Norm {
			case "?", "!", ";":
				flush()
			case ",", ":":
				mark = true
			}
			continue
		default:
			list := taskWords(f.ts, i, min(i+2, len(f.ts)))
			if len(s.words) == maxSegment {
				flush()
			}
			s.words, s.marks = append(s.words, list[0]), append(s.marks, mark)
			i = list[0].last
		}
		mark = false
	}
	flush()
	return all
}

// unexplained reports whether a word of the task must be a name, because it is nothing else.
func (f *finder) unexplained(w *word) bool {
	t := &f.ts[w.first]
	return t.Kind == token.Quoted || t.Kind == token.Word && !w.optional && !w.number && !f.everyday[w.first] &&
		len([]rune(t.Norm)) >= 2
}

// counts is the memory of a search: which words of the segment each title has.
type counts struct{ bits []uint32 }

// The limits of a search, which keep its time short however common the words are.
const (
	maxPostings  = 400_000 // titles looked at
	maxEvaluated = 1_500   // titles compared with the task
	// unknown words that are compared with all words of names
	maxCorrections = 12
)

// search finds the names of an index in a segment.
func (f *finder) search(x *Index, s segment) {
	f.searchCodes(x, s)
	hits := make([][]hit, len(s.words))
	known := false
	for i := range s.words {
		hits[i] = x.hits(s.words[i])
		if w := &s.words[i]; !w.cyrillic && f.everyday[w.first] && w.last == w.first &&
			!f.translated(w.first) { // "product" is not «Продукты»
			hits[i] = slices.DeleteFunc(hits[i], func(h hit) bool { return token.IsCyrillic(x.forms.at(h.form)) })
		}
		known = known || len(hits[i]) > 0
	}
	for i := range s.words {
		w := &s.words[i]
		if len(hits[i]) == 0 && f.unexplained(w) && f.corrections < maxCorrections &&
			(f.Corrected == nil || !f.Corrected(w.first)) {
			f.corrections++
			hits[i] = x.misspelt(*w)
			known = known || len(hits[i]) > 0
		}
	}
	if !known {
		return
	}
	for _, t := range x.titlesIn(hits) {
		f.compare(x, t, s, hits)
	}
}

// translated reports whether an everyday English word has a Russian one in the glossary.
func (f *finder) translated(i int) bool { return len(glossary[f.ts[i].Stem]) > 0 }

// titlesIn returns the titles that have words of a segment: all that have two, and some of those that have one.
func (x *Index) titlesIn(hits [][]hit) []uint32 {
	c, _ := x.scratch.Get().(*counts)
	defer x.scratch.Put(c)
	if c.bits == nil {
		c.bits = make([]uint32, len(x.titles))
	}
	var touched, several, single []uint32
	order := make([]int, len(hits))
	size := make([]int, len(hits))
	for i, list := range hits {
		order[i] = i
		for _, h := range list {
			size[i] += len(x.titlesOf(h.form))
		}
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(size[a], size[b]) })
	left := maxPostings
	for _, i := range order {
		if left -= size[i]; left < 0 {
			break
		}
		ones := 0
		for _, h := range hits[i] {
			for _, t := range x.titlesOf(h.form) {
				old := c.bits[t]
				c.bits[t] |= 1 << i
				switch n := bits.OnesCount32(c.bits[t]); {
				case old == 0:
					touched = append(touched, t)
					if ones++; ones <= maxEvaluated/4 {
						single = append(single, t)
					}
				case n == 2 && bits.OnesCount32(old) == 1:
					several = append(several, t)
				}
			}
		}
	}
	all := several
	if len(all) > maxEvaluated { // those with the most words
		slices.SortStableFunc(all, func(a, b uint32) int {
			return cmp.Compare(bits.OnesCount32(c.bits[b]), bits.OnesCount32(c.bits[a]))
		})
		all = all[:maxEvaluated]
	}
	for _, t := range single {
		if bits.OnesCount32(c.bits[t]) == 1 {
			all = append(all, t)
		}
	}
	for _, t := range touched {
		c.bits[t] = 0
	}
	return all
}

// compare finds the runs of a segment that a title's words are in.
func (f *finder) compare(x *Index, t uint32, s segment, hits [][]hit) {
	title := x.wordsOf(t)
	for i := 0; i < len(s.words); {
		c := candidate{index: x, name: x.titles[t].name, lowest: sameForm}
		next, taken := f.run(&c, title, s, hits, i)
		if len(c.at) > 0 {
			c.measure(title, taken)
		}
		if len(c.at) > 0 && f.fits(&c, s, x.titles[t].other) {
			f.found = append(f.found, c)
		}
		i = max(next, i+1)
	}
}

// run takes the words of a title from word i on, in any order, and returns where it ended.
func (f *finder) run(c *candidate, title []uint32, s segment, hits [][]hit, i int) (next int, taken uint64) {
	x := c.index
	var loose []int // small words that belong to the name if another word of it follows: "кофе в" is no "кофе в зёрнах"
	for ; i < len(s.words); i++ {
		w := &s.words[i]
		if len(c.at) > 0 && s.marks[i] && !strings.Contains(x.text[x.starts[c.name]:x.starts[c.name+1]], ",") {
			break
		}
		best, weight := -1, 0
		for k, n := range title {
			if taken&(1<<min(k, 63)) != 0 || k > 0 && len(c.at) == 0 && conjunctions[w.form] {
				continue // "и кофе" is no part of «Чай и кофе»
			}
			if n%2 == 1 {
				if form := x.forms.at(n / 2); w.optional && (form == w.form || Kind(w.form) != "" &&
					Kind(w.form) == Kind(form)) {
					best, weight = k, -1
				}
				continue
			}
			for _, h := range hits[i] {
				if h.form == n/2 && int(h.weight) > weight {
					best, weight = k, int(h.weight)
				}
			}
		}
		switch {
		case weight == -1 && len(c.at) > 0 && i+1 < len(s.words) && !conjunctions[w.form] &&
			!x.standsBefore(title, best, hits[i+1]):
			return i, taken // "с Мира на Витрину": the name has its small word before another one
		case weight == -1 && len(c.at) == 0 && i+1 < len(s.words) && !conjunctions[w.form] &&
			!x.standsBefore(title, best, hits[i+1]):
			continue // "с кофе" is no more of «Кофе с бергамотом» than of any coffee (rule R1141)
		case weight == -1:
			taken |= 1 << min(best, 63)
			if len(c.at) > 0 && Kind(w.form) == "" {
				loose = append(loose, w.first)
				continue
			}
			c.extra++
			c.beside = append(c.beside, w.first)
			continue
		case best < 0 && len(c.at) > 0 && words.IsLegalForm(w.form):
			continue
		case best >= 0 && w.number && (len(c.at) == 0 && !f.amountOfName(s, title, hits, i) || f.counts(s, i)):
			best = -1
		}
		if best < 0 {
			if len(c.at) > 0 || c.extra > 0 {
				break
			}
			continue
		}
		taken |= 1 << min(best, 63)
		c.extra, c.beside, loose = c.extra+len(loose), append(c.beside, loose...), nil
		c.take(w, weight, s.quoted)
	}
	return i, taken
}

// standsBefore reports whether a word that was hit, if it is one of a title, has the small word at place k right before
// it there.
func (x *Index) standsBefore(title []uint32, k int, hits []hit) bool {
	for at, n := range title {
		if n%2 == 1 || !slices.ContainsFunc(hits, func(h hit) bool { return h.form == n/2 }) {
			continue
		}
		return k < at && !slices.ContainsFunc(title[k:at], func(n uint32) bool { return n%2 == 0 })
	}
	return true
}

var conjunctions = words.Set("и а and")

// amountOfName reports whether a number with a unit begins a name whose words follow: "2 л чайник".
func (f *finder) amountOfName(s segment, title []uint32, hits [][]hit, i int) bool {
	if !hasUnit(s.words[i].form) && !s.quoted || i+1 >= len(s.words) {
		return false
	}
	return slices.ContainsFunc(hits[i+1], func(h hit) bool { return slices.Contains(title, h.form*2) })
}

// counts reports whether a number without a unit of names counts something: "2 недели", "5 %".
func (f *finder) counts(s segment, i int) bool {
	w := &s.words[i]
	if hasUnit(w.form) || s.quoted || w.last+1 >= len(f.ts) {
		return false
	}
	next := f.ts[w.last+1].Norm
	_, unit := words.UnitOf(next)
	return unit || next == "%" || words.TimeUnitOf(next) != words.NoTime || words.MonthOf(next) != 0
}

func (c *candidate) take(w *word, weight int, quoted bool) {
	c.weight += weight
	c.lowest = min(c.lowest, weight)
	if c.points += 2; weight < shorterForm {
		c.points--
	}
	for i := w.first; i <= w.last; i++ {
		if !quoted || len(c.at) == 0 {
			c.at = append(c.at, i)
		}
	}
}

// measure counts what of the name is there.
func (c *candidate) measure(title []uint32, taken uint64) {
	all, there := 0, 0
	for k, n := range title {
		if n%2 == 1 {
			continue
		}
		size := len([]rune(c.index.forms.at(n / 2)))
		all += size
		if taken&(1<<min(k, 63)) != 0 {
			there += size
			c.matched++
			c.head = c.head || c.core == 0
		}
		c.core++
	}
	if all > 0 {
		c.part = 100 * there / all
	}
}

// fits decides whether a candidate is a name here. Everyday words are none, unless the rest of the name is there, too,
// or the task says that they are one.
func (f *finder) fits(c *candidate, s segment, other bool) bool {
	if other && !c.full() {
		return false
	}
	kind := c.index.kinds[c.index.kindOf[c.name]]
	if s.quoted {
		return f.fitsQuoted(c, s)
	}
	first, last := c.at[0], c.at[len(c.at)-1]
	said, strict, ok := kindBeside(f.ts, first, last)
	c.sameKind = ok && sameKind(said, kind)
	if ok && strict && !c.sameKind && said != connector.NameProduct && !(c.exact() && len(c.at) > 1) {
		c.weak = true
	}
	if f.numbersOnly(c.at) && !c.sameKind && c.extra == 0 {
		return false
	}
	full := c.full()
	if kind == connector.NameStore && len(c.at) == 1 && c.extra == 0 && !c.sameKind && f.describes(first) {
		return false
	}
	if len(c.at) == 1 && (!full && NamesThing(&f.ts[first]) || ofPrices[f.ts[first].Norm]) &&
		(kind == connector.NameCounterparty || kind == connector.NameSupplier) {
		return false // "wholesale customers" are not «Оптовая база», and "розничная" is not «Розничный покупатель»
	}
	distinct := c.sameKind && (full || strict)
	for _, i := range c.at {
		t := &f.ts[i]
		if t.Kind != token.Word {
			continue
		}
		if !f.everyday[i] && !Optional(t.Norm) || token.HasDigit(t.Norm) ||
			capital(t.Raw) && !f.opens(i) && (full || c.part >= 40) {
			distinct = true
		}
	}
	switch {
	case distinct:
	case full && c.extra > 0, full && len(c.at) > 1:
		distinct = true // "основном складе" for "Основной склад"
	case full && kind == connector.NameStore && first > 0 && (fromTo[f.ts[first-1].Norm] ||
		f.ts[first-1].Norm == "at" && first == len(f.ts)-1):
		distinct = true // "from main to showcase", "stock at main"
	case full && kind == connector.NameSalesChannel && first > 0 && through[f.ts[first-1].Norm]:
		distinct = true // "через маркетплейс"
	case full && kind == connector.NameSalesChannel && len(c.at) == 1 && IsChannel(&f.ts[first]):
		distinct = true
	case full && kind == connector.NameGroup && first > 0 && about[f.ts[first-1].Norm] &&
		len(f.ts[first].Norm) > 3 && !Optional(f.ts[first].Norm):
		distinct = true // "по продуктам" where a group is called so
	}
	if !distinct || f.opensWithEverydayWords(c.at) && (!full || kind == connector.NameProduct) {
		return false
	}
	if !full && !c.head && c.part < 40 && !f.numbered(c.at) {
		c.weak = true
	}
	if !full && c.misspelt() && c.matched == 1 &&
		(kind == connector.NameCounterparty || kind == connector.NameSupplier) {
		c.weak = true // "чайник" is not surely "Чайный дом"
	}
	return true
}

// ofPrices are adjectives of prices, which are feminine: no part of a name such as «Розничный покупатель».
var ofPrices = words.Set("розничная розничную")

// describes reports whether an adjective that warehouses are often called by describes something else: "самые старые
// заказы", not "на старом".
func (f *finder) describes(i int) bool {
	w := f.ts[i].Norm
	place := i > 0 && (small[f.ts[i-1].Norm] || fromTo[f.ts[i-1].Norm])
	return common[token.Stem(w, true)] && (!place || w == "основном" && f.ts[i-1].Norm == "в")
}

// fromTo are words between which goods move.
var fromTo = words.Set("from to into onto")

var common = words.Set("стар нов больш мал главн основн дальн ближн")

// fitsQuoted reports whether all that is in quotes is in the name.
func (f *finder) fitsQuoted(c *candidate, s segment) bool {
	need := 0
	for i := range s.words {
		if !s.words[i].optional {
			need++
		}
	}
	c.weight += 10 * c.extra
	return c.matched >= need
}

// through are words that precede a sales channel.
var through = words.Set("через via through")

// about are words that precede what a task is about.
var about = words.Set("по на для из for on of from")

func sameKind(said, kind connector.NameKind) bool {
	partner := func(k connector.NameKind) bool {
		return k == connector.NameSupplier || k == connector.NameCounterparty
	}
	return said == kind || partner(said) && partner(kind)
}

// opens reports whether a token begins a sentence.
func (f *finder) opens(i int) bool {
	return i == 0 || f.ts[i-1].Kind == token.Mark && strings.Contains(".!?", f.ts[i-1].Norm)
}

// opensWithEverydayWords reports whether the tokens begin the task and are everyday words: "удали все товары" is an
// order even when a product has that name. In quotes or after other words it is the product.
func (f *finder) opensWithEverydayWords(at []int) bool {
	if len(at) < 2 {
		return false
	}
	for _, i := range at {
		if f.ts[i].Kind == token.Word && !f.everyday[i] {
			return false
		}
	}
	for i := range at[0] {
		if f.ts[i].Kind != token.Mark && !f.everyday[i] {
			return false
		}
	}
	return true
}

// numbered reports whether a word and a number behind "№" are of a name: "набор № 3".
func (f *finder) numbered(at []int) bool {
	last := at[len(at)-1]
	return len(at) > 1 && f.ts[last].Kind == token.Number && (f.ts[last-1].Norm == "№" ||
		f.ts[last-1].Norm == "#" ||
		f.ts[last-1].Norm == "номер")
}

func (f *finder) numbersOnly(at []int) bool {
	return !slices.ContainsFunc(at, func(i int) bool {
		return f.ts[i].Kind != token.Number && units[f.ts[i].Norm] == ""
	})
}

// capital reports whether a word is written with a capital letter, and only one.
func capital(s string) bool {
	for i, r := range s {
		if unicode.IsUpper(r) != (i == 0) {
			return false
		}
	}
	return s != ""
}
