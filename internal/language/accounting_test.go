package language

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/connector/moysklad/analyze/measures"
)

// A condition that the tool cannot follow is named, although the lexicon knows its words (rules R321 and R504).
func TestKnownWordsThatTheToolDoesNotFollowAreNamed(t *testing.T) {
	t.Parallel()
	in := Input{Now: time.Date(2026, time.November, 22, 12, 0, 0, 0, time.UTC), Catalogue: measures.Catalogue,
		Names: []connector.Name{{Kind: connector.NameStore, ID: "s1", Name: "Витрина"}}}
	for _, c := range []struct{ task, unused string }{
		{"кому мы должны за прошлый месяц", "прошлый месяц"},
		{"список складов до обеда", "обеда"}, {"who do we owe the day before yesterday", "day before yesterday"},
		{"кому мы должны в долларах", "долларах"}, {"list employees over 500 rubles", "500 rubles"},
		{"кому мы должны", ""}, {"просроченные заказы больше 5 дней", ""},
		{"что залежалось больше 120 дней на витрине", ""},
		{"top 5 products by profit last month", ""}, {"движение денег по дням за октябрь", ""},
		{"who owes more than 20 000", ""},
	} {
		r := Read(c.task, in)
		if r.Question != nil && c.unused == "" || r.Outside {
			t.Errorf("%s: read as %q, %v", c.task, r.Skill, r.Question)
			continue
		}
		if r.Question != nil && len(r.Unknown) > 0 { // asked about below
			r.Unused = append(r.Unused, r.Unknown[0].Words)
		}
		if r.Question != nil && r.Question.Whole { // it says why they cannot be followed (rule R1075)
			r.Unused = append(r.Unused, r.Question.Text)
		}
		if got := strings.Join(r.Unused, " "); c.unused == "" && got != "" || !strings.Contains(got, c.unused) {
			t.Errorf("%s: %s names %q, want %q", c.task, r.Skill, r.Unused, c.unused)
		}
		if r.Question != nil && !strings.Contains(r.Question.Text, c.unused) {
			t.Errorf("%s: asks %q, want %q in it", c.task, r.Question.Text, c.unused)
		}
	}
	if slices.Contains(arranging, conceptFiller) {
		t.Error("fillers arrange nothing")
	}
}
