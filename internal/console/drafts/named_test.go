package drafts

import (
	"slices"
	"testing"

	"github.com/stockhand/stockhand/internal/tool"
)

// Numbers of documents in reasons and flags are links to them (rule R694).
func TestNumbersInFlagsAreLinks(t *testing.T) {
	v := view{May: true}
	v.Org, v.Connection = "org_1", "con_1"
	named := []tool.Ref{{Type: "purchaseorder", ID: "a", Name: "0001"},
		{Type: "purchaseorder", ID: "b", Name: "00012"},
		{Type: "purchaseorder", ID: "c", Name: "7/а"}}
	const to, rest = "/o/org_1/documents/", "?connection=con_1&kind=purchaseorder"
	for said, want := range map[string][]segment{
		"вдвое больше":                     {{text: "вдвое больше"}},
		"всего: № 00012 — 3 шт":            {{text: "всего: "}, {"№ 00012", to + "b" + rest}, {text: " — 3 шт"}},
		"№ 7/а, № 0001":                    {{"№ 7/а", to + "c" + rest}, {text: ", "}, {"№ 0001", to + "a" + rest}},
		"No. 0001: 5 pcs":                  {{"No. 0001", to + "a" + rest}, {text: ": 5 pcs"}},
		"№ 00019 is not one of them, 0001": {{text: "№ 00019 is not one of them, 0001"}},
	} {
		if got := v.segments(said, named); !slices.Equal(got, want) {
			t.Errorf("%q: %q", said, got)
		}
	}
	v.May = false
	if got := v.segments("№ 0001", named); len(got) != 1 || got[0].path != "" {
		t.Errorf("a viewer is led to %q", got)
	}
}
