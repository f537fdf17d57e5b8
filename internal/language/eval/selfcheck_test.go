package eval

import (
	"encoding/json"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
)

// TestHintsHoldOnTheirQueries checks the judge: the query that answers a turn must meet the turn's hints. It prints
// keywords of hints only, since the phrases are held out.
func TestHintsHoldOnTheirQueries(t *testing.T) {
	t.Parallel()
	b, err := os.ReadFile("testdata/unseen.json")
	if err != nil {
		t.Fatal(err)
	}
	var all []conversation
	if err := json.Unmarshal(b, &all); err != nil {
		t.Fatal(err)
	}
	queries, met, failing := 0, 0, map[string]int{}
	for _, c := range all {
		for _, x := range c.Turns {
			if x.Query == nil {
				continue
			}
			queries++
			b, err := json.Marshal(x.Query)
			if err != nil {
				t.Fatal(err)
			}
			j := look(answered{ToolCalls: []call{{"moysklad_analyze", b}}}, nil, nil).compare(turn{Must: x.Must})
			if len(j.missing)+len(j.extra)+len(j.doubt) == 0 {
				met++
			}
			for kind, list := range map[string][]string{"missing": j.missing, "extra": j.extra, "doubt": j.doubt} {
				for _, h := range list {
					w := append(strings.Fields(h), "", "")
					failing[kind+" "+w[0]+" "+w[1]]++
				}
			}
		}
	}
	if t.Logf("%d of %d queries meet their hints", met, queries); met*20 < queries*19 {
		t.Error("expected 95 %")
	}
	for _, k := range slices.Sorted(maps.Keys(failing)) {
		t.Logf("%4d %s", failing[k], k)
	}
}
