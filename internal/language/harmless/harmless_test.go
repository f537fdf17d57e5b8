package harmless

import (
	"testing"

	"github.com/stockhand/stockhand/internal/language/token"
)

func TestFunctionWordsAreFew(t *testing.T) { // rule R264
	count, seen := map[bool]int{}, map[string]bool{}
	for _, w := range list() {
		count[token.IsCyrillic(w)]++
		if seen[w] {
			t.Errorf("%q is named twice", w)
		}
		seen[w] = true
	}
	if count[true] > 150 || count[false] > 150 || count[true] == 0 || count[false] == 0 {
		t.Errorf("%d Russian and %d English function words", count[true], count[false])
	}
}
