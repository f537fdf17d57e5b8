package language

import (
	"embed"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/stockhand/stockhand/internal/connector"
)

//go:embed lexicon
var files embed.FS

// concept is a meaning that words of either language have, as an index into lexicon.concepts.
type concept uint8

// lexicon is what the embedded files say, indexed for reading. It is built once and never changes.
type lexicon struct {
	concepts []string
	byName   map[string]concept
	open     map[concept]bool // phrases of these hide nothing
	patterns []pattern
	exact    map[string][]int // first word of a pattern, as it is written, to patterns
	stems    map[string][]int
	prefixes map[string][]int
	rules    []rule
	examples []example
	typos    map[int][]string // words that a misspelt one may be meant as, by length in runes
}

// pattern is a word or phrase that means a concept.
type pattern struct {
	concept concept
	words   []wordPattern
}

type wordPattern struct {
	text   string // a form, a stem or a prefix
	form   string // as the file has it
	match  matching
	gapped bool // up to two words may stand before it
}

type matching uint8

const (
	byStem matching = iota
	byForm
	byPrefix
)

func (p wordPattern) matches(t *token) bool {
	if t.kind != word || t.use != unused {
		return false
	}
	switch p.match {
	case byForm:
		return t.norm == p.text
	case byPrefix:
		return strings.HasPrefix(t.norm, p.text)
	default:
		return t.norm == p.form || t.stem == p.text
	}
}

// rule adds weight to a skill when all of need are present and none of absent is.
type rule struct {
	skill        Skill
	weight       float64
	need, absent []feature
}

// feature is a concept, or something else known about a task.
type feature struct {
	concept concept
	other   string // "period", "days", …; empty for a concept
	name    connector.NameKind
	isName  bool // a matched name, of that kind unless it is empty
}

var load = sync.OnceValue(func() *lexicon {
	x, err := parseLexicon()
	if err != nil {
		panic("language: the embedded lexicon is malformed: " + err.Error()) // a test reads it first
	}
	return x
})

