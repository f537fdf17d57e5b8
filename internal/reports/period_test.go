package reports

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stockhand/stockhand/internal/tool"
)

// A period that people mean by the calendar moves with it; others stay (rule R450).
func TestAPeriodMovesWithTheCalendar(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, today, from, to, later, wantFrom, wantTo string }{
		{"today", "2026-11-26", "2026-11-26", "2026-11-26", "2026-12-03", "2026-12-03", "2026-12-03"},
		{"yesterday", "2026-11-26", "2026-11-25", "2026-11-25", "2026-12-01", "2026-11-30", "2026-11-30"},
		{"30 days", "2026-11-26", "2026-10-28", "2026-11-26", "2027-01-05", "2026-12-07", "2027-01-05"},
		{"this month", "2026-11-26", "2026-11-01", "2026-11-26", "2027-01-05", "2027-01-01", "2027-01-05"},
		{"last month", "2026-11-26", "2026-10-01", "2026-10-31", "2027-01-05", "2026-12-01", "2026-12-31"},
		{"three months", "2026-11-26", "2026-09-01", "2026-11-26", "2027-01-05", "2026-11-01", "2027-01-05"},
		{"this year", "2026-11-26", "2026-01-01", "2026-11-26", "2027-03-05", "2027-01-01", "2027-03-05"},
		{"last year", "2026-11-26", "2025-01-01", "2025-12-31", "2027-03-05", "2026-01-01", "2026-12-31"},
		{"February", "2026-03-15", "2026-02-01", "2026-02-28", "2028-03-01", "2028-02-01", "2028-02-29"},
		{"some days of spring", "2026-11-26", "2026-03-05", "2026-04-10", "2027-01-05", "2026-03-05", "2026-04-10"},
		{"long ago", "2026-11-26", "2024-02-01", "2024-02-29", "2027-01-05", "2024-02-01", "2024-02-29"},
	} {
		d := Definition{Arguments: json.RawMessage(fmt.Sprintf(`{"from":%q,"to":%q,"limit":5}`, c.from, c.to))}
		d.Period = Moving(d.Arguments, tool.Day(c.today))
		var same, later struct {
			From, To string
			Limit    int
		}
		if err := json.Unmarshal(d.On(tool.Day(c.today)), &same); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(d.On(tool.Day(c.later)), &later); err != nil {
			t.Fatal(err)
		}
		if same.From != c.from || same.To != c.to {
			t.Errorf("%s: on the same day %s to %s", c.name, same.From, same.To)
		}
		if later.From != c.wantFrom || later.To != c.wantTo || later.Limit != 5 {
			t.Errorf("%s: %+v, want %s to %s", c.name, later, c.wantFrom, c.wantTo)
		}
	}
	for _, fixed := range []string{`{}`, `{"from":"2026-11-26"}`, `{"from":"2026-11-27","to":"2026-11-26"}`,
		`{"from":"2026-11-20","to":"2026-11-26","compare":{"from":"2025-11-20","to":"2025-11-26"}}`} {
		if p := Moving(json.RawMessage(fixed), "2026-11-26"); p.Kind != "" {
			t.Errorf("%s moves: %+v", fixed, p)
		}
	}
}
