package language

import (
	"regexp"
	"slices"

	"github.com/stockhand/stockhand/internal/language/request"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// spellSizes writes sizes as names do, as numbers side by side: "140х200" and "140 на 200" are those of «Плед махра
// 140×200» (rule R1104). A request to change something may mean a number by "на".
func spellSizes(ts []token.Token) []token.Token {
	changes := slices.ContainsFunc(ts, func(t token.Token) bool {
		return request.Sets[t.Norm] || request.Raises[t.Norm] || besideBy[t.Norm] ||
			request.Lowers[t.Norm] && t.Stem != token.StemOf("скинь")
	})
	for i := 0; i < len(ts); i++ {
		t := &ts[i]
		if t.Use != token.Unused {
			continue
		}
		if m := sizeText.FindStringSubmatch(t.Norm); m != nil {
			first, second := *t, *t
			first.Kind, first.Norm, first.Stem = token.Number, m[1], m[1]
			second.Kind, second.Norm, second.Stem = token.Number, m[2], m[2]
			ts = slices.Replace(ts, i, i+1, first, second)
			i++
			continue
		}
		if i == 0 || i+1 >= len(ts) || ts[i-1].Kind != token.Number || ts[i+1].Kind != token.Number {
			continue
		}
		if byWords[t.Norm] || t.Norm == "на" && !changes && (i < 2 || ts[i-2].Norm != "с") {
			ts = slices.Delete(ts, i, i+1)
			i--
		}
	}
	return ts
}

var (
	sizeText = regexp.MustCompile(`^(\d+)[xх×](\d+)$`)
	byWords  = words.Set("x х ×")
	// besideBy are words that make "на" a change.
	besideBy = words.Set("цена цену цены цен ценник скидка скидку процент процента процентов замени поменяй измени " +
		"исправь")
)
