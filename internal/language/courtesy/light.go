package courtesy

import (
	"strings"
	"sync"

	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/language/vocabulary"
	"github.com/stockhand/stockhand/internal/words"
)

// lightWords are the phrases that change no figure.
var lightWords = sync.OnceValue(func() vocabulary.Book[string] {
	b := vocabulary.Book[string]{}
	for _, e := range entries() {
		if e.Section != "verb" && e.Section != "light" {
			continue
		}
		for _, p := range e.Phrases {
			if e.Section == "verb" || strings.Contains(p, " ") {
				p = "=" + strings.TrimPrefix(p, "=")
			}
			if err := b.Add(p, e.Meaning); err != nil {
				panic("courtesy: " + e.Place + ": " + err.Error())
			}
		}
	}
	b.Sort()
	return b
})

// Light returns the tokens of words that change no figure, such as "примерно" and "изучи" (rule R1020). They may be
// part of a name: the names of the account must be marked before. What an exception, a number or "по" stands in
// front of is none of them. It reports whether one is an order to make something, which may be for more than figures.
func Light(ts []token.Token) (at []int, makes bool) {
	for i := 0; i < len(ts); i++ {
		if ts[i].Kind != token.Word || ts[i].Use != token.Unused || i > 0 && (ts[i-1].Kind == token.Number ||
			limited[ts[i-1].Norm]) {
			continue
		}
		p, end := lightWords().At(ts, i)
		if p == nil || verbMeanings[p.Meaning] && i > 0 && !verbsBehind[ts[i-1].Norm] && ts[i-1].Kind != token.Mark ||
			end < len(ts) && ts[end].Kind == token.Number {
			continue
		}
		makes = makes || p.Meaning == "make"
		for ; i < end; i++ {
			at = append(at, i)
		}
		i--
	}
	return at, makes
}

var (
	verbMeanings = words.Set("look tell make")
	// limited are words behind which every word is a condition.
	limited = words.Set("не кроме без исключая только лишь по not except without excluding only by")
	// verbsBehind are words that may stand before the verb of a question.
	verbsBehind = words.Set("ну и а же то пожалуйста плиз мне нам можешь можете можно надо нужно хочу давай " +
		"сможешь сможете please can you could to me us and just now so let's let")
)
