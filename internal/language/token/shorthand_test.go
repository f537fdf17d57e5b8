package token_test

import (
	"strings"
	"testing"

	"github.com/stockhand/stockhand/internal/language/token"
)

func TestMessagesAreReadWithTheirShorthand(t *testing.T) { // rule R781
	for task, want := range map[string]string{
		"can u show ur sales this wk":  "can you show your sales this week",
		"havent sold w/o a price":      "have not sold without a price",
		"order 30 x Кепка":             "order 30 кепка",
		"Кепка x12, Носки х 5":         "кепка 12 , носки 5",
		"12x Ведро":                    "12 ведро",
		"Простыня 160 x 220":           "простыня 160 x 220",
		"sales grew 2x":                "sales grew 2x",
		"stock < 5 and price >= 1,000": "stock under 5 and price at least 1,000",
		"a/r aging, Продукты > Чай":    "a / r aging , продукты чай",
	} {
		var list []string
		for _, x := range token.Split(task) {
			list = append(list, x.Norm)
		}
		if got := strings.Join(list, " "); got != want {
			t.Errorf("%s: %s, want %s", task, got, want)
		}
	}
}
