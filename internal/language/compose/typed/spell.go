package typed

import (
	"strings"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/language/names"
	"github.com/stockhand/stockhand/internal/language/quantity"
	"github.com/stockhand/stockhand/internal/language/spelling"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// Repair corrects misspelt words, and Russian words in Latin letters, that nothing else explains: "vyruchka", "деняг".
// known reports what other words mean something.
func Repair(c *analysis.Catalogue, ts []token.Token, known func(*token.Token) bool) {
	x := lexiconOf(c)
	var latin []int
	russian := 0
	for i := range ts {
		t := &ts[i]
		if t.Kind != token.Word || t.Use != token.Unused {
			continue
		}
		if t.Cyrillic && slang[t.Norm] != "" {
			x.replace(t, slang[t.Norm])
			continue
		}
		if x.knows(t) || known(t) {
			continue
		}
		switch {
		case !t.Cyrillic && slang[t.Norm] != "":
			x.replace(t, slang[t.Norm])
		case !t.Cyrillic:
			latin = append(latin, i)
			if w := inRussian(t); len([]rune(w.Norm)) >= 4 && (x.knows(&w) || known(&w)) {
				russian++
			}
		case !token.HasDigit(t.Norm):
			x.correct(t, t.Norm)
		}
	}
	if russian == 0 || russian*3 < len(latin) {
		for _, i := range latin {
			if !realWords[ts[i].Norm] && !token.HasDigit(ts[i].Norm) {
				x.correct(&ts[i], ts[i].Norm)
			}
		}
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
	if w = spelling.Known().Correct(w); w != "" && x.known[token.StemOf(w)] {
		x.replace(t, w)
	}
}

// realWords are English words that are one letter away from a word of questions.
var realWords = words.Set("profile profiles marker markers customs")

// slang are misspellings that are more than one letter off.
var slang = map[string]string{"бабок": "денег", "бабки": "деньги", "бабла": "денег", "бабло": "деньги",
	"бабосы": "деньги", "бабосов": "денег", "лавэ": "денег", "лаве": "денег", "деньжат": "денег", "деньжата": "деньги",
	"денежек": "денег", "денежки": "деньги", "денюжек": "денег", "денюжки": "деньги",
	"деняг": "денег", "деньга": "денег", "щет": "счет", "щета": "счета", "щетах": "счетах",
	"щету": "счету", "щете": "счете", "щетам": "счетам", "щот": "счет", "кол-во": "количество", "колво": "количество",
	"чекк": "чек", "expences": "expenses", "expence": "expense", "whch": "which", "witch": "which",
	"hom": "whom", "waht": "what", "whta": "what", "hwo": "how", "shw": "show",
	"shwo": "show", "mony": "money", "stok": "stock", "prft": "profit", "tovar": "product", "tovars": "products",
	"tovary": "products"}

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
	t.Norm, t.Stem, t.Cyrillic, t.Typo = w, token.StemOf(w), token.IsCyrillic(w), true
}
