// Package names finds the names of an account in a task: its goods, groups, warehouses, counterparties and the rest,
// also their articles, codes and barcodes. It meets words in any grammatical case, misspelt, in Latin letters or typed
// in the other keyboard layout, in any order.
//
// An [Index] of a hundred thousand names is built once and read by any number of tasks at the same time. It holds no
// pointers but to a few large blocks, so the garbage collector passes it by.
package names

import (
	"cmp"
	"hash/fnv"
	"io"
	"iter"
	"slices"
	"sort"
	"strings"
	"sync"
	"unicode"

	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// Index is a set of names to be found. It never changes.
type Index struct {
	text   string // the names, with what else they are called
	starts []uint32
	kinds  []connector.NameKind
	kindOf []uint8
	ofKind [][]uint32 // the names of each of kinds

	titles     []title  // what the words below belong to: a name, or another one for the same thing
	titleWords []uint32 // forms, doubled, plus 1 if the word may be left out
	forms      block    // all words of names, sorted
	posted     []uint32 // where the titles of each form begin in postings
	postings   []uint32

	stems, bones, sounds keys // of the forms
	codes                keys // of the names
	ids                  keys // of the names
	variants             keys // names with characteristics in brackets, by what stands before them
	shapes               []shape

	scratch sync.Pool // of *counts
}

// title is a name or another one for the same thing. Another one only counts if all of its words are there.
type title struct {
	name  uint32
	words uint32 // where its words begin
	other bool
}

// shape tells at a glance that two words are no misspellings of each other.
type shape struct {
	letters uint64
	form    uint32
	runes   uint8
}

// block is a list of texts in one string.
type block struct {
	text   string
	starts []uint32
}

func (b *block) len() int           { return len(b.starts) - 1 }
func (b *block) at(i uint32) string { return b.text[b.starts[i]:b.starts[i+1]] }

// find returns the place of a text in a sorted block.
func (b *block) find(s string) (uint32, bool) {
	i, ok := sort.Find(b.len(), func(i int) int { return cmp.Compare(s, b.at(uint32(i))) })
	return uint32(i), ok
}

func blockOf(list []string) block {
	b := block{starts: make([]uint32, 0, len(list)+1)}
	var text strings.Builder
	for _, s := range list {
		b.starts = append(b.starts, uint32(text.Len()))
		text.WriteString(s)
	}
	b.starts, b.text = append(b.starts, uint32(text.Len())), text.String()
	return b
}

// keys maps texts to numbers, of which a text may have several. It holds the texts' hashes; what it finds is to be
// compared.
type keys struct {
	hashes []uint64
	values []uint32
}

type pair struct {
	hash  uint64
	value uint32
}

func keysOf(list []pair) keys {
	slices.SortFunc(list, func(a, b pair) int {
		return cmp.Or(cmp.Compare(a.hash, b.hash), cmp.Compare(a.value, b.value))
	})
	list = slices.Compact(list)
	k := keys{hashes: make([]uint64, len(list)), values: make([]uint32, len(list))}
	for i, p := range list {
		k.hashes[i], k.values[i] = p.hash, p.value
	}
	return k
}

func (k *keys) find(s string) []uint32 {
	h := hash(s)
	i, ok := slices.BinarySearch(k.hashes, h)
	if !ok {
		return nil
	}
	j := i
	for j < len(k.hashes) && k.hashes[j] == h {
		j++
	}
	return k.values[i:j]
}

func hash(s string) uint64 {
	h := fnv.New64a()
	_, _ = io.WriteString(h, s)
	return h.Sum64()
}

// New returns an index of names. Price types are not found in tasks, because they read like everyday words ("Цена
// продажи").
func New(list []connector.Name) *Index {
	x := &Index{scratch: sync.Pool{New: func() any { return &counts{} }}}
	var text strings.Builder
	var codes, ids, variants []pair
	vocabulary := map[string]uint32{}
	kinds := map[connector.NameKind]uint8{}
	for i := range list {
		n := &list[i]
		id := uint32(len(x.starts))
		if _, ok := kinds[n.Kind]; !ok {
			kinds[n.Kind] = uint8(len(x.kinds))
			x.kinds, x.ofKind = append(x.kinds, n.Kind), append(x.ofKind, nil)
		}
		k := kinds[n.Kind]
		x.kindOf, x.ofKind[k] = append(x.kindOf, k), append(x.ofKind[k], id)
		ids = append(ids, pair{hash(n.ID), id})
		for product := range productsOf(n) {
			variants = append(variants, pair{hash(product), id})
		}
		x.starts = append(x.starts, uint32(text.Len()))
		text.WriteString(n.ID + "\x00" + n.Name)
		if n.Kind == connector.NamePriceType {
			continue
		}
		x.addTitle(vocabulary, id, n.Name, false)
		if token.HasDigit(n.Name) {
			codes = append(codes, pair{hash(compact(n.Name)), id})
		}
		for _, also := range n.Also {
			text.WriteString("\x00" + also)
			codes = append(codes, pair{hash(compact(also)), id})
			if also != "" && strings.ContainsFunc(also, unicode.IsLetter) && strings.ContainsAny(also, " /") {
				x.addTitle(vocabulary, id, also, true)
			}
		}
	}
	x.starts = append(x.starts, uint32(text.Len()))
	x.titles = append(x.titles, title{words: uint32(len(x.titleWords))})
	x.text, x.codes, x.ids, x.variants = text.String(), keysOf(codes), keysOf(ids), keysOf(variants)
	x.addForms(vocabulary)
	return x
}

// addTitle splits a name; its words have numbers in the order of their appearance until all are known.
func (x *Index) addTitle(vocabulary map[string]uint32, id uint32, name string, other bool) {
	x.titles = append(x.titles, title{name: id, words: uint32(len(x.titleWords)), other: other})
	for _, w := range split(name) {
		n, ok := vocabulary[w.form]
		if !ok {
			n = uint32(len(vocabulary))
			vocabulary[strings.Clone(w.form)] = n
		}
		n *= 2
		if w.optional {
			n++
		}
		x.titleWords = append(x.titleWords, n)
	}
}

// addForms sorts the words, and indexes them.
func (x *Index) addForms(vocabulary map[string]uint32) {
	sorted := make([]string, 0, len(vocabulary))
	for w := range vocabulary {
		sorted = append(sorted, w)
	}
	slices.Sort(sorted)
	place := make([]uint32, len(sorted))
	for i, w := range sorted {
		place[vocabulary[w]] = uint32(i)
	}
	counts := make([]uint32, len(sorted)+1)
	for i, w := range x.titleWords {
		x.titleWords[i] = place[w/2]*2 + w%2
		if w%2 == 0 {
			counts[place[w/2]+1]++
		}
	}
	for i := 1; i < len(counts); i++ {
		counts[i] += counts[i-1]
	}
	x.posted, x.postings = slices.Clone(counts), make([]uint32, counts[len(counts)-1])
	for t := range len(x.titles) - 1 {
		for _, w := range x.wordsOf(uint32(t)) {
			if w%2 == 0 {
				x.postings[counts[w/2]] = uint32(t)
				counts[w/2]++
			}
		}
	}
	x.forms = blockOf(sorted)
	var stems, bones, sounds []pair
	for i, w := range sorted {
		f := uint32(i)
		if token.HasDigit(w) {
			continue
		}
		cyrillic := token.IsCyrillic(w)
		stem := token.Stem(w, cyrillic)
		bone := Bone(stem)
		stems = append(stems, pair{hash(stem), f})
		bones = append(bones, pair{hash(bone), f})
		sounds = append(sounds, pair{hash(sound(stem, cyrillic)), f})
		if n := len([]rune(w)); n >= 3 && n < 60 {
			x.shapes = append(x.shapes, shape{letters: letters(bone), form: f, runes: uint8(len([]rune(bone)))})
		}
	}
	x.stems, x.bones, x.sounds = keysOf(stems), keysOf(bones), keysOf(sounds)
	x.titles, x.titleWords, x.shapes = slices.Clip(x.titles), slices.Clip(x.titleWords), slices.Clip(x.shapes)
	x.starts, x.kindOf = slices.Clip(x.starts), slices.Clip(x.kindOf)
}

// wordsOf returns the words of a title.
func (x *Index) wordsOf(t uint32) []uint32 {
	return x.titleWords[x.titles[t].words:x.titles[t+1].words]
}

// titlesOf returns the titles that have a word, once for each time that they have it.
func (x *Index) titlesOf(form uint32) []uint32 { return x.postings[x.posted[form]:x.posted[form+1]] }

// HasWord reports whether a name has a folded word, in some form.
func (x *Index) HasWord(w string) bool {
	if _, ok := x.forms.find(w); ok {
		return true
	}
	return len(x.stems.find(token.StemOf(w))) > 0
}

// Len returns the number of names.
func (x *Index) Len() int {
	if x == nil {
		return 0
	}
	return len(x.kindOf)
}

// Name returns a name.
func (x *Index) name(i uint32) connector.Name {
	parts := strings.Split(x.text[x.starts[i]:x.starts[i+1]], "\x00")
	n := connector.Name{Kind: x.kinds[x.kindOf[i]], ID: parts[0], Name: parts[1]}
	if len(parts) > 2 {
		n.Also = parts[2:]
	}
	return n
}

// All yields the names of a kind.
func (x *Index) All(kind connector.NameKind) iter.Seq[connector.Name] {
	return func(yield func(connector.Name) bool) {
		for _, i := range x.of(kind) {
			if !yield(x.name(i)) {
				return
			}
		}
	}
}

func (x *Index) of(kind connector.NameKind) []uint32 {
	if x == nil {
		return nil
	}
	if k := slices.Index(x.kinds, kind); k >= 0 {
		return x.ofKind[k]
	}
	return nil
}

// ByID returns the names with an ID: a supplier is a counterparty, too.
func (x *Index) ByID(id string) (list []connector.Name) {
	for _, i := range x.ids.find(id) {
		if n := x.name(i); n.ID == id {
			list = append(list, n)
		}
	}
	return list
}

// Variants returns the variants of a product: they are called by its name with their characteristics in brackets.
func (x *Index) Variants(product string) (list []connector.Name) {
	for _, i := range x.variants.find(product) {
		if n := x.name(i); strings.HasPrefix(n.Name, product+" (") {
			list = append(list, n)
		}
	}
	return list
}

// productsOf yields what the product may be called of which a name is a variant.
func productsOf(n *connector.Name) iter.Seq[string] {
	return func(yield func(string) bool) {
		if n.Kind != connector.NameProduct || !strings.HasSuffix(n.Name, ")") {
			return
		}
		for i := range len(n.Name) {
			if strings.HasPrefix(n.Name[i:], " (") && !yield(n.Name[:i]) {
				return
			}
		}
	}
}

// Bytes returns the memory that the index takes.
func (x *Index) Bytes() int {
	n := len(x.text) + len(x.forms.text) + 5*len(x.kindOf) + 16*len(x.titles) + 16*len(x.shapes) +
		4*(len(x.starts)+len(x.titleWords)+len(x.forms.starts)+len(x.posted)+len(x.postings))
	for _, k := range []*keys{&x.stems, &x.bones, &x.sounds, &x.codes, &x.ids, &x.variants} {
		n += 12 * len(k.hashes)
	}
	return n
}

// compact keeps the letters and digits of a code. Letters that look alike in both alphabets are the same: people type
// an article as they see it.
func compact(s string) string {
	return strings.Map(func(r rune) rune {
		if l := latin[r]; l != 0 {
			return l
		}
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, words.Fold(s))
}

// latin maps letters to those of the Latin alphabet that look the same.
var latin = map[rune]rune{'а': 'a', 'в': 'b', 'с': 'c', 'е': 'e', 'н': 'h', 'к': 'k', 'м': 'm', 'о': 'o', 'р': 'p',
	'т': 't', 'х': 'x', 'у': 'y'}

// letters returns the set of letters in a word.
func letters(w string) (set uint64) {
	for _, r := range w {
		switch {
		case r >= 'а' && r <= 'я':
			set |= 1 << (r - 'а')
		case r >= 'a' && r <= 'z':
			set |= 1 << (32 + r - 'a')
		}
	}
	return set
}
