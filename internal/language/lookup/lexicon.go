package lookup

import (
	"embed"
	"fmt"
	"strings"

	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/language/vocabulary"
)

//go:embed vocabulary/*.words
var files embed.FS

// sense is what a phrase means. IDs of documents are the types of the API, and names for several of them.
type sense struct {
	meaning meaning
	id      string
}

// sections are the meanings whose phrases have a section with values of their own.
var sections = map[string]meaning{"document": document, "flag": flag, "stateName": stateName, "wish": wish,
	"buying": buying, "lasting": lasting, "service": service, "priceType": priceType, "kindOf": kindOf, "verb": verb,
	"unfiltered": unfiltered, "agent": agent, "supplying": supplying, "ranking": ranking, "breakdown": breakdown}

// kinds are the meanings without values.
var kinds = map[string]meaning{"state": state, "last": last, "counting": counting, "asking": asking, "more": more,
	"older": older, "less": less, "from": from, "upTo": upTo, "exactly": exactly, "numbered": numbered,
	"contents": contents, "comment": comment, "about": about, "between": between,
	"whether": whether, "who": who, "restock": restock, "available": available, "whom": whom, "onTime": onTime,
	"times": times, "sized": sized, "joining": joining, "every": every, "dueBy": dueBy,
	"buying": buying, "expected": expected, "forecast": forecast, "lasting": lasting, "coming": coming,
	"enough": enough, "running": running, "when": when, "without": without, "goods": goods, "prices": prices,
	"customers": customers, "rfm": rfm, "archived": archived}

// lexicon holds all phrases but those of properties that goods may lack, which mean something else by themselves.
var lexicon, lacked = readLexicon()

func readLexicon() (b vocabulary.Book[sense], properties vocabulary.Book[string]) {
	b, properties = vocabulary.Book[sense]{}, vocabulary.Book[string]{}
	list, err := vocabulary.Read(files, "vocabulary")
	if err != nil {
		panic("lookup: " + err.Error())
	}
	for _, e := range list {
		s, known := sense{sections[e.Section], e.Meaning}, sections[e.Section] != unexplained
		if e.Section == "kind" {
			s, known = sense{kinds[e.Meaning], ""}, kinds[e.Meaning] != unexplained
		}
		if !known && e.Section != "lacked" {
			panic(fmt.Sprintf("lookup: %s: unknown meaning %q in [%s]", e.Place, e.Meaning, e.Section))
		}
		for _, p := range e.Phrases {
			if e.Section == "lacked" {
				err = properties.Add(p, e.Meaning)
			} else {
				err = b.Add(p, s)
			}
			if err != nil {
				panic(fmt.Sprintf("lookup: %s: %v", e.Place, err))
			}
		}
	}
	b.Sort()
	properties.Sort()
	return b, properties
}

// word returns the value of a single word with a meaning.
func word(t *token.Token, m meaning) (id string, ok bool) {
	p := lexicon.Word(t, func(s sense) bool { return s.meaning == m })
	if p == nil {
		return "", false
	}
	return p.Meaning.id, true
}

// isOne reports whether the first word of a phrase, a noun, is in the singular.
func isOne(ts []token.Token) bool {
	for _, t := range ts {
		if t.Kind != token.Word {
			continue
		}
		if t.Cyrillic {
			return !plural(t.Norm) || strings.HasSuffix(t.Norm, "ние") // "перемещение"
		}
		return !strings.HasSuffix(t.Norm, "s")
	}
	return false
}

// plural reports whether a Russian noun or adjective looks like a plural. "Отгрузки" is both: it counts as a plural.
func plural(w string) bool {
	for _, ending := range []string{"ы", "и", "ов", "ев", "ей", "ам", "ям", "ах", "ях", "ами", "ями", "ые", "ие", "ых",
		"их", "та", "ок"} {
		if strings.HasSuffix(w, ending) {
			return true
		}
	}
	return w == "счета" || w == "ордера"
}

// Known reports whether a phrase of look-ups begins at a token.
func Known(ts []token.Token, i int) bool {
	p, _ := lexicon.At(ts, i)
	return p != nil
}
