package token_test

import (
	"slices"
	"testing"

	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

func TestAWordingIsOfItsWordsInAnyOrder(t *testing.T) { // rule R902
	w := token.Wording{Needs: []map[string]bool{words.Set("где"), words.Set("лежит лежат")}, Beside: words.Set("они")}
	idle := words.Set("а ну")
	for text, want := range map[string]struct {
		rest []int
		ok   bool
	}{
		"а где они лежат?": {nil, true}, "лежат они где": {nil, true}, "где они": {nil, false},
		"где лежит соль": {[]int{2}, true}, "где лежит «где»": {[]int{2}, true},
	} {
		ts := token.Split(text)
		if rest, ok := w.Rest(ts, idle); !slices.Equal(rest, want.rest) || ok != want.ok {
			t.Errorf("%s: %v, %t", text, rest, ok)
		}
		if w.Is(ts, idle) != (want.ok && want.rest == nil) {
			t.Errorf("%s: it is the wording: %t", text, w.Is(ts, idle))
		}
	}
}
