package results

import (
	"testing"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/console/text"
	"github.com/stockhand/stockhand/internal/tool"
)

// Weeks, months and quarters have names (rule R592).
func TestPeriodsHaveNames(t *testing.T) {
	for _, c := range []struct{ column, cell, ru, en string }{
		{"week", "2026-W40", "28.09–04.10.2026", "28 Sep – 4 Oct 2026"},
		{"week", "2026-W01", "29.12–04.01.2026", "29 Dec – 4 Jan 2026"},
		{"month", "2026-10", "октябрь 2026", "October 2026"}, {"quarter", "2026-Q3", "3 кв. 2026", "Q3 2026"},
		{"week", "(прочие)", "(прочие)", "(прочие)"}, {"number", "2026-10", "2026-10", "2026-10"},
	} {
		column := tool.Column{Name: c.column, Unit: tool.UnitText}
		for l, want := range map[stockhand.Language]string{stockhand.Russian: c.ru, stockhand.English: c.en} {
			if got := said(text.With(t.Context(), l), column, tool.TextValue(c.cell)); got != want {
				t.Errorf("%s %s in %s: %q, want %q", c.column, c.cell, l, got, want)
			}
		}
	}
}
