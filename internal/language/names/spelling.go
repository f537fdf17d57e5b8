package names

import (
	_ "embed"
	"math/bits"
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/language/token"
)

// How well a word of a task is a word of a name, of 100.
const (
	sameForm     = 100
	sameStem     = 98
	otherEnding  = 95 // of a surname, which the stemmer shortens more than its other cases
	sameBone     = 92
	sameSound    = 90 // in the other alphabet, or in English
	shorterForm  = 80 // without its last letter
	withoutUnit  = 70
	oneEdit      = 60
	twoEdits     = 50
	swappedShort = 45
)

// hit is a word of names that a word of the task may be.
type hit struct {
	form   uint32
	weight uint8
}

// hits returns the words of names that a word of a task may be. Each way of looking counts only if those before found
// nothing, so that no word is taken for another one that people know, too.
func (x *Index) hits(w word) []hit {
	var found []hit
	if f, ok := x.forms.find(w.form); ok {
		found = append(found, hit{f, sameForm})
	}
	if w.number || token.HasDigit(w.form) {
		return x.amounts(w, found)
	}
	stem := token.Stem(w.form, w.cyrillic)
	found = x.withStem(found, stem, sameStem)
	if w.cyrillic {
		found = x.endings(found, w.form)
	}
	if len(found) == 0 {
		found = x.withBone(found, Bone(stem), sameBone)
	}
	if len(found) == 0 && w.cyrillic {
		found = x.shortForm(w.form, stem)
	}
	if len(found) == 0 {
		found = x.otherScript(w.form, w.cyrillic, stem)
	}
	if len(found) == 0 && strings.Contains(w.form, "э") { // "бэта"
		found = x.withStem(found, token.Stem(strings.ReplaceAll(w.form, "э", "е"), true), sameBone)
	}
	return found
}

// shortForm finds what people call otherwise than names do: "гречка" is "крупа гречневая", "кружечка" a "кружка".
func (x *Index) shortForm(form, stem string) []hit {
	var found []hit
	for _, of := range [2]string{form, stem} {
		for _, word := range shortForms[of] {
			if f, ok := x.forms.find(word); ok {
				found = add(found, hit{f, sameSound})
			}
			found = x.withStem(found, token.Stem(word, true), sameSound)
		}
		if len(found) > 0 {
			return found
		}
	}
	for _, root := range diminutives(stem) {
		found = slices.DeleteFunc(x.withBone(found, root, shorterForm), func(h hit) bool {
			w := x.forms.at(h.form) // "чайник" is nothing of "чайный"
			return slices.ContainsFunc(describing,
				func(end string) bool { return strings.HasSuffix(w, end) })
		})
		if len(found) > 0 {
			break
		}
	}
	return found
}

// describing are endings of adjectives.
var describing = strings.Fields("ый ий ой ая яя ое ее ые ие ых их")

// diminutives returns what a diminutive may be one of, as bones: "лампочк" of "ламп" or "лампк".
func diminutives(stem string) (roots []string) {
	const least = 4 // letters of what remains: "полочк" is no "пол"
	for _, ending := range []string{"очк", "ечк", "ушк", "юшк", "ишк", "еньк", "оньк", "чик", "ик", "ек", "к"} {
		root, ok := strings.CutSuffix(stem, ending)
		if !ok || len([]rune(root)) < least {
			continue
		}
		for _, r := range [2]string{root, root + "к"} {
			if r != stem {
				roots = append(roots, Bone(r))
			}
		}
	}
	return roots
}

func (x *Index) withStem(found []hit, stem string, weight uint8) []hit {
	for _, f := range x.stems.find(stem) {
		found = add(found, hit{f, weight})
	}
	return found
}

func (x *Index) withBone(found []hit, bone string, weight uint8) []hit {
	for _, f := range x.bones.find(bone) {
		found = add(found, hit{f, weight})
	}
	return found
}

func add(found []hit, h hit) []hit {
	if slices.ContainsFunc(found, func(o hit) bool { return o.form == h.form }) {
		return found
	}
	return append(found, h)
}

// amounts adds what a number without its unit may be: "200" of "200г".
func (x *Index) amounts(w word, found []hit) []hit {
	if !w.number || hasUnit(w.form) {
		return found
	}
	i, _ := x.forms.find(w.form)
	for ; i < uint32(x.forms.len()) && strings.HasPrefix(x.forms.at(i), w.form); i++ {
		if unit := x.forms.at(i)[len(w.form):]; units[unit] == unit && unit != "" {
			found = add(found, hit{i, withoutUnit})
		}
	}
	return found
}

// endings adds words that the stemmer takes for others: a surname in -ов and its cases, a word without its last letter.
func (x *Index) endings(found []hit, form string) []hit {
	rs := []rune(form)
	if len(rs) < 4 {
		return found
	}
	for n := len(rs) - 1; n >= 4 && n >= len(rs)-3; n-- {
		if f, ok := x.forms.find(string(rs[:n])); ok {
			found = add(found, hit{f, otherEnding})
		}
	}
	i, _ := x.forms.find(form)
	for ; i < uint32(x.forms.len()) && strings.HasPrefix(x.forms.at(i), form); i++ {
		if len([]rune(x.forms.at(i))) == len(rs)+1 {
			found = add(found, hit{i, shorterForm})
		}
	}
	return found
}

