package typed

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/language/harmless"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// entry is a phrase and what it means.
type entry struct {
	words []string // stems
	forms []string // as written in the lexicon
	kind  Kind
	id    string
	order analysis.Direction
	// of the catalogue: what people mean by the same words counts instead
	catalogue bool
	exact     bool   // only in this form; written with "=" in front
	least     string // of a measure, the least value unless the task names one
	none      bool   // of a measure: it is zero
	each      bool   // breaks down by the dimension without "по": "ежедневно"
}

// lexicon holds the phrases of a catalogue and those of the language itself, by their first stem, longest first.
type lexicon struct {
	catalogue *analysis.Catalogue
	entries   map[string][]entry
	pairs     map[[2]string][]int // by the first two stems, the places in entries
	single    map[string]int      // where the entries of one word begin
	scattered map[string][]*entry // phrases whose words may stand apart, by each of their stems
	function  map[string]bool     // by form and by stem
	known     map[string]bool     // the stems of all words
}

var lexicons sync.Map // by catalogue; there are as many as there are connectors

// lexiconOf returns the lexicon of a catalogue. Phrases of the same words and different meanings are a mistake in the
// data, which the test finds; the first one counts.
func lexiconOf(c *analysis.Catalogue) *lexicon {
	if x, ok := lexicons.Load(c); ok {
		return x.(*lexicon) //nolint:forcetypeassert // nothing else is stored
	}
	x := newLexicon(c)
	lexicons.Store(c, x)
	return x
}

func newLexicon(c *analysis.Catalogue) *lexicon {
	x := &lexicon{catalogue: c, entries: map[string][]entry{}, pairs: map[[2]string][]int{}, single: map[string]int{},
		scattered: map[string][]*entry{}, function: map[string]bool{}, known: map[string]bool{}}
	for i := range entriesOfFiles {
		e := &entriesOfFiles[i]
		meaning, err := meaningOf(c, e)
		if err != nil && len(c.Measures) == 0 { // a word for what only an account with measures has
			continue
		} else if err != nil {
			panic(err)
		}
		for _, phrase := range e.Phrases {
			x.add(phrase, meaning)
		}
	}
	for _, m := range c.Measures {
		for _, phrase := range slices.Concat(m.Words.RU, m.Words.EN) {
			x.add(phrase, entry{kind: Measure, id: m.Name, catalogue: true})
		}
	}
	for _, d := range c.Dimensions {
		for _, phrase := range slices.Concat(d.Words.RU, d.Words.EN) {
			x.add(phrase, entry{kind: Dimension, id: d.Name})
		}
	}
	for w := range harmless.Words {
		x.function[w], x.function[token.StemOf(w)] = true, true
		x.known[token.StemOf(w)] = true
	}
	for w := range recurring {
		x.known[token.StemOf(w)] = true
	}
	for first, list := range x.entries {
		slices.SortStableFunc(list, func(a, b entry) int { return len(b.words) - len(a.words) })
		x.single[first] = len(list)
		for i, e := range slices.Backward(list) {
			if len(e.words) > 1 {
				break
			}
			x.single[first] = i
		}
		for i, e := range list[:x.single[first]] {
			pair := [2]string{first, e.words[1]}
			x.pairs[pair] = append(x.pairs[pair], i)
		}
		for i := range list {
			if x.scatters(&list[i]) {
				for _, w := range list[i].words {
					x.scattered[w] = append(x.scattered[w], &list[i])
				}
			}
		}
	}
	return x
}

func (x *lexicon) add(phrase string, e entry) {
	phrase, e.exact = strings.CutPrefix(phrase, "=")
	for _, t := range token.Split(phrase) {
		if t.Kind == token.Word || t.Kind == token.Number {
			e.words, e.forms = append(e.words, t.StemOrNumber()), append(e.forms, t.Norm)
		}
	}
	if len(e.words) == 1 && e.kind == Function && len([]rune(e.words[0])) <= 3 { // "нее" is no "не"
		e.exact = true
	}
	if len(e.words) == 0 {
		panic(fmt.Sprintf("typed: the phrase %q has no words", phrase))
	}
	same := func(o entry) bool { return slices.Equal(o.forms, e.forms) }
	if e.catalogue && slices.ContainsFunc(x.entries[e.words[0]], same) {
		return
	}
	for _, w := range e.words {
		x.known[w] = true
	}
	x.entries[e.words[0]] = append(x.entries[e.words[0]], e)
}

// at returns the longest entry that begins at token i, and the token after it. Of two with the same stems, such as
// "расход" of goods and "расходы" of money, the one in the form of the task counts.
func (x *lexicon) at(ts []token.Token, i int) (found *entry, end int) {
	if all := x.all(ts, i); len(all) > 0 {
		return all[0].entry, all[0].end
	}
	return nil, 0
}

