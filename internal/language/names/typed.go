package names

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/language/token"
)

// maxCompletions is how many words of names are tried for a word that is being typed.
const maxCompletions = 2000

// Typed returns the names that somebody who is typing may mean, likeliest first, and how many there are. As in tasks,
// words may be in any case and order, misspelt, in Latin letters or in the other keyboard layout; besides, a word may
// be only begun. Names with all of the words come before those with some.
func Typed(typed string, most int, indexes ...*Index) (found []connector.Name, total int) {
	ways := []string{typed}
	if way := Layout(typed); way != typed && !token.IsCyrillic(typed) {
		ways = append(ways, way) // its marks are letters in the other layout: "rhe;rf"
	}
	var all []scored
	best := 0
	for _, x := range indexes {
		if x.Len() == 0 {
			continue
		}
		of := map[uint32]scored{}
		for _, way := range ways {
			for _, s := range x.scored(way) {
				if old := of[s.name]; s.words > old.words || s.words == old.words && s.weight > old.weight {
					of[s.name] = s
				}
				best = max(best, s.words)
			}
		}
		all = slices.AppendSeq(all, maps.Values(of))
	}
	all = slices.DeleteFunc(all, func(s scored) bool { return s.words < best })
	slices.SortStableFunc(all, func(a, b scored) int {
		return cmp.Or(-cmp.Compare(a.weight, b.weight), cmp.Compare(a.length, b.length),
			cmp.Compare(a.index.name(a.name).Name, b.index.name(b.name).Name))
	})
	for _, s := range all[:min(most, len(all))] {
		found = append(found, s.index.name(s.name))
	}
	return found, len(all)
}

// scored is a name with how well it is what somebody types.
type scored struct {
	index  *Index
	name   uint32
	words  int // of those typed, of 100
	weight int // on average
	length int
}

// whole is the weight of a code that was typed as a whole: more than any word.
const whole = 1000

func (x *Index) scored(typed string) []scored {
	of := map[uint32]*scored{} // by name
	take := func(name uint32) *scored {
		if of[name] == nil {
			of[name] = &scored{index: x, name: name, length: len([]rune(x.name(name).Name))}
		}
		return of[name]
	}
	list := split(typed)
	list = slices.DeleteFunc(list, func(w word) bool { return w.optional })
	for _, w := range list {
		best := map[uint32]uint8{} // the weight of the word, by name
		for _, h := range x.typed(w) {
			for _, t := range x.titlesOf(h.form) {
				if n := x.titles[t].name; h.weight > best[n] {
					best[n] = h.weight
				}
			}
		}
		for name, weight := range best {
			s := take(name)
			s.words++
			s.weight += int(weight)
		}
	}
	if code := compact(typed); len(code) > 1 {
		for _, name := range x.codes.find(code) {
			s := take(name)
			s.words, s.weight = len(list), s.weight+whole*len(list)
		}
	}
	all := make([]scored, 0, len(of))
	for _, s := range of {
		n := max(len(list), 1)
		s.words, s.weight = 100*s.words/n, s.weight/n
		all = append(all, *s)
	}
	return all
}

// typed returns the words of names that a word which is being typed may become: those that begin with it, those that
// it is a form of, and if there are none, those that it is a misspelling of.
func (x *Index) typed(w word) []hit {
	found := x.hits(w)
	ways := []string{w.form}
	if !w.cyrillic && !w.number {
		ways = append(ways, Layout(w.form), Transliterate(w.form))
	}
	for _, way := range ways {
		before := len(found)
		i, _ := x.forms.find(way)
		for n := 0; i < uint32(x.forms.len()) && n < maxCompletions && strings.HasPrefix(x.forms.at(i), way); i++ {
			found = add(found, hit{i, shorterForm})
			n++
		}
		if len(found) > before {
			break // the other ways are for what is no word
		}
	}
	if len(found) > 0 || token.HasDigit(w.form) {
		return found
	}
	return x.misspelt(w)
}
