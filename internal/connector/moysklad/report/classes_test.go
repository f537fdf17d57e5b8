package report

import (
	"testing"

	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

func TestClassesAreByCumulativeShare(t *testing.T) {
	var lines []*abcLine
	for i, v := range []string{"50", "30", "10", "5", "4", "1", "0", "-3"} {
		lines = append(lines, &abcLine{subject: msapi.Ref{Name: string(rune('a' + i))},
			value: decimal.MustParse(v), known: true})
	}
	lines = append(lines, &abcLine{})
	classify(lines, nil)
	got := ""
	for _, l := range lines {
		if l.abc == "" {
			got += "?"
		}
		got += l.abc
	}
	if got != "AABBCCCC?" {
		t.Errorf("classes %s", got)
	}
}

func TestTheFirstGoodIsAlwaysA(t *testing.T) {
	lines := []*abcLine{{value: decimal.FromInt(90), known: true},
		{value: decimal.FromInt(10), known: true}}
	if classify(lines, nil); lines[0].abc != "A" || lines[1].abc != "C" {
		t.Errorf("%s %s", lines[0].abc, lines[1].abc)
	}
}

func TestXYZIsTheVariationOfDailySales(t *testing.T) {
	parts := account.Cut(tool.Period{From: "2026-01-01", To: "2026-01-30"}, 4) // 8, 8, 7 and 7 days
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
		class, variation := evenness(sold, parts)
		if class != c.class || variation.Known != (c.variation != "") || variation.Known &&
			variation.Cmp(decimal.MustParse(c.variation)) != 0 {
			t.Errorf("%v: %s %s", c.sold, class, variation)
		}
	}
	if class, v := evenness([]decimal.Decimal{decimal.One}, parts[:1]); class != "" || v.Known {
		t.Error("a single slice has no variation")
	}
}

func TestSlicesCoverThePeriodWithoutGapsOrOverlaps(t *testing.T) {
	for _, days := range []int{1, 20, 21, 30, 31, 62, 63, 90, 365, 800} {
		p := tool.Period{From: "2026-01-01", To: tool.Day("2026-01-01").Add(days - 1)}
		parts := account.Cut(p, slicesFor(days))
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
