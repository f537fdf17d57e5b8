package ui

import (
	"testing"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/console/text"
)

// Weeks, months and quarters have names (rule R592).
func TestPeriodsHaveNames(t *testing.T) {
	for _, c := range []struct{ kind, cell, ru, en string }{
		{"week", "2026-W40", "28.09.2026 – 04.10.2026", "28 Sep 2026 – 4 Oct 2026"},
		{"week", "2026-W01", "29.12.2025 – 04.01.2026", "29 Dec 2025 – 4 Jan 2026"},
		{"month", "2026-10", "октябрь 2026", "October 2026"}, {"quarter", "2026-Q3", "3 кв. 2026", "Q3 2026"},
		{"week", "(прочие)", "(прочие)", "(прочие)"}, {"number", "2026-10", "2026-10", "2026-10"},
	} {
		for l, want := range map[stockhand.Language]string{stockhand.Russian: c.ru, stockhand.English: c.en} {
			if got := Period(text.With(t.Context(), l), c.kind, c.cell); got != want {
				t.Errorf("%s %s in %s: %q, want %q", c.kind, c.cell, l, got, want)
			}
		}
	}
}
