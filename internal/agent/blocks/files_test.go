package blocks

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestBehindEachBlockOfFiguresAreFiles(t *testing.T) { // rule R570
	part := 1
	base := "/api/v1/results/res_1?"
	for _, c := range []struct {
		what string
		in   Block
		want *Files
	}{
		{"a text", Block{Type: Text, Text: "a"}, nil},
		{"a draft", Block{Type: Draft, Draft: "drf_1"}, nil},
		{"a table", Block{Type: Table, Result: "res_1", Limit: 10, Offset: 10},
			&Files{CSV: base + "format=csv", XLSX: base + "format=xlsx"}},
		{"a part", Block{Type: Table, Result: "res_1", Part: &part},
			&Files{CSV: base + "format=csv&part=1", XLSX: base + "format=xlsx&part=1"}},
		{"key figures", Block{Type: KPI, Figures: []Figure{{Source: Source{Result: "res_1"}}}},
			&Files{CSV: base + "format=csv", XLSX: base + "format=xlsx"}},
		{"no figures", Block{Type: KPI}, nil},
		{"a chart", Block{Type: Chart, Result: "res_1", Chart: Bar, X: "склад", Y: []string{"a", "a_before"}, Limit: 9,
			Series: "s"}, &Files{CSV: base + "format=csv", XLSX: base + "format=xlsx", SVG: base +
			"chart=bar&format=svg&limit=9&series=s&x=%D1%81%D0%BA%D0%BB%D0%B0%D0%B4&y=a%2Ca_before"}},
	} {
		got := c.in.Files()
		if (got == nil) != (c.want == nil) || got != nil && *got != *c.want {
			t.Errorf("%s: %+v, want %+v", c.what, got, c.want)
		}
		raw, err := json.Marshal(c.in)
		if err != nil || strings.Contains(string(raw), `"files":{"csv":"/api`) != (c.want != nil) {
			t.Errorf("%s: %s, %v", c.what, raw, err)
		}
		var back Block
		if err := json.Unmarshal(raw, &back); err != nil || back.Type != c.in.Type || back.Result != c.in.Result {
			t.Errorf("%s comes back as %+v, %v", c.what, back, err)
		}
	}
}
