package text

import (
	"context"
	_ "embed"
	"strings"
	"sync"
	"unicode"

	"github.com/stockhand/stockhand"
)

// refusalTexts are what is said about a wrong value where the reader's language is not known, as described has it.
//
//go:embed refusals.ru
var refusalTexts string

var refusals = sync.OnceValue(func() map[string]string {
	all := map[string]string{}
	pairs(all, "refusals.ru", refusalTexts)
	return all
})

// Refusal returns the texts of an error in the language of the context. Where only English ones are known, a Russian
// page says the same in Russian, or what is wrong with each value, or at least that the input was not accepted.
func Refusal(ctx context.Context, e *stockhand.Error) stockhand.Words {
	words := e.In(Language(ctx))
	if e.Code == stockhand.CodeValidation {
		words.Hint = "" // it tells a program what to do; a page shows the form again
	}
	if Language(ctx) != stockhand.Russian || strings.ContainsFunc(words.Message, cyrillic) {
		return words
	}
	if said, ok := refusals()[e.Message]; ok {
		return stockhand.Words{Message: said}
	}
	var all []string
	for _, f := range e.Fields {
		if said, ok := refusals()[f.Message]; ok {
			all = append(all, said)
		}
	}
	if len(all) == 0 {
		return stockhand.Words{Message: NotAccepted.In(ctx)}
	}
	return stockhand.Words{Message: strings.Join(all, "; ")}
}

func cyrillic(r rune) bool { return unicode.Is(unicode.Cyrillic, r) }