func parseLexicon() (*lexicon, error) {
	x := &lexicon{byName: map[string]concept{}, open: map[concept]bool{}, exact: map[string][]int{},
		stems: map[string][]int{}, prefixes: map[string][]int{}, typos: map[int][]string{}}
	for _, f := range []string{"ru.words", "en.words"} {
		err := eachLine(f, func(line string) error {
			name, list, ok := strings.Cut(line, ":")
			if !ok {
				return fmt.Errorf("%s: no concept in %q", f, line)
			}
			c := x.concept(name)
			for p := range strings.SplitSeq(list, ",") {
				x.addPattern(c, p)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	if err := eachLine("rules.txt", x.addRule); err != nil {
		return nil, err
	}
	for _, f := range []string{"ru.examples", "en.examples"} {
		err := eachLine(f, func(line string) error {
			skill, text, ok := strings.Cut(line, ":")
			if !ok {
				return fmt.Errorf("%s: no skill in %q", f, line)
			}
			x.examples = append(x.examples,
				example{skill: Skill(strings.TrimSpace(skill)), text: strings.TrimSpace(text)})
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	x.weighExamples()
	for n := range x.typos {
		slices.Sort(x.typos[n])
		x.typos[n] = slices.Compact(x.typos[n])
	}
	return x, nil
}

func eachLine(file string, do func(string) error) error {
	b, err := files.ReadFile("lexicon/" + file)
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(b)) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if err := do(line); err != nil {
			return err
		}
	}
	return nil
}

func (x *lexicon) concept(name string) concept {
	if c, ok := x.byName[name]; ok {
		return c
	}
	c := concept(len(x.concepts)) // there are about a hundred
	x.byName[name] = c
	x.concepts = append(x.concepts, name)
	return c
}

func (x *lexicon) addPattern(c concept, text string) {
	p := pattern{concept: c}
	gapped := false
	for _, t := range tokenizePattern(text) {
		if t == "_" {
			gapped = true
			continue
		}
		w := wordPattern{gapped: gapped, form: t}
		gapped = false
		switch {
		case strings.HasPrefix(t, "="):
			w.match, w.text = byForm, t[1:]
			w.form = w.text
		case strings.HasSuffix(t, "*"):
			w.match, w.text = byPrefix, strings.TrimSuffix(t, "*")
			w.form = w.text
		default:
			w.text = stem(t, isCyrillic(t))
		}
		p.words = append(p.words, w)
	}
	if len(p.words) == 0 {
		return
	}
	i := len(x.patterns)
	x.patterns = append(x.patterns, p)
	first := p.words[0]
	switch first.match {
	case byForm:
		x.exact[first.text] = append(x.exact[first.text], i)
	case byPrefix:
		x.prefixes[first.text] = append(x.prefixes[first.text], i)
	default:
		x.exact[first.form] = append(x.exact[first.form], i)
		if first.text != first.form {
			x.stems[first.text] = append(x.stems[first.text], i)
		} else {
			x.stems[first.form] = append(x.stems[first.form], i)
		}
	}
	if name := strings.ToLower(x.concepts[c]); len(p.words) == 1 &&
		(misspelt[name] || misspeltOrders[name] && len([]rune(first.form)) >= 7) {
		if n := len([]rune(first.form)); n >= 5 {
			x.typos[n] = append(x.typos[n], first.form)
		}
	}
}

// misspelt are the concepts that a misspelt word may be corrected to: those that tasks are about. Orders and everyday
// words are not among them, so that no typo turns a word into one.
var misspelt = set("stock store short tobuy age turn cash flow profit loss sell revenue debt payable supplier customer group employee channel variant product order late overview find best bystore trend show")

// misspeltOrders are orders long enough that a letter too few or too many makes no other word of them.
var misspeltOrders = set("move buycmd raise lower reprice")

// tokenizePattern splits a pattern as a task would be split, keeping the marks of the notation.
func tokenizePattern(s string) []string {
	s = normalize(s)
	s = strings.NewReplacer("-", " ", "/", " ", "'t", " not", "'s", "", "'ve", "").Replace(s)
	s = strings.ReplaceAll(s, "n not", " not") // haven't
	return strings.Fields(s)
}

func isCyrillic(s string) bool {
	for _, r := range s {
		if r >= 'а' && r <= 'я' {
			return true
		}
	}
	return false
}

func (x *lexicon) addRule(line string) error {
	f := strings.Fields(line)
	if f[0] == "open" {
		for _, name := range f[1:] {
			x.open[x.concept(name)] = true
		}
		return nil
	}
	if len(f) < 3 {
		return fmt.Errorf("rules.txt: %q", line)
	}
	weight, err := strconv.ParseFloat(f[1], 64)
	if err != nil {
		return fmt.Errorf("rules.txt: %q: %w", line, err)
	}
	r := rule{skill: Skill(f[0]), weight: weight}
	for _, name := range f[2:] {
		name, absent := strings.CutPrefix(name, "!")
		var ft feature
		switch {
		case name[0] == '@':
			ft.other = name[1:]
		case name == "?name":
			ft.isName = true
		case name[0] == '?':
			ft.isName, ft.name = true, connector.NameKind(name[1:])
		default:
			c, ok := x.byName[name]
			if !ok {
				return fmt.Errorf("rules.txt: unknown concept %s", name)
			}
			ft.concept = c
		}
		if absent {
			r.absent = append(r.absent, ft)
		} else {
			r.need = append(r.need, ft)
		}
	}
	x.rules = append(x.rules, r)
	return nil
}

// found is a pattern found in a task.
type found struct {
	concept concept
	at      []int // tokens, in order
}

// find returns the concepts of the unused tokens. A longer phrase hides the shorter patterns inside it. Open
// concepts neither hide nor are hidden.
func (x *lexicon) find(ts []token) []found {
	var all []found
	for i := range ts {
		if ts[i].kind != word || ts[i].use != unused {
			continue
		}
		x.eachFirst(&ts[i], func(p int) {
			if at := x.patterns[p].at(ts, i); at != nil {
				all = append(all, found{x.patterns[p].concept, at})
			}
		})
	}
	cover := make([]int, len(ts))
	for _, f := range all {
		if x.open[f.concept] {
			continue
		}
		for _, i := range f.at {
			cover[i] = max(cover[i], len(f.at))
		}
	}
	return slices.DeleteFunc(all, func(f found) bool {
		if x.open[f.concept] {
			return false
		}
		for _, i := range f.at {
			if cover[i] > len(f.at) {
				return true
			}
		}
		return false
	})
}

// eachFirst calls do with every pattern whose first word t matches.
func (x *lexicon) eachFirst(t *token, do func(int)) {
	for _, p := range x.exact[t.norm] {
		do(p)
	}
	for _, p := range x.stems[t.stem] {
		if x.patterns[p].words[0].form != t.norm { // found above
			do(p)
		}
	}
	for i := range t.norm {
		if i > 0 {
			for _, p := range x.prefixes[t.norm[:i]] {
				do(p)
			}
		}
	}
	for _, p := range x.prefixes[t.norm] {
		do(p)
	}
}

// at returns the tokens that the pattern takes when its first word is token i, or nil.
func (p pattern) at(ts []token, i int) []int {
	out := []int{i}
	next := i + 1
	for _, w := range p.words[1:] {
		gap := 0
		if w.gapped {
			gap = 2
		}
		j := next
		for ; j < len(ts); j++ {
			if ts[j].use == asNumber { // "markup 40% on cost"
				continue
			}
			if ts[j].kind == mark && strings.Contains("-/+&", ts[j].norm) {
				continue
			}
			if ts[j].kind == number && w.matchesNumber(&ts[j]) || w.matches(&ts[j]) {
				break
			}
			if gap == 0 || ts[j].kind == mark {
				return nil
			}
			gap--
		}
		if j >= len(ts) {
			return nil
		}
		out = append(out, j)
		next = j + 1
	}
	return out
}

func (p wordPattern) matchesNumber(t *token) bool { return p.match == byStem && t.norm == p.form }

// explains tells whether a token begins or is some word of the lexicon by itself.
func (x *lexicon) explains(t *token) bool {
	known := false
	x.eachFirst(t, func(p int) { known = known || len(x.patterns[p].words) == 1 })
	return known
}

// begins tells whether a token begins a phrase of the lexicon.
func (x *lexicon) begins(t *token) bool {
	known := false
	x.eachFirst(t, func(int) { known = true })
	return known
}

// ordinary tells whether a token is a word of the lexicon in the sense that it cannot be a name by itself. Padding
// counts only as it is written: "главное" is padding, and "на главном" may be the main warehouse.
func (x *lexicon) ordinary(t *token) bool {
	known := false
	x.eachFirst(t, func(i int) {
		p := x.patterns[i]
		if len(p.words) == 1 && (x.concepts[p.concept] != "STOP" || p.words[0].form == t.norm) {
			known = true
		}
	})
	return known
}

// repair corrects the words that the lexicon does not know: the wrong keyboard layout, Latin letters for Russian
// words, one wrong letter in a word of five or more.
func (x *lexicon) repair(ts []token) {
	for i := range ts {
		t := &ts[i]
		if t.kind != word || t.use != unused || len([]rune(t.norm)) < 4 || hasDigit(t.norm) || x.explains(t) ||
			isCalendarWord(t.norm) {
			continue
		}
		if !t.cyrillic {
			if x.begins(t) {
				continue
			}
			for _, way := range []string{qwerty.Replace(t.norm), translit.Replace(t.norm)} {
				c := token{kind: word, norm: way, stem: stem(way, true), cyrillic: true}
				if isCyrillic(way) && len([]rune(way)) >= 4 && x.explains(&c) {
					t.norm, t.stem, t.cyrillic, t.typo = c.norm, c.stem, true, true
					break
				}
			}
			if t.typo {
				continue
			}
		}
		if w := x.correct(t); w != "" {
			t.norm, t.stem, t.typo = w, stem(w, t.cyrillic), true
		}
	}
}

// correct returns the word that t is one wrong letter away from, or nothing when there is none.
func (x *lexicon) correct(t *token) string {
	rs := []rune(t.norm)
	if len(rs) < 5 {
		return ""
	}
	// A pattern may be a stem: the task's word is longer. The first letter is rarely the wrong one.
	for n := min(len(rs)+1, 14); n >= 5; n-- {
		for _, w := range x.typos[n] {
			if first := firstRune(w); first != rs[0] && !strings.Contains(soundsAlike, string([]rune{first, rs[0]})) {
				continue
			}
			for _, cut := range []int{n - 1, n, n + 1} {
				if cut > len(rs) || cut < 4 || len(rs)-cut > 4 {
					continue
				}
				if n == 5 && cut == 5 && vowelSlip(string(rs[:cut]), w) {
					return w + string(rs[cut:]) // "астатки"
				}
				if n < 6 && cut != len(rs) {
					continue
				}
				if n == 5 && cut == 5 && !swapped(string(rs[:cut]), w) {
					continue // one letter for another makes other words of short ones: каска is no касса
				}
				if near(string(rs[:cut]), w) {
					return w + string(rs[cut:])
				}
			}
		}
	}
	return ""
}

// swapped tells whether a and b have the same letters but for order.
func swapped(a, b string) bool {
	x, y := []rune(a), []rune(b)
	slices.Sort(x)
	slices.Sort(y)
	return slices.Equal(x, y)
}

// vowelSlip tells whether two words of one length differ by one vowel written for another that sounds like it.
func vowelSlip(a, b string) bool {
	x, y := []rune(a), []rune(b)
	if len(x) != len(y) {
		return false
	}
	slips := 0
	for i := range x {
		if x[i] == y[i] {
			continue
		}
		if slips++; slips > 1 || !strings.Contains(soundsAlike, string([]rune{x[i], y[i]})) {
			return false
		}
	}
	return slips == 1
}

// soundsAlike are the pairs of vowels that ears confuse: "астатки".
const soundsAlike = "оа ао еи ие"

func firstRune(s string) rune {
	for _, r := range s {
		return r
	}
	return 0
}

func hasDigit(s string) bool { return strings.ContainsAny(s, "0123456789") }
