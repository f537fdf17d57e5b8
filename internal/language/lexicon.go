package language

import (
	"embed"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/stockhand/stockhand/internal/language/likeness"
	"github.com/stockhand/stockhand/internal/language/token"
)

//go:embed lexicon
var files embed.FS

// lexicon is what the embedded files say, indexed for reading. It is built once and never changes.
type lexicon struct {
	open     [numConcepts]bool // phrases of these hide no other phrase and are not hidden
	patterns []pattern
	exact    map[string][]int // first word of a pattern as it is written, to patterns
	stems    map[string][]int // first word of a pattern by its stem
	prefixes map[string][]int // first word of a pattern by its beginning
	rules    []rule
	examples likeness.Examples
	typos    map[int][]string // words that a misspelt word is corrected to, by their length in runes
}

var load = sync.OnceValue(func() *lexicon {
	x, err := parseLexicon()
	if err != nil {
		panic("language: the embedded lexicon is malformed: " + err.Error())
	}
	return x
})

// parseLexicon reads the embedded files. A concept, signal or skill that the code does not know is an error, and so is
// a concept that no word means.
func parseLexicon() (*lexicon, error) {
	x := &lexicon{exact: map[string][]int{}, stems: map[string][]int{}, prefixes: map[string][]int{},
		typos: map[int][]string{}}
	var used [numConcepts]bool
	for _, f := range []string{"ru.words", "en.words"} {
		err := eachEntry(f, func(name, list string) error {
			c, err := conceptNamed(name)
			if err != nil {
				return err
			}
			used[c] = true
			for p := range strings.SplitSeq(list, ",") {
				x.addPattern(c, p)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	if i := slices.Index(used[:], false); i >= 0 {
		return nil, fmt.Errorf("no word means %s", conceptNames[i])
	}
	if err := eachLine("rules.txt", x.addRule); err != nil {
		return nil, err
	}
	for _, f := range []string{"ru.examples", "en.examples"} {
		err := eachEntry(f, func(s, text string) error {
			if _, ok := skills[Skill(s)]; !ok {
				return fmt.Errorf("unknown skill %q", s)
			}
			x.examples = append(x.examples, likeness.Example{Label: s, Text: text})
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	x.examples.Weigh()
	for n := range x.typos {
		slices.Sort(x.typos[n])
		x.typos[n] = slices.Compact(x.typos[n])
	}
	return x, nil
}

// eachLine calls do with every line of a file that is neither empty nor a comment.
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
			return fmt.Errorf("%s: %q: %w", file, line, err)
		}
	}
	return nil
}

// eachEntry calls do with both sides of every "key: value" line of a file.
func eachEntry(file string, do func(key, value string) error) error {
	return eachLine(file, func(line string) error {
		key, value, ok := strings.Cut(line, ":")
		if !ok {
			return fmt.Errorf("no colon")
		}
		return do(strings.TrimSpace(key), strings.TrimSpace(value))
	})
}

// addPattern indexes a word or phrase that means c.
func (x *lexicon) addPattern(c concept, text string) {
	p := parsePattern(c, text)
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
	case byStem:
		x.exact[first.form] = append(x.exact[first.form], i)
		x.stems[first.text] = append(x.stems[first.text], i)
	}
	n := len([]rune(first.form))
	if len(p.words) == 1 && correctable[c] > 0 && n >= correctable[c] {
		x.typos[n] = append(x.typos[n], first.form)
	}
}

// eachFirst calls do with every pattern whose first word t matches.
func (x *lexicon) eachFirst(t *token.Token, do func(int)) {
	for _, p := range x.exact[t.Norm] {
		do(p)
	}
	for _, p := range x.stems[t.Stem] {
		if x.patterns[p].words[0].form != t.Norm { // found above
			do(p)
		}
	}
	for i := range t.Norm {
		if i > 0 {
			for _, p := range x.prefixes[t.Norm[:i]] {
				do(p)
			}
		}
	}
	for _, p := range x.prefixes[t.Norm] {
		do(p)
	}
}

// explains reports whether a token is a word of the lexicon by itself.
func (x *lexicon) explains(t *token.Token) bool {
	known := false
	x.eachFirst(t, func(p int) { known = known || len(x.patterns[p].words) == 1 })
	return known
}

// begins reports whether a token begins a phrase of the lexicon.
func (x *lexicon) begins(t *token.Token) bool {
	known := false
	x.eachFirst(t, func(int) { known = true })
	return known
}

// ordinary reports whether a token is an everyday word, which cannot be a name by itself. Filler words count only in
// the form that the lexicon has: "главное" is filler, but "на главном" may be the main warehouse.
func (x *lexicon) ordinary(t *token.Token) bool {
	known := false
	x.eachFirst(t, func(i int) {
		p := x.patterns[i]
		if len(p.words) == 1 && (p.concept != conceptFiller || p.words[0].form == t.Norm) {
			known = true
		}
	})
	return known
}
