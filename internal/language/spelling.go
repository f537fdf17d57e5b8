package language

import (
	"strings"

	"github.com/stockhand/stockhand/internal/language/names"
	"github.com/stockhand/stockhand/internal/language/quantity"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// repair reads words in the wrong keyboard layout, and Russian ones in Latin letters, that the lexicon knows.
func (x *lexicon) repair(ts []token.Token) {
	const least = 4 // letters
	for i := range ts {
		t := &ts[i]
		if t.Kind != token.Word || t.Cyrillic || t.Use != token.Unused || len(t.Norm) < least ||
			token.HasDigit(t.Norm) || x.Begins(t) || quantity.IsCalendarWord(t.Norm) {
			continue
		}
		for _, way := range []string{names.Layout(t.Norm), names.Transliterate(t.Norm)} {
			c := token.Token{Kind: token.Word, Norm: way, Stem: token.Stem(way, true), Cyrillic: true}
			if token.IsCyrillic(way) && len([]rune(way)) >= least && x.explains(&c) {
				t.Norm, t.Stem, t.Cyrillic, t.Typo = c.Norm, c.Stem, true, true
				break
			}
		}
	}
}

// softened writes the soft signs that Latin letters leave out.
var softened = strings.NewReplacer("ябр ", "ябрь ", "кабр ", "кабрь ", "скол ", "сколь ", "сколко", "сколько",
	"толко", "только", "прибыл ", "прибыль ", "менше", "меньше", "болше", "больше", "денги", "деньги")

// inLayout returns a task that was typed in the other keyboard layout, or in Russian with Latin letters, as it was
// meant: if more of its words make sense then.
func (x *lexicon) inLayout(task string) string {
	const most = 300 // bytes; a longer one is not typed blindly
	if len(task) > most || token.IsCyrillic(words.Fold(task)) {
		return task
	}
	sense := func(text string) (n int) {
		for _, t := range token.Split(text) {
			if t.Kind == token.Word && len([]rune(t.Norm)) > 3 && x.Begins(&t) {
				n++
			}
		}
		return n
	}
	for _, other := range []string{names.Layout(task), softened.Replace(names.Transliterate(words.Fold(task)) + " ")} {
		if sense(other) > sense(task) {
			return strings.TrimSpace(other)
		}
	}
	for _, t := range token.Split(task) { // "na vitrine", whose noun is a name
		if latinPrepositions[t.Norm] {
			return strings.TrimSpace(softened.Replace(names.Transliterate(words.Fold(task)) + " "))
		}
		if t.Norm != "a" && t.Norm != "i" && t.Norm != "nu" {
			break
		}
	}
	return task
}

// latinPrepositions are Russian prepositions in Latin letters that are no English words.
var latinPrepositions = words.Set("na za bez iz dlya krome tolko")