// otherScript finds a word that is written in the other alphabet, typed in the other keyboard layout, or English.
func (x *Index) otherScript(form string, cyrillic bool, stem string) []hit {
	var found []hit
	if cyrillic { // "махровый" for "махра", "самсунг" for "Samsung"
		for _, other := range glossary[stem] {
			found = x.withStem(found, token.Stem(other, true), sameSound)
		}
		if len(found) > 0 {
			return found
		}
		for _, f := range x.sounds.find(sound(stem, true)) {
			if len([]rune(form)) >= 3 && !token.IsCyrillic(x.forms.at(f)) {
				found = add(found, hit{f, sameSound})
			}
		}
		return found
	}
	if strings.Contains(form, "_") { // two words
		stem = form
	}
	for _, russian := range glossary[stem] {
		s := token.Stem(russian, true)
		if found = x.withStem(found, s, sameSound); len(found) == 0 {
			found = x.withBone(found, Bone(s), sameSound)
		}
	}
	if len(found) > 0 || len(form) < 3 {
		return found
	}
	for _, way := range []string{Transliterate(form), Layout(form)} {
		if !token.IsCyrillic(way) {
			continue
		}
		if f, ok := x.forms.find(way); ok {
			found = add(found, hit{f, sameSound})
		}
		s := token.Stem(way, true)
		if found = x.withStem(found, s, sameSound); len(found) == 0 {
			found = x.withBone(found, Bone(s), sameSound)
		}
		if len(found) > 0 {
			return found
		}
	}
	for _, f := range x.sounds.find(sound(stem, false)) {
		if len(form) >= 4 {
			found = add(found, hit{f, sameSound})
		}
	}
	if way := Transliterate(form); len(found) == 0 && token.IsCyrillic(way) && len(form) >= 4 {
		for _, f := range x.sounds.find(sound(token.Stem(way, true), true)) {
			found = add(found, hit{f, sameSound})
		}
	}
	return found
}

// misspelt returns the words of names that differ from a word by one letter, or by two in a long word. In a short one
// only two letters that changed places count.
func (x *Index) misspelt(w word) []hit {
	n := len([]rune(w.form))
	if n < 3 || w.number || token.HasDigit(w.form) {
		return nil
	}
	for _, form := range []string{w.form, Transliterate(w.form), Layout(w.form)} {
		cyrillic := token.IsCyrillic(form)
		if form != w.form && (w.cyrillic || !cyrillic) {
			break
		}
		bone := Bone(token.Stem(form, cyrillic))
		if n < 5 {
			return x.near(bone, form, 1, swappedShort)
		}
		if found := x.near(bone, form, 1, oneEdit); len(found) > 0 {
			return found
		}
		if n >= 9 {
			if found := x.near(bone, form, 2, twoEdits); len(found) > 0 {
				return found
			}
		}
	}
	return nil
}

// near returns the words whose bones are so many edits away.
func (x *Index) near(bone, form string, edits int, weight uint8) []hit {
	var found []hit
	set, n := letters(bone), len([]rune(bone))
	for i := range x.shapes {
		s := &x.shapes[i]
		if bits.OnesCount64(set^s.letters) > 2*edits || int(s.runes) > n+edits || int(s.runes) < n-edits {
			continue
		}
		other := x.forms.at(s.form)
		switch {
		case weight == swappedShort:
			if len(other) == len(form) && swapped(form, other) {
				found = add(found, hit{s.form, weight})
			}
		case len([]rune(other)) >= 4 && n >= 4 && within(bone, x.boneOf(s.form), edits):
			found = add(found, hit{s.form, weight})
		}
	}
	return found
}

func (x *Index) boneOf(form uint32) string {
	w := x.forms.at(form)
	return Bone(token.Stem(w, token.IsCyrillic(w)))
}

// swapped reports whether two words differ in two neighbouring letters that changed places.
func swapped(a, b string) bool {
	x, y := []rune(a), []rune(b)
	if len(x) != len(y) || a == b {
		return false
	}
	i := 0
	for i < len(x) && x[i] == y[i] {
		i++
	}
	return i+1 < len(x) && x[i] == y[i+1] && x[i+1] == y[i] && string(x[i+2:]) == string(y[i+2:])
}

// Near reports whether a and b differ by at most one insertion, deletion, substitution or swap of neighbours
// (Damerau–Levenshtein distance 0 or 1).
func Near(a, b string) bool { return within(a, b, 1) }

// within reports whether the Damerau–Levenshtein distance of two words is at most 1 or 2.
func within(a, b string, edits int) bool {
	if a == b {
		return true
	}
	return distance([]rune(a), []rune(b), edits)
}

