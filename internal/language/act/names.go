package act

import (
	"slices"

	"github.com/stockhand/stockhand/internal/language/token"
)

// Names reports whether every word of a name is in the name of a product, in some form or nearly: "кружек" is "кружка".
func Names(name, product string) bool {
	have := token.Split(product)
	some := false
	for _, w := range token.Split(name) {
		if w.Kind == token.Mark {
			continue
		}
		if !slices.ContainsFunc(have, func(h token.Token) bool { return alike(w, h) }) {
			return false
		}
		some = true
	}
	return some
}

// alike reports whether two words are forms of one, or nearly: "кружек" and "кружка".
func alike(a, b token.Token) bool {
	if a.Norm == b.Norm || a.Kind == token.Word && a.Stem == b.Stem {
		return true
	}
	if a.Kind != token.Word || b.Kind != token.Word {
		return false
	}
	x, y := []rune(a.Stem), []rune(b.Stem)
	same := 0
	for same < len(x) && same < len(y) && x[same] == y[same] {
		same++
	}
	longer := max(len(x), len(y))
	return same >= 4 && same >= longer-2 || same >= 3 && same >= longer-1 ||
		withoutFleeting(a.Stem) == withoutFleeting(b.Stem)
}

// withoutFleeting leaves out the vowel before the last consonant: "кепок" and "кепк" are stems of one word.
func withoutFleeting(stem string) string {
	s := []rune(stem)
	if n := len(s); n > 3 && (s[n-2] == 'о' || s[n-2] == 'е') {
		return string(s[:n-2]) + string(s[n-1])
	}
	return stem
}
