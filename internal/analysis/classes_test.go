package analysis

import (
	"slices"
	"strings"
	"testing"

	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
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

func TestXYZIsTheVariationOfDailySales(t *testing.T) {
	parts := tool.Period{From: "2026-01-01", To: "2026-01-30"}.Cut(4) // 8, 8, 7 and 7 days
	for _, c := range []struct {
		sold             [4]string
		class, variation string
	}{
		{[4]string{"8", "8", "7", "7"}, "X", "0"}, // one a day, although the slices differ in length
		{[4]string{"9.6", "6.4", "8.4", "5.6"}, "Y", "20"},
		{[4]string{"16", "0", "14", "0"}, "Z", "100"},
		{[4]string{"0", "0", "0", "0"}, "Z", ""},
		{[4]string{"8.8", "7.2", "7.7", "6.3"}, "X", "10"}, // the boundary belongs to the better class
	} {
		var sold []decimal.Decimal
		for _, q := range c.sold {
			sold = append(sold, decimal.MustParse(q))
		}
		class, variation := XYZ(sold, parts)
		if class != c.class || variation.Known != (c.variation != "") || variation.Known &&
			variation.Cmp(decimal.MustParse(c.variation)) != 0 {
			t.Errorf("%v: %s %s", c.sold, class, variation)
		}
	}
	if class, v := XYZ([]decimal.Decimal{decimal.One}, parts[:1]); class != "" || v.Known {
		t.Error("a single slice has no variation")
	}
}

func TestSlicesCoverThePeriodWithoutGapsOrOverlaps(t *testing.T) {
	for _, days := range []int{1, 20, 21, 30, 31, 62, 63, 90, 365, 800} {
		p := tool.Period{From: "2026-01-01", To: tool.Day("2026-01-01").Add(days - 1)}
		parts := SlicesXYZ(p)
		total := 0
		for i, part := range parts {
			total += part.Days()
			if i > 0 && part.From != parts[i-1].To.Add(1) {
				t.Errorf("%d days: a gap before %s", days, part.From)
			}
		}
		if total != days || parts[0].From != p.From || parts[len(parts)-1].To != p.To {
			t.Errorf("%d days: %v", days, parts)
		}
	}
}