func distance(a, b []rune, edits int) bool {
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	if len(a) == 0 || len(b) == 0 {
		return len(a)+len(b) <= edits
	}
	if edits == 0 || len(a)-len(b) > edits || len(b)-len(a) > edits {
		return false
	}
	return distance(a[1:], b[1:], edits-1) || distance(a[1:], b, edits-1) || distance(a, b[1:], edits-1) ||
		len(a) > 1 && len(b) > 1 && a[0] == b[1] && a[1] == b[0] && distance(a[2:], b[2:], edits-1)
}

// Layout writes what was typed with the English keyboard layout on as the Russian one has it: "jcnfnrb" is "остатки".
func Layout(s string) string { return layout.Replace(s) }

// Transliterate writes Russian in Latin letters back in Cyrillic: "ostatki" is "остатки".
func Transliterate(s string) string { return translit.Replace(softC.Replace(s)) }

var layout = func() *strings.Replacer {
	lat := []rune("qwertyuiop[]asdfghjkl;'zxcvbnm,.`QWERTYUIOP{}ASDFGHJKL:\"ZXCVBNM<>~")
	cyr := []rune("йцукенгшщзхъфывапролджэячсмитьбюеЙЦУКЕНГШЩЗХЪФЫВАПРОЛДЖЭЯЧСМИТЬБЮЕ")
	var pairs []string
	for i, r := range lat {
		pairs = append(pairs, string(r), string(cyr[i]))
	}
	return strings.NewReplacer(pairs...)
}()

// softC writes the c of English words as they are spoken.
var softC = strings.NewReplacer("ch", "ch", "sch", "sch", "ck", "k", "ca", "ka", "co", "ko", "cu", "ku", "cl", "kl",
	"cr", "kr", "ct", "kt", "ph", "f")

var translit = strings.NewReplacer("aya", "ая", "eya", "ея", "oya", "оя", "iya", "ия", "uya", "уя",
	"shch", "щ", "sch", "щ", "zh", "ж", "kh", "х", "ts", "ц", "ch", "ч", "sh", "ш", "yu",
	"ю", "ya", "я", "yo", "е", "ju", "ю", "ja", "я", "iy", "ий", "oy", "ой", "ey", "ей", "ay", "ай",
	"a", "а", "b", "б", "v", "в", "w", "в", "g", "г", "d", "д", "e", "е", "z", "з", "i", "и", "j", "й", "k", "к", "l",
	"л", "m", "м", "n", "н", "o", "о", "p", "п",
	"r", "р", "s", "с", "t", "т", "u", "у", "f", "ф", "h", "х", "c", "ц", "y", "ы", "x", "кс", "q", "к", "'", "ь")

// sound writes a word as it is roughly spoken, so that the ways to write it in the other alphabet are one.
func sound(w string, cyrillic bool) string {
	if !cyrillic {
		w = Transliterate(w)
	}
	var out []rune
	for _, r := range w {
		switch r {
		case 'ь', 'ъ':
			continue
		case 'й', 'ы':
			r = 'и'
		case 'э':
			r = 'е'
		case 'я':
			r = 'а'
		case 'ю':
			r = 'у'
		case 'щ':
			r = 'ш'
		}
		if len(out) == 0 || out[len(out)-1] != r {
			out = append(out, r)
		}
	}
	return string(out)
}

//go:embed glossary.txt
var glossaryText string

//go:embed shortforms.txt
var shortFormsText string

// shortForms maps what people call goods by, and its stem, to words of names.
var shortForms = func() map[string][]string {
	m := map[string][]string{}
	for line := range strings.Lines(shortFormsText) {
		said, meant, ok := strings.Cut(strings.TrimSpace(line), ":")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		for w := range strings.FieldsSeq(said) {
			m[w] = append(m[w], strings.Fields(meant)...)
			if s := token.Stem(w, true); s != w && m[s] == nil {
				m[s] = strings.Fields(meant)
			}
		}
	}
	return m
}()

// namesThings are stems of English words that are names although they are everyday words, too: "wholesale" is a price
// type.
var namesThings = map[string]bool{}

// NamesThing reports whether an everyday English word may be a name by itself.
func NamesThing(t *token.Token) bool { return !t.Cyrillic && namesThings[t.Stem] }

// glossary maps stems of words, most of them English, to what they are in Russian names.
var glossary = func() map[string][]string {
	m := map[string][]string{}
	for line := range strings.Lines(glossaryText) {
		english, russian, ok := strings.Cut(strings.TrimSpace(line), ":")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		english, foreign := strings.CutPrefix(english, "=")
		for w := range strings.FieldsSeq(english) {
			s := token.Stem(w, token.IsCyrillic(w))
			if first, second, two := strings.Cut(w, "_"); two {
				s = token.Stem(first, false) + "_" + token.Stem(second, false)
			}
			namesThings[s] = namesThings[s] || foreign
			m[s] = append(m[s], strings.Fields(russian)...)
		}
	}
	return m
}()