// match is an entry at a place of the task.
type match struct {
	*entry
	end int // the token after it
}

// all returns the entries that begin at token i, one of each length, the longest first.
func (x *lexicon) all(ts []token.Token, i int) (found []match) {
	first := ts[i].StemOrNumber()
	list := x.entries[first]
	if len(list) == 0 {
		return nil
	}
	take := func(k int) {
		e := &list[k]
		n := e.matches(ts, i)
		if n == 0 {
			return
		}
		if last := len(found) - 1; last < 0 || len(e.words) < len(found[last].words) {
			found = append(found, match{e, n})
		} else if e.isForm(ts, i) && !found[last].isForm(ts, i) {
			found[last] = match{e, n}
		}
	}
	if x.single[first] > 0 {
		for _, k := range x.pairsAt(ts, i) {
			if last := list[k].words[len(list[k].words)-1]; has(ts[i+1:], last) {
				take(k)
			}
		}
	}
	for k := x.single[first]; k < len(list); k++ {
		take(k)
	}
	return found
}

// pairsAt returns the places in entries of the phrases whose first two words may be at token i, in order. Of the many
// phrases that begin with a word such as "how", few are worth a look.
func (x *lexicon) pairsAt(ts []token.Token, i int) []int {
	var found []int
	first := ts[i].StemOrNumber()
	for j := i + 1; j < len(ts); j++ {
		if list := x.pairs[[2]string{first, ts[j].StemOrNumber()}]; found == nil {
			found = list
		} else if len(list) > 0 {
			found = slices.Concat(found, list)
			slices.Sort(found)
			found = slices.Compact(found)
		}
		if !joins[ts[j].Norm] && !skipped[ts[j].Norm] {
			break
		}
	}
	return found
}

// has reports whether one of the tokens has a stem.
func has(ts []token.Token, stem string) bool {
	for i := range ts {
		if ts[i].StemOrNumber() == stem {
			return true
		}
	}
	return false
}

// word returns the entry of the word at token i by itself; nil for none.
func (x *lexicon) word(ts []token.Token, i int) *entry {
	for _, m := range x.all(ts, i) {
		if m.end == i+1 {
			return m.entry
		}
	}
	return nil
}

// isForm reports whether the last word of the phrase, which has been found at token i, is written as in the lexicon.
func (e *entry) isForm(ts []token.Token, i int) bool {
	return ts[e.matches(ts, i)-1].Norm == e.forms[len(e.forms)-1]
}

// matches returns the token after the phrase, or 0.
func (e *entry) matches(ts []token.Token, i int) int {
	for k, w := range e.words {
		for k > 0 && i < len(ts) && ts[i].Kind == token.Mark && joins[ts[i].Norm] { // топ-10, P&L
			i++
		}
		if i < len(ts) && e.exact && ts[i].Norm != e.forms[k] {
			return 0
		}
		for k > 0 && i < len(ts) && ts[i].StemOrNumber() != w && ts[i].Norm != e.forms[k] &&
			ts[i].Use == token.Unused && skipped[ts[i].Norm] {
			i++ // "how much did we sell"
		}
		if i >= len(ts) || ts[i].Use != token.Unused || ts[i].Kind == token.Quoted || ts[i].StemOrNumber() != w {
			return 0
		}
		i++
	}
	if helps(ts, i-1) {
		return 0
	}
	return i
}

// helps reports whether the word at token i is the auxiliary verb of a question: in "how much have they bought", no
// stock is asked for (rule R1241).
func helps(ts []token.Token, i int) bool {
	if !perfect[ts[i].Norm] || i+2 >= len(ts) || ts[i+1].Use != token.AsName && !subjects[ts[i+1].Norm] {
		return false
	}
	for i++; i < len(ts) && ts[i].Use == token.AsName; i++ {
	}
	if i < len(ts) && subjects[ts[i].Norm] {
		i++
	}
	return i < len(ts) && participles[ts[i].Norm]
}

var (
	perfect     = words.Set("have has had")
	subjects    = words.Set("they he she it we you customers clients buyers suppliers people")
	participles = words.Set("bought ordered purchased sold paid returned spent earned made received delivered " +
		"shipped brought taken sent supplied given gotten")
)

// skipped are words that may stand within a phrase: articles, auxiliary verbs and pronouns, which add nothing to it.
var skipped = words.Set("них ними него нее мы нам нас нами у наш наши нашу наша всего вообще сейчас там тут " +
	"уже еще же ли то это было были была был the a an our my your their its we i you did do does have has had " +
	"having is are was were be been being just already actually currently exactly altogether overall")

// joins are marks that may stand between the words of a phrase.
var joins = words.Set("- – & /")
