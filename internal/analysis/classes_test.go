package analysis

import (
	"slices"
	"strings"
	"testing"

	"github.com/stockhand/stockhand/internal/decimal"
)

func TestABCClasses(t *testing.T) { // rule R207
	for values, want := range map[string]string{
		"":            "",
		"80 15 5":     "A B C",
		"81 14 5":     "A B C", // the greatest is always A
		"100":         "A",
		"40 40 20":    "A A C",
		"50 30 15 5":  "A A B C",
		"90 10 0 -50": "A C C C", // what is not positive is in no sum
		"0 0":         "C C",
		"-1":          "C",
		"80 20 ?":     "A C ",
		"?":           "",
		"25 25 25 25": "A A A C", // equal values part at the bound
	} {
		var list []decimal.Maybe
		for _, v := range strings.Fields(values) {
			if v == "?" {
				list = append(list, decimal.Maybe{})
				continue
			}
			list = append(list, decimal.Some(decimal.MustParse(v)))
		}
		if got := ABC(list); !slices.Equal(got, strings.Split(want, " ")) && (len(got) > 0 || want != "") {
			t.Errorf("%s: %q, want %q", values, got, want)
		}
	}
}
