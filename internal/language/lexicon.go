package language

import (
	"embed"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/stockhand/stockhand/internal/language/phrase"
	"github.com/stockhand/stockhand/internal/language/token"
)

//go:embed lexicon
var files embed.FS

// lexicon is what the embedded files say, indexed for reading. It is built once and never changes.
type lexicon struct {
	*phrase.Index
	rules []rule
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
	x := &lexicon{Index: phrase.New()}
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
	return x, nil
}

// eachLine calls do with every line of a file that is neither empty nor a comment, together with the indented lines
// below it, which continue it.
func eachLine(file string, do func(string) error) error {
	b, err := files.ReadFile("lexicon/" + file)
	if err != nil {
		return err
	}
	var lines []string
	for line := range strings.Lines(string(b)) {
		text := strings.TrimSpace(line)
		switch {
		case text == "" || strings.HasPrefix(text, "#"):
		case line[0] == ' ' && len(lines) > 0:
			lines[len(lines)-1] += " " + text
		default:
			lines = append(lines, text)
		}
	}
	for _, line := range lines {
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
	x.Add(c, text)
}

// explains reports whether a token is a word of the lexicon by itself.
func (x *lexicon) explains(t *token.Token) bool {
	known := false
	x.Means(t, func(concept, bool) { known = true })
	return known
}

// ordinary reports whether a token is an everyday word, which cannot be a name by itself. Filler words count only in
// the form that the lexicon has: "главное" is filler, but "на главном" may be the main warehouse.
func (x *lexicon) ordinary(t *token.Token) bool {
	known := false
	x.Means(t, func(c concept, exact bool) { known = known || c != conceptFiller || exact })
	return known
}
