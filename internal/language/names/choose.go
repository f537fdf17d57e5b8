package names

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// better orders candidates: codes first, then those that more of the task's words are, then whole names before parts
// of names, and names of which more is there.
func better(a, b *candidate) int {
	return cmp.Or(
		-compareBool(a.code, b.code),
		compareBool(a.weak, b.weak),
		-cmp.Compare(a.points, b.points),
		compareBool(a.misspelt(), b.misspelt()),
		-compareBool(a.full(), b.full()),
		-compareBool(a.sameKind, b.sameKind),
		-cmp.Compare(a.extra, b.extra),
	)
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// choose decides between candidates that take the same words. Those that are equally good become one mention with
// several meanings.
func (f *finder) choose() []Mention {
	slices.SortStableFunc(f.found, func(a, b candidate) int {
		return cmp.Or(better(&a, &b), -cmp.Compare(a.weight, b.weight), -cmp.Compare(a.part, b.part))
	})
	groups := map[string][]int{} // candidates of the same words
	for k := range f.found {
		groups[f.found[k].key()] = append(groups[f.found[k].key()], k)
	}
	var out []Mention
	var beside []int
	for k := range f.found {
		c := &f.found[k]
		group := groups[c.key()]
		if len(group) == 0 || slices.ContainsFunc(c.at, func(i int) bool { return f.ts[i].Use != token.Unused }) {
			continue
		}
		if !slices.ContainsFunc(c.at, func(i int) bool { return !slices.Contains(beside, i) }) {
			continue // "Магазин" of "Магазин на Мира" is no other name
		}
		m, common := f.mention(c, group)
		if delete(groups, c.key()); common {
			continue
		}
		first, last := c.at[0], c.at[len(c.at)-1]
		var said []string
		for i := first; i <= last; i++ {
			said = append(said, f.ts[i].Raw)
			if f.ts[i].Kind == token.Mark || slices.Contains(c.at, i) {
				f.ts[i].Use = token.AsName
			}
		}
		m.Words, beside = strings.Join(said, " "), append(beside, c.beside...)
		out = append(out, m)
	}
	slices.SortFunc(out, func(a, b Mention) int { return cmp.Compare(a.At[0], b.At[0]) })
	return out
}

// alike weights mean the same word: in the form of the name, or in another one.
const alike = 6

// key tells candidates of different words apart.
func (c *candidate) key() string {
	b := make([]byte, 0, 2*len(c.at))
	for _, i := range c.at {
		b = append(b, byte(i>>8), byte(i))
	}
	return string(b)
}

// mention collects the names of a group that are as good as c, its first. It reports true if the words are so common in
// the account's names that they name nothing.
func (f *finder) mention(c *candidate, group []int) (m Mention, common bool) {
	m = Mention{At: c.at, Exact: c.exact(), Misspelt: c.misspelt(), Weak: c.weak}
	type thing struct {
		kind connector.NameKind
		id   string
		name string
	}
	seen := map[thing]bool{}
	for _, j := range group {
		d := &f.found[j]
		if m.Total >= most && better(c, d) == 0 && c.weight-d.weight < alike { // only counted
			m.Total++
			continue
		}
		m.widen(c, d)
		if !c.alikePart(d) && better(c, d) != 0 && !(c.full() && d.full() && !d.weak && c.code == d.code &&
			strings.EqualFold(c.index.name(c.name).Name, d.index.name(d.name).Name)) || c.weight-d.weight >= alike {
			continue
		}
		n := d.index.name(d.name)
		if key := (thing{n.Kind, n.ID, n.Name}); !seen[key] {
			seen[key] = true
			if m.Total++; len(m.Meanings) < most {
				m.Meanings = append(m.Meanings, n)
			}
		}
	}
	return m, c.weak && m.Total > 8 && !c.sameKind
}

// alikePart reports whether one word, with which neither name begins, is a part of both: that it is more of the
// shorter one makes that no better ("весовые").
func (c *candidate) alikePart(d *candidate) bool {
	return len(c.at) == 1 && !c.full() && !d.full() && !c.head && !d.head && !c.code && !d.code &&
		c.points == d.points && c.misspelt() == d.misspelt() && c.sameKind == d.sameKind
}

// widen adds a name that begins with that of a good which one word names, such as "Кепка № 2" beside "Кепка".
func (m *Mention) widen(c, d *candidate) {
	if len(c.at) != 1 || !c.full() || c.code || d.weak || len(m.Wider) >= most {
		return
	}
	short, n := c.index.name(c.name), d.index.name(d.name)
	if short.Kind == connector.NameProduct && n.Kind == connector.NameProduct &&
		strings.HasPrefix(n.Name, short.Name+" ") && !strings.HasSuffix(n.Name, ")") &&
		!slices.ContainsFunc(m.Wider, func(o connector.Name) bool { return o.ID == n.ID }) {
		m.Wider = append(m.Wider, n)
	}
}

// searchCodes finds articles, codes, barcodes, and names with digits, which may be written with other separators.
func (f *finder) searchCodes(x *Index, s segment) {
	for i := range s.words {
		from := s.words[i].first
		if s.quoted {
			if i == 0 {
				f.addCodes(x, compact(f.ts[from].Raw), []int{from})
			}
			continue
		}
		text, at := "", []int(nil)
		for j := from; j < len(f.ts) && j < from+12 && (j == from || f.ts[j].Glued) && f.ts[j].Use == token.Unused &&
			f.ts[j].Kind != token.Quoted; j++ {
			text += compact(f.ts[j].Raw)
			at = append(at, j)
			if f.ts[j].Kind != token.Mark && len(text) >= 2 {
				f.addCodes(x, text, slices.Clone(at))
			}
		}
	}
}

func (f *finder) addCodes(x *Index, code string, at []int) {
	for _, id := range x.codes.find(code) {
		n := x.name(id)
		for k, text := range append([]string{n.Name}, n.Also...) {
			if compact(text) == code && (f.codeCounts(code, at) || f.written(text, at)) && (k > 0 ||
				token.HasDigit(text)) {
				f.found = append(f.found, candidate{index: x, name: id, at: at, code: true, weight: 100 * len(at),
					points: 2 * len(at),
					lowest: sameForm, extra: 9})
				break
			}
		}
	}
}

// written reports whether a code with a separator is in the task exactly so: 10-200.
func (f *finder) written(code string, at []int) bool {
	if strings.Trim(code, "0123456789") == "" {
		return false
	}
	raw := ""
	for _, i := range at {
		raw += f.ts[i].Raw
	}
	return words.Fold(raw) == words.Fold(code)
}

// codeCounts reports whether a code found in the task is one, and not a year, an amount or an everyday word.
func (f *finder) codeCounts(code string, at []int) bool {
	t := &f.ts[at[0]]
	if t.Kind == token.Quoted {
		return true
	}
	if !token.HasDigit(code) {
		return false
	}
	if strings.IndexFunc(code, unicode.IsLetter) >= 0 || len(code) >= 8 || code[0] == '0' {
		return true
	}
	for j := at[0] - 1; j >= 0 && j >= at[0]-2; j-- {
		if kindWords[f.ts[j].Norm] == connector.NameProduct {
			return true
		}
	}
	return false
}
