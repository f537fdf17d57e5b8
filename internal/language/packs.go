package language

import (
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// spellPacks writes adjectives of weight and volume as names do, and leaves out words that only say what the next one
// is: "соль килограммовая" is «Соль 1 кг», "носки размера M" are «Носки (белый, M)» (rule R828).
func spellPacks(ts []token.Token) []token.Token {
	for i := 0; i < len(ts); i++ {
		t := &ts[i]
		if t.Kind != token.Word || t.Use != token.Unused || i == 0 {
			continue
		}
		if n, unit := packOf(t.Norm); unit != "" {
			number, u := *t, *t
			number.Kind, number.Norm, number.Stem, number.Typo = token.Number, n, n, true
			u.Norm, u.Stem, u.Typo = unit, token.StemOf(unit), true
			ts = slices.Replace(ts, i, i+1, number, u)
			i++
			continue
		}
		colour := colourWords[t.Norm] && describes(ts[i-1].Norm) && // "носки синего цвета", not "какого цвета"
			ts[i-1].Stem != token.StemOf("какой")
		if colour || sizeWords[t.Norm] && i+1 < len(ts) && isSize(&ts[i+1]) {
			ts = slices.Delete(ts, i, i+1)
			i--
		}
	}
	return ts
}

var sizeWords = words.Set("размер размера размером size")

var colourWords = words.Set("цвета цветом цвет окраса")

// describes reports whether a word ends as an adjective.
func describes(w string) bool {
	return slices.ContainsFunc(adjectiveEnds, func(end string) bool { return strings.HasSuffix(w, end) })
}

// isSize reports whether a token is a size of clothes, or a number.
func isSize(t *token.Token) bool {
	return t.Kind == token.Number || clothes[t.Norm]
}

var clothes = words.Set("s m l xl xxl xs xxxl с м л хл ххл")

// packOf returns the number and the unit of an adjective such as "пятикилограммовый"; empty for other words.
func packOf(w string) (number, unit string) {
	for _, of := range []struct{ stem, unit, half string }{{"килограммов", "кг", "500 г"}, {"литров", "л", "0,5 л"},
		{"граммов", "г", ""}} {
		before, end, ok := strings.Cut(w, of.stem)
		if !ok || !packEnds[end] {
			continue
		}
		switch n := counts[before]; {
		case before == "" && of.unit != "г":
			return "1", of.unit
		case before == "пол" || before == "полу":
			number, unit, _ = strings.Cut(of.half, " ")
			return number, unit
		case n != "":
			return n, of.unit
		}
	}
	return "", ""
}

var (
	packEnds = words.Set("ый ая ое ые ого ой ую ых ому ым ыми ом")
	counts   = map[string]string{"одно": "1", "двух": "2", "трех": "3", "четырех": "4", "пяти": "5", "шести": "6",
		"семи": "7", "восьми": "8", "девяти": "9", "десяти": "10", "двадцати": "20", "пятидесяти": "50", "сто": "100",
		"ста": "100", "двухсот": "200", "двести": "200", "трехсот": "300", "четырехсот": "400", "пятисот": "500",
		"шестисот": "600", "восьмисот": "800"}
)
