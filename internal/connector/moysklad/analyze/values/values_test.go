package values

import (
	"testing"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/tool"
)

func TestIntervalsAreReadAsPeopleWriteThem(t *testing.T) {
	const today = tool.Day("2026-11-20")
	for _, c := range []struct {
		step     analysis.Step
		text     string
		from, to tool.Day
	}{
		{analysis.Day, "15.10.26", "2026-10-15", "2026-10-15"},
		{analysis.Day, "1 декабря", "2025-12-01", "2025-12-01"},
		{analysis.Day, "2024-02-29", "2024-02-29", "2024-02-29"},
		{analysis.Day, "30.02.2026", "", ""},
		{analysis.Day, "октябрь", "", ""},
		{analysis.Week, "2026-W01", "2025-12-29", "2026-01-04"},
		{analysis.Week, "15.10.2026", "2026-10-12", "2026-10-18"},
		{analysis.Week, "50 неделя", "2025-12-08", "2025-12-14"},
		{analysis.Month, "март 2025 года", "2025-03-01", "2025-03-31"},
		{analysis.Month, "декабрь", "2025-12-01", "2025-12-31"},
		{analysis.Month, "15.10.2026", "", ""},
		{analysis.Month, "октябрь ноябрь", "", ""},
		{analysis.Quarter, "IV квартал", "2026-10-01", "2026-12-31"},
		{analysis.Quarter, "2025-Q1", "2025-01-01", "2025-03-31"},
		{analysis.Quarter, "0", "", ""},
		{analysis.Year, "2024 год", "2024-01-01", "2024-12-31"},
		{analysis.Year, "24", "", ""},
		{analysis.Year, "", "", ""},
		{analysis.Month, "-2026?10", "", ""},
	} {
		i, ok := ReadInterval(c.step, c.text)
		var got tool.Period
		if ok {
			got, _ = i.Latest(today)
		}
		if got.From != c.from || got.To != c.to {
			t.Errorf("%s %q is %v, want %s to %s", c.step, c.text, got, c.from, c.to)
		}
	}
}

func TestHoursAreReadAsPeopleWriteThem(t *testing.T) {
	for s, want := range map[string]string{"0": "00", "9": "09", "09:00": "09", "9 ч.": "09", "12 am": "00",
		"12 pm": "12", "3pm": "15", "23": "23", "24": "", "9:30": "", "-1": "", "13 pm": "", "девять": "",
		"": "", "9 кг": ""} {
		if got := Hour(s); got != want {
			t.Errorf("%q is %q, want %q", s, got, want)
		}
	}
}

func TestPhrasesDifferInTheirEndingsOnly(t *testing.T) {
	for _, c := range []struct {
		x, y string
		same bool
	}{
		{"субботам", "Суббота", true}, {"среду", "среда", true}, {"розничные продажи", "Розничная продажа", true},
		{"Saturdays", "Saturday", true}, {"Monday", "Sunday", false}, {"возврат", "Розничный возврат", false},
		{"сб", "пн", false}, {"", "", false}, {"шт.", "шт", true}, {"см", "с", false},
	} {
		if Like(c.x, c.y) != c.same {
			t.Errorf("%q and %q: %t", c.x, c.y, !c.same)
		}
	}
	if got := Unit([]string{"шт", "кг", "упак", "м"}, "упаковки"); len(got) != 1 || got[0] != "упак" {
		t.Error(got)
	}
	if got := Unit([]string{"шт", "кг", "м"}, "миллион"); got != nil {
		t.Error(got)
	}
}
