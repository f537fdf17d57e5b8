package typed

import (
	"strings"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/language/names"
	"github.com/stockhand/stockhand/internal/language/quantity"
	"github.com/stockhand/stockhand/internal/language/token"
)

// learn adds a word of a phrase to those that are known and, if it is a whole phrase that names a figure, to those that
// misspelt words are corrected to.
func (x *lexicon) learn(stem, form string, whole bool) {
	x.known[stem] = true
	if whole && token.IsCyrillic(form) && len([]rune(stem)) >= 5 {
		x.typos.Add(stem)
	}
}

// Repair corrects misspelt words, and Russian words in Latin letters, that nothing else explains: "vyruchka", "деняг".
// known reports what other words mean something.
func Repair(c *analysis.Catalogue, ts []token.Token, known func(*token.Token) bool) {
	x := lexiconOf(c)
	var latin []int
	russian := 0
	for i := range ts {
		t := &ts[i]
		if t.Kind != token.Word || t.Use != token.Unused || x.knows(t) || known(t) {
			continue
		}
		switch {
		case !t.Cyrillic:
			latin = append(latin, i)
			if w := inRussian(t); len([]rune(w.Norm)) >= 4 && (x.knows(&w) || known(&w)) {
				russian++
			}
		case slang[t.Norm] != "":
			x.replace(t, slang[t.Norm])
		case !token.HasDigit(t.Norm):
			x.correct(t, t.Norm)
		}
	}
	if russian == 0 || russian*3 < len(latin) {
		return
	}
	for _, i := range latin {
		w := inRussian(&ts[i])
		if x.knows(&w) || known(&w) || len([]rune(w.Norm)) <= 3 && token.IsCyrillic(w.Norm) {
			x.replace(&ts[i], w.Norm)
		} else {
			x.correct(&ts[i], w.Norm)
		}
	}
}

// correct replaces a misspelt word by one whose stem is known.
func (x *lexicon) correct(t *token.Token, w string) {
	if w = x.typos.Correct(w); w != "" && x.known[token.Stem(w, true)] {
		x.replace(t, w)
	}
}

// slang are misspellings that are more than one letter off.
var slang = map[string]string{"бабок": "денег", "бабки": "деньги", "бабла": "денег", "бабло": "деньги",
	"деняг": "денег", "деньга": "денег", "щет": "счет", "щета": "счета", "щетах": "счетах",
	"щету": "счету", "щете": "счете", "щетам": "счетам", "щот": "счет", "щётах": "счетах", "прибль": "прибыль",
	"прыбыль": "прибыль", "марджа": "маржа", "кассэ": "кассе", "чекк": "чек", "чеки": "чеки", "вырочка": "выручка",
	"остатк": "остаток", "кол-во": "количество", "колво": "количество", "почем": "почем"}

// knows reports whether a word means something by itself, as a number or as a date.
func (x *lexicon) knows(t *token.Token) bool {
	return x.known[t.Stem] || x.function[t.Norm] || quantity.Numeral(t.Norm) != 0 || quantity.IsCalendarWord(t.Norm) ||
		quantity.Scale(t.Norm) > 0
}

// inRussian returns a word in Latin letters as a Russian one.
func inRussian(t *token.Token) token.Token {
	w := strings.ReplaceAll(names.Transliterate(t.Norm), "ё", "е")
	return token.Token{Kind: token.Word, Norm: w, Stem: token.Stem(w, true), Cyrillic: true}
}

func (x *lexicon) replace(t *token.Token, w string) {
	t.Norm, t.Stem, t.Cyrillic, t.Typo = w, token.Stem(w, true), true, true
}
