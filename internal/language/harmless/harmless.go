// Package harmless has the function words of both languages: words that are harmless in every context (rule R264).
package harmless

import (
	"embed"
	"strings"

	"github.com/stockhand/stockhand/internal/language/vocabulary"
	"github.com/stockhand/stockhand/internal/words"
)

//go:embed vocabulary/*.words
var files embed.FS

// Words are the function words.
var Words = words.Set(strings.Join(list(), " "))

func list() (all []string) {
	entries, err := vocabulary.Read(files, "vocabulary")
	if err != nil {
		panic("harmless: " + err.Error())
	}
	for _, e := range entries {
		all = append(all, e.Phrases...)
	}
	return all
}
